"""Playing cards by their codes: `AC`, `10H`, `QS`, and the red and the black joker, `RJ` and `BJ`.

Cards of any other deck have codes of their own: they have no suit, and their code is all that they are called.
"""

from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

from generator.base.errors import did_you_mean
from generator.base.late import late_pattern

CardName = Annotated[str, Meta(title="card")]
"""In the type of a state: a card, which `set` and its form read as one."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "S", "D", "H")
SUIT_NAMES = {"C": "clubs", "S": "spades", "D": "diamonds", "H": "hearts"}
RANK_NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}
JOKERS = ("RJ", "BJ")
JOKER_NAMES = {"RJ": "red joker", "BJ": "black joker"}

FULL_DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 codes, suit by suit from ace to king."""

ALL_CODES: tuple[str, ...] = FULL_DECK + JOKERS
_ORDER = {code: place for place, code in enumerate(ALL_CODES)}
_SUITED = len(FULL_DECK)
_CODES = late_pattern(f"({'|'.join(sorted(ALL_CODES, key=len, reverse=True))})")
_SIGNS = str.maketrans("\u2663\u2660\u2666\u2665\u2667\u2664\u2662\u2661", "".join(SUITS) * 2, "\ufe0e\ufe0f")
"""Suit signs, black or outlined, as letters; what tells a screen how to draw them is left out."""


def is_code(text: str) -> bool:
    """Return whether `text` is exactly the code of a card or joker."""
    return text in _ORDER


def find_code(text: str) -> str | None:
    """The code that a person typed: in either case, suit first or last, as a letter or a sign. None for no card."""
    word = _letters(text)
    swapped = word[1:] + word[0] if word.startswith(SUITS) else word
    return next((code for code in (word, swapped) if code in _ORDER), None)


MAX_LETTERS = 400
"""Cards that are typed without spaces are read up to so many letters: two decks fit."""


def find_codes(text: str) -> list[str]:
    """Return the codes that a person typed without spaces: `7ckh10s` is `7C KH 10S`. None where it is anything else."""
    matches = _CODES.findall(word := _letters(text, MAX_LETTERS))
    return matches if "".join(matches) == word and len(text) <= MAX_LETTERS else []


def read_code(text: str) -> str:
    """Return the code that a person typed ("qs", "SQ" and "Q\u2660` are `QS`). Raises ValueError with a sentence."""
    code = find_code(text)
    if code is None:
        raise ValueError(f'"{text.strip()[:20]}" is not a card{meant_card(text) or ": write AC, 10H, QS, RJ"}')
    return code


def meant_card(text: str, codes: Collection[str] = ALL_CODES) -> str:
    """Return the end of a sentence that names the card that was meant, never one of another suit; empty for no idea."""
    word = _letters(text)
    if word in RANKS:
        return f": which suit? {', '.join(word + suit for suit in SUITS)}"
    suits = [suit for suit in SUITS if suit in word]
    if len(suits) > 1:
        return ""
    near = [code for code in codes if (suit_of(code) == suits[0] if suits else is_joker(code))]
    hint = did_you_mean(find_code(text) or (word[1:] + word[0] if word.startswith(SUITS) else word), near)
    return hint if hint.startswith(":") else ""


def _letters(text: str, most: int = 40) -> str:
    return text.strip()[:most].translate(_SIGNS).upper()


def is_joker(code: str) -> bool:
    """Return whether the code is a joker's."""
    return code in JOKERS


def rank_of(code: str) -> str:
    """`A`, `2` ... `10`, `J`, `Q`, `K`; a joker has the rank `joker`, and a code of its own is its rank."""
    return "joker" if is_joker(code) else code.removesuffix(suit_of(code))


def suit_of(code: str) -> str:
    """`C`, `S`, `D` or `H`; jokers and codes of their own have none, given as an empty text."""
    return code[-1] if _ORDER.get(code, _SUITED) < _SUITED else ""


def is_red(code: str) -> bool:
    """Return whether the card is a heart, a diamond or the red joker."""
    return code == "RJ" or suit_of(code) in ("D", "H")


def order_of(code: str) -> int:
    """The card's place in a new deck, from 0; jokers come last, and codes of their own after them, all in one place."""
    return _ORDER.get(code, len(_ORDER))


_PRINTED = dict(zip(SUITS, "\u2663\u2660\u2666\u2665", strict=True))


def printed_code(code: str) -> str:
    """Return a card in short as paper has it: `A\u2663`, `red joker`; a code of its own as it is."""
    suit = suit_of(code)
    return f"{rank_of(code)}{_PRINTED[suit]}" if suit else JOKER_NAMES.get(code, code)


def name_of(code: str) -> str:
    """As people say it: `Queen of spades`, `10 of hearts`, `red joker`; a code of its own as it is."""
    if not suit_of(code):
        return JOKER_NAMES.get(code, code)
    return f"{RANK_NAMES.get(rank_of(code), rank_of(code))} of {SUIT_NAMES[suit_of(code)]}"

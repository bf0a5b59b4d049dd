"""Playing cards by their codes: `AC`, `10H`, `QS`, and the red and the black joker, `RJ` and `BJ`."""

from __future__ import annotations

from generator.errors import did_you_mean

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


def is_code(text: str) -> bool:
    """Whether `text` is exactly the code of a card or joker."""
    return text in _ORDER


def read_code(text: str) -> str:
    """The code that a person typed, in either case (`qs` is `QS`). Raises ValueError with a sentence."""
    code = text.strip().upper()
    if code not in _ORDER:
        shown = text.strip()[:20]
        raise ValueError(f'"{shown}" is not a card{did_you_mean(code, ALL_CODES) or ": write AC, 10H, QS, RJ"}')
    return code


def is_joker(code: str) -> bool:
    """Whether the code is a joker's."""
    return code in JOKERS


def rank_of(code: str) -> str:
    """`A`, `2` ... `10`, `J`, `Q`, `K`; a joker has the rank `joker`."""
    return "joker" if is_joker(code) else code[:-1]


def suit_of(code: str) -> str:
    """`C`, `S`, `D` or `H`; a joker has none, given as an empty text."""
    return "" if is_joker(code) else code[-1]


def is_red(code: str) -> bool:
    """Whether the card is a heart, a diamond or the red joker."""
    return code == "RJ" or code[-1] in "DH"


def order_of(code: str) -> int:
    """The card's place in a new deck, from 0; jokers come last."""
    return _ORDER[code]


def name_of(code: str) -> str:
    """As people say it: `Queen of spades`, `10 of hearts`, `red joker`."""
    if is_joker(code):
        return JOKER_NAMES[code]
    return f"{RANK_NAMES.get(rank_of(code), rank_of(code))} of {SUIT_NAMES[suit_of(code)]}"

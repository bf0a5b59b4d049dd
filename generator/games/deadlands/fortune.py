"""What a card means for a luck draw or a fate roll (rulings D9, D10)."""

import re
from collections.abc import Sequence
from typing import Literal

from generator.base.cards import (
    JOKER_NAMES,
    JOKERS,
    RANKS,
    SUIT_NAMES,
    find_code,
    is_code,
    is_joker,
    is_red,
    rank_of,
    suit_of,
)
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.model.rules import System

BAD_LUCK = "AS"
"""The card that is bad luck whatever was named (D9)."""

_SUITS = {name: suit for suit, name in SUIT_NAMES.items()}
_WORDS = (*_SUITS, "red", "black", "faces")
_RANGE = re.compile(r"(10|[2-9AJQK])(?:(\+)|-(10|[2-9AJQK]))?", re.IGNORECASE)
_ORDER = (*RANKS[1:], RANKS[0])
"""In a range the ace is high."""

Fortune = Literal["success", "failure", "bad_luck"]


def read_range(what: str, written: str) -> str:
    """Return a card, suit, colour, `faces`, rank or range: `Q`, `Q+`, `5-9`. Raises UsageError."""
    word = written.strip()
    if word.lower() in _WORDS:
        return word.lower()
    if match := _RANGE.fullmatch(word):
        low = match[1].upper()
        high = (match[3] or ("A" if match[2] else low)).upper()
        if _ORDER.index(low) > _ORDER.index(high):
            raise UsageError(f'{what}: "{word}" runs backwards: write {high}-{low}; the ace is high')
        return low if low == high else f"{low}+" if match[2] else f"{low}-{high}"
    code = find_code(word)
    if code is None:
        hint = did_you_mean(word.lower(), _WORDS) if word.isalpha() and len(word) > 2 else ""
        raise UsageError(f'{what}: "{word[:20]}" is not a card{hint or ": write QH, Q, Q+, 5-9, hearts, red or faces"}')
    if is_joker(code):
        raise UsageError(f"{what}: a joker cannot be named: it is lucky for everybody")
    if code == BAD_LUCK:
        raise UsageError(f"{what}: the ace of spades cannot be named: it is always bad luck")
    return code


def is_named(code: str, words: Sequence[str]) -> bool:
    """Tell whether a card is one of those named: any of the cards, within all of the ranges, suits and colours."""
    named = [word for word in words if is_code(word)]
    wide = [word for word in words if not is_code(word)]
    return code in named or (bool(wide) and not is_joker(code) and all(_is_in(code, word) for word in wide))


def _is_in(code: str, word: str) -> bool:
    if word in _SUITS:
        return suit_of(code) == _SUITS[word]
    if word in ("red", "black"):
        return is_red(code) == (word == "red")
    if word == "faces":
        return rank_of(code) in ("J", "Q", "K")
    low, _, high = word.removesuffix("+").partition("-")
    top = high or ("A" if word.endswith("+") else low)
    return _ORDER.index(low) <= _ORDER.index(rank_of(code)) <= _ORDER.index(top)


def fortune_of(code: str, words: Sequence[str]) -> Fortune:
    """Return how a luck draw ends: the ace of spades is always bad luck, a joker always good luck (D9)."""
    if code == BAD_LUCK:
        return "bad_luck"
    return "success" if code in JOKERS or is_named(code, words) else "failure"


def fate_of(code: str, system: System) -> int | str:
    """Return the target number that a card stands for, or `critical success` or `critical failure` (D10)."""
    table = system.table("fate")
    name = JOKER_NAMES[code].capitalize() if is_joker(code) else rank_of(code)
    row = table.named(name) if table else None
    cell = row.cells.get("target") if row else None
    if isinstance(cell, int) or cell in ("critical success", "critical failure"):
        return cell
    raise HackjackError(
        f'{system.head.id}: the table fate needs a row {name} with a number under "target", or critical success or '
        "critical failure"
    )

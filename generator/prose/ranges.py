"""Results and dice as people write them."""

from __future__ import annotations

import re

from generator.base.dice import Dice
from generator.model.rules import Span

_MAX_LENGTH = 40
_DICE = re.compile(r"(?<![a-z0-9])(\d{0,2}+)d(\d{1,4}+|%)(?: ?([+-]) ?(\d{1,3}+))?(?![a-z0-9])", re.IGNORECASE)
DASHES = re.compile(r"[\u2010-\u2015\u2212~\u301c]|\.{2,3}+|\u2026|--")
_TO = r"(?:-{1,2}|[\u2010-\u2015\u2212~\u301c&]|\.\.|to|through|thru|or|and)"
_RANGE = re.compile(
    r"(-?\d{1,4}+)%? ?(?:(?:-|to|through|thru) ?(-?\d{1,4}+)%?"
    r"|(\+|(?:or|and) (?:more|up|above|over|higher|greater|better)))?"
)
_SEVERAL = re.compile(r" ?(?:,|&|/|\bor\b|\band\b) ?")
LOW = re.compile(r"(-?\d{1,4}+) (?:or|and) (?:less|lower|below|under|fewer)|[<\u2264]=? ?(-?\d{1,4}+)")
_HIGH = re.compile(r"(?:>=|\u2265) ?(-?\d{1,4}+)")
ITEM = (
    rf"-?\d{{1,4}}+%?(?:\s?{_TO}\s?\d{{1,4}}+%?|\s?\+|\s(?:or|and) (?:more|up|above|over|higher|greater|better|less"
    r"|lower|below|under|fewer)\b)?"
)
"""A result at the beginning of a line."""


def plain_range(cell: str) -> str:
    """Return a range in small letters, with one kind of dash."""
    return " ".join(DASHES.sub("-", cell).lower().strip(" .:)(%").split())


def span(cell: str) -> Span | None:
    """Return a range as people write it; one without a lowest result stands for its highest, 00 alone for 0."""
    text = plain_range(cell) if len(cell) <= _MAX_LENGTH else ""
    several = _SEVERAL.split(text)
    if len(several) > 1 and all(re.fullmatch("[0-9]{1,4}", part) for part in several):
        low, high = int(several[0]), int(several[-1])
        return Span(low, high) if [*map(int, several)] == [*range(low, high + 1)] else None
    if match := LOW.fullmatch(text):
        return Span(int(match[1] or match[2]), int(match[1] or match[2]))
    if match := _HIGH.fullmatch(text):
        return Span(int(match[1]), None)
    if not (match := _RANGE.fullmatch(text)):
        return None
    low = int(match[1])
    if match[3]:
        return Span(low, None)
    zeros = match[2] and not match[2].strip("0") and low > 0
    high = 10 ** len(match[2]) if zeros else int(match[2] or low)
    return Span(low, high) if high >= low and (high >= 0 or high == low) else None


def rolled(text: str) -> Dice | None:
    """Return the dice that a head or a title names; d66 and d666 are none."""
    match = _DICE.search(DASHES.sub("-", text[:2_000]))
    if match is None or match[2] in ("66", "666"):
        return None
    try:
        plus = f"{match[3]}{match[4]}" if match[3] else ""
        return Dice.parse(f"{match[1] or 1}d{'100' if match[2] == '%' else match[2]}{plus}")
    except ValueError:
        return None


def names_dice(text: str) -> re.Match[str] | None:
    """Return the dice at the beginning of a text."""
    return _DICE.match(text)


USUAL_DICE = {(1, faces): Dice(1, faces) for faces in (4, 6, 8, 10, 12, 20, 30, 100)} | {
    (2, 12): Dice(2, 6),
    (3, 18): Dice(3, 6),
    (0, 99): Dice(1, 100, -1),
}
"""The dice that have these lowest and highest results."""


def fits(dice: Dice, covers: Span) -> bool:
    """Return whether every total of the dice has a row."""
    return covers.low <= dice.least and (covers.high is None or dice.most <= covers.high)

"""What effects do, as facts of the log, whatever the procedure; and what all games say of it in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from generator.words.wording import showing

CheckPassed = NamedTuple("CheckPassed", [("card", str), ("die", str), ("rolled", int), ("over", int)])
CheckFailed = NamedTuple("CheckFailed", [("card", str), ("die", str), ("rolled", int), ("over", int)])
Maybe = NamedTuple("Maybe", [("die", str), ("rolled", int), ("upto", int), ("happens", bool)])
Grip = NamedTuple("Grip", [("die", str), ("rolled", int), ("upto", int), ("falls", bool)])
Peek = NamedTuple("Peek", [("card", str), ("next", str | None)])


class Locate(NamedTuple):
    """Which part of the body is hurt."""

    part: str
    place: str
    card: str = ""


class Drop(NamedTuple):
    """Something falls."""

    what: Literal["weapons", "item", "hand"]
    card: str = ""


class Wound(NamedTuple):
    """What an effect does, until when. A card says when it `begins`; a cell of a table, what it came with."""

    effect: str
    until: str
    to: Sequence[str]
    by: Sequence[int]
    place: str
    card: str = ""
    begins: str | None = ""
    of: str | None = None
    same: bool | None = None
    chances: Sequence[str] | None = None
    part: str = ""
    event: str = ""
    die: str = ""
    upto: int = 0


EffectFact = CheckPassed | CheckFailed | Maybe | Grip | Peek | Locate | Drop | Wound


def chance_line(fact: Maybe | Grip) -> str:
    """A roll on which something depends, as a sentence."""
    if isinstance(fact, Grip):
        return f"Held in both hands: {fact.die} shows {fact.rolled}, and {'it falls' if fact.falls else 'it stays'}."
    verdict = "it comes about" if fact.happens else "it does not come about"
    return f"{fact.die} shows {fact.rolled}, and {showing(fact.upto)} brings more: {verdict}."

"""What effects do, as facts of the log."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Maybe = NamedTuple("Maybe", [("die", str), ("rolled", int), ("upto", int), ("happens", bool)])
Grip = NamedTuple("Grip", [("die", str), ("rolled", int), ("upto", int), ("falls", bool)])
Peek = NamedTuple("Peek", [("card", str), ("next", str | None)])


class LocateFact(NamedTuple):
    """Which part of the body is hurt."""

    part: str
    place: str
    card: str = ""


class DropFact(NamedTuple):
    """Something falls."""

    what: Literal["weapons", "item", "hand"]
    card: str = ""


class WoundFact(NamedTuple):
    """What an effect does, until when. A card says when it `begins`; a cell of a table, what it came with."""

    effect: str
    until: str
    to: Sequence[str]
    by: Sequence[int]
    place: str
    card: str = ""
    begins: str = ""
    of: str | None = None
    same: bool | None = None
    chances: Sequence[str] | None = None
    part: str = ""
    event: str = ""
    die: str = ""
    upto: int = 0
    detail: str = ""
    levels: int | None = None


EffectFact = Maybe | Grip | Peek | LocateFact | DropFact | WoundFact

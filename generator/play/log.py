"""What effects do, as facts of the log, whatever the procedure; and what all games say of it in the same words."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, assert_never

from generator.model.rules import System
from generator.words.wording import die_faces

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


def effect_line(fact: Maybe | Grip | Peek, system: System) -> str:
    """Return a roll on which something depends, or a card looked at, as a sentence."""
    match fact:
        case Maybe(die, rolled, upto, happens):
            verdict = "it comes about" if happens else "it does not come about"
            return f"{die} shows {rolled}, and {die_faces(upto)} brings more: {verdict}."
        case Grip(die, rolled, _, falls):
            return f"Held in both hands: {die} shows {rolled}, and {'it falls' if falls else 'it stays'}."
        case Peek(_, code) if code in system.cards:
            return f"The next card is {code}, {system.cards[code].name}; it stays there."
        case Peek():
            return "Look at the next card of the deck and leave it there."
        case _:
            assert_never(fact)

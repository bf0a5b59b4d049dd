"""What can happen to a character of Deadlands 1876, as facts of the log."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NamedTuple

from generator.games.deadlands.dice import Result
from generator.games.deadlands.fortune import Fortune
from generator.games.deadlands.state import Ending, Kind, TaskKind

Fallen = Literal["dead", "bleeding", "unconscious", "up"]
"""How somebody may be after the roll of the incapacitated."""


class PlainFact(Enum):
    """What is said in the same words each time."""

    BOXCARS = "Boxcars: a critical success."
    SNAKE_EYES = "Snake-eyes: a critical failure, and no chip rolls it again."
    FREE_SOAK = "A free soak roll."
    INCAPACITATED = "More than the body holds: incapacitated. Roll Vigor."
    SHAKEN = "Shaken."
    RECOVERED = "Shaken no more."
    SURVIVES = "The bleeding has stopped: alive, and unconscious."
    WAKES = "Conscious again."
    DIES = "Dead."
    HOUR = "The golden hour is over."
    DAY = "A new day."


NaturalOne = NamedTuple("NaturalOne", [("mod", int)])
Earned = NamedTuple("Earned", [("die", str)])
Chip = NamedTuple("Chip", [("reason", str), ("left", int)])
ChipUncounted = NamedTuple("ChipUncounted", [("reason", str)])
Charm = NamedTuple("Charm", [("name", str)])
Kicker = NamedTuple("Kicker", [("name", str), ("bonus", int)])
Hurts = NamedTuple("Hurts", [("card", str), ("by", int), ("trait", str)])
Grit = NamedTuple("Grit", [("grit", int)])
Nearby = NamedTuple("Nearby", [("die", str), ("lower", str)])
Damage = NamedTuple("Damage", [("dice", str), ("critical", bool), ("total", int)])
Unnerved = NamedTuple("Unnerved", [("check", str), ("follows", str)])
Luck = NamedTuple("Luck", [("card", str), ("named", Sequence[str]), ("result", Fortune)])
Fate = NamedTuple("Fate", [("card", str), ("target", int | str)])
Action = NamedTuple("Action", [("card", str)])
Joker = NamedTuple("Joker", [("plus", int), ("black", bool)])
Burn = NamedTuple("Burn", [("name", str), ("card", str), ("says", str), ("instead", str | None)])
Round = NamedTuple("Round", [("all", bool)])


class Roll(NamedTuple):
    """What the dice come to, and what that means."""

    die: str
    shows: int
    faces: Sequence[int]
    wild: str | None
    wild_shows: int | None
    wild_faces: Sequence[int]
    mod: int
    result: Result
    total: int
    target: int
    raises: int


Further = NamedTuple("Further", [("wounds", int)])
Soak = NamedTuple("Soak", [("free", int), ("wounds", int)])
Soaked = NamedTuple("Soaked", [("gone", int), ("left", int)])
Wounds = NamedTuple("Wounds", [("taken", int), ("wounds", int), ("levels", int)])
WoundsSet = NamedTuple("WoundsSet", [("wounds", int), ("levels", int)])
Slain = NamedTuple("Slain", [("who", Literal["extra", "face_card"])])
StillShaken = NamedTuple("StillShaken", [("natural", bool)])
Falls = NamedTuple("Falls", [("result", Result), ("standing", Fallen), ("levels", int)])
Injury = NamedTuple("Injury", [("card", str), ("permanent", bool), ("bleeding", bool)])
Unhurt = NamedTuple("Unhurt", [("card", str)])
LostPart = NamedTuple("LostPart", [("card", str), ("part", str), ("place", str)])
Days = NamedTuple("Days", [("days", int), ("whole", int), ("die", str)])
Mended = NamedTuple("Mended", [("card", str)])
Untreated = NamedTuple("Untreated", [("critical", bool)])
Treated = NamedTuple("Treated", [("mended", int), ("wounds", int | None)])
Natural = NamedTuple("Natural", [("mended", int), ("wounds", int)])
Medicine = NamedTuple("Medicine", [("plus", int)])
Over = NamedTuple("Over", [("card", str)])
Chips = NamedTuple("Chips", [("chips", int)])
Award = NamedTuple("Award", [("token", Mapping[str, Any])])
Hole = NamedTuple("Hole", [("name", str), ("die", str)])
Marker = NamedTuple("Marker", [("name", str), ("die", str), ("lower", str | None)])
Dropped = NamedTuple("Dropped", [("name", str)])
Setback = NamedTuple("Setback", [("lost", int)])
Harm = NamedTuple("Harm", [("dice", str), ("total", int)])
Xp = NamedTuple("Xp", [("xp", int), ("rank", str), ("grit", int), ("advances", int)])
Rank = NamedTuple("Rank", [("rank", str), ("grit", int)])
Improved = NamedTuple("Improved", [("trait", str), ("die", str), ("cost", int), ("advances", int)])
Learned = NamedTuple("Learned", [("trait", str), ("die", str), ("related", str)])
Spent = NamedTuple("Spent", [("what", str), ("advances", int)])
SpentBefore = NamedTuple("SpentBefore", [("spent", int), ("advances", int), ("raised", bool), ("rank", str)])
Has = NamedTuple("Has", [("trait", str), ("die", str)])
Is = NamedTuple("Is", [("who", Kind), ("levels", int)])
Book = NamedTuple("Book", [("baseline", int), ("rolled", int), ("time", int), ("unit", str), ("language", str)])


class TaskFact(NamedTuple):
    """A roll that is repeated, as it begins."""

    task: str
    form: TaskKind
    target: int
    needs: int
    rounds: int
    successes: int
    tries: int
    harm: int
    ends: Ending


class Attempt(TaskFact):
    """The same after one more roll."""


DeadlandsFact = (
    PlainFact | NaturalOne | Earned | Chip | ChipUncounted | Charm | Kicker | Hurts | Grit | Nearby | Damage | Unnerved
    | Luck | Fate | Action | Joker | Burn | Round | Roll | Further | Soak | Soaked | Wounds | WoundsSet | Slain
    | StillShaken | Falls | Injury | Unhurt | LostPart | Days | Mended | Untreated | Treated | Natural | Medicine | Over
    | Chips | Award | Hole | Marker | Dropped | Setback | Harm | Xp | Rank | Improved | Learned | Spent | SpentBefore
    | Has | Is | Book | Attempt | TaskFact
)  # fmt: skip

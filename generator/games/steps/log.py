"""What can happen to a character under steps of the author's, as facts of the log."""

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from generator.model.formulas import Result
from generator.model.log import Told, kind_of
from generator.model.rules import KINDS
from generator.play.log import EffectFact

Number = NamedTuple("Number", [("number", str), ("by", int), ("left", int)])
Set = NamedTuple("Set", [("number", str), ("to", Result)])
Recovered = NamedTuple("Recovered", [("condition", str)])
Said = NamedTuple("Said", [("about", str), ("says", str), ("values", dict[str, Result])])
Row = NamedTuple("Row", [("table", str), ("at", str), ("column", str), ("name", str)])
Drawn = NamedTuple("Drawn", [("card", str), ("deck", str), ("face", str), ("name", str)])
LaidAside = NamedTuple("LaidAside", [("card", str), ("deck", str), ("name", str)])
Nothing = NamedTuple("Nothing", [("says", str)])
Remark = NamedTuple("Remark", [("says", str)])
Rolled = NamedTuple("Rolled", [("dice", str), ("shown", int)])
Later = NamedTuple("Later", [("condition", str), ("after", str)])
Stopped = NamedTuple("Stopped", [("condition", str), ("after", str)])
Owed = NamedTuple("Owed", [("of", str), ("place", str)])
Chance = NamedTuple("Chance", [("of", str), ("day", int)])
Saved = NamedTuple("Saved", [("of", str), ("passed", bool)])
ChanceLost = NamedTuple("ChanceLost", [("condition", str), ("left", int)])
Eased = NamedTuple("Eased", [("condition", str), ("level", int)])
Passes = NamedTuple("Passes", [("unit", str), ("times", int)])
Dies = NamedTuple("Dies", [])
Revives = NamedTuple("Revives", [])
Revealed = NamedTuple("Revealed", [("number", str), ("to", Result)])
Befalls = NamedTuple("Befalls", [("whom", str), ("event", str), ("with_", dict[str, Result])])


class Thrown(NamedTuple):
    """Dice that were thrown: what for, which, the faces of each one after the other, what they come to or how many show
    what is counted."""

    name: str
    dice: str
    shown: Sequence[Sequence[int]]
    total: int
    counts: dict[str, int]


class Chosen(NamedTuple):
    """What the player chose."""

    option: str


Piled = NamedTuple("Piled", [("card", str), ("pile", str), ("counts", int)])
Unpiled = NamedTuple("Unpiled", [("card", str), ("pile", str), ("counts", int)])


class Concealed(NamedTuple):
    """A hidden number changes, and nobody is told to what; `rolled` where dice fell for it under the cup."""

    number: str
    rolled: bool


class Ends(NamedTuple):
    """A condition is over, and why; `detail` is what it was noted with, `card` what brought it where that is kept."""

    condition: str
    place: str
    cause: str
    detail: str = ""
    card: str = ""


class Shuffled(NamedTuple):
    """The cards that are out go back into their deck: since none is left in it, or because a step says so."""

    deck: str
    asked: bool = False


class Tested(NamedTuple):
    """A check: what the die shows, and what it wants (`at_most`, `at_least` or `over` the target).

    `automatic` results pass or fail whatever the target is; `degrees` are counted where the check asks for them, and
    `added` is what it adds to the die, if it does.
    """

    name: str
    die: str
    rolled: int
    target: int
    wants: str
    passed: bool
    automatic: bool = False
    degrees: int | None = None
    added: int | None = None


class Shortened(NamedTuple):
    """Time off a condition, in units, and what is left."""

    condition: str
    place: str
    off: int
    left: int
    unit: str


CardFact = Drawn | LaidAside | Piled | Unpiled | Shuffled

OwnFact = (
    Number | Set | Said | Row | CardFact | Nothing | Remark | Rolled | Later | Stopped | Owed | Chance | Saved
    | Recovered | ChanceLost | Ends | Eased | Passes | Dies | Revives | Befalls | Tested | Shortened | Thrown | Chosen
    | Concealed | Revealed
)  # fmt: skip
"""What steps alone bring about."""
StepsFact = OwnFact | EffectFact | Told

FACTS: dict[str, Any] = {kind_of(fact): fact for fact in get_args(OwnFact) + get_args(EffectFact)}
"""Types of facts by what JSON calls them."""
HIDDEN = frozenset(entry for kind in KINDS if kind.position != "alone" for entry in kind.hides)
"""Entries that a sentence of the author's takes the place of, whichever step has it."""

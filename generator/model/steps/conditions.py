"""Effects that a character suffers, and steps that end them."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from generator.base.dice import Dice
from generator.base.fields import ConditionName, CountedName, EndedName, Id, Line, Names, PartName, StatisticName, Word
from generator.model.durations import Until
from generator.model.formulas import Formula
from generator.model.steps.base import Effect, Lasting, Reconstructed, Start, Step, Upto, Where


class Suffer(Lasting, frozen=True, tag="suffer"):
    """The character gets a condition."""

    form = "suffer {condition:name} {until:time}"
    clauses = (
        "levels {levels:formula} | after {after:span} | where {where:name} | "
        "named {detail:formula} | once recovered =begins:recovery | if alive =begins:survival | "
        "asks {asks:text} | reconstructed =reconstructed"
    )
    reads = (*Lasting.reads, "row", "detail")
    changes = (*Lasting.changes, "coming", "suffered")
    leads_to = ("condition {condition}",)

    condition: Annotated[ConditionName, Meta(description="one of the system's conditions")]
    until: Until
    begins: Start = "now"
    after: Annotated[Until, Meta(description="it begins after this time, unless you are treated first")] | None = None
    where: Where | None = None
    reconstructed: Reconstructed = False
    levels: Annotated[Formula, Meta(description="how many levels, if the condition has levels")] | None = None
    asks: Annotated[Line, Meta(description="the question for the dice of its duration")] | None = None
    detail: (
        Annotated[Formula, Meta(description="a detail, such as who did it; each detail is a separate condition")] | None
    ) = None

    @property
    def later(self) -> bool:
        """Whether it begins only in some time."""
        return self.after is not None


class Penalty(Lasting, frozen=True, tag="penalty"):
    """Lowers statistics or rolls."""

    form = "penalty {by:dice} to ?{each=each of} {to:names} {until:time}"
    clauses = (
        "per {per:name} | where {where:name} | once recovered =begins:recovery | if alive =begins:survival | "
        "reconstructed =reconstructed"
    )
    reads = (*Lasting.reads, "{per}")

    to: Annotated[tuple[StatisticName, ...], Meta(min_length=1, max_length=10, description="the system's statistics")]
    by: Annotated[Dice, Meta(description="how much: a number or dice")]
    until: Until
    each: Annotated[bool, Meta(description="dice are rolled for each statistic separately")] = False
    begins: Start = "now"
    per: (
        Annotated[
            CountedName, Meta(description="once per point of this statistic, or per level of the condition: level")
        ]
        | None
    ) = None
    where: Where | None = None
    reconstructed: Reconstructed = False

    @property
    def sign(self) -> int:
        """What it does to a statistic: -1, it takes from it."""
        return -1


class Bonus(Penalty, frozen=True, tag="bonus"):
    """Raises statistics or rolls."""

    form = "bonus {by:dice} to ?{each=each of} {to:names} {until:time}"

    @property
    def sign(self) -> int:
        """What it does to a statistic: 1, it adds to it."""
        return 1


class Halve(Lasting, frozen=True, tag="halve"):
    """Halves a statistic."""

    form = "halve {statistic:name} {until:time}"
    clauses = "unless {unless:name} | where {where:name}"

    statistic: StatisticName
    until: Until
    unless: Annotated[ConditionName, Meta(description="not while you have this condition")] | None = None
    where: Where | None = None


class Lose(Lasting, frozen=True, tag="lose"):
    """A part of the body is lost permanently. Rolls which part, and how much of it."""

    form = "lose {part:name}"
    luck = ("dice",)

    part: Annotated[PartName, Meta(description="one of the system's parts")]


class Risk(Lasting, frozen=True, tag="risk"):
    """Attempts of one kind may fail: roll each time."""

    form = "risk {of:name} if {die:dice} <= {upto:number} {until:time}"

    of: Annotated[StatisticName, Meta(description="the statistic whose use may fail")]
    die: Dice
    upto: Upto
    until: Until


class Drop(Effect, frozen=True, tag="drop"):
    """The character drops something. With a die, a thing held in both hands falls only on `upto` or less."""

    form = "drop {what:name}"
    clauses = "if {die:dice} <= {upto:number}"
    reads = ("hands",)

    what: Literal["weapons", "item", "hand"]
    die: Dice | None = None
    upto: Upto | None = None


class End(Step, frozen=True, kw_only=True, tag="end"):
    """Ends conditions: one, a group, or all that last until this event."""

    form = "end {condition:ended}"
    clauses = "levels {levels:formula} | of {card:formula} | cause {cause:name} | chosen {chosen:formula} | here =here"
    reads = ("conditions", "coming", "saves", "place")
    changes = ("conditions", "coming", "saves")
    leads_to = ("conditions",)
    entries = ("ends", "stopped", "eased")
    hides = ("ends",)

    condition: Annotated[EndedName, Meta(description="one of the system's conditions")] | None = None
    group: Annotated[Id, Meta(description="all conditions of this group"), Names("group")] | None = None
    ending: (
        Annotated[
            Word | Annotated[tuple[Word, ...], Meta(min_length=1, max_length=20)],
            Meta(description="all that last until this, or until one of these"),
            Names("end"),
        ]
        | None
    ) = msgspec.field(default=None, name="until")
    card: Annotated[Formula, Meta(description="only what this card left; refused if there is nothing")] | None = None
    coming: (
        Annotated[ConditionName, Meta(description="a condition that has not begun yet, and now will not")] | None
    ) = None
    cause: (
        Annotated[Id, Meta(description="the cause, for its `ends` (by default the event)"), Names("cause")] | None
    ) = None
    levels: Annotated[Formula, Meta(description="how many levels (all by default)")] | None = None
    chosen: Annotated[Formula, Meta(description="only one, by its number; all if unknown")] | None = None
    here: Annotated[bool, Meta(description="only those at the part that is hurt")] = False


class Die(Step, frozen=True, kw_only=True, tag="die"):
    """The character dies; nothing more happens."""

    form = "die"
    prints = "you die"
    reads = ("conditions",)
    changes = ("death",)
    entries = hides = ("dies",)


class Revive(Step, frozen=True, kw_only=True, tag="revive"):
    """Brings a dead character back, in an event with `dead: true`."""

    form = "revive"
    prints = "you live again"
    reads = ("death",)
    changes = ("life",)
    entries = hides = ("revives",)

"""Steps that decide which others run: conditions, choices, repetition, and calls of other events."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from generator.base.dice import Dice
from generator.base.fields import EventName, Id, Line
from generator.model.durations import Until
from generator.model.formulas import Formula
from generator.model.steps.base import Does, Effect, Step
from generator.model.steps.conditions import End, Suffer

if TYPE_CHECKING:
    from generator.model.steps import AnyEffect


class When(Step, frozen=True, kw_only=True, tag="when"):
    """Runs steps if something holds, others if not."""

    form = "if {holds:formula}"
    block = "then else"
    position = "before"

    holds: Formula
    then: Does = ()
    otherwise: Does = msgspec.field(default=(), name="else")

    @property
    def chance(self) -> tuple[Dice, int] | None:
        """The die, and the highest face that runs the steps, of `if d10 <= 3`; None of any other."""
        tree = self.holds.tree
        die, upto = (part.about for part in tree.parts) if tree.kind == "<=" else (None, None)
        if self.otherwise or not isinstance(die, Dice) or not isinstance(upto, int):
            return None
        return (die, upto) if die.count == 1 and not die.plus else None


Watches = tuple[When, ...]
"""What follows every event."""


def as_soon_as(holds: Formula, does: "tuple[AnyEffect, ...]") -> When:
    """Return what follows an event after which something holds."""
    return When(holds=holds, then=does)


def held_while(condition: str, holds: Formula) -> When:
    """Return what begins and ends a condition that is held while something holds: it lasts until itself."""
    return When(
        holds=holds,
        then=(When(holds=Formula(f"not has({condition})"), then=(Suffer(condition, Until(condition)),)),),
        otherwise=(When(holds=Formula(f"has({condition})"), then=(End(condition=condition),)),),
    )


class AsLong(Step, frozen=True, kw_only=True, tag="as_long"):
    """Runs steps once, and again as long as something holds."""

    form = "as long as {holds:formula}"
    clauses = "at most {most:formula} times"
    block = "steps"
    position = "before"

    holds: Formula
    do_: Annotated[Does, Meta(min_length=1)] = msgspec.field(name="steps")
    most: Annotated[Formula, Meta(description="the maximum number of times (100 by default)")] | None = None


class Loop(Step, frozen=True, kw_only=True, tag="loop"):
    """Runs steps so many times."""

    form = "repeat {times:formula} times"
    block = "steps"
    position = "before"

    times: Annotated[Formula, Meta(description="how many times: 0 to 100")]
    do_: Annotated[Does, Meta(min_length=1)] = msgspec.field(name="steps")


class Choose(Step, frozen=True, kw_only=True, tag="choose"):
    """The player chooses. With only one option left, nobody is asked."""

    form = "choose"
    prints = "choose: {options}"
    block = "options"
    luck = ("choose",)
    entries = ("chosen",)
    position = "before"

    options: Annotated[
        dict[Line, Does], Meta(min_length=2, max_length=12, description="the options, each with its steps")
    ]
    only: Annotated[
        dict[Line, Formula], Meta(max_length=12, description="options that are offered only if this holds")
    ] = msgspec.field(default_factory=dict)


class OneOf(Effect, frozen=True, tag="one_of"):
    """One of several effects, all equally likely."""

    form = "one of"
    block = "effects"
    luck = ("dice",)

    effects: Annotated[tuple["AnyEffect", ...], Meta(min_length=2, max_length=20)]


Arguments = Annotated[dict[Id, Formula], Meta(max_length=12, description="its arguments by name", extra_json_schema={})]


class Call(Step, frozen=True, kw_only=True, tag="call"):
    """Runs the steps of another event."""

    form = "{event:name} {with:arguments}"
    prints = "resolve {event}"
    reads = ("place", "side")
    changes = ("place", "gives {event}")
    leads_to = ("event {event}",)

    event: Annotated[EventName, Meta(description="one of the system's events")]
    takes: Arguments = msgspec.field(default_factory=dict, name="with")


class Befall(Step, frozen=True, kw_only=True, tag="befall"):
    """An event happens to others, each with their own dice and cards. The table is asked who."""

    form = "for {whom:name} {event:name} {with:arguments}"
    prints = "{whom} close: resolve {event}"
    leads_to = ("others {event}",)
    entries = ("befalls",)
    position = "entry"

    whom: Annotated[Literal["one", "others"], Meta(description="one other character, or everybody close")]
    event: Annotated[EventName, Meta(description="one of the system's events")]
    takes: Arguments = msgspec.field(default_factory=dict, name="with")


class Say(Step, frozen=True, kw_only=True, tag="say"):
    """Your own sentence. Its steps run, and only this sentence is printed for them."""

    block = "?steps"
    prints = "{do_}"

    do_: Does = msgspec.field(default=(), name="steps")


MAX_AGAIN = 100
"""So often steps are repeated."""

"""What a character may have: conditions, parts of the body, tracks and statistics."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.dice import Dice
from generator.base.fields import (
    EmblemName,
    Id,
    Line,
    PicturePath,
    Positive,
    QuotingLine,
    QuotingText,
    Shown,
    StatisticName,
    TableName,
    UnitName,
)
from generator.model.cards import Placement
from generator.model.durations import Until
from generator.model.formulas import Formula
from generator.model.steps import AnyEffect
from generator.model.steps.base import Does


class Track(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that the table keeps for each character."""

    name: Line
    means: QuotingText
    tokens: (
        Annotated[Line, Meta(description="the tokens that count it; red, black, blue or green are printed as chips")]
        | None
    ) = None
    most: Annotated[Positive | Id, Meta(description="the maximum on a sheet, or a number of the procedure")] | None = (
        None
    )


class Statistic(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that a penalty lowers: an ability, a kind of roll, or a group of abilities."""

    name: Line
    brief: Annotated[Line, Meta(description="the short form: Str")] | None = None
    stands_for: Annotated[tuple[StatisticName, ...], Meta(max_length=10, description="the members of a group")] = ()
    also: Annotated[tuple[Id, ...], Meta(max_length=10, description="other names that people type for it")] = ()


Recurrence = Literal["apart", "longest", "latest", "level", "here", "keep"]


class Condition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A state that a character can be in."""

    says: Annotated[Line, Meta(description='a sentence about "you" without a full stop: You cannot see')]
    brief: Annotated[Line, Meta(description="the short form: blind")] | None = None
    fails: Annotated[Line, Meta(description='the price of a failed check, after "or": pass out')] | None = None
    whole: Annotated[bool, Meta(description="it concerns the whole body; no part is named")] = False
    name: Annotated[Line, Meta(description="its name on cards and in tables: Gored")] | None = None
    runs: Annotated[Formula, Meta(description="its time passes only while this holds")] | None = None
    while_: Annotated[Formula, Meta(description="it is held while this holds after an event, and no longer")] | None = (
        msgspec.field(default=None, name="while")
    )
    waits: Annotated[bool, Meta(description="the dice of its duration can be rolled later")] = False
    implies: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come with it, in order")
    ] = ()
    chances: Annotated[
        tuple[Until, ...],
        Meta(max_length=6, description="times after which a save may end it; permanent after the last failure"),
    ] = ()
    notes: Annotated[tuple[QuotingText, ...], Meta(max_length=6, description="more sentences about it")] = ()
    short: Annotated[
        QuotingLine | None, Meta(description="the part that a sticker must have: a round's breath ends it")
    ] = None
    levels: Annotated[Positive, Meta(description="the maximum level")] | None = None
    row: Annotated[
        bool | TableName,
        Meta(description="it keeps the name of the row that brought it: true, or the table whose rows these are"),
    ] = False
    again: (
        Annotated[
            Recurrence,
            Meta(
                description="when it comes a second time: both, the longest, the latest, one level more, one level more"
                " at the same place and else both (here), or as it was"
            ),
        ]
        | None
    ) = None
    each: Annotated[dict[UnitName, Does], Meta(max_length=12, description="steps for each round, hour or day")] = {}
    ends: Annotated[
        dict[Id, Does], Meta(max_length=8, description="steps at its end, by cause: time, an event, or any")
    ] = {}
    group: Annotated[Id, Meta(description="the group that it belongs to")] | None = None
    art: Annotated[PicturePath, Meta(description="a picture where it is printed as a card")] | None = None
    placed: Placement = "window"
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None


class Extent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much of a part is lost: one step for each face of the die."""

    die: Dice
    steps: Annotated[tuple[Line, ...], Meta(min_length=2, max_length=20)]
    reconstructed: Annotated[tuple[Shown, ...], Meta(max_length=20, description="faces that no source names")] = ()


Area = Literal["head", "torso", "arm", "leg", "hand"]
"""What the figure of a sheet tells apart."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the body. With a die, roll which one: `sides`, and in each side every one of `members`."""

    name: Line
    die: Dice | None = None
    sides: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    members: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    extent: Extent | None = None
    figure: Annotated[Area | None, Meta(description="its place on a sheet's figure (by default by its name)")] = None
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None
    reconstructed: Annotated[
        bool, Meta(description="no source says which face means which; --rulings prints a dagger")
    ] = False

    @property
    def places(self) -> tuple[str, ...]:
        """One name for each face of the die."""
        if not self.members:
            return self.sides
        return tuple(f"{side} {member}" for side in self.sides for member in self.members)

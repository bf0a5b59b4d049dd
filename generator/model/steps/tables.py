"""Steps that look up rows, and the place that is hurt."""

from typing import Annotated

from msgspec import Meta

from generator.base.fields import ConditionName, Id, Line, Names, PartName, TableName
from generator.model.durations import Span
from generator.model.formulas import Formula
from generator.model.steps.base import Effect, Step


class LookUp(Step, frozen=True, kw_only=True, tag="look_up"):
    """Looks up a row of a table: by a number, a word, or the table's own die."""

    form = "look up {table:row}"
    clauses = (
        "by {by:formula} | column {column:formula} | aimed {aimed:name} | times {times:formula} | "
        "but not {but:ranges} | lasts {lasts:name} | part of {part_of:name} | asks {asks:text}"
    )
    reads = ("{aimed}", "place", "side")
    changes = ("row", "detail", "note", "met", "place")
    leads_to = ("table {table}", "aims {aimed}", "condition {lasts}")
    luck = ("dice",)
    entries = ("row", "nothing", "remark")
    position = "before"

    table: Annotated[TableName, Meta(description="a table; optional with aimed")] | None = None
    by: Annotated[Formula, Meta(description="the result or the row's name; the table's die by default")] | None = None
    column: Annotated[Formula, Meta(description="the column's name; the table's column die by default")] | None = None
    aimed: (
        Annotated[
            Id, Meta(description="an argument whose kind names the table and column"), Names("argument of a kind")
        ]
        | None
    ) = None
    asks: Annotated[Line, Meta(description="the question for its dice")] | None = None
    times: Annotated[Formula, Meta(description="how many times (once by default)")] | None = None
    but: Annotated[tuple[Span, ...], Meta(max_length=10, description="the `at` of rows that are rerolled")] = ()
    lasts: Annotated[ConditionName, Meta(description="a condition that lasts as long as the row says")] | None = None
    part_of: (
        Annotated[ConditionName, Meta(description="the row belongs to this condition, and its place is the detail")]
        | None
    ) = None


class Locate(Effect, frozen=True, tag="locate"):
    """Rolls which part of the body is hurt."""

    form = "locate {part:name}"
    reads = ("place", "side")
    changes = ("place", "detail")
    luck = ("dice",)

    part: Annotated[PartName, Meta(description="one of the system's parts")]


class Place(Step, frozen=True, kw_only=True, tag="place"):
    """Sets the part of the body that is hurt, for the steps that follow."""

    form = "place {part:formula}"
    prints = "it hits {part}"
    reads = ("side",)
    changes = ("place", "detail")
    luck = ("dice",)
    entries = hides = ("locate",)
    position = "alone"

    part: Annotated[Formula, Meta(description="a part, or unknown for none")]

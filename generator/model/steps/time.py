"""Steps with which time passes."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.base.fields import Id, UnitName
from generator.model.formulas import Formula
from generator.model.steps.base import Step


class Pass(Step, frozen=True, kw_only=True, tag="pass"):
    """Time passes: conditions act and run down, others begin."""

    form = "pass {times:amount}"

    unit: UnitName
    times: Annotated[Formula, Meta(description="how many (one by default)")] | None = None


class Shorten(Step, frozen=True, kw_only=True, tag="shorten"):
    """Takes time off conditions."""

    form = "shorten ?{which:all=all} {of:name} by {by:amount}"
    clauses = "longest =which:longest | chosen {chosen:formula} | rest next =rest:next"

    of: Annotated[Id, Meta(description="a condition or a group")]
    by: Formula
    unit: UnitName = "day"
    which: Annotated[
        Literal["longest", "chosen", "all"], Meta(description="the longest, the one numbered by `chosen`, or all")
    ] = "longest"
    chosen: Annotated[Formula, Meta(description="its number; the longest if unknown")] | None = None
    rest: Annotated[Literal["next", "lost"], Meta(description="what happens to leftover time")] = "lost"

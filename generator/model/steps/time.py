"""Steps with which time passes."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from generator.base.fields import Id, Names, UnitName
from generator.model.formulas import Formula
from generator.model.steps.base import Step


class Pass(Step, frozen=True, kw_only=True, tag="pass"):
    """Time passes: conditions act and run down, others begin."""

    form = "pass {times:amount}"
    prints = "let {unit} pass"
    reads = ("conditions", "coming", "saves", "clock")
    changes = ("conditions", "coming", "saves", "clock")
    leads_to = ("conditions",)
    luck = ("dice",)
    entries = hides = ("passes",)

    unit: UnitName
    times: Annotated[Formula, Meta(description="how many (one by default)")] | None = None


class Shorten(Step, frozen=True, kw_only=True, tag="shorten"):
    """Takes time off conditions."""

    form = "shorten ?{all=all} {of:name} by {by:amount}"
    clauses = "chosen {chosen:formula} | rest next =rest:next"
    reads = ("conditions", "saves")
    changes = ("conditions", "saves")
    leads_to = ("conditions",)
    entries = ("shortened",)

    of: Annotated[Id, Meta(description="a condition or a group"), Names("condition or group")]
    by: Formula
    unit: UnitName = "day"
    every: Annotated[bool, Meta(description="all of them, in place of the longest")] = msgspec.field(
        default=False, name="all"
    )
    chosen: Annotated[Formula, Meta(description="the number of one; the longest if unknown")] | None = None
    rest: Annotated[Literal["next", "lost"], Meta(description="what happens to leftover time")] = "lost"

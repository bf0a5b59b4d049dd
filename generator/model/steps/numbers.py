"""Steps that change numbers or name values."""

from typing import Annotated

from msgspec import Meta

from generator.base.fields import Id, Line, Names, OwnNumber
from generator.model.formulas import Formula
from generator.model.steps.base import Step


class Raise(Step, frozen=True, kw_only=True, tag="raise"):
    """Raises a number. `over` is what its bound cut off."""

    form = "{number:name} += {by:formula}"
    clauses = "no further than {most:formula}"
    reads = ("{number}",)
    changes = ("{number}", "over")
    entries = hides = ("number", "concealed")

    number: OwnNumber
    by: Formula
    most: Annotated[Formula, Meta(description="the limit")] | None = None


class Lower(Step, frozen=True, kw_only=True, tag="lower"):
    """Lowers a number. `over` is what its bound cut off."""

    form = "{number:name} -= {by:formula}"
    clauses = "no further than {least:formula}"
    reads = ("{number}",)
    changes = ("{number}", "over")
    entries = hides = ("number", "concealed")

    number: OwnNumber
    by: Formula
    least: Annotated[Formula, Meta(description="the limit")] | None = None


class SetTo(Step, frozen=True, kw_only=True, tag="set"):
    """Sets a number or a word to the value of a formula."""

    form = "{number:name} = {to:formula}"
    changes = ("{number}",)
    entries = hides = ("set", "concealed")

    number: Annotated[Id, Meta(description="one of the procedure's numbers or words"), Names("number or word")]
    to: Formula


class Let(Step, frozen=True, kw_only=True, tag="let"):
    """Names the value of a formula for the steps that follow; its dice are rolled once."""

    form = "let {name:name} = {be:formula}"
    clauses = "titled {title:text} | asks {asks:text}"
    gives = ("{name}",)
    position = "after"

    name: Id
    be: Formula
    title: Annotated[Line, Meta(description="its name on paper; without one it is not printed")] | None = None
    asks: Annotated[Line, Meta(description="the question for its dice; the title or name by default")] | None = None


class Reveal(Step, frozen=True, kw_only=True, tag="reveal"):
    """Reveals a hidden number to everybody."""

    form = "reveal {number:name}"
    prints = "{number} is revealed"
    reads = ("hidden {number}",)
    changes = ("hidden {number}",)
    entries = hides = ("revealed",)

    number: Annotated[Id, Meta(description="a hidden number"), Names("hidden number")]

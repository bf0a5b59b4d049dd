"""Steps that roll dice with names, or for steps."""

from typing import Annotated

import msgspec
from msgspec import Meta

from generator.base.fields import Id, Line
from generator.model.formulas import Formula
from generator.model.steps.base import Does, Step

FIRST = "_first"
"""After the name of a die that is thrown: its first face."""


class Throw(Step, frozen=True, kw_only=True, tag="throw"):
    """Rolls named dice. Each name is their total; with `_first` it is the first face of a single die."""

    form = "throw {dice:thrown}"
    clauses = (
        "times {many:formula} | keep {keep:formula} | lowest =lowest | aces =aces | at most {most:formula} | "
        "counting {counts:counted}"
    )
    gives = ("{dice}", "{dice}" + FIRST, "{counts}")
    luck = ("dice",)
    entries = hides = ("thrown",)

    dice: Annotated[
        dict[Id, Formula],
        Meta(min_length=1, max_length=6, description="names, each with the faces of its die; 0 means no die"),
    ]
    many: Annotated[Formula, Meta(description="dice per name (one by default)")] | None = None
    keep: Annotated[Formula, Meta(description="how many count, the highest first (all by default)")] | None = None
    lowest: Annotated[bool, Meta(description="the lowest count instead")] = False
    aces: Annotated[bool, Meta(description="a die on its highest face is rolled again and added")] = False
    most: Annotated[Formula, Meta(description="the maximum total, at which aces stop (100 by default)")] | None = None
    counts: Annotated[
        dict[Id, Annotated[int, Meta(ge=1, le=100)]],
        Meta(max_length=6, description="up to 6 names that count the dice on a face; a total only with keep"),
    ] = msgspec.field(default_factory=dict)
    titles: Annotated[dict[Id, Line], Meta(max_length=6, description="names of the dice in questions and on paper")] = (
        msgspec.field(default_factory=dict)
    )

    def title(self, name: str) -> str:
        """Return what the dice of a name are called."""
        return self.titles.get(name) or name.replace("_", " ")


class RollFor(Step, frozen=True, kw_only=True, tag="roll"):
    """Rolls dice; the result decides which steps follow."""

    form = "roll {dice:formula}"
    clauses = "asks {asks:text}"
    block = "results"
    entries = ("rolled",)

    dice: Formula
    results: Annotated[
        dict[Annotated[str, Meta(pattern=r"^-?[0-9]{1,4}(\+|-[0-9]{1,4})?$(?!\n)")], Does],
        Meta(min_length=1, max_length=30, description="steps by result: 1, 2-5 or 6+"),
    ]
    asks: Annotated[Line, Meta(description="the question for the dice")] | None = None

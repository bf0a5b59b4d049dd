"""Events of a procedure that is content: their arguments, questions for odds, and watches."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.fields import EventName, Id, Line, Number, Option, TableName, Text, Word
from generator.model.formulas import Formula
from generator.model.procedures import Need
from generator.model.steps import AnyEffect as AnyEffect  # `Does` names it
from generator.model.steps.base import Does


class Fewer(Struct, frozen=True, forbid_unknown_fields=True):
    """Where something holds of what was said before, fewer words are possible."""

    when: Formula
    of: Annotated[tuple[Option, ...], Meta(min_length=1, max_length=60)]


class Argument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an event takes: one of some words, a name, or a number."""

    says: Annotated[Line, Meta(description="a description in a few words")] | None = None
    sample: Annotated[Word, Meta(description="the example in the help: N, or one of its words")] | None = None
    fewer: Annotated[tuple[Fewer, ...], Meta(max_length=12, description="when fewer of its words are offered")] = ()
    of: Annotated[
        tuple[Option, ...], Meta(max_length=60, description="the words to choose from; without them it is a number")
    ] = ()
    one_of: Annotated[Id, Meta(description="or a kind of the procedure's aims")] | None = None
    name: Annotated[bool, Meta(description="any name, such as a helper's")] = False
    flag: Annotated[bool, Meta(description="a word that is typed or not: 1 or 0 in formulas")] = False
    die: Annotated[bool, Meta(description="a die such as d8, rolled wherever a formula names it")] = False
    card: Annotated[bool, Meta(description="a card, or one of its words")] = False
    least: Number = 1
    most: Number = 10_000
    default: (
        Annotated[Formula, Meta(description="the default; for words, the number of a word: d4 rolls among four")] | None
    ) = None
    optional: Annotated[bool, Meta(description="it can be left out and is then unknown")] = False
    when: Annotated[Formula, Meta(description="it is asked only if this holds")] | None = None


class Happening(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An event of the author's: what it takes, what it needs, and what happens, in order."""

    says: Annotated[Line, Meta(description="its text in the help: somebody binds the wound")]
    title: Annotated[Line, Meta(description="its name on paper (by default what it says)")] | None = None
    takes: Annotated[dict[Id, Argument], Meta(max_length=12)] = {}
    needs: Annotated[tuple[Need, ...], Meta(max_length=12)] = ()
    do_: Does = msgspec.field(default=(), name="do")
    until: (
        Annotated[Line, Meta(description="the end of a condition that lasts until it: until you are bandaged")] | None
    ) = None
    odds: Annotated[
        dict[Id, Formula], Meta(max_length=20, description="chances for `odds`: a name, and when it holds")
    ] = {}
    aside: Annotated[
        dict[Id, Formula], Meta(max_length=20, description="chances for the text of `odds` only, not for JSON")
    ] = {}
    labels: Annotated[dict[Id, Line], Meta(max_length=20, description="their labels in the text of `odds`")] = {}
    better: (
        Annotated[Formula, Meta(description="the value that `--policy best` maximises and `worst` minimises")] | None
    ) = None
    lists: Annotated[
        tuple[Literal["rows", "names", "conditions", "numbers", "cards", "left"], ...],
        Meta(max_length=6, description="what odds show: names are rows by name, left is the number of cards left"),
    ] = ("rows", "conditions", "numbers", "cards")
    spreads: Annotated[
        tuple[Id, ...], Meta(max_length=6, description="numbers whose values odds show for survivors")
    ] = ()
    table: Annotated[TableName, Meta(description="the only table whose rows odds show")] | None = None
    spared: Annotated[Formula, Meta(description="how many times in a hundred nothing happens")] | None = None
    alone: Annotated[bool, Meta(description="it exists for odds only")] = False
    dead: Annotated[bool, Meta(description="it can happen to the dead")] = False
    helper: Annotated[bool, Meta(description="only other events call it")] = False
    gives: Annotated[
        tuple[Id, ...], Meta(max_length=12, description="names from its `let` that the calling event knows afterwards")
    ] = ()


class Question(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What only odds are asked: that something befalls at least one of so many, by such events one after the other."""

    says: Annotated[Line, Meta(description="its text in the help")]
    event: Annotated[EventName, Meta(description="the event that happens to each")]
    each: Annotated[Id, Meta(description="the number that differs each time: 2,1")]
    counts: Annotated[Formula, Meta(description="what is counted, after the event: suffered(breakdown)")]
    name: Annotated[Id, Meta(description="the key of the answer")] = "at_least_one"
    gain: Annotated[Line, Meta(description="the label of each value: a gain of")] | None = None
    means: Annotated[Line, Meta(description="the label of the result: has broken down")] | None = None


class Watch(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """After every event: when something holds, something follows."""

    holds: Formula
    do_: Does = msgspec.field(name="do")
    says: Annotated[Text, Meta(description="your own text on paper")] | None = None

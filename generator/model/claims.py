"""Claims: statements of the source that can be recomputed."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from generator.base.dice import Dice
from generator.base.fields import (
    CardCode,
    ConditionName,
    Id,
    Line,
    Names,
    Number,
    NumberName,
    Shown,
    Small,
    TableName,
    Text,
    Word,
)
from generator.model.blocks import HowChosen, Which

CellName = Annotated[Id, Names("column", also=("first", "effects", "note"))]
Details = Annotated[dict[Id, Line], Meta(max_length=20)]
Facts = Annotated[dict[Word, Any], Meta(max_length=60)]


class Claim(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="about"):
    """Something that the source states and that can be recomputed."""

    id: Id
    says: Annotated[Text, Meta(description="what the source says, in our own words")]
    where: Annotated[Line, Meta(description="the section of the source")]
    differs: Annotated[Text, Meta(description="why the claim is known to fail")] | None = None
    computes: Annotated[Any, Meta(description="the actual result, if the claim fails")] = None


class EventClaim(Claim, frozen=True, kw_only=True, tag="event"):
    """An event on a state leads to a state."""

    event: Line
    at: Details = {}
    state: Facts = {}
    cards: Annotated[tuple[CardCode, ...], Meta(max_length=200)] = ()
    dice: Annotated[tuple[Shown, ...], Meta(max_length=400)] = ()
    choices: Annotated[tuple[Shown, ...], Meta(max_length=200)] = ()
    expect: Annotated[Facts, Meta(description="keys of the resulting state")] = {}
    log: Annotated[Facts, Meta(description="facts of the log: the last entry that has such a key")] = {}
    then: Annotated[tuple[Line, ...], Meta(max_length=12, description="events that follow, with the luck left")] = ()
    rolls: Annotated[
        tuple[Dice, ...], Meta(max_length=40, description="the dice that must be rolled, in order: [d20]")
    ] = ()


class CardClaim(Claim, frozen=True, tag="card"):
    """Cards have a value in common, as `hackjack card --json` shows it."""

    cards: Annotated[tuple[CardCode, ...], Meta(min_length=1, max_length=54)]
    expect: Facts


class TableClaim(Claim, frozen=True, tag="table"):
    """A table row holds a value: how long it lasts or its name, or what stands in a column, or its effects or note."""

    table: TableName
    at: Annotated[Number | Line, Meta(description="the number of the row, or its name")]
    expect: Text
    column: Annotated[CellName, Meta(description="one of the columns, or effects or note")] | None = None


class ConditionClaim(Claim, frozen=True, tag="condition"):
    """A condition says these sentences, word for word, among others."""

    condition: ConditionName
    expect: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=12)]


class PanelClaim(Claim, frozen=True, kw_only=True, tag="panel"):
    """A block of a panel prints these words, among others: figures that no `{number}` fills in."""

    of: Annotated[Id, Meta(description="the product: screen, reference or sheet, or one of your own")]
    panel: Annotated[Which, Meta(description="the title of its panel, or the number")]
    block: Annotated[Which, Meta(description="the title of the block, or its number on the panel")]
    expect: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=12, description="as printed, with its numbers")]


class OddsClaim(Claim, frozen=True, kw_only=True, tag="odds"):
    """A chance as `hackjack odds --json` counts it, rounded to so many decimals: 0.33 for 33 %.

    What is no chance there is given as it stands (`cards_left: 52`, `best: stand`), and of a group the chances by name:
    `score: {12: 0.08}`.
    """

    event: Line
    at: Details = {}
    state: Facts = {}
    policy: HowChosen | None = None
    expect: Annotated[dict[Word, float | Line | Annotated[dict[Word, float], Meta(max_length=60)]], Meta(max_length=60)]
    decimals: Annotated[int, Meta(ge=0, le=12)] = 2


class NumberClaim(Claim, frozen=True, tag="number"):
    """One of the procedure's numbers, or its dice."""

    number: NumberName
    expect: Number | Line


class DeckClaim(Claim, frozen=True, tag="deck"):
    """A count over the deck: how many cards, and the scores from lowest to highest."""

    cards: Small
    lowest: Small
    highest: Small


AnyClaim = EventClaim | OddsClaim | CardClaim | TableClaim | ConditionClaim | PanelClaim | NumberClaim | DeckClaim


class ClaimsFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`claims.yaml`: what the source states and the engine recomputes."""

    claims: Annotated[tuple[AnyClaim, ...], Meta(max_length=300)]

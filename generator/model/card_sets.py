"""Sets of cards to print from tables, conditions and decks."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base.fields import (
    ConditionName,
    EmblemName,
    Id,
    Line,
    PicturePath,
    QuotingLine,
    QuotingText,
    TableName,
    TrackName,
)
from generator.model.formulas import Formula

ALL = "all"
"""Instead of a group of conditions: every one that has a name."""
TAKEN = (
    "calibration",
    "combatants",
    "deck",
    "mat",
    "mixed",
    "reference",
    "reference-cards",
    "screen",
    "sheet",
    "tokens",
)
"""Names of products that no set of cards may have."""


class CardSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The source of cards: a table's rows, the cells of tables, conditions, or a deck's cards. One of these four."""

    table: TableName | None = None
    cells: (
        Annotated[
            Id | Annotated[tuple[Id, ...], Meta(min_length=1, max_length=12)],
            Meta(description="a card per result of these tables, or of the tables of these kinds"),
        ]
        | None
    ) = None
    conditions: (
        Annotated[
            Id | Annotated[tuple[Id, ...], Meta(min_length=1, max_length=200)],
            Meta(description="a list, a group, or all (those with a name)"),
        ]
        | None
    ) = None
    deck: Annotated[Id, Meta(description="a deck of decks.yaml, or deck for deck.yaml")] | None = None
    face: Annotated[Id, Meta(description="the only face of a deck to print")] | None = None


class CardBadge(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a formula comes to with what a card brings, whatever dice and saves decide: `+2 severity`."""

    number: Annotated[Formula, Meta(description="per_injury * count(injury)")]
    caption: Annotated[Line, Meta(description="the caption below the number")]


MAX_BOXES = 20
"""A card of a condition has room for so many boxes."""


class CardBoxes(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Boxes to cross off on the card of a condition."""

    label: Line
    says: Annotated[Line, Meta(description="when one is crossed off")] = "cross one off each time"
    count: Annotated[Annotated[int, Meta(ge=1, le=MAX_BOXES)] | TrackName, Meta(description="how many, or a track")]
    short: Annotated[QuotingText, Meta(description="the text of a sticker")] | None = None


class CardsOf(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A set of cards to print from other content of the system."""

    name: Annotated[Id, Meta(description="the product's name: hackjack print SYSTEM NAME")]
    from_: CardSource = msgspec.field(name="from")
    word: (
        Annotated[Line, Meta(description="the small line above the text (by default the name or the group)")] | None
    ) = None
    emblem: Annotated[EmblemName, Meta(description="the emblem of cards that have none")] | None = None
    also: Annotated[tuple[QuotingText, ...], Meta(max_length=6, description="sentences on all of them")] = ()
    brief: Annotated[QuotingLine, Meta(description="the short form for stickers")] | None = None
    blanks: Annotated[tuple[Line, ...], Meta(max_length=4, description="lines to write on")] = ()
    for_good: Annotated[bool, Meta(description="the foot says that everything on it is permanent")] = False
    emblems: Annotated[
        dict[Id, EmblemName],
        Meta(max_length=40, description="emblems of columns that are no parts of the body: {fire: burn}"),
    ] = {}
    deadly: Annotated[
        tuple[ConditionName, ...],
        Meta(max_length=20, description="conditions with a red card, besides those that kill"),
    ] = ()
    lasting: (
        Annotated[Line, Meta(description="in place of the word, for conditions that last for days or are permanent")]
        | None
    ) = None
    badge: CardBadge | None = None
    boxes: Annotated[dict[ConditionName, CardBoxes], Meta(max_length=8)] = {}
    back: Annotated[PicturePath, Meta(description="the back of these cards, in place of the system's")] | None = None

"""Cards and decks."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from generator.base.cards import order_of
from generator.base.dice import Dice
from generator.base.fields import (
    Code,
    CsvPath,
    EmblemName,
    Id,
    Line,
    Number,
    PicturePath,
    QuotingText,
    RulingName,
    Text,
)
from generator.model.durations import Until
from generator.model.steps import AnyEffect
from generator.model.steps.conditions import Lose

OwnWords = Annotated[
    Text,
    Meta(
        description="your own sentences for these effects: they name every number, die and end;"
        " {by} is a value of an effect, {2 * by} a formula"
    ),
]
Placement = Annotated[
    Literal["window", "ground", "bleed"],
    Meta(description="where its picture stands: under the text, pale behind all of it, or over the whole card"),
]


class CardFace(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of several things that a card may mean, such as what it does to those whom a sword hits."""

    name: Annotated[Line, Meta(description="what it is called here")] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()
    says: OwnWords | None = None
    note: QuotingText | None = None
    art: Annotated[PicturePath, Meta(description="a picture under the text, in the pack's folder")] | None = None


class Card(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One card of a deck and what it does."""

    code: Code
    name: Annotated[Line, Meta(description="what it is called")]
    flavour: Annotated[Line, Meta(description="one line of colour, not a rule")] | None = None
    score: Annotated[int, Meta(ge=0, le=100, description="only for a house rule; normally by rank")] | None = None
    score_on_purpose: Annotated[bool, Meta(description="the score differs from the rank's on purpose")] = False
    blood: Dice | None = None
    trauma: Annotated[int, Meta(ge=1, le=100)] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()
    says: OwnWords | None = None
    for_good: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="what it does instead as a permanent injury")
    ] = ()
    for_good_says: Annotated[OwnWords, Meta(description="your own sentences for what it does for good")] | None = None
    rulings: Annotated[tuple[RulingName, ...], Meta(max_length=8, description="the rulings about it")] = ()
    art: Annotated[PicturePath, Meta(description="a picture under its text, in the pack's folder")] | None = None
    placed: Placement = "window"
    emblem: (
        Annotated[EmblemName, Meta(description="the emblem under its text (by default of its first condition or part)")]
        | None
    ) = None
    copies: Annotated[int, Meta(ge=1, le=60, description="the number of copies in the deck")] = 1
    note: Annotated[QuotingText, Meta(description="a sentence after its effects")] | None = None
    lines: Annotated[dict[Id, Number | Line], Meta(max_length=12, description="its values for the deck's lines")] = {}
    faces: Annotated[dict[Id, CardFace], Meta(max_length=8, description="its content per face of the deck")] = {}

    @property
    def pictures(self) -> tuple[str, ...]:
        """Its pictures: its own, then those of its faces."""
        return tuple(art for art in (self.art, *(face.art for face in self.faces.values())) if art)

    def does(self, face: str = "") -> tuple[AnyEffect, ...]:
        """Return its effects for one of the deck's faces: its own, then those of the face."""
        return (*self.effects, *(self.faces[face].effects if face in self.faces else ()))

    @property
    def permanent(self) -> bool:
        """Whether anything of it stays for good."""
        return any(is_permanent(effect) for effect in self.effects)


def is_permanent(effect: AnyEffect) -> bool:
    """Return whether an effect stays for good."""
    until: Until | None = getattr(effect, "until", None)
    return isinstance(effect, Lose) or (until is not None and until.word == "permanent")


class Deck(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A deck of cards, in any order."""

    title: Line
    reconstructed: Annotated[bool, Meta(description="no source gives these cards; --rulings prints a dagger")] = False
    returns: Annotated[bool, Meta(description="a card that is drawn goes back at once")] = False
    back: Annotated[PicturePath, Meta(description="the back of its cards, in place of the system's")] | None = None
    faces: Annotated[
        dict[Id, Line], Meta(max_length=8, description="the faces of its cards, such as kinds of damage, with titles")
    ] = {}
    lines: Annotated[
        dict[Id, Line], Meta(max_length=12, description="values printed line by line, each with its label")
    ] = {}
    csv: Annotated[CsvPath, Meta(description="cards from a spreadsheet, besides those here")] | None = None
    headings: Annotated[
        dict[Line, Line | None], Meta(max_length=60, description="other names of that file's columns; null skips one")
    ] = {}
    cards: Annotated[tuple[Card, ...], Meta(max_length=200)] = ()

    @property
    def in_order(self) -> tuple[Card, ...]:
        """The cards as in a new deck: suit by suit, ace to king, jokers last."""
        return tuple(sorted(self.cards, key=lambda card: order_of(card.code)))


class OwnDeck(Deck, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of several decks: its cards have codes of their own."""

    id: Id

"""The files of a pack."""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Literal

from msgspec import Meta, Struct

from generator.base.fields import (
    Colour,
    Id,
    Line,
    Option,
    PicturePath,
    QuotingLine,
    QuotingText,
    SignName,
    Text,
    ThemeName,
    Word,
)
from generator.base.late import LateMapping
from generator.model.card_sets import CardsOf
from generator.model.cards import Deck, OwnDeck
from generator.model.conditions import Condition, Part, Statistic, Track
from generator.model.events import Happening, Question, Watch
from generator.model.procedures import AnyProcedure
from generator.model.tables import Table
from generator.model.themes import BackPattern


class Source(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the rules come from."""

    title: Line
    author: Line
    licence: Text
    inspired_by: Line | None = None


class Suit(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One suit and its character."""

    id: Literal["C", "S", "D", "H"]
    name: Line
    character: Annotated[Line, Meta(description="one word, printed in small capitals")]
    means: Text
    pattern: (
        Annotated[
            Literal["earth", "blow", "facets", "vessels"],
            Meta(description="of the windows of its cards; the pattern of their back if left out"),
        ]
        | None
    ) = None


class Art(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Pictures of the pack's own, in place of ours: PNG, JPEG or WebP files in its folder."""

    back: Annotated[PicturePath, Meta(description="the back of all cards, cut to their shape with bleed")] | None = None
    medallion: (
        Annotated[
            PicturePath, Meta(description="in the middle of the backs that are ours, twice: the second is turned")
        ]
        | None
    ) = None
    suits: Annotated[
        dict[Literal["C", "S", "D", "H"], PicturePath],
        Meta(max_length=4, description="the suits' signs on the cards, by their letters"),
    ] = {}


class BackDesign(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What tells the back of a set of cards from others, where no picture covers it. What is left out is chosen."""

    pattern: Annotated[BackPattern, Meta(description="the pattern")] | None = None
    colour: (
        Annotated[Colour, Meta(description="of its ground, in themes that do not choose one; dark, for light lines")]
        | None
    ) = None
    title: Annotated[Word, Meta(description="in its medallion; the system's title if left out")] | None = None
    emblem: Annotated[SignName, Meta(description="in its medallion, twice; a knife and a bone if left out")] | None = (
        None
    )


class Switch(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A choice between readings of a rule. The first line of each option says what it does."""

    name: Id
    default: Option
    options: Annotated[dict[Option, QuotingText], Meta(min_length=2, max_length=6)]


class Ruling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the project reads one point of the source."""

    id: Annotated[str, Meta(pattern=r"^[A-Z]{1,2}[0-9]{1,3}$(?!\n)")]
    point: QuotingLine
    source: Text
    ours: QuotingText
    switch: Switch | None = None


VERSION = r"^[0-9]{1,6}(\.[0-9]{1,6}){1,2}$(?!\n)"
"""Of content, and of the program: two or three numbers."""


class SystemFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`system.yaml`: what a system is, apart from its cards, tables and claims."""

    id: Id
    extends: Annotated[Id, Meta(description="the system that it changes; everything else stays as there")] | None = None
    title: Annotated[Line, Meta(description="its title")]
    version: Annotated[str, Meta(pattern=VERSION, description="the content's own version")]
    needs: (
        Annotated[str, Meta(pattern=VERSION, description="the oldest version of Hackjack that can read it")] | None
    ) = None
    about: Annotated[QuotingText, Meta(description="a description in a sentence or two")]
    source: Source
    procedure: AnyProcedure
    suits: Annotated[tuple[Suit, ...], Meta(max_length=4)] = ()
    tracks: Annotated[dict[Id, Track], Meta(max_length=20)] = {}
    statistics: Annotated[dict[Id, Statistic], Meta(max_length=60)] = {}
    conditions: Annotated[dict[Id, Condition], Meta(max_length=200)] = {}
    parts: Annotated[dict[Id, Part], Meta(max_length=60)] = {}
    rulings: Annotated[tuple[Ruling, ...], Meta(max_length=100)] = ()
    art: Art | None = None
    theme: Annotated[ThemeName, Meta(description="the theme of everything printed")] | None = None
    backs: Annotated[
        dict[Word, BackDesign], Meta(max_length=40, description="backs of sets of cards, by name, such as deck")
    ] = {}
    events: Annotated[dict[Id, Happening], Meta(max_length=60, description="events, for the kind steps")] = {}
    watches: Annotated[tuple[Watch, ...], Meta(max_length=20)] = ()
    questions: Annotated[
        dict[Id, Question], Meta(max_length=20, description="questions for odds only, for the kind steps")
    ] = {}
    cards: Annotated[
        tuple[CardsOf, ...], Meta(max_length=20, description="tables, conditions and decks to print as cards")
    ] = ()


class DeckFile(Deck, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`deck.yaml`: the cards."""


class DecksFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`decks.yaml`: decks of any cards."""

    decks: Annotated[
        tuple[OwnDeck, ...], Meta(min_length=1, max_length=12, description="a list of decks, each with an id")
    ]


class TablesFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tables.yaml`: the tables."""

    tables: Annotated[tuple[Table, ...], Meta(max_length=60)]


MIXED = "mixed"
"""The product of `mixed.yaml`."""
PANELS = ("screen", "sheet", "reference")
"""Products of panels that have a page of their own kind: each is a YAML file of that name."""
PANELS_ENDING = ".panels.yaml"
"""Ending of the files of other products of panels: "handout.panels.yaml" is the product "handout"."""


_TYPES = {
    "system.yaml": "pack_files.SystemFile",
    "deck.yaml": "pack_files.DeckFile",
    "decks.yaml": "pack_files.DecksFile",
    "tables.yaml": "pack_files.TablesFile",
    "claims.yaml": "claims.ClaimsFile",
    "combatants.yaml": "combatants.CombatantsFile",
    "tokens.yaml": "printed_files.TokensFile",
    "screen.yaml": "blocks.PanelsFile",
    "sheet.yaml": "blocks.PanelsFile",
    "reference.yaml": "blocks.PanelsFile",
    "theme.yaml": "themes.Theme",
    "page.yaml": "page.PageFile",
    "mixed.yaml": "printed_files.MixedFile",
}
"""The types of files, by their names."""


def _file_kind(name: str) -> type[Struct]:
    """Return the type of a file; what most commands read nothing of is not loaded before it is asked for."""
    module, _, kind = _TYPES[name].partition(".")
    file_type: type[Struct] = getattr(import_module(f"generator.model.{module}"), kind)
    return file_type


FILE_KINDS: Mapping[str, type[Struct]] = LateMapping(_TYPES, _file_kind)

"""The nouns of a system of injuries, as frozen values without behaviour.

A card's rules are a list of effects from the closed vocabulary below; each has one meaning in the engine and one
sentence in `wording`. The descriptions given here become the hover texts of the JSON Schema that editors read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, inspect

from generator.base.cards import order_of, rank_of, suit_of
from generator.base.dice import Dice
from generator.base.emblem_names import is_picture
from generator.base.errors import HackjackError
from generator.base.fields import (
    CardCode,
    Code,
    Colour,
    ColumnName,
    ConditionName,
    CsvPath,
    EmblemName,
    EventName,
    Id,
    Line,
    Names,
    Number,
    NumberName,
    Option,
    PicturePath,
    Positive,
    QuotingLine,
    QuotingText,
    RulingName,
    Shown,
    SignName,
    Small,
    StatisticName,
    TableName,
    Text,
    ThemeName,
    TrackName,
    UnitName,
    Word,
)
from generator.base.sentences import unit_of
from generator.model import procedures
from generator.model.blocks import ChancesBlock, HowChosen, OddsBlock, Panel, PanelsFile, ProductOf, Which
from generator.model.blocks import Rulings as RulingsBlock
from generator.model.combatants import Combatant, CombatantsFile
from generator.model.durations import *
from generator.model.durations import MINUTES
from generator.model.formulas import Formula
from generator.model.page import EMPTY, PageFile
from generator.model.procedures import Aim, AnyProcedure, Field, Need, Retelling
from generator.model.procedures import Steps as StepsProcedure
from generator.model.steps import *
from generator.model.steps.base import *
from generator.model.steps.cards import *
from generator.model.steps.conditions import *
from generator.model.steps.dice import *
from generator.model.steps.flow import *
from generator.model.steps.numbers import *
from generator.model.steps.saves import *
from generator.model.steps.tables import *
from generator.model.steps.time import *
from generator.model.themes import PLAIN, BackPattern, Theme

# --- cards and tables ----------------------------------------------------------------------------------------------


Placement = Annotated[
    Literal["window", "ground", "bleed"],
    Meta(description="where its picture stands: under the text, pale behind all of it, or over the whole card"),
]


OwnWords = Annotated[
    Text,
    Meta(
        description="your own sentences for these effects: they name every number, die and end;"
        " {by} is a value of an effect, {2 * by} a formula"
    ),
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


Cell = Number | QuotingLine | Annotated[tuple[AnyEffect, ...], Meta(max_length=12)]
"""What stands in a column of a row: a number, a word, or what happens."""


class NamedCell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A cell that is a result of its own: its name, and what happens, in your own words if you like."""

    name: Annotated[Line, Meta(description="what it is called on cards and in the log")] | None = None
    emblem: Annotated[EmblemName, Meta(description="its emblem where it is printed as a card")] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()
    says: OwnWords | None = None


class Column(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One column of a table."""

    title: Line
    at: Annotated[Span, Meta(description="the faces of the table's column die that lead here")] | None = None


class Row(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a table: looked up by a number (`at`) or by its name."""

    at: Annotated[Span, Meta(description="the results that it covers: 3, 1-4 or 13+")] | None = None
    name: Annotated[Line, Meta(description="its name, in a word or two")] | None = None
    lasts: Annotated[Until, Meta(description="a span of time, dice allowed: 2d6 weeks")] | None = None
    written_cells: Annotated[
        dict[ColumnName, Cell | NamedCell], Meta(max_length=20, description="the content of each column")
    ] = msgspec.field(default_factory=dict, name="cells")
    effects: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects in each column without a cell")
    ] = ()
    says: OwnWords | None = None
    note: QuotingText | None = None
    reconstructed: Annotated[bool, Meta(description="no source gives it; --rulings prints a dagger")] = False
    art: Annotated[PicturePath, Meta(description="a picture where it is printed as a card")] | None = None
    placed: Placement = "window"
    emblem: Annotated[EmblemName, Meta(description="its emblem where it is printed as a card")] | None = None

    @property
    def cells(self) -> dict[str, Cell]:
        """What stands in each column, without its name."""
        return {name: self.cell(name) for name in self.written_cells}

    def cell(self, column: str) -> Cell:
        """Return the effects in a column: the cell of its own, or else what the row does in all of them."""
        cell = self.written_cells.get(column, self.effects)
        return cell.effects if isinstance(cell, NamedCell) else cell

    def named_cell(self, column: str) -> NamedCell | None:
        """Return the cell of a column if it has a name of its own."""
        cell = self.written_cells.get(column)
        return cell if isinstance(cell, NamedCell) and cell.name else None

    def own_words(self, column: str) -> str:
        """Return the author's words for a column: those of its cell, or else the row's; empty without any."""
        cell = self.written_cells.get(column)
        if cell is None:
            return self.says or ""
        return (cell.says or "") if isinstance(cell, NamedCell) else ""

    @property
    def named_cells(self) -> Iterator[NamedCell]:
        """The cells that have names of their own."""
        return (cell for name in self.written_cells if (cell := self.named_cell(name)))


DIGITS: Mapping[Span, str] = {Span(11, 66): "10 * d6 + d6", Span(111, 666): "100 * d6 + 10 * d6 + d6"}
"""The results of two or three six-sided dice read as digits, and their formula; no other digit occurs in a table."""


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Results, looked up by a number or by a name."""

    id: Id
    title: Line
    by: Annotated[TrackName, Meta(description="the track for looking up rows")] | None = None
    roll: Annotated[Dice, Meta(description="the die for a row")] | None = None
    column_roll: Annotated[Dice, Meta(description="the die that chooses the column")] | None = None
    covers: (
        Annotated[Span, Meta(description="all the results that the rows must cover, without gap or overlap")] | None
    ) = None
    names: Annotated[Line, Meta(description="the heading above the names of its rows")] | None = None
    columns: Annotated[dict[Id, Column], Meta(max_length=20)] = {}
    every: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come first on every row")
    ] = ()
    rows: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=200)]
    note: QuotingText | None = None
    rulings: Annotated[tuple[RulingName, ...], Meta(max_length=8, description="the rulings about it")] = ()

    def row(self, result: int) -> Row | None:
        """Return the row that covers a result."""
        return next((row for row in self.rows if row.at is not None and result in row.at), None)

    def named(self, name: str) -> Row | None:
        """Return the row of that name, ignoring case."""
        return next((row for row in self.rows if row.name and row.name.casefold() == name.casefold()), None)

    def result_named(self, name: str) -> Row | NamedCell | None:
        """Return the row of that name, or else the cell."""
        cells = (cell for row in self.rows for cell in row.named_cells)
        named = (cell for cell in cells if cell.name and cell.name.casefold() == name.casefold())
        return self.named(name) or next(named, None)

    def chances(self) -> dict[int, Fraction]:
        """Return every total that is rolled for a row, with its exact chance; nothing if no dice decide."""
        if self.roll is not None:
            return self.roll.chances()
        dice = self.digits.count("d6")
        totals = [int("".join(shown)) for shown in product("123456", repeat=dice) if dice]
        return dict.fromkeys(totals, Fraction(1, max(1, len(totals))))

    @property
    def digits(self) -> str:
        """The formula of the dice that choose a row where they are read as digits, otherwise an empty text."""
        return "" if self.roll or self.by or self.covers is None else DIGITS.get(self.covers, "")

    @property
    def key(self) -> str:
        """What a row is looked up by: the track, or `roll` where dice decide, or `name`."""
        return self.by or ("roll" if self.covers else "name")


# --- the system ----------------------------------------------------------------------------------------------------


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


class Track(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that the table keeps for each character."""

    name: Line
    means: QuotingText
    tokens: (
        Annotated[Line, Meta(description="the tokens that count it; red, black, blue or green are printed as chips")]
        | None
    ) = None
    most: Annotated[Positive | Id, Meta(description="the maximum on a sheet, or a number of the procedure")] | None = (
        None
    )


class Statistic(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that a penalty lowers: an ability, a kind of roll, or a group of abilities."""

    name: Line
    brief: Annotated[Line, Meta(description="the short form: Str")] | None = None
    stands_for: Annotated[tuple[StatisticName, ...], Meta(max_length=10, description="the members of a group")] = ()
    also: Annotated[tuple[Id, ...], Meta(max_length=10, description="other names that people type for it")] = ()


Again_ = Literal["apart", "longest", "latest", "level", "here", "keep"]


class Condition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A state that a character can be in."""

    says: Annotated[Line, Meta(description='a sentence about "you" without a full stop: You cannot see')]
    brief: Annotated[Line, Meta(description="the short form: blind")] | None = None
    fails: Annotated[Line, Meta(description='the price of a failed check, after "or": pass out')] | None = None
    whole: Annotated[bool, Meta(description="it concerns the whole body; no part is named")] = False
    name: Annotated[Line, Meta(description="its name on cards and in tables: Gored")] | None = None
    runs: Annotated[Formula, Meta(description="its time passes only while this holds")] | None = None
    waits: Annotated[bool, Meta(description="the dice of its duration can be rolled later")] = False
    implies: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come with it, in order")
    ] = ()
    chances: Annotated[
        tuple[Until, ...],
        Meta(max_length=6, description="times after which a save may end it; permanent after the last failure"),
    ] = ()
    notes: Annotated[tuple[QuotingText, ...], Meta(max_length=6, description="more sentences about it")] = ()
    short: Annotated[
        QuotingLine | None, Meta(description="the part that a sticker must have: a round's breath ends it")
    ] = None
    levels: Annotated[Positive, Meta(description="the maximum level")] | None = None
    row: Annotated[
        bool | TableName,
        Meta(description="it keeps the name of the row that brought it: true, or the table whose rows these are"),
    ] = False
    again: (
        Annotated[
            Again_,
            Meta(
                description="when it comes a second time: both, the longest, the latest, one level more, one level more"
                " at the same place and else both (here), or as it was"
            ),
        ]
        | None
    ) = None
    each: Annotated[dict[UnitName, Does], Meta(max_length=12, description="steps for each round, hour or day")] = {}
    ends: Annotated[
        dict[Id, Does], Meta(max_length=8, description="steps at its end, by cause: time, an event, or any")
    ] = {}
    group: Annotated[Id, Meta(description="the group that it belongs to")] | None = None
    art: Annotated[PicturePath, Meta(description="a picture where it is printed as a card")] | None = None
    placed: Placement = "window"
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None


class Extent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much of a part is lost: one step for each face of the die."""

    die: Dice
    steps: Annotated[tuple[Line, ...], Meta(min_length=2, max_length=20)]
    reconstructed: Annotated[tuple[Shown, ...], Meta(max_length=20, description="faces that no source names")] = ()


Area = Literal["head", "torso", "arm", "leg", "hand"]
"""What the figure of a sheet tells apart."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the body. With a die, roll which one: `sides`, and in each side every one of `members`."""

    name: Line
    die: Dice | None = None
    sides: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    members: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    extent: Extent | None = None
    figure: Annotated[Area | None, Meta(description="its place on a sheet's figure (by default by its name)")] = None
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None
    reconstructed: Annotated[
        bool, Meta(description="no source says which face means which; --rulings prints a dagger")
    ] = False

    @property
    def places(self) -> tuple[str, ...]:
        """One name for each face of the die."""
        if not self.members:
            return self.sides
        return tuple(f"{side} {member}" for side in self.sides for member in self.members)


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


# --- events of a procedure that is content ---------------------------------------------------------------------------


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


# --- claims --------------------------------------------------------------------------------------------------------


CellName = Annotated[Id, Names("column", also=("effects", "note"))]
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

# --- cards of anything ---------------------------------------------------------------------------------------------


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


# --- files and the whole -------------------------------------------------------------------------------------------


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


class ClaimsFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`claims.yaml`: what the source states and the engine recomputes."""

    claims: Annotated[tuple[AnyClaim, ...], Meta(max_length=300)]


class HandOut(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to print for a player: a luck charm, burn card, hole card, kicker or connection marker."""

    kind: Literal["charm", "burn", "hole", "kicker", "marker"]
    name: Annotated[Line, Meta(description="its name; for a marker, who owes the favour")] | None = None
    die: Annotated[Dice, Meta(description="of a hole card or a marker")] | None = None
    bonus: Annotated[int, Meta(ge=1, le=20, description="of a kicker")] | None = None
    trait: Annotated[Line, Meta(description="the only trait it can be used for")] | None = None
    card: Annotated[str, Meta(min_length=2, max_length=3, description="of a burn card: KH")] | None = None
    says: Annotated[Line, Meta(description="a further rule, or where it came from")] | None = None
    copies: Annotated[int, Meta(ge=1, le=20)] = 1


class TokensFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tokens.yaml`: tokens to hand out; without it they are printed blank."""

    tokens: Annotated[tuple[HandOut, ...], Meta(min_length=1, max_length=200)]


class TakenCard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A card of another system, with the back that it has there."""

    from_: ProductOf = msgspec.field(name="from")
    card: Annotated[Word, Meta(description="its code")]
    copies: Annotated[int, Meta(ge=1, le=1000)] = 1


MIXED = "mixed"
"""The product of `mixed.yaml`."""


class MixedFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`mixed.yaml`: cards of any systems, to print on the same sheets."""

    title: Line = "Mixed cards"
    cards: Annotated[tuple[TakenCard, ...], Meta(min_length=1, max_length=400)]


PANELS = ("screen", "sheet", "reference")
"""Products of panels that have a page of their own kind: each is a YAML file of that name."""
PANELS_ENDING = ".panels.yaml"
"""Ending of the files of other products of panels: "handout.panels.yaml" is the product "handout"."""

FILE_KINDS: dict[str, type[Struct]] = {
    "system.yaml": SystemFile,
    "deck.yaml": DeckFile,
    "decks.yaml": DecksFile,
    "tables.yaml": TablesFile,
    "claims.yaml": ClaimsFile,
    "combatants.yaml": CombatantsFile,
    "tokens.yaml": TokensFile,
    "screen.yaml": PanelsFile,
    "sheet.yaml": PanelsFile,
    "reference.yaml": PanelsFile,
    "theme.yaml": Theme,
    "page.yaml": PageFile,
    "mixed.yaml": MixedFile,
}


@dataclass(frozen=True)
class System:
    """A whole system: its files put together, and the house rules in force (`settings`, by switch name).

    `others` are the systems, by name, that it takes cards and blocks from.
    `usual` is the procedure of the lowest system that it extends, against which changed numbers are told.
    `folder` is where its pictures lie, `below` are the folders of the systems that it extends, the nearest first.
    `inherited` are the claims, by id, of the system that it extends: they speak of that one's source.
    If it is `mended`, stand-ins take the place of what is wrong in it, and nothing tells what it uses.
    `at_table` is the state of a session, as plain data, whose cards are printed with what is written on them.
    `played` is what its files say of play, whatever settings are in force, as JSON; empty for what is no pack.
    """

    head: SystemFile
    deck: Deck | None
    tables: tuple[Table, ...]
    claims: tuple[AnyClaim, ...]
    panels: tuple[tuple[str, PanelsFile], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    usual: AnyProcedure | None = None
    combatants: tuple[Combatant, ...] = ()
    tokens: tuple[HandOut, ...] = ()
    folder: Path | None = None
    below: tuple[Path, ...] = ()
    inherited: frozenset[str] = frozenset()
    mended: bool = False
    decks: tuple[OwnDeck, ...] = ()
    played: bytes = b""
    theme: Theme = PLAIN
    page: PageFile = EMPTY
    mixed: MixedFile | None = None
    others: Mapping[str, "System"] = field(default_factory=dict, hash=False)
    at_table: Mapping[str, Any] = field(default_factory=dict, hash=False)
    shows_rulings: bool = False

    @cached_property
    def annotated(self) -> "System":
        """The same with rulings, sources and reconstructed values marked on paper; players need none of these."""
        others = {name: replace(other, shows_rulings=True) for name, other in self.others.items()}
        return replace(self, others=others, shows_rulings=True)

    @cached_property
    def checksum(self) -> str:
        """A checksum of what is played; empty for what is no pack."""
        # Only here, because most commands keep no journal and should start fast.
        from hashlib import sha256

        return sha256(self.played).hexdigest()[:16] if self.played else ""

    def all_effects(self) -> Iterator[AnyEffect]:
        """Yield every effect in the content, those inside others last, so that whole entries come first."""
        entries: list[tuple[AnyEffect, ...]] = []
        for deck in self.piles.values():
            for card in deck.cards:
                entries += [card.effects, card.for_good, *(face.effects for face in card.faces.values())]
        for condition in self.head.conditions.values():
            entries += [condition.implies, *condition.each.values(), *condition.ends.values()]
        entries += [event.do_ for event in self.head.events.values()]
        entries += [watch.do_ for watch in self.head.watches]
        for table in self.tables:
            entries.append(table.every)
            for row in table.rows:
                entries += [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
        yield from (effect for entry in entries for effect in entry)
        yield from (effect for entry in entries for trail, effect in walk_effects(entry) if len(trail) > 1)

    @cached_property
    def ready(self) -> dict[Any, Any]:
        """Return what has been made ready for questions about this system, each by its maker's key."""
        return {}

    @cached_property
    def switches(self) -> dict[str, Switch]:
        """Every switch by its name."""
        return {ruling.switch.name: ruling.switch for ruling in self.head.rulings if ruling.switch}

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The deck's cards by code."""
        return {card.code: card for card in self.deck.cards} if self.deck else {}

    @cached_property
    def piles(self) -> dict[str, Deck]:
        """Every deck by its name; that of `deck.yaml` is called deck."""
        return ({"deck": self.deck} if self.deck else {}) | {deck.id: deck for deck in self.decks}

    @cached_property
    def figures(self) -> dict[str, int | Dice]:
        """The procedure's numbers and dice by name; those of the kind `steps` are the author's constants."""
        procedure = self.head.procedure
        if isinstance(procedure, StepsProcedure):
            return {name: dice.plus if dice.is_number else dice for name, dice in procedure.constants.items()}
        values = {name: getattr(procedure, name) for name in procedure.__struct_fields__}
        return {name: value for name, value in values.items() if isinstance(value, int | Dice)}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The procedure's numbers by name, as texts of the content may quote them: `{limit}`."""
        return {name: value.spoken if isinstance(value, Dice) else str(value) for name, value in self.figures.items()}

    @cached_property
    def question_sizes(self) -> tuple[int, ...]:
        """How many chances each of its charts asks for, then 1 for each quoted chance and each claim about odds."""
        blocks = [block for _, file in self.panels for panel in file.panels for block in panel.blocks]
        fields = (block.size for block in blocks if isinstance(block, OddsBlock))
        quotes = sum(len(block.chances) for block in blocks if isinstance(block, ChancesBlock))
        return (*fields, *(1,) * (quotes + sum(isinstance(claim, OddsClaim) for claim in self.claims)))

    def tables_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the tables of a list, or those in which kinds of something are looked up."""
        if not isinstance(names, str):
            return names
        procedure = self.head.procedure
        kinds = procedure.aims.get(names, {}) if isinstance(procedure, StepsProcedure) else {}
        return tuple(dict.fromkeys(aim.table for aim in kinds.values()))

    @cached_property
    def aims(self) -> dict[str, Mapping[str, Aim]]:
        """The kinds that arguments of events may be of, each with its table, by the argument's name."""
        there = self.head.procedure.aims if isinstance(self.head.procedure, StepsProcedure) else {}
        takes = [item for event in self.head.events.values() for item in event.takes.items()]
        return {name: there[argument.one_of] for name, argument in takes if argument.one_of in there}

    def tables_met(self, step: LookUp) -> tuple[str, ...]:
        """Return the tables that a step may look up: its own, and those of the kinds of its argument."""
        kinds = self.aims.get(step.aimed, {}).values() if step.aimed else ()
        return tuple(dict.fromkeys([*([step.table] if step.table else []), *(aim.table for aim in kinds)]))

    @cached_property
    def readings(self) -> dict[str, str]:
        """The reading in force of each ruling that has a switch, by its number, as texts may quote it: `{H6}`."""
        switched = [(ruling.id, ruling.switch) for ruling in self.head.rulings if ruling.switch]
        return {name: switch.options.get(self.setting(switch.name) or "", "") for name, switch in switched}

    @cached_property
    def _chosen(self) -> dict[str, str]:
        return dict(self.settings)

    def setting(self, switch: str) -> str | None:
        """Return the option in force for a switch; None where the system has no such switch."""
        chosen = self._chosen.get(switch)
        return chosen or (self.switches[switch].default if switch in self.switches else None)

    @cached_property
    def house_rules(self) -> tuple[tuple[str, str], ...]:
        """The switches that stand elsewhere than by default, as (name, option)."""
        return tuple((name, value) for name, value in self.settings if value != self.switches[name].default)

    def laid_out(self, product: str) -> PanelsFile | None:
        """Return the panels of a product; rulings that are shown and that no panel lists stand on a screen's last."""
        file = dict(self.panels).get(product)
        if file is None or product != "screen" or not self.shows_rulings:
            return file
        listed = [block for panel in file.panels for block in panel.blocks if isinstance(block, RulingsBlock)]
        listed_rulings = {
            ruling for block in listed for ruling in block.only or (each.id for each in self.head.rulings)
        }
        left = tuple(ruling.id for ruling in self.head.rulings if ruling.id not in listed_rulings)
        if not left:
            return file
        last = Panel(title="What we ruled", columns=3, emblem="lock", blocks=(RulingsBlock(only=left),))
        return msgspec.structs.replace(file, panels=(*file.panels, last))

    @cached_property
    def changed_numbers(self) -> tuple[tuple[str, str], ...]:
        """The numbers of the procedure that are not as usual, as (name, value); an entry of a list as `scores J`."""
        usual, comparable = self.usual_numbers, type(self.usual) is type(self.head.procedure)
        figures = _figures(self.head.procedure) if comparable else ()
        return tuple((name, value) for name, value in figures if usual.get(name) != value)

    @cached_property
    def usual_numbers(self) -> dict[str, str]:
        """The procedure's numbers as the lowest system that it extends has them; none where that is of another kind."""
        return dict(_figures(self.usual)) if type(self.usual) is type(self.head.procedure) else {}

    def departs(self, ruling: Ruling) -> bool:
        """Return whether a ruling is read otherwise than by default."""
        return ruling.switch is not None and ruling.switch.name in dict(self.house_rules)

    @cached_property
    def brought(self) -> dict[str, frozenset[str]]:
        """By each condition, those that it brings for as long as it lasts, and what these bring."""

        def reached(name: str, seen: frozenset[str]) -> frozenset[str]:
            condition = self.head.conditions.get(name)
            for effect in condition.implies if condition else ():
                if isinstance(effect, Suffer) and effect.until.word == "same" and effect.condition not in seen:
                    seen = reached(effect.condition, seen | {effect.condition})
            return seen

        return {name: reached(name, frozenset()) for name in self.head.conditions}

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every unit of time, ours and the author's, the shortest first."""
        return tuple(sorted((*UNITS, *self._own_units), key=self.unit_length))

    @property
    def _own_units(self) -> Mapping[str, str]:
        return self.head.procedure.units if isinstance(self.head.procedure, StepsProcedure) else {}

    def unit_length(self, unit: str) -> tuple[int, int]:
        """Return how long a unit of time is: so many rounds, or after these so many minutes."""
        many, _, word = self._own_units.get(unit, f"1 {unit}").partition(" ")
        minutes = MINUTES.get(unit_of(word), 0)
        return (1, int(many) * minutes) if minutes else (0, int(many))

    @cached_property
    def unit_days(self) -> dict[str, int]:
        """Units that are counted down in days, and how many each is."""
        lengths = {unit: self.unit_length(unit)[1] for unit in self.units if self.unit_length(unit)[0]}
        day = MINUTES["day"]
        return {unit: length // day for unit, length in lengths.items() if length > day and length % day == 0}

    @cached_property
    def renewed(self) -> frozenset[str]:
        """The conditions that may come again for as long as they lasted from their start."""
        return frozenset(
            effect.condition
            for effect in self.all_effects()
            if isinstance(effect, Suffer) and effect.until.word == "again"
        )

    @cached_property
    def steps(self) -> StepsProcedure:
        """What a system of steps counts with. Raises HackjackError for any other."""
        if not isinstance(self.head.procedure, StepsProcedure):
            raise HackjackError(f"{self.head.id} does not define its own events (only packs of kind steps do)")
        return self.head.procedure

    @cached_property
    def kept_numbers(self) -> dict[str, procedures.OwnNumber]:
        """The author's numbers that a state has: all but those for one event."""
        return {name: own for name, own in self.steps.numbers.items() if not own.temporary}

    @cached_property
    def kept_piles(self) -> dict[str, procedures.OwnPile]:
        """The author's piles that a state has: all but those for one event."""
        return {name: own for name, own in self.steps.piles.items() if not own.temporary}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of names that events and tables give with `let`."""
        lists = [event.do_ for event in self.head.events.values()]
        cells = (cell for table in self.tables for row in table.rows for cell in (row.effects, *row.cells.values()))
        lists += [table.every for table in self.tables]
        lists += [cell for cell in cells if isinstance(cell, tuple)]
        steps = (effect for effects in lists for _, effect in walk_effects(effects))
        return {step.name: step.title for step in steps if isinstance(step, Let) and step.title}

    @cached_property
    def held_conditions(self) -> dict[str, Condition]:
        """All that a character may hold by name: the conditions, and what effects leave beside their cards."""
        left = {name: Condition(says=name.capitalize(), again="apart") for name in LEFT} if self.steps.by_card else {}
        return left | self.head.conditions

    @cached_property
    def retold(self) -> dict[str, list[Retelling]]:
        """What the log tells in words of the author's, by what JSON calls it."""
        tellings: dict[str, list[Retelling]] = {}
        for telling in self.steps.log:
            tellings.setdefault(telling.of, []).append(telling)
        return tellings

    @cached_property
    def state_keys(self) -> dict[str, str]:
        """Where conditions stand in a written state: the key of a condition, a group, `long` or `any`."""
        return {key.of: key.key for key in self.steps.state if key.of}

    @cached_property
    def field(self) -> Field:
        """The numbers of a system that fights over a field of cards. Raises HackjackError for any other."""
        if not isinstance(self.head.procedure, Field):
            raise HackjackError(f"{self.head.id} has no field of cards (its procedure is of a different kind)")
        return self.head.procedure

    @property
    def kind(self) -> str:
        """The kind of its procedure: `steps`, for one."""
        return str(self.head.procedure.__struct_config__.tag)

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """The names of all pictures that it shows, each once."""
        art, piles = self.head.art or Art(), self.piles.values()
        backs = (art.back, art.medallion, *(block.back for block in self.head.cards), *(pile.back for pile in piles))
        rows = (row.art for table in self.tables for row in table.rows)
        drawn = (*(condition.art for condition in self.head.conditions.values()), *rows)
        on_cards = (picture for pile in piles for card in pile.cards for picture in card.pictures)
        emblems = (name for name in self.emblems if is_picture(name))
        return tuple(dict.fromkeys(filter(None, (*backs, *art.suits.values(), *drawn, *on_cards, *emblems))))

    @property
    def emblems(self) -> Iterator[str]:
        """Every emblem that the content names, however often."""
        head, cards = self.head, (card for pile in self.piles.values() for card in pile.cards)
        rows = (row for table in self.tables for row in table.rows)
        of_people = (
            *(each.emblem for each in head.conditions.values()),
            *(each.emblem for each in head.parts.values()),
        )
        of_cells = (cell.emblem for table in self.tables for row in table.rows for cell in row.named_cells)
        of_cards = (*(row.emblem for row in rows), *of_cells, *(card.emblem for card in cards))
        of_blocks = (name for block in head.cards for name in (block.emblem, *block.emblems.values()))
        yield from filter(None, (*of_people, *of_cards, *of_blocks))

    def conditions_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the conditions that a list, a group or `all` means, in the order of the list or of the content."""
        conditions = self.head.conditions
        if not isinstance(names, str):
            return names
        return tuple(name for name, each in conditions.items() if each.group == names or (names == ALL and each.name))

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """The names of all files besides YAML that it is made of: pictures, CSV files of cards, and fonts."""
        return (*self.pictures, *(deck.csv for deck in self.piles.values() if deck.csv), *self.theme.fonts.own)

    def most_of(self, track: str) -> int | None:
        """Return how much of a track fits on a sheet."""
        most = self.head.tracks[track].most
        if not isinstance(most, str):
            return most
        number = self.numbers.get(most, "")
        return int(number) if number.isdigit() else None

    def score_of(self, card: Card) -> int:
        """Return the death-score of a card: its own where it says so, otherwise its rank's."""
        return card.score if card.score is not None else self.rank_score(card.code)

    def rank_score(self, code: str) -> int:
        """Return the death-score that a card has by its rank; jokers and codes of their own have none."""
        rank, procedure = rank_of(code), self.head.procedure
        scores = procedure.scores if isinstance(procedure, StepsProcedure) else {}
        if not suit_of(code) or not scores:
            return 0
        return scores[rank] if rank in scores else int(rank) if rank.isdigit() else 0

    def table(self, name: str) -> Table | None:
        """Return a table by its id."""
        return self._tables.get(name)

    def part_at(self, place: str) -> str:
        """Return the part of the body at a place, such as `arm` for `left arm`; empty if there is none."""
        words, fitting = f" {place.partition(' (')[0]}", dict[str, tuple[bool, int]]()
        for name, part in self.head.parts.items():
            # A limb is where its members are, if they are no parts themselves.
            for each in (part.name, *part.members):
                if words.endswith(f" {each}"):
                    fitting[name] = max(fitting.get(name, (False, 0)), (each == part.name, len(each)))
        return max(fitting, key=lambda name: fitting[name], default="")

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.id: table for table in reversed(self.tables)}


def _figures(procedure: AnyProcedure | None) -> Iterator[tuple[str, str]]:
    """Yield all the numbers and dice of a procedure as a person reads them, by name."""
    if isinstance(procedure, StepsProcedure):
        yield from ((name, dice.spoken) for name, dice in procedure.constants.items())
    for name in procedure.__struct_fields__ if procedure else ():
        value = getattr(procedure, name)
        match value:
            case int():
                yield name, str(value)
            case Dice():
                yield name, value.spoken
            case dict():
                yield from ((f"{name} {key}", str(number)) for key, number in value.items() if isinstance(number, int))
            case tuple() if all(isinstance(die, Dice) for die in value):
                yield name, " ".join(die.spoken for die in value)


@lru_cache(maxsize=100)
def type_of(kind: type) -> inspect.Type:
    """Return what a type is made of. To make this out takes longer than to read many a file or state."""
    return inspect.type_info(kind)


def read_custom(kind: type, written: Any) -> Any:
    """msgspec's hook for the types that are written as short text."""
    if kind is Until:
        return Until.parse(written, own=OWN_ENDS.get() is not None, units=OWN_UNITS.get())
    if kind in (Dice, Formula, Span):
        return kind.parse(written)
    raise NotImplementedError(kind)


def write_custom(value: Any) -> Any:
    """Return the way back, for JSON."""
    if isinstance(value, Dice | Formula):
        return value.plain
    if isinstance(value, Until | Span):
        return str(value)
    raise NotImplementedError(type(value))


def plain_value(value: Any) -> Any:
    """Return a noun as plain data for JSON."""
    return msgspec.to_builtins(value, enc_hook=write_custom)

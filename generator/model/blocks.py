"""The block language of screens and sheets: the parts of a printed panel, as content writes them.

Small and closed: a pack composes a screen from these without a line of Python. Whatever states a rule is worded from
the system; only `text` and `steps` hold sentences of the author's, and these quote numbers by name, as `{limit}`.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.fields import (
    AuthorText,
    ChartName,
    CitingText,
    ColumnName,
    ConditionName,
    EventName,
    Id,
    Line,
    Number,
    NumberName,
    Positive,
    QuotingLine,
    QuotingTitle,
    RulingName,
    SignName,
    StatisticName,
    TableName,
    TrackName,
    Word,
)

Rows = Annotated[int, Meta(ge=1, le=60)]
HowChosen = Annotated[Literal["best", "worst", "even"], Meta(description="how choices are made, as --policy")]
Sentences = Annotated[tuple[AuthorText, ...], Meta(min_length=1, max_length=40)]


class Block(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="block"):
    """One block; `title` is printed over it, with the section of the source beside it."""

    title: QuotingTitle | None = None
    source: Annotated[Line, Meta(description="the section of the source, printed small")] | None = None
    rules: Annotated[bool, Meta(description="--extras prints it on the card of rules")] = False
    wide: Annotated[bool, Meta(description="it spans all columns of its panel")] = False
    column: Annotated[bool, Meta(description="it starts a new column")] = False
    below: Annotated[bool, Meta(description="it starts a new row of columns")] = False
    emblem: Annotated[SignName, Meta(description="drawn before the title")] | None = None


class Prose(Block, frozen=True, kw_only=True, tag="text"):
    """Paragraphs."""

    text: Sentences


class StepPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One step with a title and an emblem of its own: on a screen a box."""

    says: AuthorText
    title: QuotingLine | None = None
    emblem: SignName | None = None


class StepsBlock(Block, frozen=True, kw_only=True, tag="steps"):
    """What to do, in order, numbered: a sentence each, or a step with a title and an emblem."""

    steps: Annotated[tuple[AuthorText | StepPart, ...], Meta(min_length=1, max_length=40)]


class OrderPart(StepPart, frozen=True, kw_only=True):
    """A step of an order: what it says of one event, or of several that follow each other."""

    event: EventName | Annotated[tuple[EventName, ...], Meta(min_length=1, max_length=12)]

    @property
    def events(self) -> tuple[EventName, ...]:
        """The events that it says."""
        return (self.event,) if isinstance(self.event, str) else self.event


class OrderBlock(Block, frozen=True, kw_only=True, tag="order"):
    """What an event of the kind `steps` calls, numbered, in the order in which it is played by the rules in force."""

    event: Annotated[EventName, Meta(description="one of the system's events")]
    steps: Annotated[
        tuple[OrderPart, ...],
        Meta(min_length=1, max_length=20, description="a step for this event or those that it calls, in any order"),
    ]


class ChoicesBlock(Block, frozen=True, kw_only=True, tag="choices"):
    """Decisions as a small table: what is the case, and what then."""

    choices: Annotated[
        dict[QuotingLine, AuthorText], Meta(min_length=1, max_length=20, description="a sentence for each case")
    ]


class EventBlock(Block, frozen=True, kw_only=True, tag="event"):
    """What events of the kind `steps` do, numbered, made from the steps that run."""

    event: Annotated[
        EventName | Annotated[tuple[EventName, ...], Meta(min_length=1, max_length=8)],
        Meta(description="one of the system's events, or a list of them"),
    ]
    watches: Annotated[bool, Meta(description="then the watches")] = False


class TableBlock(Block, frozen=True, kw_only=True, tag="table"):
    """A table of the system, with all its columns or some of them."""

    table: TableName
    columns: Annotated[tuple[ColumnName, ...], Meta(max_length=20, description="only these, by id")] = ()
    merge: Annotated[bool, Meta(description="equal cells beside each other are printed as one")] = False
    even: Annotated[bool, Meta(description="all columns but the first are equally wide")] = False


class Wounds(Block, frozen=True, kw_only=True, tag="wounds"):
    """The deck's cards as a compact table, by suits; the jokers after them, if requested."""

    suits: Annotated[tuple[Literal["C", "S", "D", "H"], ...], Meta(max_length=4)] = ("C", "S", "D", "H")
    ace: Annotated[Literal["low", "high"], Meta(description="the first of its suit, or the last")] = "low"
    jokers: bool = False


class Suits(Block, frozen=True, kw_only=True, tag="suits"):
    """The suits and their characters."""


class Signs(Block, frozen=True, kw_only=True, tag="signs"):
    """A legend: the suits and the signs that stand on the cards, each with what it means."""


class Conditions(Block, frozen=True, kw_only=True, tag="conditions"):
    """What the conditions mean: with a deck which cards bring them, without one all that comes with each."""

    only: Annotated[
        tuple[ConditionName, ...],
        Meta(max_length=200, description="only these, in this order (by default all, by name)"),
    ] = ()


class Tracks(Block, frozen=True, kw_only=True, tag="tracks"):
    """The numbers that are kept for each character."""


class Chart(Block, frozen=True, kw_only=True, tag="chart"):
    """A picture of the odds, counted by the engine."""

    shows: Annotated[ChartName, Meta(description="a chart of the kind of procedure")]
    height: Annotated[int, Meta(ge=20, le=180, description="mm")] | None = None


Shown = Annotated[dict[Word, Any], Meta(max_length=40, description="as --state (by default a new character)")]


Values = tuple[Annotated[int, Meta(ge=-1_000_000, le=1_000_000)], ...]


MAX_BELOW = 50
"""So many values there are at most along an axis that runs up to a number of the procedure."""


class Axis(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What runs across or down a picture: `{name}` in the question, its `at` and its state takes each value in turn.

    What stands in braces may be a sum: `stabilise {tal * 2}`.
    """

    title: Annotated[Line, Meta(description="the title printed along it")]
    name: Annotated[Id, Meta(description="the name of the value: {name}")]
    values: Annotated[
        tuple[Number | Word | Annotated[Values, Meta(min_length=2, max_length=8)], ...],
        Meta(max_length=24, description="numbers, words, or lists of numbers: [2, 1]"),
    ] = ()
    least: Annotated[int, Meta(ge=0, le=1000, description="or numbers from this one")] = 1
    upto: Annotated[int, Meta(ge=0, le=1000, description="up to this one, 24 of them at most")] | None = None
    below: Annotated[NumberName, Meta(description="or up to one less than this number of the procedure")] | None = None
    states: Annotated[
        dict[Word, Shown], Meta(max_length=24, description="or states, each by its label: {none: {}}")
    ] = {}
    most: Annotated[NumberName, Meta(description="values above this number of the procedure are dropped")] | None = None
    label: Annotated[Line, Meta(description="the label of a value: {tal * 2}-{tal * 2 + 1}")] | None = None
    adds: Annotated[
        dict[Word, Any], Meta(max_length=4, description="added to lists of the state, as often as the value says")
    ] = {}

    @property
    def size(self) -> int:
        """The most values that it may have."""
        upto = self.upto or 1 if self.below is None else self.least + MAX_BELOW - 1
        return len(self.states or self.values) or max(1, min(upto + 1 - self.least, MAX_BELOW))


class OddsBlock(Block, frozen=True, kw_only=True, tag="odds"):
    """Chances as a picture, counted by the engine: of a question, what is counted, what runs across and what down."""

    asks: Annotated[Line, Meta(description="a question as `hackjack odds` takes it: hit {damage}")]
    counts: Annotated[Line, Meta(description="a key of the answer: slain, or soaked.{wounds}; of bands a group: rows")]
    across: Axis
    down: Axis | None = None
    looks: Annotated[
        Literal["bars", "bands", "matrix"], Meta(description="a bar each, bars in bands, or a field for each pair")
    ] = "bars"
    in_a_row: (
        Annotated[
            Annotated[int, Meta(ge=2, le=100)],
            Meta(description="with `counts: die_by`: of so many of them, how many one lives through on average"),
        ]
        | None
    ) = None
    at: Annotated[dict[Id, Line], Meta(max_length=20, description="as --at NAME=VALUE")] = {}
    state: Shown = {}
    policy: HowChosen | None = None
    until_certain: Annotated[bool, Meta(description="it goes no further across than where one band is certain")] = False
    note: QuotingLine | None = None
    height: Annotated[int, Meta(ge=20, le=180, description="mm")] | None = None

    @property
    def size(self) -> int:
        """The most fields that it may have."""
        return self.across.size * (self.down.size if self.down else 1)


class ScaleEnd(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A cell behind the last number of a scale, with words or an emblem in place of odds."""

    label: QuotingLine
    says: QuotingLine | None = None
    emblem: SignName | None = None


class ScaleBlock(OddsBlock, frozen=True, kw_only=True, tag="scale"):
    """A track with the odds under each number. First on a panel, it runs along the upper edge, for a paper clip."""

    ends: Annotated[tuple[ScaleEnd, ...], Meta(max_length=3, description="cells behind the last number")] = ()


class QuotedChance(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sentence with exact chances in it: `asks` is a question as `hackjack odds` takes it, about that state."""

    says: Annotated[CitingText, Meta(description="quotes the answer by its keys: {slain}, {rows.13+}")]
    asks: Annotated[Line, Meta(description="hit 3, breakdown ...")]
    at: Annotated[dict[Id, Line], Meta(max_length=20, description="as --at NAME=VALUE")] = {}
    state: Annotated[dict[Word, Any], Meta(max_length=40, description="as --state (by default a new character)")] = {}
    policy: HowChosen | None = None
    decimals: Annotated[int, Meta(ge=0, le=6, description="of the per cent")] = 0


class ChancesBlock(Block, frozen=True, kw_only=True, tag="chances"):
    """Sentences that quote chances, counted by the engine when they are printed."""

    chances: Annotated[tuple[QuotedChance, ...], Meta(min_length=1, max_length=20)]


class Rulings(Block, frozen=True, kw_only=True, tag="rulings"):
    """The rulings, those with a switch marked with the option in force; `only` names some of them."""

    only: Annotated[tuple[RulingName, ...], Meta(max_length=100)] = ()


class OptionsBlock(Block, frozen=True, kw_only=True, tag="options"):
    """The switches and the option of each that is in force."""


class FieldBlock(Block, frozen=True, kw_only=True, tag="field"):
    """A line to write on. `name` is the form field's and the state's key that fills it."""

    label: QuotingLine | None = None
    name: Id
    lines: Annotated[int, Meta(ge=1, le=20)] = 1


class FieldPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One of several fields beside each other."""

    label: QuotingLine
    name: Id
    share: Annotated[int, Meta(ge=1, le=20, description="how wide it is beside the others")] = 1
    tick: Annotated[bool, Meta(description="a box to tick; the state's key `name` is true or false")] = False


class Fields(Block, frozen=True, kw_only=True, tag="fields"):
    """Lines to write on and boxes to tick, beside each other."""

    fields: Annotated[tuple[FieldPart, ...], Meta(min_length=1, max_length=8)]


class Boxes(Block, frozen=True, kw_only=True, tag="boxes"):
    """Boxes to tick, from 1 (or 0) up to the track's largest value."""

    label: QuotingLine
    track: TrackName
    count: Annotated[Positive, Meta(description="how many, where the track has no largest value")] | None = None
    upto: (
        Annotated[Id, Meta(description="the name of a number that says how many there are, or count: 4 in its place")]
        | None
    ) = None
    sign: Annotated[SignName, Meta(description="an emblem to shade in place of each box: drop, bone")] | None = None
    under: Annotated[TableName, Meta(description="a table: a row's first words stand under each box")] | None = None


class LadderBlock(Block, frozen=True, kw_only=True, tag="ladder"):
    """Steps with words, from one to the next, each with a box: d12, d10, d8, d6, d4.

    The state's key `name` fills it: one of the words ticks that step, a number the first so many.
    """

    label: QuotingLine
    name: Id
    steps: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=30)]


class TicksBlock(Block, frozen=True, kw_only=True, tag="ticks"):
    """Boxes with labels. The state's key `name` fills them: a list of the labels that are ticked."""

    name: Id
    labels: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=60)]
    columns: Annotated[int, Meta(ge=1, le=6, description="boxes beside each other")] = 2


class GridColumn(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One column of a grid of fields."""

    head: Line
    id: Id
    share: Annotated[int, Meta(ge=1, le=20, description="how wide it is beside the others")] = 1
    tick: Annotated[bool, Meta(description="a box to tick in each row")] = False


class GridBlock(Block, frozen=True, kw_only=True, tag="grid"):
    """Rows of fields under heads: so many, or one for each of `labels`, which are printed in a first column.

    The fields are called NAME_ROW_ID. The state's key `name` fills them: a list of rows, each by the columns' ids.
    """

    name: Id
    columns: Annotated[tuple[GridColumn, ...], Meta(min_length=1, max_length=10)]
    rows: Rows | None = None
    labels: Annotated[tuple[Line, ...], Meta(max_length=60)] = ()
    labels_head: Line | None = None
    labels_share: Annotated[int, Meta(ge=1, le=20)] = 2


class InjuriesBlock(Block, frozen=True, kw_only=True, tag="injuries"):
    """The cards drawn, each with its score, what it does, until when, and a box for those that stay."""

    rows: Rows


class TotalsBlock(Block, frozen=True, kw_only=True, tag="totals"):
    """A field for each statistic: what all that is in force takes from it now, or adds to it."""

    statistics: Annotated[tuple[StatisticName, ...], Meta(min_length=1, max_length=20)]


class StateBlock(Block, frozen=True, kw_only=True, tag="state"):
    """All that a character's state holds, to fill in: numbers, words, sums, and conditions with what brought them."""

    rows: Annotated[Rows, Meta(description="for conditions, in all lists together")] = 12


ProductOf = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_]{0,39}/[a-z][a-z0-9_-]{0,39}$(?!\n)",
        description="a system and a product of it: glog/screen; of panels tables too: glog/tables",
    ),
]
"""Where something is taken from: the name of a system or of a pack of one's own, and of one of its products."""
Which = Line | Positive


class Taken(Block, frozen=True, kw_only=True, tag="taken"):
    """A block of another system, worded and counted there. It has the title and the source that it has there."""

    from_: ProductOf = msgspec.field(name="from")
    panel: Annotated[Which, Meta(description="the title of its panel, or the number; not of glog/tables")] | None = None
    takes: Annotated[Which, Meta(description="the title of the block, or its number on the panel; a table's id")]


class Figure(Block, frozen=True, kw_only=True, tag="figure"):
    """A body to mark; with a table, the numbers of its column die stand where they hit."""

    height: Annotated[int, Meta(ge=30, le=200, description="mm")] = 70
    table: (
        Annotated[TableName, Meta(description="a table with a column die, whose columns are parts of the body")] | None
    ) = None


AnyBlock = (
    Prose
    | StepsBlock
    | OrderBlock
    | ChoicesBlock
    | EventBlock
    | OddsBlock
    | ScaleBlock
    | TableBlock
    | Wounds
    | Suits
    | Signs
    | Conditions
    | Tracks
    | Chart
    | ChancesBlock
    | Rulings
    | OptionsBlock
    | FieldBlock
    | Fields
    | Boxes
    | LadderBlock
    | TicksBlock
    | GridBlock
    | InjuriesBlock
    | TotalsBlock
    | StateBlock
    | Figure
    | Taken
)


class Panel(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One page of a screen or sheet."""

    title: QuotingTitle
    columns: Annotated[int, Meta(ge=1, le=5)] = 1
    emblem: Annotated[SignName, Meta(description="of a panel of a screen, in place of its number")] | None = None
    says: Annotated[AuthorText, Meta(description="the one sentence that matters, beside the title")] | None = None
    about: (
        Annotated[
            Literal["harm", "healing", "chance", "death"], Meta(description="the colour (by default the system's)")
        ]
        | None
    ) = None
    players: Annotated[bool, Meta(description="of a screen: for its back, printed with --players")] = False
    blocks: Annotated[
        tuple[AnyBlock, ...],
        Meta(min_length=1, max_length=60, description="without any, all that a character's state holds"),
    ] = (StateBlock(),)


class PanelsFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`screen.yaml`, `sheet.yaml` or `reference.yaml`: panels, one a page."""

    title: Line
    panels: Annotated[tuple[Panel, ...], Meta(min_length=1, max_length=12)]

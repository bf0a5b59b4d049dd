"""What panels are set from: plain values between the blocks of the content and the paper that lays them out."""

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeGuard

from msgspec import Struct

from generator.model.rules import System
from generator.words.chances import Quantity as Quantity


class Heading(Struct, frozen=True):
    """Stands over what follows and is never left behind at a column's foot; `column` begins a new one.

    `source` names the section of the source, small beside it. One that is `below` parts what stands under another.
    `emblem` is drawn before it.
    """

    text: str
    column: bool = False
    source: str = ""
    below: bool = False
    emblem: str = ""


class Paragraph(Struct, frozen=True):
    """Running text; `label` hangs in the margin before it (a number, a ruling), `strong` opens it in bold.

    Ruling numbers in square brackets, `[H7]`, are printed small and raised. `widest` is the widest label of its list,
    so that all of the list's texts begin at one line. `sign` is drawn in the label's place: a suit, a disc, a drop, a
    bone, a lock, or else the sign itself.
    """

    text: str
    label: str = ""
    strong: str = ""
    widest: str = ""
    sign: str = ""
    emblem: str = ""


class Note(Struct, frozen=True):
    """A remark in small print."""

    text: str


class PanelTable(Struct, frozen=True):
    """Rows of cells under heads, which may be none; the cells may hold sentences.

    The paper chooses the columns' widths by what stands in them, unless `shares` of the width are given. A row is never
    split, and the heads stand again where a table goes on in the next column. With `merge`, equal cells beside each
    other are printed as one. `by_rows` sets each cell on lines of its own, beside its head. `choices` have no heads:
    what stands first is bold.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...] = ()
    merge: bool = False
    by_rows: bool = False
    choices: bool = False


def merged_cells(row: tuple[str, ...], merge: bool) -> list[tuple[str, int]]:
    """Return the cells of a row with how many columns each takes: 0 where it is part of the cell before it."""
    if not merge:
        return [(cell, 1) for cell in row]
    spans: list[tuple[str, int]] = []
    owner = 0
    for at, cell in enumerate(row):
        if at and cell and cell == row[owner]:
            spans[owner] = (cell, spans[owner][1] + 1)
            spans.append((cell, 0))
        else:
            owner = at
            spans.append((cell, 1))
    return spans


class WoundBox(Struct, frozen=True):
    """A card in a compact table: its index, name, figures, what it does, emblem. For a joker: its colour, and code."""

    rank: str
    suit: str
    name: str
    figures: str
    text: str
    band: bool = False
    emblem: str = ""


class Bars(Struct, frozen=True):
    """A bar chart: one bar for each label, `percent` or plain numbers, readable without colour.

    `errors` are one standard error of each value, where they were played out.
    """

    labels: tuple[str, ...]
    values: tuple[Quantity, ...]
    percent: bool
    across: str
    note: str = ""
    errors: tuple[float, ...] = ()


class Series(Struct, frozen=True):
    """A bar chart of several series, each a name and a value for every label, beside or `stacked` on each other.

    The series differ by shade and hatching, never by colour alone. At most six.
    """

    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[Quantity, ...]], ...]
    percent: bool
    across: str
    note: str = ""
    stacked: bool = False


class Cell(Struct, frozen=True):
    """One field of a matrix: what it says, how dark it is (from 0 to 1) in which colour, and whether it is bold.

    Its letters say what its colour says. `share` is the chance that the text rounds.
    """

    text: str
    shade: float = 0.0
    strong: bool = False
    hue: Literal["black", "red", "green", "blue"] = "black"
    share: Quantity | None = None


class Matrix(Struct, frozen=True):
    """Row labels by column labels, a cell for each pair. Every cell says in letters what its shade says.

    `across` and `down` name what the columns and rows stand for; `key` explains the cells' letters.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    across: str
    down: str = ""
    key: tuple[tuple[Cell, str], ...] = ()
    note: str = ""


Picture = Bars | Series | Matrix

ChartMaker: TypeAlias = Callable[[System], Picture]
"""Draws one picture of the odds of a system."""


class Framed(Struct, frozen=True):
    """A picture in its room: mm high, or as high as its kind usually is."""

    picture: Picture
    height: int | None = None


class OddsScale(Struct, frozen=True):
    """A track: a cell for each label with its odds; behind it cells with a label and words or else an emblem."""

    picture: Bars
    ends: tuple[tuple[str, str, str], ...] = ()


class FieldLines(Struct, frozen=True):
    """Fields beside each other, each a label and `lines` or a box to tick; `shares` are of the width.

    Those that are `boxed` are boxes to write in, with their labels in them.
    """

    fields: "tuple[FieldCell, ...]"
    shares: tuple[float, ...] = (1.0,)
    lines: int = 1
    boxed: bool = False


class FieldCell(Struct, frozen=True):
    """What is filled in: a form field of that name, or a box to tick. Without a name, `label` is all there is."""

    name: str = ""
    tip: str = ""
    value: str = ""
    label: str = ""
    tick: bool = False


class FieldGrid(Struct, frozen=True):
    """Rows of cells to fill in under their heads, such as a list of wounds."""

    heads: tuple[str, ...]
    rows: tuple[tuple[FieldCell, ...], ...]
    shares: tuple[float, ...]


class Box(Struct, frozen=True):
    """A box to tick: its form field, what a pointer over it says, what is printed in or beside it."""

    name: str
    tip: str
    text: str
    ticked: bool = False


class BoxRow(Struct, frozen=True):
    """Boxes in a row with their numbers in them, or signs to shade; words may stand under them."""

    label: str
    boxes: tuple[Box, ...]
    sign: str = ""
    under: tuple[str, ...] = ()


class Ladder(Struct, frozen=True):
    """Boxes in a row with words beside them, each leading to the next."""

    label: str
    boxes: tuple[Box, ...]


class Ticks(Struct, frozen=True):
    """Boxes with labels, in columns beside each other."""

    boxes: tuple[Box, ...]
    columns: int = 1


class BodyFigure(Struct, frozen=True):
    """The outline of a body, mm high; `marks` are words to print on parts of it, by the part's id.

    `hurt` are the parts to cross, each with its side; without one, both of a pair have a question mark.
    """

    height: int
    marks: tuple[tuple[str, str], ...] = ()
    hurt: tuple[tuple[str, str], ...] = ()


Piece = (
    Heading
    | Note
    | Paragraph
    | PanelTable
    | WoundBox
    | Framed
    | OddsScale
    | FieldLines
    | FieldGrid
    | BoxRow
    | Ladder
    | Ticks
    | BodyFigure
)


def is_step(piece: Piece) -> TypeGuard[Paragraph]:
    """Return whether a piece is one of the steps that a screen draws as boxes."""
    return isinstance(piece, Paragraph) and piece.label.isdigit() and bool(piece.strong or piece.emblem)


class Worded(Struct, frozen=True):
    """A block of the content as pieces; `place` is its number in the panel, `name` what messages call it.

    `wide` blocks stand across all columns of their page, `column` begins a new column, `below` a new row of columns.
    """

    place: int
    name: str
    pieces: tuple[Piece, ...]
    wide: bool = False
    column: bool = False
    below: bool = False


class Page(Struct, frozen=True):
    """One panel: its number in the file, title, columns and blocks.

    Its `emblem` stands beside the title on a screen; without one, its number; `says` is the sentence beside the title,
    and `about` what its colour means. One that `goes_on` is the rest of the panel before it. A `scale` runs along the
    upper edge. Those for `players` are the backs of the others. The fields that `heads` a sheet stand in its band.
    """

    place: int
    title: str
    columns: int
    blocks: tuple[Worded, ...]
    emblem: str = ""
    goes_on: bool = False
    says: str = ""
    about: str = ""
    scale: Worded | None = None
    players: bool = False
    heads: FieldLines | None = None

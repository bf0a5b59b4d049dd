"""What panels are set from: plain values between the blocks of the content and the paper that lays them out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """Stands over what follows and is never left behind at a column's foot; `column` begins a new one."""

    text: str
    column: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; `label` hangs in the margin before it (a number, a ruling), `strong` opens it in bold."""

    text: str
    label: str = ""
    strong: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of cells in columns of the given shares of the width; bands tell the rows apart. A row is never split."""

    cells: tuple[str, ...]
    shares: tuple[float, ...]
    band: bool = False
    header: bool = False


@dataclass(frozen=True, slots=True)
class Wound:
    """A card in a compact table: its index, name, figures and what it does."""

    rank: str
    suit: str
    name: str
    figures: str
    text: str
    band: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart: one bar for each label, `percent` or plain numbers, readable without colour."""

    labels: tuple[str, ...]
    values: tuple[float, ...]
    percent: bool
    across: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A label and lines to write on; a form field of that name, filled with `value`."""

    label: str
    name: str
    value: str = ""
    lines: int = 1


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A row of fields under column heads, such as one wound."""

    names: tuple[str, ...]
    tips: tuple[str, ...]
    values: tuple[str, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BoxRow:
    """Boxes to tick, numbered from 1; the first `ticked` are."""

    label: str
    name: str
    count: int
    ticked: int = 0


@dataclass(frozen=True, slots=True)
class BodyFigure:
    """The outline of a body, mm high."""

    height: int


Piece = Heading | Paragraph | TableRow | Wound | Bars | FieldLine | FieldRow | BoxRow | BodyFigure


@dataclass(frozen=True, slots=True)
class Page:
    """One panel: its title, its columns and its pieces, and the block (by its title or kind) that each came from."""

    title: str
    columns: int
    pieces: tuple[Piece, ...]
    blocks: tuple[str, ...]

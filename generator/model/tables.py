"""Tables: their rows, columns and cells."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base.dice import Dice
from generator.base.fields import (
    ColumnName,
    EmblemName,
    Id,
    Line,
    Number,
    PicturePath,
    QuotingLine,
    QuotingText,
    RulingName,
    TrackName,
)
from generator.model.cards import OwnWords, Placement
from generator.model.durations import Span, Until
from generator.model.steps import AnyEffect

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
    first: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come before its cells, in each column")
    ] = ()
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

    @property
    def everywhere(self) -> "Row":
        """The row with only those effects, and words of its author, that hold in every column."""
        return msgspec.structs.replace(self, effects=(), says=None) if self.written_cells else self

    @property
    def lists(self) -> Iterator[tuple[tuple[str, ...], tuple[AnyEffect, ...]]]:
        """Yield each of its lists of effects with the keys that lead there."""
        yield from ((("first",), self.first), (("effects",), self.effects))
        for column, written in self.written_cells.items():
            inside = ("effects",) if isinstance(written, NamedCell) else ()
            if isinstance(cell := self.cell(column), tuple):
                yield ("cells", column, *inside), cell

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

    def does(self, row: Row, column: str) -> tuple[AnyEffect, ...]:
        """Return what happens in a column of a row: what comes first on every row and on this one, then the cell."""
        cell = row.cell(column)
        return (*self.every, *row.first, *(cell if isinstance(cell, tuple) else ()))

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

"""Tables as text: heads and cells for paper, one cell in words."""

from collections.abc import Callable

from generator.base.sentences import stopped_alike
from generator.model.rules import Cell, Row, System, Table
from generator.words.effect_words import effect_sentences
from generator.words.effects import effects_telegraph
from generator.words.own_words import own_sentences
from generator.words.wording import dagger, fill_placeholders, span_words


def table_cells(
    table: Table, system: System, cell_words: Callable[[Row, str, System], str] | None = None
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table as text: its heads, and the cells of each row. Columns that nothing fills are left out.

    What stands in its columns is `told` by that function, in telegraph style if none is given.

    A row that does the same whatever the column says so in every one of them. Where a die chooses the column, the heads
    say by which of its faces. A table that is looked up by neither a track nor a die has a "Number".
    """
    heads: list[str] = []
    columns: list[list[str]] = []

    def column(head: str, cells: list[str]) -> None:
        if any(cells):
            heads.append(head)
            columns.append(stopped_alike(cells))

    by = system.head.tracks[table.by].name if table.by else table.roll.spoken if table.roll else ""
    die = table.column_roll.spoken if table.column_roll else ""
    column(" / ".join(filter(None, (by or "Number", die))), [str(row.at) if row.at else "" for row in table.rows])
    column(table.names or ("Result" if by else table.title), [row.name or "" for row in table.rows])
    first_words = cell_text if cell_words else brief_text
    column("First", [first_words(row.first, system) for row in table.rows])
    for name, entry in table.columns.items():
        head = f"{entry.at} {entry.title}" if die and entry.at else entry.title
        told = [(cell_words or brief_cell)(row, name, system) for row in table.rows]
        column(head, [named_text(row, name, text) for row, text in zip(table.rows, told, strict=True)])
    column(
        table.title if by and not table.columns else "Lasts",
        [span_words(row.lasts) if row.lasts else "" for row in table.rows],
    )
    column("Note" if table.columns else "Effect", [_told(row, system, effects=not table.columns) for row in table.rows])
    rows = [list(row) for row in zip(*columns, strict=True)]
    for row, cells in zip(table.rows, rows, strict=True):
        if row.reconstructed:
            cells[-1] += dagger(system)
    return tuple(heads), [tuple(cells) for cells in rows]


def _told(row: Row, system: System, *, effects: bool) -> str:
    """What a row does and what its note adds, as sentences."""
    parts = (row_text(row, system) if effects else "", fill_placeholders(row.note, system) if row.note else "")
    return " ".join(filter(None, parts))


def named_text(row: Row, column: str, text: str) -> str:
    """Return the words of a cell after its own name, if it has one."""
    named = row.named_cell(column)
    return ": ".join(filter(None, (named.name, text))) if named else text


def table_note(table: Table, system: System) -> str:
    """Return what is said below a table: what each of its rows does first, and its note."""
    every = cell_text(table.every, system)
    parts = (f"Every result: {every}" if every else "", table.note or "")
    return " ".join(fill_placeholders(part, system) for part in parts if part)


def row_text(row: Row, system: System) -> str:
    """Return what a row does besides its cells: in its author's words, or in sentences."""
    return _own_text(row.says, row.effects, system) if row.says else cell_text(row.effects, system)


def brief_cell(row: Row, column: str, system: System, *, keys: bool = False) -> str:
    """Return what stands in a column of a row: its author's words, or else in telegraph style."""
    own, cell = row.own_words(column), row.cell(column)
    return _own_text(own, cell, system) if own else brief_text(cell, system, keys=keys)


def full_cell(row: Row, column: str, system: System) -> str:
    """Return what stands in a column of a row: its author's words, or else sentences."""
    own, cell = row.own_words(column), row.cell(column)
    return _own_text(own, cell, system) if own else cell_text(cell, system)


def _own_text(own: str, cell: Cell, system: System) -> str:
    return " ".join(map(str, own_sentences(own, cell if isinstance(cell, tuple) else (), system)))


def brief_text(cell: Cell, system: System, *, keys: bool = False) -> str:
    """One cell of several in a row: a number, a word, or what happens, in telegraph style, with keys to its dice."""
    return effects_telegraph(cell, system, keys=keys) if isinstance(cell, tuple) else _plain(cell, system)


def cell_text(cell: Cell, system: System) -> str:
    """Return one cell of a row: a number, a word, or what its effects say."""
    if isinstance(cell, tuple):
        return " ".join(str(sentence) for effect in cell for sentence in effect_sentences(effect, system))
    return _plain(cell, system)


def _plain(cell: int | str, system: System) -> str:
    """Return a number, or words that may quote the procedure's numbers: `{row_critical} of them`."""
    return fill_placeholders(cell, system) if isinstance(cell, str) else str(cell)

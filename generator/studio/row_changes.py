"""Changes of rows and their cells, as the files that they write."""

from collections.abc import Iterator, Sequence
from typing import Any

from generator.base.errors import UsageError
from generator.base.text_input import id_from
from generator.pack.splicing import Add, Cut, Edit, Move, Put, edited
from generator.pack.strict_yaml import UNSEEN, Trail
from generator.studio import grid
from generator.studio.book import Book, File, value_at
from generator.studio.grid import GridLine, GridPart
from generator.studio.wishes import CellChange, GridChange

ADOPTED = "What you change is copied into your pack first, and the original stays. Remove the copy to get it back."


def line_at(part: GridPart, row: int) -> GridLine:
    """Return a row of a table or a deck. Raises UsageError."""
    lines = part.lines()
    if not 0 <= row < len(lines):
        raise UsageError("That row is no longer there. Look at it again.")
    return lines[row]


def _value(part: GridPart, line: GridLine | None, cell: CellChange) -> tuple[tuple[str, ...], Any]:
    """Return the keys that lead to a cell and its value as YAML has it. Raises UsageError."""
    column = next((each for each in part.columns() if each.path == cell.path), None)
    if column is None:
        raise UsageError(f'There is no column "{".".join(cell.path)[:60]}".')
    if column.kind == "id" and line:
        raise UsageError("Effects call a condition by its id, so it stays. Add a condition with the new id instead.")
    value: Any = cell.value or None
    if isinstance(cell.value, str):
        value = grid.typed(column.kind, UNSEEN.sub("", cell.value))
    elif column.kind not in ("effects", "cell"):
        raise UsageError(f"{column.title} is a text, not a list.")
    there = value_at(line.value if line else {}, cell.path)
    # A cell with a name of its own has its effects one level further in.
    return ((*cell.path, "effects") if isinstance(there, dict) else cell.path), value


def _edits(value: Any, start: Trail, path: tuple[str, ...], new: Any, order: Sequence[str]) -> Iterator[Edit]:
    """Yield the edit that gives one cell of a row another value; what is left empty by it goes too."""
    if new is not None:
        yield Put((*start, *path), new, order if len(path) == 1 else ())
        return
    holder = value_at(value, path[:-1])
    while len(path) > 1 and isinstance(holder, dict) and holder.keys() <= {path[-1]}:
        path = path[:-1]
        holder = value_at(value, path[:-1])
    if isinstance(holder, dict) and path[-1] in holder:
        yield Cut((*start, *path))


def with_cells(book: Book, part: GridPart, cells: Sequence[CellChange], notes: list[str]) -> Iterator[File]:
    """Yield the file of a part with other cells; a row of another pack is written into this one as a whole."""
    inside: list[Edit] = []
    adopted: dict[int, dict[str, Any]] = {}
    for cell in cells:
        line = line_at(part, cell.row)
        path, new = _value(part, line, cell)
        old = value_at(line.value, path)
        outdated = isinstance(new, list) and "rulings" in line.value and _kinds(new) != _kinds(old)
        if outdated:
            notes.append("The rulings of the old effects went with them. Undo brings both back.")
        if line.lies_in(book.folder / part.file):
            inside += _edits(line.value, line.trail, path, new, part.order)
            inside += [Cut((*line.trail, "rulings"))] if outdated else []
        elif line.origin.endswith(".csv"):
            raise UsageError(f"This card is from {line.origin}. Change it there: it is read again by itself.")
        elif path == {"rows": ("name",), "cards": ("code",)}.get(part.key) and "at" not in line.value:
            raise UsageError(
                f"{line.origin} keeps this {path[0]} for its own. Add a row with the new {path[0]} instead."
            )
        else:
            whole = adopted.get(cell.row, line.value)
            for edit in _edits(whole, (), path, new, part.order):
                whole = edited(whole, edit)
            whole = {key: value for key, value in whole.items() if not (outdated and key == "rulings")}
            adopted[cell.row] = whole
    notes += [ADOPTED] if adopted else []
    if not adopted:
        yield book.spliced(part.file, inside)
        return
    own = [at for at, line in enumerate(part.lines()) if line.lies_in(book.folder / part.file)]
    rows = [(sum(other < at for other in (*own, *adopted)), whole) for at, whole in sorted(adopted.items())]
    yield _with_rows(book, part, rows, inside)


def _kinds(effects: Any) -> list[str]:
    """Return what each effect does, without its numbers."""
    listed = effects if isinstance(effects, list) else []
    return [str(each.get("do", sorted(each))) if isinstance(each, dict) else str(each) for each in listed]


def _with_rows(book: Book, part: GridPart, rows: Sequence[tuple[int, Any]], before: Sequence[Edit] = ()) -> File:
    """Return the own file of a part with more rows, each at its place in that file."""
    in_order = [(at, {key: row[key] for key in sorted(row, key=part.order.index)}) for at, row in rows]
    if part.key == "conditions":
        return book.spliced(part.file, [*before, *(Put((part.key, _id(row)), row) for _, row in in_order)])
    trail, there = book.own_list(part)
    if there:
        return book.spliced(part.file, [*before, *(Add(trail, at, row) for at, row in in_order)])
    new: Any = [row for _, row in in_order]
    if part.file != "deck.yaml":
        new = [{"id": part.name, part.key: new}]
    return book.with_entries(part.file, str(trail[0]), new, before)


def _id(row: dict[str, Any]) -> str:
    """Take the id out of a new condition: the one that somebody gave it, or one made of its name or sentence."""
    return plain_id(str(row.pop("id", "") or row.get("name") or row.get("brief") or row.get("says") or ""))


def plain_id(words: str) -> str:
    """Return words as content names things. Raises UsageError where there are none."""
    if not words.strip():
        raise UsageError("Write a title or a name.")
    return id_from(words)


def with_row(book: Book, part: GridPart, change: GridChange) -> Iterator[File]:
    """Yield the file of a part with a row more or less, or with one at another place."""
    lines, file = part.lines(), book.folder / part.file
    own = [line.lies_in(file) for line in lines]
    if change.do == "add":
        value: dict[str, Any] = {}
        for cell in change.cells:
            path, new = _value(part, None, cell)
            value = edited(value, Put(path, new)) if new is not None else value
        if not value:
            raise UsageError("Write something into the new row first.")
        if part.key == "conditions" and (name := _id({**value})) in (line.value["id"] for line in lines):
            raise UsageError(f'There is a condition "{name}" already. Give this one another id.')
        yield _with_rows(book, part, [(sum(own[: max(0, change.row)]), value)])
        return
    line = line_at(part, change.row)
    if not own[change.row]:
        raise UsageError(f"This row is from {line.origin}: here it can be changed, but neither moved nor removed.")
    if change.do == "drop":
        if len(lines) == 1 and part.key == "rows":
            raise UsageError("This is the only row: a table has one at least.")
        yield book.spliced(part.file, [Cut(line.trail)])
        return
    if not (0 <= change.to < len(lines) and own[change.to]) or part.key == "conditions":
        raise UsageError("It cannot be moved there.")
    trail, _ = book.own_list(part)
    yield book.spliced(part.file, [Move(trail, int(line.trail[-1]), int(lines[change.to].trail[-1]))])

"""`hackjack table`: look a result up in a table, or roll it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import in_any_case, read_number
from generator.cli import echo
from generator.cli.luck import read_at
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.model.rules import Cell, Row, System, Table
from generator.play.chance import RollNeed, Seeded
from generator.words.rolled_text import rolled_text
from generator.words.table_text import brief_cell, brief_text, cell_text, named_text, row_text
from generator.words.wording import fill_placeholders, measured_unit, span_words


@click.command("table")
@click.argument("system")
@click.argument("table")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="What to look up: --at trauma=3, --at name=chain.")
@click.option("--roll", is_flag=True, help="Roll for the row, if none is named, and the row's dice.")
@click.option("--seed", type=int, help="The seed for --roll.")
@pack_options
@json_option
def command(
    system: str,
    table: str,
    at: tuple[str, ...],
    roll: bool,
    seed: int | None,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Look up a result in a table, or roll it. Without --at and --roll, show the whole table."""
    loaded = open_pack(system, pack, settings, to_play=True).system
    known = [entry.id for entry in loaded.tables]
    found = loaded.table(in_any_case(table, known))
    if found is None:
        raise UsageError(f'{loaded.head.id} has no table "{table[:40]}"{did_you_mean(table, known)}')
    question = read_at(at)
    if seed is not None and not roll:
        raise UsageError("--seed is for --roll: add that, or leave it out")
    dice = _Dice(seed) if roll else None
    shapes = _found(found, question, dice, loaded)
    if as_json:
        print_json(shapes[0] if question or dice else {"table": found.id, "title": found.title, "rows": shapes})
        return
    for shape in shapes:
        rolled = f": {shape['rolled']}" if "rolled" in shape else ""
        echo(f"{found.key} {shape['at']}  {shape['text']}{rolled}")


class _Dice:
    """Rolls from a seed, one after the other."""

    def __init__(self, seed: int | None) -> None:
        self._luck = None if seed is None else Seeded(seed)

    def total(self, dice: Dice) -> int:
        """What such dice show in all. Raises HackjackError where there is no seed."""
        if dice.is_number:
            return dice.plus
        if self._luck is None:
            raise HackjackError(f"needs {dice}: roll them, or give --seed N")
        return sum(self._luck.roll(RollNeed(dice, "the table"))) + dice.plus


def _found(table: Table, asked: dict[str, str], dice: _Dice | None, system: System) -> list[dict[str, Any]]:
    """The rows that are asked for; with dice, one that is rolled where none is named."""
    column = _column(table, asked.pop("column", None))
    if not asked and dice is None:
        return [_shape(table, row, column, None, system) for row in table.rows]
    if asked:
        return [_shape(table, _row(table, asked), column, dice, system)]
    if table.roll is None or dice is None:
        raise UsageError(f"--roll needs a row: --at {table.key}=N")
    total = dice.total(table.roll)
    shape = _shape(table, _row(table, {table.key: str(total)}), column, dice, system)
    rolled = f"{table.roll.spoken} shows {total}"
    return [shape | {"total": total, "rolled": f"{rolled}; {shape['rolled']}" if "rolled" in shape else rolled}]


def _column(table: Table, name: str | None) -> str | None:
    """The column that is named. Raises UsageError."""
    if name is None or (columns_there := in_any_case(name, table.columns)) in table.columns:
        return None if name is None else columns_there
    raise UsageError(f'the table {table.id} has no column "{name[:40]}"{did_you_mean(name, table.columns)}')


def _row(table: Table, asked: dict[str, str]) -> Row:
    """The row that is named by its number or its name. Raises UsageError, or HackjackError where none is."""
    (name, value), *more = asked.items()
    names = [row.name for row in table.rows if row.name]
    if more or name not in (table.key, *(["name"] if names else [])):
        thing, value = ("name", "NAME") if table.key == "name" else ("number", "N")
        raise UsageError(f"the table {table.id} is looked up by one {thing}: --at {table.key}={value}")
    if name == "name":
        found = table.named(value)
        if found is None:
            raise HackjackError(f'the table {table.id} has no row "{value[:40]}"{did_you_mean(value, names)}')
        return found
    number = read_number(f"--at {name}", value)
    row = table.row(number)
    if row is None:
        raise HackjackError(f"the table {table.id} has no row for {number}: it covers {table.covers}")
    return row


def _shape(table: Table, row: Row, column: str | None, dice: _Dice | None, system: System) -> dict[str, Any]:
    shape: dict[str, Any] = {"table": table.id, "at": str(row.at) if row.at else row.name}
    if row.name and row.at:
        shape["name"] = row.name
    if row.lasts:
        shape["lasts"] = str(row.lasts)
    thrown = _column_rolled(table, dice) if dice and row.cells and not column else None
    columns = [name] if (name := column or thrown) else list(table.columns)
    stands = {name: row.cell(name) for name in columns} if row.cells else {}
    cells = {name: named_text(row, name, brief_cell(row, name, system)) for name, cell in stands.items() if cell != ()}
    if table.columns:
        shape["cells"] = {name: cell if isinstance(cell := stands[name], int) else text for name, text in cells.items()}
    shape["text"] = _text(table, row, cells, len(columns) > 1, system)
    shape["reconstructed"] = row.reconstructed
    if dice and row.lasts and row.lasts.amount:
        amount = dice.total(row.lasts.amount)
        shape |= {"amount": amount, "unit": row.lasts.word, "rolled": measured_unit(amount, row.lasts.word)}
        return shape
    parts = [table.columns[thrown].title] if thrown else []
    if dice and (rolled := _rolled(table, row, list(cells), dice, system)):
        parts.append(rolled)
    if parts:
        shape["rolled"] = ": ".join(parts)
    return shape


def _column_rolled(table: Table, dice: _Dice) -> str | None:
    """The column that the table's die chooses, where it has one."""
    if table.column_roll is None:
        return None
    face = dice.total(table.column_roll)
    return next((known for known, entry in table.columns.items() if entry.at and face in entry.at), None)


def _rolled(table: Table, row: Row, columns: list[str], dice: _Dice, system: System) -> str:
    """What the row's cells and effects come to once their dice are rolled; empty where they have none."""

    def out(cell: Cell) -> str:
        return rolled_text(cell, system, dice.total) if isinstance(cell, tuple) else ""

    cells = {table.columns[name].title: text for name in columns if (text := out(row.cell(name)))}
    parts = [f"{title}: {text}" if len(columns) > 1 else text for title, text in cells.items()]
    return "; ".join(filter(None, (out(row.first), *parts))) if columns else out(row.effects)


def _text(table: Table, row: Row, cells: dict[str, str], many: bool, system: System) -> str:
    """A row in words: its name, what stands in its columns (named where there are `many`), its span, what it does."""
    parts = [row.name] if row.name and row.at else []
    parts += [f"first {brief_text(row.first, system)}"] if row.first else []
    parts += [f"{table.columns[name].title}: {text}" if many else text for name, text in cells.items()]
    parts += [span_words(row.lasts)] if row.lasts else []
    parts += [cell_text(table.every, system)] if table.every else []
    parts += [row_text(row, system)] if row.effects and not row.cells else []
    parts += [fill_placeholders(row.note, system)] if row.note else []
    return "; ".join(parts)

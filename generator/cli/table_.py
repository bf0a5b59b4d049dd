"""`hackjack table`: look a result up in a table, or roll it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from generator.chance import RollNeed, Seeded
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.dice import Dice
from generator.errors import HackjackError, UsageError, did_you_mean
from generator.rules import Row, Table
from generator.wording import DAGGER, measured, span


@click.command("table")
@click.argument("system")
@click.argument("table")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="The number to look up: --at trauma=3.")
@click.option("--roll", is_flag=True, help="Roll the row's dice too.")
@click.option("--seed", type=int, help="The seed for --roll.")
@pack_options
@json_option
def command(
    system: str,
    table: str,
    at: tuple[str, ...],
    roll: bool,
    seed: int | None,
    pack: Path | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Look a result up in a table, or roll it; without --at, show the whole table."""
    loaded = open_pack(system, pack, settings).system
    found = loaded.table(table)
    if found is None:
        known = [entry.id for entry in loaded.tables]
        raise UsageError(f'{loaded.head.id} has no table "{table[:40]}"{did_you_mean(table, known)}')
    rows = [_row(found, _value(found, at))] if at else list(found.rows)
    if roll and not at:
        raise UsageError(f"--roll needs a row: --at {found.by}=N")
    shapes = [_shape(found, row, roll, seed) for row in rows]
    if as_json:
        print_json(shapes[0] if at else {"table": found.id, "title": found.title, "rows": shapes})
        return
    for shape in shapes:
        rolled = f": {shape['rolled']}" if "rolled" in shape else ""
        click.echo(f"{found.by} {shape['at']}  {shape['text']}{rolled}")
    if any(shape["reconstructed"] for shape in shapes):
        click.echo(f"{DAGGER} reconstructed: no source gives it")


def _value(table: Table, at: tuple[str, ...]) -> int:
    name, _, value = at[0].partition("=")
    if len(at) > 1 or name != table.by:
        raise UsageError(f"the table {table.id} is looked up by one number: --at {table.by}=N")
    if not re.fullmatch(r"-?[0-9]{1,5}", value):
        raise UsageError(f'--at {name}: "{value[:20]}" is not a whole number')
    return int(value)


def _row(table: Table, value: int) -> Row:
    row = table.row(value)
    if row is None:
        raise HackjackError(f"the table {table.id} has no row for {value}: it covers {table.covers}")
    return row


def _shape(table: Table, row: Row, roll: bool, seed: int | None) -> dict[str, Any]:
    dagger = DAGGER if row.reconstructed else ""
    shape: dict[str, Any] = {
        "table": table.id,
        "at": str(row.at),
        "lasts": str(row.lasts),
        "text": f"{span(row.lasts)}{dagger}",
        "reconstructed": row.reconstructed,
    }
    if roll and row.lasts.amount:
        amount = _rolled(row.lasts.amount, seed)
        shape |= {"amount": amount, "unit": row.lasts.word, "rolled": measured(amount, row.lasts.word)}
    return shape


def _rolled(dice: Dice, seed: int | None) -> int:
    if seed is None:
        raise HackjackError(f"needs {dice}: roll them, or give --seed N")
    faces = Seeded(seed).roll(RollNeed(dice, "the table")) if not dice.is_number else ()
    return sum(faces) + dice.plus

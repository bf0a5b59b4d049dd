"""Steps that look up rows, and set the place that is hurt."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from generator.base.errors import HackjackError
from generator.games.content_face import Fault, known
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults, plays
from generator.games.steps.leads import led_to
from generator.games.steps.state import RefusedError
from generator.games.steps.system_views import argument_aims
from generator.model import rules
from generator.model.formulas import Formula, Result, formula_number
from generator.model.rules import LookUp, Place, Row, Suffer, System, Table
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import EffectApplier, WoundContext
from generator.play.every_way import until_it_counts
from generator.words.wording import fill_placeholders

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads
    from generator.play.chance import Chance

MAX_ROWS = 20
"""Maximum rows that one step looks up."""
_formula = lru_cache(maxsize=256)(Formula)


@plays(LookUp)
def look_up(run: EventRun, step: LookUp, applier: EffectApplier) -> Leads:
    """Look up rows, and do what each says. Raises HackjackError for too many."""
    times = 1 if step.times is None else formula_number(step.times, run)
    if not 0 <= times <= MAX_ROWS:
        raise HackjackError(f"look up 0 to {MAX_ROWS} rows at a time, not {times:,}")
    for _ in range(times):
        if not run.stopped:
            yield from _do_row(run, step, applier)


def _do_row(run: EventRun, step: LookUp, applier: EffectApplier) -> Leads:
    table, row, column = meet_row(run, step, applier)
    title, cell = _title(row, column), row.cell(column)
    source = title if step.part_of and title else f"{table.title} {row_label(row)}"
    inner = EffectApplier(run.system, source, applier.hurt, applier.lasts)
    inner.of = applier.of
    outer, run.part_of = run.part_of, step.part_of or run.part_of
    yield run.steps(row_steps(step, table, row, column), inner)
    run.part_of = outer
    applier.takes_place_of(inner)
    run.applier = applier
    if not isinstance(cell, tuple):
        run.note(said.Nothing(str(cell)))
    if row.note:
        run.note(said.Remark(row.note))


def row_steps(step: LookUp, table: Table, row: Row, column: str) -> tuple[rules.AnyEffect, ...]:
    """Return what happens in a column of a row, and last a condition for as long as the row says."""
    lasts = (Suffer(step.lasts, row.lasts),) if step.lasts and row.lasts else ()
    return (*table.does(row, column), *lasts)


def meet_row(run: EventRun, step: LookUp, applier: EffectApplier) -> tuple[Table, Row, str]:
    """Return the table, the row and the column that a step looks up; what the row does is still to come."""
    aim = run.aim(step.aimed) if step.aimed else None
    name = aim.table if aim else step.table
    if name is None:
        raise RefusedError(f"say which {step.aimed} it is: its table is looked up")
    table = table_of(run.system, name)
    result = _counting(run, step, table) if step.but else _result(run, step, table)
    row = table.row(result) if isinstance(result, int) else table.named(result) if result else None
    if row is None:
        there = f": it covers {table.covers}" if table.covers else ""
        raise HackjackError(f"the table {table.id} has no row for {result}{there}")
    column_formula = _formula(f"'{aim.column}'") if aim and aim.column else step.column
    column = _column(run, column_formula, table, row, applier)
    title, label = _title(row, column), row_label(row)
    note = fill_placeholders(row.note, run.system) if row.note else ""
    run.names |= {"row": title or label, "detail": "", "note": note}
    run.met.setdefault(table.id, []).append(label)
    run.note(said.Row(table.id, label, column, title), step.ruling or "")
    return table, row, column


def _counting(run: EventRun, step: LookUp, table: Table) -> Result:
    """Return a result whose row counts: as long as it does not, it is rolled again."""

    def roll(chance: Chance) -> Result:
        outer, run.chance = run.chance, chance
        try:
            return _result(run, step, table)
        finally:
            run.chance = outer

    def counts(result: Result) -> bool:
        row = table.row(result) if isinstance(result, int) else None
        if row is None or row.at not in step.but:
            return True
        run.note(said.Said("again", f"{table.title}, {row.at}: it is rolled again.", {}), step.ruling or "")
        return False

    return until_it_counts(run.chance, roll, counts)


def _result(run: EventRun, step: LookUp, table: Table) -> Result:
    if step.by is not None:
        return run.figure_for(step.by, step.asks or table.id)
    if table.roll is None:
        raise HackjackError(f"the table {table.id} has no die to roll: say by what it is looked up")
    return run.roll(table.roll, step.asks or table.id)


def _column(run: EventRun, formula: Formula | None, table: Table, row: Row, applier: EffectApplier) -> str:
    """Return the column: as it is told, or by the table's die; what is a part of the body is where it hits."""
    if not table.columns:
        return ""
    parts = run.system.head.parts
    column = run.figure(formula) if formula is not None else None
    if not row.written_cells:
        # What does the same everywhere asks for no place, and keeps the one that was told.
        if column in parts and not applier.hurt.part:
            applier.hurt = WoundContext(str(column), run.spoken(str(column)))
        return ""
    if column is None:
        if table.column_roll is None:
            raise HackjackError(f"the table {table.id} has no die for its columns: say which")
        face = run.roll(table.column_roll, "location")
        column = next((name for name, entry in table.columns.items() if entry.at and face in entry.at), "")
    name = str(column)
    if name not in table.columns:
        raise HackjackError(f"the table {table.id} has no column {name}")
    if name in parts and applier.hurt.part != name:
        run.hits(name, applier)
    return name


def _title(row: Row, column: str) -> str:
    """Return what a row is called in a column; empty without a name."""
    named = row.named_cell(column)
    return (named and named.name) or row.name or ""


def row_label(row: Row) -> str:
    """Return what a row is met by: its results, or else its name."""
    return str(row.at) if row.at else row.name or ""


def table_of(system: System, name: str) -> Table:
    """Return a table by its id. Raises HackjackError where it is missing."""
    table = system.table(name)
    if table is None:
        raise HackjackError(f"{system.head.id} has no table {name}")
    return table


@plays(Place)
def place(run: EventRun, step: Place, applier: EffectApplier) -> None:
    """Hurt that part of the body from now on. Raises HackjackError for what is none."""
    part, applier.placed = run.figure(step.part), True
    if part is None:
        applier.hurt = WoundContext()
    elif part in run.system.head.parts:
        run.hits(str(part), applier)
    else:
        raise HackjackError(f"{part} is not a part of the body")


# --- what types cannot say -------------------------------------------------------------------------------------------

_BRANCHES = {"then", "else", "results", "options"}


@faults(LookUp)
def look_up_faults(pack: Definitions, step: LookUp, trail: Trail) -> Iterator[Fault]:
    """Yield a table, a row or a column that is not there, dice that are missing, and a table that leads to itself."""
    yield from _return_faults(pack, step, trail)
    if not step.aimed and step.table is None:
        yield trail, "name a table, or aimed and an argument whose kinds have tables"
    kinds = argument_aims(pack.system).get(step.aimed or "", {}).values()
    with_columns = {aim.table for aim in kinds if aim.column} - {step.table}
    tables = [table for name in dict.fromkeys(led_to(step, "table", pack.system)) if (table := pack.system.table(name))]
    results = [str(row.at) for table in tables for row in table.rows if row.at]
    for span in step.but if tables else ():
        yield from known(str(span), results, "row", (*trail, "but"))
    for table in tables:
        if step.lasts and not any(row.lasts for row in table.rows):
            yield (*trail, "lasts"), f"no row of {table.id} says how long it lasts: write lasts: 2d6 weeks there"
        if step.by is None and table.roll is None:
            yield trail, f"the table {table.id} has no die to roll: say by what it is looked up"
        chosen = step.column is not None or table.column_roll is not None or table.id in with_columns
        if any(row.cells for row in table.rows) and not chosen:
            yield trail, f"the table {table.id} has columns and no die for them: say which with column"
        if step.column is not None and step.aimed is None:
            yield from _column_faults(pack, step.column, table, (*trail, "column"))


def _column_faults(pack: Definitions, column: Formula, table: rules.Table, trail: Trail) -> Iterator[Fault]:
    """Yield a column that the table never has when the step runs, as far as that can be told."""
    if column.tree.kind not in ("name", "word"):
        return
    name = str(column.tree.about)
    words = pack.word_values.get(name, set()) if column.tree.kind == "name" and name in pack.names else {name}
    if not words & pack.words or words <= {"unknown", *pack.system.head.parts, *table.columns}:
        return
    missing = sorted(words - {*table.columns, "unknown"})
    if not table.columns:
        yield trail, f"the table {table.id} has no columns: take this out"
    elif _BRANCHES.isdisjoint(trail) or words.isdisjoint(table.columns):
        columns = ", ".join(table.columns)
        yield trail, f"the table {table.id} has no column {' or '.join(missing[:4])}; it has {columns}"


def _return_faults(pack: Definitions, step: LookUp, trail: Trail) -> Iterator[Fault]:
    """Yield a table that sends back to itself, unless to rows that do not."""
    table = pack.system.tables[int(trail[1])] if trail[:1] == ("tables",) else None
    if table is None or step.table != table.id:
        return
    if trail[2] == "every":
        yield trail[:3], f"the table {table.id} sends back to itself: give another table"
        return
    spans = [row.at for row in table.rows if any(_sends_to(table.id, does) for _, does in row.lists)]
    if not {*spans} <= {*step.but}:
        which = ", ".join(str(span) for span in spans if span)
        cure = f"write but not {which} there" if None not in spans else "give another table"
        yield trail[:4], f"the table {table.id} sends back to itself: {cure}"


def _sends_to(table: str, steps: tuple[rules.AnyEffect, ...]) -> bool:
    """Return whether one of some steps looks up a table by its name."""
    return any(isinstance(step, LookUp) and step.table == table for _, step in rules.walk_effects(steps))


@faults(Place)
def place_faults(pack: Definitions, step: Place, trail: Trail) -> Iterator[Fault]:
    """Yield a part that the column of the table has hit already."""
    column = str(trail[5]) if trail[:1] == ("tables",) and trail[4:5] == ("cells",) else ""
    if column in pack.system.head.parts and step.part.plain == column:
        yield trail, f"the column {column} has hit it already, and its side: take this out"

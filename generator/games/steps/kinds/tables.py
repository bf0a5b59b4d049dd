"""Steps that look up rows, and the place that is hurt."""

from collections.abc import Iterator

from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.steps.tables import LookUp, Place
from generator.pack.strict_yaml import Trail

_BRANCHES = {"then", "else", "results", "options"}


@faults(LookUp)
def look_up_faults(pack: Definitions, step: LookUp, trail: Trail) -> Iterator[Fault]:
    """Yield a table, a row or a column that is not there, and dice that are missing."""
    if not step.aimed and step.table is None:
        yield trail, "name a table, or aimed and an argument whose kinds have tables"
    kinds = pack.system.aims.get(step.aimed or "", {}).values()
    with_columns = {aim.table for aim in kinds if aim.column} - {step.table}
    tables = [table for name in pack.system.tables_met(step) if (table := pack.system.table(name))]
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


@faults(LookUp)
def return_faults(pack: Definitions, step: LookUp, trail: Trail) -> Iterator[Fault]:
    """Yield a table that sends back to itself, unless to rows that do not."""
    table = pack.system.tables[int(trail[1])] if trail[:1] == ("tables",) else None
    if table is None or step.table != table.id:
        return
    if trail[2] == "every":
        yield trail[:3], f"the table {table.id} sends back to itself: give another table"
        return
    spans = [row.at for row in table.rows if any(_sends_to(table.id, does) for does in _lists_of(row))]
    if not {*spans} <= {*step.but}:
        which = ", ".join(str(span) for span in spans if span)
        cure = f"write but not {which} there" if None not in spans else "give another table"
        yield trail[:4], f"the table {table.id} sends back to itself: {cure}"


def _lists_of(row: rules.Row) -> Iterator[tuple[rules.AnyEffect, ...]]:
    yield from (row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple)))


def _sends_to(table: str, steps: tuple[rules.AnyEffect, ...]) -> bool:
    """Return whether one of some steps looks up a table by its name."""
    return any(isinstance(step, LookUp) and step.table == table for _, step in rules.walk_effects(steps))


@faults(Place)
def place_faults(pack: Definitions, step: Place, trail: Trail) -> Iterator[Fault]:
    """Yield a part that the column of the table has hit already."""
    column = str(trail[5]) if trail[:1] == ("tables",) and trail[4:5] == ("cells",) else ""
    if column in pack.system.head.parts and step.part.plain == column:
        yield trail, f"the column {column} has hit it already, and its side: take this out"

"""The results of tables, column by column: rows next to each other that are alike there are one result."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from msgspec import Struct

from generator.model.rules import (
    AnyEffect,
    Cell,
    Condition,
    Locate,
    NamedCell,
    Row,
    Span,
    Suffer,
    System,
    Table,
    walk_effects,
)
from generator.words.wording import capitalised

LASTING = ("day", "week", "month", "save", "permanent")
"""What lasts so is more than a passing state."""
COUNTED = LASTING[:3]
_LIMBS = 2
"""What may be any more parts than that is nowhere in particular."""
_MAX_BRINGERS = 3
"""A longer list of rows does not say what brought a condition."""
SKULL = "skull"
DEATH = "death"


class Result(Struct, frozen=True):
    """One result: where it stands, and what it does. `column` is empty where it is that of all columns."""

    table: Table
    row: int
    column: str
    at: Span
    cell: Cell

    @property
    def title(self) -> str:
        """What its column is called, or else its table."""
        return self.table.columns[self.column].title if self.column else self.table.title

    @property
    def effects(self) -> tuple[AnyEffect, ...]:
        """What it does, with what its table and its row do first."""
        return self.table.does(self.table.rows[self.row], self.column)

    @property
    def named(self) -> NamedCell | None:
        """Its cell, if that has a name of its own."""
        return self.table.rows[self.row].named_cell(self.column)


def results(tables: Iterable[Table], alike: Callable[[Row, str], object]) -> Iterator[Result]:
    """The results of tables, column by column. Rows next to each other that are `alike` there are one; those with an
    empty value are left out."""
    for table in tables:
        for column, rows in _columns(table):
            for same, run in groupby(rows, lambda row: alike(row, column)):  # noqa: B023 - used at once
                yield from _result(table, column, [*run]) if same else ()


def _columns(table: Table) -> Iterator[tuple[str, list[Row]]]:
    """Yield the columns of a table with the rows that have cells there, and as the column "" the rows without."""
    apart = [row for row in table.rows if table.columns and not row.cells]
    yield from ((column, [row for row in table.rows if row not in apart]) for column in table.columns or ("",))
    yield "", apart


def _result(table: Table, column: str, run: Sequence[Row]) -> Iterator[Result]:
    """Yield rows next to each other as one result, if they are looked up."""
    first, last = run[0].at, run[-1].at
    if first and last:
        yield Result(table, table.rows.index(run[0]), column, Span(first.low, last.high), run[0].cell(column))


def row_content(row: Row, column: str) -> tuple[object, ...] | None:
    """Return all that a row says in a column; None where it says nothing."""
    cell = row.written_cells.get(column, row.effects)
    return (row.first, cell, row.name, row.note) if row.first or cell or row.name or row.note else None


def _brought(effects: tuple[AnyEffect, ...]) -> frozenset[str]:
    """Return the conditions that effects bring."""
    return frozenset(effect.condition for _, effect in walk_effects(effects) if isinstance(effect, Suffer))


class Origins:
    """What brings the conditions of a system, and how it looks on a card."""

    def __init__(self, system: System, signs: dict[str, str] | None = None) -> None:
        self.system, self.signs = system, {**(signs or {})}

    @cached_property
    def _results(self) -> dict[str, list[Result]]:
        """The results of all tables that bring a condition, by condition."""
        found: dict[str, list[Result]] = {}
        for table in self.system.tables:
            for column, rows in _columns(table):
                places: dict[str, list[int]] = {}
                for place, row in enumerate(rows):
                    for name in _brought(table.does(row, column)):
                        places.setdefault(name, []).append(place)
                for name, at in places.items():
                    for _, run in groupby(enumerate(at), lambda pair: pair[1] - pair[0]):
                        found.setdefault(name, []).extend(_result(table, column, [rows[place] for _, place in run]))
        return found

    @cached_property
    def _bringing(self) -> dict[str, dict[str, Condition]]:
        """The conditions that bring a condition, by what they bring."""
        found: dict[str, dict[str, Condition]] = {}
        for other, condition in self.system.head.conditions.items():
            for name in _brought(condition.implies):
                found.setdefault(name, {})[other] = condition
        return found

    def sources(self, name: str) -> str:
        """Return the sources of a condition: `Arm 5-10, Leg 5-10; with Ruined`."""
        blows = [f"{result.title} {result.at}" for result in self._results.get(name, ())]
        others = [other.name for other in self._bringing.get(name, {}).values() if other.name]
        parts = [", ".join(blows)] if blows else []
        parts += [f"with {', '.join(others)}"] if others else []
        return capitalised("; ".join(parts))

    def bringers(self, name: str, word: str, place: str, held: Collection[str]) -> str:
        """Return the rows that bring a condition for such a time to such a place: `Scars 5`, `Arm 5-6 or Leg 5-6`.

        It may also have come with one of the conditions `held`. Empty where an event or a card may have brought it,
        or too many rows.
        """

        def alike(effect: AnyEffect) -> bool:
            return isinstance(effect, Suffer) and effect.condition == name and word in self._words(effect)

        inside: set[int] = set()

        def bringing(table: Table) -> Callable[[Row, str], object]:
            def brings(row: Row, column: str) -> bool:
                like = {id(effect) for _, effect in walk_effects(table.does(row, column)) if alike(effect)}
                inside.update(like)
                part = self.system.head.parts.get(column)
                return bool(like) and not (part and place and part.name not in place)

            return brings

        rows = [
            f"{result.title} {result.at}"
            for table in self.system.tables
            for result in results([table], bringing(table))
        ]
        for condition in self.system.head.conditions.values():
            inside.update(id(effect) for _, effect in walk_effects(condition.implies))
        rows += [other.name for key, other in self._bringing.get(name, {}).items() if key in held and other.name]
        sure = all(id(effect) in inside for effect in self.system.all_effects() if alike(effect))
        return " or ".join(rows) if sure and len(rows) <= _MAX_BRINGERS else ""

    def _words(self, effect: Suffer) -> tuple[str, ...]:
        """Return how the time of a condition may be written once somebody has it: weeks are counted down in days."""
        word = effect.until.word
        return (word, "day") if word in self.system.unit_days else (word,)

    def kills(self, name: str, *above: str) -> bool:
        """Tell whether a condition is death, or brings it."""
        effects = [effect for _, effect in walk_effects(self.system.head.conditions[name].implies)]
        if any(effect.kills for effect in effects):
            return True
        names = {effect.condition for effect in effects if isinstance(effect, Suffer)}
        return any(self.kills(other, name, *above) for other in names - {name, *above})

    def sign_of(self, name: str, *above: str) -> str:
        """Return the sign of a condition: where it hurts, if that is one part or a pair of limbs; a skull for death."""
        if self.kills(name):
            return SKULL
        columns = {result.column for result in self._results.get(name, ()) if result.column}
        parts = [column for column in self.system.head.parts if column in columns]
        if parts:
            return " ".join(parts) if len(parts) <= _LIMBS else ""
        if columns:
            return self.column_sign(columns.pop()) if len(columns) == 1 else ""
        signs = {
            self.sign_of(other, name, *above) for other in self._bringing.get(name, ()) if other not in (name, *above)
        }
        return signs.pop() if len(signs) == 1 else ""

    def column_sign(self, column: str) -> str:
        """Return a column's sign: its part of the body, the parts that its cells roll for, or the author's."""
        parts = self.system.head.parts
        if column in parts:
            return column
        if column not in self.signs:
            cells = (row.cell(column) for table in self.system.tables if column in table.columns for row in table.rows)
            effects = (effect for cell in cells if isinstance(cell, tuple) for _, effect in walk_effects(cell))
            located = dict.fromkeys(effect.part for effect in effects if isinstance(effect, Locate))
            self.signs[column] = " ".join(side for part in located if part in parts for side in parts[part].sides)
        return self.signs[column]

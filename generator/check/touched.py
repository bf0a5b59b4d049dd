"""What the entries of a log touch: a card, a row, a condition, a ruling, or one of the ways that something may go.

Facts of the log are typed, so this is read off their types, whatever the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from generator.model.log import Entry
from generator.model.rules import Condition, System, plain
from generator.play.piles import all_names

_NAMING = ("effect", "event", "name", "number", "of", "part", "trait", "what")
"""Fields of facts that may hold a name from the content. All others hold people, figures and sentences."""


class Touch(NamedTuple):
    """Something that may come up: `kind` is `card`, `row`, `condition`, `ruling`, `event` or `branch`.

    A row is named `TABLE ROW [COLUMN]`; a branch as the log calls it, with what decides: `tested name=STR passed=no`.
    """

    kind: str
    name: str

    @property
    def shared(self) -> bool:
        """Whether it stands in the content and is the same in each event. The others belong to one event."""
        return self.kind in ("card", "row", "condition")


class Touches:
    """Reads what the entries of one system's logs touch."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._cards = frozenset(all_names(system)) or frozenset(system.cards)
        self._names = frozenset(_strings(plain(system.head))) | frozenset(_strings(plain(system.tables)))

    def of(self, entry: Entry[Any]) -> Iterator[Touch]:
        """Yield all that an entry touches."""
        if entry.why:
            yield Touch("ruling", entry.why)
        if isinstance(entry.fact, Enum):
            yield Touch("branch", entry.kind)
            return
        known: dict[str, Any] = entry.fact._asdict()
        if known.get("table") and "at" in known:
            yield self.row(known["table"], str(known["at"]), str(known.get("column") or ""))
            return
        if known.get("card") in self._cards:
            yield Touch("card", known["card"])
        parts = [entry.kind]
        for name, value in known.items():
            if name in ("condition", "effect", "of") and value in self._conditions:
                yield Touch("condition", value)
            elif way := self._way(type(entry.fact), name, value):
                parts.append(f"{name.rstrip('_')}={way}")
        yield Touch("branch", " ".join(parts))

    def row(self, table: str, at: str, column: str = "") -> Touch:
        """A row of a table, in a column where the table has that one."""
        known = self._system.table(table)
        return Touch("row", f"{table} {at}" + (f" {column}" if known and column in known.columns else ""))

    @property
    def _conditions(self) -> dict[str, Condition]:
        return self._system.head.conditions

    def _way(self, fact: type, name: str, value: Any) -> str:
        """Which of a few ways the field of a fact stands for; empty where it is none of a few."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int) and name == "by":
            return "+" if value > 0 else "-"
        if isinstance(value, str) and (name in _choices(fact) or (name in _NAMING and value in self._names)):
            return value
        return ""


@cache
def _choices(fact: type) -> frozenset[str]:
    """The fields of a kind of fact that hold one of a few words."""
    return frozenset(name for name, kind in get_type_hints(fact).items() if _is_choice(kind))


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is Literal or (bool(get_args(kind)) and all(map(_is_choice, get_args(kind))))


def _strings(value: Any) -> Iterator[str]:
    """Every text in plain data, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)

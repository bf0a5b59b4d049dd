"""Stand-ins for what is wrong in content, so that one run of `check` judges all the rest as well.

A file with a fault is not put aside: each wrong value gives way to the plainest one that its type allows, names stay.
A mended pack is only ever checked: nothing of it is printed, played or counted.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import inspect

from generator.base.dice import Dice
from generator.base.errors import closest
from generator.model.formulas import Formula
from generator.model.rules import KINDS, type_of
from generator.pack.schema import bare_type, fits
from generator.pack.strict_yaml import Trail

_LISTS = frozenset(
    [
        *("aims", "cards", "claims", "columns", "combatants", "conditions", "constants", "decks", "events", "log"),
        *("numbers", "parts", "questions", "rows", "rulings", "statistics", "suits", "tables", "tokens", "tracks"),
        *("watches", "words"),
    ]
)
"""The keys below which entries stand, each of which is judged by itself."""
NAMES = ("id", "code", "name", "title", "at")
"""The keys that an entry is known by."""
_KEPT = frozenset(
    [*NAMES, "block", "takes", "group", "levels", "columns", "column_roll", "faces", "lines", "rows", "roll", "covers"]
)
"""Beside them the keys of an entry that others refer to."""
_PLAIN: Mapping[str, dict[str, Any]] = {
    "events": {"do": [{"do": "say", "says": "Something."}]},
    "rows": {"note": "Something."},
}
"""What an entry of a list must have in any case, although its type does not ask for it."""
_CANDIDATES = (
    "d6",
    "now",
    1,
    "1 day",
    "1-6",
    "A1",
    "1.0",
    "#000000",
    "x.png",
    "x.csv",
    "x.ttf",
    "hackjack/deck",
    0,
    True,
    1.5,
)
"""One of these fits each plain type."""
_MISSING = object()
_TEXTS = frozenset(["name", "title", "says", "flavour", "emblem", "note", "brief", "short", "ours", "source"])
"""Keys of an entry that only print something."""
_LEFT_BEHIND = frozenset(["place", "side", "rolled", "degrees", "met", "row", "card", "decks", "pile {pile}"])
"""Results that later steps use without naming the step that changed them."""


@cache
def _nameless() -> frozenset[str]:
    """Return the steps that leave no name, result or place for later ones."""
    kinds = (kind for kind in KINDS if not kind.gives and _LEFT_BEHIND.isdisjoint(kind.changes))
    return frozenset(
        str(kind.__struct_config__.tag) for kind in kinds if {*kind.leads_to} <= {"conditions", "condition {condition}"}
    )


def entry_of(trail: Trail) -> Trail:
    """Return the trail to the innermost entry that a place belongs to: a card, a row, an event, a block of a panel."""
    if trail[:1] == ("panels",):
        return trail[:4]
    at = max((at for at, key in enumerate(trail[:-1]) if key in _LISTS and at in (0, 1, 2)), default=None)
    return trail[:1] if at is None else trail[: at + 2]


def spoilt_part(trail: Trail, value: Any, misspelt: Collection[Trail]) -> Trail:
    """Return the trail to the part of an entry whose meaning a fault of form makes unknown.

    `value` is the mended file. A misspelt key spoils nothing else, for its value is read under the right one. A fault
    in a step that gives no name spoils that step, one in a text spoils that text, and any other the whole entry.
    """
    if trail in misspelt:
        return trail
    entry, part = entry_of(trail), value
    step: Trail = ()
    nameless = False
    for at, key in enumerate(trail):
        try:
            part = part[key]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(part, dict) and "do" in part and not isinstance(part["do"], list):
            step, nameless = trail[: at + 1], _gives_no_name(part)
    if step:
        return step if nameless else entry
    inside = trail[: len(entry) + 1]
    return inside if inside[-1:] and inside != entry and inside[-1] in _TEXTS else entry


def _gives_no_name(step: Any) -> bool:
    """Return whether neither a step nor any step in it gives a name, a result or a place to later ones."""
    if isinstance(step, dict):
        does = step.get("do", "say")
        return (not isinstance(does, str) or does in _nameless()) and all(map(_gives_no_name, step.values()))
    return not isinstance(step, list) or all(map(_gives_no_name, step))


def mended(value: Any, kind: type) -> tuple[Any, dict[Trail, Trail]]:
    """Return a value that fits the type: the same, but for stand-ins in the place of what does not fit.

    Besides, the places that it has where keys were misspelt, each with the place as it is written.
    """
    mending = _Mending({})
    return mending.mended(value, type_of(kind), (), ()), mending.moved


def hollow(plain: dict[str, Any], value: Any) -> bool:
    """Return whether a file that was mended lacks all its entries of some kind, since they are no list or no names."""
    written = value if isinstance(value, dict) else {}
    return any(
        isinstance(entries, list | dict) and not isinstance(written[key], type(entries))
        for key, entries in plain.items()
        if key in written
    )


def blanked(value: Any, entry: Trail, *, narrowly: bool) -> Any:
    """Return a file's value in which one entry says only what others refer to it by; `narrowly`: its names alone."""
    key: Any = entry[0] if entry else None
    if not (key in value if isinstance(value, dict) else isinstance(value, list) and key in range(len(value))):
        return value
    inner = value[key]
    if len(entry) == 1:
        names = NAMES if narrowly else _KEPT
        inner = {name: inner[name] for name in names if name in inner} if isinstance(inner, dict) else None
    else:
        inner = blanked(inner, entry[1:], narrowly=narrowly)
    if len(entry) == 2 and key in _PLAIN and inner is not value[key]:
        where: Any = entry[1]
        inner[where] = (inner[where] or {}) | _PLAIN[key]
    if isinstance(value, dict):
        return {**value, key: inner}
    return [inner if place == key else item for place, item in enumerate(value)]


class _Mending(NamedTuple):
    """`moved`: the places of what stands below misspelt keys, each with the place as it is written."""

    moved: dict[Trail, Trail]

    def mended(self, value: Any, kind: inspect.Type, trail: Trail, written: Trail) -> Any:
        """A value that fits, to stand at `trail`; it is read at `written`."""
        kind = bare_type(kind)
        if value is not _MISSING and fits(value, kind):
            return value
        match kind:
            case inspect.StructType():
                return self._struct(value if isinstance(value, dict) else {}, kind, trail, written)
            case inspect.UnionType():
                return self._union(value, kind, trail, written)
            case inspect.VarTupleType():
                items = value if isinstance(value, list) else []
                items = [*items, *[_MISSING] * ((kind.min_length or 0) - len(items))][: kind.max_length]
                # Text below a misspelt key has not been read: no effect stands in for it.
                structs = _structs(kind.item_type)
                kept = [place for place, item in enumerate(items) if not (structs and isinstance(item, str))]
                return [
                    self.mended(items[place], kind.item_type, (*trail, number), (*written, place))
                    for number, place in enumerate(kept)
                ]
            case inspect.DictType():
                entries = value if isinstance(value, dict) else {}
                return dict(self._named(entries, kind, trail, written))
            case inspect.LiteralType():
                return closest(str(value), map(str, kind.values)) or kind.values[0]
            case inspect.IntType():
                return next(bound for bound in (kind.ge, kind.le, 0) if bound is not None)
        return _plain(value, kind)

    def _named(
        self, entries: dict[str, Any], kind: inspect.DictType, trail: Trail, written: Trail
    ) -> Iterator[tuple[str, Any]]:
        for key, item in entries.items():
            name = key if fits(key, kind.key_type) else self.mended(key, kind.key_type, (), ())
            if name != key:
                self.moved[(*trail, name)] = (*written, key)
            yield name, self.mended(item, kind.value_type, (*trail, name), (*written, key))

    def _struct(self, value: dict[str, Any], kind: inspect.StructType, trail: Trail, written: Trail) -> dict[str, Any]:
        whole: dict[str, Any] = {kind.tag_field: kind.tag} if kind.tag_field else {}
        names = [field.encode_name for field in kind.fields]
        misspelt = {closest(key, names): key for key in value if key not in (*names, kind.tag_field)}
        for field in kind.fields:
            name = field.encode_name
            key = name if name in value else misspelt.get(name, name)
            if field.required or (key in value and (fits(value[key], field.type) or _matters(value[key], field.type))):
                if key != name:
                    self.moved[(*trail, name)] = (*written, key)
                whole[name] = self.mended(value.get(key, _MISSING), field.type, (*trail, name), (*written, key))
        return whole

    def _union(self, value: Any, kind: inspect.UnionType, trail: Trail, written: Trail) -> Any:
        options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
        structs = _structs(kind)
        if structs and (isinstance(value, dict) or len(structs) == len(options)):
            field = next(iter(structs.values())).tag_field or ""
            tag = str(value.get(field, "")) if isinstance(value, dict) else ""
            plainest = min(structs.values(), key=lambda struct: sum(field.required for field in struct.fields))
            chosen = structs.get(tag) or structs.get(closest(tag, structs)) or plainest
            return self.mended(value, chosen, trail, written)
        shapes: dict[type, type[inspect.Type]] = {list: inspect.VarTupleType, dict: inspect.DictType}
        shape = shapes.get(type(value), inspect.IntType)
        alike = (option for option in options if isinstance(bare_type(option), shape))
        return self.mended(value, next(alike, options[0]), trail, written)


def _plain(value: Any, kind: inspect.Type) -> Any:
    """A plain value of the type, as like the one that does not fit as can be."""
    text = value if isinstance(value, str) else ""
    snake = re.sub("[^a-z0-9_]+", "_", text.lower())[:40]
    tries = (text.upper(), text[:20], text, snake, f"x{snake}"[:40], *_CANDIDATES)
    return next(each for each in tries if fits(each, kind))


def _matters(value: Any, kind: inspect.Type) -> bool:
    """Whether something wrong is not just left out: others ask whether it is there, or parts of it are right."""
    kind = bare_type(kind)
    options = map(bare_type, kind.types if isinstance(kind, inspect.UnionType) else (kind,))
    asked_for = any(isinstance(option, inspect.CustomType) and option.cls in (Dice, Formula) for option in options)
    return asked_for or isinstance(value, dict | list)


def _structs(kind: inspect.Type) -> dict[str, inspect.StructType]:
    """Return the structs of a union by their tags."""
    kind = bare_type(kind)
    options = kind.types if isinstance(kind, inspect.UnionType) else ()
    return {str(option.tag): option for option in options if isinstance(option, inspect.StructType)}

"""A pack that extends another: what it says in place of the other's, entry by entry.

Works on plain values as they were read, before anything is converted, so that every fault is found once and in the
file that holds the entry. An entry stands for itself: what a card says is all that this card does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import Problem, did_you_mean
from generator.model.procedures import Steps
from generator.model.rules import Span
from generator.pack.strict_yaml import Key, Marks, Trail


class Whole(Struct, frozen=True):
    """What the pack says takes the place of the other's."""


class Keys(Struct, frozen=True):
    """Keys and values: each key of the pack takes the place of the other's, and the rest stays.

    `inside` says how some keys are joined, `each` how all others are. Where the keys are names that the author chose,
    `noun` is what they name, and a name without a value (null) takes the other's out.
    """

    inside: Mapping[str, How] = {}
    each: How = Whole()
    noun: str = ""


class Entries(Struct, frozen=True):
    """A list whose entries are known by a key of theirs: an entry takes the place of the other's of that name."""

    key: str
    noun: str
    each: How = Whole()


class Rows(Struct, frozen=True):
    """The rows of a table: a row takes the place of all whose results it covers, or of the one of that name."""


class Numbers(Struct, frozen=True):
    """The numbers of a procedure: joined where both are of one kind."""


How = Whole | Keys | Entries | Rows | Numbers

_DECK = Keys(
    {"cards": Entries("code", "card"), "faces": Keys(noun="face"), "lines": Keys(noun="line"), "headings": Keys()}
)
_HOW: Mapping[str, How] = {
    "system.yaml": Keys(
        {
            "procedure": Numbers(),
            "suits": Entries("id", "suit"),
            "tracks": Keys(noun="track"),
            "statistics": Keys(noun="statistic"),
            "conditions": Keys(noun="condition"),
            "parts": Keys(noun="part"),
            "rulings": Entries("id", "ruling"),
            "events": Keys(noun="event"),
            "questions": Keys(noun="question"),
            "cards": Entries("name", "set of cards"),
            "backs": Keys(noun="set of cards"),
        }
    ),
    "deck.yaml": _DECK,
    "decks.yaml": Keys({"decks": Entries("id", "deck", _DECK)}),
    "tables.yaml": Keys({"tables": Entries("id", "table", Keys({"rows": Rows(), "columns": Keys(noun="column")}))}),
    "claims.yaml": Keys({"claims": Entries("id", "claim")}),
    "theme.yaml": Keys({"palette": Keys(), "fonts": Keys()}),
    "page.yaml": Keys(
        {
            "tokens": Keys(noun="token"),
            "states": Keys(noun="state"),
            **{key: Keys(noun="action") for key in ("next", "likely", "players")},
            "groups": Keys(noun="group"),
            "moments": Keys(noun="moment"),
        }
    ),
}
"""How the files are joined; of any other file the pack's own takes the place of the whole."""

_LISTS = ("constants", "aims")
"""What the author of a procedure has named: numbers, and kinds of something."""
_PROCEDURE = Keys({"aims": Keys(each=Keys())}, each=Keys(each=Keys()))

_NO_END = 10**6


class YamlValue(Struct, frozen=True):
    """A part of a file as it was read: the value, and where it stands."""

    value: Any
    marks: Marks
    trail: Trail = ()

    def at(self, key: Key) -> YamlValue:
        """What stands there under a key, or at a place of a list."""
        return YamlValue(self.value[key], self.marks, (*self.trail, key))

    def entries(self) -> list[YamlValue]:
        """What stands in a list."""
        return [self.at(place) for place in range(len(self.value))]

    def problem(self, message: str, *below: Key) -> Problem:
        """A problem there, or at something below it."""
        return self.marks.problem((*self.trail, *below), message)


def extended(name: str, base: YamlValue, own: YamlValue) -> tuple[YamlValue, list[Problem]]:
    """A file of a pack joined to that of the pack it extends, and what cannot be joined."""
    if name == "theme.yaml" and isinstance(own.value, dict) and "like" in own.value:
        return own, []  # It begins with another look than that of the pack.
    return joined(name, base, own)


def joined(name: str, base: YamlValue, own: YamlValue) -> tuple[YamlValue, list[Problem]]:
    """The same for any two files of a name, the own one on top."""
    joining = _Joining(Marks(own.marks.file))
    value = joining.join(base, own, _HOW.get(name, Whole()), ())
    return YamlValue(value, joining.marks), joining.problems


class _Joining:
    """Joins two values, remembers where everything came from, and gathers what is wrong."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.problems: list[Problem] = []

    def join(self, base: YamlValue, own: YamlValue, how: How, trail: Trail) -> Any:
        """Both in one, to stand at `trail`. Values of an unexpected shape stay as they are: the reader says so."""
        self._from(own, trail)
        shape = dict if isinstance(how, Keys | Numbers) else list
        if isinstance(how, Whole) or not isinstance(base.value, shape) or not isinstance(own.value, shape):
            return own.value
        match how:
            case Keys():
                return self._keys(base, own, how, trail)
            case Numbers():
                kind = base.at("kind").value if "kind" in base.value else None
                if "kind" in own.value and own.at("kind").value != kind:
                    return own.value
                return self._numbers(base, own, trail)
            case Entries():
                return self._entries(base, own, how, trail)
            case Rows():
                rows, problems = _rows(base, own)
                self.problems += problems
                return self._list(rows, trail)
            case _:
                assert_never(how)

    def _numbers(self, base: YamlValue, own: YamlValue, trail: Trail) -> dict[str, Any]:
        """Numbers by name. Those that the author of the other has named may stand without the list that they are in."""
        lists = {name: base.value[name] for name in _LISTS if isinstance(base.value.get(name), dict)}
        known_keys = {*base.value, *(Steps.__struct_fields__ if lists else ())}
        listed = {
            key: name for name, entries in lists.items() for key in entries if key in own.value.keys() - known_keys
        }
        unknown = own.value.keys() - known_keys - listed.keys() if lists else set()
        for key in sorted(unknown):
            there = [name for entries in lists.values() for name in entries]
            hint = did_you_mean(key, there) or f": there are {', '.join(there)}"
            message = (
                f'the procedure has no "{key}"{hint}; conditions, tables and events are changed by their own names'
            )
            self.problems.append(own.problem(message, key))
        kept = {key: value for key, value in own.value.items() if key not in listed and key not in unknown}
        joined = self._keys(base, replace(own, value=kept), _PROCEDURE, trail)
        for key, name in listed.items():
            entry = self.join(base.at(name).at(key), own.at(key), Keys(), (*trail, name, key))
            joined[name] = {**joined[name], key: entry}
        return joined

    def _from(self, part: YamlValue, trail: Trail) -> Any:
        """Note where what stands at `trail` comes from; gives its value."""
        self.marks.grafts[trail] = (part.marks, part.trail)
        return part.value

    def _keys(self, base: YamlValue, own: YamlValue, how: Keys, trail: Trail) -> dict[str, Any]:
        joined = {key: self._from(base.at(key), (*trail, key)) for key in base.value}
        for key, value in own.value.items():
            if value is None and how.noun:
                if key not in base.value:
                    hint = did_you_mean(key, base.value)
                    message = f'there is no {how.noun} "{key}" to take out{hint}'
                    self.problems.append(own.problem(message, key))
                joined.pop(key, None)
            elif key in base.value:
                inner = how.inside.get(key, how.each)
                joined[key] = self.join(base.at(key), own.at(key), inner, (*trail, key))
            else:
                joined[key] = self._from(own.at(key), (*trail, key))
        if isinstance(how.inside.get("rows"), Rows) and "rows" in own.value and "covers" not in own.value:
            # Rows that leave the table's range are the pack's doing: that is where it has to be mended.
            self.marks.grafts[(*trail, "covers")] = (own.marks, (*own.trail, "rows"))
        return joined

    def _entries(self, base: YamlValue, own: YamlValue, how: Entries, trail: Trail) -> list[Any]:
        there = {_named(entry, how.key): entry for entry in base.entries()}
        entries: dict[Any, YamlValue] = {}
        nameless = []
        for entry in own.entries():
            name = _named(entry, how.key)
            if name is None:
                nameless.append(entry)
            elif name in entries:
                first = entries[name].problem("", how.key).line
                message = f'the {how.noun} "{name}" appears twice: it is on line {first} already'
                self.problems.append(entry.problem(message, how.key))
            else:
                entries[name] = entry
        order = [*base.entries(), *(entry for name, entry in entries.items() if name not in there), *nameless]
        joined: list[Any] = []
        for entry in order:
            where, name = (*trail, len(joined)), _named(entry, how.key)
            mine = entries.get(name, entry) if name is not None else entry
            joined.append(self._from(entry, where) if mine is entry else self.join(entry, mine, how.each, where))
        return joined

    def _list(self, entries: list[YamlValue], trail: Trail) -> list[Any]:
        return [self._from(entry, (*trail, place)) for place, entry in enumerate(entries)]


def names(file: YamlValue, key: str) -> Iterator[str]:
    """What the entries of a file's only list are called; nothing where it has another shape."""
    if isinstance(file.value, dict):
        for entries in file.value.values():
            if isinstance(entries, list):
                for entry in entries:
                    if isinstance(entry, dict) and isinstance(entry.get(key), str):
                        yield entry[key]


def _named(entry: YamlValue, key: str) -> str | None:
    """What an entry is called; nothing where it does not say so in a word."""
    name = entry.value.get(key) if isinstance(entry.value, dict) else None
    return name if isinstance(name, str) else None


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(base: YamlValue, own: YamlValue) -> tuple[list[YamlValue], list[Problem]]:
    """Return the rows of both, those by number in order, and what is wrong with them."""
    mine = own.entries()
    spans = [(span, row) for row in mine if (span := _span(row)) is not None]
    kept, problems = [], []
    for row in base.entries():
        span = _span(row)
        if span is None:
            if not any(_same_name(row, other) for other in mine):
                kept.append(row)
            continue
        over = [(other, entry) for other, entry in spans if other[0] <= span[1] and span[0] <= other[1]]
        if not over:
            kept.append(row)
        elif not _covered(span, [other for other, _ in over]):
            written = row.value["at"]
            message = f"this takes a part of the row {written}: give rows for the rest of {written} too"
            problems.append(over[0][1].problem(message, "at"))
    rows = _in_place(base, kept, mine)
    if all(_span(row) is not None for row in rows):
        # Rows that an author left unsorted stay so where nothing was changed; here the new ones find their places.
        rows.sort(key=lambda row: _span(row) or (0, 0))
    return rows, problems


def _in_place(base: YamlValue, kept: list[YamlValue], mine: list[YamlValue]) -> list[YamlValue]:
    """Rows by name stay where they stood; new ones follow."""
    rows: list[YamlValue] = []
    left = list(mine)
    for row in base.entries():
        if any(row.trail == other.trail for other in kept):
            rows.append(row)
        elif _span(row) is None:
            for other in [other for other in left if _same_name(row, other)]:
                rows.append(other)
                left.remove(other)
    return rows + left


def _span(row: YamlValue) -> tuple[int, int] | None:
    """The results that a row covers, from and to; nothing where it has none or they cannot be read."""
    written = row.value.get("at") if isinstance(row.value, dict) else None
    if not isinstance(written, str | int) or isinstance(written, bool):
        return None
    try:
        span = Span.parse(written)
    except ValueError:
        return None
    return span.low, _NO_END if span.high is None else span.high


def _covered(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    """Whether every result of a span is in one of the others."""
    reached = span[0]
    for low, high in sorted(others):
        if low > reached:
            return False
        reached = max(reached, high + 1)
    return reached > span[1]


def _same_name(row: YamlValue, other: YamlValue) -> bool:
    name, another = _named(row, "name"), _named(other, "name")
    return name is not None and another is not None and name.casefold() == another.casefold()

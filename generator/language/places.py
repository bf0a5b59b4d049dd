"""Where text stands in the files of a pack, and the plain values in place of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from generator.language.headings import read_event
from generator.language.names import Names
from generator.language.reader import read_steps
from generator.language.tokens import TextError
from generator.language.values import Places, Trail
from generator.language.writer import write_steps

Mark = tuple[int, int]

_CARD = (("effects",), ("for_good",), ("faces", "*", "effects"))
_EVENT = ("events", "*")
_ROW = ("tables", "*", "rows", "*")
_CELLS = (*_ROW, "cells", "*")
TEXTS: Mapping[str, tuple[Trail, ...]] = {
    "system.yaml": (
        _EVENT,
        ("watches", "*", "do"),
        ("conditions", "*", "implies"),
        ("conditions", "*", "each", "*"),
        ("conditions", "*", "ends", "*"),
    ),
    "deck.yaml": tuple(("cards", "*", *each) for each in _CARD),
    "decks.yaml": tuple(("decks", "*", "cards", "*", *each) for each in _CARD),
    "tables.yaml": (("tables", "*", "every"), (*_ROW, "first"), (*_ROW, "effects"), _CELLS, (*_CELLS, "effects")),
}
"""The values of each file that may be text. A cell is text if it has several lines, or stands in brackets."""
_SHOWN = 100
"""Maximum length of a statement that a message shows, in characters."""
TORN = "a comma or a colon has torn this text: write it below |, a statement on each line"


class Marks(Protocol):
    """The line and column of every value of a file, from 1."""

    values: dict[Trail, Mark]
    keys: dict[Trail, Mark]
    blocks: dict[Trail, Mark]
    quoted: set[Trail]
    folded: set[Trail]


class Slip(NamedTuple):
    """A fault in a text of a file, with line and column from 1."""

    line: int
    column: int
    message: str


def texts_of(value: Any, pattern: Trail, trail: Trail = ()) -> Iterator[tuple[Trail, Any, Any]]:
    """Yield every value that a pattern leads to: its trail, what holds it, and the value."""
    key, *rest = pattern
    if isinstance(value, dict):
        inner: list[tuple[Any, Any]] = (
            list(value.items()) if key == "*" else [(key, value[key])] if key in value else []
        )
    elif isinstance(value, list) and key == "*":
        inner = list(enumerate(value))
    else:
        return
    for name, item in inner:
        if rest:
            yield from texts_of(item, tuple(rest), (*trail, name))
        else:
            yield (*trail, name), value, item


def read_texts(name: str, value: Any, marks: Marks, events: Mapping[str, Any], names: Names) -> list[Slip]:
    """Put the plain values in place of every text of a file. Return what is wrong in them.

    `events` are those of the packs below; the file's own come before them.
    """
    slips: list[Slip] = []
    for pattern in TEXTS.get(name, ()):
        for trail, holder, written in texts_of(value, pattern):
            if pattern == _EVENT:
                known = {**events, **holder}
                if isinstance(written, str) or (isinstance(written, dict) and isinstance(written.get("do"), str)):
                    _event(trail, holder, written, marks, known, names, slips)
                elif isinstance(written, dict) and isinstance(written.get("do"), list | dict):
                    _listed((*trail, "do"), written, written["do"], marks, names, slips)
            elif isinstance(written, str) and (pattern != _CELLS or "\n" in written):
                steps, places, errors = _steps(written, trail, names)
                _place(places, trail, marks, trail)
                holder[trail[-1]] = [] if errors else steps
                slips += _slips(_unfolded(errors, trail, marks), trail, marks)
            elif isinstance(written, list) or (isinstance(written, dict) and "do" in written):
                _listed(trail, holder, written, marks, names, slips)
    return slips


def _steps(written: str, trail: Trail, names: Names) -> tuple[list[dict[str, Any]], Places, list[TextError]]:
    steps, reader = read_steps(written, names, in_event=trail[0] == "events")
    return steps, reader.places, reader.errors


def _event(
    trail: Trail, holder: Any, written: Any, marks: Marks, events: Mapping[str, Any], names: Names, slips: list[Slip]
) -> None:
    """Read an event: a text of its own, or a mapping with its steps, and what stands above them, as text."""
    place = trail if isinstance(written, str) else (*trail, "do")
    event, reader = read_event(written if isinstance(written, str) else written["do"], events, names)
    _place(reader.places, place, marks, trail)
    slips += _slips(_unfolded(reader.errors, place, marks), place, marks)
    if isinstance(written, str):
        holder[trail[-1]] = event
    else:
        for key in event.keys() & written.keys() - {"do"}:
            slips.append(Slip(*marks.keys[(*trail, key)], f'"{key}" stands in the text already: keep one of the two'))
        written |= event
    if reader.errors:
        holder[trail[-1]] |= {"do": []} | {key: [] for key in ("needs",) if key in event}
        holder[trail[-1]].setdefault("says", "an event")


def _listed(trail: Trail, holder: Any, written: Any, marks: Marks, names: Names, slips: list[Slip]) -> None:
    """Read the statements in brackets. Refuse steps that are mappings, which earlier versions had."""
    if isinstance(written, dict):
        slips.append(Slip(*marks.values[trail], form_with_keys([written], names)))
        holder[trail[-1]] = []
        return
    if (*trail, 0) not in marks.values:
        # These are steps of a spreadsheet, which are read already.
        return
    steps: list[Any] = []
    keyed = [each for each in written if isinstance(each, dict) and "do" in each]
    rest = 0
    for number, each in enumerate(written):
        at = (*trail, number)
        if number < rest:
            continue
        if rest := _rest_of_torn(written, number):
            slips.append(Slip(*marks.values[at], TORN))
        elif isinstance(each, str):
            inner, places, errors = _steps(each, trail, names)
            moved = {(len(steps) + int(where[0]), *where[1:]): place for where, place in places.items()}
            _place(moved, at, marks, trail)
            slips += _slips(errors, at, marks)
            steps += inner
        elif isinstance(each, dict) and "do" in each:
            if each is keyed[0]:
                slips.append(Slip(*marks.values[at], form_with_keys(keyed, names)))
        elif _is_torn(each):
            slips.append(Slip(*marks.values[at], TORN))
        else:
            steps.append(each)
    holder[trail[-1]] = steps


def form_with_keys(steps: Sequence[Any], names: Names | None = None) -> str:
    """Return what is said of steps that are mappings: the same as text, if it can be written."""
    try:
        lines = write_steps(steps, names, inline=True, width=_SHOWN)
    except (AttributeError, IndexError, LookupError, RecursionError, TypeError, ValueError):
        return "write this as text, such as hp -= 2 or suffer prone until stand"
    if any(not line.isprintable() or len(line) > _SHOWN for line in lines[:1]):
        return "write this as text, such as hp -= 2 or suffer prone until stand"
    if lines[0].endswith(":"):
        return f"write this as text below |, beginning with {lines[0]}"
    return f"write this as text: {lines[0] if len(lines) == 1 else f'{lines[0]}, and so on'}"


def _is_torn(value: Any) -> bool:
    """Return whether YAML has made a mapping of a statement, because it holds a colon: `if hp == 0: die`."""
    return isinstance(value, dict) and len(value) == 1 and " " in next(iter(value))


def _rest_of_torn(written: list[Any], number: int) -> int:
    """Return the place after the last piece of a statement that a comma between parentheses has torn; 0 if none has."""
    opened = [_open_parentheses(each) for each in written[number:]]
    if opened[0] <= 0:
        return 0
    return next((number + place + 1 for place, count in enumerate(opened) if count < 0), 0)


def _open_parentheses(piece: Any) -> int:
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", piece) if isinstance(piece, str) else ""
    return bare.count("(") - bare.count(")")


def _origin(trail: Trail, marks: Marks) -> Mark:
    """Return the line and column where a text begins."""
    line, column = marks.values[trail]
    return marks.blocks.get(trail) or (line, column + (trail in marks.quoted))


def _place(places: Places, text: Trail, marks: Marks, at: Trail) -> None:
    """Give every value of a text its mark."""
    line, column = _origin(text, marks)
    for where, (down, along) in places.items():
        marks.values[(*at, *where)] = marks.keys[(*at, *where)] = (line + down, column + along)


def _unfolded(errors: list[TextError], trail: Trail, marks: Marks) -> list[TextError]:
    """Return what is wrong in a text, or of one behind YAML's >, which makes one line of all, that this is so."""
    if errors and trail in marks.folded:
        return [TextError(0, 0, "write | in place of >, which makes one line of all: each statement has its own")]
    return errors


def _slips(errors: list[TextError], trail: Trail, marks: Marks) -> list[Slip]:
    line, column = _origin(trail, marks)
    return [Slip(line + each.line, column + each.column, each.message) for each in errors]

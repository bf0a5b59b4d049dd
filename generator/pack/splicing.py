"""Changing one place of an author's YAML: comments, order and style of everything else stay to the byte.

Text and edits go in, text comes out. The text is cut where the parser says that a value begins and ends, and it is read
again with the strict reader: if anything else has changed, the edit is refused.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import yaml
from msgspec import Struct

from generator.base.errors import ContentError, HackjackError
from generator.pack import strict_yaml
from generator.pack.strict_yaml import Key, Trail, read_text

MAX_WIDTH = 120
"""Columns of a line that we write, if its parts can go on lines of their own."""

_INDENT = 2


class Put(Struct, frozen=True):
    """Give the place at `trail` a value. A new key goes behind the last of those that come before it in `order`."""

    trail: Trail
    value: Any
    order: Sequence[str] = ()


class Cut(Struct, frozen=True):
    """Remove a key, or an entry of a list."""

    trail: Trail


class Add(Struct, frozen=True):
    """Insert an entry into the list at `trail`; from there on the others follow it."""

    trail: Trail
    at: int
    value: Any


class Move(Struct, frozen=True):
    """Move an entry of the list at `trail`: `to` is its place afterwards."""

    trail: Trail
    at: int
    to: int


Edit = Put | Cut | Add | Move


def spliced(text: str, label: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits made one after the other. `label` is the name that errors give the file.

    Raises ContentError for a text that is not strict YAML, HackjackError where an edit cannot be made.
    """
    value, _ = read_text(text, label)
    for edit in edits:
        for step in _steps(value, edit):
            value = edited(value, step)
            text = next((new for new in _Splice(text).texts(step) if _reads(new, value)), "")
            if not text:
                raise HackjackError(f"{label} cannot be changed here without changing more: edit this place by hand")
    return text


def edited(value: Any, edit: Edit) -> Any:
    """Return plain data after an edit. Raises HackjackError if there is no such place."""
    levels = 1 if isinstance(edit, Put | Cut) else 0
    if len(edit.trail) > levels:
        return _with(value, edit.trail[0], edited(_at(value, edit.trail[0]), _below(edit)))
    match edit:
        case Put():
            return _with(value, edit.trail[0], edit.value) if edit.trail else edit.value
        case Cut():
            last = edit.trail[0]
            _at(value, last)
            if isinstance(value, dict):
                return {key: item for key, item in value.items() if key != last}
            return [item for place, item in enumerate(value) if place != last]
        case Add():
            return [*(value or ())[: edit.at], edit.value, *(value or ())[edit.at :]]
        case Move():
            rest = [item for place, item in enumerate(value) if place != edit.at]
            return [*rest[: edit.to], _at(value, edit.at), *rest[edit.to :]]


def _below(edit: Edit) -> Edit:
    """Return the same edit, seen from one level further in."""
    trail = edit.trail[1:]
    match edit:
        case Put():
            return Put(trail, edit.value, edit.order)
        case Cut():
            return Cut(trail)
        case Add():
            return Add(trail, edit.at, edit.value)
        case Move():
            return Move(trail, edit.at, edit.to)


def _at(value: Any, key: Key) -> Any:
    if isinstance(value, dict) or value is None:
        return (value or {}).get(key)
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    raise HackjackError("There is no such place in the file any more. Look at it again.")


def _with(value: Any, key: Key, item: Any) -> Any:
    if isinstance(value, list):
        _at(value, key)
        return [item if place == key else other for place, other in enumerate(value)]
    return {**(value or {}), key: item}


def _steps(value: Any, edit: Edit) -> Iterator[Edit]:
    """Yield the smallest edits that come to the same: of a list or of keys, only what differs."""
    if not isinstance(edit, Put):
        yield edit
        return
    old = value
    for key in edit.trail:
        old = _at(old, key) if old is not None else None
    yield from _differences(old, edit)


def _differences(old: Any, edit: Put) -> Iterator[Edit]:
    new, trail = edit.value, edit.trail
    if _same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() & new.keys():
        yield from (Cut((*trail, key)) for key in old if key not in new)
        for key, item in new.items():
            yield from _differences(old.get(key), Put((*trail, key), item, tuple(new)))
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        start = sum(1 for _ in takewhile(lambda pair: _same(*pair), zip(old, new, strict=False)))
        room = min(len(old), len(new)) - start
        ends = zip(reversed(old), reversed(new), strict=False)
        end = min(room, sum(1 for _ in takewhile(lambda pair: _same(*pair), ends)))
        for place in range(start, min(len(old), len(new)) - end):
            yield from _differences(old[place], Put((*trail, place), new[place]))
        for place in range(len(old) - end - 1, len(new) - end - 1, -1):
            yield Cut((*trail, place))
        for place in range(len(old) - end, len(new) - end):
            yield Add(trail, place, new[place])
    else:
        yield edit


def _same(one: Any, other: Any) -> bool:
    """Return whether plain values are equal and of the same types: 1 is neither true nor 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(item, other[key]) for key, item in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


def _reads(text: str, value: Any) -> bool:
    try:
        return _same(read_text(text, "")[0], value)
    except ContentError:
        return False


# --- values as text --------------------------------------------------------------------------------------------------


def flow(value: Any) -> str:
    """Return a plain value as it is written on one line, between braces if need be."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow(key)}: {flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, str):
        plain: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=10**6)[1:-2]
        return plain if plain == value else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def block(value: Any, column: int, before: int, newline: str = "\n") -> str:
    """Return a value as it is written behind a key that stands at that column, and whose line has so many letters."""
    if isinstance(value, str) and "\n" in value:
        inner = newline + " " * (column + _INDENT)
        return f" |{inner}{inner.join(value.rstrip(newline).split(newline))}"
    one_line = flow(value)
    # Rows, cards and tables become many, what happens rarely does; and a text of several lines has its own.
    grows = isinstance(value, dict) and "\\n" in one_line
    grows |= isinstance(value, list) and any(isinstance(item, dict) and "do" not in item for item in value)
    if not isinstance(value, dict | list) or not value or (not grows and before + 1 + len(one_line) <= MAX_WIDTH):
        return f" {one_line}"
    inner = " " * (column + _INDENT)
    if isinstance(value, dict):
        lines = _keyed(value, len(inner), newline)
    else:
        lines = [entry(item, len(inner), newline, keyed=False) for item in value]
    return "".join(f"{newline}{inner}{line}" for line in lines)


def entry(value: Any, column: int, newline: str, *, keyed: bool) -> str:
    """Return a value as an entry of a list whose dashes stand at that column; `keyed` puts each key on its own line."""
    keyed = keyed or (isinstance(value, dict) and any(isinstance(value.get(key), list) for key in ("rows", "cards")))
    if not isinstance(value, dict) or not value or (not keyed and column + 2 + len(flow(value)) <= MAX_WIDTH):
        return f"- {flow(value)}"
    inner = column + _INDENT
    between = newline + " " * inner
    return f"- {between.join(_keyed(value, inner, newline))}"


def _keyed(value: dict[str, Any], column: int, newline: str) -> list[str]:
    return [f"{flow(key)}:{block(item, column, column + len(key) + 1, newline)}" for key, item in value.items()]


# --- cutting ---------------------------------------------------------------------------------------------------------


class _Place(Struct):
    """A value in a text: its node, the one that holds it, its place there, and whether that is between braces."""

    node: Any
    parent: Any
    at: int
    flow: bool


class _Splice:
    """A text and its nodes, for one edit."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Any = yaml.compose(text, Loader=strict_yaml.LOADER)
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def texts(self, edit: Edit) -> Iterator[str]:
        """Yield texts with the edit made, the one that changes least first."""
        match edit:
            case Put():
                yield from self._put(edit)
            case Cut():
                yield self._dropped(edit.trail)
            case Add():
                yield self._added(edit.trail, edit.at, edit.value)
            case Move():
                yield self._moved(edit)

    def _find(self, trail: Trail) -> _Place | None:
        place = _Place(self.root, None, 0, False)
        for key in trail:
            node = place.node
            if isinstance(node, yaml.MappingNode):
                at = next((at for at, (name, _) in enumerate(node.value) if name.value == key), None)
                inner = None if at is None else node.value[at][1]
            else:
                at = key if isinstance(node, yaml.SequenceNode) and isinstance(key, int) else None
                inner = None if at is None or at >= len(node.value) else node.value[at]
            if at is None or inner is None:
                return None
            place = _Place(inner, node, at, place.flow or bool(node.flow_style))
        return place

    def _there(self, trail: Trail) -> _Place:
        place = self._find(trail)
        if place is None:
            raise HackjackError("There is no such place in the file any more. Look at it again.")
        return place

    def _put(self, edit: Put) -> Iterator[str]:
        trail, value, order = edit.trail, edit.value, edit.order
        while (place := self._find(trail)) is None:
            above = self._find(trail[:-1])
            if above is not None and isinstance(above.node, yaml.MappingNode):
                yield self._with_key(above, str(trail[-1]), value, order)
                return
            # What holds it is not there either, or says nothing yet.
            value, order, trail = {trail[-1]: value}, (), trail[:-1]
        node = place.node
        start, end = node.start_mark.index, self._end(node)
        is_block = isinstance(value, str) and "\n" in value and not place.flow and place.parent is not None
        is_block = is_block and getattr(node, "style", "") != "|"
        if isinstance(node, yaml.ScalarNode) and not isinstance(value, dict | list) and end > start and not is_block:
            for text in self._scalars(node, value, self.text[start:end]):
                yield self.text[:start] + text + self.text[end:]
            return
        before, column, width = self._lead(place)
        if place.flow:
            yield self.text[:start] + flow(value) + self.text[end:]
        elif place.parent is None:
            yield self.text[:start] + block(value, -_INDENT, 0, self.newline).lstrip(" \r\n") + self.text[end:]
        else:
            yield self.text[:before] + block(value, column, width, self.newline) + self.text[end:]

    def _lead(self, place: _Place) -> tuple[int, int, int]:
        """Return where the text before a value ends, its column, and how wide the line is up to there."""
        if isinstance(place.parent, yaml.MappingNode):
            key = place.parent.value[place.at][0]
            colon = self.text.index(":", key.end_mark.index)
            return colon + 1, key.start_mark.column, key.start_mark.column + len(key.value) + 1
        if isinstance(place.parent, yaml.SequenceNode) and not place.flow:
            dash = self._dashes(place.parent)[place.at]
            column = dash - self._line(dash)
            return dash + 1, column, column + 1
        return place.node.start_mark.index, 0, 0

    def _scalars(self, node: yaml.ScalarNode, value: Any, raw: str) -> Iterator[str]:
        """Yield a plain value as it may be written in place of another one."""
        if isinstance(value, str):
            if node.style == "|" and "\n" in value:
                head, _, rest = raw.partition("\n")
                indent = " " * (len(rest) - len(rest.lstrip(" ")))
                lines = (f"{indent}{line}".rstrip() for line in value.rstrip("\n").split("\n"))
                yield self.newline.join([head.rstrip("\r"), *lines])
            if "\n" in raw:
                yield _rewrapped(raw, node.value, value)
            if node.style == "'" and "\n" not in value:
                yield "'" + value.replace("'", "''") + "'"
            if node.style == '"':
                yield json.dumps(value, ensure_ascii=False)
            if not node.style:
                plain: str = yaml.safe_dump(value, allow_unicode=True, width=10**6).removesuffix("\n...\n").rstrip("\n")
                if plain == value:
                    yield value
        yield flow(value)

    def _with_key(self, place: _Place, key: str, value: Any, order: Sequence[str]) -> str:
        node, text = place.node, self.text
        names = [name.value for name, _ in node.value]
        before = order[: order.index(key)] if key in order else order
        at = max((names.index(name) + 1 for name in before if name in names), default=0 if key in order else len(names))
        if place.flow or node.flow_style:
            pair = f"{flow(key)}: {flow(value)}"
            if not names:
                where = node.start_mark.index + 1
                return text[:where] + pair + text[where:]
            if at == 0:
                where = node.value[0][0].start_mark.index
                return f"{text[:where]}{pair}, {text[where:]}"
            where = self._end(node.value[at - 1][1])
            return f"{text[:where]}, {pair}{text[where:]}"
        column = node.start_mark.column
        pair = f"{flow(key)}:{block(value, column, column + len(key) + 1, self.newline)}"
        if at == 0:
            where = node.value[0][0].start_mark.index
            return f"{text[:where]}{pair}{self.newline}{' ' * column}{text[where:]}"
        where = self._line_end(self._end(node.value[at - 1][1]))
        return f"{text[:where]}{self.newline}{' ' * column}{pair}{text[where:]}"

    def _dropped(self, trail: Trail) -> str:
        place, text = self._there(trail), self.text
        parent = place.parent
        if parent is None:
            raise HackjackError("A file cannot be removed as if it were a part of itself.")
        if len(parent.value) == 1:
            empty: dict[str, Any] | list[Any] = {} if isinstance(parent, yaml.MappingNode) else []
            return next(self._put(Put(trail[:-1], empty)))
        keyed = isinstance(parent, yaml.MappingNode)
        starts = [(item[0] if keyed else item).start_mark.index for item in parent.value]
        ends = [self._end(item[1] if keyed else item) for item in parent.value]
        at = place.at
        if place.flow:
            first, last = (starts[at], starts[at + 1]) if at + 1 < len(starts) else (ends[at - 1], ends[at])
            return text[:first] + text[last:]
        if not keyed:
            starts = self._dashes(parent)
        first, line, last = starts[at], self._line(starts[at]), self._line_end(ends[at])
        if not keyed and at and text[self._line_end(ends[at - 1]) : line].replace("\r", "") == "\n\n":
            first = line = line - len(self.newline)
        if text[line:first].strip():
            # It begins behind a dash, and what follows it moves up; comments in between stay where they are.
            between = text[last : starts[at + 1]]
            if between.strip():
                return text[:first].rstrip(" ") + text[last:]
            return text[:first] + text[starts[at + 1] :]
        if last + len(self.newline) <= len(text):
            return text[:line] + text[last + len(self.newline) :]
        return text[: max(0, line - len(self.newline))] + text[last:]

    def _added(self, trail: Trail, at: int, value: Any, raw: str = "") -> str:
        place, text = self._find(trail), self.text
        if place is None or not isinstance(place.node, yaml.SequenceNode) or not place.node.value:
            return next(self._put(Put(trail, [value])))
        node = place.node
        at = max(0, min(at, len(node.value)))
        if place.flow or node.flow_style:
            raw = raw or flow(value)
            if at < len(node.value):
                where = node.value[at].start_mark.index
                return f"{text[:where]}{raw}, {text[where:]}"
            where = self._end(node.value[-1])
            return f"{text[:where]}, {raw}{text[where:]}"
        dashes = self._dashes(node)
        column = dashes[0] - self._line(dashes[0])
        like = node.value[max(0, at - 1)]
        keyed = isinstance(like, yaml.MappingNode) and not like.flow_style
        raw = raw or entry(value, column, self.newline, keyed=keyed)
        if at == 0:
            return f"{text[: dashes[0]]}{raw}{self.newline}{' ' * column}{text[dashes[0] :]}"
        where = self._line_end(self._end(node.value[at - 1]))
        gap = self.newline if len(dashes) > 1 and self._apart(node, dashes) else ""
        return f"{text[:where]}{gap}{self.newline}{' ' * column}{raw}{text[where:]}"

    def _apart(self, node: Any, dashes: Sequence[int]) -> bool:
        """Return whether the entries of a list are parted by empty lines."""
        return "\n\n" in self.text[self._end(node.value[0]) : dashes[1]].replace("\r", "")

    def _moved(self, edit: Move) -> str:
        place = self._there((*edit.trail, edit.at))
        parent, at = place.parent, edit.at
        assert parent is not None
        end = self._end(parent.value[at])
        raw = self.text[place.node.start_mark.index : end]
        if not place.flow:
            raw = self.text[self._dashes(parent)[at] : self._line_end(end)]
        if edit.to == at:
            return self.text
        return _Splice(self._dropped((*edit.trail, at)))._added(edit.trail, edit.to, None, raw)

    def _dashes(self, node: Any) -> list[int]:
        """Return where the dash of each entry of a list stands."""
        dashes = [node.start_mark.index]
        column = dashes[0] - self._line(dashes[0])
        dash = re.compile(rf"^ {{{column}}}-(?=\s)", re.MULTILINE)
        for before, item in zip(node.value, node.value[1:], strict=False):
            start = self._line_end(self._end(before))
            *_, found = dash.finditer(self.text, start, item.start_mark.index + 1)
            dashes.append(found.end() - 1)
        return dashes

    def _end(self, node: Any) -> int:
        """Return where a value ends; the parser has blocks end where the next thing begins."""
        end: int = node.end_mark.index
        if isinstance(node, yaml.ScalarNode):
            start: int = node.start_mark.index
            return start + len(self.text[start:end].rstrip()) if node.style in ("|", ">") else end
        if node.flow_style:
            return end
        last = node.value[-1]
        return self._end(last[1] if isinstance(node, yaml.MappingNode) else last)

    def _line(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[end - 1 : end] == "\r" and end > at else end


def _rewrapped(raw: str, old: str, new: str) -> str:
    """Return a text of several lines with other words in it: where the same words begin and end it, lines stay."""
    head, inner, tail = "", raw, ""
    if raw[0] in "'\"":
        head, inner, tail = raw[0], raw[1:-1], raw[0]
    elif raw[0] in "|>":
        head, inner = raw[: raw.index("\n") + 1], raw[raw.index("\n") + 1 :]
        head, inner = head + inner[: len(inner) - len(inner.lstrip())], inner.lstrip()
    parts = re.split(r"(\s+)", inner)
    words, others = old.split(), new.split()
    if parts[::2] != words:
        return flow(new)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False)))
    room = min(len(words), len(others)) - start
    ends = zip(reversed(words), reversed(others), strict=False)
    end = min(room, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends)))
    middle, behind = others[start : len(others) - end], len(parts) - 2 * end
    between = parts[behind] if end and start + end < len(words) else " "
    joint = " " if middle and 0 < start == len(words) else ""
    kept = "".join(parts[: 2 * start]) + joint + " ".join(middle)
    if end:
        kept += (between if middle else "") + "".join(parts[behind + 1 :])
    return head + kept.strip() + tail

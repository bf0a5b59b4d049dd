"""Strict YAML: plain values, and the line and column of every one of them.

Rules are written by people in editors that speak YAML 1.2, while PyYAML speaks 1.1. Here only `true`, `false`,
whole numbers, decimals and `null` are special; `no`, `on`, `1:30` and dates stay text. Anchors, aliases, tags,
duplicate keys and characters that steer a terminal or turn letters round are errors, because each of them makes a file
say something else than it seems to. Values are built straight from the parser's events: one pass, no recursion, and
nothing in the file can make anything run.
"""

import marshal
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from generator.base.errors import ContentError, Problem, did_you_mean
from generator.base.files import limited_text
from generator.base.text_input import composed

MAX_LEVELS = 50
TOO_MANY = "there are more problems than these: mend them first"
MAX_VALUES = 50_000
MAX_PROBLEMS = 100
"""So many faults of one file are told, then it is put aside: whoever has so many mends these first."""

Key = str | int
Trail = tuple[Key, ...]
"""The way from the top of a file to a value: `("cards", 3, "effects", 0, "by")`."""


PARSED: dict[bytes, bytes] = {}
"""What texts hold that were read before, by their checksum. A page in a browser brings the systems that ship so."""


class WrongKey(str):
    """The end of a trail whose key is wrong, and not the value below it."""


_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}")
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Characters that nobody sees and that do something: those that steer terminals, turn writing round or break lines."""
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}


class PythonLoader(yaml.SafeLoader):
    """PyYAML's own loader, where there is no libyaml: as there, a `?` within plain text is text, between braces too."""

    in_text = False

    def scan_plain(self) -> Any:
        """Read plain text, in which no `?` is seen."""
        self.in_text = True
        try:
            return super().scan_plain()
        finally:
            self.in_text = False

    def peek(self, index: int = 0) -> Any:
        """Return the letter ahead: what is read is taken from the text itself."""
        letter = super().peek(index)
        return "." if letter == "?" and self.in_text else letter


LOADER: Any = getattr(yaml, "CSafeLoader", PythonLoader)


class Marks(Struct):
    """Where the values of one file stand, as (line, column) from 1. Keys have marks of their own.

    Values that were put together from several files have `grafts`: a trail to what was taken from elsewhere, with the
    marks of that file and the trail there.
    """

    file: str
    values: dict[Trail, tuple[int, int]] = {}
    keys: dict[Trail, tuple[int, int]] = {}
    grafts: "dict[Trail, tuple[Marks, Trail]]" = {}
    torn: dict[Trail, str] = {}
    """Values that a comma has cut off, which were put together again: what to say of each."""
    blocks: dict[Trail, tuple[int, int]] = {}
    """Texts of several lines after |: where their first line begins."""
    quoted: set[Trail] = set()
    """Texts in quotation marks."""
    folded: set[Trail] = set()
    """Texts behind >, whose lines are one."""

    def problem(self, trail: Trail, message: str, *, key: bool = False) -> Problem:
        """A problem at the value (or the key) that `trail` leads to, or at the nearest place above it."""
        key = key or isinstance(trail[-1:] and trail[-1], WrongKey)
        marks, trail = self.home(trail)
        if marks is not self:
            # Marks of a spreadsheet name the cell besides.
            return marks.problem(trail, message, key=key)
        return Problem(self.file, *(self.keys[trail] if key and trail in self.keys else self._value(trail)), message)

    def home(self, trail: Trail) -> "tuple[Marks, Trail]":
        """The marks of the file that a value was taken from, and the trail there."""
        for length in range(len(trail), -1, -1) if self.grafts else ():
            if trail[:length] in self.grafts:
                marks, start = self.grafts[trail[:length]]
                return marks.home((*start, *trail[length:]))
        return self, trail

    def trails(self) -> Mapping[tuple[int, int], list[Trail]]:
        """The trails that begin at each line and column of this file, values before keys."""
        places = defaultdict[tuple[int, int], list[Trail]](list)
        for trail, at in (*self.values.items(), *self.keys.items()):
            places[at].append(trail)
        return places

    def _value(self, trail: Trail) -> tuple[int, int]:
        while trail and trail not in self.values:
            trail = trail[:-1]
        return self.values.get(trail, (1, 1))


class _Open(Struct):
    """A mapping or a list whose end has not been read yet."""

    value: dict[str, Any] | list[Any]
    trail: Trail
    key: str | None = None
    flow: bool = False
    """Whether it is written between braces, where a comma ends a value."""
    text: tuple[str, str] | None = None
    """The value before, if it is plain text: its key and the text."""


def read_file(path: Path, label: str, *, lenient: bool = False) -> tuple[Any, Marks]:
    """Read one YAML file; `label` is its name in problems. Raises ContentError."""
    return read_text(limited_text(path, label, larger="split it or shorten it"), label, lenient=lenient)


def read_text(text: str, label: str, *, lenient: bool = False) -> tuple[Any, Marks]:
    """Read YAML text into plain values and their marks. Raises ContentError with every problem found.

    Values in `torn` are no reason if it is `lenient`: whoever reads so tells them.
    """
    if PARSED and (kept := PARSED.get(checksum(text))):
        value, marks = marshal.loads(kept)
        return value, Marks(label, **marks)
    reader = _Reader(label, text)
    try:
        for event in yaml.parse(text, Loader=LOADER):
            reader.take(event)
            if reader.stops(event):
                break
    except yaml.YAMLError as error:
        reader.problems.append(_syntax_problem(error, label, text))
    torn = [Problem(label, *reader.marks.values[trail], says) for trail, says in reader.marks.torn.items()]
    if reader.problems or (torn and not lenient):
        raise ContentError([*reader.problems, *torn])
    if reader.documents == 0:
        raise ContentError([Problem(label, 1, 1, "the file is empty")])
    return reader.result, reader.marks


def checksum(text: str) -> bytes:
    """Return what a text is known by in `PARSED`."""
    # Only here, because few processes know texts that were read before.
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).digest()


class _Reader:
    """Builds the value of a file from parser events."""

    def __init__(self, label: str, text: str) -> None:
        self._lines = text.split("\n") if "|" in text else []
        self.marks = Marks(label)
        self.problems: list[Problem] = []
        self.documents = 0
        self.result: Any = None
        self._stack: list[_Open] = []

    def take(self, event: Any) -> None:
        """Add one event of `yaml.parse`."""
        if isinstance(event, yaml.ScalarEvent):
            event.value = composed(event.value)
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._stack.pop()
        elif isinstance(event, yaml.AliasEvent):
            self._fault(event, f"the alias *{event.anchor} is not allowed: write the value out")
            self._stand_in(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self._fault(event, "a second document begins here: keep one document in a file")

    def stops(self, event: Any) -> bool:
        """Whether reading ends here, because too much is wrong, or too much stands in the file."""
        if len(self.problems) >= MAX_PROBLEMS:
            self._fault(event, TOO_MANY)
            return True
        if len(self.marks.values) > MAX_VALUES:
            self._fault(event, f"more than {MAX_VALUES:,} values are in the file: split it or shorten it")
            return True
        return False

    def _fault(self, event: Any, message: str) -> None:
        mark = event.start_mark
        self.problems.append(Problem(self.marks.file, mark.line + 1, mark.column + 1, message))

    def _scalar(self, event: Any) -> None:
        if self._stack and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None:
            self._key(self._stack[-1], event)
            return
        self._no_extras(event)
        plain = event.style is None or event.style == ""
        if self._stack and isinstance(self._stack[-1].value, dict):
            parent = self._stack[-1]
            if plain and not event.value and self._rejoin(parent):
                return
            parent.text = (parent.key or "", event.value) if plain and parent.flow else None
        self._place(_scalar_value(event.value) if plain else event.value, event)

    def _rejoin(self, parent: _Open) -> bool:
        """Take a key without a value for the rest of the text before it; return whether there is such a text."""
        if parent.text is None or not isinstance(parent.value, dict) or parent.key is None:
            return False
        name, start = parent.text
        whole = f"{start}, {parent.key}"
        says = f'"{parent.key}" has no value. If the comma belongs to the text, put it in quotes: {name}: "{whole}"'
        parent.value[name], self.marks.torn[(*parent.trail, name)] = whole, says
        parent.key, parent.text = None, (name, whole)
        return True

    def _key(self, parent: _Open, event: Any) -> None:
        self._no_extras(event)
        if event.style:
            # What a comma cuts off is plain: this begins with a quotation mark that nobody closed.
            parent.text = None
        key = str(event.value)
        parent.key = key
        trail = (*parent.trail, key)
        if isinstance(parent.value, dict) and key in parent.value:
            first = self.marks.keys[trail][0]
            self._fault(event, f'the key "{key}" appears twice: it is on line {first} already')
        else:
            self.marks.keys[trail] = (event.start_mark.line + 1, event.start_mark.column + 1)

    def _stand_in(self, event: Any) -> None:
        """Nothing, as a value or as a key: reading goes on after a fault."""
        parent = self._stack[-1] if self._stack else None
        if parent is not None and isinstance(parent.value, dict) and parent.key is None:
            parent.key = f"*{event.anchor}"
            self.marks.keys[(*parent.trail, parent.key)] = (event.start_mark.line + 1, event.start_mark.column + 1)
        else:
            self._place(None, event)

    def _open(self, event: Any) -> None:
        self._no_extras(event)
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if self._stack:
            self._stack[-1].text = None
        if self._stack and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None:
            self._fault(event, "a key must be a plain word")
            self._stack.append(_Open(value, ()))
            return
        if len(self._stack) >= MAX_LEVELS:
            message = f"nested deeper than {MAX_LEVELS} levels"
            raise yaml.MarkedYAMLError(problem=message, problem_mark=event.start_mark)
        self._stack.append(_Open(value, self._place(value, event), flow=bool(event.flow_style)))

    def _place(self, value: Any, event: Any) -> Trail:
        """Put a value where it belongs; gives its trail."""
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        if not self._stack:
            self.result = value
            self.marks.values[()] = mark
            return ()
        parent = self._stack[-1]
        if isinstance(parent.value, dict):
            key: Key = parent.key if parent.key is not None else ""
            parent.value[str(key)] = value
            parent.key = None
        else:
            key = len(parent.value)
            parent.value.append(value)
        trail = (*parent.trail, key)
        self.marks.values[trail] = mark
        style = getattr(event, "style", None)
        if style == "|":
            self.marks.blocks[trail] = self._block_start(event.start_mark.line + 1)
        elif style:
            (self.marks.folded if style == ">" else self.marks.quoted).add(trail)
        return trail

    def _block_start(self, line: int) -> tuple[int, int]:
        """Return where the text after | begins, from 1: its first line may be empty."""
        first = next((text for text in self._lines[line:] if text.strip()), "")
        return line + 1, len(first) - len(first.lstrip(" ")) + 1

    def _no_extras(self, event: Any) -> None:
        if event.anchor is not None:
            self._fault(event, f"the anchor &{event.anchor} is not allowed: write the value out where it is used")
        if event.tag is not None and event.tag != "!":
            self._fault(event, f"the tag {event.tag} is not allowed: plain values only")
        if unseen := UNSEEN.search(getattr(event, "value", "")):
            self._fault(event, f"the character U+{ord(unseen[0]):04X} in it is unseen and may mislead: take it out")


def _scalar_value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return text


def _syntax_problem(error: yaml.YAMLError, label: str, text: str) -> Problem:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
    if mark is not None:
        line, column = mark.line + 1, mark.column + 1
    else:
        # A character that YAML forbids: libyaml counts the bytes before it.
        before = text.encode()[: getattr(error, "position", 0)].decode(errors="ignore")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Problem(label, line, column, f"this is not YAML: {what}{_yaml_hint(str(what))}")


def _yaml_hint(what: str) -> str:
    if "mapping values are not allowed" in what:
        return " (put quotes around a text that holds a colon, and begin the keys of an entry in the same column)"
    if "cannot start any token" in what:
        return " (use spaces, not tabs, and quote special characters)"
    if "tab character" in what:
        return " (use spaces, not tabs)"
    if "expected key" in what or "expected '-'" in what:
        return " (begin the keys of an entry in the same column, and the dashes of a list)"
    if "expected ','" in what:
        return " (a comma or a bracket is missing, or a text with a colon or comma has no quotes)"
    return ""


def unknown_key(key: str, known_keys: list[str]) -> str:
    """The sentence for a key that nothing reads."""
    return f'unknown key "{key}"{did_you_mean(key, known_keys)}'

"""Changing steps of a text: the statements that stay the same stay to the byte, with the comments above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from re import compile as pattern
from typing import Any

from generator.language.forms import statements
from generator.language.names import Names
from generator.language.reader import Reader, read_steps
from generator.language.tokens import lines_of
from generator.language.writer import MAX_WIDTH, UnwritableError, write_steps

Step = Mapping[str, Any]


_SIMPLE = pattern(r"[a-z_0-9][^,\[\]{}#:\"]*")
"""A statement that stands in brackets as it is."""
_MAX_LIST = 100
"""Maximum length of a list of statements in brackets."""


def texts_for(steps: Sequence[Step], names: Names | None = None) -> Any:
    """Return steps as a list of statements, if these are simple, or as a text. Raises UnwritableError."""
    lines = write_steps(steps, names, inline=True, width=10_000)
    if len(", ".join(lines)) <= _MAX_LIST and all(map(_SIMPLE.fullmatch, lines)):
        return lines
    return "\n".join(write_steps(steps, names)) + "\n"


def with_texts(value: Any, names: Names | None = None) -> Any:
    """Return a card, a row or a condition with its effects as text. Raises UnwritableError."""
    if isinstance(value, dict):
        return {key: with_texts(inner, names) for key, inner in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if value and all(isinstance(each, dict) and each.get("do") in statements() for each in value):
        return texts_for(value, names)
    return [with_texts(inner, names) for inner in value]


def with_steps(written: Any, steps: Sequence[Step], names: Names | None = None) -> Any:
    """Return a text, or a list of statements, with other steps in it.

    Raises UnwritableError for steps that no text says.
    """
    if isinstance(written, str) and "\n" in written:
        return _with_lines(written, steps, names)
    if isinstance(written, str) and len(steps) == 1:
        new = texts_for(steps, names)
        return new[0] if isinstance(new, list) else new
    if not isinstance(written, list) or not any(isinstance(each, str) for each in written):
        return texts_for(steps, names) if steps else []
    before: list[Any] = []
    texts: list[Any] = []
    for each in written:
        inner = read_steps(each, names)[0] if isinstance(each, str) else [each]
        before += inner if len(inner) == 1 else [inner]
        texts.append(each)
    lines: list[Any] = []
    for kind, low, _, first, last in _changes(before, steps):
        for place, step in enumerate(steps[first:last]):
            lines += [texts[low + place]] if kind == "equal" else write_steps([step], names, inline=True, width=10_000)
    if len(lines) != len(steps):
        return "\n".join(write_steps(steps, names)) + "\n"
    return lines


def _changes(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[str, int, int, int, int]]:
    """Return what stays and what changes from one list of steps to another."""
    return list(SequenceMatcher(a=list(map(repr, before)), b=list(map(repr, after)), autojunk=False).get_opcodes())


def _with_lines(written: str, steps: Sequence[Step], names: Names | None) -> str:
    reader = Reader(names)
    before = reader.block(lines_of(written, reader.errors), ())
    if reader.errors:
        raise UnwritableError("the text has errors of its own")
    rows = written.split("\n")
    starts = [_with_comments(rows, reader.places[(number,)][0]) for number in range(len(before))]
    end = len(rows) - (rows[-1] == "")
    starts.append(end)
    indent = len(rows[starts[0]]) - len(rows[starts[0]].lstrip(" ")) if before else 0
    lines = rows[: starts[0]] if before else []
    for kind, low, high, first, last in _changes(before, steps):
        if kind == "equal":
            lines += rows[starts[low] : starts[high]]
        else:
            new = write_steps(steps[first:last], names, width=MAX_WIDTH) if last > first else []
            # Comments above a changed statement stay.
            lines += rows[starts[low] : reader.places[(low,)][0]] if kind == "replace" else []
            lines += [" " * indent + line for line in new]
    return "\n".join([*lines, *rows[end:]]) if steps else "nothing\n"


def _with_comments(rows: Sequence[str], line: int) -> int:
    """Return the first of the comment lines that stand right above a line."""
    while line and rows[line - 1].lstrip(" ").startswith("#"):
        line -= 1
    return line

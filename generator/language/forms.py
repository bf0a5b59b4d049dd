"""The statements of the language, made of the forms that the types of effects carry.

A statement is its head, then its clauses in any order. `{key:type}` is a value, `?{key:type}` one that may be missing,
and `?{key=words}` words that set a key. After a clause, `=key` or `=key:value` is what its words set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import Any, NamedTuple

from generator.model.steps import KINDS
from generator.model.steps.base import Effect, Step


class Part(NamedTuple):
    """A word, or a value of a type that goes under a key; with `words`, these set the key to `value`."""

    word: str = ""
    key: str = ""
    type: str = ""
    optional: bool = False
    words: tuple[str, ...] = ()
    value: Any = True


class Clause(NamedTuple):
    """Words that may follow the head, the values after them, and what they set themselves; `key` is what changes."""

    words: tuple[str, ...]
    parts: tuple[Part, ...]
    sets: tuple[str, Any] | None
    key: str


TAILS = frozenset(["say", "print", "log", "quietly", "unprinted", "as"])
"""The words that begin what a step says, or leaves unsaid; `[H2]` besides."""


_SAMPLES = {
    "dice": "d6",
    "rolled": "d20",
    "number": "3",
    "time": "until EVENT",
    "names": "NAMES",
    "amount": "3 days",
    "formula": "FORMULA",
}


class Statement(NamedTuple):
    """The form of an effect: its head, its clauses, and the keys of the steps below it.

    `words` are those that it begins with, `stops` those with which a clause can. `is_step`: it may have sentences of
    the author's and a ruling.
    """

    do: str
    head: tuple[Part, ...]
    clauses: tuple[Clause, ...]
    is_step: bool
    block: tuple[str, ...]
    block_optional: bool
    words: tuple[str, ...]
    stops: frozenset[str]

    @property
    def example(self) -> str:
        """Its head, for messages."""
        return " ".join(
            part.word or _SAMPLES.get(part.type, part.key.upper()) for part in self.head if not part.optional
        )


_PART = re.compile(
    r"\?\{(?P<set>\w+)(?::(?P<to>\w+))?=(?P<words>[\w ]+)\}|(?P<may>\?)?\{(?P<key>\w+):(?P<type>\w+)\}|\S+"
)


def _parts(form: str) -> tuple[Part, ...]:
    parts = []
    for match in _PART.finditer(form):
        if match["set"]:
            words = tuple(match["words"].split())
            parts.append(Part(key=match["set"], type="flag", optional=True, words=words, value=match["to"] or True))
        elif match["key"]:
            parts.append(Part(key=match["key"], type=match["type"], optional=bool(match["may"])))
        else:
            parts.append(Part(word=match[0]))
    return tuple(parts)


def _clauses(kind: type[Effect]) -> Iterator[Clause]:
    """Yield the clauses of a kind. Raises ValueError for one that the reader could never take."""
    above: list[tuple[str, ...]] = []
    for form in filter(None, map(str.strip, kind.clauses.split("|"))):
        clause, where = _clause(form), f'{kind.__name__}: the clause "{form}"'
        if not clause.words or not clause.key:
            raise ValueError(f"{where} needs words first, then a value or =KEY")
        if any(clause.words[: len(words)] == words for words in above):
            raise ValueError(f"{where} begins as one above it: put it first")
        above.append(clause.words)
        yield clause


def _clause(form: str) -> Clause:
    form, _, sets = form.partition(" =")
    parts = _parts(form)
    count = next((place for place, part in enumerate(parts) if not part.word), len(parts))
    key, _, value = sets.partition(":")
    words, key = tuple(part.word for part in parts[:count]), key or next((part.key for part in parts if part.key), "")
    return Clause(words, parts[count:], (key, value or True) if sets else None, key)


def _statement(kind: type[Effect]) -> Statement:
    clauses = tuple(_clauses(kind))
    head, is_step = _parts(kind.form), issubclass(kind, Step) and "else" not in kind.block
    return Statement(
        str(kind.__struct_config__.tag),
        head,
        clauses,
        is_step,
        tuple(kind.block.removeprefix("?").split()),
        kind.block.startswith("?"),
        tuple(part.word for part in takewhile(lambda part: part.word, head)),
        frozenset(clause.words[0] for clause in clauses) | (TAILS if is_step else frozenset()),
    )


@cache
def statements() -> dict[str, Statement]:
    """Return every statement by the name of its effect."""
    return {each.do: each for each in map(_statement, KINDS)}


@cache
def by_first_word() -> dict[str, list[Statement]]:
    """Return the statements by their first word, those that begin with most words first."""
    statements_by_word: dict[str, list[Statement]] = {}
    for each in statements().values():
        if each.words:
            statements_by_word.setdefault(each.words[0], []).append(each)
    for several in statements_by_word.values():
        several.sort(key=lambda each: -len([part for part in each.head if part.word]))
    return statements_by_word

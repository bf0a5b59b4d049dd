"""Every fact that a game's log can hold is said, and is plain data for JSON: samples are made from the types."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from helpers import ROOT

from generator import games
from generator.games.deadlands.log import DeadlandsFact
from generator.games.fiftytwo.log import FieldFact
from generator.games.jackrealms.log import JackrealmsFact
from generator.games.steps.log import StepsFact
from generator.model.log import Entry
from generator.model.rules import System
from generator.pack.load import load_pack

FACTS = {
    "deadlands": get_args(DeadlandsFact),
    "fiftytwo": get_args(FieldFact),
    "jackrealms": get_args(JackrealmsFact),
    "steps": get_args(StepsFact),
}

PICTURES = ("field", "order")
"""What is said in several lines."""

WORDS: dict[str, Any] = {
    "after": "3 rounds",
    "card": "3S",
    "column": "",
    "condition": "prone",
    "of": "prone",
    "cards": "3S",
    "act": "move",
    "deck": "criticals",
    "die": "d6",
    "effect": "penalty",
    "instead": "3S",
    "lasts": "2d6 weeks",
    "left": "3 days",
    "next": "3S",
    "number": "hp",
    "place": "left arm",
    "token": {"kind": "marker", "name": "Bo", "die": "d6", "card": "", "bonus": 0, "trait": "", "says": ""},
    "unit": "day",
    "to": "strength",
    "until": "3 days",
}
"""Values that mean something to whoever says them; other texts may be any."""
OWN_WORDS = {"prone": "down", "strength": "aim"}
"""What they are called in the system of steps."""


def samples(name: str, kind: Any) -> list[Any]:
    """Values of a type: of a choice, each."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if get_origin(kind) is types.UnionType:
        return [value for each in get_args(kind) for value in samples(name, each)]
    if get_origin(kind) in (list, Sequence):
        return [samples(name, get_args(kind)[0])[:1]]
    if get_origin(kind) is dict:
        return [{}]
    if get_origin(kind) is Mapping:
        return [WORDS[name]]
    if get_origin(kind) is tuple:
        return [tuple(samples(name, each)[0] for each in get_args(kind))]
    if hasattr(kind, "_fields"):
        return [entry.fact for entry in entries(kind)]
    if kind is types.NoneType:
        return [None]
    plain: dict[Any, list[Any]] = {Any: [None], bool: [True, False], int: [1, 3], str: [WORDS.get(name, "xyz")]}
    return plain[kind]


@cache
def system_of(name: str) -> System:
    return load_pack(
        ROOT / {"steps": "docs/examples/criticals", "decks": "docs/examples/keen"}.get(name, f"content/{name}")
    ).system


def entries(fact: type[Any]) -> Iterator[Entry[Any]]:
    """A fact with every sample of each field beside every one of the others; of an enumeration, each member."""
    if issubclass(fact, Enum):
        assert len(fact) == len(fact.__members__), "two that say the same would be one"
        yield from map(Entry, fact)
        return
    hints = {name: samples(name, kind) for name, kind in get_type_hints(fact).items()}
    for values in product(*hints.values()):
        yield Entry(fact(*values))


def named(entry: Entry[Any]) -> Entry[Any]:
    """The same fact with the names that the system of steps has."""

    def word(value: Any) -> Any:
        return [*map(word, value)] if isinstance(value, list) else OWN_WORDS.get(value, value)

    fields = {name: value if isinstance(value, dict) else word(value) for name, value in entry.fact._asdict().items()}
    return Entry(type(entry.fact)(**fields), entry.why)


@pytest.mark.parametrize("system", FACTS)
def test_every_fact_is_said(system: str) -> None:
    for fact in FACTS[system]:
        known = system_of("decks" if "deck" in getattr(fact, "_fields", ()) and system == "steps" else system)
        for entry in entries(fact):
            told = games.plain_entry(named(entry) if system == "steps" else entry, known)
            kind, text = [*told.values()][:2]
            assert [*told][:2] == ["kind", "text"]
            assert json.loads(json.dumps(told)).keys() == told.keys()
            assert re.fullmatch(r"[a-z_]+", kind) and text.strip(), fact
            assert not re.search(rf"[{{}}]|None|True|False|{fact.__name__}\(|Entry", text), text
            assert "\n" not in text or kind in PICTURES

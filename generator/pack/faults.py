"""Faults that every check may find: a trail to the place and a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import did_you_mean
from generator.pack.strict_yaml import Trail

Fault = tuple[Trail, str]

_OWN_WORDS = {"condition": "conditions", "part": "parts", "statistic": "statistics"}
"""Words that an author may add, and the key of `system.yaml` that they are written under."""


def known(name: str, choices: Iterable[Any], noun: str, trail: Trail) -> Iterator[Fault]:
    """A name must be one of those that there are."""
    there = choices if isinstance(choices, Collection) else list(choices)
    if name not in there:
        hint = did_you_mean(name, there) if there else ": there is none yet, so write it first"
        if not hint and noun in _OWN_WORDS:
            hint = f': to add one of your own, write it under "{_OWN_WORDS[noun]}" in system.yaml'
        yield trail, f'unknown {noun} "{name}"{hint}'


def one_die(die: Dice, trail: Trail) -> Iterator[Fault]:
    """Where a single die is wanted."""
    if die.count != 1 or die.plus:
        yield trail, f"{die} is not a single die: write d4, d20 or the like"


def threshold(die: Dice, upto: int, trail: Trail, key: str = "die") -> Iterator[Fault]:
    """A die that has to show a number or less: it can show more, too."""
    yield from one_die(die, (*trail, key))
    if die.count == 1 and upto >= die.faces:
        yield trail, f"{die.spoken} always shows {upto} or less: it decides nothing"

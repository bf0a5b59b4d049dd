"""Effects in files with faults that the kind of procedure does not play, or whose end it does not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from generator.base.errors import Problem
from generator.model.rules import UNPLAYED, missing_end, not_played
from generator.pack.inherit import YamlValue
from generator.pack.merge import names_in_head, value_in_head
from generator.pack.strict_yaml import Trail


def with_unplayed_effects(problems: list[Problem], files: Mapping[str, YamlValue]) -> list[Problem]:
    """Return the problems with those of such effects, in place of what else is wrong at their beginnings."""
    find = partial(
        _unplayed,
        kind=value_in_head(files, "procedure", "kind"),
        enders=frozenset(_enders(files)),
        by_card=value_in_head(files, "procedure", "by_card") is True,
        plays=frozenset(names_in_head(files, "procedure", "plays")),
    )
    limits = {
        (problem.file, problem.line, problem.column): problem
        for each in files.values()
        for problem in (each.marks.problem(trail, says) for trail, says in find(each.value, ()))
    }
    return [each for each in problems if (each.file, each.line, each.column) not in limits] + [*limits.values()]


def _enders(files: Mapping[str, YamlValue]) -> Iterator[str]:
    """Yield the events that a pack names, and what steps and units of time end, as far as it can be made out."""
    waiting: list[Any] = [each.value for each in files.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            events, ends, until = value.get("events"), value.get("ends"), value.get("until")
            yield from map(str, events if isinstance(events, dict) else ())
            yield from map(str, ends if isinstance(ends, list) else ())
            if value.get("do") == "end" and isinstance(until, str | list):
                yield from [until] if isinstance(until, str) else map(str, until)
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _unplayed(
    value: Any, trail: Trail, *, kind: Any, enders: Collection[str], by_card: bool, plays: Collection[str]
) -> Iterator[tuple[Trail, str]]:
    """Yield the places of such effects in what a file says, with the sentences."""
    do = value.get("do") if isinstance(value, dict) else None
    if isinstance(kind, str) and isinstance(do, str):
        if says := UNPLAYED.get((kind, do), "") or (not_played(do, plays) if kind == "steps" else ""):
            yield trail, says
        elif says := missing_end(kind, do, value.get("until"), enders, by_card=by_card):
            yield (*trail, "until"), says
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from _unplayed(item, (*trail, key), kind=kind, enders=enders, by_card=by_card, plays=plays)

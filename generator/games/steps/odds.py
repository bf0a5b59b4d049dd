"""Exact chances under steps of the author's: the engine run once for every way the dice may fall.

Spans of time are not rolled where nothing in the same event looks at them: their chances would only be multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import msgspec

from generator.base.errors import HackjackError
from generator.games.steps.engine import Bench, played
from generator.games.steps.events import Event
from generator.games.steps.state import Held, State
from generator.model.formulas import Result
from generator.model.rules import AnyEffect, Call, End, Pass, Shorten, System, walk
from generator.play.chance import Seeded
from generator.play.every_way import every

MOST_IN_A_ROW = 20
"""So many events in a row are counted at most."""
MOST_PLAYED = 1_000
"""So many are played at most."""
MOST_SITUATIONS = 2_000
"""Beyond so many an exact answer is refused rather than cut short."""
MOST_VALUES = 200
"""So many values of a number are told apart in an answer."""

Shares = dict[str, Fraction]


@dataclass(slots=True)
class Found:
    """What an event may lead to: what the author named, the rows met, the conditions suffered, and each number."""

    named: Shares = field(default_factory=dict)
    rows: Shares = field(default_factory=dict)
    conditions: Shares = field(default_factory=dict)
    numbers: dict[str, dict[int, Fraction]] = field(default_factory=dict)


def outcomes(system: System, state: State, event: Event) -> Iterator[tuple[Fraction, Bench]]:
    """Every outcome of an event with its chance; how long things last only where that matters."""
    timeless = not looks_at_time(system, event.name)
    return every(lambda chance: played(system, state, event, chance, timeless=timeless))


def looks_at_time(system: System, name: str) -> bool:
    """Whether time passes, or is taken off, in an event: then a span that begins in it has to be rolled."""
    return any(isinstance(effect, Pass | Shorten) for effect in reached(system, name))


def reached(system: System, name: str) -> Iterator[AnyEffect]:
    """Every step of an event, those of the events that it calls too."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        now = waiting.pop()
        if now in seen or now not in system.head.events:
            continue
        seen.add(now)
        for _, effect in walk(system.head.events[now].do_):
            yield effect
            if isinstance(effect, Call):
                waiting.append(effect.event)


def count(system: System, state: State, event: Event) -> Found:
    """The chances of an event."""
    found = Found()
    head, asked = system.head, system.head.events[event.name].odds
    found.named = dict.fromkeys(asked or ("dead",), Fraction(0))
    met: dict[tuple[str, str], Fraction] = {}
    ended: list[tuple[Fraction, dict[str, Result]]] = []
    for weight, bench in outcomes(system, state, event):
        ended.append((weight, bench.values))
        for name, formula in asked.items():
            if bench.figure(formula):
                found.named[name] += weight
        if bench.dead and not asked:
            found.named["dead"] += weight
        for table, rows in bench.met.items():
            for row in dict.fromkeys(rows):
                met[table, row] = met.get((table, row), Fraction(0)) + weight
        for name in bench.suffered & head.conditions.keys():
            found.conditions[name] = found.conditions.get(name, Fraction(0)) + weight
    for name in system.steps.numbers:
        if any(values[name] != state.values[name] for _, values in ended):
            found.numbers[name] = _shares((weight, values[name]) for weight, values in ended)
    found.numbers = {name: shares for name, shares in found.numbers.items() if len(shares) <= MOST_VALUES}
    found.rows = _in_order(system, met)
    found.conditions = {name: found.conditions[name] for name in system.head.conditions if name in found.conditions}
    return found


def _shares(ended: Iterable[tuple[Fraction, Result]]) -> dict[int, Fraction]:
    """How likely each value of a number is, the lowest first."""
    shares: dict[int, Fraction] = {}
    for weight, value in ended:
        if isinstance(value, int):
            shares[value] = shares.get(value, Fraction(0)) + weight
    return dict(sorted(shares.items()))


def _in_order(system: System, met: dict[tuple[str, str], Fraction]) -> Shares:
    """The rows as the tables have them, those that cannot come up too; of several tables with the table in front."""
    tables = dict.fromkeys(table for table, _ in met)
    rows: Shares = {}
    for name in tables:
        table = system.table(name)
        for row in table.rows if table else ():
            label = str(row.at) if row.at else row.name or ""
            rows[label if len(tables) == 1 else f"{name} {label}"] = met.get((name, label), Fraction(0))
    return rows


# --- several in a row ------------------------------------------------------------------------------------------------


def die_by(system: System, state: State, event: Event, times: int) -> tuple[Fraction, ...]:
    """The chance to be dead after 1, 2 ... such events. Raises HackjackError for what is too large to count.

    No time passes between them but what passes in them.
    """
    if not 1 <= times <= MOST_IN_A_ROW:
        raise HackjackError(f"--hits {times}: from 1 to {MOST_IN_A_ROW} are counted; --simulate N plays more")
    alive: dict[bytes, tuple[Fraction, State]] = {b"": (Fraction(1), state)}
    dead, seen, found = Fraction(0), 0, []
    blurred = not any(looks_at_time(system, name) or _ends(system, name) for name in (event.name,))
    for _ in range(times):
        later: dict[bytes, tuple[Fraction, State]] = {}
        for share, before in alive.values():
            seen += 1
            if seen > MOST_SITUATIONS:
                raise HackjackError(f"more than {MOST_SITUATIONS:,} situations: too many to count; try --simulate N")
            for weight, bench in outcomes(system, before, event):
                if bench.dead:
                    dead += share * weight
                    continue
                after = _alike(bench.state()) if blurred else bench.state()
                key = msgspec.json.encode(after)
                known = later.get(key)
                later[key] = ((known[0] if known else Fraction(0)) + share * weight, after)
        alive = later
        found.append(dead)
    return tuple(found)


def _ends(system: System, name: str) -> bool:
    """Whether an event ends conditions, so that it matters which there are and in which order."""
    return any(isinstance(effect, End) for effect in reached(system, name))


def _alike(state: State) -> State:
    """A state as the next such event sees it: the order of conditions is nothing to it, nor how long they last."""
    held = sorted(state.conditions, key=lambda each: (each.condition, each.until, each.place, each.level))
    kept = tuple(Held(each.condition, each.until, each.place, each.level, each.chances) for each in held)
    return msgspec.structs.replace(state, conditions=kept, lost=tuple(sorted(state.lost, key=str)))


def play(
    system: System, state: State, event: Event, times: int, plays: int, seed: int
) -> Sequence[tuple[float, float]]:
    """The share of plays that are dead after 1, 2 ... such events, each with its standard error.

    Raises HackjackError for too many.
    """
    if not 1 <= times <= MOST_PLAYED:
        raise HackjackError(f"--hits {times}: from 1 to {MOST_PLAYED:,} are played")
    luck, died = Seeded(seed), [0] * times
    for _ in range(plays):
        now = state
        for place in range(times):
            bench = played(system, now, event, luck)
            if bench.dead:
                died[place] += 1
                break
            now = bench.state()
    shares = [sum(died[: place + 1]) / plays for place in range(times)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)

"""Exact chances under severity tables: the engine run once for every way the dice may fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from generator.games.glog.engine import step
from generator.games.glog.events import Event
from generator.games.glog.log import Breakdown, Row
from generator.games.glog.state import BREAKDOWN, Owed, State, table_of
from generator.model.log import Log
from generator.model.rules import System
from generator.play.every_way import every
from generator.play.log import Wound


def outcomes(system: System, state: State, event: Event) -> Iterator[tuple[Fraction, tuple[State, Log]]]:
    """Every outcome of an event but for how long things last, with its chance."""
    return every(lambda chance: step(system, state, event, chance, timeless=True))


@dataclass(frozen=True, slots=True)
class Hit:
    """What a hit may lead to: dead, Dying at once or in some rounds, the rows of the table, and every condition."""

    slain: Fraction
    dying: Fraction
    dying_later: Fraction
    rows: dict[str, Fraction]
    conditions: dict[str, Fraction]


def hit(system: System, state: State, event: Event) -> Hit:
    """The chances of a hit."""
    slain, dying, later = Fraction(0), Fraction(0), Fraction(0)
    rows = dict.fromkeys(_rows_of(system, event), Fraction(0))
    conditions = dict.fromkeys(system.head.conditions, Fraction(0))
    for weight, (after, log) in outcomes(system, state, event):
        slain += weight * after.dead
        dying += weight * after.dying
        later += weight * bool(after.coming)
        for entry in log:
            if isinstance(entry.fact, Row):
                rows[entry.fact.at] += weight
        for name in {entry.fact.effect for entry in log if isinstance(entry.fact, Wound)} & set(conditions):
            conditions[name] += weight
    suffered = {name: share for name, share in conditions.items() if share}
    return Hit(slain, dying, later, rows if any(rows.values()) else {}, suffered)


def _rows_of(system: System, event: Event) -> list[str]:
    """The rows of the table that a hit is looked up in."""
    damage = system.injuries.damage
    aim = damage[event.about("type") or next(iter(damage))]
    return [str(row.at) for row in table_of(system, aim.table).rows]


# --- trauma ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Horror:
    """What a gain of trauma may lead to: a breakdown, and which."""

    breakdown: Fraction
    rows: dict[str, Fraction]


def trauma(system: System, state: State, event: Event) -> Horror:
    """The chances of one gain of trauma points."""
    breakdown = Fraction(0)
    rows: dict[str, Fraction] = {}
    for weight, (after, log) in outcomes(system, state, event):
        if after.breakdown and any(isinstance(entry.fact, Breakdown) for entry in log):
            breakdown += weight
            rows[after.breakdown.name] = rows.get(after.breakdown.name, Fraction(0)) + weight
    table = table_of(system, system.injuries.breakdown_table)
    named = {row.name: rows[row.name] for row in table.rows if row.name in rows}
    return Horror(breakdown, {name: share for name, share in named.items() if name})


def breakdowns(system: System, state: State, gains: Sequence[int], characters: int) -> tuple[Fraction, ...]:
    """The chance that at least one of so many such characters has broken down, after each gain of points in turn.

    All gain at once and roll each for themselves, without the check that may spare a point.
    """
    steady = Fraction(1)
    found = []
    for gain in gains:
        kept = Fraction(0)
        for weight, (after, log) in outcomes(system, state, Event("trauma", gain)):
            if not any(isinstance(entry.fact, Breakdown) for entry in log):
                kept += weight
                steadied = after
        steady *= kept
        found.append(1 - steady**characters)
        if not kept:
            return (*found, *[Fraction(1)] * (len(gains) - len(found)))
        state = steadied
    return tuple(found)


def madness(system: System, state: State, event: Event, passes: Fraction) -> tuple[Fraction, dict[str, Fraction]]:
    """The chance of a madness by one gain of points, when the save at a breakdown's end passes so often; and which."""
    broken = trauma(system, state, event).breakdown
    mad = broken * (1 - passes)
    rows: dict[str, Fraction] = {}
    owing = replace(state, saves=(Owed(BREAKDOWN),))
    for weight, (after, _) in outcomes(system, owing, Event("save", word="fail")):
        name = after.madness[-1].name
        rows[name] = rows.get(name, Fraction(0)) + weight * mad
    table = table_of(system, system.injuries.madness_table)
    return mad, {row.name: rows[row.name] for row in table.rows if row.name in rows}


# --- the dying -------------------------------------------------------------------------------------------------------


def saved(system: System, state: State, event: Event) -> Fraction:
    """The chance that somebody Dying is stable after an event and alive."""
    return sum(
        (weight for weight, (after, _) in outcomes(system, state, event) if not after.dying and not after.dead),
        Fraction(0),
    )

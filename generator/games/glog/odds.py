"""Exact chances under severity tables: the engine run once for every way the dice may fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.glog.engine import step
from generator.games.glog.events import Event
from generator.games.glog.log import Breakdown, Row
from generator.games.glog.state import BREAKDOWN, Owed, State, table_of
from generator.model.log import Log
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed, NeedsError, RollNeed
from generator.play.log import Wound

MOST_RUNS = 200_000
"""So many ways are walked at most; the severity tables need some hundreds."""

Result = TypeVar("Result")


class _BranchError(NeedsError):
    """The engine needs a roll that has not been decided yet."""

    need: RollNeed

    def __init__(self, need: RollNeed) -> None:
        super().__init__(f"needs {need.dice}", need)


class _Decided:
    """Luck that has been decided so far; what comes after is a branch."""

    def __init__(self, totals: Sequence[int]) -> None:
        self._totals = list(totals)

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Faces that add up to the total decided. Raises _BranchError when there is none left."""
        if not self._totals:
            raise _BranchError(need)
        return _faces(self._totals.pop(0) - need.dice.plus, need)

    def card(self, left: Sequence[str]) -> str:
        """There are no cards here."""
        raise HackjackError(f"no card is drawn from {len(left)} here")

    def choose(self, need: ChoiceNeed) -> int:
        """There are no choices here."""
        raise HackjackError(f"nothing is chosen of {', '.join(need.options)} here")

    def peek(self, left: Sequence[str]) -> str | None:
        """There are no cards here."""
        del left
        return None


def _faces(total: int, need: RollNeed) -> tuple[int, ...]:
    """Some faces that add up to a total: all low ones but for as many high ones as it takes."""
    faces = []
    for left in range(need.dice.count - 1, -1, -1):
        face = min(need.dice.faces, total - left)
        faces.append(face)
        total -= face
    return tuple(faces)


def every(run: Callable[[Chance], Result]) -> Iterator[tuple[Fraction, Result]]:
    """Every way that something may go, with its chance; they add up to 1. Raises HackjackError for too many ways."""
    open_ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    runs = 0
    while open_ways:
        totals, weight = open_ways.pop()
        runs += 1
        if runs > MOST_RUNS:
            raise HackjackError(f"this goes more than {MOST_RUNS:,} ways: too many to count")
        try:
            result = run(_Decided(totals))
        except _BranchError as branch:
            chances = branch.need.dice.chances()
            open_ways += [((*totals, total), weight * share) for total, share in chances.items()]
            continue
        yield weight, result


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

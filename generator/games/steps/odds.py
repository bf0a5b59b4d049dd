"""Exact chances under steps of the author's: the engine run once for every way the dice may fall.

Spans of time are not rolled where nothing in the same event looks at them: their chances would only be multiplied out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Generic, TypeVar

import msgspec

from generator.games.steps import counter
from generator.games.steps.answers import MAX_HITS_IN_A_ROW, MAX_VALUES, Found, Shares
from generator.games.steps.counter_steps import UncountedError
from generator.games.steps.events import Asking, StepsEvent
from generator.games.steps.reach import Reach, unchanged_values
from generator.games.steps.state import StepsState
from generator.model.formulas import Formula, Result
from generator.model.rules import System
from generator.play.chance import Policy
from generator.play.every_way import TooMuchWorkError
from generator.play.piles import all_names

MAX_SITUATIONS = 2_000
"""Beyond so many an exact answer is refused rather than cut short."""
MAX_WAYS = 50_000
"""So many ways of single events are walked at the most for several in a row: a few seconds."""

Key = TypeVar("Key", bound=Hashable)


class _Tally(Generic[Key]):
    """Chances added up by what they are of: whole numbers for each denominator, far quicker than fractions."""

    def __init__(self) -> None:
        self._cases: dict[int, Counter[Key]] = {}

    def add(self, weight: Fraction, met: Iterable[Key]) -> None:
        """An outcome with its chance, and what it has met."""
        cases, total = weight.as_integer_ratio()
        tally = self._cases.setdefault(total, Counter())
        for key in met:
            tally[key] += cases

    def shares(self) -> dict[Key, Fraction]:
        """Return how likely each is."""
        shares: dict[Key, Fraction] = {}
        for total, tally in self._cases.items():
            for key, cases in tally.items():
                shares[key] = shares.get(key, Fraction(0)) + Fraction(cases, total)
        return shares


def named_formulas(reach: Reach, event: StepsEvent) -> dict[str, Formula]:
    """Return what an answer names, and when it holds: what the author counts, and death wherever it may happen."""
    happening = reach.system.head.events[event.name]
    formulas = happening.odds | happening.aside
    if formulas and (not reach.kills or any(str(formula) == "dead" for formula in formulas.values())):
        return formulas
    return formulas | {"dead": Formula("dead")}


def count_event(reach: Reach, state: StepsState, event: StepsEvent, policy: Policy = "") -> Found:
    """Return the chances of an event."""
    system, head = reach.system, reach.system.head
    formulas = named_formulas(reach, event)
    with suppress(UncountedError):
        return counter.count_event(system, state, event, formulas, policy)
    named, cards, conditions = _Tally[str](), _Tally[str](), _Tally[str]()
    rows, numbers, spreads = _Tally[tuple[str, str]](), _Tally[tuple[str, Result]](), _Tally[tuple[str, Result]]()
    spread = head.events[event.name].spreads
    tables: dict[str, None] = {}
    for weight, bench in reach.outcomes(state, event, policy):
        named.add(weight, [name for name, formula in formulas.items() if bench.figure(formula)])
        rows.add(weight, {(table, row) for table, met in bench.met.items() for row in met})
        tables |= dict.fromkeys(bench.met)
        cards.add(weight, set(bench.drawn))
        conditions.add(weight, bench.suffered)
        numbers.add(weight, bench.values.items())
        spreads.add(weight, () if bench.dead else ((name, bench.values[name]) for name in spread))
    outcome, of_cards, of_conditions = Found(), cards.shares(), conditions.shares()
    outcome.named = dict.fromkeys(formulas, Fraction(0)) | named.shares()
    outcome.rows = _in_order(system, tables, rows.shares())
    outcome.cards = {name: of_cards[name] for name in dict.fromkeys(all_names(system)) if name in of_cards}
    outcome.conditions = {name: of_conditions[name] for name in head.conditions if name in of_conditions}
    living = spreads.shares().items()
    for name in spread:
        living_values = {value: share for (of, value), share in living if of == name and isinstance(value, int)}
        outcome.spreads[name] = dict(sorted(living_values.items()))
    reached = numbers.shares()
    for name in system.kept_numbers:
        values = {value: share for (of, value), share in reached.items() if of == name}
        if values.keys() != {state.values[name]} and len(values) <= MAX_VALUES:
            by_value = {value: share for value, share in values.items() if isinstance(value, int)}
            outcome.numbers[name] = dict(sorted(by_value.items()))
    return outcome


def _in_order(system: System, tables: Iterable[str], met: dict[tuple[str, str], Fraction]) -> dict[str, Shares]:
    """Return the rows of the tables that were met, as these have them, those that cannot come up too."""
    shares_by_table: dict[str, Shares] = {}
    for name in tables:
        table = system.table(name)
        labels = [str(row.at) if row.at else row.name or "" for row in table.rows] if table else []
        shares_by_table[name] = {label: met.get((name, label), Fraction(0)) for label in labels}
    return shares_by_table


# --- several in a row ------------------------------------------------------------------------------------------------


def die_by(
    system: System, state: StepsState, event: StepsEvent, times: int, policy: Policy = ""
) -> tuple[Fraction, ...]:
    """Return the chance to be dead after 1, 2 ... such events. Raises TooMuchWorkError for what is too large.

    No time passes between them but what passes in them.
    """
    with suppress(UncountedError):
        return counter.die_by(system, state, event, times, policy)
    reach = Reach(system, event.name, fixed=unchanged_values(system, state, event))
    if times > MAX_HITS_IN_A_ROW:
        raise TooMuchWorkError(f"--hits {times}: at most {MAX_HITS_IN_A_ROW} are counted; --simulate N plays more")
    alive: dict[bytes, tuple[Fraction, StepsState]] = {b"": (Fraction(1), state)}
    dead, seen, walked, deaths = Fraction(0), 0, 0, []
    ways: dict[bytes, list[tuple[Fraction, bytes, StepsState]]] = {}
    for _ in range(times):
        later: dict[bytes, tuple[Fraction, StepsState]] = {}
        for key, (share, before) in alive.items():
            if key not in ways:
                seen += 1
                if seen > MAX_SITUATIONS:
                    many = f"more than {MAX_SITUATIONS:,} situations"
                    raise TooMuchWorkError(f"{many}: too many to count; try --simulate N")
                ways[key], count = _after(reach, before, event, policy)
                walked += count
                if walked > MAX_WAYS:
                    raise TooMuchWorkError(f"more than {MAX_WAYS:,} ways: too many to count; try --simulate N")
            for weight, name, after in ways[key]:
                if after.dead:
                    dead += share * weight
                else:
                    later[name] = (later[name][0] + share * weight if name in later else share * weight, after)
        alive = later
        deaths.append(dead)
    return tuple(deaths)


def in_turn(system: System, state: StepsState, asking: Asking, policy: Policy = "") -> tuple[Fraction, ...]:
    """The chance that it has come about for at least one of so many such characters, after each event in turn.

    Raises HackjackError for what is too large to count.
    """
    with suppress(UncountedError):
        return counter.in_turn(system, state, asking, policy)
    question = system.head.questions[asking.name]
    fixed = unchanged_values(system, state, StepsEvent(question.event))
    reach = Reach(system, question.event, (question.counts,), fixed)
    spared: dict[bytes, tuple[Fraction, StepsState]] = {b"": (Fraction(1), state)}
    shares = []
    for value in asking.values:
        later: dict[bytes, tuple[Fraction, StepsState]] = {}
        for share, before in spared.values():
            for weight, bench in reach.outcomes(
                before, StepsEvent(question.event, ((question.each, value),)), policy, merged=True
            ):
                if bench.dead or bench.figure(question.counts):
                    continue
                after = reach.alike(bench.state())
                key = msgspec.json.encode(after)
                later[key] = ((later[key][0] if key in later else Fraction(0)) + share * weight, after)
        if len(later) > MAX_SITUATIONS:
            raise TooMuchWorkError(f"more than {MAX_SITUATIONS:,} situations: too many to count")
        spared = later
        kept = sum((share for share, _ in spared.values()), Fraction(0))
        shares.append(1 - kept**asking.people)
    return tuple(shares)


def _after(
    reach: Reach, state: StepsState, event: StepsEvent, policy: Policy
) -> tuple[list[tuple[Fraction, bytes, StepsState]], int]:
    """What one such event makes of somebody, each outcome once, and how many ways lead there."""
    merged: dict[bytes, tuple[Fraction, StepsState]] = {}
    count = 0
    for weight, bench in reach.outcomes(state, event, policy, merged=True):
        count += 1
        after = StepsState(dead=True) if bench.dead else reach.alike(bench.state())
        key = msgspec.json.encode(after)
        merged[key] = (merged[key][0] + weight if key in merged else weight, after)
    return [(weight, key, after) for key, (weight, after) in merged.items()], count

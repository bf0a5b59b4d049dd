"""Several hits in a row under severity tables: the chance to be dead after each, exact or played out.

No time passes between them: nobody bleeds to death, nothing heals, no save is made. Exactly counted, states are merged
that the next hit cannot tell apart. It looks at the HP, at how many injuries there are, and at those that a later save
or a cure may end; which they are otherwise, how long they last and what else is going on is nothing to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from generator.base.errors import HackjackError
from generator.games.glog.engine import step
from generator.games.glog.events import Event
from generator.games.glog.odds import outcomes
from generator.games.glog.state import Injury, State, current_injuries
from generator.model.rules import AnyEffect, Cure, System, walk
from generator.play.chance import Seeded

MOST_HITS = 20
"""So many hits are counted at most."""
MOST_PLAYED = 1_000
"""So many hits are played at most."""
MOST_SITUATIONS = 2_000
"""Beyond so many an exact answer is refused rather than cut short."""


def die_by(system: System, state: State, event: Event, hits: int) -> tuple[Fraction, ...]:
    """The chance to be dead after 1, 2 ... `hits` such hits. Raises HackjackError for what is too large to count."""
    if not 1 <= hits <= MOST_HITS:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_HITS} hits are counted; --simulate N plays more")
    named = _named(system)
    ways: dict[State, list[tuple[Fraction, State]]] = {}
    alive = {_worn(state, system, named): Fraction(1)}
    dead = Fraction(0)
    found = []
    for _ in range(hits):
        later: dict[State, Fraction] = {}
        for before, share in alive.items():
            if before not in ways:
                ways[before] = list(_after(system, before, event, named))
            if len(ways) > MOST_SITUATIONS:
                raise HackjackError(f"more than {MOST_SITUATIONS:,} situations: too many to count; try --simulate N")
            for weight, after in ways[before]:
                if after.dead:
                    dead += share * weight
                else:
                    later[after] = later.get(after, Fraction(0)) + share * weight
        alive = later
        found.append(dead)
    return tuple(found)


def _after(system: System, state: State, event: Event, named: frozenset[str]) -> Iterator[tuple[Fraction, State]]:
    """What one hit makes of somebody, each outcome once."""
    merged: dict[State, Fraction] = {}
    for weight, (after, _) in outcomes(system, state, event):
        worn = State(dead=True) if after.dead else _worn(after, system, named)
        merged[worn] = merged.get(worn, Fraction(0)) + weight
    return ((weight, worn) for worn, weight in merged.items())


def _worn(state: State, system: System, named: frozenset[str]) -> State:
    """What a next hit can tell of somebody."""
    kept = sorted((injury.condition, injury.permanent) for injury in state.injuries if injury.condition in named)
    told = [Injury(condition, 0 if permanent else 1, permanent=permanent) for condition, permanent in kept]
    others = current_injuries(state, system) - len(kept)
    return State(kind=state.kind, hp=state.hp, hd=state.hd, injuries=(*told, *[Injury("", 1)] * others))


def _named(system: System) -> frozenset[str]:
    """The conditions that something later may end: with chances to recover, or with a cure."""
    conditions = system.head.conditions
    lists: list[tuple[AnyEffect, ...]] = [condition.implies for condition in conditions.values()]
    for table in system.tables:
        for row in table.rows:
            lists += [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
    cured = {effect.condition for effects in lists for _, effect in walk(effects) if isinstance(effect, Cure)}
    return frozenset(cured | {name for name, condition in conditions.items() if condition.chances})


def play_hits(
    system: System, state: State, event: Event, hits: int, plays: int, seed: int
) -> tuple[tuple[float, float], ...]:
    """The share of plays that are dead after 1, 2 ... `hits` such hits, each with its standard error.

    Raises HackjackError for too many hits.
    """
    if not 1 <= hits <= MOST_PLAYED:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_PLAYED:,} hits are played")
    luck = Seeded(seed)
    died = [0] * hits
    for _ in range(plays):
        now = state
        for number in range(hits):
            now, _ = step(system, now, event, luck, timeless=True)
            if now.dead:
                died[number] += 1
                break
    shares = [sum(died[: number + 1]) / plays for number in range(hits)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)

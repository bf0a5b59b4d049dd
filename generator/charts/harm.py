"""The odds that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from generator.engine.harm import Event, State
from generator.odds.harm import outcome
from generator.pieces import Bars
from generator.rules import System
from generator.simulation import simulate

HIT = Event("hit", 1)
"""Any hit that is not massive."""

PLAYS = 1000
MOST_HITS = 15
"""Nobody lives through more, in all the plays."""


def _states(system: System) -> list[State]:
    """A character at every death-score that one can live with, all of it in tokens, with a full deck."""
    return [State(score=score, tokens=score) for score in range(system.harm.limit)]


def _mean_hits(system: System, state: State) -> float:
    """The mean number of hits survived: the chances to live through 1, 2, 3 ... hits, added up."""
    dead = simulate(system, state, HIT, MOST_HITS, PLAYS, seed=1)
    return sum(1 - share for share, _ in dead)


def die_by_score(system: System) -> Bars:
    """The exact chance that the next hit kills, by death-score, from a full deck and an empty pool."""
    shares = [outcome(system, state, HIT).die for state in _states(system)]
    labels = tuple(str(score) for score in range(len(shares)))
    return Bars(labels, tuple(map(float, shares)), True, "death-score before the hit", "per cent; full deck, no Blood")


def hits_by_score(system: System) -> Bars:
    """How many more hits one survives on average, by death-score: played out, since the sum has no end."""
    means = [_mean_hits(system, state) for state in _states(system)]
    labels = tuple(str(score) for score in range(len(means)))
    note = f"hits survived, mean of {PLAYS:,} plays; full deck"
    return Bars(labels, tuple(means), False, "death-score", note)


CHARTS = {"die_by_score": die_by_score, "hits_by_score": hits_by_score}

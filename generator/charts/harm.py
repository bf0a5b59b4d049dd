"""The odds that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from generator.engine.harm import Event, State
from generator.odds.harm import outcomes
from generator.pieces import Bars
from generator.rules import System
from generator.simulation import mean_hits

HIT = Event("hit", 1)
"""Any hit that is not massive."""

PLAYS = 1000
MOST_HITS = 15
"""Nobody lives through more, in all the plays."""


def die_by_score(system: System) -> Bars:
    """The exact chance that the next hit kills, by death-score, from a full deck and an empty pool."""
    shares = [found.die for found in outcomes(system, State(), range(system.harm.limit), HIT)]
    labels = tuple(str(score) for score in range(len(shares)))
    return Bars(labels, tuple(map(float, shares)), True, "death-score before the hit", "per cent; full deck, no Blood")


def hits_by_score(system: System) -> Bars:
    """How many more hits one survives on average, by death-score: played out, since the sum has no end."""
    means = mean_hits(system, State(), range(system.harm.limit), HIT, MOST_HITS, PLAYS, seed=1)
    labels = tuple(str(score) for score in range(len(means)))
    note = f"hits survived, mean of {PLAYS:,} plays; full deck"
    return Bars(labels, tuple(means), False, "death-score", note)


CHARTS = {"die_by_score": die_by_score, "hits_by_score": hits_by_score}

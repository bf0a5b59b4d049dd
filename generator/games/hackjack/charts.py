"""The odds that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import msgspec

from generator.games.hackjack.counting import Rules
from generator.games.hackjack.engine import Event, State, blows_of, deck_of
from generator.games.hackjack.odds import outcomes
from generator.games.hackjack.simulation import mean_hits
from generator.layout.panel_elements import Bars, ChartMaker
from generator.model.rules import System, plain

HIT = Event("hit", 1)
"""Any hit that is not massive."""

PLAYS, MOST_HITS, USUAL = 31_200, 15, 21
"""So many plays, each from every death-score, and so many hits, which nobody outlives in any: under this limit."""


_MOST_KEPT = 16
_kept: dict[tuple[str, bytes], Bars] = {}


def _once(make: Callable[[System], Bars]) -> Callable[[System], Bars]:
    """Count again only when the count has changed: whoever edits words sees the new screen sooner."""

    @wraps(make)
    def made(system: System) -> Bars:
        key = (make.__name__, _counted(system))
        if key not in _kept:
            while len(_kept) >= _MOST_KEPT:
                _kept.pop(next(iter(_kept)))
            _kept[key] = make(system)
        return _kept[key]

    return made


def _counted(system: System) -> bytes:
    """All that the count looks at: the rules in force, and of each card in play what touches it."""
    blows = blows_of(system)
    cards = [
        (blow.code, blow.score, blow.blood and blow.blood.plain, blow.red, [plain(effect) for effect in blow.counted])
        for blow in blows.values()
    ]
    return msgspec.json.encode((Rules.of(system), deck_of(system), cards))


@_once
def die_by_score(system: System) -> Bars:
    """The exact chance that the next hit kills, by death-score, from a full deck and an empty pool."""
    shares = [found.die for found in outcomes(system, State(), range(system.harm.limit), HIT)]
    labels = tuple(str(score) for score in range(len(shares)))
    return Bars(labels, tuple(shares), True, "death-score before the hit", "per cent; full deck, no Blood")


@_once
def hits_by_score(system: System) -> Bars:
    """How many more hits one survives on average, by death-score: played out, since the sum has no end.

    One standard error is less than a tenth of the last digit printed, under the usual limit. Where more scores are
    charted and plays last longer, there are fewer, in whole rounds of the deck, so that it takes the same time.
    """
    limit = system.harm.limit
    scores, hits = range(limit), -(-MOST_HITS * limit // USUAL)
    plays = PLAYS if limit <= USUAL else 52 * (PLAYS * USUAL // (52 * limit))
    found = mean_hits(system, State(), scores, HIT, hits, plays, seed=1)
    means, errors = zip(*found, strict=True)
    labels = tuple(str(score) for score in scores)
    note = f"mean of {plays:,} plays, ±{max(errors):.2f}; full deck, no Blood"
    return Bars(labels, means, False, "death-score", note, errors)


def recovery_by_trauma(system: System) -> Bars:
    """How long a recovery takes on average, by Trauma: from the dice of the table."""
    table = system.table("recovery")
    means = {str(row.at): row.lasts.days for row in table.rows if row.lasts} if table else {}
    found = {trauma: mean for trauma, mean in means.items() if mean is not None}
    return Bars(tuple(found), tuple(found.values()), False, "Trauma", "days, mean")


CHARTS: dict[str, ChartMaker] = {
    "die_by_score": die_by_score,
    "hits_by_score": hits_by_score,
    "recovery_by_trauma": recovery_by_trauma,
}

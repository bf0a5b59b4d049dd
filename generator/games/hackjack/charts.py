"""The chart of a screen that is played out: how many hits one survives."""

from __future__ import annotations

import msgspec

from generator.games.hackjack.counting import CountingRules
from generator.games.hackjack.engine import HarmEvent, HarmState, blows_of, deck_of
from generator.games.hackjack.simulation import mean_hits
from generator.layout.panel_elements import Bars, ChartMaker
from generator.model.rules import System, plain_value

HIT = HarmEvent("hit", 1)
"""Any hit that is not massive."""

PLAYS, MAX_HITS, USUAL = 31_200, 15, 21
"""So many plays, each from every death-score, and so many hits, which nobody outlives in any: under this limit."""

MAX_KEPT = 16
_kept: dict[bytes, Bars] = {}


def hits_by_score(system: System) -> Bars:
    """How many more hits one survives on average, by death-score: played out, since the sum has no end.

    Played again only when what is counted has changed: whoever edits words sees the new screen sooner.
    """
    cards = [
        (
            blow.code,
            blow.score,
            blow.blood and blow.blood.plain,
            blow.red,
            [plain_value(effect) for effect in blow.counted],
        )
        for blow in blows_of(system).values()
    ]
    key = msgspec.json.encode((CountingRules.of(system), deck_of(system), cards))
    if key not in _kept:
        while len(_kept) >= MAX_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = _played(system)
    return _kept[key]


def _played(system: System) -> Bars:
    """Play hits out from every death-score.

    One standard error is less than a tenth of the last digit printed, under the usual limit. Where more scores are
    charted and plays last longer, there are fewer, in whole rounds of the deck, so that it takes the same time.
    """
    limit = system.harm.limit
    scores, hits = range(limit), -(-MAX_HITS * limit // USUAL)
    plays = PLAYS if limit <= USUAL else 52 * (PLAYS * USUAL // (52 * limit))
    means, errors = zip(*mean_hits(system, HarmState(), scores, HIT, hits, plays, seed=1), strict=True)
    note = f"mean of {plays:,} plays, ±{max(errors):.2f}; full deck, no Blood"
    return Bars(tuple(map(str, scores)), means, False, "death-score", note, errors)


def recovery_by_trauma(system: System) -> Bars:
    """Return how long a recovery takes on average, by Trauma, from the dice of the table."""
    table = system.table("recovery")
    means = {str(row.at): row.lasts.days for row in table.rows if row.lasts and row.lasts.days} if table else {}
    return Bars(tuple(means), tuple(means.values()), False, "Trauma", "days, mean")


CHARTS: dict[str, ChartMaker] = {"hits_by_score": hits_by_score, "recovery_by_trauma": recovery_by_trauma}

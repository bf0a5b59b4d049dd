"""Answers about chances, and those of several events in a row as lines, counted exactly or played out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from generator.games.face import Asked, OddsAnswer
from generator.words.chances import plain_chance, plain_estimate, spoken_chance

DEFAULT_PLAYS = 100_000
"""So often a question is played that is too large to count."""


def standard_error(share: Fraction | float, plays: int) -> float:
    """Return one standard error of a share of plays. That of none or all of them is not 0: one more could differ."""
    share = (float(share) * plays + 1) / (plays + 2)
    return sqrt(share * (1 - share) / plays)


def exact_answer(shares: Sequence[Fraction], event: str) -> OddsAnswer:
    """Return the exact chances to be dead after one such event, after two and so on."""
    lines = [f"{_dead_after(number, event)}  {spoken_chance(share)}" for number, share in enumerate(shares, 1)]
    return OddsAnswer({"method": "exact", "event": event, "die_by": [plain_chance(share) for share in shares]}, lines)


def played_answer(shares: Sequence[tuple[float, float]], how: Asked, event: str) -> OddsAnswer:
    """Return the same from so many plays: each share with its standard error."""
    plays = how.plays or 1
    die_by = [plain_estimate(share, error) for share, error in shares]
    plain = {"method": "played", "event": event, "die_by": die_by, "plays": plays, "seed": how.seed}
    each = enumerate(shares, 1)
    lines = [f"{_dead_after(number, event)}  {share:.5f} +- {error:.5f}" for number, (share, error) in each]
    return OddsAnswer(plain, [*lines, played_line(plays, how.seed)])


def played_line(plays: int, seed: int) -> str:
    """Return the line below an answer that was played out."""
    return f"{plays:,} plays with the seed {seed}: an estimate, not exact"


def _dead_after(times: int, event: str) -> str:
    """Return after what somebody is dead: `2 hits`, or of another event `2 x fall`."""
    if event != "hit":
        return f"dead after {times} x {event}"
    return f"dead after {times} {'hit ' if times == 1 else 'hits'}"


MAX_HITS_IN_A_ROW = 20
"""So many events in a row are counted at most."""
MAX_VALUES = 200
"""So many values of a number are told apart in an answer."""

Shares = dict[str, Fraction]


@dataclass(slots=True)
class Found:
    """What an event may lead to: what the author named, the rows met, the conditions suffered, and each number."""

    named: Shares = field(default_factory=dict)
    rows: dict[str, Shares] = field(default_factory=dict)
    conditions: Shares = field(default_factory=dict)
    cards: Shares = field(default_factory=dict)
    numbers: dict[str, dict[int, Fraction]] = field(default_factory=dict)
    spreads: dict[str, dict[int, Fraction]] = field(default_factory=dict)
    """The numbers of those who live, where the event spreads them out."""

    def less(self, spared: Fraction) -> "Found":
        """Return the same where nothing of it comes about in that share of cases."""

        def lessened(shares: Shares) -> Shares:
            return {name: share * (1 - spared) for name, share in shares.items()}

        rows = {table: lessened(shares) for table, shares in self.rows.items()}
        return Found(lessened(self.named), rows, lessened(self.conditions), lessened(self.cards))

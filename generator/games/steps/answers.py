"""What an answer about chances has, whoever counts or plays it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

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

    def less(self, spared: Fraction) -> Found:
        """Return the same where nothing of it comes about in that share of cases."""

        def lessened(shares: Shares) -> Shares:
            return {name: share * (1 - spared) for name, share in shares.items()}

        rows = {table: lessened(shares) for table, shares in self.rows.items()}
        return Found(lessened(self.named), rows, lessened(self.conditions), lessened(self.cards))

"""What a player adds up: the sum of what every wound takes from a statistic, or adds to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from generator.model.rules import System

Change = tuple[int, Sequence[str], Sequence[int]]
"""A sign, the statistics that change, and by how much: one amount for all of them, or one for each."""


def change_sums(changes: Iterable[Change], system: System) -> dict[str, int]:
    """Return the sum of changes by statistic; one that stands for others changes all of these."""
    sums: Counter[str] = Counter()
    for sign, to, by in changes:
        for name, amount in zip(to, [*by] * len(to) if len(by) == 1 else by, strict=False):
            for each in system.head.statistics[name].stands_for or (name,):
                sums[each] += sign * amount
    return dict(sums)

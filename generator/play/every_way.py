"""Every way that dice may fall: something is run once for each, with its exact chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeVar

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.play.chance import Chance, ChoiceNeed, RollNeed

MOST_RUNS = 200_000
"""So many ways are walked at most; severity tables need some hundreds."""

Result = TypeVar("Result")


class _Walking:
    """Luck that has been decided so far. What comes after takes its first way; the others are walked later."""

    def __init__(self, totals: Sequence[int]) -> None:
        self._totals = list(totals)
        self._at = 0
        self.beyond: list[Sequence[tuple[int, Fraction]]] = []

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Faces that add up to the total decided, or else to the first of all totals."""
        if self._at == len(self._totals):
            ways = _ways(need.dice)
            self.beyond.append(ways)
            self._totals.append(ways[0][0])
        self._at += 1
        return _faces(self._totals[self._at - 1] - need.dice.plus, need)

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


@cache
def _ways(dice: Dice) -> Sequence[tuple[int, Fraction]]:
    return tuple(dice.chances().items())


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
        luck = _Walking(totals)
        result = run(luck)
        for (first, chance), *others in luck.beyond:
            open_ways += [((*totals, total), weight * share) for total, share in others]
            totals, weight = (*totals, first), weight * chance
        yield weight, result

"""Every way that dice may fall and cards may come: something is run once for each, with its exact chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.play.chance import Chance, ChoiceNeed, RollNeed
from generator.play.piles import chances

MOST_RUNS = 200_000
"""So many ways are walked at most; severity tables need some hundreds."""

Result = TypeVar("Result")
Way = TypeVar("Way")


class _Walking:
    """Luck that has been decided so far. What comes after takes its first way; the others are walked later.

    What is decided is the total of dice, or the name of a card.
    """

    def __init__(self, decided: Sequence[Any]) -> None:
        self._decided = list(decided)
        self._at = 0
        self.beyond: list[Sequence[tuple[Any, Fraction]]] = []

    def _next(self, ways: Sequence[tuple[Way, Fraction]]) -> Way:
        """What is decided there, or else the first of the ways."""
        if self._at == len(self._decided):
            self.beyond.append(ways)
            self._decided.append(ways[0][0])
        self._at += 1
        found: Way = self._decided[self._at - 1]
        return found

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Faces that add up to the total decided, or else to the first of all totals."""
        return _faces(self._next(_ways(need.dice)) - need.dice.plus, need)

    def card(self, left: Sequence[str]) -> str:
        """Each card of those left, copies together."""
        decided = self._at < len(self._decided)
        return self._next(() if decided else tuple(chances(left).items()))

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


def every(run: Callable[[Chance], Result], most: int = MOST_RUNS) -> Iterator[tuple[Fraction, Result]]:
    """Every way that something may go, with its chance; they add up to 1. Raises HackjackError beyond `most` ways."""
    open_ways: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    runs = 0
    while open_ways:
        decided, weight = open_ways.pop()
        runs += 1
        if runs > most:
            raise HackjackError(f"this goes more than {most:,} ways: too many to count")
        luck = _Walking(decided)
        result = run(luck)
        for (first, chance), *others in luck.beyond:
            open_ways += [((*decided, other), weight * share) for other, share in others]
            decided, weight = (*decided, first), weight * chance
        yield weight, result

"""The exact chances of acing dice, in closed form: no sum is cut short and nothing is rounded.

A die that aces has no largest total, but against a target number only one thing matters: whether a total reaches it,
and how many raises beyond. Totals that reach past the last raise asked about are told apart by nothing, so they are one
case: a die of n faces has come to q times n and must reach no further with the chance n to the power of minus q. The
cases are finite in number, their chances exact fractions, and the engine's own `judge` says what each of them is.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from generator.base.dice import Dice
from generator.games.deadlands.dice import DieTotal, Result, TraitRules, judge
from generator.games.deadlands.table import TraitThrow
from generator.play.every_way import spend_work
from generator.words.chances import summed_weights


class Case(NamedTuple):
    """How a throw may come out: its result, its raises (no more than were asked about), and the die's natural one."""

    result: Result
    raises: int
    natural: bool

    @property
    def steps(self) -> int:
        """One for the success and one for each raise; none for a failure."""
        return 0 if self.result in ("failure", "critical_failure") else 1 + self.raises


Chances = Mapping[Case, Fraction]


def die_outcomes(die: Dice, enough: int) -> Iterator[tuple[DieTotal, Fraction]]:
    """Yield every way for an acing die to show, with its chance; totals of `enough` or more are one case, or a few."""
    faces = die.faces
    for face in range(1, faces):
        yield DieTotal(die, face, face), Fraction(1, faces)
    aced, share = faces, Fraction(1, faces)
    while aced + 1 < enough:
        for face in range(1, faces):
            yield DieTotal(die, faces, aced + face), share / faces
        aced, share = aced + faces, share / faces
    yield DieTotal(die, faces, aced + 1), share


def throw_chances(throw: TraitThrow, rules: TraitRules, most: int = 1) -> Chances:
    """Return the chance of every case of a throw; raises count up to `most`. Do not change the result."""
    enough = max(throw.target + rules.numbers.raise_step * most, 1)
    # What is kept costs as much: budgets forget nothing.
    spend_work(enough if throw.wild is None else enough * enough // 2)
    return _throw_chances(throw, rules, most)


@lru_cache(maxsize=1000)
def _throw_chances(throw: TraitThrow, rules: TraitRules, most: int) -> Chances:
    enough = throw.target + rules.numbers.raise_step * most
    wilds: list[tuple[DieTotal | None, Fraction]] = [(None, Fraction(1))]
    if throw.wild is not None:
        wilds = list(die_outcomes(throw.wild, enough))

    def case(trait: DieTotal, wild: DieTotal | None) -> Case:
        verdict = judge(trait, wild, throw.mod, throw.target, rules)
        return Case(verdict.result, min(verdict.raises, most), trait.natural_one)

    traits = die_outcomes(throw.die, enough - throw.mod)
    return summed_weights((case(trait, wild), share * other) for trait, share in traits for wild, other in wilds)


def with_attempts(once: Chances, again: int, taken: Fraction) -> Chances:
    """Return the same where a failure may be rolled again so often; each time that is done with the chance `taken`.

    A critical failure is never rolled again (D4).
    """
    failed = sum((share for case, share in once.items() if case.result == "failure"), Fraction(0))
    rolls = last = Fraction(1)
    for _ in range(again):
        last *= failed * taken
        rolls += last
    final = (rolls - last) * (1 - taken) + last
    return {case: share * (final if case.result == "failure" else rolls) for case, share in once.items()}

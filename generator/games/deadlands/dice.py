"""Trait rolls as such: acing dice, the wild die, and what a throw comes to (rulings D1-D5)."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.base.dice import Dice
from generator.games.deadlands.state import numbers_of
from generator.model.procedures import Traits
from generator.model.rules import System

Result = Literal["critical_failure", "failure", "success", "raise", "critical_success"]
SUCCESSES: tuple[Result, ...] = ("success", "raise", "critical_success")
"""The results that are a success of some kind."""
RESULTS: tuple[Result, ...] = ("critical_failure", "failure", *SUCCESSES)
"""From worst to best."""


@dataclass(frozen=True, slots=True)
class TraitRules:
    """The numbers, and the switches by which rolls are judged."""

    numbers: Traits
    boxcars_always: bool
    raises_count: bool
    setback: int | None

    @classmethod
    def of(cls, system: System) -> "TraitRules":
        """Return the rules of a system under its house rules; `setback` None takes all successes away."""
        return cls(
            numbers=numbers_of(system),
            boxcars_always=system.setting("boxcars") != "needs_target",
            raises_count=system.setting("task_raises") != "one_each",
            setback={"none": 0, "all": None}.get(system.setting("task_setback") or "", 1),
        )


class DieTotal(NamedTuple):
    """One die on the table: its first face, and the total with all that it aced."""

    die: Dice
    first: int
    total: int

    @property
    def natural_one(self) -> bool:
        """Whether it shows a 1 (D2)."""
        return self.first == 1

    @property
    def aced(self) -> bool:
        """Whether it came up at its most."""
        return self.first == self.die.faces


class RollVerdict(NamedTuple):
    """What a roll comes to."""

    result: Result
    total: int
    target: int
    raises: int

    @property
    def succeeds(self) -> bool:
        """Whether it is a success of some kind."""
        return self.result in SUCCESSES

    @property
    def steps(self) -> int:
        """One for the success and one for each raise; none for a failure."""
        return 1 + self.raises if self.succeeds else 0


def judge(trait: DieTotal, wild: DieTotal | None, mod: int, target: int, rules: TraitRules) -> RollVerdict:
    """Return the better of the two dice against a target number.

    The modifier goes to the trait die alone (D1), and lifts no natural one (D2). Boxcars and snake-eyes are judged by
    the first faces (D3, D4); without a wild die there are neither.
    """
    count = min(1, 1 + mod) if trait.natural_one else trait.total + mod
    total = count if wild is None else max(count, wild.total)
    raises = max(0, (total - target) // rules.numbers.raise_step)
    if wild is not None and trait.natural_one and wild.natural_one:
        return RollVerdict("critical_failure", total, target, 0)
    boxcars = wild is not None and trait.aced and wild.aced
    if boxcars and (total >= target or rules.boxcars_always):
        return RollVerdict("critical_success", total, target, raises)
    if total < target:
        return RollVerdict("failure", total, target, 0)
    return RollVerdict("raise" if raises else "success", total, target, raises)

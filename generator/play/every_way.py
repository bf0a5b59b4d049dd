"""Every way that dice may fall and cards may come: something is run once for each, with its exact chance."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError
from generator.play.chance import Chance, ChoiceNeed, OpenChoiceError, RollNeed

MAX_RUNS = 200_000
"""So many ways are walked at most; severity tables need some hundreds."""
MAX_WORK = 300_000
"""Dice, cards and steps that one question may take over all its ways: some three seconds."""
MAX_REROLLS = 1_000
"""So often a roll that does not count is made again."""
_NEVER = "every result is rolled again{}: leave a row that counts"

TOO_MUCH = "this takes more dice, cards and steps than can be counted: ask about fewer at a time"

Result = TypeVar("Result")


class TooMuchWorkError(HackjackError):
    """A question is too large to count: it may be played out instead."""


class _Budget:
    """Work that is left, and what has been paid for once and for all."""

    __slots__ = ("left", "paid")

    def __init__(self, left: float, outer: "_Budget | None") -> None:
        self.left = left
        self.paid: set[int] = set() if outer is None else outer.paid


_BUDGET: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def work_budget(work: float = MAX_WORK, *, own: bool = False) -> Iterator[None]:
    """Let the counting inside take at most so much work. A budget around it pays for it, too, unless it is its `own`.

    Work is counted in dice, cards and steps and not in seconds, so every machine refuses the same questions.
    """
    outer = None if own else _BUDGET.get()
    granted = work if outer is None else min(work, outer.left)
    token = _BUDGET.set(budget := _Budget(granted, outer))
    try:
        yield
    finally:
        _BUDGET.reset(token)
        if outer is not None:
            outer.left -= granted - budget.left


def work_left() -> int | None:
    """Return how much work the budget still pays for; None where there is no budget."""
    budget = _BUDGET.get()
    return None if budget is None else max(int(budget.left), 0)


def spend_work(work: float) -> None:
    """Take so many dice, cards and steps from the budget. Raise TooMuchWorkError where it is spent."""
    budget = _BUDGET.get()
    if budget is not None:
        budget.left -= work
        if budget.left < 0:
            raise TooMuchWorkError(TOO_MUCH)


def spend_once(what: object, work: int, *, spent: bool = False) -> None:
    """Take work from the budget for something that is kept and serves many questions: the first time only.

    Whoever makes it has `spent` its work already. So a question costs the same whatever was asked before.
    """
    budget = _BUDGET.get()
    if budget is not None and id(what) not in budget.paid:
        budget.paid.add(id(what))
        spend_work(0 if spent else work)


class Ways(NamedTuple):
    """What may come next: each with how many equal cases bring it, and how many there are in all."""

    cases: Sequence[tuple[Any, int]]
    total: int


class _Fork(NamedTuple):
    """Where luck was asked, and which of the ways was taken; with how many equal cases led there, of how many."""

    ways: Ways
    place: int
    cases: int
    total: int

    @classmethod
    def at(cls, place: int, ways: Ways, before: "Sequence[_Fork]") -> "_Fork":
        """Return the way at a place, after the forks before it."""
        cases, total = before[-1][2:] if before else (1, 1)
        return cls(ways, place, cases * ways.cases[place][1], total * ways.total)

    @property
    def decided(self) -> Any:
        """What came."""
        return self.ways.cases[self.place][0]


class _Walking:
    """Luck that has been decided so far. What comes after takes its first way; the others are walked later.

    What is decided is the total of dice, or the name of a card.
    """

    def __init__(self, decided: Sequence[Any]) -> None:
        self._decided = list(decided)
        self._at = 0
        self.beyond: list[Ways] = []

    @property
    def asked(self) -> int:
        """Return the number of dice and cards needed so far."""
        return self._at

    def _next(self, ways: Callable[[], Ways]) -> Any:
        """What is decided there, or else the first of the ways."""
        if self._at == len(self._decided):
            open_ways = ways()
            self.beyond.append(open_ways)
            self._decided.append(open_ways.cases[0][0])
        self._at += 1
        return self._decided[self._at - 1]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return faces with the result decided, or else with the first of all results."""
        total: int = self._next(lambda: dice_ways(need.dice, need.value))
        if need.value != "sum":
            # No die has the face 0, so it is none that anything counts.
            shown = (6,) * total if need.value == "sixes" else (total,)
            return shown + (0,) * (need.dice.count - len(shown))
        return (total - need.dice.plus,) if need.dice.count == 1 else _faces(total - need.dice.plus, need)

    def card(self, left: Sequence[str]) -> str:
        """Return each card of those left, copies together."""
        spend_work(len(left) // _LOOKED_AT)
        name: str = self._next(lambda: self._cards(left))
        return name

    def one_of(self, ways: Callable[[], Ways]) -> Any:
        """Return one of some results that were counted apart."""
        return self._next(ways)

    def _cards(self, left: Sequence[str]) -> Ways:
        return Ways(tuple(Counter(left).items()), len(left))

    def choose(self, need: ChoiceNeed) -> int:
        """Raise OpenChoiceError: nobody is there who would choose."""
        raise OpenChoiceError(*need.options)

    def peek(self, left: Sequence[str]) -> str | None:
        """There are no cards here."""
        del left
        return None


def dice_ways(dice: Dice, value: DiceValue = "sum") -> Ways:
    """Return everything that some dice may come to. Raises TooMuchWorkError."""
    spend_on_dice(dice, value)
    return _ways(dice, value)


def spend_on_dice(dice: Dice, value: DiceValue = "sum") -> None:
    """Take what it costs to add up some dice from the budget. Raise TooMuchWorkError where it is spent."""
    spend_work(dice.count * (dice.count - 1) * (dice.faces if value == "sum" else 1) // ADDED)


_LOOKED_AT = 20
"""So many cards are looked at in the time of one step."""
ADDED = 40
"""So many numbers are added in the time of one step. What was counted before costs as much: budgets forget nothing."""


@lru_cache(maxsize=256)
def _ways(dice: Dice, value: DiceValue) -> Ways:
    ways = dice.ways(value)
    return Ways(tuple(ways.items()), sum(ways.values()))


def _faces(total: int, need: RollNeed) -> tuple[int, ...]:
    """Some faces that add up to a total: all low ones but for as many high ones as it takes."""
    faces = []
    for left in range(need.dice.count - 1, -1, -1):
        face = min(need.dice.faces, total - left)
        faces.append(face)
        total -= face
    return tuple(faces)


def every_way(
    run: Callable[[Chance], Result], most: int = MAX_RUNS, steps: Callable[[Result], int] = lambda _: 0
) -> Iterator[tuple[Fraction, Result]]:
    """Every way that something may go, with its chance; they add up to 1.

    `steps` says how many steps a result took. Raises TooMuchWorkError beyond `most` ways, or where the budget is spent.
    """
    forks: list[_Fork] = []
    for _ in range(most):
        luck = _Walking([fork.decided for fork in forks])
        result = run(luck)
        spend_work(1 + luck.asked + steps(result))
        for ways in luck.beyond:
            forks.append(_Fork.at(0, ways, forks))
        yield (Fraction(forks[-1].cases, forks[-1].total) if forks else Fraction(1)), result
        while forks and forks[-1].place + 1 == len(forks[-1].ways.cases):
            forks.pop()
        if not forks:
            return
        last = forks.pop()
        forks.append(_Fork.at(last.place + 1, last.ways, forks))
    raise TooMuchWorkError(f"this has more than {most:,} outcomes: too many to count")


def until_it_counts(chance: Chance, roll: Callable[[Chance], Result], counts: Callable[[Result], bool]) -> Result:
    """Return the result of a roll, rolled again until it counts; where ways are walked, only those that count.

    Raises HackjackError where none ever counts.
    """

    def ways() -> Ways:
        shares: dict[Result, Fraction] = {}
        for weight, result in every_way(roll):
            shares[result] = shares.get(result, Fraction(0)) + weight
        scale = lcm(*(share.denominator for share in shares.values()))
        cases = tuple((result, int(share * scale)) for result, share in shares.items() if counts(result))
        if not cases:
            raise HackjackError(_NEVER.format(""))
        return Ways(cases, sum(count for _, count in cases))

    if isinstance(chance, _Walking):
        result: Result = chance.one_of(ways)
        return result
    for _ in range(MAX_REROLLS):
        if counts(result := roll(chance)):
            return result
    raise HackjackError(_NEVER.format(f", {MAX_REROLLS:,} times by now"))


_MAX_SUMS = 200_000
"""So many numbers are added for a throw that is played out; beyond it each die is rolled."""


@runtime_checkable
class _Weighed(Protocol):
    """Luck that chooses among results by their numbers of ways."""

    def one_of(self, ways: Callable[[], Ways]) -> Any:
        """Return one of some results."""


def one_of_ways(chance: Chance, ways: Callable[[], Mapping[Result, int]], sums: int) -> Result | None:
    """Return one of some results, each with its number of ways, where odds are counted; None where luck is real.

    `sums` is how many numbers are added to count the ways. Where that is much, what is played out has real luck too.
    """
    if not isinstance(chance, _Walking) and (sums > _MAX_SUMS or not isinstance(chance, _Weighed)):
        return None

    def counted() -> Ways:
        # A walk asks this once for all of its ways, and pays once.
        if isinstance(chance, _Walking):
            spend_work(sums // ADDED)
        cases = ways()
        return Ways(tuple(cases.items()), sum(cases.values()))

    result: Result = chance.one_of(counted)
    return result

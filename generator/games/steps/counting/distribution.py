"""A distribution as whole numbers of ways, and what a step may do to one: change, branch, part and join."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import lcm
from typing import Any, NamedTuple

from generator.play.chance import Seeded
from generator.play.every_way import spend_work

State = tuple[Any, ...]
"""What can still be told of somebody: a value for each slot of a layout."""
Draft = list[Any]
"""A state while it changes."""
AnyState = State | Draft
Change = Callable[[Draft], None]
"""What becomes of a state without luck: it sets slots."""
Cases = tuple[Sequence[tuple[Any, int]], int]
"""What may come of something, each with its ways, and how many ways there are in all."""
Made = Callable[[State, Any], Any]
"""What becomes of a state in a case, where the cases are not states themselves: only those that come about are made."""
MAX_JOINED = 100
"""So many steps in a row are joined to one series, and so many changes to one."""
CHEAP = 10
"""So many states change in the time that the engine takes for a die, a card or a step."""


def changed_by(state: State, *changes: Change | None) -> State:
    """Return a state after some changes."""
    draft = [*state]
    for change in changes:
        if change is not None:
            change(draft)
    return tuple(draft)


def put(draft: Draft, slot: int | None, value: Any) -> None:
    """Put a value into a slot, if there is such a slot."""
    if slot is not None:
        draft[slot] = value


def with_value(state: State, slot: int | None, value: Any) -> State:
    """Return a state with a value in a slot, if there is such a slot."""
    return state if slot is None else (*state[:slot], value, *state[slot + 1 :])


class Distribution:
    """States, each with in how many of `total` ways it comes about; ways that ended elsewhere are missing."""

    __slots__ = ("total", "ways")

    def __init__(self, ways: dict[State, int], total: int = 1) -> None:
        self.ways, self.total = ways, total

    def like(self, ways: dict[State, int]) -> Distribution:
        """Return other states under the same total."""
        return Distribution(ways, self.total)

    def _spend(self, cases: int) -> None:
        """Pay for so many states: what is wide, and numbers of many digits, take longer."""
        width = len(next(iter(self.ways), ()))
        # Parts of one piece of work are paid, too: many small distributions take long.
        spend_work(cases * (40 + width + self.total.bit_length() // 50) / (40 * CHEAP))

    def changed(self, change: Change | None, steps: int = 1) -> Distribution:
        """Return each state after a change of so many steps; those that become equal are one."""
        if change is None:
            return self
        self._spend(len(self.ways) * steps)
        ways: dict[State, int] = {}
        for state, count in self.ways.items():
            draft = [*state]
            change(draft)
            changed = tuple(draft)
            ways[changed] = ways.get(changed, 0) + count
        return self.like(ways)

    def branched(self, cases_of: Callable[[State], Cases], made: Made | None = None) -> Distribution:
        """Return what comes of each state by luck."""
        self._spend(len(self.ways))
        drawn = [(state, count, *cases_of(state)) for state, count in self.ways.items()]
        self._spend(sum(len(cases) for _, _, cases, _ in drawn))
        scale = lcm(*{total for *_, total in drawn})
        ways: dict[Any, int] = {}
        for state, count, cases, total in drawn:
            share = count * (scale // total)
            for after, cases_here in cases:
                after = after if made is None else made(state, after)
                ways[after] = ways.get(after, 0) + share * cases_here
        return Distribution(ways, self.total * scale)

    def parts(self, part_of: Callable[[State], Any]) -> dict[Any, Distribution]:
        """Return the states apart by something that they have."""
        values = [*map(part_of, self.ways)]
        if values and values.count(values[0]) == len(values):
            return {values[0]: self}
        parts: dict[Any, dict[State, int]] = {}
        for (state, count), value in zip(self.ways.items(), values, strict=True):
            parts.setdefault(value, {})[state] = count
        return {part: self.like(ways) for part, ways in parts.items()}

    def halves(self, holds: Callable[[State], Any]) -> tuple[Distribution, Distribution]:
        """Return the states for which something holds, and the others."""
        parts = self.parts(lambda state: bool(holds(state)))
        return parts.get(True, NOTHING), parts.get(False, NOTHING)

    def labelled(self, cases_of: Callable[[State], Cases], made: Made | None = None) -> dict[Any, Distribution]:
        """Return what comes of each state by luck, apart by the label of each case: (state, label)."""
        labelled, parts = self.branched(cases_of, made), dict[Any, dict[State, int]]()
        for (after, label), count in labelled.ways.items():
            parts.setdefault(label, {})[after] = count
        return {label: labelled.like(ways) for label, ways in parts.items()}


NOTHING = Distribution({})


class Sample(NamedTuple):
    """How a question is played out: so many plays, whose luck has a seed."""

    plays: int
    seed: int


class SampledDistribution(Distribution):
    """Plays: each state with how many of all `total` plays are in it. Where luck decides, plays part by their ways.

    A case takes as many plays as it is sure of, and those that are left over fall by chance, so each play goes any way
    as often as it comes about; plays that meet in a state cost no more than one.
    """

    __slots__ = ("luck",)

    def __init__(self, ways: dict[State, int], total: int, luck: Seeded) -> None:
        super().__init__(ways, total)
        self.luck = luck

    def like(self, ways: dict[State, int]) -> Distribution:
        """Return other states of the same plays."""
        return SampledDistribution(ways, self.total, self.luck)

    def branched(self, cases_of: Callable[[State], Cases], made: Made | None = None) -> Distribution:
        """Return where the plays of each state go."""
        self._spend(len(self.ways))
        ways: dict[State, int] = {}
        for state, count in self.ways.items():
            cases, total = cases_of(state)
            if len(cases) == 1:
                ((after, _),) = cases
                there = [(after, count)]
            else:
                there = self._shared(cases, total, count)
            # Cases that no play takes are looked at, too.
            self._spend(max(len(there), len(cases) // CHEAP))
            for after, times in there:
                after = after if made is None else made(state, after)
                ways[after] = ways.get(after, 0) + times
        return self.like(ways)

    def _shared(self, cases: Sequence[tuple[Any, int]], total: int, count: int) -> list[tuple[Any, int]]:
        """Return how some plays go, which cases take."""
        if count == 1:
            # Most states of many events in a row are those of a single play.
            at = bisect([*accumulate(weight for _, weight in cases)], self.luck.share() * total)
            return [(cases[at][0], 1)]
        sure = [count * weight // total for _, weight in cases]
        if rest := count - sum(sure):
            shares = list(accumulate(count * weight % total / total for _, weight in cases))
            for _ in range(rest):
                sure[min(bisect(shares, self.luck.share() * shares[-1]), len(shares) - 1)] += 1
        return [(case, times) for (case, _), times in zip(cases, sure, strict=True) if times]


class StateChange:
    """What becomes of each state by itself, without luck: such steps in a row are done as one."""

    __slots__ = ("of", "steps")

    def __init__(self, *changes: Change | None) -> None:
        self.steps = [change for change in changes if change is not None]
        self.of = self.steps[0] if len(self.steps) == 1 else self._all

    def _all(self, draft: Draft) -> None:
        for change in self.steps:
            change(draft)

    def __call__(self, states: Distribution) -> Distribution:
        """Return each state after it."""
        return states.changed(self.of, len(self.steps)) if self.steps else states


class StepSeries:
    """Steps one after the other; the changes among them that follow one another are one."""

    __slots__ = ("plays",)

    def __init__(self, plays: Iterable[Callable[[Distribution], Distribution]]) -> None:
        self.plays: list[Callable[[Distribution], Distribution]] = []
        for each in plays:
            # Events that call each other twice would be as many steps as there are ways through them.
            for play in each.plays if isinstance(each, StepSeries) and len(each.plays) < MAX_JOINED else [each]:
                last = self.plays[-1] if self.plays else None
                if (
                    isinstance(play, StateChange)
                    and isinstance(last, StateChange)
                    and len(last.steps) + len(play.steps) < MAX_JOINED
                ):
                    self.plays[-1] = StateChange(*last.steps, *play.steps)
                elif not isinstance(play, StateChange) or play.steps:
                    self.plays.append(play)

    def __call__(self, states: Distribution) -> Distribution:
        """Return what becomes of a distribution."""
        for play in self.plays:
            if not states.ways:
                break
            spend_work(1 + len(states.ways) // CHEAP)
            states = play(states)
        return states

    @property
    def as_change(self) -> StateChange | None:
        """The only change that it is, if it is one."""
        if not self.plays:
            return StateChange()
        return self.plays[0] if len(self.plays) == 1 and isinstance(self.plays[0], StateChange) else None


def joined(distributions: Iterable[Distribution]) -> Distribution:
    """Return several distributions as one."""
    there = [states for states in distributions if states.ways]
    if len(there) == 1:
        return there[0]
    total = lcm(*{states.total for states in there})
    ways: dict[State, int] = {}
    for states in there:
        scale = total // states.total
        for state, count in states.ways.items():
            ways[state] = ways.get(state, 0) + count * scale
    # Plays are never divided: their total is the same everywhere.
    return there[0].like(ways) if there and there[0].total == total else Distribution(ways, total)


def merged_cases(cases: Iterable[tuple[Any, int, int]]) -> Cases:
    """Return results with ways of different totals under one total; equal results together."""
    there = list(cases)
    total = lcm(*{of for _, _, of in there})
    ways: dict[Any, int] = {}
    for result, count, of in there:
        ways[result] = ways.get(result, 0) + count * (total // of)
    return tuple(ways.items()), total

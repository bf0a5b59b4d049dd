"""Dice that are thrown together: some of them may count alone, and those at their highest may be thrown again.

A die that aces has no largest total. So a throw has one: from `most` on nothing is thrown again, and no total is more,
neither at the table nor where ways are counted. The outcomes are then finite in number and their ways whole numbers.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from math import comb
from typing import NamedTuple

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.model.formulas import MAX_POOL_FACES
from generator.play.chance import Chance, RollNeed
from generator.play.every_way import one_of_ways

MAX_POOL = 12
"""So many dice may be thrown under one name."""
MAX_COUNTED = 30
"""So many, where it is counted what they show."""
MAX_TOTAL = 1_000
"""No `most` is more."""
MAX_SUMS = 2_000_000
"""So many sums are made at the most to count a pool: half a second."""
USUAL_MOST = 100
"""What the total of dice that ace reaches at the most, where nothing is said."""


class Pool(NamedTuple):
    """So many dice of as many faces, the highest `keep` of which count, or the `lowest`; `aces` may be thrown again.

    With `counts` it is counted how many show each of these faces, and without `keep` they are not added up.
    """

    dice: int
    faces: int
    keep: int | None
    lowest: bool
    aces: bool
    most: int
    counts: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        count: int,
        faces: int,
        keep: int | None = None,
        most: int | None = None,
        *,
        lowest: bool,
        aces: bool,
        counts: tuple[int, ...] = (),
    ) -> "Pool":
        """Return what is thrown; a die without faces is not. Raises HackjackError for what cannot be."""
        dice = MAX_COUNTED if counts and keep is None else MAX_POOL
        if not (0 <= count <= dice and (faces == 0 or 2 <= faces <= MAX_POOL_FACES)):
            limits = f"throw 0 to {dice} dice of 2 to {MAX_POOL_FACES} faces, or of 0 for none"
            thrown = f"{count:,} {'die' if count == 1 else 'dice'} of {faces:,} {'face' if faces == 1 else 'faces'}"
            raise HackjackError(f"{thrown} cannot be thrown{'' if count == 1 else ' at once'}: {limits}")
        if keep is not None and keep < 0:
            raise HackjackError(f"{keep} dice cannot be kept: keep 0 or more")
        if most is not None and not 1 <= most <= MAX_TOTAL:
            raise HackjackError(f"the highest total of a throw can be 1 to {MAX_TOTAL:,}, not {most:,}")
        count = count if faces else 0
        highest = count * faces
        most = most or (USUAL_MOST if aces else highest)
        sums, says = cls(count, faces, None, lowest, aces, most, counts).sums, f", {len(counts)} of them counted,"
        cure = "throw fewer"
        if keep is not None or not counts:
            keep = count if keep is None else min(keep, count)
            values, reached = (most, most) if aces else (faces, min(most, keep * faces))
            sums = (count > 1) * values * reached * count * max(keep, len(counts)) * _shown(count, counts)
            says, cure = f" that come to {reached:,}", f"{cure}, or say with most how high a total matters"
        if sums > MAX_SUMS:
            raise HackjackError(f"{count} dice of {faces} faces{says} are too many to count: {cure}")
        return cls(count, faces, keep, lowest, aces, most, counts)

    @property
    def sums(self) -> int:
        """Return about how many numbers are added to count its ways."""
        values = self.most if self.aces else self.faces
        shown = _shown(self.dice, self.counts)
        if self.keep is None:
            return shown * len(self.counts)
        if self.dice <= 1:
            return values
        return values * self.dice * self.dice * min(self.most, self.keep * values) * shown

    @property
    def spoken(self) -> str:
        """Return the dice as people write them."""
        return Dice(self.dice, self.faces).spoken


def _shown(dice: int, counts: tuple[int, ...]) -> int:
    """Return in how many ways dice may show faces that are counted, if it does not matter which of them does."""
    return comb(dice + len(counts), len(counts))


class ThrownDice(NamedTuple):
    """What was thrown: the total that counts, the first face of a die that is alone (0 where none was thrown), and how
    many dice show each face that is counted.

    `shown` are the faces of each die in order. They are not known where ways are counted.
    """

    total: int
    first: int
    counted: tuple[int, ...] = ()
    shown: tuple[tuple[int, ...], ...] = ()


def throw_pools(chance: Chance, pools: Sequence[tuple[Pool, str]]) -> list[ThrownDice]:
    """Throw pools together, each with what it is asked for; what aces is thrown again after all of them are."""
    counted = [one_of_ways(chance, partial(pool_ways, pool), pool.sums) for pool, _ in pools]
    if None not in counted:
        return [ThrownDice(*each) for each in counted if each is not None]
    firsts = [
        chance.roll(RollNeed(Dice(pool.dice, pool.faces), why, apart=True)) if pool.dice else () for pool, why in pools
    ]
    thrown = []
    for (pool, reason), faces in zip(pools, firsts, strict=True):
        shown = tuple(tuple(_with_aces(face, pool, reason, chance)) for face in faces)
        totals = sorted(map(sum, shown), reverse=not pool.lowest)
        first = faces[0] if len(faces) == 1 else 0
        counted_faces = tuple(faces.count(face) for face in pool.counts)
        total = len(faces) if pool.keep is None else min(sum(totals[: pool.keep]), pool.most)
        thrown.append(ThrownDice(total, first, counted_faces, shown))
    return thrown


def _with_aces(face: int, pool: Pool, reason: str, chance: Chance) -> Iterator[int]:
    """Yield the faces of one die: as long as it shows its highest and has not come far enough, one more."""
    total = face
    yield face
    while pool.aces and face == pool.faces and total < pool.most:
        (face,) = chance.roll(RollNeed(Dice(1, pool.faces), f"{reason} aces"))
        total += face
        yield face


Outcome = tuple[int, int, tuple[int, ...]]


@lru_cache(maxsize=1024)
def pool_ways(pool: Pool) -> Mapping[Outcome, int]:
    """Return every outcome of a pool with its number of ways: total, first face of a die that is alone, and counts."""
    if pool.keep is None:
        return dict(_counted_ways(pool))
    if pool.counts:
        return _kept_and_counted_ways(pool, pool.keep)
    if not pool.keep:
        return {(0, 0, ()): 1}
    alone = _die_ways(pool.faces, pool.most, aces=pool.aces)
    if pool.dice == 1:
        return {(total, first, ()): ways for (total, first), ways in alone.items()}
    totals: Counter[int] = Counter()
    for (total, _), ways in alone.items():
        totals[total] += ways
    values = [(value, totals[value]) for value in sorted(totals, reverse=not pool.lowest)]
    return {(total, 0, ()): ways for total, ways in _kept_ways(pool, pool.keep, values).items()}


def _die_ways(faces: int, most: int, *, aces: bool) -> Counter[tuple[int, int]]:
    """Every way for one die to show, as its total and its first face."""
    cases = [(face, face, 1) for face in range(1, faces + (not aces))]
    if aces:
        aced = faces
        times = 1
        while aced < most:
            times += 1
            cases += [(aced + face, faces, times) for face in range(1, faces)]
            aced += faces
        cases.append((aced, faces, times))
    throws = cases[-1][2]
    ways: Counter[tuple[int, int]] = Counter()
    for total, first, thrown in cases:
        ways[min(total, most), first] += faces ** (throws - thrown)
    return ways


def _counted_ways(pool: Pool) -> Iterator[tuple[Outcome, int]]:
    """Yield how many dice may show each face that is counted; a die alone also shows its face."""
    faces = range(1, pool.faces + 1)
    if pool.dice == 1:
        yield from (((1, face, tuple(int(face == each) for each in pool.counts)), 1) for face in faces)
        return
    others = sum(face not in pool.counts for face in faces)
    cases: list[tuple[tuple[int, ...], int, int]] = [((), pool.dice, 1)]
    for face in pool.counts:
        cases = [
            ((*counted, many), left - many, ways * comb(left, many))
            for counted, left, ways in cases
            for many in range(left * (face in faces) + 1)
        ]
    yield from (((pool.dice, 0, counted), ways * others**left) for counted, left, ways in cases if others or not left)


def _kept_and_counted_ways(pool: Pool, keep: int) -> Mapping[Outcome, int]:
    """Every outcome of dice that are all counted while some are added up, face by face in the order of keeping."""
    settled: dict[tuple[int, int, int, tuple[int, ...]], int] = {(0, 0, 0, (0,) * len(pool.counts)): 1}
    for face in sorted(range(1, pool.faces + 1), reverse=not pool.lowest):
        further: Counter[tuple[int, int, int, tuple[int, ...]]] = Counter()
        for (placed, total, first, counted), ways in settled.items():
            for many in range(pool.dice - placed + 1):
                shown = tuple(known + many * (each == face) for known, each in zip(counted, pool.counts, strict=True))
                added = total + min(many, max(keep - placed, 0)) * face
                alone = face if many and pool.dice == 1 else first
                further[placed + many, added, alone, shown] += ways * comb(pool.dice - placed, many)
        settled = further
    return {key[1:]: ways for key, ways in settled.items() if key[0] == pool.dice}


def _kept_ways(pool: Pool, keep: int, values: Sequence[tuple[int, int]]) -> Counter[int]:
    """The totals of the first `keep` of some dice, whose values come in order, each with its ways for one die.

    Value by value it is settled how many dice show it. All of these count until enough of them do; the others may
    then show anything that comes later.
    """
    later = list(accumulate((ways for _, ways in reversed(values)), initial=0))[-2::-1]
    totals: Counter[int] = Counter()
    settled = {(0, 0): 1}
    for (value, ways), rest in zip(values, later, strict=True):
        further: Counter[tuple[int, int]] = Counter()
        for (placed, total), before in settled.items():
            left, wanted = pool.dice - placed, keep - placed
            for many in range(left + 1):
                ways_so = before * comb(left, many) * ways**many
                if many >= wanted:
                    totals[min(total + wanted * value, pool.most)] += ways_so * rest ** (left - many)
                else:
                    further[placed + many, min(total + many * value, pool.most)] += ways_so
        settled = further
    return totals

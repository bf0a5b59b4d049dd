"""In how many ways a deck fills the blanks of outlines so that the death-scores come out right.

An outline of several hits says what each of its blanks adds to the death-score: its score, its Blood, rolled anew for
each time it is poured, and Blood for being red. Where the death-score starts anew at the limit, hits before and after
are different stretches, and each has a sum of its own: the limit exactly where it started anew, at most that in the
last stretch.

The deck is gone through once, wound by wound, for all outlines together: cards fill some of the blanks that are still
open, and of those that are left some lie face down. Only what is still open is kept, with what the stretches still
need; outlines of which the same is open become one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import lcm, perm
from operator import gt, sub
from typing import NamedTuple

from generator.engine.counting import Blow
from generator.odds.looks import Look
from generator.odds.marks import Acting, Blank, Lots, Simple, Under
from generator.odds.supply import Counted, Supply, ways_to_draw
from generator.odds.ways import too_many

MOST_OPEN = 250_000
"""Beyond so many at once an exact answer is refused rather than cut short."""

Asked = Mapping[int, Mapping[tuple[int, ...], int]]
"""Lots, and what stands in each stretch already without their blanks, with weights."""


class _Sorted(NamedTuple):
    """A lot, sorted.

    `missing`: wounds that no blank can have any more. `coloured`: whether it matters who is red. `ways`: to deal the
    cards of which nothing else depends. `size`: of all cards. `whole`: what the ways to deal all are shares of.
    """

    blanks: Counted
    under: tuple[tuple[Under, int], ...]
    missing: tuple[int, ...]
    coloured: bool
    ways: int
    size: int
    whole: int


_Open = tuple[int, int, tuple[int, ...]]
"""What is still open: blanks and veils by their numbers, and what the stretches need: the last no more than that, every
other just that."""

_Weights = dict[_Open, int]


class Blanks:
    """The ways to fill the blanks of outlines from some cards."""

    def __init__(self, cards: Sequence[Blow], near: Look, far: Look, lots: Lots, limit: int) -> None:
        self._lots, self._limit, self._cards = lots, limit, len(cards)
        self._supply = Supply(cards, near, far, limit)
        acting = [card for card in cards if near.wound(card).acts]
        self._acting = Counter((near.wound(card).place, card.red, card.score) for card in acting)
        self._reach = cache(self._reached)
        self._spans: dict[int, Mapping[int, tuple[int, int]]] = {}

    def span(self, lot: int) -> Mapping[int, tuple[int, int]]:
        """The least and the most that the blanks of a lot may add to each stretch, card by card."""
        known = self._spans.get(lot)
        if known is None:
            found: dict[int, tuple[int, int]] = {}
            for mark, count in self._lots.marks(lot):
                for stretch, (least, most) in self._reach(mark).items():
                    before = found.get(stretch, (0, 0))
                    found[stretch] = before[0] + count * least, before[1] + count * most
            known = self._spans[lot] = found
        return known

    def _reached(self, mark: object) -> Mapping[int, tuple[int, int]]:
        if isinstance(mark, Blank):
            return self._supply.span(mark, False, 0)
        if not isinstance(mark, Under):
            return {}
        found = {mark.stretches[0]: (0, sum(card.reds for card in mark.veil.parts[0][0].cards))}
        for at, stretch in enumerate(mark.stretches):
            blood = [laid.poured[at] if at < len(laid.poured) else 0 for laid, _ in mark.veil.parts]
            least, most = found.get(stretch, (0, 0))
            found[stretch] = (least + min(blood), most + max(blood))
        return found

    def chance(self, asked: Asked) -> Fraction:
        """The chance of some lots: of each, what stands in each stretch already without its blanks, with its weight."""
        lots = [(self._sorted(lot), by_sums) for lot, by_sums in asked.items()]
        size = max((lot.size for lot, _ in lots), default=0)
        whole = lcm(*{lot.whole for lot, _ in lots})
        runs: dict[tuple[bool, tuple[int, ...]], _Weights] = {}
        for lot, by_sums in lots:
            # All over one denominator: as if each had drawn as many cards as the one that draws most.
            scale = lot.ways * perm(self._cards - lot.size, size - lot.size) * (whole // lot.whole)
            for sums, weight in by_sums.items() if scale else ():
                weights = runs.setdefault((lot.coloured, lot.missing), {})
                self._begin(weights, lot, tuple(self._limit - score for score in sums), weight * scale)
        total = sum(self._passed(*run, weights) for run, weights in runs.items())
        return Fraction(total, perm(self._cards, size) * whole)

    # --- lots ------------------------------------------------------------------------------------------------------

    def _sorted(self, lot: int) -> _Sorted:
        blanks: list[tuple[Blank, int]] = []
        under: list[tuple[Under, int]] = []
        acting: list[tuple[Acting, int]] = []
        free, size, whole = 0, 0, 1
        for mark, count in self._lots.marks(lot):
            size += count * (mark.veil.size if isinstance(mark, Under) else 1)
            if isinstance(mark, Blank):
                blanks.append((mark, count))
                whole *= self._supply.whole ** (count * sum(times for _, times in mark.pours))
            elif isinstance(mark, Under):
                under.append((mark, count))
                whole *= mark.veil.whole**count
            elif isinstance(mark, Acting):
                acting.append((mark, count))
            else:
                assert mark is Simple.FREE
                free += count
        turning = self._supply.turning
        used = sum(count for _, count in blanks) + sum(mark.veil.size * count for mark, count in under)
        used += sum(count for mark, count in acting if mark.place in turning)
        ways = self._ways_to_draw_acting(acting) * ways_to_draw(len(self._supply.plain) - used, free)
        seen = any(card.reds for mark, _ in under for card in mark.veil.parts[0][0].cards)
        coloured = seen or any(blank.reds for blank, _ in blanks)
        missing = tuple(sorted({mark.place for mark, _ in acting} & turning))
        return _Sorted(tuple(sorted(blanks)), tuple(under), missing, coloured, ways, size, whole)

    def _ways_to_draw_acting(self, acting: Sequence[tuple[Acting, int]]) -> int:
        """The ways to deal cards that act: first those whose score is known, then the others of the same wound."""
        ways = 1
        scored: Counter[tuple[int, bool]] = Counter()
        for mark, count in acting:
            if mark.score is not None:
                ways *= ways_to_draw(self._acting[mark.place, mark.red, mark.score], count)
                scored[mark.place, mark.red] += count
        for mark, count in acting:
            if mark.score is None:
                held = sum(many for key, many in self._acting.items() if key[:2] == (mark.place, mark.red))
                ways *= ways_to_draw(held - scored[mark.place, mark.red], count)
        return ways

    # --- one pass over the deck ------------------------------------------------------------------------------------

    def _begin(self, weights: _Weights, lot: _Sorted, needs: tuple[int, ...], weight: int) -> None:
        """Add a lot to what is open before the first card."""
        left, veils = list(needs), []
        for mark, count in lot.under:
            factor, sums, rest = self._supply.root(mark.veil)
            for _ in range(count):
                veils.append((rest, mark.stretches))
                weight *= factor
                for stretch, blood in zip(mark.stretches, sums, strict=False):
                    left[stretch] -= blood
        if min(left) >= 0:
            number = self._supply.number
            start = (number(lot.blanks), number(tuple(sorted(veils))), tuple(left))
            weights[start] = weights.get(start, 0) + weight

    def _passed(self, coloured: bool, missing: tuple[int, ...], weights: _Weights) -> int:
        """The weight of all that is closed in the end."""
        wounds = self._supply.wounds(coloured)
        for at, place in enumerate(wounds[:-1]):
            if at == len(self._supply.turning):
                weights = self._all_near(weights)
            if place not in missing:
                weights = self._next(weights, place, coloured, at + 1)
                self._supply.forget()
        return self._last(weights, wounds[-1], coloured)

    def _all_near(self, weights: _Weights) -> _Weights:
        """When the cards are through that do nothing from afar alone, it does not matter from where one looked."""
        after: _Weights = {}
        for (blanks, veils, needs), weight in weights.items():
            key = (self._supply.from_near(blanks), veils, needs)
            after[key] = after.get(key, 0) + weight
        return after

    def _next(self, weights: _Weights, place: int, coloured: bool, at: int) -> _Weights:
        """Go through the cards of a wound: some fill blanks, some of the others lie face down."""
        supply = self._supply
        black, red = supply.held(place, coloured)
        after: _Weights = {}
        for (blanks, veils, needs), weight in weights.items():
            stretches = len(needs)
            for rest, (blacks, reds), left, ways in supply.fillings(blanks, place, coloured, needs, at):
                for under, laid, ways_to_lay in supply.layings(veils, place, stretches, black - blacks, red - reds):
                    still = tuple(map(sub, left, laid)) if laid else left
                    least, most = supply.ahead(rest, under, stretches, coloured, at)
                    if any(map(gt, least, still)) or any(map(gt, still[:-1], most)):
                        continue
                    if still[-1] > most[-1]:
                        # More than may still come is as good as that.
                        still = (*still[:-1], most[-1])
                    key = (rest, under, still)
                    after[key] = after.get(key, 0) + weight * ways * ways_to_lay
            if len(after) > MOST_OPEN:
                raise too_many(MOST_OPEN, "ways to fill the hits with cards")
        return after

    def _last(self, weights: _Weights, place: int, coloured: bool) -> int:
        """Go through the cards of the last wound: what is still open is closed now, or never."""
        black, red = self._supply.held(place, coloured)
        total = 0
        for (blanks, veils, needs), weight in weights.items():
            for (blacks, reds), by_closed in self._supply.closings(blanks, place, coloured, len(needs)).items():
                for under, laid, ways in self._supply.layings(veils, place, len(needs), black - blacks, red - reds):
                    left = tuple(map(sub, needs, laid)) if laid else needs
                    if not under and min(left) >= 0 and (row := by_closed.get(left[:-1])):
                        total += weight * ways * row[left[-1]]
        return total

"""In how many ways a deck fills the blanks of outlines so that the death-scores come out right.

An outline of several hits says what each of its blanks adds to the death-score: its score, its Blood, rolled anew for
each time it is poured, and Blood for being red. Where the death-score starts anew at the limit, hits before and after
are different stretches, and each has a sum of its own: the limit exactly where it started anew, at most that in the
last stretch.

The deck is gone through once, wound by wound, for all outlines together: cards fill some of the blanks that are still
open, and of those that are left some lie face down. Only what is still open is kept, with what the stretches still
need; outlines of which the same is open become one. So that more do, what no card is left for is dropped on the way,
and near the end veils are told card by card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import lcm, perm
from typing import NamedTuple

from generator.engine.counting import Blow
from generator.odds.looks import Look
from generator.odds.marks import Acting, Blank, Lots, Simple, Under
from generator.odds.stretches import Fields
from generator.odds.supply import Counted, Supply, ways_to_draw
from generator.odds.ways import too_many

MOST_OPEN = 250_000
"""Beyond so many at once an exact answer is refused rather than cut short."""

FEW_WOUNDS = 3
"""When no more wounds are left, it pays to say how many cards of each lie face down."""

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


_Open = tuple[int, int]
"""What is still open: blanks and veils by their numbers."""

_Weights = dict[_Open, dict[int, int]]
"""By what is open, and by what the stretches need, packed: the last no more than that, every other just that."""


class Blanks:
    """The ways to fill the blanks of outlines from some cards."""

    def __init__(self, cards: Sequence[Blow], near: Look, far: Look, lots: Lots, limit: int) -> None:
        self._lots, self._limit, self._cards = lots, limit, len(cards)
        self._supply = Supply(cards, near, far, limit)
        acting = [card for card in cards if near.wound(card).acts]
        self._acting = Counter((near.wound(card).place, card.red, card.score) for card in acting)
        self._reach, self._facts = cache(self._reached), cache(self._facts_of)
        self.span = cache(self._spanned)

    def _spanned(self, lot: int) -> Mapping[int, tuple[int, int]]:
        """The least and the most that the blanks of a lot may add to each stretch, card by card."""
        found: dict[int, tuple[int, int]] = {}
        for mark, count in self._lots.marks(lot):
            for stretch, (least, most) in self._reach(mark).items():
                before = found.get(stretch, (0, 0))
                found[stretch] = before[0] + count * least, before[1] + count * most
        return found

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
        runs: dict[tuple[bool, int], dict[tuple[int, ...], _Weights]] = {}
        for lot, by_sums in lots:
            # All over one denominator: as if each had drawn as many cards as the one that draws most.
            scale = lot.ways * perm(self._cards - lot.size, size - lot.size) * (whole // lot.whole)
            for sums, weight in by_sums.items() if scale else ():
                weights = runs.setdefault((lot.coloured, len(sums)), {}).setdefault(lot.missing, {})
                self._begin(weights, lot, [self._limit - score for score in sums], weight * scale)
        total = sum(self._passed(*run, by_missing) for run, by_missing in runs.items())
        return Fraction(total, perm(self._cards, size) * whole)

    # --- lots ------------------------------------------------------------------------------------------------------

    def _sorted(self, lot: int) -> _Sorted:
        blanks: list[tuple[Blank, int]] = []
        under: list[tuple[Under, int]] = []
        acting: list[tuple[Acting, int]] = []
        free, size, whole, coloured = 0, 0, 1, False
        for mark, count in self._lots.marks(lot):
            cards, shares, red = self._facts(mark)
            size += count * cards
            whole *= shares**count
            coloured |= red
            if isinstance(mark, Blank):
                blanks.append((mark, count))
            elif isinstance(mark, Under):
                under.append((mark, count))
            elif isinstance(mark, Acting):
                acting.append((mark, count))
            else:
                assert mark is Simple.FREE
                free += count
        turning = self._supply.turning
        named = sum(count for mark, count in acting if mark.place not in turning)
        ways = self._ways_to_draw_acting(acting) * ways_to_draw(len(self._supply.plain) - (size - named - free), free)
        missing = tuple(sorted({mark.place for mark, _ in acting} & turning))
        return _Sorted(tuple(sorted(blanks)), tuple(under), missing, coloured, ways, size, whole)

    def _facts_of(self, mark: object) -> tuple[int, int, bool]:
        """How many cards a mark stands for, what its weights are shares of, and whether it matters who is red."""
        if isinstance(mark, Blank):
            return 1, self._supply.whole ** sum(times for _, times in mark.pours), bool(mark.reds)
        if isinstance(mark, Under):
            return mark.veil.size, mark.veil.whole, any(card.reds for card in mark.veil.parts[0][0].cards)
        return 1, 1, False

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

    def _begin(self, weights: _Weights, lot: _Sorted, needs: list[int], weight: int) -> None:
        """Add a lot to what is open before the first card."""
        veils = []
        for mark, count in lot.under:
            factor, sums, rest = self._supply.root(mark.veil)
            for _ in range(count):
                veils.append((rest, mark.stretches))
                weight *= factor
                for stretch, blood in zip(mark.stretches, sums, strict=False):
                    needs[stretch] -= blood
        if min(needs) >= 0:
            number = self._supply.number
            by_needs = weights.setdefault((number(lot.blanks), number(tuple(sorted(veils)))), {})
            packed = self._supply.fields.packed(needs)
            by_needs[packed] = by_needs.get(packed, 0) + weight

    def _passed(self, coloured: bool, stretches: int, by_missing: Mapping[tuple[int, ...], _Weights]) -> int:
        """The weight of all that is closed in the end."""
        wounds, turning = self._supply.wounds, len(self._supply.turning)
        weights: _Weights = {}
        for missing, found in by_missing.items():
            for at, place in enumerate(wounds[:turning]):
                if place not in missing:
                    found = self._next(found, place, coloured, stretches, at + 1)
            _merge(weights, found, self._supply.from_near)
        for at, place in enumerate(wounds[turning:-1], turning):
            if at == max(len(wounds) - FEW_WOUNDS, turning):
                weights = self._told(weights, coloured, stretches, at)
            weights = self._next(weights, place, coloured, stretches, at + 1)
            self._supply.forget()
        if not self._supply.bleeds(wounds[-1]):
            dry: _Weights = {}
            _merge(dry, weights, self._supply.dry)
            weights = dry
        return self._last(weights, wounds[-1], coloured, stretches)

    def _told(self, weights: _Weights, coloured: bool, stretches: int, at: int) -> _Weights:
        """Say of each veil how many cards of each wound there are: of many the same is open then."""
        supply = self._supply
        after = _After(supply.fields, stretches)
        for (blanks, veils), by_needs in weights.items():
            reach = supply.reach(blanks, coloured, at)
            if reach is not None:
                for under, laid, most, ways in supply.told(veils):
                    after.add((blanks, under), by_needs, laid, laid + reach[0], laid + most + reach[1], ways)
        return after.weights

    def _next(self, weights: _Weights, place: int, coloured: bool, stretches: int, at: int) -> _Weights:
        """Go through the cards of a wound: some fill blanks, some of the others lie face down."""
        supply = self._supply
        guard = supply.fields.guard(stretches)
        after = _After(supply.fields, stretches)
        for (blanks, veils), by_needs in weights.items():
            ceiling = guard + supply.fields.most(by_needs, stretches)
            for rest, black, red, added, low, high, ways in supply.moves(blanks, place, coloured, at):
                if (room := ceiling - low) & guard != guard:
                    continue
                for under, laid, most, ways_to_lay in supply.layings(veils, place, black, red):
                    if (room - laid) & guard == guard:
                        gone = added + laid
                        after.add((rest, under), by_needs, gone, low + laid, high + laid + most, ways * ways_to_lay)
        return after.weights

    def _last(self, weights: _Weights, place: int, coloured: bool, stretches: int) -> int:
        """Go through the cards of the last wound: what is still open is closed now, or never."""
        fields = self._supply.fields
        guard, closed, top = fields.guard(stretches), fields.closed(stretches), fields.top(stretches)
        black, red = self._supply.held(place, coloured)
        total = 0
        for (blanks, veils), by_needs in weights.items():
            for (blacks, reds), by_closed in self._supply.closings(blanks, place, coloured, stretches).items():
                for under, laid, _, ways in self._supply.layings(veils, place, black - blacks, red - reds):
                    for needs, weight in by_needs.items() if not under else ():
                        left = needs + guard - laid
                        if left & guard == guard and (row := by_closed.get((left ^ guard) & closed)):
                            total += weight * ways * row[(left ^ guard) >> top]
        return total


def _merge(weights: _Weights, more: _Weights, alike: Callable[[int], tuple[int, int]]) -> None:
    """Add what is open, blanks as those that they are like now, with a factor."""
    for (blanks, veils), by_needs in more.items():
        like, factor = alike(blanks)
        found = weights.setdefault((like, veils), {})
        for needs, weight in by_needs.items():
            found[needs] = found.get(needs, 0) + weight * factor


class _After:
    """What is open after a step, gathered. Raises HackjackError where it is too much."""

    def __init__(self, fields: Fields, stretches: int) -> None:
        self.weights: _Weights = {}
        self._guard, self._top = fields.guard(stretches), fields.top(stretches)
        self._closed = fields.closed(stretches)
        self._closed_guard = self._guard & self._closed
        self._open = 0

    def add(self, key: _Open, by_needs: Mapping[int, int], gone: int, low: int, high: int, ways: int) -> None:
        """Add what leads to a key when so much of what the stretches need is gone.

        `low` and `high`: that, with the least and with the most that may still come.
        """
        guard, closed, closed_guard, top = self._guard, self._closed, self._closed_guard, self._top
        high_closed, high_last = (high & closed) + closed_guard, high >> top
        found = self.weights.get(key)
        if found is None:
            found = {}
        before = len(found)
        for needs, weight in by_needs.items():
            if (needs + guard - low) & guard != guard:
                continue
            if closed and (high_closed - (needs & closed)) & closed_guard != closed_guard:
                continue
            # More than may still come is as good as that.
            left = (needs if needs >> top <= high_last else needs & closed | high_last << top) - gone
            found[left] = found.get(left, 0) + weight * ways
        if len(found) > before:
            self.weights[key] = found
            self._open += len(found) - before
            if self._open > MOST_OPEN:
                raise too_many(MOST_OPEN, "ways to fill the hits with cards")

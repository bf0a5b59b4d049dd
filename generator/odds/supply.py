"""What the cards of a deck may do for blanks that are open, wound by wound, in how many ways.

Cards of one wound fill blanks first; of those that are left some lie face down under veils. What is still open of
blanks and of veils has a number each, so that it is compared and looked up as fast as a number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from math import comb, gcd, lcm, perm, prod
from operator import sub
from typing import Any, NamedTuple

from generator.dice import Dice
from generator.engine.counting import Blow
from generator.odds.looks import Look
from generator.odds.marks import NO_WOUND, Blank, NotBlankError, Veil
from generator.odds.stretches import Fields

MOST_KEPT = 100_000
"""So many answers about one wound are kept for later courses."""

_DRY = Dice(0, 0)


class _Class(NamedTuple):
    """Equal cards. `turning`: whether they do nothing from afar alone."""

    cards: int
    score: int
    blood: Dice | None
    red: bool
    place: int
    turning: bool


Counted = tuple[tuple[Blank, int], ...]
"""Blanks, and how many there are of each."""

_Share = tuple[tuple[tuple[int, int], ...], tuple[int, ...], int]
"""Cards that lie face down, each by its wound and the Blood it brings if it is red; what is poured; the share."""

_Veils = tuple[tuple[int, tuple[int, ...]], ...]
"""By number, what is still open of each veil, and the stretches to which it adds."""


class _Step(NamedTuple):
    """What veils may have of a wound.

    `any`: cards of any colour. `seen`: those that bring Blood to a stretch if they are red, and by how much. `sums`:
    what is added for sure. `left`: what is open of the veils after that.
    """

    any: int
    seen: tuple[tuple[int, int, int], ...]
    sums: int
    left: _Veils


class Supply:
    """The cards of a deck. Shares of a roll of Blood are shares of `whole`, whatever card it is of.

    Nothing that adds more than `limit` to a stretch is found. Raises NotBlankError for a deck in which several cards
    share a wound that acts, but not from afar.
    """

    def __init__(self, cards: Sequence[Blow], near: Look, far: Look, limit: int) -> None:
        self._limit, self._near = limit, near
        self.plain = [card for card in cards if not far.wound(card).acts]
        # Only from afar these are like any other.
        self.turning = {near.wound(card).place for card in self.plain if near.wound(card).acts}
        if any(sum(near.wound(card).place == place for card in cards) > 1 for place in self.turning):
            raise NotBlankError
        self._kinds = Counter((near.wound(card).place, card.red) for card in self.plain)
        dice = {card.blood for card in self.plain if card.blood is not None and not card.blood.is_number}
        self.whole = lcm(*(each.faces**each.count for each in dice))
        self.wounds = self._in_order()
        self._classes = {coloured: self._grouped(coloured) for coloured in (False, True)}
        self._numbers: dict[Any, int] = {(): 0}
        self._things: list[Any] = [()]
        self._rests: list[tuple[_Share, ...]] = []
        self._rest_numbers: dict[tuple[_Share, ...], int] = {}
        self.fields = Fields(limit)
        self.moves, self.closings, self.layings = cache(self._moved), cache(self._closed), cache(self._laid)
        self.reach, self.told, self._known = cache(self._reach_of), cache(self._told), cache(self._known_rest)
        self._fillings, self._most_under = cache(self._filled), cache(self._most_of)
        self.span, self.root = cache(self._blank_span), cache(self._root_of)
        self.from_near, self.dry = cache(self._all_near), cache(self._all_dry)
        self._of_class, self._added = cache(self._filled_by), cache(self._added_by)
        self._joint, self._steps, self._veil_most = (
            cache(self._joint_steps),
            cache(self._steps_of),
            cache(self._most_of_rest),
        )

    def forget(self) -> None:
        """Let go of what was found for one wound, where that is a lot: little of it is asked again."""
        found = (self.moves, self._fillings, self.layings, self.told, self.reach, self._joint)
        if sum(known.cache_info().currsize for known in found) > MOST_KEPT:
            for known in found:
                known.cache_clear()

    def _in_order(self) -> list[int]:
        """The places of all wounds: those that act from close, then by Blood, last the one with the most cards."""
        held = Counter(self._near.wound(card).place for card in self.plain)
        most = {self._near.wound(card).place: (card.blood or _DRY).most for card in self.plain}
        last = max(held, key=lambda place: (place not in self.turning, held[place]))
        # What may bring much comes first: what it does not bring is soon out of reach.
        return sorted(held, key=lambda place: (place not in self.turning, place == last, -most[place], place))

    def _grouped(self, coloured: bool) -> dict[int, list[_Class]]:
        """Wound by wound, as `wounds` has them: the classes of its cards."""
        found: dict[tuple[int, int, bool], list[Blow]] = {}
        for card in self.plain:
            place = self._near.wound(card).place
            found.setdefault((place, card.score, card.red and (coloured or place in self.turning)), []).append(card)
        classes: dict[int, list[_Class]] = {place: [] for place in self.wounds}
        for (place, score, red), cards in sorted(found.items()):
            classes[place].append(
                _Class(len(cards), score, self._near.wound(cards[0]).blow.blood, red, place, place in self.turning)
            )
        return classes

    def number(self, thing: Counted | _Veils) -> int:
        """A number for some blanks or veils; 0 for none."""
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self._things)
            self._things.append(thing)
        return number

    def bleeds(self, place: int) -> bool:
        """Whether a wound brings Blood."""
        return self._classes[False][place][0].blood is not None

    def _all_near(self, blanks: int) -> tuple[int, int]:
        """Blanks as if all had been looked at from close: alike when the cards are through that only turn up afar."""
        return self._as(blanks, afar=False), 1

    def _all_dry(self, blanks: int) -> tuple[int, int]:
        """Blanks for which no Blood is poured, alike when no wound is left that bleeds, and all shares of the rolls."""
        rolls = sum(count * times for blank, count in self._things[blanks] for _, times in blank.pours)
        return self._as(blanks, pours=()), self.whole**rolls

    def _as(self, blanks: int, **values: Any) -> int:
        counts: Counter[Blank] = Counter()
        for blank, count in self._things[blanks]:
            counts[blank._replace(**values)] += count
        return self.number(tuple(sorted(counts.items())))

    # --- blanks ----------------------------------------------------------------------------------------------------

    def held(self, place: int, coloured: bool) -> tuple[int, int]:
        """The black and the red cards of a wound, all as black where colours do not matter."""
        black, red = (self._kinds[place, is_red] for is_red in (False, True))
        return (black, red) if coloured or place in self.turning else (black + red, 0)

    def _filled(self, blanks: int, place: int, coloured: bool) -> tuple[tuple[int, tuple[int, int], int, int], ...]:
        """How the cards of a wound may fill some blanks: those left open, the black and the red cards, what is added to
        the stretches, and the ways."""
        found: dict[tuple[int, int, int, int], int] = {(blanks, 0, 0, 0): 1}
        within = self.fields.within
        for these in self._classes[coloured][place]:
            for (left, blacks, reds, sums), weight in list(found.items()):
                for rest, many, added, ways in self._of_class(left, these):
                    if within(sums + added):
                        key = (rest, *((blacks, reds + many) if these.red else (blacks + many, reds)), sums + added)
                        found[key] = found.get(key, 0) + weight * ways
        return tuple((rest, (blacks, reds), added, ways) for (rest, blacks, reds, added), ways in found.items())

    def _moved(
        self, blanks: int, place: int, coloured: bool, at: int
    ) -> tuple[tuple[int, int, int, int, int, int, int], ...]:
        """The same where the wounds from a place on can fill the others: the blanks left open, the black and the red
        cards left, what is added, that and the least and the most that may still come to it, and the ways."""
        black, red = self.held(place, coloured)
        found = []
        for rest, (blacks, reds), added, ways in self._fillings(blanks, place, coloured):
            reach = self.reach(rest, coloured, at)
            if reach is not None:
                found.append((rest, black - blacks, red - reds, added, added + reach[0], added + reach[1], ways))
        return tuple(found)

    def _closed(
        self, blanks: int, place: int, coloured: bool, stretches: int
    ) -> dict[tuple[int, int], dict[int, list[int]]]:
        """How the cards of a wound fill all blanks: by the black and the red cards and by what is added to the closed
        stretches, the ways to add no more than 0, 1 ... to the last."""
        top, closed = self.fields.top(stretches), self.fields.closed(stretches)
        found: dict[tuple[int, int], dict[int, list[int]]] = {}
        for rest, gone, added, ways in self._fillings(blanks, place, coloured):
            if not rest:
                row = found.setdefault(gone, {}).setdefault(added & closed, [0] * (self._limit + 1))
                row[added >> top] += ways
        for by_closed in found.values():
            for sums, row in by_closed.items():
                by_closed[sums] = list(accumulate(row))
        return found

    def _filled_by(self, blanks: int, these: _Class) -> tuple[tuple[int, int, int, int], ...]:
        """How a class may fill some blanks: those left open, the number of cards, what they add, and the ways."""
        found, counts = [], self._things[blanks]
        for chosen in product(
            *(range(min(count, these.cards) + 1 if _fits(blank, these) else 1) for blank, count in counts)
        ):
            many = sum(chosen)
            if not 0 < many <= these.cards:
                continue
            filled = [(blank, count, less) for (blank, count), less in zip(counts, chosen, strict=True)]
            part = tuple((blank, less) for blank, _, less in filled if less)
            rest = self.number(tuple((blank, count - less) for blank, count, less in filled if count > less))
            ways = perm(these.cards, many) * prod(comb(count, less) for _, count, less in filled)
            found += [(rest, many, added, ways * share) for added, share in self._added(these, part)]
        return tuple(found)

    def _laid(self, veils: int, place: int, black: int, red: int) -> tuple[tuple[int, int, int, int], ...]:
        """What veils may have of a wound of which so many cards are left: the veils after that, what is added to the
        stretches, the most that may still come, and the ways."""
        if not veils:
            return ((0, 0, 0, 1),)
        found: dict[tuple[int, int], int] = {}
        for (loose, seen, sums, still), factor in self._joint(veils, place):
            left = self.number(still)
            shown = sum(count for _, _, count in seen)
            ways_of_rest = ways_to_draw(black + red - shown, loose) * factor
            if not ways_of_rest:
                continue
            if not seen:
                found[left, sums] = found.get((left, sums), 0) + ways_of_rest
                continue
            for reds in product(*(range(count + 1) for _, _, count in seen)):
                ways = ways_of_rest * ways_to_draw(red, sum(reds)) * ways_to_draw(black, shown - sum(reds))
                total = sums
                for many, (blood, stretch, count) in zip(reds, seen, strict=True):
                    total += self.fields.at(stretch, blood * many)
                    ways *= comb(count, many)
                if ways and self.fields.within(total):
                    found[left, total] = found.get((left, total), 0) + ways
        return tuple((left, added, self._most_under(left), ways) for (left, added), ways in found.items())

    def _told(self, veils: int) -> tuple[tuple[int, int, int, int], ...]:
        """What may lie there: veils of which the wound of each card is known, what is added to the stretches, the most
        that may still come, and a factor."""
        found: dict[tuple[int, int], int] = {}
        of_all = [of for _, of in self._things[veils]]
        for shares in product(*(self._rests[rest] for rest, _ in self._things[veils])):
            sums, cards = 0, defaultdict(list)
            for (lying, poured, _), of in zip(shares, of_all, strict=True):
                sums += self.fields.placed(poured, of)
                for kind, reds in lying:
                    # Where no red card brings Blood, all lie together.
                    cards[of[0] if reds else 0].append((kind, reds))
            if self.fields.within(sums):
                known = [(self._known(tuple(sorted(lying))), (of,)) for of, lying in cards.items()]
                key = (self.number(tuple(sorted(known))), sums)
                found[key] = found.get(key, 0) + prod(weight for *_, weight in shares)
        return tuple((left, added, self._most_under(left), factor) for (left, added), factor in found.items())

    def _known_rest(self, cards: tuple[tuple[int, int], ...]) -> int:
        """The number of a veil of which the wound of each card is known, and for which nothing is poured."""
        return self._rest([(cards, (0,), 1)])[2]

    def _joint_steps(self, veils: int, place: int) -> tuple[tuple[_Step, int], ...]:
        """What all veils together may have of a wound, with a factor."""
        found = {_Step(0, (), 0, ()): 1}
        for rest, of in self._things[veils]:
            grown: dict[_Step, int] = {}
            for joint, factor in found.items():
                for step, share in self._steps(rest, of, place):
                    sums = joint.sums + step.sums
                    if self.fields.within(sums):
                        left = tuple(sorted(joint.left + step.left))
                        both = _Step(joint.any + step.any, joint.seen + step.seen, sums, left)
                        grown[both] = grown.get(both, 0) + factor * share
            found = grown
        return tuple(found.items())

    def _reach_of(self, blanks: int, coloured: bool, at: int) -> tuple[int, int] | None:
        """The least and the most that the wounds from a place on may add to the stretches in some blanks, as far as
        that matters; None where it is always too much."""
        least: Counter[int] = Counter()
        most: Counter[int] = Counter()
        for blank, count in self._things[blanks]:
            for stretch, (low, high) in self.span(blank, coloured, at).items():
                least[stretch] += count * low
                most[stretch] += count * high
        if max(least.values(), default=0) > self._limit:
            return None
        return self.fields.placed(least.values(), least), self.fields.placed(most.values(), most)

    def _most_of(self, veils: int) -> int:
        """The most that veils may add to the stretches, as far as that matters."""
        most: Counter[int] = Counter()
        for rest, of in self._things[veils]:
            for stretch, high in zip(of, self._veil_most(rest), strict=False):
                most[stretch] += high
        return self.fields.placed(most.values(), most)

    def _blank_span(self, blank: Blank, coloured: bool, at: int) -> Mapping[int, tuple[int, int]]:
        """The least and the most that cards of the wounds from a place on may add to a stretch in a blank."""
        classes = [
            these for each in list(self._classes[coloured].values())[at:] for these in each if _fits(blank, these)
        ]
        found = {}
        for stretch in {stretch for stretch, _ in (*blank.score, *blank.pours, *blank.reds)}:
            points, pours, reds = (dict(where).get(stretch, 0) for where in (blank.score, blank.pours, blank.reds))
            bloods = [these.blood or _DRY for these in classes]
            lows = [these.score * points + blood.least * pours for these, blood in zip(classes, bloods, strict=True)]
            highs = [these.score * points + blood.most * pours for these, blood in zip(classes, bloods, strict=True)]
            # Without a card that fits it stays open for ever.
            found[stretch] = min(lows, default=self._limit + 1), max(highs, default=0) + reds
        return found

    def _most_of_rest(self, rest: int) -> tuple[int, ...]:
        """The most that a veil may add, pour by pour; red cards add to the first."""
        parts = self._rests[rest]
        most = [*map(max, zip(*(sums for _, sums, _ in parts), strict=True))] or [0]
        most[0] += max(sum(reds for _, reds in cards) for cards, _, _ in parts)
        return tuple(most)

    # --- veils -----------------------------------------------------------------------------------------------------

    def _root_of(self, veil: Veil) -> tuple[int, tuple[int, ...], int]:
        """A veil before the first card: a factor, what it adds for sure, and the rest."""
        width = max(len(laid.poured) for laid, _ in veil.parts)
        parts = [
            (
                tuple((card.kind, card.reds) for card in laid.cards),
                laid.poured + (0,) * (width - len(laid.poured)),
                weight,
            )
            for laid, weight in veil.parts
        ]
        return self._rest(parts)

    def _rest(self, parts: Sequence[_Share]) -> tuple[int, tuple[int, ...], int]:
        """Parts without what they have in common: the factor, the sums, and the number of the rest."""
        merged: dict[tuple[tuple[tuple[int, int], ...], tuple[int, ...]], int] = {}
        for cards, sums, weight in parts:
            merged[cards, sums] = merged.get((cards, sums), 0) + weight
        factor = gcd(*merged.values())
        base = tuple(map(min, zip(*(sums for _, sums in merged), strict=True)))
        key = tuple(
            sorted((cards, tuple(map(sub, sums, base)), weight // factor) for (cards, sums), weight in merged.items())
        )
        number = self._rest_numbers.get(key)
        if number is None:
            number = self._rest_numbers[key] = len(self._rests)
            self._rests.append(key)
        return factor, base, number

    def _steps_of(self, rest: int, of: tuple[int, ...], place: int) -> tuple[tuple[_Step, int], ...]:
        """What there may be of a wound in the rest of a veil that adds to some stretches, with a factor."""
        groups: dict[tuple[tuple[int, int], ...], list[_Share]] = {}
        for cards, sums, weight in self._rests[rest]:
            mine = tuple(card for card in cards if card[0] == place)
            others = tuple(card for card in cards if card[0] != place)
            groups.setdefault(mine, []).append((others, sums, weight))
        steps, placed = [], self.fields.placed
        for mine, parts in groups.items():
            seen = tuple((reds, of[0], count) for reds, count in Counter(reds for _, reds in mine if reds).items())
            loose = sum(not reds for _, reds in mine)
            if parts[0][0]:
                factor, sums, number = self._rest(parts)
                steps.append((_Step(loose, seen, placed(sums, of), ((number, of),)), factor))
            else:
                steps += [(_Step(loose, seen, placed(sums, of), ()), weight) for _, sums, weight in parts]
        return tuple((step, factor) for step, factor in steps if self.fields.within(step.sums))

    # --- cards -----------------------------------------------------------------------------------------------------

    def _added_by(self, these: _Class, part: Counted) -> tuple[tuple[int, int], ...]:
        """What cards of a class add to the stretches when they fill some blanks, with weights."""
        sums, pours = Counter[int](), Counter[int]()
        for blank, count in part:
            for stretch, times in blank.score:
                sums[stretch] += these.score * times * count
            for stretch, times in blank.reds if these.red else ():
                sums[stretch] += times * count
            for stretch, times in blank.pours:
                pours[stretch] += times * count
        fixed = self.fields.placed(sums.values(), sums)
        found = {fixed: 1} if self.fields.within(fixed) else {}
        for stretch in pours.elements():
            rolled: dict[int, int] = {}
            for added, weight in found.items():
                for blood, share in self._rolled(these.blood):
                    grown = added + self.fields.at(stretch, blood)
                    if self.fields.within(grown):
                        rolled[grown] = rolled.get(grown, 0) + weight * share
            found = rolled
        return tuple(found.items())

    def _rolled(self, blood: Dice | None) -> tuple[tuple[int, int], ...]:
        """The Blood of a card, in shares of `whole`."""
        if blood is None:
            return ((0, self.whole),)
        return tuple((total, int(chance * self.whole)) for total, chance in blood.chances().items())


def _fits(blank: Blank, these: _Class) -> bool:
    """Whether a card of a class may fill a blank."""
    return (blank.afar or not these.turning) and blank.kind in (NO_WOUND, these.place)


def ways_to_draw(cards: int, drawn: int) -> int:
    """The ways to draw so many cards, one after the other."""
    return perm(cards, drawn) if cards >= drawn else 0

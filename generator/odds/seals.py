"""What lay face down in a hit that is over, kept as one thing instead of card by card.

A card that makes one draw two more and keep one wound leaves many lots behind that lead to the same end. Only the sum
over them is ever asked for, and only for the decks that the later hits leave. So the lots of one end are sealed: a sum
of lots becomes an atom, of which a number is kept, and what several hits have sealed is a product of atoms. It is
opened, which is the long part, when a way through all hits ends there and has not died.

The number of a seal stands above all slots of a lot. Lots without a seal have the number 0 there and add up as ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, lcm, prod

from generator.odds.deals import Deals, Lots
from generator.odds.looks import Wound

Atom = tuple[tuple[int, int], ...]
"""Lots of one size with their weights, which have no common factor."""


class Seals:
    """The seals on the lots of one deck."""

    def __init__(self, deals: Deals) -> None:
        self._deals = deals
        self.shift = deals.top
        self._below = (1 << self.shift) - 1
        self._atoms: list[Atom] = []
        self._atom_ids: dict[Atom, int] = {}
        self._products: list[tuple[int, ...]] = [()]
        self._ids: dict[tuple[int, ...], int] = {(): 0}
        self._joined: dict[tuple[int, int], int] = {}
        self._sizes: list[int] = [0]
        self._tables: dict[int, _Counted] = {}

    # --- sealing -----------------------------------------------------------------------------------------------------

    def sealed(self, lots: Mapping[int, int]) -> Lots:
        """The lots of one end, all that lies face down in them under seals. Lots without that stay as they are."""
        found: Lots = {}
        hidden: dict[tuple[int, int], list[tuple[int, int]]] = {}
        scored = self._deals.scored
        for lot, weight in lots.items():
            if lot <= scored:
                found[lot] = found.get(lot, 0) + weight
            else:
                group = hidden.setdefault((lot & scored, self.size(lot & ~scored)), [])
                group.append((lot & ~scored, weight))
        for (open_part, _), parts in hidden.items():
            tag, factor = self._atom(parts)
            found[open_part | tag << self.shift] = factor
        return found

    def _atom(self, parts: list[tuple[int, int]]) -> tuple[int, int]:
        """The seal over some lots of one size, and the common factor of their weights."""
        if len(parts) == 1 and not parts[0][0] & self._below:
            return parts[0][0] >> self.shift, parts[0][1]
        factor = gcd(*(weight for _, weight in parts))
        atom = tuple(sorted((lot, weight // factor) for lot, weight in parts))
        known = self._atom_ids.get(atom)
        if known is None:
            known = self._atom_ids[atom] = len(self._atoms)
            self._atoms.append(atom)
        return self._product((known,), self.size(atom[0][0])), factor

    def _product(self, atoms: tuple[int, ...], size: int) -> int:
        known = self._ids.get(atoms)
        if known is None:
            known = self._ids[atoms] = len(self._products)
            self._products.append(atoms)
            self._sizes.append(size)
        return known

    # --- sums --------------------------------------------------------------------------------------------------------

    def added(self, first: int, second: int) -> int:
        """Two lots together."""
        one, two = first >> self.shift, second >> self.shift
        if not one or not two:
            return first + second
        key = (one, two) if one < two else (two, one)
        tag = self._joined.get(key)
        if tag is None:
            atoms = tuple(sorted(self._products[one] + self._products[two]))
            tag = self._joined[key] = self._product(atoms, self._sizes[one] + self._sizes[two])
        return (first & self._below) + (second & self._below) | tag << self.shift

    def convolved(self, first: Mapping[int, int], second: Mapping[int, int]) -> Lots:
        """All sums of lots of two sets, their weights multiplied."""
        found: Lots = {}
        for lot, weight in first.items():
            if lot >> self.shift:
                for other, times in second.items():
                    both = self.added(lot, other)
                    found[both] = found.get(both, 0) + weight * times
            else:
                for other, times in second.items():
                    both = lot + other
                    found[both] = found.get(both, 0) + weight * times
        return found

    def size(self, lot: int) -> int:
        """How many cards a lot has in all, those under seals too."""
        return self._deals.size(lot & self._below) + self._sizes[lot >> self.shift]

    # --- opening -----------------------------------------------------------------------------------------------------

    def ways(self, scored: int, hidden: int) -> int:
        """The ways to deal cards that were drawn for their score, and then what lies face down."""
        before = self._deals.ways(scored)
        if not hidden or not before:
            return before
        return self._counted(hidden).ways(scored, before)

    def _counted(self, hidden: int) -> _Counted:
        known = self._tables.get(hidden)
        if known is None:
            known = self._tables[hidden] = self._table(hidden)
        return known

    def _table(self, hidden: int) -> _Counted:
        """How to count what lies face down: a sum is counted part by part, for its parts are known from elsewhere."""
        tag, rest = hidden >> self.shift, hidden & self._below
        atoms = self._products[tag]
        for place, atom in enumerate(atoms):
            inside = self._atoms[atom]
            if inside[0][0] >> self.shift:
                others = atoms[:place] + atoms[place + 1 :]
                beside = rest | self._product(others, self._sizes[tag] - self.size(inside[0][0])) << self.shift
                return _Sum([(self._counted(self.added(beside, part)), weight) for part, weight in inside])
        return _Table(self._opened(atoms, rest), self._deals)

    def _opened(self, atoms: tuple[int, ...], rest: int) -> Lots:
        """Atoms without seals inside, multiplied out."""
        lots: Lots = {rest: 1}
        for atom in atoms:
            lots = self.convolved(lots, dict(self._atoms[atom]))
        return lots


class _Counted:
    """The ways to deal what lies face down, for any cards that were drawn for their score.

    `fields`: what of those cards bears on it.
    """

    def __init__(self, fields: int) -> None:
        self.fields = fields
        self._known: dict[int, tuple[int, int]] = {}

    def ways(self, scored: int, before: int) -> int:
        """The ways to deal all, of which `before` are those to deal what was drawn for its score."""
        whole, after = self.after(scored)
        return before // whole * after

    def after(self, scored: int) -> tuple[int, int]:
        """Two numbers: for each so many ways to deal the cards that were seen, so many ways to deal both."""
        seen = scored & self.fields
        known = self._known.get(seen)
        if known is None:
            known = self._known[seen] = self._after(seen)
        return known

    def _after(self, seen: int) -> tuple[int, int]:
        raise NotImplementedError


class _Sum(_Counted):
    """Several seals, each with its weight."""

    def __init__(self, parts: list[tuple[_Counted, int]]) -> None:
        fields = 0
        for part, _ in parts:
            fields |= part.fields
        super().__init__(fields)
        self._parts = parts

    def _after(self, seen: int) -> tuple[int, int]:
        found = [(*part.after(seen), weight) for part, weight in self._parts]
        common = lcm(*{whole for whole, _, _ in found})
        return common, sum([common // whole * after * weight for whole, after, weight in found])


class _Table(_Counted):
    """A sum of products.

    Wounds share no cards, so each lot is a product with a factor for each wound, which a few lots have in common.
    """

    def __init__(self, lots: Lots, deals: Deals) -> None:
        self._deals = deals
        self._coloured = any(deals.is_coloured(lot) for lot in lots)
        places: dict[tuple[Wound, int], int] = {}
        groups: dict[tuple[Wound, ...], list[tuple[int, list[int]]]] = {}
        for lot, weight in lots.items():
            plan = deals.wound_plan(lot)
            group = groups.setdefault(tuple(wound for wound, _ in plan), [])
            group.append((weight, [places.setdefault(item, len(places)) for item in plan]))
        self._factors = list(places)
        wounds = dict.fromkeys(wound for wound, _ in places)
        self._groups = [([wound for wound in wounds if wound not in named], parts) for named, parts in groups.items()]
        self._wounds = list(wounds)
        super().__init__(deals.fields_of(wounds, coloured=self._coloured))

    def _after(self, seen: int) -> tuple[int, int]:
        ways = self._deals.coloured_ways if self._coloured else self._deals.plain_ways
        factors = [ways(wound, seen, own) for wound, own in self._factors]
        alone = {wound: ways(wound, seen, 0) for wound in self._wounds}
        total = 0
        for others, parts in self._groups:
            ways_of_group = 0
            for weight, places in parts:
                for place in places:
                    weight *= factors[place]
                ways_of_group += weight
            total += ways_of_group * prod(alone[wound] for wound in others)
        return prod(alone.values()), total

"""In how many ways a deck can have dealt what is known of some cards.

What is known of a card is a slot: its face, its wound alone, or either with its colour. Slots lie inside one another,
so the ways are counted from the narrowest to the widest: a slot has as many cards as it holds, less those that narrower
slots in it have taken. Any order of a shuffled deck is as likely as any other, so it does not matter that a card was
drawn before another: the one of which less is known may as well be dealt last.

A lot is a number of cards for each slot, packed into one whole number with five bits a slot. In its lower part stand
the cards that were drawn for their score; beside them, how many of these have each wound, from close and from afar,
each face from afar, and how many they are in all. In its upper part stand the cards of which the wound alone is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, perm

from generator.engine.counting import Blow
from generator.odds.looks import Face, Look, Wound

BITS = 5
_MASK = (1 << BITS) - 1

Lots = dict[int, int]
"""Lots with their weights."""


@dataclass(slots=True)
class Slot:
    """Cards of which the same is known: how many there are, where they are counted, and what drawing one adds."""

    cards: int
    shift: int
    unit: int

    @property
    def own(self) -> int:
        """One card in this slot, and nothing of what that adds elsewhere."""
        return 1 << self.shift


@dataclass(slots=True)
class _Group:
    """A face or a wound: its slot, one for each colour, and where its faces that were drawn are counted."""

    slot: Slot
    colours: dict[bool, Slot]
    drawn: int = 0


Plan = tuple[tuple[int, int, int], ...]
"""How to count the ways to fill slots: of each the cards in it, where those drawn are counted, how many it takes."""

LoosePlan = tuple[tuple[int, int, int], ...]
"""The same for what is drawn last: the place of a wound, how many of it are drawn before, how many it takes."""


class Deals:
    """A deck under a close look and a far one."""

    def __init__(self, cards: Sequence[Blow], near: Look, far: Look) -> None:
        self._top = 0
        self.cards = len(cards)
        self._near, self._far = near, far
        self._total = self._field()
        drawn_wound = {wound: self._field() for wound in near.wounds}
        drawn_afar = {wound: self._field() for wound in far.wounds}
        drawn_face = {face: self._field() for face in far.faces}
        self.seen_from_afar = (1 << self._top) - 1
        held = Counter((near.face(card), card.red) for card in cards)
        self._faces: dict[Face, _Group] = {}
        for face in near.faces:
            afar = far.face(face.card)
            fields = (self._total, drawn_wound[face.wound], drawn_afar[afar.wound], drawn_face[afar])
            beside = sum(1 << shift for shift in fields)
            counts = {red: held[face, red] for red in (False, True)}
            self._faces[face] = _Group(self._slot(sum(counts.values()), beside), self._by_colour(counts, beside))
        self.scored = (1 << self._top) - 1
        self._wounds: dict[Wound, _Group] = {}
        for wound in near.wounds:
            counts = {red: sum(held[face, red] for face in near.faces if face.wound is wound) for red in (False, True)}
            group = _Group(self._slot(sum(counts.values())), self._by_colour(counts), drawn_wound[wound])
            self._wounds[wound] = group
        self.hidden = (1 << self._top) - 1 - self.scored
        self._above = self._top
        # What is seen from afar is drawn in the last hit alone.
        self._far_faces = {
            face: _Group(self._slot(sum(far.face(card) is face for card in cards)), {}, drawn_face[face])
            for face in far.faces
        }
        self._far_wounds = {
            wound: _Group(self._slot(sum(far.wound(card) is wound for card in cards)), {}, drawn_afar[wound])
            for wound in far.wounds
        }
        self._coloured = sum(_MASK << slot.shift for group in self._wounds.values() for slot in group.colours.values())
        self._faces_of = {
            wound: [group for face, group in self._faces.items() if face.wound is wound] for wound in near.wounds
        }
        self._fields = {
            wound: sum(_MASK << slot.shift for slot in (group.slot, *group.colours.values()))
            for wound, group in self._wounds.items()
        }
        self.top = self._top
        slots = {
            wound: sum(_MASK << slot.shift for face in faces for slot in (face.slot, *face.colours.values()))
            for wound, faces in self._faces_of.items()
        }
        self._slots_only = sum(slots.values())
        self._face_fields = {wound: fields | _MASK << self._wounds[wound].drawn for wound, fields in slots.items()}
        self._own: dict[tuple[Wound, int, int], int] = {}
        self._ways: dict[int, int] = {0: 1}

    def _field(self) -> int:
        self._top += BITS
        return self._top - BITS

    def _slot(self, cards: int, beside: int = 0) -> Slot:
        shift = self._field()
        return Slot(cards, shift, beside | 1 << shift)

    def _by_colour(self, counts: Mapping[bool, int], beside: int = 0) -> dict[bool, Slot]:
        return {red: self._slot(count, beside) for red, count in counts.items()}

    # --- slots -----------------------------------------------------------------------------------------------------

    def slot(self, item: Face | Wound, red: bool | None = None, *, afar: bool = False) -> Slot:
        """The slot of a face or a wound, of one colour if that is seen."""
        if isinstance(item, Face):
            group = self._far_faces[item] if afar else self._faces[item]
        else:
            group = self._far_wounds[item] if afar else self._wounds[item]
        return group.slot if red is None else group.colours[red]

    def closer(self, lot: int, *, faces_only: bool = False) -> Lots:
        """A lot from afar as the lots from close that it may be; `faces_only`: only what was drawn for its score."""
        found: Lots = {lot & (1 << self._above) - 1: 1}
        for face, group in self._far_faces.items():
            inside = [self._faces[known] for known in self._near.faces if self._far.face(known.card) is face]
            found = _closer(found, inside, _count(lot, group.slot.shift))
        for wound, group in self._far_wounds.items() if not faces_only else ():
            inside = [self._wounds[known] for known in self._near.wounds if self._far.wound(known.card) is wound]
            found = _closer(found, inside, _count(lot, group.slot.shift))
        return found

    @property
    def one_kind(self) -> bool:
        """Whether all wounds that do nothing look alike from afar: then it is enough how many cards are left."""
        return sum(not wound.acts and group.slot.cards > 0 for wound, group in self._far_wounds.items()) <= 1

    def loose_plan(self, lot: int) -> LoosePlan:
        """What lies face down in a lot from afar: of each wound, how many more are drawn for their score, and how many
        lie there. The place of all wounds that do nothing is -1."""
        plan = []
        for wound, group in self._far_wounds.items():
            if count := _count(lot, group.slot.shift):
                drawn = sum(
                    _count(lot, face_group.slot.shift)
                    for face, face_group in self._far_faces.items()
                    if face.wound is wound
                )
                plan.append((wound.place if wound.acts else -1, drawn, count))
        return tuple(plan)

    # --- ways ------------------------------------------------------------------------------------------------------

    def ways(self, scored: int) -> int:
        """The ways to have dealt cards that were drawn for their score, one after the other."""
        known = self._ways.get(scored)
        if known is None:
            known = 1
            for group in self._faces.values():
                taken = 0
                for slot in group.colours.values():
                    count = _count(scored, slot.shift)
                    if count:
                        known *= _perm(slot.cards, count)
                        taken += count
                count = _count(scored, group.slot.shift)
                if count:
                    known *= _perm(group.slot.cards - taken, count)
            self._ways[scored] = known
        return known

    def is_coloured(self, hidden: int) -> bool:
        """Whether the colour of a card is known that lies face down."""
        return bool(hidden & self._coloured)

    def wound_plan(self, hidden: int) -> tuple[tuple[Wound, int], ...]:
        """What lies face down, wound by wound."""
        return tuple((wound, own) for wound, fields in self._fields.items() if (own := hidden & fields))

    def fields_of(self, wounds: Iterable[Wound], *, coloured: bool) -> int:
        """What of the cards drawn for their score bears on those of some wounds that lie face down."""
        if coloured:
            return sum(self._face_fields[wound] for wound in wounds)
        return sum(_MASK << self._wounds[wound].drawn for wound in wounds)

    def plain_ways(self, wound: Wound, scored: int, hidden: int) -> int:
        """The ways to deal what lies face down of a wound, without colours, after `scored`."""
        group = self._wounds[wound]
        return _perm(group.slot.cards - _count(scored, group.drawn), _count(hidden, group.slot.shift))

    def coloured_ways(self, wound: Wound, scored: int, hidden: int) -> int:
        """The ways to deal a wound's faces among `scored`, and then what lies face down of it, colours known.

        Cards drawn for their score before anybody looked at colours may have either.
        """
        key = (wound, scored & self._face_fields[wound], hidden)
        known = self._own.get(key)
        if known is None:
            known = self._own[key] = self._own_ways(*key)
        return known

    def _own_ways(self, wound: Wound, drawn: int, hidden: int) -> int:
        """The ways to deal a wound's faces that were drawn, and then its cards that lie face down."""
        group = self._wounds[wound]
        asked = [
            (red, slot.cards, count) for red, slot in group.colours.items() if (count := _count(hidden, slot.shift))
        ]
        either = _count(hidden, group.slot.shift)
        whole = group.slot.cards - _count(drawn, group.drawn)
        total = 0
        for split, orders in self._splits(drawn, self._faces_of[wound]):
            ways, taken = orders, 0
            for red, cards, count in asked:
                ways *= _perm(
                    cards - sum(_count(split, face.colours[red].shift) for face in self._faces_of[wound]), count
                )
                taken += count
            if ways:
                total += ways * _perm(whole - taken, either) * self.ways(split & self._slots_only)
        return total

    def _splits(self, scored: int, faces: Sequence[_Group]) -> Iterator[tuple[int, int]]:
        """Every way in which faces without a colour may have theirs: the lot, and how many orders it stands for."""
        options: list[list[tuple[int, int]]] = []
        for group in faces:
            count = _count(scored, group.slot.shift)
            if count:
                black, red = group.colours[False], group.colours[True]
                options.append(
                    [
                        (reds * red.own + (count - reds) * black.own - count * group.slot.own, comb(count, reds))
                        for reds in range(count + 1)
                        if reds <= red.cards and count - reds <= black.cards
                    ]
                )
        for chosen in product(*options):
            lot, orders = scored, 1
            for change, ways in chosen:
                lot, orders = lot + change, orders * ways
            yield lot, orders

    def far_plan(self, lot: int) -> Plan:
        """How to count the ways to deal a lot of faces and wounds from afar."""
        faces = [(face, group, _count(lot, group.slot.shift)) for face, group in self._far_faces.items()]
        plan = [(group.slot.cards, group.drawn, count) for _, group, count in faces if count]
        for wound, group in self._far_wounds.items():
            count = _count(lot, group.slot.shift)
            if count:
                taken = sum(many for face, _, many in faces if face.wound is wound)
                plan.append((group.slot.cards - taken, group.drawn, count))
        return tuple(plan)

    # --- sizes -----------------------------------------------------------------------------------------------------

    def drawn(self, scored: int) -> int:
        """How many cards were drawn for their score."""
        return _count(scored, self._total)

    def size(self, lot: int) -> int:
        """How many cards a lot has in all, whatever is known of them."""
        size, rest = _count(lot, self._total), lot >> self.scored.bit_length()
        while rest:
            size += rest & _MASK
            rest >>= BITS
        return size


def loose_ways(plan: LoosePlan, left: Mapping[int, int]) -> int:
    """The ways to fill a plan from the cards that are left."""
    ways = 1
    for place, drawn, count in plan:
        ways *= _perm(left[place] - drawn, count)
    return ways


def ways_of(plan: Plan, scored: int) -> int:
    """The ways to fill the slots of a plan after cards that were drawn for their score."""
    ways = 1
    for cards, shift, count in plan:
        left = cards - (scored >> shift & _MASK)
        ways *= left if count == 1 else _perm(left, count)
    return ways


def _closer(lots: Lots, inside: Sequence[_Group], times: int) -> Lots:
    for _ in range(times):
        grown: Lots = {}
        for lot, weight in lots.items():
            for group in inside:
                grown[lot + group.slot.unit] = grown.get(lot + group.slot.unit, 0) + weight
        lots = grown
    return lots


def _count(lot: int, shift: int) -> int:
    return lot >> shift & _MASK


def _perm(cards: int, drawn: int) -> int:
    return perm(cards, drawn) if cards >= drawn else 0

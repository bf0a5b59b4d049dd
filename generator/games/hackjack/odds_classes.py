"""Equivalence classes of cards, and in how many ways cards of them are drawn. `odds.harm` explains both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import perm

from generator.base.dice import Dice
from generator.games.hackjack.counting import Blow, Counted, Trigger
from generator.model.rules import Draw, Repeat, Whenever

BITS = 6
MASK = (1 << BITS) - 1
"""Draw counts are one number with so many bits for each class; the lowest field counts all cards drawn."""


def rank_of(blow: Blow) -> tuple[int, ...]:
    """How grave a wound looks to a player who has to choose (H15). `best` takes the lowest, `worst` the highest.

    First by the cards that it makes one draw for their score, then by other cards and repeats, then by Blood (dice at
    their mean, and what it adds later), then by the number of its effects. A lucky break comes before everything. The
    rule sees the wounds and nothing else, so that chances stay exact without a player who counts cards.
    """
    draws = [effect for effect in blow.counted if isinstance(effect, Draw)]
    repeats = sum(isinstance(effect, Repeat) for effect in blow.counted)
    later = sum(
        (effect.blood or 0) + (effect.score or 0)
        for effect in blow.counted
        if isinstance(effect, Whenever) and effect.event == "red_card"
    )
    dice = blow.blood or Dice(0, 0)
    return (
        sum(effect.cards for effect in draws if effect.score),
        sum(effect.cards for effect in draws) + repeats,
        -1 if blow.spares else 2 * (dice.plus + later) + dice.count * (dice.faces + 1),
        len(draws) + repeats + (later > 0),
    )


@dataclass(eq=False, slots=True)
class Kind:
    """Cards that the count does not tell apart.

    A wound's kind has the kinds of its colours `inside`, where colours count, and these have those of their scores.
    `blow` stands for any card of the kind; `unit` is the draw count of one card known to be of this kind and no closer.
    """

    blow: Blow
    size: int = 0
    inside: list[Kind] = field(default_factory=list)
    wound: Kind | None = None
    shift: int = 0
    unit: int = 0
    mask: int = 0
    ways: dict[int, int] = field(default_factory=dict)

    def closest(self) -> Iterator[Kind]:
        """The kinds that tell most of a card."""
        if not self.inside:
            yield self
        for closer in self.inside:
            yield from closer.closest()

    def inside_out(self) -> Iterator[Kind]:
        """All kinds of which some of its cards may be known, those that tell most first."""
        for closer in self.inside:
            yield from closer.inside_out()
        yield self


class Classes:
    """The cards of a deck in classes.

    `last`: after this hit nothing follows, so that Blood, and what would only bring Blood or wait for another descent,
    makes no difference. `triggers` are those in force at the start.
    """

    def __init__(
        self, cards: Sequence[Blow], every: Collection[Blow], triggers: Sequence[Trigger], *, last: bool
    ) -> None:
        self.cards, self.last = len(cards), last
        self.repeats = any(card.repeats for card in cards)
        every = sorted(every, key=rank_of)
        watched: list[Whenever | Trigger] = [
            effect for card in every for effect in card.counted if isinstance(effect, Whenever)
        ]
        self.coloured = any(map(self.matters, [*watched, *triggers]))
        self._wound_of: dict[Blow, Kind] = {}
        self._kind_of: dict[Blow, Kind] = {}
        self._rank: dict[Blow, tuple[int, ...]] = {}
        self._turned: dict[tuple[Kind, int], dict[int, int]] = {}
        wounds = self._wounds(every)
        for card in cards:
            self._kind_of[card] = self._placed(card)
        self.wounds = [wound for wound in wounds if wound.size]
        shift = BITS
        for wound in self.wounds:
            shift = self._numbered(wound, wound, shift)
        self.colours = [kind for wound in self.wounds for kind in wound.inside] if self.coloured else self.wounds
        self.faces = [kind for wound in self.wounds for kind in wound.closest()]

    def matters(self, item: Whenever | Trigger) -> bool:
        """Whether colours of cards matter to something that waits for red ones."""
        return item.event == "red_card" and bool(item.score or (item.blood and not self.last))

    def wound(self, blow: Blow) -> Blow:
        """What stands for the wound of a card, or of what stands for cards."""
        return self._wound_of[blow].blow

    def rank(self, wound: Blow) -> tuple[int, ...]:
        """How grave a wound looks that stands for some; where that differs, none of another kind ranks between."""
        return self._rank[wound]

    def kind(self, card: Blow) -> Kind:
        """The closest kind of a card."""
        return self._kind_of[card]

    # --- how the classes are made ------------------------------------------------------------------------------------

    def _effects(self, card: Blow) -> tuple[Counted, ...]:
        """The effects that can still make a difference."""
        return tuple(
            effect
            for effect in card.counted
            if not (self.last and isinstance(effect, Whenever)) or self.matters(effect)
        )

    def _wounds(self, every: Sequence[Blow]) -> list[Kind]:
        """Every wound once, in order of rank.

        In a last hit all those that do nothing are one, as long as none that acts ranks between them.
        """
        found: dict[object, Kind] = {}
        before: Kind | None = None
        for card in every:
            effects = self._effects(card)
            key = (card.blood, card.spares, card.counted)
            if self.last and not effects and before is not None and not before.blow.counted:
                found[key] = before
            if key not in found:
                blood = None if self.last else card.blood
                blow = replace(card, score=0, blood=blood, trauma=0, red=False, counted=effects, wounding=False)
                found[key] = Kind(blow)
                self._wound_of[blow] = found[key]
                self._rank[blow] = rank_of(card)
            before = self._wound_of[card] = found[key]
        return list(dict.fromkeys(found.values()))

    def _placed(self, card: Blow) -> Kind:
        """Count a card in its kinds, and give the closest."""
        kind = wound = self._wound_of[card]
        kind.size += 1
        for blow in self._closer(card, wound):
            closer = next(
                (one for one in kind.inside if (one.blow.score, one.blow.red) == (blow.score, blow.red)), None
            )
            if closer is None:
                closer = Kind(blow)
                kind.inside.append(closer)
                self._wound_of[blow] = wound
            kind = closer
            kind.size += 1
        return kind

    def _closer(self, card: Blow, wound: Kind) -> Iterator[Blow]:
        blow = wound.blow
        if self.coloured:
            blow = replace(blow, red=card.red)
            yield blow
        yield replace(blow, score=card.score)

    def _numbered(self, kind: Kind, wound: Kind, shift: int) -> int:
        """Give a kind and those inside their fields, side by side; the next free place."""
        kind.wound, kind.shift, kind.unit = wound, shift, 1 << shift | 1
        shift += BITS
        for closer in kind.inside:
            shift = self._numbered(closer, wound, shift)
        kind.mask = (1 << shift - kind.shift) - 1
        return shift

    # --- counting ----------------------------------------------------------------------------------------------------

    def ways(self, drawn: int) -> int:
        """In how many ways cards are drawn, one after the other, with these draw counts; 0 if they are not there."""
        ways = 1
        for wound in self.wounds:
            if drawn >> wound.shift & wound.mask:
                ways *= self.ways_of(wound, drawn)
        return ways

    def ways_of(self, wound: Kind, drawn: int) -> int:
        """The same for the cards of one wound."""
        part = drawn >> wound.shift & wound.mask
        known = wound.ways.get(part)
        if known is None:
            known = wound.ways[part] = self._ways(wound, drawn)[0]
        return known

    def _ways(self, kind: Kind, drawn: int) -> tuple[int, int]:
        """The ways for one kind, and how many of its cards are gone: first those of which most is known."""
        ways, gone = 1, 0
        for closer in kind.inside:
            more, taken = self._ways(closer, drawn)
            ways, gone = ways * more, gone + taken
        own = drawn >> kind.shift & MASK
        return ways * (perm(kind.size - gone, own) if kind.size >= gone + own else 0), gone + own

    def exhausted(self, drawn: int) -> bool:
        """Whether no card is left that repeats a wound."""
        return all(self._ways(wound, drawn)[1] >= wound.size for wound in self.wounds if wound.blow.repeats)

    def turned_up(self, drawn: int, to: Mapping[Kind, Kind]) -> dict[int, int]:
        """Draw counts in other classes for each way in which the cards drawn may turn out, with the number of ways.

        `to` gives the kind there for each closest kind here.
        """
        found = {0: 1}
        for wound in self.wounds:
            part = drawn >> wound.shift & wound.mask
            if part:
                if (wound, part) not in self._turned:
                    self._turned[wound, part] = turned(wound, drawn, to)
                found = products(found, self._turned[wound, part])
        return found


def turned(wound: Kind, drawn: int, to: Mapping[Kind, Kind]) -> dict[int, int]:
    """The same for the cards of one wound: card by card, those first of which most is known."""
    found: dict[tuple[int, int], int] = {(0, 0): 1}
    for kind in wound.inside_out():
        for _ in range(drawn >> kind.shift & MASK):
            after: dict[tuple[int, int], int] = {}
            for (here, there), ways in found.items():
                for one in kind.closest():
                    left = one.size - (here >> one.shift & MASK)
                    key = (here + one.unit, there + to[one].unit)
                    after[key] = after.get(key, 0) + ways * left
            found = after
    sums: dict[int, int] = {}
    for (_, there), ways in found.items():
        if ways:
            sums[there] = sums.get(there, 0) + ways
    return sums


def products(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    """All sums of two draw counts, their ways multiplied."""
    found: dict[int, int] = {}
    for one, ways in first.items():
        for other, times in second.items():
            found[one + other] = found.get(one + other, 0) + ways * times
    return found

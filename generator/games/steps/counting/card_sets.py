"""Cards that nobody has looked at: a drawn card is a set of candidates, cut only when a step asks something of it.

A deck knows the cards that it could deal since it was shuffled (`base`), how many it has dealt, and the sets in which
those of them lie that somebody has asked about (`cuts`). A card that nobody has asked about may be any other, so it
needs no set. Sets are whole numbers with a bit for each card; of any two of `cuts`, one holds the other or they share
nothing, so the ways to deal different cards into them are a product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Any

from generator.model.rules import System
from generator.play.piles import card_of, names_in

MAX_SHARED = 50_000
"""So many values of one kind are kept, before the next question begins without them."""


class Interned(type):
    """Values in states, of which equal ones are one object: states are hashed and compared by where those lie."""

    def __init__(cls, *how: Any) -> None:
        super().__init__(*how)
        cls.known: dict[Any, Any] = {}

    def __call__(cls, *values: Any) -> Any:
        """Return the one object with these values."""
        there = cls.known.get(values)
        if there is None:
            there = super().__call__(*values)
            there = cls.known[values] = cls.known.setdefault(there.values, there)
        return there

    def forget(cls) -> None:
        """Forget all of them where they have become many; those in use go on as they are."""
        if len(cls.known) > MAX_SHARED:
            cls.known.clear()


@dataclass(eq=False, slots=True)
class DealtCards(metaclass=Interned):
    """What a deck has dealt; what is `spent` stays out as long as a card of the deck is read."""

    base: int
    dealt: int = 0
    cuts: tuple[int, ...] = ()
    spent: int = 0

    @property
    def values(self) -> tuple[Any, ...]:
        """Everything by which one is told from another."""
        return self.base, self.dealt, self.cuts, self.spent

    def with_next(self) -> DealtCards:
        """Return the deck with one more card dealt."""
        return DealtCards(self.base, self.dealt + 1, self.cuts, self.spent)


@dataclass(eq=False, slots=True)
class CandidateCard(metaclass=Interned):
    """A card in somebody's hand: which it may be. It is `loose` once its deck does not know that it is out."""

    deck: str
    may_be: int
    loose: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """Everything by which one is told from another."""
        return self.deck, self.may_be, self.loose

    def without(self, single: int) -> CandidateCard:
        """Return the card once it is known which of a deck's cards is out."""
        if self.loose or not self.may_be & single:
            return self
        certain = self.may_be == single
        return CandidateCard(self.deck, single if certain else self.may_be & ~single, certain)

    def set_loose(self) -> CandidateCard:
        """Return the card without its deck."""
        return CandidateCard(self.deck, self.may_be, True)


@dataclass(eq=False, slots=True)
class WaitingCards(metaclass=Interned):
    """What a draw is busy with: its cards, what was at hand before, and how many cards were in play."""

    cards: tuple[int | None, ...]
    card: int | None
    row: Any
    outer: WaitingCards | None

    @property
    def values(self) -> tuple[Any, ...]:
        """Everything by which one is told from another."""
        return self.cards, self.card, self.row, self.outer

    def with_cards(self, cards: tuple[int | None, ...]) -> WaitingCards:
        """Return the same with other cards."""
        return WaitingCards(cards, self.card, self.row, self.outer)

    def moved(self, places: Mapping[int, int]) -> WaitingCards:
        """Return the same with cards at other places; those that nobody asks about are none."""
        cards = tuple(None if index is None else places.get(index) for index in self.cards)
        card = None if self.card is None else places.get(self.card)
        return WaitingCards(cards, card, self.row, self.outer.moved(places) if self.outer else None)


class DeckCards:
    """The cards of a deck, each with its bit."""

    def __init__(self, deck: str, system: System) -> None:
        self.returns, self.names = system.piles[deck].returns, names_in(deck, system)
        self.cards = [there[1] for name in self.names if (there := card_of(name, system))]
        self.copies = Counter(self.names)
        self.all = (1 << len(self.names)) - 1
        self.singles = tuple(1 << at for at in range(len(self.names)))

    def bits(self, names: Iterable[str]) -> int:
        """Return the cards of some names, as many of each as are named."""
        bits, waiting = 0, list(names)
        for name, single in zip(self.names, self.singles, strict=True):
            if name in waiting:
                waiting.remove(name)
                bits |= single
        return bits

    def named(self, may_be: int) -> list[str]:
        """Return the names of the cards of a set."""
        return [name for name, single in zip(self.names, self.singles, strict=True) if single & may_be]

    def first(self, may_be: int) -> int:
        """Return the place of a card of a set, all of which are alike in what is asked."""
        return (may_be & -may_be).bit_length() - 1

    def sets(self, by: Sequence[Any]) -> dict[Any, int]:
        """Return the sets of cards that have the same of something, given for each card in order."""
        sets: dict[Any, int] = {}
        for value, single in zip(by, self.singles, strict=True):
            sets[value] = sets.get(value, 0) | single
        return sets


class Sets:
    """Sets of cards that share nothing: which of them a card that may be several lies in."""

    def __init__(self, sets: Iterable[int]) -> None:
        self.all = tuple(sets)
        self._parts: dict[int, bool] = {}

    def parts(self, may_be: int) -> bool:
        """Return whether a card that may be any of some lies in more than one of the sets."""
        if may_be not in self._parts:
            self._parts[may_be] = all(may_be & ~each for each in self.all)
        return self._parts[may_be]


def deals(sets: Iterable[int]) -> int:
    """Return in how many ways different cards can lie in these sets."""
    return _deals(tuple(sorted(sets, key=int.bit_count)))


@lru_cache(maxsize=20_000)
def _deals(ordered: tuple[int, ...]) -> int:
    total = 1
    for place, may_be in enumerate(ordered):
        total *= max(may_be.bit_count() - sum(1 for other in ordered[:place] if other & may_be), 0)
    return total


Cut = tuple[tuple[tuple[tuple[int, int], int], ...], int]
"""In which of some sets a card may lie: which and the part of it, with its ways; and all ways."""


@lru_cache(maxsize=20_000)
def cut(out: DealtCards, hand: CandidateCard, parts: tuple[int, ...]) -> Cut:
    """Return how a card may lie in one of some sets."""
    if hand.loose:
        there = [(at, piece) for at, part in enumerate(parts) if (piece := hand.may_be & part)]
        ways = [piece.bit_count() for _, piece in there]
    else:
        others = _beside(out, hand)
        apart = [other for other in dict.fromkeys(others) if other & hand.may_be and hand.may_be & ~other]
        there = []
        for at, part in enumerate(parts):
            pieces_of = [hand.may_be & part]
            for other in apart:
                # No set may lie half inside another.
                if any(piece & other and piece & ~other and other & ~piece for piece in pieces_of):
                    pieces_of = [half for piece in pieces_of for half in (piece & other, piece & ~other) if half]
            there += [(at, piece) for piece in pieces_of if piece]
        ways = _ways_in([piece for _, piece in there], others)
    cases = tuple((case, many) for case, many in zip(there, least_ways(ways), strict=True) if many)
    return cases, sum(many for _, many in cases)


@lru_cache(maxsize=20_000)
def found(out: DealtCards, hand: CandidateCard, piece: int) -> tuple[CandidateCard, DealtCards, tuple[int, ...]]:
    """Return a card that was found in a part of a set, its deck, and the cards that are certain to be out now.

    Of a card that is known the deck need know no more than that it is gone.
    """
    if hand.loose:
        return CandidateCard(hand.deck, piece, True), out, ()
    base, spent, dealt, gone, cuts = out.base, out.spent, out.dealt, list[int](), _beside(out, hand)
    cuts += [piece] if piece != base else []
    while single := next((each for each in cuts if each & (each - 1) == 0), 0):
        cuts.remove(single)
        cuts = [each & ~single for each in cuts]
        base, spent, dealt = base & ~single, spent | single, dealt - 1
        gone.append(single)
    card = CandidateCard(hand.deck, piece, True) if piece in gone else CandidateCard(hand.deck, piece)
    return card, DealtCards(base, dealt, tuple(sorted(cuts)), spent), tuple(gone)


def _beside(out: DealtCards, hand: CandidateCard) -> list[int]:
    """Return in which sets other cards out of a deck lie."""
    others = list(out.cuts)
    if hand.may_be != out.base:
        others.remove(hand.may_be)
    return others


def _ways_in(pieces: Sequence[int], others: Sequence[int]) -> list[int]:
    """Return the proportions of the ways in which one more card lies in each of some pieces, beside other sets: the
    cards of the piece that are left, and one way fewer for the card of each set around it.
    """
    around = [other for other in others if any(not piece & ~other and piece != other for piece in pieces)]
    left = list[tuple[int, int]]()
    for place, other in enumerate(around):
        inside = sum(1 for each in others if each != other and not each & ~other) + around[:place].count(other)
        left.append((other, other.bit_count() - inside))
    ways = []
    for piece in pieces:
        total = piece.bit_count() - sum(1 for other in others if not other & ~piece)
        for other, many in left:
            total *= many - (not piece & ~other and piece != other)
        ways.append(max(total, 0))
    return ways


def without_gone(cards: tuple[CandidateCard, ...], deck: str, gone: Iterable[int]) -> tuple[CandidateCard, ...]:
    """Return cards of which some turn out to be certain cards, or not to be these."""
    for single in gone:
        cards = tuple([each if each.deck != deck else each.without(single) for each in cards])
    return cards


def least_ways(ways: Iterable[int]) -> list[int]:
    """Return numbers of ways in the same proportions, as small as can be."""
    all_ways = list(ways)
    by = gcd(*all_ways) or 1
    return [each // by for each in all_ways]


def next_shares(out: DealtCards) -> list[tuple[int, int]]:
    """Return the sets of cards that the next may be, with the ways in which it is one certain card of that set."""
    pieces = [out.base]
    for other in out.cuts:
        pieces = [half for piece in pieces for half in (piece & other, piece & ~other) if half]
    return [(piece, deals((*out.cuts, piece & -piece))) for piece in pieces]

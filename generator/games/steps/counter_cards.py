"""Cards that nobody has looked at: a drawn card is a set of candidates, cut only when a step asks something of it.

A deck is (base, dealt, cuts): the cards that it could deal since it was shuffled, how many it has dealt, and the sets
in which those of them lie that somebody has asked about. A card that nobody has asked about may be any other, so it
needs no set. Sets are whole numbers with a bit for each card; of any two of `cuts`, one holds the other or they share
nothing, so the ways to deal different cards into them are a product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from generator.model.rules import Card, System
from generator.play.piles import cards_in


class OutOf(NamedTuple):
    """What a deck has dealt."""

    base: int
    dealt: int = 0
    cuts: tuple[int, ...] = ()
    spent: int = 0


class Hand(NamedTuple):
    """A card in somebody's hand: which it may be. It is `loose` once its deck no longer knows that it is out."""

    deck: str
    may_be: int
    loose: bool = False


class Pile:
    """The cards of a deck, each with its bit."""

    def __init__(self, deck: str, system: System) -> None:
        self.deck, self.returns = deck, system.piles[deck].returns
        self.names: list[str] = []
        self.cards: list[Card] = []
        for name, card in cards_in(deck, system):
            self.names += [name] * card.copies
            self.cards += [card] * card.copies
        self.all = (1 << len(self.names)) - 1

    def without(self, drawn: Sequence[str]) -> int:
        """Return the cards that are left when those are out."""
        left, gone = self.all, list(drawn)
        for at, name in enumerate(self.names):
            if name in gone:
                gone.remove(name)
                left &= ~(1 << at)
        return left

    def first(self, may_be: int) -> Card:
        """Return a card of a set, all of which are alike in what is asked."""
        return self.cards[(may_be & -may_be).bit_length() - 1]

    def sets(self, by: Sequence[Any]) -> dict[Any, int]:
        """Return the sets of cards that have the same of something, given for each card in order."""
        sets: dict[Any, int] = {}
        for at, value in enumerate(by):
            sets[value] = sets.get(value, 0) | 1 << at
        return sets

    def singles(self) -> dict[Any, int]:
        """Return each card as a set of its own."""
        return self.sets(list(range(len(self.names))))


def shuffled(out: OutOf, everything: int, *, reading: bool) -> OutOf:
    """Return a deck once nothing is left in it; as long as its cards are read, those of this event stay out."""
    if not reading:
        return OutOf(everything)
    spent = out.spent | out.base
    return OutOf(everything & ~spent, spent=spent)


def deals(sets: tuple[int, ...]) -> int:
    """Return in how many ways different cards can lie in these sets."""
    return _deals(tuple(sorted(sets, key=int.bit_count)))


@lru_cache(maxsize=100_000)
def _deals(ordered: tuple[int, ...]) -> int:
    total = 1
    for place, may_be in enumerate(ordered):
        inside = sum(1 for other in ordered[:place] if other & may_be)
        total *= max(may_be.bit_count() - inside, 0)
    return total


@lru_cache(maxsize=100_000)
def cut(out: OutOf, hand: Hand, parts: tuple[int, ...]) -> tuple[tuple[tuple[int, Hand, OutOf], int], ...]:
    """Return the ways in which a card lies in one of some sets: (which, the card, its deck), with their number."""
    if hand.loose:
        pieces = [(at, hand.may_be & part) for at, part in enumerate(parts)]
        return tuple(((at, hand._replace(may_be=piece), out), piece.bit_count()) for at, piece in pieces if piece)
    others = list(out.cuts)
    if hand.may_be != out.base:
        others.remove(hand.may_be)
    cases = []
    for at, part in enumerate(parts):
        for piece in _apart(hand.may_be & part, others):
            cuts = (*others, piece) if piece != out.base else tuple(others)
            if ways := deals((*others, piece)):
                cases.append(((at, hand._replace(may_be=piece), out._replace(cuts=tuple(sorted(cuts)))), ways))
    return tuple(cases)


def _apart(part: int, others: Iterable[int]) -> Iterator[int]:
    """Yield a set in pieces, none of which lies half inside another set."""
    pieces = [part] if part else []
    for other in others:
        halves: list[int] = []
        for piece in pieces:
            if piece & other and piece & ~other and other & ~piece:
                halves += [piece & other, piece & ~other]
            else:
                halves.append(piece)
        pieces = halves
    yield from pieces


def next_shares(out: OutOf) -> Iterator[tuple[int, int]]:
    """Yield the sets of cards that the next may be, with the ways in which it is one card of that set."""
    pieces = [out.base]
    for other in out.cuts:
        pieces = [half for piece in pieces for half in (piece & other, piece & ~other) if half]
    for piece in pieces:
        yield piece, deals((*out.cuts, piece & -piece))

"""Exact chances at blackjack from one deck: to stand, to hit and then play on best, and of a whole round.

Only what lies open is known: the player's cards, the dealer's up card, and other players' cards that were named. Every
other card is equally likely to be the dealer's hidden one or the next of the deck, so that the hidden card is drawn
here like any other and nothing of it leaks.

Cards that count alike are one value, and a deck is the number of unseen cards of each. What the dealer may draw before
standing is worked out once for each up card, as multisets with the number of orders in which they come; a hand then
adds up products of whole numbers. Divided by the ways to draw as many cards, that is the chance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm
from typing import NamedTuple

from generator.base.cards import FULL_DECK, rank_of
from generator.base.errors import HackjackError, UsageError
from generator.games.jackrealms.engine import FIRST_CARDS, HIT, STAND
from generator.games.jackrealms.hands import Count, HandRules
from generator.play.every_way import spend_work

Unseen = tuple[int, ...]
"""How many unseen cards there are of each value."""


class HandValue(NamedTuple):
    """What a card counts at the least, and whether it is an ace."""

    low: int
    ace: bool

    @property
    def name(self) -> str:
        """What a card of this value is called: the number, or `A`."""
        return "A" if self.ace else str(self.low)


@dataclass(frozen=True, slots=True)
class Decision:
    """The chances to win by standing, and by hitting and then playing on best."""

    stand: Fraction
    hit: Fraction

    @property
    def best(self) -> str:
        """`hit` where it wins more often, otherwise `stand`."""
        return HIT if self.hit > self.stand else STAND

    @property
    def chance(self) -> Fraction:
        """The chance to win by playing best."""
        return max(self.stand, self.hit)


@dataclass(frozen=True, slots=True)
class Round:
    """The chances to win a round that has not been dealt: by playing best, and by playing as the dealer must."""

    best_play: Fraction
    copy_dealer: Fraction


# --- values ----------------------------------------------------------------------------------------------------------


@cache
def values_of(rules: HandRules) -> tuple[HandValue, ...]:
    """Return the different values of a deck, lowest first."""
    return tuple(sorted({_value(code, rules) for code in FULL_DECK}))


def up_cards(rules: HandRules) -> tuple[HandValue, ...]:
    """Return the dealer's up cards as tables list them, the ace last."""
    return tuple(sorted(values_of(rules), key=lambda value: (value.ace, value.low)))


def _value(code: str, rules: HandRules) -> HandValue:
    return HandValue(rules.low(code), rank_of(code) == "A")


def unseen_cards(rules: HandRules, seen: Iterable[str] = ()) -> Unseen:
    """Return the cards of a full deck, by value, without those that are seen."""
    out = set(seen)
    left = Counter(_value(code, rules) for code in FULL_DECK if code not in out)
    return tuple(left[value] for value in values_of(rules))


# --- the dealer ------------------------------------------------------------------------------------------------------


class _Term(NamedTuple):
    """A multiset after which the dealer takes one more card, which ends the hand: in how many orders it comes, which
    of the last cards let the player win (an entry of `masks`), and how many of these the multiset has used up."""

    node: int
    orders: int
    mask: int
    used: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """What may follow a dealer's up card. Each node is a multiset: its parent, the value added to it, and how many of
    that value the parent has. `terms` are grouped by level (the player's total) and by the number of cards before the
    last one."""

    nodes: tuple[tuple[int, int, int], ...]
    masks: tuple[tuple[int, ...], ...]
    terms: tuple[tuple[tuple[int, tuple[_Term, ...]], ...], ...]
    longest: int


def _level(rules: HandRules, total: int) -> int:
    """Totals that beat the same dealer's hands are one level: all up to the dealer's lowest win by a bust alone."""
    return max(total - rules.dealer_stands, 0)


@cache
def _plan(rules: HandRules, up: int) -> _Plan:
    """Return the dealer's hands after an up card, given by the place of its value."""
    values, deck = values_of(rules), list(unseen_cards(rules))
    deck[up] -= 1
    multisets = list(_below(rules, values, deck, up))
    orders = _orders(rules, values, up, multisets)
    places = {multiset: place for place, multiset in enumerate(multisets)}
    nodes = tuple(_node(multiset, places) for multiset in multisets[1:])
    ends = {multiset: _ends(rules, values, up, multiset) for multiset, ways in orders.items() if ways}
    masks: dict[tuple[int, ...], int] = {}
    levels: list[tuple[tuple[int, tuple[_Term, ...]], ...]] = []
    for level in range(_level(rules, rules.target) + 1):
        grouped: dict[int, list[_Term]] = {}
        for multiset, totals in ends.items():
            winning = tuple(place for place, total in totals if rules.wins(rules.dealer_stands + level, total))
            if winning:
                used = sum(multiset[place] for place in winning)
                term = _Term(places[multiset], orders[multiset], masks.setdefault(winning, len(masks)), used)
                grouped.setdefault(sum(multiset), []).append(term)
        levels.append(tuple((size, tuple(terms)) for size, terms in sorted(grouped.items())))
    longest = max(sum(multiset) for multiset, ways in orders.items() if ways) + 1
    return _Plan(nodes, tuple(masks), tuple(levels), longest)


def _below(rules: HandRules, values: Sequence[HandValue], deck: Sequence[int], up: int) -> Iterator[Unseen]:
    """Every multiset that leaves the dealer, counted low, below the total to stand on; smaller ones come first."""
    room = rules.dealer_stands - 1 - values[up].low

    def grown(multiset: Unseen, first: int, left: int) -> Iterator[Unseen]:
        yield multiset
        for place in range(first, len(values)):
            if values[place].low <= left and multiset[place] < deck[place]:
                more = (*multiset[:place], multiset[place] + 1, *multiset[place + 1 :])
                yield from grown(more, place, left - values[place].low)

    yield from grown((0,) * len(values), 0, room)


def _node(multiset: Unseen, places: Mapping[Unseen, int]) -> tuple[int, int, int]:
    last = max(place for place, count in enumerate(multiset) if count)
    parent = (*multiset[:last], multiset[last] - 1, *multiset[last + 1 :])
    return places[parent], last, parent[last]


def _held(values: Sequence[HandValue], up: int, multiset: Unseen) -> tuple[int, int]:
    """What the dealer holds with the up card and a multiset, aces counted low, and how many aces these are."""
    hard = values[up].low + sum(value.low * count for value, count in zip(values, multiset, strict=True))
    return hard, values[up].ace + sum(count for value, count in zip(values, multiset, strict=True) if value.ace)


def _orders(rules: HandRules, values: Sequence[HandValue], up: int, multisets: Sequence[Unseen]) -> dict[Unseen, int]:
    """In how many orders a dealer comes to hold each multiset and must hit on; 0 for those that stand or never come."""
    orders: dict[Unseen, int] = {multisets[0]: 1}
    for multiset in sorted(multisets[1:], key=sum):
        ways = 0
        if rules.dealer_hits(rules.reckoned(*_held(values, up, multiset))):
            for place, count in enumerate(multiset):
                if count:
                    ways += orders[*multiset[:place], count - 1, *multiset[place + 1 :]]
        orders[multiset] = ways
    return orders


def _ends(rules: HandRules, values: Sequence[HandValue], up: int, multiset: Unseen) -> tuple[tuple[int, int], ...]:
    """The places of the values after which the dealer stands or is bust, each with what the dealer then holds."""
    hard, aces = _held(values, up, multiset)
    counts = ((place, rules.reckoned(hard + value.low, aces + value.ace)) for place, value in enumerate(values))
    return tuple((place, count.total) for place, count in counts if not rules.dealer_hits(count))


# --- the player ------------------------------------------------------------------------------------------------------


class _Table:
    """One player against one up card, from some cards on. `left` are the unseen cards.

    Chances are whole numbers here: after so many draws, in units of one over the ways to draw what may still be drawn.
    """

    def __init__(self, rules: HandRules, up: int, left: Unseen, hard: int = 0, aces: int = 0) -> None:
        self._rules, self._values, self._left = rules, values_of(rules), list(left)
        self._plan, self._hard, self._aces = _plan(rules, up), hard, aces
        self._cards = sum(left)
        self._largest = max(value.low for value in self._values)
        depth = min(self._most_draws() + self._plan.longest, self._cards)
        # After n draws chances are counted in units of one over wholes[n]; a sum over the next card needs no division.
        self._wholes = [perm(self._cards - drawn, depth - drawn) for drawn in range(depth + 1)]
        self._depth = depth
        self._stands: dict[Unseen, int] = {}
        self._bests: dict[Unseen, int] = {}
        self._copies: dict[Unseen, int] = {}

    def _most_draws(self) -> int:
        """So often a player can draw without being bust."""
        room, draws = self._rules.target - self._hard, 0
        for value, count in zip(self._values, self._left, strict=True):
            taken = min(count, room // value.low)
            draws, room = draws + taken, room - taken * value.low
        return draws

    def decision(self, drawn: Sequence[int] = ()) -> Decision:
        """Return the choice after the given draws (places of values)."""
        hard, aces = self._hard, self._aces
        for place in drawn:
            self._left[place] -= 1
            hard, aces = hard + self._values[place].low, aces + self._values[place].ace
        whole = self._wholes[len(drawn)]
        stand, hit = self._stand(len(drawn), hard, aces), self._hit(len(drawn), hard, aces)
        for place in drawn:
            self._left[place] += 1
        return Decision(Fraction(stand, whole), Fraction(hit, whole))

    def round(self) -> Round:
        """Return the whole hand, its first cards still to come."""
        best, copied = self._dealt(0, 0, 0)
        return Round(Fraction(best, self._wholes[0]), Fraction(copied, self._wholes[0]))

    def _dealt(self, drawn: int, hard: int, aces: int) -> tuple[int, int]:
        if hard > self._rules.target:
            return 0, 0
        if drawn == FIRST_CARDS:
            return self._best(drawn, hard, aces), self._copy(drawn, hard, aces)
        best = copied = 0
        for place, ways in self._next():
            more = self._dealt(drawn + 1, hard + self._values[place].low, aces + self._values[place].ace)
            best, copied = best + ways * more[0], copied + ways * more[1]
            self._left[place] += 1
        return best, copied

    def _next(self) -> Iterator[tuple[int, int]]:
        """Each value that may be drawn next, taken out, and in how many ways; whoever asks puts it back."""
        for place, ways in enumerate(self._left):
            if ways:
                self._left[place] = ways - 1
                yield place, ways

    def _best(self, drawn: int, hard: int, aces: int) -> int:
        key = tuple(self._left)
        if key not in self._bests:
            total = self._rules.reckoned(hard, aces).total
            # Where a card cannot bust and the total wins by the dealer's bust alone, a card never harms.
            free = hard + self._largest <= self._rules.target and total <= self._rules.dealer_stands
            hit = self._hit(drawn, hard, aces)
            self._bests[key] = hit if free else max(hit, self._stand(drawn, hard, aces))
        return self._bests[key]

    def _hit(self, drawn: int, hard: int, aces: int) -> int:
        room = self._rules.target - hard
        won = 0
        for place, ways in self._next():
            value = self._values[place]
            if value.low <= room:
                won += ways * self._best(drawn + 1, hard + value.low, aces + value.ace)
            self._left[place] += 1
        return won

    def _copy(self, drawn: int, hard: int, aces: int) -> int:
        """Playing as the dealer must."""
        count = self._rules.reckoned(hard, aces)
        if not self._rules.dealer_hits(count):
            return self._stand(drawn, hard, aces) if count.total <= self._rules.target else 0
        key = tuple(self._left)
        if key not in self._copies:
            won = 0
            for place, ways in self._next():
                won += ways * self._copy(drawn + 1, hard + self._values[place].low, aces + self._values[place].ace)
                self._left[place] += 1
            self._copies[key] = won
        return self._copies[key]

    def _stand(self, drawn: int, hard: int, aces: int) -> int:
        key = tuple(self._left)
        if key not in self._stands:
            level = _level(self._rules, self._rules.reckoned(hard, aces).total)
            self._stands[key] = self._stood(drawn, level)
        return self._stands[key]

    def _stood(self, drawn: int, level: int) -> int:
        """Return the dealer's hands that lose, over all ways to draw them."""
        left, plan = self._left, self._plan
        spend_work(len(plan.nodes) // 20)
        ways = [1]
        add = ways.append
        for parent, place, used in plan.nodes:
            add(ways[parent] * (left[place] - used))
        sums = [sum([left[place] for place in mask]) for mask in plan.masks]
        cards, rest = self._cards - drawn, self._depth - drawn
        won = 0
        for size, terms in plan.terms[level]:
            if size < rest:
                part = sum([orders * ways[node] * (sums[mask] - used) for node, orders, mask, used in terms])
                won += part * perm(cards - size - 1, rest - size - 1)
        return won


# --- what is asked ---------------------------------------------------------------------------------------------------


def best_decision(rules: HandRules, player: Sequence[str], dealer: str, seen: Sequence[str] = ()) -> Decision:
    """Return the choice of a player who sees the own cards, the dealer's up card and perhaps others.

    Raises UsageError for cards that cannot lie there, HackjackError for a bust and where the deck might run out.
    """
    cards = [*player, dealer, *seen]
    if twice := next((code for code, count in Counter(cards).items() if count > 1), ""):
        raise UsageError(f"{twice} is named twice: every card of the deck is there once")
    if stray := next((code for code in cards if code not in FULL_DECK), ""):
        raise UsageError(f"{stray} is not in the deck: jokers are not played with")
    if len(player) < FIRST_CARDS:
        raise UsageError(f"a hand has {FIRST_CARDS} cards or more before anybody decides: --at player=10D,6S")
    count = rules.count(player)
    if count.total > rules.target:
        raise HackjackError(f"the hand counts {count.total} and is bust: there is nothing to decide")
    left = unseen_cards(rules, cards)
    hard, aces = sum(map(rules.low, player)), sum(rank_of(code) == "A" for code in player)
    _lasts(rules, left, hard, rules.low(dealer))
    values = values_of(rules)
    up = values.index(_value(dealer, rules))
    if not seen:
        return _table(rules, up).decision([values.index(_value(code, rules)) for code in player])
    return _Table(rules, up, left, hard, aces).decision()


def _lasts(rules: HandRules, left: Unseen, player: int, dealer: int) -> None:
    """Raise HackjackError unless the deck surely holds a card whenever one is asked for."""
    values = values_of(rules)
    largest = max(value.low for value in values)
    most = rules.target + largest - player + rules.dealer_stands - 1 + largest - dealer
    whole = sum(value.low * count for value, count in zip(values, left, strict=True))
    if whole <= most:
        raise HackjackError(
            f"{sum(left)} cards are unseen, and they count {whole}: the deck might run out before the hand ends, "
            f"which it cannot with {most + 1}; leave some of the seen cards out"
        )


@cache
def whole_round(rules: HandRules) -> Round:
    """Return a round of one player from a full deck."""
    best, copied = Fraction(0), Fraction(0)
    for _, share, table in _tables(rules):
        result = table.round()
        best, copied = best + share * result.best_play, copied + share * result.copy_dealer
    return Round(best, copied)


def _tables(rules: HandRules) -> Iterator[tuple[HandValue, Fraction, _Table]]:
    """Yield each up card that a full deck may show, its chance, and the table under it."""
    for place, (value, count) in enumerate(zip(values_of(rules), unseen_cards(rules), strict=True)):
        yield value, Fraction(count, len(FULL_DECK)), _table(rules, place)


@cache
def _table(rules: HandRules, up: int) -> _Table:
    """Return a full deck without the up card; the hands that were counted once are kept."""
    left = list(unseen_cards(rules))
    left[up] -= 1
    return _Table(rules, up, tuple(left))


@cache
def two_card_strategy(rules: HandRules) -> Mapping[tuple[Count, HandValue], Decision]:
    """The choice by what two cards count and the dealer's up card: nothing else seen, over all hands of that total.

    Each hand is played on best for the cards that it holds; hands of one total are weighed by how often they come.
    """
    values = values_of(rules)
    grid: dict[tuple[Count, HandValue], Decision] = {}
    for place, (up, _, table) in enumerate(_tables(rules)):
        left = list(unseen_cards(rules))
        left[place] -= 1
        cells: dict[Count, list[tuple[int, Decision]]] = {}
        for one in range(len(values)):
            for two in range(one, len(values)):
                ways = left[one] * left[two] * 2 if one != two else left[one] * (left[one] - 1)
                count = rules.reckoned(values[one].low + values[two].low, values[one].ace + values[two].ace)
                if ways > 0 and count.total <= rules.target:
                    cells.setdefault(count, []).append((ways, table.decision((one, two))))
        grid |= {(count, up): _mean(hands) for count, hands in cells.items()}
    return grid


def _mean(hands: Sequence[tuple[int, Decision]]) -> Decision:
    whole = sum(ways for ways, _ in hands)
    return Decision(
        sum((decision.stand * ways for ways, decision in hands), Fraction(0)) / whole,
        sum((decision.hit * ways for ways, decision in hands), Fraction(0)) / whole,
    )

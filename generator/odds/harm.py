"""Exact chances of hits: the engine under every outcome, hit by hit, decks that cannot be told apart counted once.

What is merged, and why nothing is lost by it:

* Of a card that was drawn its face is known, or its wound alone where its score did not count; `deals` counts the ways.
* Blood of a hit flows in the next one at the earliest (H7). So the last hit is looked at from afar, see `looks`.
* Inside a hit the death-score only grows, so who is over the limit is dead, whatever is still drawn.
* Of several hits in a row with cards that make one draw more, `rows` leaves most cards blank wherever the rules allow.

All of that rests on choices that follow from the wounds on offer alone, see `rank_of`. Everything else is the engine.
Chances are whole numbers over one common denominator: nothing is rounded, and fractions are made only at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, perm

from generator.engine import counting, harm
from generator.engine.counting import Agenda, Blow, Body, Rules
from generator.engine.harm import Event, State
from generator.errors import HackjackError
from generator.odds.deals import Deals, LoosePlan, Lots, loose_ways, ways_of
from generator.odds.looks import Look, rank_of
from generator.odds.rows import alive_after
from generator.odds.seals import Seals
from generator.odds.ways import SHORT, Gone, Paths, Policy, Ways, flows, most_drawn, parted, reds_score, too_many
from generator.rules import System

__all__ = ["COUNTED_EVENTS", "MOST_HITS", "Outcome", "Policy", "die_by", "outcome", "outcomes", "rank_of"]

COUNTED_EVENTS = ("hit", "draw", "poison", "bleed", "drain")
MOST_HITS = 8
MOST_DRAWN = SHORT
MOST_DRAWING = 15
MOST_SITUATIONS = 150_000
"""Beyond so many situations in one hit an exact answer is refused rather than cut short."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of one event. `score` gives every death-score that a survivor may have; 0 after a reset too."""

    die: Fraction
    reset: Fraction
    survive: Fraction
    score: dict[int, Fraction]
    cards_left: int


def outcome(system: System, state: State, event: Event, policy: Policy = "best") -> Outcome:
    """The exact chances of one event on a state. Raises HackjackError when it cannot happen or is too large."""
    return _outcome(_Count(system, state, event, policy, several=False))


def outcomes(
    system: System, state: State, scores: Iterable[int], event: Event, policy: Policy = "best"
) -> list[Outcome]:
    """The same for a state with other death-scores, all in tokens. What they have in common is counted once."""
    count = _Count(system, state, event, policy, several=False)
    return [_outcome(count.at(score)) for score in scores]


def _outcome(count: _Count) -> Outcome:
    score: dict[int, Fraction] = {}
    reset = Fraction(0)
    for body, share in count.ends():
        score[body.score] = score.get(body.score, Fraction(0)) + share
        reset += share if body.resets else 0
    survive = sum(score.values(), Fraction(0))
    return Outcome(1 - survive, reset, survive, dict(sorted(score.items())), count.cards_left)


def die_by(system: System, state: State, event: Event, hits: int, policy: Policy = "best") -> tuple[Fraction, ...]:
    """The exact chance to be dead after 1, 2 ... `hits` such hits in a row.

    Raises HackjackError when it cannot happen or is too large.
    """
    if not 1 <= hits <= MOST_HITS:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_HITS} hits are counted exactly")
    alive = None
    if hits > 1:
        alive = alive_after(*_begun(system, state, event), event, Rules.of(system), policy, hits)
    if alive is None:
        alive = [*_Count(system, state, event, policy, several=hits > 1).alive(hits)]
    return tuple(1 - share for share in alive)


@dataclass(eq=False, slots=True)
class _Spot:
    """Where a hit needs luck: the body, what is to be done, and what is gone. Without a task luck is not needed."""

    body: Body
    agenda: Agenda
    gone: int
    moves: list[tuple[_Spot, list[tuple[int, int]]]] = field(default_factory=list)
    whole: int = 0
    last: _Last | None = None


class _Far:
    """The ways of a last hit, from afar: the share of each end, for any cards that are gone."""

    def __init__(self, ways: Ways, deals: Deals, seals: Seals, *, afar: bool) -> None:
        self.ways = ways
        self.lots = list(ways.ends.values())
        self.most = max((seals.size(lot) for lots in self.lots for lot in lots), default=0)
        self._plans = [
            [(deals.far_plan(lot), deals.size(lot), weight) for lot, weight in lots.items()]
            for lots in self.lots
            if afar
        ]
        self._known: dict[int, list[int]] = {}

    def shares(self, seen: int, left: int) -> list[int]:
        """The weight of each end, every lot filled up to `most` cards with any of those left."""
        known = self._known.get(seen)
        if known is None:
            fill = filled(left, self.most)
            known = self._known[seen] = [
                sum([weight * fill[size] * ways_of(plan, seen) for plan, size, weight in plans])
                for plans in self._plans
            ]
        return known


class _Near:
    """The ways to live through a last hit, from close, where wounds are known that are not seen from afar.

    `lots`: what is drawn for its score, with how many cards in all, what else lies face down, and the weight. That is a
    plan where it can be counted from what is left (see `Deals.loose_plan`), and otherwise a lot.
    """

    def __init__(self, lots: Mapping[int, int], deals: Deals, *, afar: bool) -> None:
        by_count = afar and deals.one_kind
        found: dict[tuple[int, int], list[tuple[int, int, LoosePlan]]] = {}
        for lot, weight in lots.items():
            loose = deals.loose_plan(lot) if by_count else ()
            size = deals.size(lot)
            for closer, times in deals.closer(lot, faces_only=by_count).items() if afar else [(lot, 1)]:
                key = (closer & deals.scored, closer & ~deals.scored)
                found.setdefault(key, []).append((weight * times, size, loose))
        self.lots = list(found.items())

    def weights(self, fill: list[int], left: Mapping[int, int]) -> list[tuple[int, int, int]]:
        """Each lot drawn for its score, each lot face down, and their weight. `left`: of each wound that counts."""
        return [
            (scored, hidden, sum(weight * fill[size] * loose_ways(loose, left) for weight, size, loose in parts))
            for (scored, hidden), parts in self.lots
        ]


@dataclass(slots=True)
class _Last:
    """The last hit from one spot: which ends are alive, and the same from close when that is asked for."""

    far: _Far
    whole: int
    ends: list[Body]
    alive: list[int]
    near: _Near | None = None
    weights: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)


def filled(left: int, most: int) -> list[int]:
    """By the size of a lot, in how many ways it is filled up to `most` cards, or to all that are left."""
    most = min(left, most)
    return [perm(left - size, most - size) for size in range(most + 1)] + [0] * 60


_Level = dict[_Spot, dict[int, int]]
"""By spot the lots that led there, with their weights."""


class _Count:
    """All outcomes of one event, again and again, on one state."""

    def __init__(self, system: System, state: State, event: Event, policy: Policy, *, several: bool) -> None:
        self._rules, self._event = Rules.of(system), event
        cards, start = _begun(system, state, event)
        self.cards_left = len(cards)
        every = [*harm.blows_of(system).values()]
        bare = not (several and flows(start, event, self._rules))
        near = Look(every, bare=bare, anew=several and self._rules.anew)
        # Where red cards score, colours count to the last, and nothing can be looked at from afar.
        self._afar = not reds_score(cards, start)
        far = Look(every, bare=True) if self._afar else near
        self._deals = Deals(cards, near, far)
        self._seals = Seals(self._deals)
        gone = Gone(cards, near)
        self._near = Paths(self._deals, self._seals, near, gone, self._rules, policy)
        self._far = Paths(self._deals, self._seals, far, gone, self._rules, policy, afar=self._afar, with_dead=True)
        self._spots: dict[tuple[Body, Agenda, int], _Spot] = {}
        self._fars: dict[int, _Far] = {}
        self._start = start

    def at(self, score: int) -> _Count:
        """The same from another death-score."""
        self._start = self._start._replace(score=score)
        return self

    def ends(self) -> Iterator[tuple[Body, Fraction]]:
        """Every body that lives after one event, with its chance."""
        spot = self._arrive(self._start, 0)
        if spot is None:
            return
        last = self._last(spot)
        if self._afar:
            shares = last.far.shares(0, self.cards_left)
        else:
            fill = filled(self.cards_left, last.far.most)
            shares = [
                sum(self._dealt(lot) * weight * fill[self._seals.size(lot)] for lot, weight in lots.items())
                for lots in last.far.lots
            ]
        self._check_deck(sum(shares), last, self.cards_left)
        whole = last.whole * perm(self.cards_left, min(last.far.most, self.cards_left))
        for at in last.alive:
            yield last.ends[at], Fraction(shares[at], whole)

    def alive(self, hits: int) -> Iterator[Fraction]:
        """The chance to live after 1, 2 ... `hits` events."""
        start = self._arrive(self._start, 0)
        level: _Level = {start: {0: 1}} if start is not None else {}
        levels, wholes = [level], [1]
        # All the way first: what is too large is refused before anything is added up.
        for _ in range(1, hits):
            level, times = self._moved(levels[-1])
            levels.append(level)
            wholes.append(wholes[-1] * times)
        yield from map(self._living, levels, wholes)

    def _dealt(self, lot: int) -> int:
        return self._seals.ways(lot & self._deals.scored, lot & ~self._deals.scored)

    # --- spots -----------------------------------------------------------------------------------------------------

    def _arrive(self, body: Body, gone: int) -> _Spot | None:
        """The event begins once more: where it needs luck, or nowhere when nobody can live through it."""
        pool = body.blood
        body = self._near.tidy(body, gone)
        if body.dead:
            return None
        # However the cards to come are looked at, the Blood that is in the pool already flows now.
        body, agenda = harm.opening(body._replace(resets=0, blood=pool), self._event, self._rules)
        body, agenda, _ = counting.proceed(body, agenda, self._rules)
        body = self._near.tidy(body, gone)
        if body.dead:
            return None
        key = (body, agenda, gone)
        spot = self._spots.get(key)
        if spot is None:
            spot = self._spots[key] = _Spot(*key)
        return spot

    def _parts(self, spot: _Spot) -> tuple[Agenda, Agenda]:
        """What is done before the reckoning, and from there on; all at once where every step is judged."""
        return parted(spot.agenda) if self._near.free else (spot.agenda, ())

    def _finished(self, body: Body, rest: Agenda) -> Body:
        return body if body.dead else counting.proceed(body, rest, self._rules)[0]

    def _open(self, spot: _Spot) -> None:
        """Find what may follow a spot."""
        agenda, rest = self._parts(spot)
        found = self._near.ways(spot.body, agenda, spot.gone, self._rules.limit)
        spot.whole = found.whole
        after: dict[_Spot, Lots] = {}
        for end, lots in found.ends.items():
            body = self._finished(end.body, rest)
            target = None if body.dead else self._arrive(body, end.gone)
            if target is not None:
                sums = after.setdefault(target, {})
                for lot, weight in lots.items():
                    sums[lot] = sums.get(lot, 0) + weight
        spot.moves = [(target, [*lots.items()]) for target, lots in after.items()]

    def _moved(self, level: _Level) -> tuple[_Level, int]:
        """One hit further, and the factor of the common denominator."""
        for spot in level:
            if not spot.whole:
                self._open(spot)
        whole = lcm(*(spot.whole for spot in level))
        scored, added = self._deals.scored, self._seals.added
        after: _Level = {}
        for spot, decks in level.items():
            times = whole // spot.whole
            for target, moves in spot.moves:
                sums = after.setdefault(target, {})
                for add, share in moves:
                    share *= times
                    for deck, weight in decks.items():
                        lot = added(deck, add)
                        if lot in sums:
                            sums[lot] += weight * share
                        elif self._deals.ways(lot & scored):
                            sums[lot] = weight * share
            if sum(map(len, after.values())) > MOST_SITUATIONS:
                raise too_many(MOST_SITUATIONS, "situations")
        return {spot: self._seals.sealed(decks) for spot, decks in after.items()}, whole

    # --- the last hit ----------------------------------------------------------------------------------------------

    def _last(self, spot: _Spot) -> _Last:
        if spot.last is None:
            agenda, rest = self._parts(spot)
            body = self._far.tidy(spot.body, spot.gone)
            score = body.score if self._far.free else 0
            room = self._rules.limit - (score if self._far.short else 0)
            ways = self._far.ways(body._replace(score=body.score - score), agenda, spot.gone, room)
            far = self._fars.get(id(ways))
            if far is None:
                far = self._fars[id(ways)] = _Far(ways, self._deals, self._seals, afar=self._afar)
            ends = [
                self._finished(end.body if end.body.dead else end.body._replace(score=end.body.score + score), rest)
                for end in ways.ends
            ]
            ends = [self._far.tidy(body, 0) for body in ends]
            alive = [at for at, body in enumerate(ends) if not body.dead]
            spot.last = _Last(far, ways.whole, ends, alive)
        return spot.last

    def _living(self, level: _Level, whole: int) -> Fraction:
        """The chance to live through one more hit. The weights of the lots are shares of `whole`."""
        common = lcm(*(self._last(spot).whole for spot in level))
        sums: dict[int, int] = {}
        for spot, decks in level.items():
            last = self._last(spot)
            times = common // last.whole
            for size, weight in self._weights(spot, last, decks):
                sums[size] = sums.get(size, 0) + weight * times
        shares = (Fraction(weight, perm(self.cards_left, size)) for size, weight in sums.items())
        return sum(shares, Fraction(0)) / (whole * common)

    def _weights(self, spot: _Spot, last: _Last, decks: dict[int, int]) -> Iterator[tuple[int, int]]:
        """The weights of living through the last hit, each with the number of cards that it counts the orders of."""
        deals = self._deals
        by_seen: dict[int, int] = {}
        for deck, weight in decks.items():
            if self._afar and deck <= deals.scored:
                seen = deck & deals.seen_from_afar
                by_seen[seen] = by_seen.get(seen, 0) + weight * deals.ways(deck)
            else:
                yield self._from_close(spot, last, deck, weight)
        for seen, weight in by_seen.items():
            drawn = deals.drawn(seen)
            left = self.cards_left - drawn
            shares = last.far.shares(seen, left)
            if left < last.far.most:
                self._check_deck(sum(shares), last, left)
            yield drawn + min(last.far.most, left), weight * sum(shares[at] for at in last.alive)

    def _from_close(self, spot: _Spot, last: _Last, deck: int, weight: int) -> tuple[int, int]:
        ways, added = self._seals.ways, self._seals.added
        scored, hidden = deck & self._deals.scored, deck & ~self._deals.scored
        size = self._seals.size(deck)
        living = sum(
            [share * ways(scored + lot, added(hidden, more)) for lot, more, share in self._weighed(spot, last, size)]
        )
        return size + min(last.far.most, self.cards_left - size), weight * living

    def _weighed(self, spot: _Spot, last: _Last, size: int) -> list[tuple[int, int, int]]:
        """The ways to live through the last hit when so many cards are gone."""
        known = last.weights.get(size)
        if known is None:
            if last.near is None:
                alive: Lots = {}
                for at in last.alive:
                    for lot, share in last.far.lots[at].items():
                        alive[lot] = alive.get(lot, 0) + share
                last.near = _Near(alive, self._deals, afar=self._afar)
            left = self.cards_left - size
            known = last.near.weights(filled(left, last.far.most), self._far.left(spot.gone, left))
            last.weights[size] = known
        return known

    def _check_deck(self, shares: int, last: _Last, left: int) -> None:
        """Raise HackjackError where some way needs more cards than there are: then its share is missing."""
        if shares != last.whole * perm(left, min(left, last.far.most)):
            raise HackjackError(
                f"the deck would run out: {self.cards_left} cards are left, and what is shuffled back depends on the "
                "whole party; ask for fewer hits"
            )


def _check(state: State, event: Event) -> None:
    if state.dead:
        raise HackjackError("the character is dead: there is nothing left to count")
    if event.name not in COUNTED_EVENTS:
        raise HackjackError(f"{event.name} has no odds: ask for {', '.join(COUNTED_EVENTS)}")


def _check_draws(cards: list[Blow]) -> None:
    """Raise HackjackError where an event might draw so many cards that they could not be counted."""
    draws, drawn = most_drawn(cards)
    most = 1 + drawn
    if most > MOST_DRAWN or draws > MOST_DRAWING:
        raise HackjackError(
            f"{draws} cards of this deck draw others, {most} in all at the worst: exact odds are counted up to "
            f"{MOST_DRAWING} such cards and {MOST_DRAWN} drawn; ask for --simulate N"
        )


def _begun(system: System, state: State, event: Event) -> tuple[list[Blow], Body]:
    """The cards left in the deck, and where the count starts. Raises HackjackError where nothing can be counted."""
    _check(state, event)
    blows, drawn = harm.blows_of(system), set(state.drawn)
    cards = [blows[code] for code in harm.deck_of(system) if code not in drawn]
    _check_draws(cards)
    return cards, harm.body_of(state, system)

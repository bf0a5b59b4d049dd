"""Exact chances of hits: the engine under every outcome, with draws without replacement counted exactly.

**Equivalence classes** (`classes`). Two cards that the engine cannot tell apart are of one class. Classes come in
levels: a card's wound (its Blood, and what it makes one draw or wait for), inside that its colour, where something in
the deck waits for red cards, and inside that its score. A draw tells only what is asked of the card: everything where
its score counts (the hit's own card, the card of a Queen of spades), its wound alone where it does not (the two cards
of a Seven of clubs), its colour too while a Ten of hearts is in force. What is not asked stays unspecified. This loses
nothing: the deck is in random order, so a card that nobody looked at closely is any card of its class, and the next
card is as likely to be any of those not yet seen as if the other had stayed in the deck.

**Draw counts.** What matters of a deck is how many cards of each class have left it, and how much was asked of each:
not in which order. A draw count is one whole number with a field for each class, so that two are joined by adding
them. In how many ways cards can be drawn so is a product over the wounds: first the cards of which most is known, then
those of which less is known, from what is left of the wider class. Divided by all ways to draw so many cards, that is
the chance.

**Transitions** (`transitions`). One event is walked luck by luck, from the start: at each need of the engine every
class of cards, every total of dice, every choice that the policy allows. What arrives at the same state of the engine
with the same draw counts is merged. The result is a list of ends (bodies), each with its draw counts and weights; it
does not depend on what had been drawn before, so it is found once and used for every deck that a hit begins with.

**Deferred sum.** Where the total is judged only after the hit, death-score and Blood just add up inside it. Then the
walk begins at 0, and what somebody had before is added afterwards: one walk serves every death-score. This is done
only where the deck cannot run out; otherwise, and where every step is judged, each death-score is walked by itself,
and nobody draws on who is over the limit already.

**One event** is one walk. It is the last, so Blood that joins the pool does not flow any more, and neither Blood nor
what brings it, nor what waits for another descent, makes two cards different: few classes are left. A fresh deck of
Hackjack has fourteen, and its hit is counted in some ten milliseconds.

**Several events in a row.** After each, states are merged: the same body, the same draw counts. The last event is
walked with its own few classes; for that the cards drawn so far are turned up, which means that their draw counts in
the closer classes become draw counts in the wider ones, in as many ways as there are. Blood makes many classes, and
cards that make one draw more, and repeat what made one draw more, combine them: a whole deck of Hackjack has millions
of draw counts after one hit. So the number of transitions is limited (`MAX_TRANSITIONS`, the same on every machine,
about three seconds where this was written). Beyond it `TooManyError` says how many hits can be counted, and games play
the rest out (`generator.games.hackjack.simulation`).

**Proof.** Weights are whole numbers that only grow, so no share is below 0. For every state the ways to live and to die
through the last event are added up and must be all ways there are; and after each event, the share that lives as
counted by draw counts must be the share that lives as counted with the few classes. Where either fails, an error is
raised and no number is shown. Fractions are made only at the end, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, perm
from threading import local
from typing import Any

import msgspec

from generator.base.errors import HackjackError
from generator.games.hackjack import counting
from generator.games.hackjack import engine as harm
from generator.games.hackjack.counting import Agenda, Blow, Body, CountingRules, Total
from generator.games.hackjack.engine import HarmEvent, HarmState
from generator.games.hackjack.odds_classes import MASK, Classes, rank_of
from generator.games.hackjack.odds_transitions import DEAD, Budget, Policy, TooManyError, Transitions, Walk
from generator.model.rules import Draw, Repeat, System

__all__ = ["COUNTED_EVENTS", "MAX_HITS", "Outcome", "Policy", "TooManyError", "die_by", "outcome", "rank_of"]

COUNTED_EVENTS = ("hit", "draw", "poison", "bleed", "drain")
MAX_HITS = 100
"""Nobody asks for more hits in a row."""
MAX_TRANSITIONS = 1_000_000
_PLAY_IT_OUT = "--simulate N plays N times and says how far off it may be"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of one event. `score` gives every death-score that a survivor may have; 0 after a reset too."""

    die: Fraction
    reset: Fraction
    survive: Fraction
    score: dict[int, Fraction]
    cards_left: int


def outcome(system: System, state: HarmState, event: HarmEvent, policy: Policy = "best") -> Outcome:
    """The exact chances of one event on a state. Raises HackjackError when it cannot happen or is too large."""
    try:
        return _count_of(system, state, event, policy).outcome()
    except TooManyError as error:
        raise TooManyError(f"{error}; {_PLAY_IT_OUT}") from error


_kept = local()
"""The last count of this thread, and what it is of: a chart asks from one death-score after the other."""


def _count_of(system: System, state: HarmState, event: HarmEvent, policy: Policy) -> _Count:
    """Return the count of one event. What several death-scores have in common is counted once."""
    of = (system, msgspec.structs.replace(state, score=0, tokens=0), event, policy)
    last: tuple[tuple[Any, ...], _Count] | None = getattr(_kept, "last", None)
    if last is None or last[0][0] is not system or last[0][1:] != of[1:]:
        last = _kept.last = of, _Count(system, state, event, policy)
    return last[1].at(state.score)


def die_by(
    system: System, state: HarmState, event: HarmEvent, hits: int, policy: Policy = "best"
) -> tuple[Fraction, ...]:
    """The exact chance to be dead after 1, 2 ... `hits` such hits in a row.

    Raises TooManyError where that is too large to count, HackjackError when it cannot happen.
    """
    check_hits(hits)
    found: list[Fraction] = []
    try:
        for share in _Count(system, state, event, policy, hits).alive():
            found.append(1 - share)
    except TooManyError as error:
        if not found:
            raise TooManyError(f"{error}; {_PLAY_IT_OUT}") from error
        most = f"{len(found)} {event.name}s in a row" if len(found) > 1 else f"one {event.name}"
        raise TooManyError(
            f"{error}: from this state {most} can be counted exactly, not {hits}; leave out --exact to play them out"
        ) from error
    return tuple(found)


def check_hits(hits: int) -> None:
    """Raise HackjackError for a number of hits in a row that nobody can ask for."""
    if not 1 <= hits <= MAX_HITS:
        raise HackjackError(f"--hits {hits}: ask for 1 to {MAX_HITS} hits in a row")


def cards_left(system: System, state: HarmState, event: HarmEvent) -> list[Blow]:
    """The cards in the deck. Raises HackjackError for an event that has no odds, and for the dead."""
    if state.dead:
        raise HackjackError("the character is dead: there is nothing left to count")
    if event.name not in COUNTED_EVENTS:
        raise HackjackError(f"{event.name} has no odds: ask for {', '.join(COUNTED_EVENTS)}")
    blows, drawn = harm.blows_of(system), set(state.drawn)
    return [blows[code] for code in harm.deck_of(system) if code not in drawn]


@dataclass(frozen=True, slots=True)
class _Begun:
    """An event that has begun: walked from `body` through `agenda`; then score and Blood are added and `rest` done."""

    body: Body
    agenda: Agenda
    score: int
    blood: int
    rest: Agenda


_States = dict[Body, dict[int, int]]
"""By body the draw counts that led there, with their weights."""


class _Count:
    """All outcomes of one event, again and again, on one state."""

    def __init__(self, system: System, state: HarmState, event: HarmEvent, policy: Policy, hits: int = 1) -> None:
        self._rules, self._event, self._hits = CountingRules.of(system), event, hits
        cards, self._start = cards_left(system, state, event), harm.body_of(state, system)
        self._cards = len(cards)
        self._safe = hits * most_drawn(cards) <= len(cards)
        every, triggers, budget = [*harm.blows_of(system).values()], self._start.triggers, Budget(MAX_TRANSITIONS)
        self._few = Classes(cards, every, triggers, last=True)
        self._last = Walk(self._few, self._rules, policy, budget)
        self._last_seen: dict[Blow, Blow] = {}
        if hits > 1:
            self._all = Classes(cards, every, triggers, last=False)
            self._next = Walk(self._all, self._rules, policy, budget)
            self._to = {self._all.kind(card): self._few.kind(card) for card in cards}
            self._last_seen = {self._all.wound(card): self._few.wound(card) for card in every}
        self._budget = budget
        self._sums: dict[tuple[int, _Begun], tuple[int, int]] = {}

    def at(self, score: int) -> _Count:
        """Go on from another death-score, with the whole budget."""
        self._start, self._budget.spent = self._start._replace(score=score), 0
        return self

    # --- one event ---------------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """The chances of one event."""
        score: dict[int, Fraction] = {}
        die = reset = Fraction(0)
        begun = self._begun(self._last, self._start)
        found = self._transitions(self._last, begun)
        for end, counts in found.ends.items():
            body = self._finished(self._last, end, begun)
            share = self._share(self._few, counts) / found.whole
            if body.dead:
                die += share
            else:
                score[body.score] = score.get(body.score, Fraction(0)) + share
                reset += share if body.resets else 0
        survive = sum(score.values(), Fraction(0))
        self._whole(die + survive == 1)
        return Outcome(die, reset, survive, {key: score[key] for key in sorted(score) if score[key]}, self._cards)

    def _share(self, classes: Classes, counts: Mapping[int, int]) -> Fraction:
        """The share of all ways to draw that these draw counts have, by their weights."""
        sums: dict[int, int] = {}
        for drawn, weight in counts.items():
            sums[drawn & MASK] = sums.get(drawn & MASK, 0) + weight * classes.ways(drawn)
        return sum((Fraction(ways, perm(self._cards, size)) for size, ways in sums.items()), Fraction(0))

    def _begun(self, walk: Walk, body: Body) -> _Begun:
        body, agenda = harm.opening(body._replace(resets=0), self._event, self._rules)
        body, agenda, _ = counting.proceed(body, agenda, self._rules)
        body = walk.tidy(body)
        if body.dead:
            return _Begun(DEAD, (), 0, 0, ())
        stop = next((at for at, task in enumerate(agenda) if isinstance(task, Total)), len(agenda))
        score, blood = (body.score, body.blood) if walk.judged_late and self._safe else (0, 0)
        before = body._replace(score=body.score - score, blood=body.blood - blood)
        return _Begun(before, agenda[:stop], score, blood, agenda[stop:])

    def _transitions(self, walk: Walk, begun: _Begun) -> Transitions:
        return walk.transitions(begun.body, begun.agenda)

    def _finished(self, walk: Walk, end: Body, begun: _Begun) -> Body:
        """Where an end of the walk leads once the total is judged."""
        if end.dead:
            return DEAD
        body = end._replace(score=end.score + begun.score, blood=end.blood + begun.blood)
        return walk.tidy(counting.proceed(walk.tidy(body), begun.rest, self._rules)[0])

    def _whole(self, holds: bool) -> None:
        """What is missing from the whole ran out of cards, where that can be."""
        if not holds and not self._safe:
            left = "1 card is left" if self._cards == 1 else f"{self._cards} cards are left"
            why = "what is shuffled back depends on the whole party; ask for fewer hits"
            raise HackjackError(f"the deck would run out: {left}, and {why}")
        self._prove(holds)

    def _prove(self, holds: bool) -> None:
        if not holds:
            raise HackjackError(
                "these chances do not add up to one whole, which is a bug in this program, so none is shown; "
                "--simulate N plays them out"
            )

    # --- several in a row --------------------------------------------------------------------------------------------

    def alive(self) -> Iterator[Fraction]:
        """The chance to live after 1, 2 ... events."""
        states: _States = {self._start: {0: 1}}
        whole = 1
        for number in range(1, self._hits + 1):
            share = self._living(states, whole)
            yield share
            if number < self._hits:
                states, whole = self._after(states, whole)
                counted = sum((self._share(self._all, counts) for counts in states.values()), Fraction(0)) / whole
                self._prove(counted == share)

    def _after(self, states: _States, whole: int) -> tuple[_States, int]:
        """The living after one more event, merged, and what their weights are shares of."""
        begun = {body: self._begun(self._next, body) for body in states}
        found = {body: self._transitions(self._next, begun[body]) for body in states}
        common = lcm(*(one.whole for one in found.values()))
        after: _States = {}
        for body, counts in states.items():
            times = common // found[body].whole
            for end, moves in found[body].ends.items():
                target = self._finished(self._next, end, begun[body])
                if not target.dead:
                    self._budget.spend(len(counts) * len(moves))
                    self._joined(counts, moves, times, target._replace(resets=0), after)
        return after, whole * common

    def _joined(
        self, counts: Mapping[int, int], moves: Mapping[int, int], times: int, body: Body, after: _States
    ) -> None:
        """Add draw counts of one more event to those so far."""
        ways, sums = self._all.ways, after.setdefault(body, {})
        bare = after.setdefault(body._replace(last=None), {}) if body.last else sums
        for before, weight in counts.items():
            weight *= times
            for move, share in moves.items():
                drawn = before + move
                if ways(drawn):
                    # Without a card that repeats it, the last wound makes no difference.
                    to = bare if body.last and self._all.exhausted(drawn) else sums
                    to[drawn] = to.get(drawn, 0) + weight * share

    def _living(self, states: _States, whole: int) -> Fraction:
        """The chance to live through one more event after the states so far."""
        sums: dict[_Begun, dict[int, int]] = {}
        for body, counts in states.items():
            last = body.last and self._last_seen.get(body.last, body.last)
            begun = self._begun(self._last, body._replace(last=last))
            turned = sums.setdefault(begun, {})
            for drawn, weight in counts.items():
                found = self._all.turned_up(drawn, self._to) if drawn else {0: 1}
                self._budget.spend(len(found))
                for there, ways in found.items():
                    turned[there] = turned.get(there, 0) + weight * ways
        total = Fraction(0)
        for begun, turned in sums.items():
            walked = self._transitions(self._last, begun)
            alive: dict[int, int] = {}
            dead: dict[int, int] = {}
            for end, counts in walked.ends.items():
                to = dead if self._finished(self._last, end, begun).dead else alive
                for drawn, weight in counts.items():
                    to[drawn] = to.get(drawn, 0) + weight
            shares: dict[int, int] = {}
            size = max((drawn & MASK for drawn in (*alive, *dead)), default=0)
            self._budget.spend(len(turned) * (len(alive) + len(dead)))
            for before, weight in turned.items():
                living = self._weighed(before, alive, size)
                self._check(living + self._weighed(before, dead, size), walked.whole, before, size)
                key = before & MASK
                shares[key] = shares.get(key, 0) + weight * living
            for gone, weight in shares.items():
                ways = perm(self._cards, gone) * self._filled(self._cards - gone, size)
                total += Fraction(weight, ways * walked.whole)
        return total / whole

    def _weighed(self, before: int, counts: Mapping[int, int], size: int) -> int:
        """The ways to draw on, each filled up to `size` cards with any of those left."""
        classes, left = self._few, self._cards - (before & MASK)
        known = classes.ways(before)
        total = 0
        for drawn, weight in counts.items():
            ways = classes.ways(before + drawn)
            if ways:
                cards = drawn & MASK
                total += weight * (ways // known) * self._filled(left - cards, size - cards)
        return total

    def _check(self, found: int, whole: int, before: int, size: int) -> None:
        left = self._cards - (before & MASK)
        self._whole(found == whole * self._filled(left, size))

    def _filled(self, left: int, more: int) -> int:
        """The ways to draw so many cards more, or all that are left."""
        return perm(left, min(left, more))


def most_drawn(cards: Iterable[Blow]) -> int:
    """How many cards one event draws at the worst."""
    draws = [effect for card in cards for effect in card.counted if isinstance(effect, Draw | Repeat)]
    drawn = sum(effect.cards if isinstance(effect, Draw) else effect.draw for effect in draws)
    return 2 + drawn * (1 + sum(effect.times for effect in draws if isinstance(effect, Repeat)))

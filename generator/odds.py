"""Exact chances: the engine's own rules under every outcome at once, equal situations counted once.

What is merged, and why it may be: cards that the count cannot tell apart are one class (suits matter only where red
cards do; Blood, Trauma and triggers of a card cannot matter any more in the last hit that is asked about, because its
Blood flows in the next hit at the earliest, H7). Everything else is the engine. Chances are whole numbers over one
common denominator, so that nothing is rounded and fractions are made only at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from generator.chance import CardNeed, ChoiceNeed, Need, RollNeed
from generator.dice import Dice
from generator.engine import counting, harm
from generator.engine.counting import Agenda, Blow, Body, Rules
from generator.engine.harm import Event, State
from generator.errors import HackjackError
from generator.rules import Draw, Repeat, System, Whenever

Policy = Literal["best", "worst", "even"]

COUNTED_EVENTS = ("hit", "draw", "poison", "bleed", "drain")
MOST_HITS = 8
MOST_SITUATIONS = 4_000_000
"""Beyond so many situations an exact answer is refused rather than cut short."""

_BITS = 7
_MASK = (1 << _BITS) - 1


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
    every = _Every(system, state, event, 1, policy)
    chances = every.finals()
    whole = every.whole
    die = sum(weight for body, weight in chances.items() if body.dead)
    reset = sum(weight for body, weight in chances.items() if not body.dead and body.resets)
    scores: dict[int, int] = {}
    for body, weight in chances.items():
        if not body.dead:
            scores[body.score] = scores.get(body.score, 0) + weight
    return Outcome(
        die=Fraction(die, whole),
        reset=Fraction(reset, whole),
        survive=1 - Fraction(die, whole),
        score={score: Fraction(weight, whole) for score, weight in sorted(scores.items())},
        cards_left=every.cards_left,
    )


def die_by(system: System, state: State, event: Event, hits: int, policy: Policy = "best") -> tuple[Fraction, ...]:
    """The exact chance to be dead after 1, 2 ... `hits` such hits in a row.

    Each number stands for itself: with `best` and `worst` the player chooses with that very number of hits in mind.
    Raises HackjackError when it cannot happen or is too large.
    """
    if not 1 <= hits <= MOST_HITS:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_HITS} hits are counted exactly")
    every = _Every(system, state, event, hits, policy)
    return tuple(Fraction(every.dying(count), every.whole) for count in range(1, hits + 1))


class _Every:
    """All outcomes of one event, again and again, on one state.

    Situations inside a hit (a Body, an agenda and the need where they stopped) are numbered; a deck is a whole number
    that holds the count of each class in `_BITS` bits. That makes what is remembered small and quick to find.
    """

    def __init__(self, system: System, state: State, event: Event, hits: int, policy: Policy) -> None:
        if state.dead:
            raise HackjackError("the character is dead: there is nothing left to count")
        if event.name not in COUNTED_EVENTS:
            raise HackjackError(f"{event.name} has no odds: ask for {', '.join(COUNTED_EVENTS)}")
        self._rules = Rules.of(system)
        self._event, self._policy = event, policy
        blows = harm.blows_of(system)
        drawn = set(state.drawn)
        left = [blows[code] for code in harm.deck_of(system) if code not in drawn]
        self.cards_left = len(left)
        start = harm.body_of(state, system)._replace(trauma=0)
        pool = [*left, *([start.last] if start.last else [])]
        self.whole = _denominator(pool, hits * (2 if event.word else 1), len(left))
        self._fine, self._coarse = _Classes(left, start, last=False), _Classes(left, start, last=True)
        self._both = tuple((at, self._coarse.unit(blow)) for at, blow in enumerate(self._fine.blows))
        self._numbers: dict[tuple[Body, Agenda], int] = {}
        self._places: list[tuple[Body, Agenda, Need | None]] = []
        self._next: list[dict[int, int]] = []
        self._openings: dict[int, int] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        self._start = self._number(start, ())

    def finals(self) -> dict[Body, int]:
        """The bodies that one event leads to, with their weights; the weights add up to `whole`."""
        spread = self._spread(self._open(self._start), self._coarse.deck, self.cards_left, {})
        return {self._places[place][0]: weight for place, weight in spread.items()}

    def dying(self, hits: int) -> int:
        """The weight, of `whole`, of being dead within so many hits."""
        return self._after(hits + 1, self._start, self._fine.deck, self._coarse.deck, self.cards_left)

    # One event, all outcomes.

    def _spread(self, place: int, deck: int, left: int, known: dict[tuple[int, int], dict[int, int]]) -> dict[int, int]:
        need = self._places[place][2]
        if need is None:
            return {place: self.whole}
        key = (place, deck)
        if key in known:
            return known[key]
        if isinstance(need, CardNeed):
            self._not_empty(left)
            drawn = [
                (count, self._spread(self._drawn(place, at, self._coarse), deck - unit, left - 1, known))
                for at, unit, count in self._coarse.counts(deck)
            ]
            known[key] = _mixed(drawn, left)
        elif isinstance(need, RollNeed):
            rolled = [(ways, self._spread(after, deck, left, known)) for ways, after in self._rolled(place, need.dice)]
            known[key] = _mixed(rolled, need.dice.faces**need.dice.count)
        else:
            chosen = [self._spread(after, deck, left, known) for after in self._chosen(place, need)]
            if self._policy == "even":
                known[key] = _mixed([(1, spread) for spread in chosen], len(chosen))
            else:
                known[key] = (min if self._policy == "best" else max)(chosen, key=self._harm)
        return known[key]

    def _harm(self, spread: dict[int, int]) -> tuple[int, int]:
        """How bad a spread is: dying first, then the death-score to be expected."""
        bodies = [(self._places[place][0], weight) for place, weight in spread.items()]
        dead = sum(weight for body, weight in bodies if body.dead)
        return dead, sum(weight * body.score for body, weight in bodies if not body.dead)

    # Several hits: the chance to die.

    def _after(self, hits: int, place: int, fine: int, coarse: int, left: int) -> int:
        """The weight of dying in the rest of this hit and the `hits - 1` after it, from any situation."""
        body, _, need = self._places[place]
        while need is None:
            hits -= 1
            if body.dead:
                return self.whole
            if hits == 0:
                return 0
            place = self._open(place)
            body, _, need = self._places[place]
        return self._dying(hits, place, fine, coarse, left, need)

    def _dying(self, hits: int, place: int, fine: int, coarse: int, left: int, need: Need) -> int:
        key = (hits, place, coarse if hits == 1 else fine)
        known = self._known.get(key)
        if known is not None:
            return known
        if isinstance(need, CardNeed):
            self._not_empty(left)
            total = 0
            if hits == 1:
                for at, unit, count in self._coarse.counts(coarse):
                    total += count * self._after(1, self._drawn(place, at, self._coarse), 0, coarse - unit, left - 1)
            else:
                both = self._both
                for at, unit, count in self._fine.counts(fine):
                    after = self._drawn(place, at, self._fine)
                    total += count * self._after(hits, after, fine - unit, coarse - both[at][1], left - 1)
            value = _exactly(total, left)
        elif isinstance(need, RollNeed):
            total = sum(
                ways * self._after(hits, after, fine, coarse, left) for ways, after in self._rolled(place, need.dice)
            )
            value = _exactly(total, need.dice.faces**need.dice.count)
        else:
            values = [self._after(hits, after, fine, coarse, left) for after in self._chosen(place, need)]
            if self._policy == "even":
                value = _exactly(sum(values), len(values))
            else:
                value = min(values) if self._policy == "best" else max(values)
        if len(self._known) >= MOST_SITUATIONS:
            raise HackjackError(
                f"more than {MOST_SITUATIONS:,} situations would have to be counted: ask for fewer hits, or for "
                "--simulate N, which plays N times and says how far off it may be"
            )
        self._known[key] = value
        return value

    # What follows what: the engine, asked once for each situation and answer.

    def _number(self, body: Body, agenda: Agenda) -> int:
        """Run the engine up to its next need, and number the situation where it stops."""
        body, agenda, need = counting.proceed(body, agenda, self._rules)
        if body.score > self._rules.limit and not body.dead:
            # Inside a hit the death-score only grows: nothing that is still drawn can save anyone.
            body, agenda, need = body._replace(dead=True), (), None
        if body.dead:
            body = Body(dead=True, score=body.score)
        if body.hp == 0 and not body.low:
            # No descent is ahead any more, so what waits for one is over.
            body = body._replace(triggers=tuple(known for known in body.triggers if known.event == "red_card"))
        key = (body._replace(wounds=()), agenda)
        if key not in self._numbers:
            self._numbers[key] = len(self._places)
            self._places.append((*key, need))
            self._next.append({})
        return self._numbers[key]

    def _open(self, place: int) -> int:
        """The same event on a settled situation."""
        if place not in self._openings:
            body, agenda = harm.opening(self._places[place][0]._replace(resets=0), self._event, self._rules)
            self._openings[place] = self._number(body, agenda)
        return self._openings[place]

    def _drawn(self, place: int, at: int, classes: _Classes) -> int:
        """A card of a class is drawn."""
        following = self._next[place]
        key = at if classes is self._fine else -1 - at
        after = following.get(key)
        if after is None:
            body, agenda, _ = self._places[place]
            body, agenda = counting.take_card(body, agenda, classes.blows[at], self._rules)
            after = following[key] = self._number(body, agenda)
        return after

    def _rolled(self, place: int, dice: Dice) -> list[tuple[int, int]]:
        """Every total of the dice: the number of ways to roll it, and what follows."""
        body, agenda, _ = self._places[place]
        ways = dice.faces**dice.count
        return [
            (int(chance * ways), self._number(*counting.take_roll(body, agenda, total)))
            for total, chance in dice.chances().items()
        ]

    def _chosen(self, place: int, need: ChoiceNeed) -> list[int]:
        """What follows each choice."""
        body, agenda, _ = self._places[place]
        return [self._number(*counting.take_choice(body, agenda, at)) for at in range(len(need.options))]

    def _not_empty(self, left: int) -> None:
        if left == 0:
            raise HackjackError(
                f"the deck would run out: {self.cards_left} cards are left, and what is shuffled back depends on the "
                "whole party; ask for fewer hits"
            )


class _Classes:
    """The cards of a deck that the count cannot tell apart, as classes, and the deck as a whole number."""

    def __init__(self, left: Sequence[Blow], start: Body, *, last: bool) -> None:
        known = [*left, *([start.last] if start.last else [])]
        effects = [effect for blow in known for effect in blow.counted if isinstance(effect, Whenever)]
        watched = [*effects, *start.triggers]
        self._last = last
        self._red = any(item.event == "red_card" and (item.score or not last) for item in watched)
        self._repeats = any(blow.repeats for blow in known)
        self._by_key: dict[object, int] = {}
        self.blows: list[Blow] = []
        self.deck = 0
        for blow in left:
            key = self._key(blow)
            if key not in self._by_key:
                self._by_key[key] = len(self.blows)
                self.blows.append(self._stripped(blow))
            self.deck += 1 << (_BITS * self._by_key[key])

    def _counted(self, blow: Blow) -> tuple[object, ...]:
        return tuple(
            effect
            for effect in blow.counted
            if not isinstance(effect, Whenever) or (effect.event == "red_card" and self._red)
        )

    def _key(self, blow: Blow) -> object:
        blood = None if self._last else blow.blood
        return blow.score, blood, blow.red and self._red, self._counted(blow)

    def _stripped(self, blow: Blow) -> Blow:
        """A class as one card: without what cannot matter."""
        score, blood, red, counted = self._key(blow)  # type: ignore[misc]
        return replace(blow, score=score, blood=blood, trauma=0, red=red, counted=counted, wounding=False)

    def unit(self, blow: Blow) -> int:
        """What a deck loses when a card of that card's class is drawn."""
        return 1 << (_BITS * self._by_key[self._key(blow)])

    def counts(self, deck: int) -> Iterator[tuple[int, int, int]]:
        """The classes that a deck still holds: place, unit and count."""
        shift = 0
        for at in range(len(self.blows)):
            count = (deck >> shift) & _MASK
            if count:
                yield at, 1 << shift, count
            shift += _BITS


def _mixed(ways: list[tuple[int, dict[int, int]]], total: int) -> dict[int, int]:
    """Spreads by their weights out of `total`."""
    mixed: dict[int, int] = {}
    for count, spread in ways:
        for place, weight in spread.items():
            mixed[place] = mixed.get(place, 0) + count * weight
    return {place: _exactly(weight, total) for place, weight in mixed.items()}


def _exactly(value: int, divisor: int) -> int:
    whole, rest = divmod(value, divisor)
    if rest:
        raise ArithmeticError("the common denominator does not divide: exact odds would be rounded")
    return whole


def _denominator(pool: Sequence[Blow], draws: int, left: int) -> int:
    """A number that every chance is a whole multiple of: one factor for each card, die and choice that may come."""
    effects = [effect for blow in pool for effect in blow.counted]
    repeats = [effect for effect in effects if isinstance(effect, Repeat)]
    again = 1 + sum(effect.times + 1 for effect in repeats)
    more = [effect for effect in effects if isinstance(effect, Draw)]
    draws += again * sum(effect.cards for effect in more) + sum(effect.draw for effect in repeats)
    whole = 1
    for drawn in range(min(draws, left)):
        whole *= left - drawn
    for blow in pool:
        if blow.blood and not blow.blood.is_number:
            whole *= blow.blood.faces ** (blow.blood.count * again)
    for effect in more:
        if effect.keep == "choose_one":
            whole *= effect.cards**again
    return whole

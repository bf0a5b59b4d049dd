"""Odds by playing: where exact counting is too large, the engine plays many times and says how far off it may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random

from generator.chance import CardNeed, ChoiceNeed, RollNeed
from generator.engine import counting, harm
from generator.engine.counting import Blow, Body, Choose, Rules
from generator.engine.harm import Event, State
from generator.errors import HackjackError
from generator.odds.harm import COUNTED_EVENTS, Policy, rank_of
from generator.rules import System

MOST_IN_A_ROW = 100


def simulate(
    system: System, state: State, event: Event, hits: int, plays: int, seed: int, policy: Policy = "best"
) -> tuple[tuple[float, float], ...]:
    """The share of plays that are dead after 1, 2 ... `hits` such hits, each with its standard error.

    Raises HackjackError when the event has no odds or the deck would run out.
    """
    _check(state, event, hits)
    return _shares(_Player(system, state, event, policy).died(hits, plays, seed))


def mean_hits(
    system: System, state: State, scores: Iterable[int], event: Event, hits: int, plays: int, seed: int
) -> list[float]:
    """How many of `hits` such hits one survives on average, from each death-score, all of it in tokens.

    What plain cards do is found out once for all of them. Raises HackjackError as `simulate` does.
    """
    _check(state, event, hits)
    player = _Player(system, state, event, "best")
    return [sum(1 - share for share, _ in _shares(player.at(score).died(hits, plays, seed))) for score in scores]


def _check(state: State, event: Event, hits: int) -> None:
    if state.dead:
        raise HackjackError("the character is dead: there is nothing left to count")
    if event.name not in COUNTED_EVENTS:
        raise HackjackError(f"{event.name} has no odds: ask for {', '.join(COUNTED_EVENTS)}")
    if not 1 <= hits <= MOST_IN_A_ROW:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_IN_A_ROW} hits are played")


def _shares(died: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """The share of plays that are dead after each hit, with its standard error; at last come those that live."""
    plays = sum(died)
    shares = [sum(died[: place + 1]) / plays for place in range(len(died) - 1)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)


class _Player:
    """Plays one event again and again from the same state."""

    def __init__(self, system: System, state: State, event: Event, policy: Policy) -> None:
        self._rules, self._event, self._policy = Rules.of(system), event, policy
        blows = harm.blows_of(system)
        drawn = set(state.drawn)
        self._deck = [blows[code] for code in harm.deck_of(system) if code not in drawn]
        self._start = harm.body_of(state, system)._replace(trauma=0, wounds=())
        self._is_plain = {
            blow: not blow.counted and not blow.spares and (blow.blood is None or blow.blood.is_number)
            for blow in self._deck
        }
        self._known: dict[Body, dict[Blow, Body] | None] = {}

    def at(self, score: int) -> _Player:
        """The same from another death-score."""
        self._start = self._start._replace(score=score)
        return self

    def died(self, hits: int, plays: int, seed: int) -> list[int]:
        """How many plays ended with each hit, and how many did not end."""
        # Only `random()` keeps its sequence from one Python to the next.
        self._random = Random(seed).random
        died = [0] * (hits + 1)
        for _ in range(plays):
            died[self._play(hits)] += 1
        return died

    def _play(self, hits: int) -> int:
        """After how many hits one was dead; `hits` for those who live."""
        deck, body = list(self._deck), self._start
        for number in range(hits):
            body = self._hit(body, deck)
            if body.dead:
                return number
        return hits

    def _hit(self, body: Body, deck: list[Blow]) -> Body:
        """One event. Trauma and wounds are left out: they touch no count."""
        opened = self._opened(body._replace(last=None))
        if opened is None:
            return self._played(body, deck)
        blow = self._drawn(deck)
        if not self._is_plain[blow]:
            return self._played(body, deck, blow)
        after = opened.get(blow)
        if after is None:
            after = opened[blow] = self._played(body, deck, blow)
        return after

    def _opened(self, body: Body) -> dict[Blow, Body] | None:
        """What plain cards do to a body, as far as it has been seen; None where the event does not begin with a card.

        The last wound does not matter to a plain card, which takes its place.
        """
        if body not in self._known:
            after, agenda = harm.opening(body, self._event, self._rules)
            _, _, need = counting.proceed(after, agenda, self._rules)
            self._known[body] = {} if isinstance(need, CardNeed) else None
        return self._known[body]

    def _drawn(self, deck: list[Blow]) -> Blow:
        if not deck:
            raise HackjackError("the deck runs out in these plays: ask for fewer hits")
        place = int(self._random() * len(deck))
        deck[place], deck[-1] = deck[-1], deck[place]
        return deck.pop()

    def _played(self, body: Body, deck: list[Blow], first: Blow | None = None) -> Body:
        """The event step by step; `first` is a card that has been drawn already."""
        rules = self._rules
        body, agenda = harm.opening(body, self._event, rules)
        body, agenda, need = counting.proceed(body, agenda, rules)
        while need is not None:
            match need:
                case CardNeed():
                    blow, first = first or self._drawn(deck), None
                    body, agenda = counting.take_card(body, agenda, blow, rules)
                case RollNeed():
                    dice = need.dice
                    total = dice.plus + sum(int(self._random() * dice.faces) + 1 for _ in range(dice.count))
                    body, agenda = counting.take_roll(body, agenda, total)
                case ChoiceNeed():
                    body, agenda = counting.take_choice(body, agenda, self._chosen(agenda[0]))
            if body.score > rules.limit:
                return body._replace(dead=True)
            body, agenda, need = counting.proceed(body, agenda, rules)
        return body._replace(trauma=0, resets=0, wounds=())

    def _chosen(self, task: counting.Task) -> int:
        if not isinstance(task, Choose):
            raise TypeError(f"{type(task).__name__} offers no choice")
        places = range(len(task.cards))
        if self._policy == "even":
            return int(self._random() * len(task.cards))
        pick = min if self._policy == "best" else max
        return pick(places, key=lambda place: rank_of(task.cards[place]))

"""Hits played out: where exact counting is too large, the engine plays many times and says how far off it may be.

The engine is asked for each step once, on the equivalence classes of `odds.classes`; after that a step is looked up. So
every card of every pack is played by the engine's rules, and a play costs little more than its random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.hackjack import engine as harm
from generator.games.hackjack.counting import Blow, Body, Choose, Pour, Rules
from generator.games.hackjack.engine import Event, State
from generator.games.hackjack.odds import cards_left, check_hits
from generator.games.hackjack.odds_classes import Classes, Kind
from generator.games.hackjack.odds_transitions import Policy, Spot, Steps
from generator.model.rules import System

DEFAULT_PLAYS = 100_000
MOST_KEPT = 200_000
"""Steps that are kept to be looked up; beyond it they are asked for anew."""

Luck = Callable[[], float]


def simulate(
    system: System, state: State, event: Event, hits: int, plays: int, seed: int, policy: Policy = "best"
) -> tuple[tuple[float, float], ...]:
    """The share of plays that are dead after 1, 2 ... `hits` such hits, each with its standard error.

    Raises HackjackError when the event has no odds or the deck would run out.
    """
    check_hits(hits)
    (died,) = Player(system, state, event, policy).died([state.score], hits, plays, Random(seed).random)
    shares = [sum(died[: place + 1]) / plays for place in range(hits)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)


def mean_hits(
    system: System, state: State, scores: Iterable[int], event: Event, hits: int, plays: int, seed: int
) -> list[tuple[float, float]]:
    """How many of `hits` such hits one survives on average, from each death-score, each with its standard error.

    The scores are all in tokens, and meet the same decks. Raises HackjackError as `simulate` does.
    """
    found = []
    for died in Player(system, state, event, "best").died([*scores], hits, plays, Random(seed).random, by_turns=True):
        mean = sum(number * times for number, times in enumerate(died)) / plays
        spread = sum((number - mean) ** 2 * times for number, times in enumerate(died)) / plays
        found.append((mean, sqrt(spread / plays)))
    return found


@dataclass(eq=False, slots=True)
class _Place:
    """Where a play stands: what answers its need (None: a card), where the answers lead, and where the next hit begins.

    `needs` is False at the end of a hit.
    """

    spot: Spot
    needs: bool
    answer: Callable[[Luck], int] | None = None
    after: dict[Kind | int, _Place] = field(default_factory=dict)
    begun: _Place | None = None


class Player:
    """Plays one event again and again from the same state."""

    def __init__(self, system: System, state: State, event: Event, policy: Policy) -> None:
        self._rules, self._event = Rules.of(system), event
        cards, self._start = cards_left(system, state, event), harm.body_of(state, system)
        classes = Classes(cards, [*harm.blows_of(system).values()], self._start.triggers, last=False)
        self._steps, self._classes = Steps(classes, self._rules, policy), classes
        self.stacked(cards)
        self._kept: dict[Spot, _Place] = {}

    def stacked(self, cards: Iterable[Blow]) -> None:
        """Put the cards that are left in this order: luck that is always 0 draws them so."""
        self._deck = [self._classes.kind(card) for card in cards]

    def died(
        self, scores: Sequence[int], hits: int, plays: int, luck: Luck, *, by_turns: bool = False
    ) -> list[list[int]]:
        """For each death-score at the start: how many plays ended with each hit, and last how many did not end.

        The random number decides for each card of a play which of those left comes next, once for all scores.
        `by_turns`: every card comes first as often as every other, which makes a mean of whole rounds more exact.
        """
        starts = [self._ended(self._start._replace(score=score, trauma=0, wounds=())) for score in scores]
        died = [[0] * (hits + 1) for _ in starts]
        deck, cards = self._deck, len(self._deck)
        turns = deck.copy()
        for play in range(plays):
            shuffled = 0
            if by_turns and cards:
                first = deck.index(turns[play % cards])
                deck[0], deck[first] = deck[first], deck[0]
                shuffled = 1
            for place, ends in zip(starts, died, strict=True):
                drawn = number = 0
                while number < hits:
                    place = place.begun or self._begun(place)
                    while place.needs:
                        if place.answer is not None:
                            answer: Kind | int = place.answer(luck)
                        else:
                            if drawn == shuffled:
                                if drawn == cards:
                                    raise HackjackError("the deck runs out in these plays: ask for fewer hits")
                                other = drawn + int(luck() * (cards - drawn))
                                deck[drawn], deck[other] = deck[other], deck[drawn]
                                shuffled += 1
                            answer = deck[drawn]
                            drawn += 1
                        place = place.after.get(answer) or self._followed(place, answer)
                    if place.spot.body.dead:
                        break
                    number += 1
                ends[number] += 1
        return died

    def _begun(self, place: _Place) -> _Place:
        """The next hit, up to where it needs luck."""
        body, agenda = harm.opening(place.spot.body._replace(resets=0), self._event, self._rules)
        place.begun = self._at(self._steps.settled(body, agenda))
        return place.begun

    def _ended(self, body: Body) -> _Place:
        return self._at(Spot(self._steps.tidy(body), ()))

    def _followed(self, place: _Place, answer: Kind | int) -> _Place:
        """Ask the engine what follows an answer."""
        steps, spot = self._steps, place.spot
        if isinstance(answer, Kind):
            after = steps.take(spot, answer)
        elif isinstance(spot.agenda[0], Choose):
            after = steps.choose(spot, answer)
        else:
            after = steps.roll(spot, answer)
        found = place.after[answer] = self._at(after)
        return found

    def _at(self, spot: Spot) -> _Place:
        place = self._kept.get(spot)
        if place is None:
            if len(self._kept) >= MOST_KEPT:
                for known in self._kept.values():
                    known.after.clear()
                    known.begun = None
                self._kept.clear()
            place = self._kept[spot] = _Place(spot, bool(spot.agenda), self._answer(spot))
        return place

    def _answer(self, spot: Spot) -> Callable[[Luck], int] | None:
        task = spot.agenda[0] if spot.agenda else None
        if isinstance(task, Choose):
            return partial(_picked, self._steps.places(task))
        return partial(_rolled, task.dice) if isinstance(task, Pour) else None


def _picked(places: range, luck: Luck) -> int:
    return places[int(luck() * len(places))] if len(places) > 1 else places[0]


def _rolled(dice: Dice, luck: Luck) -> int:
    return dice.plus + sum(int(luck() * dice.faces) + 1 for _ in range(dice.count))

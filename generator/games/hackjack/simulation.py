"""Hits played out: where exact counting is too large, the engine plays many times and says how far off it may be.

The engine is asked for each step once, on the equivalence classes of `odds.classes`; after that a step is looked up. So
every card of every pack is played by the engine's rules, and a play costs little more than its random numbers.

Where the total is judged only after the hit, death-score and Blood just add up inside it, as in `odds`: a hit is played
from 0, and all death-scores that differ in nothing else play it together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.hackjack import counting
from generator.games.hackjack import engine as harm
from generator.games.hackjack.counting import Agenda, Blow, Body, ChooseWound, CountingRules, Pour, Total
from generator.games.hackjack.engine import HarmEvent, HarmState
from generator.games.hackjack.odds import cards_left, check_hits
from generator.games.hackjack.odds_classes import Classes, Kind
from generator.games.hackjack.odds_transitions import OddsSteps, Policy, Spot
from generator.model.rules import System

DEFAULT_PLAYS = 100_000
MAX_KEPT = 200_000
"""Steps that are kept to be looked up; beyond it they are asked for anew."""

Luck = Callable[[], float]


def simulate(
    system: System, state: HarmState, event: HarmEvent, hits: int, plays: int, seed: int, policy: Policy = "best"
) -> tuple[tuple[float, float], ...]:
    """The share of plays that are dead after 1, 2 ... `hits` such hits, each with its standard error.

    Raises HackjackError when the event has no odds or the deck would run out.
    """
    check_hits(hits)
    (died,) = SimulatedPlayer(system, state, event, policy).died([state.score], hits, plays, Random(seed).random)
    shares = [sum(died[: place + 1]) / plays for place in range(hits)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)


def mean_hits(
    system: System, state: HarmState, scores: Iterable[int], event: HarmEvent, hits: int, plays: int, seed: int
) -> list[tuple[float, float]]:
    """How many of `hits` such hits one survives on average, from each death-score, each with its standard error.

    The scores are all in tokens, and meet the same decks. Raises HackjackError as `simulate` does.
    """
    found = []
    for died in SimulatedPlayer(system, state, event, "best").died(
        [*scores], hits, plays, Random(seed).random, by_turns=True
    ):
        mean = sum(number * times for number, times in enumerate(died)) / plays
        spread = sum((number - mean) ** 2 * times for number, times in enumerate(died)) / plays
        found.append((mean, sqrt(spread / plays)))
    return found


_Group = list[tuple[int, int]]
"""Starts that are played together, the lowest first: the death-score of each without what all have, and its place."""


@dataclass(eq=False, slots=True)
class _Place:
    """Where a play stands: what answers its need (None: a card), and where the answers lead.

    `needs` is False where a hit is to be judged, and between hits. `score` is what the hit has brought so far.
    `begun`: where the next hit starts, what flows into the death-score, and the Blood that is held.
    """

    spot: Spot
    needs: bool
    score: int
    answer: Callable[[Luck], int] | None = None
    after: dict[Kind | int, _Place] = field(default_factory=dict)
    begun: tuple[_Place, int, int] | None = None
    judged: dict[tuple[int, bool], _Place] = field(default_factory=dict)


class _Steps(OddsSteps):
    """The engine up to where the total is judged."""

    def settled(self, body: Body, agenda: Agenda) -> Spot:
        """Do what needs no luck; where only the end of a hit is judged, that is left to do."""
        tasks = enumerate(agenda if self.judged_late else ())
        stop = next((at for at, task in tasks if isinstance(task, Total)), len(agenda))
        spot = OddsSteps.settled(self, body, agenda[:stop])
        return Spot(spot.body, () if spot.body.dead else (*spot.agenda, *agenda[stop:]))


class SimulatedPlayer:
    """Plays one event again and again from the same state."""

    def __init__(self, system: System, state: HarmState, event: HarmEvent, policy: Policy) -> None:
        self._rules, self._event = CountingRules.of(system), event
        cards, self._start = cards_left(system, state, event), harm.body_of(state, system)
        classes = Classes(cards, [*harm.blows_of(system).values()], self._start.triggers, last=False)
        self._steps, self._classes = _Steps(classes, self._rules, policy), classes
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
        groups = self._groups(scores)
        died = [[0] * (hits + 1) for _ in scores]
        deck, cards, limit = self._deck, len(self._deck), self._rules.limit
        turns = deck.copy()
        for play in range(plays):
            shuffled = 0
            if by_turns and cards:
                first = deck.index(turns[play % cards])
                deck[0], deck[first] = deck[first], deck[0]
                shuffled = 1
            left = [(place, group, 0, 0, 0) for place, group in groups]
            while left:
                place, group, score, drawn, number = left.pop()
                place, flowed, held = place.begun or self._begun(place)
                room = limit - score - flowed
                most = room - group[0][0]
                while place.needs and place.score <= most:
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
                room -= place.score
                lives = bisect_left(group, (room,))
                anew = lives < len(group) and group[lives][0] == room
                for _, start in group[lives + anew :]:
                    died[start][number] += 1
                number += 1
                if number == hits:
                    for _, start in group[: lives + anew]:
                        died[start][hits] += 1
                    continue
                score = limit - room
                if anew:
                    fresh = place.judged.get((held, True)) or self._judged(place, held, anew=True)
                    left.append((fresh, [(-score, group[lives][1])], score, drawn, number))
                if lives:
                    place = place.judged.get((held, False)) or self._judged(place, held, anew=False)
                    group = group[:lives]
                    if anew and place is fresh:
                        group = left.pop()[1] + group
                    left.append((place, group, score, drawn, number))
        return died

    def _groups(self, scores: Sequence[int]) -> list[tuple[_Place, _Group]]:
        """The starts from these death-scores, together where the total is judged only at the end of a hit."""
        bodies = sorted((score, start) for start, score in enumerate(scores))
        if self._steps.judged_late:
            return [(self._between(self._start), bodies)]
        return [(self._between(self._start._replace(score=score)), [(0, start)]) for score, start in bodies]

    def _between(self, body: Body) -> _Place:
        """A place between hits. The death-score is told apart where it only adds up inside a hit."""
        late = self._steps.judged_late
        # Who has nothing that waits for another descent is not asked whether one is down already.
        body = body._replace(score=0 if late else body.score, resets=0, low=body.low and bool(body.triggers))
        return self._at(Spot(self._steps.tidy(body), ()))

    def _begun(self, place: _Place) -> tuple[_Place, int, int]:
        """The next hit, up to where it needs luck."""
        body, agenda = harm.opening(place.spot.body, self._event, self._rules)
        spot, flowed, held = self._steps.settled(body, agenda), 0, 0
        if self._steps.judged_late and not spot.body.dead:
            flowed, held = spot.body.score, spot.body.blood
            spot = spot._replace(body=spot.body._replace(score=0, blood=0))
        place.begun = self._at(spot), flowed, held
        return place.begun

    def _judged(self, place: _Place, held: int, *, anew: bool) -> _Place:
        """After a hit, for those who live and for those who start anew."""
        body, rest = place.spot
        if self._steps.judged_late:
            body = body._replace(score=self._rules.limit if anew else 0, blood=body.blood + held)
        found = place.judged[held, anew] = self._between(counting.proceed(body, rest, self._rules)[0])
        return found

    def _followed(self, place: _Place, answer: Kind | int) -> _Place:
        """Ask the engine what follows an answer."""
        steps, spot = self._steps, place.spot
        if isinstance(answer, Kind):
            after = steps.take(spot, answer)
        elif isinstance(spot.agenda[0], ChooseWound):
            after = steps.choose(spot, answer)
        else:
            after = steps.roll(spot, answer)
        found = place.after[answer] = self._at(after)
        return found

    def _at(self, spot: Spot) -> _Place:
        place = self._kept.get(spot)
        if place is None:
            if len(self._kept) >= MAX_KEPT:
                for known in self._kept.values():
                    known.after.clear()
                    known.judged.clear()
                    known.begun = None
                self._kept.clear()
            body, needs = spot.body, bool(spot.agenda) and not isinstance(spot.agenda[0], Total)
            score = self._rules.limit + 1 if body.dead else body.score if self._steps.judged_late else 0
            place = self._kept[spot] = _Place(spot, needs, score, self._answer(spot))
        return place

    def _answer(self, spot: Spot) -> Callable[[Luck], int] | None:
        task = spot.agenda[0] if spot.agenda else None
        if isinstance(task, ChooseWound):
            return partial(_picked, self._steps.places(task))
        return partial(_rolled, task.dice) if isinstance(task, Pour) else None


def _picked(places: range, luck: Luck) -> int:
    return places[int(luck() * len(places))] if len(places) > 1 else places[0]


def _rolled(dice: Dice, luck: Luck) -> int:
    return dice.plus + sum(int(luck() * dice.faces) + 1 for _ in range(dice.count))

"""The transitions of one event: the engine under every outcome, and the draw counts that lead to each end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import Literal, NamedTuple

from generator.games.hackjack import counting
from generator.games.hackjack.counting import Agenda, Body, ChooseWound, CountingRules, Hand, Pour, Strike, Task
from generator.games.hackjack.odds_classes import Classes, Kind
from generator.play.every_way import TooMuchWorkError, spend_work

Policy = Literal["best", "worst", "even"]
"""How a player chooses: the lesser wound, the graver one (both by `rank_of`), or each as often as the others."""

DEAD = Body(dead=True)
"""All the dead are one: nothing more is asked of them."""


STEP = 10
"""A step of the engine takes as long as so many transitions that are only added up."""


class TooManyError(TooMuchWorkError):
    """More would have to be counted than is counted exactly."""


@dataclass(slots=True)
class Budget:
    """How many transitions may still be counted. `most` are allowed in all."""

    most: int
    spent: int = 0

    def spend(self, transitions: int) -> None:
        """Raise TooManyError when they are too many."""
        self.spent += transitions
        spend_work(transitions // 4)
        if self.spent > self.most:
            raise TooManyError(f"more than {self.most:,} transitions would have to be counted")


class Spot(NamedTuple):
    """Where luck is needed for what is to be done; or, with nothing left to do, an end."""

    body: Body
    agenda: Agenda


@dataclass(slots=True)
class OddsMove:
    """One answer to a need: its share, the kind of card drawn, if any, and where it leads, once that has been asked."""

    share: int
    kind: Kind | None
    spot: Spot | None = None


_Level = dict[Spot, dict[int, int]]
"""By spot the draw counts that led there, with their weights."""


@dataclass(slots=True)
class Transitions:
    """The ends of an event, each with the draw counts that lead there and their weights.

    A weight is the share of `whole` for each way to draw those cards.
    """

    whole: int
    ends: dict[Body, dict[int, int]]


class OddsSteps:
    """The engine on classes of cards: one step after the other, without what makes no difference."""

    def __init__(self, classes: Classes, rules: CountingRules, policy: Policy) -> None:
        self.classes, self.rules, self.policy = classes, rules, policy
        self.judged_late = not rules.every_step

    def settled(self, body: Body, agenda: Agenda) -> Spot:
        """Do what needs no luck."""
        body, agenda, _ = counting.proceed(body, agenda, self.rules)
        body = self.tidy(body)
        return Spot(body, () if body.dead else tuple(map(self._plain, agenda)))

    def tidy(self, body: Body) -> Body:
        """A body without what makes no difference. Over the limit one is dead, whatever is still drawn."""
        if body.dead or (self.judged_late and body.score > self.rules.limit):
            return DEAD
        classes, triggers, last, offers = self.classes, body.triggers, body.last, body.offers
        blood = 0 if classes.last else body.blood
        if triggers and classes.last:
            triggers = tuple(filter(classes.matters, triggers))
        if offers:
            # Only the lowest of each offer will count.
            offers = tuple(((0 if classes.last else min(some),) if some else (), ()) for some, _ in offers)
        if last is not None:
            last = classes.wound(last) if classes.repeats else None
        if (
            body.trauma
            or body.wounds
            or (blood, triggers, last, offers) != (body.blood, body.triggers, body.last, body.offers)
        ):
            return body._replace(blood=blood, trauma=0, triggers=triggers, last=last, offers=offers, wounds=())
        return body

    def _plain(self, task: Task) -> Task:
        """A task without the scores of cards whose score is done with; where the order is all one, in order of rank."""
        wound = self.classes.wound
        if isinstance(task, Strike):
            return Strike(wound(task.blow), task.pools)
        if isinstance(task, Hand) and task.drawn:
            drawn = tuple(map(wound, task.drawn))
            return task._replace(drawn=tuple(sorted(drawn, key=self.classes.rank)) if task.choose else drawn)
        if isinstance(task, ChooseWound):
            return task._replace(cards=tuple(sorted(map(wound, task.cards), key=self.classes.rank)))
        return task

    def take(self, spot: Spot, kind: Kind) -> Spot:
        """Draw a card."""
        return self.settled(*counting.take_card(*spot, kind.blow, self.rules))

    def roll(self, spot: Spot, total: int) -> Spot:
        """Roll Blood."""
        return self.settled(*counting.take_roll(*spot, total))

    def choose(self, spot: Spot, place: int) -> Spot:
        """Choose one of the cards."""
        return self.settled(*counting.take_choice(*spot, place))

    def places(self, task: ChooseWound) -> range:
        """The places that the player may choose."""
        places = range(len(task.cards))
        if self.policy == "even":
            return places
        pick = min if self.policy == "best" else max
        place = pick(places, key=lambda at: self.classes.rank(task.cards[at]))
        return range(place, place + 1)


class Walk(OddsSteps):
    """Every way in which an event can go."""

    def __init__(self, classes: Classes, rules: CountingRules, policy: Policy, budget: Budget) -> None:
        super().__init__(classes, rules, policy)
        self._budget = budget
        self._known: dict[Spot, Transitions] = {}
        self._moves: dict[Spot, tuple[int, list[OddsMove]]] = {}

    def transitions(self, body: Body, agenda: Agenda) -> Transitions:
        """All ways from a body through an agenda. Where no card is left a way has no end. Raises TooManyError."""
        start = self.settled(body, agenda)
        if start not in self._known:
            self._known[start] = self._walked(start)
        return self._known[start]

    def _walked(self, start: Spot) -> Transitions:
        """Luck by luck; what has come to the same spot with the same cards drawn is merged."""
        level, whole = {start: {0: 1}}, 1
        finished: list[tuple[int, Body, dict[int, int]]] = []
        while level:
            finished += [(whole, spot.body, counts) for spot, counts in level.items() if not spot.agenda]
            level = {spot: counts for spot, counts in level.items() if spot.agenda}
            common = lcm(*(self._followed(spot)[0] for spot in level))
            whole *= common
            after: _Level = {}
            for spot, counts in level.items():
                shares, moves = self._followed(spot)
                self._budget.spend(len(moves) * len(counts))
                for move in moves:
                    self._moved(spot, move, counts, common // shares, after)
            level = after
        ends: dict[Body, dict[int, int]] = {}
        for part, body, counts in finished:
            sums = ends.setdefault(body, {})
            for drawn, weight in counts.items():
                sums[drawn] = sums.get(drawn, 0) + weight * (whole // part)
        return Transitions(whole, ends)

    def _moved(self, spot: Spot, move: OddsMove, counts: dict[int, int], times: int, after: _Level) -> None:
        """Add what a move makes of the draw counts at a spot to where it leads."""
        times *= move.share
        kind, unit = move.kind, 0
        if kind is not None:
            unit, wound, ways_of = kind.unit, kind.wound or kind, self.classes.ways_of
            counts = {before: weight for before, weight in counts.items() if ways_of(wound, before + unit)}
            if not counts:
                return
            if move.spot is None:
                self._budget.spend(STEP)
                move.spot = self.take(spot, kind)
        assert move.spot
        sums = after.setdefault(move.spot, {})
        for before, weight in counts.items():
            sums[before + unit] = sums.get(before + unit, 0) + weight * times

    def _followed(self, spot: Spot) -> tuple[int, list[OddsMove]]:
        """What may follow a spot, and how many shares that is in all; for cards, one for each way to draw."""
        found = self._moves.get(spot)
        if found is None:
            moves = [*self._answered(spot)]
            shares = 1 if not moves or moves[0].kind else sum(move.share for move in moves)
            found = self._moves[spot] = (shares, moves)
        return found

    def _answered(self, spot: Spot) -> Iterator[OddsMove]:
        task = spot.agenda[0]
        if isinstance(task, ChooseWound):
            for place in self.places(task):
                yield OddsMove(1, None, self.choose(spot, place))
        elif isinstance(task, Pour):
            if self.classes.last:
                yield OddsMove(1, None, self.roll(spot, task.dice.least))
                return
            faces = task.dice.faces**task.dice.count
            for total, chance in task.dice.chances().items():
                yield OddsMove(int(chance * faces), None, self.roll(spot, total))
        else:
            for kind in self._kinds(spot.body, task):
                yield OddsMove(1, kind)

    def _kinds(self, body: Body, task: Task) -> list[Kind]:
        """As little of a card as is asked: its wound, its colour too, or its score too."""
        if not isinstance(task, Hand) or task.score:
            return self.classes.faces
        return self.classes.colours if any(map(self.classes.matters, body.triggers)) else self.classes.wounds

"""Every way in which an event can go, as the engine has it: the ends, and what each tells of the cards drawn.

The engine is asked step by step. What is still to be done is taken task by task, so that a card which makes one draw
more is followed once, whatever else waits; and as death-score and Blood only add up inside an event, every task is
followed from 0. Whoever must choose chooses by `rank_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Literal, NamedTuple

from generator.chance import CardNeed
from generator.engine import counting, harm
from generator.engine.counting import (
    Agenda,
    Blow,
    Body,
    Choose,
    Compare,
    Flow,
    Hand,
    Pour,
    Rules,
    Strike,
    Task,
    Total,
    Trigger,
)
from generator.engine.harm import Event
from generator.errors import HackjackError
from generator.odds.deals import Deals, Lots
from generator.odds.looks import Look, Wound
from generator.odds.seals import Seals
from generator.rules import Draw, Repeat, Whenever

Policy = Literal["best", "worst", "even"]
"""How a player chooses: the lesser wound, the graver one (both by `rank_of`), or each as often as the others."""

SHORT = 24
"""No event draws more cards; where one might, nothing is counted."""
MOST_LOTS = 2_000_000
"""Beyond so many lots an exact answer is refused rather than cut short."""

DEAD = Body(dead=True)
"""All the dead are one: nothing more is asked of them."""


class End(NamedTuple):
    """A body at the end of a task, and what is gone of the wounds that act, packed by `Gone`."""

    body: Body
    gone: int


@dataclass(slots=True)
class Ways:
    """The ends of a task with the lots that lead there. The weights are shares of `whole` for each way to deal."""

    whole: int
    ends: dict[End, Lots]

    def add(self, end: End, lots: Iterable[tuple[int, int]]) -> None:
        """Add lots that lead to an end."""
        sums = self.ends.setdefault(end, {})
        for lot, weight in lots:
            sums[lot] = sums.get(lot, 0) + weight


_DEAD_END = End(DEAD, 0)
_LOST = Ways(1, {_DEAD_END: {0: 1}})
"""Somebody dies: what is drawn after that does not matter."""


class Gone:
    """How many of each wound that draws or repeats have left the deck, packed; it bounds what may still follow."""

    BITS = 4

    def __init__(self, cards: Sequence[Blow], near: Look) -> None:
        acting = [wound for wound in near.wounds if wound.acts]
        self._units = {wound: 1 << self.BITS * at for at, wound in enumerate(acting)}
        self.near, self.cards = near, cards

    def of(self, look: Look) -> Held:
        """The wounds that act under a look."""
        found: dict[int, tuple[int, int]] = {}
        for card in self.cards:
            wound = look.wound(card)
            if wound.acts:
                unit = self._units[self.near.wound(card)]
                found[wound.place] = (unit, found.get(wound.place, (0, 0))[1] + 1)
        return Held(found, look)


class Held:
    """What the deck holds of the wounds that act under a look: by place the unit of each, and how many there are."""

    def __init__(self, wounds: Mapping[int, tuple[int, int]], look: Look) -> None:
        self._wounds = wounds
        self._repeating = [held for place, held in wounds.items() if look.wounds[place].blow.repeats]
        self.mask = sum((1 << Gone.BITS) - 1 << unit.bit_length() - 1 for unit, _ in wounds.values())
        """What is gone of these wounds, and of no others."""

    def gone_with(self, gone: int, wound: Wound) -> int | None:
        """What is gone when a card of that wound is drawn too; None where none is left."""
        if wound.place not in self._wounds:
            return gone
        unit, count = self._wounds[wound.place]
        return gone + unit if _left(gone, unit, count) else None

    def left(self, gone: int) -> dict[int, int]:
        """How many are left of each wound."""
        return {place: _left(gone, unit, count) for place, (unit, count) in self._wounds.items()}

    def repeating(self, gone: int) -> int:
        """The cards left that repeat a wound, in units: what to add to what is gone as if they had left the deck."""
        return sum(unit * _left(gone, unit, count) for unit, count in self._repeating)


def _left(gone: int, unit: int, count: int) -> int:
    return count - gone // unit % (1 << Gone.BITS)


class Answer(NamedTuple):
    """One answer to a need: what follows it, its share, and what it tells of the cards."""

    body: Body
    agenda: Agenda
    gone: int
    share: int = 1
    unit: int = 0


class Paths:
    """The engine under every outcome, cards seen under one look.

    `afar`: the look is the far one of the deals. `with_dead`: whether the ways to die are kept too.
    """

    def __init__(
        self,
        deals: Deals,
        seals: Seals,
        look: Look,
        gone: Gone,
        rules: Rules,
        policy: Policy,
        *,
        afar: bool = False,
        with_dead: bool = False,
    ) -> None:
        self._deals, self._seals, self._look, self._rules, self._policy = deals, seals, look, rules, policy
        self._afar, self._with_dead = afar, with_dead
        # In a short deck it matters who dies before the last card is drawn.
        self.short = deals.cards <= SHORT
        self.free = not rules.every_step
        self._held = gone.of(look)
        self._lots = 0
        self._known: dict[tuple[Body, Agenda, int, bool], tuple[int, Ways]] = {}
        self._wound_blows = {wound.blow: look.wound(wound.card).blow for wound in (*gone.near.wounds, *look.wounds)}
        self._place_of = {wound.blow: wound.place for wound in look.wounds}
        self._faces = [(face, face.wound, self._versions(face.blow, face.wound)) for face in look.faces]
        self._wounds = [(wound, wound, self._versions(wound.blow, wound)) for wound in look.wounds]

    def _versions(self, blow: Blow, wound: Wound) -> dict[bool | None, Blow]:
        """What stands for a card, without and with its colour."""
        versions: dict[bool | None, Blow] = {None: blow, False: replace(blow, red=False), True: replace(blow, red=True)}
        for version in versions.values():
            self._wound_blows[version] = wound.blow
        return versions

    # --- what does not matter --------------------------------------------------------------------------------------

    def tidy(self, body: Body, gone: int, agenda: Agenda = (), awaited: bool = False) -> Body:
        """A body without what cannot matter any more. `awaited`: a card that repeats the last wound is still to act."""
        if body.dead or (self.free and body.score > self._rules.limit):
            return DEAD
        last, bare = body.last, self._look.bare
        if last is not None:
            last = self._wound_of(last) if awaited or self._held.repeating(gone) or awaits_repeat(agenda) else None
        offers = body.offers
        if offers:
            # Only the lowest of each offer will count.
            offers = tuple(((0 if bare else min(blood),) if blood else (), ()) for blood, _ in offers)
        blood = 0 if bare else body.blood
        return body._replace(
            blood=blood, trauma=0, last=last, triggers=still_waiting(body, self._look), offers=offers, wounds=()
        )

    def _wound_of(self, blow: Blow) -> Blow:
        return self._wound_blows.get(blow) or self._look.wound(blow).blow

    def left(self, gone: int, cards: int) -> dict[int, int]:
        """Of so many cards left, how many have each wound that acts, by its place; with -1, all the others."""
        acting = self._held.left(gone)
        return {**acting, -1: cards - sum(acting.values())}

    def _plain(self, task: Task) -> Task:
        """A task without the scores of cards whose score is done with; where the order is all one, in one order."""
        if isinstance(task, Strike):
            return task._replace(blow=self._wound_of(task.blow))
        if isinstance(task, Hand) and task.drawn:
            return task._replace(drawn=self._in_order(task.drawn) if task.choose else self._wounds_of(task.drawn))
        if isinstance(task, Choose):
            return task._replace(cards=self._in_order(task.cards))
        return task

    def _wounds_of(self, blows: tuple[Blow, ...]) -> tuple[Blow, ...]:
        return tuple(map(self._wound_of, blows))

    def _in_order(self, blows: tuple[Blow, ...]) -> tuple[Blow, ...]:
        return tuple(sorted(self._wounds_of(blows), key=self._place_of.__getitem__))

    # --- ways ------------------------------------------------------------------------------------------------------

    def ways(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: bool = False) -> Ways:
        """All ways through an agenda. Where nothing is judged on the way, followed from 0 and added up."""
        gone &= self._held.mask
        if not self.free:
            return self._followed(body, agenda, gone, room, awaited)
        room -= body.score
        if room < 0:
            return _LOST
        # A comparison takes its own offers and hands on to the one below.
        reach = len(body.offers) - 1 - sum(isinstance(task, Compare) for task in agenda)
        below, offers = body.offers[: max(reach, 0)], body.offers[max(reach, 0) :]
        found = self._followed(body._replace(score=0, blood=0, offers=offers), agenda, gone, room, awaited)
        if not (body.score or body.blood or below):
            return found
        added = Ways(found.whole, {})
        for end, lots in found.ends.items():
            grown = end
            if not end.body.dead:
                offers = (*below, *end.body.offers)
                score, blood = body.score + end.body.score, body.blood + end.body.blood
                grown = End(end.body._replace(score=score, blood=blood, offers=offers), end.gone)
            added.ends[grown] = lots
        return added

    def _followed(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: bool) -> Ways:
        """The same, known already where it was asked for with as much room or more."""
        key = (body, agenda, gone, awaited)
        known = self._known.get(key)
        if known is None or known[0] < room or (self.short and known[0] != room):
            ways = self._follow(body, agenda, gone, room, awaited)
            if not self._afar and len(agenda) == 1 and isinstance(agenda[0], Strike) and agenda[0].pools == "direct":
                ways = Ways(ways.whole, {end: self._seals.sealed(lots) for end, lots in ways.ends.items()})
            known = self._known[key] = (room, ways)
            self._lots += sum(map(len, known[1].ends.values()))
            if self._lots > MOST_LOTS:
                raise HackjackError(
                    f"more than {MOST_LOTS:,} ways would have to be counted: ask for fewer hits, or for --simulate N"
                )
        return known[1]

    def _follow(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: bool) -> Ways:
        body, agenda, need = counting.proceed(body, agenda, self._rules)
        body = self.tidy(body, gone, agenda, awaited)
        if body.dead or (self.free and body.score > room):
            return _LOST
        if need is None:
            return Ways(1, {End(body, gone): {0: 1}})
        if len(agenda) > 1:
            return self._task_by_task(body, agenda, gone, room, awaited)
        answers = list(self._answers(body, agenda[0], gone))
        following = [self.ways(answer.body, answer.agenda, answer.gone, room, awaited) for answer in answers]
        common = lcm(*(ways.whole for ways in following)) if following else 1
        shares = 1 if isinstance(need, CardNeed) else sum(answer.share for answer in answers)
        found = Ways(common * shares, {})
        for answer, ways in zip(answers, following, strict=True):
            times = answer.share * (common // ways.whole)
            for end, lots in ways.ends.items():
                kept = self._kept(end, room)
                if kept is not None:
                    found.add(kept, ((lot + answer.unit, weight * times) for lot, weight in lots.items()))
        return found

    def _kept(self, end: End, room: int) -> End | None:
        """An end, if it is asked for. Without room left one dies, whatever is still drawn."""
        if end.body.dead or (self.free and end.body.score > room):
            return _DEAD_END if self._with_dead else None
        return end

    def _task_by_task(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: bool) -> Ways:
        head = self.ways(body, agenda[:1], gone, room, awaited or awaits_repeat(agenda[1:]))
        ends = [(kept, lots) for end, lots in head.ends.items() if (kept := self._kept(end, room))]
        rests = [
            _LOST if end.body.dead else self.ways(end.body, agenda[1:], end.gone, room, awaited) for end, _ in ends
        ]
        common = lcm(*(rest.whole for rest in rests))
        found = Ways(head.whole * common, {})
        for (_, lots), rest in zip(ends, rests, strict=True):
            times = common // rest.whole
            for after, more in rest.ends.items():
                kept = self._kept(after, room)
                if kept is not None:
                    both = self._seals.convolved(lots, more)
                    found.add(kept, ((lot, weight * times) for lot, weight in both.items()))
        return found

    # --- answers ---------------------------------------------------------------------------------------------------

    def _answers(self, body: Body, task: Task, gone: int) -> Iterator[Answer]:
        """Every card, total or choice that may answer a need."""
        agenda = (task,)
        if isinstance(task, Pour):
            yield from rolls(body, task, gone)
        elif isinstance(task, Choose):
            for place in options(task, self._policy):
                after, rest = counting.take_choice(body, agenda, place)
                yield Answer(after, rest, gone)
        else:
            yield from self._cards(body, task, gone)

    def _cards(self, body: Body, task: Task, gone: int) -> Iterator[Answer]:
        """What may be drawn: faces where the score counts, wounds alone where it does not."""
        reds = (False, True) if self._sees_colours(body) else (None,)
        scored = not isinstance(task, Hand) or task.score
        for item, wound, versions in self._faces if scored else self._wounds:
            left = self._held.gone_with(gone, wound)
            if left is None:
                continue
            for red in reds:
                slot = self._deals.slot(item, red, afar=self._afar)
                if slot.cards:
                    after, agenda = counting.take_card(body, (task,), versions[red], self._rules)
                    yield Answer(after, tuple(map(self._plain, agenda)), left, unit=slot.unit)

    def _sees_colours(self, body: Body) -> bool:
        return any(item.event == "red_card" and (item.score or not self._look.bare) for item in body.triggers)


def still_waiting(body: Body, look: Look) -> tuple[Trigger, ...]:
    """What a body waits for that may still come: who is down falls again only after a reset (H30)."""
    if body.hp or body.low:
        return body.triggers
    return tuple(
        item for item in body.triggers if (look.anew or item.event == "red_card") and (item.score or not look.bare)
    )


def rolls(body: Body, task: Pour, gone: int) -> Iterator[Answer]:
    """Every total of dice, in shares of all rolls."""
    whole = task.dice.faces**task.dice.count
    for total, chance in task.dice.chances().items():
        yield Answer(*counting.take_roll(body, (task,), total), gone, int(chance * whole))


def options(task: Choose, policy: Policy) -> Sequence[int]:
    """The places that a player may choose: the cards are in order of rank."""
    if policy == "even":
        return range(len(task.cards))
    return (0,) if policy == "best" else (len(task.cards) - 1,)


def flows(start: Body, event: Event, rules: Rules) -> bool:
    """Whether the Blood of one event flows in the next."""
    return not start.holding and any(isinstance(task, Flow) for task in harm.opening(start, event, rules)[1])


def reds_score(cards: Iterable[Blow], start: Body) -> bool:
    """Whether red cards may add to the death-score itself, not just Blood to the pool."""
    watched = [effect for card in cards for effect in card.counted if isinstance(effect, Whenever)]
    triggers: list[Whenever | Trigger] = [*watched, *start.triggers]
    return any(item.score for item in triggers if item.event == "red_card")


def parted(agenda: Agenda) -> tuple[Agenda, Agenda]:
    """What is done before the reckoning, and from there on."""
    stop = next((at for at, task in enumerate(agenda) if isinstance(task, Total)), len(agenda))
    return agenda[:stop], agenda[stop:]


def most_drawn(cards: Iterable[Blow]) -> tuple[int, int]:
    """How many effects of some cards draw others, and how many cards these draw in all at the worst."""
    draws = [effect for card in cards for effect in card.counted if isinstance(effect, Draw | Repeat)]
    drawn = sum(effect.cards if isinstance(effect, Draw) else effect.draw for effect in draws)
    return len(draws), drawn * (1 + sum(effect.times for effect in draws if isinstance(effect, Repeat)))


def too_many(most: int, what: str) -> HackjackError:
    """The refusal to count more of something than is counted exactly."""
    return HackjackError(
        f"more than {most:,} {what} would have to be counted: ask for fewer hits, or for --simulate N, which plays N "
        "times and says how far off it may be"
    )


def awaits_repeat(agenda: Agenda) -> bool:
    """Whether a card that repeats the last wound has been drawn and not yet applied."""
    for task in agenda:
        if isinstance(task, Strike) and task.blow.repeats:
            return True
        cards = task.drawn if isinstance(task, Hand) else task.cards if isinstance(task, Choose) else ()
        if any(blow.repeats for blow in cards):
            return True
    return False

"""The counting of a hit: draws, death-score, Blood, Trauma and the reckoning at 21 (rulings H7-H9, H11, H15-H21).

A small machine. `Body` is all that the rules look at, an agenda is what is still to be done, and both are values. The
machine runs until it needs luck, then stops and says what it needs; whoever has luck answers and it goes on. The
table answers with real cards, the seed with made-up ones, `odds` with all of them at once: one set of rules for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard, assert_never

from generator.base.cards import is_red
from generator.base.dice import Dice
from generator.games.hackjack import log as said
from generator.model.rules import Again, AnyEffect, Card, Draw, Drawing, Repeat, Spare, System, Whenever
from generator.play.chance import CardNeed, ChoiceNeed, Need, RollNeed

Counted = Drawing | Whenever
"""The effects that touch the count; a Whenever does where it gives score or Blood. The rest is `wounds`."""

Note = Callable[[said.HackjackFact, str], None]
"""Called with what happened, and the ruling that it follows (may be empty)."""


@dataclass(eq=False, slots=True)
class Blow:
    """A card as the count sees it. Compared by identity: one object for each card, or for each class of equal cards."""

    code: str
    score: int
    blood: Dice | None
    trauma: int
    red: bool
    counted: tuple[Counted, ...]
    wounding: bool
    repeats: bool
    spares: bool


class Trigger(NamedTuple):
    """A Whenever in force."""

    event: str
    score: int
    blood: int


class Body(NamedTuple):
    """What the rules look at. `low`: at 0 HP, with the first card of a descent still to come (H6, H30).

    `offers` holds Blood and Trauma that wait to be compared (H16), `wounds` the cards whose other effects follow.
    """

    hp: int = 0
    score: int = 0
    blood: int = 0
    trauma: int = 0
    holding: bool = False
    low: bool = False
    dead: bool = False
    resets: int = 0
    triggers: tuple[Trigger, ...] = ()
    last: Blow | None = None
    offers: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    wounds: tuple[Blow, ...] = ()


@dataclass(frozen=True, slots=True)
class CountingRules:
    """The numbers and switches that the count goes by."""

    limit: int
    massive: int
    instant: int
    every_step: bool
    draws_at_zero: bool
    blank_is_zero: bool
    critical_draw: bool
    critical_above: bool
    miss_draw: bool
    anew: bool
    forgets: bool
    poison_first: bool
    any_damage_flows: bool

    @classmethod
    def of(cls, system: System) -> CountingRules:
        """The rules of a system under its house rules. `massive` is the least damage that is massive (H1).

        A pack that has not got a switch plays by its default. `forgets`: no wound comes before the pile's first (H20).
        """
        numbers, critical = system.harm, system.setting("critical_draw") or "off"
        return cls(
            limit=numbers.limit,
            massive=numbers.massive + (system.setting("massive_damage") != "from_13"),
            instant=numbers.instant,
            every_step=system.setting("twenty_one") == "at_every_step",
            draws_at_zero=system.setting("first_draw") == "at_zero",
            blank_is_zero=system.setting("jack_of_clubs") == "blank_is_zero",
            critical_draw=critical != "off",
            critical_above=critical in ("every_hit", "misses_too"),
            miss_draw=critical == "misses_too",
            anew=system.setting("new_descent") != "from_above",
            forgets=system.setting("six_of_hearts") == "in_pile",
            poison_first=system.setting("poison") == "hp_first",
            any_damage_flows=system.setting("blood_flows") == "any_damage",
        )


def blow_of(card: Card, system: System) -> Blow:
    """A card of the deck as the count sees it."""
    counted = tuple(effect for effect in card.effects if counts(effect))
    return Blow(
        code=card.code,
        score=system.score_of(card),
        blood=card.blood,
        trauma=card.trauma or 0,
        red=is_red(card.code),
        counted=counted,
        wounding=any(not isinstance(effect, Drawing) for effect in card.effects),
        repeats=any(isinstance(effect, Repeat) for effect in counted),
        spares=any(isinstance(effect, Spare) for effect in counted),
    )


def counts(effect: AnyEffect) -> TypeGuard[Counted]:
    """Whether an effect touches the count."""
    return isinstance(effect, Drawing) or (isinstance(effect, Whenever) and bool(effect.blood or effect.score))


# --- what is to be done ----------------------------------------------------------------------------------------------


class Flow(NamedTuple):
    """The Blood pool moves into the death-score, unless it is held (H7.1, H9)."""


class Deal(NamedTuple):
    """A hit draws its card. `massive` takes the place of the card's score (H2, H3); `bonus` is the Queen of clubs'."""

    massive: int | None = None
    bonus: int = 0


class Hand(NamedTuple):
    """A card makes you draw more cards: `drawn` so far."""

    cards: int
    score: bool
    choose: bool
    pools: str
    outer: str
    compares: bool = False
    times: int = 1
    drawn: tuple[Blow, ...] = ()


class ChooseWound(NamedTuple):
    """The player chooses whose wound to take (H15)."""

    cards: tuple[Blow, ...]
    pools: str


class Strike(NamedTuple):
    """A card's wound is applied. `pools` says where its Blood and Trauma go: direct, none or compared."""

    blow: Blow
    pools: str


class Pour(NamedTuple):
    """Blood by dice."""

    dice: Dice
    pools: str
    code: str


class Compare(NamedTuple):
    """The lowest of the Blood and of the Trauma offered counts (H16)."""

    outer: str


class Total(NamedTuple):
    """The reckoning: over the limit is death, exactly on it starts anew (H7.3, H8)."""


class Join(NamedTuple):
    """Blood that joins the pool once the hit is totalled (H18)."""

    blood: int


Task = Flow | Deal | Hand | ChooseWound | Strike | Pour | Compare | Total | Join
Agenda = tuple[Task, ...]


def silent(fact: said.HackjackFact, why: str) -> None:
    """Notes nothing: for counting odds."""
    del fact, why


def proceed(body: Body, agenda: Agenda, rules: CountingRules, note: Note = silent) -> tuple[Body, Agenda, Need | None]:
    """Do what can be done without luck. Gives the need where it stopped, or None when nothing is left to do."""
    while agenda:
        task, rest = agenda[0], agenda[1:]
        match task:
            case Deal() | Hand():
                return body, agenda, CardNeed()
            case Pour():
                return body, agenda, RollNeed(task.dice, f"Blood of {task.code}")
            case ChooseWound():
                return body, agenda, ChoiceNeed(tuple(blow.code for blow in task.cards))
            case Flow():
                body = flow(body, rules, note)
            case Strike():
                body, rest = _strike(body, task, rest, note)
            case Compare():
                body = _compare(body, task, note)
            case Total():
                body = _judge(body, rules, note)
            case Join():
                note(said.Join(task.blood), "H18")
                body = body._replace(blood=body.blood + task.blood)
        agenda = () if body.dead else rest
    return body, (), None


def take_card(body: Body, agenda: Agenda, blow: Blow, rules: CountingRules, note: Note = silent) -> tuple[Body, Agenda]:
    """Answer a CardNeed."""
    task, rest = agenda[0], agenda[1:]
    body = _red_card(body, blow, note)
    if isinstance(task, Deal):
        body = body._replace(low=False)
        if blow.spares:
            note(said.Spare(blow.code), "H24")
            return body, rest
        points = blow.score + task.bonus if task.massive is None else task.massive
        why = "H2" if task.massive is not None else "H17" if task.bonus else ""
        body = _gain(body, blow, points, why, rules, note)
        return body, () if body.dead else (Strike(blow, "direct"), *rest)
    if not isinstance(task, Hand):
        raise TypeError(f"{type(task).__name__} takes no card")
    if task.score and not blow.spares:
        body = _gain(body, blow, blow.score, "", rules, note)
        if body.dead:
            return body, ()
    hand = task._replace(drawn=(*task.drawn, blow))
    return (body, (hand, *rest)) if len(hand.drawn) < hand.cards else _play(body, hand, rest, rules)


def take_roll(body: Body, agenda: Agenda, total: int, note: Note = silent) -> tuple[Body, Agenda]:
    """Answer a RollNeed with the dice's total."""
    task = agenda[0]
    if not isinstance(task, Pour):
        raise TypeError(f"{type(task).__name__} takes no roll")
    return _pour(body, total, task.pools, task.code, note), agenda[1:]


def take_choice(body: Body, agenda: Agenda, place: int, note: Note = silent) -> tuple[Body, Agenda]:
    """Answer a ChoiceNeed with the place of the option, from 0."""
    task = agenda[0]
    if not isinstance(task, ChooseWound):
        raise TypeError(f"{type(task).__name__} takes no choice")
    chosen = task.cards[place]
    note(said.Choose(chosen.code), "H15")
    return body, (Strike(chosen, task.pools), *agenda[1:])


# --- how it is done --------------------------------------------------------------------------------------------------


def flow(body: Body, rules: CountingRules, note: Note) -> Body:
    """The Blood pool moves into the death-score, unless it is held."""
    if body.holding and body.blood:
        note(said.Held(body.blood), "H10")
    if body.holding or not body.blood:
        return body
    note(said.Flow(body.blood, body.score + body.blood), "H7")
    body = body._replace(score=body.score + body.blood, blood=0)
    return _judge(body, rules, note) if rules.every_step else body


def _gain(body: Body, blow: Blow, points: int, why: str, rules: CountingRules, note: Note) -> Body:
    """Death-score from a card; `points` beyond the card's own score are tokens."""
    note(said.Score(blow.code, points, min(points, blow.score), body.score + points), why)
    body = body._replace(score=body.score + points, low=False)
    return _judge(body, rules, note) if rules.every_step else body


def _red_card(body: Body, blow: Blow, note: Note) -> Body:
    """The Ten of hearts counts red cards drawn by any effect (H21)."""
    note(said.Draw(blow.code), "")
    if not blow.red or not body.triggers:
        return body
    waited = [trigger for trigger in body.triggers if trigger.event == "red_card"]
    blood, score = sum(trigger.blood for trigger in waited), sum(trigger.score for trigger in waited)
    if not blood and not score:
        return body
    note(said.RedCard(blood, score), "H21")
    return body._replace(blood=body.blood + blood, score=body.score + score)


def _strike(body: Body, task: Strike, rest: Agenda, note: Note) -> tuple[Body, Agenda]:
    blow = task.blow
    if blow.spares:
        note(said.Spare(blow.code), "H24")
        return body, rest
    tasks: list[Task] = []
    if blow.blood is not None:
        if blow.blood.is_number:
            body = _pour(body, blow.blood.plus, task.pools, blow.code, note)
        elif task.pools != "none":
            tasks.append(Pour(blow.blood, task.pools, blow.code))
    if blow.trauma:
        body = _hurt(body, blow.trauma, task.pools, note)
    for effect in blow.counted:
        match effect:
            case Whenever():
                trigger = Trigger(effect.event, effect.score or 0, effect.blood or 0)
                body = body._replace(triggers=tuple(sorted((*body.triggers, trigger))))
            case Draw():
                tasks.append(_draw_more(effect, task.pools))
            case Repeat():
                tasks.append(_repeat(body, effect, task.pools, note))
            case Spare() | Again():
                pass
            case _:
                assert_never(effect)
    # A repeating card leaves the wound that it repeated as the last one, so that repeats cannot chase each other.
    last = body.last if blow.repeats else blow
    wounds = (*body.wounds, blow) if blow.wounding else body.wounds
    return body._replace(last=last, wounds=wounds), (*tasks, *rest)


def _draw_more(effect: Draw, outer: str) -> Hand:
    """The scores of the cards are this card's to give; their Blood and Trauma can only go where its own would (H19)."""
    pools = {"all": outer, "none": "none", "lowest": "compared"}[effect.pools] if outer != "none" else "none"
    compares = pools == "compared" and effect.pools == "lowest"
    return Hand(effect.cards, effect.score, effect.keep == "choose_one", pools, outer, compares)


def _repeat(body: Body, effect: Repeat, pools: str, note: Note) -> Task:
    """The last wound again; with none, draw for one, whose score counts once (H20)."""
    if body.last is None:
        return Hand(effect.draw, True, False, pools, pools, times=effect.times)
    note(said.Repeat(body.last.code), "H20")
    return Strike(body.last, pools)


def _play(body: Body, hand: Hand, rest: Agenda, rules: CountingRules) -> tuple[Body, Agenda]:
    """All cards of a hand are drawn: their wounds follow."""
    if hand.choose:
        return body, (ChooseWound(hand.drawn, hand.pools), *rest)
    strikes = tuple(Strike(blow, hand.pools) for blow in hand.drawn for _ in range(hand.times))
    if not hand.compares:
        return body, (*strikes, *rest)
    return _opened(body, hand, rules), (*strikes, Compare(hand.outer), *rest)


def _opened(body: Body, hand: Hand, rules: CountingRules) -> Body:
    """A new comparison. Under the other reading of H16 a card without Blood or Trauma offers 0."""
    blank = hand.drawn if rules.blank_is_zero else ()
    blood = tuple(0 for blow in blank if blow.blood is None)
    trauma = tuple(0 for blow in blank if not blow.trauma)
    return body._replace(offers=(*body.offers, (blood, trauma)))


def _compare(body: Body, task: Compare, note: Note) -> Body:
    blood, trauma = body.offers[-1]
    body = body._replace(offers=body.offers[:-1])
    if blood:
        body = _pour(body, min(blood), task.outer, "", note)
    return _hurt(body, min(trauma), task.outer, note) if trauma else body


def _pour(body: Body, blood: int, pools: str, code: str, note: Note) -> Body:
    if pools == "compared":
        offered, trauma = body.offers[-1]
        return body._replace(offers=(*body.offers[:-1], ((*offered, blood), trauma)))
    if pools == "none" or not blood:
        return body
    note(said.Blood(blood, code, body.blood + blood), "")
    return body._replace(blood=body.blood + blood)


def _hurt(body: Body, trauma: int, pools: str, note: Note) -> Body:
    """The highest Trauma counts (H11)."""
    if pools == "compared":
        blood, offered = body.offers[-1]
        return body._replace(offers=(*body.offers[:-1], (blood, (*offered, trauma))))
    if pools == "none" or trauma <= body.trauma:
        return body
    note(said.Trauma(trauma), "H11")
    return body._replace(trauma=trauma)


def _judge(body: Body, rules: CountingRules, note: Note) -> Body:
    if body.score > rules.limit:
        note(said.Death(body.score, rules.limit), "")
        return body._replace(dead=True)
    if body.score == rules.limit:
        note(said.Reset(rules.limit), "H8")
        low = body.low or (rules.anew and not body.hp)
        last = None if rules.forgets else body.last
        return body._replace(score=0, resets=body.resets + 1, low=low, last=last)
    return body

"""Hackjack at the table: states, events, and one step from a state to the next (rulings H1-H35)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from generator.base.cards import ALL_CODES, FULL_DECK, CardName, is_code, meant_card
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MAX_HELD, Amount, AtLeastOne
from generator.games.hackjack import counting
from generator.games.hackjack import log as said
from generator.games.hackjack.counting import (
    Agenda,
    Blow,
    Body,
    CountingRules,
    Deal,
    Flow,
    Join,
    Total,
    Trigger,
    counts,
)
from generator.games.hackjack.events import EVENTS, MAX_AMOUNT
from generator.games.hackjack.lines import wound_line
from generator.model.log import Entry, Log
from generator.model.rules import (
    ENDED_BY_GM,
    LASTING,
    Card,
    Check,
    Deck,
    Peek,
    System,
    Until,
    Whenever,
    plain_value,
    walk_effects,
)
from generator.play.apply_effects import BroughtWound, Hurt, apply_effects, passes_check
from generator.play.chance import CardNeed, Chance, ChoiceNeed, Given, RollNeed, log_in_reach
from generator.play.event_spec import Readers, read_values
from generator.play.log import Peek as Peeked
from generator.play.log import WoundFact as WoundFact
from generator.play.state_reading import read_struct
from generator.words.wording import lowered_clause

MAX_HP = "max_hp"
"""The statistic that healing goes by."""


class HeldWound(Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the pile with the score that it still counts."""

    card: CardName
    score: int


class HarmState(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One character. `low`, `last` and `max_hp` are there only when the rest does not tell them.

    `low`: at 0 HP with no card drawn since, so that the next card is the first of a descent (H6, H17, H30). `last`: the
    card whose wound a Six of hearts repeats, when it is not the newest of the pile (H20). `max_hp`: the most HP of the
    unhurt character, where the table has named it (H34). `recovery`: None, dice still to be rolled such as `2d6 weeks`,
    or what is left of the recovery time: `7 weeks` (H14).
    """

    hp: Annotated[Amount, Meta(description="a death-score stands for negative HP")] = 0
    score: Amount = 0
    tokens: Amount = 0
    blood: Amount = 0
    trauma: Amount = 0
    pile: tuple[HeldWound, ...] = ()
    wounds: tuple[BroughtWound, ...] = ()
    permanent: tuple[BroughtWound, ...] = ()
    holding: bool = False
    dead: bool = False
    drawn: tuple[CardName, ...] = ()
    recovery: Until | None = None
    low: bool = False
    last: str | None = None
    max_hp: AtLeastOne | None = None


class HarmEvent(Struct, frozen=True):
    """What happens to a character: a name, and a number or a word where the event takes one."""

    name: str
    amount: int = 0
    word: str = ""

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.name, self.amount, self.word) if part)


def read_event(words: Sequence[str], at: Mapping[str, str] | None = None) -> HarmEvent:
    """An event as typed: `hit 9`, `heal 4`, `rest comfort`, `check 2C`. Raises UsageError."""
    return HarmEvent(words[0] if words else "", **read_values(EVENTS, words, at or {}, READERS))


def _hit_die(what: str, written: str) -> str:
    """The class's hit die. Raises UsageError for anything else."""
    word = written.lower()
    try:
        die = Dice.parse(word)
    except ValueError as error:
        raise UsageError(f"{what} needs the class's hit die, such as act d8: {error}") from error
    if die.count != 1 or die.plus:
        raise UsageError(f'{what} needs the class\'s hit die, such as act d8, not "{word}"')
    return word


READERS: Readers = {"hit_die": _hit_die}


# --- states ----------------------------------------------------------------------------------------------------------


def read_state(value: Any, system: System) -> HarmState:
    """A state as plain data, put in order: tokens carry what the pile does not. Raises HackjackError."""
    state = read_struct(value, HarmState, "a fresh character at 0 HP", _expanded)
    return _consistent(state, value, system)


def _expanded(value: dict[str, Any]) -> dict[str, Any]:
    """A permanent wound may be given by its card's code alone."""
    expanded = dict(value)
    for key in ("wounds", "permanent"):
        if isinstance(value.get(key), list):
            expanded[key] = [{"card": item} if isinstance(item, str) else item for item in value[key]]
    return expanded


def _consistent(state: HarmState, given: dict[str, Any], system: System) -> HarmState:
    pile = [held.card for held in state.pile]
    mentioned = [*pile, *state.drawn, *(wound.card for wound in (*state.wounds, *state.permanent))]
    for code in (*mentioned, *([state.last] if state.last else [])):
        if not is_code(code) or code not in system.cards:
            raise HackjackError(f'the state names an unknown card "{code[:20]}"{meant_card(code)}')
    for where, codes in (("pile", pile), ("drawn", list(state.drawn))):
        if twice := next((code for code in codes if codes.count(code) > 1), None):
            raise HackjackError(f"the state's {where} holds {twice} twice")
    if "drawn" in given and (stray := next((code for code in pile if code not in state.drawn), None)):
        message = f"invalid state: {stray} is in the pile and in the deck too"
        raise HackjackError(f"{message}; add it to drawn")
    if state.low and state.hp:
        raise HackjackError(f"invalid state: low is for exactly 0 HP, and its hp is {state.hp}")
    if state.hp > (most := most_hp(state)):
        raise HackjackError(f"invalid state: its hp is {state.hp}, but the maximum is {most}")
    if state.recovery is not None and state.recovery.amount is None:
        raise HackjackError(f'the state\'s recovery is "{state.recovery}": write a span such as 2d6 weeks or 7 weeks')
    # What somebody holds is out of the deck (H29), unless the state says itself what is: a card of an old wound may be
    # drawn again from a deck that was shuffled whole.
    held = pile if "drawn" in given else mentioned
    drawn = (*state.drawn, *(code for code in dict.fromkeys(held) if code not in state.drawn))
    return _counted(msgspec.structs.replace(state, drawn=drawn), given, system)


def _counted(state: HarmState, given: dict[str, Any], system: System) -> HarmState:
    """Score, pile and tokens must add up; what is not given follows from the rest."""
    for held in state.pile:
        if not 0 <= held.score <= MAX_HELD:
            raise HackjackError(f"the state's pile counts {held.score} for {held.card}: write 0 or more")
    carried = sum(held.score for held in state.pile)
    score = state.score if "score" in given else carried + state.tokens
    if score < carried:
        raise HackjackError(f"invalid state: its pile counts {carried}, but its score is {score}")
    if "tokens" in given and state.tokens != score - carried:
        raise HackjackError(f"invalid state: pile {carried} and tokens {state.tokens} do not make a score of {score}")
    limit = system.harm.limit
    if score >= limit and not state.dead:
        raise HackjackError(f"invalid state: nobody lives with a death-score of {score} (limit {limit})")
    return msgspec.structs.replace(state, score=score, tokens=score - carried)


def most_hp(state: HarmState) -> int:
    """How many HP a character can have: `max_hp`, less what wounds take off it (H34); no limit where none is named."""
    if state.max_hp is None:
        return MAX_HELD
    less = 0
    for wound in (*state.wounds, *state.permanent):
        if MAX_HP in wound.to and wound.begins is None:
            each = wound.by if len(wound.by) > 1 else wound.by * len(wound.to)
            less += max(dict(zip(wound.to, each, strict=False)).get(MAX_HP, 0), 0)
    return max(state.max_hp - less, 1)


def plain_state(state: HarmState) -> dict[str, Any]:
    """The state as plain data; `low`, `last` and `max_hp` only where they say something."""
    value: dict[str, Any] = plain_value(state)
    needless = {"low": False, "last": None, "max_hp": None}
    return {key: held for key, held in value.items() if key not in needless or held != needless[key]}


def deck_of(system: System) -> tuple[str, ...]:
    """The codes of a full deck under the rules in force (H24)."""
    codes = ALL_CODES if system.setting("jokers") == "lucky_break" else FULL_DECK
    return tuple(code for code in codes if code in system.cards)


def triggers_of(wounds: Iterable[BroughtWound], system: System) -> Iterator[Trigger]:
    """The triggers that a character's wounds keep in force: one for each, in the order of the card."""
    seen: Counter[tuple[str, Until]] = Counter()
    for wound in wounds:
        if wound.effect not in ("", "whenever"):
            continue
        all_of_it = [effect for effect in system.cards[wound.card].effects if isinstance(effect, Whenever)]
        if wound.effect == "whenever":
            alike = [effect for effect in all_of_it if effect.until == wound.until] or all_of_it
            place = seen[wound.card, wound.until] % len(alike) if alike else 0
            seen[wound.card, wound.until] += 1
            all_of_it = alike[place : place + 1]
        for effect in all_of_it:
            if counts(effect):
                yield Trigger(effect.event, effect.score or 0, effect.blood or 0)


def body_of(state: HarmState, system: System) -> Body:
    """What the count looks at in a state."""
    blows = blows_of(system)
    last = _last(state, system)
    return Body(
        hp=state.hp,
        score=state.score,
        blood=state.blood,
        trauma=state.trauma,
        holding=state.holding,
        low=state.low,
        triggers=tuple(sorted(triggers_of((*state.wounds, *state.permanent), system))),
        last=blows[last] if last else None,
    )


def _last(state: HarmState, system: System) -> str | None:
    """The card whose wound came last; one that only repeats or spares brings none of its own (H20)."""
    blows = blows_of(system)
    named = (state.last or "", *(held.card for held in reversed(state.pile)))
    return next((code for code in named if code and not blows[code].repeats and not blows[code].spares), None)


_blows: dict[int, tuple[System, dict[str, Blow]]] = {}


def blows_of(system: System) -> dict[str, Blow]:
    """Every card of a system as the count sees it, by code; the same objects each time."""
    known = _blows.get(id(system))
    if known is None or known[0] is not system:
        blows = {code: counting.blow_of(card, system) for code, card in system.cards.items()}
        known = _blows[id(system)] = (system, blows)
        while len(_blows) > 16:
            _blows.pop(next(iter(_blows)))
    return known[1]


# --- one step --------------------------------------------------------------------------------------------------------


def step(
    system: System, state: HarmState, event: HarmEvent, chance: Chance, held: Collection[str] | None = None
) -> tuple[HarmState, Log]:
    """One event. `held` are the cards that living characters hold, where more than this one play (H29).

    Raises HackjackError for an event that cannot happen (to the incapable: H43), NeedsError when luck is missing.
    """
    if state.dead:
        raise HackjackError("the character is dead: nothing more happens to them")
    for wound in state.wounds + state.permanent if event.name in _DOING else ():
        if wound.effect in system.harm.incapable:
            name, says = system.cards[wound.card].name, wound_line(plain_value(wound), system)
            raise HackjackError(f"{event.name} is impossible with {name} ({wound.card}): {lowered_clause(says)}")
    table = _Table(system, state, chance, held)
    simple = _SIMPLE.get(event.name)
    with log_in_reach(table.log):
        if simple:
            simple(table, event)
        else:
            table.count(event)
    return table.state, tuple(table.log)


def opening(
    body: Body, event: HarmEvent, rules: CountingRules, note: counting.Note = counting.silent
) -> tuple[Body, Agenda]:
    """How an event begins in the count: HP, and what is to be done."""
    match event.name:
        case "draw" if event.word == "miss" and not rules.miss_draw:
            note(said.HarmPlainFact.NO_DRAW, "H27")
            return body, ()
        case "draw":
            return body, _draws(body, None, body.low)
        case "poison" | "drain":
            return _struck(body, event, rules, note)
        case "bleed":
            note(said.Bleed(event.amount, body.blood + event.amount), "H25")
            return body._replace(blood=body.blood + event.amount), ()
    return _hit(body, event, rules, note)


def _struck(body: Body, event: HarmEvent, rules: CountingRules, note: counting.Note) -> tuple[Body, Agenda]:
    """Poison and direct attacks: death-score without a card (H25, H26, H33)."""
    if rules.any_damage_flows:
        body = counting.flow(body, rules, note)
        if body.dead:
            return body, ()
    points, why = event.amount, "H25" if event.name == "poison" else "H26"
    if event.name == "poison" and rules.poison_first and body.hp:
        lost = min(points, body.hp)
        points -= lost
        body = body._replace(hp=body.hp - lost, low=lost == body.hp)
        note(said.PoisonHp(lost, body.hp), why)
    if points:
        body = body._replace(score=body.score + points)
        note((said.Poison if event.name == "poison" else said.Drain)(points, body.score), why)
    return body, (Total(),)


def _hit(body: Body, event: HarmEvent, rules: CountingRules, note: counting.Note) -> tuple[Body, Agenda]:
    damage, left = event.amount, body.hp - event.amount
    more = (Deal(),) if event.word == "critical" and rules.critical_draw else ()
    note(said.Hit(damage, max(left, 0)), "")
    if body.hp <= 0:
        massive = damage if damage >= rules.massive else None
        if massive is not None:
            note(said.Massive(damage), "H2")
        return body, (Flow(), *_draws(body, massive, body.low, more))
    body = body._replace(hp=max(left, 0))
    if left > 0 or (left == 0 and not rules.draws_at_zero):
        if left == 0:
            note(said.HarmPlainFact.AT_ZERO, "H6")
            body = body._replace(low=True)
        return body, (Flow(), *(_draws(body, None, body.low) if more and rules.critical_above else (Total(),)))
    if -left > rules.instant:
        note(said.Outright(-left), "H4")
        return body._replace(dead=True), ()
    note(said.Enters(-left), "H5" if -left < rules.massive else "H3")
    return body, (Flow(), *_draws(body, -left if -left >= rules.massive else None, True, more))


def _draws(body: Body, massive: int | None, first: bool, more: Agenda = ()) -> Agenda:
    """The draw of a hit, the reckoning, and the Blood of old wounds that joins the pool after it (H17, H18).

    `first`: the character goes down with this draw; where one draws at exactly 0, that is down already (H6). `more`:
    what a critical hit draws besides (H27).
    """
    waited = [trigger for trigger in body.triggers if first and trigger.event in ("first_card", "below_zero")]
    bonus, blood = sum(trigger.score for trigger in waited), sum(trigger.blood for trigger in waited)
    return (Deal(massive, bonus), *more, Total(), *((Join(blood),) if blood else ()))


class _Table:
    """One step in the making: the state so far, its log, and the luck that is asked."""

    def __init__(self, system: System, state: HarmState, chance: Chance, held: Collection[str] | None) -> None:
        self.system, self.state, self.chance = system, state, chance
        self.held = held
        self.log: list[Entry[said.HackjackFact]] = []

    def note(self, fact: said.HackjackFact, why: str = "", /) -> None:
        """Add an entry and let the pile follow it: it carries what the cards score, tokens carry the rest."""
        self.log.append(Entry(fact, why))
        match fact:
            case said.Score(card, points, carried):
                pile = (*self.state.pile, HeldWound(card, carried))
                self.change(pile=pile, tokens=self.state.tokens + points - carried)
            case said.Reset():
                self.change(pile=(), tokens=0)
            case said.Flow(more, _) | said.Poison(more, _) | said.Drain(more, _) | said.RedCard(_, more):
                self.change(tokens=self.state.tokens + more)
            case _:
                pass

    def change(self, **values: Any) -> None:
        """Change the state."""
        self.state = msgspec.structs.replace(self.state, **values)

    def count(self, event: HarmEvent) -> None:
        """An event that touches the count."""
        rules = CountingRules.of(self.system)
        body, agenda = opening(body_of(self.state, self.system), event, rules, self.note)
        turn = len(agenda)
        if self.system.setting("wound_rolls") == "before_the_total":
            turn = next((at for at, task in enumerate(agenda) if isinstance(task, Total)), turn)
        body = self._counted(body, agenda[:turn], rules)
        # Whom the total will kill lives no longer: their wounds do nothing.
        if not body.dead and body.score <= rules.limit:
            for blow in body.wounds:
                apply_effects(self, self.system.cards[blow.code].effects, blow.code)
            # A wound that lowers maximum HP may have taken some (H34).
            body = body._replace(hp=self.state.hp)
        self._counted(body, agenda[turn:], rules)

    def _counted(self, body: Body, agenda: Agenda, rules: CountingRules) -> Body:
        """Go through a part of the count, with the luck that it asks for, and put it into the state."""
        blows = blows_of(self.system)
        body, agenda, need = counting.proceed(body, agenda, rules, self.note)
        while need is not None:
            match need:
                case CardNeed():
                    blow = blows[self._draw()]
                    body, agenda = counting.take_card(body, agenda, blow, rules, self.note)
                case RollNeed():
                    body, agenda = counting.take_roll(body, agenda, self.roll(need.dice, need.reason), self.note)
                case ChoiceNeed():
                    body, agenda = counting.take_choice(body, agenda, self.chance.choose(need), self.note)
            body, agenda, need = counting.proceed(body, agenda, rules, self.note)
        self._settle(body)
        return body

    def _settle(self, body: Body) -> None:
        """Put what was counted into the state."""
        newest = self.state.pile[-1].card if self.state.pile else None
        last = body.last.code if body.last else None
        self.change(
            hp=body.hp,
            score=body.score,
            blood=body.blood,
            trauma=body.trauma,
            dead=body.dead,
            low=body.low,
            last=None if last == newest else last,
            recovery=self.state.recovery if body.trauma == self.state.trauma else None,
        )

    def left(self) -> list[str]:
        """The cards in the deck."""
        drawn = set(self.state.drawn)
        return [code for code in deck_of(self.system) if code not in drawn]

    def _draw(self) -> str:
        left = self.left()
        if not left:
            self._reshuffle()
            left = self.left()
        code = self.chance.card(left)
        self.change(drawn=(*self.state.drawn, code))
        return code

    def _reshuffle(self) -> None:
        """An empty deck takes back what nobody living holds (H29)."""
        held = {card.card for card in self.state.pile} | set(self.held or ())
        held |= {wound.card for wound in (*self.state.wounds, *self.state.permanent)}
        held |= {entry.fact.card for entry in self.log if isinstance(entry.fact, said.Draw)}
        kept = tuple(code for code in self.state.drawn if code in held)
        if held.issuperset(deck_of(self.system)):
            raise HackjackError("the deck is empty and living characters hold every card: heal somebody first")
        self.note(said.Reshuffle(len(self.state.drawn) - len(kept)), "H29")
        self.change(drawn=kept)

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice; a plain number needs no luck."""
        if dice.is_number:
            return dice.plus
        return sum(self.chance.roll(RollNeed(dice, reason))) + dice.plus

    def roll_or_wait(self, dice: Dice, reason: str) -> int | None:
        """The same, but None where nobody rolls now."""
        if dice.is_number:
            return dice.plus
        faces = self.chance.roll(RollNeed(dice, reason, can_wait=True))
        return sum(faces) + dice.plus if faces else None

    def span(self, dice: Dice, reason: str) -> int:
        """Roll for how long something lasts."""
        return self.roll(dice, reason)

    def peek(self) -> str | None:
        """The next card, where it can be seen."""
        left = self.left()
        return self.chance.peek(left) if left else None

    def value(self, name: str) -> int:
        """The death-score, which checks are rolled over. Raises HackjackError for a number that nobody keeps."""
        if name != "score":
            raise HackjackError(f"{self.system.head.id} has no number {name} for a character")
        return self.state.score

    def mends(self) -> bool:
        """Whether Trauma makes a recovery follow."""
        return self.state.trauma > 0

    def side(self, part: str) -> str:
        """Cards that ask for a side roll for it themselves."""
        return self.system.head.parts[part].name

    def grips(self) -> bool:
        """What falls, falls."""
        return False

    def keep(self, wound: BroughtWound) -> None:
        """A wound joins those that pass, or those that do not."""
        if wound.until.word == "permanent":
            self.change(permanent=(*self.state.permanent, wound))
        else:
            self.change(wounds=(*self.state.wounds, wound))
        most = most_hp(self.state)
        if MAX_HP in wound.to and self.state.max_hp is not None:
            self.change(hp=min(self.state.hp, most))
            self.note(said.MostHp(most), "H34")

    def delay(self, condition: str, until: Until) -> None:
        """Cards strike at once."""
        raise HackjackError(f"a card cannot bring {condition} after {until}: it strikes at once")

    def cure(self, condition: str) -> None:
        """A wound of that condition is gone."""
        self.change(wounds=tuple(wound for wound in self.state.wounds if wound.effect != condition))

    def owe(self, condition: str, hurt: Hurt) -> None:
        """Cards ask for checks, not for saves."""
        raise HackjackError(f"{condition} asks for a save{hurt.place and ' for the '}{hurt.place}: write a check")


# --- the events that do not count ------------------------------------------------------------------------------------


def _heal(table: _Table, event: HarmEvent) -> None:
    """The pool, then tokens, then cards from the newest, then HP as far as they go (H12, H34)."""
    state, left, rules = table.state, event.amount, CountingRules.of(table.system)
    blood = min(left, state.blood)
    if blood:
        table.note(said.HealBlood(blood, state.blood - blood), "H12")
    left -= blood
    healed = min(left, state.score)
    pile, tokens = list(state.pile), state.tokens
    peel = healed - min(healed, tokens)
    tokens -= healed - peel
    while peel:
        card = pile.pop()
        tokens += max(card.score - peel, 0)
        peel -= min(card.score, peel)
    score = state.score - healed
    if healed:
        table.note(said.HealScore(healed, score), "H12")
    left -= healed
    gained = min(left, most_hp(state) - state.hp)
    hp = state.hp + gained
    if gained:
        table.note(said.HealHp(gained, hp), "H12")
    if left > gained:
        table.note(said.Full(hp), "H34")
    newest = None if rules.forgets and not pile else _last(state, table.system)
    table.change(
        hp=hp,
        score=score,
        tokens=tokens,
        blood=state.blood - blood,
        pile=tuple(pile),
        last=None if pile and pile[-1].card == newest else newest,
        low=not hp and (state.low or (rules.anew and not score)),
    )
    if hp >= 1:
        _set_recovery(table)


def _set_recovery(table: _Table, *, wait: bool = True) -> Until | None:
    """The recovery time, rolled where it has not been and the dice are there (H13, H14); None without Trauma.

    `wait`: where nobody rolls now, the state keeps the dice.
    """
    state, recovery = table.state, table.system.table("recovery")
    row = recovery.row(state.trauma) if recovery and state.trauma else None
    if row is None or row.lasts is None or row.lasts.amount is None:
        return None
    known = state.recovery
    if known is None or known.amount is None or not known.amount.is_number:
        dice, reason = row.lasts.amount, f"recovery, {row.lasts.word}s"
        rolled = table.roll_or_wait(dice, reason) if wait else table.roll(dice, reason)
        known = row.lasts if rolled is None else Until.span(rolled, row.lasts.word)
    if wait and known != state.recovery:
        table.note(said.Recovery(str(known), state.trauma, row.reconstructed), "H14")
    table.change(recovery=known)
    return known


def _hold(table: _Table, event: HarmEvent) -> None:
    table.note(said.HarmPlainFact.HOLD if event.name == "hold" else said.HarmPlainFact.RELEASE, "H10")
    table.change(holding=event.name == "hold")


def _rest(table: _Table, event: HarmEvent) -> None:
    """A night: some wounds pass, and the recovery time is known (H14, H31)."""
    hours = table.system.harm.rest_hours
    table.note(said.Rest(hours, bool(event.word)), "H14")
    _sleep(table, ("rest", "good_rest") if event.word else ("rest",))
    if _time_ends(table):
        _run_down(table, hours, "hour")
    _set_recovery(table)


_UNENDING = ("now", "rest", "good_rest", "recovery", "permanent", "gm", "eases", "same")
_SHORT = tuple(word for word in LASTING if word not in _UNENDING)
"""What a single deed ends, so that a night ends it too (H31)."""


def _time_ends(table: _Table) -> bool:
    return table.system.setting("short_wounds") != "when_told"


def _sleep(table: _Table, words: tuple[str, ...]) -> None:
    """A night at the least: nobody holds on, and what is shorter is over."""
    _let_go(table)
    _end(table, (*words, *(_SHORT if _time_ends(table) else ())))


def _let_go(table: _Table) -> None:
    """Holding is for a round: any time that passes ends it (H10)."""
    if table.state.holding and table.system.setting("holding") != "released":
        table.note(said.HarmPlainFact.LAPSES, "H10")
        table.change(holding=False)


def _end(table: _Table, words: Collection[str]) -> None:
    _pass_by(table, lambda wound: None if wound.until.word in words else wound)


def _pass_by(table: _Table, after: Callable[[BroughtWound], BroughtWound | None]) -> None:
    """What becomes of each wound that does not stay for good: None where it is over."""
    told = [(wound, after(wound)) for wound in table.state.wounds]
    for wound, left in told:
        if left is None:
            table.note(said.Ends(wound.card, wound.effect), "H23")
    table.change(wounds=tuple(left for _, left in told if left is not None))


def _run_down(table: _Table, amount: int, unit: str) -> None:
    """So much time passes: spans are shorter by it, or over (H31)."""

    def left(wound: BroughtWound) -> BroughtWound | None:
        until = wound.until
        if until.amount is None:
            return wound
        # The engine rolls spans when they are received; who types a state may not have.
        rolled = Until.span(table.roll(until.amount, f"{wound.card}: {until.word}s"), until.word)
        rest = rolled.less(amount, unit)
        return None if rest is None else msgspec.structs.replace(wound, until=rest)

    _pass_by(table, left)


def _pass(table: _Table, event: HarmEvent) -> None:
    """Time passes (H10, H14, H31); a day or a week has its nights."""
    unit, amount = event.name, event.amount
    table.note(said.Passes(amount, unit), "H31")
    if unit in ("round", "hour"):
        _let_go(table)
    else:
        _sleep(table, ("rest",))
    _run_down(table, amount, unit)
    if unit in ("day", "week"):
        _mend(table, amount, unit)


def _mend(table: _Table, amount: int, unit: str) -> None:
    """The recovery time runs, once Blood and death-score are 0 (H14)."""
    state = table.state
    if state.blood or state.score:
        _set_recovery(table)
        return
    lasts = _set_recovery(table, wait=False)
    if lasts is None:
        return
    left = lasts.less(amount, unit)
    if left is None:
        _recovered(table, lasts)
        return
    table.note(said.Mends(str(left)), "H14")
    table.change(recovery=left)


def _recover(table: _Table, event: HarmEvent) -> None:
    """The rest of the recovery time passes: Trauma and the wounds that lasted until then are over (H14, H23, H31).

    A Jack of clubs may leave such wounds without any Trauma, where a blank counts as 0 (H16). The time is as many dice
    as the Trauma asks for, and 0 asks for none: those wounds are over as soon as Blood and death-score are 0.
    """
    del event
    state = table.state
    if state.blood or state.score:
        now = f"they are {state.blood} and {state.score}"
        raise HackjackError(f"recovery begins when Blood and death-score are 0, and {now}: heal first")
    if not state.trauma:
        if not any(wound.until.word == "recovery" for wound in state.wounds):
            raise HackjackError("there is no Trauma to recover from")
        table.note(said.HarmPlainFact.MENDED, "H14")
        _end(table, ("recovery",))
        return
    lasts = _set_recovery(table, wait=False)
    if lasts is None or lasts.amount is None:
        raise HackjackError(f"the recovery table has no row for Trauma {state.trauma}")
    _recovered(table, lasts)
    if _time_ends(table):
        _sleep(table, ("rest", "good_rest"))
        _run_down(table, lasts.amount.plus, lasts.word)


def _recovered(table: _Table, lasted: Until) -> None:
    table.note(said.Recovered(lasted.amount.plus if lasted.amount else 0, lasted.word), "H14")
    _healthy(table)


def _healthy(table: _Table) -> None:
    """No Trauma any more: what lasted until recovery is over, and what was to come after it has begun (H23)."""
    _end(table, ("recovery",))
    begun = tuple(
        msgspec.structs.replace(wound, begins=None) if wound.begins == "recovery" else wound
        for wound in table.state.permanent
    )
    table.change(trauma=0, recovery=None, permanent=begun)


def _face(table: _Table, event: HarmEvent) -> None:
    """Take the price of each round near the cause of a wound; what a card has cost is one wound that grows (H38)."""
    fears = [
        (wound.card, effect.penalty)
        for wound in (*table.state.wounds, *table.state.permanent)
        if wound.effect in ("", "whenever")
        for effect in table.system.cards[wound.card].effects
        if isinstance(effect, Whenever) and effect.penalty and (not wound.to or wound.to == effect.penalty.to)
    ]
    if not fears:
        raise HackjackError("no wound of the character costs anything near its cause")
    for card, price in fears:
        lost = sum(table.roll(price.by, f"{card}: penalty") for _ in range(event.amount))
        table.note(WoundFact("penalty", str(price.until), list(price.to), [lost], "", card, None), "H38")
        like = BroughtWound(card, "penalty", price.until, price.to)
        before = [wound for wound in table.state.wounds if msgspec.structs.replace(wound, by=()) == like]
        total = min(lost + sum(sum(wound.by) for wound in before), MAX_AMOUNT)
        table.change(wounds=tuple(wound for wound in table.state.wounds if wound not in before))
        table.keep(msgspec.structs.replace(like, by=(total,)))


_DEEDS: dict[str, tuple[said.HackjackFact, str]] = {
    "stand": (said.HarmPlainFact.STAND, "stand"),
    "clear": (said.HarmPlainFact.CLEAR, "cleared"),
    "wake": (said.HarmPlainFact.WAKE, "woken"),
}
"""The deeds that end wounds, and what `until` says of these."""


def _do(table: _Table, event: HarmEvent) -> None:
    fact, until = _DEEDS[event.name]
    table.note(fact, "H31")
    _end(table, (until,))


def _check_again(table: _Table, event: HarmEvent) -> None:
    """The later roll of a card's check (H31)."""
    code = event.word
    if not any(wound.card == code and wound.until.word == "check" for wound in table.state.wounds):
        raise HackjackError(f"the character has no wound of {code} that a later roll ends")
    checks = (effect for _, effect in walk_effects(table.system.cards[code].effects) if isinstance(effect, Check))
    check = next((check for check in checks if any(failure.until.word == "check" for failure in check.fail)), None)
    if check is None:
        raise HackjackError(f"{code} no longer asks for a roll: its card has changed")
    if passes_check(table, check, code):
        _pass_by(table, lambda wound: None if (wound.card, wound.until.word) == (code, "check") else wound)


def _lift(table: _Table, event: HarmEvent) -> None:
    """A quest or great magic (H32)."""
    state, code = table.state, event.word
    if code == "trauma":
        if not state.trauma:
            raise HackjackError("the character has no Trauma to lift")
        table.note(said.LiftsTrauma(state.trauma), "H32")
        _healthy(table)
        return
    lifted = [wound for wound in state.permanent if wound.card == code]
    lifted += [wound for wound in state.wounds if wound.card == code and wound.until.word in ENDED_BY_GM]
    if not lifted:
        passing = ", and what it did passes by itself" if any(wound.card == code for wound in state.wounds) else ""
        raise HackjackError(f"the character has nothing permanent from {code}{passing}")
    table.note(said.Lifts(code), "H32")
    table.change(
        permanent=tuple(wound for wound in state.permanent if wound not in lifted),
        wounds=tuple(wound for wound in state.wounds if wound not in lifted),
    )


def _act(table: _Table, event: HarmEvent) -> None:
    """Whether pain lets a character act, under the ruling on passing out (H28)."""
    way, state = table.system.setting("pass_out"), table.state
    numbers = table.system.harm
    if way == "hit_die_over_trauma" and state.trauma >= numbers.pass_out_trauma:
        _stay_awake(table, Dice.parse(_hit_die("act", event.word)), state.trauma)
    elif way == "d20_over_score" and state.score:
        _stay_awake(table, numbers.pass_out_die, state.score)
    else:
        table.note(said.HarmPlainFact.ACTS, "H28")


def _stay_awake(table: _Table, die: Dice, over: int) -> None:
    rolled = table.roll(die, "to stay awake")
    table.note((said.Awake if rolled > over else said.PassesOut)(die.spoken, rolled, over), "H28")


_DOING = ("act", "hold", "stand")
"""What nobody does who is incapable of anything (H43)."""
_SIMPLE: dict[str, Callable[[_Table, HarmEvent], None]] = {
    "face": _face,
    "heal": _heal,
    "hold": _hold,
    "release": _hold,
    "rest": _rest,
    "recover": _recover,
    "act": _act,
    **dict.fromkeys(_DEEDS, _do),
    **dict.fromkeys(("round", "hour", "day", "week"), _pass),
    "check": _check_again,
    "lift": _lift,
}


# --- the order of a hit, for print -----------------------------------------------------------------------------------

_MOMENTS = (said.Hit, said.Flow, said.Draw, said.Score, said.Blood, said.Trauma, said.Join, said.Reset, Peeked)
_CALLED = {"reset": "total", "peek": "wound"}
"""What some of the facts of a hit are called in print; the others, as they are in the log."""


def moments(system: System) -> tuple[str, ...]:
    """What a hit does, in order, under the rules in force: `blocks.Moment`.

    Found by striking somebody who has something of everything to go through; numbers of the procedure do not matter.
    """
    old = Card(code="2C", name="-", effects=(Whenever("below_zero", Until("permanent"), blood=1),))
    new = Card(code="AC", name="-", score=1, blood=Dice(0, 0, 1), trauma=1, effects=(Peek(),))
    numbers = msgspec.structs.replace(system.harm, limit=21, massive=13, instant=21)
    head = msgspec.structs.replace(system.head, procedure=numbers)
    model = dataclasses.replace(system, head=head, deck=Deck(title="-", cards=(old, new)), tables=())
    state = HarmState(hp=1, score=19, tokens=19, blood=1, permanent=(BroughtWound("2C", "whenever"),))
    _, log = step(model, state, HarmEvent("hit", 2), Given(("AC",)))
    kinds = [entry.kind for entry in log if isinstance(entry.fact, _MOMENTS)]
    return tuple(dict.fromkeys(_CALLED.get(kind, kind) for kind in kinds))

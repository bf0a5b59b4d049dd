"""Steps of the author's at the table: one event on a state leads to the next state and a log.

Steps are effects. What cards and cells do besides (conditions, penalties, rolls on the body) is applied by the reader
that every kind of procedure shares; this module adds what only the author's own events have.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.games.steps import drawing
from generator.games.steps import log as said
from generator.games.steps.borne import plain_wound, wound_cells
from generator.games.steps.events import StepsEvent
from generator.games.steps.lines import name_of, signed_figure, spoken_word
from generator.games.steps.log import OwnFact, StepsFact
from generator.games.steps.luck_asked import ranked, weighs
from generator.games.steps.shape import living_alone, ordered_conditions, state_key_of, written_alone
from generator.games.steps.state import (
    LONG,
    Coming,
    HeldCondition,
    Lost,
    Owed,
    RefusedError,
    StepsState,
    check_sizes,
    fresh_values,
    parse_span,
    save_of,
)
from generator.model import rules
from generator.model.formulas import MAX_VALUE, OF_CARD, Formula, Result, as_number, formula_number, names_roll
from generator.model.log import Entry, Log, Told
from generator.model.procedures import Aim, Need, OwnNumber, Retelling, Telling
from generator.play.apply_effects import FOR_GOOD, Beginning, BroughtWound, Hurt, Pen, Stepping
from generator.play.chance import Chance, ChoiceNeed, Given, NeedsError, OpenChoiceError, Policy, RollNeed
from generator.play.every_way import TOO_MUCH, TooMuchWorkError, every_way, spend_work, until_it_counts, work_left
from generator.play.log import EffectFact, LocateFact
from generator.play.log import WoundFact as Wounded
from generator.play.piles import card_of, card_value, codes_without, names_in
from generator.play.throwing import Pool, throw_pools
from generator.words.effects import step_words
from generator.words.quoting import fill_quotes
from generator.words.wording import capitalised, fill_placeholders, lowered_clause, span_words, unit_words

MAX_SPAN = 10_000
"""So many units of time a formula may give."""
MAX_ROWS = 20
"""So many rows one step may look up."""
MAX_STEPS = 20_000
"""So many steps one event may take."""
MAX_DEPTH = 100
"""So deep events, tables and conditions may lead to one another."""
_NOTHING = Hurt()
FRESH_NAMES: Mapping[str, Result] = {"over": 0, "degrees": 0, "rolled": 0}
"""What every event has names for before its first step."""


def step(
    system: rules.System, state: StepsState, event: StepsEvent, chance: Chance, beside: Collection[str] = ()
) -> tuple[StepsState, Log]:
    """Return the state after one event; `beside` are the cards that others hold.

    Raises HackjackError for an event that cannot happen, NeedsError when luck is missing.
    """
    bench = Bench(system, state, chance)
    bench.beside = beside
    try:
        bench.happens(event)
    except NeedsError as missing:
        missing.so_far = tuple(bench.log)
        raise
    finally:
        spend_work(1 + bench.steps_taken)
    return bench.state(), tuple(bench.log)


def play_counted(
    system: rules.System,
    state: StepsState,
    event: StepsEvent,
    chance: Chance,
    *,
    timeless: bool = False,
    policy: Policy = "",
) -> "Bench":
    """Return the same for odds: the bench on which it was played, which they ask what it has met; nothing is logged.

    With `timeless`, every span of time takes its least length and is not rolled. Choices fall as the policy says.
    """
    bench = Bench(system, state, chance, timeless=timeless)
    bench.policy = policy
    bench.logs = False
    bench.happens(event)
    return bench


def check_sound(system: rules.System, state: StepsState) -> None:
    """Raise HackjackError where a state is not as every state of the system is."""
    bench = Bench(system, state, Given())
    for need in system.steps.sound:
        bench.check_need(need)


class _Resting(NamedTuple):
    """What formulas may still ask of the pen that wrote last."""

    source: str
    hurt: Hurt
    lasts: rules.Until
    of: str


class Bench(Stepping):
    """One event in the making: the state so far, its log, and the luck that is asked."""

    def __init__(self, system: rules.System, state: StepsState, chance: Chance, *, timeless: bool = False) -> None:
        self.system, self.chance, self.timeless = system, chance, timeless
        self._keys = system.state_keys
        numbers = system.steps.numbers.items()
        self.values = state.values | {name: own.start for name, own in numbers if own.temporary}
        self.piles = {name: list(state.piles.get(name, ())) for name in system.steps.piles}
        self.beside: Collection[str] = ()
        self.held = list(state.conditions)
        self.coming = list(state.coming)
        self.lost = list(state.lost)
        self.saves = list(state.saves)
        self.dead = self.stopped = state.dead
        self.out = list(state.drawn)
        self.drawn: list[str] = []
        self.card: rules.Card | None = None
        self.at_hand = ""
        self.reading: list[str] = []
        self.log: list[Entry[StepsFact]] = []
        self.dice: dict[str, Dice] = {}
        self.names: dict[str, Result] = dict(FRESH_NAMES)
        self.event = ""
        self.policy: Policy = ""
        self.better: Formula | None = None
        self.met: dict[str, list[str]] = {}
        self.suffered: set[str] = set()
        self._reason, self._levels, self.steps_taken, self._deep = "", 1, 0, 0
        left = work_left()
        self._most_steps = MAX_STEPS if left is None else min(MAX_STEPS, left)
        self._until, self._ticking = FOR_GOOD, False
        self._renews: HeldCondition | None = None
        self._over: HeldCondition | None = None
        self._asks, self._part_of = "", ""
        self._detail: str | None = None
        self._cup = self._rolled_hidden = False
        self._telling: tuple[Telling, tuple[str, ...]] | None = None
        self._about: dict[str, Any] = {}
        self._before: dict[int, HeldCondition] = {}
        self._pen: Pen | _Resting = Pen(self, "", _NOTHING)

    def state(self) -> StepsState:
        """The state as it is now."""
        if self.dead:
            self._clear_dead()
        state = StepsState(
            values={name: self.values[name] for name in (*self.system.kept_numbers, *self.system.steps.words)},
            conditions=ordered_conditions(self.held, self.system),
            coming=tuple(self.coming),
            lost=tuple(self.lost),
            saves=tuple(self.saves),
            dead=self.dead,
            drawn=tuple(self.out),
            piles={name: tuple(self.piles[name]) for name in self.system.kept_piles if self.piles[name]},
        )
        check_sizes(state)
        return state

    # --- an event ----------------------------------------------------------------------------------------------------

    def happens(self, event: StepsEvent) -> None:
        """An event with what was told of it, and then whatever watches.

        Raises HackjackError for the dead, unless it may happen to them.
        """
        if self.dead and not self.system.head.events[event.name].dead:
            raise HackjackError("the character is dead: nothing more happens to them")
        self.stopped = False
        happening = self.takes(event)
        self._needs(happening)
        try:
            self.run(happening.do_, Pen(self, event.name, _NOTHING))
            self.watch()
        except RecursionError:
            # What stands inside one another in effects is not counted as depth.
            raise HackjackError(
                f"{event.name} leads too deep into effects, cards and events: it is too long, or has no end"
            ) from None
        # A pen that holds its bench would keep both in memory until somebody looks for such rings.
        self._pen = _Resting(self._pen.source, self._pen.hurt, self._pen.lasts, self._pen.of)

    def takes(self, event: StepsEvent) -> rules.Happening:
        """What is told of an event, and what is figured where nothing is; gives the event of the content."""
        happening = self.system.head.events[event.name]
        self.event, self.better = event.name, happening.better
        self._take(happening.takes, dict(event.said))
        return happening

    def _needs(self, happening: rules.Happening) -> None:
        """Raise RefusedError where something that it needs does not hold."""
        for need in happening.needs:
            self.check_need(need)

    def check_need(self, need: Need) -> None:
        """Raise RefusedError where something does not hold."""
        if need.holds is not None and not self.figure(need.holds):
            raise RefusedError(self.filled(need.says)[0])
        bars = next(
            (blocker for blocker in self.held for name in need.free_of if blocker in self._of(name, inside=True)), None
        )
        if bars is not None:
            condition = self.system.held_conditions[bars.condition]
            held = condition.brief or condition.name or bars.condition
            if bars.card:
                card, says, until = wound_cells(plain_wound(bars), self.system)
                held = f"{lowered_clause(says)} {until}".strip() + f" ({card})"
            self._about = {"held": held}
            raise RefusedError(self.filled(need.says)[0])

    def _take(self, takes: dict[str, rules.Argument], arguments: dict[str, Result]) -> None:
        """What is told counts; the rest is figured, its dice rolled, in order."""
        self.names |= {name: arguments.get(name) for name in takes}
        for name, argument in takes.items():
            if argument.flag:
                self.names[name] = int(arguments.get(name) not in (None, 0))
                continue
            if argument.die and isinstance(die := arguments.get(name), str):
                self.dice[name] = Dice.parse(die)
                self.names[name] = str(self.dice[name])
            if argument.when is None and (argument.default is None or arguments.get(name) is not None):
                continue
            if argument.when is not None and not self.figure(argument.when):
                if arguments.get(name) is not None:
                    raise HackjackError(f"{name} is not needed here: leave it out")
                self.names[name] = None
            elif arguments.get(name) is None and argument.default is not None:
                value = self._rolled_for(argument.default, name)
                if argument.of and isinstance(value, int):
                    value = argument.of[min(max(value, 1), len(argument.of)) - 1]
                self.names[name] = value

    def watch(self) -> None:
        """What holds after an event has consequences, each watch once."""
        for watch in self.system.head.watches:
            if not self.dead and self.figure(watch.holds):
                self.run(watch.do_, Pen(self, self.event, _NOTHING))

    def run(self, effects: Iterable[rules.AnyEffect], pen: Pen) -> None:
        """Steps in order, until death. Raises HackjackError where there is no end to them."""
        telling, self._telling = self._telling, None
        self._deep += 1
        if self._deep > MAX_DEPTH:
            raise HackjackError(
                f"{self.event} leads deeper than {MAX_DEPTH} events, tables and so on: it is too long, or has no end"
            )
        for effect in effects:
            if self.stopped:
                break
            self.steps_taken += 1
            if self.steps_taken > self._most_steps:
                raise self._too_many_steps()
            self._pen = pen
            if not isinstance(effect, rules.Step):
                pen.apply(effect)
            elif self.logs and (effect.log or effect.says):
                self._in_own_words(effect, pen)
            else:
                self._play(effect, pen)
        self._deep -= 1
        self._telling = telling

    def _too_many_steps(self) -> HackjackError:
        """Return why an event goes no further: it has no end, or what counts it may take no more steps."""
        if self._most_steps < MAX_STEPS:
            return TooMuchWorkError(TOO_MUCH)
        return HackjackError(f"{self.event} takes more than {MAX_STEPS:,} steps: it is too long, or has no end")

    # --- what formulas ask -------------------------------------------------------------------------------------------

    def figure(self, formula: Formula) -> Result:
        """Return a formula's value now."""
        return formula.run(self)

    def _rolled_for(self, formula: Formula, reason: str) -> Result:
        before, self._reason = self._reason, reason
        result = formula.run(self)
        self._reason = before
        return result

    def rolled(self, dice: Dice, face: int = 0) -> int:
        """Return the result of a formula's dice."""
        return self.roll(dice, self._reason or self._pen.source or self.event, face)

    def named(self, name: str) -> Result:
        """Return the value of a name in a formula. Raises HackjackError for an unknown name."""
        if name in self._about:
            return cast(Result, self._about[name])
        if name == "side" and self.names.get("side") is None:
            return self._side_hurt()
        if name in self.dice and self.names.get(name) == str(self.dice[name]):
            return self.rolled(self.dice[name])
        if name in self.names:
            return self.names[name]
        if name in self.values:
            return self.values[name]
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return self.rolled(constant)
        match name:
            case "dead":
                return int(self.dead)
            case "permanent":
                return int(self._pen.lasts.word == "permanent")
            case "place":
                return self._pen.hurt.part or None
            case "level":
                return self.call("level", self._pen.of)
            case "event":
                return self.event
        if name.startswith(OF_CARD):
            return self._of_card(name.removeprefix(OF_CARD))
        return name

    def _of_card(self, key: str) -> Result:
        """Return what the card at hand has by that name, dice rolled; no Blood and no Trauma are 0."""
        if self.card is None:
            return None
        value = card_value(self.card, key, self.system)
        if isinstance(value, Dice):
            return self.roll(value, f"Blood of {self.card.code}")
        return 0 if value is None and key in ("blood", "trauma") else value

    def _side_hurt(self) -> str | None:
        """Return the side that is being hurt: `left` of the left arm; None where it is not known or has none."""
        part = self.system.head.parts.get(self._pen.hurt.part)
        return (
            next((side for side in part.sides if self._pen.hurt.place == f"{side} {part.name}"), None) if part else None
        )

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return the value of a function of a name: of what is held `here`, or was noted with that detail, alone."""
        here = bool(which)
        match function:
            case "setting":
                return self.system.setting(name)
            case "column":
                return (aim.column if (aim := self._aim(name)) else None) or "none"
            case "value":
                return self.values[self._number(name)]
            case "faces":
                return self._faces(name)
            case "known":
                if name.startswith(OF_CARD):
                    card = self.card
                    return int(card is not None and card_value(card, name[len(OF_CARD) :], self.system) is not None)
                # A die that was told is known, and is not rolled to see.
                value = self.names.get(name) if name in self.dice else self.named(name)
                return int(value is not None and not isinstance(value, Hidden))
            case "met":
                return int(name in self.met)
            case "suffered":
                return int(name in self.suffered)
            case "has":
                return int(any(True for _ in self._of(name, inside=True, here=here, detail=detail)))
            case "count":
                # A save that is owed may bring one whichever way it goes: a ruined limb counts before its save.
                saves = [each for each in self.saves if not here or each.place == self._pen.hurt.place]
                owed = sum(is_certain(each, name, self.system) for each in saves) if detail is None else 0
                return len([*self._of(name, here=here, detail=detail)]) + owed
            case "lasting":
                return sum(held.until == "permanent" for held in self._of(name, here=here, detail=detail))
            case "level":
                return max((held.level for held in self._of(name, here=here, detail=detail)), default=0)
            case "left":
                for held in [each for each in self._of(name, here=here, detail=detail) if each.waits]:
                    self._roll_span(held)
                spans = [(held.left, held.word) for held in self._of(name, here=here, detail=detail)]
                return max((left * self.system.unit_days.get(word, 1) for left, word in spans), default=0)
            case "cards":
                return len(self.piles[name])
            case "waits":
                return int(any(held.waits for held in self._of(name, here=here, detail=detail)))
            case "does":
                return int(self.card is not None and any(effect.do == name for effect in self.card.effects))
            case "extra_blood":
                return sum(effect.blood or 0 for _, effect in self.waiting_for(name))
            case "extra_score":
                return sum(effect.score or 0 for _, effect in self.waiting_for(name))
            case "total":
                return sum(each.counts for each in self.piles[name])
            case "owed":
                return sum(name in (owed.of, "any") for owed in self.saves)
            case "coming":
                return sum(name in (each.condition, "any") for each in self.coming)
        argument = self.names.get(name)
        name = argument if isinstance(argument, str) and argument in self.system.head.statistics else name
        if function == "worst":
            return max((0, *(self._takes_off(held, name) for held in self.held)))
        return self.lowered(name, detail)

    def _of(
        self, name: str, *, inside: bool = False, here: bool = False, detail: str | None = None
    ) -> Iterator[HeldCondition]:
        """The conditions held of that name or group; with `inside`, those too that bring it as long as they last.

        With `here`, only those of the place that is being hurt; with a detail, only those that are noted with it.
        """
        conditions, by_card = self.system.held_conditions, self.system.steps.by_card
        place = self._pen.hurt.place
        for held in self.held:
            if (here and not place == held.place != "") or not _noted(held, detail):
                continue
            if (
                held.condition == name
                or conditions[held.condition].group == name
                or (name == "long" and held.word in LONG)
                or (by_card and held.until == name)
                or (self._keys and state_key_of(held.condition, held.word, self.system) == name)
                or (inside and name in self.system.brought.get(held.condition, ()))
            ):
                yield held

    def waiting_for(self, event: str) -> Iterator[tuple[str, rules.Whenever]]:
        """Yield what is held that follows each time something happens, with its card, in the order of that card."""
        seen: Counter[tuple[str, str]] = Counter()
        for held in self.held:
            named = card_of(held.card, self.system) if held.condition == "whenever" else None
            every = [effect for effect in named[1].effects if isinstance(effect, rules.Whenever)] if named else []
            alike = [effect for effect in every if str(effect.until) == held.until] or every
            if alike:
                effect = alike[seen[held.card, held.until] % len(alike)]
                seen[held.card, held.until] += 1
                if effect.event == event:
                    yield held.card, effect

    def lowered(self, statistic: str, detail: str | None = None) -> int:
        """Return by how much conditions and losses lower a statistic; with a detail, what was noted with it alone."""
        lost = sum(lost.by for lost in self.lost if lost.statistic == statistic and detail is None)
        return lost + sum(self._takes_off(held, statistic) for held in self.held if _noted(held, detail))

    def _takes_off(self, held: HeldCondition, statistic: str) -> int:
        """What a condition takes off a statistic for as long as it lasts, with what it brings for as long."""
        amount, statistics = 0, self.system.head.statistics
        if held.by and not held.begins:
            each = held.by if len(held.by) > 1 else held.by * len(held.to)
            off = (by for to, by in zip(held.to, each, strict=False) if statistic in (to, *statistics[to].stands_for))
            amount += -sum(off) if held.condition == "bonus" else sum(off)
        for effect in self.system.held_conditions[held.condition].implies:
            if isinstance(effect, rules.Suffer) and effect.until.word == "same":
                amount += self._takes_off(HeldCondition(effect.condition, place=held.place), statistic)
            elif (
                isinstance(effect, rules.Penalty)
                and effect.until.word == "same"
                and (effect.where is None or effect.where == self.system.part_at(held.place))
                and any(statistic == to or statistic in statistics[to].stands_for for to in effect.to)
            ):
                times = held.level if effect.per == "level" else self.value(effect.per) if effect.per else 1
                amount -= effect.sign * effect.by.least * times
        return amount

    # --- what the shared reader of effects asks ----------------------------------------------------------------------

    def note(self, fact: OwnFact | EffectFact, why: str = "", /, **more: Any) -> None:
        """Add an entry, in the author's words where there are any."""
        if isinstance(fact, LocateFact) and self._part_of:
            self.names["detail"] = fact.place
        if not self.logs:
            return
        if any(isinstance(value, Hidden) for value in fact):
            fact = _without_hidden(fact)
        if self._telling is not None and Entry(fact).kind in self._telling[1]:
            self._tell(self._telling[0], fact, why, more)
            return
        retellings = self.system.retold.get(Entry(fact).kind, ()) if self.system.retold else ()
        for telling in retellings:
            if telling.when is None or self._asked(telling.when, fact, more):
                self._tell(telling, fact, why or telling.ruling or "", more)
                return
        self.log.append(Entry(fact, why))

    def _asked(self, formula: Formula, fact: OwnFact | EffectFact, more: Mapping[str, Any]) -> Result:
        """A formula that may ask the fields of an entry."""
        before, self._about = self._about, self._fields(fact) | dict(more)
        value = self.figure(formula)
        self._about = before
        return value

    def _fields(self, fact: OwnFact | EffectFact) -> dict[str, Any]:
        """What an entry holds, for words and formulas about it."""
        fields = fact._asdict()
        if isinstance(fact, said.Ends) and (named := card_of(fact.card, self.system)):
            fields["name"] = named[1].name
        if isinstance(fact, Wounded):
            if not fields["detail"]:
                # A row's own detail is what the names of the moment hold.
                del fields["detail"]
            until = parse_span(fact.until)
            fields["left"] = until.amount.plus if until.amount else 0
            fields["in_words"] = span_words(until) if until.amount else fact.until
        return fields

    def _tell(self, telling: Telling, fact: OwnFact | EffectFact | None, why: str, more: Mapping[str, Any]) -> None:
        """An entry in the author's words, with the values of this moment."""
        if telling.quiet and not isinstance(fact, said.Befalls):
            return
        entry: StepsFact | None = fact
        if telling.kind or telling.says or fact is None:
            before, self._about = self._about, (self._fields(fact) if fact else {}) | dict(more)
            text, quoted = self.filled(telling.says) if telling.says else ("", {})
            usual = Entry(fact) if fact is not None else None
            kind = (
                usual.kind if usual and isinstance(telling, Retelling) else self._kind(usual.kind if usual else "said")
            )
            known = self._card_at_hand() | (usual.facts if usual else {})
            entry = Told(telling.kind or kind, text, known | quoted, fact)
            self._about = before
        assert entry is not None
        self.log.append(Entry(entry, why))

    def _kind(self, usual: str) -> str:
        """Return what JSON calls an entry in the author's words: the name of the event whose step it is."""
        return self._pen.source if self._pen.source in self.system.head.events else usual

    def _card_at_hand(self) -> dict[str, Any]:
        return {"card": self.card.code} if self.card is not None else {}

    def suffers(self, condition: str) -> None:
        """A condition has begun."""
        self.suffered.add(condition)

    def roll(self, dice: Dice, reason: str, face: int = 0) -> int:
        """Roll dice; a plain number needs no luck. With a face, return how many dice show it."""
        if not dice.count:
            return dice.plus
        self._rolled_hidden |= self._cup
        need = RollNeed(dice, reason, face=face, hidden=self._cup)
        return need.result(self.chance.roll(need))

    def span(self, dice: Dice, reason: str) -> int:
        """Return how long something lasts."""
        reason, self._asks = self._asks or reason, ""
        return dice.least if self.timeless else self.roll(dice, reason)

    def figured_span(self, formula: Formula, reason: str) -> int:
        """Return how many units of time a formula comes to, at least one."""
        reason, self._asks = self._asks or reason, ""
        amount = 1 if self.timeless else self._rolled_for(formula, reason)
        if not isinstance(amount, int) or amount > MAX_SPAN:
            raise HackjackError(f'"{formula}" is {signed_figure(amount)}: at most {MAX_SPAN:,} units can pass')
        return max(amount, 1)

    def span_or_wait(self, dice: Dice, reason: str) -> int | None:
        """Return how long something lasts, or None where nobody rolls for it now."""
        self.waits = False
        if self.timeless:
            return dice.least
        need = RollNeed(dice, reason, can_wait=True)
        faces = self.chance.roll(need)
        return need.result(faces) if faces else None

    def _roll_span(self, held: HeldCondition) -> HeldCondition:
        """The dice that waited are rolled: so long a condition lasts."""
        until = parse_span(held.until)
        assert until.amount is not None
        rolled = self.roll(until.amount, f"{held.condition}, {until.word}s")
        new = replace(held, until=str(rules.Until.span(rolled, until.word)))
        self._swap(held, new)
        return new

    def peek(self) -> str | None:
        """Return the next card of the deck that is at hand, where it can be seen."""
        deck = self.reading[-1] if self.reading else next(iter(self.system.piles), "")
        left = codes_without(names_in(deck, self.system), self.out) if deck else ()
        return self.chance.peek(left) if left else None

    def value(self, name: str) -> int:
        """Return a number of the character's, or the level at hand. Raises HackjackError for one that nobody keeps."""
        result = self.call("level", self._pen.of) or 1 if name == "level" else self.values.get(name)
        if not isinstance(result, int):
            own = self.system.steps.numbers.get(name)
            raise HackjackError(f"{own.name} is unknown" if own else f"{self.system.head.id} has no number {name}")
        return result

    def mends(self) -> bool:
        """Return whether a recovery is still to come."""
        recovers = self.system.steps.recovers
        return bool(recovers and self.figure(recovers))

    def side(self, part: str) -> str:
        """Return a part of the body as a person says it, with its side where that was told or is rolled."""
        part_of_body = self.system.head.parts[part]
        side = self.names.get("side")
        rolls_side = self.system.setting("sides") == "on" or bool(self._part_of)
        if part_of_body.sides and side is None and rolls_side and part_of_body.die:
            face = self.roll(part_of_body.die, f"which {part_of_body.name}")
            return f"{part_of_body.places[face - 1]} {part_of_body.name}"
        return self.spoken(part)

    def spoken(self, part: str) -> str:
        """Return a part of the body as it was told: `left arm` where a side was, otherwise `arm`."""
        part_of_body, side = self.system.head.parts[part], self.names.get("side")
        return (
            f"{side} {part_of_body.name}" if isinstance(side, str) and side in part_of_body.sides else part_of_body.name
        )

    def grips(self) -> bool:
        """Return whether both hands hold what falls."""
        return self.names.get("hands") == "both"

    def begins(self, effect: rules.Suffer) -> Beginning | None:
        """A condition is about to be suffered: by how many levels, and noted with what.

        One that comes again is as it was, for as long as it was from its start; None where it neither is there nor has
        just ended.
        """
        self._levels = 1 if effect.levels is None else max(formula_number(effect.levels, self), 1)
        self._until, self._asks = effect.until, effect.asks or ""
        self.waits = self.system.head.conditions[effect.condition].waits
        self.steps_taken += 1
        if self.steps_taken > self._most_steps:
            raise self._too_many_steps()
        self._detail = None if effect.detail is None else str(self.figure(effect.detail) or "")
        self._renews = None
        if effect.until.word != "again" or effect.after is not None:
            return Beginning(effect, self._detail or "", levels=self._levels)
        alike = [held for held in (self._over, *self.held) if held is not None and held.condition == effect.condition]
        if not alike:
            self.note(said.Nothing(f"{name_of(effect.condition, self.system)} is not there to come again"))
            return None
        last = self._renews = alike[-1]
        again = replace(effect, until=parse_span(last.span or last.until))
        return Beginning(again, last.detail if self._detail is None else self._detail, last.place)

    def keep(self, wound: BroughtWound) -> None:
        """A condition is held from now on, or points are lost for good."""
        condition = self.system.held_conditions.get(wound.effect)
        if self._part_of:
            if condition is not None:
                self.names["detail"] = condition.brief or condition.says
        elif condition is not None:
            self._suffer(wound, condition)
        elif wound.effect in ("penalty", "bonus") and wound.until.word == "permanent":
            amounts = wound.by if len(wound.by) > 1 else wound.by * len(wound.to)
            sign = 1 if wound.effect == "penalty" else -1
            self.lost += [Lost(name, sign * by) for name, by in zip(wound.to, amounts, strict=True)]
        else:
            raise HackjackError(f"{wound.effect} for {wound.until} belongs in a condition: it cannot last here")

    def _suffer(self, wound: BroughtWound, condition: rules.Condition) -> None:
        until = wound.until
        written = str(until)
        days = self.system.unit_days
        rolled = until.amount is not None and until.amount.is_number
        if until.amount is not None and until.word in days and rolled and not self.system.steps.by_card:
            written = str(rules.Until.span(until.amount.plus * days[until.word], "day"))
        spans = ((until.amount.plus if until.amount else 0, until.word) for until in wound.chances)
        chances = tuple(sorted(amount * self.system.unit_days.get(unit, 1) for amount, unit in spans))
        most = condition.levels or 1
        row = str(self.names.get("row", "")) if condition.row else ""
        detail, noted = str(self.names.get("detail") or "") if condition.row else "", self._detail
        if self._renews is not None:
            row, detail = self._renews.row, self._renews.detail
        if noted is not None:
            detail = noted
        span = written if until.amount is not None and wound.effect in self.system.renewed else ""
        new = written_alone(
            HeldCondition(
                wound.effect,
                written,
                wound.place,
                min(self._levels, most),
                chances,
                row,
                detail,
                span,
                *((wound.card, wound.to, wound.by, wound.begins or "") if self.system.steps.by_card else ()),
            ),
            self.system,
        )
        alike = [held for held in self.held if held.condition == wound.effect and _noted(held, noted)]
        if condition.again == "here":
            alike = [held for held in alike if held.place == new.place]
        again = usual_repeat(condition, new) if alike else "apart"
        if again == "apart":
            self.held.append(new)
        elif again in ("level", "here"):
            last = alike[-1]
            longest = max((last, new), key=self._length)
            self._swap(last, replace(longest, level=min(last.level + self._levels, most)))
        elif again == "latest":
            # What has become permanent stays so.
            if not any(held.until == "permanent" for held in alike):
                self.held = [held for held in self.held if held not in alike]
                self.held.append(new)
        elif again == "longest":
            self.held = [held for held in self.held if held not in alike]
            self.held.append(max([new, *alike], key=self._length))

    def _length(self, held: HeldCondition) -> tuple[int, int]:
        """For comparing how long two conditions last; what has no span lasts longest."""
        units = self.system.units
        return (units.index(held.word), held.left) if held.left else (len(units), 0)

    def _swap(self, old: HeldCondition, new: HeldCondition | None) -> None:
        """One condition for another, or for none."""
        place = next(at for at, held in enumerate(self.held) if held is old)
        self.held[place : place + 1] = [] if new is None else [new]
        if new is not None and id(old) in self._before:
            self._before[id(new)] = new

    def delay(self, condition: str, until: rules.Until) -> None:
        """A condition begins after so long, unless something stops it before."""
        self.note(said.Later(condition, str(until)))
        self.coming.append(Coming(condition, str(until), str(self._until)))

    def owe(self, condition: str, hurt: Hurt) -> None:
        """The player has to make a save."""
        self.note(said.Owed(condition, hurt.place))
        self.saves.append(Owed(condition, hurt.part, hurt.place))

    # --- steps -------------------------------------------------------------------------------------------------------

    def play(self, step: rules.Step | rules.Check, pen: Pen) -> None:
        """One step of the author's, in the hand of a pen."""
        self._pen = pen
        if isinstance(step, rules.Check):
            self._check(step, pen)
        else:
            self.run((step,), pen)

    def _in_own_words(self, step: rules.Step, pen: Pen) -> None:
        """One step with the author's words: in place of ours, before what it led to, or after what it came to."""
        if step.told == "entry" and not isinstance(step.log, Telling):
            step = replace(step, log=Telling(says=step.log or step.says))
        if step.entries and isinstance(step.log, Telling):
            # Words that change nothing leave it to those of the procedure.
            self._telling = None if step.log == Telling() else (step.log, step.entries)
            self._play(step, pen)
            self._telling = None
            return
        start = len(self.log)
        self._play(step, pen)
        if isinstance(step.log, Telling):
            if step.log != Telling():
                after = self.log[start:]
                del self.log[start:]
                self._tell(step.log, None, step.ruling or "", {})
                self.log += after
            return
        text, values = self.filled(step.log or step.says or "")
        self._pen = pen
        entry = Entry[StepsFact](Told(self._kind("said"), text, self._card_at_hand() | values), step.ruling or "")
        if step.told == "before":
            self.log.insert(start, entry)
        elif step.told == "after":
            self.log.append(entry)
        else:
            hidden = said.HIDDEN.union(step.hides)
            kept = (each for each in self.log[start:] if isinstance(each.fact, Told) or each.kind not in hidden)
            self.log[start:] = [entry, *kept]

    def _play(self, step: rules.Step, pen: Pen) -> None:
        match step:
            case rules.When():
                told = step.chance if not self._cup else None
                holds = pen.chance(*told, step.then) if told else self.figure(step.holds)
                self.run(step.then if holds else step.otherwise, pen)
            case rules.Let():
                self.names[step.name] = self._rolled_for(step.be, step.asks or step.title or step.name)
            case rules.LookUp():
                self._look_up(step, pen)
            case rules.CardStep():
                drawing.play_card_step(self, step, pen)
            case rules.Raise() | rules.Lower():
                self._change(step)
            case rules.SetTo():
                self._set(step)
            case rules.RollFor():
                self.run(step.results.get(self.rolled_span(step, pen), ()), pen)
            case rules.Call():
                self._call(step, pen)
            case rules.Befall():
                self._befall(step)
            case rules.End():
                self._ended(step)
            case rules.Shorten():
                self._shorten(step)
            case rules.Pass():
                self._pass(step)
            case rules.Place():
                self._place(step, pen)
            case rules.Say():
                self.run(step.do_, pen)
            case rules.Die():
                self.die(step.ruling or "")
            case rules.Revive():
                self._revive(step)
            case rules.Reveal():
                self._reveal(step)
            case rules.Answer():
                self._answer(step)
            case rules.Throw():
                self._throw(step)
            case rules.AsLong():
                self._as_long(step, pen)
            case rules.Choose():
                self._choose(step, pen)
            case _:
                raise TypeError(step.do)

    def filled(self, text: str) -> tuple[str, dict[str, Result]]:
        """Return the author's words with the values of this moment in them, and those values by name."""
        constants, readings = self.system.numbers, self.system.readings
        facts: dict[str, Result] = {}

        def value(name: str) -> Result:
            if name not in self._about and (name in constants or name in readings):
                facts.update({name: constants[name]} if name in constants else {})
                return constants.get(name, readings.get(name, ""))
            known_value = self.named(name)
            if known_value == name and name in self.system.head.conditions:
                known_value = next((unit_words(held.until) for held in self._of(name)), None)
            facts[name] = None if isinstance(known_value, Hidden) else known_value
            if isinstance(known_value, Hidden):
                return str(known_value)
            if name in _CONDITIONS and facts[name] in self.system.head.conditions:
                return name_of(str(facts[name]), self.system)
            if name == "place" and name not in self._about:
                return self._pen.hurt.place or None
            return spoken_word(facts[name], self.system)

        return fill_quotes(text, value), facts

    def _change(self, step: rules.Raise | rules.Lower) -> None:
        name = self._number(step.number)
        own, current = self.system.steps.numbers[name], self.value(name)
        by, hidden = self._under_cup(step.by, own, self.values[name])
        by = int(as_number(step.by, by))
        up = isinstance(step, rules.Raise)
        changed = current + by if up else current - by
        bounds = (step.most, own.most) if isinstance(step, rules.Raise) else (step.least, own.least)
        limits = [limit for bound in bounds if bound and isinstance(limit := self.figure(bound), int)]
        new = min([changed, *limits]) if up else max([changed, *limits])
        # A bound never cuts what is held.
        new = max(new, min(current, changed)) if up else min(new, max(current, changed))
        new = int(min(max(new, -MAX_VALUE), MAX_VALUE))
        self.values[name] = Hidden(new) if hidden else new
        self.names["over"] = abs(changed - new)
        if by and hidden:
            self.note(said.Concealed(name, self._rolled_hidden), step.ruling or "")
        elif by and not own.temporary:
            # What a bound cuts off is neither gained nor lost. The step's own words say how much is lost, with no sign.
            change = current - new if self._telling and not up else new - current
            self.note(said.Number(name, change, new), step.ruling or "")

    def _under_cup(self, formula: Formula, own: OwnNumber | None, current: Result) -> tuple[Result, bool]:
        """Return what a formula comes to for a number, and whether the number is hidden from then on."""
        self._cup, self._rolled_hidden = own is not None and own.hidden, False
        value = self.figure(formula)
        hides, self._cup = self._cup, False
        hidden = hides and self.logs and (self._rolled_hidden or isinstance(current, Hidden) or self.tells(formula))
        return value, hidden

    def tells(self, formula: Formula) -> bool:
        """Return whether a formula asks for a number that is hidden now."""
        return any(
            node.kind == "name" and isinstance(self.values.get(str(node.about)), Hidden) for node in formula.walk()
        )

    def _reveal(self, step: rules.Reveal) -> None:
        """The cup is lifted from a number."""
        value = self.values[step.number]
        if isinstance(value, Hidden):
            self.values[step.number] = int(value)
            self.note(said.Revealed(step.number, int(value)), step.ruling or "")

    def _number(self, name: str) -> str:
        """The number that is meant: that one, or the one whose name an argument holds."""
        if name in self.system.steps.numbers:
            return name
        value = self.named(name)
        if value not in self.system.steps.numbers:
            raise HackjackError(f"{name} is {value}, which is not a number")
        return str(value)

    def _set(self, step: rules.SetTo) -> None:
        procedure = self.system.steps
        name = step.number if step.number in procedure.words else self._number(step.number)
        value, hidden = self._under_cup(step.to, procedure.numbers.get(name), None)
        if name in procedure.words:
            if value not in procedure.words[name].of:
                raise HackjackError(f"{name} cannot be {signed_figure(value)}")
        elif isinstance(value, str):
            as_number(step.to, value)
        elif value is None and procedure.numbers[name].start is not None:
            raise HackjackError(f'"{step.to}" is unknown, and {name} is always known: it starts as a number')
        value = int(value) if isinstance(value, Hidden) else value
        self.values[name] = Hidden(value) if hidden and isinstance(value, int) else value
        if hidden and isinstance(value, int):
            self.note(said.Concealed(name, self._rolled_hidden), step.ruling or "")
        elif name in procedure.words or not procedure.numbers[name].temporary:
            self.note(said.Set(name, value), step.ruling or "")

    def _look_up(self, step: rules.LookUp, pen: Pen) -> None:
        times = 1 if step.times is None else formula_number(step.times, self)
        if not 0 <= times <= MAX_ROWS:
            raise HackjackError(f"look up 0 to {MAX_ROWS} rows at a time, not {times}")
        for _ in range(times):
            if not self.stopped:
                self._meet_row(step, pen)

    def _meet_row(self, step: rules.LookUp, pen: Pen) -> None:
        table, row, column = self.meet_row(step, pen)
        named, cell = row.named_cell(column), row.cell(column)
        title, label = (named and named.name) or row.name or "", row_label(row)
        source = title if step.part_of and title else f"{table.title} {label}"
        inner = Pen(self, source, pen.hurt, pen.lasts)
        inner.of = pen.of
        outer, self._part_of = self._part_of, step.part_of or self._part_of
        lasts = (rules.Suffer(step.lasts, row.lasts),) if step.lasts and row.lasts else ()
        self.run((*table.every, *(cell if isinstance(cell, tuple) else ()), *lasts), inner)
        self._part_of = outer
        pen.takes_place_of(inner)
        self._pen = pen
        if not isinstance(cell, tuple):
            self.note(said.Nothing(str(cell)))
        if row.note:
            self.note(said.Remark(row.note))

    def meet_row(self, step: rules.LookUp, pen: Pen) -> tuple[rules.Table, rules.Row, str]:
        """Return the table, the row and the column that a step looks up; what the row does is still to come."""
        aim = self._aim(step.aimed) if step.aimed else None
        name = aim.table if aim else step.table
        if name is None:
            raise RefusedError(f"say which {step.aimed} it is: its table is looked up")
        table = table_of(self.system, name)
        result = self._counting(step, table) if step.but else self._result(step, table)
        row = table.row(result) if isinstance(result, int) else table.named(result) if result else None
        if row is None:
            there = f": it covers {table.covers}" if table.covers else ""
            raise HackjackError(f"the table {table.id} has no row for {result}{there}")
        column_formula = _formula(f"'{aim.column}'") if aim and aim.column else step.column
        column = self._column(column_formula, table, row, pen)
        named, label = row.named_cell(column), row_label(row)
        title = (named and named.name) or row.name or ""
        note = fill_placeholders(row.note, self.system) if row.note else ""
        self.names |= {"row": title or label, "detail": "", "note": note}
        self.met.setdefault(table.id, []).append(label)
        self.note(said.Row(table.id, label, column, title), step.ruling or "")
        return table, row, column

    def _counting(self, step: rules.LookUp, table: rules.Table) -> Result:
        """Return a result whose row counts: as long as it does not, it is rolled again."""

        def roll(chance: Chance) -> Result:
            outer, self.chance = self.chance, chance
            try:
                return self._result(step, table)
            finally:
                self.chance = outer

        def counts(result: Result) -> bool:
            row = table.row(result) if isinstance(result, int) else None
            if row is None or row.at not in step.but:
                return True
            self.note(said.Said("again", f"{table.title}, {row.at}: it is rolled again.", {}), step.ruling or "")
            return False

        return until_it_counts(self.chance, roll, counts)

    def _result(self, step: rules.LookUp, table: rules.Table) -> Result:
        if step.by is not None:
            return self._rolled_for(step.by, step.asks or table.id)
        if table.roll is None:
            raise HackjackError(f"the table {table.id} has no die to roll: say by what it is looked up")
        return self.roll(table.roll, step.asks or table.id)

    def _aim(self, argument: str) -> Aim | None:
        """Return where what an argument names is looked up."""
        return self.system.aims.get(argument, {}).get(str(self.names.get(argument)))

    def _column(self, formula: Formula | None, table: rules.Table, row: rules.Row, pen: Pen) -> str:
        """Return the column: as it is told, or by the table's die; what is a part of the body is where it hits."""
        if not table.columns:
            return ""
        column_name = self.figure(formula) if formula is not None else None
        if not row.written_cells:
            # What does the same everywhere asks for no place, and keeps the one that was told.
            if column_name in self.system.head.parts and not pen.hurt.part:
                pen.hurt = Hurt(str(column_name), self.spoken(str(column_name)))
            return ""
        if column_name is None:
            if table.column_roll is None:
                raise HackjackError(f"the table {table.id} has no die for its columns: say which")
            face = self.roll(table.column_roll, "location")
            column_name = next((name for name, entry in table.columns.items() if entry.at and face in entry.at), "")
        if str(column_name) not in table.columns:
            raise HackjackError(f"the table {table.id} has no column {column_name}")
        name = str(column_name)
        if name in self.system.head.parts and pen.hurt.part != name:
            self._hits(name, pen)
        return name

    def _hits(self, part: str, pen: Pen) -> None:
        pen.hurt = Hurt(part, self.side(part))
        self.note(LocateFact(self.system.head.parts[part].name, pen.hurt.place))

    def _place(self, step: rules.Place, pen: Pen) -> None:
        place, pen.placed = self.figure(step.part), True
        if place is None:
            pen.hurt = _NOTHING
        elif place in self.system.head.parts:
            self._hits(str(place), pen)
        else:
            raise HackjackError(f"{place} is not a part of the body")

    def rolled_span(self, step: rules.RollFor, pen: Pen) -> str:
        """Return the results that dice show one of, as the step has them; empty where they show none."""
        result = as_number(step.dice, self._rolled_for(step.dice, step.asks or pen.called))
        self.note(said.Rolled(str(step.dice), result), step.ruling or "")
        return next((span for span in step.results if result in rules.Span.parse(span)), "")

    def _faces(self, name: str) -> int | None:
        """Return how many faces a die has: a constant, what an argument holds (`d8`, or a number's name), a number."""
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return constant.faces or constant.plus
        if name in self.dice and self.names.get(name) == str(self.dice[name]):
            return self.dice[name].faces
        value = self.named(name)
        if isinstance(value, str) and (die := DIE.fullmatch(value)):
            return int(die[1])
        if isinstance(value, str) and value in self.values:
            if self.values[value] is None:
                raise RefusedError(f"the character's {self.system.steps.numbers[value].name} is unknown")
            value = self.values[value]
        return value if isinstance(value, int) else None

    def _throw(self, step: rules.Throw) -> None:
        pools = [(pool, step.title(name)) for name, pool in pools_of(step, lambda each: formula_number(each, self))]
        for name, (pool, reason), thrown in zip(step.dice, pools, throw_pools(self.chance, pools), strict=True):
            counts = dict(zip(step.counts, thrown.counted, strict=True))
            total = {} if not counts or step.keep is None else {name: thrown.total}
            self.names |= {name: thrown.total, name + rules.FIRST: thrown.first, **counts}
            if thrown.shown:
                self.note(
                    said.Thrown(reason, pool.spoken, thrown.shown, thrown.total, total | counts), step.ruling or ""
                )

    def _as_long(self, step: rules.AsLong, pen: Pen) -> None:
        most = rules.MAX_AGAIN if step.most is None else formula_number(step.most, self)
        if not 0 <= most <= rules.MAX_AGAIN:
            raise HackjackError(f"steps can be repeated 0 to {rules.MAX_AGAIN} times, not {most}")
        for _ in range(most):
            self.run(step.do_, pen)
            if self.dead or not self.figure(step.holds):
                return

    def _choose(self, step: rules.Choose, pen: Pen) -> None:
        """Ask the player, unless there is nothing, or one thing, to choose."""
        options = [option for option in step.options if option not in step.only or self.figure(step.only[option])]
        if not options:
            return
        option = options[0]
        if len(options) > 1 and weighs(self.policy, self.better):
            option = options[ranked([self._worth(step.options[each], pen) for each in options], self.policy)[0]]
        elif len(options) > 1:
            words = step_words(self.system)
            says = tuple(capitalised(words.body(step.options[each])) for each in options)
            option = options[self.choose(ChoiceNeed(tuple(options), says))]
        if len(options) > 1:
            self.note(said.Chosen(option), step.ruling or "")
        self.run(step.options[option], pen)

    def choose(self, need: ChoiceNeed) -> int:
        """Return the place of the option that is chosen."""
        if self.policy == "even":
            return self.chance.roll(RollNeed(Dice(1, len(need.options)), ""))[0] - 1
        if self.policy:
            raise OpenChoiceError(*need.options, policy=self.policy)
        return self.chance.choose(need)

    def _worth(self, effects: Iterable[rules.AnyEffect], pen: Pen) -> Fraction:
        """Return what is better, as the event has it, after steps, on average over every way that they may go."""
        better = self.better
        assert better is not None

        def tried(chance: Chance) -> tuple[int, int]:
            twin = self._twin(chance)
            twin.run(effects, pen.moved(twin))
            return formula_number(better, twin), twin.steps_taken - self.steps_taken

        ways = every_way(tried, steps=lambda tried: tried[1])
        return sum((weight * worth for weight, (worth, _) in ways), Fraction(0))

    def _twin(self, chance: Chance) -> "Bench":
        """Return a bench as this one is now, on which something is tried with luck of its own."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | set | dict):
                setattr(twin, name, copy(value))
        twin.piles = {name: [*pile] for name, pile in self.piles.items()}
        twin.met = {table: [*rows] for table, rows in self.met.items()}
        twin.chance = chance
        return twin

    def _check(self, check: rules.Check, pen: Pen) -> None:
        self.run(check.passes if self.tested(check, pen) else check.fails, pen)

    def tested(self, check: rules.Check, pen: Pen) -> bool:
        """Return whether a check passes; what follows is still to come."""
        bound = check.at_most or check.at_least or check.over
        if bound is None:
            raise HackjackError("a check says what it is rolled against: at most, at least or over")
        target = formula_number(bound, self)
        reason = f"over {target}" if check.over else "check"
        rolled = self.roll(check.die, check.name or f"{pen.called}: {reason}")
        wants = "at_most" if check.at_most else "at_least" if check.at_least else "over"
        meets = rolled <= target if check.at_most else rolled >= target if check.at_least else rolled > target
        self.names["rolled"] = rolled
        always, never = (span is not None and rolled in span for span in (check.always, check.never))
        passed = always or (meets and not never)
        degrees = None
        if check.degrees is not None:
            # A result that counts against what it shows is no better or worse than it must be.
            degrees = self._degrees(check.degrees, rolled, target, abs(rolled - target) if passed == meets else 0)
            self.names["degrees"] = degrees
        fact = said.Tested(check.name or "", check.die.spoken, rolled, target, wants, passed, always or never, degrees)
        self.note(fact, check.ruling or "")
        return passed

    def _degrees(self, formula: Formula, rolled: int, target: int, points: int) -> int:
        """How far a check has passed or failed: by a formula of the roll, or one degree for so many points."""
        before, self._about = self._about, {"rolled": rolled, "target": target}
        value = formula_number(formula, self)
        self._about = before
        if names_roll(formula):
            return value
        if value < 1:
            raise HackjackError(f'"{formula}" points are a degree: that is {value}, and must be 1 or more')
        return points // value

    def play_own(self, effect: rules.Drawing) -> None:
        """An effect that is an event of the author's. Raises HackjackError where it is none."""
        event = self.system.steps.plays.get(effect.do)  # type: ignore[call-overload]
        if event is None:
            raise HackjackError(f"{effect.do} is not an event here: write plays: {{{effect.do}: EVENT}}")
        values = {name: getattr(effect, name) for name in effect.__struct_fields__}
        takes = self.system.head.events[event].takes
        given = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
        named = {name if name in takes else f"{effect.do}_{name}": value for name, value in given.items()}
        self._happens_inside(event, {name: value for name, value in named.items() if name in takes})

    def _call(self, step: rules.Call, pen: Pen) -> None:
        side, takes = self.names.get("side"), self.system.head.events[step.event].takes
        arguments = {name: self.figure(formula) for name, formula in step.takes.items()}
        inner = self._pen = Pen(self, step.event, pen.hurt)
        self._happens_inside(step.event, arguments, inner, {} if "side" in takes else {"side": side})
        pen.takes_place_of(inner)
        self._pen = pen

    def _happens_inside(
        self,
        event: str,
        arguments: dict[str, Result],
        pen: Pen | None = None,
        there: Mapping[str, Result] = FRESH_NAMES,
    ) -> None:
        """An event as a part of another; `there` are the names of that which it has too."""
        happening = self.system.head.events[event]
        before, better, self.names, self.better = self.names, self.better, {**FRESH_NAMES, **there}, happening.better
        self._take(happening.takes, arguments)
        self._needs(happening)
        self.run(happening.do_, pen or Pen(self, event, _NOTHING))
        self.names = before | {name: self.names.get(name) for name in happening.gives}
        self.better = better

    def _befall(self, step: rules.Befall) -> None:
        """Tell that an event happens to others: whoever plays the table plays it with them."""
        if not self.logs:
            return
        values = {name: self.figure(formula) for name, formula in step.takes.items()}
        for name, argument in self.system.head.events[step.event].takes.items():
            value = values.get(name)
            if isinstance(value, int) and not argument.least <= value <= argument.most:
                bounds = f"{argument.least} to {argument.most:,}"
                raise HackjackError(f"{step.event} cannot befall others with {name} {value}: it takes {bounds}")
            if value is None:
                values.pop(name, None)
        self.note(said.Befalls(step.whom, step.event, values), step.ruling or "")

    def die(self, why: str = "") -> None:
        """Nothing comes any more for whoever is dead."""
        if not self.dead:
            self.note(said.Dies(), why)
        self.dead = self.stopped = True
        self._clear_dead()

    def _revive(self, step: rules.Revive) -> None:
        """Whoever is dead lives again, with what they had when they died."""
        if self.dead:
            self.dead = False
            self.note(said.Revives(), step.ruling or "")

    def _clear_dead(self) -> None:
        """The dead keep nothing that only the living have."""
        self.coming, self.saves = [], []
        over, values = living_alone(self.system)
        self.held = [held for held in self.held if state_key_of(held.condition, held.word, self.system) not in over]
        self.values |= {name: value for name, value in fresh_values(self.system).items() if name in values}

    # --- ends --------------------------------------------------------------------------------------------------------

    def _ended(self, step: rules.End) -> None:
        cause = step.cause or self.event
        chosen = step.condition or step.group
        for each in self.coming:
            if each.condition in (step.condition, step.coming):
                self.note(said.Stopped(each.condition, each.after), step.ruling or "")
        self.coming = [each for each in self.coming if each.condition not in (step.condition, step.coming)]
        if step.coming:
            return
        endings = (step.ending,) if isinstance(step.ending, str) else step.ending or (self.event,)
        if chosen:
            over = list(self._of(chosen, here=step.here))
        else:
            over = [held for held in self.held if held.until in endings]
            over = [held for held in over if not step.here or self._pen.hurt.place == held.place != ""]
        if step.card is not None:
            card = self.figure(step.card)
            over = [held for held in over if held.card and held.card == card]
            if not over:
                raise RefusedError(f"the character has nothing from {signed_figure(card)} that this ends")
        elif not chosen:
            # What was to begin then has begun.
            self.held = [replace(held, begins="") if held.begins in endings else held for held in self.held]
        place = self.figure(step.chosen) if step.chosen is not None else None
        if isinstance(place, int):
            if not 1 <= place <= len(over):
                raise RefusedError(f"there is no number {place}: choose 1 to {len(over)}" if over else "there is none")
            over = [over[place - 1]]
        levels = None if step.levels is None else formula_number(step.levels, self)
        for held in over:
            if levels is not None and levels < held.level:
                self._swap(held, replace(held, level=held.level - levels))
                self.note(said.Eased(held.condition, held.level - levels), step.ruling or "")
            else:
                self.end(held, cause, step.ruling or "")

    def end(self, held: HeldCondition, cause: str, why: str = "") -> None:
        """One condition ends, and what follows its end by that cause happens."""
        if not any(each is held for each in self.held):
            return
        self._swap(held, None)
        self.saves = [owed for owed in self.saves if not (owed.chance and owed.of == held.condition)]
        if cause == "save":
            self.note(said.Recovered(held.condition), why)
        else:
            detail = "" if self.system.held_conditions[held.condition].row else held.detail
            fact = said.Ends(held.condition, held.place, cause, detail, held.card)
            self.note(fact, why, unit=held.word, row=held.row)
        ends = self.system.held_conditions[held.condition].ends
        outer, self._over = self._over, held
        self.run(ends.get(cause, ends.get("any", ())), self._pen_of(held))
        self._over = outer

    def _pen_of(self, held: HeldCondition) -> Pen:
        """Return a pen for what a condition does: where it is, and how long it lasts."""
        pen = Pen(
            self,
            self.system.held_conditions[held.condition].name or held.condition,
            Hurt(self.system.part_at(held.place), held.place),
            parse_span(held.until),
        )
        pen.of = held.condition
        return pen

    def _shorten(self, step: rules.Shorten) -> None:
        left = formula_number(step.by, self)
        counted = [held for held in self._of(step.of) if held.word == step.unit]
        if step.every:
            for held in counted:
                self._take_off(held, left, step)
            return
        if step.chosen is not None:
            place = self.figure(step.chosen)
            if isinstance(place, int):
                held = self._chosen(step, place)
                left, counted = self._take_off(held, left, step), [each for each in counted if each is not held]
                if step.rest == "lost":
                    return
        while left > 0 and counted:
            longest = max(counted, key=lambda held: held.left)
            counted = [held for held in counted if held is not longest]
            left = self._take_off(longest, left, step)
            if step.rest == "lost":
                return

    def _chosen(self, step: rules.Shorten, place: int) -> HeldCondition:
        """Return one of the conditions held, by its number among them."""
        among = list(self._of(step.of))
        if not 1 <= place <= len(among) or among[place - 1].word != step.unit:
            numbers = [str(at) for at, held in enumerate(among, 1) if held.word == step.unit]
            hint = f": choose {', '.join(numbers)}" if numbers else ": there is none"
            raise RefusedError(f"number {place} has no {step.unit}s that could be taken off{hint}")
        return among[place - 1]

    def _take_off(self, held: HeldCondition, by: int, step: rules.Shorten) -> int:
        """Time off one condition; gives what is left over."""
        off = min(by, held.left)
        self.note(said.Shortened(held.condition, held.place, off, held.left - off, step.unit), step.ruling or "")
        if off < held.left:
            self._swap(held, held.with_left(held.left - off))
        else:
            self.end(held, self.event)
        return by - off

    # --- time --------------------------------------------------------------------------------------------------------

    def _pass(self, step: rules.Pass) -> None:
        times = 1 if step.times is None else formula_number(step.times, self)
        if self._ticking:
            raise HackjackError(f"a {step.unit} cannot pass while time passes")
        start, self._ticking = len(self.log), True
        for _ in range(times):
            if self.stopped or not (self._counts(step.unit) or self._runs(step.unit)):
                break
            self._tick(step.unit)
            self.watch()
            tick = self.system.steps.clock.get(step.unit)
            if tick and tick.stops and self.figure(tick.stops):
                break
        self._ticking = False
        # It is told first, with the numbers as they are in the end.
        after = self.log[start:]
        del self.log[start:]
        self.note(said.Passes(step.unit, times), step.ruling or "")
        self.log += after

    def _counts(self, unit: str) -> str | None:
        tick = self.system.steps.clock.get(unit)
        return tick.counts if tick else None

    def _runs(self, unit: str) -> bool:
        """Return whether a unit of time changes anything at all."""
        ended = self._ends_with(unit)
        shorter = self.system.units[: self.system.units.index(unit) + 1]
        conditions = self.system.held_conditions
        return bool(self.coming) or any(
            held.word in (self.system.units if self.system.steps.by_card else shorter)
            or held.until in ended
            or held.chances
            or unit in conditions[held.condition].each
            for held in self.held
        )

    def _ends_with(self, unit: str) -> tuple[str, ...]:
        tick = self.system.steps.clock.get(unit)
        return tick.ends if tick else ()

    def _tick(self, unit: str) -> None:
        """One unit of time: it is counted, conditions act, spans run down, and what was to come comes."""
        if counted := self._counts(unit):
            self.values[counted] = min(self.value(counted) + 1, MAX_VALUE)
        # What only begins in this unit does not run down in it.
        self._before = {id(held): held for held in self.held}
        for held in list(self.held):
            does = self.system.held_conditions[held.condition].each.get(unit)
            if does and not self.dead and any(each is held for each in self.held):
                self.run(does, self._pen_of(held))
        ended, shorter = self._ends_with(unit), self.system.units[: self.system.units.index(unit)]
        # What was short is over before what was long.
        for held in sorted(self.held, key=lambda held: (held.word == unit or held.word in LONG, held.until in ended)):
            if self.dead or id(held) not in self._before or not any(each is held for each in self.held):
                continue
            runs = self.system.held_conditions[held.condition].runs
            if runs is not None and not self.figure(runs):
                continue
            word, left = held.word, held.left
            known = word in rules.UNITS and unit in rules.UNITS
            if self.system.steps.by_card and known and held.until not in ended:
                if held.waits and rules.Until.span(2, word).less(1, unit) == rules.Until.span(2, word):
                    continue
                held = self._roll_span(held) if held.waits else held
                rest = parse_span(held.until).less(1, unit)
                if rest is None:
                    self.end(held, "time")
                else:
                    self._swap(held, replace(held, until=str(rest)))
            elif word == unit and left > 1:
                self._swap(held, held.with_left(left - 1))
            elif (word == unit and left) or word in shorter or held.until in ended:
                self.end(held, "time")
            elif unit == "day" and held.chances:
                self._come_due(held)
        if not self.dead:
            self._arrive(unit)

    def _come_due(self, held: HeldCondition) -> None:
        """A day nearer to the saves that may end a condition."""
        chances = tuple(days - 1 for days in held.chances)
        for _ in range(chances.count(0)):
            counted = self._counts("day")
            self.note(said.Chance(held.condition, self.value(counted) if counted else 0))
            self.saves.append(Owed(held.condition, place=held.place, chance=True))
        self._swap(held, replace(held, chances=tuple(days for days in chances if days)))

    def _arrive(self, unit: str) -> None:
        """What was to come is one unit nearer, or here."""
        due: list[Coming] = []
        left: list[Coming] = []
        units = self.system.units
        for each in self.coming:
            after = parse_span(each.after)
            amount = after.amount.plus if after.amount else 0
            if units.index(after.word) < units.index(unit) or (after.word == unit and amount <= 1):
                due.append(each)
            elif after.word == unit:
                left.append(replace(each, after=str(rules.Until.span(amount - 1, unit))))
            else:
                left.append(each)
        self.coming = left
        for each in due:
            pen = Pen(self, self.system.head.conditions[each.condition].name or each.condition, _NOTHING)
            self.run((rules.Suffer(each.condition, parse_span(each.until)),), pen)

    # --- saves -------------------------------------------------------------------------------------------------------

    def _answer(self, step: rules.Answer) -> None:
        if not self.saves:
            raise RefusedError("no save is owed")
        owed, passed = self.saves.pop(0), bool(self.figure(step.passed))
        self.note(said.Saved(owed.of, passed), step.ruling or "")
        if owed.chance:
            self._take_chance(owed, passed=passed)
            return
        condition = self.system.head.conditions[owed.of]
        if save := save_of(condition):
            pen = Pen(self, condition.name or owed.of, Hurt(owed.part, owed.place))
            self.run(save.passes if passed else save.fails, pen)

    def _take_chance(self, owed: Owed, *, passed: bool) -> None:
        """One of the chances to recover: the last one that fails makes it permanent."""
        held = next((each for each in self.held if each.condition == owed.of and each.until == "save"), None)
        if held is None:
            raise RefusedError(f"the character has no {owed.of} to recover from")
        if passed:
            self.end(held, "save")
            return
        left = len(held.chances) + sum(each.chance and each.of == owed.of for each in self.saves)
        self.note(said.ChanceLost(owed.of, left))
        if not left:
            self._swap(held, replace(held, until="permanent"))


_CONDITIONS = ("condition", "of", "effect")
"""The fields of entries that hold the id of a condition: words say its name."""


def pools_of(step: rules.Throw, figure: Callable[[Formula], int]) -> list[tuple[str, Pool]]:
    """Return the dice that a step throws under each name; `figure` gives the value of a formula."""
    many = 1 if step.many is None else figure(step.many)
    keep, most = (None if each is None else figure(each) for each in (step.keep, step.most))
    counts = tuple(step.counts.values())
    return [
        (name, Pool.of(many, figure(faces), keep, most, lowest=step.lowest, aces=step.aces, counts=counts))
        for name, faces in step.dice.items()
    ]


DIE = re.compile(r"d([1-9][0-9]{0,3})")
"""A word that names a die."""


@lru_cache(maxsize=256)
def _formula(text: str) -> Formula:
    return Formula(text)


def row_label(row: rules.Row) -> str:
    """Return what a row is met by: its results, or else its name."""
    return str(row.at) if row.at else row.name or ""


def table_of(system: rules.System, name: str) -> rules.Table:
    """Return a table by its id. Raises HackjackError where it is missing."""
    table = system.table(name)
    if table is None:
        raise HackjackError(f"{system.head.id} has no table {name}")
    return table


def is_certain(owed: Owed, name: str, system: rules.System) -> bool:
    """Return whether a save that is owed brings such a condition whichever way it goes."""
    save = None if owed.chance else save_of(system.head.conditions[owed.of])
    return save is not None and _injures(save.passes, name, system) and _injures(save.fails, name, system)


def _injures(effects: Sequence[rules.AnyEffect], name: str, system: rules.System) -> bool:
    new = [
        effect
        for effect in effects
        if isinstance(effect, rules.Suffer)
        and (
            name in (effect.condition, system.head.conditions[effect.condition].group)
            or (name == "long" and _counted_in(effect.until.word, system) in LONG)
            or state_key_of(effect.condition, _counted_in(effect.until.word, system), system) == name
        )
    ]
    return bool(new) and not any(isinstance(effect, rules.End) for effect in effects)


def _counted_in(word: str, system: rules.System) -> str:
    """Return what a span of that unit is counted down in; any other word as it is."""
    return "day" if word in system.unit_days else word


def usual_repeat(condition: rules.Condition, held: HeldCondition) -> str:
    """Return the effect of a second one, as the content says; else levels add up, and days stand side by side."""
    if condition.again:
        return condition.again
    if held.card:
        return "apart"
    if condition.levels:
        return "level"
    if held.word == "save":
        return "latest"
    return "apart" if held.word in LONG else "longest"


def _without_hidden(fact: Any) -> Any:
    """Return a fact without the numbers that nobody is told."""
    return fact._make(None if isinstance(value, Hidden) else value for value in fact)


def _noted(held: HeldCondition, detail: str | None) -> bool:
    """Return whether a condition is noted with that detail, in either case; None asks for none."""
    return detail is None or detail.casefold() in (
        held.detail.casefold(),
        held.card.casefold() or held.detail.casefold(),
    )

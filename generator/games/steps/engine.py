"""Steps of the author's at the table: one event on a state leads to the next state and a log.

What each kind of step and effect does is registered by its type. Whatever leads on yields where to; the run keeps those
lists itself, so nothing is limited by how deep Python may go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.base.sentences import full_stop
from generator.games.steps import log as said
from generator.games.steps.events import StepsEvent
from generator.games.steps.kinds import PLAYS
from generator.games.steps.lines import name_of, signed_figure
from generator.games.steps.log import OwnFact, StepsFact
from generator.games.steps.scope import FRESH_NAMES, Scope
from generator.games.steps.shape import living_alone, ordered_conditions, written_alone
from generator.games.steps.state import (
    Coming,
    HeldCondition,
    Lost,
    Owed,
    StepsState,
    check_sizes,
    fresh_values,
    parse_span,
)
from generator.games.steps.system_views import condition_types, has_cup, kept_piles, log_wordings, renewable_conditions
from generator.model import rules
from generator.model.formulas import Formula, Result, formula_number
from generator.model.log import Entry, Log, Told, kind_of
from generator.model.procedures import Retelling, Telling
from generator.play.apply_effects import Beginning, EffectApplier, Leads, NewWound, WoundContext
from generator.play.chance import Chance, ChoiceNeed, NeedsError, OpenChoiceError, Policy, RollNeed
from generator.play.every_way import TOO_MUCH, TooMuchWorkError, every_way, spend_work, work_left
from generator.play.log import EffectFact, LocateFact
from generator.play.log import WoundFact as Wounded
from generator.play.piles import card_of, codes_without, names_in
from generator.words.effect_words import step_words
from generator.words.wording import capitalised, span_words

MAX_SPAN = 10_000
"""Maximum units of time that a formula may give."""
MAX_STEPS = 20_000
"""Maximum steps of one event."""
MAX_DEPTH = 100
"""Maximum nesting of events, tables and conditions."""
MAX_TRIALS = 12
"""Maximum nesting of choices that are tried while another is."""


def step(
    system: rules.System, state: StepsState, event: StepsEvent, chance: Chance, beside: Collection[str] = ()
) -> tuple[StepsState, Log]:
    """Return the state after one event; `beside` are the cards that others hold.

    Raises HackjackError for an event that cannot happen, NeedsError when luck is missing.
    """
    run = EventRun(system, state, chance)
    run.beside = beside
    try:
        run.happens(event)
    except NeedsError as missing:
        missing.so_far = tuple(run.log)
        raise
    finally:
        spend_work(1 + run.steps_taken)
    return run.state(), tuple(run.log)


def play_counted(
    system: rules.System,
    state: StepsState,
    event: StepsEvent,
    chance: Chance,
    *,
    timeless: bool = False,
    policy: Policy = "",
) -> EventRun:
    """Run the event without a log and return the run, for counting odds.

    With `timeless`, every span of time takes its least length and is not rolled. Choices fall as the policy says.
    """
    run = EventRun(system, state, chance, timeless=timeless)
    run.policy = policy
    run.logs = False
    run.happens(event)
    return run


def check_sound(system: rules.System, state: StepsState) -> None:
    """Raise HackjackError where a state is not as every state of the system is."""
    scope = Scope(system, state)
    for need in system.steps.sound:
        scope.check_need(need)


class EventRun(Scope):
    """One event in the making: the state so far, its log, and the luck that is asked."""

    def __init__(
        self, system: rules.System, state: StepsState, chance: Chance | None = None, *, timeless: bool = False
    ) -> None:
        super().__init__(system, state, chance)
        self.timeless, self.logs = timeless, True
        self.beside: Collection[str] = ()
        self.stopped = state.dead
        self.out, self.drawn = [*state.drawn], list[str]()
        self.at_hand = ""
        self.reading: list[str] = []
        self.log: list[Entry[StepsFact]] = []
        self.policy: Policy = ""
        self.better: Formula | None = None
        self.steps_taken = self._deep = self._trials = 0
        left = work_left()
        self._most_steps = MAX_STEPS if left is None else min(MAX_STEPS, left)
        self.ticking = False
        self.part_of = ""
        self.over: HeldCondition | None = None
        """The condition whose end is being played."""
        self.cup = self.rolled_hidden = False
        self.telling: tuple[Telling, tuple[str, ...]] | None = None
        """The author's words for entries of the step that is being played, and what JSON calls those."""

    def state(self) -> StepsState:
        """Return the state as it is now."""
        if self.dead:
            self.clear_dead()
        there = self.conditions
        state = StepsState(
            values={name: self.values[name] for name in (*self.system.kept_numbers, *self.system.steps.words)},
            conditions=ordered_conditions(there.held, self.system),
            coming=tuple(there.coming),
            lost=tuple(there.lost),
            saves=tuple(there.saves),
            dead=self.dead,
            drawn=tuple(self.out),
            piles={name: tuple(self.piles[name]) for name in kept_piles(self.system) if self.piles[name]},
        )
        check_sizes(state)
        return state

    # --- an event ----------------------------------------------------------------------------------------------------

    def happens(self, event: StepsEvent) -> None:
        """Run an event with its arguments, then every watch.

        Raises HackjackError for the dead, unless it may happen to them.
        """
        if self.dead and not self.system.head.events[event.name].dead:
            raise HackjackError("the character is dead: nothing more happens to them")
        self.stopped = False
        happening = self.takes(event)
        self._check_needs(happening)
        self.play(happening.do_, EffectApplier(self.system, event.name))
        self.watch()

    def takes(self, event: StepsEvent) -> rules.Happening:
        """Bind the event's arguments, compute the missing ones, and return the event of the content."""
        happening = self.system.head.events[event.name]
        self.event, self.better = event.name, happening.better
        self.bind(happening.takes, dict(event.said))
        return happening

    def _check_needs(self, happening: rules.Happening) -> None:
        """Raise RefusedError where something that it needs does not hold."""
        for need in happening.needs:
            self.check_need(need)

    def bind(self, takes: Mapping[str, rules.Argument], arguments: Mapping[str, Result]) -> None:
        """Give names to arguments, in order; those that are missing are figured, their dice rolled."""
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
                value = self.figure_for(argument.default, name)
                if argument.of and isinstance(value, int):
                    value = argument.of[min(max(value, 1), len(argument.of)) - 1]
                self.names[name] = value

    def watch(self) -> None:
        """Run what an event has consequences for: each watch once."""
        self.follow(self.watches())

    def watches(self) -> Leads:
        """Yield what each watch leads to, once."""
        for watch in self.system.watches:
            if not self.dead:
                does = watch.then if self.figure(watch.holds) else watch.otherwise
                yield self.steps(does, EffectApplier(self.system, self.event))

    def inside(
        self,
        event: str,
        arguments: Mapping[str, Result],
        applier: EffectApplier | None = None,
        names: Mapping[str, Result] = FRESH_NAMES,
    ) -> Leads:
        """Yield what an event leads to as a part of another; `names` are those of the other that it has too."""
        happening = self.system.head.events[event]
        before, better, self.names, self.better = self.names, self.better, {**FRESH_NAMES, **names}, happening.better
        self.bind(happening.takes, arguments)
        self._check_needs(happening)
        yield self.steps(happening.do_, applier or EffectApplier(self.system, event))
        self.names = before | {name: self.names.get(name) for name in happening.gives}
        self.better = better

    # --- steps -------------------------------------------------------------------------------------------------------

    def play(self, effects: Iterable[rules.AnyEffect], applier: EffectApplier) -> None:
        """Play steps and effects in order, with whatever they lead to, until death.

        Raises HackjackError where there is no end to them.
        """
        self.follow(self.steps(effects, applier))

    def follow(self, leads: Leads) -> None:
        """Go through what leads on: each first goes through what it leads to."""
        stack = [leads]
        while stack:
            for inner in stack[-1]:
                stack.append(inner)
                break
            else:
                stack.pop()

    def steps(self, effects: Iterable[rules.AnyEffect], applier: EffectApplier) -> Leads:
        """Yield what steps and effects lead to, in order, until death. Raises HackjackError where there is no end."""
        telling, self.telling = self.telling, None
        self._deep += 1
        if self._deep > MAX_DEPTH:
            raise HackjackError(
                f"{self.event} leads deeper than {MAX_DEPTH} events, tables and so on: it is too long, or has no end"
            )
        for effect in effects:
            if self.stopped:
                break
            self._take_step()
            self.applier = applier
            if self.logs and isinstance(effect, rules.Step) and (effect.log or effect.says):
                yield self._in_own_words(effect, applier)
            elif leads := PLAYS[type(effect)](self, effect, applier):
                yield leads
        self._deep -= 1
        self.telling = telling

    def _take_step(self) -> None:
        """Count one step. Raises HackjackError for one too many, TooMuchWorkError if counting odds may take no more."""
        self.steps_taken += 1
        if self.steps_taken > self._most_steps:
            if self._most_steps < MAX_STEPS:
                raise TooMuchWorkError(TOO_MUCH)
            raise HackjackError(f"{self.event} takes more than {MAX_STEPS:,} steps: it is too long, or has no end")

    def _in_own_words(self, step: rules.Step, applier: EffectApplier) -> Leads:
        """Yield what a step leads to whose words of the author's stand in place of ours, before or after them."""
        if step.position == "entry" and not isinstance(step.log, Telling):
            step = replace(step, log=Telling(says=step.log or step.says))
        own = isinstance(step.log, Telling) and step.entries
        if own and isinstance(step.log, Telling):
            # Words that change nothing leave it to those of the procedure.
            self.telling = None if step.log == Telling() else (step.log, own)
        start = len(self.log)
        if leads := PLAYS[type(step)](self, step, applier):
            yield leads
        if own:
            self.telling = None
            return
        if isinstance(step.log, Telling):
            if step.log != Telling():
                after = self.log[start:]
                del self.log[start:]
                self._tell(step.log, None, step.ruling or "", {})
                self.log += after
            return
        text, values = self.filled(step.log or step.says or "")
        self.applier = applier
        entry = Entry[StepsFact](Told(self._kind("said"), text, self._card_at_hand() | values), step.ruling or "")
        if step.position == "before":
            self.log.insert(start, entry)
        elif step.position == "after":
            self.log.append(entry)
        else:
            hides = said.HIDDEN.union(step.hides)
            kept = [each for each in self.log[start:] if isinstance(each.fact, Told) or each.kind not in hides]
            self.log[start:] = [entry, *kept]

    # --- the log -----------------------------------------------------------------------------------------------------

    def tell(self, step: rules.Step) -> None:
        """Add the entry of a step that has no facts of its own: the sentence of its type."""
        if self.logs:
            sentence = full_stop(capitalised(step_words(self.system).filled(step, step.tells)))
            self.note(said.Said(step.do, sentence, {}), step.ruling or "")

    def note(self, fact: OwnFact | EffectFact, why: str = "", /, **more: Any) -> None:
        """Add an entry, in the author's words where there are any."""
        if isinstance(fact, LocateFact) and self.part_of:
            self.names["detail"] = fact.place
        if not self.logs:
            return
        if has_cup(self.system) and any(isinstance(value, Hidden) for value in fact):
            fact = _without_hidden(fact)
        form: Any = type(fact)
        kind = kind_of(form)
        if self.telling is not None and kind in self.telling[1]:
            self._tell(self.telling[0], fact, why, more)
            return
        for telling in log_wordings(self.system).get(kind, ()):
            if telling.when is None or self._figure_about(telling.when, fact, more):
                self._tell(telling, fact, why or telling.ruling or "", more)
                return
        self.log.append(Entry(fact, why))

    def _figure_about(self, formula: Formula, fact: OwnFact | EffectFact, more: Mapping[str, Any]) -> Result:
        """Return the value of a formula that may ask the fields of an entry."""
        before, self.about = self.about, self._fields(fact) | dict(more)
        value = self.figure(formula)
        self.about = before
        return value

    def _fields(self, fact: OwnFact | EffectFact) -> dict[str, Any]:
        """Return what an entry holds, for words and formulas about it."""
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
        """Add an entry in the author's words, with the values of this moment."""
        if telling.quiet and not isinstance(fact, said.Befalls):
            return
        entry: StepsFact | None = fact
        if telling.kind or telling.says or fact is None:
            before, self.about = self.about, (self._fields(fact) if fact else {}) | dict(more)
            text, quoted = self.filled(telling.says) if telling.says else ("", {})
            plain_entry = Entry(fact) if fact is not None else None
            kind = (
                plain_entry.kind
                if plain_entry and isinstance(telling, Retelling)
                else self._kind(plain_entry.kind if plain_entry else "said")
            )
            known = self._card_at_hand() | (plain_entry.facts if plain_entry else {})
            entry = Told(telling.kind or kind, text, known | quoted, fact)
            self.about = before
        assert entry is not None
        self.log.append(Entry(entry, why))

    def _kind(self, usual: str) -> str:
        """Return what JSON calls an entry in the author's words: the name of the event whose step it is."""
        return self.applier.source if self.applier.source in self.system.head.events else usual

    def _card_at_hand(self) -> dict[str, Any]:
        return {"card": self.card.code} if self.card is not None else {}

    # --- luck --------------------------------------------------------------------------------------------------------

    def roll(self, dice: Dice, reason: str, value: DiceValue = "sum") -> int:
        """Roll dice; a plain number needs no luck."""
        if not dice.count:
            return dice.plus
        self.rolled_hidden |= self.cup
        need = RollNeed(dice, reason, value=value, hidden=self.cup)
        return need.result(self.chance.roll(need))

    def duration(self, until: rules.Until, reason: str, *, waits: bool = False) -> rules.Until:
        """Return how long something lasts, with its dice rolled; those that may wait can be rolled later.

        Raises HackjackError for a formula that gives too much.
        """
        dice = until.amount
        if until.formula is not None:
            amount = 1 if self.timeless else self.figure_for(until.formula, reason)
            if not isinstance(amount, int) or amount > MAX_SPAN:
                comes_to = f"{amount:,}" if isinstance(amount, int) else signed_figure(amount)
                text = f'"{until.formula}" is {comes_to}: at most {MAX_SPAN:,} units can pass'
                raise HackjackError(text)
            return rules.Until.span(max(amount, 1), until.word)
        if dice is None:
            return until
        if self.timeless:
            return rules.Until.span(dice.least, until.word)
        if not waits or dice.is_number:
            return rules.Until.span(self.roll(dice, reason), until.word)
        need = RollNeed(dice, reason, can_wait=True)
        faces = self.chance.roll(need)
        return rules.Until.span(need.result(faces), until.word) if faces else until

    def with_span(self, held: HeldCondition) -> HeldCondition:
        """Return a condition with its length; dice that waited are rolled, and it is held so from now on."""
        rolled = super().with_span(held)
        if rolled is not held:
            self.conditions.swap(held, rolled)
        return rolled

    def peek(self) -> str | None:
        """Return the next card of the deck that is at hand, where it can be seen."""
        deck = self.reading[-1] if self.reading else next(iter(self.system.piles), "")
        left = codes_without(names_in(deck, self.system), self.out) if deck else ()
        return self.chance.peek(left) if left else None

    def choose(self, need: ChoiceNeed) -> int:
        """Return the place of the option that is chosen."""
        if self.policy == "even":
            return self.chance.roll(RollNeed(Dice(1, len(need.options)), ""))[0] - 1
        if self.policy:
            raise OpenChoiceError(*need.options, policy=self.policy)
        return self.chance.choose(need)

    def worth(self, effects: Iterable[rules.AnyEffect], applier: EffectApplier) -> Fraction:
        """Return what is better, as the event has it, after steps, on average over every way that they may go."""
        better = self.better
        assert better is not None
        if self._trials >= MAX_TRIALS:
            raise TooMuchWorkError(TOO_MUCH)

        def trial(chance: Chance) -> tuple[int, int]:
            twin = self._twin(chance)
            twin.play(effects, copy(applier))
            return formula_number(better, twin), twin.steps_taken - self.steps_taken

        ways = every_way(trial, steps=lambda done: done[1])
        return sum((weight * worth for weight, (worth, _) in ways), Fraction(0))

    def _twin(self, chance: Chance) -> EventRun:
        """Return a run as this one is now, on which something is tried with luck of its own."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | set | dict):
                setattr(twin, name, copy(value))
        twin.conditions = self.conditions.copy()
        twin.piles = {name: [*pile] for name, pile in self.piles.items()}
        twin.met = {table: [*rows] for table, rows in self.met.items()}
        twin.chance = chance
        twin._trials += 1
        return twin

    # --- what effects ask and do -------------------------------------------------------------------------------------

    def mends(self) -> bool:
        """Return whether a recovery is still to come."""
        recovers = self.system.steps.recovers
        return bool(recovers and self.figure(recovers))

    def side(self, part: str) -> str:
        """Return a part of the body as a person says it, with its side where that was told or is rolled."""
        part_of_body = self.system.head.parts[part]
        side = self.names.get("side")
        rolls_side = self.system.setting("sides") == "on" or bool(self.part_of)
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

    def hits(self, part: str, applier: EffectApplier) -> None:
        """Hurt a part of the body from now on."""
        applier.hurt = WoundContext(part, self.side(part))
        self.note(LocateFact(self.system.head.parts[part].name, applier.hurt.place))

    def grips(self) -> bool:
        """Return whether both hands hold what falls."""
        return self.names.get("hands") == "both"

    def begins(self, effect: rules.Suffer) -> Beginning | None:
        """Return how a condition begins: by how many levels, and noted with what.

        One that comes again is as it was, for as long as it was from its start; None where it neither is there nor has
        just ended.
        """
        levels = 1 if effect.levels is None else max(formula_number(effect.levels, self), 1)
        self._take_step()
        detail = None if effect.detail is None else str(self.figure(effect.detail) or "")
        if effect.until.word != "again" or effect.after is not None:
            return Beginning(effect, levels, detail)
        held = (self.over, *self.conditions.held)
        alike = [each for each in held if each is not None and each.condition == effect.condition]
        if not alike:
            self.note(said.Nothing(f"{name_of(effect.condition, self.system)} is not there to come again"))
            return None
        until = parse_span(alike[-1].span or alike[-1].until)
        return Beginning(replace(effect, until=until), levels, detail, alike[-1])

    def keep(self, wound: NewWound) -> None:
        """Hold a condition from now on, or lose points for good. Raises HackjackError for what cannot last here."""
        condition = condition_types(self.system).get(wound.effect)
        if self.part_of:
            if condition is not None:
                self.names["detail"] = condition.brief or condition.says
        elif condition is not None:
            self._hold(wound, condition)
        elif wound.effect in ("penalty", "bonus") and wound.until.word == "permanent":
            amounts = wound.by if len(wound.by) > 1 else wound.by * len(wound.to)
            sign = 1 if wound.effect == "penalty" else -1
            self.conditions.lost += [Lost(name, sign * by) for name, by in zip(wound.to, amounts, strict=True)]
        else:
            raise HackjackError(f"{wound.effect} for {wound.until} belongs in a condition: it cannot last here")

    def _hold(self, wound: NewWound, condition: rules.Condition) -> None:
        until, days, by_card = wound.until, self.system.unit_days, self.system.steps.by_card
        written = str(until)
        if until.amount is not None and until.word in days and until.amount.is_number and not by_card:
            written = str(rules.Until.span(until.amount.plus * days[until.word], "day"))
        spans = ((until.amount.plus if until.amount else 0, until.word) for until in wound.chances)
        begin = wound.beginning
        levels, detail, renews = (begin.levels, begin.detail, begin.renews) if begin else (1, None, None)
        row = str(self.names.get("row", "")) if condition.row else ""
        note = str(self.names.get("detail") or "") if condition.row else ""
        if renews is not None:
            row, note = renews.row, renews.detail
        new = HeldCondition(
            wound.effect,
            written,
            wound.place,
            min(levels, condition.levels or 1),
            tuple(sorted(amount * days.get(unit, 1) for amount, unit in spans)),
            row,
            begin.noted if begin and (begin.detail is not None or renews) else note,
            written if until.amount is not None and wound.effect in renewable_conditions(self.system) else "",
            *((wound.card, wound.to, wound.by, wound.begins) if by_card else ()),
        )
        self.conditions.add(written_alone(new, self.system), levels, detail)

    def delay(self, effect: rules.Suffer, after: rules.Until) -> None:
        """Let a condition begin after so long, unless something stops it before."""
        self.note(said.Later(effect.condition, str(after)))
        self.conditions.coming.append(Coming(effect.condition, str(after), str(effect.until)))

    def owe(self, condition: str, hurt: WoundContext) -> None:
        """Let the player owe a save."""
        self.note(said.Owed(condition, hurt.place))
        self.conditions.saves.append(Owed(condition, hurt.part, hurt.place))

    def die(self, why: str = "") -> None:
        """Let the character die, to whom nothing comes any more."""
        if not self.dead:
            self.note(said.Dies(), why)
        self.dead = self.stopped = True
        self.clear_dead()

    def clear_dead(self) -> None:
        """Take from the dead what only the living have."""
        self.conditions.clear_dead()
        _, values = living_alone(self.system)
        self.values |= {name: value for name, value in fresh_values(self.system).items() if name in values}


def _without_hidden(fact: Any) -> Any:
    """Return a fact without the numbers that nobody is told."""
    return fact._make(None if isinstance(value, Hidden) else value for value in fact)

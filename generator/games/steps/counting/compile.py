"""An event made ready for a question: backwards what has to be known, forwards what becomes of a distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from typing import Any

from generator.base.registry import Registrar
from generator.games.steps.counting.card_sets import CandidateCard, DealtCards, DeckCards, WaitingCards
from generator.games.steps.counting.dealt_cards import CardsInPlay
from generator.games.steps.counting.distribution import (
    AnyState,
    Cases,
    Distribution,
    Draft,
    Sample,
    SampledDistribution,
    State,
    StateChange,
    StepSeries,
    changed_by,
    joined,
    merged_cases,
)
from generator.games.steps.counting.formulas import EventNames, formulas_of, ready, recursive_events
from generator.games.steps.counting.keys import (
    ALL_HELD,
    CARD,
    CARDS,
    DEAD,
    HELD,
    NONE,
    PEN,
    SAVES,
    SPANS,
    WAITING,
    Drawn,
    Held,
    Key,
    KeySet,
    Line,
    Met,
    Name,
    News,
    Number,
    Pile,
    StepContext,
    Suffered,
)
from generator.games.steps.counting.liveness import Block, Effects, Liveness, Plan
from generator.games.steps.counting.run import Run
from generator.games.steps.counting.state_slots import Play, StateSlots
from generator.games.steps.definitions import Definitions
from generator.games.steps.engine import EventRun
from generator.games.steps.state import RefusedError
from generator.model import rules
from generator.model.formulas import Formula, Result
from generator.play.apply_effects import EffectApplier
from generator.play.chance import Chance, Policy, Seeded
from generator.play.every_way import TOO_MUCH, TooMuchWorkError, every_way, spend_work, work_budget, work_left

Own = Callable[[EventRun, EffectApplier], Any]
"""What the engine does of a step; what it returns tells apart what follows."""
SURE = 200
"""So much work, and one for each play, is spent on all ways of a step where plays are sampled; else it is played."""


def whole(effect: rules.AnyEffect) -> Own:
    """Return the whole of a step as the engine does it."""
    return lambda run, pen: run.play((effect,), pen)


class CompiledEvent:
    """An event made ready for a question: `after` is asked once it is over, `tallied` is counted as it comes about."""

    slots: StateSlots
    run: Run

    def __init__(
        self,
        system: rules.System,
        event: str,
        after: KeySet,
        tallied: KeySet = NONE,
        told: Sequence[Formula] = (),
        *,
        again: bool = False,
        apart: bool = False,
        policy: Policy = "",
        unknown: Sequence[str] = (),
    ) -> None:
        self.system, self.event, self.tallied, self.policy = system, event, tallied, policy
        # A card that goes back may be drawn twice.
        effects = Definitions(system).effects
        self.apart = apart or any("decks" in each.changes and not each.may_ask("cards") for each in effects)
        self.names = EventNames(system, event, unknown)
        happening = self._happening = system.head.events[event]
        self.context = StepContext(calls=frozenset({event}) & recursive_events(system), better=happening.better)
        self.piles = {deck: DeckCards(deck, system) for deck in system.piles}
        self.cards = CardsInPlay(system, self.names, self.piles)
        self.after = self._of_dead = after | self.names.reads(told, self.context)
        self._formulas = told
        self.live = Liveness(partial(planned, self))
        self._seeing = StateSlots(system, event, NONE, {}, self.cards.line_of)
        self._asked: set[Key] = {DEAD}
        self.live.settle_all(self._plan)
        while again and not (kept := self._kept()) <= self.after:
            # The next such event asks what this one leaves.
            self.after |= kept
            self.live.settle_all(self._plan)
        self._drop_needless()
        blocks = self.live.blocks.values()
        keys = frozenset(self._asked).union(self.after, *(block.before for block in blocks))
        keys |= keys.union(*(part.before | part.after for block in blocks for part in block.parts))
        self.slots = self.cards.slots = StateSlots(system, event, keys, self.piles, self.cards.line_of, policy)
        self.run = Run(self.slots, self.cards, tallied, self._of_dead, told, apart=self.apart)
        self._play = self._body.make()
        self.told = [self.value(formula, self.context) for formula in told]

    def _plan(self) -> None:
        self.watching = self.live.block(self.system.watches, self.after, self.context)
        self._body = self.event_plan(self._happening, self.watching.before, self.context)

    def _drop_needless(self) -> None:
        needed, cards = self.live.drop_needless(), self.cards
        cards.readings = {
            line: {key: reading for key, reading in readings.items() if reading.needs <= needed}
            for line, readings in cards.readings.items()
        }

    def _kept(self) -> KeySet:
        """Return what an event asks of what the one before it leaves."""
        numbers, piles = self.system.steps.numbers, self.system.steps.piles
        fresh = {*map(Number, (name for name, own in numbers.items() if own.temporary)), *PEN, CARD, WAITING}
        fresh |= {Pile(name) for name, own in piles.items() if own.temporary}
        gone = Name | Line | News
        return frozenset(key for key in self._body.before if not isinstance(key, gone) and key not in fresh)

    @cached_property
    def effects(self) -> list[rules.AnyEffect]:
        """All that the event may lead to."""
        return [*{id(effect): effect for effects in self.live.lists for effect in effects}.values()]

    def asked_of_dead(self, context: StepContext) -> KeySet:
        """Return what is asked of a character who dies there."""
        return self._of_dead if context.tried is None else context.tried

    def tells(self, condition: str, after: KeySet) -> bool:
        """Return whether anything can tell that a condition is held."""
        return self._seeing.seen(after).tells(condition)

    def value(self, formula: Formula, context: StepContext) -> Callable[[AnyState], Result]:
        """Return what gives a formula's value in a state; it rolls no dice."""
        return ready(formula, self.names, context, self.slots)

    def block_plan(self, effects: Effects, after: KeySet, context: StepContext) -> Plan | None:
        """Return steps that happen whatever else does."""
        block = self.live.block(effects, after, context)
        return Plan(block.before, lambda: self.entered_at_once(block, block.before)) if block.alive else None

    @property
    def asks(self) -> KeySet:
        """What has to be known before the event."""
        return self._body.before

    @cached_property
    def alike(self) -> dict[str, str]:
        """Return for each card by name the first of its deck that nothing asked can tell from it."""
        parts = [part.effect for block in self.live.blocks.values() for part in block.parts]
        lines = self.names.lines([*self._formulas, *(formula for part in parts for formula in formulas_of(part))])
        alike: dict[str, str] = {}
        for deck, pile in self.piles.items():
            first: dict[str, str] = {}
            for place, name in enumerate(pile.names):
                tells = [self.cards.line_of(deck, place, line) for line in (*lines, *self.cards.readings)]
                alike[name] = first.setdefault(repr(tells), name)
        return alike

    def start(self, states: Sequence[Any], said: Mapping[str, Result], sample: Sample | None = None) -> Distribution:
        """Return the states before the event, with what was told of it: each in one way, or in so many plays."""
        self.run.later, self.run.sampled = False, sample is not None
        for kind in (DealtCards, CandidateCard, WaitingCards):
            kind.forget()
        takes, before, slots = dict.fromkeys(self._happening.takes) | dict(said), self._body.before, self.slots
        tidy = slots.tidied(before)
        firsts = [changed_by(slots.first(each, takes, before, place), tidy) for place, each in enumerate(states)]
        if sample is not None:
            return SampledDistribution(dict.fromkeys(firsts, sample.plays), sample.plays, Seeded(sample.seed))
        return Distribution(dict.fromkeys(firsts, 1))

    def again(self, states: Distribution, said: Mapping[str, Result], before_it: CompiledEvent) -> Distribution:
        """Return the states after an event, compiled as `before_it`, as the next such event finds them here."""
        takes, before, slots = dict.fromkeys(self._happening.takes) | dict(said), self._body.before, self.slots
        self.run.later, self.run.sampled = True, before_it.run.sampled
        if self.run.sampled and self.apart:
            states = before_it.cards.settled(states).changed(before_it._all_before)
        if before_it is not self:
            indices = [before_it.slots.index.get(key) for key in slots.index]

            def moved(there: Draft) -> None:
                there[:] = [None if slot is None else there[slot] for slot in indices]

            states = states.changed(before_it.slots.forgetting(before_it.after, before)).changed(moved)
        states = states.changed(slots.forgetting(before_it.after, before)).changed(slots.tidied(before))
        return states.changed(lambda draft: slots.anew(draft, takes, before))

    def _all_before(self, draft: Draft) -> None:
        """Let no deck know of a card that it was drawn in this event."""
        for slot in self.slots.decks.values():
            draft[slot] = DealtCards(draft[slot].base, draft[slot].dealt, draft[slot].cuts)

    def happens(self, states: Distribution) -> Distribution:
        """Return what is left alive of a distribution after the event; deaths and tallies are kept beside."""
        self.run.begin()
        try:
            states = self.watched(self._play(states))
        except RecursionError:
            # Unlike the engine's, these steps play those that they lead to from within, so Python's limit comes before
            # that of the run. Cards that draw cards lead deep in few ways of many: plays may still end.
            raise TooMuchWorkError(TOO_MUCH) from None
        return self.cards.known_lines(joined([states, self.run.refused]), self._formulas)

    def watched(self, states: Distribution) -> Distribution:
        """Return the states after whatever watches what has happened to the living."""
        dead = self.slots.index[DEAD]
        there, others = states.halves(lambda state: state[dead])
        return joined([there, self.play(self.watching, others)])

    def play(self, block: Block, states: Distribution) -> Distribution:
        """Return what steps in a row make of a distribution."""
        self.run.enter()
        states = self._made(block)(states)
        self.run.leave()
        return states

    def _made(self, block: Block) -> StepSeries:
        """Return what steps in a row do, made ready."""
        if block.play is None:
            block.making = True
            block.play = StepSeries(play for part in reversed(block.parts) for play in self._forgetful(*part))
            block.making = False
        return block.play

    def _forgetful(
        self, effect: rules.AnyEffect, before: KeySet, after: KeySet, make: Callable[[], Play]
    ) -> list[Play]:
        """Return a step that first looks at what it asks of the card, and forgets what nobody asks any more."""
        formulas = [each for each in formulas_of(effect) if each is not getattr(effect, "best", None)]
        asks: list[Play] = [partial(self.cards.known_lines, formulas=formulas)] if self.names.lines(formulas) else []
        return [*asks, make(), StateChange(self.slots.forgetting(before, after))]

    def entered(self, block: Block, before: KeySet) -> Play:
        """Return what plays steps for states in which those keys are known: what the steps do not ask goes first."""
        forget = self.slots.forgetting(before, block.before)
        return lambda states: self.play(block, states.changed(forget))

    def entered_at_once(self, block: Block, before: KeySet) -> Play:
        """Return the same made ready now: what only changes each state by itself is a change."""
        if not block.making:
            series = StepSeries([StateChange(self.slots.forgetting(before, block.before)), self._made(block)])
            return series.as_change or series
        return self.entered(block, before)

    # --- what the engine plays ---------------------------------------------------------------------------------------

    def engine(
        self,
        own: Own,
        context: StepContext,
        reads: KeySet,
        writes: KeySet,
        after: KeySet,
        *,
        news: bool = False,
        opens: bool = False,
    ) -> Callable[[Distribution], dict[Any, Distribution]]:
        """Return what plays something with every way of its luck, once for all states that are alike for it: the states
        that come of it, apart by what it returns. Those who die of it are left out.

        Where it draws cards (`opens`), it is known before of each which it is.
        """
        slots, timeless, memory = self.slots, SPANS not in after, dict[State, Cases]()
        # A save that is owed may be seen as the condition that it brings.
        both = {HELD, SAVES} if writes & {HELD, SAVES, ALL_HELD} else NONE
        keys = {*reads, *writes, *both}
        if hand := None if opens or CARD not in keys else slots.hand_of:
            # Of all cards, the run needs only the one at hand.
            keys -= {CARD, CARDS, *self.names.decks}
        asked, changed = slots.indices(keys), slots.indices({*writes, *both, DEAD})

        def ways_of(state: State, states: Distribution) -> Cases:
            def played(chance: Chance) -> Any:
                run, pen = slots.event_run(state, context, chance, timeless=timeless, opens=opens)
                out, drawn = Counter(run.out), len(run.drawn)
                label = own(run, pen)
                if out - Counter(run.out):
                    self.run.shuffles()
                items = self._news(run, run.drawn[drawn:], after) if news else NONE
                now = slots.taken(run, pen, state, changed, after, opens=opens)
                return tuple([now[slot] for slot in changed]), (label, run.stopped, items)

            key, many = (hand(state) if hand else None, *[state[slot] for slot in asked]), states.ways[state]
            if key not in memory:
                luck = states.luck if isinstance(states, SampledDistribution) else None
                left = work_left()
                # Where that is too much, enough is left to play it.
                most = SURE + many if left is None else min(SURE + many, left // 4)
                try:
                    with work_budget(most) if luck else nullcontext():
                        ways = [*every_way(played, steps=lambda _: 2)]
                except TooMuchWorkError:
                    if luck is None:
                        raise
                    spend_work(2 * many)
                    return merged_cases((played(luck), 1, many) for _ in range(many))
                memory[key] = merged_cases((done, *share.as_integer_ratio()) for share, done in ways)
            return memory[key]

        def made(state: State, case: Any) -> Any:
            (now, tag), draft = case, [*state]
            for slot, value in zip(changed, now, strict=True):
                draft[slot] = value
            return tuple(draft), tag

        def play(states: Distribution) -> dict[Any, Distribution]:
            ends: dict[Any, list[Distribution]] = {}
            states = self.cards.settled(states) if opens else states
            for (label, dead, items), part in states.labelled(partial(ways_of, states=states), made).items():
                for item in sorted(items):
                    part = self.run.mark(part, item, after)
                ends.setdefault(label, []).append(self.run.die(part, context) if dead else part)
            return {label: joined(parts) for label, parts in ends.items()}

        return play

    def _news(self, run: EventRun, drawn: Iterable[str], after: KeySet) -> frozenset[Key]:
        """Return what a run has met and drawn of what is asked or tallied."""
        items: set[Key] = {Drawn(name) for name in drawn}
        items |= {Met(table) for table in run.met}
        items |= {Met(table, row) for table, rows in run.met.items() for row in rows}
        items |= {Suffered(name) for name in run.suffered}
        return frozenset(item for item in items if item in after or item in self.tallied)

    def by_engine(
        self,
        own: Own,
        after: KeySet,
        context: StepContext,
        reads: KeySet,
        writes: KeySet,
        *,
        news: bool = False,
        opens: bool = False,
    ) -> Plan:
        """Return a step that the engine plays; `writes` are the keys that it may change."""

        def make() -> Play:
            play = self.engine(own, context, reads, writes, after, news=news, opens=opens)
            return lambda states: joined(play(states).values())

        return Plan(after | reads, make)

    def with_all(self, effect: rules.AnyEffect, after: KeySet, context: StepContext, reads: KeySet) -> Plan:
        """Return a step that the engine plays, with whatever it leads to."""
        reads |= after.union(key for key in self.tallied if isinstance(key, News))
        reads |= self.names.all if self.draws_later else NONE
        opens = self.names.all <= reads
        return self.by_engine(whole(effect), after, context, reads, reads, news=True, opens=opens)

    @cached_property
    def draws_later(self) -> bool:
        """Whether conditions draw cards, read them or shuffle as time passes and as they end."""
        return any(isinstance(each, rules.CardStep) for each in self._later)

    @property
    def _later(self) -> list[rules.AnyEffect]:
        """What conditions do as time passes and as they end."""
        conditions = self.system.head.conditions.values()
        lists = [does for each in conditions for does in (*each.each.values(), *each.ends.values())]
        return [effect for effects in lists for _, effect in rules.walk_effects(effects)]

    def refuse(self, state: AnyState, effect: rules.AnyEffect, context: StepContext) -> None:
        """Let the engine say why a step cannot be played in a state."""

        def play(chance: Chance) -> None:
            run, pen = self.slots.event_run(state, context, chance)
            run.play((effect,), pen)

        next(iter(every_way(play)), None)

    def figures(
        self, formulas: Sequence[Formula | None], context: StepContext
    ) -> Callable[[Distribution], dict[Any, Distribution]]:
        """Return what tells states apart by the values of formulas."""
        if self.names.rolls(formulas):

            def own(run: EventRun, _: EffectApplier) -> Any:
                return tuple(None if each is None else run.figure(each) for each in formulas)

            return self.engine(own, context, self.names.reads(formulas, context), NONE, NONE)
        known = [(None,) if each is None else self.names.value(each.tree, context) for each in formulas]
        if all(value is not None for value in known):
            same = tuple(value[0] for value in known if value is not None)
            return lambda states: {same: states} if states.ways else {}
        values = [None if each is None else self.value(each, context) for each in formulas]
        return lambda states: states.parts(
            lambda state: tuple([None if value is None else value(state) for value in values])
        )

    def event_plan(self, happening: rules.Happening, after: KeySet, context: StepContext) -> Plan:
        """Return an event in the names that it takes: what is figured where nothing is told, its needs, its steps."""
        block = self.live.block(happening.do_, after, context)
        needed = self.names.reads([need.holds for need in happening.needs], context)
        before = block.before | needed | {Held("has", name) for need in happening.needs for name in need.free_of}
        figured = []
        for name, argument in reversed(happening.takes.items()):
            formulas = [argument.default, argument.when]
            figures = formulas != [None, None] or argument.flag or argument.die
            if name not in dict(context.known) and figures and (Name(name) in before or argument.when):
                reads = self.names.reads(formulas, context) | {Name(name)}
                figured.append((name, argument, reads, before))
                before |= reads
        self._asked |= before

        def make() -> Play:
            takes = [self._taken(*each, context) for each in reversed(figured)]
            checks = [self._needed(need, context) for need in happening.needs]
            play = self.entered_at_once(block, before)
            if not takes and not checks:
                return play
            forget, row = self.slots.forgetting(before, self.after), context is self.context

            def happens(state: State) -> bool:
                try:
                    for check in checks:
                        check(state)
                except RefusedError:
                    if not (row and self.run.later):
                        raise
                    return False
                return True

            def run(states: Distribution) -> Distribution:
                for take in takes:
                    states = take(states)
                if checks:
                    states, refused = states.halves(happens)
                    # Whoever it cannot happen to any more in a row of events stays as they are.
                    self.run.refused = refused.changed(forget) if row else self.run.refused
                return play(states)

            return run

        return Plan(before, make)

    def _needed(self, need: Any, context: StepContext) -> Callable[[State], None]:
        """Return what raises RefusedError for a state in which an event cannot happen."""
        holds = self.value(need.holds, context) if need.holds is not None else None

        def check(state: State) -> None:
            if need.free_of or (holds is not None and not holds(state)):
                self.slots.event_run(state, context)[0].check_need(need)

        return check

    def _taken(self, name: str, argument: rules.Argument, reads: KeySet, after: KeySet, context: StepContext) -> Play:
        """Return what figures an argument that was not told."""

        def own(run: EventRun, _: EffectApplier) -> None:
            run.bind({name: argument}, {name: run.names.get(name)})

        return self.by_engine(own, after | reads, context, reads, frozenset({Name(name)})).make()


Counts = Callable[[CompiledEvent, Any, KeySet, StepContext], Plan | None]
_COUNTS: dict[type[Any], Counts] = {}
"""How steps are planned for what is asked after them, by their type; None where nothing can tell them."""
counts = Registrar(_COUNTS)


def planned(compiled: CompiledEvent, effect: rules.AnyEffect, after: KeySet, context: StepContext) -> Plan | None:
    """Return a step for what is asked after it, as its type is counted; None where nothing can tell it."""
    kind = next(each for each in type(effect).__mro__ if each in _COUNTS)
    return _COUNTS[kind](compiled, effect, after, context)

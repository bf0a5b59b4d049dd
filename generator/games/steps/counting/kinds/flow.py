"""Steps that decide what follows: conditions, choices, luck, and steps that are repeated."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from generator.base.dice import Dice
from generator.games.steps.counting.compile import CompiledEvent, Own, counts
from generator.games.steps.counting.distribution import Distribution, State, StateChange, changed_by, joined
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import CARDS, NONE, KeySet, Name, StepContext
from generator.games.steps.counting.liveness import Effects, Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.engine import EventRun
from generator.games.steps.kinds.dice import rolled_results
from generator.games.steps.kinds.saves import passes
from generator.games.steps.luck_asked import ranked, weighs
from generator.model import rules
from generator.model.formulas import formula_number
from generator.play.apply_effects import EffectApplier
from generator.play.chance import ChoiceNeed


@counts(rules.When)
def count_when(compiled: CompiledEvent, step: rules.When, after: KeySet, context: StepContext) -> Plan | None:
    """Return a condition with both its sides, or the one that holds in every state."""
    known = compiled.names.value(step.holds.tree, context)
    if known is not None:
        return compiled.block_plan(step.then if known[0] else step.otherwise, after, context)
    sides = [compiled.live.block(does, after, context) for does in (step.otherwise, step.then)]
    if not any(side.alive for side in sides):
        return None
    before = sides[0].before | sides[1].before | compiled.names.reads([step.holds], context)

    def make() -> Play:
        plays = [compiled.entered_at_once(side, before) for side in sides]
        if compiled.names.rolls([step.holds]):
            values = compiled.figures([step.holds], context)
            return lambda states: joined(plays[bool(value)](part) for (value,), part in values(states).items())
        holds, (no, yes) = compiled.value(step.holds, context), plays
        if isinstance(no, StateChange) and isinstance(yes, StateChange):
            return StateChange(lambda draft: yes.of(draft) if holds(draft) else no.of(draft))

        def when(states: Distribution) -> Distribution:
            then, otherwise = states.halves(holds)
            return joined([plays[1](then), plays[0](otherwise)])

        return when

    return Plan(before, make)


@counts(rules.Say)
def count_say(compiled: CompiledEvent, step: rules.Say, after: KeySet, context: StepContext) -> Plan | None:
    """Return the steps that an entry of the log stands before."""
    return compiled.block_plan(step.do_, after, context)


@counts(rules.RollFor)
def count_roll_for(compiled: CompiledEvent, step: rules.RollFor, after: KeySet, context: StepContext) -> Plan | None:
    """Return a roll whose result decides what follows."""
    reads = compiled.names.reads(formulas_of(step), context)
    return _deciding(compiled, lambda run, pen: rolled_results(run, step, pen), step.results, after, context, reads)


@counts(rules.OneOf)
def count_one_of(compiled: CompiledEvent, step: rules.OneOf, after: KeySet, context: StepContext) -> Plan | None:
    """Return a die that decides which of some effects happens."""
    sides = {index: (each,) for index, each in enumerate(step.effects)}
    die = Dice(1, len(sides))
    return _deciding(compiled, lambda run, _: run.roll(die, "") - 1, sides, after, context, NONE)


@counts(rules.Check)
def count_check(compiled: CompiledEvent, step: rules.Check, after: KeySet, context: StepContext) -> Plan | None:
    """Return a check, with what it rolled and its degrees."""
    reads, writes = compiled.names.reads(formulas_of(step), context), frozenset({Name("degrees"), Name("rolled")})
    # The degrees are a formula of this roll, not of an earlier one.
    bounds = [each for each in formulas_of(step) if each is not step.degrees]
    reads = compiled.names.reads(bounds, context) | (reads - writes)
    sides = {True: step.passes, False: step.fails}
    return _deciding(compiled, lambda run, pen: passes(run, step, pen), sides, after, context, reads, writes)


@counts(rules.Choose)
def count_choose(compiled: CompiledEvent, step: rules.Choose, after: KeySet, context: StepContext) -> Plan | None:
    """Return a choice, as it falls while odds are counted."""
    if weighs(compiled.policy, context.better):
        return _weighed(compiled, step, after, context)

    def chosen(run: EventRun, _: EffectApplier) -> str:
        options = [each for each in step.options if each not in step.only or run.figure(step.only[each])]
        return options[run.choose(ChoiceNeed(tuple(options))) if len(options) > 1 else 0] if options else ""

    reads = compiled.names.reads(formulas_of(step), context)
    return _deciding(compiled, chosen, step.options, after, context, reads)


def _deciding(
    compiled: CompiledEvent,
    own: Own,
    sides: Mapping[Any, Effects],
    after: KeySet,
    context: StepContext,
    reads: KeySet,
    writes: KeySet = NONE,
) -> Plan | None:
    """Return a step by which luck or a player decides what follows."""
    blocks = {label: compiled.live.block(does, after, context) for label, does in sides.items()}
    before = after.union(*(block.before for block in blocks.values()))
    if not (any(block.alive for block in blocks.values()) or writes & before):
        return None
    writes &= before

    def make() -> Play:
        play = compiled.engine(own, context, reads, writes, before)
        plays = {label: compiled.entered(block, before) for label, block in blocks.items()}
        return lambda states: joined(
            plays[label](part) if label in plays else part for label, part in play(states).items()
        )

    return Plan(before - writes | reads, make)


def _weighed(compiled: CompiledEvent, step: rules.Choose, after: KeySet, context: StepContext) -> Plan | None:
    """Return a choice that falls by what is better: each option is tried first, for that alone."""
    better, options = context.better, [*step.options]
    blocks = [compiled.live.block(does, after, context) for does in step.options.values()]
    if better is None or not any(block.alive for block in blocks):
        return None
    worth = compiled.names.reads([better], context)
    # What comes about in a trial is tallied nowhere.
    tallied, compiled.tallied = compiled.tallied, NONE
    trials = [compiled.live.block(does, worth, context._replace(tried=worth)) for does in step.options.values()]
    compiled.tallied = tallied
    tried = worth.union(*(trial.before for trial in trials))
    tried |= {CARDS} if tried & compiled.names.decks else NONE
    reads = compiled.names.reads(formulas_of(step), context)
    before = after.union(tried, reads, *(block.before for block in blocks))

    def make() -> Play:
        plays = [compiled.entered(each, before) for each in blocks]
        tries = [compiled.entered(each, tried) for each in trials]
        value, forget = compiled.value(better, context), compiled.slots.forgetting(before, tried)
        are_open = compiled.figures([step.only.get(option) for option in options], context)
        memory: dict[tuple[int, State], Fraction] = {}

        def worth_of(place: int, state: State) -> Fraction:
            if (place, state) not in memory:
                mean = Fraction(0)
                with compiled.run.trial() as dead:
                    living = tries[place](Distribution({state: 1}))
                    ends = [living, *(Distribution(ways, total) for total, ways in dead.items())]
                for end in ends:
                    ways = compiled.cards.known_lines(end, [better])
                    mean += Fraction(sum(number(each) * count for each, count in ways.ways.items()), ways.total)
                memory[place, state] = mean
            return memory[place, state]

        def number(state: State) -> int:
            if isinstance(known := value(state), int):
                return known
            return formula_number(better, compiled.slots.event_run(state, context)[0])

        def taken(state: State, places: Sequence[int]) -> int:
            start = changed_by(state, forget, compiled.slots.alone)
            return places[ranked([worth_of(place, start) for place in places], compiled.policy)[0]]

        def choose(states: Distribution) -> Distribution:
            ends = []
            # Whoever chooses has seen the cards that are out and in play.
            states = compiled.cards.settled(states) if tried & compiled.names.decks else states
            for values, part in are_open(compiled.cards.known_cards(states) if CARDS in tried else states).items():
                places = [index for index, option in enumerate(options) if option not in step.only or values[index]]
                if not places:
                    ends.append(part)
                    continue
                sides = part.parts(partial(taken, places=places)) if len(places) > 1 else {places[0]: part}
                ends += [plays[place](side) for place, side in sides.items()]
            return joined(ends)

        return choose

    return Plan(before, make)


@counts(rules.AsLong, rules.Loop)
def count_repeated(
    compiled: CompiledEvent, step: rules.AsLong | rules.Loop, after: KeySet, context: StepContext
) -> Plan | None:
    """Return steps that are repeated so many times, or as long as a formula holds."""
    often, until = (step.times, None) if isinstance(step, rules.Loop) else (step.most, step.holds)
    asked = compiled.names.reads([until, often], context)
    now = compiled.live.looped(after | asked, lambda now: compiled.live.block(step.do_, now, context).before)
    block = compiled.live.block(step.do_, now, context)

    def make() -> Play:
        holds, most = compiled.figures([until], context), compiled.figures([often], context)

        def run(states: Distribution) -> Distribution:
            ends = []
            for (times,), part in most(states).items():
                times = rules.MAX_AGAIN if often is None else times
                if not isinstance(times, int) or not 0 <= times <= rules.MAX_AGAIN:
                    compiled.refuse(next(iter(part.ways)), step, context)
                for _ in range(times):
                    part = compiled.play(block, part)
                    if until is None:
                        continue
                    sides = holds(compiled.cards.known_lines(part, [until]))
                    ends += [side for (value,), side in sides.items() if not value]
                    part = joined(side for (value,), side in sides.items() if value)
                ends.append(part)
            return joined(ends)

        return run

    return Plan(now, make) if block.alive else None

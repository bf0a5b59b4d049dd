"""Conditions that are suffered, and other effects that a character keeps; death."""

from functools import partial
from typing import Any

from generator.games.steps.conditions import usual_repeat
from generator.games.steps.counting.compile import CompiledEvent, counts, whole
from generator.games.steps.counting.distribution import Distribution, joined
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import (
    ALL_HELD,
    COMING,
    DETAILS,
    EXTRAS,
    GOES_ON,
    HELD,
    HELD_CARDS,
    ITS_CODE,
    ITS_WAITING,
    LASTS,
    LOST,
    NONE,
    PART,
    PLACE,
    SPANS,
    VERY,
    Held,
    Key,
    KeySet,
    Name,
    Number,
    StepContext,
    Suffered,
)
from generator.games.steps.counting.liveness import Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.state import HeldCondition
from generator.model import rules
from generator.model.formulas import OF_HELD

Lasting = rules.Halve | rules.Risk | rules.Whenever | rules.Reroll | rules.Lose | rules.Penalty
"""Effects that a character may keep beside conditions."""


@counts(rules.Suffer)
def count_suffer(compiled: CompiledEvent, effect: rules.Suffer, after: KeySet, context: StepContext) -> Plan | None:
    """Return a condition that begins, with what it brings at once."""
    condition, item = compiled.system.head.conditions[effect.condition], Suffered(effect.condition)
    asked = compiled.names.reads([*formulas_of(effect), *(each.formula for each in condition.chances)], context)
    inner, begin = context._replace(of=effect.condition), lambda run, pen: pen.begin(run, effect)
    if effect.after is not None:
        plan = compiled.by_engine(begin, after, context, asked | {COMING}, frozenset({COMING}))
        return _where(compiled, effect, plan, after) if COMING in after else None
    if effect.until.word == "again":
        implied = compiled.live.block(condition.implies, after, inner)
        if not (implied.alive or item in after | compiled.tallied or compiled.tells(effect.condition, after)):
            return None
        return compiled.with_all(effect, after, context, implied.before | asked | {ALL_HELD, SPANS})
    now, blocks = after, []
    for each in reversed(condition.implies):
        blocks.append(compiled.live.block((each,), now, inner))
        now = blocks[-1].before | (after & {LASTS})
    same, lasts = effect.until.word == "same", any(LASTS in keys for keys in (after, *(b.before for b in blocks)))
    writes: set[Key] = set()
    if effect.until.word != "now" and not (context.of and same):
        held = not context.part_of and compiled.tells(effect.condition, now)
        writes |= {HELD} if held else {Name("detail")} & now if context.part_of else NONE
    writes |= {LASTS} if lasts and not same else NONE
    if not (any(block.alive for block in blocks) or writes or item in now | compiled.tallied):
        return None
    own_after, reads = now | ({LASTS} if lasts else NONE), asked | ({LASTS} if same else NONE)
    if writes:
        reads |= NONE if condition.whole else now & {PART, PLACE}
    if HELD in writes:
        again = usual_repeat(condition, HeldCondition("", effect.until.word, card="any" if context.inked else ""))
        again = "any" if same and not context.inked else again
        reads |= {Held(VERY, effect.condition)} if again != "apart" else NONE
        reads |= {ALL_HELD, DETAILS} if effect.detail is not None else NONE
        reads |= _bearing(compiled, now, context) | _waits_to_begin(compiled, effect, context)
    before = (own_after - ({LASTS} & writes) if writes else own_after) | (reads if writes else NONE)
    before = before | {item} if item in compiled.tallied else before - {item}

    def make() -> Play:
        start = compiled.engine(begin, context, reads, frozenset(writes), own_after) if writes else None
        hold = lasts and bool(blocks)

        def suffer(states: Distribution) -> Distribution:
            states = compiled.run.mark(states, item, now)
            states = joined(start(states).values()) if start is not None else states
            states = states.changed(partial(compiled.slots.new_pen, fresh=())) if hold else states
            for block in reversed(blocks):
                states = compiled.play(block, states).changed(compiled.slots.lasting_again if hold else None)
            return states.changed(partial(compiled.slots.lasting_again, drop=True)) if hold else states

        return suffer

    does = "" if writes or effect.where or any(block.alive for block in blocks) else f"suffer {effect.condition}"
    return _where(compiled, effect, Plan(before, make, does), after)


def _leaves(compiled: CompiledEvent, effect: Any, after: KeySet) -> bool:
    """Return whether anything can tell what an effect leaves beside its card."""
    if not isinstance(effect, rules.Whenever) or not ({ALL_HELD, SPANS}).isdisjoint(after):
        return compiled.tells(effect.do, after)
    asked = {key.name for key in after if isinstance(key, Held) and key.function in EXTRAS}
    return (
        effect.event in asked
        or (bool(asked) and effect in compiled.names.waiting_together)
        or any(
            isinstance(key, Held) and key.function in OF_HELD and compiled.tells(effect.do, frozenset({key}))
            for key in after
        )
    )


def _bearing(compiled: CompiledEvent, after: KeySet, context: StepContext, *, waits: bool = False) -> KeySet:
    """Return what has to be known of the card at hand for what is kept with it."""
    if not context.inked or not (waits or HELD_CARDS in after):
        return NONE
    return compiled.names.of_card_at_hand(ITS_CODE if HELD_CARDS in after else ITS_WAITING)


def _waits_to_begin(compiled: CompiledEvent, effect: Any, context: StepContext) -> KeySet:
    """Return what tells whether an effect begins only once somebody has recovered."""
    waits = compiled.system.steps.by_card and getattr(effect, "begins", "") == "recovery"
    return compiled.names.reads([compiled.system.steps.recovers], context) if waits else NONE


def _where(
    compiled: CompiledEvent, effect: rules.Suffer | rules.Penalty | rules.Halve, plan: Plan, after: KeySet
) -> Plan:
    """Return a step that happens only where a part of the body is hurt."""
    if effect.where is None:
        return plan

    def make() -> Play:
        slot, play = compiled.slots.index[PART], plan.make()

        def run(states: Distribution) -> Distribution:
            there, others = states.halves(lambda state: state[slot] == effect.where)
            return joined([play(there), others])

        return run

    return Plan(plan.before | after | {PART}, make)


@counts(rules.Halve, rules.Risk, rules.Whenever, rules.Reroll, rules.Lose, rules.Penalty)
def count_lasting(compiled: CompiledEvent, effect: Lasting, after: KeySet, context: StepContext) -> Plan | None:
    """Return an effect that a character keeps beside the card that brought it, or loses points by."""
    reads = compiled.names.reads(formulas_of(effect), context)
    same = getattr(effect, "until", None) == rules.Until("same")
    lost = isinstance(effect, rules.Penalty) and not compiled.system.steps.by_card
    writes = NONE if same else after & ({LASTS, LOST} if lost else {LASTS})
    if compiled.system.steps.by_card and not (context.of and same) and _leaves(compiled, effect, after):
        writes |= {HELD}
        reads |= _bearing(compiled, after, context, waits=isinstance(effect, rules.Whenever))
        reads |= after & {PART, PLACE} | ({LASTS} if same else NONE)
        reads |= _waits_to_begin(compiled, effect, context)
    per = getattr(effect, "per", None)
    reads |= {Held("level", context.of)} if per == "level" else {Number(per)} if per else NONE
    if not writes:
        return None
    before = writes if isinstance(effect, rules.Penalty) else NONE
    plan = compiled.by_engine(whole(effect), after, context, reads | before, writes)
    return _where(compiled, effect, plan, after) if isinstance(effect, rules.Penalty | rules.Halve) else plan


@counts(rules.Die)
def count_die(compiled: CompiledEvent, _: rules.Die, after: KeySet, context: StepContext) -> Plan | None:
    """Return the death of the character: nothing is asked any more but what is asked of the dead."""
    asked = compiled.asked_of_dead(context)
    if not (asked or GOES_ON in after):
        return None
    names = frozenset(key for key in after if isinstance(key, Name))
    before = names.union(key for key in asked if not isinstance(key, Name))
    return Plan(before, lambda: partial(compiled.run.die, context=context))


@counts(rules.Recur)
def count_recur(compiled: CompiledEvent, step: rules.Recur, after: KeySet, context: StepContext) -> Plan:
    """Return wounds that recur, also where nothing can tell: the engine refuses an event that has none."""
    return compiled.with_all(step, after, context, compiled.names.all)

"""Time that passes, and steps that end conditions or answer a save."""

from typing import Any

from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.distribution import Distribution, State, joined
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import (
    ALL_HELD,
    COMING,
    HELD,
    HELD_CARDS,
    NONE,
    SAVES,
    SPANS,
    KeySet,
    News,
    Number,
    StepContext,
)
from generator.games.steps.counting.liveness import Effects, Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds.time import is_felt, pass_unit
from generator.model import rules


@counts(rules.End, rules.Answer)
def count_ending(
    compiled: CompiledEvent, effect: rules.End | rules.Answer, after: KeySet, context: StepContext
) -> Plan | None:
    """Return a step that ends conditions or answers a save, with what follows: it asks how long none of them lasts."""
    conditions, reads = compiled.system.head.conditions, compiled.names.reads(formulas_of(effect), context)
    lists: list[tuple[str, Effects]] = []
    for name, condition in conditions.items():
        lists += [(name, does) for does in condition.ends.values()]
        if isinstance(effect, rules.Answer):
            saves = (each for does in (condition.implies, *condition.ends.values()) for each in does)
            lists += [
                (name, side) for each in saves if isinstance(each, rules.Save) for side in (each.passes, each.fails)
            ]
    blocks = [
        compiled.live.block(does, after, context._replace(of=name, part_of="", inked=False)) for name, does in lists
    ]
    told = after & {COMING, SAVES} or any(compiled.tells(name, after) for name in conditions)
    if not (told or any(block.alive for block in blocks)):
        return None
    reads = reads.union({ALL_HELD, SAVES}, *(block.before for block in blocks))
    if isinstance(effect, rules.End):
        reads |= {COMING} if effect.card is None else {COMING, HELD_CARDS}
    return compiled.with_all(effect, after, context, reads)


@counts(rules.Pass)
def count_pass(compiled: CompiledEvent, step: rules.Pass, after: KeySet, context: StepContext) -> Plan | None:
    """Return units of time, one after the other, with what conditions do in each."""
    tick, conditions = compiled.system.steps.clock.get(step.unit), compiled.system.head.conditions
    stops, counts = (tick.stops, tick.counts) if tick else (None, None)
    runs = [each.runs for each in conditions.values()]
    asked = compiled.names.reads([step.times, stops, *runs], context) | {ALL_HELD, SPANS, SAVES, COMING}
    asked = asked.union(
        {Number(counts)} if counts else NONE, (key for key in compiled.tallied if isinstance(key, News))
    )
    inner = context._replace(ticking=True, part_of="", of="", inked=False)
    comes = [each for each in Definitions(compiled.system).effects if isinstance(each, rules.Suffer) and each.after]
    later = [(rules.Suffer(each.condition, each.until),) for each in comes]
    lists = [(name, does) for name, each in conditions.items() for does in (*each.each.values(), *each.ends.values())]

    def before(now: KeySet) -> KeySet:
        blocks = [compiled.live.block(does, now, inner._replace(of=name)) for name, does in lists]
        blocks += [compiled.live.block(does, now, inner) for does in later] + [
            compiled.live.block(compiled.system.watches, now, context)
        ]
        return now.union(*(block.before for block in blocks))

    live = compiled.live.looped(after | asked | (compiled.names.all if compiled.draws_later else NONE), before)

    def make() -> Play:
        slots, watching = compiled.slots, compiled.live.block(compiled.system.watches, live, context)
        times, stopping = compiled.figures([step.times], context), compiled.figures([stops], context)
        opens = compiled.draws_later
        ticked = compiled.engine(
            lambda run, _: run.follow(pass_unit(run, step.unit)), inner, live, live, live, news=True, opens=opens
        )
        runs: dict[Any, bool] = {}

        def goes_on(state: State) -> bool:
            key = state[slots.index[HELD]], state[slots.index[COMING]]
            if counts is None and key not in runs:
                runs[key] = is_felt(slots.event_run(state, context)[0], step.unit)
            return counts is not None or runs[key]

        def pass_times(states: Distribution, many: Any) -> Distribution:
            if context.ticking or not isinstance(many, int):
                compiled.refuse(next(iter(states.ways)), step, context)
            ends = []
            for _ in range(many):
                states, over = states.halves(goes_on)
                ends.append(over)
                states = compiled.play(watching, joined(ticked(states).values()))
                if stops is not None:
                    sides = stopping(states)
                    ends += [side for (value,), side in sides.items() if value]
                    states = joined(side for (value,), side in sides.items() if not value)
                if not states.ways:
                    break
            return joined([*ends, states])

        return lambda states: joined(
            pass_times(part, 1 if step.times is None else many) for (many,), part in times(states).items()
        )

    return Plan(live, make)

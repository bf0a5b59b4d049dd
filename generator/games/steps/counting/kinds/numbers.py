"""Steps that change a number, a word or a name, and dice that are thrown under names."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from generator.games.steps.counting.compile import CompiledEvent, counts, whole
from generator.games.steps.counting.distribution import (
    AnyState,
    Cases,
    Distribution,
    Draft,
    State,
    StateChange,
    joined,
    put,
)
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import NONE, Key, KeySet, Name, Number, StepContext
from generator.games.steps.counting.liveness import Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.kinds.dice import pools_of
from generator.model import rules
from generator.model.formulas import MAX_VALUE, Result
from generator.play.every_way import ADDED, spend_work
from generator.play.throwing import pool_ways


@counts(rules.Raise, rules.Lower, rules.SetTo, rules.Let)
def count_change(
    compiled: CompiledEvent,
    step: rules.Raise | rules.Lower | rules.SetTo | rules.Let,
    after: KeySet,
    context: StepContext,
) -> Plan | None:
    """Return a step that changes a name or a number."""
    reads, over = compiled.names.reads(formulas_of(step), context), Name("over")
    if isinstance(step, rules.Let):
        key: Key = Name(step.name)
        number: Result = None
    else:
        number = dict(context.known).get(step.number, step.number)
        if number not in compiled.names.numbers:
            return _change_named(compiled, step, after, context, reads | {Name(step.number)})
        key = Number(str(number))
    own = compiled.system.steps.numbers.get(str(number))
    changes = isinstance(step, rules.Raise | rules.Lower)
    if key not in after and not (changes and over in after):
        return None
    if isinstance(step, rules.Raise | rules.Lower):
        if over not in after and compiled.names.value(step.by.tree, context) == (0,):
            return None
        bound = (own.most if isinstance(step, rules.Raise) else own.least) if own else None
        reads |= compiled.names.reads([bound], context) | {key}
    writes = frozenset({key, over} if changes else {key}) & after | ({key} if changes else NONE)

    def make() -> Play:
        formula = step.to if isinstance(step, rules.SetTo) else step.be if isinstance(step, rules.Let) else step.by
        if compiled.names.rolls([formula]) or (number is not None and own is None):
            return compiled.by_engine(whole(step), after, context, reads, writes).make()
        value, slot = compiled.value(formula, context), compiled.slots.index[key]
        if isinstance(step, rules.Raise | rules.Lower):
            return _moved(compiled, step, context, value, slot)

        def assigned(draft: Draft) -> None:
            there = value(draft)
            if own is not None and (isinstance(there, str) or (there is None and own.start is not None)):
                compiled.refuse(draft, step, context)
            draft[slot] = there

        return StateChange(assigned)

    return Plan(after - writes | reads, make)


def _change_named(
    compiled: CompiledEvent,
    step: rules.Raise | rules.Lower | rules.SetTo,
    after: KeySet,
    context: StepContext,
    reads: KeySet,
) -> Plan:
    """Return a step that changes the number whose name an argument holds."""
    takes = [event.takes.get(step.number) for event in compiled.system.head.events.values()]
    words = {word for each in takes if each is not None for word in each.of}
    own = [number for name, number in compiled.system.steps.numbers.items() if name in words]
    bounds = [bound for number in own for bound in (number.least, number.most)]
    changed = frozenset(map(Number, words))
    reads |= changed | compiled.names.reads(bounds, context)
    writes = changed & after | {Name("over")}
    return compiled.by_engine(whole(step), after, context, reads, writes)


def _moved(
    compiled: CompiledEvent,
    step: rules.Raise | rules.Lower,
    context: StepContext,
    by: Callable[[AnyState], Result],
    slot: int,
) -> Play:
    """Return what raises or lowers a number."""
    up, name = isinstance(step, rules.Raise), str(dict(context.known).get(step.number, step.number))
    own = compiled.system.steps.numbers[name]
    bounds = (step.most, own.most) if isinstance(step, rules.Raise) else (step.least, own.least)
    limits = [compiled.value(bound, context) for bound in bounds if bound is not None]
    over = compiled.slots.index.get(Name("over"))

    def moved(draft: Draft) -> None:
        current, amount = draft[slot], by(draft)
        if not isinstance(amount, int) or not isinstance(current, int):
            compiled.refuse(draft, step, context)
            raise AssertionError(step)
        wanted = new = current + amount if up else current - amount
        for bound in limits:
            if isinstance(limit := bound(draft), int):
                new = max(min(new, limit), min(current, wanted)) if up else min(max(new, limit), max(current, wanted))
        if not -MAX_VALUE <= new <= MAX_VALUE:
            new = MAX_VALUE if new > 0 else -MAX_VALUE
        draft[slot] = new
        put(draft, over, abs(wanted - new))

    return StateChange(moved)


@counts(rules.Throw)
def count_throw(compiled: CompiledEvent, step: rules.Throw, after: KeySet, context: StepContext) -> Plan | None:
    """Return a step that throws dice: name by name, and of each only what is asked."""
    names, formulas = set(map(Name, rules.given_names(step))) & after, formulas_of(step)
    if not names:
        return None

    def make() -> Play:
        figures, slot = compiled.figures(formulas, context), compiled.slots.index

        def throw(states: Distribution) -> Distribution:
            ends = []
            for values, part in figures(states).items():
                if not all(isinstance(value, int) for value in values):
                    compiled.refuse(next(iter(part.ways)), step, context)
                for name, pool in pools_of(step, dict(zip(formulas, values, strict=True)).__getitem__):
                    given = [Name(each) for each in (name, name + rules.FIRST, *step.counts)]
                    asked = [(slot[key], place) for place, key in enumerate(given) if key in names]
                    spend_work(pool.sums // ADDED)
                    ways: dict[State, int] = {}
                    for (total, first, faces), count in pool_ways(pool).items():
                        shown = (total, first, *faces)
                        told = tuple([shown[place] for _, place in asked])
                        ways[told] = ways.get(told, 0) + count
                    part = part.branched(partial(_settled, [index for index, _ in asked], ways, sum(ways.values())))
                ends.append(part)
            return joined(ends)

        return throw

    return Plan(after - names | compiled.names.reads(formulas, context), make)


def _settled(slots: Sequence[int], ways: Mapping[State, int], total: int, state: State) -> Cases:
    """Return a state with each of some values in some slots, and the ways of each."""
    cases = []
    for values, count in ways.items():
        after = list(state)
        for slot, value in zip(slots, values, strict=True):
            after[slot] = value
        cases.append((tuple(after), count))
    return cases, total

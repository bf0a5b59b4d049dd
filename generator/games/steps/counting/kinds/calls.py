"""Events that other events call."""

from collections.abc import Sequence
from functools import partial

from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.distribution import Distribution, Draft, StateChange, StepSeries, joined
from generator.games.steps.counting.formulas import recursive_events
from generator.games.steps.counting.keys import HURT, NONE, PEN, PLACED_HURT, KeySet, Name, StepContext
from generator.games.steps.counting.liveness import Plan
from generator.games.steps.counting.state_slots import Play
from generator.model import rules
from generator.model.formulas import NAMING, Formula, Result


def call_plan(
    compiled: CompiledEvent, step: rules.Call, after: KeySet, context: StepContext, *, at_place: bool = True
) -> Plan | None:
    """Return an event as a part of another, which is hurt at the same place with `at_place`."""
    happening = compiled.system.head.events[step.event]
    gives = frozenset(map(Name, happening.gives)) & after
    pens = PLACED_HURT if at_place and after & HURT else NONE
    lasting = pens.union(key for key in after if not isinstance(key, Name) and key not in PEN)
    known: dict[str, Result] = {}
    for name, argument in happening.takes.items():
        told = step.takes.get(name)
        formula = told or (None if argument.of or argument.flag or argument.die else argument.default)
        if argument.when is not None or name in compiled.names.set_in[step.event]:
            continue
        if formula is None:
            known |= {} if argument.flag or argument.default is not None else {name: None}
            continue
        if step.event in context.calls and any(node.kind in ("name", *NAMING) for node in formula.tree.walk()):
            # What calls itself with other numbers each time would have no end.
            continue
        value = compiled.names.value(formula.tree, context)
        if value is not None and (argument.default is None or value[0] is not None):
            known[name] = value[0]
    side = frozenset({Name("side")}) if at_place and "side" not in happening.takes else NONE
    if side and "side" in dict(context.known) and "side" not in compiled.names.set_in[step.event]:
        known["side"] = dict(context.known)["side"]
    calls = context.calls | {step.event} & recursive_events(compiled.system)
    inner = context._replace(known=tuple(known.items()), of="", calls=calls, inked=False, better=happening.better)
    event = compiled.event_plan(happening, lasting | gives, inner)
    if not (compiled.live.block(happening.do_, lasting | gives, inner).alive or happening.needs or gives):
        return None
    takes = {name: each for name, each in step.takes.items() if Name(name) in event.before and name not in known}
    own = after - (lasting - pens) - gives
    side = side & event.before - {*map(Name, known)}
    reads = compiled.names.reads(takes.values(), context) | side | (event.before & HURT if at_place else NONE)
    before = own | reads | frozenset(key for key in event.before if not isinstance(key, Name) and key not in PEN)

    def make() -> Play:
        slots, formulas = compiled.slots, tuple(takes.values())
        given, kept = (tuple(slots.index[key] for key in keys if isinstance(key, Name)) for keys in (gives, own))
        usual = slots.fresh(dict.fromkeys(happening.takes), event.before)
        places = [slots.index[Name(name)] for name in takes]
        sides = [slots.index[key] for key in side]

        def entered(draft: Draft, figures: Sequence[Result]) -> None:
            names = [*usual]
            for place in sides:
                names[place] = draft[place]
            for place, value in zip(places, figures, strict=True):
                names[place] = value
            slots.called(draft, names, kept, given, at_place=at_place)

        def enter(states: Distribution) -> Distribution:
            parts = values(states).items()
            return joined(part.changed(partial(entered, figures=figures)) for figures, part in parts)

        begins: Play = enter
        if compiled.names.rolls(formulas):
            values = compiled.figures(formulas, context)
        else:
            each = [compiled.value(formula, context) for formula in formulas]
            begins = StateChange(lambda draft: entered(draft, [value(draft) for value in each]))
        ends = StateChange(slots.returned)
        series = StepSeries([begins, event.make(), ends] if slots.names or slots.pen else [event.make()])
        return series.as_change or series

    return Plan(before, make)


@counts(rules.Call)
def count_call(compiled: CompiledEvent, step: rules.Call, after: KeySet, context: StepContext) -> Plan | None:
    """Return the call of an event."""
    return call_plan(compiled, step, after, context)


@counts(rules.Draw, rules.Repeat, rules.Spare, rules.Again)
def count_own_event(compiled: CompiledEvent, effect: rules.Drawing, after: KeySet, context: StepContext) -> Plan | None:
    """Return an effect that is an event of the author's as the call of that event."""
    event = compiled.system.steps.plays.get(effect.do)  # type: ignore[call-overload]
    if event is None:
        return None
    takes = compiled.system.head.events[event].takes
    values = {name: getattr(effect, name) for name in effect.__struct_fields__}
    named = {name if name in takes else f"{effect.do}_{name}": value for name, value in values.items()}
    written = {
        name: Formula(f"'{value}'" if isinstance(value, str) else str(int(value)))
        for name, value in named.items()
        if name in takes
    }
    call = rules.Call(event=event, takes=written)
    return call_plan(compiled, call, after, context, at_place=False)

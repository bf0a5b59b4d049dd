"""Steps that are counted by what stands on their types: what they read, change and lead to."""

from typing import Any

from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import *
from generator.games.steps.counting.liveness import Plan
from generator.model import rules


@counts(rules.Effect)
def count_declared(compiled: CompiledEvent, effect: Any, after: KeySet, context: StepContext) -> Plan | None:
    """Return a step that the engine plays."""
    reads = compiled.names.reads(formulas_of(effect), context)
    writes: KeySet = NONE
    match effect:
        case rules.Drop() | rules.Peek() | rules.Befall():
            return None
        case rules.Revive():
            writes = frozenset({DEAD})
        case rules.Save():
            writes = after & {SAVES}
            reads |= after & {PART, PLACE} | ({LASTS} if effect.permanent else NONE)
        case rules.Locate() | rules.Place():
            writes = after & {*HURT, Name("detail")}
            reads |= HURT | {Name("side")} | writes
            writes |= after & PLACED_HURT if isinstance(effect, rules.Place) else NONE
        case _:
            return compiled.with_all(effect, after, context, compiled.names.all)
    if not writes:
        return None
    return compiled.by_engine(lambda run, pen: run.play((effect,), pen), after, context, reads, writes)

"""Dice that are thrown under names."""

from collections.abc import Mapping, Sequence
from functools import partial

from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.distribution import Cases, Distribution, State, joined
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import KeySet, Name, StepContext
from generator.games.steps.counting.liveness import Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.kinds.dice import pools_of
from generator.model import rules
from generator.play.every_way import ADDED, spend_work
from generator.play.throwing import pool_ways


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

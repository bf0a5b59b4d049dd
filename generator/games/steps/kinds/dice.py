"""Steps that roll dice with names, or for steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from generator.games.steps import log as said
from generator.games.steps.kinds import plays
from generator.model.durations import Span
from generator.model.formulas import Formula, as_number, formula_number
from generator.model.rules import FIRST, RollFor, Throw
from generator.play.throwing import Pool, throw_pools

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import EffectApplier, Leads


@plays(RollFor)
def roll_for(run: EventRun, step: RollFor, applier: EffectApplier) -> Leads | None:
    """Roll dice, and run the steps of their result."""
    results = rolled_results(run, step, applier)
    return run.steps(step.results[results], applier) if results else None


def rolled_results(run: EventRun, step: RollFor, applier: EffectApplier) -> str:
    """Return the results that dice show one of, as the step has them; empty where they show none."""
    result = as_number(step.dice, run.figure_for(step.dice, step.asks or applier.called))
    run.note(said.Rolled(str(step.dice), result), step.ruling or "")
    return next((span for span in step.results if result in Span.parse(span)), "")


@plays(Throw)
def throw(run: EventRun, step: Throw, _: EffectApplier) -> None:
    """Throw dice that have names."""
    pools = [(pool, step.title(name)) for name, pool in pools_of(step, lambda each: formula_number(each, run))]
    for name, (pool, reason), thrown in zip(step.dice, pools, throw_pools(run.chance, pools), strict=True):
        counts = dict(zip(step.counts, thrown.counted, strict=True))
        total = {} if not counts or step.keep is None else {name: thrown.total}
        run.names |= {name: thrown.total, name + FIRST: thrown.first, **counts}
        if thrown.shown:
            run.note(said.Thrown(reason, pool.spoken, thrown.shown, thrown.total, total | counts), step.ruling or "")


def pools_of(step: Throw, figure: Callable[[Formula], int]) -> list[tuple[str, Pool]]:
    """Return the dice that a step throws under each name; `figure` gives the value of a formula."""
    many = 1 if step.many is None else figure(step.many)
    keep, most = (None if each is None else figure(each) for each in (step.keep, step.most))
    counts = tuple(step.counts.values())
    return [
        (name, Pool.of(many, figure(faces), keep, most, lowest=step.lowest, aces=step.aces, counts=counts))
        for name, faces in step.dice.items()
    ]

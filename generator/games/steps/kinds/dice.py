"""Steps that roll dice with names, or for steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from generator.games.content_face import Fault, known
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults, plays
from generator.model.formulas import Formula, as_number, formula_number
from generator.model.rules import FIRST, RollFor, Span, Throw
from generator.pack.strict_yaml import Trail
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


# --- what types cannot say -------------------------------------------------------------------------------------------

_ENDLESS = 10**6


@faults(Throw)
def throw_faults(pack: Definitions, step: Throw, trail: Trail) -> Iterator[Fault]:
    """Yield names that nothing uses, and keys of dice that do not go together."""
    yield from pack.idle((*(() if step.counts and step.keep is None else step.dice), *step.counts), trail)
    for name in step.titles:
        yield from known(name, step.dice, "name among its dice", (*trail, "titles", name))
    if step.counts and (len(step.dice) > 1 or step.most or step.aces):
        yield (*trail, "counts"), "dice of one name are counted as they first fall: leave out at most and aces"
    if len({*step.counts.values()}) < len(step.counts):
        yield (*trail, "counts"), "a face is counted under two names: leave one out"
    if step.lowest and step.keep is None:
        yield (*trail, "lowest"), "all of them count: say how many are kept, such as keep 1"


@faults(RollFor)
def roll_faults(pack: Definitions, step: RollFor, trail: Trail) -> Iterator[Fault]:
    """Yield results that are covered twice."""
    covered: list[tuple[int, int]] = []
    for written in step.results:
        span = Span.parse(written)
        low, top = span.low, _ENDLESS if span.high is None else span.high
        if any(low <= end and start <= top for start, end in covered):
            yield (*trail, "results", written), f"{written} is covered already"
        covered.append((low, top))

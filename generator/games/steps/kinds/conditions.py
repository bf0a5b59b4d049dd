"""Steps that end conditions, and death."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.games.steps import log as said
from generator.games.steps.kinds import plays
from generator.games.steps.lines import signed_figure
from generator.games.steps.state import HeldCondition, RefusedError, parse_span
from generator.games.steps.system_views import condition_types
from generator.model.formulas import formula_number
from generator.model.rules import Die, End, Revive
from generator.play.apply_effects import EffectApplier, WoundContext

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads


@plays(End)
def end(run: EventRun, step: End, _: EffectApplier) -> Leads:
    """End conditions, or what would come. Raises RefusedError where there is not what is chosen."""
    there, why = run.conditions, step.ruling or ""
    chosen = step.condition or step.group
    stopped = [later for later in there.coming if later.condition in (step.condition, step.coming)]
    for later in stopped:
        run.note(said.Stopped(later.condition, later.after), why)
    there.coming = [later for later in there.coming if later not in stopped]
    if step.coming:
        return
    endings = (step.ending,) if isinstance(step.ending, str) else step.ending or (run.event,)
    place = run.applier.hurt.place if step.here else None
    if chosen:
        over = list(there.of(chosen, place=place))
    else:
        over = [each for each in there.held if each.until in endings and (place is None or place == each.place != "")]
    if step.card is not None:
        card = run.figure(step.card)
        over = [each for each in over if each.card and each.card == card]
        if not over:
            raise RefusedError(f"the character has nothing from {signed_figure(card)} that this ends")
    elif not chosen:
        # What was to begin then has begun.
        there.held = [replace(each, begins="") if each.begins in endings else each for each in there.held]
    number = run.figure(step.chosen) if step.chosen is not None else None
    if isinstance(number, int):
        if not 1 <= number <= len(over):
            raise RefusedError(f"there is no number {number}: choose 1 to {len(over)}" if over else "there is none")
        over = [over[number - 1]]
    levels = None if step.levels is None else formula_number(step.levels, run)
    for each in over:
        if levels is not None and levels < each.level:
            there.swap(each, replace(each, level=each.level - levels))
            run.note(said.Eased(each.condition, each.level - levels), why)
        else:
            yield from end_condition(run, each, step.cause or run.event, why)


def end_condition(run: EventRun, held: HeldCondition, cause: str, why: str = "") -> Leads:
    """End one condition, and yield what its end by that cause leads to."""
    there = run.conditions
    if not there.holds(held):
        return
    there.swap(held, None)
    there.saves = [owed for owed in there.saves if not (owed.chance and owed.of == held.condition)]
    if cause == "save":
        run.note(said.Recovered(held.condition), why)
    else:
        detail = "" if condition_types(run.system)[held.condition].row else held.detail
        fact = said.Ends(held.condition, held.place, cause, detail, held.card)
        run.note(fact, why, unit=held.word, row=held.row)
    ends = condition_types(run.system)[held.condition].ends
    outer, run.over = run.over, held
    yield run.steps(ends.get(cause, ends.get("any", ())), applier_of(run, held))
    run.over = outer


def applier_of(run: EventRun, held: HeldCondition) -> EffectApplier:
    """Return what applies the effects of a condition: where it is, and for as long as it lasts."""
    applier = EffectApplier(
        run.system,
        condition_types(run.system)[held.condition].name or held.condition,
        WoundContext(run.system.part_at(held.place), held.place),
        parse_span(held.until),
    )
    applier.of = held.condition
    return applier


@plays(Die)
def die(run: EventRun, step: Die, _: EffectApplier) -> None:
    """Let the character die."""
    run.die(step.ruling or "")


@plays(Revive)
def revive(run: EventRun, step: Revive, _: EffectApplier) -> None:
    """Let a dead character live again, with what they had when they died."""
    if run.dead:
        run.dead = False
        run.note(said.Revives(), step.ruling or "")

"""Checks, and saves that are answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.content_face import Fault
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults, plays
from generator.games.steps.kinds.conditions import end_condition
from generator.games.steps.state import Owed, RefusedError, save_of
from generator.model.formulas import Formula, formula_number, names_roll
from generator.model.rules import Answer, Check, System, automatic_results
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import EffectApplier, WoundContext

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads


@plays(Check)
def check(run: EventRun, step: Check, applier: EffectApplier) -> Leads:
    """Roll dice against a number, and run the steps of a success or a failure."""
    return run.steps(step.passes if passes(run, step, applier) else step.fails, applier)


def passes(run: EventRun, step: Check, applier: EffectApplier) -> bool:
    """Return whether a check passes; what follows is still to come. Raises HackjackError for one without a target."""
    bound = step.at_most or step.at_least or step.over
    if bound is None:
        raise HackjackError("a check says what it is rolled against: at most, at least or over")
    target = formula_number(bound, run)
    reason = f"over {target}" if step.over else "check"
    rolled = run.roll(step.die, step.name or f"{applier.called}: {reason}")
    wants = "at_most" if step.at_most else "at_least" if step.at_least else "over"
    added = None if step.adds is None else formula_number(step.adds, run)
    total = rolled + (added or 0)
    meets = total <= target if step.at_most else total >= target if step.at_least else total > target
    run.names["rolled"] = rolled
    always, never = (span is not None and rolled in span for span in automatic_results(step, run.system.head.procedure))
    passed = always or (meets and not never)
    degrees = None
    if step.degrees is not None:
        # A result that counts against what it shows is no better or worse than it must be.
        degrees = _degrees(run, step.degrees, rolled, target, abs(total - target) if passed == meets else 0)
        run.names["degrees"] = degrees
    die, name = step.die.spoken, step.name or ""
    run.note(said.Tested(name, die, rolled, target, wants, passed, always or never, degrees, added), step.ruling or "")
    return passed


def _degrees(run: EventRun, formula: Formula, rolled: int, target: int, points: int) -> int:
    """Return how far a check has passed or failed: by a formula of the roll, or one degree for so many points."""
    before, run.about = run.about, {"rolled": rolled, "target": target}
    value = formula_number(formula, run)
    run.about = before
    if names_roll(formula):
        return value
    if value < 1:
        raise HackjackError(f'"{formula}" points are a degree: that is {value}, and must be 1 or more')
    return points // value


@plays(Answer)
def answer(run: EventRun, step: Answer, _: EffectApplier) -> Leads:
    """Pass or fail the save that is owed longest. Raises RefusedError where none is."""
    if not run.conditions.saves:
        raise RefusedError("no save is owed")
    return answered(run, passed=bool(run.figure(step.passed)), why=step.ruling or "")


def answered(run: EventRun, *, passed: bool, why: str = "") -> Leads:
    """Yield what follows as the save that is owed longest is passed or failed."""
    owed = run.conditions.saves.pop(0)
    run.note(said.Saved(owed.of, passed), why)
    if owed.chance:
        yield from _take_chance(run, owed, passed=passed)
        return
    condition = run.system.head.conditions[owed.of]
    if save := save_of(condition):
        applier = EffectApplier(run.system, condition.name or owed.of, WoundContext(owed.part, owed.place))
        yield run.steps(save.passes if passed else save.fails, applier)


def _take_chance(run: EventRun, owed: Owed, *, passed: bool) -> Leads:
    """Take one of the chances to recover: the last one that fails makes the condition permanent."""
    there = run.conditions
    held = next((each for each in there.held if each.condition == owed.of and each.until == "save"), None)
    if held is None:
        raise RefusedError(f"the character has no {owed.of} to recover from")
    if passed:
        yield from end_condition(run, held, "save")
        return
    left = len(held.chances) + sum(each.chance and each.of == owed.of for each in there.saves)
    run.note(said.ChanceLost(owed.of, left))
    if not left:
        there.swap(held, replace(held, until="permanent"))


# --- what types cannot say -------------------------------------------------------------------------------------------


@faults(Check)
def check_faults(pack: Definitions, step: Check, trail: Trail) -> Iterator[Fault]:
    """Yield a check without one number to reach, without dice, or without a consequence."""
    if sum(bound is not None for bound in (step.at_most, step.at_least, step.over)) != 1:
        yield trail, "a check is rolled against one number: give it at most, at least, or over, and the number"
    if not (step.fails or step.passes or step.degrees):
        yield trail, "this check decides nothing: give it fails or passes"
    if step.die.is_number:
        yield (*trail, "die"), f"{step.die} is a number: write dice, such as d20 or 3d6"
    points = step.degrees.plain if step.degrees else 1
    if isinstance(points, int) and points < 1:
        yield (*trail, "degrees"), f"{points} points cannot be a degree: write 1 or more"
    yield from _automatic_faults(pack, step, trail)


def automatic_faults(system: System) -> Iterator[Fault]:
    """Yield results that succeed or fail in all checks, of which no check has them from there."""
    usual, checks = system.steps.checks, [each for each in system.all_effects() if isinstance(each, Check)]
    for place, key in enumerate(("always", "never") if usual else ()):
        taken = (automatic_results(each, system.steps)[place] for each in checks if not getattr(each, key))
        if (span := getattr(usual, key)) and not any(taken):
            yield ("procedure", "checks", key), f"no check can show {span}, or each has results of its own: take it out"


def _automatic_faults(pack: Definitions, step: Check, trail: Trail) -> Iterator[Fault]:
    """Yield results that count whatever the number is, and that the dice never or always show, or that are both."""
    die, covered = step.die, dict[str, tuple[int, int]]()
    for key, span in zip(("always", "never"), automatic_results(step, pack.system.steps), strict=True):
        if span is None:
            continue
        low, top = max(span.low, die.least), die.most if span.high is None else min(span.high, die.most)
        covered[key] = (low, top)
        if low > top:
            yield (*trail, key), f"{die.spoken} never shows {span}: write what it can show"
        elif (low, top) == (die.least, die.most):
            yield (*trail, key), f"{die.spoken} always shows {span}: it decides nothing"
    lows, tops = zip(*covered.values(), strict=True) if len(covered) == 2 else ((1,), (0,))
    if max(lows) <= min(tops):
        yield (*trail, "never"), f"{max(lows)} cannot always succeed and always fail: take it out of one"

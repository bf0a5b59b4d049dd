"""Steps with which time passes."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.content_face import Fault
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults, plays
from generator.games.steps.kinds.conditions import applier_of, end_condition
from generator.games.steps.state import LONG, Coming, HeldCondition, Owed, RefusedError, parse_span
from generator.games.steps.system_views import condition_types
from generator.model.formulas import MAX_VALUE, formula_number
from generator.model.rules import UNITS, Pass, Shorten, Suffer, Until
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import EffectApplier

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads


@plays(Pass)
def pass_time(run: EventRun, step: Pass, _: EffectApplier) -> Leads:
    """Let time pass, unit by unit. Raises HackjackError while time passes."""
    times = 1 if step.times is None else formula_number(step.times, run)
    if run.ticking:
        raise HackjackError(f"a {step.unit} cannot pass while time passes")
    start, run.ticking = len(run.log), True
    tick = run.system.steps.clock.get(step.unit)
    for _each in range(times):
        if run.stopped or not (_counts(run, step.unit) or is_felt(run, step.unit)):
            break
        yield from pass_unit(run, step.unit)
        yield run.watches()
        if tick and tick.stops and run.figure(tick.stops):
            break
    run.ticking = False
    # It is told first, with the numbers as they are in the end.
    after = run.log[start:]
    del run.log[start:]
    run.note(said.Passes(step.unit, times), step.ruling or "")
    run.log += after


def _counts(run: EventRun, unit: str) -> str | None:
    """Return the number that counts such units of time."""
    tick = run.system.steps.clock.get(unit)
    return tick.counts if tick else None


def _ends_with(run: EventRun, unit: str) -> tuple[str, ...]:
    """Return until when conditions last that end with such a unit of time."""
    tick = run.system.steps.clock.get(unit)
    return tick.ends if tick else ()


def is_felt(run: EventRun, unit: str) -> bool:
    """Return whether a unit of time changes any condition."""
    ended = _ends_with(run, unit)
    shorter = run.system.units[: run.system.units.index(unit) + 1]
    conditions = condition_types(run.system)
    return bool(run.conditions.coming) or any(
        each.word in (run.system.units if run.system.steps.by_card else shorter)
        or each.until in ended
        or each.chances
        or unit in conditions[each.condition].each
        for each in run.conditions.held
    )


def pass_unit(run: EventRun, unit: str) -> Leads:
    """Let one unit of time pass: it is counted, conditions act, spans run down, and what was to come comes."""
    there = run.conditions
    if counted := _counts(run, unit):
        run.values[counted] = min(run.value(counted) + 1, MAX_VALUE)
    # What only begins in this unit does not run down in it.
    there.running = {id(each): each for each in there.held}
    for each in list(there.held):
        does = condition_types(run.system)[each.condition].each.get(unit)
        if does and not run.dead and there.holds(each):
            yield run.steps(does, applier_of(run, each))
    ended = _ends_with(run, unit)
    # What was short is over before what was long.
    for each in sorted(there.held, key=lambda held: (held.word == unit or held.word in LONG, held.until in ended)):
        if not run.dead and id(each) in there.running and there.holds(each):
            yield from _run_down(run, each, unit)
    if not run.dead:
        yield from _arrive(run, unit)


def _run_down(run: EventRun, held: HeldCondition, unit: str) -> Leads:
    """Let a condition be a unit nearer to its end."""
    there, ended = run.conditions, _ends_with(run, unit)
    runs = condition_types(run.system)[held.condition].runs
    if runs is not None and not run.figure(runs):
        return
    word, left = held.word, held.left
    shorter = run.system.units[: run.system.units.index(unit)]
    if run.system.steps.by_card and word in UNITS and unit in UNITS and held.until not in ended:
        if held.waits and Until.span(2, word).less(1, unit) == Until.span(2, word):
            return
        held = run.with_span(held)
        rest = parse_span(held.until).less(1, unit)
        if rest is None:
            yield from end_condition(run, held, "time")
        else:
            there.swap(held, replace(held, until=str(rest)))
    elif word == unit and left > 1:
        there.swap(held, held.with_left(left - 1))
    elif (word == unit and left) or word in shorter or held.until in ended:
        yield from end_condition(run, held, "time")
    elif unit == "day" and held.chances:
        _come_due(run, held)


def _come_due(run: EventRun, held: HeldCondition) -> None:
    """Come a day nearer to the saves that may end a condition."""
    chances = tuple(days - 1 for days in held.chances)
    for _ in range(chances.count(0)):
        counted = _counts(run, "day")
        run.note(said.Chance(held.condition, run.value(counted) if counted else 0))
        run.conditions.saves.append(Owed(held.condition, place=held.place, chance=True))
    run.conditions.swap(held, replace(held, chances=tuple(days for days in chances if days)))


def _arrive(run: EventRun, unit: str) -> Leads:
    """Let what was to come be one unit nearer, or here."""
    due: list[Coming] = []
    left: list[Coming] = []
    units = run.system.units
    for each in run.conditions.coming:
        after = parse_span(each.after)
        amount = after.amount.plus if after.amount else 0
        if units.index(after.word) < units.index(unit) or (after.word == unit and amount <= 1):
            due.append(each)
        elif after.word == unit:
            left.append(replace(each, after=str(Until.span(amount - 1, unit))))
        else:
            left.append(each)
    run.conditions.coming = left
    for each in due:
        name = run.system.head.conditions[each.condition].name or each.condition
        applier = EffectApplier(run.system, name)
        yield run.steps((Suffer(each.condition, parse_span(each.until)),), applier)


@plays(Shorten)
def shorten(run: EventRun, step: Shorten, _: EffectApplier) -> Leads:
    """Take time off conditions: off all, or off the longest or the one that is chosen, and the next."""
    left = formula_number(step.by, run)
    counted = [each for each in run.conditions.of(step.of) if each.word == step.unit]
    if step.every:
        for each in counted:
            yield from _take_off(run, each, left, step)
        return
    number = run.figure(step.chosen) if step.chosen is not None else None
    chosen = _chosen(run, step, number) if isinstance(number, int) else None
    while chosen is not None or (left > 0 and counted):
        longest = chosen or max(counted, key=lambda each: each.left)
        chosen, counted = None, [each for each in counted if each is not longest]
        left = yield from _take_off(run, longest, left, step)
        if step.rest == "lost":
            return


def _chosen(run: EventRun, step: Shorten, number: int) -> HeldCondition:
    """Return one of the conditions held, by its number among them. Raises RefusedError where it has no such time."""
    among = list(run.conditions.of(step.of))
    if not 1 <= number <= len(among) or among[number - 1].word != step.unit:
        numbers = [str(index) for index, each in enumerate(among, 1) if each.word == step.unit]
        hint = f": choose {', '.join(numbers)}" if numbers else ": there is none"
        raise RefusedError(f"number {number} has no {step.unit}s that could be taken off{hint}")
    return among[number - 1]


def _take_off(run: EventRun, held: HeldCondition, by: int, step: Shorten) -> Generator[Leads, None, int]:
    """Take time off one condition; return what is left over."""
    off = min(by, held.left)
    run.note(said.Shortened(held.condition, held.place, off, held.left - off, step.unit), step.ruling or "")
    if off < held.left:
        run.conditions.swap(held, held.with_left(held.left - off))
    else:
        yield from end_condition(run, held, run.event)
    return by - off


# --- what types cannot say -------------------------------------------------------------------------------------------


@faults(Pass)
def pass_faults(pack: Definitions, step: Pass, trail: Trail) -> Iterator[Fault]:
    """Yield time that passes while something else happens."""
    if trail[:1] in (("conditions",), ("watches",)):
        yield trail, "time passes in events alone: nothing that happens meanwhile can make it pass"

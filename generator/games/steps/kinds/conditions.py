"""Steps that end conditions, and death."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import did_you_mean
from generator.games.content_face import Fault
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions, event_of
from generator.games.steps.kinds import faults, plays
from generator.games.steps.lines import signed_figure
from generator.games.steps.state import HeldCondition, RefusedError, parse_span
from generator.games.steps.system_views import condition_types
from generator.model import rules
from generator.model.formulas import formula_number
from generator.model.rules import Bonus, Die, End, Penalty, Revive, Suffer
from generator.pack.strict_yaml import Trail
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


# --- what types cannot say -------------------------------------------------------------------------------------------


@faults(Suffer)
def suffer_faults(pack: Definitions, effect: Suffer, trail: Trail) -> Iterator[Fault]:
    """Yield levels that a condition lacks, and ends that nothing brings."""
    condition = pack.system.head.conditions.get(effect.condition)
    if condition and condition.while_:
        yield (*trail, "condition"), f"{effect.condition} is held while {condition.while_}: nothing else brings it"
    if effect.levels is not None and condition and not condition.levels:
        yield (*trail, "levels"), f"{effect.condition} has no levels: say how many it has where it is defined"
    if effect.after is not None and effect.until.formula is not None:
        yield (*trail, "until"), "what begins later lasts until an event, or for a span with dice: 1d6 hours"
    if effect.detail is not None and effect.after is not None:
        yield (*trail, "detail"), "nothing is noted with what begins later: leave detail or after out"
    if effect.begins == "recovery" and pack.system.steps.recovers is None:
        yield (*trail, "begins"), "nothing waits for a recovery here: use after, with a span of time"
    word = effect.until.word
    if not effect.until.is_span and word not in rules.ENDS_OF_STEPS and word not in pack.enders:
        yield (*trail, "until"), _endless(pack, word)


def _endless(pack: Definitions, word: str) -> str:
    if says := rules.missing_end("steps", "suffer", word, pack.enders):
        return says
    if word in pack.system.head.events:
        return f"{word} is for other events only, so nothing can last until it"
    events, hint = ", ".join(pack.typed[:6]) or "none yet", did_you_mean(word, (*pack.typed, *rules.ENDS_OF_STEPS))
    return f'"{word}" is neither an event ({events}) nor a span such as 1d6 rounds nor for good{hint}'


@faults(Penalty, Bonus)
def penalty_faults(pack: Definitions, effect: Penalty, trail: Trail) -> Iterator[Fault]:
    """Yield levels of what has none, and dice of which a formula would have to know the result."""
    if effect.per == "level":
        condition = pack.system.head.conditions.get(str(trail[1])) if trail[:1] == ("conditions",) else None
        if condition is None or not condition.levels:
            yield (*trail, "per"), "only what a condition with levels implies may count them: give it levels"
    rolls = not effect.by.is_number and effect.until.word != "permanent" and not pack.system.steps.by_card
    if rolls and (names := " and ".join(sorted({*effect.to} & pack.called_with("lowered", "worst")))):
        yield (*trail, "by"), f"formulas ask by how much {names} is lowered: what dice take off is not kept"


@faults(End)
def end_faults(pack: Definitions, step: End, trail: Trail) -> Iterator[Fault]:
    """Yield an end of more than one thing, or of what lasts until an event that is not known."""
    if sum(each is not None for each in (step.condition, step.group, step.ending, step.coming)) > 1:
        yield trail, "give one of condition, group, until and coming"
    condition = pack.system.head.conditions.get(step.condition or "")
    if condition and condition.while_:
        yield (*trail, "condition"), f"{step.condition} is held while {condition.while_}: nothing else ends it"
    if step.condition or step.group or step.ending or step.coming:
        return
    name, events = event_of(trail), pack.system.head.events
    if not name or name in pack.called:
        lasting = "until rest" if not name or events[name].helper else f"until {name}"
        where = f"other events call {name}" if name else "these steps are a part of several"
        cure = f"name it, as in end all {lasting}"
        yield trail, f"this ends what lasts until the event that is typed, and {where}: {cure}"
    elif step == End() and pack.used is not None and pack.awaited <= {*pack.enders, *rules.ENDS_OF_STEPS}:
        waited = {str(getattr(each, "until", "")) for each in pack.effects}
        if name not in waited | pack.ended_by_clock:
            yield trail, f"nothing lasts until {name}: write until: {name} where it begins, or name what ends"


@faults(Revive)
def revive_faults(pack: Definitions, step: Revive, trail: Trail) -> Iterator[Fault]:
    """Yield a life that nobody can get back."""
    if not any(event.dead for event in pack.system.head.events.values()):
        yield trail, "no event happens to the dead: write for the dead too in the one that revives them"

"""Steps that decide which others run: conditions, choices, repetition, and calls of other events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.content_face import Fault, known, threshold
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions, Effects, event_of
from generator.games.steps.formula_faults import constant_number
from generator.games.steps.kinds import faults, plays, riddles
from generator.games.steps.leads import led_to
from generator.games.steps.luck_asked import ranked, weighs
from generator.model import rules
from generator.model.formulas import Formula, Node, formula_number
from generator.model.rules import MAX_AGAIN, AsLong, Befall, Call, Choose, Let, Loop, Say, SetTo, When
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import EffectApplier
from generator.play.chance import ChoiceNeed
from generator.play.log import Maybe
from generator.words.effect_words import step_words
from generator.words.wording import capitalised

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads


@plays(When)
def when(run: EventRun, step: When, applier: EffectApplier) -> Leads:
    """Run steps if something holds, others if not."""
    if (chance := step.chance) is not None and not run.cup:
        die, upto = chance
        rolled = run.roll(die, applier.rolls_for(run, {f"{upto} or less": step.then}))
        run.note(Maybe(die.spoken, rolled, upto, rolled <= upto))
        holds = rolled <= upto
    else:
        holds = bool(run.figure(step.holds))
    return run.steps(step.then if holds else step.otherwise, applier)


@plays(Say)
def say(run: EventRun, step: Say, applier: EffectApplier) -> Leads:
    """Run steps, for which the author's sentence stands."""
    return run.steps(step.do_, applier)


@plays(AsLong, Loop)
def repeat(run: EventRun, step: AsLong | Loop, applier: EffectApplier) -> Leads:
    """Run steps so many times, or as long as something holds. Raises HackjackError for too many times."""
    times, holds = (step.times, None) if isinstance(step, Loop) else (step.most, step.holds)
    most = MAX_AGAIN if times is None else formula_number(times, run)
    if not 0 <= most <= MAX_AGAIN:
        raise HackjackError(f"steps can be repeated 0 to {MAX_AGAIN} times, not {most:,}")
    for _ in range(most):
        yield run.steps(step.do_, applier)
        if run.dead or (holds is not None and not run.figure(holds)):
            return


@plays(Choose)
def choose(run: EventRun, step: Choose, applier: EffectApplier) -> Leads | None:
    """Ask the player, unless there is nothing, or one thing, to choose."""
    options = [option for option in step.options if option not in step.only or run.figure(step.only[option])]
    if not options:
        return None
    option = options[0]
    if len(options) > 1 and weighs(run.policy, run.better):
        option = options[ranked([run.worth(step.options[each], applier) for each in options], run.policy)[0]]
    elif len(options) > 1:
        words = step_words(run.system)
        sentences = tuple(capitalised(words.body(step.options[each])) for each in options)
        option = options[run.choose(ChoiceNeed(tuple(options), sentences))]
    if len(options) > 1:
        run.note(said.Chosen(option), step.ruling or "")
    return run.steps(step.options[option], applier)


@plays(Call)
def call(run: EventRun, step: Call, applier: EffectApplier) -> Leads:
    """Run the steps of another event, which may name the place that is hurt from then on."""
    arguments = {name: run.figure(formula) for name, formula in step.takes.items()}
    names = {} if "side" in run.system.head.events[step.event].takes else {"side": run.names.get("side")}
    inner = run.applier = EffectApplier(run.system, step.event, applier.hurt)
    yield from run.inside(step.event, arguments, inner, names)
    applier.takes_place_of(inner)
    run.applier = applier


@plays(Befall)
def befall(run: EventRun, step: Befall, _: EffectApplier) -> None:
    """Tell that an event happens to others: whoever plays the table plays it with them."""
    if not run.logs:
        return
    values = {name: run.figure(formula) for name, formula in step.takes.items()}
    for name, argument in run.system.head.events[step.event].takes.items():
        value = values.get(name)
        if isinstance(value, int) and not argument.least <= value <= argument.most:
            bounds = f"{argument.least:,} to {argument.most:,}"
            raise HackjackError(f"{step.event} cannot befall others with {name} {value:,}: it takes {bounds}")
        if value is None:
            values.pop(name, None)
    run.note(said.Befalls(step.whom, step.event, values), step.ruling or "")


# --- what types cannot say -------------------------------------------------------------------------------------------


@faults(When)
def when_faults(pack: Definitions, step: When, trail: Trail) -> Iterator[Fault]:
    """Yield comparisons that are always decided alike: of a die anywhere, of more in an event."""
    if step.chance:
        yield from threshold(*step.chance, trail, "holds")
    comparisons = [node for node in step.holds.walk() if node.kind in ("<", "<=", ">", ">=")]
    rolled = _rolled_before(pack, trail) if comparisons and event_of(trail) else {}
    for node in comparisons if event_of(trail) else ():
        yield from _below_least(pack, node, step.holds, (*trail, "holds"))
        die, bound = (constant_number(pack, part, rolled) for part in node.parts)
        if isinstance(die, Dice) and isinstance(bound, int):
            upto = bound - (node.kind in ("<", ">="))
            if not die.least <= upto < die.most:
                always = f"always shows {upto} or less" if upto >= die.most else f"never shows {upto} or less"
                yield (*trail, "holds"), f"{die.spoken} {always}: it decides nothing"


def _rolled_before(pack: Definitions, trail: Trail) -> dict[str, Dice]:
    """Return the dice behind names where the steps of an event have come to a place."""
    constants, rolled = pack.system.steps.constants, dict[str, Dice]()
    for place, step in rules.walk_effects(pack.system.head.events[event_of(trail)].do_):
        if place == trail[3:]:
            break
        if isinstance(step, Let):
            node = step.be.tree
            about = constants.get(str(node.about)) if node.kind == "name" else node.about
            rolled.pop(step.name, None)
            if node.kind in ("name", "dice") and isinstance(about, Dice) and not about.is_number:
                rolled[step.name] = about
    return rolled


def _below_least(pack: Definitions, node: Node, formula: Formula, trail: Trail) -> Iterator[Fault]:
    """Yield a number that is compared with less than it can be: only its bound stops it, and nothing sets it."""
    left, right = node.parts if node.kind in ("<", "<=") else node.parts[::-1]
    own = pack.system.steps.numbers.get(str(left.about)) if left.kind == "name" else None
    bound = constant_number(pack, right, {})
    if own is None or own.least is None or not isinstance(bound, int):
        return
    least = constant_number(pack, own.least.tree, {})
    is_set = any(isinstance(each, SetTo) and each.number == left.about for each in pack.effects)
    if isinstance(least, int) and bound - (node.kind in ("<", ">")) < least and not is_set:
        yield trail, f'"{formula}" never holds: {left.about} stops at {least}. What goes beyond is over'


@faults(AsLong)
def repetition_faults(pack: Definitions, step: AsLong, trail: Trail) -> Iterator[Fault]:
    """Yield steps that are repeated as long as something holds that none of them can change."""
    yield from _too_often(step.most, (*trail, "most")) if step.most else ()
    names = {str(node.about) for node in step.holds.walk() if node.kind in ("name", "value", "known", "faces")}
    inside = [each for _, each in rules.walk_effects(step.do_)]
    changes = step.holds.rolls or any(_changes_more(each) or names & pack.changed_names(each) for each in inside)
    if step.most is None and not changes:
        cure = "ask for what they change, or say how often, such as at most 3 times"
        yield (*trail, "holds"), f'"{step.holds}": nothing in these steps changes that, and they go on: {cure}'


@faults(Loop)
def loop_faults(pack: Definitions, step: Loop, trail: Trail) -> Iterator[Fault]:
    """Yield a number of times that is no repetition, or too many."""
    yield from _too_often(step.times, (*trail, "times"))


def _too_often(times: Formula, trail: Trail) -> Iterator[Fault]:
    most = times.tree.about if times.tree.kind == "number" else 2
    if isinstance(most, int) and not 2 <= most <= MAX_AGAIN:
        yield trail, f"steps are repeated 2 to {MAX_AGAIN} times in all: {most:,} is none of these"


def _changes_more(step: rules.AnyEffect) -> bool:
    """Return whether a step may change more than numbers and names."""
    return bool(step.leads_to) or any(word[0] != "{" and word not in rules.NAMES_OF_MOMENT for word in step.changes)


@faults(Choose)
def choice_faults(pack: Definitions, step: Choose, trail: Trail) -> Iterator[Fault]:
    """Yield conditions of options that are not there."""
    for option in step.only:
        yield from known(option, step.options, "option", (*trail, "only", option))


@riddles(Choose)
def choice_riddles(pack: Definitions, step: Choose, trail: Trail) -> Iterator[Fault]:
    """Yield a choice whose options are compared before later steps do what it is about."""
    event = pack.system.head.events.get(event_of(trail))
    better = event.better if event else None
    if event and better and _compares_too_little(pack, step, _later(event.do_, trail[3:]), better):
        yield trail, _TOO_LITTLE


_TOO_LITTLE = (
    "options are compared after their own steps, and steps after this choice change what better with counts: put these "
    "into an event of their own, and call it in each option"
)


def _later(steps: Effects, place: Trail) -> Effects:
    """Return all steps that come after the one at a place."""
    later = steps[int(place[0]) + 1 :]
    for keys, inside in rules.nested_effects(steps[int(place[0])]) if place[1:] else ():
        if place[1 : len(keys) + 1] == keys:
            return (*_later(inside, place[len(keys) + 1 :]), *later)
    return later


def _compares_too_little(pack: Definitions, step: Choose, later: Effects, better: Formula) -> bool:
    """Return whether steps after a choice do what it is about, in what the event says is better."""
    counted = {str(node.about) for node in better.walk()}
    options = [each for does in step.options.values() for each in _with_calls(pack, does)]
    after = [*_with_calls(pack, later)]
    if not any(counted & pack.changed_names(each) for each in after):
        return False
    named = {name for each in options for name in rules.given_names(each)} - counted
    formulas = (formula for each in after for _, formula in rules.effect_formulas(each))
    read = {str(node.about) for formula in formulas for node in formula.walk()}
    return bool(named & read) or not any(counted & pack.changed_names(each) for each in options)


def _with_calls(pack: Definitions, steps: Effects, calls: tuple[str, ...] = ()) -> Iterator[rules.AnyEffect]:
    """Yield steps, those inside them and those of the events that they call."""
    events = pack.system.head.events
    for _, step in rules.walk_effects(steps):
        yield step
        for name in led_to(step, "event", pack.system):
            if name in events and name not in calls:
                yield from _with_calls(pack, events[name].do_, (*calls, name))


@faults(Call, Befall)
def call_faults(pack: Definitions, step: Call | Befall, trail: Trail) -> Iterator[Fault]:
    """Yield arguments that an event does not take, or lacks."""
    if (event := pack.system.head.events.get(step.event)) is None:
        return
    if isinstance(step, Befall) and (event.alone or event.helper):
        message = f"{step.event} never happens by itself: for others takes an event that people can type"
        yield (*trail, "event"), message
    for name in step.takes:
        yield from known(name, event.takes, "argument", (*trail, "with", name))
    for name, argument in event.takes.items():
        needed = argument.default is None and not (argument.optional or argument.flag)
        if needed and name not in step.takes:
            yield trail, f"{step.event} takes {name}: say it, as in {step.event}({name}: 1)"

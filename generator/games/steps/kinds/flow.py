"""Steps that decide which others run: conditions, choices, repetition, and calls of other events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.base.errors import HackjackError
from generator.games.steps import log as said
from generator.games.steps.kinds import plays
from generator.games.steps.luck_asked import ranked, weighs
from generator.model.formulas import formula_number
from generator.model.rules import MAX_AGAIN, AsLong, Befall, Call, Choose, Say, When
from generator.play.apply_effects import EffectApplier
from generator.play.chance import ChoiceNeed
from generator.play.log import Maybe
from generator.words.effects import step_words
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


@plays(AsLong)
def repeat(run: EventRun, step: AsLong, applier: EffectApplier) -> Leads:
    """Run steps once, and again as long as something holds. Raises HackjackError for too many times."""
    most = MAX_AGAIN if step.most is None else formula_number(step.most, run)
    if not 0 <= most <= MAX_AGAIN:
        raise HackjackError(f"steps can be repeated 0 to {MAX_AGAIN} times, not {most}")
    for _ in range(most):
        yield run.steps(step.do_, applier)
        if run.dead or not run.figure(step.holds):
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
            bounds = f"{argument.least} to {argument.most:,}"
            raise HackjackError(f"{step.event} cannot befall others with {name} {value}: it takes {bounds}")
        if value is None:
            values.pop(name, None)
    run.note(said.Befalls(step.whom, step.event, values), step.ruling or "")

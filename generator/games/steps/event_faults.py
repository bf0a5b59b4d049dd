"""Faults of events that types cannot tell: names, arguments, questions, and what they compare."""

from collections.abc import Iterator

from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions, ends_conditions
from generator.games.steps.formula_faults import formula_faults, need_faults
from generator.games.steps.leads import led_to
from generator.model import rules
from generator.model.formulas import ROLLING, Formula
from generator.model.taken_names import ARGUMENTS, EVENTS, taken_by
from generator.pack.strict_yaml import Trail

_OF_EFFECTS = ("side", "hands")
"""Arguments that effects ask for by themselves: which side is hit, and whether both hands hold what falls."""
_IN_EVERY_ANSWER = ("rows", "cards", "conditions", "numbers", "policy", "better")


def events_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield the faults of all events but those of their steps."""
    for name, event in pack.system.head.events.items():
        trail: Trail = ("events", name)
        yield from _name_faults(pack, name, event, trail)
        for key, argument in event.takes.items():
            yield from _argument_faults(pack, key, argument, (*trail, "takes", key))
        yield from _given_faults(pack, event, trail)
        for at, need in enumerate(event.needs):
            yield from need_faults(pack, need, (*trail, "needs", at))
        yield from formula_faults(pack, event.better, (*trail, "better"))
        yield from _luck_faults(pack, event.better, (*trail, "better"))
        for spread in event.spreads:
            yield from known(spread, pack.system.kept_numbers, "number", (*trail, "spreads"))
        for key, formula in (*event.odds.items(), *event.aside.items()):
            if key in _IN_EVERY_ANSWER:
                yield (*trail, "odds", key), f'"{key}" is in every answer already: choose another name'
            yield from formula_faults(pack, formula, (*trail, "odds", key))
        if name in pack.unended and not ends_conditions(event.do_):
            cure = f"add end all until {name}, or end NAME for each, here or in a watch"
            yield (*trail, "do"), f"conditions last until {name}, and no step of it ends them: {cure}"


def _name_faults(pack: Definitions, name: str, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
    if not event.do_:
        yield trail, "the event has no steps: write what happens, such as pass a round"
    if reason := taken_by(name, EVENTS):
        yield trail, reason
    if event.helper and event.alone:
        yield (*trail, "helper"), "an event for odds only never happens: leave one of the two out"
    elif (
        event.helper
        and name not in pack.called
        and not any(name in led_to(each, "others", pack.system) for each in pack.effects)
    ):
        message = f"nothing calls {name}, and nobody types it: call it, or leave out for other events only"
        yield (*trail, "helper"), message


def _argument_faults(pack: Definitions, name: str, argument: rules.Argument, trail: Trail) -> Iterator[Fault]:
    if reason := taken_by(name, ARGUMENTS) or pack.own_name(name):
        yield trail, reason
    if pack.used is not None and name not in pack.used and name not in _OF_EFFECTS:
        yield trail, f"nothing uses {name}: take it out, or name it in a formula"
    if argument.one_of:
        yield from known(argument.one_of, pack.system.steps.aims, "list of kinds", (*trail, "one_of"))
    if argument.name and (argument.of or argument.one_of):
        yield (*trail, "name"), "it takes any name, or one of some words: leave one of the two out"
    if sum((argument.name, argument.flag, argument.die, argument.card)) > 1 or (argument.flag and argument.of):
        yield trail, "give one of name, flag, die and card"
    if argument.least > argument.most:
        yield (*trail, "least"), f"{argument.least} is more than the most, {argument.most}"
    yield from formula_faults(pack, argument.default, (*trail, "default"))
    yield from formula_faults(pack, argument.when, (*trail, "when"))


def _given_faults(pack: Definitions, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
    """Yield what an event gives to those who call it and does not name."""
    names = {name for _, effect in rules.walk_effects(event.do_) for name in rules.given_names(effect)}
    names.update(name for called in pack.called_by(event.do_) for name in called.gives)
    for at, name in enumerate(event.gives):
        yield from known(name, names, "name from let or throw", (*trail, "gives", at))


def _luck_faults(pack: Definitions, better: Formula | None, trail: Trail) -> Iterator[Fault]:
    """Yield what is better and asks for luck."""
    dice = {name for name, constant in pack.system.steps.constants.items() if not constant.is_number}
    nodes = better.walk() if better else ()
    if any(node.kind in ("dice", *ROLLING.values()) or node.about in dice for node in nodes):
        yield trail, f'"{better}": what is better is figured without dice'

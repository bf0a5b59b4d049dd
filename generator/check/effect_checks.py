"""Whether effects and conditions make sense, whatever the kind of procedure."""

from collections.abc import Iterator

from generator.check.references import StructAt
from generator.games.content_face import Fault, one_die, threshold
from generator.language.writer import time_of
from generator.model.rules import (
    Check,
    Draw,
    Drop,
    Effect,
    Locate,
    Penalty,
    Risk,
    Save,
    Suffer,
    System,
    Whenever,
    walk_effects,
)
from generator.pack.strict_yaml import Trail

MAX_BROUGHT = 60
"""So many effects may follow from one condition, those of the conditions that it brings among them."""


def faults(node: StructAt, system: System, *, implied: bool) -> Iterator[Fault]:
    """Yield what is wrong with an effect; `implied`: a condition brings it, and it may last as long as that does."""
    trail, effect, around = node
    match effect:
        case Suffer():
            yield from _suffer_faults(effect, system, trail)
        case Penalty():
            done = "taken away" if effect.sign < 0 else "added"
            if effect.by.least < 1:
                yield (*trail, "by"), f"a {effect.do} of {effect.by} can be less than 1: write how much is {done}"
        case Locate():
            part = system.head.parts.get(effect.part)
            if part and part.die is None:
                yield (*trail, "part"), f'the part "{effect.part}" has no die to roll'
        case Check() if effect.price:
            yield from one_die(effect.die, (*trail, "die"))
            yield from _price_faults(effect, trail)
        case Draw():
            if effect.keep == "choose_one" and effect.cards == 1:
                yield (*trail, "cards"), "a choice needs two cards or more"
        case Whenever():
            yield from _trigger_faults(effect, trail)
        case Risk():
            yield from threshold(effect.die, effect.upto, trail)
        case Drop():
            if (effect.die is None) != (effect.upto is None):
                yield trail, "die and upto belong together: give both, or neither"
            elif effect.die and effect.upto:
                yield from threshold(effect.die, effect.upto, trail)
        case Save():
            if not implied:
                yield trail, "a save belongs in a condition: move it to the condition's implies"
            if not effect.passes and not effect.fails:
                yield trail, "this save decides nothing: give it passes or fails"
    until = getattr(effect, "until", None)
    first = trail[-1] == 0 or isinstance(around[-1], Effect)
    if until is not None and until.word == "same" and first and not implied:
        yield (*trail, "until"), '"as long" needs an effect before it: say how long it lasts'


def steps_only(effect: Effect, trail: Trail) -> Iterator[Fault]:
    """Yield keys of effects that no kind of procedure but `steps` plays."""
    if getattr(getattr(effect, "until", None), "word", "") == "again":
        yield (*trail, "until"), "this is only for procedures of the kind steps: say how long it lasts"
    if isinstance(effect, Suffer) and effect.levels is not None:
        yield (*trail, "levels"), "this is only for procedures of the kind steps"
    if isinstance(effect, Check):
        if effect.over is None or effect.over.text != "score" or not effect.price:
            yield (
                trail,
                "write check d20 over score else, and a condition or a penalty; other checks are for the kind steps",
            )
        for key in ("name", "at_most", "at_least", "always", "never", "degrees", "adds", "passes"):
            if getattr(effect, key):
                yield (*trail, key), "this belongs to checks in procedures of the kind steps"


def steps_keys(system: System) -> Iterator[Fault]:
    """Yield keys of `system.yaml` that no kind of procedure but `steps` reads."""
    head = system.head
    for key in ("events", "watches", "questions"):
        if getattr(head, key):
            yield (key,), "only procedures of the kind steps have events of their own: take this out"
    for name, condition in head.conditions.items():
        for key in ("levels", "row", "again", "each", "ends"):
            if getattr(condition, key):
                yield ("conditions", name, key), "only procedures of the kind steps play this: take it out"


def _suffer_faults(effect: Suffer, system: System, trail: Trail) -> Iterator[Fault]:
    condition = system.head.conditions.get(effect.condition)
    if condition and bool(condition.chances) != (effect.until.word == "save"):
        has = "has chances to recover: write until save" if condition.chances else "has no chances to recover"
        yield (*trail, "until"), f"{effect.condition} {has}"
    if effect.after and effect.after.word != "round":
        yield (*trail, "after"), f'"{effect.after}" is not a span in rounds'


def _trigger_faults(trigger: Whenever, trail: Trail) -> Iterator[Fault]:
    if trigger.blood is None and trigger.score is None and trigger.penalty is None:
        yield trail, "nothing follows: give it blood, score or a penalty"
    if trigger.penalty and trigger.penalty.begins != "now":
        yield (*trail, "penalty", "begins"), "effects of a trigger begin at once: take this out"
    if trigger.penalty and trigger.penalty.until != trigger.until:
        message = f"the penalty must last as long as its trigger: write {time_of(str(trigger.until))}"
        yield (*trail, "penalty", "until"), message


def _price_faults(check: Check, trail: Trail) -> Iterator[Fault]:
    """The sentence of a check says one ending for all that a failure costs, and the beginning of the check alone."""
    for place, failure in enumerate(check.price):
        if failure.begins != "now":
            yield (*trail, "fails", place, "begins"), "the price of a check begins with it: put this on the check"
        if failure.until != check.price[-1].until:
            message = f"what a check costs must last equally long: write {time_of(str(check.price[-1].until))}"
            yield (*trail, "fails", place, "until"), message


def condition_faults(system: System) -> Iterator[Fault]:
    """Conditions: one save at most, chances in days, and none that brings itself."""
    for name, condition in system.head.conditions.items():
        trail: Trail = ("conditions", name)
        saves = [place for place, effect in enumerate(condition.implies) if isinstance(effect, Save)]
        for place in saves[1:]:
            yield (*trail, "implies", place), "a condition asks for one save at most"
        for place, chance in enumerate(condition.chances):
            if chance.word not in ("day", "week", "month"):
                yield (*trail, "chances", place), f'"{chance}" is not a span in days or weeks'
    circle, brought = _brought(system)
    for name in circle[:1]:
        trail = ("conditions", name, "implies")
        yield trail, f"it would cause itself endlessly: {' -> '.join((*circle, name))}"
    for name, number in brought.items():
        if number > MAX_BROUGHT:
            trail = ("conditions", name, "implies")
            yield trail, f"with everything that it causes, it does {number:,} things; the limit is {MAX_BROUGHT:,}"
            return


def _brought(system: System) -> tuple[tuple[str, ...], dict[str, int]]:
    """A circle of conditions that bring each other, empty where there is none; and how much each brings in the end."""
    brings = {
        name: [effect.condition if isinstance(effect, Suffer) else "" for _, effect in walk_effects(condition.implies)]
        for name, condition in system.head.conditions.items()
    }
    counts: dict[str, int] = {}
    for first in brings:
        way = [first]
        while way:
            # A condition is done when all that it brings is; until then it lies on the way that led to it.
            waiting = next((name for name in brings[way[-1]] if name in brings and name not in counts), None)
            if waiting is None:
                done = way.pop()
                counts[done] = sum(1 + counts.get(name, 0) for name in brings[done])
            elif waiting in way:
                return tuple(way[way.index(waiting) :]), {}
            else:
                way.append(waiting)
    return (), counts

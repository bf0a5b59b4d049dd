"""Whether conditions and severity tables fit together: what checks of the shared vocabulary need to know about them."""

from __future__ import annotations

from collections.abc import Iterator

from generator.model.rules import (
    Again,
    AnyEffect,
    Check,
    Cure,
    Draw,
    Drop,
    Lose,
    Maybe,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Risk,
    Save,
    Spare,
    Suffer,
    System,
    Whenever,
    walk,
)
from generator.pack.faults import Fault, known, threshold
from generator.pack.strict_yaml import Trail

_CARDS_ONLY = (Again, Check, Draw, Lose, Peek, Repeat, Reroll, Spare, Whenever)
_SCORES_ONLY = (Check, Draw, Peek, Repeat, Reroll, Whenever)
MOST_BROUGHT = 60
"""So many effects may follow from one condition, those of the conditions that it brings among them."""
_INJURY_UNITS = ("day", "week", "month")
_ENDED = ("now", "same", "permanent", "save", "stable", "stand", "breath")
"""The ends that severity tables know, besides spans of time."""


def condition_faults(system: System) -> Iterator[Fault]:
    """Conditions: one save at most, chances in days, and none that brings itself."""
    for name, condition in system.head.conditions.items():
        trail: Trail = ("conditions", name)
        saves = [place for place, effect in enumerate(condition.implies) if isinstance(effect, Save)]
        for place in saves[1:]:
            yield (*trail, "implies", place), "a condition asks for one save at most"
        for place, chance in enumerate(condition.chances):
            if chance.word not in _INJURY_UNITS:
                yield (*trail, "chances", place), f'"{chance}" is no span in days or weeks'
    circle, brought = _brought(system)
    for name in circle[:1]:
        trail = ("conditions", name, "implies")
        yield trail, f"it would bring itself without an end: {' -> '.join((*circle, name))}"
    for name, number in brought.items():
        if number > MOST_BROUGHT:
            trail = ("conditions", name, "implies")
            yield trail, f"with all that it brings in turn it does {number:,} things: {MOST_BROUGHT} at most"
            return


def _brought(system: System) -> tuple[tuple[str, ...], dict[str, int]]:
    """A circle of conditions that bring each other, empty where there is none; and how much each brings in the end."""
    brings = {
        name: [effect.condition if isinstance(effect, Suffer) else "" for _, effect in walk(condition.implies)]
        for name, condition in system.head.conditions.items()
    }
    known: dict[str, int] = {}
    for first in brings:
        way = [first]
        while way:
            # A condition is done when all that it brings is; until then it lies on the way that led to it.
            waiting = next((name for name in brings[way[-1]] if name in brings and name not in known), None)
            if waiting is None:
                done = way.pop()
                known[done] = sum(1 + known.get(name, 0) for name in brings[done])
            elif waiting in way:
                return tuple(way[way.index(waiting) :]), {}
            else:
                way.append(waiting)
    return (), known


def effect_faults(effect: AnyEffect, system: System, trail: Trail, *, implied: bool) -> Iterator[Fault]:
    """What an effect names must be there, and the procedure must know what to do with it."""
    head = system.head
    if isinstance(effect, Suffer | Penalty) and effect.where:
        yield from known(effect.where, head.parts, "part", (*trail, "where"))
    match effect:
        case Suffer():
            yield from _suffer_faults(effect, system, trail)
        case Penalty():
            if effect.per:
                yield from known(effect.per, head.statistics, "statistic", (*trail, "per"))
        case Cure():
            yield from known(effect.condition, head.conditions, "condition", (*trail, "condition"))
        case Risk():
            yield from known(effect.of, head.statistics, "statistic", (*trail, "of"))
            yield from threshold(effect.die, effect.upto, trail)
        case Maybe():
            yield from threshold(effect.die, effect.upto, trail)
        case Drop():
            if (effect.die is None) != (effect.upto is None):
                yield trail, "die and upto belong together: give both, or neither"
            elif effect.die and effect.upto:
                yield from threshold(effect.die, effect.upto, trail)
        case Save():
            if not implied:
                yield trail, "a save stands in a condition: move it to the condition's implies"
            if not effect.passes and not effect.fails:
                yield trail, "nothing hangs on this save: give it passes or fails"
        case _:
            pass


def _suffer_faults(effect: Suffer, system: System, trail: Trail) -> Iterator[Fault]:
    condition = system.head.conditions.get(effect.condition)
    if condition and bool(condition.chances) != (effect.until.word == "save"):
        has = "has chances to recover: write until: save" if condition.chances else "has no chances to recover"
        yield (*trail, "until"), f"{effect.condition} {has}"
    if effect.after and effect.after.word != "round":
        yield (*trail, "after"), f'"{effect.after}" is no span in rounds'

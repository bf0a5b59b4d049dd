"""Which luck an event may ask for: cards, dice, choices. It follows all steps that the event may lead to."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.dice import Dice
from generator.games.steps.choices import chooses
from generator.model import rules
from generator.model.formulas import OF_CARD, ROLLING, Formula

_ROLLING = (
    rules.Locate, rules.Lose, rules.OneOf, rules.LookUp, rules.Place, rules.Recur, rules.Pass, rules.Check,
)  # fmt: skip
"""What may roll, though no dice stand in it."""
_ENDING = (rules.End, rules.Shorten, rules.Pass, rules.Answer)
"""What may end a condition, or let it act."""
_Lists = list[tuple[rules.AnyEffect, ...]]


def luck_of(name: str, system: rules.System) -> tuple[str, ...]:
    """Return what an event may ask for, in order: `cards`, `dice`, `choose`."""
    effects = [*_led_to(name, system)]
    defaults = [takes.default for takes in system.head.events[name].takes.values() if takes.default is not None]
    asked = {
        "cards": any(isinstance(each, rules.DrawCard) for each in effects),
        "dice": any(_rolls(each, system) for each in effects) or any(_figures(each, system) for each in defaults),
        "choose": any(map(chooses, effects)),
    }
    return tuple(kind for kind, may_be in asked.items() if may_be)


def _led_to(name: str, system: rules.System) -> Iterator[rules.AnyEffect]:
    """Yield every effect that an event may lead to, those of the watches after it too."""
    waiting: _Lists = [system.head.events[name].do_, *(watch.do_ for watch in system.head.watches)]
    met: set[tuple[str, str]] = {("event", name)}
    while waiting:
        for _, effect in rules.walk_effects(waiting.pop()):
            yield effect
            for key, lists in _leads(effect, system):
                if key not in met:
                    met.add(key)
                    waiting += lists


def _leads(effect: rules.AnyEffect, system: rules.System) -> Iterator[tuple[tuple[str, str], _Lists]]:
    """Yield what an effect leads to at once, each with its lists of effects."""
    head = system.head
    called = effect.event if isinstance(effect, rules.Call | rules.Befall) else None
    called = next((event for do, event in system.steps.plays.items() if do == effect.do), called)
    if called in head.events:
        yield ("event", called), [head.events[called].do_]
    if isinstance(effect, rules.DrawCard | rules.TakeUp):
        for deck in system.piles.values():
            yield ("deck", deck.title), [card.does(face) for card in deck.cards for face in ("", *card.faces)]
    elif isinstance(effect, rules.LookUp):
        for table in filter(None, map(system.table, system.tables_met(effect))):
            cells = [cell for row in table.rows for cell in (row.effects, *row.cells.values())]
            yield ("table", table.id), [table.every, *(cell for cell in cells if isinstance(cell, tuple))]
    names = (
        [effect.condition]
        if isinstance(effect, rules.Suffer)
        else head.conditions
        if isinstance(effect, _ENDING)
        else ()
    )
    for name in names:
        condition = system.held_conditions[name]
        yield ("condition", name), [condition.implies, *condition.each.values(), *condition.ends.values()]


def _rolls(effect: rules.AnyEffect, system: rules.System) -> bool:
    """Return whether an effect itself may roll dice."""
    fields = (getattr(effect, name) for name in effect.__struct_fields__)
    spans = (each.amount if isinstance(each, rules.Until) else each for each in fields)
    return (
        isinstance(effect, _ROLLING)
        or any(isinstance(each, Dice) and not each.is_number for each in spans)
        or any(_figures(formula, system) for _, formula in rules.effect_formulas(effect))
    )


def _figures(formula: Formula, system: rules.System) -> bool:
    """Return whether dice may be rolled to figure a formula, those that wait too."""
    if "dice by name" not in system.ready:
        takes = (each for event in system.head.events.values() for each in event.takes.items())
        names = {name for name, dice in system.steps.constants.items() if not dice.is_number}
        system.ready["dice by name"] = names | {name for name, each in takes if each.die} | {OF_CARD + "blood"}
    names = system.ready["dice by name"]
    return any(
        node.kind in ("dice", "left", *ROLLING.values()) or (node.kind == "name" and node.about in names)
        for node in formula.walk()
    )

"""The cards of steps of the author's: the conditions, to hand to whoever is in one."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games.face import SetMaker
from generator.games.steps.checks import cards_of
from generator.layout.card_elements import Blank, CardSet, Effect, Emblem, Face, Part, Rule, Short, Title, Track
from generator.model.rules import AnyEffect, Condition, Die, Suffer, System, walk
from generator.words.effects import condition_sentences, condition_telegraph

_YIELDS = ("flavour", "captions", "rule", "turned", "sentences")
_DEADLY, _PLAIN = "H", ""
_MOST_LEVELS = 12


def conditions(system: System) -> CardSet:
    """One card for each condition that has a name: what it does, and lines for where, how bad and how long."""
    named = {name: condition for name, condition in system.head.conditions.items() if condition.name}
    brought = _brought(system)
    faces = tuple(_condition(condition, brought.get(name, []), name, system) for name, condition in named.items())
    trails: dict[str, tuple[str | int, ...]] = {name: ("conditions", name) for name in named}
    return CardSet(f"the conditions of {system.head.id}", faces, "system.yaml", trails)


def _condition(condition: Condition, brought: list[Suffer], name: str, system: System) -> Face:
    deadly = any(isinstance(effect, Die) for _, effect in walk(condition.implies))
    parts: list[Part] = [
        *((Emblem("skull", ""),) if deadly else ()),
        Title(condition.name or ""),
        Rule(condition.group or "condition"),
        *(Effect(each.says, each.until) for each in condition_sentences(condition, system)),
        Short(condition_telegraph(condition, system)),
    ]
    if condition.levels and condition.levels <= _MOST_LEVELS:
        parts += [Effect("cross one off as it rises", "", "Level")]
        parts.append(Track(tuple(map(str, range(1, condition.levels + 1)))))
    if system.head.parts and not condition.whole:
        parts.append(Blank("Where"))
    if condition.chances:
        parts.append(Blank("Saves on day"))
    elif any(effect.until.amount for effect in brought):
        parts.append(Blank("Until"))
    return Face(name, _DEADLY if deadly else _PLAIN, tuple(parts), _YIELDS)


def _brought(system: System) -> dict[str, list[Suffer]]:
    """Everything that brings a condition, by its name."""
    found: dict[str, list[Suffer]] = {}
    lists: list[tuple[AnyEffect, ...]] = [each.do_ for each in system.head.events.values()]
    lists += [condition.implies for condition in system.head.conditions.values()]
    for table in system.tables:
        for row in table.rows:
            lists += [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
    lists += [effects for _, _, effects, _ in cards_of(system)]
    for effects in lists:
        for _, effect in walk(effects):
            if isinstance(effect, Suffer):
                found.setdefault(effect.condition, []).append(effect)
    return found


SETS: Mapping[str, SetMaker] = {"conditions": conditions}

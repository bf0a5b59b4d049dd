"""Cards for a fight over a field: one for everybody in the order, one for each action, and two for the piles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.cardsets import CardSet
from generator.combatants import Combatant
from generator.engine.field_fight import ACTIONS
from generator.engine.field_order import readiness
from generator.parts import Badge, Effect, Face, Flavour, Part, Rule, Short, Title
from generator.rules import System
from generator.telling import field_figures as figures
from generator.wording import filled

_SUITS = {"allies": "S", "enemies": "H"}
"""Allies in black, enemies in red; the words say it too."""


def initiative(system: System) -> CardSet:
    """Everybody's card, to be laid in the order of initiative: name, side, and what a glance needs."""
    faces = tuple(_person(person, system) for person in system.combatants)
    trails = {face.code: ("combatants", at) for at, face in enumerate(faces)}
    return CardSet(f"the initiative cards of {system.head.id}", faces, "combatants.yaml", trails)


def _person(person: Combatant, system: System) -> Face:
    low, high = min(figures.thresholds(person, system)), max(figures.thresholds(person, system))
    lines = [
        "Points: take away the defence of those in reach",
        f"{_capital(figures.armour(person))}: {low} to {high} hits, weak against {figures.weakness(person, system)}",
        f"{figures.weapon(person)}: {figures.blow(person.normal)}, critical {figures.blow(person.critical)}",
    ]
    parts: list[Part] = [Title(person.name), Rule(person.side)]
    parts += [Effect(line, "") for line in lines]
    parts += [Flavour(person.calling)] if person.calling else []
    bonus = figures.added(sum(readiness(person)))
    parts += [Badge("score", bonus, "initiative"), Badge("score", str(figures.whole_points(person, system)), "points")]
    parts.append(Badge("score", str(person.hp), "HP"))
    parts.append(Short(f"{figures.initiative(person, system)}; {figures.whole_points(person, system)} points"))
    return Face(_code(person.name), _SUITS[person.side], tuple(parts))


def actions(system: System) -> CardSet:
    """Each action of the table on a card: its price, who may take it, what it does."""
    table = system.table(ACTIONS)
    rows = table.rows if table else ()
    faces = tuple(_action(row.name or "", row.cells, system) for row in rows)
    at = next((place for place, known in enumerate(system.tables) if known.id == ACTIONS), 0)
    trails = {face.code: ("tables", at, "rows", place) for place, face in enumerate(faces)}
    return CardSet(f"the action cards of {system.head.id}", faces, "tables.yaml", trails)


def _action(name: str, cells: object, system: System) -> Face:
    known = cells if isinstance(cells, dict) else {}
    cost = str(known.get("cost", ""))
    told = [filled(str(known[name]), system) for name in ("opens", "more", "last") if name in known]
    parts: list[Part] = [Title(name), Rule(str(known.get("who", "")))]
    parts += [Effect(sentence, "") for text in told for sentence in _sentences(text)]
    parts += [Badge("score", cost, "point" if cost == "1" else "points"), Short(f"{cost}: {told[0] if told else name}")]
    return Face(_code(name), "S", tuple(parts))


def _sentences(text: str) -> Iterator[str]:
    for sentence in text.split(". "):
        yield sentence.strip().rstrip(".")


def piles(system: System) -> CardSet:
    """What lies under the two piles of the GM, so that nobody mixes them up."""
    del system
    pool = (
        "Face down, with the GM",
        "Enemies add cards from here, the top one first",
        "When it is empty, shuffle the discards: they are the pool",
    )
    discards = (
        "Face up, in one pile",
        "Every card that leaves the field comes here",
        "Nothing comes back until it is shuffled",
    )
    faces = (_pile("POOL", "Pool", "reserve", pool), _pile("DISCARDS", "Discards", "out of the field", discards))
    return CardSet("the piles", faces)


def _pile(code: str, title: str, word: str, lines: tuple[str, ...]) -> Face:
    parts: list[Part] = [Title(title), Rule(word), *(Effect(line, "") for line in lines), Short(lines[0])]
    return Face(code, "S", tuple(parts))


def _code(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "card"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


SETS = {"initiative": initiative, "actions": actions, "piles": piles}

"""A combatant's figures as they are printed: initiative, points, armour and its thresholds, damage."""

from dataclasses import replace
from typing import Any

from generator.base.dice import Dice
from generator.games.fiftytwo.fight import action_points, hit_threshold, weak_against
from generator.games.fiftytwo.order import initiative_die, readiness
from generator.games.fiftytwo.state import FieldState, Fighter
from generator.model.combatants import Combatant
from generator.model.rules import System
from generator.words.wording import MINUS, joined_words

BONUSES = (0, 1, 2, 3, 4, 5)
"""The attackers' bonuses for which a sheet has a threshold."""

_USES = {"strength": "Strength", "dexterity": "Dexterity", "bonus": "Class's own", "challenge": "Challenge rating"}


def signed(value: int) -> str:
    """Return a number that is added: `+2`, `+0`, with a real minus sign where it is taken away."""
    return f"{MINUS}{-value}" if value < 0 else f"+{value}"


def initiative_words(person: Combatant, system: System) -> str:
    """Return the die and what is added to it: `d20 +5`."""
    return f"{initiative_die(system).spoken} {signed(sum(readiness(person)))}"


def initiative_sum(person: Combatant) -> str:
    """Return the parts of an initiative without the die: `Dexterity +4, modifier +0, ...`."""
    parts = zip(("Dexterity", "modifier", "magic", "circumstance"), readiness(person), strict=True)
    return ", ".join(f"{name} {signed(part)}" for name, part in parts)


def point_sum(person: Combatant, system: System) -> str:
    """Return the parts of the action points with nobody in reach."""
    parts = zip((_USES[person.uses], "magic", "attack", "class"), action_points(person, (), 0, system), strict=False)
    return ", ".join(f"{name} {signed(part)}" for name, part in parts)


def whole_points(person: Combatant, system: System) -> int:
    """Return the action points with nobody in reach."""
    return action_points(person, (), 0, system).total


def points_in_reach(person: Combatant, system: System) -> str:
    """Return the action points with the content's opponents in reach: `15 with Evans`, or an empty string."""
    near = [other for other in system.combatants if other.name in person.reach]
    if not near:
        return ""
    return f"{action_points(person, near, 0, system).total} with {joined_words([other.name for other in near])}"


def armour_words(person: Combatant) -> str:
    """Return the armour: `Full plate +2, shield +1`, `hide like leather`."""
    worn = person.armour
    bonus = f" {signed(worn.bonus)}" if worn.bonus else ""
    shield = "" if worn.shield is None else f", shield{f' {signed(worn.shield)}' if worn.shield else ''}"
    if worn.type.casefold() == "none":
        return f"no armour{shield}"
    return f"{'hide like ' + worn.type.lower() if worn.natural else worn.type}{bonus}{shield}"


def weakness_words(person: Combatant, system: System) -> str:
    """Return the damage that the armour is weak against."""
    weak = weak_against(person, system)
    return "everything" if weak == "all" else weak


def thresholds(person: Combatant, system: System) -> tuple[int, ...]:
    """Return the threshold against each of BONUSES."""
    return tuple(hit_threshold(person, bonus, system).total for bonus in BONUSES)


def weapon_words(person: Combatant) -> str:
    """Return the weapon: `Sword +2, slashing`."""
    bonus = f" {signed(person.weapon.bonus)}" if person.weapon.bonus else ""
    return f"{person.weapon.name}{bonus}{f', {person.weapon.damage}' if person.weapon.damage else ''}"


def dice_words(dice: tuple[Dice, ...]) -> str:
    """Return dice that are added up: `d6+2 + d6`."""
    return " + ".join(one.spoken for one in dice)


def sheet_values(state: FieldState, name: str, system: System) -> dict[str, Any]:
    """Return a combatant's figures and standing in a fight, by the names of the sheet's fields."""
    system = with_people(system, state)
    people = system.combatants
    person = next(person for person in people if person.name == name)
    fighter = state.find(name)
    near = [other for other in people if other.name in person.reach]
    sums = action_points(person, near, 0, system)
    parts = dict(zip(("base", "magic", "attack", "class_bonus"), map(signed, sums[:4]), strict=True))
    states = {
        "Surprise": person.surprise,
        "Surprise attack made": fighter.struck,
        "Surprise card moved": fighter.ambushed,
        "Has acted": fighter.acted,
        "Casting": fighter.casting == "casting",
        "Spell suspended": fighter.casting == "suspended",
        "Spell works next": fighter.casting in ("done", "due"),
        "Down": fighter.hp <= 0,
    }
    ready = dict(zip(("dexterity", "modifier", "magic", "circumstance"), readiness(person), strict=True))
    return {
        "side": person.side,
        "calling": person.calling,
        "full_hp": person.hp,
        **{f"initiative_{key}": signed(value) for key, value in ready.items()},
        "initiative_sum": signed(sum(ready.values())),
        "strength": signed(person.strength),
        "intelligence": "" if person.intelligence is None else signed(person.intelligence),
        "uses": _USES[person.uses],
        **parts,
        "points": whole_points(person, system),
        "reach": joined_words([other.name for other in near]) if near else "",
        "reach_defence": sums.defence if near else "",
        "reach_points": sums.total if near else "",
        "armour": person.armour.type,
        "armour_bonus": signed(person.armour.bonus),
        "shield": "" if person.armour.shield is None else signed(person.armour.shield),
        "defence": person.defence,
        "weak": weakness_words(person, system),
        "thresholds": [{f"plus_{bonus}": hit_threshold(person, bonus, system).total for bonus in BONUSES}],
        "hits": fighter.hits,
        "weapon": person.weapon.name,
        "weapon_bonus": signed(person.weapon.bonus),
        "damage": person.weapon.damage,
        "normal": dice_words(person.normal),
        "critical": dice_words(person.critical),
        "rounds": [round_line(fighter, state)],
        "states": [label for label, holds in states.items() if holds],
        "note": person.note,
    }


def with_people(system: System, state: FieldState) -> System:
    """Return the system with the combatants that a state brings in place of its own."""
    return replace(system, combatants=state.roster or system.combatants)


def round_line(fighter: Fighter, state: FieldState) -> dict[str, Any]:
    """Return the line of the round that is being played."""
    turn = state.turn if state.turn and state.turn.who == fighter.name else None
    return {
        "round": state.round or "",
        "initiative": "" if fighter.initiative is None else fighter.initiative,
        "hits": fighter.hits,
        "points": turn.points if turn else "",
        "hp": fighter.hp,
        "owed": fighter.owed or "",
        "attacked_by": fighter.attacked_by,
    }

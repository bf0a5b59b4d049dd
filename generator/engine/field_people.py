"""Who fights: people join with their figures as typed, and leave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.combatants import MOST_COMBATANTS, Combatant
from generator.dice import Dice
from generator.engine.field_fight import armour_row
from generator.engine.field_state import Fighter, Roster, State
from generator.engine.field_table import Done
from generator.errors import HackjackError, UsageError
from generator.log import Entry
from generator.rules import System, read_custom

EVERYBODY = "everybody"
_PLAIN = ("hp", "dexterity", "strength", "intelligence", "attack", "magic")
KEYS = (
    "side",
    *_PLAIN,
    "class",
    "uses",
    "armour",
    "bonus",
    "shield",
    "weapon",
    "damage",
    "plus",
    "normal",
    "critical",
    "surprise",
    "modifier",
    "circumstance",
)
"""What may be said of somebody who joins."""


def read(name: str, at: Mapping[str, str]) -> Combatant:
    """Somebody as typed: `join Bryn` with `side=allies hp=20 armour=chain bonus=2`. Raises UsageError."""
    plain: dict[str, Any] = {"name": name, "side": at.get("side", "allies"), "hp": _whole(at, "hp", 10)}
    plain |= {key: _whole(at, key, 0) for key in _PLAIN[1:] if key in at}
    plain["class_bonus"] = _whole(at, "class", 0)
    plain["uses"] = at.get("uses", "strength")
    plain["armour"] = {"type": at.get("armour", "None"), "bonus": _whole(at, "bonus", 0)}
    if "shield" in at:
        plain["armour"]["shield"] = _whole(at, "shield", 0)
    plain["weapon"] = {"name": at.get("weapon", "weapon"), "bonus": _whole(at, "plus", 0)}
    plain["weapon"] |= {"damage": at["damage"]} if "damage" in at else {}
    plain["normal"] = _dice(at, "normal", "1d6")
    plain["critical"] = _dice(at, "critical", "2d6")
    plain["surprise"] = at.get("surprise", "no") == "yes"
    plain["initiative"] = {key: _whole(at, key, 0) for key in ("modifier", "circumstance")}
    try:
        return msgspec.convert(plain, Combatant, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name[:40]} cannot join: {error}") from error


def _whole(at: Mapping[str, str], key: str, default: int) -> int:
    text = at.get(key, str(default))
    digits = text.lstrip("+-")
    if digits.isascii() and digits.isdigit() and len(text) < 8 and len(text) - len(digits) < 2:
        return int(text)
    raise UsageError(f'{key} is a whole number, not "{text[:20]}"')


def _dice(at: Mapping[str, str], key: str, default: str) -> list[str]:
    """Dice added up, as `1d6+2,1d6`, one word each."""
    parts = [part.strip() for part in at.get(key, default).split(",") if part.strip()]
    for part in parts:
        try:
            Dice.parse(part)
        except ValueError as error:
            raise UsageError(f"{key}: {error}") from error
    return parts


def join(system: System, state: State, person: Combatant) -> Done:
    """Somebody joins, before the first round. Raises HackjackError."""
    if state.round:
        raise HackjackError("initiative has been rolled: people join before the first round")
    people = state.roster or system.combatants
    here = {fighter.name.casefold() for fighter in state.fighters}
    if person.name.casefold() in here or person.name.casefold() == EVERYBODY:
        raise HackjackError(f"{person.name} is here already: take another name")
    if len(here) >= MOST_COMBATANTS:
        raise HackjackError(f"{MOST_COMBATANTS} are in the fight: that is all it has room for")
    armour_row(person.armour.type, system)
    stay = tuple(known for known in people if known.name.casefold() in here)
    fighters = (*state.fighters, Fighter(name=person.name, hp=person.hp))
    state = replace(state, roster=(*stay, person), fighters=fighters)
    return state, [Entry("join", "", {"who": person.name, "side": person.side, "hp": person.hp})]


def leave(system: System, state: State, name: str) -> Done:
    """Somebody leaves, or everybody does; a turn of theirs is over."""
    whole = name.casefold() == EVERYBODY
    gone = {fighter.name for fighter in state.fighters} if whole else {state.find(name).name}
    stay = tuple(fighter for fighter in state.fighters if fighter.name not in gone)
    turn = None if state.turn and state.turn.who in gone else state.turn
    people = tuple(Roster(system, state).people.values())
    state = replace(state, roster=people, fighters=stay, turn=turn)
    return state, [Entry("leave", "", {"who": name if len(gone) != 1 else next(iter(gone))})]

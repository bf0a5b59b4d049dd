"""Who fights: people join with their figures as typed, and leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import find_name
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import order as field_order
from generator.games.fiftytwo.fight import armour_row
from generator.games.fiftytwo.log import FieldEntry
from generator.games.fiftytwo.state import MOST, Fighter, Roster, State
from generator.games.fiftytwo.table import Done
from generator.model.combatants import MOST_COMBATANTS, Combatant
from generator.model.log import Entry
from generator.model.rules import System, read_custom
from generator.play.chance import Chance
from generator.play.event_spec import Argument, Values, option

EVERYBODY = "everybody"
_PLAIN = ("dexterity", "strength", "intelligence", "attack", "magic")
_MOST = 9_999_999


def _figure(name: str) -> Argument:
    return option(name, "signed", least=-_MOST, most=_MOST, sample="N")


def _text(name: str, sample: str, *words: str, many: bool = False) -> Argument:
    return option(name, "text", words, sample=sample, many=many)


HP = option("hp", "signed", least=-MOST, most=MOST, sample="N")
FIGURES: tuple[Argument, ...] = (
    Argument("who", "text", sample="NAME", called="a name"),
    _text("side", "enemies", "allies", "enemies"),
    *map(_figure, ("hp", *_PLAIN, "class")),
    _text("uses", "strength"),
    # What action points build on that is no ability: the challenge rating, and the class's own bonus.
    *map(_figure, ("challenge", "base")),
    _text("armour", "TYPE"),
    *map(_figure, ("bonus", "shield")),
    _text("weapon", "NAME"),
    _text("damage", "KIND"),
    _figure("plus"),
    _text("normal", "DICE", many=True),
    _text("critical", "DICE", many=True),
    _text("surprise", "yes", "yes", "no"),
    *map(_figure, ("modifier", "circumstance")),
)
"""What may be said of somebody who joins."""


def read(values: Values) -> Combatant:
    """Somebody as typed: `join Bryn` with `side=allies hp=20 armour=chain bonus=2`. Raises UsageError."""
    name, number = values["who"], {key: value for key, value in values.items() if isinstance(value, int)}
    plain: dict[str, Any] = {"name": name, "side": values.get("side", "allies"), "hp": values.get("hp", 10)}
    plain |= {key: number[key] for key in _PLAIN if key in number}
    plain["class_bonus"] = number.get("class", 0)
    plain["uses"] = values.get("uses", "strength")
    plain["challenge"], plain["bonus"] = number.get("challenge", 0), number.get("base", 0)
    plain["armour"] = {"type": values.get("armour", "None"), "bonus": number.get("bonus", 0)}
    plain["armour"] |= {"shield": number["shield"]} if "shield" in number else {}
    plain["weapon"] = {"name": values.get("weapon", "weapon"), "bonus": number.get("plus", 0)}
    plain["weapon"] |= {"damage": values["damage"]} if "damage" in values else {}
    plain["normal"] = _dice("normal", values.get("normal", ("1d6",)))
    plain["critical"] = _dice("critical", values.get("critical", ("2d6",)))
    plain["surprise"] = values.get("surprise") == "yes"
    plain["initiative"] = {key: number.get(key, 0) for key in ("modifier", "circumstance")}
    try:
        return msgspec.convert(plain, Combatant, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name[:40]} cannot join: {error}") from error


def check_base(values: Values) -> None:
    """Points that build on a challenge rating or on a class's bonus need it said. Raises UsageError."""
    uses = values.get("uses", "")
    needed = {"challenge": "challenge", "bonus": "base"}.get(uses)
    if needed and needed not in values:
        raise UsageError(f"uses={uses} needs the number that points build on: add {needed}=N")


def _dice(key: str, parts: Sequence[str]) -> Sequence[str]:
    """Dice added up, as `1d6+2,1d6`, one word each."""
    for part in parts:
        try:
            Dice.parse(part)
        except ValueError as error:
            raise UsageError(f"{key}: {error}") from error
    return parts


def join(system: System, state: State, person: Combatant, chance: Chance) -> Done:
    """Somebody joins; who comes after the first round has begun rolls initiative then (F25). Raises HackjackError."""
    people = state.roster or system.combatants
    here = {fighter.name.casefold() for fighter in state.fighters}
    gone = {fighter.name.casefold() for fighter in state.away}
    if person.name.casefold() in here or person.name.casefold() == EVERYBODY:
        raise HackjackError(f"{person.name} is here already: take another name")
    if person.name.casefold() in gone:
        raise HackjackError(f"{person.name} has left the fight: enter {person.name} brings them back")
    armour_row(person.armour.type, system)
    stay = tuple(known for known in people if known.name.casefold() in here | gone)
    state = replace(state, roster=(*stay, person))
    return _arrived(system, state, person, Fighter(name=person.name, hp=person.hp), chance)


def _arrived(system: System, state: State, person: Combatant, fighter: Fighter, chance: Chance) -> Done:
    """Somebody is in the fight, and in its order where there is one. Raises HackjackError where there is no room."""
    if len(state.fighters) >= MOST_COMBATANTS:
        raise HackjackError(f"{MOST_COMBATANTS} are in the fight: that is all it has room for")
    state = replace(state, fighters=(*state.fighters, fighter))
    log: list[FieldEntry] = [Entry(said.Join(person.name, person.side, fighter.hp), "F25" if state.round else "")]
    if state.round and fighter.hp > 0:
        fighter, more = field_order.late(system, state, fighter, chance)
        state, log = state.with_fighter(fighter), [*log, *more]
    return state, log


def enter(system: System, state: State, name: str, hp: int | None, chance: Chance) -> Done:
    """Somebody who is known comes, with the figures of the content or of the state, or comes back as they left (F25).

    `everybody` means all who are known. Raises HackjackError.
    """
    known = {person.name.casefold(): person for person in (*system.combatants, *state.roster)}
    here = {fighter.name.casefold() for fighter in state.fighters}
    if name.casefold() == EVERYBODY:
        coming = [person for key, person in known.items() if key not in here]
        if not coming:
            raise HackjackError("nobody is left to enter: join lets somebody new in")
    else:
        coming = [known[_known(name, known)]]
        if coming[0].name.casefold() in here:
            raise HackjackError(f"{coming[0].name} is here already")
    log: list[FieldEntry] = []
    for person in coming:
        state, more = _entered(system, state, person, hp, chance)
        log += more
    return state, log


def _known(name: str, known: Mapping[str, Combatant]) -> str:
    if not known:
        raise HackjackError("nobody is known here: join lets somebody in")
    return find_name(name, [person.name for person in known.values()]).casefold()


def _entered(system: System, state: State, person: Combatant, hp: int | None, chance: Chance) -> Done:
    left = next((fighter for fighter in state.away if fighter.name == person.name), None)
    fighter = left or Fighter(name=person.name, hp=person.hp)
    fighter = fighter if hp is None else replace(fighter, hp=hp)
    roster = state.roster
    if roster and person not in roster:
        if len(roster) >= MOST_COMBATANTS:
            raise HackjackError(f"{MOST_COMBATANTS} are known in this fight: that is all it has room for")
        roster = (*roster, person)
    state = replace(state, roster=roster, away=tuple(one for one in state.away if one != left))
    return _arrived(system, state, person, fighter, chance)


def leave(system: System, state: State, name: str) -> Done:
    """Somebody leaves, or everybody does; a turn of theirs is over. A fight that goes on remembers how they left."""
    whole = name.casefold() == EVERYBODY
    gone = {fighter.name for fighter in state.fighters} if whole else {state.find(name).name}
    stay = tuple(fighter for fighter in state.fighters if fighter.name not in gone)
    left = tuple(fighter for fighter in state.fighters if fighter.name in gone)
    turn = None if state.turn and state.turn.who in gone else state.turn
    people = tuple(Roster(system, state).people.values())
    away = (*state.away, *left) if state.round else state.away
    state = replace(state, roster=people, fighters=stay, away=away[-MOST_COMBATANTS:], turn=turn)
    return state, [Entry(said.Leave(name if len(gone) != 1 else next(iter(gone))))]

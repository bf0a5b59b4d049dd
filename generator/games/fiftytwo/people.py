"""Who fights: people join with their figures as typed, and leave."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MAX_HELD
from generator.base.text_input import find_name, read_name
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo.fight import armour_row
from generator.games.fiftytwo.order import place_latecomer
from generator.games.fiftytwo.state import Fighter
from generator.games.fiftytwo.table import Fight
from generator.games.fiftytwo.turn import NOBODY, SOMEBODY
from generator.model.combatants import MAX_COMBATANTS, Combatant
from generator.model.rules import read_custom
from generator.play.event_spec import ArgumentSpec, Values, option_argument

EVERYBODY = "everybody"
_PLAIN = ("dexterity", "strength", "intelligence", "attack", "magic")
_MAX_FIGURE = 9_999_999


def _figure(name: str) -> ArgumentSpec:
    return option_argument(name, "signed", least=-_MAX_FIGURE, most=_MAX_FIGURE, sample="N")


def _text(name: str, sample: str, *words: str, many: bool = False) -> ArgumentSpec:
    return option_argument(name, "text", words, sample=sample, many=many)


HP = option_argument("hp", "signed", least=-MAX_HELD, most=MAX_HELD, sample="N")
FIGURES: tuple[ArgumentSpec, ...] = (
    ArgumentSpec("who", "name", sample="NAME"),
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


def read_newcomer(values: Values) -> Combatant:
    """Return a combatant as typed: `join Bryn` with `side=allies hp=20 armour=chain`. Raises UsageError."""
    name, number = read_name(values["who"]), {key: value for key, value in values.items() if isinstance(value, int)}
    needed = {"challenge": "challenge", "bonus": "base"}.get(values.get("uses", ""))
    if needed and needed not in values:
        raise UsageError(f"uses={values['uses']} needs the number that points build on: add {needed}=N")
    plain: dict[str, Any] = {key: values[key] for key in ("side", "uses", "challenge", *_PLAIN) if key in values}
    plain = {"name": name, "side": "allies", "hp": values.get("hp", 10), **plain}
    plain |= {"class_bonus": number.get("class", 0), "bonus": number.get("base", 0)}
    plain["armour"] = {"type": values.get("armour", "None"), "bonus": number.get("bonus", 0)}
    plain["armour"] |= {"shield": number.get("shield")}
    plain["weapon"] = {"name": values.get("weapon", "weapon"), "bonus": number.get("plus", 0)}
    plain["weapon"] |= {"damage": values.get("damage")}
    plain |= {key: _dice(key, values.get(key, (default,))) for key, default in (("normal", "1d6"), ("critical", "2d6"))}
    plain["surprise"] = values.get("surprise") == "yes"
    plain["initiative"] = {key: number.get(key, 0) for key in ("modifier", "circumstance")}
    try:
        return msgspec.convert(plain, Combatant, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name[:40]} cannot join: {error}") from error


def _dice(key: str, parts: Sequence[str]) -> Sequence[str]:
    """Return dice added up, as `1d6+2,1d6`, one word each."""
    for part in parts:
        try:
            Dice.parse(part)
        except ValueError as error:
            raise UsageError(f"{key}: {error}") from error
    return parts


def join(fight: Fight) -> None:
    """Add a newcomer; after the first round has begun they roll initiative (F25). Raises HackjackError."""
    state, person = fight.state, read_newcomer(fight.values)
    name = person.name.casefold()
    here, gone = ({fighter.name.casefold() for fighter in group} for group in (state.fighters, state.away))
    if name in here or name in (EVERYBODY, NOBODY, SOMEBODY):
        raise HackjackError(f"{person.name} is here already: take another name")
    if name in gone:
        raise HackjackError(f"{person.name} has left the fight: enter {person.name} brings them back")
    armour_row(person.armour.type, fight.system)
    stay = (one for one in fight.roster.people.values() if one.name.casefold() in here | gone)
    fight.change(roster=(*stay, person))
    _arrived(fight, person, Fighter(name=person.name, hp=person.hp))


def _arrived(fight: Fight, person: Combatant, fighter: Fighter) -> None:
    """Add a fighter, and place them in the order if there is one. Raises HackjackError if there is no room."""
    state = fight.state
    if len(state.fighters) >= MAX_COMBATANTS:
        raise HackjackError(f"{MAX_COMBATANTS} combatants (the maximum) are in the fight")
    fight.change(fighters=(*state.fighters, fighter))
    fight.note(said.Join(person.name, person.side, fighter.hp), "F25" if state.round else "")
    if state.round and fighter.hp > 0:
        place_latecomer(fight, fighter.name)


def enter(fight: Fight) -> None:
    """Bring in a known combatant, with their figures, or as they were when they left (F25).

    `everybody` means all who are known. Raises HackjackError.
    """
    name, state = fight.values["who"], fight.state
    people = {person.name.casefold(): person for person in (*fight.system.combatants, *state.roster)}
    here = {fighter.name.casefold() for fighter in state.fighters}
    if name.casefold() == EVERYBODY:
        coming = [person for key, person in people.items() if key not in here]
        if not coming:
            raise HackjackError("nobody is left to enter: join lets somebody new in")
    elif not people:
        raise HackjackError("nobody is known here: join lets somebody in")
    else:
        coming = [people[find_name(name, [person.name for person in people.values()]).casefold()]]
        if coming[0].name.casefold() in here:
            raise HackjackError(f"{coming[0].name} is here already")
    for person in coming:
        state = fight.state
        left = next((fighter for fighter in state.away if fighter.name == person.name), None)
        fighter = left or Fighter(name=person.name, hp=person.hp)
        if state.roster and person not in state.roster:
            if len(state.roster) >= MAX_COMBATANTS:
                raise HackjackError(f"this fight already knows {MAX_COMBATANTS} combatants (the maximum)")
            fight.change(roster=(*state.roster, person))
        fight.change(away=tuple(one for one in state.away if one != left))
        _arrived(fight, person, replace(fighter, hp=fight.values.get("hp", fighter.hp)))


def leave(fight: Fight) -> None:
    """Remove a fighter or everybody, and end their turn. A fight that goes on remembers how they left."""
    state, name = fight.state, fight.values["who"]
    left = state.fighters if name.casefold() == EVERYBODY else (fight.named(),)
    stay = tuple(fighter for fighter in state.fighters if fighter not in left)
    turn = None if state.turn and state.turn.who in [fighter.name for fighter in left] else state.turn
    away = (*state.away, *left) if state.round else state.away
    people = tuple(fight.roster.people.values())
    fight.change(roster=people, fighters=stay, away=away[-MAX_COMBATANTS:], turn=turn)
    fight.note(said.Leave(name if len(left) != 1 else left[0].name))

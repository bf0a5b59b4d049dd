"""A fight over a field of cards: the 52-card engine. One state is for the whole table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from generator import content
from generator.chance import Chance, Seeded
from generator.combatants import Combatant
from generator.engine import field
from generator.engine.field import Event, State, deck_of, plain_state, read_state
from generator.engine.field_table import column_number
from generator.errors import ContentError, HackjackError, UsageError
from generator.field_checks import combatant_faults
from generator.games import Answer, Asked, refuse_at
from generator.games.usual import check_bounds, held, newcomer, sheet
from generator.log import Log
from generator.odds import chance as share_of
from generator.odds import spoken
from generator.odds.field import next_card
from generator.rules import System, read_custom
from generator.source import Trail
from generator.telling import field as telling

__all__ = ["check_bounds", "deck_of", "held", "newcomer", "plain_state", "read_state", "sheet"]

EVENTS = field.EVENTS
QUESTIONS = {"add": "add COLUMN: what the next card on a column brings"}
LUCK = {
    "surprise": "dice",
    "initiative": "dice",
    "columns": "choose",
    "deal": "cards",
    "ambush": "cards",
    "act": "cards dice",
    "round": "cards",
    "later-initiative": "cards",
}
SHARED = True
NEWCOMER = ""
line = telling.line


def read_event(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """An event as typed; the file of `initiative` is read at once. Raises UsageError, ContentError for a bad file."""
    people: tuple[Combatant, ...] = ()
    if words and words[0] == "initiative" and len(words) == 2:
        given = at.get("given")
        people = _people(given) if given else with_people(system, Path(words[1])).combatants
        at = {name: value for name, value in at.items() if name != "given"}
    event = field.read_event(words, at, people)
    refuse_at(at, event.name, field.AT.get(event.name, ()))
    return event


def _people(given: str) -> tuple[Combatant, ...]:
    """The combatants that a journal has kept. Raises UsageError."""
    try:
        return msgspec.convert(json.loads(given), tuple[Combatant, ...], dec_hook=read_custom)
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"the combatants that were given cannot be read: {error}") from error


def with_people(system: System, path: Path) -> System:
    """The same system with the combatants of a file in place of its own. Raises ContentError, each fault in its place.

    So a file is looked through as `combatants.yaml` of a pack is: armour, names, opponents in reach.
    """
    people, marks = content.read_combatants(path)
    filled = replace(system, combatants=people)
    if found := [marks.problem(trail, message) for trail, message in combatant_faults(filled)]:
        raise ContentError(found)
    return filled


def read_question(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """`add 3`: odds are asked of the next card on a column. Raises UsageError."""
    del system
    if len(words) != 2 or words[0] != "add":
        raise UsageError(f'odds are known of {QUESTIONS["add"]}: "{" ".join(words)[:40]}" is none of that')
    refuse_at(at, "add")
    return Event("add", (words[1],))


def state_line(plain: dict[str, Any], system: System) -> str:
    """A fight in one line."""
    del system
    return telling.state_line(plain)


def details(plain: dict[str, Any], system: System) -> Sequence[str]:
    """The order, who is hurt or owes points, and the field as it lies."""
    sides = {person.name: person.side for person in system.combatants}
    sides |= {person["name"]: person["side"] for person in plain.get("roster", ())}
    return telling.standing(plain, sides)


def seats(plain: dict[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Everybody who fights."""
    return {fighter["name"]: fighter for fighter in plain["fighters"]}


def step(
    system: System, state: State, event: Event, chance: Chance, held: Collection[str] | None = None
) -> tuple[State, Log]:
    """One event on a fight; nobody else holds cards of it."""
    del held
    return field.step(system, state, event, chance)


def odds(system: System, state: State, event: Event, asked: Asked) -> Answer:
    """The chances of the next card on a column, over every card that may come. Raises HackjackError."""
    if asked.hits is not None or asked.plays:
        raise HackjackError("the next card is counted at once: leave --hits and --simulate out")
    del system
    if not state.columns:
        raise HackjackError("there is no field yet: deal first, or lay one")
    at = column_number(event.words[0], state)
    found = next_card(state, at)
    plain = {"pair": share_of(found.pair), "suit": share_of(found.suit), "cards_left": found.cards}
    plain["pairing"] = list(found.pairing)
    lines = [
        f"a pair with what it touches  {spoken(found.pair)}   {' '.join(found.pairing)}".rstrip(),
        f"the suit of the card below   {spoken(found.suit)}",
        f"{len(found.pairing)} of {found.cards} cards that may come make a pair",
    ]
    return Answer(plain, lines)


# --- rehearsing ------------------------------------------------------------------------------------------------------


def rehearse(system: System) -> Iterator[tuple[str, Trail, str]]:
    """One round from initiative to its end, where there is somebody to fight."""
    if not system.combatants:
        return
    try:
        state, luck = read_state({}, system), Seeded(0)
        for words in (("initiative",), ("columns",), ("deal",)):
            state, _ = field.step(system, state, field.read_event(words, {}), luck)
        for _ in system.combatants:
            for words in (("points",), ("moves",), ("end",)):
                state, _ = field.step(system, state, field.read_event(words, {}), luck)
        field.step(system, state, field.read_event(("later-initiative",), {}), luck)
    except HackjackError as error:
        yield "combatants.yaml", (), f"the fight cannot be played: {error}"

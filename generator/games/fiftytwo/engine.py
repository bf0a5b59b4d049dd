"""A fight over a field of cards: events as they are typed, and one step from a state to the next (rulings F1-F26)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.games.fiftytwo import (
    cards as field_cards,
)
from generator.games.fiftytwo import (
    fight as field_fight,
)
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import (
    order as field_order,
)
from generator.games.fiftytwo import (
    people as field_people,
)
from generator.games.fiftytwo import (
    table as field_table,
)
from generator.games.fiftytwo import (
    turn as field_turn,
)
from generator.games.fiftytwo.log import FieldEntry
from generator.games.fiftytwo.state import (
    MOST_COLUMNS,
    Roster,
    State,
    check_people,
    fresh,
    plain_state,
    read_state,
    settled,
)
from generator.games.fiftytwo.table import Done, cards_of, picture, play_of, words_of
from generator.model.combatants import Combatant, Side
from generator.model.log import Entry, Log
from generator.model.rules import System, plain
from generator.play.chance import Chance, Given

__all__ = ["EVENTS", "Event", "State", "deck_of", "look", "moves_of", "plain_state", "read_event", "read_state", "step"]

MOST_HEALED = 10_000


class Event(Struct, frozen=True):
    """What happens at the table: a name, its words, what it is about, and combatants who come from a file."""

    name: str
    words: tuple[str, ...] = ()
    at: Mapping[str, str] = {}
    people: tuple[Combatant, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *self.words))

    @property
    def given(self) -> str:
        """The combatants as JSON, for a journal that outlives their file."""
        return json.dumps([plain(person) for person in self.people], separators=(",", ":")) if self.people else ""


EVENTS: dict[str, str] = {
    "join": "join NAME [--at side=enemies] [--at hp=N] [--at dexterity=N] [--at strength=N] [--at attack=N] "
    "[--at magic=N] [--at class=N] [--at armour=TYPE] [--at bonus=N] [--at shield=N] [--at weapon=NAME] "
    "[--at damage=KIND] [--at plus=N] [--at normal=DICE] [--at critical=DICE] [--at surprise=yes] [--at modifier=N] "
    "[--at circumstance=N]: somebody joins the fight",
    "enter": "enter NAME|everybody [--at hp=N]: somebody of the content or of the file comes, or comes back",
    "leave": "leave NAME|everybody: somebody leaves it",
    "surprise": "surprise WHO TARGET: an attack that no armour stops, before the first round or when the GM says so",
    "initiative": "initiative [FILE]: everybody rolls and ties are broken; FILE names other combatants",
    "columns": "columns [--at allies=N] [--at surprised=allies|enemies|both|nobody] [--at quicker=allies|enemies]: "
    "how many are dealt",
    "deal": "deal [N]: shuffle and lay the field, row by row from the top",
    "lay": "lay ROW / ROW ... [--at padding=A,B] [--at discard=A,B]: the field of a real table by rows from the top, "
    ". for no card",
    "ambush": "ambush WHO CARD|COLUMN: the card that surprise gives: allies take one, enemies add one",
    "turn": "turn [WHO] [--at reach=A,B|nobody] [--at circumstance=N] [--at acting=allies]: a turn begins; "
    "without it, the first act begins the next one",
    "points": "points [WHO] [--at reach=A,B|nobody] [--at circumstance=N] [--at acting=allies]: what a turn has to "
    "spend; resolve begins it",
    "moves": "moves [allies|enemies]: what can be done on the field, the best first",
    "act": "act MOVE: take, pair, add, attack, critical, move, step, spell, suspend, item, ability, raise or other",
    "hold": "hold [WHO]: wait, and go down in the order",
    "end": "end: the turn ends, and what is left of it is lost",
    "deliver": "deliver WHO [TARGET DAMAGE ...]: the spell that WHO has cast works, for no point",
    "opportunity": "opportunity WHO TARGET: an attack on somebody who leaves the reach of WHO",
    "hurt": "hurt WHO N [--at by=NAME]: HP are lost out of turn: a fall, acid, a friend's fireball",
    "threshold": "threshold TARGET ATTACKER [--at bonus=N]: the hits that an armour takes",
    "reflex": "reflex WHO pass|fail [--at cover=yes]: a reflex save and what it costs",
    "heal": "heal WHO N: HP come back",
    "round": "round: the next round begins",
    "later-initiative": "later-initiative: the next round begins, once in a fight in a new order",
    "field": "field: the order and the cards as they lie",
}
_WORDS = {
    "join": (1, 1),
    "enter": (1, 1),
    "leave": (1, 1),
    "surprise": (2, 2),
    "initiative": (0, 1),
    "deal": (0, 1),
    "lay": (1, 400),
    "ambush": (2, 2),
    "turn": (0, 1),
    "points": (0, 1),
    "moves": (0, 1),
    "hold": (0, 1),
    "deliver": (1, 1 + 2 * field_turn.MOST_TARGETS),
    "opportunity": (2, 2),
    "hurt": (2, 2),
    "threshold": (2, 2),
    "reflex": (2, 2),
    "heal": (2, 2),
}
AT = {
    "join": field_people.KEYS,
    "enter": ("hp",),
    "columns": ("allies", "surprised", "quicker"),
    "lay": ("padding", "discard"),
    "turn": ("reach", "circumstance", "acting"),
    "points": ("reach", "circumstance", "acting"),
    "hurt": ("by",),
    "threshold": ("bonus",),
    "reflex": ("cover",),
}
"""The names that an event takes with `--at`."""
LOOKS = ("points", "moves", "threshold", "field")
"""The events that only look at a session's table."""
SIDES: tuple[Side, Side] = ("allies", "enemies")
_SURPRISED: dict[str, set[Side]] = {
    "allies": {"allies"},
    "enemies": {"enemies"},
    "both": {"allies", "enemies"},
    "nobody": set(),
}


# --- reading ---------------------------------------------------------------------------------------------------------


def read_event(words: Sequence[str], at: Mapping[str, str], people: tuple[Combatant, ...] = ()) -> Event:
    """An event as typed, its words counted and its figures read once. Raises UsageError."""
    name, *rest = [*words] or [""]
    if name not in EVENTS:
        raise UsageError(f'there is no event "{name[:40]}"{did_you_mean(name, EVENTS)}')
    if name == "act":
        return Event(name, field_turn.read_act(rest))
    least, most = _WORDS.get(name, (0, 0))
    if not least <= len(rest) <= most:
        too = f'"{rest[most][:40]}" is too much' if len(rest) > most else f"{name} needs more"
        raise UsageError(f"{too}: write {EVENTS[name].partition(': ')[0]}")
    event = Event(name, tuple(rest), dict(at), people)
    _check(event)
    return event


def _check(event: Event) -> None:
    """Everything that can be wrong in the words alone."""
    words, at = event.words, event.at
    match event.name:
        case "join":
            field_people.read(words[0], at)
        case "enter":
            field_people.read_hp(at)
        case "hurt":
            _number(words[1], 1, field_turn.MOST_DAMAGE, "damage")
        case "deliver" if not len(words) % 2:
            raise UsageError(f"every target needs its damage: write {EVENTS['deliver'].partition(': ')[0]}")
        case "deliver":
            field_turn.check_harm(words[1:])
        case "deal" if words:
            _number(words[0], 1, MOST_COLUMNS, "the number of columns")
        case "heal":
            _number(words[1], 1, MOST_HEALED, "healing")
        case "reflex":
            _choice(words[1], ("pass", "fail"), "a reflex save")
            _choice(at.get("cover", "no"), ("yes", "no"), "cover")
        case "moves" if words:
            _choice(words[0], SIDES, "the side")
        case "columns":
            _number(at.get("allies", "1"), 0, 60, "the number of allies")
            _choice(at.get("surprised", "nobody"), _SURPRISED, "who was surprised")
            _choice(at.get("quicker", "allies"), SIDES, "the quicker side")
        case "turn" | "points":
            _signed(at.get("circumstance", "0"), "circumstance")
            _choice(at.get("acting", "allies"), SIDES, "the side that one acts for")
        case "threshold":
            _number(at.get("bonus", "0"), 0, 99, "the attacker's bonus")


def _number(text: str, least: int, most: int, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 7 and least <= int(text) <= most:
        return int(text)
    raise UsageError(f'{what} is a whole number from {least} to {most:,}, not "{text[:20]}"')


def _signed(text: str, what: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]{1,2}", text):
        return int(text)
    raise UsageError(f'{what} is a number such as -1 or 2, not "{text[:20]}"')


def _choice(text: str, known: Any, what: str) -> str:
    if text not in known:
        raise UsageError(f'{what} is {" or ".join(known)}, not "{text[:20]}"')
    return text


# --- one step --------------------------------------------------------------------------------------------------------


def step(system: System, state: State, event: Event, chance: Chance) -> tuple[State, Log]:
    """One event on a fight. Raises HackjackError when it cannot happen, NeedsError when luck is missing."""
    if not state.fighters and not event.people and event.name not in _WITHOUT_PEOPLE:
        raise HackjackError(_NOBODY)
    log: list[FieldEntry] = []
    if event.name in ("act", "end") and state.round and state.turn is None:
        state, log = field_turn.begin(system, state, field_turn.Wanted())
    after, more = _done(system, state, event, chance)
    return settled(after), (*log, *more)


def look(system: System, state: State, event: Event) -> Log:
    """What an event that only looks says of a fight. Raises HackjackError."""
    if event.name == "points":
        return tuple(field_turn.look(system, state, _wanted(event)))
    return step(system, state, event, Given())[1]


_NOBODY = (
    "nobody fights yet: name a file, as in initiative party.yaml, or let people in with join; enter everybody brings "
    "those of the content"
)


def _done(system: System, state: State, event: Event, chance: Chance) -> Done:
    words = event.words
    match event.name:
        case "join":
            return field_people.join(system, state, field_people.read(words[0], event.at), chance)
        case "enter":
            return field_people.enter(system, state, words[0], field_people.read_hp(event.at), chance)
        case "leave":
            return field_people.leave(system, state, words[0])
        case "surprise":
            return field_turn.strike_first(system, state, words[0], words[1], chance)
        case "initiative":
            return _initiative(system, state, event, chance)
        case "columns":
            return _columns(system, state, event, chance)
        case "deal":
            return field_table.deal(system, state, chance, int(words[0]) if words else 0)
        case "lay":
            return _lay(system, state, event)
        case "ambush":
            return field_table.ambush(system, state, chance, words[0], words[1])
        case "turn" | "points":
            return field_turn.begin(system, state, _wanted(event))
        case "moves":
            return _moves(system, state, event)
        case "act":
            return field_turn.act(system, state, words, chance)
        case "hold":
            return field_turn.hold(state, words[0] if words else "")
        case "end":
            return _end(state)
        case "threshold":
            return _threshold(system, state, event)
        case "reflex":
            success, cover = words[1] == "pass", event.at.get("cover") == "yes"
            return field_turn.reflex(system, state, words[0], success=success, cover=cover)
        case "heal":
            return field_turn.heal(system, state, words[0], int(words[1]), chance)
        case "deliver":
            return field_turn.deliver(system, state, words[0], words[1:])
        case "opportunity":
            return field_turn.opportunity(system, state, words[0], words[1], chance)
        case "hurt":
            return field_turn.wound(system, state, words[0], int(words[1]), event.at.get("by", ""))
        case "round" | "later-initiative":
            return field_turn.new_round(system, state, chance, later=event.name != "round")
        case _:
            return _show(system, state)


_WITHOUT_PEOPLE = ("join", "enter", "leave", "columns", "deal", "lay", "moves", "act", "field")


def _initiative(system: System, state: State, event: Event, chance: Chance) -> Done:
    if state.round:
        raise HackjackError("initiative is rolled once, before the first round")
    if event.people:
        check_people(event.people, "the file")
        state = replace(state, roster=event.people, fighters=fresh(event.people))
    return field_order.roll(system, state, chance)


def _columns(system: System, state: State, event: Event, chance: Chance) -> Done:
    at = event.at
    allies = int(at["allies"]) if "allies" in at else None
    surprised = _SURPRISED[at["surprised"]] if "surprised" in at else None
    quicker = next((side for side in SIDES if side == at.get("quicker")), None)
    return field_table.columns(system, state, chance, allies, surprised, quicker)


def _lay(system: System, state: State, event: Event) -> Done:
    padding, discard = (_listed(event.at.get(name, "")) for name in ("padding", "discard"))
    return field_table.lay(system, state, " ".join(event.words), padding, discard)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _wanted(event: Event) -> field_turn.Wanted:
    """What is said of a turn."""
    at = event.at
    reach = _listed(at["reach"]) if "reach" in at else None
    acting = next((side for side in SIDES if side == at.get("acting")), None)
    name = event.words[0] if event.words else ""
    return field_turn.Wanted(name, reach, int(at.get("circumstance", "0")), acting)


def _moves(system: System, state: State, event: Event) -> Done:
    """What can be done, as the log; nothing changes."""
    if not state.columns:
        raise HackjackError("there is no field yet: deal first, or lay one")
    side: Side = state.turn.acting if state.turn else "allies"
    side = next((known for known in SIDES if known in event.words), side)
    log: list[FieldEntry] = []
    for move in moves_of(system, state, side):
        words, cards = words_of(move, state.columns), cards_of(move, state.columns)
        log.append(Entry(said.Move(words, cards, move.cost, move.normals, move.criticals, move.then)))
    return state, log or [Entry(said.NoMove(side))]


def moves_of(system: System, state: State, side: Side) -> list[field_cards.Move]:
    """Every move on the field for a side, the best first; in a running turn of that side those that it can pay."""
    turn = state.turn if state.turn and state.turn.acting == side else None
    play = play_of(system, state, side, turn)
    found = field_cards.moves(state.columns, play, room=len(state.reserve) + len(state.discard))
    return [move for move in found if move.cost <= turn.purse] if turn else found


def _threshold(system: System, state: State, event: Event) -> Done:
    """What an attack meets, as the log; nothing changes."""
    roster = Roster(system, state)
    target, attacker = (roster[state.find(word).name] for word in event.words)
    bonus = int(event.at["bonus"]) if "bonus" in event.at else attacker.weapon.bonus
    found = field_fight.threshold(target, bonus, system)
    hits, weak = state.find(target.name).hits, field_fight.weak_against(target, system)
    price = field_fight.attack_cost("attack", target, attacker, system)
    meets = (bonus, found, found.total, hits, weak, attacker.weapon.damage, price)
    return state, [Entry(said.Threshold(target.name, attacker.name, *meets), "F14")]


def _show(system: System, state: State) -> Done:
    log = [field_order.order_entry(state, Roster(system, state))] if field_order.ordered(state) else []
    return state, [*log, *([picture(state)] if state.columns else [])]


def _end(state: State) -> Done:
    if state.turn is None:
        raise HackjackError("nobody has the turn: there is nothing to end")
    return field_turn.finish(state)


def deck_of(system: System) -> tuple[str, ...]:
    """The deck that is dealt from; a wide field is padded from a second one."""
    del system
    return FULL_DECK

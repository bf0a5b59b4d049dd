"""A fight over a field of cards: events as they are typed, and one step from a state to the next (rulings F1-F26)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
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
from generator.play.event_spec import Argument, Readers, Values, by_name, event, option, read

__all__ = ["EVENTS", "Event", "State", "deck_of", "look", "moves_of", "plain_state", "read_event", "read_state", "step"]

MOST_HEALED = 10_000


class Event(Struct, frozen=True):
    """What happens at the table: a name, what was read of it, and combatants who come from a file."""

    name: str
    values: Values = {}
    people: tuple[Combatant, ...] = ()

    @property
    def given(self) -> str:
        """The combatants as JSON, for a journal that outlives their file."""
        return json.dumps([plain(person) for person in self.people], separators=(",", ":")) if self.people else ""


SIDES: tuple[Side, Side] = ("allies", "enemies")
_SURPRISED: dict[str, set[Side]] = {
    "allies": {"allies"},
    "enemies": {"enemies"},
    "both": {"allies", "enemies"},
    "nobody": set(),
}


_WHO, _TARGET = Argument("who", "person", sample="WHO"), Argument("target", "person", sample="TARGET")
_MAYBE = replace(_WHO, optional=True)
_ANYBODY = Argument("who", "person", (field_people.EVERYBODY,), sample="NAME|everybody")
_SIDE = Argument("side", words=SIDES, optional=True)
_TURN = (
    _MAYBE,
    option("reach", "person", (field_turn.NOBODY,), many=True, sample="A,B|nobody"),
    option("circumstance", "signed", least=-99, most=99, sample="N"),
    option("acting", words=SIDES, sample="allies"),
)
_COLUMNS = (
    option("allies", "number", least=0, most=60),
    option("surprised", words=tuple(_SURPRISED)),
    option("quicker", words=SIDES),
)
_ROWS = (
    Argument("rows", "text", sample="ROW / ROW ...", called="a row", many=True),
    *(option(name, "text", many=True, sample="A,B") for name in ("padding", "discard")),
)
_RESULT = (Argument("result", words=("pass", "fail")), option("cover", words=("yes", "no"), sample="yes"))
_SOMETHING = Argument("where", "text", sample="CARD|COLUMN", called="a card or a column")
_ATTACKER = (Argument("attacker", "person", sample="ATTACKER"), option("bonus", "number", least=0, most=99))
_HURT = (Argument("damage", "number", most=field_turn.MOST_DAMAGE), option("by", "person"))
_MOVE = Argument("move", words=tuple(field_turn.ACTS), sample="MOVE", called="a move", then=field_turn.ACTS)
_MOVES = "take, pair, add, attack, critical, move, step, spell, suspend, item, ability, raise or other"
_SURPRISE = "an attack that no armour stops, before the first round or when the GM says so"
_FILE = "everybody rolls and ties are broken; FILE names other combatants"
_COMES = "somebody of the content or of the file comes, or comes back"
EVENTS = by_name(
    event("join", "somebody joins the fight", *field_people.FIGURES, luck="dice"),
    event("enter", _COMES, replace(_ANYBODY, kind="absent"), field_people.HP, luck="dice"),
    event("leave", "somebody leaves it", _ANYBODY),
    event("surprise", _SURPRISE, _WHO, _TARGET, luck="dice"),
    event("initiative", _FILE, Argument("file", "file", optional=True), luck="dice"),
    event("columns", "how many are dealt", *_COLUMNS, luck="choose"),
    event(
        "deal",
        "shuffle and lay the field, row by row from the top",
        Argument("columns", "number", most=MOST_COLUMNS, default=0, optional=True),
        luck="cards",
    ),
    event("lay", "the field of a real table by rows from the top, . for no card", *_ROWS),
    event("ambush", "the card that surprise gives: allies take one, enemies add one", _WHO, _SOMETHING, luck="cards"),
    event("turn", "a turn begins; without it, the first act begins the next one", *_TURN),
    event("points", "what a turn has to spend; resolve begins it", *_TURN),
    event("moves", "what can be done on the field, the best first", _SIDE),
    event("act", _MOVES, _MOVE, luck="cards dice"),
    event("hold", "wait, and go down in the order", _MAYBE),
    event("end", "the turn ends, and what is left of it is lost"),
    event("deliver", "the spell that WHO has cast works, for no point", _WHO, field_turn.HARM),
    event("opportunity", "an attack on somebody who leaves the reach of WHO", _WHO, _TARGET, luck="dice"),
    event("hurt", "HP are lost out of turn: a fall, acid, a friend's fireball", _WHO, *_HURT),
    event("threshold", "the hits that an armour takes", _TARGET, *_ATTACKER),
    event("reflex", "a reflex save and what it costs", _WHO, *_RESULT),
    event("heal", "HP come back", _WHO, Argument("amount", "number", most=MOST_HEALED), luck="dice"),
    event("round", "the next round begins", luck="cards"),
    event("later-initiative", "the next round begins, once in a fight in a new order", luck="cards"),
    event("field", "the order and the cards as they lie"),
)
READERS: Readers = {"absent": lambda _, text: text}
LOOKS = ("points", "moves", "threshold", "field")
"""The events that only look at a session's table."""


# --- reading ---------------------------------------------------------------------------------------------------------


def read_event(words: Sequence[str], at: Mapping[str, str], people: tuple[Combatant, ...] = ()) -> Event:
    """An event as typed, its words counted and its figures read once. Raises UsageError."""
    values = read(EVENTS, words, at, READERS)
    if words[0] == "join":
        field_people.read(values)
    harm = values.get("harm", ())
    if harm != ("done",) or words[0] == "deliver":
        how = EVENTS["deliver"].usage("deliver") if words[0] == "deliver" else "act spell [done|TARGET DAMAGE ...]"
        field_turn.check_harm(harm, how)
    return Event(words[0], values, people)


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
    values = event.values
    who: str = values.get("who", "")
    match event.name:
        case "join":
            return field_people.join(system, state, field_people.read(values), chance)
        case "enter":
            return field_people.enter(system, state, who, values.get("hp"), chance)
        case "leave":
            return field_people.leave(system, state, who)
        case "surprise":
            return field_turn.strike_first(system, state, who, values["target"], chance)
        case "initiative":
            return _initiative(system, state, event, chance)
        case "columns":
            return _columns(system, state, event, chance)
        case "deal":
            return field_table.deal(system, state, chance, values["columns"])
        case "lay":
            return _lay(system, state, event)
        case "ambush":
            return field_table.ambush(system, state, chance, who, values["where"])
        case "turn" | "points":
            return field_turn.begin(system, state, _wanted(event))
        case "moves":
            return _moves(system, state, event)
        case "act":
            return field_turn.act(system, state, values, chance)
        case "hold":
            return field_turn.hold(state, who)
        case "end":
            return _end(state)
        case "threshold":
            return _threshold(system, state, event)
        case "reflex":
            success, cover = values["result"] == "pass", values.get("cover") == "yes"
            return field_turn.reflex(system, state, who, success=success, cover=cover)
        case "heal":
            return field_turn.heal(system, state, who, values["amount"], chance)
        case "deliver":
            return field_turn.deliver(system, state, who, values.get("harm", ()))
        case "opportunity":
            return field_turn.opportunity(system, state, who, values["target"], chance)
        case "hurt":
            return field_turn.wound(system, state, who, values["damage"], values.get("by", ""))
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
    allies, surprised, quicker = (event.values.get(name) for name in ("allies", "surprised", "quicker"))
    return field_table.columns(
        system, state, chance, allies, None if surprised is None else _SURPRISED[surprised], quicker
    )


def _lay(system: System, state: State, event: Event) -> Done:
    padding, discard = (event.values.get(name, ()) for name in ("padding", "discard"))
    return field_table.lay(system, state, " ".join(event.values["rows"]), padding, discard)


def _wanted(event: Event) -> field_turn.Wanted:
    """What is said of a turn."""
    said = event.values
    return field_turn.Wanted(said.get("who", ""), said.get("reach"), said.get("circumstance", 0), said.get("acting"))


def _moves(system: System, state: State, event: Event) -> Done:
    """What can be done, as the log; nothing changes."""
    if not state.columns:
        raise HackjackError("there is no field yet: deal first, or lay one")
    side: Side = event.values.get("side") or (state.turn.acting if state.turn else "allies")
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
    target, attacker = (roster[state.find(event.values[word]).name] for word in ("target", "attacker"))
    bonus = event.values.get("bonus", attacker.weapon.bonus)
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

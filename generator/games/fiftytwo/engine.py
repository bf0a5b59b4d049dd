"""A fight over a field of cards: events as they are typed, and one step from a state to the next (rulings F1-F26)."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from generator.base.errors import HackjackError
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import order, people, table, turn
from generator.games.fiftytwo import state as states
from generator.games.fiftytwo.events import EVENTS
from generator.games.fiftytwo.fight import attack_cost, hit_threshold, weak_against
from generator.games.fiftytwo.state import FieldState, plain_state, read_state
from generator.games.fiftytwo.table import Fight, cards_taken, move_as_typed, play_of, with_field
from generator.model.combatants import Combatant, Side
from generator.model.log import Log
from generator.model.rules import System, plain_value
from generator.play.chance import Chance, Given
from generator.play.event_spec import Readers, Values, read_values

__all__ = ["EVENTS", "FieldEvent", "FieldState", "look", "moves_of", "plain_state", "read_event", "read_state", "step"]

MAX_SHOWN = 10
"""So many moves are shown, unless all are asked for."""


class FieldEvent(Struct, frozen=True):
    """What happens at the table: a name, what was read of it, and combatants who come from a file."""

    name: str
    values: Values = {}
    people: tuple[Combatant, ...] = ()

    @property
    def given(self) -> str:
        """The combatants as JSON, for a journal that outlives their file."""
        return json.dumps([plain_value(person) for person in self.people], separators=(",", ":")) if self.people else ""


READERS: Readers = {"absent": lambda _, text: text, "name": lambda _, text: text}
LOOKS = ("points", "moves", "threshold", "field")
"""The events that only look at a session's table."""


def read_event(words: Sequence[str], at: Mapping[str, str], combatants: tuple[Combatant, ...] = ()) -> FieldEvent:
    """Return an event as typed, its words counted and its figures read once. Raises UsageError."""
    values = read_values(EVENTS, words, at, READERS)
    if words[0] == "join":
        people.read_newcomer(values)
    harm = values.get("harm", ())
    if harm != ("done",) or words[0] == "deliver":
        how = EVENTS["deliver"].usage("deliver") if words[0] == "deliver" else "act spell [done|TARGET DAMAGE ...]"
        turn.check_harm(harm, how)
    return FieldEvent(words[0], values, combatants)


def step(system: System, state: FieldState, event: FieldEvent, chance: Chance) -> tuple[FieldState, Log]:
    """Play one event. Raises HackjackError if it cannot happen, NeedsError if luck is missing."""
    if not state.fighters and not event.people and event.name not in _WITHOUT_PEOPLE:
        raise HackjackError(_NOBODY)
    fight = Fight(system, state, chance, event.values)
    if event.name in ("act", "end") and state.round and state.turn is None:
        turn.begin_turn(fight, {})
    if event.name == "initiative":
        _initiative(fight, event.people)
    else:
        _EVENTS[event.name](fight)
    return states.with_cards_out(fight.state), tuple(fight.log)


def look(system: System, state: FieldState, event: FieldEvent) -> Log:
    """Return the log of an event that changes nothing. Raises HackjackError."""
    if event.name != "points":
        return step(system, state, event, Given())[1]
    fight = Fight(system, state, Given(), event.values)
    turn.tell_points(fight)
    return tuple(fight.log)


_NOBODY = (
    "nobody fights yet: name a file, as in initiative party.yaml, or let people in with join; enter everybody brings "
    "those of the content"
)
_WITHOUT_PEOPLE = ("join", "enter", "leave", "columns", "deal", "lay", "moves", "act", "field")


def _initiative(fight: Fight, combatants: tuple[Combatant, ...]) -> None:
    if fight.state.round:
        raise HackjackError("initiative is rolled once, before the first round")
    if combatants:
        states.check_people(combatants, "the file")
        fight.change(roster=combatants, fighters=states.fresh_fighters(combatants))
    order.roll_initiative(fight)


def _moves(fight: Fight) -> None:
    """Log the moves, first those that open an attack for the fewest points."""
    state = with_field(fight.state)
    side: Side = fight.values.get("side") or (state.turn.acting if state.turn else "allies")
    moves = sorted(
        moves_of(fight.system, state, side), key=lambda move: (not (move.normals or move.criticals), move.cost)
    )
    listed = moves if fight.values.get("all") else moves[:MAX_SHOWN]
    for move in listed:
        words, cards = move_as_typed(move, state.columns), cards_taken(move, state.columns)
        fight.note(said.Move(words, cards, move.cost, move.normals, move.criticals))
    if len(listed) < len(moves):
        fight.note(said.MoreMoves(len(moves) - len(listed), side))
    if not moves:
        fight.note(said.NoMove(side))


def moves_of(system: System, state: FieldState, side: Side) -> list[field_cards.FieldMove]:
    """Return a side's moves, the best first; in a running turn of that side those that it can pay."""
    running = state.turn if state.turn and state.turn.acting == side else None
    play = play_of(system, state, side, running)
    moves = field_cards.all_moves(state.columns, play, room=len(state.reserve) + len(state.discard))
    return [move for move in moves if move.cost <= running.purse] if running else moves


def _threshold(fight: Fight) -> None:
    system, struck, roster = fight.system, fight.named("target"), fight.roster
    target, attacker = roster[struck.name], roster[fight.named("attacker").name]
    bonus = fight.values.get("bonus", attacker.weapon.bonus)
    needed, price = hit_threshold(target, bonus, system), attack_cost("attack", target, attacker, system)
    meets = (needed, needed.total, struck.hits, weak_against(target, system), attacker.weapon.damage, price)
    fight.note(said.Threshold(target.name, attacker.name, bonus, *meets), "F14")


def _show(fight: Fight) -> None:
    if order.fighters_in_order(fight.state):
        order.tell_order(fight)
    if fight.state.columns:
        fight.show_field()


_EVENTS: Mapping[str, Callable[[Fight], None]] = {
    "join": people.join,
    "enter": people.enter,
    "leave": people.leave,
    "surprise": turn.strike_by_surprise,
    "columns": table.choose_columns,
    "deal": table.deal_field,
    "lay": table.lay_field,
    "ambush": table.move_ambush_card,
    "turn": turn.begin_turn,
    "points": turn.begin_turn,
    "moves": _moves,
    "act": turn.act,
    "hold": turn.hold_turn,
    "end": turn.end_turn,
    "deliver": turn.deliver_spell,
    "opportunity": turn.strike_at_opportunity,
    "hurt": turn.lose_hp,
    "threshold": _threshold,
    "reflex": turn.save_by_reflex,
    "heal": turn.regain_hp,
    "round": turn.begin_round,
    "later-initiative": partial(turn.begin_round, later=True),
    "field": _show,
}

"""The field as a page shows it: the cards as they lie, and what can be done with each of them now.

Moves are those of `moves all`, in its words. Before anybody has begun a turn they are those of the one who acts next,
as the first `act` begins that turn.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from generator.base.cards import name_of
from generator.games.board import Board, Tap
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import turn as turns
from generator.games.fiftytwo.cards import FieldMove
from generator.games.fiftytwo.engine import moves_of
from generator.games.fiftytwo.lines import attack_price, field_sentence, move_terms, points_left
from generator.games.fiftytwo.order import next_up
from generator.games.fiftytwo.state import FieldState, Fighter, Turn, column_depth
from generator.games.fiftytwo.table import Fight, ambushes, cards_taken, move_as_typed
from generator.model.rules import System
from generator.play.chance import Given
from generator.words.wording import capitalised, counted_noun, joined_words

_JOINS: dict[str, Literal["pair", "suit", "add"]] = {"bottom": "suit", "higher": "suit", "pair": "pair", "add": "add"}


def for_gm(system: System, state: FieldState) -> Board:
    """Return the field of the game master, who makes every move; what else there is to tell is left to the caller."""
    due = next_up(state)
    begun = _begun(system, state, due)
    can_act = not (state.round and begun.turn is None) and not _owes_spell(begun)
    moves = _moves(system, begun) if can_act else []
    attacks = sorted(_attacks(system, state), key=lambda tap: not state.turn or tap.opens != state.turn.aims)
    commands = [*_spells(state), *attacks, *_goes_on(state, due)]
    head = _head(begun, due, waits=state.turn is None)
    board = _board(system, state, head, moves, commands, acts=can_act, first=_ambushes(system, state))
    if state.turn is None or not state.turn.aims:
        return board
    strikes = tuple(tap for tap in attacks if tap.opens == state.turn.aims)
    kind = "a critical attack" if state.turn.aims == "critical" else "an attack"
    return replace(board, awaits=f"{state.turn.who} makes {kind}: on whom?", granting=strikes)


def for_allies(system: System, state: FieldState) -> Board:
    """Return the field of those who wait: what allies could do."""
    return _board(system, state, "", moves_of(system, replace(state, turn=None), "allies"), [], acts=False)


def for_player(system: System, state: FieldState, who: str, waiting: Board) -> Board:
    """Return a player's field: what they may do in their own turn, else the field of those who wait."""
    turn, due = state.turn, next_up(state)
    if turn is None or turn.who != who:
        mine = turn is None and due is not None and due.name == who and state.round > 0
        commands = (Tap(("turn", who), "Begin your turn"),) if mine else ()
        first = [tap for tap in _ambushes(system, state) if who in tap.words]
        return replace(waiting, moves=(*first, *waiting.moves), commands=commands)
    can_act = not _owes_spell(state)
    moves = _moves(system, state) if can_act else []
    return _board(
        system, state, _head(state, due, waits=False), moves, [*_aims(system, state), _end(turn)], acts=can_act
    )


def _board(
    system: System,
    state: FieldState,
    head: str,
    moves: list[FieldMove],
    commands: list[Tap],
    *,
    acts: bool,
    first: Iterable[Tap] = (),
) -> Board:
    cheapest = sorted(moves, key=lambda move: (move.cost, -move.criticals, -move.normals))
    taps = (*first, *(_tap(move, state) for move in cheapest))
    return Board(state.columns, column_depth(system, state), head, (), taps, tuple(commands), acts)


def _begun(system: System, state: FieldState, due: Fighter | None) -> FieldState:
    """Return the fight as the next move finds it: it begins the turn of whoever acts next."""
    if state.turn or not state.round or due is None:
        return state
    fight = Fight(system, state, Given())
    turns.begin_turn(fight, {})
    return fight.state


def _owes_spell(state: FieldState) -> bool:
    """Tell whether a spell has to work before its caster may do anything else."""
    return state.turn is not None and state.find(state.turn.who).casting == "due"


def _moves(system: System, state: FieldState) -> list[FieldMove]:
    """Return the moves of the running turn; without one, everybody's, for then nothing is paid."""
    if state.turn:
        return moves_of(system, state, state.turn.acting)
    adds = [move for move in moves_of(system, state, "enemies") if move.kind == "add"]
    return [*moves_of(system, state, "allies"), *adds]


def _head(state: FieldState, due: Fighter | None, *, waits: bool) -> str:
    turn = state.turn
    if turn is None:
        return (
            field_sentence(said.RoundOver(state.resequenced))
            if state.round
            else "Nobody has the turn: moves cost nothing."
        )
    parts = [field_sentence(said.Next(due.name, due.initiative or 0))] if waits and due else []
    parts.append(field_sentence(said.Purse(turn.who, turn.points, turn.free, turn.normals, turn.criticals)))
    if turn.aims:
        parts.append(field_sentence(said.Aims(turn.who, turn.aims == "critical")))
    if casting := state.find(turn.who).casting:
        parts.append(field_sentence(said.SpellLeft(turn.who, casting)))
    return " ".join(parts)


def _tap(move: FieldMove, state: FieldState) -> Tap:
    if move.kind == "add":
        says = f"Add {counted_noun(len(move.places), 'card')} to column {move.places[0].column + 1}"
    else:
        cards = joined_words(map(name_of, cards_taken(move, state.columns)))
        says = f"Take the {'pair ' if move.kind == 'pair' else ''}{cards}"
    return Tap(
        words=("act", *move_as_typed(move, state.columns).split()),
        says=says,
        detail=capitalised(move_terms(move.cost, move.normals, move.criticals)),
        opens="critical" if move.criticals else "attack" if move.normals else "",
        joins=_JOINS[move.kind],
        places=move.places,
    )


def _ambushes(system: System, state: FieldState) -> Iterator[Tap]:
    """Yield the cards that surprise gives, for everybody who has not used theirs."""
    for fighter, where, (at, row) in ambushes(system, state):
        adds = row == len(state.columns[at])
        says = f"adds a card to column {at + 1}" if adds else f"takes the {name_of(state.columns[at][row])}"
        words = ("ambush", fighter.name, where)
        joins: Literal["", "add"] = "add" if adds else ""
        detail = "The card that surprise gives: no points"
        yield Tap(words, f"{fighter.name} {says}", detail, joins=joins, places=((at, row),), free=True)


def _end(turn: Turn) -> Tap:
    lost = f"Loses {joined_words(points_left(turn.points, turn.free))}" if turn.purse else ""
    return Tap(("end",), "End the turn", lost)


def _spells(state: FieldState) -> Iterator[Tap]:
    standing = tuple(fighter.name for fighter in state.fighters if fighter.hp > 0)
    for caster in state.fighters:
        if caster.hp > 0 and caster.casting in ("done", "due"):
            yield Tap(("deliver", caster.name), f"The spell of {caster.name} works", "No points", strikes=standing)


def _attacks(system: System, state: FieldState) -> Iterator[Tap]:
    for name, target, price in turns.open_attacks(system, state):
        does = f"Critical attack on {target}" if name == "critical" else f"Attack {target}"
        yield Tap(("act", name, target), does, attack_price(price), name)


def _aims(system: System, state: FieldState) -> Iterator[Tap]:
    """Yield the attacks that a player may make; the game master names the target, for players are told of no foe."""
    for name in dict.fromkeys(name for name, _, _ in turns.open_attacks(system, state)):
        if state.turn and state.turn.aims != name:
            does = "Critical attack" if name == "critical" else "Attack"
            yield Tap(("act", name, turns.SOMEBODY), does, "The game master says on whom", name)


def _goes_on(state: FieldState, due: Fighter | None) -> Iterator[Tap]:
    if state.turn:
        yield _end(state.turn)
    elif due and state.round:
        yield Tap(("turn",), f"Begin the turn of {due.name}")
    elif state.round:
        yield Tap(("round",), "Begin the next round")
        if not state.resequenced:
            yield Tap(("later-initiative",), "Begin it in a new order")

"""The field as a page shows it: the cards as they lie, and what can be done with each of them now.

Moves are those of `moves all`, in its words. Before anybody has begun a turn they are those of the one who acts next,
as the first `act` begins that turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from generator.base.cards import name_of
from generator.games.board import Board, Tap
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import turn as turns
from generator.games.fiftytwo.cards import Move
from generator.games.fiftytwo.engine import moves_of
from generator.games.fiftytwo.lines import attack_price, line, move_terms
from generator.games.fiftytwo.order import next_up
from generator.games.fiftytwo.state import Fighter, State, depth
from generator.games.fiftytwo.table import Fight, ambushes, cards_of, words_of
from generator.model.rules import System
from generator.play.chance import Given
from generator.words.wording import capitalised, counted_noun, joined_words

_JOINS: dict[str, Literal["pair", "suit", "add"]] = {"bottom": "suit", "higher": "suit", "pair": "pair", "add": "add"}


def for_gm(system: System, state: State) -> Board:
    """The field of the game master, who makes every move; what else there is to tell is left to the caller."""
    due = next_up(state)
    begun = _begun(system, state, due)
    can_act = not (state.round and begun.turn is None) and not _owes_spell(begun)
    found = _moves(system, begun) if can_act else []
    attacks = sorted(_attacks(system, state), key=lambda tap: not state.turn or tap.opens != state.turn.aims)
    commands = [*_spells(state), *attacks, *_goes_on(state, due)]
    head = _head(begun, due, waits=state.turn is None)
    return _board(system, state, head, found, commands, acts=can_act, first=_ambushes(system, state))


def for_player(system: System, state: State, who: str) -> Board:
    """The field of somebody who sits before it: what they may do in their own turn, else what allies could do."""
    turn, due = state.turn, next_up(state)
    if turn is None or turn.who != who:
        mine = turn is None and due is not None and due.name == who and state.round > 0
        commands = [Tap(("turn", who), "Begin your turn")] if mine else []
        first = (tap for tap in _ambushes(system, state) if who in tap.words)
        return _board(system, state, "", moves_of(system, _idle(state), "allies"), commands, acts=False, first=first)
    can_act = not _owes_spell(state)
    found = _moves(system, state) if can_act else []
    return _board(system, state, _head(state, due, waits=False), found, [*_aims(system, state), _END], acts=can_act)


def _board(
    system: System,
    state: State,
    head: str,
    found: list[Move],
    commands: list[Tap],
    *,
    acts: bool,
    first: Iterable[Tap] = (),
) -> Board:
    cheapest = sorted(found, key=lambda move: (move.cost, -move.criticals, -move.normals, -(move.then or 0)))
    taps = (*first, *(_tap(move, state) for move in cheapest))
    return Board(state.columns, depth(system, state), head, (), taps, tuple(commands), acts)


# --- whose moves they are --------------------------------------------------------------------------------------------


def _begun(system: System, state: State, due: Fighter | None) -> State:
    """The fight as the next move finds it: it begins the turn of whoever acts next."""
    if state.turn or not state.round or due is None:
        return state
    fight = Fight(system, state, Given())
    turns.begin(fight, {})
    return fight.state


def _idle(state: State) -> State:
    """The same field in nobody's turn."""
    return State(columns=state.columns, reserve=state.reserve, discard=state.discard, round=state.round)


def _owes_spell(state: State) -> bool:
    """Whether a spell has to work before its caster may do anything else."""
    return state.turn is not None and state.find(state.turn.who).casting == "due"


def _moves(system: System, state: State) -> list[Move]:
    """What the running turn can do; without one whatever anybody could, for then nothing is paid."""
    if state.turn:
        return moves_of(system, state, state.turn.acting)
    adds = [move for move in moves_of(system, state, "enemies") if move.kind == "add"]
    return [*moves_of(system, state, "allies"), *adds]


def _head(state: State, due: Fighter | None, *, waits: bool) -> str:
    """Who acts and what they have to spend."""
    turn = state.turn
    if turn is None:
        return line(said.RoundOver(state.resequenced)) if state.round else "Nobody has the turn: moves cost nothing."
    parts = [line(said.Next(due.name, due.initiative or 0))] if waits and due else []
    parts.append(line(said.Purse(turn.who, turn.points, turn.free, turn.normals, turn.criticals)))
    if turn.aims:
        parts.append(line(said.Aims(turn.who, turn.aims == "critical")))
    if casting := state.find(turn.who).casting:
        parts.append(line(said.SpellLeft(turn.who, casting)))
    return " ".join(parts)


# --- what can be tapped ----------------------------------------------------------------------------------------------


def _tap(move: Move, state: State) -> Tap:
    return Tap(
        words=("act", *words_of(move, state.columns).split()),
        says=_title(move, state),
        detail=capitalised(move_terms(move.cost, move.normals, move.criticals, move.then)),
        opens="critical" if move.criticals else "attack" if move.normals else "",
        joins=_JOINS[move.kind],
        places=move.places,
    )


def _title(move: Move, state: State) -> str:
    if move.kind == "add":
        return f"Add {counted_noun(len(move.places), 'card')} to column {move.places[0].column + 1}"
    pair = "the pair " if move.kind == "pair" else "the "
    return f"Take {pair}{joined_words(map(name_of, cards_of(move, state.columns)))}"


def _ambushes(system: System, state: State) -> Iterator[Tap]:
    """The cards that surprise gives, for everybody who has not used theirs."""
    for fighter, where, (at, row) in ambushes(system, state):
        adds = row == len(state.columns[at])
        says = f"adds a card to column {at + 1}" if adds else f"takes the {name_of(state.columns[at][row])}"
        words = ("ambush", fighter.name, where)
        joins: Literal["", "add"] = "add" if adds else ""
        yield Tap(words, f"{fighter.name} {says}", _SURPRISE, joins=joins, places=((at, row),), free=True)


_SURPRISE = "The card that surprise gives: no points"
_END = Tap(("end",), "End the turn")


def _spells(state: State) -> Iterator[Tap]:
    """The spells that may work now."""
    standing = tuple(fighter.name for fighter in state.fighters if fighter.hp > 0)
    for caster in state.fighters:
        if caster.hp > 0 and caster.casting in ("done", "due"):
            words = ("deliver", caster.name)
            yield Tap(words, f"The spell of {caster.name} works", "No points", strikes=standing)


def _attacks(system: System, state: State) -> Iterator[Tap]:
    """The attacks that the running turn has opened and can pay."""
    for name, target, price in turns.open_attacks(system, state):
        does = f"Critical attack on {target}" if name == "critical" else f"Attack {target}"
        yield Tap(("act", name, target), does, attack_price(price), name)


def _aims(system: System, state: State) -> Iterator[Tap]:
    """The attacks that a player may make; the game master names the target, for players are told of no foe."""
    for name in dict.fromkeys(name for name, _, _ in turns.open_attacks(system, state)):
        if state.turn and state.turn.aims != name:
            does = "Critical attack" if name == "critical" else "Attack"
            yield Tap(("act", name, turns.SOMEBODY), does, "The game master says on whom", name)


def _goes_on(state: State, due: Fighter | None) -> Iterator[Tap]:
    """How the fight goes on: the turn ends, the next one begins, or the next round does."""
    if state.turn:
        yield _END
    elif due and state.round:
        yield Tap(("turn",), f"Begin the turn of {due.name}")
    elif state.round:
        yield Tap(("round",), "Begin the next round")
        if not state.resequenced:
            yield Tap(("later-initiative",), "Begin it in a new order")

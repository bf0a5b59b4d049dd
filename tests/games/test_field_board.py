"""The field of the 52 engine as a page shows it: what can be tapped is what can be done, and nobody sees too much."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from games.test_field import begun, do, fresh
from helpers import fiftytwo, hackjack
from hypothesis import given
from hypothesis import strategies as st
from served import serving

from generator.base.cards import name_of
from generator.base.errors import HackjackError
from generator.games import game_of, log_lines
from generator.games.board import Board, Tap
from generator.games.fiftytwo.state import FieldState, plain_state
from generator.play.chance import Seeded

GAME = game_of(fiftytwo())
ALLIES = ("Alphonse", "Alan", "Artichoke", "Alice", "Able")


def board(state: FieldState, who: str = "") -> Board:
    found = GAME.board(plain_state(state), who)
    assert found is not None
    return found


def lying(*columns: str, **more: Any) -> FieldState:
    """A field by its columns from the bottom card up, in the turn of Alan, who has eight points and the free action."""
    turn = {"who": "Alan", "points": 8, "free": 1, "acting": "allies"}
    return fresh(columns=[column.split() for column in columns], round=1, **{"turn": turn, **more})


def told(taps: Any) -> list[str]:
    return [f"{tap.says}: {tap.detail}" if tap.detail else tap.says for tap in taps]


def with_card(found: Board, column: int, row: int) -> list[str]:
    """What a tap on a card shows."""
    return told(tap for tap in found.moves if (column, row) in tap.places)


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_a_card_shows_what_can_be_done_with_it_the_cheapest_first() -> None:
    found = board(lying("7C 9S 3H", "7H 9D 5C", "2D 9C"))
    assert found.head == "Alan has 8 points and the free action left."
    assert with_card(found, 0, 0) == [
        "Take the pair 7 of clubs and 7 of hearts: 1 point, opens a critical attack",
        "Take the 7 of clubs: 1 point, opens an attack",
    ]
    assert with_card(found, 1, 1) == [
        "Take the pair 9 of spades and 9 of diamonds: 1 point, opens a critical attack",
        "Take the pair 9 of diamonds and 9 of clubs: 1 point, opens a critical attack",
        "Take the 9 of diamonds: 2 points, opens nothing",
    ]
    runs = board(lying("7C 9S 3H", "KH 8S 5C", "2D QS", "3C 4S"))
    assert with_card(runs, 2, 1)[0].startswith(
        "Take the 9 of spades, 8 of spades, Queen of spades and 4 of spades: 2 points, opens a critical attack and an "
    )
    assert [tap.joins for tap in runs.moves if (2, 1) in tap.places] == ["suit"]


def test_what_was_opened_is_one_tap_and_so_is_the_end() -> None:
    before = lying("7C 9S", "7H 5C")
    lost = "Loses 8 points and the free action"
    assert told(board(before).commands) == [f"End the turn: {lost}"], "nobody gives points away by mistake"
    after, _ = do(before, "act pair 7C 7H")
    found = board(after)
    assert found.head == "Alan has 8 points left, with a critical attack open."
    assert told(found.commands) == [
        "Critical attack on Evans: for nothing: the armour is weak against it",
        *(f"Critical attack on {name}: for 1 point" for name in ("Emberry", "Eckhart", "Esther")),
        "End the turn: Loses 8 points",
    ]


def test_enemies_add_cards_to_columns_and_take_pairs() -> None:
    turn = {"who": "Evans", "points": 2, "acting": "enemies"}
    found = board(lying("7C 9S", "7H 5C KD 2S 3S", turn=turn))
    assert told(found.moves) == [
        "Take the pair 7 of clubs and 7 of hearts: 1 point, opens a critical attack",
        "Add one card to column 1: 1 point, opens nothing",
        "Add two cards to column 1: 2 points, opens an attack",
    ]
    assert [tap.places for tap in found.moves if tap.joins == "add"] == [((0, 2),), ((0, 2), (0, 3))]


def test_before_a_turn_begins_the_moves_are_those_of_the_next_to_act() -> None:
    state, _ = do(begun(), "deal 6", Seeded(4))
    found = board(state)
    assert found.head.startswith("Alphonse is next, with an initiative of 15. Alphonse has ")
    assert told(found.commands) == ["Begin the turn of Alphonse"]
    assert of_the_turn(found) == of_the_turn(board(do(state, "turn")[0]))
    assert [line.split()[1] for line in found.lines[:2]] == ["Alphonse:", "Evans:"], "the order stands beside the field"
    assert not any("10" in line and "D" in line for line in found.lines), "the field is not told twice"


def test_when_everybody_has_acted_the_next_round_is_one_tap() -> None:
    state, _ = do(begun(), "deal 6", Seeded(4))
    for _ in range(9):
        state, _ = do(do(state, "turn")[0], "end")
    found = board(state)
    assert found.head == "Everybody has acted: begin the next one with later-initiative, or round."
    assert (found.moves, found.acts) == ((), False)
    assert told(found.commands) == ["Begin the next round", "Begin it in a new order"]


def test_a_spell_that_is_due_comes_first() -> None:
    state = lying("7C 9S", "7H 5C")
    state = state.with_fighter(msgspec.structs.replace(state.find("Alan"), casting="due"))
    found = board(state)
    assert (found.moves, found.acts) == ((), False)
    assert "The spell of Alan works now, before anything else" in found.head


def test_without_a_fight_whoever_likes_moves_cards() -> None:
    found = board(fresh(columns=[["7C", "9S"], ["7H"]]))
    assert found.head == "Nobody has the turn: moves cost nothing."
    assert {tap.words[1] for tap in of_the_turn(found)} == {"take", "pair", "add"}


def test_no_board_where_nothing_lies() -> None:
    assert GAME.board(plain_state(begun())) is None
    assert game_of(hackjack()).board({}) is None


# --- nothing else, and nothing less ----------------------------------------------------------------------------------


def typed(state: FieldState) -> Counter[str]:
    """What `moves all` says, without the cards in brackets: they are on the board themselves."""
    log = GAME.look(state, GAME.read_event(["moves", "all"], {}))
    said = [GAME.line(entry) for entry in log if entry.kind == "move"]
    return Counter(re.sub(r" \([^)]*\)", "", line) for line in said)


def of_the_turn(found: Board) -> list[Tap]:
    """The moves that belong to a turn; what surprise gives may be done at any time."""
    return [tap for tap in found.moves if tap.words[0] != "ambush"]


def tapped(found: Board) -> Counter[str]:
    """What the board offers, put as `moves all` puts it."""
    return Counter(f"{' '.join(tap.words[1:])}: {tap.detail[:1].lower()}{tap.detail[1:]}" for tap in found.moves)


def played(state: FieldState, tap: Tap, luck: Seeded) -> FieldState:
    """The fight after a tap. What is taken are the cards at its places; what is added comes to lie there."""
    after: FieldState = GAME.step(state, GAME.read_event(tap.words, {}), luck)[0]
    before = Counter(chain(*state.columns))
    if tap.joins == "add":
        assert all(row < len(after.columns[column]) for column, row in tap.places)
        assert sum(map(len, after.columns)) == before.total() + len(tap.places)
    elif tap.joins:
        assert before - Counter(chain(*after.columns)) == Counter(state.columns[at][row] for at, row in tap.places)
        assert all(name_of(state.columns[at][row]) in tap.says for at, row in tap.places)
    else:
        assert after.columns == state.columns or tap.words[0] in ("round", "later-initiative")
    return after


@given(st.integers(1, 12), st.integers(0, 10**6))
def test_whoever_taps_at_random_does_all_that_can_be_typed_and_is_never_refused(columns: int, seed: int) -> None:
    luck, hand = Seeded(seed), random.Random(seed)
    state, _ = do(begun(), f"deal {columns}", luck)
    for _ in range(20):
        found = board(state)
        if state.turn:
            assert tapped(found) == typed(state)
            kinds = {"critical": state.turn.criticals, "attack": state.turn.normals}
            assert {tap.words[1] for tap in found.commands if tap.words[0] == "act"} <= {
                kind for kind, count in kinds.items() if count
            }
        keys = [int(tap.detail.split()[0]) for tap in of_the_turn(found)]
        assert keys == sorted(keys), "the cheapest first"
        attacks = [tap for tap in found.commands if tap.words[0] == "act"]
        options = [*found.moves, *attacks, *found.commands[-1:]]
        if not options:
            break
        state = played(state, hand.choice(options), luck)


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_player_sees_the_field_and_the_pairs_and_does_nothing_out_of_turn() -> None:
    turn = {"who": "Evans", "points": 2, "acting": "enemies"}
    found = board(lying("7C 9S", "7H 5C", turn=turn), "Alan")
    assert (found.acts, found.head, found.lines, found.commands) == (False, "", (), ())
    assert "Take the pair 7 of clubs and 7 of hearts" in {tap.says for tap in found.moves}
    mine = board(lying("7C 9S", "7H 5C"), "Alan")
    assert mine.acts and mine.head == "Alan has 8 points and the free action left."
    assert told(mine.commands) == ["End the turn: Loses 8 points and the free action"]


def test_a_player_attacks_and_the_game_master_names_the_foe() -> None:
    """The phone offers the attack that is open and no name; the table is told, and one tap of the GM strikes."""
    opened = lying("7C 9S", "7H 5C", turn={"who": "Alan", "points": 1, "normals": 1, "criticals": 1})
    commands = board(opened, "Alan").commands
    assert told(commands) == [
        "Critical attack: The game master says on whom", "Attack: The game master says on whom",
        "End the turn: Loses 1 point",
    ]  # fmt: skip
    target = GAME.EVENTS["act"].takes[0].then["attack"][0]
    assert GAME.choices(target, opened, {"move": "attack"}) == ("Evans", "Emberry", "Eckhart", "Esther", "somebody")
    aiming, log = do(opened, " ".join(commands[1].words))
    assert log_lines(log, fiftytwo()) == ["Alan makes an attack: the game master says on whom."]
    assert opened.turn and aiming.turn == msgspec.structs.replace(opened.turn, aims="attack"), "nothing is paid yet"
    assert told(board(aiming, "Alan").commands) == [told(commands)[0], told(commands)[-1]]
    master = board(aiming)
    assert master.head.endswith("Alan makes an attack: the game master says on whom.")
    assert [tap.words for tap in master.commands[:4]] == [
        ("act", "attack", name) for name in ("Evans", "Emberry", "Eckhart", "Esther")
    ]
    assert "somebody" not in told(board(do(aiming, "act attack Eckhart")[0]).commands)
    assert not board(do(aiming, "act attack Eckhart")[0]).head.endswith("on whom.")
    with pytest.raises(HackjackError, match="no attack is open"):
        do(lying("7C"), "act attack somebody")
    with pytest.raises(HackjackError, match="Somebody is here already: take another name"):
        do(opened, "join Somebody")
    two = [{"name": "Alphonse", "hp": 9}, {"name": "Eckhart", "hp": 9}]
    poor = lying("7C", turn={"who": "Alphonse", "normals": 1}, fighters=two)
    assert told(board(poor, "Alphonse").commands) == ["End the turn"]
    with pytest.raises(HackjackError, match="Alphonse has 0 points left: nobody can be attacked for that"):
        do(poor, "act attack somebody")


def test_players_are_told_no_foe_no_order_and_no_card_of_the_pool(tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        for words in ("enter everybody", "initiative", "deal 4"):
            assert served.gm.do(*words.split())[0] == 200
        for _ in range(9):
            assert served.gm.do("turn")[0] == 200
            master = served.gm.state()
            for name in ("Alphonse", "Alan"):
                mine = served.player(name).state()["board"]
                assert mine["columns"] == master["board"]["columns"]
                assert mine["acts"] == (master["acting"] == name)
                text = json.dumps(mine)
                assert not [foe for foe in GAME.foes(master["state"]) if foe in text]
                assert not [other for other in ALLIES if other != name and other in text]
                lying = {name_of(card) for card in chain(*mine["columns"])}
                hidden = {name_of(card) for card in master["deck"]["cards"]} - lying
                assert hidden and not [card for card in hidden if card in text]
            assert served.gm.do("end")[0] == 200


def test_a_player_moves_cards_and_attacks_in_their_own_turn(tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        for words in ("enter everybody", "initiative", "deal 5"):
            assert served.gm.do(*words.split())[0] == 200
        assert served.gm.ask("/api/settings", {"events": ["act", "end", "turn"]})[0] == 200
        while not (acting := next((name for name in ALLIES if served.gm.state()["acting"] == name), "")):
            assert served.gm.do("turn")[0] == 200
            if served.gm.state()["acting"] not in ALLIES:
                assert served.gm.do("end")[0] == 200
        player = served.player(acting)
        move = next(move for move in player.state()["board"]["moves"] if move["opens"])
        name, *words = move["words"]
        assert player.deed(name, "", *words)[0] == 200
        attack = player.state()["board"]["commands"][0]["words"]
        assert attack == ["act", move["opens"], "somebody"]
        assert player.deed(attack[0], "", *attack[1:])[0] == 200
        assert player.state()["board"]["head"].endswith("the game master says on whom.")
        foe = served.gm.state()["board"]["commands"][0]["words"]
        assert foe[:2] == attack[:2] and foe[2] in GAME.foes(served.gm.state()["state"])
        assert served.gm.do(*foe)[0] == 200
        assert foe[2] not in json.dumps(player.state()), "players are told of no foe"
        other = next(each for each in ALLIES if each != acting)
        assert served.player(other).deed("end")[0] == 403
        assert player.deed("end")[0] == 200

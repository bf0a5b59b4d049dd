"""The field of cards against a slow and obvious second witness, and the laws that every move keeps."""

from __future__ import annotations

import itertools
import random

import pytest
from helpers import fiftytwo
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import engine as field
from generator.games.fiftytwo import table as field_table
from generator.games.fiftytwo.cards import FieldMove, FieldPlace
from generator.games.fiftytwo.state import FieldState, plain_state, read_state
from generator.play.chance import Seeded

Columns = tuple[tuple[str, ...], ...]

# --- the second witness: a grid of names, looked at card by card, with no cleverness ---------------------------------


def grid(columns: Columns) -> dict[tuple[int, int], str]:
    return {(x, y): code for x, column in enumerate(columns) for y, code in enumerate(column)}


def fallen(cards: dict[tuple[int, int], str], gone: set[tuple[int, int]], width: int) -> Columns:
    left = []
    for x in range(width):
        ys = sorted(y for (column, y) in cards if column == x and (x, y) not in gone)
        left.append(tuple(cards[x, y] for y in ys))
    return tuple(left)


def touching_pairs(cards: dict[tuple[int, int], str]) -> set[frozenset[tuple[int, int]]]:
    found = set()
    for one, other in itertools.combinations(cards, 2):
        near = abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
        if near and cards[one][:-1] == cards[other][:-1]:
            found.add(frozenset((one, other)))
    return found


def spread(
    cards: dict[tuple[int, int], str], start: tuple[int, int], steps: list[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Everything of one suit that can be reached from a card in such steps."""
    found, edge = {start}, [start]
    while edge:
        x, y = edge.pop()
        for dx, dy in steps:
            near = (x + dx, y + dy)
            if near in cards and near not in found and cards[near][-1] == cards[start][-1]:
                found.add(near)
                edge.append(near)
    return found


def witness(columns: Columns, *, takes: bool) -> set[tuple[str, frozenset[tuple[int, int]], int, int, int]]:
    """Every move: its kind, the cards that leave, cost, attacks and critical attacks."""
    cards, width = grid(columns), len(columns)

    found = set()
    for pair in touching_pairs(cards):
        after = fallen(cards, set(pair), width)
        emptied = sum(1 for x in range(width) if columns[x] and not after[x]) if takes else 0
        found.add(("pair", pair, 1, 0, 1 + emptied))
    for start in cards if takes else ():
        if start[1] == 0:
            gone = spread(cards, start, [(0, 1)])
            empty = len(gone) == len(columns[start[0]])
            found.add(("bottom", frozenset(gone), 1, int(not empty), int(empty)))
        else:
            gone = spread(cards, start, [(1, 0), (-1, 0)])
            attacks = len(gone) // 2
            critical = int(len(gone) >= 4)
            found.add(("higher", frozenset(gone), 2, attacks - critical, critical))
    return found


def seen(move: FieldMove) -> tuple[str, frozenset[tuple[int, int]], int, int, int]:
    places = frozenset((place.column, place.row) for place in move.places)
    return move.kind, places, move.cost, move.normals, move.criticals


# --- fields ----------------------------------------------------------------------------------------------------------


@st.composite
def fields(draw: st.DrawFn) -> FieldState:
    """Fields of any shape, with cards of a second deck where they are wide."""
    width, deep = draw(st.integers(1, 12)), draw(st.integers(1, 6))
    luck = random.Random(draw(st.integers(0, 10**6)))
    # Few ranks and suits make pairs and runs likely.
    deck = [*FULL_DECK] if draw(st.booleans()) else [code for code in FULL_DECK if code[-1] in "HS" or code[0] in "23"]
    second = luck.sample(FULL_DECK, 20) if width > 9 else []
    deck += second
    luck.shuffle(deck)
    columns = []
    for _ in range(width):
        column = tuple(deck.pop() for _ in range(min(luck.randint(0, deep), len(deck))))
        columns.append(column)
    return read_state({"columns": columns, "width": width, "padding": second}, fiftytwo())


def play(side: str, state: FieldState) -> field_cards.Play:
    return field_table.play_of(fiftytwo(), state, "allies" if side == "allies" else "enemies")


@given(fields(), st.sampled_from(["allies", "enemies"]))
def test_moves_are_those_of_the_witness(state: FieldState, side: str) -> None:
    found = field_cards.all_moves(state.columns, play(side, state), room=0)
    assert {seen(move) for move in found} == witness(state.columns, takes=side == "allies")
    assert len({move.places for move in found}) == len(found)


@given(fields())
def test_moves_are_ranked_by_what_they_open(state: FieldState) -> None:
    found = field_cards.all_moves(state.columns, play("allies", state))
    keys = [(-move.criticals, -move.normals, move.cost) for move in found]
    assert keys == sorted(keys)


@given(fields())
def test_adding_fills_every_column_with_room(state: FieldState) -> None:
    found = [move for move in field_cards.all_moves(state.columns, play("enemies", state)) if move.kind == "add"]
    expected = {
        (at, count) for at, column in enumerate(state.columns) for count in range(1, 6) if len(column) + count <= 5
    }
    assert {(move.places[0].column, len(move.places)) for move in found} == expected
    for move in found:
        at, count = move.places[0].column, len(move.places)
        full = len(state.columns[at]) + count == 5
        assert move.cost == count
        assert move.normals == count - 1
        assert move.criticals == int(full or count >= 4)


@given(fields(), st.lists(st.integers(0, 999), max_size=8), st.integers(0, 99))
def test_cards_are_conserved_whatever_is_played(state: FieldState, picks: list[int], seed: int) -> None:
    """Every card of the deck lies in one place before and after every move, and no column hangs in the air."""
    luck = Seeded(seed)
    whole = sorted([*FULL_DECK, *state.padding])
    for pick in picks:
        side = "allies" if pick % 2 else "enemies"
        found = field_cards.all_moves(state.columns, play(side, state), room=len(state.reserve) + len(state.discard))
        if not found:
            continue
        words = field_table.move_as_typed(found[pick % len(found)], state.columns).split()
        state, log = field.step(fiftytwo(), state, field.read_event(["act", *words], {}), luck)
        lying = [code for column in state.columns for code in column]
        assert sorted([*lying, *state.reserve, *state.discard]) == whole
        assert log[-1].kind == "field"
        assert read_state(plain_state(state), fiftytwo()) == state


@given(fields())
def test_a_move_typed_as_it_is_shown_takes_the_same_cards(state: FieldState) -> None:
    rules = play("allies", state)
    for move in field_cards.all_moves(state.columns, rules):
        words = field_table.move_as_typed(move, state.columns).split()
        places = [field_cards.find_card(state.columns, word) for word in words[1:]]
        if words[0] == "pair":
            one, other = places
            assert field_cards.pair_move(state.columns, one, other, rules) == move
        else:
            assert field_cards.take_move(state.columns, places[0], rules) == move


def test_a_run_stops_at_another_suit() -> None:
    """Four, seven and Jack of hearts go together; the Ace of clubs above them falls down."""
    state = read_state({"columns": [["4H", "7H", "JH", "AC"]]}, fiftytwo())
    after, log = field.step(fiftytwo(), state, field.read_event(["act", "take", "4H"], {}), Seeded(0))
    assert after.columns == (("AC",),)
    assert after.discard == ("4H", "7H", "JH")
    assert [entry.facts for entry in log if entry.kind == "opens"] == [{"normals": 1, "criticals": 0}]


@pytest.mark.parametrize(
    ("columns", "words", "opens"),
    [
        ([["AC"]], "take AC", (0, 1)),
        ([["AC", "2C", "9C"]], "take AC", (0, 1)),
        ([["AC", "2D"]], "take AC", (1, 0)),
        ([["AC", "2D"], ["3C", "4D"]], "take 2D", (1, 0)),
        ([["AC", "2D"], ["3C", "4H"]], "take 2D", (0, 0)),
        ([["AC", "2D"], ["3C", "4D"], ["5C", "6D"]], "take 4D", (1, 0)),
        ([["AC", "2D"], ["3C", "4D"], ["5C", "6D"], ["7S", "8D"]], "take 8D", (1, 1)),
        ([["AC", "AD", "2S"]], "pair AC AD", (0, 1)),
        ([["AC", "AD"]], "pair AC AD", (0, 2)),
        ([["AC"], ["AD"]], "pair AC AD", (0, 3)),
        ([[]], "add 1", (0, 0)),
        ([["AC"]], "add 1 2", (1, 0)),
        ([["AC", "2C"]], "add 1 3", (2, 1)),
        ([["AC", "2C", "4D", "5H"]], "add 1", (0, 1)),
        ([[]], "add 1 4", (3, 1)),
        ([[]], "add 1 5", (4, 1)),
    ],
)
def test_what_each_action_opens(columns: list[list[str]], words: str, opens: tuple[int, int]) -> None:
    state = read_state({"columns": columns}, fiftytwo())
    _, log = field.step(fiftytwo(), state, field.read_event(["act", *words.split()], {}), Seeded(1))
    (facts,) = [entry.facts for entry in log if entry.kind == "opens"]
    assert (facts["normals"], facts["criticals"]) == opens


def test_a_place_names_a_card_that_lies_there_twice() -> None:
    state = read_state({"columns": [["AC", "2D"], ["AC", "3H"]], "padding": ["AC"]}, fiftytwo())
    assert field_cards.find_card(state.columns, "2.1") == FieldPlace(1, 0)
    with pytest.raises(Exception, match=r"more than once, at 1\.1 and 2\.1: name the place"):
        field_cards.find_card(state.columns, "AC")
    moves = field_cards.all_moves(state.columns, play("allies", state))
    assert {"take 1.1", "take 2.1", "take 2D", "take 3H", "pair 1.1 2.1"} == {
        field_table.move_as_typed(move, state.columns) for move in moves
    }

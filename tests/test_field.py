"""The 52-card engine at the table: initiative, turns and what they buy, armour, rounds, and bad input."""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, fiftytwo, lines_of_campaign, run
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, lines_of
from generator.games.face import Asked
from generator.games.fiftytwo import engine as field
from generator.games.fiftytwo import order as field_order
from generator.games.fiftytwo.odds import blows, first
from generator.games.fiftytwo.state import Fighter, Roster, State, plain_state, read_state
from generator.model.log import Log
from generator.pack.content import with_settings
from generator.play.chance import Given, Seeded

ROLLS = (6, 10, 4, 8, 5, 8, 5, 7, 7)


def do(
    state: State, text: str, luck: Any = None, at: dict[str, str] | None = None, **settings: str
) -> tuple[State, Log]:
    system = with_settings(fiftytwo(), settings.items())
    return field.step(system, state, field.read_event(text.split(), at or {}), luck or Given())


def fresh(**plain: Any) -> State:
    return read_state(plain, fiftytwo())


def facts(log: Log, kind: str) -> dict[str, Any]:
    return next(entry.facts for entry in log if entry.kind == kind)


def begun() -> State:
    """The worked fight after initiative."""
    return do(fresh(), "initiative", Given(dice=ROLLS))[0]


def resolve(tmp_path: Path, state: State | None, *words: str) -> Any:
    arguments = ["resolve", "fiftytwo", *words, "--json"]
    if state is not None:
        path = tmp_path / "state.json"
        path.write_text(json.dumps(plain_state(state)))
        arguments += ["--state", str(path)]
    done = run(*arguments)
    assert done.code == 0, done.err
    return json.loads(done.out)


# --- initiative ------------------------------------------------------------------------------------------------------


def test_the_nine_of_the_source_end_in_its_order(tmp_path: Path) -> None:
    shape = resolve(tmp_path, None, "initiative", "--dice", ",".join(map(str, ROLLS)))
    order = {one["name"]: one["initiative"] for one in shape["state"]["fighters"]}
    assert sorted(order.values(), reverse=True) == [15, 14, 13, 12, 11, 10, 9, 8, 7]
    assert sorted(order, key=lambda name: -order[name]) == [
        "Alphonse", "Evans", "Eckhart", "Alan", "Esther", "Emberry", "Artichoke", "Alice", "Able",
    ]  # fmt: skip
    told = [entry["text"] for entry in shape["log"] if entry["kind"].startswith("tie")]
    assert told == [
        "Eckhart and Alan share 13: surprise keeps Eckhart there, Alan drops to 12.",
        "Esther and Emberry share 11: the higher roll keeps Esther there, Emberry drops to 10.",
        "Artichoke and Alice share 9: the higher roll keeps Artichoke there, Alice drops to 8.",
        "Alice and Able share 8: the higher first total keeps Alice there, Able drops to 7.",
    ]


def two(**changes: Any) -> State:
    """Two who roll the same; `changes` are what sets the second one apart."""
    first = person("First", "allies", intelligence=1, strength=2)
    return fresh(roster=[first, {**first, "name": "Second", **changes}])


@pytest.mark.parametrize(
    ("changes", "dice", "by"),
    [
        ({"surprise": True}, (10, 10), "surprise"),
        ({"initiative": {"circumstance": -1}}, (10, 11), "roll"),
        ({"initiative": {"modifier": 1, "circumstance": -1}}, (10, 10), "modifier"),
        ({"magic": 1, "initiative": {"circumstance": -1}}, (10, 10), "magic"),
        ({"dexterity": 1, "initiative": {"circumstance": -1}}, (10, 10), "dexterity"),
        ({"intelligence": 2}, (10, 10), "intelligence"),
        ({"strength": 1}, (10, 10), "low_strength"),
        ({}, (10, 10, 3, 4), "roll_off"),
        ({}, (10, 10, 5, 5, 1, 20), "roll_off"),
    ],
)
def test_ties_are_broken_by_the_nine_in_turn(changes: dict[str, Any], dice: tuple[int, ...], by: str) -> None:
    state, log = do(two(**changes), "initiative", Given(dice=dice))
    found = facts(log, "tie_up")
    assert (found["winner"], found["losers"], found["by"]) == ("Second", ["First"], by)
    assert {one.name: one.initiative for one in state.fighters} == {
        "First": found["at"],
        "Second": found["at"] + 1,
    }


def obvious_order(totals: list[int]) -> list[int]:
    """The rule of ties by hand: the one who stands first in the list wins every tie, by the total and then by place."""
    slots = dict(enumerate(totals))
    while True:
        shared = [slot for slot in slots.values() if list(slots.values()).count(slot) > 1]
        if not shared:
            return [slots[at] for at in range(len(totals))]
        top = max(shared)
        tied = sorted((at for at in slots if slots[at] == top), key=lambda at: (-totals[at], at))
        if top + 1 not in slots.values():
            slots[tied[0]] = top + 1
        else:
            for at in tied[1:]:
                slots[at] -= 1


@given(st.lists(st.integers(-3, 12), min_size=1, max_size=12))
def test_every_number_is_had_once_and_as_the_obvious_way_says(totals: list[int]) -> None:
    """Who comes earlier has the higher die here, so the list's third line settles what the totals do not."""
    people = [
        person(
            f"P{chr(65 + at)}",
            "allies" if at % 2 else "enemies",
            initiative={"roll": 40 - at, "circumstance": total - (40 - at)},
        )
        for at, total in enumerate(totals)
    ]
    state, _ = do(fresh(roster=people), "initiative")
    found = [one.initiative for one in state.fighters]
    assert len(set(found)) == len(found)
    assert found == obvious_order(totals)


def test_holding_drops_to_the_next_free_number() -> None:
    state, log = do(begun(), "hold")
    assert facts(log, "hold") == {"who": "Alphonse", "from": 15, "to": 6}
    state, log = do(state, "hold")
    assert facts(log, "hold") == {"who": "Evans", "from": 14, "to": 5}, (
        "12 is next below Eckhart, and all to 6 is taken"
    )
    assert facts(do(state, "points")[1], "points")["who"] == "Eckhart"


def test_the_last_has_nobody_to_wait_for() -> None:
    state = begun()
    for _ in range(8):
        state, _ = do(do(state, "points")[0], "end")
    with pytest.raises(HackjackError, match="nobody acts after Able: there is nobody to wait for"):
        do(state, "hold")


def test_a_point_raises_initiative_past_those_in_the_way() -> None:
    state, _ = do(begun(), "points")
    state, _ = do(do(state, "end")[0], "points Evans")
    state, log = do(state, "act raise")
    assert facts(log, "raised") == {"who": "Evans", "act": "raise", "from": 14, "to": 16}


def test_a_raise_before_the_first_round_starts_from_nothing() -> None:
    _, log = do(do(fresh(), "turn Alan")[0], "act raise")
    assert lines_of(log, fiftytwo()) == ["Alan rises from 0 to 1."]


def rounded(state: State) -> State:
    """Everybody has had a turn."""
    while any(not fighter.acted for fighter in state.fighters):
        state, _ = do(do(state, "points")[0], "end")
    return state


def test_later_initiative_makes_fights_of_two() -> None:
    """Alphonse struck Eckhart, Evans struck Alan, Eckhart struck Alphonse, Esther struck Able."""
    state = rounded(begun())
    for name, attacker in (("Eckhart", "Alphonse"), ("Alan", "Evans"), ("Alphonse", "Eckhart"), ("Able", "Esther")):
        state = state.with_fighter(replace(state.find(name), attacked_by=attacker))
    state, _ = do(state, "later-initiative")
    order = [fighter.name for fighter in field_order.ordered(state)]
    assert order == ["Alphonse", "Eckhart", "Evans", "Alan", "Esther", "Able", "Emberry", "Artichoke", "Alice"]
    with pytest.raises(HackjackError, match="that happens once in a fight"):
        do(rounded(state), "later-initiative")
    assert facts(do(rounded(state), "round")[1], "round") == {"round": 3}


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_later_initiative_keeps_numbers_apart_and_nobody_goes_down(seed: int, count: int) -> None:
    luck = random.Random(seed)
    names = [f"P{chr(65 + at)}" for at in range(count)]
    sides = {name: luck.choice(["allies", "enemies"]) for name in names}
    slots = luck.sample(range(1, 30), count)
    fighters = tuple(
        Fighter(name=name, hp=5, initiative=slot, attacked_by=luck.choice(["", *names]))
        for name, slot in zip(names, slots, strict=True)
    )
    state, _ = field_order.resequenced(State(fighters=fighters), lambda one, two: sides[one] != sides[two])
    after = {one.name: one.initiative or 0 for one in state.fighters}
    assert len(set(after.values())) == count
    order = sorted(after, key=lambda name: -after[name])
    for fighter in fighters:
        assert after[fighter.name] >= (fighter.initiative or 0)
        attacker = fighter.attacked_by
        if attacker and sides[attacker] != sides[fighter.name] and after[fighter.name] < after[attacker]:
            # Between somebody and the attacker stand only others whom that attacker struck, and those who follow them.
            between = order[order.index(attacker) + 1 : order.index(fighter.name)]
            assert all(_led(name, attacker, fighters, sides) for name in between), (order, fighter)


def _led(name: str, attacker: str, fighters: tuple[Fighter, ...], sides: dict[str, str]) -> bool:
    """Whether the chain of last attackers leads from somebody to the attacker."""
    by = {one.name: one.attacked_by for one in fighters}
    seen = set()
    while name and name not in seen and name != attacker:
        seen.add(name)
        name = by[name] if by[name] and sides[by[name]] != sides[name] else ""
    return name == attacker


# --- columns, the deal, surprise -------------------------------------------------------------------------------------


def test_columns_of_the_example() -> None:
    state, log = do(begun(), "columns", Given(choices=[1]))
    assert state.width == 7
    assert facts(log, "quicker") == {"side": "allies", "choice": 1}
    assert facts(log, "columns")["padding"] == 0
    assert facts(do(fresh(), "columns", at={"allies": "10"})[1], "columns")["padding"] == 10, "2 + 10 - 1"
    assert do(begun(), "columns", Given(choices=[2]))[0].width == 5


@pytest.mark.parametrize(("surprised", "width"), [("allies", 3), ("enemies", 5), ("both", 3), ("nobody", 4)])
def test_surprise_moves_the_columns_by_one(surprised: str, width: int) -> None:
    assert do(fresh(), "columns", at={"allies": "2", "surprised": surprised})[0].width == width


@pytest.mark.parametrize(("width", "padding", "pool"), [(9, 0, 7), (10, 5, 7), (11, 10, 7), (13, 20, 7), (19, 50, 7)])
def test_wide_fields_are_padded_from_a_second_deck(width: int, padding: int, pool: int) -> None:
    state, _ = do(fresh(), f"deal {width}", Seeded(4))
    assert (len(state.padding), len(state.reserve)) == (padding, pool)
    assert [len(column) for column in state.columns] == [5] * width
    assert read_state(plain_state(state), fiftytwo()) == state


def test_the_deal_goes_by_rows_from_the_top() -> None:
    cards = [f"{rank}C" for rank in ("A", *range(2, 11))]
    state, _ = do(fresh(), "deal 2", Given(cards))
    assert state.columns == (("9C", "7C", "5C", "3C", "AC"), ("10C", "8C", "6C", "4C", "2C"))


def test_four_rows_may_become_five_in_the_second_round() -> None:
    state = do(begun(), "deal 3", Seeded(1), depth="4_then_5")[0]
    assert {len(column) for column in state.columns} == {4}
    state, log = do(rounded(state), "round", Seeded(2), depth="4_then_5")
    assert {len(column) for column in state.columns} == {5}
    assert facts(log, "deepened") == {"cards": 3}
    late = do(begun(), "deal 3", Seeded(1), depth="4_then_5_late")[0]
    late = do(rounded(late), "round", Seeded(2), depth="4_then_5_late")[0]
    assert {len(column) for column in late.columns} == {4}
    late = do(rounded(late), "round", Seeded(2), depth="4_then_5_late")[0]
    assert {len(column) for column in late.columns} == {5}
    assert {len(column) for column in do(fresh(), "deal 3", Seeded(1), depth="4")[0].columns} == {4}


def test_enemies_who_surprise_add_one_card_to_columns_of_their_own() -> None:
    state = do(begun(), "lay 9H 8S 2D 5H / 3C 4C 6C 7C")[0]
    for who, at, card in (("Evans", 1, "QS"), ("Eckhart", 2, "10H"), ("Esther", 3, "KS"), ("Emberry", 4, "JS")):
        state, _ = do(state, f"ambush {who} {at}", Given([card]))
    assert [column[-1] for column in state.columns] == ["QS", "10H", "KS", "JS"]
    with pytest.raises(HackjackError, match="Evans has used the card that surprise gives"):
        do(state, "ambush Evans 1")
    with pytest.raises(HackjackError, match="the allies have no card to move: they were surprised too"):
        do(state, "ambush Alan 9H")


def person(name: str, side: str, **changes: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "hp": 9, "weapon": {"name": "stick"}, "normal": [1], "critical": [2], **changes}


def test_the_cards_of_surprise_are_moved_before_the_first_turn() -> None:
    state = do(begun(), "lay 9H 8S 2D 5H / 3C 4C 6C 7C")[0]
    for later in (do(state, "points")[0], do(do(state, "points")[0], "end")[0]):
        with pytest.raises(HackjackError, match="moved before the first turn"):
            do(later, "ambush Evans 1")


def test_surprise_attacks_come_by_dexterity() -> None:
    """Eckhart has 5, Evans 4, Emberry 3, Esther 2."""
    state, log = do(fresh(), "surprise Emberry Alan", Given(dice=(3, 4)))
    assert facts(log, "sooner") == {"who": "Emberry", "sooner": ["Eckhart", "Evans"]}
    _, log = do(state, "surprise Eckhart Alphonse", Given(dice=(4,)))
    assert [entry.kind for entry in log] == ["surprise", "damage"]


@pytest.mark.parametrize(
    ("allies", "enemies", "why"),
    [(False, False, "did not surprise the enemies"), (True, True, "were surprised too")],
)
def test_only_a_side_that_surprised_alone_moves_cards(allies: bool, enemies: bool, why: str) -> None:
    roster = [person("Ann", "allies", surprise=allies), person("Orc", "enemies", surprise=enemies)]
    with pytest.raises(HackjackError, match=f"the allies have no card to move: they {why}"):
        do(fresh(roster=roster, columns=[["9H"]]), "ambush Ann 9H")


def test_no_column_gets_two_cards_from_surprise() -> None:
    state = do(do(begun(), "lay 9H 8S")[0], "ambush Evans 1", Given(["QS"]))[0]
    with pytest.raises(HackjackError, match="column 1 has had its card: no column gets two"):
        do(state, "ambush Eckhart 1", Given(["KS"]))


def test_allies_who_surprise_take_one_card_each_and_columns_fall() -> None:
    roster = [person("Ann", "allies", surprise=True), person("Orc", "enemies")]
    state = fresh(roster=roster, columns=[["9H", "QS", "3C"]])
    state, log = do(state, "ambush ann qs")
    assert (state.columns, state.discard) == ((("9H", "3C"),), ("QS",))
    assert facts(log, "ambush_take") == {"who": "Ann", "card": "QS", "column": 1}


def test_a_field_is_typed_in_and_drawn_back(tmp_path: Path) -> None:
    done = run("resolve", "fiftytwo", "lay", "--", "-- 10H . / 9h 8s 2D / 4C 5H 6S")
    assert done.code == 0, done.err
    assert done.out.splitlines()[:4] == [
        "        1   2   3",
        "   3    . 10H   .",
        "   2   9H  8S  2D",
        "   1   4C  5H  6S",
    ]
    shape = resolve(tmp_path, None, "lay", "9H 8S / 4C 5H")
    assert shape["state"]["columns"] == [["4C", "9H"], ["5H", "8S"]]
    assert len(shape["state"]["reserve"]) == 48


# --- a turn ----------------------------------------------------------------------------------------------------------


ALPHONSE = """
    QD  7D  3C  2S  KH  3D  JC
    5H  AC  9S  10S 10D 6C  8D
    4H  JS  2H  QC  8C  10H AH
    3H  9D  QS  7C  KS  8S  4S
    6S  2C  5C  4D  6D  JD  9C
"""
"""A field on which the worked turn can be played as it is told; the source shows its own only in pictures."""


def test_the_worked_turn_of_alphonse() -> None:
    """Tens, two single cards, eights, and two kings who come to lie one above the other and empty their column."""
    state, _ = do(begun(), "lay " + " / ".join(ALPHONSE.strip().splitlines()))
    state, log = do(state, "points", at={"reach": "Eckhart"})
    assert facts(log, "points")["points"] == 8, "the source adds 3 + 2 + 5 + 1 - 3 and prints 7"
    offered = [entry.facts["move"] for entry in do(state, "moves all")[1] if entry.facts["criticals"]]
    assert offered == ["pair 10S 10D"], "the only chance he sees"
    left = []
    for text, dice in (
        ("pair 10S 10D", ()),
        ("critical Eckhart", (5, 5)),
        ("take 6S", ()),
        ("take 6D", ()),
        ("pair 8C 8S", ()),
        ("critical Eckhart", (3, 4)),
        ("pair KS KH", ()),
        ("critical Eckhart", (4, 3)),
    ):
        state, log = do(state, f"act {text}", Given(dice=dice))
        assert state.turn is not None
        left.append(state.turn.points)
    assert left == [8, 7, 6, 5, 4, 3, 2, 1], "the first action is free"
    assert state.find("Eckhart").hp == 48
    assert state.columns[0] == ("3H", "4H", "5H", "QD"), "the trio of hearts has come into play"
    assert state.columns[4] == ()
    assert state.turn is not None
    assert state.turn.criticals == 1, "the emptied column has opened one more"
    state, log = do(state, "end")
    assert facts(log, "turn_ends") == {"who": "Alphonse", "points": 1, "normals": 2, "criticals": 1}
    assert facts(do(state, "points")[1], "points")["who"] == "Evans"


def turn(who: str = "Evans", **changes: Any) -> State:
    """A turn in the worked fight on a small field."""
    acting = "allies" if who[0] == "A" else "enemies"
    return fresh(
        columns=[["9H", "QS"], ["9S", "3C"], ["2H"]],
        turn={"who": who, "points": 6, "free": 1, "acting": acting, **changes},
    )


def test_every_second_critical_gets_through_to_alan() -> None:
    state = turn(points=14, criticals=6)
    hp = []
    for at in range(6):
        luck = Given(dice=(4, 4, 4) if at % 2 else ())
        state, _ = do(state, "act critical Alan", luck)
        hp.append(state.find("Alan").hp)
    assert hp == [158, 125, 125, 92, 92, 59], "33 with every second one"


def test_hits_add_up_over_attackers_and_rounds() -> None:
    state = turn("Evans", points=14, normals=4)
    for _ in range(4):
        state, log = do(state, "act attack Alan")
        assert facts(log, "withstood")["threshold"] == 5
    state = do(state, "end")[0]
    state = fresh(**{**plain_state(state), "turn": {"who": "Eckhart", "points": 3, "acting": "enemies", "normals": 1}})
    state, log = do(state, "act attack alan", Given(dice=(3,)))
    assert facts(log, "through") == {"target": "Alan", "hits": 5, "threshold": 5, "parts": (3, 1, 1, 5)}
    assert (state.find("Alan").hp, state.find("Alan").hits) == (150, 0)


def test_the_other_reading_of_the_threshold_needs_one_hit_more() -> None:
    state = turn("Evans", points=14, normals=6)
    for _ in range(5):
        state, log = do(state, "act attack Alan", threshold="hits_before")
        assert log[-1].kind == "withstood"
    assert do(state, "act attack Alan", Given(dice=(1,)), threshold="hits_before")[1][1].kind == "through"


def test_attacks_on_weak_armour_cost_nothing() -> None:
    state = turn("Alan", points=0, free=0, normals=1)
    state, log = do(state, "act attack Evans")
    assert facts(log, "attack")["cost"] == 0
    with pytest.raises(HackjackError, match="Alan has 0 points left, and an attack on Eckhart costs 1"):
        do(turn("Alan", points=0, free=0, normals=1), "act attack Eckhart")


@pytest.mark.parametrize(
    ("text", "who", "fault"),
    [
        ("act attack Evans", "Alan", "no attack is open: Alan has to open one on the field first"),
        ("act critical Evans", "Alan", "no critical attack is open"),
        ("act add 1", "Alan", "Alan attacks enemies and adds no cards"),
        ("act take 9H", "Evans", "Evans attacks allies and takes only pairs"),
        ("act pair 9H QS", "Alan", "9H and QS are no pair: two cards of one rank are wanted"),
        ("act pair 9H 2H", "Alan", "no pair"),
        ("act take 5D", "Alan", '"5D" does not lie on the field'),
        ("act take ².1", "Alan", '"².1" does not lie on the field'),
        ("act take 4.1", "Alan", r"there is no card at 4\.1"),
        ("act add 9", "Evans", "there is no column 9: the field has 3"),
        ("act add 1 4", "Evans", "column 1 takes only 3 more"),
        ("act suspend", "Alan", "Alan is not casting"),
        ("points Nobody", "Alan", 'nobody here is called "Nobody"'),
        ("points E", "Alan", "may be Evans or Emberry or Eckhart or Esther"),
        ("round", "Alan", "the first round begins with initiative"),
        ("initiative", "Alan", ""),
    ],
)
def test_what_cannot_be_done_is_said(text: str, who: str, fault: str) -> None:
    if not fault:
        with pytest.raises(HackjackError, match="needs 9d20"):
            do(turn(who), text)
        return
    with pytest.raises(HackjackError, match=fault):
        do(turn(who), text)


def test_points_run_out() -> None:
    state = turn("Alan", points=1, free=1)
    state, _ = do(state, "act take 9H")
    state, _ = do(state, "act take QS")
    with pytest.raises(HackjackError, match="Alan has 0 points left, and take 9S costs 1"):
        do(state, "act take 9S")


def test_one_move_in_a_turn() -> None:
    state, _ = do(turn("Alan"), "act move")
    with pytest.raises(HackjackError, match="Alan has moved already"):
        do(state, "act move")
    assert do(state, "act step")[0].turn.points == 5


def test_taking_cards_gives_up_a_spell_unless_it_is_suspended() -> None:
    casting, _ = do(turn("Able"), "act spell")
    assert do(casting, "act take 9H")[0].find("Able").casting == ""
    assert do(casting, "act pair 9H 9S")[0].find("Able").casting == "casting"
    suspended, _ = do(casting, "act suspend")
    assert do(suspended, "act take 9H")[0].find("Able").casting == "suspended"


def test_spells_pass_armour_by_and_count_as_a_hit() -> None:
    state, _ = do(turn("Able"), "act spell Evans 30")
    assert (state.find("Evans").hp, state.find("Evans").hits) == (103, 1)


def test_an_enemy_may_act_as_an_ally_against_another_enemy() -> None:
    state, _ = do(turn("Evans"), "points Evans", at={"acting": "allies", "reach": "Esther"})
    state, _ = do(state, "act take 9H")
    state, _ = do(state, "act attack Esther")
    assert state.find("Esther").hits == 1
    with pytest.raises(HackjackError, match="cannot attack Alan: they are on the same side"):
        do(
            fresh(**{**plain_state(state), "turn": {"who": "Evans", "points": 3, "normals": 1, "acting": "allies"}}),
            "act attack Alan",
        )
    with pytest.raises(HackjackError, match="only an enemy can act as the other side"):
        do(turn("Alan"), "points Alan", at={"acting": "enemies"})


def test_adding_cards_counts_over_the_turn_or_by_columns() -> None:
    state = turn("Evans", points=6)
    state, log = do(state, "act add 1", Seeded(1))
    assert facts(log, "opens") == {"normals": 0, "criticals": 0}
    assert facts(do(state, "act add 2", Seeded(1))[1], "opens")["normals"] == 1
    assert facts(do(state, "act add 2", Seeded(1), first_card="column")[1], "opens")["normals"] == 0
    state, log = do(state, "act add 1 2", Seeded(1))
    assert facts(log, "opens") == {"normals": 2, "criticals": 1}


def test_an_empty_pool_is_made_of_the_discards() -> None:
    state = fresh(columns=[["9H"], []], reserve=[], discard=[code for code in FULL_DECK if code != "9H"])
    state, log = do(state, "act add 2", Seeded(3))
    assert log[0].kind == "reshuffle"
    assert (len(state.reserve), len(state.discard)) == (50, 0)


def test_reflex_saves_are_paid_in_the_next_turn() -> None:
    state, _ = do(begun(), "reflex Alphonse pass")
    assert state.find("Alphonse").owed == 2
    state, log = do(state, "points")
    assert (state.turn.points, facts(log, "points")["paid"]) == (6, 2)
    assert state.find("Alphonse").owed == 0
    assert do(state, "reflex Alphonse fail")[0].turn.points == 5
    assert do(state, "hold")[0].find("Alphonse").owed == 2, "who waits still has to pay"
    assert do(begun(), "reflex Alan fail", at={"cover": "yes"})[0].find("Alan").owed == 0


def test_who_is_down_leaves_the_order_and_comes_back_when_healed() -> None:
    state, _ = do(begun(), "points")
    state, _ = do(fresh(**{**plain_state(state), "turn": {"who": "Alphonse", "points": 5}}), "act spell Evans 200")
    assert "Evans" not in [one.name for one in field_order.ordered(state)]
    assert facts(do(state, "points")[1], "points")["who"] == "Eckhart"
    state, _ = do(state, "heal Evans 100")
    assert state.find("Evans").initiative == 14


def test_an_allys_surprise_attack_needs_surprise() -> None:
    with pytest.raises(HackjackError, match="Alan has no surprise attack"):
        do(fresh(), "surprise Alan Evans")
    state, _ = do(fresh(), "surprise Eckhart Alphonse", Given(dice=(4,)))
    assert (state.find("Alphonse").hp, state.find("Alphonse").attacked_by) == (63, "Eckhart")
    with pytest.raises(HackjackError, match="Eckhart has made the surprise attack"):
        do(state, "surprise Eckhart Alphonse")


def test_turns_come_in_order() -> None:
    with pytest.raises(HackjackError, match="it is not the turn of Alan: Alphonse acts next"):
        do(begun(), "points Alan")
    state = rounded(begun())
    with pytest.raises(HackjackError, match="everybody has acted: begin the next one with later-initiative, or round"):
        do(state, "points")
    with pytest.raises(HackjackError, match="the round is not over: Evans has yet to act"):
        do(do(do(begun(), "points")[0], "end")[0], "round")


def test_people_join_and_leave() -> None:
    state, _ = do(fresh(), "leave everybody")
    assert state.fighters == ()
    state, _ = do(state, "join Bryn", at={"hp": "20", "armour": "chain", "bonus": "2", "dexterity": "2"})
    state, _ = do(state, "join Orc", at={"side": "enemies", "normal": "1d8+1,1d4", "surprise": "yes"})
    assert read_state(plain_state(state), fiftytwo()) == state
    assert facts(do(state, "threshold Bryn Orc")[1], "threshold")["threshold"] == 3
    state, _ = do(state, "initiative", Given(dice=(10, 10)))
    assert {one.name: one.initiative for one in state.fighters} == {"Bryn": 12, "Orc": 10}
    with pytest.raises(HackjackError, match='the table armour has no row "paper"'):
        do(fresh(), "join Bryn", at={"armour": "paper"})


# --- whole fights ----------------------------------------------------------------------------------------------------


def played(seed: int, steps: int) -> list[dict[str, Any]]:
    """A fight from a seed, everybody doing the best that is offered."""
    luck = Seeded(seed)
    state = do(fresh(), "initiative", luck)[0]
    state = do(do(state, "columns", luck)[0], "deal", luck)[0]
    history = [plain_state(state)]
    for _ in range(steps):
        state = one_step(state, luck)
        history.append(plain_state(state))
        if len({Roster(fiftytwo(), state)[one.name].side for one in state.fighters if one.hp > 0}) < 2:
            break
    return history


def one_step(state: State, luck: Seeded) -> State:
    turn = state.turn
    if turn is None:
        over = not any(one.hp > 0 and not one.acted and one.initiative is not None for one in state.fighters)
        return do(state, ("round" if state.resequenced else "later-initiative") if over else "points", luck)[0]
    if turn.purse and (turn.criticals or turn.normals):
        roster = Roster(fiftytwo(), state)
        target = roster.side("enemies" if turn.acting == "allies" else "allies")[0].name
        return do(state, f"act {'critical' if turn.criticals else 'attack'} {target}", luck)[0]
    moves = [entry for entry in do(state, "moves")[1] if entry.kind == "move"]
    if turn.purse and moves:
        return do(state, f"act {moves[0].facts['move']}", luck)[0]
    return do(state, "end", luck)[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_fight_replays_from_its_seed_and_every_state_reads_back(seed: int) -> None:
    first = played(seed, 250)
    assert first == played(seed, 250)
    assert len(first) > 50
    for plain in first[::10]:
        again = json.loads(json.dumps(plain))
        assert json.loads(json.dumps(plain_state(read_state(again, fiftytwo())))) == again
        lying = [code for column in plain["columns"] for code in column]
        assert sorted([*lying, *plain["reserve"], *plain["discard"]]) == sorted(FULL_DECK)


TYPED = (
    *(["initiative"], ["columns"], ["deal"], ["points"], ["points", "Evans"], ["end"], ["hold"], ["moves"], ["field"]),
    *(["act", "take", "1.1"], ["act", "take", "2.3"], ["act", "take", "9H"], ["act", "pair", "1.1", "2.1"]),
    *(["act", "add", "1"], ["act", "add", "2", "3"], ["act", "attack", "Alan"], ["act", "critical", "Eckhart"]),
    *(["act", "spell"], ["act", "spell", "Evans", "30"], ["act", "suspend"], ["act", "raise"], ["act", "move"]),
    *(["surprise", "Evans", "Alan"], ["ambush", "Evans", "1"], ["reflex", "Alan", "pass"], ["heal", "Able", "9"]),
    *(["round"], ["later-initiative"], ["leave", "Esther"], ["join", "Bryn"], ["lay", "9H", ".", "/", "2C", "3C"]),
    *(["act", "spell", "done"], ["deliver", "Able", "Evans", "30", "Alan", "9"], ["deliver", "Evans"], ["turn"]),
    *(["hurt", "Alan", "200"], ["opportunity", "Evans", "Alan"], ["enter", "Esther"], ["enter", "everybody"]),
    *(["surprise", "Alan", "Evans"], ["leave", "everybody"], ["threshold", "Alan", "Evans"], ["turn", "Alphonse"]),
    *(["deal", "13"], ["act", "add", "1", "²"], ["act", "take", "².1"], ["heal", "", "5"], ["lay", "/"]),
)


@given(st.lists(st.sampled_from(TYPED), max_size=40), st.integers(0, 10**6), st.sampled_from(["5", "4", "4_then_5"]))
def test_whatever_is_typed_is_done_or_refused_in_a_sentence(typed: list[list[str]], seed: int, depth: str) -> None:
    """In any order: what is done reads back as it was, and what cannot be done changes nothing."""
    system, luck = with_settings(fiftytwo(), [("depth", depth)]), Seeded(seed)
    state = read_state({}, system)
    for words in (["initiative"], ["columns"], ["deal"], *typed):
        try:
            state, log = field.step(system, state, field.read_event(words, {}), luck)
        except HackjackError as error:
            assert "\n" not in str(error)
            continue
        assert all(lines_of(log, system))
        assert read_state(json.loads(json.dumps(plain_state(state))), system) == state


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ([], "the state is not a JSON object"),
        ({"colums": []}, 'unknown key "colums": did you mean "columns"?'),
        ({"columns": [["AC"], ["AC"]]}, "the state has AC 2 times, and the deck 1; name the cards of a second deck"),
        ({"columns": [["ZZ"]]}, 'the state names an unknown card "ZZ"'),
        ({"columns": [["RJ"]]}, 'the state names an unknown card "RJ"'),
        ({"columns": [["AC"]], "reserve": ["2C"]}, "the state has lost cards: 3C"),
        ({"columns": [["AC", "2C", "3C", "4C", "5C", "6C", "7C"]]}, "column 1 is too deep: 6 cards are the most"),
        ({"fighters": [{"name": "Zoe", "hp": 3}]}, 'names somebody unknown, "Zoe"'),
        ({"fighters": [{"name": "Alan", "hp": 3}, {"name": "Alan", "hp": 3}]}, "has Alan twice"),
        (
            {"fighters": [{"name": "Alan", "hp": 3, "initiative": 4}, {"name": "Able", "hp": 3, "initiative": 4}]},
            "two fighters have one initiative",
        ),
        ({"turn": {"who": "Zoe"}}, 'names somebody unknown, "Zoe"'),
        ({"turn": {"who": "Alan", "points": -1}}, "the state's turn.points is -1: it must be from 0 to 1,000,000"),
        ({"turn": {"who": "Alan", "placed": {"x": 1}}}, 'speaks of a column "x"'),
        ({"turn": {"who": "Alan", "placed": {"9" * 5000: 1}}}, 'speaks of a column "99999999999999999999"'),
        ({"padding": ["AC", "AC"]}, "names a card twice"),
        ({"columns": [[] for _ in range(30)]}, "the state's columns are more than 19"),
        ({"round": 10**12}, "the state's round is 1000000000000: it must be from 0 to 1,000,000"),
    ],
)
def test_a_bad_state_is_refused_in_a_sentence(tmp_path: Path, state: Any, fault: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state))
    done = run("resolve", "fiftytwo", "field", "--state", path)
    assert (done.code, len(done.faults)) == (1, 1)
    assert fault in done.err


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (["fight"], 2, 'there is no event "fight"'),
        (["act"], 2, "act needs a move: write act MOVE: take, pair"),
        (["act", "tak", "6S"], 2, 'did you mean "take"?'),
        (["act", "take"], 2, "act needs a card: write act take CARD"),
        (["act", "take", "6S"], 1, "there is no field yet: deal first, or lay one"),
        (["act", "attack", "Alan"], 1, "nobody has the turn: begin one with turn"),
        (["deal", "20"], 2, "deal 20: a number from 1 to 19 is wanted"),
        (["deal"], 1, "how many columns? ask for columns first, or write deal N"),
        (["deal", "2"], 1, "needs a card"),
        (["deal", "1", "2"], 2, '"2" is too much: write deal [N]'),
        (["lay", "AC AC"], 1, "AC lies there 2 times, and the deck has 1"),
        (["lay", "AC / -- 2C"], 1, "row 1 has 1 places and another 2"),
        (["lay", "AC 2C / -- 3C"], 1, "column 1 has a gap"),
        (["lay", "XX"], 2, '"XX" is not a card'),
        (["lay", "RJ"], 2, "RJ is not played with"),
        (["points", "Alan", "--at", "reach=Alice"], 1, "Alice is no opponent of Alan"),
        (["points", "Alan", "--at", "speed=2"], 2, "points takes no --at speed"),
        (["points", "Alan", "--at", "circumstance=x"], 2, '--at circumstance takes a whole number, not "x"'),
        (["points"], 1, "whose turn is it? name somebody"),
        (["threshold", "Alan"], 2, "threshold needs a name: write threshold TARGET ATTACKER"),
        (["reflex", "Alan", "maybe"], 2, 'reflex cannot be "maybe": write pass or fail'),
        (["heal", "Alan", "0"], 2, "heal 0: a number from 1 to 10,000 is wanted"),
        (["later-initiative"], 1, "the first round begins with initiative"),
        (["end"], 1, "nobody has the turn: there is nothing to end"),
        (["moves"], 1, "there is no field yet"),
        (["join", "9"], 2, "9 cannot join"),
        (["initiative", "/no/such/file.yaml"], 1, "cannot be read"),
        (
            ["initiative"],
            1,
            "needs 9d20 (initiative of Alan, Alphonse, Alice, Artichoke, Able, Evans, Emberry, Eckhart and",
        ),
        (["initiative", "--dice", "6,10,4"], 1, "Eckhart and Esther, in this order), and only 3 of 9 dice are given"),
        (["initiative", "worked"], 1, "worked: cannot be read"),
        (["turn", "Alan", "--at", "speed=2"], 2, "turn takes no --at speed"),
        (["hurt", "Alan", "0"], 2, "hurt 0: a number from 1 to 10,000 is wanted"),
        (["hurt", "Alan", "5", "--at", "by=Zoe"], 1, 'nobody here is called "Zoe"'),
        (["deliver", "Able"], 1, "Able has cast no spell: act spell is a round of casting"),
        (["deliver", "Able", "Evans"], 2, "every target needs its damage: write deliver WHO [TARGET DAMAGE ...]"),
        (["deliver", "Able", "done"], 2, "every target needs its damage: write deliver WHO [TARGET DAMAGE ...]"),
        (["deliver", "Able", "Evans", "x"], 2, 'damage takes a whole number, not "x"'),
        (["act", "spell", "Evans"], 2, "every target needs its damage: write act spell [done|TARGET DAMAGE ...]"),
        (["opportunity", "Alan", "Alice"], 1, "Alan cannot attack Alice: they are on the same side"),
        (["enter", "Alan"], 1, "Alan is here already"),
        (["enter", "Zoe"], 2, 'nobody here is called "Zoe"'),
        (["enter", "everybody"], 1, "nobody is left to enter: join lets somebody new in"),
        (["enter", "Alan", "--at", "hp=x"], 2, 'hp takes a whole number, not "x"'),
        (["join", "Ogre", "--at", "uses=challenge"], 2, "needs the number that points build on: add challenge=N"),
        (["join", "Monk", "--at", "uses=bonus"], 2, "needs the number that points build on: add base=N"),
    ],
)
def test_a_bad_event_is_refused_in_a_sentence(words: list[str], code: int, fault: str) -> None:
    done = run("resolve", "fiftytwo", *words)
    assert (done.code, len(done.faults)) == (code, 1), done.err
    assert fault in done.err
    assert "Traceback" not in done.err


def test_combatants_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(
        "combatants:\n"
        "  - {name: Ann, side: allies, hp: 9, dexterity: 2, weapon: {name: bow}, normal: [1d6], critical: [2d6],"
        " initiative: {roll: 12}}\n"
        "  - {name: Orc, side: enemies, hp: 9, weapon: {name: axe}, normal: [1d6], critical: [2d6]}\n"
    )
    shape = resolve(tmp_path, None, "initiative", str(path), "--dice", "7")
    assert [(one["name"], one["initiative"]) for one in shape["state"]["fighters"]] == [("Ann", 14), ("Orc", 7)]
    assert [one["name"] for one in shape["state"]["roster"]] == ["Ann", "Orc"]
    path.write_text(
        "combatants:\n  - {name: Ann, side: alies, hp: 9, weapon: {name: bow}, normal: [1d6], critical: [2]}\n"
    )
    done = run("resolve", "fiftytwo", "initiative", path)
    assert done.code == 1
    assert 'party.yaml:2:23: "alies" is not known here: did you mean "allies"?' in done.err
    path.write_text(
        "combatants:\n  - {name: Ann, side: allies, hp: 9, armour: {type: tin}, weapon: {name: bow}, normal: [1d6],"
        " critical: [2]}\n"
    )
    done = run("resolve", "fiftytwo", "initiative", path)
    assert (done.code, len(done.faults)) == (1, 1)
    assert 'party.yaml:2:53: the table armour has no row "tin"' in done.err


def test_odds_of_the_next_card() -> None:
    done = run("odds", "fiftytwo", "add", "1", "--json", "--state", "-")
    assert done.code == 1
    state = fresh(columns=[["9H", "QS"], ["9S", "3C", "KD"]])
    assert json.loads(_odds(state, "1"))["pair"]["fraction"] == "6/47", "three queens and three kings"


def _odds(state: State, column: str) -> str:
    game = game_of(fiftytwo())
    answer = game.odds(state, game.read_question(["add", column], {}), Asked())
    return json.dumps(answer.plain)


def test_who_acts_first_is_what_every_two_rolls_say() -> None:
    """Alan adds 7 and Evans 6; Evans has surprise, so ties are his."""
    done = run("odds", "fiftytwo", "initiative", "Alan", "Evans", "--json")
    ahead = sum(one + 7 > other + 6 for one in range(1, 21) for other in range(1, 21))
    assert json.loads(done.out)["first"]["fraction"] == f"{ahead // 10}/{40}", done.out
    done = run("odds", "fiftytwo", "initiative", "Emberry", "Emberry")
    assert (done.code, done.faults) == (1, ["Emberry is named twice: name two people"])


@pytest.mark.parametrize(("strength", "chance"), [(0, Fraction(1, 2)), (1, Fraction(57, 120))])
def test_equals_roll_off_and_the_weaker_goes_first(strength: int, chance: Fraction) -> None:
    """Twenty of 400 rolls are equal; who wins these is a roll-off, or Strength."""
    roster = [person("First", "allies", intelligence=1, strength=strength), person("Other", "enemies", intelligence=1)]
    state = fresh(roster=roster)
    expected = Fraction(1, 2) if strength == 0 else Fraction(190, 400)
    assert chance == expected
    assert first(fiftytwo(), state, *state.fighters) == chance


def test_first_is_the_order_that_the_whole_table_comes_to() -> None:
    """However many others there are, of each two the one with the higher total is before the other."""
    luck = random.Random(5)
    for _ in range(40):
        dice = [luck.randint(1, 20) for _ in range(9)]
        state, _ = do(fresh(), "initiative", Given(dice=[*dice, *[luck.randint(1, 20) for _ in range(60)]]))
        for one in state.fighters:
            for other in state.fighters:
                if (one.total or 0) > (other.total or 0):
                    assert (one.initiative or 0) > (other.initiative or 0)


def one_after_the_other(kind: str, count: int, hp: int, **fighter: Any) -> list[Fraction]:
    """The slow way: every roll of every attack through the engine."""
    start = fresh(fighters=[{"name": "Able", "hp": 39}, {"name": "Esther", "hp": hp, **fighter}])
    down: list[Fraction] = []
    alive = {start: Fraction(1)}
    for _ in range(count):
        after: dict[State, Fraction] = {}
        for state, chance in alive.items():
            turn = {"who": "Able", "points": 9, "normals": 1, "criticals": 1}
            ready = fresh(**{**plain_state(state), "turn": turn})
            rolls: list[tuple[int, ...]] = [()]
            try:
                do(ready, f"act {kind} Esther")
            except HackjackError:
                rolls = [*itertools.product(range(1, 5), repeat=2 if kind == "critical" else 1)]
            for dice in rolls:
                done, _ = do(ready, f"act {kind} Esther", Given(dice=dice))
                done = replace(done, turn=None)
                after[done] = after.get(done, Fraction(0)) + chance / len(rolls)
        dead = sum((chance for state, chance in after.items() if state.find("Esther").hp <= 0), Fraction(0))
        down.append(dead + (down[-1] if down else 0))
        alive = {state: chance for state, chance in after.items() if state.find("Esther").hp > 0}
    return down


@pytest.mark.parametrize(("kind", "hp", "hits"), [("attack", 9, 0), ("attack", 4, 1), ("critical", 19, 0)])
def test_attacks_in_a_row_against_every_roll(kind: str, hp: int, hits: int) -> None:
    """Esther's hide asks for two hits of a dagger of +2; it does 3 to 6, and 6 to 12 as a critical attack."""
    state = fresh(fighters=[{"name": "Able", "hp": 39}, {"name": "Esther", "hp": hp, "hits": hits}])
    able, esther = state.fighters
    found = blows(fiftytwo(), state, able, esther, critical=kind == "critical", count=6)
    assert list(found.down_by) == one_after_the_other(kind, 6, hp, hits=hits)
    assert found.threshold == 2


def test_odds_of_attacks_are_told() -> None:
    done = run("odds", "fiftytwo", "critical", "Evans", "Alan", "--hits", "2")
    assert done.code == 0, done.err
    assert "Alan has 158 HP and 0 of 5 hits on the armour" in done.out
    assert "a critical attack that gets through does 24 to 45, 34.5 on average" in done.out
    assert json.loads(run("odds", "fiftytwo", "attack", "Able", "Esther", "--json").out)["damage"]["mean"] == 4.5


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (["attack", "Evans"], 2, "write attack WHO TARGET [--hits K]"),
        (["attak", "Evans", "Alan"], 2, 'attak has no odds: did you mean "attack"?'),
        (["attack", "Evans", "Alan", "--hits", "61"], 1, "61 attacks in a row are not counted: 1 to 60 are"),
        (["attack", "Evans", "Alan", "--hits", "0"], 1, "0 attacks in a row are not counted"),
        (["initiative", "Evans", "Alan", "--hits", "2"], 1, "the odds of initiative are counted at once"),
        (["attack", "Evans", "Zoe"], 1, 'nobody here is called "Zoe"'),
        (["add", "x"], 1, "there is no field yet"),
        (["add", "1", "--at", "side=allies"], 2, "add takes no --at side"),
    ],
)
def test_bad_questions_are_refused_in_a_sentence(words: list[str], code: int, fault: str) -> None:
    done = run("odds", "fiftytwo", *words)
    assert (done.code, len(done.faults)) == (code, 1), done.err
    assert fault in done.err


# --- sessions --------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path


def at_table(*words: str, code: int = 0) -> str:
    done = run("play", "--campaign", "ambush", *words)
    assert done.code == code, done.err
    return done.out if code == 0 else done.err


@pytest.mark.usefixtures("home")
def test_a_session_keeps_the_fight_and_takes_moves_back() -> None:
    run("play", "fiftytwo", "--campaign", "ambush", "enter", "everybody")
    at_table("initiative", "dice", *map(str, ROLLS))
    assert "2 + 5 − 1 + 1 = 7 columns." in at_table("columns", "choose", "1")  # noqa: RUF001 - as it is said
    at_table("lay", "QS", ".", "3C", "/", "9H", "8S", "2D", "/", "4C", "5H", "6S")
    assert "Eckhart puts 10H on column 2." in at_table("ambush", "eck", "2", "10H")
    assert "Alphonse has 8 points" in at_table("turn")
    before = at_table("show")
    assert "4 of clubs leaves the field." in at_table("act", "take", "4c")
    assert at_table("show") != before
    assert "Undone: act take 4C" in at_table("undo")
    assert at_table("show") == before
    at_table("redo")
    assert "The armour takes it: 1 of 3." in at_table("act", "attack", "eckhart")
    assert "Alphonse attacks enemies and adds no cards" in at_table("act", "add", "1", "2H", code=1)
    at_table("end")
    assert "Queen of hearts and Jack of diamonds go on column 3." in at_table("act", "add", "3", "2", "QH", "JD")
    assert "42 of 52 cards" not in at_table("show")
    assert "41 of 52 cards are in the deck" in at_table("show")
    log = at_table("log", "2")
    assert all(line.startswith("    ") or line[0].isdigit() for line in log.splitlines())


@pytest.mark.usefixtures("home")
def test_a_deal_says_where_the_next_card_lies() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "deal", "4", "2C", "3C", "4C", "5C", "6C")
    assert done.err.startswith("needs a card: row 2 of 5 from the top, column 2 of 4: write the card after the command")


@pytest.mark.usefixtures("home")
def test_a_virtual_table_deals_by_itself_the_same_for_a_seed() -> None:
    fields = []
    for name in ("one", "two"):
        for words in (("enter", "everybody"), ("initiative",), ("deal", "11"), ("turn",), ("moves",)):
            done = run("play", "fiftytwo", "--campaign", name, "--deck", "virtual", "--seed", "9", *words)
            assert done.code == 0, done.err
        fields.append(run("play", "--campaign", name, "field").out)
    assert fields[0] == fields[1]
    assert len(re.findall(r"\b(?:10|[2-9AJQK])[CDHS]\b", fields[0])) >= 50


@pytest.mark.usefixtures("home")
def test_people_of_ones_own_fight_at_the_table() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "join", "Bryn", "hp=20", "armour=chain", "bonus=2")
    assert "Bryn joins the allies with 20 HP." in done.out, done.err
    at_table("join", "Big Orc", "side=enemies", "normal=1d8+2,1d4", "surprise=yes")
    assert "Big Orc surprises Bryn; no armour counts." in at_table("surprise", "big", "bryn", "dice", "3", "1")
    assert "Bryn takes 6 and has 14 HP." in at_table("log")
    assert "  15  Bryn" in at_table("initiative", "dice", "15", "4")


@pytest.mark.usefixtures("home")
def test_a_session_outlives_the_file_of_its_combatants(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(
        "combatants:\n"
        "  - {name: Ann, side: allies, hp: 9, dexterity: 2, armour: {type: Chain, bonus: 1}, weapon: {name: bow},"
        " normal: [1d6], critical: [2d6]}\n"
        "  - {name: Orc, side: enemies, hp: 9, weapon: {name: axe}, normal: [1d6], critical: [2d6]}\n"
    )
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative", path, "dice", "9", "4")
    assert done.code == 0, done.err
    path.unlink()
    assert "11  Ann: 9 HP" in at_table("show")
    at_table("undo")
    assert "Ann" not in at_table("show")
    at_table("redo")
    assert "1 + 1 = 2 hits" in at_table("threshold", "Ann", "Orc")


def test_what_a_journal_kept_is_read_with_care() -> None:
    game = game_of(fiftytwo())
    for kept in ("[", "[1]", '[{"name": "4"}]', "[" * 50_000):
        with pytest.raises(UsageError, match="the combatants that were given cannot be read"):
            game.read_given(["initiative", "party.yaml"], {}, kept)


def test_a_pack_that_lacks_a_table_or_a_price_is_unsound(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "fiftytwo", tmp_path / "pack"))
    tables = pack / "tables.yaml"
    text = tables.read_text()
    spoilt = re.sub(r"(- name: Matching pair\n +cells:)\n +cost: 1", r"\1", text)
    assert spoilt != text
    tables.write_text(spoilt)
    done = run("check", pack)
    assert done.code == 1
    assert 'the row "Matching pair" has no number in the column cost' in done.err
    tables.write_text(text.replace("id: armour", "id: armor"))
    assert "the table armour is missing" in run("check", pack).err


# --- looking ---------------------------------------------------------------------------------------------------------


def journal() -> list[Any]:
    from generator.session.campaigns import campaign_file

    return lines_of_campaign(campaign_file("ambush"))


def ambush() -> None:
    """The worked fight at the table, with Alphonse's field."""
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative", "worked_fight")
    assert done.code == 0, done.err
    at_table("lay", *" / ".join(ALPHONSE.strip().splitlines()).split())


@pytest.mark.usefixtures("home")
def test_who_looks_changes_nothing_and_leaves_undo_and_redo_alone() -> None:
    ambush()
    before, standing = journal(), at_table("show")
    assert "Alphonse has 8 points and the free action" in at_table("points")
    assert at_table("show") == standing, "no turn has begun"
    at_table("act", "pair", "10S", "10D")
    at_table("undo")
    after = journal()
    assert len(after) == len(before) + 2
    for words, said in (
        (["field"], "   5   QD  7D  3C"),
        (["moves"], "pair 10S 10D: 1 point, opens a critical attack"),
        (["points"], "Alphonse has 8 points and the free action"),
        (["points", "Evans", "reach=nobody"], "Evans has 17 points"),
        (["threshold", "Alan", "Evans"], "3 + 1 + 1 = 5 hits"),
    ):
        assert said in at_table(*words), words
    assert journal() == after
    assert "Done again: act pair 10S 10D" in at_table("redo")
    assert "Undone: act pair 10S 10D" in at_table("undo")


@pytest.mark.usefixtures("home")
def test_looking_needs_a_fight_and_takes_no_luck() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "field")
    assert (done.code, done.faults) == (2, ['there is no campaign "ambush"; join begins it'])
    ambush()
    assert "nothing needs the last die given (4): leave it out" in at_table("moves", "dice", "4", code=2)
    shape = json.loads(at_table("points", "--json"))
    assert shape["state"]["turn"] is None
    assert shape["log"][0]["points"] == 8


@pytest.mark.usefixtures("home")
def test_several_play_one_fight() -> None:
    """Somebody has the journal open, and others look and play all the same."""
    from generator.pack.content import find, load
    from generator.session.campaigns import campaign_file
    from generator.session.journal import open_journal
    from generator.session.session import new_campaign

    ambush()
    system = load(find("fiftytwo")).system
    journal = open_journal(campaign_file("ambush"), system, new_campaign(system))
    assert "pair 10S 10D" in at_table("moves")
    at_table("turn")
    at_table("end")
    assert [str(step.command) for step in journal.catch_up()] == ["turn", "end"]


@pytest.mark.usefixtures("home")
def test_points_tell_what_is_left_and_end_no_turn() -> None:
    ambush()
    at_table("turn", "reach=nobody")
    at_table("act", "pair", "10S", "10D")
    told = at_table("points")
    assert told.splitlines()[0] == "Alphonse has 11 points left, with a critical attack open."
    at_table("act", "critical", "eck", "dice", "5", "5")
    assert "Alphonse has 10 points left." in at_table("points")
    assert "Evans has 14 points" in at_table("points", "Evans"), "what Evans would have"


@pytest.mark.usefixtures("home")
def test_undo_and_redo_of_a_move_name_its_cards_and_show_the_field() -> None:
    ambush()
    at_table("turn")
    before = at_table("field").splitlines()[9:15]
    assert before[0].split() == ["1", "2", "3", "4", "5", "6", "7"]
    at_table("act", "take", "4.2")
    undone = at_table("undo").splitlines()
    assert undone[:2] == ["Undone: act take 4.2", "On the field again: 7C"]
    assert undone[2:8] == before
    redone = at_table("redo").splitlines()
    assert redone[:2] == ["Done again: act take 4.2", "Off the field again: 7C"]
    assert redone[2:8] != before
    at_table("undo")
    at_table("act", "pair", "10S", "10D")
    assert "On the field again: 10S 10D" in at_table("undo")
    at_table("redo")
    at_table("end")
    at_table("act", "add", "4", "KC")
    assert "Off the field again: KC" in at_table("undo")
    assert "KC" in [entry for line in json.loads(at_table("redo", "--json"))["log"] for entry in line.get("cards", [])]


@pytest.mark.usefixtures("home")
def test_the_first_act_begins_the_turn() -> None:
    ambush()
    told = at_table("act", "pair", "10S", "10D").splitlines()
    assert told[0].startswith("Alphonse has 8 points and the free action")
    at_table("end")
    assert at_table("end").splitlines()[1].startswith("Evans ends the turn")


# --- who is there ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("home")
def test_a_new_fight_has_nobody_in_it() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative")
    assert done.code == 1
    assert "nobody fights yet: name a file, as in initiative party.yaml, or let people in with join" in done.err
    run("play", "fiftytwo", "--campaign", "ambush", "join", "Bryn")
    assert [one["name"] for one in json.loads(at_table("show", "--json"))["state"]["fighters"]] == ["Bryn"]
    at_table("enter", "alan")
    at_table("enter", "everybody")
    assert len(json.loads(at_table("show", "--json"))["state"]["fighters"]) == 10


def test_the_worked_fight_ships_with_its_dice(tmp_path: Path) -> None:
    shape = resolve(tmp_path, None, "initiative", "worked_fight")
    assert {one["name"]: one["initiative"] for one in shape["state"]["fighters"]} == {
        one.name: one.initiative for one in begun().fighters
    }


def test_who_joins_late_rolls_then_and_takes_the_next_free_number() -> None:
    state, _ = do(begun(), "turn")
    state, log = do(state, "join Late", Given(dice=(15,)), at={"side": "enemies"})
    assert facts(log, "late") == {"who": "Late", "slot": 6, "waits": False}, "15 to 7 are taken"
    state, log = do(state, "join Early", Given(dice=(16,)))
    assert facts(log, "late") == {"who": "Early", "slot": 16, "waits": True}
    assert lines_of(log, fiftytwo())[-1] == "Early comes in at 16 and acts from the next round on."
    with pytest.raises(HackjackError, match=r"needs d20 \(Third's initiative\)"):
        do(state, "join Third")
    state = rounded(do(state, "end")[0])
    assert facts(do(do(state, "round")[0], "turn")[1], "points")["who"] == "Early"
    assert read_state(plain_state(state), fiftytwo()) == state


def test_who_leaves_a_fight_comes_back_as_they_left() -> None:
    state, _ = do(begun(), "hurt Alice 40")
    state, _ = do(state, "leave Alice")
    assert "Alice" not in [one.name for one in state.fighters]
    assert read_state(json.loads(json.dumps(plain_state(state))), fiftytwo()) == state
    with pytest.raises(HackjackError, match="Alice has left the fight: enter Alice brings them back"):
        do(state, "join Alice", Given(dice=(3,)))
    back, log = do(state, "enter alice")
    assert (back.find("Alice").hp, back.find("Alice").initiative) == (43, 8)
    assert [entry.kind for entry in log] == ["join", "late"]
    assert back.away == ()
    assert do(state, "enter Alice", at={"hp": "12"})[0].find("Alice").hp == 12
    assert do(back, "points")[0].turn.who == "Alphonse"


def test_surprise_comes_later_too() -> None:
    """The source's fight ends with it: Alan, whom the content gives no surprise, strikes out of the fog."""
    state = rounded(begun())
    state, log = do(state, "surprise Alan Evans", Given(dice=(4,)))
    assert [entry.kind for entry in log] == ["surprise", "damage"]
    assert (state.find("Evans").hp, state.find("Evans").hits) == (122, 0), "no armour counts"
    assert do(state, "surprise Alan Evans", Given(dice=(4,)))[0].find("Evans").hp == 111
    with pytest.raises(HackjackError, match="they are on the same side"):
        do(state, "surprise Alan Alice")


def test_nobody_in_reach_is_said() -> None:
    assert facts(do(begun(), "points", at={"reach": "nobody"})[1], "points")["points"] == 11
    assert facts(do(begun(), "turn", at={"reach": ","})[1], "points")["points"] == 11


@pytest.mark.parametrize(
    ("at", "points", "told"),
    [
        ({"uses": "challenge", "challenge": "10"}, 3, "3 by challenge"),
        ({"uses": "bonus", "base": "4", "bonus": "2", "armour": "chain"}, 4, "4 the class's own"),
    ],
)
def test_points_build_on_a_challenge_or_a_class(at: dict[str, str], points: int, told: str) -> None:
    state, _ = do(do(fresh(), "leave everybody")[0], "join Ogre", at=at)
    _, log = do(state, "turn Ogre")
    assert facts(log, "points")["points"] == points
    assert told in lines_of(log, fiftytwo())[0]


def test_points_that_build_on_nothing_say_so() -> None:
    roster = [person("Ogre", "enemies", uses="challenge", attack=4)]
    assert "(0 by challenge + 4 attack)" in lines_of(do(fresh(roster=roster), "turn Ogre")[1], fiftytwo())[0]


def test_who_is_down_rolls_no_initiative_until_healed() -> None:
    state = do(fresh(), "surprise Esther Able", Given(dice=(6, 6)))[0]
    state = do(state, "surprise Emberry Able", Given(dice=(6, 6)))[0]
    dice = tuple(roll for name, roll in zip(range(9), ROLLS, strict=True) if name != 4)
    after, log = do(state, "initiative", Given(dice=dice))
    assert lines_of(tuple(entry for entry in log if entry.kind == "no_roll"), fiftytwo()) == [
        "Able is down and rolls no initiative."
    ]
    assert (after.find("Able").initiative, after.find("Alice").initiative) == (None, 8)
    assert do(after, "heal Able 1")[0].find("Able").initiative is None, "still down"
    healed, log = do(after, "heal Able 20", Given(dice=(5,)))
    assert facts(log, "late") == {"who": "Able", "slot": 7, "waits": False}
    assert healed.find("Able").hp == 15
    rolling, _ = do(state, "initiative", Given(dice=ROLLS), downed="roll_too")
    assert rolling.find("Able").initiative == 7


# --- armour, and harm out of turn ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bonus", "rating", "magic"), [(0, 6, 5), (1, 6, 5), (2, 5, 5), (3, 4, 4), (5, 2, 2), (9, 0, 0)]
)
def test_a_shield_counts_in_the_rating_or_as_magic(bonus: int, rating: int, magic: int) -> None:
    """Full plate of +2 with a shield of +1: the source's fight adds its parts otherwise than its rule does."""
    at = {"bonus": str(bonus)}
    assert facts(do(fresh(), "threshold Alan Evans", at=at)[1], "threshold")["threshold"] == rating
    other = do(fresh(), "threshold Alan Evans", at=at, shield="in_the_magic")
    assert facts(other[1], "threshold")["threshold"] == magic
    without = facts(do(fresh(), "threshold Evans Alan", at=at, shield="in_the_magic")[1], "threshold")
    assert without["threshold"] == facts(do(fresh(), "threshold Evans Alan", at=at)[1], "threshold")["threshold"]


def test_hp_are_lost_out_of_turn() -> None:
    state, log = do(begun(), "hurt Alan 12")
    assert lines_of(log, fiftytwo()) == ["Alan takes 12 and has 146 HP."]
    state, _ = do(state, "turn")
    state, log = do(state, "hurt Alphonse 72", at={"by": "Evans"})
    assert [entry.kind for entry in log] == ["damage", "down", "turn_ends"], "who goes down has no turn any more"
    assert state.find("Alphonse").attacked_by == "Evans"
    assert do(state, "turn")[0].turn.who == "Evans"
    state, log = do(state, "hurt Alphonse 5")
    assert [entry.kind for entry in log] == ["damage"]
    assert do(begun(), "hurt Able 9", at={"by": "Alan"})[0].find("Able").attacked_by == "", "a friend is no attacker"


def test_an_attack_of_opportunity_costs_nothing_and_meets_the_armour() -> None:
    state, _ = do(begun(), "turn")
    state, log = do(state, "opportunity Eckhart Alphonse")
    assert lines_of(log, fiftytwo())[0] == "Alphonse leaves the reach of Eckhart, who strikes for nothing."
    assert (state.find("Alphonse").hits, state.find("Alphonse").hp) == (1, 72)
    assert state.turn.points == 8
    state, _ = do(do(state, "opportunity Eckhart Alphonse")[0], "opportunity Eckhart Alphonse", Given(dice=(4,)))
    assert (state.find("Alphonse").hits, state.find("Alphonse").hp) == (0, 63)


# --- spells ----------------------------------------------------------------------------------------------------------


def at_able(state: State) -> State:
    """The round has come to Able, the last."""
    while facts(do(state, "points")[1], "points")["who"] != "Able":
        state, _ = do(do(state, "turn")[0], "end")
    return state


def test_a_spell_takes_a_point_a_round_and_works_for_nothing_on_all_it_strikes() -> None:
    state, _ = do(at_able(begun()), "act spell")
    state, log = do(do(state, "act spell done")[0], "end")
    state, _ = do(state, "round")
    state, log = do(at_able(state), "turn")
    assert lines_of(log, fiftytwo())[-1] == (
        "The spell of Able works now, before anything else: deliver Able TARGET DAMAGE."
    )
    points = state.turn.points
    with pytest.raises(HackjackError, match="the spell of Able is due and works before anything else: deliver Able"):
        do(state, "act move")
    state, log = do(state, "deliver Able Evans 30 Emberry 90 Alan 8")
    assert {name: state.find(name).hp for name in ("Evans", "Emberry", "Alan")} == {
        "Evans": 103,
        "Emberry": -5,
        "Alan": 150,
    }
    assert {name: state.find(name).hits for name in ("Evans", "Alan")} == {"Evans": 1, "Alan": 1}
    assert (state.find("Evans").attacked_by, state.find("Alan").attacked_by) == ("Able", ""), "Alan is a friend"
    assert (state.turn.points, state.turn.free) == (points, 1)
    assert do(state, "act move")[0].find("Able").casting == ""


def test_what_a_turn_has_to_mind_of_a_spell() -> None:
    casting, _ = do(do(at_able(begun()), "act spell")[0], "end")
    _, log = do(at_able(do(casting, "round")[0]), "turn")
    assert "Able is casting: act spell goes on" in lines_of(log, fiftytwo())[-1]
    with pytest.raises(HackjackError, match="Evans is named twice: a spell strikes everybody once"):
        do(casting, "deliver Able Evans 3 evans 4")
    with pytest.raises(HackjackError, match="suspended: go on with it by act spell"):
        do(do(do(at_able(begun()), "act spell")[0], "act suspend")[0], "deliver Able")
    done, _ = do(at_able(begun()), "act spell done")
    with pytest.raises(HackjackError, match="works before the next turn: cast another one after it"):
        do(done, "act spell")
    _, log = do(done, "deliver Able")
    assert lines_of(log, fiftytwo()) == ["The spell of Able works, and harms nobody."]


def test_a_spell_that_works_at_once_strikes_an_area_for_one_point() -> None:
    state, _ = do(turn("Able"), "act spell Evans 30 Eckhart 20")
    assert (state.find("Evans").hp, state.find("Eckhart").hp) == (103, 82)
    assert (state.turn.points, state.turn.free) == (6, 0)


def test_moves_are_shown_by_what_they_open_and_cost_ten_at_most() -> None:
    state, _ = do(begun(), "lay " + " / ".join(ALPHONSE.strip().splitlines()))
    everything = [entry.facts for entry in do(state, "moves allies all")[1]]
    *few, more = [entry.facts for entry in do(state, "moves")[1]]
    assert few == everything[:10]
    assert more["count"] == len(everything) - 10
    opening = [(move["criticals"] + move["normals"] > 0, move["cost"]) for move in everything]
    assert opening == sorted(opening, key=lambda move: (not move[0], move[1]))
    assert opening[0][0]
    assert not opening[-1][0]


def test_the_end_of_a_turn_says_who_is_next() -> None:
    state, _ = do(begun(), "lay " + " / ".join(ALPHONSE.strip().splitlines()))
    said = []
    for _ in state.fighters:
        state, _ = do(state, "turn")
        state, log = do(state, "end")
        said.append(lines_of(log, fiftytwo())[-1])
    waiting = [fighter.name for fighter in field_order.ordered(state)]
    assert [line.split(" is next")[0] for line in said[:-1]] == waiting[1:]
    assert said[-1] == "Everybody has acted: begin the next one with later-initiative, or round."

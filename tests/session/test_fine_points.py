"""Small things that once went wrong at the table: each with the sentence or the state that shows it right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers import befall, hackjack, run
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import games
from generator.base.errors import HackjackError
from generator.pack.settings import with_settings
from generator.play.chance import Given, Seeded

MINUS = "\u2212"


def lines(event: str, *luck: str) -> list[str]:
    """What a single resolve says."""
    ran = run("resolve", "hackjack", *event.split(), *luck)
    assert (ran.code, ran.err) == (0, "")
    return [line.strip() for line in ran.out.splitlines()]


# --- sentences -------------------------------------------------------------------------------------------------------


def test_one_hp_is_left_and_two_are() -> None:
    system = hackjack()
    for hp, says in ((2, "A hit for 1; 1 HP is left."), (3, "A hit for 1; 2 HP are left.")):
        _, log = befall(system, {"hp": hp}, "hit 1", Given())
        assert games.log_lines(log, system) == [says]


@pytest.mark.parametrize("code", ["9C", "QC", "QD", "KD", "10H", "QH"])
def test_a_wound_that_comes_back_or_halves_is_told_as_its_card_says(code: str) -> None:
    told = lines("hit 3", "--cards", code)
    card = json.loads(run("card", "hackjack", code, "--json").out)
    assert card["text"]
    assert {text.replace("†", "") for text in card["text"]} <= set(told), "the log has the card's own sentences"


# --- a state that contradicts itself ---------------------------------------------------------------------------------


def test_low_is_for_exactly_0_hp() -> None:
    game = games.game_of(hackjack())
    with pytest.raises(HackjackError, match="invalid state: low is for exactly 0 HP, and its hp is 4"):
        game.read_state({"hp": 4, "low": True})
    for state in ({"hp": 0, "low": True}, {"low": True, "score": 3}):
        assert game.plain_state(game.read_state(state))["low"], "poisoned at 0 HP"


@settings(max_examples=50)
@given(st.integers(1, 9), st.lists(st.integers(1, 9), max_size=5), st.integers(0, 999))
def test_no_event_leaves_such_a_state(hp: int, amounts: list[int], seed: int) -> None:
    game = games.game_of(hackjack())
    state: dict[str, Any] = {"hp": hp}
    for place, amount in enumerate(amounts):
        name = ("hit", "heal", "poison")[(place + amount) % 3]
        state, _ = befall(hackjack(), state, f"{name} {amount}", Seeded(seed + place))
        if state["dead"]:
            return
        assert json.loads(json.dumps(game.plain_state(game.read_state(state)))) == state


# --- wounds without Trauma (H16) -------------------------------------------------------------------------------------


def test_wounds_without_trauma_pass_when_blood_and_score_are_healed() -> None:
    system = with_settings(hackjack(), [("jack_of_clubs", "blank_is_zero")])
    state, log = befall(system, {}, "hit 3", Given(["JC", "6S", "2H"]))
    assert state["trauma"] == 0, "the Two of hearts has none, and the lower counts"
    assert [wound["card"] for wound in state["wounds"] if wound["until"] == "recovery"] == ["6S"]
    with pytest.raises(HackjackError, match="recovery begins when Blood and death-score are 0"):
        befall(system, state, "recover", Given())
    state, _ = befall(system, state, "heal 10", Given())
    after, log = befall(system, state, "recover", Given())
    assert [wound["card"] for wound in after["wounds"]] == ["2H"], "the night's rest is still to come"
    assert games.log_lines(log, system)[0] == "There is no Trauma to recover from: what lasted until recovery is over."
    with pytest.raises(HackjackError, match="there is no Trauma to recover from"):
        befall(system, after, "recover", Given())

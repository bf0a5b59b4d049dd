"""Small things that once went wrong at the table: each with the sentence or the state that shows it right."""

from __future__ import annotations

import json

import pytest
from helpers import hackjack, run
from hypothesis import given
from hypothesis import strategies as st

from generator import games
from generator.base.errors import HackjackError
from generator.games.hackjack import engine as harm
from generator.games.hackjack.engine import HarmEvent
from generator.pack import content
from generator.play.chance import Given, Seeded

MINUS = "\u2212"


def lines(event: str, *luck: str) -> list[str]:
    """What a single resolve says."""
    ran = run("resolve", "hackjack", *event.split(), *luck)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.splitlines()


# --- sentences -------------------------------------------------------------------------------------------------------


def test_one_hp_is_left_and_two_are() -> None:
    system = hackjack()
    for hp, says in ((2, "A hit for 1; 1 HP is left."), (3, "A hit for 1; 2 HP are left.")):
        _, log = harm.step(system, harm.read_state({"hp": hp}, system), HarmEvent("hit", 1), Given())
        assert games.log_lines(log, system) == [says]


@pytest.mark.parametrize("code", ["9C", "QC", "QD", "KD", "10H", "QH"])
def test_a_wound_that_comes_back_or_halves_is_told_as_its_card_says(code: str) -> None:
    told = lines("hit 3", "--cards", code)
    card = json.loads(run("card", "hackjack", code, "--json").out)
    assert card["text"]
    assert {text.replace("†", "") for text in card["text"]} <= set(told), "the log has the card's own sentences"


# --- a state that contradicts itself ---------------------------------------------------------------------------------


def test_low_is_for_exactly_0_hp() -> None:
    system = hackjack()
    with pytest.raises(HackjackError, match="invalid state: low is for exactly 0 HP, and its hp is 4"):
        harm.read_state({"hp": 4, "low": True}, system)
    assert harm.read_state({"hp": 0, "low": True}, system).low
    assert harm.read_state({"low": True, "score": 3}, system).low, "poisoned at 0 HP"


@given(st.integers(1, 9), st.lists(st.integers(1, 9), max_size=5), st.integers(0, 999))
def test_the_engine_never_leaves_such_a_state(hp: int, amounts: list[int], seed: int) -> None:
    system = hackjack()
    state = harm.read_state({"hp": hp}, system)
    for place, amount in enumerate(amounts):
        event = HarmEvent(("hit", "heal", "poison")[(place + amount) % 3], amount)
        state, _ = harm.step(system, state, event, Seeded(seed + place))
        assert harm.read_state(harm.plain_state(state), system) == state
        if state.dead:
            return


# --- wounds without Trauma (H16) -------------------------------------------------------------------------------------


def test_wounds_without_trauma_pass_when_blood_and_score_are_healed() -> None:
    system = content.with_settings(hackjack(), [("jack_of_clubs", "blank_is_zero")])
    game = games.game_of(system)
    state, log = game.step(game.read_state({}), HarmEvent("hit", 3), Given(["JC", "6S", "2H"]))
    assert state.trauma == 0, "the Two of hearts has none, and the lower counts"
    waiting = [wound for wound in state.wounds if wound.until.word == "recovery"]
    assert [wound.card for wound in waiting] == ["6S"]
    with pytest.raises(HackjackError, match="recovery begins when Blood and death-score are 0"):
        game.step(state, HarmEvent("recover"), Given())
    state, _ = game.step(state, HarmEvent("heal", 10), Given())
    after, log = game.step(state, HarmEvent("recover"), Given())
    assert [wound for wound in after.wounds if wound.until.word == "recovery"] == []
    assert [wound.card for wound in after.wounds] == ["2H"], "the night's rest is still to come"
    assert games.log_lines(log, system)[0] == "There is no Trauma to recover from: what lasted until recovery is over."
    with pytest.raises(HackjackError, match="there is no Trauma to recover from"):
        game.step(after, HarmEvent("recover"), Given())

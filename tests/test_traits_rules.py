"""Small rules of Deadlands 1876 that are easily forgotten: who pays, what a bonus is for, what lasts how long."""

from __future__ import annotations

from typing import Any

import pytest
from test_deadlands import play, refused, result

from generator.chance import NeedsError
from generator.errors import UsageError

# --- unskilled attempts (D5) -----------------------------------------------------------------------------------------


def test_a_coin_may_stand_for_the_die_of_any_skill() -> None:
    """An emergency operation, a cliff, a locked door: whoever lacks the skill flips coins."""
    assert result("trait coin", dice=[2, 2, 1]) == "success"
    assert result("heal coin", state={"wounds": 1}, dice=[2, 2, 1]) == "success"
    assert result("fate coin", cards=["2C"], dice=[2, 1]) == "success"
    assert play("contested coin d6", dice=[2, 2, 2, 1])[0]["last"]["target"] == 6
    assert play("serial coin", dice=[1, 2, 1, 2, 2, 1])[0]["last"]["total"] == 3
    task = {"name": "ledge", "kind": "compound", "target": 8}
    assert play("attempt ledge coin", state={"tasks": [task]}, dice=[1])[0]["tasks"][0]["target"] == 10


@pytest.mark.parametrize("event", ["soak coin 1", "incapacitation coin", "guts coin", "book 20 coin", "day coin"])
def test_coins_are_not_for_what_everybody_has(event: str) -> None:
    said = refused(event, state={"wounds": 1}, kind=UsageError)
    assert "skill that one does not have" in said or "too much" in said


def test_no_wild_die_goes_with_a_coin_and_a_coin_is_no_target_number() -> None:
    assert "no wild die" in refused("trait coin wild=d6", kind=UsageError)
    assert "a die is wanted" in refused("contested d8 coin", kind=UsageError)
    assert "no name of a trait" in refused("has coin d6", kind=UsageError)


def test_tails_can_be_flipped_again_for_a_chip() -> None:
    plain, _ = play("unskilled", state={"chips": 1}, dice=[1, 2, 2, 1], choose=[2])
    assert plain["chips"] == 0 and plain["last"]["result"] == "success"


def test_the_marshal_grants_the_skill_after_a_raise_with_coins() -> None:
    state, said = play("unskilled", dice=[2, 2, 2, 2, 1])
    assert state["earned"] and "may grant the skill at d4" in said
    plain, said = play("grant Survival", state=state)
    assert plain["traits"] == {"survival": "d4"} and not plain["earned"] and plain["spent"] == 0
    assert "survival d4" in said
    assert "showed none" in refused("grant climb", state=plain)
    missed, _ = play("unskilled", state=state, dice=[1])
    assert "showed none" in refused("grant survival", state=missed)
    assert "has survival already" in refused("grant survival", state=state | {"traits": {"survival": "d6"}})


def test_a_kicker_helps_whoever_flips_coins() -> None:
    state, _ = play("award kicker manual bonus=1 trait=repair")
    plain, _ = play("unskilled kicker=manual", state=state, dice=[2, 1])
    assert plain["last"]["total"] == 4 and plain["tokens"] == []


# --- the joker (D8) --------------------------------------------------------------------------------------------------

JOKER: dict[str, Any] = {"action": "BJ"}


def test_the_joker_helps_for_its_round_and_not_for_the_turns_that_follow() -> None:
    """A serial roll is one roll a turn: only the first of them is in the joker's round."""
    assert play("serial d6", state=JOKER, dice=[2, 1])[0]["last"]["total"] == 1
    assert play("serial d6", state=JOKER, dice=[3, 4])[0]["last"]["total"] == 1
    plain, said = play("serial d8 tn=6", state=JOKER, dice=[3, 2, 4, 2, 6, 1])
    assert plain["last"]["total"] == 3 and said.count("+2") == 1
    assert play("compound d8 tn=8", state=JOKER, dice=[5, 1, 9 - 1, 1, 2])[1].count("+2") == 1


def test_the_joker_goes_to_everything_even_to_a_favour() -> None:
    state = JOKER | {"tokens": [{"kind": "marker", "name": "Bohannon", "die": "d8"}]}
    assert play("marker Bohannon", state=state, dice=[2])[0]["last"]["result"] == "success"
    assert play("marker Bohannon", state=state, dice=[1])[0]["last"]["result"] == "failure", "a natural one"


def test_the_joker_is_the_patients_and_not_the_healers() -> None:
    hurt = JOKER | {"wounds": 1}
    assert result("heal d6 healer=Doc", state=hurt, dice=[2, 1]) == "failure"
    assert result("heal d6 healer=Doc joker=yes", state=hurt, dice=[2, 1]) == "success"
    assert result("heal d6", state=hurt, dice=[2, 1]) == "success", "they treat themselves"


# --- tokens (D11) ----------------------------------------------------------------------------------------------------


def test_a_kicker_is_for_the_trait_that_is_rolled_whatever_the_event_is_called() -> None:
    tokens = [
        {"kind": "kicker", "name": "manual", "bonus": 1, "trait": "repair"},
        {"kind": "hole", "name": "pioneer", "die": "d6", "trait": "repair"},
        {"kind": "hole", "name": "hunter", "die": "d6", "trait": "tracking"},
    ]
    state = {
        "traits": {"repair": "d6", "climb": "d6"},
        "tokens": tokens,
        "tasks": [{"name": "engine", "kind": "serial", "target": 4}],
    }
    assert play("attempt engine repair kicker=manual", state=state, dice=[3, 1])[0]["tasks"][0]["ends"] == "done"
    assert result("hole pioneer kicker=manual", state=state, dice=[3, 1]) == "success"
    assert "is for repair, not for tracking" in refused("hole hunter kicker=manual", state=state)
    assert "is for repair, not for climb" in refused("attempt engine climb kicker=manual", state=state)


def test_a_kicker_goes_into_the_first_of_many_rolls() -> None:
    state = {"tokens": [{"kind": "kicker", "name": "manual", "bonus": 2}]}
    plain, said = play("serial d6 kicker=manual tries=2", state=state, dice=[1, 2, 3, 1])
    assert plain["last"]["result"] == "failed" and said.count("is spent.") == 1


@pytest.mark.parametrize("kind", ["face_card", "extra"])
def test_a_luck_charm_is_a_chip_so_only_wild_cards_use_it(kind: str) -> None:
    state = {"kind": kind, "tokens": [{"kind": "charm", "name": "flask", "trait": "soak"}]}
    assert "only Wild Cards" in refused("soak d8 1 charm=flask", state=state)


def test_a_token_may_say_what_it_is_good_for() -> None:
    state, said = play("award burn king card=KH says=only-for-a-deuce", state={"action": "2C"})
    assert "KH; only-for-a-deuce." in said
    plain, said = play("burn king", state=state)
    assert plain["action"] == "KH" and "in place of the 2 of clubs; only-for-a-deuce." in said


def test_a_marker_keeps_what_is_written_on_it_while_it_falls() -> None:
    state = {"tokens": [{"kind": "marker", "name": "Bohannon", "die": "d8", "says": "the railroad"}]}
    assert play("marker bo", state=state, dice=[3])[0]["tokens"] == [
        {"kind": "marker", "name": "Bohannon", "die": "d6", "bonus": 0, "trait": "", "card": "", "says": "the railroad"}
    ]


def test_the_marshal_gives_a_chip_for_boxcars_and_takes_one_for_snake_eyes() -> None:
    state, said = play("chips 1 given", state={"chips": 2})
    assert state["chips"] == 3 and "D3" in said
    state, said = play("chips 1 taken", state={"chips": 1})
    assert state["chips"] == 0 and "D4" in said
    assert "there cannot be -1" in refused("chips 1 taken", state=state)
    assert "not counted" in refused("chips 1 given")
    assert "only Wild Cards" in refused("chips 1 given", state={"kind": "extra"})


# --- dramatic tasks (D12) --------------------------------------------------------------------------------------------


def test_what_a_round_does_is_damage_and_damage_dice_ace() -> None:
    state, _ = play("task climb attempts needs=5 tn=6")
    plain, said = play("attempt climb d8 harm=1d10", state=state, dice=[10, 4, 7, 1])
    assert plain["tasks"][0]["harm"] == 14 and "The round does d10 damage: 14." in said


@pytest.mark.parametrize("rounds", [5, 3])
def test_a_bomb_in_five_rounds_and_a_patient_in_three(rounds: int) -> None:
    """Both are action-based: so many rounds, an action card in each."""
    state, said = play(f"task it actions needs=5 rounds={rounds}")
    assert f"in {['three', 'four', 'five'][rounds - 3]} rounds" in said
    for number in range(rounds):
        assert state["tasks"][0]["ends"] == ""
        state, _ = play("attempt it d6", state=state, cards=["7C"], dice=[2, 3])
        assert state["tasks"][0]["tries"] == number + 1 and state["action"] == "7C"
    assert state["tasks"][0]["ends"] == "failed"


# --- who they are (D18) ----------------------------------------------------------------------------------------------


def test_extras_have_no_edges() -> None:
    assert "no Edges" in refused("recover d6 reflexes=yes", state={"kind": "extra"})
    assert result("recover d6 reflexes=yes", state={"kind": "face_card"}, dice=[4, 1]) == "success"


def test_a_face_card_bears_injuries_like_a_wild_card_if_the_marshal_lets_it_live() -> None:
    plain, _ = play("incapacitation d8", state={"kind": "face_card"}, dice=[8, 2, 1, 3], cards=["4C"])
    assert plain["standing"] == "up" and plain["injuries"][0]["days"] == 11


# --- falling and waking (D13) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("standing", ["bleeding", "unconscious"])
def test_the_fallen_do_not_roll_again(standing: str) -> None:
    assert "has been made" in refused("incapacitation d8", state={"standing": standing, "wounds": 3})


def test_the_unconscious_wake_by_healing_or_by_the_marshals_word_and_not_by_sleep() -> None:
    state: dict[str, Any] = {"standing": "unconscious", "wounds": 3}
    rested, _ = play("day d8", state=state, dice=[5, 1])
    assert rested["standing"] == "unconscious" and rested["wounds"] == 2
    assert play("heal d8 power=yes", state=rested, dice=[5, 1])[0]["standing"] == "up"
    plain, said = play("wake", state=state)
    assert plain["standing"] == "up" and "Conscious again" in said
    assert "not unconscious" in refused("wake", state=plain)


# --- healing (D17) ---------------------------------------------------------------------------------------------------


def test_a_healers_roll_is_their_own() -> None:
    """Neither the patient's chips nor their injuries nor their kickers go into it."""
    patient = {
        "wounds": 2,
        "chips": 3,
        "injuries": [{"card": "AS", "permanent": True}],
        "traits": {"healing": "d6"},
        "tokens": [{"kind": "kicker", "name": "manual", "bonus": 1}],
    }
    plain, _ = play("heal d8 healer=Doc", state=patient, dice=[2, 3])
    assert plain["chips"] == 3 and plain["wounds"] == 2
    assert "the kicker is the patient's" in refused("heal d8 healer=Doc kicker=manual", state=patient, kind=UsageError)
    assert "write the healer's die" in refused("heal healing healer=Doc", state=patient, kind=UsageError)
    assert "needs a choice" in refused("heal healing", state=patient, kind=NeedsError, dice=[2, 3])


def test_an_extra_may_be_treated_by_a_wild_card() -> None:
    beast = {"kind": "extra", "levels": 3, "wounds": 1}
    assert play("heal d8 healer=Doc", state=beast, dice=[2, 5])[0]["wounds"] == 0
    assert play("heal d8 healer=Nurse wild=none", state=beast, dice=[5])[0]["wounds"] == 0


def test_the_same_healer_tries_again_only_for_a_chip() -> None:
    failed, _ = play("heal d8 healer=Doc", state={"wounds": 2}, dice=[2, 3])
    plain, said = play("heal d8 healer=Doc chip=yes", state=failed, dice=[8, 1, 2])
    assert plain["wounds"] == 0 and "second attempt of Doc" in said
    assert plain["healers"] == ["Doc"]
    assert "Ann has not just failed" in refused("heal d8 healer=Ann chip=yes", state=failed)
    assert "has succeeded" in refused("heal d8 healer=Doc chip=yes", state=plain)
    assert "has not just failed" in refused("heal d8 healer=Doc chip=yes", state={"wounds": 1})
    assert "healer with a name" in refused("heal d8 chip=yes", state=failed, kind=UsageError)


def test_a_healers_critical_failure_is_not_rolled_again() -> None:
    plain, said = play("heal d8 healer=Doc", state={"wounds": 2}, dice=[1, 1])
    assert "does harm" in said
    assert "not rolled again" in refused("heal d8 healer=Doc chip=yes", state=plain)


def test_first_aid_comes_too_late_and_so_does_a_chip_for_it_the_next_day() -> None:
    late, _ = play("hour", state={"wounds": 2})
    assert "golden hour is over" in refused("heal d8 healer=Doc", state=late)
    assert play("wound 1", state=late)[0]["late"] is False, "a fresh wound opens all of them to treatment"


def test_a_new_day_rolls_the_vigor_on_the_sheet() -> None:
    state = {"wounds": 2, "traits": {"vigor": "d8"}}
    assert play("day", state=state, dice=[8, 1, 1])[0]["wounds"] == 0


def test_the_practitioner_has_a_die_of_their_own() -> None:
    state = {"wounds": 2, "traits": {"medicine": "d8"}}
    assert "needs a die" in refused("day d6 medicine=medicine", state=state, kind=UsageError)


# --- books and advances (D20, D22, D23) ------------------------------------------------------------------------------


def test_a_book_may_teach_a_knowledge() -> None:
    plain, said = play("book 40 d8 language=German skill=chemistry", dice=[3])
    assert plain["traits"] == {"chemistry": "d4"} and plain["spent"] == 0
    assert "A new skill: chemistry d4" in said
    assert "has chemistry already" in refused("book 40 d8 skill=chemistry", state=plain)
    assert "write bonus=1" in refused("book 40 d8 trait=repair", kind=UsageError)


def test_an_advance_may_go_for_something_of_the_rulebook() -> None:
    plain, said = play("spend Marksman", state={"xp": 5})
    assert plain["spent"] == 1 and "Marksman: 0 left" in said
    assert "no advance is left" in refused("spend Marksman", state=plain)


# --- nothing grows without end ---------------------------------------------------------------------------------------


def test_what_a_character_holds_can_always_be_read_back() -> None:
    tokens = [{"kind": "charm", "name": f"charm {number}"} for number in range(200)]
    traits = {f"skill{number}": "d4" for number in range(200)}
    full: dict[str, Any] = {"tokens": tokens, "traits": traits, "xp": 50, "earned": True}
    assert "tokens are enough" in refused("award charm more", state=full)
    assert "tokens are enough" in refused("book 20 d8 bonus=1", state=full, dice=[3])
    assert "tokens are enough" in refused("marker d8", state=full, dice=[3])
    assert "traits are enough" in refused("learn chemistry", state=full)
    assert "traits are enough" in refused("grant chemistry", state=full)
    assert "traits are enough" in refused("has chemistry d4", state=full)
    assert play("has skill7 d12", state=full)[0]["traits"]["skill7"] == "d12"
    healers = [f"healer {number}" for number in range(200)]
    assert "that is enough" in refused("heal d8 healer=Doc", state={"wounds": 1, "healers": healers}, dice=[1, 2])

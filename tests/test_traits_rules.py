"""Small rules of Deadlands 1876 that are easily forgotten: who pays, what a bonus is for, what lasts how long."""

from __future__ import annotations

from typing import Any

import pytest
from test_deadlands import play, refused, result

from generator.base.errors import UsageError
from generator.play.chance import NeedsError

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


# --- the order of the dice (D1) --------------------------------------------------------------------------------------


def test_each_die_says_which_faces_were_read_as_its_own() -> None:
    """Both dice are thrown, then each aces: whoever types them in another order sees it in the line."""
    assert "The d8 comes to 12 (8, 4); the wild die to 3" in play("trait d8", dice=[8, 3, 4])[1]
    said = play("trait d8", dice=[8, 6, 4, 6, 2])[1]
    assert "The d8 comes to 12 (8, 4); the wild die to 14 (6, 6, 2)" in said
    assert "The coin comes to 5 (2, 2, 1):" in play("unskilled", dice=[2, 2, 1])[1]


def test_the_die_that_is_missing_is_named_with_those_that_came_before() -> None:
    assert refused("trait d8", dice=[8], kind=NeedsError) == "needs d6 (the wild die), after 8 (the trait die)"
    missing = refused("trait d8", dice=[8, 6], kind=NeedsError)
    assert missing == "needs d8 (the trait die aces), after 8 (the trait die), 6 (the wild die)"
    assert refused("trait d8", dice=[8, 6, 2], kind=NeedsError).startswith("needs d6 (the wild die aces), after")
    assert "a d6 (the wild die) cannot show 7" in refused("trait d8", dice=[8, 7], kind=UsageError)


# --- action cards (D27) ----------------------------------------------------------------------------------------------


def test_a_card_is_dealt_once_a_round() -> None:
    state, _ = play("action", cards=["5C"])
    assert "5C is not in the deck" in refused("action", state=state, cards=["5C"])
    again, _ = play("action", state=state, cards=["6C"])
    assert again["action"] == "6C" and again["dealt"] == ["5C", "6C"], "the first one is not dealt again"
    fresh, _ = play("round", state=again)
    assert play("action", state=fresh, cards=["5C"])[0]["action"] == "5C"
    rules = (("action_cards", "full_deck"),)
    assert play("action", state=state, cards=["5C"], rules=rules)[0]["action"] == "5C"


def test_a_card_in_an_older_state_counts_as_dealt_and_a_burn_card_comes_from_no_deck() -> None:
    assert "is not in the deck" in refused("action", state={"action": "5C"}, cards=["5C"])
    burnt, _ = play("burn king", state={"tokens": [{"kind": "burn", "name": "king", "card": "KH"}]})
    assert burnt["action"] == "KH" and burnt["dealt"] == []
    assert play("action", state=burnt, cards=["KH"])[0]["dealt"] == ["KH"]


# --- what the table tells the program --------------------------------------------------------------------------------


def test_somebody_may_be_shaken_without_a_wound() -> None:
    state, said = play("shaken")
    assert state["shaken"] and state["wounds"] == 0 and said == "Shaken."
    assert not play("shaken no", state=state)[0]["shaken"]


def test_wounds_of_an_earlier_session_are_set_and_not_taken() -> None:
    state, said = play("wounds 2", state={"wounds": 1, "shaken": False})
    assert (state["wounds"], state["shaken"], state["standing"]) == (2, False, "up") and "Two wounds of 3" in said
    healed, _ = play("wounds 0", state={"wounds": 2, "healed": True, "healers": ["Doc"], "late": True})
    assert (healed["wounds"], healed["healed"], healed["healers"], healed["late"]) == (0, False, [], False)
    assert "has 3 wound levels: 4 wounds" in refused("wounds 4")


def test_advances_that_were_spent_before_are_told() -> None:
    state, said = play("spent 8 raised=yes", state={"xp": 47, "traits": {"vigor": "d6"}})
    assert state["spent"] == 8 and state["raised"] == ["Veteran"]
    assert "Spent before: eight advances, one for an attribute as Veteran; one advance left." in said
    assert "it takes 2" in refused("improve vigor", state=state), "the rank has had its attribute"
    assert play("spent 8", state=state)[0]["raised"] == ["Veteran"]
    assert play("spent 7 raised=no", state=state)[0]["raised"] == []
    assert "47 XP are 9 advances: 10 cannot have been spent" in refused("spent 10", state={"xp": 47})


# --- soaking (D16) ---------------------------------------------------------------------------------------------------


def test_wounds_that_were_just_taken_may_be_soaked_and_do_not_count_twice() -> None:
    hurt, _ = play("wound 2", state={"chips": 1, "wounds": 1, "healers": ["Doc"], "healed": True})
    state, said = play("soak d8", state=hurt, dice=[3, 2])
    assert (state["wounds"], state["chips"], state["shaken"]) == (2, 0, True) and "One wound of 2 soaked" in said
    whole, _ = play("soak d8", state=hurt, dice=[8, 1, 1])
    assert (whole["wounds"], whole["shaken"]) == (1, False), "nothing came through, so nothing shook them"
    assert (whole["healers"], whole["healed"]) == (["Doc"], True), "and no fresh wound opens the treatment"
    assert "none was just taken" in refused("soak d8", state=state), "they are soaked once"


def test_soaking_may_bring_somebody_back_who_was_about_to_fall() -> None:
    fallen, _ = play("wound 4")
    assert fallen["standing"] == "incapacitated"
    state, _ = play("soak d8", state=fallen, dice=[3, 2])
    assert (state["standing"], state["wounds"]) == ("up", 3)
    rolled, _ = play("incapacitation d8", state=fallen, dice=[8, 6, 1, 1])
    assert "none was just taken" in refused("soak d8", state=rolled)


@pytest.mark.parametrize("event", ["round", "hour", "day d8", "heal d8"])
def test_what_was_not_soaked_at_once_is_soaked_no_more(event: str) -> None:
    hurt, _ = play("wound 1")
    state, _ = play(event, state=hurt, dice=[] if event in ("round", "hour") else [2, 1])
    assert "none was just taken" in refused("soak d8", state=state)


def test_a_number_after_a_wound_means_further_wounds_and_it_is_said() -> None:
    hurt, _ = play("wound 2")
    state, said = play("soak d8 2", state=hurt, dice=[3, 2])
    assert state["wounds"] == 3 and said.count("These are further wounds: two wounds of just before stay taken.") == 1
    assert "These are further" not in play("soak d8 2", dice=[3, 2])[1]


def test_a_luck_draw_may_give_a_free_soak_roll() -> None:
    state, said = play("soak d8 2 free=yes", state={"chips": 0}, dice=[3, 2])
    assert (state["wounds"], state["chips"]) == (1, 0) and "A free soak roll." in said
    rules = (("free_soak", "roll_alone"),)
    assert play("soak d8 2 free=yes", dice=[3, 2], rules=rules)[0]["wounds"] == 2
    assert play("soak d8 2 free=yes", dice=[8, 1, 1], rules=rules)[0]["wounds"] == 1
    assert play("soak d8 2", dice=[3, 2], rules=rules)[0]["wounds"] == 1, "a chip takes its wound all the same"
    assert play("soak d8 1 free=yes", state={"kind": "face_card"}, dice=[3, 2])[0]["wounds"] == 0
    assert "needs no charm" in refused("soak d8 1 free=yes charm=x", kind=UsageError)


# --- names of skills (D14) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "name", "first"),
    [("4C", "climbing", "climb"), ("JS", "persuasion", "persuade"), ("6C", "shoot", "shooting")],
)
def test_a_skill_is_one_thing_under_all_its_names(card: str, name: str, first: str) -> None:
    state, said = play(f"has {name} d8", state={"injuries": [{"card": card, "permanent": True}]})
    assert state["traits"] == {first: "d8"} and said == f"{first} d8."
    for written in (name, first):
        assert "costs" in play(f"trait {written}", state=state, dice=[5, 1])[1], (card, written)
    older = {"traits": {name: "d8"}, "injuries": [{"card": card, "permanent": True}]}
    assert "costs" in play(f"trait {name}", state=older, dice=[5, 1])[1], "and so in a state written before"
    rules = (("penalties", "by_one_name"),)
    assert "costs" not in play(f"trait {name}", state=older, dice=[5, 1], rules=rules)[1]


def test_tokens_and_books_know_a_skill_by_all_its_names() -> None:
    state, _ = play("award kicker rope bonus=1 trait=climbing", state={"traits": {"climb": "d6"}})
    assert play("trait climb kicker=rope", state=state, dice=[3, 1])[0]["last"]["total"] == 4
    assert "has climb already" in refused("book 20 d8 skill=climbing", state=state)
    twice = {"traits": {"climb": "d6", "climbing": "d8"}}
    assert "climb twice, at d6 and d8" in refused("trait climb", state=twice, dice=[3, 1])


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
    assert "power=yes), or the Marshal's word" in refused("heal d8", state=rested)
    assert play("heal d8 power=yes", state=rested, dice=[5, 1])[0]["standing"] == "up"
    plain, said = play("wake", state=state)
    assert plain["standing"] == "up" and "Conscious again" in said
    assert "not unconscious" in refused("wake", state=plain)


FALLEN = ("incapacitated", "bleeding", "unconscious")


@pytest.mark.parametrize("standing", FALLEN)
def test_the_fallen_do_nothing_but_roll_vigor(standing: str) -> None:
    fallen: dict[str, Any] = {
        "standing": standing,
        "wounds": 3,
        "traits": {"vigor": "d8", "climb": "d8"},
        "tasks": [{"name": "door", "kind": "serial", "target": 4}],
        "tokens": [{"kind": "burn", "name": "king", "card": "KH"}, {"kind": "hole", "name": "map", "die": "d6"}],
    }
    for event in (
        *("trait d8", "trait climb", "fate d8", "unskilled", "contested d8 d6", "knowledge d8", "guts d8", "fear d8"),
        *(
            "recover d8",
            "serial d8",
            "compound d8",
            "attempts d8",
            "attempt door d8",
            "action",
            "burn king",
            "hole map",
        ),
        *("marker d8", "book 20 d8"),
    ):
        assert "does nothing: of all rolls only Vigor is made" in refused(event, state=fallen), event
    assert result("trait vigor", state=fallen, dice=[5, 1]) == "success", "the rulebook asks the bleeding for it"
    rules = (("fallen", "may_act"),)
    assert result("trait climb", state=fallen, dice=[5, 1], rules=rules) == "success"


def test_nobody_is_treated_or_sleeps_over_it_before_it_is_known_how_bad_it_is() -> None:
    down: dict[str, Any] = {"standing": "incapacitated", "wounds": 3}
    for event in ("heal d8 healer=Doc", "day d8"):
        assert "how badly is still open" in refused(event, state=down)
    bleeding = down | {"standing": "bleeding"}
    assert "survive or die comes first" in refused("day d8", state=bleeding)


@pytest.mark.parametrize("standing", ["bleeding", "unconscious"])
def test_who_lies_there_is_treated_by_somebody_else(standing: str) -> None:
    """Neither their chips nor their penalties nor their skill go into that roll."""
    patient = {"standing": standing, "wounds": 3, "chips": 2, "traits": {"healing": "d8"}}
    assert play("heal d8", state=patient, dice=[2, 3])[0]["chips"] == 2, "nobody is asked for a chip"
    assert "is the patient's" in refused("heal healing", state=patient, kind=UsageError)


# --- first aid to the bleeding (D29) ---------------------------------------------------------------------------------

BLEEDING: dict[str, Any] = {"standing": "bleeding", "wounds": 3}


def test_first_aid_stops_the_bleeding_and_is_not_used_up_by_it() -> None:
    state, said = play("heal d8 healer=Doc", state=BLEEDING, dice=[8, 1, 1])
    assert (state["standing"], state["wounds"], state["healed"]) == ("unconscious", 3, False)
    assert "The bleeding has stopped" in said and "D29" in said
    assert "one attempt a round" in refused("heal d8 healer=Ann", state=state)
    state, _ = play("round", state=state)
    state, said = play("heal d8 healer=Doc", state=state, dice=[5, 1])
    assert (state["standing"], state["wounds"]) == ("up", 2) and "Conscious again" in said


def test_a_failure_leaves_the_bleeding_and_costs_the_healer_their_try() -> None:
    state, _ = play("heal d8 healer=Doc", state=BLEEDING, dice=[2, 3])
    assert state["standing"] == "bleeding"
    state, _ = play("round", state=state)
    assert "no second try" in refused("heal d8 healer=Doc", state=state)


def test_whoever_lies_unconscious_can_be_woken_though_their_wounds_were_treated() -> None:
    rules = (("bleeding", "wounds_first"),)
    state, _ = play("heal d8 healer=Doc", state=BLEEDING, dice=[5, 1], rules=rules)
    assert (state["standing"], state["wounds"], state["healed"]) == ("bleeding", 2, True), "the other reading"
    state, _ = play("survive", state=state, rules=rules)
    state, _ = play("round", state=state, rules=rules)
    state, said = play("heal d8 healer=Ann", state=state, dice=[8, 1, 1], rules=rules)
    assert (state["standing"], state["wounds"]) == ("up", 2), "it wakes them, and heals nothing a second time"
    assert "wound" not in said.partition("D17")[0].split("raise")[-1]


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


def test_a_short_book_takes_an_hour_at_the_least() -> None:
    assert play("book 3 d12", dice=[1])[0]["last"]["total"] == 2
    assert play("book 3 d12", dice=[12])[0]["last"] == {
        "event": "book",
        "result": "1 hour",
        "total": 1,
        "target": None,
        "raises": 0,
    }
    rules = (("short_books", "none_left"),)
    assert play("book 3 d12", dice=[12], rules=rules)[0]["last"]["result"] == "0 hours"


def test_a_kicker_of_a_book_says_what_it_is_for() -> None:
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

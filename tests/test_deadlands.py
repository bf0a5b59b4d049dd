"""Deadlands 1876 at the table: every rule of the source has a test here that names it, in its worked example if any."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from helpers import ROOT
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.check import claims
from generator.games import game_of, lines_of
from generator.games.deadlands.dice import Rules, Shown, judge
from generator.games.deadlands.state import State
from generator.model.rules import System
from generator.pack import content
from generator.play.chance import Given, NeedsError, Seeded

FOLDER = ROOT / "content" / "deadlands"


@cache
def deadlands(*settings: tuple[str, str]) -> System:
    """The system as it ships, under house rules."""
    return content.with_settings(content.load(FOLDER).system, settings)


def play(
    event: str,
    *,
    state: dict[str, Any] | None = None,
    dice: Sequence[int] = (),
    cards: Sequence[str] = (),
    choose: Sequence[int] = (),
    rules: tuple[tuple[str, str], ...] = (),
) -> tuple[dict[str, Any], str]:
    """One event on a character: the state after it as plain data, and all its lines as one text."""
    system = deadlands(*rules)
    game = game_of(system)
    luck = Given(cards, dice, choose)
    before = game.read_state(state or {})
    after, log = game.step(before, game.read_event(event.split(), {}), luck)
    luck.finish()
    plain = json.loads(msgspec.json.encode(game.plain_state(after)))
    assert game.read_state(plain) == after, "what came out can be given back"
    assert game.state_line(plain)
    return plain, " ".join(lines_of(log, system, why=True))


def result(event: str, **luck: Any) -> str:
    """How a roll came out."""
    plain, _ = play(event, **luck)
    last = plain["last"]
    return f"{last['result']} {last['raises']}" if last["result"] == "raise" else str(last["result"])


def refused(
    event: str, *, state: dict[str, Any] | None = None, kind: type[HackjackError] = HackjackError, **luck: Any
) -> str:
    with pytest.raises(kind) as raised:
        play(event, state=state, **luck)
    return str(raised.value)


# --- systems of chance -----------------------------------------------------------------------------------------------


def test_the_better_of_trait_die_and_wild_die_counts() -> None:
    assert result("trait d8", dice=[3, 4]) == "success"
    assert result("trait d8", dice=[5, 1]) == "success"
    assert result("trait d8", dice=[3, 3]) == "failure"


def test_a_die_at_its_most_aces_again_and_again() -> None:
    plain, said = play("trait d6", dice=[6, 2, 6, 6, 1])
    assert plain["last"]["total"] == 19
    assert "The d6 comes to 19" in said


def test_both_dice_are_thrown_before_either_aces() -> None:
    assert "needs d6 (the wild die)" in refused("trait d8", dice=[8], kind=NeedsError)
    assert "needs d8 (the trait die aces)" in refused("trait d8", dice=[8, 2], kind=NeedsError)


def test_every_four_over_the_target_number_are_a_raise() -> None:
    assert result("trait d12", dice=[7, 1]) == "success"
    assert result("trait d12", dice=[8, 1]) == "raise 1"
    assert result("trait d12 tn=3", dice=[11, 1]) == "raise 2"


def test_critical_success_is_boxcars() -> None:
    plain, said = play("trait d10", dice=[10, 6, 1, 1])
    assert plain["last"]["result"] == "critical_success"
    assert "Boxcars" in said and "D3" in said


def test_boxcars_are_judged_by_the_first_faces() -> None:
    assert result("trait d6", dice=[6, 5, 6, 1]) == "raise 2"


def test_boxcars_succeed_unless_a_house_rule_wants_the_target_number() -> None:
    luck = {"dice": [4, 6, 1, 1]}
    assert result("trait d4 tn=12", **luck) == "critical_success"
    assert result("trait d4 tn=12", **luck, rules=(("boxcars", "needs_target"),)) == "failure"
    assert result("trait d4 tn=7", **luck, rules=(("boxcars", "needs_target"),)) == "critical_success"


def test_damage_of_a_critical_success_begins_at_its_most_and_aces_from_there() -> None:
    assert play("damage 2d6 critical=yes", dice=[3, 6, 2])[0]["last"]["total"] == 6 + 3 + 6 + 6 + 2
    assert play("damage 2d6+1", dice=[6, 3, 4])[0]["last"]["total"] == 6 + 4 + 3 + 1


def test_critical_failure_is_snake_eyes() -> None:
    plain, said = play("trait d10", dice=[1, 1])
    assert plain["last"]["result"] == "critical_failure"
    assert "no chip" in said


def test_no_chip_and_no_charm_rerolls_a_critical_failure() -> None:
    charm = {"kind": "charm", "name": "rabbit foot"}
    plain, _ = play("trait d10", state={"chips": 2, "tokens": [charm]}, dice=[1, 1])
    assert plain["chips"] == 2 and len(plain["tokens"]) == 1


def test_a_chip_buys_a_second_attempt_and_the_new_roll_counts() -> None:
    plain, said = play("trait d8", state={"chips": 2}, dice=[3, 2, 2, 1, 4, 1], choose=[2, 2])
    assert plain["chips"] == 0 and plain["last"]["result"] == "success"
    assert said.count("A Fate Chip") == 2
    assert "needs a choice: 1 keep it 2 a Fate Chip" in refused("trait d8", state={"chips": 1}, dice=[3, 2])
    assert result("trait d8", state={"chips": 1}, dice=[3, 2], choose=[1]) == "failure"


def test_a_second_attempt_may_be_a_critical_failure() -> None:
    assert result("trait d8", state={"chips": 2}, dice=[3, 2, 1, 1], choose=[2]) == "critical_failure"


def test_modifiers_go_to_the_trait_die_only() -> None:
    assert result("trait d8 mod=+2", dice=[2, 1]) == "success"
    assert result("trait d8 mod=+2", dice=[2, 3], rules=()) == "success"
    assert result("trait d8 mod=-2", dice=[5, 4]) == "success", "the wild die keeps its 4"
    assert result("trait d8 mod=-2", dice=[5, 3]) == "failure"


def test_a_natural_one_cannot_be_modified_to_a_higher_result() -> None:
    plain, said = play("trait d10 mod=+2 tn=3", dice=[1, 2])
    assert plain["last"] == {"event": "trait", "result": "failure", "total": 2, "target": 3, "raises": 0}
    assert "natural one" in said
    assert result("trait d10 mod=+2 tn=3", dice=[1, 3]) == "success"
    assert play("trait d10 mod=-2 wild=none", dice=[1])[0]["last"]["total"] == -1


def test_unskilled_attempts_are_coins_without_a_wild_die() -> None:
    assert result("unskilled", dice=[1]) == "failure"
    assert result("unskilled", dice=[2, 1]) == "failure"
    assert play("unskilled", dice=[2, 2, 1])[0]["last"]["total"] == 5


def test_a_raise_with_coins_may_earn_the_skill_at_d4() -> None:
    plain, said = play("unskilled", dice=[2, 2, 2, 2, 1])
    assert plain["last"]["result"] == "raise"
    assert "may grant the skill at d4" in said


def test_tails_at_once_are_a_natural_one() -> None:
    assert result("unskilled mod=+3", dice=[1]) == "failure"
    assert result("unskilled mod=+3", dice=[2, 1]) == "success"


def test_a_serial_roll_is_repeated_until_it_succeeds() -> None:
    plain, said = play("serial d6", dice=[2, 2, 3, 1, 4, 1])
    assert plain["last"]["result"] == "done" and plain["last"]["total"] == 3
    assert "After 3 tries it has succeeded" in said
    assert play("serial d6 tries=2", dice=[2, 2, 3, 1])[0]["last"]["result"] == "failed"


def test_a_critical_failure_ends_a_serial_roll_for_everybody() -> None:
    plain, said = play("serial d6", dice=[2, 2, 1, 1])
    assert plain["last"]["result"] == "jammed"
    assert "for everybody" in said
    task = {"name": "door", "kind": "serial", "target": 4, "ends": "jammed"}
    assert "is over" in refused("attempt door d6", state={"tasks": [task]})


def test_a_compound_serial_roll_grows_harder_up_to_a_last_chance() -> None:
    plain, said = play("compound d8 tn=8", dice=[2, 3, 4, 5, 5, 2])
    assert plain["last"] == {"event": "compound", "result": "failed", "total": 3, "target": 12, "raises": 0}
    assert "next against 10" in said and "next against 12, the last chance" in said
    assert play("compound d8 tn=11", dice=[2, 3, 8, 1, 4])[0]["last"]["target"] == 12
    assert play("compound d8 tn=14", dice=[2, 3])[0]["last"]["result"] == "failed"


def test_a_compound_roll_step_by_step() -> None:
    state, _ = play("task ledge compound tn=8")
    for target, dice in ((10, [2, 3]), (12, [4, 5])):
        state, _ = play("attempt ledge d8", state=state, dice=dice)
        assert state["tasks"][0]["target"] == target
    state, _ = play("attempt led d8", state=state, dice=[8, 1, 4])
    assert state["tasks"][0]["ends"] == "done"


def test_a_contested_roll_is_against_the_others_die() -> None:
    assert play("contested d8 d12", dice=[8, 2, 4])[0]["last"]["target"] == 12
    assert result("contested spirit d6", state={"traits": {"spirit": "d8"}}, dice=[6, 1]) == "success"


def test_a_joker_for_initiative_gives_two_on_everything_in_its_round() -> None:
    state, said = play("action", cards=["RJ"])
    assert "+2 on everything" in said
    assert result("trait d6", state=state, dice=[2, 1]) == "success"
    assert play("damage 1d6", state=state, dice=[3])[0]["last"]["total"] == 5
    assert play("soak d8 2", state=state, dice=[6, 1])[0]["wounds"] == 0
    state, _ = play("round", state=state)
    assert result("trait d6", state=state, dice=[2, 1]) == "failure"
    assert result("trait d6 joker=yes", dice=[2, 1]) == "success"


def test_the_black_joker_goes_before_the_red_one() -> None:
    assert "it goes before the red one" in play("action", cards=["BJ"])[1]
    assert "only the black one goes before it" in play("action", cards=["RJ"])[1]


def test_a_luck_draw_succeeds_with_the_named_card_or_a_joker() -> None:
    assert result("luck QH", cards=["QH"]) == "success"
    assert result("luck QH", cards=["BJ"]) == "success"
    assert result("luck QH", cards=["QD"]) == "failure"


def test_the_ace_of_spades_is_always_bad_luck() -> None:
    assert result("luck QH", cards=["AS"]) == "bad_luck"
    assert result("luck spades", cards=["AS"]) == "bad_luck"
    assert result("luck Q+", cards=["AS"]) == "bad_luck"


def test_neither_a_joker_nor_the_ace_of_spades_can_be_named() -> None:
    assert "cannot be named" in refused("luck RJ", kind=UsageError)
    assert "cannot be named" in refused("luck AS", kind=UsageError)


@pytest.mark.parametrize(
    ("named", "lucky", "unlucky"),
    [
        ("Q+", "QC KD AH", "JC 2D"),
        ("5-9", "5C 9S", "4C 10S"),
        ("hearts", "2H AH", "2D"),
        ("red", "3H 3D", "3S"),
        ("faces", "JC KH", "AC 10H"),
        ("hearts Q+", "QH AH", "QD JH"),
        ("2C 3C", "2C 3C", "4C"),
    ],
)
def test_the_marshal_may_broaden_a_luck_draw(named: str, lucky: str, unlucky: str) -> None:
    assert {result(f"luck {named}", cards=[code]) for code in lucky.split()} == {"success"}
    assert {result(f"luck {named}", cards=[code]) for code in unlucky.split()} == {"failure"}


def test_a_fate_rolls_target_number_is_a_card() -> None:
    for code, target in {"2C": 2, "3C": 3, "10S": 10, "JD": 10, "QH": 10, "KS": 10, "AH": 11}.items():
        assert play("fate d6", cards=[code], dice=[3, 1])[0]["last"]["target"] == target
    assert result("fate d6", cards=["RJ"]) == "critical_success"
    assert result("fate d6", cards=["BJ"]) == "critical_failure"


# --- tokens ----------------------------------------------------------------------------------------------------------


def test_a_luck_charm_is_a_chip_used_once() -> None:
    state, _ = play("award charm horseshoe")
    plain, said = play("trait d8", state=state, dice=[2, 3, 4, 1], choose=[2])
    assert plain["tokens"] == [] and plain["last"]["result"] == "success"
    assert "horseshoe is spent" in said


def test_a_luck_charm_may_carry_a_stipulation() -> None:
    state, _ = play("award charm sixgun trait=shooting", state={"traits": {"shooting": "d8", "climb": "d8"}})
    assert result("trait shooting", state=state, dice=[2, 3, 4, 1], choose=[2]) == "success"
    assert result("trait climb", state=state, dice=[2, 3]) == "failure", "nobody is asked"
    soaking, _ = play("award charm flask trait=soak", state={"chips": 0})
    assert play("soak d8 2 charm=flask", state=soaking, dice=[2, 3])[0]["wounds"] == 1
    assert "not for soaking" in refused("soak d8 2 charm=sixgun", state=state)


def test_a_burn_card_takes_the_place_of_the_action_card() -> None:
    state, _ = play("award burn king card=KH", state={"action": "2C"})
    plain, said = play("burn king", state=state)
    assert plain["action"] == "KH" and plain["tokens"] == []
    assert "in place of the 2 of clubs" in said


def test_a_burn_card_cannot_be_a_joker() -> None:
    assert "cannot be a joker" in refused("award burn luck card=RJ")


def test_a_hole_card_stands_in_for_a_skill_once() -> None:
    state, _ = play("award hole pioneer die=d6 trait=survival", state={"traits": {"survival": "d4"}})
    plain, said = play("hole pioneer", state=state, dice=[5, 1])
    assert plain["last"]["result"] == "success" and plain["tokens"] == []
    assert "d6" in said
    assert "holds no hole" in refused("hole pioneer", state=plain, kind=UsageError)


def test_a_kicker_is_lost_with_the_roll() -> None:
    state, _ = play("award kicker book bonus=1 trait=repair", state={"traits": {"repair": "d6", "climb": "d6"}})
    assert play("trait repair kicker=book", state=state, dice=[2, 1])[0]["tokens"] == []
    assert result("trait repair kicker=book", state=state, dice=[3, 1]) == "success"
    assert "is for repair" in refused("trait climb kicker=book", state=state)


def test_a_chip_keeps_the_kicker_for_the_second_attempt() -> None:
    state, _ = play("award kicker book bonus=1", state={"chips": 1})
    plain, _ = play("trait d6 kicker=book", state=state, dice=[2, 1, 3, 1], choose=[2])
    assert plain["last"]["result"] == "success" and plain["last"]["total"] == 4


def test_a_marker_falls_by_a_die_whether_it_helped_or_not() -> None:
    state: dict[str, Any] = {"tokens": [{"kind": "marker", "name": "Cullen Bohannon", "die": "d8"}]}
    for dice, ends, left in (([6], "success", "d6"), ([2], "failure", "d4"), ([4, 3], "success", None)):
        state, _ = play("marker cullen", state=state, dice=dice)
        assert state["last"]["result"] == ends
        assert [token["die"] for token in state["tokens"]] == ([left] if left else [])
    assert state["last"]["total"] == 7


def test_a_marker_has_no_wild_die_and_goes_from_d12_to_d4() -> None:
    state: dict[str, Any] = {"tokens": [{"kind": "marker", "name": "x", "die": "d12"}]}
    dice = []
    while state["tokens"]:
        dice.append(state["tokens"][0]["die"])
        state, _ = play("marker x", state=state, dice=[3])
    assert dice == ["d12", "d10", "d8", "d6", "d4"]


# --- dramatic tasks --------------------------------------------------------------------------------------------------

MUSEUM = (([3, 6, 1], 1, 3), ([7, 2, 3], 1, 10), ([5, 8, 2, 6], 4, 15), ([1, 7, 1], 5, 16))


def test_the_climb_out_of_the_museum() -> None:
    state, said = play("task climb attempts needs=5 tn=6")
    assert "five successes needed" in said
    for dice, successes, harm in MUSEUM:
        state, said = play("attempt climb d8 harm=1d10", state=state, dice=dice)
        assert (state["tasks"][0]["successes"], state["tasks"][0]["harm"]) == (successes, harm)
    assert state["tasks"][0]["ends"] == "done" and ": done" in said


def test_the_climb_out_of_the_museum_in_one_go() -> None:
    dice = [face for faces, _, _ in MUSEUM for face in faces]
    assert play("attempts d8 needs=5 tn=6 harm=1d10", dice=dice)[0]["last"]["result"] == "done"


def test_raises_count_more_only_where_the_marshal_says_so() -> None:
    task = {"name": "climb", "kind": "attempts", "target": 6, "needs": 5}
    luck: dict[str, Any] = {"state": {"tasks": [task]}, "dice": [8, 2, 6]}
    assert play("attempt climb d8", **luck)[0]["tasks"][0]["successes"] == 3
    rules = (("task_raises", "one_each"),)
    assert play("attempt climb d8", **luck, rules=rules)[0]["tasks"][0]["successes"] == 1


@pytest.mark.parametrize(("option", "left"), [("one", 2), ("all", 0), ("none", 3)])
def test_a_critical_failure_may_take_successes_away(option: str, left: int) -> None:
    task = {"name": "climb", "kind": "attempts", "target": 6, "needs": 5, "successes": 3}
    rules = (("task_setback", option),)
    plain, _ = play("attempt climb d8", state={"tasks": [task]}, dice=[1, 1], rules=rules)
    assert plain["tasks"][0]["successes"] == left


def test_an_action_based_task_draws_action_cards_and_ends_with_its_rounds() -> None:
    state, _ = play("task bomb actions needs=2 rounds=2")
    state, said = play("attempt bomb d6", state=state, cards=["RJ"], dice=[2, 1])
    assert "A joker" in said and state["tasks"][0]["successes"] == 1
    state, said = play("attempt bomb d6", state=state, cards=["4C"], dice=[2, 1])
    assert state["tasks"][0]["ends"] == "failed" and "out of rounds" in said
    assert "so many rounds" in refused("task bomb actions", kind=UsageError)


# --- general rules ---------------------------------------------------------------------------------------------------


def test_a_face_card_has_wounds_but_no_chips_and_dies_when_incapacitated() -> None:
    state, _ = play("is face")
    assert result("trait d8", state=state | {"chips": 3}, dice=[2, 3]) == "failure", "no chip is offered"
    assert "Face Card" in refused("soak d8 1", state=state)
    state, _ = play("wound 3", state=state)
    assert state["standing"] == "up"
    assert play("wound 1", state=state)[0]["standing"] == "dead"


def test_an_extra_is_slain_by_a_single_wound_and_has_no_wild_die() -> None:
    state, _ = play("is extra")
    assert play("wound 1", state=state)[0]["standing"] == "dead"
    assert result("trait d6", state=state, dice=[5]) == "success"


def test_grit_modifies_a_guts_check_and_not_a_fear_check() -> None:
    seasoned = {"xp": 20}
    assert result("guts d6", state=seasoned, dice=[3, 1]) == "success"
    plain, said = play("fear d6", state=seasoned, dice=[3, 1])
    assert plain["last"]["result"] == "failure" and "Fright Table" in said
    plain, said = play("guts d6", dice=[3, 1])
    assert plain["shaken"] and "Shaken" in said


def test_a_book_takes_its_baseline_less_a_smarts_die_that_does_not_ace() -> None:
    hours = {play("book 20 d12", dice=[face])[0]["last"]["total"] for face in range(1, 13)}
    assert (min(hours), max(hours)) == (8, 19)
    weeks = {play("book 16 d4 unit=weeks", dice=[face])[0]["last"]["result"] for face in range(1, 5)}
    assert weeks == {"12 weeks", "13 weeks", "14 weeks", "15 weeks"}


def test_a_book_in_a_language_gives_its_kicker_to_those_who_have_the_prerequisite() -> None:
    event = "book 24 smarts unit=weeks language=English prerequisite=analytics least=d8 bonus=1 trait=analytics"
    plain, said = play(event, state={"traits": {"smarts": "d6", "analytics": "d8"}}, dice=[4])
    assert "in English of 24 weeks, less 4: 20 weeks" in said
    assert plain["tokens"][0] == {
        "kind": "kicker", "name": "analytics +1", "die": "", "bonus": 1, "trait": "analytics", "card": "", "says": ""
    }  # fmt: skip
    assert "asks for analytics d8" in refused(event, state={"traits": {"smarts": "d6", "analytics": "d6"}})


def test_knowledge_nearby_is_rolled_lower() -> None:
    moreau = {"traits": {"biology": "d12"}}
    assert "d10 in place of d12" in play("knowledge biology", state=moreau, dice=[5, 1])[1]
    assert "d6 in place of d12" in play("knowledge biology steps=3", state=moreau, dice=[5, 1])[1]
    assert "too far away" in refused("knowledge d6 steps=2", dice=[1, 1])


def test_a_related_knowledge_is_bought_at_d6_from_d8_on() -> None:
    armitage = {"xp": 10, "traits": {"voodoo": "d8", "latin": "d6"}}
    assert play("learn astrology related=voodoo", state=armitage)[0]["traits"]["astrology"] == "d6"
    assert play("learn astrology", state=armitage)[0]["traits"]["astrology"] == "d4"
    assert "only d8 or better" in refused("learn italian related=latin", state=armitage)
    assert "No advance" in refused("learn astrology", state={"xp": 4}).capitalize()


def test_combat_reflexes_add_grit_but_a_natural_one_stays_shaken() -> None:
    state = {"xp": 40, "shaken": True}
    assert play("recover d6 reflexes=yes", state=state, dice=[2, 1])[0]["shaken"] is False
    assert play("recover d6", state=state, dice=[2, 1])[0]["shaken"] is True
    assert play("recover d6 reflexes=yes", state=state, dice=[1, 5])[0]["shaken"] is True
    assert play("recover d6", state=state, dice=[1, 5])[0]["shaken"] is False


def test_hard_to_kill_adds_two_to_incapacitation_rolls() -> None:
    plain, _ = play("incapacitation d8 hard=yes", dice=[2, 1, 5], cards=["2C"])
    assert plain["standing"] == "unconscious"


@pytest.mark.parametrize(
    ("xp", "rank", "grit"),
    [(0, "Novice", 0), (19, "Novice", 0), (20, "Seasoned", 1), (39, "Seasoned", 1), (40, "Veteran", 2),
     (69, "Veteran", 2), (70, "Heroic", 3), (99, "Heroic", 3), (100, "Legendary", 4), (5000, "Legendary", 4)],
)  # fmt: skip
def test_rank_and_grit_by_experience(xp: int, rank: str, grit: int) -> None:
    plain, said = play(f"xp {xp}")
    assert (plain["rank"], plain["grit"]) == (rank, grit)
    assert f"{rank}, Grit {grit}" in said


def test_an_attribute_rises_once_a_rank_and_again_for_two_advances() -> None:
    state: dict[str, Any] = {"xp": 15, "traits": {"vigor": "d6"}}
    state, _ = play("improve vigor", state=state)
    assert (state["traits"]["vigor"], state["spent"]) == ("d8", 1)
    state, said = play("improve vigor", state=state)
    assert (state["traits"]["vigor"], state["spent"]) == ("d10", 3) and "two advances" in said
    assert "0 advances are left" in refused("improve vigor", state=state)
    state, _ = play("xp 5", state=state)
    assert state["rank"] == "Seasoned"
    assert play("improve vigor", state=state)[0]["spent"] == 4
    assert "no attribute" in refused("improve shooting", state={"xp": 50, "traits": {"shooting": "d6"}})
    assert "no higher die" in refused("improve vigor", state={"xp": 50, "traits": {"vigor": "d12"}})


# --- damage and healing ----------------------------------------------------------------------------------------------


def test_wounds_give_no_penalty() -> None:
    assert result("trait d6", state={"wounds": 3}, dice=[4, 1]) == "success"


def test_the_marshal_may_still_give_a_penalty_for_what_was_hit() -> None:
    assert result("trait d6 mod=-2", state={"wounds": 1}, dice=[4, 1]) == "failure"


def test_three_levels_and_one_more_wound_incapacitates() -> None:
    assert play("wound 3")[0]["standing"] == "up"
    plain, said = play("wound 4")
    assert plain["standing"] == "incapacitated" and plain["wounds"] == 3
    assert "Roll Vigor" in said


def test_great_beasts_have_more_levels() -> None:
    state, _ = play("is face levels=6")
    assert play("wound 6", state=state)[0]["standing"] == "up"


@pytest.mark.parametrize(
    ("dice", "cards", "standing", "injuries"),
    [
        ([1, 1], [], "dead", []),
        ([2, 3], ["4C"], "bleeding", [("4C", True, None)]),
        ([5, 1, 6], ["4C"], "unconscious", [("4C", False, 8)]),
        ([8, 1, 1, 6], ["4C"], "up", [("4C", False, 8)]),
        ([8, 6, 1, 1], [], "up", []),
    ],
    ids=["critical failure", "failure", "success", "raise", "critical success"],
)
def test_incapacitation(dice: list[int], cards: list[str], standing: str, injuries: list[Any]) -> None:
    plain, _ = play("incapacitation d8", state={"wounds": 3}, dice=dice, cards=cards)
    assert plain["standing"] == standing and plain["wounds"] == 3
    assert [(one["card"], one["permanent"], one["days"]) for one in plain["injuries"]] == injuries


def test_whoever_stops_bleeding_keeps_the_injury_for_good() -> None:
    bleeding, _ = play("incapacitation d8", dice=[2, 3], cards=["4C"])
    state, _ = play("survive", state=bleeding)
    assert state["standing"] == "unconscious" and state["injuries"][0]["permanent"]
    assert play("die", state=bleeding)[0]["standing"] == "dead"


def test_a_temporary_injury_lasts_fourteen_days_less_a_vigor_die() -> None:
    days = {play("injury temporary d8", cards=["4C"], dice=[face])[0]["injuries"][0]["days"] for face in range(1, 9)}
    assert days == set(range(6, 14))
    vigorous = {"traits": {"vigor": "d10"}}
    assert play("injury", state=vigorous, cards=["4C"], dice=[10])[0]["injuries"][0]["days"] == 4
    assert play("injury", cards=["4C"])[0]["injuries"][0]["days"] is None


def test_under_a_house_rule_the_vigor_die_aces() -> None:
    rules = (("injury_days", "acing"),)
    assert play("injury temporary d4", cards=["4C"], dice=[4, 4, 2], rules=rules)[0]["injuries"][0]["days"] == 4
    luck: dict[str, Any] = {"cards": ["4C"], "dice": [4, 4, 4, 4, 4, 1]}
    assert play("injury temporary d4", **luck, rules=rules)[0]["injuries"][0]["days"] == 0


def test_a_day_takes_a_day_off_and_the_last_one_heals() -> None:
    state: dict[str, Any] = {"injuries": [{"card": "4C", "days": 2}, {"card": "5C", "permanent": True}]}
    state, _ = play("day", state=state)
    assert state["injuries"][0]["days"] == 1
    state, said = play("day", state=state)
    assert [one["card"] for one in state["injuries"]] == ["5C"] and "has healed" in said


def test_greater_healing_mends_a_permanent_injury() -> None:
    state = {"injuries": [{"card": "5C", "permanent": True}]}
    assert play("lift 5C", state=state)[0]["injuries"] == []
    assert "bears no injury" in refused("lift 6C", state=state)


def test_the_soaking_chip_takes_a_wound_off_by_itself() -> None:
    assert play("soak d4 1", dice=[2, 3])[0]["wounds"] == 0
    assert play("soak d4 3", dice=[2, 3])[0]["wounds"] == 2


def test_vigor_against_eight_soaks_more() -> None:
    assert play("soak d12 4", dice=[7, 1])[0]["wounds"] == 3
    assert play("soak d12 4", dice=[8, 1])[0]["wounds"] == 2
    assert play("soak d12 4", dice=[12, 1, 1])[0]["wounds"] == 1
    assert play("soak d12 4", dice=[12, 1, 4])[0]["wounds"] == 0


def test_soaking_spends_a_chip_where_they_are_counted() -> None:
    assert play("soak d8 2", state={"chips": 2}, dice=[2, 3], choose=[1])[0]["chips"] == 1
    assert "no Fate Chip" in refused("soak d8 2", state={"chips": 0})


def test_first_aid_is_given_within_the_golden_hour() -> None:
    state, _ = play("hour", state={"wounds": 2})
    assert "golden hour" in refused("heal d8", state=state)
    assert play("heal d8 power=yes", state=state, dice=[5, 1])[0]["wounds"] == 1


def test_all_wounds_are_treated_with_a_single_roll() -> None:
    state, _ = play("heal d8", state={"wounds": 3}, dice=[8, 1, 1])
    assert state["wounds"] == 1 and state["healed"]


def test_a_successful_treatment_cannot_be_improved_but_a_fresh_wound_opens_it_again() -> None:
    state, _ = play("heal d8", state={"wounds": 2}, dice=[5, 1])
    state, _ = play("round", state=state)
    assert "only a fresh wound" in refused("heal d8", state=state)
    state, _ = play("wound 1", state=state)
    assert play("heal d8", state=state, dice=[5, 1])[0]["wounds"] == 1


def test_the_same_healer_has_no_second_try_and_others_one_a_round() -> None:
    state, _ = play("heal d8 healer=Doc", state={"wounds": 2}, dice=[2, 1])
    assert "one attempt a round" in refused("heal d8 healer=Ann", state=state)
    state, _ = play("round", state=state)
    assert "no second try" in refused("heal d8 healer=Doc", state=state)
    assert play("heal d8 healer=Ann", state=state, dice=[5, 1])[0]["wounds"] == 1


def test_healing_wakes_the_unconscious() -> None:
    plain, said = play("heal d8", state={"wounds": 3, "standing": "unconscious"}, dice=[5, 1])
    assert plain["standing"] == "up" and "Conscious again" in said


def test_natural_healing_is_a_vigor_roll_each_day() -> None:
    assert play("day d8", state={"wounds": 3}, dice=[5, 1])[0]["wounds"] == 2
    assert play("day d8", state={"wounds": 3}, dice=[8, 1, 1])[0]["wounds"] == 1
    assert play("day d8", state={"wounds": 3}, dice=[2, 1])[0]["wounds"] == 3


def test_the_power_works_only_until_natural_healing() -> None:
    state, _ = play("day d8", state={"wounds": 3}, dice=[2, 1])
    assert "fresh wound" in refused("heal d8 power=yes", state=state)


def test_medicine_adds_one_for_the_success_and_each_raise() -> None:
    plain, said = play("day d8 medicine=d8", state={"wounds": 3}, dice=[8, 1, 3, 2, 1])
    assert "Medicine adds +2" in said and plain["wounds"] == 2


def test_no_healing_for_the_dead() -> None:
    for event in ("heal d8", "wound 1", "day d8", "trait d8", "incapacitation d8"):
        assert "dead" in refused(event, state={"standing": "dead"})


# --- properties ------------------------------------------------------------------------------------------------------

DICE = st.sampled_from([4, 6, 8, 10, 12])


@given(faces=DICE, first=st.integers(1, 12), wild=st.integers(1, 6), mod=st.integers(-6, 6), target=st.integers(1, 20))
def test_what_a_throw_comes_to(faces: int, first: int, wild: int, mod: int, target: int) -> None:
    """The rules again, said another way."""
    first = min(first, faces)
    rules = Rules.of(deadlands())
    trait, other = Shown(Dice(1, faces), first, first + (first == faces)), Shown(Dice(1, 6), wild, wild + (wild == 6))
    found = judge(trait, other, mod, target, rules)
    better = judge(trait, other, mod + 1, target, rules)
    assert better.total >= found.total
    if first == 1:
        assert found.total <= max(1, other.total)
    else:
        assert found.total == max(trait.total + mod, other.total)
    if (first, wild) == (1, 1):
        assert found.result == "critical_failure"
    elif (first, wild) == (faces, 6):
        assert found.result == "critical_success"
    else:
        assert found.succeeds == (found.total >= target)
        assert (found.result == "raise") == (found.total >= target + 4)


@given(seed=st.integers(0, 2**32), events=st.lists(st.sampled_from([
    "wound 1", "wound 2", "soak vigor 2", "incapacitation vigor", "heal d8", "day vigor", "round", "hour", "survive",
    "action", "fate agility", "luck red", "injury permanent", "injury temporary d6", "guts d6", "recover d8", "xp 7",
    "improve vigor", "award kicker k bonus=1", "trait agility kicker=k", "marker d6", "unskilled", "task t attempts",
    "attempt t agility", "drop t", "serial agility", "compound agility", "attempts d6", "book 20 d8 bonus=1",
]), max_size=14))  # fmt: skip
def test_whatever_happens_the_character_stays_in_order(seed: int, events: list[str]) -> None:
    system = deadlands()
    game = game_of(system)
    state = game.read_state({"chips": 3, "traits": {"vigor": "d6", "agility": "d8"}})
    luck = Seeded(seed)
    for written in events:
        try:
            after, log = game.step(state, game.read_event(written.split(), {}), luck)
        except HackjackError as error:
            assert str(error) and "\n" not in str(error)
            continue
        assert all(line.endswith(".") for line in lines_of(log, system))
        assert isinstance(after, State) and 0 <= after.wounds <= after.levels
        assert (after.chips or 0) <= 3
        plain = game.plain_state(after)
        assert game.read_state(plain) == after
        assert game.state_line(plain) and list(game.details(plain)) is not None
        state = after


@given(st.lists(st.sampled_from(ALL_CODES), min_size=1, max_size=4, unique=True))
def test_a_draw_is_always_from_the_full_deck(codes: list[str]) -> None:
    """Nothing stays out of the deck: the same card may come twice."""
    for code in codes:
        assert play("luck 2C", cards=[code])[0]["last"]["result"] in ("success", "failure", "bad_luck")
        assert play("action", cards=[code])[0]["action"] == code


# --- content ---------------------------------------------------------------------------------------------------------


def test_every_claim_of_the_source_is_as_noted() -> None:
    words = [verdict.word for verdict in claims.verdicts(deadlands())]
    assert len(words) > 110
    assert set(words) == {"holds", "differs as noted"} and words.count("differs as noted") == 1


def test_every_ruling_of_the_page_is_there() -> None:
    known = [ruling.id for ruling in deadlands().head.rulings]
    assert known[:21] == [f"D{number}" for number in range(1, 22)]


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ("trait", "trait needs a die or a trait: write trait DIE"),
        ("trait d7", 'there is no trait die "d7": the dice are d4, d6, d8, d10, d12'),
        ("trait d8 mod=lots", "mod takes a whole number"),
        ("trait d8 tn=0", "tn 0: a number from 1 to 100"),
        ("trait d8 tn=101", "tn 101"),
        ("trait d8 luck=yes", "trait takes no --at luck"),
        ("trait d8 d6", '"d6" is too much'),
        ("trait d8 wild=d20", 'there is no trait die "d20"'),
        ("trait d8 mod=1 mod=2", "mod is given twice"),
        ("tait d8", 'did you mean "trait"?'),
        ("luck", "luck needs a card: write luck CARD"),
        ("luck QX", '"QX" is no card'),
        ("luck 9-5", "write 5-9"),
        ("luck heart", 'did you mean "hearts"?'),
        ("soak", "soak needs a die or a trait: write soak DIE [WOUNDS]"),
        ("soak d8", "none was just taken"),
        ("soak d8 many", 'soak takes a whole number, not "many"'),
        ("damage 3", "needs dice"),
        ("award gun x", 'award cannot be "gun": write charm, burn, '),
        ("award hole x", "needs die"),
        ("award kicker x", "needs bonus"),
        ("award charm x die=d8", "takes no die"),
        ("task x climb", 'task cannot be "climb": write serial, compound, attempts or actions'),
        ("book 0 d12", "a book takes 1 hour or more"),
        ("book 20 d6 unit=moons", 'unit cannot be "moons": did you mean "months"?'),
        ("is ghost", 'is cannot be "ghost": write wild, face, extra, '),
        ("has 5 d6", "no name of a trait"),
    ],
)
def test_a_faulty_event_is_answered_with_a_sentence(event: str, says: str) -> None:
    assert says in refused(event, kind=UsageError)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ([], "not a JSON object"),
        ({"wound": 1}, 'unknown key "wound"; '),
        ({"wounds": 4}, "4 wounds, and a character has 3 wound levels"),
        ({"wounds": -1}, "wounds is -1"),
        ({"traits": {"vigor": "d7"}}, 'vigor cannot be "d7"'),
        ({"traits": {"": "d6"}}, "bad name"),
        ({"xp": 20, "rank": "Novice"}, "with 20 XP the rank is Seasoned, not Novice"),
        ({"injuries": [{"card": "1C"}]}, 'unknown card "1C"'),
        ({"injuries": [{"card": "2C", "permanent": True, "days": 3}]}, "cannot have 3 days left"),
        ({"tokens": [{"kind": "burn", "name": "x", "card": "RJ"}]}, "cannot be a joker"),
        ({"tokens": [{"kind": "marker", "name": "x"}]}, "the dice are"),
        (
            {"tasks": [{"name": "x", "kind": "serial", "target": 0}]},
            "tasks[0].target is 0: it must be from 1 to 1,000,000",
        ),
        ({"kind": "ghost"}, "cannot be read"),
    ],
)
def test_a_faulty_state_is_answered_with_a_sentence(state: Any, says: str) -> None:
    system = deadlands()
    with pytest.raises(HackjackError) as raised:
        game_of(system).read_state(state)
    assert says.replace('"; ', '"') in str(raised.value)


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ("trait shooting", 'no trait "shooting"'),
        ("survive", "not bleeding out"),
        ("marker Bohannon", "holds no marker"),
        ("attempt climb d6", "begin it with task"),
        ("drop climb", "no task or token"),
        ("day", "0 wounds"),
    ],
)
def test_what_cannot_happen_is_refused(event: str, says: str) -> None:
    if event == "day":
        assert "roll Vigor" in refused(event, state={"wounds": 1}, kind=UsageError)
    else:
        assert says in refused(event)

"""The rulings H1 to H34: a state, what happens, and the state that follows. And what must hold whatever happens."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from helpers import ROOT, any_text, befall, copy_pack, hackjack, run
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK, JOKERS
from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, log_lines
from generator.games.face import Asked
from generator.model.claims import EventClaim
from generator.model.log import Log
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.settings import with_settings
from generator.play.chance import Chance, ChoiceNeed, Given, NeedsError, RollNeed, Seeded
from generator.words.event_wording import events_in_order

Plain = dict[str, Any]
MAX_AMOUNT = 10_000
"""The largest number that an event may hold."""
HACKJACK_EVENTS = tuple(game_of(hackjack()).EVENTS)


def under(**switches: str) -> System:
    return with_settings(hackjack(), switches.items())


def happen(
    state: Plain,
    event: str,
    cards: str = "",
    dice: Sequence[int] = (),
    choices: Sequence[int] = (),
    *,
    system: System | None = None,
    held: Sequence[str] | None = None,
) -> tuple[Plain, Log]:
    """One event with the luck that it needs, no more and no less."""
    system = system or hackjack()
    chance = Given(cards.split(), dice, choices)
    after, log = befall(system, state, event, chance, held)
    chance.finish()
    return after, log


def kinds(log: Log) -> list[str]:
    return [entry.kind for entry in log]


def pile(text: str) -> list[Plain]:
    pairs = [part.split(":") for part in text.split()]
    return [{"card": code, "score": int(score)} for code, score in pairs]


def seen(state: Plain, key: str) -> Any:
    if key == "pile":
        return " ".join(f"{held['card']}:{held['score']}" for held in state["pile"])
    if key in ("wounds", "permanent"):
        return [f"{wound['card']} {wound.get('effect', '')}".strip() for wound in state[key]]
    if key == "fear":
        return [wound["by"] for wound in state["wounds"] if wound.get("effect") == "penalty"]
    return " ".join(state[key]) if key == "drawn" else state.get(key)


CASES: dict[str, Plain] = yaml.safe_load((ROOT / "tests" / "hackjack_rulings.yaml").read_text(encoding="utf-8"))


def outcome(case: Plain, system: System) -> Plain:
    """What comes of a case of the rulings in such a system, of what the case tells."""
    system = with_settings(system, case.get("rules", {}).items())
    if "odds" in case:
        game = game_of(system)
        question = game.read_question(case["event"].split(), {})
        counted = (
            game.odds(game.read_state(case["state"]), question, Asked(only=name, exact=True)) for name in case["odds"]
        )
        return {name: found.plain[name]["fraction"] for name, found in zip(case["odds"], counted, strict=True)}
    luck = (case.get("cards", ""), case.get("dice", ()), case.get("choose", ()))
    after, log = happen(case.get("state", {}), case["event"], *luck, system=system)
    assert after["score"] == after["tokens"] + sum(held["score"] for held in after["pile"])
    told = {"log": " ".join(kinds(log))} if "log" in case else {}
    told |= {"says": case["says"]} if case.get("says") in log_lines(log, system) else {}
    return {key: seen(after, key) for key in case.get("then", {})} | told


def expected(case: Plain) -> Plain:
    """What should come of it."""
    return {
        **case.get("then", {}),
        **case.get("odds", {}),
        **{key: case[key] for key in ("log", "says") if key in case},
    }


@pytest.mark.parametrize("name", CASES)
def test_a_ruling(name: str) -> None:
    assert outcome(CASES[name], hackjack()) == expected(CASES[name])


def test_a_glance_shows_the_most_hp_that_wounds_leave() -> None:
    """H34: on the page HP stand beside their maximum."""
    game = game_of(hackjack())
    for state, most in (
        ({"hp": 3}, None),
        ({"hp": 3, "max_hp": 9}, 9),
        ({"hp": 3, "max_hp": 9, "permanent": ["7S"]}, 8),
    ):
        plain = game.plain_state(game.read_state(state))
        assert [(each.value, each.most) for each in game.gauges(plain) if each.key == "hp"] == [(3, most)]


def test_every_switch_is_put_to_the_test() -> None:
    """Each option that is not the default stands in a case, or in a test of its own below."""
    tried = {pair for case in CASES.values() for pair in case.get("rules", {}).items()}
    tried.add(("short_wounds", "when_told"))
    switches = hackjack().switches.values()
    assert {(switch.name, option) for switch in switches for option in switch.options if option != switch.default} <= (
        tried
    )


def test_every_card_of_a_hit_is_in_its_log_once() -> None:
    """H9: Blood that flows draws nothing."""
    _, log = happen({"score": 2, "blood": 4}, "hit 2", "AS")
    assert kinds(log) == ["struck", "flow", "draw", "gain", "wound"]
    _, log = happen({"score": 2, "blood": 4, "holding": True}, "hit 2", "AS")
    assert kinds(log) == ["struck", "held", "draw", "gain", "wound"]


def test_a_hit_is_printed_in_the_order_in_which_it_is_played() -> None:
    def order(**switches: str) -> tuple[str, ...]:
        named = ("hit", "flow", "deal", "gain", "hurt", "total", "strike_home")
        return tuple(name for name in events_in_order("hit", under(**switches)) if name in named)

    assert order() == ("hit", "flow", "deal", "gain", "hurt", "total", "strike_home")
    assert order(limit="3", massive="1") == order()
    assert order(wound_rolls="before_the_total")[-2:] == ("strike_home", "total")
    assert order(twenty_one="at_every_step") == ("hit", "flow", "total", "deal", "gain", "hurt", "strike_home")
    _, log = happen({"score": 16}, "hit 5", "5H", (1,))
    assert kinds(log)[-2:] == ["reset", "check_passed"]


# --- every card, as its claim draws it, in other places -------------------------------------------------------------

DRAWN = {
    claim.cards[0]: claim
    for claim in hackjack().claims
    if isinstance(claim, EventClaim) and claim.event == "draw" and re.fullmatch(r"[a-z]+_of_[a-z]+", claim.id)
}


def drawn(code: str, before: Plain, **rules: str) -> tuple[Plain, Log]:
    """A hit for 5 on somebody that draws a card, with the luck of its claim."""
    claim = DRAWN[code]
    state = {**before, "score": claim.state.get("score", 0) + before.get("score", 0)}
    return happen(state, "hit 5", " ".join(claim.cards), claim.dice, claim.choices, system=under(**rules))


def test_claims_draw_the_whole_deck() -> None:
    assert tuple(DRAWN) == FULL_DECK


@pytest.mark.parametrize("code", FULL_DECK)
def test_a_card_in_other_places(code: str) -> None:
    """On a later entry the Queen of clubs of old adds 2 and the Nine 2 Blood; a pool flows, or is held."""
    expect, base = DRAWN[code].expect, DRAWN[code].state.get("score", 0)
    after, _ = drawn(code, {"hp": 3, "permanent": ["9C", "QC"], "drawn": []})
    assert (after["score"], after["tokens"], after["hp"]) == (expect["score"] + 2, base + 2, 0)
    assert (after["blood"], after["trauma"]) == (expect["blood"] + 2, expect["trauma"])
    afterwards = [after["wounds"]]
    for holding in (False, True) if code not in ("6C", "6H") else ():
        before = {"pile": pile("6C:6"), "score": 6, "blood": 1, "trauma": 2, "holding": holding}
        after, log = drawn(code, before)
        flows = 1 - holding
        assert (after["score"], after["tokens"]) == (expect["score"] + 6 + flows, base + flows)
        assert (after["blood"], after["trauma"]) == (1 - flows + expect["blood"], max(2, expect["trauma"]))
        assert ("held" in kinds(log)) == holding
        assert after["pile"][1]["card"] == code and after["drawn"] == ["6C", *DRAWN[code].cards]
        afterwards.append(after["wounds"])
    assert afterwards == [afterwards[0]] * len(afterwards)
    assert [wound["effect"] for wound in afterwards[0]] == [wound["effect"] for wound in expect["wounds"]]


@pytest.mark.parametrize("code", JOKERS)
def test_a_joker_is_a_lucky_break(code: str) -> None:
    before = {"pile": pile("6C:6"), "trauma": 2, "blood": 1, "holding": True}
    after, log = happen(before, "hit 5", code, system=under(jokers="lucky_break"))
    assert after == {**after, **before, "score": 6, "wounds": [], "permanent": [], "drawn": ["6C", code]}
    assert kinds(log)[-1] == "spare"


# --- descents that follow one another --------------------------------------------------------------------------------


def test_the_wounds_of_two_descents() -> None:
    """The Queen and the Nine of clubs, then healing, then down again: 2 on the first card, 2 Blood after it."""
    state, _ = happen({"hp": 4}, "hit 6", "QC")
    state, _ = happen(state, "hit 2", "9C")
    assert (state["score"], state["blood"]) == (19, 0)
    state, _ = happen(state, "heal 25")
    assert (state["hp"], state["score"]) == (6, 0)
    state, _ = happen(state, "hit 6")
    assert state["low"] is True
    state, _ = happen(state, "hit 1", "AS")
    assert (state["score"], state["tokens"], state["blood"]) == (3, 2, 2)
    state, _ = happen(state, "hit 1", "2H")
    assert (state["score"], state["blood"]) == (7, 0)


@pytest.mark.parametrize(("first", "heal", "second", "score", "blood"), [("QC", 10, 9, 4, 0), ("9C", 9, 2, 2, 2)])
def test_who_is_healed_to_exactly_0_falls_anew(first: str, heal: int, second: int, score: int, blood: int) -> None:
    state, _ = happen({"hp": 5}, "hit 7", first)
    state, _ = happen(state, f"heal {heal}")
    assert (state["hp"], state["score"]) == (0, 0)
    state, _ = happen(state, f"hit {second}", "2H")
    assert (state["score"], state["blood"]) == (score, blood)


def test_the_six_of_hearts_remembers_what_was_healed() -> None:
    state, _ = happen({"hp": 4}, "hit 6", "JC 3C 4C")
    anew, _ = happen(happen(state, "heal 12")[0], "hit 6", "6H AC")
    assert anew["wounds"] == state["wounds"], "the first card of a new pile"
    state, _ = happen(state, "heal 12", system=under(six_of_hearts="ever"))
    state, _ = happen(state, "hit 6", "6H", system=under(six_of_hearts="ever"))
    assert [wound["card"] for wound in state["wounds"]] == ["3C", "4C", "4C"]
    assert state["drawn"] == ["JC", "3C", "4C", "6H"]


def test_a_six_of_hearts_leaves_the_wound_that_it_repeated_as_the_last() -> None:
    state, _ = happen({}, "hit 6", "4C")
    state, _ = happen(state, "hit 6", "6H")
    state, _ = happen(state, "heal 6")
    assert [held["card"] for held in state["pile"]] == ["4C"]
    state, _ = happen({**state, "drawn": ["4C"]}, "hit 6", "6H")
    assert seen(state, "wounds") == ["4C arms_useless"] * 3


def test_a_card_with_two_triggers_keeps_each_once(tmp_path: Any) -> None:
    pack = copy_pack(tmp_path)
    path = pack / "deck.yaml"
    text = path.read_text(encoding="utf-8")
    one = "whenever below_zero for good blood 2"
    assert text.count(one) == 1
    two = f"[{one}, whenever first_card for good score 3]"
    path.write_text(text.replace(one, two), encoding="utf-8")
    system = load_pack(pack).system
    state, _ = happen({"hp": 1}, "hit 3", "9C", system=system)
    assert [wound["effect"] for wound in state["permanent"]] == ["whenever", "whenever"]
    state, _ = happen(state, "heal 20", system=system)
    state, _ = happen(state, "hit 20", "AS", system=system)
    assert (state["score"], state["blood"]) == (4, 2)


# --- recovery: H13, H14, H23 -----------------------------------------------------------------------------------------

RECOVERY = {1: "1d6 days", 2: "1d6 weeks", 3: "2d6 weeks", 4: "3d6 weeks", 5: "4d6 weeks", 6: "5d6 weeks"}


@pytest.mark.parametrize("trauma", RECOVERY)
def test_the_dice_of_recovery_are_set_at_1_hp_or_by_a_night(trauma: int) -> None:
    at_1_hp, _ = happen({"score": 3, "trauma": trauma}, "heal 4")
    assert (at_1_hp["recovery"], at_1_hp["hp"]) == (RECOVERY[trauma], 1)
    by_rest, _ = happen({"score": 3, "trauma": trauma}, "rest")
    assert by_rest["recovery"] == RECOVERY[trauma]
    below, _ = happen({"score": 3, "trauma": trauma}, "heal 3")
    assert (below["recovery"], below["hp"]) == (None, 0)


def test_recovery_follows_a_higher_trauma() -> None:
    state, _ = happen({"trauma": 1, "recovery": "1d6 days"}, "rest")
    assert state["recovery"] == "1d6 days"
    state, _ = happen({**state, "trauma": 5}, "rest")
    assert state["recovery"] == "4d6 weeks"


def test_nothing_to_recover_from() -> None:
    healed, _ = happen({"score": 3}, "heal 9")
    rested, _ = happen({"score": 3}, "rest")
    assert healed["recovery"] is rested["recovery"] is None
    with pytest.raises(HackjackError, match="no Trauma"):
        happen({}, "recover")


@pytest.mark.parametrize("state", [{"score": 1}, {"blood": 1}, {"score": 3, "blood": 2, "hp": 4}])
def test_recovery_waits_for_blood_and_score(state: Plain) -> None:
    with pytest.raises(HackjackError, match=f"they are {state.get('blood', 0)} and {state.get('score', 0)}"):
        happen({"trauma": 3, **state}, "recover", dice=(1, 1))


def test_recovery_needs_its_dice() -> None:
    with pytest.raises(NeedsError, match=r"^needs 2d6 \(recovering, weeks\)$"):
        happen({"trauma": 3, "hp": 5}, "recover")
    with pytest.raises(NeedsError, match="only 1 of 2 dice"):
        happen({"trauma": 3, "hp": 5}, "recover", dice=(4,))


def test_recovery_ends_what_lasted_until_then_and_begins_what_waited() -> None:
    state, _ = happen({}, "hit 3", "10S")
    assert state["permanent"][0]["begins"] == "recovery"
    state, _ = happen(state, "hit 3", "3C")
    state, _ = happen(state, "hit 3", "4D")
    state, _ = happen(state, "heal 20")
    assert (state["hp"], state["recovery"]) == (3, "3d6 weeks")
    as_told, _ = happen(state, "recover", dice=(1, 2, 3), system=under(short_wounds="when_told"))
    assert seen(as_told, "wounds") == ["3C blinded", "4D no_smell"]
    state, log = happen(state, "recover", dice=(1, 2, 3))
    assert (state["trauma"], state["recovery"]) == (0, None)
    assert seen(state, "wounds") == [], "six weeks in comfort"
    assert seen(state, "permanent") == ["10S penalty"]
    assert "begins" not in state["permanent"][0]
    (recovered,) = [entry for entry in log if entry.kind == "recovered"]
    assert recovered.facts == {"recovering": "6 weeks"}


def test_the_ten_of_hearts_ends_with_recovery() -> None:
    state, _ = happen({}, "hit 3", "10H")
    state, _ = happen(state, "heal 10")
    state, _ = happen(state, "recover", dice=(1, 1))
    assert state["wounds"] == []
    state, _ = happen(state, "hit 3", "AD")
    assert state["blood"] == 0


@pytest.mark.parametrize(
    ("event", "stay"),
    [
        ("rest", ["4D no_smell", "8D marked", "4C arms_useless", "QD whenever"]),
        ("rest comfort", ["8D marked", "4C arms_useless", "QD whenever"]),
    ],
)
def test_what_a_night_ends(event: str, stay: list[str]) -> None:
    wounds = [
        {"card": "3C", "effect": "blinded", "until": "rest"},
        {"card": "4D", "effect": "no_smell", "until": "good_rest"},
        {"card": "8D", "effect": "marked", "until": "1 week"},
        {"card": "4C", "effect": "arms_useless", "until": "recovery"},
        {"card": "QD", "effect": "whenever", "until": "gm", "to": ["wisdom"]},
    ]
    state, log = happen({"wounds": wounds, "permanent": ["AD"], "trauma": 1}, event)
    assert seen(state, "wounds") == stay
    assert seen(state, "permanent") == ["AD cool_scar"]
    assert kinds(log).count("ends") == 5 - len(stay)


# --- H14: the recovery time is rolled when it is known, and runs down ------------------------------------------------


@pytest.mark.parametrize(
    ("event", "dice", "left"),
    [
        ("heal 1", (3, 4), "7 weeks"),
        ("rest", (3, 4), "7 weeks"),
        ("day", (3, 4), "48 days"),
        ("week 2", (3, 4), "5 weeks"),
        ("week", (1, 1), "1 week"),
    ],
)
def test_the_recovery_time_is_rolled_with_dice_that_are_there(event: str, dice: tuple[int, ...], left: str) -> None:
    after, _ = happen({"trauma": 3}, event, dice=dice)
    assert after["recovery"] == left
    if event in ("heal 1", "rest"):
        later, _ = happen({"trauma": 3}, event)
        assert later["recovery"] == "2d6 weeks", "nobody rolls now"
        assert happen(later, event, dice=dice)[0]["recovery"] == left
    else:
        with pytest.raises(NeedsError, match=r"^needs 2d6 \(recovering, weeks\)$"):
            happen({"trauma": 3}, event)
    seeded, _ = befall(hackjack(), {"trauma": 3}, event, Seeded(4))
    assert re.fullmatch(r"\d+ (days|weeks?)", seeded["recovery"])


def test_a_recovery_time_that_is_known_is_not_rolled_again() -> None:
    state, _ = happen({"score": 2, "trauma": 3}, "heal 3", dice=(3, 4))
    for event in ("rest", "heal 2"):
        state, log = happen(state, event)
        assert (state["recovery"], "recovery" in kinds(log)) == ("7 weeks", False)
    state, log = happen(state, "recover")
    assert (state["trauma"], state["recovery"]) == (0, None)
    assert [entry.facts for entry in log if entry.kind == "recovered"] == [{"recovering": "7 weeks"}]


def test_a_higher_trauma_is_rolled_for_anew_and_an_equal_one_is_not() -> None:
    known = {"trauma": 2, "recovery": "4 weeks"}
    assert happen(known, "hit 3", "9H")[0]["recovery"] == "4 weeks"
    state, _ = happen(known, "hit 3", "KC")
    assert (state["trauma"], state["recovery"]) == (3, None)
    assert happen(state, "rest", dice=(5, 6))[0]["recovery"] == "11 weeks"


def test_recovery_runs_down_with_days_and_weeks_and_ends_like_recovering() -> None:
    state, _ = happen({"hp": 2, "pile": []}, "draw", "10S")
    state, _ = happen(state, "heal 12", dice=(1, 1, 1))
    assert state["recovery"] == "3 weeks"
    waits, _ = happen({**state, "blood": 1}, "week")
    assert waits["recovery"] == "3 weeks", "the clock has not started"
    state, log = happen(state, "day 8")
    assert (state["recovery"], log[-1].facts) == ("13 days", {"recovering": "13 days"})
    state, log = happen(state, "week 4")
    assert (state["trauma"], state["recovery"], seen(state, "wounds")) == (0, None, [])
    assert "begins" not in state["permanent"][0]
    assert "recovered" in kinds(log)


# --- H31: wounds that end otherwise ----------------------------------------------------------------------------------


def lasting(until: str, card: str = "2D") -> Plain:
    return {"card": card, "effect": "blinded", "until": until}


NIGHTS = ("rest", "rest comfort", "day", "day 7", "week", "week 5")
ENDS = {
    "stand": ("stand", *NIGHTS),
    "cleared": ("clear", *NIGHTS),
    "woken": ("wake", *NIGHTS),
    "check": NIGHTS,
    "rest": NIGHTS,
    "good_rest": ("rest comfort",),
    "recovery": (),
    "gm": (),
    "3 rounds": ("round 3", "hour", "hour 8", *NIGHTS),
    "1 hour": ("hour", "hour 8", *NIGHTS),
    "8 hours": ("hour 8", *NIGHTS),
    "1 day": ("day", "day 7", "week", "week 5"),
    "1 week": ("day 7", "week", "week 5"),
    "1 month": ("week 5",),
}


@pytest.mark.parametrize("until", ENDS)
def test_what_ends_a_wound(until: str) -> None:
    for event in sorted({event for ends in ENDS.values() for event in ends}):
        after, log = happen({"wounds": [lasting(until)]}, event)
        assert (not after["wounds"]) == ("ends" in kinds(log)) == (event in ENDS[until]), event


@pytest.mark.parametrize(
    ("until", "event", "left"),
    [
        ("3 rounds", "round", "2 rounds"),
        ("5 hours", "hour 2", "3 hours"),
        ("12 hours", "rest", "4 hours"),
        ("90 minutes", "hour", "30 minutes"),
        ("30 hours", "day", "6 hours"),
        ("1 week", "day 2", "5 days"),
        ("2 weeks", "week", "1 week"),
        ("1 week", "hour 23", "1 week"),
        ("1 week", "rest", "1 week"),
        ("1 month", "week 1", "23 days"),
        ("1 hour", "round 9", "1 hour"),
    ],
)
def test_spans_run_down(until: str, event: str, left: str) -> None:
    after, _ = happen({"wounds": [lasting(until)]}, event)
    assert [wound["until"] for wound in after["wounds"]] == [left]


@pytest.mark.parametrize("event", ["rest", "recover"])
def test_where_wounds_end_only_when_told_time_ends_none(event: str) -> None:
    wounds = [lasting("stand", "AS"), lasting("woken", "5H"), lasting("3 rounds"), lasting("check", "2C")]
    state = {"wounds": wounds, "trauma": 1, "recovery": "3 days", "hp": 4}
    after, _ = happen(state, event, system=under(short_wounds="when_told"))
    assert [wound["until"] for wound in after["wounds"]] == ["stand", "woken", "3 rounds", "check"]
    assert happen(state, event)[0]["wounds"] == []


def test_the_later_roll_of_a_check() -> None:
    state, _ = happen({"score": 9, "tokens": 9}, "hit 2", "2C", dice=(11,))
    assert seen(state, "wounds") == ["2C dazed"]
    still, log = happen(state, "check 2c", dice=(11,))
    assert (seen(still, "wounds"), kinds(log)) == (["2C dazed"], ["check_failed"])
    after, log = happen(state, "check 2C", dice=(12,))
    assert (after["wounds"], kinds(log)) == ([], ["check_passed", "ends"])
    with pytest.raises(HackjackError, match="no wound of 2C that a later roll ends"):
        happen(after, "check 2C", dice=(12,))
    with pytest.raises(UsageError, match="check needs a card: write check CARD"):
        happen(after, "check")


def test_a_wound_that_has_ended_gives_its_card_back() -> None:
    state, _ = happen({"drawn": [code for code in FULL_DECK if code != "5H"], "score": 1}, "hit 2", "5H", dice=(1,))
    assert seen(state, "wounds") == ["5H unconscious"]
    state, _ = happen(state, "heal 6")
    with pytest.raises(HackjackError, match=r"5H .*not in the deck"):
        happen(state, "draw", "5H")
    awake, _ = happen(state, "wake")
    assert happen(awake, "draw", "5H", dice=(20,))[0]["drawn"] == ["5H"]


# --- H32: quests and great magic -------------------------------------------------------------------------------------


def test_great_magic_lifts_trauma_and_what_lasted_until_recovery() -> None:
    state, _ = happen({}, "hit 2", "10S")
    after, log = happen({**state, "recovery": "4 weeks"}, "lift TRAUMA")
    assert (after["trauma"], after["recovery"], after["score"]) == (0, None, 10)
    assert (seen(after, "wounds"), seen(after, "permanent")) == ([], ["10S penalty"])
    assert "begins" not in after["permanent"][0]
    assert kinds(log) == ["lift_trauma", "ends"]
    with pytest.raises(HackjackError, match="no Trauma to lift"):
        happen(after, "lift trauma")


def test_a_quest_lifts_what_a_card_left_for_good() -> None:
    state, _ = happen({"permanent": ["QC", "QC", "9C"], "max_hp": 9}, "hit 2", "7S", dice=(2,))
    after, _ = happen(state, "lift qc")
    assert seen(after, "permanent") == ["9C whenever", "7S penalty"]
    after, _ = happen(after, "lift 7S")
    assert seen(after, "permanent") == ["9C whenever"]
    assert seen(after, "wounds") == ["7S penalty"], "what lasts until recovery stays"
    assert happen(after, "heal 30", dice=(1,))[0]["hp"] == 9
    with pytest.raises(HackjackError, match="the character has nothing from 7S that this ends"):
        happen(after, "lift 7S")
    fear, _ = happen({}, "hit 2", "QD")
    assert happen(fear, "lift QD")[0]["wounds"] == []
    with pytest.raises(UsageError, match=r'lift: "XX" is not a card.*, or trauma'):
        happen(fear, "lift XX")


# --- H22: the next card ----------------------------------------------------------------------------------------------


def test_the_ace_of_hearts_shows_the_next_card_and_leaves_it_there() -> None:
    class AceFirst(Seeded):
        def card(self, left: Sequence[str]) -> str:
            return "AH" if "AH" in left else super().card(left)

    for seed in range(20):
        chance = AceFirst(seed)
        state, log = befall(hackjack(), {}, "hit 5", chance)
        shown = log[-1].facts["next"]
        assert log[-1].kind == "peek"
        assert shown in FULL_DECK
        assert state["drawn"] == ["AH"], "it stays in the deck"
        after, _ = befall(hackjack(), state, "bleed 1", chance)
        assert chance.card([code for code in FULL_DECK if code not in after["drawn"]]) == shown


def test_at_a_real_table_only_the_players_see_the_next_card() -> None:
    _, log = happen({}, "hit 5", "AH")
    assert (log[-1].kind, log[-1].facts["next"]) == ("peek", None)


def test_the_ace_of_hearts_on_an_empty_deck() -> None:
    state, log = happen({"drawn": [code for code in FULL_DECK if code != "AH"]}, "hit 5", "AH")
    assert (state["score"], log[-1].facts["next"]) == (1, None)


# --- H24: which cards there are --------------------------------------------------------------------------------------


def test_jokers_are_in_the_deck_only_by_choice() -> None:
    assert game_of(hackjack()).deck() == FULL_DECK
    assert game_of(under(jokers="lucky_break")).deck() == FULL_DECK + JOKERS
    with pytest.raises(HackjackError, match=r"^RJ is not in the deck") as caught:
        happen({}, "hit 5", "RJ")
    assert "drawn already" not in str(caught.value), "it was never there"


# --- H28: passing out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["act", "act 8", "act hard", "act d8d8", "act d1", "act d0", "act -3", "act d8\n"])
def test_the_hit_die_must_be_a_die(event: str) -> None:
    with pytest.raises(HackjackError, match=r"hit die|needs a die such as d8"):
        game = game_of(under(pass_out="hit_die_over_trauma"))
        game.step(game.read_state({"trauma": 3}), game.read_event(event.split(" "), {}), Seeded(1))


# --- H43 and H38: who can do nothing, and fear ----------------------------------------------------------------------


@pytest.mark.parametrize("event", ["act", "act d8", "hold", "stand"])
def test_who_is_incapable_does_nothing(event: str) -> None:
    """A wound as a person may type it counts too; who is only prone, or awake again, acts."""
    left_for_dead, _ = happen({}, "hit 3", "KS")
    out, _ = happen({}, "hit 3", "5H", (5,))
    for state, says in (
        (left_for_dead, r"you can do nothing at all until you recover \(KS\)$"),
        (out, r"you are unconscious until someone wakes you \(5H\)$"),
    ):
        with pytest.raises(HackjackError, match=f"^the character cannot [a-z ]+: {says}"):
            happen(state, event)
    happen(happen(out, "wake")[0], event)
    assert happen(happen({}, "hit 3", "5C")[0], "stand")[0]["wounds"][0]["effect"] == "legs_useless"


def test_who_holds_the_blood_in_does_not_act() -> None:
    """H10: as hold itself says, walk or defend, nothing else; by every reading of what keeps one from acting."""
    for ruling in ("off", "hit_die_over_trauma", "d20_over_score"):
        with pytest.raises(
            HackjackError, match=r"holding the Blood in: walk or defend, nothing else. Release it first"
        ):
            happen({"blood": 3, "holding": True}, "act", system=under(pass_out=ruling))
    assert kinds(happen(happen({"blood": 3, "holding": True}, "release")[0], "act")[1]) == ["act"]


def test_fear_needs_a_cause_and_goes_with_it() -> None:
    with pytest.raises(HackjackError, match=r"^the character has no wound that costs anything here$"):
        happen({"wounds": ["KC"]}, "face")
    afraid, log = happen(happen({}, "hit 3", "QD")[0], "face 2")
    assert (kinds(log), log[0].why) == (["wound"], "H38")
    assert game_of(hackjack()).sheet(afraid)["fear"] == "2", "the sheet's field"
    assert happen(afraid, "lift QD")[0]["wounds"] == []


# --- H29: an empty deck ----------------------------------------------------------------------------------------------


def test_an_empty_deck_takes_back_what_nobody_living_holds() -> None:
    before = {"drawn": list(FULL_DECK), "pile": pile("2S:2"), "wounds": [{"card": "2S", "effect": "prone"}]}
    after, log = happen(before, "hit 3", "KH")
    assert after["drawn"] == ["2S", "KH"]
    assert kinds(log)[:3] == ["struck", "reshuffle", "draw"]
    assert log[1].why == "H29"
    after, log = happen(before, "hit 3", "4C", held=["3C", "KH"])
    assert sorted(after["drawn"][:-1]) == ["2S", "3C", "KH"]
    assert after["drawn"][-1] == "4C"
    with pytest.raises(HackjackError, match=r"KH .*not in the deck"):
        happen(before, "hit 3", "KH", held=["3C", "KH"])


def test_a_deck_that_runs_out_in_the_middle_of_a_card() -> None:
    before = {"drawn": [code for code in FULL_DECK if code not in ("JC", "4C")]}
    after, log = happen(before, "hit 3", "JC 4C KC")
    assert kinds(log)[:6] == ["struck", "draw", "gain", "draw", "reshuffle", "draw"]
    assert after["drawn"] == ["JC", "4C", "KC"], "what is drawn in the same hit is held"
    assert "reshuffle" not in kinds(happen({"drawn": list(FULL_DECK[1:])}, "hit 3", "AC")[1])


HELD_BY_ALL = "^no card of Hackjack can be drawn: all of them are held"


def test_a_deck_that_is_all_held() -> None:
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        happen({"drawn": list(FULL_DECK)}, "hit 3", "AC", held=FULL_DECK)
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        happen({"pile": pile(" ".join(f"{code}:0" for code in FULL_DECK))}, "hit 3", "AC")


def test_jokers_drawn_before_they_were_put_away_do_not_come_back() -> None:
    """Else the deck would seem to have cards after a reshuffle, and have none."""
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        befall(hackjack(), {"drawn": [*FULL_DECK, "RJ"]}, "draw", Seeded(1), FULL_DECK)


# --- the dead and the lost -------------------------------------------------------------------------------------------

ANY_EVENT = (
    "hit 1",
    "hit 30",
    "hit 4 critical",
    "draw",
    "heal 1",
    "heal 50",
    "hold",
    "release",
    "poison 1",
    "bleed 1",
    "drain 1",
    "rest",
    "rest comfort",
    "recover",
    "act",
    "act d8",
    "stand",
    "clear",
    "wake",
    "check 2C",
    "round",
    "hour 2",
    "day",
    "week 3",
    "lift trauma",
    "lift QC",
)


@pytest.mark.parametrize("event", ANY_EVENT)
def test_the_dead_stay_dead(event: str) -> None:
    dead, _ = happen({"score": 20, "trauma": 2}, "poison 5")
    assert dead["dead"]
    for state in (dead, {"dead": True}):
        with pytest.raises(HackjackError, match=r"^the character is dead: nothing more happens to them$"):
            happen(state, event, "AC", (1, 1))


def test_a_wound_that_kills_leaves_no_mark() -> None:
    after, log = happen({"score": 20}, "hit 3", "3S")
    assert after["dead"]
    assert after["wounds"] == []
    assert kinds(log)[-1] == "death"


@pytest.mark.parametrize("amount", [MAX_AMOUNT, 1])
def test_what_an_event_led_to_can_be_given_back(amount: int) -> None:
    for event in ("heal", "bleed", "poison", "hit"):
        for before in (
            {"hp": 20, "blood": 20},
            {"hp": MAX_AMOUNT, "blood": MAX_AMOUNT},
            {"hp": MAX_AMOUNT, "score": 20},
        ):
            after, _ = happen(before, f"{event} {amount}")
            assert again(after, hackjack()) == after


# --- whatever happens ------------------------------------------------------------------------------------------------

SYSTEMS = (
    hackjack(),
    under(jokers="lucky_break", massive_damage="from_13", first_draw="at_zero", critical_draw="on"),
    under(twenty_one="at_every_step", jack_of_clubs="blank_is_zero", pass_out="d20_over_score"),
    under(pass_out="hit_die_over_trauma", jokers="lucky_break"),
    under(new_descent="from_above", six_of_hearts="in_pile", short_wounds="when_told", poison="hp_first"),
    under(critical_draw="misses_too", blood_flows="any_damage", hold_lasts="released"),
)
AMOUNTS = st.one_of(st.integers(1, 12), st.integers(1, 40))
EVENTS = st.one_of(
    st.sampled_from(["draw", "hold", "release", "rest", "rest comfort", "recover", "act", "act d8"]),
    st.sampled_from(
        ["stand", "clear", "wake", "check 2C", "round 2", "hour 5", "day", "week 2", "draw miss", "face 2"]
    ),
    st.sampled_from(["lift trauma", "lift QC", "lift QD"]),
    st.builds("hit {}".format, AMOUNTS),
    st.builds("hit {} critical".format, AMOUNTS),
    st.builds("{} {}".format, st.sampled_from(["heal", "poison", "bleed", "drain"]), st.integers(1, 6)),
    st.builds("heal {}".format, st.integers(1, 40)),
)
STARTS: tuple[Plain, ...] = (
    {},
    {"hp": 6},
    {"hp": 6, "permanent": ["9C", "QC"], "wounds": ["10H"]},
    {"hp": 6, "max_hp": 8, "trauma": 2},
    {"drawn": list(FULL_DECK[:50])},
)
TALES = st.tuples(
    st.sampled_from(range(len(SYSTEMS))), st.sampled_from(STARTS), st.lists(EVENTS, max_size=12), st.integers(0, 10**9)
)


class Recording:
    """Luck that notes what it gave."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.cards: list[str] = []
        self.dice: list[int] = []
        self.choices: list[int] = []

    def card(self, left: Sequence[str]) -> str:
        self.cards.append(self.chance.card(left))
        return self.cards[-1]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        faces = self.chance.roll(need)
        assert len(faces) == need.dice.count
        assert all(1 <= face <= need.dice.faces for face in faces)
        self.dice += faces
        return faces

    def choose(self, need: ChoiceNeed) -> int:
        self.choices.append(self.chance.choose(need) + 1)
        return self.choices[-1] - 1

    def peek(self, left: Sequence[str]) -> str | None:
        return self.chance.peek(left)


def again(state: Plain, system: System) -> Plain:
    """The state once it has been read and written."""
    game = game_of(system)
    written: Plain = json.loads(json.dumps(game.plain_state(game.read_state(state))))
    return written


def coherent(state: Plain, system: System) -> None:
    """What is true of every state."""
    assert min(state[key] for key in ("hp", "score", "tokens", "blood", "trauma")) >= 0
    assert state["score"] == state["tokens"] + sum(held["score"] for held in state["pile"])
    assert state["dead"] or state["score"] < 21
    assert len(set(state["drawn"])) == len(state["drawn"])
    assert set(state["drawn"]) <= set(system.cards)
    piled = [held["card"] for held in state["pile"]]
    kept = [wound["card"] for wound in (*state["wounds"], *state["permanent"])]
    assert {*piled, *kept} <= set(state["drawn"])
    assert len(set(piled)) == len(piled)
    assert not (state.get("low") and state["hp"])
    assert again(state, system) == state


@given(TALES)
def test_any_tale_stays_coherent_and_can_be_told_again(tale: tuple[int, Plain, list[str], int]) -> None:
    """Every event succeeds or says why not; what a seed did, the same cards and dice do again."""
    at, start, events, seed = tale
    system = SYSTEMS[at]
    state = again(start, system)
    for place, words in enumerate(events):
        before = copy.deepcopy(state)
        recording = Recording(Seeded(seed + place))
        try:
            after, log = befall(system, state, words, recording)
        except HackjackError:
            assert state == before
            assert (
                state["dead"]
                or words.split()[0] in ("recover", "act", "check", "lift", "hold", "stand", "face")
                or len(state["drawn"]) > 45
            )
            continue
        assert state == before, "a step changes nothing that it was given"
        assert befall(system, state, words, Seeded(seed + place)) == (after, log), "the same seed, the same outcome"
        given_luck = Given(recording.cards, recording.dice, recording.choices)
        replayed, told = befall(system, state, words, given_luck)
        given_luck.finish()
        assert replayed == after
        assert kinds(told) == kinds(log)
        assert [entry.facts["card"] for entry in log if entry.kind == "draw"] == recording.cards
        coherent(after, system)
        assert set(after["drawn"]) <= set(game_of(system).deck()) | set(state["drawn"])
        if "reshuffle" not in kinds(log):
            assert after["drawn"] == [*state["drawn"], *recording.cards]
        state = after


@given(st.sampled_from(range(40)), st.integers(1, 60), st.integers(1, 60))
def test_healing_in_two_parts_heals_as_much_as_in_one(seed: int, first: int, second: int) -> None:
    system = hackjack()
    state = again({}, system)
    for place in range(3):
        after, _ = befall(system, state, "hit 3", Seeded(seed * 10 + place))
        state = state if after["dead"] else after
    parts = state
    for amount in (first, second):
        parts, _ = befall(system, parts, f"heal {amount}", Seeded(0))
    whole, _ = befall(system, state, f"heal {first + second}", Seeded(0))
    assert parts == whole
    worth, left = (each["blood"] + each["score"] - each["hp"] for each in (state, whole))
    assert worth - left == first + second
    assert whole["blood"] <= state["blood"]
    assert not (whole["blood"] and whole["score"] < state["score"])
    assert (whole["drawn"], whole["permanent"]) == (state["drawn"], state["permanent"])


@given(st.integers(1, 30), st.integers(1, 30))
def test_what_poison_does_healing_undoes(points: int, pool: int) -> None:
    system = hackjack()
    state = again({"score": 1}, system)
    hurt, _ = befall(system, state, f"poison {points}", Given())
    if hurt["dead"] or points == 20:
        assert hurt["dead"] == (points > 20)
        assert hurt["score"] == (0 if points == 20 else points + 1)
        return
    hurt, _ = befall(system, hurt, f"bleed {pool}", Given())
    healed, _ = befall(system, hurt, f"heal {points + pool}", Given())
    assert healed == state


JSON_LIKE = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 30),
        st.integers(),
        st.floats(allow_nan=True),
        any_text(max_size=5),
        st.sampled_from([*FULL_DECK[:6], "RJ", "6H", "rest", "recovery", "2d6 weeks", "whenever"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(
                any_text(max_size=4), st.sampled_from(["card", "score", "effect", "until", "to", "by", "begins"])
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)
KEYS = st.sampled_from([*again({}, hackjack()), "low", "last", "max_hp", "extra"])
WELL_FORMED = st.fixed_dictionaries(
    {},
    optional={
        "hp": st.integers(-1, 12),
        "score": st.integers(0, 22),
        "tokens": st.integers(0, 5),
        "blood": st.integers(0, 9),
        "trauma": st.integers(0, 7),
        "pile": st.lists(
            st.builds(
                lambda code, score: {"card": code, "score": score},
                st.sampled_from([*FULL_DECK[-8:], "RJ"]),
                st.integers(0, 9),
            ),
            max_size=3,
        ),
        "wounds": st.lists(st.sampled_from(["10H", "9C", "QC", "AC"]), max_size=3),
        "permanent": st.lists(st.sampled_from(["10H", "9C", "QC", "AC"]), max_size=3),
        "holding": st.booleans(),
        "dead": st.booleans(),
        "drawn": st.lists(st.sampled_from(FULL_DECK), max_size=4),
        "recovery": st.sampled_from([None, "", "rest", "1d6 days", "0 weeks", "soon", "2d6"]),
        "low": st.booleans(),
        "last": st.sampled_from([None, "", "AC", "RJ", "JC"]),
        "max_hp": st.sampled_from([None, 0, 1, 12]),
    },
)


@pytest.mark.slow
@given(st.one_of(JSON_LIKE, st.dictionaries(KEYS, JSON_LIKE, max_size=4), WELL_FORMED), EVENTS, st.integers(0, 99))
def test_any_state_is_read_or_refused(value: Any, words: str, seed: int) -> None:
    system = hackjack()
    try:
        state = again(value, system)
    except HackjackError as error:
        assert str(error)
        return
    assert again(state, system) == state
    try:
        after, _ = befall(system, state, words, Seeded(seed))
    except HackjackError as error:
        assert str(error)
        return
    assert after["score"] == after["tokens"] + sum(held["score"] for held in after["pile"])


@given(
    st.lists(
        st.one_of(
            any_text(max_size=8),
            st.integers().map(str),
            st.sampled_from(
                [
                    *HACKJACK_EVENTS,
                    "critical",
                    "comfort",
                    "miss",
                    "trauma",
                    "2C",
                    "d8",
                    "--5",
                    "²",
                    "٣",
                    "1_0",
                    " 5",
                    "+5",
                    "5.0",
                    "",
                ]
            ),
        ),
        max_size=4,
    )
)
def test_any_words_are_an_event_or_refused(words: list[str]) -> None:
    game = game_of(hackjack())
    try:
        event = game.read_event(words, {})
    except UsageError as error:
        assert str(error)
        return
    assert event.name == words[0]
    assert game.read_event(str(event).split(), {}) == event


def test_a_seed_means_the_same_in_another_process() -> None:
    asked = ("resolve", "hackjack", "hit", "9", "--state", '{"hp": 3}', "--json", "--seed")
    told = [run(*asked, str(seed)).out for seed in range(6)]
    assert len({json.loads(each)["state"]["drawn"][0] for each in told}) > 3
    command = [sys.executable, "-m", "generator", *asked, "5"]
    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout == told[5]

"""What comes after the blow: rounds, days and weeks, help, saves, coma and paralysis, and NPCs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from injured import Plain, full, happen, injury, owed, suffered, texts, until

from generator.base.errors import HackjackError

MINUS = "\u2212"


def refused(
    words: str, state: Plain, dice: Sequence[int] = (), settings: Sequence[tuple[str, str]] = (), **at: str
) -> str:
    """The sentence with which an event is refused."""
    with pytest.raises(HackjackError) as fault:
        happen(words, state, dice, settings, **at)
    return str(fault.value)


# --- conditions and what comes with them (G4, G15) -------------------------------------------------------------------


def test_a_disabled_leg_costs_movement_and_an_arm_does_not() -> None:
    _, leg = happen("hit 4", {}, [1], location="leg")
    assert texts(leg)[4:] == [
        "  Disabled (leg) for 1 day.",
        "    Prone until you stand up.",
        f"    {MINUS}6 to Movement.",
    ]
    _, arm = happen("hit 4", {}, [1], location="arm")
    assert texts(arm)[4:] == ["  Disabled (arm) for 1 day.", "    Disarmed.", "    You drop what that hand holds."]


@pytest.mark.parametrize(("face", "falls"), [(1, True), (2, False)])
def test_what_both_hands_hold_falls_half_the_time(face: int, falls: bool) -> None:
    _, log = happen("hit 1", {}, [1, face], location="arm", hands="both")
    assert [entry["kind"] for entry in log][-2:] == (["grip", "drop"] if falls else ["wound", "grip"])
    assert log[-2 if falls else -1]["falls"] is falls


@pytest.mark.parametrize(("dice", "lost"), [(1, "strength"), (2, "dexterity")])
def test_crushed_costs_a_point_when_the_save_fails(dice: int, lost: str) -> None:
    hurt, _ = happen("hit 1", {"injuries": [injury("burned", 9)] * 4}, [2, 3, 3, 9], location="torso")
    assert (hurt["injuries"][4:], hurt["saves"]) == ([injury("gored", 42, "torso")], [owed("crushed", "torso")])
    after, _ = happen("save fail", hurt, [dice])
    assert (after["lost"], after["saves"]) == ([{"statistic": lost, "by": 1}], [])
    spared, _ = happen("save pass", hurt)
    assert (spared["lost"], spared["saves"]) == ([], [])


@pytest.mark.parametrize(("face", "lost"), [(1, "talent"), (2, "will"), (3, "charisma")])
def test_cracked_costs_a_point_when_the_save_fails(face: int, lost: str) -> None:
    hurt, _ = happen("hit 1", {"injuries": [injury("burned", 9)] * 4}, [2, 3, 3, 4], location="head")
    assert (hurt["injuries"][4:], hurt["saves"]) == ([injury("concussed", 42, "head")], [owed("cracked", "head")])
    after, log = happen("save fail", hurt, [face])
    assert after["lost"] == [{"statistic": lost, "by": 1}]
    names = {"talent": "Tal", "will": "Wil", "charisma": "Charisma"}
    assert texts(log)[-1].strip() == f"{MINUS}1 to {names[lost]} for good."


def test_three_in_ten_of_the_cracked_do_not_wake() -> None:
    for face in range(1, 11):
        chances = (2, 5) if face <= 3 else ()
        after, log = happen("hit 3", {}, [9, 1, 1, face, *chances], location="head")
        coma = [injury("coma", 0, "head", [2, 35])] if face <= 3 else []
        assert after["injuries"] == [injury("concussed", 14, "head"), *coma]
        assert ("coma" in suffered(log)) == (face <= 3)


@pytest.mark.parametrize(("which", "name"), [(1, "paraplegia"), (2, "quadriplegia")])
@pytest.mark.parametrize("face", [1, 3])
def test_half_of_the_paralysed_are_so_all_over(face: int, which: int, name: str) -> None:
    after, _ = happen("hit 3", {}, [9, 1, 1, face, which, 6, 1], location="torso")
    assert after["injuries"] == [injury("gored", 14, "torso"), injury(name, 0, "torso", [6, 7])]


def test_a_ruined_limb_is_disabled_for_weeks_or_for_good() -> None:
    hurt, _ = happen("hit 3", {}, [9], location="leg")
    passed, log = happen("save pass", hurt, [6, 6])
    assert passed["injuries"] == [injury("disabled", 84, "leg")]
    assert suffered(log) == ["disabled", "prone"]
    failed, log = happen("save fail", hurt)
    assert failed["injuries"] == [injury("disabled", 0, "leg")]
    assert texts(log) == [
        "The save for Ruined is failed.",
        "  Disabled (leg) for good.",
        "    Prone until you stand up.",
        f"    {MINUS}6 to Movement.",
    ]


def test_a_ruined_arm_lets_go() -> None:
    hurt, log = happen("hit 3", {}, [9], location="arm")
    assert texts(log)[4:] == [
        "  Ruined (arm).",
        "    A save is owed for Ruined: say save pass or save fail.",
        "  Dying until you are stabilised or healed.",
        "    Unconscious.",
    ]
    after, log = happen("save fail", hurt)
    assert after["injuries"] == [injury("disabled", 0, "arm")]
    assert "drop" in [entry["kind"] for entry in log]


def test_blindness_for_good_leaves_an_eye_or_none() -> None:
    hurt, log = happen("hit 3", {}, [9, 1, 1], type="fire")
    assert texts(log)[-1] == "    A save is owed for Blinded: say save pass or save fail."
    one, log = happen("save pass", hurt)
    assert log[0]["why"] == "G15"
    assert one["injuries"] == [injury("burned", 14), injury("one_eyed")]
    none, _ = happen("save fail", hurt)
    assert none["injuries"] == [injury("burned", 14), injury("blinded")]


def test_blindness_for_days_asks_for_no_save() -> None:
    hurt, _ = happen("hit 3", {}, [7, 1, 1, 4], type="fire")
    assert (hurt["injuries"], hurt["saves"]) == ([injury("burned", 14), injury("blinded", 4)], [])


# --- rounds and minutes ----------------------------------------------------------------------------------------------


def test_dying_comes_after_so_many_rounds() -> None:
    hurt, log = happen("hit 3", {}, [4, 1, 1, 3], location="torso")
    assert texts(log)[-1] == "  Dying in 3 rounds, unless it is treated before."
    assert hurt["coming"] == [{"condition": "dying", "after": "3 rounds"}]
    later, _ = happen("round 2", hurt)
    assert (later["coming"], later["dying"]) == ([{"condition": "dying", "after": "1 round"}], False)
    dying, log = happen("round", later)
    assert (dying["coming"], dying["dying"], dying["rounds_dying"]) == ([], True, 0)
    assert texts(log)[1:] == [
        "  Dying until you are stabilised or healed.",
        "    Unconscious.",
        "0 rounds of Dying so far.",
    ]
    lying, log = happen("round", dying)
    assert (lying["rounds_dying"], texts(log)[-1]) == (1, "1 round of Dying so far.")
    assert happen("round 4", hurt)[0]["rounds_dying"] == 1, "the same in one go"


def test_treatment_stops_what_is_coming() -> None:
    state = {"coming": [{"condition": "dying", "after": "3 rounds"}, {"condition": "dying", "after": "1 round"}]}
    after, log = happen("treat", state)
    assert after == full()
    assert texts(log) == ["Treated in time: no Dying in 3 rounds.", "Treated in time: no Dying in 1 round."]
    for words in ("heal 1", "heal 1 by=rest"):
        word, _, about = words.partition(" by=")
        healed, _ = happen(word, state, **dict[str, Any]({"by": about} if about else {}))
        assert healed["coming"] == []


def test_rounds_end_what_is_counted_in_rounds() -> None:
    state = {"conditions": [until("dazed", "1 round"), until("ko", "3 rounds"), until("prone", "stand")]}
    after, log = happen("round", state)
    assert after["conditions"] == [until("ko", "2 rounds"), until("prone", "stand")]
    assert texts(log) == ["1 round passes.", "Dazed is over."]
    assert happen("round 10000", state)[0]["conditions"] == [until("prone", "stand")]


def test_minutes_end_rounds_and_count_minutes() -> None:
    state = {"conditions": [until("dazed", "1 round"), until("ko", "6 minutes"), until("winded", "breath")]}
    after, _ = happen("minute 4", state)
    assert after["conditions"] == [until("ko", "2 minutes"), until("winded", "breath")]
    assert happen("minute 2", after)[0]["conditions"] == [until("winded", "breath")]


@pytest.mark.parametrize(("word", "ends", "left"), [("stand", "prone", "winded"), ("breathe", "winded", "prone")])
def test_getting_up_and_catching_breath_take_a_round_each(word: str, ends: str, left: str) -> None:
    state = {
        "conditions": [until("prone", "stand"), until("winded", "breath"), until("dazed", "1 round")],
        "coming": [{"condition": "dying", "after": "2 rounds"}],
        "breakdown": {"name": "Hide", "rounds": 2},
    }
    after, log = happen(word, state)
    assert [entry["condition"] for entry in after["conditions"]] == [left]
    assert (after["coming"][0]["after"], after["breakdown"]["rounds"]) == ("1 round", 1)
    assert texts(log) == [f"{ends.capitalize()} is over.", "Dazed is over."]
    assert refused(word, {}).startswith("the character ")


def test_the_longer_of_two_alike_stays() -> None:
    state = {"conditions": [until("ko", "9 minutes")]}
    assert happen("hit 7", state, [1, 3], type="nonlethal")[0]["conditions"] == [until("ko", "9 minutes")]
    state = {"conditions": [until("ko", "9 rounds")]}
    assert happen("hit 7", state, [1, 3], type="nonlethal")[0]["conditions"] == [until("ko", "3 minutes")]


@pytest.mark.parametrize(
    ("words", "state", "says"),
    [
        ("minute", {"dying": True}, "the character is Dying: stabilise, heal or let an hour pass before minutes do"),
        ("day", {"dying": True}, "the character is Dying"),
        ("week", {"dying": True}, "the character is Dying"),
        (
            "hour",
            {"coming": [{"condition": "dying", "after": "2 rounds"}]},
            "the character will be Dying soon: treat them",
        ),
        (
            "day",
            {"coming": [{"condition": "dying", "after": "2 rounds"}]},
            "the character will be Dying soon: treat them",
        ),
        ("minute", {"breakdown": {"name": "Hide", "rounds": 2}}, "a breakdown is counted in rounds"),
        ("treat", {}, "nothing is coming that treatment would stop"),
        ("stabilise 12", {}, "the character is not Dying"),
        ("save pass", {}, "no save is owed"),
        ("calm", {}, "there is no breakdown to calm"),
        ("stand", {}, "the character is on their feet already"),
        ("breathe", {}, "the character has breath enough"),
    ],
)
def test_what_cannot_happen_is_refused(words: str, state: Plain, says: str) -> None:
    assert refused(words, state).startswith(says)


@pytest.mark.parametrize(
    ("held", "brief"),
    [
        ({"dying": True}, "dying"),
        ({"conditions": [until("ko", "3 rounds")]}, "knocked out"),
        ({"conditions": [until("ko", "3 minutes")]}, "knocked out"),
        ({"injuries": [injury("coma", chances=[2, 9])]}, "in a coma"),
    ],
)
@pytest.mark.parametrize(
    ("word", "ends", "does"), [("stand", "prone", "stand up"), ("breathe", "winded", "get their breath back")]
)
def test_who_is_unconscious_neither_stands_up_nor_breathes_deep(
    held: Plain, brief: str, word: str, ends: str, does: str
) -> None:
    lying = {**held, "conditions": [*held.get("conditions", []), until(ends, word.replace("breathe", "breath"))]}
    assert refused(word, lying) == f"the character is {brief} and cannot {does}"


def test_the_paralysed_get_their_breath_back_and_do_not_stand_up() -> None:
    state = {
        "injuries": [injury("paraplegia", chances=[2, 9])],
        "conditions": [until("winded", "breath"), until("prone", "stand")],
    }
    assert happen("breathe", state)[0]["conditions"] == [until("prone", "stand")]
    assert refused("stand", state) == "the character is paraplegic and cannot stand up"


def test_nothing_happens_to_the_dead() -> None:
    for words in ("hit 1", "heal 5", "day", "week", "round", "trauma 1", "save pass", "calm", "hour", "stabilise 9"):
        assert refused(words, {"dead": True}) == "the character is dead: nothing more happens to them"


# --- days and weeks (G8, G9, G14) ------------------------------------------------------------------------------------


def test_a_day_takes_a_day_off_every_injury() -> None:
    state = {"injuries": [injury("gored", 3), injury("disabled", 1, "arm"), injury("disabled", 0, "leg")]}
    after, log = happen("day", state)
    assert after == full(injuries=[injury("gored", 2), injury("disabled", 0, "leg")], day=1)
    assert texts(log) == ["1 day passes: day 1.", "Disabled (arm) has healed on day 1."]


@pytest.mark.parametrize("dice", [(1, 1), (6, 6), (3, 4)])
def test_days_and_weeks_that_were_rolled_run_down_to_the_day(dice: tuple[int, int]) -> None:
    for severity, days in ((6, sum(dice)), (8, 7 * sum(dice))):
        hurt, _ = happen("hit 1", {}, [severity, *dice], location="arm")
        assert hurt["injuries"] == [injury("disabled", days, "arm")]
        last, _ = happen(f"day {days - 1}", hurt)
        assert last["injuries"] == [injury("disabled", 1, "arm")]
        well, log = happen("day", last)
        assert (well["injuries"], texts(log)[-1]) == ([], f"Disabled (arm) has healed on day {days}.")
        assert happen(f"week {-(-days // 7)}", hurt)[0]["injuries"] == []


def test_a_night_ends_what_is_short() -> None:
    state = {
        "conditions": [until("prone", "stand"), until("winded", "breath"), until("ko", "9 minutes")],
        "breakdown": {"name": "Hide", "rounds": 20},
    }
    after, _ = happen("day", state)
    assert after == full(saves=[{"of": "breakdown", "part": "", "place": "", "chance": False}], day=1)


@pytest.mark.parametrize(("trauma", "weeks", "left"), [(4, 1, 3), (4, 3, 1), (2, 5, 0), (0, 1, 0)])
def test_every_restful_week_takes_a_point_off(trauma: int, weeks: int, left: int) -> None:
    after, log = happen(f"week {weeks}", {"trauma": trauma})
    assert (after["trauma"], after["day"]) == (left, 7 * weeks)
    assert any("Trauma off" in line for line in texts(log)) == (trauma > 0)


def test_days_alone_take_none_off() -> None:
    assert happen("day 70", {"trauma": 4})[0]["trauma"] == 4


# --- magical healing (G8, G11) ---------------------------------------------------------------------------------------

THREE = [injury("gored", 5), injury("burned", 20), injury("disabled", 0, "arm")]


ONE = [("magic_heals", "one_injury")]


def test_magic_heals_every_injury_and_then_gives_hp() -> None:
    after, log = happen("heal 6", {"injuries": [*THREE, injury("burned", 20)]})
    assert after == full(hp=6, injuries=[injury("burned", 14), injury("disabled", 0, "arm"), injury("burned", 14)])
    assert texts(log) == [
        "Gored: 5 days off, healed.",
        *["Burned: 6 days off, 14 days left."] * 2,
        "6 HP of healing: 6 HP.",
    ]
    assert refused("heal 6", {"injuries": THREE}, injury="1") == "magic heals every injury here: leave --at injury out"


def test_magic_heals_one_injury_and_then_the_next_where_the_switch_says_so() -> None:
    longest, log = happen("heal 3", {"injuries": THREE}, (), ONE)
    assert longest["injuries"] == [injury("gored", 5), injury("burned", 17), injury("disabled", 0, "arm")]
    assert texts(log) == ["Burned: 3 days off, 17 days left.", "3 HP of healing: 3 HP."]
    chosen, log = happen("heal 7", {"injuries": THREE}, (), ONE, injury="1")
    assert chosen["injuries"] == [injury("burned", 18), injury("disabled", 0, "arm")]
    assert texts(log)[:2] == ["Gored: 5 days off, healed.", "Burned: 2 days off, 18 days left."]
    assert happen("heal 99", {"injuries": THREE}, (), ONE)[0]["injuries"] == [injury("disabled", 0, "arm")]
    for place in ("3", "4"):
        says = refused("heal 3", {"injuries": THREE}, (), ONE, injury=place)
        assert says == f"number {place} has no days that could be taken off: choose 1, 2"
    assert refused("heal 3", {}, (), ONE, injury="1").endswith(": there is none")


def test_rest_gives_hp_and_heals_no_injury() -> None:
    after, _ = happen("heal 3", {"injuries": THREE}, by="rest")
    assert after == full(hp=3, injuries=THREE)
    assert refused("heal 3", {"injuries": THREE}, by="rest", injury="1").startswith("rest heals no single injury")


@pytest.mark.parametrize(
    ("injuries", "hp"),
    [
        ([], 10),
        ([injury("gored", 4)], 7),
        ([injury("gored", 4), injury("burned", 9)], 4),
        ([injury("concussed", 4)], 10),
    ],
)
def test_gored_and_burned_lower_the_maximum_by_one_for_each_hit_die(injuries: list[Plain], hp: int) -> None:
    assert happen("heal 99", {"max_hp": 10, "hd": 3, "injuries": injuries}, by="rest")[0]["hp"] == hp


@pytest.mark.parametrize("by", ["magic", "rest"])
def test_any_hp_stabilises(by: str) -> None:
    after, log = happen("heal 1", {"dying": True, "rounds_dying": 7}, by=by)
    assert after == full(hp=1)
    assert texts(log) == ["1 HP of healing: 1 HP.", "The HP stop the Dying."]


def test_a_maximum_never_falls_below_1_so_that_any_healing_saves_the_dying() -> None:
    state = {"dying": True, "max_hp": 2, "hd": 2, "injuries": [injury("gored", 90)]}
    for by, days in (("rest", 90), ("magic", 85)):
        after, log = happen("heal 5", state, by=by)
        assert after == full(hp=1, max_hp=2, hd=2, injuries=[injury("gored", days)])
        assert texts(log)[-1] == "The HP stop the Dying."


# --- the Dying (G11) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tal", "rounds"), [(1, 0), (2, 0), (13, 1), (13, 5), (20, 5)])
def test_half_the_tal_less_a_point_for_every_round(tal: int, rounds: int) -> None:
    for rolled in range(1, 21):
        after, log = happen(f"stabilise {tal}", {"dying": True, "rounds_dying": rounds}, [rolled])
        stable = rolled <= tal // 2 - rounds
        assert after == (full() if stable else full(dying=True, rounds_dying=rounds))
        assert texts(log)[0].endswith("stable." if stable else "not enough.")


def test_an_hour_decides() -> None:
    state = {"dying": True, "rounds_dying": 3, "saves": [owed("ruined", "arm")], "injuries": [injury("gored", 3)]}
    lives, log = happen("hour", state, [1])
    assert lives == full(saves=state["saves"], injuries=state["injuries"])
    assert texts(log) == ["An hour passes.", "An hour of Dying: d10 shows 1, and 1 lives: stable at last."]
    for rolled in range(2, 11):
        dead, _ = happen("hour", state, [rolled])
        assert dead == full(dead=True, injuries=state["injuries"])


def test_an_hour_is_nothing_to_the_living() -> None:
    assert happen("hour", {"trauma": 3})[0] == full(trauma=3)


def test_the_dying_can_be_hit_again() -> None:
    after, _ = happen("hit 1", {"dying": True, "rounds_dying": 2}, [1, 3])
    assert (after["dying"], after["rounds_dying"], after["dead"]) == (True, 2, False)
    again, _ = happen("hit 3", {"dying": True, "rounds_dying": 2}, [8], location="arm")
    assert (again["dying"], again["rounds_dying"]) == (True, 2)
    slain, _ = happen(
        "hit 3", {"dying": True, "rounds_dying": 2, "saves": [owed("ruined", "arm")]}, [9], location="arm"
    )
    assert slain == full(dead=True)


# --- chances to recover (G15) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["coma", "paraplegia", "quadriplegia"])
def test_two_chances_count_from_the_blow_and_the_second_is_the_last(name: str) -> None:
    state = {"injuries": [injury(name, chances=[2, 9])]}
    assert happen("day", state)[0]["injuries"] == [injury(name, chances=[1, 8])]
    due, log = happen("day 2", state)
    assert (due["injuries"], due["saves"]) == ([injury(name, chances=[7])], [{**owed(name, chance=True), "part": ""}])
    assert texts(log)[-1] == f"A save is owed to recover from {name.capitalize()}."
    well, _ = happen("save pass", due)
    assert (well["injuries"], well["saves"]) == ([], [])
    ill, log = happen("save fail", due)
    assert (ill["injuries"], texts(log)[-1]) == (
        [injury(name, chances=[7])],
        f"{name.capitalize()} stays; one chance left.",
    )
    last, _ = happen("week", ill)
    assert last["saves"] == [owed(name, chance=True)]
    saved, _ = happen("save pass", last)
    assert saved["injuries"] == []
    lasting, log = happen("save fail", last)
    assert (lasting["injuries"], texts(log)[-1]) == ([injury(name)], f"{name.capitalize()} stays for good.")
    assert happen("week 520", lasting)[0]["injuries"] == [injury(name)]


def test_two_chances_that_wait_together_are_taken_in_turn() -> None:
    waiting, _ = happen("day 9", {"injuries": [injury("coma", chances=[2, 9])]})
    assert [save["of"] for save in waiting["saves"]] == ["coma", "coma"]
    assert [entry["condition"] for entry in waiting["injuries"]] == ["coma"]
    first, log = happen("save fail", waiting)
    assert texts(log)[-1] == "Coma stays; one chance left."
    assert happen("save fail", first)[0]["injuries"] == [injury("coma")]
    well, _ = happen("save pass", waiting)
    assert (well["injuries"], well["saves"]) == ([], []), "who has woken needs no second chance"


def test_of_two_comas_the_latest_blow_counts() -> None:
    state = {"injuries": [injury("coma", chances=[1])]}
    after, _ = happen("hit 1", state, [9, 1, 1, 1, 6, 6], location="head")
    assert after["injuries"] == [injury("concussed", 14, "head"), injury("coma", 0, "head", [6, 42])]
    for_good, _ = happen("hit 1", {"injuries": [injury("coma")]}, [9, 1, 1, 1, 6, 6], location="head")
    assert for_good["injuries"] == [injury("coma"), injury("concussed", 14, "head")]


# --- NPCs and monsters (G10) -----------------------------------------------------------------------------------------

NPCS: dict[tuple[str, int, int], dict[str, Any]] = {
    ("npc", 4, 3): {"hp": 1},
    ("npc", 4, 4): {"hp": 0, "dying": True},
    ("npc", 4, 5): {"hp": -1, "dying": True},
    ("npc", 4, 6): {"hp": -2, "dying": True},
    ("npc", 4, 7): {"hp": -3, "dead": True},
    ("npc", 4, 9999): {"hp": -9995, "dead": True},
    ("monster", 4, 3): {"hp": 1},
    ("monster", 4, 4): {"hp": 0, "dead": True},
    ("monster", 4, 40): {"hp": 0, "dead": True},
}


@pytest.mark.parametrize("how", NPCS, ids=str)
def test_npcs_and_monsters_ask_no_table(how: tuple[str, int, int]) -> None:
    kind, hp, damage = how
    after, log = happen(f"hit {damage}", {"kind": kind, "hp": hp})
    assert after == full(kind=kind, **NPCS[how])
    assert texts(log)


def test_a_dying_npc_is_helped_like_anybody() -> None:
    down, _ = happen("hit 6", {"kind": "npc", "hp": 4})
    stable, _ = happen("stabilise 12", down, [6])
    assert stable == full(kind="npc", hp=-2)
    assert happen("heal 1", down)[0] == full(kind="npc", hp=-1)
    assert happen("hit 1", down)[0] == full(kind="npc", hp=-3, dead=True)
    assert happen("hit 1", {**stable, "hp": -1})[0] == full(kind="npc", hp=-2, dying=True)
    assert happen("hour", down, [2])[0] == full(kind="npc", hp=-2, dead=True)


def test_the_dead_npc_says_why() -> None:
    _, log = happen("hit 7", {"kind": "npc", "hp": 4})
    assert texts(log) == [f"A hit for 7: {MINUS}3 HP are left.", f"{MINUS}3 HP kill this important NPC."]

"""Trauma, breakdowns with calming, and madness (G12-G14), and what the source's figures come to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from helpers import run
from injured import full, glog, happen, injury, texts, until

BREAKDOWNS = [
    "Run away",
    "Hide",
    "Run away and hide",
    "Fainting",
    "Paralysed, stuttering",
    "Constant screaming",
]
MADNESS: dict[int, tuple[str, dict[int, str]]] = {
    1: ("Addiction", {1: "sex", 2: "drugs", 3: "alcohol"}),
    2: ("Alien Hand Syndrome", {1: "left arm", 2: "right arm"}),
    3: ("Amnesia", {}),
    4: ("Hallucinations", {}),
    5: ("Kleptomania", {}),
    6: ("Nightmares", {}),
    7: ("Paranoia", {}),
    8: ("Phobia", {}),
    9: ("Psychosis", {}),
    10: ("Twitches", {}),
}
END = {"of": "breakdown", "part": "", "place": "", "chance": False}


@pytest.mark.parametrize("before", [0, 4, 18])
@pytest.mark.parametrize("gain", [1, 2, 3])
def test_the_total_or_less_on_a_d20_is_a_breakdown(before: int, gain: int) -> None:
    total = before + gain
    for rolled in range(1, 21):
        breaks = rolled <= total
        after, log = happen(f"trauma {gain}", {"trauma": before}, [rolled, *([1, 20] if breaks else [])])
        assert after == (full(breakdown={"name": "Run away", "rounds": 20}) if breaks else full(trauma=total))
        assert texts(log)[0] == f"Horror: {gain} Trauma, {total} in all."


@pytest.mark.parametrize(("face", "name"), list(enumerate(BREAKDOWNS, 1)))
def test_every_breakdown(face: int, name: str) -> None:
    for rounds in (1, 20):
        after, log = happen("trauma 1", {}, [1, face, rounds])
        assert after == full(breakdown={"name": name, "rounds": rounds})
        encounter = " The GM rolls for an encounter." if face == 6 else ""
        assert texts(log)[-1] == f"Breakdown for {rounds} round{'s' * (rounds > 1)}: {name}.{encounter}"


@pytest.mark.parametrize(("about", "value"), [("wil", "pass"), ("seen", "yes")])
def test_a_check_or_having_seen_it_spares_a_point(about: str, value: str) -> None:
    at: dict[str, Any] = {about: value}
    after, log = happen("trauma 3", {"trauma": 5}, [8], **at)
    assert after == full(trauma=7)
    assert texts(log)[0] == f"Horror: 2 Trauma (1 spared{', seen before' * (about == 'seen')}), 7 in all."
    calm, _ = happen("trauma 1", {"trauma": 5}, [], **at)
    assert calm == full(trauma=5), "who gains nothing rolls nothing"


def test_having_seen_it_and_a_check_spare_no_more_than_one() -> None:
    assert happen("trauma 3", {}, [3], wil="pass", seen="yes")[0]["trauma"] == 2


def test_a_failed_check_spares_nothing() -> None:
    assert happen("trauma 3", {}, [4], wil="fail", seen="no")[0]["trauma"] == 3


def test_a_breakdown_runs_down_by_rounds_and_by_calming() -> None:
    state = {"breakdown": {"name": "Hide", "rounds": 5}}
    after, log = happen("calm", state)
    assert after == full(breakdown={"name": "Hide", "rounds": 4})
    assert texts(log) == ["Somebody spends a round on calming: 4 rounds of the breakdown are left."]
    assert happen("round 3", after)[0] == full(breakdown={"name": "Hide", "rounds": 1})
    _, log = happen("calm", {"breakdown": {"name": "Hide", "rounds": 2}})
    assert texts(log) == ["Somebody spends a round on calming: 1 round of the breakdown is left."]


@pytest.mark.parametrize("words", ["calm", "round", "round 9", "hour", "day"])
def test_at_its_end_a_save_is_owed(words: str) -> None:
    after, log = happen(words, {"breakdown": {"name": "Hide", "rounds": 1}})
    assert (after["breakdown"], after["saves"]) == (None, [END])
    assert texts(log)[-2:] == [
        "The breakdown (Hide) is over: make a save, or go mad.",
        "    A save is owed for Breakdown: say save pass or save fail.",
    ]
    sane, log = happen("save pass", after)
    assert (sane["saves"], sane["madness"]) == ([], [])
    assert texts(log) == ["The save for the breakdown's end is passed."]
    assert log[0]["why"] == "G13"


@pytest.mark.parametrize("face", MADNESS)
def test_every_madness(face: int) -> None:
    name, details = MADNESS[face]
    madness = glog().table("madness")
    assert madness is not None
    for more, detail in details.items() or [(0, "")]:
        after, log = happen("save fail", {"saves": [{"of": "breakdown"}]}, [face, *([more] if more else [])])
        assert after == full(madness=[{"name": name, "detail": detail}])
        about = f" ({detail})" if detail else ""
        assert any(text.startswith(f"Madness for good: {name}{about}.") for text in texts(log))
        note = next(row.note for row in madness.rows if row.name == name)
        assert texts(log)[-1] == f"Madness for good: {name}{about}." + (f" {note}" if note else "")


def test_a_madness_leaves_the_body_alone() -> None:
    state = {"saves": [{"of": "breakdown"}], "injuries": [injury("gored", 3)], "conditions": [until("prone", "stand")]}
    after, _ = happen("save fail", state, [10])
    assert (after["injuries"], after["conditions"], after["lost"]) == (state["injuries"], state["conditions"], [])


def test_a_new_breakdown_takes_the_place_of_the_old() -> None:
    after, _ = happen("trauma 1", {"breakdown": {"name": "Hide", "rounds": 5}}, [1, 4, 2])
    assert after == full(breakdown={"name": "Fainting", "rounds": 2})


def test_the_dead_go_mad_no_more() -> None:
    state = {"breakdown": {"name": "Hide", "rounds": 5}, "saves": [{"of": "breakdown"}]}
    assert happen("hit 12", state, [1])[0] == full(dead=True)


# --- the three chances of the source ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "claimed", "exact"),
    [
        ("1", 33, 1 - Fraction(19, 20) ** 5),
        ("2,1", 41, 1 - (Fraction(18, 20) * Fraction(17, 20)) ** 5),
        ("1,1", 55, 1 - (Fraction(19, 20) * Fraction(18, 20)) ** 5),
    ],
)
def test_the_three_chances_do_not_hold(points: str, claimed: int, exact: Fraction) -> None:
    said = run("odds", "glog", "breakdown", "--at", "characters=5", "--at", f"points={points}").out.splitlines()
    *_, last, whose = said
    assert f"= {exact.numerator}/{exact.denominator}" in last or exact.denominator >= 10**9
    assert f"{float(exact):.4%}" in last
    assert whose == "that at least one of 5 has broken down"
    assert round(100 * exact) != claimed


def test_where_the_claims_may_come_from() -> None:
    """41% is the first gain of two points alone; 33% fits eight characters rather than five."""
    assert round(100 * (1 - Fraction(18, 20) ** 5)) == 41
    assert [round(100 * (1 - Fraction(19, 20) ** count)) for count in (5, 7, 8, 9)] == [23, 30, 34, 37]


def test_the_verdicts_are_told() -> None:
    lines = run("check", "glog").out.splitlines()
    differs = [line for line in lines if "differs as noted" in line]
    assert [line.split()[2] for line in differs] == ["one_point", "two_points_and_one", "one_point_and_one"]
    claims = [line for line in lines if " claim " in line]
    assert len(claims) >= 100
    assert all(" holds: " in line or " differs as noted: " in line for line in claims)

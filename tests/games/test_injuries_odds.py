"""The odds of severity tables against a slow witness: plain loops over dice and a table written out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from helpers import run
from hypothesis import given, settings
from hypothesis import strategies as st
from injured import Plain, glog, injury

from generator.games import game_of
from generator.games.face import Asked

ROWS = ["1-4", "5-6", "7-8", "9-10", "11-12", "13+"]


def ask(words: str, state: Plain, hits: int | None = None, plays: int | None = None, **at: str) -> dict[str, Any]:
    """What `odds` answers, as JSON has it, fractions read."""
    game = game_of(glog())
    event = game.read_question(words.split(), at)
    answer = game.odds(game.read_state(state), event, Asked(hits, plays))
    value: dict[str, Any] = _read(answer.plain)
    return value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"fraction", "p"}:
            exact = Fraction(value["fraction"])
            assert value["p"] == float(exact)
            return exact
        return {key: _read(inner) for key, inner in value.items()}
    return [_read(inner) for inner in value] if isinstance(value, list) else value


# --- the witness -----------------------------------------------------------------------------------------------------

LIMBS = {"arm": "disarmed", "leg": "prone"}


def row_of(severity: int) -> str:
    if severity >= 13:
        return "13+"
    if severity >= 11:
        return "11-12"
    if severity >= 9:
        return "9-10"
    if severity >= 7:
        return "7-8"
    return "5-6" if severity >= 5 else "1-4"


Ways = list[tuple[Fraction, set[str]]]
"""What a cell may bring, `later` for Dying that is still to come."""


def cell(kind: str, place: str, row: str) -> Ways:
    """One cell of the source's tables: every way it may go, with all conditions of the chain."""
    sure = Fraction(1)
    if row == "13+" and kind != "nonlethal":
        return [(sure, {"slain", "dead"})]
    if kind == "nonlethal":
        wakes: set[str] = {"1-4": set(), "5-6": {"dazed"}}.get(row, {"ko", "unconscious"})
        return [(sure, wakes)]
    if kind == "fire":
        burns: set[str] = {"1-4": set[str](), "5-6": {"burned"}, "7-8": {"burned"}}.get(row, {"burned", "blinded"})
        return [(sure, burns)]
    if kind == "fall" and row == "1-4":
        return [(sure, {"prone"})]
    dying = {"dying", "unconscious"}
    if kind == "fall":
        return [(sure, {"disabled", LIMBS[place]} | (dying if row == "11-12" else set()))]
    if place in LIMBS:
        if row == "11-12":
            return [(sure, {"ruined"} | dying)]
        return [(sure, {LIMBS[place]} | (set() if row == "1-4" else {"disabled"}))]
    if place == "torso":
        gored = {"gored", "winded"}
        if row == "11-12":
            crushed = gored | {"crushed"} | dying
            paralysed = Fraction(3, 10) / 2
            return [
                (Fraction(7, 10), crushed),
                (paralysed, crushed | {"paraplegia"}),
                (paralysed, crushed | {"quadriplegia"}),
            ]
        return [(sure, {"1-4": {"winded"}, "5-6": gored}.get(row, gored | {"later"}))]
    rings = {"concussed", "dazed"}
    if row == "11-12":
        cracked = rings | {"cracked"} | dying
        return [(Fraction(7, 10), cracked), (Fraction(3, 10), cracked | {"coma"})]
    return [(sure, {"1-4": {"dazed"}, "5-6": rings}.get(row, rings | {"ko", "unconscious"}))]


def places(kind: str, place: str | None) -> list[str]:
    if place:
        return [place]
    return {"body": ["arm", "leg", "torso", "head"], "fall": ["arm", "leg"]}.get(kind, [""])


def hits(hp: int, injuries: int, damage: int, kind: str, place: str | None) -> Iterator[tuple[Fraction, str, set[str]]]:
    """Every way a hit may go: its chance, the row and the conditions."""
    lethal = damage - hp
    if lethal <= 0:
        yield Fraction(1), "", set()
        return
    for die in range(1, 13):
        row = row_of(die + lethal + 2 * injuries)
        where = places(kind, place)
        for found in where:
            for share, conditions in cell(kind, found, row):
                yield share / 12 / len(where), row, conditions


# --- one hit ---------------------------------------------------------------------------------------------------------

INJURIES = st.lists(
    st.sampled_from(
        [
            injury("gored", 3),
            injury("burned", 40),
            injury("disabled", 1, "arm"),
            injury("disabled", 0, "leg"),
            injury("blinded"),
            injury("one_eyed"),
        ]
    ),
    max_size=5,
)
WAITING = st.lists(
    st.sampled_from(["coma", "paraplegia", "quadriplegia"]).map(lambda name: injury(name, chances=[3, 30])),
    max_size=2,
    unique_by=lambda entry: str(entry["condition"]),
)
KINDS: dict[str, list[str | None]] = {
    "body": [None, "arm", "leg", "torso", "head"], "nonlethal": [None], "fire": [None], "fall": [None, "arm", "leg"],
}  # fmt: skip
AIMS = st.sampled_from([(kind, place) for kind, places in KINDS.items() for place in places])


def about(kind: str, place: str | None) -> dict[str, Any]:
    return {"type": kind, **({"location": place} if place else {})}


@settings(max_examples=120)
@given(st.integers(0, 9), INJURIES, WAITING, st.integers(1, 16), AIMS)
def test_a_hit_agrees_with_the_witness(
    hp: int, injuries: list[Plain], waiting: list[Plain], damage: int, aim: tuple[str, str | None]
) -> None:
    state = {"hp": hp, "injuries": injuries + waiting, "trauma": 3}
    found = ask(f"hit {damage}", state, **about(*aim))
    ways = list(hits(hp, len(injuries + waiting), damage, *aim))
    assert sum(share for share, _, _ in ways) == 1
    assert set(found) == {"slain", "dying", "rows"}
    assert found["slain"] == sum(share for share, _, conditions in ways if "slain" in conditions)
    assert found["dying"] == sum(share for share, _, conditions in ways if "dying" in conditions)
    if damage > hp:
        assert list(found["rows"]) == ROWS
        assert sum(found["rows"].values()) == 1
        assert found["rows"] == {row: sum(share for share, at, _ in ways if at == row) for row in ROWS}
    else:
        assert found["rows"] == {}
    more = ask(f"conditions {damage}", state, **about(*aim))
    assert set(more) == {"dying_later", "dead", "conditions"}
    assert more["dead"] == found["slain"]
    assert more["dying_later"] == sum(share for share, _, conditions in ways if "later" in conditions)
    names = {name for _, _, conditions in ways for name in conditions} - {"later"}
    assert more["conditions"] == {
        name: sum(share for share, _, conditions in ways if name in conditions) for name in names
    }


# --- several hits ----------------------------------------------------------------------------------------------------


@cache
def dead_by(hp: int, plain: int, waiting: frozenset[str], damage: int, kind: str, left: int) -> Fraction:
    """The chance to be dead within so many hits: injuries are counted, and those that wait for a save do not double."""
    if left == 0:
        return Fraction(0)
    total = Fraction(0)
    for share, _, conditions in hits(hp, plain + len(waiting), damage, kind, None):
        if "slain" in conditions:
            total += share
            continue
        later = waiting | (conditions & {"coma", "paraplegia", "quadriplegia"})
        gained = len(conditions & {"disabled", "gored", "burned", "blinded", "concussed", "ruined"})
        total += share * dead_by(max(hp - damage, 0), plain + gained, later, damage, kind, left - 1)
    return total


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("hp", "plain", "damage"), [(0, 0, 1), (5, 0, 3), (0, 2, 1), (7, 1, 4), (0, 0, 11)])
def test_several_hits_agree_with_the_witness(kind: str, hp: int, plain: int, damage: int) -> None:
    state = {"hp": hp, "injuries": [injury("gored", 3)] * plain}
    found = ask(f"hit {damage}", state, hits=7, type=kind)
    assert set(found) == {"method", "event", "die_by"}
    assert found["die_by"] == [dead_by(hp, plain, frozenset(), damage, kind, count) for count in range(1, 8)]


def test_a_coma_is_not_suffered_twice() -> None:
    state = {"injuries": [injury("coma", chances=[3, 30])]}
    found = ask("hit 1", state, hits=3)
    assert found["die_by"][-1] == dead_by(0, 0, frozenset({"coma"}), 1, "body", 3)
    assert found["die_by"][-1] < dead_by(0, 1, frozenset(), 1, "body", 3)


def test_a_ruined_limb_counts_before_its_save() -> None:
    saves = [{"of": "ruined", "part": "arm", "place": "arm"}]
    assert ask("hit 3", {"saves": saves}) == ask("hit 3", {"injuries": [injury("gored", 3)]})
    assert ask("hit 3", {"saves": saves}, hits=4) == ask("hit 3", {"injuries": [injury("gored", 3)]}, hits=4)


def test_npcs_and_monsters_die_of_what_is_left() -> None:
    assert ask("hit 4", {"kind": "npc", "hp": 9}, hits=4)["die_by"] == [0, 0, 1, 1]
    assert ask("hit 4", {"kind": "monster", "hp": 9}, hits=3)["die_by"] == [0, 0, 1]
    assert ask("hit 9", {"kind": "npc", "hp": 9}) == {"slain": 0, "dying": 1, "rows": {}}
    assert ask("hit 9", {"kind": "monster", "hp": 9}) == {"slain": 1, "dying": 0, "rows": {}}


def test_playing_comes_near_to_counting() -> None:
    exact = ask("hit 4", {"hp": 3}, hits=4)["die_by"]
    played = ask("hit 4", {"hp": 3}, hits=4, plays=400)
    assert set(played) == {"method", "event", "die_by", "plays", "seed"}
    assert (played["plays"], played["seed"]) == (400, 0)
    for share, found in zip(exact, played["die_by"], strict=True):
        assert abs(found["p"] - share) <= 4 * found["error"] + 1e-9
    assert played == ask("hit 4", {"hp": 3}, hits=4, plays=400)


# --- trauma and the dying --------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(0, 25), st.integers(1, 3), st.sampled_from([{}, {"wil": "pass"}, {"seen": "yes"}, {"wil": "fail"}]))
def test_one_gain_of_trauma(before: int, gain: int, check: dict[str, Any]) -> None:
    found = ask(f"trauma {gain}", {"trauma": before}, **check)
    gained = gain - (check in ({"wil": "pass"}, {"seen": "yes"}))
    breaks = sum(die <= before + gained for die in range(1, 21)) if gained else 0
    assert found["breakdown"] == Fraction(breaks, 20)
    assert list(found["rows"].values()) == [Fraction(breaks, 120)] * (6 if breaks else 0)


@settings(max_examples=40)
@given(st.integers(0, 10), st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(1, 8))
def test_breakdowns_of_a_party(before: int, gains: list[int], characters: int) -> None:
    """Everybody on their own: steady through every gain, or not."""
    points = ",".join(map(str, gains))
    found = ask("breakdown", {"trauma": before}, characters=str(characters), points=points)
    steady, total = Fraction(1), before
    for gain in gains:
        total += gain
        steady *= Fraction(sum(die > total for die in range(1, 21)), 20)
    assert found == {"at_least_one": 1 - steady**characters}


@pytest.mark.parametrize("save", [0, 25, 100])
def test_madness_is_a_breakdown_and_a_failed_save(save: int) -> None:
    found = ask("madness 2", {"trauma": 3}, save=str(save))
    assert found["madness"] == Fraction(5, 20) * Fraction(100 - save, 100)
    assert len(found["rows"]) == 10
    assert set(found["rows"].values()) == {found["madness"] / 10}


@pytest.mark.parametrize(("tal", "rounds"), [(1, 0), (9, 2), (13, 6), (50, 0), (50, 6), (50, 30)])
def test_stabilising(tal: int, rounds: int) -> None:
    found = ask(f"stabilise {tal}", {"dying": True, "rounds_dying": rounds})
    assert found == {"success": Fraction(sum(die <= tal // 2 - rounds for die in range(1, 21)), 20)}
    dies = {"success": Fraction(1, 10), "dead": Fraction(9, 10)}
    assert ask("hour", {"dying": True, "rounds_dying": rounds}) == dies


# --- on the command line ---------------------------------------------------------------------------------------------


def test_the_lines_say_the_same() -> None:
    said = run("odds", "glog", "hit", "5").out
    assert "slain           41.6667% = 5/12\n" in said
    assert "dying soon       8.3333% = 1/12\n" in said
    assert "severity 11-12  16.6667% = 1/6" in said
    assert "dead after 2 hits  76.1111% = 137/180" in run("odds", "glog", "hit", "5", "--hits", "2").out
    assert run("odds", "glog", "hit", "5", "--simulate", "50", "--seed", "3").out.splitlines()[-1] == (
        "50 plays with the seed 3: an estimate, not exact"
    )
    assert "Coma             1.2500% = 1/80" in run("odds", "glog", "conditions", "5").out

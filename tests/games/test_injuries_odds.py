"""The odds of severity tables: fractions that were counted by hand over dice and cells.

That the counter agrees with the engine in every fraction is in `test_counter.py`, and that the engine reads the tables
of the source in `test_injuries_tables.py`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from helpers import run
from hypothesis import given
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


# --- one hit ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "state", "rows", "slain", "dying"), [
    ("5 type=body", {}, [0, 1, 2, 2, 2, 5], "5/12", "1/6"),
    ("5 type=body", {"injuries": [injury("burned", 40)]}, [0, 0, 1, 2, 2, 7], "7/12", "1/6"),
    ("3 type=body location=arm", {"hp": 2}, [3, 2, 2, 2, 2, 1], "1/12", "1/6"),
    ("1 type=fall", {}, [3, 2, 2, 2, 2, 1], "1/12", "1/6"),
    ("1 type=fire", {}, [3, 2, 2, 2, 2, 1], "1/12", "0"),
    ("13 type=nonlethal", {}, [0, 0, 0, 0, 0, 12], "0", "0"),
    ("4 type=body", {"hp": 4}, [], "0", "0"),
])  # fmt: skip
def test_a_hit_is_counted_die_by_die(words: str, state: Plain, rows: list[int], slain: str, dying: str) -> None:
    """Of twelve faces, those that lead to each row."""
    found = ask(f"hit {words}", state)
    assert list(found) == ["slain", "dying", "rows"]
    assert found["rows"] == {row: Fraction(faces, 12) for row, faces in zip(ROWS, rows, strict=False)}
    assert (found["slain"], found["dying"]) == (Fraction(slain), Fraction(dying))


def test_conditions_of_a_hit_are_counted_with_their_chains() -> None:
    """On the head 11-12 cracks the skull, and three of ten times it is a coma."""
    found = ask("conditions 5 type=body location=head", {})
    assert (found["dead"], found["dying_later"]) == (Fraction(5, 12), 0)
    assert found["conditions"] == {
        **dict.fromkeys(("slain", "dead"), Fraction(5, 12)),
        **dict.fromkeys(("cracked", "dying"), Fraction(2, 12)),
        **dict.fromkeys(("concussed", "dazed"), Fraction(7, 12)),
        "ko": Fraction(4, 12), "unconscious": Fraction(6, 12), "coma": Fraction(2, 12) * Fraction(3, 10),
    }  # fmt: skip
    torso = ask("conditions 5 type=body location=torso", {})
    assert torso["dying_later"] == Fraction(4, 12)
    assert torso["conditions"]["paraplegia"] == torso["conditions"]["quadriplegia"] == Fraction(2, 12) * Fraction(3, 20)


# --- several hits ----------------------------------------------------------------------------------------------------


def test_hits_in_a_row_are_counted_with_what_each_leaves() -> None:
    """Of 11 points every face but 1 slays."""
    assert ask("hit 11 type=fall", {}, hits=2)["die_by"][0] == Fraction(11, 12)
    hurt = {"injuries": [injury("gored", 3)] * 2}
    assert ask("hit 8 type=fire", hurt, hits=1)["die_by"] == [1]
    assert ask("hit 1 type=nonlethal", hurt, hits=7)["die_by"] == [0] * 7
    # A burn is one injury, with blindness two, and each adds 2 to the next severity.
    dead = [Fraction(5, 12), Fraction(5, 12) + Fraction(3, 12) * Fraction(7, 12) + Fraction(4, 12) * Fraction(9, 12)]
    assert ask("hit 5 type=fire", {}, hits=2)["die_by"] == dead


def test_a_coma_is_not_suffered_twice() -> None:
    """It makes the later hits no harder, as another injury would."""
    coma, gored = ({"injuries": [each]} for each in (injury("coma", chances=[3, 30]), injury("gored", 3)))
    assert ask("hit 1", coma, hits=1) == ask("hit 1", gored, hits=1)
    assert ask("hit 1", coma, hits=3)["die_by"][-1] < ask("hit 1", gored, hits=3)["die_by"][-1]


def test_a_ruined_limb_counts_before_its_save() -> None:
    saves = [{"of": "ruined", "part": "arm", "place": "arm"}]
    assert ask("hit 3", {"saves": saves}) == ask("hit 3", {"injuries": [injury("gored", 3)]})
    assert ask("hit 3", {"saves": saves}, hits=4) == ask("hit 3", {"injuries": [injury("gored", 3)]}, hits=4)


def test_npcs_and_monsters_die_of_what_is_left() -> None:
    assert ask("hit 4", {"kind": "npc", "hp": 9}, hits=4)["die_by"] == [0, 0, 1, 1]
    assert ask("hit 4", {"kind": "monster", "hp": 9}, hits=3)["die_by"] == [0, 0, 1]
    assert ask("hit 9", {"kind": "npc", "hp": 9}) == {"slain": 0, "dying": 1, "rows": {}}
    assert ask("hit 9", {"kind": "monster", "hp": 9}) == {"slain": 1, "dying": 0, "rows": {}}


# --- trauma and the dying --------------------------------------------------------------------------------------------


@given(st.integers(0, 25), st.integers(1, 3), st.sampled_from([{}, {"wil": "pass"}, {"seen": "yes"}, {"wil": "fail"}]))
def test_one_gain_of_trauma(before: int, gain: int, check: dict[str, Any]) -> None:
    found = ask(f"trauma {gain}", {"trauma": before}, **check)
    gained = gain - (check in ({"wil": "pass"}, {"seen": "yes"}))
    breaks = sum(die <= before + gained for die in range(1, 21)) if gained else 0
    assert found["breakdown"] == Fraction(breaks, 20)
    assert list(found["rows"].values()) == [Fraction(breaks, 120)] * (6 if breaks else 0)


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

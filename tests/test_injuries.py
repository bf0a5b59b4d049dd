"""Severity tables: every cell of both, from the source by hand, through the engine; and each condition's chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from injured import Plain, full, happen, injury, owed, suffered, texts, until

BANDS = {"1-4": (2, 4), "5-6": (5, 6), "7-8": (7, 8), "9-10": (9, 10), "11-12": (11, 12), "13+": (13, 40)}
"""The lowest and the highest severity to try in each band. One point of damage and a 1 make 2, so 1 never comes up."""

Cell = tuple[Sequence[int], list[str], dict[str, Any]]
"""The dice that a cell asks for, the conditions in order, and how the state differs from a fresh one."""

SLAIN: Cell = ((), ["slain", "dead"], {"dead": True})
DYING = ["dying", "unconscious"]


def limb(place: str) -> dict[str, Cell]:
    """The column of arms or of legs."""
    comes, lies = ("disarmed", []) if place == "arm" else ("prone", [until("prone", "stand")])

    def disabled(days: int, *dice: int) -> Cell:
        return dice, ["disabled", comes], {"injuries": [injury("disabled", days, place)], "conditions": lies}

    return {
        "1-4": ((), [comes], {"conditions": lies}),
        "5-6": disabled(1),
        "7-8": disabled(9, 4, 5),
        "9-10": disabled(63, 4, 5),
        "11-12": ((), ["ruined", *DYING], {"dying": True, "saves": [owed("ruined", place)]}),
        "13+": SLAIN,
    }


WINDED, DAZED = until("winded", "breath"), until("dazed", "1 round")
GORED, CONCUSSED = ["gored", "winded"], ["concussed", "dazed"]

TORSO: dict[str, Cell] = {
    "1-4": ((), ["winded"], {"conditions": [WINDED]}),
    "5-6": ((), GORED, {"injuries": [injury("gored", 1, "torso")], "conditions": [WINDED]}),
    "7-8": (
        (1, 2, 12),
        GORED,
        {
            "injuries": [injury("gored", 3, "torso")],
            "conditions": [WINDED],
            "coming": [{"condition": "dying", "after": "12 rounds"}],
        },
    ),
    "9-10": (
        (6, 6, 1),
        GORED,
        {
            "injuries": [injury("gored", 84, "torso")],
            "conditions": [WINDED],
            "coming": [{"condition": "dying", "after": "1 round"}],
        },
    ),
    "11-12": (
        (1, 1, 4),
        ["crushed", *GORED, *DYING],
        {
            "injuries": [injury("gored", 14, "torso")],
            "conditions": [WINDED],
            "dying": True,
            "saves": [owed("crushed", "torso")],
        },
    ),
    "13+": SLAIN,
}
HEAD: dict[str, Cell] = {
    "1-4": ((), ["dazed"], {"conditions": [DAZED]}),
    "5-6": ((), CONCUSSED, {"injuries": [injury("concussed", 1, "head")], "conditions": [DAZED]}),
    "7-8": (
        (5, 5, 3),
        [*CONCUSSED, "ko", "unconscious"],
        {"injuries": [injury("concussed", 10, "head")], "conditions": [DAZED, until("ko", "3 rounds")]},
    ),
    "9-10": (
        (5, 5, 6),
        [*CONCUSSED, "ko", "unconscious"],
        {"injuries": [injury("concussed", 70, "head")], "conditions": [DAZED, until("ko", "6 minutes")]},
    ),
    "11-12": (
        (6, 1, 10),
        ["cracked", *CONCUSSED, *DYING],
        {
            "injuries": [injury("concussed", 49, "head")],
            "conditions": [DAZED],
            "dying": True,
            "saves": [owed("cracked", "head")],
        },
    ),
    "13+": SLAIN,
}


def out_cold(minutes: int, *dice: int) -> Cell:
    return dice, ["ko", "unconscious"], {"conditions": [until("ko", f"{minutes} minute{'s' * (minutes > 1)}")]}


NONLETHAL: dict[str, Cell] = {
    "1-4": ((), [], {}),
    "5-6": ((), ["dazed"], {"conditions": [DAZED]}),
    "7-8": out_cold(1, 1),
    "9-10": out_cold(6, 6),
    "11-12": out_cold(2, 1, 1),
    "13+": out_cold(12, 6, 6),
}
FIRE: dict[str, Cell] = {
    "1-4": ((), [], {}),
    "5-6": ((), ["burned"], {"injuries": [injury("burned", 1)]}),
    "7-8": ((2, 2), ["burned"], {"injuries": [injury("burned", 4)]}),
    "9-10": ((2, 2, 6), ["burned", "blinded"], {"injuries": [injury("burned", 28), injury("blinded", 6)]}),
    "11-12": (
        (2, 2),
        ["burned", "blinded"],
        {"injuries": [injury("burned", 28), injury("blinded")], "saves": [owed("blinded")]},
    ),
    "13+": SLAIN,
}


def fall(place: str) -> dict[str, Cell]:
    """Falls hurt an arm or a leg, and at 11 to 12 they leave one Dying too."""
    cells, prone = limb(place), [until("prone", "stand")]
    dice, chain, weeks = cells["9-10"]
    return {
        **cells,
        "1-4": ((), ["prone"], {"conditions": prone}),
        "11-12": (dice, [*chain, *DYING], {**weeks, "dying": True}),
    }


COLUMNS: dict[tuple[str, str], dict[str, Cell]] = {
    ("body", "arm"): limb("arm"),
    ("body", "leg"): limb("leg"),
    ("body", "torso"): TORSO,
    ("body", "head"): HEAD,
    ("nonlethal", ""): NONLETHAL,
    ("fire", ""): FIRE,
    ("fall", "arm"): fall("arm"),
    ("fall", "leg"): fall("leg"),
}


def struck(severity: int, dice: Sequence[int], **at: Any) -> tuple[Plain, list[Plain]]:
    """A hit on somebody without HP or injuries that comes to this severity."""
    die = min(severity - 1, 12)
    return happen(f"hit {severity - die}", {}, [die, *dice], **at)


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize(("kind", "place"), COLUMNS)
def test_every_cell(kind: str, place: str, band: str, end: int) -> None:
    dice, chain, changes = COLUMNS[kind, place][band]
    severity = BANDS[band][end]
    after, log = struck(severity, dice, type=kind, **({"location": place} if place else {}))
    assert f"Severity {severity}: " in texts(log)[1]
    assert suffered(log) == chain
    assert after == full(**changes)
    row = next(entry for entry in log if entry["kind"] == "row")
    assert row["at"] == band
    assert all(text.strip() for text in texts(log))


@pytest.mark.parametrize(("face", "place"), [(1, "arm"), (2, "leg"), (3, "torso"), (4, "head")])
def test_the_d4_finds_the_place(face: int, place: str) -> None:
    """G2: the heads of the columns are 1/2, 3 and 4."""
    assert struck(5, [face]) == struck(5, [], location=place)


def test_a_roll_of_13_asks_for_no_place() -> None:
    after, log = struck(13, [])
    assert after == full(dead=True)
    assert texts(log)[1:] == [
        "Severity 13: 12 on the d12 + 1 lethal.",
        "Weapons and blows, 13+:",
        "  Slain.",
        "    Dead.",
    ]


@pytest.mark.parametrize(("face", "place"), [(1, "arm"), (2, "leg")])
def test_a_fall_rolls_for_the_limb(face: int, place: str) -> None:
    """G17: a d2, as the columns of the body count."""
    after, _ = struck(8, [face, 1, 1], type="fall")
    assert after["injuries"] == [injury("disabled", 2, place)]


@pytest.mark.parametrize(("face", "side"), [(1, "left"), (2, "right")])
@pytest.mark.parametrize("place", ["arm", "leg"])
def test_the_side_is_rolled_where_the_ruling_asks_for_it(place: str, face: int, side: str) -> None:
    sides = [("sides", "on")]
    after, log = happen("hit 4", {}, [1, face], sides, location=place)
    assert after["injuries"] == [injury("disabled", 1, f"{side} {place}")]
    assert f"It hits the {side} {place}." in texts(log)
    said, _ = happen("hit 4", {}, [1], sides, location=place, side=side)
    assert said == after
    assert happen("hit 4", {}, [1], location=place, side=side)[0] == after


def test_torso_and_head_have_no_side() -> None:
    for place in ("torso", "head"):
        happen("hit 4", {}, [1], [("sides", "on")], location=place)


def test_a_fall_of_a_known_side() -> None:
    after, _ = happen("hit 4", {}, [1, 2, 1], [("sides", "on")], type="fall")
    assert after["injuries"] == [injury("disabled", 1, "left leg")]


# --- severity (G1, G7) -----------------------------------------------------------------------------------------------


def test_damage_up_to_the_hp_is_not_lethal() -> None:
    after, log = happen("hit 5", {"hp": 5})
    assert after == full(hp=0)
    assert texts(log) == ["A hit for 5: 0 HP are left."]


def test_the_excess_is_lethal() -> None:
    after, log = happen("hit 6", {"hp": 5}, [1], type="fire")
    assert after == full()
    assert texts(log) == [
        "A hit for 6: 0 HP are left, and 1 of it is lethal.",
        "Severity 2: 1 on the d12 + 1 lethal.",
        "Other damage, 1-4, Fire or acid:",
        "  No injury.",
    ]


@pytest.mark.parametrize("die", [1, 4, 6, 8, 9, 12])
def test_acid_is_looked_up_with_fire(die: int) -> None:
    luck = [die, *([2, 2, 3] if die > 5 else [])][: {1: 1, 4: 1, 6: 3, 8: 4, 9: 3, 12: 1}[die]]
    assert happen("hit 2", {}, luck, type="acid") == happen("hit 2", {}, luck, type="fire")


COUNTED: dict[str, tuple[Plain, int]] = {
    "nothing": ({}, 0),
    "days": ({"injuries": [injury("gored", 3)]}, 1),
    "for good": ({"injuries": [injury("disabled", 0, "arm")]}, 1),
    "a coma with chances": ({"injuries": [injury("coma", chances=[2, 9])]}, 1),
    "two of a kind": ({"injuries": [injury("gored", 3), injury("gored", 30)]}, 2),
    "both of a burn": ({"injuries": [injury("burned", 3), injury("blinded", 2)]}, 2),
    "rounds and minutes": ({"conditions": [until("ko", "5 minutes"), until("dazed", "1 round"), WINDED]}, 0),
    "lost points": ({"lost": [{"statistic": "will", "by": 1}]}, 0),
    "a madness": ({"madness": [{"name": "Amnesia"}]}, 0),
    "a ruined limb before its save": ({"dying": True, "saves": [owed("ruined", "arm")]}, 1),
    "two ruined limbs": ({"saves": [owed("ruined", "arm"), owed("ruined", "leg")]}, 2),
    "saves that bring no injury": (
        {"saves": [owed("crushed", "torso"), owed("cracked", "head"), {"of": "breakdown"}]},
        0,
    ),
    "a save that takes one injury for another": (
        {"injuries": [injury("blinded")], "saves": [owed("blinded")]},
        1,
    ),
}


@pytest.mark.parametrize("what", COUNTED)
def test_current_injuries_are_counted(what: str) -> None:
    """G7: what runs in days and what is permanent, each for 2."""
    state, count = COUNTED[what]
    _, log = happen("hit 1", state, [1], type="nonlethal")
    severity = next(entry for entry in log if entry["kind"] == "severity")
    assert (severity["injuries"], severity["severity"]) == (count, 2 + 2 * count)

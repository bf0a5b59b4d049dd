"""One worked example for each ruling, as the command line plays it: the state before, the event, the line after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import run
from injured import glog, injury, owed

MINUS = "\u2212"
Example = tuple[dict[str, Any], str, str]

EXAMPLES: dict[str, list[Example]] = {
    "G1": [
        # 2 HP and 5 damage leave 3 lethal; with a 2 on the d12 and one injury that is 2 + 3 + 2 = 7.
        (
            {"hp": 2, "injuries": [injury("burned", 3)]},
            "hit 5 --at location=arm --dice 2,4,5",
            "0 HP, Burned 3 days, Disabled (arm) 9 days",
        ),
        ({"hp": 5}, "hit 5", "0 HP"),
    ],
    "G2": [
        ({}, "hit 4 --dice 1,2", "0 HP, Disabled (leg) 1 day, Prone"),
        ({}, "hit 4 --dice 1,1,2 --set sides=on", "0 HP, Disabled (right arm) 1 day"),
    ],
    "G3": [({}, "hit 1 --dice 1,1", "0 HP"), ({}, "hit 1 --dice 1,2", "0 HP, Prone")],
    "G4": [
        ({}, "hit 4 --dice 1,3", "0 HP, Gored (torso) 1 day, Winded"),
        ({}, "hit 4 --dice 1,4", "0 HP, Concussed (head) 1 day, Dazed 1 round"),
    ],
    "G5": [
        ({}, "hit 1 --dice 12", "dead"),
        ({}, "hit 1 --at type=fire --dice 12", "dead"),
        ({}, "hit 1 --at type=fall --dice 12", "dead"),
        ({}, "hit 1 --at type=nonlethal --dice 12,6,6", "0 HP, KO'd 12 minutes"),
    ],
    "G6": [
        ({}, "hit 1 --dice 6,3,1,1,12", "0 HP, Dying in 12 rounds, Gored (torso) 2 days, Winded"),
        ({"coming": [{"condition": "dying", "after": "2 rounds"}]}, "round 4", "0 HP, Dying for 2 rounds"),
        ({"coming": [{"condition": "dying", "after": "2 rounds"}]}, "treat", "0 HP"),
    ],
    "G7": [
        # Two injuries that run and one for good make 6; a KO does not count: 1 + 1 + 6 = 8.
        (
            {
                "injuries": [injury("gored", 3), injury("burned", 9), injury("one_eyed")],
                "conditions": [{"condition": "ko", "until": "9 minutes"}],
            },
            "hit 1 --at type=nonlethal --dice 1,2",
            "0 HP, Gored 3 days, Burned 9 days, One-eyed for good, KO'd 9 minutes",
        ),
        # Where those for good do not count it is 1 + 1 + 2 = 4: no injury.
        (
            {"injuries": [injury("gored", 3), injury("one_eyed")]},
            "hit 1 --at type=nonlethal --dice 1 --set permanent_injuries=do_not_count",
            "0 HP, Gored 3 days, One-eyed for good",
        ),
    ],
    "G8": [
        ({"injuries": [injury("gored", 5), injury("burned", 9)]}, "day 2", "0 HP, Gored 3 days, Burned 7 days"),
        ({"injuries": [injury("gored", 5), injury("burned", 9)]}, "heal 6", "6 HP, Burned 3 days"),
        # With the other reading the longest is healed, or the one that is chosen, and what is left over goes on.
        (
            {"injuries": [injury("gored", 5), injury("burned", 9)]},
            "heal 3 --set magic_heals=one_injury",
            "3 HP, Gored 5 days, Burned 6 days",
        ),
        (
            {"injuries": [injury("gored", 5), injury("burned", 9)]},
            "heal 6 --at injury=1 --set magic_heals=one_injury",
            "6 HP, Burned 8 days",
        ),
    ],
    "G9": [({}, "hit 8 --at location=leg --dice 1,3,4", "0 HP, Disabled (leg) 49 days, Prone")],
    "G10": [
        ({"kind": "monster", "hp": 3}, "hit 3", "dead"),
        ({"kind": "npc", "hp": 3}, "hit 5", f"{MINUS}2 HP, Dying"),
        ({"kind": "npc", "hp": 3}, "hit 6", "dead"),
    ],
    "G11": [
        ({"dying": True, "rounds_dying": 1}, "stabilise 11 --dice 4", "0 HP"),
        ({"dying": True, "rounds_dying": 1}, "stabilise 11 --dice 5", "0 HP, Dying for 1 round"),
        ({"dying": True, "rounds_dying": 9}, "heal 1", "1 HP"),
        ({"dying": True}, "hour --dice 1", "0 HP"),
        ({"dying": True}, "hour --dice 2", "dead"),
    ],
    "G12": [
        ({"trauma": 4}, "trauma 1 --dice 5,2,7", "0 HP, breakdown (Hide) for 7 more rounds"),
        ({"trauma": 4}, "trauma 1 --dice 6", "0 HP, Trauma 5"),
        ({"breakdown": {"name": "Hide", "rounds": 2}}, "calm", "0 HP, breakdown (Hide) for 1 more round"),
    ],
    "G13": [
        ({"saves": [owed("breakdown")]}, "save pass", "0 HP"),
        ({"saves": [owed("breakdown")]}, "save fail --dice 8", "0 HP, Phobia"),
    ],
    "G14": [({"trauma": 4, "injuries": [injury("gored", 8)]}, "week", "0 HP, Gored 1 day, Trauma 3")],
    "G15": [
        (
            {},
            "hit 1 --dice 10,4,1,1,3,2,5",
            "0 HP, Dying, Concussed (head) 14 days, Coma (head) saves in 2 and 35 days, Dazed 1 round, "
            "a save owed (Cracked)",
        ),
        (
            {"injuries": [injury("coma", chances=[1, 9])]},
            "day",
            "0 HP, Coma save in 8 days, a save owed (Coma, to recover)",
        ),
        ({"saves": [owed("ruined", "arm")]}, "save pass --dice 1,1", "0 HP, Disabled (arm) 14 days"),
    ],
    "G16": [({}, "hit 1 --at type=fire --dice 9,1,1,2", "0 HP, Burned 14 days, Blinded 2 days")],
    "G17": [({}, "hit 1 --at type=fall --dice 5,2", "0 HP, Disabled (leg) 1 day, Prone")],
    "G18": [
        # Four hit dice, burned and gored: 8 or 4 off a maximum of 9.
        (
            {"max_hp": 9, "hd": 4, "injuries": [injury("gored", 5), injury("burned", 5)]},
            "heal 9 --at by=rest",
            "1 HP, Gored 5 days, Burned 5 days",
        ),
        (
            {"max_hp": 9, "hd": 4, "injuries": [injury("gored", 5), injury("burned", 5)]},
            "heal 9 --at by=rest --set lowered_hp=once",
            "5 HP, Gored 5 days, Burned 5 days",
        ),
        # Two hit dice take 2 off a maximum of 2, and 1 is left: any HP stop Dying.
        (
            {"max_hp": 2, "hd": 2, "dying": True, "injuries": [injury("gored", 30)]},
            "heal 5",
            "1 HP, Gored 25 days",
        ),
    ],
    # The helper's 13, not the patient's: half of it, less 1 for a round.
    "G19": [({"dying": True, "rounds_dying": 1}, "stabilise 13 --dice 5", "0 HP")],
    "G20": [
        ({"injuries": [injury("coma", chances=[8])], "saves": [owed("coma", chance=True)]}, "save pass", "0 HP"),
        (
            {"injuries": [{"condition": "coma"}], "saves": [owed("coma", chance=True)]},
            "save fail",
            "0 HP, Coma for good",
        ),
    ],
    "G21": [({"saves": [owed("breakdown")]}, "save fail --dice 2,2", "0 HP, Alien Hand Syndrome (right arm)")],
    # Gored is over first, and lowers the maximum no more.
    "G22": [({"max_hp": 9, "hd": 2, "injuries": [injury("gored", 30)]}, "heal 30", "9 HP")],
}


def test_every_ruling_has_an_example() -> None:
    assert list(EXAMPLES) == [ruling.id for ruling in glog().head.rulings]


@pytest.mark.parametrize(
    ("ruling", "place"), [(ruling, place) for ruling, examples in EXAMPLES.items() for place in range(len(examples))]
)
def test_an_example(ruling: str, place: int, tmp_path: Path) -> None:
    state, words, line = EXAMPLES[ruling][place]
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    ran = run("resolve", "glog", *words.split(), "--state", path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == line

"""`hackjack table glog`: both severity tables, breakdowns and madness looked up, and rolled to the last die."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from helpers import run


def told(*words: str) -> str:
    """What `table` prints."""
    ran = run("table", "glog", *words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def shape(*words: str) -> dict[str, Any]:
    """What it prints as JSON."""
    value: dict[str, Any] = json.loads(told(*words, "--json"))
    return value


ROWS = ["1-4", "5-6", "7-8", "9-10", "11-12", "13+"]
LIMB = ["Disabled 1 day", "Disabled 2d6 days", "Disabled 2d6 weeks"]
WHICH = "d2 which limb; "
COLUMNS: dict[str, dict[str, list[str]]] = {
    "body": {
        "arm": ["Disarmed", *LIMB, "Ruined; Dying"],
        "leg": ["Prone", *LIMB, "Ruined; Dying"],
        "torso": [
            "Winded",
            "Gored 1 day",
            "Gored 2d6 days; Dying in d12 rounds†",
            "Gored 2d6 weeks; Dying in d6 rounds†",
            "Crushed; Dying",
        ],
        "head": [
            "Dazed 1 round",
            "Concussed 1 day",
            "Concussed 2d6 days; KO'd d6 rounds",
            "Concussed 2d6 weeks; KO'd d6 minutes",
            "Cracked; Dying",
        ],
    },
    "special": {
        "nonlethal": ["No injury", "Dazed 1 round", *["KO'd d6 minutes"] * 2, *["KO'd 2d6 minutes"] * 2],
        "fire": [
            "No injury",
            "Burned 1 day",
            "Burned 2d6 days",
            "Burned 2d6 weeks; Blinded d6 days",
            "Burned 2d6 weeks; Blinded for good",
            "Slain",
        ],
        "fall": ["Prone", *[WHICH + cell for cell in LIMB], f"{WHICH}Disabled 2d6 weeks; Dying", "Slain"],
    },
}


@pytest.mark.parametrize("table", COLUMNS)
def test_a_whole_severity_table(table: str) -> None:
    rows = shape(table)["rows"]
    assert [row["at"] for row in rows] == ROWS
    for column, cells in COLUMNS[table].items():
        assert [row["cells"][column] for row in rows if row["cells"]] == cells
    assert all(list(row["cells"]) in ([], list(COLUMNS[table])) for row in rows)
    for severity, at in ((1, "1-4"), (6, "5-6"), (7, "7-8"), (10, "9-10"), (11, "11-12"), (13, "13+"), (500, "13+")):
        assert shape(table, "--at", f"severity={severity}")["at"] == at
    assert told("body", "--at", "severity=13") == "severity 13+  Slain.\n"


def test_one_cell() -> None:
    said = told("body", "--at", "severity=8", "--at", "column=head")
    assert said == "severity 7-8  Concussed 2d6 days; KO'd d6 rounds\n"


ROLLED = {
    ("body", 7, "arm"): (r"Disabled (\d+) days", [(2, 12)]),
    ("body", 7, "torso"): (r"Gored (\d+) days; Dying in (\w+) rounds?†", [(2, 12), (1, 12)]),
    ("body", 8, "head"): (r"Concussed (\d+) days; KO'd (\d+) rounds?", [(2, 12), (1, 6)]),
    ("body", 9, "leg"): (r"Disabled (\d+) weeks", [(2, 12)]),
    ("body", 10, "head"): (r"Concussed (\d+) weeks; KO'd (\d+) minutes?", [(2, 12), (1, 6)]),
    ("special", 7, "nonlethal"): (r"KO'd (\d+) minutes?", [(1, 6)]),
    ("special", 13, "nonlethal"): (r"KO'd (\d+) minutes", [(2, 12)]),
    ("special", 9, "fire"): (r"Burned (\d+) weeks; Blinded (\d+) days?", [(2, 12), (1, 6)]),
    ("special", 5, "fall"): (r"(arm|leg); Disabled 1 day", []),
    ("special", 12, "fall"): (r"(?:arm|leg); Disabled (\d+) weeks; Dying", [(2, 12)]),
}
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@pytest.mark.parametrize("cell", ROLLED, ids=str)
def test_what_a_cell_lasts_is_rolled(cell: tuple[str, int, str]) -> None:
    table, severity, column = cell
    pattern, limits = ROLLED[cell]
    seen = set()
    for seed in range(6):
        words = (table, "--at", f"severity={severity}", "--at", f"column={column}", "--roll", "--seed", str(seed))
        rolled = shape(*words)["rolled"]
        match = re.fullmatch(pattern, rolled)
        assert match, rolled
        seen.add(rolled)
        for written, (least, most) in zip(match.groups(), limits, strict=False):
            assert least <= (WORDS.index(written) if written in WORDS else int(written)) <= most
    assert len(seen) >= 2, "seeds differ"
    assert shape(*words)["rolled"] == rolled, "and each stays the same"


def test_the_column_is_rolled_where_none_is_named() -> None:
    columns = {shape("body", "--at", "severity=12", "--roll", "--seed", str(seed))["rolled"] for seed in range(12)}
    assert columns == {"Arm", "Leg", "Torso", "Head"}
    said = told("body", "--at", "severity=7", "--roll", "--seed", "4")
    assert said == "severity 7-8  Disabled 2d6 days: Arm: Disabled 4 days\n"
    assert "rolled" not in shape("body", "--at", "severity=13", "--roll")


@pytest.mark.parametrize(("table", "faces"), [("breakdowns", 6), ("madness", 10)])
def test_a_row_is_rolled(table: str, faces: int) -> None:
    totals = set()
    for seed in range(12):
        found = shape(table, "--roll", "--seed", str(seed))
        totals.add(found["total"])
        assert found["at"] == str(found["total"])
        assert found["rolled"].startswith(f"d{faces} shows {found['total']}")
    assert totals <= set(range(1, faces + 1))
    assert len(totals) >= 4


@pytest.mark.parametrize(
    ("row", "outcomes"),
    [
        (1, {"sex for good", "drugs for good", "alcohol for good"}),
        (2, {"left arm", "right arm"}),
    ],
)
def test_what_a_madness_is_about_is_rolled(row: int, outcomes: set[str]) -> None:
    words = ("madness", "--at", f"roll={row}", "--roll", "--seed")
    assert {shape(*words, str(seed))["rolled"] for seed in range(9)} == outcomes


def test_a_madness_by_name_and_without_dice() -> None:
    said = told("madness", "--at", "name=twitches")
    assert said == "roll 10  Twitches; \u22121 to Dex-Attack and fitting Skill checks for good.\n"
    assert "rolled" not in shape("madness", "--at", "roll=7", "--roll")

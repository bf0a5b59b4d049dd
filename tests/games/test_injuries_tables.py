"""`hackjack table glog`: both severity tables, breakdowns and madness looked up, and rolled to the last die."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from helpers import as_typed, opened, run, text_of

from generator.games.card_products import card_set
from generator.layout.card_elements import short_form, title_of
from generator.pack.load import load_pack
from generator.words.table_text import table_cells


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
        "arm": ["Disarmed", *LIMB, "Ruined; Dying until stable"],
        "leg": ["Prone until up", *LIMB, "Ruined; Dying until stable"],
        "torso": [
            "Winded until rested a round",
            "Gored 1 day",
            "Gored 2d6 days; Dying in d12 rounds until stable",
            "Gored 2d6 weeks; Dying in d6 rounds until stable",
            "Crushed; Dying until stable",
        ],
        "head": [
            "Dazed 1 round",
            "Concussed 1 day",
            "Concussed 2d6 days; KO'd d6 rounds",
            "Concussed 2d6 weeks; KO'd d6 minutes",
            "Cracked; Dying until stable",
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
        "fall": [
            "Prone until up",
            *[WHICH + cell for cell in LIMB],
            f"{WHICH}Disabled 2d6 weeks; Dying until stable",
            "Slain",
        ],
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


ROLLED = {
    ("body", 7, "arm"): (r"Disabled (\d+) days", [(2, 12)]),
    ("body", 7, "torso"): (r"Gored (\d+) days; Dying in (\w+) rounds? until stable", [(2, 12), (1, 12)]),
    ("body", 8, "head"): (r"Concussed (\d+) days; KO'd (\d+) rounds?", [(2, 12), (1, 6)]),
    ("body", 9, "leg"): (r"Disabled (\d+) weeks", [(2, 12)]),
    ("body", 10, "head"): (r"Concussed (\d+) weeks; KO'd (\d+) minutes?", [(2, 12), (1, 6)]),
    ("special", 7, "nonlethal"): (r"KO'd (\d+) minutes?", [(1, 6)]),
    ("special", 13, "nonlethal"): (r"KO'd (\d+) minutes", [(2, 12)]),
    ("special", 9, "fire"): (r"Burned (\d+) weeks; Blinded (\d+) days?", [(2, 12), (1, 6)]),
    ("special", 5, "fall"): (r"(arm|leg); Disabled 1 day", []),
    ("special", 12, "fall"): (r"(?:arm|leg); Disabled (\d+) weeks; Dying until stable", [(2, 12)]),
}
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@pytest.mark.parametrize("cell", ROLLED, ids=str)
def test_what_a_cell_lasts_is_rolled(cell: tuple[str, int, str]) -> None:
    table, severity, column = cell
    pattern, limits = ROLLED[cell]
    seen = set()
    for seed in range(4):
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


@pytest.mark.parametrize(
    ("row", "outcomes"), [(1, {"sex for good", "drugs for good", "alcohol for good"}), (2, {"left arm", "right arm"})]
)
def test_what_a_madness_is_about_is_rolled(row: int, outcomes: set[str]) -> None:
    words = ("madness", "--at", f"roll={row}", "--roll", "--seed")
    assert {shape(*words, str(seed))["rolled"] for seed in range(9)} == outcomes


# --- a pack's own rows: with names, notes and effects of their own ---------------------------------------------------

SYSTEM = """\
id: bruiser
extends: glog
title: Bruiser
procedure: {damage: {body: {table: blows}}}
"""
TABLES = """\
tables:
  - id: blows
    title: Blows
    by: severity
    covers: 1+
    column_roll: d4
    columns:
      arm: {title: Arm, at: 1}
      leg: {title: Leg, at: 2}
      torso: {title: Torso, at: 3}
      head: {title: Head, at: 4}
    rows:
      - at: 1-4
        name: A scratch
        note: "It takes a {severity_die} to see it."
      - at: 5-8
        name: A cut
        note: It bleeds.
        cells: {arm: [suffer burned for 3 days], head: "A scar, and {per_injury} teeth"}
        effects: [suffer disabled for 1 day]
      - at: 9-12
        name: All over
        effects: [suffer disabled for 2 days]
      - {at: 13+, effects: [suffer slain at once]}
"""


@pytest.fixture
def bruiser(tmp_path: Path) -> Path:
    folder = tmp_path / "bruiser"
    folder.mkdir()
    (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
    (folder / "tables.yaml").write_text(TABLES, encoding="utf-8")
    return folder


def test_a_row_with_effects_of_its_own_stands_under_the_right_heads(bruiser: Path) -> None:
    system = load_pack(bruiser).system
    table = system.table("blows")
    assert table is not None
    heads, rows = table_cells(table, system)
    assert heads == ("Severity / d4", "Result", "1 Arm", "2 Leg", "3 Torso", "4 Head", "Note")
    assert rows == [
        ("1-4", "A scratch", "", "", "", "", "It takes a d12 to see it."),
        ("5-8", "A cut", "Burned 3 days", "Disabled 1 day", "Disabled 1 day", "A scar, and 2 teeth", "It bleeds."),
        ("9-12", "All over", *["Disabled 2 days"] * 4, ""),
        ("13+", "", *["Slain"] * 4, ""),
    ]


def test_the_screen_shows_them_so(bruiser: Path, tmp_path: Path) -> None:
    screen = """\
title: Screen
panels: [{title: Blows, columns: 1, blocks: [{block: table, table: blows, merge: true}]}]
"""
    (bruiser / "screen.yaml").write_text(screen, encoding="utf-8")
    assert run("print", "bruiser", "screen", "--pack", bruiser, "-o", tmp_path).code == 0
    with opened((tmp_path / "bruiser-screen.pdf").read_bytes()) as pdf, text_of(pdf, 0) as text:
        said = re.sub(r"\s+", " ", as_typed(text.get_text_bounded()))
    assert "1 Arm 2 Leg 3 Torso 4 Head" in said
    assert "9-12 All over Disabled 2 days 13+ Slain" in said


def test_the_table_command_says_what_is_played(bruiser: Path) -> None:
    def looked_up(*at: str) -> str:
        ran = run("table", "bruiser", "blows", "--pack", bruiser, *(word for each in at for word in ("--at", each)))
        assert (ran.code, ran.err) == (0, "")
        return ran.out.strip()

    assert looked_up("severity=5", "column=arm") == "severity 5-8  A cut; Burned 3 days; It bleeds."
    assert looked_up("severity=5", "column=leg") == "severity 5-8  A cut; Disabled 1 day; It bleeds."
    assert looked_up("severity=9", "column=leg") == "severity 9-12  All over; Disabled for two days."


@pytest.mark.parametrize(("words", "says"), [
    ("hit 1 --at location=arm --dice 1", ["Blows, 1-4: A scratch.", "  It takes a d12 to see it.", "0 HP"]),
    ("hit 4 --at location=arm --dice 1",
        ["Blows, 5-8, Arm: A cut.", "  Burned for 3 days.", "    \u22121 to maximum HP.", "  It bleeds."]),
    ("hit 4 --at location=head --dice 1",
        ["Blows, 5-8, Head: A cut.", "  A scar, and 2 teeth.", "  It bleeds.", "0 HP"]),
    ("hit 8 --at location=leg --dice 1", ["Blows, 9-12: All over.", "  Disabled (leg) for 2 days."]),
    ("hit 8 --dice 1", ["Blows, 9-12: All over.", "  Disabled for 2 days.", "0 HP, Disabled 2 days"]),
])  # fmt: skip
def test_a_hit_says_a_rows_name_and_note(bruiser: Path, words: str, says: list[str]) -> None:
    ran = run("resolve", "bruiser", *words.split(), "--pack", bruiser)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("Blows"))
    assert lines[start : start + len(says)] == says


@pytest.mark.parametrize(("words", "line"), [
    ("hit 4 --at location=arm --at side=left --dice 1", "0 HP, Burned (left arm) 3 days"),
    ("hit 8 --at location=arm --at side=left --dice 1", "0 HP, Disabled (left arm) 2 days"),
    ("hit 8 --at location=arm --dice 1 --set sides=on", "0 HP, Disabled (arm) 2 days"),
])  # fmt: skip
def test_the_place_of_a_hit_is_kept_whatever_it_brings(bruiser: Path, words: str, line: str) -> None:
    """A row that is the same everywhere asks for no place and no side, and keeps what was said."""
    assert run("resolve", "bruiser", *words.split(), "--pack", bruiser).out.splitlines()[-1] == line


def test_a_severity_card_says_a_rows_name_and_note(bruiser: Path) -> None:
    severity = card_set(load_pack(bruiser).system, "severity").faces
    faces = {face.code: (title_of(face), short_form(face)) for face in severity}
    assert faces["blows-1"] == ("A scratch", "It takes a d12 to see it")
    assert faces["arm-5"] == ("A cut", "Arm: Burned 3 days. It bleeds")
    assert faces["leg-5"] == ("A cut", "Leg: Disabled 1 day. It bleeds")
    assert faces["blows-9"] == ("All over", "Blows: Disabled 2 days")
    assert faces["blows-13"] == ("Slain", "Blows: Slain")
    ran = run("card", "bruiser", "arm-5", "--pack", bruiser)
    assert ran.out.splitlines() == [
        "arm-5  A cut (Arm 5-8; on your next severity: +2; band: 2 of 4)",
        "    Burned: You are overdone on one side for three days.",
        "    \u22121 to maximum HP for each hit die.",
        "    It bleeds.",
    ]

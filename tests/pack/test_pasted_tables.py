"""Tables as people paste them: what is read, and what is told with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.base.errors import HackjackError
from generator.pack import pasted_tables

MARKDOWN = """\
# Scars

What a blade leaves behind.

| d6 | Scar | What it does |
|---:|------|--------------|
| 1 | **Nick** | Nothing, but it shows. |
| 2\u20133 | [Split lip](https://example.org) | Charisma falls. |
| 4-5 | Lost \\| ear | You hear *half*. |
| 6 | Eye | |

After the table.
"""


def read(folder: Path, name: str, text: str) -> tuple[list[dict[str, Any]], list[str]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = pasted_tables.read(path)
    return list(found.tables), [f"{problem.line}: {problem.message}" for problem in found.unread]


def test_markdown_has_a_title_dice_ranges_names_and_notes(tmp_path: Path) -> None:
    (table,), unread = read(tmp_path, "scars.md", MARKDOWN)
    assert unread == []
    assert table == {
        "id": "scars",
        "title": "Scars",
        "roll": "1d6",
        "covers": "1-6",
        "rows": [
            {"at": 1, "name": "Nick", "note": "Nothing, but it shows."},
            {"at": "2-3", "name": "Split lip", "note": "Charisma falls."},
            {"at": "4-5", "name": "Lost | ear", "note": "You hear half."},
            {"at": 6, "name": "Eye"},
        ],
    }


def test_a_page_may_hold_several_tables_and_lists(tmp_path: Path) -> None:
    html = """<h2>Wounds</h2><table><thead><tr><th>d8<th>Wound<th>Heals</tr></thead>
    <tr><td>1&ndash;4<td>Cut<td>1d4 days</tr>
    <tr><td rowspan=2>5-8<td>Gash<br>deep<td>2d6 weeks</tr></table>
    <script>document.write("<td>no")</script>
    <h3>Fumbles</h3><ol start=3><li>You slip. It hurts.<li>You drop it</ol>"""
    (wounds, fumbles), unread = read(tmp_path, "page.html", html)
    assert unread == []
    assert wounds["roll"] == "1d8"
    assert wounds["rows"] == [
        {"at": "1-4", "name": "Cut", "lasts": "1d4 days"},
        {"at": "5-8", "name": "Gash deep", "lasts": "2d6 weeks"},
    ]
    assert fumbles["title"] == "Fumbles"
    assert fumbles["rows"] == [{"at": 3, "name": "You slip", "note": "It hurts."}, {"at": 4, "name": "You drop it"}]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_spreadsheet_keeps_short_columns_as_columns(tmp_path: Path, mark: str) -> None:
    rows = [
        ["Roll", "Name", "Place", "Text"],
        ["01-95", "Bruise", "arm", '"Blue, then green."'],
        ["96-00", "Broken", "leg", '"Two lines\nin one cell."'],
    ]
    text = "\n".join(mark.join(row) for row in rows)
    (table,), unread = read(tmp_path, "results.csv", text)
    assert unread == []
    assert (table["id"], table["roll"], table["covers"]) == ("results", "1d100", "1-100")
    assert table["columns"] == {"place": {"title": "Place"}}
    assert table["rows"][1] == {
        "at": "96-100",
        "name": "Broken",
        "cells": {"place": "leg"},
        "note": "Two lines in one cell.",
    }


def test_text_copied_from_a_page_is_a_table_too(tmp_path: Path) -> None:
    tabs, _ = read(tmp_path, "a.txt", "Roll\tResult\n2\tNothing\n3 to 11\tA scratch\n12\tDead")
    assert [row["at"] for row in tabs[0]["rows"]] == [2, "3-11", 12]
    assert tabs[0]["roll"] == "2d6"
    listed, _ = read(
        tmp_path, "b.txt", "Critical hits\n\n1. Stunned: lose a turn.\n2-3) Knocked down\n  flat.\n4+. Dead\n"
    )
    assert listed[0]["title"] == "Critical hits"
    assert listed[0]["covers"] == "1+"
    assert listed[0]["rows"] == [
        {"at": 1, "name": "Stunned", "note": "lose a turn."},
        {"at": "2-3", "name": "Knocked down flat."},
        {"at": "4+", "name": "Dead"},
    ]


def test_ranges_with_words(tmp_path: Path) -> None:
    text = "d20 | what\n---|---\n3 or less | a\n4, 5, 6 | b\n7 or more | c"
    (table,), unread = read(tmp_path, "words.md", text)
    assert [row["at"] for row in table["rows"]] == ["1-3", "4-6", "7+"]
    assert (table["roll"], table["covers"]) == ("1d20", "1+")
    assert unread == []


def test_rows_without_numbers_are_found_by_name(tmp_path: Path) -> None:
    (table,), _ = read(tmp_path, "arms.csv", "Weapon,Damage,Text\nSword,d8,Long.\nAxe,d6,Heavy and broad.")
    assert "roll" not in table
    assert table["rows"][0]["name"] == "Sword"


def test_what_does_not_fit_is_told_with_its_line(tmp_path: Path) -> None:
    long = "word " * 100
    text = f"| d4 | x |\n|---|---|\n| 1 | Fine |\n| 2 | Short. {long}|\n| rarely | Odd |\n| 3-4 | Fine too |"
    (table,), unread = read(tmp_path, "odd.md", text)
    assert [row["at"] for row in table["rows"]] == [1, 2, "3-4"]
    assert [line.split(":")[0] for line in unread] == ["5", "4"]
    assert '"rarely" is not a range of results' in unread[0]
    assert "its note has" in unread[1] and "400 fit" in unread[1]


@pytest.mark.parametrize(("name", "data"), [("a.md", b"no table here"), ("a.csv", b""), ("a.html", b"<table></table>")])
def test_a_file_without_a_table_is_refused_in_a_sentence(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(HackjackError, match="no table in it: write"):
        pasted_tables.read(tmp_path / name)


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xff\x00\x81")
    with pytest.raises(HackjackError, match="save the file as UTF-8"):
        pasted_tables.read(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes(b"1,a\n" * 300_000)
    with pytest.raises(HackjackError, match="larger than 1,000,000 bytes"):
        pasted_tables.read(tmp_path / "b.csv")


def test_what_nobody_sees_is_left_out(tmp_path: Path) -> None:
    (table,), unread = read(tmp_path, "a.md", "| d4 | x |\n|--|--|\n| 1-3 | Fi\ufeffne |\n| 4 | Dead\u200e |")
    assert ([row["name"] for row in table["rows"]], unread) == (["Fine", "Dead"], [])


def test_a_cell_that_never_ends_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('d4,x\n1,"never\n', encoding="utf-8")
    with pytest.raises(HackjackError, match=r"a\.csv:2:3: the cell begins with"):
        pasted_tables.read(path)

"""Tables as people paste them: what is read, and what is told with its line."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, few_quick, run

from generator.base.errors import HackjackError
from generator.base.text_input import composed
from generator.prose import post

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
    found = post.read_file(path)
    tables = [table.table.plain() for table in found.tables]
    return tables, [f"{problem.line}: {problem.message}" for problem in found.problems]


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
    assert [line.split(":")[0] for line in unread] == ["5"]
    assert '"rarely" is not a range of results' in unread[0]


@pytest.mark.parametrize(("name", "data"), [("a.md", b"no table here"), ("a.csv", b""), ("a.html", b"<table></table>")])
def test_a_file_without_a_table_is_refused_in_a_sentence(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(HackjackError, match="no table in it: write"):
        post.read_file(tmp_path / name)


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xff\x00\x81")
    with pytest.raises(HackjackError, match="save the file as UTF-8"):
        post.read_file(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes(b"1,a\n" * 300_000)
    with pytest.raises(HackjackError, match="larger than 1,000,000 bytes"):
        post.read_file(tmp_path / "b.csv")


def test_what_nobody_sees_is_left_out(tmp_path: Path) -> None:
    (table,), unread = read(tmp_path, "a.md", "| d4 | x |\n|--|--|\n| 1-3 | Fi\ufeffne |\n| 4 | Dead\u200e |")
    assert ([row["name"] for row in table["rows"]], unread) == (["Fine", "Dead"], [])


def test_a_cell_that_never_ends_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('d4,x\n1,"never\n', encoding="utf-8")
    with pytest.raises(HackjackError, match=r"a\.csv:2:3: the cell begins with"):
        post.read_file(path)


# --- tables as they come, what is read of them, and what is told -----------------------------------------------------


def shape(table: dict[str, Any]) -> list[str]:
    """A table in lines: its title, dice and results, then a row each."""
    head = " | ".join(filter(None, (table["title"], table.get("roll"), table.get("covers"))))
    rows = [
        " | ".join(str(row[key]) for key in ("at", "name", "note", "cells") if row.get(key) is not None)
        for row in table["rows"]
    ]
    return [head, *rows]


CASES: dict[str, tuple[str, list[list[str]], list[str]]] = {
    "wrapped lines": (
        "Odd Marks\nd6 Mark\n1 A thin blue line that\nruns round the neck. It\nfades.\n2 Cold\nhands.\n"
        "3 None\n4-5 A burn which was\nnot there before.\n6 Teeth. Roll again for whoever stands\nnext to you.\n",
        [
            [
                "Odd Marks | 1d6 | 1-6",
                "1 | A thin blue line that runs round the neck | It fades.",
                "2 | Cold hands.",
                "3 | None",
                "4-5 | A burn which was not there before.",
                "6 | Teeth | Roll again for whoever stands next to you.",
            ]
        ],
        [],
    ),
    "lines that are no part of a list": (
        "Luck d2\n\n1. Good.\n2. Bad.\nKing. Both.\nNotes\n\nFor more, ask.\n",
        [["Luck d2 | 1d2 | 1-2", "1 | Good.", "2 | Bad."]],
        [],
    ),
    "rows that begin with the same word": (
        "Fumbles d3\n\n1 You drop it\n2 You stumble\n3 You fall\n",
        [["Fumbles d3 | 1d3 | 1-3", "1 | You drop it", "2 | You stumble", "3 | You fall"]],
        [],
    ),
    "a single row": (
        "Notes d2\n1. Only this.\n   And no more.\n\n1. a\n2. b\n",
        [["Notes d2 | 1d2 | 1-2", "1 | a", "2 | b"]],
        [],
    ),
    "many lines between tables": (
        "\n".join(["1. a", "2-4. b", *(f"Line {at}." for at in range(9))]),
        [["results | 1d4 | 1-4", "1 | a", "2-4 | b"]],
        [],
    ),
    "numbered headings": (
        "1. Begin\n\nSome words.\n\n2. Go on\n\n| d4 | Way |\n|---|---|\n| 1-2 | Up |\n| 3-4 | Down |\n",
        [["2. Go on | 1d4 | 1-4", "1-2 | Up", "3-4 | Down"]],
        [],
    ),
    "lists below 0": ("-3. Out.\n-4. Dead.\n", [["results", "-4: Dead.", "-3: Out."]], [
        "2: the table is not rolled: none of its results is above 0"
    ]),
    "two halves side by side": (
        "| d20 | Scar | d20 | Scar |\n|---|---|---|---|\n| 1-5 | Lip | 11-15 | Ear |\n| 6-10 | Nose | 16-20 | Eye |\n",
        [["results | 1d20 | 1-20", "1-5 | Lip", "6-10 | Nose", "11-15 | Ear", "16-20 | Eye"]],
        [],
    ),
    "three parts side by side, without a head": (
        "1\tLip\t4\tEar\t7\tChin\n2\tNose\t5\tEye\t8\tBrow\n3\tCheek\t6\tJaw\t\t\n",
        [
            [
                "results | 1d8 | 1-8",
                *("1 | Lip", "2 | Nose", "3 | Cheek", "4 | Ear", "5 | Eye", "6 | Jaw", "7 | Chin", "8 | Brow"),
            ]
        ],
        [],
    ),
    "a column of numbers is no half": (
        "d4 | Wound | Blood | Text\n1-2 | Cut | 1 | Red.\n3-4 | Gash | 2 | Redder.\n",
        [["results | 1d4 | 1-4", "1-2 | Cut | Red. | {'blood': '1'}", "3-4 | Gash | Redder. | {'blood': '2'}"]],
        [],
    ),
    "falling order": (
        "| d6 | x |\n|--|--|\n| 5-6 | a |\n| 3-4 | b |\n| 1-2 | c |\n",
        [["results | 1d6 | 1-6", "1-2 | c", "3-4 | b", "5-6 | a"]],
        [],
    ),
    "ranges in words": (
        "| d6 | x |\n|--|--|\n| 1 or 2 | a |\n| 3 & 4 | b |\n| 5..6 | c |\n",
        [["results | 1d6 | 1-6", "1-2 | a", "3-4 | b", "5-6 | c"]],
        [],
    ),
    "more ranges in words": (
        "| 2d6 | x |\n|--|--|\n| 2 or less | a |\n| 3, 4 or 5 | b |\n| 6~8 | c |\n| 9 to 11 | d |\n| 12 | e |\n",
        [["results | 2d6 | 2-12", "2 | a", "3-5 | b", "6-8 | c", "9-11 | d", "12 | e"]],
        [],
    ),
    "per cent from 00": (
        "| d% | x |\n|--|--|\n| 00-09 | a |\n| 10-49 | b |\n| 50-99 | c |\n",
        [["results | 1d100-1 | 0-99", "0-9 | a", "10-49 | b", "50-99 | c"]],
        [],
    ),
    "per cent to 00": (
        "| d100 | x |\n|--|--|\n| 01-95 | a |\n| 96-99 | b |\n| 00 | c |\n",
        [["results | 1d100 | 1-100", "1-95 | a", "96-99 | b", "100 | c"]],
        [],
    ),
    "a thousand": (
        "| d1000 | x |\n|--|--|\n| 001-500 | a |\n| 501-000 | b |\n",
        [["results | 1d1000 | 1-1000", "1-500 | a", "501-1000 | b"]],
        [],
    ),
    "the 0 of a d10": (
        "| d10 | x |\n|--|--|\n| 1-5 | a |\n| 6-9 | b |\n| 0 | c |\n",
        [["results | 1d10 | 1-10", "1-5 | a", "6-9 | b", "10 | c"]],
        [],
    ),
    "a 0 that is none": ("0. a\n1. b\n2. c\n", [["results | 0-2", "0 | a", "1 | b", "2 | c"]], []),
    "dice and a number": (
        "| 1d6+1 | x |\n|--|--|\n| 2-3 | a |\n| 4-7 | b |\n",
        [["results | 1d6+1 | 2-7", "2-3 | a", "4-7 | b"]],
        [],
    ),
    "dice less a number": (
        "| d6 \u2212 3 | x |\n|--|--|\n| -2-0 | a |\n| 1-3 | b |\n",
        [["results | 1d6-3 | -2-3", "-2-0 | a", "1-3 | b"]],
        [],
    ),
    "d66": ("d66 | x\n--|--\n11-26 | a\n31-66 | b\n", [["results | 11-66", "11-26 | a", "31-66 | b"]], []),
    "d666": (
        "| d666 | x |\n|--|--|\n| 111-236 | a |\n| 241-666 | b |\n",
        [["results | 111-666", "111-236 | a", "241-666 | b"]],
        [],
    ),
    "a gap": (
        "| d6 | x |\n|--|--|\n| 1-2 | a |\n| 4-6 | b |\n",
        [["results", "1-2: a", "4-6: b"]],
        ["4: the table is not rolled: no row has 3"],
    ),
    "an overlap": (
        "| d6 | x |\n|--|--|\n| 1-3 | a |\n| 3-6 | b |\n",
        [["results", "1-3: a", "3-6: b"]],
        ["4: the table is not rolled: the rows 1-3 and 3-6 overlap"],
    ),
    "dice that show more than the rows have": (
        "| d20 | x |\n|--|--|\n| 1-3 | a |\n| 4-6 | b |\n",
        [["results", "1-3: a", "4-6: b"]],
        ["3: the table is not rolled: d20 shows 1-20, and the rows have 1-6"],
    ),
    "rows without words, or with the same": (
        "| Name | Text |\n|--|--|\n| Axe | Sharp and long. |\n| axe | Blunt, and very heavy. |\n\n| d2 | x |\n|--|--|\n"
        "| 1 | |\n| 2 | b |\n",
        [
            ["results", "Axe | Sharp and long.", "axe (2) | Blunt, and very heavy."],
            ["results | 1d2 | 1-2", "1 | \u2014", "2 | b"],
        ],
        [
            '4: another row is called "axe": this one became "axe (2)"',
            "8: nothing stands beside its result: a dash took its place",
        ],
    ),
    "more columns than a name and a note": (
        "| d4 | Arm | Torso, front | Head |\n|---|---|---|---|\n| 1-3 | Off | Hit | Gone |\n| 4 | Slain | | |\n",
        [["results | 1d4 | 1-4", "1-3 | {'arm': 'Off', 'torso_front': 'Hit', 'head': 'Gone'}", "4 | Slain"]],
        [],
    ),
    "a long name without a sentence": (
        f"1. {'word ' * 30}\n2. b\n",
        [["results | 1-2", f"1 | {('word ' * 30).strip()}", "2 | b"]],
        [],
    ),
    "what content quotes": ("1. a {limit} b\n2. [H7]\n", [["results | 1-2", "1 | a (limit) b", "2 | (H7)"]], []),
    "marks": (
        "1. **Bold** and _this_\n2. snake_case_name, 2 * 3 * 4, `code`\n3. \\*not\\* [a link](http://a.b)\n",
        [["results | 1-3", "1 | Bold and this", "2 | snake_case_name, 2 * 3 * 4, code", "3 | *not* a link"]],
        [],
    ),
    "a spreadsheet's first line": (
        "sep=;\nd4;Name\n1-2;a\n3-4;b\n",
        [["results | 1d4 | 1-4", "1-2 | a", "3-4 | b"]],
        [],
    ),
    "a table that is drawn": (
        "+----+-----+\n| d4 | x   |\n+----+-----+\n| 1-2 | a |\n+----+-----+\n| 3-4 | b |\n+----+-----+\n",
        [["results | 1d4 | 1-4", "1-2 | a", "3-4 | b"]],
        [],
    ),
    "a page": (
        "<p>First\nwords</p>\n<h2>Wounds</h2>\n<!-- <table> --><SCRIPT>'<td>'</script>\n"
        "<table><tr><td title='>'>1-2<td>a"
        "<tr><td>3-4<td>&lt;b&gt; &amp; <i>c</i></table>\nLast < words\n",
        [["Wounds | 1d4 | 1-4", "1-2 | a", "3-4 | <b> & c"]],
        [],
    ),
    "a line that is too long": (
        f"1. a\n2. b\n{'x' * 2001}\n3. c\n4. d\n",
        [["results | 1d4 | 1-4", "1 | a", "2 | b", "3 | c", "4 | d"]],
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_tables_as_people_have_them(name: str) -> None:
    text, tables, messages = CASES[name]
    pasted = post.read(text, "x")
    assert [shape(table.table.plain()) for table in pasted.tables] == tables
    assert [f"{problem.line}: {problem.message}" for problem in pasted.problems] == messages


TRAPS = """\
Notes of a barber
Out here people go down at
-3. Whoever is lower still is dead at
-4. Nobody is ever at less.

Twigs \u2663
Ace. Nothing at all.
2. Splinter. Look at it again, {later} [X1].
3. Broken twig
which hurts.
10. More than
one. Blood 1
Jack. As bad as it gets.

0. Of course

d66 | a | b
--|--|--
11-36 | Off | Hit
41-66 | {brace} |

undo\tx\ty
1\tone\tWWW
13+\ttwo\tWW
"""
"""The traps of the texts that the systems were made of, and names that commands have."""

SOURCES = sorted((ROOT.parent / "shared" / "seeds").glob("*.txt"))


@pytest.mark.usefixtures("here")
def test_every_pack_that_is_made_is_sound(tmp_path: Path) -> None:
    (tmp_path / "traps.txt").write_text(TRAPS, encoding="utf-8")
    made = run("new", "traps", "--from-table", "traps.txt", "-q")
    assert (made.code, made.out) == (0, "")
    lines = [int(line.split(":")[1]) for line in made.err.splitlines()]
    assert lines == sorted(lines)
    checked = run("check", "traps", "-q")
    assert (checked.code, checked.err) == (0, "")


COLUMNS = """\
# {title}
| d6 | Gem | {head} | Notes |
|---|---|---|---|
| 1-3 | Ruby | 10 gp | A long note about rubies. |
| 4-6 | Opal | 20 gp | A long note about opals. |
"""


@pytest.mark.usefixtures("here")
def test_tables_of_other_columns_and_of_nothing_but_0_make_a_sound_pack(tmp_path: Path) -> None:
    long = "First of all the tables that anybody ever wrote"
    tables = [COLUMNS.format(title=title, head=head) for title, head in (("A", "Value"), (long, "Cost"), (long, "Ink"))]
    none = "# None\n| Roll | Result |\n|---|---|\n| 0 | Nothing |\n"
    (tmp_path / "odd.md").write_text("\n".join([*tables, none]), encoding="utf-8")
    made = run("new", "odd", "--from-table", "odd.md", "-q")
    assert made.err == "odd.md:22:1: the table is not rolled: none of its results is above 0\n"
    checked = run("check", "odd", "-q")
    assert (checked.code, checked.err) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(not SOURCES, reason="the sources lie beside the project, not in it")
@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
@pytest.mark.usefixtures("here")
def test_the_sources_can_be_pasted(path: Path) -> None:
    made = run("new", "pasted", "--from-table", path, "-q")
    if made.code:
        assert (made.code, len(made.faults)) == (1, 1) and "no table in it" in made.err
        return
    checked = run("check", "pasted", "-q")
    assert (checked.code, checked.err) == (0, "")
    # Each letter of the post is in the pack, composed like all text that comes in.
    assert Path("pasted/post.txt").read_text("utf-8") == composed(path.read_text("utf-8-sig"))


@pytest.mark.parametrize(
    "text",
    [
        "`",
        "*_",
        "**a ",
        "[",
        "[a](",
        " ",
        "-",
        "|-:",
        "1. a",
        pytest.param("1. a\n", marks=pytest.mark.slow),
        pytest.param("a\n", marks=pytest.mark.slow),
        pytest.param("a b\n", marks=pytest.mark.slow),
        "\t",
        "1-",
        "1 or ",
        "d6+",
        "{",
        "~",
    ]
    + [f"<table><tr><td>1<td>a{each}" for each in ("<", "<a ", "<!--", "<a href='", "<script>", "<td", "&", "<table>")],
)
def test_no_text_keeps_the_reader_busy(text: str) -> None:
    head, _, repeated = text.rpartition("<td>a") if text.startswith("<table") else ("1. a\n2. b\n", "", text)
    begun = time.process_time()
    with suppress(HackjackError):
        post.read(head + repeated * (100_000 // len(repeated)), "x")
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "title", "rows"),
    [
        ("---\ntitle: Marks\n---\n\nd4 | Mark\n--|--\n1-2 | **Dry Hand** -1 to grips.\n3-4 | Cold.\n", "Marks",
         [("1-2", "Dry Hand", "-1 to grips."), ("3-4", "Cold.", "")]),
        ("Marks of luck\n\n^d6^Mark^Effect\n|1-3|Dry|Lose a [[hands|hand]]\n|4-6|Wet|Run\n", "Marks of luck",
         [("1-3", "Dry", "Lose a hand"), ("4-6", "Wet", "Run")]),
        ("Marks: d4\n1: Dry.\n2:\n3:\n4: Cold.\nSo it goes.\n", "Marks: d4",
         [(1, "Dry.", ""), (2, "\u2014", ""), (3, "\u2014", ""), (4, "Cold.", "")]),
        ("Marks\n\n \u2022 1-3: Dry.\n \u2022 4\u20135 Wet\n \u2022 6: Cold.\n \u2022 7-8 Old\n\nMore.\n", "Marks",
         [("1-3", "Dry.", ""), ("4-5", "Wet", ""), (6, "Cold.", ""), ("7-8", "Old", "")]),
        ("Marks of luck\n\nRolled % Result\n01-60 None\n61 - 00 Old\n\nMore.\n", "Marks of luck",
         [("1-60", "None", ""), ("61-100", "Old", "")]),
    ],
)  # fmt: skip
def test_rows_in_the_shapes_of_posts(text: str, title: str, rows: list[tuple[object, str, str]]) -> None:
    (table,) = [each.table.plain() for each in post.read(text, "x").tables]
    assert table["title"] == title
    assert [(row["at"], row["name"], row.get("note", "")) for row in table["rows"]] == rows


def test_heads_in_two_lines_name_each_column() -> None:
    cells = "<tr><td>{}<td>{}<td>Safe<td>Hurt: fall prone<td>Dead</tr>"
    rows = "".join(cells.format(*each) for each in (("1-2", "Leg"), ("3-4", "Arm"), ("5-6", "Head")))
    head = "<tr><td><td><td colspan=3>Slash</tr><tr><td><td>Where<td>1-9<td>10-19<td>20</tr>"
    (table,) = [
        each.table.plain() for each in post.read(f"<table>{head.replace('Where', 'Area')}{rows}</table>", "x").tables
    ]
    assert [each["title"] for each in table["columns"].values()] == ["Slash 1-9", "Slash 10-19", "Slash 20"]
    assert [row["name"] for row in table["rows"]] == ["Leg", "Arm", "Head"]


def test_sentences_below_two_heads_are_results_of_two_kinds() -> None:
    found = post.read("d4 | Arms | Legs\n--|--|--\n1 | Lose an arm. | Lose a leg.\n2-4 | Drop it. | Fall prone.\n", "x")
    assert [[*row.sentences] for row in found.tables[0].rows] == [["arms", "legs"]] * 2


def test_a_list_that_has_no_row_for_a_result_is_not_rolled() -> None:
    found = post.read("Roll a d6 on this list.\n\n1. One. You fall.\n2. Two. You die.\n3. Three. Nothing.\n", "x")
    assert [str(each) for each in found.problems] == [
        "x:3:1: the table is not rolled: d6 shows 1-6, and the rows have 1-3"
    ]


def test_tables_beyond_the_twentieth_are_text() -> None:
    found = post.read("".join(f"## Table {n}\n\nd2 | Name\n--|--\n1 | A{n}\n2 | B{n}\n\n" for n in range(22)), "x")
    assert len(found.tables) == 20
    assert "1: A21" in [block.text.text for block in found.prose]


def test_steps_are_no_table_where_lists_are() -> None:
    text = "Procedure\n\n1. Sit.\n2. Shuffle.\n3. Draw.\n\nMarks\n\n1. Fall prone.\n2. Lose an eye.\n3. Die.\n4. Old.\n"
    assert [table.table.written["title"] for table in post.read(text, "x").tables] == ["Marks"]


def test_results_of_two_digits_have_their_words_below() -> None:
    text = "Marks\nRoll a d66\n11-16 Dry\nThe hand is dry. You cannot swim.\n" + "".join(
        f"{ten}1-{ten}6 Cold {ten}\nYour Strength is reduced by -{ten}.\n" for ten in range(2, 7)
    )
    (table,) = [each.table.plain() for each in post.read(text, "x").tables]
    assert table["covers"] == "11-66"
    assert [row["at"] for row in table["rows"]] == [f"{ten}1-{ten}6" for ten in range(1, 7)]
    assert table["rows"][5] == {"at": "61-66", "name": "Cold 6", "note": "Your Strength is reduced by -6."}


def test_of_a_whole_page_only_its_tables_are_read_and_the_rest_is_text() -> None:
    page = (
        "<nav><ul><li>Home</ul></nav><h3>Popular posts</h3><ol><li>Ten swords<li>A hex map<li>Old rules</ol>"
        "<h1>Wounds</h1><p>By Anna</p><p>At 0 HP roll 1d4.<table><tr><th>d4<th>Wound<tr><td>1-3"
        "<td><b>Leg</b>: fall prone."
        "<tr><td>4<td><b>Eye.</b> Old.</table><h3>2 comments</h3><ol><li>Bob: I roll 2d6.<li>Great.</ol>"
    )
    found = post.read(page, "x", suffix=".html")
    (table,) = [each.table.plain() for each in found.tables]
    assert [(row["name"], row["note"]) for row in table["rows"]] == [("Leg", "fall prone."), ("Eye", "Old.")]
    kept = " ".join(block.text.text for block in found.prose)
    assert all(text in kept for text in ("Home", "A hex map", "By Anna", "roll 1d4", "I roll 2d6"))


@pytest.mark.parametrize("line", few_quick(1, ["{} Foo bar\n", "{} Foo bar\nThe thing is\n", "a: b\n"]))
def test_rows_that_are_none_are_looked_at_a_few_times(line: str) -> None:
    def seconds(count: int) -> float:
        begun = time.process_time()
        with suppress(HackjackError):
            post.read("".join(line.format(at) for at in range(20, 20 + count)), "x")
        return time.process_time() - begun

    assert seconds(1600) < 12 * max(seconds(400), 0.01)

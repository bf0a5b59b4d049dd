"""The chronicle: the moments of each session, and who got which wound when, from which card, until when."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from helpers import ROOT, done, page_texts, run

from generator.session import journal

MINUS = "\u2212"
EVENING = 1_795_372_200
"""19:30 in Berlin on 22 November 2026."""


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A home with nothing in it, a clock in Berlin that moves on by a minute with each command."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    minutes = iter(range(10_000))
    monkeypatch.setattr(journal, "unix_time", lambda: EVENING + 60 * next(minutes))
    yield
    monkeypatch.undo()
    time.tzset()


def the_mill() -> None:
    for line in (
        "add bryn,cara hp 1",
        "session The old mill",
        "hit bryn 4 2S",
        "hit cara 4 9H",
        "note bryn limps",
        "rename bryn Brynhild",
        "stand brynhild",
        "drain cara 40",
    ):
        done(line)


def test_who_got_which_wound_when_from_which_card_and_until_when() -> None:
    the_mill()
    assert done("chronicle") == [
        "22 November 2026",
        "    19:30 Bryn joins.",
        "    19:30 Cara joins.",
        "The old mill, 22 November 2026",
        "    19:32 Bryn draws Ugly spill (2S).",
        "          They fall prone until they stand up. Over at 19:36.",
        "    19:33 Cara draws Pierced lung (9H).",
        f"          {MINUS}2 to Constitution until they recover. Over at 19:37.",
        "    19:34 Note on bryn: limps.",
        "    19:37 Cara dies.",
        "          The death-score is 49, over 21.",
    ]


def test_a_card_without_a_lasting_effect_is_told_and_so_is_the_escape() -> None:
    for line in ("add bryn hp 1", "hit bryn 4 6C", "drain bryn 15"):
        done(line)
    assert done("chronicle")[2:] == [
        "    19:31 Bryn draws A hundred nicks (6C).",
        "    19:32 Exactly 21: bryn begins again at 0.",
        "          Wounds, Trauma and Blood stay.",
    ]


def test_what_was_undone_or_mended_is_no_part_of_it() -> None:
    the_mill()
    done("undo")
    done("mend 4 yes hit cara 4 2C dice 1")
    lines = done("chronicle")
    assert not any("dies" in line or "Pierced lung" in line for line in lines)
    assert any(line.startswith("    19:33 Cara draws") and "(2C)" in line for line in lines)


def test_a_new_day_begins_a_chapter_of_the_same_session(monkeypatch: pytest.MonkeyPatch) -> None:
    the_mill()
    monkeypatch.setattr(journal, "unix_time", lambda: EVENING + 86_400)
    done("remove brynhild")
    assert done("chronicle")[-2:] == ["The old mill, 23 November 2026", "    19:30 Brynhild leaves."]


def test_who_lives_again_has_the_old_wounds_still() -> None:
    for line in ("add cara hp 4", "hit cara 6 location=arm side=left dice 4", "set cara dead yes", "set cara dead no"):
        run("play", "glog", "--campaign", "ditch", *line.split())
    told = done("chronicle", "--campaign", "ditch")
    (wound,) = [line for line in told if "Cara: Disabled (left arm)" in line]
    assert wound.endswith("Cara: Disabled (left arm) 1 day.")
    assert told[-1].endswith("Cara is alive again.")
    done("set cara dead yes", "--campaign", "ditch")
    (wound,) = [line for line in done("chronicle", "--campaign", "ditch") if "Cara: Disabled (left arm)" in line]
    assert wound.endswith("Over at 19:34.")


def test_json_has_times_in_utc() -> None:
    the_mill()
    first, second = json.loads(run("play", "--json", "chronicle").out)
    assert (first["title"], first["day"]) == ("", "22 November 2026")
    assert second["happened"][0] == {
        "kind": "moment",
        "who": "bryn",
        "text": "Bryn draws Ugly spill",
        "time": EVENING + 120,
        "by": "hit bryn 4 2S",
        "weight": 2,
        "card": "2S",
    }
    assert second["happened"][1] == {
        "kind": "wound",
        "who": "bryn",
        "text": "2S, Ugly spill: They fall prone until they stand up",
        "time": EVENING + 120,
        "by": "hit bryn 4 2S",
        "ended": EVENING + 360,
        "ended_by": "stand Brynhild",
    }


def test_spans_that_run_down_are_one_wound() -> None:
    pack = ("--pack", str(ROOT / "docs/examples/criticals"), "--campaign", "crit")
    done("add bryn", *pack)
    run("play", *pack, "set", "bryn", "conditions", "+stunned", "until=3 rounds")
    done("round", *pack)
    done("round 2", *pack)
    lines = [line for line in done("chronicle", *pack) if "Stunned" in line]
    assert len(lines) == 1
    assert lines[0].endswith("Over at 19:33.")


def test_of_a_shared_table_it_tells_who_came_and_who_is_down() -> None:
    fight = ("--campaign", "fight")
    people = str(ROOT / "content/fiftytwo/combatants.yaml")
    run("play", *fight, "fiftytwo", "initiative", people, "dice", *map(str, range(1, 10)))
    done("hurt alan 300", *fight)
    assert done("chronicle", *fight)[-1] == "          Alan loses 300: \u2212142 HP left."
    assert done("chronicle", *fight)[-3:-1] == ["    19:31 Alan is down.", "          Only healing ends it."]


def test_old_journals_have_no_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "unix_time", lambda: 0)
    done("add bryn hp 1")
    assert done("chronicle") == ["Before times were noted", "    Bryn joins."]


def test_it_is_written_as_markdown_html_and_pdf(tmp_path: Path) -> None:
    the_mill()
    written = run("play", "chronicle", "--format", "md").out
    assert "## The old mill, 22 November 2026" in written
    assert "### 19:37 Cara dies" in written and "drain" not in written, "the commands are no part of a story"
    assert "<h3" in run("play", "chronicle", "--format", "html").out
    path = tmp_path / "chronicle.pdf"
    assert run("play", "chronicle", "--format", "pdf", "--output", str(path)).out == f"{path}\n"
    text = page_texts(path.read_bytes())[0]
    assert "The old mill, 22 November 2026" in text
    assert "Cara draws Pierced lung" in text and "Cara dies" in text
    assert text.count("Ugly spill") == 2, "the card that fell lies beside its moment"
    assert sheet(path) == (595, 842)
    run("play", "chronicle", "--format", "pdf", "--output", str(path), "--paper", "letter")
    assert sheet(path) == (612, 792)


def sheet(path: Path) -> tuple[int, int]:
    """The size of the first page in points."""
    box = pypdf.PdfReader(path).pages[0].mediabox
    return round(box.width), round(box.height)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chronicle", "--format", "pdf"), "a PDF is written into a file: add --output chronicle.pdf"),
        (
            ("show", "--format", "md"),
            "--format, --output and --paper are for the chronicle: write chronicle, and nothing else",
        ),
        (("chronicle", "--paper", "letter"), "--paper is for a PDF: add --format pdf"),
        (
            ("chronicle", "--format", "pdf", "--output", "x.pdf", "--paper", "a99"),
            'there is no paper "a99": choose a4, letter',
        ),
        (("chronicle", "bryn"), '"bryn" is one value too many for chronicle: write chronicle'),
    ],
)
def test_what_cannot_be_told(words: tuple[str, ...], says: str) -> None:
    done("add bryn")
    ran = run("play", *words)
    assert (ran.code, ran.faults) == (2, [says])

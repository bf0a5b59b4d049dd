"""Journals of version 0.2 are read, end in the state that they ended in, tell the same, and go on."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import run
from test_saved_0_1 import departures

SAVED = Path(__file__).parent / "saved_0_2"
JOURNALS = sorted(path.stem for path in (SAVED / "journals").glob("*.jsonl"))


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the campaigns where `play` looks for them, read in the time zone in which they were told."""
    campaigns = Path(shutil.copytree(SAVED / "journals", tmp_path / "home" / "campaigns"))
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield campaigns
    monkeypatch.undo()
    time.tzset()


def play(name: str, *words: str) -> str:
    """What a command says; content that has changed since is gone on with, as somebody would who updates."""
    pack = ("--pack", str(SAVED / "packs" / "keen")) if name.startswith("keen") else ()
    ran = run("play", *pack, "--campaign", name, "--accept-content", *words)
    assert (ran.code, ran.err) == (0, ""), words
    return ran.out


def check_ends_as_recorded(name: str) -> None:
    recorded = json.loads((SAVED / "journals" / f"{name}.json").read_text(encoding="utf-8"))
    assert departures(recorded["export"], json.loads(play(name, "export"))) == []
    assert departures(recorded["chronicle"], json.loads(play(name, "--json", "chronicle"))) == []


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_ends_as_it_did_and_goes_on(name: str, saved: Path) -> None:
    before = (saved / f"{name}.jsonl").read_bytes()
    check_ends_as_recorded(name)
    assert (saved / f"{name}.jsonl").read_bytes() == before, "who only looks writes nothing"
    play(name, "undo")
    play(name, "redo")
    recorded = json.loads((SAVED / "journals" / f"{name}.json").read_text(encoding="utf-8"))
    assert departures(recorded["export"], json.loads(play(name, "export"))) == []
    assert (saved / f"{name}.jsonl").read_bytes().startswith(before)


def test_who_did_what_is_still_known(saved: Path) -> None:
    lines = [json.loads(line) for line in (saved / "hackjack-hands.jsonl").read_bytes().splitlines()[1:]]
    assert {line["by"] for line in lines} == {"the GM", "Bryn", "Cara", "terminal"}
    told = play("hackjack-hands", "log", "20")
    assert "hold Bryn" in told


def test_every_kind_of_line_is_here() -> None:
    """A mend, an undo of several, several deeds in one command, corrections, and a journal that goes on."""
    lines = [
        json.loads(line)
        for name in JOURNALS
        for line in (SAVED / "journals" / f"{name}.jsonl").read_bytes().splitlines()
    ]
    deeds = [deed["do"] for line in lines for deed in line.get("deeds", ())]
    assert {"set", "rename", "note", "session", "undo", "redo"} <= set(deeds)
    assert any(line.get("mends") for line in lines)
    assert any(len(line.get("deeds", ())) > 1 for line in lines)
    assert any(deed["do"] == "undo" and deed.get("words") for line in lines for deed in line.get("deeds", ()))
    assert any("version" in line and "system" not in line for line in lines)

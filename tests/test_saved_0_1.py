"""What version 0.1 wrote is still read, and still means the same: journals, fights, states and packs."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers import reader, run

SAVED = Path(__file__).parent / "saved_0_1"
PACK_OF = {"pack-hackjack": "saved_hackjack", "pack-beasts": "whole_harm"}
JOURNALS = sorted(path.stem for path in (SAVED / "journals").glob("*.jsonl"))
FIGHTS = sorted(path.stem for path in (SAVED / "fights").glob("*.txt"))
STATES = json.loads((SAVED / "states" / "index.json").read_text(encoding="utf-8"))
PACKS = {
    "saved_hackjack": ("saved_hackjack", "deck"),
    "saved_glog": ("saved_glog", "severity"),
    "saved_deadlands": ("saved_deadlands", "deck"),
    "saved_jackrealms": ("saved_jackrealms", "scenes"),
    "saved_fiftytwo": ("saved_fiftytwo", "combatants"),
    "whole_harm": ("beasts", "screen"),
    "whole_glog": ("whole_glog", "sheet"),
    "whole_deadlands": ("whole_deadlands", "screen"),
    "whole_jackrealms": ("whole_jackrealms", "reference"),
    "whole_fiftytwo": ("whole_fiftytwo", "screen"),
}
UPGRADED = ("whole_glog",)
"""Packs of a kind of procedure that is content by now: they are written anew first."""
FINGER = [".characters.3.state.permanent.0.place: 'right hand index' is 'right hand index finger'"]
TORSO = [".characters.0.state.injuries.0.place: '' is 'torso'"]
CORRECTED = {
    "hackjack-virtual": FINGER,  # a member is called by its whole name: nobody loses "the right hand ring"
    "glog-real": TORSO,  # an injury keeps the place that was hit, unless its condition is one of the whole body
    "glog-virtual": TORSO,
    "glog": TORSO,
}
"""What later rulings say otherwise on purpose, by the journal or fight: each such value, and nothing else."""


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all of it, with the journals where `play` looks for campaigns."""
    folder = Path(shutil.copytree(SAVED, tmp_path / "saved"))
    shutil.copytree(SAVED / "journals", tmp_path / "home" / "campaigns")
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder / "fights")
    return folder


def departures(was: Any, now: Any, where: str = "") -> list[str]:
    """Where what 0.1 said is not what is said now; keys that are new are no departure."""
    if isinstance(was, dict) and isinstance(now, dict):
        return [
            line
            for key, value in was.items()
            for line in (departures(value, now[key], f"{where}.{key}") if key in now else [f"{where}.{key}: missing"])
        ]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        pairs = enumerate(zip(was, now, strict=True))
        return [line for place, pair in pairs for line in departures(*pair, f"{where}.{place}")]
    return [] if was == now and type(was) is type(now) else [f"{where}: {was!r} is {now!r}"]


def test_a_missing_key_and_another_value_are_departures() -> None:
    assert departures({"hp": 3, "wounds": [{"card": "QS"}]}, {"hp": 3, "wounds": [{"card": "QS", "new": 1}]}) == []
    assert departures({"hp": 3, "score": 0}, {"hp": 4}) == [".hp: 3 is 4", ".score: missing"]
    assert departures([1, 2], [1]) == [": [1, 2] is [1]"]
    assert departures({"dead": False}, {"dead": 0}) == [".dead: False is 0"]


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_gives_the_session_that_it_gave(name: str, saved: Path) -> None:
    pack: list[str | Path] = ["--pack", saved / "packs" / PACK_OF[name]] if name in PACK_OF else []
    before = (saved.parent / "home" / "campaigns" / f"{name}.jsonl").read_bytes()
    ran = run("play", *pack, "--campaign", name, "export")
    assert (ran.code, ran.err) == (0, "")
    assert departures(read_json(saved / "journals" / f"{name}.json"), json.loads(ran.out)) == CORRECTED.get(name, [])
    assert (saved.parent / "home" / "campaigns" / f"{name}.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_goes_on(name: str, saved: Path) -> None:
    pack: list[str | Path] = ["--pack", saved / "packs" / PACK_OF[name]] if name in PACK_OF else []
    undone = run("play", *pack, "--campaign", name, "undo")
    assert (undone.code, undone.err) == (0, "")
    ran = run("play", *pack, "--campaign", name, "redo")
    assert (ran.code, ran.err) == (0, "")
    shown = json.loads(run("play", *pack, "--campaign", name, "export").out)
    assert departures(read_json(saved / "journals" / f"{name}.json"), shown) == CORRECTED.get(name, [])


@pytest.mark.parametrize("system", FIGHTS)
def test_a_fight_as_it_was_typed_ends_as_it_did(system: str, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = (saved / "fights" / f"{system}.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
    ran = run("play", system, "--campaign", "fight")
    assert (ran.code, ran.err) == (0, "")
    ended = json.loads(run("play", "--campaign", "fight", "export").out)
    assert departures(read_json(saved / "fights" / f"{system}.json"), ended) == CORRECTED.get(system, [])


@pytest.mark.parametrize("entry", STATES, ids=[entry["state"] for entry in STATES])
def test_a_state_is_read_and_what_befalls_it_is_the_same(entry: dict[str, Any], saved: Path) -> None:
    ran = run("resolve", entry["system"], *entry["then"], "--state", saved / "states" / entry["state"], "--json")
    assert (ran.code, ran.err) == (0, "")
    assert departures(entry["gives"], json.loads(ran.out)["state"]) == []


def test_every_pack_is_here() -> None:
    assert sorted(PACKS) == sorted(path.name for path in (SAVED / "packs").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_is_sound_and_prints(pack: str, saved: Path, tmp_path: Path) -> None:
    folder, (system, product) = saved / "packs" / pack, PACKS[pack]
    if pack in UPGRADED:
        refused = run("check", folder)
        assert refused.code == 1 and f"write hackjack check --upgrade {folder}" in refused.err
        assert run("check", "--upgrade", folder, "--yes").code == 0
    checked = run("check", folder)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.splitlines()[-1] == f"{pack}: sound"
    printed = run("print", system, product, "--pack", folder, "-o", tmp_path / "out")
    assert (printed.code, printed.err) == (0, "")
    (made,) = (tmp_path / "out").iterdir()
    assert len(reader(made.read_bytes()).pages) >= 1

"""Packs of the kind `steps` at a table: others are hurt too, the dead live again, a die lies under a cup."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import run
from test_language import write_pack

LANGUAGE = Path(__file__).parent / "language"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for campaigns with nothing in it."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path / "home" / "campaigns"


Play = Callable[..., list[str]]


@pytest.fixture
def at_table(tmp_path: Path) -> Callable[..., Play]:
    """A campaign with a pack of `language/`: each command in a call of its own."""

    def begin(name: str, *first: str) -> Play:
        pack = write_pack(LANGUAGE / f"{name}.yaml", tmp_path)

        def done(line: str, *options: str, refused: bool = False) -> list[str]:
            ran = run("play", "--pack", pack, *options, *line.split())
            assert (ran.code == 0) != refused, ran.err
            return (ran.err if refused else ran.out).splitlines()

        for line in first:
            done(line)
        return done

    return begin


def test_somebody_dead_lives_again(at_table: Callable[..., Play]) -> None:
    done = at_table("resurrection", "add bryn", "hit bryn 5")
    assert done("day bryn")[-1] == "bryn: dead"
    assert done("raise_dead bryn dice 9")[-1] == "bryn: HP 1, Luck 9, Day 1, Days dead 1, Scarred 9 days"
    told = [line.strip().split(" ", 1)[1] for line in done("chronicle")[1:]]
    assert told == [
        "bryn joins.",
        "bryn dies (hit bryn 5).",
        "bryn is alive again (raise_dead bryn dice 9).",
        "bryn: Scarred: You are scarred (raise_dead bryn dice 9).",
    ]
    done("undo 2")
    assert done("show bryn") == ["bryn: dead"]

"""A wrong call leaves the given state as it was: in a file, and in a campaign."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from helpers import run

STATE = {"hp": 0, "pile": [{"card": "10S", "score": 10}], "drawn": ["10S", "KD"], "blood": 2, "trauma": 4}

BAD = {
    # what is asked, besides the state above: the exit status, and what the one line says
    "hit -5": (2, "hit -5: write a number from 1 to 10,000"),
    "hit 0": (2, "hit 0: write a number from 1"),
    "hit 99999999999": (2, "hit 99,999,999,999: write a number from 1 to 10,000"),
    "heal 1000000": (2, "heal 1,000,000: write a number from 1"),
    "hit 3 --cards 1Z": (2, '"1Z" is not a card'),
    "hit 3 --cards KD": (1, "KD is not in the deck: it has been drawn already"),
    "hit 3 --cards 10S": (1, "10S is not in the deck: it has been drawn already"),
    "hit 3": (1, "needs a card"),
    "hit 3 --cards 9S --dice 3": (1, "needs 2d6 (Blood of 9S), and only 1 of 2 dice are given"),
    "hit 3 --cards 9S --dice 3,3,3": (2, "nothing needs the last die given (3)"),
    "hit 3 --cards 9S --dice 3,7": (2, "a d6 (Blood of 9S) cannot show 7"),
    "hit 3 --cards 7C,AC,AD": (1, "Drawn: 7C, See it coming. "),
    "hit 3 --cards 7C,AC,AD --choose 3": (2, "there is no choice 3"),
    "recover": (1, "recovery begins when Blood and death-score are 0, and they are 2 and 10: heal first"),
    "smite 4": (2, 'there is no event "smite"'),
}
BAD_STATES: dict[str, tuple[dict[str, object], str]] = {
    "dead": ({"dead": True}, "the character is dead: nothing more happens to them"),
    "in the pile and in the deck": ({"drawn": ["KD"]}, "invalid state: 10S is in a pile and in the deck too"),
    "a score that does not add up": ({"score": 4}, "invalid state: its pile counts more than its score, 4"),
    "low above 0 HP": ({"hp": 4, "low": True}, "invalid state: low is for exactly 0 HP"),
    "half a number": ({"blood": 1.5}, "the state cannot be read: Expected `int`"),
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    path = tmp_path / "state.json"
    path.write_text(json.dumps(STATE), encoding="utf-8")
    return path


@pytest.mark.parametrize("more", [(), ("--json",), ("--why",)])
@pytest.mark.parametrize("words", BAD)
def test_a_state_in_a_file(words: str, more: tuple[str, ...], path: Path) -> None:
    raw, (code, says) = path.read_bytes(), BAD[words]
    ran = run("resolve", "hackjack", *words.split(), "--state", path, *more)
    assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1), ran
    assert ran.err.startswith(says)
    assert path.read_bytes() == raw
    assert sorted(path.parent.iterdir()) == [path], "and nothing is left beside it"


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_state_that_cannot_be(name: str, path: Path) -> None:
    changes, says = BAD_STATES[name]
    path.write_text(json.dumps({**STATE, **changes}), encoding="utf-8")
    raw = path.read_bytes()
    for words in (["resolve", "hackjack", "hit", "3", "--cards", "2S"], ["odds", "hackjack", "hit", "3"]):
        ran = run(*words, "--state", path)
        assert (ran.code, ran.out, len(ran.faults)) == (1, "", 1), ran
        assert ran.err.startswith(says.partition(":")[0] if words[0] == "odds" else says)
        assert path.read_bytes() == raw


def test_good_events_leave_the_file_alone_too(path: Path) -> None:
    raw = path.read_bytes()
    for words in ("heal 3", "hit 3 --cards 2S", "hold"):
        assert run("resolve", "hackjack", *words.split(), "--state", path, "--json").code == 0
        assert path.read_bytes() == raw

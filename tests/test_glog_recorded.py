"""Recorded games of the death and dismemberment tables: the same events and dice lead to the same states, ask for the
same dice in the same order, are told in the same words, and have the same odds. `--rewrite-goldens` records anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT

from generator.base.errors import HackjackError
from generator.games import game_of, log_lines
from generator.games.face import AnyGame, Asked
from generator.pack import content
from generator.play.chance import RollNeed, Seeded

FILE = Path(__file__).with_name("glog_recorded.json")
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
Plain = dict[str, Any]


class Remembering:
    """Luck from a seed that remembers what was asked."""

    def __init__(self, seed: int) -> None:
        self._luck, self.asked = Seeded(seed), list[str]()

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        self.asked.append(f"{need.dice} {need.reason}")
        return self._luck.roll(need)


@cache
def played(setting: int) -> AnyGame:
    chosen = tuple((str(name), str(value)) for name, value in RECORDED["settings"][setting])
    return game_of(content.load(ROOT / "content" / "glog", chosen).system)


def typed(words: str) -> tuple[list[str], dict[str, str]]:
    plain = [word for word in words.split() if "=" not in word]
    return plain, dict(word.split("=") for word in words.split() if "=" in word)


def replayed(recorded: Plain) -> Plain:
    """A game from its words and seeds: of each step the dice, what changed in the state, and the lines."""
    game = played(recorded["settings"])
    state = game.read_state(dict(RECORDED["begins"][recorded["begins"]]))
    plain, steps = game.plain_state(state), []
    for step in recorded["steps"]:
        luck, entry = Remembering(step["seed"]), {"words": step["words"], "seed": step["seed"]}
        try:
            state, log = game.step(state, game.read_event(*typed(step["words"])), luck)  # type: ignore[arg-type]
        except HackjackError as error:
            steps.append(entry | {"refused": str(error)})
            continue
        before, plain = plain, game.plain_state(state)
        assert list(plain) == list(before)
        changes = {key: value for key, value in plain.items() if value != before[key]}
        steps.append(entry | {"asks": luck.asked, "changes": changes, "log": log_lines(log, game.system)})
    return recorded | {"steps": steps, "line": game.state_line(plain), "details": [*game.details(plain)]}


def odds(recorded: Plain) -> Plain:
    game = played(0)
    question = game.read_question(*typed(recorded["words"]))
    state = game.read_state(dict(recorded["state"]))
    return recorded | {"plain": game.odds(state, question, Asked(hits=recorded["hits"])).plain}


def lines(recorded: Plain) -> Iterator[str]:
    """The file, a line for each game and question: differences can be read."""
    for key in ("settings", "begins"):
        yield f'"{key}": {json.dumps(recorded[key])},'
    for key in ("games", "odds"):
        yield f'"{key}": ['
        yield ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in recorded[key])
        yield "]," if key == "games" else "]"


def test_games_go_as_recorded(request: pytest.FixtureRequest) -> None:
    now = {
        **RECORDED,
        "games": [replayed(each) for each in RECORDED["games"]],
        "odds": [odds(each) for each in RECORDED["odds"]],
    }
    if request.config.getoption("--rewrite-goldens"):
        FILE.write_text("{" + "\n".join(lines(now)) + "}\n", encoding="utf-8")
        return
    for key in ("games", "odds"):
        for before, after in zip(RECORDED[key], json.loads(json.dumps(now[key])), strict=True):
            assert after == before

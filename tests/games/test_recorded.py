"""Recorded games of two systems: the same events and luck lead to the same states, ask for the same cards, choices and
dice in the same order, are told in the same words, and have the same odds. `--rewrite-goldens` records anew.

The states and odds of Hackjack were recorded from the engine of its own that it once had. Of Deadlands there are odds
alone: a second computation, written by hand, came to the same fractions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT

from generator.base.errors import HackjackError
from generator.games import game_of, log_lines
from generator.games.face import AnyGame, Asked
from generator.pack.load import load_pack
from generator.play.chance import ChoiceNeed, RollNeed, Seeded

SYSTEMS = ("glog", "hackjack")
ODDS = [
    ("deadlands", 0, 1),
    *((system, 0, 60) for system in SYSTEMS),
    *(pytest.param(system, at, 10, marks=pytest.mark.slow) for system in SYSTEMS for at in (1, 4, 7)),
    *(pytest.param(system, at, 10, marks=pytest.mark.weekly) for system in SYSTEMS for at in (0, 2, 3, 5, 6, 8, 9)),
]
"""Systems, the first of their odds that are counted, and the distance to the next: few are counted in every run."""
Plain = dict[str, Any]


class Remembering:
    """Luck from a seed that remembers what was asked."""

    def __init__(self, seed: int) -> None:
        self._luck, self.asked = Seeded(seed), list[str]()

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        self.asked.append(f"{need.dice} {need.reason}")
        return self._luck.roll(need)

    def card(self, left: Sequence[str]) -> str:
        self.asked.append(card := self._luck.card(left))
        return card

    def choose(self, need: ChoiceNeed) -> int:
        self.asked.append(" or ".join(need.options))
        return len(self.asked) % len(need.options)

    def peek(self, left: Sequence[str]) -> str | None:
        del left
        return None


def file_of(system: str) -> Path:
    return ROOT / "tests" / f"{system}_recorded.json"


@cache
def recorded_of(system: str) -> Plain:
    recorded: Plain = json.loads(file_of(system).read_text(encoding="utf-8"))
    return recorded


@cache
def played(system: str, setting: int) -> AnyGame:
    chosen = tuple((str(name), str(value)) for name, value in recorded_of(system)["settings"][setting])
    return game_of(load_pack(ROOT / "content" / system, chosen).system)


def typed(words: str) -> tuple[list[str], dict[str, str]]:
    plain = [word for word in words.split() if "=" not in word]
    return plain, dict(word.split("=") for word in words.split() if "=" in word)


def replayed(game: AnyGame, recorded: Plain) -> Plain:
    """A game from its words and seeds: of each step what was asked, what changed in the state, and the lines."""
    state = game.read_state(dict(recorded_of(game.system.head.id)["begins"][recorded["begins"]]))
    plain, steps = game.plain_state(state), []
    for step in recorded["steps"]:
        luck, entry = Remembering(step["seed"]), {"words": step["words"], "seed": step["seed"]}
        try:
            state, log = game.step(state, game.read_event(*typed(step["words"])), luck)
        except HackjackError as error:
            steps.append(entry | {"refused": str(error)})
            continue
        before, plain = plain, game.plain_state(state)
        changes = {key: plain.get(key) for key in before | plain if plain.get(key) != before.get(key)}
        steps.append(entry | {"asks": luck.asked, "changes": changes, "log": log_lines(log, game.system)})
    return recorded | {"steps": steps, "line": game.state_line(plain), "details": [*game.details(plain)]}


def odds(system: str, recorded: Plain) -> Plain:
    game = played(system, recorded.get("settings", 0))
    question = game.read_question(*typed(recorded["words"]))
    state = game.read_state(dict(recorded["state"]))
    asked = Asked(hits=recorded["hits"], policy=recorded.get("policy", "best"), exact=True)
    plain = game.odds(state, question, asked).plain
    # Which chances there are, and how choices fell, is told beside them.
    return recorded | {"plain": {key: plain.get(key) for key in recorded["plain"]}}


def lines(recorded: Plain) -> Iterator[str]:
    """The file, a line for each game and question: differences can be read."""
    for key in ("settings", "begins"):
        yield f'"{key}": {json.dumps(recorded[key])},'
    for key in ("games", "odds"):
        yield f'"{key}": ['
        yield ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in recorded[key])
        yield "]," if key == "games" else "]"


@pytest.mark.parametrize("system", SYSTEMS)
def test_games_go_as_recorded(system: str, request: pytest.FixtureRequest) -> None:
    recorded = recorded_of(system)
    games = [replayed(played(system, each["settings"]), each) for each in recorded["games"]]
    if request.config.getoption("--rewrite-goldens"):
        file_of(system).write_text("{" + "\n".join(lines({**recorded, "games": games})) + "}\n", encoding="utf-8")
        return
    for before, after in zip(recorded["games"], json.loads(json.dumps(games)), strict=True):
        assert after == before


@pytest.mark.parametrize(("system", "first", "step"), ODDS)
def test_odds_are_as_recorded(system: str, first: int, step: int) -> None:
    for before in recorded_of(system)["odds"][first::step]:
        assert json.loads(json.dumps(odds(system, before))) == before

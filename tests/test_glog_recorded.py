"""The death and dismemberment tables as the first program played them, recorded once: the same events and dice lead to
the same states, ask for the same dice in the same order, are told in the same words, and have the same odds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT

from generator.base.errors import HackjackError
from generator.games import game_of, told
from generator.games.face import AnyGame, Asked
from generator.pack import content
from generator.play.chance import RollNeed, Seeded

RECORDED = json.loads(Path(__file__).with_name("glog_recorded.json").read_text(encoding="utf-8"))
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLAYED = [(setting, begins) for setting in range(3) for begins in range(5)]
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


def plain_of(game: AnyGame, state: Any) -> Plain:
    plain: Plain = json.loads(json.dumps(game.plain_state(state)))
    return plain


def happens(game: AnyGame, state: Any, step: Mapping[str, Any], luck: Remembering) -> tuple[Any, list[Plain]] | None:
    """The state after an event and the log as JSON; None where it is refused."""
    try:
        after, log = game.step(state, game.read_event(*typed(step["words"])), luck)  # type: ignore[arg-type]
    except HackjackError:
        return None
    return after, json.loads(json.dumps([told(entry, game.system) for entry in log]))


def typed(words: str) -> tuple[list[str], dict[str, str]]:
    said = words.split()
    return [word for word in said if "=" not in word], dict(word.split("=") for word in said if "=" in word)


def games(setting: int, begins: int) -> Iterator[Plain]:
    return (each for each in RECORDED["games"] if (each["settings"], each["begins"]) == (setting, begins))


def in_figures(text: str) -> str:
    """Injuries were counted in words."""
    return re.sub(r"for (\w+) (injur)", lambda match: f"for {_figure(match[1])} {match[2]}", text)


def _figure(word: str) -> str:
    return str(NUMBERS.index(word)) if word in NUMBERS else word


@pytest.mark.parametrize(("setting", "begins"), PLAYED)
def test_the_same_dice_lead_to_the_same_states(setting: int, begins: int) -> None:
    game = played(setting)
    for each in games(setting, begins):
        state = game.read_state(dict(RECORDED["begins"][begins]))
        known = plain_of(game, state)
        for step in each["steps"]:
            luck = Remembering(step["seed"])
            done = happens(game, state, step, luck)
            assert (done is None) == step.get("refused", False), step
            if done is None:
                continue
            state, known = done[0], known | step["changes"]
            assert plain_of(game, state) == known, step
            assert list(plain_of(game, state)) == list(known)
            asked = luck.asked if "log" in step else [need.partition(" ")[0] for need in luck.asked]
            assert asked == step["asks"]


@pytest.mark.parametrize(("setting", "begins"), PLAYED)
def test_it_is_told_in_the_same_words(setting: int, begins: int) -> None:
    game = played(setting)
    for each in games(setting, begins):
        if "line" not in each:
            continue
        state = game.read_state(dict(RECORDED["begins"][begins]))
        for step in each["steps"]:
            done = happens(game, state, step, Remembering(step["seed"]))
            if done is None:
                continue
            state = done[0]
            # That a save is owed at the end of a breakdown is said in an entry of its own now.
            log = [entry for entry in done[1] if (entry["kind"], entry.get("of")) != ("owed", "breakdown")]
            assert [entry["text"] for entry in log] == [in_figures(entry["text"]) for entry in step["log"]]
            for entry, before in zip(log, step["log"], strict=True):
                assert entry == entry | {key: value for key, value in before.items() if key != "text"}
        plain = game.plain_state(state)
        assert game.state_line(plain) == each["line"].replace("(the breakdown)", "(Breakdown)")
        assert list(game.details(plain)) == each["details"]


@pytest.mark.parametrize("asked", RECORDED["odds"], ids=lambda each: f"{each['words']} {each['state']} {each['hits']}")
def test_the_odds_are_the_same_fractions(asked: Plain) -> None:
    game = played(0)
    question = game.read_question(*typed(asked["words"]))
    found = game.odds(game.read_state(dict(asked["state"])), question, Asked(hits=asked["hits"])).plain
    assert {key: found[key] for key in asked["plain"]} == asked["plain"]

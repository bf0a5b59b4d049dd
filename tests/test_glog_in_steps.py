"""The death and dismemberment tables as events that are content, beside the engine that knows them.

A second witness for both: whatever befalls somebody, by the same dice in the same order, leaves them in the same state,
and the odds are the same fractions.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from helpers import ROOT, run

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import Asked
from generator.model.rules import System
from generator.pack import content
from generator.play.chance import RollNeed, Seeded

GLOG = ROOT / "content" / "glog"
WRITTEN = Path(__file__).with_name("glog_in_steps.yaml")
EVENTS = (
    "hit {n}",
    "hit {n}",
    "hit {n} type=fire",
    "hit {n} type=fall",
    "hit {n} type=nonlethal",
    "hit {n} location=leg",
    "hit {n} location=torso",
    "hit {n} location=head",
    "hit {n} location=arm hands=both side=left",
    "hit {n} type=fall location=leg",
    "round",
    "round {n}",
    "stand",
    "breathe",
    "treat",
    "minute {n}",
    "stabilise 25",
    "hour",
    "heal {n}",
    "heal {n} by=rest",
    "heal {n} injury=1",
    "day {n}",
    "week",
    "save pass",
    "save fail",
    "trauma {n}",
    "trauma {n} seen=yes",
    "calm",
)
BEGINNINGS: tuple[dict[str, Any], ...] = (
    {},
    {"hp": 6, "max_hp": 9, "hd": 2},
    {"hp": 4, "kind": "npc"},
    {"hp": 5, "kind": "monster"},
    {"trauma": 4},
)
Settings = tuple[tuple[str, str], ...]
SETTINGS: tuple[Settings, ...] = (
    (),
    (("sides", "on"), ("magic_heals", "every_injury")),
    (("permanent_injuries", "do_not_count"), ("lowered_hp", "once")),
)


class Counting:
    """Luck from a seed that remembers what was asked."""

    def __init__(self, seed: int) -> None:
        self._luck, self.asked = Seeded(seed), list[str]()

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        self.asked.append(str(need.dice))
        return self._luck.roll(need)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack: content/glog with its procedure written as events."""
    made = tmp_path_factory.mktemp("packs") / "glog2"
    made.mkdir()
    head = yaml.safe_load((GLOG / "system.yaml").read_text(encoding="utf-8"))
    written = yaml.safe_load(WRITTEN.read_text(encoding="utf-8"))
    for name, more in written.pop("conditions").items():
        head["conditions"][name] = {**head["conditions"].get(name, {}), **more}
    (made / "system.yaml").write_text(
        yaml.safe_dump({**head, **written, "id": "glog2"}, sort_keys=False), encoding="utf-8"
    )
    shutil.copy(GLOG / "tables.yaml", made)
    return made


def both(folder: Path, settings: Settings = ()) -> tuple[System, System]:
    return tuple(content.load(each, settings).system for each in (GLOG, folder))  # type: ignore[return-value]


def as_glog(plain: Mapping[str, Any]) -> dict[str, Any]:
    """A state of the steps as the engine of severity tables has it."""
    said = {key: plain[key] for key in ("kind", "hp", "max_hp", "hd", "rounds_dying", "trauma", "day", "dead")}
    said |= {"injuries": [], "conditions": [], "madness": [], "dying": False, "breakdown": None}
    said["coming"] = [{"condition": each["condition"], "after": each["after"]} for each in plain["coming"]]
    said["lost"] = list(plain["lost"])
    said["saves"] = [{"part": "", "place": "", "chance": False, **each} for each in plain["saves"]]
    for held in plain["conditions"]:
        name, until = held["condition"], held.get("until", "permanent")
        if name == "dying":
            said["dying"] = not plain["dead"]
        elif name == "breakdown":
            rounds = int(until.split(" ")[0])
            said["breakdown"] = None if plain["dead"] else {"name": held["row"], "rounds": rounds}
        elif name == "mad":
            said["madness"].append(held["row"])
        elif name.startswith("craves_"):
            continue
        elif until in ("permanent", "save") or until.endswith(("day", "days")):
            days = int(until.split(" ")[0]) if "day" in until else 0
            said["injuries"].append(
                {
                    "condition": name,
                    "days": days,
                    "place": held.get("place", ""),
                    "permanent": until == "permanent",
                    "chances": tuple(held.get("chances", ())),
                }
            )
        else:
            said["conditions"].append({"condition": name, "until": until})
    said["rounds_dying"] = said["rounds_dying"] if said["dying"] else 0
    return said


def ours(plain: Mapping[str, Any]) -> dict[str, Any]:
    """A state of severity tables, with what only its own reader tells apart left out."""
    return {
        **{key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()},
        "madness": [mad["name"] for mad in plain["madness"]],
    }


def happens(system: System, state: Any, words: str, seed: int) -> tuple[Any, str, list[str]]:
    """An event: the state, or why it cannot happen, and the dice that were asked."""
    game, luck = game_of(system), Counting(seed)
    name, *rest = words.split()
    at = dict(word.split("=") for word in rest if "=" in word)
    try:
        event = game.read_event([name, *(word for word in rest if "=" not in word)], at)
        after, _ = game.step(state, event, luck)  # type: ignore[arg-type]
    except HackjackError:
        return state, "refused", luck.asked
    return after, "", luck.asked


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: "-".join(name for name, _ in each) or "as written")
@pytest.mark.parametrize("begins", range(len(BEGINNINGS)))
def test_whatever_happens_leaves_the_same_behind(
    begins: int, settings: tuple[tuple[str, str], ...], folder: Path
) -> None:
    one, other = both(folder, settings)
    for seed in range(60):
        choose = Random(seed * 10 + begins)
        left, right = (game_of(each).read_state(dict(BEGINNINGS[begins])) for each in (one, other))
        told = []
        for step in range(12):
            words = choose.choice(EVENTS).format(n=choose.choice((1, 2, 3, 5, 8)))
            told.append(words)
            left, why, asked = happens(one, left, words, step)
            right, refused, rolled = happens(other, right, words, step)
            assert (refused, rolled) == (why, asked), told
            plain = game_of(one).plain_state(left)
            assert _same(game_of(other).plain_state(right)) == ours(plain), told
            if plain["dead"]:
                break


@pytest.mark.parametrize("state", [{}, {"injuries": [{"condition": "burned", "days": 3}]}], ids=["fresh", "hurt"])
@pytest.mark.parametrize("words", ["hit 1", "hit 4 location=torso", "hit 3 type=fire", "hit 9 type=fall"])
def test_the_odds_of_a_hit_are_the_same_fractions(words: str, state: dict[str, Any], folder: Path) -> None:
    one, other = (game_of(each) for each in both(folder))
    held = {"conditions": [{"condition": "burned", "until": "3 days"}]} if state else {}
    name, *rest = words.split()
    at = dict(word.split("=") for word in rest if "=" in word)
    said = [name, *(word for word in rest if "=" not in word)]
    found = one.odds(one.read_state(state), one.read_question(said, at), Asked()).plain
    again = other.odds(other.read_state(held), other.read_question(said, at), Asked()).plain
    for key in ("slain", "dying", "rows"):
        assert again[key] == found[key]
    more = one.odds(one.read_state(state), one.read_question(["conditions", *said[1:]], at), Asked()).plain
    assert again["conditions"] == more["conditions"]


def test_the_odds_of_the_rest_are_the_same_fractions(folder: Path) -> None:
    one, other = (game_of(each) for each in both(folder))

    def odds(game: Any, words: str, state: dict[str, Any]) -> dict[str, Any]:
        plain: dict[str, Any] = game.odds(game.read_state(state), game.read_question(words.split(), {}), Asked()).plain
        return plain

    for points in range(1, 6):
        assert odds(one, f"trauma {points}", {})["breakdown"] == odds(other, f"trauma {points}", {})["breakdown"]
    dying = {"rounds_dying": 2, "conditions": [{"condition": "dying", "until": "stable"}]}
    for words in ("stabilise 13", "hour"):
        known = odds(one, words, {"dying": True, "rounds_dying": 2})
        assert odds(other, words, dying)["success"] == known["success"]


@pytest.mark.parametrize("words", ["hit 3", "hit 3 location=leg", "hit 2 type=fire", "hit 1 location=head"])
def test_several_hits_in_a_row_kill_as_often(words: str, folder: Path) -> None:
    said = words.split()
    at = dict(word.split("=") for word in said if "=" in word)
    found = [
        game.odds(game.read_state({}), game.read_question(said[:2], at), Asked(hits=4)).plain
        for game in map(game_of, both(folder))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("points", ["1", "2,1", "1,1", "1,1,1"])
def test_the_odds_of_five_characters_are_the_same_fractions(points: str, folder: Path) -> None:
    at = {"characters": "5", "points": points}
    found = [
        game.odds(game.read_state({}), game.read_question(["breakdown"], at), Asked())
        for game in map(game_of, both(folder))
    ]
    assert found[0].plain == found[1].plain
    assert len(found[0].lines) == len(found[1].lines)


def test_it_is_sound(folder: Path) -> None:
    ran = run("check", folder)
    assert (ran.code, ran.err) == (0, "")

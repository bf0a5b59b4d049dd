"""Every effect is known to every reader of effects, and a new one is added the way the guide says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import effect_readers
import pytest
from helpers import ROOT

from generator.games import game_of, plain_entry
from generator.model import rules
from generator.pack import content
from generator.play.chance import Given
from generator.words import effects
from generator.words.wording import DURATIONS

KINDS: tuple[type[Any], ...] = get_args(rules.AnyEffect)


@pytest.mark.parametrize("kind", KINDS, ids=[str(kind.__struct_config__.tag) for kind in KINDS])
def test_every_reader_knows_every_effect(kind: type[Any]) -> None:
    assert [*effect_readers.lacking(kind)] == []


def test_every_word_of_until_is_worded() -> None:
    assert set(DURATIONS) == set(rules.LASTING)


def test_what_begins_or_recurs_has_both_forms() -> None:
    begins, events = get_type_hints(rules.Suffer)["begins"], get_type_hints(rules.Whenever)["event"]
    assert set(effects._BEGINS) == set(get_args(begins))
    assert set(effects._EVENTS) == set(get_args(events))


# --- gains -----------------------------------------------------------------------------------------------------------

GAINS = {
    "hackjack": ("bonus, to: [dexterity], by: 1d4, until: recovery", "hit 3", {}, "+3 to Dexterity until you recover."),
    "deadlands": (
        "bonus, to: [guts], by: 2, until: recovery",
        "trait guts",
        {"traits": {"guts": "d8"}, "injuries": [{"card": "2C", "days": 3}]},
        "A gain adds 2.",
    ),
}
"""For a kind: a card's effect, an event, the state before it, and what the log says."""


@pytest.mark.parametrize("name", GAINS)
def test_a_bonus_is_told_and_counts(name: str, tmp_path: Path) -> None:
    effect, event, state, says = GAINS[name]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/system.yaml").write_text(f"id: mine\nextends: {name}\n")
    (tmp_path / "mine/deck.yaml").write_text(f"cards: [{{code: 2C, name: A gain, effects: [{{do: {effect}}}]}}]\n")
    game = game_of(content.load(tmp_path / "mine").system)
    cards = ("2C",) if event.startswith("hit") else ()
    luck = Given(cards, (3, 3)[: 1 if cards else 2])
    _, log = game.step(game.read_state(state), game.read_event(event.split(), {}), luck)
    assert says in [plain_entry(entry, game.system)["text"].strip() for entry in log]


# --- a new effect ----------------------------------------------------------------------------------------------------

NOUN = '''class Slow(Effect, frozen=True, tag="slow"):
    """You move less far."""

    by: Annotated[int, Meta(ge=1, le=100, description="so many feet less")]
    until: Until


'''
CASES = """        case rules.Slow():
            return _slow(effect, system)
"""
WOUND = """    if issubclass(kind, rules.Slow):
        return lambda wound, _: f"You move {wound['by'][0]} feet less far"
"""
WORDS = """

def _slow(effect: rules.Slow, _: System) -> Words:
    until = wording.duration_words(effect.until)
    return Words(f"You move {effect.by} feet less far", f"{wording.MINUS}{effect.by} feet", until)
"""
PLAY = """            case rules.Slow():
                self._write(effect, by=(effect.by,))
"""
STEPS: dict[str, tuple[tuple[str, str], ...]] = {
    "generator/model/rules.py": (
        (r"^(?=Scoring = )", NOUN),
        (r"^AnyEffect = \(\n", "AnyEffect = (\n    Slow |"),
        (r"^Lasting = ", "Lasting = Slow | "),
    ),
    "generator/words/effects.py": (
        (r"^(?=        case rules.Step\(\):)", CASES),
        (r"^(?=    assert_never\(kind\))", WOUND),
        (r"\Z", WORDS),
    ),
    "generator/play/apply_effects.py": ((r"^(?=            case rules.Reroll\(\):)", PLAY),),
}
"""What is written where, by the guide: a place in the file, and what stands there then."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the program, of its content and of the guide."""
    for folder in ("generator", "content", "templates", "docs"):
        left_out = shutil.ignore_patterns("__pycache__", "pictures")
        shutil.copytree(ROOT / folder, tmp_path / "house" / folder, ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "house")
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", tmp_path / "house" / ".mypy_cache")
    return tmp_path / "house"


def tool(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python program that runs in the copy."""
    paths = os.pathsep.join([str(house), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "HACKJACK_HOME": str(house / "home")}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=house, env=environment
    )


def done(house: Path, *arguments: str) -> str:
    """What it says; all must be well."""
    ran = tool(house, *arguments)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def named_by_mypy(house: Path) -> set[str]:
    """The files that mypy calls wrong in the copy."""
    told = tool(house, "-m", "mypy", "generator").stdout
    return set(re.findall(r"^(\S+\.py):\d+: error", told, re.M))


def write(house: Path, name: str) -> None:
    text = (house / name).read_text(encoding="utf-8")
    for place, there in STEPS[name]:
        text, found = re.subn(place, there.replace("\\", r"\\"), text, flags=re.M)
        assert found == 1, f"{name}: {place}"
    (house / name).write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_new_effect_is_added_the_way_the_guide_says(house: Path) -> None:
    """It is three files: mypy names the other two once the first is written, and the rest is made by commands."""
    guide = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8").partition("## A new effect")[2]
    rows = dict(re.findall(r"^\| `([\w/.]+)` \| (.*) \|$", guide.partition("\n## ")[0], re.M))
    rules_py, *others = STEPS
    assert [*rows] == [*STEPS]
    write(house, rules_py)
    assert named_by_mypy(house) == set(others)
    for name in others:
        write(house, name)
    assert named_by_mypy(house) == set()
    for command in re.findall(r"^python (-m generator.*)$", guide.partition("\n## ")[0], re.M):
        done(house, *command.split())
    assert json.loads(done(house, "-m", "effect_readers")) == {}
    pack = house / "slower"
    pack.mkdir()
    (pack / "system.yaml").write_text("extends: hackjack\n")
    (pack / "deck.yaml").write_text("cards:\n  - {code: 2C, name: X, effects: [{do: slow, by: 10, until: recovery}]}\n")
    at = ("--pack", str(pack))
    assert "You move 10 feet less far until you recover." in done(
        house, "-m", "generator", "card", "hackjack", "2C", *at
    )
    hit = done(house, "-m", "generator", "resolve", "hackjack", "hit", "2", "--cards", "2C", *at)
    assert "You move 10 feet less far until you recover." in hit

"""Every effect is known to every reader of effects, and a new one is added the way the guide says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import effect_readers
import pytest
from helpers import ROOT

from generator.model import rules
from generator.words import effects
from generator.words.wording import DURATIONS

KINDS: tuple[type[Any], ...] = get_args(rules.AnyEffect)


@pytest.mark.parametrize("kind", KINDS, ids=[str(kind.__struct_config__.tag) for kind in KINDS])
def test_every_reader_knows_every_effect(kind: type[Any]) -> None:
    assert [*effect_readers.lacking(kind)] == []


def test_the_table_of_words_holds_all_effects_and_nothing_else() -> None:
    assert set(effects.WORDS) == set(KINDS)
    assert set(effects.WOUNDS) == {str(kind.__struct_config__.tag) for kind in get_args(rules.Lasting)}
    assert set(DURATIONS) == set(rules.LASTING)


def test_what_begins_or_recurs_has_both_forms() -> None:
    begins, events = get_type_hints(rules.Suffer)["begins"], get_type_hints(rules.Whenever)["event"]
    assert set(effects._BEGINS) == set(get_args(begins))
    assert set(effects._EVENTS) == set(get_args(events))


def test_a_reader_that_forgets_an_effect_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(cast("dict[Any, Any]", effects.WORDS), rules.Peek)
    monkeypatch.delitem(effects.WOUNDS, "halve")
    assert set(effect_readers.lacking(rules.Peek)) >= {"hackjack: sentence and short form"}
    assert set(effect_readers.lacking(rules.Halve)) == {"hackjack: words of the wound", "glog: words of the wound"}


# --- a new effect ----------------------------------------------------------------------------------------------------

NOUN = '''class Slow(Effect, frozen=True, tag="slow"):
    """You move less far."""

    by: Annotated[int, Meta(ge=1, le=100, description="so many feet less")]
    until: Until


'''
WORDS = """

@worded(rules.Slow, lambda wound, _: f"You move {wound['by'][0]} feet less far")
def _slow(effect: rules.Slow, _: System) -> Words:
    return Words(f"You move {effect.by} feet less far", f"{MINUS}{effect.by} feet", lasts(effect.until))
"""
PLAY = """            case rules.Slow():
                self._write(effect, by=(effect.by,))
"""
STEPS: dict[str, tuple[tuple[str, str], ...]] = {
    "generator/model/rules.py": (
        (r"^(?=Scoring = )", NOUN),
        (r"^AnyEffect = ", "AnyEffect = Slow | "),
        (r"^Lasting = ", "Lasting = Slow | "),
    ),
    "generator/words/effects.py": ((r"\Z", WORDS),),
    "generator/play/apply_effects.py": ((r"^(?=            case rules.Reroll\(\):)", PLAY),),
    "generator/words/rolled_text.py": ((r"case rules.Halve\(\)", "case rules.Slow() | rules.Halve()"),),
}
"""What is written where, by the guide: a place in the file, and what stands there then."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the program, of its content and of the guide."""
    for folder in ("generator", "content", "templates", "docs"):
        left_out = shutil.ignore_patterns("__pycache__", "pictures")
        shutil.copytree(ROOT / folder, tmp_path / "house" / folder, ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "house")
    return tmp_path / "house"


def done(house: Path, *arguments: str) -> str:
    """What a Python program says that runs in the copy."""
    paths = os.pathsep.join([str(house), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "HACKJACK_HOME": str(house / "home")}
    ran = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=house, env=environment
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def lacking(house: Path) -> Any:
    return json.loads(done(house, "-m", "effect_readers"))


def write(house: Path, name: str) -> None:
    text = (house / name).read_text(encoding="utf-8")
    for place, there in STEPS[name]:
        text, found = re.subn(place, there.replace("\\", r"\\"), text, flags=re.M)
        assert found == 1, f"{name}: {place}"
    (house / name).write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_new_effect_is_added_the_way_the_guide_says(house: Path) -> None:
    """Each reader that lacks it is named until it has been written."""
    guide = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w/.]+)` \| (.*) \|$", guide.partition("## A new effect")[2], re.M))
    assert [*rows][: len(STEPS)] == [*STEPS]
    commands = [re.findall(r"`python (-m [^`]+)`", says) for says in rows.values()]
    rules_py, effects_py, *readers = STEPS
    write(house, rules_py)
    assert lacking(house) == {
        "slow": [
            *(f"{game}: sentence and short form" for game in ("hackjack", "glog", "deadlands")),
            *(f"{game}: {reader}" for reader in effect_readers.PLAYED for game in ("hackjack", "glog")),
            "hackjack: count",
            "hackjack: schema",
            "hackjack: guide for authors",
        ]
    }
    write(house, effects_py)
    assert lacking(house)["slow"][0] == "hackjack: words of the wound"
    for name in readers:
        write(house, name)
    assert lacking(house) == {"slow": ["hackjack: schema", "hackjack: guide for authors"]}
    for command in (command for found in commands for command in found):
        done(house, *command.split())
    assert lacking(house) == {}
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

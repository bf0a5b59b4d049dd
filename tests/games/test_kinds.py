"""Each kind of step stands in one place: what it is on its type, what it does in the module of the same name."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT

from generator.games.steps.kinds import FAULTS, PLAYS
from generator.games.steps.log import FACTS
from generator.model.rules import KINDS, Effect, Step
from generator.model.steps.base import LEADS, NAMES_OF_MOMENT, PARTS_OF_STATE

WORDS = re.compile(r"(?:(pile|hidden|gives) )?\{(\w+)\}(_first)?|gives plays")
"""Words of `reads`, `changes` and `gives` that name keys."""
LEADING = re.compile(r"(\w+)(?: (?:\{(\w+)\}|plays))?")


def name_of(kind: type[Effect]) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_a_kind_is_whole(kind: type[Effect]) -> None:
    """It has a form, is played in the module of the same name, and its words are words that everybody knows."""
    assert kind.form or kind.prints
    assert kind.__doc__
    keys = set(kind.__struct_fields__)
    for word in (*kind.reads, *kind.changes, *kind.gives):
        there = WORDS.fullmatch(word)
        assert word in {*NAMES_OF_MOMENT, *PARTS_OF_STATE} or there, word
        assert there is None or there[2] in {None, *keys}, word
    for word in kind.leads_to:
        there = LEADING.fullmatch(word)
        assert there is not None, word
        assert there[1] in LEADS, word
        assert there[2] in {None, *keys}, word
    assert {*kind.hides} <= {*kind.entries} <= {*FACTS}
    assert {*kind.luck} <= {"cards", "dice", "choose"}
    assert {*kind.block.replace("?", "").split()} <= {*kind.__struct_encode_fields__}
    assert issubclass(kind, Step) or not kind.entries


def test_each_kind_is_played_where_its_name_says() -> None:
    here = "generator.model.steps.", "generator.games.steps.kinds."
    played = {kind: PLAYS[kind].__module__ for kind in KINDS}
    steps = {kind: module for kind, module in played.items() if issubclass(kind, Step)}
    assert {kind.__module__.replace(*here): module for kind, module in steps.items()} == {
        module: module for module in steps.values()
    }
    assert {*played.values()} - {*steps.values()} <= {"generator.play.apply_effects"}
    assert {*FAULTS} <= {*KINDS}


# --- nobody else names a kind ----------------------------------------------------------------------------------------

PLACES = ("model/steps/", "games/steps/kinds/", "games/steps/counting/", "words/", "play/apply_effects.py")
"""Where kinds may be named: what they are, do, how they are counted quickly, and their words."""
NAMED: dict[str, int] = {}
"""How often other modules name kinds: it may only fall."""


def naming(path: Path) -> Iterator[str]:
    """Yield the kinds that a module names, wherever it does."""
    names = {kind.__name__ for kind in KINDS}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    imports = (node for node in imports if str(node.module).startswith("generator.model"))
    imported = {each.asname or each.name for node in imports for each in node.names if each.name in names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rules":
            yield from {node.attr} & names
        elif isinstance(node, ast.Name) and node.id in imported:
            yield node.id


def test_no_other_module_names_a_kind() -> None:
    named = Counter[str]()
    for path in (ROOT / "generator").rglob("*.py"):
        module = path.relative_to(ROOT / "generator").as_posix()
        if not module.startswith(PLACES) and (times := sum(1 for _ in naming(path))):
            named[module] = times
    assert named == NAMED, "lower the numbers that have fallen; where one has risen, ask the type of the step instead"


# --- a step in two files ---------------------------------------------------------------------------------------------

FORM = '''
"""A step that exchanges two numbers."""

from generator.model.steps.base import OwnNumber, Step


class Swap(Step, frozen=True, kw_only=True, tag="swap"):
    """Exchanges two numbers."""

    form = "swap {one:name} and {other:name}"
    prints = "exchange {one} and {other}"
    tells = "{one} and {other} change places"
    reads = changes = ("{one}", "{other}")

    one: OwnNumber
    other: OwnNumber
'''
DOES = '''
"""What a step does that exchanges two numbers."""

from generator.games.content_face import known
from generator.games.steps.kinds import faults, plays
from generator.model.steps.swap import Swap


@plays(Swap)
def swap(run, step, applier):
    """Exchange two numbers."""
    run.values[step.one], run.values[step.other] = run.values[step.other], run.values[step.one]


@faults(Swap)
def swap_faults(content, step, trail):
    """Yield what is wrong with the numbers that it names."""
    for key in ("one", "other"):
        yield from known(getattr(step, key), content.system.steps.numbers, "number", (*trail, key))
'''
PACK = """
id: swaps
title: Swaps
version: "1.0"
about: A pack that tests write.
source: {title: none, author: tests, licence: ours}
procedure:
  kind: steps
  numbers:
    hp: {name: HP, start: 5}
    luck: {name: Luck, start: 1}
    spare: {name: Spare, start: null}
events:
  turn: |
    "things change places"
    odds low: hp < 3
    odds told: known(spare)
    lists numbers
    if d6 <= 2:
      swap hp and luck
    if hp < 3:
      swap spare and luck
"""
SCRIPT = "import json, sys; from generator import cli; [cli._run(words) for words in json.loads(sys.argv[1])]"


def with_swap(folder: Path) -> Path:
    """Return a folder with the whole program as it is, and a step more."""
    opened = {"", "model", "model/steps", "games", "games/steps", "games/steps/kinds"}
    for inner in sorted(opened):
        (folder / "generator" / inner).mkdir()
        for path in (ROOT / "generator" / inner).iterdir():
            if path.relative_to(ROOT / "generator").as_posix() not in {*opened, "__pycache__"}:
                (folder / "generator" / inner / path.name).symlink_to(path)
    for name in ("content", "templates"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "generator/model/steps/swap.py").write_text(FORM)
    (folder / "generator/games/steps/kinds/swap.py").write_text(DOES)
    (folder / "swaps").mkdir()
    (folder / "swaps/system.yaml").write_text(PACK)
    return folder


def test_a_step_is_two_files(tmp_path: Path) -> None:
    """A step that nothing else knows is checked, printed, played, and counted as it is played."""
    asked = ("check swaps", "resolve --pack swaps turn --dice 2", "odds --pack swaps turn --json")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps([each.split() for each in asked])],
        cwd=with_swap(tmp_path),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout, done.stderr)
    assert 0

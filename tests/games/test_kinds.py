"""Each kind of step stands in one place: what it is on its type, what it does in the module of the same name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT, hackjack, pack_head

from generator.games import game_of
from generator.games.steps.kinds import FAULTS, PLAYS
from generator.games.steps.log import FACTS
from generator.language import forms
from generator.model.rules import KINDS, Effect, Step
from generator.model.steps.base import LEADS, NAMES_OF_MOMENT, PARTS_OF_STATE
from generator.play.chance import Seeded
from generator.words.effect_words import EFFECT_WORDS
from generator.words.step_clauses import CLAUSES

WORDS = re.compile(r"(?:(pile|hidden|gives) )?\{(\w+)\}(_first)?|gives plays")
"""Words of `reads`, `changes` and `gives` that name keys."""
LEADING = re.compile(r"(\w+)(?: (?:\{(\w+)\}|plays))?")


def name_of(kind: type[Effect]) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_a_kind_is_whole(kind: type[Effect]) -> None:
    """It has a form, is played in the module of the same name, and its words are words that everybody knows."""
    assert kind.form or kind.prints
    assert kind.prints or kind in CLAUSES or kind in EFFECT_WORDS, "nobody can print it"
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


def test_a_step_that_changes_more_than_its_type_says_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every test that plays one."""
    kind = next(each for each in KINDS if name_of(each) == "lower")
    monkeypatch.setattr(kind, "changes", ("over",))
    game = game_of(hackjack())
    with pytest.raises(AssertionError, match="lower changes hp, and its type does not say so"):
        game.step(game.read_state({"hp": 9}), game.read_event(["hit", "3"], {}), Seeded(1))


CLAUSES_UNREAD = {
    "=openly:true at once": 'Lower: the clause "=openly:true at once" needs words first, then a value or =KEY',
    "{by:formula} times": 'Lower: the clause "{by:formula} times" needs words first',
    "at once": 'Lower: the clause "at once" needs words first, then a value',
    "at {by:formula} | at most {most:formula}": 'Lower: the clause "at most {most:formula}" begins as one above it',
}


@pytest.mark.parametrize("clauses", CLAUSES_UNREAD)
def test_clauses_that_cannot_be_read_are_named_with_their_kind(clauses: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = next(each for each in KINDS if name_of(each) == "lower")
    monkeypatch.setattr(kind, "clauses", clauses)
    with pytest.raises(ValueError, match=re.escape(CLAUSES_UNREAD[clauses])):
        forms.statements.__wrapped__()


# --- nobody else names a kind ----------------------------------------------------------------------------------------

PLACES = ("model/steps/", "games/steps/kinds/", "games/steps/counting/", "words/", "play/apply_effects.py")
"""Where kinds may be named: what they are, do, how they are counted quickly, and their words."""
NAMED = {
    "check/content_checks.py": 1,
    "check/effect_checks.py": 16,
    "check/own_words.py": 6,
    "games/cards_of.py": 14,
    "games/conditions_told.py": 5,
    "games/deadlands/checks.py": 2,
    "games/deadlands/game.py": 1,
    "games/deadlands/table.py": 1,
    "games/deadlands/wounds.py": 3,
    "games/steps/borne.py": 5,
    "games/steps/conditions.py": 5,
    "games/steps/engine.py": 2,
    "games/steps/lines.py": 4,
    "games/steps/rehearsal.py": 2,
    "games/steps/shape.py": 8,
    "games/steps/shown_state.py": 2,
    "games/steps/state.py": 4,
    "games/steps/system_views.py": 2,
    "games/table_results.py": 5,
    "layout/emblems.py": 4,
    "model/cards.py": 1,
    "session/settable.py": 2,
}
"""How often other modules name effects that any card may have: it may only fall. Steps they never name."""


IMPORTED = re.compile(r"^from generator\.model\.\S+ import (\([^)]*\)|.*)$", re.M)


def namings(text: str, kinds: str) -> int:
    """Return how often a module names one of some kinds that it has from the room of the types."""
    imported = {name for part in IMPORTED.findall(text) for name in re.findall(rf"\b({kinds})\b", part)}
    own = sum(len(re.findall(rf"\b{name}\b", IMPORTED.sub("", text))) for name in imported)
    return own + len(re.findall(rf"\brules\.({kinds})\b", text))


def test_no_other_module_names_a_kind() -> None:
    """Where a number rises: ask the type of the step instead."""
    paths = {path.relative_to(ROOT / "generator").as_posix(): path for path in (ROOT / "generator").rglob("*.py")}
    texts = {module: path.read_text("utf-8") for module, path in paths.items() if not module.startswith(PLACES)}
    del texts["model/rules.py"]
    steps = "|".join(kind.__name__ for kind in KINDS if issubclass(kind, Step))
    assert {module: times for module, text in texts.items() if (times := namings(text, steps))} == {}
    kinds = "|".join(kind.__name__ for kind in KINDS)
    named = {module: namings(text, kinds) for module, text in texts.items()}
    assert {module: times for module, times in named.items() if times > NAMED.get(module, 0)} == {}


# --- a step in two files ---------------------------------------------------------------------------------------------

FORM = '''
"""A step that exchanges two numbers."""

from typing import Literal

from generator.base.fields import OwnNumber
from generator.model.steps.base import Step


class Swap(Step, frozen=True, kw_only=True, tag="swap"):
    """Exchanges two numbers."""

    form = "swap {one:name} and {other:name}"
    clauses = "at once =how:at_once"
    prints = "exchange {one} and {other}[ {how}]"
    tells = "{one} and {other} change places"
    reads = changes = ("{one}", "{other}")

    one: OwnNumber
    other: OwnNumber
    how: Literal["at_once"] | None = None
'''
DOES = '''
"""What a step does that exchanges two numbers."""

from generator.games.steps.kinds import plays
from generator.model.steps.swap import Swap


@plays(Swap)
def swap(run, step, applier):
    """Exchange two numbers."""
    run.values[step.one], run.values[step.other] = run.values[step.other], run.values[step.one]
    run.tell(step)
'''
PACK = (
    pack_head("swaps")
    + """\
procedure:
  kind: steps
  numbers:
    hp: {name: HP, start: 5}
    luck: {name: Luck, start: 1}
    spare: {name: Spare, start: null}
    kept: {name: Kept, start: null}
events:
  turn: |
    "things change places"
    odds low: hp < 3
    odds told: known(spare)
    lists numbers
    if d6 <= 2:
      swap hp and luck
      kept = 4
    if hp < 3:
      swap spare and kept at once
"""
)
SCRIPT = """
import json, sys
from pathlib import Path
from generator.cli import _run
from generator.games import game_of, plain_entry
from generator.games.face import Asked
from generator.pack import load
from generator.play.chance import Given
from generator.words.event_wording import event_sentences

assert _run(["check", "swaps"]) == 0
head = Path("swaps/system.yaml")
head.write_text(head.read_text().replace("swap hp and luck", "swap hp and lukc"))
assert _run(["check", "swaps"]) == 1
head.write_text(head.read_text().replace("lukc", "luck"))
system = load.load_pack(Path("swaps")).system
game = game_of(system)
state, event = game.read_state({}), game.read_event(["turn"], {})
after, log = game.step(state, event, Given((), (2,)))
print(json.dumps({
    "says": event_sentences("turn", system),
    "log": [plain_entry(entry, system)["text"] for entry in log],
    "after": game.plain_state(after),
    "odds": game.odds(state, event, Asked()).plain,
}))
"""


def with_swap(folder: Path) -> Path:
    """Return a folder with the whole program as it is, and a step more."""
    opened = {"", "model", "model/steps", "games", "games/steps", "games/steps/kinds"}
    for inner in sorted(opened):
        (folder / "generator" / inner).mkdir()
        for path in (ROOT / "generator" / inner).iterdir():
            if path.relative_to(ROOT / "generator").as_posix() not in opened:
                (folder / "generator" / inner / path.name).symlink_to(path)
    for name in ("content", "templates"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "generator/model/steps/swap.py").write_text(FORM)
    (folder / "generator/games/steps/kinds/swap.py").write_text(DOES)
    (folder / "swaps").mkdir()
    (folder / "swaps/system.yaml").write_text(PACK)
    return folder


@pytest.mark.slow
def test_a_step_is_two_files(tmp_path: Path) -> None:
    """A step that nothing else knows is checked, printed, played, and counted as it is played."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=with_swap(tmp_path),
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert 'unknown number "lukc": did you mean "luck"?' in done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["says"] == [
        "Roll d6: on 2 or less, exchange HP and Luck; Kept becomes 4.",
        "If you are below 3 HP, exchange Spare and Kept at once.",
    ]
    assert told["log"][1:] == ["HP and Luck change places.", "Kept: 4.", "Spare and Kept change places."]
    assert [told["after"][name] for name in ("hp", "luck", "spare", "kept")] == [1, 5, 4, None]
    odds = told["odds"]
    assert [odds[name]["fraction"] for name in ("low", "told")] == ["1/3", "1/3"]
    numbers = {
        name: {value: each["fraction"] for value, each in shares.items()} for name, shares in odds["numbers"].items()
    }
    halves = {"1": "1/3", "5": "2/3"}, {"1": "2/3", "5": "1/3"}
    assert numbers == {"hp": halves[0], "luck": halves[1], "spare": {"4": "1/3"}}

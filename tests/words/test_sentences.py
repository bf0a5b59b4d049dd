"""Steps and formulas as a person at the table says them: the cases of `sentences.yaml`, one sentence each."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, effects_of, run

from generator.model.formulas import Formula
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.words.effect_words import step_words
from generator.words.formula_wording import FormulaWords, needs_words

CORPUS: dict[str, Any] = yaml.safe_load((ROOT / "tests" / "sentences.yaml").read_text(encoding="utf-8"))
SHIPPED = {
    "glog": "content/glog",
    "crit": "docs/examples/criticals",
    "scars": "docs/examples/scars",
    "keen": "docs/examples/keen",
}
HEAD = {"version": "1.0", "about": "A pack.", "source": {"title": "A pack", "author": "us", "licence": "Free."}}


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The systems that the cases speak of, each loaded once."""

    @cache
    def load(name: str) -> System:
        if name in SHIPPED:
            return load_pack(ROOT / SHIPPED[name]).system
        folder = tmp_path_factory.mktemp(name)
        pack = dict(CORPUS["packs"][name])
        pack["procedure"] = {"kind": "steps"} | pack["procedure"]
        for file, key in (("tables", "tables"), ("deck", "deck")):
            if key in pack:
                inside = pack.pop(key)
                (folder / f"{file}.yaml").write_text(yaml.safe_dump({key: inside} if key == "tables" else inside))
        (folder / "system.yaml").write_text(yaml.safe_dump({"id": name, "title": name.title()} | HEAD | pack))
        return load_pack(folder).system

    return load


def said(case: dict[str, Any], system: System) -> str:
    """Return what is printed for a case."""
    words = step_words(system)
    if "watch" in case:
        every = [f"{words.watch_says(watch)}." for watch in system.head.watches]
        return case["should"] if case["should"] in every else " / ".join(every)
    if "condition" in case:
        name = case["condition"].removeprefix("condition ")
        every = [f"{sentence}." for sentence in words.condition_does(system.head.conditions[name])]
        return case["should"] if case["should"] in every else " / ".join(every)
    if "step" in case:
        return " ".join(f"{words.step_says(each)}." for each in effects_of(case["step"]))
    formulas = FormulaWords(system)
    return formulas.spoken(formulas.folded(Formula(case.get("formula") or case["holds"]).tree))


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: f"{case['n']}-{case['pack']}")
def test_a_person_would_say_it(case: dict[str, Any], packs: Any) -> None:
    """Formulas, conditions and steps print as in the grammar's cases."""
    printed = said(case, packs(case["pack"])).replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    assert printed == case["should"].replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')


def test_a_sentence_of_many_steps_has_a_letter_for_each(packs: Any) -> None:
    """The 27th step of a side is (aa), and no side is too long to be said."""
    (step,) = effects_of("if hp > 0:\n" + "  grit -= 1\n" * 30)
    sentence = step_words(packs("ours")).step_says(step)
    assert "(z) lose 1 Grit; (aa) lose 1 Grit; (ab)" in sentence


@pytest.mark.parametrize(
    ("pack", "written", "riddle"),
    [
        ("moth", "max(0, (damage - health + max_health) // max_health)", True),
        ("dark", "10 * damage + roll // 10 - 10 * (roll // 100) + 100 * (roll == 100)", True),
        ("yze", "max(0, dice - has(lethal_hard) - 2 * (self == 'yes'))", False),
        ("cairn", "max(1, min(19, str))", False),
        ("glog", "count(injuries) - lasting(injuries) * (setting(permanent_injuries) == 'do_not_count')", False),
    ],
)
def test_what_prints_as_a_formula_asks_for_words(pack: str, written: str, riddle: bool, packs: Any) -> None:
    """`check` warns of steps that nobody would say so, and of no others."""
    assert needs_words(FormulaWords(packs(pack)).folded(Formula(written).tree)) == riddle


def test_check_names_the_line_that_prints_as_a_formula(tmp_path: Path) -> None:
    """The author reads where words are wanted, and what would be printed without them."""
    folder = Path(shutil.copytree(ROOT / SHIPPED["scars"], tmp_path / "scars"))
    system = folder / "system.yaml"
    text = system.read_text(encoding="utf-8")
    system.write_text(text.replace("sinew -= over", "sinew -= over * nerve // nerve"))
    ran = run("check", folder)
    line = text[: text.index("sinew -= over")].count("\n") + 1
    assert f"system.yaml:{line}:" in ran.err
    assert 'divided by Nerve, rounded down": write print, and a sentence, below it' in ran.err

"""What is too large to count is played out, and the answer says how near. How near is in test_language.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games.test_language import FILES, write_pack
from helpers import page_texts, run, squeezed

from generator.check import quoted_odds
from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.games.steps import odds_answers
from generator.pack.load import load_pack

CHART = """\
title: Screen
panels:
  - title: Falls
    blocks:
      - {block: odds, title: Falls, asks: climb, counts: dead, policy: even, state: {hp: "{n}"},
         across: {name: n, title: HP, upto: 3}}
"""


def pack(name: str, folder: Path) -> Path:
    """Write a pack of language/."""
    return write_pack(next(path for path in FILES if path.stem == name), folder)


@pytest.fixture
def game(tmp_path: Path) -> AnyGame:
    return game_of(load_pack(pack("cards_twice", tmp_path)).system)


def test_a_seed_plays_the_same_again(game: AnyGame) -> None:
    def played(seed: int) -> object:
        return game.odds(game.read_state({}), game.read_question(["twice"], {}), Asked(plays=400, seed=seed)).plain

    assert played(2) == played(2) != played(3)


@pytest.mark.parametrize(("name", "words"), [
    ("throws", "steady"), ("cards_twice", "twice"), ("cards_twice", "twice --hits 3"),
    ("frights", "frights --at levels=3,1,3 --at characters=4"),
])  # fmt: skip
def test_what_takes_too_much_work_is_played_unless_it_has_to_be_exact(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | Path] = ["odds", name, *words.split(), "--pack", pack(name, tmp_path)]
    monkeypatch.setattr(odds_answers, "MAX_WORK", 5)
    monkeypatch.setattr(odds_answers, "MAX_PLAYED_WORK", 1_000)
    ran = run(*asked)
    found = re.search(r"^([\d,]+) plays with the seed 0: an estimate, not exact$", ran.out, re.M)
    assert found, ran
    plays = found[1].replace(",", "")
    assert 10 <= int(plays) <= 100_000
    assert ran == run(*asked, "--simulate", plays)
    ran = run(*asked, "--exact")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("this takes more dice, cards and steps than can be counted")


def test_death_is_among_the_answers(game: AnyGame) -> None:
    answer = game.odds(game.read_state({}), game.read_question(["twice"], {}), Asked(hits=2))
    assert (answer.plain["event"], answer.lines[1]) == ("twice", "dead after 2 x twice  25.0000% = 1/4"), answer


def test_a_chart_that_is_too_large_is_played_everywhere_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pack("choices", tmp_path)
    (folder / "screen.yaml").write_text(CHART, encoding="utf-8")
    assert run("check", folder).err == ""
    monkeypatch.setattr(quoted_odds, "MAX_PACK_WORK", 400)
    ran = run("check", folder)
    says = "this chart is too large to count: it is played out; print --rulings says how far off it is"
    assert (ran.code, ran.err) == (0, f"{folder}/screen.yaml:5:43: warning: {says}\n")
    assert run("print", "--pack", folder, "choices", "screen", "--rulings", "-o", tmp_path / "out").code == 0
    printed = squeezed(page_texts((tmp_path / "out" / "choices-screen.pdf").read_bytes())[0])
    assert re.search(r"percent;.*[\d,]+plays,±\d", printed)

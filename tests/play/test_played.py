"""What is too large to count is played out: near to the exact chance, and the answer says how near."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from helpers import reader, run, squeezed

from generator.check import quoted_odds
from generator.games.steps import game as steps_game

PACK = {
    "system.yaml": """\
id: played
title: Played
version: "1.0"
about: A pack that tests write.
source: {title: Played, author: tests, licence: ours}
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 8}, luck: {name: Luck}}
conditions:
  bleeding: {name: Bleeding, says: You bleed, each: {round: [{do: lower, number: hp, by: 1}]}}
  sore: {name: Sore, says: You are sore}
watches: [{holds: hp < 1, do: [{do: die}]}]
events:
  blow: {says: a blow, do: [{do: lower, number: hp, by: d4}, {do: look_up, table: wounds}], odds: {weak: hp < 4}}
  fall: {says: a fall, do: [{do: look_up, table: wounds}, {do: pass, unit: round, times: 2}]}
  cut: {says: a cut, do: [{do: draw_card, deck: cuts, cards: 2}]}
  mix:
    says: a cut, and one from a new deck
    do: [{do: draw_card, deck: cuts}, {do: shuffle, deck: cuts}, {do: draw_card, deck: cuts}]
  chance: {says: a draw that goes back, do: [{do: draw_card, deck: chances, cards: 2}]}
  fire: {says: fire, do: [{do: lower, number: hp, by: "dice(3, 4) + sixes(4)"}]}
  test:
    says: a test
    do:
      - {do: throw, dice: {trait: 6, wild: 4}, aces: true, many: 2, keep: 1, most: 20}
      - {do: lower, number: hp, by: "max(trait, wild)"}
  fright:
    says: a fright
    takes: {by: {most: 9}}
    do: [{do: when, holds: "d6 <= by", then: [{do: suffer, condition: sore, until: permanent}]}]
questions:
  frights: {says: that one is sore, event: fright, each: by, counts: has(sore)}
""",
    "tables.yaml": """\
tables:
  - id: wounds
    title: Wounds
    roll: 2d6
    covers: 2-12
    rows:
      - {at: 2-6, name: A scratch, effects: [{do: suffer, condition: sore, until: d6 days}]}
      - {at: 7-10, name: A cut, effects: [{do: suffer, condition: bleeding, until: d4 rounds}]}
      - {at: 11-12, name: A hole, effects: [{do: lower, number: hp, by: 3}, {do: draw_card, deck: cuts}]}
""",
    "decks.yaml": """\
decks:
  - id: cuts
    title: Cuts
    cards:
      - {code: a, name: Deep, copies: 2, effects: [{do: lower, number: hp, by: 4}]}
      - {code: b, name: Flat, copies: 3, effects: [{do: lower, number: hp, by: 1}]}
      - {code: c, name: Again, effects: [{do: draw_card, deck: cuts}]}
      - {code: d, name: Sore, effects: [{do: suffer, condition: sore, until: 1 day}]}
  - id: chances
    title: Chances
    returns: true
    cards:
      - {code: x, name: Luck, effects: [{do: raise, number: luck, by: 1}]}
      - {code: y, name: None, copies: 2, effects: [{do: lower, number: hp, by: 5}]}
""",
    "screen.yaml": """\
title: Screen
panels:
  - title: Falls
    blocks:
      - {block: odds, title: Falls, asks: fall, counts: dead, state: {hp: "{n}"}, across: {name: n, title: HP, upto: 3}}
""",
}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with dice, decks, conditions that last, and somebody who dies."""
    for name, text in PACK.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def odds(pack: Path, words: str, *options: str) -> dict[str, Any]:
    """What `odds --json` answers."""
    ran = run("odds", "--pack", pack, "played", *words.split(), *options, "--json")
    assert ran.err == ""
    answer: dict[str, Any] = json.loads(ran.out)
    return answer


def chances(plain: Any, before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every chance of an answer, by where it stands."""
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in pairs:
        if isinstance(value, dict) and "p" in value:
            yield f"{before}{key}", value
        else:
            yield from chances(value, f"{before}{key}.")


QUICK, LONG = (
    ("fall", "mix --hits 4", "frights --at by=3,1,3 --at characters=4"),
    (
        *("blow", "cut", "mix", "chance", "fire", "test"),
        *("blow --hits 4", "fall --hits 2", "cut --hits 5", "chance --hits 3"),
    ),
)
QUESTIONS = [*QUICK, *(pytest.param(words, marks=pytest.mark.slow) for words in LONG)]


@pytest.mark.parametrize("words", QUESTIONS)
def test_what_is_played_comes_near_to_what_is_counted(pack: Path, words: str) -> None:
    assert run("check", pack).err == ""
    exact, estimate = odds(pack, words, "--exact"), odds(pack, words, "--simulate", "4000", "--seed", "2")
    assert (estimate["method"], estimate["plays"], estimate["seed"]) == ("played", 4000, 2)
    near = dict(chances(estimate))
    for key, chance in chances(exact):
        # What never came about is in no group.
        share, error = (near[key]["p"], near[key]["error"]) if key in near else (0, 0.0003)
        assert abs(share - Fraction(chance["fraction"])) <= 4.5 * error, key
        assert 0 < error < 0.05
    assert near.keys() <= dict(chances(exact)).keys()
    assert estimate == odds(pack, words, "--simulate", "4000", "--seed", "2")
    assert estimate != odds(pack, words, "--simulate", "4000", "--seed", "3")


@pytest.mark.parametrize("words", QUESTIONS)
def test_what_takes_too_much_work_is_played_unless_it_has_to_be_exact(
    pack: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps_game, "MAX_WORK", 5)
    monkeypatch.setattr(steps_game, "MAX_PLAYED_WORK", 1_000)
    answer = odds(pack, words)
    assert answer["method"] == "played"
    assert 10 <= answer["plays"] <= 100_000
    assert answer == odds(pack, words, "--simulate", str(answer["plays"]))
    ran = run("odds", "--pack", pack, "played", *words.split(), "--exact")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("this takes more dice, cards and steps than can be counted")


def test_death_is_among_the_answers(pack: Path) -> None:
    assert [*odds(pack, "blow")][:2] == ["weak", "dead"]
    assert "dead after 2 x fall " in run("odds", "--pack", pack, "played", "fall", "--hits", "2").out
    assert odds(pack, "fall", "--hits", "2")["event"] == "fall"


def test_a_chart_that_is_too_large_is_played_everywhere_and_says_so(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("check", pack).err == ""
    monkeypatch.setattr(quoted_odds, "MAX_PACK_WORK", 150)
    ran = run("check", pack)
    says = "this chart is too large to count: it is played out, and its note says how far off it is"
    assert (ran.code, ran.err) == (0, f"{pack}/screen.yaml:5:43: warning: {says}\n")
    assert run("print", "--pack", pack, "played", "screen", "-o", tmp_path / "out").code == 0
    printed = squeezed(reader((tmp_path / "out" / "played-screen.pdf").read_bytes()).pages[0].extract_text())
    assert re.search(r"percent;[\d,]+plays,±\d", printed)

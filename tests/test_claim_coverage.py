"""What no claim touches, claims that are proposed for it, and words that no step keeps."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, run

from generator.check import claim_coverage, situations
from generator.check.claim_proposals import MOST
from generator.check.situations import Situation, Trials
from generator.pack import content

SYSTEM = """\
id: knocks
title: Knocks
version: "1.0"
about: A blow, a knock, and what heals it.
source: {title: Knocks, author: us, licence: ours}
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 3}}
conditions:
  dizzy: {says: You are dizzy, name: Dizzy}
  bruised: {says: You are bruised, name: Bruised}
events:
  knock:
    says: something hits you
    do: [{do: look_up, table: knocks}]
  rest:
    says: a night
    do: [{do: end, condition: dizzy}, {do: raise, number: hp, by: 1}]
"""
TABLES = """\
tables:
  - id: knocks
    title: Knocks
    roll: d6
    covers: 1-6
    rows:
      - {at: 1-3, name: A bump, effects: [{do: suffer, condition: bruised, until: permanent}]}
      - {at: 4-5, name: A crack, effects: [{do: suffer, condition: dizzy, until: permanent}]}
      - {at: "6", name: The end, effects: [{do: die}]}
"""
BUMP = """\
claims:
  - {id: bump, about: event, where: here, says: A 2 is a bump., event: knock, dice: [2], expect: {dead: false}}
"""


@pytest.fixture
def knocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack with one table and no claims, seen from its parent folder."""
    folder = tmp_path / "knocks"
    folder.mkdir()
    (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
    (folder / "tables.yaml").write_text(TABLES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def asked(question: str, folder: Path) -> dict[str, Any]:
    ran = run("check", f"--{question}", "--pack", folder, "--json")
    assert ran.code == 0, ran.err
    (found,) = json.loads(ran.out)["proposed" if question == "claims" else "coverage"]
    assert isinstance(found, dict)
    return found


def test_what_no_claim_touches_is_counted(knocks: Path) -> None:
    """With a claim of the bump, half of all knocks are touched; the crack has two faces of the die, the end has one."""
    (knocks / "claims.yaml").write_text(BUMP, encoding="utf-8")
    found = asked("coverage", knocks)
    knock, rest = found["events"]
    assert (knock["event"], knock["untouched"], knock["plays"], knock["standard_error"]) == ("knock", 0.5, 0, 0.0)
    assert [(each["kind"], each["name"], each["share"]) for each in knock["missing"]] == [
        ("row", "knocks 4-5", 0.3333),
        ("row", "knocks 6", 0.1667),
    ]
    assert rest["untouched"] == 1.0
    assert rest["missing"][0]["says"] == "no claim tries this event"
    assert found["untouched"] == 0.75
    said = run("check", "--coverage", "--pack", knocks).out.splitlines()
    assert said[0] == "knocks: no claim touches 75 % of what may happen"
    assert said[1].startswith("  knock    50 % untouched (") and said[1].endswith(", exact)")
    assert said[2].split() == ["33", "%", "row", "knocks", "4-5"]


@pytest.mark.parametrize(
    ("claim", "share"),
    [
        ("about: table, table: knocks, at: 5, column: effects, expect: Dizzy for good", 1 / 3),
        ("about: table, table: knocks, at: A crack, expect: A crack", 1 / 3),
        ("about: event, event: knock, dice: [6], expect: {dead: true}", 1 / 6),
        ("about: event, event: rest, expect: {hp: 4}", 0),
        ("about: number, number: hp, expect: 3", 0),
    ],
)
def test_claims_of_any_kind_touch_what_they_speak_of(knocks: Path, claim: str, share: float) -> None:
    """A row is touched by a claim about the table, and by an event that leads to it; not by anything else."""
    whole = f"{BUMP}  - {{id: more, where: here, says: More., {claim}}}\n"
    (knocks / "claims.yaml").write_text(whole, encoding="utf-8")
    knock = claim_coverage.coverage(content.load(knocks).system)[0]
    crack = claim.startswith("about: table")
    dizzy = 1 / 3 if crack else 0
    assert knock.untouched is not None
    # The condition of a row is another thing to claim.
    assert knock.untouched == pytest.approx(0.5 - share + dizzy)
    assert any(touch.name == "dizzy" for touch, _, _ in knock.missing) == crack


def test_proposed_claims_hold_and_touch_what_was_missing(knocks: Path) -> None:
    """Pasted again and again they leave nothing, each check is sound, and none is proposed twice."""
    before = {path.name: path.read_bytes() for path in knocks.iterdir()}
    said = run("check", "--claims", "--pack", knocks)
    assert said.code == 0
    assert {path.name: path.read_bytes() for path in knocks.iterdir()} == before
    assert said.out == run("check", "--claims", "--pack", knocks).out
    first = yaml.safe_load(said.out)["claims"]
    assert len(first) <= MOST
    crack = next(each for each in first if each["says"] == "Knocks, 4-5: A crack. Dizzy for good.")
    assert (crack["event"], crack["where"]) == ("knock", "to be confirmed")
    assert crack["dice"] in ([4], [5])
    assert crack["expect"] == {"conditions": [{"condition": "dizzy", "until": "permanent"}]}
    (knocks / "claims.yaml").write_text(said.out, encoding="utf-8")
    ran = run("check", "--pack", knocks)
    assert ran.code == 0
    assert ran.out.count(" holds: ") == len(first)
    assert ran.err.count("is what the engine makes of it: once your source agrees, say where it does") == len(first)
    assert f"knocks{'/'}claims.yaml:6:12: warning: " in ran.err.replace("\\", "/")
    again = run("check", "--claims", "--pack", knocks).out
    while not again.startswith("# knocks: whatever comes up"):
        more = yaml.safe_load("claims:\n" + "".join(again.partition("# (below claims:)\n")[2]))["claims"]
        kept = yaml.safe_load((knocks / "claims.yaml").read_text(encoding="utf-8"))["claims"]
        assert not {each["id"] for each in more} & {each["id"] for each in kept}
        (knocks / "claims.yaml").write_text(yaml.safe_dump({"claims": kept + more}), encoding="utf-8")
        assert run("check", "--pack", knocks).code == 0
        again = run("check", "--claims", "--pack", knocks).out
    assert asked("coverage", knocks)["untouched"] == 0


@pytest.mark.parametrize("name", ["content/jackrealms", "docs/examples/scars"])
def test_proposals_for_other_games_can_be_pasted(tmp_path: Path, name: str) -> None:
    """Cards, dice, choices and states that somebody has been played into: all of it is read back and holds."""
    folder = Path(shutil.copytree(ROOT / name, tmp_path / "pack"))
    before = asked("coverage", folder)["untouched"]
    said = run("check", "--claims", "--pack", folder).out
    with (folder / "claims.yaml").open("a", encoding="utf-8") as file:
        file.write(said)
    ran = run("check", "--pack", folder)
    assert ran.code == 0, ran.err
    assert "fails" not in ran.out
    assert asked("coverage", folder)["untouched"] < before


def test_a_pack_with_faults_is_not_asked_for_claims(knocks: Path) -> None:
    (knocks / "system.yaml").write_text(SYSTEM.replace("table: knocks", "table: knock"), encoding="utf-8")
    for question in ("--claims", "--coverage"):
        ran = run("check", question, "--pack", knocks)
        assert (ran.code, ran.out) == (1, "")
        assert 'unknown table "knock": did you mean "knocks"?' in ran.err
    assert run("check", "--claims", "--coverage", "--pack", knocks).code == 2


def test_what_cannot_be_counted_is_played_out() -> None:
    """A shuffled deck has too many orders: the share comes with its standard error."""
    jackrealms = content.load(ROOT / "content" / "jackrealms").system
    found = {each.event: each for each in claim_coverage.coverage(jackrealms)}
    assert (found["deal"].plays, found["stand"].plays) == (claim_coverage.PLAYS, 0)
    reveal = found["reveal"]
    assert reveal.untouched and 0 < reveal.error < 0.05
    assert {"event", "branch"} >= {touch.kind for touch, _, _ in reveal.missing}


def test_dice_without_an_end_are_played_out() -> None:
    """Dice that are rolled again on their highest face could be counted for ever: they are played out."""
    deadlands = content.load(ROOT / "content" / "deadlands").system
    situation = Situation("trait", ("d6",))
    assert claim_coverage.ways(Trials(deadlands), situation, exact=True)[1] is False


def test_events_that_take_too_long_are_refused(knocks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's pack may go on for very many steps: the answer says so, and is no half answer."""
    monkeypatch.setattr(situations, "MOST_SECONDS", -1)
    ran = run("check", "--coverage", "--pack", knocks)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("knocks: its events take more than ")


@pytest.mark.slow
def test_the_guide_has_the_figures_of_our_systems() -> None:
    spec = importlib.util.spec_from_file_location("make_coverage", ROOT / "docs" / "make_coverage.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    text = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
    assert text == maker.renewed(text), "run: python docs/make_coverage.py"

"""Worked examples of the source, recomputed, and what happens when content or claims are wrong; test_guarded.py changes
each number of the content."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers import ROOT, copy_pack, hackjack, run

from generator.check import claims
from generator.model.claims import CardClaim, DeckClaim, EventClaim, NumberClaim, PanelClaim, TableClaim
from generator.model.rules import Deck, Draw
from generator.pack.load import load_pack

FOUND = {verdict.claim.id: verdict for verdict in claims.verdicts(hackjack())}


def test_the_worked_examples_are_all_there() -> None:
    """Typed in from the source a second time: what leads to what."""
    events = {verdict.claim.id: verdict for verdict in FOUND.values() if isinstance(verdict.claim, EventClaim)}
    assert events["boulder"].computed["score"] == 20
    assert events["bomb"].computed["score"] == 15
    assert events["healing"].computed == {"score": 10, "blood": 0}
    assert events["split_card"].computed["tokens"] == 2
    assert FOUND["trauma_three"].computed == "2d6 weeks"
    assert FOUND["death"].computed == FOUND["outright"].computed == 21
    assert FOUND["massive"].computed == 13
    assert {type(verdict.claim) for verdict in FOUND.values()} == {
        CardClaim, DeckClaim, EventClaim, NumberClaim, PanelClaim, TableClaim,
    }  # fmt: skip


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the pack, seen from its parent folder."""
    folder = copy_pack(tmp_path)
    monkeypatch.chdir(tmp_path)
    return folder


def spoil(pack: Path, name: str, old: str, new: str) -> None:
    path = pack / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(pack: Path, claim: str) -> int:
    """The line on which a claim begins."""
    lines = (pack / "claims.yaml").read_text(encoding="utf-8").splitlines()
    (found,) = [place for place, line in enumerate(lines, 1) if re.search(rf"\bid: {claim}\b", line)]
    return found


LUNG = "    trauma: 2\n    effects: penalty 2 to constitution"
# What is changed in the content, and the claims that must fail then.
CONTENT_CHANGES = [
    ("system.yaml", "    massive: 13\n", "    massive: 17\n", {"massive", "boulder", "bomb"}),
    ("tables.yaml", "lasts: 2d6 weeks", "lasts: 2d8 weeks", {"trauma_three"}),
    ("deck.yaml", LUNG, LUNG.replace("trauma: 2", "trauma: 5"), {"trauma_is_a_maximum"}),
]  # fmt: skip


@pytest.mark.slow
def test_a_number_changed_in_the_content_fails_its_claims(pack: Path) -> None:
    for file, old, new, _ in CONTENT_CHANGES:
        spoil(pack, file, old, new)
    failing = {claim for *_, claims in CONTENT_CHANGES for claim in claims}
    done = run("check", "pack")
    assert done.code == 1
    for claim in failing:
        says = rf'^pack/claims\.yaml:{line_of(pack, claim)}:\d+: the claim "{claim}" fails: it should come out as'
        assert len(re.findall(says, done.err, re.M)) == 1
        assert f"pack: claim {claim} fails: " in done.out


# What is changed in a claim, and what comes out instead.
CLAIM_CHANGES = {
    "deck_of_52": ("cards: 52, lowest", "cards: 53, lowest", "[53, 1, 10], but it comes out as [52, 1, 10]"),
    "aces": ("expect: {score: 1}}", "expect: {score: 2}}", "score: 2}], but it comes out as [{score: 1}, "),
    "death": ("number: limit, expect: 21", "number: limit, expect: 22", "22, but it comes out as 21"),
    "boulder": ("score: 20, tokens: 19", "score: 21, tokens: 19", "but it comes out as {score: 20, tokens: 19}"),
    "trauma_three": ("expect: 2d6 weeks", "expect: 3d6 weeks", "3d6 weeks, but it comes out as 2d6 weeks"),
    "over_the_limit": ("{score: 22, dead: true}", "{score: 22, dead: 1}", "but it comes out as {score: 22, dead"),
    "split_card": ("tokens: 2, pile: []", "tokens: 2, piles: []", "but it comes out as {score: 2, tokens: 2, "),
    "words_poison": ("[\"One kind raises", "[\"Two kinds raise", "comes out as [And if, They say so"),
    "words_sheet": ("panel: \"Injury sheet\"", "panel: \"Injury\"", 'no panel "Injury": did you mean "Injury sheet"?'),
    "words_exactly": ("block: 1, expect: [\"back", "block: 9, expect: [\"back", '"A hit" has no block 9: there are 4'),
    "ace_of_diamonds": (
        "[{effect: cool_scar, until: permanent}]", "[{effect: cool_scar}, {}]", "but it comes out as {score: 1, "
    ),
}  # fmt: skip


# A claim of one's own: what its fault says, or that there is none.
MARKED = {
    "rightly": ("expect: {score: 14}, differs: a slip, computes: {score: 15}", None),
    "with another result": ("expect: {score: 14}, differs: a slip, computes: {score: 16}",
        "it is noted to come out as {score: 16}, but it comes out as {score: 15}"),
    "without a result": ("expect: {score: 14}, differs: a slip",
        "it is noted to differ, and nothing says how: write computes: {score: 15}"),
    "though it holds": ("expect: {score: 15}, differs: a slip, computes: {score: 15}",
        "it is marked as differing, but it holds: take differs and computes out"),
    "with too many cards": ("expect: {score: 15}, dice: [1]",
        "it should come out as {score: 15}, but: nothing needs the last die given (1): leave it out"),
}  # fmt: skip


BAD_EVENTS = {
    "state: {score: -1}, event: hit 3, cards: [AC]": "the state's score is -1",
    "state: {nonsense: 1}, event: hit 3, cards: [AC]": 'the state has an unknown key "nonsense"',
    "event: hti 3, cards: [AC]": 'there is no event "hti": did you mean "hit"?',
    "event: hit 3": "needs a card",
    "event: hit 3, cards: [10C]": "needs d4 (Blood of 10C)",
    "event: hit 3, cards: [10C], dice: [5]": "a d4 (Blood of 10C) cannot show 5",
    "event: hit 3, cards: [AC, AD]": "nothing needs the last card given (AD)",
    "event: heal 3, state: {dead: true}": "the character is dead",
}


@pytest.mark.slow
def test_cards_that_can_never_be_played_out_are_named(pack: Path) -> None:
    """Here each card draws five more, until the deck is empty and the character holds every card.

    The events that draw say so, each at its place: cards are played by events of the pack.
    """
    loaded = load_pack(pack)
    assert loaded.system.deck is not None
    endless = Draw(cards=5, keep="all", score=True, pools="none")
    cards = tuple(msgspec.structs.replace(card, effects=(endless,)) for card in loaded.system.deck.cards)
    system = replace(loaded.system, deck=Deck(title="Endless", cards=cards)).with_side_files(claims=())
    found = list(claims.problems(system, loaded.marks, claims.verdicts(system)))
    assert found
    for problem in found:
        assert problem.file == "pack/system.yaml"
        assert problem.message == "this cannot be played: no card of Endless can be drawn: all of them are held"
    assert len({problem.line for problem in found}) == len(found)


def test_the_json_of_a_check_has_the_claims(pack: Path) -> None:
    done = run("check", "hackjack", "--json")
    (checked,) = json.loads(done.out)["checked"]
    assert (done.code, done.err, checked["sound"], checked["problems"]) == (0, "", True, [])
    shapes: dict[str, dict[str, Any]] = {shape["id"]: shape for shape in checked["claims"]}
    assert list(shapes) == list(FOUND)
    assert shapes["boulder"] == {
        "id": "boulder",
        "says": "Death-score 3, 17 damage, an ace drawn: 20.",
        "expected": {"score": 20, "tokens": 19},
        "computed": {"score": 20, "tokens": 19},
        "verdict": "holds",
    }
    claim = "{id: death, about: number, where: introduction, says: Past 21 you die., number: limit, expect: 22}"
    (pack / "claims.yaml").write_text(f"claims: [{claim}]\n", encoding="utf-8")
    done = run("check", "pack", "--json")
    (checked,) = json.loads(done.out)["checked"]
    shapes = {shape["id"]: shape for shape in checked["claims"]}
    assert (done.code, done.err, checked["sound"]) == (1, "", False)
    assert (shapes["death"]["expected"], shapes["death"]["computed"]) == (22, 21)
    assert shapes["death"]["verdict"] == "fails"
    assert {problem["file"] for problem in checked["problems"]} == {"pack/claims.yaml"}


def test_the_shipped_claims_are_said_for_people() -> None:
    assert run("check", "hackjack").out.splitlines() == [f"hackjack: {len(FOUND)} claims hold", "hackjack: sound"]
    lines = run("check", "hackjack", "--verbose").out.splitlines()
    assert lines[-1] == "hackjack: sound"
    assert [line.split(": ")[1] for line in lines[:-1]] == [f"claim {name} holds" for name in FOUND]


ODD = "  - {{id: {id}, about: {about}, where: here, says: A slip., {keys}}}\n"
ODDS = {
    "cards_left: 52, die: 0, score: {1: 0.08}": None,
    "cards_left: 51": "it comes out as {cards_left: 52}",
    "score: 0.5": '"score" is a group of chances by name (0, 1, 2 and the like): write score: {0: 0.5}',
    "die: {a: 0.1}": '"die" is no group of chances',
    "die: high": '"die" is a chance: write die: 0.0',
    "dye: 0.1": 'the answer has no "dye": did you mean "die"?',
    "score: {40: 0.1}": 'the answer has no "40"',
}
"""Chances, groups of chances, counts and words are compared; anything else is refused at its line."""


def test_every_claim_that_does_not_hold_is_told_at_its_line(pack: Path) -> None:
    told: dict[str, str | None] = {}
    for name, (old, new, found) in CLAIM_CHANGES.items():
        spoil(pack, "claims.yaml", old, new)
        told[name] = f": it should come out as .*{re.escape(found)}"
    written: list[tuple[str, str, str | None]] = [
        ("event", f"state: {{hp: 7}}, event: hit 22, cards: [8C], {keys}", says) for keys, says in MARKED.values()
    ]
    written += [("event", f"expect: {{score: 1}}, {keys}", says) for keys, says in BAD_EVENTS.items()]
    written += [("odds", f"event: hit 9, expect: {{{expect}}}", says) for expect, says in ODDS.items()]
    with (pack / "claims.yaml").open("a", encoding="utf-8") as file:
        for at, (about, keys, says) in enumerate(written):
            file.write(ODD.format(id=f"slip{at}", about=about, keys=keys))
            told[f"slip{at}"] = says and f": .*{re.escape(says)}"
    done = run("check", "pack", "-v")
    assert done.code == 1
    assert "pack: claim slip0 differs as noted: A slip.\n" in done.out
    for name, says in told.items():
        lines = [line for line in done.faults if f'the claim "{name}" fails' in line]
        assert len(lines) == (says is not None), name
        pattern = rf'pack/claims\.yaml:{line_of(pack, name)}:\d+: the claim "{name}" fails{says}'
        assert all(re.match(pattern, line) for line in lines), (pattern, lines)
    assert len(done.faults) == sum(says is not None for says in told.values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "event", "expect", "code"), [
    ("glog", "hit 9", "rows: {1-4: 0}, slain: 0", 1),
    ("jackrealms", "round", "best_play: 0.43", 0),
])  # fmt: skip
def test_a_claim_of_odds_in_other_games(tmp_path: Path, name: str, event: str, expect: str, code: int) -> None:
    folder = shutil.copytree(ROOT / "content" / name, tmp_path / name)
    with (folder / "claims.yaml").open("a", encoding="utf-8") as file:
        file.write(ODD.format(id="odd", about="odds", keys=f"event: {event}, expect: {{{expect}}}"))
    ran = run("check", folder)
    assert ran.code == code, ran.err
    assert ('the claim "odd" fails' in ran.err) == (code == 1)

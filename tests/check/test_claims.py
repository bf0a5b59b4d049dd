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
from generator.model.rules import CardClaim, Deck, DeckClaim, Draw, EventClaim, NumberClaim, PanelClaim, TableClaim
from generator.pack import content

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


LUNG = "    trauma: 2\n    effects:\n      - {do: penalty, to: [constitution], by: 2"
# What is changed in the content, and the claims that must fail then.
CONTENT_CHANGES = {
    "massive damage": ("system.yaml", ", massive: 13,", ", massive: 17,", {"massive", "boulder", "bomb"}),
    "recovery": ("tables.yaml", "lasts: 2d6 weeks", "lasts: 2d8 weeks", {"trauma_three"}),
    "a card's Trauma": ("deck.yaml", LUNG, LUNG.replace("trauma: 2", "trauma: 5"), {"trauma_is_a_maximum"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENT_CHANGES)
def test_a_number_changed_in_the_content_fails_its_claims(name: str, pack: Path) -> None:
    file, old, new, failing = CONTENT_CHANGES[name]
    spoil(pack, file, old, new)
    loaded = content.load(pack)
    unsound = {verdict.claim.id for verdict in claims.verdicts(loaded.system) if not verdict.sound}
    assert failing <= unsound
    problems = {
        problem.message: problem
        for problem in claims.problems(loaded.system, loaded.marks, claims.verdicts(loaded.system))
    }
    for claim in failing:
        (message,) = [message for message in problems if f'the claim "{claim}" fails: it should come out as' in message]
        problem = problems[message]
        assert (problem.file, problem.line) == ("pack/claims.yaml", line_of(pack, claim))
    done = run("check", "pack")
    assert done.code == 1
    for claim in failing:
        assert re.search(rf'^pack/claims\.yaml:{line_of(pack, claim)}:\d+: the claim "{claim}" fails: ', done.err, re.M)
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
    "words_poison": ("[\"One kind of poison", "[\"Two kinds of poison", "comes out as [Poison and worse, One kind of"),
    "words_sheet": ("panel: \"Injury sheet\"", "panel: \"Injury\"", 'no panel "Injury": did you mean "Injury sheet"?'),
    "words_exactly": ("block: \"Exactly {limit}\"", "block: 9", 'the panel "A hit" has no block 9: there are 6'),
    "ace_of_diamonds": (
        "[{effect: cool_scar, until: permanent}]", "[{effect: cool_scar}, {}]", "but it comes out as {score: 1, "
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIM_CHANGES)
def test_another_expectation_fails(name: str, pack: Path) -> None:
    old, new, says = CLAIM_CHANGES[name]
    spoil(pack, "claims.yaml", old, new)
    done = run("check", "pack")
    (fault,) = done.faults
    assert done.code == 1
    assert fault.startswith(f"pack/claims.yaml:{line_of(pack, name)}:")
    assert f'the claim "{name}" fails: it should come out as ' in fault
    assert says in fault


# A claim put in the place of another: what its fault says, or that there is none.
BOMB = "  - id: bomb\n"
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


@pytest.mark.parametrize("how", MARKED)
def test_a_claim_that_is_marked_as_differing(how: str, pack: Path) -> None:
    keys, says = MARKED[how]
    claim = (
        f"{{id: slip, about: event, where: here, says: A slip., state: {{hp: 7}}, event: hit 22, cards: [8C], {keys}}}"
    )
    spoil(pack, "claims.yaml", BOMB, f"  - {claim}\n{BOMB}")
    done = run("check", "pack", "-v")
    if says is None:
        assert (done.code, done.faults) == (0, [])
        assert "pack: claim slip differs as noted: A slip.\n" in done.out
        return
    assert done.code == 1
    (fault,) = done.faults
    assert fault.startswith(f"pack/claims.yaml:{line_of(pack, 'slip')}:")
    assert fault.endswith(f'the claim "slip" fails: {says}')


BAD_EVENTS = {
    "state: {score: -1}, event: hit 3, cards: [AC]": "the state's score is -1",
    "state: {nonsense: 1}, event: hit 3, cards: [AC]": 'the state has an unknown key "nonsense"',
    "event: hti 3, cards: [AC]": 'there is no event "hti": did you mean "hit"?',
    "event: hit 3": "needs a card",
    "event: hit 3, cards: [10C]": "needs d4 (Blood of 10C)",
    "event: hit 3, cards: [10C], dice: [5]": "a d4 (Blood of 10C) cannot show 5",
    "event: hit 3, cards: [AC, AD]": "nothing needs the last card given (AD)",
    "event: heal 3, state: {dead: true}": "the character is dead",
    "event: ''": "",
}


@pytest.mark.parametrize("keys", BAD_EVENTS)
def test_a_claim_that_cannot_be_played_says_why(keys: str, pack: Path) -> None:
    claim = f"{{id: slip, about: event, where: here, says: A slip., expect: {{score: 1}}, {keys}}}"
    spoil(pack, "claims.yaml", BOMB, f"  - {claim}\n{BOMB}")
    done = run("check", "pack")
    (fault,) = done.faults
    assert done.code == 1
    assert fault.startswith(f"pack/claims.yaml:{line_of(pack, 'slip')}:")
    assert BAD_EVENTS[keys] in fault


def test_cards_that_can_never_be_played_out_are_named(pack: Path) -> None:
    """Here each card draws five more, until the deck is empty and the character holds every card.

    The events that draw say so, each at its place: cards are played by events of the pack.
    """
    loaded = content.load(pack)
    assert loaded.system.deck is not None
    endless = Draw(cards=5, keep="all", score=True, pools="none")
    cards = tuple(msgspec.structs.replace(card, effects=(endless,)) for card in loaded.system.deck.cards)
    system = replace(loaded.system, deck=Deck(title="Endless", cards=cards), claims=())
    found = list(claims.problems(system, loaded.marks, claims.verdicts(system)))
    assert found
    for problem in found:
        assert problem.file == "pack/system.yaml"
        assert problem.message == "this cannot be played: no card of Endless can be drawn: all of them are held"
    assert len({problem.line for problem in found}) == len(found)


def test_the_json_of_a_check_has_the_claims(pack: Path) -> None:
    done = run("check", "pack", "--json")
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
    spoil(pack, "system.yaml", "{limit: 21,", "{limit: 20,")
    done = run("check", "pack", "--json")
    (checked,) = json.loads(done.out)["checked"]
    shapes = {shape["id"]: shape for shape in checked["claims"]}
    assert (done.code, done.err, checked["sound"]) == (1, "", False)
    assert (shapes["death"]["expected"], shapes["death"]["computed"]) == (21, 20)
    assert shapes["death"]["verdict"] == "fails"
    assert {problem["file"] for problem in checked["problems"]} == {"pack/claims.yaml"}


def test_the_shipped_claims_are_said_for_people() -> None:
    done = run("check", "hackjack")
    assert (done.code, done.faults) == (0, [])
    assert done.out.splitlines() == [f"hackjack: {len(FOUND)} claims hold", "hackjack: sound"]
    lines = run("check", "hackjack", "--verbose").out.splitlines()
    assert lines[-1] == "hackjack: sound"
    assert [line.split(": ")[1] for line in lines[:-1]] == [f"claim {name} holds" for name in FOUND]


ODD = "  - {{id: odd, about: odds, where: here, says: Odd., event: {event}, expect: {{{expect}}}}}\n"


@pytest.mark.parametrize(("event", "expect", "says"), [
    ("hit 9", "cards_left: 52, die: 0, score: {1: 0.08}", ""),
    ("hit 9", "cards_left: 51", "it comes out as {cards_left: 52}"),
    ("hit 9", "score: 0.5", '"score" is a group of chances by name (0, 1, 2 and the like): write score: {0: 0.5}'),
    ("hit 9", "die: {a: 0.1}", '"die" is no group of chances'),
    ("hit 9", "die: high", '"die" is a chance: write die: 0.0'),
    ("hit 9", "dye: 0.1", 'the answer has no "dye": did you mean "die"?'),
    ("hit 9", "score: {40: 0.1}", 'the answer has no "40"'),
])  # fmt: skip
def test_a_claim_of_odds_on_any_key(pack: Path, event: str, expect: str, says: str) -> None:
    """Chances, groups of chances, counts and words are compared; anything else is refused at its line."""
    with (pack / "claims.yaml").open("a", encoding="utf-8") as file:
        file.write(ODD.format(event=event, expect=expect))
    ran = run("check", "pack")
    assert ran.code == (1 if says else 0), ran.err
    if says:
        (line,) = ran.err.splitlines()
        assert line.startswith(f"pack/claims.yaml:{line_of(pack, 'odd')}:5: ") and says in line


@pytest.mark.parametrize(("name", "event", "expect", "code"), [
    ("glog", "hit 9", "rows: {1-4: 0}, slain: 0", 1),
    ("jackrealms", "round", "best_play: 0.43", 0),
])  # fmt: skip
def test_a_claim_of_odds_in_other_games(tmp_path: Path, name: str, event: str, expect: str, code: int) -> None:
    folder = shutil.copytree(ROOT / "content" / name, tmp_path / name)
    with (folder / "claims.yaml").open("a", encoding="utf-8") as file:
        file.write(ODD.format(event=event, expect=expect))
    ran = run("check", folder)
    assert ran.code == code, ran.err
    assert ('the claim "odd" fails' in ran.err) == (code == 1)

"""The odds of Hackjack, by hand; test_counter.py compares them with every order of a few cards."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from helpers import CONTENT, copy_pack, hackjack, run

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import Asked
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.play.chance import Policy


def asked(state: dict[str, Any], event: str = "hit 5", system: System | None = None, **how: Any) -> dict[str, Any]:
    """The odds of an event, in JSON."""
    game = game_of(system or hackjack())
    return game.odds(game.read_state(state), game.read_question(event.split(), {}), Asked(**how)).plain


def share(answer: dict[str, Any]) -> Fraction:
    return Fraction(answer["fraction"] if "fraction" in answer else answer["p"])


def left_alone(left: str, **values: object) -> dict[str, Any]:
    """A character before whom only these cards are left in the deck."""
    cards = left.split()
    return {"drawn": [code for code in FULL_DECK if code not in cards], **values}


@pytest.mark.parametrize(
    ("left", "score", "die"),
    [
        # The Queen of spades scores 10, and the card after her scores too: 12 + 10 is over already, 2 + 10 + 10 also.
        ("QS", 12, Fraction(1)),
        ("QS KC", 2, Fraction(1, 2)),
        ("QS AC KC", 2, Fraction(1, 6)),
        # The Seven and the Jack of clubs score themselves alone.
        ("7C KC KS", 5, Fraction(0)),
        ("JC KC KS", 12, Fraction(1)),
        # A Six of hearts with no wound before it scores the card that is drawn for it, once.
        ("6H KC", 6, Fraction(1, 2)),
        ("6H AC", 6, Fraction(0)),
    ],
)
def test_cards_that_draw_cards(left: str, score: int, die: Fraction) -> None:
    assert share(asked(left_alone(left, score=score))["die"]) == die


@pytest.mark.parametrize("score", [0, 12, 20])
@pytest.mark.parametrize("policy", ["best", "even"])
def test_the_chances_of_a_full_deck_add_up(score: int, policy: Policy) -> None:
    found = asked({"score": score}, policy=policy)
    assert share(found["survive"]) == 1 - share(found["die"])
    assert sum(map(share, found["score"].values())) == share(found["survive"])
    assert 0 <= share(found["reset"]) <= share(found["survive"])
    assert found["cards_left"] == 52


def test_one_card_at_a_time_over_the_full_deck() -> None:
    """At a death-score of 12 what kills is a card of 10, for every card that draws more scores 10 or cannot help."""
    system = hackjack()
    kills = sum(1 for card in system.cards.values() if card.code in FULL_DECK and system.score_of(card) == 10)
    assert kills == 16
    # Only a Six of hearts with nothing before it draws for a score without being over already.
    assert 0 <= share(asked({"score": 12})["die"]) - Fraction(kills, 52) < Fraction(1, 52)


def test_massive_damage_makes_the_card_no_matter() -> None:
    assert share(asked({"score": 3}, "hit 19")["die"]) >= Fraction(51, 52)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(HackjackError, match="1 to 1,000 in a row"):
        asked({}, hits=1001)
    with pytest.raises(HackjackError, match="dead"):
        asked({"dead": True})
    with pytest.raises(HackjackError, match="has no odds"):
        asked({}, "rest")


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"permanent": ["QC"]}, 51),
        ({"wounds": ["10H", "10H"], "permanent": ["QC"]}, 50),
        ({"wounds": ["KC"], "pile": [{"card": "KC", "score": 10}]}, 51),
        ({"permanent": ["QC"], "drawn": ["QC", "AC"]}, 50),
        ({"permanent": ["QC"], "drawn": ["AC"]}, 51),
    ],
)
def test_the_cards_of_wounds_are_out_of_the_deck(given: dict[str, object], left: int) -> None:
    """The resolver has it so too. `drawn`, where it is given, tells what is out."""
    game = game_of(hackjack())
    assert asked(given)["cards_left"] == left
    assert len(game.deck()) - len(game.plain_state(game.read_state(given))["drawn"]) == left


def test_a_red_card_that_scores(tmp_path: Path) -> None:
    """Hackjack, but with the Ten of hearts in force a red card scores 1 more."""
    pack = copy_pack(tmp_path)
    text = (pack / "deck.yaml").read_text(encoding="utf-8")
    (pack / "deck.yaml").write_text(
        text.replace("whenever red_card until recovery blood 1", "whenever red_card until recovery score 1"), "utf-8"
    )
    system = load_pack(pack).system
    wounds = [{"card": "10H", "effect": "whenever", "until": "recovery"}]
    for left, die in {
        # A red Queen or King scores 11 now; a Nine of hearts comes to 21 exactly.
        "8C 9C QH 9H KD": Fraction(2, 5),
        # The Seven of clubs draws both: 11 + 7 + 2. With the Jack of clubs one red card among the two is enough.
        "7C KH 2D": Fraction(1, 3),
        "JC KH 2D 3C": Fraction(1, 2),
    }.items():
        assert share(asked(left_alone(left, score=11, wounds=wounds), system=system)["die"]) == die


@pytest.mark.slow
def test_several_hits_are_counted_or_played_and_the_answer_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """At lower limits for the second, so that they are met sooner."""

    def asked(*words: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(run("odds", "hackjack", "hit", "9", "--hits", *words, "--json").out)
        return answer

    once = asked("1")
    assert (once["method"], once["die_by"]) == ("exact", [{"fraction": "71/191100", "p": 71 / 191100}])
    monkeypatch.setattr("generator.games.steps.odds_answers.MAX_WORK", 5_000)
    monkeypatch.setattr("generator.games.steps.odds_answers.MAX_PLAYED_WORK", 20_000)
    played = asked("6")
    assert (played["method"], played["seed"]) == ("played", 0)
    assert [set(share) for share in played["die_by"]] == [{"p", "error"}] * 6
    assert 0 < played["die_by"][2]["error"] < 0.1


def test_house_rules_change_the_odds() -> None:
    system = load_pack(CONTENT, (("massive_damage", "from_13"),)).system
    state = left_alone("KC 9H", score=9)
    assert share(asked(state, "hit 13")["die"]) == 0
    assert share(asked(state, "hit 13", system)["die"]) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--hits", "0"), "--hits 0: ask for 1 to 1,000 in a row"),
        (("--hits", "-2"), "--hits -2: ask for 1 to 1,000 in a row"),
        (("--hits", "0", "--simulate", "100"), "--hits 0: ask for 1 to 1,000 in a row"),
    ],
)
def test_no_hits_at_all_are_refused(words: tuple[str, ...], says: str) -> None:
    ran = run("odds", "hackjack", "hit", "6", *words)
    assert (ran.code, ran.out, ran.err.strip()) == (1, "", says)

"""The odds, beside a slow and obvious witness that knows the rules but not the program."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from helpers import hackjack, run

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.games.hackjack import engine as harm
from generator.games.hackjack import odds, simulation
from generator.games.hackjack.charts import CHARTS
from generator.games.hackjack.simulation import SimulatedPlayer, simulate
from generator.model.blocks import Prose
from generator.model.rules import System, Until, Whenever
from generator.pack import content
from generator.play.chance import Given

HIT = harm.HarmEvent("hit", 5)


def state_with(left: str, **values: object) -> harm.HarmState:
    """A character before whom only these cards are left in the deck."""
    cards = left.split()
    given = {"drawn": [code for code in FULL_DECK if code not in cards], **values}
    return harm.read_state(given, hackjack())


class Plain(NamedTuple):
    """What the witness knows of a card without cards to draw: score, Blood."""

    score: int
    blood: int


PLAIN = {
    "AC": Plain(1, 0),
    "2S": Plain(2, 1),
    "6C": Plain(6, 1),
    "8C": Plain(8, 2),
    "KC": Plain(10, 2),
    "KS": Plain(10, 6),
    "KH": Plain(10, 6),
    "8H": Plain(8, 2),
    "9H": Plain(9, 0),
    "10S": Plain(10, 0),
    "3H": Plain(3, 0),
    "QH": Plain(10, 1),
}


def witness(order: tuple[str, ...], score: int, blood: int, hits: int, holding: bool) -> int:
    """Play one order of the deck: the hit that kills, or 0."""
    for number in range(hits):
        if not holding:
            score, blood = score + blood, 0
        card = PLAIN[order[number]]
        score, blood = score + card.score, blood + card.blood
        if score > 21:
            return number + 1
        score = 0 if score == 21 else score
    return 0


@pytest.mark.parametrize("holding", [False, True])
@pytest.mark.parametrize(
    ("left", "score", "blood", "hits"),
    [
        ("AC 2S KC KS 9H", 3, 0, 3),
        ("AC 2S 6C 8C KH 10S", 8, 2, 3),
        ("KC KS KH 3H QH", 11, 0, 2),
        ("6C 8C 8H 9H AC 3H", 0, 5, 3),
        ("AC 2S 3H 6C", 19, 0, 2),
    ],
)
def test_every_order_of_a_small_deck(left: str, score: int, blood: int, hits: int, holding: bool) -> None:
    state = state_with(left, score=score, blood=blood, holding=holding)
    orders = list(permutations(left.split()))
    ends = [witness(order, score, blood, hits, holding) for order in orders]
    expected = tuple(
        Fraction(sum(1 for end in ends if 0 < end <= number), len(orders)) for number in range(1, hits + 1)
    )
    assert odds.die_by(hackjack(), state, HIT, hits) == expected
    assert odds.outcome(hackjack(), state, HIT).die == expected[0]


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
    assert odds.outcome(hackjack(), state_with(left, score=score, tokens=score), HIT).die == die


@pytest.mark.parametrize("policy", ["best", "worst", "even"])
@pytest.mark.parametrize("score", [0, 7, 12, 20])
def test_the_chances_of_a_full_deck_add_up(score: int, policy: odds.Policy) -> None:
    found = odds.outcome(hackjack(), harm.read_state({"score": score}, hackjack()), HIT, policy)
    assert found.survive == 1 - found.die
    assert sum(found.score.values()) == found.survive
    assert 0 <= found.reset <= found.survive
    assert found.cards_left == 52


def test_one_card_at_a_time_over_the_full_deck() -> None:
    """At a death-score of 12 what kills is a card of 10, for every card that draws more scores 10 or cannot help."""
    system = hackjack()
    kills = sum(1 for card in system.cards.values() if card.code in FULL_DECK and system.score_of(card) == 10)
    found = odds.outcome(system, harm.read_state({"score": 12}, system), HIT)
    assert kills == 16
    # Only a Six of hearts with nothing before it draws for a score without being over already.
    assert found.die - Fraction(kills, 52) < Fraction(1, 52)


def test_death_scores_one_after_the_other_are_as_each_alone() -> None:
    def outcome(score: int) -> odds.Outcome:
        return odds.outcome(hackjack(), harm.HarmState(score=score, tokens=score), HIT)

    following, alone = [outcome(score) for score in range(21)], []
    for score in range(21):
        odds.outcome(hackjack(), harm.HarmState(hp=1), HIT)
        alone.append(outcome(score))
    assert following == alone


def test_massive_damage_makes_the_card_no_matter() -> None:
    found = odds.outcome(hackjack(), harm.read_state({"score": 3}, hackjack()), harm.HarmEvent("hit", 19))
    assert found.die >= Fraction(51, 52)


def test_a_simulation_agrees_within_its_error() -> None:
    state = harm.read_state({"score": 10}, hackjack())
    exact = odds.outcome(hackjack(), state, HIT).die
    ((share, error),) = simulate(hackjack(), state, HIT, 1, 20_000, seed=3)
    assert abs(share - float(exact)) < 4 * error
    assert simulate(hackjack(), state, HIT, 1, 500, seed=3) == simulate(hackjack(), state, HIT, 1, 500, seed=3)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(HackjackError, match="run out"):
        odds.die_by(hackjack(), state_with("AC 2S"), HIT, 4)
    with pytest.raises(HackjackError, match="1 to 100 hits"):
        odds.die_by(hackjack(), harm.HarmState(), HIT, 101)
    with pytest.raises(HackjackError, match="dead"):
        odds.outcome(hackjack(), harm.HarmState(dead=True), HIT)
    with pytest.raises(HackjackError, match="has no odds"):
        odds.outcome(hackjack(), harm.HarmState(), harm.HarmEvent("rest"))


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
    state = harm.read_state(given, hackjack())
    assert odds.outcome(hackjack(), state, HIT).cards_left == left
    assert len(harm.deck_of(hackjack())) - len(state.drawn) == left


def red_scores() -> System:
    """Hackjack, but with the Ten of hearts in force a red card scores 1 more."""
    book = hackjack()
    assert book.deck
    whenever = Whenever("red_card", Until.parse("recovery"), score=1)
    cards = (
        msgspec.structs.replace(card, effects=(whenever,)) if card.code == "10H" else card for card in book.deck.cards
    )
    return replace(book, deck=msgspec.structs.replace(book.deck, cards=tuple(cards)))


def test_a_red_card_that_scores() -> None:
    system = red_scores()
    state = harm.read_state({"wounds": ["10H"], "score": 11, "drawn": ["10H"]}, system)
    die = odds.outcome(system, state, HIT).die
    kills = [
        code for code in FULL_DECK if code != "10H" and system.score_of(system.cards[code]) + (code[-1] in "DH") > 10
    ]
    assert die > Fraction(len(kills), 51)
    assert odds.die_by(system, state, HIT, 1) == (die,)
    ((share, error),) = simulate(system, state, HIT, 1, 40_000, seed=1)
    assert abs(share - float(die)) < 4 * error


@pytest.mark.parametrize(
    ("left", "hits"), [("10H AC 2D KS 9H 7C QS 3D 4S 5H", 2), ("6H 10H 7C JC 5D 9S QS AH KD 2C", 1)]
)
def test_a_red_card_that_scores_and_ten_cards(left: str, hits: int) -> None:
    system = red_scores()
    given = {"drawn": [code for code in FULL_DECK if code not in left.split()], "score": 6, "wounds": ["10H"]}
    state = harm.read_state(given, system)
    found = odds.outcome(system, state, HIT)
    assert found.die + found.survive == sum(found.score.values()) + found.die == 1
    assert 0 <= found.die <= 1
    exact = odds.die_by(system, state, HIT, hits)
    assert exact[0] == found.die
    for told, (share, error) in zip(exact, simulate(system, state, HIT, hits, 40_000, seed=1), strict=True):
        assert abs(share - float(told)) <= 4 * error + 1e-9


def test_several_hits_are_counted_or_played_and_the_answer_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """At lower limits, so that they are met sooner."""
    monkeypatch.setattr(odds, "MAX_TRANSITIONS", 30_000)
    monkeypatch.setattr(simulation, "DEFAULT_PLAYS", 4_000)

    def asked(*words: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(run("odds", "hackjack", "hit", "9", "--hits", *words, "--json").out)
        return answer

    assert asked("1") == {
        "method": "exact",
        "event": "hit",
        "die_by": [{"fraction": "657/1082900", "p": 657 / 1082900}],
    }
    played = asked("6")
    assert (played["method"], played["plays"], played["seed"]) == ("played", 4_000, 0)
    assert [set(share) for share in played["die_by"]] == [{"p", "error"}] * 6
    assert 0 < played["die_by"][2]["error"] < 0.01
    assert asked("2", "--seed", "4") != asked("2")
    ran = run("odds", "hackjack", "hit", "9", "--hits", "6", "--exact")
    assert ran.code == 1
    assert "more than 30,000 transitions" in ran.err and "one hit can be counted exactly, not 6" in ran.err
    assert run("odds", "hackjack", "hit", "9", "--hits", "6", "--exact", "--simulate", "5").code == 2


@pytest.mark.parametrize("rules", ["", "twenty_one=at_every_step", "jokers=lucky_break"])
def test_plays_go_card_by_card_as_the_engine_goes(rules: str) -> None:
    """The player that looks steps up meets the same deck as the engine that holds whole states, and ends alike."""
    system = content.with_settings(hackjack(), [tuple(rules.split("="))] if rules else [])  # type: ignore[list-item]
    player = SimulatedPlayer(system, harm.HarmState(), HIT, "best")
    blows = harm.blows_of(system)
    for seed in range(400):
        order = list(harm.deck_of(system))
        Random(seed).shuffle(order)
        state, number = harm.HarmState(), 0
        luck = Given(order, [1] * 60)
        luck.choose = lambda need: min(  # type: ignore[method-assign]
            range(len(need.options)), key=lambda at: odds.rank_of(blows[need.options[at]])
        )
        luck.roll = lambda need: (1,) * need.dice.count  # type: ignore[method-assign]
        while not state.dead and number < 8:
            state, _ = harm.step(system, state, HIT, luck)
            number += not state.dead
        player.stacked([blows[code] for code in order])
        assert player.died([0], 8, 1, lambda: 0.0)[0].index(1) == number, order


LEFT_TO_LIVE = {0: 3.004, 5: 2.292, 8: 1.900, 13: 1.143, 15: 0.795, 18: 0.502, 20: 0.305}
"""By death-score, from 600,000 plays each; one standard error is 0.002."""


def test_the_chart_of_hits_left_to_live_is_right_in_its_first_decimal() -> None:
    bars = CHARTS["hits_by_score"](hackjack())
    for score, mean in LEFT_TO_LIVE.items():
        assert abs(bars.values[score] - mean) < 0.03
        assert f"{bars.values[score]:.1f}" == f"{mean:.1f}"
    assert bars.note == "mean of 31,200 plays, ±0.01; full deck, no Blood"
    blocks = (block for _, file in hackjack().panels for panel in file.panels for block in panel.blocks)
    above = next(block for block in blocks if isinstance(block, Prose) and block.title == "Hits left to live")
    assert above.text == ("On average, if nobody holds Blood in, nobody heals and no damage is massive.",)


@pytest.mark.slow
def test_the_chart_of_the_highest_limit_takes_fewer_plays_and_says_so() -> None:
    """With a limit of 50 some live through more than twice 15 hits, and none runs out of cards."""
    bars = CHARTS["hits_by_score"](content.with_numbers(hackjack(), {"limit": "50"}))
    assert len(bars.values) == 50
    assert bars.note == "mean of 13,104 plays, ±0.03; full deck, no Blood"
    fewer = simulate(
        content.with_numbers(hackjack(), {"limit": "50"}), harm.HarmState(), harm.read_event(["hit", "6"]), 40, 2_000, 3
    )
    assert abs(bars.values[0] - sum(1 - died for died, _ in fewer)) < 0.5


def test_house_rules_change_the_odds() -> None:
    system = content.with_settings(hackjack(), [("massive_damage", "from_13")])
    state = harm.read_state({"score": 8}, system)
    assert (
        odds.outcome(system, state, harm.HarmEvent("hit", 13)).die
        != odds.outcome(hackjack(), state, harm.HarmEvent("hit", 13)).die
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--hits", "0"), "--hits 0: ask for 1 to 100 hits in a row"),
        (("--hits", "-2"), "--hits -2: ask for 1 to 100 hits in a row"),
        (("--hits", "0", "--simulate", "100"), "--hits 0: ask for 1 to 100 hits in a row"),
    ],
)
def test_no_hits_at_all_are_refused(words: tuple[str, ...], says: str) -> None:
    ran = run("odds", "hackjack", "hit", "6", *words)
    assert (ran.code, ran.out, ran.err.strip()) == (1, "", says)

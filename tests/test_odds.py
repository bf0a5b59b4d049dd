"""The odds, beside a slow and obvious witness that knows the rules but not the program."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import pytest
from helpers import hackjack, run

from generator import content
from generator.cards import FULL_DECK
from generator.engine import harm
from generator.errors import HackjackError
from generator.odds import harm as odds
from generator.simulation import simulate

HIT = harm.Event("hit", 5)


def state_with(left: str, **values: object) -> harm.State:
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


def test_other_death_scores_are_counted_together() -> None:
    fresh = harm.State()
    together = odds.outcomes(hackjack(), fresh, range(21), HIT)
    assert together == [odds.outcome(hackjack(), harm.State(score=score, tokens=score), HIT) for score in range(21)]


def test_massive_damage_makes_the_card_no_matter() -> None:
    found = odds.outcome(hackjack(), harm.read_state({"score": 3}, hackjack()), harm.Event("hit", 19))
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
        odds.die_by(hackjack(), harm.State(), HIT, 101)
    with pytest.raises(HackjackError, match="dead"):
        odds.outcome(hackjack(), harm.State(dead=True), HIT)
    with pytest.raises(HackjackError, match="has no odds"):
        odds.outcome(hackjack(), harm.State(), harm.Event("rest"))


def test_house_rules_change_the_odds() -> None:
    system = content.with_settings(hackjack(), [("massive_damage", "from_13")])
    state = harm.read_state({"score": 8}, system)
    assert (
        odds.outcome(system, state, harm.Event("hit", 13)).die
        != odds.outcome(hackjack(), state, harm.Event("hit", 13)).die
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

"""The odds of blackjack, beside a slow witness that plays every order of the cards and knows nothing of the program."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers import ROOT, run
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.games.jackrealms import odds
from generator.games.jackrealms.hands import Count, HandRules
from generator.pack.load import load_pack

RULES = HandRules.of(load_pack(ROOT / "content" / "jackrealms").system)
HITS_SOFT = replace(RULES, dealer_hits_soft=True)


# --- the witness: what the source says, card by card -----------------------------------------------------------------


def worth(code: str) -> int:
    rank = code[:-1]
    return 11 if rank == "A" else 10 if rank in ("J", "Q", "K") else int(rank)


def count(cards: Sequence[str]) -> tuple[int, int]:
    """The total, and how many aces count 11 in it."""
    total = sum(map(worth, cards))
    high = sum(code[0] == "A" for code in cards)
    while total > 21 and high:
        total, high = total - 10, high - 1
    return total, high


def dealer_loses(dealer: tuple[str, ...], total: int, left: tuple[str, ...], hits_soft: bool) -> Fraction:
    """The chance that a dealer with these cards ends bust or below a total."""
    held, high = count(dealer)
    if len(dealer) > 1 and (held > 17 or (held == 17 and not (high and hits_soft))):
        return Fraction(held > 21 or held < total)
    each = (
        dealer_loses((*dealer, code), total, (*left[:at], *left[at + 1 :]), hits_soft) for at, code in enumerate(left)
    )
    return sum(each, Fraction(0)) / len(left)


def stands(player: tuple[str, ...], dealer: str, left: tuple[str, ...], hits_soft: bool) -> Fraction:
    total = count(player)[0]
    return dealer_loses((dealer,), total, left, hits_soft) if total <= 21 else Fraction(0)


def hits(player: tuple[str, ...], dealer: str, left: tuple[str, ...], hits_soft: bool) -> Fraction:
    won = Fraction(0)
    for at, code in enumerate(left):
        hand, rest = (*player, code), (*left[:at], *left[at + 1 :])
        if count(hand)[0] <= 21:
            won += max(stands(hand, dealer, rest, hits_soft), hits(hand, dealer, rest, hits_soft))
    return won / len(left)


@st.composite
def small_decks(draw: st.DrawFn) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """A player's hand, the dealer's card, and the few cards that nobody has seen."""
    cards = draw(st.permutations(FULL_DECK))
    held = draw(st.integers(2, 4))
    return tuple(cards[:held]), cards[held], tuple(cards[held + 1 : held + 1 + draw(st.integers(5, 8))])


@given(small_decks(), st.booleans())
def test_small_decks_agree_with_the_witness_to_the_last_fraction(
    deck: tuple[tuple[str, ...], str, tuple[str, ...]], hits_soft: bool
) -> None:
    player, dealer, left = deck
    assume(count(player)[0] <= 21)
    seen = [code for code in FULL_DECK if code not in {*player, dealer, *left}]
    try:
        found = odds.best_decision(HITS_SOFT if hits_soft else RULES, player, dealer, seen)
    except HackjackError as error:
        assert "the deck might run out" in str(error)
        assume(False)
    assert found.stand == stands(player, dealer, left, hits_soft)
    assert found.hit == hits(player, dealer, left, hits_soft)


@pytest.mark.parametrize(("player", "dealer", "left"), [
    ("AS AD", "AC", "2C 9D KH 10S 8C 6D 5H 7S KD QD"),
    ("5S 5D", "10C", "AC AD AH 2S 3S 10D 9H KC 8D"),
    ("10D 9S", "6H", "AC AD 2C 2D 3H 4S 10S KH QC"),
    ("2C 2D 2H", "2S", "10S 9H 8D 7C 5S 4D KD QD JC"),
    ("AS 6D", "7C", "10S 9H AD AH 8C 4D 4S KC"),
])  # fmt: skip
@pytest.mark.parametrize("hits_soft", [False, True])
def test_chosen_small_decks_agree_with_the_witness(player: str, dealer: str, left: str, hits_soft: bool) -> None:
    hand, rest = tuple(player.split()), tuple(left.split())
    seen = [code for code in FULL_DECK if code not in {*hand, dealer, *rest}]
    found = odds.best_decision(HITS_SOFT if hits_soft else RULES, hand, dealer, seen)
    assert found.stand == stands(hand, dealer, rest, hits_soft)
    assert found.hit == hits(hand, dealer, rest, hits_soft)


# --- the whole deck --------------------------------------------------------------------------------------------------

PLAYS = 4_000


def test_standing_adds_up_over_the_cards_that_somebody_else_shows() -> None:
    """A card that lies open elsewhere is as likely each unseen one: the mean over all of them is the chance without."""
    player, dealer = ("10D", "7S"), "8H"
    rest = [code for code in FULL_DECK if code not in {*player, dealer}]
    found = [odds.best_decision(RULES, player, dealer, [code]) for code in rest]
    blind = odds.best_decision(RULES, player, dealer)
    assert sum((each.stand for each in found), Fraction(0)) / len(rest) == blind.stand
    assert sum((each.chance for each in found), Fraction(0)) / len(rest) >= blind.chance


@pytest.mark.slow
def test_the_round_is_the_mean_of_the_best_choices() -> None:
    """Over every hand of two cards and every up card, by suits that matter no more."""
    rules, whole, cases = RULES, Fraction(0), 0
    ranks = [code for code in FULL_DECK if code.endswith("S")]
    others = {"S": "H", "H": "D"}
    for up in ranks:
        for one in ranks:
            for two in ranks:
                suits = [up, one[:-1] + others["S"], two[:-1] + others["H"]]
                ways = 4 * (4 - (one == up)) * (4 - (two == up) - (two == one))
                whole += ways * odds.best_decision(rules, suits[1:], suits[0]).chance
                cases += ways
    assert cases == 52 * 51 * 50
    assert whole / cases == odds.whole_round(rules).best_play


def test_the_grid_knows_what_every_player_learns_first() -> None:
    grid = {(total, up.low): found for (total, up), found in odds.two_card_strategy(RULES).items()}
    assert len(grid) == (17 + 10) * 10
    assert grid[Count(20, False), 6].best == grid[Count(21, True), 10].best == "stand"
    assert grid[Count(13, False), 6].best == "stand" and grid[Count(13, False), 10].best == "hit"
    assert all(grid[Count(total, False), up].best == "hit" for total in range(4, 12) for up in range(1, 11))
    assert all(grid[Count(17, True), up].best == "hit" for up in range(1, 11))
    for (count, up), found in grid.items():
        assert 0 < found.stand < 1 and 0 < found.hit < 1, (count, up)


# --- asked for at the command line -----------------------------------------------------------------------------------

HAND = ("odds", "jackrealms", "hand", "--at", "player=10D,6S", "--at", "dealer=9H")


def asked(*words: str | Path) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.code == 0, done.err
    value: dict[str, Any] = json.loads(done.out)
    return value


def test_a_choice_has_the_shape_that_tools_rely_on() -> None:
    value = asked(*HAND)
    assert list(value) == ["stand", "hit", "best"]
    assert value["stand"] == {"fraction": "48324763/209757240", "p": pytest.approx(0.2303842)}
    assert value["best"] == "stand"
    assert list(asked("odds", "jackrealms", "round")) == ["best_play", "copy_dealer"]


def test_a_choice_is_told_with_its_counts() -> None:
    assert run(*HAND).out.splitlines() == [
        "16 against 9H; 29 of 49 unseen cards bust the hand",
        "stand  23.0384% = 48324763/209757240",
        "hit    22.9012%   and then play on best",
        "best   stand",
    ]


def test_cards_of_the_others_change_the_choice() -> None:
    value = asked(*HAND, "--at", "seen=10C,10H,10S,KC")
    assert value["best"] == "hit"


def test_the_hidden_card_never_leaks(tmp_path: Path) -> None:
    """A state that holds the dealer's hidden card answers as one that does not."""
    answers = []
    for hidden in ("?", "7C", "AC", "10H"):
        players = [
            {"name": "Ann", "effort": 1, "bet": 1, "cards": ["10S", "9S"], "stands": True},
            {"name": "Bea", "effort": 1, "bet": 1, "cards": ["10D", "6S"]},
            {"name": "Cid", "effort": 1, "bet": 1, "cards": ["2D", "2S"]},
        ]
        path = tmp_path / "state.json"
        state = {"stakes": 4, "players": players, "dealer": [hidden, "9H"]}
        path.write_text(json.dumps(state), encoding="utf-8")
        answers.append(asked("odds", "jackrealms", "hand", "--state", path))
    assert answers[0] == asked(*HAND, "--at", "seen=10S,9S,2D,2S")
    assert all(answer == answers[0] for answer in answers)


def test_the_strategy_is_a_table_for_people_and_tools() -> None:
    value = asked("odds", "jackrealms", "strategy")
    assert list(value) == ["hard", "soft"]
    assert list(value["hard"]["16"]) == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert value["hard"]["16"]["6"]["best"] == "stand"
    told = run("odds", "jackrealms", "strategy").out.splitlines()
    assert told[0].split() == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert next(line for line in told if line.startswith("hard16")).startswith("hard16  S 35")


@pytest.mark.parametrize(("words", "code", "says"), [
    (("hand",), 2, "nobody has to decide in this state: name the cards"),
    (("hand", "--at", "player=10D,6S"), 2, "a choice needs both hands: add --at dealer=CARD"),
    (("hand", "--at", "dealer=9H"), 2, "a choice needs both hands: add --at player=CARD,CARD"),
    (("hand", "--at", "player=10D", "--at", "dealer=9H"), 2, "a hand has 2 cards or more"),
    (("hand", "--at", "player=10D,6S", "--at", "dealer=9H,8H"), 2, "the dealer shows one card"),
    (("hand", "--at", "player=10D,10D", "--at", "dealer=9H"), 2, "10D is named twice"),
    (("hand", "--at", "player=10D,RJ", "--at", "dealer=9H"), 2, "RJ is not in the deck"),
    (("hand", "--at", "player=10D,1S", "--at", "dealer=9H"), 2, '--at player: "1S" is not a card'),
    (("hand", "--at", "player=10D,9S,3C", "--at", "dealer=9H"), 1, "the hand counts 22 and is bust"),
    (("hand", "--at", "bet=1"), 2, "hand takes no --at bet: it takes player, dealer, seen"),
    (("round", "--at", "player=10D,6S"), 2, "round takes no --at player"),
    (("rounds",), 2, 'rounds has no odds: did you mean "round"?'),
    (("round", "two"), 2, '"two" is one value too many for round: write round'),
    (("round", "--hits", "2"), 2, "leave out --hits, --simulate, --policy"),
    (("round", "--cards", "10D"), 2, "odds cover every card and die"),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused_in_a_sentence(words: tuple[str, ...], code: int, says: str) -> None:
    done = run("odds", "jackrealms", *words)
    assert (done.code, done.out) == (code, "")
    assert len(done.faults) == 1
    assert says in done.faults[0]


def test_a_deck_that_might_run_out_is_refused_and_not_cut_short() -> None:
    seen = [code for code in FULL_DECK if code not in {"10D", "2S", "3H", "4C", "5C", "6C"}]
    with pytest.raises(HackjackError, match="3 cards are unseen, and they count 15: the deck might run out"):
        odds.best_decision(RULES, ["10D", "2S"], "3H", seen)
    with pytest.raises(UsageError):
        odds.best_decision(RULES, ["10D", "2S"], "3H", [*seen, "10D"])


def test_a_house_game_of_other_numbers_is_counted_and_played_alike() -> None:
    """To 17 with courts of 5, where two nines are bust at once; the round beside many plays of the engine."""
    rules = replace(RULES, target=17, dealer_stands=13, court=5, ace_high=7, dealer_hits_soft=True)
    found = odds.whole_round(rules)
    random, won = Random(3), 0
    for _ in range(PLAYS):
        cards = random.sample(FULL_DECK, 26)
        hands = [[cards.pop(), cards.pop()], [cards.pop(), cards.pop()]]
        for hand in hands:
            while rules.dealer_hits(rules.count(hand)):
                hand.append(cards.pop())
        won += rules.wins(*(rules.count(hand).total for hand in hands))
    assert abs(won / PLAYS - float(found.copy_dealer)) < 4 * math.sqrt(0.25 / PLAYS)
    assert found.copy_dealer < found.best_play < 1
    assert all(0 <= cell.stand <= 1 and 0 <= cell.hit <= 1 for cell in odds.two_card_strategy(rules).values())

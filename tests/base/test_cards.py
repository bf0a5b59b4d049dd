"""Cards by their codes."""

from __future__ import annotations

import pytest
from helpers import any_text
from hypothesis import given
from hypothesis import strategies as st

from generator.base import cards


def test_the_deck_has_52_different_cards_in_the_order_of_a_new_deck() -> None:
    assert len(set(cards.FULL_DECK)) == len(cards.FULL_DECK) == 52
    assert cards.FULL_DECK[:14] == (
        *["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC"],
        "AS",
    )
    assert cards.ALL_CODES[52:] == ("RJ", "BJ")
    assert [cards.order_of(code) for code in cards.ALL_CODES] == list(range(54))


@pytest.mark.parametrize(
    ("code", "rank", "suit", "red", "name"),
    [
        ("AC", "A", "C", False, "Ace of clubs"),
        ("10H", "10", "H", True, "10 of hearts"),
        ("QS", "Q", "S", False, "Queen of spades"),
        ("KD", "K", "D", True, "King of diamonds"),
        ("RJ", "joker", "", True, "red joker"),
        ("BJ", "joker", "", False, "black joker"),
    ],
)
def test_what_a_code_says(code: str, rank: str, suit: str, red: bool, name: str) -> None:
    assert (cards.rank_of(code), cards.suit_of(code), cards.is_red(code)) == (rank, suit, red)
    assert (cards.name_of(code), cards.is_joker(code)) == (name, not suit)
    assert sum(map(cards.is_red, cards.FULL_DECK)) == 26


@given(any_text(max_size=30))
def test_any_text_is_a_code_or_a_value_error(text: str) -> None:
    try:
        assert cards.is_code(cards.read_code(text))
    except ValueError as error:
        assert "is not a card" in str(error)
    assert cards.is_code(text) == (text in cards.ALL_CODES)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1OH", "10H"),
        ("10", r"which suit\? 10C, 10S, 10D, 10H"),
        ("11\u2663", '"10C"'),
        ("S11", '"10S"'),
        ("RJJ", "RJ"),
        ("10SH", "write AC"),
        ("ZZ", "write AC, 10H, QS, RJ"),
    ],
)
def test_a_slip_is_answered_with_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(ValueError, match=meant):
        cards.read_code(typed)


SIGNS = {"C": "\u2663\u2667", "S": "\u2660\u2664", "D": "\u2666\u2662", "H": "\u2665\u2661"}


def test_suits_may_be_signs_and_may_stand_first() -> None:
    for code in cards.FULL_DECK:
        rank, suit = cards.rank_of(code), cards.suit_of(code)
        for sign in (suit, suit.lower(), *SIGNS[suit], *(f"{sign}\ufe0f" for sign in SIGNS[suit])):
            assert cards.read_code(rank + sign) == cards.read_code(f" {sign}{rank.lower()} ") == code
    assert [cards.read_code(typed) for typed in ("rj", "Bj ", "qs")] == ["RJ", "BJ", "QS"]


@given(st.text(alphabet="A1023456789OIJQKTZcsdhCSDH" + "".join(SIGNS.values()), min_size=1, max_size=4))
def test_no_card_of_another_suit_is_proposed(text: str) -> None:
    try:
        cards.read_code(text)
    except ValueError as error:
        _, _, meant = str(error).rpartition("did you mean ")
        written = {suit for suit, signs in SIGNS.items() if {suit, suit.lower(), *signs} & set(text)}
        if proposed := meant.strip('"?') if "did you mean" in str(error) else "":
            assert written <= {cards.suit_of(proposed)}

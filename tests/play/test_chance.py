"""Where luck comes from: what a seed gives, and what lies on the real table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.play.chance import ChoiceNeed, Given, NeedsError, RollNeed, Seeded, checked_choice
from generator.play.throwing import Pool, pool_ways, throw_pools

TWO_SIXES = RollNeed(Dice(2, 6), "for a test")
TWO_WAYS = ChoiceNeed(("KS", "AD"))


# --- a seed ----------------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_for_ever() -> None:
    """The figures are written down: another machine or another Python must give them too."""
    luck = Seeded(7)
    assert [luck.card(FULL_DECK) for _ in range(4)] == ["4S", "8C", "8D", "4C"]
    assert luck.roll(RollNeed(Dice(5, 6), "")) == (4, 3, 1, 4, 1)
    assert [luck.choose(TWO_WAYS) for _ in range(4)] == [0, 0, 0, 0]


def test_every_card_and_face_and_choice_comes_up() -> None:
    luck = Seeded(1)
    cards = Counter(luck.card(FULL_DECK) for _ in range(5200))
    assert set(cards) == set(FULL_DECK)
    assert max(cards.values()) < 150
    faces = Counter(luck.roll(RollNeed(Dice(600, 6), "")))
    assert set(faces) == set(range(1, 7))
    assert max(faces.values()) < 140
    assert Counter(luck.choose(TWO_WAYS) for _ in range(100)).keys() == {0, 1}


def test_what_was_looked_at_comes_next_if_it_is_still_there() -> None:
    luck = Seeded(3)
    seen = luck.peek(FULL_DECK)
    assert luck.peek(FULL_DECK) == seen
    assert luck.roll(TWO_SIXES)
    assert luck.card(FULL_DECK) == seen
    again = luck.peek(FULL_DECK)
    rest = [code for code in FULL_DECK if code != again]
    assert luck.card(rest) in rest


def test_a_named_choice_comes_before_luck() -> None:
    luck = Seeded(5, [2, 1])
    assert [luck.choose(TWO_WAYS), luck.choose(TWO_WAYS)] == [1, 0]
    assert luck.choose(TWO_WAYS) in (0, 1)
    with pytest.raises(UsageError, match="no choice 3: choose 1 to 2"):
        Seeded(5, [3]).choose(TWO_WAYS)


@given(st.integers(), st.integers(1, 20), st.integers(2, 100))
def test_dice_show_faces_that_they_have(seed: int, count: int, faces: int) -> None:
    rolled = Seeded(seed).roll(RollNeed(Dice(count, faces), ""))
    assert len(rolled) == count
    assert all(1 <= face <= faces for face in rolled)


# --- the real table --------------------------------------------------------------------------------------------------


def test_what_is_given_comes_in_order() -> None:
    luck = Given(["qs", " 10h "], [3, 4, 5], [2, 1])
    assert [luck.card(FULL_DECK), luck.card(FULL_DECK)] == ["QS", "10H"]
    assert luck.roll(TWO_SIXES) == (3, 4)
    assert luck.roll(RollNeed(Dice(1, 20), "")) == (5,)
    assert [luck.choose(TWO_WAYS), luck.choose(TWO_WAYS)] == [1, 0]
    luck.finish()
    assert luck.peek(FULL_DECK) is None


@pytest.mark.parametrize(
    ("need", "says"),
    [
        (lambda: Given().card(FULL_DECK), "needs a card"),
        (lambda: Given().roll(TWO_SIXES), "needs 2d6 (for a test)"),
        (lambda: Given().roll(RollNeed(Dice(1, 20), "a check")), "needs d20 (a check)"),
        (lambda: Given().choose(TWO_WAYS), "needs a choice: 1 KS 2 AD"),
        (lambda: Given(dice=[3]).roll(TWO_SIXES), "needs 2d6 (for a test), and only 1 of 2 dice are given"),
    ],
)
def test_what_is_missing_is_named(need: Callable[[], object], says: str) -> None:
    with pytest.raises(NeedsError) as caught:
        need()
    assert (str(caught.value), caught.value.exit_code) == (says, 1)


def test_a_face_or_a_choice_that_there_is_not() -> None:
    for dice in ((0, 3), (3, 7), (-1, 3), (3, 10**9)):
        with pytest.raises(UsageError, match=r"^a d6 \(for a test\) cannot show -?\d+: give a number from 1 to 6$"):
            Given(dice=dice).roll(TWO_SIXES)
    for typed in (0, 3, -1, 10**9):
        with pytest.raises(UsageError, match=f"^there is no choice {typed}: choose 1 to 2$"):
            checked_choice(typed, TWO_WAYS)


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        ("1OH", UsageError, '"1OH" is not a card: did you mean "10H"?'),
        ("", UsageError, '"" is not a card'),
        ("AC", HackjackError, "AC is not in the deck"),
        ("RJ", HackjackError, "RJ is not in the deck"),
    ],
)
def test_a_card_that_cannot_be(code: str, kind: type[HackjackError], says: str) -> None:
    with pytest.raises(kind) as caught:
        Given([code]).card(FULL_DECK[1:])
    assert str(caught.value).startswith(says)


def aced() -> Given:
    """Five dice where the fourth reaches the highest total that counts, and one more is never rolled."""
    luck = Given(dice=[6, 6, 6, 6, 3])
    pool = Pool.of(1, 6, most=20, lowest=False, aces=True)
    (thrown,) = throw_pools(luck, [(pool, "fire")])
    assert (thrown.total, thrown.shown) == (20, ((6, 6, 6, 6),))
    return luck


@pytest.mark.parametrize(
    ("dice", "faces", "keep", "counts"),
    [
        (3, 6, None, (1, 2, 3, 4, 5, 6)),
        (4, 4, 2, (4, 1, 2, 3)),
        (3, 4, None, (2, 7)),
        (0, 6, None, (1, 6)),
        (1, 4, 1, (4,)),
    ],
)
def test_faces_that_are_counted_are_those_of_every_throw(
    dice: int, faces: int, keep: int | None, counts: tuple[int, ...]
) -> None:
    thrown = Counter(
        (
            dice if keep is None else sum(sorted(each, reverse=True)[:keep]),
            each[0] if dice == 1 else 0,
            tuple(map(each.count, counts)),
        )
        for each in product(range(1, faces + 1), repeat=dice)
    )
    ways = pool_ways(Pool.of(dice, faces, keep, lowest=False, aces=False, counts=counts))
    assert {outcome: many for outcome, many in ways.items() if many} == thrown


@pytest.mark.parametrize(
    ("luck", "says"),
    [
        (Given(["AC", "2C"]), "nothing needs the last card given (AC, 2C): leave it out"),
        (Given(dice=[3]), "nothing needs the last die given (3): leave it out"),
        (
            aced(),
            "nothing needs the last die given (3): leave it out, as nobody rolls on after the highest total that "
            "counts",
        ),
        (Given(choices=[1]), "nothing needs the last choice given (1): leave it out"),
    ],
)
def test_what_is_too_much_is_named(luck: Given, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        luck.finish()
    assert str(caught.value) == says

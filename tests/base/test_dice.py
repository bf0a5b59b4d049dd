"""Dice notation, its limits and exact chances."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from helpers import any_text
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generator.base.dice import MAX_DICE, MAX_FACES, MAX_NUMBER, Dice, DiceValue
from generator.play.chance import RollNeed

NUMBERS = st.integers(-MAX_NUMBER, MAX_NUMBER)
ROLLS = st.builds(Dice, st.integers(1, MAX_DICE), st.integers(2, MAX_FACES), NUMBERS)
PLAIN = st.builds(Dice, st.just(0), st.just(0), NUMBERS)


DICE = """
4 | 0 0 4 | 4 | 4
-2 | 0 0 -2 | -2 | -2
d20 | 1 20 0 | 1d20 | d20
1d4 | 1 4 0 | 1d4 | d4
2D6+1 | 2 6 1 | 2d6+1 | 2d6+1
10d6 | 10 6 0 | 10d6 | 10d6
d8-1 | 1 8 -1 | 1d8-1 | d8-1
3d6 + 2 | 3 6 2 | 3d6+2 | 3d6+2
100d1000-1000 | 100 1000 -1000 | 100d1000-1000 | 100d1000-1000
"""


@pytest.mark.parametrize("row", DICE.strip().splitlines())
def test_reading_and_saying(row: str) -> None:
    written, parts, shown, spoken = row.split(" | ")
    dice = Dice.parse(written)
    count, faces, plus = map(int, parts.split())
    assert (dice.count, dice.faces, dice.plus, dice.is_number) == (count, faces, plus, count == 0)
    assert (str(dice), dice.spoken, dice.plain) == (shown, spoken, shown if count else plus)
    assert (dice.least, dice.most) == (count + plus, count * faces + plus)
    assert Dice.parse(3) == Dice(0, 0, 3)


JUNK = "|d|d1|0d6|101d6|d1001|2d6+1001|1001|-1001|2d61+|d20d4|1.5|x|+-1|6d|d6+|++1|1_0|half|2 2d6|1 2|1d2 0|٣|d²|\x00"


@pytest.mark.parametrize("written", [*JUNK.split("|"), " ", "99999999999999999999"])
def test_junk_is_refused_with_a_sentence(written: str) -> None:
    with pytest.raises(ValueError, match=r'^"'):
        Dice.parse(written)


@pytest.mark.parametrize("written", [True, None, 1.5, [2], b"d6"])
def test_other_values_are_refused_with_a_sentence(written: object) -> None:
    with pytest.raises(ValueError, match="is not dice: write a whole number or dice such as 1d4"):
        Dice.parse(written)  # type: ignore[arg-type]


@given(ROLLS | PLAIN)
def test_what_is_shown_reads_back(dice: Dice) -> None:
    assert Dice.parse(str(dice)) == dice
    assert Dice.parse(dice.spoken) == dice
    assert Dice.parse(dice.plain) == dice


@given(any_text() | st.text("0123456789dD+- ", max_size=14))
@example("1d6+1d6")
def test_any_text_is_dice_or_a_value_error(text: str) -> None:
    try:
        dice = Dice.parse(text)
    except ValueError as error:
        assume(str(error))
    else:
        assert Dice.parse(str(dice)) == dice


@given(st.integers(0, 4), st.integers(2, 8), st.integers(-9, 9))
def test_chances_are_those_of_counting(count: int, faces: int, plus: int) -> None:
    dice = Dice(count, faces if count else 0, plus)
    rolled = Counter(sum(roll) + plus for roll in product(range(1, faces + 1), repeat=count))
    chances = dice.chances()
    assert chances == {total: Fraction(times, faces**count) for total, times in rolled.items()}
    assert sum(chances.values()) == 1
    assert list(chances) == list(range(dice.least, dice.most + 1))


@pytest.mark.parametrize("value", ["sum", "sixes", "highest"])
def test_values_of_dice_are_those_of_counting(value: DiceValue) -> None:
    need = RollNeed(Dice(3, 6), "", value=value)
    assert need.dice.ways(value) == Counter(map(need.result, product(range(1, 7), repeat=3)))


def test_values_are_equal_by_their_parts_and_never_change() -> None:
    dice = Dice(2, 6, 1)
    assert dice == Dice.parse("2d6+1")
    assert len({dice, Dice(2, 6, 1), Dice(2, 6)}) == 2
    assert dice != (2, 6, 1)
    with pytest.raises(AttributeError, match="does not change"):
        dice.plus = 2

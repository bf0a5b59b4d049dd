"""Numbers side by side in one agree with lists of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.odds.stretches import MOST_STRETCHES, Fields

LIMITS = st.integers(1, 300)


@st.composite
def rows(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    """A limit and two rows of numbers up to it."""
    limit, stretches = draw(LIMITS), draw(st.integers(1, MOST_STRETCHES))
    numbers = st.lists(st.integers(0, limit), min_size=stretches, max_size=stretches)
    return limit, draw(numbers), draw(numbers)


def numbers(fields: Fields, packed: int, stretches: int) -> list[int]:
    """The numbers again, one by one."""
    return [packed >> fields.top(at + 1) & (1 << fields.width) - 1 for at in range(stretches)]


@given(rows())
def test_a_guard_tells_whether_every_difference_is_0_or_more(example: tuple[int, list[int], list[int]]) -> None:
    limit, first, second = example
    fields, stretches = Fields(limit), len(first)
    guard = fields.guard(stretches)
    left = fields.packed(first) + guard - fields.packed(second)
    enough = all(one >= other for one, other in zip(first, second, strict=True))
    assert (left & guard == guard) == enough
    if enough:
        differences = [one - other for one, other in zip(first, second, strict=True)]
        assert numbers(fields, left - guard, stretches) == differences


@given(rows())
def test_sums_are_within_the_limit_where_each_is(example: tuple[int, list[int], list[int]]) -> None:
    limit, first, second = example
    fields = Fields(limit)
    sums = [one + other for one, other in zip(first, second, strict=True)]
    packed = fields.packed(first) + fields.packed(second)
    assert numbers(fields, packed, len(sums)) == sums
    assert fields.within(packed) == (max(sums) <= limit)


@given(rows())
def test_the_most_of_each_field(example: tuple[int, list[int], list[int]]) -> None:
    limit, first, second = example
    fields = Fields(limit)
    found = fields.most([fields.packed(first), fields.packed(second)], len(first))
    assert numbers(fields, found, len(first)) == list(map(max, zip(first, second, strict=True)))
    assert fields.most([fields.packed(first)], len(first)) == fields.packed(first)


@given(LIMITS, st.lists(st.tuples(st.integers(0, MOST_STRETCHES - 1), st.integers(0, 10_000)), max_size=5))
def test_numbers_are_added_up_each_in_its_stretch(limit: int, parts: list[tuple[int, int]]) -> None:
    fields = Fields(limit)
    found = fields.placed([number for _, number in parts], [stretch for stretch, _ in parts])
    sums = [sum(number for stretch, number in parts if stretch == at) for at in range(MOST_STRETCHES)]
    assert found == fields.packed(min(number, limit + 1) for number in sums)
    assert fields.within(found) == (max(sums) <= limit)

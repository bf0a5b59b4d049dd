"""Small numbers side by side in one: one for each stretch of hits, the first at the bottom."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

MOST_STRETCHES = 16
"""No row of hits has more."""


class Fields:
    """Fields wide enough for sums of a dozen numbers, none of which is more than one over `limit`.

    Sums and differences of all fields are those of the whole number. A guard has a bit on top of each field: what is
    added before a difference and is still there after it says that nothing was borrowed from the next field.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.width = limit, (16 * (limit + 1)).bit_length() + 1
        self.guard = cache(self._guard_of)
        self._all = self.guard(MOST_STRETCHES)
        self._limits = self.packed([limit] * MOST_STRETCHES) + self._all

    def packed(self, numbers: Iterable[int]) -> int:
        """Some numbers in one."""
        found, at = 0, 0
        for number in numbers:
            found += number << at
            at += self.width
        return found

    def at(self, stretch: int, number: int) -> int:
        """A number in the field of a stretch; one that is over the limit is one over it."""
        return min(number, self.limit + 1) << stretch * self.width

    def placed(self, numbers: Iterable[int], stretches: Iterable[int]) -> int:
        """Numbers added up, each in its stretch."""
        sums: dict[int, int] = {}
        for number, stretch in zip(numbers, stretches, strict=False):
            sums[stretch] = sums.get(stretch, 0) + number
        return sum([self.at(stretch, number) for stretch, number in sums.items()])

    def top(self, stretches: int) -> int:
        """The place of the last of some stretches."""
        return self.width * (stretches - 1)

    def closed(self, stretches: int) -> int:
        """All bits of all stretches but the last."""
        return (1 << self.top(stretches)) - 1

    def within(self, fields: int) -> bool:
        """Whether no field is over the limit."""
        return self._limits - fields & self._all == self._all

    def most(self, packed: Collection[int], stretches: int) -> int:
        """The most of each field."""
        if len(packed) == 1 or stretches == 1:
            return max(packed)
        mask, found = (1 << self.width) - 1, 0
        for at in range(0, stretches * self.width, self.width):
            found |= max([fields >> at & mask for fields in packed]) << at
        return found

    def _guard_of(self, stretches: int) -> int:
        """The uppermost bit of each field."""
        return self.packed([1 << self.width - 1] * stretches)

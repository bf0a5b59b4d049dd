"""Dice as people write them (`2d6+1`, `d20`, `4`), their limits and their exact chances."""

import re
from fractions import Fraction
from math import comb
from typing import Literal

from generator.base.errors import shown
from generator.base.fields import Value
from generator.base.late import late_pattern

DiceValue = Literal["sum", "sixes", "highest"]
"""What dice come to: their sum, how many of them show six, or the highest."""

MAX_DICE = 100
MAX_FACES = 1000
MAX_NUMBER = 1000

_NOTATION = late_pattern(r"(?:(?P<count>\d{1,9})?[dD](?P<faces>\d{1,9}))?(?P<plus>[+-]?\d{1,9})?", re.ASCII)
_AROUND_SIGN = late_pattern(r" *([+-]) *")


class Dice(Value):
    """`count` dice of `faces` faces added up, and `plus` on top. With no dice it is the plain number `plus`."""

    __slots__ = ("count", "faces", "plus")
    count: int
    faces: int
    plus: int

    def __init__(self, count: int, faces: int, plus: int = 0) -> None:
        self._fill(count=count, faces=faces, plus=plus)

    @classmethod
    def parse(cls, written: str | int) -> "Dice":
        """Read `3`, `"d20"`, `"2d6+1"`. Raises ValueError with a sentence for anything else."""
        if isinstance(written, bool) or not isinstance(written, str | int):
            raise ValueError(f"{shown(written)} is not dice: write a whole number or dice such as 1d4 or 2d6+1")
        text = _AROUND_SIGN.sub(r"\1", str(written).strip(" "))
        match = _NOTATION.fullmatch(text) if text else None
        if match is None or (match["faces"] and match["plus"] and match["plus"][0] not in "+-"):
            raise ValueError(f'"{str(written)[:40]}" is not dice: write a whole number or dice such as 1d4 or 2d6+1')
        faces = int(match["faces"] or 0)
        count = int(match["count"] or 1) if faces or match["faces"] else 0
        plus = int(match["plus"] or 0)
        if match["faces"] and not (1 <= count <= MAX_DICE and 2 <= faces <= MAX_FACES):
            raise ValueError(f'"{text}": roll 1 to {MAX_DICE} dice of 2 to {MAX_FACES:,} faces')
        if abs(plus) > MAX_NUMBER:
            raise ValueError(f'"{text}": a number may be {MAX_NUMBER:,} at most')
        return cls(count, faces, plus)

    @property
    def is_number(self) -> bool:
        """Whether nothing has to be rolled."""
        return self.count == 0

    @property
    def least(self) -> int:
        """The smallest total."""
        return self.count + self.plus

    @property
    def most(self) -> int:
        """The largest total."""
        return self.count * self.faces + self.plus

    def __str__(self) -> str:
        if not self.count:
            return str(self.plus)
        return f"{self.count}d{self.faces}" + (f"{self.plus:+d}" if self.plus else "")

    @property
    def spoken(self) -> str:
        """As it is printed: a single die goes without its count, `d20`."""
        return str(self).removeprefix("1") if self.count == 1 else str(self)

    @property
    def plain(self) -> int | str:
        """For JSON and YAML: a number as a number, dice as text."""
        return self.plus if self.is_number else str(self)

    def chances(self) -> dict[int, Fraction]:
        """Return every total with its exact chance, lowest first; the chances add up to 1."""
        everything = self.faces**self.count if self.count else 1
        return {total: Fraction(ways, everything) for total, ways in self.ways().items()}

    def ways(self, value: DiceValue = "sum") -> dict[int, int]:
        """Return every total, or other value of these dice, with in how many ways it comes up, lowest first."""
        if value == "sixes":
            return {
                many: comb(self.count, many) * (self.faces - 1) ** (self.count - many) for many in range(self.count + 1)
            }
        if value == "highest":
            return {top: top**self.count - (top - 1) ** self.count for top in range(1, self.faces + 1)}
        # Each die is added as a sliding sum over its faces.
        ways = [1]
        for _ in range(self.count):
            window, wider = 0, []
            for place in range(len(ways) + self.faces - 1):
                window += ways[place] if place < len(ways) else 0
                window -= ways[place - self.faces] if place >= self.faces else 0
                wider.append(window)
            ways = wider
        return dict(enumerate(ways, self.least))

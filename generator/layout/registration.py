"""The marks by which a cutting machine finds a printed sheet, and the line that says how to cut it. Lengths in mm."""

from __future__ import annotations

from msgspec import Struct

from generator.layout.sheets import Size

Box = tuple[float, float, float, float]
"""Left, foot, right, top."""


class Registration(Struct, frozen=True, forbid_unknown_fields=True):
    """Three marks: a square at the top left, brackets at the top right and at the bottom left of the paper.

    `inset` leads from the edges of the paper to the middle of the brackets' lines, which are so thick, and from where
    these meet to the end of an arm is `length`; without one the arms are as long as the cards leave room for. The
    square has sides of `square` and an edge that is as thick as the lines and lies in line with them.
    """

    square: float
    thickness: float
    inset: float
    length: float | None = None

    def boxes(self, paper: Size) -> tuple[Box, ...]:
        """Return the areas printed black (mm): the square, and the two arms of each bracket."""
        arm, half = self.length or 0.0, self.thickness / 2
        left, right = self.inset, paper.width - self.inset
        foot, top = self.inset, paper.height - self.inset
        return (
            (left - half, top - self.square - half, left + self.square + half, top + half),
            (right - arm, top - half, right + half, top + half),
            (right - half, top - arm, right + half, top + half),
            (left - half, foot - half, left + arm, foot + half),
            (left - half, foot - half, left + half, foot + arm),
        )


class CutTemplate(Struct, frozen=True):
    """What stands on every sheet besides the cards: the marks, and a line that says how to cut it."""

    marks: tuple[Box, ...]
    says: str

"""Pictures of the odds that an author asks for: counted by the engine, never typed in."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from generator.check.quoted_odds import counted, values
from generator.layout.panel_elements import Bars, Cell, Matrix, Picture, Series
from generator.model.blocks import OddsBlock
from generator.model.rules import System
from generator.words.chances import percent

_CERTAIN = {"": Fraction(1)}
_BANDS = 6
"""So many bands can be told apart."""


def picture(block: OddsBlock, system: System, *, blank: bool = False) -> Picture:
    """What a block asks for. With `blank` everything is certain, and nothing is counted: no figures are wider.

    Raises HackjackError, UsageError for a question that cannot be asked, or what its answer does not have.
    """

    def shares(across: int | str, down: int | str) -> Mapping[str, Fraction]:
        return _CERTAIN if blank else counted(block, system, across, down)

    labels, across = tuple(map(str, values(block.across))), values(block.across)
    note = block.note or "per cent"
    if block.looks == "matrix" or block.down is not None:
        rows = tuple(
            (str(down), tuple(_cell(next(iter(shares(each, down).values()))) for each in across))
            for down in values(block.down)
        )
        return Matrix(labels, rows, block.across.title, block.down.title if block.down else "", note=note)
    found = [shares(each, "") for each in across]
    if block.looks == "bands":
        names = list(dict.fromkeys(name for each in found for name in each))[:_BANDS]
        bands = tuple((name, tuple(float(each.get(name, 0)) for each in found)) for name in names)
        return Series(labels, bands, "stacked", True, block.across.title, note)
    return Bars(labels, tuple(float(next(iter(each.values()))) for each in found), True, block.across.title, note)


def _cell(share: Fraction) -> Cell:
    return Cell(percent(share), float(share))

"""What a freshly dealt field offers, counted and never typed in."""

from __future__ import annotations

from generator.engine.field_state import State, depth
from generator.odds.field import mean_pairs
from generator.pieces import Bars
from generator.rules import System

NARROWEST = 3


def pairs_by_columns(system: System) -> Bars:
    """How many pairs, and so critical attacks, a fresh field of one deck holds on average, by columns."""
    deep = depth(system, State())
    widths = range(NARROWEST, system.field.one_deck + 1)
    means = tuple(float(mean_pairs(width, deep)) for width in widths)
    return Bars(tuple(map(str, widths)), means, False, "columns", f"pairs on a fresh field, mean; {deep} rows")


CHARTS = {"pairs_by_columns": pairs_by_columns}

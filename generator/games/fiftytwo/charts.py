"""What a field offers, counted by the engine and never typed in."""

from fractions import Fraction

from generator.games.fiftytwo.fight import field_rules
from generator.games.fiftytwo.state import FieldState, column_depth
from generator.layout.panel_elements import Bars, ChartMaker
from generator.model.rules import System

NARROWEST = 3


def pairs_by_columns(system: System) -> Bars:
    """Return the mean number of pairs (critical attacks) on a fresh field of one deck, by columns."""
    deep = column_depth(system, FieldState())
    widths = range(NARROWEST, field_rules(system).one_deck + 1)
    # Each two cards that touch are a pair with 3 in 51.
    means = tuple(Fraction(3, 51) * (width * (deep - 1) + (width - 1) * deep) for width in widths)
    return Bars(tuple(map(str, widths)), means, False, "columns", f"pairs on a fresh field, mean; {deep} rows")


CHARTS: dict[str, ChartMaker] = {"pairs_by_columns": pairs_by_columns}

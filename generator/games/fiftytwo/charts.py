"""What a field offers and what armour asks for, counted by the engine and never typed in."""

from fractions import Fraction

from generator.games.fiftytwo.fight import ARMOUR, capped_threshold, shield_is_magic
from generator.games.fiftytwo.state import FieldState, column_depth
from generator.games.fiftytwo.table import surprise_columns
from generator.layout.panel_elements import Bars, Cell, ChartMaker, Matrix
from generator.model.combatants import Side
from generator.model.rules import System
from generator.words.wording import MINUS

NARROWEST = 3
ALLIES = 8
"""The most allies that the columns are counted for: more are rare."""


def pairs_by_columns(system: System) -> Bars:
    """Return the mean number of pairs (critical attacks) on a fresh field of one deck, by columns."""
    deep = column_depth(system, FieldState())
    widths = range(NARROWEST, system.field.one_deck + 1)
    # Each two cards that touch are a pair with 3 in 51.
    means = tuple(Fraction(3, 51) * (width * (deep - 1) + (width - 1) * deep) for width in widths)
    return Bars(tuple(map(str, widths)), means, False, "columns", f"pairs on a fresh field, mean; {deep} rows")


def columns_by_allies(system: System) -> Matrix:
    """Return the columns dealt before the quicker side chooses, by allies and by surprise (F3)."""
    rules = system.field
    cases: dict[str, set[Side]] = {"nobody": set(), "allies or both": {"allies"}, "only enemies": {"enemies"}}

    def cell(allies: int, surprised: set[Side]) -> Cell:
        width = rules.columns + allies + surprise_columns(rules, surprised)
        wide = width > rules.one_deck
        return Cell(f"{width}+" if wide else str(width), 0.5 if wide else 0.0, strong=True)

    rows = tuple((name, tuple(cell(allies, who) for allies in range(1, ALLIES + 1))) for name, who in cases.items())
    key = ((Cell("+", 0.5, strong=True), "cards of a second deck"),)
    return Matrix(tuple(map(str, range(1, ALLIES + 1))), rows, "allies", "", key, "by who was surprised")


def threshold_by_magic(system: System) -> Matrix:
    """Return the hits that armour asks for, by its rating and by how much more magic it has than the weapon (F14)."""
    rules, table = system.field, system.table(ARMOUR)
    ratings = [row.cells["rating"] for row in table.rows if isinstance(row.cells.get("rating"), int)] if table else []
    most = max((rating for rating in ratings if isinstance(rating, int)), default=0)
    most += 0 if shield_is_magic(system) else rules.shield_rating
    apart = range(-min(most, 6), rules.magic_cap + 1)
    names = tuple(f"{MINUS}{-step}" if step < 0 else f"+{step}" if step else "0" for step in apart)

    def cell(rating: int, step: int) -> Cell:
        hits = capped_threshold(rating, step, rules)
        return Cell(str(hits), hits / (2 * (most + rules.magic_cap)), strong=True)

    rows = tuple((str(rating), tuple(cell(rating, step) for step in apart)) for rating in range(most + 1))
    where = "a shield counts as magic" if shield_is_magic(system) else "a shield counts in the rating"
    heads = (*names[:-1], f"{names[-1]} or more")
    return Matrix(heads, rows, "the armour's magic less the weapon's", "rating", (), where)


CHARTS: dict[str, ChartMaker] = {
    "pairs_by_columns": pairs_by_columns,
    "columns_by_allies": columns_by_allies,
    "threshold_by_magic": threshold_by_magic,
}

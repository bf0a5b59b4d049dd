"""The odds of Deadlands 1876 that a screen shows as pictures: counted by the engine, never typed in."""

from generator.base.cards import ALL_CODES, rank_of
from generator.games.deadlands.fortune import fate_of
from generator.games.deadlands.odds import fate_chance, trait_chances
from generator.games.deadlands.state import numbers_of
from generator.layout.panel_elements import Cell, ChartMaker, Matrix
from generator.model.rules import System
from generator.words.chances import chance_percent


def extremes_by_die(system: System) -> Matrix:
    """Return how often boxcars and snake-eyes come up."""
    ladder, target = numbers_of(system).ladder, numbers_of(system).target
    chances = [trait_chances(system, die, target) for die in ladder]
    rows = tuple(
        (
            name,
            tuple(Cell(f"1 in {1 / shares[what]}", float(shares[what]) * 8, share=shares[what]) for shares in chances),
        )
        for name, what in (("boxcars", "critical_success"), ("snake-eyes", "critical_failure"))
    )
    return Matrix(tuple(die.spoken for die in ladder), rows, "trait die, with the wild die")


def fate_by_card(system: System) -> Matrix:
    """Return the chance of a fate roll, by trait die and card, and over the whole deck."""
    targets: dict[int, list[str]] = {}
    for code in ALL_CODES:
        target = fate_of(code, system)
        if isinstance(target, int) and rank_of(code) not in targets.setdefault(target, []):
            targets[target].append(rank_of(code))
    numbers = sorted(targets)
    rows = []
    for die in numbers_of(system).ladder:
        shares, whole = (trait_chances(system, die, target)["success"] for target in numbers), fate_chance(system, die)
        cells = (Cell(chance_percent(share), float(share) * 0.8, share=share) for share in shares)
        rows.append((die.spoken, (*cells, Cell(chance_percent(whole), strong=True, share=whole))))
    columns = (*(" ".join(targets[target]) for target in numbers), "any")
    return Matrix(
        columns, tuple(rows), "the card drawn", "trait die", note="per cent; any: over all 54 cards, jokers too"
    )


CHARTS: dict[str, ChartMaker] = {"extremes_by_die": extremes_by_die, "fate_by_card": fate_by_card}
BLANKS = CHARTS
"""They are counted quickly enough to be their own measure."""

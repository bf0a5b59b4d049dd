"""The odds of Deadlands 1876 that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from fractions import Fraction

from generator.base.cards import ALL_CODES, rank_of
from generator.base.dice import Dice
from generator.games.deadlands.dice import RESULTS
from generator.games.deadlands.fortune import fate_of
from generator.games.deadlands.odds import (
    coin_chance,
    fall_chances,
    fate_chance,
    luck_chance,
    marker_chance,
    soak_chances,
    trait_chances,
)
from generator.games.deadlands.state import numbers_of
from generator.layout.panel_elements import Bars, Cell, ChartMaker, Matrix
from generator.model.rules import System
from generator.words.chances import percent

TARGETS = range(2, 13)
_WILD = "trait die and wild die"


def _cell(share: Fraction) -> Cell:
    return Cell(percent(share), float(share) * 0.8, share=share)


def _ladder(system: System) -> tuple[Dice, ...]:
    return numbers_of(system).ladder


def _by_target(system: System, what: str, note: str) -> Matrix:
    rows = tuple(
        (die.spoken, tuple(_cell(trait_chances(system, die, target)[what]) for target in TARGETS))
        for die in _ladder(system)
    )
    return Matrix(tuple(map(str, TARGETS)), rows, "target number", "trait die", note=note)


def success_by_target(system: System) -> Matrix:
    """The chance of a success, for a Wild Card, by trait die and target number."""
    return _by_target(system, "success", f"per cent; {_WILD}, no modifier")


def raise_by_target(system: System) -> Matrix:
    """The chance of one raise or more."""
    return _by_target(system, "raise", f"per cent; {_WILD}, no modifier")


def extra_by_target(system: System) -> Matrix:
    """The chance of a success for an Extra, who has no wild die."""
    rows = tuple(
        (die.spoken, tuple(_cell(trait_chances(system, die, target, wild=False)["success"]) for target in TARGETS))
        for die in _ladder(system)
    )
    coins = ("coin", tuple(_cell(coin_chance(system, target)) for target in TARGETS))
    return Matrix(
        tuple(map(str, TARGETS)), (coins, *rows), "target number", "no wild die", note="per cent; the coin: unskilled"
    )


def extremes_by_die(system: System) -> Matrix:
    """How often boxcars and snake-eyes come up."""
    found = [trait_chances(system, die, numbers_of(system).target) for die in _ladder(system)]
    rows = tuple(
        (name, tuple(Cell(f"1 in {1 / shares[what]}", float(shares[what]) * 8, share=shares[what]) for shares in found))
        for name, what in (("boxcars", "critical_success"), ("snake-eyes", "critical_failure"))
    )
    return Matrix(tuple(die.spoken for die in _ladder(system)), rows, "trait die, with the wild die")


def fate_by_card(system: System) -> Matrix:
    """The chance of a fate roll, by trait die and card, and over the whole deck."""
    targets: dict[int, list[str]] = {}
    for code in ALL_CODES:
        target = fate_of(code, system)
        if isinstance(target, int) and rank_of(code) not in targets.setdefault(target, []):
            targets[target].append(rank_of(code))
    known = sorted(targets)
    rows = tuple(
        (
            die.spoken,
            (
                *(_cell(trait_chances(system, die, target)["success"]) for target in known),
                Cell(percent(share := fate_chance(system, die)), strong=True, share=share),
            ),
        )
        for die in _ladder(system)
    )
    columns = (*(" ".join(targets[target]) for target in known), "any")
    return Matrix(columns, rows, "the card drawn", "trait die", note="per cent; any: over all 54 cards, jokers too")


_NAMED = (("a card", "QH"), ("a rank", "9-9"), ("Q or higher", "Q+"), ("hearts", "hearts"), ("red", "red"))
"""What a luck draw may be for, and an example of each."""


def luck_by_range(system: System) -> Bars:
    """The chance of a luck draw, by what may be named."""
    shares = tuple(luck_chance(system, named) for _, named in _NAMED)
    return Bars(tuple(label for label, _ in _NAMED), shares, True, "named", "per cent; jokers counted")


def marker_by_die(system: System) -> Bars:
    """The chance that a connection marker helps."""
    ladder = _ladder(system)
    shares = tuple(marker_chance(system, die) for die in ladder)
    return Bars(tuple(die.spoken for die in ladder), shares, True, "marker", "per cent; no wild die")


def soak_by_die(system: System) -> Matrix:
    """How many of four wounds a soak roll takes away."""
    wounds = 4
    rows = []
    for die in _ladder(system):
        shares = soak_chances(system, die, wounds)
        rows.append((die.spoken, tuple(_cell(shares.get(gone, Fraction(0))) for gone in range(1, wounds + 1))))
    columns = tuple("all 4" if gone == wounds else str(gone) for gone in range(1, wounds + 1))
    return Matrix(columns, tuple(rows), "wounds soaked of 4", "Vigor", note="per cent; the chip's own wound counted")


def incapacitation_by_die(system: System) -> Matrix:
    """How an incapacitation roll ends."""
    rows = []
    for die in _ladder(system):
        shares = fall_chances(system, die)
        rows.append((die.spoken, tuple(_cell(shares[result]) for result in RESULTS)))
    columns = ("crit. fail", "failure", "success", "raise", "crit. success")
    return Matrix(columns, tuple(rows), "result", "Vigor", note="per cent; Hard to Kill not counted")


CHARTS: dict[str, ChartMaker] = {
    "success_by_target": success_by_target,
    "raise_by_target": raise_by_target,
    "extra_by_target": extra_by_target,
    "extremes_by_die": extremes_by_die,
    "fate_by_card": fate_by_card,
    "luck_by_range": luck_by_range,
    "marker_by_die": marker_by_die,
    "soak_by_die": soak_by_die,
    "incapacitation_by_die": incapacitation_by_die,
}
BLANKS = CHARTS
"""They are counted quickly enough to be their own measure."""

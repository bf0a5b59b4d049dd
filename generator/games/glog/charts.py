"""The odds of severity tables that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from generator.games.glog import odds as odds_of
from generator.games.glog.events import Event
from generator.games.glog.state import Injury, State
from generator.layout.panel_elements import Cell, ChartMaker, Matrix, Series
from generator.model.rules import System
from generator.words.chances import percent

MOST_DAMAGE = 20
"""No chart goes further, even where a die so large leaves something open."""
DAMAGE = range(1, 13)
INJURIES = range(6)
CHARACTERS = range(1, 9)
GAINS: tuple[tuple[int, ...], ...] = ((1,), (2,), (3,), (1, 1), (2, 1), (1, 1, 1))
"""Points gained in turn: one horror of each size, and such as come one after the other."""
ROUNDS = range(9)
PARTS = range(2, 10)
"""Half of the abilities that helpers have (G11), or whichever part of them counts."""


def _state(system: System, injuries: int) -> State:
    """A character out of HP with so many injuries, of whatever kind."""
    anything = next(iter(system.head.conditions))
    return State(injuries=(Injury(anything, permanent=True),) * injuries)


def _bands(system: System, lethal: int, injuries: int) -> dict[str, Fraction]:
    """The chance of each row of the table for weapons."""
    return odds_of.hit(system, _state(system, injuries), Event("hit", lethal)).rows


def _until_certain(system: System, steps: Iterator[tuple[int, int]]) -> list[dict[str, Fraction]]:
    """The chances of the rows for lethal damage and injuries that grow, until the worst row is certain."""
    found: list[dict[str, Fraction]] = []
    for lethal, injuries in steps:
        found.append(_bands(system, lethal, injuries))
        if [*found[-1].values()][-1] == 1 or len(found) == MOST_DAMAGE:
            break
    return found


def _stacked(found: Sequence[dict[str, Fraction]], first: int, across: str, note: str) -> Series:
    labels = tuple(str(first + at) for at in range(len(found)))
    series = tuple((row, tuple(float(shares[row]) for shares in found)) for row in found[0])
    return Series(labels, series, "stacked", True, across, note)


def severity_by_damage(system: System) -> Series:
    """The chance of each band of severity by lethal damage, for somebody without injuries."""
    found = _until_certain(system, ((lethal, 0) for lethal in range(1, MOST_DAMAGE + 1)))
    return _stacked(found, 1, "lethal damage", "per cent by severity; no injuries yet")


def severity_by_injuries(system: System) -> Series:
    """The chance of each band of severity by injuries, for the least lethal damage."""
    found = _until_certain(system, ((1, injuries) for injuries in range(MOST_DAMAGE)))
    return _stacked(found, 0, "injuries already there", "per cent by severity; 1 lethal damage")


def slain_by_damage(system: System) -> Matrix:
    """The chance of the worst band by lethal damage and injuries."""
    return _slain(lambda lethal, injuries: [*_bands(system, lethal, injuries).values()][-1])


def _slain(share: Callable[[int, int], Fraction]) -> Matrix:
    rows = tuple((str(injuries), tuple(_cell(share(lethal, injuries)) for lethal in DAMAGE)) for injuries in INJURIES)
    return Matrix(tuple(map(str, DAMAGE)), rows, "lethal damage", "injuries", note="per cent")


def breakdown_by_characters(system: System) -> Matrix:
    """The chance that somebody breaks down, by how many characters gain which points in turn."""
    return _breakdown(system, lambda gains, many: odds_of.breakdowns(system, State(), gains, many)[-1])


def _breakdown(system: System, share: Callable[[tuple[int, ...], int], Fraction]) -> Matrix:
    known = [gains for gains in GAINS if max(gains) <= system.injuries.trauma_most]
    rows = tuple(
        (", then ".join(map(str, gains)), tuple(_cell(share(gains, many)) for many in CHARACTERS)) for gains in known
    )
    return Matrix(tuple(map(str, CHARACTERS)), rows, "characters", "points gained by each", note="per cent")


def stable_by_rounds(system: System) -> Matrix:
    """The chance to stabilise somebody by one try, by the helper's ability and the rounds spent Dying."""

    def share(ability: int, rounds: int) -> Fraction:
        return odds_of.saved(system, State(dying=True, rounds_dying=rounds), Event("stabilise", ability))

    return _stable(system, share)


def _stable(system: System, share: Callable[[int, int], Fraction]) -> Matrix:
    part = system.injuries.stabilise_part
    rows = []
    for at in PARTS:
        least, most = at * part, (at + 1) * part - 1
        label = f"{least}-{most}" if most > least else str(least)
        rows.append((label, tuple(_cell(share(least, rounds)) for rounds in ROUNDS)))
    return Matrix(tuple(map(str, ROUNDS)), tuple(rows), "rounds spent Dying", "Tal of the helper", note="per cent")


def _cell(share: Fraction) -> Cell:
    return Cell(percent(share), float(share))


CHARTS: dict[str, ChartMaker] = {
    "severity_by_damage": severity_by_damage,
    "severity_by_injuries": severity_by_injuries,
    "slain_by_damage": slain_by_damage,
    "breakdown_by_characters": breakdown_by_characters,
    "stable_by_rounds": stable_by_rounds,
}

_CERTAIN = Fraction(1)
BLANKS: Mapping[str, Callable[[System], Matrix]] = {
    "slain_by_damage": lambda _: _slain(lambda *_: _CERTAIN),
    "breakdown_by_characters": lambda system: _breakdown(system, lambda *_: _CERTAIN),
    "stable_by_rounds": lambda system: _stable(system, lambda *_: _CERTAIN),
}
"""Matrices in which everything is certain: no figures are wider, and nothing has to be counted."""

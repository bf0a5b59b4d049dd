"""How long all moves of a field take, as ratios: to a plain look at every two cards, and of a wide field to a full one.

The moves of a field of 7 x 5, of every side, counted in looks: one look goes once over all pairs of its cards and
compares their ranks, which is what one would do without any cleverness to find the pairs alone. Then the field of 13
columns beside it: its moves should not take longer than its number of cards says. Run: python benchmarks/field.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations
from statistics import median

from figures import Figure, tell

from generator.games.fiftytwo import engine as field
from generator.games.fiftytwo.state import FieldState, read_state
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.play.chance import Seeded

ROUNDS = 40
DEALS = 20
"""Fields of each width: one may offer more moves than another."""


def dealt(system: System, columns: int) -> list[FieldState]:
    """Full fields of so many columns."""
    event, fresh = field.read_event(("deal", str(columns)), {}), read_state({}, system)
    return [field.step(system, fresh, event, Seeded(seed))[0] for seed in range(DEALS)]


def in_turns(*works: Callable[[], object]) -> list[float]:
    """The medians, the runs alternating so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, taken in zip(works, times, strict=True):
            begun = time.perf_counter()
            work()
            taken.append((time.perf_counter() - begun) / DEALS)
    return [median(taken) for taken in times]


def moves(system: System, states: list[FieldState]) -> int:
    """All the moves of the allies, who have the most."""
    return sum(len(field.moves_of(system, state, "allies")) for state in states)


def look(states: list[FieldState]) -> int:
    """Every two cards of a field compared once by rank."""
    found = 0
    for state in states:
        codes = [code for column in state.columns for code in column]
        found += sum(one[:-1] == other[:-1] for one, other in combinations(codes, 2))
    return found


def figures() -> Iterator[Figure]:
    """The medians. A field of 13 x 5 has 1.9 times the cards of 7 x 5, and twice the places where two touch."""
    system = load_pack(find("fiftytwo")).system
    seven, thirteen = dealt(system, 7), dealt(system, 13)
    full, wide, plain = in_turns(lambda: moves(system, seven), lambda: moves(system, thirteen), lambda: look(seven))
    count = moves(system, seven) / DEALS
    yield Figure(f"all {count:.0f} moves of a field of 7 x 5", full, "a look at every two cards", plain)
    yield Figure("all moves of a field of 13 x 5", wide, "of 7 x 5", full)


if __name__ == "__main__":
    tell(figures())

"""What the next card of the pool will bring, counted over every card that may come (ruling F10)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from generator.cards import rank_of, suit_of
from generator.engine.field_cards import Columns, pairs
from generator.engine.field_state import State
from generator.errors import HackjackError


class Next(NamedTuple):
    """The chances of the next card on a column: that it makes a pair, that it follows the suit below it."""

    pair: Fraction
    suit: Fraction
    cards: int
    pairing: tuple[str, ...]


def next_card(state: State, at: int) -> Next:
    """Every card of the pool laid on a column; the discards are the pool when it is empty. Raises HackjackError."""
    pool = state.reserve or state.discard
    if not pool:
        raise HackjackError("there is no card left to add: the pool and the discards are empty")
    column = state.columns[at]
    pairing = tuple(code for code in pool if _makes_pair(state.columns, at, code))
    following = sum(1 for code in pool if column and suit_of(column[-1]) == suit_of(code))
    return Next(Fraction(len(pairing), len(pool)), Fraction(following, len(pool)), len(pool), pairing)


def _makes_pair(columns: Columns, at: int, code: str) -> bool:
    """Whether the card would touch one of its rank."""
    grown = (*columns[at], code)
    row = len(grown) - 1
    near = [columns[side][row] for side in (at - 1, at + 1) if 0 <= side < len(columns) and row < len(columns[side])]
    near += [grown[row - 1]] if row else []
    return any(rank_of(other) == rank_of(code) for other in near)


def pairs_on(columns: Columns) -> int:
    """How many pairs lie on a field."""
    return sum(1 for _ in pairs(columns))


def mean_pairs(width: int, depth: int) -> Fraction:
    """How many pairs a field dealt from one deck holds on average: each two cards that touch are one with 3 in 51."""
    touching = width * (depth - 1) + (width - 1) * depth
    return Fraction(3, 51) * touching

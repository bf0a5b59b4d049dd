"""Paper, cards and where they lie on it: millimetres only, the origin at the lower left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Literal, TypeVar

import msgspec

from generator import source
from generator.errors import HackjackError, UsageError
from generator.files import data_root

Item = TypeVar("Item")

MM = 72 / 25.4
"""Points in a millimetre."""

LEAST_MARGIN = 5.0
"""What home printers leave unprinted at the edges, mm."""


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Width and height, mm."""

    width: float
    height: float


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a deck is printed for."""

    kind: Literal["sheet", "png"]
    says: str
    dpi: int = 300


class _Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    papers: dict[str, Size]
    cards: dict[str, Size]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: the lower left corner of its trim, mm, and its row and column from the top left."""

    x: float
    y: float
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Cards edge to edge in the middle of a paper."""

    paper: Size
    card: Size
    columns: int
    rows: int

    @property
    def left(self) -> float:
        """The margin on either side, mm."""
        return (self.paper.width - self.columns * self.card.width) / 2

    @property
    def bottom(self) -> float:
        """The margin at the head and at the foot, mm."""
        return (self.paper.height - self.rows * self.card.height) / 2

    @property
    def places(self) -> tuple[Place, ...]:
        """One place a card, row by row from the top left."""
        return tuple(
            Place(
                self.left + column * self.card.width,
                self.bottom + (self.rows - 1 - row) * self.card.height,
                column,
                row,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def backs(self) -> tuple[Place, ...]:
        """Where the backs lie so that they meet their fronts when the sheet is turned about its long edge."""
        return tuple(
            Place(self.paper.width - place.x - self.card.width, place.y, self.columns - 1 - place.column, place.row)
            for place in self.places
        )

    @property
    def cuts_across(self) -> tuple[float, ...]:
        """The heights of the horizontal cuts, mm."""
        return tuple(self.bottom + row * self.card.height for row in range(self.rows + 1))

    @property
    def cuts_up(self) -> tuple[float, ...]:
        """The places of the vertical cuts from the left, mm."""
        return tuple(self.left + column * self.card.width for column in range(self.columns + 1))


def grid(paper: Size, card: Size) -> Grid:
    """As many cards as fit with an unprinted margin around them. Raises HackjackError when none does."""
    columns = int((paper.width - 2 * LEAST_MARGIN) // card.width)
    rows = int((paper.height - 2 * LEAST_MARGIN) // card.height)
    if columns < 1 or rows < 1:
        raise HackjackError(
            f"a card of {card.width:g} x {card.height:g} mm does not fit on a paper of "
            f"{paper.width:g} x {paper.height:g} mm with {LEAST_MARGIN:g} mm around it"
        )
    return Grid(paper, card, columns, rows)


def batches(items: Sequence[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """The items in sheets of `size`; the last one may be short."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


@cache
def papers() -> dict[str, Size]:
    """Papers by name."""
    return _sizes().papers


@cache
def cards() -> dict[str, Size]:
    """Card sizes by name."""
    return _sizes().cards


@cache
def targets() -> dict[str, Target]:
    """Targets by name."""
    return _data("targets.yaml", dict[str, Target])


def named(known: dict[str, Item], name: str, noun: str) -> Item:
    """The entry of that name. Raises UsageError that lists what there is."""
    if name not in known:
        raise UsageError(f'there is no {noun} "{name[:40]}": choose {", ".join(known)}')
    return known[name]


@cache
def _sizes() -> _Sizes:
    return _data("sizes.yaml", _Sizes)


def _data(name: str, kind: type[Item]) -> Item:
    value, _ = source.read_file(data_root() / "templates" / name, f"templates/{name}")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise HackjackError(f"templates/{name}: {error}") from error

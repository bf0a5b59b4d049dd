"""Paper, cards, where they lie on it, and marks for cutting: millimetres only, the origin at the lower left corner."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TypeVar

import msgspec
from msgspec import Struct

from generator.base.errors import HackjackError, UsageError
from generator.base.files import data_root
from generator.base.text_input import in_any_case
from generator.pack import strict_yaml as source

Item = TypeVar("Item")

MM = 72 / 25.4
"""Points in a millimetre."""

GOOD_DPI, MIN_DPI = 300, 150
"""Dots to an inch of a picture: what looks sharp, and what is printed at all."""

MIN_MARGIN = 5.0
"""What home printers leave unprinted at the edges, mm."""
MIN_SIDE, MAX_SIDE = 12.0, 400.0
"""The sides of a card of one's own, mm."""

_WRITTEN = re.compile(r"(\d{1,3}(?:\.\d{1,4})?) ?[x\u00d7] ?(\d{1,3}(?:\.\d{1,4})?) ?(mm|in)?", re.ASCII)


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Width and height, mm."""

    width: float
    height: float


class KnownSize(Size, frozen=True, forbid_unknown_fields=True):
    """A card size with a name: where the size was found, and when."""

    source: str
    checked: str


class _Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    papers: dict[str, Size]
    cards: dict[str, KnownSize]


class SheetPlace(Struct, frozen=True):
    """Where a card lies: the lower left corner of its trim, mm, and its row and column from the top left."""

    x: float
    y: float
    column: int
    row: int


class Grid(Struct, frozen=True):
    """Where cards lie on a paper, in rows and columns. Lengths in mm.

    `left` and `bottom` lead to the trim of the lowest card of the first column; `pitch` is the way from one card to the
    next; `bleed` is what each card has of its own around its trim. `turned` cards lie on their side. `folded` sheets
    have the backs on the same side, below the fold in the middle of the paper.
    """

    paper: Size
    card: Size
    columns: int
    rows: int
    left: float
    bottom: float
    pitch: Size
    bleed: float = 0.0
    turned: bool = False
    folded: bool = False

    @property
    def cell(self) -> Size:
        """The card as it lies."""
        return Size(self.card.height, self.card.width) if self.turned else Size(self.card.width, self.card.height)

    @property
    def places(self) -> tuple[SheetPlace, ...]:
        """One place a card, row by row from the top left."""
        return tuple(
            SheetPlace(
                self.left + column * self.pitch.width,
                self.bottom + (self.rows - 1 - row) * self.pitch.height,
                column,
                row,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def backs(self) -> tuple[SheetPlace, ...]:
        """Where the backs lie to meet their fronts when the sheet is turned about its long edge, or folded."""
        cell = self.cell
        if self.folded or self.paper.width > self.paper.height:
            return tuple(
                SheetPlace(place.x, self.paper.height - place.y - cell.height, place.column, self.rows - 1 - place.row)
                for place in self.places
            )
        return tuple(
            SheetPlace(self.paper.width - place.x - cell.width, place.y, self.columns - 1 - place.column, place.row)
            for place in self.places
        )

    @property
    def cuts_across(self) -> tuple[float, ...]:
        """The heights of the horizontal cuts, from the foot, mm."""
        feet = {place.y for place in (*self.places, *(self.backs if self.folded else ()))}
        return _apart(edge for foot in feet for edge in (foot, foot + self.cell.height))

    @property
    def cuts_up(self) -> tuple[float, ...]:
        """The places of the vertical cuts from the left, mm."""
        return _apart(edge for place in self.places for edge in (place.x, place.x + self.cell.width))


def _apart(edges: Iterable[float]) -> tuple[float, ...]:
    """Return the edges in order, those that are the same but for rounding only once."""
    distances: list[float] = []
    for edge in sorted(edges):
        if not distances or edge - distances[-1] > 1e-6:
            distances.append(edge)
    return tuple(distances)


def packed_grid(paper: Size, card: Size) -> Grid:
    """As many cards as fit edge to edge with an unprinted margin around them, the paper upright or on its side.

    Raises HackjackError when none does.
    """
    return bleed_grid(paper, card, 0, 0)


def bleed_grid(paper: Size, card: Size, bleed: float, minimum: float) -> Grid:
    """As many cards as fit with `minimum` mm of bleed around each, and then as much bleed as there is room for.

    Where the paper holds as many upright and on its side, it lies the way that leaves more bleed. Raises HackjackError
    when none fits.
    """
    ways = [_bled(way, card, bleed, minimum) for way in _ways(paper)]
    best = max(ways, key=_how_good)
    return _not_empty(best)


def _bled(paper: Size, card: Size, bleed: float, minimum: float) -> Grid:
    room = Size(paper.width - 2 * MIN_MARGIN, paper.height - 2 * MIN_MARGIN)
    columns, rows = _count(room.width, card.width + 2 * minimum), _count(room.height, card.height + 2 * minimum)
    if columns and rows:
        spare = min((room.width / columns - card.width) / 2, (room.height / rows - card.height) / 2)
        bleed = max(minimum, min(bleed, spare))
    return _in_the_middle(paper, card, columns, rows, bleed)


def _in_the_middle(paper: Size, card: Size, columns: int, rows: int, bleed: float) -> Grid:
    """So many cards in the middle of the paper."""
    pitch = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    left = (paper.width - columns * card.width - 2 * (columns - 1) * bleed) / 2
    bottom = (paper.height - rows * card.height - 2 * (rows - 1) * bleed) / 2
    return Grid(paper, card, columns, rows, left, bottom, pitch, bleed)


def fold_grid(paper: Size, card: Size, gutter: float) -> Grid:
    """Fronts above a fold across the middle of the paper, `gutter` mm from it; their backs lie below.

    Raises HackjackError when none fits.
    """
    ways = []
    for way in _ways(paper):
        half = way.height / 2 - MIN_MARGIN - gutter
        columns, rows = _count(way.width - 2 * MIN_MARGIN, card.width), _count(half, card.height)
        left = (way.width - columns * card.width) / 2
        size = Size(card.width, card.height)
        ways.append(Grid(way, card, columns, rows, left, way.height / 2 + gutter, size, folded=True))
    return _not_empty(max(ways, key=_how_good))


def clear_of_corners(paper: Size, card: Size, bleed: float, inset: float, corner: float) -> Grid:
    """As many cards as fit at least `inset` mm inside the paper with `bleed` mm around each, its corners kept free.

    No bleed reaches into the squares of `corner` mm that begin `inset` mm inside the corners of the paper. Where it
    holds as many upright and on its side, it lies on its side. Raises HackjackError when no card fits.
    """
    ways = [_clear_of_corners(way, card, bleed, inset, corner) for way in _ways(paper)]
    best = max(ways, key=lambda way: (way.columns * way.rows, way.paper.width > way.paper.height))
    return _not_empty(best, inset)


def _clear_of_corners(paper: Size, card: Size, bleed: float, inset: float, corner: float) -> Grid:
    pitch = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    most_columns = _count(paper.width - 2 * (inset - bleed), pitch.width)
    most_rows = _count(paper.height - 2 * (inset - bleed), pitch.height)
    grids = [
        _in_the_middle(paper, card, columns, rows, bleed)
        for columns in range(most_columns + 1)
        for rows in range(most_rows + 1)
    ]
    clear = [way for way in grids if room_in_corners(way, inset) >= corner - 1e-6]
    return max(clear or grids[:1], key=lambda way: (way.columns * way.rows, room_in_corners(way, inset)))


def room_in_corners(grid: Grid, inset: float) -> float:
    """The side of the largest squares that fit between the bleed of the cards and lines `inset` mm inside the paper."""
    # What is left between two cards is left here too: from each card as much again as its own bleed.
    return max(grid.left, grid.bottom) - inset - 2 * grid.bleed


def _how_good(way: Grid) -> tuple[int, float, bool]:
    """First the number of cards, then the bleed; upright paper where all is equal."""
    return way.columns * way.rows, round(way.bleed, 6), way.paper.height >= way.paper.width


def _ways(paper: Size) -> tuple[Size, Size]:
    """Return the paper upright and on its side."""
    return Size(paper.width, paper.height), Size(paper.height, paper.width)


def _count(room: float, each: float) -> int:
    """Return how many fit; a hair more than the room still does, for sizes that are sums of decimals."""
    return max(int((room + 1e-6) // each), 0)


def _not_empty(grid: Grid, around: float = MIN_MARGIN) -> Grid:
    """Return the grid, if any card lies on it. Raises HackjackError."""
    if not grid.columns * grid.rows:
        card, paper = grid.card, grid.paper
        fold = " together with its back" if grid.folded else ""
        raise HackjackError(
            f"a card of {card.width:g} x {card.height:g} mm does not fit{fold} on a paper of "
            f"{min(paper.width, paper.height):g} x {max(paper.width, paper.height):g} mm "
            f"with {around:g} mm around it"
        )
    return grid


def sheet_batches(items: Sequence[Item], size: int, used: int = 0) -> Iterator[tuple[Item, ...]]:
    """Yield the items in sheets of `size`, the first of which is `used` already; the last one may be short."""
    rest = iter(items)
    if used and (batch := tuple(islice(rest, size - used))):
        yield batch
    while batch := tuple(islice(rest, size)):
        yield batch


def card_size(written: str) -> Size:
    """Return a card's size by its name or as width x height: `poker`, `70x120`, `2.75x4.75in`. Raises UsageError."""
    if (name := in_any_case(written, card_sizes())) in card_sizes():
        return card_sizes()[name]
    match = _WRITTEN.fullmatch(written.strip().lower())
    if match is None:
        names = ", ".join(card_sizes())
        raise UsageError(f'there is no card "{written[:40]}": choose {names}, or write its size as 70x120 or 2.5x3.5in')
    unit = 25.4 if match[3] == "in" else 1.0
    size = Size(round(float(match[1]) * unit, 4), round(float(match[2]) * unit, 4))
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in (size.width, size.height)):
        raise UsageError(f"--card {written[:40]}: each side must be {MIN_SIDE:g} to {MAX_SIDE:g} mm long")
    return size


def card_name(size: Size) -> str | None:
    """Return the name of a card size, or None for a size that has none."""
    for name, card in card_sizes().items():
        if (card.width, card.height) == (size.width, size.height):
            return name
    return None


@cache
def paper_sizes() -> dict[str, Size]:
    """Papers by name."""
    return _sizes().papers


@cache
def card_sizes() -> dict[str, KnownSize]:
    """Card sizes by name."""
    return _sizes().cards


def paper_name(size: Size) -> str | None:
    """Return the name of a paper, upright or on its side, to a tenth of a millimetre; None for one that has none."""
    sides = sorted((size.width, size.height))
    for name, paper in paper_sizes().items():
        if all(abs(one - other) < 0.1 for one, other in zip(sides, sorted((paper.width, paper.height)), strict=True)):
            return name
    return None


def named_item(items: Mapping[str, Item], name: str, noun: str) -> Item:
    """Return the entry of that name. Raises UsageError that lists what there is."""
    meant = in_any_case(name, items)
    if meant not in items:
        raise UsageError(f'there is no {noun} "{name[:40]}": choose {", ".join(items)}')
    return items[meant]


@cache
def _sizes() -> _Sizes:
    return read_data_file("sizes.yaml", _Sizes)


def read_data_file(name: str, kind: type[Item]) -> Item:
    """Return a data file of `templates/` as a value of that type. Raises HackjackError with a sentence."""
    value, _ = source.read_file(data_root() / "templates" / name, f"templates/{name}")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise HackjackError(f"templates/{name}: {error}") from error


class Printed(bytes):
    """A PDF, with the size of each page (mm).

    `panels` are the numbers of the panels that its pages show, or begin with, where it is a file of panels.
    """

    pages: tuple[Size, ...] = ()
    panels: tuple[int, ...] = ()


Box = tuple[float, float, float, float]
"""Left, foot, right, top."""


class Registration(Struct, frozen=True, forbid_unknown_fields=True):
    """Three marks: a square at the top left, brackets at the top right and at the bottom left of the paper.

    `inset` leads from the edges of the paper to the middle of the brackets' lines, which are so thick, and from where
    these meet to the end of an arm is `length`; without one the arms are as long as the cards leave room for. The
    square has sides of `square` and an edge that is as thick as the lines and lies in line with them.
    """

    square: float
    thickness: float
    inset: float
    length: float | None = None

    def boxes(self, paper: Size) -> tuple[Box, ...]:
        """Return the areas printed black (mm): the square, and the two arms of each bracket."""
        arm, half = self.length or 0.0, self.thickness / 2
        left, right = self.inset, paper.width - self.inset
        foot, top = self.inset, paper.height - self.inset
        return (
            (left - half, top - self.square - half, left + self.square + half, top + half),
            (right - arm, top - half, right + half, top + half),
            (right - half, top - arm, right + half, top + half),
            (left - half, foot - half, left + arm, foot + half),
            (left - half, foot - half, left + half, foot + arm),
        )


class CutTemplate(Struct, frozen=True):
    """What stands on every sheet besides the cards: the marks, and a line that says how to cut it."""

    marks: tuple[Box, ...]
    says: str

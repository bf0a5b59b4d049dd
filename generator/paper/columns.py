"""Slices poured into the columns of a page: evenly, with nothing torn apart that belongs together.

A slice is what is never split: a paragraph, a table's row, a chart. A heading keeps what follows it; a block stays
whole unless it is long. Nothing here draws or knows what a slice shows. All lengths are points.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

LONG = 0.6
"""A block taller than this share of its page may be split even where everything would fit with it whole."""
LONGER, SHORT = 1.5, 0.22
"""The same for one that is so many times taller than even columns would be, if it takes that share of its page."""
_UNEVEN = 0.3
"""So much of the page may columns be longer to keep blocks whole."""

AIR = 9.0
"""The most that is added between two blocks of a page with room to spare, pt."""


class Frame(Struct, frozen=True):
    """Where the columns of a page stand: the lower left corner, the size of each, and the gutter between them."""

    x: float
    y: float
    width: float
    height: float
    columns: int
    gutter: float

    @property
    def measure(self) -> float:
        """The width of one column."""
        return (self.width - self.gutter * (self.columns - 1)) / self.columns


class Slice(Struct, frozen=True):
    """A piece, set: its height, the space before it, and how it is drawn from its top left corner down.

    `place` is the number of its block; `keep` ties it to the next slice; `head` is drawn over it where it begins a
    column (a table's heads, once more); `fault` says why it cannot be printed at this size. One that `grows` is drawn
    by up to so much higher where its page has room: that much is the fourth argument of `draw`.
    """

    height: float
    before: float
    draw: Callable[..., None]
    place: int = 0
    keep: bool = False
    column: bool = False
    wide: bool = False
    below: bool = False
    head: "Slice | None" = None
    fault: str = ""
    grows: float = 0.0


@dataclass(frozen=True, slots=True)
class _Unit:
    """Slices that stay together."""

    slices: tuple[Slice, ...]
    height: float = field(init=False)

    def __post_init__(self) -> None:
        inner = sum(piece.height for piece in self.slices) + sum(piece.before for piece in self.slices[1:])
        object.__setattr__(self, "height", inner)

    @property
    def before(self) -> float:
        return self.slices[0].before

    @property
    def on_top(self) -> float:
        """The room that it takes at the top of a column: no space before it, but a head where it goes on."""
        head = self.slices[0].head
        return self.height + (head.height if head else 0.0)

    @property
    def column(self) -> bool:
        return self.slices[0].column


Columns = list[list[_Unit]]


def columns_fault(slices: Sequence[Slice], frame: Frame) -> tuple[int, str] | None:
    """None where a page fits; otherwise the number of the block that does not, and why."""
    for piece in slices:
        if piece.fault:
            return piece.place, piece.fault
    if _fits(slices, frame):
        return None
    # The first slice with which those before it no longer fit.
    full = bisect_left(range(len(slices)), True, key=lambda at: not _fits(_whole(slices[: at + 1]), frame))
    return slices[min(full, len(slices) - 1)].place, "does not fit"


def fits(slices: Sequence[Slice], frame: Frame) -> bool:
    """Tell whether a page fits."""
    return not any(piece.fault for piece in slices) and _fits(slices, frame)


def draw_columns(canvas: Canvas, slices: Sequence[Slice], frame: Frame) -> None:
    """Draw the slices in the frame: wide ones across it, the others in balanced columns between them.

    Raises ValueError where they do not fit; `fault` tells before.
    """
    top = frame.y + frame.height
    laid = list(_laid(slices, frame))
    air = _air(laid, frame.height)
    gaps = [0.0, *(_gap(below) + (air if _parted(above, below) else 0.0) for above, below in pairwise(laid))]
    heights = [max(_height(column) + air * _joints(column) for column in columns) for columns in laid]
    growth = [max(map(_growth, columns)) for columns in laid]
    spare = max(0.0, frame.height - sum(heights) - sum(gaps)) / max(sum(growth), 1e-6)
    for columns, gap, lowest, grows in zip(laid, gaps, heights, growth, strict=True):
        top -= gap
        height = lowest + grows * min(1.0, spare)
        for place, column in enumerate(columns):
            room = height - _height(column) - air * _joints(column)
            share = min(1.0, room / max(_growth(column), 1e-6))
            _draw_column(canvas, column, frame.x + place * (frame.measure + frame.gutter), top, air, share)
        top -= height


def _growth(column: list[_Unit]) -> float:
    """Return by how much a column may be higher than it must."""
    return sum(piece.grows for unit in column for piece in unit.slices)


def _draw_column(canvas: Canvas, column: list[_Unit], x: float, y: float, air: float, share: float) -> None:
    """Draw a column whose slices grow by a share of what they may."""
    last: Slice | None = None
    for piece in (piece for unit in column for piece in unit.slices):
        if last is None and piece.head:
            piece.head.draw(canvas, x, y)
            y -= piece.head.height
        if last is not None:
            y -= piece.before + (air if piece.place != last.place else 0.0)
        piece.draw(canvas, x, y, *((piece.grows * share,) if piece.grows else ()))
        y -= piece.height + piece.grows * share
        last = piece


def _air(laid: Sequence[Columns], height: float) -> float:
    """Return how much more space there may be between two blocks, where the page is not full."""
    joints = sum(_parted(above, below) for above, below in pairwise(laid))
    joints += sum(max(map(_joints, columns)) for columns in laid)
    used = sum(max(map(_height, columns)) for columns in laid) + sum(map(_gap, laid[1:]))
    return min(AIR, (height - used) / joints) if joints else 0.0


def _parted(above: Columns, below: Columns) -> bool:
    """Return whether another block begins with a section than the one before it ended with."""
    return above[-1][-1].slices[-1].place != below[0][0].slices[0].place


def _joints(column: list[_Unit]) -> int:
    """Return how often one block follows another."""
    places = [unit.slices[0].place for unit in column]
    return sum(before != after for before, after in pairwise(places))


def _whole(slices: Sequence[Slice]) -> Sequence[Slice]:
    """Without a heading that has lost what it stands over."""
    end = len(slices)
    while end and slices[end - 1].keep:
        end -= 1
    return slices[:end]


def _sections(slices: Sequence[Slice], columns: int) -> Iterator[tuple[list[Slice], int]]:
    """Runs of slices with the number of columns that each is poured into."""
    rows = accumulate((piece.below for piece in slices), initial=0)
    keyed = zip(slices, [*rows][1:], strict=True)
    for (width, _), run in groupby(keyed, key=lambda pair: (pair[0].wide or columns == 1, columns > 1 and pair[1])):
        yield [piece for piece, _ in run], 1 if width else columns


def _fits(slices: Sequence[Slice], frame: Frame) -> bool:
    sections = [(_units(run, frame.height), columns) for run, columns in _sections(slices, frame.columns)]
    if len(sections) == 1:
        # The usual case: no need to know how low the columns could be.
        units, columns = sections[0]
        return _poured(units, columns, frame.height) is not None
    room = frame.height
    for at, (units, columns) in enumerate(sections):
        lowest = _lowest(units, columns, room)
        if lowest is None:
            return False
        room -= max(map(_height, lowest)) + (_gap(lowest) if at else 0.0)
    return room >= -1e-6


def _laid(slices: Sequence[Slice], frame: Frame) -> Iterator[Columns]:
    """Yield the columns of each section."""
    sections = list(_sections(slices, frame.columns))
    room = frame.height
    for place, (run, columns) in enumerate(sections):
        later = sum(_least(rest, many, frame.height) for rest, many in sections[place + 1 :])
        laid = _balanced(run, columns, room - later, frame.height)
        if laid is None:
            raise ValueError("the page does not fit")
        room -= max(map(_height, laid)) + (_gap(laid) if place else 0.0)
        yield laid


def _least(slices: Sequence[Slice], columns: int, most: float) -> float:
    """Return how low a section can be, with the space before it."""
    lowest = _lowest(_units(slices, most), columns, most)
    return max(map(_height, lowest)) + _gap(lowest) if lowest else most


def _gap(columns: Columns) -> float:
    """Return the space before a section that is not the first."""
    return columns[0][0].before


def _balanced(slices: Sequence[Slice], columns: int, room: float, page: float) -> Columns | None:
    """The lowest columns with every block whole, unless it is long or the columns would become much longer for it."""
    units = _units(slices, page)
    free = _lowest(units, columns, room)
    if free is None or columns == 1:
        return free
    even = sum(unit.height for unit in units) / columns
    whole = _lowest(_units(slices, page, max(SHORT * page, min(LONG * page, LONGER * even))), columns, room)
    if whole is None or max(map(_height, whole)) > max(map(_height, free)) + _UNEVEN * page:
        return free
    return whole


def _lowest(units: Sequence[_Unit], columns: int, room: float) -> Columns | None:
    """The columns whose tallest is as low as it can be; None where they do not fit."""
    best = _poured(units, columns, room)
    if best is None or columns == 1:
        return best
    low, height = sum(unit.height for unit in units) / columns - 1, max(map(_height, best))
    while height - low > 1:
        middle = (low + height) / 2
        poured = _poured(units, columns, middle)
        if poured is None:
            low = middle
        else:
            best, height = poured, min(middle, max(map(_height, poured)))
    return best


def _poured(units: Sequence[_Unit], columns: int, height: float) -> Columns | None:
    """Fill one column after the other up to a height; None when there are too few columns."""
    # Where more columns are asked for than there are, nobody's wish counts.
    breaks = sum(unit.column for unit in units[1:]) < columns
    filled: Columns = [[]]
    room = height
    for unit in units:
        need = unit.before + unit.height if filled[-1] else unit.on_top
        if filled[-1] and ((breaks and unit.column) or need > room + 1e-6):
            filled.append([])
            room, need = height, unit.on_top
        if need > room + 1e-6 or len(filled) > columns:
            return None
        filled[-1].append(unit)
        room -= need
    return filled


def _height(column: list[_Unit]) -> float:
    if not column:
        return 0.0
    return column[0].on_top + sum(unit.before + unit.height for unit in column[1:])


def _units(slices: Sequence[Slice], page: float, long: float = 0.0) -> list[_Unit]:
    """Group what stays together: a heading with what follows, a table that a page so tall holds, a block's first two
    slices and its last two, and the whole of a block that is no taller than `long`."""
    units: list[_Unit] = []
    for _, run in groupby(slices, key=lambda piece: piece.place):
        tied = _tables_whole(_tied(list(run)), page)
        whole = _Unit(tuple(piece for part in tied for piece in part))
        inner = any(part[0].column for part in tied[1:])
        if not inner and whole.height <= long:
            units.append(whole)
            continue
        if not inner and len(tied) > 3:
            tied = _joined([tied[0], tied[1]], page) + tied[2:-2] + _joined([tied[-2], tied[-1]], page)
        units += [_Unit(tuple(part)) for part in tied]
    return units


def _tied(slices: list[Slice]) -> list[list[Slice]]:
    """Return the slices of a block, each heading with what follows it."""
    parts: list[list[Slice]] = [[]]
    for piece in slices:
        if parts[-1] and not parts[-1][-1].keep:
            parts.append([])
        parts[-1].append(piece)
    return parts


def _tables_whole(parts: list[list[Slice]], page: float) -> list[list[Slice]]:
    """Return the parts of a block with the rows of each table as one, unless no page so tall holds them."""
    begun = accumulate((part[0].head is None for part in parts), initial=0)
    keyed = zip(parts, [*begun][1:], strict=True)
    return [
        part for _, run in groupby(keyed, key=lambda pair: pair[1]) for part in _joined([each for each, _ in run], page)
    ]


def _joined(parts: list[list[Slice]], page: float) -> list[list[Slice]]:
    """Return the parts as one; as they are where that is taller than a page."""
    whole = [piece for part in parts for piece in part]
    return [whole] if _Unit(tuple(whole)).height <= page else parts

"""Pictures on panels: bars and matrices that read without colour.

All lengths are points; a drawing has its lower left corner at (0, 0).
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import Bars, Cell, Matrix, Picture, Quantity, Series
from generator.paper import fonts, pen, tags
from generator.paper.ink import BLACK, BLUE, GREEN, GREY, RED, WHITE, Inks, Rgb, tint
from generator.words.chances import chance_percent

TYPE = 7.0
"""The size of a chart's figures, pt."""
MIN_TYPE = 6.5
"""The least size of the letters in a matrix."""
_FOOT = 2.4 * TYPE
"""The room under a chart for what its axis means."""
_LEGEND = 1.5 * TYPE

MAX_SERIES = 6
_HUES = {"black": BLACK, "red": RED, "green": GREEN, "blue": BLUE}


class _Look(Struct, frozen=True):
    """How one series looks: its shade, and the directions of its hatching."""

    shade: float
    hatch: str = ""
    unfilled: str = ""
    """Its hatching where no area is filled."""

    def hatching(self, inks: Inks) -> str:
        """Return the hatching that is drawn over it."""
        return self.hatch if inks.solid else self.hatch or self.unfilled


_LOOKS = (
    _Look(0.60),
    _Look(0.00, "/"),
    _Look(0.22, "", "\\"),
    _Look(0.00, "x"),
    _Look(0.85, "", "|"),
    _Look(0.00, "-"),
)
_STACKED = (
    _Look(0.00),
    _Look(0.00, "/"),
    _Look(0.28, "", "\\"),
    _Look(0.00, "x"),
    _Look(0.80, "", "|"),
    _Look(0.00, "-"),
)
"""What is stacked mostly grows worse upwards: from white to dark."""


def picture_fault(picture: Picture, width: float, height: float) -> str:
    """Return why a picture cannot be drawn in that room; empty where it can."""
    if isinstance(picture, Series) and len(picture.series) > MAX_SERIES:
        return f"has {len(picture.series)} series, and more than {MAX_SERIES} cannot be told apart: it does not fit"
    if isinstance(picture, Matrix):
        grid = _Grid.of(picture, width, height)
        if grid.type < MIN_TYPE:
            needed = height + len(picture.rows) * (MIN_TYPE / 0.78 - grid.high)
            return f"needs more room for its letters (some {needed / 72 * 25.4:.0f} mm high): it does not fit"
    return ""


def picture_scale(picture: Picture, width: float, height: float, size: float) -> float:
    """Return how much larger the letters of a picture can be, up to `size` pt: none runs into another or shrinks."""
    steps = [1 + at / 10 for at in range(int((size / TYPE - 1) * 10), 0, -1)]
    return next((scale for scale in steps if _has_room(picture, width, height, scale)), 1.0)


def least_height(picture: Picture, size: float) -> float:
    """Return how high a picture must be to have letters of that size, pt, if it is wide enough."""
    if not isinstance(picture, Matrix):
        return 7.5 * size
    grid = _Grid.of(picture, 500.0, 0.0)
    rows = len(picture.rows)
    return size / TYPE * -grid.high * rows + rows * size / 0.76


def _has_room(picture: Picture, width: float, height: float, scale: float) -> bool:
    """Return whether a picture's letters can be so much larger."""
    wide, high = width / scale, height / scale
    lines = [_wide(picture.across) + _wide(picture.note) + 2 * TYPE]
    if isinstance(picture, Matrix):
        grid = _Grid.of(picture, wide, high)
        if grid.type * scale < min(_Grid.of(picture, width, height).type, TYPE * scale):
            return False
        slot, words = grid.wide, [_wide(name, TYPE + 1, fonts.SANS_BOLD) for name in picture.columns]
        lines = [sum(_wide(means) + 4.5 * TYPE for _, means in picture.key) + _wide(picture.note)]
    else:
        values = (
            [value for _, row in picture.series for value in row] if isinstance(picture, Series) else picture.values
        )
        slot = (wide - 8) / max(1, len(picture.labels))
        words = [_wide(label) + 2 for label in picture.labels]
        if isinstance(picture, Bars) or picture.stacked:
            words += [_wide(chance_percent(value) if picture.percent else f"{float(value):.1f}") for value in values]
        lines += [sum(_wide(name) + 3.3 * TYPE for name, _ in picture.series)] if isinstance(picture, Series) else []
        if high < 7 * TYPE:
            return False
    return max(words, default=0.0) <= slot and max(lines) <= wide


def draw_picture(
    canvas: Canvas, picture: Picture, x: float, y: float, width: float, height: float, inks: Inks, scale: float = 1.0
) -> None:
    """Draw a picture with its lower left corner at (x, y), its letters `scale` times as large as usual."""
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(scale, scale)
    room = _Room(canvas, width / scale, height / scale, inks)
    match picture:
        case Bars():
            _bars(room, Series(picture.labels, (("", picture.values),), picture.percent, ""))
            _foot(room, picture.across, picture.note)
        case Series():
            _bars(room, picture)
            _foot(room, picture.across, picture.note)
        case Matrix():
            _matrix(room, picture)
        case _:
            assert_never(picture)
    canvas.restoreState()


# --- what charts have in common --------------------------------------------------------------------------------------


class _Plot(Struct, frozen=True):
    """The rectangle in which values are drawn, and the value at its top."""

    left: float
    foot: float
    width: float
    height: float
    most: float

    def y(self, value: Quantity) -> float:
        return self.foot + self.height * float(value) / self.most

    def middle(self, at: int, count: int) -> float:
        """Return where the label number `at` of `count` stands."""
        return self.left + self.width * (at + 0.5) / count


class _Room(Struct, frozen=True):
    """Where a picture is drawn: the canvas with its origin at the lower left corner, the size, and the inks."""

    canvas: Canvas
    width: float
    height: float
    inks: Inks

    def text(
        self,
        letters: str,
        x: float,
        y: float,
        align: pen.Align = "left",
        *,
        colour: Rgb = BLACK,
        size: float = TYPE,
        font: str = fonts.SANS,
    ) -> None:
        pen.draw_line(self.canvas, letters, x, y, font, size, align=align, colour=colour)

    def rule(self, x1: float, y1: float, x2: float, y2: float, colour: Rgb, wide: float) -> None:
        pen.draw_rules(self.canvas, colour, wide, (x1, y1, x2, y2))


def _foot(room: _Room, across: str, note: str) -> None:
    """What the axis means, and a note: beside each other, or the note is left to the text where there is no room."""
    room.text(across, 4, 3)
    if note:
        room.text(note, room.width - 4, 3, align="right", colour=GREY)


def _axis(room: _Room, plot: _Plot, labels: Sequence[str]) -> None:
    room.rule(plot.left, plot.foot, plot.left + plot.width, plot.foot, GREY, 0.6)
    widest = max(_wide(label) for label in labels)
    every = max(1, -int(-(widest + 2) // (plot.width / len(labels))))
    for at, label in enumerate(labels):
        if at % every == 0:
            room.text(label, plot.middle(at, len(labels)), plot.foot - TYPE * 1.05, align="middle")


def _scale(room: _Room, plot: _Plot, *, percent: bool) -> None:
    """Lines to read values by, with their figures at the left."""
    for value in _ticks(plot.most):
        y = plot.y(value)
        room.rule(plot.left, y, plot.left + plot.width, y, tint(BLACK, 0.25), 0.3)
        room.text(_figure(value, percent=percent), plot.left - 3, y - TYPE * 0.33, align="right", colour=GREY)


def _ticks(most: float) -> list[float]:
    """Three to six round values up to the largest."""
    step = next(
        step
        for power in (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0)
        for step in (power, 2 * power, 2.5 * power, 5 * power)
        if most / step <= 5 or power == 100_000.0
    )
    return [step * at for at in range(int(most / step + 1e-9) + 1)]


def _legend(room: _Room, names: Sequence[str], looks: Sequence[_Look]) -> None:
    """Each series' swatch and name along the top."""
    x, y = 4.0, room.height - TYPE * 1.05
    for at, name in enumerate(names):
        _box(room, x, y - 1, TYPE * 1.5, TYPE * 0.95, looks[at])
        room.text(name, x + TYPE * 1.9, y)
        x += TYPE * 1.9 + _wide(name) + TYPE * 1.4


def _box(room: _Room, x: float, y: float, width: float, height: float, look: _Look) -> None:
    """A bar: shaded or hatched, with an outline."""
    if height <= 0 or width <= 0:
        return
    shade = tint(BLACK, look.shade) if room.inks.solid else None
    pen.draw_box(room.canvas, (x, y, width, height), ground=shade, edge=BLACK, wide=0.4)
    if strokes := tuple(_hatching(x, y, width, height, look.hatching(room.inks))):
        pen.draw_rules(room.canvas, BLACK, 0.35, *strokes)


def _hatching(
    x: float, y: float, width: float, height: float, hatch: str
) -> Iterator[tuple[float, float, float, float]]:
    """Lines at 45 degrees, level or upright ones, clipped to a rectangle."""
    gap = 4.0
    if hatch == "-":
        for at in range(1, int(height / gap) + 1):
            yield x, y + at * gap, x + width, y + at * gap
    if hatch == "|":
        for at in range(1, int(width / gap) + 1):
            yield x + at * gap, y, x + at * gap, y + height
    for rising in {"/": (True,), "\\": (False,), "x": (True, False)}.get(hatch, ()):
        # Each line is x' + y' = c (or x' - y' = c) inside the rectangle; its ends are where it leaves it.
        for at in range(1, int((width + height) / gap / 1.414) + 1):
            c = at * gap * 1.414
            near, far = max(0.0, c - height), min(c, width)
            if far > near:
                first, last = (c - near, c - far) if not rising else (height - (c - near), height - (c - far))
                yield x + near, y + first, x + far, y + last


def _figure(value: float, *, percent: bool) -> str:
    if not percent:
        return f"{value:.1f}".removesuffix(".0") if value >= 100 or value == int(value) else f"{value:.1f}"
    return chance_percent(value)


def _wide(letters: str, size: float = TYPE, font: str = fonts.SANS) -> float:
    return fonts.text_width(letters, font) * size


# --- bars ------------------------------------------------------------------------------------------------------------


def _bars(room: _Room, chart: Series) -> None:
    """Bars beside each other or on top of each other. Every bar carries its figure where there is room for it;
    otherwise a scale stands at the left."""
    stacked, looks = chart.stacked, _STACKED if chart.stacked else _LOOKS
    many = len(chart.labels)
    if not many:
        return  # a game whose numbers leave nothing to show
    names = [name for name, _ in chart.series]
    sums = [sum(values[at] for _, values in chart.series) for at in range(many)]
    most = float(max((*(sums if stacked else [value for _, values in chart.series for value in values]), 1e-9)))
    figures = [
        [chance_percent(value) if chart.percent else f"{float(value):.1f}" for value in values]
        for _, values in chart.series
    ]
    beside = 1 if stacked else len(names)
    bar = room.width / many * (0.82 if beside == 1 else 0.86) / beside
    # Neighbours' figures may touch the gap between the bars, but not each other.
    labelled = max(_wide(figure) for row in figures for figure in row) <= bar * (1.2 if beside == 1 else 1.0)
    left = 4.0 if labelled else 4.0 + max(_wide(_figure(value, percent=chart.percent)) for value in _ticks(most)) + 3
    top = (_LEGEND if any(names) else 0.0) + (TYPE * 1.3 if not stacked else 3.0)
    foot = _FOOT + TYPE * 0.6
    plot = _Plot(left, foot, room.width - left - 4, room.height - foot - top, most)
    if not labelled:
        _scale(room, plot, percent=chart.percent)
    bar = plot.width / many * (0.82 if beside == 1 else 0.86) / beside
    for at in range(many):
        base: Quantity = 0.0
        for place, (_, values) in enumerate(chart.series):
            x = plot.middle(at, many) - bar * beside / 2 + (0 if stacked else place * bar)
            y, high = plot.y(base), plot.y(values[at]) - plot.foot
            _box(room, x, y, bar, high, looks[place])
            if labelled and not stacked:
                room.text(figures[place][at], x + bar / 2, y + high + 1.5, align="middle")
            elif labelled and high >= TYPE * 1.15:
                _label_inside(room, figures[place][at], x + bar / 2, y + high / 2, looks[place])
            base += values[at] if stacked else 0.0
    _axis(room, plot, chart.labels)
    if any(names):
        _legend(room, names, looks)


def _label_inside(room: _Room, label: str, x: float, y: float, look: _Look) -> None:
    """A figure on its bar: white on a dark one, on a white patch where the bar is hatched."""
    dark = room.inks.solid and look.shade > 0.5
    if look.hatching(room.inks):
        wide = _wide(label) + 2
        pen.draw_box(room.canvas, (x - wide / 2, y - TYPE * 0.48, wide, TYPE * 0.96), ground=WHITE)
    room.text(label, x, y - TYPE * 0.34, align="middle", colour=WHITE if dark else BLACK)


# --- matrices --------------------------------------------------------------------------------------------------------


class _Grid(Struct, frozen=True):
    """The measures of a matrix: where its cells begin, how large each is, and the size of its letters."""

    left: float
    foot: float
    wide: float
    high: float
    type: float

    @classmethod
    def of(cls, matrix: Matrix, width: float, height: float) -> "_Grid":
        left = max((_wide(name, TYPE + 1, fonts.SANS_BOLD) for name, _ in matrix.rows), default=0.0) + 6
        left += TYPE * 1.6 if matrix.down else 0.0
        foot = TYPE * 1.8 if matrix.key or matrix.note else 2.0
        head = (TYPE + 1) * 1.3 + (TYPE * 1.5 if matrix.across else 0.0)
        wide = (width - left) / max(1, len(matrix.columns))
        high = (height - foot - head) / max(1, len(matrix.rows))
        longest = max((_wide(cell.text, 1, _bold(cell)) for _, row in matrix.rows for cell in row), default=1.0)
        return cls(left, foot, wide, high, min(9.0, high * 0.78, (wide - 3) / max(longest, 0.1)))


def _matrix(room: _Room, matrix: Matrix) -> None:
    grid = _Grid.of(matrix, room.width, room.height)
    top = grid.foot + grid.high * len(matrix.rows)
    size = TYPE + 1
    if matrix.across:
        room.text(matrix.across, (grid.left + room.width) / 2, top + size * 1.5, align="middle")
    for at, name in enumerate(matrix.columns):
        middle = grid.left + (at + 0.5) * grid.wide
        room.text(name, middle, top + size * 0.35, align="middle", size=size, font=fonts.SANS_BOLD)
    for row, (name, cells) in enumerate(matrix.rows):
        foot = top - (row + 1) * grid.high
        base = foot + grid.high / 2 - min(size, grid.type) * 0.34
        room.text(name, grid.left - 4, base, align="right", size=min(size, grid.high * 0.8), font=fonts.SANS_BOLD)
        for at, cell in enumerate(cells):
            _cell(room, cell, grid.left + at * grid.wide, foot, grid.wide, grid.high, grid.type)
    if matrix.down:
        middle = (grid.foot + top) / 2
        pen.draw_line(room.canvas, matrix.down, TYPE, middle, fonts.SANS, TYPE, align="middle", turn=(0, 1, -1, 0))
    x = 4.0
    for cell, means in matrix.key:
        side = TYPE * 1.3
        wide = max(side, _wide(cell.text, TYPE, _bold(cell)) + 4)
        with tags.tagged_as(room.canvas, cell):
            _cell(room, cell, x, 1.0, wide, side, TYPE)
            room.text(means, x + wide + 3, 1.0 + side / 2 - TYPE * 0.34)
        x += wide + 3 + _wide(means) + TYPE * 1.4
    if matrix.note:
        room.text(matrix.note, room.width - 2, 3, align="right", colour=GREY)


def _cell(room: _Room, cell: Cell, x: float, y: float, width: float, height: float, size: float) -> None:
    # At most a little over half black: black letters stay readable on it.
    shade = tint(_HUES[cell.hue], 0.45 * max(0.0, min(1.0, cell.shade))) if room.inks.solid else WHITE
    pen.draw_box(room.canvas, (x, y, width, height), ground=shade, edge=GREY, wide=0.3)
    base, font = y + height / 2 - size * 0.34, _bold(cell)
    room.text(cell.text, x + width / 2, base, align="middle", size=size, font=font)


def _bold(cell: Cell) -> str:
    return fonts.SANS_BOLD if cell.strong else fonts.SANS

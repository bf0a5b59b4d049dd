"""The card back: one ink, the same upside down, and a pattern that runs off every edge.

Cutting and duplex printing are off by a millimetre or two. So nothing frames the card: a ground whose repeat divides
the trim exactly goes on over the edge, and what peeps out beside a shifted neighbour looks like one's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from reportlab.pdfgen.canvas import FILL_EVEN_ODD

from generator.paper.art import DEVICE, SLIM_DROP, SUITS, Command, Outline, Point, disc, mapped, rotated
from generator.paper.ink import OXBLOOD, WHITE

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_CELL = (18.0, 25.2)
"""Wanted width and height (pt) of one lozenge of the ground; the real ones divide the card evenly."""

_SUIT_RING = "SHCDSHCD"
"""Suits round the medallion; opposite ones are equal, so that the turned card shows the same picture."""


class _Pen(Struct, frozen=True):
    """The card back's canvas, with its origin at the centre of the card, and how to ink it."""

    canvas: Canvas
    solid: bool

    def lines(self, path: Any, width: float) -> None:
        """Draw a path as lines of `width` pt: light on the dark ground, or ink on paper."""
        self.canvas.setLineWidth(width if self.solid else 0.7 * width)
        self.canvas.drawPath(path, stroke=1, fill=0)

    def shape(self, path: Any) -> None:
        """Draw a path as a light area on the dark ground, or as its contour on paper."""
        self.canvas.setLineWidth(0.35)
        self.canvas.drawPath(path, stroke=int(not self.solid), fill=int(self.solid), fillMode=FILL_EVEN_ODD)


def draw_back(canvas: Canvas, width: float, height: float, bleed: float, *, solid: bool) -> None:
    """Draw the card back: trim box (0, 0) to (width, height), with `bleed` on every side, all in pt.

    The picture is the same when turned by 180 degrees. Its ground repeats exactly with the card's width
    and height, so the bleed of a card shows what its neighbour on a butted sheet shows there. `solid`
    prints light lines on an oxblood ground; otherwise there are thin oxblood lines only, to save ink.
    """
    canvas.saveState()
    edges = canvas.beginPath()
    edges.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
    canvas.clipPath(edges, stroke=0, fill=0)
    canvas.setFillColorRGB(*OXBLOOD)
    if solid:
        canvas.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, stroke=0, fill=1)
        canvas.setFillColorRGB(*WHITE)
        canvas.setStrokeColorRGB(*WHITE)
    else:
        canvas.setStrokeColorRGB(*OXBLOOD)
    # Everything is measured from the centre: equal coordinates round equally on both sides of it.
    canvas.translate(width / 2, height / 2)
    pen = _Pen(canvas, solid)
    radius = 0.36 * min(width, height)
    canvas.saveState()
    _clip_outside(canvas, width / 2 + bleed, height / 2 + bleed, radius)
    _ground(pen, width, height, bleed, radius)
    canvas.restoreState()
    _medallion(pen, radius)
    canvas.restoreState()


def _trace(path: Any, commands: Iterable[Command]) -> None:
    """Append commands given in pt round the path's origin."""
    Outline(tuple(commands)).trace(path, 0, 0, 1)


def _clip_outside(canvas: Canvas, half_width: float, half_height: float, radius: float) -> None:
    """Keep what follows off the disc of the medallion (pt)."""
    path = canvas.beginPath()
    path.rect(-half_width, -half_height, 2 * half_width, 2 * half_height)
    _trace(path, disc(0, 0, radius))
    canvas.clipPath(path, stroke=0, fill=0, fillMode=FILL_EVEN_ODD)


def _ground(pen: _Pen, width: float, height: float, bleed: float, radius: float) -> None:
    """Lozenges sewn together by surgical stitches, with a drop in each."""
    # An even number of cells both ways: rows of upright and turned drops alternate, and the row over the
    # edge must go on as the neighbour's does.
    columns, rows = (2 * round(side / cell / 2) for side, cell in zip((width, height), _CELL, strict=True))
    dx, dy = width / columns / 2, height / rows / 2
    _seams(pen, (dx, dy), (columns, rows), bleed)
    path = pen.canvas.beginPath()
    reach_x, reach_y = math.ceil((width / 2 + bleed) / dx), math.ceil((height / 2 + bleed) / dy)
    for column in range(-reach_x, reach_x + 1):
        for row in range(-reach_y, reach_y + 1):
            x, y = column * dx, row * dy
            if (column + row) % 2 and math.hypot(x, y) > radius - dy / 3:
                SLIM_DROP.trace(path, x, y, dy * (0.62 if (column + row - 1) // 2 % 2 else -0.62))
    pen.shape(path)


def _seams(pen: _Pen, cell: Point, counts: tuple[int, int], bleed: float) -> None:
    """The diagonal seams through the lozenges' corners, and the stitches across them."""
    dx, dy = cell
    columns, rows = counts
    spare = math.ceil(bleed / min(dx, dy)) + 1
    path = pen.canvas.beginPath()
    reach = columns // 2 + rows // 2 + spare
    top = rows + spare + (rows + spare) % 2
    for start in range(-reach, reach + 1):
        for slope in (1, -1):
            # Both ends are corners of lozenges, so the stitches fall alike in every lozenge.
            path.moveTo(round((2 * start - slope * top) * dx, 3), round(-top * dy, 3))
            path.lineTo(round((2 * start + slope * top) * dx, 3), round(top * dy, 3))
    pen.lines(path, 0.5)
    stitch = math.hypot(dx, dy) / 5
    canvas = pen.canvas
    thread = 0.5 if pen.solid else 0.35
    canvas.setDash([thread, stitch - thread], stitch / 2 + thread / 2)
    canvas.setLineWidth(2.6)
    canvas.drawPath(path, stroke=1, fill=0)
    canvas.setDash()


def _wave(radius: float, depth: float, waves: int, turns: int, phase: float = 0) -> tuple[Command, ...]:
    """A lathe-work line: a circle (pt) swinging `depth` pt in and out, `waves` times in `turns` rounds."""
    steps = 2 * waves
    step = 2 * math.pi * turns / steps

    def place(angle: float) -> tuple[Point, Point]:
        """A point of the curve, and its derivative by the angle."""
        swing = waves / turns * angle + phase
        r, dr = radius + depth * math.cos(swing), -depth * waves / turns * math.sin(swing)
        cos, sin = math.cos(angle), math.sin(angle)
        return (r * cos, r * sin), (dr * cos - r * sin, dr * sin + r * cos)

    (x0, y0), (u0, v0) = place(0)
    commands: list[Command] = [("M", x0, y0)]
    for index in range(1, steps + 1):
        (x1, y1), (u1, v1) = place(index * step)
        h = step / 3
        commands.append(("C", x0 + h * u0, y0 + h * v0, x1 - h * u1, y1 - h * v1, x1, y1))
        (x0, y0), (u0, v0) = (x1, y1), (u1, v1)
    return (*commands, ("Z",))


def _medallion(pen: _Pen, radius: float) -> None:
    """The device in its rings; `radius` (pt) is that of the outermost line."""
    rings = ((1, 1.0), (0.972, 0.4), (0.792, 0.4), (0.77, 0.8), (0.565, 0.5))
    _circles(pen, *((share * radius, width) for share, width in rings))
    path = pen.canvas.beginPath()
    _trace(path, _wave(0.882 * radius, 0.08 * radius, 92, 5))
    pen.lines(path, 0.4)
    path = pen.canvas.beginPath()
    for index, suit in enumerate(_SUIT_RING):
        size = 0.15 * radius
        commands = mapped(SUITS[suit].commands, (size, 0, 0, size, 0, 0.668 * radius))
        _trace(path, rotated(commands, -22.5 - 45 * index))
    pen.shape(path)
    _device(pen, 0.535 * radius)


def _circles(pen: _Pen, *circles: tuple[float, float]) -> None:
    """Concentric rings of (radius, line width) in pt."""
    for radius, width in circles:
        path = pen.canvas.beginPath()
        _trace(path, disc(0, 0, radius))
        pen.lines(path, width)


def _device(pen: _Pen, radius: float) -> None:
    """A double-ended knife between the halves of the bone it has parted, and a drop over and under."""
    path = pen.canvas.beginPath()
    DEVICE.trace(path, 0, 0, 100 * radius / 66)
    pen.shape(path)

"""The card back: one ink, the same upside down, and a pattern that runs off every edge.

Cutting and duplex printing are off by a millimetre or two. So nothing frames the card: a ground whose repeat divides
the trim exactly goes on over the edge, and what peeps out beside a shifted neighbour looks like one's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from reportlab.pdfgen.canvas import FILL_EVEN_ODD
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.model.themes import BackPattern
from generator.paper import fonts, pen, text
from generator.paper.art import DEVICE, SUITS, Command, Outline, Point, circle_path, map_points, rotate_points
from generator.paper.back_patterns import TILES
from generator.paper.ink import OXBLOOD, WHITE, Rgb

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_RADIUS = 0.4
"""The medallion's, beside the shorter side of the card."""
_TITLE = (0.6, 0.88)
"""The ring in which the title stands: its inner and its outer radius, beside the medallion's."""
_ARC = math.radians(150)
"""How much of the ring a line of the title may take; it stands there twice."""
_MAX_LINES = 3
_DISC = 0.55
"""The disc in the middle, with the device or the pack's picture."""
_HAIRLINE = 0.25
"""Width of lines where ink is saved, pt."""

_SUIT_RING = "SHCDSHCD"
"""Suits round the medallion; opposite ones are equal, so that the turned card shows the same picture."""

Logo = Callable[[float, float, float, float], None]
"""Draws a picture in a room: left, foot, width and height, pt."""


class _Pen(Struct, frozen=True):
    """The card back's canvas, with its origin at the centre of the card, and how to ink it."""

    canvas: Canvas
    solid: bool
    colour: Rgb

    def lines(self, path: Any, width: float) -> None:
        """Draw a path as lines of `width` pt: light on the dark ground, or thin ink on paper."""
        self.canvas.setLineWidth(width if self.solid else _HAIRLINE)
        self.canvas.drawPath(path, stroke=1, fill=0)

    def shape(self, path: Any) -> None:
        """Draw a path as a light area on the dark ground, or as its contour on paper."""
        self.canvas.setLineWidth(_HAIRLINE)
        self.canvas.drawPath(path, stroke=int(not self.solid), fill=int(self.solid), fillMode=FILL_EVEN_ODD)


def draw_back(
    canvas: Canvas,
    width: float,
    height: float,
    bleed: float,
    *,
    solid: bool,
    pattern: BackPattern = "lozenges",
    colour: Rgb = OXBLOOD,
    title: str = "",
    sign: Outline | None = None,
    logo: Logo | None = None,
) -> None:
    """Draw the card back: trim box (0, 0) to (width, height), with `bleed` on every side, all in pt.

    The picture is the same when turned by 180 degrees. Its pattern repeats exactly with the card's width and height, so
    the bleed of a card shows what its neighbour on a butted sheet shows there. `solid` prints light lines on a ground
    in `colour`; otherwise there are thin lines in that colour only, to save ink. The `title` stands twice round the
    medallion, and a `sign` or else a `logo` twice in its middle, in place of our device.
    """
    canvas.saveState()
    edges = canvas.beginPath()
    edges.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
    canvas.clipPath(edges, stroke=0, fill=0)
    canvas.setFillColorRGB(*colour)
    if solid:
        canvas.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, stroke=0, fill=1)
        canvas.setFillColorRGB(*WHITE)
        canvas.setStrokeColorRGB(*WHITE)
    else:
        canvas.setStrokeColorRGB(*colour)
    # Everything is measured from the centre: equal coordinates round equally on both sides of it.
    canvas.translate(width / 2, height / 2)
    drawing = _Pen(canvas, solid, colour)
    radius = _RADIUS * min(width, height)
    with pen.placed(canvas):
        _clip_outside(canvas, width / 2 + bleed, height / 2 + bleed, radius)
        _ground(drawing, width, height, bleed, pattern)
    _medallion(drawing, radius, title, sign, logo)
    canvas.restoreState()


def logo_side(width: float, height: float) -> float:
    """Return the side of the square that holds the picture in the medallion of a card so wide and high, pt."""
    return _square(_DISC * _RADIUS * min(width, height))


def _square(radius: float) -> float:
    """Return the side of the largest square over the diameter of a disc, with a little room around it."""
    return 0.94 * 2 * radius / math.sqrt(5)


def _trace(path: Any, commands: Iterable[Command]) -> None:
    """Append commands given in pt round the path's origin."""
    Outline(tuple(commands)).trace(path, 0, 0, 1)


def _clip_outside(canvas: Canvas, half_width: float, half_height: float, radius: float) -> None:
    """Keep what follows off the disc of the medallion (pt)."""
    path = canvas.beginPath()
    path.rect(-half_width, -half_height, 2 * half_width, 2 * half_height)
    _trace(path, circle_path(0, 0, radius))
    canvas.clipPath(path, stroke=0, fill=0, fillMode=FILL_EVEN_ODD)


def _ground(drawing: _Pen, width: float, height: float, bleed: float, pattern: BackPattern) -> None:
    """Tiles that divide the card evenly, and go on as far as its bleed."""
    tile, (lines, shapes, step) = TILES[pattern], _tiled(pattern, width, height, bleed)
    if tile.lines:
        drawing.lines(lines, tile.wide)
    if tile.stitched and drawing.solid:
        _stitch(drawing, lines, step)
    if tile.shapes:
        drawing.shape(shapes)


@lru_cache(maxsize=8)
def _tiled(pattern: BackPattern, width: float, height: float, bleed: float) -> tuple[Any, Any, float]:
    """Return the lines and the shapes of all tiles as paths, and the step of their stitches (pt)."""
    tile = TILES[pattern]
    columns, rows = (max(1, round(side / cell)) for side, cell in zip((width, height), tile.cell, strict=True))
    dx, dy = width / columns, height / rows
    # One more, for what a tile draws on its edge.
    spare_x, spare_y = math.ceil(bleed / dx) + 1, math.ceil(bleed / dy) + 1
    lines, shapes = PDFPathObject(), PDFPathObject()
    for column in range(-spare_x, columns + spare_x):
        for row in range(-spare_y, rows + spare_y):
            place = (dx, 0, 0, dy, (column - (columns - 1) / 2) * dx, (row - (rows - 1) / 2) * dy)
            _trace(lines, map_points(tile.lines, place))
            _trace(shapes, map_points(tile.shapes, place))
    return lines, shapes, math.hypot(dx, dy) / 20


def _stitch(drawing: _Pen, path: Any, step: float) -> None:
    """Stitches across lines, one every `step` pt."""
    canvas, thread = drawing.canvas, 0.5
    canvas.setDash([thread, step - thread], step / 2 + thread / 2)
    canvas.setLineWidth(2.6)
    canvas.drawPath(path, stroke=1, fill=0)
    canvas.setDash()


def _wave(radius: float, depth: float, waves: int, turns: int, phase: float = 0) -> tuple[Command, ...]:
    """Return a lathe-work line: a circle (pt) swinging `depth` pt in and out, `waves` times in `turns` rounds."""
    steps = 2 * waves
    step = 2 * math.pi * turns / steps

    def place(angle: float) -> tuple[Point, Point]:
        """Return a point of the curve, and its derivative by the angle."""
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


def _medallion(drawing: _Pen, radius: float, title: str, sign: Outline | None, logo: Logo | None) -> None:
    """The title in its ring, and the set's sign, the pack's picture or the device.

    `radius` (pt) is that of the outermost line.
    """
    _circles(drawing, *((share * radius, wide) for share, wide in ((1, 1.2), (0.92, 0.5), (_DISC, 0.8))))
    path = drawing.canvas.beginPath()
    _trace(path, _wave(0.96 * radius, 0.03 * radius, 92, 5))
    drawing.lines(path, 0.4)
    lines = _title_lines(title, radius)
    for turned in (0, 180):
        with pen.placed(drawing.canvas, turn=turned):
            for line, size, at in lines:
                _on_arc(drawing, line, size, at)
    _signs(drawing, radius, full=not lines)
    if sign is not None:
        _sign_twice(drawing, _DISC * radius, sign)
    elif logo is None:
        _device(drawing, 0.93 * _DISC * radius)
    else:
        _logos(drawing, _DISC * radius, logo)


def _title_lines(title: str, radius: float) -> list[tuple[str, float, float]]:
    """Return the lines of a title with their size and the radius of their feet, pt: as few lines as are largest."""
    words = text.typeset(title).split()
    inner, outer = (share * radius for share in _TITLE)
    best: list[tuple[str, float, float]] = []
    for count in range(1, min(_MAX_LINES, len(words)) + 1):
        step = (outer - inner) / count
        feet = [outer - step * (at + 0.82) for at in range(count)]
        parts = _split(words, count)
        wide = [pen.letters_width(part, fonts.SERIF_BOLD, 1) or 1.0 for part in parts]
        sizes = [_ARC * foot / each for each, foot in zip(wide, feet, strict=True)]
        size = min(*sizes, step * 0.95, 0.26 * radius)
        if not best or size > 1.15 * best[0][1]:
            best = [(part, size, foot) for part, foot in zip(parts, feet, strict=True)]
    return best


def _split(words: list[str], count: int) -> list[str]:
    """Words in so many lines of about the same length."""
    lines: list[str] = []
    rest = list(words)
    for left in range(count, 0, -1):
        target = len(" ".join(rest)) / left
        line = [rest.pop(0)]
        while len(rest) >= left and len(" ".join(line)) + len(rest[0]) / 2 < target:
            line.append(rest.pop(0))
        lines.append(" ".join(line))
    return lines


def _on_arc(drawing: _Pen, letters: str, size: float, foot: float) -> None:
    """A line of text on the upper half of a circle whose radius is `foot` pt, letter by letter."""
    angle = pen.letters_width(letters, fonts.SERIF_BOLD, size) / foot / 2
    colour = WHITE if drawing.solid else drawing.colour
    for letter in letters:
        half = pen.letters_width(letter, fonts.SERIF_BOLD, size) / foot / 2
        angle -= half
        cos, sin = math.cos(angle), math.sin(angle)
        if letter != " ":
            x, y, turn = -foot * sin, foot * cos, (cos, sin, -sin, cos)
            pen.draw_line(
                drawing.canvas, letter, x, y, fonts.SERIF_BOLD, size, align="middle", colour=colour, turn=turn
            )
        angle -= half


def _signs(drawing: _Pen, radius: float, *, full: bool) -> None:
    """Suits between the two titles, or all the way round; opposite ones are equal."""
    path, size, middle = drawing.canvas.beginPath(), 0.17 * radius, sum(_TITLE) / 2 * radius
    for at, suit in enumerate(_SUIT_RING if full else "SS"):
        commands = map_points(SUITS[suit].commands, (size, 0, 0, size, 0, middle))
        _trace(path, rotate_points(commands, -22.5 - 45 * at if full else -90 - 180 * at))
    drawing.shape(path)


def _sign_twice(drawing: _Pen, radius: float, sign: Outline) -> None:
    """A sign upright over the middle and turned under it."""
    side = 0.88 * _square(radius)
    path, middle = drawing.canvas.beginPath(), 0.08 * radius + side / 2
    sign.trace(path, 0, middle, side)
    sign.trace(path, 0, -middle, -side)
    drawing.shape(path)


def _logos(drawing: _Pen, radius: float, logo: Logo) -> None:
    """The pack's picture upright over the middle and turned under it, on a light disc."""
    path = drawing.canvas.beginPath()
    _trace(path, circle_path(0, 0, radius))
    drawing.canvas.drawPath(path, stroke=1, fill=1)
    side = _square(radius)
    for turned in (0, 180):
        with pen.placed(drawing.canvas, turn=turned):
            logo(-side / 2, 0.02 * radius, side, side)


def _circles(pen: _Pen, *circles: tuple[float, float]) -> None:
    """Concentric rings of (radius, line width) in pt."""
    for radius, width in circles:
        path = pen.canvas.beginPath()
        _trace(path, circle_path(0, 0, radius))
        pen.lines(path, width)


def _device(pen: _Pen, radius: float) -> None:
    """A double-ended knife between the halves of the bone it has parted, and a drop over and under."""
    path = pen.canvas.beginPath()
    DEVICE.trace(path, 0, 0, 100 * radius / 66)
    pen.shape(path)

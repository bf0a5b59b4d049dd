"""The card back: one ink, the same upside down, and a pattern that runs off every edge.

Cutting and duplex printing are off by a millimetre or two. So nothing frames the card: a lattice whose repeat divides
the trim exactly goes on over the edge, and what peeps out beside a shifted neighbour looks like one's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from generator.paper.art import ICONS, SUITS
from generator.paper.document import MM
from generator.paper.ink import WHITE, Rgb

INK: Rgb = (0.36, 0.055, 0.085)
"""Oxblood."""

_MESH = 7.0 * MM
"""About how wide and high one diamond of the lattice is; the exact size divides the trim."""

_TURN = 2 * math.pi


@dataclass(frozen=True, slots=True)
class _Look:
    """The colours of a back: solid ink with white lines, or the lines alone."""

    ground: Rgb
    line: Rgb
    solid: bool


def draw_back(canvas: Canvas, width: float, height: float, bleed: float, *, solid: bool) -> None:
    """Draw the back of a card of `width` x `height` pt and `bleed` pt around it, its trim's corner at the origin."""
    look = _Look(INK, WHITE, True) if solid else _Look(WHITE, INK, False)
    canvas.saveState()
    edge = canvas.beginPath()
    edge.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
    canvas.clipPath(edge, stroke=0, fill=0)
    canvas.setFillColorRGB(*look.ground)
    canvas.rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, stroke=0, fill=1)
    canvas.setStrokeColorRGB(*look.line)
    _lattice(canvas, width, height, bleed, look)
    _medallion(canvas, width / 2, height / 2, min(width, height) * 0.36, look)
    canvas.restoreState()


def _lattice(canvas: Canvas, width: float, height: float, bleed: float, look: _Look) -> None:
    """Crossing diagonals and a small diamond in every mesh."""
    columns, rows = max(1, round(width / _MESH)), max(1, round(height / _MESH))
    wide, high = width / columns, height / rows
    out = math.ceil(bleed / min(wide, high)) + 1
    low, top = -out, rows + out
    canvas.setLineWidth(0.45)
    # Every line on which x/wide - y/high, or x/wide + y/high, is a whole number.
    canvas.lines(
        [
            ((at + way * low) * wide, low * high, (at + way * top) * wide, top * high)
            for way in (1, -1)
            for at in range(-columns - rows - 2 * out, columns + rows + 2 * out + 1)
        ]
    )
    path = canvas.beginPath()
    for column in range(-out, columns + out + 1):
        for row in range(low, top + 1):
            SUITS["D"].trace(path, (column + 0.5) * wide, row * high, wide * 0.34)
            SUITS["D"].trace(path, column * wide, (row + 0.5) * high, wide * 0.34)
    canvas.setFillColorRGB(*look.line)
    canvas.setLineWidth(0.3)
    canvas.drawPath(path, stroke=int(not look.solid), fill=int(look.solid), fillMode=FILL_EVEN_ODD)


def _medallion(canvas: Canvas, x: float, y: float, radius: float, look: _Look) -> None:
    """A rosette as on old banknotes; the four suits stand in it, each twice, around two drops tip to tip."""
    canvas.setFillColorRGB(*look.ground)
    canvas.setLineWidth(1.1)
    canvas.circle(x, y, radius, stroke=1, fill=1)
    canvas.setLineWidth(0.4)
    canvas.circle(x, y, radius * 0.955, stroke=1, fill=0)
    for phase in range(6):
        _curve(canvas, _wave(x, y, radius * 0.80, radius * 0.125, 24, phase / 6 * _TURN))
    canvas.circle(x, y, radius * 0.645, stroke=1, fill=0)
    canvas.setLineWidth(1.1)
    canvas.circle(x, y, radius * 0.61, stroke=1, fill=0)
    canvas.setFillColorRGB(*look.line)
    canvas.setLineWidth(0.6)
    for place, suit in enumerate("SHCD"):
        angle = (place + 0.5) / 8 * _TURN
        for turned in (False, True):
            way = -1 if turned else 1
            at = x + way * math.cos(angle) * radius * 0.44, y + way * math.sin(angle) * radius * 0.44
            SUITS[suit].draw(canvas, *at, radius * 0.19, fill=look.solid, stroke=not look.solid, turned=turned)
    size = radius * 0.36
    for turned in (False, True):
        at_y = y + (1 if turned else -1) * size * 0.5
        ICONS["drop"].draw(canvas, x, at_y, size, fill=look.solid, stroke=not look.solid, turned=turned)


def _wave(x: float, y: float, middle: float, swing: float, waves: int, phase: float) -> Iterator[tuple[float, float]]:
    """A closed line around (x, y) that swings about a circle; an even number of waves is the same upside down."""
    steps = waves * 14
    for step in range(steps):
        angle = step / steps * _TURN
        far = middle + swing * math.cos(waves * angle + phase)
        yield x + far * math.cos(angle), y + far * math.sin(angle)


def _curve(canvas: Canvas, points: Iterator[tuple[float, float]]) -> None:
    path = canvas.beginPath()
    path.moveTo(*next(points))
    for point in points:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, stroke=1, fill=0)

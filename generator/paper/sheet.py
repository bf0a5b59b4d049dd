"""Cards on a sheet of paper: fronts and backs, marks to cut by, and what stands in the margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.paper import fonts
from generator.paper.document import MM
from generator.paper.ink import GREY
from generator.sheets import Grid

RULER = 50
"""Length of the ruler in the margin of the first sheet, mm."""

_MARGIN_TYPE = 6.5
_TICK = 4.0
"""Length of a mark in the margin, mm."""

Marks = Literal["cut", "crop", "none"]
Drawer = Callable[[Canvas, float, float], None]


def fronts(canvas: Canvas, grid: Grid, cards: Sequence[Drawer], marks: Marks) -> None:
    """Draw one sheet of fronts, each drawer called with the lower left corner of its trim in points."""
    for place, card in zip(grid.places, cards, strict=False):
        card(canvas, place.x * MM, place.y * MM)
    _marks(canvas, grid, marks)


def backs(canvas: Canvas, grid: Grid, count: int, back: str, nudge: tuple[float, float]) -> None:
    """Draw `count` backs (the form XObject `back`) where the fronts' other sides are, moved by `nudge` mm."""
    for place in grid.backs[:count]:
        canvas.saveState()
        canvas.translate((place.x + nudge[0]) * MM, (place.y + nudge[1]) * MM)
        canvas.doForm(back)
        canvas.restoreState()


def margin(canvas: Canvas, grid: Grid, says: str) -> None:
    """In the left margin: a 50 mm ruler beside the first row, the product's line beside the last."""
    x = (grid.left - 4.4) * MM
    middle = (grid.bottom + (grid.rows - 0.5) * grid.card.height) * MM
    _ruler(canvas, x, middle)
    _upwards(canvas, x, middle, "print at 100 %: this line is 50 mm long", aside=3.3)
    _upwards(canvas, (grid.paper.width - grid.left) * MM, grid.paper.height / 2 * MM, says, aside=3.3)


def _ruler(canvas: Canvas, x: float, middle: float) -> None:
    half = RULER / 2 * MM
    canvas.setStrokeColorRGB(*GREY)
    canvas.setLineWidth(0.5)
    canvas.line(x, middle - half, x, middle + half)
    for step in range(0, RULER + 1, 5):
        y = middle - half + step * MM
        canvas.line(x, y, x + (1.6 if step % 10 == 0 else 0.9) * MM, y)


def _upwards(canvas: Canvas, x: float, middle: float, says: str, *, aside: float) -> None:
    """A line of text up the margin, centred at `middle` pt; its foot is `aside` mm right of x."""
    font = fonts.use(fonts.SANS)
    wide = fonts.width(says, font) * _MARGIN_TYPE
    block = canvas.beginText()
    block.setFont(font, _MARGIN_TYPE)
    block.setFillColorRGB(*GREY)
    block.setTextTransform(0, 1, -1, 0, x + aside * MM, middle - wide / 2)
    block.textOut(says)
    canvas.drawText(block)


def across(canvas: Canvas, y: float, width: float) -> None:
    """A line to cut a page in two along, at y pt."""
    canvas.setStrokeColorRGB(*GREY)
    canvas.setLineWidth(0.25)
    canvas.setDash([3, 3])
    canvas.line(5 * MM, y, width - 5 * MM, y)
    canvas.setDash()


def _marks(canvas: Canvas, grid: Grid, marks: Marks) -> None:
    """Cut: hairlines between the cards and ticks beyond them. Crop: the ticks alone, so that no line is on a card."""
    if marks == "none":
        return
    canvas.setStrokeColorRGB(*GREY)
    canvas.setLineWidth(0.25)
    left, right = grid.left, grid.paper.width - grid.left
    foot, top = grid.bottom, grid.paper.height - grid.bottom
    lines: list[tuple[float, float, float, float]] = []
    for y in grid.cuts_across:
        lines += [(left - _TICK, y, left - 1, y), (right + 1, y, right + _TICK, y)]
    for x in grid.cuts_up:
        lines += [(x, foot - _TICK, x, foot - 1), (x, top + 1, x, top + _TICK)]
    if marks == "cut":
        lines += [(left, y, right, y) for y in grid.cuts_across] + [(x, foot, x, top) for x in grid.cuts_up]
    canvas.lines([(x1 * MM, y1 * MM, x2 * MM, y2 * MM) for x1, y1, x2, y2 in lines])

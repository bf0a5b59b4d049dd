"""What lies under a card's text: its ground, what is woven into that, a band for the name, and a frame. In points."""

from collections.abc import Callable
from random import Random

from reportlab.pdfgen.canvas import Canvas

from generator.paper import pen
from generator.paper.document import MM
from generator.paper.ink import GREY, WHITE, Inks, Rgb, tint

_FRAME = 1.9 * MM
"""From the trim to a frame: outside the safe line, and far enough from the cut to look even."""
_RADIUS = 1.6 * MM
_FIBRES, _LONGEST, _FIBRE_STRENGTH = 70, 9.0, 0.16

Trim = tuple[float, float, float, float]
"""Left, foot, width and height of a card."""


def draw_ground(
    canvas: Canvas,
    trim: Trim,
    bleed: float,
    inks: Inks,
    colour: Rgb,
    band_foot: float | None,
    picture: Callable[[], None],
) -> None:
    """Draw the ground of a card with `bleed` around it; the band for its name reaches from `band_foot` over the trim.

    `picture` draws what the card has on its ground, under band and frame.
    """
    left, foot, wide, high = trim
    whole = (left - bleed, foot - bleed, wide + 2 * bleed, high + 2 * bleed)
    theme = inks.theme
    if inks.solid:
        pen.draw_box(canvas, whole, ground=WHITE)
        if theme.texture == "fibres":
            _woven(canvas, whole)
    picture()
    if band_foot is not None:
        pen.draw_box(canvas, (whole[0], foot + band_foot, whole[2], high + bleed - band_foot), ground=colour)
    if theme.frame != "none":
        _frame(canvas, trim, colour, double=theme.frame == "double")


def _frame(canvas: Canvas, trim: Trim, colour: Rgb, *, double: bool) -> None:
    left, foot, wide, high = trim
    for inset, width in ((_FRAME, 0.9), (_FRAME + 1.6, 0.35)) if double else ((_FRAME, 0.6),):
        place = (left + inset, foot + inset, wide - 2 * inset, high - 2 * inset)
        pen.draw_box(canvas, place, edge=tint(colour, 0.7), wide=width, radius=_RADIUS)


def _woven(canvas: Canvas, place: Trim) -> None:
    """Short fibres over the whole ground, the same on every card, drawn once."""
    left, foot, wide, high = place
    form = f"fibres-{wide:.0f}-{high:.0f}"
    if not canvas.hasForm(form):
        luck = Random(1)
        canvas.beginForm(form, 0, 0, wide, high)
        path = canvas.beginPath()
        for _ in range(_FIBRES):
            x, y = luck.uniform(0, wide), luck.uniform(0, high)
            bends = [luck.uniform(-_LONGEST, _LONGEST) for _ in range(6)]
            path.moveTo(round(x, 2), round(y, 2))
            path.curveTo(*(round(at + bend, 2) for at, bend in zip((x, y) * 3, bends, strict=True)))
        canvas.setStrokeColorRGB(*tint(GREY, _FIBRE_STRENGTH))
        canvas.setLineWidth(0.35)
        canvas.drawPath(path, stroke=1, fill=0)
        canvas.endForm()
    with pen.placed(canvas, (left, foot)):
        canvas.doForm(form)

"""What lies under a card's text: its ground, and what is woven into that. In points."""

from random import Random

from reportlab.pdfgen.canvas import Canvas

from generator.paper import pen
from generator.paper.ink import GREY, WHITE, Inks, tint

_FIBRES, _LONGEST, _FIBRE_STRENGTH = 70, 9.0, 0.16

Trim = tuple[float, float, float, float]
"""Left, foot, width and height of a card."""


def draw_ground(canvas: Canvas, trim: Trim, bleed: float, inks: Inks) -> None:
    """Draw the ground of a card with `bleed` around it."""
    left, foot, wide, high = trim
    whole = (left - bleed, foot - bleed, wide + 2 * bleed, high + 2 * bleed)
    pen.draw_box(canvas, whole, ground=WHITE)
    if inks.theme.texture == "fibres":
        _woven(canvas, whole)


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

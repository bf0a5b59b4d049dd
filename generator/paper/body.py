"""The outline of a body, to mark where it hurts."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from generator.paper import fonts
from generator.paper.ink import BLACK, GREY

_TYPE = 7.0

# The body: capsules for limbs and trunk. Drawn in ink and again, a little narrower, in white, they make one outline.

_CAPSULES = (
    # from, to, thickness; the figure stands from 0 to 1, its middle at 0
    ((0, 0.90), (0, 0.90), 0.145),
    ((0, 0.84), (0, 0.70), 0.07),
    ((-0.07, 0.70), (0.07, 0.70), 0.13),
    ((0, 0.70), (0, 0.50), 0.20),
    ((-0.115, 0.71), (-0.185, 0.55), 0.075),
    ((0.115, 0.71), (0.185, 0.55), 0.075),
    ((-0.185, 0.55), (-0.235, 0.40), 0.062),
    ((0.185, 0.55), (0.235, 0.40), 0.062),
    ((-0.055, 0.50), (-0.075, 0.26), 0.10),
    ((0.055, 0.50), (0.075, 0.26), 0.10),
    ((-0.075, 0.26), (-0.085, 0.05), 0.078),
    ((0.075, 0.26), (0.085, 0.05), 0.078),
    ((-0.085, 0.035), (-0.125, 0.03), 0.055),
    ((0.085, 0.035), (0.125, 0.03), 0.055),
)


def body(canvas: Canvas, middle: float, top: float, height: float) -> None:
    """A body to mark, standing in the middle, with its sides named as the player sees the character: from behind."""
    canvas.saveState()
    canvas.setLineCap(1)
    foot = top - height
    for colour, extra in ((BLACK, 0.9), ((1.0, 1.0, 1.0), -0.9)):
        canvas.setStrokeColorRGB(*colour)
        for (x1, y1), (x2, y2), thick in _CAPSULES:
            canvas.setLineWidth(thick * height + extra)
            # A capsule of no length needs a hair of one, or nothing is drawn.
            canvas.line(middle + x1 * height, foot + y1 * height, middle + x2 * height + 0.01, foot + y2 * height)
    canvas.restoreState()
    canvas.setFillColorRGB(*GREY)
    for side, way in (("left", -1), ("right", 1)):
        label = canvas.beginText(middle + way * height * 0.36 - (10 if way < 0 else 0), foot + height * 0.55)
        label.setFont(fonts.use(fonts.SANS), _TYPE)
        label.textOut(side)
        canvas.drawText(label)

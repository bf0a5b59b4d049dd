"""Pictures on panels: bar charts by reportlab's own graphics, and the outline of a body."""

from __future__ import annotations

from reportlab.graphics import renderPDF
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import STATE_DEFAULTS, Drawing, String
from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas

from generator.paper import fonts
from generator.paper.ink import BLACK, GREY, Rgb, tint
from generator.pieces import Bars

_TYPE = 6.5


def draw(canvas: Canvas, bars: Bars, x: float, y: float, width: float, height: float) -> None:
    """Draw a bar chart with its lower left corner at (x, y); every bar carries its figure, so colour is no matter."""
    # Otherwise every chart would name Times or Helvetica, which are not embedded.
    STATE_DEFAULTS["fontName"] = fonts.use(fonts.SANS)
    renderPDF.draw(_drawing(bars, width, height), canvas, x, y)


def _drawing(bars: Bars, width: float, height: float) -> Drawing:
    font = fonts.use(fonts.SANS)
    drawing = Drawing(width, height)
    chart = VerticalBarChart()
    chart.x, chart.y = 4, 20
    chart.width, chart.height = width - 8, height - 32
    chart.data = [list(bars.values)]
    chart.groupSpacing = 1.5
    chart.bars[0].fillColor = _colour(tint(BLACK, 0.55))
    chart.bars[0].strokeColor = None
    chart.valueAxis.valueMin = 0
    chart.valueAxis.valueMax = max((*bars.values, 1e-9))
    chart.valueAxis.visible = False
    chart.categoryAxis.categoryNames = list(bars.labels)
    chart.categoryAxis.labels.fontName = font
    chart.categoryAxis.labels.fontSize = _TYPE
    chart.categoryAxis.labels.dy = -3
    chart.categoryAxis.strokeColor = _colour(GREY)
    chart.categoryAxis.visibleTicks = False
    chart.barLabelFormat = _percent if bars.percent else "%.1f"
    chart.barLabels.fontName = font
    chart.barLabels.fontSize = _TYPE
    chart.barLabels.nudge = 5
    chart.barLabels.fillColor = _colour(BLACK)
    drawing.add(chart)
    drawing.add(String(4, 3, bars.across, fontName=font, fontSize=_TYPE, fillColor=_colour(BLACK)))
    if bars.note:
        drawing.add(
            String(width - 4, 3, bars.note, fontName=font, fontSize=_TYPE, fillColor=_colour(GREY), textAnchor="end")
        )
    return drawing


def _percent(value: float) -> str:
    """Whole per cent, but never 0 for what can happen nor 100 for what can fail."""
    share = value * 100
    if 0 < share < 1:
        return "<1"
    return ">99" if 99 < share < 100 else f"{share:.0f}"


def _colour(colour: Rgb) -> Color:
    return Color(*colour)


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

"""A scale: a track whose cells have a number and its odds. All lengths are points."""

from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import OddsScale
from generator.paper import fonts, pen
from generator.paper.art import emblem_outline
from generator.paper.badges import draw_sign
from generator.paper.document import MM
from generator.paper.ink import BLACK, GREY, WHITE, Rgb, tint
from generator.words.chances import chance_percent

HEIGHT = 23 * MM
"""The height of a scale with the line under it."""
_CELLS = 17 * MM
_GAP = 0.7 * MM
_END = 1.9
"""The width of a cell behind the last number beside that of the others."""
_LABEL, _ODDS, _LEAST = 19.0, 13.0, 8.0
"""The largest type of a number and of the odds under it, and the smallest of both."""


def scale_fault(piece: OddsScale, measure: float) -> str:
    """Return why a scale cannot be drawn so wide; empty where it can."""
    return "needs more room for its numbers: it does not fit" if min(_sizes(piece, measure)) < _LEAST else ""


def draw_scale(
    canvas: Canvas, piece: OddsScale, place: tuple[float, float, float], hue: Rgb, small: float, *, solid: bool
) -> None:
    """Draw a scale from its upper left corner (x, y), so wide; the line under it in `small` type."""
    x, y, measure = place
    cells, unit = _cells(piece), _unit(piece, measure)
    label_size, odds_size = _sizes(piece, measure)
    maximum = max((float(value) for value in piece.picture.values), default=0.0) or 1.0
    shades = [float(value) / (1.0 if piece.picture.percent else maximum) for value in piece.picture.values]
    for index, (label, odds, emblem) in enumerate(cells):
        end = index >= len(shades)
        width = unit * (_END if end else 1.0)
        ground = (hue if end else tint(hue, 0.06 + 0.4 * shades[index])) if solid else None
        pen.draw_box(canvas, (x, y - _CELLS, width, _CELLS), ground=ground, edge=hue, wide=0.6, radius=1 * MM)
        colour = WHITE if end and solid else BLACK
        middle = x + width / 2
        head, bottom = y - label_size * 0.98, y - _CELLS + odds_size * 0.5
        for words, base, font, size in (
            (label, head, fonts.INDEX, label_size),
            (odds, bottom, fonts.SANS_BOLD, odds_size),
        ):
            pen.draw_line(canvas, words, middle, base, font, size, align="middle", colour=colour)
        if emblem:
            sign = emblem_outline(emblem)
            draw_sign(canvas, sign, middle, bottom + odds_size * 0.6, odds_size * 1.7, colour, solid=solid)
        x += width + _GAP
    line = "; ".join(part for part in (piece.picture.across, piece.picture.note) if part)
    size = min(small, measure / fonts.text_width(line, fonts.SANS))
    pen.draw_line(canvas, line, place[0], y - _CELLS - size * 1.15, fonts.SANS, size, colour=GREY)


def _cells(piece: OddsScale) -> list[tuple[str, str, str]]:
    """Return the label, the words under it and the emblem of each cell."""
    bars = piece.picture
    odds = (f"{chance_percent(value)}%" if bars.percent else f"{float(value):.1f}" for value in bars.values)
    return [*((label, words, "") for label, words in zip(bars.labels, odds, strict=True)), *piece.ends]


def _unit(piece: OddsScale, measure: float) -> float:
    """Return the width of a cell with a number."""
    many = len(piece.picture.labels)
    return (measure - _GAP * (many + len(piece.ends) - 1)) / (many + _END * len(piece.ends))


def _sizes(piece: OddsScale, measure: float) -> tuple[float, float]:
    """Return the type of the numbers and of the odds."""
    unit, many = _unit(piece, measure), len(piece.picture.labels)
    rooms = [(unit * (1.0 if index < many else _END) - 4, cell) for index, cell in enumerate(_cells(piece))]
    label = min(room / max(fonts.text_width(cell[0], fonts.INDEX), 0.1) for room, cell in rooms)
    odds = min(room / max(fonts.text_width(cell[1], fonts.SANS_BOLD), 0.1) for room, cell in rooms)
    return min(_LABEL, label), min(_ODDS, odds)

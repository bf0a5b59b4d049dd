"""The outline of a body, to mark where it hurts."""

from collections.abc import Collection, Mapping, Sequence

from reportlab.pdfgen.canvas import Canvas

from generator.paper import fonts, pen
from generator.paper.art import BODY, Outline, Point, draw_repeated
from generator.paper.ink import BLACK, GREY, Rgb, tint

_HIGH = 750.0
# Where a word on a part of a body that is so high stands, from the middle of its foot; with a second place on the left
# where there are two of that part.
_PLACES: Mapping[str, Sequence[Point]] = {
    "head": ((0, 690),),
    "torso": ((0, 515),),
    "arm": ((104, 505), (-104, 505)),
    "leg": ((42, 270), (-42, 270)),
    "hand": ((131, 300), (-131, 300)),
}

_CROSS, _BELOW = 17.0, 38.0
"""How far the arms of a cross reach, and how far it stands below a word."""

PARTS = frozenset(_PLACES) & BODY.keys()
"""The parts of the body that a silhouette shows, by the ids that systems give them."""


def draw_body(
    canvas: Canvas,
    middle: float,
    top: float,
    height: float,
    marks: Mapping[str, str],
    hurt: Collection[tuple[str, str]] = (),
    *,
    size: float,
) -> None:
    """Draw a body to mark, its head at `top`, seen from behind: the character's left is on the left.

    Words are of that `size`.

    `marks` are printed on parts of it, by the part's id; a part that the figure does not show is left out. `hurt` parts
    are crossed on their side; where it is not known which of a pair it is, both have a question mark.
    """
    scale = height / _HIGH
    foot = top - height
    canvas.saveState()
    canvas.setLineJoin(1)
    canvas.setStrokeColorRGB(*tint(BLACK, 0.45))
    canvas.setLineWidth(0.4)
    canvas.setDash([1.5, 1.5])
    centre = (middle, top - height / 2, height)
    BODY["joints"].draw(canvas, *centre, fill=False, stroke=True)
    canvas.setDash()
    canvas.setStrokeColorRGB(*BLACK)
    canvas.setLineWidth(1.1)
    BODY["outline"].draw(canvas, *centre, fill=False, stroke=True)
    canvas.restoreState()
    across, up = 175 * scale, foot + 560 * scale
    sides: tuple[tuple[str, float, pen.Align], ...] = (("left", -across, "right"), ("right", across, "left"))
    for side, x, align in sides:
        for below, label in enumerate(("character's", side)):
            y = up - below * size * pen.LEADING
            pen.draw_line(canvas, label, middle + x, y, fonts.SANS, size, align=align, colour=GREY)
    for part, label in marks.items():
        for x, y in _PLACES.get(part, ()):
            _mark(canvas, label, middle + x * scale, foot + y * scale, size)
    for part, side in hurt:
        places = _PLACES[part]
        on_side = [place for place in places if len(places) == 1 or (side and (place[0] < 0) == (side == "left"))]
        for x, y in on_side or places:
            at = (middle + x * scale, foot + (y - (_BELOW if part in marks else 0)) * scale)
            if on_side:
                pen.draw_cross(canvas, *at, _CROSS * scale, 1.6)
            else:
                _mark(canvas, "?", *at, size)


def draw_silhouette(
    canvas: Canvas, middle: float, foot: float, height: float, grounds: tuple[Rgb, Rgb], hurt: Collection[str]
) -> None:
    """A small body without lines, `hurt` parts of it in the second colour; both limbs of a pair, whichever it is."""
    centre = (middle, foot + height / 2, height)

    def paint() -> None:
        outline = canvas.beginPath()
        BODY["outline"].trace(outline, 0, 0, 100)
        canvas.clipPath(outline, stroke=0, fill=0)
        for part in hurt:
            Outline(BODY[part].commands).draw(canvas, 0, 0, 100)

    canvas.setFillColorRGB(*grounds[0])
    BODY["outline"].draw(canvas, *centre)
    canvas.setFillColorRGB(*grounds[1])
    draw_repeated(canvas, f"hurt-{'-'.join(hurt)}", paint, *centre)


def _mark(canvas: Canvas, label: str, x: float, y: float, size: float) -> None:
    """A word with its middle at (x, y)."""
    pen.draw_line(canvas, label, x, y - size * 0.34, fonts.SANS_BOLD, size, align="middle")

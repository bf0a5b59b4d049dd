"""The outline of a body, to mark where it hurts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.paper import fonts
from generator.paper.ink import BLACK, GREY, Rgb, tint

_TYPE = 7.5
_HIGH = 750.0
"""The height of the grid in which the figure is drawn; x counts from its middle to the right."""

Point = tuple[float, float]

# The right half from the crown, down the outside of the arm and the leg and up their inside, to the crotch. A smooth
# curve goes through the points; where one stands twice, it has a corner.
_HALF: Sequence[Point] = (
    *((0, 750), (25, 745), (42, 727), (46, 700), (43, 675), (34, 653), (24, 641)),
    *((24, 641), (24, 622), (30, 610), (52, 600), (82, 590), (102, 572), (111, 545)),
    *((115, 510), (117, 478), (121, 452), (127, 420), (130, 388), (131, 358), (135, 340)),
    *((142, 318), (143, 294), (137, 270), (128, 262), (121, 270), (118, 292), (116, 306)),
    *((112, 296), (106, 292), (103, 302), (106, 324), (111, 344)),
    *((108, 372), (102, 408), (97, 438), (94, 470), (89, 508), (82, 540), (82, 540)),
    *((79, 505), (70, 462), (68, 440), (72, 414), (80, 384), (84, 350)),
    *((83, 310), (77, 262), (68, 214), (67, 186), (68, 150), (60, 100), (48, 52), (47, 36)),
    *((58, 20), (68, 8), (62, 1), (40, 0), (24, 2), (19, 12), (22, 32), (23, 52)),
    *((20, 92), (14, 140), (15, 178), (14, 212), (9, 262), (4, 318), (0, 346)),
)
# Where one part of the body ends and the next begins: the right half of dashed lines, and whole ones on the limbs.
_JOINTS: Sequence[tuple[Point, Point]] = (
    ((0, 614), (28, 614)),
    ((0, 452), (68, 452)),
    ((0, 384), (79, 384)),
    ((76, 552), (104, 572)),
    ((94, 455), (120, 455)),
    ((110, 345), (134, 345)),
    ((15, 196), (67, 196)),
    ((22, 48), (48, 48)),
)
# Where a word on a part of the body stands; with a second place on the left where there are two of that part.
_PLACES: Mapping[str, Sequence[Point]] = {
    "head": ((0, 690),),
    "torso": ((0, 515),),
    "arm": ((104, 505), (-104, 505)),
    "leg": ((42, 270), (-42, 270)),
}

_CROSS, _BELOW = 17.0, 38.0
"""How far the arms of a cross reach, and how far it stands below a word."""

# The right half of what belongs to each part; its edges outside the outline do not matter. In the middle the halves
# overlap, so that no light line stands between them.
_AREAS: Mapping[str, Sequence[Point]] = {
    "head": ((-5, 750), (150, 750), (150, 616), (-5, 616)),
    "torso": ((-5, 610), (60, 610), (104, 574), (78, 548), (80, 500), (80, 452), (90, 384), (-5, 384)),
    "arm": ((108, 578), (150, 560), (150, 250), (95, 250), (95, 330), (90, 384), (84, 452), (82, 500), (80, 546)),
    "leg": ((-5, 380), (90, 380), (90, 0), (-5, 0)),
}
PARTS = frozenset(_AREAS)
"""The parts of the body that the figure shows, by the ids that systems give them."""


def body(
    canvas: Canvas,
    middle: float,
    top: float,
    height: float,
    marks: Mapping[str, str],
    hurt: Collection[tuple[str, str]] = (),
) -> None:
    """A body to mark, its head at `top`, seen from behind: its left is on the left, as the player feels it.

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
    canvas.lines(
        [
            (middle + way * x1 * scale, foot + y1 * scale, middle + way * x2 * scale, foot + y2 * scale)
            for (x1, y1), (x2, y2) in _JOINTS
            for way in (-1, 1)
        ]
    )
    canvas.setDash()
    canvas.setStrokeColorRGB(*BLACK)
    canvas.setLineWidth(1.1)
    canvas.drawPath(_path(canvas, middle, foot, scale), stroke=1, fill=0)
    canvas.restoreState()
    canvas.setFillColorRGB(*GREY)
    for side, way in (("left", -1), ("right", 1)):
        wide = fonts.width(side, fonts.use(fonts.SANS)) * _TYPE
        label = canvas.beginText(middle + way * 175 * scale - (wide if way < 0 else 0), foot + 560 * scale)
        label.setFont(fonts.SANS, _TYPE)
        label.textOut(side)
        canvas.drawText(label)
    canvas.setFillColorRGB(*BLACK)
    for part, said in marks.items():
        for x, y in _PLACES.get(part, ()):
            _mark(canvas, said, middle + x * scale, foot + y * scale)
    for part, side in hurt:
        places = _PLACES[part]
        known = [place for place in places if len(places) == 1 or (side and (place[0] < 0) == (side == "left"))]
        for x, y in known or places:
            at = (middle + x * scale, foot + (y - (_BELOW if part in marks else 0)) * scale)
            if known:
                _cross(canvas, *at, _CROSS * scale)
            else:
                _mark(canvas, "?", *at)


def silhouette(
    canvas: Canvas, middle: float, foot: float, height: float, grounds: tuple[Rgb, Rgb], hurt: Collection[str]
) -> None:
    """A small body without lines, `hurt` parts of it in the second colour; both limbs of a pair, whichever it is."""
    scale = height / _HIGH
    canvas.saveState()
    canvas.setFillColorRGB(*grounds[0])
    canvas.drawPath(_path(canvas, middle, foot, scale), stroke=0, fill=1)
    canvas.clipPath(_path(canvas, middle, foot, scale), stroke=0, fill=0)
    canvas.setFillColorRGB(*grounds[1])
    for part in hurt:
        for way in (-1, 1):
            area = canvas.beginPath()
            corners = [(middle + way * x * scale, foot + y * scale) for x, y in _AREAS[part]]
            area.moveTo(*corners[0])
            for corner in corners[1:]:
                area.lineTo(*corner)
            area.close()
            canvas.drawPath(area, stroke=0, fill=1)
    canvas.restoreState()


def _path(canvas: Canvas, middle: float, foot: float, scale: float) -> PDFPathObject:
    """The whole outline."""
    path = canvas.beginPath()
    path.moveTo(middle, foot + _HIGH * scale)
    for curve in _outline():
        flat = [part for x, y in curve for part in (round(middle + x * scale, 2), round(foot + y * scale, 2))]
        path.curveTo(*flat)
    path.close()
    return path


def _cross(canvas: Canvas, x: float, y: float, arm: float) -> None:
    """A cross around (x, y), as a player would draw it."""
    canvas.setStrokeColorRGB(*BLACK)
    canvas.setLineWidth(1.6)
    canvas.lines([(x - arm, y - arm, x + arm, y + arm), (x - arm, y + arm, x + arm, y - arm)])


def _mark(canvas: Canvas, said: str, x: float, y: float) -> None:
    """A word with its middle at (x, y)."""
    label = canvas.beginText(x - fonts.width(said, fonts.use(fonts.SANS_BOLD)) * _TYPE / 2, y - _TYPE * 0.34)
    label.setFont(fonts.SANS_BOLD, _TYPE)
    label.textOut(said)
    canvas.drawText(label)


@cache
def _outline() -> tuple[tuple[Point, Point, Point], ...]:
    """The whole outline as curves, each by its two handles and its end, from the crown round by the right."""
    right = _smooth(_HALF)
    # Backwards and mirrored, the same curves come up the left.
    starts = [(0.0, _HIGH), *(end for *_, end in right)]
    left = [
        ((-second[0], second[1]), (-first[0], first[1]), (-start[0], start[1]))
        for start, (first, second, _) in zip(reversed(starts[:-1]), reversed(right), strict=True)
    ]
    return (*right, *left)


def _smooth(points: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Curves through the points (Catmull-Rom); between two equal points the direction may change at once."""
    curves = []
    last = len(points) - 1
    for at in range(last):
        start, end = points[at], points[at + 1]
        if start == end:
            continue
        before = points[at - 1] if at else (-points[1][0], points[1][1])
        after = points[at + 2] if at + 2 <= last else end
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        curves.append((first, second, end))
    return curves

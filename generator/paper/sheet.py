"""Cards on a sheet of paper: fronts and backs, marks to cut by, and what stands in the margin."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from math import inf
from typing import Literal

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.sheets import MIN_MARGIN, CutTemplate, Grid, SheetPlace, Size
from generator.paper import fonts, pen, text
from generator.paper.document import MM
from generator.paper.ink import BLACK, GREY

RULER = 50
"""Length of the ruler in the margin of the first sheet, mm."""

_MARGIN_TYPE = 6.5
"""The size of what stands in a margin, pt."""
LARGE_SCALE = 11 / _MARGIN_TYPE
"""How much larger that is in large print."""
_MARGIN_STEPS = 5
"""The last of these is the smallest type in a margin: a tenth smaller each."""
_NEXT = 2.7
"""From one line in the margin to the next, mm."""
_TICK = 4.0
"""Length of a mark in the margin, mm."""
_BESIDE, _OUTSIDE = 4.4, 8.8
"""From the cards to the ruler, mm: between the marks, or outside of them."""
_EDGE = MIN_MARGIN * MM
"""Where lines through a whole page begin and end, pt."""
_TRUE_SIZE = f"print at 100 %: this line is {RULER} mm long"

Marks = Literal["cut", "crop", "none"]
Drawer = Callable[[Canvas, float, float], None]


def draw_fronts(canvas: Canvas, grid: Grid, cards: Sequence[Drawer], marks: Marks, skip: int = 0) -> None:
    """Draw one sheet of fronts, each drawer called with the lower left corner of its trim in points.

    The first `skip` places stay empty. There are marks round what is drawn, and none where nothing is.
    """
    for place, card in zip(grid.places[skip:], cards, strict=False):
        if grid.turned:
            with _laid(canvas, grid, place):
                card(canvas, 0, 0)
        else:
            card(canvas, place.x * MM, place.y * MM)
    _marks(canvas, grid, marks, slice(skip, skip + len(cards)))


def draw_backs(canvas: Canvas, grid: Grid, backs: Sequence[str], nudge: tuple[float, float], skip: int = 0) -> None:
    """Draw backs (names of form XObjects) where the fronts' other sides are, moved by `nudge` mm."""
    for place, back in zip(grid.backs[skip:], backs, strict=False):
        with _laid(canvas, grid, replace(place, x=place.x + nudge[0], y=place.y + nudge[1])):
            canvas.doForm(back)


def _laid(canvas: Canvas, grid: Grid, place: SheetPlace) -> AbstractContextManager[None]:
    """Draw with the origin at a card's lower left corner, and turned where cards lie on their side."""
    left = place.x + grid.cell.width if grid.turned else place.x
    return pen.placed(canvas, (left * MM, place.y * MM), turn=90 if grid.turned else None)


def draw_fold(canvas: Canvas, grid: Grid) -> None:
    """Draw the line to fold along, in the gutter between the fronts and their backs, and what to do."""
    middle = grid.paper.height / 2 * MM
    canvas.setDash([3, 3])
    pen.draw_rules(canvas, GREY, 0.25, (_EDGE, middle, grid.paper.width * MM - _EDGE, middle))
    canvas.setDash()
    first = grid.places[0]
    _along(
        canvas, (first.x + grid.cell.width / 2) * MM, middle + 0.9 * MM, "fold here, glue, then cut", grid.paper.width
    )


def draw_margins(canvas: Canvas, grid: Grid, says: str, marks: Marks, scale: float = 1.0) -> None:
    """In the margins: a 50 mm ruler and the product's line, at the sides or, where these are narrow, at foot and head.

    Where all margins are too narrow for the ruler the line stands alone, and where printers do not reach, nothing does.
    The type is `scale` times its usual size if the margins have the room for it.
    """
    left, right = grid.cuts_up[0] - grid.bleed, grid.cuts_up[-1] + grid.bleed
    foot, top = grid.cuts_across[0] - grid.bleed, grid.cuts_across[-1] + grid.bleed
    first, cell = grid.places[0], grid.cell
    # Marks would cross a ruler that is longer than a card, unless it stands outside of them.
    beside = _BESIDE if marks == "none" or cell.height > RULER else _OUTSIDE
    below = _BESIDE if marks == "none" or cell.width > RULER else _OUTSIDE
    if scale > 1 and left < beside * scale + MIN_MARGIN and foot < below * scale + MIN_MARGIN:
        scale = 1.0
    beside, below, most, next_line = beside * scale, below * scale, _MARGIN_TYPE * scale, _NEXT * scale
    if left >= beside + MIN_MARGIN:
        # Beside a low card at the edge of the paper it would reach to where printers do not.
        room = MIN_MARGIN + RULER / 2
        middle = max(room, min(first.y + cell.height / 2, grid.paper.height - room)) * MM
        _ruler(canvas, (left - beside) * MM, middle, upright=True)
        _upwards(canvas, (left - beside + 3.3 * scale) * MM, middle, _TRUE_SIZE, grid.paper.height, most)
        x, rows = right + beside - 1.1 * scale, {place.y for place in grid.places}
        size, lines = _between(says, rows, cell.height, marks, grid.paper.width - x, grid.paper.height, scale)
        for at, parts in enumerate(lines):
            for middle, part in parts:
                _upwards(canvas, (x + at * next_line) * MM, middle, part, grid.paper.height, size)
    elif foot >= below + MIN_MARGIN:
        middle = (first.x + max(cell.width, RULER) / 2) * MM
        _ruler(canvas, (foot - below) * MM, middle, upright=False)
        _along(canvas, middle, (foot - below + 1.6) * MM, _TRUE_SIZE, grid.paper.width, most)
        y, columns = top + below - 2.9 * scale, {place.x for place in grid.places}
        room = grid.paper.height - y - next_line
        size, lines = _between(says, columns, cell.width, marks, room, grid.paper.width, scale)
        for at, parts in enumerate(reversed(lines)):
            for middle, part in parts:
                _along(canvas, middle, (y + at * next_line) * MM, part, grid.paper.width, size)
    else:
        _line_alone(canvas, grid, left, top, says, _TICK + 0.6 if marks != "none" else 0.6)


def cut_template(canvas: Canvas, grid: Grid, template: CutTemplate, says: str) -> None:
    """The marks of a cutting machine and how to cut the sheet; where something `says`, that and a ruler too.

    All text stands at the edges of the paper, outside of the marks, which must have nothing but white around them.
    """
    for left, foot, right, top in template.marks:
        pen.draw_box(canvas, (left * MM, foot * MM, (right - left) * MM, (top - foot) * MM), ground=BLACK)
    paper, line = grid.paper, MIN_MARGIN + _MARGIN_TYPE / MM / 4
    _upwards(canvas, (paper.width - line) * MM, paper.height / 2 * MM, template.says, paper.height)
    if says:
        _along(canvas, paper.width / 2 * MM, (paper.height - MIN_MARGIN - _MARGIN_TYPE / MM) * MM, says, paper.width)
        draw_ruler(canvas, (paper.width - RULER) / 2 * MM, (line + 2.6) * MM)


def _between(
    says: str, starts: Collection[float], length: float, marks: Marks, room: float, paper: float, scale: float
) -> tuple[float, list[list[tuple[float, str]]]]:
    """A line in the margin as parts that keep off the marks, each with its middle in pt, on as many lines as it takes.

    One stands beside each card, from where these start and as long as they are; it ends at a comma, or at any word.
    Where the margin of `room` is too narrow for the lines they are set in smaller type, the size of which is given too;
    where that does not help, all stands in one piece along the middle of the paper. All lengths are mm.
    """
    for step in range(_MARGIN_STEPS):
        size = _MARGIN_TYPE * scale * (1 - 0.1 * step)
        lines = _parted(says, starts, length, inf if marks == "none" else length * MM / size - 2)
        if lines and MIN_MARGIN + (len(lines) - 1) * _NEXT * scale <= room:
            return size, lines
    return _MARGIN_TYPE * scale, [[(paper / 2 * MM, says)]]


def _parted(says: str, starts: Collection[float], length: float, most: float) -> list[list[tuple[float, str]]]:
    """Return the parts of such a line, each `most` times its type size long; none where a word is longer."""
    font = fonts.SANS
    for phrase in (r"\S.*?(?:,(?= )|$)", r"\S+"):
        words = tuple(text.unbroken_word((text.Run(phrase_text, font),)) for phrase_text in re.findall(phrase, says))
        if text.widest_word(words) <= most:
            break
    else:
        return []
    parts = ["".join(run.text for run in line) for line in text.broken_lines(words, most)]
    # A line of its own stands beside the middle.
    first = max(0, (len(starts) - len(parts) + 1) // 2)
    middles = [(start + length / 2) * MM for start in sorted(starts)[first:]]
    return [
        list(zip(middles, parts[at : at + len(middles)], strict=False)) for at in range(0, len(parts), len(middles))
    ]


def _line_alone(canvas: Canvas, grid: Grid, left: float, top: float, says: str, out: float) -> None:
    """The product's line outside of the marks at the head or at the left (mm), if the printer reaches there at all."""
    high = _MARGIN_TYPE / MM
    if grid.paper.height - top >= out + high + MIN_MARGIN:
        _along(canvas, grid.paper.width / 2 * MM, (top + out) * MM, says, grid.paper.width)
    elif left >= out + 0.66 * high + MIN_MARGIN:
        middle = (grid.places[0].y + grid.cell.height / 2) * MM
        _upwards(canvas, (left - out) * MM, middle, says, grid.paper.height)


def draw_ruler(canvas: Canvas, left: float, y: float) -> None:
    """Draw a ruler from left to right with what it is for under it, pt."""
    middle = left + RULER / 2 * MM
    _ruler(canvas, y, middle, upright=False)
    pen.draw_line(canvas, _TRUE_SIZE, middle, y - 2.6 * MM, fonts.SANS, _MARGIN_TYPE, align="middle", colour=GREY)


def _ruler(canvas: Canvas, place: float, middle: float, *, upright: bool) -> None:
    """A ruler with its middle at `middle` pt, at `place` pt from the left, or from the foot if it lies."""
    half = RULER / 2 * MM
    strokes = [(place, middle - half, place, middle + half)]
    for step in range(0, RULER + 1, 5):
        at = middle - half + step * MM
        strokes.append((place, at, place + (1.2 if step % 10 == 0 else 0.7) * MM, at))
    pen.draw_rules(canvas, GREY, 0.5, *(each if upright else (each[1], each[0], each[3], each[2]) for each in strokes))


def _along(canvas: Canvas, middle: float, y: float, says: str, length: float, most: float = _MARGIN_TYPE) -> None:
    """A line of text centred at `middle` pt, on a paper so wide (mm), in type of `most` pt or smaller."""
    pen.draw_line(canvas, says, middle, y, fonts.SANS, _size(says, length, most), align="middle", colour=GREY)


def _upwards(canvas: Canvas, x: float, middle: float, says: str, length: float, most: float = _MARGIN_TYPE) -> None:
    """A line of text up the margin of a paper so high (mm), its foot at x and its middle at `middle` pt.

    It is set in type of `most` pt or smaller.
    """
    size = _size(says, length, most)
    pen.draw_line(canvas, says, x, middle, fonts.SANS, size, align="middle", colour=GREY, turn=(0, 1, -1, 0))


def _size(says: str, length: float, most: float) -> float:
    """The size of a line in the margin: smaller where it would be longer than what is printed of the paper (mm)."""
    return min(most, (length - 2 * MIN_MARGIN) * MM / fonts.text_width(says, fonts.SANS))


def draw_quarter_lines(canvas: Canvas, wide: float, high: float, *, fold: bool = False) -> None:
    """Lines to cut a page of that size (pt) in four along; to `fold` along the upright one, which then is dashed."""
    pen.draw_rules(canvas, GREY, 0.25, (_EDGE, high / 2, wide - _EDGE, high / 2))
    canvas.setDash([3, 3] if fold else [])
    pen.draw_rules(canvas, GREY, 0.25, (wide / 2, _EDGE, wide / 2, high - _EDGE))
    canvas.setDash()


def _marks(canvas: Canvas, grid: Grid, marks: Marks, used: slice) -> None:
    """Cut: hairlines between the cards and ticks beyond them. Crop: the ticks alone, so that no line is on a card.

    Only the places that are `used` are marked.
    """
    if marks == "none":
        return
    places = (*grid.places[used], *(grid.backs[used] if grid.folded else ()))
    wide, high, gap, tick = grid.cell.width, grid.cell.height, 1 + grid.bleed, _TICK + grid.bleed
    across = list(_spans(grid.cuts_across, [(place.y, high, place.x, wide) for place in places]))
    up = list(_spans(grid.cuts_up, [(place.x, wide, place.y, high) for place in places]))
    lines: list[tuple[float, float, float, float]] = []
    for y, left, right in across:
        lines += [(left - tick, y, left - gap, y), (right + gap, y, right + tick, y)]
    for x, foot, top in up:
        lines += [(x, foot - tick, x, foot - gap), (x, top + gap, x, top + tick)]
    if marks == "cut":
        lines += [(left, y, right, y) for y, left, right in across] + [(x, foot, x, top) for x, foot, top in up]
    pen.draw_rules(canvas, GREY, 0.25, *((x1 * MM, y1 * MM, x2 * MM, y2 * MM) for x1, y1, x2, y2 in lines))


def _spans(
    cuts: Sequence[float], sides: Sequence[tuple[float, float, float, float]]
) -> Iterator[tuple[float, float, float]]:
    """Each cut with where it begins and ends: along the cards whose edge it is, and not at all where there are none.

    A card is given by where it begins across the cut and how far it goes, then by the same along it. All lengths mm.
    """
    for cut in cuts:
        along = [
            (start, start + length)
            for begin, deep, start, length in sides
            if min(abs(cut - begin), abs(cut - begin - deep)) < 1e-6
        ]
        if along:
            yield cut, min(start for start, _ in along), max(end for _, end in along)


def draw_crop_marks(canvas: Canvas, trim: tuple[float, float], size: tuple[float, float], bleed: Size) -> None:
    """Crop marks around one card outside of its bleed: the trim's corner and size in pt, the bleed in mm."""
    (left, foot), (wide, high) = trim, size
    right, top = left + wide, foot + high
    aside, above = (bleed.width + 1) * MM, (bleed.height + 1) * MM
    tick = _TICK * MM
    lines = [
        line
        for y in (foot, top)
        for line in ((left - aside - tick, y, left - aside, y), (right + aside, y, right + aside + tick, y))
    ]
    lines += [
        line
        for x in (left, right)
        for line in ((x, foot - above - tick, x, foot - above), (x, top + above, x, top + above + tick))
    ]
    pen.draw_rules(canvas, GREY, 0.25, *lines)

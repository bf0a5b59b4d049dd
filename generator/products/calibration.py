"""A page to measure a printer by: the outlines of a target's cards or labels, and rulers from the paper's edges."""

from reportlab.pdfgen.canvas import Canvas

from generator.layout.reading import Head, SpokenLine
from generator.layout.sheets import Grid, Printed, SheetPlace, Size
from generator.paper import fonts, pen, tags
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import BLACK, GREY, WHITE

_TYPE = 8.0
_SMALL = 6.5
_LEADING = 11.5
_PADDING = 4 * MM
"""Inside the box with the words, pt."""
_EDGE = 8.0
"""Where the rulers begin and end, from the paper's edge, mm."""
_OFFSETS = 5
"""So many to a row and to a column of the table: 25 nudges around the one that the page is printed with."""
_STEP = 0.5
"""From one nudge of the table to the next, mm."""
_FRONT, _BACK = 6.0, 5.0
"""The sides of its squares on both sides of the sheet, mm: the gap between them shows a tenth of a millimetre."""
_PITCH = Size(18.0, 15.0)
"""From one square to the next, mm."""
_CROSSING = 4.0
"""So near to where they cross, the upright one has no figures, mm."""

_LABELS = (
    "Print at 100 % on plain paper, lay it on a sheet of labels and hold both against the light.",
    "Do the outlines lie beside the labels? Measure how far, and print with --nudge X,Y:",
    "X mm to the right and Y mm up (less than 0: to the left and down). Then print this page again.",
)
_DUPLEX = (
    "Print at 100 % on both sides, turned about the long edge, and hold the sheet against the light.",
    "Which square has the small one of the back in its very middle? The numbers under it are",
    "your --nudge; --nudge save=X,Y keeps it. If all are off, read at the cross how far the back misses",
    "the middle of the rulers: X mm to the right and Y mm up, as seen on the back. Print this page again with that.",
)
_FOLDED = (
    "Print at 100 %, fold along the ruler that lies, printed side out, and hold the sheet against the light.",
    "Do the outlines of the backs miss those of the fronts? Read how far, and print with",
    "--nudge X,Y: X mm to the right and Y mm up, as seen before folding. Then print this page again.",
)


def calibration_pages(name: str, layout: Grid, nudge: tuple[float, float], *, backs: bool) -> Printed:
    """The page for a target of that name; with `backs` a second one to be printed on its other side.

    `nudge` moves what it moves when the target is printed: the backs, or everything where there are none.
    """
    size = layout.paper
    canvas = open_document(
        size.width * MM, size.height * MM, title=f"Calibration {name}", subject="Hackjack calibration", duplex=backs
    )
    alone = not backs and not layout.folded
    _outlines(canvas, layout, layout.places, nudge if alone else (0.0, 0.0))
    if layout.folded:
        _outlines(canvas, layout, layout.backs, nudge)
    _rulers(canvas, layout)
    if backs:
        _offsets(canvas, layout, nudge)
    _words(canvas, layout, name, _FOLDED if layout.folded else _LABELS if alone else _DUPLEX)
    canvas.showPage()
    if backs:
        _outlines(canvas, layout, layout.backs, nudge)
        with tags.tagged_alone(canvas, SpokenLine("A cross that should meet the middle of the rulers.", picture=True)):
            _cross(canvas, layout, nudge)
        with tags.tagged_alone(canvas, SpokenLine("25 squares, each moved as far as the front says.", picture=True)):
            _moved_squares(canvas, layout, nudge)
        canvas.showPage()
    return close_document(canvas)


def _outlines(canvas: Canvas, layout: Grid, places: tuple[SheetPlace, ...], nudge: tuple[float, float]) -> None:
    """The edge of every card or label, and its number for --start."""
    cell = layout.cell
    for number, place in enumerate(places, 1):
        x, y = (place.x + nudge[0]) * MM, (place.y + nudge[1]) * MM
        pen.draw_box(canvas, (x, y, cell.width * MM, cell.height * MM), edge=BLACK, wide=0.4)
        pen.draw_line(canvas, str(number), x + 1.2 * MM, y + 1.2 * MM, fonts.SANS, _SMALL, colour=GREY)


def _rulers(canvas: Canvas, layout: Grid) -> None:
    """Rulers through the middle of the paper, in mm from its left edge and from its foot."""
    width, height = layout.paper.width, layout.paper.height
    strokes = [(_EDGE, height / 2, width - _EDGE, height / 2), (width / 2, _EDGE, width / 2, height - _EDGE)]
    for position in range(int(_EDGE), int(width - _EDGE) + 1):
        strokes.append((position, height / 2, position, height / 2 + _tick(position)))
    for position in range(int(_EDGE), int(height - _EDGE) + 1):
        strokes.append((width / 2, position, width / 2 + _tick(position), position))
    pen.draw_rules(canvas, GREY, 0.3, *((x1 * MM, y1 * MM, x2 * MM, y2 * MM) for x1, y1, x2, y2 in strokes))
    for position in range(10, int(width - _EDGE) + 1, 10):
        _label(canvas, position, position + 0.5, height / 2 + 1.6)
    for position in range(10, int(height - _EDGE) + 1, 10):
        # Where the rulers cross, the other one's figures stand.
        if abs(position - height / 2) > _CROSSING:
            _label(canvas, position, width / 2 + 2.9, position + 0.5)


def _tick(position: int) -> float:
    """The length of a ruler's stroke, mm."""
    return 2.8 if position % 10 == 0 else 1.8 if position % 5 == 0 else 1.0


def _label(canvas: Canvas, position: int, x: float, y: float) -> None:
    pen.draw_line(canvas, str(position), x * MM, y * MM, fonts.SANS, _SMALL, colour=GREY)


def _cross(canvas: Canvas, layout: Grid, nudge: tuple[float, float]) -> None:
    """On the back: a cross that should meet the middle of the front's rulers."""
    x, y = (layout.paper.width / 2 + nudge[0]) * MM, (layout.paper.height / 2 + nudge[1]) * MM
    arm = 12 * MM
    pen.draw_rules(canvas, BLACK, 0.6, (x - arm, y, x + arm, y), (x, y - arm, x, y + arm))


def _table(paper: Size) -> Grid:
    """Where the squares of the table lie on the front: in the lower left quarter of the paper."""
    side = (_OFFSETS - 1) / 2
    left = (_EDGE + paper.width / 2) / 2 - side * _PITCH.width - _FRONT / 2
    bottom = (_EDGE + paper.height / 2) / 2 - side * _PITCH.height - _FRONT / 2
    return Grid(paper, Size(_FRONT, _FRONT), _OFFSETS, _OFFSETS, left, bottom, _PITCH)


def _nudges(nudge: tuple[float, float]) -> list[tuple[float, float]]:
    """The nudges of the table, row by row from the top left: to the right and up, mm."""
    steps = [_STEP * (position - _OFFSETS // 2) for position in range(_OFFSETS)]
    return [(nudge[0] + right, nudge[1] + up) for up in reversed(steps) for right in steps]


def _offsets(canvas: Canvas, layout: Grid, nudge: tuple[float, float]) -> None:
    """The front of the table: a square for each nudge, which stands under it."""
    table = _table(layout.paper)
    _clear(canvas, table.places)
    for place, (right, up) in zip(table.places, _nudges(nudge), strict=True):
        x, y = place.x * MM, place.y * MM
        pen.draw_box(canvas, (x, y, _FRONT * MM, _FRONT * MM), edge=BLACK, wide=0.3)
        label = f"{round(right, 2):g},{round(up, 2):g}"
        middle = x + _FRONT / 2 * MM
        pen.draw_line(canvas, label, middle, y - 3 * MM, fonts.SANS, _SMALL, align="middle")


def _moved_squares(canvas: Canvas, layout: Grid, nudge: tuple[float, float]) -> None:
    """The back of the table: a smaller square behind each of the front's, moved by its nudge."""
    table = _table(layout.paper)
    _clear(canvas, table.backs)
    inset = (_FRONT - _BACK) / 2
    for place, (right, up) in zip(table.backs, _nudges(nudge), strict=True):
        x, y = (place.x + inset + right) * MM, (place.y + inset + up) * MM
        pen.draw_box(canvas, (x, y, _BACK * MM, _BACK * MM), edge=BLACK, wide=0.3)


def _clear(canvas: Canvas, places: tuple[SheetPlace, ...]) -> None:
    """White over the outlines where the table lies."""
    left, bottom = min(place.x for place in places) - 6, min(place.y for place in places) - 5
    right, top = max(place.x for place in places) + _FRONT + 6, max(place.y for place in places) + _FRONT + 3
    box = (left * MM, bottom * MM, (right - left) * MM, (top - bottom) * MM)
    pen.draw_box(canvas, box, ground=WHITE)


def _words(canvas: Canvas, layout: Grid, name: str, text: tuple[str, ...]) -> None:
    """What the page is and what to do with it, on white over the outlines."""
    cell, paper = layout.cell, layout.paper
    head = f"{name}: {len(layout.places)} of {cell.width:g} x {cell.height:g} mm"
    head += f" on {paper.width:g} x {paper.height:g} mm"
    lines = (*text, "The rulers count mm from the left edge and from the foot of the paper.")
    font = fonts.SANS
    width = max(fonts.text_width(line, font) for line in lines) * _TYPE + 2 * _PADDING
    height = len(lines) * _LEADING + 15 + 2 * _PADDING
    left = (paper.width * MM - width) / 2
    bottom = paper.height * MM * 0.72 - height / 2
    pen.draw_box(canvas, (left, bottom, width, height), ground=WHITE, edge=GREY)
    y = bottom + height - _PADDING - 10
    with tags.tagged_alone(canvas, Head(2, head)):
        pen.draw_line(canvas, head, left + _PADDING, y, fonts.SERIF_BOLD, 11)
    for position, line in enumerate(lines):
        with tags.tagged_alone(canvas, SpokenLine(line)):
            pen.draw_line(canvas, line, left + _PADDING, y - 16 - position * _LEADING, font, _TYPE)

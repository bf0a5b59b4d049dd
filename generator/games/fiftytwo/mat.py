"""The play mat: a place for every card of the field, on one page to write in, and in full size over several pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from generator.games.fiftytwo.state import MOST_COLUMNS, State, depth
from generator.layout.reading import Head, Say
from generator.layout.sheets import Size, cards
from generator.model.rules import System
from generator.paper import fonts, pen, tags
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import BLACK, GREY, Inks, tint
from generator.paper.panel_options import PanelOptions
from generator.words.wording import product_line

GAP = 3.0
"""Between two cards, mm."""
HEAD = 22.0
"""Above the rows: what surprise adds lies there, mm."""
OVERLAP = 15.0
"""How far two neighbouring pages show the same, mm: what is glued under."""
MARGIN = 10.0
"""What stays unprinted around each page, mm."""
_ORDER_LEAST, _ORDER_GAP = 50.0, 6.0
"""The room beside the reduced field that the order of initiative needs, and the space before it, mm."""
_SEAM = 1.0
"""How far words stand from a seam, mm."""
_ORDER_LINE = 8.0
_ORDER_NUMBER = 0.2
"""The share of a line for the number."""
ALLIES = 5
"""The allies that a mat is made for where the content names nobody."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the mat that a page shows, mm from the mat's lower left corner, and where the page stands.

    `seam_x` is how far the page to its left reaches, `seam_y` how far down the page above it does; None without one.
    """

    x: float
    y: float
    width: float
    height: float
    column: int
    row: int
    seam_x: float | None = None
    seam_y: float | None = None


@dataclass(frozen=True, slots=True)
class Mat:
    """The columns and rows of a field, and the piles at its right; mm."""

    columns: int
    rows: int
    card: Size

    @property
    def width(self) -> float:
        """With the column of the piles."""
        return (self.columns + 1) * (self.card.width + GAP) + GAP

    @property
    def height(self) -> float:
        """With the room above the rows."""
        return self.rows * (self.card.height + GAP) + GAP + HEAD

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """The lower left corner of a place; both counted from 0, rows from the bottom."""
        return GAP + column * (self.card.width + GAP), GAP + row * (self.card.height + GAP)


def mat_of(system: System, columns: int | None = None) -> Mat:
    """A mat of so many columns, or for the content's combatants; as deep as a column becomes."""
    allies = sum(person.side == "allies" for person in system.combatants) or ALLIES
    deep = max(depth(system, State(round=number)) for number in (1, system.field.deepened, system.field.deepened_late))
    return Mat(columns or min(system.field.columns + allies, MOST_COLUMNS), deep, cards()["poker"])


def windows(mat: Mat, page: Size) -> tuple[Window, ...]:
    """The pages that show the mat between them, from the top left; neighbours overlap by OVERLAP at least."""
    across, down = _starts(mat.width, page.width), _starts(mat.height, page.height)[::-1]
    wide, high = min(page.width, mat.width), min(page.height, mat.height)
    return tuple(
        Window(
            *(x, y, wide, high, column, row),
            across[column - 1] + wide if column else None,
            down[row - 1] if row else None,
        )
        for row, y in enumerate(down)
        for column, x in enumerate(across)
    )


def _starts(length: float, page: float) -> list[float]:
    """Where pages begin along a length: as few as reach its end, evenly spread."""
    if length <= page:
        return [0.0]
    count = 1
    while count * page - (count - 1) * OVERLAP < length:
        count += 1
    step = (length - page) / (count - 1)
    return [at * step for at in range(count)]


def pages(system: System, options: PanelOptions) -> bytes:
    """The mat reduced to one page, lying on its side, and then in full size, a page for each part."""
    mat, inks = mat_of(system, options.columns), options.inks
    paper = options.paper
    wide, high = paper.width * MM, paper.height * MM
    canvas = open_document(wide, high, title=f"{system.head.title} mat", subject=product_line(system), looks=options)
    _reduced(canvas, mat, system, paper, inks)
    page = Size(paper.width - 2 * MARGIN, paper.height - 2 * MARGIN)
    shown = windows(mat, page)
    for number, window in enumerate(shown, 1):
        _tile(canvas, mat, window, system, paper, inks, f"{number} of {len(shown)}")
    return close_document(canvas)


def _reduced(canvas: Canvas, mat: Mat, system: System, paper: Size, inks: Inks) -> None:
    """The whole mat on one page: cards are written into it."""
    wide, high = paper.height, paper.width
    canvas.setPageSize((wide * MM, high * MM))
    scale = min((wide - 2 * MARGIN) / mat.width, (high - 2 * MARGIN - 8) / mat.height)
    room = wide - 2 * MARGIN - mat.width * scale
    aside = room >= _ORDER_LEAST
    left, foot = MARGIN if aside else (wide - mat.width * scale) / 2, MARGIN + 4
    whole = Window(0, 0, mat.width, mat.height, 0, 0)
    title = f"Field of {mat.columns} columns and {mat.rows} rows: write the cards in"
    with tags.alone(canvas, Head(2, title)):
        pen.line(canvas, title, (left + GAP * scale) * MM, (high - MARGIN - 4) * MM, fonts.SERIF_BOLD, 13)
    says = "Places for cards, each with the numbers of its column and row, for the pool and for discards."
    with tags.alone(canvas, Say(says, picture=True)):
        _Drawing(canvas, mat, whole, left, foot, scale, inks).draw()
    if aside:
        _order(canvas, wide - MARGIN - room + _ORDER_GAP, wide - MARGIN, foot, high - MARGIN)
    line = product_line(system)
    pen.line(canvas, line, (wide - MARGIN) * MM, (MARGIN - 1) * MM, fonts.SANS, 6.5, align="right", colour=GREY)
    canvas.showPage()


def _order(canvas: Canvas, left: float, right: float, foot: float, top: float) -> None:
    """Beside the reduced field, lines for the order: who, allies on the left, and what they have left; mm."""
    with tags.alone(canvas, Head(3, "Order")):
        pen.line(canvas, "Order", left * MM, (top - 4) * MM, fonts.SERIF_BOLD, 13)
    split = left + (right - left) * _ORDER_NUMBER
    with tags.alone(canvas, Say("Lines to write on: number, allies, enemies.", picture=True)):
        for x, said in ((left, "No."), (split, "Allies"), (right, "Enemies")):
            align: pen.Align = "right" if x == right else "left"
            pen.line(canvas, said, x * MM, (top - 10) * MM, fonts.SANS_BOLD, 8, align=align)
    for at in range(1, int((top - 11 - foot) / _ORDER_LINE) + 1):
        y = (top - 11 - at * _ORDER_LINE) * MM
        pen.rules(canvas, GREY, 0.4, (left * MM, y, (split - 1.5) * MM, y), (split * MM, y, right * MM, y))


def _tile(canvas: Canvas, mat: Mat, window: Window, system: System, paper: Size, inks: Inks, number: str) -> None:
    """One part in full size, with lines where the pages to its left and above it end."""
    canvas.setPageSize((paper.width * MM, paper.height * MM))
    canvas.bookmark(f"Part {number}", f"part {number}")
    canvas.saveState()
    frame = canvas.beginPath()
    frame.rect(MARGIN * MM, MARGIN * MM, window.width * MM, window.height * MM)
    canvas.clipPath(frame, stroke=0, fill=0)
    with tags.alone(canvas, Say(f"Part {number} of the field in full size.", picture=True)):
        _Drawing(canvas, mat, window, MARGIN - window.x, MARGIN - window.y, 1.0, inks).draw()
    canvas.restoreState()
    _overlaps(canvas, window)
    where = f"part {number}: row {window.row + 1}, column {window.column + 1}. Print at 100 %"
    if window.row or window.column:
        where += ". Cut the white edges off the parts before it and lay them up to the dashed lines"
    y = (MARGIN - 4.4) * MM
    with tags.alone(canvas, Say(where)):
        pen.line(canvas, where, MARGIN * MM, y, fonts.SANS, 6.5, colour=GREY)
    line = product_line(system)
    pen.line(canvas, line, (paper.width - MARGIN) * MM, y, fonts.SANS, 6.5, align="right", colour=GREY)
    canvas.showPage()


def _overlaps(canvas: Canvas, window: Window) -> None:
    """Dashed lines, a page's own overlap inside them: the page before is laid up to there. Crosses at their ends."""
    if window.seam_x is not None:
        x = (window.seam_x - window.x + MARGIN) * MM
        _dashed(canvas, x, MARGIN * MM, x, (MARGIN + window.height) * MM)
    if window.seam_y is not None:
        y = (window.seam_y - window.y + MARGIN) * MM
        _dashed(canvas, MARGIN * MM, y, (MARGIN + window.width) * MM, y)


def _dashed(canvas: Canvas, x1: float, y1: float, x2: float, y2: float) -> None:
    canvas.setDash([4, 3])
    pen.rules(canvas, GREY, 0.4, (x1, y1, x2, y2))
    canvas.setDash()
    for x, y in ((x1, y1), (x2, y2)):
        canvas.line(x - 6, y, x + 6, y)
        canvas.line(x, y - 6, x, y + 6)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws a part of the mat; `left` and `foot` are where the mat's corner would lie on the page, mm."""

    canvas: Canvas
    mat: Mat
    window: Window
    left: float
    foot: float
    scale: float
    inks: Inks

    def draw(self) -> None:
        """The places, their numbers, and the two piles."""
        mat = self.mat
        for column in range(mat.columns):
            for row in range(mat.rows):
                self._place(*mat.corner(column, row), f"{column + 1}.{row + 1}", dashed=False)
            x, y = mat.corner(column, mat.rows)
            self._line(str(column + 1), x + mat.card.width / 2, y + 3, 22, fonts.SERIF_BOLD)
        for row, name in self._piles():
            self._place(*mat.corner(mat.columns, row), name, dashed=True)

    def _piles(self) -> Iterator[tuple[int, str]]:
        yield self.mat.rows - 1, "Pool"
        if self.mat.rows > 1:
            yield self.mat.rows - 2, "Discards"

    def _place(self, x: float, y: float, name: str, *, dashed: bool) -> None:
        canvas, card = self.canvas, self.mat.card
        x1, y1 = self._at(x, y)
        wide, high = card.width * self.scale * MM, card.height * self.scale * MM
        canvas.setStrokeColorRGB(*(BLACK if self.inks.solid else GREY))
        canvas.setLineWidth(0.6)
        if dashed:
            canvas.setDash([5, 3])
        if self.inks.solid and dashed:
            canvas.setFillColorRGB(*tint(BLACK, 0.06))
        canvas.roundRect(x1, y1, wide, high, 3 * self.scale * MM, stroke=1, fill=int(self.inks.solid and dashed))
        canvas.setDash()
        # In the corner, so that there is room to write in a card.
        half = pen.width(name, fonts.SANS_BOLD, self._size(12)) / 2 / MM / self.scale
        self._line(name, x + 3 + half, y + 3, 12, fonts.SANS_BOLD)

    def _line(self, said: str, x: float, y: float, size: float, font: str) -> None:
        """A word in grey with its middle at x, in part sizes too; only where the page shows all of it.

        What would stand across a seam stands beside it: the page before covers this one up to there.
        """
        size = self._size(size)
        half = pen.width(said, font, size) / 2 / MM / self.scale
        window, high = self.window, size / MM
        if window.seam_x is not None and x - half < window.seam_x + _SEAM < x + half + _SEAM:
            x = window.seam_x + _SEAM + half
        if window.seam_y is not None and y - _SEAM < window.seam_y - _SEAM < y + high:
            y = window.seam_y - _SEAM - high
        inside = window.x <= x - half and x + half <= window.x + window.width
        if inside and window.y <= y and y + size / MM <= window.y + window.height:
            at_x, at_y = self._at(x, y)
            pen.line(self.canvas, said, at_x, at_y, font, size, align="middle", colour=GREY)

    def _size(self, size: float) -> float:
        """A type size on the reduced mat too."""
        return max(size * self.scale, 7.5)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (self.left + x * self.scale) * MM, (self.foot + y * self.scale) * MM

"""The play mat: a place for every card of the field, on one page to write in, and in full size over several pages.

Of a fight that goes on it shows the field as it lies, and the order beside it.
"""

from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import suit_of
from generator.games.fiftytwo.fight import field_rules
from generator.games.fiftytwo.state import (
    MAX_COLUMNS,
    SIDES,
    FieldState,
    Roster,
    column_depth,
    fighters_by_initiative,
    read_state,
)
from generator.layout.reading import Head, SpokenLine
from generator.layout.sheets import Printed, Size, card_sizes
from generator.model.rules import System
from generator.paper import fonts, pen, sketch, tags
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import BLACK, GREY, Inks, tint
from generator.paper.panel_options import PanelOptions
from generator.words.wording import product_line

GAP, HEAD, OVERLAP, MARGIN = 3.0, 22.0, 15.0, 10.0
"""mm: between cards, above the rows for cards that surprise adds, shared by neighbouring pages, unprinted at edges."""
_SEAM = 1.0
"""Space between words and a seam, mm."""
_ORDER_MIN, _ORDER_GAP, _ORDER_LINE, _ORDER_NUMBER = 50.0, 6.0, 8.0, 0.2
"""The order of initiative: its least width, the space before it, a line's height (mm), the number's share of a line."""
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
    lying: tuple[tuple[str, ...], ...] = ()
    """The cards of each column, from the bottom card up."""

    @property
    def width(self) -> float:
        """With the column of the piles."""
        return (self.columns + 1) * (self.card.width + GAP) + GAP

    @property
    def height(self) -> float:
        """With the room above the rows."""
        return self.rows * (self.card.height + GAP) + GAP + HEAD

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Return the lower left corner of a place; both counted from 0, rows from the bottom."""
        return GAP + column * (self.card.width + GAP), GAP + row * (self.card.height + GAP)


def mat_of(system: System, columns: int | None = None, rows: int | None = None, state: FieldState | None = None) -> Mat:
    """Return a mat of so many columns and rows, or for the content's combatants and as deep as a column becomes.

    It is large enough for the field that lies on it; a card that surprise has added lies above the rows.
    """
    state = state or FieldState()
    allies = sum(person.side == "allies" for person in system.combatants) or ALLIES
    deep = max(
        column_depth(system, FieldState(round=number))
        for number in (1, field_rules(system).deepened, field_rules(system).deepened_late)
    )
    default = state.width or min(field_rules(system).columns + allies, MAX_COLUMNS)
    columns = max(columns or default, len(state.columns))
    heights = (len(column) - (at in state.topped) for at, column in enumerate(state.columns))
    rows = max(rows or deep, *heights, 1)
    return Mat(columns, rows, card_sizes()["poker"], state.columns)


def page_windows(mat: Mat, page: Size) -> tuple[Window, ...]:
    """Return the pages that show the mat between them, from the top left; neighbours overlap by OVERLAP at least."""
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
    """Return where pages begin along a length (mm): as few as reach its end, evenly spread."""
    if length <= page:
        return [0.0]
    count = 1
    while count * page - (count - 1) * OVERLAP < length:
        count += 1
    step = (length - page) / (count - 1)
    return [at * step for at in range(count)]


def mat_pages(system: System, options: PanelOptions) -> Printed:
    """Return the mat reduced to one page, lying on its side, and then in full size, a page for each part."""
    state = read_state(options.filling.state, system) if options.filling else FieldState()
    mat, inks = mat_of(system, options.columns, options.rows, state), options.inks
    paper = options.paper
    wide, high = paper.width * MM, paper.height * MM
    canvas = open_document(wide, high, title=f"{system.head.title} mat", subject=product_line(system), looks=options)
    roster = Roster(system, state)
    stands: _Stands = []
    for one in fighters_by_initiative(state):
        ally, enemy = (f"{one.name}, {one.hp} HP" if roster[one.name].side == side else "" for side in SIDES)
        stands.append(("" if one.initiative is None else str(one.initiative), ally, enemy))
    stands = stands[_reduced(canvas, mat, system, paper, inks, stands) :]
    while stands:
        canvas.setPageSize((wide, high))
        count = _order(canvas, MARGIN, paper.width - MARGIN, MARGIN + 4, paper.height - MARGIN, stands)
        right, line = (paper.width - MARGIN) * MM, product_line(system)
        pen.draw_line(canvas, line, right, (MARGIN - 1) * MM, fonts.SANS, 6.5, align="right", colour=GREY)
        canvas.showPage()
        stands = stands[count:]
    windows = page_windows(mat, Size(paper.width - 2 * MARGIN, paper.height - 2 * MARGIN))
    for number, window in enumerate(windows, 1):
        _tile(canvas, mat, window, system, paper, inks, f"{number} of {len(windows)}")
    return close_document(canvas)


_Stands = list[tuple[str, str, str]]
"""The lines of the order: the number, the ally and the enemy, of whom one is empty."""


def _reduced(canvas: Canvas, mat: Mat, system: System, paper: Size, inks: Inks, stands: _Stands) -> int:
    """Draw the whole mat on one page, and return how many fighters stand in the order beside it."""
    wide, high = paper.height, paper.width
    canvas.setPageSize((wide * MM, high * MM))
    scale = min((wide - 2 * MARGIN) / mat.width, (high - 2 * MARGIN - 8) / mat.height)
    room = wide - 2 * MARGIN - mat.width * scale
    aside = room >= _ORDER_MIN
    left, foot = MARGIN if aside else (wide - mat.width * scale) / 2, MARGIN + 4
    whole = Window(0, 0, mat.width, mat.height, 0, 0)
    title = f"Field of {mat.columns} columns and {mat.rows} rows" + ("" if mat.lying else ": write the cards in")
    with tags.tagged_alone(canvas, Head(2, title)):
        pen.draw_line(canvas, title, (left + GAP * scale) * MM, (high - MARGIN - 4) * MM, fonts.DISPLAY, 13)
    says = "Places for cards, each with the numbers of its column and row, for the pool and for discards."
    lying = "; ".join(f"column {at}: {' '.join(column) or 'empty'}" for at, column in enumerate(mat.lying, 1))
    says += f" From the bottom up lie there {lying}." if lying else ""
    with tags.tagged_alone(canvas, SpokenLine(says, picture=True)):
        _Drawing(canvas, mat, whole, left, foot, scale, inks).draw()
    right, line = wide - MARGIN, product_line(system)
    count = _order(canvas, right - room + _ORDER_GAP, right, foot, high - MARGIN, stands) if aside else 0
    pen.draw_line(canvas, line, right * MM, (MARGIN - 1) * MM, fonts.SANS, 6.5, align="right", colour=GREY)
    canvas.showPage()
    return count


def _order(canvas: Canvas, left: float, right: float, foot: float, top: float, stands: _Stands) -> int:
    """Return lines for the order: who, allies on the left, and what they have left; mm. Gives how many have a line."""
    with tags.tagged_alone(canvas, Head(3, "Order")):
        pen.draw_line(canvas, "Order", left * MM, (top - 4) * MM, fonts.DISPLAY, 13)
    split = left + (right - left) * _ORDER_NUMBER
    heads = ("No.", "Allies", "Enemies")
    count = max(int((top - 11 - foot) / _ORDER_LINE), 0)
    stands = stands[:count]
    listed = "; ".join(" ".join(filter(None, stand)) for stand in stands)
    with tags.tagged_alone(canvas, SpokenLine(listed or "Lines to write on: number, allies, enemies.", picture=True)):
        for at in range(count + 1):
            y = top - 10 - at * _ORDER_LINE
            if at:
                y -= 1
                pen.draw_rules(canvas, GREY, 0.4, (left * MM, y * MM, (split - 1.5) * MM, y * MM))
                pen.draw_rules(canvas, GREY, 0.4, (split * MM, y * MM, right * MM, y * MM))
            words = heads if at == 0 else stands[at - 1] if at <= len(stands) else ()
            font = fonts.SANS if at else fonts.SANS_BOLD
            for x, word in zip((left, split, right), words, strict=False):
                size = min(8.0, (right - split) * MM / max(pen.letters_width(word, font, 1), 1))
                align: pen.Align = "right" if x == right else "left"
                pen.draw_line(canvas, word, x * MM, (y + (1.4 if at else 0)) * MM, font, size, align=align)
    return len(stands)


def _tile(canvas: Canvas, mat: Mat, window: Window, system: System, paper: Size, inks: Inks, number: str) -> None:
    """Draw one part in full size, with lines where the pages to its left and above it end."""
    canvas.setPageSize((paper.width * MM, paper.height * MM))
    canvas.bookmark(f"Part {number}", f"part {number}")
    told = tags.tagged_alone(canvas, SpokenLine(f"Part {number} of the field in full size.", picture=True))
    with pen.placed(canvas, clip=(MARGIN * MM, MARGIN * MM, window.width * MM, window.height * MM)), told:
        _Drawing(canvas, mat, window, MARGIN - window.x, MARGIN - window.y, 1.0, inks).draw()
    # The page before is laid up to the dashed lines.
    if window.seam_x is not None:
        x = (window.seam_x - window.x + MARGIN) * MM
        _dashed(canvas, x, MARGIN * MM, x, (MARGIN + window.height) * MM)
    if window.seam_y is not None:
        seam = (window.seam_y - window.y + MARGIN) * MM
        _dashed(canvas, MARGIN * MM, seam, (MARGIN + window.width) * MM, seam)
    where = f"part {number}: row {window.row + 1}, column {window.column + 1}. Print at 100 %"
    if window.row or window.column:
        where += ". Cut the white edges off the parts before it and lay them up to the dashed lines"
    y = (MARGIN - 4.4) * MM
    with tags.tagged_alone(canvas, SpokenLine(where)):
        pen.draw_line(canvas, where, MARGIN * MM, y, fonts.SANS, 6.5, colour=GREY)
    line = product_line(system)
    pen.draw_line(canvas, line, (paper.width - MARGIN) * MM, y, fonts.SANS, 6.5, align="right", colour=GREY)
    canvas.showPage()


def _dashed(canvas: Canvas, x1: float, y1: float, x2: float, y2: float) -> None:
    canvas.setDash([4, 3])
    pen.draw_rules(canvas, GREY, 0.4, (x1, y1, x2, y2))
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
        """Draw the places with cards and numbers, the room for cards that surprise adds, and the two piles."""
        mat = self.mat
        for column in range(mat.columns):
            lying = mat.lying[column] if column < len(mat.lying) else ()
            for row in range(mat.rows + 1):
                x, y = mat.corner(column, row)
                if row < mat.rows:
                    self._place(x, y, "" if row < len(lying) else f"{column + 1}.{row + 1}", dashed=False)
                else:
                    self._added(x, y)
                if row < len(lying):
                    self._lies(lying[row], x, y, HEAD - 2 * GAP if row == mat.rows else mat.card.height)
            x, y = mat.corner(column, mat.rows)
            above = 3 if self.scale < 1 else HEAD - GAP - 6
            self._line(str(column + 1), x + mat.card.width / 2, y + above, 22, fonts.SERIF_BOLD)
        for down, name in enumerate(("Pool", "Discards")[: mat.rows], 1):
            self._place(*mat.corner(mat.columns, mat.rows - down), name, dashed=True)

    def _lies(self, code: str, x: float, y: float, high: float) -> None:
        size = max(34 * self.scale, 7.5)
        half, tall = sketch.code_width(code, size) / 2 / MM / self.scale, size / MM / self.scale
        if place := self._shown(x + self.mat.card.width / 2, y + (high - tall) / 2, half, tall):
            middle, foot = self._at(*place)
            sketch.draw_code(self.canvas, code, middle, foot + size / 2, size, self.inks.of(suit_of(code)))

    def _added(self, x: float, y: float) -> None:
        """Draw the open place above a column for a card that surprise adds."""
        (left, foot), (right, top) = self._at(x, y), self._at(x + self.mat.card.width, y + HEAD - 2 * GAP)
        self.canvas.setDash([2, 3])
        pen.draw_rules(
            self.canvas, GREY, 0.5, (left, foot, right, foot), (left, foot, left, top), (right, foot, right, top)
        )
        self.canvas.setDash()
        if self.scale == 1.0:
            self._line("added card", x + self.mat.card.width / 2, y + 1.5, 8, fonts.SANS)

    def _place(self, x: float, y: float, name: str, *, dashed: bool) -> None:
        canvas, card = self.canvas, self.mat.card
        x1, y1 = self._at(x, y)
        wide, high = card.width * self.scale * MM, card.height * self.scale * MM
        canvas.setStrokeColorRGB(*(BLACK if self.inks.solid else GREY))
        canvas.setLineWidth(0.6)
        if dashed:
            canvas.setDash([5, 3])
            canvas.setFillColorRGB(*tint(BLACK, 0.06))
        canvas.roundRect(x1, y1, wide, high, 3 * self.scale * MM, stroke=1, fill=int(self.inks.solid and dashed))
        canvas.setDash()
        # In the corner, so that there is room to write in a card; a place too small for its number has none.
        long = pen.letters_width(name, fonts.SANS_BOLD, self._size(12))
        if name and long + 2 <= wide:
            aside = min(3 * self.scale * MM, (wide - long) / 2) / MM / self.scale
            self._line(name, x + aside + long / 2 / MM / self.scale, y + 3, 12, fonts.SANS_BOLD)

    def _line(self, word: str, x: float, y: float, size: float, font: str) -> None:
        """Write a grey word with its middle at x (mm), in part sizes too, if the page shows all of it."""
        size = self._size(size)
        half = pen.letters_width(word, font, size) / 2 / MM / self.scale
        if place := self._shown(x, y, half, size / MM):
            pen.draw_line(self.canvas, word, *self._at(*place), font, size, align="middle", colour=GREY)

    def _shown(self, x: float, y: float, half: float, high: float) -> tuple[float, float] | None:
        """Where something with its middle at x and its foot at y is seen whole; None where this page cannot show it.

        What would stand across a seam stands beside it: the page before covers this one up to there.
        """
        window = self.window
        if window.seam_x is not None and x - half < window.seam_x + _SEAM < x + half + _SEAM:
            x = window.seam_x + _SEAM + half
        if window.seam_y is not None and y - _SEAM < window.seam_y - _SEAM < y + high:
            y = window.seam_y - _SEAM - high
        inside = window.x <= x - half and x + half <= window.x + window.width
        return (x, y) if inside and window.y <= y and y + high <= window.y + window.height else None

    def _size(self, size: float) -> float:
        return max(size * self.scale, 7.5)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (self.left + x * self.scale) * MM, (self.foot + y * self.scale) * MM

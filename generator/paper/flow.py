"""Panels on paper: pieces set at one type size as slices, which `columns` pours into a page.

All lengths are points.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.layout import panel_elements
from generator.layout.reading import texts_in
from generator.paper import charts, fonts, pen, scale, tables, tags, text
from generator.paper.art import ICONS, SUITS, emblem_outline
from generator.paper.badges import draw_sign
from generator.paper.body import draw_body
from generator.paper.columns import Frame, Slice, columns_fault
from generator.paper.document import MM
from generator.paper.emblem import draw_emblem
from generator.paper.form import DROP_WIDTH, FieldValue, Form
from generator.paper.ink import BLACK, BLUE, GREEN, GREY, OXBLOOD, WHITE, Inks, Rgb, tint

LEADING = 1.18
STEP = 0.25
HEADING = 1.4
"""The size of a heading in units of the text's: 17 pt over 10 pt can be found from a metre away."""
_OVER_TEXT = 1.15
"""The least size of a heading in the same units."""
_NOTE = 0.72
_RAISED = 0.65
_FIGURES = 0.8
"""The size of a chart's letters in units of the text's, where there is room for it."""
MIN_TYPE = 6.5
"""No letter is smaller than this, pt, even in smaller text."""
_MIN_BOX, _MAX_BOX = 8.0 * MM, 8.6 * MM
"""The side of a box of a track."""
_FIELD_BOX = 12.0 * MM
"""The height of a box to write in."""
_LARGE = 14.0
"""From this size on it is large print, and so is what stands in boxes."""
_EMBLEM = 1.5
"""The width that the emblem of a wound takes in a table, in units of the type size."""
_PAD = 0.14
"""Space above and below the text of a table row, in units of the type size."""
_MOST_LINES = 4
"""A table with a cell that breaks into more is set row by row, without columns."""
_TICK = 0.3
"""Half the height of the stroke at the edge of a merged cell, in units of the type size."""
_SIDE = 0.35
"""Space beside the text of a cell, likewise."""


Drawer = Callable[..., None]

_FIGURES_OF = re.compile(r"(\b[BT])(?=\d|d\d)")
"""Blood and Trauma, which are drawn as a drop and a bone."""

_ABOUT = {"harm": OXBLOOD, "healing": GREEN, "chance": BLUE, "death": BLACK}
"""The colours of panels by what they are about."""


class PanelLook(Struct, frozen=True):
    """The look of a product's panels: the largest heading and the smallest letter, pt, and the colour of the system.

    Numbered lines with a title or an emblem are boxes where they are `boxed`.
    """

    heading: float
    smallest: float = MIN_TYPE
    hue: Rgb = BLACK
    boxed: bool = False

    def hue_of(self, page: panel_elements.Page) -> Rgb:
        """Return the colour of a panel."""
        return _ABOUT.get(page.about, self.hue)


class OverflowError(HackjackError):
    """A block cannot be printed: `page` and `block` are its numbers in the file."""

    def __init__(self, message: str, page: int, block: int) -> None:
        super().__init__(message)
        self.page, self.block = page, block


def fit_pages(
    pages: Sequence[tuple[panel_elements.Page, Frame]],
    largest: float,
    smallest: float,
    setter: "Callable[[float], Setter]",
) -> float:
    """Return the largest type size at which every page fits. Raises OverflowError that names page and block."""
    steps = round((largest - smallest) / STEP)
    for step in range(steps):
        size = largest - step * STEP
        if next(overflow_errors(pages, setter(size)), None) is None:
            return size
    for error in overflow_errors(pages, setter(smallest)):
        raise error
    return smallest


def overflow_errors(pages: Sequence[tuple[panel_elements.Page, Frame]], setter: "Setter") -> Iterator[OverflowError]:
    """Yield the first block of each page that does not fit at a setter's size."""
    for page, frame in pages:
        first_fault = columns_fault(setter.slices(page, frame), frame)
        if first_fault:
            place, why = first_fault
            name = next(block.name for block in page.blocks if block.place == place)
            where = f'the panel "{page.title}" is full: the block "{name}"'
            advice = "shorten it, or give the panel fewer blocks"
            yield OverflowError(f"{where} {why} even at {setter.size:g} pt: {advice}", page.place, place)


def glyph_faults(page: panel_elements.Page) -> Iterator[tuple[int, str]]:
    """Blocks with characters that the fonts do not have, by number, and a sentence for each; or that there are none.

    What fills a form is looked at where it is printed.
    """
    first = page.blocks[0].place if page.blocks else 0
    if not page.blocks:
        yield first, f'the panel "{page.title}" prints nothing: give it a block that says something, or take it out'
    for what, words, font in (
        ("title", page.title, fonts.display_font(page.title)),
        ("sentence", page.says, fonts.SANS),
    ):
        if letters := fonts.missing_letters(words, font):
            yield (first, f'the {what} "{words[:40]}": {pen.missing_glyphs(letters, font)}')
    for block in (*page.blocks, *((page.scale,) if page.scale else ())):
        for piece in block.pieces:
            for words in texts_in(piece):
                font = fonts.display_font(words) if isinstance(piece, panel_elements.Heading) else fonts.SANS
                if letters := fonts.missing_letters(words, font):
                    where = f'the block "{block.name}" of the panel "{page.title}"'
                    yield block.place, f"{where}: {pen.missing_glyphs(letters, font, words)}"


@fonts.measured_once(4000)
def _words(written: str, *, bold: bool = False, marks: float = 0.0, strong: str = "") -> tuple[text.Word, ...]:
    """Return a text as words, its figures bold; measured once for all sizes. `marks` is the scale of raised rulings."""
    heavy = fonts.SANS_BOLD
    runs = text.figures_bold(written, heavy if bold else fonts.SANS, heavy)
    runs = text.marks_raised(runs, heavy, marks) if marks else runs
    return text.split_words((text.Run(f"{strong}: ", heavy), *runs) if strong else runs)


@fonts.measured_once(500)
def _widths(table: panel_elements.PanelTable, measure: float) -> tuple[float, ...]:
    """Return a table's columns as shares of the width; `measure` is in units of the type size."""
    if table.shares:
        # The first column holds its head, however narrow the paper.
        head = text.widest_word(_words(table.heads[0], bold=True)) + 2 * _SIDE if table.heads else 0.0
        first = max(table.shares[0], head / measure)
        return (first, *(share * (1 - first) / (1 - table.shares[0]) for share in table.shares[1:]))
    chosen = tables.column_widths(_cells(table), measure, _SIDE)
    return tuple(wide / sum(chosen) for wide in chosen)


def _cells(table: panel_elements.PanelTable) -> list[tuple[tuple[text.Word, ...], ...]]:
    """Return every cell's words, the heads first; a cell that is merged with the one before it asks for no room."""
    heads = [tuple(_words(head, bold=True) for head in table.heads)] if table.heads else []
    return heads + [
        tuple(
            _words(cell, bold=table.choices and not at) if wide == 1 else ()
            for at, (cell, wide) in enumerate(panel_elements.merged_cells(row, table.merge))
        )
        for row in table.rows
    ]


class Setter:
    """Sets pieces at one type size; no heading is larger than that of the look, but all are larger than the text."""

    def __init__(self, size: float, inks: Inks, form: Form, look: PanelLook) -> None:
        self.size, self.inks, self.form, self.look = size, inks, form, look
        self._heading_size = min(size * HEADING, max(look.heading, size * _OVER_TEXT))
        self._small = max(size * _NOTE, look.smallest)
        self._hue, self._step_height = look.hue, 0.0

    def slices(self, page: panel_elements.Page, frame: Frame) -> list[Slice]:
        """Return the blocks of a page as slices of a column's width, or of the frame's where they are wide."""
        slices: list[Slice] = []
        self._hue = self.look.hue_of(page)
        for at, block in enumerate(page.blocks):
            after = page.blocks[at + 1 : at + 2]
            # Alone in its row of columns, its heading stands across them.
            alone = block.below and all(following.below or following.wide for following in after)
            slices += self._block(block, frame, across=alone)
        return slices

    def _block(self, block: panel_elements.Worded, frame: Frame, *, across: bool) -> Iterator[Slice]:
        first, below = block.column, block.below
        boxes = (piece for piece in block.pieces if self.look.boxed and panel_elements.is_step(piece))
        self._step_height = max((self._step(piece, frame.measure, 0.0).height for piece in boxes), default=0.0)
        for piece in block.pieces:
            wide = frame.columns > 1 and (block.wide or (across and isinstance(piece, panel_elements.Heading)))
            measure = frame.width if wide else frame.measure
            for made in self._slices(piece, measure):
                yield replace(made, place=block.place, column=made.column or first, wide=wide, below=below)
                first = below = False

    def _slices(self, piece: panel_elements.Piece, measure: float) -> Iterator[Slice]:
        for made in self._set(piece, measure):
            yield replace(made, draw=_told(piece, made.draw))

    def _set(self, piece: panel_elements.Piece, measure: float) -> Iterator[Slice]:
        match piece:
            case panel_elements.Heading():
                yield self._heading(piece, measure)
            case panel_elements.Note():
                yield self._note(piece, measure)
            case panel_elements.Paragraph():
                yield self._paragraph(piece, measure)
            case panel_elements.PanelTable():
                yield from self._table(piece, measure)
            case panel_elements.WoundBox():
                yield self._wound(piece, measure)
            case panel_elements.Framed():
                yield self._framed(piece, measure)
            case panel_elements.OddsScale():
                fault = scale.scale_fault(piece, measure)
                draw = partial(self.draw_scale, piece, measure, self._hue)
                yield Slice(scale.HEIGHT, self.size * 0.4, draw, fault=fault)
            case panel_elements.FieldLines():
                yield from self._fields(piece, measure)
            case panel_elements.FieldGrid():
                yield from self._grid(piece, measure)
            case panel_elements.BoxRow():
                yield self._boxes(piece, measure)
            case panel_elements.Ladder():
                yield self._ladder(piece, measure)
            case panel_elements.Ticks():
                yield from self._ticks(piece, measure)
            case panel_elements.BodyFigure():
                height, small = piece.height * MM, self._small
                marks, hurt = dict(piece.marks), piece.hurt
                yield Slice(
                    height,
                    self.size * 0.5,
                    lambda c, x, y, more: draw_body(c, x + measure / 2, y, height + more, marks, hurt, size=small),
                    grows=height * 0.6,
                )
            case _:
                assert_never(piece)

    # --- text --------------------------------------------------------------------------------------------------------

    def _heading(self, piece: panel_elements.Heading, measure: float) -> Slice:
        size, small, hue = self.size if piece.below else self._heading_size, self._small, self._hue
        words = text.split_words((text.Run(piece.text, fonts.display_font(piece.text)),))
        side = size * 1.45 if piece.emblem else 0.0
        lines = text.broken_lines(words, (measure - side) / size)
        source = fonts.text_width(piece.source, fonts.SANS) * small
        beside = side + text.line_width(lines[-1]) * size + size * 0.4 + source <= measure
        under = 0.0 if not piece.source or beside else small * LEADING
        height = len(lines) * size * 1.05 + self.size * (0.2 if piece.below else 0.45) + under
        foot = height - self.size * 0.15

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            if piece.emblem:
                self._emblem(canvas, piece.emblem, x + size * 0.62, y - size * 0.55, size * 1.15, hue)
            pen.draw_lines(canvas, lines, x + side, y - size * 0.85, size, 1.05)
            if piece.below:
                return
            pen.draw_rules(canvas, BLACK, 1.2, (x, y - foot, x + measure, y - foot))
            with tags.tagged_as(canvas, piece, "source"):
                pen.draw_line(canvas, piece.source, x + measure - source, y - foot + 3, fonts.SANS, small, colour=GREY)

        return Slice(height, self.size * (0.4 if piece.below else 0.9), drawn, keep=True, column=piece.column)

    def _note(self, piece: panel_elements.Note, measure: float) -> Slice:
        size = self._small
        lines = text.broken_lines(text.split_words((text.Run(piece.text, fonts.SANS),)), measure / size)

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            _lines(canvas, lines, x, y, size, GREY)

        return Slice(len(lines) * size * LEADING, size * 0.3, drawn)

    def _paragraph(self, piece: panel_elements.Paragraph, measure: float) -> Slice:
        size = self.size
        indent = 0.0
        if self.look.boxed and panel_elements.is_step(piece):
            return self._step(piece, measure, self._step_height)
        if piece.label:
            wide = fonts.text_width(max(piece.label, piece.widest, key=len), fonts.SANS_BOLD)
            indent = max(1.25, wide + 0.45) * size
        elif piece.sign:
            indent = 1.6 * size
        words = _words(piece.text, marks=max(_RAISED, MIN_TYPE / size), strong=piece.strong)
        lines = text.broken_lines(words, (measure - indent) / size)

        def drawn(canvas: Canvas, x: float, y: float, more: float = 0.0) -> None:
            del more  # It stays under the text.
            with tags.tagged_as(canvas, piece, "label"):
                pen.draw_line(canvas, piece.label, x, y - size * 0.86, fonts.SANS_BOLD, size)
            if piece.sign:
                self._sign(canvas, piece.sign, x + size * 0.6, y - size * 0.55)
            _lines(canvas, lines, x + indent, y, size)

        fault = _too_wide(words, (measure - indent) / size)
        grows = size * 1.2 if self.look.boxed else 0.0
        return Slice(len(lines) * size * LEADING, size * 0.32, drawn, fault=fault, grows=grows)

    def _step(self, piece: panel_elements.Paragraph, measure: float, least: float) -> Slice:
        """A step in a box: its number large at the left, its title over the text, its emblem at the right."""
        size, hue, pad = self.size, self._hue, self.size * 0.42
        left = size * (1.1 + 2 * fonts.text_width("0" * len(piece.widest), fonts.INDEX))
        right = size * 3.5 if piece.emblem else pad
        room = measure - left - right
        title = text.broken_lines(
            text.split_words((text.Run(piece.strong, fonts.display_font(piece.strong)),)), room / (size * HEADING)
        )
        words = _words(piece.text, marks=max(_RAISED, MIN_TYPE / size))
        lines = text.broken_lines(words, room / size)
        over = len(title) * size * HEADING * LEADING
        inner = over + len(lines) * size * LEADING
        height = max(inner + 2 * pad, size * 2.4, least)

        def drawn(canvas: Canvas, x: float, y: float, more: float) -> None:
            high, bar = height + more, size * 0.3
            if self.inks.solid:
                pen.draw_box(canvas, (x, y - high, measure, high), ground=tint(hue, 0.07))
            else:
                pen.draw_box(canvas, (x, y - high, measure, high), edge=GREY, wide=0.4)
            pen.draw_box(canvas, (x, y - high, bar, high), ground=hue)
            middle, number = y - high / 2, size * 2
            with tags.tagged_as(canvas, piece, "label"):
                pen.draw_line(
                    canvas, piece.label, x + (left + bar) / 2, middle - number * 0.34, fonts.INDEX, number,
                    align="middle", colour=hue,
                )  # fmt: skip
            top = middle + inner / 2
            pen.draw_lines(canvas, title, x + left, top - size * HEADING * 0.86, size * HEADING, LEADING)
            _lines(canvas, lines, x + left, top - over, size)
            if piece.emblem:
                side = min(size * 2.6, high - 2 * pad)
                self._emblem(canvas, piece.emblem, x + measure - right / 2, middle, side, hue)

        return Slice(height, size * 0.45, drawn, fault=_too_wide(words, room / size), grows=size * 4)

    def _emblem(self, canvas: Canvas, name: str, x: float, y: float, side: float, hue: Rgb) -> None:
        draw_sign(canvas, emblem_outline(name), x, y, side, hue, solid=self.inks.solid)

    def draw_scale(
        self, piece: panel_elements.OddsScale, measure: float, hue: Rgb, canvas: Canvas, x: float, y: float
    ) -> None:
        """Draw a scale with its upper left corner at (x, y)."""
        scale.draw_scale(canvas, piece, (x, y, measure), hue, self._small, solid=self.inks.solid)

    def _sign(self, canvas: Canvas, sign: str, x: float, y: float) -> None:
        """A sign of the cards beside what it means, round (x, y)."""
        shape = SUITS.get(sign) or ICONS.get(sign)
        canvas.setFillColorRGB(*self.inks.of(sign))
        if shape is not None:
            shape.draw(canvas, x, y, self.size * 1.05)
        elif sign == "disc":
            canvas.circle(x, y, self.size * 0.46, stroke=0, fill=1)
        else:
            pen.draw_line(canvas, sign, x, y - self.size * 0.31, fonts.SANS_BOLD, self.size, align="middle")

    def _wound(self, piece: panel_elements.WoundBox, measure: float) -> Slice:
        # The colour of a joker is longer than a rank with its suit.
        size, indent = self.size, self.size * (2.55 if piece.suit in SUITS else 3.2)
        colour = self.inks.of(piece.suit)
        bold = fonts.SANS_BOLD
        figures = _FIGURES_OF.split(f" {piece.figures}") if piece.figures else ()
        signs = (text.Run(part, fonts.SIGNS if part in ("B", "T") else bold) for part in figures if part)
        said = text.figures_bold(piece.text, fonts.SANS, bold)
        head = (text.Run(piece.name, bold), *signs, *((text.Run(": ", bold), *said) if piece.text else ()))
        words = text.split_words(head)
        side = size * _EMBLEM if piece.emblem else 0.0
        room = measure - indent - size * 0.3 - side
        lines = text.broken_lines(words, room / size)
        height = len(lines) * size * LEADING + size * 0.2

        def drawn(canvas: Canvas, x: float, y: float, more: float) -> None:
            if piece.band:
                self._band(canvas, x, y, measure, height + more)
            y -= more / 2
            turn = (min(1.0, (indent / size - 0.5) / fonts.text_width(piece.rank, bold)), 0, 0, 1)
            with tags.tagged_as(canvas, piece, 0):
                pen.draw_line(canvas, piece.rank, x + size * 0.2, y - size * 0.96, bold, size, colour=colour, turn=turn)
                if piece.suit in SUITS:
                    # A ten is as wide as two figures: the suit keeps off it.
                    canvas.setFillColorRGB(*colour)
                    SUITS[piece.suit].draw(canvas, x + size * 1.86, y - size * 0.64, size * 0.82)
            with tags.tagged_as(canvas, piece, 1):
                _lines(canvas, lines, x + indent, y - size * 0.1, size)
            if piece.emblem:
                place = x + measure - side / 2, y - height / 2
                draw_emblem(canvas, piece.emblem, *place, side * 0.86, colour, None, solid=self.inks.solid)

        return Slice(height, 0, drawn, fault=_too_wide(words, room / size), grows=size * 0.8)

    def _band(self, canvas: Canvas, x: float, y: float, measure: float, height: float) -> None:
        """The light band behind every other row; a hairline where ink is saved."""
        if self.inks.solid:
            pen.draw_box(canvas, (x, y - height, measure, height), ground=tint(BLACK, 0.08))
        else:
            pen.draw_rules(canvas, GREY, 0.25, (x, y, x + measure, y), (x, y - height, x + measure, y - height))

    # --- tables ------------------------------------------------------------------------------------------------------

    def settled(self, block: panel_elements.Worded, frame: Frame) -> panel_elements.Worded:
        """Return a block whose tables have no columns in any of its parts, if they have none in the whole of it."""
        measure = frame.width if block.wide else frame.measure
        pieces = (
            replace(piece, by_rows=piece.by_rows or self._is_narrow(piece, measure))
            if isinstance(piece, panel_elements.PanelTable)
            else piece
            for piece in block.pieces
        )
        return replace(block, pieces=tuple(pieces))

    def _is_narrow(self, piece: panel_elements.PanelTable, measure: float) -> bool:
        """Return whether a table's columns would be too narrow."""
        if len(piece.heads) < 3 or piece.merge or not piece.rows:
            return False
        wide = measure / self.size
        shares = _widths(piece, round(wide, 1))
        return any(
            text.line_count(words, share * wide - 2 * _SIDE) > _MOST_LINES
            for row in _cells(piece)
            for words, share in zip(row, shares, strict=True)
        )

    def _table(self, piece: panel_elements.PanelTable, measure: float) -> Iterator[Slice]:
        if not piece.rows:
            return
        if piece.by_rows or self._is_narrow(piece, measure):
            yield from self._stacked(piece, measure)
            return
        shares = _widths(piece, round(measure / self.size, 1))
        chosen = [share * measure / self.size for share in shares]
        word = tables.overflowing_word(_cells(piece), chosen, _SIDE)
        fault = f'is too narrow for its columns, as for "{word[:40]}", and does not fit' if word else ""
        heads = [(cell, 1) for cell in piece.heads]
        head = self._row((piece, "head"), heads, shares, measure, header=True) if heads else None
        if head and any(piece.heads):
            yield head
        for at, row in enumerate(piece.rows):
            made = self._row(
                (piece, at),
                panel_elements.merged_cells(row, piece.merge),
                shares,
                measure,
                band=at % 2 == 0 and not piece.choices,
                choice=piece.choices,
            )
            again = head if at and head and any(piece.heads) else None
            yield replace(made, head=again, fault=fault)

    def _stacked(self, piece: panel_elements.PanelTable, measure: float) -> Iterator[Slice]:
        """Yield the rows of a table whose columns would be too narrow, a cell at a time, each beside its head."""
        size, pad, bold = self.size, self.size * _SIDE, fonts.SANS_BOLD
        indent = max(fonts.text_width(head, bold) for head in piece.heads) * size + 2 * pad
        for at, row in enumerate(piece.rows):
            filled = [place for place, cell in enumerate(row) if cell]
            for place in filled:
                words, left = _words(row[place], bold=place == 0), pad + indent
                lines = text.broken_lines(words, (measure - pad - left) / size)
                # Each cell in its own part of the band, or the next would hide the feet of its letters.
                over = _PAD * size if place == filled[0] else 0.0
                high = len(lines) * LEADING * size + over + (_PAD * size if place == filled[-1] else 0.0)
                draw = partial(self._draw_stacked, (piece, at, place), lines, (measure, high, left, over))
                fault = _too_wide(words, (measure - pad - left) / size)
                yield Slice(high, 0, draw, keep=place != filled[-1], fault=fault)

    def _draw_stacked(
        self,
        cell: tuple[panel_elements.PanelTable, int, int],
        lines: tuple[text.Line, ...],
        room: tuple[float, float, float, float],
        canvas: Canvas,
        x: float,
        y: float,
    ) -> None:
        (table, row, place), (measure, high, left, over), size = cell, room, self.size
        if row % 2 == 0:
            self._band(canvas, x, y, measure, high)
        with tags.tagged_as(canvas, table, "head", place):
            pen.draw_line(
                canvas, table.heads[place], x + size * _SIDE, y - over - (1 - _PAD) * size, fonts.SANS_BOLD, size
            )
        with tags.tagged_as(canvas, table, row, place):
            _lines(canvas, lines, x + left, y - over, size)

    def _row(
        self,
        source: tuple[panel_elements.Piece, object],
        cells: Sequence[tuple[str, int]],
        shares: Sequence[float],
        measure: float,
        *,
        header: bool = False,
        band: bool = False,
        choice: bool = False,
    ) -> Slice:
        """Return a row of cells, each with the number of columns that it spans."""
        size, pad = self.size, self.size * _SIDE
        set_cells: list[tuple[int, float, tuple[text.Line, ...]]] = []
        spans: list[tuple[float, float, int]] = []
        left = 0.0
        for at, (cell, many) in enumerate(cells):
            wide = sum(shares[at : at + many]) * measure
            if many:
                lines = text.broken_lines(_words(cell, bold=header or (choice and not at)), (wide - 2 * pad) / size)
                # What stands over several columns stands in their middle.
                inner = max((text.line_width(line) for line in lines), default=0) * size
                if many > 1:
                    spans += [(left + pad / 2, left + (wide - inner) / 2 - pad, len(lines))]
                    spans += [(left + wide - pad / 2, left + (wide + inner) / 2 + pad, len(lines))]
                set_cells.append((at, left + (pad if many == 1 else (wide - inner) / 2), lines))
            left += shares[at] * measure
        tallest = max(1, *(len(lines) for _, _, lines in set_cells))
        over = _PAD * (2 if choice else 1) * size
        height = tallest * size * LEADING + 2 * over

        def drawn(canvas: Canvas, x: float, y: float, more: float = 0.0) -> None:
            if band:
                self._band(canvas, x, y, measure, height + more)
            if choice:
                pen.draw_rules(canvas, GREY, 0.4, (x, y - height - more, x + measure, y - height - more))
            y -= more / 2
            if header:
                # Whole above the next row, whose band would hide a part of it.
                pen.draw_rules(canvas, BLACK, 0.7, (x, y - height + 0.35, x + measure, y - height + 0.35))
            for edge, end, beside in spans:
                # A merged cell shows which columns it stands for.
                middle, tick = y - over - beside * LEADING / 2 * size, size * _TICK
                strokes = ((x + edge, middle, x + end, middle), (x + edge, middle - tick, x + edge, middle + tick))
                pen.draw_rules(canvas, GREY, 0.5, *strokes)
            for at, indent, lines in set_cells:
                down = (tallest - len(lines)) * size * LEADING if header else 0.0
                with tags.tagged_as(canvas, *source, at):
                    _lines(canvas, lines, x + indent, y - over - down, size)

        return Slice(height, 0, drawn, keep=header, grows=0.0 if header else size * 1.2)

    def _framed(self, piece: panel_elements.Framed, measure: float) -> Slice:
        usual = piece.height * MM if piece.height else min(measure * 0.52, 52 * MM)
        if self.look.smallest >= _LARGE:
            usual = charts.least_height(piece.picture, self.look.smallest)
        letters = max(self.size * _FIGURES, self.look.smallest + 0.3)

        def drawn(canvas: Canvas, x: float, y: float, more: float) -> None:
            high = usual + more
            times = charts.picture_scale(piece.picture, measure, high, letters)
            charts.draw_picture(canvas, piece.picture, x, y - high, measure, high, self.inks, times)

        fault = charts.picture_fault(piece.picture, measure, usual)
        return Slice(usual, self.size * 0.4, drawn, fault=fault, grows=usual * 0.6)

    # --- what is filled in -------------------------------------------------------------------------------------------

    def _fields(self, piece: panel_elements.FieldLines, measure: float) -> Iterator[Slice]:
        """Yield labels and lines beside each other, in as many rows as these need."""
        row = self.boxed_fields(piece, measure, _FIELD_BOX) if piece.boxed else self._field_row(piece, measure)
        if not row.fault or len(piece.fields) == 1:
            yield row
            return
        half = (len(piece.fields) + 1) // 2
        for part in (slice(half), slice(half, None)):
            shares = piece.shares[part]
            whole = tuple(share / sum(shares) for share in shares)
            yield from self._fields(replace(piece, fields=piece.fields[part], shares=whole), measure)

    def boxed_fields(
        self, piece: panel_elements.FieldLines, measure: float, high: float, largest: float = 0.0
    ) -> Slice:
        """Return boxes to write in beside each other, each with its label in its upper left corner.

        What fills the first is set in up to `largest` type.
        """
        size, gap, pad, bold = self._small, 1.6 * MM, 1.2 * MM, fonts.SANS_BOLD
        wide = [share * (measure + gap) - gap for share in piece.shares]
        room = high - size * 1.25
        values = [
            self._value("" if cell.tick else cell.value, each - 2 * pad, 0.0 if at else largest)
            for at, (cell, each) in enumerate(zip(piece.fields, wide, strict=True))
        ]

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            for cell, each, value in zip(piece.fields, wide, values, strict=True):
                foot = y - high
                pen.draw_box(canvas, (x, foot, each, high), ground=WHITE, edge=GREY, wide=0.6, radius=1 * MM)
                with tags.tagged_as(canvas, cell):
                    pen.draw_line(canvas, cell.label, x + pad, y - size * 1.05, bold, size)
                    if cell.tick:
                        box = panel_elements.Box(cell.name, cell.tip, "", bool(cell.value))
                        self.form.box(canvas, box, (x + pad, foot + pad, room - 2 * pad))
                    else:
                        step = min(value.size * LEADING, room / max(1, len(value.lines)))
                        place = (x + pad, foot + 0.5, each - 2 * pad, room)
                        self.form.text(canvas, cell.name, cell.tip, value, place, step=step, many=len(value.lines) > 1)
                x += each + gap

        tight = next(
            (
                cell.label
                for cell, each in zip(piece.fields, wide, strict=True)
                if fonts.text_width(cell.label, bold) * size > each - 2 * pad
            ),
            "",
        )
        fault = f'is too narrow for "{tight}", and does not fit' if tight else ""
        return Slice(high, self.size * 0.5, drawn, fault=fault or next((v.fault for v in values if v.fault), ""))

    def _field_row(self, piece: panel_elements.FieldLines, measure: float) -> Slice:
        """A row of fields, a gap before each but the first."""
        size, gap, side = self.size, self.size * 0.8, self.size * 1.2
        bold = fonts.SANS_BOLD
        wide = [share * (measure + gap) - gap for share in piece.shares]
        indents = [fonts.text_width(f"{cell.label}  ", bold) * size if cell.label else 0.0 for cell in piece.fields]
        values = [
            FieldValue((), size) if cell.tick else self._value(cell.value, room - indent)
            for cell, room, indent in zip(piece.fields, wide, indents, strict=True)
        ]
        step = size * 1.75
        rows = max(piece.lines, *(len(value.lines) for value in values))
        height = rows * step
        ruled = range(1, rows + 1) if len(piece.fields) == 1 else (rows,)

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            left = x
            for cell, room, indent, value in zip(piece.fields, wide, indents, values, strict=True):
                base = y - step + size * 0.35
                with tags.tagged_as(canvas, cell):
                    if cell.tick:
                        self.form.box(
                            canvas,
                            panel_elements.Box(cell.name, cell.tip, "", bool(cell.value)),
                            (left, base - 2, side),
                        )
                        pen.draw_line(canvas, cell.label, left + side + size * 0.4, base, bold, size)
                    else:
                        pen.draw_line(canvas, cell.label, left, base, bold, size)
                        feet = [y - at * step for at in ruled]
                        strokes = [
                            (left + (0 if at else indent), foot, left + room, foot) for at, foot in enumerate(feet)
                        ]
                        pen.draw_rules(canvas, GREY, 0.5, *strokes)
                        place = (left + indent, y - height + 0.5, room - indent, height - 1)
                        self.form.text(canvas, cell.name, cell.tip, value, place, step=step, many=rows > 1)
                left += room + gap

        needed = [indent + (side if cell.tick else 20.0) for cell, indent in zip(piece.fields, indents, strict=True)]
        tight = next((cell for cell, room, need in zip(piece.fields, wide, needed, strict=True) if need > room), None)
        fault = f'is too narrow for "{tight.label}", and does not fit' if tight else ""
        return Slice(height, size * 0.5, drawn, fault=fault or next((v.fault for v in values if v.fault), ""))

    def _value(self, letters: str, measure: float, largest: float = 0.0) -> FieldValue:
        """Return the lines of a field: several, or a little smaller where a single word is too long."""
        words = text.split_words((text.Run(letters, fonts.SANS),), set_in_type=False)
        room = measure - 2
        size = min(self.size, room / max(text.widest_word(words), 0.01))
        # What is larger than the text stands in one line.
        size = max(
            size, self.look.smallest, min(largest, room / max(sum(word.width + word.space for word in words), 0.01))
        )
        fault = _too_wide(words, room / size)
        lines = text.broken_lines(words, room / size)
        return FieldValue(tuple("".join(run.text for run in line) for line in lines), size, fault)

    def _grid(self, piece: panel_elements.FieldGrid, measure: float) -> Iterator[Slice]:
        words = [_words(head, bold=True) for head in piece.heads]
        least = [text.widest_word(head) * self.size + 2 * self.size * _SIDE if head else 0.0 for head in words]
        shares = piece.shares
        if any(share * measure < wide for share, wide in zip(shares, least, strict=True)):
            room = max(measure - sum(least), 0.0)
            shares = tuple((wide + share * room) / measure for share, wide in zip(shares, least, strict=True))
        head = self._row((piece, "head"), [(cell, 1) for cell in piece.heads], shares, measure, header=True)
        if any(piece.heads):
            yield head
        for at, row in enumerate(piece.rows):
            made = self._grid_row((piece, at), row, shares, measure)
            fault = made.fault or ("is too narrow for its heads, and does not fit" if sum(least) > measure else "")
            yield replace(made, head=head if at and any(piece.heads) else None, fault=fault)

    def _grid_row(
        self,
        source: tuple[panel_elements.Piece, object],
        cells: tuple[panel_elements.FieldCell, ...],
        shares: tuple[float, ...],
        measure: float,
    ) -> Slice:
        """Return a row as high as its longest label or value."""
        size, pad = self.size, self.size * _SIDE
        rooms = [share * measure for share in shares]
        labels = [_words(cell.label, bold=True) for cell in cells]
        lines = [text.broken_lines(words, (room - 2 * pad) / size) for words, room in zip(labels, rooms, strict=True)]
        values = [
            self._value("" if cell.tick else cell.value, room - 3) for cell, room in zip(cells, rooms, strict=True)
        ]
        step = size * LEADING
        tallest = max(*(len(label_lines) for label_lines in lines), *(len(value.lines) for value in values))
        ticked = _MIN_BOX + 1 if any(cell.tick for cell in cells) else 0.0
        height = max(size * 1.85, tallest * step + size * 0.5, ticked)

        def drawn(canvas: Canvas, x: float, y: float, more: float) -> None:
            pen.draw_rules(canvas, GREY, 0.4, (x, y - height - more, x + measure, y - height - more))
            y -= more
            left = x
            for at, (cell, label_lines, value, wide) in enumerate(zip(cells, lines, values, rooms, strict=True)):
                with tags.tagged_as(canvas, *source, at):
                    if label_lines:
                        _lines(canvas, label_lines, left + pad, y - (height - len(label_lines) * step) / 2, size)
                    elif cell.tick:
                        side = min(_MIN_BOX, wide - 2)
                        box = panel_elements.Box(cell.name, cell.tip, "", bool(cell.value))
                        self.form.box(canvas, box, (left + pad, y + (more - height - side) / 2, side))
                    elif cell.name:
                        many = len(value.lines) > 1
                        tall = len(value.lines) * step if many else height - 1
                        room = (left + 1.5, y - height / 2 - tall / 2, wide - 3, tall)
                        self.form.text(canvas, cell.name, cell.tip, value, room, step=step, many=many)
                left += wide

        tight = (_too_wide(words, (room - 2 * pad) / size) for words, room in zip(labels, rooms, strict=True))
        fault = next((each for each in (*tight, *(value.fault for value in values)) if each), "")
        return Slice(height, 0, drawn, fault=fault, grows=size)

    def _boxes(self, piece: panel_elements.BoxRow, measure: float) -> Slice:
        """Boxes as large as the width allows within reason, in rows of equal length."""
        size, gap, small = self.size, 1.0 * MM, self._small
        words = _words(piece.label)
        lines = text.broken_lines(words, measure / size)
        least = _MIN_BOX if size < _LARGE else size * 1.8
        widest = max((fonts.text_width(each, fonts.SANS) * small for each in piece.under), default=0.0)
        rows = -(-len(piece.boxes) // max(1, int((measure + gap) // (max(least, widest) + gap))))
        across = -(-len(piece.boxes) // rows)
        side = min((measure + gap) / across - gap, max(_MAX_BOX, size * 1.8))
        step = (measure + gap) / across if piece.under else side + gap
        tall = side / DROP_WIDTH if piece.sign == "drop" else side
        deep = tall + gap + (2.2 * small * LEADING if piece.under else 0.0)
        head = len(lines) * size * LEADING + gap
        height = head + rows * deep

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            _lines(canvas, lines, x, y, size)
            for at, box in enumerate(piece.boxes):
                row, column = divmod(at, across)
                left, foot = x + column * step + (step - gap - side) / 2, y - head - row * deep - (tall + side) / 2
                below = (box.text, *piece.under[at : at + 1]) if piece.under else ()
                self.form.box(canvas, replace(box, text="" if below else box.text), (left, foot, side), piece.sign)
                for line, each in enumerate(below):
                    font, base = fonts.SANS if line else fonts.SANS_BOLD, foot - small * (1 + line * LEADING)
                    pen.draw_line(canvas, each, left + side / 2, base, font, small, align="middle")

        return Slice(height, size * 0.2, drawn, fault=_too_wide(words, measure / size))

    def _ladder(self, piece: panel_elements.Ladder, measure: float) -> Slice:
        """Boxes with their words beside them, an arrow from each to the next; as many in a row as there is room for."""
        size = self.size
        side, arrow = size * 1.25, size * 1.1
        bold = fonts.SANS_BOLD
        places: list[tuple[float, int]] = []
        left, row = fonts.text_width(f"{piece.label}  ", bold) * size, 0
        for box in piece.boxes:
            wide = side + size * 0.35 + fonts.text_width(box.text, bold) * size
            if places and left + wide > measure:
                left, row = 0.0, row + 1
            places.append((left, row))
            left += wide + size * 0.35 + arrow
        step = size * 1.75
        height = (row + 1) * step

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            pen.draw_line(canvas, piece.label, x, y - step + size * 0.5, bold, size)
            for at, (box, (indent, down)) in enumerate(zip(piece.boxes, places, strict=True)):
                foot = y - (down + 1) * step + size * 0.2
                self._labelled(canvas, box, x + indent, foot, side, bold)
                if at + 1 < len(places) and places[at + 1][1] == down:
                    _arrow(canvas, x + places[at + 1][0] - arrow * 0.95, foot + side / 2, arrow * 0.6)

        widest = max(side + size * 0.35 + fonts.text_width(box.text, bold) * size for box in piece.boxes)
        too_wide = f'is too wide for its column, as for "{piece.boxes[0].text}", and does not fit'
        return Slice(height, size * 0.4, drawn, fault=too_wide if widest > measure else "")

    def _labelled(self, canvas: Canvas, box: panel_elements.Box, x: float, foot: float, side: float, font: str) -> None:
        """A box with its text beside it."""
        size = self.size
        with tags.tagged_as(canvas, box):
            self.form.box(canvas, replace(box, text=""), (x, foot, side))
            pen.draw_line(canvas, box.text, x + side + size * 0.35, foot + size * 0.3, font, size)

    def _ticks(self, piece: panel_elements.Ticks, measure: float) -> Iterator[Slice]:
        """Yield a row of boxes at a time; the boxes run down the columns, as a list is read."""
        size = self.size
        side, indent, plain = size * 1.15, size * 1.55, fonts.SANS
        widest = max(fonts.text_width(word, plain) for box in piece.boxes for word in box.text.split() or [""])
        across = max(1, min(piece.columns, int(measure / (widest * size + indent + size * 0.5))))
        wide = measure / across
        rows = -(-len(piece.boxes) // across)
        for row in range(rows):
            boxes = piece.boxes[row::rows]
            lines = [
                text.broken_lines(text.split_words((text.Run(box.text, plain),)), (wide - indent - size * 0.5) / size)
                for box in boxes
            ]
            height = max(map(len, lines)) * size * LEADING + size * 0.4

            def drawn(
                canvas: Canvas,
                x: float,
                y: float,
                boxes: Sequence[panel_elements.Box] = boxes,
                lines: Sequence[tuple[text.Line, ...]] = lines,
            ) -> None:
                for at, (box, label) in enumerate(zip(boxes, lines, strict=True)):
                    left = x + at * wide
                    with tags.tagged_as(canvas, box):
                        self.form.box(canvas, replace(box, text=""), (left, y - size * 0.15 - side, side))
                        _lines(canvas, label, left + indent, y - size * 0.2, size)

            yield Slice(height, 0, drawn)


def _told(piece: panel_elements.Piece, draw: Drawer) -> Drawer:
    """Draws what is read aloud as this piece."""

    def drawn(*place: Any) -> None:
        with tags.tagged_as(place[0], piece):
            draw(*place)

    return drawn


def _too_wide(words: tuple[text.Word, ...], measure: float) -> str:
    """Return the fault of words that are wider than the line; empty where all fit."""
    for word in words:
        if word.width > measure + 1e-6:
            letters = "".join(run.text for run in word.runs)
            return f'is too narrow for "{letters[:40]}", and does not fit'
    return ""


def _arrow(canvas: Canvas, x: float, y: float, length: float) -> None:
    """A small arrow to the right, its tail at (x, y)."""
    tip = x + length
    pen.draw_rules(canvas, GREY, 0.7, (x, y, tip, y), (tip - 2.2, y + 1.8, tip, y), (tip - 2.2, y - 1.8, tip, y))


def _lines(canvas: Canvas, lines: Sequence[text.Line], x: float, y: float, size: float, colour: Rgb = BLACK) -> None:
    """Lines below each other, the first one's top at y."""
    pen.draw_lines(canvas, lines, x, y - size * 0.86, size, LEADING, colour=colour)

"""Panels on paper: pieces set in one style as slices, which `columns` pours into a page.

All lengths are points.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, assert_never

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.layout import panel_elements
from generator.layout.panel_elements import Heading, Page, PanelTable, Piece, Worded
from generator.layout.reading import texts_in
from generator.paper import charts, fonts, panel_fields, panel_tables, panel_text, pen, scale, tags
from generator.paper.body import draw_body
from generator.paper.columns import Frame, Slice, columns_fault
from generator.paper.document import MM
from generator.paper.panel_style import LARGE, PanelStyle

_STEP = 0.25
"""From one type size to the next smaller one that is tried, pt."""
_FIGURES = 0.8
"""The size of a chart's letters in units of the text's, where there is room for it."""


class OverflowError(HackjackError):
    """A block cannot be printed: `page` and `block` are its numbers in the file."""

    def __init__(self, message: str, page: int, block: int) -> None:
        super().__init__(message)
        self.page, self.block = page, block


def fit_pages(
    pages: Sequence[tuple[Page, Frame]], largest: float, smallest: float, style: Callable[[float], PanelStyle]
) -> float:
    """Return the largest type size at which every page fits. Raises OverflowError that names page and block."""
    for step in range(round((largest - smallest) / _STEP)):
        size = largest - step * _STEP
        if not any(overflow_errors(pages, style(size))):
            return size
    for error in overflow_errors(pages, style(smallest)):
        raise error
    return smallest


def overflow_errors(pages: Sequence[tuple[Page, Frame]], style: PanelStyle) -> Iterator[OverflowError]:
    """Yield the first block of each page that does not fit in a style."""
    for page, frame in pages:
        if first_fault := columns_fault(page_slices(page, frame, style), frame):
            place, why = first_fault
            name = next(block.name for block in page.blocks if block.place == place)
            where = f'the panel "{page.title}" is full: the block "{name}"'
            advice = "shorten it, or give the panel fewer blocks"
            yield OverflowError(f"{where} {why} even at {style.size:g} pt: {advice}", page.place, place)


def glyph_faults(page: Page) -> Iterator[tuple[int, str]]:
    """Yield each block with characters that the fonts lack, or the first of an empty page, by number with a sentence.

    What fills a form is looked at where it is printed.
    """
    first = page.blocks[0].place if page.blocks else 0
    if not page.blocks:
        yield first, f'the panel "{page.title}" prints nothing: give it a block that says something, or take it out'
    lines = ("title", page.title, fonts.display_font(page.title)), ("sentence", page.says, fonts.SANS)
    for what, words, font in lines:
        if letters := fonts.missing_letters(words, font):
            yield (first, f'the {what} "{words[:40]}": {pen.missing_glyphs(letters, font)}')
    for block in (*page.blocks, *((page.scale,) if page.scale else ())):
        for piece in block.pieces:
            for words in texts_in(piece):
                font = fonts.display_font(words) if isinstance(piece, Heading) else fonts.SANS
                if letters := fonts.missing_letters(words, font):
                    where = f'the block "{block.name}" of the panel "{page.title}"'
                    yield block.place, f"{where}: {pen.missing_glyphs(letters, font, words)}"


def page_slices(page: Page, frame: Frame, style: PanelStyle) -> list[Slice]:
    """Return the blocks of a page as slices of a column's width, or of the frame's where they are wide."""
    slices: list[Slice] = []
    style = replace(style, hue=style.look.hue_of(page))
    for index, block in enumerate(page.blocks):
        following = page.blocks[index + 1 : index + 2]
        # Alone in its row of columns, its heading stands across them.
        across = block.below and all(each.below or each.wide for each in following)
        slices += _block_slices(block, frame, style, across=across)
    return slices


def _block_slices(block: Worded, frame: Frame, style: PanelStyle, *, across: bool) -> Iterator[Slice]:
    column, below = block.column, block.below
    boxes = (piece for piece in block.pieces if style.look.boxed and panel_elements.is_step(piece))
    step_height = max((panel_text.step_slice(style, piece, frame.measure).height for piece in boxes), default=0.0)
    for piece in block.pieces:
        wide = frame.columns > 1 and (block.wide or (across and isinstance(piece, Heading)))
        for made in _piece_slices(piece, frame.width if wide else frame.measure, style, step_height):
            own = {"place": block.place, "column": made.column or column, "wide": wide, "below": below}
            yield replace(made, draw=_tagged(piece, made.draw), **own)
            column = below = False


def _tagged(piece: Piece, draw: Callable[..., None]) -> Callable[..., None]:
    """Return what draws a slice, read aloud as this piece."""

    def tagged(*place: Any) -> None:
        with tags.tagged_as(place[0], piece):
            draw(*place)

    return tagged


def _piece_slices(piece: Piece, measure: float, style: PanelStyle, step_height: float) -> Iterable[Slice]:
    match piece:
        case Heading():
            return [panel_text.heading_slice(style, piece, measure)]
        case panel_elements.Note():
            return [panel_text.note_slice(style, piece, measure)]
        case panel_elements.Paragraph():
            return [panel_text.paragraph_slice(style, piece, measure, step_height)]
        case PanelTable():
            return panel_tables.table_slices(style, piece, measure)
        case panel_elements.WoundBox():
            return [panel_text.wound_slice(style, piece, measure)]
        case panel_elements.Framed():
            return [_chart_slice(style, piece, measure)]
        case panel_elements.OddsScale():
            return [_scale_slice(style, piece, measure)]
        case panel_elements.FieldLines():
            return panel_fields.field_slices(style, piece, measure)
        case panel_elements.FieldGrid():
            return panel_fields.grid_slices(style, piece, measure)
        case panel_elements.BoxRow():
            return [panel_fields.box_row_slice(style, piece, measure)]
        case panel_elements.Ladder():
            return [panel_fields.ladder_slice(style, piece, measure)]
        case panel_elements.Ticks():
            return panel_fields.tick_slices(style, piece, measure)
        case panel_elements.BodyFigure():
            return [_body_slice(style, piece, measure)]
        case _:
            assert_never(piece)


def _chart_slice(style: PanelStyle, piece: panel_elements.Framed, measure: float) -> Slice:
    height = piece.height * MM if piece.height else min(measure * 0.52, 52 * MM)
    if style.look.smallest >= LARGE:
        height = charts.least_height(piece.picture, style.look.smallest)
    letters = max(style.size * _FIGURES, style.look.smallest + 0.3)

    def draw(canvas: Canvas, x: float, y: float, more: float) -> None:
        full = height + more
        times = charts.picture_scale(piece.picture, measure, full, letters)
        charts.draw_picture(canvas, piece.picture, x, y - full, measure, full, style.inks, times)

    fault = charts.picture_fault(piece.picture, measure, height)
    return Slice(height, style.size * 0.4, draw, fault=fault, grows=height * 0.6)


def _scale_slice(style: PanelStyle, piece: panel_elements.OddsScale, measure: float) -> Slice:
    def draw(canvas: Canvas, x: float, y: float) -> None:
        scale.draw_scale(canvas, piece, (x, y, measure), style.hue, style.small, solid=style.inks.solid)

    return Slice(scale.HEIGHT, style.size * 0.4, draw, fault=scale.scale_fault(piece, measure))


def _body_slice(style: PanelStyle, piece: panel_elements.BodyFigure, measure: float) -> Slice:
    height, marks = piece.height * MM, dict(piece.marks)

    def draw(canvas: Canvas, x: float, y: float, more: float) -> None:
        draw_body(canvas, x + measure / 2, y, height + more, marks, piece.hurt, size=style.small)

    return Slice(height, style.size * 0.5, draw, grows=height * 0.6)


def without_narrow_columns(block: Worded, frame: Frame, style: PanelStyle) -> Worded:
    """Return a block whose tables have no columns in any of its parts, if they have none in the whole of it."""
    measure = frame.width if block.wide else frame.measure
    pieces = (
        replace(piece, by_rows=piece.by_rows or panel_tables.is_narrow(style, piece, measure))
        if isinstance(piece, PanelTable)
        else piece
        for piece in block.pieces
    )
    return replace(block, pieces=tuple(pieces))

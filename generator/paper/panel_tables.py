"""Tables of panels, set a row at a time as slices; a table too narrow for its columns a cell at a time.

All lengths are points.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import FieldGrid, PanelTable, Piece, merged_cells
from generator.paper import fonts, pen, tables, tags, text
from generator.paper.columns import Slice
from generator.paper.ink import BLACK, GREY
from generator.paper.panel_style import LEADING, PanelStyle, draw_text, sentence_words, width_fault

_PAD = 0.14
"""Space above and below the text of a table row, in units of the type size."""
_MAX_LINES = 4
"""A table with a cell that breaks into more is set row by row, without columns."""
_TICK = 0.3
"""Half the height of the stroke at the edge of a merged cell, in units of the type size."""
SIDE = 0.35
"""Space beside the text of a cell, likewise."""


@fonts.measured_once(500)
def _shares(table: PanelTable, measure: float) -> tuple[float, ...]:
    """Return a table's columns as shares of the width; `measure` is in units of the type size."""
    if table.shares:
        # The first column holds its head, however narrow the paper.
        head = text.widest_word(sentence_words(table.heads[0], bold=True)) + 2 * SIDE if table.heads else 0.0
        first = max(table.shares[0], head / measure)
        return (first, *(share * (1 - first) / (1 - table.shares[0]) for share in table.shares[1:]))
    widths = tables.column_widths(_cells(table), measure, SIDE)
    return tuple(width / sum(widths) for width in widths)


def _cells(table: PanelTable) -> list[tuple[tuple[text.Word, ...], ...]]:
    """Return every cell's words, the heads first; a cell that is merged with the one before it asks for no room."""
    heads = [tuple(sentence_words(head, bold=True) for head in table.heads)] if table.heads else []
    return heads + [
        tuple(
            sentence_words(cell, bold=table.choices and not column) if span == 1 else ()
            for column, (cell, span) in enumerate(merged_cells(row, table.merge))
        )
        for row in table.rows
    ]


def is_narrow(style: PanelStyle, piece: PanelTable, measure: float) -> bool:
    """Return whether a table's columns would be too narrow."""
    if len(piece.heads) < 3 or piece.merge or not piece.rows:
        return False
    width = measure / style.size
    shares = _shares(piece, round(width, 1))
    return any(
        text.line_count(words, share * width - 2 * SIDE) > _MAX_LINES
        for row in _cells(piece)
        for words, share in zip(row, shares, strict=True)
    )


def table_slices(style: PanelStyle, piece: PanelTable, measure: float) -> Iterator[Slice]:
    """Yield the heads of a table and its rows."""
    if not piece.rows:
        return
    if piece.by_rows or is_narrow(style, piece, measure):
        yield from _stacked_slices(style, piece, measure)
        return
    shares = _shares(piece, round(measure / style.size, 1))
    word = tables.overflowing_word(_cells(piece), [share * measure / style.size for share in shares], SIDE)
    fault = f'is too narrow for its columns, as for "{word[:40]}", and does not fit' if word else ""
    head = head_slice(style, piece, shares, measure)
    if head:
        yield head
    for index, row in enumerate(piece.rows):
        made = _row_slice(
            style,
            (piece, index),
            merged_cells(row, piece.merge),
            shares,
            measure,
            stripe=index % 2 == 0 and not piece.choices,
            choice=piece.choices,
        )
        yield replace(made, head=head if index else None, fault=fault)


def _stacked_slices(style: PanelStyle, piece: PanelTable, measure: float) -> Iterator[Slice]:
    """Yield the rows of a table whose columns would be too narrow, a cell at a time, each beside its head."""
    left = max(fonts.text_width(head, fonts.SANS_BOLD) for head in piece.heads) * style.size + 3 * style.size * SIDE
    for index, row in enumerate(piece.rows):
        filled = [column for column, cell in enumerate(row) if cell]
        for column in filled:
            ends = column == filled[0], column == filled[-1]
            yield _stacked_cell(style, piece, (index, column), ends, left, measure)


def _stacked_cell(
    style: PanelStyle, piece: PanelTable, cell: tuple[int, int], ends: tuple[bool, bool], left: float, measure: float
) -> Slice:
    """Return the cell of a row and column beside its head; `ends` are whether it begins and ends its row."""
    size, (row, column) = style.size, cell
    words = sentence_words(piece.rows[row][column], bold=column == 0)
    room = (measure - size * SIDE - left) / size
    lines = text.broken_lines(words, room)
    # Each cell in its own part of the stripe, or the next would hide the feet of its letters.
    over, under = (_PAD * size if end else 0.0 for end in ends)
    height = len(lines) * LEADING * size + over + under

    def draw(canvas: Canvas, x: float, y: float) -> None:
        if row % 2 == 0:
            style.draw_stripe(canvas, x, y, measure, height)
        base = y - over - (1 - _PAD) * size
        with tags.tagged_as(canvas, piece, "head", column):
            pen.draw_line(canvas, piece.heads[column], x + size * SIDE, base, fonts.SANS_BOLD, size)
        with tags.tagged_as(canvas, piece, *cell):
            draw_text(canvas, lines, x + left, y - over, size)

    return Slice(height, 0, draw, keep=not ends[1], fault=width_fault(words, room))


def head_slice(
    style: PanelStyle, piece: PanelTable | FieldGrid, shares: Sequence[float], measure: float
) -> Slice | None:
    """Return the heads of a table, or of one to write in, as a row; None where all are empty."""
    heads = [(cell, 1) for cell in piece.heads]
    return _row_slice(style, (piece, "head"), heads, shares, measure, header=True) if any(piece.heads) else None


def _row_slice(
    style: PanelStyle,
    source: tuple[Piece, object],
    cells: Sequence[tuple[str, int]],
    shares: Sequence[float],
    measure: float,
    *,
    header: bool = False,
    stripe: bool = False,
    choice: bool = False,
) -> Slice:
    """Return a row of cells, each with the number of columns that it spans."""
    size, pad = style.size, style.size * SIDE
    set_cells: list[tuple[int, float, tuple[text.Line, ...]]] = []
    spans: list[tuple[float, float, int]] = []
    left = 0.0
    for column, (cell, span) in enumerate(cells):
        width = sum(shares[column : column + span]) * measure
        if span:
            words = sentence_words(cell, bold=header or (choice and not column))
            lines = text.broken_lines(words, (width - 2 * pad) / size)
            # What stands over several columns stands in their middle.
            inner = max((text.line_width(line) for line in lines), default=0) * size
            if span > 1:
                spans += [(left + pad / 2, left + (width - inner) / 2 - pad, len(lines))]
                spans += [(left + width - pad / 2, left + (width + inner) / 2 + pad, len(lines))]
            set_cells.append((column, left + (pad if span == 1 else (width - inner) / 2), lines))
        left += shares[column] * measure
    tallest = max(1, *(len(lines) for _, _, lines in set_cells))
    over = _PAD * (2 if choice else 1) * size
    height = tallest * size * LEADING + 2 * over

    def draw(canvas: Canvas, x: float, y: float, more: float = 0.0) -> None:
        if stripe:
            style.draw_stripe(canvas, x, y, measure, height + more)
        if choice:
            pen.draw_rules(canvas, GREY, 0.4, (x, y - height - more, x + measure, y - height - more))
        y -= more / 2
        if header:
            # Whole above the next row, whose stripe would hide a part of it.
            pen.draw_rules(canvas, BLACK, 0.7, (x, y - height + 0.35, x + measure, y - height + 0.35))
        for edge, end, line_count in spans:
            # A merged cell shows which columns it stands for.
            middle, tick = y - over - line_count * LEADING / 2 * size, size * _TICK
            strokes = ((x + edge, middle, x + end, middle), (x + edge, middle - tick, x + edge, middle + tick))
            pen.draw_rules(canvas, GREY, 0.5, *strokes)
        for column, indent, lines in set_cells:
            down = (tallest - len(lines)) * size * LEADING if header else 0.0
            with tags.tagged_as(canvas, *source, column):
                draw_text(canvas, lines, x + indent, y - over - down, size)

    return Slice(height, 0, draw, keep=header, grows=0.0 if header else size * 1.2)

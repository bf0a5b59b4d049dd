"""Fields, grids, boxes, ladders and ticks of sheets, set as slices. All lengths are points."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import Box, BoxRow, FieldCell, FieldGrid, FieldLines, Ladder, Ticks
from generator.paper import fonts, pen, tags, text
from generator.paper.columns import Slice
from generator.paper.document import MM
from generator.paper.form import DROP_WIDTH, FieldValue
from generator.paper.ink import GREY, WHITE
from generator.paper.panel_style import LARGE, LEADING, PanelStyle, draw_text, sentence_words, width_fault
from generator.paper.panel_tables import SIDE, head_slice

_MIN_BOX, _MAX_BOX = 8.0 * MM, 8.6 * MM
"""The side of a box of a track."""
_FIELD_BOX = 12.0 * MM
"""The height of a box to write in."""


def field_slices(style: PanelStyle, piece: FieldLines, measure: float) -> Iterator[Slice]:
    """Yield labels and lines beside each other, in as many rows as these need."""
    row = boxed_fields(style, piece, measure, _FIELD_BOX) if piece.boxed else _field_row(style, piece, measure)
    if not row.fault or len(piece.fields) == 1:
        yield row
        return
    half = (len(piece.fields) + 1) // 2
    for part in (slice(half), slice(half, None)):
        shares = piece.shares[part]
        whole = tuple(share / sum(shares) for share in shares)
        yield from field_slices(style, replace(piece, fields=piece.fields[part], shares=whole), measure)


def boxed_fields(style: PanelStyle, piece: FieldLines, measure: float, height: float, largest: float = 0.0) -> Slice:
    """Return boxes to write in beside each other, each with its label in its upper left corner.

    What fills the first is set in up to `largest` type.
    """
    size, gap, pad, bold = style.small, 1.6 * MM, 1.2 * MM, fonts.SANS_BOLD
    widths = [share * (measure + gap) - gap for share in piece.shares]
    room = height - size * 1.25
    values = [
        _field_value(style, cell, width - 2 * pad, 0.0 if index else largest)
        for index, (cell, width) in enumerate(zip(piece.fields, widths, strict=True))
    ]

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for cell, width, value in zip(piece.fields, widths, values, strict=True):
            bottom = y - height
            pen.draw_box(canvas, (x, bottom, width, height), ground=WHITE, edge=GREY, wide=0.6, radius=1 * MM)
            with tags.tagged_as(canvas, cell):
                pen.draw_line(canvas, cell.label, x + pad, y - size * 1.05, bold, size)
                if cell.tick:
                    _draw_tick(style, canvas, cell, x + pad, bottom + pad, room - 2 * pad)
                else:
                    step = min(value.size * LEADING, room / max(1, len(value.lines)))
                    place = (x + pad, bottom + 0.5, width - 2 * pad, room)
                    style.form.text(canvas, cell.name, cell.tip, value, place, step=step, many=len(value.lines) > 1)
            x += width + gap

    needed = [fonts.text_width(cell.label, bold) * size + 2 * pad for cell in piece.fields]
    return Slice(height, style.size * 0.5, draw, fault=_field_fault(piece, needed, widths, values))


def _field_fault(
    piece: FieldLines, needed: Sequence[float], widths: Sequence[float], values: Sequence[FieldValue]
) -> str:
    """Return the fault of the first field that is narrower than it needs, or of the first value; empty if all fit."""
    for cell, minimum, width in zip(piece.fields, needed, widths, strict=True):
        if minimum > width:
            return f'is too narrow for "{cell.label}", and does not fit'
    return next((value.fault for value in values if value.fault), "")


def _draw_tick(style: PanelStyle, canvas: Canvas, cell: FieldCell, x: float, y: float, side: float) -> None:
    style.form.box(canvas, Box(cell.name, cell.tip, "", bool(cell.value)), (x, y, side))


def _field_row(style: PanelStyle, piece: FieldLines, measure: float) -> Slice:
    """Return a row of fields, a gap before each but the first."""
    size, gap, side, bold = style.size, style.size * 0.8, style.size * 1.2, fonts.SANS_BOLD
    widths = [share * (measure + gap) - gap for share in piece.shares]
    indents = [fonts.text_width(f"{cell.label}  ", bold) * size if cell.label else 0.0 for cell in piece.fields]
    cells = zip(piece.fields, widths, indents, strict=True)
    values = [_field_value(style, cell, width - indent) for cell, width, indent in cells]
    step = size * 1.75
    row_count = max(piece.lines, *(len(value.lines) for value in values))
    height = row_count * step
    ruled = range(1, row_count + 1) if len(piece.fields) == 1 else (row_count,)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for cell, width, indent, value in zip(piece.fields, widths, indents, values, strict=True):
            base = y - step + size * 0.35
            with tags.tagged_as(canvas, cell):
                if cell.tick:
                    _draw_tick(style, canvas, cell, x, base - 2, side)
                    pen.draw_line(canvas, cell.label, x + side + size * 0.4, base, bold, size)
                else:
                    pen.draw_line(canvas, cell.label, x, base, bold, size)
                    bottoms = [y - row * step for row in ruled]
                    strokes = [(x + (0 if row else indent), each, x + width, each) for row, each in enumerate(bottoms)]
                    pen.draw_rules(canvas, GREY, 0.5, *strokes)
                    place = (x + indent, y - height + 0.5, width - indent, height - 1)
                    style.form.text(canvas, cell.name, cell.tip, value, place, step=step, many=row_count > 1)
            x += width + gap

    needed = [indent + (side if cell.tick else 20.0) for cell, indent in zip(piece.fields, indents, strict=True)]
    return Slice(height, size * 0.5, draw, fault=_field_fault(piece, needed, widths, values))


def _field_value(style: PanelStyle, cell: FieldCell, measure: float, largest: float = 0.0) -> FieldValue:
    """Return the lines of a field: several, or a little smaller where a single word is too long."""
    words = text.split_words((text.Run("" if cell.tick else cell.value, fonts.SANS),), set_in_type=False)
    room = measure - 2
    size = min(style.size, room / max(text.widest_word(words), 0.01))
    # What is larger than the text stands in one line.
    whole = room / max(sum(word.width + word.space for word in words), 0.01)
    size = max(size, style.look.smallest, min(largest, whole))
    lines = text.broken_lines(words, room / size)
    return FieldValue(tuple("".join(run.text for run in line) for line in lines), size, width_fault(words, room / size))


def grid_slices(style: PanelStyle, piece: FieldGrid, measure: float) -> Iterator[Slice]:
    """Yield the heads and rows of a table to write in, each column at least as wide as its head."""
    size = style.size
    words = [sentence_words(head, bold=True) for head in piece.heads]
    needed = [text.widest_word(head) * size + 2 * size * SIDE if head else 0.0 for head in words]
    shares = piece.shares
    if any(share * measure < width for share, width in zip(shares, needed, strict=True)):
        room = max(measure - sum(needed), 0.0)
        shares = tuple((width + share * room) / measure for share, width in zip(shares, needed, strict=True))
    head = head_slice(style, piece, shares, measure)
    if head:
        yield head
    narrow = "is too narrow for its heads, and does not fit" if sum(needed) > measure else ""
    for index, row in enumerate(piece.rows):
        made = _grid_row(style, (piece, index), row, [share * measure for share in shares])
        yield replace(made, head=head if index else None, fault=made.fault or narrow)


def _grid_row(
    style: PanelStyle, source: tuple[FieldGrid, int], cells: tuple[FieldCell, ...], widths: Sequence[float]
) -> Slice:
    """Return a row as high as its longest label or value."""
    size, pad, step = style.size, style.size * SIDE, style.size * LEADING
    labels = [sentence_words(cell.label, bold=True) for cell in cells]
    lines = [text.broken_lines(words, (width - 2 * pad) / size) for words, width in zip(labels, widths, strict=True)]
    values = [_field_value(style, cell, width - 3) for cell, width in zip(cells, widths, strict=True)]
    tallest = max(*(len(label_lines) for label_lines in lines), *(len(value.lines) for value in values))
    ticked = _MIN_BOX + 1 if any(cell.tick for cell in cells) else 0.0
    height = max(size * 1.85, tallest * step + size * 0.5, ticked)
    measure = sum(widths)

    def draw(canvas: Canvas, x: float, y: float, more: float) -> None:
        pen.draw_rules(canvas, GREY, 0.4, (x, y - height - more, x + measure, y - height - more))
        y -= more
        for index, (cell, label_lines, value, width) in enumerate(zip(cells, lines, values, widths, strict=True)):
            with tags.tagged_as(canvas, *source, index):
                if label_lines:
                    draw_text(canvas, label_lines, x + pad, y - (height - len(label_lines) * step) / 2, size)
                elif cell.tick:
                    side = min(_MIN_BOX, width - 2)
                    _draw_tick(style, canvas, cell, x + pad, y + (more - height - side) / 2, side)
                elif cell.name:
                    many = len(value.lines) > 1
                    tall = len(value.lines) * step if many else height - 1
                    place = (x + 1.5, y - height / 2 - tall / 2, width - 3, tall)
                    style.form.text(canvas, cell.name, cell.tip, value, place, step=step, many=many)
            x += width

    tight = (width_fault(words, (width - 2 * pad) / size) for words, width in zip(labels, widths, strict=True))
    fault = next((each for each in (*tight, *(value.fault for value in values)) if each), "")
    return Slice(height, 0, draw, fault=fault, grows=size)


def box_row_slice(style: PanelStyle, piece: BoxRow, measure: float) -> Slice:
    """Return boxes as large as the width allows within reason, in rows of equal length."""
    size, gap, small = style.size, 1.0 * MM, style.small
    words = sentence_words(piece.label)
    lines = text.broken_lines(words, measure / size)
    minimum = _MIN_BOX if size < LARGE else size * 1.8
    widest = max((fonts.text_width(each, fonts.SANS) * small for each in piece.under), default=0.0)
    row_count = -(-len(piece.boxes) // max(1, int((measure + gap) // (max(minimum, widest) + gap))))
    across = -(-len(piece.boxes) // row_count)
    side = min((measure + gap) / across - gap, max(_MAX_BOX, size * 1.8))
    step = (measure + gap) / across if piece.under else side + gap
    tall = side / DROP_WIDTH if piece.sign == "drop" else side
    row_height = tall + gap + (2.2 * small * LEADING if piece.under else 0.0)
    head = len(lines) * size * LEADING + gap

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_text(canvas, lines, x, y, size)
        for index, box in enumerate(piece.boxes):
            row, column = divmod(index, across)
            left = x + column * step + (step - gap - side) / 2
            bottom = y - head - row * row_height - (tall + side) / 2
            below = (box.text, *piece.under[index : index + 1]) if piece.under else ()
            style.form.box(canvas, replace(box, text="" if below else box.text), (left, bottom, side), piece.sign)
            for line, each in enumerate(below):
                font, base = fonts.SANS if line else fonts.SANS_BOLD, bottom - small * (1 + line * LEADING)
                pen.draw_line(canvas, each, left + side / 2, base, font, small, align="middle")

    return Slice(head + row_count * row_height, size * 0.2, draw, fault=width_fault(words, measure / size))


def ladder_slice(style: PanelStyle, piece: Ladder, measure: float) -> Slice:
    """Return boxes with their words beside them, an arrow from each to the next, as many in a row as have room."""
    size, side, arrow, bold = style.size, style.size * 1.25, style.size * 1.1, fonts.SANS_BOLD
    widths = [side + size * 0.35 + fonts.text_width(box.text, bold) * size for box in piece.boxes]
    places: list[tuple[float, int]] = []
    left, row = fonts.text_width(f"{piece.label}  ", bold) * size, 0
    for width in widths:
        if places and left + width > measure:
            left, row = 0.0, row + 1
        places.append((left, row))
        left += width + size * 0.35 + arrow
    step = size * 1.75

    def draw(canvas: Canvas, x: float, y: float) -> None:
        pen.draw_line(canvas, piece.label, x, y - step + size * 0.5, bold, size)
        for index, (box, (indent, row)) in enumerate(zip(piece.boxes, places, strict=True)):
            bottom = y - (row + 1) * step + size * 0.2
            with tags.tagged_as(canvas, box):
                style.form.box(canvas, replace(box, text=""), (x + indent, bottom, side))
                left = x + indent + side + size * 0.35
                pen.draw_line(canvas, box.text, left, bottom + size * 0.3, bold, size)
            if index + 1 < len(places) and places[index + 1][1] == row:
                _draw_arrow(canvas, x + places[index + 1][0] - arrow * 0.95, bottom + side / 2, arrow * 0.6)

    too_wide = f'is too wide for its column, as for "{piece.boxes[0].text}", and does not fit'
    return Slice((row + 1) * step, size * 0.4, draw, fault=too_wide if max(widths) > measure else "")


def _draw_arrow(canvas: Canvas, x: float, y: float, length: float) -> None:
    """Draw a small arrow to the right, its tail at (x, y)."""
    tip = x + length
    pen.draw_rules(canvas, GREY, 0.7, (x, y, tip, y), (tip - 2.2, y + 1.8, tip, y), (tip - 2.2, y - 1.8, tip, y))


def tick_slices(style: PanelStyle, piece: Ticks, measure: float) -> Iterator[Slice]:
    """Yield a row of boxes at a time; the boxes run down the columns, as a list is read."""
    size, side, indent = style.size, style.size * 1.15, style.size * 1.55
    widest = max(fonts.text_width(word, fonts.SANS) for box in piece.boxes for word in box.text.split() or [""])
    across = max(1, min(piece.columns, int(measure / (widest * size + indent + size * 0.5))))
    width = measure / across
    row_count = -(-len(piece.boxes) // across)

    def draw(boxes: Sequence[Box], labels: Sequence[tuple[text.Line, ...]], canvas: Canvas, x: float, y: float) -> None:
        for box, label in zip(boxes, labels, strict=True):
            with tags.tagged_as(canvas, box):
                style.form.box(canvas, replace(box, text=""), (x, y - size * 0.15 - side, side))
                draw_text(canvas, label, x + indent, y - size * 0.2, size)
            x += width

    for row in range(row_count):
        boxes = piece.boxes[row::row_count]
        words = [text.split_words((text.Run(box.text, fonts.SANS),)) for box in boxes]
        labels = [text.broken_lines(each, (width - indent - size * 0.5) / size) for each in words]
        yield Slice(max(map(len, labels)) * size * LEADING + size * 0.4, 0, partial(draw, boxes, labels))

"""Panels on paper: pieces set at one type size, cut into slices, and poured into columns that balance.

A slice is what is never split: a paragraph, a table's row, a chart. Headings stay with what follows. All lengths are
points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from reportlab.pdfgen.canvas import Canvas

from generator.errors import HackjackError
from generator.paper import charts, fonts, text
from generator.paper.art import SUITS
from generator.paper.document import MM
from generator.paper.form import Form
from generator.paper.ink import BLACK, GREY, Inks, tint
from generator.pieces import (
    Bars,
    BodyFigure,
    BoxRow,
    FieldLine,
    FieldRow,
    Heading,
    Page,
    Paragraph,
    Piece,
    TableRow,
    Wound,
)

LEADING = 1.18
STEP = 0.25
_PAD = 0.28
"""Space above and below the text of a table row, in units of the type size."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the columns of a page stand: the lower left corner, the size of each, and the gutter between them."""

    x: float
    y: float
    width: float
    height: float
    columns: int
    gutter: float

    @property
    def measure(self) -> float:
        """The width of one column."""
        return (self.width - self.gutter * (self.columns - 1)) / self.columns


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece, set: its height, the space before it, and how it is drawn from its top left corner down."""

    height: float
    before: float
    draw: Callable[[Canvas, float, float], None]
    keep: bool
    block: str
    column: bool = False


class OverflowError(HackjackError):
    """A page does not fit even at the smallest type; names the block that is too much."""


def fitted(
    pages: Sequence[tuple[Page, Frame]], largest: float, smallest: float, setter: Callable[[float], Setter]
) -> float:
    """The largest type size at which every page fits. Raises OverflowError that names page and block."""
    steps = round((largest - smallest) / STEP)
    too_much = ""
    for step in range(steps + 1):
        size = largest - step * STEP
        too_much = next(
            (
                fault
                for page, frame in pages
                if (fault := overflow(setter(size).slices(page, frame.measure), page, frame))
            ),
            "",
        )
        if not too_much:
            return size
    raise OverflowError(f"{too_much} even at {smallest:g} pt: shorten it, or give the panel fewer blocks")


def check_glyphs(page: Page) -> None:
    """Every text of a page must have glyphs; what fills a form is checked where it is printed.

    Raises HackjackError that names the block.
    """
    for piece, block in zip(page.pieces, page.blocks, strict=True):
        font = fonts.SERIF_BOLD if isinstance(piece, Heading) else fonts.SANS
        for said in _texts(piece):
            if letters := fonts.missing(said, font):
                shown = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:5])
                where = f'the block "{block}" of the panel "{page.title}"'
                raise HackjackError(f'{where}: the printed font has no {shown}, as in "{said[:40]}"')


def _texts(piece: Piece) -> tuple[str, ...]:
    """What a piece says by itself, without what fills it."""
    match piece:
        case Heading():
            return (piece.text,)
        case Paragraph():
            return (piece.label, piece.strong, piece.text)
        case TableRow():
            return piece.cells
        case Wound():
            return (piece.name, piece.figures, piece.text)
        case Bars():
            return (*piece.labels, piece.across, piece.note)
        case FieldLine() | BoxRow():
            return (piece.label,)
        case FieldRow() | BodyFigure():
            return ()
        case _:
            assert_never(piece)


def overflow(slices: Sequence[Slice], page: Page, frame: Frame) -> str:
    """Empty where a page fits, otherwise which block does not."""
    poured = _poured(slices, frame.columns, frame.height)
    if poured is not None:
        return ""
    for taken in range(len(slices), 0, -1):
        if _poured(slices[:taken], frame.columns, frame.height) is not None:
            return f'the panel "{page.title}" is full: the block "{slices[taken].block}" does not fit'
    return f'the block "{slices[0].block}" of the panel "{page.title}" does not fit'


def draw(canvas: Canvas, slices: Sequence[Slice], frame: Frame) -> None:
    """Pour the slices into the frame's columns, as evenly as they go, and draw them."""
    columns = _balanced(slices, frame)
    for place, column in enumerate(columns):
        x = frame.x + place * (frame.measure + frame.gutter)
        y = frame.y + frame.height
        for at, piece in enumerate(column):
            y -= piece.before if at else 0
            piece.draw(canvas, x, y)
            y -= piece.height


def _balanced(slices: Sequence[Slice], frame: Frame) -> list[list[Slice]]:
    """The columns with the lowest height that still holds everything."""
    low, high = 0.0, frame.height
    best = _poured(slices, frame.columns, high)
    if best is None:
        raise OverflowError("the page does not fit")
    while high - low > 1:
        middle = (low + high) / 2
        poured = _poured(slices, frame.columns, middle)
        if poured is None:
            low = middle
        else:
            best, high = poured, middle
    return best


def _poured(slices: Sequence[Slice], columns: int, height: float) -> list[list[Slice]] | None:
    """Fill one column after the other up to a height; None when there are too few columns."""
    filled: list[list[Slice]] = [[]]
    room = height
    for group in _groups(slices):
        need = sum(piece.height for piece in group) + sum(piece.before for piece in group[1:])
        before = group[0].before if filled[-1] else 0
        breaks = group[0].column and len(filled) < columns
        if filled[-1] and (breaks or need + before > room + 1e-6):
            filled.append([])
            room, before = height, 0
        if need > room + 1e-6 or len(filled) > columns:
            return None
        filled[-1] += group
        room -= need + before
    return filled


def _groups(slices: Sequence[Slice]) -> list[list[Slice]]:
    """Slices that must stay together: a heading, a table's head, and the row that follows."""
    groups: list[list[Slice]] = []
    joined = False
    for piece in slices:
        if joined:
            groups[-1].append(piece)
        else:
            groups.append([piece])
        joined = piece.keep
    return groups


class Setter:
    """Sets pieces at one type size."""

    def __init__(self, size: float, inks: Inks, form: Form) -> None:
        self.size, self.inks, self.form = size, inks, form

    def slices(self, page: Page, measure: float) -> list[Slice]:
        """The pieces of a page as slices of a column's width."""
        return [self._slice(piece, measure, block) for piece, block in zip(page.pieces, page.blocks, strict=True)]

    def _slice(self, piece: Piece, measure: float, block: str) -> Slice:
        match piece:
            case Heading():
                return self._heading(piece, measure, block)
            case Paragraph():
                return self._paragraph(piece, measure, block)
            case TableRow():
                return self._row(piece, measure, block)
            case Wound():
                return self._wound(piece, measure, block)
            case Bars():
                height = min(measure * 0.52, 52 * MM)
                return Slice(
                    height,
                    self.size * 0.4,
                    lambda c, x, y: charts.draw(c, piece, x, y - height, measure, height),
                    False,
                    block,
                )
            case FieldLine():
                return self._field(piece, measure, block)
            case FieldRow():
                return self._field_row(piece, measure, block)
            case BoxRow():
                return self._boxes(piece, measure, block)
            case BodyFigure():
                height = piece.height * MM
                return Slice(
                    height, self.size * 0.5, lambda c, x, y: charts.body(c, x + measure / 2, y, height), False, block
                )
            case _:
                assert_never(piece)

    def _heading(self, piece: Heading, measure: float, block: str) -> Slice:
        size = self.size * 1.5
        words = text.words((text.Run(piece.text, fonts.use(fonts.SERIF_BOLD)),))
        lines = text.broken(words, measure / size)
        height = len(lines) * size * 1.05 + self.size * 0.45

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColorRGB(*BLACK)
            for at, line in enumerate(lines):
                _line(canvas, line, x, y - size * (0.85 + 1.05 * at), size)
            canvas.setStrokeColorRGB(*BLACK)
            canvas.setLineWidth(1.2)
            foot = y - height + self.size * 0.15
            canvas.line(x, foot, x + measure, foot)

        return Slice(height, self.size * 0.9, drawn, True, block, piece.column)

    def _paragraph(self, piece: Paragraph, measure: float, block: str) -> Slice:
        size = self.size
        indent = 0.0
        if piece.label:
            wide = fonts.width(piece.label, fonts.use(fonts.SANS_BOLD))
            indent = max(1.25, wide + 0.45) * size
        runs = text.figures_bold(piece.text, fonts.use(fonts.SANS), fonts.use(fonts.SANS_BOLD))
        if piece.strong:
            runs = (text.Run(f"{piece.strong}: ", fonts.SANS_BOLD), *runs)
        lines = text.broken(text.words(runs), (measure - indent) / size)

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColorRGB(*BLACK)
            if piece.label:
                _line(canvas, (text.Run(piece.label, fonts.SANS_BOLD),), x, y - size * 0.86, size)
            _lines(canvas, lines, x + indent, y, size)

        return Slice(len(lines) * size * LEADING, size * 0.32, drawn, False, block)

    def _row(self, piece: TableRow, measure: float, block: str) -> Slice:
        size, pad = self.size, self.size * 0.35
        plain = fonts.use(fonts.SANS_BOLD if piece.header else fonts.SANS)
        cells = [
            text.broken(
                text.words(text.figures_bold(cell, plain, fonts.use(fonts.SANS_BOLD))),
                (share * measure - 2 * pad) / size,
            )
            for cell, share in zip(piece.cells, piece.shares, strict=True)
        ]
        height = max(max(map(len, cells)), 1) * size * LEADING + 2 * _PAD * size * 0.5

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            self._ground(canvas, x, y, measure, height, band=piece.band, header=piece.header)
            canvas.setFillColorRGB(*BLACK)
            left = x
            for lines, share in zip(cells, piece.shares, strict=True):
                _lines(canvas, lines, left + pad, y - _PAD * size * 0.5, size)
                left += share * measure

        return Slice(height, 0, drawn, piece.header, block)

    def _wound(self, piece: Wound, measure: float, block: str) -> Slice:
        size, indent = self.size, self.size * 2.35
        colour = self.inks.of(piece.suit)
        plain, bold = fonts.use(fonts.SANS), fonts.use(fonts.SANS_BOLD)
        head = f"{piece.name} [{piece.figures}]" if piece.figures else piece.name
        runs = [text.Run(f"{head}:" if piece.text else head, bold)]
        if piece.text:
            runs += [text.Run(" ", plain), *text.figures_bold(piece.text, plain, bold)]
        lines = text.broken(text.words(runs), (measure - indent - size * 0.3) / size)
        height = len(lines) * size * LEADING + size * 0.2

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            self._ground(canvas, x, y, measure, height, band=piece.band, header=False)
            canvas.setFillColorRGB(*colour)
            _line(canvas, (text.Run(piece.rank, bold),), x + size * 0.2, y - size * 0.96, size)
            SUITS[piece.suit].draw(canvas, x + size * 1.75, y - size * 0.64, size * 0.82)
            canvas.setFillColorRGB(*BLACK)
            _lines(canvas, lines, x + indent, y - size * 0.1, size)

        return Slice(height, 0, drawn, False, block)

    def _ground(
        self, canvas: Canvas, x: float, y: float, measure: float, height: float, *, band: bool, header: bool
    ) -> None:
        """The light band behind every other row, the line under a table's head."""
        if band and self.inks.solid:
            canvas.setFillColorRGB(*tint(BLACK, 0.08))
            canvas.rect(x, y - height, measure, height, stroke=0, fill=1)
        canvas.setStrokeColorRGB(*(BLACK if header else GREY))
        canvas.setLineWidth(0.7 if header else 0.2)
        if header or not self.inks.solid:
            canvas.line(x, y - height, x + measure, y - height)

    def _field(self, piece: FieldLine, measure: float, block: str) -> Slice:
        size = self.size
        wide = fonts.width(f"{piece.label}  ", fonts.use(fonts.SANS_BOLD)) * size
        step = size * 1.75
        height = piece.lines * step

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColorRGB(*BLACK)
            _line(canvas, (text.Run(piece.label, fonts.SANS_BOLD),), x, y - step + size * 0.35, size)
            canvas.setStrokeColorRGB(*GREY)
            canvas.setLineWidth(0.5)
            for at in range(piece.lines):
                left = x + (wide if at == 0 else 0)
                canvas.line(left, y - (at + 1) * step, x + measure, y - (at + 1) * step)
            left = x + wide
            tall = step if piece.lines == 1 else height
            self.form.text(
                canvas,
                piece.name,
                piece.label,
                piece.value,
                (left, y - tall, x + measure - left, tall - 1),
                size,
                lines=piece.lines,
            )

        return Slice(height, size * 0.5, drawn, False, block)

    def _field_row(self, piece: FieldRow, measure: float, block: str) -> Slice:
        size = self.size
        height = size * 1.85

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            canvas.setStrokeColorRGB(*GREY)
            canvas.setLineWidth(0.4)
            canvas.line(x, y - height, x + measure, y - height)
            left = x
            for name, tip, value, share in zip(piece.names, piece.tips, piece.values, piece.shares, strict=True):
                wide = share * measure
                box = (left + 1.5, y - height + 0.5, wide - 3, height - 1)
                self.form.text(canvas, name, tip, value, box, size)
                left += wide

        return Slice(height, 0, drawn, False, block)

    def _boxes(self, piece: BoxRow, measure: float, block: str) -> Slice:
        size = self.size
        side = max(size * 1.35, 4.2 * MM)
        step = side + 1.1 * MM
        across = max(1, int((measure + 1.1 * MM) // step))
        rows = -(-piece.count // across)
        head = size * LEADING + 1 * MM
        height = head + rows * step

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            canvas.setFillColorRGB(*BLACK)
            _line(canvas, (text.Run(piece.label, fonts.use(fonts.SANS)),), x, y - size * 0.86, size)
            for at in range(piece.count):
                row, column = divmod(at, across)
                box = (x + column * step, y - head - row * step - side, side)
                self.form.box(
                    canvas, f"{piece.name}_{at + 1}", f"{piece.name} {at + 1}", at < piece.ticked, box, str(at + 1)
                )

        return Slice(height, size * 0.2, drawn, False, block)


def _line(canvas: Canvas, line: Sequence[text.Run], x: float, y: float, size: float) -> None:
    block = canvas.beginText(x, y)
    for run in line:
        block.setFont(fonts.use(run.font), size)
        block.textOut(run.text)
    canvas.drawText(block)


def _lines(canvas: Canvas, lines: Sequence[text.Line], x: float, y: float, size: float) -> None:
    """Lines below each other, the first one's top at y."""
    if not lines:
        return
    block = canvas.beginText(x, y - size * 0.86)
    for line in lines:
        for run in line:
            block.setFont(fonts.use(run.font), size, size * LEADING)
            block.textOut(run.text)
        block.moveCursor(0, size * LEADING)
    canvas.drawText(block)

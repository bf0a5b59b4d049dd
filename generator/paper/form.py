"""Form fields: real ones in a file to fill in, or plain ink for the print shop."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from reportlab.lib.colors import Color
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObjectReference, PDFString, xObjectName
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.layout.panel_elements import Box, BoxRow, FieldGrid, FieldLines, Ladder, Page, Piece, Ticks
from generator.paper import fonts, pen, tags, text
from generator.paper.art import emblem_outline
from generator.paper.badges import draw_sign
from generator.paper.document import Paper
from generator.paper.ink import BLACK, GREY

Room = tuple[float, float, float, float]
"""Left, foot, width, height, pt."""

MAX_TEXT = 400
"""The most that fits into a field; more only where the state already holds more."""


DROP_WIDTH = 0.65
"""The width of a drop to shade, in units of its height."""
MAX_WRITTEN = 18.0
"""The largest type that is typed into a field, pt."""


class FieldValue(Struct, frozen=True):
    """The filling of a field: its lines and their size, pt; `fault` says why they cannot stand there."""

    lines: tuple[str, ...]
    size: float
    fault: str = ""

    @property
    def runs(self) -> tuple[text.Line, ...]:
        """The lines as they are printed."""
        return tuple((text.Run(line, fonts.SANS),) for line in self.lines)

    @property
    def text(self) -> str:
        """The value as the form keeps it."""
        return " ".join(self.lines)


def names_twice(pages: Iterable[Page]) -> Iterator[tuple[int, int, str]]:
    """Panel and block whose fields are called as others before them: two of one name would be rivals in a viewer."""
    seen: set[str] = set()
    for page in pages:
        seen.update(_names(page.heads) if page.heads else ())
        for block in page.blocks:
            names = [name for piece in block.pieces for name in _names(piece)]
            again = next((name for at, name in enumerate(names) if name in seen or name in names[:at]), None)
            if again:
                what = f'the block "{block.name}" has a field called "{again}", and so has another'
                yield page.place, block.place, f"{what}: give each a name of its own"
            seen.update(names)


def _names(piece: Piece) -> Iterator[str]:
    """Yield the form fields that a piece makes."""
    match piece:
        case FieldLines():
            yield from (cell.name for cell in piece.fields)
        case FieldGrid():
            yield from (cell.name for row in piece.rows for cell in row if cell.name)
        case BoxRow() | Ladder() | Ticks():
            yield from (box.name for box in piece.boxes)


class Form:
    """Draws fields; keeps their names apart. With `fillable` off, values are printed and no field is made."""

    def __init__(self, *, fillable: bool) -> None:
        self.fillable = fillable
        self._names: set[str] = set()

    def text(
        self, canvas: Canvas, name: str, tip: str, value: FieldValue, room: Room, *, step: float, many: bool = False
    ) -> None:
        """A field to write in, in the order of drawing, filled with a value; its lines stand `step` pt apart.

        A field for `many` lines is filled from the top, another one in the middle of its height.
        """
        left, foot, width, height = room
        missing = fonts.missing_letters(value.text, fonts.SANS)
        if not self.fillable:
            if missing:
                problem = pen.missing_glyphs(missing, fonts.SANS, value.text)
                raise HackjackError(f"{problem}, or use the fillable sheet")
            _write(canvas, value, left, foot, height, step, many=many)
            return
        name = self._named(canvas, name)
        canvas.acroForm.textfield(
            name=name,
            tooltip=tip,
            x=left,
            y=foot,
            width=width,
            height=height,
            fontName="Helvetica",
            fontSize=min(value.size, MAX_WRITTEN),
            borderWidth=0,
            borderStyle="solid",
            fillColor=None,
            borderColor=None,
            forceBorder=False,
            fieldFlags="multiline" if many else "",
            maxlen=max(MAX_TEXT, len(value.text)),
            value="",
        )
        tags.tag_field(canvas)
        if value.text:
            self._fill(canvas, name, value, room, step, many=many, drawable=not missing)

    def box(self, canvas: Canvas, box: Box, place: tuple[float, float, float], sign: str = "") -> None:
        """A box to tick at (left, foot) with its side, its text small inside it; or a sign to shade in its place."""
        left, foot, side = place
        size, middle = max(6.5, side * 0.56), foot + side / 2
        if sign:
            high = side / DROP_WIDTH if sign == "drop" else side * 1.08
            draw_sign(canvas, emblem_outline(sign), left + side / 2, middle, high, GREY, solid=False, wide=0.8)
        else:
            pen.draw_box(canvas, (left, foot, side, side), edge=BLACK, wide=0.6)
        base = middle - size * (0.7 if sign == "drop" else 0.34)
        pen.draw_line(canvas, box.text, left + side / 2, base, fonts.SANS, size, align="middle", colour=GREY)
        if self.fillable:
            canvas.acroForm.checkbox(
                name=self._named(canvas, box.name),
                tooltip=box.tip,
                checked=box.ticked,
                x=left,
                y=foot,
                size=side,
                buttonStyle="cross",
                borderWidth=0,
                fillColor=Color(1, 1, 1, 0),
                borderColor=None,
                forceBorder=False,
                fieldFlags="",
            )
            tags.tag_field(canvas)
        elif box.ticked:
            arm = side / 2 - 1.5
            pen.draw_cross(canvas, left + side / 2, middle, arm, 1.1)

    def _named(self, canvas: Canvas, name: str) -> str:
        """Return the name of a field in the whole document: two of one name would be rivals in every viewer."""
        if name in self._names:
            raise HackjackError(f'the sheet has two fields called "{name}": give each block a name of its own')
        self._names.add(name)
        return _own(canvas, name)

    def _fill(
        self, canvas: Canvas, name: str, value: FieldValue, room: Room, step: float, *, many: bool, drawable: bool
    ) -> None:
        """Set the value of the field drawn last, and draw it in our own font.

        reportlab draws fields in Helvetica, which has the letters of Western Europe alone. What our font lacks too, the
        viewer is asked to draw: it has fonts for every script.
        """
        _, _, width, height = room
        field = canvas._doc.idToObject[canvas.acroForm.fields[-1].name]
        field.dict["V"] = field.dict["DV"] = PDFString(value.text)
        if not drawable:
            canvas.acroForm.extras["NeedAppearances"] = "true"
            return
        drawn = f"value_{name}"
        canvas.beginForm(drawn, 0, 0, width, height)
        _write(canvas, value, 0, 0, height, step, many=many)
        canvas.endForm()
        field.dict["AP"] = PDFDictionary({"N": PDFObjectReference(xObjectName(_own(canvas, drawn)))})


def _own(canvas: Canvas, name: str) -> str:
    """Return the name of a field or a form in the whole document."""
    return canvas.own_name(name) if isinstance(canvas, Paper) else name


def _write(
    canvas: Canvas, value: FieldValue, left: float, foot: float, height: float, step: float, *, many: bool
) -> None:
    """The lines of a value, from the top of the field or in its middle."""
    above = 0.0 if many else (height - step * len(value.lines)) / 2
    first = foot + height - above - step + value.size * 0.35
    pen.draw_lines(canvas, value.runs, left + 1, first, value.size, step / value.size)

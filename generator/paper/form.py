"""Form fields: real ones in a file to fill in, or plain ink for the print shop."""

from __future__ import annotations

from reportlab.lib.colors import Color
from reportlab.pdfbase.pdfdoc import PDFString
from reportlab.pdfgen.canvas import Canvas

from generator.errors import HackjackError
from generator.paper import fonts
from generator.paper.ink import BLACK, GREY
from generator.pieces import Box

Room = tuple[float, float, float, float]
"""Left, foot, width, height, pt."""

MOST_TEXT = 400


class Form:
    """Draws fields; keeps their names apart. With `fillable` off, values are printed and no field is made."""

    def __init__(self, *, fillable: bool) -> None:
        self.fillable = fillable
        self._names: set[str] = set()

    def text(self, canvas: Canvas, name: str, tip: str, value: str, room: Room, size: float, *, lines: int = 1) -> None:
        """A field to write in, in the order of drawing, filled with a value."""
        left, foot, width, height = room
        if not self.fillable:
            self._print(canvas, value, left, foot + height * 0.28, width, size)
            return
        self._named(name)
        canvas.acroForm.textfield(
            name=name,
            tooltip=tip,
            x=left,
            y=foot,
            width=width,
            height=height,
            fontName="Helvetica",
            fontSize=min(size, 10),
            borderWidth=0,
            borderStyle="solid",
            fillColor=None,
            borderColor=None,
            forceBorder=False,
            fieldFlags="multiline" if lines > 1 else "",
            maxlen=MOST_TEXT,
            value=value if _latin(value) else "",
        )
        if not _latin(value):
            self._fill(canvas, value)

    def box(self, canvas: Canvas, box: Box, place: tuple[float, float, float]) -> None:
        """A box to tick at (left, foot) with its side, its text small inside it."""
        left, foot, side = place
        canvas.setStrokeColorRGB(*BLACK)
        canvas.setLineWidth(0.6)
        canvas.rect(left, foot, side, side, stroke=1, fill=0)
        if box.text:
            canvas.setFillColorRGB(*GREY)
            size = 6.5
            wide = fonts.width(box.text, fonts.use(fonts.SANS)) * size
            label = canvas.beginText(left + side / 2 - wide / 2, foot + side / 2 - size * 0.34)
            label.setFont(fonts.SANS, size)
            label.textOut(box.text)
            canvas.drawText(label)
        if self.fillable:
            self._named(box.name)
            canvas.acroForm.checkbox(
                name=box.name,
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
        elif box.ticked:
            canvas.setLineWidth(1.1)
            near, far = 1.5, side - 1.5
            canvas.lines(
                [
                    (left + near, foot + near, left + far, foot + far),
                    (left + near, foot + far, left + far, foot + near),
                ]
            )

    def _named(self, name: str) -> None:
        """Two fields of one name would be rivals in every viewer."""
        if name in self._names:
            raise HackjackError(f'the sheet has two fields called "{name}": give each block a name of its own')
        self._names.add(name)

    def _print(self, canvas: Canvas, value: str, x: float, y: float, width: float, size: float) -> None:
        if not value:
            return
        font = fonts.use(fonts.SANS)
        if letters := fonts.missing(value, font):
            raise HackjackError(f'the printed font has no {letters[:5]}, as in "{value[:40]}": use the fillable sheet')
        size = max(6.5, min(size, width / fonts.width(value, font)))
        canvas.setFillColorRGB(*BLACK)
        line = canvas.beginText(x + 1, y)
        line.setFont(font, size)
        line.textOut(value)
        canvas.drawText(line)

    def _fill(self, canvas: Canvas, value: str) -> None:
        """Set the value of the field drawn last, where reportlab's own appearance cannot show it.

        The viewer is asked to draw such fields itself: it has fonts for every script, and ours embeds none in forms.
        """
        field = canvas._doc.idToObject[canvas.acroForm.fields[-1].name]
        field.dict["V"] = PDFString(value[:MOST_TEXT])
        canvas.acroForm.extras["NeedAppearances"] = "true"


def _latin(value: str) -> bool:
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True

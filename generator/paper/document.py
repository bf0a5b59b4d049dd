"""A PDF file: opened with everything that print shops ask for, saved whole."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from math import hypot
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from reportlab.lib.colors import CMYKColor, Color
from reportlab.pdfgen.canvas import Canvas

from generator.base.files import written_whole
from generator.layout.printed import Box, Matrix, PageSeen, Printed, Text, around, in_mm, times
from generator.layout.sheets import MM as MM
from generator.paper import fonts
from generator.paper.ink import Inks, inks_of, sharpened
from generator.paper.tags import Tags

Contrast = Literal["normal", "high"]


class Looks(Struct, frozen=True, kw_only=True):
    """How anything is printed; `tagged` to be read aloud as well."""

    ink: Literal["full", "saver"] = "full"
    suits: Literal["two", "four"] = "two"
    compressed: bool = True
    contrast: Contrast = "normal"
    tagged: bool = True

    @property
    def inks(self) -> Inks:
        """The colours to print with."""
        return Inks(self.suits, self.ink == "full")


_PLAIN = Looks()


class Paper(Canvas):  # type: ignore[misc]
    """A canvas that keeps in mind what its pen writes on each page, so that nobody has to read the file to judge it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.tags: Tags | None = None
        self.pages: list[PageSeen] = []
        self._texts: list[Text] = []
        self._boxes: tuple[Box | None, Box | None] = None, None

    def note(
        self, said: str, font: str, size: float, at: tuple[float, float], matrix: Matrix, apart: float = 0.0
    ) -> None:
        """Text of so many pt that begins at a place, under a matrix; what forms hold is left to their fields."""
        if self.tags is not None and not self._formData:
            self.tags.heard(said)
        ink = fonts.ink(said, font)
        if ink is None or self._formData:
            return
        whole = times(matrix, self._currentMatrix)
        x, y = at
        left, foot, right, top = ink
        box = around(
            (x + left * size, y + foot * size, x + right * size + apart * (len(said) - 1), y + top * size), whole
        )
        self._texts.append(Text(font, True, size * hypot(whole[2], whole[3]), in_mm(box), lambda: said))

    def showPage(self) -> None:  # noqa: N802
        """End the page."""
        width, height = self._pagesize
        self.pages.append(PageSeen(len(self.pages) + 1, width / MM, height / MM, *self._boxes, tuple(self._texts)))
        self._texts.clear()
        if self.tags is None:
            super().showPage()
            return
        self.tags.end_page()
        super().showPage()
        self.tags.page_shown()

    def set_boxes(self, trim: Box, bleed: Box) -> None:
        """Trim box and bleed box of all pages, pt."""
        self.setTrimBox(trim)
        self.setBleedBox(bleed)
        self._boxes = in_mm(trim), in_mm(bleed)


def open_document(
    width: float,
    height: float,
    *,
    title: str,
    subject: str,
    looks: Looks = _PLAIN,
    duplex: bool = False,
    process: bool = False,
) -> Paper:
    """A canvas of one page size (pt), reproducible to the byte, with its metadata set and nothing left unembedded.

    With `process` every colour becomes process inks, and no wish is left for the printer of a home. With high
    `contrast` every colour is sharpened. What is drawn for a text is tagged, but for a print shop.
    """
    canvas = Paper(
        BytesIO(),
        pagesize=(width, height),
        invariant=1,
        pageCompression=int(looks.compressed),
        pdfVersion=(1, 4),
        lang="en",
        # Without this every page would name Helvetica, which is not embedded.
        initialFontName=fonts.use(fonts.SANS),
        initialFontSize=9,
        enforceColorSpace=_printed_as(looks.contrast, process=process),
    )
    if looks.tagged and not process:
        canvas.tags = Tags(canvas)
    canvas.setTitle(title)
    canvas.setAuthor("Hackjack")
    canvas.setSubject(subject)
    canvas.setCreator("hackjack")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if not process:
        canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    return canvas


def _printed_as(contrast: Contrast, *, process: bool) -> Callable[[Any], Any] | None:
    """What reportlab asks for every colour, of text and charts too: the one to print instead. None where all stay."""
    if contrast == "normal" and not process:
        return None

    def instead(colour: Any) -> Any:
        parts = (colour.red, colour.green, colour.blue) if isinstance(colour, Color) else tuple(colour)
        if isinstance(colour, CMYKColor) or len(parts) != 3:
            return colour
        seen = sharpened(parts) if contrast == "high" else parts
        if process:
            return inks_of(seen)
        return Color(*seen, alpha=colour.alpha) if isinstance(colour, Color) else seen

    return instead


def close_document(canvas: Paper) -> Printed:
    """The finished file's bytes, with what stands on its pages."""
    if canvas.tags is not None:
        canvas.tags.finish()
    canvas.save()
    made = Printed(canvas._filename.getvalue())
    made.pages = tuple(canvas.pages)
    return made


def save(data: bytes, path: Path) -> None:
    """Write the file whole or not at all. Raises HackjackError."""
    with written_whole(path) as stream:
        stream.write(data)

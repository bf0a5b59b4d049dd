"""A PDF file: opened with everything that print shops ask for, saved whole."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from reportlab.pdfbase.pdfdoc import PDFName
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from generator.files import written_whole
from generator.paper import fonts
from generator.paper.ink import inks_of
from generator.sheets import MM as MM


def open_document(
    width: float,
    height: float,
    *,
    title: str,
    subject: str,
    duplex: bool = False,
    compressed: bool = True,
    process: bool = False,
) -> Canvas:
    """A canvas of one page size (pt), reproducible to the byte, with its metadata set and nothing left unembedded.

    With `process` every colour becomes process inks, and no wish is left for the printer of a home.
    """
    canvas = (_ProcessCanvas if process else Canvas)(
        BytesIO(),
        pagesize=(width, height),
        invariant=1,
        pageCompression=int(compressed),
        pdfVersion=(1, 4),
        lang="en",
        # Without this every page would name Helvetica, which is not embedded.
        initialFontName=fonts.use(fonts.SANS),
        initialFontSize=9,
    )
    canvas.setTitle(title)
    canvas.setAuthor("Hackjack")
    canvas.setSubject(subject)
    canvas.setCreator("hackjack")
    if not process:
        canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    return canvas


class _ProcessText(PDFTextObject):  # type: ignore[misc]  # reportlab has no types
    """Text in process inks: text objects set their colours themselves."""

    def setFillColorRGB(self, r: float, g: float, b: float) -> None:  # noqa: N802
        """Write with the inks that make the colour."""
        self.setFillColorCMYK(*inks_of((r, g, b)))


class _ProcessCanvas(Canvas):  # type: ignore[misc]  # reportlab has no types
    """A canvas that prints the house's colours in process inks."""

    def setFillColorRGB(self, r: float, g: float, b: float, alpha: float | None = None) -> None:  # noqa: N802
        """Fill with the inks that make the colour."""
        self.setFillColorCMYK(*inks_of((r, g, b)), alpha=alpha)

    def setStrokeColorRGB(self, r: float, g: float, b: float, alpha: float | None = None) -> None:  # noqa: N802
        """Draw lines with the inks that make the colour."""
        self.setStrokeColorCMYK(*inks_of((r, g, b)), alpha=alpha)

    def beginText(self, x: float = 0, y: float = 0, direction: str | None = None) -> _ProcessText:  # noqa: N802
        """A text object that prints in process inks too."""
        return _ProcessText(self, x, y, direction=direction)


def set_boxes(canvas: Canvas, trim: tuple[float, float], size: tuple[float, float], bleed: tuple[float, float]) -> None:
    """The trim box with its lower left corner at `trim`, and the bleed box around it, for all pages (pt)."""
    (x, y), (wide, high), (aside, above) = trim, size, bleed
    canvas.setTrimBox((x, y, x + wide, y + high))
    canvas.setBleedBox((x - aside, y - above, x + wide + aside, y + high + above))


def tab_in_order(canvas: Canvas) -> None:
    """Let the tab key go through the fields of the page just shown in the order in which they were drawn.

    `/A` says so; readers that are older than this name follow the same order by themselves. Rows (`/R`) would jump
    from column to column.
    """
    page = canvas._doc.Pages.pages[-1]
    page.__NoDefault__ = [*page.__NoDefault__, "Tabs"]
    page.Tabs = PDFName("A")


def close_document(canvas: Canvas) -> bytes:
    """The finished file's bytes."""
    canvas.save()
    stream: BytesIO = canvas._filename
    return stream.getvalue()


def save(data: bytes, path: Path) -> None:
    """Write the file whole or not at all. Raises HackjackError."""
    with written_whole(path) as stream:
        stream.write(data)

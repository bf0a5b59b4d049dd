"""A PDF file: opened with everything that print shops ask for, saved whole."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from reportlab.lib.colors import CMYKColor, Color
from reportlab.pdfbase.pdfdoc import PDFName
from reportlab.pdfgen.canvas import Canvas

from generator.base.files import written_whole
from generator.layout.sheets import MM as MM
from generator.paper import fonts
from generator.paper.ink import inks_of, sharpened

Contrast = Literal["normal", "high"]


def open_document(
    width: float,
    height: float,
    *,
    title: str,
    subject: str,
    duplex: bool = False,
    compressed: bool = True,
    process: bool = False,
    contrast: Contrast = "normal",
) -> Canvas:
    """A canvas of one page size (pt), reproducible to the byte, with its metadata set and nothing left unembedded.

    With `process` every colour becomes process inks, and no wish is left for the printer of a home. With high
    `contrast` every colour is sharpened.
    """
    canvas = Canvas(
        BytesIO(),
        pagesize=(width, height),
        invariant=1,
        pageCompression=int(compressed),
        pdfVersion=(1, 4),
        lang="en",
        # Without this every page would name Helvetica, which is not embedded.
        initialFontName=fonts.use(fonts.SANS),
        initialFontSize=9,
        enforceColorSpace=_printed_as(contrast, process=process),
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

"""A PDF file: opened with everything that print shops ask for, saved whole."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from reportlab.pdfbase.pdfdoc import PDFName
from reportlab.pdfgen.canvas import Canvas

from generator.files import written_whole
from generator.paper import fonts
from generator.sheets import MM as MM


def open_document(
    width: float, height: float, *, title: str, subject: str, duplex: bool = False, compressed: bool = True
) -> Canvas:
    """A canvas of one page size (pt), reproducible to the byte, with its metadata set and nothing left unembedded."""
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
    )
    canvas.setTitle(title)
    canvas.setAuthor("Hackjack")
    canvas.setSubject(subject)
    canvas.setCreator("hackjack")
    canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    return canvas


def tab_by_rows(canvas: Canvas) -> None:
    """Let the tab key go through the fields of the page just shown row by row."""
    page = canvas._doc.Pages.pages[-1]
    page.__NoDefault__ = [*page.__NoDefault__, "Tabs"]
    page.Tabs = PDFName("R")


def close_document(canvas: Canvas) -> bytes:
    """The finished file's bytes."""
    canvas.save()
    stream: BytesIO = canvas._filename
    return stream.getvalue()


def save(data: bytes, path: Path) -> None:
    """Write the file whole or not at all. Raises HackjackError."""
    with written_whole(path) as stream:
        stream.write(data)

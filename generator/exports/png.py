"""Pages of our own PDFs as PNG pictures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pypdfium2
from PIL.Image import Image

LEAST_DPI, MOST_DPI = 36, 1200

# pdfium rounds sizes up; a hair less than the true scale gives the size that the arithmetic promises.
_HAIR = 1e-6


def pages(pdf: bytes, dpi: int) -> Iterator[Image]:
    """Every page of a PDF as an RGB picture at that resolution, one at a time."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(scale=dpi / 72 - _HAIR)
            yield bitmap.to_pil().convert("RGB")
            bitmap.close()
            page.close()
    finally:
        document.close()


def encoded(picture: Image, dpi: int) -> bytes:
    """A picture as the bytes of a PNG file that knows its resolution."""
    stream = BytesIO()
    picture.save(stream, "PNG", dpi=(dpi, dpi))
    return stream.getvalue()

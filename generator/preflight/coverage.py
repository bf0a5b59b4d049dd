"""How much of the paper the ink covers: the pages drawn small, each dot turned into four inks."""

from __future__ import annotations

import pypdfium2
from PIL import Image, ImageChops, ImageStat

DOTS = 36
"""To an inch: enough for a share of the area."""
MOST_DOTS = 4_000_000
"""For a page as large as a house fewer dots to the inch do."""


def coverage(data: bytes) -> list[float]:
    """The ink of each page in per cent of its area, all four inks added up: 5 for a page of text."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [_page(page) for page in document]
    finally:
        document.close()


def _page(page: pypdfium2.PdfPage) -> float:
    width, height = page.get_size()
    scale = min(DOTS / 72, (MOST_DOTS / max(width * height, 1)) ** 0.5)
    bitmap = page.render(scale=scale)
    try:
        inks = separated(bitmap.to_pil().convert("RGB"))
        return sum(ImageStat.Stat(inks).mean) / 255 * 100
    finally:
        bitmap.close()
        page.close()


def separated(picture: Image.Image) -> Image.Image:
    """An RGB picture in four inks: what the three colours share is printed in black, so that 200 % is never passed."""
    cyan, magenta, yellow = ImageChops.invert(picture).split()
    black = ImageChops.darker(ImageChops.darker(cyan, magenta), yellow)
    colours = (ImageChops.subtract(ink, black) for ink in (cyan, magenta, yellow))
    return Image.merge("CMYK", (*colours, black))

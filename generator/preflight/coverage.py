"""How much of the paper the ink covers: the pages drawn small, each dot turned into four inks."""

from __future__ import annotations

import pypdfium2
from PIL import Image, ImageChops, ImageStat

DOTS = 150
"""To an inch: fewer would make every hairline as thick as a dot."""
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
        return _inked(bitmap.to_pil().convert("RGB"))
    finally:
        bitmap.close()
        page.close()


def _inked(picture: Image.Image) -> float:
    """The four inks of a picture in per cent of its area: what all three share is printed in black."""
    red, green, blue = picture.split()
    lightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    colours = sum(255 - mean for mean in ImageStat.Stat(picture).mean)
    black = 255 - ImageStat.Stat(lightest).mean[0]
    return float(colours - 2 * black) / 255 * 100

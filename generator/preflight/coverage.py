"""How much of the paper the ink covers: the pages drawn small, each dot turned into four inks."""

from __future__ import annotations

from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageStat

DOTS = 150
"""To an inch: fewer would make every hairline as thick as a dot."""
MOST_DOTS = 4_000_000
"""For a page as large as a house fewer dots to the inch do."""
_GATHERED = 4
"""So many dots by so many are made one before their inks are parted: it is those of paper that take the time."""


def coverage(document: pypdfium2.PdfDocument) -> list[float]:
    """The ink of each page in per cent of its area, all four inks added up: 5 for a page of text."""
    paper = _Paper()
    return [_page(page, paper) for page in document]


class _Paper:
    """What pages are drawn on: one piece for all that follow each other in one size."""

    def __init__(self) -> None:
        self._bitmap: pypdfium2.PdfBitmap | None = None

    def piece(self, width: int, height: int, **options: Any) -> pypdfium2.PdfBitmap:
        """A piece of that size in dots, as pypdfium2 asks for it."""
        if self._bitmap is None or (self._bitmap.width, self._bitmap.height) != (width, height):
            self._bitmap = pypdfium2.PdfBitmap.new_native(width, height, **options)
        return self._bitmap


def _page(page: pypdfium2.PdfPage, paper: _Paper) -> float:
    width, height = page.get_size()
    scale = min(DOTS / 72, (MOST_DOTS / max(width * height, 1)) ** 0.5)
    try:
        # Four bytes to a dot: the picture is not copied out of the bitmap then. Which of them is red is no matter.
        return _inked(page.render(scale=scale, bitmap_maker=paper.piece, prefer_bgrx=True).to_pil())
    finally:
        page.close()


def _inked(picture: Image.Image) -> float:
    """The four inks of a picture in per cent of its area: what all three share is printed in black."""
    picture = picture.reduce(_GATHERED).convert("RGB")
    red, green, blue = picture.split()
    lightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    colours = sum(255 - mean for mean in ImageStat.Stat(picture).mean)
    black = 255 - ImageStat.Stat(lightest).mean[0]
    return float(colours - 2 * black) / 255 * 100

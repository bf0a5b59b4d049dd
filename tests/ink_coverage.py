"""Measure how much of the paper the ink covers: pages drawn small, each dot turned into four inks."""

from __future__ import annotations

from collections.abc import Iterable

import pypdfium2
from PIL import Image, ImageChops, ImageStat


def coverage(pages: Iterable[pypdfium2.PdfPage]) -> list[float]:
    """Return the ink of each page in per cent of its area, four inks added up; a page of text has about 5."""
    # 150 dpi: at fewer a hairline would be as thick as a dot.
    return [_inked(page.render(scale=150 / 72, prefer_bgrx=True).to_pil()) for page in pages]


def _inked(picture: Image.Image) -> float:
    picture = picture.reduce(4).convert("RGB")
    red, green, blue = picture.split()
    lightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    colours = sum(255 - mean for mean in ImageStat.Stat(picture).mean)
    # The grey that all three share is printed in black.
    return float(colours - 2 * (255 - ImageStat.Stat(lightest).mean[0])) / 255 * 100

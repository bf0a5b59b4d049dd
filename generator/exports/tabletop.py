"""Cards on large pictures for Tabletop Simulator: so many in a row, the back in the last place of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PIL import Image

from generator.exports import png
from generator.layout.sheets import Size
from generator.layout.targets import MM_AN_INCH, TabletopTarget


def dpi_of(card: Size, target: TabletopTarget) -> float:
    """The resolution at which the cards fill a picture of the size that the target allows."""
    wide, high = target.pixels // target.columns, target.pixels // target.rows
    return min(wide / card.width, high / card.height) * MM_AN_INCH


def count(cards: int, target: TabletopTarget) -> int:
    """How many pictures so many cards take."""
    return -(-cards // _each(target))


def pictures(pdf: bytes, cards: int, card: Size, target: TabletopTarget) -> Iterator[Image.Image]:
    """The pictures, and last the back alone, of a PDF of so many cards and their back on the last page."""
    *fronts, back = png.pages(pdf, dpi_of(card, target))
    each = _each(target)
    for first in range(0, cards, each):
        yield _sheet(fronts[first : first + each], back, target)
    yield back


def _each(target: TabletopTarget) -> int:
    return target.columns * target.rows - 1


def _sheet(fronts: Iterable[Image.Image], back: Image.Image, target: TabletopTarget) -> Image.Image:
    wide, high = back.size
    sheet = Image.new("RGB", (wide * target.columns, high * target.rows), "white")
    for place, front in enumerate(fronts):
        sheet.paste(front, (place % target.columns * wide, place // target.columns * high))
    sheet.paste(back, ((target.columns - 1) * wide, (target.rows - 1) * high))
    return sheet

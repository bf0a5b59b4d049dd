"""Plain lines of text on a canvas: what page products that are no panels write with. Lengths are points."""

from __future__ import annotations

from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.paper import fonts, text
from generator.paper.ink import BLACK, Rgb

LEADING = 1.2

Align = Literal["left", "middle", "right"]


def check_glyphs(said: str, font: str, where: str) -> None:
    """Every letter must have a glyph. Raises HackjackError that says where the text stands."""
    if letters := fonts.missing(said, font):
        shown = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:5])
        raise HackjackError(f'{where}: the printed font has no {shown}, as in "{said[:40]}"')


def width(said: str, font: str, size: float) -> float:
    """How wide a line is."""
    return fonts.width(text.typeset(said), fonts.use(font)) * size


def line(
    canvas: Canvas,
    said: str,
    x: float,
    y: float,
    font: str,
    size: float,
    *,
    align: Align = "left",
    colour: Rgb = BLACK,
) -> None:
    """One line with its foot at y; x is its left end, its middle or its right end."""
    wide = width(said, font, size)
    block = canvas.beginText(x - {"left": 0.0, "middle": wide / 2, "right": wide}[align], y)
    block.setFont(fonts.use(font), size)
    block.setFillColorRGB(*colour)
    block.textOut(text.typeset(said))
    canvas.drawText(block)


def paragraph(canvas: Canvas | None, said: str, x: float, top: float, measure: float, size: float) -> float:
    """Running text with its numbers bold, from `top` down; gives its foot. Without a canvas it is only measured."""
    words = text.words(text.figures_bold(said, fonts.SANS, fonts.SANS_BOLD))
    lines = text.broken(words, measure / size)
    if canvas is not None:
        block = canvas.beginText(x, top - size * 0.86)
        block.setFillColorRGB(*BLACK)
        text.write(block, lines, size, LEADING)
        canvas.drawText(block)
    return top - len(lines) * size * LEADING

"""The one pen: lines of text, strokes and boxes on a canvas. Lengths are points."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.paper import fonts, text
from generator.paper.document import Paper
from generator.paper.ink import BLACK, Rgb

LEADING = 1.2
_RISE = 0.34
"""How far raised figures stand over the line, in units of the size."""

Align = Literal["left", "middle", "right"]
_SHARES: dict[Align, float] = {"left": 0.0, "middle": 0.5, "right": 1.0}
Stroke = tuple[float, float, float, float]
"""From x and y to x and y."""


def check_glyphs(words: str, font: str, where: str) -> None:
    """Every letter must have a glyph. Raises HackjackError that says where the text stands."""
    if letters := fonts.missing_letters(words, font):
        raise HackjackError(f"{where}: {missing_glyphs(letters, font, words)}")


def missing_glyphs(letters: str, font: str, words: str = "") -> str:
    """Return the sentence for letters (at most five are named) that a font lacks, and what to do about them."""
    named = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:5])
    where = f', as in "{words[:40]}"' if words else ""
    if unset := next((letter for letter in letters if fonts.UNSET.match(letter)), ""):
        script = unicodedata.name(unset, "this script").split()[0].title()
        cure = "write it in Latin letters or use --format html"
        return f"text in {script} is not set in its direction or joined yet{where}: {cure}"
    if all(_EMOJI.match(letter) for letter in letters):
        return f"the printed font has no {named}{where}: emoji are not printed, so leave it out or choose an emblem"
    italic = " in italics" if font == fonts.SERIF_ITALIC else ""
    cure = "write it in another way, choose another font in theme.yaml, or use --format html"
    return f"the printed font has no {named}{italic}{where}: {cure}"


_EMOJI = re.compile("[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]")


@contextmanager
def placed(
    canvas: Canvas, at: tuple[float, float] | None = None, *, turn: float | None = None, clip: Stroke | None = None
) -> Iterator[None]:
    """Draw with the origin moved to a place and turned by so many degrees, and nothing outside of the box `clip`."""
    canvas.saveState()
    if clip:
        area = canvas.beginPath()
        area.rect(*clip)
        canvas.clipPath(area, stroke=0, fill=0)
    if at:
        canvas.translate(*at)
    if turn is not None:
        canvas.rotate(turn)
    yield
    canvas.restoreState()


def letters_width(letters: str, font: str, size: float) -> float:
    """Return how wide a line is."""
    return fonts.text_width(text.typeset(letters), font) * size


def draw_line(
    canvas: Canvas,
    letters: str,
    x: float,
    y: float,
    font: str,
    size: float,
    *,
    align: Align = "left",
    colour: Rgb = BLACK,
    turn: tuple[float, float, float, float] = (1, 0, 0, 1),
    apart: float = 0.0,
) -> None:
    """Draw one line with its foot at y; x is its left end, its middle or its right end.

    `turn` turns and stretches it around that point (the first four numbers of a matrix). Letters stand `apart`.
    """
    if not letters:
        return
    letters = text.typeset(letters)
    back = fonts.text_width(letters, font) * size * _SHARES[align]
    _write(canvas, (text.Run(letters, font),), (*turn, x - turn[0] * back, y - turn[1] * back), size, colour, apart)


def draw_lines(
    canvas: Canvas,
    said: Iterable[text.Line],
    x: float,
    y: float,
    size: float,
    leading: float = LEADING,
    *,
    align: Align = "left",
    colour: Rgb = BLACK,
) -> None:
    """Lines of text that is set already, the first one's foot at y, each `leading` times the size below the last."""
    said = tuple(said)
    for at, each in enumerate(said):
        back = text.line_width(each) * size * _SHARES[align] if align != "left" else 0.0
        more = at + 1 < len(said)
        _write(canvas, each, (1, 0, 0, 1, x - back, y - at * size * leading), size, colour, more=more)


def draw_rules(canvas: Canvas, colour: Rgb, wide: float, *strokes: Stroke) -> None:
    """Straight lines of a colour, so wide."""
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(wide)
    canvas.lines(strokes)


def draw_cross(canvas: Canvas, x: float, y: float, arm: float, wide: float) -> None:
    """Draw a black cross around (x, y), as a player would draw it."""
    left, right, foot, top = x - arm, x + arm, y - arm, y + arm
    draw_rules(canvas, BLACK, wide, (left, foot, right, top), (left, top, right, foot))


def draw_box(
    canvas: Canvas,
    place: Stroke,
    *,
    ground: Rgb | None = None,
    edge: Rgb | None = None,
    wide: float = 0.5,
    radius: float = 0.0,
) -> None:
    """Draw a box at (left, foot) with its width and height; with a ground, an edge so wide, or both."""
    if ground:
        canvas.setFillColorRGB(*ground)
    if edge:
        canvas.setStrokeColorRGB(*edge)
        canvas.setLineWidth(wide)
    if radius:
        canvas.roundRect(*place, radius, stroke=int(bool(edge)), fill=int(bool(ground)))
    else:
        canvas.rect(*place, stroke=int(bool(edge)), fill=int(bool(ground)))


_GOES_ON = re.compile(r"\w[-/\u2013\u2014]$")
"""The end of a line whose last word goes on in the next."""


def _drawable(runs: Sequence[text.Run]) -> Iterator[text.Run]:
    """Yield runs, suits as runs of their own. Raises HackjackError for letters that the font lacks."""
    for run in runs:
        if letters := fonts.missing_letters(run.text, run.font):
            raise HackjackError(missing_glyphs(letters, run.font, run.text))
        parts = fonts.stretches(run.text, run.font)
        yield from (run,) if len(parts) == 1 else (text.Run(part, font, run.raised) for part, font in parts)


def _write(
    canvas: Canvas,
    runs: Sequence[text.Run],
    matrix: tuple[float, float, float, float, float, float],
    size: float,
    colour: Rgb,
    apart: float = 0.0,
    *,
    more: bool = False,
) -> None:
    """Stretches of text from a place on, which `matrix` says; readers of tags hear each.

    If `more` lines follow, a space at the end keeps their words apart for those who listen, or copy the text.
    """
    block = canvas.beginText()
    block.setTextTransform(*matrix)
    block.setFillColorRGB(*colour)
    if apart:
        block.setCharSpace(apart)
    for run in _drawable(runs):
        own = size * (run.raised or 1.0)
        block.setFont(fonts.usable_font(run.font), own)
        if run.raised:
            block.setRise(size * _RISE)
        block.textOut(run.text)
        if run.raised:
            block.setRise(0)
        if isinstance(canvas, Paper):
            canvas.hear(run.text)
    if more and not _GOES_ON.search(runs[-1].text):
        block.textOut(" ")
    if apart:
        block.setCharSpace(0)
    canvas.drawText(block)

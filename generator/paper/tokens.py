"""Chips to cut out, or to punch with a tool of one inch: rows of one worth, the same on both sides of the paper."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.base.errors import HackjackError, NamedError
from generator.layout.reading import SpokenLine
from generator.layout.sheets import Grid, Printed, Size, packed_grid
from generator.model.rules import System
from generator.paper import fonts, pen, tags
from generator.paper import sheet as sheet_marks
from generator.paper.art import ICONS
from generator.paper.document import MM, close_document, open_product
from generator.paper.ink import BLACK, BLUE, GREEN, RED, WHITE, Inks, Rgb
from generator.paper.panel_options import PanelOptions
from generator.words.wording import product_line

DIAMETER = 25.4
"""One inch, as punches for tokens have it, mm."""
_CELL = DIAMETER + 1.6
_CAPTION = 7.0
_DROP = 0.28
"""How far under its middle a number begins, in units of its size."""


class Chip(Struct, frozen=True):
    """One worth of chips: its number, the word under it, its colour, the spots on its edge, its share of the rows.

    `sign` is the name of the picture over the number; empty where there is none.
    """

    worth: int
    word: str
    colour: Rgb
    spots: int
    share: int
    sign: str = ""


_COLOURS: Mapping[str, Rgb] = {"red": RED, "black": BLACK, "blue": BLUE, "green": GREEN}
_SIGNS: Mapping[str, str] = {"blood": "drop", "trauma": "bone"}
"""The pictures of tracks that the badges of cards have too."""
_FEW = 10
"""A track of no more than this is counted one by one."""


def token_pages(system: System, options: PanelOptions) -> Printed:
    """A page of chips and the same page for their other side: printed on both sides, chips meet chips of their worth.

    Raises HackjackError for a system without tracks that are counted with tokens.
    """
    layout = packed_grid(options.paper, Size(_CELL, _CELL))
    rows = _rows(_chips(system), layout.rows)
    line = product_line(system)
    canvas = open_product(system, layout.paper, f"{system.head.title} tokens", options, duplex=True)
    inks = options.inks
    chips = Counter(f"{chip.worth} {chip.word}" for chip in rows)
    across = len(layout.places) // len(rows)
    says = "; ".join(f"{count * across} of {chip}" for chip, count in chips.items())
    for side, name in enumerate(("Chips to cut out", "Their other side")):
        canvas.bookmark(name, name)
        with tags.tagged_alone(canvas, SpokenLine(f"{name}: {says}.", picture=True)):
            _page(canvas, layout, rows, inks)
        if side == 0:
            sheet_marks.draw_margins(canvas, layout, f"{line}: cut or punch {DIAMETER:g} mm", "none")
        canvas.showPage()
    return close_document(canvas)


def _chips(system: System) -> tuple[Chip, ...]:
    """Of each track that is counted with tokens: ones and fives of the colour that it names, or all that a bank has."""
    chips: list[Chip] = []
    for name, track in system.head.tracks.items():
        word, sign = track.name, _SIGNS.get(name, "")
        colour = next(
            (_COLOURS[colour_name] for colour_name in (track.tokens or "").lower().split() if colour_name in _COLOURS),
            None,
        )
        most = system.most_of(name)
        if track.tokens:
            pen.check_glyphs(track.name, fonts.SANS, f"the tokens of {system.head.id}")
        if track.tokens and colour:
            chips.append(Chip(1, word, colour, 4, 5, sign))
            chips += [] if most is not None and most <= _FEW else [Chip(5, word, colour, 6, 3, sign)]
        elif track.tokens:
            chips += [Chip(1, word, BLACK, 4, 5), Chip(5, word, RED, 6, 3)]
            chips += [Chip(10, word, BLUE, 8, 1), Chip(20, word, GREEN, 10, 1)]
    if not chips:
        raise NamedError(f"{system.head.id} has no tokens to print: none of its tracks is counted with any")
    return tuple(chips)


def _rows(chips: Sequence[Chip], count: int) -> tuple[Chip, ...]:
    """Return which chip each row holds: one at the least, by their shares; the first takes what is over.

    Raises HackjackError where there are more kinds of chips than rows.
    """
    whole = sum(chip.share for chip in chips)
    rows = [chip for chip in chips[1:] for _ in range(max(1, count * chip.share // whole))]
    if len(rows) >= count:
        raise HackjackError(f"{len(chips)} kinds of tokens are too many for one page: name fewer tracks with tokens")
    return (*[chips[0]] * (count - len(rows)), *rows)


def _page(canvas: Canvas, layout: Grid, rows: Sequence[Chip], inks: Inks) -> None:
    for place in layout.places:
        _chip(canvas, (place.x + _CELL / 2) * MM, (place.y + _CELL / 2) * MM, rows[place.row], inks)


def _chip(canvas: Canvas, x: float, y: float, chip: Chip, inks: Inks) -> None:
    """One chip around (x, y) pt: a rim with spots, a ring, the number, and what it is."""
    radius, solid = DIAMETER / 2 * MM, int(inks.solid)
    canvas.setStrokeColorRGB(*chip.colour)
    canvas.setFillColorRGB(*chip.colour)
    canvas.setLineWidth(0.4)
    canvas.circle(x, y, radius, stroke=1, fill=solid)
    canvas.setFillColorRGB(*WHITE)
    for spot in range(chip.spots):
        rim = _spot(canvas, x, y, radius, 360 * spot / chip.spots, 360 / chip.spots / 2.6)
        canvas.drawPath(rim, stroke=1 - solid, fill=solid)
    canvas.setLineWidth(0.8)
    canvas.circle(x, y, radius * 0.74, stroke=1, fill=solid)
    if chip.sign:
        canvas.setFillColorRGB(*chip.colour)
        canvas.setStrokeColorRGB(*chip.colour)
        canvas.setLineWidth(0.5)
        ICONS[chip.sign].draw(canvas, x, y + radius * 0.45, radius * 0.36, fill=bool(solid), stroke=not solid)
    base = y - radius * (0.06 if chip.sign else -0.02) - 25 * _DROP
    pen.draw_line(canvas, str(chip.worth), x, base, fonts.SERIF_BOLD, 25, align="middle", colour=chip.colour)
    size = min(_CAPTION, radius * 1.2 / pen.letters_width(chip.word, fonts.SANS, 1))
    pen.draw_line(canvas, chip.word, x, y - radius * 0.44 - size * _DROP, fonts.SANS, size, align="middle")


def _spot(canvas: Canvas, x: float, y: float, radius: float, middle: float, wide: float) -> PDFPathObject:
    """Return a light piece of the rim, around an angle, so wide in degrees."""
    outer, inner = radius * 0.965, radius * 0.79
    path = canvas.beginPath()
    path.arc(x - outer, y - outer, x + outer, y + outer, middle - wide / 2, wide)
    end = math.radians(middle + wide / 2)
    path.lineTo(x + inner * math.cos(end), y + inner * math.sin(end))
    path.arcTo(x - inner, y - inner, x + inner, y + inner, middle + wide / 2, -wide)
    path.close()
    return path

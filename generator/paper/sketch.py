"""A little field of cards drawn into the room that a face has left: what an action is about, at a glance.

All lengths here are points, the origin of the room is its lower left corner.
"""

from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import rank_of, suit_of
from generator.layout.card_elements import Sketch
from generator.paper import fonts, pen
from generator.paper.art import SUITS
from generator.paper.document import MM
from generator.paper.ink import BLACK, GREY, WHITE, Inks, Rgb, tint

_WIDE, _HIGH = 7.4 * MM, 6.4 * MM
"""The most that a card takes, with the gap to the next."""
_LETTERS = 0.56
"""The size of a card's letters, in units of its height."""
_SMALLEST = 7.4
"""No letter of a field is smaller, pt: then there is no picture."""
_GAP = 0.09
"""Between two cards, in units of a card's height."""
_MARKED = 0.16
_PANEL = 1.1 * MM
"""The margin of the ground that a field lies on."""
_FONT = fonts.SANS_BOLD
_SUIT = 0.72
"""Width of a suit in units of the letters' size."""


def least_room(sketch: Sketch, minimum: float) -> float:
    """Return the height of the least room in which a field has letters of a size, pt."""
    return max(minimum, _SMALLEST) / _LETTERS * max(map(len, sketch.columns), default=0)


def draw_sketch(
    canvas: Canvas, sketch: Sketch, room: tuple[float, float, float, float], scale: float, minimum: float, inks: Inks
) -> None:
    """Draw a field in the middle of a room (left, foot, width, height); nothing where the room is too small for letters
    of the least size.

    It is no larger than it needs to be; `scale` says how large the card is beside a poker card.
    """
    x, y, width, height = room[0] + _PANEL, room[1] + _PANEL, room[2] - 2 * _PANEL, room[3] - 2 * _PANEL
    columns, rows = len(sketch.columns), max(map(len, sketch.columns), default=0)
    if not columns or not rows:
        return
    high = min(_HIGH * scale, height / rows)
    wide = min(width / columns, high * _WIDE / _HIGH)
    if min(high, wide) * _LETTERS < max(minimum, _SMALLEST) - 1e-6:
        return
    left, bottom = x + (width - columns * wide) / 2, y + (height - rows * high) / 2
    panel = (left - _PANEL, bottom - _PANEL, columns * wide + 2 * _PANEL, rows * high + 2 * _PANEL)
    pen.draw_box(canvas, panel, ground=WHITE, radius=1.5 * MM)
    for at, column in enumerate(sketch.columns):
        for row, code in enumerate(column):
            _card(canvas, code, left + at * wide, bottom + row * high, wide, high, inks, (at, row) in sketch.marked)


def _card(canvas: Canvas, code: str, x: float, y: float, width: float, height: float, inks: Inks, marked: bool) -> None:
    """One card: rank and suit side by side. One that is meant has a thick edge, and a ground where ink is not saved."""
    gap, colour = _GAP * height, inks.of(suit_of(code))
    ground = tint(BLACK, _MARKED) if marked and inks.solid else None
    place, edge = (x + gap / 2, y + gap / 2, width - gap, height - gap), BLACK if marked else GREY
    pen.draw_box(canvas, place, ground=ground, edge=edge, wide=1.5 if marked else 0.4, radius=0.12 * height)
    draw_code(canvas, code, x + width / 2, y + height / 2, height * _LETTERS, colour)


def draw_code(canvas: Canvas, code: str, middle: float, y: float, size: float, colour: Rgb) -> None:
    """Draw a card's rank and suit side by side, their middle at a point; letters of that size."""
    width, suit = code_width(code, size), size * _SUIT
    pen.draw_line(canvas, rank_of(code), middle - width / 2, y - size * 0.34, _FONT, size, colour=colour)
    canvas.setFillColorRGB(*colour)
    SUITS[suit_of(code)].draw(canvas, middle + (width - suit) / 2, y, suit * 0.92)


def code_width(code: str, size: float) -> float:
    """Return how wide a card's rank and suit are in letters of that size, pt."""
    return fonts.text_width(rank_of(code), _FONT) * size + size * _SUIT

"""The picture of a card in the room that its text leaves: pips, a crown, a sign, a hurt body, or the pack's own.

All lengths here are points. A room is its left edge, its foot, its width and its height on the page.
"""

from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import RANKS
from generator.base.emblem_names import is_picture
from generator.layout.card_elements import Emblem, emblem_shown
from generator.paper.art import ICONS, SUITS, pip_places
from generator.paper.art import emblem_outline as drawing
from generator.paper.body import PARTS, draw_silhouette
from generator.paper.document import MM
from generator.paper.gallery import Gallery
from generator.paper.ink import WHITE, Rgb, mixed, tint
from generator.paper.window import Window, engrave

Room = tuple[float, float, float, float]

LEAST_ROOM = 11 * MM
"""Where a window leaves less room than this, it has no picture."""
MAX_EMBLEM, _LINES_EMBLEM = 36 * MM, 30 * MM
"""The longest side that an emblem has on a poker card, filled and in lines."""
STRENGTH = 0.68
"""Of an emblem beside text."""
_BODY_STRENGTH = 0.34
"""Of a body, beside its parts that are hurt."""
_FRAME = 1.2 * MM
"""From the foot of a court's panel to the foot of its room."""
_CROWNS = {"J": "jack", "Q": "queen", "K": "king"}


def draw_suit_or_emblem(
    canvas: Canvas, emblem: Emblem, room: Room, window: Window, gallery: Gallery | None, minimum: float = LEAST_ROOM
) -> None:
    """Draw the picture of a card in the middle of a room in its window; nothing where that is lower than `minimum`."""
    left, bottom, width, height = room
    x, y, maximum = left + width / 2, bottom + height / 2, MAX_EMBLEM if window.filled else _LINES_EMBLEM
    size = min(height, width, maximum * window.scale)
    hurt = emblem.rank.split()
    ground = window.colour if window.filled else WHITE
    if height < minimum * window.scale and not emblem.figure:
        return
    if name := emblem_shown(emblem):
        if not is_picture(name):
            engrave(canvas, drawing(name), window, x, y, size)
        elif gallery is not None and gallery.has(name):
            gallery.emblem(canvas, name, x, y, size, window.light)
    elif not emblem.suit and hurt and PARTS.issuperset(hurt):
        size = min(height, width * 2)
        grounds = mixed(window.light, _BODY_STRENGTH, ground), window.light
        draw_silhouette(canvas, x, y - size / 2, size, grounds, hurt)
    else:
        _pips(canvas, emblem, room, window, gallery)


def draw_emblem(
    canvas: Canvas, name: str, x: float, y: float, size: float, colour: Rgb, gallery: Gallery | None, *, solid: bool
) -> None:
    """Draw one of our emblems, or the pack's own, with its middle at (x, y), its longer side `size`."""
    if is_picture(name):
        if gallery is not None and gallery.has(name):
            gallery.emblem(canvas, name, x, y, size, tint(colour, STRENGTH))
        return
    canvas.setFillColorRGB(*tint(colour, STRENGTH))
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(0.5)
    drawing(name).draw(canvas, x, y, size, fill=solid, stroke=not solid)


def _pips(canvas: Canvas, emblem: Emblem, room: Room, window: Window, gallery: Gallery | None) -> None:
    """Pips for number cards, a crown at both ends of court cards, a cap for jokers, a sign for tokens."""
    (left, bottom, width, height), scale, solid = room, window.scale, window.solid
    canvas.setFillColorRGB(*window.light)
    canvas.setStrokeColorRGB(*window.light)
    canvas.setLineWidth(0.7)
    x, y = left + width / 2, bottom + height / 2
    count = int(emblem.rank) if emblem.rank in RANKS and emblem.rank.isdigit() else 1
    if not emblem.suit:
        ICONS.get(emblem.rank, ICONS["jester"]).draw(canvas, x, y, min(height, width) * 0.9)
    elif emblem.rank in _CROWNS:
        width = min(width, height * 0.75)
        panel = x - width / 2, bottom + _FRAME, width, height - _FRAME
        if window.dark:
            canvas.setFillColorRGB(*window.colour)
        canvas.rect(*panel, stroke=1, fill=int(window.dark))
        canvas.setFillColorRGB(*window.on_foot)
        size = min(height * 0.24, width * 0.62)
        for turned, way in (False, 1), (True, -1):
            crown, suit = y + way * height * 0.345, y + way * height * 0.12
            ICONS[_CROWNS[emblem.rank]].draw(canvas, x, crown, size * 1.15, fill=solid, stroke=not solid, turned=turned)
            _suit(canvas, emblem.suit, x, suit, size * 0.7, gallery, solid=solid, turned=turned)
    else:
        size = min(height, width, 38 * MM * scale) if count == 1 else min(height * 0.19, 9.5 * MM * scale)
        width, height = min(width - 1.4 * size, height * 0.45), height - 1.4 * size
        for column, row, turned in pip_places(count):
            place = x + column * width, y + row * height
            _suit(canvas, emblem.suit, *place, size, gallery, solid=solid, turned=turned)


def _suit(
    canvas: Canvas, suit: str, x: float, y: float, size: float, gallery: Gallery | None, *, solid: bool, turned: bool
) -> None:
    if gallery is None or (own := gallery.suit(suit)) is None:
        SUITS[suit].draw(canvas, x, y, size, fill=solid, stroke=not solid, turned=turned)
    else:
        gallery.sign(canvas, own, x, y, size, turned=turned)

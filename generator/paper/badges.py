"""The foot of a card: what has to be counted, as badges in a band. All lengths are points."""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from generator.layout.card_elements import BETWEEN, Badge
from generator.layout.type_sizes import type_sizes
from generator.paper import fonts, pen, tags
from generator.paper.art import ICONS, Outline
from generator.paper.document import MM
from generator.paper.ink import Rgb
from generator.paper.window import Window

_TYPE = type_sizes().cards
SMALL = _TYPE.captions
"""The size of a caption on a poker card."""
_BAND = 9.4 * MM
"""The band at the foot, without its captions."""
_CAPTION = 3.4 * MM
_SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Figures are so much smaller where a card has many to show."""
_SIGNS = {"blood": ("drop", 8.0, 5.6), "trauma": ("bone", 7.0, 6.8), "permanent": ("lock", 7.0, 5.2)}
"""The signs, each with its size and the width that it takes, mm."""
_SLOTS = {"score": (0.0, 9.4), "blood": (10.6, 19.4), "trauma": (31.6, 11.9), "permanent": (45.1, 5.3)}
"""Where what every card of a deck counts stands, and how wide, mm: wounds one under the other are added up at sight."""
_WIDTH = 50.4
"""The width of all of them."""
_OR = 5.2
"""The room of the word between two discs, mm."""
_DISC = 9.4
"""Width of the disc of a score, mm."""
_GAUGE = 2.4
"""From one box of a gauge to the next, mm."""
_BESIDE = 0.5
"""Between a sign and its figure, mm."""
_MARGIN = 1.5
"""From the end of the band to the first badge, mm."""
_MIN_GAP, _GAP = 0.7, 3.6
"""Between two badges: at least, and where there is room, mm."""


class Foot(Struct, frozen=True):
    """The room for badges: its width, how large they are beside those of a poker card, and the type of captions.

    `least` is the smallest type, `small` that of the captions, where there are `captions`.
    """

    width: float
    scale: float
    least: float
    small: float
    captions: bool = True

    @property
    def caption_height(self) -> float:
        """Return the height that captions add to the band."""
        return _CAPTION * self.small / SMALL if self.captions else 0.0

    @property
    def height(self) -> float:
        """The height of the band."""
        return _BAND * self.scale + self.caption_height


class _Row(Struct, frozen=True):
    """Where the badges of a card stand: the middle of each from the band's left end, and how wide the band is.

    `share` says how large figures are beside the largest.
    """

    middles: tuple[float, ...]
    width: float
    share: float


def slots_width(badges: Iterable[Badge]) -> float:
    """Return the width of the slots that the badges of a set take: where a card has less, its foot is smaller."""
    ends = (sum(_SLOTS[badge.kind]) if badge.kind in _SLOTS else _WIDTH for badge in badges)
    return max(ends, default=_WIDTH) * MM


def badges_fit(badges: Sequence[Badge], foot: Foot) -> bool:
    """Return whether there is room for the badges, and the words under them keep apart."""
    return _row(badges, foot).width <= foot.width + 1e-6


def self_evident(badges: Sequence[Badge]) -> bool:
    """Return True if no badge of a card needs a caption: each is known by its slot, or says it in words.

    One card of a deck says what the signs stand for.
    """
    kinds = [badge.kind for badge in badges if badge.kind != "gauge" and badge.caption not in ("", *BETWEEN)]
    return len({*kinds}) == len(kinds) and _SLOTS.keys() >= {*kinds}


def draw_badges(canvas: Canvas, badges: Sequence[Badge], foot: Foot, x: float, y: float, window: Window) -> None:
    """Badges side by side on the band at the foot, the lower left corner of their room at (x, y)."""
    row = _row(badges, foot)
    drawing = _Pen(canvas, foot, row.share, window)
    for badge, middle in zip(badges, row.middles, strict=True):
        with tags.tagged_as(canvas, badge):
            drawing.badge(badge, x + middle, y)


def draw_gauge(canvas: Canvas, badge: Badge, right: float, top: float, scale: float, colour: Rgb) -> None:
    """Boxes in a row that ends at its upper right corner, filled up to the one that counts."""
    step, count = map(int, badge.number.split(" of "))
    unit = MM * scale
    canvas.setFillColorRGB(*colour)
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(0.8 * scale)
    with tags.tagged_as(canvas, badge):
        for at in range(count):
            left = right + (at - count) * _GAUGE * unit
            canvas.rect(left + 0.5 * unit, top - 3.4 * unit, 1.7 * unit, 3.2 * unit, stroke=1, fill=int(at < step))


def draw_sign(
    canvas: Canvas,
    shape: Outline,
    x: float,
    y: float,
    size: float,
    colour: Rgb,
    *,
    solid: bool,
    turned: bool = False,
    hatched: bool = False,
    wide: float = 0.7,
) -> None:
    """Draw a suit or sign in its colour, centred at (x, y): filled, or hatched, or in outline where ink is saved."""
    canvas.setFillColorRGB(*colour)
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(wide)
    if hatched and solid:
        shape.hatch(canvas, x, y, size, turned=turned)
        solid = False
    shape.draw(canvas, x, y, size, fill=solid, stroke=not solid, turned=turned)


class _Pen(Struct, frozen=True):
    """Draws the badges of one foot."""

    canvas: Canvas
    foot: Foot
    share: float
    window: Window

    def badge(self, badge: Badge, x: float, y: float) -> None:
        """One badge around x, over the foot of the band at y: a score in a disc, other figures beside their sign."""
        unit, small, solid = MM * self.foot.scale, self.foot.small, self.window.solid
        middle = y + self.foot.caption_height + _BAND / MM / 2 * unit
        colour, under = self.window.on_foot, self.window.colour if self.window.dark else self.window.ink
        size = _size(badge, self.foot, self.share)
        if badge.kind == "score":
            self._disc(x, middle, _DISC / 2 * unit)
            self._number(badge.number, x, middle, size, under, fonts.INDEX, 0.8 * _DISC * unit)
            if not self.foot.captions and badge.caption in BETWEEN:
                words = max(self.foot.least, _TYPE.words * self.foot.scale)
                self._number(badge.caption, x + (_DISC + _OR) / 2 * unit, middle, words, colour, fonts.SANS)
        elif badge.kind in _SIGNS:
            name, high, wide = _SIGNS[badge.kind]
            left = x - _inner_width(badge, self.foot, self.share) / 2
            draw_sign(self.canvas, ICONS[name], left + wide * unit / 2, middle, high * unit, colour, solid=solid)
            begin = left + (wide + _BESIDE) * unit
            room = _number_width(badge, self.foot, self.share)
            self._number(badge.number, begin + room / 2, middle, size, colour, fonts.SANS_BOLD, room)
        else:
            self._number(badge.number, x, middle, size, colour)
        if self.foot.captions:
            base = y + 1.25 * MM * small / SMALL
            pen.draw_line(self.canvas, badge.caption, x, base, fonts.SANS, small, align="middle", colour=colour)

    def _disc(self, x: float, y: float, radius: float) -> None:
        canvas = self.canvas
        canvas.setFillColorRGB(*self.window.on_foot)
        canvas.setStrokeColorRGB(*self.window.on_foot)
        canvas.setLineWidth(1.5)
        canvas.circle(x, y, radius - 0.75, stroke=1, fill=int(self.window.dark))

    def _number(
        self,
        number: str,
        x: float,
        y: float,
        size: float,
        colour: Rgb,
        font: str = fonts.SANS_BOLD,
        room: float = math.inf,
    ) -> None:
        """A number centred at (x, y), narrower where it would be wider than its room."""
        narrow = min(1.0, room / (fonts.text_width(number, font) * size or 1.0))
        turn = (narrow, 0, 0, 1)
        pen.draw_line(self.canvas, number, x, y - size * 0.33, font, size, align="middle", colour=colour, turn=turn)


def _row(badges: Sequence[Badge], foot: Foot) -> _Row:
    """The badges in their slots, or side by side in the largest figures at which they fit, or else in the smallest."""
    unit, between = MM * foot.scale, max(0, len(badges) - 1)
    if not foot.captions and _SLOTS.keys() >= {badge.kind for badge in badges}:
        second = {at + 1 for at, badge in enumerate(badges) if badge.caption in BETWEEN}
        slots = [_SLOTS[badge.kind][0] + (_DISC + _OR) * (at in second) for at, badge in enumerate(badges)]
        pairs = zip(slots, badges, strict=True)
        return _Row(tuple(slot * unit + _inner_width(badge, foot, 1.0) / 2 for slot, badge in pairs), 0.0, 1.0)
    for share in _SHARES:
        widths = [max(_inner_width(badge, foot, share), _caption_width(badge, foot)) for badge in badges]
        bare = sum(widths) + 2 * _MARGIN * unit
        if bare + between * _MIN_GAP * unit <= foot.width:
            break
    gap = min(_GAP * unit, max(_MIN_GAP * unit, (foot.width - bare) / max(1, between)))
    lefts = accumulate(widths, lambda left, wide: left + wide + gap, initial=_MARGIN * unit)
    middles = tuple(left + wide / 2 for left, wide in zip(lefts, widths, strict=False))
    return _Row(middles, bare + between * gap, share)


def _inner_width(badge: Badge, foot: Foot, share: float) -> float:
    """Return how wide a sign and its figure are, or the words in their place."""
    unit = MM * foot.scale
    if badge.kind == "score":
        return _DISC * unit
    number = _number_width(badge, foot, share)
    if badge.kind not in _SIGNS:
        return number
    return _SIGNS[badge.kind][2] * unit + (_BESIDE * unit + number if badge.number else 0.0)


def _number_width(badge: Badge, foot: Foot, share: float) -> float:
    """Return how wide a figure or words are; beside a sign no wider than its slot."""
    wide = fonts.text_width(badge.number, fonts.SANS_BOLD) * _size(badge, foot, share)
    if badge.kind in _SIGNS:
        wide = min(wide, (_SLOTS[badge.kind][1] - _SIGNS[badge.kind][2] - _BESIDE) * MM * foot.scale)
    return wide


def _caption_width(badge: Badge, foot: Foot) -> float:
    """Return how wide the words under a badge are, if there are any."""
    return fonts.text_width(badge.caption, fonts.SANS) * foot.small if foot.captions else 0.0


def _size(badge: Badge, foot: Foot, share: float) -> float:
    """Return the type of a badge's figure, or of the words in its place."""
    words = badge.kind not in ("score", *_SIGNS) and not badge.number.isdigit()
    return max(foot.least, (_TYPE.words if words else _TYPE.figures) * foot.scale * share)

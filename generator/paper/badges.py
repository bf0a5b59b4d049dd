"""The foot of a card: what has to be counted, as badges in a band. All lengths are points."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from generator.layout.card_elements import Badge
from generator.paper import fonts, pen, tags
from generator.paper.art import ICONS, Outline
from generator.paper.document import MM
from generator.paper.ink import WHITE, Inks, Rgb, tint

SMALL = 6.75
"""The size of a caption on a poker card."""
_SIGNS = ("score", "blood", "trauma", "permanent")
"""Badges that have a sign, and room for a number of few figures."""
_BAND = 9.4 * MM
"""The band at the foot, without its captions."""
_CAPTION = 3.0 * MM
_BADGES = 4
"""So many badges fit side by side, and fewer stand no wider."""
_BADGE = 9.2 * MM
"""The width of a sign with its number."""


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
        """What the captions add to the band."""
        return _CAPTION * self.small / SMALL if self.captions else 0.8 * MM

    @property
    def height(self) -> float:
        """The height of the band."""
        return _BAND * self.scale + self.caption_height


def fit(badges: Sequence[Badge], foot: Foot) -> bool:
    """Whether the words under the badges keep apart, if they are there at all."""
    return _places(badges, foot) is not None


def draw(canvas: Canvas, badges: Sequence[Badge], foot: Foot, x: float, y: float, colour: Rgb, inks: Inks) -> None:
    """Badges in their band, whose lower left corner is at (x, y); nothing where there is nothing to count."""
    if not badges:
        return
    place, radius = (x, y, foot.width, foot.height), 2 * MM * foot.scale
    if inks.solid:
        pen.box(canvas, place, ground=tint(colour, 0.10), radius=radius)
    else:
        pen.box(canvas, place, edge=colour, radius=radius)
    step = foot.width / max(_BADGES, len(badges))
    even = [((place + 0.5) * step, step) for place in range(len(badges))]
    drawing = _Pen(canvas, foot, colour, inks)
    for badge, (middle, room) in zip(badges, _places(badges, foot) or even, strict=True):
        with tags.says(canvas, badge):
            drawing.badge(badge, x + middle, y, room)


def sign(
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
) -> None:
    """A suit or sign in its colour, centred at (x, y): filled, or hatched, or in outline where ink is saved."""
    canvas.setFillColorRGB(*colour)
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(0.7)
    if hatched and solid:
        shape.hatch(canvas, x, y, size, turned=turned)
        solid = False
    shape.draw(canvas, x, y, size, fill=solid, stroke=not solid, turned=turned)


class _Pen(Struct, frozen=True):
    """Draws the badges of one foot."""

    canvas: Canvas
    foot: Foot
    colour: Rgb
    inks: Inks

    def badge(self, badge: Badge, x: float, y: float, room: float) -> None:
        """One badge around x in its `room`, over the foot of the band at y."""
        unit, small = MM * self.foot.scale, self.foot.small
        middle = y + self.foot.caption_height + 4.5 * unit
        reversed_out = WHITE if self.inks.solid else self.colour
        if badge.kind == "score":
            self._disc(x, middle, 4.15 * unit)
            self._number(badge.number, x, middle, 16, reversed_out, room=7.2 * unit)
        elif badge.kind == "blood":
            self._sign("drop", x, middle + 0.1 * unit, 9.0 * unit)
            self._number(badge.number, x, middle - 1.3 * unit, 9.5, reversed_out, room=5.2 * unit)
        elif badge.kind == "trauma":
            self._sign("bone", x - 2.2 * unit, middle, 7.0 * unit)
            self._number(badge.number, x + 3.4 * unit, middle, 15, self.colour, room=4.2 * unit)
        elif badge.kind == "permanent":
            self._sign("lock", x, middle, 7.0 * unit)
        else:
            self._number(badge.number, x, middle, _figure_size(badge), self.colour, room=room - 1.2 * unit)
        if self.foot.captions:
            base = y + 1.25 * MM * small / SMALL
            pen.line(self.canvas, badge.caption, x, base, fonts.SANS, small, align="middle")

    def _disc(self, x: float, y: float, radius: float) -> None:
        canvas = self.canvas
        canvas.setFillColorRGB(*self.colour)
        canvas.setStrokeColorRGB(*self.colour)
        canvas.setLineWidth(0.9)
        canvas.circle(x, y, radius, stroke=1, fill=int(self.inks.solid))

    def _sign(self, name: str, x: float, y: float, size: float) -> None:
        sign(self.canvas, ICONS[name], x, y, size, self.colour, solid=self.inks.solid)

    def _number(self, number: str, x: float, y: float, size: float, colour: Rgb, *, room: float) -> None:
        """A number centred at (x, y), of `size` pt on a poker card, smaller where it would leave its `room`."""
        font = fonts.SANS_BOLD
        wide = fonts.width(number, font) or 1.0
        size = max(self.foot.least, min(size * self.foot.scale, room / wide))
        pen.line(self.canvas, number, x, y - size * 0.33, font, size, align="middle", colour=colour)


def _places(badges: Sequence[Badge], foot: Foot) -> list[tuple[float, float]] | None:
    """The middle of each badge from the band's left end and the room for it; None where captions would collide.

    All have the same room, or more where their words need it, and so each stands at the same place on most cards. Where
    that is too wide they share what is left; words over a caption become smaller where there is no room for them.
    """
    step = foot.width / max(_BADGES, len(badges))
    captions = [_caption_width(badge, foot) if foot.captions else 0.0 for badge in badges]
    wished = [max(wide, _figure_width(badge, foot)) for wide, badge in zip(captions, badges, strict=True)]
    for wide in (wished, captions):
        needed = [max(each, _BADGE * foot.scale) for each in wide]
        rooms = [max(each, step) for each in needed]
        if sum(rooms) > foot.width + 1e-6:
            spare = (foot.width - sum(needed)) / len(needed)
            if spare < 0:
                continue
            rooms = [each + spare for each in needed]
        return [(sum(rooms[:place]) + room / 2, room) for place, room in enumerate(rooms)]
    return None


def _caption_width(badge: Badge, foot: Foot) -> float:
    """How wide the words under a badge are."""
    return fonts.width(badge.caption, fonts.SANS) * foot.small + 0.6 * MM


def _figure_width(badge: Badge, foot: Foot) -> float:
    """How wide the words are that stand in place of a sign and its number; nothing for a sign or a number."""
    if badge.kind in _SIGNS or badge.number.isdigit():
        return 0.0
    size = _figure_size(badge) * foot.scale
    return fonts.width(badge.number, fonts.SANS_BOLD) * size + 3.5 * MM * foot.scale


def _figure_size(badge: Badge) -> float:
    """The size of a number without a sign, or of words in its place, on a poker card."""
    return 16.0 if badge.number.isdigit() else 11.5

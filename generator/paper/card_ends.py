"""Draws a card with two ends: one is read upright, the other with the card turned, and a window lies between them.

All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.card_elements import Emblem, Face
from generator.paper import emblem, pen, tags
from generator.paper.card_body import body_of
from generator.paper.card_pen import CardPen
from generator.paper.card_setting import CardSetting
from generator.paper.document import MM
from generator.paper.gallery import Gallery
from generator.paper.ink import Inks

_APART = 0.8 * MM
"""From the edges of the window to the picture in it."""
_LEAST = 5.5 * MM
"""A picture is at least so high; where there is no room for it, there is no window."""

_STRIP = 0.5
"""The height of the ground over the edge that the turned end sees, pt."""


def pen_of(canvas: Canvas, face: Face, *how: Any) -> CardPen:
    """Return what draws a face: its setting, x and y, the inks and the gallery follow."""
    return (EndsPen if body_of(face).ends else CardPen)(canvas, face, *how)


class EndsPen(CardPen):
    """Draws a face with two ends; only the turned one has a filled head."""

    def __init__(
        self, canvas: Canvas, face: Face, setting: CardSetting, x: float, y: float, inks: Inks, gallery: Gallery | None
    ) -> None:
        super().__init__(canvas, face, setting, x, y, inks, gallery)
        settled, bottom, height = self.body.settled_ends(setting)
        self._ends = [
            CardPen(canvas, each.face, own, x, y + setting.height - own.height, inks, gallery, each)
            for each, own in zip(self.body.ends, settled, strict=True)
        ]
        for end, turned in zip(self._ends, (False, True), strict=True):
            filled = turned and inks.filled
            end.window = replace(end.window, filled=filled, locked=turned, style="number" if filled else "ace")
        place, none = (x, y + bottom, setting.width, height), (0.0, 0.0)
        heart = (x + setting.width / 2, y + bottom + height / 2)
        bare = {"strip": 0.0, "notch": none, "tab": none, "foot": 0.0, "torn": False}
        # An ace has no edge there that its ground could hang from, but two.
        style, filled = ("number" if self.window.style == "ace" else self.window.style), inks.filled or self.covered
        self.window = replace(self.window, place=place, heart=heart, style=style, filled=filled, **bare)

    def _turns(self) -> Iterator[CardPen]:
        """Yield what draws each end, with the page turned for the second."""
        upright, turned = self._ends
        yield upright
        with self._turned():
            yield turned

    def _turned(self) -> AbstractContextManager[None]:
        place = 2 * self.x + self.setting.width, 2 * self.y + self.setting.height
        return pen.placed(self.canvas, place, turn=180)

    def draw_window(self, bleed: float) -> None:
        """Draw the heads of both ends, and the window between them, in which each sees an edge below it."""
        whole, (left, bottom, width, height) = self.window, self.window.place
        for end in self._turns():
            end.draw_window(bleed)
        if height >= (_LEAST + 2 * _APART) * whole.scale:
            turned = left, 2 * self.y + self.setting.height - bottom - height, width, _STRIP
            with self._turned():
                self.window = replace(whole, place=turned, strip=_STRIP)
                super().draw_window(bleed)
            # The ground in one piece, up to the other edge: nothing bleeds there.
            self.window = replace(whole, place=(left, bottom, width, height - bleed))
            super().draw_window(bleed)
        self.window = whole

    def draw(self) -> None:
        """Draw the picture between the ends, then all parts of each end."""
        left, bottom, width, height = self.window.place
        room = left + self.setting.side, bottom + _APART, width - 2 * self.setting.side, height - 2 * _APART
        for sign in (part for part in self.face.parts if isinstance(part, Emblem)):
            with tags.tagged_as(self.canvas, sign):
                emblem.draw_suit_or_emblem(self.canvas, sign, room, self.window, self.gallery, _LEAST)
        for end in self._turns():
            end.draw()

"""Draws a card with two ends: one is read upright, the other with the card turned, and a window lies between them.

All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.card_elements import Emblem, Face
from generator.paper import emblem, pen, tags
from generator.paper.card import MARGIN, CardSetting, body_of
from generator.paper.card_pen import CardPen
from generator.paper.gallery import Gallery
from generator.paper.ink import Inks
from generator.paper.window import draw_window


def pen_of(canvas: Canvas, face: Face, *how: Any) -> CardPen:
    """Return what draws a face: its setting, x and y, the inks and the gallery follow."""
    return (EndsPen if body_of(face).ends else CardPen)(canvas, face, *how)


class EndsPen(CardPen):
    """Draws a face with two ends; only the turned one has a filled head."""

    def __init__(
        self, canvas: Canvas, face: Face, setting: CardSetting, x: float, y: float, inks: Inks, gallery: Gallery | None
    ) -> None:
        super().__init__(canvas, face, setting, x, y, inks, gallery)
        settled, high = self.body.settled_ends(setting)
        ends = zip(self.body.ends, settled, strict=True)
        self._ends = [
            CardPen(canvas, each.face, own, x, y + setting.height - own.height, inks, gallery, each)
            for each, own in ends
        ]
        for end, filled in zip(self._ends, (False, inks.filled), strict=True):
            end.window = replace(end.window, filled=filled, style="number" if filled else "ace")
        self._ends[1].window = replace(self._ends[1].window, locked=True)
        place = (x, y + (setting.height - high) / 2, setting.width, high)
        heart = (x + setting.width / 2, y + setting.height / 2)
        none = (0.0, 0.0)
        self.window = replace(
            self.window, place=place, strip=0.0, notch=none, tab=none, heart=heart, foot=0.0, torn=False
        )

    def _turns(self) -> Iterator[CardPen]:
        """Yield what draws each end, with the page turned for the second."""
        upright, turned = self._ends
        yield upright
        with pen.placed(self.canvas, (2 * self.x + self.setting.width, 2 * self.y + self.setting.height), turn=180):
            yield turned

    def draw_window(self, bleed: float) -> None:
        """Draw the heads of both ends, and the window between them, each half as its end sees it."""
        left, foot, wide, high = self.window.place
        half = replace(self.window, place=(left, foot, wide, high / 2))
        for end in self._turns():
            end.draw_window(bleed)
            draw_window(self.canvas, half, self.y, bleed, patterned=self.patterned)

    def draw(self) -> None:
        """Draw the picture between the ends, then all parts of each end."""
        left, foot, wide, high = self.window.place
        room = left + self.setting.side, foot + MARGIN, wide - 2 * self.setting.side, high - 2 * MARGIN
        for sign in (part for part in self.face.parts if isinstance(part, Emblem)):
            with tags.tagged_as(self.canvas, sign):
                emblem.draw_suit_or_emblem(self.canvas, sign, room, self.window, self.gallery)
        for end in self._turns():
            end.draw()

"""A tuck box for a deck as a flat template: panels with their corners, and which edges are folded and which are cut.

Millimetres, the origin at the lower left corner of the template. The printed side is the outside of the box.
"""

from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.layout.sheets import MIN_MARGIN, Size

THICKNESS = 0.3
"""A card of 300 g paper, or one of a print shop, mm."""
ROOM = 1.0
"""How much wider, higher and deeper than the deck the box is inside, mm."""
MIN_DEPTH = 6.0
"""A box for fewer cards could not be glued together, mm."""
_TUCK = 14.0
"""The flap that holds the lid."""
_MAX_GLUED = 12.0
_TAPER = 2.0
"""How much a flap narrows on each side, so that it goes in easily."""

Point = tuple[float, float]
Line = tuple[Point, Point]


class BoxPanel(Struct, frozen=True):
    """A part of the template, its corners in turn; `glued` where glue is put on its printed side."""

    name: str
    corners: tuple[Point, ...]
    glued: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left and foot, width and height of what it covers, mm."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    @property
    def edges(self) -> tuple[Line, ...]:
        """Its edges, each with the lesser point first."""
        pairs = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return tuple((min(pair), max(pair)) for pair in pairs)


class TuckBox(Struct, frozen=True):
    """A template: its panels, by name, and the room inside the box, mm."""

    panels: tuple[BoxPanel, ...]
    inside: tuple[float, float, float]

    def panel(self, name: str) -> BoxPanel:
        """Return the panel of that name."""
        return next(panel for panel in self.panels if panel.name == name)

    @property
    def size(self) -> Size:
        """Width and height of the flat template."""
        corners = [corner for panel in self.panels for corner in panel.corners]
        return Size(max(x for x, _ in corners), max(y for _, y in corners))

    @property
    def folds(self) -> tuple[Line, ...]:
        """The edges between two panels."""
        return tuple(edge for edge, times in self._edges.items() if times == 2)

    @property
    def cuts(self) -> tuple[Line, ...]:
        """The edges of the template."""
        return tuple(edge for edge, times in self._edges.items() if times == 1)

    @property
    def _edges(self) -> Counter[Line]:
        return Counter(edge for panel in self.panels for edge in panel.edges)


def tuck_box(card: Size, count: int, thickness: float = THICKNESS) -> TuckBox:
    """Return the box for so many cards of that size and thickness.

    From the left: the flap that is glued, back, side, front and side. The lid hangs on the back and is tucked in behind
    the front; the bottom of the back is glued over that of the front.
    """
    wide, high = card.width + ROOM, card.height + ROOM
    deep = max(count * thickness + ROOM, MIN_DEPTH)
    seam, dust = min(_MAX_GLUED, deep - 1), min(wide / 2 - 1, 0.8 * deep + 4)
    foot = max(deep, dust)
    top = foot + high
    lefts = [seam, seam + wide, seam + wide + deep, seam + 2 * wide + deep, seam + 2 * (wide + deep)]
    lefts = [round(left, 4) for left in lefts]
    back, left, front, right, end = lefts
    foot, top = round(foot, 4), round(top, 4)

    def wall(name: str, start: float, stop: float) -> BoxPanel:
        return BoxPanel(name, ((start, foot), (stop, foot), (stop, top), (start, top)))

    def flap(
        name: str, start: float, stop: float, base: float, far: float, taper: float, *, glued: bool = False
    ) -> BoxPanel:
        """Return a flap on a level edge, up or down to `far`."""
        far = round(far, 4)
        return BoxPanel(
            name, ((start, base), (stop, base), (round(stop - taper, 4), far), (round(start + taper, 4), far)), glued
        )

    lid = round(top + deep, 4)
    return TuckBox(
        (
            BoxPanel("seam", ((back, foot), (0.0, foot + _TAPER), (0.0, top - _TAPER), (back, top)), glued=True),
            wall("back", back, left),
            wall("left", left, front),
            wall("front", front, right),
            wall("right", right, end),
            flap("lid", back, left, top, lid, 0),
            flap("tuck", back, left, lid, lid + _TUCK, 2 * _TAPER),
            flap("left dust flap", left, front, top, top + dust, _TAPER),
            flap("right dust flap", right, end, top, top + dust, _TAPER),
            flap("bottom", back, left, foot, foot - deep, 0),
            flap("bottom flap", front, right, foot, foot - deep + 0.5, _TAPER / 2, glued=True),
            flap("left bottom flap", left, front, foot, foot - dust, _TAPER),
            flap("right bottom flap", right, end, foot, foot - dust, _TAPER),
        ),
        (wide, high, deep),
    )


def placed_box(box: TuckBox, paper: Size) -> tuple[TuckBox, Size]:
    """The box in the middle of a paper, which lies on its side if it must. Raises HackjackError if it does not fit."""
    flat = box.size
    for way in (Size(paper.width, paper.height), Size(paper.height, paper.width)):
        right, up = (way.width - flat.width) / 2, (way.height - flat.height) / 2
        if min(right, up) >= MIN_MARGIN:
            moved = tuple(
                replace(panel, corners=tuple((round(x + right, 4), round(y + up, 4)) for x, y in panel.corners))
                for panel in box.panels
            )
            return replace(box, panels=moved), way
    wide, high, deep = box.inside
    raise HackjackError(
        f"a box of {wide:g} x {high:g} x {deep:g} mm is {flat.width:.0f} x {flat.height:.0f} mm when it is flat, and "
        f"does not fit on a paper of {paper.width:g} x {paper.height:g} mm with {MIN_MARGIN:g} mm around it: "
        f"choose smaller cards with --card, or thinner ones with --thickness"
    )

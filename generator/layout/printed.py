"""What stands on the pages of a PDF, whether we wrote it or read it. Boxes in mm from the page's lower left corner."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from generator.layout.sheets import MM

Box = tuple[float, float, float, float]
"""Left, foot, right, top."""
Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Text(Struct, frozen=True):
    """A stretch of text: its font, whether that is embedded, its size as printed (pt), where its ink is."""

    font: str
    embedded: bool
    size: float
    box: Box
    says: Callable[[], str]


class Image(Struct, frozen=True):
    """An image: its pixels, how many of them come to an inch, where it stands."""

    pixels: tuple[int, int]
    dpi: float
    box: Box


class PageSeen(Struct, frozen=True):
    """One page; boxes that it does not give are None."""

    number: int
    width: float
    height: float
    trim: Box | None
    bleed: Box | None
    texts: tuple[Text, ...]
    images: tuple[Image, ...] = ()
    transparent: bool = False
    annotations: tuple[str, ...] = ()


class Printed(bytes):
    """A PDF that we wrote, and what its pen put on its pages; pictures were judged before they were drawn.

    `panels` are the numbers of the panels that its pages show, or begin with, where it is a file of panels.
    """

    pages: tuple[PageSeen, ...] = ()
    panels: tuple[int, ...] = ()


def matrix_product(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that does `inner` first."""
    if outer == SAME:
        return inner
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def bounding_box(box: Box, matrix: Matrix) -> Box:
    """Return the upright box around a box that is moved and turned by a matrix."""
    a, b, c, d, e, f = matrix
    if b == c == 0:
        # Hardly any text is turned.
        left, right = sorted((a * box[0] + e, a * box[2] + e))
        foot, top = sorted((d * box[1] + f, d * box[3] + f))
        return left, foot, right, top
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def in_mm(box: Box, left: float = 0.0, foot: float = 0.0) -> Box:
    """Return a box in points as one in mm from (left, foot), which are points too."""
    x1, y1, x2, y2 = box
    return (x1 - left) / MM, (y1 - foot) / MM, (x2 - left) / MM, (y2 - foot) / MM

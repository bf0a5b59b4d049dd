"""Vector art of the printed cards: suits, small signs, court emblems and the card back.

Every drawing is a filled outline or a set of lines; no fonts and no pictures are used. Outlines are
kept in a unit box (y up, centred on the origin, the longer side at most 1) and are scaled when drawn.
The shapes are written as short path strings in a grid of about 100 by 100 and fitted into the unit box
once, at import.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from reportlab.pdfgen.canvas import FILL_EVEN_ODD

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]
Command = (
    tuple[Literal["M"], float, float]
    | tuple[Literal["L"], float, float]
    | tuple[Literal["C"], float, float, float, float, float, float]
    | tuple[Literal["Z"]]
)


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed shape in a unit box: y up, centred on the origin, longer side at most 1.

    Filled by the even-odd rule, so a ring inside another ring is a hole.
    """

    commands: tuple[Command, ...]

    def draw(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        size: float,
        *,
        fill: bool = True,
        stroke: bool = False,
        turned: bool = False,
    ) -> None:
        """Paint the outline centred on (x, y) pt, with its unit box scaled to `size` pt.

        The caller sets colours and line width. `turned` turns the shape by 180 degrees.
        """
        path = canvas.beginPath()
        self.trace(path, x, y, -size if turned else size)
        canvas.drawPath(path, stroke=int(stroke), fill=int(fill), fillMode=FILL_EVEN_ODD)

    def trace(self, path: Any, x: float, y: float, size: float) -> None:
        """Append the outline to a reportlab path object; a negative `size` (pt) turns it by 180 degrees.

        Many outlines traced into one path are painted by a single operator.
        """

        def at(value: float, offset: float) -> float:
            # 0.001 pt is far below any printer's dot and keeps the file small.
            return round(offset + size * value, 3)

        for command in self.commands:
            match command:
                case ("C", x1, y1, x2, y2, x3, y3):
                    path.curveTo(at(x1, x), at(y1, y), at(x2, x), at(y2, y), at(x3, x), at(y3, y))
                case ("L", x1, y1):
                    path.lineTo(at(x1, x), at(y1, y))
                case ("M", x1, y1):
                    path.moveTo(at(x1, x), at(y1, y))
                case _:
                    path.close()


# --- building outlines -------------------------------------------------------------------------------

_ARGUMENTS: Mapping[str, int] = {"M": 2, "L": 2, "C": 6, "Z": 0}
_TOKEN = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?")
_CIRCLE = 4 / 3 * (math.sqrt(2) - 1)  # handle length of a cubic quarter circle of radius 1


def parse_path(text: str) -> tuple[Command, ...]:
    """Read an SVG-like path of absolute M, L, C and Z commands; anything else raises ValueError."""
    tokens = text.split()
    commands: list[Command] = []
    place = 0
    while place < len(tokens):
        letter = tokens[place]
        if not all(_TOKEN.fullmatch(token) for token in tokens[place:]) or letter not in _ARGUMENTS:
            raise ValueError(f"not a path command: {letter!r} in {text!r}")
        end = place + 1 + _ARGUMENTS[letter]
        values = tokens[place + 1 : end]
        if len(values) < end - place - 1 or any(value.isalpha() for value in values):
            raise ValueError(f"command {letter} lacks numbers in {text!r}")
        commands.append(_command(letter, [float(value) for value in values]))
        place = end
    if not commands or commands[0][0] != "M":
        raise ValueError(f"a path must start with M: {text!r}")
    return tuple(commands)


def _command(letter: str, values: Sequence[float]) -> Command:
    """Make a typed command of a checked letter and its numbers."""
    if letter == "C":
        x1, y1, x2, y2, x3, y3 = values
        return ("C", x1, y1, x2, y2, x3, y3)
    if letter == "Z":
        return ("Z",)
    x, y = values
    return ("M", x, y) if letter == "M" else ("L", x, y)


def _points(command: Command) -> list[Point]:
    """The points of a command, control points included, in order."""
    numbers = [value for value in command if not isinstance(value, str)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def mapped(commands: Iterable[Command], matrix: Sequence[float]) -> tuple[Command, ...]:
    """Apply x' = a x + b y + e, y' = c x + d y + f to every point, with matrix (a, b, c, d, e, f)."""
    a, b, c, d, e, f = matrix
    result: list[Command] = []
    for command in commands:
        flat = [v for x, y in _points(command) for v in (a * x + b * y + e, c * x + d * y + f)]
        result.append(_command(command[0], flat))
    return tuple(result)


def rotated(commands: Iterable[Command], degrees: float, dx: float = 0, dy: float = 0) -> tuple[Command, ...]:
    """Turn about the origin (anticlockwise), then move by (dx, dy)."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return mapped(commands, (cos, -sin, sin, cos, dx, dy))


def _half(text: str) -> tuple[Command, ...]:
    """Close the right half of a shape, drawn from axis to axis (x = 0), with its mirror image."""
    right = parse_path(text)
    corners = [_points(command)[-1] for command in right]
    left: list[Command] = []
    for command, (x, y) in zip(reversed(right[1:]), reversed(corners[:-1]), strict=True):
        if command[0] == "C":
            (x1, y1), (x2, y2), _ = _points(command)
            left.append(("C", -x2, y2, -x1, y1, -x, y))
        else:
            left.append(("L", -x, y))
    return (*right, *left, ("Z",))


def _pair(*parts: Iterable[Command]) -> tuple[Command, ...]:
    """Closed parts of the right side together with their mirror images."""
    right = tuple(command for part in parts for command in part)
    return (*right, *mapped(right, (-1, 0, 0, 1, 0, 0)))


def disc(x: float, y: float, radius: float) -> tuple[Command, ...]:
    """A circle."""
    r, k = radius, radius * _CIRCLE
    return (
        ("M", x + r, y),
        ("C", x + r, y + k, x + k, y + r, x, y + r),
        ("C", x - k, y + r, x - r, y + k, x - r, y),
        ("C", x - r, y - k, x - k, y - r, x, y - r),
        ("C", x + k, y - r, x + r, y - k, x + r, y),
        ("Z",),
    )


def _samples(commands: Iterable[Command], steps: int = 16) -> Iterator[Point]:
    """Points lying on the curve itself."""
    here = (0.0, 0.0)
    for command in commands:
        points = _points(command)
        if command[0] == "C":
            one, two, end = points
            for step in range(1, steps + 1):
                t = step / steps
                u = 1 - t
                weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
                nodes = (here, one, two, end)
                yield (
                    sum(w * p[0] for w, p in zip(weights, nodes, strict=True)),
                    sum(w * p[1] for w, p in zip(weights, nodes, strict=True)),
                )
        else:
            yield from points
        here = points[-1] if points else here


def fitted(*parts: Iterable[Command], side: float = 1.0) -> Outline:
    """Join the parts and fit them, centred, into the unit box with their longer side at `side`."""
    commands = [command for part in parts for command in part]
    xs, ys = zip(*_samples(commands), strict=True)
    scale = side / max(max(xs) - min(xs), max(ys) - min(ys))
    dx, dy = -scale * (max(xs) + min(xs)) / 2, -scale * (max(ys) + min(ys)) / 2
    return Outline(mapped(commands, (scale, 0, 0, scale, dx, dy)))


# --- suits -------------------------------------------------------------------------------------------

_CLUB = _half(
    "M 0 50 C 12.2 50 21.5 40.6 21.5 28.8 C 21.5 20.6 17 14.2 10.2 8.6"
    " C 15.2 11.6 20.6 13 26.6 13 C 39.2 13 49 3.4 49 -9 C 49 -21.4 39.4 -31 27 -31"
    " C 17.2 -31 8.6 -25.6 3.4 -16.4 C 4 -31 9.6 -42.4 22 -48.6 L 22 -50 C 14 -48.6 7 -48 0 -48"
)
_DIAMOND = _half("M 0 50 C 10.6 33.4 24.4 15.4 41 0 C 24.4 -15.4 10.6 -33.4 0 -50")
_HEART = _half("M 0 26 C 3.4 38.6 12.6 46 24.6 46 C 38.8 46 48 35.4 48 21.6 C 48 -4.6 17.4 -19 0 -50")
_SPADE = _half(
    "M 0 50 C 6.4 36.4 18.4 26 30.4 14.4 C 40 5.2 44.6 -2.6 44.6 -11.6"
    " C 44.6 -23.4 36 -31.6 25.4 -31.6 C 16 -31.6 8 -26 3.4 -16.8"
    " C 4 -31 9.6 -42.4 22 -48.6 L 22 -50 C 14 -48.6 7 -48 0 -48"
)

SUITS: Mapping[str, Outline] = MappingProxyType(
    {
        "C": fitted(_CLUB, side=0.97),
        "D": fitted(_DIAMOND),
        "H": fitted(_HEART, side=0.92),
        "S": fitted(_SPADE),
    }
)
"""The four French suits by letter, with equal optical weight at equal `size`."""

# --- icons -------------------------------------------------------------------------------------------

_DROP = _half("M 0 50 C 4.6 33 32.6 7.6 32.6 -17.4 C 32.6 -36 18.4 -50 0 -50")

# One half of a long bone lying along the x axis, its break at the right. The jagged edge is an odd
# function of y, so the same half turned by 180 degrees fits it like the two sides of a real break.
BONE_HALF = parse_path(
    "M 9 9.4 C -8 7.2 -20 7.4 -28 9.4 C -31.4 10.4 -32.6 12 -33.2 14.6 C -34.6 20.4 -39 23 -44 21.8"
    " C -50.2 20.4 -53 14.4 -51.2 8.8 C -50.2 5.8 -47.4 3.8 -47.4 0 C -47.4 -3.8 -50.2 -5.8 -51.2 -8.8"
    " C -53 -14.4 -50.2 -20.4 -44 -21.8 C -39 -23 -34.6 -20.4 -33.2 -14.6 C -32.6 -12 -31.4 -10.4 -28 -9.4"
    " C -22 -8 -17 -7.6 -12 -7.8 L -4.6 -3.4 L -8.6 -1 L 4 2.2 L -1 4.8 Z"
)
_BONE = (
    *rotated(BONE_HALF, 45 + 8, -6.2, 0.6),
    *rotated(rotated(BONE_HALF, 180), 45 - 8, 6.2, -0.6),
)

_LOCK = (
    *_half("M 0 50 C 15.6 50 26 39.6 26 24 L 26 8 L 31 8 C 34 8 36 6 36 3 L 36 -16 C 36 -34 22 -45 0 -50"),
    *_half("M 0 39.6 C 9.6 39.6 15.6 33.6 15.6 24 L 15.6 8 L 0 8"),
    *_half("M 0 -7 C 4.4 -7 7.4 -10 7.4 -14 C 7.4 -17 5.8 -19 3.6 -20.2 L 6 -34 L 0 -34"),
)


def _star_points(points: int, outer: float, inner: float) -> tuple[Command, ...]:
    """A star with one point straight up."""
    commands: list[Command] = []
    for index in range(2 * points):
        radius = inner if index % 2 else outer
        angle = math.pi / 2 + index * math.pi / points
        corner = (radius * math.cos(angle), radius * math.sin(angle))
        commands.append(("L", *corner) if index else ("M", *corner))
    return (*commands, ("Z",))


_SKULL = (
    *_half(
        "M 0 50 C 23 50 39 37 39 15 C 39 8 37.4 2.6 35 -2 C 34 -4.6 36.4 -8 36 -12"
        " C 35.4 -18.6 29 -22 23.4 -24 C 20.4 -25.2 20 -28 20.2 -31 L 20.6 -44 C 20.6 -47 18.6 -48.4 15.4 -48.8"
        " L 15 -37 L 12.4 -37 L 12.2 -49.4 C 9.4 -49.8 7 -50 5 -50 L 4.8 -37.4 L 2.2 -37.4 L 2 -50 L 0 -50"
    ),
    *_pair(
        parse_path(
            "M 6 -3 C 5.6 3 9 6.4 15 7.6 C 21 8.8 28.6 9.4 30 4 C 31.4 -2 28.6 -10.4 22.4 -12.4 C 16 -14.4 7 -11 6 -3 Z"
        ),
    ),
    *_half("M 0 -10 C 3 -14 6.4 -21 6 -25 C 5.6 -28 2.4 -28 0 -25"),
)

# The band is bent a little, as if seen from slightly above: it gives the crowns their roundness.
_BAND = _half("M 0 -30 C 13 -30 26 -28 37 -24.6 L 35 -38.6 C 25 -42 12 -44 0 -44")
_BAND_JEWELS = (
    *_half("M 0 -33 L 7 -37 L 0 -41"),
    *_pair(disc(14.4, -36, 2.6), parse_path("M 20.4 -35 L 26.6 -31.4 L 31.4 -32.6 L 25.6 -37.2 Z")),
)

_QUEEN = (
    # A leaf in the middle, a half leaf at each end, and a pearl on a point between them.
    *_half(
        "M 0 35 C 4 30 8 25 7 19.6 C 6.6 17 5.4 15 4.4 13.4 C 7.4 14.6 12.6 14 13.6 9.4"
        " C 14.4 5 9.4 2.4 6 5.4 C 6 -2 9 -9.4 13.8 -9.4 C 19 -9.4 22.8 2 24.4 16"
        " C 25.8 2 28 -7.4 32.6 -7.4 C 36 -7.4 37.4 -2 37.6 4 C 34 1.6 30 5 31.6 9 C 33 12.4 37 12.4 39.4 10.6"
        " C 40 16 44 21 50 23 C 47 10 42 -6 39 -20 C 26 -24.4 12 -26.4 0 -26.4"
    ),
    *_BAND,
    *_BAND_JEWELS,
    *_half("M 0 -4 L 3.6 -12 L 0 -20"),
    *_pair(disc(24.4, 22.4, 4.4), parse_path("M 24 -7 L 27 -12.6 L 25.4 -18.6 L 22.4 -13 Z")),
    *_half("M 0 25 C 2.4 21 2.4 13 0 1 "),
)

_KING = (
    *_half(
        "M 0 50 L 4.4 50 C 3.4 47.4 3 46 2.4 43.6 C 4.4 44.2 6.4 44.6 8 45.6 L 8 36.8"
        " C 6.4 37.8 4.4 38.2 2.4 38.8 C 3 36.4 3.4 35 4.4 32.4 L 0 32.4"
    ),
    *disc(0, 25.6, 5.4),
    # The side arches with their pearls, the middle arch, and the cap showing between them.
    *_half(
        "M 0 16.8 C 9 16 15 21 24 22 C 45 24 58 4 39.4 -19.6 C 37 -20.6 34.6 -21.4 32 -22"
        " C 44 0 37 15.6 24 14.6 C 15 13.6 10 9.6 0 10.6"
    ),
    *_pair(
        *(disc(x, y, 1.9) for x, y in ((42, -8), (43.2, 2.6), (40, 11.4), (33, 16.8), (24, 18.2), (15, 16))),
        parse_path("M 8 8.2 C 14 8.2 17 11.6 24 12 C 34.6 12.4 40 -2 28.8 -22.8 C 22 -24.6 15 -25.8 8 -26.2 Z"),
        parse_path("M 13.4 -19 C 14 -8 16 0 21 7 C 18 0 15.6 -8 14.8 -18.8 Z"),
        parse_path("M 21 -18 C 24.4 -8 26 0 27 6.4 C 27.4 0 26.6 -8 22.4 -17.6 Z"),
    ),
    *_half("M 0 8.2 L 5.4 8.2 L 5.4 -26.4 L 0 -26.4"),
    *disc(0, 1, 1.9),
    *_half("M 0 -4 L 2.6 -9 L 0 -14"),
    *disc(0, -19, 1.9),
    *_BAND,
    *_BAND_JEWELS,
)


_JACK = (
    # A low coronet of five plain points; the openings follow the points like chased metal.
    *_half(
        "M 0 18 C 3 8 7 -2 12 -9.4 C 17.4 -3 22 6 25.4 15 C 27.4 6 29.6 -1 32.8 -7.4 C 38.6 -3 45 2.6 50 9.4"
        " C 46.6 0 42.6 -10 39.4 -20 C 26 -24.4 12 -26.4 0 -26.4"
    ),
    *_half("M 0 5.6 C 1.6 -2 4.6 -10 8.4 -16.2 C 5.6 -17.4 2.8 -18 0 -18"),
    *_pair(
        parse_path("M 24 4.2 C 21.6 -2 18.6 -8.6 15.2 -14 C 19.4 -14.4 23.8 -13.8 28 -12.4 C 26 -7 24.8 -2 24 4.2 Z"),
        parse_path(
            "M 44.6 1.4 C 41.6 -1.6 38 -4.6 34.4 -7.2 C 34.6 -10.4 36 -13.4 38.4 -15.4 C 40.4 -9.8 42.4 -4 44.6 1.4 Z"
        ),
    ),
    *_half("M 0 -30 C 13 -30 26 -28 37 -24.6 L 35 -38.6 C 25 -42 12 -44 0 -44"),
    *_half("M 0 -35 C 12.4 -35 24 -33.2 33.4 -30.2 L 32.8 -33.4 C 23.6 -36.4 12 -38.4 0 -38.4"),
)


def _bell(x: float, y: float, degrees: float) -> tuple[Command, ...]:
    """A small round bell with its slit, hanging down when `degrees` is 0."""
    slit = parse_path("M -1 -5.4 L 1 -5.4 L 1 -1.4 L -1 -1.4 Z")
    waist = parse_path("M -6 1.2 C -2 0.4 2 0.4 6 1.2 L 6 2.6 C 2 1.8 -2 1.8 -6 2.6 Z")
    return rotated((*disc(0, 0, 7), *slit, *waist), degrees, x, y)


_JESTER = (
    *_half("M 0 39 C 1 28 4 20 9 11 C 14.6 1 18.4 -10 20 -24.6 C 14 -26 7 -26.4 0 -26.4"),
    *_pair(
        parse_path(
            "M 22.6 -24 C 20.8 -9 16.6 2 11 12 L 8.4 17 C 14 26 24 30 33 26.6 C 44 22.4 51 9 50 -4.6"
            " C 46.6 3.4 42 5.4 39 2.4 C 35 -2 38 -12 38.6 -19.6 C 34 -21.4 28 -23 22.6 -24 Z"
        ),
        _bell(49.8, -13.4, 0),
    ),
    *_bell(0, 47.6, 180),
    *_half("M 0 -22 L 4.6 -13.6 L 0 -5.2"),
    *_half("M 0 -3 L 3.4 3.4 L 0 9.8"),
    *_half("M 0 12 L 2 16.6 L 0 21.2"),
    *_half(
        "M 0 -30 C 13 -30 26 -28 38.4 -24 L 37.4 -30 L 33.4 -45 L 25.4 -36.4 L 20 -50 L 12.4 -38.8 L 6.4 -52 L 0 -39.4"
    ),
)

# --- tokens of fortune -----------------------------------------------------------------------------------------------

_HORSESHOE = (
    *_half(
        "M 0 50 C 26 50 42 30 42 4 C 42 -12 37 -26 31 -38 L 36 -41 L 33 -50 L 17 -46 L 18 -38"
        " C 23 -24 26 -12 26 2 C 26 20 15 32 0 32"
    ),
    *_pair(*(disc(x, y, 2.4) for x, y in ((14, 37.6), (27.6, 25.6), (34, 8), (33, -11), (28, -28)))),
)
_FLAME = (
    *parse_path(
        "M 4 50 C 10 28 35 16 35 -13 C 35 -36 19 -50 0 -50 C -20 -50 -35 -36 -35 -15 C -35 -1 -27 8 -22 20"
        " C -16 13 -13 6 -13 -1 C -2 10 6 28 4 50 Z"
    ),
    *parse_path("M 3 2 C 5 -9 17 -14 17 -28 C 17 -39 9 -45 0 -45 C -10 -45 -17 -39 -17 -29 C -17 -18 -1 -12 3 2 Z"),
)
_PLAYING_CARD = (
    *_half("M 0 50 L 29 50 C 33 50 35 48 35 44 L 35 -44 C 35 -48 33 -50 29 -50 L 0 -50"),
    *_half("M 0 46 L 28 46 C 30 46 31 45 31 43 L 31 -43 C 31 -45 30 -46 28 -46 L 0 -46"),
    *mapped(_SPADE, (0.42, 0, 0, 0.42, 0, 0)),
    *(command for x, y in ((-22, 36), (22, -36)) for command in mapped(_DIAMOND, (0.1, 0, 0, 0.1, x, y))),
)
_BOOT = (
    *parse_path(
        "M -22 50 C -12 46 0 46 10 50 C 8 32 8 14 11 2 C 14 -8 28 -13 40 -17 C 47 -20 50 -26 50 -33 L 50 -37 L 2 -37"
        " L -3 -32 L -3 -37 L -21 -37 L -24 -25 C -26 -10 -18 20 -22 50 Z"
    ),
    *parse_path("M -25.2 -18.4 L -39 -24 L -39 -19 L -25 -12.6 Z"),
    *mapped(_star_points(8, 9, 4.4), (1, 0, 0, 1, -44, -25)),
)
_BADGE_OF_OFFICE = (
    *_star_points(6, 40, 22),
    *(
        command
        for place in range(6)
        for command in disc(46 * math.cos(math.pi * (0.5 + place / 3)), 46 * math.sin(math.pi * (0.5 + place / 3)), 5.4)
    ),
    *disc(0, 0, 15),
    *disc(0, 0, 12.4),
)

ICONS: Mapping[str, Outline] = MappingProxyType(
    {
        "drop": fitted(_DROP),
        "bone": fitted(_BONE),
        "lock": fitted(_LOCK),
        "star": fitted(_star_points(5, 50, 20.5)),
        "skull": fitted(_SKULL),
        "jack": fitted(_JACK),
        "queen": fitted(_QUEEN),
        "king": fitted(_KING),
        "jester": fitted(_JESTER),
        "charm": fitted(_HORSESHOE),
        "burn": fitted(_FLAME),
        "hole": fitted(_PLAYING_CARD),
        "kicker": fitted(_BOOT),
        "marker": fitted(_BADGE_OF_OFFICE),
    }
)
"""Small signs and court emblems by name."""

_PIP_COLUMNS: Mapping[int, tuple[tuple[float, tuple[float, ...]], ...]] = MappingProxyType(
    {
        1: ((0, (0,)),),
        2: ((0, (0.5, -0.5)),),
        3: ((0, (0.5, 0, -0.5)),),
        4: ((-0.5, (0.5, -0.5)), (0.5, (0.5, -0.5))),
        5: ((-0.5, (0.5, -0.5)), (0, (0,)), (0.5, (0.5, -0.5))),
        6: ((-0.5, (0.5, 0, -0.5)), (0.5, (0.5, 0, -0.5))),
        7: ((-0.5, (0.5, 0, -0.5)), (0, (0.25,)), (0.5, (0.5, 0, -0.5))),
        8: ((-0.5, (0.5, 0, -0.5)), (0, (0.25, -0.25)), (0.5, (0.5, 0, -0.5))),
        9: ((-0.5, (0.5, 1 / 6, -1 / 6, -0.5)), (0, (0,)), (0.5, (0.5, 1 / 6, -1 / 6, -0.5))),
        10: ((-0.5, (0.5, 1 / 6, -1 / 6, -0.5)), (0, (1 / 3, -1 / 3)), (0.5, (0.5, 1 / 6, -1 / 6, -0.5))),
    }
)


def pips(count: int) -> tuple[tuple[float, float, bool], ...]:
    """Where the pips of a number card stand: x and y in a field from -0.5 to 0.5, and whether the pip is turned.

    Raises ValueError outside 1 to 10.
    """
    if count not in _PIP_COLUMNS:
        raise ValueError(f"a number card has 1 to 10 pips, not {count}")
    return tuple((x, y, y < 0) for x, column in _PIP_COLUMNS[count] for y in column)

"""The patterns of card backs: a tile each, which is repeated over the card and beyond its edges.

A tile is drawn in a unit box, x to the right and y up, with its centre as the origin. Each is the same turned round, so
that a card is; and what leaves it on one side comes in on the other, so that a pattern goes on over every edge.
"""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from generator.model.themes import BackPattern
from generator.paper.art import SLIM_DROP, Command, Point, circle_path, map_points


class Tile(Struct, frozen=True):
    """What is repeated: lines of `wide` pt, closed shapes, and stitches across some lines.

    `cell` is the wanted width and height of a tile in pt; the real ones divide the card evenly.
    """

    cell: tuple[float, float]
    lines: tuple[Command, ...] = ()
    shapes: tuple[Command, ...] = ()
    stitched: bool = False
    wide: float = 0.6


def _polyline(*points: Point) -> tuple[Command, ...]:
    first, *others = points
    return (("M", *first), *(("L", *point) for point in others))


def _closed(points: Iterable[Point]) -> tuple[Command, ...]:
    return (*_polyline(*points), ("Z",))


def _star(x: float, y: float, radius: float, *, turned: bool) -> tuple[Command, ...]:
    """Return a star with five points round (x, y)."""
    way = -1 if turned else 1
    corners = []
    for at in range(10):
        reach = radius if at % 2 == 0 else 0.42 * radius
        angle = math.pi / 2 + at * math.pi / 5
        corners.append((x + way * reach * math.cos(angle), y + way * reach * math.sin(angle)))
    return _closed(corners)


def _lozenges() -> Tile:
    """Lozenges sewn together by surgical stitches, with a drop in each: upright and turned in turn."""
    seams: list[Command] = []
    for x, y in ((-0.25, -0.25), (-0.25, 0.25), (0.25, -0.25), (0.25, 0.25)):
        seams += _polyline((x - 0.25, y - 0.25), (x + 0.25, y + 0.25))
        seams += _polyline((x - 0.25, y + 0.25), (x + 0.25, y - 0.25))
    drops: list[Command] = []
    for x, y, way in ((0, 0.25, 1), (0, -0.25, -1), (0.5, 0.25, 1), (0.5, -0.25, -1)):
        drops += map_points(SLIM_DROP.commands, (way * 0.217, 0, 0, way * 0.155, x, y))
        drops += map_points(SLIM_DROP.commands, (way * 0.217, 0, 0, way * 0.155, way * 0.25, x))
    return Tile((36.0, 50.4), tuple(seams), tuple(drops), stitched=True, wide=0.5)


def _waves() -> Tile:
    """Swells one above the other; a cubic is as good as a sine."""
    lines: list[Command] = []
    for y in (-0.375, -0.125, 0.125, 0.375):
        lines += [("M", -0.5, y), ("C", -0.318, y - 0.22, -0.182, y - 0.22, 0, y)]
        lines += [("C", 0.182, y + 0.22, 0.318, y + 0.22, 0.5, y)]
    return Tile((30.0, 25.0), tuple(lines), wide=1.1)


def _chevrons() -> Tile:
    """Zigzags, thick and thin in turn."""
    lines: list[Command] = []
    shapes: list[Command] = []
    for y in (-0.25, 0.25):
        lines += _polyline((-0.5, y), (-0.25, y - 0.18), (0.25, y + 0.18), (0.5, y))
    for y, half in ((0.0, 0.055), (0.5, 0.055)):
        upper = [(-0.5, y + half), (-0.25, y - 0.18 + half), (0.25, y + 0.18 + half), (0.5, y + half)]
        lower = [(0.5, y - half), (0.25, y + 0.18 - half), (-0.25, y - 0.18 - half), (-0.5, y - half)]
        shapes += _closed((*upper, *lower))
    return Tile((26.0, 25.2), tuple(lines), tuple(shapes), wide=0.8)


def _bricks() -> Tile:
    """Courses of bricks, each half a brick beside the other."""
    lines = (*_polyline((-0.5, 0), (0.5, 0)), *_polyline((-0.5, 0.5), (0.5, 0.5)))
    joints = (*_polyline((0.25, 0), (0.25, 0.5)), *_polyline((-0.25, 0), (-0.25, -0.5)))
    return Tile((26.0, 25.2), (*lines, *joints), wide=1.3)


def _petals() -> Tile:
    """Circles through each other's centres, which make flowers of four petals."""
    shapes: list[Command] = []
    for x, y, angle in ((0.25, 0.25, 45), (-0.25, -0.25, 45), (-0.25, 0.25, 135), (0.25, -0.25, 135)):
        cos, sin = (math.cos(math.radians(angle)), math.sin(math.radians(angle)))
        petal: tuple[Command, ...] = (
            ("M", -0.3, 0),
            ("C", -0.1, 0.15, 0.1, 0.15, 0.3, 0),
            ("C", 0.1, -0.15, -0.1, -0.15, -0.3, 0),
            ("Z",),
        )
        shapes += map_points(petal, (cos, -sin, sin, cos, x, y))
    return Tile((20.0, 21.0), shapes=tuple(shapes))


def _stars() -> Tile:
    """Stars, upright and turned in turn, with a dot between each two."""
    shapes = [*_star(-0.25, 0.25, 0.17, turned=False), *_star(0.25, -0.25, 0.17, turned=True)]
    for x, y in ((0.25, 0.25), (-0.25, -0.25)):
        shapes += circle_path(x, y, 0.035)
    return Tile((30.0, 31.0), shapes=tuple(shapes))


def _weave() -> Tile:
    """Return a basket: three strands across, three strands up, in turn."""
    lines: list[Command] = []
    for step in (0.0833, 0.25, 0.4167):
        for near, far in ((0.03, 0.47), (-0.47, -0.03)):
            across = step if near > 0 else -step
            lines += _polyline((near, across), (far, across))
            lines += _polyline((-across, near), (-across, far))
    return Tile((26.0, 25.2), tuple(lines), wide=1.5)


def _honeycomb() -> Tile:
    """Cells of six sides."""
    sixth = 1 / 6
    lines = (
        *_polyline((-0.5, -sixth), (0, -2 * sixth), (0.5, -sixth)),
        *_polyline((-0.5, sixth), (0, 2 * sixth), (0.5, sixth)),
        *_polyline((0, 2 * sixth), (0, 0.5)),
        *_polyline((0, -2 * sixth), (0, -0.5)),
        *_polyline((0.5, -sixth), (0.5, sixth)),
    )
    return Tile((18.0, 31.0), lines, wide=1.1)


def _keys() -> Tile:
    """Return a meander, whose arms wind into each other."""
    arm = (
        (0.0, 0.0),
        (0.14, 0.0),
        (0.14, 0.16),
        (-0.14, 0.16),
        (-0.14, -0.3),
        (0.36, -0.3),
        (0.36, 0.36),
        (-0.5, 0.36),
    )
    points = [(-x, -y) for x, y in reversed(arm)] + [*arm[1:]]
    return Tile((22.0, 22.0), _polyline(*points), wide=1.2)


TILES: Mapping[BackPattern, Tile] = MappingProxyType(
    {
        "lozenges": _lozenges(),
        "waves": _waves(),
        "chevrons": _chevrons(),
        "bricks": _bricks(),
        "petals": _petals(),
        "stars": _stars(),
        "weave": _weave(),
        "honeycomb": _honeycomb(),
        "keys": _keys(),
    }
)

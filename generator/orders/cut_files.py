"""Files for cutting machines: the outlines of the cards on a sheet, as SVG and as DXF, at their true size in mm."""

from collections.abc import Iterator
from math import pi, tan
from xml.sax.saxutils import escape

from generator.layout.sheets import Grid

_QUARTER = tan(pi / 8)
"""A quarter of a circle to the left as the bulge of a polyline: the tangent of a fourth of its angle."""


def cut_svg(grid: Grid, radius: float, says: str) -> bytes:
    """Return a drawing as large as the paper with one closed outline a card, whose corners have that radius in mm."""
    wide, high = grid.paper.width, grid.paper.height
    cell = grid.cell
    outlines = "\n".join(
        f'<rect x="{place.x:.4f}" y="{high - place.y - cell.height:.4f}" width="{cell.width:.4f}" '
        f'height="{cell.height:.4f}" rx="{radius:g}" ry="{radius:g}"/>'
        for place in grid.places
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high:g}mm" viewBox="0 0 {wide:g} {high:g}">
<title>{escape(says)}</title>
<g fill="none" stroke="#f00" stroke-width="0.1">
{outlines}
</g>
</svg>
""".encode()


def cut_dxf(grid: Grid, radius: float, says: str) -> bytes:
    """Return the same in DXF R12: one closed polyline a card with round corners; the paper's foot is at 0."""
    return "".join(f"{code}\n{value}\n" for code, value in _tags(grid, radius, says)).encode("ascii")


def _tags(grid: Grid, radius: float, says: str) -> Iterator[tuple[int, str]]:
    """Yield the file as pairs of a code and its value."""
    yield 999, says
    yield from [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4")]
    yield from [(9, "$EXTMIN"), (10, "0"), (20, "0")]
    yield from [(9, "$EXTMAX"), (10, f"{grid.paper.width:g}"), (20, f"{grid.paper.height:g}")]
    yield from [(0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for place in grid.places:
        yield from [(0, "POLYLINE"), (8, "CUT"), (66, "1"), (70, "1"), (10, "0"), (20, "0"), (30, "0")]
        for x, y, bulge in _outline(place.x, place.y, grid.cell.width, grid.cell.height, radius):
            yield from [(0, "VERTEX"), (8, "CUT"), (10, f"{x:.4f}"), (20, f"{y:.4f}"), (30, "0"), (42, f"{bulge:.8f}")]
        yield from [(0, "SEQEND"), (8, "CUT")]
    yield from [(0, "ENDSEC"), (0, "EOF")]


def _outline(x: float, y: float, wide: float, high: float, radius: float) -> Iterator[tuple[float, float, float]]:
    """Yield the ends of the sides, from the lower left corner on: position and bulge."""
    right, top = x + wide, y + high
    yield x + radius, y, 0.0
    yield right - radius, y, _QUARTER
    yield right, y + radius, 0.0
    yield right, top - radius, _QUARTER
    yield right - radius, top, 0.0
    yield x + radius, top, _QUARTER
    yield x, top - radius, 0.0
    yield x, y + radius, _QUARTER

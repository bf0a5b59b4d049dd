"""Vector art of the printed cards: suits, small signs, court emblems and the device of the card back.

The drawings are paths in `drawings.svg`, beside this file, and are read once. Every one is a filled outline; no fonts
and no pictures are used. Outlines are kept in a unit box (y up, centred on the origin, the longer side at most 1) and
are scaled when drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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


_FILE = Path(__file__).with_name("drawings.svg")
_GRID = 100.0
"""The unit of an outline in the file, and in a form XObject in pt."""
_REACH = 0.6 * _GRID
"""How far a form XObject reaches from its middle, pt: more than any sign, so that no edge is cut."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed shape in a unit box: y up, centred on the origin, longer side at most 1.

    Filled by the even-odd rule, so a ring inside another ring is a hole. One with a name is drawn once in a document,
    as a form XObject, however often it is shown.
    """

    commands: tuple[Command, ...]
    name: str = ""

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
        way = -size if turned else size
        if self.name and fill and not stroke:
            self._show(canvas, x, y, way)
        else:
            self._paint(canvas, x, y, way, fill=fill, stroke=stroke)

    def _show(self, canvas: Canvas, x: float, y: float, size: float) -> None:
        """Show the form XObject of a filled outline; the first time, make it."""
        form = f"sign-{self.name}"
        if not canvas.hasForm(form):
            canvas.beginForm(form, -_REACH, -_REACH, _REACH, _REACH)
            self._paint(canvas, 0, 0, _GRID, fill=True, stroke=False)
            canvas.endForm()
        canvas.saveState()
        canvas.transform(size / _GRID, 0, 0, size / _GRID, x, y)
        canvas.doForm(form)
        canvas.restoreState()

    def _paint(self, canvas: Canvas, x: float, y: float, size: float, *, fill: bool, stroke: bool) -> None:
        path = canvas.beginPath()
        self.trace(path, x, y, size)
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


# --- reading and moving paths ------------------------------------------------------------------------

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


# --- the drawings ------------------------------------------------------------------------------------


def _drawings() -> Mapping[str, Outline]:
    """The paths of the file by their ids."""
    found = re.findall(r'<path id="([\w-]+)" d="([^"]*)"', _FILE.read_text(encoding="utf-8"))
    scale = 1 / _GRID
    return {name: Outline(mapped(parse_path(path), (scale, 0, 0, scale, 0, 0)), name) for name, path in found}


_DRAWINGS = _drawings()
SUITS: Mapping[str, Outline] = MappingProxyType({suit: _DRAWINGS[f"suit-{suit}"] for suit in "CDHS"})
"""The four French suits by letter, with equal optical weight at equal `size`."""

_OF_THE_BACK = ("slim-drop", "device")
SLIM_DROP, DEVICE = (_DRAWINGS[name] for name in _OF_THE_BACK)
"""The drop that is sown over the back, and the knife and the bone in its medallion, at 100 pt for a radius of 66."""

ICONS: Mapping[str, Outline] = MappingProxyType(
    {
        name: _DRAWINGS[name]
        for name in _DRAWINGS
        if not name.startswith("suit-") and name not in ("slim-drop", "device")
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

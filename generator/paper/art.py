"""Vector art: suits, small signs, court emblems, the device of the card back, and a body.

The drawings are paths in `drawings.svg` and `emblems.svg`, beside this file, and are read once; no fonts and no
pictures are used. Outlines are kept in a unit box (y up, centred on the origin, the longer side at most 1) and
are scaled when drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]
Command = (
    tuple[Literal["M"], float, float]
    | tuple[Literal["L"], float, float]
    | tuple[Literal["C"], float, float, float, float, float, float]
    | tuple[Literal["Z"]]
)


OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
"""The operators of a PDF for the commands of a path."""
_EVEN_ODD = 0
"""As reportlab calls this rule. It is not loaded here: the page at the table shows drawings and makes no PDF."""
_FILE = Path(__file__).with_name("drawings.svg")
_EMBLEMS = Path(__file__).with_name("emblems.svg")
_GRID = 100.0
"""The unit of an outline in the file, and in a form XObject in pt."""
_HATCH = 1.8
"""From one line of a hatched sign to the next, pt."""
_REACH = 0.6 * _GRID
"""How far a form XObject reaches from its middle, pt: more than any sign, so that no edge is cut."""


class Outline(Struct, frozen=True):
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

        def paint(x: float = 0, y: float = 0, size: float = _GRID) -> None:
            path = canvas.beginPath()
            self.trace(path, x, y, size)
            canvas.drawPath(path, stroke=int(stroke), fill=int(fill), fillMode=_EVEN_ODD)

        if self.name and fill and not stroke:
            draw_repeated(canvas, f"sign-{self.name}", paint, x, y, way)
        else:
            paint(x, y, way)

    def hatch(self, canvas: Canvas, x: float, y: float, size: float, *, turned: bool = False) -> None:
        """Fill the outline with slanting lines in the colour for strokes."""
        canvas.saveState()
        path = canvas.beginPath()
        self.trace(path, x, y, -size if turned else size)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.setLineWidth(_HATCH / 4)
        steps = range(-math.ceil(size / _HATCH), math.ceil(size / _HATCH) + 1)
        half = size / 2
        canvas.lines([(x + at * _HATCH - half, y - half, x + at * _HATCH + half, y + half) for at in steps])
        canvas.restoreState()

    def operators(self, size: float) -> str:
        """Return the outline as a path of a PDF, `size` pt large: faster than `trace`, where there is one of each."""
        return " ".join(
            f"{' '.join(f'{size * number:.2f}' for number in numbers)} {OPERATORS[letter]}"
            for letter, *numbers in self.commands
        )

    def trace(self, path: Any, x: float, y: float, size: float) -> None:
        """Append the outline to a reportlab path object; a negative `size` (pt) turns it by 180 degrees.

        Many outlines traced into one path are painted by a single operator.
        """
        append = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for letter, *numbers in self.commands:
            # 0.001 pt is far below any printer's dot and keeps the file small.
            append[letter](*(round((y if at % 2 else x) + size * value, 3) for at, value in enumerate(numbers)))


def draw_repeated(canvas: Canvas, form: str, paint: Callable[[], None], x: float, y: float, size: float) -> None:
    """Show a drawing with its middle at (x, y), `size` pt large, as a form XObject that its first use makes.

    `paint` draws it around the origin, 100 pt large.
    """
    if not canvas.hasForm(form):
        canvas.beginForm(form, -_REACH, -_REACH, _REACH, _REACH)
        paint()
        canvas.endForm()
    canvas.saveState()
    canvas.transform(size / _GRID, 0, 0, size / _GRID, x, y)
    canvas.doForm(form)
    canvas.restoreState()


_ARGUMENTS: Mapping[str, int] = {"M": 2, "L": 2, "C": 6, "Z": 0}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CIRCLE = 4 / 3 * (math.sqrt(2) - 1)  # handle length of a cubic quarter circle of radius 1


def parse_path(text: str) -> tuple[Command, ...]:
    """Read an SVG-like path of absolute M, L, C and Z commands; anything else raises ValueError."""
    before, *pieces = re.split(r"([A-Za-z])", text)
    commands: list[Command] = []
    for letter, numbers in zip(pieces[::2], pieces[1::2], strict=True):
        values = numbers.split()
        if len(values) != _ARGUMENTS.get(letter) or not all(map(_NUMBER.fullmatch, values)):
            raise ValueError(f"not a path command: {letter}{numbers[:40]!r} in {text[:80]!r}")
        commands.append(cast("Command", (letter, *map(float, values))))
    if before.strip() or not commands or commands[0][0] != "M":
        raise ValueError(f"a path must start with M: {text[:80]!r}")
    return tuple(commands)


def map_points(commands: Iterable[Command], matrix: Sequence[float]) -> tuple[Command, ...]:
    """Apply x' = a x + b y + e, y' = c x + d y + f to every point, with matrix (a, b, c, d, e, f)."""
    a, b, c, d, e, f = matrix
    moved: list[Any] = []
    for letter, *numbers in commands:
        points = zip(numbers[::2], numbers[1::2], strict=True)
        moved.append((letter, *(v for x, y in points for v in (a * x + b * y + e, c * x + d * y + f))))
    return tuple(moved)


def rotate_points(commands: Iterable[Command], degrees: float) -> tuple[Command, ...]:
    """Turn about the origin (anticlockwise)."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return map_points(commands, (cos, -sin, sin, cos, 0, 0))


def circle_path(x: float, y: float, radius: float) -> tuple[Command, ...]:
    """Return a circle."""
    r, k = radius, radius * _CIRCLE
    return (
        ("M", x + r, y),
        ("C", x + r, y + k, x + k, y + r, x, y + r),
        ("C", x - k, y + r, x - r, y + k, x - r, y),
        ("C", x - r, y - k, x - k, y - r, x, y - r),
        ("C", x + k, y - r, x + r, y - k, x + r, y),
        ("Z",),
    )


def read_paths(file: Path) -> Mapping[str, str]:
    """Return the paths of a file by their ids."""
    return dict(re.findall(r'<path id="([\w-]+)" d="([^"]*)"', file.read_text(encoding="utf-8")))


def _outline(name: str, path: str) -> Outline:
    scale = 1 / _GRID
    return Outline(map_points(parse_path(path), (scale, 0, 0, scale, 0, 0)), name)


_DRAWINGS = {name: _outline(name, path) for name, path in read_paths(_FILE).items()}
SUITS: Mapping[str, Outline] = MappingProxyType({suit: _DRAWINGS[f"suit-{suit}"] for suit in "CDHS"})
"""The four French suits by letter, with equal optical weight at equal `size`."""

SLIM_DROP, DEVICE = _DRAWINGS["back-drop"], _DRAWINGS["back-device"]
"""The drop that is sown over the back, and the knife and the bone in its medallion, at 100 pt for a radius of 66."""

BODY: Mapping[str, Outline] = MappingProxyType(
    {name.removeprefix("body-"): path for name, path in _DRAWINGS.items() if name.startswith("body-")}
)
"""A body's `outline`, the lines between its parts (`joints`), and what belongs to each part."""

ICONS: Mapping[str, Outline] = MappingProxyType({name: path for name, path in _DRAWINGS.items() if "-" not in name})
"""Small signs and court emblems by name."""


@cache
def emblem_outline(name: str) -> Outline:
    """The drawing of one of `EMBLEMS`, read on first use: most commands show few of them or none."""
    return ICONS[name] if name in ICONS else _outline(f"emblem-{name}", _emblem_paths()[name])


def emblem_path(name: str, figures: str = ".4g") -> str:
    """Return the drawing of one of `EMBLEMS` as an SVG path: y up, 50 units from the middle to an edge.

    `figures` is how exactly: `.0f` for whole units, where it is shown small.
    """
    return "".join(
        letter + " ".join(f"{_GRID * number:{figures}}" for number in numbers)
        for letter, *numbers in emblem_outline(name).commands
    )


@cache
def _emblem_paths() -> Mapping[str, str]:
    return read_paths(_EMBLEMS)


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


def pip_places(count: int) -> tuple[tuple[float, float, bool], ...]:
    """Return where the pips of a number card stand: x and y in a field from -0.5 to 0.5, and whether the pip is turned.

    Raises ValueError outside 1 to 10.
    """
    if count not in _PIP_COLUMNS:
        raise ValueError(f"a number card has 1 to 10 pips, not {count}")
    return tuple((x, y, y < 0) for x, column in _PIP_COLUMNS[count] for y in column)

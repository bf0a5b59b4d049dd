"""SVG drawings of a pack's own, read strictly: shapes in plain colours, and nothing that runs, loads or hides.

A drawing may come from anybody. So it is read element by element, whatever is not understood is refused with its line,
and everything that can grow has a limit. What it shows is drawn as vectors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from xml.parsers import expat

from msgspec import Struct
from PIL import ImageColor
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, FILL_NON_ZERO, Canvas

from generator.base.errors import HackjackError
from generator.base.files import first_bytes, stamped_inside
from generator.paper import pen
from generator.paper.art import Command, draw_repeated, map_points
from generator.paper.ink import WHITE, Rgb, mixed

MAX_BYTES = 1_000_000
MAX_ELEMENTS = 2_000
MAX_COMMANDS = 20_000
MAX_DEPTH = 20
MAX_NUMBER = 1_000_000.0
MIN_VIEW, MAX_VIEW = 0.01, 1_000_000.0
"""Sides of a viewBox, in its own units. Smaller ones would be scaled beyond what a float holds."""
_UNIT = 100.0
"""The longer side of a drawing that is shown as a form, pt."""

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?"
_TRANSFORM = re.compile(r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_PATH = re.compile(r"[\sMmZzLlHhVvCcSsQqTtAa0-9eE+\-.,]*")

_SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
_GROUPS = ("svg", "g", "defs")
_SILENT = ("title", "desc", "metadata")
"""What is said about a drawing, and not drawn."""
_INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("text", "tspan", "textPath"), "turn letters into paths"),
    **dict.fromkeys(("linearGradient", "radialGradient", "pattern", "mesh"), "fill shapes with one colour each"),
    **dict.fromkeys(("image", "feImage"), "draw it with shapes, or use a PNG file"),
    **dict.fromkeys(("use", "symbol"), "write the shapes themselves in its place"),
    **dict.fromkeys(("clipPath", "mask", "filter"), "leave it out, and cut the shapes themselves"),
    "style": "write fill and stroke on the shapes themselves",
}
_PAINTS = ("fill", "stroke")
_READ = (
    *_PAINTS,
    *("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "fill-rule"),
    *("display", "visibility", "opacity", "fill-opacity", "stroke-opacity"),
)
_OWN_COLOUR = "currentcolor"
_WHITE = 0.99999
_CAPS, _JOINS = ("butt", "round", "square"), ("miter", "round", "bevel")
"""The ends and corners of lines, numbered as PDF does."""


class Style(Struct, frozen=True):
    """How shapes look: colours as written, the width of their lines in the drawing's unit, and how holes are made."""

    fill: str = "black"
    stroke: str = "none"
    width: float = 1.0
    even_odd: bool = False
    shown: bool = True
    cap: str = "butt"
    join: str = "miter"


class Shape(Struct, frozen=True):
    """One closed or open shape. A colour is None where nothing is painted, and "" where it is the card's own."""

    commands: tuple[Command, ...]
    fill: Rgb | str | None
    stroke: Rgb | str | None
    width: float
    even_odd: bool
    cap: int
    join: int


class Drawing(Struct, frozen=True):
    """A drawing: its size in its own unit, and its shapes from the back to the front, y up from its lower left."""

    name: str
    width: float
    height: float
    shapes: tuple[Shape, ...]

    @property
    def one_colour(self) -> bool:
        """Whether all of it has the same colour, and so can take that of a card."""
        return len({paint for shape in self.shapes for paint in (shape.fill, shape.stroke) if paint is not None}) == 1

    def draw(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        scale: float,
        colour: Rgb | None,
        strength: float = 1.0,
        ground: Rgb = WHITE,
    ) -> None:
        """Paint it with its lower left corner at (x, y), so many pt for its unit.

        A drawing in one colour takes the `colour` of a card, and so do shapes that ask for it; other colours are mixed
        with the ground where `strength` is under 1.
        """
        with pen.placed(canvas, clip=(x, y, self.width * scale, self.height * scale)):
            canvas.setMiterLimit(4)
            for shape in self.shapes:
                canvas.setLineCap(shape.cap)
                canvas.setLineJoin(shape.join)
                path = canvas.beginPath()
                trace = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
                for letter, *numbers in map_points(shape.commands, (scale, 0, 0, scale, x, y)):
                    trace[letter](*(round(number, 3) for number in numbers))
                for paint, apply in ((shape.fill, canvas.setFillColorRGB), (shape.stroke, canvas.setStrokeColorRGB)):
                    if paint is not None:
                        apply(*_painted(paint, colour, strength, ground, all_of_it=self.one_colour))
                canvas.setLineWidth(shape.width * scale)
                mode = FILL_EVEN_ODD if shape.even_odd else FILL_NON_ZERO
                stroked, filled = int(shape.stroke is not None), int(shape.fill is not None)
                canvas.drawPath(path, stroke=stroked, fill=filled, fillMode=mode)

    def show(
        self,
        canvas: Canvas,
        form: str,
        x: float,
        y: float,
        size: float,
        colour: Rgb | None,
        strength: float = 1.0,
        ground: Rgb = WHITE,
    ) -> None:
        """Show it with its middle at (x, y), its longer side `size` pt; a negative size turns it by 180 degrees.

        It is a form of that name, drawn by its first use: the name tells colours and strengths apart.
        """
        scale = _UNIT / max(self.width, self.height)

        def paint() -> None:
            self.draw(canvas, -self.width * scale / 2, -self.height * scale / 2, scale, colour, strength, ground)

        draw_repeated(canvas, form, paint, x, y, size)


def is_drawing(name: str) -> bool:
    """Return whether a picture of that name is an SVG."""
    return name.lower().endswith(".svg")


def load_drawing(folder: Path, name: str) -> Drawing:
    """Return the drawing of that name in a pack's folder. Raises HackjackError with one sentence, whatever is wrong."""
    path, changed, size = stamped_inside(folder, name)
    return _load(path, name, changed, size)


@lru_cache(maxsize=64)
def _load(path: Path, name: str, changed: int, size: int) -> Drawing:
    """Drawings stay read, for they are checked and then drawn; `changed` and `size` tell another one."""
    del changed, size
    return read_drawing(first_bytes(path, name, MAX_BYTES), name)


def read_drawing(data: bytes, name: str) -> Drawing:
    """The drawing in the bytes of a file. Raises HackjackError with one sentence, with the line and the element."""
    if len(data) > MAX_BYTES:
        raise HackjackError(f"{name} is too large; the limit for a drawing is {MAX_BYTES / 1e6:.0f} MB")
    return _Reader(name).read(data)


def _painted(paint: Rgb | str, colour: Rgb | None, strength: float, ground: Rgb, *, all_of_it: bool) -> Rgb:
    """Return the colour of a shape on a card."""
    if colour is not None and (all_of_it or isinstance(paint, str)):
        return colour
    own = paint if isinstance(paint, tuple) else (0.0, 0.0, 0.0)
    return own if strength == 1 else mixed(own, strength, ground)


class _Reader:
    """Walks through the elements of one file."""

    def __init__(self, name: str) -> None:
        self.name, self.elements, self.commands = name, 0, 0
        self.shapes: list[Shape] = []
        self.around: list[tuple[Style, Matrix, str]] = []
        self.silent = 0
        self.box: tuple[float, float, float, float] | None = None
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True

    def read(self, data: bytes) -> Drawing:
        parser = self.parser
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise HackjackError(
                f"{self.name}:{error.lineno}: this is not a valid SVG file: {expat.errors.messages[error.code]}"
            ) from error
        except (ValueError, OverflowError, LookupError) as error:
            # An encoding that nobody knows, and what expat says of it.
            raise HackjackError(f"{self.name} is not a valid SVG file: save it as plain SVG, UTF-8") from error
        if self.box is None or not self.shapes:
            raise HackjackError(f"{self.name} shows nothing: an SVG has paths or other shapes in it")
        return Drawing(self.name, self.box[2], self.box[3], tuple(self.shapes))

    # --- what expat tells

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        del name, system, public
        if internal:
            raise self._fault("a DOCTYPE with declarations is refused: take it out")

    def _entity(self, *_: object) -> None:
        raise self._fault("entities are refused: write what they stand for")

    def _instruction(self, target: str, data: str) -> None:
        del data
        raise self._fault(f"the instruction <?{target[:20]}?> is refused: take it out")

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        space, _, tag = full.rpartition(" ")
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise self._fault(f"there are more than {MAX_ELEMENTS:,} elements: make the drawing simpler")
        if len(self.around) + self.silent >= MAX_DEPTH:
            raise self._fault(f"elements are nested more than {MAX_DEPTH} deep: remove groups")
        # Programs put notes of their own into a drawing, under names of their own.
        if self.silent or tag in _SILENT or (space and not space.endswith("/svg")):
            self.silent += 1
            return
        if tag not in (*_SHAPES, *_GROUPS):
            raise self._fault(f"<{tag[:30]}> is refused: {_INSTEAD.get(tag, 'take it out')}")
        if not self.around and tag != "svg":
            raise self._fault(f"<{tag}> is the first element: an SVG begins with <svg>")
        own = {key: value for key, value in attributes.items() if " " not in key}
        self._look_over(tag, attributes)
        if not self.around:
            self.box = self._view(own)
            style, matrix = Style(), self._placed(self.box)
        else:
            style, matrix, _ = self.around[-1]
        if tag == "svg" and self.around:
            raise self._fault("<svg> is nested in another: use a group, <g>")
        style = self._styled(style, tag, own)
        matrix = _times(matrix, self._matrix(own.get("transform", ""), tag))
        if tag == "defs":
            style = Style(shown=False)
        self.around.append((style, matrix, tag))
        if tag in _SHAPES:
            self._shape(tag, own, style, matrix)

    def _end(self, full: str) -> None:
        del full
        if self.silent:
            self.silent -= 1
        else:
            self.around.pop()

    def _fault(self, says: str) -> HackjackError:
        return HackjackError(f"{self.name}:{self.parser.CurrentLineNumber}: {says}")

    # --- attributes

    def _look_over(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Nothing that runs or leads elsewhere."""
        for key, value in attributes.items():
            plain = key.rpartition(" ")[2]
            if plain.lower().startswith("on"):
                raise self._fault(f"{plain[:30]} on <{tag}> runs a script: take it out")
            if plain == "href":
                raise self._fault(f"{plain} on <{tag}> leads elsewhere: take it out")
            if "url(" in value.lower() or (plain in ("filter", "mask", "clip-path") and value.strip() != "none"):
                raise self._fault(f"{plain[:30]} on <{tag}> refers to something else: use plain colours and shapes")

    def _view(self, own: Mapping[str, str]) -> tuple[float, float, float, float]:
        """Return the part of the plane that is shown: its left, top, width and height."""
        if "viewBox" in own:
            numbers = self._numbers(own["viewBox"], "svg", "viewBox")
        else:
            numbers = [0.0, 0.0, self._number(own, "svg", "width", None), self._number(own, "svg", "height", None)]
        if len(numbers) != 4 or min(numbers[2:]) <= 0:
            raise self._fault("viewBox on <svg> has four numbers: left, top, width and height, as 0 0 100 100")
        left, top, wide, high = numbers
        if not 0.02 <= wide / high <= 50:
            raise self._fault(f"the drawing is {wide:g} x {high:g}: one side is more than 50 times the other")
        if not all(MIN_VIEW <= side <= MAX_VIEW for side in (wide, high)):
            raise self._fault(f"the drawing is {wide:g} x {high:g} units: use {MIN_VIEW:g} to {MAX_VIEW:,.0f}")
        return left, top, wide, high

    @staticmethod
    def _placed(box: tuple[float, float, float, float]) -> Matrix:
        """From the drawing's plane, y down, to ours."""
        return 1, 0, 0, -1, -box[0], box[1] + box[3]

    def _styled(self, above: Style, tag: str, own: Mapping[str, str]) -> Style:
        """What an element looks like in one that looks like `above`."""
        own_style = {key: own[key].strip() for key in _READ if key in own}
        for piece in own.get("style", "").split(";"):
            key, _, value = piece.partition(":")
            if key.strip() in _READ:
                own_style[key.strip()] = value.removesuffix("!important").strip()
        for key in ("opacity", "fill-opacity", "stroke-opacity"):
            if key in own_style and self._number(own_style, tag, key, 1.0) != 1:
                raise self._fault(f"{key} on <{tag}> is not 1: use a paler colour, paper has no transparency")
        if own_style.get("stroke-dasharray", "none") != "none":
            raise self._fault(f"stroke-dasharray on <{tag}> is refused: draw each dash as a line")
        paints = {key: own_style[key] for key in _PAINTS if key in own_style and own_style[key] != "inherit"}
        for key, value in paints.items():
            self._colour(value, tag, key)
        visible = own_style.get("display") != "none" and own_style.get("visibility") not in ("hidden", "collapse")
        rule = own_style.get("fill-rule", "evenodd" if above.even_odd else "nonzero")
        return Style(
            paints.get("fill", above.fill),
            paints.get("stroke", above.stroke),
            max(0.0, self._number(own_style, tag, "stroke-width", above.width)),
            rule == "evenodd",
            above.shown and visible,
            self._one_of(_CAPS, own_style.get("stroke-linecap", above.cap), tag, "stroke-linecap"),
            self._one_of(_JOINS, own_style.get("stroke-linejoin", above.join), tag, "stroke-linejoin"),
        )

    def _one_of(self, words: tuple[str, ...], word: str, tag: str, key: str) -> str:
        if word not in words:
            raise self._fault(f'{key} on <{tag}> is "{word[:30]}": write {", ".join(words)}')
        return word

    def _colour(self, written: str, tag: str, key: str) -> Rgb | str | None:
        plain = written.lower()
        if plain in ("none", "transparent"):
            return None
        if plain == _OWN_COLOUR:
            return ""
        with suppress(ValueError):
            red, green, blue, *rest = ImageColor.getrgb(written)
            if rest in ([], [255]) and max(red, green, blue) <= 255:
                # White of its own is not that of the theme, which another may take the place of.
                return min(red / 255, _WHITE), min(green / 255, _WHITE), min(blue / 255, _WHITE)
        raise self._fault(f'{key} on <{tag}> is not a supported colour, "{written[:30]}": write #a01020')

    def _number(self, own: Mapping[str, str], tag: str, key: str, default: float | None) -> float:
        """Return a number, with or without px."""
        if key not in own and default is not None:
            return default
        written = own.get(key, "").strip()
        if (
            not re.fullmatch(rf"{_NUMBER}(px)?", written)
            or abs(value := float(written.removesuffix("px"))) > MAX_NUMBER
        ):
            raise self._fault(f'{key} on <{tag}> is not a valid number, "{written[:30]}": write 12.5')
        return value

    def _numbers(self, written: str, tag: str, key: str) -> list[float]:
        if re.sub(_NUMBER, "", written).strip(" ,\t\r\n"):
            raise self._fault(f'{key} on <{tag}> has something besides numbers, "{written[:30]}"')
        numbers = [float(number) for number in re.findall(_NUMBER, written)]
        if any(abs(number) > MAX_NUMBER for number in numbers):
            raise self._fault(f"{key} on <{tag}> has a number over {MAX_NUMBER:,.0f}")
        return numbers

    def _matrix(self, written: str, tag: str) -> Matrix:
        matrix, at = _SAME, 0
        while match := _TRANSFORM.match(written, at):
            numbers, at = self._numbers(match[2], tag, "transform"), match.end()
            if (made := _moved(match[1], numbers)) is None:
                raise self._fault(f"transform on <{tag}>: {match[1]} has {len(numbers)} numbers")
            matrix = _times(matrix, made)
            if max(map(abs, matrix)) > MAX_NUMBER:
                raise self._fault(f"transform on <{tag}> leads to a number over {MAX_NUMBER:,.0f}")
        if written[at:].strip():
            raise self._fault(f'transform on <{tag}> cannot be read at "{written[at:][:30].strip()}"')
        return matrix

    # --- shapes

    def _shape(self, tag: str, own: Mapping[str, str], style: Style, matrix: Matrix) -> None:
        written = _AS_PATH[tag](lambda key: self._number(own, tag, key, 0.0)) if tag in _AS_PATH else ""
        if tag == "path":
            written = own.get("d", "")
        elif tag in ("polyline", "polygon"):
            points = self._numbers(own.get("points", ""), tag, "points")
            pairs = " ".join(f"{x:.6f} {y:.6f}" for x, y in zip(points[::2], points[1::2], strict=False))
            written = f"M {pairs}{' Z' if tag == 'polygon' else ''}" if pairs else ""
        if not style.shown:
            return
        fill, stroke = self._colour(style.fill, tag, "fill"), self._colour(style.stroke, tag, "stroke")
        commands = self._path(written, tag)
        if commands and (fill is not None or stroke is not None):
            a, b, c, d, *_ = matrix
            wide = style.width * math.sqrt(abs(a * d - b * c))
            self.shapes.append(
                Shape(
                    map_points(commands, matrix),
                    fill,
                    stroke,
                    wide,
                    style.even_odd,
                    _CAPS.index(style.cap),
                    _JOINS.index(style.join),
                )
            )

    def _path(self, written: str, tag: str) -> tuple[Command, ...]:
        """Return the commands of a path, its arcs and its quadratic curves as cubic ones."""
        if not _PATH.fullmatch(written):
            raise self._fault(f"d on <{tag}> has something besides commands and numbers")
        # Only here, because most packs have no drawings and should start fast.
        from fontTools.svgLib.path import parse_path

        pen = _Pen(MAX_COMMANDS - self.commands)
        try:
            # Between the numbers of an arc the reader of paths knows blanks alone.
            parse_path(" ".join(written.split()), pen)
        except _TooLongError:
            raise self._fault(f"the paths have more than {MAX_COMMANDS:,} commands: make them simpler") from None
        except (ValueError, ArithmeticError, IndexError, TypeError) as error:
            raise self._fault(f"d on <{tag}> cannot be read as a path") from error
        self.commands += len(pen.commands)
        numbers = [number for _, *values in pen.commands for number in values]
        if not all(math.isfinite(number) and abs(number) <= MAX_NUMBER for number in numbers):
            raise self._fault(f"d on <{tag}> leads to a number over {MAX_NUMBER:,.0f}")
        return tuple(pen.commands)


class _TooLongError(Exception):
    """A path has more commands than we take."""


class _Pen:
    """Takes the commands of a path as they are read."""

    def __init__(self, most: int) -> None:
        self.commands: list[Command] = []
        self._most = most
        self._at = (0.0, 0.0)

    def _add(self, *command: Any) -> None:
        if len(self.commands) >= self._most:
            raise _TooLongError
        self.commands.append(cast("Command", command))

    # The names are those that fontTools calls.

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("M", *point)
        self._at = point

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("L", *point)
        self._at = point

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._add("C", *(number for point in points for number in point))
        self._at = points[-1]

    def qCurveTo(self, bend: tuple[float, float], end: tuple[float, float]) -> None:  # noqa: N802
        handles = [
            tuple(one + (two - one) * 2 / 3 for one, two in zip(at, bend, strict=True)) for at in (self._at, end)
        ]
        self.curveTo(*cast("list[tuple[float, float]]", handles), end)

    def closePath(self) -> None:  # noqa: N802
        self._add("Z")

    def endPath(self) -> None:  # noqa: N802
        """A path that stays open."""


def _times(one: Matrix, two: Matrix) -> Matrix:
    """The matrix that does `two` first, then `one`."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def _moved(kind: str, numbers: list[float]) -> Matrix | None:
    """Return the matrix of one step of a transform; None where it has another count of numbers."""
    match kind, numbers:
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
        case "translate", [x, *rest] if len(rest) <= 1:
            return 1, 0, 0, 1, x, *(rest or [0.0])  # type: ignore[return-value]
        case "scale", [x, *rest] if len(rest) <= 1:
            return x, 0, 0, rest[0] if rest else x, 0, 0
        case "rotate", [angle, *rest] if len(rest) in (0, 2):
            x, y = rest or (0.0, 0.0)
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            return _times((cos, sin, -sin, cos, x, y), (1, 0, 0, 1, -x, -y))
        case (("skewX" | "skewY"), [angle]):
            lean = math.tan(math.radians(angle))
            return (1, 0, lean, 1, 0, 0) if kind == "skewX" else (1, lean, 0, 1, 0, 0)
    return None


_Get = Callable[[str], float]


def _rect(get: _Get) -> str:
    x, y, wide, high = map(get, ("x", "y", "width", "height"))
    if wide <= 0 or high <= 0:
        return ""
    across, up = min(get("rx") or get("ry"), wide / 2), min(get("ry") or get("rx"), high / 2)
    if across <= 0 or up <= 0:
        return _written("M", x, y, "h", wide, "v", high, "h", -wide, "Z")
    flat, tall = wide - 2 * across, high - 2 * up
    corner = ("a", across, up, 0, 0, 1)
    return _written(
        *("M", x + across, y, "h", flat, *corner, across, up, "v", tall, *corner, -across, up),
        *("h", -flat, *corner, -across, -up, "v", -tall, *corner, across, -up, "Z"),
    )


def _ellipse(x: float, y: float, across: float, up: float) -> str:
    if across <= 0 or up <= 0:
        return ""
    half = ("a", across, up, 0, 1, 1)
    return _written("M", x - across, y, *half, 2 * across, 0, *half, -2 * across, 0, "Z")


def _written(*pieces: str | float) -> str:
    return " ".join(
        piece if isinstance(piece, str) else f"{piece:.6f}" if piece % 1 else str(int(piece)) for piece in pieces
    )


_AS_PATH: Mapping[str, Callable[[_Get], str]] = {
    "rect": _rect,
    "circle": lambda get: _ellipse(get("cx"), get("cy"), get("r"), get("r")),
    "ellipse": lambda get: _ellipse(*map(get, ("cx", "cy", "rx", "ry"))),
    "line": lambda get: _written("M", get("x1"), get("y1"), "L", get("x2"), get("y2")),
}

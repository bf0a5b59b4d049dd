"""SVG drawings of a pack: looked over here, then drawn by resvg in a process of its own.

A drawing may come from anybody. It is written anew with only the elements that resvg draws, and nothing in it leads
outside the file. What resvg would leave out in silence is refused with its line; what shows nothing is left out.
"""

import atexit
import json
import os
import re
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from threading import Timer
from typing import NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from generator.base.errors import HackjackError
from generator.base.files import first_bytes, stamped_inside
from generator.layout.artwork import unpacked_png

MAX_BYTES = 1_000_000
MAX_ELEMENTS = 5_000
MAX_DEPTH = 40
MIN_VIEW, MAX_VIEW = 0.01, 1_000_000.0
"""Sides of a viewBox, in its own units."""
MAX_SIDE = 4_000
"""Dots of the longer side."""
PATIENCE = 60.0
"""Seconds within which a drawing is there. The processor time is limited in the other process."""
_MARKED = bytes(value > 127 for value in range(256))
_PROBE = 256
"""Dots of the longer side where only the colours are asked for."""

_ELEMENTS = re.compile(
    "svg|g|defs|symbol|use|switch|a|path|rect|circle|ellipse|line|polyline|polygon|image|linearGradient"
    "|radialGradient|stop|pattern|clipPath|mask|marker|filter|style|text|tspan|textPath"
)
_SILENT = re.compile("title|desc|metadata|view|cursor|font|font-face|color-profile|hatch|meshgradient|solid[cC]olor")
"""What is said about a drawing, and colours and fonts that show nothing unless something refers to them."""
_TEXT = ("text", "tspan", "textPath")
_HONOURED = re.compile(
    "clip-path|clip-rule|color|display|fill|fill-opacity|fill-rule|filter|flood-color|flood-opacity"
    "|image-rendering|lighting-color|marker|marker-start|marker-mid|marker-end|mask|mask-type|opacity|overflow"
    "|paint-order|shape-rendering|stop-color|stop-opacity|stroke|stroke-dasharray|stroke-dashoffset"
    "|stroke-linecap|stroke-linejoin|stroke-miterlimit|stroke-opacity|stroke-width|visibility"
)
"""The properties of a style that resvg draws."""
_HARMLESS = (
    *("-", "font", "text-", "letter-", "word-", "line-", "white-space", "writing-mode", "direction", "unicode-bidi"),
    *("baseline-", "dominant-baseline", "alignment-", "glyph-", "kerning", "inline-size", "block-", "cursor"),
    *("pointer-events", "user-select", "enable-background", "color-", "solid-", "shape-", "isolation", "transition"),
)
"""Properties that change nothing in a drawing without text."""
_NO_EFFECT = ("", "none", "normal", "auto", "initial", "unset")
_UNDRAWN = ("vector-effect", "pathLength")
"""Attributes that change a drawing elsewhere and not in resvg."""
_CARD_COLOUR = ' color="inherit"'
"""Where nothing says which colour currentColor is, a card does."""
_PICTURE = re.compile(r"\s*data:image/(png|jpe?g);base64,")
_URL = re.compile(r"url\(\s*['\"]?([^'\")\s]{0,200})", re.IGNORECASE)
_PROPERTY = re.compile(r"[{;]\s*([\w-]+)\s*:([^;}]*)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?")
_TAG = re.compile(r"<(\w+)")
_WARNING = re.compile(r"Warning \(in ([^)]*)\): (.*)")

Rgb = tuple[int, int, int]


class Drawing(Struct, frozen=True):
    """A drawing: its size in its own unit, the SVG that resvg draws, and its colour if there is only one."""

    name: str
    width: float
    height: float
    text: str
    colour: Rgb | None

    def rendered(self, side: float, colour: Rgb = (0, 0, 0), paper: Rgb | None = None) -> "Rendered":
        """Return it with so many dots on the longer side, on paper of that colour if any.

        What asks for the card's colour gets `colour`.
        """
        text = self.text.replace(_CARD_COLOUR, f' color="rgb{colour}"', 1)
        return draw(self.name, text, min(max(1, round(side)), MAX_SIDE), "", f"rgb{paper}" if paper else None)

    def stencil(self, side: float) -> tuple[int, int, bytes]:
        """Return its size, and where it has colour: one bit a dot, each row in whole bytes.

        It is drawn at half the size: grey edges hold the other half.
        """
        width, height, dots, _ = self.rendered(ceil(side / 2))
        above, below = (_quarters(dots[3::4], width, down) for down in (-1, 1))
        rows = b"".join(row + bytes(-2 * width % 8) for pair in zip(above, below, strict=True) for row in pair)
        bits = sum(int.from_bytes(rows[place::8]) << 7 - place for place in range(8))
        return 2 * width, 2 * height, bits.to_bytes(len(rows) // 8)


def _quarters(dots: bytes, width: int, down: int) -> Iterator[bytes]:
    """Return the lower halves of the rows, or the upper ones, each dot in two: 1 where more than half is covered.

    A quarter is nine parts its own dot, three of each neighbour at its side and one of that at its corner. All are
    counted at once, as digits of one large number, with an empty dot after each row.
    """
    rows = b"".join(dots[at : at + width] + b"\0" for at in range(0, len(dots), width))
    wide, both, stride = bytearray(2 * len(rows)), bytearray(2 * len(rows)), down * (width + 1)
    wide[::2] = rows
    number = int.from_bytes(wide, "little")
    # With this a digit has its highest bit from half of sixteen parts on.
    more = int.from_bytes((0x8000 - 16 * 127 - 1).to_bytes(2, "little") * len(rows), "little")

    def beside(count: int) -> int:
        return number >> 16 * count if count > 0 else number << -16 * count

    for right in (-1, 1):
        parts = 9 * number + 3 * (beside(right) + beside(stride)) + beside(right + stride) + more
        both[right > 0 :: 2] = parts.to_bytes(2 * (len(rows) + width + 3), "little")[1 : 2 * len(rows) : 2]
    marked = both.translate(_MARKED)
    return (bytes(marked[at : at + 2 * width]) for at in range(0, len(marked), 2 * width + 2))


class Rendered(NamedTuple):
    """A drawing in dots: its size, red, green, blue and opacity of each, and what resvg warns of."""

    width: int
    height: int
    dots: bytes
    warnings: str


def is_drawing(name: str) -> bool:
    """Return whether a picture of that name is an SVG."""
    return name.lower().endswith(".svg")


def load_drawing(folder: Path, name: str) -> Drawing:
    """Return the drawing of that name in a pack's folder. Raises HackjackError with one sentence."""
    drawing = _load(*stamped_inside(folder, name), name)
    if isinstance(drawing, HackjackError):
        raise drawing
    return drawing


@lru_cache(maxsize=256)
def _load(path: Path, changed: int, size: int, name: str) -> Drawing | HackjackError:
    """Keep what a file gave: it is checked, then drawn. `changed` and `size` tell another one."""
    del changed, size
    try:
        return read_drawing(first_bytes(path, name, MAX_BYTES), name)
    except HackjackError as error:
        return error


def read_drawing(data: bytes, name: str) -> Drawing:
    """Return the drawing in the bytes of a file. Raises HackjackError with one sentence, with the line."""
    if len(data) > MAX_BYTES:
        raise HackjackError(f"{name} is too large; the limit for a drawing is {MAX_BYTES / 1e6:.0f} MB")
    reader = _Reader(name)
    reader.read(data)
    text = "".join(reader.output)
    # Without soft edges every dot has a colour of the drawing.
    picture = draw(name, text, _PROBE, "*{shape-rendering:crispEdges !important}", None)
    for origin, warning in _WARNING.findall(picture.warnings):
        # A shape of no size shows nothing.
        if origin != "resvg_py:197" and not (origin.startswith("usvg::parser::shapes") and "Skipped" in warning):
            raise _left_out(name, reader, origin, warning)
    found = {dot.to_bytes(4, sys.byteorder) for dot in {*memoryview(picture.dots).cast("I")}}
    colours = {colour for colour in found if colour[3]}
    if not colours and not any(draw(name, text, 4 * _PROBE, "", None).dots[3::4]):
        raise HackjackError(f"{name} shows nothing: an SVG has paths or other shapes in it")
    (red, green, blue, alpha), *others = colours or [bytes(4)]
    one = (red, green, blue) if alpha == 255 and not others else None
    return Drawing(name, *reader.size, text, one)


def _left_out(name: str, reader: "_Reader", origin: str, warning: str) -> HackjackError:
    """Return the error for a part that resvg warns of: it would be missing."""

    def warns(count: int) -> bool:
        """Return whether the warning comes when only so many pieces of the drawing are there."""
        pieces, closing = reader.output[:count], list[str]()
        for piece in pieces:
            if piece.startswith("</"):
                closing.pop()
            elif piece.startswith("<"):
                closing.append(f"</{_TAG.findall(piece)[0]}>")
        return warning in draw(name, "".join((*pieces, *reversed(closing))), 1, "", None).warnings

    last = bisect_left(range(len(reader.output)), True, lo=1, key=warns)
    if origin.startswith("usvg::text"):
        reason = "<text> is refused: turn letters into paths"
    elif match := re.match(r"Failed to parse (\S+) value: '(.*)'", warning):
        reason = f'{match[1]} is "{match[2][:30]}", which cannot be drawn: write it as plain SVG'
    else:
        reason = f"a part of it cannot be drawn: {warning.rstrip('.')}"
    return HackjackError(f"{name}:{reader.lines[last - 1]}: {reason}")


class _Reader:
    """Walk through the elements of one file and write those that are drawn."""

    def __init__(self, name: str) -> None:
        self.name, self.elements, self.silent = name, 0, 0
        self.output: list[str] = []
        self.lines: list[int] = []
        self.size = (0.0, 0.0)
        self.around: list[tuple[str, bool]] = []
        """The elements around: their names, and whether they are hidden."""
        self.ids: set[str] = set()
        self.references: list[tuple[str, HackjackError]] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True

    def read(self, data: bytes) -> None:
        parser = self.parser
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise HackjackError(
                f"{self.name}:{error.lineno}: this is not a valid SVG file: {expat.errors.messages[error.code]}"
            ) from error
        except (ValueError, OverflowError, LookupError) as error:
            # An encoding that nobody knows, and what expat says of it.
            raise HackjackError(f"{self.name} is not a valid SVG file: save it as plain SVG, UTF-8") from error
        for target, fault in self.references:
            if target not in self.ids:
                raise fault

    def _write(self, piece: str) -> None:
        self.output.append(piece)
        self.lines.append(self.parser.CurrentLineNumber)

    def _fault(self, reason: str) -> HackjackError:
        return HackjackError(f"{self.name}:{self.parser.CurrentLineNumber}: {reason}")

    def _doctype(self, *details: object) -> None:
        # The last says whether there are declarations: without them there are no entities.
        if details[-1]:
            raise self._fault("a DOCTYPE with declarations is refused: take it out")

    def _instruction(self, target: str, _: str) -> None:
        raise self._fault(f"the instruction <?{target[:20]}?> is refused: take it out")

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        space, _, tag = full.rpartition(" ")
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise self._fault(f"there are more than {MAX_ELEMENTS:,} elements: make the drawing simpler")
        if len(self.around) + self.silent >= MAX_DEPTH:
            raise self._fault(f"elements are nested more than {MAX_DEPTH} deep: remove groups")
        if not self.around and tag != "svg":
            raise self._fault(f"<{tag[:30]}> is the first element: an SVG begins with <svg>")
        own = {key.removeprefix("http://www.w3.org/1999/xlink "): value for key, value in attributes.items()}
        own = {key: value for key, value in own.items() if " " not in key}
        pairs = _PROPERTY.findall(_without_comments("{" + own.pop("style", "")))
        style = {key.lower(): value.strip() for key, value in pairs}
        hidden = "none" in (own.get("display"), style.get("display")) or any(above for _, above in self.around[-1:])
        # Programs put notes of their own into a drawing, under names of their own.
        foreign = bool(space) and not space.endswith("/svg")
        refused = not _ELEMENTS.fullmatch(tag) and not tag.startswith("fe")
        if self.silent or foreign or _SILENT.fullmatch(tag) or (hidden and (refused or tag in ("image", *_TEXT))):
            self.silent += 1
            return
        if refused:
            raise self._fault(f"<{tag[:30]}> is refused: take it out")
        if tag == "style" and own.get("type", "text/css") != "text/css":
            raise self._fault("<style> is refused: write fill and stroke on the shapes themselves")
        if not self.around:
            own = self._sized(own)
            style = {key: value for key, value in style.items() if key not in ("width", "height")}
        own = {key: value for key, value in own.items() if self._keeps(tag, key, value, hidden=hidden)}
        style = {key: value for key, value in style.items() if self._keeps(tag, key, value, hidden=hidden, css=True)}
        self.ids.add(own.get("id", ""))
        if style:
            own["style"] = ";".join(f"{key}:{value}" for key, value in style.items())
        written = "".join(f" {key}={quoteattr(value)}" for key, value in own.items())
        if not self.around:
            own_colour = "color" in own or "color" in style
            written = f' xmlns="http://www.w3.org/2000/svg"{"" if own_colour else _CARD_COLOUR}{written}'
        self._write(f"<{tag}{written}>")
        self.around.append((tag, hidden))

    def _end(self, full: str) -> None:
        del full
        if self.silent:
            self.silent -= 1
        else:
            self._write(f"</{self.around.pop()[0]}>")

    def _characters(self, data: str) -> None:
        if self.silent or not data.strip():
            return
        tags = [tag for tag, _ in self.around]
        if tags[-1] == "style":
            sheet = _without_comments(data)
            for key, value in _PROPERTY.findall(sheet):
                self._keeps("style", key.lower(), value, css=True)
            self._write(escape(sheet))
        elif tags[-1] in _TEXT:
            # In a definition it is seen only where something refers to it: then resvg warns.
            if not {"defs", "symbol"} & set(tags):
                raise self._fault("<text> is refused: turn letters into paths")
            self._write("x")

    def _keeps(self, tag: str, key: str, value: str, *, hidden: bool = False, css: bool = False) -> bool:
        """Return whether resvg is told of an attribute, or of a property of a style.

        Raises HackjackError for one that runs, leads outside or would be left out, unless it is `hidden` anyway.
        """
        reason = ""
        targets = _URL.findall(value)
        if key == "href" and not (tag in ("image", "feImage") and _PICTURE.match(value)):
            targets.append(value.strip())
        drawn = _HONOURED.fullmatch(key) or not (css or key in _UNDRAWN)
        if key.lower().startswith("on"):
            reason = "runs a script"
        elif "\\" in value or not all(target.startswith("#") for target in targets):
            reason = "leads outside"
        elif key.startswith(_HARMLESS) and not _HONOURED.fullmatch(key):
            return False
        elif not drawn and value.strip() not in _NO_EFFECT:
            reason = "cannot be drawn"
        if reason and not hidden:
            raise self._fault(f"{key[:30]} on <{tag}> {reason}: take it out")
        if not hidden:
            lost = "which cannot be drawn: use colours and shapes"
            for each in targets:
                fault = self._fault(f'{key[:30]} on <{tag}> refers to "{each[:30]}", {lost}')
                self.references.append((each[1:], fault))
        return not reason and bool(drawn)

    def _sized(self, own: Mapping[str, str]) -> dict[str, str]:
        """Return the attributes of the root, as large as its viewBox says."""
        box = own.get("viewBox") or " ".join(
            ["0 0", *(own.get(side, "").removesuffix("px") for side in ("width", "height"))]
        )
        numbers = [float(number) for number in _NUMBER.findall(box)]
        if _NUMBER.sub("", box).strip(" ,\t\r\n") or len(numbers) != 4 or min(numbers[2:]) <= 0:
            raise self._fault("viewBox on <svg> has four numbers: left, top, width and height, as 0 0 100 100")
        width, height = self.size = numbers[2], numbers[3]
        if not all(MIN_VIEW <= side <= MAX_VIEW for side in self.size):
            raise self._fault(f"the drawing is {width:g} x {height:g} units: use {MIN_VIEW:g} to {MAX_VIEW:,.0f}")
        if not 0.02 <= width / height <= 50:
            raise self._fault(f"the drawing is {width:g} x {height:g}: one side is more than 50 times the other")
        if own.get("preserveAspectRatio", "").strip().startswith("none") or "slice" in own.get(
            "preserveAspectRatio", ""
        ):
            raise self._fault("preserveAspectRatio on <svg> cannot be drawn: take it out")
        return {**own, "viewBox": box, "width": f"{width:g}", "height": f"{height:g}"}


def _without_comments(css: str) -> str:
    first, *others = css.split("/*")
    return first + "".join(" " + other.partition("*/")[2] for other in others)


# --- drawn in another process ----------------------------------------------------------------------------------------


def _drawn_by_process(name: str, text: str, side: int, css: str, paper: str | None) -> Rendered:
    """Return the picture on its paper, drawn under a style sheet. Raises HackjackError."""
    process = _renderer(os.getpid())
    limit = Timer(PATIENCE, process.kill)
    limit.start()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps([text, side, css, paper]).encode() + b"\n")
        process.stdin.flush()
        reply = json.loads(process.stdout.readline())
        picture = process.stdout.read(reply["size"])
    except (OSError, ValueError):
        _renderer.cache_clear()
        process.kill()
        with suppress(OSError):
            process.__exit__(None, None, None)
        raise HackjackError(f"{name} takes too much time or memory to draw: make it simpler") from None
    finally:
        limit.cancel()
        # Where another thread runs, no processes are forked.
        limit.join()
    if not picture:
        raise HackjackError(f"{name} cannot be drawn: {reply['reason']}")
    return Rendered(*unpacked_png(picture), reply["reason"])


draw: Callable[[str, str, int, str, str | None], Rendered] = _drawn_by_process
"""A page, which has no processes, puts another in its place."""


@cache
def _renderer(process_id: int) -> subprocess.Popen[bytes]:
    """Start the process that draws. It belongs to this one alone and ends when this one closes its pipe."""
    del process_id
    command = [sys.executable, "-I", str(Path(__file__).with_name("drawing_process.py"))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    atexit.register(process.__exit__, None, None, None)
    return process

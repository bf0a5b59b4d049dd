"""Pictures in the page: what the browser must do first is awaited, and SVG is drawn by resvg in this worker."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree as Xml

from page_pictures import decoded, plain, resvg, svg
from page_setup import DECODED, Wanted, sent
from PIL import Image
from pyodide.ffi import JsException

from generator.base.errors import HackjackError
from generator.base.files import save_file
from generator.layout import artwork, drawings
from generator.pack import pack_locations

MAX_TOGETHER = 64_000_000
"""Dots of pictures that are decoded at once, four bytes each."""
MAX_TRIES = 5
MAX_SIDE = 1500
"""Dots of the longer side of an uploaded picture: a card has 400 to the inch with them."""
MAX_SHAPES, MAX_OCTAVES = 20_000, 12
"""What a drawing has at most when all that it refers to is counted each time: nothing here can be stopped."""
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")
_QUOTED = re.compile(r"url\(\s*(?:'|\"|&quot;)([^'\")&]*)(?:'|\"|&quot;)\s*\)")
_SIZES = re.compile(r' (width|height|viewBox|preserveAspectRatio)="[^"]*"')
_ID = re.compile(r"#([^'\")\s]+)")
_Value = TypeVar("_Value")


async def with_pictures(work: Callable[[], Awaitable[_Value]]) -> _Value:
    """Do some work, and again when the pictures that it needs are there. Raises HackjackError."""
    for _ in range(MAX_TRIES):
        try:
            return await work()
        except Wanted as wanted:
            await _provide(wanted.args[0])
    raise HackjackError("These pictures are too large together for a page. The program on a computer prints them.")


async def _provide(wanted: bytes) -> None:
    """Let the browser decode a file and its neighbours, which are needed as well; or load what draws SVG."""
    if not wanted:
        await resvg()
        drawings.draw = _drawn
        return
    paths = [path for path in pack_locations.packs_folder().rglob("*") if path.suffix.lower() in _PICTURES]
    beside = next((path.parent for path in paths if path.read_bytes() == wanted), None)
    DECODED.clear()
    room = MAX_TOGETHER
    for data in (wanted, *(path.read_bytes() for path in paths if path.parent == beside)):
        with suppress(OSError, IndexError):
            width, height = Image.open(BytesIO(data)).size
            room -= width * height
            if width * height <= artwork.MAX_DOTS and room >= 0:
                DECODED[sha256(data).digest()] = await _decoded(data)


async def _decoded(data: bytes) -> object:
    """Return a canvas; nothing for a file that the browser cannot read."""
    with suppress(JsException):
        return await decoded(sent(data))
    return None


async def reread(data: bytes, folder: Path) -> Path:
    """Return a file in that folder that holds the picture, written again as PNG or JPEG. Raises HackjackError."""

    async def photo() -> bool:
        return artwork.read_artwork(data, "the picture").photo

    path = folder / "upload"
    save_file((await plain(sent(data), MAX_SIDE, await with_pictures(photo))).to_bytes(), path)
    return path


def _wanted(*given: object) -> drawings.Rendered:
    del given
    raise Wanted(b"")


drawings.draw = _wanted


def _drawn(name: str, text: str, side: int, css: str, paper: str | None) -> drawings.Rendered:
    """Return the picture of an SVG. Raises HackjackError."""
    root = Xml.fromstring(text)
    if _too_much(root):
        raise HackjackError(f"{name} takes too much time or memory to draw: make it simpler")
    # As the program's resvg rounds: the longer side is as asked, and the drawing fills whole dots.
    whole = [max(1, int(float(root.attrib[each]) + 0.5)) for each in ("width", "height")]
    width, height = (side if each == max(whole) else ceil(side * each / max(whole)) for each in whole)
    head, _, rest = _QUOTED.sub(r"url(\1)", text).partition(">")
    sized = f'{_SIZES.sub("", head)} width="{width}" height="{height}" preserveAspectRatio="none"'
    left, top = root.attrib["viewBox"].replace(",", " ").split()[:2]
    box = f'viewBox="{left} {top} {whole[0]} {whole[1]}"'
    try:
        dots = svg(f"{sized} {box}><style>{css}</style>{rest}", paper)
    except JsException as error:
        raise HackjackError(f"{name} cannot be drawn: {error}") from error
    return drawings.Rendered(width, height, dots.to_bytes(), "")


def _too_much(root: Xml.Element) -> bool:
    """Return whether a drawing would take too long."""
    named = {element.get("id"): element for element in root.iter()}
    counts: dict[Xml.Element, int] = {}

    def count(element: Xml.Element) -> int:
        if element not in counts:
            counts[element] = 0  # Who refers to itself is not drawn.
            octaves = element.get("numOctaves", "0").strip()
            many = 1 if octaves.isdecimal() and int(octaves[:6]) <= MAX_OCTAVES else MAX_SHAPES
            targets = [named[name] for value in element.attrib.values() for name in _ID.findall(value) if name in named]
            counts[element] = min(MAX_SHAPES, many + sum(map(count, (*element, *targets))))
        return counts[element]

    with suppress(RecursionError):
        return count(root) >= MAX_SHAPES
    return True

"""Fonts: loaded from their packages, embedded as subsets, with their widths and glyphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from struct import unpack_from
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from generator.base.errors import HackjackError, did_you_mean

SANS, SANS_BOLD, SANS_ITALIC = "SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSansPro-It"
SERIF_BOLD, SERIF_ITALIC = "SourceSerifPro-Bold", "SourceSerifPro-It"

Given = ParamSpec("Given")
Measured = TypeVar("Measured")

_PACKAGES = {"SourceSansPro": "font_source_sans_pro", "SourceSerifPro": "font_source_serif_pro"}


@cache
def _files(family: str) -> Path:
    """Return the folder of a family of fonts. Raises HackjackError where it is not installed."""
    package = _PACKAGES[family]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise HackjackError(f"the font package {package} is not installed: pip install {package.replace('_', '-')}")
    return Path(spec.origin).parent / "files"


def house_font(name: str) -> str:
    """Return the name of a font of ours. Raises HackjackError with the nearest for a weight that there is not."""
    names = sorted(path.stem for path in _files(name.partition("-")[0]).glob("*.ttf"))
    if name not in names:
        hint = did_you_mean(name, names) or f": the weights are {', '.join(names)}"
        raise HackjackError(f'there is not a font "{name}"{hint}')
    return name


_OWN: dict[str, TTFont] = {}
"""The fonts of packs, by the names that `own` gives them."""


def pack_font(data: bytes, file_name: str) -> str:
    """Return the name to draw with a pack's own font by, from the bytes of a file that has been looked over.

    The name follows from the bytes. Raises HackjackError, which calls the file as `shown`, for a font that is damaged.
    """
    name = f"own-{sha256(data).hexdigest()[:16]}"
    if name not in _OWN:
        try:
            font = TTFont(name, BytesIO(data))
            whole = max(font.face.charToGlyph.values()) < font.face.numGlyphs
        except Exception as error:
            # The reader stumbles over damage with whatever comes first: its own error, struct.error, KeyError.
            raise HackjackError(f"{file_name} is damaged: download the font again") from error
        if not whole:
            raise HackjackError(f"{file_name} is damaged: it lists letters that it does not draw")
        pdfmetrics.registerFont(font)
        _OWN[name] = font
    return name


@cache
def _font(name: str) -> TTFont:
    """Load and register a font by its file's name. Raises HackjackError when it is not installed or broken."""
    if name in _OWN:
        return _OWN[name]
    path = _files(name.partition("-")[0]) / f"{name}.ttf"
    try:
        font = TTFont(name, str(path))
    except TTFError as error:
        raise HackjackError(f"the font {path} cannot be read: {error}") from error
    pdfmetrics.registerFont(font)
    return font


_CHOSEN: ContextVar[Mapping[str, str]] = ContextVar("chosen", default=MappingProxyType({}))


@contextmanager
def fonts_replaced(faces: Mapping[str, str]) -> Iterator[None]:
    """Set in other fonts for as long as the block lasts: by the fonts that they take the place of."""
    before = _CHOSEN.set(faces)
    try:
        yield
    finally:
        _CHOSEN.reset(before)


def measured_once(size: int) -> Callable[[Callable[Given, Measured]], Callable[Given, Measured]]:
    """Keep what a function has measured, up to `size` results, for each choice of fonts apart."""

    def keeping(measure: Callable[Given, Measured]) -> Callable[Given, Measured]:
        def of(_faces: tuple[tuple[str, str], ...], *args: Given.args, **named: Given.kwargs) -> Measured:
            return measure(*args, **named)

        kept: Callable[..., Measured] = lru_cache(maxsize=size)(of)

        @wraps(measure)
        def measured(*args: Given.args, **named: Given.kwargs) -> Measured:
            return kept(tuple(_CHOSEN.get().items()), *args, **named)

        return measured

    return keeping


def _real(name: str) -> str:
    """The font that is set in where one is named."""
    return _CHOSEN.get().get(name, name)


def usable_font(name: str) -> str:
    """Return the font's name, ready to be drawn with."""
    name = _real(name)
    _font(name)
    return name


def text_width(text: str, font: str) -> float:
    """How wide a text is per point of type size. Widths grow with the size, so one measurement serves all sizes."""
    return _width(text, _real(font))


@lru_cache(maxsize=20_000)
def _width(text: str, font: str) -> float:
    return float(_font(font).stringWidth(text, 1000)) / 1000


def ink(text: str, font: str) -> tuple[float, float, float, float] | None:
    """Left, foot, right and top of the ink of a text, from where it begins and per point of size; None for blanks."""
    return _ink(text, _real(font))


@lru_cache(maxsize=20_000)
def _ink(text: str, font: str) -> tuple[float, float, float, float] | None:
    boxes, at = [], 0.0
    for letter in text:
        if box := _glyph(letter, font):
            boxes.append((at + box[0], box[1], at + box[2], box[3]))
        at += _width(letter, font)
    if not boxes:
        return None
    lefts, feet, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(feet), max(rights), max(tops)


@cache
def _glyph(letter: str, font: str) -> tuple[float, ...] | None:
    """Return the box of a letter's ink, as the font's table of outlines has it; None for a blank."""
    face = _font(font).face
    glyph = face.charToGlyph.get(ord(letter), 0)
    start, end = face.glyphPos[glyph], face.glyphPos[glyph + 1]
    if start == end:
        return None
    box = unpack_from(">4h", face._ttf_data, face.get_table_pos("glyf")[0] + start + 2)
    return tuple(side / face.unitsPerEm for side in box)


def missing_letters(text: str, font: str) -> str:
    """Return the characters of a text that the font cannot show, each once."""
    glyphs = _font(_real(font)).face.charToGlyph
    return "".join(dict.fromkeys(letter for letter in text if not letter.isspace() and ord(letter) not in glyphs))

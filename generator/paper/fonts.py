"""Fonts: loaded from their packages, embedded as subsets, with their widths and glyphs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
DISPLAY, INDEX = "Grenze-ExtraBold", "SourceSerifPro-Black"

SUIT_SIGNS = frozenset("\u2660\u2663\u2665\u2666")
_SUITS = re.compile("([\u2660\u2663\u2665\u2666]+)")
SIGNS = "HackjackSuits"
"""Made of the suits of our cards by docs/make_suits.py; its B is a drop of blood, its T a bone."""

Given = ParamSpec("Given")
Measured = TypeVar("Measured")

_PACKAGES = {"SourceSansPro": "font_source_sans_pro", "SourceSerifPro": "font_source_serif_pro"}


@cache
def _files(family: str) -> Path:
    """Return the folder of a family of fonts. Raises HackjackError where it is not installed."""
    package = _PACKAGES.get(family)
    if package is None:
        return Path(__file__).with_name("typefaces")
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

    The name follows from the bytes. Raises HackjackError, which names `file_name`, if the font is damaged.
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
    own = Path(__file__).with_name("suits.ttf")
    path = own if name == SIGNS else _files(name.partition("-")[0]) / f"{name}.ttf"
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


def display_font(words: str) -> str:
    """Return the font of a title: the display type, or the serif for words with letters that it lacks."""
    return SERIF_BOLD if missing_letters(words, DISPLAY) else DISPLAY


def text_width(text: str, font: str) -> float:
    """Return the width of a text per point of type size. Widths grow with the size: one measurement serves all."""
    return _width(text, _real(font))


def stretches(text: str, font: str) -> Sequence[tuple[str, str]]:
    """Return the parts of a text, each with the font that it is drawn in: suits have one of their own."""
    return _stretches(text, _real(font))


def _stretches(text: str, font: str) -> Sequence[tuple[str, str]]:
    if text.isascii() or not _SUITS.search(text) or 0x2665 in _font(font).face.charToGlyph:
        return ((text, font),)
    return [(part, SIGNS if part[0] in SUIT_SIGNS else font) for part in _SUITS.split(text) if part]


@lru_cache(maxsize=20_000)
def _width(text: str, font: str) -> float:
    return sum(float(_font(own).stringWidth(part, 1000)) for part, own in _stretches(text, font)) / 1000


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
    face = _font(_stretches(letter, font)[0][1]).face
    glyph = face.charToGlyph.get(ord(letter), 0)
    start, end = face.glyphPos[glyph], face.glyphPos[glyph + 1]
    if start == end:
        return None
    box = unpack_from(">4h", face._ttf_data, face.get_table_pos("glyf")[0] + start + 2)
    return tuple(side / face.unitsPerEm for side in box)


REPLACED = MappingProxyType(
    dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFE0E, 0xFE0F)) | {0x2010: "-", 0x2011: "-", 0x202F: "\u00a0"}
)
"""Signs that say where a line may break, or how a sign looks, and what is printed for them."""
UNSET = re.compile(
    "[\u0590-\u109f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c7f\u1cd0-\u1cff\ua800-\ua8ff\ua980-\uaaff\uabc0-\uabff"
    "\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00011fff\U0001e800-\U0001efff]"
)
"""Letters of scripts that run from right to left or are joined, which nothing here does."""
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Accents apart from their letters, which would stand beside them."""


def missing_letters(text: str, font: str) -> str:
    """Return the characters of a text that cannot be set in the font, each once."""
    return _missing(text, _real(font))


@lru_cache(maxsize=20_000)
def _missing(text: str, font: str) -> str:
    glyphs = _font(font).face.charToGlyph
    if text.isascii():
        return "".join(dict.fromkeys(each for each in text if not each.isspace() and ord(each) not in glyphs))
    letters = dict.fromkeys(each for each in text.translate(REPLACED) if not each.isspace() and each not in SUIT_SIGNS)
    return "".join(each for each in letters if ord(each) not in glyphs or UNSET.match(each) or _COMBINING.match(each))

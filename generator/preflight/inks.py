"""Colours in a content stream: which device spaces its operators name, and how much ink the darkest paint lays down."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

_STRING = re.compile(rb"\((?:[^()\\]|\\.)*\)", re.DOTALL)
_HEX = re.compile(rb"<[0-9A-Fa-f\s]*>")
_COMMENT = re.compile(rb"%[^\r\n]*")
_INLINE = re.compile(rb"\bBI\b(.*?)\bID\s.*?\sEI\b", re.DOTALL)
_PAINT = re.compile(rb"(?<![^\s\]])(rg|RG|k|K|g|G|sc|SC|scn|SCN|cs|CS|sh)(?![^\s/\[(<])")
_NUMBERS = {b"rg": 3, b"RG": 3, b"k": 4, b"K": 4, b"g": 1, b"G": 1}
_DEEPEST = 20
_REACH = 400
"""So many bytes before an operator its operands may stand."""

DEVICES = {"DeviceGray": "gray", "DeviceRGB": "RGB", "DeviceCMYK": "CMYK", "G": "gray", "RGB": "RGB", "CMYK": "CMYK"}


class Painted(Struct, frozen=True):
    """The spaces that a stream paints in, and the most ink of one paint in per cent (of CMYK, gray counts as black)."""

    spaces: frozenset[str]
    ink: float
    example: str


def painted(stream: bytes, named: Mapping[str, str]) -> Painted:
    """The paints of a content stream; `named` says what kind of space each of its resources' names is."""
    spaces: set[str] = set()
    most, example = 0.0, ""
    bare, inline = without_strings(stream)
    for words in inline:
        spaces |= {DEVICES[word] for word in words if word in DEVICES}
    current = {"fill": "gray", "line": "gray"}
    for match in _PAINT.finditer(bare):
        operator = match[1]
        side = "line" if operator.isupper() else "fill"
        operands = bare[max(0, match.start() - _REACH) : match.start()].split()
        if operator in (b"cs", b"CS"):
            name = operands[-1].lstrip(b"/").decode("latin-1") if operands else ""
            current[side] = named.get(name, DEVICES.get(name, "other"))
            continue
        count = _NUMBERS.get(operator)
        if count is None:
            spaces.add("shading" if operator == b"sh" else current[side])
            values = _numbers(operands) if current[side] == "CMYK" and operator != b"sh" else ()
        else:
            current[side] = {1: "gray", 3: "RGB", 4: "CMYK"}[count]
            spaces.add(current[side])
            values = _numbers(operands[-count:])
        ink = _ink(current[side], values)
        if ink > most:
            most, example = ink, " ".join(f"{value * 100:.0f}" for value in values)
    return Painted(frozenset(spaces), most, example)


def without_strings(stream: bytes) -> tuple[bytes, tuple[tuple[str, ...], ...]]:
    """A content stream without texts, comments and inline images, and the words that head each of these images."""
    inline = tuple(tuple(found.decode("latin-1").replace("/", " ").split()) for found in _INLINE.findall(stream))
    bare = _INLINE.sub(b" ", stream) if inline else stream
    bare = _HEX.sub(b" ", bare)
    for _ in range(_DEEPEST):
        bare, count = _STRING.subn(b" ", bare)
        if not count:
            break
    return _COMMENT.sub(b"", bare), inline


def _numbers(operands: list[bytes]) -> tuple[float, ...]:
    found: list[float] = []
    for word in operands[-4:]:
        try:
            found.append(float(word))
        except ValueError:
            found.clear()
    return tuple(found)


def _ink(space: str, values: tuple[float, ...]) -> float:
    """Per cent of ink on one spot."""
    if space == "CMYK" and len(values) == 4:
        return sum(values) * 100
    if space == "gray" and len(values) == 1:
        return (1 - values[0]) * 100
    return 0.0

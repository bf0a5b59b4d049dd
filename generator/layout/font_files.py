"""Fonts of a pack's own: TrueType files, looked over before anything draws with them.

A pack may come from anybody. So every offset that a file names must lie inside it, no list may be longer than a font
needs, and no glyph may contain itself.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from struct import calcsize, error, unpack_from

from generator.base.errors import HackjackError
from generator.base.files import first_bytes, stamped_inside

MAX_BYTES = 2_000_000
_KINDS: Mapping[bytes, str] = {
    b"OTTO": "has PostScript outlines",
    b"ttcf": "is a collection of fonts",
    b"wOFF": "is packed for web pages",
    b"wOF2": "is packed for web pages",
    b"%!PS": "is a PostScript font",
}
_TRUETYPE = (b"\x00\x01\x00\x00", b"true")
_NEEDED = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post")
_MAX_TABLES = 64
_MAX_LETTERS = 200_000
"""All that a character map may list, each time that it lists it."""
_MAX_DEPTH, _MAX_PARTS = 6, 64
"""The parts of a composite glyph."""
_RESTRICTED, _WHOLE_ONLY, _BITMAPS_ONLY = 0x0002, 0x0100, 0x0200
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080

Table = tuple[int, int]
"""Where a table begins, and its length, in bytes."""


def load_font(folder: Path, name: str) -> bytes:
    """Return the font of that name in a pack's folder. Raises HackjackError with one sentence, whatever is wrong."""
    path, changed, size = stamped_inside(folder, name)
    return _load(path, name, changed, size)


@lru_cache(maxsize=16)
def _load(path: Path, name: str, changed: int, size: int) -> bytes:
    """Fonts are checked and then drawn with; `changed` and `size` tell another file of the name."""
    del changed, size
    data = first_bytes(path, name, MAX_BYTES)
    look_over(data, name)
    return data


def look_over(data: bytes, name: str) -> None:
    """Raise HackjackError with one sentence for a font that cannot, or may not, be embedded."""
    if len(data) > MAX_BYTES:
        raise HackjackError(f"{name} is larger than {MAX_BYTES / 1e6:.0f} MB, the limit for fonts")
    kind = _KINDS.get(data[:4])
    if kind is None and data[:4] not in _TRUETYPE:
        kind = "is not a font"
    if kind:
        raise HackjackError(f"{name} {kind}: use a TrueType font file (.ttf)")
    try:
        _look_over(data, name)
    except (error, IndexError, RecursionError) as fault:
        raise HackjackError(f"{name} is damaged: download the font again") from fault


def _look_over(data: bytes, name: str) -> None:
    """As above; struct.error, IndexError and RecursionError are for damage that shows while reading."""
    tables = _tables(data)
    if "fvar" in tables:
        raise HackjackError(f"{name} is a variable font: save one weight of it as a file of its own")
    if missing := [tag for tag in _NEEDED if tag not in tables]:
        raise HackjackError(f"{name} is damaged: it has no table {missing[0]}")
    (allowed,) = _read(data, tables["OS/2"], 8, ">H") if "OS/2" in tables else (0,)
    # Of several rights the widest counts; the first four bits name them.
    if (allowed & 0x000F) == _RESTRICTED or allowed & (_WHOLE_ONLY | _BITMAPS_ONLY):
        raise HackjackError(f"{name} does not allow embedding in a PDF: choose another font")
    (units,) = _read(data, tables["head"], 18, ">H")
    (count,) = _read(data, tables["maxp"], 4, ">H")
    if not 16 <= units <= 16_384 or not count:
        raise IndexError
    listed = sum(_letters(data, tables["cmap"]))
    if listed > _MAX_LETTERS:
        raise HackjackError(f"{name} lists {listed:,} letters; the limit is {_MAX_LETTERS:,}")
    _glyphs(data, tables, count)


def _tables(data: bytes) -> dict[str, Table]:
    """Return where the tables lie. Raises IndexError for one that leaves the file."""
    (count,) = unpack_from(">H", data, 4)
    if count > _MAX_TABLES:
        raise IndexError
    tables = {}
    for place in range(count):
        tag, _, at, length = unpack_from(">4sLLL", data, 12 + 16 * place)
        if at + length > len(data):
            raise IndexError
        tables[tag.decode("latin-1").strip()] = (at, length)
    return tables


def _read(data: bytes, table: Table, at: int, form: str) -> tuple[int, ...]:
    """Numbers of a table, from its beginning on. Raises IndexError where they leave it."""
    start, length = table
    if at < 0 or at + calcsize(form) > length:
        raise IndexError
    return unpack_from(form, data, start + at)


def _letters(data: bytes, table: Table) -> Iterator[int]:
    """Yield how many letters each part of a character map lists: a few bytes may claim millions."""
    (count,) = _read(data, table, 2, ">H")
    for at in {_read(data, table, 8 + 8 * place, ">L")[0] for place in range(count)}:
        (form,) = _read(data, table, at, ">H")
        if form == 4:
            segments = _read(data, table, at + 6, ">H")[0] // 2
            ends = _read(data, table, at + 14, f">{segments}H")
            starts = _read(data, table, at + 16 + 2 * segments, f">{segments}H")
            yield sum(max(0, end - start + 1) for start, end in zip(starts, ends, strict=True))
        elif form in (12, 13):
            (groups,) = _read(data, table, at + 12, ">L")
            if 12 * groups > table[1]:
                raise IndexError
            ends = _read(data, table, at + 16, f">{3 * groups}L")
            yield sum(max(0, end - start + 1) for start, end in zip(ends[::3], ends[1::3], strict=True))
        elif form == 10:
            yield _read(data, table, at + 16, ">L")[0]


def _glyphs(data: bytes, tables: Mapping[str, Table], count: int) -> None:
    """Every glyph lies in its table, and composite glyphs are finite. Raises IndexError otherwise."""
    (long,) = _read(data, tables["head"], 50, ">H")
    places = _read(data, tables["loca"], 0, f">{count + 1}{'L' if long else 'H'}")
    offsets = [place if long else 2 * place for place in places]
    made: dict[int, tuple[int, ...]] = {}
    for glyph, (start, end) in enumerate(pairwise(offsets)):
        if not (start <= end <= tables["glyf"][1]) or 0 < end - start < 10:
            raise IndexError
        if end > start:
            room = (tables["glyf"][0] + start, end - start)
            if parts := tuple(_parts(data, room)):
                made[glyph] = parts
    depths: dict[int, int] = {}
    for glyph in made:
        _depth(glyph, made, count, depths, 0)


def _parts(data: bytes, glyph: Table) -> Iterator[int]:
    """Yield the glyphs in a composite glyph; none for one with its own outlines."""
    if _read(data, glyph, 0, ">h")[0] >= 0:
        return
    at, flags = 10, _MORE
    while flags & _MORE:
        flags, part = _read(data, glyph, at, ">HH")
        yield part
        at += 8 if flags & _WORDS else 6
        at += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0


def _depth(glyph: int, made: Mapping[int, tuple[int, ...]], count: int, depths: dict[int, int], above: int) -> int:
    """How many outlines a glyph comes to. Raises IndexError for too many, and for one that is a part of itself."""
    if above > _MAX_DEPTH or glyph >= count:
        raise IndexError
    if glyph not in depths:
        depths[glyph] = sum(_depth(part, made, count, depths, above + 1) for part in made.get(glyph, ())) or 1
    if depths[glyph] > _MAX_PARTS:
        raise IndexError
    return depths[glyph]

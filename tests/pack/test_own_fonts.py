"""Fonts of a pack's own: what is refused, in which words, and that no file of a stranger does more than that."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import font_source_sans_pro
import pytest
from fuzz_targets import TARGETS, drawn
from fuzz_targets import sound_font as sound
from helpers import chars
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import HackjackError
from generator.layout import font_files

FILES = Path(font_source_sans_pro.__file__).parent / "files"


def table(data: bytes, tag: str) -> int:
    """Where a table begins."""
    (count,) = struct.unpack_from(">H", data, 4)
    for at in range(12, 12 + 16 * count, 16):
        if data[at : at + 4].decode() == tag:
            return int(struct.unpack_from(">L", data, at + 8)[0])
    raise AssertionError(tag)


def changed(tag: str, at: int, form: str, *values: int) -> bytes:
    """The sound font with other numbers in a table."""
    data = bytearray(sound())
    struct.pack_into(form, data, table(sound(), tag) + at, *values)
    return bytes(data)


def renamed(tag: bytes, to: bytes) -> bytes:
    """The sound font with a table of another name."""
    return sound().replace(tag, to, 1)


def test_a_packs_font_is_embedded_in_part() -> None:
    made = drawn(sound())
    assert b"/FontFile2" in made
    assert len(made) < len(sound()) / 4
    assert "Broken" in "".join(letter.text for letter in chars(made, 0))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is not a font: use a TrueType font file (.ttf)"),
        (b"\x89PNG\r\n" + bytes(100), "is not a font: use a TrueType font file (.ttf)"),
        (b"OTTO" + bytes(100), "has PostScript outlines: use a TrueType font file (.ttf)"),
        (b"ttcf" + bytes(100), "is a collection of fonts: use a TrueType font file (.ttf)"),
        (b"wOF2" + bytes(100), "is packed for web pages: use a TrueType font file (.ttf)"),
        (b"\x00\x01\x00\x00" + bytes(2_000_001), "is larger than 2 MB, the limit for fonts"),
        (b"\x00\x01\x00\x00", "is damaged: download the font again"),
    ],
)
def test_what_is_no_truetype_font_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(HackjackError, match=r"^fonts/a\.ttf ") as told:
        font_files.look_over(data, "fonts/a.ttf")
    assert str(told.value) == f"fonts/a.ttf {says}"


RIGHTS = "does not allow embedding in a PDF"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (lambda: (FILES / "SourceSansPro-Regular.otf").read_bytes(), "has PostScript outlines"),
        (lambda: renamed(b"GSUB", b"fvar"), "is a variable font: save one weight"),
        (lambda: renamed(b"glyf", b"glif"), "is damaged: it has no table glyf"),
        *((partial(changed, "OS/2", 8, ">H", rights), RIGHTS) for rights in (0x0002, 0x0100, 0x0200, 0x0300)),
        (lambda: changed("glyf", composite()[1] + 12, ">H", composite()[0]), "is damaged"),
        (lambda: changed("glyf", composite()[1] + 12, ">H", 0xFFF0), "is damaged"),
    ],
)
def test_a_font_that_cannot_be_used_is_refused(data: Callable[[], bytes], says: str) -> None:
    with pytest.raises(HackjackError, match=says):
        font_files.look_over(data(), "a.ttf")


def test_a_font_that_may_be_embedded_is_taken() -> None:
    for rights in (0x0000, 0x0004, 0x0008):
        font_files.look_over(changed("OS/2", 8, ">H", rights), "a.ttf")


def map_of(form: int) -> int:
    """Where a character map of a format begins, from the table's start on."""
    start = table(sound(), "cmap")
    (count,) = struct.unpack_from(">H", sound(), start + 2)
    offsets = [struct.unpack_from(">L", sound(), start + 8 + 8 * place)[0] for place in range(count)]
    return int(next(at for at in offsets if struct.unpack_from(">H", sound(), start + at)[0] == form))


def test_a_map_that_claims_a_billion_letters_is_refused_at_once() -> None:
    data = changed("cmap", map_of(12) + 16, ">LLL", 0, 0xFFFFFFFF, 1)
    with pytest.raises(HackjackError, match=r"lists 4,294,9[0-9,]* letters; the limit is 200,000"):
        font_files.look_over(data, "a.ttf")


def composite() -> tuple[int, int]:
    """A composite glyph: its number, and where it lies in its table."""
    (count,) = struct.unpack_from(">H", sound(), table(sound(), "maxp") + 4)
    (long,) = struct.unpack_from(">H", sound(), table(sound(), "head") + 50)
    places = struct.unpack_from(f">{count + 1}{'L' if long else 'H'}", sound(), table(sound(), "loca"))
    offsets = [place if long else 2 * place for place in places]
    glyf = table(sound(), "glyf")
    return next(
        (glyph, start)
        for glyph, (start, end) in enumerate(pairwise(offsets))
        if end > start and struct.unpack_from(">h", sound(), glyf + start)[0] < 0
    )


def places() -> list[int]:
    """Where tables begin that say where other things are."""
    return [0, *(table(sound(), tag) for tag in ("cmap", "head", "hhea", "maxp", "name", "OS/2", "post", "loca"))]


@given(st.lists(st.tuples(st.sampled_from(range(9)), st.integers(0, 400), st.integers(0, 255)), max_size=6))
def test_whatever_is_broken_in_a_font_ends_in_a_sentence(changes: list[tuple[int, int, int]]) -> None:
    TARGETS["font"](b"".join((places()[at] + on).to_bytes(3) + bytes([value]) for at, on, value in changes))


@pytest.mark.parametrize("cut", [5, 40, 300, 5_000, 100_000])
def test_a_font_that_ends_too_soon_is_damaged(cut: int) -> None:
    for end in (cut, len(sound()) - cut):
        with pytest.raises(HackjackError, match="is damaged: "):
            drawn(sound()[:end])


def test_a_font_is_read_from_its_packs_folder_alone(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (tmp_path / "a.ttf").write_bytes(sound())
    (pack / "b.ttf").write_bytes(sound())
    assert font_files.load_font(pack, "b.ttf") == sound()
    for name, says in (("../a.ttf", "is outside the pack"), ("c.ttf", "is not there")):
        with pytest.raises(HackjackError, match=says):
            font_files.load_font(pack, name)

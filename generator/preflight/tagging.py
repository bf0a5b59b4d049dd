"""Whether a PDF can be read aloud: its language and title, its tags, and what its pages mark for them.

The structure tree is walked once, within limits: the file may come from anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pypdf
from msgspec import Struct
from pypdf.generic import ArrayObject, DictionaryObject

from generator.base.errors import HackjackError
from generator.preflight.inks import without_strings

MOST_ELEMENTS = 300_000
"""More than a book of a thousand pages has."""
_MARK = re.compile(
    rb"/MCID\s{1,9}(\d{1,9})[^<>]{0,200}>>\s{0,9}BDC"
    rb"|/([^\s/\[\]()<>{}%]+)\s{1,9}BDC"
    rb"|(?<![^\s>])(BMC|BDC|EMC|Tj|TJ|'|\")(?![^\s/\[(<])"
)
"""What begins marked content, with its number or the name of its properties; what ends it; what shows text."""
_SHOWN = (b"Tj", b"TJ", b"'", b'"')


class Tagging(Struct, frozen=True):
    """What a file gives a screen reader; `faults` are sentences, with the page or None for the whole file."""

    language: str
    titled: bool
    tagged: bool
    bookmarked: bool
    faults: tuple[tuple[int | None, str], ...]


def read(reader: pypdf.PdfReader) -> Tagging:
    """Look at the catalog, the structure tree and the marks on the pages. Raises HackjackError for too much of it."""
    root = _object(reader.trailer["/Root"])
    wishes = _object(root.get("/ViewerPreferences"))
    info = _object(reader.trailer.get("/Info"))
    title = str(_object(info.get("/Title")) or "") if isinstance(info, dict) else ""
    shown = isinstance(wishes, dict) and bool(_object(wishes.get("/DisplayDocTitle")))
    outlines = _object(root.get("/Outlines"))
    top = _object(root.get("/StructTreeRoot"))
    marked = _object(root.get("/MarkInfo"))
    tagged = isinstance(top, DictionaryObject) and isinstance(marked, dict) and bool(_object(marked.get("/Marked")))
    return Tagging(
        str(_object(root.get("/Lang")) or ""),
        bool(title.strip()) and shown,
        tagged,
        isinstance(outlines, dict) and "/First" in outlines,
        (*(_faults(reader, top) if tagged else ()), *_fields(reader)),
    )


def _faults(reader: pypdf.PdfReader, top: DictionaryObject) -> Iterator[tuple[int | None, str]]:
    """What is wrong with the tags."""
    owned, nameless = _walked(top)
    if nameless:
        what = "1 picture has" if nameless == 1 else f"{nameless:,} pictures have"
        yield None, f"{what} no description: give each an alternate text"
    for number, page in enumerate(reader.pages, 1):
        contents = page.get_contents()
        marks, open_, bare = _marks(contents.get_data() if contents is not None else b"", page)
        if open_:
            yield (
                number,
                f"marked content is {'not ended' if open_ > 0 else 'ended that never began'}: tag the page anew",
            )
        if bare:
            yield number, "text is neither tagged nor marked as an artifact: a screen reader leaves it out"
        reference = page.indirect_reference
        lost = marks - owned.get(reference.idnum if reference else 0, set())
        if lost:
            what = (
                "1 piece of marked content belongs"
                if len(lost) == 1
                else f"{len(lost):,} pieces of marked content belong"
            )
            yield number, f"{what} to nothing in the structure tree: a screen reader leaves it out"


def _walked(top: DictionaryObject) -> tuple[dict[int, set[int]], int]:
    """The numbers of marked content that elements hold, by the page's object; how many pictures nothing describes."""
    owned: dict[int, set[int]] = {}
    nameless = count = 0
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(top, 0)]
    while waiting:
        raw, page = waiting.pop()
        count += 1
        if count > MOST_ELEMENTS:
            raise HackjackError(
                f"the structure tree has more than {MOST_ELEMENTS:,} elements: save the file without tags"
            )
        item = _object(raw)
        if isinstance(item, int):
            owned.setdefault(page, set()).add(item)
        elif isinstance(item, ArrayObject):
            waiting += [(kid, page) for kid in item]
        elif isinstance(item, DictionaryObject) and id(item) not in seen:
            seen.add(id(item))
            page = getattr(item.raw_get("/Pg"), "idnum", page) if "/Pg" in item else page
            if item.get("/Type") == "/MCR":
                waiting.append((item.get("/MCID"), page))
            elif item.get("/Type") != "/OBJR":
                told = str(_object(item.get("/Alt")) or _object(item.get("/ActualText")) or "")
                nameless += item.get("/S") == "/Figure" and not told.strip()
                waiting.append((item.get("/K"), page))
    return owned, nameless


def _marks(stream: bytes, page: Mapping[str, Any]) -> tuple[set[int], int, bool]:
    """The numbers of a page's marked content, how many sequences stay open, and whether text stands outside of all."""
    resources = _object(page.get("/Resources"))
    named = _object(resources.get("/Properties")) if isinstance(resources, dict) else None
    marks: set[int] = set()
    depth = least = 0
    bare = False
    for number, name, operator in _MARK.findall(without_strings(stream)[0]):
        if operator in _SHOWN:
            bare = bare or depth <= 0
        elif operator == b"EMC":
            depth -= 1
            least = min(least, depth)
        else:
            depth += 1
            properties = _object(named.get(f"/{name.decode('latin-1')}")) if name and isinstance(named, dict) else None
            found = int(number) if number else _object(properties.get("/MCID")) if properties else None
            marks |= {found} if isinstance(found, int) else set()
    return marks, depth or least, bare


def _fields(reader: pypdf.PdfReader) -> Iterator[tuple[int | None, str]]:
    """Pages with form fields that nothing describes."""
    for number, page in enumerate(reader.pages, 1):
        fields = [_object(one) for one in _object(page.get("/Annots")) or ()]
        mute = sum(isinstance(one, dict) and one.get("/Subtype") == "/Widget" and not _described(one) for one in fields)
        if mute:
            what = "1 form field has" if mute == 1 else f"{mute} form fields have"
            yield number, f"{what} no description: give each a tooltip"


def _described(field: Mapping[str, Any]) -> bool:
    """Whether a field, or the one that it is part of, says what it is for."""
    above = _object(field.get("/Parent"))
    return any(str(_object(one.get("/TU")) or "").strip() for one in (field, above) if isinstance(one, dict))


def _object(value: Any) -> Any:
    """A value itself, where a reference stands for it."""
    found = value.get_object() if hasattr(value, "get_object") else value
    return None if isinstance(found, pypdf.generic.NullObject) else found

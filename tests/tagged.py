"""The structure tree of a tagged PDF as it is read aloud, in the hands of libraries that did not write it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any

import pypdfium2.raw as pdfium
from helpers import opened, reader, root_of
from msgspec import Struct


class Element(Struct, frozen=True):
    """One element: its tag, what it says for what it holds (None where that is read itself), and what it holds.

    That are elements, texts that stand on the page, and the names of form fields.
    """

    tag: str
    instead: str | None
    kids: tuple[Element | str | Field, ...]
    attributes: Mapping[str, Any]

    @property
    def said(self) -> str:
        """Everything it says, in order; what numbers a list is no text."""
        before = str(self.attributes.get("/Summary", ""))
        if self.instead is not None:
            return self.instead
        numbered = self.attributes.get("/ListNumbering") == "/Decimal"
        kids = [kid.kids[-1] if numbered and isinstance(kid, Element) else kid for kid in self.kids]
        return " ".join([before, *(kid if isinstance(kid, str) else kid.said for kid in kids)])

    @property
    def printed(self) -> str:
        """What stands on the page for it, whatever it says instead."""
        return " ".join(kid if isinstance(kid, str) else "" for kid in self.kids)

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements of those tags, itself included, in order."""
        if self.tag in tags or not tags:
            yield self
        for kid in self.kids:
            if isinstance(kid, Element):
                yield from kid.all(*tags)


class Field(Struct, frozen=True):
    """A form field in the tree: its name, what describes it, and the text that it holds."""

    name: str
    tip: str
    said: str


def tree(pdf: bytes) -> Element:
    """The document element, with its texts as pdfium finds them on the pages."""
    pages = [page.indirect_reference.idnum for page in reader(pdf).pages if page.indirect_reference]
    found = marked(pdf)
    return _element(root_of(pdf)["/StructTreeRoot"]["/K"], {page: found[at] for at, page in enumerate(pages)}, 0)


def marked(pdf: bytes) -> list[dict[int, str]]:
    """For each page, the text of each piece of marked content; -1 for all artifacts."""
    found: list[dict[int, str]] = []
    with opened(pdf) as document:
        for number in range(len(document)):
            page = document[number]
            layer = pdfium.FPDFText_LoadPage(page.raw)
            found.append({})
            for at in range(pdfium.FPDFPage_CountObjects(page.raw)):
                item = pdfium.FPDFPage_GetObject(page.raw, at)
                place = pdfium.FPDFPageObj_GetMarkedContentID(item)
                text = _text(item, layer) if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_TEXT else ""
                found[-1][place] = found[-1].get(place, "") + text
            pdfium.FPDFText_ClosePage(layer)
            page.close()
    return found


def tagging_faults(pdf: bytes) -> list[str]:
    """Return what a screen reader would miss: title, language, bookmarks, loose text, pictures without words."""
    root = root_of(pdf)
    faults = [key for key in ("/Lang", "/MarkInfo", "/Outlines", "/StructTreeRoot") if key not in root]
    if not (root.get("/ViewerPreferences", {}).get("/DisplayDocTitle") and reader(pdf).metadata.title):
        faults.append("no title that is shown")
    owned = _owned(root["/StructTreeRoot"]["/K"], 0)
    for number, (page, pieces) in enumerate(zip(reader(pdf).pages, marked(pdf), strict=True), 1):
        lost = {(page.indirect_reference.idnum, place) for place in pieces if place >= 0} - owned
        faults += [f"page {number}: {len(lost)} marked pieces belong to no element"] if lost else []
        fields = [one.get_object() for one in page.get("/Annots", ())]
        mute = [one for one in fields if one["/Subtype"] == "/Widget" and not (one.get("/TU") or one["/Parent"]["/TU"])]
        faults += [f"page {number}: {len(mute)} form fields have no description"] if mute else []
    with opened(pdf) as document:
        for page in document:
            items = [pdfium.FPDFPage_GetObject(page.raw, at) for at in range(pdfium.FPDFPage_CountObjects(page.raw))]
            texts = [item for item in items if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_TEXT]
            faults += [
                "text is neither tagged nor an artifact" for item in texts if not pdfium.FPDFPageObj_CountMarks(item)
            ]
            page.close()
    figures = tree(pdf).all("Figure")
    return faults + ["a picture has no description" for figure in figures if not (figure.instead or "").strip()]


def _owned(raw: Any, page: int) -> set[tuple[int, int]]:
    """Return the pieces of marked content that elements hold, as the number of the page's object and their own."""
    if isinstance(raw, int):
        return {(page, raw)}
    raw = raw if isinstance(raw, list) else raw.get_object()
    if isinstance(raw, list):
        return {piece for kid in raw for piece in _owned(kid, page)}
    page = raw.raw_get("/Pg").idnum if "/Pg" in raw else page
    return {(page, raw["/MCID"])} if "/MCID" in raw else _owned(raw.get("/K", []), page)


def _text(item: object, layer: object) -> str:
    length = pdfium.FPDFTextObj_GetText(item, layer, None, 0)
    letters = (ctypes.c_ushort * max(length // 2, 1))()
    pdfium.FPDFTextObj_GetText(item, layer, letters, length)
    return bytes(letters).decode("utf-16-le").rstrip("\0").replace("\x02", "-")


def _element(raw: Any, pages: Mapping[int, Mapping[int, str]], page: int) -> Element:
    raw = raw.get_object()
    page = raw.raw_get("/Pg").idnum if "/Pg" in raw else page
    kids = raw.get("/K", [])
    kids = kids if isinstance(kids, list) else [kids]
    instead = raw.get("/ActualText", raw.get("/Alt"))
    return Element(
        str(raw["/S"]).removeprefix("/"),
        None if instead is None else str(instead),
        tuple(_kid(kid, pages, page) for kid in kids),
        raw.get("/A", {}),
    )


def _kid(raw: Any, pages: Mapping[int, Mapping[int, str]], page: int) -> Element | str | Field:
    if isinstance(raw, int):
        return pages[page].get(raw, "")  # a picture may hold lines alone, or none
    raw = raw.get_object()
    if raw.get("/Type") == "/MCR":
        return pages[raw.raw_get("/Pg").idnum][raw["/MCID"]]
    if raw.get("/Type") == "/OBJR":
        widget = raw["/Obj"]
        value = "" if widget["/FT"] == "/Btn" else str(widget.get("/V", ""))
        return Field(str(widget["/T"]), str(widget["/TU"]), value)
    return _element(raw, pages, page)

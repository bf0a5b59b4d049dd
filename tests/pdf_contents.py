"""Read back what stands on the pages of a PDF with pdfium, object by object: the second witness to the pen's notes."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float, c_uint, create_string_buffer

import pypdfium2
import pypdfium2.raw as pdfium

from generator.layout.printed import SAME, Box, Image, Matrix, PageSeen, Text, bounding_box, in_mm, matrix_product
from generator.layout.sheets import MM

_INVISIBLE = 3
"""The text rendering mode that draws nothing."""


def pages(data: bytes) -> list[PageSeen]:
    """Return the contents of every page; boxes in mm. A text's letters can be read while the test runs."""
    document = pypdfium2.PdfDocument(data)
    return [_Looker(page, number).seen() for number, page in enumerate(document, 1)]


def without_tag(font: str) -> str:
    """A font's name without the six letters that mark a subset of it."""
    tag, plus, name = font.partition("+")
    return name if plus and len(tag) == 6 and tag.isupper() else font


class _Looker:
    """Looks at one page."""

    def __init__(self, page: pypdfium2.PdfPage, number: int) -> None:
        self.page, self.number = page, number
        self.texts: list[Text] = []
        self.images: list[Image] = []
        self.transparent = False
        self._fonts: dict[int, tuple[str, bool]] = {}
        self.left, self.foot, self.width, self.height = self._media()

    def _media(self) -> tuple[float, float, float, float]:
        """The MediaBox's lower left corner and size, pt. pdfium gives only a page's own, so its size may serve."""
        left, foot, right, top = _box(pdfium.FPDFPage_GetMediaBox, self.page.raw) or self._page_size()
        return left, foot, right - left, top - foot

    def _page_size(self) -> Box:
        width, height = self.page.get_size()
        turned = self.page.get_rotation() % 180 == 90
        return (0, 0, height, width) if turned else (0, 0, width, height)

    def seen(self) -> PageSeen:
        """Everything on the page."""
        raw = self.page.raw
        self._walk(lambda at: pdfium.FPDFPage_GetObject(raw, at), pdfium.FPDFPage_CountObjects(raw), SAME)
        trim, bleed = _box(pdfium.FPDFPage_GetTrimBox, raw), _box(pdfium.FPDFPage_GetBleedBox, raw)
        return PageSeen(
            self.number,
            self.width / MM,
            self.height / MM,
            self._placed(trim) if trim else None,
            self._placed(bleed) if bleed else None,
            tuple(self.texts),
            tuple(self.images),
            self.transparent,
        )

    def _placed(self, box: Box) -> Box:
        return in_mm(box, self.left, self.foot)

    def _walk(self, get: Callable[[int], object], count: int, outer: Matrix) -> None:
        for at in range(count):
            item = get(at)
            self.transparent = self.transparent or bool(pdfium.FPDFPageObj_HasTransparency(item))
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self._text(item, outer)
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                self._image(item, outer)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                self._form(item, outer)

    def _form(self, item: object, outer: Matrix) -> None:
        count = pdfium.FPDFFormObj_CountObjects(item)
        inner = matrix_product(_matrix(item), outer)
        self._walk(lambda at: pdfium.FPDFFormObj_GetObject(item, at), count, inner)

    def _text(self, item: object, outer: Matrix) -> None:
        if pdfium.FPDFTextObj_GetTextRenderMode(item) == _INVISIBLE:
            return
        box = self._bounds(item, outer)
        if box is None:
            return
        size = c_float()
        pdfium.FPDFTextObj_GetFontSize(item, size)
        _, _, c, d, _, _ = matrix_product(_matrix(item), outer)
        font, embedded = self._font(pdfium.FPDFTextObj_GetFont(item))
        self.texts.append(Text(font, embedded, size.value * math.hypot(c, d), box, lambda: self._says(item)))

    def _font(self, font: object) -> tuple[str, bool]:
        known = pdfium.cast(font, pdfium.c_void_p).value or 0
        if known not in self._fonts:
            length = pdfium.FPDFFont_GetBaseFontName(font, None, 0)
            name = create_string_buffer(max(length, 1))
            pdfium.FPDFFont_GetBaseFontName(font, name, length)
            plain = without_tag(name.value.decode("utf-8", "replace"))
            self._fonts[known] = (plain, pdfium.FPDFFont_GetIsEmbedded(font) == 1)
        return self._fonts[known]

    def _says(self, item: object) -> str:
        """The letters of a text, for a message. Works while the page is open."""
        layer = self.page.get_textpage()
        try:
            length = pdfium.FPDFTextObj_GetText(item, layer.raw, None, 0)
            letters = (pdfium.FPDF_WCHAR * max(length // 2, 1))()
            pdfium.FPDFTextObj_GetText(item, layer.raw, letters, length)
            return bytes(letters).decode("utf-16-le", "replace").rstrip("\0").strip()
        finally:
            layer.close()

    def _image(self, item: object, outer: Matrix) -> None:
        wide, high = c_uint(), c_uint()
        pdfium.FPDFImageObj_GetImagePixelSize(item, wide, high)
        a, b, c, d, _, _ = matrix_product(_matrix(item), outer)
        inches = (math.hypot(a, b) / 72, math.hypot(c, d) / 72)
        box = self._bounds(item, outer)
        if box and all(inches) and wide.value and high.value:
            dpi = min(wide.value / inches[0], high.value / inches[1])
            self.images.append(Image((wide.value, high.value), dpi, box))

    def _bounds(self, item: object, outer: Matrix) -> Box | None:
        """Where an object stands, mm; None for one that covers nothing."""
        left, foot, right, top = c_float(), c_float(), c_float(), c_float()
        if not pdfium.FPDFPageObj_GetBounds(item, left, foot, right, top):
            return None
        if not (right.value > left.value and top.value > foot.value):
            return None
        return self._placed(bounding_box((left.value, foot.value, right.value, top.value), outer))


def _box(get: Callable[..., bool], page: object) -> Box | None:
    left, foot, right, top = c_float(), c_float(), c_float(), c_float()
    if not get(page, left, foot, right, top):
        return None
    return (
        min(left.value, right.value),
        min(foot.value, top.value),
        max(left.value, right.value),
        max(foot.value, top.value),
    )


def _matrix(item: object) -> Matrix:
    found = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, found)
    return found.a, found.b, found.c, found.d, found.e, found.f

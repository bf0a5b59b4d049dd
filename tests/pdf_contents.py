"""Read what stands on the pages of a PDF with pdfium. Boxes are in mm from the page's lower left corner."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float, c_uint, create_string_buffer

import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct

from generator.layout.sheets import MM

Box = tuple[float, float, float, float]
"""Left, foot, right, top."""
Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Text(Struct, frozen=True):
    """A stretch of text: its font, whether that is embedded, its size as printed (pt), where its ink is."""

    font: str
    embedded: bool
    size: float
    box: Box
    says: Callable[[], str]


class Image(Struct, frozen=True):
    """An image: its pixels, how many of them come to an inch, where it stands."""

    pixels: tuple[int, int]
    dpi: float
    box: Box


class PageSeen(Struct, frozen=True):
    """One page; boxes that it does not give are None."""

    number: int
    width: float
    height: float
    trim: Box | None
    bleed: Box | None
    texts: tuple[Text, ...]
    images: tuple[Image, ...] = ()
    transparent: bool = False
    annotations: tuple[str, ...] = ()


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


def matrix_product(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that does `inner` first."""
    if outer == SAME:
        return inner
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def bounding_box(box: Box, matrix: Matrix) -> Box:
    """Return the upright box around a box that is moved and turned by a matrix."""
    a, b, c, d, e, f = matrix
    if b == c == 0:
        # Hardly any text is turned.
        left, right = sorted((a * box[0] + e, a * box[2] + e))
        foot, top = sorted((d * box[1] + f, d * box[3] + f))
        return left, foot, right, top
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def in_mm(box: Box, left: float = 0.0, foot: float = 0.0) -> Box:
    """Return a box in points as one in mm from (left, foot), which are points too."""
    x1, y1, x2, y2 = box
    return (x1 - left) / MM, (y1 - foot) / MM, (x2 - left) / MM, (y2 - foot) / MM

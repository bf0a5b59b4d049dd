"""What a PDF is built of, as pypdf reads it: fonts, colour spaces, transparency, annotations and the keys of PDF/X.

Everything that a page can reach through its resources is walked once, within limits: the file may come from anybody.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

import pypdf
from msgspec import Struct, field
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from generator.base.errors import HackjackError
from generator.layout.printed import Box, in_mm
from generator.preflight import tagging
from generator.preflight.inks import DEVICES, painted, without_strings
from generator.preflight.seen import MOST_PAGES, encrypted, without_tag
from generator.preflight.tagging import Tagging

MOST_STREAM = 80_000_000
MOST_EXPANDED = 200_000
"""Forms may draw forms that draw forms: so many in all, or a few bytes would keep us busy for ever."""
_DEEPEST = 25
_PROCESS = frozenset({"gray", "CMYK", "spot"})


class PageStructure(Struct):
    """What one page can reach. `ink` is the most on one spot, per cent, and `inkiest` what lays it down."""

    number: int
    boxes: dict[str, Box] = field(default_factory=dict)
    loose_fonts: set[str] = field(default_factory=set)
    fonts: set[str] = field(default_factory=set)
    transparency: set[str] = field(default_factory=set)
    spaces: set[str] = field(default_factory=set)
    image_spaces: set[str] = field(default_factory=set)
    annotations: list[str] = field(default_factory=list)
    ink: float = 0.0
    inkiest: str = ""

    def lay(self, ink: float, what: str) -> None:
        """Note an amount of ink."""
        if ink > self.ink:
            self.ink, self.inkiest = ink, what


class Structure(Struct, frozen=True):
    """A whole file: its version, its Info keys as text, its output intents, and what print shops do not want in it."""

    version: str
    info: Mapping[str, str]
    identified: bool
    intents: tuple[Mapping[str, str], ...]
    unwanted: tuple[str, ...]
    pages: tuple[PageStructure, ...]
    tagging: Tagging


def read(data: bytes, called: str) -> Structure:
    """Read a file's structure. Raises HackjackError with one sentence, whatever is wrong with the file."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)  # what pypdf would warn of is said here, or is no matter
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        if reader.is_encrypted:
            raise HackjackError(encrypted(called))
        return _structure(reader)
    except (HackjackError, MemoryError):
        raise
    except Exception as error:
        # pypdf raises whatever a damaged file makes it stumble over.
        raise HackjackError(f"{called} is damaged: its objects cannot be read; save it anew") from error
    finally:
        logger.setLevel(level)


def _structure(reader: pypdf.PdfReader) -> Structure:
    if len(reader.pages) > MOST_PAGES:
        raise HackjackError(f"the file has {len(reader.pages):,} pages: {MOST_PAGES:,} is the most to look at")
    info = _object(reader.trailer.get("/Info"))
    intents = _object(_root(reader).get("/OutputIntents"))
    walker = _Walker()
    return Structure(
        reader.pdf_header.removeprefix("%PDF-"),
        {str(key)[1:]: str(_object(value)) for key, value in info.items()} if isinstance(info, dict) else {},
        "/ID" in reader.trailer,
        tuple(_intent(_object(intent)) for intent in intents) if isinstance(intents, list) else (),
        tuple(_unwanted(reader)),
        tuple(walker.page(page, number) for number, page in enumerate(reader.pages, 1)),
        tagging.read(reader),
    )


def _root(reader: pypdf.PdfReader) -> DictionaryObject:
    root = _object(reader.trailer["/Root"])
    if not isinstance(root, DictionaryObject):
        raise ValueError("no catalog")
    return root


def _intent(intent: Any) -> dict[str, str]:
    return {str(key)[1:]: str(_object(value))[:200] for key, value in intent.items()}


def _unwanted(reader: pypdf.PdfReader) -> Iterator[str]:
    root = _root(reader)
    names = _object(root.get("/Names")) or {}
    if "/JavaScript" in names or "/AA" in root:
        yield "a script"
    action = _object(root.get("/OpenAction"))
    if isinstance(action, DictionaryObject) and action.get("/S") not in (None, "/GoTo"):
        yield "an action on opening"
    if "/EmbeddedFiles" in names:
        yield "an embedded file"
    form = _object(root.get("/AcroForm"))
    if isinstance(form, DictionaryObject) and _object(form.get("/Fields")):
        yield "a form to fill in"


class _Walker:
    """Follows resources. What is shared between pages is looked at once and remembered."""

    def __init__(self) -> None:
        self._images: dict[Any, tuple[str, float, bool]] = {}
        self._expanded: dict[Any, int] = {}
        self._open: set[Any] = set()

    def page(self, page: pypdf.PageObject, number: int) -> PageStructure:
        """Everything that one page can reach."""
        found = PageStructure(number, _boxes(page))
        if _group_is_transparent(page):
            found.transparency.add("a transparency group")
        contents = page.get_contents()
        stream = _bounded(contents.get_data() if contents is not None else b"")
        count = self._resources(_object(page.get("/Resources")), stream, found, set(), 0)
        if count > MOST_EXPANDED:
            raise HackjackError(f"page {number} is too intricate to look at: flatten it first")
        found.annotations += [_annotation(_object(one)) for one in _object(page.get("/Annots")) or ()]
        return found

    def _resources(self, resources: Any, stream: bytes, found: PageStructure, seen: set[Any], depth: int) -> int:
        """Look at a stream with its resources; gives how many forms it comes to when all of them are drawn."""
        if depth > _DEEPEST:
            raise HackjackError(f"page {found.number} is too intricate to look at: flatten it first")
        resources = resources if isinstance(resources, DictionaryObject) else DictionaryObject()
        named = {str(name)[1:]: _space(value) for name, value in _items(resources, "/ColorSpace")}
        paints = painted(stream, named)
        found.spaces |= paints.spaces
        found.lay(paints.ink, f"a paint of {paints.example} %")
        for _, font in _items(resources, "/Font"):
            self._font(font, found, seen, depth)
        for _, state in _items(resources, "/ExtGState"):
            found.transparency |= set(_transparency(state))
        for _, pattern in _items(resources, "/Pattern"):
            if isinstance(pattern, DictionaryObject) and not isinstance(pattern, StreamObject):
                found.spaces.add(_space(_object(_object(pattern.get("/Shading")) or {}).get("/ColorSpace")))
        for _, shading in _items(resources, "/Shading"):
            found.spaces.add(_space(_object(shading).get("/ColorSpace")))
        return self._objects(resources, stream, found, seen, depth)

    def _objects(
        self, resources: DictionaryObject, stream: bytes, found: PageStructure, seen: set[Any], depth: int
    ) -> int:
        used = _uses(without_strings(stream)[0])
        count = 1
        for name, item, operator in _drawn(resources):
            if operator == b"Do" and item.get("/Subtype") == "/Image":
                self._image(item, found)
                continue
            key, times = _key(item), used[name.encode("latin-1", "replace"), operator]
            if key in self._open:
                if times:
                    raise HackjackError(f"page {found.number} draws a part of itself inside itself, without an end")
                continue
            if _once(item, seen):
                if _group_is_transparent(item):
                    found.transparency.add("a transparency group")
                self._open.add(key)
                inner = _object(item.get("/Resources")) or resources
                self._expanded[key] = self._resources(inner, _bounded(item.get_data()), found, seen, depth + 1)
                self._open.discard(key)
            count += times * self._expanded.get(key, 1)
        return count

    def _font(self, font: Any, found: PageStructure, seen: set[Any], depth: int) -> None:
        if not isinstance(font, DictionaryObject):
            return
        name = without_tag(str(font.get("/BaseFont", "/unnamed"))[1:])
        if font.get("/Subtype") == "/Type3":
            if _once(font, seen):
                for glyph in (_object(one) for one in _object(font.get("/CharProcs", {})).values()):
                    if isinstance(glyph, StreamObject):
                        self._resources(font.get("/Resources"), _bounded(glyph.get_data()), found, seen, depth + 1)
            return
        found.fonts.add(name)
        described = [font, *(_object(one) for one in _object(font.get("/DescendantFonts")) or ())]
        files = ("/FontFile", "/FontFile2", "/FontFile3")
        descriptors = [_object(one.get("/FontDescriptor")) or {} for one in described]
        if not any(file in one for one in descriptors for file in files):
            found.loose_fonts.add(name)

    def _image(self, image: StreamObject, found: PageStructure) -> None:
        key = _key(image)
        if key not in self._images:
            masked = _object(image.get("/SMask")) is not None or bool(image.get("/SMaskInData", 0))
            space = "gray" if _object(image.get("/ImageMask")) else _space(image.get("/ColorSpace"))
            self._images[key] = (space, _image_ink(image, space), masked)
        space, ink, masked = self._images[key]
        found.image_spaces.add(space)
        found.lay(ink, "an image")
        if masked:
            found.transparency.add("an image with a soft mask")


# --- parts of a page -------------------------------------------------------------------------------------------------


def _object(value: Any) -> Any:
    """A value itself, where a reference stands for it."""
    found = value.get_object() if hasattr(value, "get_object") else value
    return None if isinstance(found, pypdf.generic.NullObject) else found


def _items(resources: DictionaryObject, kind: str) -> list[tuple[str, Any]]:
    found = _object(resources.get(kind))
    return [(name, _object(value)) for name, value in found.items()] if isinstance(found, dict) else []


def _drawn(resources: DictionaryObject) -> Iterator[tuple[str, StreamObject, bytes]]:
    """Everything that draws in turn, with its name and the operator that has it drawn: forms, patterns, soft masks."""
    for name, item in _items(resources, "/XObject"):
        if isinstance(item, StreamObject):
            yield name[1:], item, b"Do"
    for name, item in _items(resources, "/Pattern"):
        if isinstance(item, StreamObject):
            yield name[1:], item, b"scn"
    for name, state in _items(resources, "/ExtGState"):
        mask = _object(state.get("/SMask")) if isinstance(state, DictionaryObject) else None
        group = _object(mask.get("/G")) if isinstance(mask, DictionaryObject) else None
        if isinstance(group, StreamObject):
            yield name[1:], group, b"gs"


_USE = re.compile(rb"/([^\s/\[\]()<>{}%]+)\s+(Do|scn|SCN|gs)(?![^\s/\[(<])")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")


def _uses(bare: bytes) -> Counter[tuple[bytes, bytes]]:
    """How often a stream uses each name with each of the operators that draw."""
    found: Counter[tuple[bytes, bytes]] = Counter()
    for name, operator in _USE.findall(bare):
        plain = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), name) if b"#" in name else name
        found[plain, b"scn" if operator == b"SCN" else operator] += 1
    return found


def _key(item: Any) -> Any:
    reference = getattr(item, "indirect_reference", None)
    return (reference.idnum, reference.generation) if reference is not None else id(item)


def _once(item: Any, seen: set[Any]) -> bool:
    """Whether something has not been looked at yet on this page."""
    key = _key(item)
    new = key not in seen
    seen.add(key)
    return new


def _bounded(stream: bytes) -> bytes:
    if len(stream) > MOST_STREAM:
        raise HackjackError("the file holds a stream that unpacks to more than 80 MB: flatten it first")
    return stream


def _boxes(page: pypdf.PageObject) -> dict[str, Box]:
    """The boxes that a page gives, its own or inherited, mm from the MediaBox's lower left corner; /MediaBox always."""
    media = page.mediabox
    left, foot = float(media.left), float(media.bottom)
    found = {}
    for name in ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox"):
        box = media if name == "/MediaBox" else _object(page.get(name))
        if isinstance(box, ArrayObject) and len(box) == 4:
            x1, y1, x2, y2 = (float(_object(value)) for value in box)
            found[name[1:]] = in_mm((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), left, foot)
    return found


def _group_is_transparent(item: DictionaryObject) -> bool:
    group = _object(item.get("/Group"))
    return isinstance(group, DictionaryObject) and group.get("/S") == "/Transparency"


def _transparency(state: Any) -> Iterator[str]:
    if not isinstance(state, DictionaryObject):
        return
    for key in ("/ca", "/CA"):
        value = _object(state.get(key))
        if isinstance(value, int | float) and float(value) < 1:
            yield f"an opacity of {float(value):g}"
    if _object(state.get("/SMask")) not in (None, "/None"):
        yield "a soft mask"
    blend = _object(state.get("/BM"))
    modes = blend if isinstance(blend, list) else [blend]
    if modes and modes[0] not in (None, "/Normal", "/Compatible"):
        yield f"the blend mode {str(modes[0])[1:]}"


def _annotation(item: Any) -> str:
    subtype = str(item.get("/Subtype", "/other"))[1:] if isinstance(item, dict) else "other"
    return {"Widget": "form field", "Link": "link", "TrapNet": "trap net", "PrinterMark": "printer's mark"}.get(
        subtype, "comment" if subtype in ("Text", "Popup", "FreeText") else subtype
    )


def _space(value: Any, depth: int = 0) -> str:
    """The kind of a colour space: gray, RGB, CMYK, spot, Lab, ICC (with its components), pattern or other."""
    value = _object(value)
    if isinstance(value, NameObject):
        return DEVICES.get(str(value)[1:], "pattern" if value == "/Pattern" else "other")
    if not isinstance(value, list) or not value or depth > 4:
        return "other"
    family = str(_object(value[0]))[1:]
    if family == "ICCBased":
        return f"ICC of {_object(_object(value[1]).get('/N', 0))} inks"
    if family in ("Indexed", "I"):
        return _space(value[1], depth + 1)
    if family in ("Separation", "DeviceN"):
        under = _space(value[2], depth + 1)
        return "spot" if under in _PROCESS else under
    if family == "Pattern":
        return _space(value[1], depth + 1) if len(value) > 1 else "pattern"
    return {"CalGray": "calibrated gray", "CalRGB": "calibrated RGB", "Lab": "Lab"}.get(
        family, DEVICES.get(family, "other")
    )


def _image_ink(image: StreamObject, space: str) -> float:
    """The most ink on one pixel of a CMYK image of eight bits, per cent; 0 for others."""
    bits = _object(image.get("/BitsPerComponent"))
    if space != "CMYK" or not isinstance(bits, NumberObject) or int(bits) != 8:
        return 0.0
    from PIL import Image, ImageMath

    size = (int(_object(image["/Width"])), int(_object(image["/Height"])))
    filters = _object(image.get("/Filter"))
    last = filters[-1] if isinstance(filters, list) and filters else filters
    if size[0] * size[1] * 4 > MOST_STREAM:
        raise HackjackError(f"an image of {size[0]} x {size[1]} pixels is too large to count its ink")
    inverted = False
    unpacked = _bounded(image.get_data())
    if last == "/DCTDecode":
        picture: Image.Image = Image.open(BytesIO(unpacked))
        # Pillow turns the inks of Adobe's JPEG files round; a PDF does so only where its Decode array says so.
        inverted = "adobe" in picture.info
    else:
        picture = Image.frombytes("CMYK", size, unpacked)
    inks = dict(zip("cmyk", picture.convert("CMYK").split(), strict=True))
    total = ImageMath.lambda_eval(lambda of: of["c"] + of["m"] + of["y"] + of["k"], **inks)
    least, most = (float(value) / 255 * 100 for value in total.getextrema())
    decode = _object(image.get("/Decode"))
    reversed_ = isinstance(decode, list) and [float(value) for value in decode] == [1, 0] * 4
    return 400 - least if inverted != reversed_ else most

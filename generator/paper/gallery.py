"""The pictures of a pack on a canvas: each is cut, made small and turned into inks once, and then only repeated."""

import zlib
from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import PDFArray, PDFImageXObject, PDFName, PDFObject, PDFStream
from reportlab.pdfgen.canvas import Canvas

from generator.layout import artwork, drawings
from generator.layout.artwork import MAX_DPI, QUALITY, Artwork, Dots
from generator.layout.card_elements import CardSet
from generator.layout.drawings import Drawing
from generator.model.rules import Art, System
from generator.model.themes import Palette
from generator.pack.pack_locations import holder
from generator.paper import pen
from generator.paper.document import MM
from generator.paper.ink import WHITE, Rgb, in_palette, mixed

if TYPE_CHECKING:
    from PIL.Image import Image

SUIT_SIDE = 38.0
"""The largest that a suit's sign is printed, mm: the ace's."""
_STENCIL_DPI = 1200
_BLACK: Rgb = (0.0, 0.0, 0.0)


class Gallery:
    """The pictures of one system for one file. Empty for a system without art, and where ink is saved.

    `process` turns them into four inks; `pale` says whether signs may stand behind text; `cards` are the set that it
    is for. `name` tells its forms from those of other galleries on a canvas. Methods that draw raise HackjackError for
    a picture that cannot be read.
    """

    def __init__(
        self,
        system: System,
        cards: CardSet,
        *,
        shown: bool = True,
        process: bool = False,
        pale: bool = True,
        name: str = "",
    ) -> None:
        self._system, self._name = system, name
        self._art = system.head.art if shown and system.head.art else Art()
        self._back = cards.back or self._art.back
        self._shown = shown and system.folder is not None
        self._process = process
        self.pale = pale
        self.design = cards.design
        self.patterns = {str(suit.id): suit.pattern for suit in system.head.suits if suit.pattern}
        self._forms: dict[tuple[object, ...], str] = {}

    @cached_property
    def back(self) -> str | None:
        """The picture of the back."""
        return self._back if self._shown else None

    @cached_property
    def medallion(self) -> str | None:
        """The picture in the middle of a back that is ours."""
        return self._art.medallion if self._shown else None

    def suit(self, suit: str) -> str | None:
        """Return the picture of a suit's sign."""
        return {str(name): path for name, path in self._art.suits.items()}.get(suit) if self._shown else None

    def has(self, path: str) -> bool:
        """Return whether the picture of a card is printed."""
        return self._shown and bool(path)

    def load(self, path: str, paper: Dots, size: float, colour: Rgb) -> Artwork:
        """Return a picture, opened and looked over, on paper of that colour where it lets it through.

        A drawing is made `size` pt large; what of it asks for the card's colour gets `colour`.
        """
        if (drawing := self._drawing(path)) is None:
            return artwork.load_artwork(self._folder(path), path, paper)
        picture = drawing.rendered(size / 72 * MAX_DPI, _dots(colour), paper)
        return Artwork(path, artwork.image_of(*picture[:3]).convert("RGB"), False)

    def _drawing(self, path: str) -> Drawing | None:
        """Return an SVG, looked over; None for a picture of dots."""
        return drawings.load_drawing(self._folder(path), path) if drawings.is_drawing(path) else None

    def _folder(self, path: str) -> Path:
        folder = holder(self._system, path)
        if folder is None:
            raise ValueError("a system without a folder has no pictures")
        return folder

    def emblem(self, canvas: Canvas, path: str, x: float, y: float, size: float, colour: Rgb) -> None:
        """An emblem centred on (x, y), its longer side `size`; one drawn in one colour takes `colour`."""
        self._show(canvas, path, (x, y), (size, size), colour=colour)

    def cover(
        self,
        canvas: Canvas,
        path: str,
        x: float,
        y: float,
        width: float,
        height: float,
        strength: float = 1.0,
        ground: Rgb = WHITE,
    ) -> None:
        """The middle of a picture over a whole area, mixed with its ground where `strength` is under 1."""
        middle = x + width / 2, y + height / 2
        with pen.placed(canvas, clip=(x, y, width, height)):
            self._show(canvas, path, middle, (width, height), strength=strength, ground=ground, covers=True)

    def contain(self, canvas: Canvas, path: str, x: float, y: float, width: float, height: float) -> None:
        """A whole picture in the middle of a room."""
        self._show(canvas, path, (x + width / 2, y + height / 2), (width, height))

    def sign(
        self, canvas: Canvas, path: str, x: float, y: float, size: float, *, turned: bool = False, strength: float = 1.0
    ) -> None:
        """A suit's sign centred on (x, y), its longer side `size`; `turned` by 180 degrees, `strength` under 1 pale.

        Signs stand on every card, so each is made once, as large as the largest.
        """
        way, larger = -1 if turned else 1, SUIT_SIDE * MM / size
        self._show(canvas, path, (x, y), (size, size), strength=strength, larger=larger, way=way)

    def _show(
        self,
        canvas: Canvas,
        path: str,
        middle: tuple[float, float],
        room: tuple[float, float],
        *,
        colour: Rgb | None = None,
        strength: float = 1.0,
        ground: Rgb = WHITE,
        covers: bool = False,
        larger: float = 1.0,
        way: int = 1,
    ) -> None:
        """Show a picture in or over a room; it is made `larger` times as large, and once.

        A drawing that has only one colour is a stencil, painted in `colour` if there is one.
        """
        drawing = self._drawing(path)
        shape = (drawing.width, drawing.height) if drawing else self._image(path).size
        scale = (max if covers else min)(room[0] / shape[0], room[1] / shape[1])
        width, height = shape[0] * scale, shape[1] * scale
        size = max(width, height) * larger
        under = _dots(ground) if ground != WHITE else _dots(in_palette(WHITE, getattr(canvas, "palette", _PLAIN)))
        own = _colour_of(drawing)
        if drawing is not None and own is not None:
            key: tuple[object, ...] = (path, round(size))
            name = self._object(canvas, key, lambda: _stencil(*drawing.stencil(size / 72 * _STENCIL_DPI)))
        else:
            if covers:
                width, height = room

            def made() -> PDFImageXObject:
                loaded = self.load(path, under, size, colour or _BLACK)
                image = artwork.covering_image(loaded.image, *room) if covers else loaded.image
                image = artwork.reduced_image(image, width * larger / MM, height * larger / MM)
                return PDFImageXObject("", self._packed(artwork.paled_image(image, strength, under), loaded.photo))

            name = self._object(canvas, (path, covers, size, strength, under, colour), made)
        with pen.placed(canvas):
            if own is not None:
                canvas.setFillColorRGB(*(colour or (own if strength == 1 else mixed(own, strength, ground))))
            x, y = middle[0] - way * width / 2, middle[1] - way * height / 2
            canvas.transform(way * width, 0, 0, way * height, x, y)
            canvas._code.append(f"/{name} Do")

    def _image(self, path: str) -> "Image":
        return artwork.load_artwork(self._folder(path), path).image

    def _object(self, canvas: Canvas, key: tuple[object, ...], make: Callable[[], PDFObject]) -> str:
        """Return the name in the file of a picture that is made once."""
        form = self._forms.setdefault(key, f"{self._name}picture{len(self._forms) + 1}")
        name: str = canvas._doc.getXObjectName(form)
        if name not in canvas._doc.idToObject:
            picture = make()
            canvas._doc.Reference(picture, name)
            canvas._doc.addForm(form, picture)
        canvas._formsinuse.append(form)
        return name

    def _packed(self, image: "Image", photo: bool) -> ImageReader:
        """A picture as it stands in the file."""
        if self._process:
            return ImageReader(artwork.separated_image(image))
        if not photo:
            return ImageReader(image)
        stream = BytesIO()
        image.save(stream, "JPEG", quality=QUALITY, subsampling=0)
        stream.seek(0)
        return ImageReader(stream)


def _colour_of(drawing: Drawing | None) -> Rgb | None:
    """Return the colour of a drawing that has only one."""
    if drawing is None or drawing.colour is None:
        return None
    # White of its own is not that of the theme, which another may take the place of.
    red, green, blue = (min(part / 255, _WHITE) for part in drawing.colour)
    return red, green, blue


def _stencil(width: int, height: int, bits: bytes) -> PDFStream:
    """Return a picture of one bit a dot, which is painted in the colour of the canvas."""
    stream = PDFStream(content=zlib.compress(bits))
    kind = {"Type": PDFName("XObject"), "Subtype": PDFName("Image"), "Filter": PDFName("FlateDecode")}
    dots = {"Width": width, "Height": height, "BitsPerComponent": 1, "ImageMask": "true"}
    stream.dictionary.dict.update(kind | dots | {"Decode": PDFArray([1, 0]), "Length": len(stream.content)})
    return stream


def _dots(colour: Rgb) -> Dots:
    red, green, blue = (round(255 * part) for part in colour)
    return red, green, blue


_PLAIN = Palette()
_WHITE = 0.99999

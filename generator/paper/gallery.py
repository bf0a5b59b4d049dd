"""The pictures of a pack on a canvas: each is cut, made small and turned into inks once, and then only repeated."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from pathlib import Path

from PIL.Image import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from generator.layout import artwork
from generator.layout.artwork import Artwork, Dots
from generator.model.rules import Art, System
from generator.model.themes import Palette
from generator.pack.pack_locations import holder
from generator.paper import pen, svg
from generator.paper.document import MM
from generator.paper.ink import WHITE, Rgb, in_palette
from generator.paper.svg import Drawing

SUIT_SIDE = 38.0
"""The largest that a suit's sign is printed, mm: the ace's."""
QUALITY = 92
"""Of photographs, which are packed as JPEG again."""


class Gallery:
    """The pictures of one system for one file. Empty for a system without art, and where ink is saved.

    `process` turns them into four inks; `pale` says whether signs may stand behind text; `back` is the picture of the
    backs, where it is not the system's. `name` tells its forms from those of other galleries on a canvas. Methods that
    draw raise HackjackError for a picture that cannot be read.
    """

    def __init__(
        self,
        system: System,
        *,
        shown: bool = True,
        process: bool = False,
        pale: bool = True,
        back: str | None = None,
        name: str = "",
    ) -> None:
        self._system, self._name = system, name
        self._art = system.head.art if shown and system.head.art else Art()
        self._back = back or self._art.back
        self._shown = shown and system.folder is not None
        self._process = process
        self.pale = pale
        self._forms: dict[tuple[object, ...], str] = {}
        self._readers: dict[tuple[object, ...], ImageReader] = {}

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

    def load(self, path: str, paper: Dots = artwork.WHITE) -> Artwork:
        """Return a picture of dots, opened and looked over, on paper of that colour where it lets it through."""
        return artwork.load_artwork(self._folder(path), path, paper)

    def _drawing(self, path: str) -> Drawing | None:
        """Draw a picture of shapes, read and looked over; None for one of dots."""
        return svg.load_drawing(self._folder(path), path) if svg.is_drawing(path) else None

    def _folder(self, path: str) -> Path:
        folder = holder(self._system, path)
        if folder is None:
            raise ValueError("a system without a folder has no pictures")
        return folder

    # --- drawing. All lengths are points.

    def emblem(self, canvas: Canvas, path: str, x: float, y: float, size: float, colour: Rgb) -> None:
        """An emblem centred on (x, y), its longer side `size`; one drawn in one colour takes `colour`."""
        if (drawing := self._drawing(path)) is None:
            self.contain(canvas, path, x - size / 2, y - size / 2, size, size)
            return
        drawing.show(canvas, self._form(path, colour), x, y, size, colour)

    def _form(self, path: str, *how: object) -> str:
        """Return the name of the form that a drawing is made once in."""
        return self._forms.setdefault((path, "drawing", *how), f"{self._name}drawing{len(self._forms) + 1}")

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
        if (drawing := self._drawing(path)) is not None:
            scale = max(width / drawing.width, height / drawing.height)
            size = scale * max(drawing.width, drawing.height)
            form = self._form(path, strength, ground)
            with pen.placed(canvas, clip=(x, y, width, height)):
                drawing.show(canvas, form, x + width / 2, y + height / 2, size, None, strength, ground)
            return

        under = _dots(ground) if ground != WHITE else _paper(canvas)

        def made() -> Image:
            cut = artwork.covering_image(self.load(path, under).image, width, height)
            return artwork.paled_image(artwork.reduced_image(cut, width / MM, height / MM), strength, under)

        key = (path, "cover", width, height, strength, under)
        canvas.drawImage(self._reader(key, self.load(path, under), made), x, y, width, height)

    def contain(self, canvas: Canvas, path: str, x: float, y: float, width: float, height: float) -> None:
        """A whole picture in the middle of a room."""
        if (drawing := self._drawing(path)) is not None:
            size = max(artwork.contained_size((drawing.width, drawing.height), width, height))
            drawing.show(canvas, self._form(path), x + width / 2, y + height / 2, size, None)
            return
        under = _paper(canvas)
        wide, high = artwork.contained_size(self.load(path, under).image.size, width, height)

        def made() -> Image:
            return artwork.reduced_image(self.load(path, under).image, wide / MM, high / MM)

        reader = self._reader((path, "contain", wide, high, under), self.load(path, under), made)
        canvas.drawImage(reader, x + (width - wide) / 2, y + (height - high) / 2, wide, high)

    def sign(
        self, canvas: Canvas, path: str, x: float, y: float, size: float, *, turned: bool = False, strength: float = 1.0
    ) -> None:
        """A suit's sign centred on (x, y), its longer side `size`; `turned` by 180 degrees, `strength` under 1 pale.

        Signs stand on every card, so each is a form that the first use makes and the others repeat.
        """
        if (drawing := self._drawing(path)) is not None:
            drawing.show(canvas, self._form(path, strength), x, y, -size if turned else size, None, strength)
            return
        under = _paper(canvas)
        key = (path, "sign", strength, under)
        sides = artwork.contained_size(self.load(path, under).image.size, SUIT_SIDE, SUIT_SIDE)
        if key not in self._forms:

            def made() -> Image:
                return artwork.paled_image(artwork.reduced_image(self.load(path, under).image, *sides), strength, under)

            name = f"{self._name}sign{len(self._forms) + 1}"
            canvas.beginForm(name, 0, 0, 1, 1)
            canvas.drawImage(self._reader(key, self.load(path, under), made), 0, 0, 1, 1)
            canvas.endForm()
            self._forms[key] = name
        way = -1 if turned else 1
        wide, high = (way * size * side / SUIT_SIDE for side in sides)
        canvas.saveState()
        canvas.transform(wide, 0, 0, high, x - wide / 2, y - high / 2)
        canvas.doForm(self._forms[key])
        canvas.restoreState()

    def _reader(self, key: tuple[object, ...], loaded: Artwork, made: Callable[[], Image]) -> ImageReader:
        """Return a picture ready to be put into the file, made once."""
        if key not in self._readers:
            self._readers[key] = self._packed(made(), photo=loaded.photo)
        return self._readers[key]

    def _packed(self, image: Image, *, photo: bool) -> ImageReader:
        """A picture as it stands in the file, named by its dots and not by where it lay."""
        if self._process:
            return ImageReader(artwork.separated_image(image))
        if not photo:
            return ImageReader(image)
        stream = BytesIO()
        image.save(stream, "JPEG", quality=QUALITY, subsampling=0)
        stream.seek(0)
        return ImageReader(stream)


def _paper(canvas: Canvas) -> Dots:
    """The ground of what is drawn on a canvas, in its theme."""
    return _dots(in_palette(WHITE, getattr(canvas, "palette", _PLAIN)))


def _dots(colour: Rgb) -> Dots:
    red, green, blue = (round(255 * part) for part in colour)
    return red, green, blue


_PLAIN = Palette()

"""Pictures of dots as the browser has them: as much of Pillow as our prints and reportlab use. There is no wheel.

A browser decodes while others wait: whoever needs a picture that is not there yet is stopped by `Wanted`, and begins
again when it is.
"""

from hashlib import sha256
from typing import IO, Any, Self

from page_pictures import canvas_of, dots_of, drawn, jpeg
from page_setup import DECODED, Wanted
from pyodide.ffi import to_js

from PIL import UnidentifiedImageError

Size = tuple[int, int]


class DecompressionBombError(Exception):
    """A picture unpacks to too many dots."""


class Resampling:
    """Browsers have one way that is good."""

    LANCZOS = None


def _header(data: bytes) -> tuple[str, Size, int]:
    """Return the kind of a file, how large its picture is, and 2 for more than one. Raises UnidentifiedImageError."""

    def little(at: int, count: int) -> int:
        return int.from_bytes(data[at : at + count], "little")

    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        return "PNG", size, 1 + (b"acTL" in data[: data.find(b"IDAT")])
    if data.startswith(b"RIFF") and data[8:16] == b"WEBPVP8X":
        return "WEBP", (little(24, 3) + 1, little(27, 3) + 1), 1 + (data[20] >> 1 & 1)
    if data.startswith(b"RIFF") and data[8:15] == b"WEBPVP8":
        wide, high = (little(26, 2), little(28, 2)) if data[15:16] == b" " else (little(21, 2), little(21, 4) >> 14)
        return "WEBP", (wide & 0x3FFF, high & 0x3FFF), 1
    at = 2 if data.startswith(b"\xff\xd8\xff") else len(data)
    while at + 9 < len(data) and data[at] == 0xFF:
        if 0xC0 <= data[at + 1] <= 0xCF and data[at + 1] not in (0xC4, 0xC8, 0xCC):
            return "JPEG", (int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])), 1
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])
    raise UnidentifiedImageError


class Image:
    """A picture: a file that is not decoded yet, or a canvas. Its size is that before it is turned."""

    def __init__(self, canvas: Any, mode: str = "RGBA", data: bytes = b"") -> None:
        self._canvas, self.mode, self._data, self.info = canvas, mode, data, dict[str, Any]()
        self.size: Size
        self.format, self.size, self.n_frames = _header(data) if data else ("", (canvas.width, canvas.height), 1)

    width = property(lambda self: self.size[0])
    height = property(lambda self: self.size[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *given: object) -> None:
        pass

    def canvas(self) -> Any:
        """Return its canvas, the right way up. Raises Wanted, and OSError for a file that is damaged."""
        if not self._canvas:
            if (key := sha256(self._data).digest()) not in DECODED:
                raise Wanted(self._data)
            self._canvas = DECODED[key]
            if not self._canvas:
                raise OSError
        return self._canvas

    def convert(self, mode: str) -> "Image":
        """Return it without what it lets through, or with it."""
        return Image(self.canvas(), mode)

    def crop(self, box: tuple[int, int, int, int]) -> "Image":
        """Return a part of it."""
        canvas = canvas_of(box[2] - box[0], box[3] - box[1])
        return Image(drawn(canvas, self.canvas(), 1, -box[0], -box[1], *self.size), self.mode)

    def resize(self, size: Size, resample: object = None) -> "Image":
        """Return it in another size."""
        del resample
        return Image(drawn(canvas_of(*size), self.canvas(), 1, 0, 0, *size), self.mode)

    def tobytes(self) -> bytes:
        """Return its dots."""
        dots: bytes = dots_of(self.canvas(), len(self.mode)).to_bytes()
        return dots

    def save(self, stream: IO[bytes], kind: str, quality: int, **more: object) -> None:
        """Write it as JPEG."""
        del kind, more
        stream.write(jpeg(self.canvas(), quality).to_bytes())


def open(stream: IO[bytes], formats: object = None) -> Image:
    """Return the picture in a file. Raises UnidentifiedImageError."""
    del formats
    return Image(None, data=stream.read() or b"\0")


def frombytes(mode: str, size: Size, dots: bytes) -> Image:
    """Return a picture of dots."""
    return Image(canvas_of(*size, to_js(dots)), mode)


def new(mode: str, size: Size, colour: tuple[int, ...]) -> Image:
    """Return a picture of one colour."""
    return Image(canvas_of(*size, None, f"rgb{colour[:3]}"), mode)


def alpha_composite(under: Image, over: Image, strength: float = 1) -> Image:
    """Return one picture over another, which is drawn on."""
    return Image(drawn(under.canvas(), over.canvas(), strength, 0, 0, *over.size), under.mode)


blend = alpha_composite

"""Pages of our own PDFs as PNG pictures."""

import signal
import struct
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

import pypdfium2
from msgspec import Struct

from generator.base.errors import HackjackError

MIN_DPI, MAX_DPI = 36, 1200

# pdfium rounds sizes up; a hair less than the true scale gives the size that the arithmetic promises.
_HAIR = 1e-6

_MAX_WAITING_BYTES = 40_000_000
"""So many bytes of pictures wait to be packed, and one picture more."""

_PACKING = 3
"""Compression level of files: a third faster than as usual, for a twentieth more on the disk."""


class Picture(Struct, frozen=True):
    """A picture: red, green and blue of each dot, a byte each, row by row from the top."""

    width: int
    height: int
    dots: bytes

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in dots."""
        return self.width, self.height

    def rows(self) -> Iterator[bytes]:
        """Yield its rows, from the top."""
        length = 3 * self.width
        return (self.dots[start : start + length] for start in range(0, length * self.height, length))


def page_count(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def page_pictures(
    pdf: bytes, dpi: float, size: tuple[int, int] | None = None, *, only: Iterable[int] | None = None
) -> Iterator[Picture]:
    """Every page of a PDF, or only those with some numbers from 0, as a picture at that resolution, one at a time.

    With a `size` every picture must have it to the pixel. Raises HackjackError.
    """
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)) if only is None else only:
            page = document[number]
            bitmap = page.render(scale=dpi / 72 - _HAIR, rev_byteorder=True)
            dots, length = memoryview(bitmap.buffer), 3 * bitmap.width
            starts = range(0, bitmap.stride * bitmap.height, bitmap.stride)
            picture = Picture(bitmap.width, bitmap.height, b"".join(dots[start : start + length] for start in starts))
            if size is not None and picture.size != size:
                raise HackjackError(f"the picture has {picture.size} pixels instead of {size}")
            yield picture
            bitmap.close()
            page.close()
    finally:
        document.close()


def packed_pictures(pictures: Iterable[Picture], dpi: float, jobs: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield pictures in their order as PNG files, with width and height in pixels; `jobs` are packed at a time.

    pdfium draws one page at a time, but most of the time goes into packing, which several threads do side by side. The
    files are the same however many jobs there are. Raises HackjackError.
    """
    with _stopped_between() as go_on, _crew(jobs) as crew:
        waiting: deque[tuple[Future[bytes], int, int]] = deque()

        def first() -> tuple[bytes, int, int]:
            task, width, height = waiting.popleft()
            return task.result(), width, height

        for picture in pictures:
            if jobs == 1:
                yield png_bytes(picture, dpi), *picture.size
                go_on()
                continue
            waiting.append((crew.submit(png_bytes, picture, dpi), *picture.size))
            # No more pictures wait in memory than there are hands to pack them, and one for each hand to come.
            # Large ones are fewer.
            while (
                len(waiting) >= 2 * jobs or sum(3 * width * height for _, width, height in waiting) > _MAX_WAITING_BYTES
            ):
                yield first()
            go_on()
        while waiting:
            yield first()


@contextmanager
def _stopped_between() -> Iterator[Callable[[], None]]:
    """Delay Ctrl-C until the yielded function is called, which then raises KeyboardInterrupt.

    In the middle of a drawing it would catch pdfium with its pages open. A second Ctrl-C does not wait.
    """
    interrupted = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            signal.default_int_handler(number, frame)
        interrupted = True

    def go_on() -> None:
        if interrupted:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield go_on
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield go_on
        go_on()
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _crew(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Yield threads that finish what they have begun and begin nothing more when the block ends."""
    crew = ThreadPoolExecutor(jobs)
    try:
        yield crew
    finally:
        crew.shutdown(cancel_futures=True)


def tiled(pictures: Sequence[Picture | None], columns: int) -> Picture:
    """Return pictures of one size side by side in so many columns; where there is None, paper stays white."""
    width, height = next(picture.size for picture in pictures if picture)
    white = Picture(width, height, b"\xff" * (3 * width * height))
    lines = [pictures[start : start + columns] for start in range(0, len(pictures), columns)]
    rows = (
        row
        for line in lines
        for across in zip(*((each or white).rows() for each in line), strict=True)
        for row in across
    )
    return Picture(width * columns, height * len(lines), b"".join(rows))


def png_bytes(picture: Picture, dpi: float) -> bytes:
    """Return a picture as the bytes of a PNG file that knows its resolution."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    a_meter = round(dpi / 0.0254)
    head = struct.pack(">IIBBBBB", *picture.size, 8, 2, 0, 0, 0)
    # Each row says that it is not filtered: drawings are smaller so, and packed in half the time.
    packed = zlib.compress(b"\0" + b"\0".join(picture.rows()), _PACKING)
    chunks = (b"IHDR", head), (b"pHYs", struct.pack(">IIB", a_meter, a_meter, 1)), (b"IDAT", packed), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)

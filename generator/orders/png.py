"""Pages of our own PDFs as PNG pictures."""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from types import FrameType

import pypdfium2
from PIL.Image import Image

from generator.base.errors import HackjackError

MIN_DPI, MAX_DPI = 36, 1200

# pdfium rounds sizes up; a hair less than the true scale gives the size that the arithmetic promises.
_HAIR = 1e-6

_MAX_WAITING_BYTES = 40_000_000
"""So many bytes of pictures wait to be packed, and one picture more."""

_PACKING = 3
"""How hard files are packed: a third faster than as usual, for a twentieth more on the disk."""


def page_count(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def page_pictures(
    pdf: bytes, dpi: float, size: tuple[int, int] | None = None, *, only: Iterable[int] | None = None
) -> Iterator[Image]:
    """Every page of a PDF, or only those with some numbers from 0, as an RGB picture at that resolution, one at a time.

    With a `size` every picture must have it to the pixel. Raises HackjackError.
    """
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)) if only is None else only:
            page = document[number]
            bitmap = page.render(scale=dpi / 72 - _HAIR)
            picture = bitmap.to_pil()
            # Converting copies, and a picture that is RGB already has been copied out of the bitmap.
            picture = picture if picture.mode == "RGB" else picture.convert("RGB")
            if size is not None and picture.size != size:
                raise HackjackError(f"the picture has {picture.size} pixels instead of {size}")
            yield picture
            bitmap.close()
            page.close()
    finally:
        document.close()


def packed_pictures(pictures: Iterable[Image], dpi: float, jobs: int) -> Iterator[tuple[bytes, int, int]]:
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


def png_bytes(picture: Image, dpi: float) -> bytes:
    """Return a picture as the bytes of a PNG file that knows its resolution."""
    stream = BytesIO()
    picture.save(stream, "PNG", dpi=(dpi, dpi), compress_level=_PACKING)
    return stream.getvalue()

"""The studio's server: its helpers, the prints that it keeps, and what has changed. It answers this computer alone."""

import asyncio
import hmac
import secrets
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from starlette.types import ASGIApp

from generator.base.errors import UsageError
from generator.base.files import Stamp, file_stamps, first_bytes
from generator.pack import pack_locations
from generator.serve.app import site
from generator.serve.slow_work import off_thread
from generator.serve.streams import Streams
from generator.studio.answers import routes
from generator.studio.helpers import PAGE, PICTURE, PRINT, Helper
from generator.studio.processes import HelperProcess
from generator.studio.tables import Tables
from generator.studio.uploads import reread
from generator.studio.wishes import KeptPrint, Wish

MAX_PRINTS, MAX_BYTES = 24, 300_000_000
"""So many prints are kept, and so many bytes of them."""
MAX_WATCHED = 5000
WATCH = 0.15
"""Seconds after which files of packs are looked at again, while a page is open."""


class Workers(NamedTuple):
    """Who does what the server does not do itself. Where there are no processes, others stand in."""

    drawing: Helper
    counting: Helper
    """What is quick and what counts are apart, so that nobody waits for odds to see a card."""
    writing: Helper
    """It keeps what can be undone."""
    tables: Tables
    reread: Callable[[bytes, Path], Awaitable[Path]]


def processes() -> Workers:
    """Return workers that are processes of this computer."""
    return Workers(HelperProcess(), HelperProcess(), HelperProcess(recycled=False), Tables(), reread)


class Studio:
    """What the page may ask for. Used from one event loop."""

    def __init__(self, workers: Workers) -> None:
        self.key = secrets.token_urlsafe(16)
        self.streams = Streams()
        self.drawing, self.counting, self.writing, self.tables, self.reread = workers
        self.folder = Path(tempfile.mkdtemp(prefix="hackjack-studio-"))
        self._prints: OrderedDict[str, KeptPrint] = OrderedDict()

    def opens(self, key: str) -> bool:
        """Return whether a key opens this studio."""
        return hmac.compare_digest(self.key.encode(), key.encode())

    async def print(self, wish: Wish) -> KeptPrint:
        """Print a wish and keep it for a while. Raises HackjackError."""
        asked = ("print", wish, str(self.folder))
        # What takes long waits behind odds, and nothing waits behind it.
        raw = await self.drawing.do(PRINT, *asked, True) or await self.counting.do(PRINT, *asked, False)
        printed = msgspec.json.decode(raw, type=KeptPrint)
        self._prints[printed.job] = printed
        self._prints.move_to_end(printed.job)
        while len(self._prints) > MAX_PRINTS or sum(each.bytes for each in self._prints.values()) > MAX_BYTES:
            if len(self._prints) == 1:
                break
            job, _ = self._prints.popitem(last=False)
            await off_thread(shutil.rmtree, self.folder / job, True)
        return printed

    def printed(self, job: str) -> KeptPrint:
        """Return a print that is kept. Raises UsageError."""
        if job not in self._prints:
            raise UsageError("This print is no longer kept. Print it again.")
        return self._prints[job]

    def file(self, job: str, name: str) -> Path:
        """Return a file of a print. Raises UsageError."""
        if name not in {file.name for file in self.printed(job).files}:
            raise UsageError("This print has no such file.")
        return self.folder / job / name

    async def page(self, job: str, number: int, dpi: int) -> bytes:
        """Return a page of a print as a PNG file: of its PDF, or else its pictures. Raises HackjackError."""
        files = self.printed(job).files
        pdf = next((file.name for file in files if file.pages and file.name.endswith(".pdf")), None)
        pictures = [file.name for file in files if file.name.endswith(".png")]
        if pdf is None and 0 <= number < len(pictures):
            return await off_thread(first_bytes, self.file(job, pictures[number]), pictures[number], MAX_BYTES)
        if pdf is None:
            raise UsageError("This print has no such page.")
        urgency = PAGE if number == 0 else PICTURE
        raw: bytes = await self.drawing.do(urgency, "page", str(self.folder / job), pdf, number, dpi)
        return raw

    async def watch(self) -> None:
        """Tell pages that look when a pack has changed, until the server ends."""
        before: Stamp = {}
        while not self.streams.ended:
            if self.streams.followed:
                now = await off_thread(_stamps)
                if before and now != before:
                    self.streams.announce()
                before = now
            await asyncio.sleep(WATCH)

    def close(self) -> None:
        """End everything, and take the prints away."""
        self.streams.end()
        self.tables.close()
        self.drawing.close()
        self.counting.close()
        self.writing.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _stamps() -> Stamp:
    """Return the stamps of all files of packs: of those that ship and of the user's."""
    named = pack_locations.beside()
    folders = (pack_locations.systems_folder(), pack_locations.packs_folder(), *((named,) if named else ()))
    return file_stamps([path for folder in folders for path in (folder, *islice(folder.rglob("*"), MAX_WATCHED))])


def app_of(studio: Studio) -> ASGIApp:
    """Return the server of the studio."""
    return site("studio.html", studio.opens, routes(studio), studio.watch, studio.close, lan=False)

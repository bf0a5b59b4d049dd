"""The second worker of the page: it counts, so that nobody waits for odds to print, and is ended to stop that.

`Counting` is how the first worker asks it, `hear` what it does then. They share no files: each message takes along
what has changed.
"""

import asyncio
import os
import pickle
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from page_setup import received, sent
from pictures_here import with_pictures

from generator.base.errors import HackjackError, UsageError, unforeseen
from generator.check import kept_charts
from generator.pack import pack_locations
from generator.studio.helpers import Call, Helper

GRACE = 1.0
"""Seconds within which it may come to an end when it is told to stop."""
_STOP = b""

Changes = Mapping[str, tuple[bytes, int] | None]
"""Files by their paths, with when they were changed; None for what is there no more."""


class SharedFiles:
    """The files that both workers know, in some folders, and how the other one knows them."""

    def __init__(self, *more: str) -> None:
        home = pack_locations.user_folder()
        self._folders = (pack_locations.packs_folder(), home / kept_charts.FOLDER, *map(Path, more))
        self._known: dict[str, int] = {}

    def changes(self) -> Changes:
        """Return what the other one does not know yet."""
        paths = [path for folder in self._folders for path in folder.rglob("*") if path.is_file()]
        now = {str(path): path.stat().st_mtime_ns for path in paths}
        new = {name: (Path(name).read_bytes(), at) for name, at in now.items() if self._known.get(name) != at}
        gone = dict.fromkeys(name for name in self._known if name not in now)
        self._known = now
        return new | gone

    def take(self, changes: Changes) -> None:
        """Write what the other one has changed."""
        for name, file in changes.items():
            path = Path(name)
            if file is None:
                path.unlink(missing_ok=True)
                with suppress(OSError):
                    path.parent.rmdir()
                self._known.pop(name, None)
                continue
            data, at = file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, ns=(at, at))
            self._known[name] = path.stat().st_mtime_ns


class Counting(Helper):
    """The second worker, as the first one sees it: `send` begins it, `end` ends it."""

    def __init__(self, send: Callable[[Any], None], end: Callable[[], None]) -> None:
        super().__init__()
        self.folder = ""
        self._send, self._end = send, end
        self._heard = asyncio.Queue[bytes]()
        self._files: SharedFiles | None = None

    def hear(self, message: bytes) -> None:
        """Take what it says; nothing, where it is gone."""
        self._heard.put_nowait(message)

    async def _do(self, call: Call) -> None:
        self._files = self._files or SharedFiles(self.folder)
        self._heard = asyncio.Queue()
        try:
            message = pickle.dumps((self.folder, call.name, call.arguments, self._files.changes()))
        except RecursionError:
            call.outcome.put_nowait(("error", UsageError("This is nested too deeply.")))
            return
        self._send(sent(message))
        how = ""
        while how not in ("done", "error"):
            heard = await self._heard.get()
            if not heard:
                self._files = None
                how, value = "error", HackjackError("The browser ended this work, possibly for lack of memory.")
            else:
                how, value, changes = pickle.loads(heard)
                self._files.take(changes)
            call.outcome.put_nowait((how, value))

    def _stop(self, call: Call) -> None:
        """Tell it to stop; what goes on is ended, and another one begins with the next call."""
        self._send(sent(_STOP))
        asyncio.get_running_loop().call_later(GRACE, self._end_work, call)

    def _end_work(self, call: Call) -> None:
        if self._running is call:
            self._end()
            self.hear(b"")


@cache
def workshop() -> Mapping[str, Callable[..., Any]]:
    """Return what all helpers of a worker can do: they have one memory, and one turn after the other."""
    from generator.studio.worker import workshop

    return workshop()


async def outcome(name: str, arguments: tuple[Any, ...], part: Callable[[Any], Any], left: Callable[[], bool]) -> Any:
    """Do a call of the workshop: each part of what it gives, until nobody waits. Raises HackjackError."""
    told = 0

    async def done() -> Any:
        nonlocal told
        value = workshop()[name](*arguments)
        if not isinstance(value, Iterator):
            return value
        for each in islice(value, told, None):
            part(each)
            told += 1
            await asyncio.sleep(0.001)  # What was asked meanwhile has its turn, and may be to stop.
            if left():
                break
        return None

    try:
        return await with_pictures(done)
    except HackjackError:
        raise
    except Exception as error:
        traceback.print_exc()
        raise HackjackError(unforeseen(error)) from error


_stopped = False
_shared: SharedFiles | None = None


async def hear(message: Any, send: Callable[[Any], None]) -> None:
    """Do what the first worker asks for, in the second."""
    global _stopped, _shared
    raw = received(message)
    _stopped = raw == _STOP
    if _stopped:
        return
    folder, name, arguments, changes = pickle.loads(raw)
    files = _shared = _shared or SharedFiles(folder)
    files.take(changes)

    def tell(how: str, value: Any) -> None:
        send(sent(pickle.dumps((how, value, files.changes()))))

    try:
        tell("done", await outcome(name, arguments, lambda part: tell("part", part), lambda: _stopped))
    except HackjackError as error:
        tell("error", error)

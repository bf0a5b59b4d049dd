"""Helper processes: each does one call at a time, the most urgent first, and what nobody waits for is dropped.

The server's own process answers and waits; whatever reads content, draws or counts happens here.
"""

import asyncio
import heapq
import os
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes

PRINT, PAGE, LOOK, PICTURE, SHELF = range(5)
"""How urgent calls are, the most urgent first: a print, the first page, what a page says, pictures, the shelf."""
MAX_MEMORY = 110_000_000
"""A process that has nothing to do and holds more bytes than this makes room for another: counting keeps what it made
ready for the next question."""
TRIES = 2
"""So often a call is begun whose process dies under it."""


class _Call:
    """A call that waits or is being done, and what has come of it. Raises UsageError if it cannot be told."""

    def __init__(self, number: int, name: str, arguments: tuple[Any, ...]) -> None:
        self.number, self.tries, self.left = number, 0, False
        self.outcome = asyncio.Queue[tuple[str, Any]]()
        try:
            self.message = pickle.dumps(("do", number, name, arguments))
        except RecursionError as error:
            raise UsageError("This is nested too deeply.") from error


class Helper:
    """A process. Calls are made from one event loop, which a task hands on to it.

    One that is `recycled` makes room for another when it holds much memory. The other reads at once the pack that was
    looked at last, to know it as it was sound; while it is not, there is no other.
    """

    def __init__(self, *, recycled: bool = True) -> None:
        self._recycled = recycled
        self._pack, self._stale = "", False
        self._numbers = count()
        self._waiting: list[tuple[int, int, _Call]] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._running: _Call | None = None
        self._task: asyncio.Task[None] | None = None
        self._ended = False

    def start(self) -> None:
        """Start the process before the first call: it has much to load."""
        with suppress(OSError):  # The first call tries again, and tells why not.
            self._process = self._process or _started()

    async def do(self, urgency: int, name: str, *arguments: Any) -> Any:
        """Return what a call of the workshop gives. Raises HackjackError."""
        return [None, *[part async for part in self.parts(urgency, name, *arguments)]][-1]

    async def parts(self, urgency: int, name: str, *arguments: Any) -> AsyncIterator[Any]:
        """Yield what a call gives, part by part. Raises HackjackError. Who stops early stops the call."""
        call = self._ask(urgency, name, *arguments)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            while True:
                how, value = await call.outcome.get()
                if how == "error":
                    raise value
                if how == "part" or value is not None:
                    yield value
                if how == "done":
                    return
        finally:
            call.left = True
            if self._running is call and self._process:
                _send(self._process, pickle.dumps(("stop", call.number)))

    def _ask(self, urgency: int, name: str, *arguments: Any) -> _Call:
        call = _Call(next(self._numbers), name, arguments)
        heapq.heappush(self._waiting, (urgency, call.number, call))
        return call

    @property
    def pid(self) -> int | None:
        """The number of the process, if it runs."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """End the process. Nothing is done from here on."""
        self._ended = True
        self._kill()

    def _kill(self) -> None:
        """End the process, and close its pipes; the one that is being read closes when there is no more to read."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
            for pipe in (process.stdin, *(() if self._running else (process.stdout,))):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()

    async def _run(self) -> None:
        """Do what waits, and then see whether the process makes room for another."""
        await self._work()
        spare = self._recycled and not self._stale and not self._ended
        if spare and self._process and _memory_of(self._process) > MAX_MEMORY:
            self._kill()
            self.start()
            if self._pack:
                self._ask(SHELF, "spine", self._pack)
                await self._work()

    async def _work(self) -> None:
        """Do what waits, one call after the other."""
        while self._waiting and not self._ended:
            call = heapq.heappop(self._waiting)[2]
            if call.left:
                continue
            self._running = call
            try:
                await self._do(call)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._died(call)
            finally:
                self._running = None

    async def _do(self, call: _Call) -> None:
        call.tries += 1
        process = self._process = self._process or _started()
        _send(process, call.message)
        assert process.stdout is not None
        number, how = -1, ""
        while number != call.number or how == "part":
            number, how, value = await asyncio.to_thread(_received, process.stdout)
            # A call that was stopped at its very end may say so twice.
            if number == call.number:
                if isinstance(value, dict) and "stale" in value:
                    self._pack, self._stale = value["id"], value["stale"]
                call.outcome.put_nowait((how, value))

    def _died(self, call: _Call) -> None:
        """What it was doing is tried again by another process, unless that is what kills it."""
        self._kill()
        if call.tries < TRIES:
            heapq.heappush(self._waiting, (PRINT, call.number, call))
        else:
            why = "The operating system ended this work twice, possibly for lack of memory."
            call.outcome.put_nowait(("error", HackjackError(why)))


def _memory_of(process: subprocess.Popen[bytes]) -> int:
    """Return how many bytes of memory a process holds; 0 where the system does not say."""
    try:
        _, pages, *_ = first_bytes(Path(f"/proc/{process.pid}/statm"), "the memory", 200).split()
    except (HackjackError, ValueError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _received(stream: IO[bytes]) -> Any:
    """Return the next message. Raises EOFError, and closes the stream, when the process has ended."""
    try:
        return pickle.load(stream)
    except (EOFError, OSError, pickle.UnpicklingError):
        stream.close()
        raise


def _send(process: subprocess.Popen[bytes], message: bytes) -> None:
    assert process.stdin is not None
    with suppress(OSError):  # It has died, which the one who reads notices.
        process.stdin.write(message)
        process.stdin.flush()


def _started() -> subprocess.Popen[bytes]:
    """Start a process that does calls. It is in a session of its own: Ctrl-C is for the server, which ends it."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "generator.studio.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )

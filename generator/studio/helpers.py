"""Helper processes: each does one call at a time, the most urgent first, and what nobody waits for is dropped.

The server's own process answers and waits; whatever reads content, draws or counts happens here.
"""

from __future__ import annotations

import asyncio
import heapq
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from threading import Condition, Thread
from typing import Any

from generator.base.errors import HackjackError, UsageError

PRINT, PAGE, LOOK, PICTURE, SHELF = range(5)
"""How urgent calls are, the most urgent first: a print, the first page, what a page says, pictures, the shelf."""
PATIENCE = 5.0
"""Seconds within which a helper ends."""
TRIES = 2
"""So often a call is begun whose process dies under it."""


class _Call:
    """A call that waits or is being done, and what has come of it."""

    def __init__(self, number: int, name: str, arguments: tuple[Any, ...]) -> None:
        self.number = number
        try:
            self.message = pickle.dumps(("do", number, name, arguments))
        except RecursionError as error:
            raise UsageError("This is nested too deeply.") from error
        self.tries, self.left = 0, False
        self.outcome = asyncio.Queue[tuple[str, Any]]()
        self._loop = asyncio.get_running_loop()

    def tell(self, how: str, value: Any) -> None:
        """Hand on what came of it, from the helper's thread."""
        with suppress(RuntimeError):  # The event loop has ended.
            self._loop.call_soon_threadsafe(self.outcome.put_nowait, (how, value))


class Helper:
    """A process, begun with `words`, and the thread that talks to it. Calls are made from one event loop."""

    def __init__(self, name: str, *words: str) -> None:
        self._words = words
        self._numbers = count()
        self._waiting: list[tuple[int, int, _Call]] = []
        self._changed = Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._running: _Call | None = None
        self._ended = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def start(self) -> None:
        """Start the process before the first call: it has much to load."""
        with self._changed, suppress(OSError):  # The first call tries again, and tells why not.
            self._process = self._process or _started(*self._words)

    async def do(self, urgency: int, name: str, *arguments: Any) -> Any:
        """Return what a call of the workshop gives. Raises HackjackError."""
        return [None, *[part async for part in self.parts(urgency, name, *arguments)]][-1]

    async def parts(self, urgency: int, name: str, *arguments: Any) -> AsyncIterator[Any]:
        """Yield what a call gives, part by part. Raises HackjackError. Who stops early stops the call."""
        call = _Call(next(self._numbers), name, arguments)
        self._put(urgency, call)
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
            self._leave(call)

    @property
    def pid(self) -> int | None:
        """The number of the process, if it runs."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """End the process. Nothing is done from here on."""
        with self._changed:
            self._ended = True
            self._changed.notify()
            if self._process:
                self._process.kill()
        self._thread.join(PATIENCE)

    def _put(self, urgency: int, call: _Call) -> None:
        with self._changed:
            heapq.heappush(self._waiting, (urgency, call.number, call))
            self._changed.notify()

    def _leave(self, call: _Call) -> None:
        with self._changed:
            call.left = True
            if self._running is call and self._process and self._process.stdin:
                self._send(self._process, pickle.dumps(("stop", call.number)))

    def _run(self) -> None:
        while (call := self._next()) is not None:
            try:
                self._do(call)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._died(call)
            with self._changed:
                self._running = None
        self._clear()

    def _clear(self) -> None:
        """End the process, and close its pipes."""
        with self._changed:
            process, self._process = self._process, None
        if process:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            process.wait()

    def _next(self) -> _Call | None:
        with self._changed:
            while not self._ended:
                while self._waiting:
                    call = heapq.heappop(self._waiting)[2]
                    if not call.left:
                        self._running = call
                        return call
                self._changed.wait()
        return None

    def _do(self, call: _Call) -> None:
        call.tries += 1
        with self._changed:
            process = self._process = self._process or _started(*self._words)
            self._send(process, call.message)
        assert process.stdout is not None
        number, how = -1, ""
        while number != call.number or how == "part":
            number, how, value = pickle.load(process.stdout)
            # A call that was stopped at its very end may say so twice.
            if number == call.number:
                call.tell(how, value)

    def _send(self, process: subprocess.Popen[bytes], message: bytes) -> None:
        assert process.stdin is not None
        with suppress(OSError):  # It has died, which the one who reads notices.
            process.stdin.write(message)
            process.stdin.flush()

    def _died(self, call: _Call) -> None:
        """Start another process; what it was doing is tried again, unless that is what kills it."""
        self._clear()
        with self._changed:
            if self._ended:
                return
            if call.tries < TRIES:
                heapq.heappush(self._waiting, (PRINT, call.number, call))
                return
        call.tell("error", HackjackError("The operating system ended this work twice, possibly for lack of memory."))


def _started(*words: str) -> subprocess.Popen[bytes]:
    """Start a process that does calls. It is in a session of its own: Ctrl-C is for the server, which ends it."""
    return subprocess.Popen(
        [sys.executable, "-m", "generator.studio.worker", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )

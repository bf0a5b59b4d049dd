"""Helpers that are processes: each does what the server asks of it, and makes room for another."""

import heapq
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes
from generator.serve.slow_work import off_thread
from generator.studio.helpers import PRINT, SHELF, Call, Helper

MAX_MEMORY = 110_000_000
"""A process that has nothing to do and holds more bytes than this makes room for another: counting keeps what it made
ready for the next question."""
TRIES = 2
"""So often a call is begun whose process dies under it."""


class HelperProcess(Helper):
    """A process.

    One that is `recycled` makes room for another when it holds much memory. The other reads at once the pack that was
    looked at last, to know it as it was sound; while it is not, there is no other.
    """

    def __init__(self, *, recycled: bool = True) -> None:
        super().__init__()
        self._recycled = recycled
        self._pack, self._stale = "", False
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process before the first call: it has much to load."""
        with suppress(OSError):  # The first call tries again, and tells why not.
            self._process = self._process or _started()

    @property
    def pid(self) -> int | None:
        """The number of the process, if it runs."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """End the process. Nothing is done from here on."""
        super().close()
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
        await super()._run()
        spare = self._recycled and not self._stale and not self._ended
        if spare and self._process and _memory_of(self._process) > MAX_MEMORY:
            self._kill()
            self.start()
            if self._pack:
                self._ask(SHELF, "spine", self._pack)
                await super()._run()

    async def _do(self, call: Call) -> None:
        try:
            message = pickle.dumps(("do", call.number, call.name, call.arguments))
        except RecursionError:
            call.outcome.put_nowait(("error", UsageError("This is nested too deeply.")))
            return
        try:
            await self._done(call, message)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._died(call)

    async def _done(self, call: Call, message: bytes) -> None:
        call.tries += 1
        process = self._process = self._process or _started()
        _send(process, message)
        assert process.stdout is not None
        number, how = -1, ""
        while number != call.number or how == "part":
            number, how, value = await off_thread(_received, process.stdout)
            # A call that was stopped at its very end may say so twice.
            if number == call.number:
                if isinstance(value, dict) and "stale" in value:
                    self._pack, self._stale = value["id"], value["stale"]
                call.outcome.put_nowait((how, value))

    def _stop(self, call: Call) -> None:
        if self._process:
            _send(self._process, pickle.dumps(("stop", call.number)))

    def _died(self, call: Call) -> None:
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

"""A helper's process: does one call after the other for the studio's server, and ends with it.

Messages are pickles through the standard streams: `("do", number, name, arguments)` and `("stop", number)` come in,
`(number, how, value)` goes out, `how` being `part`, `done` or `error`.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from generator.base.errors import HackjackError

TRUST = "--trust"
"""The word that lets packs bring templates of their own."""


class _StopWork(BaseException):
    """Nobody waits for what is being done. It is no Exception: nothing in between takes it for an error."""


class _Desk:
    """The calls of one process: a thread reads them, the main thread does them."""

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading, self._writing = reading, writing
        self._calls = SimpleQueue[tuple[int, str, tuple[Any, ...]]]()
        self._lock = threading.Lock()
        self._running: int | None = None
        self._thread = threading.get_ident()

    def read(self) -> None:
        """Take calls, and stop the one that nobody waits for, until the server is gone."""
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                kind, number, *rest = pickle.load(self._reading)
                if kind == "do":
                    self._calls.put((number, *rest))
                    continue
                with self._lock:
                    if self._running == number:
                        self._running = None
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(
                            ctypes.c_ulong(self._thread), ctypes.py_object(_StopWork)
                        )
        os._exit(0)

    def work(self, calls: Mapping[str, Callable[..., Any]]) -> None:
        """Do calls until the process ends."""
        while True:
            number, name, arguments = self._calls.get()
            try:
                self._do(number, calls[name], arguments)
            except _StopWork:
                self._send(number, "done", None)

    def _do(self, number: int, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        how, value = "done", None
        self._running = number
        try:
            value = call(*arguments)
            if isinstance(value, Iterator):
                for part in value:
                    self._send(number, "part", part)
                value = None
        except HackjackError as error:
            how, value = "error", error
        except Exception as error:
            # Content comes from strangers: whatever we overlooked ends this call and no other.
            how, value = (
                "error",
                HackjackError(f"unforeseen, a fault of hackjack itself: {type(error).__name__}: {error}"),
            )
        finally:
            # From here on nothing is raised that was meant for this call.
            with self._lock:
                self._running = None
        self._send(number, how, value)

    def _send(self, number: int, how: str, value: Any) -> None:
        with suppress(OSError):
            self._writing.write(pickle.dumps((number, how, value)))
            self._writing.flush()


def main() -> None:
    """Serve the process that started this one."""
    # Whatever prints must not get in between the messages.
    writing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    desk = _Desk(sys.stdin.buffer, writing)
    threading.Thread(target=desk.read, name="calls", daemon=True).start()
    from generator.pack import content
    from generator.studio.workshop import Workshop

    content.TRUSTED.set(TRUST in sys.argv)

    desk.work(Workshop().calls())


if __name__ == "__main__":
    main()

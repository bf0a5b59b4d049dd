"""Work that may take long, on a thread that keeps nobody waiting: it can be stopped, and ends with the program.

Threads of a pool cannot be stopped, and Python waits for them when it ends: what counts for a minute would ignore
Ctrl-C for a minute.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar, cast

Result = TypeVar("Result")


class _StopWork(BaseException):
    """What a thread does is wanted no more. It is no Exception: nothing in between takes it for an error."""


class _Job:
    """Work, and whoever waits for it."""

    def __init__(self, work: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work, self._loop, self.outcome = work, loop, loop.create_future()

    def done(self, value: Any = None, error: BaseException | None = None) -> None:
        """Tell how it ended, unless nobody waits any more."""

        def tell() -> None:
            if not self.outcome.done():
                self.outcome.set_exception(error) if error else self.outcome.set_result(value)

        with suppress(RuntimeError):  # The event loop has ended.
            self._loop.call_soon_threadsafe(tell)


class SlowWork:
    """One thread that does one thing after another."""

    def __init__(self, name: str) -> None:
        self._jobs = SimpleQueue[_Job]()
        self._lock = Lock()
        self._running: _Job | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[..., Result], *about: Any) -> Result:
        """Return what the work gives, or raise what it raises. It stops when whoever awaits this is cancelled."""
        job = _Job(lambda: work(*about), asyncio.get_running_loop())
        self._jobs.put(job)
        try:
            return cast(Result, await job.outcome)
        except asyncio.CancelledError:
            self._stop(job)
            raise

    def _stop(self, job: _Job) -> None:
        with self._lock:
            if self._running is job:
                self._running = None
                # The one way to interrupt Python code on another thread: it is raised there before the next step.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(_StopWork)
                )

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            with suppress(_StopWork):
                self._do(job)

    def _do(self, job: _Job) -> None:
        if job.outcome.done():
            return
        self._running = job
        try:
            job.done(job.work())
        except Exception as error:
            job.done(error=error)
        finally:
            # From here on nothing is raised that was meant for this job.
            with self._lock:
                self._running = None

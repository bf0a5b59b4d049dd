"""Work that may take long, on a thread that keeps nobody waiting: it can be stopped, and ends with the program.

Threads of a pool cannot be stopped, and Python waits for them when it ends: what counts for a minute would ignore
Ctrl-C for a minute.
"""

import asyncio
import ctypes
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar, cast

Result = TypeVar("Result")

#: How long a thread may go on after it was told to stop, before it is told again.
SECONDS_BETWEEN_STOPS = 0.1


async def off_thread(work: Callable[..., Result], *about: Any) -> Result:
    """Return what waits for the disk or for another process gives, while others are answered."""
    if sys.platform == "emscripten":  # A page in a browser has no threads.
        return work(*about)
    return await asyncio.to_thread(work, *about)


class Worker:
    """Does work where it is asked for: a page in a browser has no threads."""

    async def do(self, work: Callable[..., Result], *about: Any) -> Result:
        """Return what the work gives, or raise what it raises."""
        return work(*about)

    def close(self) -> None:
        """Let what was begun come to its end."""


class Writer(Worker):
    """One thread that does one thing after another, each to its end."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)

    async def do(self, work: Callable[..., Result], *about: Any) -> Result:
        """Return what the work gives, or raise what it raises. Once begun it goes on whoever waits."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *about)

    def close(self) -> None:
        """Let what was begun come to its end."""
        self._thread.shutdown(wait=True)


class _StopWork(BaseException):
    """What a thread does is wanted no more. It is no Exception: nothing in between takes it for an error."""


@cache
def _stay_silent_about_stops() -> None:
    """Keep Python from printing a stop that was raised in a finalizer, where it ends nothing: it is raised again."""
    report = sys.unraisablehook

    def report_others(unraisable: "sys.UnraisableHookArgs") -> None:
        if unraisable.exc_type is not _StopWork:
            report(unraisable)

    sys.unraisablehook = report_others


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


class SlowWork(Worker):
    """One thread that does one thing after another."""

    def __init__(self, name: str) -> None:
        self._jobs = SimpleQueue[_Job]()
        self._lock = Lock()
        self._running: _Job | None = None
        _stay_silent_about_stops()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[..., Result], *about: Any) -> Result:
        """Return what the work gives, or raise what it raises. It stops when whoever awaits this is cancelled."""
        job = _Job(lambda: work(*about), asyncio.get_running_loop())
        self._jobs.put(job)
        try:
            return cast(Result, await job.outcome)
        except asyncio.CancelledError:
            self._stop(job, asyncio.get_running_loop())
            raise

    def _stop(self, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        """Interrupt the job, again and again until it ends: a finalizer swallows whatever is raised in it."""
        with self._lock:
            if self._running is job:
                # The one way to interrupt Python code on another thread: it is raised there before the next step.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(_StopWork)
                )
                loop.call_later(SECONDS_BETWEEN_STOPS, self._stop, job, loop)

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            with suppress(_StopWork):
                self._do(job)
            self._end()

    def _do(self, job: _Job) -> None:
        self._running = job
        if job.outcome.done():
            return
        try:
            job.done(job.work())
        except Exception as error:
            job.done(error=error)

    def _end(self) -> None:
        """Return when nothing can be raised any more that was meant for the job that ran."""
        ended = False
        while not ended:
            with suppress(_StopWork):
                with self._lock:
                    self._running = None
                ended = True

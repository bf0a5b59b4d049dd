"""Calls that run side by side, in processes that begin with all that this one has loaded, and end with it."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from generator.base.errors import HackjackError

Result = TypeVar("Result")

DEFAULT_JOBS = 4
"""No more than this unless the user asks for it: each takes memory."""
_CALLS: list[Callable[[], Any]] = []
"""The calls, for the processes that are forked of this one."""


def default_jobs() -> int:
    """Return how many calls run at a time if the user says nothing: one for each processor, at most four."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, DEFAULT_JOBS)


def run_in_order(calls: Sequence[Callable[[], Result]], jobs: int) -> Iterator[Result]:
    """Yield each call's result in order; `jobs` of them run at a time. Their errors are raised here.

    Results and errors must be fit for pickle. Where processes cannot be forked safely, the calls run one by one in this
    one. Who stops early, by Ctrl-C too, ends those that run, and each deletes what it has half written.
    """
    # What other threads hold while a process is forked would never be let go of in the new one.
    # They are counted in shared memory, which a bare chroot does not have.
    alone = threading.active_count() == 1 and sys.platform == "linux" and os.access("/dev/shm", os.W_OK)
    if jobs == 1 or len(calls) < 2 or not alone:
        yield from (call() for call in calls)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    _CALLS[:] = calls
    pipe = os.pipe()
    pool = ProcessPoolExecutor(min(jobs, len(calls)), get_context("fork"), _begin, pipe)
    try:
        yield from pool.map(_call, range(len(calls)))
    except BrokenProcessPool:
        raise HackjackError(
            "the operating system ended one of the processes, possibly for lack of memory: try --jobs 1"
        ) from None
    finally:
        for process in active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)
        for end in pipe:
            os.close(end)


def end_with_parent(pipe: int) -> None:
    """End this process, in order, as soon as the other end of a pipe is closed: the parent alone holds it open."""

    def watch() -> None:
        while os.read(pipe, 100):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _begin(reading: int, writing: int) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Ctrl-C is for the process that began all of this; it tells the others, once.
    os.setpgid(0, 0)
    os.close(writing)
    end_with_parent(reading)


def _end(*_: Any) -> None:
    # The pool tells it again as soon as one of the others has ended: nothing may stop this one while it tidies up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)


def _call(number: int) -> Any:
    signal.signal(signal.SIGTERM, _end)
    try:
        return _CALLS[number]()
    except SystemExit:
        # What was half written is deleted by now. The pool would go on with the next call.
        os._exit(1)
    except Exception as error:
        error.add_note(traceback.format_exc())
        error.__cause__ = None
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

"""Calls that run side by side, each in a process of its own, which begins with all that this one has loaded."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from generator.base.errors import HackjackError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

Given = TypeVar("Given")

USUAL_JOBS = 4
"""No more than this unless somebody asks for it: each takes memory."""


def usual_jobs() -> int:
    """How much to do at a time when nobody says: as many as there are processors for us, four at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, USUAL_JOBS)


def in_order(calls: Sequence[Callable[[], Given]], jobs: int) -> Iterator[Given]:
    """What each call gives, in their order; so many of them run at a time. What one raises is raised here.

    What they give or raise must be fit for pickle. Where processes cannot be forked safely, the calls run one by one
    in this one. Whoever stops early, by Ctrl-C too, ends those that run, and each takes away what it has half written.
    """
    # What other threads hold while a process is forked would never be let go of in the new one.
    if jobs == 1 or len(calls) < 2 or sys.platform != "linux" or threading.active_count() > 1:
        yield from (call() for call in calls)
        return
    from multiprocessing.connection import wait

    running: dict[Connection, tuple[int, ForkProcess]] = {}
    answers: dict[int, Given] = {}
    begun = 0
    try:
        for number in range(len(calls)):
            while number not in answers:
                while begun < len(calls) and len(running) < jobs:
                    pipe, process = _started(calls[begun])
                    running[pipe] = begun, process
                    begun += 1
                ended = wait(list(running))
                for pipe in [pipe for pipe in running if pipe in ended]:
                    done, process = running.pop(pipe)
                    answers[done] = _received(pipe, process)
            yield answers.pop(number)
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join()


def _started(call: Callable[[], Given]) -> tuple[Connection, ForkProcess]:
    from multiprocessing import get_context

    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(call, theirs), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _received(pipe: Connection, process: ForkProcess) -> Any:
    """What a process sends at its end. Raises what its call has raised."""
    try:
        answer, error = pipe.recv()
    except EOFError:
        raise HackjackError(
            "the system has ended a part of the work, for want of memory perhaps: try --jobs 1"
        ) from None
    finally:
        pipe.close()
        process.join()
    if error is not None:
        raise error
    return answer


def _run(call: Callable[[], Given], pipe: Connection) -> None:
    """In the new process: make the call, and send what it gives."""
    # Ctrl-C is for the process that began all of this; it tells the others, once.
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # noqa: ARG005
    outcome: tuple[Given | None, Exception | None]
    try:
        outcome = call(), None
    except Exception as error:
        error.add_note(traceback.format_exc())
        outcome = None, error
    pipe.send(outcome)

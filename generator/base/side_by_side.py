"""Calls that run side by side, in a process for each hand, which begins with all that this one has loaded."""

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
    """Return how much to do at a time when nobody says: as many as there are processors for us, four at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, USUAL_JOBS)


def run_in_order(calls: Sequence[Callable[[], Given]], jobs: int) -> Iterator[Given]:
    """Yield each call's result in order; `jobs` of them run at a time. Their errors are raised here.

    What they give or raise must be fit for pickle. Where processes cannot be forked safely, the calls run one by one
    in this one. Whoever stops early, by Ctrl-C too, ends those that run, and each takes away what it has half written.
    """
    # What other threads hold while a process is forked would never be let go of in the new one.
    if jobs == 1 or len(calls) < 2 or sys.platform != "linux" or threading.active_count() > 1:
        yield from (call() for call in calls)
        return
    from multiprocessing.connection import wait

    hands: dict[Connection, ForkProcess] = {}
    working: dict[Connection, int] = {}
    answers: dict[int, Given] = {}
    waiting = iter(range(len(calls)))

    def go_on(pipe: Connection) -> None:
        if (number := next(waiting, None)) is not None:
            working[pipe] = number
            pipe.send(number)

    try:
        for _ in range(min(jobs, len(calls))):
            pipe, process = _hand(calls)
            hands[pipe] = process
            go_on(pipe)
        for number in range(len(calls)):
            while number not in answers:
                ended = wait(list(working))
                for pipe in [pipe for pipe in working if pipe in ended]:
                    answers[working.pop(pipe)] = _received(pipe)
                    go_on(pipe)
            yield answers.pop(number)
    finally:
        for process in hands.values():
            process.terminate()
        for pipe, process in hands.items():
            process.join()
            pipe.close()


def _hand(calls: Sequence[Callable[[], Given]]) -> tuple[Connection, ForkProcess]:
    """Return a process that makes one call after the other: what it has loaded and measured for one serves the next."""
    from multiprocessing import get_context

    context = get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(calls, theirs), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _received(pipe: Connection) -> Any:
    """What a call gives. Raises what it has raised."""
    try:
        answer, error = pipe.recv()
    except (EOFError, OSError):
        raise HackjackError(
            "the operating system ended one of the processes, possibly for lack of memory: try --jobs 1"
        ) from None
    if error is not None:
        raise error
    return answer


def _work(calls: Sequence[Callable[[], Given]], pipe: Connection) -> None:
    """In the new process: make the calls that are asked for, and send what they give."""
    # Ctrl-C is for the process that began all of this; it tells the others, once.
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # noqa: ARG005
    while True:
        outcome: tuple[Given | None, Exception | None]
        try:
            call = calls[pipe.recv()]
        except EOFError:
            return
        try:
            outcome = call(), None
        except Exception as error:
            error.add_note(traceback.format_exc())
            outcome = None, error
        pipe.send(outcome)

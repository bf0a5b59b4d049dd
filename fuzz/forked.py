"""Work in a process of its own that can be killed: a copy of this process, so that nothing is loaded again."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

AGAIN = 0.002
"""Seconds until a process is looked at again."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its status, or minus the signal that ended it. `seconds` are of processor time.

    `memory` is the most that was resident, in bytes. A process that was still there after its time is `hung`.
    """

    status: int
    seconds: float
    memory: int
    hung: bool = False


@dataclass
class Forked:
    """A process at work. `out` and `err` are the files that take what it writes."""

    pid: int
    out: Path
    err: Path

    def kill(self) -> None:
        """End it, and what it has started, with `kill -9`. Nothing happens where it has ended already."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def wait(self, patience: float = 60.0) -> Ended:
        """Wait until it ends; after `patience` seconds it is killed and counts as hung."""
        until, hung = time.monotonic() + patience, False
        while True:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                scale = 1 if sys.platform == "darwin" else 1024
                return Ended(
                    os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * scale, hung
                )
            if not hung and time.monotonic() > until:
                hung = True
                self.kill()
            time.sleep(AGAIN)

    def said(self) -> tuple[str, str]:
        """What it has written to standard output and to standard error."""
        return self.out.read_text("utf-8", "replace"), self.err.read_text("utf-8", "replace")


def forked(work: Callable[[], int], folder: Path, *, name: str = "", largest: int | None = None) -> Forked:
    """Start work in a copy of this process; what it returns is the exit status, 70 for an exception.

    What it writes goes to files in the folder, called by that name. No file may grow beyond `largest` bytes.
    """
    out, err = folder / f"{name}out.txt", folder / f"{name}err.txt"
    for path in (out, err):
        path.write_bytes(b"")
    pid = os.fork()
    if not pid:
        _work(work, out, err, largest)
    with suppress(OSError):
        os.setpgid(pid, pid)
    return Forked(pid, out, err)


def _work(work: Callable[[], int], out: Path, err: Path, largest: int | None) -> NoReturn:
    """In the copy: never returns, whatever happens."""
    status = 70
    try:
        os.setpgid(0, 0)
        for number, path, flags in ((0, Path(os.devnull), os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
            os.dup2(os.open(path, flags | (os.O_APPEND if number else 0)), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        if largest is not None:
            # A limit cuts bytecode off, too, and every later run would read it.
            sys.dont_write_bytecode = True
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
        status = work()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status & 0xFF)

"""Locks and files that hold on every system: POSIX and Windows lock in ways of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
"""Flags for files of bytes that are ours alone."""
_FAR = 1 << 30
"""Windows locks bytes against reading too: the lock is taken on one far behind everything that is written."""


def locker() -> Callable[[int], None]:
    """What takes the lock of an open file, or raises BlockingIOError at once; it goes with the file's last handle."""
    return _lock_on_windows if sys.platform == "win32" else _lock_on_posix


def _lock_on_posix(handle: int) -> None:
    fcntl = import_module("fcntl")
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_on_windows(handle: int) -> None:
    msvcrt = import_module("msvcrt")
    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from error
    finally:
        os.lseek(handle, 0, os.SEEK_SET)


def sync_folder(folder: Path) -> None:
    """Put a new file's name on the disk, where the system lets us; Windows keeps names by itself."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def note(handle: int, text: bytes) -> None:
    """Let a short file say this and nothing else."""
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, text)


def noted(handle: int) -> bytes:
    """The beginning of what a short file says; nothing where it cannot be read."""
    with suppress(OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        return os.read(handle, 20)
    return b""

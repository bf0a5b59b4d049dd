"""Waiting for files to change: their stamps are looked at again and again.

Polling, because there is little to watch. A pack is some ten files, and asking the system for ten stamps takes a few
hundredths of a millisecond; it works alike on every system, on network drives and in containers, where the kernel's
notices of changes do not arrive; and it needs no library with compiled parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Stamp = Mapping[Path, tuple[int, int, int]]
"""For each file that is there: when it was changed, how long it is, and which file it is."""

POLL = 0.04
"""Seconds between two looks."""
PATIENCE = 0.6
"""So many seconds a file may be away while an editor puts a new one in its place."""


def file_stamps(paths: Iterable[Path]) -> Stamp:
    """Return the stamps of those files that are there."""
    stamps = {}
    for path in paths:
        try:
            about = path.stat()
        except (OSError, ValueError):
            continue
        stamps[path] = (about.st_mtime_ns, about.st_size, about.st_ino)
    return stamps


def wait_until_settled(
    seen: Stamp,
    look: Callable[[], Stamp],
    sleep: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Stamp:
    """Wait until something differs from what was seen and then stays as it is; gives the new stamps.

    Editors write a file in several steps, or move a new one into the place of the old. So a change counts once two
    looks agree, and a file that was there and is not counts as gone only after a while.
    """
    while True:
        changed = look()
        while changed == seen:
            sleep(POLL)
            changed = look()
        since = now()
        while changed != seen:
            sleep(POLL)
            again = look()
            away = seen.keys() - again.keys()
            if again == changed and (not away or now() - since >= PATIENCE):
                return again
            changed = again

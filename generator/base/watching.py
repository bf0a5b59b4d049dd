"""Which files have changed: their stamps are looked at again and again.

Polling, because there is little to watch. A pack is some ten files, and asking the system for ten stamps takes a few
hundredths of a millisecond; it works alike on every system, on network drives and in containers, where the kernel's
notices of changes do not arrive; and it needs no library with compiled parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

Stamp = Mapping[Path, tuple[int, int, int]]
"""For each file that is there: when it was changed, how long it is, and which file it is."""


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

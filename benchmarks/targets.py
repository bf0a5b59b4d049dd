"""How long the flagship's deck takes for every target in one call, beside a call for each target.

The single calls are made one after the other, each a process of its own as at a prompt, and so is the one for all.
Both make the same files, in turns. The most memory that any of their processes took is told too, and that of the
largest pictures: 600 dpi on jumbo cards. On two busy processors the one call took half of the time in one process, and
0.37 of it in several, none of which took more than 170 MB. Run: python benchmarks/targets.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from figures import Figure, tell

from generator.layout.targets import targets_by_name

ROUNDS = 3
EVERY = "all"
LARGE = ("--target", "png", "--dpi", "600", "--card", "jumbo", "--jobs", "4", "--only", "AC,2C,3C,4C,5C,6C,7C,8C,9C")

_RUN = """
import resource, sys
from generator.cli import _run
code = _run(sys.argv[1:])
most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(most, file=sys.stderr)
sys.exit(code)
"""


def printed(folder: str, *wishes: str) -> tuple[float, int]:
    """Seconds for one call, and kB of the largest of its processes."""
    call = [sys.executable, "-c", _RUN, "print", "hackjack", "deck", *wishes, "-o", folder]
    begun = time.perf_counter()
    ran = subprocess.run(call, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    return time.perf_counter() - begun, int(ran.stderr.splitlines()[-1])


def figures() -> Iterator[Figure]:
    """The medians of some rounds."""
    alone: list[float] = []
    together: dict[str, list[float]] = {"one job": [], "as many jobs as usual": []}
    most = 0
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            runs = [printed(folder, "--target", name) for name in targets_by_name()]
            alone.append(sum(taken for taken, _ in runs))
        for name, times in together.items():
            with tempfile.TemporaryDirectory() as folder:
                taken, memory = printed(folder, "--target", EVERY, *(("--jobs", "1") if name == "one job" else ()))
            times.append(taken)
            most = max(most, memory) if name != "one job" else most
    with tempfile.TemporaryDirectory() as folder:
        _, large = printed(folder, *LARGE)
    beside = f"{len(targets_by_name())} calls, one for each"
    for name, times in together.items():
        told = f", at most {most // 1000} MB a process, {large // 1000} MB at 600 dpi" if name != "one job" else ""
        yield Figure(f"a deck for every target in one call, {name}{told}", median(times), beside, median(alone))


if __name__ == "__main__":
    tell(figures())

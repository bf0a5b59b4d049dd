"""How fast the resolver starts: a card and an event beside importing its three libraries alone.

Processor time of whole processes, in turns, so that a busy machine slows all alike. Run: python benchmarks/start.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from figures import Figure, tell

ROUNDS = 25
BARE = [sys.executable, "-c", "import click, yaml, msgspec"]
CALLS = ("card hackjack QS", "resolve hackjack hit 17 --cards AS", "table glog madness --roll --seed 7")

COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Where nothing may be kept, every start would compile all modules anew: that is no start that people know."""


def seconds(command: list[str]) -> float:
    """Return the processor time of a process from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=COMPILED)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures() -> Iterator[Figure]:
    """Yield the medians."""
    commands = [BARE, *([sys.executable, "-m", "generator", *call.split()] for call in CALLS)]
    rounds = [[seconds(command) for command in commands] for _ in range(ROUNDS)]
    bare, *ours = (median(times) for times in zip(*rounds, strict=True))
    for call, time in zip(CALLS, ours, strict=True):
        yield Figure(f"`hackjack {call}`, a whole process", time, "importing click, yaml and msgspec", bare)


if __name__ == "__main__":
    tell(figures())

"""How fast the resolver starts: `hackjack card hackjack QS` beside importing its three libraries alone.

Whole processes, in turns, so that a busy machine slows both alike. Run: python benchmarks/start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

from figures import Figure, tell

ROUNDS = 25
CARD = [sys.executable, "-m", "generator", "card", "hackjack", "QS"]
BARE = [sys.executable, "-c", "import click, yaml, msgspec"]

COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Where nothing may be kept, every start would compile all modules anew: that is no start that people know."""


def seconds(command: list[str]) -> float:
    """How long a process takes from start to end."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=COMPILED)
    return time.perf_counter() - begun


def figures() -> Iterator[Figure]:
    """The medians."""
    pairs = [(seconds(CARD), seconds(BARE)) for _ in range(ROUNDS)]
    card, bare = (median(times) for times in zip(*pairs, strict=True))
    yield Figure("`hackjack card hackjack QS`, a whole process", card, "importing click, yaml and msgspec", bare)


if __name__ == "__main__":
    tell(figures())

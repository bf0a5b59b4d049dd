"""Fuzz with atheris: `python fuzz/run.py yaml -max_total_time=60`. More options: libFuzzer's `-help=1`.

Several targets, as in `python fuzz/run.py yaml dice -max_total_time=60`, are fuzzed one after the other, each in a
process of its own, until one finds something; what takes longest, making ready, is then done once.
"""

from __future__ import annotations

import os
import sys
from itertools import takewhile
from pathlib import Path


def main() -> None:
    """Run libFuzzer on the targets that the first arguments name."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed, or not made for this Python: pip install atheris on CPython 3.11 to 3.13")
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    with atheris.instrument_imports(include=["generator"]):
        from fuzz_targets import TARGETS, system
    program, *arguments = sys.argv
    names = list(takewhile(TARGETS.__contains__, arguments))
    if not names:
        sys.exit(f"name what to fuzz: {', '.join(TARGETS)}")
    for place in range(5):
        system(place)
    for name in names:
        # libFuzzer ends the process that it runs in.
        if name is not names[-1] and (child := os.fork()):
            if os.waitpid(child, 0)[1]:
                sys.exit(f"the target {name} was not finished")
            continue
        print(f"fuzzing {name}", file=sys.stderr, flush=True)
        atheris.Setup([program, *arguments[len(names) :]], TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()

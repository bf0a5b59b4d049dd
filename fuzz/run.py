"""Fuzz one target with atheris: `python fuzz/run.py yaml -max_total_time=60`. More options: libFuzzer's `-help=1`."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    """Run libFuzzer on the target that the first argument names."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed, or not made for this Python: pip install atheris on CPython 3.11 to 3.13")
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    with atheris.instrument_imports(include=["generator"]):
        from fuzz_targets import TARGETS, system
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"name what to fuzz: {', '.join(TARGETS)}")
    target = TARGETS[sys.argv.pop(1)]
    for place in range(5):
        system(place)
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""How long the tests take: processor time, the clock, peak memory, and the quick tests that take too long.

Run: python benchmarks/tests.py for README's test command; what else is given goes to pytest, such as `--slow`,
or `-n 0 tests/session/test_play.py` for the tests of one file. Processor time is that of every process a run starts.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
LISTED = ROOT / "tests" / "long_tests.txt"
"""The quick tests that may take more than `LIMIT`, one a line: the test, two hyphens, its promise."""
LIMIT = 0.5
WHERE = "HACKJACK_TIMES_OF_TESTS"
"""The environment variable that names the folder where each process of a run writes its times."""
BACKWARDS = "HACKJACK_TESTS_BACKWARDS"
"""The environment variable with which the last test runs first."""


class Row(NamedTuple):
    """The processor time of one test, seconds; `quick` if README's test command runs it."""

    test: str
    seconds: float
    quick: bool


# --- inside a run ----------------------------------------------------------------------------------------------------


def processor_time() -> float:
    """Return the processor time of this process and of the children that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write down what a test with its fixtures takes; the first test of a file pays for its imports."""
    before = processor_time()
    yield
    quick = not any(item.get_closest_marker(name) for name in ("slow", "weekly"))
    test = re.sub(r"@\w+$", "", item.nodeid)  # pytest-xdist puts the group behind it
    row = Row(test, round(processor_time() - before, 3), quick)
    with (Path(os.environ[WHERE]) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the last test run first where that is asked for."""
    if BACKWARDS in os.environ:
        items.reverse()


# --- around a run ----------------------------------------------------------------------------------------------------


def memory(process: int) -> int:
    """Return the bytes that a process and its descendants hold (Linux), shared pages counted once."""
    folder, total = Path(f"/proc/{process}"), 0
    with contextlib.suppress(OSError):
        for line in (folder / "smaps_rollup").read_text().splitlines():
            total += int(line.split()[1]) * 1024 if line.startswith("Pss:") else 0
        for child in (folder / "task" / str(process) / "children").read_text().split():
            total += memory(int(child))
    return total


def listed() -> set[str]:
    """Return the quick tests that may take long."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    return {line.partition(" -- ")[0].strip() for line in lines if line and not line.startswith("#")}


def too_long(rows: list[Row]) -> list[Row]:
    """Return the quick tests that take more than `LIMIT` and are not listed, the longest first."""
    known = listed()
    over = (row for row in rows if row.quick and row.seconds > LIMIT and row.test not in known)
    return sorted(over, key=lambda row: -row.seconds)


def summary(rows: list[Row], processor: float, clock: float, peak: int) -> Iterator[str]:
    """Yield the lines that are printed: what all tests take together."""
    known = listed()
    quick = [row for row in rows if row.quick]
    inside = [row for row in quick if row.test in known]
    long = sum(row.seconds for row in rows if not row.quick)
    short = sum(row.seconds for row in quick)
    yield f"{len(rows):,} tests: {processor:.0f} s of processor time, {clock:.0f} s by the clock, {peak / 1e9:.2f} GB"
    yield f"  quick tests            {short:8.1f} s, {len(quick):,} of them"
    yield f"    of these listed      {sum(row.seconds for row in inside):8.1f} s, {len(inside)} of them"
    yield f"  slow and weekly tests  {long:8.1f} s, {len(rows) - len(quick):,} of them"
    yield f"  collecting, starting   {processor - short - long:8.1f} s"


def measured(arguments: list[str], **more: str) -> tuple[list[Row], int, int]:
    """Run tests: return what each takes, the peak memory in bytes, and the exit status; `more` for the environment."""
    with tempfile.TemporaryDirectory(prefix="hackjack-times-") as folder:
        command = [sys.executable, "-m", "pytest", "-p", "benchmarks.tests", *arguments]
        peak = 0
        running = subprocess.Popen(command, cwd=ROOT, env={**os.environ, WHERE: folder, **more})
        ended = threading.Thread(target=running.wait)
        ended.start()
        while ended.is_alive():
            peak = max(peak, memory(running.pid))
            ended.join(1)
        lines = [line for path in Path(folder).iterdir() for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(*json.loads(line)) for line in lines], peak, running.returncode


def main(arguments: list[str]) -> int:
    """Run the tests, print where the time goes, and return their exit status."""
    began, before = time.monotonic(), processor_time()
    rows, peak, status = measured(arguments)
    print(*summary(rows, processor_time() - before, time.monotonic() - began, peak), sep="\n")
    if over := too_long(rows):
        # What is loaded or printed once falls on the test that comes first, and a sweep of the memory on any: their
        # files run again, the last test first.
        files = sorted({row.test.partition("::")[0] for row in over})
        again = measured(["-n", "0", "-q", *files], **{BACKWARDS: "1"})[0]
        over = [row for row in too_long(again) if row.test in {each.test for each in over}]
    print(f"{len(over)} quick tests take more than {LIMIT} s and are not in {LISTED.relative_to(ROOT).as_posix()}")
    print(*(f"{row.seconds:7.2f} {row.test}" for row in over), sep="\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

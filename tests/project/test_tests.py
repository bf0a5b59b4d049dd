"""The tests themselves: all are in the table of promises, few are long, and quick runs try few examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from helpers import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

FOLDER = ROOT / "tests"


def test_every_file_of_tests_is_named_with_its_promise() -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## Promises")[2]
    named = set(re.findall(r"`(\w+/test_\w+\.py)`", table))
    assert named == {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/test_*.py")}


def test_forty_quick_tests_may_be_long_each_for_a_promise() -> None:
    lines = (FOLDER / "long_tests.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.partition(" -- ") for line in lines if line and not line.startswith("#")]
    assert len({test for test, *_ in rows}) == len(rows) <= 40
    for test, _, promise in rows:
        file, _, name = test.partition("::")
        assert f"\ndef {name.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), test
        assert promise.strip(), test


@pytest.mark.slow
def test_each_of_the_forty_is_a_quick_test_that_there_is() -> None:
    lines = (FOLDER / "long_tests.txt").read_text(encoding="utf-8").splitlines()
    named = [line.partition(" -- ")[0] for line in lines if line and not line.startswith("#")]
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", *named]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, {line for line in done.stdout.splitlines() if "::" in line}) == (0, {*named})


@pytest.mark.weekly
def test_no_other_quick_test_is_long() -> None:
    command = [sys.executable, "benchmarks/tests.py", "-n", "0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "\n0 quick tests take more than 0.5 s" in done.stdout, done.stdout[-3000:]


@pytest.fixture(scope="module")
def tried(request: pytest.FixtureRequest) -> Iterator[list[int]]:
    """Count the examples of the property below."""
    numbers: list[int] = []
    yield numbers
    whole = request.config.getoption("--slow") or request.config.getoption("--weekly")
    assert len(numbers) == (60 if whole else 20)


@settings(max_examples=60)
@given(number=st.integers())
def test_a_quick_run_tries_twenty_examples(number: int, tried: list[int]) -> None:
    tried.append(number)


def test_tests_of_a_file_run_in_one_worker(request: pytest.FixtureRequest) -> None:
    """What they print, they share. pytest-xdist keeps them together by their ids, which not every pytest lets it do."""
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    assert request.node.nodeid.endswith("" if alone else "@test_tests")

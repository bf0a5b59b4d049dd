"""Options and fixtures of all tests."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

GOLDENS = Path(__file__).parent / "goldens"

# The same examples on every machine and every run: a failure is never a matter of luck.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("steady")

# Whatever runs behind `&` in a script ignores Ctrl-C, and so does all that it starts, unless somebody listens again.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-goldens", action="store_true", help="write the golden files anew, to be read in a diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file, or write that file when asked to."""

    def compare(name: str, text: str) -> None:
        path = GOLDENS / name
        if request.config.getoption("--rewrite-goldens"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path} differs: pytest --rewrite-goldens, then read the diff"

    return compare

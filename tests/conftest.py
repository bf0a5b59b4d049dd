"""Options and fixtures of all tests."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from browsing import Page
    from served import Served

GOLDENS = Path(__file__).parent / "goldens"

# The same examples on every machine and every run: a failure is never a matter of luck. Few are tried in every run.
for name, examples in (("quick", 20), ("slow", 60), ("weekly", 300)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    )

# Some hundred processes are started, and compiling every module anew is half of what they do. Where nothing compiled
# may be kept beside the sources, it is kept in the tests' own folder.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(GOLDENS.parents[1] / ".pytest_cache" / "compiled")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Judging the form of web addresses takes jsonschema a second to load in each worker, and no schema of ours asks for it.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

# The tests' own tables of cases are read by the parser in C.
yaml.safe_load = partial(yaml.load, Loader=yaml.CSafeLoader)

# Whatever runs behind `&` in a script ignores Ctrl-C, and so does all that it starts, unless somebody listens again.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-goldens", action="store_true", help="write the golden files anew, to be read in a diff")
    parser.addoption("--slow", action="store_true", help="run the long tests too")
    parser.addoption("--weekly", action="store_true", help="run all there is: every theme for every target, long fuzz")


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than there are processors: a third of the time goes into waiting for browsers and for disks."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a folder for what its workers share; the workers, which start later, find it there.

    What a print keeps goes there too: nothing is written into the home of the person who runs the tests.
    """
    settings.load_profile(next((name for name in ("weekly", "slow") if config.getoption(f"--{name}")), "quick"))
    if not hasattr(config, "workerinput"):
        os.environ["HACKJACK_TESTS_MADE"] = tempfile.mkdtemp(prefix="hackjack-tests-")
        os.environ["XDG_DATA_HOME"] = str(Path(os.environ["HACKJACK_TESTS_MADE"]) / "data")
        os.environ.pop("HACKJACK_HOME", None)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop("HACKJACK_TESTS_MADE"), ignore_errors=True)


def pytest_collectstart() -> None:
    """Tests are collected by workers alone, and some of them read content while they are."""
    _do_once()


@cache
def _do_once() -> None:
    """Do once what nearly every test would do again: read what ships, count the odds that stand on paper."""
    from helpers import count_once_a_run, load_shipped_packs_once, read_shipped_files_once

    from generator.session import journal_file

    # Nobody cuts the power of the tests; what is killed loses nothing without it either.
    journal_file.SYNCHRONOUS = "OFF"
    read_shipped_files_once()
    load_shipped_packs_once()
    count_once_a_run()


@pytest.fixture(scope="module", autouse=True)
def _forgotten(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep what the tests of a file have printed, drawn and read no longer than they run: it grows to a gigabyte."""
    yield
    import helpers

    helpers._made.clear()
    held = [each for each in vars(request.module).values() if hasattr(each, "cache_clear")]
    ours = [each for each in held if each.__module__ == request.module.__name__]
    for cached in (helpers.chars, helpers.pictures, helpers.reader, *ours):
        cached.cache_clear()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Call a test after its argument where the value is long: every worker sends the ids of all tests."""
    return argname if isinstance(val, str | bytes) and len(val) > 200 else None


LONG = (
    "targets",
    "check",
    "panels",
    "decks",
    "deck_pdf",
    "counter",
    "contrast",
    "hostile",
    "compare",
    "packs",
    "studio",
)
"""Files that take longest. They are begun first, after the browser, so that no worker has one of them in the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long unless asked for. The tests of a file stay together: what they print, they share."""
    left_out = [] if config.getoption("--weekly") else ["weekly"]
    left_out += [] if config.getoption("--weekly") or config.getoption("--slow") else ["slow"]
    dropped = [item for item in items if any(item.get_closest_marker(name) for name in left_out)]
    items[:] = [item for item in items if not any(item.get_closest_marker(name) for name in left_out)]
    config.hook.pytest_deselected(items=dropped)
    if "slow" in left_out:
        _try_few_examples(items)
    for item in items:
        # Long tests may run anywhere, but for those that share a server, or a page that is built, with
        # the other tests of their file.
        anywhere = any(item.iter_markers("slow")) and item.path.parent.name not in ("serve", "studio", "web")
        if not any(item.iter_markers("xdist_group")) and not anywhere:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    items.sort(key=_begun)


EXAMPLES = 20
"""So many does a quick run try of what Hypothesis makes up; `--slow` tries all that a test asks for."""


def _try_few_examples(items: list[pytest.Item]) -> None:
    for item in items:
        made_up = getattr(item, "obj", None)
        chosen = getattr(made_up, "_hypothesis_internal_use_settings", None)
        if chosen is not None and chosen.max_examples > EXAMPLES:
            made_up._hypothesis_internal_use_settings = settings(chosen, max_examples=EXAMPLES)


def _begun(item: pytest.Item) -> int:
    """When a test's turn is: what one browser does, long files, the others, and what may run anywhere last."""
    if any(mark.args == ("browser",) for mark in item.iter_markers("xdist_group")):
        return -1
    if not any(item.iter_markers("xdist_group")):
        return len(LONG) + 1
    name = item.path.stem.removeprefix("test_")
    return LONG.index(name) if name in LONG else len(LONG)


@pytest.fixture(autouse=True, scope="session")
def steps_change_what_they_say() -> None:
    """A step that changes what its type does not say is an error, in whatever test it is played."""
    from declared import watch

    watch()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for campaigns with nothing in it, and nothing on standard input."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path / "home" / "campaigns"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a home for campaigns and packs beside what a test writes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file, or write that file when asked to."""

    def compare(name: str, text: str) -> None:
        path = GOLDENS / name
        if request.config.getoption("--rewrite-goldens"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path} differs: pytest --rewrite-goldens, then read the diff"

    return compare


# What these need is imported when they are: a run without the browser's tests never loads a browser or a server.


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for a whole run, for it takes long to begin."""
    from browsing import browsing

    with browsing(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page that needs no installation; `HACKJACK_BUILT` names one that is there already."""
    if ready := os.environ.get("HACKJACK_BUILT"):
        return Path(ready)
    # Several workers may want it: the first one builds it beside their own folders, the others wait.
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    folder = (tmp_path_factory.getbasetemp() if alone else tmp_path_factory.getbasetemp().parent) / "built"
    try:
        folder.mkdir()
    except FileExistsError:
        end = time.monotonic() + 300
        while not (folder / "ready").exists():
            assert time.monotonic() < end, "the page was not built"
            time.sleep(0.5)
        return folder
    subprocess.run([sys.executable, "web/build.py", str(folder)], cwd=GOLDENS.parents[1], check=True)
    (folder / "ready").touch()
    return folder


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """The browser with one empty window."""
    from browsing import one_window

    with one_window(browser) as page:
        yield page


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Served]:
    """A table that is served: Bryn, who is down, and Cara."""
    from helpers import hackjack
    from served import serving

    with serving(tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5"]) as served:
        assert served.gm.do("hit", "bryn", "9", "10C", "dice", "3")[0] == 200
        yield served

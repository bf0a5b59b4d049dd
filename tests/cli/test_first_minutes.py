"""The first minutes: `hackjack` alone, quiet calls, and what is shown while somebody waits."""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import Ran, run

from generator import cli
from generator.cli import terminal
from generator.cli.studio_ import FIRST


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home and a folder for what is temporary, in which nothing may stay; and nobody who types."""
    for name in ("home", "temporary", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path / "here")


def left_behind(tmp_path: Path) -> list[Path]:
    return [path for path in tmp_path.rglob("*") if path.parent != tmp_path]


def at_terminal(monkeypatch: pytest.MonkeyPatch, *lines: str | None, call: tuple[str, ...] = ()) -> Ran:
    """What is shown where these lines are typed; None is Ctrl-D, and so is the end."""
    waiting = iter(lines)

    def answer(question: str = "") -> str:
        line = next(waiting, None)
        if line is None:
            raise EOFError
        print(question + line)
        return line

    out, err = Terminal(), Terminal()
    with monkeypatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(builtins, "input", answer)
        patch.setattr(sys, "stdin", Terminal())
        code = cli._run(list(call))
    return Ran(code, out.getvalue(), err.getvalue())


# --- `hackjack` alone ------------------------------------------------------------------------------------------------


def test_hackjack_alone_opens_the_studio_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bool] = []
    monkeypatch.setattr("generator.cli.studio_.run", lambda: opened.append(True))
    ran = at_terminal(monkeypatch, call=())
    assert (ran.code, ran.err, opened) == (0, "", [True])
    assert all(call in ran.out for call, _ in FIRST)


# --- quiet, and waiting ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_quiet_call_names_no_files_and_tells_no_notes() -> None:
    for call in (
        "new -q mine --extends",
        "print -q hackjack deck --only QS",
        "check --quiet mine",
        "pack -q mine",
        "play -q add Bryn",
        "play -q chronicle --format md --output told.md",
    ):
        ran = run(*call.split())
        answer = "Bryn: death-score 0" if "add" in call else ""
        assert (ran.code, ran.faults) == (0, []), f"{call}: nothing but warnings"
        assert ran.out.startswith(answer) and bool(ran.out) is bool(answer), call
    for made in ("mine/system.yaml", "mine.zip", "output/hackjack-deck.pdf", "told.md"):
        assert Path(made).is_file()
    assert run("print", "hackjack", "deck", "--only", "QS").out, "the next call is not quiet"


def test_faults_and_answers_are_told_to_quiet_people_too() -> None:
    assert run("new", "mine", "--extends", "-q").code == 0
    Path("mine/deck.yaml").write_text("cards: 3\n", encoding="utf-8")
    ran = run("check", "-q", "mine")
    assert ran.code == 1 and ran.out == ""
    assert ran.faults and ran.faults[0].startswith("mine/deck.yaml:1:")


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """What a terminal shows while something takes many ticks."""
    monkeypatch.setattr(terminal, "TICK", 0.01)

    def shown(first: str, last: str) -> str:
        err, deadline = Terminal(), time.monotonic() + 5
        with contextlib.redirect_stderr(err), terminal.busy(first) as doing:
            for what in (first, last):
                doing(what)
                while f"{cli.printable(what)}: " not in err.getvalue() and time.monotonic() < deadline:
                    time.sleep(0.005)
        return err.getvalue()

    return shown


def test_a_terminal_shows_what_takes_long_and_then_nothing_of_it(waiting: Callable[[str, str], str]) -> None:
    shown = waiting("counting\x1b[2J", "the last page")
    assert "\rcounting\\x1b[2J: 0 s" in shown and "\rthe last page: 0 s" in shown
    *_, blank, end = shown.split("\r")
    assert end == "" and blank.strip() == "" and len(blank) >= len("the last page: 0 s"), "the line is cleared"


def test_what_is_quick_shows_nothing_and_neither_does_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "TICK", 30)
    for stream in (Terminal(), io.StringIO()):
        begun = time.monotonic()
        with contextlib.redirect_stderr(stream), terminal.busy("counting"):
            pass
        assert stream.getvalue() == "" and time.monotonic() - begun < 5, "nobody waits for the clock"

"""Work that is done side by side: the same order, the same sentences, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from helpers import ROOT, Ran, is_running, run, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all is done in one process")

BEGIN = """
import os, sys, time
from functools import partial
from generator.base.errors import *
from generator.base.parallel import run_in_order
"""


def script(text: str) -> subprocess.Popen[str]:
    """A program of its own: what has threads, as this one may, does everything one by one."""
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN + textwrap.dedent(text)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(text: str) -> list[str]:
    """The lines that a program prints."""
    out, err = script(text).communicate(timeout=60)
    assert err == ""
    return out.splitlines()


def test_results_come_in_the_order_of_the_calls(tmp_path: Path) -> None:
    first, second, third, parent = said(f"""
        def call(number):
            if number == 3: open({str(tmp_path / "done")!r}, "w").close()
            while number == 1 and not os.path.exists({str(tmp_path / "done")!r}): time.sleep(.01)
            return number, os.getpid()
        for number, process in run_in_order([partial(call, n) for n in (1, 2, 3)], 2): print(number, process)
        print(0, os.getpid())
    """)
    assert [line.split()[0] for line in (first, second, third)] == ["1", "2", "3"]
    # The second of two hands makes the third call, too.
    assert second.split()[1] == third.split()[1]
    assert len({line.split()[1] for line in (first, second, third, parent)}) == 3


def test_errors_arrive_with_all_that_they_hold() -> None:
    assert said("""
        def fail(error): raise error
        faults = [Problem("a.yaml", 2, 1, "no"), Problem("a.yaml", 3, 1, "nor this")]
        for error in (ContentError(faults), FaceError("QS", "too long"), UsageError("so not"), DiskError("full")):
            try: list(run_in_order([int, partial(fail, error)], 2))
            except HackjackError as found:
                held = {name: value for name, value in vars(found).items() if name != "__notes__"}
                print(type(found).__name__, held == vars(error), found)
        try: list(run_in_order([int, partial(fail, ZeroDivisionError("odd"))], 2))
        except ZeroDivisionError as found: print(found, "in fail" in found.__notes__[0])
    """) == [
        "ContentError True a.yaml:2:1: no",
        "a.yaml:3:1: nor this",
        "FaceError True QS: too long",
        "UsageError True so not",
        "DiskError True full",
        "odd True",
    ]


@pytest.mark.slow
def test_a_process_that_the_system_ends_is_a_sentence() -> None:
    (line,) = said("""
        try: list(run_in_order([int, lambda: os.kill(os.getpid(), 9)], 2))
        except HackjackError as found: print(found)
    """)
    assert line == "the operating system ended one of the processes, possibly for lack of memory: try --jobs 1"


def test_one_job_and_threads_are_done_in_this_process() -> None:
    assert said("""
        import threading
        calls = [os.getpid] * 3
        print({*run_in_order(calls, 1)} == {os.getpid()}, {*run_in_order(calls[:1], 4)} == {os.getpid()})
        end = threading.Event()
        threading.Thread(target=end.wait).start()
        print({*run_in_order(calls, 4)} == {os.getpid()})
        end.set()
    """) == ["True True", "True"]


def test_without_shared_memory_all_is_done_in_this_process() -> None:
    assert said("""
        os.access = lambda path, mode: False
        print({*run_in_order([os.getpid] * 3, 4)} == {os.getpid()})
    """) == ["True"]


# --- prints ----------------------------------------------------------------------------------------------------------


def printed_apart(*call: str) -> Ran:
    """A print in a process of its own, which may begin others, into `out` in the present folder."""
    command = [sys.executable, "-m", "generator", "print", *call, "--jobs", "4", "-o", "out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def printed(*call: str) -> tuple[Ran, dict[Path, bytes]]:
    """The same one by one, and its files."""
    shutil.rmtree("out", ignore_errors=True)
    ran = run("print", *call, "--jobs", "1", "-o", "out")
    return ran, {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_print_is_the_same_with_any_number_of_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = ("hackjack", "deck", "box", "tokens", "--only", "QS", "--paper", "letter")
    four = printed_apart(*call)
    made = {path: path.read_bytes() for path in Path("out").iterdir()}
    assert (four, made) == printed(*call)
    lines = [f"out/hackjack-{name}.pdf\n" for name in ("deck", "box", "tokens")]
    assert four == Ran(0, "".join(lines), "")
    assert run("print", *call, "--jobs", "0").code == 2


def test_what_cannot_be_printed_is_told_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sets = ("initiative", "actions", "piles")
    four = printed_apart("fiftytwo", *sets, "--card", "300x200")
    assert (four, {}) == printed("fiftytwo", *sets, "--card", "300x200")
    assert (four.code, [line.split(":")[0] for line in four.faults]) == (1, [f"fiftytwo {name}" for name in sets])


@pytest.mark.slow
def test_what_is_missing_for_want_of_a_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out/hackjack-tokens.pdf").mkdir(parents=True)
    four = printed_apart("hackjack", "deck", "tokens", "box", "--only", "QS")
    why = "out/hackjack-tokens.pdf: cannot be written: Is a directory\n"
    assert four == Ran(1, "out/hackjack-deck.pdf\nout/hackjack-box.pdf\n", why)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 143), (signal.SIGKILL, -9)]
)
def test_a_print_that_is_ended_takes_all_its_half_files_away(number: int, code: int, tmp_path: Path) -> None:
    printing = script(f"""
        from generator.cli import main
        begun, sync, unlink = os.getpid(), os.fsync, os.unlink
        def slow(file):
            if os.getpid() == begun: return sync(file)
            os.write(1, b"half " + str(os.getpid()).encode() + b"\\n")
            time.sleep(600)
        def unlink_slowly(path):
            time.sleep(0.5)  # meanwhile the pool tells everybody once more to end
            unlink(path)
        os.fsync, os.unlink = slow, unlink_slowly
        main(["print", "hackjack", "deck", "tokens", "box", "--only", "QS", "--jobs", "2", "-o", {str(tmp_path)!r}])
    """)
    assert printing.stdout is not None
    assert printing.stdout.readline() == f"{tmp_path}/hackjack-deck.pdf\n"
    others = [int(printing.stdout.readline().split()[1]) for _ in range(2)]
    assert len(list(tmp_path.iterdir())) == 3
    printing.send_signal(number)
    _, err = printing.communicate(timeout=60)
    assert (printing.returncode, err.strip()) == (code, "" if code < 0 else "stopped")
    # Who is killed tells nobody: the others notice that its end of their pipe is closed.
    wait_until(lambda: not any(map(is_running, others)))
    assert [path.name for path in tmp_path.iterdir()] == ["hackjack-deck.pdf"]

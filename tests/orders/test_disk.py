"""A disk that says no, a folder that takes nothing, a print that is ended: one line, and every old file as it was."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run

from generator import cli
from generator.base import files

OLD = b"the old file"
PRODUCTS = {
    ("deck",): "hackjack-deck.pdf",
    ("sheet",): "hackjack-sheet.pdf",
    ("deck", "--format", "md"): "hackjack-deck.md",
    ("deck", "--target", "png", "--dpi", "36", "--only", "QS", "--backs", "none"): "hackjack-deck-png/QS.png",
}


def prepared(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(OLD)
    return path


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("words", PRODUCTS, ids=" ".join)
@pytest.mark.parametrize(
    ("call", "number", "says"),
    [
        ("fsync", errno.ENOSPC, "No space left on device"),
        ("fsync", errno.EDQUOT, "Disk quota exceeded"),
        ("fsync", errno.EIO, "Input/output error"),
        ("replace", errno.EACCES, "Permission denied: if another program shows it, close it there"),
    ],
)
def test_the_old_file_stays(
    call: str, number: int, says: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = prepared(tmp_path, PRODUCTS[words])

    def no(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os if call == "fsync" else Path, call, no)
    ran = run("print", "hackjack", *words, "-o", tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == [f"{path}: cannot be written: {says}"]
    assert path.read_bytes() == OLD
    assert files_in(tmp_path) == [path]


def child(arguments: list[str], folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", *arguments]
    # A limit on files cuts bytecode off, too, and every later run would read it.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, **options)


def small_files() -> None:
    """No file may grow beyond 20 kB: what a full disk does in the middle of a write."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_disk_that_is_full_in_the_middle_of_a_file(tmp_path: Path) -> None:
    path = prepared(tmp_path, "hackjack-deck.pdf")
    done = child(["print", "hackjack", "deck", "-o", "."], tmp_path, preexec_fn=small_files)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == ["hackjack-deck.pdf: cannot be written: File too large"]
    assert path.read_bytes() == OLD
    assert files_in(tmp_path) == [path]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["list", "card hackjack QS", "resolve hackjack hit 3 --seed 1"])
def test_an_output_that_is_full(words: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "generator", *words.split()]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "the output cannot be written: No space left on device\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="streams of POSIX shells")
@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&-"])
def test_a_stream_that_is_closed_is_no_fault(closed: str, tmp_path: Path) -> None:
    calls = ("check glog", "odds glog hit 9", "print glog reference", "play add Bryn", "play note kept", "play show")
    program = f"{sys.executable} -m generator"
    line = " && ".join(f"{program} {call} {closed}" for call in calls)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HACKJACK_HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    told = subprocess.run(
        ["bash", "-c", f"{program} play chronicle"], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert told.stdout.count(b"kept") == 1


def test_bytes_that_are_no_text_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    assert run("play", "add", "Bryn").code == 0
    ran = run("play", "note", "a\udcff")
    assert (ran.code, ran.err) == (
        2,
        "'a\\udcff' is not UTF-8 text. Type it again, or change the terminal's encoding.\n",
    )


def test_an_end_of_file_that_no_prompt_met_is_not_called_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_off(*_: Any) -> None:
        raise EOFError("marshal data too short")

    monkeypatch.setattr("generator.cli.check_.looked_over", cut_off)
    with pytest.raises(SystemExit) as end:
        cli.main(["check", "glog"])
    assert end.value.code == 70


def a_file(path: Path) -> None:
    path.write_bytes(OLD)


def not_to_be_written(path: Path) -> None:
    path.mkdir()
    path.chmod(0o555)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (a_file, "out is a file: name a folder"),
        pytest.param(
            not_to_be_written,
            "out/hackjack-reference.pdf: cannot be written: Permission denied",
            marks=pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere"),
        ),
    ],
)
def test_a_folder_that_takes_nothing(
    make: Callable[[Path], None], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "out")
    ran = run("print", "hackjack", "reference", "-o", "out")
    assert (ran.code, ran.out, len(ran.faults)) == (1, "", 1)
    assert ran.err.startswith(says)
    assert len(files_in(tmp_path)) == (make is a_file)


def test_a_read_only_folder_as_everybody_but_root_meets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    def no(*_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "mkstemp", no)
    ran = run("print", "hackjack", "reference", "-o", tmp_path / "out")
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == [f"{tmp_path}/out/hackjack-reference.pdf: cannot be written: Read-only file system"]


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "hackjack-reference.pdf").mkdir()
    ran = run("print", "hackjack", "reference", "-o", tmp_path)
    assert (ran.code, ran.out, len(ran.faults)) == (1, "", 1)
    assert "hackjack-reference.pdf: cannot be written: " in ran.err
    assert files_in(tmp_path) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_print_that_is_ended_takes_its_half_file_away(number: int, code: int, tmp_path: Path) -> None:
    path = prepared(tmp_path, "hackjack-deck.pdf")
    script = (
        "import os, sys, time\n"
        "from generator.cli import main\n"
        "def slow(_):\n"
        "    print('half', flush=True)\n"
        "    time.sleep(60)\n"
        "os.fsync = slow\n"
        "main(['print', 'hackjack', 'deck', '-o', '.'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as printing:
        assert printing.stdout is not None
        assert printing.stderr is not None
        assert printing.stdout.readline() == "half\n"
        assert len(files_in(tmp_path)) == 2
        printing.send_signal(number)
        assert printing.wait(20) == code
        assert printing.stderr.read().strip() == "stopped"
    assert path.read_bytes() == OLD
    assert files_in(tmp_path) == [path]


def test_what_a_killed_print_left_is_swept_up_by_the_next_one(tmp_path: Path) -> None:
    left = tmp_path / ".hackjack-reference.pdf.a1b2c3d4"
    fresh = tmp_path / ".hackjack-reference.pdf.e5f6g7h8"
    others = [tmp_path / ".hackjack-deck.pdf.a1b2c3d4", tmp_path / "notes.txt", tmp_path / ".hackjack-reference.pdf.x"]
    for path in (left, fresh, *others):
        path.write_bytes(OLD)
    long_ago = time.time() - files.LEFT_OVER - 60
    for path in (left, *others):
        os.utime(path, (long_ago, long_ago))
    assert run("print", "hackjack", "reference", "-o", tmp_path).code == 0
    assert files_in(tmp_path) == sorted([tmp_path / "hackjack-reference.pdf", fresh, *others])

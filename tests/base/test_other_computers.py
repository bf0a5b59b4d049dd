"""What Windows and macOS lack is taken away here: modules, functions, names of files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT

from generator.base.files import is_device

MODULES = ("fcntl", "termios", "tty", "pty", "resource", "readline", "pwd", "grp")
FUNCTIONS = ("fork", "geteuid", "getuid", "mkfifo", "sched_getaffinity", "getloadavg", "O_CLOEXEC")

WINDOWS = f"""
import asyncio, multiprocessing, os, signal, socket, subprocess, sys, tempfile, types
import click, msgspec, PIL.Image, pypdfium2, reportlab.pdfgen.canvas, yaml
for name in {MODULES}:
    sys.modules[name] = None
for name in {FUNCTIONS}:
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGALRM", "SIGUSR1", "SIGPIPE", "SIGQUIT"):
    delattr(signal, name)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda handle, mode, count: None)
sys.platform = "win32"
from generator.cli import main
main(sys.argv[1:])
"""


def on_windows(*words: str | Path, cwd: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """A command without what Windows lacks, as far as a process of this system can do without."""
    home = {
        "HACKJACK_HOME": str(cwd / "home"),
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "cp1252",
        "PYTHONUTF8": "0",
    }
    return subprocess.run(
        [sys.executable, "-c", WINDOWS, *map(str, words)],
        cwd=cwd,
        env={**os.environ, **home},
        input=typed,
        capture_output=True,
        encoding="cp1252",
        check=False,
    )


EVENING = (
    ("check keen", "keen: sound"),
    ("table hackjack recovery", "trauma 1  d6 days"),
    ("resolve hackjack hit 9 --cards 3C", "3C"),
    ("odds glog hit 3", "slain"),
    ("print hackjack deck sheet --only QS", "hackjack-sheet.pdf"),
    ("print hackjack deck --only QS --target png --dpi 50 --jobs 2", "QS.png"),
    ("play add bryn", "bryn"),
    ("play", "bryn"),
    ("new mine --extends", "mine"),
    ("pack mine", "mine.zip"),
)


@pytest.mark.slow
def test_an_evening_without_what_windows_lacks(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "examples" / "keen", tmp_path / "keen")
    for call, says in EVENING:
        ran = on_windows(*call.split(), cwd=tmp_path, typed="show\nquit\n")
        assert ran.returncode == 0, f"{call}: {ran.stderr}"
        assert says in ran.stdout + ran.stderr, call


def test_every_file_may_lie_on_any_disk() -> None:
    folders = ("content", "templates", "generator", "docs", "tests", "fuzz", "benchmarks", ".ci")
    files = [
        path.relative_to(ROOT)
        for name in folders
        for path in (ROOT / name).rglob("*")
        if "__pycache__" not in str(path)
    ]
    assert len(files) > 400
    for path in files:
        assert not re.search(r'[<>:"|?*\\\x00-\x1f]', path.as_posix()), path
        assert not any(is_device(part) or part.endswith((".", " ")) for part in path.parts), path
        assert len(path.as_posix()) < 120, path
    names = [path.as_posix().casefold() for path in files]
    assert len(set(names)) == len(names), "no two names differ by case alone"


@pytest.mark.parametrize("name", ["nul", "CON.png", "com1", "Lpt9.tar.gz"])
def test_names_of_devices(name: str) -> None:
    assert is_device(name)
    assert not is_device(f"{name[:2]}x")

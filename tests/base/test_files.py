"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import ROOT, deck_pdf

from generator.base.errors import HackjackError
from generator.base.files import data_root, written_whole

OLD = b"the old file"


def test_a_file_is_written_with_the_rights_of_any_new_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "file.pdf"
    for data in (b"first", b"second, and longer" * 10_000, b""):
        with written_whole(path) as stream:
            stream.write(data)
        assert path.read_bytes() == data
        assert list(path.parent.iterdir()) == [path]
    (tmp_path / "usual").write_bytes(b"")
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("error", [RuntimeError("stop"), KeyboardInterrupt(), HackjackError("no")])
@pytest.mark.parametrize("existed", [True, False])
def test_what_breaks_off_leaves_the_old_file(error: BaseException, existed: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if existed:
        path.write_bytes(OLD)
    with pytest.raises(type(error)), written_whole(path) as stream:
        stream.write(b"half of the new")
        raise error
    assert [found.read_bytes() for found in tmp_path.iterdir()] == ([OLD] if existed else [])


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").write_bytes(OLD)
    (tmp_path / "deck.pdf").mkdir()
    for name, says in (
        ("plain/deck.pdf", "plain is a file: name a folder"),
        ("deck.pdf", "deck.pdf: cannot be written: "),
    ):
        with pytest.raises(HackjackError, match=says), written_whole(tmp_path / name) as stream:
            stream.write(b"x")

    def refused(_: int) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "fsync", refused)
    says = r"plain: cannot be written: Permission denied"
    with pytest.raises(HackjackError, match=says), written_whole(tmp_path / "plain") as stream:
        stream.write(b"x")
    assert (tmp_path / "plain").read_bytes() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deck.pdf", "plain"]


# --- killed --------------------------------------------------------------------------------------------------------

DIES_AT = {
    "before the file is opened": "tempfile.mkstemp",
    "while the file is open": "os.fsync",
    "before it takes its place": "Path.chmod",
    "as it takes its place": "Path.replace",
}
SCRIPT = """
import os, signal, sys, tempfile
from pathlib import Path
from generator.cli import main
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
owner, name = sys.argv[1].split(".")
setattr({"tempfile": tempfile, "os": os, "Path": Path}[owner], name, die)
main(["print", "hackjack", "deck", "-o", "."])
"""


def printing(arguments: list[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.slow
@pytest.mark.parametrize("moment", DIES_AT)
def test_a_print_killed_at_a_bad_moment_leaves_the_old_file(moment: str, tmp_path: Path) -> None:
    assert (data_root(), (ROOT / "templates" / "sizes.yaml").is_file()) == (ROOT, True), "it prints from the checkout"
    path = tmp_path / "hackjack-deck.pdf"
    path.write_bytes(OLD)
    with printing(["-c", SCRIPT, DIES_AT[moment]], tmp_path) as child:
        assert child.wait() == -signal.SIGKILL
    assert path.read_bytes() == OLD


@pytest.mark.slow
def test_a_print_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "hackjack-deck.pdf"
    for step in (1, 5, 7):
        path.write_bytes(OLD)
        with printing(["-m", "generator", "print", "hackjack", "deck", "-o", "."], tmp_path) as child:
            time.sleep(0.06 * step)
            child.kill()
        assert path.read_bytes() in (OLD, deck_pdf())

"""The wheel: what is in it, and that it works in a clean place, away from the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from helpers import ROOT, deck_pdf

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

PARTS = (
    *("generator", "content", "templates", "tests", "fuzz", "benchmarks", "docs"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", ".gitignore"),
    *("constraints.txt", "bom.json"),
)
MAX_BYTES = 1_700_000
"""Of the wheel, with the page's assets."""


def call(*arguments: str | Path, cwd: Path, **environment: str) -> str:
    """Run a program with nothing of ours in its environment; gives what it prints."""
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LANG": "C.UTF-8", **environment}
    done = subprocess.run(
        [str(argument) for argument in arguments], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


def built(kind: str, checkout: Path, out: Path) -> Path:
    """A distribution of that kind, built from a checkout."""
    call(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out, cwd=checkout)
    (found,) = out.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built in a copy of the checkout."""
    return built("wheel", checkout, tmp_path_factory.mktemp("dist"))


def with_pip() -> Path:
    """A Python that has pip: a virtual environment may have been made without."""
    folder = Path(sys.base_prefix) / "bin"
    others = [Path(found) for name in ("python3", "python") if (found := shutil.which(name))]
    for python in (Path(sys.executable), folder / "python3", folder / "python", *others):
        if (
            python.exists()
            and subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
        ):
            return python
    raise AssertionError("no Python here has pip")


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with nothing but the wheel in it."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    call(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    pip = (with_pip(), "-m", "pip", "--disable-pip-version-check", "-q", "--python", folder / "bin" / "python")
    cache = Path.home() / ".cache" / "pip"
    call(*pip, "install", "--no-compile", wheel, cwd=folder.parent, PIP_CACHE_DIR=str(cache))
    return folder / "bin"


def test_the_wheel_holds_code_and_data_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("content", "templates"):
        ours = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert ours
        assert {f"generator/_data/{path.as_posix()}" for path in ours} <= names
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "generator").rglob("*.py")} <= names
    assert wheel.stat().st_size < MAX_BYTES
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"generator"}
    assert not [name for name in names if "test" in name or name.endswith((".pyc", ".pdf"))]


def test_the_wheel_declares_the_pythons_that_were_tried(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        said = archive.read(name).decode()
    assert "Requires-Python: >=3.11" in said
    # Versions before have known holes: SECURITY.md.
    assert "Requires-Dist: jinja2>=3.1.6\n" in said
    assert "Classifier: Programming Language :: Python :: 3.11" in said
    assert "Classifier: License" not in said, "the licence is an expression"


def test_the_sdist_is_the_project_without_tests_and_pictures_and_makes_the_same_wheel(
    checkout: Path, wheel: Path, tmp_path: Path
) -> None:
    sdist = built("sdist", checkout, tmp_path / "dist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    ours = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*") if path.is_file()}
    left_out = ("docs/pictures/", "tests/", "fuzz/", "benchmarks/")
    assert {name for name in ours if not name.startswith(left_out)} - held == set()
    assert not [name for name in held if name.startswith(left_out)]
    assert sdist.stat().st_size < 2 * MAX_BYTES
    assert held - ours == {"PKG-INFO"}
    again = built("wheel", folder, tmp_path / "again")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert set(one.namelist()) == set(other.namelist())


def test_the_wheel_works_from_anywhere(bin_folder: Path, tmp_path: Path) -> None:
    hackjack = bin_folder / "hackjack"
    assert call(hackjack, "list", cwd=tmp_path).startswith("hackjack: Hackjack ")
    assert "hackjack: sound" in call(hackjack, "check", cwd=tmp_path)
    assert call(hackjack, "print", "hackjack", "deck", "-o", "out", cwd=tmp_path) == "out/hackjack-deck.pdf\n"
    assert (tmp_path / "out" / "hackjack-deck.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert call(hackjack, "print", "hackjack", "reference", "-o", "out", cwd=tmp_path) == "out/hackjack-reference.pdf\n"
    assert call(hackjack, "--version", cwd=tmp_path).startswith("hackjack, version ")
    assert "_HACKJACK_COMPLETE" in call(hackjack, cwd=tmp_path, _HACKJACK_COMPLETE="bash_source")
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".local"}


def test_the_installed_program_prints_what_the_checkout_prints(bin_folder: Path, tmp_path: Path) -> None:
    call(bin_folder / "python", "-m", "generator", "print", "hackjack", "deck", "--bare", "-o", tmp_path, cwd=tmp_path)
    assert len((tmp_path / "hackjack-deck.pdf").read_bytes()) == len(deck_pdf(guide=True))

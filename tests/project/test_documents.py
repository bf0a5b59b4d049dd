"""The documents: every command that they show works, and every picture that they show is there."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from helpers import ROOT, Ran, run

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
_BLOCK = re.compile(r"^```(?:sh|console|bash|shell)\s*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_OURS = re.compile(r"^(?:(?:\S*/)?hackjack|python3? -m generator|uv run hackjack)(?=\s|$)")


def command_lines(document: Path) -> list[str]:
    """The lines of a document's shell blocks: prompts and comments gone, continued lines joined, answers left out."""
    found = []
    for block in _BLOCK.findall(document.read_text(encoding="utf-8")):
        lines = block.replace("\\\n", " ").splitlines()
        prompted = [line for line in lines if line.startswith("$ ")]
        for line in prompted or lines:
            bare = line.removeprefix("$ ").strip()
            if bare and not bare.startswith("#"):
                found.append(bare)
    return found


def ours(line: str) -> bool:
    return bool(_OURS.search(line))


def first_of_each_command() -> set[tuple[Path, str]]:
    """Where each command (`list`, `print`, ...) comes first in the documents."""
    found: dict[str, tuple[Path, str]] = {}
    for document in DOCUMENTS:
        for line in filter(ours, command_lines(document)):
            found.setdefault(_OURS.sub("", line).split()[0], (document, line))
    return set(found.values())


def in_a_shell(line: str, folder: Path) -> Ran:
    """A line as somebody types it, with the program of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", re.sub(r"^(uv run |(\S*/)(?=hackjack\b))", "", line)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def page_served(line: str, folder: Path) -> str:
    """The page behind the link that a server prints; it is ended then."""
    command = [sys.executable, "-m", "generator", *shlex.split(_OURS.sub("", line))]
    # Nothing opens a browser where there is no display.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            with urllib.request.urlopen(server.stdout.readline().strip(), timeout=10) as page:
                text: str = page.read().decode()
        finally:
            server.terminate()
    return text


_TITLES = {"serve": "Hackjack", "studio": "Hackjack studio"}
IN_A_SHELL = first_of_each_command()


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_commands_of_a_document_work_one_after_the_other(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command once as a process of its own, as are lines that only a shell understands; the rest in this one."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    # Nothing is looked at but that commands work: what cannot be counted is given up, and played, sooner.
    for line in filter(ours, command_lines(document)):
        if (command := _OURS.sub("", line).split()[0]) in ("serve", "studio"):
            title = _TITLES["studio" if "--preview" in line else command]
            assert f"<title>{title}</title>" in page_served(line, tmp_path), line
            continue
        if (document, line) in IN_A_SHELL or re.search(r"[|<>&;$`*?~]", line):
            ran = in_a_shell(line, tmp_path)
        else:
            ran = run(*shlex.split(_OURS.sub("", line), comments=True))
        assert ran.code == 0, f"{document.name}: {line}\n{ran.err}"


def test_the_readme_shows_the_program_at_work() -> None:
    assert sum(map(ours, command_lines(ROOT / "README.md"))) >= 3


BESIDE_THE_README = ("bash .ci/browser", "mypy")
"""What CI runs besides what a newcomer needs."""


def test_the_readme_installs_and_tests_as_ci_does() -> None:
    lines = command_lines(ROOT / "README.md")
    assert any(re.search(r"pip\b.* install\b|uv tool install|pipx install", line) for line in lines), "how to install"
    tests = [line for line in lines if re.search(r"\bpytest\b|\.ci/run", line)]
    assert tests, "how to test"
    steps = [
        line
        for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith(("#", "set ", "cd ")) and line not in BESIDE_THE_README
    ]
    assert len(steps) >= 3
    if not any(".ci/run" in line for line in tests):
        shown = " ".join(" ".join(lines).replace(" -q ", " ").split())
        for step in steps:
            words = [word for word in shlex.split(step) if word not in ("-q", "--disable-pip-version-check")]
            bare = shown.replace("--disable-pip-version-check ", "").replace("'", "").replace('"', "")
            assert " ".join(words) in bare, f"the README does not run: {step}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_what_a_document_points_to_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    for target in (one or other for one, other in links):
        if not re.match(r"[a-z]+:|#", target):
            assert (document.parent / target.partition("#")[0]).exists(), f"{document.name} points to {target}"
    assert text.startswith(("# ", "<"))


def quoted_odds(document: Path) -> list[tuple[str, list[str]]]:
    """Every question of odds in a document with the answer that stands below it."""
    found: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(document.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *answer = part.rstrip().splitlines()
            if line.startswith("hackjack odds ") and answer:
                found.append((line, answer))
    return found


QUOTED = [(document, *quoted) for document in DOCUMENTS for quoted in quoted_odds(document)]


@pytest.mark.parametrize(("document", "line", "answer"), QUOTED, ids=[line for _, line, _ in QUOTED])
def test_the_odds_that_a_document_prints_are_those_of_the_command(document: Path, line: str, answer: list[str]) -> None:
    del document
    ran = run(*shlex.split(line)[1:])
    assert ran.code == 0, ran.err
    said = [found.rstrip() for found in ran.out.splitlines()]
    places = [said.index(quoted) for quoted in answer if quoted != "..."]
    assert places == sorted(places)


def test_documents_print_odds() -> None:
    assert len(QUOTED) >= 2

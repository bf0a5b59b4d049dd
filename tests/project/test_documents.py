"""The documents: every command that they show works, and every picture that they show is there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from helpers import ROOT, run

from generator.cli import COMMANDS, hackjack

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
_FENCE = re.compile(r"^ *```([^\n]*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\S+\.\w+)[^\n]*\n")
"""The first line of a block that is a file: its name."""
_OURS = re.compile(r"^(?:(?:\S*/)?hackjack|python3? -m generator|uv run hackjack)(?=\s|$)")
SHELLS = ("sh", "console", "bash", "shell", "text", "")
PROGRAMS = ("hackjack", "python", "python3", "pip", "git", "npm", "fvtt", "sudo", "bash", ".", "uvx", "pipx", "mypy")
"""Words that begin a command where a block may be something else."""
NOT_HERE = (
    *("git pull", "npm install", "fvtt package", "sudo apt", "uvx ", "pipx ", "pip install", "pip download"),
    *(". .venv/bin/activate", "python3 -m venv", "bash .ci/browser", "python -m pytest", "python -m sphinx"),
    *("mypy", "hackjack COMMAND", "python benchmarks/", "python fuzz/", "python docs/", "python web/"),
)
"""Commands that need the network, change the machine, or run the tests, and one that stands for any."""


def blocks(document: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the fenced blocks of a document: language, file name (or nothing), text."""
    for info, text in _FENCE.findall(document.read_text(encoding="utf-8")):
        language, _, name = info.strip().partition(" ")
        named = _FILE.match(text)
        yield language, name or (named[1] if named and language not in SHELLS else ""), text


def command_lines(document: Path) -> list[str]:
    """The commands of a document: prompts and comments gone, continued lines joined, answers left out."""
    return [
        line for language, _, text in blocks(document) if language in SHELLS for line in commands_in(language, text)
    ]


def commands_in(language: str, text: str) -> Iterator[str]:
    """Yield the commands of a block."""
    lines = text.replace("\\\n", " ").splitlines()
    prompted = [line for line in lines if line.startswith("$ ")]
    for line in prompted or lines:
        bare = line.removeprefix("$ ").strip()
        is_command = language in ("sh", "bash", "shell") or bool(prompted) or bare.split(" ")[0] in PROGRAMS
        if bare and not bare.startswith("#") and is_command:
            yield bare


def ours(line: str) -> bool:
    return bool(_OURS.search(line))


def page_served(line: str, folder: Path, environment: dict[str, str]) -> str:
    """The page behind the link that a server prints; it is ended then."""
    command = ["bash", "-c", f"{ACTIVATED}; exec {line}"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            with urllib.request.urlopen(server.stdout.readline().strip(), timeout=30) as page:
                text: str = page.read().decode()
        finally:
            server.terminate()
    return text


_TITLES = {"serve": "Hackjack", "studio": "Hackjack studio"}
ACTIVATED = f". {shlex.quote(sys.prefix)}/bin/activate"
"""What a reader types first in a terminal."""


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_a_reader_can_do_all_that_a_document_shows(document: Path, tmp_path: Path) -> None:
    """Files are written and commands typed in their order, in one folder, in the environment of a reader."""
    for name in ("docs", "content", "templates", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = {"HOME": str(tmp_path), "PATH": os.defpath, "LANG": "C.UTF-8"}
    for language, name, text in blocks(document):
        if name:
            path = tmp_path / name
            assert (tmp_path / name.split("/")[0]).exists() or "/" not in name or language == "yaml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for line in commands_in(language, text) if language in SHELLS else ():
            if line.startswith(NOT_HERE):
                continue
            command = _OURS.sub("", line).split()[0] if ours(line) else ""
            if command in _TITLES:
                title = _TITLES["studio" if "--preview" in line else command]
                assert f"<title>{title}</title>" in page_served(line, tmp_path, environment), line
                continue
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", f"{ACTIVATED}; {line}"],
                cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{document.name}: {line}\n{done.stderr}"


def test_the_readme_shows_the_program_at_work() -> None:
    assert sum(map(ours, command_lines(ROOT / "README.md"))) >= 3


def test_the_readme_installs_and_tests_as_ci_does() -> None:
    shown = " && ".join(command_lines(ROOT / "README.md"))
    lines = (
        (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace(" --disable-pip-version-check -q", "").splitlines()
    )
    steps = [line.split(" ||")[0] for line in lines if line.startswith(("python", ". ", "pip ", "bash "))]
    assert len(steps) == 5
    for step in steps:
        assert step in shown, f"the README does not run: {step}"


def options_of(command: click.Command) -> set[str]:
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}


# The options in docs/faults.md are those of a script.
@pytest.mark.parametrize("document", [each for each in DOCUMENTS if each.stem != "faults"], ids=lambda path: path.stem)
def test_commands_and_options_in_its_sentences_exist(document: Path) -> None:
    text = _FENCE.sub("", document.read_text(encoding="utf-8"))
    commands = {name: hackjack.get_command(click.Context(hackjack), name) for name in COMMANDS}
    known = {name: options_of(command) for name, command in commands.items() if command}
    every = set[str]().union(*known.values())
    for code in re.findall(r"`([^`\n]+)`", text):
        words = [*re.findall(r"[^\s=]+", code), ""]
        called = words[1] if words[0] == "hackjack" else ""
        options = {word for word in words if re.fullmatch(r"--[a-z-]+", word)}
        if called and called[0].islower():
            assert called in known, f"{document.name}: {code}"
        if called or words[0].startswith("--"):
            assert options <= known.get(called, every), f"{document.name}: {code}"


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
    for block in (text for language, _, text in blocks(document) if language == "console"):
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

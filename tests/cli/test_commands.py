"""The page of commands is what the commands say of themselves; completion, versions and exit codes are as it tells."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from helpers import ROOT, docs_script, run, run_main

from generator import __version__, cli
from generator.cli import COMMANDS

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return docs_script("make_commands")


def test_the_page_of_commands_is_up_to_date(maker: ModuleType) -> None:
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == maker.page(), "run: python docs/make_commands.py"
    assert [name for name in COMMANDS if f"## hackjack {name}\n" not in written] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_every_option(name: str) -> None:
    ran = run(name, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: hackjack {name}")
    options, _, examples = ran.out.partition("\nOptions:\n")[2].partition("\n  Examples:\n")
    assert "--help" in options
    calls = [line.strip() for line in examples.splitlines()]
    assert len(calls) == 2, "the page of commands shows them, and the tests of documents run them"
    assert all(f"{call} ".startswith(f"hackjack {name} ") for call in calls)
    module = (ROOT / "generator" / "cli" / f"{name}_.py").read_text(encoding="utf-8")
    assert "  -q, --quiet " in options or not re.search(r"\b(note|Manifest)\(", module), "who prints notes can be quiet"
    assert "echo(str(path" not in module, "the name of a file is a note"


def test_help_knows_what_was_meant() -> None:
    ran = run("help", "oods")
    assert (ran.code, ran.out) == (2, "")
    assert ran.faults == ['there is no command "oods": did you mean "odds"?']


def completion(**environment: str) -> str:
    """What a shell that asks `hackjack` for completion is told."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        status, out, errors = run_main("utf-8")
    assert (status, errors) == (0, b"")
    return out.decode()


def test_the_version() -> None:
    assert [run(words).code for words in ("-h", "--help")] == [0, 0]
    assert run("--version").out == f"hackjack, version {__version__}\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("list", 0),
        ("check no/such/pack", 2),
        ("card hackjack 1Z", 2),
        ("no-such-command", 2),
        ("list --no-such-option", 2),
        ("resolve hackjack hit 3", 1),
        ("print hackjack deck -o /dev/null", 1),
        ("resolve hackjack hit 3 --state no-such-file.json --seed 1", 1),
    ],
)
def test_exit_codes(words: str, code: int) -> None:
    status, _, errors = run_main("utf-8", *words.split())
    assert (status, len(errors.splitlines())) == (code, code != 0), errors


# --- completion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(completion(_HACKJACK_COMPLETE=f"{shell}_source"), encoding="utf-8")
    assert "_HACKJACK_COMPLETE" in script.read_text(encoding="utf-8")
    if found := shutil.which(shell):
        assert subprocess.run([found, "-n", script], check=False).returncode == 0
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"_HACKJACK_COMPLETE={shell}_source hackjack" in page


def completed(line: str) -> set[str]:
    """What the tab key offers in bash behind a line."""
    at = str(len(line.split(" ")) - 1)
    out = completion(_HACKJACK_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=at)
    return {offered.partition(",")[2] for offered in out.splitlines()}


def test_the_tab_key_knows_commands_and_options() -> None:
    assert completed("hackjack ") == set(COMMANDS)
    assert completed("hackjack pr") == {"print"}
    assert completed("hackjack print --pa") == {"--paper", "--pack", "--panels"}
    assert completed("hackjack print --suits ") == {"two", "four"}


@pytest.mark.skipif(shutil.which("bash") is None or not (BIN / "hackjack").exists(), reason="bash and hackjack wanted")
def test_bash_completes_for_real() -> None:
    script = (
        'eval "$(_HACKJACK_COMPLETE=bash_source hackjack)"; COMP_WORDS=(hackjack res); COMP_CWORD=1; '
        '_hackjack_completion hackjack res; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["resolve"], done.stderr


@pytest.mark.parametrize("called", [".venv/bin/hackjack", "../here/hackjack", "hackjack"])
def test_commands_that_we_name_can_be_typed(called: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever calls the program by its path is told that path; whoever finds it on the PATH, its name."""
    monkeypatch.setattr(sys, "argv", [str(here / called) if called == "hackjack" else called])
    monkeypatch.setenv("PATH", str(here))
    (here / "hackjack").touch(0o755)
    cli.program_name.cache_clear()
    made = run("new", "ours", "--blank")
    cli.program_name.cache_clear()
    assert f"next: {called} check ours, then {called} serve --preview ours" in made.out

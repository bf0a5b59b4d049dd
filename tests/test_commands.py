"""The page of commands is what the commands say of themselves; completion, versions and exit codes are as it tells."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from helpers import ROOT, run

from generator import __version__
from generator.cli import COMMANDS

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_commands", ROOT / "docs" / "make_commands.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_prints_notes_can_be_quiet(name: str) -> None:
    module = (ROOT / "generator" / "cli" / f"{name}_.py").read_text(encoding="utf-8")
    can_be_quiet = "  -q, --quiet " in run("help", name).out
    assert can_be_quiet or not re.search(r"\b(note|Manifest)\(", module)
    assert "echo(str(path" not in module, "the name of a file is a note"


def test_help_knows_what_was_meant() -> None:
    ran = run("help", "oods")
    assert (ran.code, ran.out) == (2, "")
    assert ran.faults == ['there is no command "oods": did you mean "odds"?']


def program(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", *words]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_the_version() -> None:
    for words in (("--version",), ("-h",), ("--help",)):
        assert program(*words).returncode == 0
    assert program("--version").stdout == f"hackjack, version {__version__}\n"


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
    done = program(*words.split())
    assert done.returncode == code, done
    assert len(done.stderr.splitlines()) == (code != 0)


# --- completion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, tmp_path: Path) -> None:
    done = program(_HACKJACK_COMPLETE=f"{shell}_source")
    assert done.returncode == 0, done.stderr
    assert "_HACKJACK_COMPLETE" in done.stdout
    assert "hackjack" in done.stdout
    script = tmp_path / "completion"
    script.write_text(done.stdout, encoding="utf-8")
    if found := shutil.which(shell):
        assert subprocess.run([found, "-n", script], check=False).returncode == 0
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"_HACKJACK_COMPLETE={shell}_source hackjack" in page


def completed(line: str) -> set[str]:
    """What the tab key offers in bash behind a line."""
    words = line.split(" ")
    done = program(_HACKJACK_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1), _HACKJACK="1")
    assert done.returncode == 0, done.stderr
    return {found.partition(",")[2] for found in done.stdout.splitlines()}


def test_commands_options_and_choices_are_completed() -> None:
    assert completed("hackjack ") == set(COMMANDS)
    assert completed("hackjack pr") == {"print"}
    assert {"--paper", "--pack"} <= completed("hackjack print --pa")
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


def test_what_content_knows_is_completed() -> None:
    assert completed("hackjack print de") == {"deadlands"}
    assert {"hackjack", "glog"} <= completed("hackjack card ")
    assert "deck" in completed("hackjack print hackjack d")
    assert {"l7651", "l7160"} <= completed("hackjack print --target l7")
    assert completed("hackjack print --paper ") == {"a4", "letter"}, "and not all, which is refused"
    assert "poker" in completed("hackjack print --card po")
    assert completed("hackjack help pr") == {"print"}
    assert completed("hackjack resolve glog st") == {"stand", "stabilise"}
    assert "breakdown" in completed("hackjack odds glog b")
    assert completed("hackjack card hackjack Q") == {"QC", "QS", "QD", "QH"}
    assert "fiftytwo" in completed("hackjack play f")
    assert completed("hackjack play fiftytwo mo") == {"moves"}
    assert completed("hackjack new mine --from jack") == {"jackrealms"}
    assert completed("hackjack rules glog --set per") == {"per_injury=", "permanent_injuries="}
    assert completed("hackjack compare jackrealms --with stakes_fall=") == {"stakes_fall=off", "stakes_fall=by_payout"}

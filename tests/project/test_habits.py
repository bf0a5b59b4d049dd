"""What other projects expect of this one: a workflow, hooks, a typed package, a list of versions."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from helpers import ROOT
from packaging.utils import canonicalize_name
from packaging.version import Version

from generator import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
PINNED = {
    canonicalize_name(name): Version(pin)
    for name, pin in re.findall(r"^([\w.-]+)==([\w.]+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
}


@pytest.mark.slow
def test_the_workflow_is_one_that_a_host_accepts() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    workflow = ROOT / ".github" / "workflows" / "ci.yml"
    done = subprocess.run([*command, str(workflow)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_every_python_that_the_package_names() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]["test"]
    matrix = job["strategy"]["matrix"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert matrix["python"] == named
    systems = {*matrix["os"], *(extra["os"] for extra in matrix["include"])}
    assert systems == {"ubuntu-latest", "macos-latest", "windows-latest"}


def test_hooks_start_tools_that_are_installed() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert (ROOT / "generator" / "py.typed").is_file(), "the package says that it is typed"
    for hook in repository["hooks"]:
        python, flag, module, *_ = hook["entry"].split()
        assert (python, flag) == ("python", "-m")
        assert find_spec(module), hook["id"]


VERSIONS = re.findall(r"^## (\d\S+) \((\d{4}-\d{2}-\d{2})\)$", CHANGES, re.M)
"""Every version and its day, as the change log has them."""


def test_the_change_log_begins_with_what_is_unreleased_then_this_version_and_its_day() -> None:
    assert VERSIONS[0][0] == __version__
    assert [day for _, day in VERSIONS] == sorted((day for _, day in VERSIONS), reverse=True)
    first, *others = re.findall(r"^## (.*)$", CHANGES, re.M)
    assert first == "Unreleased"
    assert len(others) == len(VERSIONS), "every version has its day"


def test_a_version_that_an_example_needs_exists() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".yaml")]
    needed = re.findall(r"^needs: \"?([\d.]+)", "\n".join(texts), re.M)
    assert needed
    for version_needed in needed:
        assert [known for known, _ in VERSIONS if f"{known}.".startswith(f"{version_needed}.")], version_needed


def test_the_licence_has_one_holder() -> None:
    (holder,) = re.findall(r"^Copyright \(c\) \d{4} (.+)$", (ROOT / "LICENSE").read_text(encoding="utf-8"), re.M)
    assert f'author = "{holder}"' in (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    assert {author["name"] for author in PROJECT["authors"]} == {holder}


def test_who_has_no_browser_is_told_what_is_missing_and_what_to_type(tmp_path: Path) -> None:
    """An ordinary user with neither Chromium nor npm nor sudo."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "browser", tmp_path / ".ci")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname"):
        (tools / name).symlink_to(str(shutil.which(name)))
    for name, does in (("id", "echo 1000"), ("apt-get", "exit 1")):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(
        [tools / "bash", tmp_path / ".ci" / "browser"],
        env={"PATH": str(tools)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^missing: (.+?)[: ]", done.stdout, re.M) == ["Chromium", "axe-core"]
    assert "as root, apt install chromium chromium-driver" in done.stdout
    assert "as root, apt install npm" in done.stdout


def test_the_pinned_versions_are_those_that_the_tests_ran_with() -> None:
    """The bytes of a PDF are promised for these alone; elsewhere they are only promised to be the same each time."""
    ran = {name: Version(version(name)) for name in PINNED}
    if ran != PINNED:
        pytest.skip(f"other versions are installed: {sorted(name for name in PINNED if ran[name] != PINNED[name])}")

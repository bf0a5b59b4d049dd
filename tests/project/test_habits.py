"""What other projects expect of this one: a workflow, hooks, a typed package, a list of versions."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from importlib.util import find_spec

import pytest
import yaml
from helpers import ROOT
from packaging.utils import canonicalize_name
from packaging.version import Version

from generator import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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


def test_the_change_log_begins_with_this_version_and_its_day() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (\S+) \((\d{4}-\d{2}-\d{2})\)$", text, re.M)
    assert heads[0][0] == __version__
    assert [day for _, day in heads] == sorted((day for _, day in heads), reverse=True)
    assert len(heads) == len(re.findall(r"^## ", text, re.M)), "every version has its day"


def test_the_pinned_versions_are_those_that_the_tests_ran_with() -> None:
    """The bytes of a PDF are promised for these alone; elsewhere they are only promised to be the same each time."""
    ran = {name: Version(version(name)) for name in PINNED}
    if ran != PINNED:
        pytest.skip(f"other versions are installed: {sorted(name for name in PINNED if ran[name] != PINNED[name])}")

"""The benchmarks: what they find is one table, and none is forgotten."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
from helpers import ROOT

FOLDER = ROOT / "benchmarks"
WITHOUT_RATIOS = {"all", "figures", "studio", "serve", "size", "mutants", "tests", "corpus"}
"""These wait for a server or for a file to be saved, or measure us alone: nothing runs beside them."""


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)


def test_a_table_has_times_with_units_and_ratios() -> None:
    figures = import_module("figures")
    deck = figures.Figure("a deck", 0.25, "a bare canvas", 0.1)
    assert list(figures.table([deck, figures.Figure("refused", 12.0), figures.Figure("odds", 3e-5)]))[2:] == [
        "| a deck | 250 ms | a bare canvas | 100 ms | 2.5 |",
        "| refused | 12.0 s |  |  |  |",
        "| odds | 0.03 ms |  |  |  |",
    ]


def test_every_benchmark_with_a_peer_is_in_the_table() -> None:
    parts = import_module("all").PARTS
    assert {path.stem for path in FOLDER.glob("*.py")} == {*parts, *WITHOUT_RATIOS}
    for name in parts:
        assert callable(import_module(name).figures)


@pytest.mark.slow
def test_a_benchmark_runs_alone() -> None:
    command = [sys.executable, "benchmarks/field.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "all moves of a field of 13 x 5: " in done.stdout and "; of 7 x 5: " in done.stdout

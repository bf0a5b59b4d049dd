"""The house: floors, no circles, a fast start, and the tools that judge the code."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT

# A module imports only from lower floors. Floors 0, 2 and 6 have landings, where one thing stands upon another.
FLOORS: dict[str, float] = {
    "generator": 0,
    "errors": 0,
    "values": 0,
    "fields": 0,
    "files": 0.1,
    "locks": 0.1,
    "shelf": 0.15,
    "typed": 0.1,
    "dice": 0.2,
    "cards": 0.2,
    "source": 0.2,
    "blocks": 0.9,
    "combatants": 0.9,
    "procedures": 0.9,
    "filling": 1,
    "pieces": 1,
    "rules": 1,
    "stated": 1.1,
    "hurt": 1.1,
    "chance": 1.1,
    "parts": 1,
    "log": 1,
    "engine": 2,
    "wording": 2,
    "schema": 2,
    "extending": 2,
    "telegraph": 2.1,
    "tabling": 2.2,
    "rolled": 2.2,
    "telling": 2.15,
    "odds": 3,
    "content": 3,
    "faults": 3,
    "injury_checks": 3.1,
    "field_checks": 3.1,
    "sheets": 3,
    "targets": 3.1,
    "simulation": 3.1,
    "games": 3.2,
    "charts": 3.2,
    "founding": 3.2,
    "vocabulary": 3.2,
    "watching": 0.1,
    "apart": 0.1,
    "quoting": 3.25,
    "claims": 3.3,
    "checks": 3.3,
    "trusted": 3.9,
    "faces": 4,
    "cardsets": 4.1,
    "panels": 4.1,
    "paper": 4,
    "preflight": 4,
    "artwork": 3.1,
    "session": 4,
    "products": 5,
    "exports": 5,
    "cli": 6,
    "__main__": 6.1,
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted((ROOT / "generator").rglob("*.py"))}


def room(module: str) -> str:
    """The first name below `generator`: `generator.paper.card` is in the room `paper`."""
    return module.split(".")[1] if "." in module else module


def imports(module: str) -> Iterator[str]:
    """The modules of the house that a module imports, inside functions too."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "generator")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import hides where it leads"
            base = node.module or ""
            if base.split(".")[0] == "generator":
                inner = [f"{base}.{alias.name}" for alias in node.names]
                yield from (name if name in MODULES else base for name in inner)


@pytest.mark.parametrize("module", MODULES)
def test_imports_lead_downstairs(module: str) -> None:
    assert room(module) in FLOORS, f"{module} has no floor: put it on the list"
    for wanted in imports(module):
        if room(wanted) != room(module):
            assert FLOORS[room(wanted)] < FLOORS[room(module)], f"{module} must not import {wanted}"


def test_no_import_goes_round_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join((*way, module))
        if module not in done:
            for wanted in imports(module):
                visit(wanted, (*way, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())
    assert done == set(MODULES)


def test_whatever_is_imported_comes_with_the_program() -> None:
    """No option of `hackjack` may need a package that a plain installation lacks."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {re.split("[<>=!~ ]", line)[0].lower() for line in declared}
    packages = importlib.metadata.packages_distributions()
    wanted = set()
    for path in (ROOT / "generator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                wanted.add(str(node.module).split(".")[0])
    theirs = wanted - sys.stdlib_module_names - {"generator"}
    assert "pikepdf" in theirs
    assert {name for name in theirs if not {found.lower() for found in packages.get(name, [])} & names} == set()


def test_a_card_is_looked_up_without_anything_that_draws() -> None:
    """`hackjack card` is used in the middle of a fight: it loads neither paper nor pictures."""
    script = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from generator.cli import main\n"
        "main(['card', 'hackjack', 'QS'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("QS  ")
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    heavy = {"reportlab", "PIL", "jinja2", "pypdfium2", "hypothesis"}
    drawing = {"generator.paper", "generator.products.deck", "generator.layout.card_layout", "generator.exports.png"}
    # Nor what cards, charts and quoted chances are made of: together they were a fifth of the time.
    drawing |= {
        "generator.layout.card_elements",
        "generator.layout.panel_elements",
        "generator.check.quoted_odds",
        "generator.games",
        "generator.words.chances",
    }
    assert loaded & (heavy | drawing) == set()
    assert {"generator.cli.card_", "generator.words.wording"} <= loaded


def tool(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.xdist_group("tools")
@pytest.mark.parametrize("command", [("check",), ("format", "--check")], ids="-".join)
def test_ruff_is_content(command: tuple[str, ...]) -> None:
    folders = [name for name in ("generator", "tests", "benchmarks", "docs", "fuzz") if (ROOT / name).is_dir()]
    tool("ruff", *command, *folders)


@pytest.mark.xdist_group("tools")
def test_mypy_is_content() -> None:
    tool("mypy")


def test_nothing_is_left_for_later() -> None:
    read = 0
    for folder in ("generator", "content", "templates"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                assert not {word for word in ("TODO", "FIXME") if word in text}, path
                read += 1
    assert read > len(MODULES)

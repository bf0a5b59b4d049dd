"""The house: floors, no circles, a fast start, and the tools that judge the code."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from helpers import ROOT

from generator.games import FOLDERS

ROOMS = tuple(
    re.findall(
        r"^\| `(\w+)` \|",
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| room |")[2].partition("\n\n")[0],
        re.MULTILINE,
    )
)
"""The rooms from the lowest up, as CONTRIBUTING has them: a module imports only from rooms before its own."""

MAX_ROOMS, MAX_ARROWS = 24, 110
MAX_FILE = 500
"""Lines of a file that CONTRIBUTING does not name, and of any class."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted((ROOT / "generator").rglob("*.py"))}


def room(module: str) -> str:
    """The first name below `generator`: `generator.paper.card` is in the room `paper`."""
    return module.split(".")[1] if "." in module else module


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(module: str) -> tuple[str, ...]:
    """The modules of the house that a module imports, inside functions and for its types too."""
    return tuple(_imports(ast.walk(tree_of(MODULES[module]))))


@cache
def imports_that_run(module: str) -> tuple[str, ...]:
    """The modules of the house that a module imports when it runs: those for its types alone are not among them."""
    tree = tree_of(MODULES[module])
    for_types = {
        inner for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }  # fmt: skip
    return tuple(_imports(node for node in ast.walk(tree) if node not in for_types))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "generator")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides where it leads"
            base = node.module or ""
            if base.split(".")[0] == "generator":
                inner = [f"{base}.{alias.name}" for alias in node.names]
                yield from (name if name in MODULES else base for name in inner)


@pytest.mark.slow
def test_imports_lead_downstairs_and_to_the_face_of_a_game() -> None:
    assert imports("generator") == ()
    for module in MODULES.keys() - {"generator"}:
        assert room(module) in ROOMS, f"{module} has no room: add it to the table of CONTRIBUTING.md"
        for wanted in imports(module):
            if room(wanted) not in (room(module), "generator"):
                assert ROOMS.index(room(wanted)) < ROOMS.index(room(module)), f"{module} must not import {wanted}"
            assert game_folder(wanted) in (None, game_folder(module)), f"{module} must ask the face, not {wanted}"


@pytest.mark.slow
def test_the_house_stays_small_enough_to_see() -> None:
    rooms = {room(module) for module in MODULES} - {"generator"}
    assert rooms == set(ROOMS), "the table of CONTRIBUTING.md names every room and no other"
    assert len(rooms) <= MAX_ROOMS
    loose = {path.name for path in (ROOT / "generator").glob("*.py")}
    assert loose == {"__init__.py", "__main__.py"}
    arrows = {(room(module), room(wanted)) for module in MODULES for wanted in imports(module)}
    assert len({(one, other) for one, other in arrows if other not in (one, "generator")}) <= MAX_ARROWS


@pytest.mark.slow
def test_the_size_of_the_house_is_counted_room_by_room() -> None:
    done = subprocess.run([sys.executable, "benchmarks/size.py"], capture_output=True, text=True, check=True, cwd=ROOT)
    head, *rows, whole = (line.replace(",", "").split() for line in done.stdout.splitlines())
    assert head == ["room", "files", "lines", "statements"]
    assert {name.split("/")[0] for name, *_ in rows} == {*ROOMS, "(loose)"} - {"__main__"}
    assert [sum(int(row[place]) for row in rows) for place in (1, 2, 3)] == list(map(int, whole[1:]))
    assert int(whole[1]) == len(MODULES)


def budgets(first_column: str) -> dict[str, int]:
    """The numbers in the last column of a table of CONTRIBUTING."""
    table = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(f"| {first_column} |")[2].partition("\n\n")[0]
    )
    rows = re.findall(r"^\| `([\w/.]+)` \|(?:.*\|)? ([\d,]+) \|$", table, re.MULTILINE)
    return {name: int(number.replace(",", "")) for name, number in rows}


def test_rooms_and_files_keep_to_their_budgets() -> None:
    lines = {
        path.relative_to(ROOT / "generator"): len(path.read_text("utf-8").splitlines()) for path in MODULES.values()
    }
    for name, budget in budgets("room").items():
        count = sum(each for path, each in lines.items() if path.parts[0] == name)
        assert count <= budget, (
            f"{name} has {count:,} lines: shorten it, or raise its budget in CONTRIBUTING.md and say why"
        )
    large = budgets("file")
    for path, count in lines.items():
        budget = large.get(path.as_posix(), MAX_FILE)
        assert count <= budget, f"{path} has {count} lines: part it, or name it in CONTRIBUTING.md and say why"
    assert large.keys() <= {path.as_posix() for path, count in lines.items() if count > MAX_FILE}, "these are short now"


@pytest.mark.slow
def test_no_class_is_too_long_to_be_changed_safely() -> None:
    classes = (node for path in MODULES.values() for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef))
    lines = {each.name: (each.end_lineno or 0) - each.lineno + 1 for each in classes}
    assert {name: count for name, count in lines.items() if count > MAX_FILE} == {}, "part these along their seams"


def test_the_page_keeps_to_its_budget() -> None:
    budget = re.search(r"It has ([\d,]+) lines at most", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    paths = [path for path in (ROOT / "web").rglob("*.*") if path.suffix in (".py", ".js", ".mjs")]
    assert budget and sum(len(path.read_text("utf-8").splitlines()) for path in paths) <= int(
        budget[1].replace(",", "")
    )


def game_folder(module: str) -> str | None:
    """The folder of a game that a module lies in."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["generator", "games"] and parts[2:3] and parts[2] in FOLDERS.values() else None


@pytest.mark.slow
def test_no_import_goes_round_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join((*way, module))
        if module not in done:
            for wanted in imports_that_run(module):
                visit(wanted, (*way, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())
    assert done == set(MODULES)


def test_one_pen_writes_all_text() -> None:
    """What we print is judged by the notes of the pen: text that is written past it would never be looked at."""
    writers = re.compile(r"\b(beginText|textOut|textLines?|draw(Right|Centred)?String)\(")
    paths = (ROOT / "generator").rglob("*.py")
    assert [path.name for path in paths if writers.search(path.read_text(encoding="utf-8"))] == ["pen.py"]


def test_limits_of_a_thousand_or_more_are_written_with_commas() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in MODULES.values()}
    limits: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(_?MAX_\w+) = (.+)", "\n".join(texts.values()), re.MULTILINE):
        limits.setdefault(name, []).append(value)
    large = {name for name, values in limits.items() if all(re.fullmatch(r"\d[\d_]{3,}", each) for each in values)}
    assert large
    bare = [(path.name, name) for path, text in texts.items() for name in re.findall(r"\{(?:\w+\.)?(\w+)\}", text)]
    assert [(file, name) for file, name in bare if name in large] == []


OPENERS = {
    "generator.base.zip_files": "archives, which it unpacks",
    "generator.base.files": "the files of packs and all others",
    "generator.cli.nudges": "the nudge that is kept for a printer",
    "generator.paper.art": "pictures that come with the program",
    "generator.serve.app": "the page, which comes with the program",
}
"""The modules that open a file by its path, and which."""


@pytest.mark.slow
def test_files_are_opened_in_few_places() -> None:
    """What reads another file of a pack calls `files.first_bytes`, which has a limit and a sentence for each fault."""

    def opens(call: ast.AST) -> bool:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name("os" | "Image"))):
                return False
            case ast.Call(func=ast.Attribute(attr="open"), args=[]):
                return True
            case ast.Call(func=ast.Attribute(attr="open"), args=[ast.Constant(str(mode)), *_]):
                return "w" not in mode and "x" not in mode
            case (
                ast.Call(func=ast.Attribute(attr="read_bytes" | "read_text"), args=[]) | ast.Call(func=ast.Name("open"))
            ):
                return True
        return False

    found = {module for module, path in MODULES.items() if any(map(opens, ast.walk(tree_of(path))))}
    assert found == {*OPENERS}


@pytest.mark.slow
def test_whatever_is_imported_comes_with_the_program() -> None:
    """No option of `hackjack` may need a package that a plain installation lacks."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {re.split(r"[<>=!~ \[]", line)[0].lower() for line in declared}
    packages = importlib.metadata.packages_distributions()
    wanted = set()
    for path in (ROOT / "generator").rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Import):
                wanted |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                wanted.add(str(node.module).split(".")[0])
    theirs = wanted - sys.stdlib_module_names - {"generator"}
    assert "pikepdf" in theirs
    found = {name: {each.lower().replace("_", "-") for each in packages.get(name, [name])} for name in theirs}
    assert {name for name in theirs if not found[name] & names} == set()


def loaded_by(*words: str | Path) -> set[str]:
    script = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from generator.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_a_card_is_looked_up_without_anything_that_draws() -> None:
    """`hackjack card` is used in the middle of a fight: it loads neither paper nor pictures."""
    loaded = loaded_by("card", "hackjack", "QS")
    heavy = {"reportlab", "PIL", "jinja2", "pypdfium2", "hypothesis"}
    drawing = {"generator.paper", "generator.products.deck", "generator.layout.card_layout", "generator.orders.png"}
    # Nor what cards, charts and quoted chances are made of: together they were a fifth of the time.
    drawing |= {
        "generator.layout.card_elements",
        "generator.layout.panel_elements",
        "generator.check.quoted_odds",
        "generator.games.steps.game",
        "generator.games.steps.engine",
        "generator.words.chances",
    }
    # What ships is sound, and of its files a card has to do with few.
    judging = {"generator.check", "generator.model.blocks", "generator.model.claims", "generator.model.page"}
    heavy |= {"zipfile", "subprocess", "tempfile", "hashlib"}
    assert loaded & (heavy | drawing | judging) == set()
    assert {"generator.cli.card_", "generator.words.wording"} <= loaded


@pytest.mark.slow
def test_a_deck_is_printed_without_what_only_others_need(tmp_path: Path) -> None:
    loaded = loaded_by("print", "hackjack", "deck", "--only", "QS", "-o", tmp_path)
    others = {"jinja2", "pikepdf", "pypdfium2", "sqlite3", "multiprocessing", "lxml", "html.parser", "http.server"}
    ours = {
        "serve",
        "session",
        "orders.export_files",
        "orders.png",
        "products.panels",
        "products.labels",
        "check.quoted_odds",
    }
    assert loaded & (others | {f"generator.{name}" for name in ours}) == set()
    assert {"generator.paper.card", "generator.products.deck"} <= loaded


@pytest.mark.slow
@pytest.mark.parametrize("command", [("check",), ("format", "--check")], ids="-".join)
def test_ruff_is_content(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "generator", "web", "tests", "benchmarks", "docs", "fuzz"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_is_left_for_later() -> None:
    places = (path for folder in ("generator", "content", "templates") for path in (ROOT / folder).rglob("*"))
    paths = [path for path in places if path.is_file() and path.suffix not in (".pyc", ".ttf")]
    assert len(paths) > len(MODULES)
    for path in paths:
        assert not re.search("TODO|FIXME", path.read_text(encoding="utf-8")), path

"""Do the tests notice a small error in the code? A fixed sample of changed lines, each tried against a few test files.

`--draw PATTERN` draws the sample (seeded, no files that match) into `mutants.yaml`: the file, its line, the changed
line, and the test files that are run against it, chosen by what they mention before anything is run. Without it all of
them are tried on a copy of the project, and those that get away named. `--root DIR` tries the same sample on another
checkout; `--jobs N` runs N at once; `--shard K/N` runs a part.
"""

from __future__ import annotations

import argparse
import ast
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

import yaml

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = Path(__file__).with_suffix(".yaml")
SEED, SIZE = 34, 150
TEST_FILES = 3
"""At most this many test files are run against a mutant."""
HEAVY = (
    *("hostile", "guarded", "compare", "documents", "house", "wheel", "habits", "dependencies", "benchmarks"),
    *("gallery", "endure", "disk", "browser", "page_", "site", "fuzz"),
)
"""Parts of the names of test files that are left out: they judge the repository, start browsers, or take minutes."""
SECONDS = 400
"""A mutant whose tests take longer than this is counted apart: it may hang, or the machine is busy."""

OPERATORS: dict[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is", ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A line of a file, the changed line in its place, and the test files that should notice."""

    file: str
    line: str
    nth: int
    changed: str
    tests: tuple[str, ...]


def changes(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield each possible change of a source: line number (from 0), first and last column, the new text."""
    tree = ast.parse(text)
    lines = text.splitlines()
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        for part in (
            *getattr(node, "decorator_list", ()), getattr(node, "annotation", None), getattr(node, "returns", None)
        )
        if isinstance(part, ast.AST)
        for inner in ast.walk(part)
    }  # fmt: skip

    def between(left: ast.expr, right: ast.expr, new: str) -> Iterator[tuple[int, int, int, str]]:
        if left.end_lineno == right.lineno:
            assert left.end_col_offset is not None
            gap = lines[right.lineno - 1].encode()[left.end_col_offset : right.col_offset].decode()
            word = gap.strip(" ()")
            if word and lines[right.lineno - 1].isascii() and gap.count(word) == 1:
                start = left.end_col_offset + gap.index(word)
                yield right.lineno - 1, start, start + len(word), new

    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
            yield from between(node.left, node.comparators[0], OPERATORS[type(node.ops[0])])
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            yield from between(node.left, node.right, OPERATORS[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            yield from between(node.values[0], node.values[1], OPERATORS[type(node.op)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, int) and lines[node.lineno - 1].isascii():
            new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
            yield node.lineno - 1, node.col_offset, node.end_col_offset or node.col_offset, new
        elif isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp):
            line, start, end = node.test.lineno - 1, node.test.col_offset, node.test.end_col_offset
            if lines[line].isascii() and node.test.end_lineno == node.test.lineno and end is not None:
                yield line, start, end, f"(not {lines[line][start:end]})"


def enclosing_names(text: str, line: int) -> list[str]:
    """Return the names of the functions and classes around a line (from 0)."""
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        and node.lineno <= line + 1 <= (node.end_lineno or 0)
    ]
    return [node.name for node in around]


class Chooser:
    """Chooses test files for a place in the code by the rare words that both mention."""

    def __init__(self, root: Path) -> None:
        files = sorted(
            path for path in (root / "tests").rglob("test_*.py") if not any(part in path.name for part in HEAVY)
        )
        self.words = {
            path.relative_to(root).as_posix(): set(re.findall(r"[A-Za-z]\w{2,}", path.read_text("utf-8")))
            for path in files
        }
        self.common: dict[str, int] = {}
        for words in self.words.values():
            for word in words:
                self.common[word] = self.common.get(word, 0) + 1

    def __call__(self, file: str, text: str, line: int) -> tuple[str, ...]:
        """Return the test files to run against a change of this line."""
        near = enclosing_names(text, line)
        parts = Path(file).with_suffix("").parts[1:]
        tokens = dict.fromkeys(
            (node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)), 1.0
        )
        tokens |= dict.fromkeys(near, 4.0) | dict.fromkeys(parts[-2:], 2.0)
        tokens |= dict.fromkeys(parts[-1].split("_"), 3.0)
        scores = {
            name: sum(
                weight * math.log(len(self.words) / self.common[word])
                for word, weight in tokens.items()
                if word in words
            )
            + sum(6.0 for part in parts for bit in part.split("_") if len(bit) > 3 and bit.rstrip("s") in name)
            for name, words in self.words.items()
        }
        return tuple(sorted(scores, key=lambda name: (-scores[name], name))[:TEST_FILES])


def draw(root: Path, excluded: re.Pattern[str]) -> list[Mutant]:
    """Return a seeded sample of mutants of `generator/`, drawn evenly over all places that can be changed."""
    places = []
    texts = {}
    for path in sorted((root / "generator").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        if excluded.search(file):
            continue
        texts[file] = path.read_text("utf-8")
        places += [(file, *change) for change in changes(texts[file])]
    chooser = Chooser(root)
    found = []
    for file, number, start, end, new in random.Random(SEED).sample(places, SIZE):
        lines = texts[file].splitlines()
        line = lines[number]
        nth = lines[:number].count(line)
        tests = chooser(file, texts[file], number)
        found.append(Mutant(file, line, nth, line[:start] + new + line[end:], tests))
    return found


def applied(text: str, mutant: Mutant) -> str | None:
    """Return the source with the mutant's change, or None if its line is not there any more."""
    lines = text.splitlines()
    at = [number for number, line in enumerate(lines) if line == mutant.line]
    if len(at) <= mutant.nth:
        return None
    lines[at[mutant.nth]] = mutant.changed
    return "\n".join(lines) + "\n"


def copy_project(root: Path, target: Path) -> Path:
    """Copy what tests need of a checkout, and link its environment."""
    left_out = (".git", ".venv", "output", "__pycache__", ".mypy_cache", ".pytest_cache", "node_modules", "site")
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(*left_out))
    (target / "output").mkdir()
    return target


def verdict(root: Path, mutant: Mutant, tests: list[str]) -> str:
    """Return whether a mutant in a copy of the project is "caught", "got away", "too slow" or "gone"."""
    path = root / mutant.file
    if not path.exists():
        return "gone"
    text = path.read_text("utf-8")
    changed = applied(text, mutant)
    if changed is None or not tests:
        return "gone"
    path.write_text(changed, "utf-8")
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        # The long tests are for those that the quick ones let through.
        for more in ((), ("--slow", "-m", "slow")):
            done = subprocess.run([*command, *more], cwd=root, env=environment, timeout=SECONDS, capture_output=True)
            if done.returncode not in (0, 5):
                return "caught"
        return "got away"
    except subprocess.TimeoutExpired:
        return "too slow"
    finally:
        path.write_text(text, "utf-8")


def moved(root: Path, tests: tuple[str, ...]) -> list[str]:
    """Return the test files as they are called now: a file that moved to another folder is found by its name."""
    now = {path.name: path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py")}
    heirs: dict[str, list[str]] = yaml.safe_load(SAMPLE.read_text("utf-8")).get("heirs", {})
    names = [name for test in tests for name in heirs.get(Path(test).name, [Path(test).name])]
    return list(dict.fromkeys(now[name] for name in names if name in now))


def main() -> None:
    """Draw the sample, or try it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", metavar="EXCLUDED", help="draw the sample anew, without files that match a pattern")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shard", default="1/1")
    given = parser.parse_args()
    if given.draw is not None:
        mutants = draw(given.root, re.compile(given.draw or "$^"))
        SAMPLE.write_text(
            yaml.safe_dump(
                {"mutants": [asdict(each) | {"tests": list(each.tests)} for each in mutants]},
                sort_keys=False,
                width=200,
            )
        )
        return
    rows = yaml.safe_load(SAMPLE.read_text("utf-8"))["mutants"]
    mutants = [Mutant(**{**row, "tests": tuple(row["tests"])}) for row in rows]
    part, parts = map(int, given.shard.split("/"))
    tried = list(enumerate(mutants))[part - 1 :: parts]
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(given.jobs):
            copies.put(copy_project(given.root.resolve(), Path(folder) / str(number)))

        def one(entry: tuple[int, Mutant]) -> str:
            number, mutant = entry
            copy = copies.get()
            try:
                found = verdict(copy, mutant, moved(copy, mutant.tests))
            finally:
                copies.put(copy)
            print(
                f"{number:3} {found:9} {mutant.file}: {mutant.line.strip()}  ->  {mutant.changed.strip()}", flush=True
            )
            return found

        with ThreadPoolExecutor(given.jobs) as pool:
            verdicts = list(pool.map(one, tried))
    print({name: verdicts.count(name) for name in ("caught", "got away", "too slow", "gone")})


if __name__ == "__main__":
    main()

"""How big the program is: files, lines and statements of `generator/` by room, and by game.

A statement is one by Python's own grammar, docstrings and imports included; a line is a line, blank or not.
Run: python benchmarks/size.py, or name other folders to count those.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "generator"
GAMES = "games"
"""The room that holds a folder for each game: those get a row each."""
HEADS = ("files", "lines", "statements")
Row = tuple[int, ...]


def room(path: Path, folder: Path) -> str:
    """What a file's row is called: its folder's first part, two parts below `games`."""
    parts = path.relative_to(folder).parts[:-1]
    return "/".join(parts[: 2 if parts[:1] == (GAMES,) else 1])


def counted(folder: Path) -> dict[str, Row]:
    """Files, lines and statements of each room below a folder; loose files have the room ""."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        statements = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(text)))
        row = found.setdefault(room(path, folder), Counter())
        row.update(files=1, lines=len(text.splitlines()), statements=statements)
    return {name: (row["files"], row["lines"], row["statements"]) for name, row in found.items()}


def table(rows: dict[str, Row]) -> str:
    """The rooms, the largest first, and the sum of all."""
    whole = tuple(map(sum, zip(*rows.values(), strict=True)))
    ordered = [*sorted(rows.items(), key=lambda row: -row[1][2]), ("all", whole)]
    lines = ["".join((f"{'room':20}", *(f"{head:>12}" for head in HEADS)))]
    lines += ["".join((f"{name or '(loose)':20}", *(f"{number:>12,}" for number in row))) for name, row in ordered]
    return "\n".join(lines)


def main(folders: list[str]) -> None:
    """Print a table for each folder."""
    for folder in map(Path, folders or [str(PROGRAM)]):
        print(table(counted(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])

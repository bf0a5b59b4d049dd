"""`hackjack check`: every problem in content."""

from __future__ import annotations

from pathlib import Path

import click

from generator import checks, claims, content, sheets
from generator.cli.options import json_option, print_json
from generator.errors import ContentError, Problem


@click.command("check")
@click.argument("names", nargs=-1, metavar="[SYSTEM or PATH]...")
@click.option("--pack", type=click.Path(path_type=Path), metavar="DIR", help="Check the content in DIR.")
@json_option
def command(names: tuple[str, ...], pack: Path | None, as_json: bool) -> int:
    """Find every problem in the systems that ship, or in the packs that are named."""
    folders = [pack] if pack else []
    folders += [_folder(name) for name in names or (() if pack else content.shipped())]
    results = [(folder, _problems(folder), _verdicts(folder)) for folder in folders]
    if as_json:
        print_json({"checked": [_shape(*result) for result in results]})
    else:
        for folder, found, verdicts in results:
            for problem in found:
                click.echo(str(problem), err=True)
            for verdict in verdicts:
                click.echo(f"{folder.name}: claim {verdict.claim.id} {verdict.word}: {verdict.claim.says}")
            if not found:
                click.echo(f"{folder.name}: sound")
    return int(any(found for _, found, _ in results))


def _folder(name: str) -> Path:
    """A system that ships, or a pack's folder; the path of a file in it will do."""
    path = Path(name)
    if name in content.shipped():
        return content.find(name)
    if path.is_file():
        return path.parent
    return path if path.is_dir() else content.find(name)


def _problems(folder: Path) -> tuple[Problem, ...]:
    """Well-formed first, then sound, then printable: each step needs the one before."""
    try:
        pack = content.load(folder)
    except ContentError as error:
        return error.problems
    found = checks.problems(pack.system, pack.marks)
    if not found:
        from generator.cardsets import names_of
        from generator.products import deck, panels

        poker, system = sheets.cards()["poker"], pack.system
        found = tuple(p for name in names_of(system) for p in deck.problems(system, pack.marks, poker, name))
        # A name that cannot be printed on its card cannot be printed on the screen either: say it once.
        found = found or panels.problems(system, pack.marks, sheets.papers())
        found += tuple(claims.problems(pack.system, pack.marks))
    return tuple(sorted(found))


def _verdicts(folder: Path) -> tuple[claims.Verdict, ...]:
    """The claims of a pack that can be read and whose parts fit."""
    try:
        pack = content.load(folder)
    except ContentError:
        return ()
    return () if checks.problems(pack.system, pack.marks) else claims.verdicts(pack.system)


def _shape(folder: Path, found: tuple[Problem, ...], verdicts: tuple[claims.Verdict, ...]) -> dict[str, object]:
    problems = [
        {"file": problem.file, "line": problem.line, "column": problem.column, "message": problem.message}
        for problem in found
    ]
    stated = [
        {
            "id": verdict.claim.id,
            "says": verdict.claim.says,
            "expected": verdict.expected,
            "computed": verdict.computed,
            "verdict": verdict.word,
        }
        for verdict in verdicts
    ]
    return {"pack": str(folder), "sound": not found, "problems": problems, "claims": stated}

"""`hackjack check`: every problem in content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from generator import checks, claims, content, quoting, sheets, shelf
from generator.cli import echo
from generator.cli.options import json_option, print_json, trust_option
from generator.errors import ContentError, Problem


@click.command("check")
@click.argument("names", nargs=-1, metavar="[SYSTEM or PATH]...")
@click.option(
    "--pack", type=click.Path(path_type=Path), metavar="DIR", help="Check the content in DIR, or a pack of yours."
)
@trust_option
@json_option
def command(names: tuple[str, ...], pack: Path | None, as_json: bool) -> int:
    """Find every problem in the systems that ship, or in the packs that are named."""
    folders = [shelf.pack_folder(pack)] if pack else []
    folders += [_folder(name) for name in names or (() if pack else content.shipped())]
    results = [(folder, _problems(folder), _verdicts(folder)) for folder in folders]
    warnings = {folder: () if found else _warnings(folder) for folder, found, _ in results}
    if as_json:
        print_json({"checked": [_shape(*result, warnings[result[0]]) for result in results]})
    else:
        for folder, found, verdicts in results:
            for problem in found:
                echo(str(problem), err=True)
            for problem in warnings[folder]:
                echo(str(replace(problem, message=f"warning: {problem.message}")), err=True)
            for verdict in verdicts:
                echo(f"{folder.name}: claim {verdict.claim.id} {verdict.word}: {verdict.claim.says}")
            if not found:
                echo(f"{folder.name}: sound")
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
        found = found or tuple(problem for problem, forbids in _art(pack) if forbids)
        found = found or tuple(quoting.problems(system, pack.marks))
        # A name that cannot be printed on its card cannot be printed on the screen either: say it once.
        found = found or panels.problems(system, pack.marks, sheets.papers())
        found += tuple(claims.problems(pack.system, pack.marks))
    return tuple(sorted(found))


def _art(pack: content.Pack) -> tuple[tuple[Problem, bool], ...]:
    """What is wrong with the pack's own pictures on poker cards, and whether that forbids printing."""
    from generator.cardsets import names_of
    from generator.products import art, deck

    options = deck.Options(sheets.papers()["a4"], sheets.cards()["poker"])
    found = [
        use
        for name in names_of(pack.system)
        for use in deck.art_uses(pack.system, options, name, bleed=deck.BLEED, checked=True)
    ]
    return art.problems(pack.system, pack.marks, found)


def _warnings(folder: Path) -> tuple[Problem, ...]:
    """What is not as good as it could be in a pack that is sound."""
    return tuple(problem for problem, forbids in _art(content.load(folder)) if not forbids)


def _verdicts(folder: Path) -> tuple[claims.Verdict, ...]:
    """The claims of a pack that can be read and whose parts fit."""
    try:
        pack = content.load(folder)
    except ContentError:
        return ()
    return () if checks.problems(pack.system, pack.marks) else claims.verdicts(pack.system)


def _shape(
    folder: Path, found: tuple[Problem, ...], verdicts: tuple[claims.Verdict, ...], warnings: tuple[Problem, ...]
) -> dict[str, object]:
    problems, coarse = (
        [
            {"file": problem.file, "line": problem.line, "column": problem.column, "message": problem.message}
            for problem in listed
        ]
        for listed in (found, warnings)
    )
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
    warned = {"warnings": coarse} if coarse else {}
    return {"pack": str(folder), "sound": not found, "problems": problems, "claims": stated, **warned}

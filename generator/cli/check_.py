"""`hackjack check`: every fault in content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from generator.base.archives import is_archive
from generator.base.errors import ContentError, HackjackError, Problem, UsageError
from generator.check import claims, deck_checks, quoted_odds
from generator.check import content_checks as checks
from generator.cli import echo, note
from generator.cli import shell_completion as complete
from generator.cli.options import json_option, pack_option, print_json, quiet_option, settings_option, trust_option
from generator.cli.terminal import busy
from generator.games import content_of
from generator.layout import sheets
from generator.pack import content, pack_locations


@click.command("check")
@click.argument("names", nargs=-1, metavar="[SYSTEM or PATH]...", shell_complete=complete.systems)
@pack_option("Check the content in DIR or FILE.zip, or a pack of yours by its name.")
@settings_option
@quiet_option
@trust_option
@json_option
def command(
    names: tuple[str, ...],
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find every fault in the systems that ship, or in the packs that are named."""
    packs = [pack_locations.pack_folders(pack)] if pack else []
    packs += [(_folder(name),) for name in names or (() if pack else content.shipped())]
    if settings and len(packs) != 1:
        raise UsageError("house rules belong to one system: write hackjack check SYSTEM --set NAME=VALUE")
    chosen = content.read_settings(settings)
    results = []
    with busy("checking") as doing:
        for folders in packs:
            doing(f"checking {folders[0].name}")
            results.append((folders[0], looked_over(folders, chosen)))
    if as_json:
        print_json({"checked": [_shape(*result) for result in results]})
        return int(any(looked.problems for _, looked in results))
    for folder, looked in results:
        for problem in looked.problems:
            echo(str(problem), err=True)
        for problem in looked.warnings:
            echo(str(replace(problem, message=f"warning: {problem.message}")), err=True)
        for verdict in looked.verdicts:
            note(f"{folder.absolute().name}: claim {verdict.claim.id} {verdict.word}: {verdict.claim.says}")
        if not looked.problems:
            note(f"{folder.absolute().name}: sound")
    return int(any(looked.problems for _, looked in results))


def _folder(name: str) -> Path:
    """A system that ships, or a pack's folder; the path of a file in it will do."""
    path = Path(name)
    if name in content.shipped():
        return content.find(name)
    if path.is_file() and not is_archive(path):
        return path.parent
    return path if path.exists() else content.find(name)


@dataclass(frozen=True)
class Looked:
    """What there is to say of a pack: its faults, its claims, and what is not as good as it could be."""

    problems: tuple[Problem, ...] = ()
    verdicts: tuple[claims.ClaimVerdict, ...] = ()
    warnings: tuple[Problem, ...] = ()


def looked_over(folders: Sequence[Path], settings: Sequence[content.Setting] = ()) -> Looked:
    """A pack under house rules, looked at in steps. What has no place in a file is a fault of the pack as a whole.

    Raises UsageError for house rules that there are not.
    """
    try:
        pack = content.load_named(folders)
        return _in_steps(pack, settings)
    except ContentError as error:
        return Looked(error.problems)
    except UsageError:
        raise
    except HackjackError as error:
        return Looked((Problem(str(folders[0]), 0, 0, str(error)),))


def _in_steps(pack: content.Pack, settings: Sequence[content.Setting]) -> Looked:
    """Sound first, then printable, then true to its claims: each step needs the one before."""
    from generator.check import back_checks
    from generator.games.card_products import card_set_names
    from generator.paper.themed import fonts_of_theme
    from generator.products import deck, panels

    system, marks = pack.system, pack.marks
    if faults := checks.problems(system, marks):
        return Looked(tuple(sorted(faults)))
    if settings:
        # The claims speak of the system as its source has it, as they do below a pack that changes it.
        inherited = frozenset(claim.id for claim in system.claims)
        system = replace(checks.under(system, settings), inherited=inherited)
        pack = replace(pack, system=system)
    poker = sheets.card_sizes()["poker"]
    with fonts_of_theme(system.theme, system):
        faults = tuple(back_checks.problems(system, marks))
        faults += tuple(
            problem for name in card_set_names(system) for problem in deck.deck_problems(system, marks, poker, name)
        )
        art = () if faults else _art(pack)
        faults = faults or tuple(problem for problem, forbids in art if forbids)
        charts = () if faults else tuple(quoted_odds.problems(system, marks))
        faults = faults or tuple(problem for problem, forbids in charts if forbids)
        # A name that cannot be printed on its card cannot be printed on the screen either: say it once.
        faults = faults or panels.panel_problems(system, marks, sheets.paper_sizes())
    verdicts = claims.verdicts(system)
    faults += tuple(claims.problems(system, marks, verdicts))
    warnings: tuple[Problem, ...] = ()
    if not faults:
        told = (*deck_checks.unused(system), *content_of(system).riddles())
        unused = (marks[file].problem(trail, says) for file, trail, says in told)
        words = (*unused, *claims.unconfirmed(system, marks))
        warnings = (*(problem for problem, forbids in (*art, *charts) if not forbids), *sorted(words))
    return Looked(tuple(sorted(faults)), verdicts, warnings)


def _art(pack: content.Pack) -> tuple[tuple[Problem, bool], ...]:
    """What is wrong with the pack's own pictures on poker cards, and whether that forbids printing."""
    from generator.games.card_products import card_set_names
    from generator.products import art, deck

    options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"])
    problems = [
        use
        for name in card_set_names(pack.system)
        for use in deck.art_uses(pack.system, options, name, bleed=deck.BLEED, checked=True)
    ]
    return art.art_problems(pack.system, pack.marks, problems)


def _shape(folder: Path, looked: Looked) -> dict[str, object]:
    problems, coarse = ([asdict(problem) for problem in listed] for listed in (looked.problems, looked.warnings))
    stated = [
        {
            "id": verdict.claim.id,
            "says": verdict.claim.says,
            "expected": verdict.expected,
            "computed": verdict.computed,
            "verdict": verdict.word,
        }
        for verdict in looked.verdicts
    ]
    warned = {"warnings": coarse} if coarse else {}
    return {"pack": str(folder), "sound": not looked.problems, "problems": problems, "claims": stated, **warned}

"""`hackjack check`: every fault in content."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec.structs import asdict, replace

from generator.base.archives import is_archive
from generator.base.errors import UsageError
from generator.cli import echo, note
from generator.cli.options import json_option, pack_option, print_json, quiet_option, settings_option
from generator.cli.terminal import busy
from generator.pack import pack_locations
from generator.pack.pack_locations import find, shipped
from generator.pack.settings import read_settings
from generator.products.looking_over import Looked, looked_over
from generator.words.wording import counted_figure


@click.command("check")
@click.argument("names", nargs=-1, metavar="[SYSTEM or PATH]...")
@pack_option("Check the pack in DIR or FILE.zip, or an installed pack by its name.")
@settings_option
@quiet_option
@click.option("-v", "--verbose", is_flag=True, help="Show each claim.")
@json_option
def command(
    names: tuple[str, ...], pack: Sequence[Path], settings: tuple[str, ...], verbose: bool, as_json: bool
) -> int:
    """Find every error in the shipped systems, or in the given packs."""
    packs = [pack_locations.pack_folders(pack)] if pack else []
    packs += [(_folder(name),) for name in names or (() if pack else shipped())]
    if settings and len(packs) != 1:
        raise UsageError("house rules belong to one system: write hackjack check SYSTEM --set NAME=VALUE")
    chosen = read_settings(settings)
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
        for line in _conclusion(looked, verbose=verbose):
            note(f"{folder.absolute().name}: {line}")
    return int(any(looked.problems for _, looked in results))


def _conclusion(looked: Looked, *, verbose: bool) -> Iterator[str]:
    """Yield the claims, those that come out as noted in one line unless `verbose`, and then the verdict."""
    for verdict in looked.verdicts:
        if verbose or not verdict.as_noted:
            yield f"claim {verdict.claim.id} {verdict.word}: {verdict.claim.says}"
    if not verbose:
        counts = Counter(verdict.word for verdict in looked.verdicts if verdict.as_noted)
        holding, differing = counts["holds"], counts["differs as noted"]
        lines = [f"{counted_figure(holding, 'claim')} hold{'s' * (holding == 1)}"] if holding else []
        lines += [f"{differing} differ{'s' * (differing == 1)} as noted"] if differing else []
        if lines:
            yield ", ".join(lines)
    yield counted_figure(len(looked.problems), "error") if looked.problems else "sound"


def _folder(name: str) -> Path:
    """A system that ships, or a pack's folder; the path of a file in it will do."""
    path = Path(name)
    if name in shipped():
        return find(name)
    if path.is_file() and not is_archive(path):
        return path.parent
    return path if path.exists() else find(name)


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

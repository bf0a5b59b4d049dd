"""`hackjack check`: every fault in content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
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
from generator.pack import content, mending, pack_locations
from generator.pack.strict_yaml import Key, Marks, Trail
from generator.words.wording import counted_figure


@click.command("check")
@click.argument("names", nargs=-1, metavar="[SYSTEM or PATH]...", shell_complete=complete.systems)
@pack_option("Check the pack in DIR or FILE.zip, or an installed pack by its name.")
@settings_option
@quiet_option
@trust_option
@click.option("-v", "--verbose", is_flag=True, help="Show each claim.")
@json_option
def command(
    names: tuple[str, ...],
    pack: Sequence[Path],
    settings: tuple[str, ...],
    verbose: bool,
    as_json: bool,
) -> int:
    """Find every error in the shipped systems, or in the given packs."""
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
        for line in _told(looked, verbose=verbose):
            note(f"{folder.absolute().name}: {line}")
    return int(any(looked.problems for _, looked in results))


def _told(looked: Looked, *, verbose: bool) -> Iterator[str]:
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
    """Look a pack over under house rules, and tell all its faults at once.

    What has no place in a file is a fault of the pack as a whole. Raises UsageError for house rules that there are not.
    """
    try:
        (folder,) = pack_locations.pack_folders(folders)
        return all_faults(folder, settings)
    except ContentError as error:
        return Looked(error.problems)
    except UsageError:
        raise
    except HackjackError as error:
        return Looked((Problem(str(folders[0]), 0, 0, str(error)),))


def all_faults(folder: Path, settings: Sequence[content.Setting]) -> Looked:
    """Judge form first, then meaning, then what is printed, then claims.

    What has a fault is judged no further: stand-ins take its place, and the rest goes on. Claims and chances are
    computed of a pack that plays as it is written.
    """
    judged = content.judged(folder)
    if judged.pack is None or ("system.yaml", ("procedure", "kind")) in judged.faults:
        return Looked(judged.problems)
    spoilt = {(file, mending.entry_of(trail)) for file, trail in judged.faults}
    meant = list(checks.placed(judged.pack.system, judged.pack.marks))
    marks = judged.pack.marks
    parts = {(file, _spoilt_part(judged, marks[file], file, trail)) for file, trail in judged.faults}
    meant = [fault for fault in meant if not any(_within(fault, part) for part in parts)]
    faults = {
        *judged.problems,
        *(marks[file].problem(trail, says) for file, trail, says in _once(meant, judged.faults)),
    }
    if not faults:
        return _in_steps(judged.pack, settings)
    # Chances and claims of a pack whose rules have faults are not known, and what it lacks may stand where they are.
    spoilt |= {(file, mending.entry_of(trail)) for file, trail, _ in meant}
    panels = {(file, trail[1]) for file, trail in spoilt if trail[:1] == ("panels",) and trail[1:]}
    rest = _without(judged, spoilt)
    with suppress(HackjackError):
        # A panel may quote what nobody can count.
        faults.update(_layout(rest, panels) if rest else ())
    return Looked(tuple(sorted(faults)))


def _spoilt_part(judged: content.Judged, marks: Marks, file: str, trail: Trail) -> Trail:
    """Return the part of a file that a fault of its form makes unknown."""
    misspelt = {written for plain, (_, written) in marks.grafts.items() if plain != written}
    return mending.spoilt_part(trail, judged.written.files[file].value, misspelt)


def _within(fault: tuple[str, Trail, str], part: tuple[str, Trail]) -> bool:
    return fault[0] == part[0] and fault[1][: len(part[1])] == part[1]


def _once(
    faults: Sequence[tuple[str, Trail, str]], spoilt: Sequence[tuple[str, Trail]]
) -> Iterator[tuple[str, Trail, str]]:
    """Leave out of the faults those of a list whose entries have no right name: what it lacks follows from that."""
    places = {*spoilt, *((file, trail) for file, trail, _ in faults)}
    misnamed = {(file, trail[:-2]) for file, trail in places if trail and trail[-1] in mending.NAMES}
    misnamed |= {(file, (*trail[:-1], "covers")) for file, trail in misnamed}
    # What a whole lacks may stand in a part of it that cannot be read.
    holders = {(file, trail[:length]) for file, trail in spoilt for length in range(len(trail))}
    # An entry whose name cannot be read may be the very one that is looked for.
    nameless = {str(trail[-3]).removesuffix("s") for _, trail in spoilt if trail[2:] and trail[-1] in mending.NAMES}
    lost = tuple(f"unknown {noun} " for noun in nameless)
    yield from (fault for fault in faults if fault[:2] not in misnamed | holders and not fault[2].startswith(lost))


def _without(judged: content.Judged, spoilt: set[tuple[str, Trail]]) -> content.Pack | None:
    """The pack with stand-ins for its spoilt entries; None where what is left is not sound."""
    for narrowly in (False, False, True, True):
        judged = judged.without(sorted(spoilt, key=repr), narrowly=narrowly)
        if judged.pack is None:
            return None
        system, marks = judged.pack.system, judged.pack.marks
        spoilt = {
            (file, mending.entry_of(trail))
            for file, trail, _ in checks.placed(system, marks)
            if file != "claims.yaml" and trail[-1:] not in _PRINTABLE
        }
        if not spoilt:
            return judged.pack
    return None


_PRINTABLE = (("covers",), ("roll",), ("at",))
"""What is wrong with these keys of a table keeps nothing from being laid out."""


def _in_steps(pack: content.Pack, settings: Sequence[content.Setting]) -> Looked:
    """What a pack without faults of form and meaning prints, and whether it is true to its claims."""
    from generator.paper.themed import fonts_of_theme

    system, marks = pack.system, pack.marks
    if settings:
        # The claims speak of the system as its source has it, as they do below a pack that changes it.
        inherited = frozenset(claim.id for claim in system.claims)
        system = replace(checks.under(system, settings), inherited=inherited)
        pack = replace(pack, system=system)
    faults = tuple(_layout(pack))
    with fonts_of_theme(system.theme, system):
        art = () if faults else _art(pack)
        faults += tuple(problem for problem, forbids in art if forbids)
        charts = tuple(quoted_odds.problems(system, marks))
        faults += tuple(problem for problem, forbids in charts if forbids)
    verdicts = claims.verdicts(system)
    faults += tuple(claims.problems(system, marks, verdicts))
    warnings: tuple[Problem, ...] = ()
    if not faults:
        told = (*deck_checks.unused(system), *content_of(system).riddles())
        unused = (marks[file].problem(trail, says) for file, trail, says in told)
        words = (*unused, *claims.unconfirmed(system, marks))
        warnings = (*(problem for problem, forbids in (*art, *charts) if not forbids), *sorted(words))
    return Looked(tuple(sorted(faults)), verdicts, warnings)


_UNPRINTABLE = re.compile('the printed font has no [^,]+|(?<=too narrow for ")[^"]+')
"""In the message of a panel: the letters that the font lacks, or the word that is too long."""


def _layout(pack: content.Pack, spoilt: Collection[tuple[str, Key]] = ()) -> Iterator[Problem]:
    """Yield what does not fit, or cannot be written with the fonts, on backs, cards and panels but for the `spoilt`."""
    from generator.check import back_checks
    from generator.games.card_products import card_set_names
    from generator.paper.themed import fonts_of_theme
    from generator.products import deck, panels

    system, marks = pack.system, pack.marks
    poker = sheets.card_sizes()["poker"]
    with fonts_of_theme(system.theme, system):
        yield from back_checks.problems(system, marks)
        told = ""
        for name in card_set_names(system):
            for problem in deck.deck_problems(system, marks, poker, name):
                told += f"{problem.message}\n"
                yield problem
        told += "\n".join(card.name for pile in system.piles.values() for card in pile.cards if told)
        for problem in panels.panel_problems(system, marks, sheets.paper_sizes(), spoilt):
            # What cannot be printed on a card cannot be printed on the screen either: say it once.
            if not any(words in told for words in _UNPRINTABLE.findall(problem.message)):
                yield problem


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

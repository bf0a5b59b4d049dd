"""Everything that is wrong with a pack: form, meaning, what is printed, and claims, all at once."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.base.errors import ContentError, HackjackError, Problem, UsageError, unforeseen
from generator.check import claims, deck_checks, own_words, quoted_odds
from generator.check import content_checks as checks
from generator.games import cards_of, content_of
from generator.games.content_face import Fault, known
from generator.layout import sheets
from generator.model.rules import System
from generator.pack import mending, pack_locations
from generator.pack.load import Pack, ParsedPack, parse_pack
from generator.pack.settings import Setting
from generator.pack.strict_yaml import TOO_MANY, Key, Marks, Trail


@dataclass(frozen=True)
class Looked:
    """What there is to say of a pack: its faults, its claims, and what is not as good as it could be."""

    problems: tuple[Problem, ...] = ()
    verdicts: tuple[claims.ClaimVerdict, ...] = ()
    warnings: tuple[Problem, ...] = ()


def looked_over(folders: Sequence[Path], settings: Sequence[Setting] = ()) -> Looked:
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
    except Exception as error:
        return Looked((Problem(str(folders[0]), 0, 0, unforeseen(error)),))


def faults_of_files(files: Mapping[str, bytes]) -> tuple[Problem, ...]:
    """Return the faults of a pack that is nowhere yet: it is looked over in a folder that goes away."""
    with TemporaryDirectory() as beside:
        folder = Path(beside) / "pack"
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return all_faults(folder, ()).problems


def all_faults(folder: Path, settings: Sequence[Setting]) -> Looked:
    """Judge form first, then meaning, then what is printed, then claims.

    What has a fault is judged no further: stand-ins take its place, and the rest goes on. Claims and chances are
    computed of a pack that plays as it is written.
    """
    judged = parse_pack(folder)
    if judged.pack is None or ("system.yaml", ("procedure", "kind")) in judged.faults:
        return Looked(judged.problems)
    name = pack_locations.name_of(folder)
    other = pack_locations.other_name(folder, judged.pack.system.head.id)
    # One in the packs folder is opened by its name.
    if other and name in pack_locations.installed() and pack_locations.find(name) == folder:
        return Looked((Problem(str(folder), 0, 0, other.removeprefix(f"{folder} ")),))
    spoilt = {(file, mending.entry_of(trail)) for file, trail in judged.faults}
    faults, meant = judged_faults(judged)
    if not faults:
        return _in_steps(judged.pack, settings)
    if any(says == TOO_MANY for *_, says in meant):
        return Looked(tuple(sorted(faults)))
    # Chances and claims of a pack whose rules have faults are not known, and what it lacks may stand where they are.
    spoilt |= {(file, mending.entry_of(trail)) for file, trail, _ in meant}
    panels = {(file, trail[1]) for file, trail in spoilt if trail[:1] == ("panels",) and trail[1:]}
    rest = _without(judged, spoilt)
    # A panel may quote what nobody can count; and whatever else it is, there are faults to mend first.
    with suppress(Exception):
        faults.update(_layout(rest, panels) if rest else ())
    return Looked(tuple(sorted(faults)))


def _without(judged: ParsedPack, spoilt: set[tuple[str, Trail]]) -> Pack | None:
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


def _in_steps(pack: Pack, settings: Sequence[Setting]) -> Looked:
    """What a pack without faults of form and meaning prints, and whether it is true to its claims."""
    from generator.paper.themed import fonts_of_theme

    system, marks = pack.system, pack.marks
    if settings:
        # The claims speak of the system as its source has it, as they do below a pack that changes it.
        inherited = frozenset(claim.id for claim in system.claims)
        system = checks.under(system, settings).with_side_files(inherited=inherited)
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
        notes = (*deck_checks.unused(system), *cards_of.uncounted(system), *content_of(system).riddles())
        notes += (*own_words.unclear_steps(system),)
        placed = (marks[file].problem(trail, text) for file, trail, text in notes)
        words = (*placed, *claims.unconfirmed(system, marks))
        warnings = (*(problem for problem, forbids in (*art, *charts) if not forbids), *sorted(words))
    return Looked(tuple(sorted(faults)), verdicts, warnings)


_UNPRINTABLE = re.compile('the printed font has no [^,]+|(?<=too narrow for ")[^"]+')
"""In the message of a panel: the letters that the font lacks, or the word that is too long."""


def _layout(pack: Pack, spoilt: Collection[tuple[str, Key]] = ()) -> Iterator[Problem]:
    """Yield what does not fit, or cannot be written with the fonts, on backs, cards and panels but for the `spoilt`."""
    from generator.games.card_products import card_set_names
    from generator.paper import fonts, pen
    from generator.paper.themed import fonts_of_theme
    from generator.products import deck, panels

    system, marks = pack.system, pack.marks
    unset = [text for text in checks.printed_texts(system, marks) if fonts.UNSET.search(text[2])]
    if unset:
        yield from (marks[file].problem(trail, pen.missing_glyphs(text, "", text)) for file, trail, text in unset)
        return
    poker = sheets.card_sizes()["poker"]
    with fonts_of_theme(system.theme, system):
        yield from _back_problems(system, marks)
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


def _art(pack: Pack) -> tuple[tuple[Problem, bool], ...]:
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


def _back_problems(system: System, marks: Mapping[str, Marks]) -> Iterator[Problem]:
    """Every fault under `backs`, at its place in `system.yaml`."""
    for trail, message in _back_faults(system):
        yield marks["system.yaml"].problem(trail, message)


def _back_faults(system: System) -> Iterator[Fault]:
    from generator.games.card_products import card_set_names
    from generator.paper import fonts, pen
    from generator.paper.ink import READABLE, contrast, rgb

    for name, design in system.head.backs.items():
        yield from known(name, card_set_names(system), "set of cards", ("backs", name))
        if design.colour and (ratio := contrast(rgb(design.colour))) < READABLE:
            yield (
                ("backs", name, "colour"),
                f"white lines on {design.colour} have a contrast of {ratio:.1f}:1, but the minimum is {READABLE:g}:1: "
                "choose a darker colour",
            )
        if design.title and (letters := fonts.missing_letters(design.title, fonts.SERIF_BOLD)):
            yield (("backs", name, "title"), pen.missing_glyphs(letters, fonts.SERIF_BOLD))


Placed = tuple[str, Trail, str]
"""A fault: its file, its place there, and the sentence."""


def judged_faults(judged: ParsedPack) -> tuple[set[Problem], list[Placed]]:
    """Return every fault of form and meaning, and those of meaning with their places.

    What has a fault of form is judged no further. A pack that nothing could be made of, or whose text cannot all be
    read, has faults of form alone.
    """
    if judged.pack is None or judged.has_slips:
        return {*judged.problems}, []
    marks = judged.pack.marks
    parts = {(file, _spoilt_part(judged, marks[file], file, trail)) for file, trail in judged.faults}
    meant = [
        fault for fault in checks.placed(judged.pack.system, marks) if not any(_within(fault, part) for part in parts)
    ]
    said = {marks[file].problem(trail, says) for file, trail, says in _once(meant, judged.faults)}
    return {*judged.problems, *said}, meant


def _spoilt_part(judged: ParsedPack, marks: Marks, file: str, trail: Trail) -> Trail:
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

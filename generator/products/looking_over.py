"""Everything that is wrong with a pack: form, meaning, what is printed, and claims, all at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from generator.base.errors import ContentError, HackjackError, Problem, UsageError, unforeseen
from generator.check import claims, deck_checks, judging, quoted_odds
from generator.check import content_checks as checks
from generator.games import cards_of, content_of
from generator.layout import sheets
from generator.pack import content, mending, pack_locations
from generator.pack.strict_yaml import TOO_MANY, Key, Trail


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
    except Exception as error:
        return Looked((Problem(str(folders[0]), 0, 0, unforeseen(error)),))


def all_faults(folder: Path, settings: Sequence[content.Setting]) -> Looked:
    """Judge form first, then meaning, then what is printed, then claims.

    What has a fault is judged no further: stand-ins take its place, and the rest goes on. Claims and chances are
    computed of a pack that plays as it is written.
    """
    judged = content.judged(folder)
    if judged.pack is None or ("system.yaml", ("procedure", "kind")) in judged.faults:
        return Looked(judged.problems)
    spoilt = {(file, mending.entry_of(trail)) for file, trail in judged.faults}
    faults, meant = judging.faults(judged)
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
        told = (*deck_checks.unused(system), *cards_of.uncounted(system), *content_of(system).riddles())
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

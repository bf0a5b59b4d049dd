"""The figures of a system's odds as plain texts, to be kept and compared with those of another day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.layout.panel_elements import Matrix, Picture
from generator.model.rules import System
from generator.products import comparison

Figures = Mapping[str, Mapping[str, str]]
"""Of each chart, by its title, the figures by where they stand: `death-score 10`."""
PATIENCE = 3.0
"""Seconds after which no further chart is begun: whoever prints cards is waiting for them."""
IN_WORDS = "in words"
"""The title over sentences that quote chances."""


def figures(system: System) -> Figures:
    """Count every chart of a system, and every chance that its panels quote.

    Charts that are played out are left out, for luck alone may move them; so is what cannot be counted, of which
    `hackjack check` tells why, and what `PATIENCE` has no time for.
    """
    found: dict[str, Mapping[str, str]] = {}
    begun = monotonic()
    for each in system.both or (system,):
        before = f"{each.head.id}: " if system.both else ""
        for key, (title, draw) in comparison.pictures_of(each).items():
            if monotonic() - begun > PATIENCE:
                return found
            if key not in game_of(each).PLAYED_OUT:
                with suppress(HackjackError):
                    found[before + title] = dict(_figures_in(draw()))
        if said := comparison.sentences_of(each).values():
            found[before + IN_WORDS] = {f"sentence {number}": f'"{text}"' for number, text in enumerate(said, 1)}
    return found


def _figures_in(drawn: Picture) -> Iterator[tuple[str, str]]:
    """Every figure of a chart, by the words that lead to it. Cards that lie somewhere are none."""
    if isinstance(drawn, Matrix) and comparison.shows_cards(drawn):
        return
    down = drawn.down if isinstance(drawn, Matrix) else ""
    for (row, column), figure in comparison.figures(drawn).items():
        if figure.text:
            where = (f"{down} {row}".strip(), f"{drawn.across} {column}".strip())
            yield ", ".join(filter(None, where)), f"{figure.text}{' %' if figure.in_per_cent else ''}"

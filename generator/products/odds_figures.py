"""The figures of all odds that a system's panels show, each with its name: to see which of them a change moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import assert_never

from generator.base.errors import HackjackError
from generator.check.quoted_odds import quoted
from generator.games import game_of
from generator.layout.panel_elements import Bars, Matrix, Picture, Series
from generator.layout.reading import figure_text
from generator.model.blocks import ChancesBlock, Chart, OddsBlock
from generator.model.rules import System
from generator.products.odds_pictures import picture
from generator.words.wording import filled

Figures = Mapping[str, Mapping[str, str]]
"""Of each picture, by its title, the figures by what they are the figures of: `death-score 10`."""
PATIENCE = 3.0
"""Seconds after which no further picture is begun: whoever prints cards is waiting for them."""


def figures(system: System) -> Figures:
    """Count every chart and every quoted chance of the panels, and the game's charts that no panel shows.

    Charts that are played out are left out, for luck alone may move them; so is what cannot be counted, of which
    `hackjack check` tells why, and what `PATIENCE` has no time for.
    """
    found: dict[str, Mapping[str, str]] = {}
    begun = monotonic()
    for each in system.both or (system,):
        for title, known in _of_one(each):
            # Two pictures may have the same title.
            count = sum(other == title or other.startswith(f"{title} (") for other in found)
            found[f"{title} ({count + 1})" if count else title] = known
            if monotonic() - begun > PATIENCE:
                return found
    return found


def _of_one(system: System) -> Iterator[tuple[str, Mapping[str, str]]]:
    game, shown = game_of(system), set[str]()
    charts = {name: make for name, make in game.charts().items() if name not in game.PLAYED_OUT}
    for _, file in system.panels:
        for panel in file.panels:
            for block in panel.blocks:
                title = filled(": ".join(filter(None, (panel.title, block.title))), system)
                with suppress(HackjackError):
                    if isinstance(block, Chart):
                        if block.shows in charts.keys() - shown:
                            shown.add(block.shows)
                            yield title, dict(_read(charts[block.shows](system)))
                    elif isinstance(block, OddsBlock):
                        yield title, dict(_read(picture(block, system)))
                    elif isinstance(block, ChancesBlock):
                        said = [quoted(chance, system) for chance in block.chances]
                        yield title, {f"sentence {number}": f'"{each}"' for number, each in enumerate(said, 1)}
    for name, make in charts.items():
        if name not in shown:
            with suppress(HackjackError):
                yield name.replace("_", " "), dict(_read(make(system)))


def _read(shown: Picture) -> Iterator[tuple[str, str]]:
    """Every figure of a picture, under the words that lead to it. Cards in a matrix are no figures."""
    match shown:
        case Bars():
            for label, value in zip(shown.labels, shown.values, strict=True):
                yield f"{shown.across} {label}", _percent(value, shown.percent)
        case Series():
            for name, values in shown.series:
                for label, value in zip(shown.labels, values, strict=False):
                    yield ", ".join(filter(None, (f"{shown.across} {label}", name))), _percent(value, shown.percent)
        case Matrix():
            for name, cells in shown.rows:
                for column, cell in zip(shown.columns, cells, strict=True):
                    if cell.text and not cell.card:
                        unit = " %" if cell.text.isdigit() and shown.note.startswith("per cent") else ""
                        yield f"{shown.down} {name}, {shown.across} {column}".strip(), f"{cell.text}{unit}"
        case _:
            assert_never(shown)


def _percent(value: float, percent: bool) -> str:
    return f"{figure_text(value, percent)}{' %' if percent else ''}"

"""What is wrong with the backs of sets of cards: sets that are not there, and lines that cannot be told from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.base.errors import Problem
from generator.games.card_products import card_set_names
from generator.model.rules import System
from generator.pack.faults import Fault, known
from generator.pack.strict_yaml import Marks
from generator.paper import fonts, pen
from generator.paper.ink import READABLE, contrast, rgb


def problems(system: System, marks: Mapping[str, Marks]) -> Iterator[Problem]:
    """Every fault under `backs`, at its place in `system.yaml`."""
    for trail, message in _faults(system):
        yield marks["system.yaml"].problem(trail, message)


def _faults(system: System) -> Iterator[Fault]:
    for name, design in system.head.backs.items():
        yield from known(name, card_set_names(system), "set of cards", ("backs", name))
        if design.colour and (ratio := contrast(rgb(design.colour))) < READABLE:
            yield (
                ("backs", name, "colour"),
                f"white lines on {design.colour} have a contrast of {ratio:.1f}:1, but the minimum is {READABLE:g}:1: "
                "choose a darker colour",
            )
        if design.title and (letters := fonts.missing_letters(design.title, fonts.SERIF_BOLD)):
            yield (
                ("backs", name, "title"),
                pen.missing_glyphs(letters, fonts.SERIF_BOLD),
            )

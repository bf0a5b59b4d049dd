"""One module for each kind of thing to print. Products are known here without loading anything that draws."""

from __future__ import annotations

from collections.abc import Mapping

from generator import cardsets
from generator.rules import System

PANELS = ("screen", "sheet", "reference")
PAGES: Mapping[str, tuple[str, ...]] = {
    "harm": (),
    "blackjack": ("tokens",),
    "field": ("combatants", "mat"),
}
"""What a kind of procedure prints besides cards and panels. Each is a module here, `generator.products.<name>`, with
`pages(system, options: panels.Options) -> bytes`."""


def products_of(system: System) -> tuple[str, ...]:
    """The products that a system has the content for."""
    if system.both:
        return cardsets.names_of(system)
    laid_out = dict(system.panels)
    return cardsets.names_of(system) + tuple(name for name in PANELS if name in laid_out) + PAGES.get(system.kind, ())

"""One module for each kind of thing to print. Products are known here without loading anything that draws."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games import card_products as cardsets
from generator.model.rules import System

PANELS = ("screen", "sheet", "reference")
PAGES: Mapping[str, tuple[str, ...]] = {"field": ("combatants", "mat")}
"""What a kind of procedure prints besides cards and panels. Each is a module here, `generator.products.<name>`, with
`pages(system, options: panels.Options) -> bytes`."""
TOKENS = "tokens"
"""Such a product too, of every system whose tracks are counted with tokens, but for those with cards of that name."""


def products_of(system: System) -> tuple[str, ...]:
    """The products that a system has the content for."""
    if system.both:
        return cardsets.names_of(system)
    sets, laid_out = cardsets.names_of(system), dict(system.panels)
    pages = PAGES.get(system.kind, ())
    if TOKENS not in sets and any(track.tokens for track in system.head.tracks.values()):
        pages += (TOKENS,)
    return sets + tuple(name for name in PANELS if name in laid_out) + pages

"""One module for each kind of thing to print. Products are known here without loading anything that draws."""

from __future__ import annotations

from generator.rules import System

PANELS = ("screen", "sheet", "reference")


def products_of(system: System) -> tuple[str, ...]:
    """The products that a system has the content for."""
    laid_out = dict(system.panels)
    return (("deck",) if system.deck else ()) + tuple(name for name in PANELS if name in laid_out)

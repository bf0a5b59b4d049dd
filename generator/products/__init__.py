"""One module for each thing to print. Their names are known here without loading anything that draws."""

from __future__ import annotations

from generator.rules import System


def products_of(system: System) -> tuple[str, ...]:
    """The products that a system has the content for."""
    return ("deck",) if system.deck else ()

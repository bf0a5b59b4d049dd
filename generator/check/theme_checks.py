"""What is wrong with a theme: letters that cannot be told from their ground."""

from __future__ import annotations

from collections.abc import Iterator

from generator.model.themes import Theme
from generator.pack.strict_yaml import Trail
from generator.paper.ink import READABLE, contrast, rgb

Fault = tuple[Trail, str]
_ON_GROUND = ("ink", "grey", "red", "blue", "green")


def faults(theme: Theme) -> Iterator[Fault]:
    """Yield each colour of letters that misses the contrast of 4.5:1, and what it has instead."""
    pairs = [(role, "ground") for role in _ON_GROUND] + [("pattern", "back")]
    for over, under in pairs:
        over_colour, under_colour = (getattr(theme.palette, role) for role in (over, under))
        found = contrast(rgb(over_colour), rgb(under_colour))
        if found < READABLE:
            yield (
                ("palette", over),
                f"{over} {over_colour} on {under} {under_colour} has a contrast of {found:.1f}:1, and {READABLE:g}:1 "
                "is the least: choose colours that lie further apart",
            )

"""`hackjack` alone: what to do first, and, at a terminal, the studio."""

from __future__ import annotations

import sys

from generator import __version__
from generator.cli import studio_
from generator.cli.terminal import numbered, tell

FIRST = (
    ("hackjack print", "print the decks, screens and sheets of every system into output/"),
    ("hackjack tour", "take the tour: a fight in two minutes, step by step"),
    ("hackjack play", "play at your table, with your own cards and dice"),
)
"""What somebody may want who has just installed the program: the call, and what it does."""


def offer() -> None:
    """Say what to do first; at a terminal, open the studio, which has all of it on a page. Raises HackjackError."""
    tell(f"Hackjack {__version__}: injury rules to print, to play, and to know the odds of. To begin with:")
    tell(*numbered(FIRST), "hackjack help names all commands.")
    if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        tell("Or do everything in your browser:")
        studio_.run()

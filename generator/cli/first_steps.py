"""`hackjack` alone: what to do first, and, at a terminal, doing it."""

from __future__ import annotations

import sys

import click

from generator import __version__
from generator.cli import hackjack
from generator.cli.terminal import numbered, tell

FIRST = (
    ("hackjack print", "print the decks, screens and sheets of every system into output/"),
    ("hackjack tour", "take the tour: a fight in two minutes, step by step"),
    ("hackjack play", "play at your table, with your own cards and dice"),
)
"""What somebody may want who has just installed the program: the call, and what it does."""


def offer(context: click.Context) -> None:
    """Say what to do first; at a terminal, ask which of it, and do that."""
    tell(f"Hackjack {__version__}: injury rules to print, to play, and to know the odds of. To begin with:")
    tell(*numbered(FIRST), "hackjack help names all commands.")
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return
    while answer := _answer():
        if answer.isdecimal() and 1 <= int(answer) <= len(FIRST):
            name = FIRST[int(answer) - 1][0].split()[1]
            chosen = hackjack.get_command(context, name)
            assert chosen is not None
            with chosen.make_context(name, [], parent=context) as own:
                chosen.invoke(own)
            return


def _answer() -> str:
    """What somebody types; nothing where they leave."""
    try:
        return input(f"Which? (1 to {len(FIRST)}, Enter for none) ").strip()
    except EOFError:
        tell("")
        return ""

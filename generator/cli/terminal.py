"""What lines look like on a terminal: wrapped at words, with weight and colour. Pipes get them as they are."""

import os
import re
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from generator.base.cards import ALL_CODES
from generator.cli import QUIET, printable
from generator.games import Mark

NARROWEST = 20
"""Lines are wrapped to no fewer columns."""
HANGING = 2
"""So many columns further in stands what goes on from the line above."""
TICK = 1
"""After so many seconds a terminal shows what is being done, and as often how long it takes."""
_CARD = re.compile(rf"(?<![\w.])({'|'.join(sorted(ALL_CODES, key=len, reverse=True))})(?!\w|\.\w)")


_TABLE = re.compile(" {3}")
"""What holds the columns of a table or a picture apart: such a line is left as it is."""


def tell(*lines: str, marks: Mapping[str, Mark] | None = None, err: bool = False) -> None:
    """Print lines for people, which nothing in them can steer; `marks` names the lines that stand out."""
    if not lines:
        return
    stream = sys.stderr if err else sys.stdout
    if not stream.isatty():
        click.echo("\n".join(map(printable, lines)), err=err)
        return
    coloured, width = has_colour(stream), shutil.get_terminal_size().columns
    shown = (styled(text, (marks or {}).get(line), coloured) for line in lines for text in wrapped(line, width))
    click.echo("\n".join(shown), err=err, color=coloured)


def has_colour(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours, and nobody has said that they want none (NO_COLOR)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def wrapped(line: str, width: int) -> list[str]:
    """Return a line in as many as it needs, broken between words; what goes on is indented further."""
    text = printable(line)
    if _TABLE.search(text.strip()):
        return [text]
    indent = len(text) - len(text.lstrip(" ")) + HANGING
    room = max(width - 1, NARROWEST)
    return textwrap.wrap(
        text, room, subsequent_indent=" " * indent, break_on_hyphens=False, replace_whitespace=False
    ) or [""]


def styled(text: str, mark: Mark | None, coloured: bool) -> str:
    """Return a line with its colours: deaths in red, suits in colour, draws in bold."""
    if not coloured:
        return text
    if mark == "death":
        return click.style(text, fg="bright_red", bold=True)
    # The odd ones are what the pattern found.
    parts = [_coloured_card(part) if place % 2 else part for place, part in enumerate(_CARD.split(text))]
    if mark == "card":
        parts[::2] = [click.style(part, bold=True) if part else "" for part in parts[::2]]
    return "".join(parts)


def _coloured_card(code: str) -> str:
    red = code == "RJ" or code[-1] in "DH"
    return click.style(code, bold=True, fg="red" if red else None)


@contextmanager
def busy(what: str) -> Iterator[Callable[[str], None]]:
    """For work that takes its time: after a second a terminal shows what is being done and since when.

    Gives a function that says what is done next. Nothing of it stays, and nothing else may be printed meanwhile. Where
    standard error is no terminal, and with --quiet, nothing is shown.
    """
    doing = [what]
    if QUIET.get() or not sys.stderr.isatty():
        yield doing.append
        return
    done = threading.Event()
    ticking = threading.Thread(target=_tick, args=(doing, done), daemon=True)
    ticking.start()
    try:
        yield doing.append
    finally:
        done.set()
        ticking.join()


def _tick(doing: Sequence[str], done: threading.Event) -> None:
    begun, shown = time.monotonic(), 0
    while not done.wait(TICK):
        what = printable(f"{doing[-1]}: {time.monotonic() - begun:.0f} s")
        line = what[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + line.ljust(shown), nl=False, err=True)
        shown = len(line)
    if shown:
        click.echo("\r" + " " * shown + "\r", nl=False, err=True)


def numbered(options: Iterable[tuple[str, str]]) -> list[str]:
    """Return the options of a choice with their effects, one a line."""
    pairs = list(options)
    longest = max((len(name) for name, _ in pairs), default=0)
    return [f"{place:>3}  {name:<{longest}}  {sentence}".rstrip() for place, (name, sentence) in enumerate(pairs, 1)]

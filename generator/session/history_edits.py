"""`mend`: another command in the place of an entry of the log, or none."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.base.errors import UsageError
from generator.base.text_input import quoted_word, read_number
from generator.session import prompt, several, short_forms
from generator.session.deeds import Deed
from generator.session.session import Session, at_line

REMOVE = "remove"
"""Alone behind the number: the entry is taken out."""
NO_ENTRIES = ("help", "quit", "undo", "redo", "mend", "import")
"""Commands that are no entries of the log."""


class Mend(NamedTuple):
    """The line of the journal that an entry stands on, and the deeds that replace it; None to look at the entry.

    `kept` is whether it is saved unasked; otherwise `keeps` is the command that saves it.
    """

    line: int
    deeds: tuple[Deed, ...] | None = None
    kept: bool = False
    keeps: str = ""


def entry_line(now: Session, number: int | str) -> int:
    """Return the line of the journal on which an entry of the log stands. Raises UsageError."""
    lines = [moment.line for moment in now.moments()][::-1]
    if not lines:
        raise UsageError("nothing has happened yet: there is nothing to mend")
    return lines[read_number("mend", str(number), 1, len(lines)) - 1]


def read_mend(words: Sequence[str], now: Session) -> Mend:
    """Return what was typed after `mend`, read as at the time of the entry. Raises UsageError."""
    prompt.usage("mend", words, 1, prompt.MAX_NUMBERS, now.table.game)
    line = entry_line(now, words[0])
    kept = len(words) > 1 and words[1].casefold() == "yes"
    typed = words[2 if kept else 1 :]
    if not typed:
        return Mend(line)
    if [word.casefold() for word in typed] == [REMOVE]:
        return Mend(line, (), kept, f"mend {words[0]} yes {REMOVE}")
    then = at_line(now, line)
    name, new_words = short_forms.read_line(typed, then)
    if name in NO_ENTRIES or prompt.only_looks(name, now.table.game):
        raise UsageError(f"{name} is not an entry of the log: write a command that does something, or remove")
    keeps = " ".join(("mend", words[0], "yes", name, *map(quoted_word, new_words)))
    return Mend(line, several.read_deeds(name, new_words, then), kept, keeps)

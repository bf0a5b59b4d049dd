"""`mend N hit bryn 3`: which entry of the log is meant, and what is to stand in its place."""

from __future__ import annotations

from collections.abc import Sequence

from generator.base.errors import UsageError
from generator.base.text_input import quoted_word, read_number
from generator.session import prompt, several
from generator.session.deeds import Deed
from generator.session.session import Session, at_line

REMOVE = "remove"
"""Alone behind the number: the entry is taken out."""
NO_ENTRIES = ("help", "quit", "undo", "redo", "mend", "import")
"""Commands that are no entries of the log."""


def read_mend(words: Sequence[str], now: Session) -> tuple[int, bool, Sequence[str]]:
    """The line of the journal that an entry stands on, whether it is kept unasked, and the words of what replaces it.

    Raises UsageError.
    """
    prompt.usage("mend", words, 1, prompt.MAX_NUMBERS, now.table.game)
    lines = [moment.line for moment in now.moments()][::-1]
    if not lines:
        raise UsageError("nothing has happened yet: there is nothing to mend")
    number = read_number("mend", words[0], 1, len(lines))
    kept = len(words) > 1 and words[1].casefold() == "yes"
    return lines[number - 1], kept, words[2 if kept else 1 :]


def read_replacement(words: Sequence[str], line: int, now: Session) -> tuple[Deed, ...]:
    """Return the deeds that replace the command on a line; none if it is removed.

    They are read as at that time: by the names that there were. Raises UsageError.
    """
    if len(words) == 1 and words[0].casefold() == REMOVE:
        return ()
    then = at_line(now, line)
    name = prompt.read_command(words[0], now.table.game)
    if name in NO_ENTRIES or prompt.only_looks(name, now.table.game):
        raise UsageError(f"{name} is not an entry of the log: write a command that does something, or remove")
    return several.read_deeds(name, words[1:], then)


def mend_command(words: Sequence[str], typed: Sequence[str]) -> str:
    """Return the command that keeps a mend: `words` are those behind `mend`, `typed` the new ones."""
    return " ".join(("mend", words[0], "yes", *map(quoted_word, typed)))

"""The tab key at the prompt: what the word that was begun may become."""

from __future__ import annotations

from collections.abc import Callable

from generator.base.text_input import quoted, split_words
from generator.cli import short_forms
from generator.cli.expected import known_at
from generator.session.session import Session

DELIMITERS = " ,"
"""What parts words for readline."""


def switch_on(session: Callable[[], Session]) -> None:
    """Let the tab key complete, where Python has readline; `session` is asked for each time."""
    try:
        import readline
    except ImportError:
        return

    def complete(begun: str, number: int) -> str | None:
        found = completions(readline.get_line_buffer()[: readline.get_endidx()], begun, session())
        # The value of an option follows at once, and so does what lies in a folder.
        return found[number] + ("" if found[number][-1] in "=/" else " ") if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(DELIMITERS)
    readline.parse_and_bind(binding(readline.__doc__ or ""))


def binding(about: str) -> str:
    """How the tab key is bound: in readline's words, or in those of libedit, which stands in for it on macOS."""
    return "bind ^I rl_complete" if "libedit" in about else "tab: complete"


def completions(line: str, begun: str, session: Session) -> list[str]:
    """What the word that was begun at the end of a line may become; a name with a space comes in quotes.

    `begun` is what readline takes for that word: in quotes the part after the last space.
    """
    place = len(line) - len(begun)
    start = line.rindex('"') if line.count('"') % 2 else place
    written = line[start:].lstrip('"')
    before = split_words(line[:start])
    full, moves = short_forms.expanded(before, session) if before else ([], short_forms.beginnings(written, session))
    known = dict.fromkeys((*known_at(full, written, session), *moves))
    found = [word for word in known if word.casefold().startswith(written.casefold())]
    return [f'"{word}"'[place - start :] if line[start:].startswith('"') else quoted(word) for word in found]

"""The tab key at the prompt: what the word that was begun may become."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from generator.base.text_input import quoted_word, split_words
from generator.session import short_forms
from generator.session.expected import known_at
from generator.session.session import Session

DELIMITERS = " ,"
"""What parts words for readline."""


class TabKey:
    """The tab key of readline, where Python has it; `session` is called each time.

    While `answers` are set, a question is open, and they are what is completed in place of commands.
    """

    def __init__(self, session: Callable[[], Session]) -> None:
        self._session = session
        self._answers: Sequence[str] | None = None

    def switch_on(self) -> None:
        """Let the key complete from now on."""
        try:
            import readline
        except ImportError:
            return

        def complete(begun: str, number: int) -> str | None:
            words = self.completed(readline.get_line_buffer()[: readline.get_endidx()], begun)
            # The value of an option follows at once, and so does what lies in a folder.
            return words[number] + ("" if words[number][-1] in "=/" else " ") if number < len(words) else None

        readline.set_completer(complete)
        readline.set_completer_delims(DELIMITERS)
        readline.parse_and_bind(binding(readline.__doc__ or ""))

    @contextmanager
    def answering(self, words: Sequence[str]) -> Iterator[None]:
        """A question is open, which these words answer."""
        self._answers = words
        try:
            yield
        finally:
            self._answers = None

    def completed(self, line: str, begun: str) -> list[str]:
        """What the word that was begun at the end of a line may become."""
        if self._answers is None:
            return completions(line, begun, self._session())
        return [word for word in self._answers if word.casefold().startswith(begun.casefold())]


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
    full = short_forms.expand_line(before, session) if before else []
    more = [] if before else short_forms.line_beginnings(written, session)
    candidates = dict.fromkeys((*known_at(full, written, session), *more))
    words = [word for word in candidates if word.casefold().startswith(written.casefold())]
    return [f'"{word}"'[place - start :] if line[start:].startswith('"') else quoted_word(word) for word in words]

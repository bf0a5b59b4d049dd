"""Errors are sentences for a person: where it is, what is wrong, what would be right."""

import os
from collections.abc import Iterable
from typing import Any

from msgspec import Struct


class HackjackError(Exception):
    """Something the user can put right. The text is shown as it is, never with a traceback."""

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is told to another process: with all that it holds, whatever it was made from."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[HackjackError], arguments: tuple[Any, ...], holds: dict[str, Any]) -> HackjackError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(holds)
    return error


class UsageError(HackjackError):
    """The command was asked for something that it does not offer."""

    exit_code = 2


class DiskError(HackjackError):
    """A file cannot be written, or one of the user's own cannot be read: what comes next would fare no better."""


class NamedError(HackjackError):
    """The text names the system and what of it cannot be printed, or the file that it would have been."""


class Problem(Struct, frozen=True, order=True):
    """One fault in content. `line` and `column` count from 1; 0 stands for the file as a whole, without a position."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        position = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{position}: {self.message}"


class ContentError(HackjackError):
    """A pack cannot be used. Holds every problem that was found, in the order of files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


FREE_TEXT = (
    'for words of your own write effects: [say "You howl."]; '
    "outside the kind steps write a condition with says, and suffer it"
)
"""The end of a sentence about a card or a row that holds a plain text in place of effects."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return the end of a sentence that names what `word` may have been meant to be.

    Gives `: did you mean "prone"?` when one known word is close, otherwise the list of a few, or nothing at all.
    """
    choices = [str(choice) for choice in (sorted(words, key=str) if isinstance(words, set | frozenset) else words)]
    listed = f"; known: {', '.join(choices)}" if choices and len(choices) <= 16 else ""
    return guess(word, choices) or listed


def guess(word: str, words: Iterable[str]) -> str:
    """Return ': did you mean ...?' for the one of the words that was probably meant; empty where none is close."""
    close = closest(word, words)
    return f': did you mean "{close}"?' if close else ""


def closest(word: str, words: Iterable[str]) -> str:
    """Return the one of the words that is nearly written like this one, or an empty text."""
    import difflib  # a slow import, and most runs need no hint

    folded = {choice.lower(): choice for choice in words}
    close = difflib.get_close_matches(str(word).lower()[:80], list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def shown(value: Any) -> str:
    """Return what a file holds as a message names it, in 40 characters at most."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def unforeseen(error: Exception) -> str:
    """Return the sentence for an error that nobody foresaw. Raises it where HACKJACK_TRACEBACK asks for it."""
    if os.environ.get("HACKJACK_TRACEBACK"):
        raise error
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be used: {error.strerror or error}"
    return f"unforeseen, a fault of hackjack itself: {type(error).__name__}: {error}"


class FaceError(HackjackError):
    """A face that cannot be printed: its code, and why."""

    def __init__(self, code: str, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"{code}: {reason}")

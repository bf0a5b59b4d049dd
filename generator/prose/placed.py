"""Text that knows where each of its letters stands in what was pasted."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from typing import NamedTuple

from generator.pack.strict_yaml import UNSEEN

BOLD, END = "\x02", "\x03"
"""They stand around what was bold."""
_MARK = re.compile(f"[{BOLD}{END}]")
_SPACES = re.compile(r"\s+")
_BREAK = re.compile(r"<br\s?/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]{0,300}>", re.IGNORECASE)
_ENTITY = re.compile(r"&#?\w{1,12};")
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()\s]*+\)")
_EMPHASIS = re.compile(r"\\[^\w\s]|\*{1,3}+|_{1,2}+|`++")
_SAME_WIDTH = {ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"} | {
    0x2019: "'", 0x2018: "'", 0xD7: "x", 0xA0: " ", 0x201C: '"', 0x201D: '"',
}  # fmt: skip


class Placed(NamedTuple):
    """A text, and the place of each letter in what was pasted."""

    text: str
    at: Sequence[int]

    def cut(self, start: int, end: int | None = None) -> Placed:
        """Return a part of it."""
        return Placed(self.text[start:end], self.at[start:end])

    def without(self, pattern: re.Pattern[str], instead: str | int = "") -> Placed:
        """Return it with something else in place of what matches: a text, or the group of that number."""
        return self.edited(
            pattern, lambda match: (match.start(instead), match.end(instead)) if isinstance(instead, int) else instead
        )

    def edited(self, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str | tuple[int, int]]) -> Placed:
        """Return it with each match replaced by a text, or by a part of itself."""
        parts: list[Placed] = []
        end = 0
        for match in pattern.finditer(self.text):
            new = instead(match)
            parts.append(self.cut(end, match.start()))
            parts.append(self.cut(*new) if isinstance(new, tuple) else Placed(new, [self.at[match.start()]] * len(new)))
            end = match.end()
        return joined([*parts, self.cut(end)]) if parts else self

    def stripped(self, letters: str | None = None) -> Placed:
        """Return it without blanks, or these letters, at both ends."""
        start = len(self.text) - len(self.text.lstrip(letters))
        return self.cut(start, max(start, len(self.text.rstrip(letters))))

    def bare(self) -> Placed:
        """Return it without the marks of bold letters, in single spaces."""
        text = self.without(_MARK) if _MARK.search(self.text) else self
        return text.without(_SPACES, " ").stripped() if _SPACES.search(text.text) else text

    @property
    def span(self) -> tuple[int, int]:
        """Return where it begins and ends in what was pasted."""
        return (self.at[0], self.at[-1] + 1) if len(self.at) else (0, 0)


EMPTY = Placed("", ())


def joined(parts: Iterable[Placed], by: str = "") -> Placed:
    """Return several texts as one."""
    texts, places = list[str](), array("l")
    for part in parts:
        if texts and by:
            texts.append(by)
            places.extend([part.at[0] if len(part.at) else places[-1] if places else 0] * len(by))
        texts.append(part.text)
        places.extend(part.at)
    return Placed("".join(texts), places)


def even(text: str) -> str:
    """Return a text of the same length for patterns: small letters, and one kind of dash, quote and space."""
    text = text.translate(_SAME_WIDTH)
    low = text.lower()
    return low if len(low) == len(text) else "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def unmarked(line: Placed, *, html: bool = False) -> Placed:
    """Return a line without marks of Markdown, tags and what nobody sees; what was bold keeps marks of its own."""
    if not line.text.isprintable():
        line = line.edited(UNSEEN, lambda match: match[0] if match[0] in "\t\x02\x03" else "")
    if "<" in line.text and not html:
        line = line.without(_BREAK, " ").without(_TAG)
    if "&" in line.text:
        line = line.edited(_ENTITY, lambda match: unescape(match[0]))
    if html:
        return line
    if "[" in line.text:
        line = line.without(_LINK, 1)
    return _without_emphasis(line) if _EMPHASIS.search(line.text) else line


def _without_emphasis(line: Placed) -> Placed:
    """Return a line without pairs of emphasis and without escapes; those around bold letters become marks."""
    text = line.text
    new: dict[int, str] = {}
    waiting: dict[str, re.Match[str]] = {}
    for match in _EMPHASIS.finditer(text):
        mark, before, after = match[0], text[: match.start()][-1:], text[match.end() :][:1]
        if mark[0] == "\\":
            new[match.start()] = mark[1]
        elif mark in waiting and before.strip() and not after.isalnum():
            is_bold = mark in ("**", "__", "***")
            new[waiting.pop(mark).start()], new[match.start()] = (BOLD, END) if is_bold else ("", "")
        elif after.strip() and not before.isalnum():
            waiting[mark] = match
    return line.edited(_EMPHASIS, lambda match: new.get(match.start(), match[0]))

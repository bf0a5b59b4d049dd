"""From a text to its logical lines and their tokens, each with its line and column."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LEVELS = 20
"""Maximum nesting of lines below lines."""
MAX_LENGTH = 5_000
"""Maximum length of a line, with the lines that continue it, in characters."""
MAX_LINES = 2_000
"""Maximum lines of a text."""
MAX_ERRORS = 100
"""Errors of a text that are told before it is put aside."""

_TOKEN = re.compile(
    r"""[ ]*(?:(?P<comment>\#.*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>'[^'\n]*')
    |(?P<dice>\d{0,3}[dD]\d{1,4}(?![A-Za-z0-9_]))|(?P<number>\d+(?![A-Za-z_]))|(?P<ruling>\[[A-Z]{1,2}[0-9]{1,3}\])
    |(?P<name>(?:card\.)?[a-z][a-z0-9_]*(?![A-Za-z0-9_]))|(?P<other>[A-Za-z0-9_]+)
    |(?P<sign>\+=|-=|//|<=|>=|==|!=|[-+*<>(),:=?]))""",
    re.VERBOSE,
)
_CURLY = dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"') | dict.fromkeys("\u2018\u2019\u201a", "'")
_REPLACEMENTS = {
    "/": "write // to divide; it rounds down",
    "&": "write and",
    "|": "write or",
    "\u00d7": "write * to multiply",
    "\u00b7": "write * to multiply",
    "\u2212": "write - for minus, as on the keyboard",
    "\u2013": "write - for minus, as on the keyboard",
    "\u2264": "write <=",
    "\u2265": "write >=",
    "\u2260": "write !=",
    ";": "write one statement on a line",
    ".": 'no statement ends with a full stop: write words of your own as say "You howl."',
    "\t": "this is a tab: use spaces",
    '"': 'this text is not closed: write " at its end, on the same line',
    "'": "this word is not closed: write ' at its end",
    "{": 'values in braces belong in a text: log "{hp} HP left."',
    "[": "brackets hold the number of a ruling, such as [H2]",
    "!": "write not, or != to compare",
}
"""Replacements for characters that no token begins with."""


class TextError(Exception):
    """A fault of a text, with its line and column, from 0."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column, self.message = line, column, message


class Token(NamedTuple):
    """A token; `start` and `end` are its place in the source of its logical line."""

    kind: str
    text: str
    line: int
    column: int
    start: int
    end: int


END = Token("end", "", 0, 0, 0, 0)


class Line(NamedTuple):
    """A logical line, with the deeper lines that continue it; `inside` are those below its colon."""

    indent: int
    tokens: list[Token]
    source: str
    inside: list[Line]

    @property
    def end(self) -> tuple[int, int]:
        """The line and column behind its last token."""
        last = self.tokens[-1] if self.tokens else END
        return last.line, last.column + len(last.text)


def tokens_of(raw: str, line: int, start: int = 0) -> list[Token]:
    """Return the tokens of a physical line, whose first character is at `start` of its source. Raises TextError."""
    tokens: list[Token] = []
    place, length = 0, len(raw)
    while place < length:
        match = _TOKEN.match(raw, place)
        if match is None:
            raise _stray(raw, line, place)
        kind = match.lastgroup or ""
        if kind == "comment":
            break
        at, place = match.start(kind), match.end()
        tokens.append(Token(kind, raw[at:place], line, at, start + at, start + place))
    return tokens


def _stray(raw: str, line: int, place: int) -> TextError:
    """Return the error for a character that begins no token."""
    place += len(raw[place:]) - len(raw[place:].lstrip(" "))
    sign = raw[place]
    if sign in _CURLY:
        return TextError(line, place, f"{sign} is a curly quotation mark: write {_CURLY[sign]} as on the keyboard")
    return TextError(line, place, _REPLACEMENTS.get(sign, f"{sign!a} is not allowed here"))


_OPENERS = ("if", "else", "one", "choose", "roll")
SENTENCES = ("say", "print", "log")
"""The words that begin a sentence of the author's: for paper and the log, for paper, for the log."""


def _lacks_colon(line: Line, deeper: str) -> bool:
    """Return whether a line needs lines below it, and its colon is missing."""
    words = [token.text for token in line.tokens[:2]]
    opens = bool(words) and (words[0] in _OPENERS or words in (["as", "long"], ["for", "each"]))
    return opens and not any(token.text == ":" for token in line.tokens) and not deeper.startswith((*SENTENCES, "as "))


def short_line(line: Line) -> str:
    """Return the beginning of a line, for messages."""
    text = line.source.strip()
    return text if len(text) <= 30 else f"{text[:28].rstrip()}..."


_NOTHING_BELOW = "nothing stands below this line: indent what follows by two spaces, or write nothing after the colon"


class _Layout:
    """Collects lines by their indentation."""

    def __init__(self, errors: list[TextError]) -> None:
        self.errors = errors
        self.top: list[Line] = []
        self.levels: list[tuple[int, list[Line]]] = [(-1, self.top)]
        """The indentation of the lines of each level, and these lines; below 0 while it has none yet."""
        self.opened = True
        """Return True if the line above ended in a colon: deeper lines are its own."""

    @property
    def last(self) -> Line | None:
        lines = self.levels[-1][1]
        return lines[-1] if lines else None

    def open(self, line: Line) -> None:
        self.levels.append((-1, line.inside))
        self.opened = True

    def unfilled(self) -> None:
        """Say that nothing stands below the line that opened the last level."""
        self.errors.append(TextError(*self.levels[-2][1][-1].end, _NOTHING_BELOW))

    def add(self, number: int, raw: str) -> None:
        """Add a physical line that is not empty."""
        raw = raw.rstrip()
        indent = len(raw) - len(raw.lstrip(" "))
        last = self.last
        if last is not None and not self.opened and indent > last.indent and _lacks_colon(last, raw[indent:]):
            self.errors.append(TextError(*last.end, "a colon is missing here, at the end of the line"))
            last.tokens.append(Token("sign", ":", *last.end, len(last.source), len(last.source)))
            self.open(last)
            last = None
        continues = last is not None and not self.opened and indent > last.indent
        broken = False
        try:
            tokens = tokens_of(raw, number, len(last.source) + 1 if last is not None and continues else 0)
        except TextError as error:
            self.errors.append(error)
            tokens, broken = [], True
        if not tokens and not broken:
            return
        raw = raw[: tokens[-1].column + len(tokens[-1].text)] if tokens else raw
        opens = raw.endswith(":") if broken else tokens[-1].text == ":"
        if last is not None and continues:
            line = last._replace(tokens=[*last.tokens, *tokens] if not broken else [], source=f"{last.source} {raw}")
            self.levels[-1][1][-1] = line
        else:
            self._place(number, indent, is_broken=broken)
            line = Line(self.levels[-1][0], tokens, raw, [])
            self.levels[-1][1].append(line)
            self.opened = False
        if opens:
            self.open(line)

    def _place(self, number: int, indent: int, *, is_broken: bool) -> None:
        """Find the level of a line that begins so far to the right."""
        if self.opened and len(self.levels) > 1:
            if indent <= self.levels[-2][1][-1].indent:
                self.unfilled()
                self.levels.pop()
            else:
                self.levels[-1] = (indent, self.levels[-1][1])
        elif self.opened:
            self.levels[0] = (indent, self.top)
        while len(self.levels) > 1 and indent < self.levels[-1][0]:
            self.levels.pop()
        if indent != self.levels[-1][0] and not is_broken:
            above = self.last
            like = f'"{short_line(above)}"' if above else "a line above"
            message = f"this line stands between two steps: line it up with {like}, or with the steps below that"
            self.errors.append(TextError(number, indent, message))


def lines_of(text: str, errors: list[TextError]) -> list[Line]:
    """Return the logical lines of a text by indentation; `errors` gets what is wrong with them."""
    layout = _Layout(errors)
    for number, raw in enumerate(text.split("\n")):
        stripped = raw.lstrip(" ")
        if not stripped or stripped[0] == "#":
            continue
        if "\t" in raw[: len(raw) - len(raw.lstrip())]:
            errors.append(TextError(number, raw.index("\t"), "this is a tab: use spaces to indent"))
        if number >= MAX_LINES:
            errors.append(TextError(number, 0, f"more than {MAX_LINES:,} lines: make events of parts"))
            return layout.top
        if len(raw) + (len(layout.last.source) if layout.last else 0) > MAX_LENGTH:
            errors.append(TextError(number, 0, f"this line is longer than {MAX_LENGTH:,} characters: shorten it"))
            return layout.top
        layout.add(number, raw.replace("\t", " "))
        if len(layout.levels) > MAX_LEVELS:
            errors.append(TextError(number, 0, f"nested deeper than {MAX_LEVELS} levels: make an event of a part"))
            return layout.top
        if len(errors) >= MAX_ERRORS:
            return layout.top
    if layout.opened and len(layout.levels) > 1:
        layout.unfilled()
    return layout.top

"""Text into lines: words with their fonts, broken greedily at a width.

reportlab's Paragraph would do this too, but it parses markup, and what stands on a card may come from a stranger's
pack. Here text is only ever text. All widths are per point of size, so that a whole deck is measured once and the
search for its type size is arithmetic.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from generator.paper import fonts

# Numbers and dice, but not the figures in a card's code or a ruling's number.
_FIGURES = re.compile(
    r"(?<![\w])[+\N{MINUS SIGN}]?(?:(?:\d+)?d\d+(?:[+-]\d+)?|\d+(?:\N{EN DASH}\d+|\+(?=\s|$))?)(?![A-Za-z0-9])"
)


class Run(Struct, frozen=True):
    """A stretch of text in one font. Where `raised` is not 0, it stands above the line in so many times its size."""

    text: str
    font: str
    raised: float = 0.0

    @property
    def width(self) -> float:
        """How wide it is per point of the size of the text around it."""
        return fonts.text_width(self.text, self.font) * (self.raised or 1.0)


class Word(Struct, frozen=True):
    """A part of a line that is never broken: one or more runs without a space between them.

    `space` is the width before it on its line: 0 where it goes on after a hyphen or a dash. After a soft hyphen the
    width of a hyphen, with which the part before it ends, is taken back: it is printed at the end of a line alone.
    """

    runs: tuple[Run, ...]
    width: float
    space: float


Line = tuple[Run, ...]


_SOFT = "\N{SOFT HYPHEN}"
_BETWEEN = re.compile(r"(?<![\w.-])(\d{1,4})-(?=\d{1,4}(?![\w-]))")


_FIRM = "\u00a0\u2007\u202f"
"""Spaces that hold words together."""
_PIECES = re.compile(rf"[^\S{_FIRM}]+|[\S{_FIRM}]+")
_JOINED = re.compile(r"[-/\u00ad\u200b\u2010\u2013\u2014]")
_JOINT = re.compile(
    r"(?<=[^\W\d_][^\W\d_][-/\u2010\u2013])(?=[^\W\d_][^\W\d_])"  # between words, not between numbers
    r"|(?<=\u2014)(?=[\w\"'\u2018\u201c(])|(?<=[\u00ad\u200b])(?=\S)"
)
_QUOTED = re.compile(
    r"(?<!\w)'(?!tis|twas|em\b|til\b|n\b|\d)(?=\w)((?:[^']|(?<=\w)'(?=\w))*)(?<=\S)'(?!\w)", re.IGNORECASE
)
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'|(?<=\d)'(?=[^\W\d_])|(?<!\w)'(?=\w)")


def typeset(written: str) -> str:
    """Return a text as it is set on one line: real apostrophes and quotes, dashes between numbers. Idempotent.

    What people type stays as it is in content, on the screen and in files to be read by programs.
    """
    written = _typographic(written)
    return written if written.isascii() else written.translate(fonts.REPLACED)


def _typographic(written: str) -> str:
    """Return the same, letter for letter, with its soft hyphens and whatever else says where lines may break."""
    if "'" in written:
        written = _QUOTED.sub("\u2018\\1\u2019", written)
        written = _APOSTROPHE.sub("\u2019", written)
    return _BETWEEN.sub("\\1\N{EN DASH}", written) if "-" in written else written


def _set(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield runs with a printer's apostrophes and dashes, which their whole text decides."""
    runs, end = tuple(runs), 0
    whole = _typographic("".join("\0" * len(run.text) if run.raised else run.text for run in runs))
    for run in runs:
        start, end = end, end + len(run.text)
        yield run if run.raised else Run(whole[start:end], run.font)


def split_words(runs: Iterable[Run], *, set_in_type: bool = True) -> tuple[Word, ...]:
    """Split runs at their spaces and after hyphens, slashes and dashes; runs that touch stay one word.

    `set_in_type`: with a printer's apostrophes and dashes. What a person has typed into a form stays as it is.
    """
    words_of_runs: list[list[Run]] = []
    spaces: list[float] = []
    open_word = False
    for run in _set(runs) if set_in_type else runs:
        for piece in _PIECES.findall(run.text):
            if piece[0].isspace() and piece[0] not in _FIRM:
                open_word = False
                continue
            parts = _JOINT.split(piece) if _JOINED.search(piece) else (piece,)
            for at, part in enumerate(parts):
                soft = part[-1] == _SOFT and at + 1 < len(parts)
                letters = part if part.isascii() else part.translate(fonts.REPLACED)
                own = Run(f"{letters}-" if soft else letters, run.font, run.raised)
                if at == 0 and open_word:
                    words_of_runs[-1].append(own)
                    continue
                words_of_runs.append([own])
                ends_softly = at and parts[at - 1][-1] == _SOFT
                hyphen = -Run("-", run.font, run.raised).width if ends_softly else 0.0
                spaces.append(hyphen if at else fonts.text_width(" ", run.font))
            open_word = True
    return tuple(
        Word(tuple(word), sum(run.width for run in word), space)
        for word, space in zip(words_of_runs, spaces, strict=True)
    )


def unbroken_word(runs: tuple[Run, ...]) -> Word:
    """Runs that stay together on one line, spaces and all, as a single word."""
    runs = tuple(Run(run.text.translate(fonts.REPLACED), run.font, run.raised) for run in _set(runs))
    return Word(runs, line_width(runs), fonts.text_width(" ", runs[0].font))


def figures_bold(text: str, plain: str, bold: str) -> tuple[Run, ...]:
    """Return a text whose numbers and dice stand in the bold font."""
    text = _typographic(text)
    runs: list[Run] = []
    end = 0
    for match in _FIGURES.finditer(text):
        runs += [Run(text[end : match.start()], plain), Run(match[0], bold)]
        end = match.end()
    return tuple(run for run in (*runs, Run(text[end:], plain)) if run.text)


_MARK = re.compile(r"\s?\[([A-Z]{1,2}\d{1,3}\*?)\]")


def marks_raised(runs: Iterable[Run], font: str, scale: float) -> tuple[Run, ...]:
    """Ruling numbers in square brackets as raised figures of so much of the size, close to the word before them."""
    raised: list[Run] = []
    for run in runs:
        end = 0
        for match in _MARK.finditer(run.text):
            before = run.text[end : match.start()]
            comma = "," if not before and raised and raised[-1].raised else ""
            raised += [Run(before, run.font)] if before else []
            raised.append(Run(comma + match[1], font, scale))
            end = match.end()
        raised.append(Run(run.text[end:], run.font))
    return tuple(run for run in raised if run.text)


def line_count(text: tuple[Word, ...], measure: float) -> int:
    """Return how many lines `broken` would make, found without making them."""
    lines, room = 0, -1.0
    for word in text:
        room -= word.space + word.width
        if room < 0:
            lines += 1
            room = measure - word.width
    return lines


def broken_lines(text: tuple[Word, ...], measure: float) -> tuple[Line, ...]:
    """Lines no wider than `measure` (pt per pt of size), as many words on each as fit.

    A lone last word takes the word before it along where that leaves no hole: the line before stays as full as `_FULL`
    says, or, for a short word, as `_FULL_SHORT`. A word wider than the measure stands on a line of its own;
    `widest_word` finds it.
    """
    lines = _filled(text, measure)
    lone = len(lines) > 1 and len(lines[-1]) == 1 and " " not in lines[-1][0].runs[0].text
    if lone and len(lines[-2]) > 2 and _stays_full(lines[-2], lines[-1][0], measure):
        lines[-1].insert(0, lines[-2].pop())
        if sum(word.width for word in lines[-1]) + lines[-1][1].space > measure:
            lines[-2].append(lines[-1].pop(0))
    return tuple(_line(line) for line in lines)


_FULL, _FULL_SHORT, _SHORT = 0.75, 0.55, 8


def _stays_full(line: list[Word], last: Word, measure: float) -> bool:
    """Return whether a line can spare its last word for a lone one after it."""
    letters = sum(len(run.text) for run in last.runs)
    left = sum(word.width + word.space for word in line[:-1]) - line[0].space
    return left >= measure * (_FULL if letters > _SHORT else _FULL_SHORT)


def _filled(text: tuple[Word, ...], measure: float) -> list[list[Word]]:
    lines: list[list[Word]] = []
    room = 0.0
    for word in text:
        if lines and word.space + word.width <= room:
            lines[-1].append(word)
            room -= word.space + word.width
        else:
            lines.append([word])
            room = measure - word.width
    return lines


def widest_word(text: tuple[Word, ...]) -> float:
    """Return the width of the widest word, per point of size."""
    return max((word.width for word in text), default=0.0)


def line_width(line: Line) -> float:
    """Return the width of a line, per point of size."""
    return sum(run.width for run in line)


def _line(line: list[Word]) -> Line:
    """Return the runs of a line with their spaces, neighbours of one font joined."""
    runs: list[Run] = []
    for place, word in enumerate(line):
        if place and word.space < 0:
            runs[-1] = Run(runs[-1].text[:-1], runs[-1].font, runs[-1].raised)
        for at, run in enumerate(word.runs):
            lead = " " if place and at == 0 and word.space > 0 else ""
            if runs and (runs[-1].font, runs[-1].raised) == (run.font, run.raised):
                runs[-1] = Run(runs[-1].text + lead + run.text, run.font, run.raised)
            else:
                runs.append(Run(lead + run.text, run.font, run.raised))
    return tuple(runs)

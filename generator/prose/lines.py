"""Pasted text as lines: Markdown, HTML, the cells of a spreadsheet, and text as it is copied from a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from generator.pack.csv_cards import rows_of
from generator.prose.placed import BOLD, EMPTY, END, Placed, joined, unmarked

MAX_LINE = 2_000
"""Letters in a row of a table or a list; a longer line is prose."""
MAX_CELLS = 20
_DRAWN = frozenset(" \t|:+-=_*#~")
"""The characters of lines that are blank or drawn."""
_PIPE = re.compile(r"(?<!\\)\|")
_HTML = re.compile(r"<(?:table|ol)\b", re.IGNORECASE)
_PAGE = re.compile(r"<(?:p|h[1-6]|li|div|span|br)\b[^<>]{0,300}>", re.IGNORECASE)
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]]{1,400})\]\]")
_FRONT = re.compile(r"\s{0,9}---\n(?:(?:title:(?P<title>.{1,200}+)|(?!---).{0,400}+)\n){0,60}---\n")
"""The properties above a page of Markdown."""
Kind = Literal["", "blank", "drawn", "heading", "pipes", "tabs", "grid"]


@dataclass
class Line:
    """A line, or a row of cells; `group` tells tables of a page apart, and `headed` that its cells are heads."""

    number: int
    text: Placed
    kind: Kind = ""
    cells: list[Placed] = field(default_factory=list)
    group: int = 0
    headed: bool = False
    listed: bool = False
    """Whether it is an item of a page's numbered list that begins with 1, as many that nobody rolls on."""


def lines_of(text: str, label: str, suffix: str = "") -> list[Line]:
    """Return the lines of a text. Raises ContentError for a spreadsheet that is none."""
    if suffix in (".html", ".htm", ".xhtml") or _HTML.search(text) or len(_PAGE.findall(text, 0, 20_000)) > 3:
        return _HtmlReader(text).lines
    if suffix in (".csv", ".tsv") or text.lstrip('"')[:4].lower() == "sep=":
        return list(_of_spreadsheet(text, label))
    return list(_of_text(text))


def _of_text(text: str) -> Iterator[Line]:
    head = _FRONT.match(text)
    start = head.end() if head else 0
    if head and head["title"]:
        yield Line(1, Placed(head["title"], range(*head.span("title"))).stripped(" \"'"), "heading")
    for number, line in enumerate(text[start:].split("\n"), 1 + text.count("\n", 0, start)):
        yield _line(number, Placed(line, range(start, start + len(line))))
        start += len(line) + 1


def _line(number: int, line: Placed) -> Line:
    text = line.text
    if not text.strip():
        return Line(number, EMPTY, "blank")
    if "[[" in text:
        line = line.without(_WIKI_LINK, 1)
    if text.startswith("^") and text.count("^") > 1:
        line = line.without(re.compile(r"\^"), "|")
    text = line.text
    if set(text) <= _DRAWN:
        return Line(number, line, "drawn")
    if text.lstrip().startswith("#"):
        return Line(number, unmarked(line.stripped(" #")), "heading")
    if len(text) <= MAX_LINE and _PIPE.search(text):
        body = line.stripped()
        body = body.cut(1) if body.text.startswith("|") else body
        ends = [match.start() for match in _PIPE.finditer(body.text)]
        cells = [body.cut(one + 1, other) for one, other in zip((-1, *ends), (*ends, None), strict=True)]
        cells = cells[:-1] if len(cells) > 1 and not cells[-1].text.strip() else cells
        return Line(number, unmarked(line), "pipes", [unmarked(cell).stripped() for cell in cells])
    if len(text) <= MAX_LINE and "\t" in text.strip():
        ends = [index for index, letter in enumerate(text) if letter == "\t"]
        cells = [line.cut(one + 1, other) for one, other in zip((-1, *ends), (*ends, None), strict=True)]
        return Line(number, unmarked(line), "tabs", [unmarked(cell).stripped() for cell in cells])
    return Line(number, unmarked(line))


def _of_spreadsheet(text: str, label: str) -> Iterator[Line]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for row in rows_of(text, label):
        cells = []
        for cell in row:
            begins = text.find(cell.text.split("\n")[0], starts[cell.line - 1] + cell.column - 1) if cell.text else 0
            sentence_text = " ".join(cell.text.split())
            cells.append(Placed(sentence_text, range(max(begins, 0), max(begins, 0) + len(sentence_text))))
        yield Line(row[0].line, joined(cells, " "), "grid", cells)


# --- HTML ------------------------------------------------------------------------------------------------------------

_TITLES = ("caption", "h1", "h2", "h3", "h4", "h5", "h6")
_PARTS = ("p", "div", "br", "ul", "section", "article", "blockquote", "hr")
_TAG = re.compile(r"""<(?:[!?][^<>]*+|(/?)([a-z][a-z0-9]{0,20}+)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+))>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(colspan|rowspan|start|value) ?= ?["']?([0-9]{1,4}+)(?![0-9])""", re.IGNORECASE)
_SKIPPED = {"script": "</script", "style": "</style"}


class _HtmlReader:
    """Read a page; a cell that spans rows or columns is repeated in each.

    Tags are found by patterns that cannot backtrack: the parser of the standard library takes minutes for some texts.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[Line] = []
        self._open: list[tuple[str, int]] = []
        """Tables and lists, each with its group, and how many items a list has."""
        self._starts, self._counts = list[int](), list[int]()
        self._text: list[Placed] = []
        self._number, self._begun, self._groups = 1, 0, 0
        self._span, self._tag = (1, 1), ""
        self._below: dict[int, tuple[int, Placed]] = {}
        self._read(text)

    def _read(self, text: str) -> None:
        lower = re.sub("[A-Z]++", lambda match: match[0].lower(), text)
        last = {end: lower.rfind(end) for end in ("-->", *_SKIPPED.values())}
        index = 0
        while index < len(text):
            begin = text.find("<", index)
            begin = len(text) if begin < 0 else begin
            self._data(text, index, begin)
            match = _TAG.match(text, begin)
            name = match[2].lower() if match and match[2] else ""
            is_end = bool(match and match[1])
            until = "-->" if text.startswith("<!--", begin) else "" if is_end else _SKIPPED.get(name, "")
            index = match.end() if match else begin + 1
            if until and last[until] > begin:
                index = lower.index(until, begin) + len(until) * (until == "-->")
            if name and match:
                bold = (BOLD, END)[is_end]
                if name in ("b", "strong"):
                    self._text.append(Placed(bold, (begin,)))
                elif is_end:
                    self._end(name)
                else:
                    self._begin(name, {key.lower(): int(value) for key, value in _ATTRIBUTE.findall(match[3])}, begin)
            elif not match and not until:
                self._data(text, begin, index)
            self._number += text.count("\n", begin, index)
        self._finish()

    def _begin(self, tag: str, numbers: dict[str, int], begin: int) -> None:
        inside = self._open[-1][0] if self._open else ""
        if tag in ("table", "ol", "ul", *_TITLES) or (tag in ("tr", "td", "th", "li") and inside):
            self._finish()
            self._tag = tag
            self._span = (min(numbers.get("colspan", 1), MAX_CELLS), numbers.get("rowspan", 1))
        elif tag in _PARTS and inside != "table" and self._tag not in ("li", *_TITLES):
            self._finish()
        elif tag in _PARTS:
            self._text.append(Placed(" ", (begin,)))
        if tag in ("table", "ol", "ul"):
            self._groups += 1
            self._open.append((tag, self._groups))
            self._starts.append(numbers.get("start", 1))
            self._counts.append(self._starts[-1] - 1)
            self._below = {}
        elif tag == "tr" and inside == "table":
            self.lines.append(Line(self._number, EMPTY, "grid", group=self._open[-1][1]))
        elif tag == "li" and inside in ("ol", "ul"):
            self._counts[-1] = numbers.get("value", self._counts[-1] + 1)
        elif tag == "th" and self.lines and self.lines[-1].kind == "grid" and inside == "table":
            self.lines[-1].headed = True

    def _end(self, tag: str) -> None:
        if tag in ("td", "th", "li", "tr", "table", "ol", "ul", *_TITLES) or (tag in _PARTS and not self._tag):
            self._finish()
        if tag == "tr" and self.lines and self.lines[-1].kind == "grid":
            self._repeat_above(self.lines[-1].cells)
        elif tag in ("table", "ol", "ul") and self._open:
            self._open.pop()
            self._starts.pop()
            self._counts.pop()

    def _data(self, text: str, start: int, end: int) -> None:
        piece = text[start:end]
        if not self._begun and piece.strip():
            self._begun = self._number + piece[: len(piece) - len(piece.lstrip())].count("\n")
        self._number += piece.count("\n")
        self._text.append(unmarked(Placed(piece, range(start, end)), html=True))

    def _finish(self) -> None:
        """Store the text of the title, cell, item or paragraph that ends here."""
        tag, self._tag = self._tag, ""
        text = joined(self._text).without(re.compile(r"\s+"), " ").stripped()
        number, self._text, self._begun = self._begun, [], 0
        inside, group = self._open[-1] if self._open else ("", 0)
        if tag in ("td", "th") and self.lines and self.lines[-1].kind == "grid" and inside == "table":
            row = self.lines[-1].cells
            self._repeat_above(row)
            for _ in range(self._span[0]):
                if len(row) <= MAX_CELLS:
                    self._below[len(row)] = (self._span[1] - 1, text)
                    row.append(text)
        elif tag == "li" and inside == "ol":
            count = str(self._counts[-1])
            index = text.at[0] if len(text.at) else 0
            cells = [Placed(count, [index] * len(count)), text]
            self.lines.append(Line(number, text, "grid", cells, group, listed=self._starts[-1] == 1))
        elif text.text.strip(BOLD + END + " "):
            if tag == "li":
                text = joined([Placed("- ", [text.at[0]] * 2), text])
            self.lines.append(Line(number, text, "heading" if tag in _TITLES else ""))

    def _repeat_above(self, row: list[Placed]) -> None:
        while (cell := self._below.pop(len(row), (0, EMPTY)))[0]:
            self._below[len(row)] = (cell[0] - 1, cell[1])
            row.append(cell[1])

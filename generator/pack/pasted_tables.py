"""Tables as people have them: Markdown, HTML, or cells from a spreadsheet, read into rows of results.

Nothing is guessed about what a result does: ranges, names and notes carry over, and each cell that does not fit is told
with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import HackjackError, Problem
from generator.base.files import limited_text
from generator.base.text_input import composed
from generator.model.rules import TENS_AND_ONES, Span, Until
from generator.pack.csv_cards import rows_of
from generator.pack.strict_yaml import UNSEEN

MAX_TABLES, MAX_ROWS, MAX_CELLS = 20, 200, 20
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 80, 400

_DICE = re.compile(r"(?<![a-z0-9])(\d{0,2})d(\d{1,4}|%)(?![a-z0-9])", re.IGNORECASE)
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_RANGE = re.compile(
    r"(-?\d{1,4})\s*(?:(?:-|to)\s*(-?\d{1,4})|(\+|or (?:more|higher|above|over|greater)|and (?:up|above|over|higher)))?"
)
_LOW = re.compile(r"(-?\d{1,4}) (?:or|and) (?:less|lower|below|under|fewer)|[<\u2264]=? ?(-?\d{1,4})")
_HIGH = re.compile(r"(?:>=|\u2265) ?(-?\d{1,4})")
_LISTED = re.compile(r"\s{0,6}(-?\d{1,4}(?:\s?[-\u2010-\u2015]\s?\d{1,4}|\+)?)[.):]\s+(\S.*)")
_BARE = re.compile(r"\s{0,6}(-?\d{1,4}(?:\s?[-\u2010-\u2015]\s?\d{1,4}|\+)?)\s+(\S.*)")
"""A list without points behind its numbers, which is looked for only where there is nothing else."""
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_MARKS = (
    (re.compile(r"<br\s*/?>", re.IGNORECASE), " "),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(\*{1,3}|__?|`+)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"\\([^\w\s])"), r"\1"),
)
_NAMED = re.compile(r"(?P<name>[^.:!?\u2013\u2014]{2,60}?)\s*(?:[:.!?]|\s[-\u2013\u2014])\s+(?P<note>\S.*)")


@dataclass(frozen=True)
class PastedTables:
    """What a file holds: tables as `tables.yaml` has them, and what could not be read, by line."""

    tables: tuple[dict[str, Any], ...]
    unread: tuple[Problem, ...]


@dataclass
class _Grid:
    """Cells as they stand, with the line of each row; the first row may be a head."""

    title: str
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    headed: bool = False


def read(path: Path) -> PastedTables:
    """Read all tables of a file. Raise HackjackError where it cannot be read or holds none."""
    text = limited_text(path, str(path), larger="copy the tables alone into a file of their own", wide=True)
    return tables_of(text, str(path), path.stem, path.suffix.lower())


def tables_of(text: str, label: str, stem: str = "results", suffix: str = "") -> PastedTables:
    """Read all tables of a text; `label` is the name that problems give it. Raise HackjackError where it holds none.

    A table without a title is called like `stem`, and `suffix` is that of the file: `.csv`, `.html` or another.
    """
    text = composed(text).replace("\r\n", "\n").replace("\r", "\n")
    # Pages are full of marks for the direction of writing and the like, which no content may hold.
    text = UNSEEN.sub(lambda match: match[0] if match[0] == "\t" else "", text)
    grids = [grid for grid in _grids(text, label, suffix) if grid.rows]
    grids = grids or [grid for grid in _from_markdown(text, _BARE) if len(grid.rows) > 1]
    problems: list[Problem] = []
    tables: list[dict[str, Any]] = []
    for grid in grids[:MAX_TABLES]:
        if table := _Reading(label, grid, problems).table(stem, {table["id"] for table in tables}):
            tables.append(table)
    for grid in grids[MAX_TABLES:]:
        problems.append(Problem(label, grid.rows[0][0], 1, f"left out: a pack takes {MAX_TABLES} tables from a file"))
    if not tables:
        hint = "two lines or more with cells between | or tabs, a numbered list, an HTML table or a CSV"
        raise HackjackError(f"{label}: no table in it: write {hint}")
    return PastedTables(tuple(tables), tuple(problems))


def _grids(text: str, label: str, suffix: str) -> Iterator[_Grid]:
    if suffix in (".html", ".htm", ".xhtml") or re.search(r"<(table|ol)\b", text, re.IGNORECASE):
        page = _Page()
        page.feed(text)
        page.close()
        return iter(page.grids)
    if suffix in (".csv", ".tsv"):
        cells = rows_of(text, label)
        return iter([_Grid("", [(row[0].line, [cell.text.replace("\n", " ") for cell in row]) for row in cells])])
    return _from_markdown(text)


# --- Markdown, and text as it is copied from a page ------------------------------------------------------------------


def _from_markdown(text: str, listed: re.Pattern[str] = _LISTED) -> Iterator[_Grid]:
    """A title is the heading above a table, or else the last line above it that is no sentence."""
    title, kind, headed = "", "", False
    grid = _Grid("")
    for number, line in enumerate(text.split("\n"), 1):
        now = _kind(line, listed)
        if kind == "list" and line[:1] in (" ", "\t") and line.strip() and now != "list":
            # A result goes on in the line below.
            grid.rows[-1][1][1] += f" {_unmarked(line)}"
            continue
        if now != kind:
            if kind == "list" and not now and not line.strip():
                continue
            yield grid
            headed = headed and not grid.rows
            grid, kind = _Grid(title), now
        if now == "pipes" and _RULE.fullmatch(line):
            grid.headed = len(grid.rows) == 1
        elif now == "pipes":
            cells = _PIPE.split(line.strip().removeprefix("|"))
            cells = cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
            grid.rows.append((number, [_unmarked(cell) for cell in cells]))
        elif now == "tabs":
            grid.rows.append((number, [_unmarked(cell) for cell in line.split("\t")]))
        elif now == "list" and (item := listed.fullmatch(line)):
            grid.rows.append((number, [item[1], _unmarked(item[2])]))
        elif line.lstrip().startswith("#"):
            title, headed = _unmarked(line.strip(" #")), True
        elif line.strip() and not (headed or line.rstrip().endswith((".", "!", "?"))):
            title = _unmarked(line.strip(" :"))
    yield grid


def _kind(line: str, listed: re.Pattern[str]) -> str:
    if _PIPE.search(line) and not line.lstrip().startswith("#"):
        return "pipes"
    if "\t" in line.strip():
        return "tabs"
    return "list" if listed.fullmatch(line) else ""


def _unmarked(text: str) -> str:
    for pattern, kept in _MARKS:
        text = pattern.sub(kept, text)
    return " ".join(text.split())


# --- HTML ------------------------------------------------------------------------------------------------------------


_TITLES = ("caption", "h1", "h2", "h3", "h4", "h5", "h6")


class _Page(HTMLParser):
    """Read the tables and numbered lists of a page; a cell that spans rows or columns is repeated in each."""

    def __init__(self) -> None:
        super().__init__()
        self.grids: list[_Grid] = []
        self._open: list[_Grid] = []
        self._title, self._tag, self._text = "", "", list[str]()
        self._span, self._number = (1, 1), 0
        self._below: dict[int, tuple[int, str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        numbers = {key: int(value) for key, value in attrs if value and re.fullmatch(r"[0-9]{1,4}", value)}
        rows = self._open[-1].rows if self._open else []
        if tag in _TITLES or tag in ("table", "ol") or (self._open and tag in ("tr", "td", "th", "li")):
            self._finish()
            self._tag, self._text = tag, []
            self._span = (min(numbers.get("colspan", 1), MAX_CELLS), numbers.get("rowspan", 1))
        else:
            self._text.append(" " if tag in ("br", "p", "div") else "")
        if tag in ("table", "ol"):
            self._open.append(_Grid(self._title))
            self._below, self._number = {}, numbers.get("start", 1) - 1
        elif tag in ("tr", "li") and self._open:
            self._number = numbers.get("value", self._number + 1)
            rows.append((self.getpos()[0], [str(self._number)] if tag == "li" else []))
        elif tag == "th" and len(rows) == 1:
            self._open[-1].headed = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "li", "tr", "table", "ol", *_TITLES):
            self._finish()
        if tag == "tr" and self._open and self._open[-1].rows:
            self._repeat_above(self._open[-1].rows[-1][1])
        elif tag in ("table", "ol") and self._open:
            self.grids.append(self._open.pop())

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:
            self._text.append(data)

    def close(self) -> None:
        super().close()
        self._finish()
        self.grids += reversed(self._open)

    def _finish(self) -> None:
        """Store the text of the title or cell that ends here."""
        tag, text, self._tag = self._tag, " ".join("".join(self._text).split()), ""
        if tag == "caption" and self._open:
            self._open[-1].title = text or self._open[-1].title
        elif tag in _TITLES:
            self._title = text
        elif tag in ("td", "th", "li") and self._open and self._open[-1].rows:
            row = self._open[-1].rows[-1][1]
            self._repeat_above(row)
            for _ in range(self._span[0]):
                self._below[len(row)] = (self._span[1] - 1, text)
                row.append(text)

    def _repeat_above(self, row: list[str]) -> None:
        while (cell := self._below.pop(len(row), (0, "")))[0]:
            self._below[len(row)] = (cell[0] - 1, cell[1])
            row.append(cell[1])


# --- rows ------------------------------------------------------------------------------------------------------------


class _Reading:
    """Read one grid as a table; `problems` grows by what does not fit."""

    def __init__(self, shown: str, grid: _Grid, problems: list[Problem]) -> None:
        self.shown, self.grid, self.problems = shown, grid, problems

    def table(self, stem: str, taken: Iterable[str]) -> dict[str, Any] | None:
        """Return the table as plain data, or None if it has no rows."""
        head, body = self._parted()
        if not body:
            return None
        ranges = _column_of_ranges([cells for _, cells in body])
        title = (self.grid.title or stem.replace("_", " "))[:_MAX_LINE_LENGTH]
        table: dict[str, Any] = {"id": _free(_slug(title) or "results", taken), "title": title}
        spans: list[Span | None] = [None] * len(body)
        if ranges is not None:
            roll = _rolled(" ".join([*head, self.grid.title]))
            spans = [self._span(line, cells[ranges], roll) for line, cells in body]
            table |= _covered([span for span in spans if span], roll)
        elif count := sum(_span(cells[0]) is not None for _, cells in body):
            message = f"the table is not rolled: only {count} of its {len(body)} rows begin with results such as 3, 1-4"
            self._tell(body[0][0], f"{message} or 13+")
        table["rows"] = self._rows(head, body, ranges, spans, table)
        return table if table["rows"] else None

    def _parted(self) -> tuple[list[str], list[tuple[int, list[str]]]]:
        """Return the head (empty if there is none) and the rows, all of the same width."""
        rows = self.grid.rows
        width = min(max(len(cells) for _, cells in rows), MAX_CELLS)
        for line, cells in rows:
            if len(cells) > width:
                self._tell(line, f"cells after the first {MAX_CELLS} are left out")
        rows = [(line, (cells + [""] * width)[:width]) for line, cells in rows]
        headed = self.grid.headed or (len(rows) > 1 and _is_head(rows[0][1], [cells for _, cells in rows[1:]]))
        body = [(line, cells) for line, cells in rows[headed:] if any(cells)]
        for line, _ in body[MAX_ROWS:]:
            self._tell(line, f"left out: a table has {MAX_ROWS} rows at most")
        return (rows[0][1] if headed else []), body[:MAX_ROWS]

    def _span(self, line: int, cell: str, roll: Dice | None) -> Span | None:
        span = _span(cell)
        if span is None:
            self._tell(line, f'"{cell[:40]}" is not a range of results such as 3, 1-4 or 13+')
        elif _LOW.fullmatch(_plain_range(cell)):
            if roll is None:
                self._tell(line, f'"{cell[:40]}" became {span.low}: a range has a lowest result')
            elif roll.least < span.low:
                return Span(roll.least, span.low)
        return Span(100, 100) if span and cell.strip() == "00" else span

    def _rows(
        self,
        head: list[str],
        body: Sequence[tuple[int, list[str]]],
        ranges: int | None,
        spans: Sequence[Span | None],
        table: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Return the rows as plain data; the first column of words is the name, the longest other one the note.

        Short columns become `columns` of the table.
        """
        columns = list(zip(*(cells for _, cells in body), strict=True))
        words = [place for place, column in enumerate(columns) if place != ranges and any(column)]
        lasting = next((place for place in words[1:] if all(map(_lasts, columns[place]))), None)
        rest = [place for place in words if place != lasting]
        first = rest.pop(0) if rest else None
        longest = max(rest, key=lambda place: sum(map(len, columns[place])), default=None)
        ids: dict[int, str] = {}
        for place in rest:
            if place != longest and all(1 <= len(cell) <= _MAX_LINE_LENGTH for cell in columns[place]):
                title = (head and head[place]) or f"column {place + 1}"
                ids[place] = _free(_slug(title) or f"column_{place + 1}", ids.values())
                table.setdefault("columns", {})[ids[place]] = {"title": title[:_MAX_LINE_LENGTH]}
        rows = []
        for (line, cells), span in zip(body, spans, strict=True):
            if ranges is not None and span is None:
                continue
            name = "" if first is None else cells[first]
            note = " ".join(cells[place] for place in rest if place not in ids and cells[place])
            if (not rest or len(name) > _MAX_LINE_LENGTH) and (match := _NAMED.fullmatch(name)):
                name, note = match["name"], f"{match['note']} {note}".strip()
            row = {
                "at": span and (span.low if span.high == span.low else str(span)),
                "name": self._cut(line, "name", name, _MAX_LINE_LENGTH),
                "lasts": None if lasting is None else str(Until.parse(cells[lasting].lower())),
                "cells": {key: cells[place] for place, key in ids.items()},
                "note": self._cut(line, "note", note, _MAX_TEXT_LENGTH),
            }
            if not name and span is None:
                self._tell(line, "left out: it has neither a result nor a name")
            else:
                rows.append({key: value for key, value in row.items() if value or value == 0})
        return rows

    def _cut(self, line: int, what: str, text: str, room: int) -> str:
        if len(text) <= room:
            return text
        kept = text[:room].rsplit(" ", 1)[0]
        rest = text[len(kept) :].strip()[:60]
        self._tell(line, f'its {what} has {len(text)} letters and {room} fit: "{rest}" is left out')
        return kept

    def _tell(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.shown, line, 1, message))


def _column_of_ranges(rows: Sequence[Sequence[str]]) -> int | None:
    """Return which of the first two columns holds the results: three quarters of its cells are ranges."""
    for place in range(min(2, len(rows[0]))):
        if sum(_span(row[place]) is not None for row in rows) * 4 >= len(rows) * 3:
            return place
    return None


def _is_head(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Return whether an unmarked first row is a head: no range above a column of ranges, or in a table without any."""
    place = _column_of_ranges(rest)
    if place is None:
        return all(_span(cell) is None for row in (first, *rest) for cell in row[:2])
    return _span(first[place]) is None


def _plain_range(cell: str) -> str:
    return " ".join(_DASHES.sub("-", cell).lower().strip(" .:)%").split())


def _span(cell: str) -> Span | None:
    """A range as people write it; one without a lowest result stands for its highest."""
    text = _plain_range(cell)
    if "," in text:
        several = [int(part) for part in text.split(",") if part.strip().isdigit() and len(part.strip()) <= 4]
        run = bool(several) and len(several) == text.count(",") + 1
        return Span(several[0], several[-1]) if run and several == [*range(several[0], several[-1] + 1)] else None
    if match := _LOW.fullmatch(text):
        return Span(int(match[1] or match[2]), int(match[1] or match[2]))
    if match := _HIGH.fullmatch(text):
        return Span(int(match[1]), None)
    if not (match := _RANGE.fullmatch(text)):
        return None
    low = int(match[1])
    if match[3]:
        return Span(low, None)
    high = 100 if match[2] == "00" else int(match[2] or low)
    return Span(low, high) if high >= low and (high >= 0 or high == low) else None


def _rolled(text: str) -> Dice | None:
    """The dice that a head or a title names."""
    match = _DICE.search(text)
    if match is None:
        return None
    try:
        return Dice.parse(f"{match[1] or 1}d{'100' if match[2] == '%' else match[2]}")
    except ValueError:
        return None


_USUAL_DICE = {(1, faces): Dice(1, faces) for faces in (4, 6, 8, 10, 12, 20, 100)} | {
    (2, 12): Dice(2, 6),
    (3, 18): Dice(3, 6),
}
"""The dice that have these lowest and highest results."""


def _covered(spans: Sequence[Span], roll: Dice | None) -> dict[str, Any]:
    """Return `roll` and `covers` of a table with these results, rolled with those dice or the usual ones."""
    low, high = min(span.low for span in spans), max(span.low if span.high is None else span.high for span in spans)
    ends = {f"{end}" for span in spans for end in (span.low, span.high)}
    tens_and_ones = {f"{TENS_AND_ONES.low}", f"{TENS_AND_ONES.high}"} <= ends
    if tens_and_ones and all(len(end) == 2 and set(end) <= set("123456") for end in ends):
        return {"covers": str(TENS_AND_ONES)}
    open_ended = any(span.high is None for span in spans)
    roll = roll or (None if open_ended else _USUAL_DICE.get((low, high)))
    low, high = (roll.least, roll.most) if roll else (low, high)
    return ({"roll": roll.plain} if roll else {}) | {"covers": f"{low}+" if open_ended else f"{low}-{high}"}


def _lasts(cell: str) -> bool:
    try:
        return Until.parse(cell.lower()).amount is not None
    except ValueError:
        return False


def _slug(text: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return re.sub(r"^[^a-z]+", "", plain)[:36].strip("_")


def _free(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(free for free in (name, *(f"{name}_{number}" for number in range(2, 999))) if free not in names)

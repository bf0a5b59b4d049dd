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
from generator.model.rules import TENS_AND_ONES, Span, Until
from generator.pack.csv_cards import rows_of
from generator.pack.strict_yaml import UNSEEN

MOST_TABLES, MOST_ROWS, MOST_CELLS = 20, 200, 20
_LONGEST_LINE, _LONGEST_TEXT = 80, 400

_DICE = re.compile(r"(?<![a-z0-9])(\d{0,2})d(\d{1,4}|%)(?![a-z0-9])", re.IGNORECASE)
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_RANGE = re.compile(
    r"(-?\d{1,4})\s*(?:(?:-|to)\s*(-?\d{1,4})|(\+|or (?:more|higher|above|over|greater)|and (?:up|above|over|higher)))?"
)
_LOW = re.compile(r"(-?\d{1,4}) (?:or|and) (?:less|lower|below|under|fewer)|[<\u2264]=? ?(-?\d{1,4})")
_HIGH = re.compile(r"(?:>=|\u2265) ?(-?\d{1,4})")
_LISTED = re.compile(r"\s{0,6}(-?\d{1,4}(?:\s?[-\u2010-\u2015]\s?\d{1,4}|\+)?)[.):]\s+(\S.*)")
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
    text = _text(path)
    grids = [grid for grid in _grids(path, text) if grid.rows]
    problems: list[Problem] = []
    tables: list[dict[str, Any]] = []
    for grid in grids[:MOST_TABLES]:
        if table := _Reading(str(path), grid, problems).table(path.stem, {table["id"] for table in tables}):
            tables.append(table)
    for grid in grids[MOST_TABLES:]:
        problems.append(
            Problem(str(path), grid.rows[0][0], 1, f"left out: a pack takes {MOST_TABLES} tables from a file")
        )
    if not tables:
        hint = "two lines or more with cells between | or tabs, a numbered list, an HTML table or a CSV"
        raise HackjackError(f"{path}: no table in it: write {hint}")
    return PastedTables(tuple(tables), tuple(problems))


def _text(path: Path) -> str:
    text = limited_text(path, str(path), larger="copy the tables alone into a file of their own", wide=True)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Pages are full of marks for the direction of writing and the like, which no content may hold.
    return UNSEEN.sub(lambda found: found[0] if found[0] == "\t" else "", text)


def _grids(path: Path, text: str) -> Iterator[_Grid]:
    suffix = path.suffix.lower()
    if suffix in (".html", ".htm", ".xhtml") or re.search(r"<(table|ol)\b", text, re.IGNORECASE):
        page = _Page()
        page.feed(text)
        page.close()
        return iter(page.found)
    if suffix in (".csv", ".tsv"):
        return _from_cells(text, str(path))
    return _from_markdown(text)


# --- spreadsheets ----------------------------------------------------------------------------------------------------


def _from_cells(text: str, shown: str) -> Iterator[_Grid]:
    yield _Grid("", [(row[0].line, [cell.text for cell in row]) for row in rows_of(text, shown)])


# --- Markdown, and text as it is copied from a page ------------------------------------------------------------------


def _from_markdown(text: str) -> Iterator[_Grid]:
    """A title is the heading above a table, or else the last line above it that is no sentence."""
    title, kind, headed = "", "", False
    grid = _Grid("")
    for number, line in enumerate(text.split("\n"), 1):
        now = _kind(line)
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
        elif now == "list" and (item := _LISTED.fullmatch(line)):
            grid.rows.append((number, [item[1], _unmarked(item[2])]))
        elif line.lstrip().startswith("#"):
            title, headed = _unmarked(line.strip(" #")), True
        elif line.strip() and not (headed or line.rstrip().endswith((".", "!", "?"))):
            title = _unmarked(line.strip(" :"))
    yield grid


def _kind(line: str) -> str:
    if _PIPE.search(line) and not line.lstrip().startswith("#"):
        return "pipes"
    if "\t" in line.strip():
        return "tabs"
    return "list" if _LISTED.fullmatch(line) else ""


def _unmarked(text: str) -> str:
    for pattern, kept in _MARKS:
        text = pattern.sub(kept, text)
    return " ".join(text.split())


# --- HTML ------------------------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Tables and numbered lists of a page. A cell that spans rows or columns stands in each of them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[_Grid] = []
        self._open: list[_Grid] = []
        self._title = ""
        self._into: list[str] | None = None
        self._spans: dict[int, tuple[int, str]] = {}
        self._size = (1, 1)
        self._count = 0
        self._muted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag in ("script", "style"):
            self._muted += 1
        elif tag in ("table", "ol"):
            self._flush()
            self._open.append(_Grid(self._title))
            self._spans, self._count = {}, _whole(given.get("start", ""), 1) - 1
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6", "caption"):
            self._into = []
        elif tag == "tr" and self._open:
            self._flush()
            self._open[-1].rows.append((self.getpos()[0], []))
        elif tag in ("td", "th") and self._open and self._open[-1].rows:
            self._flush()
            self._into = []
            self._size = (_whole(given.get("colspan", ""), 1), _whole(given.get("rowspan", ""), 1))
            if tag == "th" and len(self._open[-1].rows) == 1:
                self._open[-1].headed = True
        elif tag == "li" and self._open:
            self._flush()
            self._count = _whole(given.get("value", ""), self._count + 1)
            self._open[-1].rows.append((self.getpos()[0], [str(self._count)]))
            self._into, self._size = [], (1, 1)
        elif tag in ("br", "p", "div") and self._into is not None:
            self._into.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._muted = max(0, self._muted - 1)
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6", "caption") and self._into is not None:
            text = " ".join("".join(self._into).split())
            self._into = None
            if tag == "caption" and self._open:
                self._open[-1].title = text or self._open[-1].title
            else:
                self._title = text
        elif tag in ("td", "th", "li", "tr"):
            self._flush()
            if tag == "tr" and self._open and self._open[-1].rows:
                self._fill(self._open[-1].rows[-1][1])
        elif tag in ("table", "ol") and self._open:
            self._flush()
            self.found.append(self._open.pop())

    def handle_data(self, data: str) -> None:
        if self._into is not None and not self._muted:
            self._into.append(data)

    def close(self) -> None:
        """A table that nobody closed is one all the same."""
        super().close()
        self._flush()
        while self._open:
            self.found.append(self._open.pop())

    def _flush(self) -> None:
        if self._into is None or not self._open or not self._open[-1].rows:
            return
        text, self._into = " ".join("".join(self._into).split()), None
        row = self._open[-1].rows[-1][1]
        self._fill(row)
        for _ in range(min(self._size[0], MOST_CELLS)):
            if self._size[1] > 1:
                self._spans[len(row)] = (self._size[1] - 1, text)
            row.append(text)

    def _fill(self, row: list[str]) -> None:
        """Repeat the cells above that reach down into this row."""
        while (left := self._spans.get(len(row))) is not None:
            self._spans.pop(len(row))
            if left[0] > 1:
                self._spans[len(row)] = (left[0] - 1, left[1])
            row.append(left[1])


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else otherwise


# --- rows ------------------------------------------------------------------------------------------------------------


class _Reading:
    """One grid as a table; `problems` grows by what does not fit."""

    def __init__(self, shown: str, grid: _Grid, problems: list[Problem]) -> None:
        self.shown, self.grid, self.problems = shown, grid, problems

    def table(self, stem: str, taken: Iterable[str]) -> dict[str, Any] | None:
        """Return the table as plain data; None where nothing in it is a row."""
        head, body = self._parted()
        if not body:
            return None
        roll = _rolled(" ".join([*head, self.grid.title]))
        ranges = self._column_of_ranges(body)
        title = self.grid.title[:_LONGEST_LINE] or stem.replace("_", " ")[:_LONGEST_LINE]
        table: dict[str, Any] = {"id": _free(_slug(title) or "results", taken), "title": title}
        spans = [self._span(line, cells[ranges], roll) if ranges is not None else None for line, cells in body]
        if ranges is not None:
            covered = [span for span in spans if span]
            if _tens_and_ones(covered):
                roll, table["covers"] = None, str(TENS_AND_ONES)
            else:
                roll = roll or _guessed(covered)
            top = max(span.low if span.high is None else span.high for span in covered)
            whole = f"{roll.least}-{roll.most}" if roll else f"{min(span.low for span in covered)}-{top}"
            open_ended = any(span.high is None for span in covered)
            table |= {"roll": roll.plain} if roll else {}
            least = roll.least if roll else min(span.low for span in covered)
            table.setdefault("covers", f"{least}+" if open_ended else whole)
        elif found := sum(_span(cells[0]) is not None for _, cells in body):
            message = f"the table is not rolled: only {found} of its {len(body)} rows begin with results such as 3, 1-4"
            self._tell(body[0][0], f"{message} or 13+")
        table["rows"] = self._rows(head, body, ranges, spans, table)
        return table if table["rows"] else None

    def _parted(self) -> tuple[list[str], list[tuple[int, list[str]]]]:
        """The head, empty where there is none, and the rows, each with as many cells as the widest."""
        rows = self.grid.rows
        wide = min(max(len(cells) for _, cells in rows), MOST_CELLS)
        for line, cells in rows:
            if len(cells) > wide:
                self._tell(line, f"cells after the first {MOST_CELLS} are left out")
        rows = [(line, (cells + [""] * wide)[:wide]) for line, cells in rows]
        headed = self.grid.headed or (len(rows) > 1 and _is_head(rows[0][1], [cells for _, cells in rows[1:]]))
        body = [(line, cells) for line, cells in rows[headed:] if any(cells)]
        for line, _ in body[MOST_ROWS:]:
            self._tell(line, f"left out: a table has {MOST_ROWS} rows at most")
        return (rows[0][1] if headed else []), body[:MOST_ROWS]

    def _column_of_ranges(self, body: Sequence[tuple[int, list[str]]]) -> int | None:
        """Which of the first two columns holds the results: most of its cells are ranges."""
        for place in range(min(2, len(body[0][1]))):
            if sum(_span(cells[place]) is not None for _, cells in body) * 4 >= len(body) * 3:
                return place
        return None

    def _span(self, line: int, cell: str, roll: Dice | None) -> Span | None:
        span = _span(cell)
        if span is None:
            self._tell(line, f'"{cell[:40]}" is no range of results such as 3, 1-4 or 13+')
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
        """The rows as plain data; adds `columns` to the table where there are words of their own to keep."""
        texts = [
            place for place in range(len(body[0][1])) if place != ranges and any(cells[place] for _, cells in body)
        ]
        lasting = next((place for place in texts[1:] if all(_lasts(cells[place]) for _, cells in body)), None)
        rest = [place for place in texts if place != lasting]
        longest = max(rest[1:], key=lambda place: sum(len(cells[place]) for _, cells in body), default=None)
        short = [
            place
            for place in rest[1:]
            if place != longest and all(1 <= len(cells[place]) <= _LONGEST_LINE for _, cells in body)
        ]
        ids: dict[int, str] = {}
        for place in short:
            named = head[place] if place < len(head) and head[place] else f"column {place + 1}"
            ids[place] = _free(_slug(named) or f"column_{place + 1}", ids.values())
            table.setdefault("columns", {})[ids[place]] = {"title": named[:_LONGEST_LINE]}
        rows = []
        for (line, cells), span in zip(body, spans, strict=True):
            if ranges is not None and span is None:
                continue
            row: dict[str, Any] = {"at": _written(span)} if span else {}
            notes = [cells[place] for place in rest[1:] if place not in short and cells[place]]
            name, note = cells[rest[0]] if rest else "", " ".join(notes)
            if len(rest) == 1 or len(name) > _LONGEST_LINE:
                found = _NAMED.fullmatch(name)
                name, more = (found["name"], found["note"]) if found else (name, "")
                note = " ".join(filter(None, (more, note)))
            row |= {"name": self._cut(line, "name", name, _LONGEST_LINE)} if name else {}
            row |= {"lasts": str(Until.parse(cells[lasting].lower()))} if lasting is not None else {}
            row |= {"cells": {key: cells[place] for place, key in ids.items()}} if ids else {}
            row |= {"note": self._cut(line, "note", note, _LONGEST_TEXT)} if note else {}
            if not name and span is None:
                self._tell(line, "left out: it has neither a result nor a name")
            else:
                rows.append(row)
        return rows

    def _cut(self, line: int, what: str, text: str, room: int) -> str:
        if len(text) <= room:
            return text
        kept = text[:room].rsplit(" ", 1)[0]
        self._tell(
            line, f'its {what} has {len(text)} signs and {room} fit: "{text[len(kept) :].strip()[:60]}" is left out'
        )
        return kept

    def _tell(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.shown, line, 1, message))


def _is_head(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether a first row that nothing marks is a head: no range in a column of ranges, or in a table without any."""
    for place, cell in enumerate(first[:2]):
        if _span(cell) is None and sum(_span(row[place]) is not None for row in rest) * 4 >= len(rest) * 3:
            return True
    return all(_span(cell) is None for row in (first, *rest) for cell in row[:2])


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


def _written(span: Span) -> int | str:
    return span.low if span.high == span.low else str(span)


def _rolled(text: str) -> Dice | None:
    """The dice that a head or a title names."""
    match = _DICE.search(text)
    if match is None:
        return None
    try:
        return Dice.parse(f"{match[1] or 1}d{'100' if match[2] == '%' else match[2]}")
    except ValueError:
        return None


def _tens_and_ones(spans: Sequence[Span]) -> bool:
    """Whether these are results of two six-sided dice, read as tens and ones."""
    ends = {f"{end}" for span in spans for end in (span.low, span.high)}
    whole = {f"{TENS_AND_ONES.low}", f"{TENS_AND_ONES.high}"} <= ends
    return whole and all(len(end) == 2 and set(end) <= set("123456") for end in ends)


def _guessed(spans: Sequence[Span]) -> Dice | None:
    """The dice whose results these are, where only one kind would be used for them."""
    low, high = min(span.low for span in spans), max(span.high or 0 for span in spans)
    if any(span.high is None for span in spans):
        return None
    known = {(1, faces): Dice(1, faces) for faces in (4, 6, 8, 10, 12, 20, 100)} | {
        (2, 12): Dice(2, 6),
        (3, 18): Dice(3, 6),
    }
    return known.get((low, high))


def _lasts(cell: str) -> bool:
    try:
        return Until.parse(cell.lower()).amount is not None
    except ValueError:
        return False


def _slug(text: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return re.sub(r"^[^a-z]+", "", plain)[:36].strip("_")


def _free(name: str, taken: Iterable[str]) -> str:
    known = set(taken)
    return next(free for free in (name, *(f"{name}_{number}" for number in range(2, 999))) if free not in known)

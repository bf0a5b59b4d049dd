"""Tables as people have them: Markdown, HTML, or cells from a spreadsheet, read into rows of results.

Nothing is guessed about what a result does: ranges, names and notes carry over. Each line that is not used and each
cell that does not fit is told with its line. No pattern sees more than MAX_LINE letters, and none can backtrack.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import HackjackError, Problem
from generator.base.fields import QUOTED, RULING
from generator.base.files import limited_text
from generator.base.text_input import composed
from generator.model.rules import DIGITS, Span, Until
from generator.model.taken_names import EVENTS
from generator.pack.csv_cards import rows_of
from generator.pack.strict_yaml import UNSEEN

MAX_TABLES, MAX_ROWS, MAX_CELLS = 20, 200, 20
MAX_LINE = 2_000
"""Letters in a line of text; a longer one is not read."""
MAX_PROBLEMS = 200
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH, _MAX_RANGE_LENGTH = 80, 400, 40
_WRAPPED = 40
"""A row of so many letters may go on in the next line."""
_DRAWN = frozenset(" \t|:+-=_*#~")
"""The characters of lines that are blank or drawn."""
_RUN = 5
"""So many unused lines between two tables are told one by one, the others together."""

_DICE = re.compile(r"(?<![a-z0-9])(\d{0,2}+)d(\d{1,4}+|%)(?: ?([+-]) ?(\d{1,3}+))?(?![a-z0-9])", re.IGNORECASE)
_DASHES = re.compile(r"[\u2010-\u2015\u2212~\u301c]|\.{2,3}+|\u2026")
_TO = r"(?:[-\u2010-\u2015\u2212~\u301c&]|\.\.|to|or|and)"
_RANGE = re.compile(
    r"(-?\d{1,4}+) ?(?:(?:-|to) ?(-?\d{1,4}+)|(\+|or (?:more|higher|above|over|greater)|and (?:up|above|over|higher)))?"
)
_SEVERAL = re.compile(r" ?(?:,|&|\bor\b|\band\b) ?")
_LOW = re.compile(r"(-?\d{1,4}+) (?:or|and) (?:less|lower|below|under|fewer)|[<\u2264]=? ?(-?\d{1,4}+)")
_HIGH = re.compile(r"(?:>=|\u2265) ?(-?\d{1,4}+)")
_ITEM = rf"\s{{0,6}}+(-?\d{{1,4}}+(?:\s?{_TO}\s?\d{{1,4}}+|\+)?)"
_LISTED = re.compile(rf"{_ITEM}[.):]\s++(\S.*+)")
_BARE = re.compile(rf"{_ITEM}\s++(\S.*+)")
"""A list without points behind its numbers, which is looked for only where there is nothing else."""
_PIPE = re.compile(r"(?<!\\)\|")
_MARKS = ((re.compile(r"<br\s?/?>", re.IGNORECASE), " "), (re.compile(r"!?\[([^\[\]]*+)\]\([^()\s]*+\)"), r"\1"))
_EMPHASIS = re.compile(r"\\[^\w\s]|\*{1,3}+|_{1,2}+|`++")
_NAMED = re.compile(r"(?P<name>[^.:!?\u2013\u2014]{2,60}?) ?(?:[:.!?]|[ ][-\u2013\u2014]) (?P<note>\S.*+)")
_ENDS = (".", "!", "?", ".)", ".\u201d", '."')


@dataclass(frozen=True)
class PastedTables:
    """What a file holds: tables as `tables.yaml` has them, and what could not be read, by line."""

    tables: tuple[dict[str, Any], ...]
    unread: tuple[Problem, ...]


@dataclass
class _Grid:
    """Cells as they stand, with the line of each row; the first row may be a head.

    `dice` is the line above a list that names its dice, `above` are the numbers of the lines of title and dice.
    """

    title: str
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    headed: bool = False
    dice: str = ""
    above: tuple[int, ...] = ()


@dataclass
class _Page:
    """The grids of a text, and the lines that belong to none: number -> text."""

    grids: list[_Grid] = field(default_factory=list)
    rest: dict[int, str] = field(default_factory=dict)

    def sorted_out(self) -> "_Page":
        """Return the page with the lines of grids of a single row among the rest."""
        grids = [grid for grid in self.grids if len(grid.rows) > 1]
        single = [row for grid in self.grids if len(grid.rows) == 1 for row in grid.rows]
        above = {line for grid in grids for line in grid.above}
        rest = self.rest | {line: " ".join(cells) for line, cells in single}
        return _Page(grids, {line: text for line, text in sorted(rest.items()) if line not in above})


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
    page = _page(text, label, suffix).sorted_out()
    problems: list[Problem] = []
    tables: list[dict[str, Any]] = []
    for grid in page.grids[:MAX_TABLES]:
        if table := _Reading(label, grid, problems).table(stem, {table["id"] for table in tables}):
            tables.append(table)
    for grid in page.grids[MAX_TABLES:]:
        problems.append(Problem(label, grid.rows[0][0], 1, f"left out: a pack takes {MAX_TABLES} tables from a file"))
    if not tables:
        hint = "two lines or more with cells between | or tabs, a numbered list, an HTML table or a CSV"
        raise HackjackError(f"{label}: no table in it: write {hint}")
    problems += _unused(page, label)
    problems.sort(key=lambda problem: problem.line)
    if more := problems[MAX_PROBLEMS:]:
        problems[MAX_PROBLEMS:] = [Problem(label, more[0].line, 1, f"{len(more)} more lines or cells are not used")]
    return PastedTables(tuple(tables), tuple(problems))


def _page(text: str, label: str, suffix: str) -> _Page:
    if suffix in (".html", ".htm", ".xhtml") or re.search(r"<(table|ol)\b", text, re.IGNORECASE):
        return _HtmlReader().read(text)
    if suffix in (".csv", ".tsv") or text.lstrip('"')[:4].lower() == "sep=":
        return _Page(
            [_Grid("", [(row[0].line, [cell.text.replace("\n", " ") for cell in row]) for row in rows_of(text, label)])]
        )
    page = _TextReader(_LISTED).read(text)
    return page if page.sorted_out().grids else _TextReader(_BARE).read(text)


def _unused(page: _Page, label: str) -> Iterator[Problem]:
    """Tell each line that belongs to no table; after the first ones between two tables the others are told together."""
    used = [line for grid in page.grids for line, _ in grid.rows]
    for _, group in groupby(page.rest.items(), key=lambda entry: bisect(used, entry[0])):
        lines = [*group]
        each = lines if len(lines) <= _RUN + 1 else lines[:_RUN]
        yield from (Problem(label, number, 1, f'not used: "{_start(text)}"') for number, text in each)
        if more := lines[len(each) :]:
            message = f"lines {more[0][0]} to {more[-1][0]} are not used"
            yield Problem(label, more[0][0], 1, f'{message}: "{_start(more[0][1])}" and so on')


def _start(text: str) -> str:
    text = " ".join(text[:MAX_LINE].split())
    return text if len(text) <= 60 else f"{text[:60].rsplit(' ', 1)[0]} \u2026"


# --- Markdown, and text as it is copied from a page ------------------------------------------------------------------


class _TextReader:
    """Read the tables and lists of a text.

    A title is the heading above a table, or else the last line above it that is no sentence.
    """

    def __init__(self, listed: re.Pattern[str]) -> None:
        self.page = _Page()
        self._listed = listed
        self._grid = _Grid("")
        self._kind, self._has_gap = "", False
        self._lines: list[tuple[int, str]] = []
        """Those of the table that is open."""
        self._loose: list[tuple[int, str]] = []
        """Lines below a row, which may go on with it."""
        self._title, self._dice = (0, ""), (0, "")
        self._is_heading = False

    def read(self, text: str) -> _Page:
        """Return what the text holds."""
        for number, line in enumerate(text.split("\n"), 1):
            kind = "" if len(line) > MAX_LINE else self._kind_of(line)
            if not line.strip() or set(line) <= _DRAWN:
                self._pause(line)
            elif kind:
                self._row(number, line, kind)
            elif self._kind == "list" and line[:1] in (" ", "\t") and not self._loose:
                self._join(number, line)
            elif self._kind and not self._has_gap:
                self._loose.append((number, line))
            else:
                self._close()
                self._other(number, line)
        self._close()
        return self.page

    def _kind_of(self, line: str) -> str:
        if _PIPE.search(line) and not line.lstrip().startswith("#"):
            return "pipes"
        if "\t" in line.strip():
            return "tabs"
        return "list" if self._listed.fullmatch(line) else ""

    def _pause(self, line: str) -> None:
        """Take a line that is blank or drawn: it ends all tables but lists, and a table that is drawn with lines."""
        if self._kind == "pipes" and line.strip():
            self._grid.headed = self._grid.headed or len(self._grid.rows) == 1
            return
        self._end_item()
        if self._kind == "list" and not self._loose:
            self._has_gap = True
        else:
            self._close()

    def _row(self, number: int, line: str, kind: str) -> None:
        cells = self._cells(line, kind)
        if kind == self._kind and (self._loose or self._has_gap):
            if _follows(self._grid.rows[-1][1][0], cells[0]):
                for entry in self._loose:
                    self._join(*entry)
                self._loose = []
            else:
                self._close()
        if kind != self._kind:
            self._close()
            above = (self._title[0], self._dice[0])
            self._kind, self._grid = kind, _Grid(self._title[1], dice=self._dice[1], above=above)
            self._lines, self._dice = [], (0, "")
        self._has_gap = False
        self._grid.rows.append((number, cells))
        self._lines.append((number, line))

    def _cells(self, line: str, kind: str) -> list[str]:
        if kind == "list" and (item := self._listed.fullmatch(line)):
            return [item[1], _unmarked(item[2])]
        if kind == "tabs":
            return [_unmarked(cell) for cell in line.split("\t")]
        cells = _PIPE.split(line.strip().removeprefix("|"))
        return [_unmarked(cell) for cell in (cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells)]

    def _join(self, number: int, line: str) -> None:
        """Add a line to the row above, which it goes on with."""
        cells = self._grid.rows[-1][1]
        if len(line) + len(cells[-1]) > MAX_LINE:
            self.page.rest[number] = line
        else:
            cells[-1] = f"{cells[-1]} {_unmarked(line)}".strip()
            self._lines.append((number, line))

    def _end_item(self) -> None:
        """Join the lines below the last row of a list to it, as far as they go on with a sentence."""
        count = 0
        for number, line in self._loose if self._kind == "list" else ():
            text = self._grid.rows[-1][1][1]
            if text.endswith(_ENDS) or not (line[:1].islower() or len(text) >= _WRAPPED):
                break
            self._join(number, line)
            count += 1
        del self._loose[:count]

    def _close(self) -> None:
        """End the table or list that is open; what stands below its last row is read as other lines."""
        if not self._kind:
            return
        self._end_item()
        if self._kind == "list" and len(self._grid.rows) == 1:
            # It may be a numbered title.
            self._loose[:0] = self._lines
        else:
            self.page.grids.append(self._grid)
            self._is_heading = False
        self._kind, self._has_gap = "", False
        loose, self._loose = self._loose, []
        for number, line in loose:
            self._other(number, line)

    def _other(self, number: int, line: str) -> None:
        self.page.rest[number] = line
        text = line.strip()
        if text.startswith("#"):
            self._title, self._is_heading = (number, _unmarked(text.strip(" #"))), True
        elif len(text) <= MAX_LINE and not text.endswith((".", "!", "?")):
            if self._title[1] and _DICE.match(text):
                self._dice = (number, text)
            elif not self._is_heading:
                self._title = (number, _unmarked(text.strip(" :")))


def _unmarked(text: str) -> str:
    """Return a text without the marks and escapes of Markdown, and with single blanks."""
    for pattern, kept in _MARKS:
        text = pattern.sub(kept, text)
    parts: list[str] = []
    open_marks: dict[str, int] = {}
    end = 0
    for match in _EMPHASIS.finditer(text):
        mark, before, after = match[0], text[: match.start()][-1:], text[match.end() :][:1]
        parts.append(text[end : match.start()])
        end = match.end()
        if mark[0] == "\\":
            parts.append(mark[1])
        elif mark in open_marks and before.strip() and not after.isalnum():
            parts[open_marks.pop(mark)] = ""
        else:
            if after.strip() and not before.isalnum():
                open_marks[mark] = len(parts)
            parts.append(mark)
    return " ".join("".join([*parts, text[end:]]).split())


# --- HTML ------------------------------------------------------------------------------------------------------------


_TITLES = ("caption", "h1", "h2", "h3", "h4", "h5", "h6")


_TAG = re.compile(r"""<(?:[!?][^<>]*+|(/?)([a-z][a-z0-9]{0,20}+)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+))>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(colspan|rowspan|start|value) ?= ?["']?([0-9]{1,4}+)(?![0-9])""", re.IGNORECASE)
_SKIPPED = {"script": "</script", "style": "</style"}


class _HtmlReader:
    """Read the tables and numbered lists of a page; a cell that spans rows or columns is repeated in each.

    Tags are found by patterns that cannot backtrack: the parser of the standard library takes minutes for some texts.
    """

    def __init__(self) -> None:
        self.page = _Page()
        self._open: list[_Grid] = []
        self._title, self._tag, self._text = (0, ""), "", list[str]()
        self._number_of_line = 1
        self._line = 0
        """Where the text begins; 0 before it does."""
        self._span, self._number = (1, 1), 0
        self._below: dict[int, tuple[int, str]] = {}

    def read(self, text: str) -> _Page:
        """Return what the page holds."""
        lower = re.sub("[A-Z]++", lambda match: match[0].lower(), text)
        last = {end: lower.rfind(end) for end in ("-->", *_SKIPPED.values())}
        at = 0
        while at < len(text):
            begin = text.find("<", at)
            begin = len(text) if begin < 0 else begin
            self._data(text[at:begin])
            match = _TAG.match(text, begin)
            name = match[2].lower() if match and match[2] else ""
            is_end = bool(match and match[1])
            until = "-->" if text.startswith("<!--", begin) else "" if is_end else _SKIPPED.get(name, "")
            at = match.end() if match else begin + 1
            if until and last[until] > begin:
                at = lower.index(until, begin) + len(until) * (until == "-->")
            if name and is_end:
                self._end(name)
            elif name and match:
                self._begin(name, {key.lower(): int(value) for key, value in _ATTRIBUTE.findall(match[3])})
            elif not match and not until:
                self._data(text[begin:at])
            self._number_of_line += text.count("\n", begin, at)
        self._finish()
        self.page.grids += reversed(self._open)
        return self.page

    def _begin(self, tag: str, numbers: dict[str, int]) -> None:
        rows = self._open[-1].rows if self._open else []
        if tag in _TITLES or tag in ("table", "ol") or (self._open and tag in ("tr", "td", "th", "li")):
            self._finish()
            self._tag, self._text = tag, []
            self._span = (min(numbers.get("colspan", 1), MAX_CELLS), numbers.get("rowspan", 1))
        else:
            self._text.append(" " if tag in ("br", "p", "div") else "")
        if tag in ("table", "ol"):
            self._open.append(_Grid(self._title[1], above=(self._title[0],)))
            self._below, self._number = {}, numbers.get("start", 1) - 1
        elif tag in ("tr", "li") and self._open:
            self._number = numbers.get("value", self._number + 1)
            rows.append((self._number_of_line, [str(self._number)] if tag == "li" else []))
        elif tag == "th" and len(rows) == 1:
            self._open[-1].headed = True

    def _end(self, tag: str) -> None:
        if tag in ("td", "th", "li", "tr", "table", "ol", *_TITLES):
            self._finish()
        if tag == "tr" and self._open and self._open[-1].rows:
            self._repeat_above(self._open[-1].rows[-1][1])
        elif tag in ("table", "ol") and self._open:
            self.page.grids.append(self._open.pop())

    def _data(self, data: str) -> None:
        if not self._line and data.strip():
            self._line = self._number_of_line + data[: len(data) - len(data.lstrip())].count("\n")
        self._number_of_line += data.count("\n")
        self._text.append(unescape(data))

    def _finish(self) -> None:
        """Store the text of the title or cell that ends here."""
        tag, text, self._tag = self._tag, " ".join("".join(self._text).split()), ""
        self._text = []
        if tag == "caption" and self._open:
            self._open[-1].title = text or self._open[-1].title
        elif tag in _TITLES:
            self._title = (self._line, text)
            self.page.rest[self._line] = text
        elif tag in ("td", "th", "li") and self._open and self._open[-1].rows:
            row = self._open[-1].rows[-1][1]
            self._repeat_above(row)
            for _ in range(self._span[0]):
                self._below[len(row)] = (self._span[1] - 1, text)
                row.append(text)
        elif text:
            self.page.rest[self._line] = text
        self._line = 0

    def _repeat_above(self, row: list[str]) -> None:
        while (cell := self._below.pop(len(row), (0, "")))[0]:
            self._below[len(row)] = (cell[0] - 1, cell[1])
            row.append(cell[1])


# --- rows ------------------------------------------------------------------------------------------------------------

_Row = tuple[int, list[str]]


class _Reading:
    """Read one grid as a table; `problems` grows by what does not fit."""

    def __init__(self, shown: str, grid: _Grid, problems: list[Problem]) -> None:
        self.shown, self.grid, self.problems = shown, grid, problems

    def table(self, stem: str, taken: Iterable[str]) -> dict[str, Any] | None:
        """Return the table as plain data, or None if it has no rows."""
        head, body = _in_one_column(*self._parted())
        if not body:
            return None
        ranges = _column_of_ranges([cells for _, cells in body])
        title = self._cut(body[0][0], "title", _plain(self.grid.title or stem.replace("_", " ")), _MAX_LINE_LENGTH)
        table: dict[str, Any] = {"id": _free(_slug(title) or "results", [*taken, *EVENTS]), "title": title}
        results: list[tuple[_Row, Span | None]] = [(row, None) for row in body]
        if ranges is not None:
            dice = [_rolled(text) for text in (self.grid.dice or (head and head[ranges]) or "", title, *head)]
            known = self._results(body, ranges, dice[0])
            results = [*known]
            table |= self._covered(known, dice)
        elif count := sum(_span(cells[0]) is not None for _, cells in body):
            message = f"the table is not rolled: only {count} of its {len(body)} rows begin with results such as 3, 1-4"
            self._tell(body[0][0], f"{message} or 13+")
        table["rows"] = self._rows(head, results, ranges, table)
        return table if table["rows"] else None

    def _parted(self) -> tuple[list[str], list[_Row]]:
        """Return the head (empty if there is none) and the rows, all of the same width."""
        rows = self.grid.rows
        width = min(max(len(cells) for _, cells in rows), MAX_CELLS)
        for line, cells in rows:
            if len(cells) > width:
                self._tell(line, f"cells after the first {MAX_CELLS} are left out")
        rows = [(line, [*map(_plain, (cells + [""] * width)[:width])]) for line, cells in rows]
        headed = self.grid.headed or (len(rows) > 1 and _is_head(rows[0][1], [cells for _, cells in rows[1:]]))
        body = [(line, cells) for line, cells in rows[headed:] if any(cells)]
        for line, _ in body[MAX_ROWS:]:
            self._tell(line, f"left out: a table has {MAX_ROWS} rows at most")
        return (rows[0][1] if headed else []), body[:MAX_ROWS]

    def _results(self, body: Sequence[_Row], ranges: int, roll: Dice | None) -> list[tuple[_Row, Span]]:
        """Return the rows that have results, in rising order; tell of the others."""
        results: list[tuple[_Row, Span]] = []
        for line, cells in body:
            cell = cells[ranges]
            if (span := _span(cell)) is None:
                self._tell(line, f'"{cell[:40]}" is not a range of results such as 3, 1-4 or 13+: the row is left out')
                continue
            if _LOW.fullmatch(_plain_range(cell)):
                if roll is None:
                    self._tell(line, f'"{cell[:40]}" became {span.low}: a range has a lowest result')
                elif roll.least < span.low:
                    span = Span(roll.least, span.low)
            results.append(((line, cells), span))
        others = [span for _, span in results if span != Span(0, 0)]
        for at, (row, span) in enumerate(results):
            digits = len(row[1][ranges].strip(" .:)%"))
            # The 0 of a ten-sided die is its ten, and 00 the hundred.
            is_ten = (roll == Dice(1, 10)) if roll else min((each.low for each in others), default=0) == 1
            if span == Span(0, 0) and others and (digits > 1 or (is_ten and 9 in {each.high for each in others})):
                results[at] = (row, Span(10**digits, 10**digits))
        return sorted(results, key=lambda result: result[1].low)

    def _covered(self, results: Sequence[tuple[_Row, Span]], dice: Sequence[Dice | None]) -> dict[str, Any]:
        """Return `roll` and `covers` of a table; nothing, and tell why, where its rows cannot be rolled.

        `dice` are those that its column of results names, then its title, then other heads.
        """
        if not results:
            return {}
        spans = [span for _, span in results]
        low = spans[0].low
        high = None if any(span.high is None for span in spans) else max(span.high or 0 for span in spans)
        covers = Span(low, high)
        said = dice[0]
        if said and said.count == 1 and not said.plus and (low, high) == (0, said.faces - 1):
            said = Dice(1, said.faces, -1)
        fitting = (each for each in (said, *dice[1:]) if each and _fits(each, covers))
        roll = next(fitting, None if high is None else _USUAL_DICE.get((low, high)))
        faults = [*_faults(results, covers)]
        if said and not _fits(said, covers):
            line, rolled = results[0][0][0], Span(said.least, said.most)
            faults.append((line, f"{said.spoken} shows {rolled}, and the rows have {covers}"))
        for line, fault in faults:
            self._tell(line, f"the table is not rolled: {fault}")
        if faults:
            return {}
        return ({"roll": roll.plain} if roll and covers not in DIGITS else {}) | {"covers": str(covers)}

    def _rows(
        self,
        head: Sequence[str],
        results: Sequence[tuple[_Row, Span | None]],
        ranges: int | None,
        table: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Return the rows as plain data; the first column of words is the name, the longest other one the note.

        Short columns become `columns` of the table. Where the table is not rolled, results stand before the names.
        """
        columns = list(zip(*(cells for (_, cells), _ in results), strict=True))
        words = [place for place, column in enumerate(columns) if place != ranges and any(column)]
        lasting = next((place for place in words[1:] if all(map(_lasts, columns[place]))), None)
        rest = [place for place in words if place != lasting]
        first = rest.pop(0) if rest else None
        longest = max(rest, key=lambda place: sum(map(len, columns[place])), default=None)
        ids: dict[int, str] = {}
        for place in rest:
            if place != longest and all(1 <= len(cell) <= _MAX_LINE_LENGTH for cell in columns[place]):
                title = head[place] if head and head[place] else f"column {place + 1}"
                ids[place] = _free(_slug(title) or f"column_{place + 1}", ids.values())
                table.setdefault("columns", {})[ids[place]] = {"title": title[:_MAX_LINE_LENGTH]}
        rows: list[dict[str, Any]] = []
        names: set[str] = set()
        for (line, cells), span in results:
            name = "" if first is None else cells[first]
            noted = [place for place in rest if place not in ids and cells[place]]
            note = "; ".join(f"{head[place]}: {cells[place]}" if head else cells[place] for place in noted)
            note = cells[noted[0]] if [*noted] == [longest] else note
            if (not rest or len(name) > _MAX_LINE_LENGTH) and (match := _NAMED.fullmatch(name)):
                name, note = match["name"], f"{match['note']} {note}".strip()
            at = span if "covers" in table else None
            if at and len(name) > _MAX_LINE_LENGTH:
                # A row with a result needs no name.
                name, note = "", f"{name} {note}".strip()
            if span and not at:
                name = f"{span}: {name}" if name else str(span)
            elif span and not any((name, note, *(cells[place] for place in (*ids, lasting) if place is not None))):
                self._tell(line, "nothing stands beside its result: a dash took its place")
                name = "\u2014"
            if not name and span is None:
                self._tell(line, "left out: it has neither a result nor a name")
                continue
            name = self._cut(line, "name", name, _MAX_LINE_LENGTH)
            if not at and name.casefold() in names:
                free = (f"{name[: _MAX_LINE_LENGTH - 6]} ({number})" for number in range(2, 999))
                other = next(other for other in free if other.casefold() not in names)
                self._tell(line, f'another row is called "{name}": this one became "{other}"')
                name = other
            names.add(name.casefold())
            row = {
                "at": at and (at.low if at.high == at.low else str(at)),
                "name": name,
                "lasts": None if lasting is None else str(Until.parse(cells[lasting].lower())),
                "cells": {key: cells[place] for place, key in ids.items()},
                "note": self._cut(line, "note", note, _MAX_TEXT_LENGTH),
            }
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


def _plain(text: str) -> str:
    """Return a text that quotes no number and no ruling of a pack."""
    return RULING.sub(r"(\1)", QUOTED.sub(r"(\1)", text))


def _in_one_column(head: list[str], body: list[_Row]) -> tuple[list[str], list[_Row]]:
    """Return a table whose parts stand side by side with the parts below one another.

    They are parts of one table if their heads are alike, or if their results follow one another without gap.
    """
    width = len(body[0][1]) if body else 0
    for parts in (2, 3, 4):
        wide = width // parts
        places = range(0, width, wide) if width % parts == 0 and wide > 1 else ()
        rows = [(line, cells[at : at + wide]) for at in places for line, cells in body if any(cells[at : at + wide])]
        spans = [span for _, cells in rows if (span := _span(cells[0]))]
        if not rows or len(spans) < len(rows):
            continue
        is_repeated = bool(head) and [*map(str.casefold, head)] == [*map(str.casefold, head[:wide])] * parts
        rising = sorted(spans, key=lambda span: span.low)
        if is_repeated or all(one.high is not None and one.high + 1 == other.low for one, other in pairwise(rising)):
            return head[:wide], rows
    return head, body


def _fits(dice: Dice, covers: Span) -> bool:
    """Return whether every total of the dice has a row."""
    return covers.low <= dice.least and (covers.high is None or dice.most <= covers.high)


def _faults(results: Sequence[tuple[_Row, Span]], covers: Span) -> Iterator[tuple[int, str]]:
    """Yield the gaps and overlaps of results in rising order, each with its line."""
    if covers.high is not None and covers.high < 1:
        yield results[0][0][0], "none of its results is above 0"
        return
    for (_, one), ((line, _), other) in pairwise(results):
        after = None if one.high is None else one.high + 1
        while after and covers in DIGITS and after < other.low and not set(str(after)) <= set("123456"):
            after += 1
        if after is None or other.low < after:
            yield line, f"the rows {one} and {other} overlap"
        elif other.low > after:
            yield line, f"no row has {after if after == other.low - 1 else Span(after, other.low - 1)}"


def _follows(above: str, below: str) -> bool:
    """Return whether the results of one row continue those of another, rising or falling."""
    one, other = _span(above), _span(below)
    return one is not None and other is not None and (one.high == other.low - 1 or other.high == one.low - 1)


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
    """Return a range as people write it; one without a lowest result stands for its highest, 00 alone for 0."""
    text = _plain_range(cell) if len(cell) <= _MAX_RANGE_LENGTH else ""
    several = _SEVERAL.split(text)
    if len(several) > 1 and all(re.fullmatch("[0-9]{1,4}", part) for part in several):
        low, high = int(several[0]), int(several[-1])
        return Span(low, high) if [*map(int, several)] == [*range(low, high + 1)] else None
    if match := _LOW.fullmatch(text):
        return Span(int(match[1] or match[2]), int(match[1] or match[2]))
    if match := _HIGH.fullmatch(text):
        return Span(int(match[1]), None)
    if not (match := _RANGE.fullmatch(text)):
        return None
    low = int(match[1])
    if match[3]:
        return Span(low, None)
    zeros = match[2] and not match[2].strip("0") and low > 0
    high = 10 ** len(match[2]) if zeros else int(match[2] or low)
    return Span(low, high) if high >= low and (high >= 0 or high == low) else None


def _rolled(text: str) -> Dice | None:
    """Return the dice that a head or a title names; d66 and d666 are none."""
    match = _DICE.search(_DASHES.sub("-", text[:MAX_LINE]))
    if match is None or match[2] in ("66", "666"):
        return None
    try:
        plus = f"{match[3]}{match[4]}" if match[3] else ""
        return Dice.parse(f"{match[1] or 1}d{'100' if match[2] == '%' else match[2]}{plus}")
    except ValueError:
        return None


_USUAL_DICE = {(1, faces): Dice(1, faces) for faces in (4, 6, 8, 10, 12, 20, 100)} | {
    (2, 12): Dice(2, 6),
    (3, 18): Dice(3, 6),
    (0, 99): Dice(1, 100, -1),
}
"""The dice that have these lowest and highest results."""


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

"""A grid of cells as a table: its dice, its results, its columns, and the name and the words of each row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import Problem
from generator.base.fields import QUOTED, RULING
from generator.model.rules import DIGITS, Span, Until
from generator.model.taken_names import EVENTS
from generator.prose.blocks import Block
from generator.prose.placed import BOLD, EMPTY, END, Placed, even, joined
from generator.prose.ranges import LOW, USUAL_DICE, fits, plain_range, rolled, span

MAX_ROWS = 200
MAX_NAME, MAX_TEXT = 80, 400
_MAX_COLUMNS, _MAX_HEAD = 20, 40
_NAMED = re.compile(
    r"(?P<name>(?:[^.:!?\u2013\u2014(]|\([^()]{0,40}\)){2,60}?) ?(?:[:.!?]|[ ][-\u2013\u2014](?! ?\d)) (?P<note>\S.*+)"
)
_HEADS = re.compile(
    r"(?:injury|name|results?|wound|effects?|description|madness|mishap|details|notes?|outcome|condition|critical|disorder"
    r"|symptoms?|consequences?|impact|scar|type|text|what|location|area|part|body part|place)\b"
)
"""Heads of columns that are a name or its words, and no results of their own."""
_BOLD_AND_MORE = re.compile(rf"\s*{BOLD}([^{BOLD}{END}]{{2,60}}){END}(?:\s?[.:\u2013\u2014]\s*+|\s*+(?![a-z]))(\S.*+)")
"""A name that stands out from the words behind it."""
_ROLL = re.compile(r"\brolls? (?:an? |one |your )?\d{0,2}d\d", re.IGNORECASE)
_COLUMN_AT = re.compile(r"\s*(\d{1,3})(?:\s?[-\u2013/]\s?(\d{1,3}))?\s?[-\u2013.:]\s?")


@dataclass
class ReadRow:
    """A row: its results, its name, its words, and the words in each column."""

    line: int
    at: Span | None
    name: Placed = EMPTY
    note: Placed = EMPTY
    cells: dict[str, Placed] = field(default_factory=dict)
    lasts: str = ""
    code: str = ""


@dataclass
class ReadTable:
    """A table: `written` are its keys but for the rows, as `tables.yaml` has them."""

    written: dict[str, Any]
    rows: list[ReadRow]
    block: Block

    def plain(self) -> dict[str, Any]:
        """Return it as `tables.yaml` has it, with the words as they stand."""
        return {**self.written, "rows": [plain_row(row) for row in self.rows]}


def plain_row(row: ReadRow) -> dict[str, Any]:
    """Return a row as `tables.yaml` has it, with the words as they stand."""
    index = row.at and (row.at.low if row.at.high == row.at.low else str(row.at))
    cells = {key: plain_words(cell.text) for key, cell in row.cells.items() if cell.text}
    written = {
        "at": index, "name": plain_words(row.name.text)[:MAX_NAME], "lasts": row.lasts, "cells": cells,
        "note": plain_words(row.note.text),
    }  # fmt: skip
    return {key: value for key, value in written.items() if value or value == 0}


def plain_words(text: str) -> str:
    """Return a text that quotes no number and no ruling of a pack."""
    return RULING.sub(r"(\1)", QUOTED.sub(r"(\1)", text))


def slug(text: str) -> str:
    """Return an id that is made of a text; empty if there is nothing to make one of."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return re.sub(r"^[^a-z]+", "", plain)[:36].strip("_")


def free(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken: the same, or with a number."""
    names = set(taken)
    return next(each for each in (name, *(f"{name}_{number}" for number in range(2, 9999))) if each not in names)


def named_words(text: Placed) -> tuple[Placed, Placed]:
    """Return the name of a row and its words; what is no name stays among the words."""
    match = _NAMED.fullmatch(text.text)
    if match is None:
        return text, EMPTY
    return text.cut(*match.span("name")), text.cut(match.start("note"))


class Reading:
    """Reads one grid; `problems` grows by what does not fit."""

    def __init__(self, label: str, block: Block, problems: list[Problem]) -> None:
        self.label, self.block, self.problems = label, block, problems
        self.named: dict[int, tuple[Placed, Placed]] = {}
        """The names in bold letters and the words behind them, by the place of their cell."""
        self.left: list[_Row] = []
        """The rows that are no rows of the table, which are printed as text."""

    def table(self, stem: str, taken: Iterable[str], taken_titles: Iterable[str] = ()) -> ReadTable | None:
        """Return the table, or None if it has no rows."""
        head, body = _in_one_column(*self._parted())
        if not body:
            return None
        ranges = _column_of_ranges([cells for _, cells in body])
        if self.block.title in taken_titles and head:
            own = [text for place, text in enumerate(head) if place != ranges and text]
            self.block.title = own[0] if 0 < len(own) < 3 else self.block.title
        title = self._cut(body[0][0], "title", plain_words(self.block.title or stem.replace("_", " ")), MAX_NAME)
        written: dict[str, Any] = {"id": free(slug(title) or "results", [*taken, *EVENTS]), "title": title}
        results: list[tuple[_Row, Span | None]] = [(row, None) for row in body]
        if ranges is not None:
            dice = [rolled(text) for text in (self.block.dice or (head and head[ranges]) or "", title, *head)]
            known = self._results(body, ranges, dice[0])
            results = [*known]
            written |= self._covered(known, dice)
        elif count := sum(span(cells[0].text) is not None for _, cells in body):
            message = f"the table is not rolled: only {count} of its {len(body)} rows begin with results such as 3, 1-4"
            self._tell(body[0][0], f"{message} or 13+")
        rows = self._rows(head, results, ranges, written)
        return ReadTable(written, rows, self.block) if rows else None

    def _parted(self) -> tuple[list[str], list[_Row]]:
        """Return the head (empty if there is none) and the rows, all of the same width."""
        width = min(max(len(row.cells) for row in self.block.rows), _MAX_COLUMNS)
        rows: list[_Row] = []
        for row in self.block.rows:
            if len(row.cells) > width:
                self._tell(row.line, f"cells after the first {_MAX_COLUMNS} are left out")
            cells = [cell.bare() for cell in (row.cells + [EMPTY] * width)[:width]]
            for whole, cell in zip(row.cells, cells, strict=False):
                if match := _BOLD_AND_MORE.fullmatch(whole.text):
                    name, more = whole.cut(*match.span(1)), whole.cut(match.start(2))
                    self.named[cell.at[0]] = name.bare().stripped(" .:"), more.bare()
            rows.append((row.line, cells))
        headed = self.block.headed or (len(rows) > 1 and _is_head(rows[0][1], [cells for _, cells in rows[1:]]))
        headed = headed and not self.block.is_list
        if headed and len(rows) > 3 and _goes_on([cells for _, cells in rows]):
            # Titles of columns below titles of several columns.
            both = [(one, other) if one != other else (one,) for one, other in zip(rows[0][1], rows[1][1], strict=True)]
            rows[:2] = [(rows[0][0], [joined([each for each in pair if each.text], " ") for pair in both])]
        body = [(line, cells) for line, cells in rows[headed:] if any(cell.text for cell in cells)]
        for line, _ in body[MAX_ROWS:]:
            self._tell(line, f"a table has {MAX_ROWS} rows at most: the row is text")
        self.left += body[MAX_ROWS:]
        return ([plain_words(cell.text) for cell in rows[0][1]] if headed else []), body[:MAX_ROWS]

    def _results(self, body: Sequence[_Row], ranges: int, roll: Dice | None) -> list[tuple[_Row, Span]]:
        """Return the rows that have results, in rising order; tell of the others."""
        results: list[tuple[_Row, Span]] = []
        for line, cells in body:
            cell = cells[ranges].text
            if (covered := span(cell)) is None:
                self._tell(line, f'"{cell[:40]}" is not a range of results such as 3, 1-4 or 13+: the row is text')
                self.left.append((line, cells))
                continue
            if LOW.fullmatch(plain_range(cell)):
                if roll is None:
                    self._tell(line, f'"{cell[:40]}" became {covered.low}: a range has a lowest result')
                elif roll.least < covered.low:
                    covered = Span(roll.least, covered.low)
            results.append(((line, cells), covered))
        others = [covered for _, covered in results if covered != Span(0, 0)]
        for place, (row, covered) in enumerate(results):
            digits = len(row[1][ranges].text.strip(" .:)%"))
            # The 0 of a ten-sided die is its ten, and 00 the hundred.
            is_ten = (roll == Dice(1, 10)) if roll else min((each.low for each in others), default=0) == 1
            if covered == Span(0, 0) and others and (digits > 1 or (is_ten and 9 in {each.high for each in others})):
                results[place] = (row, Span(10**digits, 10**digits))
        return sorted(results, key=lambda result: result[1].low)

    def _covered(self, results: Sequence[tuple[_Row, Span]], dice: Sequence[Dice | None]) -> dict[str, Any]:
        """Return `roll` and `covers` of a table; nothing, and tell why, where its rows cannot be rolled.

        `dice` are those that its column of results names, then its title, then other heads.
        """
        if not results:
            return {}
        spans = [covered for _, covered in results]
        low = spans[0].low
        high = None if any(covered.high is None for covered in spans) else max(covered.high or 0 for covered in spans)
        covers = Span(low, high)
        named_dice = dice[0]
        if named_dice and named_dice.count == 1 and not named_dice.plus and (low, high) == (0, named_dice.faces - 1):
            named_dice = Dice(1, named_dice.faces, -1)
        fitting = (each for each in (named_dice, *dice[1:]) if each and fits(each, covers))
        roll = next(fitting, None if high is None else USUAL_DICE.get((low, high)))
        faults = [*_faults(results, covers)]
        if named_dice and not fits(named_dice, covers) and (not self.block.is_list or _ROLL.search(self.block.dice)):
            line, shown = results[0][0][0], Span(named_dice.least, named_dice.most)
            faults.append((line, f"{named_dice.spoken} shows {shown}, and the rows have {covers}"))
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
        written: dict[str, Any],
    ) -> list[ReadRow]:
        """Return the rows; the first column of words is the name, the longest other one the note.

        Short columns become `columns` of the table. Where the table is not rolled, results stand before the names.
        """
        columns = list(zip(*(cells for (_, cells), _ in results), strict=True))
        words = [place for place, column in enumerate(columns) if place != ranges and any(each.text for each in column)]
        named = words[0] if len(words) > 3 and head and _HEADS.match(even(head[words[0]]).strip(" *:")) else None
        own = words if named is None else words[1:]
        if len(own) > 1 and head and _are_results([head[place] for place in own], [columns[place] for place in own]):
            return self._in_columns([head[place] for place in own], own, results, written, named)
        lasting = next((place for place in words[1:] if all(_lasts(cell.text) for cell in columns[place])), None)
        rest = [place for place in words if place != lasting]
        first = rest.pop(0) if rest else None
        longest = max(rest, key=lambda place: sum(len(each.text) for each in columns[place]), default=None)
        ids: dict[int, str] = {}
        for place in rest:
            if place != longest and all(1 <= len(cell.text) <= MAX_NAME for cell in columns[place]):
                title = head[place] if head and head[place] else f"column {place + 1}"
                ids[place] = free(slug(title) or f"column_{place + 1}", ids.values())
                written.setdefault("columns", {})[ids[place]] = {"title": title[:MAX_NAME]}
        rows: list[ReadRow] = []
        names: set[str] = set()
        for (line, cells), covered in results:
            name = EMPTY if first is None else cells[first]
            noted = [place for place in rest if place not in ids and cells[place].text]
            told = [_headed(head[place] if head else "", cells[place]) for place in noted]
            note = cells[noted[0]] if [*noted] == [longest] else joined(told, "; ")
            if not rest or len(name.text) > MAX_NAME:
                name, more = self.named.get(name.at[0] if name.text else -1) or named_words(name)
                note = joined([each for each in (more, note) if each.text], " ")
            row = ReadRow(line, covered if "covers" in written else None, name, note)
            row.lasts = "" if lasting is None else str(Until.parse(cells[lasting].text.lower()))
            row.cells = {key: cells[place] for place, key in ids.items()}
            if covered and not row.at:
                row.name = _numbered(covered, name)
            if len(row.name.text) > MAX_NAME and (row.at or not covered):
                # A row with a result needs no name.
                row.name, row.note = (EMPTY, name) if not note.text else (EMPTY, joined([name, note], " "))
                if row.at is None:
                    row.name = name.cut(0, MAX_NAME - 1)
            if self._is_kept(row, covered, names):
                rows.append(row)
        return rows

    def _in_columns(
        self, head: list[str], words: list[int], results: Sequence[tuple[_Row, Span | None]], written: dict[str, Any],
        named: int | None = None,
    ) -> list[ReadRow]:  # fmt: skip
        """Return the rows of a table that has a result in each of its columns."""
        widths = {row.line: len(row.cells) for row in self.block.rows}
        columns: list[list[Placed]] = [[] for _ in words]
        whole: dict[int, Placed] = {}
        for number, ((line, cells), _) in enumerate(results):
            own = [cells[place] for place in words]
            if own[0].text and not any(cell.text for cell in own[1:]):
                # One cell for all of them.
                whole[number] = own[0]
            elif 0 < (missing := max(widths.values()) - widths[line]) < len(own):
                own[len(own) - missing :] = [own[len(own) - missing - 1]] * missing
            for column, cell in zip(columns, own, strict=True):
                column.append(cell)
        head, columns = _parted_columns(head, columns)
        starts = [_COLUMN_AT.match(each) for each in head]
        keys: list[str] = []
        for title, start in zip(head, starts, strict=True):
            shown = title[start.end() :] if start else title
            keys.append(free(slug(shown) or f"column_{len(keys) + 1}", keys))
            written.setdefault("columns", {})[keys[-1]] = {"title": (shown or keys[-1])[:MAX_NAME]}
        spans = [Span(int(each[1]), int(each[2] or each[1])) for each in starts if each]
        if len(spans) == len(keys) and all(one.high == other.low - 1 for one, other in pairwise(spans)):
            for key, face in zip(keys, spans, strict=True):
                written["columns"][key]["at"] = face.low if face.low == face.high else str(face)
            written["column_roll"] = f"d{spans[-1].high}"
        rows: list[ReadRow] = []
        names: set[str] = set()
        for number, ((line, every), covered) in enumerate(results):
            row = ReadRow(line, covered if "covers" in written else None, EMPTY if named is None else every[named])
            cells = [column[number] for column in columns]
            if number in whole:
                row.name, row.note = named_words(whole[number])
                if len(row.name.text) > MAX_NAME:
                    row.name, row.note = EMPTY, whole[number]
            else:
                row.cells = {key: cell for key, cell in zip(keys, cells, strict=True) if cell.text}
            if covered and not row.at:
                row.name = _numbered(covered, row.name)
            if self._is_kept(row, covered, names):
                rows.append(row)
        return rows

    def _is_kept(self, row: ReadRow, covered: Span | None, names: set[str]) -> bool:
        """Return whether a row says anything, and give it a name that no other has."""
        if not (row.name.text or row.note.text or row.cells or row.lasts or row.at):
            self._tell(row.line, "left out: it has neither a result nor a name")
            return False
        if covered and not row.at and row.name.text == str(covered) and not (row.note.text or row.cells):
            row.name = _numbered(covered, Placed("\u2014", [0]))
        if row.at and not (row.name.text or row.note.text or row.cells or row.lasts):
            self._tell(row.line, "nothing stands beside its result: a dash took its place")
            row.name = Placed("\u2014", [0])
        if not row.at and not row.name.text:
            row.name = row.note.cut(0, MAX_NAME - 10) if row.note.text else Placed(f"Row {len(names) + 1}", [0] * 9)
        if row.at is None and row.name.text.casefold() in names:
            short = row.name.text[: MAX_NAME - 6]
            other = next(other for number in range(2, 999) if (other := f"{short} ({number})").casefold() not in names)
            self._tell(row.line, f'another row is called "{row.name.text}": this one became "{other}"')
            row.name = Placed(other, [row.name.at[0] if len(row.name.at) else 0] * len(other))
        names.add(row.name.text.casefold())
        return True

    def _cut(self, line: int, what: str, text: str, room: int) -> str:
        if len(text) <= room:
            return text
        kept = text[:room].rsplit(" ", 1)[0]
        rest = text[len(kept) :].strip()[:60]
        self._tell(line, f'its {what} has {len(text)} letters and {room} fit: "{rest}" is left out')
        return kept

    def _tell(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.label, line, 1, message))


_Row = tuple[int, list[Placed]]


def _numbered(covered: Span, name: Placed) -> Placed:
    before = f"{covered}: " if name.text else str(covered)
    return joined([Placed(before, [name.at[0] if len(name.at) else 0] * len(before)), name])


def _headed(head: str, cell: Placed) -> Placed:
    return joined([Placed(f"{head}: ", [cell.at[0]] * (len(head) + 2)), cell]) if head else cell


def _are_results(head: Sequence[str], columns: Sequence[Sequence[Placed]]) -> bool:
    """Return whether each column has results of its own, and none is a name or its words."""
    low = [even(each).strip(" *:") for each in head]
    if any(not each or _HEADS.match(each) for each in low):
        return False
    sizes = [sum(len(cell.text) for cell in column) / len(column) for column in columns]
    filled = all(sum(bool(cell.text) for cell in column) * 2 >= len(column) for column in columns)
    short = all(len(cell.text) <= MAX_TEXT for column in columns for cell in column)
    says = sum(cell.text.endswith(".") for cell in columns[0]) * 2 > len(columns[0])
    return (len(head) > 2 or says) and filled and short and max(sizes) < 8 * max(min(sizes), 4)


def _parted_columns(head: list[str], columns: list[list[Placed]]) -> tuple[list[str], list[list[Placed]]]:
    """Return Arm/Leg above Disarmed/Prone as two columns; what has no such stroke stands in both."""
    titles: list[str] = []
    parted: list[list[Placed]] = []
    stroke = re.compile(r"[^\W\d_]+ ?(/) ?[^\W\d_]+")
    for title, column in zip(head, columns, strict=True):
        both = re.fullmatch(r"(.*?)([^\W\d_]+) ?/ ?([^\W\d_]+)", title)
        if not both or not any(stroke.fullmatch(cell.text) for cell in column):
            titles.append(title)
            parted.append(column)
            continue
        numbers = re.match(r"\s*(\d+) ?[/-] ?(\d+)", both[1])
        titles += [f"{numbers[1]} - {both[2]}", f"{numbers[2]} - {both[3]}"] if numbers else [both[2], both[3]]
        halves = [(cell, stroke.fullmatch(cell.text)) for cell in column]
        parted.append([cell.cut(0, each.start(1)).stripped() if each else cell for cell, each in halves])
        parted.append([cell.cut(each.end(1)).stripped() if each else cell for cell, each in halves])
    return titles, parted


def _in_one_column(head: list[str], body: list[_Row]) -> tuple[list[str], list[_Row]]:
    """Return a table whose parts stand side by side with the parts below one another.

    They are parts of one table if their heads are alike, or if their results follow one another without gap.
    """
    width = len(body[0][1]) if body else 0
    for parts in (2, 3, 4):
        wide = width // parts
        places = range(0, width, wide) if width % parts == 0 and wide > 1 else ()
        below = [(line, cells[index : index + wide]) for index in places for line, cells in body]
        rows = [(line, cells) for line, cells in below if any(cell.text for cell in cells)]
        spans = [results for _, cells in rows if (results := span(cells[0].text))]
        if not rows or len(spans) < len(rows):
            continue
        is_repeated = bool(head) and [*map(str.casefold, head)] == [*map(str.casefold, head[:wide])] * parts
        rising = sorted(spans, key=lambda each: each.low)
        if is_repeated or all(one.high is not None and one.high + 1 == other.low for one, other in pairwise(rising)):
            return head[:wide], rows
    return head, body


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


def _column_of_ranges(rows: Sequence[Sequence[Placed]]) -> int | None:
    """Return which of the first two columns holds the results: three quarters of its cells are ranges."""
    for place in range(min(2, len(rows[0]))):
        if sum(span(row[place].text) is not None for row in rows) * 4 >= len(rows) * 3:
            return place
    return None


def _is_head(first: Sequence[Placed], rest: Sequence[Sequence[Placed]]) -> bool:
    """Return whether an unmarked first row is a head: no range above a column of ranges, or in a table without any."""
    place = _column_of_ranges(rest)
    if place is None:
        return all(span(cell.text) is None for row in (first, *rest) for cell in row[:2])
    return span(first[place].text) is None


def _goes_on(rows: Sequence[Sequence[Placed]]) -> bool:
    """Return whether a second row is a head, too: titles above several columns are repeated in the first."""
    first, second, *rest = rows
    place = _column_of_ranges(rest)
    above = [cell.text for cell in first if cell.text]
    is_short = all(len(cell.text) <= _MAX_HEAD for cell in second)
    return place is not None and not second[place].text and len({*above}) * 2 <= len(above) and is_short


def _lasts(cell: str) -> bool:
    try:
        return Until.parse(cell.lower()).amount is not None
    except ValueError:
        return False

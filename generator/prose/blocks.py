"""Lines as headings, prose, tables, decks of cards and definitions. Each line goes into one block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from generator.model.rules import Span
from generator.prose.lines import MAX_LINE, Line
from generator.prose.placed import BOLD, EMPTY, END, Placed, even, joined
from generator.prose.ranges import ITEM, USUAL_DICE, names_dice, rolled, span

_WRAPPED = 40
"""A row of so many letters may go on in the next line."""
_TRIES = 4
"""The number of rows of a list that is none which may begin one."""
_AHEAD = 12
"""The number of lines below a row in which the next one is looked for."""
_ENDS = (".", "!", "?", ".)", ".\u201d", '."')
_SIGNS = {"C": "\u2663\u2667", "S": "\u2660\u2664", "D": "\u2666\u2662", "H": "\u2665\u2661"}
SUITS = {"C": "clubs", "S": "spades", "D": "diamonds", "H": "hearts"}
_RANKS = {"ace": "A", "one": "A", "jack": "J", "knave": "J", "queen": "Q", "king": "K"} | {
    word: str(index)
    for index, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
}
_BULLET = rf"\s{{0,12}}(?:[-*\u2022+\u00b7\u25cf\u25aa]\s{{1,4}})?{BOLD}?"
_CARD = re.compile(
    rf"{_BULLET}(?:the )?(ace|king|queen|jack|knave|(?:red |black |first |second )?joker|two|three|four|five|six|seven"
    r"|eight|nine|ten|10|[2-9akqj])s?(?:\s?(?:of )?(clubs?|spades?|diamonds?|hearts?|[\u2660-\u2667]))?"
    rf"(?:{END}?\s{{0,3}}[.:)\u2013\u2014=-]{END}?|{END}|\s{{2,}})\s{{0,4}}(\S.*)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    rf"{_BULLET}\(?(?:(?:roll(?:ed)?|result|on) (?:of )?(?:an? )?)?({ITEM})"
    rf"(?:{END}?[.):=]{{1,2}}{END}?\s++|{END}\s*+|{END}?\s(?:[-\u2013\u2014]|--)\s++(?!\d))(\S.*+)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"\s{{0,12}}+(?:[\u2022\u00b7\u25cf\u25aa]\s{{0,4}}+)?({ITEM})\s++(\S.*+)", re.IGNORECASE)
_GLUED = re.compile(r"\s{0,4}(\d{1,3}(?:[-\u2013]\d{1,3})?)([A-Z\u2018\u201c'\"][^\d\s].*+)")
_ITEMISED = re.compile(r"\s{0,12}[-*\u2022+\u00b7\u25cf\u25aa]\s{1,4}(\S.*+)")
_FIRST_OF = re.compile(r"(.{0,80}?\b1?d\d{1,3})\s?[-:]\s(\S.*+)", re.IGNORECASE)
_BOLD_NAME = re.compile(
    rf"{_BULLET}{BOLD}([^{BOLD}{END}]{{2,40}}?)[.:]?{END}[.:]?\s{{0,3}}(?:[\u2013\u2014:]|-(?=\s))?\s{{1,3}}(\S.{{9,}}+)"
)
_HEAD_LINE = re.compile(
    r"(?:(?:roll(?:ed)?|1?d\d{1,3}|d?%|dice|die|results?|effects?|injury|wound|description|name)[ /|]{0,3}){2,5}",
    re.IGNORECASE,
)
"""The heads of columns whose lines were lost."""
_STEPS = re.compile(r"\b(?:procedure|steps?|sequence|checklist|contents|order of play)\b", re.IGNORECASE)
"""Titles of lists that nobody rolls on."""
_PLAIN_NAME = re.compile(r"([A-Z][\w'\u2019 /-]{1,28}):\s{1,3}(\S.{9,}+)")


class TextRow(NamedTuple):
    """A row as it stands: its line and its cells. Of a list the first is the result, of a deck the code."""

    line: int
    cells: list[Placed]
    code: str = ""


@dataclass
class Block:
    """A part of what was pasted; `dice` is a text that names them, `is_sure` that a list is rolled on."""

    kind: Literal["heading", "prose", "grid", "deck", "definitions"]
    line: int
    text: Placed = EMPTY
    rows: list[TextRow] = field(default_factory=list)
    title: str = ""
    dice: str = ""
    headed: bool = False
    is_list: bool = False
    is_sure: bool = True
    is_page: bool = False
    """Whether it is a list of a page, which has many beside its text."""
    above: tuple[tuple[int, str], ...] = ()
    """The lines of its title and its dice, and what stands there."""


def suit_of(text: str) -> str:
    """Return the suit that a text names by its sign or its name; empty if it names none."""
    low = text.lower()
    return next((suit for suit, name in SUITS.items() if re.search(rf"[{_SIGNS[suit]}]|\b{name[:-1]}s?\b", low)), "")


def blocks_of(lines: list[Line]) -> list[Block]:
    """Return the blocks in the order of their lines."""
    return _Reader(lines).blocks


def _follows(one: str, other: str) -> bool:
    """Return whether the results of a row continue those of the one above, rising or falling."""
    above, below = span(one), span(other)
    if above is None or below is None:
        return False
    # After the six of two dice that are read as digits comes the next one.
    step = 5 if above.high and above.high % 10 == 6 and above.high > 15 and below.low % 10 == 1 else 1
    return above.high == below.low - step or below.high == above.low - 1


class _Reader:
    def __init__(self, lines: list[Line]) -> None:
        self.lines, self.blocks = lines, list[Block]()
        self._title, self._dice, self._recent = (0, ""), (0, ""), ""
        self._is_heading, self._suit = False, ""
        self._no_list, self._refused = dict[re.Pattern[str], int](), Counter[tuple[re.Pattern[str], int]]()
        """The line up to which no list of a form is looked for, and how often one that ends in a line was refused."""
        long = [len(line.text.text) for line in lines if line.kind == "" and len(line.text.text) > 60]
        self._is_wrapped = len(long) > 5 and sum(size <= 100 for size in long) * 10 >= len(long) * 9
        index = 0
        while index < len(lines):
            index = self._block(index)

    def _block(self, index: int) -> int:
        line = self.lines[index]
        if line.kind in ("blank", "drawn"):
            return index + 1
        if line.kind == "heading":
            self._heading(line)
            return index + 1
        if line.cells:
            return self._grid(index)
        if line.kind:
            return index + 1
        readers = (self._deck, self._lists, self._alone, self._bullets, self._definitions)
        for reader in readers if len(line.text.text) <= MAX_LINE else ():
            if (end := reader(index)) > index:
                return end
        return self._prose(index)

    def _heading(self, line: Line) -> None:
        text = line.text.bare()
        self._title, self._is_heading, self._recent = (line.number, text.text), True, ""
        self._suit = suit_of(text.text) if len(text.text) < 60 else ""
        self.blocks.append(Block("heading", line.number, text))

    def _add(self, block: Block) -> None:
        block.title, block.above = self._title[1], (self._title, self._dice)
        block.dice = block.dice or self._dice[1] or (self._recent[-160:] if block.is_list else "")
        self._dice, self._recent, self._is_heading = (0, ""), "", False
        self.blocks.append(block)

    def _prose(self, index: int) -> int:
        """Take a line of prose, or those of a wrapped paragraph."""
        line, end = self.lines[index], index + 1
        while (
            self._is_wrapped
            and end < len(self.lines)
            and not (self.lines[end].kind or self.lines[end].text.text[:2].strip() in ("-", "*", "\u2022", BOLD))
            and len(self.lines[end - 1].text.text) > 45
            and end - index < 200
        ):
            end += 1
        parts = [each.text.bare() for each in self.lines[index:end]]
        text = joined(parts, " ")
        shown = text.text.strip()
        self._recent = shown[-300:]
        bold = line.text.text.strip().startswith(BOLD) and line.text.text.strip().rstrip(":").endswith(END)
        if len(text.text) <= MAX_LINE and not shown.endswith((".", "!", "?")) and end == index + 1:
            short = (
                len(shown) <= 70
                and not _ITEMISED.fullmatch(line.text.text)
                and not shown.endswith((",", ";"))
                and not shown[:1].islower()
            )
            if self._title[1] and _HEAD_LINE.fullmatch(shown):
                self._dice = (line.number, shown)
            elif self._title[1] and (dice := names_dice(shown)):
                self._dice = (line.number, shown)
                if shown[dice.end() :].strip()[:1].isupper() and len(shown[dice.end() :].split()) > 1:
                    self._title = self._dice
            elif not self._is_heading or bold or (short and suit_of(shown)):
                self._title = (line.number, shown.strip(" :"))
            if short and any(letter.isalpha() for letter in shown):
                self._suit = suit_of(shown)
                self.blocks.append(Block("heading", line.number, text))
                return end
        self.blocks.append(Block("prose", line.number, text))
        return end

    # --- tables and lists --------------------------------------------------------------------------------------------

    def _grid(self, index: int) -> int:
        """Take the rows of cells that stand below each other; a single row is prose."""
        first, rows, headed, end = self.lines[index], list[TextRow](), False, index
        while end < len(self.lines):
            line = self.lines[end]
            if line.kind == "drawn" and first.kind == "pipes":
                headed = headed or len(rows) == 1
            elif line.kind == first.kind and line.group == first.group:
                rows += [TextRow(line.number, line.cells)] if line.cells else []
                headed = headed or (line.headed and len(rows) == 1)
            elif following := self._next(end, rows[-1].cells[0].text, None) if line.kind == "" and rows else 0:
                inside = [joined([rows[-1].cells[-1], *(each.text for each in self.lines[end:following])], " ")]
                rows[-1].cells[-1:] = inside
                end = following
                continue
            else:
                break
            end += 1
        if len(rows) > 1 and max(len(row.cells) for row in rows) > 1:
            block = Block("grid", first.number, rows=rows, headed=headed, is_list=first.listed, is_page=first.listed)
            block.is_sure = not first.listed or bool(
                rolled(f"{self._title[1]}; {self._dice[1] or self._recent[-160:]}")
            )
            self._add(block)
        else:
            for line in self.lines[index:end]:
                if line.kind != "drawn":
                    text = (
                        joined([cell.bare() for cell in line.cells], " ") if first.kind == "grid" else line.text.bare()
                    )
                    self.blocks.append(Block("prose", line.number, text))
        return end

    def _item(self, index: int, pattern: re.Pattern[str] | None) -> list[Placed]:
        """Return the result and the words of a line; nothing where it is no row. Without a pattern: of a table."""
        if index >= len(self.lines):
            return []
        line = self.lines[index]
        if pattern is None:
            return line.cells
        match = pattern.fullmatch(line.text.text) if line.kind == "" and len(line.text.text) <= MAX_LINE else None
        if match is None or span(match[1]) is None:
            return []
        return [line.text.cut(*match.span(1)), line.text.cut(*match.span(2))]

    def _next(self, index: int, result: str, pattern: re.Pattern[str] | None, *, past_blanks: bool = False) -> int:
        """Return the line of the next row that follows a result; 0 if it is not among the next ones."""
        for place in range(index, min(index + _AHEAD, len(self.lines))):
            line = self.lines[place]
            if line.kind == "heading" or (line.kind in ("blank", "drawn") and not past_blanks):
                return 0
            item = self._item(place, pattern)
            if item and _follows(result, item[0].text):
                return place
            if item and pattern is not None:
                return 0
        return 0

    def _lists(self, index: int) -> int:
        """Take a run of rows that begin with results."""
        for pattern in (_LISTED, _BARE, _GLUED):
            if index >= self._no_list.get(pattern, 0) and self._item(index, pattern):
                rows, end = self._run(index, pattern)
                if len(rows) >= 2 and (pattern is _LISTED or self._is_run(rows)) and not _STEPS.search(self._title[1]):
                    block = Block("grid", rows[0].line, rows=rows, is_list=True)
                    dice = self._dice[1] or self._recent[-160:]
                    block.is_sure = bool(
                        rolled(dice) or rolled(self._title[1]) or any(self._is_range(row) for row in rows)
                    )
                    self._add(block)
                    return end
                self._refused[pattern, end] += 1
                if self._refused[pattern, end] > _TRIES:
                    self._no_list[pattern] = end
        return index

    @staticmethod
    def _is_range(row: TextRow) -> bool:
        results = span(row.cells[0].text)
        return results is not None and results.high != results.low

    @staticmethod
    def _is_run(rows: list[TextRow]) -> bool:
        """Return whether bare numbers are results: from a low one on, without gaps, and no amounts of one thing."""
        spans = [results for row in rows if (results := span(row.cells[0].text))]
        if is_usual(spans, 2) and all(results.high != results.low for results in spans):
            return True
        if (
            len(rows) < 3
            or (abs(spans[0].low) > 3 and spans[0].low != 11)
            or len({tuple(word.rstrip("s,.") for word in row.cells[1].text.lower().split()[:2]) for row in rows}) == 1
        ):
            return False
        following = sum(_follows(one.cells[0].text, other.cells[0].text) for one, other in pairwise(rows))
        return following * 10 >= (len(rows) - 1) * 7

    def _run(self, index: int, pattern: re.Pattern[str]) -> tuple[list[TextRow], int]:
        rows: list[TextRow] = []
        below = 0
        end, is_rolled = index, bool(rolled(self._title[1]) or rolled(self._dice[1] or self._recent[-160:]))
        while end < len(self.lines):
            item = self._item(end, pattern)
            if not item and rows and self.lines[end].kind == "":
                # One row of a list without its colon, or with one: its result must be the one that is due.
                other = self._item(end, _BARE if pattern is _LISTED else _LISTED)
                item = other if other and _follows(rows[-1].cells[0].text, other[0].text) else []
                if not item and (empty := self._lone(end)) and _follows(rows[-1].cells[0].text, empty.text):
                    # A row that nobody has filled in.
                    item = [empty, EMPTY] if self._item(end + 1, pattern) or self._lone(end + 1) else []
            if item and not (rows and item[0].text == rows[0].cells[0].text):
                rows.append(TextRow(self.lines[end].number, item))
                is_rolled = is_rolled or self._is_range(rows[-1])
                end = self._indented(rows[-1], end + 1)
                continue
            if item:
                break  # the results begin anew: another list
            following = self._next(end, rows[-1].cells[0].text, pattern, past_blanks=True) if rows else 0
            between = self.lines[end:following]
            has_blank = any(line.kind for line in between)
            if not following or (has_blank and not is_rolled and any(line.kind == "" for line in between)):
                break
            below += self._below(rows[-1], [line for line in between if line.kind == ""], pattern)
            end = following
        if below > 1 and end < len(self.lines) and not self.lines[end].kind:
            end += self._below(rows[-1], [self.lines[end]], pattern)
        return rows, self._unfinished(rows[-1], end) if rows else end

    def _below(self, row: TextRow, words: list[Line], pattern: re.Pattern[str]) -> bool:
        """Join the lines below a row to it; return whether the row itself is no more than their name."""
        is_name = pattern is _BARE and len(row.cells[-1].text) <= _WRAPPED
        is_name = is_name and bool(words) and words[0].text.text[:1].isupper()
        if is_name:
            row.cells[-1] = _bold(row.cells[-1])
        self._join(row, words)
        return is_name

    @staticmethod
    def _join(row: TextRow, lines: list[Line]) -> None:
        parts = [line.text.stripped() for line in lines if len(line.text.text) <= MAX_LINE]
        row.cells[-1] = joined([row.cells[-1], *parts], " ")

    def _indented(self, row: TextRow, index: int) -> int:
        """Join the indented lines below a row to it."""
        while index < len(self.lines) and self.lines[index].kind == "" and self.lines[index].text.text[:1] == " ":
            if _LISTED.fullmatch(self.lines[index].text.text) or _CARD.fullmatch(self.lines[index].text.text):
                break
            if (item := self._item(index, _BARE)) and _follows(row.cells[0].text, item[0].text):
                break
            self._join(row, [self.lines[index]])
            index += 1
        return index

    def _unfinished(self, row: TextRow, index: int) -> int:
        """Join the lines below the last row to it, as far as they go on with a sentence."""
        while index < len(self.lines) and self.lines[index].kind == "":
            text, line = row.cells[-1].text, self.lines[index].text.text
            if len(text) > MAX_LINE:
                break
            goes_on = line[:1].islower() or (len(text) >= _WRAPPED and (self._is_wrapped or len(text) <= 100))
            if (
                text.rstrip().endswith(_ENDS)
                or not goes_on
                or (len(line) < _WRAPPED and suit_of(line))
                or len(line) > MAX_LINE
                or self._item(index, _LISTED)
            ):
                break
            self._join(row, [self.lines[index]])
            index += 1
        return index

    def _alone(self, index: int) -> int:
        """Take results that stand on lines of their own, with their words below."""
        rows: list[TextRow] = []
        end = index
        while (result := self._lone(end)) and (not rows or _rises(rows[-1].cells[0].text, result.text)):
            place, words = end + 1, list[Placed]()
            while place < len(self.lines) and len(words) < 8 and not self._lone(place):
                line = self.lines[place]
                if line.kind not in ("", "blank") or (
                    words and line.kind == "blank" and not self._comes(place, result.text)
                ):
                    break
                text = line.text.stripped()
                words += [text] if line.kind == "" and text.text else []
                place += 1
            if not words:
                break
            if len(words) > 1 and len(words[0].text) < 40 and BOLD not in words[0].text:
                words[0] = _bold(words[0])
            rows.append(TextRow(self.lines[end].number, [result, joined(words, " ")]))
            while place < len(self.lines) and self.lines[place].kind == "blank":
                place += 1
            end = place
        if len(rows) < 3:
            return index
        self._add(Block("grid", rows[0].line, rows=rows, is_list=True))
        return end

    def _lone(self, index: int) -> Placed | None:
        if index >= len(self.lines) or self.lines[index].kind or len(self.lines[index].text.text) > 16:
            return None
        text = self.lines[index].text.bare().stripped(" .:)")
        return text if span(text.text) else None

    def _comes(self, index: int, result: str) -> bool:
        """Return whether the result that is due stands alone on one of the next lines."""
        lone = (self._lone(place) for place in range(index, index + _AHEAD))
        return any(each and _follows(result, each.text) for each in lone)

    def _bullets(self, index: int) -> int:
        """Take as many items as the die above them has faces: numbered ones that were copied without their numbers."""
        line, rows, end = self.lines[index], list[tuple[Line, Placed]](), index
        dice = rolled(self._dice[1] or self._title[1]) or rolled(self._recent[-160:])
        if first := _FIRST_OF.fullmatch(line.text.text):
            dice, rows, end = rolled(first[1]), [(line, line.text.cut(first.start(2)))], index + 1
        elif not dice or not _ITEMISED.fullmatch(line.text.text):
            return index
        while end < len(self.lines) and len(rows) < 101 and self.lines[end].kind == "":
            if not (match := _ITEMISED.fullmatch(self.lines[end].text.text)):
                break
            rows.append((self.lines[end], self.lines[end].text.cut(match.start(1))))
            end += 1
        if not dice or dice.count != 1 or dice.faces != len(rows):
            return index
        listed = [
            TextRow(line.number, [Placed(str(number), [text.at[0]] * len(str(number))), text])
            for number, (line, text) in enumerate(rows, 1)
        ]
        self._add(Block("grid", listed[0].line, rows=listed, is_list=True, dice=f"d{dice.faces}"))
        return end

    # --- cards and definitions ---------------------------------------------------------------------------------------

    def _card(self, index: int) -> tuple[str, str, Placed] | None:
        """Return the rank, the suit of its own and the words of a card."""
        text = self.lines[index].text
        match = _CARD.fullmatch(text.text) if self.lines[index].kind == "" and len(text.text) <= MAX_LINE else None
        if not match:
            return None
        rank = match[1].lower()
        rank = "joker" if "joker" in rank else _RANKS.get(rank, rank.upper())
        return rank, suit_of(match[2]) if match[2] else "", text.cut(match.start(3))

    def _deck(self, index: int) -> int:
        rows: list[TextRow] = []
        end, named, own = index, 0, 0
        while end < len(self.lines):
            card = self._card(end)
            if card is None:
                ahead = next(
                    (index for index in range(end, min(end + 3, len(self.lines))) if self.lines[index].kind == ""), end
                )
                text = self.lines[end].text.text
                goes_on = text[:1].islower() or (len(text) > _WRAPPED and not suit_of(text))
                if (
                    rows
                    and goes_on
                    and self.lines[end].kind == ""
                    and any(self._card(place) for place in range(end, min(end + 3, len(self.lines))))
                ):
                    self._join(rows[-1], [self.lines[end]])
                    end += 1
                    continue
                if ahead == end or not self._card(ahead):
                    break
                end = ahead
                continue
            rank, suit, words = card
            own, named = own + bool(suit), named + (not rank[0].isdigit())
            code = f"{rank}{suit or self._suit}"
            if rank == "joker":
                code = "BJ" if any(row.code == "RJ" for row in rows) else "RJ"
            rows.append(TextRow(self.lines[end].number, [words], code))
            end = self._indented(rows[-1], end + 1)
        if len(rows) < 2 or not named or not (self._suit or own or named >= 3):
            return index
        end = self._unfinished(rows[-1], end)
        codes = {row.code for row in rows}
        deck = next((block for block in reversed(self.blocks) if block.kind == "deck"), None)
        if deck and not codes & {row.code for row in deck.rows}:
            deck.rows += rows
            self._recent, self._is_heading = "", False
        else:
            self._add(Block("deck", rows[0].line, rows=rows))
        return end

    def _definitions(self, index: int) -> int:
        rows: list[TextRow] = []
        is_bold = self.lines[index].text.text.lstrip(" -*\u2022").startswith(BOLD)
        pattern, end, place = _BOLD_NAME if is_bold else _PLAIN_NAME, index, index
        while place < len(self.lines):
            line = self.lines[place]
            match = pattern.fullmatch(line.text.text) if line.kind == "" else None
            if match:
                rows.append(TextRow(line.number, [line.text.cut(*match.span(1)), line.text.cut(match.start(2))]))
                place = end = self._indented(rows[-1], place + 1)
                while self._is_wrapped and place < len(self.lines) and self.lines[place].kind == "":
                    if pattern.fullmatch(self.lines[place].text.text):
                        break
                    self._join(rows[-1], [self.lines[place]])
                    place = end = place + 1
            elif line.kind == "blank":
                place += 1
            else:
                break
        if len(rows) < (2 if is_bold else 3):
            return index
        self.blocks.append(Block("definitions", rows[0].line, rows=rows))
        return end


def _bold(text: Placed) -> Placed:
    return joined([Placed(BOLD, [text.at[0]]), text, Placed(END, [text.at[0]])])


def _rises(one: str, other: str) -> bool:
    above, below = span(one), span(other)
    return above is not None and below is not None and below.low > above.low


def is_usual(spans: list[Span], least: int = 4) -> bool:
    """Return whether these are all the results of dice that people use, in so many rows at least."""
    highs = [each.high or 100 if each.high is not None else each.low for each in spans]
    return (min(each.low for each in spans), max(highs)) in USUAL_DICE and len(spans) >= least


def definitions_in(blocks: list[Block]) -> Iterator[tuple[TextRow, str]]:
    """Yield every definition with its name in small letters."""
    for block in blocks:
        if block.kind == "definitions":
            yield from ((row, even(row.cells[0].bare().text).strip(" .:")) for row in block.rows)

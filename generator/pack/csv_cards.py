"""Cards that a spreadsheet wrote: a CSV becomes the values that YAML would hold, each with its place in that file.

The first row names the columns. A heading is the name of a key of a card, of one of the deck's lines, of one of its
faces (the face's note), or of a face and one of its keys: `slash name`, `slash effects`. Effects are written in their
cell as text, with semicolons between them. Commas, semicolons and tabs are all read, whichever the first row has most
of, or what a first line such as `sep=;` names. A card without a code gets the number of
its row; a card of 0 copies is left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from generator.base.errors import ContentError, HackjackError, Problem, closest
from generator.base.files import file_inside, limited_text, portable_path
from generator.base.text_input import composed
from generator.language.places import form_with_keys
from generator.language.reader import read_steps
from generator.model.rules import Card, CardFace
from generator.pack.inherit import YamlValue
from generator.pack.strict_yaml import MAX_PROBLEMS, UNSEEN, Marks, Trail, read_text

MAX_ROWS = 200
MAX_COLUMNS = 60
MAX_CELLS = 1000
"""In a row, empty ones counted: spreadsheets write many."""
MAX_SIGNS = 4000
"""In one cell."""

_NUMBERS = ("copies", "score", "blood", "trauma")
_EFFECTS = ("effects", "for_good")
_TEXTS = ("code", "name", "flavour", "says", "for_good_says", "note", "art", "placed", "emblem")
_SENTENCES = ("says", "for_good_says", "note")
"""Texts that may have several paragraphs."""
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,6})")
_DECIMALS = re.compile(r"(?<=[0-9])[.,]0{1,6}\Z")
"""As spreadsheets write whole numbers: 2.0, or 2,0."""
_SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?[,;\t]*\n', re.IGNORECASE)
"""A first line as Excel writes and reads it."""
_STATEMENT = re.compile(r'; *(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""What parts the statements of a cell."""
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"')


class _Cell(NamedTuple):
    """What stands in a cell, blanks made one; its line and column in the file, and its row, from 1."""

    text: str
    line: int
    column: int
    row: int


class _Sheet(Marks):
    """Marks that name the cell of the spreadsheet besides: `(E7)`."""

    cells: dict[Trail, str] = msgspec.field(default_factory=dict)

    def problem(self, trail: Trail, message: str, *, key: bool = False) -> Problem:
        problem = Marks.problem(self, trail, message, key=key)
        cell = next((self.cells[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in self.cells), "")
        return replace(problem, message=f"{message} ({cell})") if cell else problem


def fill_deck(deck: YamlValue, folder: Path) -> Sequence[Problem]:
    """Put the rows of the CSV that a deck names behind its cards. Return what cannot be read.

    What has an unexpected shape stays as it is: the reader says so.
    """
    name = deck.value["csv"]
    cards = deck.value.setdefault("cards", []) if name.lower().endswith(".csv") else None
    if isinstance(cards, list):
        try:
            _rows_into(cards, deck, folder, portable_path(name))
        except ContentError as error:
            return error.problems
        except HackjackError as error:
            return [deck.problem(str(error), "csv")]
    return ()


def _rows_into(cards: list[Any], deck: YamlValue, folder: Path, name: str) -> None:
    label = str(Path(deck.marks.file).parent / name)
    text = limited_text(
        file_inside(folder, name), label, larger="split the deck", save="save the sheet as CSV UTF-8", wide=True
    )
    read, sheet = read_cards(text, deck.value, label)
    for number, card in enumerate(read):
        deck.marks.grafts[(*deck.trail, "cards", len(cards))] = (sheet, (number,))
        cards.append(card)


def read_cards(text: str, deck: Mapping[str, Any], label: str) -> tuple[list[dict[str, Any]], Marks]:
    """The cards that a CSV holds, for a deck as it was read, and their places: (0, "name") is the first card's name.

    `label` is the file's name in problems. Raises ContentError with every problem found.
    """
    rows = list(islice(rows_of(text.replace("\r\n", "\n").replace("\r", "\n"), label), MAX_ROWS + 2))
    if not rows:
        raise ContentError([Problem(label, 1, 1, "the file is empty: its first row names the columns")])
    sheet = _Sheet(label)
    ways = _columns(rows[0], deck, label)
    parked = [ways.index(("copies",))] if ("copies",) in ways else []
    body = [
        row
        for row in rows[1 : MAX_ROWS + 1]
        if not any(_DECIMALS.sub("", row[at].text) == "0" for at in parked if at < len(row))
    ]
    read = [_card(row, ways, sheet, number) for number, row in enumerate(body)]
    cards, problems = [card for card, _ in read], [problem for _, wrong in read for problem in wrong]
    taken = {card.get("code") for card in cards}
    for row, card in zip(body, cards, strict=True):
        if "code" not in card:
            card["code"] = next(str(code) for code in count(rows.index(row)) if str(code) not in taken)
            taken.add(card["code"])
    if len(rows) > MAX_ROWS + 1:
        problems.append(Problem(label, rows[MAX_ROWS + 1][0].line, 1, f"more than {MAX_ROWS} cards: split the deck"))
    if problems:
        raise ContentError(problems[:MAX_PROBLEMS])
    return cards, sheet


def _columns(head: list[_Cell], deck: Mapping[str, Any], label: str) -> list[tuple[str, ...]]:
    """What each column is in a card: a way of keys, empty for a column that is left out."""
    known_headings, headings = _ways(deck), deck.get("headings")
    renamed = {_plain(key): value for key, value in headings.items()} if isinstance(headings, dict) else {}
    ways: list[tuple[str, ...]] = []
    problems: list[Problem] = []
    for cell in head:
        word = renamed.get(_plain(cell.text), cell.text)
        way = () if word is None or not cell.text else known_headings.get(_plain(str(word)))
        if way is None:
            guess = closest(_plain(str(word)), known_headings)
            meant = '"note" for words, or "effects" for steps as in YAML' if guess == "effects" else f'"{guess}"'
            hint = f"did you mean {meant}? Or " if guess else ""
            hint += "say under headings what it is, or null to leave it out"
            message = f'nothing reads the column "{cell.text[:40]}": {hint}'
            problems.append(Problem(label, cell.line, cell.column, message))
        elif way and way in ways:
            problems.append(Problem(label, cell.line, cell.column, f"a second column of {' '.join(way)}: keep one"))
        ways.append(way or ())
    if len(problems) == sum(bool(cell.text) for cell in head):
        message = "the first row names no column that is known: put code, name, copies and so on over the cards"
        titles = ", ".join(f'"{cell.text[:40]}"' for cell in head[:MAX_COLUMNS] if cell.text)
        message += f", or say under headings what each of them is: {titles}"
        raise ContentError([Problem(label, head[0].line, 1, message)])
    if sum(bool(cell.text) for cell in head) > MAX_COLUMNS:
        problems.append(Problem(label, 1, 1, f"more than {MAX_COLUMNS} columns: leave out what no card shows"))
    if problems:
        raise ContentError(problems)
    return ways


_GUESSES = {
    "code": ("id", "no", "nr", "card"),
    "name": ("title", "card_name"),
    "copies": ("count", "quantity", "qty", "amount", "how_many"),
    "note": ("text", "rules", "description", "body", "ability", "effect"),
    "flavour": ("flavor", "flavor_text", "quote"),
    "art": ("image", "picture", "artwork"),
}
"""How spreadsheets of strangers call what we call otherwise."""


class CsvColumn(NamedTuple):
    """A column of a spreadsheet: its heading, its first words, and what it is taken for: empty if it is left out."""

    title: str
    sample: str
    meant: str
    is_known: bool


def csv_columns(text: str, deck: Mapping[str, Any], label: str) -> tuple[list[CsvColumn], dict[str, str]]:
    """Return the columns of a CSV with what each is or may be, and all that one may be, with its title.

    Raises ContentError.
    """
    rows = list(islice(rows_of(text.replace("\r\n", "\n").replace("\r", "\n"), label), MAX_ROWS))
    if not rows:
        raise ContentError([Problem(label, 1, 1, "the file is empty: its first row names the columns")])
    known, headings = _ways(deck), deck.get("headings")
    renamed = {_plain(key): value for key, value in headings.items()} if isinstance(headings, dict) else {}
    words = {way: word for word, way in reversed(known.items())}
    guesses = {each: word for word, others in _GUESSES.items() for each in others}
    columns: list[CsvColumn] = []
    for place, cell in enumerate(rows[0][:MAX_COLUMNS]):
        plain = _plain(cell.text)
        is_known = plain in known or plain in renamed
        word = _plain(str(renamed.get(plain, plain) or ""))
        if not is_known:
            parts = (guesses[each] for each in (plain, *plain.split("_")) if each in guesses)
            word = next(parts, "") or closest(plain, known)
        meant = words.get(known.get(word, ()), "")
        meant = "" if meant in [each.meant for each in columns] else meant
        sample = next((row[place].text for row in rows[1:] if place < len(row) and row[place].text), "")
        columns.append(CsvColumn(cell.text, sample[:80], meant, is_known))
    return columns, {word: word.replace("_", " ") for word in known if words[known[word]] == word}


def _ways(deck: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Every heading that means something, in plain letters, with the way of keys that it stands for."""
    ways: dict[str, tuple[str, ...]] = {}
    for key, title in _titled(deck, "faces"):
        for word in (key, title):
            ways |= {f"{_plain(word)}_{part}": ("faces", key, part) for part in CardFace.__struct_fields__}
            ways[_plain(word)] = ("faces", key, "note")
    ways |= {_plain(word): ("lines", key) for key, title in _titled(deck, "lines") for word in (key, title)}
    return ways | {key: (key,) for key in Card.__struct_fields__ if key in (*_TEXTS, *_NUMBERS, *_EFFECTS)}


def _titled(deck: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    titles = deck.get(key)
    yield from ((str(name), str(title)) for name, title in titles.items()) if isinstance(titles, dict) else ()


def _plain(heading: str) -> str:
    return re.sub(r"[\s._-]+", "_", heading.strip().casefold())


def _card(
    row: list[_Cell], ways: list[tuple[str, ...]], sheet: _Sheet, number: int
) -> tuple[dict[str, Any], list[Problem]]:
    """Return a row as a card in YAML would be read, and what is wrong with it."""
    card: dict[str, Any] = {}
    problems = []
    sheet.values[()], sheet.values[(number,)] = (1, 1), (row[0].line, row[0].column)
    for place, cell in enumerate(row):
        if not cell.text:
            continue
        where = f"{_letters(place)}{cell.row}"
        if place >= len(ways):
            problems.append(Problem(sheet.file, cell.line, cell.column, f"this cell has no heading ({where})"))
        elif way := ways[place]:
            inner = card
            for key in way[:-1]:
                inner = inner.setdefault(key, {})
            try:
                inner[way[-1]] = _value(cell.text, way)
            except ContentError as error:
                problems += [
                    Problem(sheet.file, cell.line, cell.column, f"{each.message} ({where})") for each in error.problems
                ]
            for end in range(2, len(way) + 1):
                # What is wrong with a face as a whole is told where it begins.
                sheet.values.setdefault((number, *way[:end]), (cell.line, cell.column))
                sheet.cells.setdefault((number, *way[:end]), where)
            sheet.values[(number, *way)], sheet.cells[(number, *way)] = (cell.line, cell.column), where
    return card, problems


def _letters(place: int) -> str:
    """A column as spreadsheets call it: A, B ... Z, AA."""
    before, last = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _value(text: str, way: tuple[str, ...]) -> Any:
    """A cell as YAML would give it. Raises ContentError for effects that are not written so."""
    if way[-1] in _EFFECTS:
        if text.startswith(("{", "[")):
            keyed = read_text(text if text.startswith("[") else f"[{text}]", "")[0]
            raise ContentError([Problem("", 0, 0, form_with_keys(keyed))])
        steps, reader = read_steps(_STATEMENT.sub("\n", text))
        if reader.errors:
            raise ContentError([Problem("", 0, 0, f"{error.message}; words belong in note") for error in reader.errors])
        return steps
    if way[-1] in _SENTENCES and way[0] != "lines":
        return text
    text = text.replace("\n", " ")
    if way[-1] in _NUMBERS:
        text = _DECIMALS.sub("", text)
    number = (way[-1] in _NUMBERS or way[0] == "lines") and _WHOLE.fullmatch(text)
    return int(text) if number else text


def rows_of(text: str, label: str) -> Iterator[list[_Cell]]:
    """The rows of a CSV that are not empty; lines end in a line feed. Raises ContentError."""
    said = _SEPARATOR.match(text)
    at = start = said.end() if said else 0
    by = said[1] if said else max(",;\t", key=text.partition("\n")[0].count)
    bare = re.compile(rf"[^\n{re.escape(by)}]*")
    row: list[_Cell] = []
    line, number = 2 if said else 1, 1
    while at <= len(text):
        column = at - start + 1
        quoted = _QUOTED.match(text, at)
        if quoted is None and text.startswith('"', at):
            raise ContentError([Problem(label, line, column, 'the cell begins with " and never ends: close it')])
        match = quoted or bare.match(text, at)
        assert match is not None
        text_of = quoted[1].replace('""', '"') if quoted else match[0]
        row.append(_Cell(_clean(text_of, line, column, label), line, column, number))
        line += match[0].count("\n")
        start = match.start() + match[0].rfind("\n") + 1 if "\n" in match[0] else start
        at = match.end()
        if at < len(text) and text[at] not in (by, "\n"):
            message = 'a cell in quotation marks ends here, and more follows: write "" for a " inside it'
            raise ContentError([Problem(label, line, at - start + 1, message)])
        if at == len(text) or text[at] == "\n":
            if any(cell.text for cell in row):
                yield row
            row, line, start, number = [], line + 1, at + 1, number + 1
        elif len(row) >= MAX_CELLS:
            message = f"more than {MAX_CELLS:,} cells in a row: is this a CSV?"
            raise ContentError([Problem(label, line, column, message)])
        at += 1


def _clean(text: str, line: int, column: int, label: str) -> str:
    text = "\n".join(" ".join(line.split()) for line in composed(text).splitlines())
    if len(text) > MAX_SIGNS:
        raise ContentError([Problem(label, line, column, f"more than {MAX_SIGNS:,} signs in one cell: shorten it")])
    if unseen := UNSEEN.search(text):
        message = f"the character U+{ord(unseen[0]):04X} in it is unseen and may mislead: take it out"
        raise ContentError([Problem(label, line, column, message)])
    return text

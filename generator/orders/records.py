"""Cards, tables and pages of a system as plain records and as JSON: for spreadsheets, programs and virtual tables.

Every text is that of the printed faces and tables; nothing is worded here.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import zip_longest
from math import lcm
from typing import Any

import msgspec
from msgspec import Struct

from generator.base.cards import FULL_DECK
from generator.base.dice import MAX_NUMBER
from generator.base.errors import UsageError
from generator.base.sentences import full_stop
from generator.layout import card_elements as elements
from generator.layout import reading, targets
from generator.layout.panel_elements import Page
from generator.layout.targets import RecordsTarget
from generator.model.rules import Column, Span, System, Table
from generator.orders.editions import html_fragment, markdown_page
from generator.orders.job import File, Job, deck_options, named_sets
from generator.products import deck
from generator.products.panel_content import page
from generator.words.table_text import full_cell, table_cells, table_note
from generator.words.wording import capitalised, product_line


class CardRecord(Struct, frozen=True):
    """One card of a set.

    `text` is what it says, a sentence each, and `until` how long each of its effects lasts; `badges` is what is counted
    and `written` what stands on its lines. `place` is its place in the order of a full deck of playing cards, or in its
    set, from 1.
    """

    set: str
    code: str
    place: int
    name: str
    suit: str
    rank: str
    text: tuple[str, ...]
    until: tuple[str, ...]
    short: str
    badges: str
    written: str
    flavour: str
    copies: int

    @property
    def one_line(self) -> str:
        """All that it says and counts, in one line."""
        return " ".join(filter(None, (*self.text, _sentence(self.badges), _sentence(self.written))))


class ResultRecord(Struct, frozen=True):
    """One row of a table: the results from `low` to `high` (None: and above), as printed, and what follows.

    Rows that are looked up by name are numbered from 1. `weight` is in how many ways the dice of the table come to the
    row; where nothing is rolled, how many results it covers, and 1 without an upper end.
    """

    low: int
    high: int | None
    at: str
    name: str
    text: str
    weight: int = 1

    @property
    def one_line(self) -> str:
        """Name and text, in one line."""
        return ": ".join(filter(None, (self.name, self.text)))


class TableRecord(Struct, frozen=True):
    """A table, or one of the columns of a table whose rows go by numbers.

    `by` is what it is looked up by: dice, a track's name, or `name`. `formula` are the dice that are `rolled`
    for a row, empty where nobody rolls.
    """

    id: str
    title: str
    by: str
    formula: str
    rolled: bool
    results: tuple[ResultRecord, ...]
    note: str = ""

    @property
    def says(self) -> str:
        """How it is used, and what is noted under it."""
        return " ".join(filter(None, (self.use, self.note)))

    @property
    def use(self) -> str:
        """What leads to a row."""
        by_number = f"Roll {self.by}." if self.rolled else f"Look up by {self.by}."
        return "Choose by name." if self.by == "name" else by_number

    def top(self, result: ResultRecord) -> int:
        """Return the largest number that leads to a row; a row without an upper end has the largest number of all."""
        return MAX_NUMBER if result.high is None else result.high


class PageRecord(Struct, frozen=True):
    """One panel of a screen, a sheet or a reference as a text: Markdown, and the same as HTML."""

    product: str
    title: str
    markdown: str
    html: str


class SystemRecord(Struct, frozen=True):
    """A whole system: its cards, its tables, its panels as texts, and its rules as its files have them."""

    id: str
    title: str
    version: str
    line: str
    cards: tuple[CardRecord, ...] = ()
    tables: tuple[TableRecord, ...] = ()
    pages: tuple[PageRecord, ...] = ()
    rules: dict[str, Any] = {}


def card_records(name: str, faces: Iterable[elements.Face]) -> tuple[CardRecord, ...]:
    """Return a set of cards, in order; of several copies one that says how many there are."""
    return tuple(_card(name, face, place, copies) for place, (face, copies) in enumerate(Counter(faces).items(), 1))


def _card(name: str, face: elements.Face, place: int, copies: int) -> CardRecord:
    index = next((part for part in face.parts if isinstance(part, elements.Index)), elements.Index("", ""))
    return CardRecord(
        set=name,
        code=face.code,
        place=FULL_DECK.index(face.code) + 1 if face.code in FULL_DECK else place,
        name=elements.title_of(face),
        suit=index.suit,
        rank=index.rank,
        text=elements.sentences_of(face),
        until=tuple(part.until for part in face.parts if isinstance(part, elements.CardEffect) and part.until),
        short=elements.short_form(face),
        badges=elements.counted_form(elements.badges_of(face)),
        written=elements.written_form(face),
        flavour=" ".join(part.text for part in face.parts if isinstance(part, elements.Flavour)),
        copies=copies,
    )


def table_records(system: System) -> tuple[TableRecord, ...]:
    """Return every table of a system; one with several columns whose rows go by numbers is one record a column."""
    return tuple(record for table in system.tables for record in _tables(table, system))


def _tables(table: Table, system: System) -> Iterator[TableRecord]:
    if len(table.columns) < 2 or any(row.at is None for row in table.rows):
        yield _table(table, system)
        return
    for name, column in table.columns.items():
        yield _table(msgspec.structs.replace(table, columns={name: column}), system, (name, column))


def _table(table: Table, system: System, column: tuple[str, Column] | None = None) -> TableRecord:
    heads, rows = table_cells(table, system, cell_words=full_cell)
    # The results and the names of rows lead the cells, where the table has them.
    leading = any(row.at for row in table.rows) + any(row.name for row in table.rows)
    chances = table.chances()
    results = tuple(
        ResultRecord(
            low=row.at.low if row.at else place,
            high=row.at.high if row.at else place,
            at=str(row.at or ""),
            name=row.name or "",
            text=" ".join(_cells(("",) if column else heads[leading:], cells[leading:], table.title)),
            weight=_weight(row.at, chances),
        )
        for place, (row, cells) in enumerate(zip(table.rows, rows, strict=True), 1)
    )
    # Virtual tables take 10*1d6+1d6 where formulas have 10 * d6 + d6.
    digits = table.digits.replace(" ", "").replace("d6", "1d6")
    key = f"d{table.covers.high}" if digits and table.covers else table.key
    by = table.roll.spoken if table.roll else system.head.tracks[table.by].name if table.by else key
    return TableRecord(
        id=f"{table.id}-{column[0]}" if column else table.id,
        title=f"{table.title}: {column[1].title}" if column else table.title,
        by=by,
        formula=str(table.roll or digits),
        rolled=bool(chances),
        results=results,
        note=table_note(table, system),
    )


def _weight(span: Span | None, chances: dict[int, Fraction]) -> int:
    if span is None or not chances:
        return 1 if span is None or span.high is None else span.high - span.low + 1
    ways = lcm(*(chance.denominator for chance in chances.values()))
    return int(ways * sum(chance for total, chance in chances.items() if total in span))


def _cells(heads: tuple[str, ...], cells: tuple[str, ...], title: str) -> Iterator[str]:
    """Yield the cells of a row that say something, each after its head unless that is the table's title."""
    for head, cell in zip_longest(heads, cells, fillvalue=""):
        if cell:
            yield _sentence(f"{head}: {cell}" if head not in ("", title) else cell)


def _sentence(text: str) -> str:
    """Return with a capital letter and a full stop; dice keep their small letter."""
    return full_stop(text if re.match(r"d\d", text) else capitalised(text))


def page_record(product: str, page: Page, system: System) -> PageRecord:
    """Return one panel as it is read aloud."""
    nodes = reading.panel_nodes(page)[1:]
    return PageRecord(
        product=product,
        title=page.title,
        markdown=markdown_page(reading.SpokenText(page.title, product_line(system), tuple(nodes))),
        html=html_fragment(nodes),
    )


def system_record(
    system: System, cards: tuple[CardRecord, ...], tables: tuple[TableRecord, ...], pages: tuple[PageRecord, ...]
) -> SystemRecord:
    """Return a system's cards, tables and pages, with its rules as they stand in its files."""
    head = system.head
    played = system.played()
    rules = json.loads(played) if played else {}
    return SystemRecord(head.id, head.title, head.version, product_line(system), cards, tables, pages, rules)


def record_of(job: Job) -> SystemRecord:
    """The data of the product: a set of cards, all tables, a screen, or everything."""
    system, product = job.system, job.product
    cards = [
        card
        for name in named_sets(job)
        for card in card_records(name, deck.laid_out(system, name, deck_options(job.of(name))))
    ]
    alone = product == targets.WHOLE and bool(job.choices.only)
    tables = table_records(system) if product in (targets.TABLES, targets.WHOLE) and not alone else ()
    pages = [
        page_record(name, page(panel, system), system)
        for name, laid_out in system.panels
        if product in (name, targets.WHOLE) and not alone
        for panel in laid_out.panels
    ]
    record = system_record(system, tuple(cards), tables, tuple(pages))
    if not (record.cards or record.tables or record.pages):
        raise UsageError(f"{product} has nothing for {job.target_name}: leave it out")
    return record


SCHEMA = "system.schema.json"
"""The name of the schema's file, which lies beside the data."""


def system_json(record: SystemRecord) -> bytes:
    """Return the data, which name their schema."""
    shape = {"$schema": SCHEMA, **msgspec.to_builtins(record)}
    return msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n"


def schema_json() -> bytes:
    """Return the JSON Schema, draft 2020-12, of what `system_json` writes."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(SystemRecord)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


def json_files(job: Job, target: RecordsTarget) -> list[File]:
    """Make the data of a product, and their schema beside them."""
    del target
    parts = {"system.json": system_json(record_of(job)), SCHEMA: schema_json()}
    return [File(f"{job.stem}/{name}", content) for name, content in parts.items()]

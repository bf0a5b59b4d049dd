"""Cards and tables as CSV: UTF-8 with a mark for Excel, one row a card or a row of a table, columns in one order."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from generator.layout.targets import TABLES, RecordsTarget
from generator.orders.job import File, Job
from generator.orders.records import CardRecord, TableRecord, record_of

CARD_COLUMNS = ("code", "name", "text", "until", "badges", "written", "short", "flavour", "suit", "rank", "copies")
TABLE_COLUMNS = ("table", "title", "use", "by", "formula", "low", "high", "at", "name", "text", "weight")

_NUMBERS = re.compile(r"-?[0-9]{1,9}(?:--?[0-9]{1,9}|\+)?")
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cards_csv(cards: Iterable[CardRecord]) -> bytes:
    """Return one row a card; copies are a number."""
    return _file(
        CARD_COLUMNS,
        (
            (
                *(card.code, card.name, " ".join(card.text), "; ".join(card.until), card.badges, card.written),
                *(card.short, card.flavour, card.suit, card.rank, str(card.copies)),
            )
            for card in cards
        ),
    )


def tables_csv(tables: Iterable[TableRecord]) -> bytes:
    """Return one row for each row of each table; "high" is empty without an upper end, "weight" is its chance."""
    return _file(
        TABLE_COLUMNS,
        (
            (
                *(table.id, table.title, table.use, table.by, table.formula, str(result.low)),
                *("" if result.high is None else str(result.high), result.at, result.name, result.text),
                str(result.weight),
            )
            for table in tables
            for result in table.results
        ),
    )


def guarded_cell(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: an apostrophe goes before all but numbers and ranges."""
    return f"'{cell}" if cell.startswith(_BEGINS_A_FORMULA) and not _NUMBERS.fullmatch(cell) else cell


def _file(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    stream = StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows([guarded_cell(cell) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")


def csv_files(job: Job, target: RecordsTarget) -> list[File]:
    """Make one CSV of a set of cards, or of all tables."""
    del target
    record = record_of(job)
    rows = tables_csv(record.tables) if job.product == TABLES else cards_csv(record.cards)
    return [File(f"{job.stem}.csv", rows)]

"""Rollable tables and macros for Roll20 as text to paste into its chat and its macro editor.

The commands are those of its mod script TableExport: a table's name, then an item, its weight and its picture each.
"""

import re
from collections.abc import Iterable, Iterator

from generator.layout import targets
from generator.orders.card_pictures import drawn_once, packed_files, picture_names
from generator.orders.job import File, Job
from generator.orders.records import CardRecord, TableRecord, record_of

_READ_BY_CHAT = str.maketrans(
    {"{": "(", "}": ")", "[": "(", "]": ")", "<": "(", ">": ")", "#": "No. ", "|": "/", "\n": " "}
)


def deck_text(system: str, name: str, cards: Iterable[CardRecord]) -> tuple[str, str]:
    """Return a set of cards as a rollable table whose weights are copies, and the macro that rolls on it."""
    table = _table_name(system, name, "cards")
    items = ((f"{card.name} ({card.code}): {card.one_line}", card.copies) for card in cards)
    return _lines(_table(table, items)), _lines([_macro(table, f"/roll 1t[{table}]")])


def tables_text(system: str, tables: Iterable[TableRecord]) -> tuple[str, str]:
    """Return rollable tables, and a macro for each: a roll, or the whole table.

    A row weighs as much as its chance: in how many ways the dice come to it.
    """
    lines: list[str] = []
    macros: list[str] = []
    for table in tables:
        name = _table_name(system, table.id)
        lines += _table(name, ((result.one_line, result.weight) for result in table.results))
        rows = [("name", table.title), *((result.at or str(result.low), result.one_line) for result in table.results)]
        fields = " ".join(f"{{{{{chat_text(key)}={chat_text(value)}}}}}" for key, value in rows)
        macros.append(_macro(name, f"/roll 1t[{name}]" if table.rolled else f"&{{template:default}} {fields}"))
    return _lines(lines), _lines(macros)


def chat_text(text: str) -> str:
    """Return text that Roll20's chat and script do not take for a command, a roll or another field."""
    return re.sub(r"-{2,}", "-", " ".join(text.translate(_READ_BY_CHAT).split())).replace("=", ":").lstrip("/!& ")


def _table_name(*parts: str) -> str:
    """Return a name of letters, digits and hyphens, as it must be to stand in brackets behind a roll."""
    return re.sub(r"[^\w-]", "-", "-".join(parts))


def _table(name: str, items: Iterable[tuple[str, int]]) -> Iterator[str]:
    yield f"!import-table --{name} --hide"
    for text, weight in items:
        yield f"!import-table-item --{name} --{chat_text(text)} --{weight} --"


def _macro(name: str, does: str) -> str:
    return f"{name}\t{does}"


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def roll20_files(job: Job, target: targets.VirtualTarget) -> Iterator[File]:
    """Make rollable tables and macros of a set of cards, with their pictures, or of all tables."""
    dpi = job.choices.dpi or target.dpi
    record = record_of(job)
    pictures: Iterable[File] = ()
    if job.product == targets.TABLES:
        tables, macros = tables_text(record.id, record.tables)
    else:
        names = [f"{job.stem}/{name}.png" for name in (*picture_names(record.cards), "back")]
        pictures = packed_files(job, names, drawn_once(job, dpi), dpi)
        tables, macros = deck_text(record.id, job.product, record.cards)

    def each_file() -> Iterator[File]:
        yield from pictures
        yield File(f"{job.stem}/tables.txt", tables.encode())
        yield File(f"{job.stem}/macros.txt", macros.encode())

    return each_file()

"""A roll on a table, or a card that is drawn, to try them."""

import secrets
from collections.abc import Callable
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import UsageError
from generator.base.sentences import full_stop
from generator.model.rules import System, Table
from generator.play.chance import RollNeed, Seeded
from generator.studio.book import Book
from generator.words.rolled_text import rolled_text
from generator.words.table_text import cell_text, full_cell, named_text
from generator.words.wording import fill_placeholders


def roll(book: Book, name: str) -> dict[str, Any]:
    """Roll on a table, or draw a card, and return the row and what it says. Raises UsageError."""
    part, system = book.part(name), book.system
    if system is None or book.problems:
        raise UsageError("Fix the errors first: then it can be rolled.")
    luck = Seeded(secrets.randbits(48))

    def total(dice: Dice) -> int:
        return sum(luck.roll(RollNeed(dice, "the table"))) + dice.plus

    if part.key in ("conditions", "events"):
        raise UsageError("Choose a table or a deck to roll on.")
    table = system.table(part.name) if part.key == "rows" else None
    if table is None:
        deck = system.piles[part.name or "deck"]
        copies = {card.code: card.copies for card in deck.cards}
        lines = enumerate(part.lines())
        pile = [at for at, line in lines for _ in range(copies.get(str(line.value.get("code")), 0))]
        if not pile:
            raise UsageError("This deck has no cards yet.")
        at = pile[total(Dice(1, len(pile))) - 1]
        return {"row": at, "shows": "A card is drawn", "says": rolled_text(deck.cards[at].effects, system, total)}
    return _rolled(table, system, total)


def _rolled(table: Table, system: System, total: Callable[[Dice], int]) -> dict[str, Any]:
    """Roll on a table: return the row, what the dice show, and what it says."""
    result: int | None = None
    if table.roll:
        result = total(table.roll)
        shows = f"{table.roll.spoken} shows {result}"
    elif ways := tuple(table.chances()):
        result = ways[total(Dice(1, len(ways))) - 1]
        shows = f"The dice show {result}"
    else:
        at = total(Dice(1, len(table.rows))) - 1
        shows = "Nothing is rolled on this table: a row by chance"
    if result is not None:
        at = next((at for at, row in enumerate(table.rows) if row.at and result in row.at), 0)
    row = table.rows[at]
    face = total(table.column_roll) if table.column_roll and row.cells else 0
    column = next((name for name, each in table.columns.items() if each.at and face in each.at), "")
    met = row if column else row.everywhere
    says, cell = named_text(met, column, full_cell(met, column, system)), met.cell(column)
    rolled = rolled_text(cell, system, total) if isinstance(cell, tuple) else ""
    first = rolled_text(row.first, system, total) or cell_text(row.first, system)
    said = " ".join(filter(None, (first, rolled or says)))
    told = [row.name or "", table.columns[column].title if column else "", said]
    note = fill_placeholders(row.note, system) if row.note else ""
    return {"row": at, "shows": shows, "says": f"{full_stop(': '.join(filter(None, told)))} {note}".strip()}

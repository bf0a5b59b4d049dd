"""A change of a pack as the files that it writes: its tables, decks, events, backs and titles, and their rows."""

from collections.abc import Iterator, Sequence
from typing import Any

from generator.base.errors import UsageError
from generator.base.text_input import numbered_id, plain_text
from generator.model.procedures import Steps
from generator.pack import csv_cards, founding, scaffold
from generator.pack.splicing import Add, Cut, Edit, Put
from generator.pack.strict_yaml import UNSEEN, Trail, read_text
from generator.products import panels_file
from generator.prose import post
from generator.studio import decks, events, grid
from generator.studio.book import Book, File
from generator.studio.grid import GridPart
from generator.studio.row_changes import ADOPTED, line_at, plain_id, with_cells, with_row
from generator.studio.wishes import CellChange, GridChange, PackChange


def changed_files(book: Book, change: PackChange, notes: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the files that a change writes, with what they say then. Raises HackjackError."""
    wanted = change.change
    match wanted.do:
        case "paste":
            yield from _pasted(book, wanted.text, notes)
        case "csv":
            yield from _with_spreadsheet(book, book.part(change.part), wanted)
        case "deck":
            yield _with_deck(book, _title(wanted.text))
        case "event":
            yield _with_event(book, book.part("events"), wanted, notes)
        case "pack":
            yield book.spliced("system.yaml", [Put(("title",), _title(wanted.text))])
        case "title":
            part = book.part(change.part)
            yield book.spliced(part.file, [Put((*_own_entry(book, part), "title"), _title(wanted.text))])
        case "remove":
            yield from _removed(book, book.part(change.part))
        case "cells" if wanted.cells and wanted.cells[0].path[:1] == (decks.BACK,):
            yield from _with_back(book, book.part(change.part), wanted.cells)
        case "cells":
            yield from with_cells(book, book.part(change.part), wanted.cells, notes)
        case _:
            yield from with_row(book, book.part(change.part), wanted)


def _pasted(book: Book, text: str, notes: list[str]) -> Iterator[File]:
    """Yield the files of a pack with more tables, each with its event and on the screen if those are its own."""
    pasted = post.read(text, "your text")
    notes += [str(each) for each in pasted.problems]
    taken = {part.name for part in book.parts.values()} | {*(book.system.head.events if book.system else ())}
    tables = []
    for table in (each.table.plain() for each in pasted.tables):
        name = numbered_id(table["id"], taken.__contains__)
        taken.add(name)
        tables.append({**table, "id": name})
    yield book.with_entries("tables.yaml", "tables", tables)
    system = book.system
    if system is None or system.below or not isinstance(system.head.procedure, Steps):
        return
    events = {table["id"]: event for table in tables if (event := scaffold.event_for(table))}
    cards = [{"name": table["id"], "from": {"table": table["id"]}} for table in tables if scaffold.fits_cards(table)]
    edits: list[Edit] = [Put(("events", name), event) for name, event in events.items()]
    edits += [Add(("cards",), at, card) for at, card in enumerate(cards, len(system.head.cards))]
    yield book.spliced("system.yaml", edits)
    screen = panels_file(system, "screen")
    if screen and screen.panels and book.text("screen.yaml") is not None:
        place, count = ("panels", 0, "blocks"), len(screen.panels[0].blocks)
        blocks = ({"block": "table", "title": table["title"], "table": table["id"]} for table in tables)
        yield book.spliced("screen.yaml", [Add(place, at, each) for at, each in enumerate(blocks, count)])


def _with_deck(book: Book, title: str) -> File:
    """Return the file of decks with one more. Raises UsageError for a title without letters."""
    taken = {part.name for part in book.parts.values()}
    name = numbered_id(plain_id(title), taken.__contains__)
    deck = {"id": name, "title": title, "cards": [_first_card(title)]}
    return book.with_entries("decks.yaml", "decks", [deck])


def _with_event(book: Book, part: GridPart, wanted: GridChange, notes: list[str]) -> File:
    """Return the file of events with one more, or with another text of one. Raises UsageError."""
    if wanted.row < 0:
        title = _title(wanted.text)
        name = numbered_id(plain_id(title), part.written.value["events"].__contains__)
        text = events.new_event(title)
    else:
        line = line_at(part, wanted.row)
        name = line.value["id"]
        notes += [] if line.lies_in(book.folder / part.file) else [ADOPTED]
        text = "\n".join(each.rstrip() for each in UNSEEN.sub("", wanted.text).splitlines()).strip("\n") + "\n"
    return book.spliced(part.file, [Put((part.key, name), text)])


def _title(text: str) -> str:
    """Return a title as it was typed. Raises UsageError for one that is empty."""
    if not (title := plain_text(text)[: founding.MAX_TITLE].strip()):
        raise UsageError("Write a title.")
    return title


def _own_entry(book: Book, part: GridPart) -> Trail:
    """Return the place of a table or a deck in the pack's own file. Raises UsageError."""
    trail, there = book.own_list(part) if part.key != "conditions" else ((), False)
    if not there:
        raise UsageError(f"“{part.title}” belongs to the system below, and stays as it is.")
    return trail[:-1]


def _removed(book: Book, part: GridPart) -> Iterator[tuple[str, bytes | None]]:
    """Yield the files of a pack without a table or a deck, and without what was made for a table when it came."""
    trail = _own_entry(book, part)
    entries = read_text(book.text(part.file) or "", part.file)[0]
    alone = not trail or len(entries[trail[0]]) == 1
    if alone and part.key == "rows" and not (book.system and book.system.below):
        raise UsageError("This is the only table of the pack. Add another first, or delete the pack.")
    yield (part.file, None) if alone else book.spliced(part.file, [Cut(trail)])
    if part.key != "rows":
        return
    event, lost = scaffold.event_for(part.written.value), set[Any]()
    for file in ("system.yaml", "screen.yaml"):
        text = book.text(file)
        value = read_text(text, file)[0] if text is not None else None
        if isinstance(value, dict):
            found = [trail for trail, entry in _entries(value) if _is_of(entry, part.name, event, lost)]
            lost |= {trail[1] for trail in found if trail[0] == "events"}
            yield book.spliced(file, map(Cut, found[::-1]))


def _entries(value: dict[str, Any]) -> Iterator[tuple[Trail, Any]]:
    """Yield the entries of a file that may have been made for a table, each with its place."""
    events, cards, panels = (value.get(key) for key in ("events", "cards", "panels"))
    yield from ((("events", name), event) for name, event in (events if isinstance(events, dict) else {}).items())
    yield from ((("cards", at), card) for at, card in enumerate(cards if isinstance(cards, list) else ()))
    for at, panel in enumerate(panels if isinstance(panels, list) else ()):
        blocks = panel.get("blocks") if isinstance(panel, dict) else None
        for place, entry in enumerate(blocks if isinstance(blocks, list) else ()):
            yield ("panels", at, "blocks", place), entry
            named = entry.get("event") if isinstance(entry, dict) else None
            for nth, name in enumerate(named if isinstance(named, list) else ()):
                yield ("panels", at, "blocks", place, "event", nth), {"block": "event", "event": name}


def _is_of(entry: Any, table: str, event: Any, lost: set[Any]) -> bool:
    """Return whether an entry is of one table alone: its event, its cards, or its block on a screen."""
    if not isinstance(entry, dict):
        return entry is not None and entry == event
    own = entry in (event, {"name": table, "from": {"table": table}}) or entry.get("table") == table
    named = entry.get("event")
    return own or (entry.get("block") == "event" and lost.issuperset(named if isinstance(named, list) else [named]))


def _with_spreadsheet(book: Book, part: GridPart, wanted: GridChange) -> Iterator[File]:
    """Yield the spreadsheet of a deck under a name of ours, and the deck that names it and what its columns are."""
    if part.key != "cards":
        raise UsageError("A spreadsheet of cards belongs to a deck.")
    name, deck = f"{part.name or 'cards'}.csv", part.written.value
    headings = {cell.path[0]: cell.value or None for cell in wanted.cells} or deck.get("headings")
    csv_cards.read_cards(wanted.text, {**deck, "headings": headings}, name)
    yield name, wanted.text.encode()
    new = {key: value for key, value in (("csv", name), ("headings", headings)) if value and deck.get(key) != value}
    if new:
        trail, there = book.own_list(part)
        if not there:
            raise UsageError("This deck belongs to the system below. Start a deck of your own for a spreadsheet.")
        order = ("title", "csv", "headings", "cards")
        edits: list[Edit] = [Put((*trail[:-1], key), value, order) for key, value in new.items()]
        # The card that a new deck begins with has been in place of those of the spreadsheet.
        edits += [Cut(trail)] if deck.get("cards") == [_first_card(str(deck.get("title")))] else []
        yield book.spliced(part.file, edits)


def _first_card(title: str) -> dict[str, str]:
    return {"code": "1", "name": title}


def _with_back(book: Book, part: GridPart, cells: Sequence[CellChange]) -> Iterator[File]:
    """Yield the files with another back of a deck: its design, or the picture that covers it."""
    typed = {cell.path[-1]: str(grid.typed("text", str(cell.value)) or "") for cell in cells}
    if (picture := typed.pop("art", None)) is not None:
        trail, there = book.own_list(part)
        if there:
            place = (*trail[:-1], "back")
            yield book.spliced(part.file, [Put(place, picture, ("title", "back")) if picture else Cut(place)])
        elif part.file == "deck.yaml":
            yield part.file, f"back: {picture}\n".encode()
        else:
            _own_entry(book, part)
    if typed:
        design = decks.changed_back(decks.written_back(part, book.head), typed.items())
        yield book.spliced("system.yaml", [Put(("backs", decks.back_name(part)), design)])

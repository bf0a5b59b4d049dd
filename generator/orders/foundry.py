"""A module for Foundry VTT 13 and 14: decks, roll tables and journals, for its compendium tool and for Import Data.

Ids come from names, so that a later export updates the same documents.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Any

from generator.layout import targets
from generator.layout.reading import SpokenLine
from generator.orders.card_pictures import drawn_once, packed_files, picture_names, plain_name
from generator.orders.editions import html_fragment
from generator.orders.job import File, Job, card_size, named_sets
from generator.orders.records import CardRecord, PageRecord, SystemRecord, TableRecord, record_of

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TALL = 300
"""The height of a card on the canvas, pixels."""
_PACKS = {"cards": "Cards", "tables": "RollTable", "journals": "JournalEntry"}
_HTML = 1
"""The format of a journal's page, as Foundry numbers them."""

Document = dict[str, Any]
Sets = Mapping[str, tuple[str, Sequence[str]]]
"""Of each set of cards, the picture of its back and those of its cards in order, as paths in Foundry's data folder."""


def module_files(record: SystemRecord, module: str, pictures: Sets, shape: float) -> dict[str, bytes]:
    """The files of a module that lies in a folder of that name: its manifest, its sources, and a file a document.

    `shape` is a card's width by its height. Files in `src` have the keys that the tool wants; those in `import` have
    none.
    """
    made: dict[str, list[Document]] = {
        "cards": [_deck(record, name, pictures[name], shape) for name in pictures],
        "tables": [_table(record, table) for table in record.tables],
        "journals": list(_journals(record)),
    }
    packs = {folder: documents for folder, documents in made.items() if documents}
    files = {"module.json": _json(_manifest(record, module, packs))}
    for folder, documents in packs.items():
        for document in documents:
            name = f"{folder}/{document['flags']['hackjack']['id']}.json"
            files[f"src/{name}"] = _json(_keyed(document, folder))
            files[f"import/{name}"] = _json(document)
    return files


def document_id(*names: str) -> str:
    """Return sixteen letters and digits, always the same for the same names."""
    number = int.from_bytes(sha256("\0".join(names).encode()).digest(), "big")
    letters = []
    for _ in range(16):
        number, rest = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[rest])
    return "".join(letters)


def _manifest(record: SystemRecord, module: str, packs: Iterable[str]) -> Document:
    return {
        "id": module,
        "title": record.title,
        "description": escape(record.line),
        "version": record.version,
        "compatibility": {"minimum": "13", "verified": "14"},
        "packs": [
            {
                "name": folder,
                "label": f"{record.title}: {folder}",
                "path": f"packs/{folder}",
                "type": _PACKS[folder],
                "ownership": {"PLAYER": "OBSERVER", "ASSISTANT": "OWNER"},
            }
            for folder in packs
        ],
    }


def _deck(record: SystemRecord, name: str, pictures: tuple[str, Sequence[str]], shape: float) -> Document:
    back, faces = pictures
    deck = document_id(record.id, "cards", name)
    size = {"width": round(_TALL * shape), "height": _TALL, "rotation": 0}
    cards = [card for card in record.cards if card.set == name]
    return {
        "_id": deck,
        "name": f"{record.title}: {name}",
        "type": "deck",
        "description": escape(record.line),
        "img": back,
        "system": {},
        "cards": [
            _card(record, card, copy, deck, (face, back), size)
            for card, face in zip(cards, faces, strict=True)
            for copy in range(card.copies)
        ],
        **size,
        "displayCount": True,
        **_common(name),
    }


def _card(
    record: SystemRecord, card: CardRecord, copy: int, deck: str, pictures: tuple[str, str], size: Mapping[str, int]
) -> Document:
    face, back = pictures
    return {
        "_id": document_id(record.id, "cards", card.set, card.code, str(copy)),
        "name": card.name,
        "description": _card_html(card),
        "type": "base",
        "system": {},
        "suit": card.suit,
        "value": card.place,
        "back": {"name": record.title, "text": "", "img": back},
        "faces": [{"name": card.name, "text": _card_html(card), "img": face}],
        "face": None,
        "drawn": False,
        "origin": deck,
        **size,
        "sort": card.place,
        "flags": {"hackjack": {"id": card.code}},
    }


def _card_html(card: CardRecord) -> str:
    lines = [SpokenLine(line) for line in (*card.text, card.badges, card.written) if line]
    return html_fragment([*lines, *([SpokenLine(card.flavour, aside=True)] if card.flavour else [])])


def _table(record: SystemRecord, table: TableRecord) -> Document:
    return {
        "_id": document_id(record.id, "tables", table.id),
        "name": table.title,
        "img": "icons/svg/d20-grey.svg",
        "description": escape(table.says),
        "results": [
            {
                "_id": document_id(record.id, "tables", table.id, str(place)),
                "type": "text",
                "name": result.name,
                "img": None,
                "description": escape(result.text),
                "documentUuid": None,
                "weight": max(1, result.weight),  # Foundry refuses 0; the formula decides
                "range": [result.low, table.top(result)],
                "drawn": False,
                "flags": {},
            }
            for place, result in enumerate(table.results)
        ],
        # Nobody rolls on a table that is looked up, but an empty formula makes Foundry roll evenly: a number below all
        # its rows draws none.
        "formula": table.formula if table.rolled else str(min(result.low for result in table.results) - 1),
        "replacement": True,
        "displayRoll": True,
        **_common(table.id),
    }


def _journals(record: SystemRecord) -> Iterator[Document]:
    for product in dict.fromkeys(page.product for page in record.pages):
        pages = [page for page in record.pages if page.product == product]
        yield {
            "_id": document_id(record.id, "journals", product),
            "name": f"{record.title}: {product}",
            "pages": [_page(record, page, place) for place, page in enumerate(pages)],
            "categories": [],
            **_common(product),
        }


def _page(record: SystemRecord, page: PageRecord, place: int) -> Document:
    return {
        "_id": document_id(record.id, "journals", page.product, str(place)),
        "name": page.title,
        "type": "text",
        "system": {},
        "title": {"show": True, "level": 1},
        "image": {},
        "text": {"format": _HTML, "content": page.html},
        "video": {},
        "src": None,
        "category": None,
        "sort": place,
        "ownership": {"default": -1},
        "flags": {},
    }


def _common(name: str) -> Document:
    """Return the fields of every document; its flag names its source."""
    return {"folder": None, "sort": 0, "ownership": {"default": 0}, "flags": {"hackjack": {"id": name}}}


_INSIDE = {"cards": "cards", "tables": "results", "journals": "pages"}
_COLLECTIONS = {"cards": "cards", "tables": "tables", "journals": "journal"}


def _keyed(document: Document, folder: str) -> Document:
    """Return a document with the keys under which the tool stores it and what is in it."""
    inside, collection = _INSIDE[folder], _COLLECTIONS[folder]
    kept = [{**each, "_key": f"!{collection}.{inside}!{document['_id']}.{each['_id']}"} for each in document[inside]]
    return {**document, inside: kept, "_key": f"!{collection}!{document['_id']}"}


def _json(document: Document) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"


def foundry_files(job: Job, target: targets.VirtualTarget) -> Iterator[File]:
    """Make a module of a system's cards, tables and panels."""
    # The folder's name is the module's id, in which Foundry allows no other signs.
    record, folder = record_of(job), plain_name(job.stem)
    # Every set is laid out before the first picture is written: what does not fit leaves no half module.
    dpi = job.choices.dpi or target.dpi
    drawn = {name: drawn_once(job.of(name), dpi) for name in named_sets(job)}
    names = {name: picture_names([card for card in record.cards if card.set == name]) for name in drawn}
    where = {name: f"pictures/{name}" for name in drawn}
    pictures = {
        name: (
            f"modules/{folder}/{where[name]}/back.png",
            [f"modules/{folder}/{where[name]}/{each}.png" for each in names[name]],
        )
        for name in drawn
    }
    card = card_size(target, job.choices)

    def each_file() -> Iterator[File]:
        for name, pages in drawn.items():
            paths = [f"{folder}/{where[name]}/{each}.png" for each in (*names[name], "back")]
            yield from packed_files(job, paths, pages, dpi)
        module = module_files(record, folder, pictures, card.width / card.height)
        yield from (File(f"{folder}/{name}", content) for name, content in module.items())

    return each_file()

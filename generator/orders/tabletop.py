"""Decks for Tabletop Simulator: cards on large pictures, the back in the last place of each, and the saved object."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

from msgspec.structs import replace

from generator.base.errors import UsageError
from generator.layout import targets
from generator.layout.sheets import Size
from generator.layout.targets import MM_AN_INCH, TabletopTarget
from generator.orders import card_pictures, png
from generator.orders.card_pictures import packed_files
from generator.orders.job import File, Job, deck_options, look_at_art
from generator.orders.records import CardRecord, TableRecord, card_records, record_of
from generator.products import deck

_APART, _ACROSS = 5.0, 4
"""From one notecard to the next, and how many lie side by side."""


def card_dpi(card: Size, target: TabletopTarget) -> float:
    """Return the resolution at which the cards fill a picture of the size that the target allows."""
    wide, high = target.pixels // target.columns, target.pixels // target.rows
    return min(wide / card.width, high / card.height) * MM_AN_INCH


def picture_count(cards: int, target: TabletopTarget) -> int:
    """Return how many pictures that many cards take."""
    return -(-cards // _each(target))


def deck_pictures(pdf: bytes, cards: int, card: Size, target: TabletopTarget) -> Iterator[png.Picture]:
    """Yield the pictures, and last the back alone, of a PDF of so many cards and their back on the last page."""
    *fronts, back = png.page_pictures(pdf, card_dpi(card, target))
    each = _each(target)
    for first in range(0, cards, each):
        shown = fronts[first : first + each]
        yield png.tiled([*shown, *[None] * (each - len(shown)), back], target.columns)
    yield back


def saved_object(title: str, cards: Sequence[CardRecord], addresses: Sequence[str], target: TabletopTarget) -> bytes:
    """Return a deck as Tabletop Simulator saves it: each card with its name and its text, which its search finds.

    `cards` are in the order of the pictures, copies apart; `addresses` are those of the pictures, the back's last.
    """
    *faces, back = addresses
    sheets = {str(number): _custom_deck(face, back, target) for number, face in enumerate(faces, 1)}
    numbered = [(place // _each(target) + 1, place % _each(target)) for place in range(len(cards))]
    contained = [
        {
            **_placed(
                "Card", card.name, "\n".join(filter(None, (*card.text, card.badges, card.written, card.flavour)))
            ),
            "CardID": sheet * 100 + place,
            "SidewaysCard": False,
            "CustomDeck": {str(sheet): sheets[str(sheet)]},
        }
        for card, (sheet, place) in zip(cards, numbered, strict=True)
    ]
    deck = {
        **_placed("DeckCustom", title, ""),
        "SidewaysCard": False,
        "DeckIDs": [card["CardID"] for card in contained],
        "CustomDeck": sheets,
        "ContainedObjects": contained,
    }
    # A deck of one card is a card.
    return _saved(title, [deck if len(contained) > 1 else contained[0]])


def notecards(title: str, tables: Sequence[TableRecord]) -> bytes:
    """Return tables as a file of notecards: the title, and a line for each row."""
    cards = []
    for at, table in enumerate(tables):
        rows = (f"{result.at or result.low}: {result.one_line}" for result in table.results)
        card = _placed("Notecard", table.title, "\n".join([table.says, *rows]))
        card["Transform"] |= {"posX": _APART * (at % _ACROSS), "posZ": -_APART * (at // _ACROSS), "rotZ": 0.0}
        cards.append(card)
    return _saved(title, cards)


def _saved(title: str, objects: Sequence[Mapping[str, Any]]) -> bytes:
    without = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "LuaScript", "LuaScriptState", "XmlUI")
    saved = {"SaveName": title, **dict.fromkeys(without, ""), "ObjectStates": objects}
    return json.dumps(saved, ensure_ascii=False, indent=2).encode() + b"\n"


def _custom_deck(face: str, back: str, target: TabletopTarget) -> dict[str, Any]:
    return {
        "FaceURL": face,
        "BackURL": back,
        "NumWidth": target.columns,
        "NumHeight": target.rows,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 0,
    }


def _placed(kind: str, name: str, says: str) -> dict[str, Any]:
    """Return the fields of every object, lying face down in the middle of the table."""
    places = {f"pos{axis}": 0.0 for axis in "XYZ"} | {"posY": 1.0}
    turned = {"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {
        "Name": kind,
        "Transform": {**places, **turned, **{f"scale{axis}": 1.0 for axis in "XYZ"}},
        "Nickname": name,
        "Description": says,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": True,
        "Hands": True,
    }


def _each(target: TabletopTarget) -> int:
    return target.columns * target.rows - 1


def tabletop_files(job: Job, target: targets.TabletopTarget) -> Iterable[File]:
    """All cards on one picture, or on as many as they need, a picture of the back, and the saved object."""
    title = f"{job.system.head.title}: {job.product}"
    if job.product == targets.TABLES:
        return [File(f"{job.stem}.json", notecards(title, record_of(job).tables))]
    chosen = replace(deck_options(job), backs="duplex")
    address = _base_address(job)
    faces = deck.laid_out(job.system, job.product, chosen)
    count = picture_count(len(faces), target)
    names = ["faces"] if count == 1 else [f"faces-{number}" for number in range(1, count + 1)]
    names = [f"{name}.png" for name in (*names, "back")]
    dpi = card_dpi(chosen.card, target)
    look_at_art(job, chosen, 0.0, dpi)
    pdf = card_pictures.singles_of(job, chosen, deck.Leaf())
    pictures = deck_pictures(pdf, len(faces), chosen.card, target)
    each = dict(zip(dict.fromkeys(faces), card_records(job.product, faces), strict=True))
    saved = saved_object(title, [each[face] for face in faces], [f"{address}/{name}" for name in names], target)

    def each_file() -> Iterator[File]:
        yield from packed_files(job, [f"{job.stem}/{name}" for name in names], pictures, dpi)
        yield File(f"{job.stem}/{job.system.head.id}-{job.product}.json", saved)

    return each_file()


def _base_address(job: Job) -> str:
    """The address of the folder with the pictures: on the web, or where they are written. Raises UsageError."""
    written = job.choices.base_url
    if written is None:
        return f"{job.order.place}/{quote(job.stem)}"
    sound = False
    with suppress(ValueError):
        parts = urlsplit(written)
        sound = bool(parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment))
    if not sound or re.search(r"[\s\x00-\x1f\"<>]", written):
        raise UsageError(f'--base-url "{written[:60]}" is no address: write one such as https://example.org/cards')
    return f"{written.rstrip('/')}/{quote(job.stem)}"

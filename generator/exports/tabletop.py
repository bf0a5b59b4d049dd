"""Decks for Tabletop Simulator: cards on large pictures, the back in the last place of each, and the saved object."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from PIL import Image

from generator.exports import png
from generator.exports.records import CardRecord, TableRecord
from generator.layout.sheets import Size
from generator.layout.targets import MM_AN_INCH, TabletopTarget

_APART, _ACROSS = 5.0, 4
"""From one notecard to the next, and how many lie side by side."""


def card_dpi(card: Size, target: TabletopTarget) -> float:
    """Return the resolution at which the cards fill a picture of the size that the target allows."""
    wide, high = target.pixels // target.columns, target.pixels // target.rows
    return min(wide / card.width, high / card.height) * MM_AN_INCH


def picture_count(cards: int, target: TabletopTarget) -> int:
    """Return how many pictures that many cards take."""
    return -(-cards // _each(target))


def deck_pictures(pdf: bytes, cards: int, card: Size, target: TabletopTarget) -> Iterator[Image.Image]:
    """Yield the pictures, and last the back alone, of a PDF of so many cards and their back on the last page."""
    *fronts, back = png.page_pictures(pdf, card_dpi(card, target))
    each = _each(target)
    for first in range(0, cards, each):
        yield _sheet(fronts[first : first + each], back, target)
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


def _sheet(fronts: Iterable[Image.Image], back: Image.Image, target: TabletopTarget) -> Image.Image:
    wide, high = back.size
    sheet = Image.new("RGB", (wide * target.columns, high * target.rows), "white")
    for place, front in enumerate(fronts):
        sheet.paste(front, (place % target.columns * wide, place // target.columns * high))
    sheet.paste(back, ((target.columns - 1) * wide, (target.rows - 1) * high))
    return sheet

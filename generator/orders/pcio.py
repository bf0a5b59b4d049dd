"""A room for playingcards.io: a zip of pictures and of widgets, with a deck, a hand and counters."""

import json
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

from generator.base import zip_files
from generator.base.errors import HackjackError
from generator.layout import targets
from generator.layout.sheets import Size
from generator.orders import png
from generator.orders.card_pictures import drawn_once, picture_names
from generator.orders.job import File, Job, deck_options
from generator.orders.records import CardRecord, record_of

_HIGH = 200
"""The height of a card in the room, whose table is 1,600 by 1,000, pixels."""
MAX_WIDGETS = 1200
"""A room with more cards and things on its table than this is known to fail."""


def room_file(
    cards: Sequence[CardRecord], pictures: Mapping[str, bytes], card: Size, counters: Iterable[str] = ()
) -> bytes:
    """Return the bytes of a `.pcio` file.

    `pictures` are PNG files by name, those of the cards in order and last `back.png`. `counters` are the names of what
    is counted. Raises HackjackError for more cards than a room can hold.
    """
    widgets = _widgets(cards, list(pictures), card, counters)
    if len(widgets) > MAX_WIDGETS:
        raise HackjackError(f"a room holds {MAX_WIDGETS:,} cards and counters, not {len(widgets):,}: use --only")
    stream = BytesIO()
    written = json.dumps(widgets, ensure_ascii=False).encode()
    zip_files.write_archive(
        stream, {"widgets.json": written} | {f"userassets/{name}": each for name, each in pictures.items()}
    )
    return stream.getvalue()


def _widgets(
    cards: Sequence[CardRecord], names: Sequence[str], card: Size, counters: Iterable[str]
) -> list[dict[str, Any]]:
    size = {"cardWidth": round(_HIGH * card.width / card.height), "cardHeight": _HIGH}
    *faces, back = names
    place = {"x": 600, "y": 300}
    types = {
        f"card-{number}": {
            "label": each.name,
            "code": each.code,
            "text": each.one_line,
            "face": f"package://userassets/{face}",
            "back": f"package://userassets/{back}",
        }
        for number, (each, face) in enumerate(zip(cards, faces, strict=True), 1)
    }
    deck = {
        "id": "deck",
        "type": "cardDeck",
        "parent": "pile",
        **place,
        "z": 2,
        **size,
        "autoShuffle": True,
        "enlarge": True,
        "cardTypes": types,
        "faceTemplate": _side("face", size),
        "backTemplate": _side("back", size),
    }
    counted = (
        {"id": f"counter-{at}", "type": "counter", "x": 40, "y": 40 + 80 * at, "z": 1, "label": name, "counterValue": 0}
        for at, name in enumerate(counters)
    )
    pile = {"id": "pile", "type": "cardPile", **place, "z": 1, "label": "Deck", "hasShuffleButton": True}
    drawn = (kind for kind, each in zip(types, cards, strict=True) for _ in range(each.copies))
    return [
        {"id": "hand", "type": "hand", "x": 50, "y": 820, "z": 1},
        pile,
        deck,
        *counted,
        *(
            {
                "id": f"one-{at}",
                "type": "card",
                "cardType": kind,
                "deck": "deck",
                "parent": "pile",
                **place,
                "z": 100 + at,
                "faceup": False,
            }
            for at, kind in enumerate(drawn)
        ),
    ]


def _side(column: str, size: Mapping[str, int]) -> dict[str, Any]:
    """Return one side of all cards: the picture that the column of that name holds."""
    picture = {"type": "image", "x": 0, "y": 0, "w": size["cardWidth"], "h": size["cardHeight"], "color": "white"}
    return {
        "includeBorder": True,
        "includeRadius": True,
        "objects": [{**picture, "valueType": "dynamic", "value": column}],
    }


def pcio_files(job: Job, target: targets.VirtualTarget) -> list[File]:
    """Make a room with a set of cards."""
    dpi = job.choices.dpi or target.dpi
    record, card = record_of(job), deck_options(job).card
    names = (*picture_names(record.cards), "back")
    drawn = zip(names, drawn_once(job, dpi), strict=True)
    pictures = {f"{name}.png": png.png_bytes(picture, dpi) for name, picture in drawn}
    counters = [track.name for track in job.system.head.tracks.values()]
    return [File(f"{job.stem}.pcio", room_file(record.cards, pictures, card, counters))]

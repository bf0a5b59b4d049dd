"""The signs that stand on a system's cards, and what each means: a legend made from the cards themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.games.card_products import card_set, card_set_names
from generator.layout.card_elements import Badge, CardEffect, CardSet, Flavour, Title
from generator.model.rules import System
from generator.words.wording import DAGGER, fill_placeholders

SIGNS = {"score": "disc", "blood": "drop", "trauma": "bone", "permanent": "lock"}
"""The kinds of badges that have a sign, and what that is."""
RECONSTRUCTED = "reconstructed: no source gives it"
"""What the dagger says."""


class CardSign(NamedTuple):
    """A sign of the cards: its badge's kind, a suit or the dagger; its name, where it has one, and what it means."""

    kind: str
    name: str
    says: str


def signs_of(system: System) -> Iterator[CardSign]:
    """Yield suits, then the badges that the content names, then the lock and the dagger."""
    sets = [card_set(system, name) for name in card_set_names(system)]
    yield from (CardSign(suit.id, "", fill_placeholders(suit.means, system)) for suit in system.head.suits)
    kinds = {part.kind for chosen in sets for face in chosen.faces for part in face.parts if isinstance(part, Badge)}
    for kind in SIGNS:
        if kind in kinds and (track := system.head.tracks.get(kind)):
            yield CardSign(kind, track.name, fill_placeholders(track.means, system))
    if "permanent" in kinds:
        yield CardSign("permanent", "For good", "It does not end by itself.")
    if any(map(has_dagger, sets)):
        yield CardSign(DAGGER, "", f"{RECONSTRUCTED.capitalize()}.")


def has_dagger(printed: CardSet) -> bool:
    """Tell whether a dagger stands on any card of a set."""
    return any(DAGGER in _text(part) for face in printed.faces for part in face.parts)


def _text(part: object) -> str:
    match part:
        case Title() | Flavour():
            return part.text
        case CardEffect():
            return f"{part.label}{part.says}{part.until}"
        case _:
            return ""

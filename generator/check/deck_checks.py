"""Whether decks of any cards, and the sets of cards that `cards` asks for, fit together."""

from collections.abc import Collection, Iterator

from generator.base.cards import suit_of
from generator.base.errors import FREE_TEXT, NamedError, did_you_mean
from generator.games.content_face import Fault, known
from generator.model.procedures import Steps
from generator.model.rules import ALL, MAX_BOXES, TAKEN, Card, CardsOf, Deck, System
from generator.pack.strict_yaml import Trail

MAX_CARDS = 1000
"""So many cards may be in all decks together, copies counted."""
_COUNTED = ("score", "blood", "trauma", "for_good", "for_good_says")
_MANIFOLD = ("copies", "note", "lines", "faces")


def decks_faults(system: System) -> Iterator[Fault]:
    """Yield faults of `decks.yaml`."""
    names: list[str] = []
    for place, deck in enumerate(system.decks):
        yield from _name(deck.id, names, ("decks", place, "id"), "deck")
        names.append(deck.id)
    total = sum(card.copies for deck in system.piles.values() for card in deck.cards)
    if total > MAX_CARDS:
        yield ("decks",), f"{total:,} cards are too many for one system: {MAX_CARDS:,} at most, copies counted"


def own_deck_faults(deck: Deck, counted: Collection[str], trail: Trail = ()) -> Iterator[Fault]:
    """Yield faults of a deck whose cards have codes of their own; `counted` are the fields that formulas ask for."""
    if not deck.cards:
        yield trail, "the deck has no cards: list them under cards, or name a spreadsheet's file under csv"
    seen: dict[str, int] = {}
    scored = [card for card in deck.cards if card.score is not None or suit_of(card.code)] if "score" in counted else []
    for place, card in enumerate(deck.cards):
        where = (*trail, "cards", place)
        if scored and card not in scored:
            yield where, f"{card.code} has no score, and {scored[0].code} has: write score: 0 if it counts nothing"
        if (code := card.code.casefold()) in seen:
            message = f"the code {card.code} appears twice: card {seen[code]} has it already, so write copies there"
            yield (*where, "code"), message
        seen.setdefault(code, place + 1)
        yield from _card_faults(card, deck, counted, where)


def unused(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Yield the file, the place and a sentence for every face and line of a deck that none of its cards has."""
    decks: list[tuple[str, Trail, Deck]] = [
        ("decks.yaml", ("decks", place), deck) for place, deck in enumerate(system.decks)
    ]
    for file, trail, deck in [*decks, *([("deck.yaml", (), system.deck)] if system.deck else [])]:
        for key, what in (("faces", "face"), ("lines", "line")):
            for name in getattr(deck, key):
                if deck.cards and not any(name in getattr(card, key) for card in deck.cards):
                    yield file, (*trail, key, name), f"no card has this {what}: write it on the cards, or take it out"


def _card_faults(card: Card, deck: Deck, counted: Collection[str], trail: Trail) -> Iterator[Fault]:
    for key in _COUNTED:
        if getattr(card, key) not in (None, ()) and key not in counted:
            yield (*trail, key), f"no formula asks for card.{key}: take {key} out"
    for key in card.lines:
        yield from known(key, deck.lines, "line of this deck", (*trail, "lines", key))
    for key, face in card.faces.items():
        yield from known(key, deck.faces, "face of this deck", (*trail, "faces", key))
        if not (face.name or face.effects or face.note):
            yield (*trail, "faces", key), "the face is empty: give it a name, effects or a note"


def playing_faults(deck: Deck) -> Iterator[Fault]:
    """Yield what a deck of playing cards cannot have: the engines know each card once, with one meaning."""
    for place, card in enumerate(deck.cards):
        for key in _MANIFOLD:
            if getattr(card, key) not in (1, None) and getattr(card, key):
                cure = FREE_TEXT if key == "note" else "that is for decks of decks.yaml"
                yield ("cards", place, key), f"playing cards have no {key}: {cure}"
    for key in ("returns", "faces", "lines"):
        if getattr(deck, key):
            yield (key,), f"{key} is for decks of decks.yaml: take it out"


def cards_faults(system: System) -> Iterator[Fault]:
    """Yield faults of `cards` in `system.yaml`."""
    names = [deck.id for deck in system.decks]
    for place, block in enumerate(system.head.cards):
        trail: Trail = ("cards", place)
        yield from _name(block.name, names, (*trail, "name"), "product")
        names.append(block.name)
        yield from _source_faults(block, system, (*trail, "from"))
        columns = {name for table in system.tables for name in table.columns}
        for name in block.emblems:
            yield from known(name, columns, "column", (*trail, "emblems", name))
        if block.badge is not None and system.kind != "steps":
            yield (*trail, "badge"), "a badge is counted by events of your own: take it out, or make the kind steps"
        for name, boxes in block.boxes.items():
            if isinstance(boxes.count, str) and boxes.count in system.head.tracks:
                most = system.most_of(boxes.count)
                if most is None:
                    yield ("tracks", boxes.count, "most"), f"the boxes of {block.name} are as many: write how many"
                elif not 1 <= most <= MAX_BOXES:
                    message = f"the track {boxes.count} has {most} boxes, and a card has room for 1 to {MAX_BOXES}"
                    yield (*trail, "boxes", name, "count"), message


def _name(name: str, others: Collection[str], trail: Trail, noun: str) -> Iterator[Fault]:
    if name in others:
        yield trail, f'the {noun} "{name}" appears twice'
    elif name in TAKEN:
        yield trail, f'"{name}" is a product already: choose another name'


def _source_faults(block: CardsOf, system: System, trail: Trail) -> Iterator[Fault]:
    source = block.from_
    keys = [key for key in ("table", "cells", "conditions", "deck") if getattr(source, key)]
    if len(keys) != 1:
        yield trail, "cards come from one thing: write a table, cells of tables, conditions or a deck"
        return
    if source.face is not None and source.deck is None:
        yield (*trail, "face"), "only cards of a deck have faces: take it out"
    if isinstance(source.conditions, tuple):
        for place, name in enumerate(source.conditions):
            yield from known(name, system.head.conditions, "condition", (*trail, "conditions", place))
    elif source.conditions is not None and not system.conditions_of(source.conditions):
        groups = {each.group for each in system.head.conditions.values() if each.group}
        hint = did_you_mean(source.conditions, groups) or f": write a list of them, one of their groups, or {ALL}"
        yield (*trail, "conditions"), f'no condition is in a group "{source.conditions}"{hint}'
    if isinstance(source.cells, str) and not system.tables_of(source.cells):
        names = system.head.procedure.aims if isinstance(system.head.procedure, Steps) else ()
        yield from known(source.cells, names, "list of kinds", (*trail, "cells"))
    if isinstance(source.cells, tuple):
        for place, name in enumerate(source.cells):
            yield from known(name, [table.id for table in system.tables], "table", (*trail, "cells", place))
    if source.deck is not None:
        yield from known(source.deck, system.piles, "deck", (*trail, "deck"))
        if source.face is not None and source.deck in system.piles:
            faces = system.piles[source.deck].faces
            yield from known(source.face, faces, "face of this deck", (*trail, "face"))


def mixed_faults(system: System) -> Iterator[Fault]:
    """Yield each card of another system that is not there."""
    if system.mixed is None:
        return
    # Only here, because most packs have none and most commands make no cards.
    from generator.games import card_products

    for number, taken in enumerate(system.mixed.cards):
        try:
            card_products.taken_card(taken, system)
        except NamedError as error:
            yield ("cards", number), str(error)

"""Cards made of what a system has anyway: a deck of any cards, the rows of a table, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from generator.layout.card_elements import (
    Art,
    Badge,
    Blank,
    CardSet,
    Effect,
    Emblem,
    Face,
    Index,
    Part,
    Rule,
    Short,
    Title,
)
from generator.layout.card_layout import card_face
from generator.model.rules import ALL, CardsOf, Condition, Deck, Locate, OneOf, Row, System, Table
from generator.pack.strict_yaml import Trail
from generator.words.effects import condition_sentences, condition_telegraph, effect_sentences, effects_telegraph
from generator.words.table_text import brief_text, cell_text
from generator.words.wording import DAGGER, Sentence, capital, filled, span

AnyDeck = TypeVar("AnyDeck", bound=Deck)


def of_deck(name: str, system: System) -> CardSet:
    """A deck as it is, by its name."""
    deck = system.piles[name]
    file, trail = _place(name, system)
    faces = tuple(card_face(card, system, deck) for card in deck.in_order)
    trails = {card.code: (*trail, "cards", at) for at, card in enumerate(deck.cards)}
    called = f"the deck {name} of {system.head.id}" if trail else f"the deck of {system.head.id}"
    copies = {card.code: card.copies for card in deck.cards}
    return CardSet(called, faces, file, trails, copies=copies, back=deck.back, back_at=(*trail, "back"))


def _place(name: str, system: System) -> tuple[str, Trail]:
    """The file and the place of a deck."""
    at = next((at for at, deck in enumerate(system.decks) if deck.id == name), None)
    return ("deck.yaml", ()) if at is None else ("decks.yaml", ("decks", at))


def made(block: CardsOf, system: System) -> CardSet:
    """The cards that a block asks for. What it names must be there."""
    source, called = block.from_, f"the {block.name} of {system.head.id}"
    if source.deck is not None:
        deck = of_deck(source.deck, _with_face(system, source.deck, source.face))
        return msgspec.structs.replace(
            deck, called=called, faces=_dressed(deck.faces, block, system), back=block.back or deck.back
        )
    if source.table is not None:
        at = next(at for at, table in enumerate(system.tables) if table.id == source.table)
        table, file = system.tables[at], "tables.yaml"
        rows = [(_row(row, table, block, system), nth) for nth, row in enumerate(table.rows)]
        found: list[tuple[Face, Trail]] = [(face, ("tables", at, "rows", nth)) for face, nth in rows]
    else:
        file = "system.yaml"
        found = [
            (_condition(name, system.head.conditions[name], system), ("conditions", name))
            for name in system.conditions_of(source.conditions or ALL)
        ]
    faces = _dressed([face for face, _ in found], block, system)
    trails = {face.code: trail for face, trail in found}
    place = next((at for at, known in enumerate(system.head.cards) if known is block), 0)
    return CardSet(
        called, faces, file, trails, back=block.back, back_at=("cards", place, "back"), back_file="system.yaml"
    )


def _with_face(system: System, name: str, face: str | None) -> System:
    """The system with one face left on the cards of a deck, and no card that has others alone."""
    if face is None:
        return system

    def alone(deck: AnyDeck) -> AnyDeck:
        kept = [card for card in deck.cards if face in card.faces or not card.faces]
        cards = [
            msgspec.structs.replace(card, faces={k: v for k, v in card.faces.items() if k == face}) for card in kept
        ]
        return msgspec.structs.replace(deck, cards=tuple(cards))

    if name == "deck" and system.deck is not None:
        return replace(system, deck=alone(system.deck))
    return replace(system, decks=tuple(alone(deck) if deck.id == name else deck for deck in system.decks))


# --- faces -----------------------------------------------------------------------------------------------------------


def _row(row: Row, table: Table, block: CardsOf, system: System) -> Face:
    at, dagger = str(row.at) if row.at else "", DAGGER if row.reconstructed else ""
    cells = [(column.title, row.cells[key]) for key, column in table.columns.items() if key in row.cells]
    note = filled(row.note, system).removesuffix(".") if row.note else ""
    known = "permanent" if block.for_good else ""
    brief = [capital(effects_telegraph(row.effects, system, known, keys=True))]
    brief += [f"{title}: {brief_text(cell, system, keys=True)}" for title, cell in cells]
    parts: list[Part] = [
        *([Index(at, "")] if at else []),
        Title((row.name or f"{table.title} {at}") + dagger),
        *_sentences(sentence for effect in row.effects for sentence in effect_sentences(effect, system)),
        *(Effect(cell_text(cell, system).removesuffix("."), "", title) for title, cell in cells),
        *([Effect(f"Lasts {span(row.lasts)}", "")] if row.lasts else []),
        *([Effect(note, "")] if note else []),
        Short(". ".join(filter(None, (*brief, note)))),
        *([Art(row.art)] if row.art else []),
    ]
    # Where dice tell which, there is a line to write it on.
    parts += [Blank("Which")] if any(isinstance(effect, OneOf | Locate) for effect in row.effects) else []
    return Face(f"{_slug(block.word or block.name)}-{at or _slug(row.name or '')}", "", tuple(parts))


def _condition(name: str, condition: Condition, system: System) -> Face:
    parts: list[Part] = [
        Title(capital(condition.name or condition.brief or condition.says)),
        *_sentences(condition_sentences(condition, system)),
        Short(condition_telegraph(condition, system)),
        *([Art(condition.art)] if condition.art else []),
    ]
    return Face(name, "", tuple(parts))


def _sentences(sentences: Iterator[Sentence] | Sequence[Sentence]) -> Iterator[Effect]:
    yield from (Effect(sentence.says, sentence.until) for sentence in sentences)


def _dressed(faces: Sequence[Face], block: CardsOf, system: System) -> tuple[Face, ...]:
    """The faces with what a block puts on all of them."""
    brief = filled(block.brief, system) if block.brief else ""
    word = block.word or block.name.replace("_", " ")
    more = tuple(Effect(filled(text, system).removesuffix("."), "") for text in block.also)
    foot = (Badge("permanent", "", "for good"),) if block.for_good else ()
    return tuple(
        msgspec.structs.replace(
            face,
            parts=(
                *(each for part in face.parts for each in _worded(part, _with_code(word, face, block), brief)),
                *([Emblem(block.sign, "")] if block.sign else []),
                *more,
                *map(Blank, block.blanks),
                *foot,
            ),
        )
        for face in faces
    )


def _with_code(word: str, face: Face, block: CardsOf) -> str:
    """The word of a face; with its code, where that is a deck's and does not stand in the corner."""
    cornered = block.from_.deck is None or any(isinstance(part, Index) for part in face.parts)
    return word if cornered else f"{word} {face.code}"


def _worded(part: Part, word: str, brief: str) -> tuple[Part, ...]:
    """A part with the word under the name, and with what the short form says of all."""
    match part:
        case Title():
            return part, Rule(word)
        case Short():
            return (Short(". ".join(filter(None, (part.text, brief)))),)
        case Rule():
            return ()
        case _:
            return (part,)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.lower()).strip("-") or "card"

"""Cards made of what a system has anyway: a deck of any cards, the rows of a table, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from generator.base.emblem_names import NO_EMBLEM
from generator.games import game_of
from generator.games.face import Left
from generator.games.table_results import COUNTED, LASTING, SKULL, Origins, Result, results, row_content
from generator.layout import card_elements as elements
from generator.layout.card_layout import card_face
from generator.layout.emblems import condition_emblem, emblem_of
from generator.model.rules import (
    ALL,
    AnyEffect,
    Card,
    CardsOf,
    Condition,
    Deck,
    Locate,
    OneOf,
    Penalty,
    Row,
    Suffer,
    System,
    Table,
    walk_effects,
)
from generator.pack.strict_yaml import Trail
from generator.words.effects import (
    condition_sentences,
    condition_telegraph,
    effect_sentences,
    effects_telegraph,
    implied_sentences,
)
from generator.words.table_text import brief_text, cell_text, named_text
from generator.words.wording import (
    DAGGER,
    Sentence,
    capitalised,
    fill_placeholders,
    joined_words,
    lowered_clause,
    span_words,
)

_YIELDS = ("flavour", "captions", "rule", "turned", "sentences")
_MAX_LEVELS = 12
_NAME = 30
"""Words of a result that are no longer than this are its name."""
AnyDeck = TypeVar("AnyDeck", bound=Deck)


def cards_of_deck(name: str, system: System) -> elements.CardSet:
    """Return a deck as it is, by its name."""
    deck = system.piles[name]
    file, trail = _place(name, system)
    faces = tuple(card_face(card, system, deck) for card in deck.in_order)
    trails = {card.code: (*trail, "cards", at) for at, card in enumerate(deck.cards)}
    called = f"the deck {name} of {system.head.id}" if trail else f"the deck of {system.head.id}"
    copies = {card.code: card.copies for card in deck.cards}
    return elements.CardSet(called, faces, file, trails, copies=copies, back=deck.back, back_at=(*trail, "back"))


def _place(name: str, system: System) -> tuple[str, Trail]:
    """Return the file and the place of a deck."""
    at = next((at for at, deck in enumerate(system.decks) if deck.id == name), None)
    return ("deck.yaml", ()) if at is None else ("decks.yaml", ("decks", at))


def cards_of_block(block: CardsOf, system: System) -> elements.CardSet:
    """Return the cards that a block asks for. What it names must be there."""
    source, called = block.from_, f"the {block.name} of {system.head.id}"
    if source.deck is not None:
        deck = cards_of_deck(source.deck, _with_face(system, source.deck, source.face))
        return msgspec.structs.replace(
            deck, called=called, faces=_dressed(deck.faces, block, system), back=block.back or deck.back
        )
    made: list[tuple[elements.Face, Trail]]
    origins = Origins(system, dict(block.emblems))
    if source.table is not None:
        at = next(at for at, table in enumerate(system.tables) if table.id == source.table)
        table, file = system.tables[at], "tables.yaml"
        made = [(_row(row, table, block, system), ("tables", at, "rows", nth)) for nth, row in enumerate(table.rows)]
    elif source.cells:
        file, places = "tables.yaml", {table.id: at for at, table in enumerate(system.tables)}
        tables = [system.tables[places[name]] for name in system.tables_of(source.cells)]
        made = [
            (_cell(result, tables, block, origins), ("tables", places[result.table.id], "rows", result.row))
            for result in results(tables, row_content)
        ]
    else:
        file, brought = "system.yaml", _brought(system)
        made = [
            (_condition(name, brought.get(name, []), block, origins), ("conditions", name))
            for name in system.conditions_of(source.conditions or ALL)
        ]
    faces = _dressed([face for face, _ in made], block, system)
    trails = {face.code: trail for face, trail in made}
    place = next((at for at, each in enumerate(system.head.cards) if each is block), 0)
    return elements.CardSet(
        called, faces, file, trails, back=block.back, back_at=("cards", place, "back"), back_file="system.yaml"
    )


def _with_face(system: System, name: str, face: str | None) -> System:
    """Return the system with only one face on a deck's cards, and without cards that lack it."""
    if face is None:
        return system

    def only(card: Card) -> Card:
        kept_face = card.faces[face]
        left = {face: msgspec.structs.replace(kept_face, name=None)}
        return msgspec.structs.replace(card, name=kept_face.name or card.name, faces=left)

    def alone(deck: AnyDeck) -> AnyDeck:
        kept = [card for card in deck.cards if face in card.faces or not card.faces]
        cards = [only(card) if card.faces else card for card in kept]
        return msgspec.structs.replace(deck, cards=tuple(cards))

    if name == "deck" and system.deck is not None:
        return replace(system, deck=alone(system.deck))
    return replace(system, decks=tuple(alone(deck) if deck.id == name else deck for deck in system.decks))


def _row(row: Row, table: Table, block: CardsOf, system: System) -> elements.Face:
    at, dagger = str(row.at) if row.at else "", DAGGER if row.reconstructed else ""
    effects = (*table.every, *row.effects)
    cells = [(key, column.title, row.cell(key)) for key, column in table.columns.items() if key in row.written_cells]
    note = fill_placeholders(row.note, system).removesuffix(".") if row.note else ""
    lasting = "permanent" if block.for_good else ""
    brief = [capitalised(effects_telegraph(effects, system, lasting, keys=True, tight=True))]
    brief += [f"{title}: {named_text(row, key, brief_text(cell, system, keys=True))}" for key, title, cell in cells]
    parts: list[elements.Part] = [
        *([elements.Index(at, "")] if at else []),
        elements.Title((row.name or table.title) + dagger),
        *_sentences(sentence for effect in effects for sentence in effect_sentences(effect, system)),
        *(
            elements.CardEffect(named_text(row, key, cell_text(cell, system)).removesuffix("."), "", title)
            for key, title, cell in cells
        ),
        *([elements.CardEffect(f"Lasts {span_words(row.lasts)}", "")] if row.lasts else []),
        *([elements.CardEffect(note, "")] if note else []),
        elements.Short(". ".join(filter(None, (*brief, note)))),
        *([elements.CardArt(row.art, row.placed)] if row.art else []),
        *_emblem(emblem_of(row.emblem, effects, system, block.emblem)),
    ]
    # Where dice tell which, there is a line to write it on.
    parts += [elements.Blank("Which")] if any(isinstance(effect, OneOf | Locate) for effect in effects) else []
    return elements.Face(f"{_slug(block.word or block.name)}-{at or _slug(row.name or '')}", "", tuple(parts))


def _cell(result: Result, tables: Sequence[Table], block: CardsOf, origins: Origins) -> elements.Face:
    """Make the card of a table's result: name, place, rows, what it brings, and what is kept."""
    system, effects = origins.system, result.effects
    part = result.column if result.column in system.head.parts else ""
    brought = [effect for effect in effects if isinstance(effect, Suffer)]
    kills = any(origins.kills(effect.condition) for effect in brought)
    row, named = result.table.rows[result.row], result.named
    words = "" if isinstance(result.cell, tuple) else brief_text(result.cell, system)
    note = fill_placeholders(row.note or "", system).removesuffix(".")
    keyed = "; ".join(filter(None, (effects_telegraph(effects, system, keys=True), words)))
    own_name = named.name if named else row.name
    name, where = own_name or _name_of(result, system), _place_of(result, tables)
    # A condition is named where the card's own name does not say it.
    labelled = bool(own_name) or sum(not effect.after for effect in brought) > 1
    lines = [line for effect in effects for line in _told(effect, part, system, labelled=labelled)]
    parts: list[elements.Part] = [
        elements.Index(str(result.at), ""),
        *_emblem(
            (named.emblem if named else None) or row.emblem or block.emblem,
            SKULL if kills else origins.column_sign(result.column),
        ),
        elements.Title(name or result.title),
        elements.Rule(where),
        *lines,
        *([elements.CardEffect(words, "")] if words not in ("", name) else []),
        *([elements.CardEffect(note, "")] if note else []),
        elements.Short(". ".join(filter(None, (f"{where}: {keyed}" if keyed else "", note)))),
        *(elements.Blank(f"{system.head.conditions[effect.condition].name} in") for effect in brought if effect.after),
    ]
    left = game_of(system).left_by(effects, part, block.badge.number if block.badge else None)
    parts += _to_keep(left, block, system)
    deadly = kills or any(effect.condition in block.deadly for effect in brought)
    return elements.Face(f"{result.column or result.table.id}-{result.at.low}", _suit(deadly), tuple(parts), _YIELDS)


def _name_of(result: Result, system: System) -> str:
    """Return a result's name: the first two conditions that it brings at once, or its few words."""
    if not isinstance(result.cell, tuple):
        words = brief_text(result.cell, system).removesuffix(".")
        return words if len(words) <= _NAME else ""
    at_once = [each.condition for each in result.cell if isinstance(each, Suffer) and not each.after]
    conditions = (system.head.conditions[name] for name in dict.fromkeys(at_once))
    names = [name for condition in conditions if (name := condition.name or condition.brief)]
    return capitalised(joined_words(map(lowered_clause, names[:2]))) if names else ""


def _place_of(result: Result, tables: Sequence[Table]) -> str:
    """Return where a result hit: its column, with the table if another has a column of that name."""
    same = [table for table in tables for column in table.columns.values() if column.title == result.title]
    return result.title if len(same) < 2 else f"{result.title}, {result.table.title}"


def _told(effect: AnyEffect, part: str, system: System, *, labelled: bool) -> Iterator[elements.CardEffect]:
    """Yield a cell's effect: a condition, with its name if `labelled`, then what comes with it."""
    sentences = effect_sentences(effect, system)
    if not isinstance(effect, Suffer) or effect.after:
        yield from _sentences(sentences)
        return
    condition = system.head.conditions[effect.condition]
    yield elements.CardEffect(condition.says, sentences[0].until, (condition.name or "") if labelled else "")
    yield from _sentences(implied_sentences(condition, system, part, effect.until))


def _to_keep(left: Left, block: CardsOf, system: System) -> Iterator[elements.Part]:
    """Return lines for how long each condition lasts, named where there may be another; and what all of them add."""
    alone = left.most == len(left.days) == 1
    for name in left.days:
        condition = system.head.conditions[name]
        yield elements.Blank("Days left" if alone else f"{condition.name or condition.says}, days left")
    if left.saved:
        yield elements.Blank("Saves on day")
    yield from _badges(left.numbers, block)


def _badges(numbers: Sequence[int], block: CardsOf) -> Iterator[elements.Badge]:
    """Yield the least and the most that a formula comes to; nothing where it always is 0."""
    if block.badge is None or not any(numbers):
        return
    if len(numbers) > 1:
        yield elements.Badge("score", f"+{numbers[0]}", "or" if len(numbers) == 2 else "to")
    yield elements.Badge("score", f"+{numbers[-1]}", block.badge.caption)


def _condition(name: str, brought: Sequence[Suffer], block: CardsOf, origins: Origins) -> elements.Face:
    """Return a condition: what it does, what brings it, and lines for where, how bad and how long."""
    system = origins.system
    condition = system.head.conditions[name]
    endings = {effect.until.word for effect in brought}
    lasting, counted = not endings.isdisjoint(LASTING), not endings.isdisjoint(COUNTED)
    for_good = lasting and not counted and not condition.chances
    parts: list[elements.Part] = [
        *_emblem(condition.emblem or condition_emblem(name, system) or block.emblem, origins.sign_of(name)),
        elements.Title(capitalised(condition.name or condition.brief or condition.says)),
        elements.Rule((block.lasting if lasting else None) or block.word or condition.group or "condition"),
        *_sentences(condition_sentences(condition, system)),
        *_crossed_off(name, condition, block, system),
        elements.Short(
            "; ".join(filter(None, (condition_telegraph(condition, system), _boxes_in_short(name, block, system))))
        ),
        *([elements.CardArt(condition.art, condition.placed)] if condition.art else []),
    ]
    if _somewhere(name, system) and (lasting or not _columned(system)):
        parts.append(elements.Blank("Where"))
    if condition.chances:
        parts.append(elements.Blank("Saves on day"))
    elif counted:
        parts.append(elements.Blank("Days left"))
    elif any(effect.until.is_span for effect in brought):
        parts.append(elements.Blank("Until"))
    parts += [elements.Flavour(text)] if (text := origins.sources(name)) else []
    if block.badge is not None:
        game, number = game_of(system), block.badge.number
        bringers = {each.until.word: each for each in brought}.values()
        numbers = {most for each in bringers for most in game.left_by((each,), "", number, only=name).numbers[-1:]}
        parts += _badges((max(numbers, default=0),), block)
    parts += [elements.Badge("permanent", "", "for good")] if for_good else []
    return elements.Face(name, _suit(origins.kills(name) or name in block.deadly), tuple(parts), _YIELDS)


def _crossed_off(name: str, condition: Condition, block: CardsOf, system: System) -> Iterator[elements.Part]:
    """Yield boxes for a condition's levels, or those that the author asks for."""
    boxes = block.boxes.get(name)
    if boxes is not None:
        yield elements.CardEffect(boxes.says, "", boxes.label)
        count = boxes.count if isinstance(boxes.count, int) else system.most_of(boxes.count) or 0
        yield elements.CardTrack(tuple(map(str, range(1, count + 1))))
    elif condition.levels and condition.levels <= _MAX_LEVELS:
        yield elements.CardEffect("cross one off as it rises", "", "Level")
        yield elements.CardTrack(tuple(map(str, range(1, condition.levels + 1))))


def _boxes_in_short(name: str, block: CardsOf, system: System) -> str:
    boxes = block.boxes.get(name)
    return fill_placeholders(boxes.short, system) if boxes and boxes.short else ""


def _columned(system: System) -> bool:
    """Tell whether the columns of a table say which part of the body is hurt."""
    return any(column in system.head.parts for table in system.tables for column in table.columns)


def _somewhere(name: str, system: System, *above: str) -> bool:
    """Tell whether it matters to a condition which part is hurt; without a table for it, to all of a part."""
    condition = system.head.conditions[name]
    if system.head.parts and not condition.whole and not _columned(system):
        return True
    for _, effect in walk_effects(condition.implies):
        if isinstance(effect, Suffer | Penalty) and effect.where:
            return True
        if not isinstance(effect, Suffer) or effect.condition in (name, *above):
            continue
        if _somewhere(effect.condition, system, name, *above):
            return True
    return False


def _brought(system: System) -> dict[str, list[Suffer]]:
    by_condition: dict[str, list[Suffer]] = {}
    for node in _structs((system.head.events, system.head.conditions, system.tables, *system.piles.values())):
        if isinstance(node, Suffer):
            by_condition.setdefault(node.condition, []).append(node)
    return by_condition


def _structs(value: object) -> Iterator[msgspec.Struct]:
    """Yield every struct in a value, that which holds others before them."""
    inside: Iterable[object] = ()
    if isinstance(value, msgspec.Struct):
        yield value
        inside = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, tuple | list):
        inside = value
    for each in inside:
        yield from _structs(each)


def _suit(deadly: bool) -> str:
    return "H" if deadly else ""


def _emblem(name: str | None, sign: str = "") -> list[elements.Part]:
    """Return the emblem of that name, or else the sign of where it hurts."""
    if not name:
        return [elements.Emblem(sign, "")] if sign else []
    return [] if name == NO_EMBLEM else [elements.Emblem("", "", name)]


def _sentences(sentences: Iterator[Sentence] | Sequence[Sentence]) -> Iterator[elements.CardEffect]:
    yield from (elements.CardEffect(sentence.says, sentence.until) for sentence in sentences)


def _dressed(faces: Sequence[elements.Face], block: CardsOf, system: System) -> tuple[elements.Face, ...]:
    """Return the faces with what a block puts on all of them."""
    brief = fill_placeholders(block.brief, system) if block.brief else ""
    word = block.word or block.name.replace("_", " ")
    more = tuple(elements.CardEffect(fill_placeholders(text, system).removesuffix("."), "") for text in block.also)
    foot = (elements.Badge("permanent", "", "for good"),) if block.for_good else ()
    of_deck_alone = block.emblem if block.from_.deck is not None else None
    ruled = block.from_.conditions is not None or bool(block.from_.cells)
    return tuple(
        msgspec.structs.replace(
            face,
            parts=(
                *(each for part in face.parts for each in _worded(part, _with_code(word, face, block), brief, ruled)),
                *([] if any(isinstance(part, elements.Emblem) for part in face.parts) else _emblem(of_deck_alone)),
                *more,
                *map(elements.Blank, block.blanks),
                *foot,
            ),
        )
        for face in faces
    )


def _with_code(word: str, face: elements.Face, block: CardsOf) -> str:
    """Return the word of a face; with its code, where that is a deck's and does not stand in the corner."""
    cornered = block.from_.deck is None or any(isinstance(part, elements.Index) for part in face.parts)
    return word if cornered else f"{word} {face.code}"


def _worded(part: elements.Part, word: str, brief: str, ruled: bool) -> tuple[elements.Part, ...]:
    """Return a part with the word under the name (unless it is `ruled`) and the short form's common text."""
    match part:
        case elements.Title() if not ruled:
            return part, elements.Rule(word)
        case elements.Short():
            return (elements.Short(". ".join(filter(None, (part.text, brief)))),)
        case elements.Rule() if not ruled:
            return ()
        case _:
            return (part,)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.lower()).strip("-") or "card"

"""Cards made of what a system has anyway: a deck of any cards, the rows of a table, conditions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, get_args

import msgspec

from generator.base.emblem_names import NO_EMBLEM
from generator.base.sentences import joined_sentences, without_stop
from generator.games import game_of
from generator.games.conditions_told import conditions_told, level_boxes, told
from generator.games.table_results import COUNTED, DEATH, LASTING, SKULL, Origins, Result, results, row_content
from generator.layout import card_elements as elements
from generator.layout.card_layout import card_face, with_code
from generator.layout.emblems import condition_emblem, emblem_of
from generator.model.rules import (
    ALL,
    AnyEffect,
    Area,
    Card,
    CardsOf,
    Cell,
    Condition,
    Deck,
    Halve,
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
from generator.play.every_way import work_budget
from generator.words.effect_words import effect_sentences
from generator.words.effects import condition_sentences, condition_telegraph, effects_telegraph
from generator.words.own_words import own_sentences
from generator.words.table_text import brief_cell, brief_text, full_cell, named_text
from generator.words.wording import (
    DURATIONS,
    Sentence,
    capitalised,
    dagger,
    fill_placeholders,
    joined_words,
    lowered_clause,
    note_sentences,
    span_words,
)

_YIELDS = ("flavour", "captions", "rule", "turned", "sentences")
_LOCK = elements.Badge("permanent", "", "for good")
BODY = frozenset(get_args(Area))
MAX_SET_WORK = 50_000
"""So much work the badges of all cards of a set may take."""
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
    with work_budget(MAX_SET_WORK):
        return _cards_of_block(block, system)


def _cards_of_block(block: CardsOf, system: System) -> elements.CardSet:
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
        made = [(_row(row, table, block, origins), ("tables", at, "rows", nth)) for nth, row in enumerate(table.rows)]
    elif source.cells:
        file, (tables, there) = "tables.yaml", _results(source.cells, system)
        made = [(_cell(result, tables, block, origins), trail) for result, trail in there]
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


def _results(cells: Any, system: System) -> tuple[list[Table], list[tuple[Result, Trail]]]:
    """Return the tables whose results are cards, and each result with its place."""
    places = {table.id: at for at, table in enumerate(system.tables)}
    tables = [system.tables[places[name]] for name in system.tables_of(cells)]
    placed: list[tuple[Result, Trail]] = [
        (result, ("tables", places[result.table.id], "rows", result.row)) for result in results(tables, row_content)
    ]
    return tables, placed


def uncounted(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Yield the file, the place and a sentence for each row whose card should have a badge that cannot be counted."""
    for block in system.head.cards:
        source, badge = block.from_, block.badge.number if block.badge else None
        lists: list[tuple[Trail, Sequence[AnyEffect], str]] = []
        if badge is not None and source.table is not None:
            index = next(n for n, table in enumerate(system.tables) if table.id == source.table)
            table = system.tables[index]
            rows = enumerate(table.rows)
            lists = [(("tables", index, "rows", n), table.does(row.everywhere, ""), "") for n, row in rows]
        elif badge is not None and source.cells:
            placed = _results(source.cells, system)[1]
            lists = [(trail, each.effects, _part_of(each, system)) for each, trail in placed]
        with work_budget(MAX_SET_WORK):
            for trail, effects, part in lists:
                if game_of(system).left_by(effects, part, badge).uncounted:
                    row = f"the card of this row in the set {block.name}"
                    yield "tables.yaml", trail, f"{row} has no badge: its dice and checks are too many to count"


def _part_of(result: Result, system: System) -> str:
    return result.column if result.column in system.head.parts else ""


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


def _row(row: Row, table: Table, block: CardsOf, origins: Origins) -> elements.Face:
    """Make the card of a table's row, with what stands in each of its columns."""
    system = origins.system
    at, doubt = str(row.at) if row.at else "", dagger(system, reconstructed=row.reconstructed)
    shared = row.everywhere
    effects = table.does(shared, "")
    cells = [(key, table.columns[key].title) for key in table.columns if key in row.written_cells]
    others = [key for key in table.columns if row.written_cells and row.effects and key not in row.written_cells]
    cells += [(others[0], joined_words([table.columns[key].title for key in others]))] if others else []
    note = note_sentences(row.note, system)
    lasting = "permanent" if block.for_good else ""
    brief = [capitalised(effects_telegraph(effects, system, lasting, keys=True, tight=True))]
    brief += [f"{title}: {named_text(row, key, brief_cell(row, key, system, keys=True))}" for key, title in cells]
    title = row.name or _name_of(shared.effects, system) or table.title
    parts: list[elements.Part] = [
        *([elements.Index(at, "")] if at else []),
        elements.Title(title + doubt),
        *conditions_told(effects, "", title, system, _own(shared.says or "", table, shared, "", system)),
        *(
            elements.CardEffect(without_stop(named_text(row, key, full_cell(row, key, system))), "", head)
            for key, head in cells
        ),
        *([elements.CardEffect(f"Lasts {span_words(row.lasts)}", "")] if row.lasts else []),
        *told(note),
        elements.Short(joined_sentences((*brief, *(each.says for each in note)))),
        *([elements.CardArt(row.art, row.placed)] if row.art else []),
        *_emblem(_emblem_name(row.emblem, effects, block, origins)),
    ]
    # Where dice tell which, there is a line to write it on.
    parts += [elements.Blank("Which")] if any(isinstance(effect, OneOf | Locate) for effect in effects) else []
    parts += _kept(effects, "", block, system)
    code = f"{_slug(block.word or block.name)}-{at or _slug(row.name or '')}"
    return elements.Face(code, _suit(_is_deadly(effects, block, origins)), tuple(parts), _YIELDS)


def _cell(result: Result, tables: Sequence[Table], block: CardsOf, origins: Origins) -> elements.Face:
    """Make the card of a table's result: name, place, rows, what it brings, and what is kept."""
    system, effects = origins.system, result.effects
    part = _part_of(result, system)
    row, named = result.table.rows[result.row], result.named
    words = "" if isinstance(result.cell, tuple) else without_stop(brief_text(result.cell, system))
    note = note_sentences(row.note, system)
    own = _own(row.own_words(result.column), result.table, row, result.column, system)
    keyed = "; ".join(filter(None, (effects_telegraph(effects, system, keys=True), words)))
    name = (named.name if named else None) or row.name or _name_of(result.cell, system)
    where = _place_of(result, tables)
    emblem = (named.emblem if named else None) or row.emblem
    parts: list[elements.Part] = [
        elements.Index(str(result.at), ""),
        # The place on the body, if the figure has it, is told before what comes of it.
        *(
            [elements.Emblem(part, "", figure=True)]
            if part in BODY and not emblem
            else _emblem(_emblem_name(emblem, effects, block, origins), origins.column_sign(result.column))
        ),
        elements.Title(name or result.title),
        elements.Rule(where),
        *conditions_told(effects, part, name, system, own),
        *([elements.CardEffect(words, "")] if words not in ("", name) else []),
        *told(note),
        elements.Short(joined_sentences((f"{where}: {keyed}" if keyed else "", *(each.says for each in note)))),
        *_kept(effects, part, block, system),
        *_gauge(result),
    ]
    code = f"{result.column or result.table.id}-{result.at.low}"
    return elements.Face(code, _suit(_is_deadly(effects, block, origins)), tuple(parts), _YIELDS)


def _gauge(result: Result) -> Iterator[elements.Badge]:
    """Yield how far up the rows of its table a result stands, where they are looked up by a number."""
    rows = [row.at for row in result.table.rows if row.at]
    if result.table.by and len(rows) > 1:
        yield elements.Badge("gauge", f"{sum(at.low <= result.at.low for at in rows)} of {len(rows)}", "band")


def _own(text: str, table: Table, row: Row, column: str, system: System) -> tuple[Sentence, ...]:
    """Return an author's words for a result, after what its table and its row do first; nothing without such words."""
    cell = row.cell(column)
    if not text or not isinstance(cell, tuple):
        return ()
    first = (each for effect in (*table.every, *row.first) for each in effect_sentences(effect, system))
    return (*first, *own_sentences(text, cell, system))


def _emblem_name(own: str | None, effects: Sequence[AnyEffect], block: CardsOf, origins: Origins) -> str:
    """Return the emblem of a result: its own, that of death where it kills, or that of what it brings."""
    if own is None and any(effect.kills for effect in effects):
        return DEATH
    if own is None and any(isinstance(effect, Suffer) and origins.kills(effect.condition) for effect in effects):
        return SKULL
    return emblem_of(own, effects, origins.system, block.emblem) or (NO_EMBLEM if own else "")


def _is_deadly(effects: Sequence[AnyEffect], block: CardsOf, origins: Origins) -> bool:
    """Tell whether effects kill for sure, or bring a condition that does or looks as if it did."""
    brought = [effect.condition for effect in effects if isinstance(effect, Suffer)]
    return any(effect.kills for effect in effects) or any(
        origins.kills(name) or name in block.deadly for name in brought
    )


def _name_of(cell: Cell, system: System) -> str:
    """Return a result's name: death, the first two conditions that it brings at once, or its few words."""
    if not isinstance(cell, tuple):
        words = without_stop(brief_text(cell, system))
        return words if len(words) <= _NAME else ""
    if any(each.kills for each in cell):
        return "Death"
    at_once = [each.condition for each in cell if isinstance(each, Suffer) and not each.after]
    conditions = (system.head.conditions[name] for name in dict.fromkeys(at_once))
    names = [name for condition in conditions if (name := condition.name or condition.brief)]
    return capitalised(joined_words(map(lowered_clause, names[:2]))) if names else ""


def _place_of(result: Result, tables: Sequence[Table]) -> str:
    """Return where a result hit: its column, with the table if another has a column of that name."""
    same = [table for table in tables for column in table.columns.values() if column.title == result.title]
    return result.title if len(same) < 2 else f"{result.title}, {result.table.title}"


def _kept(effects: Sequence[AnyEffect], part: str, block: CardsOf, system: System) -> Iterator[elements.Part]:
    """Yield lines for when and how long each condition lasts, what all of them add, and the lock of what stays."""
    brought = [effect for effect in effects if isinstance(effect, Suffer)]
    for effect in brought:
        if effect.after:
            yield elements.Blank(f"{system.head.conditions[effect.condition].name} in")
    if not brought and block.badge is None:
        return
    left = game_of(system).left_by(effects, part, block.badge.number if block.badge else None)
    # Days are named where there may be another condition.
    alone = left.most == len(left.days) == 1
    for name in left.days:
        condition = system.head.conditions.get(name)
        named = condition.name or condition.says if condition else capitalised(name)
        yield elements.Blank("Days left" if alone else f"{named}, days left")
    if left.saved:
        yield elements.Blank("Saves on day")
    yield from _badges(left.numbers, block)
    if brought and all(effect.until.word == "permanent" for effect in brought):
        yield _LOCK


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
    for_good = endings == {"permanent"} and not condition.chances
    parts: list[elements.Part] = [
        *_emblem(condition.emblem or condition_emblem(name, system) or block.emblem, origins.sign_of(name)),
        elements.Title(capitalised(condition.name or condition.brief or condition.says)),
        elements.Rule((block.lasting if lasting else None) or block.word or condition.group or "condition"),
        *told(condition_sentences(condition, system)),
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
    parts += [_LOCK] if for_good else []
    return elements.Face(name, _suit(origins.kills(name) or name in block.deadly), tuple(parts), _YIELDS)


def _crossed_off(name: str, condition: Condition, block: CardsOf, system: System) -> Iterator[elements.Part]:
    """Yield boxes for a condition's levels, or those that the author asks for."""
    boxes = block.boxes.get(name)
    if boxes is not None:
        yield elements.CardEffect(boxes.says, "", boxes.label)
        count = boxes.count if isinstance(boxes.count, int) else system.most_of(boxes.count) or 0
        yield elements.CardTrack(tuple(map(str, range(1, count + 1))))
    else:
        yield from level_boxes(condition, "Level")


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
        if isinstance(effect, Suffer | Penalty | Halve) and effect.where:
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


def _dressed(faces: Sequence[elements.Face], block: CardsOf, system: System) -> tuple[elements.Face, ...]:
    """Return the faces with what a block puts on all of them."""
    brief = fill_placeholders(block.brief, system) if block.brief else ""
    word = block.word or block.name.replace("_", " ")
    more = tuple(told(each for note in block.also for each in note_sentences(note, system)))
    foot = [_LOCK] if block.for_good else []
    of_deck_alone = block.emblem if block.from_.deck is not None else None
    ruled = block.from_.conditions is not None or bool(block.from_.cells)
    return tuple(
        msgspec.structs.replace(
            face,
            parts=_without_second_end(
                (
                    *(
                        each
                        for part in face.parts
                        for each in _worded(part, _with_code(word, face, block), brief, ruled)
                    ),
                    *([] if any(isinstance(part, elements.Emblem) for part in face.parts) else _emblem(of_deck_alone)),
                    *more,
                    *(blank for blank in map(elements.Blank, block.blanks) if blank not in face.parts),
                    *(part for part in foot if part not in face.parts),
                )
            ),
        )
        for face in faces
    )


def _without_second_end(parts: tuple[elements.Part, ...]) -> tuple[elements.Part, ...]:
    """Return parts whose sentences do not say again that it is for good, where the lock at the foot does."""
    if _LOCK not in parts:
        return parts
    for_good = DURATIONS["permanent"][0]
    return tuple(
        msgspec.structs.replace(part, until="")
        if isinstance(part, elements.CardEffect) and part.until == for_good
        else part
        for part in parts
    )


def _with_code(word: str, face: elements.Face, block: CardsOf) -> str:
    """Return the word of a face; with its code, where that is a deck's and does not stand in the corner."""
    cornered = block.from_.deck is None or any(isinstance(part, elements.Index) for part in face.parts)
    return word if cornered else with_code(word, face.code)


def _worded(part: elements.Part, word: str, brief: str, ruled: bool) -> tuple[elements.Part, ...]:
    """Return a part with the word under the name (unless it is `ruled`) and the short form's common text."""
    match part:
        case elements.Title() if not ruled:
            return (part,) if _slug(part.text) == _slug(word) else (part, elements.Rule(word))
        case elements.Short():
            return (elements.Short(joined_sentences((part.text, brief))),)
        case elements.Rule() if not ruled:
            return ()
        case _:
            return (part,)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.lower()).strip("-") or "card"

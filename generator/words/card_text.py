"""A card of any deck as text: what it does, its note, its lines, and what it is by each of its faces."""

from collections.abc import Iterator

from generator.base.sentences import joined_sentences, without_stop
from generator.model.rules import Card, CardFace, Deck, System
from generator.words.effect_words import effect_sentences
from generator.words.effects import card_readings, card_telegraph, effects_telegraph
from generator.words.own_words import own_sentences
from generator.words.wording import DASH, Sentence, note_sentences

Reading = tuple[str, tuple[Sentence, ...]]
"""Sentences, and the words that stand before the first of them: a label, or nothing."""
_ONE_LINE = 40
"""So many letters fit into a line or two of a card."""


def card_text_readings(card: Card, deck: Deck, system: System) -> tuple[Reading, ...]:
    """Return the text of a card: its effects in each reading, its note, its lines, a sentence for each face."""
    card_parts: list[Reading] = list(card_readings(card, system))
    card_parts += [("", note_sentences(card.note, system))] if card.note else []
    return (*card_parts, *_lines(card, deck), *_faces(card, deck, system))


def _lines(card: Card, deck: Deck) -> Iterator[Reading]:
    """Yield the lines of a card by their titles; all of them as one where they are short."""
    lines = [(title, str(card.lines[key])) for key, title in deck.lines.items() if key in card.lines]
    whole = joined_sentences([line if not at else f"{title}: {line}" for at, (title, line) in enumerate(lines)])
    if len(lines) > 1 and len(whole) <= _ONE_LINE:
        lines = [(lines[0][0], whole)]
    yield from ((title, (Sentence(line),)) for title, line in lines)


def _faces(card: Card, deck: Deck, system: System) -> Iterator[Reading]:
    for title, face in _titled(card, deck):
        sentences = _face_sentences(face, system)
        label = f"{title} {DASH} {face.name}" if face.name and sentences else title
        yield label, sentences or (Sentence(face.name or DASH),)


def _titled(card: Card, deck: Deck) -> Iterator[tuple[str, CardFace]]:
    """Yield the faces of a card with their titles, in the order of the deck."""
    yield from ((title, card.faces[key]) for key, title in deck.faces.items() if key in card.faces)


def _face_sentences(face: CardFace, system: System) -> tuple[Sentence, ...]:
    """Return a face's effects and the first paragraph of its note as one line, then the other paragraphs."""
    note = note_sentences(face.note, system)
    own = own_sentences(face.says, face.effects, system) if face.says else ()
    first = [*(own or (each for effect in face.effects for each in effect_sentences(effect, system))), *note[:1]]
    return (Sentence(without_stop(" ".join(map(str, first)))), *note[1:]) if first else ()


def card_brief(card: Card, deck: Deck, system: System) -> str:
    """Return all of it in telegraph style; notes only where nothing else is said."""
    faces = [f"{title}: {_brief(face, system)}" for title, face in _titled(card, deck)]
    own = card_telegraph(card, system) or ("" if faces else _brief_note(card.note, system))
    return "; ".join(filter(None, (own, *faces)))


def _brief_note(note: str | None, system: System) -> str:
    """Return a note in one line, without its full stop."""
    return without_stop(" ".join(map(str, note_sentences(note, system))))


def _brief(face: CardFace, system: System) -> str:
    telegraph = effects_telegraph(face.effects, system, keys=True, tight=True)
    return telegraph or face.name or _brief_note(face.note, system)

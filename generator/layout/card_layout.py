"""Faces: a system's data in parts. They hold no rules."""

from collections.abc import Iterator

from generator.base.cards import is_code, is_joker, rank_of, suit_of
from generator.base.sentences import one_line
from generator.layout import card_elements
from generator.layout.emblems import emblem_of
from generator.model.rules import AnyEffect, Card, Deck, System
from generator.words.card_text import card_brief, card_text_readings
from generator.words.effects import card_ends
from generator.words.wording import dagger

USUAL_YIELDS = ("flavour", "picture", "captions", "rule", "turned", "sentences")


SHORT_CODE = 3
"""So many signs fit into the corners of a card; longer codes stand over the text, as on cards with several faces, which
need the room."""


def with_code(word: str, code: str) -> str:
    """Return a word with a card's code, if that is a number and not a name: "Criticals 12", but "Omens"."""
    return f"{word} {code}" if any(map(str.isdigit, code)) else word


def card_face(card: Card, system: System, of: Deck | None = None) -> card_elements.Face:
    """Return the face of one card of a deck; of the system's own where none is named."""
    deck = of or system.deck or Deck(title="")
    suit, playing = suit_of(card.code), is_code(card.code)
    short = playing or not (deck.faces or any(len(each.code) > SHORT_CODE for each in deck.cards))
    characters: dict[str, str] = {own_suit.id: own_suit.character for own_suit in system.head.suits}
    suited = characters.get(suit, "joker" if is_joker(card.code) else deck.title)
    suits = (card.code if is_joker(card.code) else rank_of(card.code), suit)
    emblem = emblem_of(card.emblem, _all_effects(card, deck), system)
    parts: list[card_elements.Part] = [card_elements.Index(*suits)] if short else []
    if playing or emblem:
        parts.append(card_elements.Emblem(*(suits if playing else ("", "")), emblem))
    parts.append(card_elements.Title(one_line(card.name) + dagger(system, reconstructed=deck.reconstructed)))
    kind = suited if playing else deck.title if short else with_code(deck.title, card.code)
    parts.append(card_elements.Rule(one_line(kind)))
    if card.flavour:
        parts.append(card_elements.Flavour(one_line(card.flavour)))
    parts += _sentences(card, deck, system)
    parts.append(card_elements.Short(one_line(("" if short else f"{card.code}. ") + card_brief(card, deck, system))))
    parts += (card_elements.CardArt(each, card.placed if each == card.art else "window") for each in card.pictures)
    blood = card.blood.spoken if card.blood else None
    badges = (("score", system.score_of(card), "score"), ("blood", blood, "Blood"), ("trauma", card.trauma, "Trauma"))
    parts += (card_elements.Badge(name, str(value), caption) for name, value, caption in badges if value)
    if card.permanent:
        parts.append(card_elements.Badge("permanent", "", "for good"))
    # A picture of the pack's own has the window at the head.
    ends = () if card.pictures else card_ends(card)
    return card_elements.Face(card.code, suit, tuple(parts), USUAL_YIELDS, ends=ends)


def _all_effects(card: Card, deck: Deck) -> Iterator[AnyEffect]:
    """What a card does, and then what it does by each of its faces."""
    yield from (*card.effects, *card.for_good)
    yield from (effect for name in deck.faces if name in card.faces for effect in card.faces[name].effects)


def _sentences(card: Card, deck: Deck, system: System) -> Iterator[card_elements.CardEffect]:
    """What a card does; the first sentence of each reading is labelled with it."""
    for reading, sentences in card_text_readings(card, deck, system):
        for place, sentence in enumerate(sentences):
            says, until, label = map(one_line, (sentence.says, sentence.until, "" if place else reading))
            yield card_elements.CardEffect(says, until, label)

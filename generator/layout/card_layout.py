"""Faces: a system's data in parts. They hold no rules; templates of a pack's own may choose other parts and order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from generator.base.cards import is_code, is_joker, rank_of, suit_of
from generator.base.errors import HackjackError
from generator.layout import card_elements
from generator.layout.emblems import emblem_of
from generator.model.rules import AnyEffect, Card, Deck, System
from generator.words.card_text import card_brief, card_text_readings
from generator.words.wording import DAGGER

_PARTS: dict[str, Callable[..., card_elements.Part]] = {
    "index": card_elements.Index,
    "emblem": card_elements.Emblem,
    "title": card_elements.Title,
    "rule": card_elements.Rule,
    "effect": card_elements.CardEffect,
    "flavour": card_elements.Flavour,
    "badge": card_elements.Badge,
    "short": card_elements.Short,
    "picture": card_elements.CardArt,
}
CARD = "card.j2"
USUAL_YIELDS = ("flavour", "picture", "captions", "rule", "turned", "sentences")
_YIELDS = "yields"
"""The line of a template that is no part: what gives way where space is short."""


SHORT_CODE = 3
"""So many signs fit into the corners of a card; longer codes stand over the text, as on cards with several faces, which
need the room."""


def with_code(word: str, code: str) -> str:
    """Return a word with a card's code, if that is a number and not a name: `Criticals 12`, but `Omens`."""
    return f"{word} {code}" if any(map(str.isdigit, code)) else word


def card_face(card: Card, system: System, of: Deck | None = None) -> card_elements.Face:
    """Return the face of one card of a deck; of the system's own where none is named."""
    deck = of or system.deck or Deck(title="")
    suit, playing = suit_of(card.code), is_code(card.code)
    short = playing or not (deck.faces or any(len(each.code) > SHORT_CODE for each in deck.cards))
    characters: dict[str, str] = {own_suit.id: own_suit.character for own_suit in system.head.suits}
    suited = characters.get(suit, "joker" if is_joker(card.code) else deck.title)
    values = {
        "rank": card.code if is_joker(card.code) else rank_of(card.code),
        "suit": suit,
        "cornered": short,
        "playing": playing,
        "name": card.name + (DAGGER if deck.reconstructed else ""),
        "character": suited if playing else deck.title if short else with_code(deck.title, card.code),
        "sentences": _sentences(card, deck, system),
        "short": ("" if short else f"{card.code}. ") + card_brief(card, deck, system),
        "flavour": card.flavour,
        "score": system.score_of(card),
        "blood": card.blood.spoken if card.blood else None,
        "trauma": card.trauma,
        "permanent": card.permanent,
        "art": card.art,
        "placed": card.placed,
        "emblem": emblem_of(card.emblem, _all_effects(card, deck), system),
        "pictures": card.pictures,
    }
    own = next((written for written in system.templates if written.name == CARD), None)
    if own is None:
        return card_elements.Face(card.code, suit, tuple(_usual_parts(values)), USUAL_YIELDS)
    # Templates take a seventh of the time of a deck to load.
    from generator.layout import trusted_templates

    text = trusted_templates.fill_template(
        trusted_templates.parse_template(own.text, own.shown), own.shown, {"card": values}
    )
    lines = [line for line in text.splitlines() if line.strip()]
    parts = tuple(_part(line, own.shown) for line in lines if not line.startswith(f"{_YIELDS}\t"))
    return card_elements.Face(card.code, suit, parts, _yields(lines, own.shown))


def _usual_parts(values: dict[str, Any]) -> Iterator[card_elements.Part]:
    """Give the parts that `templates/card.j2` chooses, in its order; a test compares the two."""
    # As in a filled template, a value keeps to its line.
    card: dict[str, Any] = {
        name: " ".join(value.split()) if isinstance(value, str) else value for name, value in values.items()
    }
    playing = card["playing"]
    if card["cornered"]:
        yield card_elements.Index(card["rank"], card["suit"])
    if playing or card["emblem"]:
        yield card_elements.Emblem(card["rank"] if playing else "", card["suit"] if playing else "", card["emblem"])
    yield card_elements.Title(card["name"])
    yield card_elements.Rule(card["character"])
    for sentence in card["sentences"]:
        yield card_elements.CardEffect(*(" ".join(sentence[name].split()) for name in ("says", "until", "label")))
    yield card_elements.Short(card["short"])
    for picture in card["pictures"]:
        yield card_elements.CardArt(picture, card["placed"] if picture == card["art"] else "window")
    if card["flavour"]:
        yield card_elements.Flavour(card["flavour"])
    for name, caption in (("score", "score"), ("blood", "Blood"), ("trauma", "Trauma")):
        if card[name]:
            yield card_elements.Badge(name, str(card[name]), caption)
    if card["permanent"]:
        yield card_elements.Badge("permanent", "", "for good")


def _all_effects(card: Card, deck: Deck) -> Iterator[AnyEffect]:
    """What a card does, and then what it does by each of its faces."""
    yield from (*card.effects, *card.for_good)
    yield from (effect for name in deck.faces if name in card.faces for effect in card.faces[name].effects)


def _sentences(card: Card, deck: Deck, system: System) -> list[dict[str, str]]:
    """What a card does; the first sentence of each reading is labelled with it."""
    return [
        {"says": sentence.says, "until": sentence.until, "label": "" if place else reading}
        for reading, sentences in card_text_readings(card, deck, system)
        for place, sentence in enumerate(sentences)
    ]


def _yields(lines: list[str], template_name: str) -> tuple[str, ...]:
    """What gives way first, by the template. Raises HackjackError for what cannot."""
    named = [word for line in lines if line.startswith(f"{_YIELDS}\t") for word in line.split("\t")[1:]]
    for word in named:
        if word not in card_elements.YIELDS:
            raise HackjackError(
                f'{template_name}: "{word[:40]}" cannot give way: choose of {", ".join(card_elements.YIELDS)}'
            )
    return tuple(named)


def _part(line: str, template_name: str) -> card_elements.Part:
    """Return one line of a filled template. Raises HackjackError for a part that nothing draws."""
    name, *fields = line.split("\t")
    try:
        return _PARTS[name](*fields)
    except (KeyError, TypeError) as error:
        part_names = ", ".join(_PARTS)
        raise HackjackError(f'{template_name}: no part reads "{line[:60]}": the parts are {part_names}') from error

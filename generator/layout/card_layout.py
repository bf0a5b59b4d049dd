"""Faces: the templates filled with a system's data. Templates choose parts and order; they hold no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, Template

from generator.base.cards import is_code, is_joker, rank_of, suit_of
from generator.base.errors import HackjackError
from generator.base.files import data_root
from generator.layout import card_elements
from generator.layout.emblems import emblem_of
from generator.layout.trusted_templates import fill_template, parse_template, template_sandbox
from generator.model.rules import AnyEffect, Card, Deck, System
from generator.words.card_text import card_brief, card_text_readings
from generator.words.wording import DAGGER

_PARTS: dict[str, Callable[..., card_elements.Part]] = {
    "index": card_elements.Index,
    "emblem": card_elements.Emblem,
    "title": card_elements.Title,
    "rule": card_elements.Rule,
    "effect": card_elements.Effect,
    "flavour": card_elements.Flavour,
    "badge": card_elements.Badge,
    "short": card_elements.Short,
    "picture": card_elements.Art,
}
CARD = "card.j2"
_YIELDS = "yields"
"""The line of a template that is no part: what gives way where space is short."""


SHORT_CODE = 3
"""So many signs fit into the corners of a card; longer codes stand over the text, as on cards with several faces, which
need the room."""


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
        "character": suited if playing else f"{deck.title}{'' if short else f' {card.code}'}",
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
    template_name, text = _filled(system, values)
    lines = [line for line in text.splitlines() if line.strip()]
    parts = tuple(_part(line, template_name) for line in lines if not line.startswith(f"{_YIELDS}\t"))
    return card_elements.Face(card.code, suit, parts, _yields(lines, template_name))


def _all_effects(card: Card, deck: Deck) -> Iterator[AnyEffect]:
    """What a card does, and then what it does by each of its faces."""
    yield from (*card.effects, *card.for_good)
    yield from (effect for name in deck.faces if name in card.faces for effect in card.faces[name].effects)


def _filled(system: System, values: dict[str, Any]) -> tuple[str, str]:
    """The name and the filled text of the template for cards: the pack's own where it has one that is trusted."""
    own = next((written for written in system.templates if written.name == CARD), None)
    if own is None:
        return f"templates/{CARD}", _template(data_root() / "templates", CARD).render(card=values)
    return own.shown, fill_template(parse_template(own.text, own.shown), own.shown, {"card": values})


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


@cache
def _template(folder: Path, name: str) -> Template:
    return template_sandbox(loader=FileSystemLoader(folder)).get_template(name)

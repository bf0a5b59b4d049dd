"""`hackjack card`: what a card does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.base.cards import find_code, is_code, name_of, read_code
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.cli import echo
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.games import game_of
from generator.model.procedures import Steps
from generator.model.rules import Card, System
from generator.words.effects import card_readings, card_told

if TYPE_CHECKING:
    from generator.layout.card_elements import Face


@click.command("card")
@click.argument("system")
@click.argument("codes", nargs=-1, required=True, metavar="CODE...")
@pack_options
@json_option
def command(
    system: str, codes: tuple[str, ...], pack: Sequence[Path], settings: tuple[str, ...], as_json: bool
) -> None:
    """Say what a card does: QS, 10H, RJ."""
    loaded = open_pack(system, pack, settings, to_play=True).system
    chosen = [_find(code, loaded) for code in codes]
    if as_json:
        shapes = [_shape(card, loaded) for card in chosen]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    texts = [_text(card, loaded) for card in chosen]
    for place, lines in enumerate(texts):
        echo(*([""] if place else []), *lines)


def _find(typed: str, system: System) -> Card | Face:
    """A card of the deck, or one of the other sets of cards by what stands on it. Raises HackjackError, UsageError."""
    card = _card(typed, system)
    if card is not None:
        return card
    if not any(map(is_code, game_of(system).deck())):
        codes = _other_codes(system)
        hint = did_you_mean(typed, codes) or (f": it has {', '.join(codes[:8])} and others" if codes else "")
        raise UsageError(f'{system.head.id} has no card "{typed.strip()[:40]}"{hint}')
    try:
        raise HackjackError(f"{system.head.id} has no card {read_code(typed)}")
    except ValueError as error:
        raise UsageError(str(error)) from error


def _card(typed: str, system: System) -> Card | Face | None:
    """The card of a system that was typed; None where it has none such."""
    code = find_code(typed) or typed.strip()
    if code in system.cards:
        return system.cards[code]
    from generator.games.card_products import find_face

    return find_face(code, system)


def _other_codes(system: System) -> list[str]:
    """What stands on the cards of a system without playing cards."""
    from generator.games.card_products import card_set, card_set_names

    return list(dict.fromkeys(face.code for name in card_set_names(system) for face in card_set(system, name).faces))


def _shape(card: Card | Face, system: System) -> dict[str, Any]:
    return card_told(card, system) if isinstance(card, Card) else _face_shape(card, system)


def _face_shape(face: Face, system: System) -> dict[str, Any]:
    from generator.layout.card_elements import Badge, sentences_of, title_of

    scores = [part.number for part in face.parts if isinstance(part, Badge) and part.kind == "score"]
    return {
        "system": system.head.id,
        "code": face.code,
        "title": title_of(face),
        "score": next((int(number) for number in scores if number.isdecimal()), 0),
        "blood": 0,
        "trauma": 0,
        "permanent": False,
        "text": list(sentences_of(face)),
        "effects": [],
    }


def _text(card: Card | Face, system: System) -> list[str]:
    return _card_text(card, system) if isinstance(card, Card) else _face_text(card)


def _face_text(face: Face) -> list[str]:
    from generator.layout.card_elements import Index, Rule, badges_of, counted_form, sentences_of, title_of

    if is_code(face.code):
        which = name_of(face.code)
    else:
        corner = [part for part in face.parts if isinstance(part, Index)]
        rule = [part for part in face.parts if isinstance(part, Rule)]
        which = f"{rule[0].word} {corner[0].rank}" if corner and rule else ""
    called = "; ".join(filter(None, (which if which != title_of(face) else "", counted_form(badges_of(face)))))
    head = f"{face.code}  {title_of(face)}" + (f" ({called})" if called else "")
    return [head, *(f"    {sentence}" for sentence in sentences_of(face))]


def _card_text(card: Card, system: System) -> list[str]:
    scored = isinstance(system.head.procedure, Steps) and system.head.procedure.scores
    facts = [f"score {system.score_of(card)}"] if scored else []
    facts += [f"Blood {card.blood.spoken}"] if card.blood else []
    facts += [f"Trauma {card.trauma}"] if card.trauma else []
    facts += ["for good"] if card.permanent else []
    head = f"{card.code}  {card.name} ({'; '.join(filter(None, (name_of(card.code), ', '.join(facts))))})"
    lines = [head]
    for reading, sentences in card_readings(card, system):
        label = f"{reading}: " if reading else ""
        lines += [f"    {'' if place else label}{sentence}" for place, sentence in enumerate(sentences)]
    return lines

"""`hackjack card`: what a card does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cards import name_of, read_code
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.errors import HackjackError, UsageError
from generator.procedures import Harm
from generator.rules import Card, System, plain
from generator.wording import card_readings, card_sentences


@click.command("card")
@click.argument("system")
@click.argument("codes", nargs=-1, required=True, metavar="CODE...")
@pack_options
@json_option
def command(system: str, codes: tuple[str, ...], pack: Path | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Say what a card does: QS, 10H, RJ."""
    loaded = open_pack(system, pack, settings).system
    chosen = [_find(code, loaded) for code in codes]
    if as_json:
        shapes = [_shape(card, loaded) for card in chosen]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    click.echo("\n\n".join(_text(card, loaded) for card in chosen))


def _find(typed: str, system: System) -> Card:
    try:
        code = read_code(typed)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if code not in system.cards:
        raise HackjackError(f"{system.head.id} has no card {code}")
    return system.cards[code]


def _shape(card: Card, system: System) -> dict[str, Any]:
    return {
        "system": system.head.id,
        "code": card.code,
        "title": card.name,
        "score": system.score_of(card),
        "blood": card.blood.plain if card.blood else 0,
        "trauma": card.trauma or 0,
        "permanent": card.permanent,
        "text": [str(sentence) for sentence in card_sentences(card, system)],
        "effects": [plain(effect) for effect in card.effects],
        **(_for_good(card, system) if card.for_good else {}),
    }


def _for_good(card: Card, system: System) -> dict[str, Any]:
    """The other reading of a card that has two: what it does as a permanent injury."""
    return {
        "for_good": {
            "text": [str(sentence) for sentence in card_sentences(card, system, for_good=True)],
            "effects": [plain(effect) for effect in card.for_good],
        }
    }


def _text(card: Card, system: System) -> str:
    facts = [f"score {system.score_of(card)}"] if isinstance(system.head.procedure, Harm) else []
    facts += [f"Blood {card.blood.spoken}"] if card.blood else []
    facts += [f"Trauma {card.trauma}"] if card.trauma else []
    facts += ["for good"] if card.permanent else []
    facts += ["reconstructed"] if system.deck and system.deck.reconstructed else []
    head = f"{card.code}  {card.name} ({'; '.join(filter(None, (name_of(card.code), ', '.join(facts))))})"
    lines = [head]
    for reading, sentences in card_readings(card, system):
        label = f"{reading}: " if reading else ""
        lines += [f"    {'' if place else label}{sentence}" for place, sentence in enumerate(sentences)]
    return "\n".join(lines)

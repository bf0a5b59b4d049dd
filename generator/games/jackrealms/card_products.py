"""The cards of Jackrealms: a standard deck that says which hands a card busts, and the scenes with their stakes."""

from collections.abc import Mapping

from generator.base.cards import FULL_DECK, rank_of, suit_of
from generator.games.face import SetMaker
from generator.games.jackrealms.hands import HandRules
from generator.layout.card_elements import (
    Badge,
    Blank,
    CardEffect,
    CardSet,
    Emblem,
    Face,
    Index,
    Part,
    Rule,
    Short,
    Title,
)
from generator.model.rules import System

MAX_STAKES = 30
"""No more scene cards than that."""
_USUAL_STAKES = 10


def deck_cards(system: System) -> CardSet:
    """Return a standard deck: what each card counts, and the least hand that it busts."""
    rules = HandRules.of(system)
    return CardSet(f"the deck of {system.head.id}", tuple(_card(code, rules) for code in FULL_DECK))


def _card(code: str, rules: HandRules) -> Face:
    low, suits = rules.low(code), (rank_of(code), suit_of(code))
    value = f"{low} or {rules.ace_high}" if suits[0] == "A" else str(low)
    least = rules.target + 1 - low
    says = f"{value} \u00b7 busts {f'{least} and up' if least < rules.target else f'only {least}'}"
    return Face(code, suits[1], (Index(*suits), Emblem(*suits), Short(says), Badge("words", says, "")))


def scene_cards(system: System) -> CardSet:
    """Return one card for each height of the stakes: it lies on the table for as long as the scene lasts."""
    most = min((system.most_of("stakes") if "stakes" in system.head.tracks else None) or _USUAL_STAKES, MAX_STAKES)
    return CardSet(f"the scenes of {system.head.id}", tuple(_scene(stakes, system) for stakes in range(1, most + 1)))


def _scene(stakes: int, system: System) -> Face:
    rules = HandRules.of(system)
    bet = f"Bet {rules.least_bet} to {stakes} effort" if stakes > rules.least_bet else f"Bet {stakes} effort"
    gain = "as much again" if rules.payout == 1 else f"{rules.payout} times as much again"
    falls = "Take what winners gain off the stakes, and lay out the card of what is left"
    parts: tuple[Part, ...] = (
        Index(str(stakes), ""),
        Title("Stakes of the scene"),
        Rule("scene"),
        CardEffect(f"{bet} on an action, and no more than you hold", ""),
        CardEffect(f"Win: the bet comes back with {gain}", ""),
        CardEffect("Lose or tie: the bet goes to the bank", ""),
        *([CardEffect(falls, "")] if rules.stakes_fall else []),
        Blank("Scene"),
        Blank("Goal"),
    )
    return Face(f"stakes-{stakes}", "", parts)


SETS: Mapping[str, SetMaker] = {"deck": deck_cards, "scenes": scene_cards}

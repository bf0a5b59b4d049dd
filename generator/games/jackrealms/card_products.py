"""The cards of Jackrealms: a standard deck that says what each card counts, and the scenes with their stakes."""

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
    Scale,
    Short,
    Title,
)
from generator.model.rules import System

MAX_STAKES = 30
"""No more scene cards than that."""
_USUAL_STAKES = 10
_DOUBTFUL = range(4, 10)
"""Hands so far below the target are those that one thinks twice about: 12 to 17 of 21."""
_YIELDS = ("flavour", "captions", "rule", "turned", "scale")


def deck_cards(system: System) -> CardSet:
    """Return a standard deck: what each card counts, and what becomes of a doubtful hand that draws it."""
    rules = HandRules.of(system)
    return CardSet(f"the deck of {system.head.id}", tuple(_card(code, rules) for code in FULL_DECK))


def _card(code: str, rules: HandRules) -> Face:
    low, ace = rules.low(code), rank_of(code) == "A"
    hands = sorted(rules.target - far for far in _DOUBTFUL)
    made = {hand: rules.reckoned(hand + low, int(ace)).total for hand in hands}
    rows = tuple(
        (str(hand), min(total / rules.target, 1.0), str(total) if total <= rules.target else "bust")
        for hand, total in made.items()
    )
    badges = [Badge("score", str(low), "or" if ace else "value")]
    badges += [Badge("score", str(rules.ace_high), "value")] if ace else []
    parts: tuple[Part, ...] = (
        Index(rank_of(code), suit_of(code)),
        Emblem(rank_of(code), suit_of(code)),
        Title(f"{low} or {rules.ace_high}" if ace else f"Counts {low}"),
        Rule("drawn to a hand of"),
        Scale(rows),
        Short(", ".join(f"{label}: {figure}" for label, _, figure in rows)),
        *badges,
    )
    return Face(code, suit_of(code), parts, _YIELDS)


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
        CardEffect("Lose: the bet goes to the bank", ""),
        *([CardEffect(falls, "")] if rules.stakes_fall else []),
        Blank("Scene"),
        Blank("Goal"),
    )
    return Face(f"stakes-{stakes}", "", parts)


SETS: Mapping[str, SetMaker] = {"deck": deck_cards, "scenes": scene_cards}

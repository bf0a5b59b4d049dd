"""The cards of Jackrealms: a standard deck that says what each card counts, and the scenes with their stakes."""

from __future__ import annotations

from collections.abc import Mapping

from generator.base.cards import FULL_DECK, rank_of, suit_of
from generator.games.face import SetMaker
from generator.games.jackrealms.charts import bust_shares, no_bust_high
from generator.games.jackrealms.hands import HandRules
from generator.layout.card_elements import (
    Badge,
    CardEffect,
    CardSet,
    Face,
    Flavour,
    Index,
    Part,
    Rule,
    Scale,
    Short,
    Title,
)
from generator.model.rules import System
from generator.words.chances import chance_percent

MAX_STAKES = 30
"""No more scene cards than that."""
_USUAL_STAKES = 10
_NO_ACE = "busts, no ace high"
_YIELDS = ("flavour", "captions", "rule", "turned", "scale")


def deck_cards(system: System) -> CardSet:
    """Return a standard deck: what each card counts, and how likely the next card busts a hand that holds it."""
    rules = HandRules.of(system)
    return CardSet(f"the deck of {system.head.id}", tuple(_card(code, rules) for code in FULL_DECK))


def _card(code: str, rules: HandRules) -> Face:
    low, ace = rules.low(code), rank_of(code) == "A"
    shares = {total: share for total, share in bust_shares(rules, code).items() if share}
    rows = tuple((str(total), float(share), f"{chance_percent(share)} %") for total, share in shares.items())
    badges = [Badge("score", str(low), "or" if ace else "counts")]
    badges += [Badge("score", str(rules.ace_high), "counts")] if ace else []
    high = f"; with an ace at {rules.ace_high}, none" if no_bust_high(rules) else ""
    parts: tuple[Part, ...] = (
        Index(rank_of(code), suit_of(code)),
        Title("The next card"),
        Rule(_NO_ACE),
        Scale(rows),
        Short(f"{_NO_ACE}, " + ", ".join(f"{label}: {figure}" for label, _, figure in rows[::2])),
        Flavour(f"So many of the {len(FULL_DECK) - 1} other cards bust that hand{high}."),
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
        Flavour("Pencil in the scene and its goal."),
    )
    return Face(f"stakes-{stakes}", "", parts)


SETS: Mapping[str, SetMaker] = {"deck": deck_cards, "scenes": scene_cards}

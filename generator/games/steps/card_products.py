"""The cards of steps of the author's: the conditions, to hand to whoever is in one."""

from collections.abc import Mapping

from generator.games import cards_of
from generator.games.face import SetMaker
from generator.layout.card_elements import CardSet
from generator.model.rules import ALL, CardsOf, CardSource, System


def condition_cards(system: System) -> CardSet:
    """One card for each condition that has a name."""
    return cards_of.cards_of_block(CardsOf(name="conditions", from_=CardSource(conditions=ALL)), system)


SETS: Mapping[str, SetMaker] = {"conditions": condition_cards}

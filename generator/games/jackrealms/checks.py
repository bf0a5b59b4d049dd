"""What types cannot say of a game of blackjack."""

from collections.abc import Iterator

from generator.base.cards import FULL_DECK, rank_of
from generator.games.content_face import Content, Fault
from generator.model.procedures import Blackjack

MIN_HAND, MAX_HAND = 2, 12
"""The cards that a hand may hold without a bust."""


def _most_held(numbers: Blackjack) -> int:
    """Return how many of a deck's lowest cards keep to the target."""
    values = {"A": numbers.ace_low, "J": numbers.court, "Q": numbers.court, "K": numbers.court}
    total, most = 0, 0
    for value in sorted(values[rank] if rank in values else int(rank) for rank in map(rank_of, FULL_DECK)):
        total += value
        if total > numbers.target:
            break
        most += 1
    return most


class JackrealmsContent(Content):
    """What types cannot say of a game of blackjack."""

    CHARTS = ("strategy_hard", "strategy_soft", "stand_from", "bust_by_total", "win_by_up_card")
    CARD_SETS = ("deck", "scenes")
    PAGE_NAMES = (
        *("stakes", "bank", "players", "dealer", "turn", "mine", "dealt", "bets", "to_play", "total", "drawn"),
        *("effort", "bet", "cards", "stands"),
    )

    def head_faults(self) -> Iterator[Fault]:
        """The dealer can stand without a bust, and an ace's two values differ the right way round."""
        numbers = self.system.head.procedure
        assert isinstance(numbers, Blackjack)
        if numbers.dealer_stands > numbers.target:
            message = (
                f"the dealer would stand on {numbers.dealer_stands}, which is bust already: {numbers.target} at most"
            )
            yield ("procedure", "dealer_stands"), message
        for name in ("court", "ace_low"):
            if (value := getattr(numbers, name)) > numbers.target:
                yield ("procedure", name), f"one card of {value} is bust already: {numbers.target} at most"
        cards = _most_held(numbers)
        if not MIN_HAND <= cards <= MAX_HAND:
            message = f"a hand could hold {cards} cards without a bust: let it be {MIN_HAND} to {MAX_HAND}"
            yield ("procedure", "target"), message
        if numbers.ace_high <= numbers.ace_low:
            message = f"an ace may count more than {numbers.ace_low} instead: write a larger number"
            yield ("procedure", "ace_high"), message


CONTENT = JackrealmsContent

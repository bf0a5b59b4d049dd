"""What a hand of blackjack counts, when the dealer hits, and who wins (rulings J3-J6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from generator.base.cards import FULL_DECK, RANKS, rank_of
from generator.base.errors import HackjackError
from generator.model.procedures import Blackjack
from generator.model.rules import System


class Count(NamedTuple):
    """What a hand counts; `soft` while an ace counts its higher value."""

    total: int
    soft: bool


@dataclass(frozen=True, slots=True)
class HandRules:
    """The numbers of the procedure and the switches that touch a round."""

    target: int
    dealer_stands: int
    dealer_hits_soft: bool
    court: int
    ace_low: int
    ace_high: int
    least_bet: int
    payout: int
    stakes_fall: bool
    margins: bool

    @classmethod
    def of(cls, system: System) -> "HandRules":
        """Return the rules in force. Raises HackjackError for a system that plays no blackjack."""
        numbers = system.head.procedure
        if not isinstance(numbers, Blackjack):
            raise HackjackError(f"{system.head.id} plays no blackjack (its procedure is of a different kind)")
        return cls(
            target=numbers.target,
            dealer_stands=numbers.dealer_stands,
            dealer_hits_soft=system.setting("dealer_soft_17") == "hit",
            court=numbers.court,
            ace_low=numbers.ace_low,
            ace_high=numbers.ace_high,
            least_bet=numbers.least_bet,
            payout=numbers.payout,
            stakes_fall=system.setting("stakes_fall") == "by_payout",
            margins=system.setting("potency") == "by_margin",
        )

    def low(self, code: str) -> int:
        """Return the lowest value of a card."""
        rank = rank_of(code)
        return self.ace_low if rank == "A" else int(rank) if rank.isdigit() else self.court

    def count(self, codes: Iterable[str]) -> Count:
        """Return the total of a hand: an ace its higher value wherever that does not bust."""
        cards = list(codes)
        return self.reckoned(sum(map(self.low, cards)), sum(rank_of(code) == "A" for code in cards))

    def reckoned(self, hard: int, aces: int) -> Count:
        """Return the same from the lowest sum and the number of aces in it."""
        gain = self.ace_high - self.ace_low
        raised = min(aces, (self.target - hard) // gain) if gain > 0 and hard < self.target else 0
        return Count(hard + raised * gain, raised > 0)

    def dealer_hits(self, count: Count) -> bool:
        """Return whether the dealer must take another card (J5, and J3 for soft hands)."""
        if count.total == self.dealer_stands and count.soft:
            return self.dealer_hits_soft
        return count.total < self.dealer_stands

    def wins(self, total: int, dealer: int) -> bool:
        """Return whether a player's hand beats the dealer's: a bust always loses, and so does a tie (J6)."""
        return total <= self.target and (dealer > self.target or total > dealer)

    def potency(self, total: int, dealer: int) -> int:
        """How strong a success is, in points: a bust dealer counts as the least total to stand on, and 1 is the least
        (J9)."""
        return max(total - (self.dealer_stands if dealer > self.target else dealer), 1)

    @property
    def most_hands(self) -> int:
        """So many players the deck always serves, however they play.

        A player who takes a card held the target at most, and the dealer less than the total to stand on, each counted
        low: the sum over all hands stays below that of the deck, so that a card is left for everybody who asks.
        """
        largest = max(self.low(f"{rank}S") for rank in RANKS)
        room = sum(map(self.low, FULL_DECK)) - 1 - (self.dealer_stands - 1 + largest)
        return max(room // (self.target + largest), 0)

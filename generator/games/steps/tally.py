"""Odds in counts: what each unseen card does on its own, as those who count cards at the table say it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from generator.games.steps.engine import play_counted
from generator.games.steps.events import StepsEvent
from generator.games.steps.state import StepsState
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed, RollNeed
from generator.play.every_way import every_way

MAX_LISTED = 16
"""Longer lists of cards are told as a number only."""


class _OpenError(Exception):
    """Another card decides, or the player does."""


class _FirstCard:
    """Luck whose first card is a certain one; dice fall every way, and a second card or a choice ends it."""

    def __init__(self, luck: Chance, card: str | None) -> None:
        self._luck, self._card = luck, card
        self.left: tuple[str, ...] = ()

    def card(self, left: Sequence[str]) -> str:
        """Return that card, once. Raises _OpenError where there is none, or it was drawn."""
        card, self._card = self._card, None
        self.left = tuple(left)
        if card is None or card not in left:
            raise _OpenError
        return card

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return every way of the dice, one after the other."""
        return self._luck.roll(need)

    def choose(self, need: ChoiceNeed) -> int:
        """Raise _OpenError: the player decides."""
        del need
        raise _OpenError

    def peek(self, left: Sequence[str]) -> str | None:
        """Only the players see the next card."""
        del left
        return None


def unseen_cards(system: System, state: StepsState, event: StepsEvent) -> str:
    """Return how many unseen cards kill: `34 of 50 unseen cards kill`; empty where no card is drawn.

    Raises TooMuchWorkError for what is too large.
    """
    first: list[str] = []

    def begin(luck: Chance) -> None:
        hand = _FirstCard(luck, None)
        try:
            play_counted(system, state, event, hand, timeless=True)
        except _OpenError:
            first[:] = first or hand.left

    _ = [*every_way(begin)]
    if not first:
        return ""
    fates = {name: _fates(system, state, event, name) for name in dict.fromkeys(first)}
    kill = [name for name in first if fates[name] == {"dead"}]
    open_cards = [name for name in first if fates[name] != {"dead"} and fates[name] != {"alive"}]
    more = f"; {len(open_cards)} more may{_listed(open_cards)}" if open_cards else ""
    return (
        f"{len(kill)} of {len(first)} unseen {'card kills' if len(first) == 1 else 'cards kill'}{_listed(kill)}{more}"
    )


def _fates(system: System, state: StepsState, event: StepsEvent, card: str) -> set[str]:
    """Return how an event may end that begins with this card: dead, alive, or open."""

    def run(luck: Chance) -> str:
        try:
            return "dead" if play_counted(system, state, event, _FirstCard(luck, card), timeless=True).dead else "alive"
        except _OpenError:
            return "open"

    shares: list[tuple[Fraction, str]] = [*every_way(run)]
    return {fate for _, fate in shares}


def _listed(names: Sequence[str]) -> str:
    return f" ({' '.join(names)})" if 0 < len(names) <= MAX_LISTED else ""

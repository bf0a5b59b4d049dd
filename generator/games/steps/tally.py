"""Odds in counts: what each unseen card does on its own, as those who count cards at the table say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.games.steps.counter import deadly_course
from generator.games.steps.engine import play_counted
from generator.games.steps.events import StepsEvent
from generator.games.steps.state import StepsState
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed
from generator.play.every_way import every_way

MAX_LISTED = 16
"""Longer lists of cards are told as a number only."""


class _OpenError(Exception):
    """Another card decides, or the player does. `left` are the cards that it may be."""


class _FirstCard:
    """Luck whose first card is a certain one; dice fall every way, and a second card or a choice ends it."""

    def __init__(self, luck: Chance, card: str) -> None:
        self.roll, self._card = luck.roll, card

    def card(self, left: Sequence[str]) -> str:
        """Return that card, once. Raises _OpenError where it was drawn, or there is none."""
        card, self._card = self._card, ""
        if not card:
            raise _OpenError(tuple(left))
        return card

    def choose(self, need: ChoiceNeed) -> int:
        """Raise _OpenError: the player decides."""
        raise _OpenError(need)

    def peek(self, left: Sequence[str]) -> str | None:
        """Only the players see the next card."""


class Unseen(NamedTuple):
    """The cards that may be drawn first: those that kill, those that may, as more is drawn or rolled, and all."""

    kill: tuple[str, ...]
    may: tuple[str, ...]
    left: tuple[str, ...]
    dead: bool = False
    """Whether the event kills without a card."""

    def __str__(self) -> str:
        """Return the chances in counts: `34 of 50 unseen cards kill`."""
        if not self.left:
            return "death at once, without a card" if self.dead else "no card is drawn"
        more = f"; {len(self.may)} more may{_listed(self.may)}" if self.may else ""
        return f"{len(self.kill)} of {len(self.left)} unseen cards kill{_listed(self.kill)}{more}"


def unseen_cards(system: System, state: StepsState, event: StepsEvent) -> Unseen:
    """Return what each unseen card does on its own.

    Raises TooMuchWorkError for what is too large.
    """

    def fates(card: str) -> Iterator[object]:
        def fate(luck: Chance) -> object:
            try:
                return play_counted(system, state, event, _FirstCard(luck, card), timeless=True).dead
            except _OpenError as error:
                return error.args[0]

        return (fate for _, fate in every_way(fate))

    left = next((cards for cards in fates("") if type(cards) is tuple), ())
    alike = deadly_course(system, state, event.name).alike if left else {}
    kills = {card: _only(fates(card)) for card in {alike[card]: None for card in left}}
    kill = tuple(card for card in left if kills[alike[card]] is True)
    may = tuple(card for card in left if kills[alike[card]] not in (True, False))
    return Unseen(kill, may, tuple(left), dead=not left and _only(fates("")) is True)


def _only(fates: Iterator[object]) -> object:
    """Return the one fate of all; None at the first that is another."""
    first = next(fates)
    return first if all(each == first for each in fates) else None


def _listed(names: Sequence[str]) -> str:
    return f" ({' '.join(names)})" if 0 < len(names) <= MAX_LISTED else ""

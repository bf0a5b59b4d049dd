"""Odds in counts: what each unseen card does on its own, as those who count cards at the table say it."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.base.errors import HackjackError
from generator.games.steps.counting.odds import deadly_event
from generator.games.steps.engine import play_counted
from generator.games.steps.events import StepsEvent
from generator.games.steps.state import StepsState
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed
from generator.play.every_way import TooMuchWorkError, every_way

MAX_LISTED = 16
"""Longer lists of cards are told as a number only."""


class _OpenError(Exception):
    """The player decides."""


class _FirstCards:
    """Luck whose first cards are certain ones, after which none is drawn; dice fall every way, and a choice ends it.

    `asked` are the cards of which one more might have been drawn.
    """

    def __init__(self, luck: Chance, cards: Sequence[str]) -> None:
        self.roll, self._cards, self.asked = luck.roll, [*cards], tuple[str, ...]()

    def card(self, left: Sequence[str]) -> str:
        """Return the next of the cards, and then none."""
        if self._cards:
            return self._cards.pop(0)
        self.asked = self.asked or tuple(left)
        return ""

    def choose(self, need: ChoiceNeed) -> int:
        """Raise _OpenError."""
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

    A card that draws on kills where nobody survives it with any one card more, whatever that draws left undrawn.
    Raises TooMuchWorkError for what is too large.
    """

    def fate(*cards: str) -> tuple[bool | None, Sequence[str]]:
        """Return whether cards kill, None where dice or choices decide, and of which others one more may be drawn."""
        asked: Sequence[str] = ()

        def dies(luck: Chance) -> bool | None:
            nonlocal asked
            first = _FirstCards(luck, cards)
            try:
                return play_counted(system, state, event, first, timeless=True).dead
            except TooMuchWorkError:
                raise
            except (_OpenError, HackjackError):
                # What follows may ask the card that is missing.
                return None
            finally:
                asked = asked or first.asked

        ends = (dead for _, dead in every_way(dies))
        first_end = next(ends)
        return first_end if all(each == first_end for each in ends) else None, asked

    dead, left = fate()
    alike = deadly_event(system, state, event.name).alike if left else {}

    def kills(card: str) -> bool | None:
        dies, more = fate(card)
        others = {alike[each]: each for each in more}
        return all(fate(card, other)[0] for other in others.values()) or None if more else dies

    found = {card: kills(card) for card in {alike[card]: None for card in left}}
    kill = tuple(card for card in left if found[alike[card]] is True)
    may = tuple(card for card in left if found[alike[card]] is None)
    return Unseen(kill, may, tuple(left), dead=not left and dead is True)


def _listed(names: Sequence[str]) -> str:
    return f" ({' '.join(names)})" if 0 < len(names) <= MAX_LISTED else ""

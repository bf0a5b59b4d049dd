"""Odds in counts: what each unseen card does on its own, as those who count cards at the table say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.base.errors import HackjackError
from generator.games.hackjack import counting
from generator.games.hackjack import engine as harm
from generator.games.hackjack.counting import CountingRules
from generator.games.hackjack.engine import HarmEvent, HarmState
from generator.model.rules import System
from generator.play.chance import CardNeed, RollNeed

MAX_LISTED = 16
"""Longer lists of cards are told as a number only."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What each unseen card does as the first card of an event: those that kill, and those whose wound draws more."""

    kill: tuple[str, ...]
    more: tuple[str, ...]
    left: int
    draws: bool
    outright: bool = False


def tally(system: System, state: HarmState, event: HarmEvent) -> Tally:
    """Try every unseen card on its own, by the engine's rules. Raises HackjackError for the dead."""
    if state.dead:
        raise HackjackError("the character is dead: there is nothing left to count")
    rules, blows, drawn = CountingRules.of(system), harm.blows_of(system), set(state.drawn)
    left = [code for code in harm.deck_of(system) if code not in drawn]
    body, agenda = harm.opening(harm.body_of(state, system), event, rules)
    body, agenda, need = counting.proceed(body, agenda, rules)
    if not isinstance(need, CardNeed):
        return Tally((), (), len(left), draws=False, outright=body.dead)
    kill, more = [], []
    for code in left:
        hurt, rest, wanted = counting.proceed(*counting.take_card(body, agenda, blows[code], rules), rules)
        while isinstance(wanted, RollNeed):
            # The card's own Blood does not flow in this hit: any number does.
            hurt, rest, wanted = counting.proceed(*counting.take_roll(hurt, rest, wanted.dice.least), rules)
        if hurt.dead or hurt.score > rules.limit:
            kill.append(code)
        elif wanted is not None:
            more.append(code)
    return Tally(tuple(kill), tuple(more), len(left), draws=True)


def said(counts: Tally) -> str:
    """The chances in counts: `34 of 50 unseen cards kill`."""
    if not counts.draws:
        return "death at once, without a card" if counts.outright else "no card is drawn"
    more = f"; {len(counts.more)} more draw on and may{_listed(counts.more)}" if counts.more else ""
    return f"{len(counts.kill)} of {counts.left} unseen cards kill{_listed(counts.kill)}{more}"


def _listed(codes: Sequence[str]) -> str:
    return f" ({' '.join(codes)})" if 0 < len(codes) <= MAX_LISTED else ""

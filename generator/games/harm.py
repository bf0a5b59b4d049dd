"""Wounds on cards and a death-score: Hackjack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.chance import Seeded
from generator.engine import harm
from generator.engine.harm import Event, State, deck_of, plain_state, read_state, step
from generator.errors import HackjackError
from generator.games import Answer, Asked, refuse_at
from generator.odds import chance, spoken
from generator.odds import harm as odds_of
from generator.rules import System
from generator.simulation import simulate
from generator.source import Trail
from generator.telling.harm import line
from generator.telling.harm import state_line as _state_line

__all__ = ["deck_of", "line", "plain_state", "read_state", "step"]

EVENTS = harm.EVENTS
QUESTIONS = {name: EVENTS[name] for name in odds_of.COUNTED_EVENTS}


def read_event(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """An event as typed: `hit 9`. Raises UsageError."""
    del system
    event = harm.read_event(words)
    refuse_at(at, event.name)
    return event


read_question = read_event


def state_line(plain: dict[str, Any], system: System) -> str:
    """A state in one line: `death-score 12, Blood 2, Trauma 3`."""
    del system
    return _state_line(plain)


def odds(system: System, state: State, event: Event, asked: Asked) -> Answer:
    """The chances of one hit, or of several in a row; counted, or played out."""
    if asked.plays:
        return _played(system, state, event, asked)
    return _once(system, state, event, asked) if asked.hits is None else _in_a_row(system, state, event, asked)


def _once(system: System, state: State, event: Event, asked: Asked) -> Answer:
    found = odds_of.outcome(system, state, event, asked.policy)
    plain = {
        "die": chance(found.die),
        "reset": chance(found.reset),
        "survive": chance(found.survive),
        "score": {str(score): chance(share) for score, share in found.score.items()},
        "cards_left": found.cards_left,
    }
    lines = [
        f"die      {spoken(found.die)}",
        f"reset    {spoken(found.reset)}   exactly {system.harm.limit}, then 0",
        f"survive  {spoken(found.survive)}   a reset counts as surviving",
        *(f"  death-score {score:>2}  {spoken(share)}" for score, share in found.score.items()),
        f"{found.cards_left} cards are left in the deck",
    ]
    return Answer(plain, lines)


def _in_a_row(system: System, state: State, event: Event, asked: Asked) -> Answer:
    found = odds_of.die_by(system, state, event, asked.hits or 1, asked.policy)
    lines = [f"{_dead_after(number)}  {spoken(share)}" for number, share in enumerate(found, 1)]
    return Answer({"die_by": [chance(share) for share in found]}, lines)


def _played(system: System, state: State, event: Event, asked: Asked) -> Answer:
    plays = asked.plays or 1
    found = simulate(system, state, event, asked.hits or 1, plays, asked.seed, asked.policy)
    plain = {
        "die_by": [{"p": share, "error": error} for share, error in found],
        "plays": plays,
        "seed": asked.seed,
    }
    lines = [f"{_dead_after(number)}  {share:.5f} +- {error:.5f}" for number, (share, error) in enumerate(found, 1)]
    return Answer(plain, [*lines, f"{plays:,} plays with the seed {asked.seed}: an estimate, not exact"])


def _dead_after(hits: int) -> str:
    return f"dead after {hits} {'hit ' if hits == 1 else 'hits'}"


class _Leading(Seeded):
    """Luck that begins with a certain card."""

    def __init__(self, code: str) -> None:
        super().__init__(0)
        self._code: str | None = code

    def card(self, left: Sequence[str]) -> str:
        """That card, then any."""
        code, self._code = self._code, None
        return code if code in left and code is not None else super().card(left)


def rehearse(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Every card once on a fresh character and once on a wounded one."""
    if system.deck is None:
        return
    for place, card in enumerate(system.deck.cards):
        for state in (State(), State(hp=3, blood=2, trauma=1)):
            try:
                step(system, state, Event("hit", 5), _Leading(card.code))
            except HackjackError as error:
                yield "deck.yaml", ("cards", place), f"the card {card.code} cannot be played: {error}"
                break

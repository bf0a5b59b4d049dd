"""What most games answer to a session. A game takes over what suits it: `from generator.games.usual import held`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from generator.base.errors import UsageError
from generator.games import game_of
from generator.model.log import Log
from generator.model.rules import System
from generator.play.chance import Given

SHARED = False
LOOKS: Collection[str] = ()
OPENING: Mapping[str, Any] = {}
NEWCOMER = ": somebody joins"


def newcomer(words: Sequence[str], system: System) -> Any:
    """A fresh state; nothing is said of a newcomer but the name. Raises UsageError."""
    if words:
        raise UsageError(f'"{words[0][:40]}" is too much: write add NAME')
    return game_of(system).read_state({})


def look(system: System, state: Any, event: Any) -> Log:
    """What the event says; what it would change is let go."""
    return game_of(system).step(state, event, Given())[1]


def recalled(log: Log, plain: dict[str, Any], system: System, *, undone: bool) -> Sequence[str]:
    """The deed itself says it all."""
    del log, plain, system, undone
    return ()


def details(plain: dict[str, Any], system: System) -> Sequence[str]:
    """The line of a state says it all."""
    del plain, system
    return ()


def together(system: System, states: Mapping[str, Any], who: str, event: Any) -> Mapping[str, Any]:
    """What befalls one means nothing for the others."""
    del system, who, event
    return states


def held(state: Any) -> Collection[str]:
    """No cards lie before anybody."""
    del state
    return ()


def check_bounds(state: Any) -> None:
    """The numbers of the game have bounds of their own."""
    del state


def seats(plain: dict[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Nobody: each character has a state."""
    del plain
    return {}


def sheet(plain: dict[str, Any], system: System) -> Mapping[str, Any]:
    """The state's own keys fill the sheet."""
    del system
    return plain

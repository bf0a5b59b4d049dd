"""Games: what can be done at the table with each kind of procedure, behind one face.

Commands and sessions know only this face. A game is a module of this package, named after the kind that `system.yaml`
gives under `procedure`; it puts together the engine, the lines and the odds of that kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, cast

from generator import telling
from generator.chance import Chance
from generator.errors import UsageError
from generator.log import Entry, Log
from generator.rules import System
from generator.source import Trail


@dataclass(frozen=True, slots=True)
class Asked:
    """How odds are asked for: so many events in a row (None: one), played out so often, who chooses how."""

    hits: int | None = None
    plays: int | None = None
    seed: int = 0
    policy: Literal["best", "worst", "even"] = "best"


@dataclass(frozen=True, slots=True)
class Answer:
    """Odds, as `--json` prints them and as lines for people."""

    plain: dict[str, Any]
    lines: Sequence[str]


class Game(Protocol):
    """What a module of this package offers. States and events are frozen values of the game's own."""

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The events that `resolve` and a session take: name -> how it is written, and what it is."""

    @property
    def QUESTIONS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What `odds` can be asked: name -> how it is written."""

    def read_event(self, words: Sequence[str], at: Mapping[str, str], system: System) -> Any:
        """An event as typed, `at` from `--at NAME=VALUE`. Raises UsageError."""

    def read_question(self, words: Sequence[str], at: Mapping[str, str], system: System) -> Any:
        """An event as typed that odds are asked of. Raises UsageError."""

    def read_state(self, value: Any, system: System) -> Any:
        """A state from plain data, put in order; `{}` is a fresh one. Raises HackjackError."""

    def plain_state(self, state: Any) -> dict[str, Any]:
        """A state as plain data for JSON."""

    def state_line(self, plain: dict[str, Any], system: System) -> str:
        """A state, as plain data, in one line for people."""

    def step(
        self, system: System, state: Any, event: Any, chance: Chance, held: Collection[str] | None = None
    ) -> tuple[Any, Log]:
        """One event on a state. Raises HackjackError when it cannot happen, NeedsError when luck is missing."""

    def line(self, entry: Entry, system: System) -> str:
        """A log entry as a sentence."""

    def odds(self, system: System, state: Any, event: Any, asked: Asked) -> Answer:
        """The exact chances of an event. Raises HackjackError where it has none or they are too large to count."""

    def deck_of(self, system: System) -> tuple[str, ...]:
        """The codes of the full deck in play; none where the game is played with dice alone."""

    def rehearse(self, system: System) -> Iterator[tuple[str, Trail, str]]:
        """Play everything in the content once: file, trail and a sentence for each thing that cannot be played."""


KINDS = ("harm",)
"""The modules of this package."""


def game_of(system: System) -> Game:
    """The game that a system plays."""
    return cast(Game, import_module(f"generator.games.{system.kind}"))


def told(entry: Entry, system: System) -> dict[str, Any]:
    """A log entry for JSON: its kind, its text, its ruling where it has one, and its facts."""
    why = {"why": entry.why} if entry.why else {}
    return {"kind": entry.kind, "text": game_of(system).line(entry, system), **why, **entry.facts}


def lines_of(log: Log, system: System, *, why: bool = False) -> list[str]:
    """A log as lines; with `why`, the ruling that a line follows is said below it."""
    game = game_of(system)
    lines = []
    for entry in log:
        lines.append(game.line(entry, system))
        reason = telling.reason(entry, system) if why else ""
        lines += [f"    {reason}"] if reason else []
    return lines


def refuse_at(at: Mapping[str, str], event: str, known: Collection[str] = ()) -> None:
    """Names that an event does not take. Raises UsageError."""
    for name in at:
        if name not in known:
            there = f": it takes {', '.join(known)}" if known else ""
            raise UsageError(f"{event} takes no --at {name[:40]}{there}")

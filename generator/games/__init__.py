"""Games: what can be done at the table with each kind of procedure, behind one face.

Commands and sessions know only this face. A game is a module of this package, named after the kind that `system.yaml`
gives under `procedure`; it puts together the engine, the lines and the odds of that kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, cast

import msgspec

from generator.base.errors import UsageError
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, ChoiceNeed, NeedsError
from generator.words import log_lines as telling


@dataclass(frozen=True, slots=True)
class Asked:
    """How odds are asked for: so many events in a row (None: one), played out so often, who chooses how.

    `held` are the cards that lie before everybody at the table.
    `exact`: what is too large to count is refused instead of played out.
    """

    hits: int | None = None
    plays: int | None = None
    seed: int = 0
    exact: bool = False
    policy: Literal["best", "worst", "even"] = "best"
    held: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Odds, as `--json` prints them and as lines for people.

    `counts` says them in counts, where that can be done: `34 of 50 unseen cards kill`; `cards` are the cards counted,
    for JSON. `brief` are fewer lines for the middle of a fight; None where all of them are wanted.
    """

    plain: dict[str, Any]
    lines: Sequence[str]
    counts: str = ""
    cards: dict[str, Any] | None = None
    brief: Sequence[str] | None = None


class Game(Protocol):
    """What a module of this package offers. States and events are frozen values of the game's own.

    Commands ask for EVENTS to `rehearse`; a session asks for the rest too, and `games.usual` has its usual answers. A
    state is a frozen Struct. One that has a field `drawn` knows which cards are out of the deck: at the table that is
    the one deck of the whole party. Everything that `step` needs to remember is in the state, for undo is an older one.
    """

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The events that `resolve` and a session take: name -> how it is written, and what it is.

        Such as `hit N [critical] [--at type=fire]: damage ...`: the prompt makes its help and its completion of it.
        """

    @property
    def QUESTIONS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What `odds` can be asked: name -> how it is written. The first is what the prompt is asked most."""

    @property
    def LUCK(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The luck that an event may meet: name -> some of `cards dice choose`; events that meet none are left out."""

    @property
    def LOOKS(self) -> Collection[str]:  # noqa: N802 - a constant of the module
        """The events that only look. A session asks `look` for them, keeps no record of them and changes nothing."""

    @property
    def OPENING(self) -> Mapping[str, Any]:  # noqa: N802 - a constant of the module
        """The plain state with which a shared table begins; `{}` is a fresh one."""

    @property
    def SHARED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether one state is for the whole table.

        The state then knows who plays, joining is an event like any other, and events are written without a name in
        front: `bet bryn 2` has the words `bet`, `bryn` and `2`. Otherwise each character has a state, whom `add NAME`
        brings in, and an event is written with the name of the one whom it befalls: `hit bryn 9`.
        """

    @property
    def NEWCOMER(self) -> str:  # noqa: N802 - a constant of the module
        """What `add NAME` may go on with, and what it does: `[hp N]: somebody joins`. Not for a shared table."""

    def read_event(self, words: Sequence[str], at: Mapping[str, str], system: System, given: str | None = None) -> Any:
        """An event as typed, `at` from `--at NAME=VALUE`. Raises UsageError.

        `given` is what a file held that the words name, as a journal has kept it; empty where none may be read, since
        the words come from a stranger's pack. Only where it is None has a person typed them, who may name any file.
        """

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
        """One event on a state. Raises HackjackError when it cannot happen, NeedsError when luck is missing.

        `held` are the cards that others at the table hold, so that they stay out when the deck is shuffled again; None
        where nobody else plays. An error that begins with "the character" is told at the table with the name.
        """

    def look(self, system: System, state: Any, event: Any) -> Log:
        """What an event of LOOKS says of a state. Raises HackjackError where there is nothing to look at."""

    def recalled(self, log: Log, plain: dict[str, Any], system: System, *, undone: bool) -> Sequence[str]:
        """What undo, or else redo, says besides of an event that had this log; `plain` is the state after it."""

    def together(self, system: System, states: Mapping[str, Any], who: str, event: Any) -> Mapping[str, Any]:
        """Everybody's state after an event that befell one of them: what it means for the others too.

        Raises HackjackError where another's state forbids it. Not for a shared table.
        """

    def line(self, entry: Entry, system: System) -> str:
        """A log entry as a sentence."""

    def odds(self, system: System, state: Any, event: Any, asked: Asked) -> Answer:
        """The exact chances of an event. Raises HackjackError where it has none or they are too large to count; as in
        `step`, the table tells it with the name.
        """

    def deck_of(self, system: System) -> tuple[str, ...]:
        """The codes of the full deck in play; none where the game is played with dice alone."""

    def newcomer(self, words: Sequence[str], system: System) -> Any:
        """The state of somebody who joins: the words after `add NAME`. Raises UsageError. Not for a shared table."""

    def details(self, plain: dict[str, Any], system: System) -> Sequence[str]:
        """What `show` says of a state, as plain data, below its line: wounds and the like, a line each."""

    def held(self, state: Any) -> Collection[str]:
        """The cards that lie before a character, and stay out when the deck is shuffled again."""

    def check_bounds(self, state: Any) -> None:
        """Raises HackjackError for numbers that grew further than a session should carry."""

    def seats(self, plain: dict[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Who sits at a shared table, each with what fills a sheet. Only for a shared table."""

    def sheet(self, plain: dict[str, Any], system: System) -> Mapping[str, Any]:
        """What fills the sheet of a character's state, given as plain data: the state, with what it needs spelt out.

        At a shared table it is given what `seats` says of somebody.
        """

    def rehearse(self, system: System) -> Iterator[tuple[str, Trail, str]]:
        """Play everything in the content once: file, trail and a sentence for each thing that cannot be played."""


KINDS = ("blackjack", "field", "harm", "injuries", "traits")
"""The modules of this package."""


def game_of(system: System) -> Game:
    """The game that a system plays."""
    return cast(Game, import_module(f"generator.games.{system.kind}"))


def drawn_of(state: Any) -> tuple[str, ...] | None:
    """The cards out of the deck, in a state that knows them; None in one that does not."""
    return tuple(state.drawn) if "drawn" in state.__struct_fields__ else None


def with_drawn(state: Any, drawn: tuple[str, ...]) -> Any:
    """A state that knows which cards are out of the deck, if it is one that can."""
    return state if drawn_of(state) is None else msgspec.structs.replace(state, drawn=drawn)


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


MOST_SAID = 4
"""So many lines of what has happened stand before a choice, where there is one line for all of it."""


def wanted(missing: NeedsError, system: System) -> str:
    """What is needed, in one line; nobody chooses without what has happened until then: `... needs a choice: ...`."""
    known = lines_of(missing.so_far, system)[-MOST_SAID:] if isinstance(missing.need, ChoiceNeed) else []
    return " ".join([*known, str(missing)])


def refuse_at(at: Mapping[str, str], event: str, known: Collection[str] = ()) -> None:
    """Names that an event does not take. Raises UsageError."""
    for name in at:
        if name not in known:
            there = f": it takes {', '.join(known)}" if known else ""
            raise UsageError(f"{event} takes no --at {name[:40]}{there}")

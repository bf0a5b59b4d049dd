"""The registry of games, and what every game's states, logs and combatants have in common."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import replace
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from generator.base.errors import ContentError, UsageError
from generator.games.content_face import Content
from generator.model.log import Entry, Log, Told
from generator.model.rules import System
from generator.pack.load import read_combatants
from generator.pack.pack_locations import example
from generator.words.wording import in_force

if TYPE_CHECKING:
    # Content is checked without playing.
    from generator.games.face import AnyGame
    from generator.play.chance import NeedsError

Mark = Literal["death", "card"]
"""Why a line stands out on a screen."""

FOLDERS: Mapping[str, str] = {"blackjack": "jackrealms", "field": "fiftytwo", "steps": "steps", "traits": "deadlands"}
"""The kinds of `procedure` in `system.yaml`, each with the folder of this package that plays it."""


def game_of(system: System) -> AnyGame:
    """Return the game that a system plays. Only that game is loaded: a command has no time for the others."""
    kept: dict[str, AnyGame] = vars(system)
    if "_game" not in kept:
        kept["_game"] = import_module(f"generator.games.{FOLDERS[system.kind]}.game").GAME(system)
    return kept["_game"]


def content_of(system: System) -> Content:
    """Return what a system's kind of procedure says of content. Neither engine nor odds are loaded."""
    content: type[Content] = import_module(f"generator.games.{FOLDERS[system.kind]}.checks").CONTENT
    return content(system)


def drawn_of(state: Any) -> tuple[str, ...] | None:
    """Return the cards out of the deck, in a state that knows them; None in one that does not."""
    return tuple(state.drawn) if "drawn" in state.__struct_fields__ else None


def with_drawn(state: Any, drawn: tuple[str, ...]) -> Any:
    """Return a state that knows which cards are out of the deck, if it is one that can."""
    return state if drawn_of(state) is None else msgspec.structs.replace(state, drawn=drawn)


def plain_entry(entry: Entry[Any], system: System) -> dict[str, Any]:
    """Return a log entry for JSON: its kind, its text, its ruling where it has one, and its facts."""
    why = {"why": entry.why} if entry.why else {}
    return {"kind": entry.kind, "text": game_of(system).line(entry), **why, **entry.facts}


def ruling_line(entry: Entry[Any], system: System) -> str:
    """Return the ruling that an entry follows, as `H7: ...`; empty where it follows none."""
    rulings = (ruling for ruling in system.head.rulings if ruling.id == entry.why)
    return next((f"{ruling.id}: {in_force(ruling, system)}" for ruling in rulings), "")


def log_lines(log: Log, system: System, *, why: bool = False) -> list[str]:
    """Return a log as lines; with `why`, the ruling that a line follows is said below it."""
    game = game_of(system)
    lines = []
    for entry in log:
        lines.append(game.line(entry))
        if why and (ruling := ruling_line(entry, system)):
            lines.append(f"    {ruling}")
    return lines


def marks_of(log: Log, system: System) -> dict[str, Mark]:
    """Return the lines of a log that stand out on a screen, and why: somebody dies, or a card is drawn."""
    game = game_of(system)
    return {game.line(entry): mark for entry in log if (mark := mark_of(entry, system))}


def mark_of(entry: Entry[Any], system: System) -> Mark | None:
    """Return why an entry stands out on a screen; None where it does not."""
    game, fact = game_of(system), entry.fact.usual if isinstance(entry.fact, Told) else entry.fact
    kind = fact if isinstance(fact, Enum) else type(fact)
    return "death" if kind in game.DEATHS else "card" if kind in game.DRAWS else None


MAX_SAID = 4
"""So many lines of what has happened stand before a choice, where there is one line for all of it."""


def missing_luck(missing: NeedsError, system: System) -> str:
    """Return what is needed in one line; a choice comes after what has happened: `... needs a choice: ...`."""
    from generator.play.chance import ChoiceNeed

    lines = log_lines(missing.so_far, system)[-MAX_SAID:] if isinstance(missing.need, ChoiceNeed) else []
    return " ".join([*lines, str(missing)])


READS_FILES = ContextVar("READS_FILES", default=True)
"""Whether an event may read a file of this computer: none may for a device in the network."""


class FileRefusedError(UsageError):
    """A file is named where none is read."""


def with_combatants(system: System, path: Path) -> System:
    """Return the same system with the combatants of a file. Raise ContentError, each fault in its place.

    So a file is looked through as `combatants.yaml` of a pack is: armour, names, opponents in reach. What is no file
    may be the name of an example that ships: "worked_fight".
    """
    if not READS_FILES.get():
        raise FileRefusedError("Type a command with a file at the terminal: the page reads no files.")
    people, marks = read_combatants(example(str(path)) or path)
    filled = replace(system, combatants=people)
    if faults := [marks.problem(trail, message) for trail, message in content_of(filled).combatant_faults()]:
        raise ContentError(faults)
    return filled

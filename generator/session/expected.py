"""What may stand at a place of a command, from the specifications of events: what is completed and abbreviated."""

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from generator.base.errors import UsageError
from generator.games.face import AnyGame
from generator.play.event_spec import ArgumentReading, ArgumentSpec, EventSpec, read_pairs
from generator.session import prompt, several
from generator.session.corrections import names_at_table
from generator.session.party import TABLE
from generator.session.session import Session, left_in

MAX_FILES = 1000
"""So many files of a folder are looked at."""


def known_at(words: Sequence[str], begun: str, session: Session) -> list[str]:
    """Return the words that may follow a command in full; `begun` is the beginning of the next word."""
    game = session.table.game
    name = words[0].lower() if words else ""
    if not words or name == "help":
        return list(prompt.commands(game))
    if name in (*prompt.ALONE, "log", "undo", "redo", "mend"):
        return []
    if name == "import" and name not in game.EVENTS:
        return _files(begun) if len(words) == 1 else []
    if len(words) > 1 and words[1].endswith(","):
        # Another name follows in the same word.
        words = words[:1]
    if len(words) == 1 and not game.SHARED:
        everybody = [several.ALL] if name in game.EVENTS and begun else []
        return [] if name == "add" else [*session.party.names, *everybody]
    if name in ("set", "rename", "note", "session") and name not in game.EVENTS:
        return _corrected(name, words, session)
    questions = game.QUESTIONS if name == "odds" and len(words) == (1 if game.SHARED else 2) else ()
    try:
        about = specified(words, session)
        return [*questions, *_next(about, begun, session)] if about else []
    except UsageError:
        # An option is given twice: nothing goes on from there.
        return []


def _corrected(name: str, words: Sequence[str], session: Session) -> list[str]:
    """Return the words that may follow in a correction: names, and values that may be set."""
    names = list(names_at_table(session.table, session.party))
    if name != "set":
        return names if len(words) == 1 and name != "session" else []
    shared = session.table.game.SHARED
    if len(words) == 1 and not shared:
        return names
    try:
        plain = session.table.game.plain_state(session.party.state(TABLE if shared else session.party.find(words[1])))
    except UsageError:
        return []
    return [*plain, *names] if len(words) == 1 else list(plain) if len(words) == 2 else []


class About:
    """What specifies the words of a command, as far as these are read, and the state that they are about."""

    def __init__(self, spec: EventSpec, words: Sequence[str], state: Any, game: AnyGame) -> None:
        self.spec, self.state, self._game = spec, state, game
        before, self.luck = prompt.split_luck(words)
        at, typed = read_pairs(before, {})
        self.last = typed[-1:]
        self.taken = ArgumentReading(spec, typed, at, game.READERS, "")

    def choices(self, argument: ArgumentSpec) -> Sequence[str]:
        """Return what an argument may be now."""
        return self._game.choices(argument, self.state, self.taken.values)


def specified(words: Sequence[str], session: Session) -> About | None:
    """Return the specification of the words after a command and a name, or None if there is none. Raises UsageError."""
    game, name = session.table.game, words[0].lower()
    words_behind = words[1 if game.SHARED else 2 :]
    if name == "add" and not game.SHARED:
        return About(game.NEWCOMER, words_behind, game.read_state({}), game)
    try:
        state = session.party.state(TABLE if game.SHARED else session.party.find(words[1]))
    except (IndexError, UsageError):
        return None
    if name in game.EVENTS:
        return About(game.EVENTS[name], words_behind, state, game)
    if name != "odds" or not game.QUESTIONS:
        return None
    if not (words_behind[:1] and words_behind[0] in game.QUESTIONS):
        words_behind = [next(iter(game.QUESTIONS)), *words_behind]
    return About(game.QUESTIONS[words_behind[0]], words_behind[1:], state, game)


def _next(about: About, begun: str, session: Session) -> list[str]:
    """Return the words that may follow in an event, and the luck that it may need."""
    spec, luck = about.spec, about.luck
    expected: list[str] = []
    for argument in () if luck else about.taken.waiting:
        if argument.label and about.last == [argument.label]:
            return [*about.choices(argument)]
        if argument.label:
            expected.append(argument.label)
        elif not argument.option:
            expected += _files(begun) if argument.kind == "file" else about.choices(argument)
        elif begun.startswith(f"{argument.name}="):
            expected += [f"{argument.name}={choice}" for choice in about.choices(argument)]
        else:
            expected.append(f"{argument.name}=")
    expected += ["hits"] if spec.in_a_row and not luck else []
    drawn = "cards" in spec.luck and not session.table.virtual and not about.taken.fault
    cards = dict.fromkeys(left_in(session)) if drawn else ()
    return [*expected, *(kind for kind in spec.luck if kind != "cards"), *cards]


def _files(begun: str) -> list[str]:
    """Return the files that a path may become; a folder ends with a slash. None where the folder cannot be read."""
    folder = Path(begun[: begun.rfind("/") + 1])
    with suppress(OSError):
        with os.scandir(folder) as entries:
            names = [entry.name + ("/" if entry.is_dir() else "") for entry in islice(entries, MAX_FILES)]
        return [str(folder / name) + ("/" if name[-1] == "/" else "") for name in sorted(names) if name[0] != "."]
    return []

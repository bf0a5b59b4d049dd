"""`import FILE`: what `export` wrote of a party, brought into another campaign."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import HackjackError, UsageError
from generator.session.deeds import MOST_DEEDS, MOST_GIVEN, DeckKind, Deed

LARGEST = 5_000_000
"""Of files, in bytes: an export holds every event too."""


class Deck(Struct, frozen=True):
    """Whose luck it was."""

    kind: DeckKind = "real"
    dice: DeckKind | None = None


class Character(Struct, frozen=True):
    """Somebody, with their state as plain data."""

    name: str
    state: dict[str, Any]


class Exported(Struct, frozen=True):
    """What of an export is brought back; what happened is not part of it."""

    system: str
    rulings: dict[str, str] = {}
    numbers: dict[str, str] = {}
    deck: Deck = Deck()
    characters: Annotated[tuple[Character, ...], Meta(max_length=MOST_DEEDS)] = ()
    state: dict[str, Any] | None = None

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The rulings and numbers that a new campaign takes over."""
        return (*self.rulings.items(), *self.numbers.items())

    def deeds(self) -> tuple[Deed, ...]:
        """The deeds that bring everybody in. Raises HackjackError."""
        states = [("", self.state)] if self.state is not None else [(each.name, each.state) for each in self.characters]
        if not states:
            raise HackjackError("the export holds nobody")
        deeds = [Deed("import", who, given=json.dumps(state, ensure_ascii=False)) for who, state in states]
        if long := next((deed for deed in deeds if len(deed.given) > MOST_GIVEN), None):
            raise HackjackError(f"the state of {long.who or 'the table'} is too large: {MOST_GIVEN:,} letters at most")
        return tuple(deeds)


def read_export(path: Path) -> Exported:
    """An export from a file. Raises UsageError where it cannot be read, and HackjackError where it is none."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    if len(raw) > LARGEST:
        raise HackjackError(f"{path}: the file is larger than {LARGEST:,} bytes")
    try:
        return msgspec.json.decode(raw, type=Exported)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HackjackError(f"{path}: this is nothing that export wrote: {str(error)[:200]}") from error

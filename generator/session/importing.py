"""`import FILE`: a file that `export` wrote begins the same campaign again, or brings its party into another one."""

import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes
from generator.base.text_input import decoded
from generator.session.deeds import MAX_DEEDS, MAX_GIVEN, Campaign, Command, DeckKind, Deed
from generator.session.journal_lines import MAX_LINES

MAX_BYTES = 50_000_000


class ImportedDeck(Struct, frozen=True):
    """Whose luck it was."""

    kind: DeckKind = "real"
    dice: DeckKind | None = None


class Character(Struct, frozen=True):
    """Somebody, with their state as plain data."""

    name: str
    state: dict[str, Any]


class Exported(Struct, frozen=True):
    """The parts of an export that `import` reads: the states, and the commands that led there."""

    system: str
    rulings: dict[str, str] = {}
    numbers: dict[str, str] = {}
    deck: ImportedDeck = ImportedDeck()
    characters: Annotated[tuple[Character, ...], Meta(max_length=MAX_DEEDS)] = ()
    state: dict[str, Any] | None = None
    campaign: Campaign | None = None
    commands: Annotated[tuple[Command, ...], Meta(max_length=MAX_LINES)] = ()

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The rulings and numbers that a new campaign takes over."""
        return (*self.rulings.items(), *self.numbers.items())

    def deeds(self) -> tuple[Deed, ...]:
        """Return the deeds that bring everybody in. Raises HackjackError."""
        states = [("", self.state)] if self.state is not None else [(each.name, each.state) for each in self.characters]
        if not states:
            raise HackjackError("the export has no characters")
        deeds = [Deed("import", who, given=json.dumps(state, ensure_ascii=False)) for who, state in states]
        if long := next((deed for deed in deeds if len(deed.given) > MAX_GIVEN), None):
            raise HackjackError(f"the state of {long.who or 'the table'} is too large: {MAX_GIVEN:,} letters at most")
        return tuple(deeds)


def read_export(path: Path) -> Exported:
    """Read an export from a file. Raises HackjackError if it cannot be read or is no export."""
    raw = first_bytes(path, str(path), MAX_BYTES)
    if len(raw) > MAX_BYTES:
        raise HackjackError(f"{path}: the file is larger than {MAX_BYTES:,} bytes")
    try:
        return msgspec.json.decode(decoded(raw), type=Exported)
    except (msgspec.DecodeError, UsageError, RecursionError) as error:
        raise HackjackError(f"{path}: this file was not written by export: {str(error)[:200]}") from error

"""From a folder of YAML to a System, or to every problem in it with file, line and column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator import source
from generator.blocks import PanelsFile
from generator.combatants import Combatant, CombatantsFile
from generator.errors import ContentError, Problem, UsageError, did_you_mean
from generator.files import data_root
from generator.rules import (
    FILE_KINDS,
    ClaimsFile,
    DeckFile,
    HandOut,
    System,
    SystemFile,
    TablesFile,
    TokensFile,
    read_custom,
)
from generator.source import Marks

PANELS = ("screen.yaml", "sheet.yaml", "reference.yaml")
"""The files that lay out printed panels."""

Noun = TypeVar("Noun", bound=msgspec.Struct)
Setting = tuple[str, str]


@dataclass(frozen=True)
class Pack:
    """A system and the places in the files that it was read from, by file name."""

    folder: Path
    system: System
    marks: dict[str, Marks]


def systems_folder() -> Path:
    """The folder of the systems that ship."""
    return data_root() / "content"


@cache
def shipped() -> tuple[str, ...]:
    """The ids of the systems that ship, in alphabetical order, the flagship first."""
    found = sorted(path.parent.name for path in systems_folder().glob("*/system.yaml"))
    return tuple(sorted(found, key=lambda name: name != "hackjack"))


def find(name: str) -> Path:
    """The folder of a system that ships. Raises UsageError with a suggestion."""
    if name not in shipped():
        raise UsageError(f'there is no system "{name[:60]}"{did_you_mean(name, shipped())}')
    return systems_folder() / name


def load(folder: Path, settings: Iterable[Setting] = ()) -> Pack:
    """Read a pack's files and put the System together. Raises ContentError, or UsageError for a bad setting."""
    marks: dict[str, Marks] = {}
    problems: list[Problem] = []
    if not folder.is_dir():
        message = "there is no such folder: name one that holds a system.yaml"
        raise ContentError([Problem(str(folder), 0, 0, message)])
    problems.extend(_unknown_files(folder))
    head = _read(folder, "system.yaml", SystemFile, marks, problems)
    deck = _read(folder, "deck.yaml", DeckFile, marks, problems)
    tables = _read(folder, "tables.yaml", TablesFile, marks, problems)
    claims = _read(folder, "claims.yaml", ClaimsFile, marks, problems)
    combatants = _read(folder, "combatants.yaml", CombatantsFile, marks, problems)
    tokens = _read(folder, "tokens.yaml", TokensFile, marks, problems)
    panels = tuple(
        (name.removesuffix(".yaml"), found)
        for name in PANELS
        if (found := _read(folder, name, PanelsFile, marks, problems)) is not None
    )
    if problems or head is None:
        raise ContentError(problems)
    system = System(
        head,
        deck,
        tables.tables if tables else (),
        claims.claims if claims else (),
        panels,
        combatants=combatants.combatants if combatants else (),
        tokens=tokens.tokens if tokens else (),
        folder=folder,
    )
    return Pack(folder, with_settings(system, settings), marks)


def read_combatants(path: Path) -> tuple[Combatant, ...]:
    """The combatants of a file outside any pack, in the shape of `combatants.yaml`. Raises ContentError."""
    marks: dict[str, Marks] = {}
    problems: list[Problem] = []
    value, marks[path.name] = source.read_file(path, str(path))
    found = _convert(value, CombatantsFile, marks[path.name], problems)
    if found is None:
        raise ContentError(problems)
    return found.combatants


def read_tokens(path: Path) -> tuple[tuple[HandOut, ...], Marks]:
    """The tokens of a file outside any pack, in the shape of `tokens.yaml`, and its places. Raises ContentError."""
    problems: list[Problem] = []
    value, marks = source.read_file(path, str(path))
    found = _convert(value, TokensFile, marks, problems)
    if found is None:
        raise ContentError(problems)
    return found.tokens, marks


def with_settings(system: System, settings: Iterable[Setting]) -> System:
    """The same system under house rules. Raises UsageError for an unknown switch or option."""
    chosen: dict[str, str] = dict(system.settings)
    for name, value in settings:
        switch = system.switches.get(name)
        if switch is None:
            known = ", ".join(system.switches) or "none"
            raise UsageError(f'{system.head.id} has no ruling switch "{name[:60]}": there are {known}')
        if value not in switch.options:
            raise UsageError(f'{name} cannot be "{value[:60]}": choose {" or ".join(switch.options)}')
        chosen[name] = value
    return replace(system, settings=tuple(sorted(chosen.items())))


def _read(folder: Path, name: str, kind: type[Noun], marks: dict[str, Marks], problems: list[Problem]) -> Noun | None:
    """One file as its noun. Adds to `marks`, or to `problems` and gives None."""
    path, shown = folder / name, _shown(folder / name)
    if not path.exists() and not path.is_symlink():
        if name == "system.yaml":
            problems.append(Problem(shown, 0, 0, "the file is missing: every pack has a system.yaml"))
        return None
    if not path.resolve().is_relative_to(folder.resolve()):
        problems.append(Problem(shown, 0, 0, "the file leads out of its pack: put the file itself here, not a link"))
        return None
    try:
        value, marks[name] = source.read_file(path, shown)
    except ContentError as error:
        problems.extend(error.problems)
        return None
    return _convert(value, kind, marks[name], problems)


def _convert(value: Any, kind: type[Noun], marks: Marks, problems: list[Problem]) -> Noun | None:
    """msgspec judges; when it says no, `schema` names everything that is wrong."""
    try:
        return msgspec.convert(value, kind, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        # Only here, because most runs meet no fault and should start fast.
        from generator import schema

        found = [marks.problem(trail, message, key=key) for trail, message, key in schema.faults(value, kind)]
        problems.extend(found or [marks.problem((), str(error))])
        return None


def _unknown_files(folder: Path) -> Iterable[Problem]:
    """YAML files that nothing reads, because their names are not quite right."""
    for path in sorted(folder.glob("*.y*ml"))[:200]:
        if path.name not in FILE_KINDS:
            yield Problem(_shown(path), 0, 0, f"nothing reads this file{did_you_mean(path.name, FILE_KINDS)}")


def _shown(path: Path) -> str:
    """The path as a person sees it: relative to where they are, if it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def read_settings(written: Iterable[str]) -> tuple[Setting, ...]:
    """`RULING=VALUE` as typed on the command line. Raises UsageError."""
    pairs = []
    for text in written:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f'"{text[:60]}" is no setting: write RULING=VALUE')
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)

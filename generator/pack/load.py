"""From a folder of YAML to a System, or to every problem in it with file, line and column."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator import __version__
from generator.base import archives
from generator.base.dice import Dice
from generator.base.errors import ContentError, HackjackError, Problem, UsageError, did_you_mean
from generator.base.files import limited_text, portable_path
from generator.language import places as texts
from generator.language.names import names_of
from generator.model.blocks import PanelsFile
from generator.model.combatants import Combatant, CombatantsFile
from generator.model.page import EMPTY, PageFile
from generator.model.procedures import AnyProcedure, Procedure, Steps
from generator.model.rules import (
    FILE_KINDS,
    MIXED,
    OWN_ENDS,
    OWN_UNITS,
    PANELS,
    PANELS_ENDING,
    TAKEN,
    UNITS,
    UNPLAYED,
    VERSION,
    Argument,
    ClaimsFile,
    DeckFile,
    DecksFile,
    HandOut,
    MixedFile,
    System,
    SystemFile,
    TablesFile,
    TokensFile,
    missing_end,
    not_played,
    read_custom,
)
from generator.model.taken import taken_block, takings, without_takings
from generator.model.themes import PLAIN, Theme
from generator.pack import csv_cards, themes
from generator.pack import inherit as extending
from generator.pack import strict_yaml as source
from generator.pack.inherit import YamlValue
from generator.pack.pack_locations import base_of, files_beside, files_of, installed, is_name, pack_folders
from generator.pack.pack_locations import find as find
from generator.pack.pack_locations import shipped as shipped
from generator.pack.strict_yaml import Marks

@dataclass(frozen=True)
class Pack:
    """A system and the places in the files that it was read from, by file name.

    `names` are those that it answers to: its own, and of the packs that it extends, which it takes the place of.
    """

    folder: Path
    system: System
    marks: dict[str, Marks]
    names: tuple[str, ...] = ()


def load(folder: Path, settings: Iterable[Setting] = (), *, outline: bool = False) -> Pack:
    """Read a pack's files and put the System together. Raises ContentError, or UsageError for a bad setting.

    An `outline` is enough to list a pack: no claims and combatants, and panels are empty.
    """
    with _readable(folder):
        return _loaded(folder, settings, outline)


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """Raise ContentError for a folder that may not be looked into, or that goes away meanwhile."""
    try:
        yield
    except OSError as error:
        where = Path(error.filename) if isinstance(error.filename, str) else folder
        problem = Problem(_shown(where), 0, 0, f"cannot be read: {error.strerror or error}")
        raise ContentError([problem]) from error


@dataclass(frozen=True)
class Judged:
    """A pack with all that is wrong with the form of its files.

    `pack` is None if not even stand-ins make a pack of it. `faults` are the places of the problems, by file, and
    `written` is what the files say. `as_written` is the same without any stand-ins. `has_slips`: some rules that are
    text cannot be read, so their names are not known.
    """

    problems: tuple[Problem, ...]
    faults: tuple[tuple[str, source.Trail], ...]
    pack: Pack | None
    folder: Path
    written: _Written
    as_written: Mapping[str, YamlValue]
    has_slips: bool = False

    def without(self, entries: Iterable[tuple[str, source.Trail]], *, narrowly: bool) -> Judged:
        """Judge the pack again with entries of its files that say nothing."""
        from generator.pack import mending

        for file, entry in entries:
            value = self.written.files[file]
            plain = mending.blanked(value.value, entry, narrowly=narrowly)
            self.written.files[file] = YamlValue(plain, value.marks, value.trail)
        return _judged(self.folder, self.written, mended=True)


def judged(folder: Path) -> Judged:
    """Read a pack for `check`, with stand-ins for what is wrong in it. Raises ContentError for what cannot be read."""
    with _readable(folder):
        written, problems = _gathered(folder, (), tuple(FILE_KINDS))
        if written is None or problems or "system.yaml" not in written.files:
            # What the unread parts define is not known: the other files are judged by their form alone.
            if written is not None:
                _converted(written, problems, [])
                problems += written.slips
            raise ContentError(problems)
        return _judged(folder, written)


def as_written(folder: Path) -> Mapping[str, YamlValue]:
    """Return what the files of a pack and those below say, as far as they can be read and joined."""
    with _readable(folder):
        written, _ = _gathered(folder, (), tuple(FILE_KINDS))
    return written.files if written else {}


def _judged(folder: Path, written: _Written, *, mended: bool = False) -> Judged:
    problems: list[Problem] = []
    faults: list[tuple[str, source.Trail]] = []
    as_written = dict(written.files)
    files, marks = _converted(written, problems, faults, mend=True)
    pack = None
    # Of which kind the procedure is decides what everything else means.
    unknown_kind = any(fault == ("system.yaml", ("procedure",)) for fault in faults)
    if None not in files.values() and not unknown_kind:
        pack = _assembled(folder, written, files, marks, problems)
        pack = replace(pack, system=replace(pack.system, mended=mended or bool(faults)))
    told = tuple(sorted({*problems, *written.slips}))
    return Judged(told, tuple(faults), pack, folder, written, as_written, bool(written.slips))


def _loaded(folder: Path, settings: Iterable[Setting], outline: bool) -> Pack:
    written, problems = _gathered(folder, (), _OUTLINE if outline else tuple(FILE_KINDS))
    if written is None:
        raise ContentError(problems)
    files, marks = _converted(written, problems, [])
    problems += written.slips
    if problems or "system.yaml" not in files:
        raise ContentError(problems)
    pack = _assembled(folder, written, files, marks, problems, outline=outline)
    if problems:
        raise ContentError(problems)
    return replace(pack, system=with_settings(pack.system, settings))


def _converted(
    written: _Written, problems: list[Problem], faults: list[tuple[str, source.Trail]], *, mend: bool = False
) -> tuple[dict[str, Any], dict[str, Marks]]:
    """The files as nouns, None for those with faults unless they are to be mended, and their places."""
    own = _kind(written.files) == "steps"
    OWN_ENDS.set(_names(written.files, "events") if own else None)
    OWN_UNITS.set((*UNITS, *_names(written.files, "procedure", "units")) if own else UNITS)
    if themes.FILE in written.files:
        written.files[themes.FILE] = themes.completed(written.files[themes.FILE])
    files: dict[str, Any] = {}
    as_written = dict(written.files)
    for name, value in as_written.items():
        kind, trails = FILE_KINDS.get(name, PanelsFile), list[source.Trail]()
        files[name] = _convert(value.value, kind, value.marks, problems, trails)
        problems += [value.marks.problem(trail, says) for trail, says in value.marks.torn.items()]
        faults += [(name, trail) for trail in (*trails, *value.marks.torn)]
        if mend and 0 < len(trails) < source.MAX_PROBLEMS:
            from generator.pack import mending

            with suppress(msgspec.ValidationError):
                plain, moved = mending.mended(value.value, kind)
                if mending.hollow(plain, value.value):
                    continue
                files[name] = msgspec.convert(plain, kind, dec_hook=read_custom)
                grafts = {at: (value.marks, there) for at, there in moved.items()}
                marks = replace(value.marks, grafts=value.marks.grafts | grafts)
                written.files[name] = YamlValue(plain, marks)
    if problems:
        problems[:] = _with_limits(problems, as_written)
    return files, {name: value.marks for name, value in written.files.items()}


def _assembled(
    folder: Path,
    written: _Written,
    files: dict[str, Any],
    marks: dict[str, Marks],
    problems: list[Problem],
    *,
    outline: bool = False,
) -> Pack:
    """The pack that files make. Adds to `problems` the house rules that there are not."""
    head = files["system.yaml"]
    tables = _of(files, "tables.yaml", TablesFile)
    claimed = _of(files, "claims.yaml", ClaimsFile)
    combatants = _of(files, "combatants.yaml", CombatantsFile)
    tokens = _of(files, "tokens.yaml", TokensFile)
    decks = _of(files, "decks.yaml", DecksFile)
    panels = (*PANELS, *(name.removesuffix(".yaml") for name in files if name not in FILE_KINDS))
    if outline:
        there = [name for name in PANELS if any((one / f"{name}.yaml").is_file() for one in written.folders)]
        files |= {f"{name}.yaml": PanelsFile(title="", panels=()) for name in there}
    laid_out = ((name, _of(files, f"{name}.yaml", PanelsFile)) for name in panels)
    system = System(
        head,
        _of(files, "deck.yaml", DeckFile),
        tables.tables if tables else (),
        claimed.claims if claimed else (),
        tuple((name, file) for name, file in laid_out if file is not None),
        combatants=combatants.combatants if combatants else (),
        tokens=tokens.tokens if tokens else (),
        folder=written.folders[0],
        below=written.folders[1:],
        inherited=written.inherited,
        decks=decks.decks if decks else (),
        theme=_of(files, themes.FILE, Theme) or PLAIN,
        page=_of(files, "page.yaml", PageFile) or EMPTY,
        mixed=_of(files, f"{MIXED}.yaml", MixedFile),
    )
    played = _played(written.files, system.numbers)
    usual = _procedure(written.usual) or head.procedure
    system = replace(system, head=_with_kinds(head), usual=usual, played=played)
    chosen = _house_rules(system, written.choices, problems)
    system = _with_others(folder, system, marks, problems)
    names = (head.id, *written.bases)
    return Pack(folder, with_settings(system, chosen), marks, names)


def _with_others(folder: Path, system: System, marks: Mapping[str, Marks], problems: list[Problem]) -> System:
    """The same with the systems that it takes cards and blocks from. Adds to `problems` what is not there.

    A pack that is mended goes without what cannot be had.
    """
    others: dict[str, System] = {}
    lacking = set[source.Trail]()
    for file, trail, place, block in () if _TAKING.get() else takings(system):
        name = place.partition("/")[0]
        try:
            if name not in others:
                others[name] = _other(folder, name)
            if block is not None:
                taken_block(block, replace(system, others=others))
        except HackjackError as error:
            lacking.add((file, *trail))
            problems.append(marks[file].problem(trail, str(error)))
    return without_takings(replace(system, others=others), lacking) if lacking else replace(system, others=others)


def _other(folder: Path, name: str) -> System:
    """A system to take from. Raises HackjackError."""
    there = base_of(folder, name)
    if there is None:
        raise HackjackError(f'there is no system "{name}" to take from{did_you_mean(name, (*shipped(), *installed()))}')
    token = _TAKING.set(True)
    try:
        return load(there).system
    except ContentError as error:
        raise HackjackError(f"{name} has errors of its own: {error.problems[0]}") from error
    finally:
        _TAKING.reset(token)


def _with_kinds(head: SystemFile) -> SystemFile:
    """The same with the words of every argument that is one of the procedure's kinds: a pack may add kinds."""
    if not isinstance(head.procedure, Steps) or not head.procedure.aims:
        return head
    there = {name: tuple(kinds) for name, kinds in head.procedure.aims.items()}

    def spelt(takes: Argument) -> Argument:
        return msgspec.structs.replace(takes, of=there[takes.one_of]) if takes.one_of in there else takes

    events = {
        name: msgspec.structs.replace(event, takes={key: spelt(takes) for key, takes in event.takes.items()})
        for name, event in head.events.items()
    }
    return msgspec.structs.replace(head, events=events)


def _played(files: Mapping[str, YamlValue], numbers: Mapping[str, str]) -> bytes:
    """What a pack and those below it say of play, as JSON: the same for the same YAML in every version of ours.

    Without rulings and numbers: each campaign keeps its own.
    """
    values = {name: files[name].value for name in _PLAYED if name in files}
    head = {key: value for key, value in values["system.yaml"].items() if key not in NOT_PLAYED}
    procedure = {key: value for key, value in head["procedure"].items() if key not in (*numbers, "constants")}
    return msgspec.json.encode(_without_emblems({**values, "system.yaml": head | {"procedure": procedure}}))


def _without_emblems(value: Any) -> Any:
    """A value of YAML without the emblems of cards, conditions and parts: they are only looked at."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key != "emblem" or not isinstance(item, str)}
        return {key: _without_emblems(item) for key, item in kept.items()}
    return [_without_emblems(item) for item in value] if isinstance(value, list) else value


def _kind(files: Mapping[str, YamlValue]) -> Any:
    """The kind of procedure that a pack says it is, as far as it can be made out."""
    head = files["system.yaml"].value if "system.yaml" in files else None
    procedure = head.get("procedure") if isinstance(head, dict) else None
    return procedure.get("kind") if isinstance(procedure, dict) else None


def kind_of(name: str) -> str:
    """Return the kind of procedure of a system that ships; of its files only `system.yaml` is read."""
    head, _ = source.read_file(find(name) / "system.yaml", f"{name}/system.yaml")
    return str(head["procedure"]["kind"])


def _procedure(value: Any) -> AnyProcedure | None:
    """A procedure as it was read; None where it is none, which is told where the file is judged."""
    try:
        procedure: AnyProcedure = msgspec.convert(value, AnyProcedure, dec_hook=read_custom)
    except msgspec.ValidationError:
        return None
    return procedure


def read_combatants(path: Path) -> tuple[tuple[Combatant, ...], Marks]:
    """The combatants of a file outside any pack, shaped as `combatants.yaml`, and its places. Raises ContentError."""
    file, marks = _read_alone(path, CombatantsFile)
    return file.combatants, marks


def read_tokens(path: Path) -> tuple[tuple[HandOut, ...], Marks]:
    """The tokens of a file outside any pack, in the shape of `tokens.yaml`, and its places. Raises ContentError."""
    file, marks = _read_alone(path, TokensFile)
    return file.tokens, marks


def _read_alone(path: Path, kind: type[Noun]) -> tuple[Noun, Marks]:
    """A file that belongs to no pack, and its places. Raises ContentError."""
    problems: list[Problem] = []
    value, marks = source.read_file(path, str(path))
    value_read = _convert(value, kind, marks, problems, [])
    if value_read is None:
        raise ContentError(problems)
    return value_read, marks


def _of(files: Mapping[str, Any], name: str, kind: type[Noun]) -> Noun | None:
    """A file of a pack as its noun; None where the pack has none, or where it could not be read."""
    file = files.get(name)
    return file if isinstance(file, kind) else None


def _names(files: Mapping[str, YamlValue], *keys: str) -> tuple[str, ...]:
    """Return the names that a pack gives to its events, or to its units of time, as far as it can be made out."""
    names = files["system.yaml"].value if "system.yaml" in files else {}
    for key in keys:
        names = names.get(key) if isinstance(names, dict) else {}
    return tuple(map(str, names)) if isinstance(names, dict) else ()


def _with_limits(problems: list[Problem], files: Mapping[str, YamlValue]) -> list[Problem]:
    """The problems with every effect that the kind does not play; what else is wrong at its beginning is left out."""
    kind = _kind(files)
    enders = frozenset(_enders(files))
    by_card = _lasts_by_card(files)
    plays = frozenset(_names(files, "procedure", "plays"))
    limits = {
        (problem.file, problem.line, problem.column): problem
        for each in files.values()
        for problem in (
            each.marks.problem(trail, says)
            for trail, says in _unplayed(each.value, kind, enders, (), by_card=by_card, plays=plays)
        )
    }
    return [each for each in problems if (each.file, each.line, each.column) not in limits] + [*limits.values()]


def _lasts_by_card(files: Mapping[str, YamlValue]) -> bool:
    """Return whether what effects leave lasts by itself, as far as it can be made out."""
    head = files["system.yaml"].value if "system.yaml" in files else {}
    procedure = head.get("procedure") if isinstance(head, dict) else {}
    return isinstance(procedure, dict) and procedure.get("by_card") is True


def _enders(files: Mapping[str, YamlValue]) -> Iterator[str]:
    """The events that a pack names, and what steps and units of time end, as far as it can be made out."""
    waiting: list[Any] = [each.value for each in files.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            events, ends, until = value.get("events"), value.get("ends"), value.get("until")
            yield from map(str, events if isinstance(events, dict) else ())
            yield from map(str, ends if isinstance(ends, list) else ())
            if value.get("do") == "end" and isinstance(until, str | list):
                yield from [until] if isinstance(until, str) else map(str, until)
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _unplayed(
    value: Any, kind: Any, enders: Collection[str], trail: source.Trail, *, by_card: bool, plays: Collection[str]
) -> Iterator[tuple[source.Trail, str]]:
    """Effects in what a file says that the kind of procedure does not play, or whose end it does not know."""
    do = value.get("do") if isinstance(value, dict) else None
    if isinstance(kind, str) and isinstance(do, str):
        if says := UNPLAYED.get((kind, do), "") or (not_played(do, plays) if kind == "steps" else ""):
            yield trail, says
        elif says := missing_end(kind, do, value.get("until"), enders, by_card=by_card):
            yield (*trail, "until"), says
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from _unplayed(item, kind, enders, (*trail, key), by_card=by_card, plays=plays)


def _convert(
    value: Any, kind: type[Noun], marks: Marks, problems: list[Problem], trails: list[source.Trail]
) -> Noun | None:
    """msgspec judges; when it says no, `schema` names everything that is wrong, and `trails` gets the places."""
    try:
        return msgspec.convert(value, kind, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        # Only here, because most runs meet no fault and should start fast.
        from generator.pack import schema

        faults = list(islice(schema.faults(value, kind), source.MAX_PROBLEMS))
        trails += [fault.trail for fault in faults] or [()]
        missing: dict[str, list[Problem]] = {}
        for fault in faults:
            if fault.missing:
                missing.setdefault(fault.message, []).append(marks.problem(fault.trail, fault.message))
        file_problems = [
            marks.problem(fault.trail, fault.message, key=fault.key) for fault in faults if not fault.missing
        ]
        file_problems += [_everywhere(places) for places in missing.values()]
        if len(faults) == source.MAX_PROBLEMS:
            file_problems.append(replace(max(file_problems), message=source.TOO_MANY))
        problems.extend(file_problems or [marks.problem((), str(error))])
        return None


def _everywhere(places: list[Problem]) -> Problem:
    """A fault that stands in several places, told once."""
    first, *others = sorted(places)
    lines = list(dict.fromkeys(str(place.line) for place in others if place.line))
    if not lines:
        return first
    rest = f" and {len(lines) - 8} more" if len(lines) > 8 else ""
    return replace(
        first, message=f"{first.message}; also on line{'s' if lines[1:] else ''} {', '.join(lines[:8])}{rest}"
    )

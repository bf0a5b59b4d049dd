"""From a folder of YAML to a System, or to every problem in it with file, line and column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from generator.base.errors import ContentError, HackjackError, Problem, did_you_mean
from generator.model.procedures import AnyProcedure, Steps
from generator.model.rules import (
    FILE_KINDS,
    MIXED,
    OWN_ENDS,
    OWN_UNITS,
    PANELS,
    UNITS,
    Argument,
    System,
    SystemFile,
    read_custom,
)
from generator.model.side_files import SideFiles, UnreadFiles
from generator.model.themes import PLAIN
from generator.pack import strict_yaml, themes
from generator.pack.inherit import YamlValue
from generator.pack.merge import PackFiles, names_in_head, read_files, shown_path, value_in_head
from generator.pack.pack_locations import base_of, find, installed, shipped
from generator.pack.settings import Setting, chosen_options, with_settings
from generator.pack.strict_yaml import Marks, Trail

if TYPE_CHECKING:
    from generator.model.combatants import Combatant
    from generator.model.printed_files import HandOut

Noun = TypeVar("Noun", bound=msgspec.Struct)
_SIDE_FILES = ("claims.yaml", "tokens.yaml", "page.yaml", f"{MIXED}.yaml", *(f"{name}.yaml" for name in PANELS))
"""The files that no event reads, besides panels of other names: a pack that plays is read without them."""


@dataclass(frozen=True)
class Pack:
    """A system and the places in the files that it was read from, by file name.

    `names` are those that it answers to: its own, and of the packs that it extends, which it takes the place of.
    """

    folder: Path
    system: System
    marks: dict[str, Marks]
    names: tuple[str, ...] = ()


def load_pack(folder: Path, settings: Iterable[Setting] = (), *, to_play: bool = False) -> Pack:
    """Read a pack's files and put the System together. Raises ContentError, or UsageError for a bad setting.

    What is read `to_play` has the files that no event reads left for when they are asked for: only then are their
    problems raised.
    """
    with _readable(folder):
        return _load(folder, settings, to_play)


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """Raise ContentError for a folder that may not be looked into, or that goes away meanwhile."""
    try:
        yield
    except OSError as error:
        where = Path(error.filename) if isinstance(error.filename, str) else folder
        problem = Problem(shown_path(where), 0, 0, f"cannot be read: {error.strerror or error}")
        raise ContentError([problem]) from error


def _load(folder: Path, settings: Iterable[Setting], to_play: bool) -> Pack:
    written, problems = read_files(folder, _SIDE_FILES if to_play else ())
    if written is None:
        raise ContentError(problems)
    nouns = _convert_files(written.files)
    problems += nouns.problems + written.slips
    if problems or "system.yaml" not in nouns.values:
        raise ContentError(problems)
    pack, problems = _assemble(folder, written, nouns)
    if problems:
        raise ContentError(problems)
    return replace(pack, system=with_settings(pack.system, settings))


@dataclass(frozen=True)
class ParsedPack:
    """A pack with all that is wrong with the form of its files.

    `pack` is None if not even stand-ins make a pack of it. `faults` are the places of the problems, by file, and
    `written` is what the files say. `as_written` is the same without any stand-ins. `has_slips`: some rules that are
    text cannot be read, so their names are not known.
    """

    problems: tuple[Problem, ...]
    faults: tuple[tuple[str, Trail], ...]
    pack: Pack | None
    folder: Path
    written: PackFiles
    as_written: Mapping[str, YamlValue]
    has_slips: bool = False

    def without(self, entries: Iterable[tuple[str, Trail]], *, narrowly: bool) -> ParsedPack:
        """Parse the pack again with entries of its files that say nothing."""
        from generator.pack import mending

        for file, entry in entries:
            value = self.written.files[file]
            plain = mending.blanked(value.value, entry, narrowly=narrowly)
            self.written.files[file] = YamlValue(plain, value.marks, value.trail)
        return _parsed(self.folder, self.written, mended=True)


def parse_pack(folder: Path) -> ParsedPack:
    """Read a pack for `check`, with stand-ins for what is wrong in it. Raises ContentError for what cannot be read."""
    with _readable(folder):
        written, problems = read_files(folder)
        if written is None or problems or "system.yaml" not in written.files:
            # What the unread parts define is not known: the other files are judged by their form alone.
            if written is not None:
                problems = [*problems, *_convert_files(written.files).problems, *written.slips]
            raise ContentError(problems)
        return _parsed(folder, written)


def files_as_written(folder: Path) -> Mapping[str, YamlValue]:
    """Return what the files of a pack and those below say, as far as they can be read and joined."""
    with _readable(folder):
        written, _ = read_files(folder)
    return written.files if written else {}


def _parsed(folder: Path, written: PackFiles, *, mended: bool = False) -> ParsedPack:
    """Return a pack with stand-ins, which take the places of what they stand for in `written` too."""
    as_written = dict(written.files)
    nouns = _convert_files(written.files, mend=True)
    problems = [*nouns.problems, *written.slips]
    pack = None
    # Of which kind the procedure is decides what everything else means.
    unknown_kind = any(fault == ("system.yaml", ("procedure",)) for fault in nouns.faults)
    if None not in nouns.values.values() and not unknown_kind:
        pack, house_problems = _assemble(folder, written, nouns)
        problems += house_problems
        pack = replace(pack, system=replace(pack.system, mended=mended or bool(nouns.faults)))
    told = tuple(sorted(set(problems)))
    return ParsedPack(told, tuple(nouns.faults), pack, folder, written, as_written, bool(written.slips))


# --- from plain values to nouns ------------------------------------------------------------------------------------


@dataclass
class _Nouns:
    """The files of a pack as nouns, None for those with faults that were not mended, with their marks and faults."""

    values: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, Marks] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    faults: list[tuple[str, Trail]] = field(default_factory=list)


def _convert_files(files: dict[str, YamlValue], *, mend: bool = False) -> _Nouns:
    """Return the files as nouns. Stand-ins for what is to be mended take its place in `files`, too."""
    own = value_in_head(files, "procedure", "kind") == "steps"
    OWN_ENDS.set(names_in_head(files, "events") if own else None)
    OWN_UNITS.set((*UNITS, *names_in_head(files, "procedure", "units")) if own else UNITS)
    if themes.FILE in files:
        files[themes.FILE] = themes.completed(files[themes.FILE])
    nouns, as_written = _Nouns(), dict(files)
    for name, value in as_written.items():
        kind = FILE_KINDS[name if name in FILE_KINDS else "screen.yaml"]
        nouns.values[name], problems, trails = _convert(value, kind)
        nouns.problems += problems
        nouns.problems += [value.marks.problem(trail, says) for trail, says in value.marks.torn.items()]
        nouns.faults += [(name, trail) for trail in (*trails, *value.marks.torn)]
        if mend and 0 < len(trails) < strict_yaml.MAX_PROBLEMS:
            from generator.pack import mending

            with suppress(msgspec.ValidationError):
                plain, moved = mending.mended(value.value, kind)
                if mending.hollow(plain, value.value):
                    continue
                nouns.values[name] = msgspec.convert(plain, kind, dec_hook=read_custom)
                grafts = {at: (value.marks, there) for at, there in moved.items()}
                files[name] = YamlValue(plain, msgspec.structs.replace(value.marks, grafts=value.marks.grafts | grafts))
    if nouns.problems:
        # Only here, because most runs meet no fault and should start fast.
        from generator.pack.unplayed import with_unplayed_effects

        nouns.problems = with_unplayed_effects(nouns.problems, as_written)
    nouns.marks = {name: value.marks for name, value in files.items()}
    return nouns


def _convert(value: YamlValue, kind: type[Noun]) -> tuple[Noun | None, list[Problem], list[Trail]]:
    """Return a file as a noun, or everything that is wrong with it and where: msgspec judges, `schema` names it."""
    try:
        return msgspec.convert(value.value, kind, dec_hook=read_custom), [], []
    except msgspec.ValidationError as error:
        from generator.pack import schema

        faults = list(islice(schema.faults(value.value, kind), strict_yaml.MAX_PROBLEMS))
        missing: dict[str, list[Problem]] = {}
        for fault in faults:
            if fault.missing:
                missing.setdefault(fault.message, []).append(value.marks.problem(fault.trail, fault.message))
        problems = [
            value.marks.problem(fault.trail, fault.message, key=fault.key) for fault in faults if not fault.missing
        ]
        problems += [_everywhere(places) for places in missing.values()]
        if len(faults) == strict_yaml.MAX_PROBLEMS:
            problems.append(msgspec.structs.replace(max(problems), message=strict_yaml.TOO_MANY))
        problems = problems or [value.marks.problem((), str(error))]
        return None, problems, [fault.trail for fault in faults] or [()]


def _everywhere(places: list[Problem]) -> Problem:
    """Return a fault that stands in several places, told once."""
    first, *others = sorted(places)
    lines = list(dict.fromkeys(str(place.line) for place in others if place.line))
    if not lines:
        return first
    rest = f" and {len(lines) - 8} more" if len(lines) > 8 else ""
    return msgspec.structs.replace(
        first, message=f"{first.message}; also on line{'s' if lines[1:] else ''} {', '.join(lines[:8])}{rest}"
    )


def read_combatants(path: Path) -> tuple[tuple[Combatant, ...], Marks]:
    """Return the combatants of a file outside any pack, as in `combatants.yaml`, and their places.

    Raises ContentError.
    """
    from generator.model.combatants import CombatantsFile

    file, marks = _read_alone(path, CombatantsFile)
    return file.combatants, marks


def read_tokens(path: Path) -> tuple[tuple[HandOut, ...], Marks]:
    """Return the tokens of a file outside any pack, as in `tokens.yaml`, and their places. Raises ContentError."""
    from generator.model.printed_files import TokensFile

    file, marks = _read_alone(path, TokensFile)
    return file.tokens, marks


def _read_alone(path: Path, kind: type[Noun]) -> tuple[Noun, Marks]:
    """Return a file that belongs to no pack, and its places. Raises ContentError."""
    value = YamlValue(*strict_yaml.read_file(path, str(path)))
    noun, problems, _ = _convert(value, kind)
    if noun is None:
        raise ContentError(problems)
    return noun, value.marks


# --- from nouns to a system ----------------------------------------------------------------------------------------


def _assemble(folder: Path, written: PackFiles, nouns: _Nouns) -> tuple[Pack, list[Problem]]:
    """Return the pack that files make, and what it asks for that there is not: house rules and parts of others."""
    files = nouns.values
    head = files["system.yaml"]
    system = System(
        head,
        files.get("deck.yaml"),
        _entries(files, "tables"),
        _unread_files(folder, written) if written.unread else _side_files(files, written),
        combatants=_entries(files, "combatants"),
        folder=written.folders[0],
        below=written.folders[1:],
        decks=_entries(files, "decks"),
        theme=files.get(themes.FILE) or PLAIN,
    )
    values = {name: written.files[name].value for name in _PLAYED if name in written.files}
    played = partial(_played, values, tuple(system.numbers))
    usual = _procedure(written.usual) or head.procedure
    system = replace(system, head=_with_kinds(head), usual=usual, played=played)
    chosen, problems = chosen_options(system, written.choices)
    if not written.unread:
        system, other_problems = _with_others(folder, system, nouns.marks)
        problems += other_problems
    return Pack(folder, with_settings(system, chosen), nouns.marks, (head.id, *written.bases)), problems


def _entries(files: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    """Return the entries of a file that is a list of what it is called after; none where the pack has no such file."""
    file = files.get(f"{name}.yaml")
    return getattr(file, name) if file else ()


def _side_files(files: Mapping[str, Any], written: PackFiles) -> SideFiles:
    """Return the files that no event reads."""
    # Only here, because most commands play or look something up and should start fast.
    from generator.model.page import EMPTY

    return SideFiles(
        claims=_entries(files, "claims"),
        panels=tuple((name, files[f"{name}.yaml"]) for name in _panel_names(files)),
        tokens=_entries(files, "tokens"),
        page=files.get("page.yaml") or EMPTY,
        mixed=files.get(f"{MIXED}.yaml"),
        inherited=written.inherited,
    )


def _unread_files(folder: Path, written: PackFiles) -> UnreadFiles:
    """Return what reads the same once somebody asks for it, and with it the whole pack."""

    def read() -> SideFiles:
        return _apart(lambda: load_pack(folder)).system.side_files.whole

    return UnreadFiles(_panel_names(written.unread), f"{MIXED}.yaml" in written.unread, read)


def _panel_names(files: Collection[str]) -> tuple[str, ...]:
    """Return the products of panels among files of a pack, those that have pages of their own kind first."""
    own = (name.removesuffix(".yaml") for name in files if name not in FILE_KINDS)
    return (*(name for name in PANELS if f"{name}.yaml" in files), *own)


_TAKING: ContextVar[bool] = ContextVar("taking", default=False)
"""Whether the pack that is read is one that another takes something from: what it takes itself is of no use there."""


def _with_others(folder: Path, system: System, marks: Mapping[str, Marks]) -> tuple[System, list[Problem]]:
    """Return a system with those that it takes cards and blocks from, and what is not there.

    A pack that is mended goes without what cannot be had.
    """
    from generator.model.taken import taken_block, takings, without_takings

    others, problems = dict[str, System](), list[Problem]()
    lacking = set[Trail]()
    for file, trail, place, block in () if _TAKING.get() else takings(system):
        name = place.partition("/")[0]
        try:
            if name not in others:
                others[name] = _other(folder, name)
            if block is not None:
                taken_block(block, system.with_side_files(others=others))
        except HackjackError as error:
            lacking.add((file, *trail))
            problems.append(marks[file].problem(trail, str(error)))
    system = system.with_side_files(others=others)
    return without_takings(system, lacking) if lacking else system, problems


def _other(folder: Path, name: str) -> System:
    """Return a system to take from. Raises HackjackError."""
    there = base_of(folder, name)
    if there is None:
        raise HackjackError(f'there is no system "{name}" to take from{did_you_mean(name, (*shipped(), *installed()))}')

    def load_there() -> Pack:
        _TAKING.set(True)
        return load_pack(there)

    try:
        return _apart(load_there).system
    except ContentError as error:
        raise HackjackError(f"{name} has errors of its own: {error.problems[0]}") from error


def _apart(load: Callable[[], Pack]) -> Pack:
    """Load a pack while the ends and units of time that are read at the table stay those of another one."""
    return copy_context().run(load)


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


_PLAYED = ("system.yaml", "deck.yaml", "decks.yaml", "tables.yaml", "combatants.yaml")
"""The files that a table plays by; the others are printed or checked."""
NOT_PLAYED = ("extends", "needs", "title", "version", "about", "source", "art", "cards", "theme")
"""What `system.yaml` says that makes no difference at the table."""


def _played(values: Mapping[str, Any], numbers: Collection[str]) -> bytes:
    """Return what files of a pack and those below it say of play, as JSON: the same for the same YAML in every version.

    Without rulings and numbers: each campaign keeps its own.
    """
    head = {key: value for key, value in values["system.yaml"].items() if key not in NOT_PLAYED}
    procedure = {key: value for key, value in head["procedure"].items() if key not in (*numbers, "constants")}
    return msgspec.json.encode(_without_emblems({**values, "system.yaml": head | {"procedure": procedure}}))


def _without_emblems(value: Any) -> Any:
    """A value of YAML without the emblems of cards, conditions and parts: they are only looked at."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key != "emblem" or not isinstance(item, str)}
        return {key: _without_emblems(item) for key, item in kept.items()}
    return [_without_emblems(item) for item in value] if isinstance(value, list) else value


def _procedure(value: Any) -> AnyProcedure | None:
    """A procedure as it was read; None where it is none, which is told where the file is judged."""
    try:
        procedure: AnyProcedure = msgspec.convert(value, AnyProcedure, dec_hook=read_custom)
    except msgspec.ValidationError:
        return None
    return procedure


def kind_of(name: str) -> str:
    """Return the kind of procedure of a system that ships; of its files only `system.yaml` is read."""
    head, _ = strict_yaml.read_file(find(name) / "system.yaml", f"{name}/system.yaml")
    return str(head["procedure"]["kind"])

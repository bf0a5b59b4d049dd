"""The files of a pack as they are written, joined to those of the packs that it extends."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator import __version__
from generator.base import archives
from generator.base.errors import ContentError, HackjackError, Problem, did_you_mean
from generator.base.files import is_litter, limited_text, portable_path
from generator.language import places
from generator.language.names import names_of
from generator.model.rules import FILE_KINDS, PANELS_ENDING, TAKEN, VERSION, System
from generator.pack import inherit, strict_yaml, themes
from generator.pack.inherit import YamlValue
from generator.pack.pack_locations import base_of, files_beside, files_of, installed, is_name, shipped
from generator.pack.strict_yaml import Marks

MAX_BASES = 8
"""The most packs that may stand on top of each other."""

MAX_FILES = 500
"""The most files and folders that may lie beside each other in a pack."""


class PackFiles(Struct):
    """What the files of a pack say, joined to those of the pack that it extends.

    `bases` are the names of the packs that it stands on, the nearest first; `folders` hold its own files, then theirs;
    `unread` are the names of files that are there and were not asked for; `choices` are the switches that it sets, by
    their names or their rulings' numbers; `inherited` the claims that are not its own.
    `usual` is the procedure of the lowest of them, as it was read; `slips` are what is wrong in rules that are text.
    """

    files: dict[str, YamlValue] = {}
    bases: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()
    choices: dict[str, YamlValue] = {}
    inherited: frozenset[str] = frozenset()
    usual: Any = None
    slips: list[Problem] = []


def read_files(
    folder: Path, skipped: Collection[str] = (), way: tuple[Path, ...] = ()
) -> tuple[PackFiles | None, list[Problem]]:
    """Return a pack's files joined to those below them, as values, and every problem of form.

    Files of which all that counts is that they are there are `skipped`; `way` are the packs on top of this one. There
    are no files where those below cannot be had: what stands on them cannot be judged.
    """
    try:
        inner = archives.folder_of(folder)
    except HackjackError as error:
        return None, [Problem(shown_path(folder), 0, 0, str(error).removeprefix(f"{folder.absolute()}: "))]
    if not inner.is_dir():
        return None, [Problem(str(folder), 0, 0, "folder not found. Name one that holds a system.yaml")]
    own, problems = _own_files(inner, skipped)
    head = own.files.get("system.yaml")
    if head is None and problems:
        # Whether the other files stand on those of another pack is not known.
        return None, problems
    if head is None or not isinstance(head.value, dict):
        return _with_texts(own, None), problems
    if too_new := _too_new(head):
        # Whatever else is found in it is what this version does not know.
        return None, [too_new]
    own.choices = _take_choices(head)
    problems += _take_theme(own.files, head)
    own.usual = head.value.get("procedure")
    if "extends" not in head.value:
        return _with_texts(own, None), problems
    below = _base_folder(folder, head, way)
    if isinstance(below, Problem):
        return None, [*problems, below]
    base, base_problems = read_files(below, skipped, (*way, folder))
    _with_texts(own, base)
    for value in (*own.files.values(), *(base.files.values() if base else ())):
        # Files that are joined have marks of their own.
        problems += [value.marks.problem(trail, says) for trail, says in value.marks.torn.items()]
    if base is None or base_problems:
        return None, [*problems, *base_problems]
    joined, join_problems = _joined(base, own, str(head.value["extends"]))
    return joined, problems + join_problems


def _own_files(folder: Path, skipped: Collection[str]) -> tuple[PackFiles, list[Problem]]:
    """Return the files of a folder alone, and those that cannot be read."""
    own, problems = PackFiles(folders=(folder,)), list(_unknown_files(folder))
    named = {name: name for name in FILE_KINDS}
    for path in sorted(folder.glob(f"[!.]*{PANELS_ENDING}")):
        product = path.name.removesuffix(PANELS_ENDING)
        if product in TAKEN or f"{product}.yaml" in FILE_KINDS or not is_name(product):
            problems.append(Problem(shown_path(path), 0, 0, "no product can have that name: choose another one"))
        else:
            named[f"{product}.yaml"] = path.name
    unread = {name for name in named if skipped and (name in skipped or name not in FILE_KINDS)}
    for name in (name for name in named if name not in unread):
        value, faults = _file(folder, named[name])
        problems += faults
        if value is not None:
            own.files[name] = value
            problems += _with_spreadsheets(value, folder) if name in ("deck.yaml", "decks.yaml") else ()
            _use_portable_paths(value.value)
    own.unread = tuple(name for name in named if name in unread and os.path.lexists(folder / named[name]))
    return own, problems


def _file(folder: Path, name: str) -> tuple[YamlValue | None, Sequence[Problem]]:
    """Return what one file says, and why it cannot be read."""
    path, label = folder / name, shown_path(folder / name)
    fault = ""
    if not os.path.lexists(path):
        if name != "system.yaml":
            return None, ()
        fault = "the file is missing: every pack has a system.yaml"
    elif _leads_out(path, folder):
        fault = "the file is outside the pack: put the file itself here, not a link"
    elif not path.is_file() and not path.is_dir():
        fault = "this is not a regular file: only those are read"
    if fault:
        return None, [Problem(label, 0, 0, fault)]
    try:
        return YamlValue(*strict_yaml.read_file(path, label, lenient=True)), ()
    except ContentError as error:
        return None, error.problems


def _leads_out(path: Path, folder: Path) -> bool:
    """Return whether a link leads out of a folder, or to itself."""
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return True


def _with_spreadsheets(file: YamlValue, folder: Path) -> Iterator[Problem]:
    """Put the rows of spreadsheets behind the cards of the decks that name them. Yield what cannot be read."""
    decks = file.value.get("decks") if isinstance(file.value, dict) else None
    for deck in file.at("decks").entries() if isinstance(decks, list) else [file]:
        if isinstance(deck.value, dict) and isinstance(deck.value.get("csv"), str):
            # Only here, because few decks name one.
            from generator.pack import csv_cards

            yield from csv_cards.fill_deck(deck, folder)


def _unknown_files(folder: Path) -> Iterator[Problem]:
    """Yield YAML files that nothing reads, because their names are not quite right; and more files than packs have."""
    paths = list(islice(folder.iterdir(), MAX_FILES + 1))
    if len(paths) > MAX_FILES:
        message = f"more than {MAX_FILES:,} files are here: name a folder that holds a pack"
        yield Problem(shown_path(folder), 0, 0, message)
        return
    for path in sorted(path for path in paths if path.suffix in (".yaml", ".yml")):
        is_panels = path.name.endswith(PANELS_ENDING) and path.name[0] != "."
        if not (path.name in FILE_KINDS or is_panels or is_litter(path.name)):
            yield Problem(shown_path(path), 0, 0, f"nothing reads this file{did_you_mean(path.name, FILE_KINDS)}")


_PATHS = ("art", "back", "csv", "emblem", "emblems")


def _use_portable_paths(value: Any, is_path: bool = False) -> None:
    """Write the paths of pictures and spreadsheets in a value as they are written everywhere, in place."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in [*entries]:
        if isinstance(inner, dict | list):
            _use_portable_paths(inner, is_path or key in _PATHS)
        elif isinstance(inner, str) and (is_path or key in _PATHS):
            value[key] = portable_path(inner)


def _with_texts(own: PackFiles, base: PackFiles | None) -> PackFiles:
    """Read the rules of a pack that are text, in place. Add to its slips what is wrong in them."""
    head = base.files.get("system.yaml") if base else None
    events = head.value.get("events") if head is not None and isinstance(head.value, dict) else None
    mine = own.files.get("system.yaml")
    known = names_of(*(each.value for each in (head, mine) if each is not None))
    for name, file in own.files.items():
        slips = places.read_texts(name, file.value, file.marks, events if isinstance(events, dict) else {}, known)
        own.slips += [Problem(file.marks.file, *slip) for slip in slips]
    return own


def _too_new(head: YamlValue) -> Problem | None:
    """Return the problem if the pack needs a newer version."""
    needs = head.value.get("needs")
    if not isinstance(needs, str) or not re.fullmatch(VERSION, needs) or _numbers(needs) <= _numbers(__version__):
        return None
    return head.problem(f"this pack needs Hackjack {needs} or later, and this is {__version__}: update it", "needs")


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version to be compared: 0.2 and 0.2.0 are the same."""
    first, second, *third = map(int, version.split("."))
    return (first, second, *(third or [0]))


def _take_choices(head: YamlValue) -> dict[str, YamlValue]:
    """Take out the house rules that `rulings` chooses where it has keys and values; its rulings become a list.

    `rulings: {massive_damage: from_13}` chooses; a key with keys and values below it is a ruling by its number.
    """
    rulings = head.value.get("rulings")
    if not isinstance(rulings, dict):
        return {}
    written = head.at("rulings")
    chosen = {name: written.at(name) for name, value in rulings.items() if not isinstance(value, dict)}
    entries = [(name, value) for name, value in rulings.items() if isinstance(value, dict)]
    head.value["rulings"] = [{"id": name, **value} for name, value in entries]
    for place, (name, _) in enumerate(entries):
        head.marks.grafts[("rulings", place)] = (replace(head.marks, grafts={}), ("rulings", name))
    if not entries:
        del head.value["rulings"]
    return chosen


def _take_theme(files: dict[str, YamlValue], head: YamlValue) -> Iterator[Problem]:
    """Turn the theme that `system.yaml` names into a `theme.yaml` that is like it and says nothing more."""
    if "theme" not in head.value:
        return
    written = head.at("theme")
    del head.value["theme"]
    if themes.FILE in files:
        yield written.problem(f"{themes.FILE} says how this looks: write like there, and take theme out here")
        return
    there = (replace(head.marks, grafts={}), ("theme",))
    marks = Marks(head.marks.file, grafts={("id",): there, ("like",): there})
    files[themes.FILE] = YamlValue({"id": written.value, "like": written.value}, marks)


# --- the packs below -------------------------------------------------------------------------------------------------


def _joined(base: PackFiles, own: PackFiles, name: str) -> tuple[PackFiles, list[Problem]]:
    """Return a pack on top of the one that it extends, which is called `name`, and what cannot be joined."""
    joined = PackFiles(
        files=base.files | own.files,
        bases=(name, *base.bases),
        folders=(*own.folders, *base.folders),
        unread=tuple(dict.fromkeys((*base.unread, *own.unread))),
        choices=base.choices | own.choices,
        usual=base.usual,
        slips=base.slips + own.slips,
    )
    problems: list[Problem] = []
    for file in base.files.keys() & own.files.keys():
        joined.files[file], file_problems = inherit.extended(file, base.files[file], own.files[file])
        problems += file_problems
    if "claims.yaml" in base.files:
        mine = own.files.get("claims.yaml")
        joined.inherited = frozenset(inherit.names(base.files["claims.yaml"], "id"))
        joined.inherited -= frozenset(inherit.names(mine, "id") if mine else ())
    return joined, problems


def _base_folder(folder: Path, head: YamlValue, way: tuple[Path, ...]) -> Path | Problem:
    """Return the folder of the pack that a pack extends, or why it can extend none."""
    name = head.value["extends"]
    if not isinstance(name, str) or not is_name(name):
        message = "a pack extends one other: write the name of a system, such as extends: hackjack"
        return head.problem(message, "extends")
    below = base_of(folder, name)
    if below is None:
        message = f'there is no system "{name}" to extend{did_you_mean(name, (*shipped(), *installed()))}'
        return head.problem(message, "extends")
    passed = [path.resolve() for path in (*way, folder)]
    if below.resolve() in passed:
        names = " -> ".join(path.name for path in (*passed[passed.index(below.resolve()) :], below.resolve()))
        return head.problem(f"these packs extend each other in a circle: {names}", "extends")
    if len(passed) >= MAX_BASES:
        return head.problem(f"this is the pack below {MAX_BASES - 1} others: build on one that needs fewer", "extends")
    return below


def watched_paths(beside: Sequence[Path], system: System | None = None) -> tuple[Path, ...]:
    """Return every file of packs and their folders, whose stamps change when a file comes or goes."""
    below_them = system.below if system else [path for folder in beside for path in base_folders(folder)]
    taken_from = system.others.values() if system else ()
    others = (path for each in taken_from for path in (each.folder, *each.below) if path)
    folders = dict.fromkeys((*beside, *below_them, *others))
    tables = [path for folder in beside for path in islice(folder.glob("*.[cC][sS][vV]"), MAX_FILES)]
    return (*beside, *files_of(folders), *tables, *(files_beside(system) if system else ()))


def base_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of the packs that a pack stands on, the nearest first, as far as they can be made out."""
    folders: list[Path] = []
    while len(folders) < MAX_BASES:
        try:
            name = _extended(limited_text(archives.folder_of(folder) / "system.yaml", "system.yaml", larger="split it"))
        except (HackjackError, OSError):
            break
        lower = base_of(folder, name) if isinstance(name, str) else None
        if lower is None or lower in folders:
            break
        folders.append(lower)
        folder = lower
    return tuple(folders)


@lru_cache(maxsize=64)
def _extended(text: str) -> Any:
    """Return what a `system.yaml` extends. It is asked again and again while a pack is written."""
    head, _ = strict_yaml.read_text(text, "system.yaml")
    return head.get("extends") if isinstance(head, dict) else None


def value_in_head(files: Mapping[str, YamlValue], *keys: str) -> Any:
    """Return what `system.yaml` says behind keys within keys, as far as it can be made out."""
    value = files["system.yaml"].value if "system.yaml" in files else None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def names_in_head(files: Mapping[str, YamlValue], *keys: str) -> tuple[str, ...]:
    """Return the names that `system.yaml` gives behind keys: to its events, or to its units of time."""
    names = value_in_head(files, *keys)
    return tuple(map(str, names)) if isinstance(names, dict) else ()


def shown_path(path: Path) -> str:
    """Return the path as a person sees it: relative to where they are, if it lies below."""
    try:
        return str(archives.as_named(path.resolve()).relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):
        return str(archives.as_named(path))

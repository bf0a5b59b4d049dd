"""Writing in a pack of one's own: what is typed goes into its YAML at its place, with undo and a copy a day.

Only packs in the packs folder are written, by their names, and nothing else of them than rows, cards and pictures.
"""

import datetime
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes, limited_text, save_file
from generator.pack import csv_cards, founding, pack_locations, scaffold
from generator.pack.load import load_pack
from generator.pack.pack_locations import packs_folder, user_folder
from generator.pack.strict_yaml import read_text
from generator.studio import decks, events, grid
from generator.studio.book import MAX_FILE, Book
from generator.studio.changes import changed_files
from generator.studio.effect_forms import forms
from generator.studio.rolling import roll
from generator.studio.row_changes import ADOPTED, line_at
from generator.studio.wishes import EffectsAsked, NewPack, PackChange, PartAsked

MAX_UNDONE = 100
"""Changes of a pack that can be undone."""
MAX_COPIES = 14
"""Days of which there are copies."""
MAX_READINGS = 5
"""Readings of a pack whose files change while they are read."""


class _Before(Struct, frozen=True):
    """What files said before a change (None if they were not there), and what stands for the pack after it."""

    files: dict[str, bytes | None]
    after: str


class Writing:
    """What is asked about writing. One process does it, one call after the other."""

    def __init__(self) -> None:
        self._undone: dict[str, list[_Before]] = {}
        self._known: dict[str, Book] = {}
        self._told: set[str] = set()
        """The packs of which it was said that what is touched is copied into them."""

    def book(self, name: str) -> Book:
        """Return a pack, as it was read before if its files say the same. Raises UsageError."""
        known = self._known.get(name)
        for _ in range(MAX_READINGS):
            book = Book(name)
            if known is not None and known.seen == book.seen:
                break
            # Its files are stamped before they are read, and again after that.
            known = book
            _ = known.parts
        else:
            raise UsageError(f"The files of {name} change while they are read. Try again.")
        self._known[name] = known
        events.know_ends(known.system)
        return known

    def grid(self, pack: str, part: str, notes: Sequence[str] = ()) -> dict[str, Any]:
        """Tell of a pack what can be written in it, and of one of its tables or decks every row."""
        return self._grid(self.book(pack), part, notes)

    def _grid(self, book: Book, part: str, notes: Sequence[str] = ()) -> dict[str, Any]:
        pack, system, parts = book.name, book.system, book.parts
        # A file that cannot be read for a moment leads to no other table.
        chosen = parts.get(part) or (None if part and book.problems else next(iter(parts.values()), None))
        told: dict[str, Any] = {
            "pack": pack,
            "part": chosen.id if chosen else part,
            "title": system.head.title if system else pack,
            "folder": str(book.folder),
            "seen": book.seen,
            "undo": bool(self._undone.get(pack)) and self._undone[pack][-1].after == book.seen,
            "notes": list(notes),
            "parts": [{"id": each.id, "title": each.title, "rows": len(each.lines())} for each in parts.values()],
            "others": [str(problem) for problem in book.problems],
            "sound": not book.problems,
        }
        if chosen is None:
            return told
        beside, others = grid.faults(chosen, book.problems)
        table = system.table(chosen.name) if system and chosen.key == "rows" else None
        chances = grid.chances(table)
        lines, columns = chosen.lines(), chosen.columns()
        if chosen.key == "events":
            # Of these a page shows the text and no cells.
            lines = [line._replace(value=events.shown(line)) for line in lines]
        return told | {
            "holds": chosen.key,
            "csv": chosen.written.value.get("csv", "") if chosen.key == "cards" else "",
            "back": decks.back_row(chosen, book.head) if chosen.key == "cards" else None,
            "columns": columns,
            "faults": beside,
            "others": others,
            "rows": [
                {
                    "value": line.value,
                    "says": grid.said(columns, line, system),
                    "from": "" if line.lies_in(book.folder / chosen.file) else line.origin,
                    "chance": chances[at] if len(chances) == len(lines) else "",
                }
                for at, line in enumerate(lines)
            ],
        }

    def draft(self, change: PackChange) -> dict[str, Any]:
        """Return what is wrong with an event as it is typed, and what is printed of it. Raises UsageError."""
        book, wanted = self.book(change.pack), change.change
        part = book.part("events")
        line = line_at(part, wanted.row)
        return events.draft(line.value["id"], wanted.text, part, book.system, book.names)

    def columns(self, change: PackChange) -> dict[str, Any]:
        """Return what the columns of a spreadsheet are taken for, and may be. Raises ContentError, UsageError."""
        deck = self.book(change.pack).part(change.part).written.value
        columns, choices = csv_cards.csv_columns(change.change.text, deck, "your spreadsheet")
        return {"columns": [each._asdict() for each in columns], "choices": choices}

    def effects(self, pack: str) -> bytes:
        """Return the forms of the effects of a pack as JSON. Raises UsageError."""
        system = self.book(pack).system
        if system is None:
            raise UsageError("Fix the errors of this pack first: then its effects have names.")
        return msgspec.json.encode(forms(system))

    def words(self, asked: EffectsAsked) -> list[str]:
        """Return what each effect says, or what is wrong with it. Raises UsageError."""
        system = self.book(asked.pack).system if asked.effects else None
        return [grid.sentence(each, system) for each in asked.effects]

    def write(self, change: PackChange) -> dict[str, Any]:
        """Make a change and return the grid as it is then. Raises HackjackError."""
        book = self.book(change.pack)
        if change.seen != book.seen:
            raise UsageError("This pack was changed elsewhere in the meantime. Here is how it is now: change it again.")
        if change.change.do == "undo":
            self._undo(book)
            return self.grid(change.pack, change.part)
        notes: list[str] = []
        try:
            files = dict(changed_files(book, change, notes))
        except RecursionError as error:
            raise UsageError("These effects are nested too deeply.") from error
        if ADOPTED in notes and book.name in self._told:
            notes.remove(ADOPTED)
        elif ADOPTED in notes:
            self._told.add(book.name)
        now = self.save(book, files)
        new = [part for part in now.parts if part not in book.parts]
        return self._grid(now, new[0] if new else change.part if change.part in now.parts else "", notes)

    def picture(self, change: PackChange, path: str) -> dict[str, Any]:
        """Put a picture that was read and written again into the pack, and its name into a cell."""
        book = self.book(change.pack)
        part = book.part(change.part)
        if len(change.change.cells) != 1 or change.seen != book.seen:
            raise UsageError("This pack was changed elsewhere in the meantime. Choose the picture again.")
        (cell,) = change.change.cells
        own = cell.path == (decks.BACK, "art") and part.key == "cards"
        if not own and not any(column.path == cell.path and column.kind == "picture" for column in part.columns()):
            raise UsageError("No picture belongs there.")
        data = first_bytes(Path(path), "the picture", 100 * MAX_FILE)
        kind = "jpg" if data.startswith(b"\xff\xd8") else "png"
        stem = re.sub(r"[^a-z0-9]+", "-", part.id.lower()).strip("-")
        name = f"art/{stem}-{blake2b(data, digest_size=5).hexdigest()}.{kind}"
        named = replace(change.change, do="cells", cells=(replace(cell, value=name),))
        files = dict(changed_files(book, replace(change, change=named), []))
        return self._grid(self.save(book, files | {name: data}), change.part)

    def begin(self, begins: NewPack) -> dict[str, Any]:
        """Make a new pack, and return its name. Raises HackjackError."""
        name = founding.pack_name(begins.pack)
        if begins.base:
            files = scaffold.taking(name, load_pack(pack_locations.find(begins.base)), {})
        else:
            files = scaffold.blank(name)
        founding.place(name.id, files)
        return {"pack": name.id, "title": name.title}

    def put(self, pack: str, files: Mapping[str, bytes]) -> str:
        """Write whole files into a pack, which can be undone as what is typed, and return its title.

        Raises HackjackError.
        """
        system = self.save(self.book(pack), files).system
        return system.head.title if system else pack

    def remove(self, asked: PartAsked) -> dict[str, str]:
        """Move a pack out of the packs folder, and return where it is kept. Raises HackjackError, OSError."""
        name, folder = asked.pack, packs_folder()
        if name not in pack_locations.installed():
            raise UsageError(f'There is no pack "{name[:60]}" on your shelf.')
        path = pack_locations.find(name)
        if path.is_symlink() or path.absolute().parent != folder.absolute():
            raise UsageError(f"{name} lies in {path.parent}. Delete it there.")
        users = [other for other in pack_locations.installed() if other != name and _extends(other) == name]
        if users:
            raise UsageError(f"{', '.join(users[:5])} builds on {name}. Delete that first.")
        kept = user_folder() / "copies" / name / f"{datetime.datetime.now().astimezone():%Y-%m-%d %H.%M.%S} deleted"
        kept.parent.mkdir(parents=True, exist_ok=True)
        path.rename(kept.with_suffix(path.suffix) if path.is_file() else kept)
        self._undone.pop(name, None)
        return {"kept": str(kept)}

    def roll(self, asked: PartAsked) -> dict[str, Any]:
        """Roll on a table, or draw a card, and return the row and what it says. Raises UsageError."""
        return roll(self.book(asked.pack), asked.part)

    # --- files ------------------------------------------------------------------------------------------------------

    def save(self, book: Book, files: Mapping[str, bytes | None]) -> Book:
        """Write files whole, after a copy of the pack if this is its first change of a day, and return how it is then.

        A file of which nothing is left (None) is removed.

        Raises DiskError.
        """
        _copy(book)
        before: dict[str, bytes | None] = {}
        try:
            for file, data in files.items():
                path = book.folder / file
                if not path.parent.resolve().is_relative_to(book.folder.resolve()):
                    raise UsageError(f"{file} is outside the pack: put the folder itself there, not a link to one.")
                old = first_bytes(path, file, 100 * MAX_FILE) if path.is_file() else None
                _put_back(book.folder, {file: data})
                before[file] = old
        except HackjackError:
            _put_back(book.folder, before)
            raise
        now, undone = self.book(book.name), self._undone.setdefault(book.name, [])
        undone.append(_Before(before, now.seen))
        del undone[:-MAX_UNDONE]
        return now

    def _undo(self, book: Book) -> None:
        undone = self._undone.get(book.name, [])
        if not undone or undone[-1].after != book.seen:
            raise UsageError("There is nothing to undo: the pack was changed elsewhere, or not at all.")
        _put_back(book.folder, undone[-1].files)
        undone.pop()


def _put_back(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Give files what they said before, and remove those that were not there. Raises DiskError."""
    for file, data in files.items():
        if data is not None:
            save_file(data, folder / file)
        else:
            with suppress(OSError):
                (folder / file).unlink()


def _copy(book: Book) -> None:
    """Copy what a pack says before its first change of a day. Raises HackjackError."""
    copies = user_folder() / "copies" / book.name
    today = copies / datetime.datetime.now().astimezone().date().isoformat()
    if not today.exists():
        own = [path for path in book.paths if path.parent == book.folder]
        founding.write_pack(today, {path.name: first_bytes(path, path.name, MAX_FILE) for path in own})
        for old in sorted(copies.iterdir())[:-MAX_COPIES]:
            shutil.rmtree(old, ignore_errors=True)


def _extends(pack: str) -> str:
    """Return the system that a pack of the user's changes; empty if it cannot be read."""
    with suppress(HackjackError, OSError):
        head = read_text(limited_text(pack_locations.find(pack) / "system.yaml", pack, larger=""), pack)[0]
        return str(head.get("extends", "")) if isinstance(head, dict) else ""
    return ""

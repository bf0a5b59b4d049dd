"""Writing in a pack of one's own: what is typed goes into its YAML at its place, with undo and a copy a day.

Only packs in the packs folder are written, by their names, and nothing else of them than rows, cards and pictures.
"""

import datetime
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import ContentError, DiskError, HackjackError, Problem, UsageError, unforeseen
from generator.base.files import first_bytes, limited_text, save_file
from generator.base.text_input import id_from, plain_text
from generator.language.names import Names, names_of
from generator.language.splice import with_steps, with_texts
from generator.language.writer import UnwritableError
from generator.model.procedures import Steps
from generator.model.rules import System, Table
from generator.pack import csv_cards, founding, pack_locations, scaffold
from generator.pack.load import ParsedPack, files_as_written, load_pack, parse_pack
from generator.pack.merge import watched_paths
from generator.pack.pack_locations import find, packs_folder, systems_folder, user_folder
from generator.pack.splicing import Add, Cut, Edit, Move, Put, block, edited, spliced
from generator.pack.strict_yaml import UNSEEN, Trail, read_text
from generator.play.chance import RollNeed, Seeded
from generator.products import looking_over, panels_file
from generator.prose import post
from generator.prose.post import MAX_POST
from generator.studio import decks, events, grid
from generator.studio.effect_forms import forms
from generator.studio.grid import GridLine, GridPart
from generator.studio.wishes import EffectsAsked, PartAsked, Word
from generator.words.rolled_text import rolled_text
from generator.words.table_text import cell_text, full_cell, named_text, row_text
from generator.words.wording import fill_placeholders

MAX_UNDONE = 100
"""So many changes of a pack can be undone."""
MAX_COPIES = 14
"""Of so many days there are copies."""
MAX_FILE = 1_000_000
MAX_PASTED = MAX_POST
_ADOPTED = "What you change is copied into your pack first, and the original stays. Remove the copy to get it back."


class CellChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A cell and what it becomes: what somebody typed, or a list of effects."""

    path: Annotated[tuple[Word, ...], Meta(max_length=4)]
    value: str | list[dict[str, Any]]
    row: int = 0


class GridChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done: cells of rows that are there, a new row before the one at `row`, a row less or elsewhere, pasted
    tables, a spreadsheet of cards for a deck in place of the one that it may have, a deck more, an event that
    is new or says something else, another title of a table, a deck or the pack, a table or a deck less, or the
    last undone.
    """

    do: Literal["cells", "add", "drop", "move", "paste", "csv", "deck", "event", "title", "pack", "remove", "undo"]
    cells: Annotated[tuple[CellChange, ...], Meta(max_length=2000)] = ()
    row: int = -1
    to: int = -1
    text: Annotated[str, Meta(max_length=MAX_PASTED)] = ""


class PackChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A change to a pack, as somebody saw it: `seen` stands for what its files said."""

    pack: Word
    part: Word
    seen: Word
    change: GridChange


class NewPack(Struct, frozen=True, forbid_unknown_fields=True):
    """A new pack: that changes the system `base`, or blank."""

    pack: Word
    base: Word = ""


class Book:
    """A pack in the packs folder, or the one that the studio was opened with, as its files say it now.

    Raises UsageError for any other.
    """

    def __init__(self, name: str) -> None:
        if name in pack_locations.shipped():
            raise UsageError(f"{name} ships with Hackjack and stays as it is. Start a pack of your own from it.")
        if name not in pack_locations.installed():
            raise UsageError(f'There is no pack "{name[:60]}" on your shelf.')
        self.name, self.folder = name, pack_locations.find(name)
        if not self.folder.is_dir():
            raise UsageError(f"{name} is an archive. Unpack it into a folder of that name to change it.")
        real = self.folder.resolve()
        named = self.folder == pack_locations.beside()
        if real.is_relative_to(systems_folder().resolve()) or not (
            named or real.is_relative_to(packs_folder().resolve())
        ):
            raise UsageError(f"{name} is a link to another folder. Change it there.")
        self.paths = [path for path in watched_paths((self.folder,)) if path.is_file()]
        whole = blake2b(digest_size=12)
        for path in self.paths:
            whole.update(f"{path}\0".encode() + first_bytes(path, path.name, MAX_FILE) + b"\0")
        self.seen = whole.hexdigest()

    @cached_property
    def judged(self) -> ParsedPack | None:
        """Its files, with stand-ins for what is wrong in them; None if they are no YAML."""
        try:
            return parse_pack(self.folder)
        except ContentError as error:
            self._unread = error.problems
        except Exception as error:
            # It stays open to whoever mends it.
            self._unread = (Problem(self.name, 0, 0, unforeseen(error)),)
        return None

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Every error of form and meaning."""
        try:
            return tuple(sorted(looking_over.judged_faults(self.judged)[0] if self.judged else self._unread))
        except Exception as error:
            # A judge that fails tells its own fault: the pack stays open to whoever mends it.
            return (Problem(self.name, 0, 0, unforeseen(error)),)

    @property
    def system(self) -> System | None:
        """Its system, with stand-ins for what is wrong; None if there is none."""
        return self.judged.pack.system if self.judged and self.judged.pack else None

    @cached_property
    def parts(self) -> dict[str, GridPart]:
        """Its tables and decks by their ids."""
        return grid.parts(self.judged.as_written if self.judged else files_as_written(self.folder))

    def part(self, name: str) -> GridPart:
        """Return a table or a deck. Raises UsageError."""
        if name not in self.parts:
            raise UsageError(f'{self.name} has no "{name[:60]}" any more. Look at it again.')
        return self.parts[name]

    def text(self, file: str) -> str | None:
        """Return what a file of its own says, with its line endings; None if there is none. Raises ContentError."""
        path = self.folder / file
        return limited_text(path, file, larger="split it") if path.is_file() else None

    def own_list(self, part: GridPart) -> tuple[Trail, bool]:
        """Return where its own file has the rows of a part, or will have them, and whether it has the part yet."""
        text = self.text(part.file)
        value = read_text(text, part.file)[0] if text is not None else None
        if part.file == "deck.yaml":
            return (part.key,), isinstance(value, dict)
        outer = part.id.partition("/")[0]
        entries = value.get(outer) if isinstance(value, dict) else None
        entries = entries if isinstance(entries, list) else []
        ids = [entry.get("id") if isinstance(entry, dict) else None for entry in entries]
        at = ids.index(part.name) if part.name in ids else len(ids)
        return (outer, at, part.key), part.name in ids


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
        book = Book(name)
        known = self._known.get(name)
        if known is None or known.seen != book.seen:
            known = self._known[name] = book
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
            "back": decks.back_row(chosen, _head(book)) if chosen.key == "cards" else None,
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
        line = _line(part, wanted.row)
        return events.draft(line.value["id"], wanted.text, part, book.system, _known_names(book))

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
        return [grid.sentence(each, self.book(asked.pack).system) for each in asked.effects]

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
            files = dict(_changed(book, change, notes))
        except RecursionError as error:
            raise UsageError("These effects are nested too deeply.") from error
        if _ADOPTED in notes and book.name in self._told:
            notes.remove(_ADOPTED)
        elif _ADOPTED in notes:
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
        files = dict(_changed(book, replace(change, change=named), []))
        return self._grid(self.save(book, files | {name: data}), change.part)

    def begin(self, begins: NewPack) -> dict[str, Any]:
        """Make a new pack, and return its name. Raises HackjackError."""
        name = founding.pack_name(begins.pack)
        if begins.base:
            if begins.base not in (*pack_locations.shipped(), *pack_locations.installed()):
                pack_locations.find(begins.base)
            files = scaffold.taking(name, load_pack(find(begins.base)), {})
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
        """Move a pack out of the packs folder, and return where it is kept. Raises HackjackError."""
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
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            path.rename(kept.with_suffix(path.suffix) if path.is_file() else kept)
        except OSError as error:
            raise DiskError(f"{path}: cannot be moved: {error.strerror or error}") from error
        self._undone.pop(name, None)
        return {"kept": str(kept)}

    def roll(self, asked: PartAsked) -> dict[str, Any]:
        """Roll on a table, or draw a card, and return the row and what it says. Raises UsageError."""
        book = self.book(asked.pack)
        part, system = book.part(asked.part), book.system
        if system is None or book.problems:
            raise UsageError("Fix the errors first: then it can be rolled.")
        luck = Seeded(secrets.randbits(48))

        def total(dice: Dice) -> int:
            return sum(luck.roll(RollNeed(dice, "the table"))) + dice.plus

        if part.key in ("conditions", "events"):
            raise UsageError("Choose a table or a deck to roll on.")
        table = system.table(part.name) if part.key == "rows" else None
        if table is None:
            codes = [(at, value.get("code")) for at, value in enumerate(line.value for line in part.lines())]
            deck = system.piles[part.name or "deck"]
            copies = {card.code: card.copies for card in deck.cards}
            pile = [at for at, code in codes for _ in range(copies.get(str(code), 0))]
            if not pile:
                raise UsageError("This deck has no cards yet.")
            at = pile[total(Dice(1, len(pile))) - 1]
            return {"row": at, "shows": "A card is drawn", "says": rolled_text(deck.cards[at].effects, system, total)}
        return _rolled(table, system, total)

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


# --- changes as edits ------------------------------------------------------------------------------------------------


def _changed(book: Book, change: PackChange, notes: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the files that a change writes, with what they say then. Raises HackjackError."""
    wanted = change.change
    match wanted.do:
        case "paste":
            yield from _pasted(book, wanted.text, notes)
        case "csv":
            yield from _joined(book, book.part(change.part), wanted)
        case "deck":
            yield _with_deck(book, _title(wanted.text))
        case "event":
            yield _with_event(book, book.part("events"), wanted, notes)
        case "pack":
            yield _spliced(book, "system.yaml", [Put(("title",), _title(wanted.text))])
        case "title":
            part = book.part(change.part)
            yield _spliced(book, part.file, [Put((*_own_entry(book, part), "title"), _title(wanted.text))])
        case "remove":
            yield from _removed(book, book.part(change.part))
        case "cells" if wanted.cells and wanted.cells[0].path[:1] == (decks.BACK,):
            yield from _with_back(book, book.part(change.part), wanted.cells)
        case "cells":
            yield from _cells(book, book.part(change.part), wanted.cells, notes)
        case _:
            yield from _row(book, book.part(change.part), wanted)


def _spliced(book: Book, file: str, edits: Iterable[Edit]) -> tuple[str, bytes]:
    text = book.text(file)
    if text is None:
        raise UsageError(f"{book.name} has no {file} any more. Look at it again.")
    mark = b"\xef\xbb\xbf" if first_bytes(book.folder / file, file, 3).startswith(b"\xef\xbb\xbf") else b""
    return file, mark + spliced(text, file, _with_texts(book, read_text(text, file)[0], edits)).encode()


def _known_names(book: Book) -> Names:
    """Return the names that formulas of a pack may use as values."""
    return names_of(_head(book))


def _with_texts(book: Book, written: Any, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits of a file with effects as text. Raises UsageError."""
    names = _known_names(book)
    for edit in edits:
        there: Any = written
        for key in edit.trail if isinstance(edit, Put) else ():
            there = there[key] if isinstance(there, list) and isinstance(key, int) else _at(there, (str(key),))
        try:
            if isinstance(edit, Put) and isinstance(edit.value, list) and isinstance(there, str | list):
                yield Put(edit.trail, with_steps(there, edit.value, names), edit.order)
            elif isinstance(edit, Put | Add):
                yield replace(edit, value=with_texts(edit.value, names))
            else:
                yield edit
        except UnwritableError as error:
            raise UsageError("These effects cannot be written as text. Change the file by hand.") from error


def _line(part: GridPart, row: int) -> GridLine:
    lines = part.lines()
    if not 0 <= row < len(lines):
        raise UsageError("That row is no longer there. Look at it again.")
    return lines[row]


def _value(part: GridPart, line: GridLine | None, cell: CellChange) -> tuple[tuple[str, ...], Any]:
    """Return the keys that lead to a cell and its value as YAML has it. Raises UsageError."""
    column = next((each for each in part.columns() if each.path == cell.path), None)
    if column is None:
        raise UsageError(f'There is no column "{".".join(cell.path)[:60]}".')
    if column.kind == "id" and line:
        raise UsageError("Effects call a condition by its id, so it stays. Add a condition with the new id instead.")
    value: Any = cell.value or None
    if isinstance(cell.value, str):
        value = grid.typed(column.kind, UNSEEN.sub("", cell.value))
    elif column.kind not in ("effects", "cell"):
        raise UsageError(f"{column.title} is a text, not a list.")
    there = _at(line.value if line else {}, cell.path)
    # A cell with a name of its own has its effects one level further in.
    return ((*cell.path, "effects") if isinstance(there, dict) else cell.path), value


def _edits(value: Any, start: Trail, path: tuple[str, ...], new: Any, order: Sequence[str]) -> Iterator[Edit]:
    """Yield the edit that gives one cell of a row another value; what is left empty by it goes too."""
    if new is not None:
        yield Put((*start, *path), new, order if len(path) == 1 else ())
        return
    while len(path) > 1:
        holder = value
        for key in path[:-1]:
            holder = holder.get(key) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or {*holder} - {path[-1]}:
            break
        path = path[:-1]
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return
        value = value[key]
    yield Cut((*start, *path))


def _cells(book: Book, part: GridPart, cells: Sequence[CellChange], notes: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the file of a part with other cells; a row of another pack is written into this one as a whole."""
    inside: list[Edit] = []
    adopted: dict[int, dict[str, Any]] = {}
    for cell in cells:
        line = _line(part, cell.row)
        path, new = _value(part, line, cell)
        outdated = isinstance(new, list) and "rulings" in line.value and _kinds(new) != _kinds(_at(line.value, path))
        if outdated:
            notes.append("The rulings of the old effects went with them. Undo brings both back.")
        if line.lies_in(book.folder / part.file):
            inside += _edits(line.value, line.trail, path, new, part.order)
            inside += [Cut((*line.trail, "rulings"))] if outdated else []
        elif line.origin.endswith(".csv"):
            raise UsageError(f"This card is from {line.origin}. Change it there: it is read again by itself.")
        elif path == {"rows": ("name",), "cards": ("code",)}.get(part.key) and "at" not in line.value:
            raise UsageError(
                f"{line.origin} keeps this {path[0]} for its own. Add a row with the new {path[0]} instead."
            )
        else:
            whole = adopted.get(cell.row, line.value)
            for edit in _edits(whole, (), path, new, part.order):
                whole = edited(whole, edit)
            whole = {key: value for key, value in whole.items() if not (outdated and key == "rulings")}
            adopted[cell.row] = whole
    notes += [_ADOPTED] if adopted else []
    if not adopted:
        yield _spliced(book, part.file, inside)
        return
    own = [at for at, line in enumerate(part.lines()) if line.lies_in(book.folder / part.file)]
    rows = [(sum(other < at for other in (*own, *adopted)), whole) for at, whole in sorted(adopted.items())]
    yield _with_rows(book, part, rows, inside)


def _at(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _kinds(effects: Any) -> list[str]:
    """Return what each effect does, without its numbers."""
    listed = effects if isinstance(effects, list) else []
    return [str(each.get("do", sorted(each))) if isinstance(each, dict) else str(each) for each in listed]


def _with_rows(
    book: Book, part: GridPart, rows: Sequence[tuple[int, dict[str, Any]]], before: Sequence[Edit] = ()
) -> tuple[str, bytes]:
    """Return the own file of a part with more rows, each at its place in that file."""
    in_order = [(at, {key: row[key] for key in sorted(row, key=part.order.index)}) for at, row in rows]
    if part.key == "conditions":
        return _spliced(book, part.file, [*before, *(Put((part.key, _id(row)), row) for _, row in in_order)])
    trail, there = book.own_list(part)
    if there:
        return _spliced(book, part.file, [*before, *(Add(trail, at, row) for at, row in in_order)])
    new: Any = [row for _, row in in_order]
    if part.file != "deck.yaml":
        new = [{"id": part.name, part.key: new}]
    return _with_entries(book, part.file, str(trail[0]), new, before)


def _with_entries(
    book: Book, file: str, key: str, entries: Sequence[Any], before: Sequence[Edit] = ()
) -> tuple[str, bytes]:
    """Return a file with more entries at the end of a list of it; without such a file, one that has only these."""
    text = book.text(file)
    if text is None:
        return file, f"{key}:{block(with_texts(list(entries), _known_names(book)), 0, 200)}\n".encode()
    value = read_text(text, file)[0]
    there = len(value.get(key) or ()) if isinstance(value, dict) else 0
    return _spliced(book, file, [*before, *(Add((key,), there + at, entry) for at, entry in enumerate(entries))])


def _id(row: dict[str, Any]) -> str:
    """Take the id out of a new condition: the one that somebody gave it, or one made of its name or sentence."""
    return _plain_id(str(row.pop("id", "") or row.get("name") or row.get("brief") or row.get("says") or ""))


def _plain_id(words: str) -> str:
    """Return words as content names things. Raises UsageError where there are none."""
    if not words.strip():
        raise UsageError("Write a title or a name.")
    return id_from(words)


def _row(book: Book, part: GridPart, change: GridChange) -> Iterator[tuple[str, bytes]]:
    """Yield the file of a part with a row more or less, or with one at another place."""
    lines, file = part.lines(), book.folder / part.file
    own = [line.lies_in(file) for line in lines]
    if change.do == "add":
        value: dict[str, Any] = {}
        for cell in change.cells:
            path, new = _value(part, None, cell)
            value = edited(value, Put(path, new)) if new is not None else value
        if not value:
            raise UsageError("Write something into the new row first.")
        if part.key == "conditions" and (name := _id({**value})) in (line.value["id"] for line in lines):
            raise UsageError(f'There is a condition "{name}" already. Give this one another id.')
        yield _with_rows(book, part, [(sum(own[: max(0, change.row)]), value)])
        return
    line = _line(part, change.row)
    if not own[change.row]:
        raise UsageError(f"This row is from {line.origin}: here it can be changed, but neither moved nor removed.")
    if change.do == "drop":
        if len(lines) == 1 and part.key == "rows":
            raise UsageError("This is the only row: a table has one at least.")
        yield _spliced(book, part.file, [Cut(line.trail)])
        return
    if not (0 <= change.to < len(lines) and own[change.to]) or part.key == "conditions":
        raise UsageError("It cannot be moved there.")
    trail, _ = book.own_list(part)
    yield _spliced(book, part.file, [Move(trail, int(line.trail[-1]), int(lines[change.to].trail[-1]))])


def _pasted(book: Book, text: str, notes: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a pack with more tables, each with its event and on the screen if those are its own."""
    pasted = post.read(text, "your text")
    notes += [str(each) for each in pasted.problems]
    taken = {part.name for part in book.parts.values()} | {*(book.system.head.events if book.system else ())}
    tables = []
    for table in (each.table.plain() for each in pasted.tables):
        name = next(free for free in _names(table["id"]) if free not in taken)
        taken.add(name)
        tables.append({**table, "id": name})
    yield _with_entries(book, "tables.yaml", "tables", tables)
    system = book.system
    if system is None or system.below or not isinstance(system.head.procedure, Steps):
        return
    events = {table["id"]: event for table in tables if (event := scaffold.event_for(table))}
    cards = [{"name": table["id"], "from": {"table": table["id"]}} for table in tables if scaffold.fits_cards(table)]
    many = len(system.head.cards)
    edits: list[Edit] = [Put(("events", name), event) for name, event in events.items()]
    yield _spliced(book, "system.yaml", [*edits, *(Add(("cards",), many + at, card) for at, card in enumerate(cards))])
    screen = panels_file(system, "screen")
    if screen and screen.panels and book.text("screen.yaml") is not None:
        blocks = [{"block": "table", "title": table["title"], "table": table["id"]} for table in tables]
        many = len(screen.panels[0].blocks)
        yield _spliced(
            book, "screen.yaml", [Add(("panels", 0, "blocks"), many + at, each) for at, each in enumerate(blocks)]
        )


def _with_deck(book: Book, title: str) -> tuple[str, bytes]:
    """Return the file of decks with one more. Raises UsageError for a title without letters."""
    taken = {part.name for part in book.parts.values()}
    name = next(free for free in _names(_plain_id(title)) if free not in taken)
    deck = {"id": name, "title": title, "cards": [_first_card(title)]}
    return _with_entries(book, "decks.yaml", "decks", [deck])


def _with_event(book: Book, part: GridPart, wanted: GridChange, notes: list[str]) -> tuple[str, bytes]:
    """Return the file of events with one more, or with another text of one. Raises UsageError."""
    if wanted.row < 0:
        title = _title(wanted.text)
        name = next(free for free in _names(_plain_id(title)) if free not in part.written.value["events"])
        text = events.new_event(title)
    else:
        line = _line(part, wanted.row)
        name = line.value["id"]
        notes += [] if line.lies_in(book.folder / part.file) else [_ADOPTED]
        text = "\n".join(each.rstrip() for each in UNSEEN.sub("", wanted.text).splitlines()).strip("\n") + "\n"
    return _spliced(book, part.file, [Put((part.key, name), text)])


def _title(text: str) -> str:
    """Return a title as somebody typed it. Raises UsageError for one that is empty."""
    if not (title := plain_text(text)[: founding.MAX_TITLE].strip()):
        raise UsageError("Write a title.")
    return title


def _own_entry(book: Book, part: GridPart) -> Trail:
    """Return the place of a table or a deck in the pack's own file. Raises UsageError."""
    trail, there = book.own_list(part) if part.key != "conditions" else ((), False)
    if not there:
        raise UsageError(f"“{part.title}” belongs to the system below, and stays as it is.")
    return trail[:-1]


def _removed(book: Book, part: GridPart) -> Iterator[tuple[str, bytes | None]]:
    """Yield the files of a pack without a table or a deck, and without what was made for a table when it came."""
    trail = _own_entry(book, part)
    entries = read_text(book.text(part.file) or "", part.file)[0]
    alone = not trail or len(entries[trail[0]]) == 1
    if alone and part.key == "rows" and not (book.system and book.system.below):
        raise UsageError("This is the only table of the pack. Add another first, or delete the pack.")
    yield (part.file, None) if alone else _spliced(book, part.file, [Cut(trail)])
    if part.key != "rows":
        return
    event, lost = scaffold.event_for(part.written.value), set[Any]()
    for file in ("system.yaml", "screen.yaml"):
        text = book.text(file)
        value = read_text(text, file)[0] if text is not None else None
        if isinstance(value, dict):
            found = [trail for trail, entry in _entries(value) if _is_of(entry, part.name, event, lost)]
            lost |= {trail[1] for trail in found if trail[0] == "events"}
            yield _spliced(book, file, map(Cut, found[::-1]))


def _entries(value: dict[str, Any]) -> Iterator[tuple[Trail, Any]]:
    """Yield the entries of a file that may have been made for a table, each with its place."""
    events, cards, panels = (value.get(key) for key in ("events", "cards", "panels"))
    yield from ((("events", name), event) for name, event in (events if isinstance(events, dict) else {}).items())
    yield from ((("cards", at), card) for at, card in enumerate(cards if isinstance(cards, list) else ()))
    for at, panel in enumerate(panels if isinstance(panels, list) else ()):
        blocks = panel.get("blocks") if isinstance(panel, dict) else None
        for place, entry in enumerate(blocks if isinstance(blocks, list) else ()):
            yield ("panels", at, "blocks", place), entry
            named = entry.get("event") if isinstance(entry, dict) else None
            for nth, name in enumerate(named if isinstance(named, list) else ()):
                yield ("panels", at, "blocks", place, "event", nth), {"block": "event", "event": name}


def _is_of(entry: Any, table: str, event: Any, lost: set[Any]) -> bool:
    """Return whether an entry is of one table alone: its event, its cards, or its block on a screen."""
    if not isinstance(entry, dict):
        return entry is not None and entry == event
    own = entry in (event, {"name": table, "from": {"table": table}}) or entry.get("table") == table
    named = entry.get("event")
    return own or (entry.get("block") == "event" and lost.issuperset(named if isinstance(named, list) else [named]))


def _extends(pack: str) -> str:
    """Return the system that a pack of the user's changes; empty if it cannot be read."""
    with suppress(HackjackError, OSError):
        head = read_text(limited_text(pack_locations.find(pack) / "system.yaml", pack, larger=""), pack)[0]
        return str(head.get("extends", "")) if isinstance(head, dict) else ""
    return ""


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name[:36]}_{number}" for number in range(2, 999))


def _joined(book: Book, part: GridPart, wanted: GridChange) -> Iterator[tuple[str, bytes]]:
    """Yield the spreadsheet of a deck under a name of ours, and the deck that names it and what its columns are."""
    if part.key != "cards":
        raise UsageError("A spreadsheet of cards belongs to a deck.")
    name, deck = f"{part.name or 'cards'}.csv", part.written.value
    headings = {cell.path[0]: cell.value or None for cell in wanted.cells} or deck.get("headings")
    csv_cards.read_cards(wanted.text, {**deck, "headings": headings}, name)
    yield name, wanted.text.encode()
    new = {key: value for key, value in (("csv", name), ("headings", headings)) if value and deck.get(key) != value}
    if new:
        trail, there = book.own_list(part)
        if not there:
            raise UsageError("This deck belongs to the system below. Start a deck of your own for a spreadsheet.")
        order = ("title", "csv", "headings", "cards")
        edits: list[Edit] = [Put((*trail[:-1], key), value, order) for key, value in new.items()]
        # The card that a new deck begins with has been in place of those of the spreadsheet.
        edits += [Cut(trail)] if deck.get("cards") == [_first_card(str(deck.get("title")))] else []
        yield _spliced(book, part.file, edits)


def _first_card(title: str) -> dict[str, str]:
    return {"code": "1", "name": title}


def _with_back(book: Book, part: GridPart, cells: Sequence[CellChange]) -> Iterator[tuple[str, bytes]]:
    """Yield the files with another back of a deck: its design, or the picture that covers it."""
    typed = {cell.path[-1]: str(grid.typed("text", str(cell.value)) or "") for cell in cells}
    if (picture := typed.pop("art", None)) is not None:
        trail, there = book.own_list(part)
        if there:
            place = (*trail[:-1], "back")
            yield _spliced(book, part.file, [Put(place, picture, ("title", "back")) if picture else Cut(place)])
        elif part.file == "deck.yaml":
            yield part.file, f"back: {picture}\n".encode()
        else:
            _own_entry(book, part)
    if typed:
        design = decks.changed_back(decks.written_back(part, _head(book)), typed.items())
        yield _spliced(book, "system.yaml", [Put(("backs", decks.back_name(part)), design)])


def _head(book: Book) -> dict[str, Any]:
    """Return what the pack's `system.yaml` says, joined with those below it."""
    head = book.judged.as_written.get("system.yaml") if book.judged else None
    return head.value if head and isinstance(head.value, dict) else {}


# --- what is told ----------------------------------------------------------------------------------------------------


def _rolled(table: Table, system: System, total: Callable[[Dice], int]) -> dict[str, Any]:
    """Roll on a table: return the row, what the dice show, and what it says."""
    result: int | None = None
    if table.roll:
        result = total(table.roll)
        shows = f"{table.roll.spoken} shows {result}"
    elif ways := tuple(table.chances()):
        result = ways[total(Dice(1, len(ways))) - 1]
        shows = f"The dice show {result}"
    else:
        at = total(Dice(1, len(table.rows))) - 1
        shows = "Nothing is rolled on this table: a row by chance"
    if result is not None:
        at = next((at for at, row in enumerate(table.rows) if row.at and result in row.at), 0)
    row = table.rows[at]
    face = total(table.column_roll) if table.column_roll and row.cells else 0
    column = next((name for name, each in table.columns.items() if each.at and face in each.at), "")
    says = named_text(row, column, full_cell(row, column, system)) if column else row_text(row, system)
    cell = row.cell(column)
    rolled = rolled_text(cell, system, total) if isinstance(cell, tuple) else ""
    first = rolled_text(row.first, system, total) or cell_text(row.first, system)
    said = " ".join(filter(None, (first, rolled or says)))
    told = [row.name or "", table.columns[column].title if column else "", said]
    note = fill_placeholders(row.note, system) if row.note else ""
    return {"row": at, "shows": shows, "says": f"{': '.join(filter(None, told))}. {note}".strip()}

"""A pack that is written in, as its files say it now, and its files with edits."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from generator.base.archives import is_archive
from generator.base.errors import ContentError, Problem, UsageError, unforeseen
from generator.base.files import first_bytes, limited_text
from generator.language.names import Names, names_of
from generator.language.splice import with_steps, with_texts
from generator.language.writer import UnwritableError
from generator.model.rules import System
from generator.pack import pack_locations
from generator.pack.load import ParsedPack, files_as_written, parse_pack
from generator.pack.merge import watched_paths
from generator.pack.pack_locations import packs_folder, systems_folder
from generator.pack.splicing import Add, Edit, Put, block, spliced
from generator.pack.strict_yaml import Trail, read_text
from generator.products import looking_over
from generator.studio import grid
from generator.studio.grid import GridPart

MAX_FILE = 1_000_000

File = tuple[str, bytes]
"""The name of a file of a pack, and what it says."""


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
            archive = f"{name} is an archive. Unpack it into a folder of that name to change it."
            raise UsageError(archive if is_archive(self.folder) else f"{self.folder}: folder not found. Bring it back.")
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

    @property
    def head(self) -> dict[str, Any]:
        """What its `system.yaml` says, joined with those below it."""
        head = self.judged.as_written.get("system.yaml") if self.judged else None
        return head.value if head and isinstance(head.value, dict) else {}

    @property
    def names(self) -> Names:
        """The names that its formulas may use as values."""
        return names_of(self.head)

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

    def spliced(self, file: str, edits: Iterable[Edit]) -> File:
        """Return a file with edits. Raises ContentError, UsageError."""
        text = self.text(file)
        if text is None:
            raise UsageError(f"{self.name} has no {file} any more. Look at it again.")
        mark = b"\xef\xbb\xbf" if first_bytes(self.folder / file, file, 3).startswith(b"\xef\xbb\xbf") else b""
        return file, mark + spliced(text, file, self._with_texts(read_text(text, file)[0], edits)).encode()

    def with_entries(self, file: str, key: str, entries: Sequence[Any], before: Sequence[Edit] = ()) -> File:
        """Return a file with more entries at the end of a list of it; without such a file, one that has only these."""
        text = self.text(file)
        if text is None:
            return file, f"{key}:{block(with_texts(list(entries), self.names), 0, 200)}\n".encode()
        value = read_text(text, file)[0]
        count = len(value.get(key) or ()) if isinstance(value, dict) else 0
        return self.spliced(file, [*before, *(Add((key,), at, entry) for at, entry in enumerate(entries, count))])

    def _with_texts(self, written: Any, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Yield edits of a file with effects as text. Raises UsageError."""
        names = self.names
        for edit in edits:
            value = written
            for key in edit.trail if isinstance(edit, Put) else ():
                value = value[key] if isinstance(value, list) and isinstance(key, int) else value_at(value, (str(key),))
            try:
                if isinstance(edit, Put) and isinstance(edit.value, list) and isinstance(value, str | list):
                    yield Put(edit.trail, with_steps(value, edit.value, names), edit.order)
                elif isinstance(edit, Put | Add):
                    yield replace(edit, value=with_texts(edit.value, names))
                else:
                    yield edit
            except UnwritableError as error:
                raise UsageError("These effects cannot be written as text. Change the file by hand.") from error


def value_at(value: Any, path: Sequence[str]) -> Any:
    """Return what keys of mappings lead to, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value

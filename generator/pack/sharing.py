"""A pack as one ZIP file to share: its own files, and nothing else from its folder."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path

from generator.base import archives, zip_files
from generator.base.files import file_inside, first_bytes, path_in
from generator.model.rules import FILE_KINDS, PANELS_ENDING, System
from generator.pack.load import Pack
from generator.pack.pack_locations import other_files, shipped
from generator.pack.schema import all_schemas

PAPERS = ("license", "licence", "copying", "notice", "ofl", "readme", "credits", "changelog", "changes")
"""Files for people that go along, by their names without the ending, in any case."""
LICENCES = ("license", "licence", "copying")
PAPER_ENDINGS = ("", ".md", ".txt")


@dataclass(frozen=True)
class Parcel:
    """What goes into the archive of a pack, by path in the pack, and the names beside it that stay behind."""

    name: str
    files: Mapping[str, bytes]
    left_out: tuple[str, ...]
    needs: tuple[str, ...]
    """The packs that it extends or takes from and that do not ship: whoever gets the one needs the others."""

    @property
    def is_licensed(self) -> bool:
        """Whether a file says what others may do with it."""
        return any(_stem(name) in LICENCES for name in self.files)


def gathered(pack: Pack) -> Parcel:
    """Return what goes into the archive of a pack. Raises HackjackError for a file that cannot be read, OSError."""
    folder, system = pack.folder, pack.system
    files = pack_files(folder, system, [f"schemas/{name}" for name in all_schemas()])
    lying = _lying(folder)
    taken = {name.partition("/")[0] for name in files}
    left = tuple(name for name in lying if name not in taken and name != f"{system.head.id}{archives.ENDING}")
    others = dict.fromkeys(filter(None, (system.head.extends, *system.others)))
    needs = tuple(name for name in others if name not in (*shipped(), system.head.id))
    return Parcel(system.head.id, files, left, needs)


def pack_files(folder: Path, system: System, more: Iterable[str] = ()) -> dict[str, bytes]:
    """Return the files that a pack has in its folder, by path: content, what lies beside that, and files for people.

    Raises HackjackError for a file that cannot be read, OSError.
    """
    other = (name for name in _lying(folder) if name.endswith(PANELS_ENDING) or _is_paper(Path(name)))
    names = sorted({*FILE_KINDS, *other, *other_files(system), *more})
    files = (name for name in names if path_in(folder, name).is_file())
    return {name: first_bytes(file_inside(folder, name), name, zip_files.MAX_OF_ONE) for name in files}


def _lying(folder: Path) -> list[str]:
    return sorted(path.name for path in islice(folder.iterdir(), zip_files.MAX_ENTRIES) if path.name[0] != ".")


def _is_paper(path: Path) -> bool:
    return _stem(path.name) in PAPERS and path.suffix.lower() in PAPER_ENDINGS


def archive(parcel: Parcel) -> bytes:
    """Return the ZIP file, in which all lies in one folder. Raises HackjackError for one that would not be read."""
    stream = BytesIO()
    files = {f"{parcel.name}/{name}": data for name, data in sorted(parcel.files.items())}
    zip_files.write_archive(stream, files, tightly=True)
    zip_files.archive_members(stream)
    return stream.getvalue()


def _stem(name: str) -> str:
    return Path(name).stem.lower()

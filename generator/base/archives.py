"""Packs in ZIP archives, read where they lie: a path into an archive, such as `grim.zip/deck.yaml`, is a path.

The functions here do for such paths what the methods of `Path` do for others, and are the same for those. Nothing is
unpacked to disk. An archive may come from anybody, so it is judged as a whole before anything in it is read.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from generator.base.errors import HackjackError

ENDING = ".zip"
MOST_BYTES = 50_000_000
"""Of the archive itself."""
MOST_ENTRIES = 500
MOST_UNPACKED = 100_000_000
"""Of all that is in an archive."""
MOST_OF_ONE = 20_000_000
"""Of one file in it: the largest picture that is read."""
MOST_RATIO = 100
"""A file is unpacked to so many times its packed size at most; text and drawings need a tenth of it."""
SMALL = 100_000
"""Files of fewer bytes may be packed as tightly as they like."""
MOST_NAME = 200

_MOST_DIRECTORY = MOST_ENTRIES * 1000
"""Bytes of the list of what is in an archive, which is read whole before anything else can be known of it."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_TAIL = 66_000
"""The list's own place stands within so many bytes of the end."""
_DAMAGED = (BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, struct.error, zlib.error)
"""What zipfile raises when it stumbles over an archive."""
_ENCRYPTED = 0x1
_LITTER = ("__MACOSX", ".DS_Store")
"""What a Mac puts beside the files of an archive."""


_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a ZIP file knows: the same files make the same bytes on every day."""
_ORDINARY = 0o100644 << 16
_ON_UNIX = 3


def write(stream: IO[bytes], files: Mapping[str, bytes | Path], *, tightly: bool = False) -> None:
    """Write a ZIP file of files by their names in it, in that order; pictures are packed already. Raises OSError."""
    with ZipFile(stream, "w") as made:
        for name, data in files.items():
            info = ZipInfo(name, _LONG_AGO)
            info.create_system, info.external_attr = _ON_UNIX, _ORDINARY
            info.compress_type = ZIP_DEFLATED if tightly else ZIP_STORED
            made.writestr(info, data.read_bytes() if isinstance(data, Path) else data, compresslevel=9)


def is_archive(path: Path) -> bool:
    """Whether a path names a ZIP file, by its ending."""
    return path.suffix.lower() == ENDING and path.is_file()


def exists(path: Path) -> bool:
    """Whether there is something of that name."""
    return path.exists() if _entry(path) is None else is_file(path) or is_dir(path)


def is_file(path: Path) -> bool:
    """Whether the path names a file. Raises HackjackError for an archive that is not read."""
    found = _entry(path)
    return path.is_file() if found is None else found[1] in _members(found[0])


def is_dir(path: Path) -> bool:
    """Whether the path names a folder, or an archive. Raises HackjackError for an archive that is not read."""
    found = _entry(path)
    if found is None:
        return path.is_dir()
    archive, inner = found
    known = _members(archive)
    return not inner or any(name.startswith(f"{inner}/") for name in known)


def beside_each_other(folder: Path, most: int) -> Iterator[Path]:
    """Return the paths of what lies in a folder, or in an archive, `most` of them. Raises OSError, HackjackError."""
    found = _entry(folder)
    if found is None:
        return islice(folder.iterdir(), most)
    archive, inner = found
    begin = f"{inner}/" if inner else ""
    names = (name[len(begin) :].partition("/")[0] for name in _members(archive) if name.startswith(begin))
    return (folder / name for name in islice(dict.fromkeys(names), most))


def open_file(path: Path) -> IO[bytes]:
    """Open a file to read bytes. Raises OSError; HackjackError for an archive that is not read."""
    found = _entry(path)
    if found is None:
        return path.open("rb")
    archive, name = found
    info = _members(archive).get(name)
    if info is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        with ZipFile(archive) as opened, opened.open(info) as stream:
            return BytesIO(stream.read(MOST_OF_ONE))
    except _DAMAGED as error:
        raise OSError(errno.EIO, "it is damaged in the archive", str(path)) from error


def stamp(path: Path) -> tuple[int, int]:
    """Return when a file was changed (ns) and how many bytes it has. Raises OSError, HackjackError."""
    found = _entry(path)
    info = None if found is None else _members(found[0]).get(found[1])
    about = on_disk(path).stat()
    return about.st_mtime_ns, about.st_size if info is None else info.file_size


def on_disk(path: Path) -> Path:
    """Return the file that lies on the disk: the archive for a path into one."""
    found = _entry(path)
    return path if found is None else found[0]


def _entry(path: Path) -> tuple[Path, str] | None:
    """The archive that a path leads into and the name in it, empty for the archive itself; None for other paths."""
    for place, part in enumerate(path.parts, 1):
        if part.lower().endswith(ENDING) and (archive := Path(*path.parts[:place])).is_file():
            return archive, "/".join(path.parts[place:])
    return None


def _members(archive: Path) -> Mapping[str, ZipInfo]:
    """The files in an archive by their names in the pack. Raises HackjackError with one sentence, or OSError."""
    about = archive.stat()
    return _read_members(archive, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=16)
def _read_members(archive: Path, changed: int, size: int) -> Mapping[str, ZipInfo]:
    """As above; `changed` and `size` tell another archive of that name."""
    del changed, size
    with archive.open("rb") as stream:
        try:
            return members(stream)
        except HackjackError as error:
            raise HackjackError(f"{archive}: {error}") from error


def members(stream: IO[bytes]) -> Mapping[str, ZipInfo]:
    """Return the files of an archive by their names, without the one folder that all of them may lie in.

    Raises HackjackError with one sentence for whatever is wrong with any of them.
    """
    _refuse_huge(stream)
    try:
        with ZipFile(stream) as opened:
            infos = opened.infolist()
    except _DAMAGED as error:
        raise HackjackError("this is no ZIP archive that can be read: pack it anew") from error
    if len(infos) > MOST_ENTRIES:
        raise HackjackError(f"this archive has {len(infos):,} entries: {MOST_ENTRIES} is the most")
    found: dict[str, ZipInfo] = {}
    known: set[str] = set()
    folders: set[str] = set()
    for info in infos:
        _refuse(info)
        plain = unicodedata.normalize("NFC", info.filename).rstrip("/").casefold()
        if plain in known:
            raise HackjackError(f"{_named(info)} stands in this archive twice: which one is meant cannot be known")
        known.add(plain)
        if not info.is_dir():
            folders.update(_folders_of(plain))
            if not any(part in _LITTER for part in info.filename.split("/")):
                found[info.filename] = info
    if clash := next((info for info in found.values() if info.filename.casefold() in folders), None):
        raise HackjackError(f"{_named(clash)} is a file and a folder in this archive: pack it anew")
    if (unpacked := sum(info.file_size for info in infos)) > MOST_UNPACKED:
        raise HackjackError(f"this archive unpacks to {unpacked / 1e6:,.0f} MB: {MOST_UNPACKED / 1e6:.0f} is the most")
    return _without_folder(found)


def _refuse_huge(stream: IO[bytes]) -> None:
    """What can be judged before the list of entries is read, for zipfile reads that whole."""
    size = stream.seek(0, os.SEEK_END)
    if size > MOST_BYTES:
        raise HackjackError(f"this archive has {size / 1e6:,.0f} MB: {MOST_BYTES / 1e6:.0f} MB is the most")
    stream.seek(max(0, size - _TAIL))
    tail = stream.read(_TAIL)
    stream.seek(0)
    # Which of several ends counts is a matter of taste among programs: none of them may claim too much.
    at = tail.find(_END)
    while at >= 0:
        told = tail[at + 12 : at + 16]
        if len(told) == 4 and int.from_bytes(told, "little") > _MOST_DIRECTORY:
            raise HackjackError(f"this archive claims far too many entries: {MOST_ENTRIES} is the most")
        at = tail.find(_END, at + 1)
    if _END_64 in tail:
        raise HackjackError("this archive has the form for huge ones, ZIP64: pack it anew as a plain ZIP")


def _refuse(info: ZipInfo) -> None:
    """Raise HackjackError for an entry that no pack has: a way out, a link, a secret, a bomb."""
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    parts = name.removesuffix("/").split("/")
    if info.orig_filename != name or not name.isprintable() or "\\" in name or len(name) > MOST_NAME:
        why = f"has a name that is none: write up to {MOST_NAME} letters, and / between folders"
    elif name.startswith("/") or ":" in name or any(part in ("", ".", "..") for part in parts):
        why = "leads out of the archive: its names begin in the pack's own folder"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        why = "is a link or no ordinary file: put the file itself into the archive"
    elif info.flag_bits & _ENCRYPTED:
        why = "is locked with a password: pack it without one"
    elif info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        why = "is packed in an unusual way: pack it as a plain ZIP (deflate)"
    elif info.file_size > MOST_OF_ONE:
        why = f"unpacks to {info.file_size / 1e6:,.0f} MB: {MOST_OF_ONE / 1e6:.0f} MB is the most"
    elif info.file_size > SMALL and info.file_size > MOST_RATIO * info.compress_size:
        why = f"unpacks to more than {MOST_RATIO} times its size: no file of a pack does"
    else:
        return
    raise HackjackError(f"{_named(info)} {why}")


def _named(info: ZipInfo) -> str:
    return info.filename[:80] or "an entry without a name"


def _folders_of(name: str) -> Iterator[str]:
    """The folders that a name stands in."""
    at = name.find("/")
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)


def _without_folder(found: Mapping[str, ZipInfo]) -> Mapping[str, ZipInfo]:
    """The same by names in the pack: most programs pack a folder, and not what is in it."""
    tops = {name.partition("/")[0] for name in found}
    if len(tops) != 1 or not all("/" in name for name in found):
        return found
    return {name.partition("/")[2]: info for name, info in found.items()}

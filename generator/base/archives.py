"""Packs in ZIP archives: judged as a whole, for they may come from anybody, and unpacked once into a temporary folder.

From there they are read like any other pack. What is told of their files names the archive: `grim.zip/deck.yaml`.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import struct
import tempfile
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
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


def write_archive(stream: IO[bytes], files: Mapping[str, bytes | Path], *, tightly: bool = False) -> None:
    """Write a ZIP file of files by their names in it, in that order; pictures are packed already. Raises OSError."""
    with ZipFile(stream, "w") as made:
        for name, data in files.items():
            info = ZipInfo(name, _LONG_AGO)
            info.create_system, info.external_attr = _ON_UNIX, _ORDINARY
            info.compress_type = ZIP_DEFLATED if tightly else ZIP_STORED
            made.writestr(info, data.read_bytes() if isinstance(data, Path) else data, compresslevel=9)


def is_archive(path: Path) -> bool:
    """Return whether a path names a ZIP file, by its ending."""
    return path.suffix.lower() == ENDING and path.is_file()


def is_dir(path: Path) -> bool:
    """Return whether the path names what a pack may be: a folder, or an archive."""
    return path.is_dir() or is_archive(path)


def folder_of(path: Path) -> Path:
    """Return the folder that holds the files of a pack: the path itself, or where an archive of that name is unpacked.

    Raises HackjackError for an archive that is not read, OSError.
    """
    if not is_archive(path):
        return path
    about = path.stat()
    return _unpacked(path.absolute(), about.st_mtime_ns, about.st_size)


def as_named(path: Path) -> Path:
    """Return a path as people know it: one of an unpacked file leads into its archive."""
    for folder, archive in _archives.items():
        if path.is_relative_to(folder):
            return archive / path.relative_to(folder)
    return path


_archives: dict[Path, Path] = {}
"""The archives by the folders that they are unpacked in."""


@lru_cache(maxsize=16)
def _unpacked(archive: Path, changed: int, size: int) -> Path:
    """Unpack an archive; `changed` and `size` tell another of that name."""
    del changed, size
    folder = Path(tempfile.mkdtemp(dir=_temporary())) / archive.name
    with archive.open("rb") as stream:
        try:
            _unpack(stream, folder)
        except HackjackError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise HackjackError(f"{archive}: {error}") from error
    _archives[folder] = archive
    return folder


def _unpack(stream: IO[bytes], folder: Path) -> None:
    found = archive_members(stream)
    with ZipFile(stream) as opened:
        for name, info in found.items():
            # A Mac parts letters from their accents; whoever names a picture in YAML does not.
            path = folder / unicodedata.normalize("NFC", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with opened.open(info) as packed:
                    data = packed.read(MOST_OF_ONE)
            except _DAMAGED as error:
                raise HackjackError(f"{_named(info)} is damaged in the archive: pack it anew") from error
            path.write_bytes(data)


@cache
def _temporary() -> Path:
    """Return the folder of this process for what it unpacks, which goes when it ends."""
    folder, process = Path(tempfile.mkdtemp(prefix="hackjack-")).resolve(), os.getpid()

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def archive_members(stream: IO[bytes]) -> Mapping[str, ZipInfo]:
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
    """Yield the folders that a name stands in."""
    at = name.find("/")
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)


def _without_folder(found: Mapping[str, ZipInfo]) -> Mapping[str, ZipInfo]:
    """Return the same by names in the pack: most programs pack a folder, and not what is in it."""
    tops = {name.partition("/")[0] for name in found}
    if len(tops) != 1 or not all("/" in name for name in found):
        return found
    return {name.partition("/")[2]: info for name, info in found.items()}

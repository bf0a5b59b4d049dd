"""ZIP files: checked as a whole, for anybody may have made them, and unpacked once into a temporary folder.

Messages name the archive: `grim.zip/deck.yaml`. A PDF has an archive in it, with its pack in a folder and the packs
below that one in others.
"""

import atexit
import os
import re
import shutil
import stat
import struct
import tempfile
import zlib
from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from generator.base.embedded_files import embedded_archive
from generator.base.errors import HackjackError
from generator.base.files import is_litter

MAX_BYTES, MAX_UNPACKED = 50_000_000, 100_000_000
"""Of the archive itself, and of all its files together."""
MAX_OF_ONE = 20_000_000
"""Of one file: the largest picture that is read."""
MAX_ENTRIES, MAX_NAME = 500, 200
MAX_RATIO, SMALL = 100, 100_000
"""Files of more bytes than SMALL unpack to so many times their packed size at most; drawings need a tenth of it."""
_DIRECTORY_ENTRY, _TAIL = 1000, 66_000
"""Bytes of each entry in the central directory, which zipfile reads whole, and of the end of the file, which says where
that is."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_DAMAGED = (BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, struct.error, zlib.error)
_PACKED = re.compile(r"\.(png|jpe?g|webp)$", re.IGNORECASE)
_ENCRYPTED, _ORDINARY, _ON_UNIX = 0x1, 0o100644 << 16, 3


def write_archive(stream: IO[bytes], files: Mapping[str, bytes | Path], *, tightly: bool = False) -> None:
    """Write a ZIP file of files by their names in it, in that order; pictures are packed already. Raises OSError."""
    with ZipFile(stream, "w") as archive:
        for name, data in files.items():
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same files make the same bytes on every day
            info.create_system, info.external_attr = _ON_UNIX, _ORDINARY
            info.compress_type = ZIP_DEFLATED if tightly and not _PACKED.search(name) else ZIP_STORED
            archive.writestr(info, data.read_bytes() if isinstance(data, Path) else data, compresslevel=9)


@lru_cache(maxsize=16)
def unpacked(archive: Path, changed: int, size: int) -> Path:
    """Unpack an archive and return the folder. By `changed` and `size` the cache tells files of one name apart."""
    del changed, size
    inside = Path(tempfile.mkdtemp(dir=_temporary()))
    folder = inside / archive.name
    try:
        if archive.suffix.lower() == ".pdf":
            name, data = embedded_archive(archive)
            folder = inside / name.removesuffix(".zip")
            _unpack(BytesIO(data), inside)
        else:
            with archive.open("rb") as stream:
                _unpack(stream, folder)
    except HackjackError as error:
        shutil.rmtree(inside, ignore_errors=True)
        raise HackjackError(f"{archive}: {error}") from error
    return folder


def _unpack(stream: IO[bytes], folder: Path) -> None:
    files = archive_members(stream)
    with ZipFile(stream) as archive:
        for name, info in files.items():
            path = folder / normalize("NFC", name)  # a Mac parts letters from their accents; content does not
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(info) as packed:
                    data = packed.read(MAX_OF_ONE)
            except _DAMAGED as error:
                raise HackjackError(f"{_named(info)} is damaged. Pack the archive again.") from error
            path.write_bytes(data)


@cache
def _temporary() -> Path:
    """Return the folder in which this process unpacks; it is removed at exit."""
    folder, process = Path(tempfile.mkdtemp(prefix="hackjack-")).resolve(), os.getpid()

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def archive_members(stream: IO[bytes], most: int = MAX_ENTRIES) -> dict[str, ZipInfo]:
    """Return the files of an archive by their names, without the one folder that all of them may lie in.

    Raises HackjackError with a sentence for the first thing that is wrong.
    """
    _refuse_huge(stream, most)
    try:
        with ZipFile(stream) as archive:
            infos = archive.infolist()
    except _DAMAGED as error:
        raise HackjackError("this is not a valid ZIP archive. Pack it again.") from error
    if len(infos) > most:
        raise HackjackError(f"this archive has {len(infos):,} entries; the limit is {most:,}.")
    files: dict[str, ZipInfo] = {}
    names: dict[str, ZipInfo] = {}
    for info in infos:
        _refuse(info)
        # Some systems tell neither upper and lower case nor the ways to write an accent apart.
        plain = normalize("NFC", info.filename).rstrip("/").casefold()
        if plain in names:
            raise HackjackError(f"{_named(info)} is in this archive twice. Remove one of them.")
        names[plain] = info
        if not (info.is_dir() or any(map(is_litter, info.filename.split("/")))):
            files[info.filename] = info
    for name in names:
        above = (names.get(str(folder)) for folder in PurePosixPath(name).parents)
        if clash := next((info for info in above if info and not info.is_dir()), None):
            raise HackjackError(f"{_named(clash)} is a file and a folder in this archive. Rename one of them.")
    if (size := sum(info.file_size for info in infos)) > MAX_UNPACKED:
        raise HackjackError(f"this archive unpacks to {_megabytes(size)}; the limit is {_megabytes(MAX_UNPACKED)}.")
    if len({name.partition("/")[0] for name in files}) == 1 and all("/" in name for name in files):
        return {name.partition("/")[2]: info for name, info in files.items()}
    return files


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _refuse_huge(stream: IO[bytes], most: int) -> None:
    """Refuse an archive by its size and the size of its directory, before zipfile reads that whole."""
    size = stream.seek(0, os.SEEK_END)
    if size > MAX_BYTES:
        raise HackjackError(f"this archive has {_megabytes(size)}; the limit is {_megabytes(MAX_BYTES)}.")
    stream.seek(max(0, size - _TAIL))
    tail = stream.read(_TAIL)
    # Programs disagree which of several ends counts: none of them may claim too much.
    for end in tail.split(_END)[1:]:
        if int.from_bytes(end[8:12], "little") > most * _DIRECTORY_ENTRY:
            raise HackjackError(f"this archive claims far too many entries; the limit is {most:,}.")
    if _END_64 in tail:
        raise HackjackError("this archive has the ZIP64 format for huge files. Pack it as a plain ZIP.")


def _refuse(info: ZipInfo) -> None:
    """Raise HackjackError for an entry that no pack has: a way out, a link, a secret, a bomb."""
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    parts = name.removesuffix("/").split("/")
    if info.orig_filename != name or not name.isprintable() or "\\" in name or len(name) > MAX_NAME:
        why = f"has an invalid name. Use up to {MAX_NAME} letters, and / between folders."
    elif name.startswith("/") or ":" in name or any(part in ("", ".", "..") for part in parts):
        why = "leads out of the archive. Names begin in the pack's own folder."
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        why = "is a link or a special file. Pack the file itself."
    elif info.flag_bits & _ENCRYPTED:
        why = "is locked with a password. Pack it without one."
    elif info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        why = "is packed in an unusual way. Pack it as a plain ZIP (deflate)."
    elif info.file_size > MAX_OF_ONE:
        why = f"unpacks to {_megabytes(info.file_size)}; the limit is {_megabytes(MAX_OF_ONE)}."
    elif info.file_size > SMALL and info.file_size > MAX_RATIO * info.compress_size:
        why = f"unpacks to more than {MAX_RATIO} times its size, which no file of a pack does."
    else:
        return
    raise HackjackError(f"{_named(info)} {why}")


def _named(info: ZipInfo) -> str:
    return info.filename[:80] or "an entry without a name"

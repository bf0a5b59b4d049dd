"""A new pack on the disk: its name, its folder, and its files, all or none."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.pack import pack_locations

_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})
_TAKEN = ("calibration", "targets", "themes", "all", "true", "false", "null")
"""Names that mean something else: to a command, or in YAML."""


def check_name(name: str) -> None:
    """Raises UsageError for a name that a pack cannot have."""
    if not pack_locations.is_name(name):
        plain = name.lower().translate(_SPELLED_OUT)
        plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
        plain = re.sub("[^a-z0-9]+", "_", plain).strip("_")[:40]
        hint = f': did you mean "{plain}"?' if pack_locations.is_name(plain) else ""
        message = "is no name for a pack: write 1 to 40 of a-z, 0-9 and _, beginning with a letter"
        raise UsageError(f'"{name[:60]}" {message}{hint}')
    if name in pack_locations.shipped():
        raise UsageError(f'"{name}" is a system that ships: give your pack a name of its own')
    if name in _TAKEN or is_device(name):
        raise UsageError(f'"{name}" means something else: give your pack another name')


def free_folder(target: Path) -> Path:
    """The same folder, in which a pack may be written. Raises UsageError where something is there."""
    if target.is_symlink() or (target.exists() and not _empty(target)):
        raise UsageError(f"{target} already exists: name a new folder, for files are never overwritten")
    return target


def _empty(folder: Path) -> bool:
    try:
        return folder.is_dir() and next(folder.iterdir(), None) is None
    except OSError:
        return False


def place(name: str, files: Mapping[str, bytes]) -> Path:
    """Write a new pack into the packs folder and return its folder. Raises HackjackError, UsageError."""
    check_name(name)
    if name in pack_locations.installed():
        raise UsageError(f"{name} is on your shelf already. Choose another name: no pack is overwritten.")
    target = free_folder(pack_locations.packs_folder() / name)
    write_pack(target, files)
    return target


def write_pack(target: Path, files: Mapping[str, bytes]) -> None:
    """All files or none: they are written beside the folder and take its place when all are there."""
    beside: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        for name, data in files.items():
            path = beside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o777 & ~mask)
        if target.is_dir():
            target.rmdir()
        beside.rename(target)
        beside = None
    except OSError as error:
        raise HackjackError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        if beside is not None:
            shutil.rmtree(beside, ignore_errors=True)

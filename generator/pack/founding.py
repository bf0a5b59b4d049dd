"""A new pack on the disk: its name, its folder, and its files, all or none."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.base.text_input import free_id, plain_text
from generator.pack import pack_locations

_TAKEN = ("calibration", "targets", "themes", "all", "true", "false", "null")
"""Names that mean something else: to a command, or in YAML."""


MAX_TITLE = 80


class PackName(NamedTuple):
    """What a new pack is called: by the program, and by people."""

    id: str
    title: str


def pack_name(typed: str) -> PackName:
    """Return what a new pack is called: an id gets a title, and a title an id that is free. Raises UsageError."""
    title = plain_text(typed)[:MAX_TITLE].strip()
    if not title:
        raise UsageError("Write a name for the pack.")
    if not pack_locations.is_name(title):
        own = {*pack_locations.shipped(), *pack_locations.installed(), *_TAKEN}
        return PackName(free_id(title, lambda name: name in own or is_device(name)), title)
    if title in pack_locations.shipped():
        raise UsageError(f'"{title}" is a system that ships: give your pack a name of its own')
    if title in _TAKEN or is_device(title):
        raise UsageError(f'"{title}" means something else: give your pack another name')
    words = title.replace("_", " ").strip()
    return PackName(title, f"{words[:1].upper()}{words[1:]}")


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

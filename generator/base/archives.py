"""Packs in archives by their names: ZIP files, and PDFs that carry one. They are read like any other pack."""

from pathlib import Path

ENDING, PDF = ".zip", ".pdf"


def is_archive(path: Path) -> bool:
    """Return whether a path names a ZIP file or a PDF, by its ending."""
    return path.suffix.lower() in (ENDING, PDF) and path.is_file()


def is_dir(path: Path) -> bool:
    """Return whether the path may be a pack: a folder or an archive."""
    return path.is_dir() or is_archive(path)


def folder_of(path: Path) -> Path:
    """Return the folder of a pack: the path itself, or where an archive of that name is unpacked.

    Raises HackjackError for an archive that is refused, OSError.
    """
    if not is_archive(path):
        return path
    # Only here, because most packs are folders and most commands should start fast.
    from generator.base.zip_files import unpacked

    about = path.stat()
    absolute = path.absolute()
    folder = unpacked(absolute, about.st_mtime_ns, about.st_size)
    _archives[folder] = absolute
    return folder


def as_named(path: Path) -> Path:
    """Return a path for messages: one of an unpacked file leads into its archive."""
    for folder, archive in _archives.items():
        if path.is_relative_to(folder):
            return archive / path.relative_to(folder)
    return path


_archives: dict[Path, Path] = {}
"""The archives by the folders that they are unpacked in."""

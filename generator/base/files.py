"""Files: where the program's own data lies, and how a file is written whole or not at all, and stamps of files."""

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from glob import escape
from pathlib import Path
from typing import IO
from unicodedata import normalize

from generator.base.errors import ContentError, DiskError, HackjackError, Problem
from generator.base.late import late_pattern

LEFT_OVER = 600.0
"""Seconds after which a half-written file belongs to nobody any more."""


_DEVICE = late_pattern(r"(con|prn|aux|nul|(com|lpt)[0-9])(\..*)?", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Return whether a file of that name, with whatever ending, would be a device on Windows: "nul", "CON.png"."""
    return _DEVICE.fullmatch(name) is not None


@cache
def data_root() -> Path:
    """The folder that holds `content/` and `templates/`: the checkout's root, or the installed package's data."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "content").is_dir():
        return checkout
    return package / "_data"


def portable_path(name: str) -> str:
    """Return a path as it is written on every computer: with / for the \\ of Windows, and without a leading ./."""
    return name.replace("\\", "/").removeprefix("./")


def path_in(folder: Path, name: str) -> Path:
    """Return the file of that name in a folder, however its accents and its ending are written.

    A Mac parts letters from their accents, cameras and Windows write endings in capitals.
    """
    ending = Path(name).suffix
    stem = name.removesuffix(ending)
    endings = dict.fromkeys((ending, ending.lower(), ending.upper()))
    forms = (folder / f"{normalize(form, stem)}{each}" for each in endings for form in ("NFC", "NFD"))
    return next((path for path in (folder / name, *forms) if os.path.lexists(path)), folder / name)


def file_inside(folder: Path, name: str) -> Path:
    """The ordinary file of that name below a folder. Raises HackjackError where it is missing, or leads out of it."""
    path = path_in(folder, name)
    try:
        real = path.resolve()
        if not real.is_relative_to(folder.resolve()):
            raise HackjackError(f"{name} is outside the pack: put the file itself into the folder, not a link to it")
        if not real.is_file():
            there = "is not a regular file" if real.exists() else "is not there"
            raise HackjackError(f"{name} {there}: name a file in the pack's folder")
    except (OSError, RuntimeError, ValueError) as error:
        raise HackjackError(f"{name} cannot be found: {getattr(error, 'strerror', None) or error}") from error
    return real


def stamped_inside(folder: Path, name: str) -> tuple[Path, int, int]:
    """Return the file of that name below a folder, when it was changed (ns), and its bytes. Raises HackjackError."""
    path = file_inside(folder, name)
    try:
        about = path.stat()
        return path, about.st_mtime_ns, about.st_size
    except OSError as error:
        raise HackjackError(f"{name} cannot be read: {error.strerror}") from error


def first_bytes(path: Path, name: str, most: int) -> bytes:
    """Return a file's content, up to one byte more than allowed. Raises HackjackError that calls it by that name."""
    try:
        with path.open("rb") as stream:
            return stream.read(most + 1)
    except OSError as error:
        raise HackjackError(f"{name} cannot be read: {error.strerror}") from error


MAX_TEXT_BYTES = 1_000_000
"""Of a file that people write or paste."""


def limited_text(
    path: Path, shown: str, *, larger: str, save: str = "save the file as UTF-8", wide: bool = False
) -> str:
    """Return the text of a file that may be anybody's; `shown` is the name that problems give it.

    `larger` says what to do with one that is too large, `save` with one that is no UTF-8; where `wide`, UTF-16 is read
    as well, in which spreadsheets and pages come. Raises ContentError.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_TEXT_BYTES + 1)
    except OSError as error:
        raise ContentError([Problem(shown, 0, 0, f"cannot be read: {error.strerror or error}")]) from error
    if len(raw) > MAX_TEXT_BYTES:
        raise ContentError([Problem(shown, 0, 0, f"the file is larger than {MAX_TEXT_BYTES:,} bytes: {larger}")])
    try:
        return raw.decode("utf-16" if wide and raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ContentError([Problem(shown, line, 1, f"this is not UTF-8 text: {save}")]) from error


@contextmanager
def written_whole(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A stream to fill; when the block ends well the file takes its place, otherwise the old file stays untouched.

    A `private` file can be read and written by its owner alone.
    Raises DiskError with a sentence when the disk says no.
    """
    import tempfile  # only what prints writes files; the resolver should start fast

    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o600 if private else 0o666 & ~_umask())
        temporary.replace(path)
        temporary = None
    except OSError as error:
        if file := next((above for above in path.parents if above.is_file()), None):
            raise DiskError(f"{file} is a file: name a folder") from error
        # Windows does not let go of a file that somebody looks at.
        hint = ": if another program shows it, close it there" if _is_held(error, path, temporary) else ""
        raise DiskError(f"{path}: cannot be written: {error.strerror or error}{hint}") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def save_file(data: bytes, path: Path) -> None:
    """Write the file whole or not at all. Raises DiskError."""
    with written_whole(path) as stream:
        stream.write(data)


def _is_held(error: OSError, path: Path, temporary: Path | None) -> bool:
    """Return whether a file is in use elsewhere: its folder took a new one, and it may not be replaced all the same."""
    return isinstance(error, PermissionError) and temporary is not None and path.is_file()


def _sweep(path: Path) -> None:
    """Take away what a process left that was killed while it wrote the same file, unless that may go on still."""
    before = time.time() - LEFT_OVER
    for other in path.parent.glob(f".{escape(path.name)}.????????"):
        with suppress(OSError):
            if other.lstat().st_mtime < before and other.is_file():
                other.unlink()


@cache
def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


Stamp = Mapping[Path, tuple[int, int, int]]
"""For each file that is there: when it was changed, how long it is, and which file it is."""


def file_stamps(paths: Iterable[Path]) -> Stamp:
    """Return the stamps of those files that are there."""
    stamps = {}
    for path in paths:
        try:
            about = path.stat()
        except (OSError, ValueError):
            continue
        stamps[path] = (about.st_mtime_ns, about.st_size, about.st_ino)
    return stamps


def is_litter(name: str) -> bool:
    """Return whether a Mac adds files or folders of that name to archives and to disks that are not its own."""
    return name in ("__MACOSX", ".DS_Store") or name.startswith("._")

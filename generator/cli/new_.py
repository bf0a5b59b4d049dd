"""`hackjack new`: a pack of one's own, to be edited."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import click

from generator.base.errors import HackjackError, Problem, UsageError
from generator.base.files import is_device
from generator.cli import echo, note
from generator.cli import shell_completion as complete
from generator.cli.options import quiet_option
from generator.pack import content, pack_locations, pasted_tables, themes
from generator.pack import scaffold as founding

_TAKEN = ("calibration", "targets", "themes", "all", "true", "false", "null")
"""Names that mean something else: to a command, or in YAML."""


@click.command("new")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option(
    "--from", "base", shell_complete=complete.systems, metavar="SYSTEM", help="What to begin with.  [default: hackjack]"
)
@click.option("--extends", "small", is_flag=True, help="Only what differs: everything else stays with SYSTEM.")
@click.option("--blank", is_flag=True, help="Begin with a table and an event, or with the numbers of a KIND.")
@click.option("--kind", metavar="KIND", help="With --blank: harm, blackjack, field, traits or steps.  [default: steps]")
@click.option(
    "--from-table",
    "tables",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Begin with the tables of a file: Markdown, HTML, CSV, or text copied from a page.",
)
@click.option(
    "--theme",
    shell_complete=complete.themes,
    metavar="NAME",
    help="With the look of a theme of ours, to be changed.",
)
@quiet_option
def command(
    name: str,
    folder: Path | None,
    base: str | None,
    small: bool,
    blank: bool,
    kind: str | None,
    tables: Path | None,
    theme: str | None,
) -> None:
    """Make a pack of your own in the folder DIR, by default ./NAME: content, schemas for editors, and what to do next.

    It holds all the content of SYSTEM to be changed, or with --extends only a first entry of each kind, or with --blank
    next to nothing, or with --from-table the tables that you have. With --theme its look is a file to be changed, too.
    """
    check_name(name)
    begun = [way for way, value in (("--from", base), ("--blank", blank), ("--from-table", tables)) if value]
    if len(begun) > 1 or (small and (blank or tables)):
        raise UsageError(f"{' and '.join([*begun, *(['--extends'] if small else [])])} do not go together: choose one")
    if kind and not blank:
        raise UsageError(f"--kind belongs to --blank: write hackjack new {name} --blank --kind {kind[:40]}")
    target = free(folder or Path(name))
    look = themes.named(theme) if theme else None
    files, unread = _files(name, base or "hackjack", small, blank, kind, tables)
    if look:
        files = founding.themed(files, name, look)
    write(target, files)
    if unread:
        echo(*map(str, unread), err=True)
    note(f"{target}: {', '.join(path for path in files if '/' not in path)}")
    note(f"next: hackjack check {target}, then hackjack serve --preview {target}")


def _files(
    name: str, base: str, small: bool, blank: bool, kind: str | None, tables: Path | None
) -> tuple[dict[str, bytes], tuple[Problem, ...]]:
    """The files of the pack, and what could not be read of the tables that it begins with."""
    if tables is not None:
        pasted = pasted_tables.read(tables)
        return founding.blank(name, pasted.tables), pasted.unread
    if not blank:
        pack = content.load(pack_locations.find(base))
        return (founding.extending(name, pack) if small else founding.copied(name, pack)), ()
    if kind in (None, "steps"):
        return founding.blank(name), ()
    packs = {tag: name for name in content.shipped() if (tag := content.kind_of(name)) != "steps"}
    if kind not in packs:
        raise UsageError(f'there is no kind "{str(kind)[:40]}": choose {" or ".join([*sorted(packs), "steps"])}')
    return founding.numbers_alone(name, content.load(content.find(packs[kind]))), ()


def check_name(name: str) -> None:
    """Raises UsageError for a name that a pack cannot have."""
    if not pack_locations.is_name(name):
        plain = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in name.lower()).strip("_")[:40]
        hint = f': did you mean "{plain}"?' if pack_locations.is_name(plain) else ""
        message = "is no name for a pack: write 1 to 40 of a-z, 0-9 and _, beginning with a letter"
        raise UsageError(f'"{name[:60]}" {message}{hint}')
    if name in pack_locations.shipped():
        raise UsageError(f'"{name}" is a system that ships: give your pack a name of its own')
    if name in _TAKEN or is_device(name):
        raise UsageError(f'"{name}" means something else: give your pack another name')


def free(target: Path) -> Path:
    """The same folder, in which a pack may be written. Raises UsageError where something is there."""
    if target.is_symlink() or (target.exists() and not _empty(target)):
        raise UsageError(f"{target} already exists: name a new folder, for files are never overwritten")
    return target


def _empty(folder: Path) -> bool:
    try:
        return folder.is_dir() and next(folder.iterdir(), None) is None
    except OSError:
        return False


def write(target: Path, files: dict[str, bytes]) -> None:
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

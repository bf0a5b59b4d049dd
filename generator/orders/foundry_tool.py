"""Foundry's own compendium tool, where it is installed: it packs a module's sources into the databases of Foundry."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.base import archives
from generator.base.errors import HackjackError
from generator.base.files import written_whole

TOOL = "fvtt"
MAX_SECONDS = 120


def tool_path() -> str | None:
    """Return the path of the tool, or None."""
    return shutil.which(TOOL)


def pack_module(module: Path, folders: Sequence[str]) -> tuple[Path, ...]:
    """Pack the folders of `src` of a module into `packs`, in place of what is there; gives the files.

    Raises HackjackError where the tool is not installed, fails, or takes longer than `MAX_SECONDS`; then what was
    packed before stays.
    """
    tool = tool_path()
    if tool is None:
        raise HackjackError(f"{TOOL} is not installed: npm install -g @foundryvtt/foundryvtt-cli")
    with tempfile.TemporaryDirectory(prefix=".packs.", dir=module) as beside:
        for folder in folders:
            source = ["--in", str(module / "src" / folder), "--out", beside]
            _run([tool, "package", "pack", "-n", folder, "--type", "Module", "--id", module.name, *source], module)
        made, packs = Path(beside) / "packs", module / "packs"
        made.mkdir()
        for folder in folders:
            (Path(beside) / folder).rename(made / folder)
        shutil.rmtree(packs, ignore_errors=True)
        made.rename(packs)
    return tuple(sorted(_files(packs)))


def packed_module(output: Path, names: Sequence[str]) -> Iterator[Path]:
    """Pack a module whose files were written below a folder, and then all of it into one ZIP; gives these files.

    Raises HackjackError, DiskError.
    """
    module = output / names[0].partition("/")[0]
    inner = [name.partition("/")[2] for name in names]
    packed = pack_module(module, [*dict.fromkeys(name.split("/")[1] for name in inner if name.startswith("src/"))])
    yield from packed
    taken = [module / "module.json", *sorted((module / "pictures").rglob("*.png")), *packed]
    archive = module.with_suffix(".zip")
    with written_whole(archive) as stream:
        archives.write_archive(stream, {f"{module.name}/{each.relative_to(module).as_posix()}": each for each in taken})
    yield archive


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that Foundry reads: locks and logs are of this machine alone."""
    return (path for path in folder.rglob("*") if path.is_file() and path.name not in ("LOCK", "LOG", "LOG.old"))


def _run(command: Sequence[str], module: Path) -> None:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=MAX_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise HackjackError(f"{module}: {TOOL} takes more than {MAX_SECONDS} seconds: pack it by hand") from error
    except OSError as error:
        raise HackjackError(f"{module}: {TOOL} cannot be run: {error.strerror or error}") from error
    if ran.returncode:
        output = (ran.stderr or ran.stdout).strip().splitlines()
        raise HackjackError(
            f"{module}: {TOOL} could not pack it: {output[-1][:200] if output else 'it does not say why'}"
        )

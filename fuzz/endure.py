"""How much the program endures: `python fuzz/endure.py --minutes 5`, or `--full`, as long as it takes.

Prints, journals and the page are killed at random with `kill -9`, disks are full, and journals, packs, archives and
PDFs are damaged. A table says how many were tried and what became of them; the exit status is 1 if anything was lost.
The same seed damages the same files in the same way: `--only packs --first 812` tries one of them again.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import platform
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import trials  # noqa: E402 - the lines before say where it lies
from declared import watch  # noqa: E402
from trials import Trial  # noqa: E402

from generator import cli  # noqa: E402

MAX_SECONDS = 5.0
"""Of processor time that a damaged file may take."""
MAX_MEMORY = 1_000_000_000
"""Bytes that a process may hold."""
COLUMNS = ("tried", "lost", "hung", "status 70", "aborted", "over 5 s", "slowest", "memory")


@dataclass
class Row:
    """A line of the table: what is tried, how often in full, and what became of it."""

    said: str
    trial: Trial
    full: int
    strange: bool = False
    """Whether it reads what strangers wrote, which may take no more than MAX_SECONDS."""
    tried: int = 0
    lost: int = 0
    units: int = 0
    slow: int = 0
    slowest: float = 0.0
    memory: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, number: int, told: trials.Told, name: str) -> list[str]:
        """Add what became of a trial. Gives what went wrong, in sentences."""
        self.tried, self.lost, self.units = self.tried + told.tried, self.lost + told.lost, self.units + 1
        for end in told.ends:
            self.slowest, self.memory = max(self.slowest, end.seconds), max(self.memory, end.memory)
            if self.strange and end.seconds > MAX_SECONDS:
                self.slow += 1
                told.faults.append(f"over 5 s: {end.seconds:.1f} s of processor time")
            if end.memory > MAX_MEMORY:
                told.faults.append(f"memory: {end.memory / 1e6:.0f} MB")
        faults = [f"{name} {number}: {fault}" for fault in told.faults]
        self.faults += told.faults
        return faults

    def cells(self) -> list[str]:
        """The cells of the line, without its name."""
        counted = [sum(fault.startswith(kind) for fault in self.faults) for kind in ("hung", "status 70", "aborted")]
        over = str(self.slow) if self.strange else "-"
        figures = [f"{self.slowest:.1f} s", f"{self.memory / 1e6:.0f} MB"]
        return [f"{self.tried:,}", str(self.lost), *map(str, counted), over, *figures]


def rows(folder: Path) -> dict[str, Row]:
    """All that can be tried, by name; `folder` keeps what is made once."""
    prints = trials.Prints(folder)
    return {
        "journals": Row("programs that play, killed", trials.killed_journals, 500),
        "commands": Row("single commands of play, killed", trials.killed_commands, 150),
        "page": Row("the page's server, killed", trials.killed_pages, 150),
        "prints": Row("prints, killed", prints.killed, 250),
        "full-prints": Row("prints on a full disk", prints.full, 150),
        "full-journals": Row("campaigns on a full disk", trials.full_journal, 100),
        "lines": Row("damaged campaigns", trials.damaged_campaigns, 1000, strange=True),
        "packs": Row("damaged packs", trials.spoilt_packs, 2000, strange=True),
        "archives": Row("damaged archives", trials.spoilt_archives, 500, strange=True),
    }


def main(arguments: list[str] | None = None) -> int:
    """Try for a while, and print what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--minutes", type=float, default=5.0, help="how long it lasts [5]")
    how.add_argument("--full", action="store_true", help="try as many of each as the guides tell of")
    parser.add_argument("--seed", type=int, default=1, help="what the damage is drawn from [1]")
    parser.add_argument("--only", default="", metavar="NAME", help="try this alone")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this one")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the folders of trials that found something")
    chosen = parser.parse_args(arguments)
    watch()
    with TemporaryDirectory() as made:
        table = rows(Path(made))
        if chosen.only and chosen.only not in table:
            parser.error(f"name one of {', '.join(table)}")
        table = {name: row for name, row in table.items() if chosen.only in ("", name)}
        _warm(Path(made))
        begun = time.monotonic()
        until = None if chosen.full else begun + 60 * chosen.minutes
        faults = _try(table, until, chosen.seed, chosen.first, chosen.keep)
    print(told(table, time.monotonic() - begun, chosen.seed))
    return int(faults > 0)


def _warm(folder: Path) -> None:
    """Load here what the copies of this process need, so that none of them loads it."""
    for words in (["check", "glog"], ["print", "hackjack", "reference", "-o", str(folder)], ["serve", "--help"]):
        with contextlib.redirect_stdout(io.StringIO()):
            cli._run(words)
    import generator.serve.app  # noqa: F401


def _try(table: Mapping[str, Row], until: float | None, seed: int, first: int, keep: Path | None) -> int:
    """Try what has been tried least, measured by what is tried in full, and each once at least. Gives how many faults.

    Without `until`, try all of it in full.
    """
    faults = 0
    while until is None or time.monotonic() < until or not all(row.units for row in table.values()):
        name = min(table, key=lambda name: table[name].tried / table[name].full)
        row = table[name]
        if until is None and row.tried >= row.full:
            break
        number = first + row.units
        with TemporaryDirectory(prefix="endure-") as folder:
            found = row.add(number, row.trial(Random(f"{seed} {name} {number}"), Path(folder)), name)
            if found and keep:
                shutil.copytree(folder, keep / f"{name}-{number}", symlinks=True, dirs_exist_ok=True)
        for fault in found:
            print(fault, file=sys.stderr, flush=True)
        faults += len(found)
        if sys.stderr.isatty():
            tried = ", ".join(f"{name} {row.tried}/{row.full}" for name, row in table.items())
            print(f"\r{tried}", end="", file=sys.stderr, flush=True)
    return faults


def told(table: Mapping[str, Row], seconds: float, seed: int) -> str:
    """The table, in Markdown, and how it was made."""
    lines = [f"| what | {' | '.join(COLUMNS)} |", f"|---|{'---:|' * len(COLUMNS)}"]
    lines += [f"| {row.said} | {' | '.join(row.cells())} |" for row in table.values()]
    kills = sum(row.tried for row in table.values() if row.said.endswith("killed"))
    day = datetime.now(UTC).date().isoformat()
    lasted = f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"
    where = f"Python {platform.python_version()} on {platform.system()}"
    return "\n".join([*lines, "", f"{kills:,} kills. Made on {day} in {lasted}, seed {seed}, {where}."])


if __name__ == "__main__":
    sys.exit(main())

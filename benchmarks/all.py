"""Every benchmark beside its peers, as one table of ratios: `python benchmarks/all.py`, some minutes.

Libraries that are not installed are left out: pip install -e '.[bench]'. `--write` puts the table into docs/speed.md.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path

from figures import Figure, table

from generator.base.files import written_whole

GUIDE = Path(__file__).parents[1] / "docs" / "speed.md"
START, END = "<!-- by python benchmarks/all.py --write -->\n", "<!-- end of the table -->\n"
PARTS = ("start", "deck", "peers", "panels", "png", "targets", "odds", "steps", "blackjack", "field")


def figures() -> Iterator[Figure]:
    """What every benchmark finds."""
    for name in PARTS:
        yield from import_module(name).figures()


def main() -> None:
    """Print the table, and write it with `--write`."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--write", action="store_true", help="put the table into docs/speed.md")
    write = reader.parse_args().write
    lines = []
    for line in table(figures()):
        print(line, flush=True)
        lines.append(line)
    where = f"{platform.system()}, {os.cpu_count()} processors, Python {platform.python_version()}, {date.today()}"
    print(where)
    if write:
        before, _, rest = GUIDE.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        with written_whole(GUIDE) as stream:
            stream.write(
                "".join((before, START, *(f"{line}\n" for line in lines), f"\n{where}\n", END, after)).encode()
            )


if __name__ == "__main__":
    main()

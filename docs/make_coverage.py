"""Write how much of each system its claims touch into `docs/authors.md`: `python docs/make_coverage.py`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.base.files import written_whole
from generator.check.claim_coverage import coverage, total
from generator.pack import content

GUIDE = Path(__file__).with_name("authors.md")
START, END = "<!-- coverage, by python docs/make_coverage.py -->\n", "<!-- end of coverage -->\n"


def table() -> Iterator[str]:
    """The lines of the table, a system each."""
    yield "| system | claims | events that a claim tries | of what may happen, no claim touches |"
    yield "|---|---|---|---|"
    for name in content.shipped():
        system = content.load(content.find(name)).system
        found = coverage(system)
        tried = [each for each in found if each.tried]
        yield f"| `{name}` | {len(system.claims)} | {len(tried)} of {len(found)} | {100 * total(found):.0f} % |"


def renewed(text: str) -> str:
    """The guide with the figures as they are now."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return before + START + "".join(f"{line}\n" for line in table()) + END + after


if __name__ == "__main__":
    written = renewed(GUIDE.read_text(encoding="utf-8"))
    with written_whole(GUIDE) as stream:
        stream.write(written.encode())

"""How long 54 cards as 300-dpi PNG files take beside pypdfium2 and Pillow alone, which draw and save the same pages.

The bare run is given the finished PDF; ours begins with the content, lays the cards out, draws them, and writes each
file whole. Both write the same pictures into a folder, in turns, in one process. Run: python benchmarks/png.py
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import median

import pypdfium2
from figures import Figure, tell

from generator.cli import _run
from generator.layout import sheets
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.products import deck

ROUNDS = 5
DPI = 300
ALONE = "pypdfium2 and Pillow alone"


def bare(pdf: bytes, folder: Path) -> None:
    """Every page as a PNG file, with nothing around it."""
    document = pypdfium2.PdfDocument(pdf)
    for number, page in enumerate(document):
        page.render(scale=DPI / 72 - 1e-6).to_pil().save(folder / f"{number}.png", dpi=(DPI, DPI))
    document.close()


def ours(folder: Path, jobs: int) -> None:
    """The command, from content to files."""
    with redirect_stdout(StringIO()):
        wishes = ["--target", "png", "--jokers", "--backs", "none", "--jobs", str(jobs)]
        code = _run(["print", "hackjack", "deck", *wishes, "-o", str(folder)])
    if code:
        raise SystemExit(f"the command failed with {code}")


def timed(work: Callable[[Path], None], folder: Path) -> float:
    """Seconds for one run into a folder of its own."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        begun = time.perf_counter()
        work(Path(own))
        taken = time.perf_counter() - begun
        written = len(list(Path(own).rglob("*.png")))
    if written != 54:
        raise SystemExit(f"{written} pictures instead of 54")
    return taken


def figures() -> Iterator[Figure]:
    """The medians."""
    system = load_pack(find("hackjack")).system
    options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], backs="none", jokers=True)
    pdf = deck.singles(system, options)
    ways: dict[str, Callable[[Path], None]] = {
        ALONE: lambda folder: bare(pdf, folder),
        "1 job": lambda folder: ours(folder, 1),
        "2 jobs": lambda folder: ours(folder, 2),
        "4 jobs": lambda folder: ours(folder, 4),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for name, work in ways.items():
                times[name].append(timed(work, Path(folder)))
    alone, *_ = (median(taken) for taken in times.values())
    for name, taken in times.items():
        if name != ALONE:
            yield Figure(f"54 cards as PNG at {DPI} dpi, {name}", median(taken), ALONE, alone)


if __name__ == "__main__":
    tell(figures())

"""How long after a card is saved its PDF is there: `hackjack print --watch` on the whole deck, as somebody writes.

The clock starts when the file has been saved and stops when the PDF has taken the place of the old one; looking for the
change, waiting until the file has settled, reading, checking, printing 52 cards, looking them over and writing are all
in it. The aim is half a second. Run: python benchmarks/watch.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 12
AIM = 0.5


def main() -> None:
    """Measure and print a line for each way of saving."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
        hackjack = [sys.executable, "-m", "generator"]
        made = [*hackjack, "new", "mine", "--extends"]
        subprocess.run(made, cwd=here, env=environment, check=True, stdout=subprocess.DEVNULL)
        watch = [*hackjack, "print", "mine", "deck", "--pack", "mine", "--watch"]
        process = subprocess.Popen(
            watch, cwd=here, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            deck, pdf = here / "mine" / "deck.yaml", here / "output" / "mine-deck.pdf"
            changed(pdf, 0)
            for name, rename in (("written in place", False), ("renamed into place", True)):
                took = [saved(deck, pdf, f"{name} {number}", rename=rename) for number in range(ROUNDS)]
                within = sum(seconds <= AIM for seconds in took)
                times = f"median {median(took):.3f} s, most {max(took):.3f} s"
                print(f"{name:<19} {times}, {within} of {ROUNDS} within {AIM} s")
            if hasattr(os, "getloadavg"):
                print(f"on {os.cpu_count()} processors with {os.getloadavg()[0]:.1f} programs at work")
        finally:
            process.terminate()
            process.wait()


def saved(deck: Path, pdf: Path, name: str, *, rename: bool) -> float:
    """The seconds from saving a card under another name to its PDF."""
    time.sleep(0.3)
    before = pdf.stat().st_mtime_ns
    lines = deck.read_text(encoding="utf-8").splitlines()
    lines = [f"  name: {name}" if line.startswith("  name: ") else line for line in lines]
    target = deck.with_suffix(".new") if rename else deck
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if rename:
        target.replace(deck)
    begun = time.perf_counter()
    changed(pdf, before)
    return time.perf_counter() - begun


def changed(pdf: Path, before: int) -> None:
    """Wait until the file is there, and another than before."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if pdf.is_file() and pdf.stat().st_mtime_ns != before:
            return
        time.sleep(0.002)
    raise SystemExit("nothing was printed for a minute")


if __name__ == "__main__":
    main()

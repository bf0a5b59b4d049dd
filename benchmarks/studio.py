"""How long somebody waits in the studio, and how much memory it takes, asked as its page asks: `hackjack studio`.

Measured are: from the command to the first picture; from a saved card to its new picture; from a cell that is left to
what is wrong with it; from an option of a deck to the first page of the new PDF, at rest and while odds are counted and
cards are drawn; and the memory of the server and of its helpers after 100 prints. Linux alone. Run: python
benchmarks/studio.py
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROUNDS, PRINTS = 20, 100
LOOKS: dict[str, tuple[str, ...]] = {
    "ink": ("full", "saver", "mono"),
    "suits": ("two", "four"),
    "contrast": ("normal", "high"),
    "marks": ("cut", "crop", "none"),
    "paper": ("a4", "letter"),
    "card": ("poker", "bridge"),
}


class Browser:
    """What a browser does with the studio."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key = port, key

    def ask(self, path: str, body: Any = None) -> Any:
        """Send a request; JSON is decoded."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        raw = None if body is None else json.dumps(body).encode()
        head = {"Authorization": f"Bearer {self._key}"}
        connection.request("GET" if body is None else "POST", f"/api/{path}", raw, head)
        answer = connection.getresponse()
        found = answer.read()
        connection.close()
        assert answer.status == 200, found
        return json.loads(found) if answer.headers.get_content_type() == "application/json" else found

    def versions(self) -> Callable[[], int]:
        """Follow the changes of packs; gives what waits for the next one."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        connection.request("GET", f"/api/events?key={self._key}")
        stream = connection.getresponse()

        def following() -> int:
            while line := stream.readline():
                if line.startswith(b"data: {") and b"version" in line:
                    return int(json.loads(line.removeprefix(b"data: "))["version"])
            raise EOFError

        return following

    def first_page(self, options: dict[str, str]) -> float:
        """Seconds from an option to the first page of the new PDF."""
        began = time.perf_counter()
        printed = self.ask("print", {"system": "hackjack", "product": "deck", "options": options})
        self.ask(f"page?job={printed['job']}&page=0")
        return time.perf_counter() - began


def card_saved(browser: Browser, deck: Path, number: int, changed: Callable[[], int]) -> float:
    """Seconds from renaming a card to its picture."""
    text = re.sub(r"name: .*", f"name: Winded {number}", deck.read_text(encoding="utf-8"))
    time.sleep(0.4)
    began = time.perf_counter()
    deck.write_text(text, encoding="utf-8")
    changed()
    items = browser.ask("system?of=mine")["products"][0]["items"]
    card = next(item for item in items if item["title"] == f"Winded {number}")
    browser.ask(f"picture?system=mine&of={card['id']}&stamp={card['stamp']}")
    return time.perf_counter() - began


def cell_left(browser: Browser, number: int) -> float:
    """Seconds from a cell that is left to what is wrong with it, its row and its sentences."""
    seen = browser.ask("grid?of=mine&part=deck")["seen"]
    cell = {"row": 1, "path": ["emblem"], "value": ("eye", "eyes")[number % 2]}
    body = {"pack": "mine", "part": "deck", "seen": seen, "change": {"do": "cells", "cells": [cell]}}
    began = time.perf_counter()
    faults = browser.ask("write", body)["faults"]
    assert len(faults) == number % 2
    return time.perf_counter() - began


def busy(browser: Browser, ends: threading.Event) -> None:
    """Count and draw, one thing after another."""
    cards = [item["id"] for item in browser.ask("system?of=deadlands")["products"][0]["items"]]
    for limit, card in zip(itertools.count(15), itertools.cycle(cards), strict=False):
        if ends.is_set():
            return
        browser.ask(f"picture?system=deadlands&of={card}&stamp={limit}")
        if limit % 10 == 0:
            browser.ask("compare", {"system": "hackjack", "rules": {"limit": str(15 + limit % 5)}})


def memory(pid: int) -> float:
    """The resident memory of a process, MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def worked(server: int) -> float:
    """The processor time of a server and of its helpers, seconds: on a machine that others use it says more."""
    pids = subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True, check=False).stdout.split()
    stats = [
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split() for pid in (server, *pids)
    ]
    return sum(int(user) + int(system) for *_, user, system in (each[:13] for each in stats)) / os.sysconf("SC_CLK_TCK")


def plain_loop() -> float:
    """The processor time of ten million additions, to compare machines with."""
    began = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - began


def told(
    what: str, server: int, measured: Callable[[], float], rounds: int = ROUNDS, before: float | None = None
) -> None:
    """Measure something a few times, and print a line."""
    before = worked(server) if before is None else before
    took = [measured() for _ in range(rounds)]
    processor = (worked(server) - before) / rounds
    print(
        f"{what:<44} median {median(took):.2f} s, most {max(took):.2f} s of {rounds}; processor {processor:.2f} s each",
        flush=True,
    )


def measure(home: Path) -> None:
    """Measure one studio."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "HACKJACK_HOME": str(home)}
    program = [sys.executable, "-m", "generator"]
    pack = home / "packs" / "mine"
    new = [*program, "new", "mine", str(pack), "--extends"]
    subprocess.run(new, env=environment, check=True, stdout=subprocess.DEVNULL)
    began = time.perf_counter()
    server = subprocess.Popen(
        [*program, "studio", "--no-open"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        link = re.search(r":(\d+)/\?key=([\w-]+)", server.stdout.readline())
        assert link
        browser = Browser(int(link[1]), link[2])
        browser.ask("shelf")
        cover = browser.ask("spine?of=hackjack")["cover"]
        browser.ask(f"picture?system=hackjack&of={cover[0]['id']}")
        told("from the command to the first picture", server.pid, lambda: time.perf_counter() - began, 1, 0)
        changed = browser.versions()
        changed()
        browser.ask("spine?of=mine")
        numbers = itertools.count()
        card = partial(card_saved, browser, pack / "deck.yaml")
        told("from a saved card to its picture", server.pid, lambda: card(next(numbers), changed))
        cells = itertools.count()
        cell_left(browser, next(cells))
        cell_left(browser, next(cells))
        told("from a cell that is left to its errors", server.pid, lambda: cell_left(browser, next(cells)))
        looks = (dict(zip(LOOKS, each, strict=True)) for each in itertools.product(*LOOKS.values()))
        browser.first_page({})
        told("from an option to the first page, at rest", server.pid, lambda: browser.first_page(next(looks)))
        ends = threading.Event()
        other = threading.Thread(target=busy, args=(browser, ends))
        other.start()
        time.sleep(1)
        told("the same while others draw and count", server.pid, lambda: browser.first_page(next(looks)))
        ends.set()
        other.join()
        for options in itertools.islice(looks, PRINTS - 2 * ROUNDS):
            browser.first_page(options)
        helpers = subprocess.run(["pgrep", "-P", str(server.pid)], capture_output=True, text=True, check=True)
        sizes = ", ".join(f"{memory(int(pid)):.0f} MB" for pid in helpers.stdout.split())
        print(f"after {PRINTS} prints: the server {memory(server.pid):.0f} MB, its helpers {sizes}")
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Measure, and say on what."""
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder))
    print(f"on {os.cpu_count()} processors with {os.getloadavg()[0]:.1f} programs at work")
    print(f"ten million additions take {plain_loop():.2f} s of a processor here")


if __name__ == "__main__":
    main()

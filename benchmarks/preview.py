"""How long after a save the preview shows it: `hackjack serve --preview`, as a browser hears of it and fetches it.

The clock starts when a file has been saved. It stops when the new picture of the card has been fetched, when a fault is
told, and when the panel that lists the card is there. The aim is half a second. Run: python benchmarks/preview.py
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROUNDS = 15
AIM = 0.5

State = dict[str, Any]


class Browser:
    """What a browser does with the preview: it follows the stream and fetches pictures."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key = port, key
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", f"/api/events?key={key}")
        self._states = _states(connection.getresponse())

    def until(self, look: Callable[[State], object]) -> State:
        """The first state, from now on, of which something holds."""
        return next(state for state in self._states if look(state))

    def fetch(self, item: str) -> bytes:
        """A picture."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("GET", f"/api/picture?of={item}&key={self._key}")
        answer = connection.getresponse()
        raw = answer.read()
        connection.close()
        assert answer.status == 200, raw
        return raw


def _states(stream: http.client.HTTPResponse) -> Iterator[State]:
    while line := stream.readline():
        if line.startswith(b"data: {") and b'"products"' in line:
            yield json.loads(line.removeprefix(b"data: "))


def item(state: State, product: str, name: str) -> State:
    """A card or a page."""
    found = (each for one in state["products"] if one["name"] == product for each in one["items"])
    return next((each for each in found if each["id"] == f"{product}/{name}"), {})


def card_saved(browser: Browser, deck: Path, number: int) -> tuple[float, float]:
    """Seconds from renaming a card to its picture, and to the panel that lists it."""
    before = browser.until(lambda state: not state["checking"])
    deck.write_text(re.sub(r"name: .*", f"name: Winded {number}", deck.read_text(encoding="utf-8")), encoding="utf-8")
    begun = time.perf_counter()
    browser.until(lambda state: item(state, "deck", "AC").get("title") == f"Winded {number}")
    browser.fetch("deck/AC")
    seen = time.perf_counter() - begun
    old = item(before, "screen", "2")["stamp"]
    browser.until(lambda state: item(state, "screen", "2")["stamp"] != old)
    browser.fetch("screen/2")
    return seen, time.perf_counter() - begun


def fault_saved(browser: Browser, deck: Path) -> float:
    """Seconds from a save until its fault is told; it is mended afterwards."""
    sound = deck.read_text(encoding="utf-8")
    deck.write_text(sound.replace("effects:", "effekts:"), encoding="utf-8")
    begun = time.perf_counter()
    browser.until(lambda state: state["faults"])
    told = time.perf_counter() - begun
    deck.write_text(sound, encoding="utf-8")
    browser.until(lambda state: not state["faults"])
    return told


def main() -> None:
    """Measure and print a line for each thing that an author waits for."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "HACKJACK_HOME": folder}
        hackjack = [sys.executable, "-m", "generator"]
        subprocess.run(
            [*hackjack, "new", "mine", "--extends"], cwd=here, env=environment, check=True, stdout=subprocess.DEVNULL
        )
        begun = time.perf_counter()
        server = subprocess.Popen(
            [*hackjack, "serve", "--preview", "mine"],
            cwd=here,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            link = re.search(r":(\d+)/\?key=([\w-]+)", server.stdout.readline())
            assert link
            browser = Browser(int(link[1]), link[2])
            browser.until(lambda state: state["products"])
            browser.fetch("deck/AC")
            print(f"{'first card, from the start':<28} {time.perf_counter() - begun:.3f} s")
            deck = here / "mine" / "deck.yaml"
            times = [card_saved(browser, deck, number) for number in range(ROUNDS)]
            browser.until(lambda state: not state["checking"])
            faults = [fault_saved(browser, deck) for _ in range(ROUNDS)]
            cards, panels = zip(*times, strict=True)
            for what, took in (("a card", cards), ("the panel that lists it", panels), ("a fault", faults)):
                within = sum(seconds <= AIM for seconds in took)
                times_taken = f"median {median(took):.3f} s, most {max(took):.3f} s"
                print(f"{what:<28} {times_taken}, {within} of {ROUNDS} within {AIM} s")
            if hasattr(os, "getloadavg"):
                print(f"on {os.cpu_count()} processors with {os.getloadavg()[0]:.1f} programs at work")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()

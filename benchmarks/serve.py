"""The page at the table: its start, how soon 20 devices hear of a command, and 50 devices with 1,000 commands.

Everything goes over real sockets of this computer. Run: python benchmarks/serve.py
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

STARTS, ROUNDS = 7, 40
FEW, MANY, COMMANDS = 20, 50, 1000


class Server:
    """`hackjack serve` in a process of its own, with the game master's link."""

    def __init__(self, home: str) -> None:
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "generator", "serve"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HACKJACK_HOME": home},
        )
        assert self.process.stdout is not None
        link = re.search(r":(\d+)/\?key=([\w-]+)", self.process.stdout.readline())
        assert link
        self.port, self.key = int(link[1]), link[2]
        self.ask("state")
        self.started = time.perf_counter() - begun

    def connection(self) -> http.client.HTTPConnection:
        """A connection of its own."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, path: str, body: object = None, over: http.client.HTTPConnection | None = None) -> tuple[int, object]:
        """A request; over a connection that stays open, where one is given."""
        connection = over or self.connection()
        raw = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", f"/api/{path}?key={self.key}", raw)
        answer = connection.getresponse()
        value = json.loads(answer.read())
        if over is None:
            connection.close()
        return answer.status, value

    @property
    def memory(self) -> float:
        """MB that the process holds, as Linux tells it."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1000 if found else 0.0

    def end(self) -> None:
        """Let it end."""
        self.process.terminate()
        self.process.wait()


@contextmanager
def served() -> Iterator[Server]:
    """A server with two people at its table."""
    with tempfile.TemporaryDirectory() as home:
        server = Server(home)
        for name in ("Bryn", "Cara"):
            server.ask("do", {"id": name, "words": ["add", name, "hp", "9000"]})
        try:
            yield server
        finally:
            server.end()


class Follower(threading.Thread):
    """A device that looks on; `seen` says when it heard of each line of the journal."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self._server, self.seen = server, dict[int, float]()

    def run(self) -> None:
        """Read the stream until it ends."""
        connection = self._server.connection()
        connection.request("GET", f"/api/events?key={self._server.key}")
        stream = connection.getresponse()
        while line := stream.readline():
            if line.startswith(b"data: {") and (found := re.search(rb'"on":(\d+)', line)):
                self.seen[int(found[1])] = time.perf_counter()


def latency(server: Server) -> list[float]:
    """Seconds from sending a command until each of the devices has the new state."""
    devices = [Follower(server) for _ in range(FEW)]
    for device in devices:
        device.start()
    time.sleep(1)
    connection, found = server.connection(), []
    for number in range(ROUNDS):
        sent = time.perf_counter()
        _, answer = server.ask("do", {"id": f"latency-{number}", "words": ["poison", "bryn", "1"]}, connection)
        assert isinstance(answer, dict)
        time.sleep(0.15)
        found += [device.seen[answer["on"]] - sent for device in devices if answer["on"] in device.seen]
    assert len(found) == ROUNDS * FEW, "a device has missed a state"
    return found


def load(server: Server) -> tuple[float, int]:
    """Seconds for all commands of all devices, and how many lines the journal has more."""
    devices = [Follower(server) for _ in range(MANY)]
    for device in devices:
        device.start()

    def work(who: int) -> None:
        connection = server.connection()
        for number in range(COMMANDS // MANY):
            body = {"id": f"load-{who}-{number}", "words": ["poison", "cara", "1"]}
            while server.ask("do", body, connection)[0] in (429, 503):
                time.sleep(0.05)

    before = server.ask("state")[1]
    workers = [threading.Thread(target=work, args=(who,)) for who in range(MANY)]
    begun = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    taken = time.perf_counter() - begun
    after = server.ask("state")[1]
    assert isinstance(before, dict) and isinstance(after, dict)
    return taken, after["on"] - before["on"]


def main() -> None:
    """Print what was measured."""
    starts = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as home:
            server = Server(home)
            starts.append(server.started)
            server.end()
    print(f"start until the first answer: {median(starts) * 1000:.0f} ms")
    with served() as server:
        found = latency(server)
        print(f"{FEW} devices hear of a command after {median(found) * 1000:.0f} ms (worst {max(found) * 1000:.0f} ms)")
        held = server.memory
        taken, lines = load(server)
        print(f"{MANY} devices, {COMMANDS} commands: {taken:.1f} s, {lines} lines; {held:.0f} MB before", end="")
        load_again = server.memory
        print(f", {load_again:.0f} MB after")


if __name__ == "__main__":
    main()

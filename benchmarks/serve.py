"""The page at the table: its start, how soon 20 devices show a command, and what 50 devices with 1,000 commands cost.

Everything goes over real sockets of this computer; the devices read the stream as a page does. Run:
python benchmarks/serve.py
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

STARTS, ROUNDS, TYPED = 9, 40, 10
FEW, MANY, COMMANDS = 20, 50, 1000
PATIENCE = 10.0


class Server:
    """`hackjack serve` in a process of its own, with the game master's link."""

    def __init__(self, home: str) -> None:
        begun = time.perf_counter()
        self.environment = {**os.environ, "HACKJACK_HOME": home}
        # Where nothing may be kept, every start would compile all modules anew: that is no start that people know.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.journal = Path(home) / "campaigns" / "table.hackjack"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "generator", "serve"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self.environment,
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

    def ask(self, path: str, body: object = None, over: http.client.HTTPConnection | None = None) -> tuple[int, Any]:
        """A request; over a connection that stays open, where one is given."""
        connection = over or self.connection()
        raw = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", f"/api/{path}?key={self.key}", raw)
        answer = connection.getresponse()
        value = json.loads(answer.read())
        if over is None:
            connection.close()
        return answer.status, value

    def play(self, *words: str) -> None:
        """A command at the terminal."""
        command = [sys.executable, "-m", "generator", "play", *words]
        subprocess.run(command, env=self.environment, check=True, stdout=subprocess.DEVNULL)

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
        try:
            for name in ("Bryn", "Cara"):
                server.ask("do", {"id": name, "words": ["add", name, "hp", "9000"]})
            yield server
        finally:
            server.end()


class Follower(threading.Thread):
    """A device that looks on; `seen` says when it heard of each line of the journal."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self._server, self.seen = server, dict[int, float]()
        self.start()

    def run(self) -> None:
        """Read the stream until it ends."""
        connection = self._server.connection()
        connection.request("GET", f"/api/events?key={self._server.key}")
        stream = connection.getresponse()
        while line := stream.readline():
            if line.startswith(b"data: {") and (found := re.search(rb'"on":(\d+)', line)):
                self.seen[int(found[1])] = time.perf_counter()


def following(server: Server, count: int) -> list[Follower]:
    """So many devices, all of them with the table before them."""
    on = server.ask("state")[1]["on"]
    devices = [Follower(server) for _ in range(count)]
    wait(lambda: all(on in device.seen for device in devices))
    return devices


def wait(there: Callable[[], bool]) -> None:
    """Wait until something holds. Raises TimeoutError."""
    end = time.perf_counter() + PATIENCE
    while not there():
        if time.perf_counter() > end:
            raise TimeoutError("a device has missed a state")
        time.sleep(0.002)


def shown(server: Server, devices: Sequence[Follower]) -> list[float]:
    """Seconds from sending a command until each of the devices has the new state."""
    connection, found = server.connection(), []
    for number in range(ROUNDS):
        sent = time.perf_counter()
        on = server.ask("do", {"id": f"shown-{number}", "words": ["poison", "bryn", "1"]}, connection)[1]["on"]
        wait(lambda on=on: all(on in device.seen for device in devices))  # type: ignore[misc]
        found += [device.seen[on] - sent for device in devices]
    return found


def typed(server: Server, devices: Sequence[Follower]) -> list[float]:
    """Seconds from the end of a command at the terminal until each of the devices has the new state."""
    found = []
    for _ in range(TYPED):
        on = server.ask("state")[1]["on"] + 1
        server.play("poison", "bryn", "1")
        done = time.perf_counter()
        wait(lambda on=on: all(on in device.seen for device in devices))  # type: ignore[misc]
        found += [max(device.seen[on] - done, 0.0) for device in devices]
    return found


def load(server: Server, turn: str) -> float:
    """Seconds for all commands of all devices. Raises AssertionError where one is lost or done twice."""

    def work(who: int) -> None:
        connection = server.connection()
        for number in range(COMMANDS // MANY):
            body = {"id": f"{turn}-{who}-{number}", "words": ["poison", "cara", "1"]}
            while (status := server.ask("do", body, connection)[0]) in (429, 503):
                time.sleep(0.05)
            assert status == 200

    workers = [threading.Thread(target=work, args=(who,)) for who in range(MANY)]
    begun = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    taken = time.perf_counter() - begun
    with closing(sqlite3.connect(server.journal)) as database:
        bodies = "".join(bytes(body).decode() for (body,) in database.execute("SELECT body FROM line"))
    ids = re.findall(rf'"({turn}-\d+-\d+)"', bodies)
    expected = {f"{turn}-{who}-{number}" for who in range(MANY) for number in range(COMMANDS // MANY)}
    assert len(ids) == len(expected) and set(ids) == expected, "a command is lost, or done twice"
    return taken


def told(what: str, seconds: Sequence[float]) -> None:
    """Print the median and the 95th percentile."""
    late = quantiles(seconds, n=20)[-1]
    print(f"{what}: {median(seconds) * 1000:.0f} ms (median), {late * 1000:.0f} ms (95th percentile)")


def main() -> None:
    """Print what was measured."""
    starts = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as home:
            server = Server(home)
            starts.append(server.started)
            server.end()
    told("start until the first answer", starts)
    with served() as server:
        devices = following(server, FEW)
        told(f"{FEW} devices show what one has done", shown(server, devices))
        told(f"{FEW} devices show what the terminal has done", typed(server, devices))
    with served() as server:
        devices = following(server, MANY)
        for turn in ("first", "second", "third"):
            taken = load(server, turn)
            on = server.ask("state")[1]["on"]
            wait(lambda on=on: all(on in device.seen for device in devices))  # type: ignore[misc]
            print(f"{MANY} devices, {COMMANDS} commands: {taken:.1f} s, none lost; {server.memory:.1f} MB after it")


if __name__ == "__main__":
    main()

"""The page at the table: its start, how soon 20 devices show what was committed, and what 50 cost with 1,000 commands.

Everything goes over real sockets of this computer; the devices read the stream as a page does. Run:
python benchmarks/serve.py
"""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, cast

STARTS, ROUNDS, TYPED = 9, 40, 10
FEW, MANY, COMMANDS = 20, 50, 1000
PATIENCE = 10.0

_SERVE = """
import os, sys, time
from generator.cli import main
from generator.session.journal import Journal
do, told = Journal.do, open(os.environ["HACKJACK_HOME"] + "/committed", "w", buffering=1)
def done(*all, **more):
    step = do(*all, **more)
    print(step.session.lines, time.perf_counter(), file=told)
    return step
Journal.do = done
sys.exit(main())
"""
_BARE = """
import asyncio
async def serve():
    devices = []
    async def stay(reader, writer):
        devices.append(writer)
        while raw := await reader.readuntil(b"\\n\\n"):
            for device in devices:
                device.write(raw)
    server = await asyncio.start_server(stay, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(serve())
"""


class Server:
    """`hackjack serve` in a process of its own, with the game master's link."""

    def __init__(self, home: str) -> None:
        begun = time.perf_counter()
        self.environment = {**os.environ, "HACKJACK_HOME": home}
        # Where nothing may be kept, every start would compile all modules anew: that is no start that people know.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.journal, self._committed = Path(home) / "campaigns" / "table.hackjack", Path(home) / "committed"
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, "serve"],
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
    def committed(self) -> Mapping[int, float]:
        """When each line of the journal was committed."""
        lines = map(str.split, self._committed.read_text(encoding="ascii").splitlines())
        return {int(line): float(at) for line, at in lines}

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


class Devices(threading.Thread):
    """Devices that look on, one thread for all of them; `seen` says for each when it heard of each line."""

    def __init__(self, ports: Sequence[int], asking: str = "") -> None:
        super().__init__(daemon=True)
        self.seen = [dict[int, float]() for _ in ports]
        self._selector = selectors.DefaultSelector()
        for place, port in enumerate(ports):
            device = socket.create_connection(("127.0.0.1", port))
            device.sendall(asking.encode())
            self._selector.register(device, selectors.EVENT_READ, place)
        self.start()

    def run(self) -> None:
        """Read what all are sent, until the streams end."""
        heard = [b"" for _ in self.seen]
        while self._selector.get_map():
            for key, _ in self._selector.select():
                device, place = cast(socket.socket, key.fileobj), key.data
                if not (more := device.recv(1 << 20)):
                    self._selector.unregister(device)
                *whole, heard[place] = (heard[place] + more).split(b"\n\n")
                for found in filter(None, (re.search(rb'"on":(\d+)', event) for event in whole)):
                    self.seen[place].setdefault(int(found[1]), time.perf_counter())

    def wait(self, on: int) -> None:
        """Wait until all have heard of a line. Raises TimeoutError."""
        wait(lambda: all(on in seen for seen in self.seen))


def following(server: Server, count: int) -> Devices:
    """So many devices, all of them with the table before them."""
    asking = f"GET /api/events?key={server.key} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    devices = Devices([server.port] * count, asking)
    devices.wait(server.ask("state")[1]["on"])
    return devices


def wait(there: Callable[[], bool]) -> None:
    """Wait until something holds. Raises TimeoutError."""
    end = time.perf_counter() + PATIENCE
    while not there():
        if time.perf_counter() > end:
            raise TimeoutError("a device has missed a state")
        time.sleep(0.002)


def shown(server: Server, devices: Devices) -> list[float]:
    """Seconds from the commit of a command until each of the devices has the new state."""
    connection, done = server.connection(), []
    for number in range(ROUNDS):
        done.append(server.ask("do", {"id": f"shown-{number}", "words": ["poison", "bryn", "1"]}, connection)[1]["on"])
        devices.wait(done[-1])
    return [seen[on] - server.committed[on] for on in done for seen in devices.seen]


def sent_barely(size: int) -> list[float]:
    """Seconds until so many devices have so many bytes from a server that does nothing but send them."""
    with subprocess.Popen([sys.executable, "-c", _BARE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        devices, found = Devices([port] * FEW), []
        with socket.create_connection(("127.0.0.1", port)) as asking:
            for on in range(ROUNDS):
                sent = time.perf_counter()
                asking.sendall(f'{"":{size}}"on":{on}\n\n'.encode())
                devices.wait(on)
                found += [seen[on] - sent for seen in devices.seen]
        process.terminate()
    return found


def typed(server: Server, devices: Devices) -> list[float]:
    """Seconds from the end of a command at the terminal until each of the devices has the new state."""
    found = []
    for _ in range(TYPED):
        on = server.ask("state")[1]["on"] + 1
        server.play("poison", "bryn", "1")
        done = time.perf_counter()
        devices.wait(on)
        found += [max(seen[on] - done, 0.0) for seen in devices.seen]
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
        told(f"{FEW} devices show what one has done, from its commit", shown(server, devices))
        told("the same bytes from a server that only sends", sent_barely(len(json.dumps(server.ask("state")[1]))))
        told(f"{FEW} devices show what the terminal has done", typed(server, devices))
    with served() as server:
        devices = following(server, MANY)
        for turn in ("first", "second", "third"):
            taken = load(server, turn)
            on = server.ask("state")[1]["on"]
            devices.wait(on)
            print(f"{MANY} devices, {COMMANDS} commands: {taken:.1f} s, none lost; {server.memory:.1f} MB after it")


if __name__ == "__main__":
    main()

"""A page at the table for tests: the real server on a real socket, in a thread of this process."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers import SHARED

from generator.base.text_input import split_words
from generator.check import kept_charts
from generator.model.rules import System
from generator.pack.pack_locations import user_folder
from generator.serve import server as http_server
from generator.serve.app import app_of
from generator.serve.links import GM, Links, links_file, new_links, write_links
from generator.serve.table import LiveTable
from generator.session.deeds import DeckKind
from generator.session.journal import Journal
from generator.session.session import new_campaign
from generator.studio import app as studio_app
from generator.studio.app import Studio
from generator.studio.helpers import Helper

PATIENCE = 150.0


@dataclass
class Device:
    """A device that has somebody's link."""

    port: int
    key: str
    patience: float = PATIENCE

    def ask(
        self, path: str, body: Any = None, *, method: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        """Send a request; gives status, body (JSON where it is) and headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            whole = {**({"Authorization": f"Bearer {self.key}"} if self.key else {}), **(headers or {})}
            connection.request(method or ("GET" if body is None else "POST"), path, raw, whole)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        kind = answer.headers.get_content_type()
        told = json.loads(text) if kind == "application/json" else text.decode() if kind.startswith("text/") else text
        return answer.status, told, answer.headers

    def state(self) -> Any:
        """What the device sees."""
        return self.ask("/api/state")[1]

    def do(self, *words: str, **more: Any) -> tuple[int, Any]:
        """A command as typed."""
        return self.send(words=words, **more)

    def deed(self, do: str, who: str = "", *words: str, **more: Any) -> tuple[int, Any]:
        """A command as the page sends it: missing luck is requested."""
        return self.send(deed={"do": do, "who": who, "words": words}, asking=True, **more)

    def send(self, **body: Any) -> tuple[int, Any]:
        """A command."""
        body.setdefault("id", secrets.token_hex(8))
        status, told, _ = self.ask("/api/do", body)
        return status, told

    @contextmanager
    def following(self) -> Iterator[Iterator[tuple[str, Any]]]:
        """The stream of events: names and data."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/api/events?key={self.key}")
        answer = connection.getresponse()
        assert answer.status == 200
        try:
            yield _events(answer)
        finally:
            answer.close()
            connection.close()


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = ""
    while line := answer.readline():
        kind, _, value = line.decode().strip().partition(": ")
        if kind == "event":
            name = value
        elif kind == "data":
            yield name, json.loads(value)


@dataclass
class Served:
    """A table that is served."""

    table: LiveTable
    path: Path
    links: Links
    port: int

    @property
    def gm(self) -> Device:
        """The game master's device."""
        return Device(self.port, self.links.key(GM))

    def told(self, *typed: str) -> None:
        """The game master types commands, and each is done."""
        for words in typed:
            status, answer = self.gm.do(*split_words(words))
            assert status == 200, answer

    def player(self, name: str) -> Device:
        """A player's device."""
        return Device(self.port, self.links.key(name))


@contextmanager
def serving(
    folder: Path, system: System, party: Sequence[str] = (), *, deck: DeckKind = "real", seed: int | None = None
) -> Iterator[Served]:
    """Serve a new campaign whose party has joined: `["bryn hp 7"]`."""
    path = folder / "table.hackjack"
    journal = Journal(path, system, new_campaign(system, deck, seed))
    links = new_links()
    write_links(links_file(path), links)
    table = LiveTable("table", journal, path, links, links_file(path))
    with http_server.listen(0, lan=False) as listening:
        port = listening.getsockname()[1]
        server = http_server.Server(app_of(table, http_server.addresses(port, lan=False), lan=False), table.end_streams)
        with _running(server, listening):
            served = Served(table, path, links, port)
            for words in party:
                assert served.gm.do("add", *words.split(), id=f"joins-{words.split()[0]}")[0] == 200
            yield served


@contextmanager
def _running(server: http_server.Server, listening: socket.socket) -> Iterator[None]:
    """The server in a thread, for as long as the block runs."""
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        until = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < until:
            time.sleep(0.005)
        yield
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


@contextmanager
def stopped(helper: Helper) -> Iterator[None]:
    """A helper process that comes to no end with anything, for as long as the block runs."""
    helper.start()
    assert helper.pid
    os.kill(helper.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(helper.pid, signal.SIGCONT)


@contextmanager
def studying() -> Iterator[tuple[Studio, Device]]:
    """Serve the studio, with helper processes of its own; gives it, and the device that has its link.

    The helpers keep charts with those of all tests: nobody counts Hackjack's screen again for a home of his own.
    """
    user_folder().mkdir(parents=True, exist_ok=True)
    (SHARED / kept_charts.FOLDER).mkdir(parents=True, exist_ok=True)
    if user_folder() != SHARED and not (own := user_folder() / kept_charts.FOLDER).exists():
        own.symlink_to(SHARED / kept_charts.FOLDER)
    studio = Studio(studio_app.processes())
    server = http_server.Server(studio_app.app_of(studio), studio.streams.end)
    with http_server.listen(0, lan=False) as listening, _running(server, listening):
        yield studio, Device(listening.getsockname()[1], studio.key)

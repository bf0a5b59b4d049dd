"""Clients that send slowly, never finish, or open too many connections do not keep the page from others."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from helpers import hackjack
from served import Served, serving

from generator.serve import connections

SHORT = 0.4
"""Seconds that a request may take in these tests."""


@pytest.fixture
def hurried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A table whose server waits for nobody."""
    monkeypatch.setattr(connections, "REQUEST_TIME", SHORT)
    monkeypatch.setattr(connections, "READING_TIME", SHORT)
    with serving(tmp_path, hackjack(), ["Bryn hp 7"]) as served:
        yield served


@contextmanager
def line_to(served: Served) -> Iterator[socket.socket]:
    """A bare connection."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as line:
        yield line


def sent_slowly(line: socket.socket, text: bytes) -> float:
    """Send byte after byte until the server hangs up; the seconds that it took."""
    since = time.monotonic()
    try:
        for place in range(len(text)):
            line.sendall(text[place : place + 1])
            time.sleep(SHORT / 10)
        assert line.recv(1) == b"", "the server says nothing to that"
    except (ConnectionResetError, BrokenPipeError):
        pass
    return time.monotonic() - since


def head(served: Served, *more: str) -> bytes:
    """How a request for a command begins."""
    lines = ("POST /api/do HTTP/1.1", f"Host: 127.0.0.1:{served.port}", f"Authorization: Bearer {served.gm.key}", *more)
    return "".join(f"{line}\r\n" for line in lines).encode()


def test_a_connection_that_never_sends_is_closed(hurried: Served) -> None:
    with line_to(hurried) as line:
        assert SHORT / 2 < sent_slowly(line, b"") < 10 * SHORT


def test_headers_and_bodies_that_trickle_are_not_waited_for(hurried: Served) -> None:
    endless = head(hurried, "Content-Length: 500", "") + b"{" + b" " * 400
    for text in (head(hurried) + b"X-Slow: " + b"a" * 400, endless):
        with line_to(hurried) as line:
            assert sent_slowly(line, text) < 10 * SHORT
    with line_to(hurried) as line:
        line.sendall(endless[:-300])
        assert sent_slowly(line, b" " * 100) < 10 * SHORT
    assert hurried.gm.state()["on"] == 2, "nothing was done"


def test_a_second_request_on_a_connection_has_no_more_time_than_the_first(hurried: Served) -> None:
    with line_to(hurried) as line:
        line.sendall(head(hurried, "Content-Length: 2", "") + b"{}")
        assert b"400" in line.recv(1000)
        time.sleep(1.5 * SHORT)
        assert sent_slowly(line, head(hurried) + b"X-Slow: " + b"a" * 400) < 10 * SHORT


def test_a_stream_stays_open_for_longer_than_a_request(hurried: Served) -> None:
    with hurried.gm.following() as events:
        next(events)
        time.sleep(2 * SHORT)
        hurried.told("hit bryn 1")
        assert next(events)[1]["log"][-1]["typed"] == "hit Bryn 1"


@pytest.mark.slow
def test_a_device_that_takes_nothing_of_its_stream_is_let_go(hurried: Served) -> None:
    with line_to(hurried) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /api/events?key={hurried.gm.key} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n\r\n"
        line.sendall(request.encode())
        table, until = hurried.table, time.monotonic() + 10
        while not table._streams._listeners and time.monotonic() < until:
            time.sleep(0.01)
        assert table._streams._listeners
        while table._streams._listeners and time.monotonic() < until:
            hurried.gm.do("note", "a" * 190, *["b" * 190] * 9)
        assert not table._streams._listeners


def test_connections_are_limited_by_address_and_in_all(hurried: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIME", 30.0)
    for name in ("MAX_FROM_ONE", "MAX_CONNECTIONS"):
        with ExitStack() as lines, monkeypatch.context() as limit:
            limit.setattr(connections, name, 20)
            idle = [lines.enter_context(line_to(hurried)) for _ in range(21)]
            assert idle[20].recv(1000).startswith(b"HTTP/1.1 503 "), name
            idle[0].sendall(head(hurried, "Content-Length: 2", "") + b"{}")
            assert b" 400 " in idle[0].recv(1000), "those that were there first go on"
        until = time.monotonic() + 10
        while True:
            try:
                assert hurried.gm.ask("/api/state")[0] == 200
                break
            except (ConnectionResetError, AssertionError):
                assert time.monotonic() < until, "there is room again"

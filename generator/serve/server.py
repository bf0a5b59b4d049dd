"""The server: its address, uvicorn, and how it ends."""

import gc
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

from generator.base.errors import HackjackError
from generator.serve.connections import Connection

GRACE = 1.0
"""Seconds that open connections have when the server ends."""


class Server(uvicorn.Server):
    """Uvicorn, with streams that end when it is asked to end."""

    def __init__(self, app: ASGIApp, end_streams: Callable[[], None]) -> None:
        settings = uvicorn.Config(
            app,
            access_log=False,
            log_level="critical",
            server_header=False,
            date_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            http=Connection,
            loop="asyncio",
            timeout_graceful_shutdown=int(GRACE),
        )
        super().__init__(settings)
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: a browser would hold them for good."""
        self._end_streams()
        await super().shutdown(sockets)


def listen(port: int, *, lan: bool) -> socket.socket:
    """Listen on this computer, or on its network too. Raises HackjackError for a port in use."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(("0.0.0.0" if lan else "127.0.0.1", port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        why = error.strerror or str(error)
        raise HackjackError(f"port {port} cannot be opened ({why}): choose another one with --port") from error
    return sock


def addresses(port: int, *, lan: bool) -> tuple[str, ...]:
    """Return where the page is found: in the network where it is open to that, and on this computer."""
    here = f"http://127.0.0.1:{port}"
    return tuple(dict.fromkeys((f"http://{_network_address()}:{port}", here))) if lan else (here,)


def _network_address() -> str:
    """Return this computer's address in its network, as the system would choose it; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def run(app: ASGIApp, end_streams: Callable[[], None], listening: socket.socket) -> None:
    """Serve until somebody ends it."""
    # Rubbish is looked for again, as a short command does not, but not among all that is there from the start.
    gc.freeze()
    gc.set_threshold(5_000)
    with suppress(KeyboardInterrupt):
        Server(app, end_streams).run([listening])

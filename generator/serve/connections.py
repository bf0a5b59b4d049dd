"""How long a connection may take, and how many there are: nobody keeps the page from others by sending slowly."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 400
MAX_FROM_ONE = 150
"""Connections at once, in all and from one address."""
REQUEST_TIME = 10.0
"""Seconds within which a request has arrived whole, counted from the opening of a connection or its first byte."""
READING_TIME = 30.0
"""Seconds within which a device that is behind has taken what was sent."""
CROWDED = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(H11Protocol):
    """A connection of uvicorn's that is ended when its request or its reader is late."""

    _request: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        alike = [each for each in self.connections if isinstance(each, Connection) and each._address == self._address]
        if len(self.connections) > MAX_CONNECTIONS or len(alike) > MAX_FROM_ONE:
            transport.write(CROWDED)
            transport.close()
        else:
            self._request = self._late_after(REQUEST_TIME)

    def data_received(self, data: bytes) -> None:
        """Read on. The time for a request does not begin anew with each of its bytes."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._request = self._request or self._late_after(REQUEST_TIME)
        elif self._request:
            self._request.cancel()
            self._request = None

    def pause_writing(self) -> None:
        """The device does not take what it is sent."""
        super().pause_writing()
        self._reader = self._reader or self._late_after(READING_TIME)

    def resume_writing(self) -> None:
        """The device has taken it."""
        super().resume_writing()
        if self._reader:
            self._reader.cancel()
            self._reader = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Let nothing wait for a connection that has ended."""
        super().connection_lost(exc)
        for timer in (self._request, self._reader):
            if timer:
                timer.cancel()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _late_after(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)

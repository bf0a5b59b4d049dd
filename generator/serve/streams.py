"""Server-sent events: devices that look on, and are told whenever something has changed."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from generator.base.errors import HackjackError

HEARTBEAT = 3.0
"""Seconds after which a silent stream says that it is still there."""
MAX_STREAMS = 200


class CrowdedError(HackjackError):
    """More devices look than may."""


class Streams:
    """All devices that look at one thing. Used from one event loop."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Event] = set()
        self.version = int(time.time() * 1000)
        """A number that grows with every change, when the server is started again too."""
        self.ended = False

    @property
    def followed(self) -> bool:
        """Whether any device looks."""
        return bool(self._listeners)

    def announce(self) -> None:
        """Tell all devices that something has changed."""
        self.version += 1
        self._wake()

    def end(self) -> None:
        """Let every stream end."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.set()

    def follow(
        self, view: Callable[[], bytes | None], gone: Callable[[], bytes] = lambda: b"{}"
    ) -> AsyncIterator[bytes]:
        """Yield a device's view as JSON, now and after each change; None ends the stream, with what `gone` says.

        Raises CrowdedError.

        A device that is slow is told the newest state, not each one on the way.
        """
        if len(self._listeners) >= MAX_STREAMS:
            raise CrowdedError("too many devices are connected already: close one")
        return self._events(view, gone)

    async def _events(self, view: Callable[[], bytes | None], gone: Callable[[], bytes]) -> AsyncIterator[bytes]:
        changed = asyncio.Event()
        changed.set()
        self._listeners.add(changed)
        try:
            while not self.ended:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await changed.wait()
                except TimeoutError:
                    yield b"event: beat\ndata: {}\n\n"
                    continue
                changed.clear()
                seen = view()
                if seen is None:
                    yield b"event: gone\ndata: %s\n\n" % gone()
                    return
                yield b"id: %d\nevent: state\ndata: %s\n\n" % (self.version, seen)
        finally:
            self._listeners.discard(changed)

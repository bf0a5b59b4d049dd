"""Helpers: each does one call of the workshop at a time, the most urgent first; what nobody waits for is dropped.

The server answers and waits; whatever reads content, draws or counts happens with a helper.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

PRINT, PAGE, LOOK, PICTURE, SHELF = range(5)
"""How urgent calls are, the most urgent first: a print, the first page, what a page says, pictures, the shelf."""


class Call:
    """A call that waits or is being done, and what has come of it: each part, and `done` or `error`."""

    def __init__(self, number: int, name: str, arguments: tuple[Any, ...]) -> None:
        self.number, self.name, self.arguments = number, name, arguments
        self.tries, self.left = 0, False
        self.outcome = asyncio.Queue[tuple[str, Any]]()


class Helper:
    """Calls that are made from one event loop, which a task hands on. How they are done is for those made of it."""

    def __init__(self) -> None:
        self._numbers = count()
        self._waiting: list[tuple[int, int, Call]] = []
        self._running: Call | None = None
        self._task: asyncio.Task[None] | None = None
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The number of its process, if it has one that runs."""
        return None

    def start(self) -> None:
        """Begin to load what calls need, before the first is made."""

    async def do(self, urgency: int, name: str, *arguments: Any) -> Any:
        """Return what a call of the workshop gives. Raises HackjackError."""
        return [None, *[part async for part in self.parts(urgency, name, *arguments)]][-1]

    async def parts(self, urgency: int, name: str, *arguments: Any) -> AsyncIterator[Any]:
        """Yield what a call gives, part by part. Raises HackjackError. Who stops early stops the call."""
        call = self._ask(urgency, name, *arguments)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            while True:
                how, value = await call.outcome.get()
                if how == "error":
                    raise value
                if how == "part" or value is not None:
                    yield value
                if how == "done":
                    return
        finally:
            call.left = True
            if self._running is call:
                self._stop(call)

    def _ask(self, urgency: int, name: str, *arguments: Any) -> Call:
        call = Call(next(self._numbers), name, arguments)
        heapq.heappush(self._waiting, (urgency, call.number, call))
        return call

    def close(self) -> None:
        """End it. Nothing is done from here on."""
        self._ended = True

    async def _run(self) -> None:
        """Do what waits, one call after the other."""
        while self._waiting and not self._ended:
            call = heapq.heappop(self._waiting)[2]
            if call.left:
                continue
            self._running = call
            try:
                await self._do(call)
            finally:
                self._running = None

    async def _do(self, call: Call) -> None:
        """Do a call, and put what comes of it into its outcome."""
        raise NotImplementedError

    def _stop(self, call: Call) -> None:
        """Stop a call that is being done: nobody waits for it."""

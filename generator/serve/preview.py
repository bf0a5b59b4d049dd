"""The preview for authors: what a pack prints beside its faults, and again whenever a file of it is saved.

What is quick is shown first: faults of the files, and the cards. Then follow pages with their charts, and last whatever
else `check` finds. Quick work and slow work each have a thread of their own, so that nobody waits for odds to see the
card that they have just saved.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import threading
import time
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from generator.base.errors import ContentError, HackjackError, Problem
from generator.base.watching import Stamp, file_stamps, wait_until_settled
from generator.pack import content
from generator.pack.content import Pack
from generator.serve import api
from generator.serve.app import site
from generator.serve.pictures import Pictures, Product
from generator.serve.slow_work import SlowWork
from generator.serve.streams import Streams
from generator.serve.table import encode_json

QUIET = 0.03
"""Seconds that slow work waits, so that browsers can ask for the pictures that they have just heard of."""
CLOSED = 3.0
"""Seconds after which nobody is taken to look any more: a page that is loaded again is back by then."""

Result = TypeVar("Result")
Found = tuple[Sequence[Problem], Sequence[Problem]]
"""Faults, and warnings."""


class PreviewFault(Struct, frozen=True):
    """A fault or a warning, with the ids of the cards and pages that it stands in."""

    place: Problem
    warning: bool
    items: tuple[str, ...] = ()


class PreviewShown(Struct, frozen=True):
    """What is shown. `checking`: more faults may be found; `stale`: the products are those of before the faults."""

    pack: str
    title: str
    checking: bool = True
    stale: bool = False
    faults: tuple[PreviewFault, ...] = ()
    products: tuple[Product, ...] = ()


class _StoppedError(Exception):
    """The server ends."""


class Preview:
    """A pack that somebody writes, and the devices that look at it. Used from one event loop.

    It lies in the first of the `folders`, with those of packs beside it. `opened` reads it and raises ContentError for
    what keeps it from being printed; `look_over` gives everything that is wrong with it. Both are called on other
    threads.
    """

    def __init__(self, folders: Sequence[Path], opened: Callable[[], Pack], look_over: Callable[[], Found]) -> None:
        self.key = secrets.token_urlsafe(16)
        self.streams = Streams()
        self.pictures = Pictures()
        folder = folders[0]
        self._folder, self._folders, self._opened, self._look_over = folder, folders, opened, look_over
        self._shown = PreviewShown(folder.name, folder.name)
        self._paths = content.watched_paths(folders)
        self._threads = {name: SlowWork(name) for name in ("quick", "slow")}
        # What the command has settled, such as whether packs are trusted, holds on each thread too.
        self._contexts = {name: copy_context() for name in self._threads}
        self._ended = threading.Event()
        self._awaited = 0

    # --- for devices -------------------------------------------------------------------------------------------------

    def opens(self, key: str) -> bool:
        """Return whether a key opens this preview."""
        return hmac.compare_digest(self.key.encode(), key.encode())

    def view(self) -> bytes:
        """Return the preview as JSON."""
        return encode_json(self._shown)

    def changes(self) -> AsyncIterator[bytes]:
        """Yield the preview, now and after each change, as server-sent events."""
        return self.streams.follow(self.view)

    async def picture(self, at: str) -> bytes:
        """Return the picture of a card or a page as a PNG file. Raises HackjackError."""
        if (picture := self.pictures.known(at)) is not None:
            return picture
        self._awaited += 1
        try:
            return await self._on("quick", self.pictures.draw, at)
        finally:
            self._awaited -= 1

    def end_streams(self) -> None:
        """Let every stream end."""
        self._ended.set()
        self.streams.end()

    def close(self) -> None:
        """End everything."""
        self.end_streams()

    # --- one round after the other -----------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Look at the pack now and after each change of its files, until the server ends."""
        while not self._ended.is_set():
            paths, before = self._paths, file_stamps(self._paths)
            pack = await self._on("quick", self._read)
            self.streams.announce()
            rest = asyncio.create_task(self._rest(pack))
            # Files that nobody knew of before the pack was read are as they are now.
            now = file_stamps(self._paths)
            seen = {path: (before if path in paths else now).get(path) for path in self._paths}
            await asyncio.to_thread(self._wait, {path: stamp for path, stamp in seen.items() if stamp is not None})
            rest.cancel()

    def _wait(self, seen: Stamp) -> None:
        """Wait until a file has changed, or the server ends."""

        def pause(seconds: float) -> None:
            if self._ended.wait(seconds):
                raise _StoppedError

        with suppress(_StoppedError):
            wait_until_settled(seen, lambda: file_stamps(self._paths), pause)

    def _read(self) -> Pack | None:
        """Read the pack and show its cards; None where a fault keeps all of it from being printed."""
        try:
            pack = self._opened()
            self._paths = content.watched_paths(self._folders, pack.system)
            products, faults = self.pictures.products(pack)
        except HackjackError as error:
            # What was sound stays in sight. The fault may be mended in a pack below this one.
            self._paths = tuple(dict.fromkeys((*self._paths, *content.watched_paths(self._folders))))
            found = tuple(PreviewFault(problem, warning=False) for problem in self._problems(error))
            self._shown = replace(self._shown, checking=True, stale=True, faults=found)
            return None
        title = pack.system.head.title
        self._shown = PreviewShown(self._folder.name, title, faults=self._faults(faults), products=products)
        return pack

    async def _rest(self, pack: Pack | None) -> None:
        """Show what takes longer: the pages of a pack that can be printed, and everything that `check` finds."""
        for product in self._shown.products:
            if pack is None or not product.drawing:
                continue
            await self._quiet()
            try:
                pdf = await self._while_looked_at(self.pictures.printed, product.name, pack)
                done = await self._on("quick", self.pictures.lay_out, product.name, pdf, pack)
            except HackjackError as error:
                done = replace(product, drawing=False, fault=str(error))
            products = tuple(done if known.name == product.name else known for known in self._shown.products)
            self._shown = replace(self._shown, products=products)
            self.streams.announce()
        await self._quiet()
        faults, warnings = await self._while_looked_at(self._look_over)
        shown_faults = (*self._faults(faults), *self._faults(warnings, warning=True))
        self._shown = replace(self._shown, checking=False, faults=shown_faults)
        self.streams.announce()

    async def _quiet(self) -> None:
        """Let pictures that are waited for go first."""
        await asyncio.sleep(QUIET)
        while self._awaited:
            await asyncio.sleep(QUIET / 5)

    async def _while_looked_at(self, work: Callable[..., Result], *about: object) -> Result:
        """Return what slow work gives. It stops when the last page is closed, and begins anew with the next one."""
        while True:
            await self._looked_at()
            doing, left = asyncio.create_task(self._on("slow", work, *about)), asyncio.create_task(self._left())
            try:
                await asyncio.wait((doing, left), return_when=FIRST_COMPLETED)
                if doing.done():
                    return doing.result()
            finally:
                doing.cancel()
                left.cancel()

    async def _looked_at(self) -> None:
        while not self.streams.followed:
            await asyncio.sleep(QUIET)

    async def _left(self) -> None:
        """Return once nobody has looked for a while."""
        since = time.monotonic()
        while time.monotonic() - since < CLOSED:
            await asyncio.sleep(CLOSED / 10)
            since = time.monotonic() if self.streams.followed else since

    async def _on(self, thread: str, work: Callable[..., Result], *about: object) -> Result:
        doing = self._threads[thread].do(self._contexts[thread].run, work, *about)
        # What changes the pictures is not stopped half-way.
        return await (asyncio.shield(doing) if thread == "quick" else doing)

    def _problems(self, error: HackjackError) -> tuple[Problem, ...]:
        return error.problems if isinstance(error, ContentError) else (Problem(str(self._folder), 0, 0, str(error)),)

    def _faults(self, problems: Sequence[Problem], *, warning: bool = False) -> tuple[PreviewFault, ...]:
        items = self.pictures.holding(problems)
        return tuple(PreviewFault(problem, warning, ids) for problem, ids in zip(problems, items, strict=True))


def app_of(preview: Preview, *, lan: bool) -> ASGIApp:
    """Return the server of a preview."""

    def known(request: Request) -> None:
        if not preview.opens(api.key_of(request)):
            raise api.StrangerError(
                "this link does not work, or no longer works: hackjack serve --preview prints a new one"
            )

    async def state(request: Request) -> Response:
        known(request)
        return Response(preview.view(), media_type="application/json")

    async def events(request: Request) -> Response:
        known(request)
        return StreamingResponse(preview.changes(), media_type="text/event-stream")

    async def picture(request: Request) -> Response:
        known(request)
        return Response(await preview.picture(request.query_params.get("of", "")), media_type="image/png")

    answers = {"state": state, "events": events, "picture": picture}
    routes = [Route(f"/api/{name}", api.errors_as_json(answer), methods=["GET"]) for name, answer in answers.items()]
    return site("preview.html", preview.opens, routes, preview.watch, preview.close, lan=lan)

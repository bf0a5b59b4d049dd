"""What the page of the studio may ask for, and which helper does it. The server itself only reads and passes on."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes, save_file
from generator.pack import pack_locations
from generator.serve import api
from generator.serve.slow_work import off_thread
from generator.serve.table import encode_json
from generator.studio.grid import row_number
from generator.studio.helpers import LOOK, PICTURE, PRINT, SHELF, Helper
from generator.studio.posts import PostChange, StatementRequest
from generator.studio.tables import CampaignChange, TableWish
from generator.studio.uploads import MAX_UPLOAD
from generator.studio.wishes import (
    MAX_FILE,
    PAGE_DPI,
    ZOOM_DPI,
    EffectsAsked,
    Keeping,
    NewPack,
    OddsWish,
    PackChange,
    PartAsked,
    Ruled,
    Wish,
)

if TYPE_CHECKING:
    from generator.studio.app import Studio

MAX_PDF = 100_000_000
"""Bytes of a PDF that is opened."""
MAX_POST_BODY = 2_000_000
"""Bytes of a post with what was decided about it."""
MAX_PARCELS = 24
"""So many prints go into one ZIP."""
LOOKS = 0.05
"""Seconds after which the server looks again whether the browser still waits."""

Answer = Callable[[Request], Awaitable[Response]]


def routes(studio: Studio) -> list[Route]:
    """Return everything that may be asked of a studio, by whoever has its key."""
    drawing, counting, writing = studio.drawing, studio.counting, studio.writing
    answers = {
        # What is looked at: who tells of it, how urgently, and the words that the address has for it.
        **_looked_at(drawing, SHELF, spine="of"),
        **_looked_at(drawing, LOOK, system="of", rules="of", beside="of part row"),
        **_looked_at(drawing, PICTURE, picture="system of theme"),
        **_looked_at(counting, SHELF, check="of"),
        **_looked_at(writing, LOOK, grid="of part", effects="of", emblems="", shapes="", post="of"),
        # What is sent: who does it, how urgently, and its shape.
        **_sent(drawing, PRINT, controls=Wish),
        **_sent(counting, LOOK, odds=OddsWish),
        **_sent(writing, PRINT, words=EffectsAsked, roll=PartAsked, draft=PackChange, columns=PackChange),
        **_sent(writing, PRINT, statement=StatementRequest),
        # What changes packs: it is done even if the page is gone, and every tab is told.
        **_sent(drawing, PRINT, studio.streams.announce, save=Ruled),
        **_sent(
            writing, PRINT, studio.streams.announce, keep=Keeping, write=PackChange, begin=NewPack, remove=PartAsked
        ),
        **_sent(writing, PRINT, studio.streams.announce, write_post=PostChange),
        **_others(studio),
        **_printing(studio),
    }

    def known(answer: Answer) -> Answer:
        async def answered(request: Request) -> Response:
            if not studio.opens(api.key_of(request)):
                raise api.StrangerError("This link does not work. Run hackjack studio for a new one.")
            return await answer(request)

        return api.errors_as_json(answered)

    return [
        Route(f"/api/{name}", known(answer), methods=[method])
        for (method, name), answer in ((head.split(), answer) for head, answer in answers.items())
    ]


def _looked_at(helper: Helper, urgency: int, **asked: str) -> dict[str, Answer]:
    def answer(name: str, words: str) -> Answer:
        async def answered(request: Request) -> Response:
            work = helper.do(urgency, name, *(_word(request, word) for word in words.split()))
            return await _while_open(request, work, "image/png" if name == "picture" else "")

        return answered

    return {f"GET {name}": answer(name, words) for name, words in asked.items()}


def _sent(
    helper: Helper, urgency: int, announce: Callable[[], None] | None = None, **shapes: type[Struct]
) -> dict[str, Answer]:
    def answer(name: str, shape: type[Struct]) -> Answer:
        async def answered(request: Request) -> Response:
            limit = MAX_POST_BODY if shape is PostChange else api.MAX_BODY
            work = helper.do(urgency, name, await api.read_body(request, shape, limit))
            if announce is None:
                return await _while_open(request, work)
            done = await work
            announce()
            return api.json_response(done)

        return answered

    return {f"POST {name}": answer(name, shape) for name, shape in shapes.items()}


def _printing(studio: Studio) -> dict[str, Answer]:
    """Return the answers about prints."""

    async def printed(request: Request) -> Response:
        return await _while_open(request, studio.print(await api.read_body(request, Wish)))

    async def page(request: Request) -> Response:
        at = row_number(_word(request, "page"))
        dpi = ZOOM_DPI if _word(request, "zoom") else PAGE_DPI
        return await _while_open(request, studio.page(_word(request, "job"), at, dpi), "image/png")

    async def file(request: Request) -> Response:
        path = studio.file(_word(request, "job"), _word(request, "name"))
        return await _download(path, path.name)

    async def parcel(request: Request) -> Response:
        jobs = _word(request, "jobs").split(",")[:MAX_PARCELS]
        files = {file.name: str(studio.file(job, file.name)) for job in jobs for file in studio.printed(job).files}
        path = studio.folder / f"{secrets.token_hex(8)}.zip"
        await studio.drawing.do(PRINT, "parcel", files, str(path))
        try:
            return await _download(path, "hackjack.zip")
        finally:
            path.unlink(missing_ok=True)

    async def compare(request: Request) -> Response:
        parts = studio.counting.parts(LOOK, "compare", await api.read_body(request, Ruled))
        return StreamingResponse(_lines(parts), media_type="application/x-ndjson")

    return {"POST print": printed, "GET page": page, "GET file": file, "GET parcel": parcel, "POST compare": compare}


def _others(studio: Studio) -> dict[str, Answer]:
    """Return the answers that the server has itself: the shelf, campaigns, uploads, and what has changed."""
    uploading = asyncio.Lock()

    async def shelf(request: Request) -> Response:
        del request
        return api.json_response([*pack_locations.shipped(), *pack_locations.installed()])

    async def upload(request: Request) -> Response:
        try:
            change = msgspec.json.decode(_word(request, "change"), type=PackChange)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UsageError(f"this request cannot be read: {str(error)[:200]}") from error
        # One at a time: each may take much memory until it is written anew.
        async with uploading:
            data = await _received(request, MAX_UPLOAD, "A picture")
            with tempfile.TemporaryDirectory(dir=studio.folder) as own:
                path = await studio.reread(data, Path(own))
                written = await studio.writing.do(PRINT, "put_picture", change, str(path))
        studio.streams.announce()
        return api.json_response(written)

    async def pdf(request: Request) -> Response:
        async with uploading:
            with tempfile.TemporaryDirectory(dir=studio.folder) as own:
                path = Path(own) / "print.pdf"
                await off_thread(save_file, await _received(request, MAX_PDF, "A PDF to open"), path)
                printed = await studio.writing.do(PRINT, "open_pdf", str(path))
        studio.streams.announce()
        return api.json_response(printed)

    async def folder(request: Request) -> Response:
        chosen = await api.read_body(request, PartAsked)
        if chosen.pack not in pack_locations.installed():
            raise UsageError(f'There is no pack "{chosen.pack[:60]}" on your shelf.')
        path = pack_locations.find(chosen.pack)
        return api.json_response({"folder": str(path), "opened": await off_thread(_opened, path)})

    async def campaigns(request: Request) -> Response:
        del request
        return api.json_response(await off_thread(studio.tables.all))

    async def table(request: Request) -> Response:
        return api.json_response({"link": await studio.tables.open(await api.read_body(request, TableWish))})

    async def campaign(request: Request) -> Response:
        change = await api.read_body(request, CampaignChange)
        return api.json_response({"says": await off_thread(studio.tables.change, change)})

    async def state(request: Request) -> Response:
        del request
        return api.json_response({"version": studio.streams.version})

    async def events(request: Request) -> Response:
        del request
        changes = studio.streams.follow(lambda: encode_json({"version": studio.streams.version}))
        return StreamingResponse(changes, media_type="text/event-stream")

    looks = {"shelf": shelf, "campaigns": campaigns, "state": state, "events": events}
    deeds = {"upload": upload, "open_pdf": pdf, "folder": folder, "table": table, "campaign": campaign}
    kinds: Mapping[str, Mapping[str, Answer]] = {"GET": looks, "POST": deeds}
    return {f"{method} {name}": answer for method, each in kinds.items() for name, answer in each.items()}


async def _received(request: Request, limit: int, what: str) -> bytes:
    """Return the file that is sent. Raises TooLargeError."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > limit:
            raise api.TooLargeError(f"{what} has {limit // 1_000_000} MB at most.")
    return bytes(data)


async def _download(path: Path, name: str) -> Response:
    raw = await off_thread(first_bytes, path, name, MAX_FILE)
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(raw, 200, {"content-disposition": f'attachment; filename="{name}"'}, kind)


def _word(request: Request, name: str) -> str:
    return request.query_params.get(name, "")


async def _while_open(request: Request, work: Any, kind: str = "") -> Response:
    """Answer with what a helper gives; it is dropped when the browser no longer waits."""
    given = await api.while_open(request, work, LOOKS)
    return Response(given, media_type=kind) if kind else api.json_response(given)


async def _lines(parts: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    """Yield each part as a line of JSON, and at last an error if there is one."""
    try:
        async for part in parts:
            yield encode_json(part) + b"\n"
    except HackjackError as error:
        yield encode_json({"error": str(error)}) + b"\n"


def _opened(folder: Path) -> bool:
    """Open a folder in the program that shows folders; return whether there is one."""
    if sys.platform == "win32":
        os.startfile(folder)
        return True
    if sys.platform != "darwin" and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return False
    command = ["open" if sys.platform == "darwin" else "xdg-open", str(folder)]
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(command, timeout=5, check=False, capture_output=True).returncode == 0
    return False

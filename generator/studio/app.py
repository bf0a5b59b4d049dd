"""The studio's server: what its page asks for, and who does it. It answers to this computer alone."""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import font_source_sans_pro
import font_source_serif_pro
import msgspec
from msgspec import Meta, Struct
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes
from generator.base.watching import Stamp, file_stamps
from generator.pack import pack_locations
from generator.serve import api
from generator.serve.app import site
from generator.serve.streams import Streams
from generator.serve.table import encode_json
from generator.studio import tables, writing_api
from generator.studio.helpers import LOOK, PAGE, PICTURE, PRINT, SHELF, Helper
from generator.studio.tables import Tables, TableWish
from generator.studio.wishes import PAGE_DPI, ZOOM_DPI, Keeping, KeptPrint, Rules, Wish, Word

MAX_PRINTS, MAX_BYTES = 24, 300_000_000
"""So many prints are kept, and so many bytes of them."""
MAX_WATCHED = 5000
WATCH = 0.15
"""Seconds after which files of packs are looked at again, while a page is open."""
LOOKS = 0.05
"""Seconds after which the server looks again whether the browser still waits."""

_FONTS = {
    "text": font_source_sans_pro.SourceSansPro,
    "bold": font_source_sans_pro.SourceSansProSemibold,
    "title": font_source_serif_pro.SourceSerifProBold,
    "italic": font_source_serif_pro.SourceSerifProIt,
}
_MAX_FONT = 2_000_000
Answer = Callable[[Request], Awaitable[Response]]


class Ruled(Struct, frozen=True, forbid_unknown_fields=True):
    """A system under house rules; `pack` is the name to save them by."""

    system: Word
    rules: Rules = {}
    pack: Word = ""


class OddsWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds of an event, as typed."""

    system: Word
    words: Annotated[tuple[Word, ...], Meta(max_length=60)]
    rules: Rules = {}


class Studio:
    """What the page may ask for. Used from one event loop. `drawing` may have been started before.

    Helpers are begun with `words`.
    """

    def __init__(self, drawing: Helper | None = None, words: tuple[str, ...] = ()) -> None:
        self.key = secrets.token_urlsafe(16)
        self.streams, self.tables = Streams(), Tables()
        # What is quick and what counts are apart, so that nobody waits for odds to see a card.
        self.drawing, self.counting = drawing or Helper("drawing", *words), Helper("counting", *words)
        self.writing = Helper("writing", *words)
        self.folder = Path(tempfile.mkdtemp(prefix="hackjack-studio-"))
        self._prints: OrderedDict[str, KeptPrint] = OrderedDict()

    def opens(self, key: str) -> bool:
        """Return whether a key opens this studio."""
        return hmac.compare_digest(self.key.encode(), key.encode())

    async def print(self, wish: Wish) -> KeptPrint:
        """Print a wish and keep it for a while. Raises HackjackError."""
        asked = ("print", msgspec.json.encode(wish), str(self.folder))
        # What takes long waits behind odds, and nothing waits behind it.
        raw = await self.drawing.do(PRINT, *asked, True) or await self.counting.do(PRINT, *asked, False)
        printed = msgspec.json.decode(raw, type=KeptPrint)
        self._prints[printed.job] = printed
        self._prints.move_to_end(printed.job)
        while len(self._prints) > MAX_PRINTS or sum(each.bytes for each in self._prints.values()) > MAX_BYTES:
            if len(self._prints) == 1:
                break
            job, _ = self._prints.popitem(last=False)
            await asyncio.to_thread(shutil.rmtree, self.folder / job, ignore_errors=True)
        return printed

    def printed(self, job: str) -> KeptPrint:
        """Return a print that is kept. Raises UsageError."""
        if job not in self._prints:
            raise UsageError("This print is no longer kept. Print it again.")
        return self._prints[job]

    def file(self, job: str, name: str) -> Path:
        """Return a file of a print. Raises UsageError."""
        if name not in {file.name for file in self.printed(job).files}:
            raise UsageError("This print has no such file.")
        return self.folder / job / name

    async def page(self, job: str, number: int, dpi: int) -> bytes:
        """Return a page of a print as a PNG file: of its PDF, or else its pictures. Raises HackjackError."""
        files = self.printed(job).files
        pdf = next((file.name for file in files if file.pages and file.name.endswith(".pdf")), None)
        pictures = [file.name for file in files if file.name.endswith(".png")]
        if pdf is None and 0 <= number < len(pictures):
            return await asyncio.to_thread(first_bytes, self.file(job, pictures[number]), pictures[number], MAX_BYTES)
        if pdf is None:
            raise UsageError("This print has no such page.")
        urgency = PAGE if number == 0 else PICTURE
        raw: bytes = await self.drawing.do(urgency, "page", str(self.folder / job), pdf, number, dpi)
        return raw

    async def watch(self) -> None:
        """Tell pages that look when a pack has changed, until the server ends."""
        before: Stamp = {}
        while not self.streams.ended:
            if self.streams.followed:
                now = await asyncio.to_thread(_stamps)
                if before and now != before:
                    self.streams.announce()
                before = now
            await asyncio.sleep(WATCH)

    def close(self) -> None:
        """End everything, and take the prints away."""
        self.streams.end()
        self.tables.close()
        self.drawing.close()
        self.counting.close()
        self.writing.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _stamps() -> Stamp:
    """Return the stamps of all files of packs: of those that ship and of the user's."""
    named = pack_locations.beside()
    folders = (pack_locations.systems_folder(), pack_locations.packs_folder(), *((named,) if named else ()))
    return file_stamps([path for folder in folders for path in (folder, *islice(folder.rglob("*"), MAX_WATCHED))])


def app_of(studio: Studio) -> ASGIApp:
    """Return the server of the studio."""
    drawing, counting = studio.drawing, studio.counting

    async def shelf(request: Request) -> Response:
        del request
        return api.json_response([*pack_locations.shipped(), *pack_locations.installed()])

    async def spine(request: Request) -> Response:
        return await _while_open(request, drawing.do(SHELF, "spine", _word(request, "of")))

    async def system(request: Request) -> Response:
        return await _while_open(request, drawing.do(LOOK, "system", _word(request, "of")))

    async def check(request: Request) -> Response:
        return await _while_open(request, counting.do(SHELF, "check", _word(request, "of")))

    async def picture(request: Request) -> Response:
        work = drawing.do(PICTURE, "picture", _word(request, "system"), _word(request, "of"))
        return await _while_open(request, work, "image/png")

    async def controls(request: Request) -> Response:
        wish = msgspec.json.encode(await api.read_body(request, Wish))
        return await _while_open(request, drawing.do(PRINT, "controls", wish))

    async def printed(request: Request) -> Response:
        return await _while_open(request, studio.print(await api.read_body(request, Wish)))

    async def page(request: Request) -> Response:
        number = _word(request, "page")
        at = int(number) if re.fullmatch("[0-9]{1,5}", number) else -1
        dpi = ZOOM_DPI if _word(request, "zoom") else PAGE_DPI
        return await _while_open(request, studio.page(_word(request, "job"), at, dpi), "image/png")

    async def file(request: Request) -> Response:
        path = studio.file(_word(request, "job"), _word(request, "name"))
        return FileResponse(path, filename=path.name)

    async def parcel(request: Request) -> Response:
        jobs = _word(request, "jobs").split(",")[:MAX_PRINTS]
        files = {file.name: str(studio.file(job, file.name)) for job in jobs for file in studio.printed(job).files}
        path = studio.folder / f"{secrets.token_hex(8)}.zip"
        await drawing.do(PRINT, "parcel", files, str(path))
        return FileResponse(path, filename="hackjack.zip", background=BackgroundTask(path.unlink, missing_ok=True))

    async def rules(request: Request) -> Response:
        return await _while_open(request, drawing.do(LOOK, "rules", _word(request, "of")))

    async def compare(request: Request) -> Response:
        ruled = await api.read_body(request, Ruled)
        parts = counting.parts(LOOK, "compare", ruled.system, ruled.rules)
        return StreamingResponse(_lines(parts), media_type="application/x-ndjson")

    async def save(request: Request) -> Response:
        ruled = await api.read_body(request, Ruled)
        saved = await drawing.do(PRINT, "save", ruled.system, ruled.rules, ruled.pack)
        studio.streams.announce()
        return api.json_response(saved)

    async def keep(request: Request) -> Response:
        keeping = msgspec.json.encode(await api.read_body(request, Keeping))
        kept = await drawing.do(PRINT, "keep", keeping)
        studio.streams.announce()
        return api.json_response(kept)

    async def odds(request: Request) -> Response:
        asked = await api.read_body(request, OddsWish)
        return await _while_open(request, counting.do(LOOK, "odds", asked.system, asked.words, asked.rules))

    async def beside(request: Request) -> Response:
        work = drawing.do(LOOK, "beside", _word(request, "of"), _word(request, "part"), _word(request, "row"))
        return await _while_open(request, work)

    async def state(request: Request) -> Response:
        del request
        return api.json_response({"version": studio.streams.version})

    async def events(request: Request) -> Response:
        del request
        changes = studio.streams.follow(lambda: encode_json({"version": studio.streams.version}))
        return StreamingResponse(changes, media_type="text/event-stream")

    answers: Mapping[str, Answer] = {
        "GET shelf": shelf,
        "GET spine": spine,
        "GET system": system,
        "GET picture": picture,
        "GET check": check,
        "POST controls": controls,
        "POST print": printed,
        "GET page": page,
        "GET file": file,
        "GET parcel": parcel,
        "GET rules": rules,
        "POST compare": compare,
        "POST save": save,
        "POST keep": keep,
        "POST odds": odds,
        "GET beside": beside,
        "GET state": state,
        "GET events": events,
        **_at_tables(studio.tables),
        **writing_api.answers(studio.writing, studio.folder, studio.streams.announce),
    }

    def known(answer: Answer) -> Answer:
        async def answered(request: Request) -> Response:
            if not studio.opens(api.key_of(request)):
                raise api.StrangerError("This link does not work. Run hackjack studio for a new one.")
            return await answer(request)

        return api.errors_as_json(answered)

    routes = [
        Route(f"/api/{name}", known(answer), methods=[method])
        for (method, name), answer in ((head.split(), answer) for head, answer in answers.items())
    ]
    fonts = {f"{name}.ttf": (first_bytes(Path(path), name, _MAX_FONT), "font/ttf") for name, path in _FONTS.items()}
    return site("studio.html", studio.opens, routes, studio.watch, studio.close, lan=False, more=fonts)


def _at_tables(open_tables: Tables) -> Mapping[str, Answer]:
    """Return the answers about campaigns and the tour."""

    async def campaigns(request: Request) -> Response:
        del request
        return api.json_response(await asyncio.to_thread(open_tables.all))

    async def tour(request: Request) -> Response:
        return await _while_open(request, tables.tour())

    async def table(request: Request) -> Response:
        return api.json_response({"link": await open_tables.open(await api.read_body(request, TableWish))})

    return {"GET campaigns": campaigns, "POST table": table, "GET tour": tour}


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

"""What devices ask over HTTP, and how they are answered: JSON in, JSON out, and a stream of server-sent events."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from generator.base.errors import HackjackError, UsageError, unforeseen
from generator.base.text_input import decoded
from generator.games import FileRefusedError
from generator.serve import views
from generator.serve.links import GM
from generator.serve.streams import CrowdedError
from generator.serve.table import Doing, DoingId, ForbiddenError, LiveTable, Missing, StaleQuestionError, encode_json
from generator.session.journal import BusyError, StaleError

MAX_BODY = 200_000
"""Bytes of a request. The longest thing that anybody sends is a question with the names of a thousand cards."""

QUESTION = 202
"""The status of a question: the command is sound, and nothing is done before it is answered."""

Shape = TypeVar("Shape", bound=Struct)
Word = Annotated[str, Meta(max_length=200)]
Words = Annotated[tuple[Word, ...], Meta(max_length=60)]
Answered = Callable[[LiveTable, str, Request], Awaitable[Response]]


class OpenQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds of an event for everybody: `["hit", "9"]`."""

    words: Words


class Choosing(Struct, frozen=True, forbid_unknown_fields=True):
    """What an event may take after what has been said."""

    do: Word
    who: Word = ""
    words: Words = ()
    at: Annotated[dict[Word, Word], Meta(max_length=20)] = {}


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may do by themselves, and who is hidden from them."""

    events: Words
    hidden: Words = ()


class Whose(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at the table; without a name, the table itself."""

    name: Word


class Cancelled(Struct, frozen=True, forbid_unknown_fields=True):
    """A question that somebody gave up: the id of the command that asked it."""

    id: DoingId


class TooLargeError(HackjackError):
    """A request of more bytes than anybody needs."""


def routes(table: LiveTable, bases: tuple[str, ...]) -> list[Route]:
    """Return the interface of a table; `bases` are the addresses under which other devices find it, the best first."""

    async def state(request: Request) -> Response:
        who = _known(table, request)
        return json_response(table.view(who))

    async def events(request: Request) -> Response:
        _known(table, request)
        return StreamingResponse(table.changes(key_of(request)), media_type="text/event-stream")

    async def do(request: Request) -> Response:
        who = _known(table, request)
        done = await table.do(await read_body(request, Doing), who)
        return json_response(done, QUESTION if isinstance(done, Missing) else 200)

    async def game(request: Request) -> Response:
        who = _known(table, request)
        return json_response(views.plain_game(table.now.table, None if who == GM else table.allowed()))

    async def rules(request: Request) -> Response:
        return json_response(await table.rules(_known(table, request)))

    async def choices(request: Request) -> Response:
        who, asked = _known(table, request), await read_body(request, Choosing)
        if who != GM and (asked.do not in table.allowed() or asked.who not in ("", who)):
            raise ForbiddenError(f"{asked.do} is not for players: ask the game master")
        return json_response(table.choices(who, asked.do, asked.who, asked.words, asked.at))

    async def odds(request: Request) -> Response:
        _gm(table, request)
        return json_response(await while_open(request, table.odds((await read_body(request, OpenQuestion)).words)))

    async def settable(request: Request) -> Response:
        _gm(table, request)
        return json_response(await table.settable((await read_body(request, Whose)).name))

    async def links(request: Request) -> Response:
        _gm(table, request)
        names = views.players(table.now)
        return json_response([{"name": name, **_link(f"{bases[0]}/?key={table.key(name)}")} for name in names])

    async def renew(request: Request) -> Response:
        _gm(table, request)
        await table.renew((await read_body(request, Whose)).name)
        return await links(request)

    async def cancel(request: Request) -> Response:
        table.cancel((await read_body(request, Cancelled)).id, _known(table, request))
        return json_response({})

    async def settings(request: Request) -> Response:
        _gm(table, request)
        wanted = await read_body(request, Settings)
        await table.settle(wanted.events, wanted.hidden)
        return json_response({"events": table.allowed(), "hidden": table.hidden})

    asked: Mapping[str, tuple[str, Callable[[Request], Awaitable[Response]]]] = {
        "state": ("GET", state),
        "events": ("GET", events),
        "game": ("GET", game),
        "links": ("GET", links),
        "rules": ("GET", rules),
        "do": ("POST", do),
        "cancel": ("POST", cancel),
        "choices": ("POST", choices),
        "odds": ("POST", odds),
        "settable": ("POST", settable),
        "settings": ("POST", settings),
        "renew": ("POST", renew),
    }
    return [Route(f"/api/{name}", errors_as_json(answer), methods=[method]) for name, (method, answer) in asked.items()]


def key_of(request: Request) -> str:
    """Return the key that came with a request, in its header or behind the address; empty where there is none."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else request.query_params.get("key", "")


class StrangerError(HackjackError):
    """A request without a key that opens anything."""


def _known(table: LiveTable, request: Request) -> str:
    """Return the sender of a request. Raises StrangerError."""
    who = table.holder(key_of(request))
    if who is None:
        raise StrangerError(table.why_not(key_of(request)))
    return who


def _gm(table: LiveTable, request: Request) -> None:
    """Raises StrangerError, or ForbiddenError for a player."""
    if _known(table, request) != GM:
        raise ForbiddenError("this is for the game master only")


async def read_body(request: Request, shape: type[Shape], limit: int = MAX_BODY) -> Shape:
    """Read the body of a request. Raises UsageError, TooLargeError."""
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > limit:
            raise TooLargeError(f"a request has {limit:,} bytes at most")
    try:
        return msgspec.json.decode(decoded(raw), type=shape)
    except (msgspec.DecodeError, UsageError, RecursionError) as error:
        reason = re.sub(r"Expected `str` matching regex '.*'", "this text has signs that are not allowed", str(error))
        raise UsageError(f"this request cannot be read: {reason[:200]}") from error


async def while_open(request: Request, work: Coroutine[Any, Any, Any], seconds: float = 1) -> Any:
    """Return what long work gives, which stops when whoever asked has closed the page: so often that is looked at."""
    doing = asyncio.create_task(work)
    while not doing.done():
        await asyncio.wait((doing,), timeout=seconds)
        if not doing.done() and await request.is_disconnected():
            doing.cancel()
            return None
    return doing.result()


STATUS: Mapping[type[HackjackError], int] = {
    StrangerError: 401,
    ForbiddenError: 403,
    FileRefusedError: 403,
    StaleError: 409,
    StaleQuestionError: 409,
    BusyError: 503,
    CrowdedError: 503,
    TooLargeError: 413,
    UsageError: 400,
}
"""The status of an error; of all others it is 422: the request is sound, and the rules refuse it."""


def errors_as_json(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Wrap an endpoint: errors become JSON with one sentence for a person."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except HackjackError as error:
            status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422)
            return error_response(str(error), status)
        except Exception as error:
            # Whatever we overlooked ends this answer and no other.
            return error_response(unforeseen(error), 422)

    return answered


async def refused(request: Request, error: Exception) -> Response:
    """Return the answer to a request that no route takes."""
    status = error.status_code if isinstance(error, HTTPException) else 422
    return error_response(f"Unknown request: {request.method} {request.url.path[:60]}", status)


def error_response(why: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as JSON: one sentence for a person."""
    return Response(encode_json({"error": why}), status, headers, "application/json")


def json_response(value: Any, status: int = 200) -> Response:
    """Return a value, or JSON that is encoded already, as an answer."""
    raw = value if isinstance(value, bytes) else encode_json(value)
    return Response(raw, status, media_type="application/json")


def _link(url: str) -> dict[str, Any]:
    """Return a link, and its QR code as rows of dark (1) and light (0) squares."""
    import segno

    code = segno.make(url, micro=False)
    return {"url": url, "qr": ["".join(map(str, row)) for row in code.matrix]}

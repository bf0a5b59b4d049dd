"""The studio inside a web worker of the page: its answers are asked for by `ask`, and its helpers work in workers."""

import asyncio
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import safe_keeping
from page_setup import received, sent
from pictures_here import reread
from second_worker import Counting, outcome
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from generator.base.errors import HackjackError
from generator.serve import api
from generator.studio import answers
from generator.studio.app import Studio, Workers
from generator.studio.helpers import Call, Helper


class InPage(Helper):
    """A helper that works in this worker, between two answers."""

    async def _do(self, call: Call) -> None:
        await asyncio.sleep(0)  # What the page has asked meanwhile may be more urgent.
        how, value = "done", None
        try:
            part = lambda each: call.outcome.put_nowait(("part", each))  # noqa: E731
            value = await outcome(call.name, call.arguments, part, lambda: call.left)
        except HackjackError as error:
            how, value = "error", error
        call.outcome.put_nowait((how, value))


class Answers:
    """The studio of the page, the tables on this screen, and the requests that wait for an answer."""

    def __init__(self, send: Callable[[Any], None], end: Callable[[], None]) -> None:
        from tables_here import TablesHere

        self.counting = Counting(send, end)
        self.tables = TablesHere()
        self.studio = Studio(Workers(InPage(), self.counting, InPage(), self.tables, reread))
        self.counting.folder = str(self.studio.folder)
        own = [Route("/api/saved", self.saved), Route("/api/opened", api.errors_as_json(self.opened), methods=["POST"])]
        self.app = Starlette(routes=[*answers.routes(self.studio), *own])
        self.waiting: dict[int, asyncio.Event] = {}

    def of(self, path: str) -> tuple[Starlette, str, str]:
        """Return who answers a path, with the key, and the path there. Raises KeyError for a table that has ended."""
        if not path.startswith("/table/"):
            return self.app, self.studio.key, path
        name, _, rest = path.removeprefix("/table/").partition("/")
        return *self.tables.apps[unquote(name)], f"/{rest}"

    async def saved(self, request: Request) -> Response:
        """Answer with everything that was written in this page, as one file."""
        del request
        return safe_keeping.saved()

    async def opened(self, request: Request) -> Response:
        """Take what is in such a file. Raises HackjackError."""
        self.tables.end_all()
        told = safe_keeping.opened(await request.body(), replaces=bool(request.query_params.get("replace")))
        self.studio.streams.announce()
        return api.json_response(told)


_answers: Answers


def begin(send: Callable[[Any], None], end: Callable[[], None]) -> None:
    """Begin to answer: `send` asks the second worker, `end` ends it."""
    global _answers
    _answers = Answers(send, end)


def counted(message: Any) -> None:
    """Take what the second worker says, or that it is gone."""
    _answers.counting.hear(received(message))


async def ask(
    number: int, method: str, path: str, query: str, kind: str, body: Any, tell: Callable[[int, str, str, Any], None]
) -> None:
    """Answer a request of the page: `tell` gets the status and the kinds, then with 0 each part, and -1 at the end."""
    gone = _answers.waiting[number] = asyncio.Event()
    sent_whole = False
    app, key, path = _answers.of(path)
    headers = {"host": "localhost", "authorization": f"Bearer {key}", "content-type": kind}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }

    async def receive() -> dict[str, Any]:
        nonlocal sent_whole
        if not sent_whole:
            sent_whole = True
            return {"type": "http.request", "body": received(body), "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            named = {name.decode(): value.decode() for name, value in message["headers"]}
            tell(message["status"], named.get("content-type", ""), named.get("content-disposition", ""), None)
        else:
            tell(0, "", "", sent(message.get("body", b"")))

    try:
        await app(scope, receive, send)
    except Exception:
        traceback.print_exc()
        tell(500, "application/json", "", None)
    finally:
        del _answers.waiting[number]
        tell(-1, "", "", None)


def leave(number: int) -> None:
    """Nobody waits for that answer any more."""
    if number in _answers.waiting:
        _answers.waiting[number].set()

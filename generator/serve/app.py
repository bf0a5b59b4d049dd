"""The answers of a page: which requests are let in, what every answer is sent with, and the files of the page.

The page's own files hold nothing of a campaign and are kept in memory: no request ever reads the disk.
"""

import asyncio
import ipaddress
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import font_source_sans_pro
import font_source_serif_pro
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.base.files import data_root, first_bytes
from generator.serve import api
from generator.serve.table import LiveTable

RATE, BURST = 200.0, 2000.0
"""So many requests a second with one key for good, and so many at once."""
WRONG_RATE, WRONG_BURST = 1.0, 20.0
"""The same from one address without a right key: nobody tries keys one after the other."""
MAX_COUNTED = 1000
"""So many keys and addresses are counted at a time."""

FONTS = {
    "text": font_source_sans_pro.font_files_ttf["SourceSansPro"],
    "bold": font_source_sans_pro.font_files_ttf["SourceSansProSemibold"],
    "title": font_source_serif_pro.font_files_ttf["SourceSerifProBold"],
    "italic": font_source_serif_pro.font_files_ttf["SourceSerifProIt"],
}
"""The fonts of the pages: the files that their styles name."""
_MAX_FONT = 2_000_000

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""What every answer is sent with: nothing from elsewhere runs, and nobody is told the link."""
LOOPBACK_HEADER = (b"cross-origin-opener-policy", b"same-origin")
"""Sent on this computer alone: a browser ignores it at other addresses without TLS, and logs an error."""


def assets() -> dict[str, tuple[bytes, str]]:
    """Return the page's files by name, each with its type."""
    folder = data_root() / "templates" / "page"
    fonts = {f"{name}.ttf": (first_bytes(Path(path), name, _MAX_FONT), "font/ttf") for name, path in FONTS.items()}
    return {path.name: (path.read_bytes(), TYPES[path.suffix]) for path in sorted(folder.iterdir())} | fonts


class Bucket:
    """A limit on how often something may happen: `burst` times at once, and `rate` times a second for good."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> bool:
        """Return whether that name has a try left. A refused try costs nothing, or nobody would get in again."""
        left, since = self._left.get(name, (self._burst, 0.0))
        left = min(self._burst, left + (time.monotonic() - since) * self._rate)
        self._left[name] = (left - 1 if left >= 1 else left, time.monotonic())
        if len(self._left) > MAX_COUNTED:
            self._left.pop(next(iter(self._left)))
        return left >= 1


class Guard:
    """Lets requests in that come by our own name and not too often, and sends every answer with HEADERS.

    A page of another site may not speak through a visitor's browser: its name is another (Origin, Sec-Fetch-Site), and
    a name that was bent to our address is none of ours (Host). A link may be opened from anywhere.

    The key is looked at first. Whoever has one is counted by it, so that nobody else's requests keep them out; the
    others are counted by their address. What is `public` is the same for everybody, and nobody is counted for it.
    """

    def __init__(self, app: ASGIApp, opens: Callable[[str], bool], public: Collection[str], lan: bool) -> None:
        self._app, self._opens, self._public, self._lan = app, opens, public, lan
        self._known, self._strangers = Bucket(RATE, BURST), Bucket(WRONG_RATE, WRONG_BURST)
        self._names = {"localhost"} | (set(_own_names()) if lan else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, address = Request(scope), str((scope.get("client") or ("",))[0])
        headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if _is_loopback(_host_name(request)):
            headers.append(LOOPBACK_HEADER)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        refusal = self._refusal(request, address)
        await (refusal or self._app)(scope, receive, dressed)

    def _refusal(self, request: Request, address: str) -> Response | None:
        host = request.headers.get("host", "")
        if not self._is_ours(_host_name(request)):
            return api.error_response("this server answers to its own address only", 403)
        origin = request.headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return api.error_response("requests come from the page itself", 403)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not _opens_page(request):
            return api.error_response("requests come from the page itself", 403)
        if request.url.path in self._public:
            return None
        key = api.key_of(request)
        bucket, name = (self._known, key) if self._opens(key) else (self._strangers, address)
        if not bucket.take(name):
            return api.error_response("too many requests: wait a little", 429, {"retry-after": "1"})
        return None

    def _is_ours(self, name: str) -> bool:
        return name in self._names or _is_loopback(name) or (self._lan and _address(name) is not None)


def _host_name(request: Request) -> str:
    """Return the name or address that a request is sent to, without the port; empty if it cannot be read."""
    host = request.headers.get("host", "")
    try:
        return "" if "@" in host else urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def _opens_page(request: Request) -> bool:
    """Return whether a browser goes to the page itself, as from a link in a messenger."""
    fetch_metadata = [request.headers.get(f"sec-fetch-{name}") for name in ("mode", "dest")]
    return request.url.path == "/" and request.method == "GET" and fetch_metadata == ["navigate", "document"]


def _own_names() -> tuple[str, ...]:
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local")


def app_of(table: LiveTable, bases: tuple[str, ...], *, lan: bool) -> ASGIApp:
    """Return the server of a table. `bases` are its addresses, the best for other devices first."""

    def opens(key: str) -> bool:
        return table.holder(key) is not None

    return site("index.html", opens, api.routes(table, bases), table.watch, table.close, lan=lan)


def site(
    index: str,
    opens: Callable[[str], bool],
    answers: Sequence[BaseRoute],
    watch: Callable[[], Coroutine[Any, Any, None]],
    close: Callable[[], None],
    *,
    lan: bool,
) -> ASGIApp:
    """Return a page with its files, and `answers` to what it asks for those whose key `opens` them.

    The page itself holds nothing of a campaign: it is there for everybody, as its address has no key once it is open.

    `watch` runs beside the answers until the server ends; then follows `close`.
    """
    files = assets()

    def file(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def send(request: Request) -> Response:
            del request
            raw, kind = files[name]
            return Response(raw, 200, {"content-type": kind})

        return send

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        del app
        watching = asyncio.create_task(watch())
        yield
        watching.cancel()
        close()

    addresses_of_files = {"/": index, **{f"/{name}": name for name in files if not name.endswith(".html")}}
    routes = [Route(path, file(name)) for path, name in addresses_of_files.items()]
    app = Starlette(routes=[*routes, *answers], lifespan=living, exception_handlers={HTTPException: api.refused})
    return Guard(app, opens, addresses_of_files, lan)

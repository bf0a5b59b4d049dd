"""The studio inside a web worker of the page: its answers are asked for by `ask`, and its helpers work right here."""

import asyncio
import marshal
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pyodide.ffi import to_js

# anyio names it where Python has it, and never uses it here.
sys.modules["concurrent.interpreters"] = types.ModuleType("concurrent.interpreters")
sys.modules["concurrent.interpreters"].__dict__.update(ExecutionFailed=RuntimeError, create=None)

from starlette.applications import Starlette  # noqa: E402

from generator.base.errors import HackjackError, UsageError, unforeseen  # noqa: E402
from generator.base.files import data_root, first_bytes  # noqa: E402
from generator.pack import strict_yaml  # noqa: E402
from generator.studio import answers  # noqa: E402
from generator.studio.app import Studio, Workers  # noqa: E402
from generator.studio.helpers import Call, Helper  # noqa: E402
from generator.studio.tables import Tables, TableWish  # noqa: E402

PARSED = "parsed.bin"
"""What the files of systems that ship hold, read when the page was built."""
_MAX_PARSED = 100_000_000

strict_yaml.PARSED.update(marshal.loads(first_bytes(data_root() / PARSED, PARSED, _MAX_PARSED)))


@cache
def workshop() -> Any:
    """Return what all helpers can do: they have one memory, and one turn after the other."""
    from generator.studio.worker import workshop

    return workshop()


class InPage(Helper):
    """A helper that works in this worker, between two answers."""

    async def _do(self, call: Call) -> None:
        await asyncio.sleep(0)  # What the page has asked meanwhile may be more urgent.
        how, value = "done", None
        try:
            value = workshop()[call.name](*call.arguments)
            if isinstance(value, Iterator):
                for part in value:
                    call.outcome.put_nowait(("part", part))
                    await asyncio.sleep(0.001)
                    if call.left:
                        break
                value = None
        except HackjackError as error:
            how, value = "error", error
        except Exception as error:
            traceback.print_exc()
            how, value = "error", HackjackError(unforeseen(error))
        call.outcome.put_nowait((how, value))


class NoTables(Tables):
    """Campaigns without tables for others: nobody can reach a page in a browser."""

    async def open(self, table: TableWish) -> str:
        """Refuse. Raises UsageError."""
        del table
        raise UsageError("A table for phones needs the program on a computer: nobody else can reach this page.")


async def reread(data: bytes, folder: Path) -> Path:
    """Refuse a picture. Raises HackjackError."""
    del data, folder
    raise HackjackError("This page cannot take pictures. The program on a computer can.")


_studio = Studio(Workers(InPage(), InPage(), InPage(), NoTables(), reread))
_app = Starlette(routes=answers.routes(_studio))
_open: dict[int, asyncio.Event] = {}


async def ask(
    number: int, method: str, path: str, query: str, kind: str, body: Any, tell: Callable[[int, str, str, Any], None]
) -> None:
    """Answer a request of the page: `tell` gets the status and the kinds, then with 0 each part, and -1 at the end."""
    gone = _open[number] = asyncio.Event()
    sent = False
    headers = {"host": "localhost", "authorization": f"Bearer {_studio.key}", "content-type": kind}
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
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": body.to_bytes() if body is not None else b"", "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            named = {name.decode(): value.decode() for name, value in message["headers"]}
            tell(message["status"], named.get("content-type", ""), named.get("content-disposition", ""), None)
        else:
            tell(0, "", "", to_js(message.get("body", b"")))

    try:
        await _app(scope, receive, send)
    except Exception:
        traceback.print_exc()
        tell(500, "application/json", "", None)
    finally:
        del _open[number]
        tell(-1, "", "", None)


def leave(number: int) -> None:
    """Nobody waits for that answer any more."""
    if number in _open:
        _open[number].set()

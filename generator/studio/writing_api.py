"""What the page asks for while somebody writes: each call goes to a helper of its own, so that no drawing delays it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from generator.base.errors import UsageError
from generator.pack import pack_locations
from generator.serve import api
from generator.studio.helpers import LOOK, PRINT, Helper
from generator.studio.uploads import MAX_UPLOAD, reread
from generator.studio.wishes import Word
from generator.studio.writing import NewPack, PackChange

Answer = Callable[[Request], Awaitable[Response]]


class PartAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A pack, or a table or deck of it."""

    pack: Word
    part: Word = ""


class EffectsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of a pack, to be worded while somebody fills in their forms."""

    pack: Word
    effects: Annotated[list[dict[str, Any]], Meta(max_length=60)]


def answers(writing: Helper, folder: Path, announce: Callable[[], None]) -> Mapping[str, Answer]:
    """Return the answers by method and name. `folder` is for uploads, `announce` tells every tab of a change."""

    def asked(request: Request, name: str) -> str:
        return request.query_params.get(name, "")

    async def grid(request: Request) -> Response:
        return api.json_response(await writing.do(LOOK, "grid", asked(request, "of"), asked(request, "part")))

    async def effects(request: Request) -> Response:
        return api.json_response(await writing.do(LOOK, "effects", asked(request, "of")))

    async def words(request: Request) -> Response:
        wanted = await api.read_body(request, EffectsAsked)
        return api.json_response(await writing.do(PRINT, "words", wanted.pack, wanted.effects))

    async def write(request: Request) -> Response:
        change = await api.read_body(request, PackChange)
        written = await writing.do(PRINT, "write", msgspec.json.encode(change))
        announce()
        return api.json_response(written)

    async def upload(request: Request) -> Response:
        try:
            change = msgspec.json.decode(asked(request, "change"), type=PackChange)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UsageError(f"this request cannot be read: {str(error)[:200]}") from error
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > MAX_UPLOAD:
                raise api.TooLargeError(f"A picture has {MAX_UPLOAD // 1_000_000} MB at most.")
        with tempfile.TemporaryDirectory(dir=folder) as own:
            path = await reread(bytes(data), Path(own))
            written = await writing.do(PRINT, "put_picture", msgspec.json.encode(change), str(path))
        announce()
        return api.json_response(written)

    async def begin(request: Request) -> Response:
        begun = await writing.do(PRINT, "begin", msgspec.json.encode(await api.read_body(request, NewPack)))
        announce()
        return api.json_response(begun)

    async def roll(request: Request) -> Response:
        chosen = await api.read_body(request, PartAsked)
        return api.json_response(await writing.do(LOOK, "roll", chosen.pack, chosen.part))

    async def show(request: Request) -> Response:
        chosen = await api.read_body(request, PartAsked)
        if chosen.pack not in pack_locations.installed():
            raise UsageError(f'There is no pack "{chosen.pack[:60]}" on your shelf.')
        path = pack_locations.find(chosen.pack)
        return api.json_response({"folder": str(path), "opened": await asyncio.to_thread(_opened, path)})

    return {
        "GET grid": grid,
        "GET effects": effects,
        "POST words": words,
        "POST write": write,
        "POST upload": upload,
        "POST begin": begin,
        "POST roll": roll,
        "POST folder": show,
    }


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

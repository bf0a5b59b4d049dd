"""A helper's process: does one call after the other for the studio's server, and ends with it.

Messages are pickles through the standard streams: `("do", number, name, arguments)` and `("stop", number)` come in,
`(number, how, value)` goes out, `how` being `part`, `done` or `error`.
"""

import asyncio
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import IO, Any

from generator.base.errors import HackjackError, unforeseen
from generator.serve.slow_work import SlowWork
from generator.studio.desk import Desk
from generator.studio.effect_forms import emblems
from generator.studio.events import shapes
from generator.studio.grid import Beside
from generator.studio.house import House
from generator.studio.posts import Posts
from generator.studio.printed_pdf import open_pdf
from generator.studio.shelf import Shelf
from generator.studio.writing import Writing


def workshop() -> Mapping[str, Callable[..., Any]]:
    """Return the calls of a helper by name. Both helpers know all: which is called depends on what it has read."""
    shelf, writing = Shelf(), Writing()
    beside, desk, house = Beside(shelf), Desk(shelf, writing), House(shelf)
    posts = Posts(writing)
    return {
        "spine": shelf.spine,
        "system": shelf.contents,
        "picture": shelf.picture,
        "check": shelf.check,
        "controls": desk.controls,
        "print": desk.print,
        "keep": desk.keep,
        "page": desk.page,
        "parcel": desk.parcel,
        "rules": house.rules,
        "compare": house.compare,
        "save": house.save,
        "odds": house.odds,
        "beside": beside.row,
        "post": posts.look,
        "write_post": posts.write,
        "statement": posts.statement,
        "grid": writing.grid,
        "effects": writing.effects,
        "draft": writing.draft,
        "columns": writing.columns,
        "emblems": emblems,
        "shapes": shapes,
        "words": writing.words,
        "write": writing.write,
        "put_picture": writing.picture,
        "begin": writing.begin,
        "remove": writing.remove,
        "open_pdf": open_pdf,
        "roll": writing.roll,
    }


async def serve(reading: IO[bytes], writing: IO[bytes]) -> None:
    """Take calls, and stop those that nobody waits for, until the server is gone."""
    work, doing, loop = SlowWork("calls"), dict[int, asyncio.Task[None]](), asyncio.get_running_loop()
    calls = await work.do(workshop)

    def send(number: int, how: str, value: Any) -> None:
        with suppress(OSError):
            writing.write(pickle.dumps((number, how, value)))
            writing.flush()

    def whole(number: int, name: str, arguments: tuple[Any, ...]) -> Any:
        value = calls[name](*arguments)
        if not isinstance(value, Iterator):
            return value
        for part in value:
            loop.call_soon_threadsafe(send, number, "part", part)
        return None

    async def do(number: int, name: str, arguments: tuple[Any, ...]) -> None:
        how, value = "done", None
        try:
            value = await work.do(whole, number, name, arguments)
        except asyncio.CancelledError:
            pass
        except HackjackError as error:
            how, value = "error", error
        except Exception as error:
            # Content comes from strangers: whatever we overlooked ends this call and no other.
            how, value = "error", HackjackError(unforeseen(error))
        del doing[number]
        send(number, how, value)

    while True:
        kind, number, *rest = await asyncio.to_thread(pickle.load, reading)
        if kind == "do":
            doing[number] = asyncio.create_task(do(number, *rest))
        elif number in doing:
            doing[number].cancel()


def main() -> None:
    """Serve the process that started this one."""
    # Whatever prints must not get in between the messages.
    writing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        asyncio.run(serve(sys.stdin.buffer, writing))
    os._exit(0)


if __name__ == "__main__":
    main()

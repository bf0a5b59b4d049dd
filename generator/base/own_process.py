"""What a file from anybody could make endless is done in a process of its own, with an end to its time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from generator.base.errors import HackjackError

_BEGIN = (
    "import json, sys; asked = json.load(sys.stdin); sys.path[:] = asked['path']; "
    "from generator.base import own_process; own_process.answer(asked)"
)


def done(where: str, what: str, words: Sequence[Any], seconds: int, memory: int) -> Any:
    """What a function of ours gives, as JSON: `what` of the module `where`, called with these words.

    `seconds` are of processor time, and on the clock ten times as many. `memory` is in bytes, and holds where the
    system can hold a process to it. Raises the HackjackError of the function, and TimeoutError past either limit.
    """
    asked = {"path": sys.path, "where": where, "what": what, "words": words, "seconds": seconds, "memory": memory}
    try:
        ran = subprocess.run(
            # -I: nothing that lies in the folder where somebody stands is taken for a module.
            [sys.executable, "-I", "-c", _BEGIN],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=10 * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    try:
        answer = json.loads(ran.stdout)
    except ValueError as error:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        if ran.returncode == 1 and said:
            raise RuntimeError(said[-1]) from error
        # It was ended by the system, or ended itself where it got no more memory.
        raise TimeoutError from error
    if "fault" in answer:
        raise HackjackError(answer["fault"])
    if "spent" in answer:
        raise TimeoutError
    return answer["gives"]


def answer(asked: dict[str, Any]) -> None:
    """In the process of its own: take up the limits, call the function, and write what it gives."""
    _limit(asked["seconds"], asked["memory"])
    written: dict[str, Any]
    try:
        written = {"gives": getattr(import_module(asked["where"]), asked["what"])(*asked["words"])}
    except HackjackError as error:
        written = {"fault": str(error)}
    except (MemoryError, RecursionError):
        written = {"spent": True}
    json.dump(written, sys.stdout)


def _limit(seconds: int, memory: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows: there the clock alone ends it
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))

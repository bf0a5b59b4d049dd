"""Pictures that somebody uploads: read in a process of its own, within limits, and written again without their extras.

What the file says of itself counts for nothing: its name and its type are ours, and it is what the decoders see in it.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes, save_file
from generator.layout.artwork import plain_file
from generator.serve.slow_work import off_thread

MAX_UPLOAD = 20_000_000
"""Bytes of a picture."""
MAX_SIDE = 3000
"""Dots of its longer side: a card bleeds over 2,700 at 1,000 dpi."""
PATIENCE = 30.0
"""Seconds within which it is read."""
_MEMORY = 2_000_000_000


async def reread(data: bytes, folder: Path) -> Path:
    """Return a file in that folder that holds the picture, written again as PNG or JPEG. Raises HackjackError."""
    if len(data) > MAX_UPLOAD:
        raise UsageError(f"A picture has {MAX_UPLOAD // 1_000_000} MB at most.")
    source = folder / "upload"
    await off_thread(save_file, data, source)
    command = (sys.executable, "-P", "-m", "generator.studio.uploads", str(source))
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    try:
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    except TimeoutError:
        errors = b"This picture takes too long to read. Save it again, or a smaller one."
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        lines = errors.decode(errors="replace").strip().splitlines()
        raise HackjackError(lines[-1] if lines else "This picture cannot be read. Save it again.")
    return source


def main(source: Path) -> None:
    """Read a picture and write it again in its place. Raises HackjackError."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limits.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    save_file(plain_file(first_bytes(source, "the picture", MAX_UPLOAD), MAX_SIDE), source)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except HackjackError as error:
        sys.exit(str(error))
    except MemoryError:
        sys.exit("This picture needs too much memory. Save a smaller one.")

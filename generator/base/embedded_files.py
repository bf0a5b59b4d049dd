"""The archive in a PDF, which may be anybody's: pdfium reads it in its own process, with limits of time and memory."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from generator.base.errors import HackjackError

MAX_FILES = 16
MAX_MEMORY, MAX_SECONDS = 600_000_000, 10
PATIENCE = 60.0
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\.zip")


def embedded_archive(pdf: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of the archive that a PDF has in it. Raises HackjackError."""
    command = (sys.executable, "-P", "-m", __name__, str(pdf))
    try:
        # A page in a browser has no processes, and no more memory than its own.
        alone = sys.platform == "emscripten"
        raw = _read(pdf) if alone else subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True).stdout
    except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
        raise HackjackError("this PDF cannot be read. Get it again, as Hackjack printed it.") from error
    name, _, data = raw.partition(b"\n")
    if not name:
        raise HackjackError("this PDF carries no pack. Use one that Hackjack printed without --bare.")
    return name.decode(), data


def _read(pdf: Path) -> bytes:
    """Return the name and the bytes of the first archive, parted by a line's end; nothing if there is none."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    attachments = (document.get_attachment(index) for index in range(min(document.count_attachments(), MAX_FILES)))
    archives = (each for each in attachments if _NAME.fullmatch(each.get_name()))
    return next((f"{each.get_name()}\n".encode() + bytes(each.get_data()) for each in archives), b"")


if __name__ == "__main__":
    with suppress(ImportError):  # Windows has no such limits.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.buffer.write(_read(Path(sys.argv[1])))

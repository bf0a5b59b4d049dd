"""Files in a PDF, which may be anybody's: pdfium reads it in a process of its own, with limits of time and memory."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from generator.base.errors import HackjackError

ORDER = "order.json"
"""The file that says how a PDF was printed; all others are packs."""
MAX_FILES = 16
MAX_MEMORY, MAX_SECONDS = 600_000_000, 10
PATIENCE = 60.0
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\.zip|order\.json")


def embedded_files(pdf: Path) -> dict[str, bytes]:
    """Return the files of ours that a PDF carries, by name. Raises HackjackError."""
    try:
        if sys.platform == "emscripten":  # A page has no processes, and no more memory than its own.
            return _read(pdf)
        command = (sys.executable, "-P", "-m", __name__, str(pdf))
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True)
        return msgspec.msgpack.decode(done.stdout, type=dict[str, bytes])
    except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
        raise HackjackError("this PDF cannot be read. Get it again, as Hackjack printed it.") from error


def _read(pdf: Path) -> dict[str, bytes]:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    attachments = [document.get_attachment(index) for index in range(min(document.count_attachments(), MAX_FILES))]
    return {name: bytes(each.get_data()) for each in attachments if _NAME.fullmatch(name := each.get_name())}


def _main(pdf: Path) -> None:
    with suppress(ImportError):  # Windows has no such limits.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.buffer.write(msgspec.msgpack.encode(_read(pdf)))


if __name__ == "__main__":
    _main(Path(sys.argv[1]))

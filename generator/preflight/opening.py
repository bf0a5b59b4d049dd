"""A file to look at: read whole, with limits, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

from generator.base.errors import HackjackError

MOST_BYTES = 300_000_000
_HEAD = _TAIL = 1024
"""Where readers look for the mark at the beginning and the one at the end."""


def read_pdf(path: Path) -> bytes:
    """The bytes of a PDF. Raises HackjackError for what is none, cannot be read, is cut short or too large."""
    try:
        if path.is_dir():
            raise HackjackError(f"{path} is a folder: name one PDF file")
        if path.exists() and not path.is_file():
            raise HackjackError(f"{path} is no ordinary file: save the PDF on disk first")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise HackjackError(
                f"{path} is too large to look at: {size / 1e6:,.0f} MB, and {MOST_BYTES / 1e6:,.0f} MB is the most"
            )
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise HackjackError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    refuse(data, str(path))
    return data


def refuse(data: bytes, called: str) -> None:
    """Raise HackjackError for bytes that are no whole PDF."""
    if not data:
        raise HackjackError(f"{called} is empty: name a PDF file")
    if b"%PDF-" not in data[:_HEAD]:
        raise HackjackError(f"{called} is no PDF: it does not begin with %PDF")
    if b"%%EOF" not in data[-_TAIL:]:
        raise HackjackError(f"{called} is cut short: the mark at the end of a PDF is missing; save or copy it anew")

"""The lines of a journal: encoded, chained by checksums, and replayed into a session. This module opens no file."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from generator.base.errors import HackjackError
from generator.model.rules import System
from generator.session.deeds import Campaign, Command, Continuation, Line
from generator.session.party import PartyTable
from generator.session.session import Session, TableStep, advance, new_session, with_content

MAX_LINES = 100_000
MAX_LINE_BYTES = 80_000
"""The order of a thousand cards with long names fits."""
encode = msgspec.json.Encoder().encode
_lines: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_SEAL_BYTES = 16


class JournalRow(NamedTuple):
    """A line as it is stored. `seal` is a checksum of the line and of all lines before it."""

    number: int
    body: bytes
    seal: bytes


START = JournalRow(0, b"", b"")
"""What the first line follows."""


def chain_rows(lines: Iterable[Line], last: JournalRow = START) -> list[JournalRow]:
    """Return the rows that store lines after the row `last`. Raises HackjackError for a line that is too long."""
    rows = []
    for line in lines:
        body = encode(line)
        read_line(body)  # Whatever could not be read back must not be written.
        if len(body) > MAX_LINE_BYTES:
            what = line.deeds[0].do if isinstance(line, Command) and line.deeds else "this line"
            raise HackjackError(f"{what}: {len(body):,} bytes are too many for a line: {MAX_LINE_BYTES:,} at most")
        last = JournalRow(last.number + 1, body, seal(last, body))
        rows.append(last)
    return rows


def seal(last: JournalRow, body: bytes) -> bytes:
    """Return the checksum of a line that follows the row `last`."""
    return blake2b(last.seal + body, digest_size=_SEAL_BYTES).digest()


def check_chain(rows: Sequence[JournalRow], last: JournalRow, file_name: str) -> None:
    """Raise HackjackError unless each row follows the one before it, the first one `last`, as it was written."""
    for row in rows:
        if row.number != last.number + 1 or not isinstance(row.body, bytes) or row.seal != seal(last, row.body):
            raise HackjackError(
                f"{file_name}: line {last.number + 1} is not as it was written, so the file is damaged: restore a copy"
            )
        last = row


def read_line(body: bytes) -> Line:
    """Read a line. Raises HackjackError."""
    try:
        return _lines.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HackjackError(f"this line cannot be read: {str(error)[:200]}") from error


def replay(
    session: Session | None, rows: Iterable[JournalRow | tuple[int, bytes | Line]], system: System, file_name: str
) -> tuple[Session | None, tuple[TableStep, ...]]:
    """Replay numbered lines on the session before them; return the session and the steps, without their logs.

    Raises HackjackError with file and line.
    """
    steps: list[TableStep] = []
    for number, body, *_ in rows:
        try:
            line = read_line(body) if isinstance(body, bytes) else body
            match line:
                case Campaign() if session is None:
                    session = _begun(line, system)
                case Continuation() if session is not None:
                    session = with_content(session, line)
                case Command() if session is not None:
                    step = advance(session, line, replaying=True)
                    # Logs can be computed again; thousands of them would only take memory.
                    steps.append(TableStep(step.session, step.command, step.before))
                    session = step.session
                case _:
                    raise HackjackError("the campaign belongs on the first line, and nowhere else")
        except HackjackError as error:
            raise HackjackError(f"{file_name}: line {number}: {error}{_content_hint(session, system)}") from error
    return session, tuple(steps)


def _content_hint(session: Session | None, system: System) -> str:
    """Return the end of a sentence about a line that cannot be replayed, if changed content may be the reason."""
    if session is None:
        return ""
    made, now = session.since.content, system.head.version
    versions = f" (begun with content {made}, read with {now})" if made != now else ""
    return f"; if the content has changed since, bring it back as it was then{versions}"


def _begun(campaign: Campaign, system: System) -> Session:
    if campaign.system != system.head.id:
        own = f"begin another one with --campaign NAME for {system.head.id}"
        raise HackjackError(f'this campaign plays "{campaign.system[:40]}", not "{system.head.id}": {own}')
    return new_session(PartyTable(campaign.of(system), campaign))

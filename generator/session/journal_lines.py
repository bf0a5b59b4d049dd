"""The lines of a journal: sealed with checksums, read, and replayed into a session. No file is touched here."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import HackjackError
from generator.model.rules import System
from generator.session.deeds import COMMANDS_SINCE, VERSION, Campaign, Command, Continuation, Deed
from generator.session.party import Table
from generator.session.session import Session, Step, advance, begin, continued

MOST_LINES = 100_000
MOST_BYTES = 20_000_000
LONGEST_LINE = 80_000
"""The order of a thousand cards with long names fits."""
Shape = TypeVar("Shape", bound=Struct)


class _OldDeed(Deed, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line before version 4: one deed, which may be written as in version 1, with a number and a word."""

    amount: Annotated[int, Meta(ge=0, le=10_000)] = 0
    word: Annotated[str, Meta(max_length=20)] = ""

    def renewed(self) -> Deed:
        """The deed as it is written now."""
        number = () if not self.amount else ("hp", str(self.amount)) if self.do == "add" else (str(self.amount),)
        words = (*number, *([self.word] if self.word else []), *self.words)
        return Deed(self.do, self.who, words, self.cards, self.dice, self.choices, self.order, self.at, self.given)


# --- one line --------------------------------------------------------------------------------------------------------

# Each line ends with a checksum of itself and of all lines before it, so that none can change, move or vanish unseen.
_SEAL = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_SEAL_LENGTH = len(',"crc":"00000000"}')
_CONTINUES = b'{"version":'
"""How a line begins that says what the journal goes on with; no command has a version."""
encode = msgspec.json.Encoder().encode
_old_deeds: msgspec.json.Decoder[_OldDeed] = msgspec.json.Decoder(_OldDeed)
_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_campaigns: msgspec.json.Decoder[Campaign] = msgspec.json.Decoder(Campaign)
_continuations: msgspec.json.Decoder[Continuation] = msgspec.json.Decoder(Continuation)


def seal(body: bytes, before: int) -> tuple[bytes, int]:
    """A line from a JSON object, with its checksum and its end; and the checksum, which the next line goes on from."""
    checksum = zlib.crc32(body, before)
    return b'%s,"crc":"%08x"}\n' % (body[:-1], checksum), checksum


def seam_of(checksum: int) -> bytes:
    """How the line ends up to which a journal has a checksum: a file that has this there has all lines before it."""
    return b'"crc":"%08x"}\n' % checksum


def unseal(line: bytes, before: int) -> tuple[bytes, int] | None:
    """The JSON object of a line and its checksum; None when the line is not as it was written."""
    match = _SEAL.fullmatch(line, max(len(line) - _SEAL_LENGTH, 0))
    if match is None or len(line) > LONGEST_LINE:
        return None
    body = line[: match.start()] + b"}"
    checksum = zlib.crc32(body, before)
    return (body, checksum) if checksum == int(match[1], 16) else None


def read_campaign(body: bytes) -> Campaign:
    """The campaign on the first line of a journal. Raises HackjackError."""
    return _decoded(_campaigns, body)


def read_command(body: bytes) -> Command:
    """The command on a line. Raises HackjackError."""
    return _decoded(_commands, body)


def _decoded(decoder: msgspec.json.Decoder[Shape], body: bytes) -> Shape:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HackjackError(f"this line cannot be read: {str(error)[:200]}") from error


# --- all lines -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds. `size` bytes of it are sound; `torn` is a last line that is not.

    `ended` is false when the last sound line lacks nothing but its end. Without a session nothing was begun. `steps`
    are the commands that this reading has added to the one before it, without their logs.
    """

    session: Session | None = None
    checksum: int = 0
    size: int = 0
    torn: bytes = b""
    ended: bool = True
    steps: tuple[Step, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines are sound."""
        return self.session.lines if self.session else 0

    @property
    def notice(self) -> str:
        """What people should know of a torn line; empty when there is none."""
        if not self.torn:
            return ""
        return (
            f"line {self.lines + 1}, the last one, is not as it was written ({len(self.torn)} bytes), as when the "
            "power fails, and is left out"
        )


def read_journal(raw: bytes, system: System, shown: str, before: Reading | None = None) -> Reading:
    """Replay a journal, or the bytes that follow those that were read before.

    Raises HackjackError with file and line for everything but a torn last line.
    """
    before = before or Reading()
    session, checksum, start = before.session, before.checksum, before.lines
    if before.size + len(raw) > MOST_BYTES:
        total = before.size + len(raw)
        raise HackjackError(f"{shown}: {total:,} bytes are too many: a journal has {MOST_BYTES:,} at most")
    ended = raw.endswith(b"\n")
    lines = raw.split(b"\n")[: -1 if ended or not raw else None]
    if start + len(lines) > MOST_LINES:
        total = start + len(lines)
        raise HackjackError(f"{shown}: {total:,} lines are too many: a journal has {MOST_LINES:,} at most")
    steps: list[Step] = []
    size = 0
    for number, line in enumerate(lines, start + 1):
        _check_version(line, shown, number)
        opened = unseal(line, checksum)
        if opened is None and number == start + len(lines) and (number > 1 or not ended):
            return Reading(session, checksum, before.size + size, raw[size:], True, tuple(steps))
        try:
            if opened is None:
                raise HackjackError(_DAMAGED)
            found = _replayed(session, opened[0], system)
        except HackjackError as error:
            other = _other_content(session, system) if opened else ""
            raise HackjackError(f"{shown}:{number}: {error}{other}") from error
        if isinstance(found, Step):
            # Logs can be had again; thousands of them would only lie about.
            steps.append(Step(found.session, found.command, found.before))
            found = found.session
        session, checksum = found, opened[1]
        size += len(line) + 1
    return Reading(session, checksum, before.size + min(size, len(raw)), b"", ended or not raw, tuple(steps))


_DAMAGED = (
    "this line is not as it was written, or lines before it are missing: bring back a copy of the file, or cut it off "
    "before this line to go on from there"
)


def _other_content(session: Session | None, system: System) -> str:
    """The end of a sentence about a line that cannot be replayed, where the content may be why."""
    if session is None:
        return ""
    made, now = session.since.content, system.head.version
    versions = f" (begun with content {made}, read with {now})" if made != now else ""
    return f"; if the content has changed since, bring it back as it was then{versions}"


def _replayed(session: Session | None, body: bytes, system: System) -> Session | Step:
    """What a line makes of the session before it."""
    if session is None:
        return _begun(read_campaign(body), system)
    if body.startswith(_CONTINUES):
        return continued(session, _decoded(_continuations, body))
    if session.since.version < COMMANDS_SINCE:
        return advance(session, _decoded(_old_deeds, body).renewed(), replaying=True)
    return advance(session, read_command(body), replaying=True)


def _begun(campaign: Campaign, system: System) -> Session:
    if campaign.version < 1:
        raise HackjackError(f"the journal is of version {campaign.version}, and this program reads 1 to {VERSION}")
    if campaign.system != system.head.id:
        raise HackjackError(f'this campaign plays "{campaign.system[:40]}", not "{system.head.id}"')
    return begin(Table(campaign.of(system), campaign))


class _Versioned(Struct):
    """What the line of any version tells first."""

    version: int = 1


_versions: msgspec.json.Decoder[_Versioned] = msgspec.json.Decoder(_Versioned)


def _check_version(line: bytes, shown: str, number: int) -> None:
    """Raises HackjackError for a line that names a newer version, before anything else of it is read.

    It may be the first one, or a later one from which on a newer program went on.
    """
    if b'"version"' not in line:
        return
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        version = _versions.decode(line).version
        if version > VERSION:
            what = f"{'' if number == 1 else 'from here on '}the journal is of version {version}"
            raise HackjackError(
                f"{shown}:{number}: {what}, and this program reads 1 to {VERSION}: play on with the newer hackjack "
                "that wrote it"
            )

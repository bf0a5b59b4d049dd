"""The journal of a campaign on disk, which several programs may write to at the same time.

Nobody holds the journal while people think. A command takes the lock, reads what others wrote, is done on that, is
written down and synced, and lets go. The end of a line is written after the line is on the disk: so who reads without
the lock takes only lines that have their end, and nothing of them is ever taken back.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG
from threading import RLock
from typing import NamedTuple

import msgspec

from generator.base import locks
from generator.base.errors import HackjackError
from generator.model.rules import System
from generator.play.chance import NeedsError
from generator.session.deeds import VERSION, Campaign, Command, Continuation, Deed
from generator.session.journal_lines import (
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    Reading,
    encode,
    read_command,
    read_journal,
    seal,
    seam_of,
)
from generator.session.party import Table
from generator.session.session import Moment, Session, Step, advance, begin, continued, forget, retold

PATIENCE = 1.0
"""Seconds that a command waits for another one on the same campaign."""
AGAIN = 0.005
"""Seconds until the lock is tried again."""
KEPT = 250
"""So many commands are kept with the states after them, and up to twice as many; what is older is read again."""
LOOKS = 5
"""So many times a reader looks again at a last line that is being written."""


def seconds() -> int:
    """The time of day, in seconds since 1970 (UTC)."""
    return int(time.time())


class BusyError(HackjackError):
    """Another program writes to the campaign: the same command may be sent again."""


class FullError(HackjackError):
    """The journal takes no more: a new campaign has to begin."""


class IdTakenError(HackjackError):
    """The id of a command was used for another one."""


class StaleError(HackjackError):
    """A command that draws, chooses, undoes or redoes was made on an older line; `steps` is what came since."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps
        shown = [f"{step.command.sent_by}: {step.command}" for step in steps[:3]]
        more = f" and {len(steps) - 3} more" if len(steps) > 3 else ""
        came = f" ({'; '.join(shown)}{more})" if steps else ""
        super().__init__(f"others have played in the meantime{came}: look at the table, and send the command again")


def read_file(path: Path, system: System) -> Reading:
    """Read a campaign without touching it, also while others play. Raises HackjackError.

    A last line that somebody is just writing is left out.
    """
    raw = _contents(path)
    for _ in range(LOOKS):
        if raw.endswith(b"\n") or not raw:
            break
        if _is_locked(path):
            raw = raw[: raw.rfind(b"\n") + 1]
            break
        before, raw = raw, _contents(path)
        if before == raw:
            break
    return read_journal(raw, system, str(path))


def _contents(path: Path, start: int = 0) -> bytes:
    """The bytes of a journal from a place on; none when there is no file."""
    with _sentences(path):
        try:
            about = path.stat()
        except FileNotFoundError:
            return b""
        if not S_ISREG(about.st_mode):
            raise HackjackError(f"{path}: this is no plain file, and a campaign must be one")
        if about.st_size > MOST_BYTES:
            raise HackjackError(f"{path}: {about.st_size:,} bytes are too many: a journal has {MOST_BYTES:,} at most")
        with path.open("rb") as stream:
            stream.seek(start)
            return stream.read(MOST_BYTES + 1)


def other_content(session: Session, system: System) -> str:
    """What to say where a campaign is not played with the content that is here; empty where it is, or may be."""
    played = session.since
    if played.checksum in ("", system.checksum) or not system.checksum:
        return ""
    here = system.head.version
    versions = f" ({played.content}, and here is {here})" if played.content != here else ""
    return f"the campaign is played with other content of {system.head.id} than what is here{versions}"


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Say in a sentence what the disk refuses."""
    try:
        yield
    except OSError as error:
        raise HackjackError(f"{path}: {error.strerror or error}") from error


def _anyone(_: Session) -> None:
    """Agree to any campaign."""


def open_journal(
    path: Path,
    system: System,
    campaign: Campaign,
    *,
    agreed: Callable[[Session], object] = _anyone,
    accept_content: bool = False,
) -> Journal:
    """A campaign to play in; `campaign` is what a new one settles on. Raises HackjackError.

    `agreed` is called with a campaign that others began, and raises HackjackError where it is not the one that is
    wanted. `accept_content`: go on where the content is no longer what the campaign was played with.
    """
    return Journal(path, system, begin(Table(campaign.of(system), campaign)), agreed, accept_content)


class _Stamp(NamedTuple):
    """By what a file is known again: which it is, how long, and when it was written to."""

    file: tuple[int, int]
    size: int
    written: int


_NO_FILE = _Stamp((0, 0), 0, 0)


def _stamp(path: Path) -> _Stamp:
    with _sentences(path):
        try:
            about = path.stat()
        except FileNotFoundError:
            return _NO_FILE
        return _Stamp((about.st_dev, about.st_ino), about.st_size, about.st_mtime_ns)


class Journal:
    """A campaign that is open for play. Every command is on the disk before anybody hears of it.

    Several threads may use it. `notices` are sentences for people about the file.
    """

    def __init__(
        self, path: Path, system: System, new: Session, agreed: Callable[[Session], object], accept_content: bool
    ) -> None:
        self._path, self._system, self._agreed = path, system, agreed
        self._thread = RLock()
        self._accept, self._accepted = accept_content, ""
        self._reading, self._stamp = Reading(), _NO_FILE
        self._steps: deque[Step] = deque(maxlen=KEPT)
        self._ids: dict[str, int] = {}
        self._news: list[Step] = []
        self.session = new
        self.notices: list[str] = []
        with self._thread:
            self._read()
            if self._stamp != _NO_FILE and (self._stamp.size > self._reading.size or not self.begun):
                with self._alone():
                    self._read(alone=True)
            self._accept = False
            self._news.clear()

    @property
    def begun(self) -> bool:
        """Whether anything is written yet."""
        return self._reading.session is not None

    @property
    def lines(self) -> int:
        """How many lines the journal has: what the next command is made `on`."""
        return self.session.lines

    def knows(self, id: str) -> bool:
        """Whether a command of that id has been done: to send it again does nothing, and is answered as before."""
        with self._thread:
            return id in self._ids

    def catch_up(self) -> tuple[Step, ...]:
        """Read what others wrote, and return it; each command is returned once. Raises HackjackError.

        Takes no lock: a line that is not written to its end is not there yet.
        """
        with self._thread:
            self._read()
            news = tuple(map(retold, self._news))
            self._news.clear()
            return news

    def do(
        self,
        command: Command | Deed,
        on: int | None = None,
        asking: bool = False,
        waiting: Collection[int] = (),
    ) -> Step:
        """Do a command and write it down. When either fails nothing has happened. Raises HackjackError.

        `on` is how many lines the journal had when the command was made. Where more have come, a command that draws,
        chooses, undoes or redoes raises StaleError. A command whose id is known is answered as it was the first time.
        `asking` and `waiting` are those of `advance`.
        Raises MissingError when luck or a choice is needed, and BusyError when others write for longer than PATIENCE.
        """
        command = Command((command,)) if isinstance(command, Deed) else command
        with self._thread:
            again = self._read()
            with self._alone():
                again = self._read(alone=True) or again
                if command.id in self._ids:
                    return self._answered(command)
                since = () if on is None or again else self._since(on)
                stale = on is not None and (again or bool(since) or on > self.lines)
                if stale and (command.turns or command.mends or command.lucky):
                    raise StaleError(since)
                start = self._going_on()
                try:
                    step = advance(start, self._signed(command), asking=asking, waiting=waiting)
                except NeedsError:
                    if stale:
                        raise StaleError(since) from None
                    raise
                if stale and step.command.lucky:
                    raise StaleError(since)
                self._append(start, step)
            return step

    def _signed(self, command: Command) -> Command:
        """The command with an id and the time of day."""
        return msgspec.structs.replace(
            command, id=command.id or secrets.token_urlsafe(12), time=command.time or seconds()
        )

    def _answered(self, command: Command) -> Step:
        line = self._ids[command.id]
        first = next(step for step in self._back_to(line) if step.session.lines == line)
        if not command.repeats(first.command):
            raise IdTakenError(
                f'the id "{command.id}" was used for another command ({first.command}): send each one with its own'
            )
        return retold(first)

    def _since(self, line: int) -> tuple[Step, ...]:
        """What came after a line."""
        return tuple(retold(step) for step in self._back_to(line + 1) if step.session.lines > line)

    def _back_to(self, line: int) -> Sequence[Step]:
        """The newest commands, from the one on a line on or from further back."""
        kept = self._steps
        return self._again().steps if kept and kept[0].session.lines > line else kept

    def _again(self, line: int | None = None) -> Reading:
        """All that was read once, or as far as a line, read once more."""
        with self._thread:
            raw = _contents(self._path)[: self._reading.size]
            if not raw.endswith(seam_of(self._reading.checksum)):
                raise HackjackError(f"{self._path}: this is another file than before: leave, and begin again")
            return read_journal(b"".join(raw.splitlines(keepends=True)[:line]), self._system, str(self._path))

    def _before(self, line: int) -> Moment:
        """The moment before the one on a line, as it was forgotten."""
        session = self._again(line).session
        assert session is not None and session.now.before is not None, "a command stands on that line"
        return session.now.before

    def _going_on(self) -> Session:
        """The session that a command is done on: after a line for a new version or new content, where one is due."""
        since, now = self.session.since, self._system.checksum
        if since.version == VERSION and (since.checksum == now or not now):
            return self.session
        return continued(self.session, Continuation(VERSION, self._system.head.version, now))

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(self, *, alone: bool = False) -> bool:
        """Read and replay what was appended; everything, where the file is another one or shorter, which it returns.

        Without the lock only lines that have their end are read; with it the last line is mended.
        """
        stamp, known = _stamp(self._path), self._reading
        if not stamp.size and self.begun:
            raise HackjackError(f"{self._path}: the file is gone: bring it back, or leave and begin a new campaign")
        if stamp == self._stamp and (not alone or stamp == _NO_FILE or (self.begun and stamp.size == known.size)):
            return False
        seam = seam_of(known.checksum) if self.begun else b""
        raw = _contents(self._path, known.size - len(seam))
        again = not raw.startswith(seam)
        if again:
            # The lines that were read are not there any more: another file was put in the place of ours.
            known, raw = Reading(), _contents(self._path)
        else:
            raw = raw[len(seam) :]
        if not alone:
            raw = raw[: raw.rfind(b"\n") + 1]
        reading = read_journal(raw, self._system, str(self._path), known)
        if again and reading.session is None:
            raise HackjackError(f"{self._path}: nothing of the campaign is left: bring the file back, or leave")
        self._take(self._mended(reading) if alone else reading, again)
        self._stamp = _stamp(self._path) if alone else stamp
        return again

    def _take(self, reading: Reading, again: bool) -> None:
        """Go on from what was read."""
        if reading.session is not None:
            self._check_content(reading.session)
            if again or not self.begun:
                self._agreed(reading.session)
            self.session = reading.session
        new = reading.steps
        if again:
            self._steps.clear()
            self._ids, self._news = {}, []
            self.notices.append(f"{self._path.name} is another file than before: all of it was read again")
        self._keep(new)
        self._news += [] if again else new
        self._reading = replace(reading, steps=())

    def _keep(self, steps: tuple[Step, ...]) -> None:
        self._steps += steps
        self._ids.update((step.command.id, step.session.lines) for step in steps if step.command.id)
        if steps and steps[0].before.lines // KEPT < self.session.lines // KEPT:
            forget(self.session.now, KEPT, self._before)

    def _check_content(self, session: Session) -> None:
        """Raise HackjackError where the content is not what the campaign is played with, and nobody said it may."""
        if self._accept:
            self._accepted = session.since.checksum
        if session.since.checksum != self._accepted and (said := other_content(session, self._system)):
            raise HackjackError(f"{self._path}: {said}: bring that back, or add --accept-content to go on with this")

    def _mended(self, reading: Reading) -> Reading:
        """Set a torn line aside, and give a last line its end. The lock is held."""
        with _sentences(self._path):
            if reading.torn:
                aside = self._set_aside(reading.torn)
                self.notices.append(f"{self._path.name}: {reading.notice}; it lies in {aside.name} now")
            if reading.session is None:
                self._path.unlink(missing_ok=True)
                return Reading()
            if not reading.torn and reading.ended:
                return reading
            with _opened(self._path) as handle:
                if reading.torn:
                    os.ftruncate(handle, reading.size)
                else:
                    os.write(handle, b"\n")
                os.fsync(handle)
        return replace(reading, size=reading.size + (not reading.ended), torn=b"", ended=True)

    def _set_aside(self, torn: bytes) -> Path:
        number = 1
        while True:
            aside = self._path.with_name(f"{self._path.stem}.torn-{number}")
            try:
                with aside.open("xb") as stream:
                    stream.write(torn)
                    stream.flush()
                    os.fsync(stream.fileno())
                return aside
            except FileExistsError:
                number += 1

    # --- writing -----------------------------------------------------------------------------------------------------

    def _append(self, start: Session, step: Step) -> None:
        """Write a step down, after the lines that must come before it. On the disk when this returns."""
        bodies = [] if self.begun else [encode(self.session.table.campaign)]
        bodies += [encode(start.since)] if start is not self.session else []
        command = encode(step.command)
        read_command(command)  # What could not be read again is not written.
        checksum, lines = self._reading.checksum, []
        for body in (*bodies, command):
            line, checksum = seal(body, checksum)
            lines.append(line)
        if len(line) > LONGEST_LINE:
            what = step.command.deeds[0].do
            raise HackjackError(f"{what}: {len(line):,} bytes are too many for a line: {LONGEST_LINE:,} at most")
        size = self._reading.size + sum(map(len, lines))
        if self._reading.lines + len(lines) > MOST_LINES or size > MOST_BYTES:
            count = self._reading.lines
            raise FullError(f"{self._path}: the journal is full ({count:,} lines): begin a new campaign")
        with _sentences(self._path):
            self._write(lines)
        self.session = step.session
        self._keep((Step(step.session, step.command, step.before),))
        self._reading, self._stamp = Reading(step.session, checksum, size), _stamp(self._path)

    def _write(self, lines: list[bytes]) -> None:
        created, size = not self.begun, self._reading.size
        try:
            with _opened(self._path, os.O_CREAT | os.O_EXCL if created else 0) as handle:
                for line in lines:
                    _write_line(handle, line, size)
                    size += len(line)
            if created:
                locks.sync_folder(self._path.parent)
        except FileExistsError:
            # Somebody else has put it there.
            raise
        except BaseException:
            if created and not size:
                with suppress(OSError):
                    self._path.unlink()
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the campaign's lock. The system lets go of it when this process ends, however it ends."""
        lock, take = self._path.with_suffix(".lock"), locks.locker()
        with _sentences(lock):
            if not self.begun:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | locks.PLAIN, 0o666)
        try:
            until = time.monotonic() + PATIENCE
            while not _taken(take, handle, lock):
                if time.monotonic() >= until:
                    who = re.match(rb"\d{1,9}", locks.noted(handle))
                    process = f"process {who[0].decode()}" if who else "another process"
                    raise BusyError(f"{self._path.stem} is busy, for {process} writes to it: try again")
                time.sleep(AGAIN)
            with suppress(OSError):
                # Only for those who wait: who writes.
                if locks.noted(handle) != (own := b"%d\n" % os.getpid()):
                    locks.note(handle, own)
            yield
        finally:
            os.close(handle)


@contextmanager
def _opened(path: Path, more: int = 0) -> Iterator[int]:
    """A journal to append to."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | locks.PLAIN | more, 0o666)
    try:
        yield handle
    finally:
        os.close(handle)


def _write_line(handle: int, line: bytes, size: int) -> None:
    """Append a line to a file of that size: first the line, and when that is on the disk, its end."""
    try:
        if os.write(handle, line[:-1]) != len(line) - 1:
            raise OSError(None, "the disk took only a part; nothing was kept")
        os.fsync(handle)
        if os.write(handle, line[-1:]) != 1:
            raise OSError(None, "the disk took only a part; nothing was kept")
    except BaseException:
        # An interrupt must not leave half a command. But what has its end may have been read, and stays.
        with suppress(OSError):
            if os.fstat(handle).st_size < size + len(line):
                os.ftruncate(handle, size)
        raise


def _taken(take: Callable[[int], None], handle: int, lock: Path) -> bool:
    with _sentences(lock):
        try:
            take(handle)
        except BlockingIOError:
            return False
    return True


def _is_locked(path: Path) -> bool:
    """Whether somebody writes to a campaign at this moment, as far as that can be found out."""
    lock = path.with_suffix(".lock")
    with suppress(OSError):
        handle = os.open(lock, os.O_RDWR | locks.PLAIN)
        try:
            return not _taken(locks.locker(), handle, lock)
        except HackjackError:
            return False
        finally:
            os.close(handle)
    return False

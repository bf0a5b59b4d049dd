"""A campaign that is open for play: commands are done on what everybody wrote, and saved before anybody hears of them.

Nobody holds the file while people think. A command begins a transaction, reads what others wrote, is done on that, is
written down, and ends the transaction: it is on the disk then, or nothing has happened.
"""

import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from threading import RLock

import msgspec

from generator.base.errors import HackjackError
from generator.model.rules import System
from generator.play.chance import NeedsError
from generator.session.deeds import Campaign, Command, Continuation, Deed, Line
from generator.session.journal_file import BusyError, FullError, JournalFile
from generator.session.journal_lines import MAX_LINES, START, chain_rows, check_chain, encode, read_line, replay
from generator.session.party import PartyTable
from generator.session.session import (
    Moment,
    Session,
    TableStep,
    advance,
    content_checksum,
    forget,
    new_session,
    with_content,
    with_logs,
)

__all__ = ["BusyError", "FullError", "IdTakenError", "Journal", "StaleError", "read_file"]

KEPT = 250
"""So many commands are kept with the states after them, and up to twice as many; what is older is read again."""
MAX_PLAYER_COMMANDS = 5_000
MAX_PLAYER_BYTES = 2_000
"""Of one command: together they bound what the holder of a player's link can store."""


def unix_time() -> int:
    """Return the time of day, in seconds since 1970 (UTC)."""
    return int(time.time())


class IdTakenError(HackjackError):
    """The id of a command was used for another one."""


class StaleError(HackjackError):
    """A command that draws, chooses, undoes or redoes was made on an older line; `steps` is what came since."""

    def __init__(self, steps: tuple[TableStep, ...]) -> None:
        self.steps = steps
        commands = [f"{step.command.sent_by}: {step.command}" for step in steps[:3]]
        more = f" and {len(steps) - 3} more" if len(steps) > 3 else ""
        came = f" ({'; '.join(commands)}{more})" if steps else ""
        super().__init__(f"others have played in the meantime{came}: look at the table, and send the command again")


def read_file(path: Path, system: System) -> Session | None:
    """Read a campaign without touching it, also while others play; None if there is none. Raises HackjackError."""
    file = JournalFile(path)
    if not file.exists():
        return None
    rows = file.rows()
    file.close()
    check_chain(rows, START, str(path))
    return replay(None, rows, system, str(path))[0]


def read_beginning(path: Path) -> Campaign | None:
    """Return what a campaign settled on when it began, or None if there is no campaign. Raises HackjackError."""
    file = JournalFile(path)
    rows = file.rows(limit=1) if file.exists() else []
    file.close()
    check_chain(rows, START, str(path))
    line = read_line(rows[0].body) if rows else None
    return line if isinstance(line, Campaign) else None


def content_difference(session: Session, system: System) -> str:
    """Return a sentence if the campaign was played with other content than ours, or an empty string."""
    played = session.since
    if played.checksum in ("", here := content_checksum(system)) or not here:
        return ""
    version = system.head.version
    versions = f" ({played.content}, and here is {version})" if played.content != version else ""
    return f"the campaign is played with other content of {system.head.id} than what is here{versions}"


def _anyone(_: Session) -> None:
    """Agree to any campaign."""


class Journal:
    """A campaign that is open for play. Every command is on the disk before anybody hears of it.

    `campaign` begins a new one. `agreed` is called with a campaign that others began, and raises HackjackError to
    refuse it. `accept_content`: go on although the content differs from the campaign's. Several threads may use it.
    `notices` are sentences for people about the file. Raises HackjackError.
    """

    def __init__(
        self,
        path: Path,
        system: System,
        campaign: Campaign,
        *,
        agreed: Callable[[Session], object] = _anyone,
        accept_content: bool = False,
    ) -> None:
        self._path, self._system, self._agreed, self._accept = path, system, agreed, accept_content
        self._accepted = ""
        self._file = JournalFile(path)
        self._thread = RLock()
        self._last = START
        self._steps: deque[TableStep] = deque(maxlen=KEPT)
        self._ids: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        self._news: list[TableStep] = []
        self.session = new_session(PartyTable(campaign.of(system), campaign))
        self.notices: list[str] = []
        self._read()
        self._news.clear()
        self._accept = accept_content and not self.begun

    @property
    def begun(self) -> bool:
        """Whether anything is written yet."""
        return self._last.number > 0

    @property
    def lines(self) -> int:
        """How many lines the journal has: what the next command is made `on`."""
        return self.session.lines

    def knows(self, id: str) -> bool:
        """Return whether a command of that id was done: a second one is only answered again."""
        with self._thread:
            return id in self._ids

    def has_news(self) -> bool:
        """Return whether others may have written since the last look; it costs one page of the file.

        Raises HackjackError.
        """
        with self._thread:
            return self._file.has_news()

    def catch_up(self) -> tuple[TableStep, ...]:
        """Read what others wrote, and return it; each command is returned once. Raises HackjackError."""
        with self._thread:
            self._read()
            news = tuple(map(with_logs, self._news))
            self._news.clear()
            return news

    def settle(self) -> None:
        """Write the first line, so that whoever comes next plays this campaign. Raises HackjackError."""
        self._begin(())

    def restore(self, lines: Sequence[Command]) -> None:
        """Begin a campaign with commands that were played elsewhere. Raises HackjackError, and nothing is written then.

        Raises HackjackError too if the campaign has begun.
        """
        campaign = self.session.table.campaign
        session, steps = replay(None, enumerate((campaign, *lines), 1), self._system, "the export")
        assert session is not None
        self._agreed(session)
        self._check_content(session)
        with self._thread:
            if self._file.exists():
                raise HackjackError(f"the campaign {self._path.stem} has begun: import into a new one")
            self._begin(lines)
            self.session = session
            self._keep(steps)

    def _begin(self, lines: Sequence[Line]) -> None:
        with self._thread, self._file.alone():
            self._read(alone=True)
            if not self.begun:
                self._write(lines)

    def _write(self, lines: Sequence[Line]) -> None:
        """Append lines, after the campaign if they are the first."""
        rows = chain_rows(lines if self.begun else (self.session.table.campaign, *lines), self._last)
        self._file.append(rows)
        self._last = rows[-1]

    def do(
        self, command: Command | Deed, on: int | None = None, asking: bool = False, waiting: Collection[int] = ()
    ) -> TableStep:
        """Do a command and write it down. When either fails nothing has happened. Raises HackjackError.

        `on` is how many lines the journal had when the command was made. Where more have come, a command that draws,
        chooses, undoes or redoes raises StaleError. A command whose id is known is answered as it was the first time.
        `asking` and `waiting` are those of `advance`.
        Raises MissingError when luck or a choice is needed, and BusyError when others write for longer than PATIENCE.
        """
        command = Command((command,)) if isinstance(command, Deed) else command
        with self._thread:
            if not self._check_there():
                # A command that fails leaves no file behind.
                advance(self.session, command, asking=asking, waiting=waiting)
            with self._file.alone():
                again = self._read(alone=True)
                if command.id in self._ids:
                    return self._answered(command)
                self._check_player(command)
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
                self._write([*([start.since] if start is not self.session else []), step.command])
                self.session = step.session
                self._keep((TableStep(step.session, step.command, step.before),))
            return step

    def _signed(self, command: Command) -> Command:
        """Return the command with an id and the time of day."""
        return msgspec.structs.replace(
            command, id=command.id or secrets.token_urlsafe(12), time=command.time or unix_time()
        )

    def _check_player(self, command: Command) -> None:
        """Raise HackjackError for more than a player may store, and for fields that no player fills in."""
        if command.sender != "player":
            return
        if any(deed.given or deed.order for deed in command.deeds):
            raise HackjackError("players send no files and no order of a deck")
        if (size := len(encode(command))) > MAX_PLAYER_BYTES:
            raise HackjackError(f"this command has {size:,} bytes: a player's has at most {MAX_PLAYER_BYTES:,}")
        if self._counts[command.by] >= MAX_PLAYER_COMMANDS:
            raise FullError(
                f"{command.by} has sent {MAX_PLAYER_COMMANDS:,} commands (the maximum): the game master can enter more"
            )

    def _answered(self, command: Command) -> TableStep:
        line = self._ids[command.id]
        first = next(step for step in self._back_to(line) if step.session.lines == line)
        if not command.repeats(first.command):
            raise IdTakenError(
                f'the id "{command.id}" was used for another command ({first.command}): send each one with its own'
            )
        return with_logs(first)

    def _since(self, line: int) -> tuple[TableStep, ...]:
        """Return the steps after a line."""
        return tuple(with_logs(step) for step in self._back_to(line + 1) if step.session.lines > line)

    def _back_to(self, line: int) -> Sequence[TableStep]:
        """Return the newest commands, from the one on a line on or from further back."""
        kept = self._steps
        return self._again()[1] if kept and kept[0].session.lines > line else kept

    def _again(self, upto: int = MAX_LINES) -> tuple[Session | None, tuple[TableStep, ...]]:
        """Read all that was read before, or as far as a line, once more."""
        rows = self._file.rows(limit=self._last.number)
        if rows[-1:] != [self._last]:
            raise HackjackError(f"{self._path}: this is another file than before: leave, and begin again")
        return replay(None, rows[:upto], self._system, str(self._path))

    def _before(self, line: int) -> Moment:
        """Return the moment before the one on a line, as it was forgotten."""
        session, _ = self._again(line)
        assert session is not None and session.now.before is not None, "a command is on that line"
        return session.now.before

    def _going_on(self) -> Session:
        """Return the session that a command is done on: after a line that names new content, if there is any."""
        now = content_checksum(self._system)
        if self.session.since.checksum == now or not now:
            return self.session
        return with_content(self.session, Continuation(self._system.head.version, now))

    def _read(self, *, alone: bool = False) -> bool:
        """Read and replay what was appended, or everything if the file is another one; return whether it is.

        `alone`: inside a transaction, whose file may be empty so far.
        """
        if not alone and not (self._check_there() and self._file.has_news()):
            return False
        last = self._last
        rows = self._file.rows(max(last.number - 1, 0))
        again = self.begun and rows[:1] != [last]
        if again:
            rows, last = self._file.rows(), START
            if not rows:
                raise HackjackError(f"{self._path}: the campaign's file is gone: bring it back, or leave")
        elif self.begun:
            rows = rows[1:]
        if not rows:
            return False
        check_chain(rows, last, str(self._path))
        before = self.session if last.number else None
        session, steps = replay(before, rows, self._system, str(self._path))
        assert session is not None, "rows were read"
        self._check_content(session)
        if not last.number:
            self._agreed(session)
            self._steps.clear()
            self._ids, self._news, self._counts = {}, [], Counter()
        if again:
            self.notices.append(f"{self._path.name} is another file than before: all of it was read again")
        self.session, self._last = session, rows[-1]
        self._keep(steps)
        self._news += () if again else steps
        return again

    def _check_there(self) -> bool:
        """Return whether anything is written yet. Raises HackjackError if the file is gone."""
        there = self._file.exists()
        if self.begun and not there:
            raise HackjackError(f"{self._path}: the file is gone: bring it back, or leave and begin a new campaign")
        return there

    def _check_content(self, session: Session) -> None:
        """Raise HackjackError if the content is not what the campaign is played with, and nobody accepted that."""
        if self._accept:
            self._accepted = session.since.checksum
        if session.since.checksum != self._accepted and (difference := content_difference(session, self._system)):
            raise HackjackError(
                f"{self._path}: {difference}: bring that back, or add --accept-content to go on with this"
            )

    def _keep(self, steps: Sequence[TableStep]) -> None:
        self._steps += steps
        self._ids.update((step.command.id, step.session.lines) for step in steps if step.command.id)
        self._counts.update(step.command.by for step in steps if step.command.sender == "player")
        if steps and steps[0].before.lines // KEPT < self.session.lines // KEPT:
            forget(self.session.now, KEPT, self._before)

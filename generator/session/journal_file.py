"""The SQLite file of a campaign: one row for each line of its journal. Several programs may use it at the same time.

A rollback journal with `synchronous=EXTRA` keeps every acknowledged command through a power cut. Measured on ext4 with
two busy processors, 300 commands: 13 to 25 ms each, and between commands nothing lies beside the file. WAL with `FULL`
took 4 ms, but left a log of 1.4 MB and an index beside an open file, and a copy of the file alone lacked every recent
command. A table plays a command every few seconds, so the single whole file wins.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from generator.base.errors import HackjackError
from generator.session.deeds import VERSION
from generator.session.journal_lines import MAX_LINE_BYTES, MAX_LINES, JournalRow

MAX_BYTES = 50_000_000
PATIENCE = 1.0
"""Seconds that a command waits for another program that writes to the same campaign."""
SYNCHRONOUS = "EXTRA"
_APPLICATION = 0x4A41434B
"""Marks a SQLite file as a campaign."""
_SCHEMA = "CREATE TABLE line (number INTEGER PRIMARY KEY, body BLOB NOT NULL, seal BLOB NOT NULL)"
_SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "temp_store = MEMORY")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_LINE_BYTES + 10_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
}


class BusyError(HackjackError):
    """Another program writes to the campaign: the same command may be sent again."""


class FullError(HackjackError):
    """The journal takes no more: a new campaign has to begin."""


class JournalFile:
    """A campaign's file, connected to when it is first needed. Not for several threads at the same moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._version = -1

    def __del__(self) -> None:
        # Python warns of a connection that is let go open, from 3.13 on.
        self.close()

    def exists(self) -> bool:
        """Return whether anything was ever written to it. Raises HackjackError."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise HackjackError(f"{self.path}: this is not a regular file, and a campaign must be one")
            return self.path.exists() and self.path.stat().st_size > 0
        except OSError as error:
            raise HackjackError(f"{self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Disconnect from the file."""
        if self._database is not None:
            self._database.close()
        self._database, self._version = None, -1

    def has_news(self) -> bool:
        """Return whether another connection has written since the last `rows`, or the file is another one.

        This reads the header of the file and nothing else. Raises HackjackError.
        """
        if not self.exists():
            return self._database is not None
        with self._sentences():
            return self._data_version(self._connected()) != self._version

    def rows(self, after: int = 0, limit: int = MAX_LINES + 1) -> list[JournalRow]:
        """Return the rows after a line. Raises HackjackError."""
        with self._sentences():
            database = self._connected()
            self._version = self._data_version(database)
            selected = database.execute(
                "SELECT number, body, seal FROM line WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
            )
            rows = [JournalRow(*row) for row in selected]
        if len(rows) > MAX_LINES:
            raise HackjackError(f"{self.path}: a journal has at most {MAX_LINES:,} lines")
        return rows

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers out. `append` ends that; without it, or if this process dies, nothing has happened.

        Creates the file if there is none. Raises BusyError, HackjackError.
        """
        with self._sentences():
            if not self.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            database = self._connected(create=True)
            database.execute("BEGIN IMMEDIATE")
            try:
                if not database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                    database.execute(f"PRAGMA application_id = {_APPLICATION}")
                    database.execute(f"PRAGMA user_version = {VERSION}")
                    database.execute(_SCHEMA)
                yield
            finally:
                if database.in_transaction:
                    database.execute("ROLLBACK")

    def append(self, rows: Sequence[JournalRow]) -> None:
        """Write rows inside `alone`. They are on the disk when this returns. Raises FullError, HackjackError."""
        assert self._database is not None, "alone() has connected"
        size = self.path.stat().st_size + sum(len(row.body) + 40 for row in rows)
        if rows[-1].number > MAX_LINES or size > MAX_BYTES:
            count = rows[0].number - 1
            raise FullError(f"{self.path}: the journal is full ({count:,} lines): begin a new campaign")
        self._database.executemany("INSERT INTO line VALUES (?, ?, ?)", rows)
        self._database.execute("COMMIT")

    def _connected(self, *, create: bool = False) -> sqlite3.Connection:
        """Return a connection to the file that has this name now; a file that was put in its place is another one."""
        identity = self._identified()
        if self._database is not None and identity != self._identity:
            self.close()
        if self._database is None:
            if identity is not None and self.path.stat().st_size > MAX_BYTES:
                raise HackjackError(f"{self.path}: a journal has at most {MAX_BYTES:,} bytes")
            fresh = not self.exists()
            if not fresh and not self.path.with_name(f"{self.path.name}-journal").exists():
                # What is no campaign is recognised without a lock and without a file beside it.
                with closing(self._connection("mode=ro&immutable=1")) as database:
                    self._check_kind(database)
            database = self._connection("mode=rwc" if create else "mode=rw")
            try:
                if not fresh or self._tables(database):
                    self._check_kind(database)
                    if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                        raise sqlite3.DatabaseError("its pages contradict each other")
            except BaseException:
                database.close()
                raise
            self._database, self._identity = database, self._identified()
        return self._database

    def _connection(self, options: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?{options}"
        database = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True, check_same_thread=False)
        for category, limit in _LIMITS.items():
            database.setlimit(category, limit)
        for setting in (*_SETTINGS, f"synchronous = {SYNCHRONOUS}"):
            database.execute(f"PRAGMA {setting}")
        return database

    def _identified(self) -> tuple[int, int] | None:
        with suppress(FileNotFoundError):
            about = self.path.stat()
            return about.st_dev, about.st_ino
        return None

    def _data_version(self, database: sqlite3.Connection) -> int:
        version: int = database.execute("PRAGMA data_version").fetchone()[0]
        return version

    def _tables(self, database: sqlite3.Connection) -> list[tuple[str, str, str]]:
        return database.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()

    def _check_kind(self, database: sqlite3.Connection) -> None:
        """Raise HackjackError for a file that is no campaign, or one of another version."""
        (application,) = database.execute("PRAGMA application_id").fetchone()
        if application != _APPLICATION:
            raise HackjackError(f"{self.path}: this file is not a campaign. It was left as it is.")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise HackjackError(
                f"{self.path}: the campaign is of version {version}, and this program reads version {VERSION}: play on "
                "with the newer hackjack that wrote it"
            )
        (mode,) = database.execute("PRAGMA journal_mode").fetchone()
        if version < 1 or mode != "delete" or self._tables(database) != [("table", "line", _SCHEMA)]:
            raise sqlite3.DatabaseError("its tables are not those of a campaign")

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Say in a sentence what SQLite or the disk refuses."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BusyError(f"{self.path.stem} is busy, for another process writes to it: try again") from error
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_TOOBIG, 0):
                self.close()
                raise HackjackError(
                    f"{self.path}: this file is damaged, or not a campaign ({error}): restore a copy. It was left as "
                    "it is."
                ) from error
            raise HackjackError(f"{self.path}: {error}") from error
        except OSError as error:
            raise HackjackError(f"{self.path}: {error.strerror or error}") from error

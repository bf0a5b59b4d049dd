"""What lies far back is not kept in memory, and nobody notices: undo, mend, the log and known ids reach it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import hackjack, lines_of_campaign, write_campaign

from generator.base.errors import HackjackError
from generator.session import journal as journals
from generator.session import replies, several, short_forms
from generator.session.deeds import Command, Deed
from generator.session.history_edits import read_mend
from generator.session.journal import Journal, StaleError
from generator.session.journal_lines import encode
from generator.session.session import Moment, Session, new_campaign

COMMANDS = 22
KEPT = 5


def fought(path: Path) -> Journal:
    """A fight of many commands, with an undo, a new name and an entry that was mended in it."""
    journal = Journal(path, hackjack(), new_campaign(hackjack(), "virtual", 7))
    lines = [
        "add bryn hp 48",
        "add cara hp 48",
        *(f"hit {('bryn', 'cara')[n % 2]} {1 + n % 9}" for n in range(COMMANDS)),
    ]
    lines[20:20] = ["undo 3", "redo", "rename cara Carla"]
    for number, line in enumerate(lines):
        words = line.replace("cara", "Carla").split() if number > 22 else line.split()
        do(journal, *words, id=f"n{number}")
    mend(journal, 8, ["hit", "bryn", "3"])
    return journal


def do(journal: Journal, *words: str, id: str = "", on: int | None = None) -> Sequence[str]:
    """A command as typed; what it says."""
    line = short_forms.read_line(words, journal.session)
    return replies.describe_step(
        journal.do(Command(several.read_deeds(line.name, line.words, journal.session), id), on)
    ).lines


def mend(journal: Journal, number: int, words: Sequence[str]) -> Sequence[str]:
    """Another command in the place of an entry of the log; what it says."""
    now = journal.session
    mend = read_mend([str(number), *words], now)
    return replies.describe_step(journal.do(Command(mend.deeds or (), mends=mend.line))).lines


def told(now: Session) -> list[object]:
    """All visible facts of a session."""
    return [
        replies.read_only_reply(name, words, now).value
        for name, words in (("log", ["1000"]), ("chronicle", []), ("show", []))
    ]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Journal, Journal]:
    """The same campaign twice: with everything in memory, and with little."""
    monkeypatch.setattr(journals, "unix_time", lambda: 1_790_000_000)
    whole = fought(tmp_path / "whole.hackjack")
    monkeypatch.setattr(journals, "KEPT", KEPT)
    return whole, fought(tmp_path / "short.hackjack")


def in_memory(now: Moment) -> int:
    """How many moments hang together without a look at the journal."""
    count, moment = 0, now
    while isinstance(moment.earlier, Moment):
        count, moment = count + 1, moment.earlier
    return count


def in_all(now: Moment) -> int:
    """How many moments there are before one."""
    count, moment = 0, now.before
    while moment:
        count, moment = count + 1, moment.before
    return count


def test_only_the_newest_commands_stay_in_memory(two: tuple[Journal, Journal]) -> None:
    whole, short = two
    assert in_memory(whole.session.now) > COMMANDS
    for _ in range(3 * KEPT):
        do(short, "note", "that", "it", "rains")
    assert in_memory(short.session.now) <= 2 * KEPT
    assert in_all(short.session.now) == in_all(whole.session.now) + 3 * KEPT


def test_the_log_and_the_chronicle_tell_everything(two: tuple[Journal, Journal]) -> None:
    whole, short = two
    assert told(short.session) == told(whole.session)
    entries = replies.read_only_reply("log", ["1000"], short.session).value
    assert len(entries) == short.session.now.number


@pytest.mark.slow
def test_undo_and_redo_go_back_to_the_beginning(two: tuple[Journal, Journal]) -> None:
    whole, short = two
    for words in (("undo", "20"), ("redo", "15"), ("undo",), ("undo", "8"), ("redo", "12")):
        assert do(short, *words) == do(whole, *words), words
        assert replies.plain_table(short.session) == replies.plain_table(whole.session)
    count = sum(1 for _ in whole.session.moments())
    assert sum(1 for _ in short.session.moments()) == count == short.session.now.number
    for _ in range(12):
        assert do(short, "undo") == do(whole, "undo")
    with pytest.raises(HackjackError, match=r"only .* can be undone"):
        do(short, "undo", "999")


@pytest.mark.parametrize(
    "mends",
    [
        ((3, "hit bryn 9"), (2, "add Cara hp 40")),
        pytest.param(((3, "hit bryn 9"), (5, "remove"), (2, "add Cara hp 40")), marks=pytest.mark.slow),
    ],
    ids=["changed", "and removed"],
)
def test_an_entry_far_back_is_mended(two: tuple[Journal, Journal], mends: tuple[tuple[int, str], ...]) -> None:
    whole, short = two
    for number, words in mends:
        assert mend(short, number, words.split()) == mend(whole, number, words.split())
        assert replies.plain_table(short.session) == replies.plain_table(whole.session)


def test_an_id_of_long_ago_is_still_known_and_an_old_table_still_stale(two: tuple[Journal, Journal]) -> None:
    for journal in two:
        lines = journal.lines
        assert journal.knows("n3")
        again = journal.do(Command((Deed("hit", "cara", ("2",)),), "n3"))
        assert (again.session.lines, journal.lines) == (5, lines)
        with pytest.raises(HackjackError, match="was used for another command"):
            do(journal, "hit", "bryn", "9", id="n3")
        with pytest.raises(StaleError, match=f"and {lines - 7} more") as stale:
            do(journal, "hit", "bryn", "9", on=4)
        assert len(stale.value.steps) == lines - 4


def test_a_journal_that_became_another_file_is_not_taken_for_its_past(two: tuple[Journal, Journal]) -> None:
    _, short = two
    path = short._path
    write_campaign(path, *map(encode, lines_of_campaign(path)[:10]))
    with pytest.raises(HackjackError, match="another file than before"):
        in_all(short.session.now)

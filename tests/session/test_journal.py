"""The campaign file: nothing acknowledged is lost, nothing changed goes unseen, and strangers' files do no harm."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers import ROOT, any_text, commands_of, hackjack, lines_of_campaign, run, write_campaign
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES
from generator.base.errors import HackjackError, UsageError
from generator.games import game_of
from generator.session import journal as journals
from generator.session import journal_file
from generator.session.campaigns import campaign_file, campaigns, campaigns_folder
from generator.session.deeds import VERSION, Command, DeckKind, Deed
from generator.session.journal import BusyError, FullError, Journal, StaleError, read_file
from generator.session.journal_file import JournalFile
from generator.session.session import Session, advance, new_campaign

EVENING = (
    Deed("add", "bryn", ("hp", "7")),
    Deed("add", "Ötzi", ("hp", "3")),
    Deed("hit", "bryn", ("22",), ("7C", "KH", "2H"), choices=(2,)),
    Deed("hit", "Ötzi", ("9",), ("9S",), (3, 4)),
    Deed("undo"),
    Deed("redo"),
    Deed("rest", "bryn"),
    Deed("hit", "Ötzi", ("3",), ("10C",), (2,)),
)
HOLD = Deed("hold", "bryn")


def opened(path: Path, deck: DeckKind = "real") -> Journal:
    return Journal(path, hackjack(), new_campaign(hackjack(), deck, 7 if deck == "virtual" else None))


def session_in(path: Path) -> Session:
    session = read_file(path, hackjack())
    assert session is not None
    return session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.hackjack"


@pytest.fixture
def played(path: Path) -> Session:
    """The evening in a file."""
    journal = opened(path)
    for deed in EVENING:
        journal.do(deed)
    return journal.session


# --- what a campaign is ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("played")
def test_a_campaign_is_one_table_of_json_that_others_can_read(path: Path) -> None:
    first, *lines = lines_of_campaign(path)
    assert {key: first[key] for key in ("line", "system", "content", "deck", "seed")} == {
        "line": "campaign",
        "system": "hackjack",
        "content": hackjack().head.version,
        "deck": "real",
        "seed": None,
    }
    assert first["rulings"]["massive_damage"] == "over_13"
    assert lines[3]["deeds"] == [{"do": "hit", "who": "Ötzi", "words": ["9"], "cards": ["9S"], "dice": [3, 4]}]
    assert lines[3].keys() == {"line", "deeds", "id", "time"}
    assert abs(lines[3]["time"] - time.time()) < 60
    assert len({line["id"] for line in lines}) == len(lines) == len(EVENING)
    assert [found.name for found in path.parent.iterdir()] == [path.name], "nothing lies beside it"


def test_a_command_that_fails_leaves_no_file(path: Path) -> None:
    with pytest.raises(HackjackError, match="nothing to undo"):
        opened(path).do(Deed("undo"))
    assert not path.exists() and read_file(path, hackjack()) is None


def test_the_first_line_settles_what_is_played_before_anybody_joins(path: Path) -> None:
    """As a server writes it when it starts: whoever comes then plays the same."""
    opened(path, "virtual").settle()
    other = opened(path)
    assert other.session.table.virtual and other.begun
    other.do(Deed("add", "bryn"))
    assert [line["line"] for line in lines_of_campaign(path)] == ["campaign", "command"]


def test_an_export_begins_the_same_campaign_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    file = tmp_path / "old.json"
    for words in ("add bryn hp 7", "add Ötzi", "hit bryn 9", "undo", "hit bryn,Ötzi 3", "note bryn owes", "hit Ötzi 1"):
        assert run("play", "--campaign", "old", "--deck", "virtual", "--seed", "7", *words.split()).code == 0
    assert run("play", "--campaign", "old", "mend", "3", "yes", "hit", "bryn", "8").code == 0
    file.write_text(run("play", "--campaign", "old", "export").out, encoding="utf-8")
    assert run("play", "--campaign", "new", "import", file).code == 0
    assert run("play", "--campaign", "new", "export").out == file.read_text(encoding="utf-8")
    for words in ("log", "hit bryn 2", "undo", "hit Ötzi 2"):
        said = [run("play", "--campaign", name, *words.split()) for name in ("old", "new")]
        assert said[0].code == 0 and said[0] == said[1], words
    exported = json.loads(file.read_text(encoding="utf-8"))
    for change, says in (
        ({"system": "glog"}, "is of glog: name the system"),
        ({"commands": [*exported["commands"], {"line": "command", "deeds": [{"do": "fly"}]}]}, 'no event "fly"'),
        ({"commands": 3}, "this file was not written by export"),
    ):
        file.write_text(json.dumps({**exported, **change}), encoding="utf-8")
        ran = run("play", "--campaign", "other", "import", file)
        assert ran.code in (1, 2) and says in ran.err and not campaign_file("other").exists()


def test_where_campaigns_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HACKJACK_HOME", raising=False)
    for data, folder in ((None, "home/.local/share"), ("not/absolute", "home/.local/share"), (tmp_path, ".")):
        monkeypatch.setenv("XDG_DATA_HOME", str(data)) if data else monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        assert campaign_file("a") == tmp_path / folder / "hackjack/campaigns/a.hackjack"
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "own"))
    assert campaign_file("red-keep_2") == tmp_path / "own/campaigns/red-keep_2.hackjack"
    assert campaigns() == ()
    for name in ("..", "a/b", "A", "ä", "a b", "x" * 41, "a\n", "a.b", "../../etc/passwd", "冒険", "C:\\x"):
        path = campaign_file(name)
        assert path.parent == campaigns_folder() and re.fullmatch("[a-z0-9_]{1,40}.hackjack", path.name), name
    assert campaign_file("Nick's Keep").stem == "nicks_keep"
    assert campaign_file("Élan: the 2nd table").stem == "elan_the_2nd_table"
    assert len({campaign_file(name) for name in ("冒険", "冒険の書", "!")}) == 3
    with pytest.raises(UsageError, match="write a name"):
        campaign_file(" ")


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [487, pytest.param(61, marks=pytest.mark.slow)])
def test_a_changed_byte_is_noticed_wherever_it_is(step: int, path: Path, played: Session) -> None:
    """SQLite has no checksums of pages: either nothing that is played has changed, or a sentence says that."""
    whole, unseen = path.read_bytes(), 0
    for place in range(0, len(whole), step):
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << place % 8
        path.write_bytes(spoilt)
        try:
            found = session_in(path)
        except HackjackError as error:
            assert str(error).startswith(f"{path}: ")
        else:
            unseen += 1
            assert (found.party, found.lines) == (played.party, played.lines), place
        assert path.read_bytes() == spoilt, "a file that is refused is left as it is"
    assert unseen < len(whole) / step * 0.9


def test_lines_that_are_gone_moved_or_changed_are_noticed(path: Path, played: Session) -> None:
    whole = path.read_bytes()
    for change, line in (
        ("DELETE FROM line WHERE number = 3", 3),
        ("DELETE FROM line WHERE number = 1", 1),
        ("UPDATE line SET number = number + 1 WHERE number = (SELECT max(number) FROM line)", played.lines),
        ("UPDATE line SET body = (SELECT body FROM line WHERE number = 3) WHERE number = 4", 4),
        ("UPDATE line SET body = CAST(body AS TEXT) WHERE number = 2", 2),
        ("UPDATE line SET seal = x'00' WHERE number = 5", 5),
    ):
        path.write_bytes(whole)
        with closing(sqlite3.connect(path)) as database:
            database.execute(change)
            database.commit()
        for read in (lambda: opened(path), lambda: read_file(path, hackjack())):
            with pytest.raises(HackjackError, match=f"line {line} is not as it was written, so the file is damaged"):
                read()


def _other(*statements: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)

    return write


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text('{"version":4,"system":"hackjack"}\n'), "damaged, or not a campaign"),
    "zeros": (lambda path: path.write_bytes(b"\0" * 5000), "damaged, or not a campaign"),
    "another program's": (_other("CREATE TABLE bookmarks (x)"), "this file is not a campaign"),
    "newer": (_other("PRAGMA user_version = 2"), "is of version 2, and this program reads version 1: play on with the"),
    "version 0": (_other("PRAGMA user_version = 0"), "its tables are not those of a campaign"),
    "trigger": (
        _other("CREATE TRIGGER t AFTER INSERT ON line BEGIN DELETE FROM line; END"),
        "its tables are not those of a campaign",
    ),
    "view": (
        _other("DROP TABLE line", "CREATE VIEW line AS SELECT 1 AS number, x'7b7d' AS body, x'00' AS seal"),
        "its tables are not those of a campaign",
    ),
    "another table": (_other("CREATE TABLE more (x)"), "its tables are not those of a campaign"),
    "WAL": (_other("PRAGMA journal_mode = WAL"), "its tables are not those of a campaign"),
    "huge line": (_other("UPDATE line SET body = zeroblob(200000) WHERE number = 2"), "damaged, or not a campaign"),
    "half": (lambda path: os.truncate(path, path.stat().st_size // 2), "damaged, or not a campaign"),
}


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_campaign_is_refused_in_a_sentence_and_left_as_it_is(kind: str, path: Path) -> None:
    change, says = STRANGE[kind]
    if kind in ("text", "zeros", "another program's"):
        path.unlink()
    change(path)
    before = path.read_bytes()
    for act in (lambda: read_file(path, hackjack()), lambda: opened(path)):
        with pytest.raises(HackjackError, match=says) as caught:
            act()
        assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)
    assert (path.read_bytes(), [found.name for found in path.parent.iterdir()]) == (before, [path.name])


@pytest.mark.parametrize(
    "words",
    [
        "play show",
        "play undo",
        "play export",
        "play --format md --output OUT chronicle",
        "serve",
        "print hackjack sheet",
    ],
)
def test_every_command_names_a_newer_campaign(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    path = campaign_file("table")
    opened(path).do(Deed("add", "bryn"))
    _other(f"PRAGMA user_version = {VERSION + 1}")(path)
    before = path.read_bytes()
    option = ["--from", "table", "-o", str(tmp_path / "out")] if words.startswith("print") else ["--campaign", "table"]
    command, *rest = words.replace("OUT", str(tmp_path / "out")).split()
    ran = run(command, *(rest if option[0] == "--from" else ()), *option, *(rest if option[0] != "--from" else ()))
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == [
        f"{path}: the campaign is of version {VERSION + 1}, and this program reads version {VERSION}: play on with the "
        "newer hackjack that wrote it"
    ]
    assert path.read_bytes() == before and not (tmp_path / "out").exists()


def test_what_is_no_file_is_no_campaign(tmp_path: Path) -> None:
    (tmp_path / "folder.hackjack").mkdir()
    os.mkfifo(tmp_path / "pipe.hackjack")
    for name in ("folder", "pipe"):
        with pytest.raises(HackjackError, match="this is not a regular file"):
            read_file(tmp_path / f"{name}.hackjack", hackjack())
    (tmp_path / "plain").write_text("")
    with pytest.raises(HackjackError, match="plain"):
        opened(tmp_path / "plain" / "t.hackjack").do(Deed("add", "bryn"))


# --- what lines may say ----------------------------------------------------------------------------------------------

HEAD = json.loads(msgspec.json.encode(new_campaign(hackjack())))
ADD = b'{"line":"command","deeds":[{"do":"add","who":"x"}]}'


def head(**changes: Any) -> bytes:
    return json.dumps({**HEAD, **changes}).encode()


def of(*deeds: str, **more: Any) -> bytes:
    return b'{"line":"command","deeds":[%s]%s}' % (
        ",".join(deeds).encode(),
        "".join(f',"{key}":{json.dumps(value)}' for key, value in more.items()).encode(),
    )


@pytest.mark.parametrize(
    ("bodies", "says"),
    [
        ([head(system="glog")], 'this campaign plays "glog", not "hackjack"'),
        ([head(rulings={"jokres": "out"})], 'hackjack has no ruling switch and no number "jokres"'),
        ([head(rulings={"jokers": "maybe"})], 'jokers cannot be "maybe"'),
        ([head(rulings=["jokers"])], "this line cannot be read: Expected `object`"),
        ([head(extra=1)], "this line cannot be read: Object contains unknown field `extra`"),
        ([head(deck="marked")], "this line cannot be read: Invalid enum value 'marked'"),
        ([head(seed=5)], "a real deck and real dice have no seed"),
        ([head(deck="virtual", seed=5)], "a virtual deck has a seed, and an order of its 52 cards"),
        ([head(deck="virtual", seed=5, order=["AC"] * 52)], "a virtual deck has a seed, and an order"),
        ([b"{}"], "this line cannot be read: Object missing required field `line`"),
        ([ADD], "the campaign belongs on the first line"),
        ([head(), head()], "the campaign belongs on the first line, and nowhere else"),
        ([head(), b'{"line":"content"}'], "missing required field `content`"),
        ([head(), b'{"line":"other"}'], "this line cannot be read"),
        ([head(), b'{"line":"command","deeds":[]}'], "a command has at least one deed"),
        ([head(), of('{"do":"add","who":"x"}', id="a b")], "matching regex"),
        ([head(), of('{"do":"add","who":"x"}', time=-1)], "Expected `int` >= 0"),
        ([head(), of('{"do":"add","who":"x"}', sender="me")], "Invalid enum value 'me'"),
        ([head(), of('{"do":"add","who":"x"}', '{"do":"undo"}')], "commands of their own"),
        ([head(), of('{"do":"add","who":"x"}', '{"do":"hit","who":"x"}')], "hit x: hit needs a number"),
        ([head(), of('{"do":"fly","who":"x"}')], 'there is no event "fly"'),
        ([head(), of('{"do":"hit","who":"x","words":["3"]}')], 'nobody here is called "x"'),
        ([head(), of('{"do":"add","who":"x","hp":3}')], "unknown field `hp`"),
        ([head(), of('{"do":"add","who":"a  b"}')], '"a  b" is not a valid name for a character'),
        ([head(), of('{"do":"add","who":"e\u0301"}')], "the name"),
        ([head(), b'{"line":"command","deeds":[{"do":"add","who":"\xff"}]}'], "this line cannot be read"),
        ([head(), of('{"who":"x"}')], "missing required field `do`"),
        ([head(), of('{"do":"undo"}')], "there is nothing to undo"),
        ([head(), b'{"line":' + b"[" * 5000 + b"]" * 5000 + b"}"], "cannot be read"),
        ([head(), ADD, of('{"do":"hit","who":"x","words":["3"]}')], "needs a card"),
        ([head(), ADD, of('{"do":"hit","who":"x","words":["3"],"cards":["QQ"]}')], '"QQ" is not a'),
        ([head(), ADD, of('{"do":"hit","who":"x","words":["3"],"cards":["AC"],"order":["AC"]}')], "no order"),
        ([head(), of('{"do":"note","words":["a\\u001b[2J"]}')], "note must not contain control characters"),
        (
            [head(content="0.9"), ADD, of('{"do":"hit","who":"x","words":["3"]}')],
            "; if the content has changed since, bring it back as it was then (begun with content 0.9, read with ",
        ),
    ],
)
def test_what_a_journal_may_not_say(bodies: list[bytes], says: str, path: Path) -> None:
    write_campaign(path, *bodies)
    with pytest.raises(HackjackError) as caught:
        read_file(path, hackjack())
    assert str(caught.value).startswith(f"{path}: line {len(bodies)}: ")
    assert says in str(caught.value) and len(str(caught.value)) < 500


def test_a_virtual_journal_whose_cards_are_not_those_on_top(path: Path) -> None:
    journal = opened(path, "virtual")
    order = journal.session.party.order
    journal.do(Deed("add", "x"))
    hit = advance(journal.session, Deed("hit", "x", ("3",))).command.deeds[0]
    for wrong, says in (
        ({"cards": (order[9],)}, f"line 3: {order[9]} is drawn, but {order[0]} lies on top"),
        ({"order": ("AC", "2C")}, "line 3: an order is given, but the deck did not run out"),
    ):
        lines = (journal.session.table.campaign, Command((Deed("add", "x"),)))
        bodies = [msgspec.json.encode(line) for line in lines]
        bodies.append(msgspec.json.encode(Command((msgspec.structs.replace(hit, **wrong),))))
        with pytest.raises(HackjackError, match=says):
            read_file(write_campaign(path, *bodies), hackjack())


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 20_000), st.floats(), any_text(max_size=8), st.sampled_from(ALL_CODES)
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=6), st.dictionaries(any_text(max_size=4), SCALARS, max_size=3))
LOOSE = st.dictionaries(
    st.sampled_from(["do", "who", "words", "at", "cards", "dice", "choices", "order", "extra"]), VALUES, max_size=8
)
NEAR = st.fixed_dictionaries(
    {"do": st.sampled_from((*game_of(hackjack()).EVENTS, "add", "remove", "undo", "redo", "set", "rename", "note"))},
    optional={
        "who": st.sampled_from(["bryn", "cara", "x"]),
        "words": st.lists(st.sampled_from(["critical", "comfort", "d8", "3", "22", "hp"]), max_size=3),
        "cards": st.lists(st.sampled_from(ALL_CODES), max_size=4),
        "dice": st.lists(st.integers(1, 7), max_size=4),
        "choices": st.lists(st.integers(1, 3), max_size=2),
    },
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(st.one_of(NEAR, LOOSE), max_size=6), st.sampled_from(["off", "hit_die_over_trauma"]))
def test_whatever_a_sealed_journal_says_there_is_no_traceback(deeds: list[dict[str, Any]], pass_out: str) -> None:
    path = Path(os.environ["HACKJACK_TESTS_MADE"]) / f"any-{os.getpid()}.hackjack"
    known = (of('{"do":"add","who":"bryn"}'), of('{"do":"hit","who":"bryn","words":["3"],"cards":["KH"]}'))
    bodies = (of(json.dumps(deed)) for deed in deeds)
    write_campaign(path, head(rulings={"pass_out": pass_out, "critical_draw": "on"}), *known, *bodies)
    try:
        session_in(path)
    except HackjackError as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)


# --- limits, and a disk that says no ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("played")
def test_a_journal_has_bounds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    for name, value in (("MAX_LINES", len(EVENING) + 1), ("MAX_BYTES", len(before) + 5)):
        journal = opened(path)
        with monkeypatch.context() as patch:
            patch.setattr(journal_file, name, value)
            with pytest.raises(FullError, match="the journal is full"):
                journal.do(HOLD)
            patch.setattr(journal_file, name, value - 10)
            with pytest.raises(HackjackError, match="at most"):
                read_file(path, hackjack())
    with pytest.raises(HackjackError, match="bytes are too many for a line"):
        opened(path).do(Command(tuple(Deed("note", "", ("x" * 190,) * 60) for _ in range(10))))
    assert path.read_bytes() == before


@pytest.mark.usefixtures("played")
def test_what_a_player_may_store_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "MAX_PLAYER_COMMANDS", 3)
    journal = opened(path)

    def send(deed: Deed, who: str = "bryn") -> object:
        return journal.do(Command((deed,), sender="player", by=who))

    for deed, says in (
        (Deed("note", "", ("x" * 200,) * 12), "bytes: a player's has at most 2,000"),
        (Deed("hold", "bryn", given="{}"), "players send no files"),
        (Deed("hold", "bryn", order=("AC",)), "no order of a deck"),
    ):
        with pytest.raises(HackjackError, match=says):
            send(deed)
    for deed in (HOLD, Deed("undo"), HOLD):
        send(deed)
    journal = opened(path)
    with pytest.raises(FullError, match=r"bryn has sent 3 commands \(the maximum\)"):
        send(Deed("release", "bryn"))
    send(Deed("note", "", ("x",)), "Ötzi")
    journal.do(Command((Deed("release", "bryn"),), sender="gm"))


FULL = """
import resource, signal, sys
from pathlib import Path
from generator.base.errors import HackjackError
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.session.deeds import Deed
from generator.session.journal import Journal
from generator.session.session import new_campaign
sys.dont_write_bytecode = True
system = load_pack(find("hackjack")).system
journal = Journal(Path(sys.argv[1]), system, new_campaign(system))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    for number in range(200):
        print(journal.do(Deed("note", "", (f"{number} " + "x" * 150,))).session.lines, flush=True)
except HackjackError as error:
    print(error, file=sys.stderr)
"""


@pytest.mark.parametrize("room", [100, 20_000])
def test_what_the_disk_refuses_has_not_happened(room: int, path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(room)], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr.startswith(f"{path}: ") and len(done.stderr.splitlines()) == 1
    told = len(done.stdout.split())
    assert told == (0 if room == 100 else told) and (told > 20) == (room > 100)
    lines = session_in(path).lines if told else 1
    assert lines == told + 1
    opened(path).do(Deed("add", "bryn"))
    assert session_in(path).lines == lines + 1, "there is room again"


# --- another file under our hands ------------------------------------------------------------------------------------


def test_a_file_that_was_put_in_the_place_of_ours_is_read_again(path: Path, played: Session) -> None:
    journal = opened(path)
    other = path.with_name("other.hackjack")
    for deed in EVENING[:1]:
        opened(other).do(deed)
    other.replace(path)
    with pytest.raises(StaleError, match="others have played in the meantime: look at the table"):
        journal.do(Deed("hit", "bryn", ("3",), ("AC",)), journal.lines)
    assert journal.notices == ["t.hackjack is another file than before: all of it was read again"]
    assert journal.session.party.names == ("bryn",) and played.party.names == ("bryn", "Ötzi")
    path.unlink()
    for act in (journal.catch_up, lambda: journal.do(HOLD)):
        with pytest.raises(HackjackError, match="the file is gone: bring it back"):
            act()
    assert not path.exists()


@pytest.mark.usefixtures("played")
def test_a_copy_of_the_same_campaign_is_no_other_file(path: Path) -> None:
    journal = opened(path)
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)
    journal.do(HOLD, journal.lines)
    assert journal.notices == [] and session_in(path).party == journal.session.party


def test_who_waits_for_news_asks_for_one_number(path: Path) -> None:
    one, other = opened(path), opened(path)
    assert not other.has_news()
    one.do(Deed("add", "bryn"))
    assert other.has_news() and not one.has_news()
    assert [str(step.command) for step in other.catch_up()] == ["add bryn"]
    assert not other.has_news()


# --- other processes, and power cuts ---------------------------------------------------------------------------------


def test_commits_are_synced_so_that_a_power_cut_loses_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DELETE with FULL may lose the last commit, for the folder is not synced; EXTRA syncs that too."""
    monkeypatch.setattr(journal_file, "SYNCHRONOUS", "EXTRA")
    file = JournalFile(path)
    with file.alone():
        pass
    database = file._connected()
    settings = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert settings == ["delete", 3]


@pytest.mark.usefixtures("played")
def test_a_power_cut_in_the_middle_of_a_command_takes_back_that_command_alone(path: Path) -> None:
    """The disk holds the old pages in the rollback journal, synced; of the new ones it holds anything."""
    before, party = path.read_bytes(), session_in(path).party
    beside = path.with_name(f"{path.name}-journal")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN IMMEDIATE")
        for number in range(100, 140):
            database.execute("INSERT INTO line VALUES (?, zeroblob(3000), x'00')", (number,))
        half, rollback = path.read_bytes(), beside.read_bytes()
        database.execute("ROLLBACK")
    assert len(half) > len(before) and rollback
    garbled = random.Random(3).randbytes(len(half))
    states = {
        "written": half,
        "dropped": before,
        "garbled": garbled,
        "zeros": bytes(len(half)),
        "torn": half[:5000] + garbled[5000:],
        "short": half[: len(before) - 700],
    }
    for name, state in states.items():
        path.write_bytes(state)
        beside.write_bytes(rollback)
        assert session_in(path).party == party, name
        assert not beside.exists()
    # What was never synced of a rollback journal counts for nothing: the file itself was not touched yet.
    for rest in (b"", bytes(512), random.Random(4).randbytes(2000)):
        path.write_bytes(before)
        beside.write_bytes(rest)
        assert session_in(path).party == party
        beside.unlink(missing_ok=True)


CHILD = """
import sys
from pathlib import Path
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.session.deeds import Command, Deed
from generator.session.journal import Journal
from generator.session.luck import MissingError
from generator.session.session import new_campaign
path, way, name, count = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
system = load_pack(find("hackjack")).system
journal = Journal(path, system, new_campaign(system, "virtual", 7))
print("open", flush=True)
if way == "hold":
    with journal._file.alone():
        print("held", flush=True)
        sys.stdin.read()
for _ in range(count if way == "play" else 0):
    party = journal.session.party
    if name not in party.characters:
        deed = Deed("add", name, ("hp", "5"))
    elif party.characters[name].dead:
        deed = Deed("remove", name)
    elif len(party.drawn) % 3 == 2 and party.characters[name].values["score"]:
        deed = Deed("heal", name, ("30",))
    else:
        deed = Deed("hit", name, ("9",))
    try:
        step = journal.do(Command((deed,), sender="player", by=name))
    except MissingError:
        step = journal.do(Command((Deed(deed.do, deed.who, deed.words, choices=(1,)),), sender="player", by=name))
    print(step.command, flush=True)
"""


def child(path: Path, way: str, name: str = "bryn", count: int = 5000) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(path), way, name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def played_by(path: Path) -> dict[str, list[str]]:
    """What each hand has played, by the journal."""
    found: dict[str, list[str]] = {}
    for line in lines_of_campaign(path)[1:]:
        command = msgspec.convert(line, Command)
        found.setdefault(command.by, []).append(str(command))
    return found


@pytest.mark.usefixtures("played")
def test_who_waits_too_long_is_told_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_file, "PATIENCE", 0.1)
    journal = opened(path)
    with child(path, "hold") as other:
        assert other.stdout is not None and other.stdin is not None
        assert [other.stdout.readline() for _ in range(2)] == ["open\n", "held\n"]
        with pytest.raises(BusyError, match=r"^t is busy, for another process writes to it: try again$"):
            journal.do(HOLD)
        assert journal.catch_up() == () and session_in(path).lines == journal.lines, "looking waits for nobody"
        other.stdin.close()
        other.wait()
    journal.do(HOLD)


def test_two_processes_play_one_campaign_at_the_same_time(path: Path) -> None:
    with child(path, "play", "bryn", 10) as one, child(path, "play", "cara", 10) as other:
        told = [process.communicate()[0].splitlines()[1:] for process in (one, other)]
    assert played_by(path) == {"bryn": told[0], "cara": told[1]}
    assert session_in(path).lines == 21


@pytest.mark.slow
def test_two_processes_that_are_killed_lose_nothing_that_was_told(path: Path) -> None:
    rng, kept = random.Random(6), {"bryn": [""] * 0, "cara": [""] * 0}
    for _ in range(60):
        with child(path, "play", "bryn") as one, child(path, "play", "cara") as other:
            for process in (one, other):
                assert process.stdout is not None
                process.stdout.readline()
            time.sleep(rng.uniform(0.02, 0.3))
            for process in (one, other):
                process.send_signal(signal.SIGKILL)
            for name, process in (("bryn", one), ("cara", other)):
                assert process.stdout is not None
                # The last line may have been cut off in the pipe: it was not told in full.
                kept[name] += [line.rstrip("\n") for line in process.stdout.readlines() if line.endswith("\n")]
        session_in(path)
        found = played_by(path)
        for name, told in kept.items():
            assert found.get(name, [])[: len(told)] == told
            assert len(found.get(name, [])) <= len(told) + 1
        kept |= found
        if min(map(len, kept.values())) > 6:  # On a busy machine neither comes far before it is killed.
            break
    else:
        raise AssertionError("they hardly play")
    assert commands_of(path)

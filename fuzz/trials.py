"""What is tried in a trial of endurance: processes that are killed, disks that are full, files that are damaged.

Each trial takes chance and an empty folder, and tells what became of it. It looks at files with eyes of its own, not
with the code that wrote them.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, urlsplit

from forked import Ended, Forked, forked
from mutations import archived, spoil_pack, spoilt_bytes, spoilt_pages

from generator import cli
from generator.base.errors import HackjackError
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.session.deeds import Command, Deed
from generator.session.journal import Journal
from generator.session.session import new_campaign

ROOT = Path(__file__).resolve().parents[1]
OLD = b"the old file"
UNFORESEEN = 70
TURNS = 3
"""So many times the same campaign is played on in one trial."""


@dataclass
class Told:
    """What became of a trial: how many were tried, how the processes ended, and what went wrong, in sentences."""

    tried: int = 0
    lost: int = 0
    ends: list[Ended] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def lose(self, why: str) -> None:
        """Something that was there, or that somebody was told of, is gone."""
        self.lost += 1
        self.faults.append(f"lost: {why}")

    def ended(self, process: Forked, *, killed: bool = False, patience: float = 60.0) -> Ended:
        """Wait for a process; one that nobody has killed has to end by itself, and not with status 70."""
        end = process.wait(patience)
        self.ends.append(end)
        if end.hung:
            self.faults.append("hung")
        elif end.status < 0 and not killed:
            self.faults.append(f"aborted: {signal.Signals(-end.status).name}")
        elif end.status == UNFORESEEN:
            self.faults.append(f"status 70: {process.said()[1][-1500:].strip()}")
        return end

    def one_sentence(self, process: Forked, end: Ended) -> None:
        """A command that fails says so, and without a traceback."""
        said = process.said()[1]
        if end.status == 1 and (not said.strip() or "Traceback" in said):
            self.faults.append(f"status 70: it failed without a sentence: {said[-1500:]}")


def hackjack(*words: str | Path, home: Path) -> int:
    """In a forked process: run the program as a person runs it, with a home of its own. Does not return."""
    os.environ["HACKJACK_HOME"] = str(home)
    os.chdir(home)
    cli.main([str(word) for word in words])
    return 0


def run(told: Told, folder: Path, *words: str | Path) -> tuple[Forked, Ended]:
    """Run a command to its end."""
    process = forked(partial(hackjack, *words, home=folder), folder.parent)
    end = told.ended(process)
    told.one_sentence(process, end)
    return process, end


# --- journals --------------------------------------------------------------------------------------------------------

PLAYED: dict[str, tuple[Deed, Sequence[Deed]]] = {
    "hackjack": (
        Deed("add", "bryn", ("hp", "30")),
        (Deed("hit", "bryn", ("2",)), Deed("note", "", ("a", "b")), Deed("undo"), Deed("set", "bryn", ("hp", "30"))),
    ),
    "glog": (
        Deed("add", "bryn", ("hp", "9")),
        (Deed("hit", "bryn", ("2",)), Deed("undo"), Deed("redo"), Deed("set", "bryn", ("hp", "9"))),
    ),
    "jackrealms": (
        Deed("sit", "bryn", ("30",)),
        (Deed("bet", "bryn", ("1",)), Deed("note", "", ("x" * 150,)), Deed("undo"), Deed("redo")),
    ),
}


@cache
def system(name: str) -> Any:
    """A system that ships."""
    return load_pack(find(name)).system


def _play(path: Path, name: str, seed: int, writer: str) -> int:
    """In a forked process: play for ever, and tell of each command on standard output once it is done."""
    journal = Journal(path, system(name), new_campaign(system(name), "virtual", seed))
    first, deeds = PLAYED[name]
    chance = Random(seed)
    for number in count():
        deed = first if number == 0 else chance.choice(deeds)
        with suppress(HackjackError):
            done = journal.do(Command((deed,), id=f"{writer}-{number}"))
            os.write(1, f"{done.command.id}\n".encode())
    return 0


def bodies(path: Path) -> list[str]:
    """The lines of a campaign's journal, read by SQLite alone; none where there is no journal yet."""
    if not path.exists() or not path.stat().st_size:
        return []
    with closing(sqlite3.connect(path)) as database:
        return [bytes(body).decode() for (body,) in database.execute("SELECT body FROM line ORDER BY number")]


def ids(path: Path) -> list[str]:
    """The ids of the commands in a journal."""
    return [json.loads(body).get("id", "") for body in bodies(path)]


def _kept(told: Told, path: Path, known: set[str], when: str) -> None:
    """Whatever somebody was told of stands in the journal, once."""
    held = [each for each in ids(path) if each]
    for each in sorted(known.difference(held)):
        told.lose(f"{each}, {when}")
    if len(held) != len(set(held)):
        told.lose(f"a command stands twice in the journal, {when}")


def killed_journals(chance: Random, folder: Path) -> Told:
    """One to three programs play in one campaign and are killed; then somebody goes on in it; and so on."""
    told, home, known = Told(), folder / "home", set[str]()
    path = home / "campaigns" / "table.hackjack"
    path.parent.mkdir(parents=True)
    name = chance.choice([*PLAYED])
    for turn in range(TURNS):
        writers = []
        for number in range(chance.choice((1, 1, 2, 3))):
            called = f"w{turn}-{number}"
            work = partial(_play, path, name, chance.randrange(1000), called)
            writers.append(forked(work, folder, name=called))
        patience = time.monotonic() + 20
        while not any(writer.out.stat().st_size for writer in writers) and time.monotonic() < patience:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.05))
        for writer in chance.sample(writers, len(writers)):
            writer.kill()
            told.ended(writer, killed=True)
            known.update(writer.said()[0].split("\n")[:-1])
            told.tried += 1
        _kept(told, path, known, "after kill -9")
        _, end = run(told, home, "play", name, "--campaign", "table", "note", f"after {turn}")
        if end.status:
            told.lose("nobody can go on in the campaign")
        _kept(told, path, known, "once somebody went on")
    return told


def killed_commands(chance: Random, folder: Path) -> Told:
    """`hackjack play note N` is killed anywhere between its start and its end, some of the time after it."""
    told, home, known = Told(), folder / "home", set[str]()
    path = home / "campaigns" / "table.hackjack"
    home.mkdir()
    run(told, home, "play", "hackjack", "--campaign", "table", "add", "bryn")
    for turn in range(TURNS):
        words = ("play", "hackjack", "--campaign", "table", "note", f"turn{turn}")
        process = forked(partial(hackjack, *words, home=home), folder)
        time.sleep(chance.uniform(0, 0.12))
        process.kill()
        end = told.ended(process, killed=True)
        told.tried += 1
        if end.status == 0:
            known.add(f"turn{turn}")
        told.faults += [f"a command failed: {process.said()[1]}"] if end.status > 0 else []
        held = "".join(bodies(path))
        for each in sorted(known):
            if f'"{each}"' not in held:
                told.lose(f"the note {each}")
    return told


@cache
def _sound() -> bytes:
    """A campaign of a hundred commands."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.hackjack"
        _play_on(path, "hackjack", 3, tell=False)
        return path.read_bytes()


def damaged_campaigns(chance: Random, folder: Path) -> Told:
    """A campaign file is damaged, and somebody wants to go on in it: all of it is there, or it is left as it is."""
    told, home = Told(tried=1), folder / "home"
    path = home / "campaigns" / "table.hackjack"
    path.parent.mkdir(parents=True)
    path.write_bytes(_sound())
    before = bodies(path)
    raw = spoilt_pages(chance, _sound())
    path.write_bytes(raw)
    process, end = run(told, home, "play", "hackjack", "--campaign", "table", "note", "after")
    said, now = process.said()[1], path.read_bytes()
    if end.status:
        if now != raw:
            told.lose("a campaign that is refused was written to")
        if str(path) not in said and end.status != UNFORESEEN:
            told.faults.append(f"lost: a refusal does not name the file: {said}")
    elif bodies(path)[:-1] != before:
        told.lose(f"damage was not noticed: {said}")
    return told


# --- prints ----------------------------------------------------------------------------------------------------------

PRINTS = (
    ("hackjack", "deck"),
    ("hackjack", "reference"),
    ("hackjack", "sheet"),
    ("glog", "screen"),
    ("hackjack", "deck", "--format", "md"),
    ("hackjack", "deck", "--target", "png", "--dpi", "36", "--backs", "none", "--only", "QS,KS,AS,2C,3C"),
    ("hackjack", "deck", "--target", "foundry"),
)


def _files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in (folder.rglob("*") if folder.exists() else ())
        if path.is_file()
    }


class Prints:
    """Products as they are when nothing happens; each is printed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cache  # noqa: B019 - there is one
    def whole(self, place: int) -> dict[str, bytes]:
        """The files of a product."""
        home = self.folder / f"print{place}"
        home.mkdir(parents=True)
        process = forked(partial(hackjack, "print", *PRINTS[place], "-o", "out", home=home), self.folder)
        end = process.wait()
        if end.status:
            raise RuntimeError(f"print {' '.join(PRINTS[place])} does not work at all: {process.said()[1]}")
        return _files(home / "out")

    def begun(self, chance: Random, home: Path) -> tuple[int, dict[str, bytes]]:
        """Choose a product whose files, or some of them, are there already, as old ones. Gives which, and all files."""
        place = chance.randrange(len(PRINTS))
        whole = self.whole(place)
        for name in whole:
            if chance.random() < 0.7:
                (home / "out" / name).parent.mkdir(parents=True, exist_ok=True)
                (home / "out" / name).write_bytes(OLD)
        (home / "out").mkdir(parents=True, exist_ok=True)
        return place, whole

    def judge(self, told: Told, home: Path, whole: dict[str, bytes], before: dict[str, bytes], *, swept: bool) -> None:
        """Each file is the old one or the whole new one; half ones are there by hidden names alone, or not at all."""
        held = _files(home / "out")
        for name, data in held.items():
            parts = Path(name).name.rpartition(".")
            if name in whole:
                if data not in (whole[name], before.get(name)):
                    told.lose(f"{name} is half a file of {len(data)} bytes")
            elif swept or not (parts[0].startswith(".") and len(parts[2]) == 8):
                told.lose(f"{name} lies about")
        for name in before.keys() - held.keys():
            told.lose(f"the old {name} is gone")

    def killed(self, chance: Random, folder: Path) -> Told:
        """A print is killed at any time, or just when it writes its file."""
        told, home = Told(tried=1), folder / "home"
        home.mkdir()
        place, whole = self.begun(chance, home)
        before = _files(home / "out")
        process = forked(partial(hackjack, "print", *PRINTS[place], "-o", "out", home=home), folder)
        if chance.random() < 0.5:
            _until_written(home / "out", before)
            time.sleep(chance.choice((0, chance.uniform(0, 0.003), chance.uniform(0, 0.02))))
        else:
            time.sleep(chance.uniform(0, 0.4))
        process.kill()
        end = told.ended(process, killed=True)
        told.faults += [f"a print failed: {process.said()[1]}"] if end.status > 0 else []
        self.judge(told, home, whole, before, swept=False)
        return told

    def full(self, chance: Random, folder: Path) -> Told:
        """A disk is full in the middle of a file."""
        told, home = Told(tried=1), folder / "home"
        home.mkdir()
        place, whole = self.begun(chance, home)
        before = _files(home / "out")
        most = max(map(len, whole.values()))
        work = partial(hackjack, "print", *PRINTS[place], "-o", "out", home=home)
        process = forked(work, folder, largest=chance.randrange(300, int(1.2 * most) + 400))
        end = told.ended(process)
        told.one_sentence(process, end)
        self.judge(told, home, whole, before, swept=True)
        if end.status not in (0, 1, UNFORESEEN):
            told.faults.append(f"a print on a full disk ended with {end.status}")
        return told


def _until_written(out: Path, before: dict[str, bytes]) -> None:
    """Wait until a file begins to be written, at most as long as a print may take."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if any(path.relative_to(out).as_posix() not in before for path in out.rglob("*") if not path.is_dir()):
            return


def full_journal(chance: Random, folder: Path) -> Told:
    """The disk takes no more of a journal; later there is room again."""
    told, home, name = Told(tried=1), folder / "home", chance.choice([*PLAYED])
    path = home / "campaigns" / "table.hackjack"
    path.parent.mkdir(parents=True)
    work = partial(_play_on, path, name, chance.randrange(1000))
    process = forked(work, folder, largest=chance.randrange(9000, 40_000))
    told.ended(process)
    known = set(process.said()[0].split())
    _kept(told, path, known, "on a full disk")
    _, end = run(told, home, "play", name, "--campaign", "table", "note", "room again")
    if end.status:
        told.lose("nobody can go on in the campaign")
    _kept(told, path, known, "once there was room again")
    return told


def _play_on(path: Path, name: str, seed: int, *, tell: bool = True) -> int:
    """In a forked process: play a hundred commands, whether the disk takes them or not."""
    journal = Journal(path, system(name), new_campaign(system(name), "virtual", seed))
    first, deeds = PLAYED[name]
    chance = Random(seed)
    for number in range(100):
        with suppress(HackjackError):
            done = journal.do(Command((chance.choice(deeds) if number else first,), id=f"w-{number}"))
            if tell:
                os.write(1, f"{done.command.id}\n".encode())
    return 0


# --- the page --------------------------------------------------------------------------------------------------------


@contextmanager
def _killing(process: Forked, after: float) -> Iterator[None]:
    """Kill a process from outside after so many seconds, while this one waits for an answer of it."""
    before = signal.signal(signal.SIGALRM, lambda *_: process.kill())
    signal.setitimer(signal.ITIMER_REAL, max(after, 0.0001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _sent(link: str, id: str, words: Sequence[str]) -> int | None:
    """Send a command to the page; gives the status of the answer, None where none came."""
    at = urlsplit(link)
    connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=30)
    try:
        body = json.dumps({"id": id, "words": words})
        connection.request("POST", "/api/do", body, {"Authorization": f"Bearer {parse_qs(at.query)['key'][0]}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _link(server: Forked) -> str:
    """The link that a server prints; empty where none comes."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        said = server.said()[0]
        if said.endswith("\n"):
            return said.split()[0]
        time.sleep(0.005)
    return ""


def killed_pages(chance: Random, folder: Path) -> Told:
    """The page's server is killed while it answers; what was not answered is sent again to the next one."""
    told, home, known, numbers = Told(), folder / "home", set[str](), count()
    path = home / "campaigns" / "table.hackjack"
    home.mkdir()
    words, unanswered = ["add", "bryn", "hp", "30"], ""
    for turn in range(TURNS):
        call = ("serve", "hackjack", "--campaign", "table", "--deck", "virtual")
        server = forked(partial(hackjack, *call, home=home), folder, name=f"s{turn}")
        link = _link(server)
        if not link:
            told.lose(f"the page does not begin: {server.said()[1]}")
        answer: int | None = 200
        with _killing(server, chance.choice((chance.uniform(0, 0.1), chance.uniform(0.1, 0.4)))):
            while link and answer is not None:
                id = unanswered or f"page-{next(numbers)}"
                answer = _sent(link, id, words)
                if answer == 200:
                    known.add(id)
                elif answer is not None and answer >= 500:
                    told.faults.append(f"status 70: the page answers {answer} to {words}")
                unanswered = id if answer is None else ""
                if answer is not None:
                    words = chance.choice((["hit", "bryn", "2"], ["undo"], ["set", "bryn", "hp", "30"], ["note", "a"]))
        server.kill()
        told.ended(server, killed=True)
        told.tried += 1
        _kept(told, path, known, "after kill -9 of the page")
    return told


# --- files from strangers --------------------------------------------------------------------------------------------

PACKS = [
    *(ROOT / "content" / name for name in ("hackjack", "glog", "deadlands", "fiftytwo", "jackrealms")),
    *sorted(path for path in (ROOT / "docs" / "examples").iterdir() if path.is_dir()),
]


def _with_pack(chance: Random, told: Told, folder: Path, pack: Path) -> None:
    """What people do with a pack: mostly check it. One that is sound is printed as well."""
    home = folder / "home"
    home.mkdir()
    name = Path(pack).stem
    others = (
        ("print", name, "--pack", pack, "-o", "out"),
        ("list", "--pack", pack),
        ("print", name, "screen", "--format", "html", "--pack", pack, "-o", "out"),
        ("odds", name, "hit", "3", "--pack", pack),
        ("resolve", name, "hit", "3", "--seed", "1", "--pack", pack),
    )
    if chance.random() < 0.3:
        run(told, home, *chance.choice(others))
        return
    _, end = run(told, home, "check", pack)
    if end.status == 0:
        run(told, home, *chance.choice(others[:3]))


def spoilt_packs(chance: Random, folder: Path) -> Told:
    """A pack with pieces of its files changed."""
    told = Told(tried=1)
    source = chance.choice(PACKS)
    pack = Path(shutil.copytree(source, folder / source.name))
    spoil_pack(chance, pack)
    _with_pack(chance, told, folder, pack)
    return told


def spoilt_archives(chance: Random, folder: Path) -> Told:
    """An archive with other bytes in it, or one of a spoilt pack."""
    told = Told(tried=1)
    source = chance.choice(PACKS)
    pack = Path(shutil.copytree(source, folder / source.name))
    spoilt = chance.random() < 0.7
    if not spoilt:
        spoil_pack(chance, pack)
    data = archived(chance, pack)
    shutil.rmtree(pack)
    for _ in range(chance.choice((1, 2, 9)) if spoilt else 0):
        tail = len(data) - min(len(data), 3000) if chance.random() < 0.5 else 0
        data = data[:tail] + spoilt_bytes(chance, data[tail:])
    path = folder / f"{source.name}.zip"
    path.write_bytes(data)
    _with_pack(chance, told, folder, path)
    if [each.name for each in folder.iterdir() if each.is_dir()] != ["home"]:
        told.lose("an archive was unpacked beside itself")
    return told


Trial = Callable[[Random, Path], Told]

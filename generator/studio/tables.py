"""The door to the table: campaigns, each served by a process of its own, which may be open to the network."""

import asyncio
import sys
from subprocess import PIPE, Popen
from typing import Annotated

from msgspec import Meta, Struct

from generator.base.errors import HackjackError, UsageError
from generator.pack import pack_locations
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.serve.slow_work import off_thread
from generator.session import campaigns
from generator.session.campaigns import campaign_file, system_of, title_of
from generator.session.deeds import Command, Deed
from generator.session.journal import Journal
from generator.session.session import new_campaign

FIGHT = "fight-to-try"
FIGHTERS = (("Bryn", 6), ("Cara", 9), ("Orc", 12))
SEED = 3
"""Shuffles a deck in which Bryn goes from a first wound to a death in three cards."""
PATIENCE = 30.0
"""Seconds within which a table is there."""
MAX_TABLES = 8

Word = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]
"""A word of a command line."""


class CampaignChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign, and the title that it gets; without one it is deleted."""

    campaign: Word
    title: Word | None = None


class TableWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign to open; with a system it is a new one, of that title. `fight` opens one to try."""

    campaign: Word = ""
    system: Word = ""
    rules: Annotated[dict[Word, Word], Meta(max_length=100)] = {}
    deck: Word = "real"
    lan: bool = False
    fight: bool = False


class CampaignLink(Struct, frozen=True):
    """A campaign on this computer: its system, and the game master's link while it is open."""

    name: str
    title: str
    system: str
    link: str


class Tables:
    """The campaigns that the studio has opened."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[Popen[bytes], str]] = {}
        self._for_phones = set[str]()

    def all(self) -> list[CampaignLink]:
        """Return every campaign."""
        return [
            CampaignLink(name, title_of(name), system_of(campaign_file(name)) or "", self._link(name))
            for name in campaigns.campaigns()
        ]

    def _link(self, name: str) -> str:
        process, link = self._open.get(name, (None, ""))
        return link if process is not None and process.poll() is None else ""

    async def open(self, table: TableWish) -> str:
        """Serve a campaign and return the game master's link. Raises HackjackError."""
        if table.fight:
            table = TableWish(await off_thread(begin_fight), lan=table.lan)
        known = campaign_file(table.campaign).stem
        name = campaigns.new_campaign_id(table.campaign) if table.system else known
        if link := self._link(name):
            if not table.lan or name in self._for_phones:
                return link
            # The same campaign is opened again, for phones: pages that are open reconnect.
            self._end(name)
        running = [name for name in self._open if self._link(name)]
        if len(running) >= MAX_TABLES:
            raise UsageError(f"{MAX_TABLES} tables are open (the maximum). End the studio to close them.")
        begun = campaign_file(name).exists()
        if table.system:
            # Its name goes onto a command line.
            pack_locations.find(table.system)
        if table.system and begun:
            raise UsageError(f'There is a campaign "{table.campaign}" already. Choose another name, or continue it.')
        if not (table.system or begun):
            raise UsageError(f'There is no campaign "{table.campaign}".')
        if table.system and name != table.campaign:
            campaigns.rename(name, table.campaign)
        return await self._serve(name, table)

    async def _serve(self, name: str, table: TableWish) -> str:
        words = ["serve", *([table.system] if table.system else []), "--campaign", name]
        words += ["--deck", table.deck] if table.system else []
        words += [part for name, value in table.rules.items() for part in ("--set", f"{name}={value}")]
        words += ["--lan"] if table.lan else []
        # Its input is ours alone to hold open: however the studio ends, the table ends with it.
        command = [sys.executable, "-P", "-m", "generator.studio.table_process", *words]
        process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
        assert process.stdout is not None
        try:
            # A table that ends, or that is ended, closes its output: no thread waits for ever.
            link = (await asyncio.wait_for(off_thread(process.stdout.readline), PATIENCE)).decode().strip()
        except TimeoutError:
            link = ""
        if not link:
            why = await off_thread(_why, process)
            campaigns.forget_title(name)
            raise HackjackError(why)
        self._open[name] = (process, link)
        (self._for_phones.add if table.lan else self._for_phones.discard)(name)
        return link

    def change(self, request: CampaignChange) -> str:
        """Give a campaign another title or delete it; its table is closed. Return what there is to say of it.

        Raises HackjackError.
        """
        name = request.campaign
        if name not in campaigns.campaigns():
            raise UsageError(f'There is no campaign "{name}".')
        self._end(name)
        if request.title is None:
            return f"Deleted. Its files are kept in {campaigns.delete(name)}."
        campaigns.rename(name, request.title)
        return f"It is called “{title_of(name)}” now."

    def _end(self, name: str) -> None:
        if name in self._open:
            process, _ = self._open.pop(name)
            process.terminate()
            process.communicate()

    def close(self) -> None:
        """End every table that is open. Nothing is lost: each move is in its journal."""
        for process, _ in self._open.values():
            process.terminate()
        for process, _ in self._open.values():
            process.communicate()
        self._open.clear()


def begin_fight() -> str:
    """Return the name of a campaign to try, which begins with a party and a foe; the program draws and rolls."""
    path = campaign_file(FIGHT)
    if not path.exists():
        system = load_pack(find(pack_locations.USUAL_SYSTEM)).system
        journal = Journal(path, system, new_campaign(system, "virtual", SEED))
        for name, hp in FIGHTERS:
            journal.do(Command((Deed("add", name, ("hp", str(hp))),)))
        campaigns.rename(FIGHT, "A fight to try")
    return FIGHT


def _why(process: Popen[bytes]) -> str:
    """Return what a table says that did not open, and end it."""
    process.kill()
    _, errors = process.communicate()
    lines = errors.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "The table did not open."

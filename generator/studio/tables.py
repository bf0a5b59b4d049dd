"""The door to the table: campaigns, each served by a process of its own, which may be open to the network."""

import asyncio
import sys
from functools import partial
from subprocess import DEVNULL, PIPE, Popen, run
from typing import Annotated

from msgspec import Meta, Struct

from generator.base.errors import HackjackError, UsageError
from generator.pack import pack_locations
from generator.serve.slow_work import off_thread
from generator.session import campaigns
from generator.session.campaigns import campaign_file, system_of, title_of

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
    """A campaign to open; with a system it is a new one, of that title."""

    campaign: Word
    system: Word = ""
    rules: Annotated[dict[Word, Word], Meta(max_length=100)] = {}
    deck: Word = "real"
    lan: bool = False


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
        known = campaign_file(table.campaign).stem
        name = campaigns.new_campaign_id(table.campaign) if table.system else known
        if link := self._link(name):
            return link
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


async def tour() -> list[dict[str, str]]:
    """Return the steps of `hackjack tour`: what each says, the command that is typed, and what comes of it."""
    words = [sys.executable, "-P", "-m", "generator", "tour"]
    done = partial(run, words, stdin=DEVNULL, capture_output=True, start_new_session=True, encoding="utf-8")
    return tour_steps((await off_thread(done)).stdout)


def tour_steps(printed: str) -> list[dict[str, str]]:
    """Return the steps of a tour from what the command prints."""
    steps = [part.split("\n", 2) for part in printed.strip().split("\n\n")]
    return [
        {"says": step[0], "types": step[1].removeprefix("> "), "comes": "\n".join(step[2:])}
        for step in steps
        if step[1:] and step[1].startswith("> ")
    ]


def _why(process: Popen[bytes]) -> str:
    """Return what a table says that did not open, and end it."""
    process.kill()
    _, errors = process.communicate()
    lines = errors.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "The table did not open."

"""Tables on one screen: the game master's page beside the studio, in the same worker. No phone can reach them."""

import asyncio
from urllib.parse import quote

from starlette.applications import Starlette

from generator.base.errors import UsageError
from generator.check import content_checks as checks
from generator.cli import play_
from generator.serve import api
from generator.serve.links import GM, links_file, new_links
from generator.serve.slow_work import Worker
from generator.serve.table import LiveTable
from generator.session.campaigns import campaign_file, title_of
from generator.session.deeds import DeckKind
from generator.studio.tables import Tables, TableWish


class TablesHere(Tables):
    """The campaigns that are open on this screen, each with its answers and the game master's key."""

    def __init__(self) -> None:
        super().__init__()
        self.apps: dict[str, tuple[Starlette, str]] = {}
        self._live: dict[str, tuple[LiveTable, asyncio.Task[None]]] = {}

    def _link(self, name: str) -> str:
        return f"table/{quote(name)}" if name in self._live else ""

    async def _serve(self, name: str, table: TableWish) -> str:
        if table.lan:
            raise UsageError("A table for phones needs the program on a computer: nobody else can reach this page.")
        path = campaign_file(name)
        system, _ = play_.split_call((table.system,) if table.system else (), (), path)
        deck: DeckKind = "virtual" if table.deck == "virtual" else "real"
        chosen = play_.CampaignOptions(name, system, tuple(table.rules.items()), deck if table.system else None, None)
        checks.under(chosen.system, chosen.settings)
        journal = play_.open_campaign(chosen)
        journal.settle()
        # Links lead nowhere here, and are made anew each time.
        links = new_links()
        worker = Worker()
        live = LiveTable(name, journal, path, links, links_file(path), title_of(name), (worker, worker))
        self.apps[name] = Starlette(routes=api.routes(live, ("http://127.0.0.1",))), links.key(GM)
        self._live[name] = live, asyncio.create_task(live.watch())
        return self._link(name)

    def _end(self, name: str) -> None:
        if name in self._live:
            live, task = self._live.pop(name)
            del self.apps[name]
            task.cancel()
            live.close()

    def end_all(self) -> None:
        """End every table: its campaign is about to change."""
        for name in tuple(self._live):
            self._end(name)

"""Where campaigns lie: one journal each, in the user's folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.pack import content
from generator.pack.pack_locations import user_folder
from generator.session import journal
from generator.session.corrections import names_at_table


def campaigns_folder() -> Path:
    """Return the folder of campaigns. Raises HackjackError if there is no home directory."""
    return user_folder() / "campaigns"


def campaign_file(name: str) -> Path:
    """Return the journal of a campaign. Raises UsageError for a name that is none."""
    if not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        there = ", ".join(campaigns()[:10])
        known = f". Campaigns here: {there}" if there else ""
        raise UsageError(f'"{name[:50]}" is not a valid campaign name: use 1 to 40 of a-z, 0-9, - and _{known}')
    if is_device(name):
        raise UsageError(f'"{name}" means a device on Windows: give the campaign another name')
    return campaigns_folder() / f"{name}.hackjack"


def campaigns() -> tuple[str, ...]:
    """Return the names of the campaigns that there are."""
    try:
        paths = islice(campaigns_folder().glob("*.hackjack"), 1000)
        return tuple(sorted(path.stem for path in paths if path.stat().st_size))
    except OSError:
        return ()


class Summary(NamedTuple):
    """A campaign, the system that it plays, and the people in it; empty if they cannot be read here."""

    name: str
    system: str
    people: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} ({self.system or 'unreadable'}{': ' if self.people else ''}{', '.join(self.people)})"


def summaries(names: Iterable[str]) -> tuple[Summary, ...]:
    """Return a summary of each of these campaigns."""
    return tuple(Summary(name, system_of(campaign_file(name)) or "", _people(name)) for name in names)


def _people(name: str) -> tuple[str, ...]:
    """Return who plays in a campaign; nobody if its system or its journal cannot be read."""
    path = campaign_file(name)
    with suppress(HackjackError):
        if system := system_of(path):
            session = journal.read_file(path, content.load(content.find(system), outline=True).system)
            return names_at_table(session.table, session.party) if session else ()
    return ()


def system_of(path: Path) -> str | None:
    """Return the id of the system that a campaign plays, or None if there is no campaign that can be read."""
    with suppress(HackjackError):
        return campaign.system if (campaign := journal.read_beginning(path)) else None
    return None

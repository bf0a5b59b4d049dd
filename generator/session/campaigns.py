"""Where campaigns lie: one journal each, in the user's folder."""

import datetime
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from generator.base.errors import DiskError, HackjackError, UsageError
from generator.base.files import first_bytes, is_device, save_file
from generator.base.text_input import free_id, id_from, plain_text
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, user_folder
from generator.session import journal
from generator.session.corrections import names_at_table

MAX_TITLE = 80
_TITLE = ".title"
"""The ending of the file beside a journal that holds the campaign's title."""


def campaigns_folder() -> Path:
    """Return the folder of campaigns. Raises HackjackError if there is no home directory."""
    return user_folder() / "campaigns"


def campaign_file(name: str) -> Path:
    """Return the journal of a campaign, by its id or its title. Raises UsageError for a name that is none."""
    if not plain_text(name):
        raise UsageError("write a name for the campaign")
    campaign = name if _is_id(name) else id_from(name)
    if is_device(campaign):
        raise UsageError(f'"{name}" means a device on Windows: give the campaign another name')
    return campaigns_folder() / f"{campaign}.hackjack"


def _is_id(name: str) -> bool:
    return re.fullmatch(r"[a-z0-9_-]{1,40}", name) is not None


def new_campaign_id(title: str) -> str:
    """Return an id for a new campaign: the title itself if it is one, or a free one that is made of it."""
    return title if _is_id(title) else free_id(title, lambda name: is_device(name) or campaign_file(name).exists())


def title_of(campaign: str) -> str:
    """Return the title of a campaign as somebody typed it; its id if it has none."""
    with suppress(HackjackError, ValueError):
        path = campaign_file(campaign).with_suffix(_TITLE)
        return plain_text(first_bytes(path, path.name, 4 * MAX_TITLE).decode()) if path.is_file() else campaign
    return campaign


def keep_title(name: str) -> None:
    """Keep the title by which a campaign is begun, if it is no id. Raises DiskError."""
    if not _is_id(name):
        rename(name, name)


def forget_title(campaign: str) -> None:
    """Remove the title of a campaign that was not begun after all."""
    if not campaign_file(campaign).exists():
        campaign_file(campaign).with_suffix(_TITLE).unlink(missing_ok=True)


def rename(campaign: str, title: str) -> None:
    """Give a campaign another title; its id stays. Raises UsageError, DiskError."""
    if not (plain := plain_text(title)[:MAX_TITLE].strip()):
        raise UsageError("write a name for the campaign")
    save_file(plain.encode(), campaign_file(campaign).with_suffix(_TITLE))


def delete(campaign: str) -> Path:
    """Move a campaign's files out of the folder of campaigns, and return where they are kept. Raises HackjackError."""
    path = campaign_file(campaign)
    now = datetime.datetime.now().astimezone()
    kept = user_folder() / "copies" / "campaigns" / f"{path.stem} {now:%Y-%m-%d %H.%M.%S}"
    try:
        kept.mkdir(parents=True)
        for each in path.parent.glob(f"{path.stem}.*"):
            each.rename(kept / each.name)
    except OSError as error:
        raise DiskError(f"{path}: cannot be moved to {kept}: {error.strerror or error}") from error
    return kept


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
            session = journal.read_file(path, load_pack(find(system), to_play=True).system)
            return names_at_table(session.table, session.party) if session else ()
    return ()


def system_of(path: Path) -> str | None:
    """Return the id of the system that a campaign plays, or None if there is no campaign that can be read."""
    with suppress(HackjackError):
        return campaign.system if (campaign := journal.read_beginning(path)) else None
    return None

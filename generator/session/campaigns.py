"""Where campaigns lie: one journal each, in the user's folder."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from pathlib import Path

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.pack.pack_locations import user_folder
from generator.session import journal


def campaigns_folder() -> Path:
    """Return the folder of campaigns. Raises HackjackError if there is no home directory."""
    return user_folder() / "campaigns"


def campaign_file(name: str) -> Path:
    """Return the journal of a campaign. Raises UsageError for a name that is none."""
    if not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise UsageError(f'"{name[:50]}" is not a valid campaign name: use 1 to 40 of a-z, 0-9, - and _')
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


def system_of(path: Path) -> str | None:
    """Return the id of the system that a campaign plays, or None if there is no campaign that can be read."""
    with suppress(HackjackError):
        return campaign.system if (campaign := journal.read_beginning(path)) else None
    return None

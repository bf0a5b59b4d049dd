"""Where campaigns lie: one journal each, in the user's folder."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from pathlib import Path

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.pack.pack_locations import user_folder
from generator.session.journal_lines import LONGEST_LINE, read_campaign, unseal


def campaigns_folder() -> Path:
    """Where campaigns lie. Raises HackjackError where there is no home directory."""
    return user_folder() / "campaigns"


def campaign_file(name: str) -> Path:
    """The journal of a campaign. Raises UsageError for a name that is none."""
    if not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise UsageError(f'"{name[:50]}" is no name for a campaign: write 1 to 40 of a-z, 0-9, - and _')
    if is_device(name):
        raise UsageError(f'"{name}" means a device on Windows: give the campaign another name')
    return campaigns_folder() / f"{name}.jsonl"


def campaigns() -> tuple[str, ...]:
    """The names of the campaigns that there are."""
    try:
        return tuple(sorted(path.stem for path in islice(campaigns_folder().glob("*.jsonl"), 1000)))
    except OSError:
        return ()


def nothing_whole(name: str) -> str:
    """What to say of a campaign that has a file and yet no session; empty where there is no file."""
    if name not in campaigns():
        return ""
    return f'nothing of the campaign "{name}" was written to its end: {campaign_file(name)}'


def system_of(path: Path) -> str | None:
    """The id of the system that a campaign plays, as far as its first line can be read."""
    if not path.is_file():
        # A pipe of that name would be waited for.
        return None
    with suppress(OSError, HackjackError), path.open("rb") as stream:
        opened = unseal(stream.readline(LONGEST_LINE).rstrip(b"\n"), 0)
        return read_campaign(opened[0]).system if opened else None
    return None

"""What is written in the page, as one ZIP file: laid out as the program's folder is, which can go on with it."""

import datetime
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from starlette.responses import Response

from generator.base import zip_files
from generator.base.errors import HackjackError, UsageError
from generator.base.files import save_file
from generator.pack import pack_locations
from generator.session import campaigns

ABOUT = "READ ME.txt"
_SAYS = """Packs and campaigns of Hackjack, as a browser kept them. Open this file on the page with "Open a saved file".

The program on a computer goes on with them, too: unpack this file into its folder, which `hackjack list` names.
"""
_KINDS = (".hackjack", ".hackjack-wal", ".title")
"""Endings of a campaign's files. Links are not among them: they hold keys."""
MAX_FILES = 5000


def _files() -> Mapping[str, Path]:
    """Return all files of packs and campaigns by their names in the user's folder."""
    home = pack_locations.user_folder()
    paths = [*pack_locations.packs_folder().rglob("*"), *campaigns.campaigns_folder().glob("*")]
    return {
        path.relative_to(home).as_posix(): path
        for path in sorted(paths)
        if path.is_file() and (path.parent.name != "campaigns" or path.suffix in _KINDS)
    }


def saved() -> Response:
    """Answer with everything that was written in this page."""
    stream = BytesIO()
    zip_files.write_archive(stream, {ABOUT: _SAYS.encode(), **_files()})
    name = f"hackjack-{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}.zip"
    return Response(
        stream.getvalue(), 200, {"content-disposition": f'attachment; filename="{name}"'}, "application/zip"
    )


def _things(data: bytes) -> dict[str, dict[str, bytes]]:
    """Return the files of each pack and campaign in an archive. Raises HackjackError for one that is refused."""
    things: dict[str, dict[str, bytes]] = {}
    try:
        members = zip_files.archive_members(BytesIO(data), MAX_FILES)
    except HackjackError as error:
        raise HackjackError(f"This file cannot be opened: {error}") from error
    with ZipFile(BytesIO(data)) as archive:
        for inner, info in members.items():
            # The one folder that all of them lie in may be ours.
            name = info.filename if info.filename.startswith(("packs/", "campaigns/")) else inner
            kind, _, rest = name.partition("/")
            pack, _, file = rest.partition("/")
            if kind == "packs" and file and pack_locations.is_name(pack):
                things.setdefault(f"{kind}/{pack}", {})[name] = archive.read(info)
            elif kind == "campaigns" and "/" not in rest and Path(rest).suffix in _KINDS:
                things.setdefault(f"{kind}/{Path(rest).stem}", {})[name] = archive.read(info)
    return things


def opened(data: bytes, *, replaces: bool) -> dict[str, Any]:
    """Take packs and campaigns out of a saved file; return what was opened, and what differs from what is here.

    What differs stays as it is, unless the file `replaces` it. Raises HackjackError.
    """
    home, here = pack_locations.user_folder(), _files()
    things = _things(data)
    if not things:
        raise UsageError('This file has neither packs nor campaigns in it: open one that "Save to a file" made.')
    told: dict[str, Any] = {"opened": [], "differ": []}
    for thing, files in things.items():
        now = {name: path for name, path in here.items() if name.startswith((f"{thing}/", f"{thing}."))}
        if now and not replaces:
            same = now.keys() == files.keys() and all(path.read_bytes() == files[name] for name, path in now.items())
            told["differ"] += [] if same else [thing.partition("/")[2]]
            continue
        for path in now.values():
            path.unlink()
        for name, raw in files.items():
            save_file(raw, home / name)
        told["opened"].append(thing.partition("/")[2])
    return told

"""Who may see the table: secrets in links, and what the game master allows, kept in a file beside the journal.

One secret stands in the file. The keys of the game master and of each player follow from it, so that a link stays the
same when the server starts again and nothing is written when somebody joins.
"""

import base64
import hmac
import secrets
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.base.files import first_bytes, written_whole
from generator.base.text_input import MAX_NAME_LENGTH

GM = ""
"""Whose link the game master's is: no character has this name."""
MAX_BYTES = 100_000
_KEY_BYTES = 16

MAX_RENEWED = 1000
REMEMBERED = 5
"""So many keys of somebody's are told apart from wrong ones after they were renewed."""
Seat = Annotated[str, Meta(max_length=MAX_NAME_LENGTH + 20)]
"""Whose link it is, under a name that stays when they are renamed."""
Word = Annotated[str, Meta(max_length=40)]


class Links(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept: the secret, the port, the events that players may do (None: the usual ones of the system), and who
    is hidden from them.

    `renewed` counts how often somebody's link was replaced by a new one.
    """

    secret: Annotated[str, Meta(min_length=32, max_length=64)]
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    events: Annotated[tuple[Word, ...], Meta(max_length=100)] | None = None
    hidden: Annotated[tuple[Seat, ...], Meta(max_length=100)] = ()
    renewed: Annotated[dict[Seat, int], Meta(max_length=MAX_RENEWED)] = {}

    def key(self, seat: str = GM) -> str:
        """Return the key in the link of a player, or of the game master."""
        return self._key(seat, self.renewed.get(seat, 0))

    def _key(self, seat: str, times: int) -> str:
        """Return the key that somebody has after so many renewals."""
        whose = f"key of {seat}" + (f", renewed {times} times" if times else "")
        digest = hmac.digest(self.secret.encode(), whose.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:_KEY_BYTES]).decode().rstrip("=")

    def was_key(self, key: str) -> bool:
        """Return whether a key was somebody's until it was renewed; the last few are known."""
        typed = key.encode()
        earlier = (
            (seat, times) for seat, now in self.renewed.items() for times in range(max(now - REMEMBERED, 0), now)
        )
        return any(hmac.compare_digest(self._key(seat, times).encode(), typed) for seat, times in earlier)

    def with_new_link(self, seat: str) -> "Links":
        """Return links with a new key for one player; the old key stops working. Raises HackjackError."""
        if len(self.renewed) >= MAX_RENEWED:
            raise HackjackError(f"{MAX_RENEWED:,} links were renewed: hackjack serve --new-links makes all of them new")
        return replace(self, renewed={**self.renewed, seat: self.renewed.get(seat, 0) + 1})


def new_links(port: int = 0) -> Links:
    """Return links with a new secret."""
    return Links(secrets.token_urlsafe(32), port)


def links_file(journal: Path) -> Path:
    """Return the file beside a journal that holds its links."""
    return journal.with_suffix(".links")


def read_links(path: Path) -> Links | None:
    """Return the links of a file, or None if there is none. Raises HackjackError with the file and a fix."""
    try:
        return msgspec.json.decode(first_bytes(path, str(path), MAX_BYTES), type=Links) if path.exists() else None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HackjackError(f"{path}: these links cannot be read ({error}): --new-links makes new ones") from error


def write_links(path: Path, links: Links) -> None:
    """Keep links in a file that its owner alone can read. Raises DiskError."""
    with written_whole(path, private=True) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(links)))

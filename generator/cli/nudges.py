"""How far backs, or stickers, are moved on the sheet: as typed, or as kept for a target and a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import DiskError, HackjackError, UsageError
from generator.base.files import written_whole
from generator.pack.pack_locations import user_folder

MOST = 20
"""The most that anything is moved, mm."""
_MOST_BYTES = 100_000
_SAVE = "save="

_Length = Annotated[float, Meta(ge=-MOST, le=MOST)]
_Kept = dict[str, dict[str, tuple[_Length, _Length]]]
"""To the right and up, mm, by target and by paper."""


class Nudge(Struct, frozen=True):
    """Millimetres to the right and up, and whether these were kept from an earlier call."""

    right: float = 0.0
    up: float = 0.0
    kept: bool = False

    @property
    def mm(self) -> tuple[float, float]:
        """To the right and up."""
        return self.right, self.up

    def note(self, target: str, paper: str) -> str:
        """What is said of a nudge that was kept."""
        said = f"--nudge {self.right:g},{self.up:g}, as kept for {target} on {paper}"
        return f"printed with {said}; --nudge 0,0 leaves it out"


def nudge_of(written: str | None, target: str, paper: str) -> Nudge:
    """The nudge that is typed, or else the one that is kept for the target and paper; `save=X,Y` is kept too.

    Raises UsageError for what is no nudge, DiskError for kept ones that cannot be read or written.
    """
    if written is None:
        right, up = _read().get(target, {}).get(paper, (0.0, 0.0))
        return Nudge(right, up, kept=(right, up) != (0.0, 0.0))
    chosen = _parsed(written)
    if written.startswith(_SAVE):
        _save(chosen, target, paper)
    return chosen


def _parsed(written: str) -> Nudge:
    try:
        right, up = (float(part) for part in written.removeprefix(_SAVE).split(","))
    except ValueError as error:
        raise UsageError(
            f'--nudge "{written[:40]}": write two lengths in mm, such as 0.5,-1, or save=0.5,-1 to keep them'
        ) from error
    if not (abs(right) <= MOST and abs(up) <= MOST):
        raise UsageError(f"--nudge {written[:40]}: {MOST} mm either way is the most")
    return Nudge(right, up)


def _file() -> Path:
    return user_folder() / "nudges.json"


def _read() -> _Kept:
    """All that is kept. Raises DiskError with the file and what helps."""
    try:
        path = _file()
    except HackjackError:
        # Where there is no home directory nothing was ever kept.
        return {}
    try:
        with path.open("rb") as stream:
            return msgspec.json.decode(stream.read(_MOST_BYTES), type=_Kept)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DiskError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DiskError(
            f"{path}: these nudges cannot be read ({error}): delete the file and keep yours anew with --nudge save=X,Y"
        ) from error


def _save(chosen: Nudge, target: str, paper: str) -> None:
    """Keep a nudge beside those of other targets and papers. Raises HackjackError, DiskError."""
    known, path = _read(), _file()
    if known.get(target, {}).get(paper) == chosen.mm:
        return
    known.setdefault(target, {})[paper] = chosen.mm
    with written_whole(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(known)))

"""How far backs, or stickers, are moved on the sheet: as typed, or as kept for a target and a paper."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import DiskError, HackjackError
from generator.base.files import save_file
from generator.layout.targets import LabelTarget
from generator.orders.options import MAX_NUDGE, Choices, target_of
from generator.pack.pack_locations import user_folder

_MAX_BYTES = 100_000
_SAVE = "save="
FILE = "nudges.json"
"""In the user's folder."""

_Length = Annotated[float, Meta(ge=-MAX_NUDGE, le=MAX_NUDGE)]
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

    def note(self, choices: Choices) -> str:
        """Say that a saved correction was used."""
        where = f"{choices.cards_target} on {_paper_called(choices)}"
        return f"printed with --nudge {self.right:g},{self.up:g}, as kept for {where}; --nudge 0,0 leaves it out"


def nudge_of(choices: Choices, typed: str | None) -> Nudge:
    """Return the nudge that was typed, or else the one kept for target and paper; `save=X,Y` is kept, too.

    Nothing moves where there are no backs. Raises UsageError, and DiskError for kept ones that cannot be read or
    written.
    """
    name, target = target_of(choices)
    if "nudge" not in target.takes or choices.backs == "none" or choices.format != "pdf":
        return Nudge()
    paper = _paper_called(choices)
    if choices.nudge is None:
        right, up = _read().get(name, {}).get(paper, (0.0, 0.0))
        return Nudge(right, up, kept=(right, up) != (0.0, 0.0))
    nudge = Nudge(*choices.nudge)
    if typed is not None and typed.strip().startswith(_SAVE):
        _save(nudge, name, paper)
    return nudge


def _paper_called(choices: Choices) -> str:
    """Return the name of the paper that is printed on."""
    _, target = target_of(choices)
    return target.paper if isinstance(target, LabelTarget) else choices.paper or "a4"


def _read() -> _Kept:
    """All that is kept. Raises DiskError with the file and what helps."""
    try:
        path = user_folder() / FILE
    except HackjackError:
        # Where there is no home directory nothing was ever kept.
        return {}
    try:
        with path.open("rb") as stream:
            return msgspec.json.decode(stream.read(_MAX_BYTES), type=_Kept)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DiskError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DiskError(
            f"{path}: these nudges cannot be read ({error}): delete the file and save yours again with --nudge save=X,Y"
        ) from error


def _save(chosen: Nudge, target: str, paper: str) -> None:
    """Keep a nudge beside those of other targets and papers. Raises HackjackError, DiskError."""
    nudges = _read()
    if nudges.get(target, {}).get(paper) != chosen.mm:
        nudges.setdefault(target, {})[paper] = chosen.mm
        save_file(msgspec.json.format(msgspec.json.encode(nudges)), user_folder() / FILE)

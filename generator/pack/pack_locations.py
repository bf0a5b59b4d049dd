"""Where things lie on this computer: the user's own folder, the packs in it, and the systems that ship."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from generator.base.archives import ENDING, as_named, folder_of, is_archive
from generator.base.emblem_names import is_picture
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.files import data_root, path_in
from generator.base.text_input import in_any_case
from generator.model.rules import FILE_KINDS, PANELS_ENDING, Art, System, per_system

USUAL_SYSTEM = "hackjack"
"""What a new campaign plays when nobody says."""

MAX_PACKS = 200
"""So many packs of one's own are looked at."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def user_folder() -> Path:
    """What the user keeps: $HACKJACK_HOME, or a folder in the data directory, which Windows names $LOCALAPPDATA.

    Raises HackjackError where there is no home directory.
    """
    home = os.environ.get("HACKJACK_HOME", "")
    if home:
        return Path(home)
    named = (Path(os.environ.get(variable, "")) for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"))
    data = next((folder for folder in named if folder.is_absolute()), None)
    if data is None:
        try:
            home_folder = Path.home()
        except RuntimeError:
            home_folder = Path()
        if not home_folder.is_absolute() or os.environ.get("HOME") == "":
            raise HackjackError("there is no home directory: set HACKJACK_HOME to a folder for campaigns and packs")
        data = home_folder / ".local" / "share"
    return data / "hackjack"


def packs_folder() -> Path:
    """Where packs lie that are found by their names. Raises HackjackError where there is no home directory."""
    return user_folder() / "packs"


BESIDE = "HACKJACK_BESIDE"
"""The variable that names one more pack, wherever it lies: that which somebody has the studio open."""


def beside() -> Path | None:
    """Return the pack that $HACKJACK_BESIDE names, if any; it goes before one of that name in the packs folder."""
    written = os.environ.get(BESIDE, "")
    return Path(written) if written else None


def _of_user(name: str) -> Path:
    """The pack of the user's of that name."""
    named = beside()
    return named if named is not None and name_of(named) == name else _lying(packs_folder(), name)


def systems_folder() -> Path:
    """The folder of the systems that ship."""
    return data_root() / "content"


def example(name: str) -> Path | None:
    """The file of an example that ships, by its name; None where a file of the user's or nothing of it is meant."""
    path = systems_folder() / "examples" / f"{name}.yaml"
    return path if is_name(name) and not Path(name).exists() and path.is_file() else None


@cache
def shipped() -> tuple[str, ...]:
    """The ids of the systems that ship, in alphabetical order, the flagship first."""
    names = sorted(path.parent.name for path in systems_folder().glob("*/system.yaml"))
    return tuple(sorted(names, key=lambda name: name != "hackjack"))


def installed() -> tuple[str, ...]:
    """The names of the user's packs, in alphabetical order, without those that are names of systems that ship."""
    try:
        folder = packs_folder()
        names = {path.parent.name for path in islice(folder.glob("*/system.yaml"), MAX_PACKS)}
        names |= {path.stem for path in islice(folder.glob(f"*{ENDING}"), MAX_PACKS)}
    except (HackjackError, OSError):
        names = set()
    names |= {name_of(named)} if (named := beside()) else set()
    return tuple(name for name in sorted(names) if is_name(name) and name not in shipped())


def find(name: str) -> Path:
    """The folder of a system that ships or of a pack of the user's. Raises UsageError with a suggestion."""
    own = installed()
    name_here = in_any_case(name, (*shipped(), *own))
    if name_here in shipped():
        return systems_folder() / name_here
    if name_here in own:
        return _of_user(name_here)
    hint = lying_here(name) or did_you_mean(name, (*shipped(), *own))
    raise UsageError(f'there is no system "{name[:60]}"{hint}')


def lying_here(name: str) -> str:
    """The end of a sentence where a pack of that name lies in the folder that one works in; nothing where none does."""
    if not is_name(name.removesuffix(ENDING)):
        return ""
    for here in (Path(name), Path(f"{name}{ENDING}")):
        if is_archive(here) or (here / "system.yaml").is_file():
            return f": a pack of that name lies in this folder, so add --pack {here}"
    return ""


def pack_folders(named: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders that `--pack` names: paths, or else the names of packs of the user's."""
    folders = []
    for path in named:
        name = "" if path.exists() else in_any_case(str(path), installed())
        folders.append(_of_user(name) if name in installed() else path)
    return tuple(folders)


def holder(system: System, name: str) -> Path | None:
    """Return the folder that a file of a system lies in: the pack's own, or the nearest one below that has it."""
    own = () if system.folder is None else (system.folder,)
    return next((folder for folder in (*own, *system.below) if path_in(folder, name).is_file()), system.folder)


def files_of(folders: Iterable[Path]) -> list[Path]:
    """Return the paths of the content files that packs may have, whether they are there or not; an archive itself."""
    named = [as_named(folder) for folder in folders]
    found: list[Path] = []
    for folder in named:
        own = sorted(folder.glob(f"[!.]*{PANELS_ENDING}"))
        found += [folder] if is_archive(folder) else [*map(folder.joinpath, FILE_KINDS), *own]
    return found


@per_system
def picture_names(system: System) -> tuple[str, ...]:
    """Return the names of all pictures that a system shows, each once."""
    art, piles = system.head.art or Art(), system.piles.values()
    backs = (art.back, art.medallion, *(block.back for block in system.head.cards), *(pile.back for pile in piles))
    rows = (row.art for table in system.tables for row in table.rows)
    drawn = (*(condition.art for condition in system.head.conditions.values()), *rows)
    on_cards = (picture for pile in piles for card in pile.cards for picture in card.pictures)
    emblems = (name for name in _emblem_names(system) if is_picture(name))
    return tuple(dict.fromkeys(filter(None, (*backs, *art.suits.values(), *drawn, *on_cards, *emblems))))


def _emblem_names(system: System) -> Iterator[str]:
    """Yield every emblem that the content names, however often."""
    head, cards = system.head, (card for pile in system.piles.values() for card in pile.cards)
    rows = [row for table in system.tables for row in table.rows]
    of_people = (*(each.emblem for each in head.conditions.values()), *(each.emblem for each in head.parts.values()))
    of_cells = (cell.emblem for row in rows for cell in row.named_cells)
    of_blocks = (name for block in head.cards for name in (block.emblem, *block.emblems.values()))
    of_cards = (*(row.emblem for row in rows), *of_cells, *(card.emblem for card in cards))
    yield from filter(None, (*of_people, *of_cards, *of_blocks))


def other_files(system: System) -> tuple[str, ...]:
    """Return the names of all files besides YAML: pictures, CSV files of cards, and fonts."""
    return (*picture_names(system), *(deck.csv for deck in system.piles.values() if deck.csv), *system.theme.fonts.own)


def files_beside(system: System) -> list[Path]:
    """Return where a system's pictures, spreadsheets and fonts lie."""
    return [path_in(folder, name) for name in other_files(system) if (folder := holder(system, name)) is not None]


def base_of(folder: Path, name: str) -> Path | None:
    """The folder that `extends: NAME` means for a pack: a system that ships, its neighbour, or a pack of the user's."""
    if name in shipped():
        return systems_folder() / name
    if is_name(name):
        for place in (folder_of(folder), folder):  # What a PDF carries lies beside its pack.
            neighbour = _lying(place.resolve().parent, name)
            if neighbour.is_file() or (neighbour / "system.yaml").is_file():
                return neighbour
    return _of_user(name) if name in installed() else None


def _lying(folder: Path, name: str) -> Path:
    """The pack of a name in a folder: a folder in it, or else an archive."""
    archive = folder / f"{name}{ENDING}"
    return archive if archive.is_file() and not (folder / name / "system.yaml").is_file() else folder / name


def name_of(folder: Path) -> str:
    """The name that a pack is found by: that of its folder, or of its archive."""
    return folder.stem if is_archive(folder) else folder.name


def other_name(folder: Path, system: str) -> str:
    """Return what is wrong where a pack is not called as its system; nothing where it is."""
    name = name_of(folder)
    written = f"name the folder so, or write id: {name} in system.yaml"
    return "" if name == system else f'{folder} holds the system "{system}": {written}'


def is_name(name: str) -> bool:
    """Whether a pack may be called so: 1 to 40 of a-z, 0-9 and _, beginning with a letter."""
    return _NAME.fullmatch(name) is not None

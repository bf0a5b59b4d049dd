"""The files in a PDF: the pack that it was printed from, those below it that do not ship, and its options."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base import archives
from generator.base.embedded_files import ORDER
from generator.base.errors import HackjackError
from generator.base.files import first_bytes
from generator.base.text_input import free_id
from generator.model.rules import System
from generator.pack import founding
from generator.pack.pack_locations import find, installed, shipped, systems_folder
from generator.pack.sharing import Parcel, archive, pack_files
from generator.pack.splicing import Put, spliced

Word = Annotated[str, Meta(max_length=1000)]
Words = Annotated[dict[Word, Word], Meta(max_length=100)]

HEAD = "system.yaml"


class CarriedOrder(Struct, frozen=True, omit_defaults=True):
    """The order that a PDF was printed from: the product, options as typed, house rules, and copies of cards."""

    system: Word = ""
    product: Word = ""
    options: Words = {}
    rules: Words = {}
    counts: Annotated[dict[Word, Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=1000)] = {}


def read_order(pack: Path) -> CarriedOrder:
    """Return how a PDF was printed; an empty order for any other pack. Raises HackjackError."""
    try:
        return msgspec.json.decode(archives.order_beside(pack) or b"{}", type=CarriedOrder)
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise HackjackError(f"{pack}: this PDF does not say how it was printed. Print it again.") from error


def carried_files(system: System, order: CarriedOrder, more: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what a PDF carries, by name; `more` are files of the pack that only this order has.

    Raises HackjackError for a pack that would not be read, OSError.
    """
    chosen = {name: value for name, value in system.numbers.items() if system.usual_numbers.get(name) != value}
    order = msgspec.structs.replace(order, system=system.head.id, rules=dict(system.settings) | chosen)
    packs = {
        name: _packed(name, tuple({**pack_files(folder, each.beside), **(more if each is system else {})}.items()))
        for name, folder, each in reversed([*_packs(system)])
    }
    return {f"{name}{archives.ENDING}": data for name, data in packs.items()} | {ORDER: msgspec.json.encode(order)}


def _packs(system: System) -> Iterator[tuple[str, Path, System]]:
    """Yield the pack, and the packs that it stands on or takes from and that do not ship, each with its folder."""
    for each in (system, *system.others.values()):
        for folder in (each.folder, *each.below):
            own = each is system and folder == system.folder
            if folder is not None and (own or folder.parent != systems_folder()):
                yield system.head.id if own else folder.name.partition(".")[0], folder, each


@lru_cache(maxsize=16)
def _packed(name: str, files: tuple[tuple[str, bytes], ...]) -> bytes:
    return archive(Parcel(name, dict(files), (), ()))


def install_pack(pdf: Path, system: System) -> str:
    """Put the pack of a PDF among the user's packs, unless it is there or ships, and return the name that it has there.

    Packs below it that are missing are put there too. `system` is what was read. Raises HackjackError.
    """
    names, folder = (*shipped(), *installed()), archives.folder_of(pdf)
    for other in sorted(folder.parent.glob(f"*{archives.ENDING}")):
        if other.stem not in names:
            founding.place(other.stem, _all_files(archives.folder_of(other)))
    files, name = _all_files(folder), system.head.id
    for candidate in filter(re.compile(rf"{name}(_[0-9]+)?").fullmatch, names):
        if _all_files(archives.folder_of(find(candidate)), files) == files | _id_of(files, candidate):
            return candidate
    free = founding.pack_name(name).id if name not in names else free_id(name, names.__contains__)
    founding.place(free, files | _id_of(files, free))
    return free


def _all_files(folder: Path, like: Mapping[str, bytes] = {}) -> dict[str, bytes]:
    """Return the files of a pack by path: all of them, or its content and those that another has."""
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    named = {name: path for name, path in paths.items() if not like or name in like or name.endswith(".yaml")}
    return {name: first_bytes(path, name, archives.MAX_OF_ONE) for name, path in named.items()}


def _id_of(files: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """Return the `system.yaml` with that id."""
    return {HEAD: spliced(files[HEAD].decode(), HEAD, [Put(("id",), name)]).encode()}

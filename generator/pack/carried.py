"""The archive in a PDF: the pack that it was printed from, those below it that do not ship, and its options."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base import archives, zip_files
from generator.base.errors import HackjackError
from generator.base.files import first_bytes
from generator.base.text_input import free_id
from generator.model.rules import System
from generator.pack import founding
from generator.pack.pack_locations import find, installed, shipped, systems_folder
from generator.pack.sharing import pack_files
from generator.pack.splicing import Put, spliced

Word = Annotated[str, Meta(max_length=1000)]
Words = Annotated[dict[Word, Word], Meta(max_length=100)]
HEAD, ORDER = "system.yaml", "order.json"


class CarriedOrder(Struct, frozen=True, omit_defaults=True):
    """The order that a PDF was printed from: the product, options as typed, house rules, and copies of cards."""

    product: Word = ""
    options: Words = {}
    rules: Words = {}
    counts: Annotated[dict[Word, Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=1000)] = {}


def read_order(pack: Path) -> CarriedOrder:
    """Return the order that a PDF was printed from; an empty one for any other pack. Raises HackjackError."""
    if not (archives.is_archive(pack) and pack.suffix.lower() == archives.PDF):
        return CarriedOrder()
    try:
        path = archives.folder_of(pack).parent / ORDER
        return msgspec.json.decode(first_bytes(path, ORDER, zip_files.MAX_OF_ONE), type=CarriedOrder)
    except (msgspec.DecodeError, RecursionError) as error:
        raise HackjackError(f"{pack}: this PDF does not say how it was printed. Print it again.") from error


def packed_source(system: System, order: CarriedOrder, more: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return the archive for a PDF, after its name; `more` are files of the pack that only this order has.

    Raises HackjackError for a pack that would not be read, OSError.
    """
    chosen = {name: value for name, value in system.numbers.items() if system.usual_numbers.get(name) != value}
    order = msgspec.structs.replace(order, rules=dict(system.settings) | chosen)
    files = {f"{system.head.id}/{name}": data for name, data in more.items()} | {ORDER: msgspec.json.encode(order)}
    for name, folder in _packs(system):
        files = {f"{name}/{file}": data for file, data in pack_files(folder, system).items()} | files
    stream = BytesIO()
    zip_files.write_archive(stream, dict(sorted(files.items())), tightly=True)
    zip_files.archive_members(stream)
    return f"{system.head.id}{archives.ENDING}", stream.getvalue()


def _packs(system: System) -> Iterator[tuple[str, Path]]:
    """Yield the name and the folder of the pack, and of those below it, or taken from, that do not ship."""
    for each in (system, *system.others.values()):
        for folder in (each.folder, *each.below):
            own = each is system and folder == system.folder
            if folder is not None and (own or folder.parent != systems_folder()):
                yield system.head.id if own else folder.name.partition(".")[0], folder


def install_pack(pdf: Path, system: System) -> str:
    """Put the packs of a PDF among the user's, unless they are there or ship, and return the name of its own.

    Raises HackjackError.
    """
    names, main = (*shipped(), *installed()), archives.folder_of(pdf)
    for folder in sorted(main.parent.iterdir()):
        if folder.is_dir() and folder != main and folder.name not in names:
            founding.place(founding.pack_name(folder.name).id, pack_files(folder, system))
    files = pack_files(main, system)
    for candidate in filter(re.compile(rf"{main.name}(_[0-9]+)?").fullmatch, names):
        if pack_files(archives.folder_of(find(candidate)), system) == _with_id(files, candidate):
            return candidate
    free = free_id(main.name, names.__contains__) if main.name in names else founding.pack_name(main.name).id
    founding.place(free, _with_id(files, free))
    return free


def _with_id(files: dict[str, bytes], name: str) -> dict[str, bytes]:
    return files | {HEAD: spliced(files[HEAD].decode(), HEAD, [Put(("id",), name)]).encode()}

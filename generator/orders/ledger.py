"""What was printed of a system: kept as plain data, read again, and compared with what would be printed now.

Only what stands on the cards counts. How they are printed (theme, size, paper, inks) does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import HackjackError
from generator.base.files import file_inside, first_bytes
from generator.games.card_products import card_set
from generator.layout.artwork import MAX_BYTES as MAX_PICTURE
from generator.layout.card_elements import CardArt, Emblem, Face, Index, Part, Short, Sketch, title_of
from generator.layout.reading import cards_told, texts_of
from generator.model.rules import System, write_custom
from generator.pack.pack_locations import holder
from generator.products import deck

MAX_BYTES = 20_000_000
VERSION = 1
Said = Annotated[str, Meta(max_length=4000)]


class KeptCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as it was printed: its name, all that it says, its short form, and a checksum of its pictures."""

    name: Said
    says: Annotated[tuple[Said, ...], Meta(max_length=400)]
    short: Said = ""
    pictures: Annotated[str, Meta(max_length=64)] = ""
    copies: Annotated[int, Meta(ge=1, le=100_000)] = 1


Cards = Mapping[str, KeptCard]
"""Cards of one set, by code."""


class Ledger(Struct, frozen=True, forbid_unknown_fields=True):
    """What was printed last of each card of a system, by set and code."""

    version: Annotated[int, Meta(ge=1)]
    system: Annotated[str, Meta(max_length=100)]
    sets: Annotated[dict[Said, Annotated[dict[Said, KeptCard], Meta(max_length=10_000)]], Meta(max_length=500)] = {}


def empty_ledger(system: System) -> Ledger:
    """The ledger of a system that was never printed."""
    return Ledger(VERSION, system.head.id)


def read_ledger(data: bytes, name: str, system: System) -> Ledger:
    """A ledger of that system from the bytes of a file. Raises HackjackError, which calls the file by its name."""
    if len(data) > MAX_BYTES:
        raise HackjackError(f"{name} is too large for a ledger of prints; the limit is {MAX_BYTES / 1e6:.0f} MB")
    try:
        found = msgspec.json.decode(data, type=Ledger)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HackjackError(f"{name} is not a ledger of prints: {str(error)[:200]}") from error
    if found.version > VERSION:
        raise HackjackError(f"{name} was written by a newer version of hackjack: update hackjack to read it")
    if found.system != system.head.id:
        raise HackjackError(f"{name} keeps what was printed of {found.system}, not of {system.head.id}")
    return found


def ledger_bytes(ledger: Ledger) -> bytes:
    """The bytes of a ledger's file."""
    return msgspec.json.format(msgspec.json.encode(ledger), indent=1) + b"\n"


def kept_cards(system: System, faces: Iterable[Face]) -> dict[str, KeptCard]:
    """Faces as they are kept, by code. Raises HackjackError for a picture that cannot be read."""
    counts = Counter(faces)
    told = (next(iter(cards_told(system, [face]))) for face in counts)
    return {
        face.code: KeptCard(
            name=title_of(face),
            says=tuple(text for node in nodes for text in texts_of(node)),
            short=next((part.text for part in face.parts if isinstance(part, Short)), ""),
            pictures=_pictures(system, face.parts),
            copies=copies,
        )
        for (face, copies), nodes in zip(counts.items(), told, strict=True)
    }


def _pictures(system: System, parts: Sequence[Part]) -> str:
    """A checksum of all that is drawn on a face besides its text; empty where that is nothing."""
    drawn: list[object] = []
    art = system.head.art
    suits = {str(suit): path for suit, path in art.suits.items()} if art else {}
    for part in parts:
        match part:
            case CardArt():
                drawn.append(("art", _bytes(system, part.path), part.placed))
            case Emblem():
                # Of an emblem of the pack's own, the name is the path of its file.
                own = _bytes(system, part.name) if "." in part.name else part.name
                drawn.append(("emblem", own, part.rank, part.suit))
            case Sketch():
                drawn.append(("sketch", part.columns, sorted(part.marked)))
            case Index() if part.suit in suits:
                drawn.append(("suit", _bytes(system, suits[part.suit])))
            case _:
                continue
    return sha256(msgspec.json.encode(drawn, enc_hook=write_custom)).hexdigest()[:32] if drawn else ""


def _bytes(system: System, path: str) -> str:
    """A checksum of a picture's file."""
    folder = next((found for each in system.both or (system,) if (found := holder(each, path)) is not None), None)
    return "" if folder is None else sha256(first_bytes(file_inside(folder, path), path, MAX_PICTURE)).hexdigest()


def printed_now(system: System, product: str, only: Sequence[str], jokers: bool) -> dict[str, KeptCard]:
    """The cards of a set that these options print, as they are kept. Raises HackjackError."""
    return kept_cards(system, deck.faces(card_set(system, product), only, jokers))


def with_printed(ledger: Ledger, product: str, cards: Cards, gone: Iterable[str]) -> Ledger:
    """The ledger after these cards were printed, and those that are `gone` have been told."""
    left_out = {*gone}
    before = {code: card for code, card in ledger.sets.get(product, {}).items() if code not in left_out}
    return msgspec.structs.replace(ledger, sets={**ledger.sets, product: {**before, **cards}})


class Change(Struct, frozen=True):
    """What became of a set of cards: how many to print of each, by code, a line for each that changed, and the codes
    of those that are gone."""

    prints: Mapping[str, int]
    lines: tuple[str, ...]
    gone: tuple[str, ...]


def compare_cards(before: Cards, now: Cards, known: Iterable[str]) -> Change:
    """Compare what was printed with what would be; `known` are the codes of all cards that the set has."""
    prints: dict[str, int] = {}
    lines: list[str] = []
    for code, card in now.items():
        old = before.get(code)
        if old == card:
            continue
        if old is None:
            prints[code] = card.copies
            lines.append(f"{_called(code, card)}: new")
            continue
        if msgspec.structs.replace(old, copies=card.copies) != card:
            prints[code] = card.copies
        elif card.copies > old.copies:
            prints[code] = card.copies - old.copies
        lines.append(f"{_called(code, card)}: {'; '.join(_changes(old, card))}")
    still = {*known}
    gone = tuple(code for code in before if code not in still)
    lines += [f"{_called(code, before[code])}: no longer in the set" for code in gone]
    return Change(prints, tuple(lines), gone)


def _called(code: str, card: KeptCard) -> str:
    return code if card.name == code else f"{code}, {card.name}"


def _changes(old: KeptCard, new: KeptCard) -> Iterator[str]:
    """What was and is, as far as it differs."""
    was, now = _besides(old.says, new.says), _besides(new.says, old.says)
    if not was and not now:
        if old.says != new.says:
            yield "its lines are in a different order"
        elif old.short != new.short:
            yield f'in short was "{old.short}", is "{new.short}"'
    elif len(was) == len(now):
        yield from (f'was "{one}", is "{other}"' for one, other in zip(was, now, strict=True))
    elif not now:
        yield f'no longer says "{" ".join(was)}"'
    elif not was:
        yield f'now also says "{" ".join(now)}"'
    else:
        yield f'was "{" ".join(was)}", is "{" ".join(now)}"'
    if old.pictures != new.pictures:
        yield "its picture or emblem has changed"
    if old.copies != new.copies:
        yield f"{new.copies} in the set, {'was' if old.copies == 1 else 'were'} {old.copies}"


def _besides(says: Sequence[str], others: Sequence[str]) -> list[str]:
    """The texts of a card that are not among the others."""
    return [*(Counter(says) - Counter(others)).elements()]

"""Sets of cards to print: the decks, what a kind of procedure has besides, what `cards` asks for, and their signs."""

from collections.abc import Iterator
from typing import NamedTuple, get_args
from zlib import crc32

import msgspec

from generator.base.cards import FULL_DECK, is_joker
from generator.base.errors import NamedError, did_you_mean
from generator.games import content_of, game_of
from generator.layout.card_elements import (
    YIELDS,
    Badge,
    CardEffect,
    CardSet,
    Emblem,
    Face,
    Flavour,
    Home,
    Sketch,
    Title,
)
from generator.model.printed_files import MixedFile, TakenCard
from generator.model.rules import MIXED, BackDesign, System
from generator.model.themes import BackPattern
from generator.words.wording import DAGGER, RECONSTRUCTED, fill_placeholders

PATTERNS: tuple[BackPattern, ...] = get_args(BackPattern)
_COLOURS = (
    *("#5c0e16", "#14284f", "#123f2a", "#40164a", "#5a3a0c", "#2b3440"),
    *("#0b4148", "#7a2e0e", "#2c1f66", "#4a0f33", "#3a3a10"),
)
"""Grounds of backs: dark, so that light lines stand out. As many that they run through all patterns."""


def card_set_names(system: System) -> tuple[str, ...]:
    """Return the sets of cards that a system has, the deck first."""
    own = (*(deck.id for deck in system.decks), *(block.name for block in system.head.cards))
    mixed = (MIXED,) if system.mixed else ()
    return tuple(dict.fromkeys((*(("deck",) if system.deck else ()), *content_of(system).CARD_SETS, *own, *mixed)))


SHARED = "sets"
"""The small sets of a system as one, so that they share sheets."""
_SMALL = len(FULL_DECK)
"""A set with fewer cards than this is small."""


def printed_sets(system: System) -> tuple[str, ...]:
    """Return the sets of cards, and behind them the small ones as one, unless there is but one set."""
    names = card_set_names(system)
    return (*names, SHARED) if SHARED not in names and len({*names} - {MIXED}) > 1 else names


def is_shared(system: System, product: str) -> bool:
    """Tell whether a product is the small sets as one, and no set of that name which the system has itself."""
    return product == SHARED and SHARED not in card_set_names(system)


def card_set(system: System, name: str) -> CardSet:
    """Return a set by name, made once for each system. Raises HackjackError if there is none."""
    # The list may be another's by the next line: a server may look at two systems at once, in threads of their own.
    sets = next((sets for each, sets in _made if each is system), None)
    if sets is None:
        sets = {}
        _made[:] = [(system, sets), *_made[: _MAX_MADE - 1]]
    if name not in sets:
        sets[name] = msgspec.structs.replace(_card_set(system, name), design=back_design(system, name))
    return sets[name]


_made: list[tuple[System, dict[str, CardSet]]] = []
"""The systems asked for last, and their sets."""
_MAX_MADE = 8
"""So many: a mixed set is made of those of several systems."""


def _card_set(system: System, name: str) -> CardSet:
    if name == MIXED and system.mixed:
        return _mixed(system, system.mixed)
    if is_shared(system, name) and name in printed_sets(system):
        return _shared(system)
    if name == "deck" and (system.deck or name not in card_set_names(system)):
        return _deck(system)
    # Only who makes cards needs what fills templates; the names of sets are asked for by every list.
    from generator.games import cards_of

    # What the content says takes the place of what the game has under that name.
    if block := next((block for block in system.head.cards if block.name == name), None):
        return cards_of.cards_of_block(block, system)
    if name in system.piles:
        return cards_of.cards_of_deck(name, system)
    if name not in card_set_names(system):
        raise NamedError(f"{system.head.id} has no {name} to print")
    return game_of(system).card_sets()[name](system)


def back_design(system: System, name: str) -> BackDesign:
    """Return the design of a set's back: as the content says, or one of ours, different for each set."""
    design, names = system.head.backs.get(name, BackDesign()), card_set_names(system)
    # Not a hash of Python's, which is another each time.
    nth = crc32(system.head.id.encode()) + (names.index(name) if name in names else 0)
    return BackDesign(
        pattern=design.pattern or system.theme.back or PATTERNS[nth % len(PATTERNS)],
        colour=design.colour or _COLOURS[nth % len(_COLOURS)],
        title=design.title or system.head.title,
        emblem=design.emblem,
    )


def find_face(code: str, system: System) -> Face | None:
    """Return the face with that code (`CODE` or `SET:CODE`, in any case) among all sets, or None."""
    chosen, _, code = code.casefold().rpartition(":")
    sets = (card_set(system, name) for name in card_set_names(system) if chosen in ("", name))
    return next((face for each in sets for face in each.faces if face.code.casefold() == code), None)


def taken_card(taken: TakenCard, system: System) -> tuple[Home, Face]:
    """Return a card of another system, and where it is from. Raises NamedError if it is not there."""
    name, _, chosen = taken.from_.partition("/")
    other = system.others[name]
    names = [each for each in card_set_names(other) if each != MIXED]
    if chosen not in names:
        raise NamedError(f'{name} has no set of cards "{chosen}"{did_you_mean(chosen, names)}')
    cards = card_set(other, chosen)
    face = next((each for each in cards.faces if each.code.casefold() == taken.card.casefold()), None)
    if face is None:
        hint = did_you_mean(taken.card, [each.code for each in cards.faces])
        raise NamedError(f'{taken.from_} has no card "{taken.card}"{hint}')
    return Home(other, chosen, cards), face


def _on_shared_sheets(code: str, home: Home, face: Face) -> Face:
    """Return a face as sheets of several sets have it: without a picture of its own it bears the sign of its set."""
    sign = home.cards.design.emblem
    bare = not any(isinstance(part, Emblem | Sketch) for part in face.parts)
    parts = (*face.parts, Emblem("", "", sign)) if sign and bare else face.parts
    return msgspec.structs.replace(face, code=code, yields=YIELDS, parts=parts)


def _mixed(system: System, written: MixedFile) -> CardSet:
    """Return cards of other systems as one set. Raises NamedError for one that is not there."""
    faces: dict[str, Face] = {}
    homes: dict[str, Home] = {}
    trails: dict[str, tuple[str | int, ...]] = {}
    copies: dict[str, int] = {}
    for number, taken in enumerate(written.cards):
        home, face = taken_card(taken, system)
        code = f"{home.system.head.id}-{home.name}-{face.code}"
        faces[code] = _on_shared_sheets(code, home, face)
        homes[code], trails[code] = home, ("cards", number)
        copies[code] = copies.get(code, 0) + taken.copies
    return CardSet(written.title, tuple(faces.values()), f"{MIXED}.yaml", trails, copies=copies, homes=homes)


def _shared(system: System) -> CardSet:
    """Return the small sets of a system as one. Raises NamedError if it has only decks."""
    sets = [Home(system, name, card_set(system, name)) for name in card_set_names(system) if name != MIXED]
    small = [home for home in sets if len(home.cards.faces) < _SMALL]
    if not small:
        raise NamedError(f"every set of {system.head.id} fills sheets of its own: print {sets[0].name}")
    homes = {f"{home.name}-{face.code}": (home, face) for home in small for face in home.cards.faces}
    return CardSet(
        f"the small sets of {system.head.id}",
        tuple(_on_shared_sheets(code, home, face) for code, (home, face) in homes.items()),
        spare=frozenset(code for code, (home, face) in homes.items() if face.code in home.cards.spare),
        copies={code: home.cards.copies.get(face.code, 1) for code, (home, face) in homes.items()},
        homes={code: home for code, (home, _) in homes.items()},
    )


def _deck(system: System) -> CardSet:
    if system.deck is None:
        raise NamedError(f"{system.head.id} has no deck to print")
    from generator.games import cards_of

    in_play = game_of(system).deck()
    spare = frozenset(code for code in system.cards if is_joker(code) and code not in in_play)
    return msgspec.structs.replace(cards_of.cards_of_deck("deck", system), spare=spare)


SIGNS = {"score": "disc", "blood": "drop", "trauma": "bone", "permanent": "lock"}
"""The kinds of badges that have a sign, and what that is."""


class CardSign(NamedTuple):
    """A sign of the cards: its badge's kind, a suit or the dagger; its name, where it has one, and what it means."""

    kind: str
    name: str
    says: str


def signs_of(system: System) -> Iterator[CardSign]:
    """Yield suits, then the badges that the content names, then the lock and the dagger."""
    sets = [card_set(system, name) for name in card_set_names(system)]
    yield from (CardSign(suit.id, "", fill_placeholders(suit.means, system)) for suit in system.head.suits)
    kinds = {part.kind for chosen in sets for face in chosen.faces for part in face.parts if isinstance(part, Badge)}
    for kind in SIGNS:
        if kind in kinds and (track := system.head.tracks.get(kind)):
            yield CardSign(kind, track.name, fill_placeholders(track.means, system))
    if "permanent" in kinds:
        yield CardSign("permanent", "For good", "It does not end by itself.")
    if any(map(has_dagger, sets)):
        yield CardSign(DAGGER, "", f"{RECONSTRUCTED.capitalize()}.")


def has_dagger(printed: CardSet) -> bool:
    """Tell whether a dagger stands on any card of a set."""
    return any(DAGGER in _text(part) for face in printed.faces for part in face.parts)


def _text(part: object) -> str:
    match part:
        case Title() | Flavour():
            return part.text
        case CardEffect():
            return f"{part.label}{part.says}{part.until}"
        case _:
            return ""

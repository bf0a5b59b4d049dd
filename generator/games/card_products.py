"""Sets of cards to print: the decks, what a kind of procedure has besides, and what `cards` asks for."""

from __future__ import annotations

from typing import get_args
from zlib import crc32

import msgspec

from generator.base.cards import is_joker
from generator.base.errors import NamedError
from generator.games import content_of, game_of
from generator.layout.card_elements import CardSet, Face
from generator.model.rules import BackDesign, CardsOf, System
from generator.model.themes import BackPattern

PATTERNS: tuple[BackPattern, ...] = get_args(BackPattern)
_COLOURS = (
    *("#5c0e16", "#14284f", "#123f2a", "#40164a", "#5a3a0c", "#2b3440"),
    *("#0b4148", "#7a2e0e", "#2c1f66", "#4a0f33", "#3a3a10"),
)
"""Grounds of backs: dark, so that light lines stand out. As many that they run through all patterns."""


def names_of(system: System) -> tuple[str, ...]:
    """The sets of cards that a system has, the deck first; of two systems on one deck, that alone."""
    if system.both:
        return ("deck",)
    own = (*(deck.id for deck in system.decks), *(block.name for block in system.head.cards))
    return tuple(dict.fromkeys((*(("deck",) if system.deck else ()), *content_of(system).CARD_SETS, *own)))


def card_set(system: System, name: str) -> CardSet:
    """A set by its name, made once for the system that is printed. Raises HackjackError where it has none of that."""
    # The list may be another's by the next line: the preview looks at two systems at once, in threads of their own.
    sets = next((sets for known, sets in _made if known is system), None)
    if sets is None:
        sets = {}
        _made[:] = [(system, sets)]
    if name not in sets:
        sets[name] = msgspec.structs.replace(_card_set(system, name), design=design_of(system, name))
    return sets[name]


_made: list[tuple[System, dict[str, CardSet]]] = []
"""The system asked for last, and its sets."""


def _card_set(system: System, name: str) -> CardSet:
    if system.both:
        return _both(system.both[0], system.both[1], name)
    if name == "deck" and (system.deck or name not in names_of(system)):
        return _deck(system)
    # Only who makes cards needs what fills templates; the names of sets are asked for by every list.
    from generator.games import cards_of

    # What the content says takes the place of what the game has under that name.
    if (block := _block(name, system)) is not None:
        return cards_of.made(block, system)
    if name in system.piles:
        return cards_of.of_deck(name, system)
    if name not in names_of(system):
        raise NamedError(f"{system.head.id} has no {name} to print")
    return game_of(system).card_sets()[name](system)


def design_of(system: System, name: str) -> BackDesign:
    """What the back of a set looks like: as its content says, and else one of ours, another for each set."""
    asked, names = system.head.backs.get(name, BackDesign()), names_of(system)
    # Not a hash of Python's, which is another each time.
    nth = crc32(system.head.id.encode()) + (names.index(name) if name in names else 0)
    return BackDesign(
        pattern=asked.pattern or system.theme.back or PATTERNS[nth % len(PATTERNS)],
        colour=asked.colour or _COLOURS[nth % len(_COLOURS)],
        title=asked.title or system.head.title,
    )


def face_of(code: str, system: System) -> Face | None:
    """The face with that code, in either case, among all sets of a system, or as `SET:CODE`; None where none is."""
    chosen, _, code = code.casefold().rpartition(":")
    sets = (card_set(system, name) for name in names_of(system) if chosen in ("", name))
    return next((face for found in sets for face in found.faces if face.code.casefold() == code), None)


def _block(name: str, system: System) -> CardsOf | None:
    return next((block for block in system.head.cards if block.name == name), None)


def _both(first: System, second: System, name: str) -> CardSet:
    """The decks of two systems on the same cards. Spare is what neither plays with."""
    from generator.games.merged_decks import together

    one, other = card_set(first, name), card_set(second, name)
    faces = together(one.faces, other.faces, (first.head.title, second.head.title))
    played = {face.code for each in (one, other) for face in each.faces if face.code not in each.spare}
    spare = frozenset(face.code for face in faces if face.code not in played)
    return CardSet(f"{one.called} with {other.called}", faces, one.file, one.trails, spare)


def _deck(system: System) -> CardSet:
    if system.deck is None:
        raise NamedError(f"{system.head.id} has no deck to print")
    from generator.games import cards_of

    in_play = game_of(system).deck()
    spare = frozenset(code for code in system.cards if is_joker(code) and code not in in_play)
    return msgspec.structs.replace(cards_of.of_deck("deck", system), spare=spare)

"""What is printed: decks, labels, panels, chips. Products are known here without loading anything that draws."""

import msgspec

from generator.games import card_products, content_of
from generator.layout.targets import WHOLE
from generator.model.blocks import Panel, PanelsFile, Rulings
from generator.model.rules import MIXED, System

TOKENS = "tokens"
"""A product of every system whose tracks are counted with tokens, but for those with cards of that name."""

BOX = "box"
"""A product of every system that has cards: a box for each set of them."""

DECK = "deck"

REFERENCE_CARDS = "reference-cards"
"""A product of every system with a reference: the same as cards for the top of the deck."""

STARTER = "starter"
"""What a table needs for a first evening, in one file."""


def bundles_of(system: System) -> tuple[str, ...]:
    """What stands for several products of a system; a set of cards that has the name comes first."""
    known = products_of(system)
    shared = [name for name in card_products.printed_sets(system) if card_products.is_shared(system, name)]
    return (*shared, *(name for name in (STARTER, WHOLE) if known and name not in known))


def products_of(system: System) -> tuple[str, ...]:
    """The products that a system has the content for."""
    sets, laid_out = card_products.card_set_names(system), list(system.panel_names)
    pages = content_of(system).PAGES
    if "reference" in laid_out:
        laid_out.insert(laid_out.index("reference") + 1, REFERENCE_CARDS)
    if TOKENS not in sets and any(track.tokens for track in system.head.tracks.values()):
        pages += (TOKENS,)
    if sets and BOX not in sets:
        pages += (BOX,)
    return tuple(dict.fromkeys((*sets, *laid_out, *pages)))


def panels_file(system: System, product: str) -> PanelsFile | None:
    """Return the panels of a product; rulings that are shown, and that no panel lists, stand on a screen's last."""
    file = dict(system.panels).get(product)
    if file is None or product != "screen" or not system.shows_rulings:
        return file
    blocks = [block for panel in file.panels for block in panel.blocks if isinstance(block, Rulings)]
    rulings = [ruling.id for ruling in system.head.rulings]
    listed = {ruling for block in blocks for ruling in block.only or rulings}
    missing = tuple(ruling for ruling in rulings if ruling not in listed)
    if not missing:
        return file
    last = Panel(title="What we ruled", columns=3, emblem="lock", blocks=(Rulings(only=missing),))
    return msgspec.structs.replace(file, panels=(*file.panels, last))


def is_starter(system: System, product: str) -> bool:
    """Whether a product is the bundle and no product of that name which the system has itself."""
    return product == STARTER and STARTER in bundles_of(system)


def is_for_sheets(system: System, product: str) -> bool:
    """Whether a product is printed on sheets alone: the bundle, and cards of several sets with several backs."""
    mixed = product == MIXED and system.mixed is not None
    return mixed or is_starter(system, product) or card_products.is_shared(system, product)


def starter_parts(system: System) -> tuple[str, ...]:
    """Return the products in a starter: of the sets of cards the decks, or all where there is none; and no boxes.

    Decks of the pack's own count where the kind of procedure has none.
    """
    sets = card_products.card_set_names(system)
    decks = {DECK} if DECK in sets else {own.id for own in system.decks} or {*sets}
    left_out = ({BOX, REFERENCE_CARDS, *sets} - {*decks, TOKENS}) | {MIXED}
    return tuple(name for name in products_of(system) if name not in left_out)

"""The starter: what a table needs for a first evening, bound into one PDF with a bookmark for each part."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from generator.games import card_products
from generator.layout.sheets import Printed
from generator.model.rules import System
from generator.paper.document import finish_document, open_document
from generator.paper.panel_options import PanelOptions
from generator.products import STARTER, deck, panels, starter_parts
from generator.words.wording import product_line

PLAYERS = 4
"""So many sheets there are."""


def starter_pages(
    system: System, cards: Mapping[str, deck.Options], options: PanelOptions, step: Callable[[], None] = lambda: None
) -> Printed:
    """Return the whole file. `step` follows each product.

    `cards` says how each set of cards is printed, `options` how all else is. Raises HackjackError where a part cannot
    be printed.
    """
    whole = open_document(
        options.paper.width,
        options.paper.height,
        title=f"{system.head.title} {STARTER}",
        subject=product_line(system),
        looks=options,
        duplex=any(chosen.backs == "duplex" and not chosen.grid.folded for chosen in cards.values()),
    )

    for product in starter_parts(system):
        # A set of cards that `--only` names none of is not among them.
        if product in cards:
            deck.sheets(system, replace(cards[product], into=whole), product=product)
        elif product not in card_products.card_set_names(system):
            mine = replace(options, into=whole, fillable=options.fillable and product == "sheet")
            for _ in range(PLAYERS if product == "sheet" else 1):
                panels.panel_pages(system, product, mine)
        step()
    return finish_document(whole)

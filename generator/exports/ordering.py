"""What to click at a print shop: a page to read beside the files that are sent there."""

from __future__ import annotations

from collections.abc import Sequence

from generator.layout.targets import Ordering


def order_page(shop: Ordering, title: str, size: str, cards: int, parcel: str, parts: Sequence[tuple[str, str]]) -> str:
    """Return the text of `ORDER.md`: how to order that many cards, and what each part of the file `parcel` is for.

    `size` is the name of the cards' size, which the shop calls otherwise; a deck has as many cards as the shop sells
    together, or more than one deck is needed.
    """
    quantity = next((each for each in shop.quantities if each >= cards), cards)
    values = {"size": shop.sizes[size], "stock": shop.stock, "cards": cards, "quantity": quantity}
    steps = [f"{number}. {step.format_map(values)}" for number, step in enumerate(shop.steps, 1)]
    most = max(shop.quantities, default=cards)
    too_many = f"{shop.shop} sells at most {most} cards in one deck, and these are {cards}: order them in parts."
    return "\n".join(
        [
            f"# {title} at {shop.shop}",
            "",
            f"{shop.address}, put together on {shop.checked} from what others tell of the shop. We have not ordered",
            "there: where the shop says otherwise, the shop is right.",
            "",
            *([too_many, ""] if cards > most else []),
            *steps,
            "",
            f"## What is in {parcel}",
            "",
            *(f"* `{name}`: {says}" for name, says in parts),
            "",
        ]
    )

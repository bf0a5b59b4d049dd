"""What to click at a print shop: a page to read beside the files that are sent there."""

from __future__ import annotations

from collections.abc import Sequence

from generator.layout.targets import Ordering


def order_page(shop: Ordering, title: str, size: str, cards: int, parcel: str, parts: Sequence[tuple[str, str]]) -> str:
    """Return the text of `ORDER.md`: how to order that many cards, and what each part of the file `parcel` is for.

    `size` is our name for the cards' size. If the shop sells no deck of so many cards, the text says so.
    """
    quantity = next((each for each in shop.quantities if each >= cards), cards)
    values = {"size": shop.sizes[size], "stock": shop.stock, "cards": cards, "quantity": quantity}
    steps = [f"{number}. {step.format_map(values)}" for number, step in enumerate(shop.steps, 1)]
    most = max(shop.quantities, default=cards)
    too_many = f"{shop.shop} sells decks of at most {most} cards, and this set has {cards}. Order it in parts."
    return "\n".join(
        [
            f"# {title} at {shop.shop}",
            "",
            f"Order at {shop.address}. We collected these steps on {shop.checked} from what others report, and have",
            "not ordered there ourselves. If the shop's own instructions differ, follow the shop.",
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

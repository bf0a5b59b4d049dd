"""Editions to read, filled into the Jinja templates of `templates/editions/`: HTML, Markdown, orders at print shops."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.base.files import data_root
from generator.base.sentences import one_line
from generator.layout.panel_elements import merged_cells
from generator.layout.reading import Head, Node, SpokenTable, SpokenText
from generator.layout.targets import Ordering
from generator.paper.art import emblem_path

_SIGNS = re.compile(r"([\\`*_\[\]|~#!{}])")
_OPENING = re.compile(r"^(\d{1,9})([.)])|^([-+=])")


def html_page(text: SpokenText) -> str:
    """Return a text as an HTML file that needs no other file: its pictures are in it."""
    chapters = [node.text for node in text.nodes if isinstance(node, Head) and node.level == 2]
    anchors = heading_anchors(chapters)
    waiting = iter(anchors)
    nodes = [
        (node, type(node).__name__, next(waiting) if isinstance(node, Head) and node.level == 2 else "")
        for node in text.nodes
    ]
    return _filled("page.html", text=text, nodes=nodes, chapters=[*zip(chapters, anchors, strict=True)])


def html_fragment(nodes: Iterable[Node]) -> str:
    """Return text as the inside of a page of somebody else's."""
    return _filled("fragment.html", nodes=[(node, type(node).__name__) for node in nodes]).removesuffix("\n")


def markdown_page(text: SpokenText) -> str:
    """Return a text as a Markdown file. A table says its caption unless the heading above it does."""
    nodes = []
    heading = ""
    for node in text.nodes:
        heading = node.text if isinstance(node, Head) else heading
        captioned = isinstance(node, SpokenTable) and node.caption != heading
        nodes.append((node, type(node).__name__, captioned))
    return _filled("page.md", text=text, nodes=nodes)


def order_page(shop: Ordering, title: str, size: str, cards: int, parcel: str, parts: Sequence[tuple[str, str]]) -> str:
    """Return the text of `ORDER.md`: how to order that many cards, and what each part of the file `parcel` is for.

    `size` is our name for the cards' size. If the shop sells no deck of so many cards, the text says so.
    """
    quantity = next((each for each in shop.quantities if each >= cards), cards)
    values = {"size": shop.sizes[size], "stock": shop.stock, "cards": cards, "quantity": quantity}
    steps = [step.format_map(values) for step in shop.steps]
    maximum = max(shop.quantities, default=cards)
    return _filled(
        "order.md", shop=shop, title=title, cards=cards, parcel=parcel, parts=parts, steps=steps, maximum=maximum
    )


def heading_anchors(texts: list[str]) -> list[str]:
    """Return a unique anchor for each heading: its number, and plain letters and digits of it."""
    return [f"{number}-{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')}" for number, text in enumerate(texts, 1)]


def escaped_markdown(text: str) -> str:
    """Return text that no reader of Markdown takes for markup or HTML, on one line."""
    plain = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SIGNS.sub(r"\\\1", plain)


def escaped_opening(text: str) -> str:
    """Escape text at the beginning of a block, where `1.`, `-` and `+` would begin a list."""
    return _OPENING.sub(lambda match: f"\\{match[3]}" if match[3] else f"{match[1]}\\{match[2]}", text)


@cache
def editions() -> Environment:
    """Return the Jinja environment of the editions; texts in HTML are escaped unless a template says otherwise."""
    environment = Environment(
        loader=FileSystemLoader(data_root() / "templates" / "editions"),
        autoescape=lambda name: bool(name) and str(name).endswith(".html"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        plain=one_line, emblem=emblem_path, merged=merged_cells, marked=escaped_markdown, opening=escaped_opening
    )
    return environment


def _filled(name: str, **values: Any) -> str:
    return editions().get_template(name).render(values)

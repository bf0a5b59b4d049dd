"""Tagged PDF: what a screen reader hears of a page is what the HTML edition says."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from helpers import once_a_run, options
from tagged import Element, tree
from test_reading import ALL, read, system_of

from generator.exports.html import html
from generator.games.card_products import names_of
from generator.layout import sheets
from generator.layout.reading import BLANK
from generator.paper.panel_options import PanelOptions
from generator.products import deck, panels

A4 = sheets.papers()["a4"]


def printed(name: str, product: str) -> bytes:
    """A product of a system as it is printed at home, forms to be filled in."""
    system = system_of(name)

    def make() -> bytes:
        if product in names_of(system):
            return bytes(deck.sheets(system, options(jokers=True, compressed=False), product=product))
        return bytes(panels.pages(system, product, PanelOptions(A4, fillable=product == "sheet", compressed=False)))

    return once_a_run(make, "tagged", name, product)


class Main(HTMLParser):
    """What the body of an HTML file says, but for its header and its contents."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._inside = self._inside or tag == "main"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.said.append(data)


ON_SCREEN_ALONE = (
    r"\d+ of this card are in the deck\.",
    r"† reconstructed: no source gives it\.",
    r"Card\s+Wound\s+Figures\s+What it does",
    r"\b\d+ boxes\.",
    r"\(ticked\)|\bnot ticked\b",
    BLANK,
)
"""What paper shows by copies, by the margin, by the look of a row, or by a field."""


UNHEARD = re.compile(r"[\s.,:;()\[\]\u2013\u2019'-]")


def heard(text: str) -> str:
    """The words of a text, without what stands between them."""
    return UNHEARD.sub("", text.casefold())


def of_copies(document: Element) -> str:
    """What a document says, of several copies of a card one after the other only one."""
    cards: list[str] = []
    for kid in document.kids:
        assert isinstance(kid, Element)
        if kid.tag == "H2" or not cards:
            cards.append("")
        cards[-1] += f" {kid.said}"
    return " ".join(card for at, card in enumerate(cards) if not at or card != cards[at - 1])


@pytest.mark.parametrize(("name", "product"), ALL)
def test_a_pdf_says_what_the_html_edition_says(name: str, product: str) -> None:
    told = " ".join(Main(html(read(name, product))).said)
    for pattern in ON_SCREEN_ALONE:
        told = re.sub(pattern, "", told)
    found = tree(printed(name, product))
    said = of_copies(found) if product in names_of(system_of(name)) else found.said
    for picture in re.findall(r"The picture marks[^.]*\.", told):
        # A card that is full of words has no room for its picture.
        told = told if picture in said else told.replace(picture, "")
    assert heard(said) == heard(told)

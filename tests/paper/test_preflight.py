"""Preflight: what we print is as its target wants it, and each fault on a page would be found."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pdf_contents
import pikepdf
import preflight
import pytest
from helpers import MM, hackjack
from pdf_contents import Box, Image, PageSeen, Text
from preflight import OUR_DEMANDS, Demands

from generator.layout import sheets
from generator.layout.sheets import Printed
from generator.layout.targets import targets_by_name
from generator.orders.build import build_order
from generator.orders.order import order_of
from generator.paper import card_setting
from generator.products import labels

POKER = sheets.card_sizes()["poker"]
A4 = sheets.paper_sizes()["a4"]
SHOP = preflight.demands_of("drivethru", targets_by_name()["drivethru"], POKER, A4)
HOME = preflight.demands_of("home", targets_by_name()["home"], POKER, A4)
LEFT, FOOT = HOME.cards[4][:2]


def text(letters: str, x: float, y: float, size: float = 9, embedded: bool = True) -> Text:
    """A text 10 mm wide, its lower left corner at (x, y) mm."""
    return Text("SourceSansPro", embedded, size, (x, y, x + 10, y + size / MM), lambda: letters)


def page(*texts: Text, width: float = 210, height: float = 297, **more: Any) -> PageSeen:
    """A page with a line in its middle and these texts."""
    middle = text("a line of text", 0.4 * width, height / 2)
    return PageSeen(1, width, height, more.pop("trim", None), more.pop("bleed", None), (middle, *texts), **more)


def card_page(*texts: Text, bleed: float = 3.175, cut: tuple[float, float] = (63.5, 88.9), **more: Any) -> PageSeen:
    """A card for a print shop, with its boxes."""
    wide, high = 63.5 + 2 * bleed, 88.9 + 2 * bleed
    trim: Box = (bleed, bleed, bleed + cut[0], bleed + cut[1])
    return page(*texts, width=wide, height=high, trim=trim, bleed=(0, 0, wide, high), **more)


def coarse(pixels: int) -> PageSeen:
    dpi = pixels / 50 * 25.4
    return page(images=(Image((pixels, pixels), dpi, (70, 70, 120, 120)),))


FAULTS: list[tuple[PageSeen, Demands, list[str]]] = [
    (page(), Demands(), []),
    (card_page(), SHOP, []),
    (page(), Demands(page=A4), []),
    (page(width=297, height=210), Demands(page=A4), []),
    (page(text("inside", LEFT + 3.1, FOOT + 20)), HOME, []),
    (coarse(600), Demands(), []),
    (
        page(text("loose", 50, 50, embedded=False)),
        Demands(),
        ["fonts: page 1: SourceSansPro is not embedded: each printer puts in its own"],
    ),
    (
        page(text("tiny words", 60, 60, 4)),
        Demands(),
        ['type: page 1: "tiny words" is set in 4 pt: 5 pt is the smallest'],
    ),
    (
        page(text("smallish", 60, 60, 6)),
        Demands(),
        ['type: warning: page 1: "smallish" is set in 6 pt: under 6.5 pt is hard to read'],
    ),
    (
        page(text("smallish", 60, 60, 6)),
        OUR_DEMANDS,
        ['type: page 1: "smallish" is set in 6 pt: 6.5 pt is the smallest'],
    ),
    (
        page(text("edge", 2, 100)),
        Demands(),
        ['safe: page 1: "edge" stands 2.0 mm from the edge of the page: printers leave 5 mm white'],
    ),
    (
        page(text("long", 205, 100)),
        Demands(),
        ['safe: page 1: "long" stands over the edge of the page: printers leave 5 mm white'],
    ),
    (
        page(text("close", LEFT + 1, FOOT + 20)),
        HOME,
        ['safe: page 1: "close" stands 1.0 mm inside the cut: 3 mm is the safe line'],
    ),
    (
        page(text("across", LEFT - 2, FOOT + 20)),
        HOME,
        ['safe: page 1: "across" stands 8.0 mm over the cut: 3 mm is the safe line'],
    ),
    (
        card_page(text("close", 6.2, 30)),
        SHOP,
        ['safe: page 1: "close" stands 3.0 mm inside the cut: 3.2 mm is the safe line'],
    ),
    (card_page(cut=(60, 88.9)), SHOP, ["boxes: page 1: the TrimBox is 60 x 88.9 mm, not 63.5 x 88.9 mm"]),
    (page(width=69.85, height=95.25), SHOP, ["boxes: page 1: the TrimBox is missing: a card is cut to 63.5 x 88.9 mm"]),
    (
        card_page(bleed=2),
        SHOP,
        [
            "boxes: page 1: the page is 67.5 x 92.9 mm, not 69.85 x 95.25 mm",
            "boxes: page 1: 2.00 mm of bleed stand around the card, and 3.175 mm are wanted",
        ],
    ),
    (
        page(width=70, height=100, trim=(-10, 0, 100, 100), bleed=(0, 0, 60, 90)),
        Demands(edge=0, safe=0),
        [
            "boxes: page 1: the TrimBox reaches over the edge of the page",
            "boxes: page 1: the TrimBox reaches over the BleedBox",
        ],
    ),
    (
        page(width=215.9, height=279.4),
        Demands(page=A4),
        ["boxes: page 1: the page is 215.9 x 279.4 mm, not 210 x 297 mm"],
    ),
    (
        coarse(560),
        Demands(),
        ["images: warning: page 1: an image of 560 x 560 pixels on 50.0 x 50.0 mm has 284 dpi: 300 are wanted"],
    ),
    (
        coarse(250),
        Demands(),
        ["images: page 1: an image of 250 x 250 pixels on 50.0 x 50.0 mm has 127 dpi: 300 are wanted"],
    ),
    (
        page(transparent=True),
        Demands(),
        ["transparency: note: page 1: the page holds transparent objects: a print shop may refuse it"],
    ),
    (
        card_page(annotations=("link", "form field", "form field")),
        SHOP,
        ["annotations: page 1: the page holds 2 form fields and 1 link: drivethru takes none"],
    ),
]


@pytest.mark.parametrize(("seen", "demands", "findings"), FAULTS)
def test_each_fault_is_found_with_its_page_and_measure(seen: PageSeen, demands: Demands, findings: list[str]) -> None:
    assert [f"{one.check}: {one}" for one in preflight.print_findings((seen,), demands)] == findings


@pytest.mark.parametrize("target", ["home", "single", "l7160", "business", "fold", "drivethru"])
def test_each_target_gets_what_it_demands(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nudged = {"nudge": "1,-2"} if target == "l7160" else {}
    order = order_of({"only": ("QS", "6H", "RJ"), "target": target, **nudged}, hackjack(), "deck")
    assert preflight.order_findings(order, monkeypatch) == []


@pytest.mark.parametrize("target", ["home", "single", "mpc", "tts", "png", "l7651", "drivethru"])
def test_text_too_near_to_the_cut_is_found_whatever_the_target(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_setting, "SAFE", 1.0 * MM)
    if target == "l7651":
        real = labels.label_sheets
        monkeypatch.setattr(labels, "label_sheets", lambda system, chosen, _, *rest: real(system, chosen, 0.1, *rest))
    found = preflight.order_findings(order_of({"only": ("QS",), "target": target}, hackjack(), "deck"), monkeypatch)
    assert found and all(" is the safe line" in fault for fault in found)


@pytest.mark.parametrize("product", ["screen", "sheet", "reference"])
def test_a_printed_file_has_the_pages_that_it_says(product: str) -> None:
    (file,) = build_order(order_of({}, hackjack(), product)).files
    with pikepdf.open(BytesIO(file.data)) as pdf:
        assert (pdf.check_pdf_syntax(), len(pdf.pages)) == ([], file.pages)
    assert isinstance(file.data, Printed)
    sizes = [(page.width, page.height) for page in pdf_contents.pages(file.data)]
    assert sizes == [pytest.approx((page.width, page.height), abs=0.01) for page in file.data.pages]

"""Preflight: what the pen noted is what stands in the file, and each fault on a page is found in its notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pdf_contents
import pikepdf
import pytest
from helpers import MM, ROOT, run

from generator.layout import sheets
from generator.layout.printed import Box, Image, PageSeen, Printed, Text
from generator.layout.targets import targets_by_name
from generator.orders import making, preflight
from generator.orders.preflight import OUR_DEMANDS, Demands
from generator.paper import back

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
    (
        page(width=69.85, height=95.25),
        SHOP,
        ["boxes: page 1: the TrimBox is missing: a card is cut to 63.5 x 88.9 mm"],
    ),
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
        [
            "images: warning: page 1: an image of 560 x 560 pixels on 50.0 x 50.0 mm has 284 dpi: 300 are wanted",
        ],
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
    printed = Printed(b"")
    printed.pages = (seen,)
    assert [f"{one.check}: {one}" for one in preflight.print_findings(printed, demands)] == findings


def fits(noted: Text, read: Text) -> bool:
    """Whether a note of the pen is what a reader of the file finds. Readers count a blank at the beginning as ink."""
    off = sorted(abs(ours - theirs) for ours, theirs in zip(noted.box, read.box, strict=True))
    alike = (noted.font, noted.embedded) == (read.font, read.embedded) and abs(noted.size - read.size) < 0.05
    return alike and off[2 if noted.says().startswith(" ") else 3] < 0.05


@pytest.mark.parametrize(
    "target", ["home", "single", "l7160", "business", "fold", "drivethru", "screen", "sheet", "reference"]
)
def test_what_the_pen_notes_is_what_stands_in_the_file(
    target: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What we print is judged by the notes of our pen, without being read again: here both are compared.

    The title on the backs is left out, as is all that stands in forms. qpdf reads the same file without a warning.
    """
    monkeypatch.setattr(back, "_on_arc", lambda *_: None)
    made: list[Printed] = []
    real = preflight.check_print

    def check_print(data: Printed, *rest: Any) -> Any:
        made.append(data)
        return real(data, *rest)

    monkeypatch.setattr(making, "check_print", check_print)
    panel = target in ("screen", "sheet", "reference")
    product = (target,) if panel else ("deck", "--only", "QS,6H,RJ", "--target", target)
    nudged = ("--nudge", "1,-2") if target == "l7160" else ()
    assert run("print", "hackjack", *product, *nudged, "-o", tmp_path).code == 0
    pages = made[0].pages
    for read, noted in zip(pdf_contents.pages(made[0]), pages, strict=True):
        assert (read.width, read.height) == pytest.approx((noted.width, noted.height), abs=0.01)
        assert (read.trim, read.bleed) == (
            noted.trim and pytest.approx(noted.trim, abs=0.01),
            noted.bleed and pytest.approx(noted.bleed, abs=0.01),
        )
        assert all(fits(note, letters) for note, letters in zip(noted.texts, read.texts, strict=True))
    assert sum(len(page.texts) for page in pages) > 10
    with pikepdf.open(next(tmp_path.rglob("*.pdf"))) as file:
        assert file.check_pdf_syntax() == []


def test_print_hands_over_no_faulty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.paper import card as paper_card

    monkeypatch.setattr(paper_card, "SAFE", 1 * MM)
    done = run("print", "hackjack", "deck", "--only", "QS", "-o", tmp_path)
    assert done.code == 1
    assert len(done.faults) == 1
    assert done.err.startswith("hackjack-deck.pdf would be faulty and was not written: page 1: ")
    assert "3 mm is the safe line" in done.err
    assert list(tmp_path.iterdir()) == []


def test_the_document_of_preflight_is_there() -> None:
    assert (ROOT / "docs" / "preflight.md").is_file()

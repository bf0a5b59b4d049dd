"""Every target, printed and read back: sizes, places, boxes, inks, the order of pages, and what is refused."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import combinations, cycle, pairwise
from pathlib import Path

import pikepdf
import pytest
from helpers import (
    MM,
    ROOT,
    chars,
    few_quick,
    form_places,
    hackjack,
    lines_of,
    operations,
    options,
    pictures,
    print_files,
    reader,
    root_of,
    run,
    squeezed,
    text_in,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from generator.base.cards import ALL_CODES, FULL_DECK
from generator.base.errors import HackjackError
from generator.games import card_products as cardsets
from generator.layout import sheets
from generator.layout.card_elements import (
    Badge,
    CardEffect,
    CardSet,
    CardTrack,
    Emblem,
    Face,
    Flavour,
    Index,
    Part,
    Rule,
    Short,
    Title,
    short_form,
)
from generator.layout.targets import TabletopTarget, layout_of, targets_by_name
from generator.orders import png, tabletop
from generator.orders.options import Choices
from generator.orders.order import chosen_products
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper import card as paper_card
from generator.paper import ink
from generator.paper.card_body import OverfullError
from generator.products import deck, labels
from generator.words.effects import card_telegraph

PROMISED = {
    *("home", "home-bleed", "fold", "single", "business", "l7651", "l7160", "l7164", "5160", "5163", "5167"),
    *("silhouette", "full-label", "mpc", "tgc", "drivethru", "tts", "png"),
    *("csv", "json", "roll20", "foundry", "pcio"),
}
# What is written for cutting machines besides their PDFs is looked at in test_cutting.py.
PDFS = sorted(PROMISED - {"silhouette", "mpc", "tgc", "tts", "png", "csv", "json", "roll20", "foundry", "pcio"})

# As the makers and the label databases give them, mm: paper, label, columns and rows, pitch, left and top.
LABELS = {
    "l7651": ("a4", (38.10, 21.17), (5, 13), (40.64, 21.17), (4.67, 10.90)),
    "l7160": ("a4", (63.50, 38.10), (3, 7), (66.04, 38.10), (7.20, 15.15)),
    "l7164": ("a4", (63.50, 71.97), (3, 4), (66.04, 71.97), (7.21, 4.57)),
    "5160": ("letter", (66.68, 25.40), (3, 10), (69.85, 25.40), (4.78, 12.70)),
    "5167": ("letter", (44.45, 12.70), (4, 20), (52.40, 12.70), (7.14, 12.70)),
    "5163": ("letter", (101.60, 50.80), (2, 5), (106.36, 50.80), (3.96, 12.70)),
}
STOCK = {
    "a4": ((85.0, 54.0), (2, 4), (91.0, 60.0), (17.0, 31.5)),
    "letter": ((88.9, 50.8), (2, 5), (88.9, 50.8), (19.05, 12.7)),
}
# What the shops' portals check, pixels at 300 dpi.
PIXELS = {
    ("mpc", "poker"): (822, 1122),
    ("mpc", "bridge"): (747, 1122),
    ("mpc", "tarot"): (897, 1497),
    ("mpc", "business"): (672, 1122),
    ("mpc", "domino"): (597, 1122),
    ("tgc", "poker"): (825, 1125),
    ("tgc", "bridge"): (750, 1125),
    ("tgc", "tarot"): (900, 1500),
    ("tgc", "business"): (675, 1125),
    ("tgc", "domino"): (600, 1125),
    ("tgc", "jumbo"): (1125, 1725),
    ("tgc", "us-game"): (750, 1125),
    ("tgc", "euro-poker"): (825, 1125),
}


FEW = ("QS", "10H", "8H", "RJ")
"""A long text, a rank of two figures, a card without a sentence, and a joker. Their type is that of the whole deck."""


COMMON = {("mpc", "poker"), ("tgc", "poker")}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deck for every target that makes a PDF: whole where it takes one way or the other, and else a few cards."""
    folder = tmp_path_factory.mktemp("printed")
    for target in PDFS:
        only = () if target in WHOLE else ("--only", ",".join(FEW))
        done = run("print", "hackjack", "deck", "--target", target, *only, "-o", folder)
        ending = "" if target == "home" else f"-{target}"
        assert (done.code, done.out.splitlines()[0], done.err) == (0, f"{folder / f'hackjack-deck{ending}.pdf'}", "")
        assert len(done.out.splitlines()) == (3 if target == "drivethru" else 1)
    return folder


WHOLE = {"home", "single", "drivethru", *LABELS}


def pdf_of(folder: Path, target: str) -> bytes:
    return (folder / ("hackjack-deck.pdf" if target == "home" else f"hackjack-deck-{target}.pdf")).read_bytes()


def printed_with(*arguments: str) -> bytes:
    """The one PDF that a command makes."""
    (pdf,) = (data for name, data in print_files(*arguments).items() if name.endswith(".pdf"))
    return pdf


# --- what there is -------------------------------------------------------------------------------------------------


def test_every_promised_target_is_there_with_its_source() -> None:
    listed = json.loads(run("list", "targets", "--json").out)["targets"]
    assert {target["id"] for target in listed} == PROMISED
    for target in listed:
        assert target["says"]
        assert target["source"]
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", target["checked"])
    lines = run("list", "targets").out.splitlines()
    assert [line.split()[0] for line in lines] == [target["id"] for target in listed]


def test_every_card_size_has_its_source() -> None:
    assert {"poker", "poker-63", "bridge", "tarot", "mini", "jumbo", "business", "index"} <= set(sheets.card_sizes())
    for size in sheets.card_sizes().values():
        assert size.source
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", size.checked)


@pytest.mark.parametrize("target", PDFS)
def test_qpdf_finds_no_fault_and_every_font_is_embedded(target: str, printed: Path) -> None:
    with pikepdf.open(io.BytesIO(pdf_of(printed, target))) as pdf:
        assert pdf.check_pdf_syntax() == []
        every = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary)]
        fonts = [each for each in every if each.get("/Type") == "/Font" and "/DescendantFonts" not in each]
        assert fonts
        for font in fonts:
            assert "/FontFile2" in font.FontDescriptor, f"{font.BaseFont} is not embedded"


@pytest.mark.parametrize("target", PDFS)
def test_every_card_is_on_it(target: str, printed: Path) -> None:
    pdf = pdf_of(printed, target)
    said = squeezed("".join(text_in(pdf, page, 0, 0, 400, 400) for page in range(len(reader(pdf).pages))))
    for code in FULL_DECK if target in WHOLE else FEW:
        assert squeezed(hackjack().cards[code].name) in said


# --- labels ----------------------------------------------------------------------------------------------------------


def outlines(pdf: bytes, page: int) -> list[tuple[float, float, float, float]]:
    """The rectangles that a page draws, mm, without the box of the words."""
    found = [
        tuple(float(part) / MM for part in operands) for operands, operator in operations(pdf, page) if operator == "re"
    ]
    return [(x, y, wide, high) for x, y, wide, high in found][:-1]


@pytest.mark.parametrize("target", LABELS)
def test_labels_lie_where_the_sheet_has_them(target: str) -> None:
    paper, (wide, high), (columns, rows), (right, down), (left, top) = LABELS[target]
    pdf = printed_with("calibration", "--target", target)
    size = sheets.paper_sizes()[paper]
    page = reader(pdf).pages[0].mediabox
    assert (float(page.width) / MM, float(page.height) / MM) == (
        *(pytest.approx(size.width, abs=0.01), pytest.approx(size.height, abs=0.01)),
    )
    expected = [
        (left + column * right, size.height - top - high - row * down, wide, high)
        for row in range(rows)
        for column in range(columns)
    ]
    found = outlines(pdf, 0)
    assert len(found) == columns * rows
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=0.1)


def boxes(target: str, paper: str = "a4") -> list[tuple[float, float, float, float]]:
    """Left, foot, right, top of each label, mm, from the tables above."""
    paper, (wide, high), (columns, rows), (right, down), (left, top) = LABELS[target]
    height = sheets.paper_sizes()[paper].height
    corners = [
        (left + column * right, height - top - high - row * down) for row in range(rows) for column in range(columns)
    ]
    return [(x, y, x + wide, y + high) for x, y in corners]


@pytest.mark.parametrize("target", few_quick(2, ["5163", "l7160", *sorted(LABELS.keys() - {"5163", "l7160"})]))
def test_each_sticker_stands_on_its_label(target: str, printed: Path) -> None:
    pdf, places = pdf_of(printed, target), boxes(target)
    faces = {face.code: face for face in cardsets.card_set(hackjack(), "deck").faces}
    for number, code in enumerate(FULL_DECK):
        page, place = divmod(number, len(places))
        left, foot, right, top = places[place]
        said = squeezed(text_in(pdf, page, left + 1, foot + 1, right - 1, top - 1))
        card = hackjack().cards[code]
        assert squeezed(card.name) in said
        assert squeezed(card_telegraph(card, hackjack())) in said
        assert squeezed(short_form(faces[code])) in said
        for number_shown in (card.blood and card.blood.spoken, card.trauma, hackjack().score_of(card)):
            assert not number_shown or str(number_shown) in said
    least = 6.0
    for page in range(len(reader(pdf).pages)):
        for char in chars(pdf, page):
            assert char.size >= least - 0.01
            near = [
                box for box in places if box[0] < char.right and char.left < box[2] and box[1] < char.top < box[3] + 3
            ]
            assert all(box[0] + 1 < char.left and char.right < box[2] - 1 for box in near[:1] if char.top < box[3])


def test_stickers_take_the_type_that_their_label_has_room_for(printed: Path) -> None:
    def sizes(target: str) -> set[float]:
        pdf = pdf_of(printed, target)
        pages = range(len(reader(pdf).pages))
        return {round(char.size, 2) for page in pages for char in chars(pdf, page) if char.size >= 9}

    assert min(sizes("5163")) > 16 and min(sizes("l7164")) > 12
    assert max(sizes("l7160")) >= 1.4 * min(sizes("l7160")), "a short wound is larger than the longest"


def test_a_whole_deck_is_one_sheet_of_l7651(printed: Path) -> None:
    assert len(reader(pdf_of(printed, "l7651")).pages) == 1
    assert len(FULL_DECK) < 65


def test_no_sticker_repeats_its_badges(printed: Path) -> None:
    """8H is Blood and Trauma alone: its sticker has no sentence."""
    left, foot, right, top = boxes("l7651")[FULL_DECK.index("8H")]
    said = text_in(pdf_of(printed, "l7651"), 0, left, foot, right, top)
    assert said.split() == ["8", "Burst", "within", "8", "2", "3"]


def test_rings_that_say_what_the_words_say_are_left_out(tmp_path: Path) -> None:
    """Four figures in a row mean little: the words name them, and the side shows in the colour of the name."""
    people = (ROOT / "content" / "fiftytwo" / "combatants.yaml").read_text("utf-8")
    own = tmp_path / "people.yaml"
    own.write_text(people.replace("example: true", "example: false"), encoding="utf-8")
    pdf = printed_with("fiftytwo", "initiative", "--combatants", str(own), "--target", "l7651")
    left, foot, right, top = boxes("l7651")[0]
    assert " ".join(text_in(pdf, 0, left, foot, right, top).split()) == "Alan d20 +7, 19 points, defence 3, HP 158"
    shown = pictures(pdf, 254)[0]
    left, foot, right, top = (round(edge * 10) for edge in boxes("l7651")[5])
    evans = shown.crop((left, shown.height - top, right, shown.height - foot))
    assert any(red > 150 and green < 40 for _, (red, green, _) in evans.getcolors(1 << 20) or ())  # type: ignore[misc]


@pytest.mark.parametrize("start", [14, 64])
def test_a_used_sheet_is_begun_at_the_label_asked_for(start: int) -> None:
    few = FULL_DECK[::15]
    pdf = printed_with("hackjack", "deck", "--target", "l7651", "--start", str(start), "--only", ",".join(few))
    places = boxes("l7651")
    full = start - 1 + len(few) > 65
    assert len(reader(pdf).pages) == (2 if full else 1)
    for number, code in enumerate(few):
        page, place = divmod(start - 1 + number, 65)
        assert hackjack().cards[code].name in text_in(pdf, page, *places[place])
    for place in range(start - 1):
        assert text_in(pdf, 0, *places[place]) == ""


def test_a_nudge_moves_all_stickers() -> None:
    call = ("hackjack", "deck", "--target", "l7651", "--only", "QS,8H")
    still, moved = printed_with(*call), printed_with(*call, "--nudge", "0.5,-1.25")
    for one, other in zip(chars(still, 0), chars(moved, 0), strict=True):
        assert one.text == other.text
        assert (one.x + 0.5, one.y - 1.25) == pytest.approx((other.x, other.y), abs=0.01)
    calibration = printed_with("calibration", "--target", "l7651", "--nudge", "0.5,-1.25")
    assert outlines(calibration, 0)[0][:2] == pytest.approx((4.67 + 0.5, 297 - 10.9 - 21.17 - 1.25), abs=0.01)


def test_a_label_of_ones_own_with_lines_to_cut_along() -> None:
    pdf = printed_with("hackjack", "deck", "--target", "full-label", "--paper", "letter", "--card", "50x25")
    left, foot = (215.9 - 4 * 50) / 2, (279.4 - 10 * 25) / 2
    upright = {round(x1, 2) for x1, y1, x2, y2 in lines_of(pdf, 0) if x1 == x2 and abs(y2 - y1) > 200}
    level = {round(y1, 2) for x1, y1, x2, y2 in lines_of(pdf, 0) if y1 == y2 and abs(x2 - x1) > 150}
    assert upright == {round(left + 50 * at, 2) for at in range(5)}
    assert level == {round(foot + 25 * at, 2) for at in range(11)}
    assert "Winded" in text_in(pdf, 0, left, foot + 225, left + 50, foot + 250)


# --- print again -----------------------------------------------------------------------------------------------------


def names_on(pdf: bytes, page: int, layout: sheets.Grid) -> list[str]:
    """The name of the card on each place of a sheet, in the order of the places; empty where none is."""
    found = []
    for place in layout.places:
        said = text_in(pdf, page, place.x, place.y, place.x + layout.cell.width, place.y + layout.cell.height)
        found.append(next((card.name for card in hackjack().cards.values() if card.name in " ".join(said.split())), ""))
    return found


QUEEN, KING = (hackjack().cards[code].name for code in ("QS", "KH"))


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("--only QS", [QUEEN]),
        ("--only QS --copies 9", [QUEEN] * 9),
        ("--only QS,KH --copies 2", [QUEEN, KING] * 2),
        ("--only QS --fill", [QUEEN] * 9),
        ("--only KH,QS --start 5 --fill", [""] * 4 + [QUEEN, KING] * 2 + [QUEEN]),
        ("--only QS --start 9", [""] * 8 + [QUEEN]),
    ],
)
def test_a_few_cards_are_printed_again(wish: str, expected: list[str]) -> None:
    layout = sheets.packed_grid(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"])
    pdf = printed_with("hackjack", "deck", *wish.split())
    assert len(reader(pdf).pages) == 2
    assert names_on(pdf, 0, layout) == expected + [""] * (9 - len(expected))
    shown = [(layout.backs[at].x, layout.backs[at].y) for at, name in enumerate(expected) if name]
    assert form_places(pdf, 1) == [pytest.approx(place, abs=0.01) for place in shown]


@pytest.mark.parametrize("target", ["home", "home-bleed", "fold", "business", "full-label"])
def test_nothing_is_drawn_where_places_stay_empty(target: str) -> None:
    """Two cards on the second and third place: beyond their ticks all others are white."""
    pdf = printed_with("hackjack", "deck", "--only", "QS,KH", "--start", "2", "--target", target, "--marks", "cut")
    card = sheets.Size(38.1, 21.2) if target == "full-label" else sheets.card_sizes()["poker"]
    layout = layout_of(targets_by_name()[target], sheets.paper_sizes()["a4"], card)
    assert layout is not None
    shown, inside = pictures(pdf, 127)[0].convert("L"), 4.2 + layout.bleed
    for at, place in enumerate(layout.places):
        left, foot = place.x + inside, place.y + inside
        right, top = place.x + layout.cell.width - inside, place.y + layout.cell.height - inside
        edges = left, layout.paper.height - top, right, layout.paper.height - foot
        x1, y1, x2, y2 = (round(edge * 5) for edge in edges)
        drawn = shown.crop((x1, y1, x2, y2))
        assert (drawn.getextrema() == (255, 255)) == (at not in (1, 2)), at


def test_hairlines_go_round_the_cards_that_are_there() -> None:
    layout = sheets.packed_grid(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"])
    pdf = printed_with("hackjack", "deck", "--only", "QS,KH", "--start", "3", "--copies", "2")
    across, up = layout.cuts_across[::-1], layout.cuts_up
    lines = [(x1, y1, x2, y2) for x1, y1, x2, y2 in lines_of(pdf, 0) if max(abs(x2 - x1), abs(y2 - y1)) > 60]
    expected = [
        # The upper row has its last card alone, the lower one all three.
        *((up[0] if row else up[2], across[row], up[3], across[row]) for row in range(3)),
        *((up[at], across[2], up[at], across[0] if at > 1 else across[1]) for at in range(4)),
    ]
    # Those of courts run from cut to cut of one card, over and under the name.
    lines = [line for line in lines if line[1] != line[3] or any(abs(line[1] - cut) < 0.01 for cut in across)]
    assert sorted(lines) == [pytest.approx(line, abs=0.01) for line in sorted(expected)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_in_large_print_the_margins_are_large_too(paper: str) -> None:
    pdf = printed_with("hackjack", "deck", "--only", "QS", "--text", "large", "--paper", paper)
    written = "".join(char.text for char in chars(pdf, 0))
    assert "50mm" in written.replace(" ", "")
    assert min(char.size for char in chars(pdf, 0)) >= 10.99


def test_copies_of_a_deck_follow_one_another_on_stickers() -> None:
    pdf = printed_with("hackjack", "deck", "--target", "l7651", "--only", "AC,QS", "--copies", "3")
    assert [text_in(pdf, 0, *box).split()[0] for box in boxes("l7651")[:6]] == ["A", "Q"] * 3
    assert text_in(pdf, 0, *boxes("l7651")[6]) == ""


# --- sheets of cards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "lies"), [((), True), (("--contrast", "high"), False), (("--ink", "saver"), False)]
)
def test_only_cards_with_filled_windows_lie_apart_at_home(changes: tuple[str, ...], lies: bool) -> None:
    """High contrast and less ink draw the same theme in lines: these cards touch, and share their cuts."""
    page = reader(printed_with("hackjack", "deck", "--only", "QS", "--theme", "poster", *changes)).pages[0]
    assert (page.mediabox.width > page.mediabox.height) == lies


@pytest.mark.parametrize(("paper", "bleed"), [("a4", 3.0), ("letter", (279.4 - 10 - 4 * 63.5) / 8)])
def test_eight_cards_with_bleed_on_a_sheet_on_its_side(paper: str, bleed: float) -> None:
    eight = ("--only", ",".join(FULL_DECK[:8]))
    pdf = printed_with("hackjack", "deck", "--target", "home-bleed", "--paper", paper, *eight)
    size = sheets.paper_sizes()[paper]
    assert float(reader(pdf).pages[0].mediabox.width) / MM == pytest.approx(size.height, abs=0.01)
    left = (size.height - 4 * 63.5 - 6 * bleed) / 2
    foot = (size.width - 2 * 88.9 - 2 * bleed) / 2
    xs = [left + column * (63.5 + 2 * bleed) for column in range(4)]
    ys = [foot + 88.9 + 2 * bleed, foot]
    for at, code in enumerate(FULL_DECK[:8]):
        x, y = xs[at % 4], ys[at // 4]
        assert hackjack().cards[code].name in text_in(pdf, 0, x, y, x + 63.5, y + 88.9)
    # Turned about the long edge, which lies: the upper row comes to lie below.
    expected = [(xs[at % 4], ys[1 - at // 4]) for at in range(8)]
    assert form_places(pdf, 1) == [(pytest.approx(x, abs=0.01), pytest.approx(y, abs=0.01)) for x, y in expected]
    # The bleed is inked out to its edge, and beyond it is white.
    shown = pictures(pdf, 254)[1]
    middle = (ys[1] + 44) * 10

    def dark(x: float) -> bool:
        """Whether there is ink at x mm, somewhere in 5 mm of height: a drop of the pattern may lie on one place."""
        places = ((round(x * 10), shown.height - round(middle) + down) for down in range(0, 50, 5))
        return any(min(shown.getpixel(place)) < 200 for place in places)  # type: ignore[arg-type]

    assert any(dark(xs[0] - bleed + step / 10) for step in (1, 2, 3))
    assert not any(dark(xs[0] - bleed - step / 10) for step in (2, 3, 5, 10))


@pytest.mark.parametrize("arguments", [("--target", "fold"), ("--backs", "fold")])
def test_folded_cards_have_their_backs_below_the_fold(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", *arguments, "-o", tmp_path)
    assert done.out == f"{tmp_path / 'hackjack-deck-fold.pdf'}\n"
    pdf = (tmp_path / "hackjack-deck-fold.pdf").read_bytes()
    assert len(reader(pdf).pages) == 13
    left, fold, gutter = (297 - 4 * 63.5) / 2, 105.0, 3.0
    for at, code in enumerate(FULL_DECK[:4]):
        x = left + at * 63.5
        assert hackjack().cards[code].name in text_in(pdf, 0, x, fold + gutter, x + 63.5, fold + gutter + 88.9)
    for at, found in enumerate(form_places(pdf, 0)):
        assert found == pytest.approx((left + at * 63.5, fold - gutter - 88.9), abs=0.01)
    assert len(form_places(pdf, 0)) == 4
    assert any(y1 == y2 == pytest.approx(fold, abs=0.01) for _, y1, _, y2 in lines_of(pdf, 0))
    assert "/Duplex" not in root_of(pdf)["/ViewerPreferences"]


@pytest.mark.parametrize("paper", STOCK)
def test_business_cards_lie_where_the_stock_has_them(paper: str) -> None:
    (wide, high), (columns, rows), (right, down), (left, top) = STOCK[paper]
    pdf = printed_with("hackjack", "deck", "--target", "business", "--paper", paper)
    height = sheets.paper_sizes()[paper].height
    for number, code in enumerate(FULL_DECK):
        sheet, at = divmod(number, columns * rows)
        x, y = left + at % columns * right, height - top - high - at // columns * down
        # The cards lie on their side: the name runs up the sheet.
        mine = [char for char in chars(pdf, 2 * sheet) if x < char.left and char.right < x + wide]
        said = "".join(char.text for char in mine if y < char.bottom and char.top < y + high)
        assert squeezed(hackjack().cards[code].name) in said


# --- one card a page -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("marks", "slug"), [("none", 0.0), ("crop", 6.0)])
def test_single_cards_have_their_boxes(marks: str, slug: float) -> None:
    pdf = printed_with("hackjack", "deck", "--target", "single", "--only", "QS,KH", "--marks", marks)
    pages = reader(pdf).pages
    assert len(pages) == 4
    for page in pages:
        edge = slug + 3.175
        wanted = {
            "mediabox": [0, 0, 63.5 + 2 * edge, 88.9 + 2 * edge],
            "trimbox": [edge, edge, 63.5 + edge, 88.9 + edge],
            "bleedbox": [slug, slug, slug + 69.85, slug + 95.25],
        }
        for name, box in wanted.items():
            assert [float(at) / MM for at in getattr(page, name)] == pytest.approx(box, abs=0.01), name
    assert "Carved" in text_in(pdf, 0, 0, 0, 100, 120)
    assert [bool(form_places(pdf, page)) for page in range(4)] == [False, True, False, True]
    # No mark comes nearer than the bleed.
    for x1, y1, x2, y2 in lines_of(pdf, 1):
        outside = max(x1, x2) < slug or min(x1, x2) > slug + 69.85 or max(y1, y2) < slug or min(y1, y2) > slug + 95.25
        assert outside
    assert bool(lines_of(pdf, 1)) == (marks == "crop")


def test_the_shop_gets_back_and_front_in_turn_in_process_inks(printed: Path) -> None:
    pdf = pdf_of(printed, "drivethru")
    pages = reader(pdf).pages
    assert len(pages) == 104
    for number, code in enumerate(FULL_DECK):
        assert form_places(pdf, 2 * number)
        # Nothing but the title, twice round the medallion.
        assert sorted(text_in(pdf, 2 * number, 0, 0, 100, 100).replace(" ", "")) == sorted("Hackjack" * 2)
        assert hackjack().cards[code].name in text_in(pdf, 2 * number + 1, 0, 0, 100, 100)
    for page in pages:
        assert [float(at) for at in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=0.01)
        assert [float(at) for at in page.trimbox] == pytest.approx([9, 9, 189, 261], abs=0.01)
        assert [float(at) for at in page.bleedbox] == pytest.approx([0, 0, 198, 270], abs=0.01)
    for number in range(0, 104, 7):
        for operands, operator in operations(pdf, number):
            assert operator not in ("rg", "RG", "sc", "scn", "SC", "SCN", "gs")
            if operator in ("k", "K"):
                assert sum(map(float, operands)) <= 2.4
    raw = reader(pdf)
    assert pdf.startswith(b"%PDF-1.4")
    assert raw.metadata is not None
    assert (raw.metadata["/GTS_PDFXVersion"], raw.metadata["/Trapped"]) == ("PDF/X-1a:2003", "/False")
    (intent,) = root_of(pdf)["/OutputIntents"]
    assert intent.get_object()["/S"] == "/GTS_PDFX"
    assert intent.get_object()["/OutputConditionIdentifier"] == "CGATS TR 001"


def test_the_shops_file_is_the_same_twice(tmp_path: Path) -> None:
    call = ("hackjack", "deck", "--target", "drivethru", "--only", "QS,KH")
    assert run("print", *call, "-o", tmp_path).code == 0
    assert (tmp_path / "hackjack-deck-drivethru.pdf").read_bytes() == printed_with(*call)


_PART = st.floats(0, 1, allow_nan=False)


@given(st.tuples(_PART, _PART, _PART))
def test_no_colour_takes_too_much_ink(colour: ink.Rgb) -> None:
    inks = ink.inks_of(colour)
    assert all(0 <= each <= 1 for each in inks)
    assert sum(inks) <= 2.4005
    assert min(inks[:3]) < 0.001, "what is grey is black ink"


@pytest.mark.parametrize("colour", [ink.RED, ink.BLUE, ink.GREEN, ink.OXBLOOD, ink.tint(ink.RED, 0.1), ink.WHITE])
def test_inks_keep_their_colours(colour: ink.Rgb) -> None:
    """Each ink lets through what it does not stop: red paper through cyan, and all through black."""
    *colours, black = ink.inks_of(colour)
    shown = [(1 - each) * (1 - black) for each in colours]
    assert shown == pytest.approx(colour, abs=0.02)


def test_text_is_black_ink_alone() -> None:
    assert ink.inks_of(ink.BLACK) == (0, 0, 0, 1)
    assert ink.inks_of(ink.GREY)[:3] == (0, 0, 0)


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "card"), [pytest.param(*each, marks=() if each in COMMON else pytest.mark.slow) for each in PIXELS]
)
def test_shops_get_the_pixels_that_they_check(target: str, card: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--target", target, "--card", card, "--only", "QS,8H", "-o", tmp_path)
    folder = tmp_path / f"hackjack-deck-{target}"
    assert (done.code, done.err) == (0, "")
    written = [Path(line) for line in done.out.splitlines()]
    names = ("QS.png", "8H.png", "back.png", "ORDER.md", f"../hackjack-deck-{target}.zip")
    assert list(map(os.path.normpath, written)) == [os.path.normpath(folder / name) for name in names]
    for path in written[:3]:
        with Image.open(path) as picture:
            assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", PIXELS[target, card])
            assert picture.info["dpi"] == (pytest.approx(300, abs=0.1),) * 2
    with Image.open(folder / "back.png") as back:
        wide, high = back.size
        for corner in ((0, 0), (wide - 1, 0), (0, high - 1), (wide - 1, high - 1)):
            assert any(
                min(back.getpixel((abs(corner[0] - x), abs(corner[1] - y)))) < 120  # type: ignore[arg-type]
                for x in range(9)
                for y in range(9)
            ), "the bleed reaches into the corner"


def test_no_other_pixels_are_known() -> None:
    known = {(name, card) for name in ("mpc", "tgc") for card in targets_by_name()[name].canvases}
    assert known == set(PIXELS)


UNCHECKED = {
    "--target mpc --card mini": "nobody has checked what mpc asks of mini cards: choose --card poker or bridge or ",
    "--target mpc --card jumbo": "nobody has checked what mpc asks of jumbo cards: ",
    "--target tgc --card mini": "nobody has checked what tgc asks of mini cards: ",
    "--target tgc --card 60x90": "nobody has checked what tgc asks of 60 x 90 mm cards: ",
    "--target drivethru --card tarot": "nobody has checked what drivethru asks of tarot cards: choose --card poker, or",
    "--target l7651 --card poker": "--card means nothing for l7651, whose sheets have a size of their own",
    "--target l7651 --paper letter": "--paper means nothing for l7651, which is a sheet of a4",
    "--target l7651 --backs duplex": "--backs means nothing for l7651: it is for home, home-bleed, single",
    "--target l7651 --start 66": "--start 66: the sheet has 65 places",
    "--target l7651 --start 0": "Invalid value for '--start': 0 is not in the range x>=1.",
    "--target png --marks cut": "--marks means nothing for png: it is for home, ",
    "--target home --dpi 300": "--dpi means nothing for home: it is for png",
    "--target png --start 3": "--start means nothing for png: it is for home, home-bleed, fold, business, silhouette, ",
    "--start 10": "--start 10: the sheet has 9 places",
    "--target single --fill": "--fill means nothing for single: it is for home, ",
    "--target mpc --copies 2": "--copies means nothing for mpc: it is for home, ",
    "--copies 0": "Invalid value for '--copies': 0 is not in the range 1<=x<=100.",
    "--target fold --backs none": "--backs means nothing for fold",
    "--backs none --nudge 1,2": "--nudge moves the backs, and --backs none prints none: leave one of them out",
    "--target single --backs fold": "--backs fold means nothing for single: write --target fold",
    "--target business --card tarot": "--card means nothing for business, whose sheets have a size of their own",
    "--card pokr": 'there is no card "pokr": choose poker, ',
    "--card 5x90": "--card 5x90: each side must be 12 to 400 mm long",
    "--card 70x": 'there is no card "70x": choose ',
    "--card 20x30in": "--card 20x30in: each side must be 12 to 400 mm long",
    "--target png --jobs 0": "Invalid value for '--jobs': 0 is not in the range 1<=x<=64.",
    "--text huge": "Invalid value for '--text': 'huge' is not one of",
}


@pytest.mark.parametrize("wish", UNCHECKED)
def test_what_nobody_has_checked_is_refused_with_a_sentence(wish: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", *wish.split(), "-o", tmp_path / "out")
    assert (done.code, done.out, len(done.faults)) == (2, "", 1)
    assert done.err.startswith(UNCHECKED[wish])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (("--card", "390x390"), "a card of 390 x 390 mm does not fit on a paper of 210 x 297 mm"),
        (("--target", "fold", "--card", "90x150"), "a card of 90 x 150 mm does not fit together with its back on"),
        (("--card", "20x20"), "AC: the name does not fit in two lines"),
        (("--target", "full-label", "--card", "20x15"), "2C: the name does not fit on a sticker of 20 x 15"),
        (("--target", "full-label", "--card", "38x14"), "JS: the short form does not fit on a sticker of 38 x 14 mm"),
        (("--target", "l7651", "--text", "large"), "2C: the short form does not fit on a sticker of 38.1 x 21.17"),
    ],
    ids=lambda wish: " ".join(wish) if isinstance(wish, tuple) else "",
)
def test_what_does_not_fit_is_refused_with_a_sentence(wish: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", *wish, "-o", tmp_path / "out")
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert done.err.startswith(f"hackjack deck: {says}")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_what_does_not_fit_is_listed_and_all_else_is_printed(tmp_path: Path) -> None:
    """The names of Deadlands' fate injuries and of Glog's conditions are too long for the smallest stickers."""
    done = run("print", "--target", "5167", "-o", tmp_path)
    assert done.code == 1
    printed = {Path(line).name.removesuffix("-5167.pdf") for line in done.out.splitlines()}
    assert printed == {path.name.removesuffix("-5167.pdf") for path in tmp_path.iterdir()}
    faults = done.faults
    assert not [line for line in faults if line.startswith("next: ")]
    failed = {line.partition(": ")[0].replace(" ", "-") for line in faults}
    every = {f"{name}-{kind}" for name in shipped() for kind in cardsets.card_set_names(load_pack(find(name)).system)}
    assert (printed | failed, printed & failed) == (every, set())
    assert {"hackjack-deck", "fiftytwo-actions"} <= printed, "those before and after a misfit"
    assert "deadlands-fate-injuries" in failed
    assert all("does not fit on a sticker of 44.45 x 12.7 mm" in line for line in faults)


def test_a_target_for_cards_prints_cards_alone() -> None:
    system = load_pack(find("jackrealms")).system
    for name in targets_by_name():
        chosen = set(chosen_products((), system, Choices(target=name, only=("QS", "stakes-1"))))
        others = (
            {"screen", "sheet", "reference", "reference-cards", "tokens", "box"}
            if name in ("home", "home-bleed", "fold")
            else set()
        )
        # Whole systems are put into one place, and tables only where cards are data.
        sets = {"all"} if name in ("foundry", "json") else {"deck", "scenes", *others}
        assert chosen - {"tables"} == sets, name


def test_what_is_named_is_printed_for_any_target(tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "sheet", "--target", "l7651", "--only", "QS", "-o", tmp_path)
    assert (done.code, sorted(path.name for path in tmp_path.iterdir())) == (
        0,
        ["hackjack-deck-l7651.pdf", "hackjack-sheet.pdf"],
    )


def test_inches_and_millimetres_are_the_same_card() -> None:
    for written in ("2.5x3.5in", "63.5x88.9", "63.5X88.9mm", "2.5 x 3.5 in", "63.5\u00d788.9"):
        size = sheets.card_size(written)
        assert (size.width, size.height) == (63.5, 88.9)
        assert sheets.card_name(size) == "poker"
    assert sheets.card_name(sheets.card_size("70x120")) is None


@pytest.mark.slow
def test_the_tabletop_gets_one_picture(tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--target", "tts", "--jokers", "-o", tmp_path)
    folder = tmp_path / "hackjack-deck-tts"
    assert done.out.splitlines() == [str(folder / name) for name in ("faces.png", "back.png", "hackjack-deck.json")]
    with Image.open(folder / "faces.png") as faces, Image.open(folder / "back.png") as back:
        assert (faces.size, back.size, faces.mode) == ((4090, 4011), (409, 573), "RGB")
        last = faces.crop((9 * 409, 6 * 573, 10 * 409, 7 * 573))
        assert last.tobytes() == back.convert("RGB").tobytes()
        pdf = deck.singles(hackjack(), options(jokers=True))
        target = targets_by_name()["tts"]
        assert isinstance(target, TabletopTarget)
        for at, picture in enumerate(png.page_pictures(pdf, tabletop.card_dpi(sheets.card_sizes()["poker"], target))):
            if at < 54 and at % 9 == 0:
                place = (at % 10 * 409, at // 10 * 573)
                cut = faces.crop((*place, place[0] + 409, place[1] + 573))
                assert cut.tobytes() == picture.dots, ALL_CODES[at]


def test_many_cards_take_several_pictures() -> None:
    target = TabletopTarget(says="", source="", checked="", columns=2, rows=2, pixels=100)
    card = sheets.Size(63.5, 88.9)
    pdf = deck.singles(hackjack(), options(only=FULL_DECK[:7]))
    made = [Image.frombytes("RGB", each.size, each.dots) for each in tabletop.deck_pictures(pdf, 7, card, target)]
    assert tabletop.picture_count(7, target) == 3
    assert len(made) == 4
    *fronts, back = png.page_pictures(pdf, tabletop.card_dpi(card, target))
    wide, high = back.size
    assert max(wide, high) * 2 <= 100
    for number, front in enumerate(fronts):
        sheet, at = made[number // 3], number % 3
        x, y = at % 2 * wide, at // 2 * high
        assert sheet.crop((x, y, x + wide, y + high)).tobytes() == front.dots
    for sheet in made[:-1]:
        assert sheet.crop((wide, high, 2 * wide, 2 * high)).tobytes() == back.dots


def test_the_same_bytes_however_many_jobs(tmp_path: Path) -> None:
    made = []
    for jobs in ("1", "3", "64"):
        out = tmp_path / jobs
        only = ",".join(FULL_DECK[::5])
        call = ("--target", "png", "--dpi", "60", "--jobs", jobs, "--only", only)
        done = run("print", "hackjack", "deck", *call, "-o", out)
        assert done.code == 0
        made.append([Path(line).relative_to(out) for line in done.out.splitlines()])
    assert made[0] == made[1] == made[2]
    for path in made[0]:
        assert len({(tmp_path / jobs / path).read_bytes() for jobs in ("1", "3", "64")}) == 1


def test_a_fault_in_one_job_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "hackjack-deck-png").mkdir()
    (tmp_path / "hackjack-deck-png" / "3C.png").mkdir()
    done = run("print", "hackjack", "deck", "--target", "png", "--dpi", "40", "--jobs", "4", "-o", tmp_path)
    assert (done.code, len(done.faults)) == (1, 1)
    assert [Path(line).name for line in done.out.splitlines()] == ["AC.png", "2C.png"]
    assert "3C.png: cannot be written: " in done.err
    assert done.err.endswith("; missing too: the rest of hackjack deck for png\n")
    assert not list((tmp_path / "hackjack-deck-png").glob(".*"))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "4"])
def test_stopping_leaves_no_half_file(jobs: str, tmp_path: Path) -> None:
    """Ctrl-C in the middle of a set: what is there is whole, and nothing else is."""
    call = ["print", "hackjack", "deck", "--target", "png", "--dpi", "600", "--jobs", jobs, "-o", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", *call], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    folder = tmp_path / "hackjack-deck-png"
    until = time.monotonic() + 60
    while len(list(folder.glob("[!.]*.png"))) < 3 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "stopped")
    written = list(folder.iterdir())
    assert set(map(Path, out.splitlines())) <= set(written)
    assert 3 <= len(written) < 53
    for path in written:
        assert path.suffix == ".png"
        assert not path.name.startswith(".")
        with Image.open(path) as picture:
            picture.load()
            assert picture.size == (1500, 2100)


@pytest.mark.parametrize("number", ["4", "6", "9"])
def test_6_and_9_without_a_suit_say_which_way_up_they_are_on_both_ends(number: str, tmp_path: Path) -> None:
    run("print", "glog", "madness", "--target", "png", "--dpi", "200", "--jobs", "1", "-o", tmp_path)
    with Image.open(tmp_path / "glog-madness-png" / f"madness-{number}.png") as picture:
        card = picture.convert("L")
    across, down = card.size
    for way, share in ((card, 1.0), (card.rotate(180), 0.66)):
        # Inside the safe line, under the whole height of the index.
        box = (across * 6 // 100, down * 4 // 100, int(across * 0.15 * share) + 12, int(down * 0.115 * share) + 12)
        rows = way.crop(box)
        dark = [min(rows.crop((0, y, rows.width, y + 1)).tobytes()) < 90 for y in range(rows.height)]
        pieces = sum(now and not before for before, now in pairwise([False, *dark]))
        assert pieces == (1 if number == "4" else 2), "a line under the number"


# --- cards of every size ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [*sheets.card_sizes(), "40x60", "100x60", "150x100"])
def test_the_face_adapts_to_its_card(card: str) -> None:
    """Every letter stays inside the safe line, is large enough, and no sentence is cut."""
    size = sheets.card_size(card)
    call = ("--target", "single", "--card", card, "--backs", "none", "--only", ",".join(FEW))
    pdf = printed_with("hackjack", "deck", *call)
    edge = 3.175
    for page, code in enumerate(sorted(FEW, key=ALL_CODES.index)):
        for char in chars(pdf, page):
            assert char.size >= 6.49
            assert edge + 2.9 <= char.left
            assert char.right <= edge + size.width - 2.9
            assert edge + 2.9 <= char.bottom
            assert char.top <= edge + size.height - 2.9
        assert squeezed(hackjack().cards[code].name) in squeezed(text_in(pdf, page, 0, 0, 400, 400))


@pytest.mark.parametrize(("wish", "card"), [((), "tarot"), (("--card", "jumbo"), "jumbo")])
def test_large_print_is_eleven_points_at_least(wish: tuple[str, ...], card: str) -> None:
    large = ("--text", "large", "--target", "single", "--backs", "none", "--only", ",".join(FULL_DECK[::6]))
    pdf = printed_with("hackjack", "deck", *large, *wish)
    trim = reader(pdf).pages[0].trimbox
    size = sheets.card_sizes()[card]
    assert (float(trim.width) / MM, float(trim.height) / MM) == pytest.approx((size.width, size.height), abs=0.01)
    pages = range(len(FULL_DECK[::6]))
    for page in pages:
        assert min(char.size for char in chars(pdf, page)) >= 10.99
    everything = squeezed("".join(text_in(pdf, page, 0, 0, 400, 400) for page in pages))
    for code in FULL_DECK[::6]:
        flavour = hackjack().cards[code].flavour
        assert flavour is None or squeezed(flavour) in everything, "nothing gives way where there is room"


@pytest.mark.parametrize("card", ["40x60", "mini", "poker"])
@pytest.mark.parametrize("which", [("hackjack", "deck"), ("deadlands", "fate"), ("glog", "severity")])
def test_no_letter_stands_on_another(which: tuple[str, str], card: str) -> None:
    """The long index of a joker and the words of badges too, whatever had to give way."""
    codes = [face.code for face in cardsets.card_set(load_pack(find(which[0])).system, which[1]).faces]
    only = ",".join(dict.fromkeys((*codes[::9], *codes[-2:])))
    pdf = printed_with(*which, "--target", "single", "--card", card, "--backs", "none", "--only", only)
    for page in range(len(reader(pdf).pages)):
        placed = [char for char in chars(pdf, page) if char.text.strip()]
        for at, one in enumerate(placed):
            for other in placed[:at]:
                if abs(one.y - other.y) < 0.01:
                    continue  # letters of one line may lean over each other
                wide = min(one.right, other.right) - max(one.left, other.left)
                high = min(one.top, other.top) - max(one.bottom, other.bottom)
                assert wide < 0.35 or high < 0.35, f"page {page}: {one.text} stands on {other.text}"


@pytest.mark.slow
def test_a_bar_shows_how_far_a_terminal_has_come(tmp_path: Path) -> None:
    """On a terminal alone, and on standard error: what is piped on stays clean."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    call = ["print", "fiftytwo", "piles", "--target", "png", "--dpi", "36", "-o", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "generator", *call], cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, check=False
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):
        while data := os.read(ours, 65536):
            shown += data
    os.close(ours)
    folder = tmp_path / "fiftytwo-piles-png"
    written = done.stdout.decode().splitlines()
    assert sorted(written) == sorted(str(path) for path in folder.iterdir())
    assert b"fiftytwo-piles-png" in shown
    assert b"  0%" in shown
    assert b"100%" in shown
    assert run("print", "fiftytwo", "piles", "--target", "png", "--dpi", "36", "-o", tmp_path).err == ""


LONG = "A wound that takes as many words as a card can hold, and then a few words more than that"


ORDER = ("flavour", "captions", "rule", "turned", "sentences")


def stuffed(count: int, yields: tuple[str, ...] = ORDER) -> tuple[Face, ...]:
    """One face with as many sentences as that, and everything else that a face can have."""
    parts: tuple[Part, ...] = (
        *(Index("Q", "S"), Emblem("Q", "S"), Title("Carved"), Rule("buried")),
        *(CardEffect(LONG, "until later") for _ in range(count)),
        *(
            Short("all at once"),
            Flavour("It does not end here."),
            Badge("score", "10", "dry"),
            Badge("score", "12", "wet"),
        ),
    )
    return (Face("QS", "S", parts, yields),)


def test_what_gives_way_goes_in_the_order_of_the_template() -> None:
    seen: list[frozenset[str]] = []
    for count in range(1, 12):
        setting, overfull = paper_card.measure_card(stuffed(count), 45 * MM, 64 * MM, yielding=True)
        assert overfull == ()
        if not seen or seen[-1] != setting.dropped:
            seen.append(setting.dropped)
    assert seen[0] == frozenset()
    assert seen[-1] == frozenset(ORDER)
    assert all(fewer < more for fewer, more in pairwise(seen))
    assert all(spared == frozenset(ORDER[: len(spared)]) for spared in seen)
    faces, heights = stuffed(3, ("rule", "flavour")), [high / 2 for high in range(160, 90, -1)]
    kept = [paper_card.measure_card(faces, 45 * MM, high * MM, yielding=True)[0].dropped for high in heights]
    assert (
        {frozenset(), frozenset({"rule", "flavour"})}
        <= set(kept)
        <= {*(frozenset(), frozenset({"rule"}), frozenset({"rule", "flavour"}))}
    )


@pytest.mark.parametrize("count", [3, 12, 20])
def test_boxes_for_levels_stand_in_rows_and_leave_the_type_large(count: int) -> None:
    parts = (Title("Bleeding"), CardEffect("You bleed", ""), CardTrack(tuple(map(str, range(1, count + 1)))))
    face = Face("bleeding", "", parts)
    assert paper_card.measure_card((face,), 63.5 * MM, 88.9 * MM, "large")[1] == ()


def test_nothing_gives_way_on_the_card_that_content_is_written_for() -> None:
    crammed = CardSet("a set", stuffed(9))
    with pytest.raises(OverfullError, match="QS: the text does not fit its card"):
        deck.setting_of(crammed, sheets.card_sizes()["poker"])
    assert deck.setting_of(crammed, sheets.card_sizes()["mini"]).dropped


# --- any set of cards ------------------------------------------------------------------------------------------------

EVERY: dict[str, Part] = {
    "index": Index("7", "H"),
    "plain index": Index("12", ""),
    "emblem": Emblem("7", "H"),
    "title": Title("Advance by night"),
    "rule": Rule("move"),
    "effect": CardEffect("Everybody on the left moves one place", "until dawn"),
    "flavour": Flavour("Nobody heard it."),
    "badge": Badge("cost", "3", "cost"),
    "short": Short("all left: 1 place"),
}


def strange_set(without: str) -> CardSet:
    parts = tuple(part for name, part in EVERY.items() if name != without and name != "plain index")
    some = tuple(part for name, part in EVERY.items() if name != without and name not in ("index", "emblem"))
    return CardSet(
        "the moves", (Face("M/1", "", parts), Face("night move", "H", some), Face("M3", "", (Title("Rest"),)))
    )


SHEETS = ("home", "home-bleed", "fold", "silhouette", "business", "l7651", "5167", "full-label")


@pytest.mark.parametrize(
    ("target", "without"),
    # Each part is missing on whole cards and on stickers.
    [*((target, "nothing") for target in SHEETS), *zip(cycle(SHEETS[:5]), EVERY), *zip(cycle(SHEETS[5:]), EVERY)],
)
def test_any_set_of_cards_is_printed(target: str, without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces of other kinds lack an index, a suit, badges, a name: all of it is printed, and nothing else breaks."""
    strange = strange_set(without)
    monkeypatch.setattr(deck, "card_set", lambda *_: strange)
    monkeypatch.setattr(labels, "card_set", lambda *_: strange)
    known = targets_by_name()[target]
    paper = sheets.paper_sizes()["a4" if target != "5167" else "letter"]
    layout = layout_of(known, paper, sheets.Size(38, 21) if target == "full-label" else sheets.card_sizes()["poker"])
    assert layout is not None
    chosen = replace(options(), layout=layout, card=layout.card)
    sticker = target in LABELS or target == "full-label"
    pdf = labels.label_sheets(hackjack(), chosen, 1.5) if sticker else deck.sheets(hackjack(), chosen)
    said = squeezed(text_in(pdf, 0, 0, 0, 300, 300))
    if target == "business":
        said = "".join(char.text for char in chars(pdf, 0))
    assert ("Advancebynight" in said) == (without != "title")
    if sticker:
        shown = "Everybodyontheleftmovesoneplaceuntildawn" if without == "short" else "allleft:1place"
        assert shown in said
    else:
        assert ("untildawn." in said) == (without != "effect")
    assert ("cost" in said) == (without != "badge")


def test_strange_codes_become_plain_file_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    strange = strange_set("nothing")
    monkeypatch.setattr(deck, "card_set", lambda *_: strange)
    monkeypatch.setattr(cardsets, "card_set", lambda *_: strange)
    done = run("print", "hackjack", "deck", "--target", "png", "--dpi", "40", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert [Path(line).name for line in done.out.splitlines()] == ["M-1.png", "night-move.png", "M3.png", "back.png"]


# --- calibration -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [name for name, known in targets_by_name().items() if "nudge" in known.takes])
def test_a_calibration_page_shows_every_place(target: str, tmp_path: Path) -> None:
    done = run("print", "calibration", "--target", target, "-o", tmp_path)
    path = tmp_path / f"calibration-{target}.pdf"
    assert (done.code, done.out, done.err) == (0, f"{path}\n", "")
    pdf = path.read_bytes()
    duplex = target in ("home", "home-bleed", "silhouette", "business")
    assert len(reader(pdf).pages) == (2 if duplex else 1)
    said = text_in(pdf, 0, 0, 0, 400, 400)
    assert target in said
    assert "Print at 100 %" in said
    wide = float(reader(pdf).pages[0].mediabox.width) / MM
    high = float(reader(pdf).pages[0].mediabox.height) / MM
    # The rulers count from the paper's edges: the stroke of 100 mm stands at 100 mm.
    found = lines_of(pdf, 0)
    upright = {round(x1, 2) for x1, y1, x2, _ in found if x1 == x2 and y1 == pytest.approx(high / 2, abs=0.01)}
    assert set(range(10, int(wide) - 9)) <= upright
    level = {round(y1, 2) for x1, y1, _, y2 in found if y1 == y2 and x1 == pytest.approx(wide / 2, abs=0.01)}
    assert set(range(10, int(high) - 9)) <= level


def test_figures_keep_apart_where_the_rulers_cross(tmp_path: Path) -> None:
    run("print", "calibration", "-o", tmp_path)
    near = [
        char
        for char in chars((tmp_path / "calibration-home.pdf").read_bytes(), 0)
        if abs(char.left - 105) < 12 and abs(char.bottom - 148.5) < 8
    ]
    assert len(near) >= 5
    for one, other in combinations(near, 2):
        beside = one.right <= other.left + 0.1 or other.right <= one.left + 0.1
        assert beside or one.top <= other.bottom or other.top <= one.bottom


def test_a_calibration_of_pictures_is_refused() -> None:
    done = run("print", "calibration", "--target", "mpc")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mpc has no sheet to calibrate: choose home, ")
    assert run("print", "calibration", "deck").code == 2


def test_pictures_of_another_size_are_never_handed_over() -> None:
    pdf = deck.singles(hackjack(), options(only=("QS",)))
    with pytest.raises(HackjackError, match=r"the picture has \(750, 1050\) pixels instead of \(822, 1122\)"):
        list(png.page_pictures(pdf, 300, (822, 1122)))


def test_a_target_that_is_misspelt_in_the_data_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    text = (ROOT / "templates" / "targets.yaml").read_text(encoding="utf-8").replace("kind: fold", "kind: fould")
    (tmp_path / "templates" / "targets.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sheets, "data_root", lambda: tmp_path)
    targets_by_name.cache_clear()
    try:
        with pytest.raises(HackjackError, match=r"templates/targets.yaml: Invalid value 'fould'"):
            targets_by_name()
    finally:
        targets_by_name.cache_clear()

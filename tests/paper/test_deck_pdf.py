"""The printed deck, read back: what stands on it, where, in which colours, and that it never changes by itself."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers import (
    MM,
    ROOT,
    SAFE,
    Char,
    chars,
    copy_pack,
    deck_pdf,
    few_quick,
    form_places,
    hackjack,
    lines_of,
    operations,
    options,
    pictures,
    product_pdf,
    reader,
    root_of,
    run,
    shipped,
    squeezed,
    text_in,
)
from PIL import Image, ImageStat
from pypdf.generic import ContentStream, Destination

from generator.base.cards import ALL_CODES, FULL_DECK, SUIT_NAMES, suit_of
from generator.base.errors import UsageError
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import Emblem
from generator.layout.type_sizes import type_sizes
from generator.pack import pack_locations, themes
from generator.pack.load import load_pack
from generator.pack.settings import with_settings
from generator.paper import card, ink
from generator.paper.card_body import OverfullError, body_of
from generator.products import deck
from generator.words.effects import card_sentences

PAPERS = ("a4", "letter")
SMALLEST = 6.5


def places(
    paper: str, codes: tuple[str, ...] = FULL_DECK, backs: bool = True
) -> dict[str, tuple[int, sheets.SheetPlace]]:
    """The page and the place of every card's front."""
    layout = sheets.packed_grid(sheets.paper_sizes()[paper], sheets.card_sizes()["poker"])
    each = len(layout.places)
    return {
        code: (number // each * (2 if backs else 1), layout.places[number % each]) for number, code in enumerate(codes)
    }


def inside(char: Char, place: sheets.SheetPlace, margin: float) -> bool:
    card = sheets.card_sizes()["poker"]
    return (
        place.x + margin <= char.left
        and char.right <= place.x + card.width - margin
        and place.y + margin <= char.bottom
        and char.top <= place.y + card.height - margin
    )


def touches(char: Char, place: sheets.SheetPlace) -> bool:
    card = sheets.card_sizes()["poker"]
    return (
        char.right > place.x
        and char.left < place.x + card.width
        and char.top > place.y
        and char.bottom < place.y + card.height
    )


# --- what stands where ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_the_grid_is_nine_cards_edge_to_edge_in_the_middle(paper: str) -> None:
    size, card = sheets.paper_sizes()[paper], sheets.card_sizes()["poker"]
    found = sheets.packed_grid(size, card).places
    assert (card.width, card.height) == (63.5, 88.9)
    assert [(round(place.x, 6), round(place.y, 6)) for place in found] == [
        (
            round((size.width - 3 * 63.5) / 2 + column * 63.5, 6),
            round((size.height - 3 * 88.9) / 2 + (2 - row) * 88.9, 6),
        )
        for row in range(3)
        for column in range(3)
    ]
    assert min(found[6].x, found[6].y) >= sheets.MIN_MARGIN


@pytest.mark.parametrize(
    ("paper", "code"), [*(("a4", code) for code in ALL_CODES), *(("letter", code) for code in ALL_CODES[::9])]
)
def test_a_card_says_everything_inside_its_own_safe_line(paper: str, code: str) -> None:
    pdf = deck_pdf(paper=paper, jokers=True)
    page, place = places(paper, ALL_CODES)[code]
    card, entry = sheets.card_sizes()["poker"], hackjack().cards[code]
    edges = (place.x + SAFE, place.y + SAFE, place.x + card.width - SAFE, place.y + card.height - SAFE)
    said = text_in(pdf, page, *edges)
    assert entry.name in said
    for sentence in card_sentences(entry, hackjack()):
        assert squeezed(str(sentence)) in squeezed(said)
    assert entry.flavour is None or entry.flavour in said
    band = text_in(pdf, page, edges[0], edges[1], edges[2], edges[1] + 10)
    for number in (hackjack().score_of(entry), entry.blood and entry.blood.spoken, entry.trauma):
        assert not number or str(number) in band.split(), band
    assert not {"score", "Blood", "Trauma"} & set(band.split())
    suit = {str(known.id): known.character for known in hackjack().head.suits}.get(suit_of(code), "joker")
    assert suit.upper() in said


@pytest.mark.parametrize("paper", PAPERS)
def test_no_letter_crosses_the_safe_line(paper: str) -> None:
    """Every letter of a page of fronts lies inside a card's safe line, or outside of all cards."""
    pdf = deck_pdf(paper=paper, jokers=True)
    layout = sheets.packed_grid(sheets.paper_sizes()[paper], sheets.card_sizes()["poker"])
    for page in range(0, 12, 2):
        found = chars(pdf, page)
        assert len(found) > 500
        for char in found:
            near = [place for place in layout.places if touches(char, place)]
            assert len(near) <= 1, char
            assert all(inside(char, place, SAFE) for place in near), char


@pytest.mark.parametrize(
    "changes",
    [{}, {"paper": "letter"}, {"single": True}, {"ink": "saver"}, {"jokers": True}],
    ids=lambda changes: "-".join(map(str, changes.values())) or "default",
)
def test_no_type_is_too_small_to_read(changes: dict[str, Any]) -> None:
    pdf = deck_pdf(**changes)
    sizes = {round(char.size, 2) for page in range(len(reader(pdf).pages)) for char in chars(pdf, page)}
    assert min(sizes) >= SMALLEST
    body = max(sizes & {step / 4 for step in range(26, 37)})
    assert body >= 7, "the deck as it ships is set in 7 pt at least"


def sizes_of(pdf: bytes) -> set[float]:
    """The sizes of the letters of cards alone on their pages, backs left out."""
    return {round(char.size, 1) for page in range(len(reader(pdf).pages)) for char in chars(pdf, page)}


def test_a_deck_has_two_sizes_of_sentences_and_its_names_are_read_across_the_table() -> None:
    """Names in 22 pt, one line each; sentences in 13 or 10.5 pt; the flavour in 9.5 pt; figures in 24."""
    pdf = deck_pdf(single=True, jokers=True, backs="none")
    known = type_sizes().cards
    parts = {known.names[0].size, *known.body, known.flavour, known.figures, known.index, known.captions, known.joker}
    turned = {round(0.66 * known.index, 1), SMALLEST}
    assert (known.names[0].size, known.body, known.flavour, known.figures) == (22, (13, 10.5), 9.5, 24)
    assert sizes_of(pdf) == parts | turned


SETS = [(name, product) for name in pack_locations.shipped() for product in card_set_names(shipped(name))]


@pytest.mark.parametrize(("name", "product"), few_quick(1, SETS))
def test_the_sentences_of_every_set_are_read_at_arms_length(name: str, product: str) -> None:
    """At least 10.5 pt on a poker card, whatever it says; a field drawn small, captions and flavour are smaller."""
    pdf = product_pdf(name, product, single=True, backs="none")
    known = type_sizes().cards
    small = {known.flavour, known.captions, known.joker, SMALLEST}
    drawn = (7.3, 10.4) if (name, product) == ("fiftytwo", "actions") else (7.3, 7.4)
    assert {size for size in sizes_of(pdf) if size < known.body[1] and not drawn[0] <= size <= drawn[1]} <= small


@pytest.mark.parametrize(("name", "product"), SETS)
def test_what_is_hurt_is_seen_on_every_card_that_has_an_emblem(name: str, product: str) -> None:
    """At least 8.5 mm high, in a window or beside the name."""
    faces = [
        face for face in card_set(shipped(name), product).faces if any(isinstance(each, Emblem) for each in face.parts)
    ]
    trim = 63.5 * MM, 88.9 * MM
    setting, _ = card.measure_card(tuple(faces), *trim, yielding=True)
    for face, body in ((face, body_of(face)) for face in faces):
        height = body.settled_ends(setting)[2] if body.ends else body.room(body.settled(setting))[3]
        assert height >= 8.5 * MM, face.code


@pytest.mark.parametrize("theme", ["plain", "parchment", "mono"])
def test_lines_take_little_ink(theme: str) -> None:
    """A tenth of a card in two inks, more than its ground has: what a printer at home can do."""
    made = themes.shipped()[theme]
    shown = pictures(deck_pdf(single=True, backs="none", theme=made), 50)[::4]
    ground = ink_on(Image.new("RGB", (1, 1), made.palette.ground))
    assert sum(map(ink_on, shown)) / len(shown) - ground <= 0.10


@pytest.mark.parametrize("theme", [name for name, theme in themes.shipped().items() if theme.window == "filled"])
def test_the_grounds_of_clubs_and_spades_differ_in_every_filled_theme(theme: str) -> None:
    palette = themes.shipped()[theme].palette
    assert ink.contrast(ink.rgb(palette.clubs), ink.rgb(palette.spades)) >= 1.8


def filled_card(code: str) -> Callable[[float, float], str]:
    """What tells the colour of a filled card, by its name in the palette, so many mm from the left and from the top."""
    theme = themes.shipped()["poster"]
    (picture,) = pictures(deck_pdf(single=True, backs="none", only=(code,), theme=theme), 127)
    shown = picture.convert("RGB")
    names = ("clubs", "spades", "diamonds", "ground", "grey")
    inks = {name: ink.rgb(getattr(theme.palette, name)) for name in names}

    def at(x: float, y: float) -> str:
        dot = shown.getpixel((round(x * 5), round(y * 5)))
        assert isinstance(dot, tuple)
        return min(names, key=lambda name: sum(abs(a / 255 - b) for a, b in zip(dot, inks[name], strict=True)))

    return at


@pytest.mark.slow
def test_the_edge_of_a_window_looks_more_broken_with_a_higher_score() -> None:
    def depth(code: str) -> float:
        at, flavour = filled_card(code), type_sizes().cards.flavour
        found = chars(deck_pdf(single=True, backs="none", only=(code,)), 0)
        # The edge ends over the flavour.
        below = round(5 * (88.9 - max(char.top for char in found if abs(char.size - flavour) < 0.1)))
        ends = [next(y for y in range(below, 0, -1) if at(x / 5, y / 5) == "clubs") / 5 for x in range(25, 290, 3)]
        return max(ends) - min(ends)

    lowest, middle, highest = (depth(code) for code in ("2C", "6C", "10C"))
    assert 0.2 < lowest < middle < highest < 2.9


def test_courts_have_a_window_from_cut_to_cut_and_aces_an_open_one() -> None:
    grounds = {code: (filled_card(code)(5, 30), filled_card(code)(1, 60)) for code in ("9C", "KC", "AC")}
    assert grounds == {"9C": ("clubs", "ground"), "KC": ("clubs", "clubs"), "AC": ("ground", "ground")}


@pytest.mark.parametrize(
    ("code", "corner"), [("8S", "diamonds"), ("JS", "diamonds"), ("6S", "spades"), ("3D", "ground"), ("KD", "diamonds")]
)
def test_the_corner_of_a_card_that_a_player_keeps_is_torn_and_shows_in_a_pile(code: str, corner: str) -> None:
    """As red as the window of diamonds is, and there as white as the card."""
    assert filled_card(code)(62.5, 1) == corner


def test_the_index_stands_in_two_corners() -> None:
    """So that a fanned hand can be read: the rank at the top left, and turned at the bottom right."""
    page, place = places("a4")["QS"]
    card = sheets.card_sizes()["poker"]
    queens = [char for char in chars(deck_pdf(), page) if char.text == "Q" and inside(char, place, SAFE)]
    (upright,) = [char for char in queens if not char.turned and char.size > 15]
    (turned,) = [char for char in queens if char.turned and char.size > 10]
    assert upright.left - place.x < 8
    assert place.y + card.height - upright.top < 8
    assert place.x + card.width - turned.right < 8
    assert turned.bottom - place.y < 8


def lines_from(found: list[Char]) -> Iterator[str]:
    """Letters in lines: where a line begins from the card's corner (mm), its size (pt), and its text."""
    line: list[Char] = []
    for char in [*found, None]:
        last = line[-1] if line else None
        if last and char and abs(char.y - last.y) < 0.01 and char.size == last.size and abs(char.left - last.right) < 3:
            line.append(replace(char, text=f" {char.text}" if char.spaced else char.text))
            continue
        if line:
            way = " turned" if line[0].turned else ""
            text = "".join(part.text for part in line)
            yield f"{line[0].x:6.2f} {line[0].y:6.2f} {line[0].size:6.2f}{way}  {text}"
        line = [char] if char else []


def test_three_cards_stand_as_they_always_stood(golden: Callable[[str, str], None]) -> None:
    pdf = deck_pdf()
    lines = ["x and y in mm from the lower left corner of the trim, the size in pt, and the letters"]
    for code in ("JS", "QS", "10H"):
        page, place = places("a4")[code]
        mine = [char for char in chars(pdf, page) if inside(char, place, 0)]
        moved = [replace(char, x=char.x - place.x, y=char.y - place.y) for char in mine]
        lines += ["", code, *lines_from(moved)]
    golden("deck-places.txt", "\n".join(lines) + "\n")


# --- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("single", [False, True])
def test_every_font_is_embedded(single: bool) -> None:
    pdf, found = deck_pdf(single=single, jokers=True), set()
    pages: Any = reader(pdf).pages
    for page in pages:
        for font in page["/Resources"]["/Font"].values():
            descriptor = font.get_object()["/FontDescriptor"].get_object()
            assert "/FontFile2" in descriptor
            found.add(str(font.get_object()["/BaseFont"]).rpartition("+")[2])
    assert found == {
        *("SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSansPro-It", "SourceSerifPro-It"),
        *("SourceSerifPro-Black", "SourceSerifPro-Bold", "Grenze-ExtraBold"),
    }
    for foreign in (b"Helvetica", b"Times", b"Courier", b"ZapfDingbats", b"/Subtype /Type1"):
        assert foreign not in pdf


def test_metadata_and_wishes_to_the_printer() -> None:
    info, root = reader(deck_pdf()).metadata, root_of(deck_pdf())
    assert info is not None
    assert (info.title, info.author, info.subject, info.creator) == (
        *("Hackjack deck", "Hackjack", "Hackjack 1.0", "hackjack"),
    )
    assert root["/Lang"] == "en"
    wishes = root["/ViewerPreferences"]
    assert (wishes["/PrintScaling"], wishes["/Duplex"]) == ("/None", "/DuplexFlipLongEdge")
    alone = root_of(deck_pdf(backs="none"))["/ViewerPreferences"]
    assert alone["/PrintScaling"] == "/None"
    assert "/Duplex" not in alone


@pytest.mark.parametrize("paper", PAPERS)
def test_bookmarks_lead_to_the_suits(paper: str) -> None:
    pdf = deck_pdf(paper=paper, jokers=True)
    marked = {}
    for entry in reader(pdf).outline:
        assert isinstance(entry, Destination)
        marked[entry.title] = reader(pdf).get_destination_page_number(entry)
    names: dict[str, str] = {
        suit.id: f"{SUIT_NAMES[suit.id].capitalize()}: {suit.character}" for suit in hackjack().head.suits
    }
    first = {names[suit]: places(paper, ALL_CODES)[f"A{suit}"][0] for suit in "CSDH"}
    assert marked == {**first, "Jokers": places(paper, ALL_CODES)["RJ"][0]}
    assert list(marked) == [*(names[suit] for suit in "CSDH"), "Jokers"]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("changes", "pages"),
    [
        ({}, 12),
        ({"backs": "none"}, 6),
        ({"jokers": True}, 12),
        ({"only": ("QS", "KH")}, 2),
        ({"only": FULL_DECK[:10], "backs": "none"}, 2),
        ({"single": True}, 53),
    ],
    ids=["duplex", "fronts", "jokers", "two", "ten", "singles"],
)
def test_how_many_pages_and_how_large(paper: str, changes: dict[str, Any], pages: int) -> None:
    pdf = deck_pdf(paper=paper, **changes)
    found = reader(pdf).pages
    assert len(found) == pages
    size = sheets.card_sizes()["poker"] if changes.get("single") else sheets.paper_sizes()[paper]
    for page in found:
        assert float(page.mediabox.width) == pytest.approx(size.width * MM, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(size.height * MM, abs=0.01)


# --- backs ---------------------------------------------------------------------------------------------------------


def mirrored(paper: str, count: int) -> list[tuple[float, float]]:
    """Where the backs of the first cards of a sheet must lie when it is turned about its long edge."""
    size = sheets.paper_sizes()[paper]
    left, foot = (size.width - 3 * 63.5) / 2, (size.height - 3 * 88.9) / 2
    found = [(left + (2 - at % 3) * 63.5, foot + (2 - at // 3) * 88.9) for at in range(count)]
    return [(round(x, 3), round(y, 3)) for x, y in found]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("nudge", [(0.0, 0.0), (0.5, -1.25)])
def test_backs_meet_their_fronts(paper: str, nudge: tuple[float, float]) -> None:
    pdf = deck_pdf(paper=paper, nudge=nudge)
    for page in range(12):
        found = form_places(pdf, page) if page % 2 else []
        expected = mirrored(paper, 7 if page == 11 else 9) if page % 2 else []
        moved = [(x + nudge[0], y + nudge[1]) for x, y in expected]
        assert found == [(pytest.approx(x, abs=0.002), pytest.approx(y, abs=0.002)) for x, y in moved]


def test_a_nudge_moves_backs_alone() -> None:
    still, moved = deck_pdf(), deck_pdf(nudge=(0.5, -1.25))
    for page in range(0, 12, 2):
        assert operations(still, page) == operations(moved, page)


def test_a_short_sheet_has_its_backs_behind_its_fronts() -> None:
    """Two cards on a sheet: seen from behind they lie at the right."""
    front, back = pictures(deck_pdf(only=("QS", "KH"), marks="none"), 72)

    def inked(page: Image.Image, column: int, row: int) -> bool:
        left, top = (9.75 + column * 63.5) * MM, (15.15 + row * 88.9) * MM
        return ink_on(page.crop((round(left) + 5, round(top) + 5, round(left) + 170, round(top) + 240))) > 0

    for row in range(3):
        assert [inked(front, column, row) for column in range(3)] == [row == 0, row == 0, False]
        assert [inked(back, column, row) for column in range(3)] == [False, row == 0, row == 0]


# --- options -------------------------------------------------------------------------------------------------------


def titles(pdf: bytes) -> set[str]:
    """The codes of the cards that a PDF shows."""
    text = "".join(text_in(pdf, page, 0, 0, 300, 300) for page in range(len(reader(pdf).pages)))
    return {code for code, card in hackjack().cards.items() if squeezed(card.name) in squeezed(text)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set(FULL_DECK)),
        ({"jokers": True}, set(ALL_CODES)),
        ({"only": ("QS", "KH", "RJ")}, {"QS", "KH", "RJ"}),
        ({"settings": (("jokers", "lucky_break"),)}, set(ALL_CODES)),
    ],
    ids=["all", "jokers", "only", "house rule"],
)
def test_which_cards_are_printed(changes: dict[str, Any], expected: set[str]) -> None:
    assert titles(deck_pdf(**changes)) == expected


def test_a_card_that_is_not_there_cannot_be_printed() -> None:
    with pytest.raises(UsageError, match="there is no card 11H in the deck of hackjack"):
        deck.sheets(hackjack(), options(only=("11H",)))


def colours(pdf: bytes, page: int) -> set[tuple[float, ...]]:
    """The colours that a page sets, to two decimals."""
    found = [operands for operands, operator in operations(pdf, page) if operator in ("rg", "RG")]
    return {tuple(round(float(part), 2) for part in operands) for operands in found}


def colour(of: ink.Rgb) -> tuple[float, ...]:
    return tuple(round(part, 2) for part in of)


@pytest.mark.parametrize(("suits", "inks"), [("two", "BBRR"), ("four", "GBUR")])
def test_the_suits_have_their_colours(suits: str, inks: str) -> None:
    known = {"B": ink.BLACK, "R": ink.RED, "G": ink.GREEN, "U": ink.BLUE}
    for suit, expected in zip("CSDH", inks, strict=True):
        strong = colours(deck_pdf(suits=suits, only=(f"3{suit}",), marks="none"), 0)
        wanted = {colour(known[expected]), colour(ink.BLACK), colour(ink.GREY), colour(ink.WHITE)}
        pale = {found for found in strong if max(found) > 0.5}
        assert colour(known[expected]) in strong
        assert strong - pale <= wanted


@pytest.mark.parametrize("suits", ["two", "four"])
@pytest.mark.parametrize("suit", ["C", "S", "D", "H", "RJ", "BJ"])
def test_every_colour_can_be_read_in_poor_light(suits: Any, suit: str) -> None:
    assert ink.contrast(ink.Inks(suits).of(suit)) >= 4.5
    assert ink.contrast(ink.GREY) >= 4.5
    assert ink.contrast((0, 0, 0)) == pytest.approx(21)


def test_in_four_colours_no_two_suits_look_alike() -> None:
    assert len({ink.Inks("four").of(suit) for suit in "CSDH"}) == 4


def ink_on(picture: Image.Image) -> float:
    """How much of a page is inked, 0 to 1."""
    return 1 - float(ImageStat.Stat(picture.convert("L")).mean[0]) / 255


@pytest.mark.parametrize("pages", few_quick(1, [2, 12]))
def test_the_saver_prints_outlines(pages: int) -> None:
    full, saver = deck_pdf(), deck_pdf(ink="saver")
    assert len(pictures(full, 72)) == len(pictures(saver, 72)) == 12
    for page in range(pages):
        rich, sparing = pictures(full, 72)[page], pictures(saver, 72)[page]
        if page % 2:
            assert ink_on(sparing) < 0.6 * ink_on(rich)
        else:
            assert ink_on(sparing) < 0.9 * ink_on(rich)
    assert text_in(full, 0, 0, 0, 300, 300) == text_in(saver, 0, 0, 0, 300, 300)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("marks", "on_cards", "in_margin"), [("cut", 8, 16), ("crop", 0, 16), ("none", 0, 0)])
def test_marks_to_cut_by(paper: str, marks: str, on_cards: int, in_margin: int) -> None:
    pdf = deck_pdf(paper=paper, marks=marks)
    size = sheets.paper_sizes()[paper]
    left, foot = (size.width - 190.5) / 2, (size.height - 266.7) / 2
    cuts_up = [left + at * 63.5 for at in range(4)]
    cuts_across = [foot + at * 88.9 for at in range(4)]
    long = ticks = 0
    for x1, y1, x2, y2 in lines_of(pdf, 2):
        upright = x1 == pytest.approx(x2, abs=0.01) and any(x1 == pytest.approx(cut, abs=0.01) for cut in cuts_up)
        level = y1 == pytest.approx(y2, abs=0.01) and any(y1 == pytest.approx(cut, abs=0.01) for cut in cuts_across)
        long += upright and abs(y2 - y1) == pytest.approx(266.7, abs=0.01)
        long += level and abs(x2 - x1) == pytest.approx(190.5, abs=0.01)
        beside = max(x1, x2) < left - 0.9 or min(x1, x2) > left + 191.4
        outside = beside or max(y1, y2) < foot - 0.9 or min(y1, y2) > foot + 267.6
        ticks += (upright or level) and outside
    assert (long, ticks) == (on_cards, in_margin)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_is_50_mm_long_and_says_so(paper: str) -> None:
    pdf = deck_pdf(paper=paper)
    margin = (sheets.paper_sizes()[paper].width - 190.5) / 2
    upright = [line for line in lines_of(pdf, 0) if line[0] == line[2] and line[0] < margin]
    lengths = [abs(line[3] - line[1]) for line in upright]
    assert sum(length == pytest.approx(50, abs=0.01) for length in lengths) == 1
    (ruler,) = [line for line in upright if abs(line[3] - line[1]) == pytest.approx(50, abs=0.01)]
    foot = min(ruler[1], ruler[3])
    steps = [
        line[1] for line in lines_of(pdf, 0) if line[0] == pytest.approx(ruler[0], abs=0.01) and line[1] == line[3]
    ]
    assert sorted(steps) == [pytest.approx(foot + step, abs=0.01) for step in range(0, 51, 5)]
    assert "print at 100 %: this line is 50 mm long" in text_in(pdf, 0, 0, 0, margin, 300)
    assert text_in(pdf, 2, 0, 0, margin, 300) == ""


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ((), "Hackjack 1.0"),
        ((("twenty_one", "after_the_hit"),), "Hackjack 1.0"),
        (
            (("twenty_one", "at_every_step"), ("massive_damage", "from_13")),
            "Hackjack 1.0, massive_damage: from_13, twenty_one: at_every_step",
        ),
    ],
    ids=["none", "the default", "two"],
)
def test_house_rules_stand_in_the_margin(settings: tuple[tuple[str, str], ...], line: str) -> None:
    pdf = deck_pdf(settings=settings)
    margin = (210 - 190.5) / 2
    margins = text_in(pdf, 0, 0, 0, margin, 300) + " " + text_in(pdf, 0, 210 - margin, 0, 210, 300)
    assert line in margins
    assert f"{line}," not in margins
    info = reader(pdf).metadata
    assert info is not None
    assert info.subject == line


def test_every_house_rule_at_once_still_fits_the_margin() -> None:
    """The line in the margin stays on the paper, however many rulings differ."""
    others = {name: [*switch.options][-1] for name, switch in hackjack().switches.items()}
    for paper in PAPERS:
        size = sheets.paper_sizes()[paper]
        for char in chars(deck_pdf(paper=paper, settings=tuple(others.items())), 0):
            assert char.left >= sheets.MIN_MARGIN - 1
            assert char.right <= size.width
            assert char.bottom >= sheets.MIN_MARGIN
            assert char.top <= size.height - sheets.MIN_MARGIN


@pytest.mark.parametrize("card", few_quick(2, ["poker", "mini", "bridge", "tarot", "jumbo"]))
@pytest.mark.parametrize("paper", PAPERS)
def test_house_rules_in_the_margin_keep_off_the_marks(paper: str, card: str) -> None:
    others = tuple((name, [*switch.options][-1]) for name, switch in hackjack().switches.items())
    system, size = with_settings(hackjack(), others), sheets.card_sizes()[card]
    pdf = deck.sheets(system, msgspec.structs.replace(options(paper=paper, backs="none"), card=size))
    layout = sheets.packed_grid(sheets.paper_sizes()[paper], size)
    (left, right), (foot, top) = ((cuts[0], cuts[-1]) for cuts in (layout.cuts_up, layout.cuts_across))
    said = text_in(pdf, 0, right, 0, 300, 300) + " " + text_in(pdf, 0, 0, top, 300, 300)
    assert all(f"{name}: {value}" in re.sub(r"\s+", " ", said) for name, value in others)
    for char in chars(pdf, 0):
        assert 3.5 < char.left < char.right < layout.paper.width - 3.5
        assert 3.5 < char.bottom < char.top < layout.paper.height - 3.5
        if 0.9 < max(left - char.right, char.left - right) < 4:
            assert not [cut for cut in layout.cuts_across if char.bottom - 0.3 < cut < char.top + 0.3]
        if 0.9 < max(foot - char.top, char.bottom - top) < 4:
            assert not [cut for cut in layout.cuts_up if char.left - 0.3 < cut < char.right + 0.3]


# --- the same bytes ------------------------------------------------------------------------------------------------


def test_the_same_bytes_twice() -> None:
    assert deck.sheets(hackjack(), options()) == deck.sheets(hackjack(), options()) == deck_pdf()


@pytest.mark.slow
def test_the_same_bytes_in_any_process_and_folder(tmp_path: Path) -> None:
    made = []
    for seed, bare in (("1", []), ("2", []), ("3", ["--bare"])):
        folder = tmp_path / f"somewhere {seed}"
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-m", "generator", "print", "hackjack", "deck", *bare, "-o", "."],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": f"UTC+{seed}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "hackjack-deck.pdf\n"
        made.append((folder / "hackjack-deck.pdf").read_bytes())
    assert made[0] == made[1] and made[2] == deck_pdf(guide=True)


def test_no_path_and_no_day_is_baked_in() -> None:
    raw = deck_pdf(compressed=False)
    assert str(ROOT).encode() not in raw
    assert set(re.findall(rb"D:(\d{8})", raw)) == {b"20000101"}


# --- what does not fit ---------------------------------------------------------------------------------------------


def test_a_card_that_cannot_fit_is_named(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    path = pack / "deck.yaml"
    before, mark, after = path.read_text(encoding="utf-8").partition("  - code: KS\n")
    longer = after.replace(
        "[suffer broken until recovery", f"[{'suffer marked until recovery, ' * 10}suffer broken until recovery", 1
    )
    path.write_text(before + mark + re.sub("    says: .*\n", "", longer, count=1), encoding="utf-8")
    system = load_pack(pack).system
    with pytest.raises(
        OverfullError, match=r"^KS: the text does not fit its card: at 6\.5 pt, the smallest type, it needs"
    ):
        deck.sheets(system, options())
    done = run("print", "hackjack", "deck", "--pack", pack, "-o", tmp_path / "out")
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert done.err.startswith("hackjack deck: KS: the text does not fit its card")
    assert not (tmp_path / "out").exists()


def test_a_name_that_cannot_fit_is_named(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    path = pack / "deck.yaml"
    long = "Wretched wound of the western wood " * 2
    path.write_text(path.read_text(encoding="utf-8").replace("name: Carved", f"name: {long}"), encoding="utf-8")
    done = run("print", "hackjack", "deck", "--pack", pack, "-o", tmp_path / "out")
    assert (done.code, done.out) == (1, "")
    assert done.err == "hackjack deck: QS: the name does not fit in two lines: shorten it\n"


def test_text_from_a_stranger_is_only_text(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    path = pack / "deck.yaml"
    name = 'A <b>{{ 7*7 }}</b> & "B" %s \\n'
    path.write_text(path.read_text(encoding="utf-8").replace("name: Carved", f"name: '{name}'"), encoding="utf-8")
    pdf = deck.sheets(load_pack(pack).system, options(only=("QS",)))
    assert squeezed(name) in squeezed(text_in(pdf, 0, 0, 0, 300, 300))


# --- pictures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dpi", "size"), [(72, (180, 252)), (150, (375, 525)), (None, (750, 1050))])
def test_pictures_of_cards(dpi: int | None, size: tuple[int, int], tmp_path: Path) -> None:
    chosen = ["--dpi", str(dpi)] if dpi else []
    done = run("print", "hackjack", "deck", "--target", "png", *chosen, "--only", "QS,10h", "-o", tmp_path)
    folder = tmp_path / "hackjack-deck-png"
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [str(folder / f"{name}.png") for name in ("QS", "10H", "back")]
    for path in map(Path, done.out.splitlines()):
        with Image.open(path) as picture:
            assert picture.format == "PNG"
            assert picture.size == size
            assert picture.info["dpi"] == (pytest.approx(dpi or 300, abs=0.5),) * 2
    assert {path.name for path in folder.iterdir()} == {"QS.png", "10H.png", "back.png"}


def test_pictures_of_the_whole_deck_are_the_printed_cards(tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--target", "png", "--dpi", "50", "--backs", "none", "-o", tmp_path)
    assert [Path(line).stem for line in done.out.splitlines()] == list(FULL_DECK)
    seen = {Path(line).read_bytes() for line in done.out.splitlines()}
    assert len(seen) == 52
    with Image.open(io.BytesIO(Path(done.out.splitlines()[0]).read_bytes())) as picture:
        assert picture.size == (round(63.5 / 25.4 * 50), round(88.9 / 25.4 * 50))


def test_a_single_card_is_the_card_of_the_sheet() -> None:
    """Cut out of its sheet, a card is the same as alone."""

    def letters(pdf: bytes, page: int, place: tuple[float, float]) -> list[tuple[str, float, float]]:
        return [
            (char.text, char.x - place[0], char.y - place[1])
            for char in chars(pdf, page)
            if place[0] <= char.x <= place[0] + 63.5 and place[1] <= char.y <= place[1] + 88.9
        ]

    page, place = places("a4")["JD"]
    alone = letters(deck_pdf(single=True), FULL_DECK.index("JD"), (0, 0))
    on_sheet = letters(deck_pdf(), page, (place.x, place.y))
    assert len(on_sheet) == len(alone)
    for text, x, y in on_sheet:
        assert any(text == other and abs(x - left) + abs(y - foot) < 0.02 for other, left, foot in alone)
    assert len(alone) > 50


def test_forms_are_shared() -> None:
    """The back is drawn once for all 52: the file stays small."""
    stream = ContentStream(reader(deck_pdf()).pages[1].get_contents(), None)
    assert sum(operator == b"Do" for _, operator in stream.operations) == 9
    assert len(deck_pdf()) < 400_000

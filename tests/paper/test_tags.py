"""Tagged PDF: what a screen reader hears of a page is what the HTML edition says."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pypdfium2.raw as pdfium
import pytest
from helpers import (
    annotations_of,
    copy_pack,
    deck_pdf,
    fiftytwo,
    hackjack,
    opened,
    options,
    product_pdf,
    reader,
    root_of,
    shipped,
    squeezed,
)
from orders.test_reading import ALL, read
from PIL import Image
from tagged import Element, Field, marked, tagging_faults, tree

from generator.base.emblem_names import EMBLEMS
from generator.games.card_products import card_set, card_set_names
from generator.layout import reading, sheets
from generator.layout.card_elements import Emblem, Flavour, emblem_shown, short_form, sticker_form
from generator.layout.reading import BLANK, Head, Items, SpokenText
from generator.layout.sheet_data import Filling
from generator.layout.targets import layout_of, targets_by_name
from generator.orders import plain_pages
from generator.orders.editions import html_page
from generator.pack.load import load_pack
from generator.paper.panel_options import PanelOptions
from generator.products import calibration, deck, labels, panels
from generator.words.effects import card_sentences

A4 = sheets.paper_sizes()["a4"]
QUEEN = f"Queen of spades: {hackjack().cards['QS'].name}"


def printed(name: str, product: str) -> bytes:
    """A product of a system as it is printed at home, forms to be filled in."""
    if product in card_set_names(shipped(name)):
        return product_pdf(name, product, jokers=True)
    return product_pdf(name, product, fillable=product == "sheet")


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
    r"Card\s+Wound\s+Figures\s+What it does", r"\b\d+ boxes\.", r"\(ticked\)|\bnot ticked\b", BLANK,
)  # fmt: skip
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
        # The HTML edition draws emblems as well.
        cards[-1] += f" {kid.said}" if kid.instead not in EMBLEMS.values() else ""
    return " ".join(card for at, card in enumerate(cards) if not at or card != cards[at - 1])


QUICK = {
    "hackjack": ("screen",), "glog": ("reference",), "jackrealms": ("scenes",), "deadlands": ("sheet",),
    "fiftytwo": ("actions",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "product"),
    [pytest.param(*pair, marks=() if pair[1] in QUICK[pair[0]] else pytest.mark.slow) for pair in ALL],
)
def test_a_pdf_says_what_the_html_edition_says(name: str, product: str) -> None:
    told = " ".join(Main(html_page(read(name, product))).said)
    for pattern in ON_SCREEN_ALONE:
        told = re.sub(pattern, "", told)
    pdf, of_cards = printed(name, product), product in card_set_names(shipped(name))
    document = tree(pdf)
    said = of_copies(document) if of_cards else document.said
    for picture in re.findall(r"The picture marks[^.]*\.", told):
        # A card that is full of words has no room for its picture.
        told = told if picture in said else told.replace(picture, "")
    words, spoken = heard(told), heard(said)
    for face in card_set(shipped(name), product).faces if of_cards else ():
        for part in face.parts:
            # Nor, where it has lines to write on, for its flavour.
            if isinstance(part, Flavour) and heard(part.text) not in spoken:
                words = words.replace(heard(part.text), "")
    assert spoken == words
    assert next(element.tag for element in document.all("H1", "H2")) == "H1"
    # Every piece of a page is an artifact or in the tree.
    assert tagging_faults(pdf) == []
    for number, pieces in enumerate(marked(pdf)):
        assert ("/StructParents" in reader(pdf).pages[number]) == any(place >= 0 for place in pieces)
    # Only signs have words put in their place; else the comparison with the HTML edition would compare it with itself.
    for item in document.all("LBody"):
        # A bar with its label and its figure, under the word for all of them.
        assert item.instead is None or heard(item.instead).endswith(heard(item.printed))
    for paragraph in document.all("P") if not of_cards else ():
        # A source is called one, a sign is named, and steps are said to lead on.
        end, instead = heard(paragraph.printed)[-12:], paragraph.instead
        assert instead is None or heard(instead).endswith(end) or "each step leads" in instead


def queen(pdf: bytes) -> list[Element]:
    """What is said of the Queen of spades, but for her emblem."""
    kids = [kid for kid in tree(pdf).kids if isinstance(kid, Element)]
    start = next(at for at, kid in enumerate(kids) if kid.instead == QUEEN)
    return [kid for kid in kids[start : start + 5] if kid.tag != "Figure"]


def test_a_card_is_a_heading_a_list_and_its_figures_in_words() -> None:
    pdf = deck_pdf(only=("QS",))
    face = next(face for face in card_set(hackjack(), "deck").faces if face.code == "QS")
    (emblem,) = (emblem_shown(part) for part in face.parts if isinstance(part, Emblem))
    assert EMBLEMS[emblem] in [figure.instead for figure in tree(pdf).all("Figure")]
    heading, flavour, sentences, figures, *_ = queen(pdf)
    assert [kid.tag for kid in (heading, flavour, sentences, figures)] == ["H2", "P", "L", "P"]
    card = hackjack().cards["QS"]
    assert [squeezed(item.said) for item in sentences.all("LBody")] == [
        squeezed(str(sentence)) for sentence in card_sentences(card, hackjack())
    ]
    assert str(figures.instead) == f"Score: 10; Trauma: {card.trauma}."
    assert squeezed(flavour.said) == squeezed(str(card.flavour))
    # Cards too small for sentences say the short form that is on them.
    mini = msgspec.structs.replace(options(only=("QS",), text="large"), card=sheets.card_sizes()["mini"])
    (item,) = next(kid for kid in queen(deck.sheets(hackjack(), mini)) if kid.tag == "L").all("LBody")
    assert item.instead is None and heard(item.said) == heard(short_form(face))
    # A sticker says its name, its words and its signs.
    l7651 = layout_of(targets_by_name()["l7651"], A4, sheets.card_sizes()["poker"])
    stickers = labels.label_sheets(hackjack(), options(layout=l7651, compressed=False, only=("QS",)), 1.5)
    heading, words, signs, *_ = queen(stickers)
    assert [kid.tag for kid in (heading, words, signs)] == ["H2", "P", "P"]
    assert words.instead is None and heard(words.said) == heard(sticker_form(face))
    assert str(signs.instead).startswith("Score: 10; Trauma: ")


def test_what_repeats_or_frames_is_no_text() -> None:
    first, back = marked(deck_pdf(jokers=True))[:2]
    assert "print at 100 %" in first[-1]
    assert "Hackjack 1.0" in first[-1]
    assert set(back) <= {-1}
    # The word in the rule of a card is its suit's, which the heading over the suit says.
    assert "BATTERED" in first[-1]
    (cards,) = marked(printed("hackjack", "reference-cards"))
    assert set(cards) == {-1}


@pytest.mark.parametrize("name", [name for name, product in ALL if product == "sheet"])
def test_every_field_of_a_sheet_is_read_once_and_described(name: str) -> None:
    pdf = printed(name, "sheet")
    fields = [kid for form in tree(pdf).all("Form") for kid in form.kids if isinstance(kid, Field)]
    assert all(field.tip.strip() for field in fields)
    pages = reader(pdf).pages
    drawn = [one for page in pages for one in annotations_of(page)]
    assert sorted(field.name for field in fields) == sorted(one["/T"] for one in drawn)
    assert sorted(one["/StructParent"] for one in drawn) == [*range(len(pages), len(pages) + len(drawn))]
    # The boxes of a list are drawn row by row, and read, as the tab key goes, column by column.
    states = [int(field.name.removeprefix("states_")) for field in fields if field.name.startswith("states_")]
    assert states == sorted(states)
    assert all(page["/Tabs"] == "/S" for page in pages)


def test_a_cell_that_heads_a_table_says_whether_a_column_or_a_row() -> None:
    tables = [[*table.all("TR")] for table in tree(printed("hackjack", "screen")).all("Table")]
    for first, *others in tables:
        if len([*first.all("TH")]) > 1:
            assert {cell.attributes["/Scope"] for cell in first.all("TH")} == {"/Column"}
        assert {cell.attributes["/Scope"] for line in others for cell in line.all("TH")} <= {"/Row"}
    assert any(len([*first.all("TH")]) > 1 for first, *_ in tables) and any(len(table) > 1 for table in tables)


def test_a_filled_field_says_what_it_holds() -> None:
    filling = Filling("Bryn", {"score": 13})
    pdf = panels.sheet(hackjack(), PanelOptions(A4, fillable=True, filling=filling))
    texts = {
        field.name: field.said for form in tree(pdf).all("Form") for field in form.kids if isinstance(field, Field)
    }
    assert texts["name"] == "Bryn"
    plain = tree(panels.sheet(hackjack(), PanelOptions(A4, filling=filling)))
    assert not list(plain.all("Form"))
    assert any(heard(said.said) == heard("Name: Bryn") for said in plain.all("P"))


def test_a_picture_of_a_pack_is_described(tmp_path: Path) -> None:
    folder = copy_pack(tmp_path / "mine")
    (folder / "art").mkdir()
    Image.new("RGB", (600, 400), (150, 30, 160)).save(folder / "art" / "cut-throat.png")
    cards = folder / "deck.yaml"
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace("  - code: 2S\n", "  - code: 2S\n    art: art/cut-throat.png\n"), encoding="utf-8")
    system = load_pack(folder).system
    chosen = options(only=("2S",), backs="none")
    (figure,) = tree(deck.sheets(system, chosen)).all("Figure")
    assert figure.instead == "Picture: cut throat."
    told = reading.cards_reading(system, "deck", deck.faces(card_set(system, "deck"), ("2S",)))
    assert "<p>Picture: cut throat.</p>" in html_page(told)
    # Where ink is saved the picture is not printed, and nothing says that it is.
    saver = msgspec.structs.replace(chosen, ink="saver")
    assert "cut throat" not in tree(deck.sheets(system, saver)).said


@pytest.mark.parametrize(
    ("product", "expected"),
    [
        ("mat", "Part 1 of 6 of the field in full size."),
        ("combatants", "+4, modifier"),
        ("box", "solid: cut; dashed: fold back; hatched: glue"),
        ("tokens", "of 1 Blood; "),
        ("calibration", "A cross that should meet the middle of the rulers."),
    ],
)
def test_pages_that_have_no_other_edition_are_tagged_too(product: str, expected: str) -> None:
    if product == "calibration":
        layout = layout_of(targets_by_name()["home"], A4, sheets.card_sizes()["poker"])
        assert layout is not None
        pdf = bytes(calibration.calibration_pages("home", layout, (0.0, 0.0), backs=True))
    else:
        pdf = bytes(panels.panel_pages(hackjack() if product == "tokens" else fiftytwo(), product, PanelOptions(A4)))
    assert tagging_faults(pdf) == []
    assert expected in tree(pdf).said


def test_a_chronicle_of_many_pages_is_read_in_its_order() -> None:
    chapters = [
        part
        for at in range(12)
        for part in (
            Head(2, f"Session {at}: the mill"),
            Items(
                tuple(f"1d {step} h Bryn's arm is cut, and (so it seems) for good. " * (1 + step) for step in range(9))
            ),
        )
    ]
    told = SpokenText("Hackjack: mill", "Hackjack 1.0", (*chapters, Items(("A long day. " * 900,))))
    pdf = bytes(plain_pages.reading_pdf(told, A4))
    assert heard(tree(pdf).said) == heard(told.title + " ".join(Main(html_page(told)).said))
    assert len(reader(pdf).pages) > 5
    assert [entry["/Title"] for entry in reader(pdf).outline if isinstance(entry, dict)] == [
        f"Session {at}: the mill" for at in range(12)
    ]
    assert tagging_faults(pdf) == []


def test_print_shops_and_pictures_get_no_tags() -> None:
    leaf = deck.Leaf(process=True, turns="before")
    for pdf in (
        deck.singles(hackjack(), options(only=("2S",)), leaf=leaf),
        deck.singles(hackjack(), options(only=("2S",), tagged=False)),
    ):
        root = root_of(bytes(pdf))
        assert not {"/StructTreeRoot", "/MarkInfo"} & set(root)
        assert b"BDC" not in reader(bytes(pdf)).pages[0].get_contents().get_data()
        assert root["/Lang"] == "en" and root["/ViewerPreferences"]["/DisplayDocTitle"]


def test_pdfium_reads_the_same_tree() -> None:
    with opened(deck_pdf(jokers=True)) as document:
        page = document[0]
        root = pdfium.FPDF_StructTree_GetForPage(page.raw)
        top = pdfium.FPDF_StructTree_GetChildAtIndex(root, 0)
        kids = [pdfium.FPDF_StructElement_GetChildAtIndex(top, at) for at in range(8)]
        assert [_asked(pdfium.FPDF_StructElement_GetType, kid) for kid in kids[:5]] == ["H1", "H2", "Figure", "P", "L"]
        assert _asked(pdfium.FPDF_StructElement_GetActualText, kids[0]).startswith("Clubs: ")
        pdfium.FPDF_StructTree_Close(root)
        page.close()


def _asked(get: Callable[..., int], element: object) -> str:
    length = get(element, None, 0)
    letters = ctypes.create_string_buffer(length)
    get(element, letters, length)
    return letters.raw.decode("utf-16-le").rstrip("\0")

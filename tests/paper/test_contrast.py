"""Easy on the eyes: letters stand out from their ground on every product, and the options for ink and colours hold."""

from __future__ import annotations

import io
from collections.abc import Sequence
from ctypes import c_float, c_uint
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from helpers import opened, options, product_pdf, reader, run, shipped, text_of
from hypothesis import given
from hypothesis import strategies as st
from ink_coverage import coverage
from msgspec.structs import replace
from PIL import Image

from generator.games.card_products import card_set_names
from generator.layout import sheets
from generator.pack import pack_locations, themes
from generator.pack.load import load_pack
from generator.paper import ink
from generator.paper.themed import fonts_of_theme
from generator.products import deck

pytestmark = pytest.mark.xdist_group("test_contrast")


def themes_with(*slow: str) -> list[Any]:
    """These themes with `--slow`, every other one weekly."""
    names = dict.fromkeys((*slow, *themes.shipped()))
    return [pytest.param(name, marks=pytest.mark.slow if name in slow else pytest.mark.weekly) for name in names]


SCALE = 2.0
"""Dots to a point."""
PANELS = ("screen", "sheet", "reference")


PRODUCTS = [
    (name, product)
    for name in pack_locations.shipped()
    for product in (*card_set_names(shipped(name)), *(file for file, _ in shipped(name).panels))
]
LOOKS: dict[str, dict[str, Any]] = {
    "normal": {},
    "high": {"contrast": "high"},
    "four": {"suits": "four"},
    "high-four": {"contrast": "high", "suits": "four"},
    "saver": {"ink": "saver"},
    "saver-high": {"ink": "saver", "contrast": "high"},
}


def printed(name: str, product: str, look: str, *, backs: bool = False) -> bytes:
    """A product as it is printed in a look."""
    if product in PANELS:
        return product_pdf(name, product, **LOOKS[look])
    return product_pdf(name, product, backs="duplex" if backs else "none", jokers=True, **LOOKS[look])


THEMED = [
    (name, product, theme)
    for theme, (name, product) in zip(
        cycle(themes.shipped()), [pair for pair in PRODUCTS if pair[1] not in PANELS], strict=False
    )
]
"""Every set of cards, each in another theme."""
SMALL = (
    *(("fiftytwo", "initiative"), ("fiftytwo", "actions"), ("glog", "severity")),
    *(("jackrealms", "deck"), ("jackrealms", "scenes")),
)
"""Sets that are soon looked over, one in each theme."""
LOOKS |= {name: {"theme": theme} for name, theme in themes.shipped().items()}


@dataclass(frozen=True)
class Letters:
    """Some text on a page: its colour, and the colours of what lies under it with their share of the ground."""

    says: str
    colour: ink.Rgb
    ground: dict[ink.Rgb, float]

    @property
    def contrast(self) -> float:
        """The contrast to the worst part of the ground that is more than the edge of something."""
        return min(ink.contrast(self.colour, colour) for colour, share in self.ground.items() if share > 0.12)


def inked(pdf: bytes) -> list[float]:
    """The ink of each page in per cent of its area. Pages that are alike, as of backs, are drawn once."""
    drawn = [page.get_contents().get_data() for page in reader(pdf).pages]
    with opened(pdf) as document:
        shares = dict(zip(set(drawn), coverage([document[drawn.index(page)] for page in set(drawn)]), strict=True))
    return [shares[page] for page in drawn]


@cache
def letters(pdf: bytes) -> tuple[Letters, ...]:
    """All text of a file over what the pages show once the text has been taken away."""
    found: list[Letters] = []
    with opened(pdf) as document:
        for page in document:
            found += _page(page)
            page.close()
    return tuple(found)


def _page(page: pypdfium2.PdfPage) -> list[Letters]:
    items = [pdfium.FPDFPage_GetObject(page.raw, at) for at in range(pdfium.FPDFPage_CountObjects(page.raw))]
    texts = [item for item in items if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_TEXT]
    layer = page.get_textpage()
    seen = [(_says(item, layer), _colour(item), _bounds(item)) for item in texts]
    layer.close()
    for item in texts:
        assert pdfium.FPDFPage_RemoveObject(page.raw, item)
    picture = page.render(scale=SCALE, rev_byteorder=True).to_pil()
    assert picture.mode == "RGB"
    return [Letters(says, colour, _ground(picture, box)) for says, colour, box in seen if box and says.strip()]


def _says(item: Any, layer: pypdfium2.PdfTextPage) -> str:
    length = pdfium.FPDFTextObj_GetText(item, layer.raw, None, 0)
    buffer = (pdfium.FPDF_WCHAR * max(length // 2, 1))()
    pdfium.FPDFTextObj_GetText(item, layer.raw, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


def _colour(item: Any) -> ink.Rgb:
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    assert pdfium.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)
    return red.value / 255, green.value / 255, blue.value / 255


def _bounds(item: Any) -> tuple[float, float, float, float] | None:
    left, foot, right, top = c_float(), c_float(), c_float(), c_float()
    pdfium.FPDFPageObj_GetBounds(item, left, foot, right, top)
    box = (left.value, foot.value, right.value, top.value)
    return box if right.value - left.value > 0.5 and top.value - foot.value > 0.5 else None


def _ground(picture: Image.Image, box: tuple[float, float, float, float]) -> dict[ink.Rgb, float]:
    left, foot, right, top = (edge * SCALE for edge in box)
    part = picture.crop((int(left), int(picture.height - top), int(right) + 1, int(picture.height - foot) + 1))
    count = part.width * part.height
    colours = part.getcolors(count)
    assert colours
    return {(r / 255, g / 255, b / 255): many / count for many, (r, g, b) in colours}  # type: ignore[misc]


def layers(pdf: bytes) -> list[tuple[str, list[tuple[float, ...]]]]:
    """What each page says, and the places of its lines."""
    found = []
    with opened(pdf) as document:
        for number in range(len(document)):
            with text_of(document, number) as text:
                places = [text.get_rect(at) for at in range(text.count_rects())]
                found.append((text.get_text_range(), places))
    return found


def paints(pdf: bytes) -> set[tuple[int, int, int]]:
    """The colours that a file paints with."""
    found = set()
    with opened(pdf) as document:
        for page in document:
            for at in range(pdfium.FPDFPage_CountObjects(page.raw)):
                found.add(tuple(round(part * 255) for part in _colour(pdfium.FPDFPage_GetObject(page.raw, at))))
            page.close()
    return found  # type: ignore[return-value]


# --- contrast --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("look", [look for look in LOOKS if look not in themes.shipped()])
@pytest.mark.parametrize(("name", "product"), PRODUCTS)
def test_letters_stand_out_from_their_ground(name: str, product: str, look: str) -> None:
    least = ink.SHARP if "high" in look else ink.READABLE
    found = letters(printed(name, product, look))
    assert len(found) > 10  # the pile cards have fifteen
    faint = {(one.says, round(one.contrast, 2)) for one in found if one.contrast < least}
    assert faint == set()


def with_long_ones(pairs: Sequence[tuple[str, ...]], usual: int) -> list[Any]:
    """So many of the cases, from all of them evenly; the others are for --slow."""
    each = -(-len(pairs) // usual)
    return [pytest.param(*pair, marks=pytest.mark.slow if at % each else ()) for at, pair in enumerate(pairs)]


@pytest.mark.parametrize(
    ("name", "product", "theme"),
    [pytest.param(*each, marks=() if each[:2] in SMALL else pytest.mark.slow) for each in THEMED],
)
def test_letters_stand_out_in_every_theme(name: str, product: str, theme: str) -> None:
    found = letters(printed(name, product, theme))
    assert len(found) > 10
    assert {(one.says, round(one.contrast, 2)) for one in found if one.contrast < ink.READABLE} == set()


@pytest.mark.parametrize("theme", themes_with("night", "parchment"))
@pytest.mark.parametrize(("name", "product"), [pair for pair in PRODUCTS if pair[1] not in PANELS])
def test_letters_stand_out_in_every_theme_of_every_set(name: str, product: str, theme: str) -> None:
    shown = themes.shipped()[theme]
    for suits in ("two", "four"):
        found = letters(product_pdf(name, product, backs="none", jokers=True, theme=shown, suits=suits))
        assert {(one.says, round(one.contrast, 2)) for one in found if one.contrast < ink.READABLE} == set()


EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "docs" / "examples").glob("*/system.yaml"))


@pytest.mark.parametrize("theme", themes_with("own"))
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_letters_stand_out_on_the_cards_of_every_example(folder: Path, theme: str) -> None:
    """Their own pictures lie in the window, and behind what is written there."""
    system = load_pack(folder).system
    shown = themes.shipped().get(theme, system.theme)
    for product in card_set_names(system):
        with fonts_of_theme(shown, system):
            found = letters(bytes(deck.sheets(system, options(backs="none", theme=shown), product=product)))
        assert {(one.says, round(one.contrast, 2)) for one in found if one.contrast < ink.READABLE} == set()


@pytest.mark.parametrize("theme", themes_with("night", "parchment"))
@pytest.mark.parametrize("size", ["mini", "bridge", "tarot", "jumbo"])
def test_letters_stand_out_on_cards_of_every_size(size: str, theme: str) -> None:
    shown = themes.shipped()[theme]
    asked = options(backs="none", jokers=True, theme=shown, only=("AC", "9C", "QS", "JD", "6H", "RJ"))
    with fonts_of_theme(shown, shipped("hackjack")):
        pdf = deck.singles(shipped("hackjack"), replace(asked, card=sheets.card_sizes()[size]))
    found = letters(bytes(pdf))
    assert {(one.says, round(one.contrast, 2)) for one in found if one.contrast < ink.READABLE} == set()


@pytest.mark.parametrize("suits", ["two", "four"])
def test_every_ink_of_ours_is_readable_on_paper(suits: Any) -> None:
    inks = ink.Inks(suits)
    for colour in (ink.BLACK, ink.GREY, ink.OXBLOOD, *(inks.of(suit) for suit in ("C", "S", "D", "H", "RJ", "BJ"))):
        assert ink.contrast(colour) >= ink.READABLE
        assert ink.contrast(ink.sharpened(colour)) >= ink.SHARP
        # Numbers stand in white on the suits' colours, and letters on their palest tints.
        assert ink.contrast(ink.BLACK, ink.tint(colour, 0.11)) >= ink.SHARP


@given(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)))
def test_sharpened_colours_are_white_unchanged_or_sharp(colour: ink.Rgb) -> None:
    sharp = ink.sharpened(colour)
    assert sharp in (colour, ink.WHITE) or ink.contrast(sharp) >= ink.SHARP
    assert all(0 <= part <= 1 for part in sharp)
    if ink.contrast(colour) >= ink.READABLE:
        assert ink.contrast(sharp) >= ink.SHARP
    assert ink.sharpened(sharp) == sharp


@pytest.mark.parametrize(("name", "product"), with_long_ones(PRODUCTS, 6))
def test_high_contrast_leaves_the_words_and_their_places(name: str, product: str) -> None:
    plain, high = (layers(printed(name, product, look)) for look in ("normal", "high"))
    assert plain == high
    assert all(says and places for says, places in plain)


@pytest.mark.parametrize(("name", "product"), with_long_ones(PRODUCTS, 6))
def test_high_contrast_prints_no_pale_ground(name: str, product: str) -> None:
    for red, green, blue in paints(printed(name, product, "high")):
        against = ink.contrast((red / 255, green / 255, blue / 255))
        assert against == 1 or against >= 1.49  # 1.5, read back from whole 255ths


# --- four suits, and ink to spare ------------------------------------------------------------------------------------


@pytest.mark.parametrize("product", ["deck", "screen"])
def test_four_suits_have_four_colours(product: str) -> None:
    """The edges of a screen's panels have these colours whatever the suits have."""
    blue, green = (tuple(round(part * 255) for part in colour) for colour in (ink.BLUE, ink.GREEN))
    two, four = (paints(printed("hackjack", product, look)) for look in ("normal", "four"))
    assert {blue, green} <= four
    assert not {blue, green} & two or product == "screen"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "product"), PRODUCTS)
def test_saving_ink_saves_ink(name: str, product: str) -> None:
    backs = product not in PANELS
    full, saver = (inked(printed(name, product, look, backs=backs)) for look in ("normal", "saver"))
    assert len(full) == len(saver)
    assert sum(saver) <= (0.5 if backs else 1) * sum(full)
    assert max(saver) < 20


def test_print_takes_the_options_for_all_products(tmp_path: Path) -> None:
    looks = ("--contrast", "high", "--suits", "four", "--ink", "saver")
    done = run("print", "hackjack", "deck", "screen", "--only", "QS,3D", *looks, "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    for product in ("deck", "screen"):
        data = (tmp_path / f"hackjack-{product}.pdf").read_bytes()
        assert min(one.contrast for one in letters(data)) >= ink.SHARP
    done = run("print", "hackjack", "deck", "--contrast", "higher", "-o", tmp_path)
    assert (done.code, len(done.faults)) == (2, 1)


def test_a_shop_gets_high_contrast_in_process_inks(tmp_path: Path) -> None:
    pytest.importorskip("pikepdf")
    run("print", "hackjack", "deck", "--only", "QS", "--target", "drivethru", "--contrast", "high", "-o", tmp_path)
    (path,) = tmp_path.glob("*.pdf")
    assert "rg" not in {op.decode() for page in reader(path.read_bytes()).pages for _, op in _operations(page)}
    assert min(one.contrast for one in letters(path.read_bytes())) >= ink.SHARP


def _operations(page: Any) -> Any:
    from pypdf.generic import ContentStream

    return ContentStream(page.get_contents(), page.pdf).operations


def test_a_picture_of_nothing_is_no_witness() -> None:
    """The measure itself: grey on grey is found out."""
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream)
    canvas.setFillColorRGB(0.7, 0.7, 0.7)
    canvas.rect(50, 50, 200, 100, stroke=0, fill=1)
    canvas.setFillColorRGB(0.4, 0.4, 0.4)
    canvas.drawString(80, 80, "faint")
    canvas.save()
    (found,) = letters(stream.getvalue())
    assert found.says == "faint"
    assert found.contrast == pytest.approx(ink.contrast((0.4, 0.4, 0.4), (0.7, 0.7, 0.7)), abs=0.05)

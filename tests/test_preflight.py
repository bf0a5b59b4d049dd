"""Preflight: every kind of fault, planted in a file and found; sound files pass; bad files end in one sentence."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest
from helpers import MM, ROOT, deck_pdf, hackjack, run
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)
from reportlab.lib.colors import CMYKColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from generator import preflight
from generator.base.errors import HackjackError
from generator.layout import sheets
from generator.layout.artwork import separated
from generator.layout.printed import Printed, Text
from generator.layout.targets import targets
from generator.paper import back, fonts
from generator.paper.panel_options import PanelOptions
from generator.preflight import Demands, seen
from generator.preflight.inks import painted
from generator.products import panels

POKER = sheets.cards()["poker"]
BLEED = 3.175
SHOP = Demands(
    "drivethru",
    least_type=6.5,
    trim=sheets.Size(POKER.width, POKER.height),
    bleed=BLEED,
    cmyk=True,
    ink=240,
    pdfx=True,
    strict=True,
)
Drawing = Callable[[Canvas], None]


def page(
    draw: Drawing | None = None,
    *,
    width: float = 210,
    height: float = 297,
    font: bool = True,
    **changes: Any,
) -> bytes:
    """A page with a line of embedded 9 pt text in its middle, and what `draw` adds to it. Sizes in mm."""
    stream = io.BytesIO()
    first = {"initialFontName": fonts.use(fonts.SANS)} if font else {}
    canvas = Canvas(stream, pagesize=(width * MM, height * MM), invariant=1, pdfVersion=(1, 4), **first, **changes)
    canvas.setTitle("a page")
    words(canvas, "a line of text", 0.38 * width, height / 2)
    if draw is not None:
        draw(canvas)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def words(canvas: Canvas, text: str, x: float, y: float, size: float = 9, font: str = fonts.SANS) -> None:
    canvas.setFont(font if font in ("Helvetica", "Times-Roman") else fonts.use(font), size)
    canvas.drawString(x * MM, y * MM, text)


def picture(side: int, mode: str = "RGB", colour: Any = (90, 20, 20)) -> ImageReader:
    image = Image.new(mode, (side, side), colour)
    image.putpixel((0, 0), tuple(9 for _ in image.getbands()) if len(image.getbands()) > 1 else 9)
    return ImageReader(image)


def near(wanted: str, faults: list[str]) -> bool:
    """Whether there is one fault and it is this one; `#` stands for a length that a letter's own margin may add to."""
    pattern = re.escape(wanted).replace(re.escape("#"), r"\d+\.\d")
    return len(faults) == 1 and bool(re.fullmatch(pattern, faults[0]))


def found(data: bytes, demands: Demands | None = None) -> list[str]:
    """The faults of a file, thoroughly looked at: `check: message` each."""
    report = preflight.thorough(data, demands or Demands())
    return [f"{one.check}: {one.message}" for one in report.errors]


def card_page(draw: Drawing | None = None, *, bleed: float = BLEED, trim: tuple[float, float] | None = None) -> bytes:
    """A card for a print shop: CMYK, boxes, and the keys of PDF/X-1a, with one thing more on it."""
    wide, high = POKER.width + 2 * bleed, POKER.height + 2 * bleed
    stream = io.BytesIO()
    right, top = trim or (POKER.width, POKER.height)
    canvas = Canvas(
        stream,
        pagesize=(wide * MM, high * MM),
        invariant=1,
        pdfVersion=(1, 4),
        initialFontName=fonts.use(fonts.SANS),
        trimBox=(bleed * MM, bleed * MM, (bleed + right) * MM, (bleed + top) * MM),
        bleedBox=(0, 0, wide * MM, high * MM),
    )
    canvas.setTitle("cards")
    canvas.setFillColor(CMYKColor(0.6, 0.4, 0.4, 1))
    words(canvas, "a card", 20, 40)
    if draw is not None:
        draw(canvas)
    canvas.showPage()
    canvas.save()
    return keyed(stream.getvalue())


def keyed(data: bytes, **changes: str | None) -> bytes:
    """The same file with the keys of PDF/X-1a:2003; `changes` to the Info keys, None to leave one out."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    info = {"GTS_PDFXVersion": "PDF/X-1a:2003", "Producer": "a", "Creator": "b", **changes}
    writer.add_metadata({f"/{key}": value for key, value in info.items() if value is not None})
    for key in [key for key, value in changes.items() if value is None]:
        del writer._info.get_object()[f"/{key}"]
    intent = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/OutputIntent"),
            NameObject("/S"): NameObject("/GTS_PDFX"),
            NameObject("/OutputConditionIdentifier"): TextStringObject("CGATS TR 001"),
            NameObject("/RegistryName"): TextStringObject("http://www.color.org"),
        }
    )
    writer._root_object[NameObject("/OutputIntents")] = ArrayObject([intent])
    return written(writer)


def written(writer: pypdf.PdfWriter) -> bytes:
    stream = io.BytesIO()
    writer.generate_file_identifiers()
    writer.write(stream)
    return stream.getvalue()


# --- sound files -----------------------------------------------------------------------------------------------------


def test_a_plain_page_has_nothing_to_mend() -> None:
    report = preflight.thorough(page(), Demands())
    assert report.sound
    assert report.findings == ()
    assert report.figures["smallest_type"] == 9
    assert report.figures["fonts"] == ["SourceSansPro-Regular"]
    assert report.figures["sizes"] == ["210 x 297"]


def test_a_card_for_the_print_shop_passes_its_demands() -> None:
    assert found(card_page(), SHOP) == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_our_own_sheets_of_cards_pass(paper: str) -> None:
    demands = preflight.demands_of("home", targets()["home"], POKER, sheets.papers()[paper])
    report = preflight.thorough(deck_pdf(paper=paper, jokers=True), demands)
    assert report.findings == ()
    assert report.figures["smallest_type"] >= 6.5


@pytest.mark.parametrize("product", ["screen", "sheet", "reference"])
def test_our_own_panels_pass(product: str) -> None:
    make = {"screen": panels.screen, "sheet": panels.sheet, "reference": panels.reference}[product]
    data = make(hackjack(), PanelOptions(sheets.papers()["a4"]))
    assert preflight.thorough(data, preflight.OUR_DEMANDS).findings == ()


def fits(noted: Text, read: Text) -> bool:
    """Whether a note of the pen is what a reader of the file finds. Readers count a blank at the beginning as ink."""
    off = sorted(abs(ours - theirs) for ours, theirs in zip(noted.box, read.box, strict=True))
    alike = (noted.font, noted.embedded) == (read.font, read.embedded) and abs(noted.size - read.size) < 0.05
    return alike and off[2 if noted.says().startswith(" ") else 3] < 0.05


@pytest.mark.parametrize("target", ["home", "single", "l7160", "business", "fold", "screen", "sheet", "reference"])
def test_what_the_pen_notes_is_what_stands_in_the_file(
    target: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What we print is judged by the notes of our pen, without being read again: here both are compared.

    The title on the backs is left out, as is all that stands in forms.
    """
    monkeypatch.setattr(back, "_on_arc", lambda *_: None)
    made: list[Printed] = []
    real = preflight.passed

    def passed(data: Printed, *rest: Any) -> Any:
        made.append(data)
        return real(data, *rest)

    monkeypatch.setattr(preflight, "passed", passed)
    asked = (
        (target,) if target in ("screen", "sheet", "reference") else ("deck", "--only", "QS,6H,RJ", "--target", target)
    )
    nudged = ("--nudge", "1,-2") if target == "l7160" else ()
    assert run("print", "hackjack", *asked, *nudged, "-o", tmp_path).code == 0
    with seen.opened(made[0], "the file") as document:
        pages = list(made[0].pages)
        for page, noted in zip(seen.pages(document), pages, strict=True):
            assert (page.width, page.height) == pytest.approx((noted.width, noted.height), abs=0.01)
            assert (page.trim, page.bleed) == (
                noted.trim and pytest.approx(noted.trim, abs=0.01),
                noted.bleed and pytest.approx(noted.bleed, abs=0.01),
            )
            assert all(fits(note, text) for note, text in zip(noted.texts, page.texts, strict=True))
    assert sum(len(page.texts) for page in pages) > 10


# --- planted faults, as a page looks ---------------------------------------------------------------------------------


def test_a_font_that_is_not_embedded() -> None:
    data = page(lambda canvas: words(canvas, "loose", 50, 50, font="Helvetica"))
    assert found(data) == ["fonts: Helvetica is not embedded: each printer puts in its own"]


def test_a_font_that_is_named_and_never_used_counts_for_print_shops_alone() -> None:
    data = page(font=False)
    assert found(data) == []
    assert "fonts: Helvetica not embedded, though named: no text may use it" in found(data, SHOP)


@pytest.mark.parametrize(("size", "scale"), [(4.0, 1.0), (8.0, 0.5)])
def test_type_that_is_too_small_even_by_scaling(size: float, scale: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.scale(scale, scale)
        words(canvas, "tiny words", 60 / scale, 60 / scale, size)

    assert found(page(draw)) == ['type: "tiny words" is set in 4 pt: 5 pt is the smallest']


def test_type_in_a_form_counts_at_the_size_it_comes_out() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("inner", 0, 0, 500, 500)
        words(canvas, "in a form", 2, 2, 8)
        canvas.endForm()
        canvas.translate(60 * MM, 60 * MM)
        canvas.rotate(30)
        canvas.scale(0.5, 0.5)
        canvas.doForm("inner")

    assert found(page(draw)) == ['type: "in a form" is set in 4 pt: 5 pt is the smallest']


def test_small_type_is_a_warning_before_it_is_a_fault() -> None:
    data = page(lambda canvas: words(canvas, "smallish", 60, 60, 6))
    report = preflight.thorough(data, Demands())
    assert [str(one) for one in report.findings] == [
        'warning: page 1: "smallish" is set in 6 pt: under 6.5 pt is hard to read'
    ]
    assert found(data, preflight.OUR_DEMANDS) == ['type: "smallish" is set in 6 pt: 6.5 pt is the smallest']


def test_text_at_the_edge_of_the_page() -> None:
    data = page(lambda canvas: words(canvas, "edge", 2, 100))
    assert near('safe: "edge" stands # mm from the edge of the page: printers leave 5 mm white', found(data))
    over = page(lambda canvas: words(canvas, "a long line that runs on and on", 190, 100))
    assert found(over) == ['safe: "a long line that runs on and on" stands over the edge of the page: '
                           "printers leave 5 mm white"]  # fmt: skip


def test_text_over_the_safe_line_of_a_card_on_a_sheet() -> None:
    demands = preflight.demands_of("home", targets()["home"], POKER, sheets.papers()["a4"])
    left, foot = demands.cards[4][:2]
    inside = page(lambda canvas: words(canvas, "inside", left + 3.1, foot + 20))
    assert found(inside, demands) == []
    close = page(lambda canvas: words(canvas, "close", left + 1, foot + 20))
    assert near('safe: "close" stands # mm inside the cut: 3 mm is the safe line', found(close, demands))
    across = page(lambda canvas: words(canvas, "across", left - 2, foot + 20))
    assert near('safe: "across" stands # mm over the cut: 3 mm is the safe line', found(across, demands))


def test_text_over_the_safe_line_of_a_trim_box() -> None:
    data = card_page(lambda canvas: words(canvas, "close", BLEED + 1.5, 30))
    assert near('safe: "close" stands # mm inside the cut: 3 mm is the safe line', found(data, SHOP))


def test_a_trim_box_that_is_missing_or_of_another_size() -> None:
    assert "boxes: the TrimBox is missing: a card is cut to 63.5 x 88.9 mm" in found(page(), SHOP)
    assert found(card_page(trim=(60, 88.9)), SHOP) == ["boxes: the TrimBox is 60 x 88.9 mm, not 63.5 x 88.9 mm"]


def test_too_little_bleed() -> None:
    assert found(card_page(bleed=2), SHOP) == ["boxes: 2.00 mm of bleed stand around the card, and 3.175 mm are wanted"]


def test_boxes_that_reach_over_each_other() -> None:
    data = page(width=70, height=100, trimBox=(-10, 0, 100, 100), bleedBox=(0, 0, 150, 150))
    assert found(data)[:2] == [
        "boxes: the TrimBox reaches over the edge of the page",
        "boxes: the TrimBox reaches over the BleedBox",
    ]


def test_a_page_of_another_size() -> None:
    demands = Demands(page=sheets.papers()["a4"])
    assert found(page(), demands) == found(page(width=297, height=210), demands) == []
    assert found(page(width=215.9, height=279.4), demands) == [
        "boxes: the page is 215.9 x 279.4 mm, not 210 x 297 mm",
    ]


@pytest.mark.parametrize(
    ("pixels", "level", "dpi"), [(600, None, 305), (560, "warning", 284), (250, "error", 127), (296, "warning", 150)]
)
def test_an_image_of_too_few_dots(pixels: int, level: str | None, dpi: int) -> None:
    data = page(lambda canvas: canvas.drawImage(picture(pixels), 200, 200, 50 * MM, 50 * MM))
    findings = preflight.thorough(data, Demands()).findings
    assert [one.level for one in findings] == ([level] if level else [])
    if level:
        assert findings[0].message == (
            f"an image of {pixels} x {pixels} pixels on 50.0 x 50.0 mm has {dpi} dpi: 300 are wanted"
        )


def test_an_image_stretched_one_way_counts_by_its_coarser_side() -> None:
    data = page(lambda canvas: canvas.drawImage(picture(600), 100, 200, 50 * MM, 150 * MM))
    (fault,) = found(data)
    assert "has 102 dpi" in fault


# --- planted faults, as a file is built ------------------------------------------------------------------------------


def test_an_rgb_paint_and_an_rgb_image_where_cmyk_is_wanted() -> None:
    def paint(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0.5, 0.2, 0.2)
        canvas.rect(20 * MM, 20 * MM, 10, 10, fill=1)

    assert found(card_page(paint), SHOP) == [
        "colour: paints in RGB: only CMYK, gray and spot colours are wanted",
    ]
    data = card_page(lambda canvas: canvas.drawImage(picture(200), 100, 100, 12 * MM, 12 * MM))
    assert found(data, SHOP) == ["colour: an image in RGB: only CMYK, gray and spot colours are wanted"]
    assert found(card_page(lambda c: c.drawImage(picture(200, "CMYK", (0, 99, 0, 0)), 100, 100, 36, 36)), SHOP) == []


def test_words_in_a_text_are_no_operators() -> None:
    stream = rb"0 0 0 1 k BT (1 0 0 rg \) 1 0 0 RG) Tj <31203020302072672> Tj ET % 1 0 0 rg" + b"\n"
    assert painted(stream, {}).spaces == {"CMYK"}
    assert painted(b"(a (nested 1 1 1 1 k) text) Tj 0.5 g", {}) == painted(b"0.5 g", {})


def test_too_much_ink_of_a_paint() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(CMYKColor(0.8, 0.7, 0.6, 0.9))
        canvas.rect(20 * MM, 20 * MM, 10, 10, stroke=0, fill=1)

    assert found(card_page(draw), SHOP) == ["ink: a paint of 80 70 60 90 % comes to 300 % ink: 240 % is the most"]


@pytest.mark.parametrize("jpeg", [False, True])
def test_too_much_ink_of_an_image(jpeg: bool, tmp_path: Path) -> None:
    image = Image.new("CMYK", (200, 200), (204, 179, 153, 230))
    source = ImageReader(image)
    if jpeg:
        path = tmp_path / "a.jpg"
        image.save(path, quality=100)
        source = ImageReader(io.BytesIO(path.read_bytes()))
    data = card_page(lambda canvas: canvas.drawImage(source, 100, 100, 36, 36))
    (fault,) = found(data, SHOP)
    assert re.fullmatch(r"ink: an image comes to (300|301) % ink: 240 % is the most", fault)


def test_transparency_of_every_kind() -> None:
    def faint(canvas: Canvas) -> None:
        canvas.setFillAlpha(0.5)
        canvas.rect(20 * MM, 20 * MM, 10, 10, stroke=0, fill=1)

    def blended(canvas: Canvas) -> None:
        canvas.setBlendMode("Multiply")
        canvas.rect(20 * MM, 20 * MM, 10, 10, stroke=0, fill=1)

    def masked(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGBA", (200, 200), (9, 9, 9, 99))), 90, 90, 36, 36, mask="auto")

    for draw, what in (
        (faint, "an opacity of 0.5"),
        (blended, "the blend mode Multiply"),
        (masked, "an image with a soft mask"),
    ):
        data = card_page(draw)
        assert f"transparency: the page holds {what}: drivethru takes none" in found(data, SHOP)
        findings = preflight.thorough(data, Demands()).findings
        assert [(one.level, one.check) for one in findings] == [("note", "transparency")]


def test_annotations_and_forms() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.linkURL("https://example.org", (100, 100, 140, 120))
        canvas.acroForm.checkbox(x=80, y=80, name="tick", fieldFlags="")

    data = card_page(draw)
    assert "annotations: the page holds 1 link and 1 form field: drivethru takes none" in found(data, SHOP)
    assert "annotations: the file holds a form to fill in: drivethru takes none" in found(data, SHOP)
    assert [one for one in found(data) if one.startswith("annotations")] == []


def test_a_script_and_an_embedded_file() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(page()))
    writer.add_attachment("a.txt", b"text")
    names: Any = writer._root_object["/Names"]
    names[NameObject("/JavaScript")] = DictionaryObject()
    faults = found(written(writer), SHOP)
    assert "annotations: the file holds a script: drivethru takes none" in faults
    assert "annotations: the file holds an embedded file: drivethru takes none" in faults


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"GTS_PDFXVersion": None}, "the key GTS_PDFXVersion is missing: PDF/X-1a:2003 needs it"),
        ({"GTS_PDFXVersion": "PDF/X-4"}, 'the key GTS_PDFXVersion says "PDF/X-4", not PDF/X-1a:2003'),
        ({"Title": None}, "the document information lacks Title"),
        ({"Trapped": "/Unknown"}, "the key Trapped must say True or False"),
    ],
)
def test_a_key_of_pdfx_that_is_missing_or_wrong(changes: dict[str, str | None], fault: str) -> None:
    assert found(keyed(card_page(), **changes), SHOP) == [f"pdfx: {fault}"]


def test_an_output_intent_that_is_missing_or_half_done() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(card_page()))
    intents = writer._root_object["/OutputIntents"]
    del intents[0]["/RegistryName"]  # type: ignore[index]
    assert found(written(writer), SHOP) == ["pdfx: the output intent has neither a RegistryName nor a profile"]
    del writer._root_object["/OutputIntents"]
    assert found(written(writer), SHOP) == ["pdfx: no output intents for PDF/X: exactly one is wanted"]


def test_a_newer_pdf_is_no_pdfx() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(card_page()))
    writer.pdf_header = "%PDF-1.7"
    assert found(written(writer), SHOP) == ["pdfx: the file is PDF 1.7: PDF/X-1a:2003 is PDF 1.4"]


def test_a_file_that_says_it_is_pdfx_and_is_not_is_told_so_without_a_target() -> None:
    findings = preflight.thorough(keyed(page(), Title=None), Demands()).findings
    assert {(one.level, one.check) for one in findings} == {("note", "pdfx")}


# --- ink on paper ----------------------------------------------------------------------------------------------------


def test_coverage_is_what_the_paper_shows() -> None:
    def half(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0, 0, 0)
        canvas.rect(0, 0, 105 * MM, 297 * MM, stroke=0, fill=1)

    figures = preflight.thorough(page(half), Demands()).figures
    assert figures["coverage"]["most"] == pytest.approx(50, abs=1)


@given(st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255)))
def test_four_inks_come_to_the_same_colour_and_never_over_200_per_cent(colour: tuple[int, int, int]) -> None:
    inks = separated(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
    assert isinstance(inks, tuple)
    assert sum(inks) <= 2 * 255
    assert tuple(255 - ink - inks[3] for ink in inks[:3]) == colour


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_found(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(page(lambda canvas: words(canvas, "edge", 2, 100)))
    done = run("preflight", path)
    assert done.code == 1
    assert near(f'{path}: page 1: "edge" stands # mm from the edge of the page: printers leave 5 mm white', done.faults)
    assert f"{path}: 1 fault to mend" in done.out
    path.write_bytes(page())
    done = run("preflight", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(f"{path}: sound\n")


def test_the_command_speaks_json(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(page(lambda canvas: words(canvas, "tiny", 30, 60, 4)))
    done = run("preflight", path, "--target", "home", "--json")
    shape = json.loads(done.out)
    assert done.code == 1
    assert (shape["file"], shape["target"], shape["sound"]) == (str(path), "home", False)
    assert [(one["level"], one["check"], one["page"]) for one in shape["findings"]] == [
        ("error", "type", 1),
        ("note", "accessibility", None),
    ]
    assert shape["figures"]["smallest_type"] == 4


def test_a_target_or_a_size_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(page())
    done = run("preflight", path, "--target", "hoem")
    assert done.code == 2
    assert 'there is no target "hoem": choose home' in done.err
    done = run("preflight", path, "--target", "home", "--card", "poke")
    assert (done.code, len(done.faults)) == (2, 1)
    path.write_bytes(page(width=50, height=50))
    done = run("preflight", path, "--target", "home")
    assert done.code == 1
    assert "the first page is no sheet for home: a card of 63.5 x 88.9 mm does not fit" in done.err


# --- print looks at its own output -----------------------------------------------------------------------------------


def test_print_hands_over_no_faulty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.paper import card as paper_card

    monkeypatch.setattr(paper_card, "SAFE", 1 * MM)
    done = run("print", "hackjack", "deck", "--only", "QS", "-o", tmp_path)
    assert done.code == 1
    assert len(done.faults) == 1
    assert done.err.startswith("hackjack-deck.pdf would be faulty and was not written: page 1: ")
    assert "3 mm is the safe line" in done.err
    assert list(tmp_path.iterdir()) == []


# --- bad files -------------------------------------------------------------------------------------------------------


def encrypted(password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(page()))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    return written(writer)


def refused(path: Path) -> str:
    done = run("preflight", path)
    assert done.code == 1
    assert done.out == ""
    (line,) = done.faults
    assert line.startswith(str(path))
    return line.removeprefix(f"{path}").strip()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty: name a PDF file"),
        (b"hello, I am a letter", "is no PDF: it does not begin with %PDF"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 5000, "is no PDF: it does not begin with %PDF"),
        (b"%PDF-1.4\n%%EOF", "is damaged: its objects cannot be read; save it anew"),
        (b"%PDF-1.4\n" + b"obj endobj << /Root >> trailer" * 50 + b"startxref\n9\n%%EOF", "is damaged: "),
    ],
)
def test_what_is_no_pdf(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    assert refused(path).startswith(sentence)


@pytest.mark.parametrize("password", ["", "secret"])
def test_an_encrypted_file(password: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(encrypted(password))
    assert refused(path) == "is encrypted: save it without a password or rights, or no print shop can place it"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_short(share: float, tmp_path: Path) -> None:
    data = deck_pdf()
    path = tmp_path / "a.pdf"
    path.write_bytes(data[: int(len(data) * share)])
    assert refused(path) == "is cut short: the mark at the end of a PDF is missing; save or copy it anew"


def test_a_file_that_lost_its_middle(tmp_path: Path) -> None:
    data = deck_pdf()
    path = tmp_path / "a.pdf"
    path.write_bytes(data[: len(data) // 3] + data[-1500:])
    done = run("preflight", path)
    assert done.code == 1
    assert all(line.startswith(str(path)) for line in done.faults)


def test_a_folder_a_missing_file_and_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path) == "is a folder: name one PDF file"
    assert refused(tmp_path / "none.pdf") == "cannot be read: No such file or directory"
    assert refused(Path("/dev/zero")) == "is no ordinary file: save the PDF on disk first"


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with path.open("wb") as stream:
        stream.write(b"%PDF-1.4")
        stream.truncate(400_000_000)
    assert refused(path) == "is too large to look at: 400 MB, and 300 MB is the most"


def test_forms_that_draw_each_other_over_and_over_are_refused_soon(tmp_path: Path) -> None:
    """Thirty forms, each drawn twice by the next: a thousand million drawings from a few kilobytes."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(page()))
    inner: Any = None
    for _ in range(30):
        form = DecodedStreamObject()
        form.set_data(b"/F Do /F Do" if inner is not None else b"0 0 1 1 re f")
        form[NameObject("/Type")], form[NameObject("/Subtype")] = NameObject("/XObject"), NameObject("/Form")
        form[NameObject("/BBox")] = ArrayObject([FloatObject(edge) for edge in (0, 0, 9, 9)])
        if inner is not None:
            names = DictionaryObject({NameObject("/F"): inner})
            form[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): names})
        inner = writer._add_object(form)
    sheet = writer.pages[0]
    resources: Any = sheet["/Resources"].get_object()
    resources[NameObject("/XObject")] = DictionaryObject({NameObject("/F"): inner})
    contents = DecodedStreamObject()
    contents.set_data(b"/F Do")
    sheet[NameObject("/Contents")] = writer._add_object(contents)
    path = tmp_path / "a.pdf"
    path.write_bytes(written(writer))
    done = run("preflight", path)
    assert done.code == 1
    assert "too intricate to look at" in done.err
    assert len(done.faults) == 1


@pytest.mark.slow
@given(st.integers(0, 200_000), st.binary(min_size=1, max_size=40))
def test_a_damaged_file_is_judged_or_refused_but_never_a_crash(place: int, junk: bytes) -> None:
    data = page(lambda canvas: canvas.drawImage(picture(50), 100, 100, 9, 9))
    place %= len(data) - 1100
    spoilt = data[:place] + junk + data[place + len(junk) :]
    try:
        preflight.thorough(spoilt, SHOP)
    except HackjackError as error:
        assert str(error).count("\n") == 0


# --- files that were built to choke a reader -------------------------------------------------------------------------


def built(*objects: bytes) -> bytes:
    """A PDF of those objects, numbered from 1; the first is the catalog."""
    data, places = bytearray(b"%PDF-1.4\n"), []
    for number, written_ in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, written_)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size, start = len(objects) + 1, len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    data += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return bytes(data)


def stream_of(head: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (head, len(data), data)


def drawn(content: bytes, resources: bytes, *more: bytes, box: bytes = b"[0 0 595 842]") -> bytes:
    """A page that draws, with the objects from number 5 on for it to draw with."""
    return built(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox%s/Resources<<%s>>/Contents 4 0 R>>" % (box, resources),
        stream_of(b"", content),
        *more,
    )


FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 500 500]"
GROUP = FORM + b"/Group<</S/Transparency>>"
TILE = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 5 5]/XStep 5/YStep 5"
SELF = "draws a part of itself inside itself, without an end"
HOSTILE: dict[str, tuple[bytes, str]] = {
    "a page tree that is its own branch": (
        built(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
        "is damaged",
    ),
    "a page tree that leads back": (
        built(
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 4 0 R]/Count 1>>",
            b"<</Type/Page/Parent 3 0 R/MediaBox[0 0 595 842]>>",
        ),
        "is damaged",
    ),
    "pages that only some readers find": (
        built(
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type 1 0 R/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>",
        ),
        "is damaged: readers do not agree on which pages it has; save it anew",
    ),
    "a page tree of a thousand floors": (
        built(
            b"<</Type/Catalog/Pages 2 0 R>>",
            *(b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (number + 1) for number in range(2, 1500)),
            b"<</Type/Page/MediaBox[0 0 595 842]>>",
        ),
        "is damaged",
    ),
    "a million metres": (drawn(b"", b"", box=b"[0 0 2834645669 2834645669]"), "20 m is the most to look at"),
    "a million metres of ribbon": (drawn(b"", b"", box=b"[0 0 2834645669 1]"), "20 m is the most to look at"),
    "a page without a size": (drawn(b"", b"", box=b"[0 0 0 0]"), "page 1 has no size"),
    "a form that draws itself": (
        drawn(
            b"/A Do", b"/XObject<</A 5 0 R>>", stream_of(FORM + b"/Resources<</XObject<</A 5 0 R>>>>", b"/A Do " * 20)
        ),
        SELF,
    ),
    "a form that draws itself by the page's name for it": (
        drawn(b"/A Do", b"/XObject<</A 5 0 R>>", stream_of(FORM, b"/#41 Do " * 20)),
        SELF,
    ),
    "forms that draw each other": (
        drawn(
            b"/A Do",
            b"/XObject<</A 5 0 R>>",
            stream_of(FORM + b"/Resources<</XObject<</B 6 0 R>>>>", b"/B Do " * 20),
            stream_of(FORM + b"/Resources<</XObject<</A 5 0 R>>>>", b"/A Do " * 20),
        ),
        SELF,
    ),
    "a pattern that is painted with itself": (
        drawn(
            b"/Pattern cs /P scn 0 0 500 500 re f",
            b"/Pattern<</P 5 0 R>>",
            stream_of(TILE + b"/Resources<</Pattern<</P 5 0 R>>>>", b"/Pattern cs /P scn 0 0 5 5 re f " * 20),
        ),
        SELF,
    ),
    "a soft mask that masks itself": (
        drawn(
            b"/G gs 0 0 9 9 re f",
            b"/ExtGState<</G 6 0 R>>",
            stream_of(GROUP + b"/Resources<</ExtGState<</G 6 0 R>>>>", b"/G gs 0 0 500 500 re f " * 2),
            b"<</Type/ExtGState/SMask<</S/Luminosity/G 5 0 R>>>>",
        ),
        SELF,
    ),
    "patterns of patterns of patterns": (
        drawn(
            b"/Pattern cs /P scn 0 0 500 500 re f",
            b"/Pattern<</P 5 0 R>>",
            *(
                stream_of(TILE + b"/Resources<</Pattern<</P %d 0 R>>>>" % (number + 1), b"/P scn 0 0 5 5 re f " * 20)
                for number in range(5, 12)
            ),
            stream_of(TILE + b"/Resources<<>>", b"0 0 5 5 re f"),
        ),
        "too intricate to look at",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("target", [(), ("--target", "home")], ids=["plain", "for a target"])
def test_a_file_that_would_choke_its_reader_is_refused_in_a_sentence(
    name: str, target: tuple[str, ...], tmp_path: Path
) -> None:
    data, says = HOSTILE[name]
    (tmp_path / "a.pdf").write_bytes(data)
    done = run("preflight", tmp_path / "a.pdf", *target)
    assert (done.code, done.out) == (1, "")
    (line,) = done.faults
    assert says in line


def test_forms_that_know_each_other_and_do_not_draw_each_other_are_sound() -> None:
    """Many programs give every form the page's own list of forms."""
    names = b"/XObject<</A 5 0 R/B 6 0 R>>"
    forms = [stream_of(FORM + b"/Resources<<%s>>" % names, b"0 0 m 9 9 l S") for _ in range(2)]
    assert found(drawn(b"/A Do /B Do", names, *forms)) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no limit of processor time here")
def test_what_nobody_foresaw_ends_with_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile of a thousandth of a point: nothing is wrong with it but that there are a billion of them."""
    tile = TILE.replace(b"/XStep 5/YStep 5", b"/XStep 0.001/YStep 0.001").replace(b"[0 0 5 5]", b"[0 0 500 500]")
    page_ = drawn(
        b"/Pattern cs /P scn 0 0 500 500 re f",
        b"/Pattern<</P 5 0 R>>",
        stream_of(tile + b"/Resources<<>>", b"0 0 100 100 re f " * 20),
    )
    (tmp_path / "a.pdf").write_bytes(page_)
    monkeypatch.setattr("generator.cli.preflight_.MOST_SECONDS", 2)
    assert refused(tmp_path / "a.pdf") == (
        "is too intricate to look at: more than 2 seconds or 2 GB of memory; flatten it first"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory here")
def test_what_nobody_foresaw_ends_with_its_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pdf").write_bytes(page())
    monkeypatch.setattr("generator.cli.preflight_.MOST_MEMORY", 60_000_000)
    assert "is too intricate to look at" in refused(tmp_path / "a.pdf")


def test_the_name_of_a_font_steers_no_terminal(tmp_path: Path) -> None:
    name = b"Evil#1b#5b31mRED#0aa.pdf: sound"
    font = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/%s>>>>" % name.replace(b" ", b"#20")
    (tmp_path / "a.pdf").write_bytes(drawn(b"BT /F 12 Tf 50 400 Td (hello) Tj ET", font))
    done = run("preflight", tmp_path / "a.pdf")
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    assert r"Evil\x1b[31mRED" in done.out
    assert "a.pdf: sound" not in done.out.splitlines()


def test_the_document_of_preflight_is_there() -> None:
    assert (ROOT / "docs" / "preflight.md").is_file()

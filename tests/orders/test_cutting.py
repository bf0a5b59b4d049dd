"""Sheets for cutting machines against the published specification, and nudges that are kept."""

from __future__ import annotations

import io
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import pypdfium2.raw as pdfium
import pytest
from helpers import MM, few_quick, form_places, once_a_run, opened, reader, run, text_in
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.layout import sheets
from generator.layout.sheets import Box, Grid, Size
from generator.layout.targets import CuttingTarget, layout_of, targets_by_name
from generator.orders import cut_files

# Silhouette Card Maker's layouts.json of 2026-06, without the layouts beyond the margin: how the paper lies, rows,
# columns, and the length of the marks, which never comes to more than 20 mm.
PUBLISHED = {
    ("a4", "poker"): ("landscape", 2, 4, 8.38),
    ("a4", "poker-63"): ("landscape", 2, 4, 9.4),
    ("a4", "bridge"): ("portrait", 3, 3, 6.69),
    ("a4", "tarot"): ("portrait", 2, 2, 23.28),
    ("a4", "mini"): ("portrait", 4, 4, 8.38),
    ("a4", "jumbo"): ("landscape", 1, 3, 23.88),
    ("a4", "domino"): ("landscape", 2, 5, 23.62),
    ("letter", "poker"): ("landscape", 2, 4, 7.2),
    ("letter", "poker-63"): ("landscape", 2, 4, 8.04),
    ("letter", "bridge"): ("landscape", 2, 4, 12.28),
    ("letter", "tarot"): ("portrait", 2, 2, 26.16),
    ("letter", "mini"): ("landscape", 3, 5, 14.82),
    ("letter", "jumbo"): ("landscape", 1, 2, 38.86),
    ("letter", "domino"): ("landscape", 2, 5, 14.82),
}
DISTANCE, RADIUS, INSET, THICKNESS, SQUARE = 1.25, 3.0, 10.0, 1.0, 5.0
"""What SPECIFICATION.md says of every layout, mm."""
EXACT = 0.05
Place = TypeVar("Place", bound=tuple[float, ...])
SHEETS = [(paper, card) for paper in sheets.paper_sizes() for card in sheets.card_sizes()]


def silhouette() -> CuttingTarget:
    target = targets_by_name()["silhouette"]
    assert isinstance(target, CuttingTarget)
    return target


def laid_out(paper: str, card: str) -> Grid:
    layout = layout_of(silhouette(), sheets.paper_sizes()[paper], sheets.card_sizes()[card])
    assert layout is not None
    return layout


def published_trims(paper: str, card: str) -> list[Box]:
    """Where the specification puts the cards, from the paper's lower left corner: in the middle, so far apart."""
    lies, rows, columns, _ = PUBLISHED[paper, card]
    sides = sorted((sheets.paper_sizes()[paper].width, sheets.paper_sizes()[paper].height), reverse=lies == "landscape")
    cell = sheets.card_sizes()[card]
    along = (sides[0] - columns * cell.width - (columns - 1) * DISTANCE) / 2
    up = (sides[1] - rows * cell.height - (rows - 1) * DISTANCE) / 2
    return in_order(
        (x, y, x + cell.width, y + cell.height)
        for x in (along + column * (cell.width + DISTANCE) for column in range(columns))
        for y in (up + row * (cell.height + DISTANCE) for row in range(rows))
    )


def published_marks(paper: Size, length: float) -> list[Box]:
    """The marks as the specification's program draws them: strokes on the inset with ends that project by half."""
    half = THICKNESS / 2
    right, top = paper.width - INSET, paper.height - INSET
    strokes = [
        (INSET, INSET, INSET + length - half, INSET),
        (INSET, INSET, INSET, INSET + length - half),
        (right - length + half, top, right, top),
        (right, top - length + half, right, top),
    ]
    boxes = [(x1 - half, y1 - half, x2 + half, y2 + half) for x1, y1, x2, y2 in strokes]
    return in_order([*boxes, (INSET - half, top - SQUARE - half, INSET + SQUARE + half, top + half)])


def near(boxes: Iterable[tuple[float, ...]]) -> list[object]:
    return [pytest.approx(box, abs=EXACT) for box in boxes]


def in_order(boxes: Iterable[Place]) -> list[Place]:
    """The same from left to right and upwards, whatever the last digits are."""
    return sorted(boxes, key=lambda box: [round(edge, 2) for edge in box])


@cache
def printed(*words: str) -> dict[str, bytes]:
    """The files of a print for the target, by their endings."""

    def make() -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as folder:
            done = run("print", "hackjack", "deck", "--target", "silhouette", *words, "-o", folder)
            paths = [Path(folder) / f"hackjack-deck-silhouette.{ending}" for ending in ("pdf", "svg", "dxf")]
            assert (done.code, done.err, done.out.splitlines()) == (0, "", [str(path) for path in paths])
            return {path.suffix[1:]: path.read_bytes() for path in paths}

    return once_a_run(make, "silhouette", *words)


def black_areas(pdf: bytes, number: int) -> Iterator[Box]:
    """The black areas of a page that stand on no card or form, mm."""
    with opened(pdf) as document:
        page = document[number]
        for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=1):
            fill, stroke = pdfium.c_int(), pdfium.FPDF_BOOL()
            assert pdfium.FPDFPath_GetDrawMode(found.raw, fill, stroke)
            if fill.value and not stroke.value:
                left, foot, right, top = (edge / MM for edge in found.get_bounds())
                yield left, foot, right, top
        page.close()


def marks_of(pdf: bytes, number: int, trims: list[Box]) -> list[Box]:
    """Those in the margins."""
    left, foot = min(trim[0] for trim in trims), min(trim[1] for trim in trims)
    right, top = max(trim[2] for trim in trims), max(trim[3] for trim in trims)
    return in_order(
        area
        for area in black_areas(pdf, number)
        if area[2] < left or area[0] > right or area[3] < foot or area[1] > top
    )


def outlines_of_svg(svg: bytes) -> list[Box]:
    """The cards' outlines in mm from the lower left corner; their corners are round."""
    root = ElementTree.fromstring(svg)
    wide, high = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    assert [float(part) for part in root.attrib["viewBox"].split()] == [0, 0, wide, high], "one unit is one mm"
    found = []
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, width, height, rx, ry = (float(rect.attrib[name]) for name in ("x", "y", "width", "height", "rx", "ry"))
        assert (rx, ry) == pytest.approx((RADIUS, RADIUS), abs=EXACT)
        found.append((x, high - y - height, x + width, high - y))
    return in_order(found)


def outlines_of_dxf(dxf: bytes) -> list[Box]:
    """The same, read by ezdxf, which also finds no fault with the file; every corner is a quarter of a circle."""
    import ezdxf.filemanagement
    import ezdxf.units
    from ezdxf.entities.polyline import Polyline

    document = ezdxf.filemanagement.read(io.StringIO(dxf.decode("ascii")))
    assert document.dxfversion == "AC1009"
    assert document.units == ezdxf.units.MM
    assert not document.audit().errors
    found = []
    for outline in document.modelspace():
        assert isinstance(outline, Polyline) and outline.is_closed
        parts = list(outline.virtual_entities())
        arcs = [part for part in parts if part.dxftype() == "ARC"]
        lines = [part for part in parts if part.dxftype() == "LINE"]
        assert (len(arcs), len(lines)) == (4, 4)
        xs = [end.x for line in lines for end in (line.dxf.start, line.dxf.end)]
        ys = [end.y for line in lines for end in (line.dxf.start, line.dxf.end)]
        box = (min(xs), min(ys), max(xs), max(ys))
        centres = [(x, y) for x in (box[0] + RADIUS, box[2] - RADIUS) for y in (box[1] + RADIUS, box[3] - RADIUS)]
        assert in_order((arc.dxf.center.x, arc.dxf.center.y) for arc in arcs) == near(in_order(centres))
        for arc in arcs:
            assert arc.dxf.radius == pytest.approx(RADIUS, abs=EXACT)
            assert (arc.dxf.end_angle - arc.dxf.start_angle) % 360 == pytest.approx(90, abs=0.1)
            # It bulges outwards: its middle is farther from the card's than its centre is.
            turn = math.radians(arc.dxf.start_angle + 45)
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            centre = (arc.dxf.center.x, arc.dxf.center.y)
            outer = (centre[0] + arc.dxf.radius * math.cos(turn), centre[1] + arc.dxf.radius * math.sin(turn))
            assert math.dist(outer, middle) > math.dist(centre, middle)
        found.append(box)
    return in_order(found)


# --- the specification -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "card"), few_quick(4, PUBLISHED))
def test_cards_cuts_and_marks_lie_where_the_specification_puts_them(paper: str, card: str) -> None:
    layout, expected = laid_out(paper, card), published_trims(paper, card)
    trims = in_order((p.x, p.y, p.x + layout.card.width, p.y + layout.card.height) for p in layout.places)
    assert trims == near(expected)
    assert outlines_of_svg(cut_files.cut_svg(layout, silhouette().radius, "v1")) == near(expected)
    assert outlines_of_dxf(cut_files.cut_dxf(layout, silhouette().radius, "v1")) == near(expected)
    room = max(min(trim[0] for trim in expected), min(trim[1] for trim in expected)) - INSET - DISTANCE
    marks = silhouette().marks_on(layout)
    assert marks.length == pytest.approx(min(room, 20), abs=EXACT)
    # The published lengths are sums of whole pixels, of which there are twelve in a millimetre.
    assert marks.length == pytest.approx(min(PUBLISHED[paper, card][3], 20), abs=0.1)


@pytest.mark.parametrize(
    ("paper", "card", "length"), [("a4", "poker", 8.375), ("letter", "mini", 14.825), ("a4", "bridge", 6.775)]
)
def test_the_pdf_has_the_marks_and_the_cards_of_the_specification(paper: str, card: str, length: float) -> None:
    made = printed("--paper", paper, "--card", card, "--only", "QS,KH,AC", "--ink", "saver")
    trims = published_trims(paper, card)
    page = reader(made["pdf"]).pages[0]
    size = Size(float(page.mediabox.width) / MM, float(page.mediabox.height) / MM)
    assert marks_of(made["pdf"], 0, trims) == near(published_marks(size, length))
    # The machine looks at the fronts alone.
    assert marks_of(made["pdf"], 1, trims) == []
    assert outlines_of_svg(made["svg"]) == near(trims)
    assert outlines_of_dxf(made["dxf"]) == near(trims)
    # The backs lie behind the first three places, as the sheet is turned about its long edge.
    places = laid_out(paper, card).backs[:3]
    assert form_places(made["pdf"], 1) == [pytest.approx((place.x, place.y), abs=EXACT) for place in places]
    lies = "landscape" if size.width > size.height else "portrait"
    assert lies == PUBLISHED[paper, card][0]


@given(
    st.sampled_from(sorted(sheets.paper_sizes())),
    st.floats(12, 200),
    st.floats(12, 250),
    st.one_of(st.none(), st.tuples(st.floats(5, 20), st.floats(0.5, 1), st.floats(10, 30))),
)
@pytest.mark.slow
def test_nothing_of_any_card_comes_near_a_mark(
    paper: str, wide: float, high: float, asked: tuple[float, float, float] | None
) -> None:
    target = silhouette()
    if asked:
        length, thickness, inset = asked
        marks = replace(target.registration, length=length, thickness=thickness, inset=inset)
        target = replace(target, registration=marks)
    try:
        layout = target.grid(sheets.paper_sizes()[paper], Size(wide, high))
    except HackjackError:
        return
    for left, foot, right, top in target.template("silhouette", layout).marks:
        for place in (*layout.places, *layout.backs):
            beside = place.x - layout.bleed >= right + 0.6 or place.x + wide + layout.bleed <= left - 0.6
            above = place.y - layout.bleed >= top + 0.6 or place.y + high + layout.bleed <= foot - 0.6
            assert beside or above


def test_a_version_of_the_template_never_changes(golden: Callable[[str, str], None]) -> None:
    """Old prints can be cut as long as this holds. Whoever needs another geometry raises the version in the data."""
    target = silhouette()
    lines = []
    for paper, card in SHEETS:
        layout = laid_out(paper, card)
        template = target.template("silhouette", layout)
        marks = " ".join(",".join(f"{edge:.3f}" for edge in box) for box in template.marks)
        lies = f"{layout.rows} x {layout.columns}, {layout.bottom:.3f} up, corners {target.radius:g}"
        lines.append(f"{template.says}\n  {lies}; {marks}\n")
    golden(f"silhouette-v{target.version}.txt", "".join(lines))


# --- what is printed -------------------------------------------------------------------------------------------------


def test_every_sheet_says_how_to_cut_it() -> None:
    pdf = printed("--ink", "saver")["pdf"]
    assert len(reader(pdf).pages) == 14
    says = silhouette().template("silhouette", laid_out("a4", "poker")).says
    assert says == (
        "silhouette v1: a4 landscape, poker 63.5 x 88.9 mm; marks: length 8.38, thickness 1, inset 10 mm; "
        "cuts begin 19.62 mm from the left and 15.47 mm from the top"
    )
    for number in range(0, 14, 2):
        assert says in text_in(pdf, number, 0, 0, 300, 300)
        assert says not in text_in(pdf, number + 1, 0, 0, 300, 300)
    assert "print at 100 %: this line is 50 mm long" in text_in(pdf, 0, 0, 0, 300, 10)
    assert "Hackjack 1.0" in text_in(pdf, 0, 0, 200, 300, 210)
    assert says in printed("--ink", "saver")["svg"].decode()
    assert says in printed("--ink", "saver")["dxf"].decode()


def test_marks_are_made_to_measure() -> None:
    """The sheet feeder of some machines wants the marks farther inside; cards make room."""
    made = printed("--only", "QS", "--registration", "12,0.5,16", "--ink", "saver")
    marks = marks_of(made["pdf"], 0, [(40, 40, 170, 250)])
    page = reader(made["pdf"]).pages[0]
    wide, high = float(page.mediabox.width) / MM, float(page.mediabox.height) / MM
    lower = [(15.75, 15.75, 28, 16.25), (15.75, 15.75, 16.25, 28)]
    upper = [(wide - right, high - foot, wide - 15.75, high - 15.75) for right, foot in ((28, 16.25), (16.25, 28))]
    assert marks == near(in_order([(15.75, high - 21.25, 21.25, high - 15.75), *lower, *upper]))
    assert "length 12, thickness 0.5, inset 16 mm" in text_in(made["pdf"], 0, 0, 0, 300, 300)


MARKS = "write length, thickness and inset in mm, such as 15,0.5,12"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--registration 8", f'--registration "8": {MARKS}'),
        ("--registration a,b,c", f'--registration "a,b,c": {MARKS}'),
        ("--registration 30,1,10", "--registration 30,1,10: the length of marks is 5 to 20 mm"),
        ("--registration 8,nan,10", "--registration 8,nan,10: the thickness of marks is 0.5 to 1 mm"),
        ("--registration 8,1,4", "--registration 8,1,4: the inset of marks is 10 to 86.36 mm"),
        ("--marks cut", "--marks means nothing for silhouette: it is for home, home-bleed, "),
        ("--target home --registration 8,1,10", "--registration means nothing for home: it is for silhouette"),
        ("--target single --registration 8,1,10", "--registration means nothing for single: it is for silhouette"),
        ("--card 189x276", "hackjack deck: a card of 189 x 276 mm does not fit on a paper of 210 x 297 mm with 10 mm "),
    ],
)
def test_what_cannot_be_cut_is_refused(words: str, says: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--target", "silhouette", *words.split(), "-o", tmp_path)
    assert (done.code, done.out, list(tmp_path.iterdir())) == (1 if "--card" in words else 2, "", [])
    assert done.err.startswith(says)


# --- nudges ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def back_of(folder: Path, *words: str, name: str = "hackjack-deck-silhouette") -> tuple[float, float]:
    """How far the first back lies from where it would without a nudge, mm."""
    assert run("print", "hackjack", "deck", "--only", "QS", "-o", folder, *words).code == 0
    (x, y) = form_places((folder / f"{name}.pdf").read_bytes(), 1)[0]
    place = laid_out("a4", "poker").backs[0]
    return round(x - place.x, 3), round(y - place.y, 3)


def test_a_nudge_is_kept_for_its_target_and_paper(home: Path, tmp_path: Path) -> None:
    call = ("print", "calibration", "--target", "silhouette", "-o", tmp_path)
    assert run(*call, "--nudge", "save=0.5,-1").err == ""
    assert (home / "nudges.json").is_file()
    cut = ("--target", "silhouette")
    assert back_of(tmp_path, *cut) == (0.5, -1)
    assert back_of(tmp_path, *cut, "--nudge", "0,0") == (0, 0)
    assert back_of(tmp_path, *cut, "--nudge", "2,0.5") == (2, 0.5)
    said = "printed with --nudge 0.5,-1, as kept for silhouette on a4; --nudge 0,0 leaves it out\n"
    done = run("print", "hackjack", "deck", "--only", "QS", *cut, "--paper", "A4", "-o", tmp_path)
    assert (done.code, done.err) == (0, said)
    assert run(*call).err == said
    # A printed deck keeps one too, beside those that are kept already; none is kept again as 0,0.
    assert back_of(tmp_path, *cut, "--nudge", "save=0,0") == (0, 0)
    labels = ("--target", "l7651", "--only", "QS", "--nudge", "save=1,1")
    assert run("print", "hackjack", "deck", *labels, "-o", tmp_path).err == ""
    assert run(*call).err == ""
    assert "as kept for l7651 on a4" in run("print", "calibration", "--target", "l7651", "-o", tmp_path).err


def test_a_nudge_that_is_kept_is_for_no_other_print(home: Path, tmp_path: Path) -> None:
    cut = ("--target", "silhouette", "-o", tmp_path)
    assert run("print", "calibration", *cut, "--nudge", "save=0.5,-1").err == ""
    assert (home / "nudges.json").is_file()
    for others in (("--paper", "letter"), ("--backs", "none"), ("--target", "home"), ("--target", "single")):
        assert run("print", "hackjack", "deck", "--only", "QS", *cut, *others).err == ""


@pytest.mark.parametrize("kept", ["{", "[]", '{"home": {"a4": [1]}}', '{"home": {"a4": [100, 0]}}', "\udcff"])
def test_kept_nudges_that_cannot_be_read_are_named(kept: str, home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "nudges.json").write_bytes(kept.encode("utf-8", "surrogateescape"))
    for words in ((), ("--nudge", "save=1,1")):
        done = run("print", "hackjack", "deck", "--only", "QS", *words, "-o", tmp_path)
        assert (done.code, len(done.faults)) == (1, 1)
        assert done.err.startswith(f"{home / 'nudges.json'}: these nudges cannot be read (")
        assert done.err.endswith("): delete the file and save yours again with --nudge save=X,Y\n")
    assert run("print", "hackjack", "deck", "--only", "QS", "--nudge", "0,0", "-o", tmp_path).code == 0


def test_what_is_no_nudge_is_refused(home: Path) -> None:
    for written in ("save", "save=", "save=1", "1", "save=a,b", "save 1,1"):
        done = run("print", "hackjack", "deck", "--nudge", written)
        says = f'--nudge "{written}": write two lengths in mm, such as 0.5,-1, or save=0.5,-1 to keep them\n'
        assert (done.code, done.err) == (2, says)
    done = run("print", "hackjack", "deck", "--nudge", "save=0,21")
    assert done.err == "--nudge save=0,21: the limit is 20 mm either way\n"
    assert not home.exists()


def squares_of(pdf: bytes, number: int, side: float) -> list[tuple[float, float]]:
    """The middles of the squares with that side on a page, mm."""
    with opened(pdf) as document:
        page = document[number]
        boxes = [
            tuple(edge / MM for edge in found.get_bounds())
            for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=1)
        ]
        page.close()
    return [
        ((left + right) / 2, (foot + top) / 2)
        for left, foot, right, top in boxes
        if right - left == pytest.approx(side, abs=0.3) == top - foot
    ]


@pytest.mark.parametrize("words", [("--target", "home"), ("--target", "silhouette", "--nudge", "2,-1")])
def test_the_calibration_page_offers_25_nudges(words: tuple[str, ...], home: Path, tmp_path: Path) -> None:
    """With a printer that is off by one of them, the square over that very nudge has the back's in its middle."""
    assert not home.exists()
    assert run("print", "calibration", *words, "-o", tmp_path).code == 0
    pdf = (tmp_path / f"calibration-{words[1]}.pdf").read_bytes()
    wide, high = (float(side) / MM for side in reader(pdf).pages[0].mediabox[2:])
    fronts = squares_of(pdf, 0, 6)
    backs = squares_of(pdf, 1, 5)
    assert len(fronts) == len(backs) == 25
    offered = set()
    for x, y in fronts:
        right, up = (float(part) for part in text_in(pdf, 0, x - 8, y - 7, x + 8, y - 3.2).split(","))
        offered.add((right, up))
        # What is printed so far off comes to lie here, seen through the sheet that is turned about its long edge.
        through = [(bx - right, by - up) for bx, by in backs]
        through = [(bx, high - by) if wide > high else (wide - bx, by) for bx, by in through]
        assert [pytest.approx((x, y), abs=0.02)] == [found for found in through if math.dist(found, (x, y)) < 0.2], (
            right,
            up,
        )
    middle = (2, -1) if "--nudge" in words else (0, 0)
    assert offered == {(middle[0] + column / 2, middle[1] + row / 2) for column in range(-2, 3) for row in range(-2, 3)}

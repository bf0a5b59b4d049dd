"""SVG drawings that a pack brings: what they look like on a card, what is left out, and what is refused, and how."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import pikepdf
import pytest
from helpers import ROOT, copy_pack, pictures, run
from PIL import Image, ImageChops, ImageStat
from tagged import tree

from generator.base.emblem_names import EMBLEMS
from generator.base.errors import HackjackError
from generator.layout import drawings
from generator.layout.artwork import image_of
from generator.layout.drawings import Drawing

TEAL, RED, WHITE = (0, 128, 128), (200, 0, 0), (255, 255, 255)


def written(inside: str, box: str = "0 0 100 100") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">\n{inside}\n</svg>\n'


def read(inside: str, box: str = "0 0 100 100") -> Drawing:
    return drawings.read_drawing(written(inside, box).encode(), "a.svg")


def shown(inside: str, box: str = "0 0 100 100", colour: tuple[int, int, int] = (0, 0, 0)) -> Image.Image:
    """The drawing on white, 200 dots on its longer side."""
    over = image_of(*read(inside, box).rendered(200, colour)[:3])
    return Image.alpha_composite(Image.new("RGBA", over.size, "white"), over).convert("RGB")


def dot(picture: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at (x, y) from the upper left, as SVG counts."""
    found = picture.getpixel((round(2 * x), round(2 * y)))
    assert isinstance(found, tuple)
    return found


ALIKE = {
    "a square": """
<rect x="20" y="30" width="40" height="40"/>
<path d="M20 30h40v40h-40z"/>
<polygon points="20,30 60,30 60,70 20,70"/>
<path d="m 20,30 40,0 0,40 -40,0 z" fill="#000"/>
<g transform="translate(20 30)"><rect width="1" height="1" transform="scale(40)"/></g>
<rect x="-20" y="-20" width="40" height="40" transform="matrix(0 1 1 0 40 50)"/>
<line x1="20" y1="50" x2="60" y2="50" stroke="black" stroke-width="40px"/>
""",
    "a disc": """
<circle cx="50" cy="50" r="30"/>
<ellipse cx="50" cy="50" rx="30" ry="30"/>
<path d="M20 50a30 30 0 0 1 60 0a30 30 0 0 1-60 0"/>
<rect x="20" y="20" width="60" height="60" rx="30"/>
<circle r="1" transform="translate(50 50) rotate(77) scale(30)"/>
<path d="M50 20C66.57 20 80 33.43 80 50S66.57 80 50 80 20 66.57 20 50 33.43 20 50 20"/>
<g style="fill:none"><circle cx="50" cy="50" r="15" style="stroke: black; stroke-width: 30"/></g>
""",
    "a hill": """
<path d="M10 80Q50 0 90 80"/>
<path d="m10 80q40-80 80 0z"/>
<path d="M10,80 C36.6667,26.6667 63.3333,26.6667 90,80"/>
<path d="M10 80Q50 0 90 80" transform="skewX(45)skewX(-45)"/>
""",
    "a ring": """
<path fill-rule="evenodd" d="M10 10h80v80h-80zM30 30h40v40h-40z"/>
<path d="M10 10h80v80h-80zM30 30v40h40v-40z"/>
<rect x="20" y="20" width="60" height="60" fill="none" stroke="#000000" stroke-width="20"/>
""",
}


@pytest.mark.parametrize("figure", ALIKE)
def test_the_same_figure_may_be_written_in_many_ways(figure: str) -> None:
    first, *others = ways = ALIKE[figure].strip().splitlines()
    drawn = [shown(way) for way in ways]
    assert 10 < ImageStat.Stat(drawn[0].convert("L")).mean[0] < 245, first
    for way, other in zip(others, drawn[1:], strict=True):
        assert ImageStat.Stat(ImageChops.difference(drawn[0], other).convert("L")).mean[0] < 1.5, way


def test_colours_are_its_own_and_what_stands_outside_its_box_is_cut() -> None:
    inside = (
        '<rect x="40" y="0" width="500" height="50" fill="teal"/><circle cx="50" cy="75" r="10" fill="rgb(200,0,0)"/>'
    )
    picture = shown(inside + '<title>T</title><g display="none"><rect width="99" height="99"/></g>', "0 0 100 100")
    assert (dot(picture, 70, 25), dot(picture, 50, 75), dot(picture, 10, 10)) == (TEAL, RED, WHITE)
    moved = shown(inside, "40 0 60 60")
    assert dot(moved, 2, 5) == TEAL, "the box begins at 40"
    wide = read(inside, "0 0 200 100")
    assert (wide.width, wide.height, wide.rendered(200)[:2]) == (200, 100, (200, 100))


def test_a_drawing_in_one_colour_is_a_stencil_and_others_are_not() -> None:
    one = '<rect x="10" y="10" width="80" height="80" fill="teal"/>'
    drawing = read(one)
    assert drawing.colour == TEAL
    stencil = Image.frombytes("1", (1000, 1000), drawing.stencil(1000)[2])
    assert (stencil.mode, stencil.size, stencil.getbbox()) == ("1", (1000, 1000), (100, 100, 900, 900))
    assert read(one + '<circle cx="50" cy="50" r="60" fill="#008080" stroke="none" opacity="0"/>').colour == TEAL
    for other in ('<circle cx="50" cy="50" r="9" fill="white"/>', '<circle cx="50" cy="50" r="60" opacity=".5"/>'):
        assert read(one + other).colour is None, other
    two = one + '<circle cx="50" cy="50" r="20" fill="currentColor"/>'
    picture = shown(two, colour=(255, 0, 0))
    assert (dot(picture, 85, 50), dot(picture, 50, 50)) == (TEAL, (255, 0, 0))


UNSEEN = """
<path d="M0 0h100v100H0z" fill-opacity="0"/>
<defs><linearGradient id="a"><stop/></linearGradient><clipPath id="b"><rect width="9" height="9"/></clipPath></defs>
<defs><text id="t">x</text><font><glyph/></font></defs><text> </text><style></style>
<g style="display:none"><text>guide</text><image href="scan.png"/><foreignObject/><script/><path fill="url(#x)"/></g>
<g style="display:none"><path style="d:x"/><use href="a.svg"/></g>
<metadata><rdf:a xmlns:rdf="b"><image href="c"/></rdf:a></metadata><i:p xmlns:i="j"/><rect height="9"/>
<g style="font-family:x;-inkscape-stroke:none;-webkit-x:1;paint-order:normal;stroke-miterlimit:4;transform:none"/>
""".strip().splitlines()


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_shows_nothing_is_left_out(unseen: str) -> None:
    block = '<rect x="10" y="10" width="80" height="80"/>'
    assert shown(unseen + block).tobytes() == shown(block).tobytes()


def test_gradients_clips_patterns_and_style_sheets_are_drawn() -> None:
    sheet = "<style>/* a: b */ .a, #b {fill: #008080}</style>"
    assert (
        read(sheet + '<rect class="a" width="50" height="9"/><rect id="b" x="50" width="9" height="9"/>').colour == TEAL
    )
    clip = '<clipPath id="c"><circle cx="50" cy="50" r="20"/></clipPath><rect width="100" height="100" {}/>'
    assert image_of(*read(clip.format('clip-path="url(#c)"')).rendered(100)[:3]).getbbox() == (30, 30, 70, 70)
    fade = '<linearGradient id="f"><stop/><stop offset="1" stop-color="#f00"/></linearGradient>'
    picture = shown(fade + '<rect width="100" height="100" fill="url(\'#f\')"/>')
    assert dot(picture, 1, 50)[0] < 9 < 245 < dot(picture, 99, 50)[0]
    assert read('<symbol id="s"><rect width="9" height="9"/></symbol><use href="#s"/>').colour == (0, 0, 0)


INSIDE = """
<g/> | a.svg shows nothing: an SVG has paths or other shapes in it
<script>alert(1)</script> | <script> is refused: take it out
<rect onload="x()" /> | onload on <rect> runs a script: take it out
<a href="http://example.com"/> | href on <a> leads outside: take it out
<g><image href="/etc/passwd"/></g> | href on <image> leads outside: take it out
<image href="data:image/svg+xml;base64,AA"/> | href on <image> leads outside: take it out
<feImage href="x.png"/> | href on <feImage> leads outside: take it out
<use href="#a"/> | href on <use> refers to "#a", which cannot be drawn: use colours and shapes
<text>x</text> | <text> is refused: turn letters into paths
<defs><g id="t"><text>x</text></g></defs><use href="#t"/> | <text> is refused: turn letters into paths
<foreignObject/> | <foreignObject> is refused: take it out
<rect><animate/></rect> | <animate> is refused: take it out
<mesh/> | <mesh> is refused: take it out
<rect style="fill:url(http://example.com/a)"/> | fill on <rect> leads outside: take it out
<style>.a{fill:URL( 'x.svg#a')}</style> | fill on <style> leads outside: take it out
<rect style="fill:u\\rl(x)"/> | fill on <rect> leads outside: take it out
<style>@import 'x';</style> | a part of it cannot be drawn: The @import rule is not supported. Skipped
<rect style="transform:rotate(45deg)"/> | transform on <rect> cannot be drawn: take it out
<rect style="fill:red; /* */ x : 9"/> | x on <rect> cannot be drawn: take it out
<style>a{}b{mix-blend-mode:multiply}</style> | mix-blend-mode on <style> cannot be drawn: take it out
<rect style="clip-path:circle(20px)"/> | clip-path is "circle(20px)", which cannot be drawn: write it as plain SVG
<rect vector-effect="non-scaling-stroke"/> | vector-effect on <rect> cannot be drawn: take it out
<rect width="9" height="9" fill="blurple"/> | fill is "blurple", which cannot be drawn: write it as plain SVG
<path d="M 1 2 L 3"/> | a part of it cannot be drawn: Error during path parsing: unexpected end of stream
<g transform="rotate(1 2)"/> | transform is "rotate(1 2)", which cannot be drawn: write it as plain SVG
"""
REFUSED = [
    ("", "a.svg:1: this is not a valid SVG file: no element found"),
    ("GIF89a", "a.svg:1: this is not a valid SVG file: syntax error"),
    ("<html><svg/></html>", "a.svg:1: <html> is the first element: an SVG begins with <svg>"),
    (written('<rect width="1" height="1"/>', "0 0 1e-99 1e-99"),
     "a.svg:1: the drawing is 1e-99 x 1e-99 units: use 0.01"),
    ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">'
     '<g x:href="http://example.com"/></svg>', "a.svg:1: href on <g> leads outside: take it out"),
    (written('<g>\n<path d="M1 1"/>\n<g>\n<path d="home"/></g></g>'), "a.svg:5: a part of it cannot be drawn"),
    ('<?xml-stylesheet href="x"?><svg/>', "a.svg:1: the instruction <?xml-stylesheet?> is refused: take it out"),
    ('<!DOCTYPE svg [\n<!ENTITY a "aaaa">]><svg/>', "a.svg:1: a DOCTYPE with declarations is refused: take it out"),
    ("<svg viewBox='0 0 0 1'/>", "a.svg:1: viewBox on <svg> has four numbers: left, top, width and height, as"),
    ("<svg viewBox='0 0 1 99'/>", "a.svg:1: the drawing is 1 x 99: one side is more than 50 times the other"),
    (written("<g>" * 50), "a.svg:2: elements are nested more than 40 deep: remove groups"),
    (written("<g/>" * 5001), "a.svg:2: there are more than 5,000 elements: make the drawing simpler"),
    (" " * 1_000_001, "a.svg is too large; the limit for a drawing is 1 MB"),
    *((written(inside), says) for inside, _, says in (row.partition(" | ") for row in INSIDE.strip().splitlines())),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_is_refused_is_told_with_its_line_and_element(text: str, says: str) -> None:
    at = "" if says.startswith("a.svg") else "a.svg:2: "
    with pytest.raises(HackjackError, match=f"^{re.escape(at + says)}"):
        drawings.read_drawing(text.encode(), "a.svg")


def doubled(levels: int, times: int) -> str:
    """Shapes that refer to others, again and again."""
    groups = (f'<g id="g{at}">{f"""<use href="#g{at - 1}"/>""" * times}</g>' for at in range(1, levels))
    return written(f'<defs><rect id="g0" width="5" height="5"/>{"".join(groups)}</defs><use href="#g{levels - 1}"/>')


NOISE = '<filter id="f"><feTurbulence numOctaves="900000000" baseFrequency="3"/></filter>'


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [doubled(9, 10), doubled(2000, 1), written(f'{NOISE}<rect width="9" height="9" filter="url(#f)"/>')],
    ids=["many", "deep", "long"],
)
def test_a_drawing_that_never_ends_is_given_up_and_the_next_is_drawn(text: str) -> None:
    with pytest.raises(HackjackError, match=r"^a\.svg (takes too much time or memory|cannot be drawn: .*limit)"):
        drawings.read_drawing(text.encode(), "a.svg")
    assert read('<rect width="9" height="9"/>').colour == (0, 0, 0)


# --- on cards --------------------------------------------------------------------------------------------------------


def pack(folder: Path, lines: dict[str, str], **drawings: str) -> Path:
    """The flagship's pack with lines under the codes of cards, and drawings in its folder."""
    made = copy_pack(folder)
    (made / "art").mkdir()
    for name, inside in drawings.items():
        (made / "art" / f"{name}.svg").write_text(written(inside), encoding="utf-8")
    deck = made / "deck.yaml"
    text = deck.read_text(encoding="utf-8")
    for code, line in lines.items():
        # Its own emblem gives way to the one that is asked for.
        entry = re.compile(rf"(  - code: {code}\n    name: .*\n)(    emblem: .*\n)?")
        text, found = entry.subn(rf"\1    {line}\n", text)
        assert found == 1
    deck.write_text(text, encoding="utf-8")
    return made


def printed(made: Path, output: Path, *wishes: str) -> bytes:
    done = run("print", "--pack", made, "hackjack", "deck", "-o", output, "--backs", "none", "--marks", "none", *wishes)
    assert (done.code, done.err) == (0, ""), done.err
    return Path(done.out.splitlines()[0]).read_bytes()


BLOCK = '<rect width="100" height="100" fill="{}"/>'


def test_a_card_shows_an_emblem_of_the_packs_own_as_a_stencil(tmp_path: Path) -> None:
    made = pack(tmp_path, {"8H": "emblem: art/mine.svg"}, mine=BLOCK.format("black"))
    pdf = printed(made, tmp_path / "out", "--target", "single", "--theme", "plain", "--only", "8H")
    with pikepdf.open(io.BytesIO(pdf)) as document:
        drawn = [dict(each) for name, each in document.pages[0].Resources.XObject.items() if "picture" in name]
    (stencil,) = drawn
    assert (stencil["/Subtype"], stencil["/ImageMask"], stencil["/BitsPerComponent"]) == ("/Image", True, 1)
    assert int(stencil["/Width"]) / 30 * 25.4 == pytest.approx(1200, abs=2)
    assert pdf == printed(made, tmp_path / "again", "--target", "single", "--theme", "plain", "--only", "8H")
    picture = pictures(pdf, 254)[0].convert("RGB")
    red, green, _ = picture.crop((162, 35, 602, 385)).split()
    tinted = ImageChops.multiply(
        red.point(lambda part: 255 * (part > 150)), green.point(lambda part: 255 * (part < 110))
    ).getbbox()
    assert tinted
    wide, high = tinted[2] - tinted[0], tinted[3] - tinted[1]
    assert wide == pytest.approx(300, abs=12), "30 mm, in the red of hearts though it is drawn in black"
    assert high == pytest.approx(300, abs=12)


PLACED = {"8C": "art: art/b.svg\n    placed: bleed", "10C": "art: art/b.svg\n    placed: ground"}


def shots(made: Path, dpi: int, *wishes: str) -> list[Image.Image]:
    return [image.convert("RGB") for image in pictures(printed(made, made.parent / "out", *wishes), dpi)]


def test_a_picture_lies_over_the_whole_card_or_pale_on_its_ground(tmp_path: Path) -> None:
    made = pack(tmp_path, PLACED, b=BLOCK.format("teal"))
    whole, pale = shots(made, 254, "--target", "single", "--theme", "plain", "--only", "8C,10C")
    window, corner, beside_text = (350, 200), (5, 700), (350, 700)
    seen = [whole.getpixel(at) for at in (window, corner, beside_text)]
    assert seen == [TEAL, TEAL, WHITE], "text has its own ground"
    ground = tuple(round(255 - 0.14 * (255 - part)) for part in TEAL)
    assert [pale.getpixel(at) for at in (corner, (60, 520))] == [ground, ground]


@pytest.mark.slow
def test_a_picture_takes_no_ink_that_is_spared_and_no_room_of_another_card(tmp_path: Path) -> None:
    made = pack(tmp_path, PLACED, b=BLOCK.format("teal"))
    assert shots(made, 72, "--target", "single", "--only", "8C", "--ink", "saver")[0].getpixel((2, 2)) == WHITE
    sheet = shots(made, 254, "--only", "7C,8C,9C")[0]
    left = (sheet.width - 3 * 635) // 2
    row = [sheet.getpixel((x, 400)) for x in (left + 625, left + 645, left + 1265, left + 1275)]
    assert row == [WHITE, TEAL, TEAL, WHITE], "it does not run over the cards beside it"


@pytest.mark.parametrize(
    ("line", "inside", "says"),
    [
        ("emblem: skul", "", 'unknown emblem "skul": did you mean "skull"?'),
        ("emblem: art/gone.svg", "", "art/gone.svg is not there: name a file in the pack's folder"),
        ("emblem: art/bad.svg", "<script/>", "art/bad.svg:2: <script> is refused: take it out"),
        ("art: art/bad.svg", "<mesh/>", "art/bad.svg:2: <mesh> is refused: take it out"),
        ("emblem: Not One", "", '"Not One" is not the name of an emblem, or a picture in the pack'),
    ],
)
def test_a_wrong_emblem_is_told_where_it_is_named(line: str, inside: str, says: str, tmp_path: Path) -> None:
    made = Path(shutil.copytree(ROOT / "docs" / "examples" / "last_hand", tmp_path / "small"))
    (made / "art").mkdir()
    (made / "art" / "bad.svg").write_text(written(inside), encoding="utf-8")
    cards = (made / "decks.yaml").read_text(encoding="utf-8")
    cards += f"      - code: sign\n        name: A sign\n        note: It glows.\n        {line}\n"
    (made / "decks.yaml").write_text(cards, encoding="utf-8")
    done = run("check", "--pack", made)
    assert done.code == 1
    assert f"decks.yaml:{len(cards.splitlines())}:" in done.err
    assert says in done.err, done.err


def test_a_card_without_an_emblem_has_that_of_what_it_names(tmp_path: Path) -> None:
    """Severed names a limb, Split jaw what it brings; a card that says `none` keeps its pips."""
    made = pack(tmp_path, {"AD": "emblem: none"})
    shown = {}
    for code in ("3D", "2H", "AD"):
        pdf = printed(made, tmp_path / code, "--target", "single", "--only", code)
        shown[code] = [figure.instead for figure in tree(pdf).all("Figure")]
    assert shown == {"3D": [EMBLEMS["finger"]], "2H": [EMBLEMS["throat"]], "AD": []}

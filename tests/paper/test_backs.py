"""Backs of cards: told apart by pattern, colour and title, the same turned round, and sparing where ink is saved."""

from __future__ import annotations

import dataclasses
import io
import math
import shutil
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from helpers import ROOT, chars, copy_pack, pictures, run
from PIL import Image, ImageChops, ImageStat
from reportlab.pdfgen.canvas import Canvas

from generator.games.card_products import PATTERNS, card_set, card_set_names
from generator.model.rules import System
from generator.model.themes import BackPattern
from generator.pack.load import load_pack
from generator.paper.back import draw_back
from generator.paper.ink import OXBLOOD, READABLE, Rgb, contrast, rgb

WIDTH, HEIGHT = 180.0, 252.0
"""Of a poker card, pt."""
OURS = ("hackjack", "deadlands", "fiftytwo", "glog", "jackrealms")


def drawn(pattern: BackPattern, *, solid: bool = True, title: str = "", colour: Rgb = OXBLOOD) -> bytes:
    """A back alone on its page, without bleed."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT), invariant=True)
    draw_back(canvas, WIDTH, HEIGHT, 0, solid=solid, pattern=pattern, title=title, colour=colour)
    canvas.save()
    return file.getvalue()


def shown(pattern: BackPattern, solid: bool = True, dpi: int = 144) -> Image.Image:
    return pictures(drawn(pattern, solid=solid, title="Death and dismemberment"), dpi)[0].convert("L")


def ink_on(picture: Image.Image) -> float:
    """How much of a picture is inked, 0 to 1."""
    return 1 - float(ImageStat.Stat(picture.convert("L")).mean[0]) / 255


def difference(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ on average, 0 to 1."""
    return float(ImageStat.Stat(ImageChops.difference(one, other)).mean[0]) / 255


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_back_is_the_same_turned_round_and_spares_ink_where_asked(pattern: BackPattern) -> None:
    for solid in (True, False):
        # Drawn finer than it is compared, since the shades of dots at an edge differ a little.
        picture = shown(pattern, solid, 288).reduce(2)
        assert difference(picture, picture.transpose(Image.Transpose.ROTATE_180)) < 0.01
        # And a stricter eye would see it: upside down alone it is another.
        assert difference(picture, picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)) > 0.012
    # Fine dots: lines thinner than a dot would be drawn a dot wide.
    assert ink_on(shown(pattern, False, 432)) < 0.08


BLEED = 9.0
"""A whole number of pt, so that the page has whole dots and is not stretched to fit them."""


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("solid", [True, False])
def test_the_bleed_is_the_neighbours_edge(pattern: BackPattern, solid: bool) -> None:
    canvas = Canvas(file := io.BytesIO(), pagesize=(WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED), invariant=True)
    canvas.translate(BLEED, BLEED)
    draw_back(canvas, WIDTH, HEIGHT, BLEED, solid=solid, pattern=pattern)
    canvas.save()
    picture = pictures(file.getvalue(), 288)[0].convert("L")
    wide, high, strip = round(4 * WIDTH), round(4 * HEIGHT), round(8 * BLEED)
    left, right = (picture.crop((x, 0, x + strip, picture.height)) for x in (0, wide))
    above, below = (picture.crop((0, y, picture.width, y + strip)) for y in (0, high))
    assert max(difference(left, right), difference(above, below)) < 0.01


def test_no_two_patterns_look_alike() -> None:
    """The upper fifths alone, where the medallion does not reach, and blurred as from a few steps away."""
    tops = {}
    for pattern in PATTERNS:
        top = shown(pattern).crop((0, 0, shown(pattern).width, shown(pattern).height // 5))
        tops[pattern] = top.resize((top.width // 3, top.height // 3))
    for one in PATTERNS:
        for other in PATTERNS:
            assert one == other or difference(tops[one], tops[other]) > 0.05, (one, other)


# --- titles ----------------------------------------------------------------------------------------------------------


TITLES = ["Fate", "Hackjack", "Death and dismemberment", "The criticals of a long, long road west", "W" * 24]


def test_a_title_stands_twice_whole_and_inside_the_medallion() -> None:
    sizes = []
    for title in TITLES:
        found = chars(drawn("bricks", title=title), 0)
        assert Counter(char.text for char in found) == Counter(title.replace(" ", "") * 2)
        sizes.append(round(min(char.size for char in found), 3))
        for char in found:
            for x, y in ((char.left, char.bottom), (char.right, char.top)):
                assert math.hypot(x - 31.75, y - 44.45) < 0.4 * 63.5
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] > 3.5
    assert sizes[3] > 7, "a long title takes two lines rather than small letters"


def test_a_sets_own_emblem_stands_in_its_medallion_twice(mine: Path, tmp_path: Path) -> None:
    """It takes the place of the knife and the bone, and of the pack's picture."""
    usual = back_of(mine, tmp_path / "usual", "--dpi", "100")
    with_backs(mine, "backs:\n  deck: {emblem: skull}\n")
    skulls = back_of(mine, tmp_path / "skulls", "--dpi", "100")
    wide, high = usual.size
    side = wide // 9
    middle = (wide // 2 - side, high // 2 - 2 * side, wide // 2 + side, high // 2 + 2 * side)
    assert difference(usual.crop(middle), skulls.crop(middle)) > 0.1
    assert difference(skulls, skulls.transpose(Image.Transpose.ROTATE_180)) < 0.01
    with_backs(mine, "  conditions: {emblem: skul}\n")
    done = run("check", "--pack", mine)
    assert done.code == 1 and 'unknown emblem "skul": did you mean "skull"?' in done.out + done.err


# --- the sets of cards that there are --------------------------------------------------------------------------------


def looks(system: System) -> list[tuple[str | None, str | None]]:
    designs = [card_set(system, name).design for name in card_set_names(system)]
    assert all(design.title for design in designs)
    return [(design.pattern, design.colour) for design in designs]


def test_no_two_sets_of_ours_have_the_same_back() -> None:
    found = [look for name in OURS for look in looks(load_pack(ROOT / "content" / name).system)]
    assert len(found) == 14
    assert len(set(found)) == len(found)


def test_sets_that_choose_nothing_are_told_apart_too() -> None:
    system = load_pack(ROOT / "content" / "glog").system
    bare = dataclasses.replace(system, head=msgspec.structs.replace(system.head, backs={}))
    found = looks(bare)
    assert len({pattern for pattern, _ in found}) == len({colour for _, colour in found}) == 4
    for _, colour in found:
        assert contrast(rgb(colour or "")) >= READABLE


# --- content ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The flagship's pack with backs of its own, which a test writes."""
    made = copy_pack(tmp_path / "pack")
    head = made / "system.yaml"
    told = head.read_text(encoding="utf-8")
    head.write_text(told[: told.index("\nbacks:")] + "\n", encoding="utf-8")
    return made


def with_backs(pack: Path, lines: str) -> Path:
    with (pack / "system.yaml").open("a", encoding="utf-8") as file:
        file.write(lines)
    return pack


def back_of(pack: Path, folder: Path, *options: str) -> Image.Image:
    done = run("print", "hackjack", "deck", "--pack", pack, "-o", folder, "--target", "png", "--only", "2C", *options)
    assert done.code == 0, done.err
    with Image.open(next(folder.rglob("back.png"))) as picture:
        return picture.convert("RGB")


def test_pattern_colour_and_title_come_from_content(mine: Path, tmp_path: Path) -> None:
    with_backs(mine, 'backs:\n  deck: {pattern: bricks, colour: "#123f2a", title: Wounds}\n')
    picture = back_of(mine, tmp_path / "out", "--dpi", "100")
    assert picture.getpixel((picture.width // 2 - picture.width // 12, picture.height // 2)) == (0x12, 0x3F, 0x2A)
    system = load_pack(mine).system
    assert card_set(system, "deck").design.title == "Wounds"


@pytest.mark.parametrize("options", [("--ink", "mono"), ("--theme", "mono")])
def test_one_ink_makes_backs_grey(mine: Path, tmp_path: Path, options: tuple[str, str]) -> None:
    with_backs(mine, 'backs:\n  deck: {colour: "#7a2e0e"}\n')
    picture = back_of(mine, tmp_path / "out", "--dpi", "50", *options)
    red, green, blue = picture.split()
    assert difference(red, green) == difference(green, blue) == 0


def test_a_packs_sign_stands_in_the_medallion_twice(mine: Path, tmp_path: Path) -> None:
    (mine / "art").mkdir()
    sign = Image.new("RGB", (300, 300), (0, 130, 140))
    sign.paste((150, 30, 160), (0, 0, 300, 100))
    sign.save(mine / "art" / "sign.png")
    with_backs(mine, "art: {medallion: art/sign.png}\n")
    picture = back_of(mine, tmp_path / "out", "--dpi", "200")
    middle, (wide, high) = picture.size[0] // 2, picture.size
    place = wide // 12
    # Its upper third points away from the middle, over it and under it.
    assert picture.getpixel((middle, high // 2 - 2 * place)) == (150, 30, 160)
    assert picture.getpixel((middle, high // 2 + 2 * place)) == (150, 30, 160)
    assert picture.getpixel((middle, high // 2 - place // 2)) == (0, 130, 140)
    assert difference(picture, picture.transpose(Image.Transpose.ROTATE_180)) < 0.01
    spared = back_of(mine, tmp_path / "spared", "--ink", "saver", "--dpi", "60")
    assert ink_on(spared) < 0.25


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("{omens: {pattern: lozenge}}", '"lozenge" is not known here: did you mean "lozenges"?'),
        ("{omen: {pattern: waves}}", 'unknown set of cards "omen": did you mean "omens"?'),
        ("{omens: {colour: teal}}", '"teal" is not a colour: write # and six figures or letters'),
        ('{omens: {colour: "#c0c0c0"}}', "white lines on #c0c0c0 have a contrast of 1.8:1, but the minimum is 4.5:1"),
        ("{omens: {title: Раны 傷}}", "the printed font has no"),
        ("{omens: {titel: Wounds}}", 'unknown key "titel"'),
    ],
)
def test_check_finds_what_is_wrong_with_backs(lines: str, fault: str, tmp_path: Path) -> None:
    small = Path(shutil.copytree(ROOT / "docs" / "examples" / "last_hand", tmp_path / "small"))
    done = run("check", with_backs(small, f"backs: {lines}\n"))
    assert done.code == 1
    assert fault in done.err
    assert "system.yaml:" in done.err

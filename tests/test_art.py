"""The drawn signs and the card back: where they reach, what they look like, and how the back repeats."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations

import pytest
from helpers import MM, pictures
from PIL import Image, ImageChops, ImageStat
from reportlab.pdfgen.canvas import Canvas

from generator.base.emblem_names import EMBLEMS
from generator.paper.art import ICONS, SUITS, Outline, emblem_outline, parse_path, pip_places
from generator.paper.back import draw_back

DRAWN = {**SUITS, **ICONS}
WIDTH, HEIGHT, BLEED = 63.5 * MM, 88.9 * MM, 9.0
"""Of the back, pt. The bleed is a whole number so that the page has whole dots and is not stretched to fit them."""


def picture(width: float, height: float, draw: Callable[[Canvas], None], dpi: float = 144) -> Image.Image:
    """One page of `width` x `height` pt as a grey picture."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(width, height), invariant=True)
    draw(canvas)
    canvas.save()
    return pictures(file.getvalue(), dpi)[0].convert("L")


@cache
def silhouette(name: str, turned: bool = False) -> Image.Image:
    """A sign alone, 40 pt large, black on white."""
    return picture(40, 40, lambda canvas: DRAWN[name].draw(canvas, 20, 20, 40, turned=turned))


@cache
def back(solid: bool) -> Image.Image:
    """The back with its bleed, four dots to a point, so that the trim is a whole number of dots."""

    def draw(canvas: Canvas) -> None:
        canvas.translate(BLEED, BLEED)
        draw_back(canvas, WIDTH, HEIGHT, BLEED, solid=solid)

    return picture(WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED, draw, 288)


def difference(one: Image.Image, other: Image.Image) -> float:
    """How much two grey pictures differ on average, 0 to 1."""
    return float(ImageStat.Stat(ImageChops.difference(one, other)).mean[0]) / 255


def shades(shown: Image.Image) -> tuple[int, int]:
    """The darkest and the lightest grey of a picture, 0 to 255."""
    greys = shown.tobytes()
    return min(greys), max(greys)


def curve(outline: Outline) -> Iterator[tuple[float, float]]:
    """Points on the outline itself, the bends of its curves included."""
    x, y = 0.0, 0.0
    for command in outline.commands:
        match command:
            case ("M" | "L", x, y):
                yield x, y
            case ("C", x1, y1, x2, y2, x3, y3):
                for t in (step / 50 for step in range(51)):
                    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                    yield a * x + b * x1 + c * x2 + d * x3, a * y + b * y1 + c * y2 + d * y3
                x, y = x3, y3


@pytest.mark.parametrize("name", DRAWN)
def test_a_sign_fills_the_unit_box_from_its_centre(name: str) -> None:
    xs, ys = zip(*curve(DRAWN[name]), strict=True)
    assert min(xs) + max(xs) == pytest.approx(0, abs=2e-3)
    assert min(ys) + max(ys) == pytest.approx(0, abs=2e-3)
    assert 0.91 < max(max(xs) - min(xs), max(ys) - min(ys)) < 1.001


@pytest.mark.parametrize("name", DRAWN)
def test_every_part_of_a_sign_is_closed(name: str) -> None:
    letters = "".join(command[0] for command in DRAWN[name].commands)
    assert letters.count("M") == letters.count("Z")
    assert letters.endswith("Z")
    assert "ZL" not in letters
    assert "ZC" not in letters


@pytest.mark.parametrize("name", sorted(DRAWN.keys() - {"bone", "burn", "hole", "kicker"}))
def test_a_sign_is_the_same_in_a_mirror(name: str) -> None:
    shown = silhouette(name)
    assert difference(shown, shown.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) < 0.012


@pytest.mark.parametrize("name", DRAWN)
def test_turned_is_upside_down(name: str) -> None:
    assert difference(silhouette(name, True), silhouette(name).transpose(Image.Transpose.ROTATE_180)) < 0.012


@pytest.mark.parametrize(("one", "other"), list(combinations(DRAWN, 2)))
def test_no_two_signs_look_alike(one: str, other: str) -> None:
    assert difference(silhouette(one), silhouette(other)) > 0.08


def test_every_emblem_fills_its_box_with_closed_shapes_and_looks_like_no_other() -> None:
    shown = {name: picture(28, 28, partial(emblem_outline(name).draw, x=14, y=14, size=28)) for name in EMBLEMS}
    for name, drawn in shown.items():
        xs, ys = zip(*curve(emblem_outline(name)), strict=True)
        assert [min(xs) + max(xs), min(ys) + max(ys)] == pytest.approx([0, 0], abs=5e-3), name
        assert 0.91 < max(max(xs) - min(xs), max(ys) - min(ys)) < 1.003, name
        letters = "".join(command[0] for command in emblem_outline(name).commands)
        assert letters.count("M") == letters.count("Z"), name
        assert letters.endswith("Z"), name
        assert 0.04 < 1 - float(ImageStat.Stat(drawn).mean[0]) / 255 < 0.75, f"{name}: too little ink to see, or a slab"
    for one, other in combinations(shown, 2):
        assert difference(shown[one], shown[other]) > 0.06, f"{one} and {other} look alike"
    assert len(set(EMBLEMS.values())) == len(EMBLEMS), "each is called something else"


def test_suits_weigh_about_the_same() -> None:
    inked = {suit: 1 - float(ImageStat.Stat(silhouette(suit)).mean[0]) / 255 for suit in SUITS}
    assert max(inked.values()) < 1.5 * min(inked.values()), inked


def test_the_bone_is_in_two_and_the_lock_has_a_keyhole() -> None:
    assert sum(command[0] == "M" for command in ICONS["bone"].commands) == 2
    bone, lock = silhouette("bone"), silhouette("lock")
    middle = bone.crop((36, 36, 44, 44))
    assert shades(middle)[1] > 200, "no gap in the middle of the bone"
    assert lock.getpixel((40, 80 - 32)) == 255
    assert lock.getpixel((25, 80 - 32)) == 0


def test_contour_only() -> None:
    filled = silhouette("H")
    contour = picture(40, 40, lambda canvas: SUITS["H"].draw(canvas, 20, 20, 40, fill=False, stroke=True))
    assert filled.getpixel((40, 40)) == 0
    assert contour.getpixel((40, 40)) == 255
    assert shades(contour)[0] < 128


def test_a_sign_stands_where_it_is_told() -> None:
    shown = picture(100, 60, lambda canvas: SUITS["D"].draw(canvas, 70, 20, 20), 72)
    left, top, right, bottom = ImageChops.invert(shown).getbbox() or (0, 0, 0, 0)
    assert ((left + right) / 2, 60 - (top + bottom) / 2) == pytest.approx((70, 20), abs=1)
    assert bottom - top == pytest.approx(20, abs=2)


@pytest.mark.parametrize(
    "text",
    [
        *("", "L 1 2", "M 1", "M 1 2 L 3", "M 1 2 C 1 2 3 4 5", "M 1 2 l 3 4", "M 1 2 Q 1 2 3 4", "M 1 2 3 4"),
        *("M a b", "M 1 2 Z 3", "M 1,2", "M 1e3 2", "M 1 2 L Z 3"),
    ],
)
def test_a_path_with_a_slip_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"path|command"):
        parse_path(text)


def test_a_path_is_read() -> None:
    commands = parse_path("M 1 -2.5 L 0 3 C 1 2 3 4 5 6 Z")
    assert commands == (("M", 1, -2.5), ("L", 0, 3), ("C", 1, 2, 3, 4, 5, 6), ("Z",))


@pytest.mark.parametrize("count", range(1, 11))
def test_pips(count: int) -> None:
    places = pip_places(count)
    assert len(places) == len({(x, y) for x, y, _ in places}) == count
    assert all(-0.5 <= x <= 0.5 and -0.5 <= y <= 0.5 for x, y, _ in places)
    assert all(turned == (y < 0) for _, y, turned in places)
    assert {(x, y) for x, y, _ in places} == {(-x, y) for x, y, _ in places}
    if count != 7:  # The seven has one pip too many in its upper half, on every deck.
        assert {(x, round(y, 9)) for x, y, _ in places} == {(-x, round(-y, 9)) for x, y, _ in places}


@pytest.mark.parametrize("count", [-1, 0, 11])
def test_no_pips_outside_one_to_ten(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 10"):
        pip_places(count)


@pytest.mark.parametrize("solid", [True, False])
def test_the_back_is_the_same_upside_down(solid: bool) -> None:
    shown = back(solid)
    assert shades(shown)[0] < 128 < shades(shown)[1]
    assert difference(shown, shown.transpose(Image.Transpose.ROTATE_180)) < 0.01


@pytest.mark.parametrize("solid", [True, False])
def test_the_bleed_is_the_neighbours_edge(solid: bool) -> None:
    shown = back(solid)
    wide, high = round(4 * WIDTH), round(4 * HEIGHT)
    strip = shown.width - wide
    left, right = (shown.crop((x, 0, x + strip, shown.height)) for x in (0, wide))
    assert difference(left, right) < 0.01
    strip = shown.height - high
    above, below = (shown.crop((0, y, shown.width, y + strip)) for y in (0, high))
    assert difference(above, below) < 0.01
    # What does not fit: the same strips half a mesh apart.
    assert difference(left, ImageChops.offset(right, 0, 37)) > 0.03


def test_the_saving_back_needs_little_ink() -> None:
    inked = {solid: 1 - float(ImageStat.Stat(back(solid)).mean[0]) / 255 for solid in (True, False)}
    assert inked[False] < 0.25 < inked[True]

"""The drawn signs: where they reach, and what they look like."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations

import pytest
from helpers import pictures
from PIL import Image, ImageChops, ImageStat
from reportlab.pdfgen.canvas import Canvas

from generator.base.emblem_names import EMBLEMS
from generator.paper.art import ICONS, SUITS, Outline, emblem_outline, parse_path, pip_places

DRAWN = {**SUITS, **ICONS}


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


def judged(outline: Outline, leeway: float) -> None:
    """A sign fills the unit box from its centre, and each of its parts is closed."""
    xs, ys = zip(*curve(outline), strict=True)
    assert [min(xs) + max(xs), min(ys) + max(ys)] == pytest.approx([0, 0], abs=leeway)
    assert 0.91 < max(max(xs) - min(xs), max(ys) - min(ys)) < 1.003
    letters = "".join(command[0] for command in outline.commands)
    assert letters.count("M") == letters.count("Z") and letters.endswith("Z")
    assert "ZL" not in letters and "ZC" not in letters


@pytest.mark.parametrize("name", DRAWN)
def test_a_sign_fills_its_box_and_is_like_no_other(name: str) -> None:
    judged(DRAWN[name], 2e-3)
    shown = silhouette(name)
    assert difference(silhouette(name, True), shown.transpose(Image.Transpose.ROTATE_180)) < 0.012
    if name not in ("bone", "burn", "hole", "kicker"):
        assert difference(shown, shown.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) < 0.012
    assert min(difference(shown, silhouette(other)) for other in DRAWN if other != name) > 0.08


def test_every_emblem_fills_its_box_with_closed_shapes_and_looks_like_no_other() -> None:
    shown = {name: picture(28, 28, partial(emblem_outline(name).draw, x=14, y=14, size=28)) for name in EMBLEMS}
    for name, drawn in shown.items():
        judged(emblem_outline(name), 5e-3)
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


def test_a_sign_stands_where_it_is_told_and_may_be_a_contour() -> None:
    contour = picture(40, 40, lambda canvas: SUITS["H"].draw(canvas, 20, 20, 40, fill=False, stroke=True))
    assert (silhouette("H").getpixel((40, 40)), contour.getpixel((40, 40))) == (0, 255)
    assert shades(contour)[0] < 128
    shown = picture(100, 60, lambda canvas: SUITS["D"].draw(canvas, 70, 20, 20), 72)
    left, top, right, bottom = ImageChops.invert(shown).getbbox() or (0, 0, 0, 0)
    assert ((left + right) / 2, 60 - (top + bottom) / 2) == pytest.approx((70, 20), abs=1)
    assert bottom - top == pytest.approx(20, abs=2)


SLIPS = "|L 1 2|M 1|M 1 2 L 3|M 1 2 C 1 2 3 4 5|M 1 2 l 3 4|M 1 2 Q 1 2 3 4|M 1 2 3 4|M a b|M 1 2 Z 3|M 1,2|M 1e3 2"


def test_a_path_is_read_and_one_with_a_slip_is_refused() -> None:
    commands = parse_path("M 1 -2.5 L 0 3 C 1 2 3 4 5 6 Z")
    assert commands == (("M", 1, -2.5), ("L", 0, 3), ("C", 1, 2, 3, 4, 5, 6), ("Z",))
    for text in (*SLIPS.split("|"), "M 1 2 L Z 3"):
        with pytest.raises(ValueError, match=r"path|command"):
            parse_path(text)


def test_pips() -> None:
    for count in range(1, 11):
        places = pip_places(count)
        assert len(places) == len({(x, y) for x, y, _ in places}) == count
        assert all(-0.5 <= x <= 0.5 and -0.5 <= y <= 0.5 for x, y, _ in places)
        assert all(turned == (y < 0) for _, y, turned in places)
        assert {(x, y) for x, y, _ in places} == {(-x, y) for x, y, _ in places}
        if count != 7:  # The seven has one pip too many in its upper half, on every deck.
            assert {(x, round(y, 9)) for x, y, _ in places} == {(-x, round(-y, 9)) for x, y, _ in places}
    for count in (-1, 0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            pip_places(count)

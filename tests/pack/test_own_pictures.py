"""Pictures that a pack brings: where they are printed, how fine they must be, and which are refused, and how."""

from __future__ import annotations

import io
import os
import re
import shutil
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import copy_pack, few_quick, pictures, reader, run
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageDraw

from generator.base.errors import HackjackError
from generator.layout import artwork
from generator.pack.pack_locations import find

PURPLE, GREEN, TEAL, WHITE = (150, 30, 160), (20, 150, 40), (0, 130, 140), (255, 255, 255)
BACK = (831, 1132)
"""A poker card with 1/8 in of bleed at 300 dpi, and a dot to spare."""


def plain(size: tuple[int, int], colour: Any = PURPLE, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, size, colour)


def framed(size: tuple[int, int]) -> Image.Image:
    """Purple, with a green frame of a tenth of the width and a teal upper half inside."""
    picture = plain(size, GREEN)
    wide, high = size
    edge = wide // 10
    picture.paste(PURPLE, (edge, edge, wide - edge, high - edge))
    picture.paste(TEAL, (edge, edge, wide - edge, high // 2))
    return picture


def star(side: int = 460) -> Image.Image:
    """A teal triangle that points upwards, on nothing."""
    picture = plain((side, side), (0, 0, 0, 0), "RGBA")
    ImageDraw.Draw(picture).polygon([(side // 2, 0), (side, side), (0, side)], fill=(*TEAL, 255))
    return picture


def encoded(picture: Image.Image, form: str = "PNG", **how: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, form, **how)
    return stream.getvalue()


def pack(
    folder: Path,
    *,
    back: str = "",
    suits: dict[str, str] | None = None,
    cards: dict[str, str] | None = None,
    **files: bytes,
) -> Path:
    """The flagship's pack with pictures: paths for its back, its suits and its cards, and the files' bytes."""
    made = copy_pack(folder)
    (made / "claims.yaml").unlink()
    (made / "art").mkdir()
    for name, data in files.items():
        (made / "art" / re.sub(r"_(?=[^_]*$)", ".", name)).write_bytes(data)
    # One card shows its pips, so that the suit's sign stands behind its text.
    wounds = made / "deck.yaml"
    written = wounds.read_text(encoding="utf-8").replace("emblem: fall\n", "emblem: none\n")
    wounds.write_text(written, encoding="utf-8")
    lines = [f"  back: {back}"] if back else []
    lines += ["  suits: {" + ", ".join(f"{suit}: {path}" for suit, path in suits.items()) + "}"] if suits else []
    if lines:
        head = made / "system.yaml"
        head.write_text(head.read_text(encoding="utf-8") + "\nart:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    deck = made / "deck.yaml"
    text = deck.read_text(encoding="utf-8")
    for code, path in (cards or {}).items():
        assert f"  - code: {code}\n" in text
        text = text.replace(f"  - code: {code}\n", f"  - code: {code}\n    art: {path}\n")
    deck.write_text(text, encoding="utf-8")
    return made


def printed(made: Path, output: Path, *wishes: str, product: str = "deck") -> bytes:
    """The one PDF of a pack's deck."""
    done = run("print", "--pack", made, "hackjack", product, "-o", output, *wishes)
    assert (done.code, done.err) == (0, ""), done.err
    return Path(done.out.splitlines()[0]).read_bytes()


def seen(picture: Image.Image, x: float, y: float, dpi: float = 254) -> tuple[int, ...]:
    """The colour at (x, y) mm from the lower left corner."""
    dots = dpi / 25.4
    found = picture.getpixel((round(x * dots), picture.height - round(y * dots)))
    assert isinstance(found, tuple)
    return found


def close(one: tuple[int, ...], other: tuple[int, ...], by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


# --- where they are printed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["png", "jpg", "jpeg", "webp"])
def test_a_back_fills_the_card_and_its_bleed(form: str, tmp_path: Path) -> None:
    """A picture of another shape is cut at its longer ends: a square loses its sides, and stands upright."""
    kind = {"jpg": "JPEG", "jpeg": "JPEG"}.get(form, form.upper())
    picture = encoded(framed((1200, 1200)), kind, **({"quality": 95} if kind == "JPEG" else {}))
    made = pack(tmp_path, back=f"art/b.{form}", **dict[str, Any]({f"b_{form}": picture}))
    pdf = printed(made, tmp_path / "out", "--target", "single", "--only", "QS", "--marks", "none")
    shown = pictures(pdf, 254)[1]
    wide, high = 63.5 + 6.35, 88.9 + 6.35
    assert (shown.width, shown.height) == (pytest.approx(wide * 10, abs=1), pytest.approx(high * 10, abs=1))
    # A tenth of the height is frame at head and foot; of the width, (high - wide) / 2 is cut off on either side.
    edge = high / 10
    assert close(seen(shown, wide / 2, edge - 0.5), GREEN)
    assert close(seen(shown, wide / 2, edge + 0.5), PURPLE)
    assert close(seen(shown, wide / 2, high / 2 + 1), TEAL)
    assert edge < (high - wide) / 2
    for y in (edge + 1, high / 4):
        assert close(seen(shown, 0.2, y), PURPLE), "the frame at the sides is cut off"
        assert close(seen(shown, wide - 0.2, y), PURPLE)


@pytest.mark.parametrize("target", few_quick(1, ["home-bleed", "home", "fold", "business"]))
def test_backs_on_sheets_run_over_the_cut_and_not_into_each_other(target: str, tmp_path: Path) -> None:
    """The frame that lies in the bleed is seen around all cards, and nowhere between two that touch."""
    bleed = {"home": 1.5, "home-bleed": 3.0, "fold": 1.5, "business": 1.5}[target]
    card = (54.0, 85.0) if target == "business" else (63.5, 88.9)
    size = tuple(round((side + 2 * bleed) * 12) for side in card)
    picture = plain((size[0], size[1]), GREEN)
    cut = round(bleed * 12) - 2
    picture.paste(PURPLE, (cut, cut, size[0] - cut, size[1] - cut))
    made = pack(tmp_path, back="art/b.png", b_png=encoded(picture))
    pdf = printed(made, tmp_path / "out", "--target", target, "--marks", "none", "--only", "AC,2C,3C,4C")
    shown = pictures(pdf, 254)[-1]
    green = sum(count for count, dot in shown.getcolors(1 << 24) or () if close(dot, GREEN))  # type: ignore[arg-type, misc]
    # What is green of the bleed, around one card, around four in a row, or around three with one below them.
    frame = cut / 12
    wide, high = {"home": (3 * card[0], 2 * card[1]), "fold": (4 * card[0], card[1])}.get(target, card)
    around = 2 * frame * (wide + high + 4 * bleed) - 4 * frame**2
    cards = 4 if target in ("home-bleed", "business") else 1
    assert green / 100 == pytest.approx(cards * around, rel=0.03)


def test_suits_of_ones_own_stand_in_both_corners(tmp_path: Path) -> None:
    suits = dict.fromkeys("CSDH", "art/s.png")
    made = pack(tmp_path, suits=suits, s_png=encoded(star()))
    pdf = printed(made, tmp_path / "out", "--target", "single", "--only", "AS", "--marks", "none", "--backs", "none")
    shown, off = pictures(pdf, 254)[0], 3.175

    def dark(x: float, y: float) -> bool:
        return close(seen(shown, off + x, off + y), TEAL)

    # The sign is 5.2 mm wide, its middle 6.7 mm from the side and 11.8 mm from the head.
    assert [dark(6.7, 88.9 - 11.8 + rise) for rise in (-2.0, 0.5)] == [True, True]
    assert [dark(6.7 - 2.0, 88.9 - 11.8 + rise) for rise in (-2.2, 2.0)] == [True, False], "it points upwards"
    assert [dark(63.5 - 5.8 + 1.3, 9.0 - rise) for rise in (-1.4, 1.3)] == [True, False], "turned in the other corner"


def test_a_picture_of_a_card_covers_its_window(tmp_path: Path) -> None:
    """From cut to cut, cropped to the window and not stretched; letters stand on it in corners of their own."""
    made = pack(tmp_path, cards={"QS": "art/q.webp"}, q_webp=encoded(framed((900, 600)), "WEBP", lossless=True))
    wishes = ("--target", "single", "--marks", "none", "--backs", "none", "--only")
    pdf = printed(made, tmp_path / "out", *wishes, "QS")
    shown = pictures(pdf, 254)[0]
    row = shown.height - 700
    across = [close(shown.getpixel((x, row)), GREEN) for x in range(shown.width)]  # type: ignore[arg-type]
    assert across[0] and across[-1], "it runs into the bleed"
    # The frame is a tenth of the picture's width on either side, which is as wide as the card with its bleed.
    assert sum(across) == pytest.approx(0.2 * shown.width, abs=6)
    other = printed(made, tmp_path / "other", *wishes, "KS")
    assert not images_of(other)


@pytest.mark.slow
def test_nothing_is_printed_where_ink_is_saved_and_nothing_behind_text_with_high_contrast(tmp_path: Path) -> None:
    suits = dict.fromkeys("CSDH", "art/s.png")
    files = {"s_png": encoded(star()), "b_png": encoded(plain(BACK)), "q_png": encoded(plain((900, 600)))}
    made = pack(tmp_path, back="art/b.png", suits=suits, cards={"QS": "art/q.png"}, **files)
    only = ("--only", "QS,AS")
    assert not images_of(printed(made, tmp_path / "saved", "--ink", "saver", *only))
    usual = images_of(printed(made, tmp_path / "usual", *only))
    sharp = images_of(printed(made, tmp_path / "sharp", "--contrast", "high", *only))
    assert len(usual) == len(sharp)
    labels = printed(made, tmp_path / "labels", "--target", "l7651", *only)
    assert not images_of(labels), "stickers are too small for pictures"


@pytest.mark.slow
def test_other_systems_print_them_too(tmp_path: Path) -> None:
    """A blackjack deck and initiative cards take a back; the deck takes signs."""
    for name, product in (("jackrealms", "deck"), ("fiftytwo", "initiative")):
        made = Path(shutil.copytree(find(name), tmp_path / name))
        (made / "art").mkdir()
        (made / "art" / "b.png").write_bytes(encoded(framed(BACK)))
        (made / "art" / "s.png").write_bytes(encoded(star()))
        with (made / "system.yaml").open("a", encoding="utf-8") as head:
            head.write("\nart: {back: art/b.png, suits: {H: art/s.png}}\n")
        done = run("print", "--pack", made, name, product, "-o", tmp_path / "out")
        assert (done.code, done.err) == (0, "")
        pdf = Path(done.out.strip()).read_bytes()
        assert len(images_of(pdf)) >= (2 if name == "jackrealms" else 1)
        assert any(close(seen(pictures(pdf, 254)[1], 105, y), PURPLE) for y in range(100, 250, 10))


def images_of(pdf: bytes) -> list[tuple[str, tuple[int, int], bool]]:
    """Every image in a file once: its colours, its dots, and whether it has a mask."""
    found: dict[int, tuple[str, tuple[int, int], bool]] = {}
    document = reader(pdf)
    for number in range(1, len(document.xref[0]) + 1):
        thing = document.get_object(number)
        if isinstance(thing, dict) and thing.get("/Subtype") == "/Image":
            space = thing["/ColorSpace"]
            size = (int(thing["/Width"]), int(thing["/Height"]))
            found[number] = (str(space), size, "/SMask" in thing or "/Mask" in thing)
    return list(found.values())


@pytest.mark.slow
def test_a_print_shop_gets_four_inks_and_each_picture_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pikepdf")
    converted: list[tuple[int, int]] = []
    real = artwork.separated_image
    monkeypatch.setattr(artwork, "separated_image", lambda image: (converted.append(image.size), real(image))[1])  # type: ignore[func-returns-value]
    suits = dict.fromkeys("CSDH", "art/s.png")
    files = {
        "s_png": encoded(star()),
        "b_jpg": encoded(framed(BACK), "JPEG"),
        "q_png": encoded(plain((900, 600), (1, 0, 2))),
    }
    made = pack(tmp_path, back="art/b.jpg", suits=suits, cards={"QS": "art/q.png"}, **files)
    pdf = printed(made, tmp_path / "out", "--target", "drivethru")
    # The back, the card, and a sign in full and pale, each once for 52 cards; the extra cards are a file with the back.
    assert (len(converted[:4]), len(set(converted[:4])), converted[4:]) == (4, 3, [(830, 1132)])
    found = images_of(pdf)
    assert len(found) == 4
    assert all((space, mask) == ("/DeviceCMYK", False) for space, _, mask in found)


@pytest.mark.slow
@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_four_inks_show_the_same_colour_and_are_never_too_many(colour: tuple[int, int, int]) -> None:
    cyan, magenta, yellow, black = artwork.separated_image(plain((1, 1), colour)).getpixel((0, 0))  # type: ignore[misc]
    assert tuple(255 - ink - black for ink in (cyan, magenta, yellow)) == colour
    assert cyan + magenta + yellow + black <= 2.4 * 255
    assert min(cyan, magenta, yellow) == 0


def test_the_same_bytes_wherever_the_pack_lies(tmp_path: Path) -> None:
    files: dict[str, Any] = {"b_jpg": encoded(framed(BACK), "JPEG"), "q_png": encoded(framed((900, 600)))}
    made = [pack(tmp_path / name, back="art/b.jpg", cards={"QS": "art/q.png"}, **files) for name in ("one", "an other")]
    first, second = (printed(folder, tmp_path / "out", "--only", "QS") for folder in made)
    assert first == second


# --- how they are read -----------------------------------------------------------------------------------------------


READ: dict[str, tuple[bytes, tuple[int, int, int]]] = {
    "sixteen bits of grey": (encoded(plain((40, 40), 128 * 257, "I;16")), (128, 128, 128)),
    "a palette with a clear colour": (encoded(plain((40, 40), 0, "P"), transparency=0), WHITE),
    "grey with a clear colour": (encoded(plain((40, 40), 7, "L"), transparency=7), WHITE),
    "half clear black": (encoded(plain((40, 40), (0, 0, 0, 128), "RGBA")), (127, 127, 127)),
    "one bit": (encoded(plain((40, 40), 1, "1")), WHITE),
    "four inks": (encoded(plain((40, 40), (0, 255, 255, 0), "CMYK"), "JPEG", quality=100), (254, 0, 0)),
    "two photos in one file": (
        encoded(plain((40, 40), (9, 9, 9)), "MPO", save_all=True, append_images=[plain((40, 40), WHITE)]),
        (9, 9, 9),
    ),
}


@pytest.mark.parametrize("which", READ)
def test_every_kind_of_dots_comes_out_on_white_paper(which: str) -> None:
    data, colour = READ[which]
    made = artwork.read_artwork(data, "a picture")
    assert made.image.mode == "RGB"
    assert close(made.image.getpixel((20, 20)), colour, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("theme", ["plain", "parchment", "night"])
def test_clear_parts_show_the_ground_of_the_card(theme: str, tmp_path: Path) -> None:
    made = pack(tmp_path, cards={"AS": "art/star.png"}, star_png=encoded(star(900)))
    pdf = printed(made, tmp_path / "out", "--only", "AS", "--theme", theme, "--target", "single", "--backs", "none")
    (page,) = pictures(pdf, 254)
    found = {colour for _, colour in page.convert("RGB").getcolors(10**6) or ()}
    assert TEAL in found and (WHITE in found) is (theme == "plain")


def test_a_photo_that_was_taken_sideways_is_turned_upright() -> None:
    picture = plain((60, 30), WHITE)
    picture.paste(TEAL, (0, 0, 30, 30))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: the left side is the head
    turned = artwork.read_artwork(encoded(picture, "PNG", exif=exif), "a photo").image
    assert turned.size == (30, 60)
    assert (turned.getpixel((15, 5)), turned.getpixel((15, 55))) == (TEAL, WHITE)


# --- how fine they must be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "dots", "warns", "wishes"),
    [
        # Poker with 3.175 mm of bleed: 69.85 x 95.25 mm, which is 825 x 1125 dots at 300 dpi.
        ("single", (825, 1125), "", ()),
        ("single", (824, 1124), "", ()),
        ("single", (800, 1091), "69.8 x 95.2 mm, which is 291 dpi: 825 x 1125 pixels make 300 dpi", ()),
        ("single", (413, 563), "which is 150 dpi", ()),
        ("tgc", (825, 1125), "", ()),
        ("tgc", (700, 955), "which is 255 dpi", ()),
        ("home", (786, 1086), "", ()),
        ("home", (700, 968), "66.5 x 91.9 mm, which is 267 dpi", ()),
        # A picture for a screen needs no more dots than it comes out with.
        ("png", (250, 350), "", ("--dpi", "100")),
        ("png", (200, 280), "which is 80 dpi: 250 x 350 pixels make 100 dpi", ("--dpi", "100")),
        ("tts", (409, 573), "", ()),
    ],
)
def test_a_coarse_picture_is_printed_with_a_warning(
    target: str, dots: tuple[int, int], warns: str, wishes: tuple[str, ...], tmp_path: Path
) -> None:
    made = pack(tmp_path, back="art/b.png", b_png=encoded(plain(dots)))
    done = run("print", "--pack", made, "hackjack", "deck", "--target", target, "--only", "QS", *wishes, "-o", tmp_path)
    assert done.code == 0
    if not warns:
        assert done.err == ""
        return
    assert len(done.faults) == 1
    assert done.err.startswith(f"warning: art/b.png has {dots[0]} x {dots[1]} pixels")
    assert warns in done.err


@pytest.mark.parametrize(
    ("target", "dots", "says", "wishes"),
    [
        (
            "single",
            (400, 546),
            "69.8 x 95.2 mm, which is 145 dpi: 825 x 1125 pixels make 300 dpi, and under 150 nothing",
            (),
        ),
        ("drivethru", (400, 546), "under 150 nothing is printed", ()),
        ("mpc", (300, 409), "under 150 nothing is printed", ()),
        ("png", (120, 168), "under 50 nothing is printed", ("--dpi", "100")),
        # Fine enough for a poker card, too coarse for a larger one.
        ("home", (600, 840), "under 150 nothing is printed", ("--card", "150x210")),
    ],
)
def test_a_picture_that_is_too_coarse_is_not_printed(
    target: str, dots: tuple[int, int], says: str, wishes: tuple[str, ...], tmp_path: Path
) -> None:
    made, out = pack(tmp_path, back="art/b.png", b_png=encoded(plain(dots))), tmp_path / "out"
    done = run("print", "--pack", made, "hackjack", "deck", "--target", target, "--only", "QS", *wishes, "-o", out)
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert done.err.startswith(f"hackjack deck: art/b.png has {dots[0]} x {dots[1]} pixels")
    assert says in done.err
    assert not out.exists()


def test_what_is_not_printed_is_not_judged(tmp_path: Path) -> None:
    made = pack(tmp_path, back="art/b.png", cards={"KS": "art/b.png"}, b_png=encoded(plain((40, 40))))
    wishes = ("--only", "QS", "--backs", "none", "-o", tmp_path / "out")
    assert run("print", "--pack", made, "hackjack", "deck", *wishes).code == 0
    assert run("print", "--pack", made, "hackjack", "deck", "--only", "KS", *wishes[2:]).code == 1


@pytest.mark.slow
def test_the_check_finds_coarse_pictures_where_they_are_named(tmp_path: Path) -> None:
    files: dict[str, Any] = {"b_png": encoded(plain((700, 968))), "q_png": encoded(plain((60, 40)))}
    made = pack(tmp_path, back="art/b.png", cards={"QS": "art/q.png"}, **files)
    done = run("check", "--pack", made)
    assert done.code == 1
    (fault,) = done.faults
    lines = (made / "deck.yaml").read_text(encoding="utf-8").splitlines()
    line = next(at for at, text in enumerate(lines, 1) if "art/q.png" in text)
    assert fault.startswith(f"{made / 'deck.yaml'}:{line}:")
    assert "art/q.png has 60 x 40 pixels, of which 60 x 27 are printed, for 63.5 x 28.8 mm" in fault
    (made / "art" / "q.png").write_bytes(encoded(plain((900, 600))))
    done = run("check", "--pack", made)
    assert done.code == 0
    (warned,) = done.faults
    assert warned.startswith(f"{made / 'system.yaml'}:")
    assert ": warning: art/b.png has 700 x 968 pixels, of which 700 x 967 are printed, for 66.5 x 91.9 mm" in warned


# --- planted faults --------------------------------------------------------------------------------------------------


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(wide: int, high: int, *chunks: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


@cache
def noise(form: str) -> bytes:
    return encoded(Image.effect_noise((300, 300), 80).convert("RGB"), form)


def whole(make: Callable[[], bytes]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(make())

    return write


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.write(encoded(plain(BACK)))
        stream.truncate(21_000_000)


def link(to: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        (path.parents[2] / "outside.png").write_bytes(encoded(plain(BACK)))
        path.symlink_to(to)

    return make


def folder_link(path: Path) -> None:
    """The folder itself leads out."""
    outside = path.parents[2] / "outside"
    outside.mkdir()
    (outside / path.name).write_bytes(encoded(plain(BACK)))
    path.parent.rmdir()
    path.parent.symlink_to(outside)


BAD: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "not there": ("b.png", lambda _: None, r"art/b\.png is not there: name a file in the pack's folder"),
    "a folder": ("b.png", Path.mkdir, r"art/b\.png is not a regular file"),
    "a pipe": ("b.png", os.mkfifo, r"art/b\.png is not a regular file"),
    "a link outside": ("b.png", link("../../outside.png"), r"art/b\.png is outside the pack"),
    "a link to a device": ("b.png", link("/dev/zero"), r"art/b\.png is outside the pack"),
    "a link in a circle": ("b.png", link("b.png"), r"art/b\.png (is not there|cannot be found)"),
    "a folder that leads outside": ("b.png", folder_link, r"art/b\.png is outside the pack"),
    "empty": ("b.png", whole(lambda: b""), r"art/b\.png is not a valid picture: save it as PNG, JPEG or WebP"),
    "too many bytes": ("b.png", sparse, r"art/b\.png is 21 MB; the limit is 20 MB"),
    "too many dots": (
        "b.png",
        whole(lambda: png(5001, 5000, chunk(b"IDAT", zlib.compress(bytes(99))))),
        r"art/b\.png is 5001 x 5000 pixels; the limit is 25 million pixels",
    ),
    "a bomb": (
        "b.png",
        whole(lambda: png(2**31 - 1, 2**31 - 1)),
        r"art/b\.png unpacks to far too many pixels; the limit is 25 million",
    ),
    "a bomb in a comment": (
        "b.png",
        whole(lambda: png(*BACK, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(90_000_000), 9)))),
        r"art/b\.png is damaged: save it again",
    ),
    "a bomb of WebP": (
        "b.webp",
        whole(lambda: encoded(plain((5100, 5000)), "WEBP", quality=0, method=0)),
        "the limit is 25 million pixels",
    ),
    "a few dots": (
        "b.png",
        whole(lambda: encoded(plain((15, 900)))),
        r"art/b\.png is 15 x 900 pixels; the minimum is 16 each way",
    ),
    "cut short, PNG": ("b.png", whole(lambda: noise("PNG")[:50_000]), r"art/b\.png is damaged: save it again"),
    "cut short, JPEG": ("b.jpg", whole(lambda: noise("JPEG")[:9_000]), r"art/b\.jpg is damaged: save it again"),
    "cut short, WebP": ("b.webp", whole(lambda: noise("WEBP")[:5_000]), r"art/b\.webp is (damaged|no picture)"),
    "nothing after its head": ("b.png", whole(lambda: png(*BACK)), r"art/b\.png is damaged: save it again"),
    "another kind, GIF": ("b.png", whole(lambda: encoded(plain(BACK), "GIF")), r"art/b\.png is not a valid picture"),
    "another kind, TIFF": ("b.jpg", whole(lambda: encoded(plain(BACK), "TIFF")), r"art/b\.jpg is not a valid picture"),
    "another kind, SVG": (
        "b.png",
        whole(lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        "is not a valid picture",
    ),
    "another kind, PostScript": ("b.png", whole(lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n"), "is not a valid picture"),
    "a moving picture": (
        "b.png",
        whole(lambda: encoded(plain((99, 99)), "PNG", save_all=True, append_images=[plain((99, 99), TEAL)])),
        r"art/b\.png is animated: save a single picture",
    ),
}


@pytest.mark.parametrize("which", BAD)
def test_a_bad_picture_is_refused(which: str, tmp_path: Path) -> None:
    name, plant, says = BAD[which]
    (tmp_path / "pack" / "art").mkdir(parents=True)
    plant(tmp_path / "pack" / "art" / name)
    with pytest.raises(HackjackError, match=says):
        artwork.load_artwork(tmp_path / "pack", f"art/{name}")


@pytest.mark.parametrize(
    ("place", "which"),
    few_quick(2, [("back", "cut short, PNG"), ("card", "a link outside"), ("suit", "a bomb in a comment")]),
)
def test_a_bad_picture_is_told_where_it_is_named(which: str, place: str, tmp_path: Path) -> None:
    name, plant, says = BAD[which]
    path = f"art/{name}"
    named: dict[str, dict[str, Any]] = {
        "back": {"back": path},
        "suit": {"suits": {"S": path}},
        "card": {"cards": {"QS": path}},
    }
    made = pack(tmp_path, **named[place])
    plant(made / path)
    file = made / ("deck.yaml" if place == "card" else "system.yaml")
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next(at for at, text in enumerate(lines, 1) if path in text)
    checked = run("check", "--pack", made)
    assert (checked.code, len(checked.faults)) == (1, 1), checked.err
    assert re.match(rf"{re.escape(str(file))}:{line}:\d+: ", checked.err)
    assert re.search(says, checked.err)
    done = run("print", "--pack", made, "hackjack", "deck", "--only", "QS", "-o", tmp_path / "out")
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert re.search(says, done.err)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "path",
    [
        "../b.png",
        "/etc/b.png",
        "art/../../b.png",
        "art/b.gif",
        "art/b.svg",
        "b",
        "https://example.com/b.png",
        "C:b.png",
    ],
)
def test_a_path_that_is_none_of_the_packs_is_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / "b.png").write_bytes(encoded(plain(BACK)))
    made = pack(tmp_path, back=f'"{path}"')
    for done in (
        run("check", "--pack", made),
        run("print", "--pack", made, "hackjack", "deck", "-o", tmp_path / "out"),
    ):
        assert (done.code, len(done.faults)) == (1, 1)
        assert done.err.startswith(f"{made / 'system.yaml'}:")
    assert not (tmp_path / "out").exists()


@given(st.sampled_from(["PNG", "JPEG", "WEBP"]), st.data())
def test_whatever_is_broken_in_a_picture_ends_in_a_sentence(form: str, data: st.DataObject) -> None:
    spoilt = bytearray(noise(form))
    for _ in range(data.draw(st.integers(1, 6))):
        spoilt[data.draw(st.integers(0, min(len(spoilt) - 1, 400)))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(spoilt)))
    try:
        picture = artwork.read_artwork(bytes(spoilt[:cut]), "a picture")
    except HackjackError as error:
        assert "\n" not in str(error)
        assert str(error).startswith("a picture ")
    else:
        assert picture.image.mode == "RGB"


def swapped_profile() -> bytes:
    """Return an sRGB profile whose red and green are exchanged, so that nobody can miss it."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace(b"rXYZ", b"#XYZ").replace(b"gXYZ", b"rXYZ").replace(b"#XYZ", b"gXYZ")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "see-through", "palette", "grey"])
def test_colours_are_converted_by_the_profile_of_a_picture(form: str) -> None:
    picture = plain((40, 40), (255, 0, 0, 255), "RGBA") if form == "see-through" else plain((40, 40), (255, 0, 0))
    picture = picture.convert("P") if form == "palette" else picture.convert("L") if form == "grey" else picture
    kind = form if form.isupper() else "PNG"
    data = encoded(picture, kind, icc_profile=swapped_profile(), **({"quality": 100} if kind == "JPEG" else {}))
    colour = artwork.read_artwork(data, "a").image.getpixel((20, 20))
    assert isinstance(colour, tuple)
    assert close(colour, (76, 76, 76) if form == "grey" else (0, 255, 0), 9), colour
    damaged = encoded(picture, kind, icc_profile=b"none at all")
    assert artwork.read_artwork(damaged, "a").image.mode == "RGB"


def test_a_picture_that_changes_while_we_print_is_seen(tmp_path: Path) -> None:
    made = pack(tmp_path, back="art/b.png", b_png=encoded(plain(BACK)))
    assert artwork.load_artwork(made, "art/b.png").image.getpixel((0, 0)) == PURPLE
    (made / "art" / "b.png").write_bytes(encoded(plain((800, 800), TEAL)))
    assert artwork.load_artwork(made, "art/b.png").image.getpixel((0, 0)) == TEAL


@pytest.mark.slow
def test_a_fine_picture_is_made_smaller(tmp_path: Path) -> None:
    """Two thousand dots to an inch help nobody: files stay small."""
    made = pack(tmp_path, back="art/b.png", b_png=encoded(plain((3500, 4770))))
    ((_, size, _),) = images_of(printed(made, tmp_path / "out", "--only", "QS"))
    assert max(size) == pytest.approx(91.9 / 25.4 * 600, abs=2)

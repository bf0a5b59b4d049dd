"""The gallery shows every product of every system, in pictures that are there."""

from __future__ import annotations

import re

from helpers import ROOT
from PIL import Image

from generator.pack import themes
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.products import products_of

GALLERY = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", GALLERY)


def test_every_product_and_every_theme_is_shown() -> None:
    shown = {alt for alt, _ in PICTURES}
    for name in shipped():
        system = load_pack(find(name)).system
        for product in products_of(system):
            assert f"`hackjack print {name} {product}`" in GALLERY and f"{system.head.title}: {product}" in shown
    for name, theme in themes.shipped().items():
        assert f"`--theme {name}`: {theme.about}" in GALLERY and f"Theme: {name}" in shown


def test_the_pictures_are_there_and_not_too_large() -> None:
    assert len({file for _, file in PICTURES}) == len(PICTURES) >= 31
    for _, file in PICTURES:
        with Image.open(ROOT / "docs" / file) as picture:
            assert 600 <= picture.width <= 1200, file
        assert (ROOT / "docs" / file).stat().st_size < 300_000, file

"""The gallery shows every product of every system, in pictures that are there."""

from __future__ import annotations

import re

import pytest
from helpers import ROOT
from PIL import Image

from generator.pack import content, themes
from generator.products import products_of

GALLERY = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", GALLERY)


@pytest.mark.parametrize("name", content.shipped())
def test_every_product_is_shown(name: str) -> None:
    system = content.load(content.find(name)).system
    for product in products_of(system):
        assert f"`hackjack print {name} {product}`" in GALLERY
        assert any(alt == f"{system.head.title}: {product}" for alt, _ in PICTURES), product


@pytest.mark.parametrize("name", themes.shipped())
def test_every_theme_is_shown(name: str) -> None:
    assert f"`--theme {name}`: {themes.shipped()[name].about}" in GALLERY
    assert any(alt == f"Theme: {name}" for alt, _ in PICTURES)


def test_the_pictures_are_there_and_not_too_large() -> None:
    assert len({file for _, file in PICTURES}) == len(PICTURES) >= 31
    for _, file in PICTURES:
        with Image.open(ROOT / "docs" / file) as picture:
            assert 600 <= picture.width <= 1200, file
        assert (ROOT / "docs" / file).stat().st_size < 300_000, file

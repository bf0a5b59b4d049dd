"""The preview in a real browser: what an author sees and taps. Left out where there is no Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, IN_A_BROWSER, PHONE, Page, check_sight
from test_preview import pack as pack
from test_preview import rewrite, shown

pytestmark = IN_A_BROWSER

LOADED = "return [...document.querySelectorAll('#product-deck img')].slice(0, 5).every((one) => one.naturalWidth > 0)"


def opened(page: Page, port: int, key: str) -> None:
    page.open(f"http://127.0.0.1:{port}/?key={key}")
    page.says("Sound", "#faults")
    page.until(lambda: page.script(LOADED), "the pictures of the cards are not there")


def test_a_card_is_seen_as_it_is_saved_and_a_tap_says_where_it_is_written(page: Page, pack: Path) -> None:
    with shown(pack) as device:
        opened(page, device.port, device.key)
        page.script("window.kept = document.querySelector('[data-item=\"deck/2C\"] img')")
        before = page.see("[data-item='deck/AC'] img").get_attribute("src")
        rewrite(pack / "deck.yaml", "Winded", "Out of breath")
        page.says("Out of breath", "[data-item='deck/AC']")
        assert page.see("[data-item='deck/AC'] img").get_attribute("src") != before
        assert page.script("return window.kept.isConnected"), "the picture of another card stays where it is"
        page.tap("[data-item='deck/AC']")
        page.says("mine/deck.yaml, line 4, column 3", "dialog")


def test_a_fault_stands_beside_its_card_and_a_tap_says_file_and_line(page: Page, pack: Path) -> None:
    with shown(pack) as device:
        opened(page, device.port, device.key)
        rewrite(pack / "deck.yaml", "name: Winded", "name: Winded ᚠ")
        page.says("1 fault", "#faults")
        page.says("cannot be printed so", "[data-item='deck/AC']")
        page.tap(".fault")
        page.says("mine/deck.yaml, line 4, column 3", "dialog")
        page.says("the printed font has no", "dialog")
        page.tap("dialog [data-item='deck/AC']")
        page.says("the printed font has no", "dialog .notice")
        page.tap("dialog .dialog-head button")
        rewrite(pack / "deck.yaml", "effects:", "effekts:")
        page.says("the last save that could be printed", "#faults")
        page.says('unknown key "effekts": did you mean "effects"?', "#faults")
        rewrite(pack / "deck.yaml", "effekts:", "effects:")
        rewrite(pack / "deck.yaml", " ᚠ", "")
        page.says("Sound", "#faults")


def sights(page: Page, pack: Path) -> Iterator[str]:
    """Every sight that the preview has, one after another: each is there while the name of it is given."""
    with shown(pack) as device:
        opened(page, device.port, device.key)
        yield "cards of a sound pack"
        page.tap("#product-screen .item")
        page.says("line 4", "dialog")
        yield "a panel"
        page.tap("dialog .dialog-head button")
        rewrite(pack / "deck.yaml", "name: Winded", "name: Winded ᚠ")
        page.says("1 fault", "#faults")
        page.see(".item.faulty")
        yield "a card with a fault"
        page.tap(".fault")
        page.see("dialog .where")
        yield "a fault"
        page.tap("dialog .dialog-head button")
        rewrite(pack / "deck.yaml", "effects:", "effekts:")
        page.says("the last save that could be printed", "#faults")
        yield "pictures of before"


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), (DESK, False)], ids=["phone by night", "desk by day"])
def test_every_sight_fits_can_be_hit_and_has_no_serious_fault(
    page: Page, pack: Path, size: tuple[int, int], dark: bool
) -> None:
    page.sized(size)
    page.at_night(dark)
    for sight in sights(page, pack):
        check_sight(page, sight)

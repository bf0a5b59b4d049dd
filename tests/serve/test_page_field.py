"""The field of the 52 engine in a real browser: tapped, walked over with the keyboard, and looked at by a player."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, IN_A_BROWSER, PHONE, TABLET, Page, link
from helpers import fiftytwo
from served import Served, serving

pytestmark = IN_A_BROWSER

ROWS = "3D 2S 9C 4H 7D / 6C 7C 7H JS 5D / QS 2H 8S 10H 5C"
"""The field from the top row down: two open pairs, and a run of clubs in the second row."""


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Served]:
    """Alphonse, who acts first, before a small field."""
    with serving(tmp_path, fiftytwo()) as served:
        for words in ("enter everybody", "initiative dice 6 10 4 8 5 8 5 7 7", f"lay {ROWS}"):
            assert served.gm.do(*words.split())[0] == 200
        yield served


def label(page: Page, place: str) -> str | None:
    return page.see(f"[data-place='{place}']").get_attribute("aria-label")


def test_a_pair_is_tapped_taken_struck_with_and_put_back(page: Page, fight: Served) -> None:
    page.open(link(fight))
    page.says("Alphonse is next, with an initiative of 15.", ".table-head")
    assert label(page, "1.1") == (
        "7♣ 7 of clubs, column 2, row 2, part of an open pair, part of an open run of one suit, opens a critical attack"
    )
    assert label(page, "4.2") == "7♦ 7 of diamonds, column 5, row 3"
    assert len(page.driver.find_elements("css selector", ".place > .join.pair")) == 2
    page.tap("[data-place='1.1']")
    page.says("Take the pair 7 of clubs and 7 of hearts", ".table-cards")
    page.says("1 point, opens a critical attack", ".table-cards")
    points = fight.gm.state()["board"]["head"]
    page.tap("[data-tap='act pair 7C 7H']")
    page.says("with a critical attack open", ".table-head")
    page.says("Alphonse has opened a critical attack", ".answer")
    assert label(page, "1.1") == "2♠ 2 of spades, column 2, row 2, part of an open pair, opens a critical attack"
    assert page.script("return document.activeElement.dataset.place") == "1.1", "the keyboard stays at the field"
    page.tap("[data-key=undo]")
    page.until(lambda: (label(page, "1.1") or "").startswith("7♣"), "the pair lies there again")
    assert fight.gm.state()["board"]["head"] == points
    page.tap("[data-key=redo]")
    page.tap("[data-tap='act critical Evans']")
    page.says("Alphonse attacks Evans", ".answer")
    page.tap("[data-tap=end]")
    page.says("Evans is next", ".table-head")


def test_an_enemy_adds_a_card_that_the_table_drew(page: Page, fight: Served) -> None:
    for words in ("turn", "end", "turn"):
        assert fight.gm.do(words)[0] == 200
    page.open(link(fight))
    page.tap("[data-place='0.3']")
    page.says("Add two cards to column 1", ".table-cards")
    page.tap("[data-tap='act add 1']")
    page.says("Which card was drawn?", ".question")
    page.tap(".pad-card[data-card='KD']")
    page.says("King of diamonds goes on column 1.", ".answer")
    assert (label(page, "0.3") or "").startswith("K♦ king of diamonds, column 1, row 4")


def test_arrow_keys_walk_over_the_field_and_one_card_can_be_reached_with_tab(page: Page, fight: Served) -> None:
    page.open(link(fight))
    page.see("[data-place='0.0']")
    assert page.script("return document.querySelectorAll('.lying-grid [tabindex=\"0\"]').length") == 1
    page.see("[data-place='0.0']").send_keys("")
    for keys, place in (("\ue014", "1.0"), ("\ue013", "1.1"), ("\ue014", "2.1"), ("\ue015", "2.0"), ("\ue012", "1.0")):
        page.driver.switch_to.active_element.send_keys(keys)
        assert page.script("return document.activeElement.dataset.place") == place
    page.driver.switch_to.active_element.send_keys("\n")
    page.says("Take the 2 of hearts", ".table-cards")
    assert page.see("[data-place='1.0']").get_attribute("aria-pressed") == "true"
    assert page.script("return document.querySelectorAll('.lying-grid [tabindex=\"0\"]').length") == 1


def test_a_player_looks_and_moves_in_their_own_turn_alone(page: Page, fight: Served) -> None:
    page.open(link(fight, "Alphonse"))
    page.tap("[data-place='1.1']")
    page.says("Take the pair 7 of clubs and 7 of hearts", ".table-cards")
    assert not page.driver.find_elements("css selector", ".moves [data-tap]"), "it is looked at only"
    assert fight.gm.ask("/api/settings", {"events": ["act", "end", "turn"]})[0] == 200
    page.tap("[data-tap='turn Alphonse']")
    page.says("Alphonse has", ".table-head")
    page.tap("[data-tap='act pair 7C 7H']")
    page.says("with a critical attack open", ".table-head")
    page.tap("[data-tap='act critical somebody']")
    page.says("the game master says on whom", ".table-head")
    assert "Evans" not in page.driver.find_element("css selector", "body").text
    page.open(link(fight))
    page.says("the game master says on whom", ".table-head")
    page.tap(".wish [data-tap='act critical Evans']")
    page.says("Alphonse attacks Evans", ".answer")
    page.open(link(fight, "Alphonse"))
    page.tap("[data-tap=end]")
    page.until(lambda: not page.driver.find_element("css selector", ".table-head").text, "the turn is over")


FIELD = """
const cards = [...document.querySelectorAll("[data-place]")];
const suits = ["clubs", "diamonds", "hearts", "spades"].map((suit) => document.querySelector(`.lying.suit-${suit}`));
const box = (node) => [node.getBoundingClientRect(), node.scrollWidth <= node.clientWidth + 1];
return [cards.map(box).map(([{ width, height }, fits]) => [width, height, fits]),
  new Set(suits.map((node) => getComputedStyle(node).color)).size];
"""


def test_nine_columns_can_be_read_and_hit_and_each_suit_has_a_colour(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        for words in ("enter everybody", "initiative", "deal 9"):
            assert served.gm.do(*words.split())[0] == 200
        page.open(link(served))
        page.see("[data-place='0.0']")
        for size, dark in ((PHONE, False), (TABLET, True), (DESK, False)):
            page.sized(size)
            page.at_night(dark)
            assert page.script("return document.documentElement.scrollWidth <= innerWidth"), (
                "only the field is scrolled"
            )
            boxes, colours = page.script(FIELD)
            assert len(boxes) == 45 + 9, "the cards, and the columns that surprise may top"
            assert all(width >= 43.9 and height >= 43.9 and fits for width, height, fits in boxes)
            assert colours == 4

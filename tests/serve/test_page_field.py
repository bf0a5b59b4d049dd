"""Fights of the 52 engine in a real browser: the field is tapped, walked over by keyboard, and seen by players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, DOWN, IN_A_BROWSER, LEFT, PHONE, RIGHT, TABLET, THUMB, UP, Page, draw, link, shown
from helpers import fiftytwo
from served import Served, serving

pytestmark = IN_A_BROWSER

ROWS = "3D 2S 9C 4H 7D / 6C 7C 7H JS 5D / QS 2H 8S 10H 5C"
"""The field from the top row down: two open pairs, and a run of clubs in the second row."""


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Served]:
    """Alphonse, who acts first, before a small field, and Evans, a foe."""
    with serving(tmp_path, fiftytwo()) as served:
        served.told("enter everybody", "initiative dice 6 10 4 8 5 8 5 7 7", f"lay {ROWS}")
        yield served


def label(page: Page, place: str) -> str:
    return page.see(f"[data-place='{place}']").get_attribute("aria-label") or ""


def test_a_pair_is_tapped_taken_struck_with_and_put_back_and_a_foe_adds_a_card(page: Page, fight: Served) -> None:
    page.open(link(fight), says="Alphonse is next, with an initiative of 15.", at=".table-head")
    assert label(page, "1.1") == (
        "7♣ 7 of clubs, column 2, row 2, part of an open pair, part of an open run of one suit, opens a critical attack"
    )
    assert label(page, "4.2") == "7♦ 7 of diamonds, column 5, row 3"
    assert len(page.every(".place > .join.pair")) == 2
    page.tap("[data-place='1.1']", says="Take the pair 7 of clubs and 7 of hearts", at=".table-cards")
    page.says("1 point, opens a critical attack", ".table-cards")
    points = fight.gm.state()["board"]["head"]
    page.tap("[data-tap='act pair 7C 7H']", says="with a critical attack open", at=".table-head")
    page.says("Alphonse has opened a critical attack", ".answer")
    assert label(page, "1.1") == "2♠ 2 of spades, column 2, row 2, part of an open pair, opens a critical attack"
    assert page.focus("place") == "1.1", "the keyboard stays at the field"
    page.tap("[data-key=undo]")
    page.until(lambda: label(page, "1.1").startswith("7♣"), "the pair lies there again")
    assert fight.gm.state()["board"]["head"] == points
    page.tap("[data-key=redo]", "[data-tap='act critical Evans']", says="Alphonse attacks Evans", at=".answer")
    page.tap("[data-tap=end]", says="Evans is next", at=".table-head")
    fight.told("turn")
    page.tap("[data-place='0.3']", says="Add two cards to column 1", at=".table-cards")
    page.tap("[data-tap='act add 1']", says="Which card was drawn?", at=".question")
    page.tap(".pad-card[data-card='KD']", says="King of diamonds goes on column 1.", at=".answer")
    assert label(page, "0.3").startswith("K♦ king of diamonds, column 1, row 4")


def test_arrow_keys_walk_over_the_field_and_one_card_can_be_reached_with_tab(page: Page, fight: Served) -> None:
    page.open(link(fight))
    page.see("[data-place='0.0']")
    assert page.script("return document.querySelectorAll('.lying-grid [tabindex=\"0\"]').length") == 1
    page.see("[data-place='0.0']").send_keys("")
    for keys, place in ((RIGHT, "1.0"), (UP, "1.1"), (RIGHT, "2.1"), (DOWN, "2.0"), (LEFT, "1.0")):
        page.driver.switch_to.active_element.send_keys(keys)
        assert page.focus("place") == place
    page.driver.switch_to.active_element.send_keys("\n")
    page.says("Take the 2 of hearts", ".table-cards")
    assert page.see("[data-place='1.0']").get_attribute("aria-pressed") == "true"
    assert page.script("return document.querySelectorAll('.lying-grid [tabindex=\"0\"]').length") == 1


def test_a_phone_looks_acts_in_its_own_turn_and_wishes_for_an_attack_that_one_touch_grants(
    page: Page, fight: Served
) -> None:
    page.sized(THUMB)
    page.open(link(fight, "Alphonse"))
    page.tap("[data-place='1.1']", says="Take the pair 7 of clubs and 7 of hearts", at=".table-cards")
    assert not page.every(".moves [data-tap]"), "it is looked at only"
    assert fight.gm.ask("/api/settings", {"events": ["act", "end", "turn"]})[0] == 200
    page.tap("[data-tap='turn Alphonse']", says="It is your turn", at=".whose-turn.mine")
    page.says("Alphonse has", ".table-head")
    page.tap("[data-tap='act pair 7C 7H']", says="with a critical attack open", at=".table-head")
    page.tap("[data-tap='act critical somebody']", says="the game master says on whom", at=".table-head")
    assert "Evans" not in page.one("body").text, "no foe's name"
    page.driver.switch_to.new_window("tab")
    page.sized(DESK)
    page.open(link(fight), says="the game master says on whom", at=".table-head")
    page.says("Alphonse makes a critical attack", ".wish")
    page.tap(".wish [data-tap='act critical Evans']", says="Alphonse attacks Evans", at=".answer")
    page.to_tab(0)
    page.until(lambda: not page.see(".table-head").text.endswith("on whom."), "it is done")
    page.tap("[data-tap=end]")
    page.until(lambda: not page.one(".table-head").text, "the turn is over")
    fight.told("turn")
    page.says("Someone else has the turn", ".whose-turn")
    assert "Evans" not in page.one("body").text


FIELD = """
const cards = [...document.querySelectorAll("[data-place]")];
const suits = ["clubs", "diamonds", "hearts", "spades"].map((suit) => document.querySelector(`.lying.suit-${suit}`));
const box = (node) => [node.getBoundingClientRect(), node.scrollWidth <= node.clientWidth + 1];
return [cards.map(box).map(([{ width, height }, fits]) => [width, height, fits]),
  new Set(suits.map((node) => getComputedStyle(node).color)).size];
"""


def test_nine_columns_can_be_read_and_hit_and_each_suit_has_a_colour(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        served.told("enter everybody", "initiative", "deal 9")
        page.open(link(served))
        page.see("[data-place='0.0']")
        for size, dark in ((PHONE, False), (TABLET, True), (DESK, False)):
            page.sized(size)
            page.at_night(dark)
            assert page.script("return document.documentElement.scrollWidth <= innerWidth"), "only the field scrolls"
            boxes, colours = page.script(FIELD)
            assert len(boxes) == 45 + 9, "the cards, and the columns that surprise may top"
            assert all(width >= 43.9 and height >= 43.9 and fits for width, height, fits in boxes)
            assert colours == 4


def test_the_next_step_is_named_and_the_deal_grows_before_ones_eyes(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        page.open(link(served), says="Who fights?", at="[data-key=next]")
        served.told("enter everybody")
        page.says("Alphonse joins", ".answer")
        assert (page.see(".answer").get_attribute("textContent") or "").count("Alphonse joins") == 1
        served.told("initiative dice 6 10 4 8 5 8 5 7 7", "columns choose 1")
        page.says("Deal the field", "[data-key=next]")
        page.tap("[data-key=next]", says="Which card lies at row 1", at=".question")
        draw(page, "KD", "7C")
        page.until(lambda: shown(page, ".laid-card:not(.empty-place)") == ["K♦", "7♣"], "the field as it grows")
        page.tap("[data-key=step-back]")
        page.until(lambda: shown(page, ".laid-card:not(.empty-place)") == ["K♦"], "one mis-tap is one step")


def test_a_spell_works_on_those_whose_damage_is_said(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        served.told("enter everybody", "initiative", "deal 5", "set Able casting done")
        before = {each["name"]: each["gauges"][0]["value"] for each in served.gm.state()["people"]}
        page.open(link(served))
        page.tap("[data-tap='deliver Able']")
        page.write("[data-value=Evans] input", "30")
        page.tap("[data-value=Alan] [aria-label='Damage to Alan: one more']", "[data-key=strike]")
        page.says("Evans", ".answer")
        after = {each["name"]: each["gauges"][0]["value"] for each in served.gm.state()["people"]}
        changed = {name: before[name] - after[name] for name in before if before[name] != after[name]}
        assert changed == {"Evans": 30, "Alan": 1}
        assert not [tap for tap in served.gm.state()["board"]["commands"] if tap["words"][0] == "deliver"]


def test_cards_that_surprise_gives_are_moved_on_the_field(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        foe = "side=enemies hp=9 surprise=yes weapon=stick normal=1 critical=2"
        served.told("enter Alan", f"join Gru {foe}", "initiative dice 6 1", "lay 9H 8S / 3C 4C")
        page.open(link(served))
        page.tap(".adds[data-place^='0.']", says="Gru adds a card to column 1", at=".table-cards")
        page.tap("[data-tap='ambush Gru 1']", ".panel[aria-busy=false] .pad-card[data-card=QS]")
        page.says("Gru puts QS on column 1.", ".answer")
        assert served.gm.state()["state"]["columns"][0] == ["3C", "9H", "QS"]
        assert not [tap for tap in served.gm.state()["board"]["moves"] if tap["words"][0] == "ambush"]

"""Cards at the centre of the table, in a real browser: piles, moments, likely actions, questions, phones as seats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESK, IN_A_BROWSER, PHONE, Page, draw, hit, link
from helpers import fiftytwo
from selenium.webdriver.common.keys import Keys
from served import Served, serving

pytestmark = IN_A_BROWSER
THUMB = (390, 844)


def shown(page: Page, selector: str) -> list[str]:
    """The texts of what is shown by a selector."""
    return [
        node.text.replace("\n", " ")
        for node in page.driver.find_elements("css selector", selector)
        if node.is_displayed()
    ]


# --- the tile --------------------------------------------------------------------------------------------------------


def test_the_pile_lies_on_the_tile_and_a_touch_shows_its_faces(page: Page, party: Served) -> None:
    assert party.gm.do("hit", "bryn", "4", "2S")[0] == 200
    page.open(link(party))
    page.says("Red flood", "[data-key=pile-Bryn]")
    pile = page.see("[data-key=pile-Bryn]").text.split("\n")
    assert "10 of clubs" in pile and "2 of spades" in pile, "each card says its name to a reader"
    assert "Ugly spill" in pile and "2" in pile, "its title and its score"
    page.tap("[data-key=pile-Bryn]")
    page.says("You fall prone until you stand up.", "dialog .card:last-child")


def test_the_track_shows_each_card_by_its_score_and_where_the_waiting_blood_leads(page: Page, party: Served) -> None:
    assert party.gm.do("hit", "cara", "6", "KH")[0] == 200
    page.open(link(party))
    page.says("10 of 21 Death-score", ".board")
    page.says("6 waiting", ".board")
    ways = page.script(
        "return [...document.querySelectorAll('.tile:last-of-type .part')].map((each) => [each.className,"
        " Math.round(21 * each.offsetWidth / each.parentElement.clientWidth)])"
    )
    assert ways == [["part suit-hearts", 10], ["part waits ", 6]]
    assert party.gm.do("bleed", "cara", "5")[0] == 200
    page.says("11 waiting: exactly 21", ".board")
    assert party.gm.do("hold", "cara")[0] == 200
    page.says("11 held in", ".board")
    page.see(".part.waits.held")


def test_tokens_states_and_hurts_are_emblems_beside_words(page: Page, party: Served) -> None:
    assert party.gm.do("hit", "cara", "6", "KS")[0] == 200
    page.open(link(party))
    for selector, words in ((".token", "6 Blood"), (".token", "5 Trauma"), (".state", "Can do nothing")):
        page.until(lambda s=selector, w=words: w in shown(page, s), f"{words} is not there")  # type: ignore[misc]
    page.says("You lie prone and broken", ".hurts")
    each = "[...document.querySelectorAll('.token, .state, .hurts li')]"
    assert page.script(f"return {each}.every((node) => node.querySelector('svg path'))"), "each has its emblem"
    assert page.script("return document.querySelectorAll('.tile:nth-of-type(2) .token-blood svg').length") == 6


# --- the moment ------------------------------------------------------------------------------------------------------

TURNING = "return document.querySelectorAll('.flip.turns').length"


def test_a_card_turns_over_once_and_the_numbers_stand_before_and_after(page: Page, party: Served) -> None:
    page.open(link(party))
    page.says("Bryn draws Red flood", ".answer h2")
    assert page.script(TURNING) == 0, "it fell before this page was opened"
    assert party.gm.do("hit", "cara", "9", "9D")[0] == 200
    page.says("Cara draws Twisted spine", ".answer h2")
    page.says("Death-score 0 → 9", ".answer .changes")
    assert page.script(TURNING) == 1
    for way in ("undo", "redo"):
        page.tap(f"[data-key={way}]")
        page.until(lambda: page.script(TURNING) == 0, "it turns over once")
    page.driver.refresh()
    page.says("Cara draws Twisted spine", ".answer h2")
    assert page.script(TURNING) == 0


def test_death_and_exactly_21_colour_the_whole_card_and_nothing_moves_for_who_wants_it_still(
    page: Page, party: Served
) -> None:
    moves = "return getComputedStyle(document.querySelector('.flip')).animationName"
    ground = "return getComputedStyle(document.querySelector('.answer')).backgroundColor"
    page.open(link(party))
    page.says("Bryn draws Red flood", ".answer")
    plain = page.script(ground)
    assert party.gm.do("hit", "bryn", "4", "8C")[0] == 200
    page.says("Exactly 21", ".answer h2")
    good = page.script(ground)
    assert party.gm.do("undo")[0] == 200
    assert party.gm.do("hit", "bryn", "4", "KH")[0] == 200
    page.says("Bryn dies", ".answer h2")
    page.says("over 21", ".answer .moment-then")
    assert len({plain, good, page.script(ground)}) == 3
    assert page.script(moves) == "none", "the browser of these tests likes it still"
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert party.gm.do("hit", "cara", "9", "9D")[0] == 200
    page.says("Twisted spine", ".answer")
    assert page.script(moves) == "turn-over"
    assert shown(page, ".tile.dead .state") == ["Dead"]


def test_nobody_is_struck_in_silence_and_the_dead_have_the_last_word(page: Page, party: Served) -> None:
    page.open(link(party, "Bryn"))
    page.says("Bryn", ".own")
    assert party.gm.do("poison", "bryn", "2")[0] == 200
    page.says("Death-score 10 → 12", ".answer")
    assert party.gm.do("hit", "bryn", "4", "KH")[0] == 200
    page.says("You die", ".answer h2")
    page.write("[data-key=last-words]", "Tell my sister")
    page.tap("[data-key=say-them]")
    page.until(lambda: not shown(page, ".panel"), "the phone of the dead has nothing to press")
    assert "Tell my sister" in party.gm.state()["log"][-1]["typed"]
    assert party.player("Bryn").do("note", "and another thing")[0] == 403, "once"


# --- what is likely --------------------------------------------------------------------------------------------------


def test_five_actions_first_those_that_cannot_be_done_with_the_reason_and_the_rest_found_by_a_search(
    page: Page, party: Served
) -> None:
    assert party.gm.do("hit", "cara", "6", "KS")[0] == 200
    page.open(link(party))
    page.tap("[data-person=Cara]")
    page.says("What befalls Cara?", ".panel")
    assert 1 <= len(shown(page, ".likely .chip")) <= 5
    page.says("Hold your wounds\nYou can do nothing at all.", ".cannot")
    assert not shown(page, "[data-event=poison]")
    page.tap(".all > summary")
    assert shown(page, ".group h3") == ["Harm", "Blood", "Help", "Time"]
    page.see(".filter").send_keys("poiso")
    assert shown(page, ".groups .chip") == ["Poison"]
    page.see(".filter").send_keys(Keys.ENTER)
    page.see("[data-argument=points], [data-argument=amount]")
    page.tap(".form .quiet")
    page.tap("[data-key=phase-after]")
    assert "A night passes" in shown(page, ".likely .chip") and "Hit" not in shown(page, ".likely .chip")


def test_a_hit_with_a_real_card_takes_five_touches(page: Page, party: Served) -> None:
    """A name, Hit, an amount, the button that says all of it, the card."""
    page.sized(THUMB)
    page.open(link(party))
    for touch in ("[data-person=Cara]", "[data-event=hit]", "[data-value='9']", "[data-key=go]", "[data-card='9D']"):
        page.tap(touch)
    page.says("Cara draws Twisted spine", ".answer")


# --- the question ----------------------------------------------------------------------------------------------------


def test_while_a_question_is_open_nothing_else_can_be_done_and_it_looks_so(page: Page, party: Served) -> None:
    page.open(link(party))
    page.see("[data-key=command]")
    hit(page, "Cara", 9)
    page.says("Which card was drawn?", ".question")
    alive = page.script(
        "return [...document.querySelectorAll('button, input')].filter((each) => !each.closest('[inert], .question'))"
        ".map((each) => each.ariaLabel ?? each.textContent)"
    )
    assert alive == ["Night"], "nothing but the light can be changed"
    assert page.script("return getComputedStyle(document.querySelector('.board')).opacity") == "0.5"
    page.tap("[data-key=back]")
    page.until(lambda: not page.driver.find_elements("css selector", "[inert]"), "all of it is alive again")


def test_a_question_that_is_open_on_another_device_is_seen(page: Page, party: Served) -> None:
    assert party.gm.ask("/api/settings", {"events": ["draw"]})[0] == 200
    page.open(link(party))
    page.says("Bryn", ".board")
    assert party.player("Bryn").deed("draw", "Bryn", id="from-afar")[0] == 202
    page.says("Bryn draws a card", ".open-question")
    assert party.player("Bryn").ask("/api/cancel", {"id": "from-afar"})[0] == 200
    page.until(lambda: not shown(page, ".open-question"), "it is closed")


def test_back_and_loading_the_page_again_lose_nothing(page: Page, party: Served) -> None:
    page.sized(THUMB)
    page.open(link(party))
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH")
    page.until(lambda: "K♥" in shown(page, ".asking-given"), "two are answered")
    page.driver.refresh()
    page.says("Hit Bryn 4", ".asking")
    assert shown(page, ".asking-given") == ["7♣", "K♥"]
    page.driver.back()
    page.until(lambda: shown(page, ".asking-given") == ["7♣"], "Back takes back one answer")
    page.driver.back()
    page.driver.back()
    page.says("Hit Bryn 4", ".form")
    page.driver.back()
    page.until(lambda: not shown(page, ".form"), "and then the form")
    page.tap("[data-key=deck]")
    page.see("dialog .pad")
    page.driver.back()
    page.until(lambda: not shown(page, "dialog"), "and a dialog")
    page.says("Bryn", ".board")


# --- the phone as a seat ---------------------------------------------------------------------------------------------


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Served]:
    """Alphonse, who acts first, before a small field, and Evans, a foe."""
    with serving(tmp_path, fiftytwo()) as served:
        rows = "3D 2S 9C 4H 7D / 6C 7C 7H JS 5D / QS 2H 8S 10H 5C"
        for words in ("enter everybody", "initiative dice 6 10 4 8 5 8 5 7 7", f"lay {rows}"):
            assert served.gm.do(*words.split())[0] == 200
        assert served.gm.ask("/api/settings", {"events": ["act", "end", "turn"]})[0] == 200
        yield served


def test_a_phone_says_whose_turn_it_is_and_attack_is_a_wish_that_one_touch_grants(page: Page, fight: Served) -> None:
    page.sized(THUMB)
    page.open(link(fight, "Alphonse"))
    page.tap("[data-key=next], [data-tap='turn Alphonse'], [data-event=turn]")
    page.says("It is your turn", ".whose-turn.mine")
    page.tap("[data-place='1.1']")
    page.tap("[data-tap='act pair 7C 7H']")
    page.tap("[data-tap='act critical somebody']")
    page.says("the game master says on whom", ".table-head")
    assert "Evans" not in page.driver.find_element("css selector", "body").text, "no foe's name"
    phone = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.sized(DESK)
    page.open(link(fight))
    page.says("Alphonse makes a critical attack", ".wish")
    page.tap(".wish [data-tap='act critical Evans']")
    page.says("Alphonse attacks Evans", ".answer")
    page.driver.switch_to.window(phone)
    page.until(lambda: not page.see(".table-head").text.endswith("on whom."), "it is done")
    assert [fight.gm.do(words)[0] for words in ("end", "turn")] == [200, 200]
    page.says("Somebody else has the turn", ".whose-turn")
    assert "Evans" not in page.driver.find_element("css selector", "body").text


def test_a_phone_has_its_own_sheet_and_says_that_its_link_was_renewed(page: Page, party: Served) -> None:
    page.open(link(party, "Cara"))
    page.says("5 HP", ".own")
    page.tap(".sheet summary")
    page.see(".sheet dl")
    assert party.gm.ask("/api/renew", {"name": "Cara"})[0] == 200
    page.says("This page is closed", "main")
    page.says("replaced by a new one", "main")
    assert not shown(page, "main button, footer button"), "nothing is left to be tapped"


# --- the game master's page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), THUMB, PHONE], ids=str)
def test_the_verbs_are_at_the_thumb_and_undo_is_one_slim_line(page: Page, party: Served, size: tuple[int, int]) -> None:
    page.sized(size)
    page.open(link(party))
    verb, foot = page.see("[data-event=hit]").rect, page.see("#foot").rect
    width, height = size
    assert page.script("return document.documentElement.scrollWidth <= innerWidth")
    assert foot["height"] <= 60 and foot["y"] + foot["height"] <= height + 1
    if width < 960:
        assert verb["y"] > height / 2, "in the lower half, without scrolling"
        assert verb["y"] + verb["height"] < foot["y"]
    for names in (".tile .who", ".lying-grid"):
        texts = shown(page, names)
        assert len(texts) == len(set(texts)), "the party and the field are there once"


def test_links_and_codes_are_open_at_once_with_a_warning_where_phones_cannot_reach_them(
    page: Page, party: Served
) -> None:
    page.open(link(party))
    page.tap("[data-key=links]")
    page.says("Phones cannot reach these links", "dialog .notice")
    page.until(lambda: len(page.driver.find_elements("css selector", "dialog .qr")) == 2, "a code for each")
    assert all(node.is_displayed() for node in page.driver.find_elements("css selector", "dialog .qr"))
    first = page.driver.find_element("css selector", "dialog .notice").rect["y"]
    assert first < page.driver.find_element("css selector", "dialog .qr").rect["y"]


def test_a_system_with_an_order_names_the_next_step_and_the_deal_grows_before_ones_eyes(
    page: Page, tmp_path: Path
) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        page.open(link(served))
        page.says("Who fights?", "[data-key=next]")
        assert served.gm.do("enter", "everybody")[0] == 200
        page.says("Alphonse joins", ".answer")
        assert page.see(".answer").get_attribute("textContent").count("Alphonse joins") == 1
        for words in ("initiative dice 6 10 4 8 5 8 5 7 7", "columns choose 1"):
            assert served.gm.do(*words.split())[0] == 200, words
        page.says("Deal the field", "[data-key=next]")
        page.tap("[data-key=next]")
        page.says("Which card lies at row 1", ".question")
        draw(page, "KD", "7C")
        page.until(lambda: shown(page, ".laid-card:not(.empty-place)") == ["K♦", "7♣"], "the field as it grows")
        page.tap("[data-key=step-back]")
        page.until(lambda: shown(page, ".laid-card:not(.empty-place)") == ["K♦"], "one mis-tap is one step")


# --- what holds of all of it -----------------------------------------------------------------------------------------


def test_one_region_is_read_aloud_and_says_what_has_happened(page: Page, party: Served) -> None:
    page.open(link(party))
    page.says("Bryn", ".board")
    live = "return [...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map((each) => each.id)"
    assert page.script(live) == ["told"]
    hit(page, "Cara", 9)
    page.until(
        lambda: "Which card was drawn?" in page.script("return document.getElementById('told').textContent"),
        "the question",
    )
    draw(page, "9D")
    page.until(
        lambda: "Cara draws Twisted spine" in page.script("return document.getElementById('told').textContent"),
        "the moment",
    )
    page.tap("[data-key=undo]")
    page.until(
        lambda: "9♦" in page.script("return document.getElementById('told').textContent"),
        "the card that goes back takes the place of the old text",
    )
    assert page.script(live) == ["told"]

"""The page in a real browser: what a game master and a player see and tap. Left out where there is no Chromium."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from browsing import IN_A_BROWSER, Page, begin, draw, hit, link
from games.test_language import write_pack
from helpers import ROOT, copy_pack
from serve.test_serve import serve
from served import Served, serving

from generator.pack import content

pytestmark = IN_A_BROWSER


def test_a_hit_from_the_game_masters_page_stands_on_the_players(page: Page, party: Served) -> None:
    page.open(link(party))
    page.says("Bryn", ".board")
    master = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open(link(party, "Cara"))
    page.says("5 HP", ".own")
    player = page.driver.current_window_handle
    page.driver.switch_to.window(master)
    hit(page, "Cara", 9)
    page.says("Which card was drawn?")
    assert page.driver.find_element("css selector", "[data-card='10C']").get_attribute("disabled"), "it is out"
    page.tap("[data-card='9D']")
    page.says("Twisted spine", ".answer .card")
    page.driver.switch_to.window(player)
    page.says("9 of 21 Death-score", ".own")
    page.says("Twisted spine", ".answer .card")
    page.driver.switch_to.window(master)
    begin(page, "hit")
    amount = page.see("input.amount")
    assert amount.get_attribute("value") == "", "the next hit is another"
    page.write("input.amount", "9")
    amount.click()
    amount.send_keys("20")
    assert amount.get_attribute("value") == "20", "what is typed takes the place of what stands there"
    amount.send_keys("0\n")
    page.says("Amount 200? Press again if that is right.", ".panel")
    page.tap("[data-person='Bryn']")
    assert page.driver.find_elements("css selector", ".notice") == [], "it was about somebody else"
    page.tap("[data-key=undo]")
    page.says("Back into the deck: 9♦", ".panel")
    page.driver.switch_to.window(player)
    page.says("5 HP", ".own")


def test_odds_of_the_event_that_was_picked_stand_beside_each_name(page: Page, party: Served) -> None:
    page.open(link(party))
    page.tap("[data-person=Bryn]")
    page.tap("[data-event=hit]")
    page.tap("[data-argument=amount][data-value='9']")
    page.says("37 % to die of hit 9", ".board")
    page.says("under 0.1 % to die of hit 9", ".board")


def test_a_question_that_others_overtook_is_asked_again(page: Page, party: Served) -> None:
    page.open(link(party))
    hit(page, "Bryn", 4)
    page.says("Which card was drawn?")
    assert party.gm.do("draw", "cara", "2S")[0] == 200
    page.says("Meanwhile: Cara draws Ugly spill. The question is asked again.", ".panel")
    page.until(
        lambda: page.driver.find_element("css selector", "[data-card='2S']").get_attribute("disabled"),
        "the card that went out meanwhile is grey",
    )
    page.tap(".pad-card[data-card='9D']")
    page.says("Twisted spine", ".answer .card")


def test_a_question_steps_back_answer_by_answer_until_a_choice_ends_it(page: Page, party: Served) -> None:
    before = party.gm.state()
    page.open(link(party))
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH", "2S")
    page.says("Choose", ".question")
    assert page.see(".asking").text.split() == ["Hit", "Bryn", "4", "7♣", "K♥", "2♠", "?"], "what was answered so far"
    for card in ("2S", "KH"):
        page.tap("[data-key=step-back]")
        page.see(f".pad-card[data-card='{card}']")
    draw(page, "6C", "2S")
    page.says("You fall prone until you stand up.", ".choice-card[data-option='2']")
    for _ in range(3):
        page.tap("[data-key=step-back]")
    page.see(".pad-card[data-card='7C']").send_keys("\ue00c")  # Escape steps back too
    assert page.see("[data-argument=amount][data-value='4']").get_attribute("aria-pressed") == "true"
    assert party.gm.state() | {"version": 0} == before | {"version": 0}, "nothing was written, and nothing taken back"
    page.tap("[data-key=go]")
    draw(page, "7C")
    page.tap("[data-key=back]")
    page.see("[data-key=undo]")
    assert not page.driver.find_elements("css selector", ".question, .form"), "Cancel forgets all of it"
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH", "2S")
    page.tap("[data-option='2']")
    page.says("20 of 21 Death-score", ".board")
    page.tap(".answer .in-full > summary")
    page.says("Chosen: Ugly spill.", ".answer")
    page.tap(".answer details.sentence summary")
    page.says("H7:", ".answer")


def test_the_key_leaves_the_address_and_a_closed_tab_is_the_same_seat_again(page: Page, party: Served) -> None:
    seat = f"http://127.0.0.1:{party.port}/?campaign=table"
    page.open(link(party, "Cara"))
    page.says("Cara", ".own")
    assert page.driver.current_url == seat
    page.driver.switch_to.new_window("tab")
    page.open(link(party))
    page.says("Bryn", ".board")
    assert page.driver.current_url == seat
    page.driver.refresh()
    page.says("Bryn", ".board")
    page.driver.switch_to.new_window("tab")
    page.open(seat)
    page.says("Cara", ".own")
    assert party.gm.ask("/api/renew", {"name": "Cara"})[0] == 200
    page.says("This page is closed", "main")
    page.until(lambda: not page.script("return localStorage.length"), "it is kept no longer")


def test_dice_are_one_tap_each_and_the_focus_moves_on(page: Page, party: Served) -> None:
    assert party.gm.do("hit", "cara", "9", "KH")[0] == 200
    page.open(link(party))
    page.write("[data-key=command]", "heal cara 30\n")
    page.says("Die 5 of 5", ".question")
    page.tap("[data-key='die-0-2']")
    assert page.script("return document.activeElement.dataset.die") == "1"
    for place in range(1, 5):
        page.tap(f"[data-key='die-{place}-1']")
    page.says("6 weeks", ".board")


def test_somebody_joins_and_leaves(page: Page, party: Served) -> None:
    page.open(link(party))
    page.tap("[data-key=joins]")
    page.write("[data-key='field- name']", "Dan the Red")
    page.write("[data-key='field-hp']", "6")
    page.tap("[data-key=go]")
    page.says("Dan the Red", ".board")
    page.tap("[data-key=joins]")
    assert page.see("[data-key='field- name']").get_attribute("value") == "", "the next one is somebody else"
    page.tap("[data-key=links]")
    page.says("Phones cannot reach these links", "dialog .notice")
    page.says("Dan the Red leaves the table", "dialog")
    page.until(
        lambda: [node for node in page.driver.find_elements("css selector", "dialog button") if "Dan" in node.text],
        "somebody may leave",
    )[0].click()
    page.until(lambda: "Dan" not in page.driver.find_element("css selector", ".board").text, "Dan is gone")


def test_a_player_holds_and_takes_it_back(page: Page, party: Served) -> None:
    page.open(link(party, "Bryn"))
    page.tap("[data-event=hold]")
    page.says("Holding: walk or defend only", ".own")
    page.tap("[data-key=undo]")
    page.until(lambda: "Holding" not in page.driver.find_element("css selector", ".own").text, "it is taken back")
    assert not page.driver.find_elements("css selector", "[data-event=hit]")


def test_names_are_a_tap_away_and_the_page_asks_whom_an_event_hurts_besides(page: Page, tmp_path: Path) -> None:
    language = ROOT / "tests" / "language"
    healers = content.load(write_pack(language / "healers.yaml", tmp_path)).system
    with serving(tmp_path, healers, ["bryn", "cara"]) as table:
        page.open(link(table))
        page.tap("[data-person=bryn]")
        begin(page, "tend")
        page.tap("[data-argument=healer][data-value=cara]")
        page.tap("[data-key=go]")
        page.tap("[data-die='0']")
        page.says("Tended (cara) until dawn.", ".answer")
    folder = tmp_path / "others"
    folder.mkdir()
    with serving(
        folder, content.load(write_pack(language / "bystanders.yaml", folder)).system, ["bryn", "cara"]
    ) as table:
        page.open(link(table))
        page.tap("[data-person=bryn]")
        begin(page, "fumble")
        page.tap("[data-key=die-0-5]")
        page.says("A cry goes up.", ".question")
        page.tap("[data-option='1']")
        page.says("Stress +1, for fear: 1.", ".answer")


def test_texts_of_a_pack_are_texts(page: Page, tmp_path: Path) -> None:
    pack, name = copy_pack(tmp_path), "<img src=x onerror=alert(1)>"
    deck = (pack / "deck.yaml").read_text(encoding="utf-8")
    (pack / "deck.yaml").write_text(deck.replace("Red flood", f'"{name}"', 1), encoding="utf-8")
    with serving(tmp_path, content.load(pack).system, ["Bryn hp 1"]) as served:
        assert served.gm.do("hit", "bryn", "3", "10C", "dice", "2")[0] == 200
        page.open(link(served))
        page.says(name, ".answer .card")
        assert not page.driver.find_elements("css selector", "main img")


HEADER = (
    "return [...document.querySelectorAll('#top, .night, .tools')].map(n => JSON.stringify(n.getBoundingClientRect()))"
)


def test_the_page_finds_back_after_the_server_was_frozen_and_killed(page: Page, tmp_path: Path) -> None:
    server, gm = serve(tmp_path)
    try:
        assert gm.do("add", "Bryn", "hp", "7")[0] == 200
        page.sized((390, 844))
        page.open(f"http://127.0.0.1:{gm.port}/?key={gm.key}")
        page.says("7 HP", ".board")
        header = page.script(HEADER)
        server.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        page.says("The server is away", ".status")
        assert time.monotonic() - begun < 10.5 and page.script(HEADER) == header, "it keeps its shape"
        server.send_signal(signal.SIGCONT)
        page.until(lambda: page.script("return document.querySelector('.status').dataset.kind") == "live", "it is back")
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()
    page.says("The server is away", ".status")
    hit_while_away = "document.querySelector(arguments[0]).click()"
    for selector in ("[data-person=Bryn]", "[data-event=hit]", "[data-value='2']", "[data-key=go]"):
        page.see(selector)
        page.script(hit_while_away, selector)
    page.says("as soon as it is back", ".panel")
    server, _ = serve(tmp_path)
    try:
        page.says("5 HP", ".board")
        assert gm.state()["on"] == 3, "it is done, and once"
    finally:
        server.terminate()
        server.communicate()


def test_what_was_told_wrong_is_mended_noted_and_told_again(page: Page, party: Served) -> None:
    party.gm.do("hit", "bryn", "6", "2H")
    party.gm.do("hit", "cara", "9", "9D")
    page.open(link(party))
    page.tap(".log li:first-child summary")
    page.tap("[data-key=mend-4]")
    command = page.see("[data-key=command]")
    assert command.get_attribute("value") == "mend 4 hit Bryn 6 2H"
    page.write("[data-key=command]", "mend 4 hit Bryn 6 6C")
    page.tap(".command [type=submit]")
    page.says("Nothing is changed yet", ".answer")
    assert party.gm.state()["log"][-2]["cards"][0] == "2H"
    page.until(lambda: command.get_attribute("value") == "mend 4 yes hit Bryn 6 6C", "the command that keeps it")
    page.tap(".command [type=submit]")
    page.until(lambda: party.gm.state()["log"][-2]["cards"][0] == "6C", "it is mended")
    page.until(lambda: command.get_attribute("value") == "", "what is done is not offered again")
    assert "Looked up" not in page.see(".answer").text
    page.says("mend 4 hit Bryn 6 6C", "[data-key=undo]")
    page.tap("[data-key=note]")
    page.see("[data-key=command]").send_keys("rain all night")
    page.tap(".command [type=submit]")
    page.says("rain all night", ".answer")
    page.tap("[data-key=chronicle]")
    page.says("Cara", "dialog")

"""The page in a real browser: what a game master and a player see and tap. Left out where there is no Chromium."""

from __future__ import annotations

import signal
from pathlib import Path

from browsing import ENTER, ESCAPE, IN_A_BROWSER, PHONE, THUMB, Page, begin, draw, hit, link, shown
from games.test_language import write_pack
from helpers import ROOT, copy_pack
from serve.test_serve import serve
from served import Served, serving

from generator.pack.load import load_pack

pytestmark = IN_A_BROWSER


def test_a_hit_takes_five_touches_and_stands_on_the_players_page(page: Page, party: Served) -> None:
    """A name, Hit, an amount, the button that says all of it, the card."""
    page.sized(THUMB)
    page.open(link(party), says="Bryn", at=".board")
    page.tab(link(party, "Cara"), says="5 HP", at=".own")
    page.to_tab(0)
    page.tap("[data-person=Cara]", "[data-event=hit]", "[data-value='9']", "[data-key=go]")
    page.says("Which card was drawn?")
    assert page.one("[data-card='10C']").get_attribute("disabled"), "it is out"
    page.tap("[data-card='9D']", says="Cara draws Twisted spine", at=".answer")
    page.to_tab(1)
    page.says("9 of 21 Death-score", ".own")
    page.says("Twisted spine", ".answer .card")
    page.to_tab(0)
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
    assert page.every(".notice") == [], "it was about somebody else"
    page.tap("[data-key=undo]", says="Back into the deck: 9♦", at=".panel")
    page.to_tab(1)
    page.says("5 HP", ".own")


# --- the tile --------------------------------------------------------------------------------------------------------


def test_a_tile_shows_pile_track_tokens_and_what_is_likely(page: Page, party: Served) -> None:
    party.told("hit bryn 4 2S", "hit cara 6 KH")
    page.open(link(party), says="Red flood", at="[data-key=pile-Bryn]")
    pile = page.see("[data-key=pile-Bryn]").text.split("\n")
    assert "10 of clubs" in pile and "2 of spades" in pile, "each card says its name to a reader"
    assert "Ugly spill" in pile and "2" in pile, "its title and its score"
    page.tap("[data-key=pile-Bryn]", says="You fall prone until you stand up.", at="dialog .card:last-child")
    page.tap("dialog .dialog-head button", says="10 of 21 Death-score", at=".board")
    page.says("6 Blood to come", ".board")
    ways = page.script(
        "return [...document.querySelectorAll('.tile:last-of-type .part')].map((each) => [each.className,"
        " Math.round(21 * each.offsetWidth / each.parentElement.clientWidth)])"
    )
    assert ways == [["part suit-hearts", 10], ["part waits ", 6]], "each card by its score, and the blood that waits"
    party.told("bleed cara 5")
    page.says("11 Blood to come: exactly 21", ".board")
    party.told("hold cara")
    page.says("11 Blood held in", ".board")
    page.see(".part.waits.held")
    for _ in range(3):
        party.told("undo")
    party.told("hit cara 6 KS")
    for selector, words in ((".token", "6 Blood"), (".token", "5 Trauma"), (".state", "Can do nothing")):
        page.until(lambda s=selector, w=words: w in shown(page, s), f"{words} is not there")  # type: ignore[misc]
    page.says("You lie broken on the ground", ".tile:last-of-type .hurts")
    each = "[...document.querySelectorAll('.token, .state, .hurts li')]"
    assert page.script(f"return {each}.every((node) => node.querySelector('svg path'))"), "each has its emblem"
    assert page.script("return document.querySelectorAll('.tile:nth-of-type(2) .token-blood svg').length") == 6
    page.tap("[data-person=Cara]", says="What befalls Cara?", at=".panel")
    assert 1 <= len(shown(page, ".likely .chip")) <= 5
    page.says("Hold your wounds\nYou can do nothing at all.", ".cannot")
    assert not shown(page, "[data-event=poison]")
    page.tap(".all > summary")
    assert shown(page, ".group h3") == ["Harm", "Blood", "Help", "Time"]
    page.see(".filter").send_keys("poiso")
    assert shown(page, ".groups .chip") == ["Poison"], "the rest is found by a search"
    page.see(".filter").send_keys(ENTER)
    page.see("[data-argument=points], [data-argument=amount]")
    page.tap(".form .quiet", "[data-key=phase-after]")
    assert "A night passes" in shown(page, ".likely .chip") and "Hit" not in shown(page, ".likely .chip")


# --- the moment ------------------------------------------------------------------------------------------------------

TURNING = "return document.querySelectorAll('.flip.turns').length"


def test_a_card_turns_over_once_and_death_and_exactly_21_colour_it(page: Page, party: Served) -> None:
    moves = "return getComputedStyle(document.querySelector('.flip')).animationName"
    ground = "return getComputedStyle(document.querySelector('.answer')).backgroundColor"
    page.open(link(party), says="Bryn draws Red flood", at=".answer h2")
    assert page.script(TURNING) == 0, "it fell before this page was opened"
    plain = page.script(ground)
    party.told("hit cara 9 9D")
    page.says("Cara draws Twisted spine", ".answer h2")
    page.says("Death-score 0 → 9", ".answer .changes")
    assert page.script(TURNING) == 1
    for way in ("undo", "redo"):
        page.tap(f"[data-key={way}]")
        page.until(lambda: page.script(TURNING) == 0, "it turns over once")
    page.driver.refresh()
    page.says("Cara draws Twisted spine", ".answer h2")
    assert page.script(TURNING) == 0
    party.told("hit bryn 4 8C")
    page.says("Exactly 21", ".answer h2")
    good = page.script(ground)
    party.told("undo", "hit bryn 4 KH")
    page.says("Bryn dies", ".answer h2")
    page.says("over 21", ".answer .moment-then")
    assert len({plain, good, page.script(ground)}) == 3
    assert shown(page, ".tile.dead .state") == ["Dead"]
    assert page.script(moves) == "none", "the browser of these tests likes it still"
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    party.told("hit cara 2 2S")
    page.says("Ugly spill", ".answer")
    assert page.script(moves) == "turn-over"


# --- the question ----------------------------------------------------------------------------------------------------


def test_a_question_that_others_overtook_is_asked_again(page: Page, party: Served) -> None:
    page.open(link(party))
    page.tap("[data-person=Bryn]", "[data-event=hit]", "[data-argument=amount][data-value='9']")
    page.says("37 % to die from a hit for 9", ".board")
    page.says("under 0.1 % to die from a hit for 9", ".board")
    page.tap("[data-argument=amount][data-value='4']", "[data-key=go]", says="Which card was drawn?")
    party.told("draw cara 2S")
    page.says("Meanwhile: Cara draws Ugly spill. The question is asked again.", ".panel")
    page.until(
        lambda: page.one("[data-card='2S']").get_attribute("disabled"), "the card that went out meanwhile is grey"
    )
    page.tap(".pad-card[data-card='9D']", says="Twisted spine", at=".answer .card")


def test_a_question_steps_back_answer_by_answer_until_a_choice_ends_it(page: Page, party: Served) -> None:
    """By buttons, by Escape, by the browser's own Back; loading the page again loses nothing."""
    before = party.gm.state()
    page.sized(THUMB)
    page.open(link(party))
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH", "2S")
    page.says("Choose", ".question")
    answered = ["Hit", "Bryn", "for", "4", "7♣", "K♥", "2♠", "?"]
    assert page.see(".asking").text.split() == answered, "what was answered so far"
    for card in ("2S", "KH"):
        page.tap("[data-key=step-back]")
        page.see(f".pad-card[data-card='{card}']")
    draw(page, "6C", "2S")
    page.says("You fall prone until you stand up.", ".choice-card[data-option='2']")
    for _ in range(3):
        page.tap("[data-key=step-back]")
    page.see(".pad-card[data-card='7C']").send_keys(ESCAPE)
    assert page.see("[data-argument=amount][data-value='4']").get_attribute("aria-pressed") == "true"
    assert party.gm.state() | {"version": 0} == before | {"version": 0}, "nothing was written, and nothing taken back"
    page.tap("[data-key=go]")
    draw(page, "7C")
    page.tap("[data-key=back]")
    page.see("[data-key=undo]")
    assert not page.every(".question, .form"), "Cancel forgets all of it"
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH", "2S")
    page.tap("[data-option='2']", says="20 of 21 Death-score", at=".board")
    page.tap(".answer .in-full > summary", says="Chosen: Ugly spill.", at=".answer")
    page.tap(".answer details.sentence summary", says="H7:", at=".answer")


def test_back_and_loading_the_page_again_lose_nothing(page: Page, party: Served) -> None:
    page.sized(THUMB)
    page.open(link(party))
    hit(page, "Bryn", 4)
    draw(page, "7C", "KH")
    page.until(lambda: "K♥" in shown(page, ".asking-given"), "two are answered")
    page.driver.refresh()
    page.says("Hit Bryn for 4", ".asking")
    assert shown(page, ".asking-given") == ["7♣", "K♥"]
    page.driver.back()
    page.until(lambda: shown(page, ".asking-given") == ["7♣"], "Back takes back one answer")
    page.driver.back()
    page.driver.back()
    page.says("Hit Bryn for 4", ".form")
    page.driver.back()
    page.until(lambda: not shown(page, ".form"), "and then the form")
    page.tap("[data-key=deck]")
    page.see("dialog .pad")
    page.driver.back()
    page.until(lambda: not shown(page, "dialog"), "and a dialog")
    page.says("Bryn", ".board")


def test_while_a_question_is_open_nothing_else_can_be_done_and_one_region_is_read_aloud(
    page: Page, party: Served
) -> None:
    assert party.gm.ask("/api/settings", {"events": ["draw"]})[0] == 200
    live = "return [...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map((each) => each.id)"

    def is_read(text: str) -> None:
        told = "return document.getElementById('told').textContent"
        page.until(lambda: text in page.script(told), f"{text} is not read aloud")

    page.open(link(party))
    page.see("[data-key=note]")
    assert page.script(live) == ["told"]
    hit(page, "Cara", 9)
    page.says("Which card was drawn?", ".question")
    is_read("Which card was drawn?")
    alive = page.script(
        "return [...document.querySelectorAll('button, input')].filter((each) => !each.closest('[inert], .question'))"
        ".map((each) => each.ariaLabel ?? each.textContent)"
    )
    assert alive == ["Night"], "nothing but the light can be changed"
    assert page.script("return getComputedStyle(document.querySelector('.board')).opacity") == "0.5"
    page.tap("[data-key=back]")
    page.until(lambda: not page.every("[inert]"), "all of it is alive again")
    assert party.player("Bryn").deed("draw", "Bryn", id="from-afar")[0] == 202
    page.says("Bryn draws a card", ".open-question")
    assert party.player("Bryn").ask("/api/cancel", {"id": "from-afar"})[0] == 200
    page.until(lambda: not shown(page, ".open-question"), "it is closed")
    hit(page, "Cara", 9)
    draw(page, "9D")
    is_read("Cara draws Twisted spine")
    page.tap("[data-key=undo]")
    is_read("9♦")
    assert page.script(live) == ["told"]


def test_names_are_a_tap_away_and_the_page_asks_whom_an_event_hurts_besides(page: Page, tmp_path: Path) -> None:
    language = ROOT / "tests" / "language"
    healers = load_pack(write_pack(language / "healers.yaml", tmp_path)).system
    with serving(tmp_path, healers, ["bryn", "cara"]) as table:
        page.open(link(table))
        page.tap("[data-person=bryn]")
        begin(page, "tend")
        page.tap("[data-argument=healer][data-value=cara]", "[data-key=go]", "[data-die='0']")
        page.says("Tended (cara) until dawn.", ".answer")
    folder = tmp_path / "others"
    folder.mkdir()
    bystanders = load_pack(write_pack(language / "bystanders.yaml", folder)).system
    with serving(folder, bystanders, ["bryn", "cara"]) as table:
        page.open(link(table))
        page.tap("[data-person=bryn]")
        begin(page, "fumble")
        page.tap("[data-key=die-0-5]", says="A cry goes up.", at=".question")
        page.tap("[data-option='1']", says="Stress +1, for fear: 1.", at=".answer")
    called = folder / "called"
    called.mkdir()
    named = load_pack(write_pack(language / "words_with_names.yaml", called)).system
    with serving(called, named, ["bryn"]) as table:
        page.open(link(table))
        page.tap("[data-person=bryn]")
        begin(page, "fall")
        page.says("left arm", "[data-argument=on][data-value=left_arm]")


# --- what is put right -----------------------------------------------------------------------------------------------


def test_what_was_told_wrong_is_mended_noted_and_told_again(page: Page, party: Served) -> None:
    party.gm.do("hit", "bryn", "6", "2H")
    party.gm.do("hit", "cara", "9", "KH")
    page.open(link(party))
    page.tap(".log li:first-child summary", "[data-key=mend-4]", "[data-key=answer-0]")
    page.tap(".pad-card[data-card='6C']")
    page.says("A hundred nicks", ".preview [aria-label=Changed]")
    assert party.gm.state()["log"][-2]["cards"][0] == "2H", "nothing is changed yet"
    page.tap("[data-key=leave]", "[data-key=mend-4]")
    page.says("Nothing changes yet", ".panel")
    page.tap("[data-argument=amount][data-value='7']", "[data-key=keep]")
    page.until(lambda: party.gm.state()["log"][-2]["deeds"][0]["words"] == ["7"], "it is corrected, in four touches")
    page.says("the correction of entry 4", "[data-key=undo]")
    page.tap("[data-key=note]")
    page.write("dialog textarea", "rain all night")
    page.tap("[data-key=note-it]", says="Note: rain all night", at=".answer")
    page.tap("[data-key=evening]")
    page.write("dialog textarea", "The bridge")
    page.tap("[data-key=note-it]", says="The bridge", at=".answer")
    page.tap("[data-key=links]")
    page.see("dialog .link-more")
    page.script("[...document.querySelectorAll('dialog button')].find((b) => b.textContent === 'Rename Bryn').click()")
    page.write("dialog textarea", "Brynhild")
    page.tap("[data-key=note-it]", says="Brynhild", at=".board")
    page.tap("[data-key=chronicle]", says="Cara", at="dialog")
    page.tap("[data-key=copy]", says="Copied.", at="dialog")
    assert "blob:" in str(page.see("[data-key=save]").get_attribute("href"))
    page.tap("dialog .dialog-head button", "[data-person=Cara]")
    begin(page, "heal")
    page.write("[data-key=field-amount]", "30\n", says="Die 5 of 5", at=".question")
    page.tap("[data-key='die-0-2']")
    assert page.focus("die") == "1", "the focus moves on"
    for place in range(1, 5):
        page.tap(f"[data-key='die-{place}-1']")
    page.says("6 weeks", ".board")


def test_the_round_ends_for_everybody_in_one_touch_and_keys_go_to_the_amount_and_the_card(
    page: Page, party: Served
) -> None:
    party.gm.do("hold", "bryn")
    page.open(link(party))
    page.tap("[data-key^=likely-round]")
    page.until(lambda: party.gm.state()["log"][-1]["who"] == ["Bryn", "Cara"], "the round is over for everybody")
    page.tap("[data-person=Bryn]")
    page.script("document.querySelector('[data-event=hit]').focus()")
    page.one("[data-event=hit]").send_keys(ENTER)
    page.until(lambda: page.focus("argument") == "amount", "the amount has the focus")
    page.write("[data-key=field-amount]", "9\n", says="Which card", at=".question")
    page.script("document.querySelector('.pad-card').focus()")
    page.one(".pad-card").send_keys("9d")
    page.says("Twisted spine", ".answer")
    page.tap("[data-key=rules]")
    page.write(".rules [type=search]", "nicks", says="A hundred nicks", at=".rules")


def test_the_phone_of_who_is_struck_says_so(party: Served) -> None:
    assert party.gm.send(deed={"do": "hit", "who": "Bryn", "words": ["9"]}, asking=True, id="struck")[0] == 202
    assert party.player("Bryn").state()["struck"] == "Hit for 9: the game master draws a card."
    assert party.player("Cara").state()["struck"] == ""
    assert party.gm.ask("/api/cancel", {"id": "struck"})[0] == 200
    assert party.player("Bryn").state()["struck"] == ""


def test_numbers_ticks_and_cards_are_put_right_at_once(page: Page, party: Served) -> None:
    page.sized(PHONE)
    page.open(link(party))
    page.tap(
        "[data-person=Cara]",
        "[data-key=correct]",
        "[data-value=hp] [aria-label='HP: one more']",
        "[data-value=hp] [aria-label='HP: one more']",
        "[data-value=blood] [aria-label='Blood: one more']",
        "[data-value=holding] input",
        "fieldset[data-value=wounds] summary",
        "fieldset[data-value=wounds] [data-card=QD]",
        "fieldset[data-value=wounds] [data-card=KS]",
        "[data-key=put-right]",
    )
    page.says("The values of Cara are set", ".answer")
    cara = party.gm.state()["characters"][1]["state"]
    assert (cara["hp"], cara["blood"], cara["holding"]) == (7, 1, True)
    assert [wound["card"] for wound in cara["wounds"]] == ["QD", "KS", "KS"]
    page.tap("[data-key=undo]", says="Back into the deck: Q♦ K♠", at=".panel")
    assert party.gm.state()["characters"][1]["state"]["hp"] == 5, "one undo takes all of it back"
    page.tap("[data-key=correct]", "[data-key=whose-Bryn]")
    page.write("[data-value=score] input", "99")
    page.tap("[data-key=put-right]", says="nobody lives with a death-score", at="dialog .notice")
    page.tap("[data-key=whose-Cara]")
    page.see("[data-key=whose-Cara][aria-pressed=true]")


# --- the phone as a seat ---------------------------------------------------------------------------------------------


def test_the_key_leaves_the_address_and_a_closed_tab_is_the_same_seat_again(page: Page, party: Served) -> None:
    seat = f"http://127.0.0.1:{party.port}/?campaign=table"
    page.open(link(party, "Cara"), says="5 HP", at=".own")
    assert page.driver.current_url == seat
    page.tab(link(party), says="Bryn", at=".board")
    assert page.driver.current_url == seat
    page.driver.refresh()
    page.says("Bryn", ".board")
    page.tab(seat, says="Cara", at=".own")
    page.tap(".sheet summary")
    page.see(".sheet dl")
    assert party.gm.ask("/api/renew", {"name": "Cara"})[0] == 200
    page.says("This page is closed", "main")
    page.says("replaced by a new one", "main")
    assert not shown(page, "main button, footer button"), "nothing is left to be tapped"
    page.until(lambda: not page.script("return localStorage.length"), "it is kept no longer")


def test_a_player_holds_takes_it_back_is_told_all_that_strikes_and_has_last_words(page: Page, party: Served) -> None:
    page.open(link(party, "Bryn"))
    page.tap("[data-event=hold]", says="Holding: walk or defend only", at=".own")
    page.tap("[data-key=undo]")
    page.lacks("Holding", ".own")
    assert not page.every("[data-event=hit]")
    party.told("poison bryn 2")
    page.says("Death-score 10 → 12", ".answer")
    party.told("hit bryn 4 KH")
    page.says("You die", ".answer h2")
    page.write("[data-key=last-words]", "Tell my sister")
    page.tap("[data-key=say-them]")
    page.until(lambda: not shown(page, ".panel"), "the phone of the dead has nothing to press")
    assert "Tell my sister" in party.gm.state()["log"][-1]["typed"]
    assert party.player("Bryn").do("note", "and another thing")[0] == 403, "once"


# --- the game master's page ------------------------------------------------------------------------------------------


def test_the_verbs_are_at_the_thumb_and_undo_is_one_slim_line(page: Page, party: Served) -> None:
    for width, height in ((1280, 800), (768, 1024), THUMB, PHONE):
        page.sized((width, height))
        page.open(link(party))
        verb, foot = page.see("[data-event=hit]").rect, page.see("#foot").rect
        assert page.script("return document.documentElement.scrollWidth <= innerWidth"), width
        assert foot["height"] <= 60 and foot["y"] + foot["height"] <= height + 1, width
        if width < 960:
            assert verb["y"] > height / 2, "in the lower half, without scrolling"
            assert verb["y"] + verb["height"] < foot["y"]
        for names in (".tile .who", ".lying-grid"):
            texts = shown(page, names)
            assert len(texts) == len(set(texts)), "the party and the field are there once"


def test_somebody_joins_is_given_a_link_and_leaves(page: Page, party: Served) -> None:
    page.open(link(party))
    page.tap("[data-key=joins]")
    page.write("[data-key='field- name']", "Dan the Red")
    page.write("[data-key='field-hp']", "6")
    page.tap("[data-key=go]", says="Dan the Red", at=".board")
    page.tap("[data-key=joins]")
    assert page.see("[data-key='field- name']").get_attribute("value") == "", "the next one is somebody else"
    page.tap("[data-key=links]", says="Phones cannot reach these links", at="dialog .notice")
    page.until(lambda: len(page.every("dialog .qr")) == 3, "a code for each")
    assert all(node.is_displayed() for node in page.every("dialog .qr"))
    first = page.one("dialog .notice").rect["y"]
    assert first < page.one("dialog .qr").rect["y"], "the warning comes first"
    page.says("Dan the Red leaves the table", "dialog")
    page.until(
        lambda: [node for node in page.every("dialog button") if "Dan the Red leaves" in node.text],
        "somebody may leave",
    )[0].click()
    page.lacks("Dan", ".board")


def test_texts_of_a_pack_are_texts(page: Page, tmp_path: Path) -> None:
    pack, name = copy_pack(tmp_path), "<img src=x onerror=alert(1)>"
    deck = (pack / "deck.yaml").read_text(encoding="utf-8")
    (pack / "deck.yaml").write_text(deck.replace("Red flood", f'"{name}"', 1), encoding="utf-8")
    with serving(tmp_path, load_pack(pack).system, ["Bryn hp 1"]) as served:
        served.told("hit bryn 3 10C dice 2")
        page.open(link(served))
        page.says(name, ".answer .card")
        assert not page.every("main img")


HEADER = (
    "return [...document.querySelectorAll('#top, .night, .tools')].map(n => JSON.stringify(n.getBoundingClientRect()))"
)


def test_the_page_finds_back_after_the_server_was_frozen_and_killed(page: Page, tmp_path: Path) -> None:
    server, gm = serve(tmp_path)
    try:
        assert gm.do("add", "Bryn", "hp", "7")[0] == 200
        page.sized(THUMB)
        page.open(f"http://127.0.0.1:{gm.port}/?key={gm.key}", says="7 HP", at=".board")
        header = page.script(HEADER)
        server.send_signal(signal.SIGSTOP)
        page.says("Connection lost", ".status")
        assert page.script(HEADER) == header, "it keeps its shape"
        server.send_signal(signal.SIGCONT)
        live = "return document.querySelector('.status').dataset.kind === 'live'"
        page.until(lambda: page.script(live), "it is back")
        # A device that has left its network says so before a beat is missed.
        page.driver.execute_cdp_cmd("Network.enable", {})
        network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
        page.says("Connection lost", ".status")
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
        page.until(lambda: page.script(live), "it is back once more")
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()
    page.says("Connection lost", ".status")
    hit_while_away = "document.querySelector(arguments[0]).click()"
    for selector in ("[data-person=Bryn]", "[data-event=hit]", "[data-value='2']", "[data-key=go]"):
        page.see(selector)
        page.script(hit_while_away, selector)
    page.says("will be sent when it is back", ".panel")
    server, _ = serve(tmp_path)
    try:
        page.says("5 HP", ".board")
        assert gm.state()["on"] == 3, "it is done, and once"
    finally:
        server.terminate()
        server.communicate()

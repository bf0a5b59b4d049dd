"""The studio in a real browser: what somebody does who never opens a terminal. Left out where there is no Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import ESCAPE, FORMS, IN_A_BROWSER, Page, check_sights
from helpers import run
from pypdf import PdfReader
from served import stopped
from studios import AnyStudio, Program, opened, pdf_text

pytestmark = IN_A_BROWSER


def packs_in(home: Path) -> None:
    """Make a pack of one's own, and one with an error."""
    for name in ("mine", "broken"):
        assert run("new", name, home / "packs" / name, "--extends").code == 0
    (home / "packs" / "broken" / "deck.yaml").write_text("cards: 3\n", encoding="utf-8")


def shown_page(page: Page) -> str:
    """The first page on the desk, once it is there."""
    page.until(
        lambda: page.script("return document.querySelector('.paper:not(.stale)')?.dataset.shown"), "no page is shown"
    )
    source = page.see(".paper figure img").get_attribute("src")
    assert source
    return source


def test_the_shelf_leads_to_a_card_in_the_large_and_is_searched(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, says="The shelf")
    drawn = "return [...document.querySelectorAll('[data-system=hackjack] .fan img')].filter((i) => i.naturalWidth)"
    page.until(lambda: len(page.script(drawn)) == 3, "the cover is not drawn")
    page.says("yours, based on hackjack", "[data-system=mine]")
    page.says("deck.yaml:1:8", "[data-system=broken]")
    page.tap("[data-key=open-glog]", "[data-key='look-severity/arm-5']", says="for one day.", at="dialog")
    disarmed = "dialog [data-condition=Disarmed]"
    page.tap(f"{disarmed} summary", says="You drop what that hand holds.", at=disarmed)
    page.tap("dialog .dialog-head button", "[data-key=to-tables]", "[data-table=madness] summary")
    page.see("[data-table=madness] tbody tr")
    page.tap("[data-key=to-odds]", ".odds-form button", says="%", at=".counted")
    opened(page, studio)
    page.write("[name=find]", "prone", says="Hackjack", at="main")
    page.see("[data-item='deck/AS']")
    page.see("[data-item='conditions/prone']")
    page.write("[name=find]", "chance to stabilise", says="Dying and healing (screen)", at=".panels")
    page.write("[name=find]", "xyzzy", says="Nothing on the shelf has all of these words.", at="main")


def test_a_link_is_needed(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, says="The shelf")
    assert page.driver.current_url.endswith("/"), "the key is not in the address"
    page.script("sessionStorage.clear()")
    page.driver.refresh()
    page.says("Open the link that hackjack studio printed", "header")


def test_screens_and_sheets_are_drawn_when_somebody_comes_to_them(page: Page, studio: AnyStudio) -> None:
    # However long odds take: a sheet has none to wait for.
    assert isinstance(studio, Program)
    with stopped(studio.inside.counting):
        opened(page, studio, "mine", says="Deck")
        page.tap("[data-key=to-p-screen]", says="Drawing …", at="#p-screen")
        page.tap("[data-key=to-p-sheet]")
        page.drawn("#p-sheet img")
        page.tap("[data-key=to-p-deck]", says="drawn when you come here", at="#p-screen")
    page.tap("[data-key=to-p-screen]")
    page.drawn("#p-screen img")
    page.tap("#p-sheet .sheet")
    page.drawn("dialog img")


def test_chosen_cards_of_two_systems_are_printed_from_the_tray(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "hackjack")
    page.tap(
        "[data-key='add-deck/QS']",
        "[data-key='add-deck/QS']",
        "[data-key='look-deck/KH']",
        "dialog .stepper button:last-child",
        says="Score: 10",
        at="dialog",
    )
    page.tap("dialog .dialog-head button", says="3 cards in the tray", at="#tray")
    page.script("location.hash = 'deadlands'")
    page.tap("[data-key='add-fate/AC']", "[data-key=print-tray]", says="2 pages", at=".state")
    page.script("document.querySelector('[data-key=together-false]').click()")
    page.says("Hackjack, deck: 3 cards", ".paper")
    page.says("Deadlands 1876, fate: 1 card", ".paper")
    shown_page(page)
    names = [page.see(f".margin a[data-file='{name}']") for name in ("hackjack-deck.pdf", "deadlands-fate.pdf", "zip")]
    assert len(names) == 3
    page.tap(".chosen summary", ".chosen li:first-child button:last-child", says="Hackjack, deck: 4 cards", at=".paper")
    page.tap("[data-key=home]")
    page.driver.refresh()
    page.says("5 cards in the tray", "#tray")
    page.tap("[data-key=empty]", says="The shelf", at="main")


def test_cards_of_several_systems_go_onto_one_sheet_and_are_kept_in_a_pack(
    page: Page, studio: AnyStudio, home: Path
) -> None:
    opened(page, studio, "hackjack")
    page.tap("[data-key='add-deck/QS']")
    page.script("location.hash = 'glog'")
    page.tap("[data-key='add-severity/arm-5']", "[data-key=print-tray]")
    page.see(".ways")
    page.script("document.querySelector('[data-key=together-true]').click()")
    page.until(lambda: page.every("[data-file='hackjack-mixed.pdf']"), "one file")
    shown_page(page)
    text = pdf_text(page)
    # The backs of two cards, each with its title twice.
    assert "Carved" in text and "Disabled" in text and "".join(text.split()).count("Severity") == 4
    page.write("[name=keep]", "evening")
    page.tap(".keep-in [type=submit]", says="Saved to Evening", at=".keep-in")
    studio.save()
    assert run("print", "evening", "mixed", "-o", home / "out").code == 0
    page.tap(".keep-in [type=submit]", says="already has a mixed.yaml", at=".keep-in")
    page.tap("[data-key=replace]", says="Saved to Evening", at=".keep-in")
    page.tap(".keep-in a", says="Evening", at="h1")
    page.see("#p-mixed [data-item='mixed/glog-severity-arm-5']")
    page.tap("[data-key=empty]")


def test_a_screen_is_composed_of_blocks_of_two_systems_and_kept(page: Page, studio: AnyStudio, home: Path) -> None:
    opened(page, studio, "compose", says="Choose blocks")
    page.write("[name=blocks]", "what they mean")
    page.tap("[data-from=glog] [data-key^=put]")
    page.write("[name=blocks]", "weapons and blows")
    page.tap("[data-from=glog] [data-key^=put]")
    page.write("[name=blocks]", "recovery")
    page.tap("[data-from=hackjack] [data-key*='tables']")
    page.until(lambda: page.script("return document.querySelectorAll('.laid li').length") == 3, "three blocks")
    shown_page(page)
    page.tap("[data-key='up-0-2']", "[data-key='column-0-1']")
    page.write("[name='title-0']", "Tonight")
    page.until(lambda: "Tonight" in pdf_text(page) and "Recovery" in pdf_text(page), "the new pages")
    page.tap("[name='columns-0'] option[value='4']", "[data-key='wide-0-2']")
    page.says("too narrow for its columns", ".margin")
    page.tap("[data-key='wide-0-2']", "[data-key=page-new]")
    page.write("[name=blocks]", "the suits")
    page.tap("[data-from=hackjack] [data-key^=put]")
    page.until(lambda: "Our screen" not in pdf_text(page) and "Page 2" in pdf_text(page), "page 2")
    page.tap("[data-key=own-words]")
    page.write("[data-key^=own-text]", "Ask Nick about the bridge.")
    page.until(lambda: "Ask Nick about the bridge." in pdf_text(page), "one's own words")
    page.write("[name=keep]", "mine")
    page.tap(".keep-in [type=submit]", says="Saved to Mine", at=".keep-in")
    studio.save()
    assert run("print", "mine", "screen", "-o", home / "out").code == 0
    text = "\n".join(each.extract_text() for each in PdfReader(home / "out" / "mine-screen.pdf").pages)
    assert all(words in text for words in ("Tonight", "Weapons and blows", "Recovery", "Page 2"))
    (home / "packs" / "mine" / "screen.yaml").unlink()
    page.tap("[data-key=page-anew]", says="Choose blocks", at=".laid")


def test_a_system_that_takes_long_to_read_does_not_hold_up_the_blocks_of_others(page: Page, studio: AnyStudio) -> None:
    never = """
        const ask = window.fetch;
        window.fetch = (address, ...more) =>
            String(address).includes("of=glog") ? new Promise(() => {}) : ask(address, ...more);
    """
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": never})
    try:
        opened(page, studio, "compose", says="Reading more systems")
        page.tap("[data-from=hackjack] summary")
        page.see("[data-from=deadlands]")
        page.tap("[data-from=hackjack] [data-key*='tables']", says="Recovery", at=".laid")
        assert not page.script("return document.querySelector('[data-from=glog]')")
        page.says("Reading more systems", ".chooser")
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    page.tap("[data-key=page-anew]", says="Choose blocks", at=".laid")


def test_the_desk_shows_the_pages_of_the_pdf_as_they_are_chosen(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "hackjack/print/deck", says="Deck")
    plain = shown_page(page)
    page.says("Print 6 sheets at 100 % on both sides", ".margin")
    page.script("document.querySelector('[data-key=\"option-ink-mono\"]').click()")
    page.until(lambda: shown_page(page) != plain, "another ink is another page")
    page.drawn(".themes label:nth-child(4) img")
    page.tap("[data-key=more]")
    page.tap("[name=backs] option[value=none]", says="6 pages", at=".state")
    page.tap("[name=target] option[value=l7651]", says="hold it against the labels", at=".margin")
    assert not page.every("[name=card], [name=paper], [name=backs]")
    page.write("[name=start]", "0", says="--start 0: write a number, 1 or more", at=".margin")
    page.tap("[data-key=reset]", says="12 pages", at=".state")


def test_the_old_file_is_not_offered_while_pages_are_made(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "hackjack/print/deck", says="Deck")
    shown_page(page)
    page.tap("[data-key=more]")
    assert isinstance(studio, Program)
    with stopped(studio.inside.drawing):
        page.tap("[name=backs] option[value=none]", says="Printing …", at=".state")
        assert not page.every(".taking-away a")
    page.says("6 pages", ".state")


def test_a_house_rule_is_counted_saved_and_printed(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "glog/rules", says="House rules")
    page.write("[name=severity_die]", "d8")
    page.see("[data-chart='By lethal damage'] .after")
    page.until(lambda: page.script("return document.querySelector('.does').dataset.done"), "all is counted")
    page.says("The same under both:", ".charts")
    page.write("[name=pack]", "glog")
    page.tap(".keep button", says="a system that ships", at=".does")
    page.write("[name=pack]", "Mild: it's ours")
    page.tap(".keep button", says="Mild: it's ours is on your shelf", at=".does")
    page.tap(".acts a", says="With your house rules: severity die: d8", at="main")
    page.script("location.hash = 'glog/print/reference/rules'")
    page.says("Reference", "h1")
    page.until(lambda: "d8" in pdf_text(page), "it is printed with d8")
    page.tap("[data-key=home]", says="yours, based on glog", at="[data-system=mild_its_ours]")


def test_a_pack_that_is_changed_outside_is_drawn_again_with_its_errors_beside_its_cards(
    page: Page, studio: AnyStudio, home: Path
) -> None:
    file = home / "packs" / "mine" / "deck.yaml"
    opened(page, studio, "mine", says="Mine")
    whole = studio.text(file)
    page.driver.switch_to.new_window("tab")
    opened(page, studio, says="The shelf")
    page.says("Mine", "[data-system=mine]")
    studio.write(file, whole.replace("Winded", "Out of breath"))
    page.to_tab(0)
    page.until(
        lambda: "Out of breath" in (page.see("[data-key='look-deck/AC']").get_attribute("aria-label") or ""), "the card"
    )
    studio.write(file, whole.replace("name: Winded", "name: Winded ᚠ"))
    page.says("1 error", "main")
    page.says("mine/deck.yaml:", "#errors")
    page.see("[data-item='deck/AC'].faulty")
    page.tap("#errors [data-key='see-deck/AC']", says="mine/deck.yaml:4:3", at="dialog")
    page.tap("dialog .dialog-head button")
    studio.write(file, whole.replace("effects:", "effekts:"))
    page.says('did you mean "effects"?', "#errors")
    page.says("the last save that could be printed", "#errors")
    page.see("[data-item='deck/2C'] img")
    studio.write(file, "cards: [\n")
    page.until(
        lambda: "effects" not in page.see("#errors").text and "deck.yaml" in page.see("#errors").text, "the next"
    )
    page.see("[data-key='look-deck/AC']")
    studio.write(file, whole)
    page.lacks("deck.yaml", "#errors")


def test_a_table_is_begun_opened_and_removed_and_a_fight_is_there_to_try(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "play", says="There is no campaign yet.")
    page.write("[name=campaign]", "Nick's Keep: the 2nd")
    page.tap(".begin [type=submit]", says="Open the table “Nick's Keep: the 2nd”", at="main")
    assert "There is no campaign yet." not in page.see("main").text
    page.tap("[data-key=table]")
    page.to_tab(1)
    page.says("Nick's Keep: the 2nd", "header")
    page.to_tab(0)
    page.tap("[data-key=rename-nicks_keep_the_2nd]", says="the campaign “Nick's Keep: the 2nd”", at="dialog h2")
    page.write("#new-title", "Red Keep")
    page.tap("dialog [type=submit]", says="It is called “Red Keep” now.", at="main")
    page.tap("[data-key=delete-nicks_keep_the_2nd]", "dialog [type=submit]")
    page.says("There is no campaign yet.", "main")
    page.tap("[data-key=fight]", says="Open the table “A fight to try”", at="main")
    page.tap("[data-key=table]")
    page.to_tab(2)
    for name in ("Bryn", "Cara", "Orc"):
        page.see(f"[data-person={name}]")


def test_the_keyboard_alone_is_enough(page: Page, studio: AnyStudio) -> None:
    opened(page, studio)
    page.see("[data-key=open-hackjack]").send_keys("\n")
    page.see("[data-key='look-deck/AC']").send_keys("\n")
    page.says("You are knocked back.", "dialog")
    page.see("dialog input").send_keys(ESCAPE)
    page.until(lambda: page.focus() == "look-deck/AC", "the focus is back")
    page.see("[data-key='add-deck/AC']").send_keys("\n")
    page.until(lambda: page.focus() == "add-deck/AC", "the focus stays")
    page.see("[data-key=print-tray]").send_keys("\n")
    shown_page(page)
    page.tap(".chosen summary", "[data-key=empty-here]")


def sights(page: Page, studio: AnyStudio) -> Iterator[str]:
    """Every sight of the studio, one after another: each is there while the name of it is given."""
    opened(page, studio, says="The shelf")
    page.says("deck.yaml:1:8", "[data-system=broken]")
    yield "the shelf"
    opened(page, studio, "glog", says="Odds")
    page.tap("[data-key='add-severity/arm-5']")
    yield "a system, and the tray"
    page.tap("[data-key='look-severity/arm-5']")
    page.see("dialog .means")
    yield "a card in the large"
    page.tap("dialog .dialog-head button")
    opened(page, studio, "find/prone", says="places in")
    yield "the search"
    opened(page, studio, "tray", says="Download")
    shown_page(page)
    page.tap(".chosen summary")
    page.script("document.querySelector('.how').open = true")
    yield "the desk"
    page.tap("[data-key=empty-here]")
    opened(page, studio, "compose", says="Choose blocks")
    page.write("[name=blocks]", "conditions")
    page.tap("[data-from=glog] [data-key^=put]")
    shown_page(page)
    yield "a composed screen"
    page.tap("[data-key=page-anew]")
    opened(page, studio, "glog/rules", says="House rules")
    page.write("[name=severity_die]", "d8")
    page.until(lambda: page.script("return document.querySelector('.does').dataset.done"), "all is counted")
    yield "house rules"
    opened(page, studio, "play", says="Begin")
    yield "the table"


@pytest.mark.parametrize(("size", "dark"), FORMS)
def test_every_sight_fits_can_be_hit_and_has_no_serious_fault(
    page: Page, studio: AnyStudio, size: tuple[int, int], dark: bool
) -> None:
    check_sights(page, sights(page, studio), size, dark)

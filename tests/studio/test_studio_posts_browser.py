"""A post that is pasted, in a real browser: from the text to the PDF without a decision, and every decision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import FORMS, IN_A_BROWSER, Page, check_sights
from studios import AnyStudio, opened

pytestmark = IN_A_BROWSER

POST = """\
The Hexed Finger, or worse

The effects of injuries with a Woe value last until you have completed your recovery.

d6 | Name | What happens
--|--|--
1 | Cut | You fall prone. A nasty smell for 2 days.
2 | Gash | A nasty smell for 5 days. -2 to Strength for 3 days. Woe 1.
3 | Hex | It stinks & stings. Woe 2.
4 | Nerves | Confused and disoriented. A nasty smell for 9 days.
5-6 | Bruise | It stinks & stings. Woe 3.
"""
PASTE = """
const data = new DataTransfer();
data.setData('text/plain', arguments[1]);
arguments[0].value = arguments[1];
arguments[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
"""


def packs_in(home: Path) -> None:
    """Make none: a post becomes one."""


def pasted(page: Page, studio: AnyStudio, text: str = POST) -> None:
    """Open the page and paste a text, as somebody does."""
    opened(page, studio)
    page.tap("[data-key=paste-post]")
    page.script(PASTE, page.see("#pasted"), text)
    page.see(".post-text mark")


def said(page: Page, text: str) -> str:
    """What the page says of a sentence in the post."""
    marks = (each for each in page.every(".post-text mark") if text in each.text)
    return str(next((each.get_attribute("data-state") for each in marks), ""))


def decided(studio: AnyStudio, pack: str) -> dict[str, dict[str, str]]:
    text = studio.text(studio.home / "packs" / pack / "post.json")
    return dict(json.loads(text).get("sentences", {}))


def test_three_actions_lead_from_a_post_to_its_pdf(page: Page, studio: AnyStudio) -> None:
    pasted(page, studio)
    page.says("5 rows in 1 table", "main .lead")
    page.says("Nothing is left out.", "main .lead")
    assert [said(page, each) for each in ("You fall prone", "Woe 1", "Confused", "It stinks")] == [
        "does", "value", "ask", "words",
    ]  # fmt: skip
    page.tap("[data-key=print]")
    page.see("[data-file='the_hexed_finger-screen.pdf']")
    assert decided(studio, "the_hexed_finger") == {}


def test_a_sentence_is_accepted_changed_and_kept_by_the_keyboard_alone(page: Page, studio: AnyStudio) -> None:
    pasted(page, studio, POST.replace("Hexed Finger", "Second Finger"))
    pack = "the_second_finger"
    page.says("Nerves", ".post-head h2")
    page.drawn(".post-card img")
    page.one("body").send_keys("a")
    page.until(lambda: decided(studio, pack) == {"confused and disoriented": {"do": "accept"}}, "it is accepted")
    assert said(page, "Confused") == "does"
    page.one("body").send_keys("jw")
    page.tap("[data-key=previous]", says="Hex", at=".post-head h2")
    page.one("body").send_keys("c")
    page.see("#statement").send_keys("suffer smelly")
    page.says("How long is missing here", ".statement")
    page.see("#statement").send_keys(" for 3 days")
    page.says("It prints: Smelly for three days.", ".statement")
    page.tap("[data-key=use]")
    page.until(lambda: "it stinks & stings" in decided(studio, pack), "it is changed")
    page.says("Counts for 1 more sentence that says the same.", ".post-sentences")
    page.until(lambda: [said(page, each) for each in ("It stinks", "9 days")] == ["does", "words"], "both are shown")
    written = studio.home / "packs" / pack / "tables.yaml"
    page.until(lambda: "suffer smelly for 3 days" in studio.text(written), "and written")


def test_the_same_form_is_offered_the_same_reading(page: Page, studio: AnyStudio) -> None:
    pasted(page, studio, POST.replace("Hexed Finger", "Third Finger"))
    marks = [each for each in page.every(".post-text mark") if "smell for 2 days" in each.text]
    marks[0].click()
    page.says("Cut", ".post-head h2")
    page.tap("[data-key=change-1]")
    page.see("#statement").send_keys("penalty 1 to charisma for 2 days")
    page.tap("[data-key=use]", says="2 more say this with other numbers.", at=".offer")
    page.says("penalty 1 to charisma for 9 days", ".offer")
    page.tap("[data-key=offer]")
    rules = ["penalty 1 to charisma for 2 days", "penalty 1 to charisma for 5 days", "penalty 1 to charisma for 9 days"]
    page.until(lambda: [each["rule"] for each in decided(studio, "the_third_finger").values()] == rules, "all three")


def test_questions_are_asked_once_and_a_corrected_post_keeps_what_was_decided(
    page: Page, studio: AnyStudio, home: Path
) -> None:
    pasted(page, studio, POST.replace("Hexed Finger", "Fourth Finger"))
    pack = home / "packs" / "the_fourth_finger"
    page.tap("[data-key=words-0]")
    page.write("#post-author", "Ann\t")
    page.tap("[data-key=number-woe] option[value=no]")
    page.until(lambda: said(page, "Woe 2") == "words", "it is a word like others")
    page.write("#post-title", "Fingers\t", says="Fingers", at="h1")
    page.write("[data-key^='title-']", "Ten of them\t")
    page.until(lambda: "title: Ten of them" in studio.text(pack / "tables.yaml"), "the table has a name")
    assert "author: Ann" in studio.text(pack / "system.yaml")
    page.tap("[data-key=paste-again]")
    page.see("dialog #pasted").send_keys("7 | Burn | You are blinded for 1 day.")
    page.tap("dialog [type=submit]")
    page.until(lambda: said(page, "blinded for 1 day") == "does", "the new row is there")
    assert "confused and disoriented" in decided(studio, pack.name)
    opened(page, studio, "the_fourth_finger/post", says="Fingers")
    assert said(page, "Confused") == "words"


def sights(page: Page, studio: AnyStudio) -> Iterator[str]:
    pasted(page, studio, POST.replace("Hexed Finger", "Seen Finger"))
    page.drawn(".post-card img")
    yield "a post"
    page.tap("[data-key=change-0]")
    page.see("#statement").send_keys("\nfly away")
    page.says("no statement begins with fly", ".statement")
    yield "a statement with an error"
    page.tap("[data-key=paste-again]")
    yield "pasting it again"
    opened(page, studio, "post")
    yield "pasting"


@pytest.mark.parametrize(("size", "dark"), FORMS)
def test_it_fits_and_is_there_for_everyone(page: Page, studio: AnyStudio, size: tuple[int, int], dark: bool) -> None:
    check_sights(page, sights(page, studio), size, dark)

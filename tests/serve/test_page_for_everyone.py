"""The page for everyone: on a small phone, by night, with the keyboard alone, and as axe-core judges it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest
from browsing import DOWN, ENTER, FORMS, IN_A_BROWSER, RIGHT, SPACE, TAB, Page, begin, check_sights, draw, link
from helpers import fiftytwo
from served import Served, serving

pytestmark = IN_A_BROWSER


def sights(page: Page, party: Served) -> Iterator[str]:
    """Every sight that the page has, one after another: each is there while the name of it is given."""
    page.open(link(party), says="Bryn", at=".board")
    yield "the board"
    page.tap("[data-person=Bryn]", "[data-event=hit]", "[data-argument=amount][data-value='4']")
    page.says("to die from a hit for 4", ".board")
    yield "an event and its odds"
    page.tap("[data-key=go]", says="Which card was drawn?")
    yield "the pad"
    draw(page, "7C", "KH", "2S")
    page.says("Choose", ".question")
    yield "a choice, and what was answered before"
    page.tap("[data-option='2']", ".answer .in-full > summary", ".answer details.sentence summary")
    yield "a moment, in full with a reason"
    page.tap("[data-key=pile-Bryn]")
    page.see("dialog .card")
    yield "the faces of a pile"
    page.tap("dialog .dialog-head button", ".all > summary")
    page.see(".groups .chip")
    yield "everything else that may happen"
    page.tap(".all > summary", "[data-key=links]")
    page.see("dialog")
    page.tap("dialog .link details summary")
    yield "the players' links"
    page.tap("dialog .dialog-head button", "[data-key=deck]")
    page.see("dialog .pad")
    yield "the deck"
    page.tap("dialog .dialog-head button")
    party.told("hit cara 9 QH")
    page.says("Cara", ".answer")
    page.tap("[data-person=Cara]")
    begin(page, "heal")
    page.write("[data-key=field-amount]", "30\n", says="Die 1 of", at=".question")
    yield "dice"
    page.tap("[data-key=back]", "[data-key=undo]", says="Back into the deck: Q♥", at=".panel")
    yield "cards to put back"
    begin(page, "hit")
    page.tap("[data-key=go]")
    page.see(".error")
    yield "an error"
    page.tap("[data-key=close]", ".answer [data-key^=mend-]")
    page.tap("[data-key=take-out]")
    page.see("[data-key=keep]")
    yield "what a correction changes"
    page.tap("[data-key=leave]", "[data-key=rules]")
    page.tap(".rules details:nth-of-type(2) summary")
    yield "the rules"
    page.tap("dialog .dialog-head button")
    page.tap("[data-key=correct]", "fieldset[data-value=wounds] summary")
    yield "a form of corrections"
    page.tap("dialog .dialog-head button")
    yield from sights_of_a_player(page, party)
    yield from sights_of_the_end(page, party)


def sights_of_a_player(page: Page, party: Served) -> Iterator[str]:
    """What a player has."""
    assert party.gm.ask("/api/settings", {"events": ["hold", "release", "draw"]})[0] == 200
    page.open(link(party, "Bryn"), says="Bryn", at=".own")
    yield "a player"
    begin(page, "draw")
    page.tap("[data-key=go]", says="Which card was drawn?")
    yield "a player's pad"
    page.tap(".panel[aria-busy=false] .pad-card[data-card='9D']", says="Twisted spine", at=".answer .card")
    yield "a player's answer"


def sights_of_the_end(page: Page, party: Served) -> Iterator[str]:
    """What weighs most, and a page that is closed."""
    party.told("add Dan hp 1")
    page.open(link(party, "Dan"), says="Dan", at=".own")
    party.told("hit dan 30")
    page.see(".moment.grave")
    page.see("[data-key=last-words]")
    yield "a death, and last words"
    assert party.gm.ask("/api/renew", {"name": "Dan"})[0] == 200
    page.see(".closed")
    yield "a page that is closed"
    page.open(link(party))
    page.see(".moment.grave")
    yield "a death on the board"


@pytest.fixture
def fight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A fight in the 52 engine, in which somebody has the turn."""
    with serving(tmp_path_factory.mktemp("fight"), fiftytwo(), deck="virtual", seed=7) as served:
        for words in ("enter everybody", "initiative", "columns choose 1", "deal", "set Able casting done", "turn"):
            assert served.gm.do(*words.split())[0] == 200
        yield served


def sights_of_a_fight(page: Page, fight: Served) -> Iterator[str]:
    """The field, and a player's page beside it."""
    page.open(link(fight), says="turn", at=".tile.turn")
    yield "the field"
    page.tap(".lying")
    page.see(".lying[aria-pressed=true]")
    yield "a card on the field that was tapped"
    page.tap("[data-tap='deliver Able']")
    page.see("dialog .stepper")
    yield "whom a spell strikes"
    page.open(link(fight, "Alan"), says="Alan", at=".own")
    yield "a player in a fight"


@pytest.mark.parametrize(("size", "dark"), FORMS)
def test_every_sight_fits_can_be_hit_and_has_no_serious_fault(
    page: Page, party: Served, fight: Served, size: tuple[int, int], dark: bool
) -> None:
    check_sights(page, chain(sights(page, party), sights_of_a_fight(page, fight)), size, dark)


class Keyboard:
    """Somebody who has no mouse: keys go to what has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.page.driver, duration=0).send_keys(*keys).perform()

    def on(self) -> str:
        """What has the focus, as a screen reader would name it."""
        return str(
            self.page.script(
                "const node = document.activeElement;"
                "return (node.dataset.person || node.ariaLabel"
                " || (node.labels?.[0] ?? node).textContent || node.tagName).trim()"
            )
        )

    def tab_to(self, name: str) -> None:
        """Tab until something of that name has the focus; it has to be shown that it has."""
        for _ in range(60):
            self.press(TAB)
            if self.on() == name:
                outline = self.page.script("return getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", f"{name} does not show that it has the focus"
                return
        raise AssertionError(f"{name} is not reached with Tab")

    def go(self, *keys: str, to: str) -> None:
        """Go on with arrow keys, and be there."""
        self.press(*keys)
        assert self.on().startswith(to)


def test_a_hit_from_beginning_to_end_with_the_keyboard_alone(page: Page, party: Served) -> None:
    page.open(link(party), says="Bryn", at=".board")
    keys = Keyboard(page)
    keys.press(TAB)
    assert keys.on() == "To the table"
    keys.press(ENTER)
    keys.tab_to("Bryn")
    keys.press(ENTER)
    keys.tab_to("Hit")
    keys.press(ENTER)
    keys.tab_to("4")
    keys.press(SPACE)
    keys.tab_to("Hit Bryn for 4")
    keys.press(ENTER)
    for way, card in (
        ([RIGHT] * 6, "7♣ 7 of clubs"),
        ([DOWN] * 3 + [RIGHT] * 12, "K♥ king of hearts"),
        ([DOWN, RIGHT], "2♠ 2 of spades"),
    ):
        page.says("Which card was drawn")
        page.see(".panel[aria-busy=false]")
        keys.go(*way, to=card)
        keys.press(ENTER)
    page.says("Choose", ".question")
    page.see(".panel[aria-busy=false]")
    keys.go(RIGHT, to="2♠Ugly spill")
    keys.press(ENTER)
    page.says("Ugly spill", ".answer")
    assert page.focus("event") == "hit", "and it goes on from there"

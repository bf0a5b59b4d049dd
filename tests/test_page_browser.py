"""The page in a real browser: what a game master and a player see and tap. Left out where there is no Chromium."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from helpers import ROOT, copy_pack, fiftytwo, hackjack
from served import Served, serving
from test_serve import serve

from generator.model.rules import System
from generator.pack import content

pytest.importorskip("selenium", reason="selenium is not installed: the page is not tried in a browser")

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"),
    *("--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage"),
)
AXE = Path(os.environ.get("HACKJACK_AXE", ROOT / "node_modules" / "axe-core" / "axe.min.js"))
"""Where `npm install axe-core` puts the judge of accessibility."""
PATIENCE = 8.0
PHONE, TABLET, DESK = (320, 640), (768, 1024), (1280, 900)

pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver: the page is not tried in it"),
    pytest.mark.xdist_group("browser"),
    # Selenium's own sockets are closed when they are collected.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
Found = TypeVar("Found")


class Page:
    """A browser, used as a person uses it: it looks for what is shown and taps it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, url: str) -> None:
        """Open an address."""
        self.driver.get(url)

    def sized(self, size: tuple[int, int]) -> None:
        """Give the window a size in CSS pixels."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def at_night(self, dark: bool) -> None:
        """Let the device like it dark, or not."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def until(self, look: Callable[[], Found], what: str) -> Found:
        """Look again and again until something is there."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if found := look():
                    return found
            except (NoSuchElementException, StaleElementReferenceException):
                pass
            assert time.monotonic() < end, f"{what}; the page says: {self.driver.find_element('tag name', 'body').text}"
            time.sleep(0.03)

    def see(self, selector: str) -> WebElement:
        """What is shown by that selector."""
        found = self.until(lambda: self._shown(selector), f"{selector} is not there")
        assert found is not None
        return found

    def _shown(self, selector: str) -> WebElement | None:
        found: WebElement = self.driver.find_element("css selector", selector)
        return found if found.is_displayed() and found.is_enabled() else None

    def tap(self, selector: str) -> None:
        """Tap something."""

        def tapped() -> bool:
            node = self._shown(selector)
            if node is None:
                return False
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
            node.click()
            return True

        self.until(tapped, f"{selector} cannot be tapped")

    def write(self, selector: str, text: str) -> None:
        """Type into a field."""
        field = self.see(selector)
        field.clear()
        field.send_keys(text)

    def says(self, text: str, where: str = "body") -> None:
        """Wait until a text is shown."""
        self.until(lambda: text in self.driver.find_element("css selector", where).text, f'"{text}" is not in {where}')

    def script(self, code: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(code, *arguments)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for all tests of this file."""
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.set_page_load_timeout(20)
    yield Page(driver)
    driver.quit()


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """The browser with one window, at the size of a desk; at the end no script of the page has failed."""
    browser.sized(DESK)
    browser.at_night(False)
    yield browser
    logged: list[dict[str, str]] = browser.driver.get_log("browser")  # type: ignore[no-untyped-call]
    faults = [line for line in logged if "Failed to load resource" not in line["message"]]
    first, *others = browser.driver.window_handles
    for window in others:
        browser.driver.switch_to.window(window)
        browser.driver.close()
    browser.driver.switch_to.window(first)
    browser.open("about:blank")
    assert [line for line in faults if "ERR_CONNECTION" not in line["message"]] == []


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Served]:
    """Bryn, who is down, and Cara."""
    with serving(tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5"]) as served:
        assert served.gm.do("hit", "bryn", "9", "10C", "dice", "3")[0] == 200
        yield served


def link(served: Served, name: str = "") -> str:
    """The address of somebody's page."""
    return f"http://127.0.0.1:{served.port}/?key={served.links.key(name)}"


def hit(page: Page, who: str, amount: int) -> None:
    """Three taps and a fourth."""
    page.tap(f"[data-person='{who}']")
    page.tap("[data-event=hit]")
    page.tap(f"[data-argument=amount][data-value='{amount}']")
    page.tap("[data-key=go]")


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
    page.says("9 of diamonds", ".answer")
    page.driver.switch_to.window(player)
    page.says("9 Death-score", ".own")
    page.says("9 of diamonds", ".answer")
    page.driver.switch_to.window(master)
    page.tap("[data-key=undo]")
    page.says("Back into the deck: 9D", ".panel")
    page.driver.switch_to.window(player)
    page.says("5 HP", ".own")


def test_a_choice_among_two_cards_and_the_reason_on_a_tap(page: Page, party: Served) -> None:
    page.open(link(party))
    hit(page, "Bryn", 4)
    for card in ("7C", "KH", "2S"):
        page.tap(f".pad-card[data-card='{card}']")
    page.says("Choose", ".question")
    page.says("You fall prone until you stand up.", ".choice-card[data-option='2']")
    assert party.gm.state()["on"] == 4, "nothing is written while a question is open"
    page.tap("[data-option='2']")
    page.says("Chosen: Ugly spill (2 of spades).", ".answer")
    page.says("20 Death-score", ".board")
    page.tap(".answer details.sentence summary")
    page.says("H7:", ".answer")


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
    page.says("Meanwhile: draw Cara 2S. The question is asked again.", ".panel")
    page.until(
        lambda: page.driver.find_element("css selector", "[data-card='2S']").get_attribute("disabled"),
        "the card that went out meanwhile is grey",
    )
    page.tap(".pad-card[data-card='9D']")
    page.says("9 of diamonds", ".answer")


def test_the_keyboard_alone_is_enough(page: Page, party: Served) -> None:
    page.open(link(party))
    page.see("[data-person=Cara]").send_keys("\n")
    page.see("[data-event=hit]").send_keys("\n")
    page.write("[data-key=field-amount]", "2\n")
    page.says("A hit for 2; 3 HP are left.", ".answer")
    assert page.script("return document.activeElement.dataset.event") == "hit", "and it goes on from there"
    assert party.gm.state()["people"][1]["gauges"][0]["value"] == 3


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
    page.tap("[data-key=links]")
    page.says("Dan the Red leaves the table", "dialog")
    page.until(
        lambda: [node for node in page.driver.find_elements("css selector", "dialog button") if "Dan" in node.text],
        "somebody may leave",
    )[0].click()
    page.until(lambda: "Dan" not in page.driver.find_element("css selector", ".board").text, "Dan is gone")


def test_a_player_holds_and_takes_it_back(page: Page, party: Served) -> None:
    page.open(link(party, "Bryn"))
    page.tap("[data-event=hold]")
    page.says("holding", ".own")
    page.tap("[data-key=undo]")
    page.until(lambda: "holding" not in page.driver.find_element("css selector", ".own").text, "it is taken back")
    assert not page.driver.find_elements("css selector", "[data-event=hit]")


def test_texts_of_a_pack_are_texts(page: Page, tmp_path: Path) -> None:
    pack, name = copy_pack(tmp_path), "<img src=x onerror=alert(1)>"
    deck = (pack / "deck.yaml").read_text(encoding="utf-8")
    (pack / "deck.yaml").write_text(deck.replace("Red flood", f'"{name}"', 1), encoding="utf-8")
    with serving(tmp_path, content.load(pack).system, ["Bryn hp 1"]) as served:
        assert served.gm.do("hit", "bryn", "3", "10C", "dice", "2")[0] == 200
        page.open(link(served))
        page.says(name, ".answer .card")
        assert not page.driver.find_elements("css selector", "main img")


def test_the_page_finds_back_after_the_server_was_killed(page: Page, tmp_path: Path) -> None:
    server, gm = serve(tmp_path)
    try:
        assert gm.do("add", "Bryn", "hp", "7")[0] == 200
        page.open(f"http://127.0.0.1:{gm.port}/?key={gm.key}")
        page.says("7 HP", ".board")
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
        page.says("live", ".status")
        page.says("5 HP", ".board")
        assert gm.state()["on"] == 3, "it is done, and once"
    finally:
        server.terminate()
        server.communicate()


# --- every system ----------------------------------------------------------------------------------------------------


def system(name: str) -> System:
    """A system that ships, or an example of the guide."""
    folder = ROOT / "content" / name
    return content.load(folder if folder.is_dir() else ROOT / "docs" / "examples" / name).system


def event(page: Page, served: Served, name: str, **values: str) -> None:
    """An event with what it takes, by buttons where there are some, otherwise by fields; returns when it is done."""
    before = served.gm.state()["on"]
    takes = next(each for each in served.gm.ask("/api/game")[1]["events"] if each["name"] == name)["takes"]
    page.tap(f"[data-event='{name}']")
    for argument, value in values.items():
        page.see(f"[data-argument='{argument}'], [data-key='field-{argument}']")
        button = f"[data-argument='{argument}'][data-value='{value}']"
        if page.driver.find_elements("css selector", button):
            page.tap(button)
        else:
            page.write(f"[data-key='field-{argument}']", value)
    if [each for each in takes if each["kind"] != "file"]:
        page.tap("[data-key=go]")
    if name in ("columns", "moves"):
        return
    page.until(lambda: served.gm.state()["on"] > before, f"{name} is done")


def judged(page: Page) -> None:
    """What axe-core finds serious or critical is a fault; where it is not installed nothing is judged."""
    if AXE.is_file():
        page.script(AXE.read_text(encoding="utf-8"))
        found = page.driver.execute_async_script("axe.run(document).then(arguments[0])")
        grave = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
        assert [(each["id"], each["nodes"][0]["html"]) for each in grave] == []


@pytest.mark.parametrize(
    ("name", "joins", "first", "said", "then"),
    [
        ("hackjack", "Ada hp 2", ("hit", {"amount": "9"}), "Drawn:", "round"),
        ("glog", "Ada hp 9", ("hit", {"damage": "4"}), "4", "round"),
        ("deadlands", "Ada spirit d6", ("damage", {"dice": "2d6"}), "d6", "action"),
        ("criticals", "Ada hp 20", ("hit", {"damage": "3"}), "3", "round"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.islower() else "",
)
def test_a_round_of_each_system(
    page: Page, tmp_path: Path, name: str, joins: str, first: tuple[str, dict[str, str]], said: str, then: str
) -> None:
    with serving(tmp_path, system(name), [joins], deck="virtual", seed=5) as served:
        page.open(link(served))
        page.tap("[data-person=Ada]")
        event(page, served, first[0], **first[1])
        page.says(said, ".answer")
        event(page, served, then)
        page.says(then, ".answer h2")


def test_a_round_of_blackjack(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, system("jackrealms"), deck="virtual", seed=3) as served:
        page.open(link(served))
        event(page, served, "sit", who="Ada", amount="6")
        page.says("Ada", ".board")
        event(page, served, "scene", amount="4")
        event(page, served, "bet", who="Ada", amount="2")
        event(page, served, "deal")
        page.says("turn", ".tile.turn")
        event(page, served, "stand")
        event(page, served, "reveal")
        page.says("reveal", ".answer h2")


def test_a_turn_on_the_field(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
        page.open(link(served))
        event(page, served, "enter", who="everybody")
        page.says("Alan", ".board")
        event(page, served, "initiative")
        page.says("initiative", ".answer h2")
        event(page, served, "columns")
        page.tap("[data-option='3']")
        page.says("columns", ".answer h2")
        event(page, served, "deal")
        page.see(".table-cards")
        event(page, served, "turn")
        page.says("turn", ".tile.turn")
        judged(page)
        move = next(move for move in served.gm.state()["board"]["moves"] if move["opens"])
        page.tap("[data-place='{}.{}']".format(*move["places"][0]))
        page.tap(f"[data-tap='{' '.join(move['words'])}']")
        page.says("act " + " ".join(move["words"][1:]), ".answer h2")
        event(page, served, "moves")
        page.says("opens", ".answer pre")
        event(page, served, "end")


# --- for everyone ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def test_nothing_is_wider_than_the_window_and_targets_can_be_hit(
    page: Page, party: Served, size: tuple[int, int]
) -> None:
    page.sized(size)

    def fits() -> None:
        assert page.script("return document.documentElement.scrollWidth <= innerWidth"), (
            "it has to be scrolled sideways"
        )
        small = page.script(
            "const least = innerWidth > 959 ? 30 : 43.5;"
            "return [...document.querySelectorAll('button, summary, .tick, input:not([type=checkbox])')]"
            ".map(n => [n.getBoundingClientRect(), n.outerHTML.slice(0, 80)])"
            ".filter(([r]) => r.width && (r.height < 43.5 || r.width < least)).map(([, html]) => html)"
        )
        assert small == []

    page.open(link(party))
    page.says("Bryn", ".board")
    fits()
    hit(page, "Bryn", 4)
    page.says("Which card was drawn?")
    fits()
    page.tap(".pad-card[data-card='9H']")
    page.says("9 of hearts", ".answer")
    fits()
    page.tap("[data-key=links]")
    page.see("dialog")
    fits()
    page.open(link(party, "Bryn"))
    page.says("Bryn", ".own")
    fits()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (npm install axe-core): it judges nothing")
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_axe_finds_no_serious_fault(page: Page, party: Served, dark: bool) -> None:
    page.at_night(dark)

    page.open(link(party))
    page.says("Bryn", ".board")
    # The cards are dealt with a small movement: what is judged lies still.
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )
    judged(page)
    page.tap("[data-person=Bryn]")
    page.tap("[data-event=hit]")
    page.tap("[data-argument=amount][data-value='4']")
    page.says("to die of hit 4", ".board")
    judged(page)
    page.tap("[data-key=go]")
    page.says("Which card was drawn?")
    judged(page)
    for card in ("7C", "KH", "2S"):
        page.tap(f".pad-card[data-card='{card}']")
    page.says("Choose", ".question")
    judged(page)
    page.tap("[data-option='2']")
    page.says("Chosen", ".answer")
    judged(page)
    page.tap("[data-key=links]")
    page.see("dialog")
    judged(page)
    page.open(link(party, "Bryn"))
    page.says("Bryn", ".own")
    judged(page)

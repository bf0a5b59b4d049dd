"""A real browser for the tests of the page. What needs one is left out where there is no Chromium, and says so."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from helpers import ROOT
from served import Served

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"),
    *("--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage"),
)
PATIENCE = 150.0
PHONE, TABLET, DESK = (320, 640), (768, 1024), (1280, 900)
THUMB, WIDE = (390, 844), (1920, 1080)
TAB, ENTER, ESCAPE, CONTROL, SPACE = "\ue004", "\ue007", "\ue00c", "\ue009", "\ue00d"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"
FORMS = [
    pytest.param(PHONE, True, id="small phone by night"),
    pytest.param(THUMB, False, id="phone by day", marks=pytest.mark.weekly),
    pytest.param(DESK, True, id="desk by night", marks=pytest.mark.weekly),
    pytest.param(WIDE, False, id="wide by day", marks=pytest.mark.weekly),
]
"""Sizes and colours in which every sight is looked at; the first has all its faults but those of one layout alone."""

IN_A_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("selenium"), reason="selenium is not installed: the page is not tried in it"),
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver: the page is not tried in it"),
    pytest.mark.xdist_group("browser"),
    # Selenium's own sockets are closed when they are collected.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
"""The marks of every test that takes the `page` fixture: one worker runs them all, with one browser."""
NO_NPM = pytest.mark.skipif(not shutil.which("npm"), reason="no npm: the page is not built")
GLUED = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const block = (node) => { while (getComputedStyle(node).display === 'inline') node = node.parentElement; return node; };
const glued = [];
let last = null;
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const both = last && last.data.slice(-1) + node.data.slice(0, 1);
  if (both && /^[\\p{L}\\p{N}]{2}$/u.test(both) && block(last.parentElement) === block(node.parentElement))
    glued.push(last.data + '|' + node.data);
  if (node.data) last = node;
}
return glued;
"""
"""Text nodes of one block that touch, each with a letter or a figure there."""
SIZES = {
    "has to be scrolled sideways": "return document.documentElement.scrollWidth > innerWidth",
    "cuts the title off": "const t = document.querySelector('.title'); return t && t.scrollWidth > t.clientWidth",
    "has targets of less than 44 px": (
        "return [...document.querySelectorAll('button, summary, label, input:not([type=checkbox], [type=radio])')]"
        ".map((node) => [node.getBoundingClientRect(), node])"
        ".filter(([{ width, height }]) => width && (height < 43.9 || width < 43.9))"
        ".map(([{ width, height }, node]) => `${width} x ${height}: ${node.outerHTML.slice(0, 100)}`)"
    ),
    "has words that are read aloud as one": GLUED,
}
"""What is wrong with a sight: for each fault a script that finds it."""
AXE = Path(os.environ.get("HACKJACK_AXE", ROOT / "node_modules" / "axe-core" / "axe.min.js"))
"""Where `.ci/browser` puts the judge of accessibility."""
JUDGED = """
const [rules, done] = arguments;
// axe-core does not know of the top layer: to it, what scrolls behind a dialog may lie above that.
document.querySelector("dialog:modal")?.style.setProperty("z-index", 99);
const some = rules.length ? {runOnly: rules} : {};
axe.run(document, {resultTypes: ["violations"], selectors: false, iframes: false, preload: false, ...some}).then(done);
"""
Found = TypeVar("Found")


class Page:
    """A browser, used as a person uses it: it looks for what is shown and taps it."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, url: str, *, says: str = "", at: str = "body") -> None:
        """Open an address."""
        self.driver.get(url)
        self.says(says, at)

    def tab(self, url: str, *, says: str = "", at: str = "body") -> None:
        """Open an address in another tab."""
        self.driver.switch_to.new_window("tab")
        self.open(url, says=says, at=at)

    def to_tab(self, number: int) -> None:
        """Go to one of the tabs, from 0."""
        self.until(lambda: len(self.driver.window_handles) > number, f"there is no tab {number}")
        self.driver.switch_to.window(self.driver.window_handles[number])

    def one(self, selector: str) -> WebElement:
        """What is there, shown or not."""
        return self.driver.find_element("css selector", selector)

    def every(self, selector: str) -> list[WebElement]:
        """All there is of these, shown or not."""
        return self.driver.find_elements("css selector", selector)

    def sized(self, size: tuple[int, int]) -> None:
        """Give the window a size in CSS pixels."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def at_night(self, dark: bool) -> None:
        """Let the device like it dark, or not; and still, for what moves can neither be judged nor tapped."""
        likes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in likes.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def until(self, look: Callable[[], Found], what: str) -> Found:
        """Look again and again until something is there."""
        from selenium.common.exceptions import (
            ElementClickInterceptedException,
            NoSuchElementException,
            StaleElementReferenceException,
        )

        end, pause = time.monotonic() + PATIENCE, 0.02
        while True:
            try:
                if found := look():
                    return found
            except (NoSuchElementException, StaleElementReferenceException, ElementClickInterceptedException):
                # It is still on its way.
                pass
            assert time.monotonic() < end, f"{what}; the page says: {self.one('body').text}"
            time.sleep(pause)
            pause = min(1.3 * pause, 0.25)

    def see(self, selector: str) -> WebElement:
        """What is shown by that selector."""
        found = self.until(lambda: self._shown(selector), f"{selector} is not there")
        assert found is not None
        return found

    def _shown(self, selector: str) -> WebElement | None:
        found = self.one(selector)
        return found if found.is_displayed() and found.is_enabled() else None

    def tap(self, *selectors: str, says: str = "", at: str = "body") -> None:
        """Tap things, one after another, until a text is shown."""

        def tapped(selector: str) -> bool:
            node = self._shown(selector)
            if node is None:
                return False
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
            node.click()
            return True

        for selector in selectors:
            self.until(partial(tapped, selector), f"{selector} cannot be tapped")
        self.says(says, at)

    def write(self, selector: str, text: str, *, says: str = "", at: str = "body") -> None:
        """Type into a field."""

        def written() -> bool:
            field = self._shown(selector)
            if field is None:
                return False
            field.clear()
            field.send_keys(text)
            return True

        self.until(written, f"nothing can be written into {selector}")
        self.says(says, at)

    def says(self, text: str, where: str = "body") -> None:
        """Wait until a text is shown."""
        if text:
            self.until(lambda: text in self.one(where).text, f'"{text}" is not in {where}')

    def lacks(self, text: str, where: str = "body") -> None:
        """Wait until a text is shown no longer."""
        self.until(lambda: text not in self.one(where).text, f'"{text}" is still in {where}')

    def drawn(self, selector: str) -> None:
        """Wait until a picture is there."""
        self.until(lambda: self.one(selector).get_property("naturalWidth"), f"{selector} is not drawn")

    def focus(self, key: str = "key") -> Any:
        """What the one thing that has the focus says of itself."""
        return self.script("return document.activeElement.dataset[arguments[0]]", key)

    def script(self, code: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(code, *arguments)


@contextmanager
def browsing(profile: Path) -> Iterator[Page]:
    """A browser without a window, its profile in an empty folder."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    try:
        driver.set_page_load_timeout(PATIENCE)
        driver.set_script_timeout(PATIENCE)
        yield Page(driver)
    finally:
        driver.quit()


@contextmanager
def one_window(page: Page) -> Iterator[Page]:
    """The browser at the size of a desk, by day; at the end one empty window is left, and no script has failed."""
    page.sized(DESK)
    page.at_night(False)
    yield page
    logged: list[dict[str, str]] = page.driver.get_log("browser")  # type: ignore[no-untyped-call]
    faults = [line for line in logged if "Failed to load resource" not in line["message"]]
    first, *others = page.driver.window_handles
    for window in others:
        page.driver.switch_to.window(window)
        page.driver.close()
    page.driver.switch_to.window(first)
    page.open("about:blank")
    faults = [line for line in faults if "ERR_CONNECTION" not in line["message"]]
    assert faults == [], faults


def none_left(look: Callable[[], object], fault: str) -> None:
    """Look until nothing is found: on a busy machine a page may still be on its way. What stays is a fault."""
    end = time.monotonic() + PATIENCE / 5
    while (found := look()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not found, f"{fault}: {found}"


def check_size(page: Page, sight: str) -> None:
    """Nothing is wider than the window, and every target can be hit with a finger."""
    for fault, script in SIZES.items():
        none_left(partial(page.script, script), f"{sight} {fault}")


def check_with_axe(page: Page, sight: str, *rules: str) -> None:
    """axe-core finds no serious or critical fault in what is shown: by all its rules, or by those that are named."""
    if not page.script("return !!window.axe"):
        page.script(AXE.read_text(encoding="utf-8"))

    def grave() -> list[tuple[str, str]]:
        found = page.driver.execute_async_script(JUDGED, rules)
        assert len(found["passes"]) > (0 if rules else 10), "axe-core has looked"
        faults = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
        return [(each["id"], each["nodes"][0]["html"]) for each in faults]

    none_left(grave, sight)


def check_sights(page: Page, sights: Iterable[str], size: tuple[int, int], dark: bool) -> None:
    """Each sight as it comes, in that form: sizes, all of axe-core's rules; besides, wider, with the other colours."""
    page.sized(size)
    page.at_night(dark)
    for sight in sights:
        check_size(page, sight)
        if AXE.is_file():
            check_with_axe(page, sight)
        for wider in (TABLET, DESK):
            page.sized(wider)
            check_size(page, f"{sight} at {wider[0]} px")
        if AXE.is_file():
            page.at_night(not dark)
            check_with_axe(page, f"{sight} in the other light", "color-contrast")
            page.at_night(dark)
        page.sized(size)


def shown(page: Page, selector: str) -> list[str]:
    """The texts of what is shown by a selector."""
    return [node.text.replace("\n", " ") for node in page.every(selector) if node.is_displayed()]


def link(served: Served, name: str = "") -> str:
    """The address of somebody's page."""
    return f"http://127.0.0.1:{served.port}/?key={served.links.key(name)}"


def begin(page: Page, event: str) -> None:
    """Begin an event: from what is likely, or from everything else, which lies folded."""
    chip = f"[data-event='{event}']:not([data-words])"
    page.until(lambda: page.every(chip), f"{event} is not offered")
    if not page.one(chip).is_displayed():
        page.tap("details.all:not([open]) > summary")
    page.tap(chip)


def hit(page: Page, who: str, amount: int) -> None:
    """Three taps and a fourth."""
    page.tap(f"[data-person='{who}']")
    begin(page, "hit")
    page.tap(f"[data-argument=amount][data-value='{amount}']")
    page.tap("[data-key=go]")


def draw(page: Page, *cards: str) -> None:
    """Tap the cards that were drawn, one after another, each when it is asked for."""
    for card in cards:
        page.tap(f".panel[aria-busy=false] .pad-card[data-card='{card}']")

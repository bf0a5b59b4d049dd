"""The pictures of the page at the table and of the studio: `python docs/make_page_pictures.py` takes them in a browser.

It needs Chromium and its driver, and Selenium; see `.ci/browser`.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageDraw
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PICTURES = Path(__file__).parent / "pictures"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars")
EVENING = (
    ("add", "Bryn", "hp", "7"),
    ("add", "Cara", "hp", "5"),
    ("add", "Dagny", "hp", "11"),
    ("hit", "bryn", "9", "10C", "dice", "3"),
    ("hit", "cara", "6", "9H"),
    ("hold", "bryn"),
)
"""What has happened before the picture is taken."""
ROWS = (
    "3D 2S 9C 4H 7D 10S KC / 6C 7C 7H JS 5D 10D 2C / QS 2H 8S 10H 5C AC AD"
    " / 9H 6S 4D JC 8C KD 3H / 4S 9D QH 3C 6H JD 5S"
)
FIGHT = (
    ("enter", "everybody"),
    ("initiative", "dice", "6", "10", "4", "8", "5", "8", "5", "7", "7"),
    ("lay", *ROWS.split()),
    ("turn",),
)
"""The same for the field of the 52 engine."""
DESK, PHONE = (1280, 800), (360, 740)
PATIENCE = 10.0
CLOTH = (54, 74, 66)


@contextmanager
def served(home: str, system: str, campaign: str, evening: Sequence[Sequence[str]]) -> Iterator[str]:
    """The game master's link to a party in the middle of a fight."""
    environment = {**os.environ, "HACKJACK_HOME": home}
    program = [sys.executable, "-m", "generator"]
    of = [system, "--campaign", campaign]
    for words in evening:
        subprocess.run([*program, "play", *of, *words], env=environment, check=True, stdout=subprocess.DEVNULL)
    with subprocess.Popen([*program, "serve", *of], env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@contextmanager
def browser(size: tuple[int, int], *, dark: bool) -> Iterator[webdriver.Chrome]:
    """A window of that size in CSS pixels, drawn at twice the size."""
    options = webdriver.ChromeOptions()
    with tempfile.TemporaryDirectory() as folder:
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        options.binary_location = shutil.which("chromium") or "chromium"
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 2, "mobile": size[0] < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        likes = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": likes})
        try:
            yield driver
        finally:
            driver.quit()


def tap(driver: webdriver.Chrome, selector: str) -> None:
    """Tap what is there, or will be soon."""
    end = time.monotonic() + PATIENCE
    while not driver.find_elements("css selector", selector):
        assert time.monotonic() < end, f"{selector} is not there"
        time.sleep(0.05)
    node = driver.find_element("css selector", selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
    node.click()
    time.sleep(0.4)


def shown(driver: webdriver.Chrome) -> Image.Image:
    """What the window shows."""
    time.sleep(0.6)
    return Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")


def rounded(picture: Image.Image, radius: int) -> Image.Image:
    """A picture with rounded corners."""
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, *picture.size), radius, fill=255)
    found = picture.convert("RGBA")
    found.putalpha(mask)
    return found


def player_link(driver: webdriver.Chrome) -> str:
    """The first player's link, read where the game master finds it."""
    tap(driver, "[data-key=links]")
    return driver.find_element("css selector", ".link input").get_attribute("value") or ""


def phone(link: str) -> Image.Image:
    """A player's page on a phone, by night."""
    with browser(PHONE, dark=True) as driver:
        driver.get(link)
        tap(driver, ".own h2")
        driver.execute_script("scrollTo(0, 0)")
        return shown(driver)


def laid_out(desk: Image.Image, phone: Image.Image, name: str) -> None:
    """Lay both screens on a table, and keep the picture."""
    desk = desk.resize((1280, 800), Image.Resampling.LANCZOS)
    phone = phone.resize((317, 652), Image.Resampling.LANCZOS)
    table = Image.new("RGB", (1720, 880), CLOTH)
    for picture, place, radius in ((desk, (40, 40), 14), (phone, (1362, 188), 26)):
        table.paste(rounded(picture, radius), place, rounded(picture, radius))
    table.quantize(256, method=Image.Quantize.MAXCOVERAGE).save(PICTURES / name, optimize=True)


def table() -> None:
    """The table after a hit, and the phone of the one who was struck."""
    with tempfile.TemporaryDirectory() as home, served(home, "hackjack", "red-keep", EVENING) as link:
        with browser(DESK, dark=False) as driver:
            driver.get(link)
            for selector in ("[data-person=Bryn]", "[data-event=hit]", "[data-argument=amount][data-value='4']"):
                tap(driver, selector)
            tap(driver, "[data-key=go]")
            for card in ("7C", "KH", "2S"):
                tap(driver, f".pad-card[data-card='{card}']")
            tap(driver, "[data-option='2']")
            time.sleep(1)
            desk = shown(driver)
            player = player_link(driver)
        laid_out(desk, phone(player), "page.png")


def field() -> None:
    """A card on the field that was tapped."""
    with tempfile.TemporaryDirectory() as home, served(home, "fiftytwo", "barrow", FIGHT) as link:
        with browser(DESK, dark=False) as driver:
            driver.get(link)
            tap(driver, "[data-place='1.3']")
            desk = shown(driver)
            player = player_link(driver)
        laid_out(desk, phone(player), "page-field.png")


def studio() -> None:
    """The print desk, with a deck in another theme, and a screen composed of blocks of two systems."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HACKJACK_HOME": home}
        command = [sys.executable, "-m", "generator", "studio", "--no-open"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                with browser(DESK, dark=False) as driver:
                    driver.get(server.stdout.readline().strip())
                    tap(driver, "[data-key=open-hackjack]")
                    tap(driver, "[data-key=print-deck]")
                    tap(driver, ".themes label:has([value=parchment])")
                    time.sleep(4)
                    driver.execute_script("scrollTo(0, 0)")
                    _kept(driver, "studio.png")
                    driver.execute_script("location.hash = 'compose'")
                    for block in ("glog] [data-key$='What they mean'", "hackjack] [data-key$='tables-null-recovery'"):
                        tap(driver, f"[data-from={block.partition(']')[0]}] summary")
                        tap(driver, f"[data-from={block}]")
                    while not driver.execute_script(
                        "return document.querySelector('.paper:not(.stale)')?.dataset.shown"
                    ):
                        time.sleep(0.2)
                    driver.execute_script("document.querySelector('.chooser').scrollTo(0, 0); scrollTo(0, 0)")
                    _kept(driver, "compose.png")
            finally:
                server.terminate()


def _kept(driver: webdriver.Chrome, name: str) -> None:
    picture = shown(driver).resize((1280, 800), Image.Resampling.LANCZOS)
    picture.quantize(256, method=Image.Quantize.MAXCOVERAGE).save(PICTURES / name, optimize=True)


def main() -> None:
    """Take all pictures."""
    table()
    field()
    studio()


if __name__ == "__main__":
    main()

"""The picture of the page at the table, taken in a real browser: `python docs/make_page_pictures.py`.

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
from collections.abc import Iterator
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
DESK, PHONE = (1280, 800), (360, 740)
PATIENCE = 10.0
CLOTH = (54, 74, 66)


@contextmanager
def served(home: str) -> Iterator[str]:
    """The game master's link to a party in the middle of a fight."""
    environment = {**os.environ, "HACKJACK_HOME": home}
    program = [sys.executable, "-m", "generator"]
    for words in EVENING:
        subprocess.run(
            [*program, "play", "--campaign", "red-keep", *words], env=environment, check=True, stdout=subprocess.DEVNULL
        )
    with subprocess.Popen(
        [*program, "serve", "--campaign", "red-keep"], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
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


def main() -> None:
    """Take both pictures and lay them beside each other."""
    with tempfile.TemporaryDirectory() as home, served(home) as link:
        with browser(DESK, dark=False) as driver:
            driver.get(link)
            for selector in ("[data-person=Bryn]", "[data-event=hit]", "[data-argument=amount][data-value='4']"):
                tap(driver, selector)
            tap(driver, "[data-key=go]")
            for card in ("7C", "KH", "2S"):
                tap(driver, f".pad-card[data-card='{card}']")
            desk = shown(driver)
            tap(driver, "[data-option='2']")
            tap(driver, "[data-key=links]")
            player = driver.find_element("css selector", ".link input").get_attribute("value") or ""
        with browser(PHONE, dark=True) as driver:
            driver.get(player)
            tap(driver, ".own")
            driver.execute_script("scrollTo(0, 0)")
            phone = shown(driver)
    desk = desk.resize((1280, 800), Image.Resampling.LANCZOS)
    phone = phone.resize((317, 652), Image.Resampling.LANCZOS)
    table = Image.new("RGB", (1720, 880), CLOTH)
    for picture, place, radius in ((desk, (40, 40), 14), (phone, (1362, 188), 26)):
        table.paste(rounded(picture, radius), place, rounded(picture, radius))
    table.quantize(256, method=Image.Quantize.MAXCOVERAGE).save(PICTURES / "page.png", optimize=True)


if __name__ == "__main__":
    main()

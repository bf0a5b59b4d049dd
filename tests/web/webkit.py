"""Open the page in WebKit, begin a pack, load the page again, and print: webkit.py LINK MINIBROWSER."""

import sys

from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

SHOWN = "return document.querySelector('#main').innerText.includes(arguments[0])"
BEGUN = """
const input = document.querySelector('#pack');
input.value = 'Mine';
for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, { bubbles: true }));
document.querySelector('form.begin button[type=submit]').click();
"""
PRINTED = "return document.querySelector('.paper:not(.stale) figure img')?.naturalWidth > 100"
FETCHED = """
fetch(document.querySelector(".margin a[data-file$='.pdf']").href)
  .then((answer) => answer.text()).then((text) => arguments[0](text.slice(0, 5)));
"""


def main(link: str, browser: str) -> str:
    """Return how the PDF begins."""
    options = Options()
    options.binary_location = browser
    options.add_argument("--automation")
    options.set_capability("browserName", "MiniBrowser")
    driver = WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver"))
    until = WebDriverWait(driver, 300).until
    try:
        driver.set_script_timeout(120)
        driver.get(link)
        until(lambda it: it.execute_script(SHOWN, "Jackrealms"))
        driver.execute_script("location.hash = 'start/glog'")
        until(lambda it: it.find_elements(By.CSS_SELECTOR, "#pack"))
        driver.execute_script(BEGUN)
        until(lambda it: "#mine/" in it.current_url)
        driver.refresh()
        driver.execute_script("location.hash = ''")
        until(lambda it: it.execute_script(SHOWN, "Mine"))
        driver.execute_script("location.hash = 'mine/print/sheet'")
        until(lambda it: it.execute_script(PRINTED))
        return str(driver.execute_async_script(FETCHED))
    finally:
        driver.quit()


if __name__ == "__main__":
    print(main(*sys.argv[1:]))

"""The page without an installation: built once, then opened as a file and from a host, in a folder of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browsing import IN_A_BROWSER, Page
from helpers import ROOT, run

pytestmark = [*IN_A_BROWSER, pytest.mark.skipif(not shutil.which("npm"), reason="no npm: the page is not built")]


class Host(SimpleHTTPRequestHandler):
    """Any host: it knows nothing of us."""

    def log_message(self, format: str, *given: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    subprocess.run([sys.executable, "web/build.py", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(params=["file", "host"])
def link(request: pytest.FixtureRequest, built: Path) -> Iterator[str]:
    if request.param == "file":
        yield (built / "hackjack.html").as_uri()
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(built))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/web/"
        host.shutdown()


def printed_pdf(folder: Path) -> Path:
    """A PDF under a house rule."""
    wish = ("hackjack", "box", "--set", "limit=19", "--ink", "saver", "-q")
    assert run("print", *wish, "-o", folder / "shared").code == 0
    return folder / "shared" / "hackjack-box.pdf"


def test_the_page_prints_what_the_program_prints_and_keeps_what_is_written(
    page: Page, link: str, tmp_path: Path
) -> None:
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.open(link, says="The shelf", at="#main")
    page.open(f"{link}#hackjack/print/deck")
    page.drawn(".paper:not(.stale) figure img")
    page.tap(".margin a[data-file$='.pdf']")
    made = tmp_path / "hackjack-deck.pdf"
    page.until(made.exists, "nothing was downloaded")
    assert run("print", "hackjack", "deck", "-o", tmp_path / "native").code == 0
    assert made.read_bytes() == (tmp_path / "native" / "hackjack-deck.pdf").read_bytes()
    # What it printed carries its pack, and is opened as it was.
    page.open(f"{link}#", says="The shelf", at="#main")
    page.one("[data-upload=pdf]").send_keys(str(printed_pdf(tmp_path)))
    page.until(lambda: page.driver.current_url.endswith("#hackjack/print/box/rules"), "the PDF is not opened")
    page.says("limit: 19", "#main")
    page.tap("#licences summary", says="MPL-2.0", at="#licences")
    page.open(f"{link}#start/glog")
    page.write("#pack", "Mine")
    page.tap("form.begin button[type=submit]", says="Mine")
    page.until(lambda: "#mine/" in page.driver.current_url, "the pack is not begun")
    page.driver.refresh()
    page.open(f"{link}#", says="Mine", at="#main")

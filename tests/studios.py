"""The studio that a browser's test uses: the program that serves it, or the page that is built of it."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import pytest
from browsing import Page
from pypdf import PdfReader
from served import Device, studying

from generator.studio import processes
from generator.studio.app import Studio

FETCHED = """
const [address, body, done] = arguments;
const headers = { authorization: `Bearer ${sessionStorage.getItem("hackjack-key")}` };
const more = body === null ? { headers } : { method: "POST", headers, body: Uint8Array.fromBase64(body) };
fetch(address, more).then((answer) => answer.arrayBuffer()).then((raw) => done(new Uint8Array(raw).toBase64()));
"""


def fetched(page: Page, address: str, body: bytes | None = None) -> bytes:
    """What the page gets when it fetches an address."""
    sent = None if body is None else base64.b64encode(body).decode()
    return base64.b64decode(page.driver.execute_async_script(FETCHED, address, sent))


def pdf_text(page: Page) -> str:
    """The text of the PDF that the page offers."""
    address = page.see(".margin a[data-file$='.pdf']").get_attribute("href")
    assert address
    return "\n".join(each.extract_text() for each in PdfReader(io.BytesIO(fetched(page, address))).pages)


def opened(page: Page, studio: AnyStudio, at: str = "", *, says: str = "") -> None:
    """Open the studio by its link, then go to one of its pages, which says something."""
    page.open(studio.link)
    page.until(lambda: page.script("return document.querySelector('main').dataset.painted === ''"), "no shelf")
    if at:
        page.script("location.hash = arguments[0]", at)
        page.until(lambda: page.script("return document.querySelector('main').dataset.painted") == f"#{at}", at)
    page.says(says, "main")


@dataclass
class AnyStudio:
    """A studio in a browser, and the folder with what is written in it."""

    home: Path
    link: str

    def text(self, file: Path) -> str:
        """What a file in the folder says now."""
        self.save()
        return file.read_text(encoding="utf-8")

    def write(self, file: Path, text: str) -> None:
        """Change a file from outside."""
        file.write_text(text, encoding="utf-8")

    def save(self) -> None:
        """Let the folder have what was written."""


@dataclass
class Program(AnyStudio):
    """The studio that the program serves, with its processes."""

    device: Device
    inside: Studio


@dataclass
class WebPage(AnyStudio):
    """The page, with the browser that it is open in."""

    page: Page

    def save(self) -> None:
        """Let the folder have what was written."""
        with ZipFile(io.BytesIO(fetched(self.page, "api/saved"))) as archive:
            archive.extractall(self.home)

    def write(self, file: Path, text: str) -> None:
        """Change a file from outside: its pack is opened from a saved file."""
        self.save()
        super().write(file, text)
        fetched(self.page, "api/opened?replace=yes", zipped(self.home, file.parent.name))


def zipped(home: Path, pack: str = "*") -> bytes:
    """Packs of a folder as the page saves them."""
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for path in (home / "packs").glob(f"{pack}/**/*.*"):
            archive.write(path, path.relative_to(home).as_posix())
    return stream.getvalue()


@contextmanager
def program(home: Path) -> Iterator[Program]:
    """The program's studio with the packs of a folder."""
    with pytest.MonkeyPatch.context() as patch, studying() as (studio, device):
        # A helper that makes room forgets how a pack looked before its error.
        patch.setattr(processes, "MAX_MEMORY", 1 << 40)
        yield Program(home, f"http://127.0.0.1:{device.port}/?key={device.key}", device, studio)


@contextmanager
def web_page(home: Path, page: Page, built: Path) -> Iterator[WebPage]:
    """The page with the packs of a folder."""
    with hosted(built) as link:
        studio = WebPage(home, link, page)
        opened(page, studio)
        if (home / "packs").exists():
            assert b'"opened"' in fetched(page, "api/opened", zipped(home))
        page.open("about:blank")
        yield studio
        opened(page, studio)
        forget(page)


class Host(SimpleHTTPRequestHandler):
    """Any host: it knows nothing of us."""

    def log_message(self, format: str, *given: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(built: Path) -> Iterator[str]:
    """The address of the page in a folder of some host."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(built))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/web/"
        host.shutdown()


def forget(page: Page) -> None:
    """Let the browser clear what it keeps for the page, which waits until the page is left."""
    page.script("indexedDB.deleteDatabase('/home/web'); localStorage.clear(); sessionStorage.clear()")
    page.open("about:blank")

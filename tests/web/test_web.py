"""The page without an installation: built once, then opened as a file and from a host, in a folder of it."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from browsing import AXE, IN_A_BROWSER, NO_NPM, PHONE, THUMB, Page, check_size, check_with_axe
from helpers import ROOT, copy_pack, pictures, run
from PIL import Image, ImageChops, ImageStat
from studios import forget, hosted

from generator.studio.shelf import Shelf

pytestmark = [*IN_A_BROWSER, NO_NPM]


@pytest.fixture(params=["file", "host"])
def link(request: pytest.FixtureRequest, built: Path) -> Iterator[str]:
    """The address of the page, opened as a file or from a host."""
    if request.param == "file":
        yield (built / "hackjack.html").as_uri()
        return
    with hosted(built) as address:
        yield address


def opened_as(usual: str) -> pytest.MarkDecorator:
    """Open the page in one of these ways; weekly in the other, too."""
    (other,) = {"file", "host"} - {usual}
    return pytest.mark.parametrize("link", [usual, pytest.param(other, marks=pytest.mark.weekly)], indirect=True)


def printed_pdf(folder: Path) -> Path:
    """A PDF under a house rule."""
    wish = ("hackjack", "box", "--set", "limit=19", "--ink", "saver", "-q")
    assert run("print", *wish, "-o", folder / "shared").code == 0
    return folder / "shared" / "hackjack-box.pdf"


@opened_as("file")
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
    forget(page)


def begin_pack(page: Page, link: str, name: str) -> None:
    page.open(f"{link}#start/glog")
    page.write("#pack", name)
    page.tap("form.begin button[type=submit]")
    page.until(lambda: f"#{name.lower()}/" in page.driver.current_url, "the pack is not begun")


def downloads(page: Page, folder: Path) -> None:
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})


@opened_as("host")
def test_packs_and_campaigns_are_saved_to_a_file_and_opened_from_it(page: Page, link: str, tmp_path: Path) -> None:
    downloads(page, tmp_path)
    page.open(link, says="The shelf", at="#main")
    begin_pack(page, link, "Mine")
    page.says("in no file yet", "#safe")
    page.tap("#save-all", says="Saved.", at="#safe")
    page.lacks("in no file yet", "#safe")
    saved = page.until(lambda: next(iter(tmp_path.glob("*.zip")), None), "nothing was saved")
    assert saved
    with ZipFile(saved) as archive:
        assert "packs/mine/system.yaml" in archive.namelist()
    # Another browser, or a store that was cleared, has it from the file.
    forget(page)
    page.open(f"{link}#", says="Death and", at="#main")
    page.lacks("Mine", "#main")
    page.one("#saved-file").send_keys(str(saved))
    page.says("Opened: mine.", "#safe")
    page.says("Mine", "#main")
    # Ten changes without a file are a notice; what is no such file is refused in words.
    page.script("localStorage.setItem('hackjack-unsaved', '9')")
    begin_pack(page, link, "Other")
    page.see("#safe.notice")
    other = tmp_path / "other.zip"
    with ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "Dear")
    page.one("#saved-file").send_keys(str(other))
    page.says("neither packs nor campaigns", "#safe")
    forget(page)


@opened_as("host")
def test_another_tab_writes_nothing_and_a_full_store_loses_nothing(page: Page, link: str, tmp_path: Path) -> None:
    page.open(link, says="The shelf", at="#main")
    page.tab(link, says="another tab", at="#safe")
    page.open(f"{link}#start/glog")
    page.write("#pack", "Second")
    page.tap("form.begin button[type=submit]", says="another tab", at="form.begin")
    page.driver.close()
    page.to_tab(0)
    if link.startswith("file"):  # A browser has no quota for files that a test could make small.
        return
    downloads(page, tmp_path)
    origin = page.script("return location.origin")
    page.driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1000})
    begin_pack(page, link, "Large")
    page.says("store of this browser is full. Nothing is lost while this page is open", "#safe")
    page.tap("#save-all", says="Saved.", at="#safe")
    saved = page.until(lambda: next(iter(tmp_path.glob("*.zip")), None), "nothing was saved")
    assert saved
    with ZipFile(saved) as archive:
        assert "packs/large/system.yaml" in archive.namelist()
    page.driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": origin})
    begin_pack(page, link, "Small")
    page.lacks("is full", "#safe")


LINES = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80">
<linearGradient id="f"><stop offset=".1" stop-color="teal"/><stop offset="1" stop-color="#f80"/></linearGradient>
<circle cx="50" cy="40" r="39.3" fill="url('#f')"/><path d="M20 60L50 3L77 60z" fill="#402" opacity=".7"/>
</svg>"""
ONE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 100"><path d="M9 93L41 3L77 60z" fill="#402"/></svg>'


def with_art(folder: Path, name: str, art: tuple[str, str], **files: bytes) -> Path:
    """A pack with pictures on two cards and the back."""
    made = copy_pack(folder).rename(folder / "packs" / name)
    (made / "art").mkdir()
    for each, data in files.items():
        (made / "art" / each.replace("_", ".")).write_bytes(data)
    deck = (made / "deck.yaml").read_text(encoding="utf-8")
    for code, file in zip(("8H", "9H"), art, strict=True):
        deck, found = re.subn(
            rf"(  - code: {code}\n    name: .*\n)(    emblem: .*\n)?", rf"\1    {file.replace(':', ': ')}\n", deck
        )
        assert found == 1
    (made / "deck.yaml").write_text(deck, encoding="utf-8")
    head = (made / "system.yaml").read_text(encoding="utf-8").replace("id: hackjack\n", f"id: {name}\n")
    (made / "system.yaml").write_text(head, encoding="utf-8")
    return made


def sideways(side: int) -> bytes:
    """A photo of red over blue that was taken with the camera turned."""
    photo, exif, stream = Image.new("RGB", (side, side * 2), "blue"), Image.Exif(), io.BytesIO()
    photo.paste("red", (0, 0, side, side))
    exif[0x0112] = 6
    photo.rotate(90, expand=True).save(stream, "JPEG", exif=exif, quality=95)
    return stream.getvalue()


FAULTS = """
fetch('api/spine?of=stray').then((answer) => answer.json()).then((told) => arguments[0](told.faults));
"""
UPLOADED = """
const [data, done] = arguments;
const asked = async (path, more) => (await fetch(path, more)).json();
(async () => {
  const { seen } = await asked('api/grid?of=photos&part=deck');
  const cells = [{ row: 0, path: ['art'], value: 'a.png' }];
  const change = JSON.stringify({ pack: 'photos', part: 'deck', seen, change: { do: 'cells', cells } });
  done(await asked('api/upload?change=' + encodeURIComponent(change), { method: 'POST', body: new Uint8Array(data) }));
})();
"""


@opened_as("file")
def test_pictures_are_printed_as_the_program_prints_them(
    page: Page, link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    (tmp_path / "packs").mkdir()
    clear = io.BytesIO()
    Image.linear_gradient("L").resize((900, 900)).convert("LA").save(clear, "PNG")
    emblems, arts = ("emblem: art/one.svg", "emblem: art/lines.svg"), ("art: art/a.jpg", "art: art/b.png")
    drawn = with_art(tmp_path, "lines", emblems, one_svg=ONE.encode(), lines_svg=LINES.encode())
    photos = with_art(tmp_path, "photos", arts, a_jpg=sideways(800), b_png=clear.getvalue())
    stray = tmp_path / "packs" / "stray"
    assert run("new", "stray", stray, "--extends").code == 0
    (stray / "deck.yaml").write_text(
        "cards: [{code: AC, name: A, effects: [suffer nowhere for good]}]\n", encoding="utf-8"
    )
    saved = tmp_path / "saved.zip"
    with ZipFile(saved, "w") as archive:
        archive.writestr("READ ME.txt", "Packs.")
        for made in (drawn, photos, stray):
            for path in made.rglob("*.*"):
                archive.write(path, f"packs/{made.name}/{path.relative_to(made).as_posix()}")
    downloads(page, tmp_path)
    page.open(link, says="The shelf", at="#main")
    page.one("#saved-file").send_keys(str(saved))
    page.says("Opened: lines, photos, stray.", "#safe")
    # Python is another one here: what content names is looked up all the same.
    faults = Shelf().spine("stray")["faults"]
    assert "nowhere" in str(faults)
    told = page.driver.execute_async_script(FAULTS)
    assert [each.replace("hackjack", str(tmp_path), 1) for each in told] == faults
    for made in (drawn, photos):
        page.open(f"{link}#{made.name}/print/deck")
        page.drawn(".paper:not(.stale) figure img")
        page.tap(".margin a[data-file$='.pdf']")
        file = tmp_path / f"{made.name}-deck.pdf"
        page.until(file.exists, "nothing was downloaded")
        assert run("print", made.name, "deck", "-o", tmp_path / "native").code == 0
        printed, native = file.read_bytes(), (tmp_path / "native" / file.name).read_bytes()
        file.unlink()
        if made == drawn:
            assert printed == native
            continue
        for ours, theirs in zip(pictures(printed, 60), pictures(native, 60), strict=True):
            apart = ImageStat.Stat(ImageChops.difference(ours.convert("RGB"), theirs.convert("RGB")))
            assert max(apart.mean) < 0.2
    # What is uploaded is written again, turned, smaller and without its extras; what is no picture is refused.
    told = page.driver.execute_async_script(UPLOADED, list(sideways(800)))
    assert told["rows"][0]["value"]["art"].endswith(".jpg"), told
    told = page.driver.execute_async_script(UPLOADED, [60, 115])
    assert told["error"] == "the picture is not a valid picture: save it as PNG, JPEG or WebP"
    forget(page)


@opened_as("host")
def test_a_table_is_played_on_this_screen_and_goes_on_after_a_reload(page: Page, link: str) -> None:
    page.open(f"{link}#play", says="Phones need the program on a computer", at="#main")
    page.write("#campaign", "Red Keep")
    page.tap("form.begin button[type=submit]")
    in_table(page)
    page.says("Nobody is at the table yet")
    page.tap("[data-key=joins]")
    page.write("[data-key='field- name']", "Bryn")
    page.write("[data-key='field-hp']", "7")
    page.tap("[data-key=go]", says="Bryn joins")
    page.driver.switch_to.default_content()
    page.driver.refresh()
    in_table(page)
    page.says("Bryn")
    page.driver.switch_to.default_content()
    page.tap("#leave-table", says="Red Keep", at="#main")
    page.lacks("Let phones", "#main")


@opened_as("file")
def test_a_post_is_pasted_and_a_fight_is_tried(page: Page, link: str) -> None:
    page.open(f"{link}#post", says="The post", at="#main")
    page.write("#pasted", "Fumbles d6\n1-3  You drop your weapon\n4-6  You fall prone for 1 round")
    page.tap("#main form button[type=submit]", says="Nothing is left out", at="#main")
    page.open(f"{link}#play")
    page.tap("[data-key=fight]")
    frame = page.see("#at-table iframe")
    page.driver.switch_to.frame(frame)
    page.says("Bryn")
    page.driver.switch_to.default_content()
    page.tap("#leave-table", says="A fight to try", at="#main")
    forget(page)


def in_table(page: Page) -> None:
    """Look at the table, once it is there."""
    frame = page.see("#at-table iframe")
    page.driver.switch_to.frame(frame)
    page.see("[data-key=joins]")


PRINTED = """
const [done, from] = [arguments[1], performance.now()];
fetch('api/print', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(arguments[0])})
  .then(async (answer) => done([answer.status, performance.now() - from]));
"""


@opened_as("host")
def test_a_print_does_not_wait_for_odds_and_counting_stops(page: Page, link: str) -> None:
    page.open(f"{link}#hackjack/rules")
    page.write(".numbers input[name=limit]", "18\ue004", says="counting", at="#main")
    page.until(lambda: page.script("return performance.getEntriesByName('hackjack-counting').length"), "nobody counts")
    status, _ = page.driver.execute_async_script(PRINTED, {"system": "glog", "product": "sheet"})
    assert status == 200
    page.says("counting", "#main")
    # Who leaves the page stops the count, and the next one is begun.
    page.open(f"{link}#glog/rules", says="House rules", at="#main")
    page.open(f"{link}#hackjack")
    page.tap("#odds form button[type=submit]", says="death", at="#odds")


@opened_as("file")
def test_what_needs_the_program_is_said(page: Page, link: str) -> None:
    page.open(f"{link}#hackjack/print/deck")
    page.says("PDF/X for print shops needs the program on a computer", "#main")
    page.lacks("drivethru", "#main")


PUPPETEER = ROOT / "node_modules" / "puppeteer-core"
WEBKIT = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)


@pytest.mark.weekly
@pytest.mark.skipif(not (PUPPETEER.exists() and shutil.which("firefox-esr")), reason="no firefox-esr or puppeteer-core")
def test_firefox_opens_the_page_keeps_a_pack_and_prints(link: str) -> None:
    script = ROOT / "tests" / "web" / "firefox.mjs"
    assert subprocess.run(["node", str(script), link], check=True, capture_output=True).stdout.strip() == b"%PDF-"


@pytest.mark.weekly
@pytest.mark.skipif(not (WEBKIT and shutil.which("xvfb-run")), reason="no webkit2gtk-driver or xvfb")
def test_webkit_opens_the_page_keeps_a_pack_and_prints(link: str) -> None:
    script = ROOT / "tests" / "web" / "webkit.py"
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, str(script), link, str(WEBKIT)], check=True, capture_output=True
    )
    assert done.stdout.strip() == b"%PDF-"


def sights(page: Page, link: str) -> Iterator[str]:
    """The page as somebody sees it who looks, prints, writes and pastes."""
    page.open(link, says="The shelf", at="#main")
    page.says("Death and", "#main")
    page.see("#safe")
    yield "the shelf"
    page.open(f"{link}#hackjack/print/deck")
    page.drawn(".paper:not(.stale) figure img")
    yield "the desk"
    begin_pack(page, link, "Seen")
    page.see(".grid, .list")
    yield "writing"
    page.open(f"{link}#post", says="The post", at="#main")
    yield "pasting"
    forget(page)


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), pytest.param(THUMB, False, marks=pytest.mark.weekly)])
def test_every_sight_fits_a_phone_and_has_no_serious_fault(
    page: Page, built: Path, size: tuple[int, int], dark: bool
) -> None:
    with hosted(built) as link:
        page.sized(size)
        page.at_night(dark)
        for sight in sights(page, link):
            check_size(page, sight)
            if AXE.is_file():
                check_with_axe(page, sight)

"""The studio's server: what its page is told, and who else is told nothing."""

from __future__ import annotations

import asyncio
import errno
import http.client
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import webbrowser
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pypdfium2
import pytest
from helpers import ROOT, children, few_quick, is_running, page_texts, run, wait_until
from PIL import Image
from served import Device, stopped, studying

from generator.base.errors import HackjackError
from generator.cli import studio_
from generator.orders import png
from generator.orders.options import LABELS, OPTIONS, choices_of
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.serve import server as serving
from generator.studio import app, helpers, processes
from generator.studio.app import Studio
from generator.studio.desk import Desk, controls
from generator.studio.shelf import Shelf
from generator.studio.wishes import Wish
from generator.studio.writing import Writing

Served = tuple[Studio, Device]
SHEET = [{"from": "hackjack/deck", "card": "QS"}, {"from": "mine/severity", "card": "arm-5", "copies": 2}]
SCREEN = [
    {
        "title": "Both",
        "blocks": [
            {"block": "taken", "from": "glog/screen", "panel": "Conditions", "takes": 1},
            {"block": "taken", "from": "hackjack/tables", "takes": "recovery"},
        ],
    }
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio with three packs of one's own: one that is sound, one with an error, one with ruined YAML."""
    home = tmp_path_factory.mktemp("home")
    packs = home / "packs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(home))
        for name, words in (
            ("mine", ["--from", "glog", "--extends"]),
            ("broken", ["--extends"]),
            ("torn", ["--blank"]),
        ):
            assert run("new", name, packs / name, *words).code == 0
        (packs / "broken" / "deck.yaml").write_text("cards: [{code: 1 Z, name: A, effects: []}]\n", encoding="utf-8")
        (packs / "torn" / "tables.yaml").write_text("tables: [\n", encoding="utf-8")
        with studying() as both:
            yield both


@pytest.fixture
def device(served: Served) -> Device:
    return served[1]


def told(device: Device, path: str, body: Any = None, status: int = 200) -> Any:
    """The answer to a request, which must have that status."""
    found, answer, _ = device.ask(f"/api/{path}", body)
    assert found == status, answer
    return answer


def lines(device: Device, path: str, body: Any) -> list[Any]:
    """The lines of a streamed answer."""
    return [json.loads(line) for line in told(device, path, body).splitlines()]


# --- the shelf, and looking ------------------------------------------------------------------------------------------


def test_the_shelf_has_every_system_and_a_faulty_pack_empties_nothing(device: Device) -> None:
    names = told(device, "shelf")
    assert names == [*shipped(), "broken", "mine", "torn"]
    spines = {name: told(device, f"spine?of={name}") for name in names}
    assert all(len(spines[name]["cover"]) == 3 and not spines[name]["own"] for name in shipped())
    assert spines["hackjack"]["prints"][0] == ["deck", 54]
    mine = spines["mine"]
    assert (mine["own"], mine["extends"], mine["title"]) == (True, "glog", "Mine")
    assert 'deck.yaml:1:16: "1 Z" is not a card' in spines["broken"]["faults"][0]
    assert "tables.yaml:" in spines["torn"]["faults"][0]
    assert told(device, "system?of=broken")["faults"], "its page says the same"


@pytest.mark.slow
def test_a_system_is_told_with_what_its_conditions_mean(device: Device) -> None:
    glog = told(device, "system?of=glog")
    assert glog["conditions"]["Prone"] == ["You are on the ground; getting up costs a turn."]
    sets = {product["name"]: product for product in glog["products"]}
    assert sets["conditions"]["cards"] and not sets["screen"]["cards"]
    prone = next(item for item in sets["conditions"]["items"] if item["title"] == "Prone")
    assert "You are on the ground; getting up costs a turn." in prone["says"]
    status, raw, _ = device.ask(f"/api/picture?system=glog&of={prone['id']}&stamp={prone['stamp']}")
    assert status == 200 and Image.open(io.BytesIO(raw)).size == (480, 672)
    assert {"Breakdowns", "Weapons and blows: Arm"} <= {table["title"] for table in glog["tables"]}
    assert any(block["title"] == "By lethal damage" for panel in glog["panels"] for block in panel["blocks"])
    (hit,) = (event for event in glog["events"] if event["name"] == "hit")
    odds = told(device, "odds", {"system": "glog", "words": ["hit", hit["sample"], "type=fire"]})
    assert any("%" in line for line in odds["lines"])


# --- printing --------------------------------------------------------------------------------------------------------


def test_every_option_has_a_label_and_a_word_for_each_value() -> None:
    assert {option.name for option in OPTIONS} - {"only", "format"} == {*LABELS}
    for option in OPTIONS:
        if label := LABELS.get(option.name):
            assert len(label.words) == len(option.values), option.name
            assert label.says.endswith((".", "0.5,-1.", "15,0.5,12.")) and len(label.says) < 90


@pytest.mark.parametrize(
    ("product", "target", "has", "lacks"),
    [
        ("deck", "home", {"paper", "backs", "marks", "jokers", "target", "nudge"}, {"dpi", "columns", "panels"}),
        ("deck", "png", {"dpi", "card", "theme"}, {"paper", "marks", "copies", "nudge"}),
        ("screen", "home", {"paper", "panels", "rulings", "theme"}, {"target", "card", "backs", "copies"}),
        ("box", "home", {"thickness", "card"}, {"marks", "target"}),
        ("conditions", "home", {"paper", "backs"}, {"jokers"}),
    ],
)
def test_a_product_has_the_controls_that_it_supports_and_no_others(
    product: str, target: str, has: set[str], lacks: set[str]
) -> None:
    system = "glog" if product == "conditions" else "hackjack"
    form = controls(load_pack(find(system)).system, product, target)
    names = {control.name for control in form}
    assert has <= names and not (names & lacks)
    for control in form:
        for value, word in control.values:
            assert word and (value == "" or choices_of({control.name: value}))


def test_the_pages_are_those_of_the_pdf(device: Device) -> None:
    done = told(device, "print", {"system": "hackjack", "product": "deck", "counts": {"QS": 3, "KH": 1}})
    (file,) = done["files"]
    assert (file["name"], file["pages"]) == ("hackjack-deck.pdf", 2)
    assert done["advice"] == [
        "Print 1 sheet at 100 % on both sides, turned about the long edge, on card of 200 to 300 g. "
        "Check the ruler at the foot of the first."
    ]
    status, pdf, headers = device.ask(f"/api/file?job={done['job']}&name={file['name']}")
    assert status == 200 and "attachment" in headers["content-disposition"]
    names = {item["id"]: item["title"] for item in told(device, "system?of=hackjack")["products"][0]["items"]}
    text = page_texts(pdf)[0]
    assert [text.count(names[f"deck/{code}"]) for code in ("QS", "KH", "2C")] == [3, 1, 0]
    for number, page in enumerate(png.page_pictures(pdf, 110)):
        _, raw, _ = device.ask(f"/api/page?job={done['job']}&page={number}")
        assert Image.open(io.BytesIO(raw)).convert("RGB").tobytes() == page.dots
    again = told(device, "print", {"system": "hackjack", "product": "deck", "counts": {"QS": 3, "KH": 1}})
    assert again["job"] == done["job"], "the same order is printed once"


def test_what_is_printed_follows_the_options_and_the_house_rules(device: Device) -> None:
    wish = {"system": "hackjack", "product": "deck", "counts": {"QS": 1}}
    pictures = told(device, "print", {**wish, "options": {"target": "png", "dpi": "100", "backs": "none"}})
    assert [file["name"] for file in pictures["files"]] == ["hackjack-deck-png/QS.png"]
    _, raw, _ = device.ask(f"/api/page?job={pictures['job']}&page=0")
    assert Image.open(io.BytesIO(raw)).size == (250, 350)
    sheet = told(device, "print", {"system": "mine", "product": "sheet", "options": {"paper": "letter"}})
    assert sheet["files"][0]["size"] == {"width": 215.9, "height": 279.4}
    assert sheet["advice"] == ["Print 1 page at 100 %, on one side of plain paper."]
    jobs = ",".join((pictures["job"], sheet["job"]))
    _, raw, headers = device.ask(f"/api/parcel?jobs={jobs}")
    assert 'filename="hackjack.zip"' in headers["content-disposition"]
    assert zipfile.ZipFile(io.BytesIO(raw)).namelist() == ["hackjack-deck-png/QS.png", "mine-sheet.pdf"]
    reference = {"system": "hackjack", "product": "reference"}
    ruled = told(device, "print", {**reference, "rules": {"limit": "18"}})
    _, pdf, _ = device.ask(f"/api/file?job={ruled['job']}&name={ruled['files'][0]['name']}")
    words = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))
    assert re.search(r"\b18\b", words)


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("spine?of=nobody", None, 400, 'there is no system "nobody"'),
        ("system?of=../../etc", None, 400, "there is no system"),
        ("picture?system=hackjack&of=deck/99", None, 422, "that card no longer exists"),
        ("controls", {"system": "hackjack", "product": "poster"}, 400, 'hackjack has no product "poster"'),
        (
            "controls",
            {"system": "hackjack", "product": "deck", "options": {"target": "fax"}},
            400,
            'there is no target "fax"',
        ),
        ("print", {"system": "broken", "product": "deck"}, 422, '"1 Z" is not a card'),
        ("print", {"system": "hackjack", "product": "screen", "options": {"dpi": "300"}}, 400, "--dpi means nothing"),
        ("print", {"system": "hackjack", "product": "deck", "options": {"copies": "1000"}}, 400, "1 to 100"),
        ("print", {"system": "hackjack", "product": "deck", "counts": {"QS": 1001}}, 400, "Expected `int` <= 1000"),
        ("print", {"system": "hackjack", "product": "deck", "counts": {"99": 1}}, 400, "99"),
        ("print", {"system": "hackjack", "product": "deck", "rules": {"limit": "x"}}, 400, "limit"),
        ("print", {"system": "hackjack", "product": "deck", "pack": "x"}, 400, "unknown field"),
        (
            "print",
            {"system": "hackjack", "product": "mixed", "cards": [{"from": "glog/severity", "card": "arm-55"}]},
            422,
            'did you mean "arm-5"',
        ),
        (
            "print",
            {"system": "glog", "product": "screen", "panels": [{"title": "A", "blocks": [{"block": "text"}]}]},
            400,
            "panels",
        ),
        pytest.param(
            "keep",
            {"wish": {"system": "hackjack", "product": "mixed", "cards": SHEET}, "pack": " \u200f"},
            400,
            "Write a name for the pack",
            marks=pytest.mark.slow,
        ),
        ("keep", {"wish": {"system": "hackjack", "product": "deck"}, "pack": "fine"}, 400, "Choose a card or a block"),
        ("page?job=x&page=0", None, 400, "no longer kept"),
        ("save", {"system": "hackjack", "rules": {"limit": "18"}, "pack": ""}, 400, "Write a name for the pack"),
        ("save", {"system": "hackjack", "rules": {"limit": "18"}, "pack": "hackjack"}, 400, "a system that ships"),
        ("save", {"system": "hackjack", "rules": {"limit": "18"}, "pack": "nul"}, 400, "means something else"),
        ("save", {"system": "hackjack", "rules": {}, "pack": "same"}, 400, "No house rules given"),
        ("odds", {"system": "hackjack", "words": ["hti", "9"]}, 400, 'did you mean "hit"'),
        ("odds", {"system": "hackjack", "words": []}, 400, "Write an event"),
        ("table", {"campaign": " ", "system": "hackjack"}, 400, "write a name for the campaign"),
        ("table", {"campaign": "x", "system": "hackjack", "rules": {"limit": "1\0"}}, 400, "cannot be read"),
        ("table", {"campaign": "x", "system": "hackjack", "deck": "\0"}, 400, "cannot be read"),
        ("table", {"campaign": "x\0"}, 400, "cannot be read"),
        ("campaign", {"campaign": "../x", "title": "y"}, 400, 'There is no campaign "../x"'),
        ("table", {"campaign": "gone"}, 400, 'There is no campaign "gone"'),
        ("table", {"campaign": "new", "system": "--lan"}, 400, 'there is no system "--lan"'),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    device: Device, path: str, body: Any, status: int, says: str
) -> None:
    answer = told(device, path, body, status)
    assert says in json.dumps(answer, ensure_ascii=False).replace('\\"', '"')


@pytest.mark.slow
def test_a_mixed_sheet_and_a_composed_screen_are_printed_and_kept(device: Device) -> None:
    mixed = {"system": "hackjack", "product": "mixed", "cards": SHEET, "title": "Tonight"}
    names = {control["name"] for control in told(device, "controls", mixed)}
    assert {"paper", "backs", "marks"} <= names and "dpi" not in names
    done = told(device, "print", mixed)
    _, pdf, _ = device.ask(f"/api/file?job={done['job']}&name=hackjack-mixed.pdf")
    fronts = page_texts(pdf)[0]
    assert (fronts.count("Carved"), fronts.count("Disabled")) == (1, 2)
    screen = {"system": "glog", "product": "screen", "panels": SCREEN, "title": "Tonight"}
    done = told(device, "print", screen)
    _, pdf, _ = device.ask(f"/api/file?job={done['job']}&name=glog-screen.pdf")
    words = page_texts(pdf)[0]
    assert "What they mean" in words and "Recovery" in words
    assert told(device, "keep", {"wish": mixed, "pack": "kept"})["product"] == "mixed"
    assert told(device, "keep", {"wish": screen, "pack": "kept"})["product"] == "screen"
    assert run("check", "kept").code == 0
    kept = {product["name"] for product in told(device, "system?of=kept")["products"]}
    assert {"mixed", "screen", "deck"} <= kept
    again = told(device, "keep", {"wish": screen, "pack": "kept"}, 400)
    assert "already has a screen.yaml. Replace it" in again["error"]
    assert told(device, "keep", {"wish": screen, "pack": "kept", "replace": True})["product"] == "screen"


def test_a_file_has_its_own_name_and_no_other(device: Device) -> None:
    job = told(device, "print", {"system": "glog", "product": "tokens"})["job"]
    for name in ("told.json", "../../pyproject.toml", "/etc/passwd", ""):
        told(device, f"file?job={job}&name={name}", None, 400)
    told(device, f"page?job={job}&page=-1", None, 400)
    told(device, f"page?job={job}&page=999", None, 400)


def test_old_prints_are_taken_away(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    studio, device = served
    monkeypatch.setattr(app, "MAX_PRINTS", 2)
    wishes = [{"system": "hackjack", "product": "deck", "counts": {code: 1}} for code in ("2C", "3C", "4C")]
    jobs = [told(device, "print", wish)["job"] for wish in wishes]
    folders = {path.name for path in studio.folder.iterdir()}
    assert folders == {*jobs[1:]}
    assert "Print it again" in told(device, f"page?job={jobs[0]}&page=0", None, 400)["error"]
    assert told(device, "print", wishes[0])["job"] == jobs[0]


# --- house rules -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_house_rule_is_counted_chart_by_chart_and_saved_as_a_pack(device: Device) -> None:
    rules = told(device, "rules?of=glog")
    switch = rules["switches"][0]
    assert switch["source"] and len(switch["readings"]) > 1
    number = next(each for each in rules["numbers"] if each["name"] == "severity_die")
    assert (number["value"], number["default"]) == ("d12", "d12")
    parts = lines(device, "compare", {"system": "glog", "rules": {"severity_die": "d8"}})
    charts = [part["chart"]["title"] for part in parts if "chart" in part]
    assert "By lethal damage" in charts and any("same" in part for part in parts)
    assert lines(device, "compare", {"system": "glog", "rules": {"severity_die": "soup"}})[0]["error"]
    with device.following() as events:
        _, first = next(events)
        saved = told(device, "save", {"system": "glog", "rules": {"severity_die": "d8"}, "pack": "mild"})
        _, second = next(change for change in events if change[1].get("version", 0) > first["version"])
    assert saved["pack"] == "mild" and second["version"] > first["version"], "every tab is told"
    assert (Path(saved["folder"]) / "system.yaml").read_text(encoding="utf-8").count("severity_die") == 1
    assert "mild" in told(device, "shelf")
    twice = told(device, "save", {"system": "glog", "rules": {"severity_die": "d6"}, "pack": "mild"}, 400)
    assert "Choose another name" in twice["error"], "another tab was faster"
    assert run("check", "mild").code == 0


def test_a_pack_that_is_changed_elsewhere_is_read_again(served: Served) -> None:
    _, device = served
    folder = Path(os.environ["HACKJACK_HOME"]) / "packs" / "mine"
    with device.following() as events:
        before = next(events)[1]["version"]
        time.sleep(1.2)
        text = (folder / "system.yaml").read_text(encoding="utf-8")
        (folder / "system.yaml").write_text(text.replace('"Mine"', '"Yours"'), encoding="utf-8")
        next(change for change in events if change[1].get("version", 0) > before)
    assert told(device, "spine?of=mine")["title"] == "Yours"


# --- helpers ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_helper_is_replaced_and_its_work_done_again(served: Served) -> None:
    studio, device = served
    told(device, "spine?of=hackjack")
    assert studio.drawing.pid
    os.kill(studio.drawing.pid, signal.SIGKILL)
    assert told(device, "spine?of=hackjack")["title"] == "Hackjack"
    done = told(device, "print", {"system": "hackjack", "product": "deck", "counts": {"QS": 1}})
    os.kill(studio.drawing.pid, signal.SIGKILL)
    status, raw, _ = device.ask(f"/api/page?job={done['job']}&page=0")
    assert status == 200 and raw, "prints outlive the process that made them"


@pytest.mark.slow
def test_a_helper_that_holds_much_makes_room_when_it_has_nothing_to_do(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio, device = served
    head = Path(os.environ["HACKJACK_HOME"]) / "packs" / "mine" / "system.yaml"
    sound, before = head.read_bytes(), studio.drawing.pid
    monkeypatch.setattr(processes, "MAX_MEMORY", 0)
    title = told(device, "system?of=mine")["title"]
    deadline = time.monotonic() + 20
    while studio.drawing.pid in (None, before):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    monkeypatch.setattr(processes, "MAX_MEMORY", 1 << 40)
    assert told(device, "spine?of=hackjack")["title"] == "Hackjack"
    head.write_bytes(b"id: [")
    was = told(device, "system?of=mine")
    assert (was["title"], was["stale"]) == (title, True), "the new one has read the pack that was looked at"
    before = studio.drawing.pid
    monkeypatch.setattr(processes, "MAX_MEMORY", 0)
    assert told(device, "spine?of=glog")["title"] == told(device, "spine?of=glog")["title"] != "Hackjack"
    assert told(device, "system?of=mine")["stale"] and studio.drawing.pid == before, "another would not know it"
    head.write_bytes(sound)


@pytest.mark.slow
def test_what_is_quick_waits_neither_for_odds_nor_for_a_thousand_copies(served: Served) -> None:
    studio, device = served
    block = {"block": "taken", "from": "hackjack/reference", "panel": 1, "takes": 1}
    quick: list[dict[str, Any]] = [
        {"product": "sheet"},
        {"product": "reference-cards"},
        {"product": "screen", "panels": [{"title": "Us", "blocks": [block]}]},
    ]
    with stopped(studio.counting):
        for wish in quick:
            assert told(device, "print", {"system": "hackjack", **wish})["files"]
        # Those that ship are counted, unless a house rule changes them.
        assert told(device, "print", {"system": "hackjack", "product": "starter"})["files"]
        ruled = {"system": "hackjack", "rules": {"limit": "19"}}
        copies = {"system": "hackjack", "product": "deck", "counts": {"QS": 1000}}
        for wish in ({**ruled, "product": "screen"}, {"system": "mine", "product": "starter"}, copies):
            with pytest.raises(TimeoutError):
                Device(device.port, device.key, patience=2).ask("/api/print", wish)
        assert told(device, "print", {"system": "hackjack", "product": "deck"})["files"], "nor does anything else"


def test_work_that_kills_every_helper_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    monkeypatch.setattr(processes, "_started", dying)

    async def asked() -> None:
        helper = processes.HelperProcess()
        try:
            await helper.do(helpers.PRINT, "spine", "hackjack")
        finally:
            helper.close()

    with pytest.raises(HackjackError, match="ended this work twice"):
        asyncio.run(asked())


@pytest.mark.slow
def test_what_nobody_waits_for_is_stopped(device: Device) -> None:
    told(device, "print", {"system": "hackjack", "product": "deck", "options": {"copies": "4"}})
    wish = {"system": "hackjack", "product": "deck", "options": {"copies": "100"}}
    connection = http.client.HTTPConnection("127.0.0.1", device.port)
    head = {"Authorization": f"Bearer {device.key}"}
    connection.request("POST", "/api/print", json.dumps(wish).encode(), head)
    time.sleep(0.3)
    began = time.monotonic()
    told(device, "print", {"system": "hackjack", "product": "deck", "counts": {"5C": 1}})
    quick = time.monotonic() - began
    connection.close()
    told(device, "print", {"system": "hackjack", "product": "deck", "options": {"copies": "5"}})
    # 100 copies take ten times as long as five.
    assert quick < 3 and time.monotonic() - began < 8


def test_a_full_disk_leaves_no_half_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, wish = Desk(Shelf(), Writing()), Wish(system="hackjack", product="deck", counts={"QS": 1})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        with pytest.raises(HackjackError, match="cannot be written: No space left on device"):
            desk.print(wish, str(tmp_path), False)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert json.loads(desk.print(wish, str(tmp_path), False) or b"")["files"]


# --- strangers -------------------------------------------------------------------------------------------------------


def test_a_strangers_page_cannot_reach_it(served: Served) -> None:
    _, device = served
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    for path in ("shelf", "picture?system=hackjack&of=deck/QS", "file?job=x&name=y", "events", "state"):
        for headers, status in (
            ({"Host": "evil.example"}, 403),
            ({"Host": "192.168.7.7"}, 403),
            ({"Origin": "http://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            (elsewhere, 403),
            ({**elsewhere, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403),
        ):
            assert device.ask(f"/api/{path}", headers=headers)[0] == status, (path, headers)
    for path, body in (("save", {"system": "hackjack", "rules": {}, "pack": "x"}), ("table", {"campaign": "x"})):
        assert Device(device.port, "guess").ask(f"/api/{path}", body)[0] == 401
        assert Device(device.port, "").ask(f"/api/{path}", body)[0] == 401
        assert device.ask(f"/api/{path}", body, headers={"Origin": "http://evil.example"})[0] == 403
        assert device.ask(f"/api/{path}", b"[" * 300_000)[0] in (400, 413)


def test_its_page_holds_no_key_and_lets_nothing_from_elsewhere_run(device: Device) -> None:
    stranger = Device(device.port, "")
    for path in ("/", "/studio.js", "/studio.css", "/text.ttf"):
        status, raw, headers = stranger.ask(path)
        policy = headers["content-security-policy"]
        assert status == 200 and "default-src 'none'" in policy and "unsafe" not in policy
        assert device.key not in (raw if isinstance(raw, str) else raw.decode("latin-1"))


# --- the table, and the command --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_table_is_begun_continued_and_closed_with_the_studio(served: Served) -> None:
    studio, device = served
    link = told(device, "table", {"campaign": "red-keep", "system": "hackjack", "rules": {"limit": "18"}})["link"]
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]+)", link)
    assert found
    assert Device(int(found[1]), found[2]).state()["role"] == "gm"
    (campaign,) = told(device, "campaigns")
    assert campaign == {"name": "red-keep", "title": "red-keep", "system": "hackjack", "link": link}
    assert told(device, "table", {"campaign": "red-keep"})["link"] == link, "it is open"
    again = told(device, "table", {"campaign": "red-keep", "system": "glog"})
    assert again["link"] == link
    # It is opened again for phones: where it lies, with the same keys.
    phones = told(device, "table", {"campaign": "red-keep", "lan": True})["link"]
    assert phones.rpartition(":")[2] == link.rpartition(":")[2]
    assert told(device, "table", {"campaign": "red-keep"})["link"] == phones
    studio.tables.close()
    deadline = time.monotonic() + 20
    while told(device, "campaigns")[0]["link"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert "already" in told(device, "table", {"campaign": "red-keep", "system": "glog"}, 400)["error"]
    titled = told(device, "table", {"campaign": "Élan: the 2nd table", "system": "hackjack"})["link"]
    port, key = re.findall(r":(\d+)/\?key=([\w-]+)", titled)[0]
    assert Device(int(port), key).state()["title"] == "Élan: the 2nd table"
    assert told(device, "campaign", {"campaign": "red-keep", "title": "Nick's Keep"})["says"].endswith(
        "“Nick's Keep” now."
    )
    titles = [("elan_the_2nd_table", "Élan: the 2nd table"), ("red-keep", "Nick's Keep")]
    assert [(each["name"], each["title"]) for each in told(device, "campaigns")] == titles
    told(device, "campaign", {"campaign": "elan_the_2nd_table", "title": " "}, 400)
    told(device, "table", {"campaign": "No Such Limit!", "system": "hackjack", "rules": {"limit": "x"}}, 422)
    assert not [*Path(os.environ["HACKJACK_HOME"]).rglob("no*such*limit*")]
    kept = told(device, "campaign", {"campaign": "elan_the_2nd_table"})["says"]
    assert [each["name"] for each in told(device, "campaigns")] == ["red-keep"]
    assert list(Path(kept.partition("kept in ")[2][:-1]).glob("*.hackjack")), "nothing is lost"


def command(tmp_path: Path) -> tuple[subprocess.Popen[str], Device]:
    """The studio as somebody starts it, in a home of its own."""
    environment = {**os.environ, "HACKJACK_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    words = [sys.executable, "-m", "generator", "studio", "--no-open"]
    server = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    )
    assert server.stdout is not None
    link = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]+)\n", server.stdout.readline())
    assert link, server.communicate()
    return server, Device(int(link[1]), link[2])


@pytest.mark.slow
def test_the_command_prints_its_link_and_takes_all_away_at_the_end(tmp_path: Path) -> None:
    server, device = command(tmp_path)
    assert told(device, "shelf")[0] == "hackjack" and list(tmp_path.glob("hackjack-studio-*"))
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=20)
    assert server.returncode in (0, 130) and "Traceback" not in errors
    assert list(tmp_path.glob("hackjack-studio-*")) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_a_studio_whose_window_is_closed_leaves_no_table_open(number: int, tmp_path: Path) -> None:
    server, device = command(tmp_path)
    link = told(device, "table", {"campaign": "red-keep", "system": "hackjack"})["link"]
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]+)", link)
    assert found
    assert Device(int(found[1]), found[2]).state()["role"] == "gm"
    others = children(server.pid)
    assert len(others) >= 2, "the table, and what draws"
    server.send_signal(number)
    server.communicate(timeout=20)
    wait_until(lambda: not any(map(is_running, others)))
    with pytest.raises(OSError):
        Device(int(found[1]), found[2]).state()


def test_the_key_is_in_no_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    seen: list[tuple[str, str, int]] = []

    def opens(url: str) -> None:
        page = Path(url.removeprefix("file://"))
        seen.append((url, page.read_text(encoding="utf-8"), page.stat().st_mode & 0o777))

    monkeypatch.setattr(webbrowser, "open", opens)
    monkeypatch.setattr(studio_, "_has_display", lambda: True)
    monkeypatch.setattr(serving, "run", lambda *_: None)
    studio_.run()
    link = capsys.readouterr().out.split()[0]
    (url, text, mode), key = seen[0], link.rpartition("=")[2]
    assert key not in url and f"url={link}" in text and mode == 0o600


@pytest.mark.parametrize("text", few_quick(2, ["\0", "²", "9" * 5000, "../../etc/passwd"]))
def test_whatever_is_asked_for_is_answered_in_a_sentence(device: Device, text: str) -> None:
    asked = {
        "spine system rules check grid effects emblems shapes post": "of",
        "beside": "of part row",
        "picture": "system of",
        "page": "job page zoom",
        "file": "job name",
        "parcel": "jobs",
    }
    calls: list[tuple[str, Any]] = [
        (f"{path}?{urlencode(dict.fromkeys(words.split(), text))}", None)
        for paths, words in asked.items()
        for path in paths.split()
    ]
    calls += [(f"beside?{urlencode({'of': 'hackjack', 'part': 'deck', 'row': text})}", None)]
    wish = {"system": text, "product": text, "options": {text: text}}
    change = {"pack": text, "part": text, "seen": text, "change": {"do": "cells", "text": text}}
    calls += [
        ("controls", wish),
        ("controls", {**wish, "system": "hackjack"}),
        ("print", {"system": "hackjack", "product": "deck", "options": {"copies": text}}),
        ("odds", {"system": "hackjack", "words": ["hit", text]}),
        ("odds", {"system": "hackjack", "words": [text, text]}),
        ("words", {"pack": text, "effects": [{text: text}]}),
        *((path, {"pack": text, "part": text}) for path in ("roll", "remove", "folder")),
        ("write", change),
        ("keep", {"wish": wish, "pack": text}),
        ("save", {"system": "hackjack", "rules": {"limit": text}, "pack": "kept"}),
        ("begin", {"pack": "fine", "base": text}),
        ("table", {"campaign": text}),
        ("campaign", {"campaign": text, "title": text}),
    ]
    for path, body in calls:
        status, answer, _ = device.ask(f"/api/{path}", body)
        assert status in (200, 400, 422), (path, status)
        assert "unforeseen" not in str(answer), (path, answer)

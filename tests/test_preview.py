"""`hackjack serve --preview`: cards, panels and faults of a pack while somebody writes it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from helpers import ROOT, run
from PIL import Image, ImageChops
from served import PATIENCE, Device, previewing
from test_serve import EXAMPLES, serve

from generator.base import watching
from generator.base.errors import Problem
from generator.cli.check_ import looked_over
from generator.exports import png
from generator.games.card_products import card_set_names
from generator.layout import sheets
from generator.pack import content
from generator.products import deck, products_of
from generator.serve import preview
from generator.serve.pictures import CARD_DPI, Pictures
from generator.serve.preview import Found

State = dict[str, Any]
Events = Iterator[tuple[str, Any]]


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack that changes one card of Hackjack."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--extends").code == 0
    return tmp_path / "mine"


def shown(folder: Path) -> Any:
    """The preview of a folder, with what `check` says of it."""

    def look_over() -> Found:
        found = looked_over((folder,))
        return found.problems, found.warnings

    return previewing(folder, look_over)


@dataclass
class Author:
    """Somebody who writes a pack and looks at its preview; `state` is what the preview showed last."""

    folder: Path
    device: Device
    events: Events
    state: State = field(default_factory=dict)

    def until(self, look: Callable[[State], object]) -> State:
        """The first state, from now on, of which something holds."""
        self.state = next(state for name, state in self.events if name == "state" and look(state))
        return self.state

    def saves(self, file: str, old: str, new: str) -> State:
        """Change a file; gives what is shown once all of it is looked over."""
        rewrite(self.folder / file, old, new)
        self.until(lambda state: state["checking"] or state["stale"])
        return self.state if checked(self.state) else self.until(checked)


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Author]:
    """The preview of a pack that changes one card of Hackjack. Each test leaves the pack sound."""
    here = tmp_path_factory.mktemp("author")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(here / "home"))
        patch.chdir(here)
        assert run("new", "mine", "--extends").code == 0
        with shown(here / "mine") as device, device.following() as events:
            found = Author(here / "mine", device, events)
            assert len(items(found.until(lambda state: state["products"]))) == 54, "the cards do not wait for charts"
            found.until(checked)
            yield found


def until(events: Events, look: Callable[[State], object]) -> State:
    """The first state, from now on, of which something holds."""
    return next(state for name, state in events if name == "state" and look(state))


def checked(state: State) -> bool:
    return not state["checking"]


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def items(state: State, product: str = "deck") -> dict[str, State]:
    found = next(each for each in state["products"] if each["name"] == product)
    return {item["id"]: item for item in found["items"]}


def places(state: State) -> list[str]:
    faults = (fault["place"] for fault in state["faults"])
    return [str(msgspec.convert(at, Problem)) for at in faults]


def picture(device: Device, item: str) -> Image.Image:
    status, raw, headers = device.ask(f"/api/picture?of={item}")
    assert status == 200 and headers.get_content_type() == "image/png", raw
    return Image.open(BytesIO(raw)).convert("RGB")


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_every_card_and_page_is_shown_with_its_place(author: Author) -> None:
    state = author.state
    assert (state["title"], state["stale"], state["faults"]) == ("Mine", False, [])
    assert [each["name"] for each in state["products"]] == [
        "deck",
        "screen",
        "sheet",
        "reference",
        "reference-cards",
        "tokens",
        "box",
    ]
    assert not any(each["drawing"] or each["fault"] for each in state["products"])
    ours, theirs = items(state)["deck/AC"], items(state)["deck/2C"]
    assert ours["title"] == "Winded" and ours["says"] == ["You are knocked back."]
    assert ours["place"] == {"file": "mine/deck.yaml", "line": 4, "column": 3, "message": ""}
    written = Path(theirs["place"]["file"]).read_text(encoding="utf-8").splitlines()
    assert "2C" in written[theirs["place"]["line"] - 1]
    wounds = list(items(state, "screen").values())[1]
    assert wounds["title"] == "Battered and buried" and wounds["place"]["file"].endswith("hackjack/screen.yaml")


def test_a_picture_is_the_card_as_it_is_printed(author: Author) -> None:
    found, system = picture(author.device, "deck/QS"), content.load(author.folder).system
    options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], backs="none", only=("QS",))
    (printed,) = png.page_pictures(deck.singles(system, options), CARD_DPI)
    assert found.size == (480, 672) and ImageChops.difference(found, printed).getbbox() is None


@pytest.mark.parametrize("folder", [content.find("fiftytwo"), *EXAMPLES], ids=lambda path: path.name)
def test_every_product_of_every_kind_is_drawn(folder: Path) -> None:
    pack, pictures = content.load(folder), Pictures()
    products, faults = pictures.products(pack)
    assert faults == () and [each.name for each in products] == list(products_of(pack.system))
    assert [each.cards for each in products] == [each.name in card_set_names(pack.system) for each in products]
    for product in products:
        if not product.cards:
            product = pictures.lay_out(product.name, pictures.printed(product.name, pack), pack)
        assert product.items, product.name
        for item in (product.items[0], product.items[-1]):
            assert pictures.draw(item.id).startswith(b"\x89PNG"), item.id
            assert item.place.line > 0 and (ROOT / item.place.file).is_file()


# --- what is waited for ----------------------------------------------------------------------------------------------

A, B = Path("a"), Path("b")
AWAY = watching.PATIENCE


@pytest.mark.parametrize(
    ("changes", "after", "until"),
    [
        ([(0, {A: 1}), (1.0, {A: 2})], {A: 2}, 1.0),
        ([(0, {A: 1}), *((1.0 + 0.6 * watching.POLL * step, {A: 2 + step}) for step in range(6))], {A: 7}, 1.1),
        ([(0, {A: 1, B: 1}), (1.0, {B: 1}), (1.3, {A: 2, B: 1})], {A: 2, B: 1}, 1.3),
        ([(0, {A: 1, B: 1}), (1.0, {B: 1})], {B: 1}, 1.0 + AWAY),
        ([(0, {A: 1}), (1.0, {}), (1.2, {A: 1}), (3.0, {A: 2})], {A: 2}, 3.0),
    ],
    ids=["changed", "written in steps", "away for a moment", "gone", "put back as it was"],
)
def test_a_change_is_taken_up_once_it_has_settled(
    changes: list[tuple[float, dict[Path, int]]], after: dict[Path, int], until: float
) -> None:
    """In a time that passes only while somebody sleeps."""
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        assert now < 60, "it waits for ever"

    def look() -> watching.Stamp:
        files = [files for moment, files in changes if moment <= now + 1e-9][-1]
        return {path: (stamp, 1, 1) for path, stamp in files.items()}

    seen = watching.wait_until_settled(look(), look, sleep, lambda: now)
    assert {path: stamp[0] for path, stamp in seen.items()} == after
    assert until <= now < until + 5 * watching.POLL


def test_the_stamp_of_a_file_tells_another_file_of_the_same_time_and_length(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(5, 5))
    before = watching.file_stamps([tmp_path / "one", tmp_path / "gone", tmp_path / "one\0"])
    (tmp_path / "two").replace(tmp_path / "one")
    assert before.keys() == {tmp_path / "one"}
    assert watching.file_stamps([tmp_path / "one"]) != before


# --- what is saved ---------------------------------------------------------------------------------------------------


def test_a_save_shows_soon_and_only_what_changed_is_drawn_anew(author: Author) -> None:
    before, device = author.state, author.device
    old, other = picture(device, "deck/AC"), picture(device, "deck/2C")
    begun = time.monotonic()
    rewrite(author.folder / "deck.yaml", "Winded", "Out of breath")
    state = author.until(lambda state: items(state)["deck/AC"]["title"] == "Out of breath")
    new = picture(device, "deck/AC")
    # Half a second on an idle computer, as benchmarks/preview.py shows; a busy one gets more.
    assert time.monotonic() - begun < 2.5
    assert ImageChops.difference(old, new).getbbox() is not None
    assert ImageChops.difference(other, picture(device, "deck/2C")).getbbox() is None
    changed = [at for at, item in items(state).items() if item["stamp"] != items(before)[at]["stamp"]]
    assert changed == ["deck/AC"]
    after = author.until(checked)
    moved = {at for at, item in items(after, "screen").items() if item != items(before, "screen")[at]}
    assert moved == {"screen/2"}, "the panel that lists the wounds, and no other"
    author.saves("deck.yaml", "Out of breath", "Winded")


def test_a_comment_draws_nothing_anew_and_moves_the_places(author: Author) -> None:
    before, after = author.state, author.saves("deck.yaml", "cards:", "# One more line\ncards:")
    assert items(after)["deck/AC"]["place"]["line"] == items(before)["deck/AC"]["place"]["line"] + 1
    for product in ("deck", "screen", "sheet"):
        stamps = [[item["stamp"] for item in items(state, product).values()] for state in (before, after)]
        assert stamps[0] == stamps[1]
    author.saves("deck.yaml", "# One more line\n", "")


def test_pictures_of_before_stay_while_a_file_cannot_be_read(author: Author) -> None:
    deck = author.folder / "deck.yaml"
    rewrite(deck, "condition: knocked_back,", "condition: knocked,")
    state = author.saves("deck.yaml", "name: Winded", "nam: Winded")
    assert state["stale"] and places(state) == run("check", "mine").err.splitlines()
    assert len(state["faults"]) > 1, "a name that is misspelt hides no condition that there is not"
    assert len(items(state)) == 54 and picture(author.device, "deck/AC")
    rewrite(deck, "condition: knocked,", "condition: knocked_back,")
    state = author.saves("deck.yaml", "nam: Winded", "name: Winded")
    assert state["faults"] == [] and not state["stale"]


@pytest.mark.parametrize(
    ("file", "old", "new", "stands_in"),
    [
        ("deck.yaml", "condition: knocked_back", "condition: knocked", ["deck/AC"]),
        ("deck.yaml", "name: Winded", "name: Winded ᚠ", ["deck/AC"]),
        ("deck.yaml", "name: Winded", f"name: {'W' * 70}", ["deck/AC"]),
        ("system.yaml", "id: mine", "id: mine\nart: {back: back.png}", []),
    ],
    ids=["condition", "letter", "length", "picture"],
)
def test_faults_are_those_of_check_and_name_the_cards_they_stand_in(
    author: Author, file: str, old: str, new: str, stands_in: list[str]
) -> None:
    state = author.saves(file, old, new)
    said = run("check", "mine").err.splitlines()
    assert said and places(state) == said
    assert [at for fault in state["faults"] for at in fault["items"]] == stands_in
    for at in stands_in:
        assert items(state)[at]["drawn"] is state["stale"] and items(state)["deck/2C"]["drawn"] is True
    assert not author.saves(file, new, old)["faults"]


def test_a_panel_that_does_not_fit_is_a_fault_of_that_panel(author: Author) -> None:
    ours, sheet = (
        (ROOT / "content" / "hackjack" / "sheet.yaml").read_text(encoding="utf-8"),
        author.folder / "sheet.yaml",
    )
    sheet.write_text(ours.replace("name: notes, lines: 2", "name: notes, lines: 20"), encoding="utf-8")
    state = author.until(lambda state: checked(state) and state["faults"])
    assert places(state) == run("check", "mine").err.splitlines()
    assert {at for fault in state["faults"] for at in fault["items"]} == {"sheet/1"}
    assert "fit" in next(each for each in state["products"] if each["name"] == "sheet")["fault"]
    assert not state["stale"] and len(items(state)) == 54
    sheet.unlink()
    author.until(lambda state: checked(state) and not state["faults"])


def test_a_fault_may_be_mended_in_a_spreadsheet_that_nothing_has_read_yet(author: Author) -> None:
    table, decks = author.folder / "scars.csv", author.folder / "decks.yaml"
    table.write_text("code,name,flavour\nS1,Scar,\nS2,,\n", encoding="utf-8")
    decks.write_text("decks:\n- {id: scars, title: Scars, csv: scars.csv}\n", encoding="utf-8")
    state = author.until(lambda state: checked(state) and state["faults"])
    assert places(state) == run("check", "mine").err.splitlines() != []
    table.write_text("code,name\nS1,A scar\n", encoding="utf-8")
    assert run("check", "mine").err == ""
    state = author.until(lambda state: checked(state) and not state["faults"])
    assert items(state, "scars")["scars/S1"]["title"] == "A scar"
    decks.unlink()
    author.until(lambda state: checked(state) and len(state["products"]) == 7)


# --- who is let in ---------------------------------------------------------------------------------------------------


def test_the_preview_is_as_safe_as_the_page(author: Author) -> None:
    device = author.device
    stranger = Device(device.port, "")
    for path in ("/api/state", "/api/events", "/api/picture?of=deck/AC"):
        assert stranger.ask(path)[0] == 401, path
        assert device.ask(path.replace("events", "state"), headers={"Host": "evil.example"})[0] == 403
        assert device.ask(path.replace("events", "state"), headers={"Origin": "http://evil.example"})[0] == 403
    for path in ("/../mine/deck.yaml", "/deck.yaml", "/preview.html", "/api/do", "/api/links"):
        assert device.ask(path)[0] == 404, path
    for name in ("", "deck/1C", "../deck.yaml", "screen/99"):
        status, answer, _ = device.ask(f"/api/picture?of={name}")
        assert status == 422 and answer["error"] == "that card or page no longer exists"
    page = device.ask("/")
    assert page[0] == 200 and "preview.js" in page[1]
    for path in ("/", "/preview.js", "/api/state", "/api/picture?of=deck/AC"):
        _, _, headers = device.ask(path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store" and headers["set-cookie"] is None


# --- what takes long -------------------------------------------------------------------------------------------------


def test_what_is_counted_stops_when_the_page_is_closed_and_begins_anew_with_the_next(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "CLOSED", 0.3)
    rounds = [0]

    def count() -> Found:
        rounds.append(0)
        while True:
            rounds[-1] += 1

    def counts(times: int) -> bool:
        return len(rounds) == times + 1 and rounds[-1] > 0

    def grows() -> bool:
        before = list(rounds)
        time.sleep(0.05)
        return rounds != before

    with previewing(pack, count) as device:
        for page in (1, 2):
            with device.following() as events:
                until(events, lambda state: state["products"])
                waited_for(partial(counts, page))
                time.sleep(0.4)
                assert grows(), "somebody looks"
            waited_for(lambda: not grows())


def waited_for(look: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < end
        time.sleep(0.01)


ENDLESS = """
from generator.cli import check_, main
def count(*packs):
    print("counting", flush=True)
    while True:
        pass
check_.looked_over = count
main(["serve", "--preview", "mine"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_the_preview_while_something_is_counted(pack: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ENDLESS]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, cwd=pack.parent, env=environment) as server:
        assert server.stdout is not None and server.stderr is not None
        link = urlsplit(server.stdout.readline().strip())
        with Device(link.port or 0, link.query.partition("=")[2]).following():
            assert server.stdout.readline() == "counting\n"
            begun = time.monotonic()
            server.send_signal(signal.SIGINT)
            assert server.wait(PATIENCE) == 0 and time.monotonic() - begun < 5
            assert "Traceback" not in server.stderr.read()


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_shows_a_pack_with_its_own_template(pack: Path, tmp_path: Path) -> None:
    (pack / "templates").mkdir()
    (pack / "templates" / "card.j2").write_text("title: Nobody\n", encoding="utf-8")
    for trust in ((), ("--trust",)):
        said = run("check", "mine", *trust).err.splitlines()
        server, device = serve(tmp_path / "home", "--preview", str(pack), *trust)
        try:
            with device.following() as events:
                state = until(events, checked)
            assert [place.replace(f"{tmp_path}/", "") for place in places(state)] == said != []
        finally:
            server.terminate()
            _, err = server.communicate(timeout=10)
        assert "Traceback" not in err


def test_house_rules_are_shown_too(pack: Path, tmp_path: Path) -> None:
    panel = '{title: "Over {limit}, massive over {massive}", blocks: [{block: tracks}]}'
    (pack / "screen.yaml").write_text(f"title: GM screen\npanels: [{panel}]\n", encoding="utf-8")
    more = ("--set", "massive=10", "--set", "limit=18")
    server, device = serve(tmp_path / "home", "--preview", str(pack), *more)
    try:
        with device.following() as events:
            state = until(events, checked)
            assert (state["title"], state["faults"]) == ("Mine", [])
            first = next(iter(items(state, "screen").values()))
            assert first["title"] == "Over 18, massive over 10"
    finally:
        server.terminate()
        server.communicate(timeout=10)
    wrong = run("serve", "--preview", "mine", "--set", "limti=18")
    assert wrong.code == 2 and wrong.err.endswith('did you mean "limit"?\n')


@pytest.mark.parametrize(
    "more",
    [("hackjack",), ("--campaign", "red-keep"), ("--seed", "4"), ("--pack", "mine")],
    ids=lambda more: more[0],
)
@pytest.mark.usefixtures("pack")
def test_a_preview_is_no_campaign(more: tuple[str, ...]) -> None:
    done = run("serve", *more, "--preview", "mine")
    called = more[0] if more[0].startswith("--") else "SYSTEM"
    assert done.code == 2 and done.err == f"--preview shows a pack to its author, and no campaign: leave {called} out\n"


@pytest.mark.usefixtures("pack")
def test_a_folder_that_is_not_there_is_said() -> None:
    done = run("serve", "--preview", "nowhere")
    assert done.code == 1 and done.err == "nowhere: folder not found. Name one that holds a system.yaml\n"

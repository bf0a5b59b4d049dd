"""A pack open in the studio while somebody writes it: its errors beside its cards, `hackjack serve --preview`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run
from PIL import Image
from serve.test_serve import EXAMPLES, serve
from served import Device, studying

from generator.base import files
from generator.games.card_products import card_set_names
from generator.layout import sheets
from generator.orders import png
from generator.pack import pack_locations
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.products import deck, products_of
from generator.studio.pictures import CARD_DPI, Pictures
from generator.studio.uploads import reread

State = dict[str, Any]


@dataclass
class Author:
    """Somebody who writes a pack and looks at it."""

    folder: Path
    device: Device

    def told(self, path: str = "system?of=mine") -> Any:
        """What the studio tells."""
        status, told, _ = self.device.ask(f"/api/{path}")
        assert status == 200, told
        return told

    def rewrites(self, file: str, old: str, new: str) -> State:
        """Change a file; gives what is told then."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        state: State = self.told()
        return state

    def checked(self) -> list[str]:
        """Everything that is wrong, as `hackjack check` writes it."""
        return [f"{each['where']}: {each['says']}" for each in self.told("check?of=mine") if not each["warning"]]


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack that changes one card of Hackjack and lies outside the packs folder."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--extends").code == 0
    return tmp_path / "mine"


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Author]:
    """The studio with such a pack open. Each test leaves the pack sound."""
    here = tmp_path_factory.mktemp("author")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(here / "home"))
        patch.chdir(here)
        assert run("new", "mine", "--extends").code == 0
        patch.setenv(pack_locations.BESIDE, str(here / "mine"))
        with studying() as (_, device):
            author = Author(here / "mine", device)
            assert not author.told()["stale"]
            yield author


def cards(state: State, product: str = "deck") -> dict[str, State]:
    found = next(each for each in state["products"] if each["name"] == product)
    return {item["id"]: item for item in found["items"]}


def faults_of(pack: Path) -> list[str]:
    return errors_in(run("check", str(pack)).err)


def errors_in(written: str) -> list[str]:
    return [line for line in written.splitlines() if ": warning: " not in line]


# --- cards -----------------------------------------------------------------------------------------------------------


def test_every_card_is_told_with_its_place_and_drawn_as_it_is_printed(author: Author) -> None:
    state = author.told()
    assert (state["title"], state["own"], state["stale"], state["found"]) == ("Mine", True, False, [])
    assert author.told("shelf")[-1] == "mine", "it stands on the shelf wherever it lies"
    ours, theirs = cards(state)["deck/AC"], cards(state)["deck/2C"]
    assert (ours["title"], ours["where"]) == ("Winded", "mine/deck.yaml:4:3")
    file, line, _ = theirs["where"].rsplit(":", 2)
    assert "2C" in Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    _, raw, _ = author.device.ask("/api/picture?system=mine&of=deck/QS")
    options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], backs="none", only=("QS",))
    (printed,) = png.page_pictures(deck.singles(load_pack(author.folder).system, options), CARD_DPI)
    assert Image.open(BytesIO(raw)).convert("RGB").tobytes() == printed.dots


@pytest.mark.parametrize("folder", [find("fiftytwo"), *EXAMPLES], ids=lambda path: path.name)
def test_the_cards_of_every_kind_are_drawn(folder: Path) -> None:
    pack, pictures = load_pack(folder), Pictures()
    products, faults = pictures.products(pack)
    assert faults == () and [each.name for each in products] == list(products_of(pack.system))
    assert [each.cards for each in products] == [each.name in card_set_names(pack.system) for each in products]
    for item in (item for product in products if product.cards for item in (product.items[0], product.items[-1])):
        assert pictures.draw(item.id).startswith(b"\x89PNG"), item.id
        assert item.place.line > 0 and (ROOT / item.place.file).is_file()


def test_a_pack_that_is_called_otherwise_than_its_system_is_not_shown_as_that(author: Author) -> None:
    state = author.rewrites("system.yaml", "id: mine", "id: glog")
    assert state["stale"] and 'holds the system "glog": name the folder so, or write id: mine' in str(state["found"])
    assert not author.rewrites("system.yaml", "id: glog", "id: mine")["stale"]


def test_only_what_changed_is_drawn_anew(author: Author) -> None:
    before = author.told()
    after = author.rewrites("deck.yaml", "name: Winded", "name: Out of breath")
    changed = [at for at, item in cards(after).items() if item["stamp"] != cards(before)[at]["stamp"]]
    assert changed == ["deck/AC"] and cards(after)["deck/AC"]["title"] == "Out of breath"
    moved = author.rewrites("deck.yaml", "cards:", "# One more line\ncards:")
    assert [item["stamp"] for item in cards(moved).values()] == [item["stamp"] for item in cards(after).values()]
    assert cards(moved)["deck/AC"]["where"] == "mine/deck.yaml:5:3"
    author.rewrites("deck.yaml", "# One more line\n", "")
    author.rewrites("deck.yaml", "Out of breath", "Winded")


def test_a_file_that_another_took_the_place_of_has_another_stamp(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(5, 5))
    before = files.file_stamps([tmp_path / "one", tmp_path / "gone", tmp_path / "one\0"])
    (tmp_path / "two").replace(tmp_path / "one")
    assert before.keys() == {tmp_path / "one"}
    assert files.file_stamps([tmp_path / "one"]) != before


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pictures_of_before_stay_while_a_file_cannot_be_read(author: Author) -> None:
    author.rewrites("deck.yaml", "suffer knocked_back", "suffer knocked")
    state = author.rewrites("deck.yaml", "name: Winded", "nam: Winded")
    assert state["stale"] and "nam" in state["found"][0]["says"]
    checked = author.checked()
    assert checked == faults_of(author.folder)
    assert len(checked) > 1, "a name that is misspelt hides no condition that there is not"
    assert len(cards(state)) == 54 and author.device.ask("/api/picture?system=mine&of=deck/AC")[0] == 200
    assert author.told("spine?of=mine")["faults"], "on the shelf the errors stand in its place"
    author.rewrites("deck.yaml", "suffer knocked", "suffer knocked_back")
    state = author.rewrites("deck.yaml", "nam: Winded", "name: Winded")
    assert not state["stale"] and state["found"] == author.checked() == []


FAULTY: dict[str, tuple[str, str, str, list[str]]] = {
    "condition": ("deck.yaml", "suffer knocked_back", "suffer knocked", ["deck/AC"]),
    "letter": ("deck.yaml", "name: Winded", "name: Winded ᚠ", ["deck/AC"]),
    "length": ("deck.yaml", "name: Winded", f"name: {'W' * 70}", ["deck/AC"]),
    "picture": ("system.yaml", "id: mine", "id: mine\nart: {back: back.png}", []),
}
"""What is written for what in a file, and the cards in which the error stands."""


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "stands_in"), FAULTY.values(), ids=FAULTY)
def test_errors_are_those_of_check_and_name_the_cards_they_stand_in(
    author: Author, file: str, old: str, new: str, stands_in: list[str]
) -> None:
    state = author.rewrites(file, old, new)
    found = [each for each in author.told("check?of=mine") if not each["warning"]]
    said = faults_of(author.folder)
    assert said and [f"{each['where']}: {each['says']}" for each in found] == said
    assert [at for each in found for at in each["items"]] == stands_in
    for at in stands_in:
        assert state["found"][0]["items"] == [at], "what keeps a card from being printed is told at once"
        assert cards(state)[at]["drawn"] is state["stale"] and cards(state)["deck/2C"]["drawn"] is True
    assert author.rewrites(file, new, old)["found"] == []


@pytest.mark.slow
def test_a_panel_that_does_not_fit_is_told_as_one_of_its_product(author: Author) -> None:
    ours = (ROOT / "content" / "hackjack" / "sheet.yaml").read_text(encoding="utf-8")
    sheet = author.folder / "sheet.yaml"
    sheet.write_text(ours.replace("name: notes, lines: 6", "name: notes, lines: 20"), encoding="utf-8")
    author.told()
    (found,) = (each for each in author.told("check?of=mine") if not each["warning"])
    assert found["items"] == ["sheet"] and "fit" in found["says"]
    assert author.checked() == faults_of(author.folder)
    sheet.unlink()
    assert author.told()["found"] == []


@pytest.mark.slow
def test_an_error_may_be_mended_in_a_spreadsheet_that_nothing_has_read_yet(author: Author) -> None:
    table, decks = author.folder / "scars.csv", author.folder / "decks.yaml"
    table.write_text("code,name,flavour\nS1,Scar,\nS2,,\n", encoding="utf-8")
    decks.write_text("decks:\n- {id: scars, title: Scars, csv: scars.csv}\n", encoding="utf-8")
    assert author.told()["stale"] and author.checked() == faults_of(author.folder) != []
    table.write_text("code,name\nS1,A scar\n", encoding="utf-8")
    assert cards(author.told(), "scars")["scars/S1"]["title"] == "A scar"
    decks.unlink()
    assert author.checked() == []


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("serve", "--preview"), ("studio", "--no-open", "--pack")], ids=lambda words: words[0]
)
def test_the_command_opens_a_pack(words: tuple[str, ...], pack: Path, tmp_path: Path) -> None:
    said = errors_in(run("check", "mine").err)
    server, device = serve(tmp_path / "home", *words[1:], str(pack), command=words[0])
    try:
        author = Author(pack, device)
        assert [line.replace(f"{tmp_path}/", "") for line in author.checked()] == said
    finally:
        server.terminate()
        _, err = server.communicate(timeout=10)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "more",
    [("hackjack",), ("--campaign", "red-keep"), ("--seed", "4"), ("--pack", "mine"), ("--lan",), ("--set", "limit=18")],
    ids=lambda more: more[0],
)
@pytest.mark.usefixtures("pack")
def test_a_preview_is_no_campaign(more: tuple[str, ...]) -> None:
    done = run("serve", *more, "--preview", "mine")
    called = more[0] if more[0].startswith("--") else "SYSTEM"
    says = f"--preview shows a pack to its author, on this computer alone: leave {called} out\n"
    assert (done.code, done.err) == (2, says)


def test_a_folder_that_cannot_be_opened_is_told(pack: Path) -> None:
    done = run("serve", "--preview", "nowhere")
    assert done.code == 1 and done.err == "nowhere: folder not found. Name one that holds a system.yaml\n"
    pack.rename("my-pack")
    done = run("studio", "--pack", "my-pack")
    assert done.code == 2 and "my-pack: rename this folder" in done.err


@pytest.mark.parametrize(
    ("platform", "name"),
    [("linux", "Hackjack studio.desktop"), ("darwin", "Hackjack studio.command"), ("win32", "Hackjack studio.cmd")],
)
def test_a_shortcut_opens_the_studio_with_a_double_click(
    platform: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr("sys.executable", '/opt/100 %/"hackjack"/python' if platform == "linux" else "/opt/a b/python")
    done = run("studio", "--shortcut", tmp_path)
    path = tmp_path / name
    assert done.code == 0 and done.out.strip() == str(path)
    text = path.read_text(encoding="utf-8")
    calls = {
        "linux": 'Exec="/opt/100 %%/\\\\"hackjack\\\\"/python" -P -m generator studio\n',
        "darwin": "exec '/opt/a b/python' -P -m generator studio\n",
        "win32": '"/opt/a b/python" -P -m generator studio\n',
    }
    assert calls[platform] in text
    assert platform == "win32" or path.stat().st_mode & 0o111


def test_no_process_runs_what_lies_in_the_folder_where_hackjack_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "generator").mkdir()
    (tmp_path / "generator" / "__init__.py").write_text("raise SystemExit(9)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    drawn = BytesIO()
    Image.new("RGB", (20, 20)).save(drawn, "PNG")
    assert asyncio.run(reread(drawn.getvalue(), tmp_path)).exists()
    begun = [path for path in (ROOT / "generator").rglob("*.py") if '"-m"' in path.read_text(encoding="utf-8")]
    assert begun and all(
        line.count('"-m"') == line.count('"-P", "-m"')
        for path in begun
        for line in path.read_text(encoding="utf-8").splitlines()
    )

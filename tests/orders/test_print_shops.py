"""What one call makes for a print shop, for all targets, and for programs; and what it says of a disk that is full."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from helpers import ROOT, few_quick, page_texts, reader, run
from PIL import Image

from generator.layout.targets import targets_by_name
from generator.orders.editions import order_page

KEEN = ROOT / "docs" / "examples" / "keen"
SOME = ("--only", "1,2,3,bleeding,burning")

# --- the parcel for a shop -------------------------------------------------------------------------------------------


def parcel(folder: Path, target: str, *more: str) -> dict[str, bytes]:
    """The files of the zip that a shop gets, by their names."""
    ran = run("print", "hackjack", "deck", "--target", target, "--only", "QS,AC", *more, "-o", folder)
    assert (ran.code, ran.err) == (0, "")
    with ZipFile(folder / f"hackjack-deck-{target}.zip") as found:
        assert found.testzip() is None
        return {name: found.read(name) for name in found.namelist()}


def text_of(pdf: bytes) -> str:
    return " ".join(page_texts(pdf))


@pytest.mark.parametrize(("target", "size"), few_quick(1, [("mpc", (822, 1122)), ("tgc", (825, 1125))]))
def test_pictures_are_numbered_as_the_deck_lies(target: str, size: tuple[int, int], tmp_path: Path) -> None:
    files = parcel(tmp_path, target)
    assert list(files) == [
        *("ORDER.md", "fronts/001-AC.png", "fronts/002-QS.png", "back/back.png"),
        *("extras/how-to-read.png", "extras/rules.png", "box-a4.pdf", "box-letter.pdf"),
    ]
    beside = tmp_path / f"hackjack-deck-{target}"
    assert files["fronts/002-QS.png"] == (beside / "QS.png").read_bytes()
    assert files["ORDER.md"] == (beside / "ORDER.md").read_bytes()
    assert f"## What is in hackjack-deck-{target}.zip\n" in files["ORDER.md"].decode()
    for name in (each for each in files if each.endswith(".png")):
        with Image.open(BytesIO(files[name])) as picture:
            assert (name, picture.size) == (name, size)
    assert "52 cards" in text_of(files["box-letter.pdf"])


def test_the_card_shop_gets_process_inks_and_the_rules_apart(tmp_path: Path) -> None:
    files = parcel(tmp_path, "drivethru")
    assert list(files) == [
        *(
            "ORDER.md",
            "fronts and backs/hackjack-deck-drivethru.pdf",
            "extras/extras.pdf",
            "box-a4.pdf",
            "box-letter.pdf",
        )
    ]
    assert "How to read a card" in text_of(files["extras/extras.pdf"])
    assert len(reader(files["fronts and backs/hackjack-deck-drivethru.pdf"]).pages) == 4


def test_extras_that_are_asked_for_are_cards_of_the_deck(tmp_path: Path) -> None:
    files = parcel(tmp_path, "tgc", "--extras")
    assert [name for name in files if name.startswith("fronts/")][-1] == "fronts/004-rules.png"
    assert not any(name.startswith("extras/") for name in files)
    assert "Upload all 4 files" in files["ORDER.md"].decode()


def test_the_same_call_makes_the_same_parcel(tmp_path: Path) -> None:
    one, two = (parcel(tmp_path / name, "drivethru") for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize("name", ["mpc", "tgc", "drivethru"])
def test_the_steps_say_size_stock_and_quantity(name: str) -> None:
    target = targets_by_name()[name]
    shop = target.order
    assert set(shop.sizes) == set(getattr(target, "canvases", None) or target.cards)
    for size, called in shop.sizes.items():
        text = order_page(shop, "Trial: deck", size, 54, "trial.zip", [("fronts", "the cards")])
        assert called in text
        assert shop.stock in text
        assert "54" in text
        assert not re.search(r"[{}]", text)


def test_a_title_is_no_markup_in_the_steps() -> None:
    text = order_page(targets_by_name()["mpc"].order, "*A* [b](c) <i>", "poker", 18, "trial.zip", [])
    assert text.startswith(r"# \*A\* \[b\](c) &lt;i&gt; at ")


@pytest.mark.parametrize(
    ("cards", "says"), [(18, "up to 18 cards"), (56, "up to 72 cards"), (613, "Order it in parts")]
)
def test_a_shop_sells_decks_of_certain_sizes(cards: int, says: str) -> None:
    shop = targets_by_name()["mpc"].order
    assert says in order_page(shop, "Trial: deck", "poker", cards, "trial.zip", [])


# --- every target ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_target_has_a_folder(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "deck", "reference", "--target", "all", "--only", "QS", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    written = {Path(line).relative_to(tmp_path) for line in ran.out.splitlines()}
    assert {path.parts[0] for path in written} == set(targets_by_name()) == {path.name for path in tmp_path.iterdir()}
    assert {path.parts[0] for path in written if "reference" in path.name} == {"home"}
    assert Path("png/hackjack-deck-png/QS.png") in written
    assert Path("l7651/hackjack-deck-l7651.pdf") in written


def leave_targets(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Leave these targets alone, so that `--target all` is quick."""
    every = targets_by_name()
    few = {name: every[name] for name in names}
    for module in [each for each in sys.modules.values() if getattr(each, "targets_by_name", None) is targets_by_name]:
        monkeypatch.setattr(module, "targets_by_name", lambda: few)


def test_each_target_ignores_options_that_it_does_not_support(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_targets(monkeypatch, "home", "l7651", "png", "drivethru")
    ran = run(
        "print", "hackjack", "deck", "--target", "all", "--only", "QS", "--card", "tarot", "--dpi", "50", "-o", tmp_path
    )
    assert ran.code == 0, "what cannot fit by its nature is no failure"
    assert {path.name for path in tmp_path.iterdir()} == {"home", "l7651", "png"}, "every target has a folder"
    assert ran.faults == [
        "drivethru: nobody has checked what drivethru asks of tarot cards: choose --card poker, or print them with "
        "--target png or --target single"
    ]
    with Image.open(tmp_path / "png/hackjack-deck-png/QS.png") as picture:
        assert picture.size == (138, 238)


@pytest.mark.slow
def test_a_system_goes_out_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_targets(monkeypatch, "home", "json", "png")
    ran = run("print", "keen", "--pack", KEEN, "--target", "all", "--only", "1", "--dpi", "36", "-o", tmp_path)
    assert ran.code == 0
    assert (tmp_path / "json/keen-all-json/system.json").is_file()
    assert (tmp_path / "home/keen-box.pdf").is_file()
    assert not list(tmp_path.glob("png/*box*"))


@pytest.mark.parametrize(
    ("call", "says"),
    [("deck --target all --format md", "--format md is for reading: leave --target out, which is for paper")],
)
def test_what_goes_not_together(call: str, says: str, tmp_path: Path) -> None:
    ran = run("print", "hackjack", *call.split(), "-o", tmp_path)
    assert (ran.code, ran.faults) == (2, [says])


def test_where_nothing_fits_it_is_a_failure(tmp_path: Path) -> None:
    ran = run("print", "keen", "nothing", "--pack", KEEN, "--target", "all", "-o", tmp_path)
    assert (ran.code, len(ran.faults)) == (2, 1)
    assert 'keen has no product "nothing"' in ran.err


# --- the manifest ----------------------------------------------------------------------------------------------------


def test_programs_get_one_manifest(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "deck", "screen", "--only", "QS", "--json", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    made = json.loads(ran.out)
    assert made["left_out"] == []
    cards, screen = made["files"]
    assert cards["file"] == str(tmp_path / "hackjack-deck.pdf")
    assert (cards["product"], cards["target"], cards["size"], cards["pages"]) == ("deck", "home", [210, 297], 2)
    assert cards["bytes"] == (tmp_path / "hackjack-deck.pdf").stat().st_size
    assert screen["size"] == [297, 210]


def test_the_manifest_has_pictures_and_what_was_left_out(tmp_path: Path) -> None:
    ran = run("print", "deadlands", "fate-injuries", "--target", "5167", "--json", "-o", tmp_path)
    assert ran.code == 1
    assert json.loads(ran.out)["left_out"] == [{"product": "fate-injuries", "target": "5167", "why": ran.faults[0]}]
    ran = run("print", "hackjack", "deck", "--target", "png", "--only", "QS", "--dpi", "50", "--json", "-o", tmp_path)
    card, back = json.loads(ran.out)["files"]
    assert (card["size"], card["pages"], Path(back["file"]).name) == ([63.5, 88.9], 1, "back.png")


# --- a disk that is full ---------------------------------------------------------------------------------------------


def test_a_full_disk_in_the_middle_of_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, calls = os.fsync, 0

    def full(handle: int) -> Any:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    call = ("print", "keen", "criticals", "states", "--pack", KEEN, "--target", "png", "--dpi", "36", "--jobs", "1")
    ran = run(*call, *SOME, "-o", tmp_path)
    written = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert ran.code == 1
    assert sorted(map(Path, ran.out.splitlines())) == written, "what is whole stays and is told"
    assert len(written) == 3
    (told,) = ran.faults
    assert ": No space left on device; missing too: the rest of keen criticals for png, keen states for png" in told


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_has_room_on_a_full_disk_is_not_called_missing(
    jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def full_for_states(handle: int) -> Any:
        if "states" in str(Path(f"/proc/self/fd/{handle}").readlink()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return sync(handle)

    monkeypatch.setattr(os, "fsync", full_for_states)
    call = ("print", "keen", "criticals", "states", "slashes", "--pack", KEEN, "--jobs", jobs)
    ran = run(*call, *SOME, "-o", tmp_path)
    assert ran.code == 1
    assert [Path(line).name for line in ran.out.splitlines()] == ["keen-criticals.pdf", "keen-slashes.pdf"]
    assert {path.name for path in tmp_path.iterdir()} == {"keen-criticals.pdf", "keen-slashes.pdf"}
    (told,) = ran.faults
    assert told.endswith("keen-states.pdf: cannot be written: No space left on device")

"""Printing only what changed: what a print keeps, which cards are printed anew, and what is told of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import ROOT, reader, run
from PIL import Image

from generator.orders.ledger import KeptCard, compare_cards

DECK = """\
decks:
  - id: omens
    title: Omens
    cards:
      - {code: w1, name: Crow, note: A crow watches, copies: 3}
      - {code: w2, name: Fog, note: Mist comes in, art: art/fog.png}
      - {code: w3, name: Bell, note: A bell rings}
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with hackjack's deck, and a deck of its own: a card in three copies, and one with a picture."""
    folder = tmp_path / "grim"
    (folder / "art").mkdir(parents=True)
    (folder / "system.yaml").write_text("extends: hackjack\nid: grim\ntitle: Grim\nversion: '1.0'\n")
    shutil.copy(ROOT / "content" / "hackjack" / "deck.yaml", folder / "deck.yaml")
    (folder / "decks.yaml").write_text(DECK)
    picture(folder, "navy")
    return folder


def picture(folder: Path, colour: str) -> None:
    Image.new("RGB", (900, 900), colour).save(folder / "art" / "fog.png")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def names_printed(path: Path, *names: str) -> dict[str, int]:
    """How often each of the names stands on the pages of a PDF."""
    text = " ".join(" ".join(page.extract_text().split()) for page in reader(path.read_bytes()).pages)
    return {name: text.count(name) for name in names if name in text}


OMENS = Path("out/grim-omens.pdf")


def omens(*more: str) -> list[str]:
    """What is said of printing the small deck, each time onto a clean table."""
    OMENS.unlink(missing_ok=True)
    ran = run("print", "grim", "omens", "--pack", "grim", "-o", "out", *more)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.splitlines()


@pytest.mark.usefixtures("pack")
def test_nothing_is_printed_where_nothing_changed() -> None:
    assert omens() == [str(OMENS)]
    assert omens("--since-last") == ["grim omens: no card has changed since the last print"]
    assert not OMENS.exists()


def test_the_cards_that_changed_are_printed_and_told(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "A bell rings", "A bell falls silent")
    assert omens("--since-last") == [
        "grim omens: 1 card has changed since the last print",
        '  w3, Bell: was "A bell rings.", is "A bell falls silent."',
        str(OMENS),
    ]
    assert names_printed(OMENS, "Crow", "Fog", "Bell") == {"Bell": 1}
    # That was a print as well.
    assert omens("--since-last") == ["grim omens: no card has changed since the last print"]


@pytest.mark.usefixtures("pack")
def test_the_first_print_has_all_cards() -> None:
    assert omens("--since-last") == [
        "grim omens: no print of it is kept yet, so all of its cards are new",
        str(OMENS),
    ]
    assert names_printed(OMENS, "Crow", "Fog", "Bell") == {"Crow": 3, "Fog": 1, "Bell": 1}


def test_copies_that_are_missing_are_printed(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "copies: 3", "copies: 5")
    assert omens("--since-last")[1] == "  w1, Crow: 5 in the set, were 3"
    assert names_printed(OMENS, "Crow", "Fog", "Bell") == {"Crow": 2}
    edit(pack / "decks.yaml", "copies: 5", "copies: 2")
    assert omens("--since-last") == [
        "grim omens: no card has changed since the last print",
        "  w1, Crow: 2 in the set, were 5",
    ]
    edit(pack / "decks.yaml", "A crow watches", "Two crows watch")
    told = omens("--since-last")
    assert told[1] == '  w1, Crow: was "A crow watches.", is "Two crows watch."; 2 in the set, were 5'
    assert names_printed(OMENS, "Crow") == {"Crow": 2}


def test_a_new_card_is_printed_and_one_that_is_gone_is_told_once(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "{code: w3, name: Bell, note: A bell rings}", "{code: w4, name: Owl, note: An owl calls}")
    assert omens("--since-last") == [
        "grim omens: 1 card has changed since the last print",
        "  w4, Owl: new",
        "  w3, Bell: no longer in the set",
        str(OMENS),
    ]
    assert names_printed(OMENS, "Crow", "Fog", "Bell", "Owl") == {"Owl": 1}
    assert omens("--since-last") == ["grim omens: no card has changed since the last print"]


def test_a_picture_with_other_dots_is_another_face(pack: Path) -> None:
    omens()
    picture(pack, "maroon")
    assert omens("--since-last")[1] == "  w2, Fog: its picture or emblem has changed"
    assert names_printed(OMENS, "Crow", "Fog", "Bell") == {"Fog": 1}


@pytest.mark.usefixtures("pack")
def test_how_a_card_is_printed_is_no_change_of_it() -> None:
    omens()
    for look in (["--ink", "saver"], ["--card", "tarot"], ["--text", "large"], ["--theme", "night"]):
        assert omens("--since-last", *look) == ["grim omens: no card has changed since the last print"]


def test_a_print_of_some_cards_leaves_the_others_as_they_were(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "A bell rings", "A bell falls silent")
    edit(pack / "decks.yaml", "Mist comes in", "Mist lifts")
    omens("--only", "w3")
    assert omens("--since-last") == [
        "grim omens: 1 card has changed since the last print",
        '  w2, Fog: was "Mist comes in.", is "Mist lifts."',
        str(OMENS),
    ]


def test_only_those_of_the_changed_cards_that_are_named(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "A bell rings", "A bell falls silent")
    edit(pack / "decks.yaml", "Mist comes in", "Mist lifts")
    assert len(omens("--since-last", "--only", "w2")) == 3
    assert names_printed(OMENS, "Crow", "Fog", "Bell") == {"Fog": 1}
    assert omens("--since-last")[1].startswith("  w3, Bell: was")


@pytest.mark.parametrize("target", ["l7160", "png", "csv", "pcio"])
def test_every_target_is_given_the_changed_cards_alone(pack: Path, target: str) -> None:
    omens()
    edit(pack / "decks.yaml", "A bell rings", "A bell falls silent")
    ran = run("print", "grim", "--pack", "grim", "omens", "--since-last", "--target", target, "-o", "out")
    assert ran.code == 0
    assert ran.out.startswith("grim omens: 1 card has changed")
    made = [path for path in Path("out").rglob("*") if path.is_file() and path != OMENS]
    assert made
    assert not [path for path in made if path.stem in ("w1", "w2")]
    if target == "csv":
        assert [row.split(",")[1] for row in made[0].read_text().splitlines()[1:]] == ["Bell"]
        # A table of data is no print.
        assert omens("--since-last")[0] == "grim omens: 1 card has changed since the last print"


def test_all_sets_of_an_archive(pack: Path) -> None:
    assert run("pack", "grim", "-o", ".").code == 0
    first = run("print", "grim", "--pack", "grim.zip", "-o", "out", "deck", "omens")
    assert first.code == 0
    edit(pack / "deck.yaml", "name: Carved", "name: Carved up")
    assert run("pack", "grim", "-o", ".").code == 0
    ran = run("print", "grim", "--pack", "grim.zip", "-o", "new", "--since-last")
    assert ran.out.splitlines() == [
        "grim deck: 1 card has changed since the last print",
        '  QS, Carved up: was "Queen of spades: Carved", is "Queen of spades: Carved up"',
        "grim omens: no card has changed since the last print",
        str(Path("new/grim-deck.pdf")),
    ]
    assert [path.name for path in Path("new").iterdir()] == ["grim-deck.pdf"]


def test_two_systems_on_one_deck() -> None:
    call = ("print", "hackjack+deadlands", "deck", "-o", "out")
    assert run(*call, "--only", "QS,KS").code == 0
    ran = run(*call, "--only", "QS,KS", "--since-last")
    assert (ran.code, ran.out) == (0, "hackjack+deadlands deck: no card has changed since the last print\n")


LEDGER = Path("home/printed/grim.json")


@pytest.mark.parametrize(
    ("change", "options", "sentence"),
    [
        (lambda good: good[: len(good) // 2], [], "grim.json is not a ledger of prints: "),
        (lambda good: good.replace(b'"grim"', b'"hackjack"', 1), [], "keeps what was printed of hackjack, not of grim"),
        (lambda good: good.replace(b'"version": 1', b'"version": 2'), [], "was written by a newer version of hackjack"),
        (bytes, ["--from", "night"], "--since-last compares what the content says, and --from prints a campaign"),
        (bytes, ["--extras"], "--since-last compares the cards of a set, and --extras are none"),
        (bytes, ["--format", "md"], "--format md is for reading: leave --since-last out"),
    ],
)
@pytest.mark.usefixtures("pack")
def test_what_cannot_be_compared_is_one_sentence(
    change: Callable[[bytes], bytes], options: list[str], sentence: str
) -> None:
    omens()
    OMENS.unlink()
    LEDGER.write_bytes(before := change(LEDGER.read_bytes()))
    ran = run("print", "grim", "omens", "--pack", "grim", "-o", "out", "--since-last", *options)
    assert ran.code in (1, 2)
    (fault,) = ran.faults
    assert sentence in fault
    assert not OMENS.exists()
    assert LEDGER.read_bytes() == before


def test_a_panel_has_no_cards_to_compare() -> None:
    ran = run("print", "hackjack", "screen", "deck", "--since-last", "-o", "out")
    assert (ran.code, ran.err) == (2, "sets of cards are compared with what was printed before: leave screen out\n")


@pytest.mark.usefixtures("pack")
def test_a_print_is_made_though_it_cannot_be_kept() -> None:
    home = Path("home/printed")
    home.mkdir(parents=True)
    (home / "grim.json").write_bytes(b"scribbles")
    ran = run("print", "grim", "omens", "--pack", "grim", "-o", "out")
    assert (ran.code, OMENS.exists()) == (0, True)
    assert ran.err.startswith("warning: the record of this print was not saved: ")
    assert "grim.json is not a ledger of prints: " in ran.err
    assert ran.err.endswith(": take it away, and the next print begins a new one\n")
    assert (home / "grim.json").read_bytes() == b"scribbles"
    shutil.rmtree(home)
    home.write_bytes(b"")
    ran = run("print", "grim", "omens", "--pack", "grim", "-o", "out")
    assert (ran.code, OMENS.exists()) == (0, True)
    assert ran.err.startswith("warning: the record of this print was not saved: ")


@pytest.mark.usefixtures("pack")
def test_a_ledger_of_a_stranger_steers_no_terminal() -> None:
    omens()
    kept = json.loads(LEDGER.read_text())
    kept["sets"]["omens"]["w3"]["says"] = ["\x1b[2J\nAll is well."]
    LEDGER.write_text(json.dumps(kept))
    line = omens("--since-last")[1]
    assert "\x1b" not in line
    assert "[2J\\nAll is well." in line


def test_a_manifest_stays_one_document(pack: Path) -> None:
    omens()
    edit(pack / "decks.yaml", "A bell rings", "A bell falls silent")
    ran = run("print", "grim", "omens", "--pack", "grim", "-o", "out", "--since-last", "--json")
    assert [file["product"] for file in json.loads(ran.out)["files"]] == ["omens"]
    assert ran.faults[0] == "grim omens: 1 card has changed since the last print"


def test_what_is_said_of_a_card() -> None:
    old = KeptCard("Crow", ("Crow", "It watches.", "It waits."), "watch")

    def said(*says: str, short: str = "watch") -> str:
        (line,) = compare_cards({"c": old}, {"c": KeptCard("Crow", says, short)}, ["c"]).lines
        return line.removeprefix("c, Crow: ")

    assert said("Crow", "It watches.") == 'no longer says "It waits."'
    assert said("Crow", "It watches.", "It waits.", "It leaves.") == 'now also says "It leaves."'
    assert said("Crow", "It waits.", "It watches.") == "its lines are in a different order"
    assert said("Crow", "It watches.", "It waits.", short="see") == 'in short was "watch", is "see"'
    assert said("Crow", "It goes.") == 'was "It watches. It waits.", is "It goes."'

"""One file for a first evening, and one word for everything: what is in them, and how it is printed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, few_quick, once_a_run, page_texts, pictures, product_pdf, reader, run
from pypdf import PdfReader
from tagged import tagging_faults, tree

from generator.products import starter

KEEN, SCARS = (ROOT / "docs" / "examples" / name for name in ("keen", "scars"))


FEW = {
    "hackjack": ("--only", "QS"),
    "jackrealms": ("--only", "QS"),
    "deadlands": ("--only", "QS,charm-1"),
    "glog": ("--only", "prone,arm-1,breakdown-1,madness-1"),
    "fiftytwo": ("--only", "alan,alphonse,bottom-card,add-a-card,pile-pool"),
}
"""A card or two of each set."""


def starter_of(folder: Path, system: str, *options: str) -> bytes:
    """The starter of a system, printed once a run."""

    def make() -> bytes:
        ran = run("print", system, "starter", *options, "-o", folder)
        assert (ran.code, ran.err) == (0, "")
        (path,) = map(Path, ran.out.splitlines())
        assert path.name.startswith(f"{system}-starter")
        return path.read_bytes()

    return once_a_run(make, "starter", system, options)


def bookmarks(pdf: bytes) -> dict[str, int]:
    """The bookmarks of the parts, each with the number of its page from 1; those inside a part are left out."""
    found = reader(pdf)
    tops: list[Any] = [mark for mark in found.outline if not isinstance(mark, list)]
    assert len({mark.title for mark in tops}) == len(tops)
    return {str(mark.title): (found.get_destination_page_number(mark) or 0) + 1 for mark in tops}


LONG = [pytest.param(system, marks=pytest.mark.slow) for system in ("jackrealms", "deadlands", "fiftytwo", "glog")]


@pytest.mark.parametrize("system", ["hackjack", *LONG])
def test_each_part_has_a_bookmark_and_begins_on_a_sheet_of_its_own(system: str, tmp_path: Path) -> None:
    pdf = starter_of(tmp_path, system, *FEW[system])
    title = {"fiftytwo": "52-Card Engine", "glog": "Death and Dismemberment"}.get(system, system.capitalize())
    kinds = {
        "hackjack": "deck, screen, sheet, reference, tokens",
        "jackrealms": "deck, screen, sheet, reference, tokens",
        "deadlands": "deck, tokens, screen, sheet, reference",
        "fiftytwo": "initiative, actions, piles, screen, sheet, reference, combatants, mat",
        "glog": "conditions, severity, breakdowns, madness, screen, sheet, reference, tokens",
    }[system].split(", ")
    found = bookmarks(pdf)
    assert len(found) == len(kinds)
    for kind, name in zip(kinds, found, strict=True):
        assert kind in name.casefold(), title
    assert all(page % 2 for page in found.values())
    assert tagging_faults(pdf) == []


@pytest.mark.parametrize("only", [FEW["hackjack"], pytest.param((), marks=pytest.mark.slow)])
def test_the_parts_are_what_is_printed_alone(only: tuple[str, ...], tmp_path: Path) -> None:
    bound = page_texts(starter_of(tmp_path, "hackjack", *only))
    parts = ("deck", "screen", "reference", "tokens")
    assert run("print", "hackjack", *parts, "--extras", *only, "-o", tmp_path).code == 0
    marks = bookmarks(starter_of(tmp_path, "hackjack", *only))
    for product, name in {"deck": "deck", "screen": "GM screen", "reference": "Player reference"}.items():
        alone = page_texts((tmp_path / f"hackjack-{product}.pdf").read_bytes())
        first = marks[f"Hackjack {name}"] - 1
        pages = bound[first::2] if product != "deck" else bound[first:]
        assert pages[: len(alone)] == alone
    assert "How to read a card" in bound[marks["Hackjack GM screen"] - 3]


def test_backs_of_what_has_one_side_are_blank(tmp_path: Path) -> None:
    pdf = starter_of(tmp_path, "hackjack", *FEW["hackjack"])
    marks = bookmarks(pdf)
    shown = pictures(pdf, 15)
    one_sided = range(marks["Hackjack GM screen"], marks["Hackjack tokens"])
    assert {shown[back].getextrema() == ((255, 255),) * 3 for back in one_sided[::2]} == {True}
    assert {shown[page - 1].getextrema() == ((255, 255),) * 3 for page in one_sided[::2]} == {False}
    assert root_says_duplex(pdf)
    bare = starter_of(tmp_path, "hackjack", "--plain", "--backs", "none", *FEW["hackjack"])
    assert not root_says_duplex(bare)
    assert len(reader(bare).pages) == len(shown) // 2 + 1  # of the tokens both sides are printed


def root_says_duplex(pdf: bytes) -> bool:
    """Whether a viewer is asked to print on both sides."""
    found = PdfReader.viewer_preferences.fget  # type: ignore[attr-defined]
    wishes = found(reader(pdf))
    return wishes is not None and "/Duplex" in wishes


def test_every_player_has_a_sheet_with_fields_of_its_own(tmp_path: Path) -> None:
    alone = reader(product_pdf("hackjack", "sheet", fillable=True)).get_fields() or {}
    pdf = starter_of(tmp_path, "hackjack", *FEW["hackjack"])
    bound = reader(pdf).get_fields() or {}
    names = Counter(str(name).rpartition("-")[0] or str(name) for name in bound)
    assert set(names) == {str(name) for name in alone}
    assert set(names.values()) == {starter.PLAYERS}
    read = tree(pdf)
    assert [element.said.strip() for element in read.all("H1")].count("Injury sheet") == starter.PLAYERS
    plain = starter_of(tmp_path, "hackjack", "--plain", "--backs", "none", *FEW["hackjack"])
    assert not reader(plain).get_fields()


@pytest.mark.slow
def test_two_sets_of_cards_keep_their_backs(tmp_path: Path) -> None:
    """Each set has a back of its own, and every picture is a drawing with a name."""
    pdf, few = starter_of(tmp_path, "fiftytwo", *FEW["fiftytwo"]), FEW["fiftytwo"]
    assert run("print", "fiftytwo", "initiative", "actions", "piles", "--extras", *few, "-o", tmp_path).code == 0
    marks = bookmarks(pdf)
    for product in ("initiative", "actions", "piles"):
        (at,) = (page for name, page in marks.items() if name.endswith(product))
        alone = pictures((tmp_path / f"fiftytwo-{product}.pdf").read_bytes(), 30)
        assert [page.tobytes() for page in pictures(pdf, 30)[at - 1 : at - 1 + len(alone)]] == [
            page.tobytes() for page in alone
        ]


@pytest.mark.slow
def test_letter_and_themes(tmp_path: Path) -> None:
    ran = run(
        "print", "glog", "starter", "--paper", "letter", "--theme", "parchment", "--only", "dying", "-o", tmp_path
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{tmp_path}/glog-starter-parchment.pdf\n"
    pdf = (tmp_path / "glog-starter-parchment.pdf").read_bytes()
    assert {tuple(sorted(map(float, page.mediabox[2:]))) for page in reader(pdf).pages} == {(612.0, 792.0)}
    assert not any("severity" in name for name in bookmarks(pdf))


def test_cards_of_a_starter_may_be_folded(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "starter", "--target", "fold", "--only", "QS", "--plain", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    folded = (tmp_path / "hackjack-starter-fold.pdf").read_bytes()
    assert bookmarks(folded)["Hackjack GM screen"] == 2
    assert all(page_texts(folded))


def test_a_pack_that_has_less(tmp_path: Path) -> None:
    ran = run("print", "last_hand", "starter", "--pack", KEEN.parent / "last_hand", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    parts = list(bookmarks((tmp_path / "last_hand-starter.pdf").read_bytes()))
    assert parts == ["The Last Hand wounds", "The Last Hand omens"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ("--target", "png"),
            "starter is printed at home: leave --target out, or choose one of home, home-bleed, fold",
        ),
        (("--format", "md"), "starter is made for paper alone and has no text to read: print it as a pdf"),
        (("--from", "friday"), "--from fills a sheet: write hackjack print SYSTEM sheet --from CAMPAIGN:NAME"),
        (("--only", "BC"), "--only: "),
    ],
)
def test_what_a_starter_cannot_be(call: tuple[str, ...], said: str, tmp_path: Path) -> None:
    ran = run("print", "hackjack", "starter", *call, "-o", tmp_path)
    assert (ran.code, ran.out, len(ran.faults)) == (2, "", 1)
    assert ran.err.startswith(said)


@pytest.mark.parametrize("more", few_quick(1, ["--target csv", "--target json", "--format md"]))
def test_all_is_what_a_print_without_products_makes(more: str, tmp_path: Path) -> None:
    asked = (*more.split(), "-o", str(tmp_path))
    bare, every = (run("print", "deadlands", *products, *asked) for products in ((), ("ALL",)))
    assert (every.code, every.err) == (0, "")
    assert every.out == bare.out != ""


@pytest.mark.slow
def test_all_has_a_starter_beside_it(tmp_path: Path) -> None:
    both = run("print", "deadlands", "all", "starter", "--format", "html", "-o", tmp_path)
    assert (both.code, both.out.count("\n")) == (0, every_text("deadlands"))


def every_text(system: str) -> int:
    """How many products of a system can be read."""
    shapes = json.loads(run("list", "--json").out)["systems"]
    products = next(shape["products"] for shape in shapes if shape["system"] == system)
    assert products[-2:] == ["starter", "all"]
    return len([name for name in products[:-2] if name not in ("box", "reference-cards", "sets")])


def test_a_set_of_cards_may_be_called_so(tmp_path: Path) -> None:
    """The pack's own word comes first."""
    own = tmp_path / "own"
    for path in filter(Path.is_file, KEEN.rglob("*")):
        copy = own / str(path.relative_to(KEEN)).replace("criticals", "starter")
        copy.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        if path.suffix in (".yaml", ".csv"):
            data = data.replace(b"criticals", b"starter").replace(b"id: keen", b"id: own")
        copy.write_bytes(data)
    ran = run("print", "own", "starter", "--pack", own, "--target", "csv", "-o", tmp_path)
    assert (ran.code, ran.err, Path(ran.out.strip()).name) == (0, "", "own-starter-csv.csv")

"""A print order as a value: the registry of options, what supports them, and what an order makes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from helpers import hackjack, page_texts, run

from generator.base.errors import UsageError
from generator.cli.fillings import file_endings
from generator.layout.targets import SheetTarget, targets_by_name
from generator.orders.build import build_order
from generator.orders.options import OPTIONS, Choices, Value, choices_of, supported_options
from generator.orders.order import order_of

TYPED: dict[str, str] = {
    "paper": "letter",
    "target": "png",
    "card": "tarot",
    "format": "md",
    "dpi": "72",
    "backs": "none",
    "nudge": "1,-1",
    "marks": "crop",
    "registration": "12,1,16",
    "start": "2",
    "copies": "2",
    "fill": "true",
    "text": "large",
    "base_url": "https://example.org",
    "theme": "night",
    "ink": "saver",
    "suits": "four",
    "contrast": "high",
    "only": "QS",
    "jokers": "true",
    "extras": "true",
    "thickness": "0.4",
    "bare": "true",
    "plain": "true",
    "panels": "portrait",
    "players": "true",
    "rulings": "true",
    "columns": "3",
    "rows": "2",
}


def test_every_option_has_a_type_a_name_and_a_value_of_another_kind() -> None:
    assert [option.name for option in OPTIONS] == [*Choices.__struct_fields__] == [*TYPED]
    choices = choices_of(dict(TYPED))
    assert [option.name for option in choices.given()] == [*TYPED]
    told = run("print", "--help").out
    assert all(f"{option.flag} " in told for option in OPTIONS)


@pytest.mark.parametrize(
    ("product", "target"),
    [("deck", "home"), ("deck", "png"), ("deck", "l7651"), ("deck", "silhouette"), ("screen", "home"), ("box", "home")],
)
def test_an_order_takes_the_options_that_its_product_and_target_support(product: str, target: str) -> None:
    supported = {option.name for option in supported_options(hackjack(), product, target)} - {"target", "format"}
    at: dict[str, Value] = {} if target == "home" else {"target": target}
    taken = set()
    for name in {*TYPED} - {"target", "format"}:
        try:
            order_of({**at, name: TYPED[name]}, hackjack(), product)
        except UsageError as error:
            assert f"--{name.replace('_', '-')} means nothing for " in str(error)
        else:
            taken.add(name)
    assert taken == supported


def test_an_order_is_made_without_a_disk(tmp_path: Path) -> None:
    order = order_of({"only": ("QS",), "ink": "saver"}, hackjack(), "deck")
    (file,) = build_order(order).files
    assert (file.name, file.pages) == ("hackjack-deck.pdf", 2)
    assert run("print", "hackjack", "deck", "--only", "QS", "--ink", "saver", "-o", tmp_path).code == 0
    assert (tmp_path / file.name).read_bytes() == file.data
    assert build_order(order_of({"format": "md"}, hackjack(), "box")).left_out == (
        "box is made for paper alone and has no text to read: print it as a pdf",
    )


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"copies": "101"}, "--copies 101: write a number, 1 to 100"),
        ({"ink": "blue"}, '--ink "blue": choose full, saver, mono'),
        ({"nudge": "1"}, '--nudge "1": write two lengths in mm'),
        ({"paper": "a9"}, 'there is no paper "a9"'),
    ],
)
def test_what_no_option_can_be_is_a_sentence(written: dict[str, Value], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        order_of(written, hackjack(), "deck")


def test_a_target_is_one_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = targets_by_name()["home"]
    assert isinstance(home, SheetTarget)
    monkeypatch.setitem(targets_by_name(), "club", msgspec.structs.replace(home, says="for the club's printer"))
    assert "for the club's printer" in run("list", "targets").out
    assert run("print", "hackjack", "deck", "--target", "club", "--only", "QS", "-o", tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["hackjack-deck-club.pdf"]


def test_large_text_beside_a_deck_says_what_stays_as_it_is(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "deck", "tokens", "--text", "large", "--only", "QS", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "warning: hackjack tokens: --text large changes nothing here\n")


def test_files_of_characters_keep_their_letters_and_apart() -> None:
    assert file_endings(["Ömer", "Émer", "Москва", "Анна"]) == ["-ömer", "-émer", "-москва", "-анна"]
    assert file_endings(["Bryn", "O'Neil", "O-Neil", "O Neil 2", "O.Neil"]) == [
        *("-bryn", "-o-neil", "-o-neil-2", "-o-neil-2-2", "-o-neil-3")
    ]
    assert file_endings(["Straße", "Strasse"]) == ["-straße", "-strasse-2"]


def test_a_product_of_panels_is_one_file(tmp_path: Path) -> None:
    """Nobody is told of it but the pack: it is listed, checked, printed, read, extended and packed."""
    pack = tmp_path / "grim"
    pack.mkdir()
    (pack / "system.yaml").write_text("extends: hackjack\nid: grim\ntitle: Grim\nversion: '1.0'\n")
    handout = pack / "handout.panels.yaml"
    handout.write_text(
        "title: Handout\npanels:\n"
        "  - title: For you\n    blocks: [{block: text, title: The limit, text: ['You die at {limit}.']}]\n"
    )
    listed = json.loads(run("list", "--pack", pack, "--json").out)["systems"][0]
    assert "handout" in listed["products"]
    assert run("check", "--pack", pack, "-q").code == 0
    for form in ("pdf", "md"):
        ran = run("print", "grim", "handout", "--pack", pack, "--format", form, "-o", tmp_path)
        assert (ran.code, ran.err) == (0, "")
    assert "You die at 21." in (tmp_path / "grim-handout.md").read_text()
    (page,) = page_texts((tmp_path / "grim-handout.pdf").read_bytes())
    assert "You die at 21." in page
    assert run("pack", pack, "-o", tmp_path).code == 0
    assert run("print", "grim", "handout", "--pack", tmp_path / "grim.zip", "-o", tmp_path / "again").code == 0
    handout.write_text(handout.read_text().replace("{limit}", "{limits}"))
    assert any("handout.panels.yaml:4:" in line for line in run("check", "--pack", pack).faults)
    handout.rename(pack / "mat.panels.yaml")
    assert "no product can have that name" in run("check", "--pack", pack).err

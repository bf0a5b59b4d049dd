"""What the 52 engine prints: sheets, mat, cards and screen, read back from the paper."""

from __future__ import annotations

import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import ROOT, chars, fiftytwo, reader, run, squeezed

from generator import sheets
from generator.cardsets import card_set
from generator.content import load, with_settings
from generator.engine.field_fight import threshold
from generator.parts import Badge, Effect, Rule, Title
from generator.preflight import OUR_DEMANDS, quick
from generator.products import combatants, mat, panels
from generator.sheets import Size

PAPERS = ("a4", "letter")


@cache
def printed(product: str, paper: str, ink: str = "full") -> bytes:
    make = {"combatants": combatants.pages, "mat": mat.pages, "screen": panels.screen, "reference": panels.reference}
    options = panels.Options(paper=sheets.papers()[paper], ink="saver" if ink == "saver" else "full")
    return make[product](fiftytwo(), options)


def texts(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in reader(pdf).pages]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("product", ["combatants", "mat", "screen", "reference"])
def test_everything_can_be_printed_at_home(product: str, paper: str) -> None:
    for ink in ("full", "saver"):
        assert quick(printed(product, paper, ink), OUR_DEMANDS).errors == ()


# --- combatant sheets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_combatants_stand_four_to_a_page(paper: str) -> None:
    pages = texts(printed("combatants", paper))
    names = [person.name for person in fiftytwo().combatants]
    assert [[name for name in names if f"{name} takes" in page] for page in pages] == [
        names[:4],
        names[4:8],
        names[8:],
    ]


def test_a_sheet_holds_what_the_engine_computes() -> None:
    pages = [squeezed(page) for page in texts(printed("combatants", "a4"))]
    for at, person in enumerate(fiftytwo().combatants):
        row = "".join(str(threshold(person, bonus, fiftytwo()).total) for bonus in range(6))
        assert f"Hits{row}" in pages[at // 4], person.name
        assert f"{person.name}takes{person.defence}from" in pages[at // 4]
    assert "Initiatived20+7Dexterity+4,modifier+1,magic+3,circumstance−1" in pages[0]  # noqa: RUF001 - as printed
    assert "Actionpoints11Strength+3,magic+2,attack+5,class+1." in pages[0]
    assert "Sword+1,slashing:d6+2+d6;critical2d6+4+2d6" in pages[0]


def spoilt(folder: Path, old: str, new: str) -> Path:
    pack = Path(shutil.copytree(ROOT / "content" / "fiftytwo", folder / "pack"))
    path = pack / "combatants.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return pack


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        ("note: " + "word " * 79, ""),
        ("note: " + "W" * 400, "a word is wider than the sheet even at 6.5 pt: shorten it"),
        ("note: 槍の達人", "the printed font has no 槍 (U+69CD)"),
    ],
)
def test_a_sheet_that_cannot_be_printed_names_who_it_is(tmp_path: Path, new: str, fault: str) -> None:
    pack = spoilt(tmp_path, "note: His initiative counts 3 for magic; the list of figures gives 4.", new)
    done = run("print", "fiftytwo", "combatants", "--pack", pack, "-o", tmp_path)
    assert done.code == int(bool(fault)), done.err
    assert fault in done.err
    assert not fault or "the sheet of Alan" in done.err


def test_a_pack_without_combatants_says_where_they_would_stand(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "fiftytwo", tmp_path / "pack"))
    for name in ("combatants.yaml", "claims.yaml"):
        (pack / name).unlink()
    done = run("print", "fiftytwo", "combatants", "--pack", pack, "-o", tmp_path)
    assert (done.code, done.faults) == (
        1,
        ["fiftytwo has no combatants to print: they would stand in combatants.yaml"],
    )
    assert run("print", "fiftytwo", "mat", "--pack", pack, "-o", tmp_path).code == 0


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("type: Half plate", "type: Halfplate", 'the table armour has no row "Halfplate"'),
        ("reach: [Evans]", "reach: [Alice]", '"Alice" is no opponent of Alan'),
        ("  - name: Able\n", "  - name: ALAN\n", "two combatants called ALAN"),
        ("hp: 158", "hp: 0", "0 is out of range: from 1 to 10000"),
        ("damage: crushing", "damage: blunt", '"blunt" is not known here'),
        ("normal: [1d4+2]", "normal: [1d4x2]", '"1d4x2" is not dice'),
        ("name: Artichoke", "name: 4rtichoke", "is not a name: it begins with a letter"),
    ],
)
def test_faults_of_combatants_are_found(tmp_path: Path, old: str, new: str, fault: str) -> None:
    done = run("check", spoilt(tmp_path, old, new))
    assert done.code == 1
    assert any("/pack/combatants.yaml:" in line and fault in line for line in done.faults), done.err


# --- the mat ---------------------------------------------------------------------------------------------------------


def test_the_mat_is_as_wide_as_the_fight_and_as_deep_as_a_column() -> None:
    assert (mat.mat_of(fiftytwo()).columns, mat.mat_of(fiftytwo()).rows) == (7, 5)
    assert mat.mat_of(with_settings(fiftytwo(), [("depth", "4")])).rows == 4
    assert mat.mat_of(with_settings(fiftytwo(), [("depth", "4_then_5")])).rows == 5


@pytest.mark.parametrize("page", [Size(190, 277), Size(195.9, 259.4), Size(400, 300), Size(1000, 1000)])
def test_pages_cover_the_mat_and_overlap(page: Size) -> None:
    whole = mat.mat_of(fiftytwo())
    shown = mat.windows(whole, page)
    for axis, length in (("x", whole.width), ("y", whole.height)):
        size = "width" if axis == "x" else "height"
        edges = sorted({(getattr(one, axis), getattr(one, axis) + getattr(one, size)) for one in shown})
        assert edges[0][0] == 0
        assert edges[-1][1] == pytest.approx(length)
        assert all(before[1] - after[0] >= mat.OVERLAP - 1e-9 for before, after in pairwise(edges))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_place_is_printed_in_full_size(paper: str) -> None:
    reduced, *parts = texts(printed("mat", paper))
    places = {f"{column}.{row}" for column in range(1, 8) for row in range(1, 6)}
    assert places <= set(reduced.split())
    assert places <= {word for part in parts for word in part.split()}
    assert "Pool" in reduced
    assert any("Discards" in part for part in parts)


def test_cards_lie_a_card_apart() -> None:
    """Beside each other 63.5 mm and the gap, above each other 88.9 mm and the gap."""
    pdf = printed("mat", "a4")
    letters = chars(pdf, 4)
    found = {}
    for at, letter in enumerate(letters[:-2]):
        label = letter.text + letters[at + 1].text + letters[at + 2].text
        if re.fullmatch(r"\d\.\d", label):
            found[label] = (letter.x, letter.y)
    assert found["2.1"][0] - found["1.1"][0] == pytest.approx(63.5 + mat.GAP, abs=0.05)
    assert found["1.2"][1] - found["1.1"][1] == pytest.approx(88.9 + mat.GAP, abs=0.05)


# --- cards and screen ------------------------------------------------------------------------------------------------


def test_everybody_has_an_initiative_card() -> None:
    faces = card_set(fiftytwo(), "initiative").faces
    titles = [part.text for face in faces for part in face.parts if isinstance(part, Title)]
    assert titles == [person.name for person in fiftytwo().combatants]
    evans = next(face for face in faces if face.code == "evans")
    assert [part.number for part in evans.parts if isinstance(part, Badge)] == ["+6", "17", "133"]
    assert [part.word for part in evans.parts if isinstance(part, Rule)] == ["enemies"]
    assert "Half plate +4: 1 to 4 hits, weak against slashing" in [
        part.says for part in evans.parts if isinstance(part, Effect)
    ]


def test_every_action_has_a_card_with_its_price() -> None:
    table = fiftytwo().table("actions")
    assert table is not None
    prices = {
        title.text: badge.number
        for face in card_set(fiftytwo(), "actions").faces
        for title in face.parts
        if isinstance(title, Title)
        for badge in face.parts
        if isinstance(badge, Badge)
    }
    assert prices == {row.name: str(row.cells["cost"]) for row in table.rows}
    assert prices["Card higher up"] == "2"


def test_the_screen_shows_prices_armour_and_the_readings_in_force() -> None:
    text = squeezed("".join(texts(printed("screen", "a4"))))
    for row in ("Cardhigherup2", "Matchingpair1", "Fullplate3piercingpiercing", "Chain1piercingslashing"):
        assert row in text
    assert "Columnsare5cardsdeep." in text
    slow = with_settings(load(ROOT / "content" / "fiftytwo").system, [("depth", "4")])
    other = panels.screen(slow, panels.Options(paper=sheets.papers()["a4"]))
    assert "Columnsare4cardsdeep." in squeezed("".join(texts(other)))


def test_all_products_come_out_of_one_command(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "piles", "combatants", "mat", "-o", tmp_path)
    assert done.code == 0, done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fiftytwo-combatants.pdf",
        "fiftytwo-mat.pdf",
        "fiftytwo-piles.pdf",
    ]

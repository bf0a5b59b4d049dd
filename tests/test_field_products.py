"""What the 52 engine prints: sheets, mat, cards and screen, read back from the paper."""

from __future__ import annotations

import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from helpers import ROOT, chars, fiftytwo, reader, run, squeezed
from tagged import tree

from generator import preflight
from generator.games import game_of
from generator.games.card_products import card_set
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import combatant_sheets as combatants
from generator.games.fiftytwo import mat
from generator.games.fiftytwo import table as field_table
from generator.games.fiftytwo.fight import threshold
from generator.games.fiftytwo.state import State
from generator.layout import sheets
from generator.layout.card_elements import Badge, Blank, Effect, Rule, Sketch, Title
from generator.layout.panel_elements import Matrix
from generator.layout.printed import Printed
from generator.layout.sheet_data import Filling
from generator.layout.sheets import Size
from generator.model.rules import plain
from generator.pack.content import load, with_settings
from generator.paper.panel_options import PanelOptions
from generator.products import panels

PAPERS = ("a4", "letter")


@cache
def printed(product: str, paper: str, ink: str = "full") -> Printed:
    make = {"combatants": combatants.pages, "mat": mat.pages, "screen": panels.screen, "reference": panels.reference}
    options = PanelOptions(paper=sheets.papers()[paper], ink="saver" if ink == "saver" else "full")
    return make[product](fiftytwo(), options)


@cache
def texts(pdf: bytes) -> tuple[str, ...]:
    return tuple(page.extract_text() for page in reader(pdf).pages)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("product", ["combatants", "mat", "screen", "reference"])
def test_everything_can_be_printed_at_home(product: str, paper: str) -> None:
    for ink in ("full", "saver"):
        assert preflight.found(printed(product, paper, ink), preflight.OUR_DEMANDS) == ()


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
    pack = spoilt(tmp_path, "reach: [Evans]", f"reach: [Evans]\n    {new}")
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


@pytest.mark.parametrize("paper", PAPERS)
def test_no_word_of_the_mat_stands_across_a_seam(paper: str) -> None:
    """Where two pages overlap, the one laid on top would hide half of it."""
    sheet = sheets.papers()[paper]
    shown = mat.windows(mat.mat_of(fiftytwo()), Size(sheet.width - 2 * mat.MARGIN, sheet.height - 2 * mat.MARGIN))
    for number, window in enumerate(shown, 1):
        right, up = window.x - mat.MARGIN, window.y - mat.MARGIN
        letters = [letter for letter in chars(printed("mat", paper), number) if letter.bottom > mat.MARGIN]
        assert letters
        for letter in letters:
            assert window.seam_x is None or not letter.left + right < window.seam_x < letter.right + right
            assert window.seam_y is None or not letter.bottom + up < window.seam_y < letter.top + up


def test_high_contrast_prints_no_grey_letters() -> None:
    """Grey is (0.38 0.37 0.36); on the mat and the sheets too it becomes black."""
    for make in (mat.pages, combatants.pages):
        for high, grey in ((False, True), (True, False)):
            options = PanelOptions(sheets.papers()["a4"], compressed=False, contrast="high" if high else "normal")
            assert (b".38 .37 .36 rg" in make(fiftytwo(), options)) == grey


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
    assert [part.number for part in evans.parts if isinstance(part, Badge)] == ["+6", "17", "4", "133"]
    assert [part.word for part in evans.parts if isinstance(part, Rule)] == ["enemies"]
    assert [f"{part.label}: {part.says}" for part in evans.parts if isinstance(part, Effect)] == [
        "Armour: Half plate +4, 1 to 4 hits, weak against slashing",
        "Weapon: Sword +2, slashing: d8+7, critical 3d8+21",
        "Points: 14 with Alan in reach",
    ]
    assert [part.label for part in evans.parts if isinstance(part, Blank)] == ["Initiative", "HP"]


def said(action: str, **settings: str) -> str:
    faces = card_set(with_settings(fiftytwo(), settings.items()), "actions").faces
    face = next(face for face in faces if face.code == action)
    return " | ".join(part.says for part in face.parts if isinstance(part, Effect))


def test_action_cards_say_the_reading_in_force() -> None:
    assert "A pair that empties a column opens two critical attacks, for allies" in said("matching-pair")
    assert "A pair opens one critical attack, whatever it leaves" in said("matching-pair", clearing_pair="pair_only")
    assert "The first card added to each column opens no attack" in said("add-a-card", first_card="column")
    assert "The hit that reaches the threshold does harm" in said("attack")


def test_pictures_on_action_cards_show_what_the_engine_would_do() -> None:
    """The cards that are marked are those that the move takes, or adds."""
    pictures = {
        face.code: part
        for face in card_set(fiftytwo(), "actions").faces
        for part in face.parts
        if isinstance(part, Sketch)
    }
    assert set(pictures) == {"bottom-card", "card-higher-up", "add-a-card", "matching-pair"}
    rules = field_table.play_of(fiftytwo(), State(), "allies")
    for code, kind in (("bottom-card", "bottom"), ("card-higher-up", "higher"), ("matching-pair", "pair")):
        found = field_cards.moves(pictures[code].columns, rules)
        taken = {frozenset(move.places) for move in found if move.kind == kind}
        assert pictures[code].marked in taken, code
    grown = pictures["add-a-card"]
    assert all((at, len(grown.columns[at]) - 1) in grown.marked for at, _ in grown.marked)


def test_the_field_on_paper_marks_what_lies_open() -> None:
    drawn = game_of(fiftytwo()).charts()["open_on_field"](fiftytwo())
    assert isinstance(drawn, Matrix)
    rows = [[cell.text.split() for cell in cells] for _, cells in drawn.rows][::-1]
    columns = tuple(tuple(row[at][0] for row in rows) for at in range(7))
    marked = {(at, row) for row, cells in enumerate(rows) for at, cell in enumerate(cells) if "p" in "".join(cell[1:])}
    assert marked == {place for pair in field_cards.pairs(columns) for place in pair}
    across = {(at, row) for row, cells in enumerate(rows) for at, cell in enumerate(cells) if "a" in "".join(cell[1:])}
    suits = [[card[0][-1] for card in row] for row in rows]
    beside = {
        (at, row)
        for row in range(1, 5)
        for at in range(7)
        if suits[row][at] in [*suits[row][max(at - 1, 0) : at], *suits[row][at + 1 : at + 2]]
    }
    assert across == beside


def test_the_field_on_paper_shows_suits_as_signs() -> None:
    drawn = game_of(fiftytwo()).charts()["open_on_field"](fiftytwo())
    assert isinstance(drawn, Matrix)
    cells = [cell for _, row in drawn.rows for cell in row]
    assert all(cell.card and cell.text.startswith(cell.card) for cell in cells)
    said = " ".join(texts(printed("screen", "a4")))
    for cell in cells:
        assert not re.search(rf"\b{cell.card}\b", said)


def test_the_charts_say_what_the_engine_counts() -> None:
    charts = game_of(fiftytwo()).charts()
    columns, hits = charts["columns_by_allies"](fiftytwo()), charts["threshold_by_magic"](fiftytwo())
    assert isinstance(columns, Matrix)
    assert isinstance(hits, Matrix)
    assert [cell.text for cell in columns.rows[1][1]] == ["2", "3", "4", "5", "6", "7", "8", "9"]
    assert columns.rows[2][1][6].text == "10+", "seven allies who surprise need a second deck"
    assert dict(hits.rows)["1"][-1].text == "3", "chain of +3 against a plain weapon"
    assert hits.columns[-1] == "+2 or more"


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


@pytest.mark.parametrize("product", ["initiative", "actions", "piles"])
def test_cards_are_printed_for_every_use(tmp_path: Path, product: str) -> None:
    """Small and large cards, stickers, a card game printer, large letters: nothing runs over."""
    for words in (
        ["--card", "mini"],
        ["--card", "jumbo", "--text", "large"],
        ["--target", "l7651"],
        ["--target", "drivethru", "--contrast", "high"],
        ["--paper", "letter", "--ink", "saver", "--contrast", "high"],
    ):
        done = run("print", "fiftytwo", product, *words, "-o", tmp_path)
        assert done.code == 0, (words, done.err)


def test_the_pictures_of_cards_are_told_in_words(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "actions", "--format", "md", "-o", tmp_path)
    assert done.code == 0, done.err
    text = (tmp_path / "fiftytwo-actions.md").read_text()
    assert "The picture marks two queens beside each other." in text
    assert "Who attacks enemies." in text


def test_the_screen_shows_prices_armour_and_the_readings_in_force() -> None:
    text = squeezed("".join(texts(printed("screen", "a4"))))
    for row in ("Cardhigherup2", "Matchingpair1", "Fullplate3piercingpiercing", "Chain1piercingslashing"):
        assert row in text
    assert "Columnsare5cardsdeep." in text
    slow = with_settings(load(ROOT / "content" / "fiftytwo").system, [("depth", "4")])
    other = panels.screen(slow, PanelOptions(paper=sheets.papers()["a4"]))
    assert "Columnsare4cardsdeep." in squeezed("".join(texts(other)))


OWN = """
combatants:
  - {name: Bryn, side: allies, hp: 31, strength: 2, attack: 4, armour: {type: Chain, bonus: 1}, reach: [Orc],
     weapon: {name: Spear, damage: piercing}, normal: [1d8+1], critical: [2d8+2]}
  - {name: Orc, side: enemies, hp: 12, armour: {type: Ring, bonus: 1, natural: true},
     weapon: {name: Axe}, normal: [1d6], critical: [2d6]}
"""


def test_combatants_of_a_file_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(OWN)
    done = run("print", "fiftytwo", "combatants", "initiative", "mat", "--combatants", path, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    (page,) = texts((tmp_path / "out" / "fiftytwo-combatants.pdf").read_bytes())
    assert "Strength+2,magic+0,attack+4,class+0.Lessthedefenceofthoseinreach:5withOrc;" in squeezed(page)
    assert "Field of 3 columns" in texts((tmp_path / "out" / "fiftytwo-mat.pdf").read_bytes())[0]
    path.write_text(OWN.replace("reach: [Orc]", "reach: [Ogre]"))
    done = run("print", "fiftytwo", "combatants", "--combatants", path, "-o", tmp_path)
    assert (done.code, len(done.faults)) == (1, 1)
    assert 'party.yaml:3:105: "Ogre" is no opponent of Bryn' in done.err
    done = run("print", "hackjack", "deck", "--combatants", path, "-o", tmp_path)
    assert done.code == 2
    assert "hackjack has no combatants to print: leave --combatants out" in done.err


def test_sheets_are_filled_from_a_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for words in (
        ["initiative", "worked_fight"],
        ["heal", "Alan", "5"],
        ["lay", "9H", "9S"],
        ["act", "pair", "9H", "9S"],
        ["act", "critical", "Eckhart", "dice", "5", "5"],
    ):
        done = run("play", "fiftytwo", "--campaign", "ambush", *words)
        assert done.code == 0, done.err
    done = run("print", "fiftytwo", "combatants", "--from", "ambush", "-o", tmp_path)
    assert done.code == 0, done.err
    pages = texts((tmp_path / "fiftytwo-combatants-ambush.pdf").read_bytes())
    assert re.search(r"1\s+15\s+7\s+72\s+0", pages[0]), "Alphonse comes first and has spent a point of eight"
    assert re.search(r"1\s+13\s+82\s+0", pages[0]), "Eckhart has lost 20"
    done = run("print", "fiftytwo", "combatants", "--from", "ambush:eck", "-o", tmp_path)
    (page,) = texts((tmp_path / "fiftytwo-combatants-eckhart.pdf").read_bytes())
    assert "Alphonse takes" not in page
    assert run("print", "fiftytwo", "combatants", "--from", "nowhere", "-o", tmp_path).code == 1
    done = run("print", "fiftytwo", "screen", "mat", "--from", "ambush", "-o", tmp_path)
    says = "--from fills combatants, initiative, mat and sheet: leave screen out"
    assert (done.code, done.faults) == (2, [says])


def test_the_whole_table_is_printed_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for words in (
        ["initiative", "worked_fight"],
        ["lay", "AC", ".", "/", "4C", "10D", "/", "9H", "9S"],
        ["heal", "Alan", "5"],
    ):
        done = run("play", "fiftytwo", "--campaign", "ambush", *words)
        assert done.code == 0, done.err
    done = run("print", "fiftytwo", "--from", "ambush", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    names = [f"fiftytwo-{product}-ambush.pdf" for product in ("combatants", "initiative", "mat")]
    assert [Path(line).name for line in done.out.splitlines()] == names
    field, *parts = texts((tmp_path / "fiftytwo-mat-ambush.pdf").read_bytes())
    assert field.startswith("Field of 2 columns and 5 rows\n")
    assert "1.1" not in field, "a place with a card has no number"
    assert {"1.4", "2.3"} <= set(field.split())
    assert re.search(r"15\s+Alphonse, 72 HP\s+14\s+Evans, 133 HP\s+13\s+Eckhart, 102 HP", field)
    shown = " ".join(parts).split()
    assert all(shown.count(rank) >= 1 for rank in ("9", "4", "A", "10"))
    assert "added card" in " ".join(parts)
    cards = texts((tmp_path / "fiftytwo-initiative-ambush.pdf").read_bytes())[0]
    assert re.search(r"Initiative\s+15\s+HP\s+72\b", cards), "what is known is written in"
    done = run("print", "fiftytwo", "initiative", "--from", "ambush:alan", "-o", tmp_path)
    assert (done.code, done.faults) == (2, ["--from CAMPAIGN:NAME fills one sheet: leave :NAME out for initiative"])


@pytest.mark.parametrize(("columns", "people"), [(12, 3), (7, 50)])
def test_the_order_has_pages_of_its_own_where_there_is_no_room(columns: int, people: int) -> None:
    usual = fiftytwo().combatants[0]
    names = [f"Goon {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(people)]
    roster = [plain(msgspec.structs.replace(usual, name=name, reach=())) for name in names]
    fighters = [{"name": person["name"], "hp": 9, "initiative": 60 - at} for at, person in enumerate(roster)]
    state = {"roster": roster, "fighters": fighters, "columns": [["9H"]], "round": 1}
    options = PanelOptions(sheets.papers()["letter"], filling=Filling("", state), columns=columns)
    said = " ".join(texts(mat.pages(fiftytwo(), options)))
    assert all(said.count(f"{person['name']}, 9 HP") == 1 for person in roster)


def test_a_field_that_lies_there_is_read_aloud() -> None:
    state = {"fighters": [], "columns": [["9H", "4C"], [], ["AC"]], "topped": [2], "round": 1}
    made = mat.pages(fiftytwo(), PanelOptions(sheets.papers()["a4"], filling=Filling("", state)))
    assert "From the bottom up lie there column 1: 9H 4C; column 2: empty; column 3: AC." in str(tree(made))


def form(pdf: bytes) -> dict[str, str]:
    """The fields of a form with what stands in them."""
    return {name: str(field.get("/V", "")) for name, field in (reader(pdf).get_fields() or {}).items()}


def test_the_sheet_is_a_blank_form(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "sheet", "-o", tmp_path)
    assert done.code == 0, done.err
    blank = form((tmp_path / "fiftytwo-sheet.pdf").read_bytes())
    assert {"name", "armour", "thresholds_1_plus_0", "rounds_3_hp", "normal"} <= set(blank)
    assert set(blank.values()) <= {"", "/Off"}


def test_the_sheet_is_filled_from_a_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for words in (["initiative", "worked_fight"], ["hurt", "Alan", "27", "by=Evans"], ["join", "Ogre", "dice", "3"]):
        done = run("play", "fiftytwo", "--campaign", "ambush", *words)
        assert done.code == 0, done.err
    done = run("print", "fiftytwo", "sheet", "--from", "ambush", "-o", tmp_path)
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 10
    alan = form((tmp_path / "fiftytwo-sheet-alan.pdf").read_bytes())
    wanted = {
        "name": "Alan",
        "full_hp": "158",
        "initiative_sum": "+7",
        "points": "19",
        "reach": "Evans",
        "reach_points": "15",
        "armour": "Full plate",
        "shield": "+1",
        "weak": "piercing",
        "thresholds_1_plus_2": "5",
        "critical": "3d8+21",
        "rounds_1_initiative": "12",
        "rounds_1_hp": "131",
        "rounds_1_attacked_by": "Evans",
    }
    assert {name: alan[name] for name in wanted} == wanted
    assert form((tmp_path / "fiftytwo-sheet-ogre.pdf").read_bytes())["rounds_1_hp"] == "10"
    assert run("print", "fiftytwo", "sheet", "--from", "ambush:ev", "-o", tmp_path).out.endswith("sheet-evans.pdf\n")


def test_the_mat_is_told_its_columns(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "mat", "--columns", "9", "-o", tmp_path)
    assert done.code == 0, done.err
    assert "Field of 9 columns and 5 rows" in texts((tmp_path / "fiftytwo-mat.pdf").read_bytes())[0]
    assert run("print", "fiftytwo", "mat", "--columns", "41", "-o", tmp_path).code == 2
    done = run("print", "fiftytwo", "mat", "--columns", "12", "--rows", "9", "-o", tmp_path)
    assert "Field of 12 columns and 9 rows" in texts((tmp_path / "fiftytwo-mat.pdf").read_bytes())[0]
    done = run("print", "fiftytwo", "screen", "--columns", "9", "-o", tmp_path)
    assert (done.code, done.faults) == (2, ["--columns means nothing for screen: it is for a mat"])


@pytest.mark.parametrize("product", ["screen", "reference"])
def test_panels_say_what_leaving_a_reach_draws_and_what_makes_a_pair(product: str) -> None:
    text = " ".join(" ".join(texts(printed(product, "a4"))).split()).casefold()
    assert re.search(r"attacks? of opportunity", text)
    assert "side by side or one above the other" in text
    assert not re.search(r"\btouch", text), "cards touch at their corners too"
    assert "4: critical" not in text
    assert re.search(r"(per|every) 2 (cards )?an attack; from 4", text)


def test_panels_follow_the_reading_of_a_shield() -> None:
    magic = with_settings(fiftytwo(), [("shield", "in_the_magic")])
    text = squeezed("".join(texts(panels.screen(magic, PanelOptions(paper=sheets.papers()["a4"])))))
    assert "Ashieldadds1tothemagic,underitscap." in text
    assert "ashieldcountsasmagic" in text
    hits = game_of(magic).charts()["threshold_by_magic"](magic)
    assert isinstance(hits, Matrix)
    assert [name for name, _ in hits.rows] == ["0", "1", "2", "3"]
    assert "ashieldcountsintherating" in squeezed("".join(texts(printed("screen", "a4"))))


def test_all_products_come_out_of_one_command(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "piles", "combatants", "mat", "-o", tmp_path)
    assert done.code == 0, done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fiftytwo-combatants.pdf",
        "fiftytwo-mat.pdf",
        "fiftytwo-piles.pdf",
    ]

"""What the 52 engine prints: sheets, mat, cards and screen, read back from the paper."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import preflight
import pytest
from helpers import Ran, chars, fiftytwo, page_texts, reader, run, squeezed
from pdf_contents import pages
from tagged import tree

from generator.base.errors import ContentError, HackjackError
from generator.games import game_of, with_combatants
from generator.games.card_products import card_set
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import combatant_sheets as combatants
from generator.games.fiftytwo import figures, mat
from generator.games.fiftytwo import table as field_table
from generator.games.fiftytwo.fight import hit_threshold
from generator.games.fiftytwo.state import FieldState
from generator.layout import sheets
from generator.layout.card_elements import Badge, Blank, CardEffect, Rule, Sketch, Title
from generator.layout.sheet_data import Filling
from generator.layout.sheets import Printed, Size
from generator.model.blocks import Fields
from generator.model.rules import plain_value
from generator.pack.settings import with_settings
from generator.paper.card import Print
from generator.paper.panel_options import PanelOptions
from generator.products import deck, panels

A4, LETTER = (sheets.paper_sizes()[name] for name in ("a4", "letter"))
MAKERS = {
    "combatants": combatants.combatant_pages,
    "mat": mat.mat_pages,
    "screen": panels.screen,
    "reference": panels.reference,
}


@cache
def printed(product: str, paper: Size = A4) -> Printed:
    """A product in full colour on A4, and with little ink on Letter."""
    return MAKERS[product](fiftytwo(), PanelOptions(paper=paper, ink="full" if paper == A4 else "saver"))


@cache
def texts(pdf: bytes) -> tuple[str, ...]:
    return tuple(page_texts(pdf))


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
@pytest.mark.parametrize("product", MAKERS)
def test_everything_can_be_printed_at_home(product: str, paper: Size) -> None:
    assert preflight.print_findings(pages(printed(product, paper)), preflight.OUR_DEMANDS) == ()


# --- combatant sheets ------------------------------------------------------------------------------------------------


def test_nine_combatants_stand_four_to_a_page_with_what_the_engine_computes() -> None:
    names = [person.name for person in fiftytwo().combatants]
    for paper in (A4, LETTER):
        assert Counter(char.size for char in chars(printed("combatants", paper), 0)).most_common(1)[0][0] >= 8.5
        pages = texts(printed("combatants", paper))
        assert [[name for name in names if f"{name} takes" in page] for page in pages] == [
            names[at : at + 4] for at in (0, 4, 8)
        ]
    pages = tuple(map(squeezed, texts(printed("combatants"))))
    for at, person in enumerate(fiftytwo().combatants):
        row = "".join(str(hit_threshold(person, bonus, fiftytwo()).total) for bonus in range(6))
        assert f"Threshold{row}" in pages[at // 4], person.name
        assert f"{person.name}takes{person.defence}from" in pages[at // 4]
    for said in (
        "Initiative:d20+7Dexterity+4,modifier+1,magic+3,circumstance−1",  # noqa: RUF001 - as printed
        "Actionpoints:11Strength+3,magic+2,attack+5,class+1.",
        "Sword+1,slashing:d6+2+d6;critical2d6+4+2d6",
    ):
        assert said in pages[0]
    assert "Actionpoints:10Challengerating+3,magic+2,attack+5,class+0." in pages[1], (
        "Emberry is a monster of ten Hit Dice"
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"note": "word " * 79}, ""),
        ({"note": "W" * 400}, '"Alan" is full: the block "Attack" is too narrow for "WWW'),
        ({"note": "槍の達人"}, 'the panel "Alan": the printed font has no 槍 (U+69CD)'),
    ],
)
def test_a_sheet_that_cannot_be_printed_names_who_it_is(changes: dict[str, str], fault: str) -> None:
    alan, *others = fiftytwo().combatants
    spoilt = replace(fiftytwo(), combatants=(msgspec.structs.replace(alan, **changes), *others))
    with pytest.raises(HackjackError, match=re.escape(fault)) if fault else nullcontext():
        combatants.combatant_pages(spoilt, PanelOptions(paper=A4))


def test_a_pack_without_combatants_says_where_they_would_stand() -> None:
    alone = replace(fiftytwo(), combatants=())
    with pytest.raises(HackjackError, match="fiftytwo has no combatants to print: list them in"):
        combatants.combatant_pages(alone, PanelOptions(paper=A4))
    assert "Field of 7 columns" in texts(mat.mat_pages(alone, PanelOptions(paper=A4)))[0]


OWN = """
combatants:
  - {name: Bryn, side: allies, hp: 31, strength: 2, attack: 4, armour: {type: Chain, bonus: 1}, reach: [Orc],
     weapon: {name: Spear, damage: piercing}, normal: [1d8+1], critical: [2d8+2]}
  - {name: Orc, side: enemies, hp: 12, armour: {type: Ring, bonus: 1, natural: true},
     weapon: {name: Axe}, normal: [1d6], critical: [2d6]}
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("type: Chain", "type: Mail", ':3:79: the table armour has no row "Mail": write None, Cloth or padded, Soft'),
        ("reach: [Orc]", "reach: [Ogre]", ':3:105: unknown combatant "Ogre"'),
        ("name: Orc", "name: BRYN", ":5:12: there are two combatants called BRYN"),
        ("hp: 31", "hp: 0", ":3:36: 0 is out of range: from 1 to 10,000"),
        ("damage: piercing", "damage: blunt", '"blunt" is not known here'),
        ("normal: [1d6]", "normal: [1d6x2]", '"1d6x2" is not dice'),
        ("name: Orc", "name: 0rc", "is not a name: it begins with a letter"),
    ],
)
def test_faults_of_combatants_are_found(tmp_path: Path, old: str, new: str, fault: str) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(OWN.replace(old, new))
    with pytest.raises(ContentError, match=re.escape(fault)):
        with_combatants(fiftytwo(), path)


def test_combatants_of_a_file_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(OWN)
    done = run("print", "fiftytwo", "combatants", "mat", "--combatants", path, "-o", tmp_path)
    assert done.code == 0, done.err
    (page,) = texts((tmp_path / "fiftytwo-combatants.pdf").read_bytes())
    assert "Strength+2,magic+0,attack+4,class+0.Subtractthedefenceofopponentsinreach:5withOrc;" in squeezed(page)
    assert "Field of 3 columns" in texts((tmp_path / "fiftytwo-mat.pdf").read_bytes())[0]
    done = run("print", "hackjack", "deck", "--combatants", path, "-o", tmp_path)
    assert (done.code, done.faults) == (2, ["hackjack has no combatants to print: leave --combatants out"])


# --- a fight as it stands --------------------------------------------------------------------------------------------


def test_the_whole_table_is_printed_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets, cards and mat of two who fight; one sheet alone; the form of each."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    (tmp_path / "party.yaml").write_text(OWN)

    def command(*words: str) -> Ran:
        return run(*words, "-o", tmp_path)

    def pages_of(name: str) -> tuple[str, ...]:
        return texts((tmp_path / f"fiftytwo-{name}.pdf").read_bytes())

    for words in (
        ["initiative", str(tmp_path / "party.yaml"), "dice", "15", "14"],
        ["lay", "AC", ".", "/", "4C", "10D", "/", "9H", "9S"],
        ["act", "take", "10d"],
        ["opportunity", "orc", "bryn"],
        ["hurt", "Bryn", "9", "by=Orc"],
    ):
        done = run("play", "fiftytwo", "--campaign", "ambush", *words)
        assert done.code == 0, done.err
    done = command("print", "fiftytwo", "--from", "ambush")
    assert [Path(line).name for line in done.out.splitlines()] == [
        f"fiftytwo-{product}-ambush.pdf" for product in ("combatants", "initiative", "mat")
    ], done.err
    (page,) = pages_of("combatants-ambush")
    assert re.search(r"1\s+15\s+4\s+22\s+1\s", page), "Bryn has spent a point beside the free action of six"
    assert re.search(r"1\s+14\s+12\s+0\b", page)
    field, *parts = pages_of("mat-ambush")
    assert field.startswith("Field of 2 columns and 5 rows ")
    assert "1.1" not in field, "a place with a card has no number"
    assert {"1.4", "2.2"} <= set(field.split())
    assert re.search(r"15\s+Bryn, 22 HP\s+14\s+Orc, 12 HP", field)
    shown = " ".join(parts).split()
    assert all(rank in shown for rank in ("9", "4", "A"))
    assert "added card" in " ".join(parts)
    assert re.search(r"Initiative\s+15\s+HP\s+22\b", pages_of("initiative-ambush")[0]), "what is known is written in"
    assert command("print", "fiftytwo", "combatants", "--from", "ambush:or").code == 0
    assert "Bryn takes" not in pages_of("combatants-orc")[0]
    assert len(command("print", "fiftytwo", "sheet", "--from", "ambush").out.splitlines()) == 2
    bryn = form((tmp_path / "fiftytwo-sheet-bryn.pdf").read_bytes())
    wanted = {"name": "Bryn", "full_hp": "31", "initiative_sum": "+0", "points": "6", "reach": "Orc"}
    wanted |= {"reach_points": "5", "armour": "Chain", "shield": "", "weak": "piercing", "thresholds_1_plus_0": "2"}
    wanted |= {"critical": "2d8+2", "rounds_1_initiative": "15", "rounds_1_hp": "22", "rounds_1_attacked_by": "Orc"}
    assert {name: bryn[name] for name in wanted} == wanted
    for words, code, fault in (
        (["combatants", "--from", "nowhere"], 1, 'there is no campaign "nowhere"'),
        (["screen", "mat", "--from", "ambush"], 2, "combatants, initiative, mat and sheet: leave screen out"),
        (["initiative", "--from", "ambush:bryn"], 2, "--from CAMPAIGN:NAME fills one sheet: leave :NAME out"),
    ):
        done = command("print", "fiftytwo", *words)
        assert (done.code, len(done.faults)) == (code, 1)
        assert fault in done.err


def form(pdf: bytes) -> dict[str, str]:
    """The fields of a form with what stands in them."""
    return {name: str(field.get("/V", "")) for name, field in (reader(pdf).get_fields() or {}).items()}


def test_the_sheet_is_a_blank_form(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "sheet", "-o", tmp_path)
    assert done.code == 0, done.err
    blank = form((tmp_path / "fiftytwo-sheet.pdf").read_bytes())
    assert {"name", "armour", "thresholds_1_plus_0", "rounds_3_hp", "normal"} <= set(blank)
    assert set(blank.values()) <= {"", "/Off"}


# --- the mat ---------------------------------------------------------------------------------------------------------


def test_the_mat_is_as_wide_as_the_fight_and_as_deep_as_a_column() -> None:
    assert (mat.mat_of(fiftytwo()).columns, mat.mat_of(fiftytwo()).rows) == (7, 5)
    assert mat.mat_of(with_settings(fiftytwo(), [("depth", "4")])).rows == 4
    assert mat.mat_of(with_settings(fiftytwo(), [("depth", "4_then_5")])).rows == 5


@pytest.mark.parametrize("page", [Size(190, 277), Size(195.9, 259.4), Size(400, 300), Size(1000, 1000)])
def test_pages_cover_the_mat_and_overlap(page: Size) -> None:
    whole = mat.mat_of(fiftytwo())
    shown = mat.page_windows(whole, page)
    for axis, length in (("x", whole.width), ("y", whole.height)):
        size = "width" if axis == "x" else "height"
        edges = sorted({(getattr(one, axis), getattr(one, axis) + getattr(one, size)) for one in shown})
        assert edges[0][0] == 0
        assert edges[-1][1] == pytest.approx(length)
        assert all(before[1] - after[0] >= mat.OVERLAP - 1e-9 for before, after in pairwise(edges))


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
def test_every_place_is_printed_in_full_size_and_no_word_stands_across_a_seam(paper: Size) -> None:
    """Where two pages overlap, the one laid on top would hide half of a word there."""
    reduced, *parts = texts(printed("mat", paper))
    places = {f"{column}.{row}" for column in range(1, 8) for row in range(1, 6)}
    assert places <= set(reduced.split())
    assert places <= {word for part in parts for word in part.split()}
    assert "Pool" in reduced
    assert any("Discards" in part for part in parts)
    shown = mat.page_windows(mat.mat_of(fiftytwo()), Size(paper.width - 2 * mat.MARGIN, paper.height - 2 * mat.MARGIN))
    for number, window in enumerate(shown, 1):
        right, up = window.x - mat.MARGIN, window.y - mat.MARGIN
        letters = [letter for letter in chars(printed("mat", paper), number) if letter.bottom > mat.MARGIN]
        assert letters
        for letter in letters:
            assert window.seam_x is None or not letter.left + right < window.seam_x < letter.right + right
            assert window.seam_y is None or not letter.bottom + up < window.seam_y < letter.top + up


def test_high_contrast_prints_no_grey_letters() -> None:
    """Grey is (0.38 0.37 0.36); on the mat and the sheets too it becomes black."""
    for make in (mat.mat_pages, combatants.combatant_pages):
        for high, grey in ((False, True), (True, False)):
            options = PanelOptions(sheets.paper_sizes()["a4"], compressed=False, contrast="high" if high else "normal")
            assert (b".38 .37 .36 rg" in make(fiftytwo(), options)) == grey


def test_cards_lie_a_card_apart() -> None:
    """Beside each other 63.5 mm and the gap, above each other 88.9 mm and the gap."""
    pdf = printed("mat")
    letters = chars(pdf, 4)
    found = {}
    for at, letter in enumerate(letters[:-2]):
        label = letter.text + letters[at + 1].text + letters[at + 2].text
        if re.fullmatch(r"\d\.\d", label):
            found[label] = (letter.x, letter.y)
    assert found["2.1"][0] - found["1.1"][0] == pytest.approx(63.5 + mat.GAP, abs=0.05)
    assert found["1.2"][1] - found["1.1"][1] == pytest.approx(88.9 + mat.GAP, abs=0.05)


@pytest.mark.parametrize(("columns", "people"), [(12, 3), (7, 50)])
def test_the_order_has_pages_of_its_own_where_there_is_no_room(columns: int, people: int) -> None:
    usual = fiftytwo().combatants[0]
    names = [f"Goon {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(people)]
    roster = [plain_value(msgspec.structs.replace(usual, name=name, reach=())) for name in names]
    fighters = [{"name": person["name"], "hp": 9, "initiative": 60 - at} for at, person in enumerate(roster)]
    state = {"roster": roster, "fighters": fighters, "columns": [["9H"]], "round": 1}
    options = PanelOptions(LETTER, filling=Filling("", state), columns=columns)
    said = " ".join(texts(mat.mat_pages(fiftytwo(), options)))
    assert all(said.count(f"{person['name']}, 9 HP") == 1 for person in roster)


def test_a_field_that_lies_there_is_read_aloud() -> None:
    state = {"fighters": [], "columns": [["9H", "4C"], [], ["AC"]], "topped": [2], "round": 1}
    made = mat.mat_pages(fiftytwo(), PanelOptions(A4, filling=Filling("", state)))
    assert "From the bottom up lie there column 1: 9H 4C; column 2: empty; column 3: AC." in str(tree(made))


def test_the_mat_is_told_its_columns(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "mat", "--columns", "3", "--rows", "2", "-o", tmp_path)
    assert done.code == 0, done.err
    assert "Field of 3 columns and 2 rows" in texts((tmp_path / "fiftytwo-mat.pdf").read_bytes())[0]
    assert run("print", "fiftytwo", "mat", "--columns", "41", "-o", tmp_path).code == 2
    done = run("print", "fiftytwo", "screen", "--columns", "9", "-o", tmp_path)
    assert (done.code, done.faults) == (2, ["--columns means nothing for screen: it is for a mat"])


# --- cards and screen ------------------------------------------------------------------------------------------------


def test_everybody_has_an_initiative_card() -> None:
    (blank, *_) = card_set(fiftytwo(), "initiative").faces
    assert [part.text for part in blank.parts if isinstance(part, Title)] == ["An ally"], "no name of an example"
    assert [part.label for part in blank.parts if isinstance(part, Blank)][:2] == ["Name", "Initiative"]
    state = game_of(fiftytwo()).plain_state(
        game_of(fiftytwo()).read_state(
            {"fighters": [{"name": person.name, "hp": person.hp} for person in fiftytwo().combatants]}
        )
    )
    faces = card_set(replace(fiftytwo(), at_table=state), "initiative").faces
    titles = [part.text for face in faces for part in face.parts if isinstance(part, Title)]
    assert titles == [person.name for person in fiftytwo().combatants]
    evans = next(face for face in faces if face.code == "evans")
    assert [part.number for part in evans.parts if isinstance(part, Badge)] == ["+6", "17", "4", "133"]
    assert [part.word for part in evans.parts if isinstance(part, Rule)] == ["enemies"]
    assert [f"{part.label}: {part.says}" for part in evans.parts if isinstance(part, CardEffect)] == [
        "Armour: Half plate +4, threshold 1 to 4, weak against slashing",
        "Weapon: Sword +2, slashing: d8+7, critical 3d8+21",
        "Points: 14 with Alan in reach",
    ]
    assert [part.label for part in evans.parts if isinstance(part, Blank)] == ["Initiative", "HP"]


def said(action: str, **settings: str) -> str:
    faces = card_set(with_settings(fiftytwo(), settings.items()), "actions").faces
    face = next(face for face in faces if face.code == action)
    return " | ".join(part.says for part in face.parts if isinstance(part, CardEffect))


def test_action_cards_say_the_reading_in_force() -> None:
    assert "For an ally, each column that a pair empties opens another critical attack" in said("matching-pair")
    assert "A pair opens one critical attack, whatever it leaves" in said("matching-pair", clearing_pair="pair_only")
    assert "The first of a turn on each column opens nothing" in said("add-a-card", first_card="column")
    assert "The hit that reaches the threshold does harm" in said("attack")


def test_the_sheet_has_what_breaks_ties_and_what_the_gm_adds() -> None:
    state = game_of(fiftytwo()).read_state({"fighters": [{"name": "Alan", "hp": 158}]})
    alan = figures.sheet_values(state, "Alan", fiftytwo())
    assert (alan["strength"], alan["intelligence"]) == ("+4", "")
    panels = dict(fiftytwo().panels)["sheet"].panels
    names = {part.name for block in panels[0].blocks if isinstance(block, Fields) for part in block.fields}
    assert {"strength", "intelligence", "circumstance"} <= names


def test_the_hit_that_reaches_the_threshold_is_every_hit_at_0_and_at_1() -> None:
    """Under the other reading a threshold of 1 takes a hit, and nothing says otherwise."""
    other = with_settings(fiftytwo(), [("threshold", "hits_before")])
    said = "at 0 and at 1, every hit"
    assert said in fiftytwo().readings["F20"] and said not in other.readings["F20"]


def test_pictures_on_action_cards_show_what_the_engine_would_do() -> None:
    """The cards that are marked are those that the move takes, or adds."""
    pictures = {
        face.code: part
        for face in card_set(fiftytwo(), "actions").faces
        for part in face.parts
        if isinstance(part, Sketch)
    }
    assert set(pictures) == {"bottom-card", "card-higher-up", "add-a-card", "matching-pair"}
    rules = field_table.play_of(fiftytwo(), FieldState(), "allies")
    for code, kind in (("bottom-card", "bottom"), ("card-higher-up", "higher"), ("matching-pair", "pair")):
        found = field_cards.all_moves(pictures[code].columns, rules)
        taken = {frozenset(move.places) for move in found if move.kind == kind}
        assert pictures[code].marked in taken, code
    grown = pictures["add-a-card"]
    assert all((at, len(grown.columns[at]) - 1) in grown.marked for at, _ in grown.marked)


@pytest.mark.parametrize(("card", "text_size", "least"), [("poker", "normal", 7.4), ("tarot", "large", 11)])
def test_a_card_has_room_for_the_picture_of_its_action(card: str, text_size: Print, least: float) -> None:
    """Also in large print, where its letters are as large as the others at least."""
    options = deck.Options(paper=A4, card=sheets.card_sizes()[card], backs="none", text=text_size)
    pdf = deck.singles(fiftytwo(), options, "actions")
    pages = texts(pdf)
    assert min(char.size for page in range(len(pages)) for char in chars(pdf, page)) > least - 0.05
    names = ("Bottom card", "Card higher up", "Add a card", "Matching pair", "Attack", "Move")
    pictured = [name for name in names if any(name in page and "J" in page for page in pages)]
    assert pictured == ["Bottom card", "Card higher up", "Add a card", "Matching pair"]


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


@pytest.mark.parametrize(
    "words",
    [
        "initiative actions piles --card mini",
        "initiative actions --card jumbo --text large",
        "piles actions --target l7651",
        "initiative --target drivethru --contrast high",
        "actions piles --paper letter --ink saver --contrast high",
    ],
)
def test_cards_are_printed_for_every_use(tmp_path: Path, words: str) -> None:
    """Small and large cards, stickers, a card game printer, large letters: nothing runs over."""
    done = run("print", "fiftytwo", *words.split(), "-o", tmp_path)
    assert done.code == 0, done.err
    assert len([*tmp_path.iterdir()]) >= len(words.split(" --")[0].split())


def test_the_pictures_of_cards_are_told_in_words(tmp_path: Path) -> None:
    done = run("print", "fiftytwo", "actions", "--format", "md", "-o", tmp_path)
    assert done.code == 0, done.err
    text = (tmp_path / "fiftytwo-actions.md").read_text()
    assert "The picture marks two queens beside each other." in text
    assert "Against enemies." in text


def test_panels_say_prices_the_readings_in_force_and_whose_time_it_is() -> None:
    text, small = (" ".join(" ".join(texts(printed(name))).split()) for name in ("screen", "reference"))
    for said in (text.casefold(), small.casefold()):
        assert re.search(r"attacks? of opportunity", said)
        assert "side by side or one above the other" in said
        assert not re.search(r"\btouch", said), "cards touch at their corners too"
        assert "4: critical" not in said
        assert re.search(r"every 2 cards( open an attack)?; from 4 on, one is critical", said)
        assert re.search(r"may save only (if|where) the game permits it", said)
        assert "make it before the spell works" in said
    for said in ("Card higher up 2", "Matching pair 1", "Full plate 3 piercing piercing", "Chain 1 piercing slashing"):
        assert squeezed(said) in squeezed(text)
    for said in (
        "Columns are 5 cards deep.",
        "A shield adds 1 to the rating",
        "Combatants who are down roll no initiative.",
    ):
        assert squeezed(said) in squeezed(text)
    for said in (
        "20 seconds for a decision, and 10 more for each ally short of 4. The GM has 10 more for each enemy over 2.",
        "lower Strength, a new roll.",
        "Surprise and spells ignore armour. A spell that hurts or hinders counts as a hit.",
    ):
        assert squeezed(said) in squeezed(small)
    other = with_settings(fiftytwo(), [("shield", "in_the_magic"), ("depth", "4")])
    text = squeezed("".join(texts(panels.screen(other, PanelOptions(paper=A4)))))
    for said in ("Ashieldadds1tothemagic,underitscap.", "Columnsare4cardsdeep."):
        assert said in text

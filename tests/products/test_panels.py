"""Screens, sheets and references, read back from their PDFs."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
from helpers import (
    ROOT,
    annotations_of,
    chars,
    copy_pack,
    few_quick,
    hackjack,
    lines_of,
    operations,
    page_texts,
    pictures,
    product_pdf,
    reader,
    run,
    text_in,
)
from pypdf import PdfReader, PdfWriter

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.fields import RULING
from generator.games import game_of
from generator.games.face import Asked
from generator.games.steps.borne import wounds_told
from generator.layout import sheets
from generator.layout.panel_elements import PanelTable, Paragraph
from generator.layout.sheet_data import Filling
from generator.model.blocks import Chart, OddsBlock, Panel
from generator.model.rules import Penalty, Until, Whenever
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper.card import Print
from generator.paper.panel_options import PanelOptions
from generator.products import panel_content, panels, panels_file
from generator.words import wording
from generator.words.chances import chance_percent
from generator.words.effects import card_telegraph

STATE: dict[str, Any] = {
    "hp": 0,
    "score": 13,
    "blood": 3,
    "trauma": 3,
    "tokens": 3,
    "pile": [{"card": "QS", "score": 10}],
    "wounds": [{"card": "3S", "effect": "arm_useless", "until": "recovery", "place": "left arm"}],
    "permanent": [{"card": "AD", "effect": "cool_scar"}],
}


def printed(product: str, paper: str = "a4", *, name: str = "", **changes: Any) -> bytes:
    filling = Filling(name, STATE) if name else None
    return product_pdf("hackjack", product, paper=paper, filling=filling, **changes)


@cache
def text(pdf: bytes) -> str:
    return re.sub(r" (?=[.,] )", "", " ".join(page_texts(pdf)))


def test_the_screen_holds_every_card_row_and_ruling() -> None:
    system, found = hackjack(), text(printed("screen", rulings=True))
    assert "What we ruled" not in text(printed("screen"))
    for card in system.cards.values():
        assert card.name in found or card.code in ("RJ", "BJ")
    for row in system.tables[0].rows:
        assert f"{row.at} {row.lasts and wording.span_words(row.lasts)}" in found
    for ruling in system.head.rulings:
        assert re.search(rf"{ruling.id} {re.escape(wording.fill_placeholders(ruling.point, system))}:", found), (
            ruling.id
        )
    assert set(text(printed("screen", "letter", rulings=True)).split()) == set(found.split())
    for paper in ("a4", "letter"):
        pdf = printed("screen", paper, rulings=True)
        pages = page_texts(pdf)
        ruled = ["Massive damage at or below 0 HP:" in page for page in pages]
        assert ruled == ["What we ruled" in page and "H1 " in page for page in pages], "what we ruled is alone"
    shown = pictures(printed("screen"), 50)[1:]
    battered, pretty, afterwards = (page.getpixel((20, round(6 / 25.4 * 50))) for page in shown)
    assert battered == pretty != afterwards, "a colour means something"


@pytest.mark.parametrize("product", ["screen", "sheet", "reference"])
def test_only_embedded_fonts_and_known_bookmarks(product: str) -> None:
    pdf = printed(product)
    assert not [foreign for foreign in (b"Helvetica", b"Times", b"/Subtype /Type1") if foreign in pdf]
    reader = PdfReader(BytesIO(pdf))
    assert reader.metadata is not None
    assert (reader.metadata.subject, reader.root_object["/Lang"]) == ("Hackjack 1.0", "en")


def test_all_fields_of_a_sheet_share_one_font() -> None:
    pdf = panels.sheet(hackjack(), PanelOptions(sheets.paper_sizes()["a4"], fillable=True, compressed=False))
    assert pdf.count(b"/Subtype /Type1") == 1 < len(widgets(PdfReader(BytesIO(pdf))))


def widgets(reader: PdfReader) -> list[Any]:
    return annotations_of(reader.pages[0])


def test_every_field_has_a_name_a_tooltip_and_its_place_in_the_order_of_reading() -> None:
    reader = PdfReader(BytesIO(printed("sheet", fillable=True)))
    fields = widgets(reader)
    names = [field["/T"] for field in fields]
    assert len(set(names)) == len(names) == len(reader.get_fields() or {})
    assert {"name", "hp", "score_1", "score_21", "blood_20", "trauma_6", "fear", "notes"} <= set(names)
    assert {"wounds_8_until", "wounds_8_stays", "wounds_8_score", "recovery"} <= set(names)
    assert not {"holding", "dead"} & set(names), "nothing is kept on paper for the engine alone"
    assert all(field["/TU"].strip() for field in fields)
    assert not any(int(field.get("/Ff", 0)) & 2 for field in fields), "a field is required"
    assert reader.pages[0]["/Tabs"] == "/S"
    order = [
        names.index(name) for name in ("name", "hp", "score_1", "score_21", "blood_1", "trauma_1", "wounds_1_card")
    ]
    assert order == sorted(order)
    wide = float(reader.pages[0].mediabox.width)
    for field in fields:
        left, foot, right, top = map(float, field["/Rect"])
        assert 0 < left < right < wide and 0 < foot < top


def test_a_blank_sheet_is_filled_saved_and_read_again() -> None:
    reader = PdfReader(BytesIO(printed("sheet", fillable=True)))
    blank = reader.get_fields() or {}
    assert not any(field.value not in (None, "", "/Off") for field in blank.values())
    writer = PdfWriter(clone_from=reader)
    written = {"name": "Bryn", "wounds_1_card": "QS", "score_3": "/Yes", "notes": "Owes Żółć a horse"}
    writer.update_page_form_field_values(writer.pages[0], written, auto_regenerate=False)
    stream = BytesIO()
    writer.write(stream)
    again = {key: field.value for key, field in (PdfReader(stream).get_fields() or {}).items()}
    assert {key: again[key] for key in written} == written
    assert sum(value not in (None, "", "/Off") for value in again.values()) == len(written)


def ink(pdf: bytes, name: str) -> int:
    """How many dark dots a viewer shows inside a field."""
    field = next(found for found in widgets(PdfReader(BytesIO(pdf))) if found["/T"] == name)
    left, foot, right, top = map(float, field["/Rect"])
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    page = document[0]
    high = page.get_height()
    shown = page.render(scale=3, may_draw_forms=True).to_pil().convert("L")
    # A little inside the field, where its line is not.
    box = shown.crop(
        (round(left * 3) + 3, round((high - top) * 3) + 4, round(right * 3) - 3, round((high - foot) * 3) - 6)
    )
    page.close()
    document.close()
    return sum(box.histogram()[:128])


def test_a_viewer_shows_names_from_beyond_western_europe() -> None:
    blank, filled = printed("sheet", fillable=True), printed("sheet", fillable=True, name="Żółć")
    assert ink(blank, "name") == 0
    assert ink(filled, "name") > 100
    assert ink(filled, "wounds_1_effect") > 100


def test_values_of_any_length_are_shown_whole() -> None:
    stats = ["strength", "constitution", "dexterity", "wisdom"]
    wound = {"card": "3S", "effect": "penalty", "until": "recovery", "to": stats, "by": [1]}
    state = {**STATE, "blood": 23, "wounds": [wound], "recovery": "Grumpy for weeks, " * 8 + "at last well"}
    options = PanelOptions(sheets.paper_sizes()["letter"], filling=Filling("Bryn", state))
    found = text(panels.sheet(hackjack(), options))
    assert "1 to Strength, Constitution, Dexterity and Wisdom" in found
    assert state["recovery"] in found
    fields = (
        PdfReader(BytesIO(panels.sheet(hackjack(), msgspec.structs.replace(options, fillable=True)))).get_fields() or {}
    )
    assert fields["recovery"].value == state["recovery"]
    assert sum(fields[key].value == "/Yes" for key in fields if key.startswith("blood_")) == 23


@pytest.mark.parametrize("name", ["Bryn", "Żółć", "傷"])
def test_a_sheet_shows_the_state_it_is_filled_with(name: str) -> None:
    fields = PdfReader(BytesIO(printed("sheet", fillable=True, name=name))).get_fields() or {}
    values = {key: field.value for key, field in fields.items()}
    ticked = [key for key, value in values.items() if value == "/Yes"]
    assert [key for key in ticked if key.startswith("score_")] == [f"score_{number}" for number in range(1, 14)]
    assert sum(key.startswith("blood_") for key in ticked) == 3
    keys = ("name", "wounds_1_card", "wounds_1_until", "wounds_2_card", "wounds_3_card", "wounds_3_score")
    assert [values[key] for key in keys] == [name, "3♠", "until you recover", "A♦", "Q♠", "10"]
    assert [values[f"wounds_{at}_stays"] for at in (1, 2)] == ["/Off", "/Yes"] and values["wounds_4_score"] == "3"


def taken(to: list[str], by: list[int], **more: str) -> dict[str, Any]:
    """What a card takes from statistics, as a state keeps it."""
    return {"card": "3S", "effect": "penalty", "until": "recovery", "to": to, "by": by, **more}


SUMS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "hackjack": (
        {
            "wounds": [
                taken(["all_stats"], [1]),
                taken(["strength", "wisdom"], [2, 3]),
                taken(["all_rolls"], [4]),
                taken(["to_hit"], [2], begins="recovery"),
                taken(["wisdom"], [1]) | {"effect": "bonus"},
            ]
        },
        {
            "all_rolls": "\u22124", "strength": "\u22123", "dexterity": "\u22121", "constitution": "\u22121",
            "intelligence": "\u22121", "wisdom": "\u22123", "charisma": "\u22121",
        },
    ),
    "glog": (
        {
            "hp": 0,
            "injuries": [
                {"condition": "disabled", "days": 3, "place": "left leg"},
                {"condition": "disabled", "days": 3, "place": "left arm"},
                {"condition": "gored", "days": 3},
            ],
            "conditions": [{"condition": "winded", "until": "breath"}],
            "lost": [{"statistic": "charisma", "by": 1}],
        },
        {"attack": "\u22122", "defense": "\u22122", "movement": "\u22126", "charisma": "\u22121"},
    ),
    "deadlands": (
        {"injuries": [{"card": "7C"}, {"card": "2C", "permanent": True}, {"card": "KD"}]},
        {"shooting": "\u22121", "fighting": "\u22121", "repair": "\u22122", "agility": "\u22122",
         "strength": "\u22122", "vigor": "\u22122"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
def test_a_sheet_adds_up_what_wounds_take_now(name: str) -> None:
    """Each statistic has what everything in force takes from it: not what begins later, nor what only a leg takes."""
    system = load_pack(find(name)).system
    state, sums = SUMS[name]
    game = game_of(system)
    filled = game.sheet(game.plain_state(game.read_state(state)))
    options = PanelOptions(sheets.paper_sizes()["a4"], fillable=True, filling=Filling("Bryn", filled))
    fields = PdfReader(BytesIO(panels.sheet(system, options))).get_fields() or {}
    added = {key.removeprefix("sum_"): field.value for key, field in fields.items() if key.startswith("sum_")}
    assert {key: value for key, value in added.items() if value} == sums


BROUGHT: dict[str, dict[str, dict[str, Any]]] = {
    "scars": {
        "Scars 5": {"condition": "limping", "until": "9 days"},
        "Scars 7": {"condition": "limping"},
        "Scars 4": {"condition": "shaking"},
        # An event brings it, without a table.
        "": {"condition": "out", "until": "3 hours"},
    },
    "criticals": {
        "Arms 6-15": {"condition": "bleeding", "until": "bandage", "place": "arm"},
        "Legs 6-15": {"condition": "broken", "until": "4 days", "place": "leg"},
        "Arms 16+ or Legs 16+": {"condition": "grim"},
        "": {"condition": "fever", "until": "save"},
    },
}


@pytest.mark.parametrize("name", BROUGHT)
def test_a_sheet_says_which_rows_can_have_brought_a_condition(name: str) -> None:
    system = load_pack(ROOT / "docs" / "examples" / name).system
    game = game_of(system)
    for rows, held in BROUGHT[name].items():
        filled = game.sheet(game.plain_state(game.read_state({"conditions": [held]})))
        assert [row["from"] for row in filled["conditions"]] == [rows], held


def test_a_plain_sheet_prints_what_it_can() -> None:
    pdf = printed("sheet", name="Żółć")
    assert PdfReader(BytesIO(pdf)).get_fields() is None
    assert "Żółć" in text(pdf)
    assert "That arm is useless (left arm) until you recover" in text(pdf)
    with pytest.raises(HackjackError, match="printed font has no 傷"):
        printed("sheet", name="傷")


def test_a_sheet_with_too_many_wounds_for_a_page_goes_on_over_another() -> None:
    """Forty-five wounds, each in a row of its own; what is too long for its line is refused with the block's name."""
    many = [{"card": "3S", "effect": "arm_useless", "until": "recovery"}] * 45
    options = PanelOptions(
        sheets.paper_sizes()["a4"], fillable=True, filling=Filling("Bryn", {**STATE, "wounds": many})
    )
    reader = PdfReader(BytesIO(panels.sheet(hackjack(), options)))
    fields = reader.get_fields() or {}
    assert len(reader.pages) > 1 and fields["wounds_45_card"].value == "3♠"
    options = PanelOptions(sheets.paper_sizes()["a4"], filling=Filling("Bryn", {**STATE, "recovery": "W" * 400}))
    with pytest.raises(HackjackError, match='the panel "Injury sheet" is full: the block'):
        panels.sheet(hackjack(), options)


def test_the_reference_is_cut_and_folded_into_quarters_and_cut_into_cards() -> None:
    pdf = printed("reference")
    first, second = ((f"Over {hackjack().most_of('score')} you die", "Recovery by Trauma"), ("The signs", "The signs"))
    for page, (left, right) in enumerate((first, second)):
        for foot in (0, 148.5):
            assert left in text_in(pdf, page, 0, foot, 105, foot + 148.5)
            assert right in text_in(pdf, page, 105, foot, 210, foot + 148.5)
        through = [line for line in lines_of(pdf, page) if max(line[2] - line[0], line[3] - line[1]) > 199]
        assert through == [pytest.approx(line, abs=0.01) for line in ((5, 148.5, 205, 148.5), (105, 5, 105, 292))]
    # To be folded where the two sides differ, and to be cut where they are the same.
    dashed = [[float(at) for at in values[0]] for values, operator in operations(pdf, 0) if operator == "d"]
    assert [3.0, 3.0] in dashed
    assert [3.0, 3.0] not in [
        [float(at) for at in values[0]] for values, operator in operations(pdf, 1) if operator == "d"
    ]
    assert text(pdf).count("When you are hit") == 2
    cards = printed("reference-cards")
    assert text(cards).count("When you are hit") == 1 and len(PdfReader(BytesIO(cards)).pages) == 1
    assert min(size for size, many in Counter(char.size for char in chars(cards, 0)).items() if many > 400) >= 9


def test_the_legend_explains_every_sign_that_stands_on_a_card() -> None:
    page = " ".join(text_in(printed("reference"), 1, 0, 148.5, 105, 297).split())
    for suit in hackjack().head.suits:
        assert suit.means in page
    for track in ("score", "blood", "trauma"):
        means = wording.fill_placeholders(hackjack().head.tracks[track].means, hackjack())
        assert f"{hackjack().head.tracks[track].name}: {means}" in page
    assert "For good: It does not end by itself." in page
    assert "econstructed" not in page


def test_a_legend_names_no_sign_that_is_on_no_card(tmp_path: Path) -> None:
    """A deck on which nothing brings Trauma."""
    pack = copy_pack(tmp_path)
    deck = (pack / "deck.yaml").read_text(encoding="utf-8")
    (pack / "deck.yaml").write_text(re.sub(r",? *\btrauma: \d|^ +trauma: \d\n", "", deck, flags=re.M), encoding="utf-8")
    reference = "title: Signs\npanels: [{title: Signs, blocks: [{block: signs}]}]\n"
    (pack / "reference.yaml").write_text(reference, encoding="utf-8")
    assert run("print", "hackjack", "reference", "--pack", pack, "--format", "md", "-o", tmp_path).code == 0
    said = next(tmp_path.glob("*-reference.md")).read_text(encoding="utf-8")
    assert "Blood (drop)" in said and "Death-score (disc)" in said
    assert "For good (lock)" in said and "(bone)" not in said


@pytest.mark.parametrize("product", few_quick(1, ["reference", "screen"]))
def test_no_heading_is_as_large_as_the_title_over_it(product: str) -> None:
    file = panels_file(hackjack(), product)
    assert file
    headings = {block.title for panel in file.panels for block in panel.blocks if block.title}
    sizes: dict[str, set[float]] = {}
    read_any = False

    def read(said: str, _: Any, matrix: list[float], __: Any, size: float) -> None:
        sizes.setdefault(said.strip(), set()).add(size * abs(matrix[3] or matrix[1]))

    for page in PdfReader(BytesIO(printed(product))).pages:
        sizes.clear()
        page.extract_text(visitor_text=read)
        title = max(max(sizes[panel.title]) for panel in file.panels if panel.title in sizes)
        largest = [max(found) for said, found in sizes.items() if said in headings]
        assert max(largest, default=0.0) <= 0.8 * title
        read_any = read_any or bool(largest)
    assert read_any


# --- what is true of the cards ---------------------------------------------------------------------------------------


def test_a_filled_sheet_says_what_show_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wound without its rule would be played wrong: no mask, no event, no price."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    run("play", "--campaign", "red", "hackjack", "--set", "limit=50", "add", "Dag")
    for code in ("KD", "QC", "10H", "9C", "QD"):
        assert run("play", "--campaign", "red", "draw", "dag", code).code == 0
    shown = run("play", "--campaign", "red", "show", "dag").out
    assert run("print", "hackjack", "sheet", "--from", "red:dag", "--plain", "-o", tmp_path).code == 0
    said = text((tmp_path / "hackjack-sheet-dag.pdf").read_bytes())
    for words in (
        "Unless you wear a mask, your Charisma is halved",
        "For good: each time you fall to 0 HP or below, your first card scores 2 more",
        "every red card you draw adds 1 more Blood",
        "For good: each time you fall below 0 HP, 2 Blood go into your pool",
        "Each round near the thing that did this costs you 1 Wisdom",
    ):
        assert words in shown and words in said
    assert "stays with you" not in shown + said


def test_two_triggers_of_one_card_are_told_apart() -> None:
    """Several alike on one card stand in its order, each in its own words."""
    trauma = Whenever("red_card", Until("recovery"), blood=1)
    fear = Penalty(("wisdom",), Dice(0, 0, 1), Until("recovery"))
    ace = msgspec.structs.replace(
        hackjack().cards["AC"], effects=(trauma, Whenever("near_cause", fear.until, penalty=fear))
    )
    deck = hackjack().deck
    assert deck is not None
    system = replace(hackjack(), deck=msgspec.structs.replace(deck, cards=(ace,)))
    wound = {"card": "AC", "effect": "whenever", "until": "recovery"}
    first, second = wounds_told([wound, wound], system)
    assert first == ("AC", "With each red card you draw, 1 Blood joins your pool", "until you recover")
    assert second[1].startswith("Each round you face what did this, take")


SHORT = {
    "JC": ["draw 2, take both wounds (no score, lower Blood and Trauma, if any)"],
    "QC": ["from now on each fall to 0 HP or below: first card +2 score (drawn again: another 2)"],
    "9C": ["from now on each fall below 0 HP: +2 Blood (drawn again: another 2)"],
    "10H": ["each red card: +1 Blood until recovered"],
    "3D": ["lose finger (d10: 1\N{EN DASH}5 left hand, 6\N{EN DASH}10 right hand, thumb first)"],
    "JS": ["lose limb (d4: 1\N{EN DASH}2 arm, 3\N{EN DASH}4 leg, left first), how much (d4: 1 hand or foot, 2"],
    "3S": ["d2 which arm (1 left, 2 right); drop item"],
}  # fmt: skip


def test_short_forms_say_when_and_what_the_dice_mean() -> None:
    """On stickers and on the panel of wounds alike."""
    screen = re.sub(r"\W", "", text(printed("screen")))
    for code, says in SHORT.items():
        told = card_telegraph(hackjack().cards[code], hackjack())
        assert all(part in told for part in says), told
        assert re.sub(r"\W", "", told) in screen


def test_the_panels_say_the_steps_in_the_order_of_play() -> None:
    def order(*settings: tuple[str, str]) -> list[int]:
        said = text(printed("reference", settings=settings))
        return [said.index(words) for words in ("Its score joins", "Over 21 you die", "If you live, do what")]

    score, total, wound = order()
    assert score < total < wound
    score, total, wound = order(("wound_rolls", "before_the_total"))
    assert score < wound < total


def test_an_order_has_the_events_that_an_event_calls(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(find("glog"), tmp_path / "glog"))
    block = "      - {block: order, event: hit, steps: [{event: heal, says: Over}]}\n"
    panel = f"title: Reference\npanels:\n  - title: A hit\n    blocks:\n{block}"
    (pack / "reference.yaml").write_text(panel, encoding="utf-8")
    assert run("list", "--pack", pack).code == 0
    done = run("check", pack)
    assert done.faults[0].endswith("reference.yaml:5:52: hit does not call heal; known: hit")
    (pack / "reference.yaml").write_text(panel.replace("event: hit", "event: hut"), encoding="utf-8")
    done = run("check", pack)
    assert done.faults[0].endswith('reference.yaml:5:31: unknown event "hut": did you mean "hit"?')


@pytest.mark.slow
def test_steps_that_say_several_events_follow_each_other_and_a_scale_is_one_row(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(find("hackjack"), tmp_path / "hackjack"))
    screen = (pack / "screen.yaml").read_text(encoding="utf-8")
    for old, new, fault in (
        (
            "event: hit, title",
            "event: [hit, total], title",
            "flow is played between these events: name it with them, or write a step for each",
        ),
        ("[deal, gain, strike, hurt]", "[hurt, gain]", "strike is played between these events: name it with them"),
        ("counts: die\n", "counts: die\n        looks: bands\n", "a scale has one row of bars"),
        ("least: 0, below: limit", "least: 90, below: limit", "has 0 values: from 1 to 50 can be printed"),
    ):
        (pack / "screen.yaml").write_text(screen.replace(old, new, 1), encoding="utf-8")
        assert fault in run("check", pack).err


def test_a_scale_has_the_odds_of_the_engine_and_runs_along_the_edge_of_the_paper() -> None:
    pdf = printed("screen")
    top, wide = sheets.paper_sizes()["a4"].width, sheets.paper_sizes()["a4"].height
    edge = [char for char in chars(pdf, 0) if char.y > top - 20]
    assert min(char.x for char in edge) < 10 and max(char.x for char in edge) > wide - 15
    odds = text_in(pdf, 0, 0, top - 22, wide, top)
    hit = game_of(hackjack()).odds(
        game_of(hackjack()).read_state({"score": 20}), game_of(hackjack()).read_question(["hit", "1"], {}), Asked()
    )
    assert f"20 {chance_percent(hit.plain['die']['p'])} " in odds and "back to 0" in odds


@pytest.mark.slow
def test_the_players_side_is_on_the_back_of_each_panel_on_request() -> None:
    alone, backed = (reader(printed("screen", players=players)).pages for players in (False, True))
    titles = ["For the players" in page.extract_text() for page in backed]
    assert titles == [False, True] * len(alone) and not any("For the players" in page.extract_text() for page in alone)
    done = run("print", "beasts", "screen", "--players", "--pack", ROOT / "docs" / "examples" / "beasts")
    assert "has no players' side: write `players: true` into a panel of screen.yaml" in done.err


def test_what_the_gm_needs_besides_the_cards_is_printed() -> None:
    screen = text(printed("screen"))
    needed = (
        "Only a quest or great magic ends it|It takes Trauma away too, without the recovery time|"
        "Bend the story, not the card|The card that kills tells the death|ends only by a quest or great magic"
    )
    assert [words for words in needed.split("|") if words not in screen] == []
    reference = text(printed("reference"))
    assert "A wound that is for good needs a quest or great magic" in reference
    assert "To more than 21 below 0 Dead at once" in screen
    assert "A hit from above 0 HP to more than 21 below kills at once" in reference
    assert "More than 13 damage is massive" in screen and "More than 13 damage is massive" in reference


@pytest.mark.parametrize("name", shipped())
def test_large_print_is_14_pt_or_more_on_sheets_too_and_no_words_run_into_each_other(name: str) -> None:
    for product, least in (("sheet", 14), ("reference", 14), ("reference-cards", 11)):
        pdf = product_pdf(name, product, text="large")
        for page in range(len(PdfReader(BytesIO(pdf)).pages)):
            letters = chars(pdf, page)
            assert Counter(round(char.size, 1) for char in letters).most_common(1)[0][0] >= least
            assert product == "reference-cards" or min(char.size for char in letters) > 13.9, "in drops too"
            lines = groupby(sorted(letters, key=lambda char: (char.y, char.left)), key=lambda char: char.y)
            pairs = (pair for _, line in lines for pair in pairwise(line))
            assert not [pair for pair in pairs if (pair[1].left + pair[1].right) / 2 < pair[0].right], (product, page)


@pytest.mark.slow
def test_a_chart_in_large_print_stands_across_the_panel_with_large_letters() -> None:
    paper, pdf = sheets.paper_sizes()["letter"], product_pdf("glog", "screen", paper="letter", text="large")
    pages = [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]
    letters = chars(pdf, next(at for at, said in enumerate(pages) if "By lethal damage" in said))
    assert min(char.left for char in letters) > 4.5 and max(char.right for char in letters) < paper.height - 10
    assert min(char.size for char in letters) > 13.9


@pytest.mark.slow
def test_a_table_too_narrow_for_its_columns_is_set_row_by_row() -> None:
    """On a card each cell stands beside its head; on a screen, which is wide, it stands in its column."""
    texts = {
        product: " ".join(
            page.extract_text().replace("\n", " ") for page in reader(product_pdf("deadlands", product)).pages
        )
        for product in ("screen", "reference-cards")
    }
    assert "First aid When within the golden hour Does one roll for all wounds" in texts["reference-cards"]
    assert "Skill Magic Snake-eyes backlash" in texts["reference-cards"], "also in the part that stands on another card"
    assert "When within" not in texts["screen"] and "within the golden hour" in texts["screen"]


def test_a_title_says_nothing_twice() -> None:
    for title, deck in (("Hackjack", "Hackjack deck"), ("The deck", "The deck"), ("Sundeck", "Sundeck deck")):
        named = replace(hackjack(), head=msgspec.structs.replace(hackjack().head, title=title))
        assert wording.product_title(named, "deck") == deck


def are_charts(panel: Panel) -> bool:
    """Return whether hardly anything but charts stands on a panel."""
    return all(isinstance(block, Chart | OddsBlock) for block in panel.blocks)


# --- what a screen looks like ----------------------------------------------------------------------------------------


SYSTEMS = [pytest.param(name, marks=() if name == "jackrealms" else pytest.mark.slow) for name in shipped()]


@pytest.mark.parametrize("paper", few_quick(1, ["a4", "letter"]))
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_screen_has_one_size_of_type_that_is_read_at_a_glance_and_stands_upright_too(name: str, paper: str) -> None:
    """The size that most letters have stands on every page but those of charts; upright it has the same words."""
    system = load_pack(find(name)).system
    sizes: tuple[tuple[Print, int, int], ...] = (("normal", 13, 11), ("large", 14, 14))
    for text_size, least, smallest in sizes:
        pdf = product_pdf(name, "screen", paper=paper, text=text_size)
        pages = [Counter(round(char.size, 1) for char in chars(pdf, page)) for page in range(len(reader(pdf).pages))]
        body = sum(pages, Counter()).most_common(1)[0][0]
        assert body >= least and min(min(page) for page in pages) >= smallest
        charts = [page.title for page in dict(system.panels)["screen"].panels if are_charts(page)]
        # In large print a chart and what stands over it may each need a page.
        assert sum(page[body] < 20 for page in pages) <= len(charts) + 2 * (least == 14)
    heads = [
        cell
        for item, _, _ in panels.laid(system, "screen", PanelOptions(sheets.paper_sizes()["a4"]))[1]
        for block in item.blocks
        for piece in block.pieces
        if isinstance(piece, PanelTable)
        for cell in piece.heads
    ]
    assert all(heads), "every column has a heading"
    lying, upright = (product_pdf(name, "screen", paper=paper, panels=way) for way in ("landscape", "portrait"))
    assert all(page.mediabox.width < page.mediabox.height for page in reader(upright).pages)
    words = [set(text(each).replace(", continued", "").split()) for each in (lying, upright)]
    assert words[0] == words[1]


def test_what_we_ruled_stands_on_full_pages_and_makes_the_type_of_the_panels_no_smaller() -> None:
    with_rulings = printed("screen", rulings=True)
    assert Counter(round(char.size, 1) for char in chars(with_rulings, 0)).most_common(1)[0][0] > 11
    first, second = ([each.y for each in chars(with_rulings, page)] for page in (4, 5))
    assert (
        "H43" in text(with_rulings) and min(y for y in first if y > 14) < 40 and min(y for y in second if y > 14) < 60
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_panel_is_more_than_a_quarter_empty(name: str) -> None:
    """In cells of 8 mm inside of the margins."""
    cell, margin = 8 * 4, 10 * 4
    for page in pictures(product_pdf(name, "screen"), 25.4 * 4):
        grey = page.convert("L")
        lefts = range(margin, grey.width - margin - cell, cell)
        cells = [(x, y) for x in lefts for y in range(margin, grey.height - margin - cell, cell)]
        bare = [(x, y) for x, y in cells if min(grey.crop((x, y, x + cell, y + cell)).tobytes()) > 250]
        assert len(bare) <= 0.25 * len(cells)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_steps_of_a_turn_are_few_and_short(name: str) -> None:
    """Five boxes at most, twelve words each, on every panel but the players' side."""
    system = load_pack(find(name)).system
    boxed = 0
    for written in dict(system.panels)["screen"].panels:
        pieces = [piece for block in panel_content.page(written, system).blocks for piece in block.pieces]
        steps = [piece for piece in pieces if isinstance(piece, Paragraph) and piece.label and piece.emblem]
        boxed += bool(steps)
        if not written.players:
            assert len(steps) <= 5 and all(step.strong for step in steps)
            words = [len(re.findall(r"[\w'-]+", RULING.sub("", step.text))) for step in steps]
            assert max(words, default=0) <= 12, [
                step.text for step, many in zip(steps, words, strict=True) if many > 12
            ]
    assert boxed >= 2, "a turn, and the players' side"


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_changes_with_each_hit_stands_in_the_top_third_in_boxes_of_8_mm(name: str) -> None:
    for paper in ("a4", "letter"):
        pdf = product_pdf(name, "sheet", paper=paper, fillable=True)
        assert min(char.size for char in chars(pdf, 0)) >= 9.5
        fields = {str(field["/T"]): [float(side) for side in field["/Rect"]] for field in widgets(reader(pdf))}
        foot = float(reader(pdf).pages[0].mediabox.height) * 2 / 3
        first = {"hackjack": ("score_21", "blood_20", "trauma_6"), "glog": ("injuries_5_name",)}.get(name, ("name",))
        assert all(fields[field][1] > foot for field in first)
        tracks = [
            re.fullmatch(r"(score|blood|trauma|wounds|effort|stakes|rounds_dying|hits)_\d+|\w+_\d+_(stays|won)", each)
            for each in fields
        ]
        sides = [fields[each[0]][2] - fields[each[0]][0] for each in tracks if each]
        assert min(sides) > 7.9 / 25.4 * 72


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_page_of_a_screen_is_left_half_empty(name: str) -> None:
    """Words and charts reach down to two thirds of a page; in large print, where a panel takes two, to the middle."""
    sizes: tuple[tuple[Print, float], ...] = (("normal", 0.65), ("large", 0.45))
    for text_size, least in sizes:
        for paper in ("a4", "letter"):
            pdf = product_pdf(name, "screen", paper=paper, text=text_size)
            foot, top = 15.0, sheets.paper_sizes()[paper].width - 21
            for page in range(len(PdfReader(BytesIO(pdf)).pages)):
                lowest = min(char.y for char in chars(pdf, page) if char.y > foot - 2)
                assert top - lowest > least * (top - foot), (text_size, paper, page)


def test_tables_stay_whole_and_have_a_heading_over_their_numbers(tmp_path: Path) -> None:
    """The last of two tables on a page is short, but not cut in two; the rest of a panel says whose rest it is."""
    examples = ROOT / "docs" / "examples"
    for name in ("criticals", "scars"):
        assert run("print", name, "screen", "--pack", examples / name, "-o", tmp_path).code == 0
    criticals, scars = (page_texts((tmp_path / f"{name}-screen.pdf").read_bytes()) for name in ("criticals", "scars"))
    first, second = (page.split() for page in criticals)
    assert second.count("Effect") == 1 and {"Ringing", "Cracked", "Stove"} <= {*second}
    assert "continued" in second and "continued" not in first
    assert "Number Scar Effect 1 A nick" in scars[0]


def test_each_page_of_a_sheet_has_the_name_of_its_character_for_a_title() -> None:
    """A field of its own on each, as two of one name would be rivals."""
    document = reader(product_pdf("hackjack", "sheet", text="large", fillable=True))
    pages = page_texts(product_pdf("hackjack", "sheet", text="large", fillable=True))
    assert len(pages) == 2 and all("Name" in page for page in pages)
    assert not any("continued" in page for page in pages)
    assert {"name", "name 2"} <= {*(document.get_fields() or {})}


def test_a_long_table_to_write_in_is_shared_by_the_two_pages_of_a_sheet_in_large_print() -> None:
    pdf = product_pdf("jackrealms", "sheet", text="large", fillable=True)
    fields = [{str(field["/T"]) for field in annotations_of(page)} for page in reader(pdf).pages]
    rows = [sum(bool(re.fullmatch(r"actions_\d+_won", name)) for name in names) for names in fields]
    assert len(rows) == 2 and sum(rows) == 15 and abs(rows[0] - rows[1]) <= 1


def test_what_is_watched_is_no_step_of_the_last_of_several_events(tmp_path: Path) -> None:
    pack = tmp_path / "scars"
    shutil.copytree(ROOT / "docs/examples/scars", pack)
    block = "{block: event, title: Events, event: [hit, wash], watches: true}"
    (pack / "screen.yaml").write_text(
        f"title: Screen\npanels:\n- {{title: Events, blocks: [{block}]}}\n", encoding="utf-8"
    )
    assert run("print", "scars", "screen", "--pack", pack, "--format", "md", "--output", tmp_path).code == 0
    text = (tmp_path / "scars-screen.md").read_text(encoding="utf-8")
    assert "**At any time:** As soon as you are at 0 Sinew, you die." in text


def test_a_number_has_as_many_boxes_as_it_can_be_at_most(tmp_path: Path) -> None:
    pack = tmp_path / "scars"
    shutil.copytree(ROOT / "docs/examples/scars", pack)
    rules = (pack / "system.yaml").read_text(encoding="utf-8")
    number = "numbers:\n    cuts: {name: Cuts, least: 0, most: 3}\n"
    tracks = 'tracks: {cuts: {name: Cuts, means: "Each is one."}}\nprocedure:\n'
    rules = rules.replace("numbers:\n", number, 1).replace("procedure:\n", tracks, 1)
    (pack / "system.yaml").write_text(rules, encoding="utf-8")
    for more, says in (
        ("", "**Cuts:** 3 boxes."),
        (", count: 5", "**Cuts:** 5 boxes."),
        (", upto: 1", "sheet.yaml:3:73: expected text, not 1: the name of a number that says how many there are"),
    ):
        block = f"{{block: boxes, label: Cuts, track: cuts{more}}}"
        sheet = f"title: Sheet\npanels:\n- {{title: Cuts, blocks: [{block}]}}\n"
        (pack / "sheet.yaml").write_text(sheet, encoding="utf-8")
        ran = run("print", "scars", "sheet", "--pack", pack, "--format", "md", "--output", tmp_path)
        assert says in ((tmp_path / "scars-sheet.md").read_text(encoding="utf-8") if ran.code == 0 else ran.err)

"""Deadlands 1876 on paper, read back: screen, charts, cards, tokens, reference, and the sheet that a session fills."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from games.test_rules import play
from helpers import ROOT, Char, annotations_of, as_typed, chars, page_texts, product_pdf, reader, run, squeezed
from pypdf import PdfReader

from generator.base.cards import ALL_CODES, is_joker, name_of
from generator.base.dice import Dice
from generator.games import card_products as cardsets
from generator.games import game_of
from generator.games.face import Asked
from generator.layout import sheets
from generator.layout.card_elements import Badge, Blank, CardEffect, Face, written_form
from generator.layout.panel_elements import Bars, Matrix
from generator.layout.sheet_data import Filling
from generator.model.blocks import ChoicesBlock, OddsBlock, Prose, StepsBlock, TableBlock
from generator.model.printed_files import HandOut
from generator.model.rules import System
from generator.orders.job import annotated_system
from generator.pack.load import load_pack
from generator.pack.pack_locations import shipped
from generator.paper.panel_options import PanelOptions
from generator.products import deck, panels, products_of
from generator.products.odds_pictures import picture
from generator.products.panel_content import sparse_merged
from generator.words.chances import chance_percent
from generator.words.effects import card_readings
from generator.words.table_text import table_cells
from generator.words.wording import DAGGER, fill_placeholders

A4, LETTER = sheets.paper_sizes()["a4"], sheets.paper_sizes()["letter"]
DICE = ("d4", "d6", "d8", "d10", "d12")
CARD_SETS = ("deck", "fate", "fate-injuries", "tokens")


@cache
def deadlands(*house_rules: tuple[str, str]) -> System:
    return load_pack(ROOT / "content" / "deadlands", house_rules).system


def screen(*house_rules: tuple[str, str]) -> bytes:
    return product_pdf("deadlands", "screen", settings=house_rules)


@cache
def squeezed_pages(pdf: bytes) -> tuple[str, ...]:
    return tuple(map(squeezed, page_texts(pdf)))


def said(pdf: bytes) -> str:
    return "".join(squeezed_pages(pdf))


@cache
def baselines(pdf: bytes) -> tuple[str, ...]:
    """What stands on one line across each page, from left to right, without spaces; a label may stand a hair higher."""
    found = []
    for page in range(len(reader(pdf).pages)):
        lines: list[list[Char]] = []
        for char in sorted(chars(pdf, page), key=lambda char: -char.y):
            if not lines or lines[-1][-1].y - char.y > 0.5:
                lines.append([])
            lines[-1].append(char)
        found += ["".join(char.text for char in sorted(line, key=lambda char: char.x)) for line in lines]
    return tuple(found)


def test_what_there_is_to_print() -> None:
    assert products_of(deadlands()) == (*CARD_SETS, "screen", "sheet", "reference", "reference-cards", "box")


# --- the screen ------------------------------------------------------------------------------------------------------

PLACES = {
    "A trait roll": "D1 D2", "Boxcars and snake-eyes": "D3 D4", "Unskilled": "D5", "Serial rolls": "D6",
    "Contested roll": "D7", "Joker for initiative": "D8", "A luck draw": "D9", "A fate roll": "D10",
    "Tokens of fortune": "D11", "Calling in a marker": "D11", "Dramatic tasks": "D12", "Incapacitated": "D13",
    "Injury": "D14 D15", "Damage": "D16", "Healing": "D17", "Who they are": "D18", "Rank and Grit": "D19",
    "Books": "D20", "Guts and fear": "D21", "Advances": "D22 D23", "Edges": "D24", "Until they wake": "D28 D29",
}  # fmt: skip


def test_every_procedure_has_its_place_under_its_heading() -> None:
    """The block under each heading deals with its rulings: it names them, or is a table that follows them."""
    blocks = {block.title: block for panel in dict(deadlands().panels)["screen"].panels for block in panel.blocks}
    for heading, named in PLACES.items():
        block, rulings = blocks[heading], named.split()
        if isinstance(block, TableBlock):
            table = deadlands().table(block.table)
            assert table is not None and set(rulings) <= set(table.rulings)
        else:
            assert isinstance(block, Prose | StepsBlock | ChoicesBlock)
            sentences = block
            assert all(f"[{ruling}]" in str(sentences) for ruling in rulings), heading
        assert any(squeezed(heading) in line for line in baselines(screen())), heading
        assert block.source, "the section of the source stands beside it"
    assert set(" ".join(PLACES.values()).split()) == {f"D{at}" for at in (*range(1, 25), 28, 29)}


TABLES = "ranks incapacitation checks characters tokens knowledge healing edges criticals advances"


def test_every_row_of_every_table_stands_on_the_screen() -> None:
    """All cells of a row begin on one line, in their order, under their heads; every word of them is printed."""
    printed, lines = said(screen()), "\n".join(baselines(screen()))
    for name in TABLES.split():
        table = deadlands().table(name)
        assert table is not None
        heads, rows = sparse_merged(*table_cells(table, deadlands()))
        assert len(rows) == len(table.rows)
        assert re.search(".*".join(map(re.escape, map(squeezed, filter(None, heads)))), lines)
        for row in rows:
            assert re.search(".*".join(re.escape(cell.split()[0]) for cell in row if cell), lines), row
            assert all(squeezed(word) in printed for cell in row for word in cell.split())


def test_the_cells_of_a_column_all_end_in_a_stop_where_one_holds_two_sentences() -> None:
    table = deadlands().table("tokens")
    assert table is not None
    _, rows = sparse_merged(*table_cells(table, deadlands()))
    assert any(". " in row[-1] for row in rows)
    assert all(row[-1].endswith(".") for row in rows)
    assert not any(row[0].endswith(".") for row in rows)


def ruled(settings: tuple[tuple[str, str], ...] = ()) -> bytes:
    return product_pdf("deadlands", "screen", settings=settings, rulings=True)


def test_every_ruling_is_printed_with_the_option_in_force() -> None:
    printed = said(ruled())
    for ruling in deadlands().head.rulings:
        assert squeezed(f"{ruling.id}{ruling.point}:") in printed
        assert squeezed(fill_placeholders(ruling.ours, deadlands())) in printed
    assert squeezed("aces as damage does. Every raise is one more success.") in printed
    changed = said(ruled((("task_raises", "one_each"), ("injury_days", "acing"))))
    assert squeezed("House rule: A roll is one success at most.") in changed
    assert squeezed("House rule: The Vigor die aces.") in changed
    assert "D15*" in changed and "D15*" not in printed
    assert squeezed("task_raises: one_each") in changed or squeezed("task_raises=one_each") in changed


def test_every_injury_is_on_the_screen_worst_last_and_the_jokers_too() -> None:
    printed = said(screen())
    places = []
    for card in deadlands().cards.values():
        assert squeezed(card.name) in printed
        places.append(printed.index(squeezed(card.name)))
    assert len(set(places)) == 54
    by_code = dict(zip(deadlands().cards, places, strict=True))
    for suit in "CSDH":
        order = [by_code[f"{rank}{suit}"] for rank in (*map(str, range(2, 11)), "J", "Q", "K", "A")]
        assert order == sorted(order), f"the ace of {suit} is the worst, and stands last"
    assert squeezed("draw 1 for good instead / for good: draw 2 instead") in printed


def test_the_screen_fits_the_other_paper_too() -> None:
    pdf = product_pdf("deadlands", "screen", paper="letter", ink="saver", contrast="high")
    pages = reader(pdf).pages
    assert len(pages) == 9
    assert all(float(page.mediabox.width) > float(page.mediabox.height) for page in pages)


# --- pictures of the odds --------------------------------------------------------------------------------------------


def odds(event: str) -> dict[str, Any]:
    """The odds of an event as somebody would ask for them."""
    game = game_of(deadlands())
    return game.odds(game.read_state({}), game.read_question(event.split(), {}), Asked()).plain


def share(event: str, *keys: str) -> Fraction:
    found: Any = odds(event)
    for key in keys:
        found = found.get(key, {"fraction": "0"})
    return Fraction(found["fraction"])


SHOWN = [block for panel in dict(deadlands().panels)["screen"].panels for block in panel.blocks
         if isinstance(block, OddsBlock)]  # fmt: skip
TARGETS = tuple(map(str, range(2, 13)))
FATE = {str(rank): rank for rank in range(2, 10)} | {"10 J Q K": 10, "A": 11}
ENDS = ("critical failure", "failure", "success", "raise", "critical success")
ASKED: dict[str, tuple[Sequence[str], Sequence[str], Callable[[str, str], Fraction]]] = {
    "A Wild Card succeeds": (DICE, TARGETS, lambda die, tn: share(f"trait {die} tn={tn}", "success")),
    "A Wild Card has a raise": (DICE, TARGETS, lambda die, tn: share(f"trait {die} tn={tn}", "raise")),
    "An Extra succeeds": (("coin", *DICE), TARGETS, lambda die, tn: share(
        f"unskilled tn={tn}" if die == "coin" else f"trait {die} tn={tn} wild=none", "success")),
    "Soaking": (DICE, ("1", "2", "3", "4"), lambda die, gone: share(f"soak {die} 4", "soaked", gone)),
    "The incapacitation roll": (ENDS, DICE, lambda end, die: share(f"incapacitation {die}", end.replace(" ", "_"))),
    "A fate roll succeeds": (DICE, (*FATE, "any"), lambda die, card: share(
        f"fate {die}" if card == "any" else f"trait {die} tn={FATE[card]}", "success")),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_the_numbers_of_a_grid_are_the_odds_and_are_printed(name: str) -> None:
    rows, columns, wanted = ASKED[name]
    block = next((block for block in SHOWN if block.title == name), None)
    maker = game_of(deadlands()).charts()["fate_by_card"]
    grid = picture(block, deadlands()) if block else maker(deadlands())
    assert isinstance(grid, Matrix)
    assert grid.columns == tuple(columns) and tuple(label for label, _ in grid.rows) == tuple(rows)
    for label, cells in grid.rows:
        figures = [chance_percent(wanted(label, column)) for column in columns]
        assert [cell.text for cell in cells] == figures
        assert any(squeezed(label) + "".join(figures) in line for line in baselines(screen())), (label, figures)


def test_boxcars_and_snake_eyes_are_as_rare_as_both_dice_make_them() -> None:
    grid = game_of(deadlands()).charts()["extremes_by_die"](deadlands())
    assert isinstance(grid, Matrix) and grid.columns == DICE
    for label, cells in grid.rows:
        what = {"boxcars": "critical_success", "snake-eyes": "critical_failure"}[label]
        for die, cell in zip(DICE, cells, strict=True):
            assert share(f"trait {die}", what) == Fraction(1, int(die[1:]) * 6)
            assert cell.text == f"1 in {int(die[1:]) * 6}"
        assert any(squeezed(label + "".join(cell.text for cell in cells)) in line for line in baselines(screen()))


def test_the_bars_are_the_odds_and_are_printed() -> None:
    luck, markers = (picture(block, deadlands()) for block in SHOWN if block.title not in ASKED)
    assert isinstance(markers, Bars) and isinstance(luck, Bars) and markers.labels == DICE
    assert markers.values == tuple(share(f"marker {die}", "success") for die in DICE)
    # Counted by hand: of 54 cards 3, 6, 13 (the ace of spades is none), 15 and 28 are lucky, two of them jokers.
    assert luck.labels == ("QH", "Q", "Q+", "hearts", "red"), "each as it is typed"
    assert luck.values == tuple(Fraction(lucky, 54) for lucky in (3, 6, 13, 15, 28))
    assert any("25" in line and "75" in line for line in baselines(screen()))


# --- cards -----------------------------------------------------------------------------------------------------------


@cache
def card_pages(name: str) -> tuple[str, ...]:
    """The text of each card of a set, one a page."""
    options = deck.Options(paper=A4, card=sheets.card_sizes()["poker"], backs="none")
    pdf = deck.singles(deadlands(), options, name)
    return squeezed_pages(pdf)


def test_all_54_injuries_are_printed_in_both_readings() -> None:
    pages = dict(
        zip((face.code for face in cardsets.card_set(deadlands(), "deck").faces), card_pages("deck"), strict=True)
    )
    assert sorted(pages) == sorted(ALL_CODES)
    for code, page in pages.items():
        card = deadlands().cards[code]
        assert squeezed(card.name) in page
        readings = list(card_readings(card, deadlands()))
        names = [reading for reading, _ in readings]
        assert names in ([""] if code == "RJ" else ["For a while", "For good"], ["For a while or for good"]), code
        assert all(sentences for _, sentences in readings)
        if not is_joker(code):
            region = next(suit.character for suit in deadlands().head.suits if suit.id == code[-1])
            assert region.upper() in page


def test_an_injury_has_two_ends_upright_for_a_while_and_turned_for_good() -> None:
    options = deck.Options(paper=A4, card=sheets.card_sizes()["poker"], backs="none", only=("3S", "AC", "AH", "5H"))
    pdf = deck.singles(deadlands(), options, "deck")
    order = [face.code for face in cardsets.card_set(deadlands(), "deck").faces if face.code in options.only]
    for number, code in enumerate(order):
        letters = chars(pdf, number)
        upright = squeezed("".join(each.text for each in letters if not each.turned))
        # A line that is turned is read from its right end.
        rows = sorted((each for each in letters if each.turned), key=lambda each: (round(each.y, 1), -each.x))
        turned = squeezed("".join(each.text for each in rows))
        readings = card_readings(deadlands().cards[code], deadlands())
        (_, awhile), (_, always) = readings[0], readings[-1]
        for end, label, sentences in ((upright, "FOR A WHILE", awhile), (turned, "FOR GOOD", always)):
            assert squeezed(label) in end and squeezed(deadlands().cards[code].name) in end, code
            assert all(squeezed(sentence.says) in end for sentence in sentences), (code, end)
        assert all(each.y > 44 for each in letters if not each.turned) and all(each.y < 45 for each in rows)
        # Text is read at arm's length: 10.5 pt for sentences, 9.5 for the flavour; only the ends' words are small.
        assert min(each.size for each in letters if each.text.islower()) >= 9.5


def faces(name: str) -> dict[str, Face]:
    return {face.code: face for face in cardsets.card_set(deadlands(), name).faces}


def effects_of(face: Face) -> str:
    return " ".join(f"{part.label}: {part.says} {part.until}" for part in face.parts if isinstance(part, CardEffect))


def figures(face: Face) -> dict[str, str]:
    return {part.caption: part.number for part in face.parts if isinstance(part, Badge)}


def test_the_fate_deck_says_what_each_card_means() -> None:
    fate, both, alone = faces("fate"), faces("fate-injuries"), faces("deck")
    assert list(fate) == list(ALL_CODES) and cardsets.card_set(deadlands(), "deck").spare == frozenset()
    for code in ALL_CODES:
        if not is_joker(code):
            target = play("fate d6", cards=[code], dice=[2, 1])[0]["last"]["target"]
            assert figures(fate[code])["target number"] == str(target)
        assert both[code].parts[: len(alone[code].parts)] == alone[code].parts
        assert set(figures(both[code])) == ({"fate", "luck"} if code == "AS" or is_joker(code) else {"fate"})
    for code, words in {
        "RJ": ("a critical success", "lucky, whatever was named"),
        "BJ": ("a critical failure", "goes before the red one"),
        "AS": ("bad luck, whatever was named",),
    }.items():
        assert all(word in effects_of(fate[code]) for word in words)
    assert figures(both["AS"])["luck"] == "unlucky"
    # Its figures stand at the foot, so a card with them has one end.
    options = deck.Options(paper=A4, card=sheets.card_sizes()["poker"], backs="none", only=("AS",))
    letters = chars(deck.singles(deadlands(), options, "fate-injuries"), 0)
    foot = "".join(each.text for each in letters if each.y < 45 and not each.turned)
    assert "11" in foot and "unlucky" in foot and not any(each.turned and each.text.islower() for each in letters)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "product"), [
    *(("home", "deck"), ("home-bleed", "fate"), ("fold", "fate-injuries"), ("single", "tokens"), ("business", "deck")),
    *(("l7160", "fate"), ("5160", "tokens"), ("full-label", "fate-injuries"), ("tgc", "deck"), ("fold", "tokens")),
])  # fmt: skip
def test_card_products_on_every_kind_of_target(target: str, product: str, tmp_path: Path) -> None:
    only = [] if product == "tokens" else ["--only", "AS,7C,RJ"]
    done = run("print", "deadlands", product, "--target", target, *only, "-o", tmp_path)
    assert done.code == 0, done.err


def test_the_smallest_stickers_hold_a_deck_and_refuse_two_on_one_card(tmp_path: Path) -> None:
    for product in ("deck", "fate", "tokens"):
        assert run("print", "deadlands", product, "--target", "5167", "-o", tmp_path).code == 0
    done = run("print", "deadlands", "fate-injuries", "--target", "5167", "-o", tmp_path)
    assert done.code == 1 and "does not fit on a sticker of 44.45 x 12.7 mm" in done.err


# --- tokens ----------------------------------------------------------------------------------------------------------

LIST = """
tokens:
  - {kind: marker, name: Cullen Bohannon, die: d8}
  - {kind: charm, name: Horseshoe, trait: soaking, says: Won at cards in Tombstone}
  - {kind: burn, name: Suicide King, card: KH, says: it replaces a deuce}
  - {kind: hole, name: The old pioneer, die: d6, trait: Survival}
  - {kind: kicker, name: A book on engines, bonus: 1, trait: Repair, copies: 2}
"""
WORDS = {
    "marker": ("Connection marker", "Cullen Bohannon", "d8"),
    "charm": ("Luck charm", "Horseshoe", "soaking", "Won at cards in Tombstone"),
    "burn": ("Burn card", "Suicide King", name_of("KH"), "it replaces a deuce"),
    "hole": ("Hole card", "The old pioneer", "d6", "Survival"),
    "kicker": ("Kicker", "A book on engines", "+1", "Repair"),
}


def token_list(folder: Path, text: str = LIST) -> Path:
    path = folder / "list.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [("--card", "mini"), ("--target", "l7160")], ids=" ".join)
def test_a_token_says_all_of_its_entry_on_cards_and_on_labels(options: tuple[str, ...], tmp_path: Path) -> None:
    done = run("print", "deadlands", "tokens", "--tokens", token_list(tmp_path), "-o", tmp_path, *options)
    assert done.code == 0, done.err
    printed = said(Path(done.out.strip()).read_bytes())
    for kind, words in WORDS.items():
        for word in words:
            assert squeezed(word) in printed, (kind, word)
    assert printed.count(squeezed("A book on engines")) == 2


def test_blank_tokens_fill_a_sheet() -> None:
    blank = faces("tokens")
    assert len(blank) == 9
    assert {code.partition("-")[0] for code in blank} == {"charm", "burn", "hole", "kicker", "marker"}
    assert not any(part.value for face in blank.values() for part in face.parts if isinstance(part, Blank))
    assert "with the wild die" in effects_of(blank["hole-1"])
    marked = cardsets.card_set(annotated_system(deadlands()), "tokens").faces
    assert any(f"with the wild die{DAGGER}" in effects_of(face) for face in marked), "ours, and marked so with rulings"


def test_systems_without_tokens_refuse_a_list(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "--tokens", tmp_path / "x.yaml", "-o", tmp_path)
    assert ran.code == 2 and "has no tokens" in ran.err


def test_a_text_edition_tells_labels_lines_and_boxes(tmp_path: Path) -> None:
    ran = run("print", "deadlands", "deck", "tokens", "fate", "--format", "md", "-o", tmp_path)
    deck, tokens, fate = (Path(path).read_text(encoding="utf-8") for path in ran.out.split())
    assert "- For good: You lose a toe." in deck
    assert "d12, d10, d8, d6, d4" in tokens and "Only for:" in tokens
    assert f"{name_of('AS')[:1]}{name_of('AS')[1:]}" in fate and "Luck draw: bad luck" in fate


def test_a_marker_shows_the_steps_that_are_left() -> None:
    """A d8 marker is worth d8, d6 and d4 yet; what it was before is crossed off."""
    system = deadlands().with_side_files(tokens=(HandOut(kind="marker", name="Bohannon", die=Dice.parse("d8")),))
    (face,) = cardsets.card_set(system, "tokens").faces
    assert written_form(face) == "Who: Bohannon; d8, d6, d4"
    blank = next(face for face in cardsets.card_set(deadlands(), "tokens").faces if face.code.startswith("marker"))
    assert written_form(blank) == "d12, d10, d8, d6, d4"


def test_a_long_entry_takes_more_lines(tmp_path: Path) -> None:
    name = "The Honourable and Most Reverend Company of Wagon Wheel Makers of Denver"
    path = token_list(tmp_path, f"tokens:\n  - {{kind: marker, name: {name}, die: d10}}\n")
    done = run("print", "deadlands", "tokens", "--tokens", path, "--card", "mini", "-o", tmp_path)
    assert done.code == 0, done.err
    assert squeezed(name) in said(Path(done.out.strip()).read_bytes())


@pytest.mark.parametrize(("text", "says"), [
    ("", "1:1: the file is empty"),
    ("[]", "1:1: expected keys and values, not a list"),
    ("tokens: []", "1:9: 0 entries are too few: 1 at least"),
    ("tokens: {a: 1}", "1:9: expected a list, not a mapping"),
    ("tokens: [1]", "1:10: expected keys and values, not 1"),
    ("tokens: [{name: x}]", 'the key "kind" is missing'),
    ("x: 1", 'the key "tokens" is missing'),
    (": :", "1:1: this is not YAML"),
    ("tokens: [{kind: charm, name: x}, {kind: charm, name: 漢}]", "1:34: the printed font has no 漢 (U+6F22)"),
    (f"tokens:\n- {{kind: charm, name: {'A' * 60}}}", "2:3: a word is wider than the line to write on"),
    (f"tokens:\n- {{kind: charm, says: {'so ' * 40}}}", "characters are too many: 80 at most"),
    ("tokens:\n" + "- {kind: charm}\n" * 201, "201 entries are too many: 200 at most"),
    ("tokens: [{kind: hole, die: d20}]", "1:28: d20 is not a trait die: the dice are d4, d6, d8, d10, d12"),
    ("tokens: [{kind: gun}]", 'list.yaml:1:17: "gun" is not known here'),
    ("tokens: [{kind: marker, bonus: 2}]", "a marker has no bonus"),
    ("tokens: [{kind: burn, card: RJ}]", "a burn card cannot be a joker"),
    ("tokens: [{kind: burn, card: XX}]", '"XX" is not a card'),
    ("tokens: [{kind: kicker, bonus: 0}]", "0 is out of range"),
    ("tokens: [{kind: charm, copies: 99}]", "99 is out of range"),
    ("tokens: [{kind: charm, colour: red}]", 'unknown key "colour"'),
    ("tokens: [{kind: charm, kind: burn}]", 'the key "kind" appears twice'),
])  # fmt: skip
def test_a_bad_list_is_answered_where_it_is_bad(text: str, says: str, tmp_path: Path) -> None:
    path = token_list(tmp_path, text)
    done = run("print", "deadlands", "tokens", "--tokens", path, "-o", tmp_path)
    assert done.code == 1 and says in done.err, done.err
    assert all(line.startswith(str(path)) for line in done.faults)
    assert not list(tmp_path.glob("*.pdf"))


# --- the reference ---------------------------------------------------------------------------------------------------


@cache
def reference(paper: sheets.Size = A4) -> bytes:
    return panels.reference(deadlands(), PanelOptions(paper))


def test_the_reference_is_on_quarter_pages_and_on_cards() -> None:
    """Two panels share a page, each twice, to be folded back to back."""
    pages = squeezed_pages(reference())
    titles = [squeezed(panel.title) for panel in dict(deadlands().panels)["reference"].panels]
    counts = [[page.count(title) for title in titles] for page in pages]
    assert counts == [[2 * (at // 2 == page) for at in range(6)] for page in range(3)]
    assert squeezed("Snake-eyes: dead.") in pages[0] and squeezed("Novice") in pages[1]
    cards = squeezed_pages(product_pdf("deadlands", "reference-cards"))
    assert len(cards) <= 2 and all(title in "".join(cards) for title in titles)
    skills = healing = edges = squeezed("".join(pages))
    assert all(squeezed(skill) in skills for skill in ("Languages", "Persuade", "Healing", "Anything else"))
    assert all(squeezed(skill) in healing for skill in ("Surgery", "Medicine", "common", "Greater healing"))
    assert all(squeezed(edge) in edges for edge in ("Combat Reflexes", "Hard to Kill"))
    assert len(reader(reference(LETTER)).pages) == len(pages)


@pytest.mark.parametrize("name", shipped())
def test_no_screen_and_no_reference_calls_a_joker_by_its_code(name: str) -> None:
    for product in ("screen", "reference"):
        said = " ".join(page_texts(product_pdf(name, product)))
        assert not re.findall(r"\b[RB]J\b", said), product


def test_the_reference_says_of_incapacitation_what_the_table_does() -> None:
    table = deadlands().table("incapacitation")
    assert table is not None
    printed = said(reference())
    names = {"Critical failure": "Snake-eyes", "Critical success": "Boxcars"}
    for row in table.rows:
        name = names.get(str(row.name), str(row.name))
        injury = {"none": "no injury", "permanent": "a permanent injury", "temporary": "a temporary injury"}
        stays = " with 3 wounds" if row.cells["then"] == "in the fight" else ""
        ends = "" if row.cells["then"] == "dead" else f"{stays}, {injury[str(row.cells['injury'])]}"
        assert ("with 3 wounds" in fill_placeholders(str(row.note), deadlands())) == bool(stays)
        assert squeezed(f"{name}: {row.cells['then']}{ends}.") in printed


# --- the sheet -------------------------------------------------------------------------------------------------------


def fields_of(pdf: bytes) -> dict[str, Any]:
    """The form's fields and what stands in them: text, or whether a box is ticked."""
    found = PdfReader(BytesIO(pdf)).get_fields() or {}
    return {
        name: field.get("/V") == "/Yes" if field.get("/FT") == "/Btn" else str(field.get("/V") or "")
        for name, field in found.items()
    }


def filled_fields(plain: dict[str, Any], name: str = "Webb") -> dict[str, Any]:
    """A sheet for a state, printed and read back."""
    system = deadlands()
    game = game_of(system)
    whole = game.plain_state(game.read_state(plain))
    filling = Filling(name, game.sheet(whole))
    return fields_of(panels.sheet(system, PanelOptions(A4, fillable=True, filling=filling, compressed=False)))


EVERYTHING: dict[str, Any] = {
    "kind": "face_card", "levels": 5, "wounds": 2, "standing": "bleeding", "chips": 4, "xp": 43, "spent": 3,
    "raised": ["Novice", "Veteran"], "traits": {"vigor": "d8", "shooting": "d10"}, "action": "RJ",
    "healers": ["Doc", "Old Ben"], **dict.fromkeys(("shaken", "tended", "healed", "late", "rested", "earned"), True),
    "injuries": [{"card": "5C", "days": 9}, {"card": "9C", "permanent": True}, {"card": "3H"}],
    "tokens": [
        {"kind": "charm", "name": "flask", "trait": "soaking"},
        {"kind": "burn", "name": "King", "card": "KH", "says": "it replaces a deuce"},
        {"kind": "hole", "name": "pioneer", "die": "d6"}, {"kind": "kicker", "name": "book", "bonus": 2},
        {"kind": "marker", "name": "Cullen", "die": "d8"},
    ],
    "tasks": [{"name": "climb", "kind": "attempts", "target": 6, "needs": 5, "rounds": 4, "successes": 2, "tries": 3,
               "harm": 7}],
}  # fmt: skip
WRITTEN = {
    "sum_guts": "\N{MINUS SIGN}1",
    "name": "Webb", "rank": "Veteran", "xp": "43", "chips": "4", "action": "red joker",
    "attributes_5_die": "d8", "skills_1_name_1": "shooting", "skills_1_die_1": "d10",
    "injuries_1_card": "5C", "injuries_1_name": "Wrenched knee", "injuries_1_until": "9",
    "injuries_1_does": "You limp and cannot run until you recover.",
    "injuries_2_card": "9C", "injuries_2_name": "Crushed toes", "injuries_2_until": "for good",
    "injuries_2_does": "You lose a toe for good. Roll d10 for which: 1-5 left foot, 6-10 right foot, big toe first.",
    "injuries_3_card": "3H", "injuries_3_name": "Cold sweat", "injuries_3_until": "for 14 days less a Vigor die",
    "injuries_3_does": "\N{MINUS SIGN}1 to Guts checks until you recover.",
    "tokens_1_kind": "luck charm", "tokens_1_name": "flask", "tokens_1_for": "soaking",
    "tokens_2_kind": "burn card", "tokens_2_name": "King", "tokens_2_value": "KH",
    "tokens_2_says": "it replaces a deuce", "tokens_3_kind": "hole card", "tokens_3_name": "pioneer",
    "tokens_3_value": "d6", "tokens_4_kind": "kicker", "tokens_4_name": "book", "tokens_4_value": "+2",
    "markers_1_name": "Cullen", "tasks_1_name": "climb", "tasks_1_kind": "attempt-based", "tasks_1_target": "6",
    "tasks_1_needs": "5", "tasks_1_successes": "2", "tasks_1_tries": "3", "tasks_1_rounds": "4", "tasks_1_harm": "7",
}  # fmt: skip
TICKED = """grit_1 grit_2 wounds_1 wounds_2 raised_1 raised_3 markers_1_d12 markers_1_d10
states_1 states_3 states_6 states_7"""


def test_a_filled_sheet_shows_exactly_the_state() -> None:
    fields = filled_fields(EVERYTHING)
    found = {name: value for name, value in fields.items() if value}
    assert {name: as_typed(value) for name, value in found.items() if isinstance(value, str)} == WRITTEN
    assert {name for name, value in found.items() if value is True} == set(TICKED.split())
    assert sum(bool(re.fullmatch(r"wounds_\d+", name)) for name in fields) == 5, "a box for every level"


def test_a_blank_sheet_has_a_field_for_everything_and_each_but_once() -> None:
    pdf = product_pdf("deadlands", "sheet", fillable=True)
    names = [str(annotation["/T"]) for page in reader(pdf).pages for annotation in annotations_of(page)]
    assert len(names) == len(set(names)) > 100
    blank = fields_of(pdf)
    assert set(blank) == set(names) and not any(blank.values())
    assert len(reader(pdf).pages) == 1
    wanted = "name rank xp grit_4 wounds_3 chips notes injuries_3_until markers_3_d12 pace edges hindrances"
    assert set(wanted.split()) <= set(names)
    assert {"tasks_1_successes", "tokens_2_value", "skills_4_name_3", "states_7"} <= set(names)


def test_a_plain_sheet_is_the_same_without_fields() -> None:
    pdf = panels.sheet(deadlands(), PanelOptions(LETTER))
    assert fields_of(pdf) == {}
    headings = (
        "Wounds", "Skills", "Injuries", "Days left", "Tokens of fortune", "Connection markers", "Dramatic tasks",
    )  # fmt: skip
    assert all(squeezed(heading) in said(pdf) for heading in headings)


POSSE = """add Webb vigor d8 spirit d6 shooting d10 chips 3 xp 47
add Ann face vigor d6
award Webb marker "Cullen Bohannon" die=d8
marker Webb Cullen dice 6
injury Webb temporary d8 5C dice 5
wound Webb 2
task Webb "museum climb" attempts needs=5 tn=6
attempt Webb "museum climb" d6 dice 6 2 4
"""


def test_a_session_fills_the_sheets_of_the_posse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO(POSSE))
    assert run("play", "deadlands", "--campaign", "posse").code == 0
    done = run("print", "deadlands", "sheet", "--from", "posse", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert [Path(line).stem for line in done.out.split()] == ["deadlands-sheet-webb", "deadlands-sheet-ann"]
    webb, ann = (fields_of(Path(line).read_bytes()) for line in done.out.split())
    wanted = {
        "name": "Webb", "rank": "Veteran", "xp": "47", "chips": "3", "grit_2": True, "grit_3": False, "wounds_2": True,
        "wounds_3": False, "markers_1_d8": True, "markers_1_d6": False, "injuries_1_name": "Wrenched knee",
        "injuries_1_until": "9", "tasks_1_name": "museum climb", "tasks_1_tries": "1",
    }  # fmt: skip
    assert {name: webb[name] for name in wanted} == wanted
    assert ann["chips"] == ""
    done = run("print", "deadlands", "sheet", "--plain", "--from", "posse:webb", "-o", tmp_path / "plain")
    plain = Path(done.out.strip()).read_bytes()
    assert fields_of(plain) == {}
    assert all(squeezed(words) in said(plain) for words in ("Cullen Bohannon", "Wrenched knee", "museum climb"))
    for whom, says in (("posse:xavier", "xavier"), ("nowhere", 'there is no campaign "nowhere"')):
        done = run("print", "deadlands", "sheet", "--from", whom, "-o", tmp_path / "nobody")
        assert done.code in (1, 2) and says in done.err and not list(tmp_path.glob("nobody/*.pdf"))


def test_a_very_full_sheet_goes_without_its_empty_rows() -> None:
    """Twelve injuries, with tokens and tasks; what one page does not hold goes on over another."""
    many = [{"card": code, "permanent": True} for code in ALL_CODES]
    tokens = [{"kind": "charm", "name": f"charm {at}"} for at in range(8)]
    tasks = [{"name": f"task {at}", "kind": "serial", "target": 4} for at in range(4)]
    fields = filled_fields({"injuries": many[:12], "tokens": tokens, "tasks": tasks})
    assert fields["injuries_12_card"] == ALL_CODES[11]
    assert [fields[f"tokens_{at}_name"] for at in range(1, 9)] == [token["name"] for token in tokens]
    assert "skills_1_name_1" in fields and "skills_2_name_1" not in fields
    assert filled_fields({"injuries": many[:36]})["injuries_36_card"] == ALL_CODES[35]

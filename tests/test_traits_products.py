"""Deadlands 1876 on paper, read back: screen, charts, cards, tokens, reference, and the sheet that a session fills."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, Char, annotations_of, chars, reader, run, squeezed, text_in
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from test_deadlands import play

from generator.base.cards import ALL_CODES, is_joker, name_of
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games import card_products as cardsets
from generator.games import game_of
from generator.games.face import Asked
from generator.layout import sheets
from generator.layout.card_elements import Badge, Blank, Effect, Face, written_form
from generator.layout.panel_elements import Bars, Matrix
from generator.layout.sheet_data import Filling
from generator.model.blocks import Chart, OddsBlock, Prose, StepsBlock, TableBlock
from generator.model.rules import HandOut, System
from generator.pack import content
from generator.paper.panel_options import PanelOptions
from generator.products import deck, panels, products_of
from generator.products.odds_pictures import picture
from generator.words.chances import percent
from generator.words.effects import card_readings
from generator.words.table_text import table_cells
from generator.words.wording import DAGGER, filled

A4, LETTER = sheets.papers()["a4"], sheets.papers()["letter"]
DICE = ("d4", "d6", "d8", "d10", "d12")
CARD_SETS = ("deck", "fate", "fate-injuries", "tokens")


@cache
def deadlands(*house_rules: tuple[str, str]) -> System:
    return content.load(ROOT / "content" / "deadlands", house_rules).system


@cache
def screen(*house_rules: tuple[str, str]) -> bytes:
    return panels.screen(deadlands(*house_rules), PanelOptions(A4))


@cache
def page_texts(pdf: bytes) -> tuple[str, ...]:
    return tuple(squeezed(text_in(pdf, number, 0, 0, 600, 600)) for number in range(len(reader(pdf).pages)))


def said(pdf: bytes) -> str:
    return "".join(page_texts(pdf))


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
    assert products_of(deadlands()) == (*CARD_SETS, "screen", "sheet", "reference", "box")


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
            assert isinstance(block, Prose | StepsBlock)
            sentences = block.text if isinstance(block, Prose) else block.steps
            assert all(f"[{ruling}]" in " ".join(sentences) for ruling in rulings), heading
        assert any(squeezed(heading) in line for line in baselines(screen())), heading
        assert block.source, "the section of the source stands beside it"
    assert set(" ".join(PLACES.values()).split()) == {f"D{at}" for at in (*range(1, 25), 28, 29)}


def test_every_sentence_of_the_screen_is_printed_with_its_numbers() -> None:
    printed = said(screen())
    for panel in dict(deadlands().panels)["screen"].panels:
        for block in panel.blocks:
            if isinstance(block, Prose | StepsBlock):
                for sentence in block.text if isinstance(block, Prose) else block.steps:
                    for part in re.split(r"\s*\[D\d+\]", filled(sentence, deadlands())):
                        assert squeezed(part) in printed, part


@pytest.mark.parametrize(
    "name",
    [
        *("ranks", "incapacitation", "checks", "characters", "tokens", "knowledge"),
        *("healing", "edges", "criticals", "advances"),
    ],
)
def test_every_row_of_every_table_stands_on_the_screen(name: str) -> None:
    """All cells of a row begin on one line, in their order, under their heads; every word of them is printed."""
    table = deadlands().table(name)
    assert table is not None
    heads, rows = table_cells(table, deadlands())
    assert len(rows) == len(table.rows)
    printed = said(screen())
    assert any(
        re.search(".*".join(map(re.escape, map(squeezed, filter(None, heads)))), line) for line in baselines(screen())
    )
    for row in rows:
        firsts = [re.escape(cell.split()[0]) for cell in row if cell]
        assert any(re.search(".*".join(firsts), line) for line in baselines(screen())), row
        assert all(squeezed(word) in printed for cell in row for word in cell.split())


def test_the_rank_table_is_the_source_s() -> None:
    lines = "\n".join(baselines(screen()))
    for row in ("0-19Novice0", "20-39Seasoned1", "40-69Veteran2", "70-99Heroic3", "100+Legendary4"):
        assert row in lines


def test_the_table_of_fate_stands_on_the_screen_as_columns_of_its_chart() -> None:
    table = deadlands().table("fate")
    assert table is not None
    by_target: dict[str, list[str]] = {}
    for row in table.rows:
        by_target.setdefault(str(row.cells["target"]), []).append(str(row.name))
    assert by_target.pop("critical success") == ["RJ"] and by_target.pop("critical failure") == ["BJ"]
    heads = "".join(squeezed(" ".join(ranks)) for ranks in by_target.values())
    assert heads == "2345678910JQKA"
    assert any(f"{heads}any" in line for line in baselines(screen()))


def test_every_ruling_is_printed_with_the_option_in_force() -> None:
    printed = said(screen())
    for ruling in deadlands().head.rulings:
        assert squeezed(f"{ruling.id}{ruling.point}:") in printed
        assert squeezed(filled(ruling.ours, deadlands())) in printed
    assert squeezed("aces as damage does. Every raise is one more success.") in printed
    changed = said(screen(("task_raises", "one_each"), ("injury_days", "acing")))
    assert squeezed("House rule: A roll is one success at most.") in changed
    assert squeezed("House rule: The Vigor die aces.") in changed
    assert "D15*" in changed and "D15*" not in printed
    assert squeezed("task_raises: one_each") in changed or squeezed("task_raises=one_each") in changed


def test_every_injury_is_on_the_screen_worst_last_and_the_jokers_too() -> None:
    printed = said(screen())
    places = []
    for card in deadlands().cards.values():
        assert squeezed(card.name + DAGGER) in printed
        places.append(printed.index(squeezed(card.name + DAGGER)))
    assert len(set(places)) == 54
    by_code = dict(zip(deadlands().cards, places, strict=True))
    for suit in "CSDH":
        order = [by_code[f"{rank}{suit}"] for rank in (*map(str, range(2, 11)), "J", "Q", "K", "A")]
        assert order == sorted(order), f"the ace of {suit} is the worst, and stands last"
    assert squeezed("draw 1 for good instead / for good: draw 2 instead") in printed


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
@pytest.mark.parametrize("ink", ["full", "saver"])
def test_the_screen_fits_both_papers(paper: sheets.Size, ink: Any) -> None:
    pdf = panels.screen(deadlands(), PanelOptions(paper, ink=ink, contrast="high"))
    pages = reader(pdf).pages
    assert len(pages) == 6
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
    "Chance of each result": (ENDS, DICE, lambda end, die: share(f"incapacitation {die}", end.replace(" ", "_"))),
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
        figures = [percent(wanted(label, column)) for column in columns]
        assert [cell.text for cell in cells] == figures
        assert any(squeezed(label) + "".join(figures) in line for line in baselines(screen())), (label, figures)


def test_every_chart_of_the_kind_is_made_and_shown() -> None:
    game, blocks = (
        game_of(deadlands()),
        (b for panel in dict(deadlands().panels)["screen"].panels for b in panel.blocks),
    )
    shown = {block.shows for block in blocks if isinstance(block, Chart)}
    assert set(game.charts()) == set(game.CHARTS) == set(game.blank_charts()) == shown


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
    options = deck.Options(paper=A4, card=sheets.cards()["poker"], backs="none")
    pdf = deck.singles(deadlands(), options, name)
    return page_texts(pdf)


def test_all_54_injuries_are_printed_in_both_readings() -> None:
    pages = dict(
        zip((face.code for face in cardsets.card_set(deadlands(), "deck").faces), card_pages("deck"), strict=True)
    )
    assert sorted(pages) == sorted(ALL_CODES)
    for code, page in pages.items():
        card = deadlands().cards[code]
        assert squeezed(card.name + DAGGER) in page, "reconstructed, and marked so"
        readings = list(card_readings(card, deadlands()))
        names = [reading for reading, _ in readings]
        assert names == ([""] if code == "RJ" else ["For a while", "For good"]), code
        for reading, sentences in readings:
            assert sentences
            text = f"{reading}: " if reading else ""
            assert squeezed(text + sentences[0].says) in page, code
            assert all(squeezed(sentence.says) in page for sentence in sentences), code
        if not is_joker(code):
            region = next(suit.character for suit in deadlands().head.suits if suit.id == code[-1])
            assert region.upper() in page


def test_the_cards_say_what_the_command_says_for_a_while_and_for_good() -> None:
    shapes = json.loads(run("card", "deadlands", *ALL_CODES, "--json").out)
    for shape, page in zip(shapes, card_pages("deck"), strict=True):
        for sentence in (*shape["text"], *shape["for_good"]["text"]):
            short = re.sub(r" (until you recover|for good)\.$", ".", sentence)
            assert squeezed(short.rstrip(".")) in page or squeezed(sentence.rstrip(".")) in page, sentence
    assert "For good: You lose a toe." in run("card", "deadlands", "9C").out
    assert "no injury" in card_pages("deck")[ALL_CODES.index("RJ")].replace("noinjury", "no injury")


def faces(name: str) -> dict[str, Face]:
    return {face.code: face for face in cardsets.card_set(deadlands(), name).faces}


def effects_of(face: Face) -> str:
    return " ".join(f"{part.label}: {part.says} {part.until}" for part in face.parts if isinstance(part, Effect))


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
        assert set(figures(both[code])) == {"fate", "luck"}
    for code, words in {
        "RJ": ("a critical success", "lucky, whatever was named"),
        "BJ": ("a critical failure", "goes before the red one"),
        "AS": ("bad luck, whatever was named",),
        "QH": ("lucky if it was named",),
    }.items():
        assert all(word in effects_of(fate[code]) for word in words)
    assert figures(both["AS"])["luck"] == "unlucky"


@pytest.mark.slow
def test_the_fate_deck_and_the_deck_of_both_are_printed_whole() -> None:
    faces = cardsets.card_set(deadlands(), "fate").faces
    for face, page in zip(faces, card_pages("fate"), strict=True):
        assert all(squeezed(f"{part.label}: {part.says}") in page for part in face.parts if isinstance(part, Effect))
    for code, both, alone in zip(ALL_CODES, card_pages("fate-injuries"), card_pages("deck"), strict=True):
        assert squeezed(deadlands().cards[code].name) in both
        verdict = {"AS": "unlucky", "RJ": "lucky", "BJ": "lucky"}.get(code, "if named")
        assert squeezed(verdict) in both and "fate" in both and "fate" not in alone


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


@pytest.mark.parametrize("options", [(), ("--card", "business"), ("--target", "l7160")], ids=" ".join)
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
    assert f"with the wild die{DAGGER}" in effects_of(blank["hole-1"]), "ours, and marked so"


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
    system = replace(deadlands(), tokens=(HandOut(kind="marker", name="Bohannon", die=Dice.parse("d8")),))
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
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
        ("tokens: [{kind: hole, die: d20}]", "1:28: d20 is no trait die: the dice are d4, d6, d8, d10, d12"),
        ("tokens: [{kind: gun}]", 'list.yaml:1:17: "gun" is not known here'),
        ("tokens: [{kind: marker, bonus: 2}]", "a marker has no bonus"),
        ("tokens: [{kind: burn, card: RJ}]", "a burn card cannot be a joker"),
        ("tokens: [{kind: burn, card: XX}]", '"XX" is no card'),
        ("tokens: [{kind: kicker, bonus: 0}]", "0 is out of range"),
        ("tokens: [{kind: charm, copies: 99}]", "99 is out of range"),
        ("tokens: [{kind: charm, colour: red}]", 'unknown key "colour"'),
        ("tokens: [{kind: charm, kind: burn}]", 'the key "kind" appears twice'),
    ],
)
def test_a_bad_list_is_answered_where_it_is_bad(text: str, says: str, tmp_path: Path) -> None:
    path = token_list(tmp_path, text)
    done = run("print", "deadlands", "tokens", "--tokens", path, "-o", tmp_path)
    assert done.code == 1 and says in done.err, done.err
    assert all(line.startswith(str(path)) for line in done.faults)
    assert not list(tmp_path.glob("*.pdf"))


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        done = run("print", "deadlands", "tokens", "--tokens", path, "-o", tmp_path)
        assert done.code == 1 and "cannot be read" in done.err


# --- the reference ---------------------------------------------------------------------------------------------------


@cache
def reference(paper: sheets.Size = A4) -> bytes:
    return panels.reference(deadlands(), PanelOptions(paper))


def test_the_reference_is_on_quarter_pages_and_on_cards() -> None:
    """Two panels share a page, each twice, to be folded back to back; the last has a page of its own."""
    pages = page_texts(reference())
    titles = [squeezed(panel.title) for panel in dict(deadlands().panels)["reference"].panels]
    counts = [[page.count(title) for title in titles] for page in pages]
    assert counts[:4] == [[2 * (at // 2 == page) for at in range(7)] for page in range(3)] + [[0] * 6 + [4]]
    assert [count[at] for at, count in enumerate(counts[4:])] == [9] * 7
    assert squeezed("Snake-eyes: dead.") in pages[0] and squeezed("Novice") in pages[1]
    skills, healing, edges = (squeezed(page) for page in (pages[7], pages[8], pages[9]))
    assert all(squeezed(skill) in skills for skill in ("Languages", "Persuade", "Healing", "Anything else"))
    assert all(squeezed(skill) in healing for skill in ("Surgery", "Medicine", "common", "Greater healing"))
    assert all(squeezed(edge) in edges for edge in ("Combat Reflexes", "Hard to Kill", "Connections"))
    assert len(reader(reference(LETTER)).pages) == len(pages)


def test_the_reference_says_of_incapacitation_what_the_table_does() -> None:
    table = deadlands().table("incapacitation")
    assert table is not None
    printed = said(reference())
    names = {"Critical failure": "Snake-eyes", "Critical success": "Boxcars"}
    for row in table.rows:
        name = names.get(str(row.name), str(row.name))
        injury = {"none": "no injury", "permanent": "a permanent injury", "temporary": "a temporary injury"}
        stays = " at W3" if row.cells["then"] == "in the fight" else ""
        ends = "" if row.cells["then"] == "dead" else f"{stays}, {injury[str(row.cells['injury'])]}"
        assert ("at W3" in filled(str(row.note), deadlands())) == bool(stays)
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


def rows_of(fields: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The rows of a grid that hold anything."""
    for at in range(1, 1000):
        row = {
            key.removeprefix(f"{name}_{at}_"): value for key, value in fields.items() if key.startswith(f"{name}_{at}_")
        }
        if not row:
            return
        if any(row.values()):
            yield row


def ticked(fields: dict[str, Any], name: str, labels: Sequence[str]) -> list[str]:
    return [label for at, label in enumerate(labels, 1) if fields[f"{name}_{at}"]]


def state_on(fields: dict[str, Any]) -> dict[str, Any]:
    """The state that a sheet shows, read off it as a player would. `last` is not on it: it is the log's."""
    count = sum(bool(re.fullmatch(r"wounds_\d+", key)) for key in fields)
    states = ticked(fields, "states", STATES)
    standing = [word for word in states if word in STANDINGS]
    code = {name_of(code): code for code in ALL_CODES}
    kinds = {"Wild Card": "wild_card", "Face Card": "face_card", "Extra": "extra"}
    (kind,) = ticked(fields, "kind", tuple(kinds))
    traits = {
        name.lower(): fields[f"attributes_{at}_die"]
        for at, name in enumerate(("Agility", "Smarts", "Spirit", "Strength", "Vigor"), 1)
        if fields[f"attributes_{at}_die"]
    }
    for row in rows_of(fields, "skills"):
        traits |= {row[f"name_{at}"]: row[f"die_{at}"] for at in (1, 2, 3) if row[f"name_{at}"]}
    tokens = [*map(token_on, rows_of(fields, "tokens"))]
    for row in rows_of(fields, "markers"):
        die = next(die for die in reversed(DICE) if not row[die])
        tokens.append(
            {"kind": "marker", "name": row["name"], "die": die, "bonus": 0, "trait": "", "card": "", "says": ""}
        )
    return {
        "kind": kinds[kind],
        "levels": count,
        "wounds": sum(fields[f"wounds_{at}"] for at in range(1, count + 1)),
        **{key: label in states for key, label in TICKS.items()},
        "standing": STANDINGS[standing[0]] if standing else "up",
        "chips": int(fields["chips"]) if fields["chips"] else None,
        "traits": traits,
        "xp": int(fields["xp"]),
        "rank": fields["rank"],
        "grit": sum(fields[f"grit_{at}"] for at in range(1, 5)),
        "spent": int(fields["spent"]),
        "raised": ticked(fields, "raised", RANKS),
        "injuries": [
            {
                "card": row["card"],
                "permanent": row["until"] == "for good",
                "days": int(row["until"]) if row["until"].isdigit() else None,
            }
            for row in rows_of(fields, "injuries")
        ],
        "tokens": tokens,
        "tasks": [*map(task_on, rows_of(fields, "tasks"))],
        "action": code[fields["action"]] if fields["action"] else None,
        "healers": fields["healers"].split(", ") if fields["healers"] else [],
    }


RANKS = ("Novice", "Seasoned", "Veteran", "Heroic", "Legendary")
STANDINGS = {"Incapacitated": "incapacitated", "Bleeding out": "bleeding", "Unconscious": "unconscious", "Dead": "dead"}
TICKS = {"shaken": "Shaken", "tended": "Tried this round", "healed": "Treated", "late": "Golden hour over",
         "rested": "A night has passed", "earned": "Skill earned"}  # fmt: skip
STATES = ("Shaken", *STANDINGS, "Joker", *[*TICKS.values()][1:])
TOKENS = {"luck charm": "charm", "burn card": "burn", "hole card": "hole", "kicker": "kicker"}
TASKS = {"serial roll": "serial", "compound serial": "compound", "attempt-based": "attempts", "action-based": "actions"}


def token_on(row: dict[str, str]) -> dict[str, Any]:
    kind, value = TOKENS[row["kind"]], row["value"]
    return {
        "kind": kind,
        "name": row["name"],
        "die": value if kind == "hole" else "",
        "bonus": int(value) if kind == "kicker" else 0,
        "trait": row["for"],
        "card": value if kind == "burn" else "",
        "says": row["says"],
    }


def task_on(row: dict[str, str]) -> dict[str, Any]:
    numbers = {key: int(row[key] or 0) for key in ("target", "needs", "rounds", "successes", "tries", "harm")}
    return {"name": row["name"], "kind": TASKS[row["kind"]], **numbers, "ends": row["ends"]}


def one(**keys: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Plain data with these keys, each with a value of its own or one that is drawn."""
    parts = {key: value if isinstance(value, st.SearchStrategy) else st.just(value) for key, value in keys.items()}
    return st.fixed_dictionaries(parts)


def any_of(words: str, more: Sequence[str] = ()) -> st.SearchStrategy[str]:
    return st.sampled_from([*words.split(), *more])


CARD, DIE, SMALL, MAYBE = st.sampled_from(ALL_CODES), st.sampled_from(DICE), st.integers(0, 30), st.booleans()
LONG_NAMES = ("Old Ben", "A book on engines", "museum climb", "The Union Pacific Railroad Company of Nebraska")
NAMES_OF = any_of("Webb Zoë d8 Constantinople", LONG_NAMES)
INJURIES = one(card=CARD, permanent=True, days=None) | one(card=CARD, days=st.none() | st.integers(0, 13))
TOKEN = st.one_of(
    one(kind="charm", name=NAMES_OF, trait=any_of("soaking", [""])),
    one(kind="burn", name=NAMES_OF, card=st.sampled_from(ALL_CODES[:52]), says="it replaces a deuce"),
    one(kind=any_of("hole marker"), name=NAMES_OF, die=DIE),
    one(kind="kicker", name=NAMES_OF, bonus=st.integers(1, 20)),
)
TASK = one(
    name=NAMES_OF, kind=any_of("", [*TASKS.values()]), target=st.integers(1, 12), needs=st.integers(1, 9),
    ends=any_of("done failed jammed", [""]), rounds=SMALL, successes=SMALL, tries=SMALL, harm=SMALL,
)  # fmt: skip
TRAITS = any_of("agility smarts spirit strength vigor shooting riding climb fighting history guts notice repair faith")
STATE = one(
    kind=any_of("wild_card face_card extra"), levels=st.integers(1, 7), standing=any_of("up", [*STANDINGS.values()]),
    chips=st.none() | st.integers(0, 12), xp=st.integers(0, 130), spent=st.integers(0, 20),
    traits=st.dictionaries(TRAITS, DIE), action=st.none() | CARD,
    raised=st.lists(st.sampled_from(RANKS), unique=True).map(lambda ranks: sorted(ranks, key=RANKS.index)),
    injuries=st.lists(INJURIES, max_size=3), tokens=st.lists(TOKEN, max_size=4),
    tasks=st.lists(TASK, max_size=3, unique_by=lambda task: task["name"]),
    healers=st.lists(any_of("Doc Ann", ["Old Ben"]), unique=True),
    **dict.fromkeys(("shaken", "tended", "healed", "late", "rested", "earned"), MAYBE),
)  # fmt: skip


def sorted_tokens(state: dict[str, Any]) -> dict[str, Any]:
    """The sheet has markers in a list of their own, and nothing of what is over with the round."""
    tokens = sorted(state["tokens"], key=lambda token: token["kind"] == "marker")
    passing = ("last", "dealt", "fresh")
    return {key: value for key, value in state.items() if key not in passing} | {"tokens": tokens}


@settings(max_examples=10, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(STATE, st.data())
def test_a_filled_sheet_shows_exactly_the_state(drawn: dict[str, Any], data: st.DataObject) -> None:
    system = deadlands()
    game = game_of(system)
    plain = {**drawn, "wounds": data.draw(st.integers(0, drawn["levels"]))}
    whole = json.loads(json.dumps(game.plain_state(game.read_state(plain))))
    assert state_on(filled_fields(plain)) == sorted_tokens(whole)


def test_a_blank_sheet_has_a_field_for_everything_and_each_but_once() -> None:
    pdf = panels.sheet(deadlands(), PanelOptions(A4, fillable=True))
    names = [str(annotation["/T"]) for page in reader(pdf).pages for annotation in annotations_of(page)]
    assert len(names) == len(set(names)) > 100
    blank = fields_of(pdf)
    assert set(blank) == set(names) and not any(blank.values())
    assert len(reader(pdf).pages) == 1
    for wanted in (
        "name",
        "rank",
        "xp",
        "grit_4",
        "wounds_3",
        "chips",
        "notes",
        "injuries_4_until",
        "markers_3_d12",
        "pace",
        "edges",
        "hindrances",
    ):
        assert wanted in names
    assert {"tasks_3_successes", "tokens_3_value", "skills_4_name_3", "states_9"} <= set(names)


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
def test_a_plain_sheet_is_the_same_without_fields(paper: sheets.Size, tmp_path: Path) -> None:
    name = sheets.paper_name(paper)
    assert name is not None
    done = run("print", "deadlands", "sheet", "--plain", "--paper", name, "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    pdf = Path(done.out.strip()).read_bytes()
    assert fields_of(pdf) == {}
    printed = said(pdf)
    for heading in (
        "Wounds",
        "Skills",
        "Injuries",
        "Days left",
        "Tokens of fortune",
        "Connection markers",
        "Dramatic tasks",
    ):
        assert squeezed(heading) in printed


def played(*lines: str) -> None:
    for at, line in enumerate(lines):
        begin = ("play", "deadlands") if at == 0 else ("play",)
        words = re.findall(r'"[^"]*"|\S+', line)
        done = run(*begin, "--campaign", "posse", *(word.strip('"') for word in words))
        assert done.code == 0, done.err


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    played(
        "add Webb vigor d8 spirit d6 shooting d10 chips 3 xp 47",
        "add Ann face vigor d6",
        'award Webb marker "Cullen Bohannon" die=d8',
        "marker Webb Cullen dice 6",
        "injury Webb temporary d8 5C dice 5",
        "wound Webb 2",
        'task Webb "museum climb" attempts needs=5 tn=6',
        'attempt Webb "museum climb" d6 dice 6 2 4',
    )
    return tmp_path


def test_a_session_fills_the_sheets_of_the_posse(home: Path) -> None:
    done = run("print", "deadlands", "sheet", "--from", "posse", "-o", home)
    assert (done.code, done.err) == (0, "")
    assert [Path(line).name for line in done.out.splitlines()] == [
        "deadlands-sheet-webb.pdf",
        "deadlands-sheet-ann.pdf",
    ]
    webb, ann = (fields_of(Path(line).read_bytes()) for line in done.out.splitlines())
    assert (webb["name"], webb["rank"], webb["xp"], webb["chips"]) == ("Webb", "Veteran", "47", "3")
    assert [webb[f"grit_{at}"] for at in range(1, 5)] == [True, True, False, False]
    assert [webb[f"wounds_{at}"] for at in (1, 2, 3)] == [True, True, False]
    assert [webb[f"markers_1_{die}"] for die in reversed(DICE)] == [True, True, True, False, False], "d8 fell to d6"
    row = next(rows_of(webb, "injuries"))
    assert (row["card"], row["name"], row["until"]) == ("5C", "Wrenched knee", "9")
    assert row["does"] == "You limp and cannot run until you recover."
    task = next(rows_of(webb, "tasks"))
    assert (task["name"], task["kind"], task["needs"], task["tries"]) == ("museum climb", "attempt-based", "5", "1")
    assert state_on(ann)["kind"] == "face_card" and ann["chips"] == ""
    done = run("print", "deadlands", "sheet", "--plain", "--from", "posse:webb", "-o", home / "plain")
    plain = Path(done.out.strip()).read_bytes()
    assert fields_of(plain) == {}
    for words in ("Veteran", "Cullen Bohannon", "Wrenched knee", "museum climb"):
        assert squeezed(words) in said(plain)
    for whom, says in (("posse:xavier", "xavier"), ("nowhere", 'there is no campaign "nowhere"')):
        done = run("print", "deadlands", "sheet", "--from", whom, "-o", home / "nobody")
        assert done.code in (1, 2) and says in done.err and not list(home.glob("nobody/*.pdf"))
    played("day Webb d8 dice 1 2 choose 1")
    done = run("print", "deadlands", "sheet", "--from", "posse:webb", "-o", home)
    late = fields_of(Path(done.out.strip()).read_bytes())
    assert next(rows_of(late, "injuries"))["until"] == "8"
    states = ticked(late, "states", STATES)
    assert "A night has passed" in states and "Treated" not in states, "nobody has treated the wounds"


def test_a_beast_has_as_many_boxes_as_levels() -> None:
    fields = filled_fields({"kind": "face_card", "levels": 6, "wounds": 4}, "Grendel")
    assert sum(bool(re.fullmatch(r"wounds_\d+", name)) for name in fields) == 6
    assert sum(fields[f"wounds_{at}"] for at in range(1, 7)) == 4


def test_a_very_full_sheet_goes_without_its_empty_rows() -> None:
    """Twelve injuries, or eight with tokens and tasks, still stand on one page; what is too much is refused."""
    many = [{"card": code, "permanent": True} for code in ALL_CODES[:12]]
    assert len([*rows_of(filled_fields({"injuries": many}), "injuries")]) == 12
    fields = filled_fields(
        {
            "injuries": many[:6],
            "tokens": [{"kind": "charm", "name": f"charm {at}"} for at in range(8)],
            "tasks": [{"name": f"task {at}", "kind": "serial", "target": 4} for at in range(4)],
        }
    )
    assert [row["name"] for row in rows_of(fields, "tokens")] == [f"charm {at}" for at in range(8)]
    assert "skills_1_name_1" in fields and "skills_2_name_1" not in fields
    with pytest.raises(HackjackError, match="does not fit even at 8 pt"):
        filled_fields({"injuries": [{"card": code, "permanent": True} for code in ALL_CODES]})

"""What Jackrealms prints, read back: the deck with its chances, scenes, screen, sheet, reference and chips."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from helpers import MM, ROOT, few_quick, hackjack, operations, page_texts, pictures, product_pdf, run, squeezed, text_in
from pypdf import PdfReader

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.card_products import card_set, card_set_names
from generator.games.jackrealms.hands import HandRules
from generator.games.jackrealms.odds import two_card_strategy
from generator.layout import sheets
from generator.layout.card_elements import Index
from generator.layout.panel_elements import Bars, Matrix
from generator.layout.sheet_data import Filling
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.paper import tokens
from generator.paper.panel_options import PanelOptions
from generator.products import panels, products_of

A4 = sheets.paper_sizes()["a4"]


@cache
def jackrealms(*house_rules: tuple[str, str]) -> System:
    return load_pack(ROOT / "content" / "jackrealms", house_rules).system


@cache
def text(pdf: bytes) -> str:
    return " ".join(page_texts(pdf))


def test_what_there_is_to_print() -> None:
    assert products_of(jackrealms()) == (
        "deck",
        "scenes",
        "screen",
        "sheet",
        "reference",
        "reference-cards",
        "tokens",
        "box",
    )


@pytest.mark.slow
def test_all_products_are_printed(tmp_path: Path) -> None:
    done = run("print", "jackrealms", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert [Path(line).name for line in done.out.splitlines()] == [
        f"jackrealms-{name}.pdf" for name in products_of(jackrealms())
    ]


# --- cards -----------------------------------------------------------------------------------------------------------


def test_every_card_has_pips_to_play_with_and_says_the_least_hand_that_it_busts() -> None:
    pdf = product_pdf("jackrealms", "deck", single=True, backs="none")
    worth = {"A": 1, "J": 10, "Q": 10, "K": 10}
    for number, code in enumerate(FULL_DECK):
        low = worth.get(code[:-1]) or int(code[:-1])
        says = "1 or 11 \u00b7 busts only 21" if low == 1 else f"{low} \u00b7 busts {22 - low} and up"
        assert squeezed(says) in squeezed(text_in(pdf, number, 0, 0, 64, 16)), code
        placed = [operands for operands, operator in operations(pdf, number) if operator in ("cm", "Do")]
        # A sign is drawn 100 pt large and scaled: pips are 9 mm or more, those of the corners less.
        sizes = [abs(float(at[0])) * 100 / MM for at, form in pairwise(placed) if "sign-" in str(form[0])]
        large = sum(size >= 8.9 for size in sizes)
        assert large == {"A": 1, "J": 4, "Q": 4, "K": 4}.get(code[:-1], low), (code, sizes)


def test_scene_cards_say_the_bets_and_under_the_house_rule_how_stakes_fall() -> None:
    plain, falling = (card_set(jackrealms(*rules), "scenes") for rules in ((), (("stakes_fall", "by_payout"),)))
    assert [next(part.rank for part in face.parts if isinstance(part, Index)) for face in plain.faces] == [
        str(stakes) for stakes in range(1, 11)
    ]
    said = [" ".join(map(str, face.parts)) for face in plain.faces]
    assert "Bet 1 effort" in said[0] and "Bet 1 to 4 effort" in said[3]
    assert not any("off the stakes" in words for words in said)
    assert all("off the stakes" in " ".join(map(str, face.parts)) for face in falling.faces)


def test_a_deck_of_wounds_is_not_mistaken_for_it() -> None:
    assert card_set_names(hackjack())[0] == "deck"
    with pytest.raises(HackjackError, match="hackjack has no scenes to print"):
        card_set(hackjack(), "scenes")


# --- charts and panels -----------------------------------------------------------------------------------------------


def test_the_grid_says_in_letters_what_its_colours_say() -> None:
    system = jackrealms()
    charts = game_of(system).charts()
    assert set(charts) == set(game_of(system).CHARTS)
    found = {
        (count.total, count.soft, "A" if up.ace else str(up.low)): cell
        for (count, up), cell in two_card_strategy(HandRules.of(system)).items()
    }
    checked = 0
    for name, soft in (("strategy_hard", False), ("strategy_soft", True)):
        grid = charts[name](system)
        assert isinstance(grid, Matrix)
        assert grid.columns == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
        for total, row in grid.rows:
            for up, cell in zip(grid.columns, row, strict=True):
                told = found[int(total), soft, up]
                assert cell.text == f"{told.best[0].upper()} {float(told.chance) * 100:.0f}"
                assert (cell.hue, cell.strong) == (("green", True) if told.best == "hit" else ("red", False))
                checked += 1
        blank = game_of(system).blank_charts()[name](system)
        assert isinstance(blank, Matrix)
        assert [len(row) for _, row in blank.rows] == [len(row) for _, row in grid.rows]
    assert checked == len(found) == 270


def test_the_bars_are_counted_from_the_deck() -> None:
    busts, wins = (game_of(jackrealms()).charts()[name](jackrealms()) for name in ("bust_by_total", "win_by_up_card"))
    assert isinstance(busts, Bars) and isinstance(wins, Bars)
    assert dict(zip(busts.labels, busts.values, strict=True))["16"] == pytest.approx(32 / 52)
    assert wins.labels[-1] == "A" and min(wins.values) == wins.values[-1]


ADVICE = {
    (): {"no ace at 11": "12 12 12 12 12 18 18 16 15 18", "an ace at 11": "18 18 18 19 18 18 19 19 19 19"},
    (("dealer_soft_17", "hit"),): {
        "no ace at 11": "12 12 12 12 12 18 18 16 15 17",
        "an ace at 11": "18 18 18 19 19 18 19 19 19 19",
    },
}


@pytest.mark.parametrize("house_rules", few_quick(1, ((rules,) for rules in ADVICE)))
def test_the_advice_on_the_reference_is_what_the_grid_says(house_rules: tuple[tuple[str, str], ...]) -> None:
    """From that total on the grid stands on every hand of two cards, and below it hits on every one."""
    system = jackrealms(*house_rules)
    thumbs = game_of(system).charts()["stand_from"](system)
    assert isinstance(thumbs, Matrix)
    assert {label: " ".join(cell.text for cell in row) for label, row in thumbs.rows} == ADVICE[house_rules]
    least = {
        (label, up): int(cell.text) for label, row in thumbs.rows for up, cell in zip(thumbs.columns, row, strict=True)
    }
    for (count, up), found in two_card_strategy(HandRules.of(system)).items():
        label = "an ace at 11" if count.soft else "no ace at 11"
        stands = count.total >= least[label, "A" if up.ace else str(up.low)]
        assert found.best == ("stand" if stands else "hit"), (count, up)
    said = text(product_pdf("jackrealms", "reference", settings=house_rules))
    assert "stand from" in said and "no ace at 11" in said
    for row in ADVICE[house_rules].values():
        assert squeezed(row) in squeezed(said)


@pytest.mark.slow
def test_other_numbers_give_other_advice(tmp_path: Path) -> None:
    """Where two cards never suffice, and where a higher total is worth another card and a lower one is not."""
    pack = tmp_path / "far"
    pack.mkdir()
    head = "id: far\nextends: jackrealms\ntitle: Far\nprocedure: {target: %s, dealer_stands: %s}\n"
    (pack / "system.yaml").write_text(head % (25, 20), encoding="utf-8")
    far = load_pack(pack).system
    thumbs = game_of(far).charts()["stand_from"](far)
    assert isinstance(thumbs, Matrix)
    grid = two_card_strategy(HandRules.of(far))
    for (label, row), soft in zip(thumbs.rows, (False, True), strict=True):
        for up, cell in zip(thumbs.columns, row, strict=True):
            totals = {
                count.total: found.best
                for (count, shown), found in grid.items()
                if count.soft == soft and ("A" if shown.ace else str(shown.low)) == up
            }
            stands = sorted(total for total, best in totals.items() if best == "stand")
            if not stands:
                assert cell.text == f">{max(totals)}", (label, up)
            elif stands == sorted(totals)[-len(stands) :]:
                assert cell.text == str(stands[0]), (label, up)
            else:
                ends = [int(end) for run in cell.text.split(", ") for end in run.split("-")]
                assert {ends[0], ends[-1]} == {stands[0], stands[-1]}, (label, up)


def test_the_bust_chances_say_for_which_hands_they_are() -> None:
    """An ace and a six are a soft 17, and no card busts them."""
    screen = text(product_pdf("jackrealms", "screen"))
    assert "total, no ace at 11" in screen and "with one: never" in screen
    soft = run("odds", "jackrealms", "hand", "--at", "player=AD,6S", "--at", "dealer=9H").out
    assert soft.startswith("soft 17 against 9H; 0 of 49 unseen cards bust the hand")


def test_the_screen_holds_the_round_the_grid_and_the_rulings() -> None:
    said = squeezed(text(product_pdf("jackrealms", "screen", settings=(("dealer_soft_17", "hit"),), rulings=True)))
    for words in (
        "Your own first card, face down",
        "Below 17 you must hit",
        "The dealer hits on 17 with an ace",
        "H 60",
        "S 75",
    ):
        assert squeezed(words) in said
    assert squeezed("House rule") in said


def test_a_grid_without_colour_is_still_told() -> None:
    """With ink saved nothing is filled, and every letter stands there all the same."""
    pdf = product_pdf("jackrealms", "screen", ink="saver")
    assert len(re.findall(r"\b[HS] \d\d\b", text(pdf))) >= 270
    under_band = pictures(pdf, 30)[2].crop((10, 35, 300, 245))
    colours = {pixel for _, pixel in under_band.getcolors(1 << 20) or []}
    assert all(isinstance(pixel, tuple) and max(pixel) - min(pixel) < 24 for pixel in colours)


def test_a_sheet_is_filled_from_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for line in ("jackrealms sit Ann 7", "sit Bea 3", "scene 4"):
        assert run("play", "--campaign", "duel", *line.split()).code == 0
    done = run("print", "jackrealms", "sheet", "--from", "duel:ann", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    fields = PdfReader(tmp_path / "jackrealms-sheet-ann.pdf").get_fields() or {}
    values = {name: field.get("/V") for name, field in fields.items()}
    assert (values["name"], values["effort"]) == ("Ann", "7")
    assert sum(value == "/Yes" for name, value in values.items() if re.fullmatch(r"effort_\d+", name)) == 7
    assert sum(value == "/Yes" for name, value in values.items() if re.fullmatch(r"stakes_\d+", name)) == 4
    assert panels.sheet(jackrealms(), PanelOptions(A4, filling=Filling("Bea", {"effort": 3, "stakes": 4})))


# --- chips -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "ink"), [("a4", "full"), ("letter", "saver")])
def test_chips_are_the_same_on_both_sides(paper: str, ink: str) -> None:
    options = PanelOptions(sheets.paper_sizes()[paper], ink="full" if ink == "full" else "saver")
    pdf = tokens.token_pages(jackrealms(), options)
    front, back = (re.findall(r"\d+|Effort", page) for page in page_texts(pdf))
    numbers = [before for before, word in pairwise(front) if word == "Effort"]
    assert numbers == [before for before, word in pairwise(back) if word == "Effort"]
    assert len(numbers) >= 63
    rows = [numbers[at : at + 7] for at in range(0, len(numbers), 7)]
    assert all(len(set(row)) == 1 for row in rows), "a row turned about the long edge meets its like"
    assert {"1", "5", "10", "20"} == set(numbers)
    assert tokens.token_pages(jackrealms(), options) == pdf
    filled = {"f", "f*", "B", "B*", "b", "b*"} & {operator for _, operator in operations(pdf, 0)}
    assert bool(filled) == (ink == "full")


def test_without_a_track_that_is_counted_with_tokens_there_are_no_chips() -> None:
    bare = replace(hackjack(), head=msgspec.structs.replace(hackjack().head, tracks={}))
    with pytest.raises(HackjackError, match="hackjack has no tokens to print: none of its tracks is counted with any"):
        tokens.token_pages(bare, PanelOptions(A4))
    assert "tokens" not in products_of(bare)


# --- the cards in words ----------------------------------------------------------------------------------------------


def test_a_card_of_the_deck_says_what_it_counts_and_what_it_does() -> None:
    said = run("card", "jackrealms", "as", "KH").out
    assert said == (
        "AS  Ace of spades\n    1 or 11 \u00b7 busts only 21\n\nKH  King of hearts\n    10 \u00b7 busts 12 and up\n"
    )
    shape = json.loads(run("card", "jackrealms", "AS", "--json").out)
    assert {key: shape[key] for key in ("system", "code", "title", "score", "permanent", "effects")} == {
        "system": "jackrealms", "code": "AS", "title": "Ace of spades", "score": 0, "permanent": False, "effects": [],
    }  # fmt: skip
    assert shape["text"] == ["1 or 11 \u00b7 busts only 21"]


def test_a_scene_card_is_found_by_its_name_and_the_deck_is_listed() -> None:
    assert "Bet 1 to 3 effort on an action" in run("card", "jackrealms", "Stakes-3").out
    assert "deck      Standard deck, 52 cards" in run("list").out


@pytest.mark.parametrize(
    ("code", "exit_code", "says"), [("RJ", 1, "jackrealms has no card RJ"), ("ZZ", 2, "is not a card")]
)
def test_a_card_that_is_not_there_is_an_error_in_a_sentence(code: str, exit_code: int, says: str) -> None:
    ran = run("card", "jackrealms", code)
    assert (ran.code, ran.out) == (exit_code, "")
    assert says in ran.err

"""How text comes in and is set: the marks at the ends of sentences, quotes and dashes, breaks, and unknown letters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle, islice, pairwise
from pathlib import Path

import pytest
import yaml
from helpers import ROOT, chars, lines_of, options, reader, run, squeezed
from hypothesis import given
from hypothesis import strategies as st
from injured import glog

from generator.base.errors import HackjackError
from generator.base.text_input import check_free_name, decoded, find_name, read_name
from generator.base.text_input import split_words as split_words_typed
from generator.games.card_products import card_set, card_set_names
from generator.layout import card_elements, sheets
from generator.layout.sheet_data import Filling
from generator.orders.records import card_records, table_records
from generator.pack import csv_cards, strict_yaml
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper import fonts
from generator.paper.panel_options import PanelOptions
from generator.paper.text import Run, broken_lines, figures_bold, line_count, split_words, typeset
from generator.products import deck, panels
from generator.prose import post
from generator.serve.untold import mentions
from generator.words.wording import Sentence

SET = {
    "at 1-4 or 13+": "at 1\N{EN DASH}4 or 13+",
    "(9-10)": "(9\N{EN DASH}10)",
    "10-12+": "10\N{EN DASH}12+",
    "the card's, KO'd, the players' own": "the card's, KO'd, the players' own".replace(
        "'", "\N{RIGHT SINGLE QUOTATION MARK}"
    ),
    "shout 'Halt' and 'Stop!' in a pit 5' deep": "shout \u2018Halt\u2019 and \u2018Stop!\u2019 in a pit 5' deep",
    "'Tis the '90s, 'em": "\u2019Tis the \u201990s, \u2019em",
    "El\u00adbow, ♥\ufe0f, 10\u2060km, no\u2011break": "Elbow, ♥, 10km, no-break",
    **{same: same for same in ("1d4-2", "2026-11-21", "-3", "mid-air, L7651-25")},
}


def test_a_text_is_set() -> None:
    assert {typed: typeset(typed) for typed in SET} == SET


@given(st.text("019-'ds +a/", max_size=20))
def test_setting_twice_is_setting_once_also_with_figures_in_another_font(typed: str) -> None:
    assert typeset(typeset(typed)) == typeset(typed)
    words = split_words(figures_bold(typed, fonts.SANS, fonts.SANS_BOLD))
    assert "".join(run.text for word in words for run in word.runs) == typeset(typed).replace(" ", "")


@pytest.mark.slow
def test_paper_has_it_and_what_players_fill_in_stays_as_they_typed_it() -> None:
    a4 = sheets.paper_sizes()["a4"]
    printed = "".join(page.extract_text() for page in reader(panels.screen(glog(), PanelOptions(a4))).pages)
    assert "11\N{EN DASH}12" in printed and "11-12" not in printed
    filled = panels.sheet(glog(), PanelOptions(a4, fillable=True, filling=Filling("Jack O'Neill 1-2", {})))
    assert "Jack O'Neill 1-2" in str(reader(filled).get_form_text_fields())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in ("hackjack", "fiftytwo"))) for name in shipped()],
)
def test_a_poker_card_is_read_at_arms_length_where_its_words_fit(name: str) -> None:
    """As many letters as it says have 10.5 pt: what else is on the card gives way before type does."""
    system = load_pack(find(name)).system
    small = set()
    for product in card_set_names(system):
        faces = card_set(system, product).faces
        pdf = bytes(deck.singles(system, options(backs="none", jokers=True), product))
        for page, face in enumerate(faces):
            said = sum(len(squeezed(part.says)) for part in face.parts if isinstance(part, card_elements.CardEffect))
            if sum(char.size > 10.45 for char in chars(pdf, page)) < said:
                small.add(face.code)
            if any(isinstance(part, card_elements.Blank) for part in face.parts):
                # The rule of the foot begins at the safe line; what is written on begins right of it.
                rules = sorted(y for x, y, to, other in lines_of(pdf, page) if y == other and to - x > 20 and x > 3.3)
                assert all(high - low > 5.5 for low, high in pairwise(rules)), "room for a hand"
            least = 6.4 if face.code in ("RJ", "BJ") else 7.4
            assert min((char.size for char in chars(pdf, page)), default=9) >= least, (
                "badges, the word at the edge, cards in pictures; smaller only the turned word in a joker's corner"
            )
    assert not small


# --- sentences -------------------------------------------------------------------------------------------------------

MARKS = ("Ouch!", "Is it over?", 'He says "Stop!"', "You fall (and cannot rise.)", "Wait\u2026", "Choose one:", "Done.")
ENDS = (*MARKS, "Il dit \u00ab Non ! \u00bb", "Over. ", "Stop!\u201d", "And then...")
TWICE = re.compile(r"[!?…:]\.|[.!?][\"\u201d\u00bb)]\.|(?<!\.)\.\.(?!\.)")
"""A full stop after a mark."""


SPEAKING = """
system:
  id: speaking
  title: Speaking
  version: "1.0"
  about: A pack.
  source: {title: A pack, author: us, licence: Free.}
  procedure: {kind: steps, numbers: {hp: {name: HP, start: 8, least: 0}}}
  conditions: {dazed: {name: Dazed, says: $, notes: [$]}, mute: {says: $}}
  events: {crit: {says: $, do: [$s, look up odd column what]}}
  cards: [{name: odds, from: {table: odd}, also: [$], brief: $}]
decks:
  decks:
  - {id: own, title: Own, faces: {up: Up}, lines: {reach: Reach, cost: Cost}, cards: [{code: "1", name: A, note: $n,
     effects: [$s, suffer mute for 1 round], lines: {reach: $, cost: $},
     faces: {up: {note: $n, effects: [suffer dazed until the GM says]}}}]}
tables:
  tables:
  - {id: odd, title: Odd, roll: d6, covers: 1-6, columns: {what: {title: What}, how: {title: How}}, note: $, rows: [
     {at: 1-3, name: A, note: $, cells: {what: [$s, suffer mute until the GM says], how: $}},
     {at: 4-6, name: B, cells: {what: $, how: $}}]}
screen:
  title: Screen
  panels:
  - {title: All, blocks: [{block: text, title: A, text: [$]}, {block: event, title: B, event: crit},
     {block: conditions, title: C}, {block: table, title: D, table: odd}]}
"""


def speaking(folder: Path, ends: Iterator[str]) -> Path:
    """Return a pack whose texts end so, one after the other."""

    def written(place: re.Match[str]) -> str:
        end = next(ends)
        said = f"say {json.dumps(end, ensure_ascii=False)}" if place[0] == "$s" else end
        return json.dumps(said + "\n" * (place[0] == "$n"))

    text = re.sub(r"\$[ns]?", written, SPEAKING)
    for name, value in yaml.safe_load(text).items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(value, allow_unicode=True), encoding="utf-8")
    return folder


@pytest.mark.parametrize("first", range(0, len(ENDS), 4))
def test_a_sentence_ends_with_the_mark_that_it_has(first: int, tmp_path: Path) -> None:
    pack = speaking(tmp_path, islice(cycle(ENDS), first, None))
    assert run("check", pack).code == 0
    assert run("print", "speaking", "--format", "md", "--pack", pack, "-o", tmp_path / "out").code == 0
    said = [path.read_text("utf-8").replace("\\", "") for path in (tmp_path / "out").iterdir()]
    said += [run("card", "speaking", "own:1", "--pack", pack).out, run("table", "speaking", "odd", "--pack", pack).out]
    system = load_pack(pack).system
    said += [each.one_line for name in ("own", "odds") for each in card_records(name, card_set(system, name).faces)]
    said += [" ".join((each.says, *(row.one_line for row in each.results))) for each in table_records(system)]
    assert [text for text in ENDS if not any(text.strip() in each for each in said)] == []
    assert [found[0] for each in said for found in [TWICE.search(each)] if found] == []


@pytest.mark.slow
def test_what_is_shipped_has_no_full_stop_behind_a_mark(tmp_path: Path) -> None:
    packs = [*(ROOT / "docs" / "examples").iterdir(), *map(find, shipped())]
    for pack in packs:
        assert run("print", pack.name, "--pack", pack, "--format", "md", "-o", tmp_path / pack.name).code == 0
    texts = {path: path.read_text("utf-8").replace("\\", "") for path in tmp_path.rglob("*.md")}
    assert len(texts) > 2 * len(packs)
    assert [(path.name, found[0]) for path, text in texts.items() for found in [TWICE.search(text)] if found] == []


def test_the_end_of_time_stands_before_the_mark() -> None:
    texts = ("You fall!", "You fall.", "You fall", 'He says "No!"', "So...")
    assert [str(Sentence(says, "until you stand")) for says in texts] == [
        "You fall until you stand!",
        *["You fall until you stand."] * 2,
        'He says "No!" until you stand.',
        "So... until you stand.",
    ]


@pytest.mark.parametrize("note", ["One:\n\n* you fall\n- you\n  drop it", "One:\n\n\n*  you fall \n\n- you drop it\n"])
def test_paragraphs_and_lists_in_a_note_stay(note: str, tmp_path: Path) -> None:
    for name, value in yaml.safe_load(SPEAKING.replace("$s", "die").replace("$", "a")).items():
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(value), encoding="utf-8")
    (tmp_path / "decks.yaml").write_text("decks: [{id: own, title: Own, csv: own.csv}]")
    (tmp_path / "own.csv").write_text(f'code,note,name\n1,"{note}","A\nB"\n')
    (face,) = card_set(load_pack(tmp_path).system, "own").faces
    assert card_elements.title_of(face) == "A B"
    assert card_elements.sentences_of(face) == ("One:", "\N{BULLET} you fall.", "\N{BULLET} you drop it.")


# --- lines -----------------------------------------------------------------------------------------------------------


def lines(text: str, letters: float) -> list[str]:
    """Return a text in lines as wide as so many letters."""
    words = split_words((Run(text, fonts.SANS),))
    broken = broken_lines(words, letters * fonts.text_width("n", fonts.SANS))
    return ["".join(run.text for run in line) for line in broken]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half-giant", ["half-", "giant"]),
        ("acid/cold", ["acid/", "cold"]),
        ("north\u2013south", ["north\u2013", "south"]),
        ("again\u2014and", ["again\u2014", "and"]),
        ("Donau\u00addampf\u00adschiff", ["Donau-", "dampf-", "schiff"]),
        ("half\u2011giant", ["half-giant"]),
        ("half-\u2060giant", ["half-giant"]),
        ("two\u00a0words", ["two\u00a0words"]),
        ("10-12/13-14", ["10\u201312/13\u201314"]),
        ("x-ray 1d4-2", ["x-ray", "1d4-2"]),
    ],
)
def test_a_line_breaks_where_its_author_lets_it(text: str, expected: list[str]) -> None:
    assert lines(text, 6) == expected
    assert lines(text, 60) == [typeset(text)]


@given(st.text("ab-/ \u00ad\u2060\u00a0\u2014'", max_size=30), st.integers(1, 12))
def test_nothing_but_blanks_is_lost_at_the_ends_of_lines(text: str, letters: int) -> None:
    words = split_words((Run(text, fonts.SANS),))
    measure = letters * fonts.text_width("n", fonts.SANS)
    broken = broken_lines(words, measure)
    assert line_count(words, measure) == len(broken)
    said = "".join(run.text for line in broken for run in line)
    assert "\u00ad" not in said
    kept = [re.sub("[ -]", "", each) for each in (said, typeset(text))]
    assert kept[0] == kept[1]


# --- letters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("font", [fonts.SANS, fonts.SERIF_BOLD])
def test_the_four_suits_are_letters_and_others_are_told(font: str) -> None:
    assert fonts.missing_letters("\u2660\u2665\ufe0f\u2666\u2663 El\u00adbow \u00e9\u0142\u0151", font) == ""
    assert fonts.missing_letters("x\u0302 \u05d9\u05d3 \u0645 \u0928\u093f \u0e19\u0e49 \U0001f409", font) == (
        "\u0302\u05d9\u05d3\u0645\u0928\u093f\u0e19\u0e49\U0001f409"
    )
    assert fonts.text_width("\u2665\ufe0f", font) > 0.3


def test_text_that_runs_from_right_to_left_is_refused_on_paper_alone(tmp_path: Path) -> None:
    pack = speaking(tmp_path, cycle(["\u05d9\u05d3"]))
    ran = run("check", pack)
    assert ran.code == 1 and all("text in Hebrew is not set in its direction" in line for line in ran.faults)
    places = {line.partition(".yaml:")[0].rpartition("/")[2] for line in ran.faults}
    assert places == {"system", "decks", "tables", "screen"}
    assert run("print", "speaking", "own", "--pack", pack, "-o", tmp_path).code == 1
    assert run("print", "speaking", "own", "--pack", pack, "--format", "html", "-o", tmp_path).code == 0
    assert "\u05d9\u05d3" in (tmp_path / "speaking-own.html").read_text("utf-8")


# --- the doors -------------------------------------------------------------------------------------------------------


def test_text_is_composed_at_every_door(tmp_path: Path) -> None:
    apart, whole = "e\u0301te\u0301 \u2665\ufe0f", "\u00e9t\u00e9 \u2665"
    assert strict_yaml.read_text(f"{apart}: [{apart}, '{apart}']", "a")[0] == {whole: [whole, whole]}
    cards, _ = csv_cards.read_cards(f"code,name,note\n1,{apart},{apart}\n", {}, "a.csv")
    assert cards == [{"code": "1", "name": whole, "note": whole}]
    (table,) = (each.table.plain() for each in post.read(f"{apart}\n1. {apart}\n2. b\n", "a").tables)
    assert whole in str(table) and apart[:2] not in str(table)
    assert decoded(f"\ufeff{apart}".encode()) == whole and split_words_typed(f'"{apart}"') == [whole]
    assert run("card", "hackjack", "e\u0301").err == run("card", "hackjack", "\u00e9").err
    (tmp_path / "state.json").write_text('\ufeff{"hp": 3}', encoding="utf-8")
    assert run("resolve", "hackjack", "hit", "2", "--state", tmp_path / "state.json").code == 0
    (tmp_path / "state.json").write_text('{"hp": 3}', encoding="utf-16")
    assert "save it as UTF-8" in run("resolve", "hackjack", "hit", "2", "--state", tmp_path / "state.json").err


@pytest.mark.parametrize(("one", "other"), [("Zo\u00eb", "Zoe\u0308"), ("O'Neill", "O\u2019Neill"), ("ADA", "ada")])
def test_a_name_typed_on_two_devices_is_one(one: str, other: str) -> None:
    assert find_name(read_name(other), [read_name(one)]) == one
    assert mentions(f"{other} waits", [one]), "what a player is not told"
    with pytest.raises(HackjackError, match="is at the table already"):
        check_free_name(read_name(other), [read_name(one)])

"""The blocks of screens and sheets, each printed and read back."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from helpers import Char, chars, hackjack, operations, page_texts
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.check.content_checks import problems
from generator.layout import sheets
from generator.layout.panel_elements import Bars, Cell, ChartMaker, Matrix, Series
from generator.layout.sheet_data import Filling
from generator.model.blocks import PanelsFile
from generator.model.rules import System, TablesFile, read_custom
from generator.orders.job import annotated_system
from generator.pack import strict_yaml as source
from generator.pack.strict_yaml import Marks
from generator.paper import columns, tables, text
from generator.paper.columns import Frame, Slice
from generator.paper.panel_options import PanelOptions
from generator.products import panels

SEVERITY = """
tables:
  - id: severity
    title: Severity
    covers: 1+
    columns: {arm: {title: Arm}, leg: {title: Leg}, torso: {title: Torso}, head: {title: Head}}
    rows:
      - {at: 1-4, cells: {arm: Disarmed, leg: Prone, torso: Winded, head: Dazed}}
      - at: 5-12
        cells:
          arm: The arm is useless for a long while, and what it held falls
          leg: Crawl
          torso: Bleeding for some rounds, and then it goes on and on
          head: A coma in thirty of a hundred cases
      - {at: 13+, cells: {arm: Slain at once, leg: Slain at once, torso: Slain at once, head: Slain at once}}
"""


def system(blocks: str, kind: str = "screen", columns: int = 2) -> System:
    """The flagship with a table more and one panel of these blocks, as YAML."""
    value, _ = source.read_text(SEVERITY, "tables.yaml")
    extra = msgspec.convert(value, TablesFile, dec_hook=read_custom).tables
    found = replace(hackjack(), tables=hackjack().tables + extra)
    return found.with_side_files(panels=((kind, _panels(blocks, columns)[0]),))


def _panels(blocks: str, columns: int) -> tuple[PanelsFile, Marks]:
    lines = "\n".join(f"      {line}" for line in blocks.strip().splitlines())
    written = f"title: Test\npanels:\n  - title: Panel\n    columns: {columns}\n    blocks:\n{lines}\n"
    value, marks = source.read_text(written, "screen.yaml")
    return msgspec.convert(value, PanelsFile), marks


def printed(blocks: str, kind: str = "screen", columns: int = 2, *, rulings: bool = False, **options: Any) -> bytes:
    make, made = {"screen": panels.screen, "sheet": panels.sheet}[kind], system(blocks, kind, columns)
    return make(annotated_system(made) if rulings else made, PanelOptions(sheets.paper_sizes()["a4"], **options))


def words(pdf: bytes) -> list[tuple[str, Char]]:
    """The words of the first page, each with its first letter."""
    found: list[tuple[str, Char]] = []
    last: Char | None = None
    for char in chars(pdf, 0):
        joined = last and not char.spaced and abs(char.y - last.y) < 0.05 and char.left - last.right < 1
        found[-1:] = [(found[-1][0] + char.text, found[-1][1])] if joined else [*found[-1:], (char.text, char)]
        last = char
    return found


def place(pdf: bytes, word: str) -> Char:
    return next(char for said, char in words(pdf) if said == word)


def faults(blocks: str, kind: str = "screen", columns: int = 2) -> list[str]:
    """What `check` says of panels: of their parts, and of their print where those are all there."""
    file, marks = _panels(blocks, columns)
    found = system(blocks, kind, columns).with_side_files(panels=((kind, file),))
    wrong = problems(found, {f"{kind}.yaml": marks})
    return [str(each) for each in wrong or panels.panel_problems(found, {f"{kind}.yaml": marks}, sheets.paper_sizes())]


# --- tables ----------------------------------------------------------------------------------------------------------


def test_cells_of_a_row_stand_beside_each_other_and_the_tallest_makes_the_row() -> None:
    pdf = printed("- {block: table, table: severity}", columns=1)
    first = [place(pdf, word) for word in ("Disarmed", "Prone", "Winded", "Dazed")]
    assert len({round(char.y, 1) for char in first}) == 1
    assert all(before.x < after.x for before, after in pairwise(first))
    # The long cells take several lines, and the next row stands below all of them.
    longest = min(char.y for word, char in words(pdf) if word in ("falls", "on", "cases"))
    assert place(pdf, "Slain").y < longest


def test_equal_cells_are_merged_where_asked() -> None:
    said = [word for word, _ in words(printed("- {block: table, table: severity}"))]
    merged = [word for word, _ in words(printed("- {block: table, table: severity, merge: true}"))]
    assert (said.count("Slain"), merged.count("Slain")) == (4, 1)


def test_a_table_shows_the_columns_that_are_asked_for() -> None:
    pdf = printed("- {block: table, table: severity, columns: [head, arm]}")
    assert place(pdf, "Head").x < place(pdf, "Arm").x
    assert "Torso" not in [word for word, _ in words(pdf)]


def test_heads_stand_again_in_the_next_column() -> None:
    pdf = printed("- {block: conditions, title: Conditions}", rulings=True)
    heads = [char for word, char in words(pdf) if word == "Condition"]
    assert len(heads) == 2 and heads[0].x + 100 < heads[1].x


def test_a_wide_block_stands_across_the_columns_and_text_goes_on_below() -> None:
    blocks = """
- {block: text, text: [Above.]}
- {block: table, table: severity, wide: true}
- {block: text, text: [Below.]}
"""
    pdf = printed(blocks, columns=3)
    assert place(pdf, "Above.").y > place(pdf, "Arm").y > place(pdf, "Below.").y
    assert place(pdf, "Head").x > 200 > 100 > place(pdf, "Below.").x


WORDS = st.lists(st.text(alphabet="abcdefghij", min_size=1, max_size=9), max_size=12).map(" ".join)
ROWS = st.integers(1, 4).flatmap(lambda many: st.lists(st.tuples(*[WORDS] * many), min_size=1, max_size=5))


def _set(rows: list[tuple[str, ...]]) -> list[tuple[tuple[text.Word, ...], ...]]:
    return [tuple(text.split_words((text.Run(cell, "SourceSansPro-Regular"),)) for cell in row) for row in rows]


@given(ROWS, st.floats(20, 60))
def test_columns_fill_the_measure_and_hold_every_word(rows: list[tuple[str, ...]], measure: float) -> None:
    cells = _set(rows)
    chosen = tables.column_widths(cells, measure, 0.3)
    assert sum(chosen) == pytest.approx(measure) and min(chosen) > 0
    least = sum(max(map(text.widest_word, column)) + 0.6 for column in zip(*cells, strict=True))
    assert (tables.overflowing_word(cells, chosen, 0.3) == "") == (least <= measure + 1e-6)
    even = tuple(measure / len(cells[0]) for _ in cells[0])
    if not tables.overflowing_word(cells, even, 0.3):
        assert _lines(cells, chosen) <= _lines(cells, even) + 1, "an even split takes fewer lines"


def _lines(cells: list[tuple[tuple[text.Word, ...], ...]], chosen: tuple[float, ...]) -> int:
    """How many lines a table takes."""
    return sum(
        max(len(text.broken_lines(cell, wide - 0.6)) for cell, wide in zip(row, chosen, strict=True)) for row in cells
    )


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4), st.floats(10, 40))
def test_no_other_split_of_two_columns_takes_fewer_lines(rows: list[tuple[str, ...]], measure: float) -> None:
    cells = _set(rows)
    chosen = tables.column_widths(cells, measure, 0.3)
    if not tables.overflowing_word(cells, chosen, 0.3):
        # A column is never narrower than the room at its sides, even where all its cells are empty.
        splits = [
            (left, measure - left) for part in range(1, 50) if 0.6 <= (left := measure * part / 50) <= measure - 0.6
        ]
        others = [_lines(cells, split) for split in splits if not tables.overflowing_word(cells, split, 0.3)]
        assert _lines(cells, chosen) <= min(others, default=99)


@given(WORDS, st.floats(3, 30))
def test_lines_are_counted_as_they_are_broken(said: str, measure: float) -> None:
    found = text.split_words((text.Run(said, "SourceSansPro-Regular"),))
    assert text.line_count(found, measure) == len(text.broken_lines(found, measure))


# --- columns ---------------------------------------------------------------------------------------------------------

BLOCKS = st.lists(st.lists(st.integers(5, 60), min_size=1, max_size=9), min_size=1, max_size=8)


def _slices(blocks: list[list[int]], seen: list[tuple[int, int, float, float]]) -> list[Slice]:
    """Blocks of a heading of 10 pt and slices of these heights; drawing writes down (block, slice, x, y)."""

    def drawer(block: int, at: int) -> Any:
        return lambda _, x, y: seen.append((block, at, x, y))

    return [
        Slice(height, 4, drawer(block, at), block, keep=at == 0)
        for block, heights in enumerate(blocks)
        for at, height in enumerate([10, *heights])
    ]


@given(BLOCKS, st.integers(1, 4), st.integers(100, 500))
def test_everything_is_drawn_once_in_order_inside_the_frame(blocks: list[list[int]], many: int, height: int) -> None:
    seen: list[tuple[int, int, float, float]] = []
    slices, frame = _slices(blocks, seen), Frame(0, 0, many * 110 - 10, height, many, 10)
    if columns.columns_fault(slices, frame):
        return
    columns.draw_columns(Canvas(BytesIO()), slices, frame)
    assert [(block, at) for block, at, _, _ in seen] == [
        (block, at) for block, heights in enumerate(blocks) for at in range(len(heights) + 1)
    ]
    sizes = {(block, at): size for block, heights in enumerate(blocks) for at, size in enumerate([10, *heights])}
    assert all(y - sizes[block, at] >= -1e-6 and y <= height for block, at, _, y in seen)
    assert [x for *_, x, _ in seen] == sorted(x for *_, x, _ in seen)
    for (block, at, x, y), (_, _, x2, y2) in pairwise(seen):
        assert x2 > x or y2 <= y - sizes[block, at] + 1e-6
        if at == 0:
            assert x2 == x, "a heading is left alone at a foot"


@given(BLOCKS, st.integers(2, 4))
def test_short_blocks_stay_whole_where_the_page_has_room(blocks: list[list[int]], many: int) -> None:
    seen: list[tuple[int, int, float, float]] = []
    frame = Frame(0, 0, many * 110 - 10, 4000, many, 10)
    columns.draw_columns(Canvas(BytesIO()), _slices(blocks, seen), frame)
    assert all(len({x for block, _, x, _ in seen if block == place}) == 1 for place in range(len(blocks)))


def _best(heights: list[int], many: int) -> int:
    """The lowest tallest column of whole blocks, every way tried."""
    if many == 1:
        return sum(heights) + 4 * (len(heights) - 1)
    return min(
        max(sum(heights[:end]) + 4 * max(0, end - 1), _best(heights[end:], many - 1) if heights[end:] else 0)
        for end in range(1, len(heights) + 1)
    )


@given(st.lists(st.integers(5, 60), min_size=1, max_size=7), st.integers(2, 4))
def test_columns_are_as_even_as_they_can_be(heights: list[int], many: int) -> None:
    slices = [Slice(height, 4, lambda *_: None, at) for at, height in enumerate(heights)]
    best = _best(heights, many)
    frame = Frame(0, 0, many * 110 - 10, best, many, 10)
    assert columns.columns_fault(slices, frame) is None
    assert columns.columns_fault(slices, msgspec.structs.replace(frame, height=best - 1)) is not None


# --- text ------------------------------------------------------------------------------------------------------------


def test_a_ruling_in_a_sentence_is_small_and_raised_and_gets_a_star_where_it_is_changed() -> None:
    pdf = printed("- {block: text, text: ['Once [H7] it is judged at {limit} [H1][H2].']}", rulings=True)
    line = chars(pdf, 0)
    start = next(at for at, char in enumerate(line) if char.text == "O")
    said = "".join(char.text for char in line[start : start + 31])
    assert said.startswith("OnceH7itisjudgedat21H1,H2.")
    raised = [char for char in line[start : start + 26] if char.size < 0.8 * line[start].size]
    assert "".join(char.text for char in raised) == "H7H1,H2"
    assert all(char.y > line[start].y + 0.5 for char in raised)
    changed = replace(
        system("- {block: text, text: ['More [H1] and [H7].']}"), settings=(("massive_damage", "from_13"),)
    )
    pdf = panels.screen(annotated_system(changed), PanelOptions(sheets.paper_sizes()["a4"]))
    assert "MoreH1*andH7." in "".join(char.text for char in chars(pdf, 0))


def test_the_section_of_the_source_stands_small_by_the_heading() -> None:
    pdf = printed(
        "- {block: text, title: Blood, source: Bleeding and more, text: [Here.]}\n"
        "- {block: text, source: Nameless, text: [There.]}",
        rulings=True,
    )
    heading, section, nameless = place(pdf, "Blood"), place(pdf, "Bleeding"), place(pdf, "Nameless")
    assert heading.size > 15 and section.size < heading.size and nameless.size < heading.size
    assert abs(section.y - heading.y) < 2 and section.x > heading.x + 20
    assert nameless.x == pytest.approx(place(pdf, "There.").x) and nameless.y < place(pdf, "There.").y


# --- what is filled in -----------------------------------------------------------------------------------------------

GRIDS = """
- {block: ladder, label: Marker, name: marker, steps: [d12, d10, d8, d6, d4]}
- {block: ladder, label: Rank, name: rank, steps: [novice, seasoned, veteran]}
- {block: ticks, name: skills, columns: 2, labels: [Climbing, Guts, Riding]}
- block: grid
  name: gear
  rows: 2
  columns: [{head: Item, id: item, share: 4}, {head: Used, id: used, tick: true}]
- block: grid
  name: armour
  labels: [Head, Torso]
  labels_head: Place
  columns: [{head: Worn, id: worn}]
"""


def test_ladders_ticks_and_grids_are_filled_by_the_state() -> None:
    state = {
        "marker": "d8",
        "rank": 2,
        "skills": ["Guts"],
        "gear": [{"item": "Rope", "used": True}, {"item": "Żmija", "used": False}, {"item": 3}],
        "armour": [{"worn": "Pot helmet"}],
    }
    pdf = printed(GRIDS, "sheet", fillable=True, filling=Filling("Bryn", state))
    fields = {key: field.value for key, field in (PdfReader(BytesIO(pdf)).get_fields() or {}).items()}
    assert [key for key, value in fields.items() if value == "/Yes"] == [
        "marker_3",
        "rank_1",
        "rank_2",
        "skills_2",
        "gear_1_used",
    ]
    assert [fields[f"gear_{row}_item"] for row in (1, 2, 3)] == ["Rope", "Żmija", "3"]
    assert (fields["armour_1_worn"], fields["armour_2_worn"]) == ("Pot helmet", "")
    assert {"d12", "d10", "d8", "d6", "d4", "novice", "Climbing", "Head", "Place"} <= {word for word, _ in words(pdf)}


# --- charts ----------------------------------------------------------------------------------------------------------

DICE = ("d4", "d6", "d8", "d10", "d12")
RISING = (("success", (0.5, 0.6, 0.7, 0.8, 0.9)), ("raise", (0.1, 0.15, 0.2, 0.25, 0.3)))


def chart(picture: Any, height: int = 60, **options: Any) -> bytes:
    maker: dict[str, ChartMaker] = {"hits_by_score": lambda _: picture}
    return printed(f"- {{block: chart, shows: hits_by_score, height: {height}}}", charts=maker, **options)


def test_bars_carry_figures_add_up_and_differ_by_shade_and_hatching() -> None:
    pdf = chart(Series(DICE, RISING, True, "trait die", "per cent"))
    figures = {str(round(100 * share)) for _, shares in RISING for share in shares}
    assert {"success", "raise", *figures, *DICE} <= {word for word, _ in words(pdf)}
    # The second series' bars are full of lines, the first one's are not.
    plain = chart(Series(DICE, RISING[:1], True, "trait die", "per cent"))
    both, one = ([operator for _, operator in operations(each, 0)].count("l") for each in (pdf, plain))
    assert both > one + 20
    half = (("low", (0.5, 0.25)), ("high", (0.5, 0.75)))
    pdf = chart(Series(("0", "1"), half, True, "damage", stacked=True))
    inside = [char.y for word, char in words(pdf) if word in ("50", "25", "75")]
    assert len(inside) == 4 and max(inside) > place(pdf, "25").y


def test_a_matrix_says_in_letters_what_its_shades_say() -> None:
    rows = tuple(
        (str(total), tuple(Cell("S" if total > 16 else "H", total / 21) for _ in range(10))) for total in (18, 12)
    )
    picture = Matrix(tuple("23456789TA"), rows, "dealer", "hand", ((Cell("S", 0.9), "stand"), (Cell("H", 0.1), "hit")))
    said = [word for word, _ in words(chart(picture))]
    assert (said.count("S"), said.count("H"), "stand" in said, "hit" in said) == (11, 11, True, True)
    saving = chart(picture, ink="saver")
    assert [word for word, _ in words(saving)].count("S") == 11


@pytest.mark.parametrize("stacked", [False, True])
def test_bars_that_save_ink_are_hatched_each_in_its_own_way(stacked: bool) -> None:
    names = [(str(at), (0.2,)) for at in range(6)]
    pdfs = [chart(Series(("a",), tuple(names[:many]), True, "x", stacked=stacked), ink="saver") for many in range(1, 7)]
    drawn = [[operator for _, operator in operations(pdf, 0)] for pdf in pdfs]
    assert all({"B", "B*"}.isdisjoint(operators) for operators in drawn)
    strokes = [operators.count("S") for operators in drawn]
    assert all(after > before + 3 for before, after in pairwise(strokes))


def test_a_picture_that_cannot_be_read_names_its_block() -> None:
    many = Matrix(("a",), tuple((str(row), (Cell("x"),)) for row in range(40)), "across")
    with pytest.raises(HackjackError, match='the block "block 1" needs more room for its letters'):
        chart(many, height=40)
    seven = Series(("a",), tuple((str(at), (1.0,)) for at in range(7)), False, "x")
    with pytest.raises(HackjackError, match="more than 6 cannot be told apart"):
        chart(seven)


# --- what cannot be printed ------------------------------------------------------------------------------------------


FAULTS: list[tuple[str, str, list[str]]] = [
    (
        "- {block: text, text: ['More [H99] than {limits}.']}\n- {block: steps, steps: ['So [X1].']}",
        "screen",
        ['screen.yaml:6:30: there is no number "{limits}" in the procedure: did you mean "limit"?',
         'screen.yaml:6:30: unknown ruling "H99": did you mean "H9"?', 'screen.yaml:7:32: unknown ruling "X1"'],
    ),
    (
        "- {block: table, table: severity, columns: [tail]}",
        "screen",
        ['unknown column "tail"; known: arm, leg, torso, head'],
    ),
    (
        "- {block: grid, name: a, rows: 2, labels: [X], columns: [{head: A, id: b}]}",
        "screen",
        ["a grid has either rows, a number, or labels, a list: write one of them"],
    ),
    (
        "- {block: grid, name: a, columns: [{head: A, id: b}, {head: C, id: b}]}",
        "screen",
        ["a grid has either rows, a number, or labels, a list: write one of them", 'the column "b" appears twice'],
    ),
    (
        "- {block: wounds}\n- {block: figure, title: Much, height: 200}\n- {block: wounds}",
        "screen",
        ['screen.yaml:7:9: the panel "Panel" is full: the block "Much" does not fit even at 13 pt'],
    ),
    (
        "- {block: field, label: A, name: gear_1_item}\n"
        "- {block: grid, name: gear, rows: 2, columns: [{head: I, id: item}]}",
        "sheet",
        ['screen.yaml:7:9: the block "block 2" has a field called "gear_1_item", and so has another: '
         "give each a name of its own"],
    ),
    ("- {block: text, text: [傷]}\n- {block: ticks, name: a, labels: [Fine, 創]}", "screen", ["U+50B7", "U+5275"]),
]  # fmt: skip


@pytest.mark.parametrize(("blocks", "kind", "says"), FAULTS, ids=[blocks[:30] for blocks, *_ in FAULTS])
def test_what_cannot_be_printed_is_told_at_its_own_line(blocks: str, kind: str, says: list[str]) -> None:
    found = faults(blocks, kind)
    assert len(found) == len(says), found
    for line, expected in zip(found, says, strict=True):
        assert expected in line.replace("sheet.yaml", "screen.yaml")


def test_what_fits_on_a4_alone_is_a_fault_on_letter() -> None:
    blocks = "- {block: figure, title: Body, height: 200}\n- {block: field, label: Notes, name: notes, lines: 8}"
    (found,) = faults(blocks, "sheet", 1)
    assert "sheet.yaml:7:9: " in found or "screen.yaml:7:9: " in found
    assert found.endswith("(paper: letter)")


def test_what_no_player_needs_is_printed_only_with_rulings() -> None:
    blocks = (
        "- {block: text, title: Blood, source: Bleeding, text: ['Once [H7].', 'Twice [H1].']}\n"
        "- {block: table, table: recovery}\n- {block: conditions}"
    )
    bare = page_texts(printed(blocks))[0]
    marked = page_texts(printed(blocks, rulings=True))[0]
    for sign in ("H7", "Bleeding", "\N{DAGGER} reconstructed", "Hackjack 1.0", "Condition"):
        assert sign in marked and sign not in bare, sign
    assert "Once." in bare and "\N{SECTION SIGN}" not in bare + marked


@pytest.mark.slow
def test_a_panel_that_is_too_full_goes_on_over_another_with_its_heading() -> None:
    pdf = printed("- {block: wounds}\n- {block: table, title: Much, table: severity}\n- {block: wounds}", columns=1)
    pages = [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]
    assert len(pages) > 1 and "Panel\n" in pages[0]
    assert all("Panel, continued\n" in page for page in pages[1:])
    assert sum(page.count("Much") for page in pages) == 1


def test_a_chart_without_a_heading_goes_on_with_the_sentence_over_it() -> None:
    steps = ", ".join(f"Step {at} of many." for at in range(11))
    blocks = f"""
- {{block: steps, title: First, steps: [{steps}]}}
- {{block: text, title: Lead, text: [What the chart shows.]}}
- {{block: chart, shows: hits_by_score, height: 80}}
"""
    maker: dict[str, ChartMaker] = {"hits_by_score": lambda _: Bars(("d4", "d6"), (0.5, 0.25), True, "die")}
    first, second = page_texts(printed(blocks, columns=1, charts=maker))
    assert "Step 10" in first and "Lead" not in first
    assert "Lead" in second and "d6" in second


def test_a_row_of_columns_begins_below_everything_with_its_heading_across() -> None:
    many = ", ".join(f"Sentence {at} is long enough to take two lines of such a narrow column." for at in range(30))
    blocks = f"""
- {{block: text, text: [Above.]}}
- {{block: steps, title: Below, below: true, steps: [{many}]}}
"""
    pdf = printed(blocks, columns=3)
    steps = [char for word, char in words(pdf) if word == "Sentence"]
    assert len({round(char.x) for char in steps}) == 3
    assert place(pdf, "Above.").y > place(pdf, "Below").y > max(char.y for char in steps)

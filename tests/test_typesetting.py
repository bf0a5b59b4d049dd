"""How typed text is set: a printer's apostrophes and dashes, and nothing that was not meant so."""

from __future__ import annotations

from helpers import reader
from hypothesis import given
from hypothesis import strategies as st
from injured import glog

from generator.layout import sheets
from generator.layout.sheet_data import Filling
from generator.paper.panel_options import PanelOptions
from generator.paper.text import typeset
from generator.products import panels

SET = {
    "at 1-4 or 13+": "at 1\N{EN DASH}4 or 13+",
    "(9-10)": "(9\N{EN DASH}10)",
    "10-12+": "10\N{EN DASH}12+",
    "the card's, KO'd, the players' own": "the card's, KO'd, the players' own".replace(
        "'", "\N{RIGHT SINGLE QUOTATION MARK}"
    ),
    **{same: same for same in ("1d4-2", "2026-11-21", "-3", "mid-air, L7651-25")},
}


def test_a_text_is_set() -> None:
    assert {typed: typeset(typed) for typed in SET} == SET


@given(st.text("019-'ds +a", max_size=20))
def test_setting_twice_is_setting_once(typed: str) -> None:
    assert typeset(typeset(typed)) == typeset(typed)


def test_paper_has_it_and_what_players_fill_in_stays_as_they_typed_it() -> None:
    a4 = sheets.papers()["a4"]
    printed = "".join(page.extract_text() for page in reader(panels.screen(glog(), PanelOptions(a4))).pages)
    assert "11\N{EN DASH}12" in printed and "11-12" not in printed
    filled = panels.sheet(glog(), PanelOptions(a4, fillable=True, filling=Filling("Jack O'Neill 1-2", {})))
    assert "Jack O'Neill 1-2" in str(reader(filled).get_form_text_fields())

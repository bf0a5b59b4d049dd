"""How typed text is set: a printer's apostrophes and dashes, and nothing that was not meant so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from helpers import chars, lines_of, options, reader, squeezed
from hypothesis import given
from hypothesis import strategies as st
from injured import glog

from generator.games.card_products import card_set, card_set_names
from generator.layout import card_elements, sheets
from generator.layout.sheet_data import Filling
from generator.pack import content
from generator.paper.panel_options import PanelOptions
from generator.paper.text import typeset
from generator.products import deck, panels

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
    a4 = sheets.paper_sizes()["a4"]
    printed = "".join(page.extract_text() for page in reader(panels.screen(glog(), PanelOptions(a4))).pages)
    assert "11\N{EN DASH}12" in printed and "11-12" not in printed
    filled = panels.sheet(glog(), PanelOptions(a4, fillable=True, filling=Filling("Jack O'Neill 1-2", {})))
    assert "Jack O'Neill 1-2" in str(reader(filled).get_form_text_fields())


@pytest.mark.parametrize("name", content.shipped())
def test_a_poker_card_is_read_at_arms_length_where_its_words_fit(name: str) -> None:
    """As many letters as it says have 10.5 pt: what else is on the card gives way before type does."""
    system = content.load(content.find(name)).system
    small = set()
    for product in card_set_names(system):
        faces = card_set(system, product).faces
        pdf = bytes(deck.singles(system, options(backs="none", jokers=True), product))
        for page, face in enumerate(faces):
            said = sum(len(squeezed(part.says)) for part in face.parts if isinstance(part, card_elements.CardEffect))
            if sum(char.size > 10.45 for char in chars(pdf, page)) < said:
                small.add(face.code)
            rules = sorted(y for x, y, to, other in lines_of(pdf, page) if y == other and to - x > 20)
            assert all(high - low > 5.5 for low, high in pairwise(rules)), "room for a hand"
            assert min((char.size for char in chars(pdf, page)), default=9) >= 7.4, (
                "badges, the word in the rule, cards in pictures"
            )
    assert not small

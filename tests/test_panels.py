"""Screens, sheets and references, read back from their PDFs."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import Any

import pypdfium2
import pytest
from helpers import hackjack
from pypdf import PdfReader, PdfWriter

from generator import sheets, wording
from generator.errors import HackjackError
from generator.filling import Filling
from generator.products import panels

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


@cache
def printed(product: str, paper: str = "a4", *, fillable: bool = False, name: str = "") -> bytes:
    make = {"screen": panels.screen, "sheet": panels.sheet, "reference": panels.reference}[product]
    filling = Filling(name, STATE) if name else None
    return make(hackjack(), panels.Options(sheets.papers()[paper], fillable=fillable, filling=filling))


@cache
def text(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        pages = []
        for page in document:
            layer = page.get_textpage()
            pages.append(layer.get_text_bounded())
            layer.close()
            page.close()
    finally:
        document.close()
    return re.sub(r"\s+", " ", " ".join(pages))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_screen_holds_every_card_row_and_ruling(paper: str) -> None:
    system, found = hackjack(), text(printed("screen", paper))
    for card in system.cards.values():
        if card.code not in ("RJ", "BJ"):
            assert card.name in found
    for row in system.tables[0].rows:
        assert f"{row.at} {wording.span(row.lasts)}" in found
    for ruling in system.head.rulings:
        assert re.search(rf"{ruling.id} {re.escape(ruling.point)}:", found), ruling.id
    assert len(PdfReader(BytesIO(printed("screen", paper))).pages) == 4


@pytest.mark.parametrize("product", ["screen", "sheet", "reference"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_only_embedded_fonts_and_known_bookmarks(product: str, paper: str) -> None:
    pdf = printed(product, paper)
    for foreign in (b"Helvetica", b"Times", b"/Subtype /Type1"):
        assert foreign not in pdf
    reader = PdfReader(BytesIO(pdf))
    assert reader.metadata is not None
    assert reader.metadata.subject == "Hackjack 1.0"
    assert reader.trailer["/Root"]["/Lang"] == "en"


def test_the_charts_say_what_the_engine_counts() -> None:
    assert "Chance that the next hit kills" in text(printed("screen"))
    assert "92" in text(printed("screen"))


def test_a_blank_sheet_can_be_filled_by_another_program() -> None:
    reader = PdfReader(BytesIO(printed("sheet", fillable=True)))
    fields = reader.get_fields() or {}
    assert {"name", "hp", "score_1", "score_21", "blood_20", "trauma_6", "wounds_9_until", "notes"} <= set(fields)
    assert all(field.get("/TU") for field in fields.values())
    assert not any(int(field.get("/Ff", 0)) & 2 for field in fields.values())
    assert reader.pages[0]["/Tabs"] == "/A"
    writer = PdfWriter(clone_from=reader)
    writer.update_page_form_field_values(
        writer.pages[0], {"name": "Bryn", "wounds_1_card": "QS"}, auto_regenerate=False
    )
    stream = BytesIO()
    writer.write(stream)
    again = PdfReader(stream).get_fields() or {}
    assert (again["name"].value, again["wounds_1_card"].value) == ("Bryn", "QS")


@pytest.mark.parametrize("name", ["Bryn", "Żółć", "傷"])
def test_a_sheet_shows_the_state_it_is_filled_with(name: str) -> None:
    fields = PdfReader(BytesIO(printed("sheet", fillable=True, name=name))).get_fields() or {}
    values = {key: field.value for key, field in fields.items()}
    assert values["name"] == name
    assert [key for key, value in values.items() if value == "/Yes" and key.startswith("score_")] == [
        f"score_{number}" for number in range(1, 14)
    ]
    assert sum(value == "/Yes" for key, value in values.items() if key.startswith("blood_")) == 3
    assert (values["wounds_1_card"], values["wounds_1_until"]) == ("3S", "until you recover")
    assert (values["permanent_1_card"], values["pile_1_card"], values["pile_2_score"]) == ("AD", "QS", "3")


def test_a_plain_sheet_prints_what_it_can() -> None:
    pdf = printed("sheet", name="Żółć")
    assert PdfReader(BytesIO(pdf)).get_fields() is None
    assert "Żółć" in text(pdf)
    assert "That arm is useless (left arm) until you recover" in text(pdf)
    with pytest.raises(HackjackError, match="printed font has no 傷"):
        printed("sheet", name="傷")


def test_too_many_wounds_name_the_block_that_is_full() -> None:
    many = [{"card": "3S", "effect": "arm_useless", "until": "recovery"}] * 60
    options = panels.Options(sheets.papers()["a4"], filling=Filling("Bryn", {**STATE, "wounds": many}))
    with pytest.raises(HackjackError, match='the panel "Injury sheet" is full: the block'):
        panels.sheet(hackjack(), options)


def test_the_reference_stands_twice_on_a_page_and_nine_times_as_a_card() -> None:
    assert text(printed("reference")).count("When you are hit") == 2 + 9


def test_the_same_bytes_twice() -> None:
    options = panels.Options(sheets.papers()["a4"], fillable=True, filling=Filling("Żółć", STATE))
    assert panels.sheet(hackjack(), options) == panels.sheet(hackjack(), options)

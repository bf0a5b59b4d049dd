"""Chips to cut out, in the colours of the tracks that are counted with them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from helpers import hackjack, page_texts, run

from generator.base.errors import HackjackError
from generator.layout import sheets
from generator.model.rules import System, Track
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper import tokens
from generator.paper.panel_options import PanelOptions
from generator.products import products_of


def chips(system: System, paper: str = "a4") -> list[list[str]]:
    """The chips on each page, as `5 blood`."""
    pdf = tokens.token_pages(system, PanelOptions(sheets.paper_sizes()[paper]))
    return [[" ".join(chip) for chip in re.findall(r"(\d+)\s*(Blood|Trauma)", page)] for page in page_texts(pdf)]


def test_blood_is_red_and_trauma_black_on_both_sides() -> None:
    front, back = chips(hackjack(), "letter")
    assert front == back and len(front) >= 63
    assert {*front} == {"1 Blood", "5 Blood", "1 Trauma"}
    assert front.count("1 Blood") > front.count("1 Trauma") >= 7


@pytest.mark.slow
def test_a_track_of_few_is_counted_one_by_one() -> None:
    glog = load_pack(find("glog")).system
    assert set(chips(glog)[0]) == {"1 Trauma", "5 Trauma"}


def test_tokens_are_a_product_where_a_track_names_some(tmp_path: Path) -> None:
    assert "tokens" in products_of(hackjack())
    assert run("print", "hackjack", "tokens", "--ink", "saver", "-o", tmp_path).code == 0
    assert (tmp_path / "hackjack-tokens.pdf").is_file()
    assert "tokens" not in products_of(load_pack(find("fiftytwo")).system)
    refused = run("print", "fiftytwo", "tokens", "-o", tmp_path)
    assert (refused.code, refused.out) == (2, "") and 'fiftytwo has no product "tokens"' in refused.err


def test_too_many_kinds_for_a_page_are_refused() -> None:
    tracks = {f"track_{at}": Track(name=f"Track {at}", means="-", tokens="red") for at in range(8)}
    system = replace(hackjack(), head=msgspec.structs.replace(hackjack().head, tracks=tracks))
    with pytest.raises(HackjackError, match="16 kinds of tokens are too many for one page"):
        tokens.token_pages(system, PanelOptions(sheets.paper_sizes()["a4"]))

"""Where on the figure of a sheet a character is hurt: from the state's words to crosses on paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from helpers import chars, hackjack, lines_of, run

from generator.games import game_of
from generator.layout import sheets
from generator.layout.sheet_data import Filling, spots_of_state
from generator.model.rules import Area
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper.body import _PLACES, PARTS
from generator.paper.panel_options import PanelOptions
from generator.products import panels

SPOTS = {
    "left arm": ("arm", "left"),
    "right leg": ("leg", "right"),
    "left leg (to below the joint)": ("leg", "left"),
    "right hand thumb": ("hand", "right"),
    "eye": ("head", ""),
    "arm": ("arm", ""),
    "Head": ("head", ""),
}


def test_a_place_in_words_is_a_spot_on_the_figure_that_is_crossed_once() -> None:
    for place, spot in SPOTS.items():
        assert spots_of_state({"wounds": [{"card": "3S", "place": place}]}, hackjack()) == (spot,)
    assert spots_of_state({"wounds": [{"place": place} for place in ("pride", "", None)]}, hackjack()) == ()
    places = [{"place": place} for place in ("left arm", "left hand thumb", "right arm")]
    state = {"hp": 0, "wounds": [*places, "AC"], "permanent": [{"place": "left arm"}]}
    assert spots_of_state(state, hackjack()) == (("arm", "left"), ("hand", "left"), ("arm", "right"))


def crosses(pdf: bytes) -> list[tuple[float, float]]:
    """The middles of all crosses on the first page, mm, from the left: two slanting lines have it in common."""
    slanting = [line for line in lines_of(pdf, 0) if line[0] != line[2] and line[1] != line[3]]
    middles = Counter((round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1)) for x1, y1, x2, y2 in slanting)
    return sorted(middle for middle, count in middles.items() if count == 2)


def sheet(state: Mapping[str, Any]) -> bytes:
    filling = Filling("Bryn", state)
    return panels.sheet(hackjack(), PanelOptions(sheets.paper_sizes()["a4"], fillable=True, filling=filling))


def test_a_sheet_is_crossed_where_it_hurts() -> None:
    assert crosses(sheet({})) == []
    left, right = (crosses(sheet({"wounds": [{"card": "3S", "place": f"{side} arm"}]})) for side in ("left", "right"))
    (head,) = crosses(sheet({"permanent": [{"card": "JD", "place": "eye"}]}))
    assert len(left) == len(right) == 1
    assert left[0][0] < head[0] < right[0][0]
    assert math.isclose(head[0] - left[0][0], right[0][0] - head[0], abs_tol=0.15)
    assert head[1] > left[0][1] == right[0][1]


def test_where_the_side_is_not_known_both_limbs_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    play = ("play", "--campaign", "hurt")
    assert run(*play, "glog", "add", "kim", "hp", "3").code == 0
    for hit, place, dice in (("4", "arm", "11"), ("2", "torso", "2"), ("1", "head", "5 1 4 3")):
        assert run(*play, "hit", "kim", hit, "dice", *dice.split(), "--at", f"location={place}").code == 0
    assert run("print", "glog", "sheet", "--from", "hurt:kim", "-o", tmp_path).code == 0
    pdf = (tmp_path / "glog-sheet-kim.pdf").read_bytes()
    head, torso = sorted(crosses(pdf), key=lambda place: -place[1])
    assert head[0] == torso[0]
    asked = [char for char in chars(pdf, 0) if char.text == "?"]
    assert sorted(char.left < head[0] for char in asked) == [False, True]


def test_rules_and_figure_tell_the_same_areas_apart() -> None:
    assert frozenset(get_args(Area)) == frozenset(_PLACES) == PARTS | {"hand"}


@pytest.mark.parametrize(
    ("condition", "place"), [("gored", "torso"), ("concussed", "head"), ("ko", ""), ("disabled", ""), ("burned", "")]
)
def test_an_injury_that_can_be_in_one_place_alone_is_there(condition: str, place: str) -> None:
    """KO'd comes from the head's column and from non-lethal damage, which hits nowhere."""
    game = game_of(load_pack(find("glog")).system)
    state = game.read_state({"injuries": [{"condition": condition, "days": 3}]})
    assert game.sheet(game.plain_state(state))["injuries"][0]["place"] == place


def test_a_pack_says_where_a_part_of_the_body_is_shown() -> None:
    system = load_pack(find("hackjack")).system
    assert {name: part.figure for name, part in system.head.parts.items()} == {
        "arm": None,
        "leg": None,
        "eye": "head",
        "finger": "hand",
        "limb": None,
    }

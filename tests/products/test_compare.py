"""`hackjack compare`: what a house rule or a pack changes, counted under both variants."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from helpers import few_quick, page_texts, reader, run
from pack.test_packs_new import here

from generator.games import game_of
from generator.layout.panel_elements import Bars
from generator.model.blocks import OddsBlock
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.pack.settings import with_settings
from generator.products.comparison import compare_systems, figures

__all__ = ["here"]

NOTHING = "nothing that is counted differs: --asks compares the odds of one event"
HOUSE_RULE = {
    "hackjack": "limit=18", "deadlands": "wild=d8", "glog": "per_injury=3", "jackrealms": "dealer_soft_17=hit",
    "fiftytwo": "depth=4",
}  # fmt: skip


def compare(*arguments: str) -> Any:
    """What `--json` says; where no file is named, it is asked once."""
    named = any(Path(word).exists() for word in arguments)
    return _compare(*arguments) if named else _compare_once(*arguments)


def _compare(*arguments: str) -> Any:
    done = run("compare", *arguments, "--json")
    assert (done.code, done.err) == (0, ""), done.err
    return json.loads(done.out)


_compare_once = cache(_compare)


def chart(found: Any, title: str) -> dict[tuple[str, str], tuple[Any, Any]]:
    """The figures of a chart under both variants, by row and column."""
    drawn = next(each for each in found["charts"] if each["title"] == title)
    return {(each.get("row", ""), each["at"]): (each["first"], each["second"]) for each in drawn["figures"]}


def share(written: Any) -> Fraction:
    found = Fraction(written["fraction"])
    assert written["p"] == float(found)
    return found


# --- what is compared ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", few_quick(1, ["fiftytwo", "glog"]))
def test_whatever_a_system_counts_is_compared(name: str) -> None:
    found = compare(name, "--with", HOUSE_RULE[name])
    system = load_pack(find(name)).system
    blocks = [block for _, file in system.panels for panel in file.panels for block in panel.blocks]
    pictures = [*game_of(system).CHARTS, *(block for block in blocks if isinstance(block, OddsBlock))]
    assert len(found["charts"]) + len(found["same"]) == len(pictures)
    assert found["charts"] and found["not_counted"] == []
    assert found["first"]["changed"] == {} and found["second"]["changed"] == dict([HOUSE_RULE[name].split("=")])
    for each in found["charts"]:
        assert any(figure["first"] != figure["second"] for figure in each["figures"]), each["title"]


def test_the_chance_to_be_slain_is_what_counting_faces_gives() -> None:
    """Severity is d12, the damage and so much for each injury; 13 slays."""
    found = chart(compare("glog", "--with", "per_injury=3"), "Chance to be slain")
    for injuries, damage in product(range(6), range(1, 13)):
        for per_injury, said in zip((2, 3), found[str(injuries), str(damage)], strict=True):
            faces = [face for face in range(1, 13) if face + damage + per_injury * injuries >= 13]
            assert share(said) == Fraction(len(faces), 12), (injuries, damage, per_injury)


@pytest.mark.slow
def test_the_last_death_score_before_the_limit_dies_of_all_but_the_aces() -> None:
    found = chart(compare("hackjack", "--set", "limit=18"), "die: hit 1")
    assert share(found["", "17"][1]) == share(found["", "20"][0]) == Fraction(48, 52)
    assert found["", "20"][1] is None, "nobody has 20 where 18 is the limit"


# --- the two variants ------------------------------------------------------------------------------------------------


def test_a_pack_is_compared_as_the_house_rules_in_it() -> None:
    assert run("rules", "glog", "--save", "harsh", "--set", "per_injury=3").code == 0
    asked = ("--asks", "hit 3")
    pack, rule = compare("glog", "harsh", *asked), compare("glog", "--with", "per_injury=3", *asked)
    assert pack["charts"] == rule["charts"]
    assert pack["second"]["title"] == "Harsh"


def test_the_same_twice_differs_in_nothing() -> None:
    done = run("compare", "hackjack", "--with", "limit=21", "-o", "out")
    assert not Path("out").exists(), "there is nothing to print"
    assert done.out.splitlines()[3] == NOTHING


def test_a_table_says_both_figures_and_the_change() -> None:
    lines = run("compare", "jackrealms", "--with", "dealer_soft_17=hit").out.splitlines()
    assert ["6", "55.1", "55.3", "+0.2"] in [line.split() for line in lines]
    assert "The player wins a round (the dealer shows; per cent; played by total, one deck)" in lines


def test_sentences_that_quote_chances_are_compared() -> None:
    found = compare("glog", "--with", "per_injury=3")["sentences"]
    assert found == [
        {
            "first": "With three injuries: 58 % slain, 17 % Dying at once.",
            "second": "With three injuries: 83 % slain, 17 % Dying at once.",
        }
    ]


# --- one event -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_event_is_asked_as_odds_are(here: Path) -> None:
    (here / "state.json").write_text('{"score": 8}', encoding="utf-8")
    asked = ("--state", "state.json")
    found = chart(compare("hackjack", "--with", "massive_damage=from_13", "--asks", "hit 13", *asked), "hit 13")
    for place, settings in enumerate(((), ("--set", "massive_damage=from_13"))):
        odds = json.loads(run("odds", "hackjack", "hit", "13", *asked, *settings, "--json").out)
        said = {at: both[place] for (_, at), both in found.items()}
        assert {key: said[key] for key in ("die", "reset", "survive")} == {
            key: odds[key] for key in ("die", "reset", "survive")
        }
        scores = {at.removeprefix("score "): each for at, each in said.items() if at.startswith("score ")}
        assert {score: each for score, each in scores.items() if each["p"]} == odds["score"]


def test_the_hits_that_are_lived_through_are_their_mean() -> None:
    """A hit of 8 slays with 5 or more on the d12; where an injury adds 8, the second hit slays with any face."""
    asked = ("--set", "per_injury=2", "--with", "per_injury=8", "--asks", "hit 8", "--hits", "4")
    found = chart(compare("glog", *asked), "hit 8: hits lived through")
    dying = json.loads(run("odds", "glog", "hit", "8", "--hits", "4", "--json").out)["die_by"]
    usual, harsher = found["", "on average"]
    assert usual["value"] == pytest.approx(sum(1 - each["p"] for each in dying))
    assert harsher["value"] == pytest.approx(1 / 3)


@pytest.mark.slow
def test_what_is_played_out_carries_its_error() -> None:
    asked = ("--with", "limit=24", "--asks", "hit 2", "--hits", "4")
    found = compare("hackjack", *asked)
    (usual, wider) = chart(found, "hit 2: hits lived through")["", "on average"]
    for each in (usual, wider, *(both[0] for both in chart(found, "hit 2").values())):
        assert 0 < each["error"] < 0.06
    assert wider["value"] > usual["value"] + 10 * usual["error"]
    told = run("compare", "glog", "--with", "per_injury=3", "--asks", "hit 3", "--hits", "40").out
    assert re.search(r"on average +1\.\d\d ±0\.\d\d +1\.\d\d ±0\.\d\d", told)


@pytest.mark.parametrize(("arguments", "code", "says"), [
    (("glog",), 2, "there is nothing to compare: name a PACK, or house rules with --set or --with NAME=VALUE"),
    (("glog", "deadlands"), 2, "glog and deadlands have different kinds of procedure"),
    (("glog", "nowhere"), 2, 'there is no system "nowhere"'),
    (("nowhere", "glog"), 2, 'there is no system "nowhere"'),
    (("glog", "--with", "limit=3"), 2, 'glog has no ruling switch and no number "limit"'),
    (("glog", "--with", "per_injury=3", "--hits", "3"), 2, "--hits, --policy, --state and --at are about one event"),
    (("glog", "--with", "per_injury=3", "--asks", "hti 3"), 2, "hti has no odds"),
    (("glog", "--with", "per_injury=3", "--paper", "a99"), 2, "a99"),
])  # fmt: skip
def test_what_cannot_be_compared_is_said(arguments: tuple[str, ...], code: int, says: str) -> None:
    done = run("compare", *arguments)
    assert (done.code, done.out) == (code, "") and says in done.err and done.err.count("\n") == 1


# --- on paper --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["glog"])
def test_charts_of_both_variants_are_printed_beside_each_other(name: str, here: Path) -> None:
    done = run("compare", name, "--with", HOUSE_RULE[name], "-o", "out", "--paper", "letter")
    assert done.out.splitlines()[-1] == str(Path("out") / f"{name}-comparison.pdf")
    pdf = (here / "out" / f"{name}-comparison.pdf").read_bytes()
    text = " ".join(page_texts(pdf))
    assert HOUSE_RULE[name].replace("=", ": ") in text
    for each in compare(name, "--with", HOUSE_RULE[name])["charts"]:
        assert each["title"] in text
    assert all(page.mediabox.width > page.mediabox.height for page in reader(pdf).pages)


def test_bars_with_the_same_labels_share_a_chart() -> None:
    system = load_pack(find("jackrealms")).system
    found = compare_systems(system, with_settings(system, [("dealer_soft_17", "hit")]))
    (wins,) = (each for each in found.charts if each.title == "The player wins a round")
    assert isinstance(wins.first, Bars) and {at for _, at in wins.differ} < set(wins.first.labels)
    assert all(figure.in_per_cent for figure in figures(wins.second).values())

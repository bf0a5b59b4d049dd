"""`hackjack rules`: what may be set otherwise, and house rules saved as a pack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import run
from pack.test_packs_new import here, obeys_its_schema

from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.words.house_rules import number_rules, switch_rules

__all__ = ["here"]


def rules(*arguments: str) -> Any:
    done = run("rules", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def named(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(each for each in found if each["name"] == name)


def test_a_switch_stands_with_its_options_and_what_they_mean() -> None:
    assert named(rules("hackjack")["switches"], "massive_damage") == {
        "name": "massive_damage",
        "value": "over_13",
        "default": "over_13",
        "values": ["over_13", "from_13"],
        "does": "More than 13 damage is massive.",
        "ruling": "H1: Massive damage",
        "readings": {"over_13": "More than 13 damage is massive.", "from_13": "Exactly 13 counts as massive."},
    }


def test_a_number_stands_with_its_bounds_and_what_it_does() -> None:
    limit = named(rules("hackjack", "--set", "limit=18")["numbers"], "limit")
    assert (limit["value"], limit["default"], limit["values"]) == ("18", "21", ["from 1 to 1,000"])
    assert limit["does"] == "Over 18 you die; on 18 it starts again at 0."
    soft = named(rules("hackjack", "--set", "massive=10")["switches"], "massive_damage")
    assert soft["does"] == "More than 10 damage is massive.", "texts quote the number in force"


def test_what_is_not_at_its_default_is_said() -> None:
    lines = run("rules", "glog", "--set", "per_injury=3", "--set", "sides=on").out.splitlines()
    assert lines[-1] == "not at the default: sides = on, per_injury = 3"
    assert "sides = on (default: off)   G2: Where it hits" in lines
    assert any(line.startswith("per_injury = 3 (default: 2)") for line in lines)
    assert run("rules", "glog").out.splitlines()[-1] == "everything is at its default"


@pytest.mark.parametrize("name", shipped())
def test_everything_that_can_be_set_is_listed_and_says_what_it_does(name: str) -> None:
    system = load_pack(find(name)).system
    found = (*switch_rules(system), *number_rules(system))
    assert [rule.name for rule in found] == [*system.switches, *system.numbers]
    for rule in found:
        assert rule.does and "{" not in rule.does, rule
        assert rule.values and not rule.changed, rule


def test_all_systems_are_listed_in_short() -> None:
    lines = run("rules").out.splitlines()
    assert "  massive_damage = over_13 (or from_13)" in lines and "glog: Death and dismemberment tables 1.0" in lines
    assert [each["system"] for each in rules()["systems"]] == list(shipped())


@pytest.mark.parametrize(("system", "chosen"), [
    pytest.param("glog", {"sides": "on", "severity_die": "2d6+1"}, marks=pytest.mark.slow),
    pytest.param("deadlands", {"injury_days": "acing"}, marks=pytest.mark.slow),
    ("jackrealms", {"target": "22", "payout": "2"}),
])  # fmt: skip
def test_saved_house_rules_are_a_pack_of_that_and_nothing_more(system: str, chosen: dict[str, str], here: Path) -> None:
    asked = [f"--set={name}={value}" for name, value in chosen.items()]
    done = run("rules", system, "--save", "harsh", *asked)
    assert (done.code, done.err) == (0, "")
    obeys_its_schema(here / "harsh" / "system.yaml")
    assert [path.name for path in (here / "harsh").glob("*.yaml")] == ["system.yaml"]
    assert run("check", "harsh").code == 0
    saved, under = rules("harsh", "--pack", "harsh"), rules(system, *asked)
    assert {**saved, "system": system} == under
    alone = load_pack(here / "harsh").system
    assert len((*alone.house_rules, *alone.changed_numbers)) == len(asked)


@pytest.mark.slow
def test_house_rules_of_a_pack_are_built_upon(here: Path) -> None:
    assert run("rules", "hackjack", "--save", "first", "--set", "limit=18").code == 0
    assert run("rules", "first", "--pack", "first", "--save", "second", "--set", "massive=10").code == 0
    assert "extends: first" in (here / "second" / "system.yaml").read_text(encoding="utf-8")
    assert run("rules", "--pack", "second").out.splitlines()[-1] == "not at the default: limit = 18, massive = 10"
    back = run("rules", "first", "--pack", "first", "--save", "third", "--set", "limit=21")
    assert back.code == 0 and run("rules", "--pack", "third").out.splitlines()[-1] == "everything is at its default"


@pytest.mark.parametrize(("arguments", "code", "says"), [
    (("--set", "limit=18"), 2, "house rules belong to one system: write hackjack rules SYSTEM --set NAME=VALUE"),
    (("hackjack", "--save", "mine"), 2, "Nothing differs from Hackjack. Change a rule with --set NAME=VALUE."),
    (("hackjack", "--save", "glog", "--set", "limit=18"), 2, '"glog" is a system that ships'),
    (("hackjack", "--set", "limti=18"), 2, 'no number "limti": did you mean "limit"?'),
    (("hackjack", "--set", "limit=0"), 2, 'limit cannot be "0": write a whole number from 1 to 1,000'),
])  # fmt: skip
def test_what_cannot_be_is_said(arguments: tuple[str, ...], code: int, says: str, here: Path) -> None:
    done = run("rules", *arguments)
    assert done.code == code and says in done.err and done.err.count("\n") == 1
    assert [*here.iterdir()] == []


def test_nothing_is_written_over(here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "notes.txt").write_text("keep", encoding="utf-8")
    done = run("rules", "hackjack", "--save", "mine", "--set", "limit=18")
    assert done.code == 2 and done.err.startswith("mine already exists")
    assert [path.name for path in (here / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.slow
def test_content_is_checked_under_house_rules() -> None:
    done = run("check", "hackjack", "--set", "limit=18")
    assert (done.code, done.err) == (0, "")
    assert "hackjack: claim death departs: Past 21 the character dies." in done.out.splitlines()


def test_a_check_under_house_rules_is_of_one_system_that_has_them() -> None:
    both = run("check", "hackjack", "glog", "--set", "limit=18")
    assert both.code == 2 and both.err.startswith("house rules belong to one system")
    wrong = run("check", "hackjack", "--set", "limti=18")
    assert wrong.code == 2 and wrong.err.endswith('no number "limti": did you mean "limit"?\n')

"""Several packs at once: the deck of one, the tables of another, the house rules of a third."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import run

CARD = "  - {{code: {code}, name: {name}, blood: 1}}\n"


def pack(folder: Path, name: str, *, more: str = "", extends: str = "hackjack", **cards: str) -> Path:
    where = folder / name
    where.mkdir()
    (where / "system.yaml").write_text(f'id: {name}\nextends: {extends}\ntitle: {name.title()}\nversion: "1.0"\n{more}')
    if cards:
        rows = "".join(CARD.format(code=code.removeprefix("c_"), name=title) for code, title in cards.items())
        (where / "deck.yaml").write_text(f"cards:\n{rows}")
    return where


def test_each_pack_says_its_part(tmp_path: Path) -> None:
    deck = pack(tmp_path, "mire", c_QS="Mudslide")
    rules = pack(tmp_path, "soft", more="procedure: {limit: 30}\nrulings: {massive_damage: from_13}\n")
    stacked = ("--pack", deck, "--pack", rules)
    card = run("card", "mire", "QS", *stacked)
    assert (card.code, card.err) == (0, "")
    assert "Mudslide" in card.out
    listed = json.loads(run("list", *stacked, "--json").out)["systems"][0]
    assert listed["title"] == "Mire"
    state = tmp_path / "state.json"
    state.write_text('{"score": 15}')
    shown = run("resolve", "mire", "hit", "3", "--cards", "KC", "--state", state, *stacked, "--json")
    assert json.loads(shown.out)["state"]["dead"] is False
    assert run("resolve", "soft", "hit", "3", "--cards", "QS", *stacked).code == 0
    assert run("resolve", "hackjack", "hit", "3", "--cards", "QS", *stacked).code == 0


def test_what_two_packs_say_differently_is_named_and_the_later_holds(tmp_path: Path) -> None:
    one = pack(tmp_path, "one", c_QS="Mud", c_KS="Rain", more="procedure: {limit: 18}\n")
    other = pack(tmp_path, "other", c_QS="Fog", c_KS="Rain", more="procedure: {limit: 19}\n")
    done = run("card", "one", "QS", "--pack", one, "--pack", other)
    assert done.code == 0
    assert "Fog" in done.out
    said = done.err.splitlines()
    assert [line.split(":")[1] for line in said] == ["5", "2"]
    assert said[0].endswith(f"{one / 'system.yaml'}:5 says this otherwise: here it holds")
    checked = run("check", "--pack", one, "--pack", other)
    assert "warning: " in checked.err and "says this otherwise" in checked.err


def test_house_rules_that_differ_are_named(tmp_path: Path) -> None:
    one = pack(tmp_path, "one", more="rulings: {massive_damage: from_13}\n")
    other = pack(tmp_path, "other", more="rulings: {massive_damage: over_13}\n")
    done = run("card", "one", "QS", "--pack", one, "--pack", other)
    assert done.code == 0
    assert done.err == f"{other / 'system.yaml'}:5:27: {one / 'system.yaml'}:5 chooses otherwise: this holds\n"


@pytest.mark.parametrize("extends", ["glog", "jackrealms"])
def test_packs_that_change_different_systems_do_not_lie_beside_each_other(tmp_path: Path, extends: str) -> None:
    one, other = pack(tmp_path, "one"), pack(tmp_path, "other", extends=extends)
    done = run("card", "one", "QS", "--pack", one, "--pack", other)
    assert done.code != 0
    assert f"this pack extends {extends}: to lie beside the others it must extend one or hackjack" in done.err


def test_the_deck_of_several_packs_is_printed(tmp_path: Path) -> None:
    one, other = pack(tmp_path, "one", c_QS="Mud"), pack(tmp_path, "other", c_KS="Rain")
    done = run("print", "one", "deck", "--only", "QS,KS", "--pack", one, "--pack", other, "-o", tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "one-deck.pdf").is_file()


@pytest.mark.parametrize("head", ["", "- 1\n", "title: Nameless\n", "id: [1]\nextends: hackjack\n"])
def test_a_broken_pack_among_several_is_told(tmp_path: Path, head: str) -> None:
    sound, broken = pack(tmp_path, "one"), pack(tmp_path, "other")
    (broken / "system.yaml").write_text(head)
    for packs in ((sound, broken), (broken, sound)):
        done = run("check", *(word for folder in packs for word in ("--pack", folder)))
        assert done.code in (1, 2)
        assert "Traceback" not in done.err and done.err.strip()


def test_so_many_packs_and_no_more(tmp_path: Path) -> None:
    one = pack(tmp_path, "one")
    packs: list[str | Path] = ["--pack", one] * 9
    done = run("card", "one", "QS", *packs)
    assert (done.code, done.err) == (2, "--pack is given 9 times: 8 packs lie beside each other at most\n")

"""One deck for two systems: each card says what it does in either, or the error names the card that is too full."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from helpers import run, squeezed

from generator.games import card_products as cardsets
from generator.layout.card_elements import Badge, CardEffect, Rule, Title
from generator.layout.card_layout import card_face
from generator.model.rules import System, merge_systems
from generator.pack import content


@cache
def system(name: str) -> System:
    return content.load(content.find(name)).system


def pages(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path.read_bytes())
    found = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return found


def said(path: Path) -> str:
    return squeezed("".join(pages(path)))


def test_each_card_says_both(tmp_path: Path) -> None:
    done = run("print", "hackjack+deadlands", "deck", "--only", "2C", "-o", tmp_path)
    assert done.code == 0, done.err
    assert done.out == f"{tmp_path / 'hackjack+deadlands-deck.pdf'}\n"
    text = said(tmp_path / "hackjack+deadlands-deck.pdf")
    for name in ("hackjack", "deadlands"):
        card = system(name).cards["2C"]
        assert squeezed(card.name) in text
        for part in card_face(card, system(name)).parts:
            if isinstance(part, CardEffect):
                assert squeezed(part.says) in text
    assert squeezed("Hackjack 1.0 + Deadlands 1876 1.0") in text


@pytest.mark.parametrize("pair", [("hackjack", "deadlands"), ("deadlands", "hackjack"), ("hackjack", "jackrealms")])
def test_no_rule_of_either_deck_is_lost(pair: tuple[str, str]) -> None:
    first, second = (cardsets.card_set(system(name), "deck") for name in pair)
    merged = cardsets.card_set(merge_systems(*map(system, pair)), "deck")
    by_code = {name: {face.code: face for face in deck.faces} for name, deck in zip(pair, (first, second), strict=True)}
    assert {face.code for face in merged.faces} == set(by_code[pair[0]]) | set(by_code[pair[1]])
    assert merged.spare == first.spare & second.spare | (first.spare | second.spare) - (
        set(by_code[pair[0]]) & set(by_code[pair[1]])
    )
    for face in merged.faces:
        mine, other = by_code[pair[0]].get(face.code), by_code[pair[1]].get(face.code)
        if mine is None or other is None:
            assert face in (mine, other)
            continue
        effects = [part for part in face.parts if isinstance(part, CardEffect)]
        wanted = [part for each in (mine, other) for part in each.parts if isinstance(part, CardEffect)]
        assert [part for part in effects if part in wanted] == wanted
        title = next(part.text for part in other.parts if isinstance(part, Title))
        assert CardEffect(title, "", system(pair[1]).head.title) in effects
        assert Rule(system(pair[0]).head.title) in face.parts
        badges = [part for part in face.parts if isinstance(part, Badge)]
        assert badges == [part for part in mine.parts if isinstance(part, Badge)], "no figure is of the other system"
        for badge in other.parts:
            if isinstance(badge, Badge):
                assert any(badge.number in part.says for part in effects)


def test_a_card_that_is_too_full_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    pack = tmp_path / "home" / "packs" / "wordy"
    assert run("new", "wordy", pack, "--extends").code == 0
    penalty = "{do: penalty, to: [all_stats, to_hit, to_hit_ranged, max_hp], by: 1, until: recovery}"
    effects = ", ".join([penalty] * 7)
    (pack / "deck.yaml").write_text(f"cards: [{{code: 7D, name: Wordy, effects: [{effects}]}}]\n", encoding="utf-8")
    assert run("check", "wordy").code == 0
    done = run("print", "wordy+hackjack", "deck", "-o", tmp_path / "out")
    assert done.code == 1
    assert done.err.startswith("wordy+hackjack deck: 7D: the text does not fit its card: at 6.5 pt")
    assert not (tmp_path / "out").exists()
    larger = run("print", "wordy+hackjack", "--only", "7D", "--card", "tarot", "-o", tmp_path / "out")
    assert larger.code == 0, larger.err


def test_house_rules_go_to_whichever_knows_them(tmp_path: Path) -> None:
    pair: list[str | Path] = ["print", "hackjack+deadlands", "--only", "RJ", "-o", tmp_path, "--set"]
    assert run(*pair, "massive_damage=from_13").code == 0
    assert squeezed("massive_damage: from_13 + Deadlands") in said(tmp_path / "hackjack+deadlands-deck.pdf")
    assert run(*pair, "masive_damage=from_13").err == (
        'neither of hackjack+deadlands has a ruling switch or a number "masive_damage": '
        'did you mean "massive_damage"?\n'
    )
    assert run(*pair, "massive_damage=from_14").code == 2


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (["hackjack+hackjack"], "a deck serves two different systems"),
        (["hackjack+deadlands+jackrealms"], "a deck serves two different systems"),
        (["hackjack+"], 'there is no system ""'),
        (["hackjack+deadland"], 'there is no system "deadland": did you mean "deadlands"?'),
        (["hackjack+glog"], "glog has no deck to put on the same cards"),
        (["hackjack+deadlands", "screen"], 'hackjack+deadlands has no product "screen": there is deck'),
        (["hackjack+deadlands", "deck", "--pack", "."], "--pack means one system"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_one_deck(call: list[str], fault: str, tmp_path: Path) -> None:
    done = run("print", *call, "-o", tmp_path / "out")
    assert done.code == 2
    assert fault in done.err
    assert not (tmp_path / "out").exists()


def test_stickers_and_text_say_both(tmp_path: Path) -> None:
    done = run("print", "hackjack+deadlands", "--format", "md", "--only", "2C", "-o", tmp_path)
    assert done.code == 0, done.err
    text = (tmp_path / "hackjack+deadlands-deck.md").read_text(encoding="utf-8")
    assert "Ringing skull" in text and "Jammed finger" in text

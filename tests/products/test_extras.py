"""Cards that explain a deck, read back: what its signs stand for, and what happens upon a hit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import ROOT, copy_pack, few_quick, hackjack, page_texts, run

from generator.check import content_checks as checks
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import Badge, Callout, CardEffect, Face, sentences_of, title_of
from generator.model.blocks import OrderBlock
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper.card_body import body_of
from generator.products import extras
from generator.words.event_wording import event_sentences, events_in_order, watch_sentences
from generator.words.wording import fill_placeholders

POKER = sheets.card_sizes()["poker"]
EXAMPLES = ROOT / "docs" / "examples"
SYSTEMS = [*map(find, shipped()), *sorted(path for path in EXAMPLES.iterdir() if path.is_dir())]


def system_of(path: Path) -> System:
    return load_pack(path).system


def said_by(face: Face) -> list[str]:
    return [part.says for part in face.parts if isinstance(part, Callout)]


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.name)
def test_every_set_of_every_system_says_what_its_signs_stand_for(path: Path) -> None:
    """In the words of the system, where there is room; figures have their words under them on this card alone."""
    system, size = system_of(path), sheets.Size(127, 178)
    for name in card_set_names(system):
        printed = card_set(system, name)
        shown = extras.extra_faces(system, printed, size, "normal")[0]
        said = " ".join(sentences_of(shown))
        parts = [part for face in printed.faces for part in face.parts]
        assert ("In italics" in said) == any(isinstance(part, CardEffect) and part.until for part in parts)
        for badge in (part for part in parts if isinstance(part, Badge)):
            track = system.head.tracks.get(badge.kind)
            assert badge.kind != "permanent" or "A lock and a torn corner" in said
            if track:
                meaning = fill_placeholders(track.means, system).removesuffix(".")
                assert f"{track.name}: {meaning}" in said
                assert track.name in {part.caption for part in shown.parts if isinstance(part, Badge)}


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.name)
def test_cards_that_explain_a_deck_are_read_at_arms_length_too(path: Path) -> None:
    """In 10.5 pt or more on a poker card: with less room they say less, or go on on another card."""
    system = system_of(path)
    for name in card_set_names(system):
        for face in extras.extra_faces(system, card_set(system, name), POKER, "normal"):
            assert body_of(face).settled(extras.setting_of(face, POKER, "normal")).size >= 10.5


@pytest.mark.parametrize(
    ("call", "signs"),
    few_quick(3, [("", 1), ("--jokers", 0), ("--only QS", 0), ("--target single", 0), ("--target home-bleed", 1)]),
)
def test_the_card_of_signs_takes_a_place_that_is_free_at_home(call: str, signs: int, tmp_path: Path) -> None:
    """The deck fills six sheets but for two places; with jokers it fills them all, and a shop gets its cards alone."""
    assert run("print", "hackjack", "deck", "--backs", "none", *call.split(), "-o", tmp_path).code == 0
    (path,) = tmp_path.glob("*.pdf")
    assert sum(page.count("How to read a card") for page in page_texts(path.read_bytes())[-2:]) == signs


@pytest.mark.parametrize("reading", ["after_the_hit", "at_every_step"])
def test_the_rules_are_told_in_the_order_in_which_they_are_played(reading: str) -> None:
    """The engine says in which order a hit is played; the card follows it under each reading of the ruling."""
    system = checks.under(hackjack(), [("twenty_one", reading)])
    (face,) = extras.rule_cards(system, POKER, "normal")
    assert title_of(face) == "When you are hit"
    (block,) = (block for block in dict(system.panels)["reference"].panels[0].blocks if isinstance(block, OrderBlock))
    steps = {part.events[0]: fill_placeholders(part.says, system) for part in block.steps}
    played = [steps[name] for name in events_in_order(block.event, system) if name in steps]
    assert said_by(face) == played
    assert sorted(played) == sorted(steps.values())


@pytest.mark.parametrize(("path", "event"), [(find("glog"), "hit"), (EXAMPLES / "keen", "critical")])
def test_the_rules_of_a_system_of_steps_are_what_runs(path: Path, event: str) -> None:
    system = system_of(path)
    (face,) = extras.rule_cards(system, POKER, "normal")
    steps = [*event_sentences(event, system), *(watch_sentences(system) if path.parent == EXAMPLES else ())]
    assert said_by(face) == [re.sub(r" ?\[[A-Z]+\d+\]", "", str(text)) for text in steps]


@pytest.mark.parametrize("size", ["mini", "bridge", "tarot"])
def test_blocks_that_are_marked_are_the_rules_and_go_on_on_another_card(size: str) -> None:
    deadlands = system_of(find("deadlands"))
    faces = extras.rule_cards(deadlands, sheets.card_sizes()[size], "normal")
    (whole,) = extras.rule_cards(deadlands, sheets.card_sizes()["jumbo"], "normal")
    labels = [part.label for part in whole.parts if isinstance(part, CardEffect) and part.label]
    assert labels == ["Soaking", "Wounds", "Incapacitated"]
    assert [said for face in faces for said in sentences_of(face)] == list(sentences_of(whole))
    one, two = "When it hurts, 1 of 2", "When it hurts, 2 of 2"
    titles = {"rules": "When it hurts"} if size == "tarot" else {"rules": one, "rules-2": two}
    assert {face.code: title_of(face) for face in faces} == titles
    if size == "bridge":
        first = [next(part for part in face.parts if isinstance(part, CardEffect)).label for face in faces]
        assert first == ["Soaking", "Incapacitated"], "no card is left almost empty"


ONE = ("print", "hackjack", "deck", "--only", "QS", "-o")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["home", "business", "drivethru", "tts"])
def test_extras_are_printed_for_all_that_has_room(target: str, tmp_path: Path) -> None:
    done = run(*ONE, tmp_path, "--extras", "--target", target)
    assert (done.code, done.err) == (0, "")


def test_extras_are_printed_beside_the_other_cards(tmp_path: Path) -> None:
    texts = []
    for more in ((), ("--extras",)):
        assert run(*ONE, tmp_path, "--target", "single", *more).code == 0
        texts.append(page_texts((tmp_path / "hackjack-deck-single.pdf").read_bytes()))
    plain, with_extras = texts
    assert with_extras[: len(plain)] == plain and len(with_extras) == len(plain) + 4
    assert run(*ONE, tmp_path, "--extras", "--format", "md").code == 0
    said = (tmp_path / "hackjack-deck.md").read_text(encoding="utf-8")
    assert "### When you are hit" in said and "1: Your Blood pool" in said and "How to read a card" not in said


@pytest.mark.parametrize(("call", "says"), [
    ("hackjack deck --extras --target l7651", "--extras means nothing for l7651: it is for home, "),
    pytest.param(
        "deadlands fate --card 26x38 --extras",
        "deadlands fate: rules: this help card does not fit: choose larger cards, or leave --extras out\n",
        marks=pytest.mark.slow,
    ),
])  # fmt: skip
def test_extras_that_have_no_place_are_refused(call: str, says: str) -> None:
    assert run("print", *call.split()).err.startswith(says)


SLOW = [pytest.param(system, marks=pytest.mark.slow) for system in ("deadlands", "fiftytwo", "glog")]


@pytest.mark.parametrize("system", ["jackrealms", *SLOW])
def test_extras_of_all_sets_are_printed(system: str, tmp_path: Path) -> None:
    sets = card_set_names(system_of(find(system)))
    done = run("print", system, *sets, "--extras", "-o", tmp_path)
    assert (done.code, done.err, done.out.count(".pdf")) == (0, "", len(sets))


def test_a_block_marked_as_rules_is_asked_for_by_the_pack(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    (pack / "reference.yaml").write_text(
        "title: Rules\npanels:\n  - title: Ours\n    blocks:\n"
        "      - {block: text, title: Die, rules: true, text: ['Over {limit}.']}\n"
        "      - {block: text, title: Live, text: [Otherwise.]}\n",
        encoding="utf-8",
    )
    (face,) = extras.rule_cards(system_of(pack), POKER, "normal")
    assert (title_of(face), sentences_of(face)) == ("Ours", ("Die: Over 21.",))

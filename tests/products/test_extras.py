"""Cards that explain a deck, read back: one of its own with its parts numbered, and what happens upon a hit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import ROOT, chars, copy_pack, hackjack, reader, run, squeezed, text_in

from generator.check import content_checks as checks
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import Badge, Callout, CardEffect, Face, Rule, Scale, Title, sentences_of, title_of
from generator.model.blocks import OrderBlock
from generator.model.rules import System
from generator.pack import content
from generator.pack.pack_locations import find
from generator.products import deck, extras
from generator.words.event_wording import event_sentences, events_in_order, watch_sentences
from generator.words.wording import fill_placeholders

POKER = sheets.card_sizes()["poker"]
EXAMPLES = ROOT / "docs" / "examples"
SYSTEMS = [*map(find, content.shipped()), *sorted(path for path in EXAMPLES.iterdir() if path.is_dir())]


def system_of(path: Path) -> System:
    return content.load(path).system


def said_by(face: Face) -> list[str]:
    return [part.says for part in face.parts if isinstance(part, Callout)]


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.name)
def test_every_set_of_every_system_explains_one_of_its_own_cards(path: Path) -> None:
    """Number by number: each stands in a line, and beside a part that the real card has."""
    system = system_of(path)
    for name in card_set_names(system):
        printed = card_set(system, name)
        shown = extras.extra_faces(system, printed, POKER, "normal")[0]
        badges = [part for part in shown.parts if isinstance(part, Badge)]
        first = sentences_of(shown)[0]
        real = next(
            face
            for face in printed.faces
            if [each for each in face.parts if isinstance(each, Title)]
            == [each for each in shown.parts if isinstance(each, Title)]
            and [part for part in face.parts if isinstance(part, Badge)] == badges
            and first in (*sentences_of(face)[:1], "How to read a card: its parts by number.")
        )
        callouts = [part for part in shown.parts if isinstance(part, Callout)]
        assert [part.number for part in callouts] == list(range(1, len(callouts) + 1))
        there = {"title": Title, "rule": Rule, "effect": CardEffect, "scale": Scale}
        for callout in callouts:
            kind = there.get(callout.at)
            assert kind is None or any(isinstance(part, kind) for part in real.parts)
        # Whatever has to be counted is explained, but for the first of two numbers that make a range.
        assert [int(part.at.split()[1]) for part in callouts if part.at.startswith("badge")] == [
            place for place, badge in enumerate(badges) if badge.caption not in ("or", "to")
        ]


def test_each_number_stands_in_the_legend_and_beside_its_part() -> None:
    options = deck.Options(paper=sheets.paper_sizes()["a4"], card=POKER, only=("QS",), backs="none", extras=True)
    pdf = deck.singles(hackjack(), options)
    assert len(reader(pdf).pages) == 3
    shown = extras.extra_faces(hackjack(), card_set(hackjack(), "deck"), POKER, "normal")[0]
    discs = [char for char in chars(pdf, 1) if char.text.isdigit() and char.size == pytest.approx(6.5, abs=0.01)]
    for callout in (part for part in shown.parts if isinstance(part, Callout)):
        assert sum(char.text == str(callout.number) for char in discs) == 2, callout
        assert squeezed(callout.says) in squeezed(text_in(pdf, 1, 0, 0, POKER.width, POKER.height))
    # The name's number stands after the name, and those of the figures over them.
    title = next(char for char in discs if char.text == "1" and char.y > 75)
    assert title.x > 15
    assert all(char.x >= 3 and char.right <= POKER.width - 3 for char in discs)


def test_figures_are_explained_in_the_words_of_the_system() -> None:
    shown = extras.extra_faces(hackjack(), card_set(hackjack(), "deck"), sheets.card_sizes()["jumbo"], "normal")[0]
    said = " ".join(sentences_of(shown))
    for kind in {part.kind for part in shown.parts if isinstance(part, Badge)} - {"permanent"}:
        track = hackjack().head.tracks[kind]
        assert f"{track.name}: {fill_placeholders(track.means, hackjack())}".removesuffix(".") in said


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
    titles = {"rules": one, "rules-2": two} if size == "mini" else {"rules": "When it hurts"}
    assert {face.code: title_of(face) for face in faces} == titles


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
        pages = reader((tmp_path / "hackjack-deck-single.pdf").read_bytes()).pages
        texts.append([page.extract_text() for page in pages])
    plain, with_extras = texts
    assert with_extras[: len(plain)] == plain and len(with_extras) == len(plain) + 4
    assert run(*ONE, tmp_path, "--extras", "--format", "md").code == 0
    said = (tmp_path / "hackjack-deck.md").read_text(encoding="utf-8")
    assert "### When you are hit" in said and "1: Your Blood pool" in said and "How to read a card" not in said


@pytest.mark.parametrize(("call", "says"), [
    ("hackjack deck --extras --target l7651", "--extras means nothing for l7651: it is for home, "),
    pytest.param(
        "deadlands fate --card 30x45 --extras",
        "deadlands fate: how-to-read: this help card does not fit: choose larger cards, or leave --extras out\n",
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

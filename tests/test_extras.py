"""Cards that explain a deck, read back: one of its own with its parts numbered, and what happens upon a hit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import ROOT, chars, copy_pack, hackjack, reader, run, squeezed, text_in

from generator.check import content_checks as checks
from generator.games import game_of
from generator.games.card_products import card_set, names_of
from generator.layout import sheets
from generator.layout.card_elements import Badge, Callout, Effect, Rule, Scale, Title, sentences_of, title_of
from generator.model.blocks import OrderBlock
from generator.model.rules import System
from generator.pack import content
from generator.pack.pack_locations import find
from generator.products import deck, extras
from generator.words.event_wording import event_sentences, watch_sentences
from generator.words.wording import fill_placeholders

POKER = sheets.card_sizes()["poker"]
EXAMPLES = sorted(path for path in (ROOT / "docs" / "examples").iterdir() if path.is_dir())
SYSTEMS = [*(find(name) for name in content.shipped()), *EXAMPLES]


def system_of(path: Path) -> System:
    return content.load(path).system


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.name)
def test_every_set_of_every_system_explains_one_of_its_own_cards(path: Path) -> None:
    """Number by number: each stands in a line, and beside a part that the real card has."""
    system = system_of(path)
    for name in names_of(system):
        printed = card_set(system, name)
        shown = extras.made(system, printed, POKER, "normal")[0]
        badges = [part for part in shown.parts if isinstance(part, Badge)]
        first = sentences_of(shown)[0]
        real = next(
            face
            for face in printed.faces
            if title_of(face) == title_of(shown)
            and [part for part in face.parts if isinstance(part, Badge)] == badges
            and first in (*sentences_of(face)[:1], "How to read a card: its parts by number.")
        )
        callouts = [part for part in shown.parts if isinstance(part, Callout)]
        assert [part.number for part in callouts] == list(range(1, len(callouts) + 1))
        there = {"title": Title, "rule": Rule, "effect": Effect, "scale": Scale}
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
    shown = extras.made(hackjack(), card_set(hackjack(), "deck"), POKER, "normal")[0]
    discs = [char for char in chars(pdf, 1) if char.text.isdigit() and char.size == pytest.approx(6.5, abs=0.01)]
    for callout in (part for part in shown.parts if isinstance(part, Callout)):
        assert sum(char.text == str(callout.number) for char in discs) == 2, callout
        assert squeezed(callout.says) in squeezed(text_in(pdf, 1, 0, 0, POKER.width, POKER.height))
    # The name's number stands after the name, and those of the figures over them.
    title = next(char for char in discs if char.text == "2" and char.y > 75)
    assert title.x > 15
    assert all(char.x >= 3 and char.right <= POKER.width - 3 for char in discs)


def test_figures_are_explained_in_the_words_of_the_system() -> None:
    shown = extras.made(hackjack(), card_set(hackjack(), "deck"), sheets.card_sizes()["jumbo"], "normal")[0]
    said = " ".join(sentences_of(shown))
    for kind in {part.kind for part in shown.parts if isinstance(part, Badge)} - {"permanent"}:
        track = hackjack().head.tracks[kind]
        assert f"{track.name}: {fill_placeholders(track.means, hackjack())}".removesuffix(".") in said


@pytest.mark.parametrize("reading", ["after_the_hit", "at_every_step"])
def test_the_rules_are_told_in_the_order_in_which_they_are_played(reading: str) -> None:
    """The engine says in which order a hit is played; the card follows it under each reading of the ruling."""
    system = checks.under(hackjack(), [("twenty_one", reading)])
    (face,) = extras.rules(system, POKER, "normal")
    assert title_of(face) == "When you are hit"
    (block,) = (block for block in dict(system.panels)["reference"].panels[0].blocks if isinstance(block, OrderBlock))
    steps = {str(moment): fill_placeholders(text, system) for moment, text in block.steps.items()}
    played = [steps[moment] for moment in game_of(system).moments() if moment in steps]
    assert [part.says for part in face.parts if isinstance(part, Callout)] == played
    assert sorted(played) == sorted(steps.values())


def test_the_rules_of_a_system_of_steps_are_what_runs() -> None:
    glog = system_of(find("glog"))
    (face,) = extras.rules(glog, POKER, "normal")
    said = [re.sub(r" ?\[[A-Z]+\d+\]", "", text) for text in event_sentences("hit", glog)]
    assert [part.says for part in face.parts if isinstance(part, Callout)] == said


def test_a_pack_without_panels_tells_the_steps_of_its_event() -> None:
    keen = system_of(ROOT / "docs" / "examples" / "keen")
    (face,) = extras.rules(keen, POKER, "normal")
    steps = [
        re.sub(r" ?\[[A-Z]+\d+\]", "", text) for text in (*event_sentences("critical", keen), *watch_sentences(keen))
    ]
    assert [part.says for part in face.parts if isinstance(part, Callout)] == steps


def test_blocks_that_are_marked_are_the_rules() -> None:
    deadlands = system_of(find("deadlands"))
    (face,) = extras.rules(deadlands, POKER, "normal")
    assert title_of(face) == "When it hurts"
    assert [part.label for part in face.parts if isinstance(part, Effect) and part.label] == [
        "Soaking",
        "Wounds",
        "Incapacitated",
    ]


@pytest.mark.parametrize("size", ["mini", "bridge", "tarot"])
def test_rules_go_on_on_another_card_and_nothing_is_lost(size: str) -> None:
    deadlands = system_of(find("deadlands"))
    faces = extras.rules(deadlands, sheets.card_sizes()[size], "normal")
    whole = extras.rules(deadlands, sheets.card_sizes()["jumbo"], "normal")
    assert len(faces) == (2 if size == "mini" else 1)
    assert [said for face in faces for said in sentences_of(face)] == list(sentences_of(whole[0]))
    assert [face.code for face in faces] == ["rules", "rules-2"][: len(faces)]
    if len(faces) > 1:
        assert [title_of(face) for face in faces] == ["When it hurts, 1 of 2", "When it hurts, 2 of 2"]


def test_two_systems_on_one_deck_have_the_rules_of_both(tmp_path: Path) -> None:
    assert (
        run(
            "print",
            "hackjack+deadlands",
            "deck",
            "--only",
            "QS",
            "--extras",
            "--target",
            "png",
            "--dpi",
            "72",
            "-o",
            tmp_path,
        ).code
        == 0
    )
    names = {path.stem for path in tmp_path.glob("*/*.png")}
    assert names == {"QS", "how-to-read", "rules", "rules-2", "back"}


def test_extras_change_nothing_on_the_other_cards(tmp_path: Path) -> None:
    for more in ((), ("--extras",)):
        assert (
            run(
                "print",
                "hackjack",
                "deck",
                "--target",
                "single",
                "--only",
                "QS",
                *more,
                "-o",
                tmp_path / str(len(more)),
            ).code
            == 0
        )
    plain, more_pages = (
        [page.extract_text() for page in reader((tmp_path / name / "hackjack-deck-single.pdf").read_bytes()).pages]
        for name in ("0", "1")
    )
    assert more_pages[: len(plain)] == plain and len(more_pages) == len(plain) + 4


@pytest.mark.parametrize("target", ["home", "business", "drivethru", "tts"])
def test_extras_are_printed_for_every_kind_of_target(target: str, tmp_path: Path) -> None:
    """Each file is looked over before it is written: type, safe line, inks and boxes."""
    done = run("print", "hackjack", "deck", "--only", "QS", "--extras", "--target", target, "-o", tmp_path)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("system", ["deadlands", "fiftytwo", "glog", "jackrealms"])
def test_extras_of_all_sets_are_printed(system: str, tmp_path: Path) -> None:
    sets = names_of(system_of(find(system)))
    done = run("print", system, *sets, "--extras", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.count(".pdf") == len(sets)


def test_stickers_have_no_extras() -> None:
    done = run("print", "hackjack", "deck", "--extras", "--target", "l7651")
    assert done.err.startswith("--extras means nothing for l7651: it is for home, ")


def test_extras_that_do_not_fit_say_what_to_do() -> None:
    done = run("print", "deadlands", "fate", "--card", "mini", "--extras")
    assert done.code == 1
    assert done.err == (
        "deadlands fate: how-to-read: what explains the others does not fit: choose larger cards, "
        "or leave --extras out\n"
    )


def test_the_text_of_a_deck_has_the_rules(tmp_path: Path) -> None:
    assert run("print", "hackjack", "deck", "--format", "md", "--only", "QS", "--extras", "-o", tmp_path).code == 0
    said = (tmp_path / "hackjack-deck.md").read_text(encoding="utf-8")
    assert "### When you are hit" in said and "1: Your Blood pool" in said
    assert "How to read a card" not in said


def test_a_block_marked_as_rules_is_asked_for_by_the_pack(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    (pack / "reference.yaml").write_text(
        "title: Rules\npanels:\n  - title: Ours\n    blocks:\n"
        "      - {block: text, title: Die, rules: true, text: ['Over {limit}.']}\n"
        "      - {block: text, title: Live, text: [Otherwise.]}\n",
        encoding="utf-8",
    )
    (face,) = extras.rules(system_of(pack), POKER, "normal")
    assert (title_of(face), sentences_of(face)) == ("Ours", ("Die: Over 21.",))

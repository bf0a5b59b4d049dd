"""A post read: what a sentence does, what stays words, and a pack that is sound."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, chars, run

from generator.base.errors import HackjackError
from generator.model.rules import plain_value
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.prose import post
from generator.prose.clauses import Clauses
from generator.prose.post import Answers, Decision
from generator.prose.vocabulary import Vocabulary, of_system
from generator.words.effect_words import effect_sentences

DECK = """\
A pack of pain

The effects of injuries with a Woe value last until you have completed your recovery.

\u2663 Clubs \u2663
Ace. Body blow. Get knocked back.
2. Torn arms, drop carried weapons, arms useless. Woe 1
3. Broken leg. Determine which. Fall prone. - 3 Dexterity until recovered. 3 Woe.
4. You are permanently blinded. If you wear a helmet, you are stunned.
Jack. A long fall. Roll a d20 over your death-score or pass out. Woe 2.
"""


def statements(text: str, words: Vocabulary | None = None) -> list[str]:
    """What a sentence became as text; nothing where it stays words."""
    found = post.read(f"d4 | Name | Words\n--|--|--\n1 | A row | {text}\n2-4 | Another | .\n", "x")
    if words:
        found.words = words
    sentences = found.tables[0].rows[0].sentences[""]
    return [line for sentence in sentences if sentence.is_taken for line in sentence.statements()]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("You fall prone.", ["suffer prone until stand"]),
        ("\u22122 to Strength and Dexterity for 1d6 days.", ["penalty 2 to strength and dexterity for 1d6 days"]),
        ("Lose 1 point of Charisma permanently.", ["penalty 1 to charisma for good"]),
        ("Damaged eyes, you are blinded until you have rested.", ["suffer blinded until rest"]),
        ("Your speed is halved until you find extraordinary aid.", ["halve movement until find_extraordinary_aid"]),
        ("Make a save. On a success, you are dazed for 1 round. On a failure, you die.", ["save:"]),
        ("30% chance of coma.", ["if d10 <= 3: suffer comatose until the GM says"]),
        ("Death.", ["die"]),
        ("Die in 1d3 days unless tended to.", ["suffer doomed_unless_tended_to for 1d3 days"]),
        (
            "Move speed and carrying capacity halved.",
            ["halve movement until the GM says", "halve capacity until the GM says"],
        ),
        ("Roll 1d4. 1-3: Leg, 4: Arm.", ["roll d4:", '  1-3: say "Leg."', '  4: say "Arm."']),
        ("Lose your left hand.", ["suffer have_lost_your_left_hand for good"]),
        ("Cannot climb. Heals in 2 weeks.", ["suffer cannot_climb for 2 weeks"]),
    ],
)
def test_a_sentence_becomes_a_statement(text: str, wanted: list[str]) -> None:
    assert statements(text)[: len(wanted)] == wanted


@pytest.mark.parametrize(
    "before",
    [
        "If you wear a helmet, ", "Unless healed, ", "On a failed save, ", "The attacker: ", "With help, ",
        "Only at night, ", "While flying, ", "At night, ", "Each round, ",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "sentence",
    [
        "you fall prone.", "you are blinded until you have rested.", "lose one eye.", "you cannot speak.",
        "you have disadvantage on attack rolls.", "-2 to gripping things.", "die in 1 hour unless healed.",
        "you can no longer run.", "your left arm is useless.", "roll d4: red / blue / green / black.",
    ],
)  # fmt: skip
def test_what_is_bound_stays_words(before: str, sentence: str) -> None:
    assert statements(before + sentence) == []
    for behind in (
        "unless you wear a helmet",
        "only at night",
        "while you fly",
        "at night",
        "provided you fail",
        "maybe",
    ):
        assert statements(f"{sentence.capitalize()[:-1]} {behind}.") == [], behind


@pytest.mark.parametrize(
    "text",
    [
        "Speak, and you lose your tongue.", "Remove the arrow and you take 1d6 damage.", "Sometimes, you fall prone.",
        "Move the arm and you drop what you hold.", "Were you prone, you lose an arm.", "Left untreated, you die.",
        "You are stunned for at least 1d4 rounds.", "You are stunned for up to 3 rounds.", "You might die in 1 hour.",
        "Unconscious for 1d6 hours, then dead.", "-2 to Strength or Dexterity.", "-2 to a stat of your choice.",
        "\u00d72 damage.", ">2 damage.", "-1d3-1 Strength.", "You die for 3 days.",
        "-2 damage.", "Dead?", "If helmeted: ignore. You lose an eye.",
        "Blinded for 2 3 days.", "+2 to hit you.", "You are not permanently blinded.",
        "Your foe cannot hear until the bell rings.", "-3 Dexterity until recovered on a failed save.",
        "-1 to hit; -2 at night.", "Broken leg, hop, fall prone.",
        "You lose an eye. A save negates this.", "You lose an eye. Only at night.", "Elves only. You lose an eye.",
    ],
)  # fmt: skip
def test_what_may_hold_on_a_condition_does_nothing_by_itself(text: str) -> None:
    assert statements(text) == []


@pytest.mark.parametrize("title", ["Without a helmet", "If you are small", "On a 1", "Only at night", "No armour"])
def test_a_title_that_is_a_condition_lets_its_row_wait(title: str) -> None:
    found = post.read(f"1. {title}: You die.\n2. Bad luck: You die.\n", "x")
    assert [each.is_taken for row in found.tables[0].rows for each in row.sentences[""] if each.effects] == [
        False,
        True,
    ]


def test_what_ends_a_condition_is_a_statement() -> None:
    assert statements("You are no longer blinded.") == ["end blinded"]


@pytest.mark.parametrize("before", ["Roll again: 1 = Dry.", "2-6: Cold.", "On a failure, roll on it."])
def test_what_follows_a_branch_that_is_not_understood_waits_for_a_look(before: str) -> None:
    assert statements(f"{before} You fall prone.") == []


def test_a_changed_number_sign_or_end_changes_the_statement() -> None:
    told = {
        tuple(statements(text))
        for text in ("-2 to Strength for 3 days.", "-3 to Strength for 3 days.", "+2 to Strength for 3 days.",
                     "-2 to Strength for 3 weeks.", "-2 to Strength for 4 days.")
    }  # fmt: skip
    assert len(told) == 5


def test_cards_have_their_values_their_rule_for_time_and_their_suit() -> None:
    found = post.read(DECK, "x")
    assert [row.row.code for row in found.deck] == ["AC", "2C", "3C", "4C", "JC"]
    assert found.words.numbers == {"woe": "woe"}
    second, third = ([line for each in row.all for line in each.statements()] for row in found.deck[1:3])
    assert second == ["drop weapons", "suffer arms_useless until recovery", "woe += 1"]
    assert third[0] == "locate leg" and "penalty 3 to dexterity until recovery" in third
    assert found.deck[3].sentences[""][1].how == "words"


@pytest.mark.parametrize(
    ("rule", "lasts"),
    [
        ("Wounds with a Woe score last until you have recovered.", "until recovery"),
        ("Injuries with a Woe value, and what they cost, last until the character recovers fully.", "until recovery"),
        ("Injuries with a Woe value hurt until you have recovered.", "until the GM says"),
        ("All wounds are permanent.", "for good"),
    ],
)
def test_how_long_all_of_it_lasts_is_said_once(rule: str, lasts: str) -> None:
    paragraphs = DECK.split("\n\n")
    found = post.read("\n\n".join([paragraphs[0], rule, *paragraphs[2:]]), "x")
    statements = [line for each in found.deck[1].all for line in each.statements()]
    assert f"suffer arms_useless {lasts}" in statements


def test_every_letter_of_a_row_is_in_the_report_at_its_place() -> None:
    found = post.read(DECK, "x")
    for _, row in found.rows:
        said = Counter(re.findall(r"\w", "".join(each.text.text for each in row.all) + row.row.name.text))
        assert not Counter(re.findall(r"\w", row.row.note.text)) - said
        for each in row.all:
            begin, end = each.text.span
            assert found.text[begin:end].split()[0] == each.text.text.split()[0]


def test_what_somebody_decides_counts_for_each_sentence_that_says_the_same() -> None:
    text = "d4 | Name | Words\n--|--|--\n1-2 | One | You fall prone. It stinks.\n3-4 | Two | It stinks.\n"
    decided = Answers(
        sentences={"it stinks": Decision("rule", "suffer prone for 1 day"), "you fall prone": Decision("words")}
    )
    found = post.read(text, "x", answers=decided)
    assert [[line for each in row.all for line in each.statements()] for _, row in found.rows] == [
        ["suffer prone for 1 day"], ["suffer prone for 1 day"],
    ]  # fmt: skip


def test_a_numbered_list_that_nobody_rolls_on_is_prose() -> None:
    steps = "How to play\n\n1. Sit down with all the others.\n2. Shuffle the cards.\n\n" + "Then play on and on. " * 20
    with pytest.raises(HackjackError, match="no table in it"):
        post.read(steps, "x")


@pytest.mark.usefixtures("here")
def test_the_pack_of_a_post_is_sound_and_keeps_it() -> None:
    Path("pain.txt").write_text(DECK, encoding="utf-8")
    made = run("new", "pain", "--from-post", "pain.txt", "--json")
    report = json.loads(made.out)["post"]
    assert (report["cards"], report["counts"]["ask"]) == (5, 0)
    assert Path("pain/post.txt").read_text("utf-8") == DECK
    assert run("check", "pain").out == "pain: sound\n"
    assert "whose words are these?" in Path("pain/system.yaml").read_text("utf-8")
    assert "ask its author" in run("pack", "pain", "-q", "--json").out


@pytest.mark.usefixtures("here")
def test_what_the_fonts_lack_and_days_of_several_kinds_leave_a_pack_sound() -> None:
    post_of = (
        "Falls\n\nRoll a d4\n1. \U0001f480 You die.\n2. Old \u4f60.\n3. You fall prone. "
        "-2 to Strength for 1d6 days.\n4. Dry.\n"
    )
    Path("falls.txt").write_text(post_of, encoding="utf-8")
    report = json.loads(run("new", "falls", "--from-post", "falls.txt", "--json").out)["post"]
    assert report["problems"] == ["falls.txt:1:1: the printed fonts have no \u4f60 \U0001f480: \u00b7 takes its place"]
    assert [each["statements"] for each in report["sentences"]] == [
        ["die"], [], ["suffer prone until stand"], ["penalty 2 to strength for 1d6 days"], [],
    ]  # fmt: skip
    assert run("check", "falls").out == "falls: sound\n"
    assert Path("falls/post.txt").read_text("utf-8") == post_of


def plain(value: Any) -> Any:
    """A value as YAML has it, without what no sentence says."""
    unsaid = ("reconstructed", "asks", "says", "log", "ruling")
    if isinstance(value, dict):
        kept = {
            key: plain(each) for key, each in value.items() if key not in unsaid and each not in (None, False, [], ())
        }
        return {key: each for key, each in kept.items() if (key, each) != ("begins", "now")}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return re.sub(r"\b1d(\d)", r"d\1", str(value))


@pytest.mark.slow
def test_the_reader_inverts_the_wording() -> None:
    same = count = 0
    folders = [find(name) for name in shipped()] + sorted((ROOT / "docs" / "examples").iterdir())
    for folder in folders:
        system = load_pack(folder).system
        effects = [
            each for pile in system.piles.values() for card in pile.cards for each in (*card.effects, *card.for_good)
        ]
        cells = [cell for table in system.tables for row in table.rows for cell in (row.effects, *row.cells.values())]
        effects += [each for cell in cells if isinstance(cell, tuple) for each in cell]
        effects += [each for condition in system.head.conditions.values() for each in condition.implies]
        for effect in effects:
            if not (said := " ".join(map(str, effect_sentences(effect, system)))):
                continue
            found = Clauses(of_system(system)).sentence(said)
            read = [plain(each) for each in found.effects] if found else []
            for each in read:
                each["until"] = str(each.get("until", "")).removeprefix("?") or ("gm" if "until" in each else None)
            read = [{key: value for key, value in each.items() if value is not None} for each in read]
            count += 1
            same += read == [plain(plain_value(effect) | {"do": effect.__struct_config__.tag})]
    assert same >= 0.95 * count


@pytest.mark.usefixtures("here")
def test_answers_about_the_whole_post_are_kept_and_read_again() -> None:
    Path("pain.txt").write_text(DECK, encoding="utf-8")
    post_of = ("--from-post", "pain.txt", "--json")
    first = json.loads(run("new", "pain", *post_of, "--answer", "lasts=permanent", "--answer", "no_numbers=woe").out)
    assert (first["post"]["numbers"], first["post"]["lasts"]) == ([], "permanent")
    kept = json.loads(Path("pain/post.json").read_text("utf-8"))
    Path("pain/post.json").write_text(
        json.dumps(kept | {"sentences": {"body blow": {"do": "words"}}}), encoding="utf-8"
    )
    again = json.loads(run("new", "again", "--from-post", "pain/post.txt", "--json").out)["post"]
    assert (again["numbers"], again["lasts"]) == ([], "permanent")
    assert json.loads(Path("again/post.json").read_text("utf-8"))["sentences"] == {"body blow": {"do": "words"}}
    other = json.loads(run("new", "other", *post_of, "--answers", "pain/post.json", "--answer", "lasts=gm").out)
    assert (other["post"]["numbers"], other["post"]["lasts"]) == ([], "gm")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--answer", "lasts=never"), '"never" is not one of recovery, permanent, gm'),
        (("--answer", "lasts"), "write NAME=VALUE"),
        (("--answer", f"author={'x' * 90}"), "write 80 letters and 20 words at most"),
        (("--answers", "pain.txt"), "Name the post.json of a pack"),
        (("--answers", "none.json"), "cannot be read"),
    ],
)  # fmt: skip
def test_answers_that_cannot_be_taken_are_refused(given: tuple[str, ...], told: str) -> None:
    Path("pain.txt").write_text(DECK, encoding="utf-8")
    assert told in run("new", "pain", "--from-post", "pain.txt", *given).err
    assert not Path("pain").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_title_of_a_table_stays_on_its_cards() -> None:
    """It is cut where it is too long, whether a card has a picture or not."""
    title = "The long and winding table of all that may befall you in a cave"
    Path("cave.txt").write_text(
        f"{title}\n\nd4 | Name | Words\n--|--|--\n1 | A | You fall prone.\n2-4 | B | Dry.\n", "utf-8"
    )
    assert run("new", "cave", "--from-post", "cave.txt", "-q").code == 0
    assert run("print", "cave", "--pack", "cave", "--target", "single", "-o", "out").code == 0
    pdf = next(Path("out").glob("*.pdf")).read_bytes()
    for page in (0, 2):
        word = [each for each in chars(pdf, page) if each.text.isupper() or each.text == "\u2026"]
        assert "THELONGANDWINDING" in "".join(each.text for each in word)
        assert max(each.right for each in word) < 63.5

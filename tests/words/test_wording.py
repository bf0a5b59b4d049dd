"""Effects as sentences: the deck word for word, and grammar for whatever a pack may write."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from helpers import effects_of, hackjack
from hypothesis import given
from hypothesis import strategies as st

from generator.base.dice import Dice
from generator.check import content_checks as checks
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.rules import Until
from generator.pack.strict_yaml import Marks
from generator.words import effect_words, effects, wording


def sentences(effect: rules.AnyEffect) -> list[str]:
    return [str(sentence) for sentence in effect_words.effect_sentences(effect, hackjack())]


def test_the_whole_deck_word_for_word(golden: Callable[[str, str], None]) -> None:
    lines = []
    for code in (card.code for card in (hackjack().deck or pytest.fail("no deck")).in_order):
        card = hackjack().cards[code]
        lines.append(f"{code} {card.name}")
        lines += [f"    {sentence}" for sentence in effects.card_sentences(card, hackjack())]
    golden("hackjack-cards.txt", "\n".join(lines) + "\n")


BUILT = """
draw 3 pools lowest with score
> Draw three more cards and take all three wounds: their scores count.
> Of several Blood or several Trauma values keep the lowest; one alone counts.
draw 3
> Draw three more cards and take all three wounds: their scores do not count, but their Blood and Trauma do.
draw 2 with score
> Draw two more cards and take both wounds: their scores count, and so do their Blood and Trauma.
draw 2 pools none
> Draw two more cards and take both wounds: their scores do not count, and no Blood or Trauma.
draw 5 choose one pools none with score
> Draw five more cards and choose the wound you take: its score counts, its Blood and Trauma do not.
draw 1 with score
> Draw one more card and take its wound: its score, Blood and Trauma count.
draw 1 pools none
> Draw one more card and take its wound: nothing else of it counts.
whenever below_zero until recovery score 3
> Whenever you fall below 0 HP, your first card scores 3 more until you recover.
whenever red_card for good blood 4 score 1
> From now on, with each red card you draw, 4 Blood join your pool and it scores 1 more.
whenever red_card for 2 weeks blood 1
> With each red card you draw, 1 Blood joins your pool for two weeks.
whenever near_cause until the GM says score 2
> Each round you face what did this, your death-score grows by 2 until the GM says it is over.
check d20 over score else penalty d4 to strength and wisdom for 1 day
> Roll d20 over your death-score or take −d4 to Strength and Wisdom for one day.
check d20 over score:
  fails:
    suffer dazed until check
    suffer prone until check
> Roll d20 over your death-score or stay dazed and suffer this: you fall prone until a later roll succeeds.
check d20 over score once recovered else suffer dazed until check
> After you recover, roll d20 over your death-score or stay dazed until a later roll succeeds.
lose limb
> You lose a limb for good.
> Roll d4 for which: 1 left arm, 2 right arm, 3 left leg, 4 right leg.
> Roll d4 for how much: 1 hand or foot, 2 below the joint, 3 above the joint, 4 all of it.
lose eye
> You lose an eye for good.
locate finger
> Roll d10 for which finger: 1–5 left hand, 6–10 right hand, thumb first.
suffer blinded until recovery once recovered
> After you recover, you cannot see until you recover.
penalty 2d6+1 to strength for good if alive
> If you live, −(2d6+1) to Strength for good.
penalty d2 to each of strength, wisdom and charisma for d4 months
> −d2 each to Strength, Wisdom and Charisma for d4 months.
penalty 2 to all_rolls at once
> −2 to all rolls.
halve wisdom until recovery
> Your Wisdom is halved until you recover.
halve wisdom until rest unless masked
> Unless you wear a mask, your Wisdom is halved until you have rested.
repeat or draw 2 times 3
> Your last wound strikes again, with its Blood and Trauma.
> With no wound before it, draw two cards and apply them three times, their scores once.
reroll rest for 3 days
> Whenever rest heals you, reroll the highest total for three days.
"""  # noqa: RUF001


@pytest.mark.parametrize("built", re.findall(r"((?:^[^>\n].*\n)+(?:^>.*\n)+)", BUILT, re.M))
def test_effects_that_no_card_has(built: str) -> None:
    expected = [line for line in built.splitlines() if line.startswith(">")]
    (effect,) = effects_of(built.partition("\n>")[0])
    assert [f"> {sentence}" for sentence in sentences(effect)] == expected


def test_a_card_of_a_badge_alone_says_where_it_goes_and_never_adds_it_twice() -> None:
    def of(**badges: Any) -> list[str]:
        card = rules.Card(code="2C", name="x", **badges)
        return [str(sentence) for sentence in effects.card_sentences(card, hackjack())]

    assert of(blood=Dice(1, 4), trauma=2) == ["The drop's d4 Blood go into your pool."]
    assert of(blood=Dice(0, 0, 1)) == ["The drop's 1 Blood goes into your pool."]
    assert of(trauma=2) == ["The bone's Trauma counts unless yours is higher."]


# --- an author's own words --------------------------------------------------------------------------------------------

WHENEVER = "whenever below_zero for good blood 2"
WEAK = "penalty d4 to strength until recovery"
SPELL = "risk to_hit if d6 <= 3 until rest"
ARM = "locate arm"
OWN = [
    (
        WHENEVER,
        "For good, {blood} Blood at each fall, then {2 * blood}.",
        "For good, 2 Blood at each fall, then 4.",
        "",
    ),
    (WHENEVER, "For good, two Blood at each fall.", "For good, two Blood at each fall.", ""),
    (WHENEVER, "For good, 2 Blood at each fall, then 4.", "", "these words say 4, which no effect here has"),
    (WHENEVER, "Blood, for good, at each fall.", "", "these words leave out 2 of their effects"),
    (WHENEVER, "At each fall 2 Blood.", "", 'these words leave out "for good" of their effects'),
    (WHENEVER, "For good: {d6 + blood} Blood", "", "{d6 + blood} cannot be filled in: d6 is not a whole number"),
    (WHENEVER, "For good: {3 +} Blood", "", "{3 +} cannot be filled in"),
    (WEAK, "You are weak: {by} Strength {until}", "You are weak: d4 Strength until you recover.", ""),
    (WEAK, "You are weak: d4 Strength for good", "", 'these words leave out "until you recover"'),
    (WEAK, "You are weak: d4 Strength until you recover, or for good", "", 'these words say "for good", and no effect'),
    (WEAK, "You are weak: d6 Strength until you recover", "", "leave out d4 of their effects"),
    (SPELL, "Half your blows miss until you have rested", "Half your blows miss until you have rested.", ""),
    (SPELL, "On 1 to 3 of d6 a blow misses until you have rested", None, ""),
    (SPELL, "On 1 to 2 of d6 a blow misses until you have rested", "", "leave out 3"),
    (ARM, "An arm (d2: 1 left, 2 right)", "An arm (d2: 1 left, 2 right).", ""),
    (f"{WEAK}\n{WHENEVER}", "{until}", "", '"until" has several values here: write the number itself'),
]


@pytest.mark.parametrize(("written", "says", "printed", "problem"), OWN)
def test_own_words_are_printed_and_name_every_number_die_and_end(
    written: str, says: str, printed: str | None, problem: str
) -> None:
    card = rules.Card(code="2C", name="x", effects=tuple(effects_of(written)), says=says)
    deck = rules.OwnDeck(id="x", title="x", cards=(card,))
    found = [message for trail, message in checks.judge(hackjack())(deck) if trail == ("cards", 0, "says")]
    assert bool(found) == bool(problem), found
    assert not problem or any(problem in message for message in found), found
    if not problem:
        text = " ".join(str(sentence) for sentence in effects.card_sentences(card, hackjack()))
        assert text == (printed or f"{says}.")


def test_number_words() -> None:
    words = {0: "no", 1: "one", 2: "two", 10: "ten", 11: "11", -1: "-1"}
    assert {value: wording.number_word(value) for value in words} == words
    assert [wording.counted_noun(value, "card") for value in (0, 1, 11)] == ["no cards", "one card", "11 cards"]


def test_lists_in_words() -> None:
    assert [wording.joined_words("abc"[:many]) for many in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_texts_of_the_content_are_filled_with_its_numbers() -> None:
    texts = [hackjack().head.about, *(track.means for track in hackjack().head.tracks.values())]
    for ruling in hackjack().head.rulings:
        texts += [ruling.ours, *(ruling.switch.options.values() if ruling.switch else ())]
    done = [wording.fill_placeholders(text, hackjack()) for text in texts]
    assert not [text for text in done if "{" in text]
    assert done[0].endswith("its score counts towards 21.")
    with pytest.raises(KeyError, match="limitt"):
        wording.fill_placeholders("over {limitt}", hackjack())


# --- grammar -------------------------------------------------------------------------------------------------------

SYSTEM = hackjack().head
DICE = st.builds(Dice, st.integers(1, 9), st.integers(2, 20), st.integers(0, 9)) | st.builds(
    Dice, st.just(0), st.just(0), st.integers(1, 12)
)
UNTILS = st.sampled_from([*rules.LASTING]).map(Until) | st.builds(Until, st.sampled_from(rules.UNITS), DICE)
STARTS = st.sampled_from(["now", "recovery", "survival"])
STATISTICS = st.lists(st.sampled_from([*SYSTEM.statistics]), min_size=1, max_size=4, unique=True).map(tuple)
SUFFERS = st.builds(rules.Suffer, condition=st.sampled_from([*SYSTEM.conditions]), until=UNTILS, begins=STARTS)
PENALTIES = st.builds(rules.Penalty, to=STATISTICS, by=DICE, until=UNTILS, each=st.booleans(), begins=STARTS)
DRAWS = st.builds(rules.Draw, cards=st.integers(1, 5), keep=st.just("all"), score=st.booleans())
EFFECTS: st.SearchStrategy[rules.AnyEffect] = st.one_of(
    SUFFERS,
    PENALTIES,
    st.builds(
        rules.Halve,
        statistic=st.sampled_from(["wisdom", "strength"]),
        until=UNTILS,
        unless=st.none() | st.sampled_from([*SYSTEM.conditions]),
    ),
    st.builds(rules.Locate, part=st.sampled_from([name for name, part in SYSTEM.parts.items() if part.die])),
    st.builds(rules.Lose, part=st.sampled_from([*SYSTEM.parts])),
    st.builds(rules.Drop),
    st.builds(
        rules.Check,
        die=st.just(Dice(1, 20)),
        over=st.just(Formula("score")),
        fails=st.lists(SUFFERS | PENALTIES, min_size=1, max_size=3).map(tuple),
        begins=STARTS,
    ),
    st.builds(rules.Draw, cards=st.integers(1, 5), keep=st.just("all")),
    st.builds(rules.Draw, cards=st.integers(2, 5), keep=st.just("choose_one")),
    st.builds(rules.Repeat, draw=st.integers(1, 3), times=st.integers(1, 3)),
    st.builds(
        rules.Whenever, until=UNTILS, blood=st.integers(1, 100), score=st.none() | st.integers(1, 21), penalty=st.none()
    ),
    st.builds(rules.Whenever, until=UNTILS, blood=st.none(), score=st.none(), penalty=PENALTIES),
    st.builds(rules.Peek),
    st.builds(rules.Reroll, until=UNTILS),
    st.builds(rules.Spare),
)


def assert_good_grammar(sentence: str) -> None:
    assert re.fullmatch(rf"[A-Z{wording.MINUS}][^.]*[^.\s][.!]", sentence), sentence
    assert sentence == " ".join(sentence.split()), sentence
    assert not re.search(r"\b(a [aeiouAEIOU]|an [^aeiouAEIOU\s])", sentence), sentence
    assert not re.search(r"(?<![+\w])(one|1) (cards|times|rounds|minutes|hours|days|weeks|months)\b", sentence), (
        sentence
    )
    assert not re.search(r"\b(two|three|four|five|\d*d\d+) (card|time|round|minute|hour|day|week|month)\b", sentence)
    assert not re.search(r"(?<![\d+d])1 Blood join\b|(\d{2,}|[2-9]|d\d+) Blood joins\b", sentence), sentence
    assert not re.search(r" [,:.]|[,:] ?[,:.]|\(\)|\bNone\b|-\d|_", sentence), sentence


def sound(effect: rules.AnyEffect) -> bool:
    """Whether `hackjack check` would let a card with that effect pass."""
    first = rules.Suffer(condition="prone", until=Until("rest"))
    deck = rules.OwnDeck(id="x", title="x", cards=(rules.Card(code="x", name="x", effects=(first, effect)),))
    return not checks.problems(replace(hackjack(), decks=(deck,)), {"decks.yaml": Marks("decks.yaml")})


SOUND = EFFECTS.filter(sound)


@given(SOUND)
def test_grammar_of_any_effect(effect: rules.AnyEffect) -> None:
    """When a thing begins and how long it lasts are rules: the sentence says them, for the prices of a check too."""
    for sentence in sentences(effect):
        assert_good_grammar(sentence)
    worded = " ".join(sentences(effect))
    begins = {"now": "", "recovery": "after you recover", "survival": "if you live"}
    for _, inner in rules.walk_effects((effect,)):
        until: Until | None = getattr(inner, "until", None)
        assert begins[getattr(inner, "begins", "now")] in worded.lower()
        if until is not None and until.word != "permanent":
            assert wording.duration_words(until)[0] in worded


def test_grammar_of_the_deck() -> None:
    for card in hackjack().cards.values():
        worded = [str(sentence) for sentence in effects.card_sentences(card, hackjack())]
        assert worded, card.code
        for sentence in (each for text in worded for each in re.split(r"(?<=\.) ", text)):
            assert_good_grammar(sentence)

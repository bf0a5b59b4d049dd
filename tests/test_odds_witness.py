"""Odds of hits in a row beside a witness that plays every course of a small deck, card by card, through the resolver.

The witness knows nothing of what the odds merge, guess, seal or leave out: it holds whole states and runs the events
that a table would run. Every card that makes one draw more is in these decks, with Blood in the pool, death-scores
near the limit, house rules and jokers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Literal

import msgspec
import pytest
from helpers import ROOT

from generator.base.cards import FULL_DECK
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.hackjack import engine as harm
from generator.games.hackjack import odds
from generator.games.hackjack.simulation import simulate
from generator.model.rules import AnyEffect, Card, Draw, Repeat, System, Until, Whenever
from generator.pack import content
from generator.play.chance import ChoiceNeed, RollNeed

pytestmark = pytest.mark.slow

SPECIAL = ("7C", "JC", "QS", "6H", "10H", "9C", "QC", "AH")
RULES = {
    "massive_damage": "from_13",
    "first_draw": "at_zero",
    "twenty_one": "at_every_step",
    "jack_of_clubs": "blank_is_zero",
    "critical_draw": "on",
    "jokers": "lucky_break",
    "new_descent": "from_above",
    "six_of_hearts": "in_pile",
    "blood_flows": "any_damage",
    "poison": "hp_first",
}
COURSES = 2_500
"""So many a witness follows, unless it is told to follow more."""
FAR: dict[str, set[int]] = {
    "small": {2, 5, 7, 13, 15, 93, 86, 95, 56, 57, 63, 30, 31},
    "larger": {1003, 1006},
    "strange": {33, 38, 7, 9, 41, 42, 45, 16, 50, 20, 24, 56, 27},
}
"""Tables, by seed, that would take a witness farther: they are left out, for the next one is as good."""


class Open(Exception):  # noqa: N818  (no error: the witness asks how to go on)
    """An event has come to a point where luck decides: what may come, each with its chance."""

    def __init__(self, answers: list[tuple[object, Fraction]]) -> None:
        super().__init__()
        self.answers = answers


class Course:
    """Luck that goes one given way and stops where that ends."""

    def __init__(self, way: Sequence[object], policy: odds.Policy, system: System) -> None:
        self._way, self._policy, self._blows = list(way), policy, harm.blows_of(system)

    def _next(self, answers: list[tuple[object, Fraction]]) -> object:
        if not self._way:
            raise Open(answers)
        return self._way.pop(0)

    def card(self, left: Sequence[str]) -> str:
        """Any card that is left."""
        return str(self._next([(code, Fraction(1, len(left))) for code in left]))

    def peek(self, left: Sequence[str]) -> None:
        """Nobody looks."""
        del left

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Every roll of Blood; how long a wound lasts or how much it takes off a statistic is all one here."""
        dice = need.dice
        if not need.reason.startswith("Blood of "):
            return (1,) * dice.count
        rolls = list(product(range(1, dice.faces + 1), repeat=dice.count))
        found = self._next([(roll, Fraction(1, len(rolls))) for roll in rolls])
        assert isinstance(found, tuple)
        return found

    def choose(self, need: ChoiceNeed) -> int:
        """By the same rule as the odds."""
        places = range(len(need.options))
        if self._policy == "even":
            found = self._next([(place, Fraction(1, len(places))) for place in places])
            assert isinstance(found, int)
            return found
        pick = min if self._policy == "best" else max
        return pick(places, key=lambda place: odds.rank_of(self._blows[need.options[place]]))


def outcomes(
    system: System, state: harm.HarmState, event: harm.HarmEvent, policy: odds.Policy, budget: list[int]
) -> Iterator[tuple[harm.HarmState, Fraction]]:
    """Every state after an event, course by course."""
    courses: list[tuple[tuple[object, ...], Fraction]] = [((), Fraction(1))]
    while courses:
        way, chance = courses.pop()
        budget[0] -= 1
        if budget[0] < 0:
            raise OverflowError
        try:
            after, log = harm.step(system, state, event, Course(way, policy, system))
        except Open as point:
            courses += [((*way, answer), chance * share) for answer, share in point.answers]
            continue
        if any(entry.kind == "reshuffle" for entry in log):
            raise LookupError
        yield after, chance


def witness(
    system: System, state: harm.HarmState, event: harm.HarmEvent, hits: int, policy: odds.Policy, courses: int = COURSES
) -> tuple[Fraction, ...]:
    """The chance to be dead after each hit. Raises OverflowError for too much work, LookupError for an empty deck."""
    budget = [courses]
    alive = [(state, Fraction(1))]
    dead, found = Fraction(0), []
    for _ in range(hits):
        after = [
            (end, chance * share)
            for before, chance in alive
            for end, share in outcomes(system, before, event, policy, budget)
        ]
        dead += sum((chance for end, chance in after if end.dead), Fraction(0))
        alive = [(end, chance) for end, chance in after if not end.dead]
        found.append(dead)
    return tuple(found)


def table(seed: int) -> tuple[System, harm.HarmState, harm.HarmEvent, int, odds.Policy]:
    """House rules, somebody before a small deck, and what happens to them."""
    rng = random.Random(seed)
    rules = tuple((name, value) for name, value in RULES.items() if rng.random() < 0.25)
    system = content.load(ROOT / "content" / "hackjack", rules).system
    special = rng.sample(SPECIAL, rng.randint(2, 4))
    plain = rng.sample([code for code in FULL_DECK if code not in SPECIAL], rng.randint(2, 5))
    drawn = [code for code in FULL_DECK if code not in special and code not in plain]
    given: dict[str, object] = {
        "drawn": drawn,
        "score": rng.choice([0, 0, 5, 11, 14, 18, 20]),
        "blood": rng.choice([0, 0, 1, 2, 5, 7]),
        "holding": rng.random() < 0.15,
    }
    if rng.random() < 0.2:
        given |= {"score": 0, "hp": rng.randint(1, 8)}
    if rng.random() < 0.3:
        given["last"] = rng.choice([code for code in drawn if code != "6H"])
    if rng.random() < 0.3:
        given["permanent"] = rng.sample([code for code in ("QC", "9C") if code in drawn], k=1) if "QC" in drawn else []
    event = harm.read_event(rng.choice((["hit", "6"], ["draw"], ["hit", "15"], ["hit", "9", "critical"])))
    policy: odds.Policy = rng.choice(("best", "worst", "even"))
    return system, harm.read_state(given, system), event, rng.choice((1, 2, 2, 3)), policy


@pytest.mark.parametrize("first", range(0, 50, 25))
def test_the_odds_agree_with_every_course_of_small_decks(first: int) -> None:
    agreed = resets = several = 0
    for seed in sorted({*range(first, first + 25)} - FAR["small"]):
        system, state, event, hits, policy = table(seed)
        try:
            told = witness(system, state, event, hits, policy)
        except (LookupError, HackjackError):
            continue
        assert odds.die_by(system, state, event, hits, policy) == told, seed
        agreed += 1
        resets += state.blood > 0 and state.score + state.blood <= 21
        several += hits > 1
    assert agreed >= 15
    assert resets >= 2
    assert several >= 2


@pytest.mark.parametrize("first", range(1000, 1020, 10))
def test_two_hits_agree_with_every_course_of_larger_decks(first: int) -> None:
    """The decks are small, but not so small that they could run out; who stands near the limit often starts anew."""
    agreed = dead = 0
    for seed in sorted({*range(first, first + 10)} - FAR["larger"]):
        rng = random.Random(seed)
        names = ("massive_damage", "first_draw", "jack_of_clubs", "critical_draw")
        system = content.load(
            ROOT / "content" / "hackjack", tuple((name, RULES[name]) for name in names if rng.random() < 0.25)
        ).system
        special = rng.sample(SPECIAL[:5], rng.randint(1, 2))
        plain = rng.sample([code for code in FULL_DECK if code not in SPECIAL], rng.randint(6, 8))
        drawn = [code for code in FULL_DECK if code not in special and code not in plain]
        given: dict[str, object] = {"drawn": drawn, "score": rng.choice([0, 8, 11, 14]), "blood": rng.choice([0, 2, 5])}
        if rng.random() < 0.4:
            given["last"] = rng.choice([code for code in drawn if code != "6H"])
        state, event = harm.read_state(given, system), harm.read_event(rng.choice((["hit", "6"], ["hit", "15"])))
        policy: odds.Policy = rng.choice(("best", "worst", "even"))
        told = witness(system, state, event, 2, policy, courses=12_000)
        assert odds.die_by(system, state, event, 2, policy) == told, seed
        agreed += 1
        dead += 0 < told[1] < 1
    assert agreed >= 8
    assert dead >= 2


def strange_card(card: Card, rng: random.Random) -> Card:
    """A card that acts as no card of the book does, or not so."""
    effects: list[AnyEffect] = []
    for kind in rng.choices(("draw", "repeat", "whenever"), k=rng.choice((1, 1, 2))):
        if kind == "draw":
            keep: Literal["all", "choose_one"] = rng.choice(("all", "choose_one"))
            pools: Literal["all", "none", "lowest"] = rng.choice(("all", "none", "lowest"))
            effects.append(Draw(rng.choice((1, 2)), keep, rng.random() < 0.4, pools))
        elif kind == "repeat":
            effects.append(Repeat(1, rng.choice((1, 2))))
        else:
            event: Literal["red_card", "first_card", "below_zero"] = rng.choice(
                ("red_card", "first_card", "below_zero")
            )
            effects.append(Whenever(event, Until.parse("recovery"), blood=rng.choice((1, 2))))
    blood = rng.choice((None, Dice(0, 0, 1), Dice(1, 4)))
    return msgspec.structs.replace(card, effects=tuple(effects), blood=blood)


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_two_hits_agree_with_every_course_of_strange_decks(first: int) -> None:
    agreed = 0
    for seed in sorted({*range(first, first + 20)} - FAR["strange"]):
        rng = random.Random(seed)
        book = content.load(ROOT / "content" / "hackjack").system
        assert book.deck
        codes = rng.sample(FULL_DECK, rng.randint(7, 9))
        strange = rng.sample(codes, rng.randint(1, 2))
        cards = tuple(strange_card(card, rng) if card.code in strange else card for card in book.deck.cards)
        system = replace(book, deck=msgspec.structs.replace(book.deck, cards=cards))
        drawn = [code for code in FULL_DECK if code not in codes]
        state = harm.read_state(
            {"drawn": drawn, "score": rng.choice([0, 5, 8, 11]), "last": rng.choice([drawn[0], None])}, system
        )
        event = harm.read_event(rng.choice((["hit", "6"], ["draw"], ["hit", "15"])))
        policy: odds.Policy = rng.choice(("best", "worst", "even"))
        try:
            told = witness(system, state, event, 2, policy, courses=4_000)
        except LookupError:
            continue
        assert odds.die_by(system, state, event, 2, policy) == told, seed
        agreed += 1
    assert agreed >= 8


def test_a_card_that_bleeds_by_dice_and_then_repeats_the_wound_before_it() -> None:
    book = content.load(ROOT / "content" / "hackjack").system
    assert book.deck
    repeating = {"effects": (Repeat(1, 1),), "blood": Dice(1, 4)}
    cards = tuple(msgspec.structs.replace(card, **repeating) if card.code == "4S" else card for card in book.deck.cards)
    system = replace(book, deck=msgspec.structs.replace(book.deck, cards=cards))
    left = ("4S", "8C", "KC", "2S", "3D", "AC", "KS")
    given = {"drawn": [code for code in FULL_DECK if code not in left], "score": 6}
    state, event = harm.read_state(given, system), harm.HarmEvent("hit", 5)
    told = witness(system, state, event, 3, "best", courses=10_000)
    assert odds.die_by(system, state, event, 3, "best") == told


@pytest.mark.parametrize(
    ("blood", "left"),
    [
        (22, "JC 7C 2S 3D AD KD 10H"),
        (1_000, "QS 7C 2S 3D KD AC 10H"),
    ],
)
def test_blood_far_beyond_the_limit_is_death_and_no_more(blood: int, left: str) -> None:
    """Draw counts are packed into one number, and so was Blood once: nothing may run over into the next field."""
    book = content.load(ROOT / "content" / "hackjack").system
    assert book.deck
    changes: dict[str, dict[str, object]] = {
        "2S": {"blood": Dice(0, 0, blood)},
        "3D": {"blood": Dice(1, 4, blood)},
        "10H": {"effects": (Whenever("red_card", Until.parse("recovery"), blood=blood),)},
    }
    cards = tuple(msgspec.structs.replace(card, **changes.get(card.code, {})) for card in book.deck.cards)
    system = replace(book, deck=msgspec.structs.replace(book.deck, cards=cards))
    given = {"drawn": [code for code in FULL_DECK if code not in left.split()], "score": 1}
    state, event = harm.read_state(given, system), harm.HarmEvent("hit", 5)
    told = witness(system, state, event, 3, "best", courses=60_000)
    assert odds.die_by(system, state, event, 3, "best") == told


FRESH = (Fraction(657, 1082900), Fraction(9083878351916281, 96875500313592000), Fraction(0.4685551959656667))
"""Dead after 1, 2 and 3 hits on a fresh deck, every rule on: three ways of counting have found these."""


def test_hits_on_a_fresh_deck() -> None:
    """Several are too many to count, so plays stand beside the golden numbers."""
    system = content.load(ROOT / "content" / "hackjack", (("six_of_hearts", "ever"),)).system
    event = harm.HarmEvent("hit", 5)
    assert odds.outcome(system, harm.HarmState(), event).die == FRESH[0]
    assert odds.die_by(system, harm.HarmState(), event, 1) == FRESH[:1]
    for told, (share, error) in zip(FRESH, simulate(system, harm.HarmState(), event, 3, 60_000, seed=2), strict=True):
        assert abs(share - float(told)) <= 4 * error


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        ("6H", (0.0, 0.08754219983353148)),
        ("JC", (0.00059890622915833, 0.09051801199257038)),
        ("7C JC", (0.0006187581415544941, 0.0921393281162124, 0.4559671771509223)),
    ],
)
def test_several_hits_on_a_deck_without_some_cards(drawn: str, told: tuple[float, ...]) -> None:
    """Golden numbers of a way of counting that stood here before: wounds of all kinds, the Ten of hearts among them."""
    system = content.load(
        ROOT / "content" / "hackjack", (("new_descent", "from_above"), ("six_of_hearts", "ever"))
    ).system
    state, event = harm.read_state({"drawn": drawn.split()}, system), harm.HarmEvent("hit", 9)
    assert tuple(map(float, odds.die_by(system, state, event, len(told)))) == told


def test_four_hits_agree_with_plays() -> None:
    system = content.load(ROOT / "content" / "hackjack").system
    state, event = harm.read_state({"drawn": ["JC", "10H", "7C", "QS", "6H"]}, system), harm.HarmEvent("hit", 5)
    exact = odds.die_by(system, state, event, 4)
    assert list(exact) == sorted(exact)
    for told, (share, error) in zip(exact, simulate(system, state, event, 4, 40_000, seed=5), strict=True):
        assert abs(share - float(told)) <= 4 * error


@pytest.mark.parametrize(
    ("left", "hits", "says"),
    [
        ("7C AC 2C", 2, "3 cards are left"),
        ("7C AC", 1, "2 cards are left"),
        ("AC", 2, "1 card is left"),
        ("", 1, "0 cards are left"),
    ],
)
def test_a_deck_that_would_run_out_is_refused(left: str, hits: int, says: str) -> None:
    system = content.load(ROOT / "content" / "hackjack").system
    state = harm.read_state({"drawn": [code for code in FULL_DECK if code not in left.split()]}, system)
    with pytest.raises(HackjackError, match=f"the deck would run out: {says}"):
        odds.die_by(system, state, harm.HarmEvent("hit", 5), hits)
    if hits == 1:
        with pytest.raises(HackjackError, match=f"the deck would run out: {says}"):
            odds.outcome(system, state, harm.HarmEvent("hit", 5))


def test_cards_that_cannot_come_together_do_not_run_the_deck_out() -> None:
    """A card that one draw has taken does not come in the next: what it would lead to there is left out."""
    rules = (("first_draw", "at_zero"), ("twenty_one", "at_every_step"), ("six_of_hearts", "ever"))
    system = content.load(ROOT / "content" / "hackjack", rules).system
    left = ("7C", "6H", "AS", "2S", "KS")
    given = {"drawn": [code for code in FULL_DECK if code not in left], "score": 5, "blood": 7, "last": "3H"}
    state, event = harm.read_state(given, system), harm.HarmEvent("draw")
    told = witness(system, state, event, 2, "best")
    assert odds.die_by(system, state, event, 2, "best") == told == (0, Fraction(1, 10))


def test_too_many_hits_are_refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a lower limit, so that it is met sooner."""
    monkeypatch.setattr(odds, "MAX_TRANSITIONS", 50_000)
    system = content.load(ROOT / "content" / "hackjack").system
    state = harm.read_state({"drawn": ["JC", "7C"]}, system)
    says = r"more than 50,000 transitions .* from this state 2 hits in a row can be counted exactly, not 6"
    with pytest.raises(odds.TooManyError, match=says):
        odds.die_by(system, state, harm.HarmEvent("hit", 5), 6)
    assert len(odds.die_by(system, state, harm.HarmEvent("hit", 5), 2)) == 2


@pytest.mark.parametrize("policy", ["best", "worst", "even"])
def test_blood_in_the_pool_and_a_reset(policy: odds.Policy) -> None:
    """Exactly 21 sets the death-score to 0, and the Blood of the same hit flows in the next one (H7, H8)."""
    system = content.load(ROOT / "content" / "hackjack").system
    left = ("JC", "KS", "2S", "3D", "AC", "8C", "4D")
    given = {"drawn": [code for code in FULL_DECK if code not in left], "score": 9, "blood": 2}
    state, event = harm.read_state(given, system), harm.HarmEvent("hit", 5)
    assert odds.die_by(system, state, event, 2, policy) == witness(system, state, event, 2, policy)
    # The Jack of clubs brings 9 + 2 to exactly 21.
    assert odds.outcome(system, state, event, policy).reset > 0


def test_a_wound_that_is_repeated_is_asked_for_in_large_decks_too() -> None:
    """Decks of 40 cards and more are counted hit by hit with and without a repeat: both must add up to the whole."""
    system = content.load(ROOT / "content" / "hackjack").system
    gone = ["7C", "JC", "QS", "10H", "KC", "KD"]
    state = harm.read_state({"drawn": gone, "last": "KC", "score": 12}, system)
    event = harm.HarmEvent("hit", 5)
    die = odds.die_by(system, state, event, 2, "best")
    assert die[0] == odds.outcome(system, state, event).die
    # The second hit by hand: after each first card, the exact chances of one hit from there.
    alive = Fraction(0)
    for after, chance in outcomes(system, state, event, "best", [COURSES]):
        if not after.dead:
            alive += chance * (1 - odds.outcome(system, after, event).die)
    assert die[1] == 1 - alive

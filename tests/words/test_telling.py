"""Log entries as lines: everything that the engine writes is said, and said well."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from helpers import befall, hackjack

from generator import games
from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.pack.settings import with_settings
from generator.play.chance import Given, Seeded
from generator.words.wording import MINUS

# A state, an event, cards, dice, house rules, and lines that must be among those told.
TALES: tuple[tuple[dict[str, Any], str, str, tuple[int, ...], dict[str, str], tuple[str, ...]], ...] = (
    ({"hp": 9}, "hit 4", "", (), {}, ("A hit for 4; 5 HP are left.",)),
    ({"hp": 4}, "hit 4", "", (), {}, ("A hit for 4.", "Exactly 0 HP: no card yet.")),
    ({"hp": 4}, "hit 4", "AC", (), {"first_draw": "at_zero"}, ("0 HP: a card is drawn.",)),
    ({"hp": 4}, "hit 9", "AC", (), {}, (f"HP would be {MINUS}5: a card is drawn.", "You are knocked back.")),
    ({"hp": 1}, "hit 23", "", (), {}, (f"{MINUS}22 HP: death at once, without a card.",)),
    (
        {"score": 3, "blood": 1},
        "hit 14",
        "3S",
        (1,),
        {},
        (
            "Damage of 14 is massive: it stands for the card's score.",
            "1 Blood flows: the death-score is 4.",
            "Drawn: 3S, Snapped arm.",
            "The death-score rises by 14, 11 of them as tokens: it is 18 now.",
            "Trauma is 3 now.",
            "It is the left arm.",
            "You drop the item you hold.",
        ),
    ),
    (
        {"blood": 2, "holding": True},
        "hit 2",
        "6C",
        (),
        {},
        ("You hold 2 Blood in.", "1 Blood into the pool: it holds 3."),
    ),
    ({"wounds": ["10H"]}, "hit 2", "AD", (), {}, ("A red card: 1 more Blood in the pool.",)),
    ({}, "hit 2", "RJ", (), {"jokers": "lucky_break"}, ("A lucky break: no wound and no death-score.",)),
    ({"hp": 1, "permanent": ["9C"]}, "hit 2", "AC", (), {}, ("An old wound opens: 2 Blood into the pool.",)),
    ({"score": 20}, "hit 2", "KC", (), {}, ("A death-score of 30 is over 21: dead.",)),
    ({"score": 20}, "hit 2", "AC", (), {}, ("Exactly 21: the death-score starts again at 0.",)),
    ({"score": 2}, "poison 3", "", (), {}, ("Poison: the death-score rises by 3 to 5.",)),
    ({"score": 2}, "drain 3", "", (), {}, ("Life itself is struck: the death-score rises by 3 to 5.",)),
    ({"blood": 2}, "bleed 3", "", (), {}, ("3 Blood into the pool: it holds 5.",)),
    (
        {"score": 2, "blood": 3, "trauma": 3},
        "heal 9",
        "",
        (),
        {},
        (
            "3 Blood healed: the pool holds 0.",
            "2 death-score healed: it is 0 now.",
            "4 HP healed: 4 HP.",
            "With Trauma 3 recovery will take 2d6 weeks, once Blood and death-score are 0.",
        ),
    ),
    ({"trauma": 1}, "rest", "", (), {}, ("A night of 8 hours.",)),
    (
        {"trauma": 1, "wounds": [{"card": "4D", "effect": "no_smell", "until": "good_rest"}]},
        "rest comfort",
        "",
        (),
        {},
        (
            "A night of 8 hours, in comfort.",
            "Flattened nose has passed (no smell).",
            "With Trauma 1 recovery will take d6 days, once Blood and death-score are 0.",
        ),
    ),
    (
        {"trauma": 1, "hp": 3, "wounds": [{"card": "JD", "effect": "penalty", "until": "recovery"}]},
        "recover",
        "",
        (1,),
        {},
        ("One eye out has passed.",),
    ),
    ({"trauma": 1, "hp": 3}, "recover", "", (1,), {}, ("Recovered after 1 day: Trauma is gone.",)),
    (
        {"wounds": [{"card": "6S", "effect": "penalty", "until": "recovery"}]},
        "recover",
        "",
        (),
        {},
        ("There is no Trauma to recover from: what lasted until recovery is over.",),
    ),
    ({"trauma": 3, "hp": 3}, "recover", "", (6, 3), {}, ("Recovered after 9 weeks: Trauma is gone.",)),
    ({}, "hold", "", (), {}, ("You hold your wounds: walk or defend, nothing else.",)),
    ({"holding": True}, "release", "", (), {}, ("You let go: the next hit lets the Blood flow.",)),
    (
        {"holding": True},
        "round",
        "",
        (),
        {},
        ("1 round passes.", "You no longer hold your wounds: that was for the round."),
    ),
    ({"trauma": 3}, "week 3", "", (6, 2), {}, ("3 weeks pass.", "Recovery: 5 weeks left.")),
    ({"trauma": 1, "recovery": "3 days"}, "day 2", "", (), {}, ("Recovery: 1 day left.",)),
    (
        {"trauma": 3},
        "heal 1",
        "",
        (3, 4),
        {},
        ("With Trauma 3 recovery will take seven weeks, once Blood and death-score are 0.",),
    ),
    ({"wounds": [{"card": "AS", "effect": "prone", "until": "stand"}]}, "stand", "", (), {}, ("You stand up.",)),
    ({}, "clear", "", (), {}, ("What was in the way is cleaned off.",)),
    ({}, "wake", "", (), {}, ("Someone wakes you.",)),
    ({"permanent": ["8S"]}, "lift 8S", "", (), {}, ("Lifted: The long dark.",)),
    ({"trauma": 4}, "lift trauma", "", (), {}, ("Great magic: Trauma 4 is gone, and no recovery is needed.",)),
    ({}, "draw miss", "", (), {}, ("A critical miss draws no card here.",)),
    ({"hp": 9}, "poison 4", "", (), {"poison": "hp_first"}, ("Poison: 4 HP are lost; 5 are left.",)),
    ({"hp": 9, "max_hp": 9}, "heal 4", "", (), {}, ("HP are full at 9: the rest of the healing is lost.",)),
    ({"max_hp": 9}, "hit 2", "7S", (2,), {}, (f"{MINUS}2 to maximum HP for good.",)),
    ({}, "hit 2", "3D", (4,), {}, ("You lose the ring finger of your left hand for good.",)),
    ({}, "hit 2", "3D", (6,), {}, ("You lose the thumb of your right hand for good.",)),
    ({}, "hit 2", "JS", (3, 2), {}, ("You lose your left leg (below the joint) for good.",)),
    (
        {},
        "hit 2",
        "5S",
        (2,),
        {},
        ("You fall prone until you stand up.", "You move at a slow walk at best (right leg) until you recover."),
    ),
    ({}, "hit 2", "3S", (1,), {}, ("That arm is useless (left arm) until you recover.",)),
    ({}, "act", "", (), {}, ("Nothing keeps you from acting.",)),
    (
        {"trauma": 3},
        "act d8",
        "",
        (4,),
        {"pass_out": "hit_die_over_trauma"},
        ("The die shows 4, over 3: you stay awake.",),
    ),
    (
        {"score": 9},
        "act",
        "",
        (9,),
        {"pass_out": "d20_over_score"},
        ("The die shows 9, not over 9: you pass out until someone wakes you.",),
    ),
    ({}, "hit 2", "4H", (5,), {}, ("d20 shows 5, over 4: you hold out.",)),
    ({}, "hit 2", "4H", (4,), {}, ("d20 shows 4, not over 4: you fail.", "You stagger about in pain for one round.")),
    ({}, "hit 2", "7C AC AD", (), {}, ("Chosen: Winded.",)),
    ({"pile": [{"card": "AC", "score": 1}]}, "hit 2", "6H", (), {}, ("Once more: Winded.",)),
    ({}, "hit 2", "AH", (), {}, ("Look at the next card of the deck and leave it there.",)),
    (
        {"drawn": list(FULL_DECK)},
        "hit 2",
        "AC",
        (),
        {},
        ("The deck was empty: cards that nobody living holds are shuffled back in.",),
    ),
    ({}, "hit 2", "3H", (12,), {}, ("You cannot eat or drink for 12 hours.", f"{MINUS}3 to Constitution.")),
    ({}, "hit 2", "4S", (4, 1), {}, (f"{MINUS}4 to Wisdom and {MINUS}1 to Intelligence until you recover.",)),
    ({}, "hit 2", "10S", (), {}, (f"{MINUS}1 to Strength for good, from recovery on.",)),
)


def told(number: int) -> tuple[Log, System]:
    state, event, cards, dice, rules, _ = TALES[number]
    system = with_settings(hackjack(), rules.items())
    chance = Given(cards.split(), dice, (1,) if "7C" in cards else ())
    _, log = befall(system, state, event, chance)
    chance.finish()
    return log, system


@pytest.mark.parametrize("number", range(len(TALES)), ids=lambda number: f"{TALES[number][1]} {TALES[number][2]}")
def test_what_happened_is_said(number: int) -> None:
    log, system = told(number)
    lines = [*map(str.strip, games.log_lines(log, system))]
    assert [line for line in TALES[number][-1] if line not in lines] == [], lines


@cache
def entries() -> tuple[tuple[Entry[Any], System], ...]:
    """What the tales above and many chance ones write."""
    found = []
    for number in range(len(TALES)):
        log, system = told(number)
        found += [(entry, system) for entry in log]
    for seed in range(30):
        state: dict[str, Any] = {"hp": seed % 4}
        for place, event in enumerate(("hit 6", "hit 3", "heal 4", "hit 9", "rest comfort", "heal 60", "recover")):
            try:
                state, log = befall(hackjack(), state, event, Seeded(seed * 10 + place))
            except HackjackError:
                break
            found += [(entry, hackjack()) for entry in log]
    return tuple(found)


def test_every_line_reads_well() -> None:
    lines = {games.log_lines((entry,), system)[0].strip() for entry, system in entries()}
    assert len(lines) > 200
    for line in lines:
        assert re.match(rf"[A-Z0-9{MINUS}]|d\d", line), line
        assert line.endswith("."), line
        assert not re.search(r"[{}_\[\]\n'\"]|\.\.|  | [.,:;]|None|True|False|-\d", line.replace("'s", "")), line


def test_every_reason_is_a_ruling_of_the_content() -> None:
    known = {ruling.id: ruling for ruling in hackjack().head.rulings}
    for entry, system in entries():
        reason = games.ruling_line(entry, system)
        assert reason.startswith(f"{entry.why}: ") if entry.why else reason == ""
        assert not entry.why or entry.why in known
        shape = games.plain_entry(entry, system)
        assert list(shape)[:2] == ["kind", "text"]
        assert shape.get("why", "") == entry.why
        assert set(entry.facts) <= set(shape)


def test_a_reason_quotes_the_numbers_of_the_procedure() -> None:
    entry = next(entry for entry, _ in entries() if entry.kind == "massive")
    assert games.ruling_line(entry, hackjack()) == ("H2: The score rises by the damage; add tokens for the difference.")
    for ruling in hackjack().head.rulings:
        assert not re.search(r"[{}]", games.ruling_line(Entry(entry.fact, ruling.id), hackjack()))


def shown(state: dict[str, Any]) -> list[str]:
    """A state in one line, and what it holds in full."""
    game = game_of(hackjack())
    plain = game.plain_state(game.read_state(state))
    return [game.state_line(plain), *game.details(plain)]


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ({}, "death-score 0, Blood 0, Trauma 0"),
        ({"hp": 7, "trauma": 2}, "7 HP, death-score 0, Blood 0, Trauma 2"),
        ({"score": 12, "tokens": 12, "blood": 2, "trauma": 3}, "death-score 12 (12 as tokens), Blood 2, Trauma 3"),
        ({"blood": 2, "holding": True}, "death-score 0, Blood 2, Trauma 0, holding"),
        ({"dead": True, "score": 23}, "dead"),
    ],
)
def test_a_state_in_one_line(state: dict[str, Any], line: str) -> None:
    assert shown(state)[0] == line


@pytest.mark.parametrize(
    ("wound", "line"),
    [
        ({"card": "9C"}, "For good: each time you fall below 0 HP, 2 Blood go into your pool. If you"),
        ({"card": "JD"}, f"{MINUS}2 to ranged rolls to hit for good"),
        (
            {"card": "KD", "effect": "halve", "to": ["charisma"], "until": "recovery"},
            "Unless you wear a mask, your Charisma is halved until you recover",
        ),
        ({"card": "2C", "effect": "dazed", "until": "check"}, "You are dazed and lost until d20 shows more than your"),
        ({"card": "9D", "effect": "reroll"}, "You never rest well again: when a roll for healing by rest"),
        (
            {"card": "9C", "effect": "whenever"},
            "For good: each time you fall below 0 HP, 2 Blood go into your pool. If you",
        ),
        (
            {"card": "QD", "effect": "whenever", "until": "gm"},
            "Each round near the thing that did this costs you 1 Wisdom",
        ),
        ({"card": "3S", "effect": "arm_useless", "until": "recovery"}, "That arm is useless until you recover"),
        ({"card": "6D", "effect": "penalty", "to": ["charisma"], "by": [1]}, f"{MINUS}1 to Charisma for good"),
        ({"card": "QD", "effect": "penalty", "to": ["wisdom"], "until": "gm"}, "A penalty to Wisdom until the GM says"),
        ({"card": "QH", "effect": "halve", "to": ["constitution"], "until": "recovery"}, "Your Constitution is halved"),
    ],
)
def test_a_wound_in_one_line(wound: dict[str, Any], line: str) -> None:
    key = "permanent" if wound.get("until", "permanent") == "permanent" else "wounds"
    assert any(line in told for told in shown({key: [wound]})[1:])

"""The rulings H1 to H34: a state, what happens, and the state that follows. And what must hold whatever happens."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from helpers import ROOT, copy_pack, hackjack
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK, JOKERS
from generator.base.errors import HackjackError, UsageError
from generator.games.hackjack import engine as harm
from generator.model.log import Log
from generator.model.rules import System
from generator.pack import content
from generator.play.chance import Chance, ChoiceNeed, Given, NeedsError, RollNeed, Seeded

Plain = dict[str, Any]


def under(**switches: str) -> System:
    return content.with_settings(hackjack(), switches.items())


def plain(state: harm.State) -> Plain:
    """A state as it looks in JSON."""
    value: Plain = json.loads(json.dumps(harm.plain_state(state)))
    return value


def happen(
    state: Plain,
    event: str,
    cards: str = "",
    dice: Sequence[int] = (),
    choices: Sequence[int] = (),
    *,
    system: System | None = None,
    held: Sequence[str] | None = None,
) -> tuple[Plain, Log]:
    """One event with the luck that it needs, no more and no less."""
    system = system or hackjack()
    chance = Given(cards.split(), dice, choices)
    after, log = harm.step(system, harm.read_state(state, system), harm.read_event(event.split()), chance, held)
    chance.finish()
    return plain(after), log


def kinds(log: Log) -> list[str]:
    return [entry.kind for entry in log]


class Case(NamedTuple):
    """What is, what happens with which luck, and the keys of interest of what follows.

    In what follows `pile` may be written `AC:1 2S:2`, and `wounds` and `permanent` as `4C arms_useless`.
    """

    state: Plain
    event: str
    cards: str
    then: Plain
    dice: tuple[int, ...] = ()
    choose: tuple[int, ...] = ()
    rules: dict[str, str] = {}  # noqa: RUF012


def pile(text: str) -> list[Plain]:
    pairs = [part.split(":") for part in text.split()]
    return [{"card": code, "score": int(score)} for code, score in pairs]


def seen(state: Plain, key: str) -> Any:
    if key == "pile":
        return " ".join(f"{held['card']}:{held['score']}" for held in state["pile"])
    if key in ("wounds", "permanent"):
        return [f"{wound['card']} {wound.get('effect', '')}".strip() for wound in state[key]]
    return " ".join(state[key]) if key == "drawn" else state.get(key)


CASES = {
    # H1: what is massive, at 0 HP and from above
    "H1 13 damage at 0 HP, over 13": Case({}, "hit 13", "AS", {"score": 1, "tokens": 0}),
    "H1 14 damage at 0 HP, over 13": Case({}, "hit 14", "AS", {"score": 14, "tokens": 13}),
    "H1 12 damage at 0 HP, from 13": Case({}, "hit 12", "AS", {"score": 1}, rules={"massive_damage": "from_13"}),
    "H1 13 damage at 0 HP, from 13": Case(
        {}, "hit 13", "AS", {"score": 13, "tokens": 12, "pile": "AS:1"}, rules={"massive_damage": "from_13"}
    ),
    "H1 to exactly -13, over 13": Case({"hp": 5}, "hit 18", "AS", {"score": 1, "hp": 0}),
    "H1 to exactly -13, from 13": Case({"hp": 5}, "hit 18", "AS", {"score": 13}, rules={"massive_damage": "from_13"}),
    "H1 to exactly -14, over 13": Case({"hp": 5}, "hit 19", "AS", {"score": 14}),
    "H1 to exactly -12, from 13": Case({"hp": 5}, "hit 17", "AS", {"score": 1}, rules={"massive_damage": "from_13"}),
    "H1 much damage that HP absorb": Case({"hp": 10}, "hit 17", "AS", {"score": 1}),
    # H2: tokens make up the rest, the wound applies
    "H2 the boulder": Case({"score": 3}, "hit 17", "AS", {"score": 20, "tokens": 19, "pile": "AS:1"}),
    "H2 a court card": Case(
        {}, "hit 14", "KS", {"score": 14, "tokens": 4, "pile": "KS:10", "blood": 6, "trauma": 5, "dead": False}
    ),
    "H2 too much": Case({"score": 3}, "hit 19", "AS", {"score": 22, "dead": True, "wounds": []}),
    # H3 to H5: from above 0 HP
    "H3 the bomb": Case({"hp": 7}, "hit 22", "8C", {"hp": 0, "score": 15, "tokens": 7, "blood": 2, "pile": "8C:8"}),
    "H3 to -20": Case({"hp": 1}, "hit 21", "4C", {"score": 20, "trauma": 1, "wounds": ["4C arms_useless"]}),
    "H3 to -21 is exactly 21": Case({"hp": 1}, "hit 22", "4C", {"score": 0, "pile": "", "tokens": 0, "dead": False}),
    "H4 to -22": Case({"hp": 1}, "hit 23", "", {"dead": True, "drawn": "", "score": 0}),
    "H4 far below": Case({"hp": 7}, "hit 10000", "", {"dead": True, "drawn": ""}),
    "H5 to -6": Case({"hp": 3}, "hit 9", "KC", {"score": 10, "tokens": 0, "hp": 0}),
    "H5 to -1": Case({"hp": 3}, "hit 4", "AC", {"score": 1, "hp": 0}),
    # H6: exactly 0 HP
    "H6 HP to spare": Case({"hp": 5}, "hit 3", "", {"hp": 2, "score": 0, "low": None}),
    "H6 exactly 0 draws nothing": Case({"hp": 5}, "hit 5", "", {"hp": 0, "score": 0, "low": True, "drawn": ""}),
    "H6 exactly 0 draws": Case(
        {"hp": 5}, "hit 5", "AS", {"hp": 0, "score": 1, "low": None}, rules={"first_draw": "at_zero"}
    ),
    "H6 the next damage draws": Case({"low": True}, "hit 1", "AS", {"score": 1, "low": None}),
    "H6 the next damage is massive": Case({"low": True}, "hit 14", "AS", {"score": 14, "low": None}),
    "H6 the next card is the first": Case(
        {"low": True, "permanent": ["QC", "9C"]}, "hit 1", "AS", {"score": 3, "tokens": 2, "blood": 2, "low": None}
    ),
    "H6 a card later it is not": Case(
        {"permanent": ["QC", "9C"], "pile": pile("AC:1")}, "hit 1", "AS", {"score": 2, "blood": 0}
    ),
    "H6 at 0 HP already": Case({"permanent": ["QC", "9C"]}, "hit 1", "AS", {"score": 1, "blood": 0}),
    # H7: Blood first, the card's Blood stays, one reckoning
    "H7 the pool flows": Case({"score": 2, "blood": 4}, "hit 2", "AS", {"score": 7, "blood": 0, "tokens": 6}),
    "H7 the card's Blood stays": Case({"score": 2, "blood": 4}, "hit 2", "8C", {"score": 14, "blood": 2}),
    "H7 holding": Case({"score": 2, "blood": 4, "holding": True}, "hit 2", "8C", {"score": 10, "blood": 6}),
    "H7 Blood and card once": Case({"score": 17, "blood": 4}, "hit 1", "AS", {"score": 22, "dead": True}),
    "H7 Blood to 21, then the card": Case(
        {"score": 17, "blood": 4},
        "hit 1",
        "AS",
        {"score": 1, "pile": "AS:1", "tokens": 0, "dead": False},
        rules={"twenty_one": "at_every_step"},
    ),
    "H7 Blood over 21 and no card": Case(
        {"score": 18, "blood": 5}, "hit 1", "", {"score": 23, "dead": True}, rules={"twenty_one": "at_every_step"}
    ),
    "H7 Blood over 21 and the card": Case({"score": 18, "blood": 5}, "hit 1", "AS", {"score": 24, "dead": True}),
    "H7 past 21 with the second card": Case({"score": 11}, "hit 1", "QS 5C", {"score": 26, "dead": True}),
    "H7 on 21 between two cards": Case(
        {"score": 11},
        "hit 1",
        "QS 5C",
        {"score": 5, "pile": "5C:5", "dead": False, "trauma": 4, "wounds": ["5C legs_useless"]},
        (6,),
        rules={"twenty_one": "at_every_step"},
    ),
    "H7 past 21 with the first card": Case(
        {"score": 12}, "hit 1", "QS", {"score": 22, "dead": True, "trauma": 0}, rules={"twenty_one": "at_every_step"}
    ),
    "H7 on 21 with the last card": Case(
        {"score": 20}, "hit 1", "AS", {"score": 0, "pile": ""}, rules={"twenty_one": "at_every_step"}
    ),
    "H7 on 21 with a bare draw": Case({"score": 20}, "draw", "AS", {"score": 0, "pile": ""}),
    "H7 the pool flows while HP last": Case({"hp": 9, "blood": 3}, "hit 2", "", {"hp": 7, "score": 3, "blood": 0}),
    # H8: what 21 leaves
    "H8 all stays but the score": Case(
        {
            "pile": pile("3C:3 KC:10"),
            "blood": 2,
            "trauma": 4,
            "holding": True,
            "wounds": [{"card": "3C", "effect": "blinded", "until": "rest"}],
        },
        "hit 3",
        "8H",
        {
            "score": 0,
            "tokens": 0,
            "pile": "",
            "blood": 4,
            "trauma": 4,
            "holding": True,
            "wounds": ["3C blinded"],
            "drawn": "3C KC 8H",
            "dead": False,
        },
    ),
    "H8 tokens go too": Case({"score": 20}, "hit 3", "AS", {"score": 0, "tokens": 0, "wounds": ["AS prone"]}),
    # H10
    "H10 hold": Case({"blood": 3}, "hold", "", {"holding": True, "blood": 3}),
    "H10 another round": Case({"blood": 3, "holding": True}, "round", "", {"holding": False, "blood": 3}),
    "H10 a night": Case({"blood": 3, "holding": True}, "rest", "", {"holding": False}),
    "H10 until released": Case(
        {"blood": 3, "holding": True}, "round 5", "", {"holding": True}, rules={"holding": "released"}
    ),
    "H10 release": Case({"blood": 3, "holding": True}, "release", "", {"holding": False, "blood": 3}),
    # H11
    "H11 lower": Case({"score": 1, "trauma": 4}, "hit 2", "9H", {"trauma": 4}),
    "H11 equal": Case({"score": 1, "trauma": 2}, "hit 2", "9H", {"trauma": 2}),
    "H11 higher": Case({"score": 1, "trauma": 1}, "hit 2", "9H", {"trauma": 2}),
    # H12: the pool, tokens, cards from the newest, HP
    "H12 the cleric": Case({"score": 13, "blood": 3}, "heal 6", "", {"score": 10, "blood": 0, "hp": 0}),
    "H12 the pool alone": Case({"score": 13, "blood": 3}, "heal 2", "", {"score": 13, "blood": 1}),
    "H12 tokens first": Case(
        {"pile": pile("4C:4 KC:10"), "tokens": 2}, "heal 2", "", {"score": 14, "tokens": 0, "pile": "4C:4 KC:10"}
    ),
    "H12 the newest card is split": Case(
        {"pile": pile("4C:4 KC:10"), "tokens": 2}, "heal 5", "", {"score": 11, "tokens": 7, "pile": "4C:4"}
    ),
    "H12 a whole card": Case(
        {"pile": pile("4C:4 KC:10"), "tokens": 2}, "heal 12", "", {"score": 4, "tokens": 0, "pile": "4C:4"}
    ),
    "H12 two cards, the second split": Case(
        {"pile": pile("4C:4 KC:10"), "tokens": 2}, "heal 14", "", {"score": 2, "tokens": 2, "pile": ""}
    ),
    "H12 to exactly nothing": Case({"pile": pile("4C:4 KC:10")}, "heal 14", "", {"score": 0, "hp": 0, "tokens": 0}),
    "H12 left over": Case(
        {"pile": pile("4C:4 KC:10"), "blood": 1}, "heal 20", "", {"score": 0, "blood": 0, "hp": 5, "pile": ""}
    ),
    "H12 cards stay out of the deck": Case({"pile": pile("4C:4")}, "heal 20", "", {"drawn": "4C", "last": "4C"}),
    "H12 of the healthy": Case({"hp": 5}, "heal 3", "", {"hp": 8}),
    "H12 up from exactly 0": Case({"low": True}, "heal 3", "", {"hp": 3, "low": None}),
    "H12 Blood at exactly 0": Case({"low": True, "blood": 3}, "heal 2", "", {"hp": 0, "low": True, "blood": 1}),
    "H12 wounds stay": Case(
        {"score": 3, "trauma": 1, "wounds": [{"card": "4C", "effect": "arms_useless", "until": "recovery"}]},
        "heal 9",
        "",
        {"wounds": ["4C arms_useless"], "trauma": 1, "hp": 6},
    ),
    # H15: the Seven of clubs
    "H15 the first of two": Case(
        {},
        "hit 5",
        "7C KS AD",
        {"score": 7, "pile": "7C:7", "blood": 6, "trauma": 5, "drawn": "7C KS AD", "permanent": []},
        choose=(1,),
    ),
    "H15 the second of two": Case(
        {},
        "hit 5",
        "7C KS AD",
        {"score": 7, "blood": 0, "trauma": 0, "wounds": [], "permanent": ["AD cool_scar"], "drawn": "7C KS AD"},
        choose=(2,),
    ),
    "H15 only the chosen Blood is rolled": Case({}, "hit 5", "7C 9S 10C", {"blood": 3, "trauma": 0}, (3,), (2,)),
    # H16: the Jack of clubs
    "H16 both": Case(
        {},
        "hit 5",
        "JC KC 5D",
        {"score": 10, "pile": "JC:10", "blood": 1, "trauma": 1, "wounds": ["KC penalty", "5D mute"]},
    ),
    "H16 one of two, present": Case({}, "hit 5", "JC KC AC", {"score": 10, "blood": 2, "trauma": 3}),
    "H16 one of two, blank": Case(
        {},
        "hit 5",
        "JC KC AC",
        {"score": 10, "blood": 0, "trauma": 0, "wounds": ["KC penalty"]},
        rules={"jack_of_clubs": "blank_is_zero"},
    ),
    "H16 one of each, present": Case({}, "hit 5", "JC 8C 9H", {"blood": 2, "trauma": 2}),
    "H16 one of each, blank": Case(
        {}, "hit 5", "JC 8C 9H", {"blood": 0, "trauma": 0}, rules={"jack_of_clubs": "blank_is_zero"}
    ),
    "H16 both, blank": Case(
        {}, "hit 5", "JC KH 8H", {"blood": 2, "trauma": 3}, rules={"jack_of_clubs": "blank_is_zero"}
    ),
    "H16 Blood by dice, higher": Case({}, "hit 5", "JC 10C 8C", {"blood": 2}, (4,)),
    "H16 Blood by dice, lower": Case({}, "hit 5", "JC 10C 8C", {"blood": 1}, (1,)),
    "H16 Blood by dice, twice": Case({}, "hit 5", "JC 9S JH", {"blood": 5, "trauma": 1}, (4, 4, 5)),
    "H16 none of it": Case({}, "hit 5", "JC AC AS", {"score": 10, "blood": 0, "trauma": 0}),
    "H16 a lower Trauma than before": Case({"trauma": 4}, "hit 5", "JC 9H 8H", {"trauma": 4, "blood": 2}),
    # H17: the Queen of clubs
    "H17 not herself": Case({"hp": 1}, "hit 3", "QC", {"score": 10, "permanent": ["QC whenever"]}),
    "H17 the next descent": Case({"hp": 1, "permanent": ["QC"]}, "hit 3", "AS", {"score": 3, "pile": "AS:1"}),
    "H17 twice": Case({"hp": 1, "permanent": ["QC", "QC"]}, "hit 3", "AS", {"score": 5, "tokens": 4}),
    "H17 drawn again": Case(
        {"hp": 1, "permanent": ["QC"], "drawn": []}, "hit 3", "QC", {"score": 12, "permanent": ["QC", "QC whenever"]}
    ),
    "H17 not before 0": Case({"hp": 5, "permanent": ["QC"]}, "hit 3", "", {"hp": 2, "score": 0}),
    "H17 at 0 where that draws": Case(
        {"hp": 3, "permanent": ["QC"]}, "hit 3", "AS", {"score": 3}, rules={"first_draw": "at_zero"}
    ),
    "H17 doubled by the Six of hearts": Case(
        {"hp": 1}, "hit 3", "6H QC", {"score": 16, "permanent": ["QC whenever", "QC whenever"]}
    ),
    # H18: the Nine of clubs
    "H18 not itself": Case({"hp": 1}, "hit 3", "9C", {"score": 9, "blood": 0, "permanent": ["9C whenever"]}),
    "H18 the next entry": Case({"hp": 1, "permanent": ["9C"]}, "hit 3", "AS", {"score": 1, "blood": 2}),
    "H18 twice": Case({"hp": 1, "permanent": ["9C", "9C"]}, "hit 3", "AS", {"score": 1, "blood": 4}),
    "H18 beside a pool that flows": Case(
        {"hp": 1, "blood": 3, "permanent": ["9C"]}, "hit 3", "8C", {"score": 11, "blood": 4}
    ),
    "H18 not on a later hit": Case({"permanent": ["9C"], "score": 1}, "hit 3", "AS", {"score": 2, "blood": 0}),
    "H18 at 0 where that draws": Case(
        {"hp": 3, "permanent": ["9C"]}, "hit 3", "AS", {"score": 1, "blood": 2}, rules={"first_draw": "at_zero"}
    ),
    "H18 and exactly 21": Case({"hp": 1, "permanent": ["9C"]}, "hit 22", "AS", {"score": 0, "blood": 2}),
    # H19: the Queen of spades
    "H19 score and wound": Case(
        {}, "hit 5", "QS 5C", {"score": 15, "trauma": 4, "blood": 0, "wounds": ["5C legs_useless"]}, (16,)
    ),
    "H19 the pool and Trauma of the second are nothing": Case(
        {},
        "hit 5",
        "QS KS",
        {"score": 20, "trauma": 4, "blood": 0, "wounds": ["QS unconscious", "KS broken", "KS helpless"]},
        (20,),
    ),
    "H19 Blood that does not count is not rolled": Case({}, "hit 5", "QS 10C", {"score": 20, "blood": 0}, (20,)),
    "H19 the dead roll nothing": Case({"score": 2}, "hit 5", "QS KS", {"score": 22, "dead": True, "wounds": []}),
    "H19 at 21 the new score is 0": Case({"score": 1}, "hit 5", "QS KS", {"score": 0, "trauma": 4}, (1,)),
    "H19 then the Jack of clubs": Case(
        {},
        "hit 5",
        "QS JC KC 8H",
        {"score": 20, "blood": 0, "trauma": 4, "wounds": ["QS unconscious", "KC penalty"], "drawn": "QS JC KC 8H"},
        (2,),
    ),
    "H19 then the Seven of clubs": Case(
        {},
        "hit 5",
        "QS 7C AC KS",
        {"score": 17, "blood": 0, "trauma": 4, "wounds": ["KS broken", "KS helpless"]},
        (18,),
        (2,),
    ),
    "H19 inside the Jack of clubs": Case(
        {},
        "hit 5",
        "JC QS 7H 3C",
        {"score": 13, "pile": "JC:10 3C:3", "trauma": 1, "wounds": ["3C blinded", "7H penalty"]},
        (14,),
    ),
    "H19 inside the Seven of clubs": Case(
        {},
        "hit 5",
        "7C AC QS 2H",
        {"score": 9, "pile": "7C:7 2H:2", "trauma": 4, "wounds": ["QS unconscious", "2H mute"]},
        (9,),
        (2,),
    ),
    # H20: the Six of hearts
    "H20 the first card": Case(
        {"hp": 3},
        "hit 5",
        "6H KC",
        {"score": 16, "pile": "6H:6 KC:10", "blood": 4, "trauma": 3, "wounds": ["KC penalty", "KC penalty"]},
    ),
    "H20 the first card, with dice": Case({}, "hit 5", "6H 10C", {"score": 16, "blood": 5}, (2, 3)),
    "H20 after a card": Case(
        {"pile": pile("KC:10")}, "hit 5", "6H", {"score": 16, "blood": 2, "trauma": 3, "wounds": ["KC penalty"]}
    ),
    "H20 after Blood by dice": Case({"pile": pile("10C:10")}, "hit 5", "6H", {"score": 16, "blood": 4}, (4,)),
    "H20 after a healed card": Case({"hp": 2, "last": "KC"}, "hit 5", "6H", {"score": 6, "blood": 2, "trauma": 3}),
    "H20 after the Jack of clubs": Case(
        {"pile": pile("JC:10"), "last": "4C"}, "hit 3", "6H", {"score": 16, "trauma": 1, "wounds": ["4C arms_useless"]}
    ),
    "H20 in the Jack of clubs, second": Case(
        {}, "hit 3", "JC 4C 6H", {"score": 10, "trauma": 1, "wounds": ["4C arms_useless", "4C arms_useless"]}
    ),
    "H20 in the Jack of clubs, first": Case(
        {},
        "hit 3",
        "JC 6H 4C AD AS",
        {"score": 10, "trauma": 1, "permanent": ["AD cool_scar"], "wounds": ["AS prone", "4C arms_useless"]},
    ),
    "H20 in the Seven of clubs": Case(
        {}, "hit 3", "7C 6H AC AS AD", {"score": 7, "wounds": [], "permanent": ["AD cool_scar"]}, choose=(1, 2)
    ),
    "H20 under the Queen of spades": Case(
        {},
        "hit 3",
        "QS 6H 3C",
        {"score": 19, "trauma": 4, "blood": 0, "wounds": ["QS unconscious", "3C blinded"]},
        (19, 20),
    ),
    "H20 first, then the Jack of clubs": Case(
        {}, "hit 3", "6H JC AS AC 8C 9H", {"score": 16, "blood": 2, "trauma": 2, "wounds": ["AS prone", "9H penalty"]}
    ),
    "H20 first, then the Seven of clubs": Case(
        {}, "hit 3", "6H 7C AS AC 8C 9H", {"score": 13, "blood": 2, "wounds": ["AS prone"]}, choose=(1, 1)
    ),
    "H20 first, then the Queen of spades": Case(
        {}, "hit 3", "6H QS AD AC", {"score": 18, "trauma": 4, "permanent": ["AD cool_scar"]}, (20, 20)
    ),
    "H20 penalties add up": Case(
        {"pile": pile("KC:10"), "wounds": [{"card": "KC", "effect": "penalty", "to": ["all_rolls"], "by": [3]}]},
        "hit 3",
        "6H",
        {"trauma": 3, "blood": 2, "wounds": ["KC penalty", "KC penalty"]},
    ),
    "H20 long after": Case({"hp": 2, "last": "KC"}, "hit 5", "6H", {"score": 6, "blood": 2}),
    "H20 a pile that is empty": Case(
        {"score": 10, "pile": pile("KC:10")}, "heal 10", "", {"last": None}, rules={"six_of_hearts": "in_pile"}
    ),
    "H20 a pile that still has a card": Case(
        {"score": 14, "pile": pile("4C:4 KC:10")},
        "hit 3",
        "6H",
        {"blood": 2, "trauma": 3},
        rules={"six_of_hearts": "in_pile"},
    ),
    "H20 a pile that started anew": Case(
        {"score": 11, "tokens": 11},
        "hit 3",
        "KC",
        {"score": 0, "last": None},
        rules={"six_of_hearts": "in_pile"},
    ),
    # H21: the Ten of hearts
    "H21 a red card": Case({"wounds": ["10H"]}, "hit 3", "KD", {"score": 10, "blood": 1}),
    "H21 a black card": Case({"wounds": ["10H"]}, "hit 3", "KS", {"blood": 6}),
    "H21 not itself": Case({}, "hit 3", "10H", {"blood": 0, "wounds": ["10H whenever", "10H penalty"]}),
    "H21 any effect": Case({"wounds": ["10H"]}, "hit 3", "JC AD 2H", {"score": 10, "blood": 2}),
    "H21 the card that is not chosen": Case({"wounds": ["10H"]}, "hit 3", "7C AS 2H", {"blood": 1}, choose=(1,)),
    "H21 for another card of the same hit": Case({}, "hit 3", "JC 10H QS AD", {"score": 11, "blood": 1}, (12,)),
    "H21 twice": Case({}, "hit 3", "6H 10H", {"score": 16, "blood": 0, "wounds": 2 * ["10H whenever", "10H penalty"]}),
    "H21 twice over": Case({"wounds": ["10H", "10H"]}, "hit 3", "AD", {"score": 1, "blood": 2}),
    "H21 does not flow at once": Case({"wounds": ["10H"], "blood": 2}, "hit 3", "AD", {"score": 3, "blood": 1}),
    "H21 a bare draw": Case({"wounds": ["10H"]}, "draw", "AD", {"score": 1, "blood": 1}),
    # H24: jokers
    "H24 a lucky break": Case({}, "hit 5", "RJ", {"score": 0, "drawn": "RJ"}, rules={"jokers": "lucky_break"}),
    "H24 a lucky break from massive damage": Case(
        {"score": 3}, "hit 50", "BJ", {"score": 3, "dead": False}, rules={"jokers": "lucky_break"}
    ),
    "H24 a lucky break on the way down": Case(
        {"hp": 5}, "hit 20", "RJ", {"score": 0, "hp": 0}, rules={"jokers": "lucky_break"}
    ),
    "H24 the pool flows all the same": Case(
        {"blood": 3}, "hit 20", "RJ", {"score": 3, "blood": 0}, rules={"jokers": "lucky_break"}
    ),
    "H24 in the Jack of clubs": Case(
        {}, "hit 5", "JC RJ KC", {"score": 10, "blood": 2, "trauma": 3}, rules={"jokers": "lucky_break"}
    ),
    "H24 in the Seven of clubs": Case(
        {}, "hit 5", "7C RJ KC", {"score": 7, "blood": 0, "wounds": []}, choose=(1,), rules={"jokers": "lucky_break"}
    ),
    "H24 under the Queen of spades": Case(
        {}, "hit 5", "QS BJ", {"score": 10, "wounds": []}, (11,), rules={"jokers": "lucky_break"}
    ),
    "H24 after the Six of hearts": Case(
        {}, "hit 5", "6H RJ", {"score": 6, "wounds": []}, rules={"jokers": "lucky_break"}
    ),
    # H25, H26: neither draws
    "H25 poison": Case({"score": 2}, "poison 3", "", {"score": 5, "tokens": 5, "drawn": ""}),
    "H25 poison to 21": Case({"pile": pile("KC:10"), "tokens": 3}, "poison 8", "", {"score": 0, "pile": ""}),
    "H25 poison past 21": Case({"score": 18}, "poison 4", "", {"score": 22, "dead": True}),
    "H25 poison does not bleed": Case({"blood": 3}, "poison 3", "", {"score": 3, "blood": 3}),
    "H25 bleed": Case({"blood": 1}, "bleed 3", "", {"blood": 4, "score": 0, "drawn": ""}),
    "H25 poison passes HP by": Case({"hp": 9}, "poison 3", "", {"hp": 9, "score": 3}),
    "H25 poison takes HP": Case({"hp": 9}, "poison 3", "", {"hp": 6, "score": 0}, rules={"poison": "hp_first"}),
    "H25 poison takes the last HP": Case(
        {"hp": 2}, "poison 5", "", {"hp": 0, "score": 3, "low": True, "drawn": ""}, rules={"poison": "hp_first"}
    ),
    "H25 below 0 HP poison is as ever": Case({"score": 2}, "poison 3", "", {"score": 5}, rules={"poison": "hp_first"}),
    "H33 the pool under poison": Case(
        {"blood": 3}, "poison 3", "", {"score": 6, "blood": 0}, rules={"blood_flows": "any_damage"}
    ),
    "H33 the pool under a direct attack": Case(
        {"blood": 3, "hp": 4}, "drain 3", "", {"score": 6, "blood": 0, "hp": 4}, rules={"blood_flows": "any_damage"}
    ),
    "H33 the pool that is held": Case(
        {"blood": 3, "holding": True}, "poison 3", "", {"score": 3, "blood": 3}, rules={"blood_flows": "any_damage"}
    ),
    "H33 a direct attack moves no pool": Case({"blood": 3}, "drain 3", "", {"score": 3, "blood": 3}),
    "H26 drain passes HP by": Case({"hp": 9}, "drain 3", "", {"hp": 9, "score": 3, "drawn": ""}),
    "H26 drain past 21": Case({"hp": 9}, "drain 22", "", {"dead": True, "score": 22}),
    # H27: critical hits
    "H27 off": Case({}, "hit 5 critical", "AS", {"score": 1}),
    "H27 on": Case({}, "hit 5 critical", "AS 2S", {"score": 3, "blood": 1}, rules={"critical_draw": "on"}),
    "H27 on, above 0 HP": Case({"hp": 9}, "hit 5 critical", "", {"hp": 4}, rules={"critical_draw": "on"}),
    "H27 every critical hit, above 0 HP": Case(
        {"hp": 9}, "hit 5 critical", "2S", {"hp": 4, "score": 2, "blood": 1}, rules={"critical_draw": "every_hit"}
    ),
    "H27 every critical hit, to exactly 0 HP": Case(
        {"hp": 5, "permanent": ["QC"]},
        "hit 5 critical",
        "2S",
        {"hp": 0, "score": 4, "low": None},
        rules={"critical_draw": "every_hit"},
    ),
    "H27 every critical hit, below 0 HP": Case(
        {}, "hit 5 critical", "AS 2S", {"score": 3}, rules={"critical_draw": "every_hit"}
    ),
    "H27 a critical miss": Case(
        {"hp": 9}, "draw miss", "AS", {"hp": 9, "score": 1}, rules={"critical_draw": "misses_too"}
    ),
    "H27 a critical miss where hits alone draw": Case(
        {"hp": 9}, "draw miss", "", {"score": 0, "drawn": ""}, rules={"critical_draw": "every_hit"}
    ),
    "H27 on, and not critical": Case({}, "hit 5", "AS", {"score": 1}, rules={"critical_draw": "on"}),
    "H27 on, and massive": Case(
        {}, "hit 15 critical", "AS 2S", {"score": 17, "pile": "AS:1 2S:2"}, rules={"critical_draw": "on"}
    ),
    "H27 on, and the first card": Case(
        {"hp": 1, "permanent": ["QC", "9C"]},
        "hit 5 critical",
        "AS 2S",
        {"score": 5, "blood": 3},
        rules={"critical_draw": "on"},
    ),
    # H30: who stands at 0 HP without a death-score
    "H30 healed to exactly 0": Case({"score": 3}, "heal 3", "", {"hp": 0, "score": 0, "low": True}),
    "H30 healed in part": Case({"score": 3}, "heal 2", "", {"score": 1, "low": None}),
    "H30 healed above 0": Case({"score": 3}, "heal 4", "", {"hp": 1, "low": None}),
    "H30 exactly 21": Case({"score": 20}, "hit 3", "AS", {"score": 0, "low": True}),
    "H30 exactly 21 by poison": Case({"score": 20}, "poison 1", "", {"score": 0, "low": True}),
    "H30 exactly 21 above 0 HP": Case({"hp": 3, "score": 20}, "drain 1", "", {"hp": 3, "score": 0, "low": None}),
    "H30 exactly 21 in the middle of a hit": Case(
        {"score": 17, "blood": 4}, "hit 1", "AS", {"score": 1, "low": None}, rules={"twenty_one": "at_every_step"}
    ),
    "H30 exactly 21 before cards without a score": Case(
        {"score": 11}, "hit 1", "JC AC AS", {"score": 0, "low": True}, rules={"twenty_one": "at_every_step"}
    ),
    "H30 from above alone, healed": Case(
        {"score": 3}, "heal 3", "", {"score": 0, "low": None}, rules={"new_descent": "from_above"}
    ),
    "H30 from above alone, on 21": Case(
        {"score": 20}, "hit 3", "AS", {"score": 0, "low": None}, rules={"new_descent": "from_above"}
    ),
    # H34: how far healing goes
    "H34 healed to the most": Case({"hp": 3, "max_hp": 5}, "heal 9", "", {"hp": 5}),
    "H34 lowered by a wound": Case(
        {"hp": 3, "max_hp": 9, "permanent": [{"card": "7S", "effect": "penalty", "to": ["max_hp"], "by": [2]}]},
        "heal 9",
        "",
        {"hp": 7, "max_hp": 9},
    ),
    "H34 never below 1": Case(
        {"max_hp": 1, "permanent": [{"card": "7S", "effect": "penalty", "to": ["max_hp"], "by": [2]}]},
        "heal 9",
        "",
        {"hp": 1},
    ),
    "H34 HP above it are lost": Case({"hp": 9, "max_hp": 9}, "draw", "7S", {"hp": 7, "score": 7}, (2,)),
    "H34 none is named": Case({"hp": 3}, "heal 90", "", {"hp": 93, "max_hp": None}),
    # H35: a roll over the death-score at exactly 21
    "H35 after the total": Case({"score": 16}, "hit 5", "5H", {"score": 0, "wounds": []}, (1,)),
    "H35 before the total": Case(
        {"score": 16},
        "hit 5",
        "5H",
        {"score": 0, "wounds": ["5H unconscious"]},
        (20,),
        rules={"wound_rolls": "before_the_total"},
    ),
    "H35 before the total, below 21": Case(
        {"score": 14}, "hit 5", "5H", {"score": 19, "wounds": []}, (20,), rules={"wound_rolls": "before_the_total"}
    ),
    "H35 before the total, who dies rolls nothing": Case(
        {"score": 17}, "hit 5", "5H", {"dead": True}, rules={"wound_rolls": "before_the_total"}
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_ruling(name: str) -> None:
    case = CASES[name]
    after, _ = happen(case.state, case.event, case.cards, case.dice, case.choose, system=under(**case.rules))
    assert {key: seen(after, key) for key in case.then} == case.then
    assert after["score"] == after["tokens"] + sum(held["score"] for held in after["pile"])


def test_every_switch_is_put_to_the_test() -> None:
    """Each option that is not the default stands in a case, or in a test of its own below."""
    tried = {pair for case in CASES.values() for pair in case.rules.items()}
    tried |= {("pass_out", way) for way, *_ in ACTS}
    tried.add(("short_wounds", "when_told"))
    switches = hackjack().switches.values()
    assert {(switch.name, option) for switch in switches for option in switch.options if option != switch.default} <= (
        tried
    )


def test_every_card_of_a_hit_is_in_its_log_once() -> None:
    """H9: Blood that flows draws nothing."""
    _, log = happen({"score": 2, "blood": 4}, "hit 2", "AS")
    assert kinds(log) == ["hit", "flow", "draw", "score", "wound"]
    _, log = happen({"score": 2, "blood": 4, "holding": True}, "hit 2", "AS")
    assert kinds(log) == ["hit", "held", "draw", "score", "wound"]


def test_a_hit_is_printed_in_the_order_in_which_it_is_played() -> None:
    first = ("hit", "flow", "draw", "score")
    assert harm.moments(under()) == (*first, "blood", "trauma", "total", "join", "wound")
    assert harm.moments(under(limit="3", massive="1")) == harm.moments(under())
    assert harm.moments(under(wound_rolls="before_the_total")) == (*first, "blood", "trauma", "wound", "total", "join")
    assert harm.moments(under(twenty_one="at_every_step")) == (*first, "total", "blood", "trauma", "join", "wound")
    _, log = happen({"score": 16}, "hit 5", "5H", (1,))
    assert kinds(log)[-2:] == ["reset", "check_passed"]


# --- descents that follow one another --------------------------------------------------------------------------------


def test_the_wounds_of_two_descents() -> None:
    """The Queen and the Nine of clubs, then healing, then down again: 2 on the first card, 2 Blood after it."""
    state, _ = happen({"hp": 4}, "hit 6", "QC")
    state, _ = happen(state, "hit 2", "9C")
    assert (state["score"], state["blood"]) == (19, 0)
    state, _ = happen(state, "heal 25")
    assert (state["hp"], state["score"]) == (6, 0)
    state, _ = happen(state, "hit 6")
    assert state["low"] is True
    state, _ = happen(state, "hit 1", "AS")
    assert (state["score"], state["tokens"], state["blood"]) == (3, 2, 2)
    state, _ = happen(state, "hit 1", "2H")
    assert (state["score"], state["blood"]) == (7, 0)


@pytest.mark.parametrize(("first", "heal", "second", "score", "blood"), [("QC", 10, 9, 4, 0), ("9C", 9, 2, 2, 2)])
def test_who_is_healed_to_exactly_0_falls_anew(first: str, heal: int, second: int, score: int, blood: int) -> None:
    state, _ = happen({"hp": 5}, "hit 7", first)
    state, _ = happen(state, f"heal {heal}")
    assert (state["hp"], state["score"]) == (0, 0)
    state, _ = happen(state, f"hit {second}", "2H")
    assert (state["score"], state["blood"]) == (score, blood)


def test_the_six_of_hearts_remembers_what_was_healed() -> None:
    state, _ = happen({"hp": 4}, "hit 6", "JC 3C 4C")
    state, _ = happen(state, "heal 12")
    state, _ = happen(state, "hit 6", "6H")
    assert [wound["card"] for wound in state["wounds"]] == ["3C", "4C", "4C"]
    assert state["drawn"] == ["JC", "3C", "4C", "6H"]


def test_a_six_of_hearts_leaves_the_wound_that_it_repeated_as_the_last() -> None:
    state, _ = happen({}, "hit 6", "4C")
    state, _ = happen(state, "hit 6", "6H")
    assert state["last"] == "4C"
    state, _ = happen(state, "heal 6")
    assert state.get("last", state["pile"][-1]["card"]) == "4C"


@pytest.mark.parametrize(
    "state", [{"last": "6H"}, {"last": "6H", "pile": [{"card": "KC", "score": 10}]}, {"last": "RJ"}]
)
def test_a_six_of_hearts_never_repeats_itself(state: Plain) -> None:
    """In a process of its own, because what could go wrong here is that it never ends."""
    script = (
        "import json, sys\n"
        "from generator.cli import main\n"
        "main(['resolve', 'hackjack', 'draw', '--cards', '6H,AS', '--state', '-', '--json'])\n"
    )
    if state.get("pile"):
        script = script.replace("6H,AS", "6H")
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(state), capture_output=True, text=True, cwd=ROOT, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
    after = json.loads(done.stdout)["state"]
    last = after.get("last", after["pile"][-1]["card"])
    assert (after["score"], last) == ((16, "KC") if state.get("pile") else (7, "AS"))


def test_a_card_with_two_triggers_keeps_each_once(tmp_path: Any) -> None:
    pack = copy_pack(tmp_path)
    path = pack / "deck.yaml"
    text = path.read_text(encoding="utf-8")
    one = "      - {do: whenever, event: below_zero, blood: 2, until: permanent}\n"
    assert text.count(one) == 1
    two = one + one.replace("below_zero, blood: 2", "first_card, score: 3")
    path.write_text(text.replace(one, two), encoding="utf-8")
    system = content.load(pack).system
    state, _ = happen({"hp": 1}, "hit 3", "9C", system=system)
    assert [wound["effect"] for wound in state["permanent"]] == ["whenever", "whenever"]
    state, _ = happen(state, "heal 20", system=system)
    state, _ = happen(state, "hit 20", "AS", system=system)
    assert (state["score"], state["blood"]) == (4, 2)


# --- recovery: H13, H14, H23 -----------------------------------------------------------------------------------------

RECOVERY = {1: "1d6 days", 2: "1d6 weeks", 3: "2d6 weeks", 4: "3d6 weeks", 5: "4d6 weeks", 6: "5d6 weeks"}
RECONSTRUCTED = {1, 2, 4, 5, 6}


@pytest.mark.parametrize("trauma", RECOVERY)
def test_the_dice_of_recovery_are_set_at_1_hp_or_by_a_night(trauma: int) -> None:
    at_1_hp, log = happen({"score": 3, "trauma": trauma}, "heal 4")
    assert (at_1_hp["recovery"], at_1_hp["hp"]) == (RECOVERY[trauma], 1)
    assert log[-1].facts["reconstructed"] == (trauma in RECONSTRUCTED)
    by_rest, _ = happen({"score": 3, "trauma": trauma}, "rest")
    assert by_rest["recovery"] == RECOVERY[trauma]
    below, _ = happen({"score": 3, "trauma": trauma}, "heal 3")
    assert (below["recovery"], below["hp"]) == (None, 0)


def test_recovery_follows_a_higher_trauma() -> None:
    state, log = happen({"trauma": 1, "recovery": "1d6 days"}, "rest")
    assert kinds(log) == ["rest"], "what is known already is not said again"
    state, _ = happen({**state, "trauma": 5}, "rest")
    assert state["recovery"] == "4d6 weeks"


def test_nothing_to_recover_from() -> None:
    healed, _ = happen({"score": 3}, "heal 9")
    rested, _ = happen({"score": 3}, "rest")
    assert healed["recovery"] is rested["recovery"] is None
    with pytest.raises(HackjackError, match="no Trauma"):
        happen({}, "recover")


@pytest.mark.parametrize("state", [{"score": 1}, {"blood": 1}, {"score": 3, "blood": 2, "hp": 4}])
def test_recovery_waits_for_blood_and_score(state: Plain) -> None:
    with pytest.raises(HackjackError, match=f"they are {state.get('blood', 0)} and {state.get('score', 0)}"):
        happen({"trauma": 3, **state}, "recover", dice=(1, 1))


def test_recovery_needs_its_dice() -> None:
    with pytest.raises(NeedsError, match=r"^needs 2d6 \(recovery, weeks\)$"):
        happen({"trauma": 3, "hp": 5}, "recover")
    with pytest.raises(NeedsError, match="only 1 of 2 dice"):
        happen({"trauma": 3, "hp": 5}, "recover", dice=(4,))


def test_recovery_ends_what_lasted_until_then_and_begins_what_waited() -> None:
    state, _ = happen({}, "hit 3", "10S")
    assert state["permanent"][0]["begins"] == "recovery"
    state, _ = happen(state, "hit 3", "3C")
    state, _ = happen(state, "hit 3", "4D")
    state, _ = happen(state, "heal 20")
    assert (state["hp"], state["recovery"]) == (3, "3d6 weeks")
    as_told, _ = happen(state, "recover", dice=(1, 2, 3), system=under(short_wounds="when_told"))
    assert seen(as_told, "wounds") == ["3C blinded", "4D no_smell"]
    state, log = happen(state, "recover", dice=(1, 2, 3))
    assert (state["trauma"], state["recovery"]) == (0, None)
    assert seen(state, "wounds") == [], "six weeks in comfort"
    assert seen(state, "permanent") == ["10S penalty"]
    assert "begins" not in state["permanent"][0]
    (recovered,) = [entry for entry in log if entry.kind == "recovered"]
    assert (recovered.facts["amount"], recovered.facts["unit"]) == (6, "week")


def test_the_ten_of_hearts_ends_with_recovery() -> None:
    state, _ = happen({}, "hit 3", "10H")
    state, _ = happen(state, "heal 10")
    state, _ = happen(state, "recover", dice=(1, 1))
    assert state["wounds"] == []
    state, _ = happen(state, "hit 3", "AD")
    assert state["blood"] == 0


@pytest.mark.parametrize(
    ("event", "stay"),
    [
        ("rest", ["4D no_smell", "8D marked", "4C arms_useless", "QD whenever"]),
        ("rest comfort", ["8D marked", "4C arms_useless", "QD whenever"]),
    ],
)
def test_what_a_night_ends(event: str, stay: list[str]) -> None:
    wounds = [
        {"card": "3C", "effect": "blinded", "until": "rest"},
        {"card": "4D", "effect": "no_smell", "until": "good_rest"},
        {"card": "8D", "effect": "marked", "until": "1 week"},
        {"card": "4C", "effect": "arms_useless", "until": "recovery"},
        {"card": "QD", "effect": "whenever", "until": "gm", "to": ["wisdom"]},
    ]
    state, log = happen({"wounds": wounds, "permanent": ["AD"], "trauma": 1}, event)
    assert seen(state, "wounds") == stay
    assert seen(state, "permanent") == ["AD"]
    assert kinds(log).count("ends") == 5 - len(stay)


# --- H14: the recovery time is rolled when it is known, and runs down ------------------------------------------------


@pytest.mark.parametrize(
    ("event", "dice", "left"),
    [
        ("heal 1", (3, 4), "7 weeks"),
        ("rest", (3, 4), "7 weeks"),
        ("day", (3, 4), "48 days"),
        ("week 2", (3, 4), "5 weeks"),
        ("week", (1, 1), "1 week"),
    ],
)
def test_the_recovery_time_is_rolled_with_dice_that_are_there(event: str, dice: tuple[int, ...], left: str) -> None:
    after, _ = happen({"trauma": 3}, event, dice=dice)
    assert after["recovery"] == left
    if event in ("heal 1", "rest"):
        later, _ = happen({"trauma": 3}, event)
        assert later["recovery"] == "2d6 weeks", "nobody rolls now"
        assert happen(later, event, dice=dice)[0]["recovery"] == left
    else:
        with pytest.raises(NeedsError, match=r"^needs 2d6 \(recovery, weeks\)$"):
            happen({"trauma": 3}, event)
    seeded, _ = harm.step(hackjack(), harm.State(trauma=3), harm.read_event(event.split()), Seeded(4))
    assert seeded.recovery and seeded.recovery.amount
    assert seeded.recovery.amount.is_number


def test_a_recovery_time_that_is_known_is_not_rolled_again() -> None:
    state, _ = happen({"score": 2, "trauma": 3}, "heal 3", dice=(3, 4))
    for event in ("rest", "heal 2"):
        state, log = happen(state, event)
        assert (state["recovery"], "recovery" in kinds(log)) == ("7 weeks", False)
    state, log = happen(state, "recover")
    assert (state["trauma"], state["recovery"]) == (0, None)
    assert [entry.facts for entry in log if entry.kind == "recovered"] == [{"amount": 7, "unit": "week"}]


def test_a_higher_trauma_is_rolled_for_anew_and_an_equal_one_is_not() -> None:
    known = {"trauma": 2, "recovery": "4 weeks"}
    assert happen(known, "hit 3", "9H")[0]["recovery"] == "4 weeks"
    state, _ = happen(known, "hit 3", "KC")
    assert (state["trauma"], state["recovery"]) == (3, None)
    assert happen(state, "rest", dice=(5, 6))[0]["recovery"] == "11 weeks"


def test_recovery_runs_down_with_days_and_weeks_and_ends_like_recovering() -> None:
    state, _ = happen({"hp": 2, "pile": []}, "draw", "10S")
    state, _ = happen(state, "heal 12", dice=(1, 1, 1))
    assert state["recovery"] == "3 weeks"
    waits, _ = happen({**state, "blood": 1}, "week")
    assert waits["recovery"] == "3 weeks", "the clock has not started"
    state, log = happen(state, "day 8")
    assert (state["recovery"], log[-1].facts) == ("13 days", {"left": "13 days"})
    state, log = happen(state, "week 4")
    assert (state["trauma"], state["recovery"], seen(state, "wounds")) == (0, None, [])
    assert "begins" not in state["permanent"][0]
    assert "recovered" in kinds(log)


# --- H31: wounds that end otherwise ----------------------------------------------------------------------------------


def lasting(until: str, card: str = "2D") -> Plain:
    return {"card": card, "effect": "blinded", "until": until}


NIGHTS = ("rest", "rest comfort", "day", "day 7", "week", "week 5")
ENDS = {
    "stand": ("stand", *NIGHTS),
    "cleared": ("clear", *NIGHTS),
    "woken": ("wake", *NIGHTS),
    "check": NIGHTS,
    "rest": NIGHTS,
    "good_rest": ("rest comfort",),
    "recovery": (),
    "gm": (),
    "3 rounds": ("round 3", "hour", "hour 8", *NIGHTS),
    "1 hour": ("hour", "hour 8", *NIGHTS),
    "8 hours": ("hour 8", *NIGHTS),
    "1 day": ("day", "day 7", "week", "week 5"),
    "1 week": ("day 7", "week", "week 5"),
    "1 month": ("week 5",),
}


@pytest.mark.parametrize("until", ENDS)
def test_what_ends_a_wound(until: str) -> None:
    for event in sorted({event for ends in ENDS.values() for event in ends}):
        after, log = happen({"wounds": [lasting(until)]}, event)
        assert (not after["wounds"]) == ("ends" in kinds(log)) == (event in ENDS[until]), event


@pytest.mark.parametrize(
    ("until", "event", "left"),
    [
        ("3 rounds", "round", "2 rounds"),
        ("5 hours", "hour 2", "3 hours"),
        ("12 hours", "rest", "4 hours"),
        ("90 minutes", "hour", "30 minutes"),
        ("30 hours", "day", "6 hours"),
        ("1 week", "day 2", "5 days"),
        ("2 weeks", "week", "1 week"),
        ("1 week", "hour 23", "1 week"),
        ("1 week", "rest", "1 week"),
        ("1 month", "week 1", "23 days"),
        ("1 hour", "round 9", "1 hour"),
    ],
)
def test_spans_run_down(until: str, event: str, left: str) -> None:
    after, _ = happen({"wounds": [lasting(until)]}, event)
    assert [wound["until"] for wound in after["wounds"]] == [left]


def test_a_span_that_nobody_rolled_is_rolled_when_time_passes() -> None:
    with pytest.raises(NeedsError, match="d12"):
        happen({"wounds": [lasting("1d12 hours", "3H")]}, "hour")
    after, _ = happen({"wounds": [lasting("1d12 hours", "3H")]}, "hour 2", dice=(7,))
    assert after["wounds"][0]["until"] == "5 hours"


@pytest.mark.parametrize("event", ["rest", "recover"])
def test_where_wounds_end_only_when_told_time_ends_none(event: str) -> None:
    wounds = [lasting("stand", "AS"), lasting("woken", "5H"), lasting("3 rounds"), lasting("check", "2C")]
    state = {"wounds": wounds, "trauma": 1, "recovery": "3 days", "hp": 4}
    after, _ = happen(state, event, system=under(short_wounds="when_told"))
    assert [wound["until"] for wound in after["wounds"]] == ["stand", "woken", "3 rounds", "check"]
    assert happen(state, event)[0]["wounds"] == []


def test_the_later_roll_of_a_check() -> None:
    state, _ = happen({"score": 9, "tokens": 9}, "hit 2", "2C", dice=(11,))
    assert seen(state, "wounds") == ["2C dazed"]
    still, log = happen(state, "check 2c", dice=(11,))
    assert (seen(still, "wounds"), kinds(log)) == (["2C dazed"], ["check_failed"])
    after, log = happen(state, "check 2C", dice=(12,))
    assert (after["wounds"], kinds(log)) == ([], ["check_passed", "ends"])
    with pytest.raises(HackjackError, match="no wound of 2C that a later roll ends"):
        happen(after, "check 2C", dice=(12,))
    with pytest.raises(UsageError, match="check needs a card: write check CARD"):
        harm.read_event(["check"])


def test_a_wound_that_has_ended_gives_its_card_back() -> None:
    state, _ = happen({"drawn": [code for code in FULL_DECK if code != "5H"], "score": 1}, "hit 2", "5H", dice=(1,))
    assert seen(state, "wounds") == ["5H unconscious"]
    state, _ = happen(state, "heal 6")
    with pytest.raises(HackjackError, match=r"5H .*not in the deck"):
        happen(state, "draw", "5H")
    awake, _ = happen(state, "wake")
    assert happen(awake, "draw", "5H", dice=(20,))[0]["drawn"] == ["5H"]


# --- H32: quests and great magic -------------------------------------------------------------------------------------


def test_great_magic_lifts_trauma_and_what_lasted_until_recovery() -> None:
    state, _ = happen({}, "hit 2", "10S")
    after, log = happen({**state, "recovery": "4 weeks"}, "lift TRAUMA")
    assert (after["trauma"], after["recovery"], after["score"]) == (0, None, 10)
    assert (seen(after, "wounds"), seen(after, "permanent")) == ([], ["10S penalty"])
    assert "begins" not in after["permanent"][0]
    assert kinds(log) == ["lifts_trauma", "ends"]
    with pytest.raises(HackjackError, match="no Trauma to lift"):
        happen(after, "lift trauma")


def test_a_quest_lifts_what_a_card_left_for_good() -> None:
    state, _ = happen({"permanent": ["QC", "QC", "9C"], "max_hp": 9}, "hit 2", "7S", dice=(2,))
    after, _ = happen(state, "lift qc")
    assert seen(after, "permanent") == ["9C", "7S penalty"]
    after, _ = happen(after, "lift 7S")
    assert seen(after, "permanent") == ["9C"]
    assert seen(after, "wounds") == ["7S penalty"], "what lasts until recovery stays"
    assert happen(after, "heal 30", dice=(1,))[0]["hp"] == 9
    with pytest.raises(HackjackError, match="nothing of 7S for good, and what it did passes by itself"):
        happen(after, "lift 7S")
    fear, _ = happen({}, "hit 2", "QD")
    assert happen(fear, "lift QD")[0]["wounds"] == []
    with pytest.raises(UsageError, match=r'lift: "XX" is not a card.*, or trauma'):
        harm.read_event(["lift", "XX"])


# --- H22: the next card ----------------------------------------------------------------------------------------------


def test_the_ace_of_hearts_shows_the_next_card_and_leaves_it_there() -> None:
    class AceFirst(Seeded):
        def card(self, left: Sequence[str]) -> str:
            return "AH" if "AH" in left else super().card(left)

    for seed in range(20):
        chance = AceFirst(seed)
        state, log = harm.step(hackjack(), harm.State(), harm.Event("hit", 5), chance)
        shown = log[-1].facts["next"]
        assert log[-1].kind == "peek"
        assert shown in FULL_DECK
        assert state.drawn == ("AH",), "it stays in the deck"
        after, _ = harm.step(hackjack(), state, harm.Event("bleed", 1), chance)
        assert chance.card([code for code in FULL_DECK if code not in after.drawn]) == shown


def test_at_a_real_table_only_the_players_see_the_next_card() -> None:
    _, log = happen({}, "hit 5", "AH")
    assert (log[-1].kind, log[-1].facts["next"]) == ("peek", None)


def test_the_ace_of_hearts_on_an_empty_deck() -> None:
    state, log = happen({"drawn": [code for code in FULL_DECK if code != "AH"]}, "hit 5", "AH")
    assert (state["score"], log[-1].facts["next"]) == (1, None)


# --- H24: which cards there are --------------------------------------------------------------------------------------


def test_jokers_are_in_the_deck_only_by_choice() -> None:
    assert harm.deck_of(hackjack()) == FULL_DECK
    assert harm.deck_of(under(jokers="lucky_break")) == FULL_DECK + JOKERS
    with pytest.raises(HackjackError, match=r"^RJ is not in the deck") as caught:
        happen({}, "hit 5", "RJ")
    assert "drawn already" not in str(caught.value), "it was never there"


# --- H28: passing out ------------------------------------------------------------------------------------------------

ACTS: tuple[tuple[str, Plain, str, tuple[int, ...], str], ...] = (
    ("off", {"trauma": 6, "score": 20}, "act", (), "acts"),
    ("off", {"trauma": 6}, "act d8", (), "acts"),
    ("hit_die_over_trauma", {"trauma": 2}, "act d8", (), "acts"),
    ("hit_die_over_trauma", {"trauma": 2}, "act", (), "acts"),
    ("hit_die_over_trauma", {"trauma": 3}, "act d8", (3,), "passes_out"),
    ("hit_die_over_trauma", {"trauma": 3}, "act d8", (4,), "awake"),
    ("hit_die_over_trauma", {"trauma": 6}, "act d6", (6,), "passes_out"),
    ("d20_over_score", {"score": 0, "trauma": 6}, "act", (), "acts"),
    ("d20_over_score", {"score": 12}, "act", (12,), "passes_out"),
    ("d20_over_score", {"score": 12}, "act", (13,), "awake"),
)


@pytest.mark.parametrize(("way", "state", "event", "dice", "kind"), ACTS)
def test_passing_out(way: str, state: Plain, event: str, dice: tuple[int, ...], kind: str) -> None:
    before = harm.read_state(state, hackjack())
    after, log = happen(state, event, dice=dice, system=under(pass_out=way))
    assert kinds(log) == [kind]
    assert {key: after[key] for key in ("score", "trauma")} == {"score": before.score, "trauma": before.trauma}


@pytest.mark.parametrize("event", ["act", "act 8", "act hard", "act d8d8", "act d1", "act d0", "act -3", "act d8\n"])
def test_the_hit_die_must_be_a_die(event: str) -> None:
    with pytest.raises(UsageError, match="hit die"):
        harm.step(
            under(pass_out="hit_die_over_trauma"),
            harm.State(trauma=3),
            harm.read_event(event.split(" ")),
            Seeded(1),
        )


# --- H29: an empty deck ----------------------------------------------------------------------------------------------


def test_an_empty_deck_takes_back_what_nobody_living_holds() -> None:
    before = {"drawn": list(FULL_DECK), "pile": pile("2S:2"), "wounds": [{"card": "2S", "effect": "prone"}]}
    after, log = happen(before, "hit 3", "KH")
    assert after["drawn"] == ["2S", "KH"]
    assert kinds(log)[:3] == ["hit", "reshuffle", "draw"]
    assert log[1].facts == {"cards": 51}
    assert log[1].why == "H29"
    after, log = happen(before, "hit 3", "4C", held=["3C", "KH"])
    assert sorted(after["drawn"][:-1]) == ["2S", "3C", "KH"]
    assert after["drawn"][-1] == "4C"
    assert log[1].facts == {"cards": 49}
    with pytest.raises(HackjackError, match=r"KH .*not in the deck"):
        happen(before, "hit 3", "KH", held=["3C", "KH"])


def test_a_deck_that_runs_out_in_the_middle_of_a_card() -> None:
    before = {"drawn": [code for code in FULL_DECK if code not in ("JC", "4C")]}
    after, log = happen(before, "hit 3", "JC 4C KC")
    assert kinds(log)[:6] == ["hit", "draw", "score", "draw", "reshuffle", "draw"]
    assert after["drawn"] == ["JC", "4C", "KC"], "what is drawn in the same hit is held"
    assert "reshuffle" not in kinds(happen({"drawn": list(FULL_DECK[1:])}, "hit 3", "AC")[1])


HELD_BY_ALL = "^the deck is empty and living characters hold every card"


def test_a_deck_that_is_all_held() -> None:
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        happen({"drawn": list(FULL_DECK)}, "hit 3", "AC", held=FULL_DECK)
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        happen({"pile": pile(" ".join(f"{code}:0" for code in FULL_DECK))}, "hit 3", "AC")


def test_jokers_drawn_before_they_were_put_away_do_not_come_back() -> None:
    """Else the deck would seem to have cards after a reshuffle, and have none."""
    state = harm.read_state({"drawn": [*FULL_DECK, "RJ"]}, hackjack())
    with pytest.raises(HackjackError, match=HELD_BY_ALL):
        harm.step(hackjack(), state, harm.Event("draw"), Seeded(1), FULL_DECK)


# --- the dead and the lost -------------------------------------------------------------------------------------------

ANY_EVENT = (
    "hit 1",
    "hit 30",
    "hit 4 critical",
    "draw",
    "heal 1",
    "heal 50",
    "hold",
    "release",
    "poison 1",
    "bleed 1",
    "drain 1",
    "rest",
    "rest comfort",
    "recover",
    "act",
    "act d8",
    "stand",
    "clear",
    "wake",
    "check 2C",
    "round",
    "hour 2",
    "day",
    "week 3",
    "lift trauma",
    "lift QC",
)


@pytest.mark.parametrize("event", ANY_EVENT)
def test_the_dead_stay_dead(event: str) -> None:
    dead, _ = happen({"score": 20, "trauma": 2}, "poison 5")
    assert dead["dead"]
    for state in (dead, {"dead": True}):
        with pytest.raises(HackjackError, match=r"^the character is dead: nothing more happens to them$"):
            happen(state, event, "AC", (1, 1))


def test_a_wound_that_kills_leaves_no_mark() -> None:
    after, log = happen({"score": 20}, "hit 3", "3S")
    assert after["dead"]
    assert after["wounds"] == []
    assert kinds(log)[-1] == "death"


@pytest.mark.parametrize("amount", [harm.MOST, 1])
def test_what_an_event_led_to_can_be_given_back(amount: int) -> None:
    for event in ("heal", "bleed", "poison", "hit"):
        for before in ({"hp": 20, "blood": 20}, {"hp": harm.MOST, "blood": harm.MOST}, {"hp": harm.MOST, "score": 20}):
            after, _ = happen(before, f"{event} {amount}")
            system = hackjack()
            assert plain(harm.read_state(after, system)) == after


# --- whatever happens ------------------------------------------------------------------------------------------------

SYSTEMS = (
    hackjack(),
    under(jokers="lucky_break", massive_damage="from_13", first_draw="at_zero", critical_draw="on"),
    under(twenty_one="at_every_step", jack_of_clubs="blank_is_zero", pass_out="d20_over_score"),
    under(pass_out="hit_die_over_trauma", jokers="lucky_break"),
    under(new_descent="from_above", six_of_hearts="in_pile", short_wounds="when_told", poison="hp_first"),
    under(critical_draw="misses_too", blood_flows="any_damage", holding="released"),
)
AMOUNTS = st.one_of(st.integers(1, 12), st.integers(1, 40))
EVENTS = st.one_of(
    st.sampled_from(["draw", "hold", "release", "rest", "rest comfort", "recover", "act", "act d8"]),
    st.sampled_from(["stand", "clear", "wake", "check 2C", "round 2", "hour 5", "day", "week 2", "draw miss"]),
    st.sampled_from(["lift trauma", "lift QC", "lift QD"]),
    st.builds("hit {}".format, AMOUNTS),
    st.builds("hit {} critical".format, AMOUNTS),
    st.builds("{} {}".format, st.sampled_from(["heal", "poison", "bleed", "drain"]), st.integers(1, 6)),
    st.builds("heal {}".format, st.integers(1, 40)),
)
STARTS: tuple[Plain, ...] = (
    {},
    {"hp": 6},
    {"hp": 6, "permanent": ["9C", "QC"], "wounds": ["10H"]},
    {"hp": 6, "max_hp": 8, "trauma": 2},
    {"drawn": list(FULL_DECK[:50])},
)
TALES = st.tuples(
    st.sampled_from(SYSTEMS), st.sampled_from(STARTS), st.lists(EVENTS, max_size=12), st.integers(0, 10**9)
)


class Recording:
    """Luck that notes what it gave."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.cards: list[str] = []
        self.dice: list[int] = []
        self.choices: list[int] = []

    def card(self, left: Sequence[str]) -> str:
        self.cards.append(self.chance.card(left))
        return self.cards[-1]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        faces = self.chance.roll(need)
        assert len(faces) == need.dice.count
        assert all(1 <= face <= need.dice.faces for face in faces)
        self.dice += faces
        return faces

    def choose(self, need: ChoiceNeed) -> int:
        self.choices.append(self.chance.choose(need) + 1)
        return self.choices[-1] - 1

    def peek(self, left: Sequence[str]) -> str | None:
        return self.chance.peek(left)


def coherent(state: harm.State, system: System) -> None:
    """What is true of every state."""
    limit = system.head.procedure.limit
    assert min(state.hp, state.score, state.tokens, state.blood, state.trauma) >= 0
    assert state.score == state.tokens + sum(held.score for held in state.pile)
    assert state.dead or state.score < limit
    assert len(set(state.drawn)) == len(state.drawn)
    assert set(state.drawn) <= set(system.cards)
    assert {held.card for held in state.pile} <= set(state.drawn)
    assert len({held.card for held in state.pile}) == len(state.pile)
    assert not (state.low and state.hp)
    assert harm.read_state(harm.plain_state(state), system) == state
    assert harm.read_state(plain(state), system) == state


@settings(max_examples=250)
@given(TALES)
def test_any_tale_stays_coherent_and_can_be_told_again(
    tale: tuple[System, Plain, list[str], int],
) -> None:
    """Every event succeeds or says why not; what a seed did, the same cards and dice do again."""
    system, start, events, seed = tale
    state = harm.read_state(start, system)
    for place, words in enumerate(events):
        event = harm.read_event(words.split())
        before = copy.deepcopy(state)
        recording = Recording(Seeded(seed + place))
        try:
            after, log = harm.step(system, state, event, recording)
        except HackjackError:
            assert state == before
            assert state.dead or words.split()[0] in ("recover", "act", "check", "lift") or len(state.drawn) > 45
            continue
        assert state == before, "a step changes nothing that it was given"
        again, same = harm.step(system, state, event, Seeded(seed + place))
        assert (again, same) == (after, log), "the same seed, the same outcome"
        given_luck = Given(recording.cards, recording.dice, recording.choices)
        replayed, told = harm.step(system, state, event, given_luck)
        given_luck.finish()
        assert replayed == after
        assert kinds(told) == kinds(log)
        assert [entry.facts["card"] for entry in log if entry.kind == "draw"] == recording.cards
        coherent(after, system)
        deck = set(harm.deck_of(system))
        assert set(after.drawn) | (deck - set(after.drawn)) == deck | set(after.drawn)
        if "reshuffle" not in kinds(log):
            assert after.drawn == (*state.drawn, *recording.cards)
        state = after


@settings(max_examples=150)
@given(st.sampled_from(range(40)), st.integers(1, 60), st.integers(1, 60))
def test_healing_in_two_parts_heals_as_much_as_in_one(seed: int, first: int, second: int) -> None:
    system = hackjack()
    state = harm.State()
    for place in range(3):
        after, _ = harm.step(system, state, harm.Event("hit", 3), Seeded(seed * 10 + place))
        state = state if after.dead else after
    parts = state
    for amount in (first, second):
        parts, _ = harm.step(system, parts, harm.Event("heal", amount), Seeded(0))
    whole, _ = harm.step(system, state, harm.Event("heal", first + second), Seeded(0))
    assert parts == whole
    worth = state.blood + state.score - state.hp
    assert worth - (whole.blood + whole.score - whole.hp) == first + second
    assert whole.blood <= state.blood
    assert not (whole.blood and whole.score < state.score)
    assert whole.drawn == state.drawn
    assert whole.permanent == state.permanent


@settings(max_examples=100)
@given(st.integers(1, 30), st.integers(1, 30))
def test_what_poison_does_healing_undoes(points: int, pool: int) -> None:
    system = hackjack()
    state = harm.State(tokens=1, score=1)
    hurt, _ = harm.step(system, state, harm.Event("poison", points), Given())
    if hurt.dead or points == 20:
        assert hurt.dead == (points > 20)
        assert hurt.score == (0 if points == 20 else points + 1)
        return
    hurt, _ = harm.step(system, hurt, harm.Event("bleed", pool), Given())
    healed, _ = harm.step(system, hurt, harm.Event("heal", points + pool), Given())
    assert healed == state


JSON_LIKE = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 30),
        st.integers(),
        st.floats(allow_nan=True),
        st.text(max_size=5),
        st.sampled_from([*FULL_DECK[:6], "RJ", "6H", "rest", "recovery", "2d6 weeks", "whenever"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.text(max_size=4), st.sampled_from(["card", "score", "effect", "until", "to", "by", "begins"])),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)
KEYS = st.sampled_from([*harm.State.__struct_fields__, "extra"])
WELL_FORMED = st.fixed_dictionaries(
    {},
    optional={
        "hp": st.integers(-1, 12),
        "score": st.integers(0, 22),
        "tokens": st.integers(0, 5),
        "blood": st.integers(0, 9),
        "trauma": st.integers(0, 7),
        "pile": st.lists(
            st.builds(
                lambda code, score: {"card": code, "score": score},
                st.sampled_from([*FULL_DECK[-8:], "RJ"]),
                st.integers(0, 9),
            ),
            max_size=3,
        ),
        "wounds": st.lists(st.sampled_from(["10H", "9C", "QC", "AC"]), max_size=3),
        "permanent": st.lists(st.sampled_from(["10H", "9C", "QC", "AC"]), max_size=3),
        "holding": st.booleans(),
        "dead": st.booleans(),
        "drawn": st.lists(st.sampled_from(FULL_DECK), max_size=4),
        "recovery": st.sampled_from([None, "", "rest", "1d6 days", "0 weeks", "soon", "2d6"]),
        "low": st.booleans(),
        "last": st.sampled_from([None, "", "AC", "RJ", "JC"]),
        "max_hp": st.sampled_from([None, 0, 1, 12]),
    },
)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.one_of(JSON_LIKE, st.dictionaries(KEYS, JSON_LIKE, max_size=4), WELL_FORMED), EVENTS, st.integers(0, 99))
def test_any_state_is_read_or_refused(value: Any, words: str, seed: int) -> None:
    system = hackjack()
    try:
        state = harm.read_state(value, system)
    except HackjackError as error:
        assert str(error)
        return
    assert harm.read_state(plain(state), system) == state
    try:
        after, _ = harm.step(system, state, harm.read_event(words.split()), Seeded(seed))
    except HackjackError as error:
        assert str(error)
        return
    assert after.score == after.tokens + sum(held.score for held in after.pile)


@settings(max_examples=400)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.integers().map(str),
            st.sampled_from(
                [
                    *harm.EVENTS,
                    "critical",
                    "comfort",
                    "miss",
                    "trauma",
                    "2C",
                    "d8",
                    "--5",
                    "²",
                    "٣",
                    "1_0",
                    " 5",
                    "+5",
                    "5.0",
                    "",
                ]
            ),
        ),
        max_size=4,
    )
)
def test_any_words_are_an_event_or_refused(words: list[str]) -> None:
    try:
        event = harm.read_event(words)
    except UsageError as error:
        assert str(error)
        return
    assert event.name == words[0]
    assert harm.read_event(str(event).split()) == event
    assert event.name not in ("hit", "heal", "poison", "bleed", "drain") or 1 <= event.amount <= harm.MOST


def test_a_seed_means_the_same_in_another_process() -> None:
    script = (
        "import json, sys\n"
        "from generator.pack import content\n"
        "from generator.play.chance import Seeded\n"
        "from generator.games.hackjack import engine as harm\n"
        "system = content.load(content.find('hackjack')).system\n"
        "for seed in range(40):\n"
        "    state, log = harm.step(system, harm.State(hp=3), harm.Event('hit', 9), Seeded(seed))\n"
        "    print(json.dumps([harm.plain_state(state), [[entry.kind, entry.facts] for entry in log]]))\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    here = []
    for seed in range(40):
        state, log = harm.step(hackjack(), harm.State(hp=3), harm.Event("hit", 9), Seeded(seed))
        here.append(json.dumps([harm.plain_state(state), [[entry.kind, entry.facts] for entry in log]]))
    assert runs[0].splitlines() == here
    assert len({json.loads(line)[0]["drawn"][0] for line in here}) > 20

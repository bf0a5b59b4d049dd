"""Every card, drawn by a hit at 0 HP: what the source says that it does, typed in here a second time."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from helpers import hackjack

from generator.base.cards import FULL_DECK, JOKERS
from generator.games.hackjack import engine as harm
from generator.games.hackjack import lines as harm_lines
from generator.model.log import Log
from generator.pack import content
from generator.play.chance import Given
from generator.words.wording import MINUS


@dataclass(frozen=True)
class Card:
    """What a card leaves behind: its score, Blood and Trauma, and its wounds as `shown` writes them.

    `also` are the cards that it makes you draw and what they score, `dice` the dice that it makes you roll.
    """

    score: int
    blood: int = 0
    trauma: int = 0
    wounds: tuple[str, ...] = ()
    permanent: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    also: str = ""
    also_score: int = 0
    choose: tuple[int, ...] = ()


CARDS = {
    # clubs
    "AC": Card(1),
    "2C": Card(2, dice=(20,)),
    "3C": Card(3, wounds=("blinded until rest",)),
    "4C": Card(4, trauma=1, wounds=("arms_useless until recovery",)),
    "5C": Card(5, trauma=1, wounds=("legs_useless until recovery",)),
    "6C": Card(6, blood=1),
    "7C": Card(7, also="AC AD", choose=(2,), permanent=("AD: cool_scar until permanent",)),
    "8C": Card(8, blood=2),
    "9C": Card(9, permanent=("whenever until permanent",)),
    "10C": Card(10, blood=3, dice=(3,)),
    "JC": Card(10, also="AC AS", wounds=("AS: prone until stand",)),
    "QC": Card(10, permanent=("whenever until permanent",)),
    "KC": Card(10, blood=2, trauma=3, wounds=("penalty -3 all_rolls until recovery",)),
    # spades
    "AS": Card(1, wounds=("prone until stand",)),
    "2S": Card(2, blood=1, wounds=("prone until stand",)),
    "3S": Card(
        3,
        trauma=3,
        dice=(2,),
        wounds=("arm_useless (right arm) until recovery", "penalty -2 dexterity strength until recovery"),
    ),
    "4S": Card(
        4,
        trauma=1,
        dice=(4, 1),
        wounds=(
            "penalty -4 -1 wisdom intelligence until recovery",
            "penalty -1 intelligence wisdom until recovery",
        ),
    ),
    "5S": Card(
        5,
        trauma=3,
        dice=(1,),
        wounds=("slowed (left leg) until recovery", "penalty -3 dexterity until recovery"),
    ),
    "6S": Card(6, trauma=3, wounds=("penalty -1 all_rolls until recovery",)),
    "7S": Card(
        7,
        trauma=2,
        dice=(2,),
        wounds=("penalty -1 all_rolls until recovery",),
        permanent=("penalty -2 max_hp until permanent",),
    ),
    "8S": Card(8, permanent=("blinded until permanent",)),
    "9S": Card(9, blood=9, trauma=4, dice=(6, 3), wounds=("penalty -4 all_stats until recovery",)),
    "10S": Card(
        10,
        trauma=4,
        wounds=("penalty -3 strength constitution until recovery",),
        permanent=("penalty -1 strength until permanent from recovery",),
    ),
    "JS": Card(10, blood=3, trauma=2, dice=(3, 4), permanent=("lose (left leg all of it) until permanent",)),
    "QS": Card(10, trauma=4, also="AC", also_score=1, dice=(20,)),
    "KS": Card(10, blood=6, trauma=5, wounds=("broken until recovery", "helpless until recovery")),
    # diamonds
    "AD": Card(1, permanent=("cool_scar until permanent",)),
    "2D": Card(2, wounds=("blinded until cleared",)),
    "3D": Card(3, blood=1, dice=(10,), permanent=("lose (right hand little finger) until permanent",)),
    "4D": Card(4, wounds=("no_smell until good_rest",)),
    "5D": Card(5, blood=1, trauma=1, wounds=("mute until recovery",), permanent=("scar until permanent",)),
    "6D": Card(6, permanent=("penalty -1 charisma until permanent",)),
    "7D": Card(7, permanent=("limp until permanent",)),
    "8D": Card(8, wounds=("marked until 1 week",)),
    "9D": Card(
        9,
        trauma=1,
        wounds=("penalty -1 all_stats until recovery",),
        permanent=("reroll until permanent",),
    ),
    "10D": Card(
        10,
        blood=1,
        trauma=1,
        wounds=("penalty -1 strength constitution until recovery",),
        permanent=("impressive_scar until permanent",),
    ),
    "JD": Card(
        10,
        blood=1,
        trauma=1,
        wounds=("penalty -2 to_hit until recovery",),
        permanent=("lose (eye) until permanent", "penalty -2 to_hit_ranged until permanent from recovery"),
    ),
    "QD": Card(10, wounds=("whenever wisdom until gm",)),
    "KD": Card(10, trauma=4, wounds=("halve charisma until recovery",)),
    # hearts
    "AH": Card(1),
    "2H": Card(2, wounds=("mute until rest",)),
    "3H": Card(3, dice=(12,), wounds=("fasting until 12 hours", "penalty -3 constitution until 12 hours")),
    "4H": Card(4, dice=(20,)),
    "5H": Card(5, dice=(20,)),
    "6H": Card(6, also="2S", also_score=2, blood=2, wounds=("2S: prone until stand", "2S: prone until stand")),
    "7H": Card(7, trauma=1, wounds=("penalty -1 mental until recovery",)),
    "8H": Card(8, blood=2, trauma=3),
    "9H": Card(9, trauma=2, wounds=("penalty -2 constitution until recovery",)),
    "10H": Card(10, trauma=3, wounds=("whenever until recovery", "penalty -1 all_rolls until recovery")),
    "JH": Card(
        10,
        blood=6,
        trauma=1,
        dice=(6,),
        wounds=("woozy until recovery", "penalty -1 intelligence wisdom until recovery"),
    ),
    "QH": Card(10, blood=1, trauma=4, wounds=("halve constitution until recovery",)),
    "KH": Card(10, blood=6, trauma=6),
}
FAILED_CHECKS = {
    # the card, its dice, the wound that follows; at a death-score that the die must beat
    "2C": ((2,), "dazed until check"),
    "4H": ((4,), "staggering until 1 round"),
    "5H": ((5,), "unconscious until woken"),
    "QS": ((11,), "unconscious until woken"),
}


def shown(wound: dict[str, Any], drawn: str) -> str:
    """A wound in a line; with its card in front where another card brought it."""
    parts = [f"{wound['card']}:"] if wound["card"] != drawn else []
    parts += [wound["effect"], *([f"({' '.join(re.findall('[a-z]+', wound['place']))})"] if wound.get("place") else [])]
    parts += [f"-{amount}" for amount in wound.get("by", ())]
    parts += [*wound.get("to", ()), "until", wound.get("until", "permanent")]
    return " ".join([*parts, *([f"from {wound['begins']}"] if wound.get("begins") else [])])


def drawn(code: str, state: dict[str, Any], dice: tuple[int, ...], **settings: str) -> tuple[dict[str, Any], Log]:
    """A hit for 5 that draws a card."""
    card = CARDS.get(code, Card(0))
    system = content.with_settings(hackjack(), settings.items())
    chance = Given([code, *card.also.split()], dice, card.choose)
    after, log = harm.step(system, harm.read_state(state, system), harm.Event("hit", 5), chance)
    chance.finish()
    return json.loads(json.dumps(harm.plain_state(after))), log


def wounds_of(state: dict[str, Any], code: str, kind: str) -> tuple[str, ...]:
    return tuple(shown(wound, code) for wound in state[kind])


def test_the_table_holds_the_whole_deck() -> None:
    assert tuple(CARDS) == FULL_DECK


@pytest.mark.parametrize("code", CARDS)
def test_a_card_at_0_hp(code: str) -> None:
    card = CARDS[code]
    after, log = drawn(code, {}, card.dice)
    assert (after["score"], after["blood"], after["trauma"]) == (card.score + card.also_score, card.blood, card.trauma)
    assert wounds_of(after, code, "wounds") == card.wounds
    assert wounds_of(after, code, "permanent") == card.permanent
    assert after["drawn"] == [code, *card.also.split()]
    assert after["tokens"] == 0
    assert sum(held["score"] for held in after["pile"]) == after["score"]
    assert after["pile"][0] == {"card": code, "score": card.score}
    assert (after["hp"], after["dead"], after["holding"], after["recovery"]) == (0, False, False, None)
    assert [entry.kind for entry in log][:3] == ["hit", "draw", "score"]


@pytest.mark.parametrize("code", CARDS)
def test_a_card_on_a_later_entry(code: str) -> None:
    """The Queen of clubs of old adds 2 to the first card, the Nine of clubs of old 2 Blood after the hit.

    The deck has been shuffled whole since, so that either may come again.
    """
    card = CARDS[code]
    after, _ = drawn(code, {"hp": 3, "permanent": ["9C", "QC"], "drawn": []}, card.dice)
    assert after["score"] == card.score + card.also_score + 2
    assert after["tokens"] == 2
    assert (after["blood"], after["trauma"], after["hp"]) == (card.blood + 2, card.trauma, 0)
    assert wounds_of(after, code, "wounds") == card.wounds
    assert wounds_of({"permanent": after["permanent"][2:]}, code, "permanent") == card.permanent


@pytest.mark.parametrize("holding", [False, True])
@pytest.mark.parametrize("code", [code for code in CARDS if code not in ("6C", "6H")])
def test_a_card_after_another_wound(code: str, holding: bool) -> None:
    card = CARDS[code]
    before = {"pile": [{"card": "6C", "score": 6}], "blood": 1, "trauma": 2, "holding": holding}
    after, log = drawn(code, before, card.dice)
    flows = 0 if holding else 1
    score = 6 + flows + card.score + card.also_score
    assert (after["score"], after["tokens"]) == (score, flows)
    assert after["blood"] == 1 - flows + card.blood
    assert after["trauma"] == max(2, card.trauma)
    assert wounds_of(after, code, "wounds") == card.wounds
    assert ("held" in {entry.kind for entry in log}) == holding


@pytest.mark.parametrize("holding", [False, True])
def test_the_six_of_hearts_after_another_wound(holding: bool) -> None:
    before = {"pile": [{"card": "2S", "score": 2}], "blood": 1, "trauma": 2, "holding": holding}
    system = hackjack()
    state, _ = harm.step(system, harm.read_state(before, system), harm.Event("hit", 5), Given(["6H"]))
    after = json.loads(json.dumps(harm.plain_state(state)))
    assert (after["score"], after["blood"]) == ((8, 2) if holding else (9, 1))
    assert wounds_of(after, "6H", "wounds") == ("2S: prone until stand",)


@pytest.mark.parametrize("code", FAILED_CHECKS)
def test_a_check_that_fails(code: str) -> None:
    dice, wound = FAILED_CHECKS[code]
    after, log = drawn(code, {}, dice)
    assert wounds_of(after, code, "wounds") == (wound,)
    (check,) = [entry for entry in log if entry.kind == "check_failed"]
    assert check.facts["rolled"] == check.facts["over"] == dice[0] == after["score"]
    passed, log = drawn(code, {}, (dice[0] + 1,))
    assert passed["wounds"] == []
    assert "check_passed" in {entry.kind for entry in log}


@pytest.mark.parametrize("code", JOKERS)
def test_a_joker_is_a_lucky_break(code: str) -> None:
    before = {"pile": [{"card": "6C", "score": 6}], "trauma": 2, "blood": 1, "holding": True}
    after, log = drawn(code, before, (), jokers="lucky_break")
    assert after == {**before, **{key: after[key] for key in after if key not in before}}
    assert (after["score"], after["wounds"], after["permanent"]) == (6, [], [])
    assert after["drawn"] == ["6C", code]
    assert log[-1].kind == "spare"


@pytest.mark.parametrize("code", [*CARDS, *JOKERS])
def test_the_lines_of_a_card_read_well(code: str) -> None:
    system = hackjack()
    dice = [CARDS.get(code, Card(0)).dice]
    if code in FAILED_CHECKS:
        dice.append(FAILED_CHECKS[code][0])
    for rolled in dice:
        _, log = drawn(code, {}, rolled, jokers="lucky_break")
        lines = [harm_lines.line(entry.fact, system) for entry in log]
        assert f"Drawn: {code}, {system.cards[code].name} (" in lines[1]
        for line in lines:
            assert line[0].isupper() or line[0].isdigit() or line.startswith((MINUS, "d20 ")), line
            assert line.endswith(".")
            assert not line.endswith("..")
            assert not {"{", "}", "_", "None", "  ", " ."} & set(_bits(line)), line


def _bits(line: str) -> list[str]:
    """Single characters, pairs of them and words."""
    return [*line, *(line[at : at + 2] for at in range(len(line))), *line.replace(".", " ").split()]

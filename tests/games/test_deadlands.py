"""Deadlands 1876 at the table: what holds for all its events: bad input, what grows, and whatever else may happen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from games.test_rules import deadlands, play, refused, result
from hypothesis import given
from hypothesis import strategies as st

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, log_lines
from generator.games.deadlands.dice import DieTotal, TraitRules, judge
from generator.games.deadlands.state import TraitsState
from generator.play.chance import Seeded

FALLEN = """trait d8, trait climb, fate d8, unskilled, contested d8 d6, knowledge d8, guts d8, fear d8, recover d8,
serial d8, compound d8, attempts d8, attempt door d8, action, burn king, hole map, marker d8, book 20 d8"""


@pytest.mark.parametrize("standing", ["incapacitated", "bleeding", "unconscious"])
def test_the_fallen_do_nothing_but_roll_vigor(standing: str) -> None:
    """Ruling D28; the rulebook asks the bleeding for it."""
    fallen = {"standing": standing, "wounds": 3, "traits": {"vigor": "d8", "climb": "d8"}}
    for event in re.split(r",\s", FALLEN):
        assert "does nothing: of all rolls only Vigor is made" in refused(event, state=fallen), event
    assert result(play("trait vigor", state=fallen, dice=[5, 1])[0]) == "success"
    rules = (("fallen", "may_act"),)
    assert result(play("trait climb", state=fallen, dice=[5, 1], rules=rules)[0]) == "success"


def test_what_a_character_holds_can_always_be_read_back() -> None:
    tokens = [{"kind": "charm", "name": f"charm {number}"} for number in range(200)]
    traits = {f"skill{number}": "d4" for number in range(200)}
    full: dict[str, Any] = {"tokens": tokens, "traits": traits, "xp": 50, "earned": True}
    for event, dice in (("award charm more", []), ("book 20 d8 bonus=1", [3]), ("marker d8", [3])):
        assert "tokens (the maximum)" in refused(event, state=full, dice=dice)
    for event in ("learn chemistry", "grant chemistry", "has chemistry d4"):
        assert "traits (the maximum)" in refused(event, state=full)
    assert play("has skill7 d12", state=full)[0]["traits"]["skill7"] == "d12"
    healers = [f"healer {number}" for number in range(200)]
    assert "200 healers have failed" in refused("heal d8 healer=Doc", state={"wounds": 1, "healers": healers})


# --- properties ------------------------------------------------------------------------------------------------------

DICE = st.sampled_from([4, 6, 8, 10, 12])


@given(faces=DICE, first=st.integers(1, 12), wild=st.integers(1, 6), mod=st.integers(-6, 6), target=st.integers(1, 20))
def test_what_a_throw_comes_to(faces: int, first: int, wild: int, mod: int, target: int) -> None:
    """The rules again, said another way."""
    first = min(first, faces)
    rules = TraitRules.of(deadlands())
    trait, other = (
        DieTotal(Dice(1, faces), first, first + (first == faces)),
        DieTotal(Dice(1, 6), wild, wild + (wild == 6)),
    )
    found = judge(trait, other, mod, target, rules)
    better = judge(trait, other, mod + 1, target, rules)
    assert better.total >= found.total
    if first == 1:
        assert found.total <= max(1, other.total)
    else:
        assert found.total == max(trait.total + mod, other.total)
    if (first, wild) == (1, 1):
        assert found.result == "critical_failure"
    elif (first, wild) == (faces, 6):
        assert found.result == "critical_success"
    else:
        assert found.succeeds == (found.total >= target)
        assert (found.result == "raise") == (found.total >= target + 4)


@given(seed=st.integers(0, 2**32), events=st.lists(st.sampled_from([
    "wound 1", "wound 2", "soak vigor 2", "incapacitation vigor", "heal d8", "day vigor", "round", "hour", "survive",
    "action", "fate agility", "luck red", "injury permanent", "injury temporary d6", "guts d6", "recover d8", "xp 7",
    "improve vigor", "award kicker k bonus=1", "trait agility kicker=k", "marker d6", "unskilled", "task t attempts",
    "attempt t agility", "drop t", "serial agility", "compound agility", "attempts d6", "book 20 d8 bonus=1",
]), max_size=14))  # fmt: skip
def test_whatever_happens_the_character_stays_in_order(seed: int, events: list[str]) -> None:
    system = deadlands()
    game = game_of(system)
    state = game.read_state({"chips": 3, "traits": {"vigor": "d6", "agility": "d8"}})
    luck = Seeded(seed)
    for written in events:
        try:
            after, log = game.step(state, game.read_event(written.split(), {}), luck)
        except HackjackError as error:
            assert str(error) and "\n" not in str(error)
            continue
        assert all(line.endswith(".") for line in log_lines(log, system))
        assert isinstance(after, TraitsState) and 0 <= after.wounds <= after.levels
        assert (after.chips or 0) <= 3
        plain = game.plain_state(after)
        assert game.read_state(plain) == after
        assert game.state_line(plain) and list(game.details(plain)) is not None
        state = after


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("event", "says"), [
    ("trait", "trait needs a die or a trait: write trait DIE"),
    ("trait d7", 'there is no trait die "d7": the dice are d4, d6, d8, d10, d12'),
    ("trait d8 mod=lots", "mod takes a whole number"),
    ("trait d8 tn=0", "tn 0: write a number from 1 to 100"),
    ("trait d8 tn=101", "tn 101"),
    ("trait d8 luck=yes", "trait takes no --at luck"),
    ("trait d8 d6", '"d6" is one value too many'),
    ("trait d8 wild=d20", 'there is no trait die "d20"'),
    ("trait d8 mod=1 mod=2", "mod is given twice"),
    ("tait d8", 'did you mean "trait"?'),
    ("luck", "luck needs a card: write luck CARD"),
    ("luck QX", '"QX" is not a card'),
    ("luck 9-5", "write 5-9"),
    ("luck heart", 'did you mean "hearts"?'),
    ("soak", "soak needs a die or a trait: write soak DIE [WOUNDS]"),
    ("soak d8", "none was just taken"),
    ("soak d8 many", 'soak takes a whole number, not "many"'),
    ("damage 3", "needs dice"),
    ("award gun x", 'award cannot be "gun": write charm, burn, '),
    ("award hole x", "needs die"),
    ("award kicker x", "needs bonus"),
    ("award charm x die=d8", "takes no die"),
    ("task x climb", 'task cannot be "climb": write serial, compound, attempts or actions'),
    ("book 0 d12", "a book takes 1 hour or more"),
    ("book 20 d6 unit=moons", 'unit cannot be "moons": did you mean "months"?'),
    ("is ghost", 'is cannot be "ghost": write wild, face, extra, '),
    ("has 5 d6", "not the name of a trait"),
])  # fmt: skip
def test_a_faulty_event_is_answered_with_a_sentence(event: str, says: str) -> None:
    assert says in refused(event, kind=UsageError)


@pytest.mark.parametrize(("state", "says"), [
    ([], "not a JSON object"),
    ({"wound": 1}, 'unknown key "wound"; '),
    ({"wounds": 4}, "4 wounds, and a character has 3 wound levels"),
    ({"wounds": -1}, "wounds is -1"),
    ({"traits": {"vigor": "d7"}}, 'vigor cannot be "d7"'),
    ({"traits": {"": "d6"}}, "bad name"),
    ({"xp": 20, "rank": "Novice"}, "with 20 XP the rank is Seasoned, not Novice"),
    ({"injuries": [{"card": "1C"}]}, 'unknown card "1C"'),
    ({"injuries": [{"card": "2C", "permanent": True, "days": 3}]}, "cannot have 3 days left"),
    ({"tokens": [{"kind": "burn", "name": "x", "card": "RJ"}]}, "cannot be a joker"),
    ({"tokens": [{"kind": "marker", "name": "x"}]}, "the dice are"),
    ({"tasks": [{"name": "x", "kind": "serial", "target": 0}]}, "tasks[0].target is 0: it must be from 1 to 1,000,000"),
    ({"kind": "ghost"}, "cannot be read"),
])  # fmt: skip
def test_a_faulty_state_is_answered_with_a_sentence(state: Any, says: str) -> None:
    system = deadlands()
    with pytest.raises(HackjackError) as raised:
        game_of(system).read_state(state)
    assert says.replace('"; ', '"') in str(raised.value)

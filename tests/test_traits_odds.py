"""All odds of Deadlands 1876 beside a convolution written plainly, and beside the engine played out.

The convolution lists what a die may come to, ace by ace, and stops where what is left is less than 1e-15; then it walks
through both dice, every total beside every other. It knows nothing of the engine: the rules stand here once more.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers import run
from hypothesis import given, settings
from hypothesis import strategies as st
from test_deadlands import deadlands
from test_deadlands_odds import odds

from generator.base.cards import ALL_CODES
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.deadlands import odds as odds_of
from generator.games.deadlands.dice import SUCCESSES, Rules
from generator.games.deadlands.odds_dice import Case, chances
from generator.games.deadlands.table import Throw
from generator.play.chance import Seeded
from generator.words.chances import MOST_DIGITS, chance, counted

LEFT_OUT = 1e-15
"""Less than so much of a die is left out of the convolution; of two dice less than twice that."""
CLOSE = 1e-12


class One(NamedTuple):
    """What a die shows: its first face, its total, how likely."""

    first: int
    total: int
    share: float


@cache
def die(faces: int) -> tuple[One, ...]:
    """An acing die, ace by ace."""
    found = [One(face, face, 1 / faces) for face in range(1, faces)]
    aces, left = 1, 1 / faces
    while left >= LEFT_OUT:
        found += [One(faces, aces * faces + face, left / faces) for face in range(1, faces)]
        aces, left = aces + 1, left / faces
    assert abs(sum(one.share for one in found) + left - 1) < 1e-12
    return tuple(found)


class Way(NamedTuple):
    """A way for a roll to end: its result, its raises, whether the trait die showed 1, how likely."""

    result: str
    raises: int
    natural: bool
    share: float


@cache
def ways(faces: int, target: int, mod: int = 0, wild: int = 6, strict: bool = False) -> tuple[Way, ...]:
    """Both dice, total beside total; `wild` 0 rolls none. `strict` boxcars need the target number."""
    found: dict[tuple[str, int, bool], float] = {}
    for trait in die(faces):
        count = trait.total + mod
        if trait.first == 1 and mod > 0:
            count = 1
        for other in die(wild) if wild else (One(0, -99, 1.0),):
            total = max(count, other.total)
            raises = max(0, (total - target) // 4)
            if wild and trait.first == other.first == 1:
                end, raises = "critical_failure", 0
            elif wild and trait.first == faces and other.first == wild and (total >= target or not strict):
                end = "critical_success"
            elif total < target:
                end = "failure"
            else:
                end = "raise" if raises else "success"
            key = end, raises, trait.first == 1
            found[key] = found.get(key, 0.0) + trait.share * other.share
    return tuple(Way(*key, share) for key, share in found.items())


def share_of(listed: tuple[Way, ...], holds: Callable[[Way], bool]) -> float:
    return sum(way.share for way in listed if holds(way))


def good(way: Way) -> bool:
    return way.result in ("success", "raise", "critical_success")


def steps(way: Way) -> int:
    return 1 + way.raises if good(way) else 0


def ended(result: str) -> Callable[[Way], bool]:
    return lambda way: way.result == result


def four(listed: tuple[Way, ...]) -> dict[str, float]:
    return {
        "success": share_of(listed, good),
        "raise": share_of(listed, lambda way: way.raises > 0),
        "critical_success": share_of(listed, lambda way: way.result == "critical_success"),
        "critical_failure": share_of(listed, lambda way: way.result == "critical_failure"),
    }


def by_steps(listed: tuple[Way, ...], count: Callable[[int], int]) -> dict[str, float]:
    found = defaultdict[int, float](float)
    for way in listed:
        found[count(steps(way))] += way.share
    return {str(number): found[number] for number in sorted(found)}


def close(exact: Any, plain: Any) -> None:
    """Fractions beside floats, shape by shape."""
    if isinstance(plain, dict):
        assert list(exact) == list(plain)
        for name, part in plain.items():
            close(exact[name], part)
    elif isinstance(plain, list):
        assert len(exact) == len(plain)
        for one, other in zip(exact, plain, strict=True):
            close(one, other)
    else:
        assert isinstance(exact, Fraction) and abs(float(exact) - plain) < CLOSE


# --- one roll --------------------------------------------------------------------------------------------------------

FACES = st.sampled_from([4, 6, 8, 10, 12])


@settings(max_examples=40)
@given(
    faces=FACES,
    target=st.integers(1, 20),
    mod=st.integers(-6, 6),
    wild=st.sampled_from([0, 4, 6, 10]),
    strict=st.booleans(),
)
def test_a_trait_roll_beside_the_convolution(faces: int, target: int, mod: int, wild: int, strict: bool) -> None:
    rules = (("boxcars", "needs_target" if strict else "always"),)
    event = f"trait d{faces} tn={target} mod={mod} wild={f'd{wild}' if wild else 'none'}"
    close(odds(event, rules=rules), four(ways(faces, target, mod, wild, strict)))


@pytest.mark.parametrize("target", [1, 2, 3, 4, 5, 8, 9])
def test_coins_beside_the_convolution(target: int) -> None:
    listed = ways(2, target, wild=0)
    close(odds(f"unskilled tn={target}"), four(listed))
    close(odds(f"trait coin tn={target}"), four(listed))
    assert odds(f"unskilled tn={target}")["success"] == Fraction(1, 2 ** (target // 2))


def test_every_single_roll_of_the_rules_beside_the_convolution() -> None:
    """Each of them is a trait roll with a target number and a modifier of its own."""
    veteran = {"xp": 40, "traits": {"biology": "d12"}}
    token = {"kind": "hole", "name": "pioneer", "die": "d10"}
    joker = {"action": "RJ"}
    for event, state, listed in (
        ("contested d8 d12", {}, ways(8, 12)),
        ("contested coin d6", {}, ways(2, 6, wild=0)),
        ("guts d6", veteran, ways(6, 4, 2)),
        ("fear d6", veteran, ways(6, 4)),
        ("fear d6", joker, ways(6, 4, 2)),
        ("knowledge biology", veteran, ways(10, 4)),
        ("knowledge biology steps=3", veteran, ways(6, 4)),
        ("hole pioneer", {"tokens": [token]}, ways(10, 4)),
        ("hole pioneer", {"tokens": [token], "kind": "extra"}, ways(10, 4, wild=0)),
        ("trait d8", joker | {"kind": "face_card"}, ways(8, 4, 2)),
        ("trait d8 joker=no", joker, ways(8, 4)),
    ):
        close(odds(event, state), four(listed))
    close(odds("recover d6", veteran), {"recovered": share_of(ways(6, 4), good)})
    quick = share_of(ways(6, 4, 2), lambda way: good(way) and not way.natural)
    close(odds("recover d6 reflexes=yes", veteran), {"recovered": quick})


def test_injuries_and_kickers_go_into_the_odds() -> None:
    state = {
        "traits": {"vigor": "d8", "shooting": "d6"},
        "injuries": [{"card": "6C", "permanent": True}],
        "tokens": [{"kind": "kicker", "name": "k", "bonus": 2, "trait": "shooting"}],
    }
    close(odds("trait shooting kicker=k", state), four(ways(6, 4, 1)))
    close(odds("trait shooting", state), four(ways(6, 4, -1)))


@pytest.mark.parametrize(("card", "permanent", "by_name", "by_die", "fear"), [
    ("3H", False, 1, 1, 0), ("3H", True, 1, 1, 0), ("7H", False, 1, 1, 0), ("7H", True, 0, 0, 0),
    ("9H", True, 1, 1, 0), ("10H", True, 2, 2, 0), ("5C", False, 0, 0, 0),
    # One line on the card for both, and two lines, of which each counts.
    ("AH", False, 2, 2, 2), ("AH", True, 3, 2, 1),
])  # fmt: skip
def test_what_an_injury_takes_from_guts_checks_is_played_and_counted(
    card: str, permanent: bool, by_name: int, by_die: int, fear: int
) -> None:
    state = {"traits": {"spirit": "d6"}, "injuries": [{"card": card, "permanent": permanent}]}
    close(odds("guts spirit", state), four(ways(6, 4, -by_name)))
    close(odds("guts d6", state), four(ways(6, 4, -by_die)))
    close(odds("fear spirit", state), four(ways(6, 4, -fear)))


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 12])
def test_a_marker_beside_the_convolution(faces: int) -> None:
    close(odds(f"marker d{faces}"), {"success": share_of(ways(faces, 4, wild=0), good)})
    close(odds(f"marker d{faces}", {"action": "BJ"}), {"success": share_of(ways(faces, 4, 2, wild=0), good)})


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "mod"), [(4, 0), (8, 2), (12, -2)])
def test_fate_beside_the_convolution(faces: int, mod: int) -> None:
    total = 1.0
    for target in [*range(2, 11), 10, 10, 10, 11]:
        total += 4 * share_of(ways(faces, target, mod), good)
    close(odds(f"fate d{faces} mod={mod}"), {"success": total / 54})
    assert list(odds("fate coin")) == ["success"]


def test_a_fate_roll_may_be_rolled_again_for_a_chip_but_not_after_the_black_joker() -> None:
    total = 1.0
    for target in [*range(2, 11), 10, 10, 10, 11]:
        listed = ways(8, target)
        once = share_of(listed, good)
        total += 4 * once * (1 + share_of(listed, lambda way: way.result == "failure"))
    close(odds("fate d8", {"chips": 1}), {"success": total / 54})


@pytest.mark.parametrize(
    ("named", "lucky"),
    [
        ("QH", lambda card: card == "QH"),
        ("Q+", lambda card: card[:-1] in ("Q", "K", "A")),
        ("5-9", lambda card: card[:-1] in ("5", "6", "7", "8", "9")),
        ("spades", lambda card: card[-1] == "S"),
        ("black", lambda card: card[-1] in "SC"),
        ("red 10+", lambda card: card[-1] in "HD" and card[:-1] in ("10", "J", "Q", "K", "A")),
        ("faces", lambda card: card[:-1] in ("J", "Q", "K")),
        ("2C 3D", lambda card: card in ("2C", "3D")),
    ],
)
def test_luck_counted_card_by_card(named: str, lucky: Callable[[str], bool]) -> None:
    good_cards = [card for card in ALL_CODES if card in ("RJ", "BJ") or (card != "AS" and lucky(card))]
    assert odds(f"luck {named}") == {"success": Fraction(len(good_cards), 54), "bad_luck": Fraction(1, 54)}


# --- rolls that are repeated -----------------------------------------------------------------------------------------


def serial(rolls: list[tuple[Way, ...]]) -> list[float]:
    """The chance to have succeeded by each of so many tries."""
    done, open_, found = 0.0, 1.0, []
    for listed in rolls:
        done += open_ * share_of(listed, good)
        open_ *= share_of(listed, lambda way: way.result == "failure")
        found.append(done)
    return found


@pytest.mark.parametrize(("event", "roll"), [("d6 tn=8", ways(6, 8)), ("d12 tn=4 mod=-4", ways(12, 4, -4))])
def test_a_serial_roll_beside_the_convolution(event: str, roll: tuple[Way, ...]) -> None:
    found = odds(f"serial {event}")
    close(found, {"success": serial([roll] * 800)[-1], "by_try": serial([roll] * 10)})
    close(odds(f"serial {event} tries=3"), {"success": found["by_try"][2], "by_try": serial([roll] * 3)})


def test_a_serial_roll_without_a_wild_die_succeeds_in_the_end() -> None:
    assert odds("serial d4 tn=20", {"kind": "extra"})["success"] == 1


def test_joker_and_kicker_help_the_first_try_only() -> None:
    state: dict[str, Any] = {"tokens": [{"kind": "kicker", "name": "k", "bonus": 1}], "action": "RJ"}
    first, later = ways(6, 8, 3), ways(6, 8)
    found = odds("serial d6 tn=8 kicker=k", state)
    close(found["by_try"], serial([first] + [later] * 9))
    close(found["success"], serial([first] + [later] * 800)[-1])
    by_round = odds("attempts d6 tn=8 needs=1 rounds=3 kicker=k", state)["done_by"]
    assert abs(float(by_round[0]) - share_of(first, good)) < CLOSE
    compound = odds("compound d8 tn=8 kicker=k", state)
    close(compound, climbing([ways(8, 8, 3), ways(8, 10), ways(8, 12)]))


def climbing(rolls: list[tuple[Way, ...]]) -> dict[str, float]:
    ends, open_ = dict.fromkeys(("success", "failure", "critical_failure"), 0.0), 1.0
    for listed in rolls:
        ends["success"] += open_ * share_of(listed, good)
        ends["critical_failure"] += open_ * share_of(listed, lambda way: way.result == "critical_failure")
        open_ *= share_of(listed, lambda way: way.result == "failure")
    return ends | {"failure": open_}


@pytest.mark.parametrize(
    ("target", "targets"), [(4, [4, 6, 8, 10, 12]), (8, [8, 10, 12]), (11, [11, 12]), (12, [12]), (15, [15])]
)
def test_a_compound_roll_beside_the_convolution(target: int, targets: list[int]) -> None:
    close(odds(f"compound d8 tn={target}"), climbing([ways(8, number) for number in targets]))


def dramatic(listed: tuple[Way, ...], needs: int, rounds: int, raises: bool, setback: int) -> list[float]:
    alive, done, found = {0: 1.0}, 0.0, []
    for _ in range(rounds):
        after: dict[int, float] = {}
        for successes, weight in alive.items():
            for way in listed:
                then = successes + (steps(way) if raises else int(good(way)))
                if way.result == "critical_failure":
                    then = max(0, successes - setback)
                if then >= needs:
                    done += weight * way.share
                else:
                    after[then] = after.get(then, 0.0) + weight * way.share
        alive = after
        found.append(done)
    return found


@pytest.mark.parametrize(("raises", "counts"), [("count", True), ("one_each", False)])
@pytest.mark.parametrize(("setback", "lost"), [("one", 1), ("all", 99), ("none", 0)])
def test_a_dramatic_task_beside_the_convolution(raises: str, counts: bool, setback: str, lost: int) -> None:
    rules = (("task_raises", raises), ("task_setback", setback))
    found = odds("attempts d8 needs=5 tn=6 rounds=6", rules=rules)
    close(found, {"done_by": dramatic(ways(8, 6), 5, 6, counts, lost)})


def test_the_next_roll_for_a_task() -> None:
    task = {"name": "bomb", "kind": "actions", "target": 4, "needs": 3, "rounds": 5, "successes": 1, "tries": 2}
    plain, lucky = ways(6, 4), ways(6, 4, 2)
    done = (52 * share_of(plain, lambda way: steps(way) >= 2) + 2 * share_of(lucky, lambda way: steps(way) >= 2)) / 54
    close(odds("attempt bomb d6", {"tasks": [task]}), {"done": done, "open": 1 - done, "failed": 0.0, "jammed": 0.0})
    last = task | {"tries": 4}
    close(odds("attempt bomb d6", {"tasks": [last]}), {"done": done, "open": 0.0, "failed": 1 - done, "jammed": 0.0})
    door = {"name": "door", "kind": "serial", "target": 8}
    success, jam = share_of(ways(8, 8), good), share_of(ways(8, 8), lambda way: way.result == "critical_failure")
    expected = {"done": success, "open": 1 - success - jam, "failed": 0.0, "jammed": jam}
    close(odds("attempt door d8", {"tasks": [door]}), expected)
    with pytest.raises(HackjackError, match="is over"):
        odds("attempt door d8", {"tasks": [door | {"ends": "jammed"}]})


# --- wounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 12])
@pytest.mark.parametrize("wounds", [1, 2, 4])
def test_soaking_beside_the_convolution(faces: int, wounds: int) -> None:
    listed = ways(faces, 8)
    close(odds(f"soak d{faces} {wounds}"), {"soaked": by_steps(listed, lambda more: min(wounds, 1 + more))})


def test_the_charm_that_soaks_pays_for_no_second_attempt_besides() -> None:
    one: dict[str, Any] = {"chips": 0, "tokens": [{"kind": "charm", "name": "flask"}]}
    assert odds("soak d8 2 charm=flask", one) == odds("soak d8 2")
    assert odds("soak d8 2", {"chips": 1}) == odds("soak d8 2")
    two = {"chips": 1, "tokens": one["tokens"]}
    assert odds("soak d8 2 charm=flask", two) == odds("soak d8 2", {"chips": 2})


def test_incapacitation_beside_the_convolution() -> None:
    for event, mod in (("d6", 0), ("d10 hard=yes", 2), ("d4 mod=-1", -1)):
        listed = ways(int(event.split()[0][1:]), 4, mod)
        names = ("critical_failure", "failure", "success", "raise", "critical_success")
        expected = {name: share_of(listed, ended(name)) for name in names}
        close(odds(f"incapacitation {event}"), expected)


def test_healing_beside_the_convolution() -> None:
    hurt = {"wounds": 2, "chips": 3, "action": "RJ"}
    listed = ways(8, 4)
    close(odds("heal d8 healer=Doc", hurt), {"healed": by_steps(listed, lambda more: min(2, more))})
    own = odds("heal d8 joker=no", hurt | {"chips": 0})
    close(own, {"healed": by_steps(listed, lambda more: min(2, more))})
    with pytest.raises(HackjackError, match="golden hour"):
        odds("heal d8", {"wounds": 1, "late": True})


@pytest.mark.parametrize(("medic", "wounds"), [(4, 1), (8, 2), (12, 3)])
def test_a_night_with_medicine_beside_the_convolution(medic: int, wounds: int) -> None:
    helped = defaultdict[int, float](float)
    for way in ways(medic, 4):
        helped[steps(way)] += way.share
    expected = dict.fromkeys(map(str, range(wounds + 1)), 0.0)
    for plus, weight in helped.items():
        for way in ways(6, 4, plus):
            expected[str(min(wounds, steps(way)))] += weight * way.share
    close(odds(f"day d6 medicine=d{medic}", {"wounds": wounds}), {"healed": expected})
    assert odds("day", {"wounds": wounds, "traits": {"vigor": "d6"}}) == odds("day d6", {"wounds": wounds})


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 12])
def test_days_of_an_injury_beside_the_convolution(faces: int) -> None:
    plain = {str(14 - face): 1 / faces for face in range(faces, 0, -1)}
    close(odds(f"injury temporary d{faces}"), {"days": plain})
    acing = defaultdict[int, float](float)
    for one in die(faces):
        acing[max(0, 14 - one.total)] += one.share
    expected = {"days": {str(days): acing[days] for days in sorted(acing)}}
    close(odds(f"injury temporary d{faces}", rules=(("injury_days", "acing"),)), expected)


# --- the bound that the convolution rests on -------------------------------------------------------------------------


@given(faces=st.sampled_from([2, 4, 6, 8, 10, 12]), target=st.integers(1, 60))
def test_what_the_convolution_leaves_out_is_less_than_it_says(faces: int, target: int) -> None:
    reached = sum(one.share for one in die(faces) if one.total >= target)
    exact = chances(Throw(Dice(1, faces), None, 0, target), Rules.of(deadlands()))
    success = sum((share for case, share in exact.items() if case.result in SUCCESSES), Fraction(0))
    assert -1e-13 < float(success) - reached < LEFT_OUT + 1e-13


@given(faces=FACES, target=st.integers(1, 14), mod=st.integers(-4, 4))
def test_chances_are_a_whole(faces: int, target: int, mod: int) -> None:
    found = chances(Throw(Dice(1, faces), Dice(1, 6), mod, target), Rules.of(deadlands()), most=4)
    assert sum(found.values()) == 1
    assert all(share > 0 for share in found.values())
    assert all(isinstance(case, Case) and 0 <= case.raises <= 4 for case in found)


@given(faces=FACES, target=st.integers(2, 14), mod=st.integers(-4, 4))
def test_more_is_never_worse(faces: int, target: int, mod: int) -> None:
    """A bonus, a lower target number, a wild die or a chip: none of them lowers the chance."""
    base = odds(f"trait d{faces} tn={target} mod={mod}")["success"]
    assert odds(f"trait d{faces} tn={target} mod={mod + 1}")["success"] >= base
    assert odds(f"trait d{faces} tn={target - 1} mod={mod}")["success"] >= base
    assert odds(f"trait d{faces} tn={target} mod={mod}", {"chips": 1})["success"] >= base
    assert odds(f"trait d{faces} tn={target} mod={mod} wild=none", rules=())["success"] <= base + Fraction(1, 6 * faces)


# --- the engine played out -------------------------------------------------------------------------------------------

PLAYS = 1200
LONG = {"tasks": [{"name": "bomb", "kind": "actions", "target": 4, "needs": 2, "rounds": 5}]}
PLAYED: list[tuple[str, dict[str, Any], tuple[str, ...], Callable[[Any], bool]]] = [
    ("trait d8 tn=6 mod=1", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("trait d10", {}, ("raise",), lambda state: state.last.raises > 0),
    ("trait d6 tn=8", {"chips": 2}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("unskilled", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("contested d8 d10", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("serial d6 tn=8", {"action": "RJ"}, ("success",), lambda state: state.last.result == "done"),
    ("compound d8 tn=8", {}, ("critical_failure",), lambda state: state.last.result == "jammed"),
    ("attempts d8 needs=3 tn=6 rounds=3", {}, ("done_by", "2"), lambda state: state.last.result == "done"),
    ("attempt bomb d6", LONG, ("done",), lambda state: state.tasks[0].ends == "done"),
    ("luck Q+ red", {}, ("success",), lambda state: state.last.result == "success"),
    ("fate d8", {"chips": 1}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("guts d6", {"xp": 70}, ("success",), lambda state: not state.shaken),
    ("fear d6", {"xp": 70}, ("critical_failure",), lambda state: state.last.result == "critical_failure"),
    ("recover d6 reflexes=yes", {"xp": 40}, ("recovered",), lambda state: not state.shaken),
    ("knowledge d10 steps=2", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("soak d8 3", {"chips": 2}, ("soaked", "1"), lambda state: state.wounds == 2),
    ("incapacitation d8 hard=yes", {}, ("failure",), lambda state: state.standing == "bleeding"),
    ("heal d8 healer=Doc", {"wounds": 3, "chips": 2}, ("healed", "1"), lambda state: state.wounds == 2),
    ("day d6 medicine=d8", {"wounds": 3}, ("healed", "0"), lambda state: state.wounds == 3),
    (
        "hole pioneer tn=6",
        {"tokens": [{"kind": "hole", "name": "pioneer", "die": "d6"}]},
        ("success",),
        lambda state: state.last.result in SUCCESSES,
    ),
    ("marker d6", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("book 20 d12", {}, ("time", "11"), lambda state: state.last.total == 11),
    ("book 3 d8", {}, ("time", "1"), lambda state: state.last.total == 1),
]


@pytest.mark.parametrize(("event", "before", "path", "holds"), PLAYED, ids=[f"{event}" for event, *_ in PLAYED])
def test_the_engine_played_out(
    event: str, before: dict[str, Any], path: tuple[str, ...], holds: Callable[[Any], bool]
) -> None:
    """Within four and a half standard errors; whoever may roll again does."""
    system = deadlands()
    game = game_of(system)
    state, happening = game.read_state(before), game.read_event(event.split(), {})
    share: Any = odds(event, before)
    for name in path:
        share = share[int(name)] if isinstance(share, list) else share[name]
    luck = Seeded(20_16, [2] * 3 * PLAYS)
    hits = sum(holds(game.step(state, happening, luck)[0]) for _ in range(PLAYS))
    p = float(share)
    assert 0 < p < 1
    assert abs(hits / PLAYS - p) < 4.5 * (p * (1 - p) / PLAYS) ** 0.5


def test_injury_days_played_out_over_every_face() -> None:
    system = deadlands()
    game = game_of(system)
    state, happening = game.read_state({}), game.read_event(["injury", "temporary", "d8"], {})
    luck = Seeded(9)
    for _ in range(200):
        after, _ = game.step(state, happening, luck)
        assert all(6 <= injury.days <= 13 for injury in after.injuries if not injury.permanent)


def test_every_question_is_played_out_or_counted_here() -> None:
    assert {event.split()[0] for event, *_ in PLAYED} | {"injury"} == set(odds_of.QUESTIONS)


# --- shapes, and questions too large ---------------------------------------------------------------------------------

SHAPES = {
    "trait d8 --at mod=+2 --at tn=6": ["success", "raise", "critical_success", "critical_failure"],
    "luck QH": ["success", "bad_luck"],
    "fate d8": ["success"],
}


@pytest.mark.parametrize("line", SHAPES)
def test_the_shapes_of_json_are_the_contract(line: str) -> None:
    ran = run("odds", "deadlands", *line.split(), "--json")
    assert (ran.code, ran.err) == (0, "")
    value = json.loads(ran.out)
    assert list(value) == SHAPES[line]
    for part in value.values():
        assert list(part) == ["fraction", "p"]
        assert abs(float(Fraction(part["fraction"])) - part["p"]) < 1e-15
        assert re.fullmatch(r"[0-9]+/[0-9]+", part["fraction"])


@pytest.mark.parametrize("event", [event for event, *_ in PLAYED])
def test_every_answer_is_said_in_lines_and_in_json(event: str, tmp_path: Path) -> None:
    before = next(state for known, state, *_ in PLAYED if known == event)
    (tmp_path / "state.json").write_text(json.dumps(before))
    ran = run("odds", "deadlands", *event.split(), "--state", tmp_path / "state.json")
    assert (ran.code, ran.err) == (0, "") and "%" in ran.out and "None" not in ran.out


@pytest.mark.parametrize(
    ("event", "state", "says"),
    [
        ("serial d4 tn=100 tries=1000", {}, "more than 4,000 digits"),
        ("attempts d4 needs=31", {}, "up to 30 successes"),
        ("attempt it d4", {"tasks": [{"name": "it", "kind": "attempts", "target": 4, "needs": 400}]}, "up to 30"),
        ("trait d8", {"chips": 101}, "100 second attempts"),
        ("trait d8", {"chips": 1_000_000}, "100 second attempts"),
        ("soak d8 101", {}, "from 1 to 100"),
        ("soak d8 0", {}, "about to be taken, 1 or more"),
        ("soak d8 2", {"chips": 0}, "no Fate Chip is left"),
        ("soak d8 2", {"kind": "face_card"}, "no Fate Chips to spend"),
        ("heal d8", {"levels": 1_000_000}, "from 1 to 100"),
        ("day d8 medicine=d8", {"levels": 31, "wounds": 31}, "from 1 to 30"),
        ("day", {}, "roll Vigor"),
        ("incapacitation d8", {"kind": "extra"}, "slain by a wound"),
        ("incapacitation d8", {"standing": "bleeding"}, "has been made"),
        ("trait d8", {"standing": "dead"}, "dead"),
        ("heal d8", {"healed": True}, "only a fresh wound"),
        ("hole pioneer", {}, "holds no hole"),
        ("marker Bohannon", {}, "holds no marker"),
        ("compound d8", {"chips": 1}, "without chips"),
        ("book 0 d8", {}, "1 hour or more"),
        ("injury permanent d8", {}, "injury temporary DIE"),
        ("recover d8 reflexes=yes", {"kind": "extra"}, "no Edges"),
        ("knowledge d4", {}, "too far away"),
        ("guts spirit", {}, 'no trait "spirit"'),
        ("action", {}, "has no odds"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(event: str, state: dict[str, Any], says: str) -> None:
    with pytest.raises(HackjackError) as raised:
        odds(event, state)
    assert says in str(raised.value) and "\n" not in str(raised.value)


def test_a_fraction_is_written_whole_or_not_at_all() -> None:
    longest = Fraction(1, 10**MOST_DIGITS - 1)
    assert len(chance(longest)["fraction"]) == MOST_DIGITS + 2
    assert counted(longest) == longest
    with pytest.raises(HackjackError, match="4,000 digits"):
        chance(Fraction(1, 10**MOST_DIGITS))

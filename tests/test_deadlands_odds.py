"""The odds of Deadlands 1876 beside a second computation: a plain recursion over faces, and the engine played out."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from helpers import run
from hypothesis import given
from hypothesis import strategies as st
from test_deadlands import deadlands, play

from generator.base.cards import ALL_CODES
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.deadlands.dice import Rules
from generator.games.deadlands.odds_dice import chances, shown, with_attempts
from generator.games.deadlands.table import Throw
from generator.games.face import Asked
from generator.play.chance import Seeded

FACES = (4, 6, 8, 10, 12)


def odds(event: str, state: dict[str, Any] | None = None, rules: tuple[tuple[str, str], ...] = (), **asked: Any) -> Any:
    """The odds as plain data with exact fractions in place of shares."""
    system = deadlands(*rules)
    game = game_of(system)
    answer = game.odds(game.read_state(state or {}), game.read_question(event.split(), {}), Asked(**asked))
    assert answer.lines
    return exact(answer.plain)


def exact(plain: Any) -> Any:
    if isinstance(plain, list):
        return [exact(part) for part in plain]
    if "fraction" in plain:
        share = Fraction(plain["fraction"])
        assert plain["p"] == pytest.approx(float(share))
        return share
    return {name: exact(part) for name, part in plain.items()}


# --- the second computation ------------------------------------------------------------------------------------------


@cache
def at_least(faces: int, target: int) -> Fraction:
    """An acing die, face by face."""
    if target <= 1:
        return Fraction(1)
    ways = [Fraction(face >= target) for face in range(1, faces)]
    return (sum(ways, Fraction(0)) + max(Fraction(target <= faces), at_least(faces, target - faces))) / faces


def at_least_from(faces: int, first: int, target: int) -> Fraction:
    """The same once its first face is known."""
    return at_least(faces, target - first) if first == faces and target > first else Fraction(first >= target)


def witness(faces: int, target: int, mod: int = 0, wild: int = 6, always: bool = True) -> dict[str, Fraction]:
    """All first faces of both dice, one after the other."""
    found = dict.fromkeys(("success", "raise", "critical_success", "critical_failure"), Fraction(0))
    for first in range(1, faces + 1):
        for other in range(1, (wild or 1) + 1):
            share = Fraction(1, faces * (wild or 1))

            def reached(goal: int, first: int = first, other: int = other) -> Fraction:
                own = Fraction(min(1, 1 + mod) >= goal) if first == 1 else at_least_from(faces, first, goal - mod)
                theirs = at_least_from(wild, other, goal) if wild else Fraction(0)
                return 1 - (1 - own) * (1 - theirs)

            if wild and first == other == 1:
                found["critical_failure"] += share
                continue
            boxcars = bool(wild) and first == faces and other == wild
            success = Fraction(1) if boxcars and always else reached(target)
            found["success"] += share * success
            found["raise"] += share * reached(target + 4)
            found["critical_success"] += share * (success if boxcars else 0)
    return found


def reaches(die: Dice, target: int) -> Fraction:
    """The chance that an acing die comes to a total of `target` or more, as one formula.

    With n faces and q = (target - 1) div n aces needed, that is n to the power of -q, times the share of faces that
    carry the rest.
    """
    if target <= 1:
        return Fraction(1)
    aces, rest = divmod(target - 1, die.faces)
    return Fraction(die.faces - rest, die.faces) * Fraction(1, die.faces**aces)


@given(faces=st.sampled_from(FACES), target=st.integers(1, 40))
def test_the_closed_formula_of_an_acing_die(faces: int, target: int) -> None:
    assert reaches(Dice(1, faces), target) == at_least(faces, target)
    cases = list(shown(Dice(1, faces), target))
    assert sum(share for _, share in cases) == 1
    assert sum(share for one, share in cases if one.total >= target) == at_least(faces, target)


@given(
    faces=st.sampled_from(FACES),
    target=st.integers(1, 25),
    mod=st.integers(-5, 5),
    wild=st.sampled_from([0, 4, 6, 8]),
    always=st.booleans(),
)
def test_a_trait_roll_against_the_witness(faces: int, target: int, mod: int, wild: int, always: bool) -> None:
    rules = (("boxcars", "always" if always else "needs_target"),)
    found = odds(f"trait d{faces} tn={target} mod={mod} wild={f'd{wild}' if wild else 'none'}", rules=rules)
    assert found == witness(faces, target, mod, wild, always)


def test_the_shape_of_trait_luck_and_fate_is_the_contract() -> None:
    trait = json.loads(run("odds", "deadlands", "trait", "d8", "--at", "mod=+2", "--at", "tn=6", "--json").out)
    assert list(trait) == ["success", "raise", "critical_success", "critical_failure"]
    assert trait["critical_success"] == {"fraction": "1/48", "p": 1 / 48}
    assert list(json.loads(run("odds", "deadlands", "luck", "QH", "--json").out)) == ["success", "bad_luck"]
    assert list(json.loads(run("odds", "deadlands", "fate", "d6", "--json").out)) == ["success"]


def test_the_common_roll() -> None:
    found = odds("trait d8")
    assert found["success"] == 1 - Fraction(3, 8) * Fraction(3, 6)
    assert found["raise"] == 1 - Fraction(7, 8) * (1 - Fraction(5, 36))


def test_coins() -> None:
    for heads, target in ((1, 3), (2, 4), (2, 5), (3, 6), (3, 7), (4, 8)):
        assert odds(f"unskilled tn={target}")["success"] == Fraction(1, 2**heads)


def test_a_contested_roll_is_a_roll_against_the_other_die() -> None:
    assert odds("contested d8 d12") == odds("trait d8 tn=12")


def test_luck_is_counted_over_54_cards() -> None:
    assert odds("luck QH") == {"success": Fraction(3, 54), "bad_luck": Fraction(1, 54)}
    assert odds("luck Q+") == {"success": Fraction(13, 54), "bad_luck": Fraction(1, 54)}
    assert odds("luck spades") == {"success": Fraction(14, 54), "bad_luck": Fraction(1, 54)}
    assert odds("luck 2C 3C 4C")["success"] == Fraction(5, 54)


@given(
    st.lists(st.sampled_from(["hearts", "red", "black", "faces", "Q+", "5-9", "2-A"]), min_size=1, max_size=2)
    | st.lists(st.sampled_from([code for code in ALL_CODES if code not in ("AS", "RJ", "BJ")]), min_size=1, max_size=5)
)
def test_luck_as_it_is_drawn_card_by_card(named: list[str]) -> None:
    drawn = [play(f"luck {' '.join(named)}", cards=[code])[0]["last"]["result"] for code in ALL_CODES]
    shares = {end: Fraction(drawn.count(end), 54) for end in ("success", "bad_luck")}
    assert odds(f"luck {' '.join(named)}") == shares


@pytest.mark.parametrize("mod", [-2, 0, 3])
def test_fate_is_the_mean_over_the_cards(mod: int) -> None:
    targets = [*range(2, 11), 10, 10, 10, 11]
    mean = sum((4 * witness(8, target, mod)["success"] for target in targets), Fraction(1)) / 54
    assert odds(f"fate d8 mod={mod}")["success"] == mean


def test_fate_favours_a_high_target_number() -> None:
    """As the source says of it."""
    assert odds("fate d6")["success"] < odds("trait d6")["success"]


def test_a_serial_roll_ends_in_success_or_in_a_jam() -> None:
    roll = witness(6, 8)
    found = odds("serial d6 tn=8")
    good, bad = roll["success"], roll["critical_failure"]
    assert found["success"] == good / (good + bad)
    open_ = 1 - good - bad
    assert found["by_try"] == [good * (1 - open_**tries) / (1 - open_) for tries in range(1, 11)]
    assert odds("serial d6 tn=8 tries=3")["success"] == found["by_try"][2]


def test_a_compound_roll_step_after_step() -> None:
    ends = {"success": Fraction(0), "failure": Fraction(0), "critical_failure": Fraction(0)}
    open_ = Fraction(1)
    for target in (8, 10, 12):
        roll = witness(8, target)
        ends["success"] += open_ * roll["success"]
        ends["critical_failure"] += open_ * roll["critical_failure"]
        open_ *= 1 - roll["success"] - roll["critical_failure"]
    ends["failure"] = open_
    assert odds("compound d8 tn=8") == ends


def steps_of(faces: int, target: int, most: int, mod: int = 0) -> dict[int, Fraction]:
    """Successes and raises together, as the witness has them; boxcars are at least one."""
    reach = [witness(faces, target + 4 * raises, mod, always=False)["success"] for raises in range(most + 1)]
    steps = {raises + 1: reach[raises] - (reach[raises + 1] if raises < most else 0) for raises in range(most + 1)}
    lifted = witness(faces, target, mod)["success"] - reach[0]
    steps[1] += lifted
    return steps | {0: 1 - sum(steps.values(), Fraction(0))}


@pytest.mark.parametrize(("faces", "wounds"), [(4, 1), (6, 2), (12, 4)])
def test_soaking(faces: int, wounds: int) -> None:
    expected: dict[str, Fraction] = {}
    for steps, share in steps_of(faces, 8, wounds).items():
        gone = str(min(wounds, 1 + steps))
        expected[gone] = expected.get(gone, Fraction(0)) + share
    assert odds(f"soak d{faces} {wounds}")["soaked"] == dict(sorted(expected.items()))


def test_incapacitation_has_five_ends() -> None:
    found, roll = odds("incapacitation d8"), witness(8, 4)
    assert sum(found.values()) == 1
    assert found["critical_failure"] == roll["critical_failure"]
    assert found["critical_success"] == roll["critical_success"]
    assert found["failure"] == 1 - roll["success"] - roll["critical_failure"]
    assert odds("incapacitation d8 hard=yes") == odds("incapacitation d8 mod=2")


def test_a_night_with_medicine() -> None:
    expected: dict[str, Fraction] = {}
    for plus, weight in steps_of(8, 4, 30).items():
        for steps, share in steps_of(6, 4, 3, plus).items():
            healed = str(min(2, steps))
            expected[healed] = expected.get(healed, Fraction(0)) + weight * share
    assert odds("day d6 medicine=d8", {"wounds": 2})["healed"] == dict(sorted(expected.items()))


def test_books_and_injuries_and_markers() -> None:
    assert odds("book 20 d12")["time"] == {str(time): Fraction(1, 12) for time in range(8, 20)}
    assert odds("book 16 d4 unit=weeks")["time"] == {str(time): Fraction(1, 4) for time in range(12, 16)}
    assert odds("injury temporary d8")["days"] == {str(days): Fraction(1, 8) for days in range(6, 14)}
    acing = odds("injury temporary d4", rules=(("injury_days", "acing"),))["days"]
    assert sum(acing.values()) == 1 and acing["13"] == Fraction(1, 4) and acing["9"] == Fraction(1, 16)
    for faces in FACES:
        assert odds(f"marker d{faces}") == {"success": at_least(faces, 4)}


def test_chips_for_second_attempts() -> None:
    once, roll = odds("trait d6 tn=6"), witness(6, 6)
    failed = 1 - roll["success"] - roll["critical_failure"]
    assert odds("trait d6 tn=6", {"chips": 1})["success"] == once["success"] * (1 + failed)
    assert odds("trait d6 tn=6", {"chips": 2})["success"] == once["success"] * (1 + failed + failed**2)
    assert odds("trait d6 tn=6", {"chips": 2}, policy="worst") == once
    half = odds("trait d6 tn=6", {"chips": 1}, policy="even")["success"]
    assert half == once["success"] * (1 + failed / 2)
    assert odds("trait d6", {"chips": 5, "kind": "extra"}) == odds("trait d6", {"kind": "extra"})


@given(faces=st.sampled_from(FACES), again=st.integers(0, 4), taken=st.fractions(0, 1), target=st.integers(2, 12))
def test_chances_add_up_to_one(faces: int, again: int, taken: Fraction, target: int) -> None:
    once = chances(Throw(Dice(1, faces), Dice(1, 6), 0, target), Rules.of(deadlands()), most=3)
    assert sum(once.values()) == 1
    assert sum(with_attempts(once, again, taken).values()) == 1


def test_a_dramatic_task_round_by_round() -> None:
    steps = steps_of(8, 6, 5)
    jam = witness(8, 6)["critical_failure"]
    alive, expected, done = {0: Fraction(1)}, [], Fraction(0)
    for _ in range(4):
        after: dict[int, Fraction] = {}
        for successes, weight in alive.items():
            for more, share in steps.items():
                for lost, part in ((1, jam), (0, share - jam)) if more == 0 else ((0, share),):
                    then = max(0, successes + more - lost)
                    if then >= 5:
                        done += weight * part
                    else:
                        after[then] = after.get(then, Fraction(0)) + weight * part
        alive = after
        expected.append(done)
    assert odds("attempts d8 needs=5 tn=6 rounds=4")["done_by"] == expected


@pytest.mark.parametrize(
    ("event", "state", "name", "counts"),
    [
        ("trait d6 tn=7 mod=1", {}, "success", ("success", "raise", "critical_success")),
        ("fate d10", {}, "success", ("success", "raise", "critical_success")),
        ("compound d8 tn=6", {}, "success", ("done",)),
        ("guts d6", {"xp": 40}, "success", ("success", "raise", "critical_success")),
        ("trait d6 tn=8", {"chips": 1}, "success", ("success", "raise", "critical_success")),
    ],
)
def test_the_engine_played_out_comes_close(
    event: str, state: dict[str, Any], name: str, counts: tuple[str, ...]
) -> None:
    system = deadlands()
    game = game_of(system)
    before, happening = game.read_state(state), game.read_event(event.split(), {})
    plays, hits = 4000, 0
    luck = Seeded(11, [2] * plays)
    for _ in range(plays):
        after, _ = game.step(before, happening, luck)
        hits += after.last.result in counts
    share = float(odds(event, state)[name])
    assert abs(hits / plays - share) < 4.5 * (share * (1 - share) / plays) ** 0.5


def test_what_has_no_odds_is_refused() -> None:
    for event, says in (
        ("wound 1", "has no odds"),
        ("injury", "write injury temporary DIE"),
        ("day", "roll Vigor: day DIE"),
    ):
        with pytest.raises(HackjackError, match=says):
            odds(event)
    with pytest.raises(HackjackError, match="without chips"):
        odds("serial d6", {"chips": 1})
    with pytest.raises(HackjackError, match="leave out --hits"):
        odds("trait d6", hits=2)
    ran = run("odds", "deadlands", "trait", "d8", "--dice", "3")
    assert ran.code == 2 and "leave out" in ran.err


# --- the fallen, short books and free soaks --------------------------------------------------------------------------


def test_the_odds_of_first_aid_to_the_bleeding_are_those_of_a_success() -> None:
    bleeding = {"standing": "bleeding", "wounds": 3, "chips": 2}
    alone = odds("trait d8")["success"]
    assert odds("heal d8 healer=Doc", bleeding) == {"stopped": alone}
    assert odds("heal d8", bleeding) == {"stopped": alone}, "the patient's chips pay for nothing"
    woken = {"standing": "unconscious", "wounds": 2, "healed": True}
    assert odds("heal d8", woken) == {"woken": alone}
    assert set(odds("heal d8", bleeding, rules=(("bleeding", "wounds_first"),))["healed"]) == {"0", "1", "2", "3"}


def test_the_fallen_have_no_odds_but_those_of_vigor() -> None:
    down = {"standing": "unconscious", "wounds": 3, "traits": {"vigor": "d8"}}
    assert odds("trait vigor", down) == odds("trait d8")
    with pytest.raises(HackjackError, match="does nothing"):
        odds("trait d8", down)


def test_the_odds_of_a_short_book() -> None:
    assert odds("book 3 d4")["time"] == {"1": Fraction(3, 4), "2": Fraction(1, 4)}
    none_left = odds("book 3 d4", rules=(("short_books", "none_left"),))["time"]
    assert none_left == {"0": Fraction(1, 2), "1": Fraction(1, 4), "2": Fraction(1, 4)}


def test_the_odds_of_a_free_soak_and_of_wounds_just_taken() -> None:
    assert odds("soak d8 3 free=yes", {"chips": 0}) == odds("soak d8 3")
    alone = odds("soak d8 3 free=yes", rules=(("free_soak", "roll_alone"),))["soaked"]
    paid = odds("soak d8 4")["soaked"]
    assert {int(gone) + 1: share for gone, share in alone.items()} == {int(gone): share for gone, share in paid.items()}
    hurt, _ = play("wound 3")
    assert odds("soak d8", hurt) == odds("soak d8 3")

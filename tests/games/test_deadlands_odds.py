"""Odds of Deadlands 1876 beside a second computation: of all that the same rules as steps do not count as well.

It lists what a die may come to, ace by ace, and walks through both dice, every total beside every other. It knows
nothing of the engine: the rules stand here once more. Totals from MOST on are one, for no question here tells them
apart; so its shares are exact fractions too. What wounds, checks and contests come to is in `test_deadlands_steps.py`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from games.test_rules import deadlands, play
from helpers import run
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.deadlands.dice import SUCCESSES
from generator.games.face import Asked
from generator.play.chance import Seeded
from generator.words.chances import MAX_DIGITS, plain_chance, writable_share

MOST = 60
LADDER = (4, 6, 8, 10, 12)
FACES = st.sampled_from(LADDER)


def odds(event: str, state: dict[str, Any] | None = None, rules: tuple[tuple[str, str], ...] = (), **asked: Any) -> Any:
    """The odds as plain data with exact fractions in place of shares."""
    game = game_of(deadlands(*rules))
    answer = game.odds(game.read_state(state or {}), game.read_question(event.split(), {}), Asked(**asked))
    assert any("%" in line for line in answer.lines) and "None" not in " ".join(answer.lines)
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
def die(faces: int) -> tuple[tuple[int, int, Fraction], ...]:
    """An acing die, ace by ace: its first face, its total, how likely."""
    found = [(face, face, Fraction(1, faces)) for face in range(1, faces)]
    aced, left = faces, Fraction(1, faces)
    while aced < MOST:
        found += [(faces, aced + face, left / faces) for face in range(1, faces)]
        aced, left = aced + faces, left / faces
    return (*found, (faces, aced, left))


class Way(NamedTuple):
    """A way for a roll to end: its result, its raises, whether the trait die showed 1."""

    result: str
    raises: int
    natural: bool


Ways = dict[Way, Fraction]


@cache
def ways(faces: int, target: int, mod: int = 0, wild: int = 6, strict: bool = False) -> Ways:
    """Both dice, total beside total; `wild` 0 rolls none. `strict` boxcars need the target number."""
    found: Ways = defaultdict(Fraction)
    for first, shows, share in die(faces):
        count = min(1, 1 + mod) if first == 1 else shows + mod
        for other, wild_shows, weight in die(wild) if wild else ((0, -99, Fraction(1)),):
            total = max(count, wild_shows)
            raises = max(0, (total - target) // 4)
            if wild and first == other == 1:
                end, raises = "critical_failure", 0
            elif wild and first == faces and other == wild and (total >= target or not strict):
                end = "critical_success"
            elif total < target:
                end = "failure"
            else:
                end = "raise" if raises else "success"
            found[Way(end, raises, first == 1)] += share * weight
    assert sum(found.values()) == 1
    return found


def share_of(listed: Ways, holds: Callable[[Way], bool]) -> Fraction:
    return sum((share for way, share in listed.items() if holds(way)), Fraction(0))


def ended(listed: Ways, result: str) -> Fraction:
    return share_of(listed, lambda way: way.result == result)


def success(listed: Ways) -> Fraction:
    return sum((ended(listed, result) for result in SUCCESSES), Fraction(0))


def steps(way: Way) -> int:
    return 1 + way.raises if way.result in SUCCESSES else 0


def four(listed: Ways) -> dict[str, Fraction]:
    return {
        "success": success(listed),
        "raise": share_of(listed, lambda way: way.raises > 0),
        "critical_success": ended(listed, "critical_success"),
        "critical_failure": ended(listed, "critical_failure"),
    }


def by_steps(listed: Ways, count: Callable[[int], int]) -> dict[str, Fraction]:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for way, share in listed.items():
        found[count(steps(way))] += share
    return {str(number): found[number] for number in sorted(found)}


# --- one roll --------------------------------------------------------------------------------------------------------


@given(faces=FACES, target=st.integers(1, 20), mod=st.integers(-6, 6), wild=st.sampled_from([0, 4, 6, 10]),
       strict=st.booleans())  # fmt: skip
def test_a_trait_roll(faces: int, target: int, mod: int, wild: int, strict: bool) -> None:
    rules = (("boxcars", "needs_target" if strict else "always"),)
    event = f"trait d{faces} tn={target} mod={mod} wild={f'd{wild}' if wild else 'none'}"
    assert odds(event, rules=rules) == four(ways(faces, target, mod, wild, strict))


VETERAN = {"xp": 40, "traits": {"biology": "d12"}}
HOLE = {"tokens": [{"kind": "hole", "name": "pioneer", "die": "d10"}]}
HURT = {
    "traits": {"vigor": "d8", "shooting": "d6"},
    "injuries": [{"card": "6C", "permanent": True}],
    "tokens": [{"kind": "kicker", "name": "k", "bonus": 2, "trait": "shooting"}],
}


@pytest.mark.parametrize(("event", "state", "listed"), [
    *((f"unskilled tn={target}", {}, ways(2, target, wild=0)) for target in (1, 3, 4, 9)),
    ("trait coin tn=5", {}, ways(2, 5, wild=0)),
    ("fear d6", VETERAN, ways(6, 4)),
    ("knowledge biology", VETERAN, ways(10, 4)),
    ("hole pioneer", HOLE, ways(10, 4)),
    ("hole pioneer", HOLE | {"kind": "extra"}, ways(10, 4, wild=0)),
    ("trait shooting kicker=k", HURT, ways(6, 4, 1)),
    ("trait shooting", HURT, ways(6, 4, -1)),
    ("trait vigor", {"standing": "unconscious", "traits": {"vigor": "d8"}}, ways(8, 4)),
])  # fmt: skip
def test_every_single_roll(event: str, state: dict[str, Any], listed: Ways) -> None:
    """Each of them is a trait roll with a target number and a modifier of its own."""
    assert odds(event, state) == four(listed)


@pytest.mark.parametrize(("card", "permanent", "by_name", "by_die", "fear"), [
    ("3H", False, 1, 1, 0), ("3H", True, 1, 1, 0), ("7H", False, 1, 1, 0), ("7H", True, 0, 0, 0),
    ("9H", True, 1, 1, 0), ("10H", True, 2, 2, 0), ("5C", False, 0, 0, 0),
    # One line on the card for both, and two lines, of which each counts.
    ("AH", False, 2, 2, 2), ("AH", True, 3, 2, 1),
])  # fmt: skip
def test_what_an_injury_takes_from_checks(card: str, permanent: bool, by_name: int, by_die: int, fear: int) -> None:
    state = {"traits": {"spirit": "d6"}, "injuries": [{"card": card, "permanent": permanent}]}
    for event, taken in (("guts spirit", by_name), ("guts d6", by_die), ("fear spirit", fear)):
        assert odds(event, state) == four(ways(6, 4, -taken))


def test_recovering_and_markers() -> None:
    assert odds("recover d6", VETERAN) == {"recovered": success(ways(6, 4))}
    quick = share_of(ways(6, 4, 2), lambda way: way.result in SUCCESSES and not way.natural)
    assert odds("recover d6 reflexes=yes", VETERAN) == {"recovered": quick}
    for faces in LADDER:
        assert odds(f"marker d{faces}") == {"success": success(ways(faces, 4, wild=0))}
        assert odds(f"marker d{faces}", {"action": "BJ"}) == {"success": success(ways(faces, 4, 2, wild=0))}


def test_chips_for_second_attempts() -> None:
    once, failed = odds("trait d6 tn=6"), ended(ways(6, 6), "failure")
    for state, policy, rolls in (
        ({"chips": 1}, "best", 1 + failed),
        ({"chips": 2}, "best", 1 + failed + failed**2),
        ({"chips": 2}, "worst", 1),
        ({"chips": 1}, "even", 1 + failed / 2),
    ):
        assert odds("trait d6 tn=6", state, policy=policy)["success"] == once["success"] * rolls


# --- cards -----------------------------------------------------------------------------------------------------------

FATES = [*range(2, 11), 10, 10, 10, 11]


@pytest.mark.parametrize(("faces", "mod", "chips"), [(4, 0, 0), (8, 2, 0), (12, -2, 0), (8, 0, 1)])
def test_fate_is_the_mean_over_the_cards(faces: int, mod: int, chips: int) -> None:
    """A chip rolls a failure again, but does not help against the black joker."""
    rolls = (ways(faces, target, mod) for target in FATES)
    total = sum((4 * success(roll) * (1 + chips * ended(roll, "failure")) for roll in rolls), Fraction(1))
    assert odds(f"fate d{faces} mod={mod}", {"chips": chips}) == {"success": total / 54}
    assert list(odds("fate coin")) == ["success"]


@pytest.mark.parametrize(("named", "lucky"), [
    ("QH", lambda card: card == "QH"),
    ("Q", lambda card: card[:-1] == "Q"),
    ("Q+", lambda card: card[:-1] in ("Q", "K", "A")),
    ("5-9", lambda card: card[:-1] in ("5", "6", "7", "8", "9")),
    ("spades", lambda card: card[-1] == "S"),
    ("black", lambda card: card[-1] in "SC"),
    ("red 10+", lambda card: card[-1] in "HD" and card[:-1] in ("10", "J", "Q", "K", "A")),
    ("faces", lambda card: card[:-1] in ("J", "Q", "K")),
    ("2C 3D", lambda card: card in ("2C", "3D")),
])  # fmt: skip
def test_luck_is_counted_and_drawn_card_by_card(named: str, lucky: Callable[[str], bool]) -> None:
    good = [card for card in ALL_CODES if card in ("RJ", "BJ") or (card != "AS" and lucky(card))]
    assert odds(f"luck {named}") == {"success": Fraction(len(good), 54), "bad_luck": Fraction(1, 54)}
    ends = {card: play(f"luck {named}", cards=[card])[0]["last"]["result"] for card in ALL_CODES}
    assert [card for card, end in ends.items() if end == "success"] == good and ends["AS"] == "bad_luck"


# --- rolls that are repeated -----------------------------------------------------------------------------------------


def serial(rolls: list[Ways]) -> list[Fraction]:
    """The chance to have succeeded by each of so many tries."""
    done, open_, found = Fraction(0), Fraction(1), []
    for listed in rolls:
        done += open_ * success(listed)
        open_ *= ended(listed, "failure")
        found.append(done)
    return found


@pytest.mark.parametrize(("event", "roll"), [("d6 tn=8", ways(6, 8)), ("d12 tn=4 mod=-4", ways(12, 4, -4))])
def test_a_serial_roll_ends_in_success_or_in_a_jam(event: str, roll: Ways) -> None:
    good, bad = success(roll), ended(roll, "critical_failure")
    by_try = serial([roll] * 10)
    assert odds(f"serial {event}") == {"success": good / (good + bad), "by_try": by_try}
    assert odds(f"serial {event} tries=3") == {"success": by_try[2], "by_try": by_try[:3]}
    assert odds("serial d4 tn=20", {"kind": "extra"})["success"] == 1


def climbing(rolls: list[Ways]) -> dict[str, Fraction]:
    found, open_ = dict.fromkeys(("success", "failure", "critical_failure"), Fraction(0)), Fraction(1)
    for listed in rolls:
        found["success"] += open_ * success(listed)
        found["critical_failure"] += open_ * ended(listed, "critical_failure")
        open_ *= ended(listed, "failure")
    return found | {"failure": open_}


@pytest.mark.parametrize(
    ("target", "targets"), [(4, [4, 6, 8, 10, 12]), (8, [8, 10, 12]), (11, [11, 12]), (12, [12]), (15, [15])]
)
def test_a_compound_roll(target: int, targets: list[int]) -> None:
    assert odds(f"compound d8 tn={target}") == climbing([ways(8, number) for number in targets])


def test_joker_and_kicker_help_the_first_try_only() -> None:
    state: dict[str, Any] = {"tokens": [{"kind": "kicker", "name": "k", "bonus": 1}], "action": "RJ"}
    first, later = ways(6, 8, 3), ways(6, 8)
    assert odds("serial d6 tn=8 kicker=k", state)["by_try"] == serial([first] + [later] * 9)
    assert odds("attempts d6 tn=8 needs=1 rounds=3 kicker=k", state)["done_by"][0] == success(first)
    assert odds("compound d8 tn=8 kicker=k", state) == climbing([ways(8, 8, 3), ways(8, 10), ways(8, 12)])


def dramatic(listed: Ways, needs: int, rounds: int, raises: bool, setback: int) -> list[Fraction]:
    alive, done, found = {0: Fraction(1)}, Fraction(0), []
    for _ in range(rounds):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for successes, weight in alive.items():
            for way, share in listed.items():
                then = successes + (steps(way) if raises else min(1, steps(way)))
                then = max(0, then - setback) if way.result == "critical_failure" else then
                if then >= needs:
                    done += weight * share
                else:
                    after[then] += weight * share
        alive = after
        found.append(done)
    return found


@pytest.mark.parametrize(("raises", "counts"), [("count", True), ("one_each", False)])
@pytest.mark.parametrize(("setback", "lost"), [("one", 1), ("all", 99), ("none", 0)])
def test_a_dramatic_task_round_by_round(raises: str, counts: bool, setback: str, lost: int) -> None:
    rules = (("task_raises", raises), ("task_setback", setback))
    found = odds("attempts d8 needs=5 tn=6 rounds=4", rules=rules)
    assert found == {"done_by": dramatic(ways(8, 6), 5, 4, counts, lost)}


def test_the_next_roll_for_a_task() -> None:
    task = {"name": "bomb", "kind": "actions", "target": 4, "needs": 3, "rounds": 5, "successes": 1, "tries": 2}
    plain, lucky = (share_of(ways(6, 4, mod), lambda way: steps(way) >= 2) for mod in (0, 2))
    done = (52 * plain + 2 * lucky) / 54
    ends = {"done": done, "open": 1 - done, "failed": 0, "jammed": 0}
    assert odds("attempt bomb d6", {"tasks": [task]}) == ends
    last = odds("attempt bomb d6", {"tasks": [task | {"tries": 4}]})
    assert last == ends | {"open": 0, "failed": 1 - done}
    good, jam, open_ = (ended(ways(8, 8), end) for end in ("success", "critical_failure", "failure"))
    found = odds("attempt door d8", {"tasks": [{"name": "door", "kind": "serial", "target": 8}]})
    assert found == {"done": 1 - jam - open_, "open": open_, "failed": 0, "jammed": jam} and good


# --- wounds ----------------------------------------------------------------------------------------------------------


def test_what_pays_for_soaking() -> None:
    one: dict[str, Any] = {"chips": 0, "tokens": [{"kind": "charm", "name": "flask"}]}
    assert odds("soak d8 2 charm=flask", one) == odds("soak d8 2") == odds("soak d8 2", {"chips": 1})
    assert odds("soak d8 2 charm=flask", one | {"chips": 1}) == odds("soak d8 2", {"chips": 2})
    assert odds("soak d8 3 free=yes", {"chips": 0}) == odds("soak d8 3") == odds("soak d8", play("wound 3")[0])
    alone = odds("soak d8 3 free=yes", rules=(("free_soak", "roll_alone"),))["soaked"]
    paid = odds("soak d8 4")["soaked"]
    assert {int(gone) + 1: share for gone, share in alone.items()} == {int(gone): share for gone, share in paid.items()}


def test_treatment() -> None:
    bleeding = {"standing": "bleeding", "wounds": 3, "chips": 2}
    alone = success(ways(8, 4))
    assert odds("heal d8 healer=Doc", bleeding) == odds("heal d8", bleeding) == {"stopped": alone}
    for before in ({"healed": True}, {"rested": True}):
        assert odds("heal d8", {"standing": "unconscious", "wounds": 2, **before}) == {"woken": alone}
    assert set(odds("heal d8", bleeding, rules=(("bleeding", "wounds_first"),))["healed"]) == {"0", "1", "2", "3"}


@pytest.mark.parametrize(("medic", "wounds"), [(0, 2), (4, 1), (8, 2), (12, 3)])
def test_a_night(medic: int, wounds: int) -> None:
    """No joker of the fight before helps."""
    helped = by_steps(ways(medic, 4), int) if medic else {"0": Fraction(1)}
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for plus, weight in helped.items():
        for healed, share in by_steps(ways(6, 4, int(plus)), lambda more: min(wounds, more)).items():
            expected[healed] += weight * share
    event = f"day d6 medicine=d{medic}" if medic else "day d6"
    for state in ({"wounds": wounds}, {"wounds": wounds, "action": "BJ"}):
        assert odds(event, state) == {"healed": dict(sorted(expected.items()))}
    assert odds("day", {"wounds": wounds, "traits": {"vigor": "d6"}}) == odds("day d6", {"wounds": wounds})


@pytest.mark.parametrize("faces", LADDER)
def test_days_of_an_injury(faces: int) -> None:
    plain = {str(14 - face): Fraction(1, faces) for face in range(faces, 0, -1)}
    assert odds(f"injury temporary d{faces}") == {"days": plain}
    acing: dict[int, Fraction] = defaultdict(Fraction)
    for _, total, share in die(faces):
        acing[max(0, 14 - total)] += share
    expected = {"days": {str(days): acing[days] for days in sorted(acing)}}
    assert odds(f"injury temporary d{faces}", rules=(("injury_days", "acing"),)) == expected


def test_books() -> None:
    assert odds("book 20 d12")["time"] == {str(time): Fraction(1, 12) for time in range(8, 20)}
    assert odds("book 16 d4 unit=weeks")["time"] == {str(time): Fraction(1, 4) for time in range(12, 16)}
    assert odds("book 3 d4")["time"] == {"1": Fraction(3, 4), "2": Fraction(1, 4)}
    none_left = odds("book 3 d4", rules=(("short_books", "none_left"),))["time"]
    assert none_left == {"0": Fraction(1, 2), "1": Fraction(1, 4), "2": Fraction(1, 4)}


# --- the engine played out -------------------------------------------------------------------------------------------

PLAYS = 400
LONG = {"tasks": [{"name": "bomb", "kind": "actions", "target": 4, "needs": 2, "rounds": 5}]}
PLAYED: list[tuple[str, dict[str, Any], tuple[str, ...], Callable[[Any], bool]]] = [
    ("unskilled", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("serial d6 tn=8", {"action": "RJ"}, ("success",), lambda state: state.last.result == "done"),
    ("attempts d8 needs=3 tn=6 rounds=3", {}, ("done_by", "2"), lambda state: state.last.result == "done"),
    ("attempt bomb d6", LONG, ("done",), lambda state: state.tasks[0].ends == "done"),
    ("soak d8 3", {"chips": 2}, ("soaked", "1"), lambda state: state.wounds == 2),
    ("day d6 medicine=d8", {"wounds": 3}, ("healed", "0"), lambda state: state.wounds == 3),
    ("hole pioneer tn=6", HOLE, ("success",), lambda state: state.last.result in SUCCESSES),
    ("marker d6", {}, ("success",), lambda state: state.last.result in SUCCESSES),
    ("book 3 d8", {}, ("time", "1"), lambda state: state.last.total == 1),
]


@pytest.mark.slow
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


@pytest.mark.parametrize(("event", "state", "says"), [
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
    ("wound 1", {}, "has no odds"),
    ("injury", {}, "write injury temporary DIE"),
    ("serial d6", {"chips": 1}, "without chips"),
    ("heal d8", {"wounds": 1, "late": True}, "golden hour"),
    ("heal d8", {"wounds": 1, "rested": True}, "a night has passed"),
    ("attempt it d4", {"tasks": [{"name": "it", "kind": "serial", "target": 4, "ends": "jammed"}]}, "is over"),
    ("trait d8", {"standing": "unconscious"}, "does nothing"),
])  # fmt: skip
def test_what_cannot_be_counted_is_refused_in_a_sentence(event: str, state: dict[str, Any], says: str) -> None:
    with pytest.raises(HackjackError) as raised:
        odds(event, state)
    assert says in str(raised.value) and "\n" not in str(raised.value)


def test_odds_take_neither_several_hits_nor_dice() -> None:
    with pytest.raises(HackjackError, match="leave out --hits"):
        odds("trait d6", hits=2)
    ran = run("odds", "deadlands", "trait", "d8", "--dice", "3")
    assert ran.code == 2 and "leave out" in ran.err


def test_a_fraction_is_written_whole_or_not_at_all() -> None:
    longest = Fraction(1, 10**MAX_DIGITS - 1)
    assert len(plain_chance(longest)["fraction"]) == MAX_DIGITS + 2
    assert writable_share(longest) == longest
    with pytest.raises(HackjackError, match="4,000 digits"):
        plain_chance(Fraction(1, 10**MAX_DIGITS))

"""Odds of Deadlands 1876 beside a second computation, their JSON, and questions that are refused.

The second computation lists what a die may come to, ace by ace, and walks through both dice, every total beside every
other. It knows nothing of the engine: the rules of a trait roll stand here once more. Totals from MOST on are one, for
no question here tells them apart; so its shares are exact fractions too. What follows from such rolls is compared with
the same rules as steps in `test_deadlands_steps.py`, and with what was recorded in `test_recorded.py`.
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


def four(listed: Ways) -> dict[str, Fraction]:
    return {
        "success": success(listed),
        "raise": share_of(listed, lambda way: way.raises > 0),
        "critical_success": ended(listed, "critical_success"),
        "critical_failure": ended(listed, "critical_failure"),
    }


# --- one roll --------------------------------------------------------------------------------------------------------


@given(faces=FACES, target=st.integers(1, 20), mod=st.integers(-6, 6), wild=st.sampled_from([0, 4, 6, 10]),
       strict=st.booleans())  # fmt: skip
def test_a_trait_roll(faces: int, target: int, mod: int, wild: int, strict: bool) -> None:
    rules = (("boxcars", "needs_target" if strict else "always"),)
    event = f"trait d{faces} tn={target} mod={mod} wild={f'd{wild}' if wild else 'none'}"
    assert odds(event, rules=rules) == four(ways(faces, target, mod, wild, strict))


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

"""Severity tables under anything: states stay valid, days only go down, and the same luck gives the same evening."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from injured import Plain, glog, injury, owed, plain_of, until

from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, plain_entry
from generator.play.chance import NeedsError, Seeded

GAME = game_of(glog())

PLACES = ["", "arm", "leg", "left arm", "right leg"]
DAYS = st.builds(
    injury,
    st.sampled_from(["gored", "burned", "concussed", "blinded", "disabled"]),
    st.integers(0, 90),
    st.sampled_from(PLACES),
)
WAITING = st.builds(
    injury,
    st.sampled_from(["coma", "paraplegia", "quadriplegia"]),
    chances=st.lists(st.integers(1, 42), max_size=2, unique=True).map(sorted),
)
SPANS = st.builds(
    lambda amount, unit: f"{amount} {unit}{'s' * (amount > 1)}",
    st.integers(1, 12),
    st.sampled_from(["round", "minute", "hour"]),
)
PASSING = st.one_of(
    st.just(until("prone", "stand")),
    st.just(until("winded", "breath")),
    st.builds(until, st.sampled_from(["ko", "dazed"]), SPANS),
)
COMING = st.integers(1, 12).map(lambda n: {"condition": "dying", "after": f"{n} round{'s' * (n > 1)}"})
SAVES = st.sampled_from(
    [owed("ruined", "arm"), owed("ruined", "leg"), owed("crushed", "torso"), owed("cracked", "head"), owed("breakdown")]
)


@st.composite
def states(draw: st.DrawFn) -> Plain:
    """Anybody whom an evening may bring forth."""
    kind = draw(st.sampled_from(["pc", "pc", "pc", "npc", "monster"]))
    hp = draw(st.integers({"pc": 0, "npc": -2, "monster": 1}[kind], 20))
    waiting = draw(st.lists(WAITING, max_size=2, unique_by=lambda entry: str(entry["condition"])))
    saves = [
        owed(entry["condition"], chance=True) for entry in waiting if not entry["permanent"] and draw(st.booleans())
    ]
    dying = kind != "monster" and hp <= 0 and draw(st.booleans())
    return {
        "kind": kind,
        "hp": hp,
        "max_hp": draw(st.none() | st.integers(max(hp, 1), 40)),
        "hd": draw(st.integers(1, 9)),
        "injuries": draw(st.lists(DAYS, max_size=4)) + waiting,
        "conditions": draw(st.lists(PASSING, max_size=3, unique_by=lambda entry: str(entry["condition"]))),
        "coming": draw(st.lists(COMING, max_size=2)),
        "lost": draw(st.lists(st.just({"statistic": "will", "by": 1}), max_size=2)),
        "dying": dying,
        "rounds_dying": draw(st.integers(0, 9)) if dying else 0,
        "trauma": draw(st.integers(0, 22)),
        "breakdown": draw(
            st.none() | st.builds(dict, name=st.sampled_from(["Hide", "Fainting"]), rounds=st.integers(1, 20))
        ),
        "madness": draw(st.lists(st.just({"name": "Addiction", "detail": "drugs"}), max_size=2)),
        "saves": draw(st.lists(SAVES, max_size=2)) + saves,
        "dead": False,
        "day": draw(st.integers(0, 400)),
    }


HITS = st.tuples(
    st.integers(1, 14).map(lambda damage: f"hit {damage}"),
    st.sampled_from(
        [
            {},
            {"type": "body", "location": "arm", "hands": "both"},
            {"type": "body", "location": "leg", "side": "left"},
            {"type": "body", "location": "torso"},
            {"location": "head"},
            {"type": "fire"},
            {"type": "nonlethal"},
            {"type": "fall"},
            {"type": "fall", "location": "leg", "side": "right"},
        ]
    ),
)
TIME = ("round", "round 7", "minute", "minute 9", "hour", "day", "day 9", "week", "week 3")
HELP = ("breathe", "stand", "treat", "save pass", "save fail", "calm", "stabilise 9", "stabilise 20")
PLAIN = st.sampled_from((*TIME, *HELP)).map(lambda words: (words, dict[str, str]()))
HEALS = st.tuples(
    st.integers(1, 60).map(lambda points: f"heal {points}"),
    st.sampled_from([{}, {"by": "rest"}, {"by": "magic"}, {"injury": "1"}]),
)
HORRORS = st.tuples(
    st.integers(1, 4).map(lambda points: f"trauma {points}"), st.sampled_from([{}, {"wil": "pass"}, {"seen": "yes"}])
)
EVENTS: st.SearchStrategy[tuple[str, dict[str, str]]] = st.one_of(HITS, PLAIN, HEALS, HORRORS)


def read(plain: Plain) -> Any:
    return GAME.read_state(plain)


def step(state: Any, event: tuple[str, dict[str, str]], luck: Seeded) -> tuple[Any, list[Plain]] | None:
    """One event; None where it is refused, with a sentence and without luck that was asked in vain."""
    words, about = event
    try:
        after, log = GAME.step(state, GAME.read_event(words.split(), about), luck)
    except NeedsError as error:
        raise AssertionError("a seed has luck enough") from error
    except UsageError as error:
        raise AssertionError(f"{words} {about} is no such event") from error
    except HackjackError as error:
        assert str(error)
        assert "{" not in str(error)
        return None
    return after, [plain_entry(entry, glog()) for entry in log]


def check(state: Any) -> None:
    """What holds of everybody at any time."""
    plain = plain_of(state)
    assert read(plain) == state, "what is written can be read again"
    assert read(json.loads(json.dumps(plain))) == state
    assert all(entry["days"] >= 0 and all(day > 0 for day in entry["chances"]) for entry in plain["injuries"])
    assert all(not (entry["permanent"] and (entry["days"] or entry["chances"])) for entry in plain["injuries"])
    assert plain["kind"] == "npc" or plain["hp"] >= 0
    assert plain["trauma"] >= 0
    assert plain["rounds_dying"] == 0 or plain["dying"]
    if plain["dead"]:
        assert not (plain["dying"] or plain["coming"] or plain["saves"] or plain["breakdown"])
    line = GAME.state_line(plain)
    assert line
    assert "{" not in line
    assert all(GAME.details(plain)) or not GAME.details(plain)


@given(states())
def test_a_state_is_read_as_it_is_written(plain: Plain) -> None:
    check(read(plain))
    assert plain_of(read(plain)) == plain


@given(states(), EVENTS, st.integers(0, 2**32))
def test_any_event_on_any_state(plain: Plain, event: tuple[str, dict[str, str]], seed: int) -> None:
    state = read(plain)
    done = step(state, event, Seeded(seed))
    if done is None:
        return
    after, log = done
    check(after)
    assert log, "something is said of everything"
    for entry in log:
        assert entry["text"].strip().endswith((".", ":")), entry
        assert not set("{}") & set(entry["text"])
        msgspec.json.encode(entry)
    assert step(state, event, Seeded(seed)) == done, "the same luck, the same outcome"


@given(states(), st.integers(1, 100))
def test_days_only_go_down_and_by_as_many_as_pass(plain: Plain, days: int) -> None:
    plain |= {"dying": False, "rounds_dying": 0, "coming": []}
    done = step(read(plain), (f"day {days}", {}), Seeded(0))
    assert done is not None
    left = [dict(entry) for entry in plain["injuries"] if entry["permanent"] or not 0 < entry["days"] <= days]
    for entry in left:
        entry["days"] = max(entry["days"] - days, 0)
        entry["chances"] = [day - days for day in entry["chances"] if day > days]
    after = plain_of(done[0])
    assert after["injuries"] == left
    assert after["day"] == plain["day"] + days
    due = sum(day <= days for entry in plain["injuries"] for day in entry["chances"])
    broken = plain["breakdown"] is not None
    assert len(after["saves"]) == len(plain["saves"]) + due + broken
    for key in ("hp", "lost", "trauma", "madness"):
        assert after[key] == plain[key]


@given(states(), st.integers(1, 12), st.integers(1, 12))
def test_days_one_by_one_are_days_in_a_row(plain: Plain, some: int, more: int) -> None:
    plain |= {"dying": False, "rounds_dying": 0, "coming": []}
    state = read(plain)
    together, apart = step(state, (f"day {some + more}", {}), Seeded(0)), step(state, (f"day {some}", {}), Seeded(0))
    assert together is not None
    assert apart is not None
    later = step(apart[0], (f"day {more}", {}), Seeded(0))
    assert later is not None
    assert later[0] == together[0]


@given(states(), st.integers(1, 200))
def test_magic_takes_off_as_many_days_as_it_gives_hp(plain: Plain, points: int) -> None:
    done = step(read(plain), (f"heal {points}", {}), Seeded(0))
    assert done is not None
    after = plain_of(done[0])
    lasting = [entry for entry in plain["injuries"] if not 0 < entry["days"] <= points]
    assert after["injuries"] == [{**entry, "days": max(entry["days"] - points, 0)} for entry in lasting]
    assert after["hp"] > plain["hp"] or after["hp"] >= 1, "any healing gives HP as long as the maximum has room"
    assert plain["hp"] <= after["hp"] <= plain["hp"] + points
    assert after["coming"] == []


@given(states(), HITS, st.integers(0, 2**32))
def test_a_hit_never_heals(plain: Plain, event: tuple[str, dict[str, str]], seed: int) -> None:
    done = step(read(plain), event, Seeded(seed))
    assert done is not None
    after = plain_of(done[0])
    assert after["hp"] <= plain["hp"]
    for name in ("coma", "paraplegia", "quadriplegia"):
        assert sum(entry["condition"] == name for entry in after["injuries"]) <= 1
    names = [entry["condition"] for entry in plain["injuries"]]
    later = [entry["condition"] for entry in after["injuries"]]
    assert all(later.count(name) >= names.count(name) for name in names)
    assert after["dead"] or after["dying"] or not plain["dying"]
    if plain["kind"] == "pc":
        assert after["hp"] == max(plain["hp"] - int(event[0].split()[1]), 0)


@given(st.lists(st.tuples(st.integers(1, 3), st.booleans()), max_size=20), st.integers(0, 2**32))
def test_small_gains_never_bring_trauma_to_20(gains: list[tuple[int, bool]], seed: int) -> None:
    """On a total of 20 the d20 always shows as much or less."""
    luck, state = Seeded(seed), read({})
    for gain, spared in gains:
        done = step(state, (f"trauma {gain}", {"seen": "yes"} if spared else {}), luck)
        assert done is not None
        state = done[0]
        plain = plain_of(state)
        assert plain["trauma"] < 20
        assert plain["trauma"] == 0 or plain["breakdown"] is None or plain["breakdown"]["rounds"] >= 1

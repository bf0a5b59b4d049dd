"""Bad input for every event and question of Deadlands 1876; every line of the log is told; spoilt content is found."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from games.test_rules import deadlands, play
from helpers import ROOT, kinds_in, kinds_of, run
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, log_lines
from generator.games.deadlands.events import EVENTS, TraitsEvent
from generator.games.deadlands.log import DeadlandsFact
from generator.games.deadlands.odds import QUESTIONS
from generator.games.deadlands.state import TraitsState
from generator.play.chance import Seeded

_GOOD = """
trait d8 / unskilled / grant survival / contested d8 d12 / serial d6 / compound d8 / attempts d8 / luck QH /
fate d8 / damage 2d6 / action / round / hour / day d8 / guts d6 / fear d6 / recover d6 / wound 1 / wounds 1 /
shaken no / soak d8 2 / incapacitation d8 / survive / wake / die / injury temporary d8 / lift 4C / heal d8 /
chips 3 given / award charm flask / hole pioneer / burn king / marker d8 / task door serial / attempt door d8 /
drop door / book 20 d12 / knowledge d10 / learn latin / spend Marksman / improve vigor / xp 5 / spent 3 /
has vigor d8 / is face
"""
GOOD = {event: words for event, _, words in (line.strip().partition(" ") for line in _GOOD.split("/"))}
"""Every event as it may be written."""

STATE: dict[str, Any] = {
    "chips": 2,
    "xp": 50,
    "earned": True,
    "traits": {"vigor": "d8"},
    "injuries": [{"card": "4C", "permanent": True}],
    "tokens": [{"kind": "hole", "name": "pioneer", "die": "d6"}, {"kind": "burn", "name": "king", "card": "KH"}],
    "tasks": [{"name": "door", "kind": "serial", "target": 4}],
}


def faulty(*arguments: str | Path) -> str:
    """A command that must end with one sentence and 1 or 2."""
    ran = run(*arguments)
    assert ran.code in (1, 2) and ran.out == "", (arguments, ran)
    assert len(ran.faults) == 1 and "Traceback" not in ran.err
    return ran.err


@pytest.mark.parametrize("event", GOOD)
def test_every_event_takes_nothing_too_much_and_says_what_it_lacks(event: str) -> None:
    game, words, takes = game_of(deadlands()), GOOD[event].split(), EVENTS[event].takes
    with pytest.raises(UsageError, match="ghost"):
        game.read_event([event, *words], {"ghost": "1"})
    if not any(argument.many for argument in takes):
        with pytest.raises(UsageError, match="one value too many"):
            game.read_event([event, *words, "too", "much"], {})
    with pytest.raises(HackjackError):
        play(f"{event} {GOOD[event]}", dice=[1] * 8, cards=["2C", "3C"])
    if any(not argument.optional for argument in takes):
        with pytest.raises(UsageError, match=rf"^{event} needs .*: write {event} "):
            game.read_event([event], {})


WRONG = {
    "roll": ["d7", "8", "QH", "d8+1", "x" * 50, "", "-d8"],
    "trait_die": ["d7", "8", "QH", "d8+1", "x" * 50, "", "-d8", "coin"],
    "die": ["d7", "vigor", "8"],
    "die_or_token": ["d7", "", "a=b"],
    "dice": ["3", "d", "0d6", "2d6-20", "99999d6", "x"],
    "signed": ["x", "1.5", "1e3", "99999999", "-1"],
    "token": ["", "a=b", "x" * 61, "a\nb"],
    "new": ["", "a=b", "x" * 61, "a\nb"],
    "trait": ["", "5", "d8", "coin", "QH", "x" * 50],
    "card": ["1X", "AC AS", "joker"],
    "range": ["RJ", "AS", "9-5", "heart", "1X", ""],
    "word": ["gun", "climb", "ghost", ""],
}


@pytest.mark.parametrize("event", [name for name in GOOD if EVENTS[name].takes])
def test_every_word_of_every_event_is_judged(event: str) -> None:
    words = GOOD[event].split()
    for place, argument in enumerate(EVENTS[event].takes):
        if argument.optional:
            continue
        for wrong in WRONG[argument.kind]:
            spoilt = [*words[:place], wrong, *words[place + 1 :]]
            with pytest.raises(HackjackError) as raised:
                game_of(deadlands()).read_event([event, *spoilt], {})
                play(" ".join([event, *spoilt]))
            assert str(raised.value) and "\n" not in str(raised.value), (event, wrong)


@pytest.mark.parametrize("event", [name for name in GOOD if any(one.option for one in EVENTS[name].takes)])
def test_every_option_of_every_event_is_judged(event: str) -> None:
    for option in [argument.name for argument in EVENTS[event].takes if argument.option]:
        for wrong in ("", "a\nb", "x" * 130):
            with pytest.raises(UsageError) as raised:
                game_of(deadlands()).read_event([event, *GOOD[event].split()], {option: wrong})
            assert option in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("event", GOOD)
def test_a_question_refuses_what_it_does_not_take_and_events_without_odds_say_which_have_some(event: str) -> None:
    at, says = ({"ghost": "1"}, "ghost") if event in QUESTIONS else ({}, "has no odds: ask for trait")
    with pytest.raises(UsageError, match=says):
        game_of(deadlands()).read_question([event, *GOOD[event].split()], at)


def test_tables_that_are_asked_wrongly() -> None:
    assert "did you mean" in faulty("table", "deadlands", "rank")
    assert "--at xp=N" in faulty("table", "deadlands", "ranks", "--at", "grit=2")
    assert "whole number" in faulty("table", "deadlands", "ranks", "--at", "xp=many")
    assert "--at name=NAME" in faulty("table", "deadlands", "fate", "--at", "card=K")
    assert "no row" in faulty("table", "deadlands", "fate", "--at", "name=1")
    assert "no row for -1" in faulty("table", "deadlands", "ranks", "--at", "xp=-1")
    assert "no column" in faulty("table", "deadlands", "characters", "--at", "name=Extra", "--at", "column=edges")


# --- whatever is typed -----------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *EVENTS,
        *("d4", "d8", "d12", "d20", "coin", "vigor", "QH", "AS", "RJ", "Q+", "9-5", "red", "2d6+1", "0", "3", "-1"),
        *("temporary", "permanent", "charm", "burn", "kicker", "marker", "serial", "actions", "wild", "extra", "door"),
        *("mod=+2", "tn=0", "tn=8", "wild=none", "joker=yes", "kicker=k", "die=d8", "bonus=1", "card=KH", "says=x"),
        *("healer=Doc", "chip=yes", "power=yes", "harm=1d6", "rounds=2", "needs=3", "levels=6", "=", "x=", "ü" * 70),
    ]
)


@given(words=st.lists(WORDS, max_size=5), seed=st.integers(0, 99))
def test_anything_typed_is_done_or_refused_in_a_sentence(words: list[str], seed: int) -> None:
    system = deadlands()
    game = game_of(system)
    try:
        event = game.read_event(words, {})
        assert isinstance(event, TraitsEvent) and game.read_event(_typed(event), {}) == event
        after, log = game.step(game.read_state(STATE), event, Seeded(seed))
    except HackjackError as error:
        assert str(error) and "\n" not in str(error)
        return
    assert isinstance(after, TraitsState) and game.read_state(game.plain_state(after)) == after
    assert all(line.strip() for line in log_lines(log, system, why=True))


def _typed(event: TraitsEvent) -> list[str]:
    return [event.name, *event.words, *(f"{name}={value}" for name, value in event.at)]


# --- the log ---------------------------------------------------------------------------------------------------------

EVERYTHING = """
trait d8|3 4 / trait d8 mod=2|1 3 / trait d8|1 1 / trait d8|8 6 1 1 / unskilled|2 2 2 2 1 / fate d8|3 4|4C / fate d8||RJ
luck QH||4C / action||RJ / burn king / damage 2d6|3 4 / guts d6|2 3 / fear d6|2 3 / recover d6|4 3 / recover d6|2 3
task it serial / attempt door d8|3 2 / attempts d8 needs=1|5 1 / attempts d8 needs=3 rounds=1 harm=1d6|2 3 2
wound 1 / wound 9 / soak d8 2|3 2 / incapacitation d8|5 1 2|4C / injury temporary d8||RJ / lift 4C / heal d8|5 1
heal d8 healer=Doc|2 3 / hour / day d8|2 1 / round / chips 2 / award charm x / hole pioneer|4 1 / marker d8|3
drop door / book 20 d8|3 / knowledge d10|5 1 / learn latin / grant latin / spend Edge / improve vigor / xp 60
has agility d6 / spent 3 raised=yes / shaken / shaken no / wounds 1 / wound 1 / soak d8|3 2 / soak d8 1 free=yes|3 2
round all / is face / die
"""


def test_every_entry_of_the_log_is_told() -> None:
    """Each kind of entry that the telling knows is met, and each that is met is known."""
    system = deadlands()
    game = game_of(system)
    seen: set[object] = set()
    for state in (STATE, {}, STATE | {"kind": "face_card", "chips": None}, STATE | {"kind": "extra", "chips": None}):
        for seed in range(25):
            luck = Seeded(seed)
            before = game.read_state(state)
            for written in EVERYTHING.replace("\n", " / ").split(" / "):
                if not written.strip():
                    continue
                words = written.partition("|")[0].split()
                try:
                    after, log = game.step(before, game.read_event(words, {}), luck)
                except HackjackError:
                    continue
                seen |= kinds_in(log)
                if after.standing != "dead" and words[0] != "is":
                    before = after
    for event, given_state in (
        ("soak d8 2 charm=flask", {"tokens": [{"kind": "charm", "name": "flask"}]}),
        ("trait d8 kicker=k", {"tokens": [{"kind": "kicker", "name": "k", "bonus": 1}]}),
        ("trait shooting", {"traits": {"shooting": "d8"}, "injuries": [{"card": "6C", "permanent": True}]}),
        ("day d8 medicine=d6", {"wounds": 2}),
        ("attempt it d8", {"tasks": [{"name": "it", "kind": "attempts", "target": 4, "needs": 9, "successes": 2}]}),
        ("injury permanent", {}),
        ("survive", {"standing": "bleeding"}),
        ("wake", {"standing": "unconscious"}),
        ("guts d8", {"xp": 50}),
        ("day", {"injuries": [{"card": "4C", "days": 1}]}),
    ):
        before = game.read_state(given_state)
        for seed in range(200):
            try:
                _, log = game.step(before, game.read_event(event.split(), {}), Seeded(seed))
            except HackjackError:
                continue
            assert all(log_lines(log, system))
            seen |= kinds_in(log)
    assert seen == kinds_of(DeadlandsFact)


# --- spoilt content --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("file", "old", "new", "says"), [
    ("system.yaml", "last_chance: 12", "last_chance: 14", 'the claim "ledge" fails'),
    ("system.yaml", "wild: d6", "wild: d8", 'the claim "boxcars" fails'),
    ("tables.yaml", "{at: 40-69, name: Veteran", "{at: 40-68, name: Veteran", "69"),
    ("tables.yaml", "Black joker, cells: {target: critical failure}", "Black joker, cells: {target: soon}", "row B"),
    ("tables.yaml", "{then: unconscious, injury: temporary}", "{then: asleep, injury: temporary}", "row success"),
    ("tables.yaml", "{name: Fear, cells: {grit: not added", "{name: Fear, cells: {grit: maybe", "row fear"),
    ("claims.yaml", "dice: [10, 6, 1, 1]", "dice: [10, 6, 1]", "needs d6"),
    ("claims.yaml", "at: Great beast", "at: Huge beast", '"eight_levels" fails'),
])  # fmt: skip
def test_spoilt_content_is_found_by_check(file: str, old: str, new: str, says: str, tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "deadlands", tmp_path / "deadlands"))
    text = (pack / file).read_text()
    assert old in text
    (pack / file).write_text(text.replace(old, new, 1))
    ran = run("check", pack)
    assert ran.code == 1 and says in ran.err, ran.err
    assert "Traceback" not in ran.err

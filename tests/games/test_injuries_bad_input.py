"""What severity tables make of anything else: one sentence, the exit status that belongs to it, and no traceback."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, Ran, run
from injured import full, glog, injury, owed, until

from generator.base.errors import HackjackError
from generator.games import game_of

HIT = "hit N [--at type=fire] [--at location=arm] [--at side=left] [--at hands=both]: damage"


def with_state(state: Any, *words: str) -> Ran:
    """`resolve` with a state on standard input."""
    raw = state if isinstance(state, bytes) else json.dumps(state).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        return run("resolve", "glog", *words, "--state", "-")


def said(ran: Ran, code: int) -> str:
    """The one line that a failure says."""
    assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1), ran
    return ran.faults[0]


# --- events ----------------------------------------------------------------------------------------------------------

BAD_EVENTS = {
    "hit": (2, f"hit needs a number: write {HIT}"),
    "hit x": (2, 'hit takes a whole number, not "x"'),
    "hit 3.5": (2, 'hit takes a whole number, not "3.5"'),
    "hit ٣": (2, 'hit takes a whole number, not "٣"'),
    "hit 0": (2, "hit 0: write a number from 1 to 10,000"),
    "hit -3": (2, "hit -3: write a number from 1 to 10,000"),
    "hit 10001": (2, "hit 10,001: write a number from 1 to 10,000"),
    "hit 9 9": (2, '"9" is one value too many for hit'),
    "hti 9": (2, 'there is no event "hti": did you mean "hit"?'),
    "hit 9 --at type=cold": (2, '--at type cannot be "cold": write body, nonlethal, fire, acid or fall'),
    "hit 9 --at location=hed": (2, '--at location cannot be "hed": did you mean "head"?'),
    "hit 9 --at type=fall --at location=head": (2, '--at location cannot be "head" with type=fall: write arm or leg'),
    "hit 9 --at type=fire --at location=arm": (2, '--at location cannot be "arm" with type=fire: leave it out'),
    "hit 9 --at location=torso --at side=left": (2, '--at side cannot be "left" with location=torso: leave it out'),
    "hit 9 --at side=up": (2, '--at side cannot be "up": write left or right'),
    "hit 9 --at hands=three": (2, '--at hands cannot be "three": write one or both'),
    "hit 9 --at foo=bar": (2, "hit takes no --at foo: it takes type, location, side, hands"),
    "hit 9 --at foo": (2, '--at "foo": write NAME=VALUE, such as type=fire'),
    "hit 9 --at type=fire --at type=fall": (2, "--at type is given twice"),
    "hit 9": (1, "needs d12 (severity)"),
    "hit 3 --dice 3": (1, "needs d4 (location)"),
    "hit 3 --dice 5,1": (1, "needs 2d6 (Weapons and blows 7-8: how many days)"),
    "hit 3 --dice 5,1,2": (1, "needs 2d6 (Weapons and blows 7-8: how many days), and only 1 of 2 dice are given"),
    "hit 9 --dice 13": (2, "a d12 (severity) cannot show 13: give a number from 1 to 12"),
    "hit 3 --dice 1,5": (2, "a d4 (location) cannot show 5: give a number from 1 to 4"),
    "hit 9 --dice 4,1,1": (2, "nothing needs the last die given (1, 1): leave it out"),
    "day --cards QS": (2, "nothing needs the last card given (QS): leave it out"),
    "hit 9 --seed 1 --dice 3": (2, "--seed draws and rolls by itself"),
    "hit 9 --set sides=maybe": (2, 'sides cannot be "maybe": choose off or on'),
    "hit 9 --set side=on": (2, 'glog has no ruling switch and no number "side"'),
    "round 0": (2, "round 0: write a number from 1 to 10,000"),
    "round x": (2, 'round takes a whole number, not "x"'),
    "minute 10001": (2, "minute 10,001: write a number from 1 to 10,000"),
    "day 3651": (2, "day 3,651: write a number from 1 to 3,650"),
    "week 522": (2, "week 522: write a number from 1 to 521"),
    "hour 2": (2, '"2" is one value too many for hour'),
    "breathe now": (2, '"now" is one value too many for breathe'),
    "stand up": (2, '"up" is one value too many for stand'),
    "treat --at type=fire": (2, "treat takes no --at type"),
    "stabilise": (2, "stabilise needs a number: write stabilise TAL"),
    "stabilise much": (2, 'stabilise takes a whole number, not "much"'),
    "heal": (2, "heal needs a number: write heal N"),
    "heal 3 --at injury=x": (2, '--at injury takes a whole number, not "x"'),
    "heal 3 --at injury=0": (2, "--at injury 0: write a number from 1 to 200"),
    "heal 3 --at injury=1": (1, "magic heals every injury here: leave the injury out"),
    "heal 3 --at by=luck": (2, '--at by cannot be "luck": write magic or rest'),
    "save": (2, "save needs pass or fail or roll: write save pass|fail|roll"),
    "save maybe": (2, 'save cannot be "maybe": write pass, fail or roll'),
    "save pass fail": (2, '"fail" is one value too many for save'),
    "save pass": (1, "no save is owed"),
    "trauma 4": (1, "a horror gives 1 to 3 Trauma, not 4"),
    "trauma 4 --set trauma_most=5": (1, "needs d20 (trauma)"),
    "trauma": (2, "trauma needs a number: write trauma N"),
    "trauma 1 --at wil=maybe": (2, '--at wil cannot be "maybe": write pass or fail'),
    "trauma 1 --at seen=often": (2, '--at seen cannot be "often": write yes or no'),
    "calm 3": (2, '"3" is one value too many for calm'),
    "calm": (1, "there is no breakdown to calm"),
    "stabilise 9": (1, "the character is not Dying: there is nothing to stabilise"),
    "": (2, "Missing argument 'EVENT [ARG]...'"),
}


def test_bad_events_end_in_one_line() -> None:
    for words, (code, says) in BAD_EVENTS.items():
        assert said(run("resolve", "glog", *words.split()), code).startswith(says), words


# --- odds ------------------------------------------------------------------------------------------------------------

BAD_ODDS = {
    "day": (2, "day has no odds: ask for hit, conditions, trauma, breakdown, madness, stabilise, hour"),
    "hti 9": (2, 'hti has no odds: did you mean "hit"?'),
    "hit": (2, "hit needs a number"),
    "conditions": (2, "conditions needs a number: write conditions N"),
    "conditions 3 --at type=x": (2, '--at type cannot be "x": write body'),
    "breakdown 3": (2, '"3" is one value too many for breakdown'),
    "breakdown --at characters=0": (2, "--at characters 0: write a number from 1 to 1,000"),
    "breakdown --at characters=1001": (2, "--at characters 1,001: write a number from 1 to 1,000"),
    "breakdown --at points=1,4": (1, "a horror gives 1 to 3 Trauma, not 4"),
    "breakdown --at points=4,1": (1, "a horror gives 1 to 3 Trauma, not 4"),
    "breakdown --at points=0": (2, "--at points 0: write a number from 1 to 10,000"),
    "breakdown --at points=1,,2": (2, '--at points takes a whole number, not ""'),
    f"breakdown --at points={','.join('1' * 21)}": (2, "--at points: 21 are too many, 20 at most"),
    "breakdown --at foo=1": (2, "breakdown takes no --at foo: it takes characters, points"),
    "madness": (2, "madness needs a number: write madness N"),
    "madness x": (2, 'madness takes a whole number, not "x"'),
    "madness 2 3": (2, '"3" is one value too many for madness'),
    "madness 2 --at save=101": (2, "--at save 101: write a number from 0 to 100"),
    "stabilise 9": (1, "the character is not Dying"),
    "hit 3 --hits 0": (1, "--hits 0: ask for 1 to 1,000 in a row"),
    "hit 3 --hits 21 --exact": (1, "--hits 21: at most 20 are counted; --simulate N plays more"),
    "hit 3 --hits 1001 --simulate 2": (1, "--hits 1,001: ask for 1 to 1,000 in a row"),
    "hit 3 --hits x": (2, "Invalid value for '--hits'"),
    "hit 3 --simulate 0": (2, "Invalid value for '--simulate'"),
    "trauma 3 --hits 2": (1, "--hits counts deaths, and trauma kills nobody: leave it out"),
    "breakdown --hits 9": (1, "--hits is for events, and breakdown is a question: leave it out"),
    "hit 3 --dice 4": (2, "odds cover every card and die"),
    "hit 3 --policy awful": (2, "Invalid value for '--policy'"),
}


def test_bad_odds_end_in_one_line() -> None:
    for words, (code, says) in BAD_ODDS.items():
        assert said(run("odds", "glog", *words.split()), code).startswith(says), words


# --- states ----------------------------------------------------------------------------------------------------------

COMA = injury("coma", chances=[3])

BAD_STATES: dict[str, tuple[Any, str]] = {
    "a list": ([], "the state is not a JSON object: write {} for a fresh character"),
    "nothing": (None, "the state is not a JSON object"),
    "an unknown key": ({"hpp": 3}, 'the state has an unknown key "hpp": did you mean "hp"?'),
    "another unknown key": ({"injurys": []}, 'the state has an unknown key "injurys": did you mean "injuries"?'),
    "a key with a line break": ({"hp\n": 3}, 'the state has an unknown key "hp\\n"'),
    "a stray key inside": ({"injuries": [{"condition": "gored", "day": 3}]},
        'the state\'s injuries[0] has an unknown key "day": did you mean "days"?'),
    "a word for a number": ({"hp": "3"}, "the state cannot be read: Expected `int`, got `str` - at `$.hp`"),
    "half a number": ({"hp": 3.5}, "the state cannot be read: Expected `int`, got `float` - at `$.hp`"),
    "truth for a number": ({"trauma": True}, "the state cannot be read: Expected `int`, got `bool`"),
    "a number for truth": ({"dying": 1}, "the state cannot be read: Expected `bool`, got `int` - at `$.dying`"),
    "hp below 0": ({"hp": -1},
        "the state's hp is \N{MINUS SIGN}1: it must be from 0 to 1,000,000; only an npc goes below 0"),
    "hp without end": ({"hp": 10**7}, "the state's hp is 10,000,000"),
    "an npc below all": ({"kind": "npc", "hp": -(10**7)}, "the state's hp is -10,000,000: it must be from -1,0"),
    "trauma below 0": ({"trauma": -1}, "the state's trauma is -1"),
    "a day before the first": ({"day": -1}, "the state's day is -1"),
    "no hit dice": ({"hd": 0}, "the state's hd is 0: it must be from 1"),
    "no maximum": ({"max_hp": 0}, "the state's max_hp is 0: it must be from 1"),
    "more than the maximum": ({"hp": 5, "max_hp": 3}, "invalid state: 5 HP of 3 at most"),
    "another kind": ({"kind": "pet"}, 'the state\'s kind is "pet": write pc, npc, monster'),
    "a kind of kinds": ({"kind": ["pc"]}, "the state's kind is \"['pc']\": write pc, npc, monster"),
    "an npc dead but living": ({"kind": "npc", "hp": -3},
        "invalid state: an npc at \N{MINUS SIGN}3 HP is dead"),
    "a monster dead but living": ({"kind": "monster"}, "invalid state: a monster at 0 HP is dead"),
    "rounds without dying": ({"rounds_dying": 2}, "invalid state: rounds_dying without dying"),
    "dying when dead": ({"dead": True, "dying": True}, "invalid state: dead, and something is still"),
    "saving when dead": ({"dead": True, "saves": [owed("ruined", "arm")]}, "invalid state: dead"),
    "injuries by name": ({"injuries": ["gored"]}, "the state's gored has no end: give it days, or permanent: true"),
    "no such injury": ({"injuries": [injury("gore", 3)]},
        'the state names an unknown condition "gore": did you mean "gored"?'),
    "an injury without end": ({"injuries": [{"condition": "gored"}]},
        "the state's gored has no end: give it days, or permanent: true"),
    "days below 0": ({"injuries": [injury("gored", -3)]}, "the state's gored has -3 days"),
    "days and for good": ({"injuries": [{"condition": "gored", "days": 3, "permanent": True}]},
        "invalid state: gored is permanent, and has days or chances left"),
    "chances that nothing gives": ({"injuries": [injury("gored", chances=[3])]},
        "the state's gored has chances: no save ends it"),
    "a chance that is due": ({"injuries": [injury("coma", chances=[0, 3])]}, "the state's coma has a chance in 0 days"),
    "two comas": ({"injuries": [COMA, injury("coma")]}, "invalid state: coma twice"),
    "dying for days": ({"injuries": [injury("dying", 3)]},
        "the state cannot be read: dying is not an entry of injuries: write dying: true"),
    "a place of a novel's length": ({"injuries": [injury("disabled", 3, "x" * 99)]},
        "the state cannot be read: Expected `str` of length <= 60 - at `$.injuries[0].place`"),
    "no such end": ({"conditions": [until("prone", "rest")]},
        'the state\'s prone lasts until "rest": write breath, stable, stand or a span such as 3 rounds'),
    "no end at all": ({"conditions": [until("prone", "sit")]},
        'the state\'s prone lasts until "sit": write breath, stable, stand or a'),
    "an injury among conditions": ({"conditions": [until("ko", "3 days")]},
        "the state cannot be read: ko for 3 days is not an entry of conditions: it belongs under injuries"),
    "dice that lie around": ({"conditions": [until("ko", "1d6 rounds")]},
        "the state cannot be read: ko: 1d6 rounds has not been rolled"),
    "no rounds": ({"conditions": [until("ko", "0 rounds")]}, 'the state cannot be read: ko: "0 rounds" can be less'),
    "dying in days": ({"coming": [{"condition": "dying", "after": "3 days"}]},
        'the state\'s dying comes after "3 days": write 3 rounds'),
    "gored later": ({"coming": [{"condition": "gored", "after": "3 rounds"}]},
        "the state cannot be read: gored cannot begin later"),
    "no such statistic": ({"lost": [{"statistic": "luck", "by": 1}]}, 'the state names an unknown statistic "luck"'),
    "nothing lost": ({"lost": [{"statistic": "will", "by": 0}]},
        "the state's will is lowered by 0: write how much, or leave it out"),
    "no such breakdown": ({"breakdown": {"name": "Hid", "rounds": 3}},
        'the state cannot be read: breakdowns has no row "Hid": did you mean "Hide"?'),
    "a breakdown that is over": ({"breakdown": {"name": "Hide", "rounds": 0}},
        "the state's breakdown has 0 rounds: write 1 or more"),
    "no such madness": ({"madness": ["Twitch"]},
        'the state cannot be read: madness has no row "Twitch": did you mean "Twitches"?'),
    "a save for nothing": ({"saves": [{"of": "gored"}]}, "the state cannot be read: nothing asks for a save against"),
    "a save of nobody": ({"saves": [owed("coma", chance=True)]},
        "invalid state: a save to recover from coma that nobody has"),
    "a save of no part": ({"saves": [{"of": "ruined", "part": "armm"}]}, "the state names an unknown part of the body"),
    "saves without end": ({"saves": [{"of": "breakdown"}] * 201}, "the state's saves are more than 200"),
    "no JSON": (b"{hp: 3}", "-: this is not JSON"),
    "nothing at all": (b"", "-: this is not JSON"),
    "no text": (b"\xff\xfe", "-: this is not UTF-8 text"),
    "too much": (b" " * 1_000_001, "-: this state is too large; the limit is 1,000,000 bytes"),
}  # fmt: skip


def test_bad_states_end_in_one_line() -> None:
    for name, (state, says) in BAD_STATES.items():
        if isinstance(state, bytes) or name == "a key with a line break":
            assert said(with_state(state, "day"), 1).startswith(says), name
            continue
        with pytest.raises(HackjackError) as fault:
            game_of(glog()).read_state(state)
        assert str(fault.value).startswith(says), name


WHOLE: dict[str, Any] = {
    "kind": "pc",
    "hp": 3,
    "max_hp": 12,
    "hd": 2,
    "injuries": [injury("disabled", 3, "left arm"), injury("one_eyed"), injury("coma", chances=[2, 20])],
    "conditions": [until("prone", "stand"), until("ko", "3 minutes")],
    "coming": [{"condition": "dying", "after": "3 rounds"}],
    "lost": [{"statistic": "will", "by": 1}],
    "dying": False,
    "rounds_dying": 0,
    "trauma": 4,
    "breakdown": {"name": "Hide", "rounds": 3},
    "madness": [{"name": "Addiction", "detail": "alcohol"}],
    "saves": [owed("ruined", "arm")],
    "dead": False,
    "day": 7,
}


def test_every_key_is_read_from_standard_input_and_printed_again() -> None:
    ran = with_state(WHOLE, "heal", "1", "--at", "by=rest", "--json")
    assert (ran.code, ran.err) == (0, "")
    shape = json.loads(ran.out)
    assert list(shape) == ["state", "log"]
    assert shape["state"] == {**WHOLE, "hp": 4, "coming": []}
    assert list(shape["state"]) == list(full())
    assert [(entry["kind"], entry["text"]) for entry in shape["log"]] == [
        ("heal", "1 HP of healing: 4 HP."),
        ("stopped", "Treated in time: no Dying in 3 rounds."),
    ]


# --- tables ----------------------------------------------------------------------------------------------------------

BAD_TABLES = {
    "bodi": (2, 'glog has no table "bodi": did you mean "body"?'),
    "body --at column=hed": (2, 'the table body has no column "hed": did you mean "head"?'),
    "body --at severity=0": (1, "the table body has no row for 0: it covers 1+"),
    "body --at severity=x": (2, '--at severity takes a whole number, not "x"'),
    "body --at level=3": (2, "the table body is looked up by one number: --at severity=N"),
    "body --roll": (2, "--roll needs a row: --at severity=N"),
    "body --at severity=7 --roll": (1, "needs 1d4: roll them, or give --seed N"),
    "body --at severity=7 --at column=arm --roll": (1, "needs 2d6: roll them, or give --seed N"),
    "special --at severity=7 --at column=arm": (2, 'the table special has no column "arm"'),
    "breakdowns --at roll=7": (1, "the table breakdowns has no row for 7: it covers 1-6"),
    "madness --at name=Twitch": (1, 'the table madness has no row "Twitch": did you mean "Twitches"?'),
    "madness --roll": (1, "needs 1d10: roll them, or give --seed N"),
}


@pytest.mark.parametrize("words", BAD_TABLES)
def test_a_bad_look_up_ends_in_one_line(words: str) -> None:
    code, says = BAD_TABLES[words]
    assert said(run("table", "glog", *words.split()), code).startswith(says)


# --- content that nothing could play ---------------------------------------------------------------------------------

SPOILT = {
    # What the unconscious cannot do.
    ("glog", "system.yaml", "refuse while unconscious, dying or coma", "refuse while unconscious, dying or comma"): (
        'unknown condition "comma": did you mean "coma"?'
    ),
    ("glog", "system.yaml", "refuse while unconscious, dying or coma", "refuse whyle unconscious"): "write refuse if",
    # Cards with a death-score.
    ("hackjack", "deck.yaml", "drop item", "again times 2"): (
        "no event here plays again: write steps of your own, or plays: {again: EVENT} under procedure"
    ),
    (
        "hackjack",
        "deck.yaml",
        "drop item",
        "whenever near_cause until recovery score 2",
    ): "no step here asks for extra_score(near_cause): leave score out",
    # An injury deck.
    ("deadlands", "deck.yaml", "penalty 1 to repair", "penalty 1d4 to repair"): "dice are not kept",
    ("deadlands", "deck.yaml", "penalty 1 to repair", "penalty 1 to repair per grit"): "is not counted here",
    ("deadlands", "deck.yaml", "[spare]", "[peek]"): "this belongs on cards with a death-score",
    ("deadlands", "deck.yaml", "    effects:", "    trauma: 2\n    effects:"): "trauma is not counted here",
}


@pytest.mark.parametrize("spoilt", SPOILT, ids=str)
def test_content_that_cannot_be_played_is_found(spoilt: tuple[str, str, str, str], tmp_path: Path) -> None:
    system, name, old, new = spoilt
    pack = Path(shutil.copytree(ROOT / "content" / system, tmp_path / "pack"))
    text = (pack / name).read_text(encoding="utf-8")
    assert old in text
    (pack / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    ran = run("check", pack)
    assert ran.code == 1
    faults = [line for line in (*ran.out.splitlines(), *ran.faults) if SPOILT[spoilt] in line]
    assert faults, (ran.out, ran.err)
    assert f"{name}:" in faults[0]
    assert "Traceback" not in ran.err


def test_a_pack_of_ones_own_may_roll_other_dice(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "glog", tmp_path / "pack"))
    system = (pack / "system.yaml").read_text(encoding="utf-8")
    (pack / "system.yaml").write_text(system.replace("severity_die: d12", "severity_die: 2d4+1", 1), encoding="utf-8")
    ran = run("resolve", "glog", "hit", "1", "--pack", pack, "--dice", "2,3", "--at", "type=nonlethal")
    assert (ran.code, ran.err) == (
        1,
        "needs d6 (Other damage 7-8: how many minutes), after 2 (severity), 3 (severity)\n",
    )
    ran = run("resolve", "glog", "hit", "1", "--pack", pack, "--dice", "2,2", "--at", "type=nonlethal")
    assert "Severity 6: 5 on the 2d4+1 + 1 lethal." in ran.out
    ran = run("odds", "glog", "hit", "1", "--pack", pack, "--at", "type=nonlethal", "--json")
    assert json.loads(ran.out)["rows"]["1-4"]["fraction"] == "1/16"

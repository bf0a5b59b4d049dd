"""An evening with severity tables: command by command, from a script and at the prompt. What is kept of it, and how, is
the same for every game: see the tests of the session."""

from __future__ import annotations

import builtins
import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from helpers import Ran, run, script
from injured import full, glog, injury

from generator import games
from generator.cli import completion
from generator.session.campaigns import campaign_file
from generator.session.journal import read_file

MINUS = "\u2212"


pytestmark = pytest.mark.usefixtures("home")


def play(*lines: str) -> Ran:
    """Commands, each in a call of its own; the last one counts."""
    for line in lines:
        ran = run("play", *line.split())
    return ran


def done(*lines: str) -> list[str]:
    """Commands that must go well: the lines of the last."""
    *first, last = lines
    if first:
        ran = script("\n".join(first).removeprefix("glog "), *(["glog"] if first[0].startswith("glog ") else []))
        assert (ran.code, ran.err) == (0, ""), ran.err
    ran = play(last)
    assert (ran.code, ran.err) == (0, ""), ran.err
    return ran.out.splitlines()


PARTY = (
    "glog add bryn hp 7", "add mo", "add cara hp 4 kind npc", "add wolf hp 3 kind monster", "add kim hp 2 hd 3 max 9",
)  # fmt: skip


def test_a_whole_party_command_by_command() -> None:
    assert done(*PARTY) == ["kim: 2 HP"]
    assert done("hit bryn 9 --at location=arm dice 4")[-1] == "bryn: 0 HP, Disabled (arm) 1 day"
    assert done("hit bryn 2 type=nonlethal dice 4 5")[-1] == "bryn: 0 HP, Disabled (arm) 1 day, KO'd 5 minutes"
    assert done("hit mo 1 --at type=fall --at location=leg --at side=left dice 6 1 6")[-1] == (
        "mo: 0 HP, Disabled (left leg) 7 days, Prone"
    )
    assert done("hit cara 5")[-1] == f"cara: {MINUS}1 HP, Dying"
    assert done("round cara 2")[-1] == f"cara: {MINUS}1 HP, Dying for 2 rounds"
    assert done("stabilise cara 13 dice 4")[-1] == f"cara: {MINUS}1 HP"
    assert done("hit wolf 3")[-1] == "wolf: dead"
    assert (
        done("hit kim 4 --at location=torso dice 5 1 1 9")[-1]
        == "kim: 0 HP, Dying in 9 rounds, Gored (torso) 2 days, Winded"
    )
    assert done("heal kim 99 by=rest")[-1] == "kim: 6 HP, Gored (torso) 2 days, Winded"
    assert done("trauma kim 2 dice 2 6 20")[-1] == (
        "kim: 6 HP, Gored (torso) 2 days, Winded, breakdown (Constant screaming) for 20 more rounds"
    )
    assert done("calm kim", "hour kim")[-1] == "kim: 6 HP, Gored (torso) 2 days, Winded, a save owed (Breakdown)"
    assert done("save kim fail dice 1 3")[-1] == "kim: 6 HP, Gored (torso) 2 days, Winded, Addiction (alcohol)"
    assert done("week kim")[-1] == "kim: 6 HP, Addiction (alcohol)"
    lines = done("show")
    assert [line for line in lines if not line.startswith(" ")] == [
        "bryn: 0 HP, Disabled (arm) 1 day, KO'd 5 minutes",
        "mo: 0 HP, Disabled (left leg) 7 days, Prone",
        f"cara: {MINUS}1 HP",
        "wolf: dead",
        "kim: 6 HP, Addiction (alcohol)",
    ]
    assert lines[2].startswith("    KO'd: ")


def test_at_says_the_same_as_the_prompt() -> None:
    done("glog add bryn")
    said = [done("hit bryn 4 --at location=arm dice 1"), done("undo", "hit bryn 4 location=arm dice 1")]
    assert said[0] == said[1]
    events = json.loads(run("play", "export").out)["events"]
    assert events[-1] == {"do": "hit", "who": "bryn", "words": ["4"], "dice": [1], "at": {"location": "arm"}}
    assert done("odds bryn 4 --at type=fire") == done("odds bryn 4 type=fire")
    assert done("odds bryn breakdown --at characters=5 --at points=2,1")[-1] == (
        "that at least one of 5 has broken down"
    )
    assert done("odds bryn 4 hits 2 --at location=head") == done("odds bryn 4 location=head hits 2")


BAD_LINES = {
    "hit bryn 9 --at location=hed": (2, 'location cannot be "hed": did you mean "head"?'),
    "hit bryn 9 --at location": (2, '--at "location": write NAME=VALUE'),
    "hit bryn 9 --at foo=bar": (2, "hit takes no foo: it takes type, location, side, hands"),
    "hit bryn 9 type=fire --at type=fall": (2, "type is given twice"),
    "--at type=fire": (2, "--at belongs to a command"),
    "show --at type=fire": (2, 'nobody here is called "type=fire"'),
    "add zed --at hp=3": (2, '"hp=3" is not understood: write add NAME [hp N] [kind pc|npc|monster] [hd N] [max N]'),
    "undo --at type=fire": (2, 'undo takes a whole number, not "type=fire"'),
    "hit bryn": (2, "hit needs a number: write hit NAME N [type=fire]"),
    "hit bryn 9": (1, "needs d12 (severity): write dice and every face"),
    "hit bryn 9 dice 13": (2, "a d12 (severity) cannot show 13"),
    "hit bryn 9 dice 9 1 1": (2, "nothing needs the last die given (1, 1)"),
    "hit bryn 9 QS": (2, '"QS" is one value too many for hit: write hit NAME N'),
    "hit zed 9 dice 1": (2, 'nobody here is called "zed"; known: bryn'),
    "save bryn": (2, "save needs pass or fail or roll: write save NAME pass|fail|roll"),
    "stand bryn": (1, "bryn is on their feet already"),
    "stabilise bryn 9 dice 1": (1, "bryn is not Dying"),
    "add bryn": (1, "bryn is at the table already"),
    "add zed hp -3": (2, "the state's hp is \N{MINUS SIGN}3: it must be from 0 to"),
    "add zed hp 3 kind": (2, '"kind" is not understood'),
    "add zed hp 3 kind pet": (2, 'kind cannot be "pet": write pc, npc or monster'),
    "add zed kind monster": (2, "invalid state: a monster at 0 HP is dead; give it hp"),
    "add zed hp 3 max 2": (2, "invalid state: 3 HP of 2 at most"),
    "odds bryn day": (2, 'hit takes a whole number, not "day"'),
    "odds bryn trauma 1 hits 2": (1, "--hits counts deaths, and trauma kills nobody"),
}


def test_bad_commands_end_in_one_line_and_change_nothing() -> None:
    done("glog add bryn")
    before = run("play", "export").out
    for line, (code, says) in BAD_LINES.items():
        ran = play(line)
        assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1), (line, ran)
        assert ran.err.startswith(says), line
    assert run("play", "export").out == before


def test_show_says_everything_in_full() -> None:
    done("glog add bryn", "hit bryn 4 location=leg dice 1", "day bryn", "hit bryn 4 location=arm dice 4 4 5")
    done("day bryn 3", "hit bryn 1 type=fire dice 4 3 3", "show")
    assert done("show bryn") == [
        "bryn: 0 HP, Disabled (arm) 6 days, Burned 6 days",
        "    Disabled: That limb has left your service. If it is an arm, disarmed. If it is a leg, prone until you "
        f"stand up. If it is a leg, {MINUS}6 to Movement.",
        f"    Burned: You are overdone on one side. {MINUS}1 to maximum HP for each hit die.",
        "    Disabled (arm) heals on day 10.",
        "    Burned heals on day 10.",
    ]
    game = games.game_of(glog())
    state = full(injuries=[injury("coma", chances=[2, 9]), injury("one_eyed")], day=30)
    assert list(game.details(state))[-1] == "Coma may end by a save on days 32 and 39."
    assert game.details(full(dead=True, injuries=[injury("gored", 3)])) == ()


def test_completion() -> None:
    done("glog add bryn", "add mo")
    now = read_file(campaign_file("table"), glog())
    assert now is not None

    def completed(line: str) -> list[str]:
        return completion.completions(line, line.rpartition(" ")[2], now)

    assert completed("s") == ["stand", "stabilise", "save", "show", "set", "session"]
    assert completed("hit m") == ["mo"]
    assert completed("hit mo 3 t") == ["type="]
    assert completed("hit mo 3 d") == ["dice"]
    assert completed("save mo p") == ["pass"]
    assert completed("odds mo b") == ["breakdown"]
    assert completed("trauma mo 1 w") == ["wil="]
    assert completed("add zed k") == ["kind"]
    assert completed("add zed kind m") == ["monster"]
    assert completed("hit mo 3 type=f") == ["type=fire", "type=fall"]
    assert completed("hit mo 3 type=fall location=") == ["location=arm", "location=leg"]
    assert completed("hit mo 3 location=torso side=") == []
    assert completed("hit mo 3 location=arm side=") == ["side=left", "side=right"]
    assert completed("hit mo 3 type=fall t") == [], "an option is said once"
    assert completed("odds mo 3 type=fi") == ["type=fire"]
    assert completed("hit nobody t") == []


# --- at the prompt ---------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Standard input that somebody sits at."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Type lines at the prompt: how it went, and the questions that were asked."""

    def at_prompt(*lines: str, options: tuple[str, ...] = ("glog",)) -> tuple[Ran, list[str]]:
        asked: list[str] = []
        waiting = iter(lines)

        def answer(question: str = "") -> str:
            asked.append(question)
            line = next(waiting, None)
            if line is None:
                raise EOFError
            return line

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setattr(sys, "stdin", Terminal())
        return run("play", *options), [question for question in asked if question != "> "]

    yield at_prompt


def test_the_prompt_asks_for_every_die(typed: Any) -> None:
    ran, asked = typed(
        "add bryn", "hit bryn 3", "9", "3", "2 2", "3", "2", "1", "6", "save bryn fail", "2", "show", "quit"
    )
    assert (ran.code, ran.err) == (0, "")
    assert asked == [
        "roll d12 (severity): ",
        "roll d4 (location): ",
        "roll 2d6 (Weapons and blows 11-12: how many weeks): ",
        "roll d10 (Weapons and blows 11-12: 3 or less Paraplegia until a save or Quadriplegia until a save (d2)): ",
        "roll d2 (Weapons and blows 11-12: 1 Paraplegia until a save; 2 Quadriplegia until a save): ",
        "roll d6 (Weapons and blows 11-12: how many days): ",
        "roll d6 (Weapons and blows 11-12: how many weeks): ",
        f"roll d2 (Crushed: 1 {MINUS}1 Str for good; 2 {MINUS}1 Dex for good): ",
    ]
    line = "bryn: 0 HP, Dying, Gored (torso) 28 days, Quadriplegia (torso) saves in 1 and 42 days, Winded"
    assert f"{line}, {MINUS}1 Dexterity" in ran.out

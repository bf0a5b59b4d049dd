"""A posse at the table: commands in, lines out; undo, export, replay, a virtual deck, the prompt."""

from __future__ import annotations

import builtins
import io
import json
import sys
from typing import Any

import msgspec
import pytest
from games.test_rules import deadlands
from helpers import Ran, run
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import HackjackError
from generator.base.text_input import split_words
from generator.session import prompt
from generator.session.deeds import Deed
from generator.session.luck import MissingError
from generator.session.party import PartyTable
from generator.session.session import Session, advance, new_campaign, new_session

pytestmark = pytest.mark.usefixtures("home")


def script(text: str, *options: str) -> Ran:
    """Commands from a pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(text))
        return run("play", *options, "deadlands")


def done(line: str, *options: str) -> list[str]:
    """One command as a call of its own, which must go well: its lines."""
    ran = run("play", *options, "deadlands", *split_words(line))
    assert (ran.code, ran.err) == (0, ""), (line, ran.err)
    return ran.out.splitlines()


def refused(text: str, says: str, *options: str) -> list[str]:
    """Commands from a pipe, of which the last is refused: the lines of the others."""
    ran = script(text, *options)
    last = sum(bool(line.strip()) for line in text.splitlines())
    assert ran.code in (1, 2) and says in ran.err and len(ran.faults) == 1, (last, ran.err)
    return ran.out.splitlines()


POSSE = """
add webb vigor d8 agility d6 climb d8 chips 3 xp 18
add ann spirit d6 healing d8 chips 1
add mallory face vigor d10
"""

EVENING = """
trait webb agility tn=6 dice 5 2 choose 1
xp webb 2
guts webb d6 dice 3 1
award webb marker "Cullen Bohannon" die=d8
marker webb Cullen dice 6
marker webb Cullen dice 2
marker webb cullen dice 4 3
fate webb agility 3C dice 4 1
luck ann Q+ cards KD
luck ann QH 2C cards AS
luck ann red cards RJ
unskilled ann dice 2 2 2 2 1
grant ann survival
action ann BJ
round ann
soak webb vigor 2 dice 3 2 choose 1
heal webb d8 healer=ann dice 2 3
heal webb d8 healer=ann chip=yes dice 5 1
chips ann 1 taken
wound webb 4
incapacitation webb vigor 3D dice 5 2 3
day webb dice 8 1 1
wake webb
task webb climb attempts needs=5 tn=6
attempt webb climb climb harm=1d10 dice 3 6 1
attempt webb climb climb harm=1d10 dice 7 2 3 choose 1
attempt webb climb climb harm=1d10 dice 5 8 2 6
attempt webb climb climb harm=1d10 dice 1 7 1
book ann 20 d12 dice 12
serial mallory d6 dice 2 2 1 1
wound mallory 4
"""


def test_an_evening_of_a_posse() -> None:
    ran = script(POSSE + EVENING + "show\n")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    for line in (
        "A new rank: Seasoned, with Grit 1.",
        "Grit adds +1.",
        "The marker of Cullen Bohannon is d6 now.",
        "That was the last favour of Cullen Bohannon: the marker is gone.",
        "Fate draws the 3 of clubs: the target number is 3.",
        "Named: Q or higher. Drawn: King of diamonds: lucky.",
        "A new skill: survival d4.",
        "A joker: +2 on everything this round; it goes before the red one.",
        "A Fate Chip for a second attempt of ann.",
        "More than the body holds: incapacitated. Roll Vigor.",
        "5 of five successes after 4 tries, 16 damage so far: done.",
        "A book of 20 hours, less 12: 8 hours.",
        "A Face Card is incapacitated: slain.",
    ):
        assert line in lines, line
    assert [line for line in lines if line.split(":")[0] in ("webb", "ann", "mallory")][-3:] == [
        "webb: Seasoned, Grit 1, 1 of 3 wounds, Shaken, 2 Fate Chips, Winded (3D) for 10 days",
        "ann: Novice, 0 of 3 wounds, 0 Fate Chips",
        "mallory: dead",
    ]


def test_every_draw_is_from_a_full_deck_whoever_holds_an_action_card() -> None:
    said = script(POSSE + "action webb RJ\nluck ann QH cards RJ\nshow\n").out
    assert "lucky" in said, "the joker is in the other hand, and comes all the same"
    assert "54 of 54 cards are in the deck" in said


def test_action_cards_come_from_one_deck() -> None:
    refused(POSSE + "action webb 5C\naction ann 5C\n", "5C has been drawn already")
    said = script("action ann RJ\nround webb all\nshow\n").out
    assert "action card" not in said.splitlines()[-4:], "a round may begin for everybody at once"
    assert done("action ann 5C")[0] == "The action card is the 5 of clubs."
    loose = ("--campaign", "loose", "--set", "action_cards=full_deck")
    assert (
        script(POSSE + "action webb 5C\naction ann 5C\n", *loose).out.count("The action card is the 5 of clubs.") == 2
    )


def test_a_virtual_deck_deals_no_card_twice_in_a_round() -> None:
    names = [f"p{number}" for number in range(30)]
    lines = [*(f"add {name}" for name in names), *(f"action {name}" for name in names), "export"]
    ran = script("\n".join(lines), "--campaign", "v", "--deck", "virtual", "--seed", "1", "--json")
    assert (ran.code, ran.err) == (0, "")
    shown = json.loads(ran.out.splitlines()[-1])
    cards = [one["state"]["action"] for one in shown["characters"]]
    assert len(set(cards)) == 30
    again = run("play", "--campaign", "v", "--json", "deadlands", "export")
    assert json.loads(again.out) == shown, "the journal replays"


def test_a_critical_failure_ends_a_serial_roll_for_the_whole_posse() -> None:
    doors = "task webb door serial\ntask ann Door serial\n"
    jam = "attempt webb door agility dice 1 1\n"
    over = "a critical failure ended it for everybody"
    refused(f"{POSSE}{doors}task mallory door attempts\n{jam}attempt ann door d8 dice 5 1\n", over)
    assert over not in " ".join(done("show mallory")), "a dramatic task is another thing"
    refused("drop ann Door\ntask ann door compound\n", '"door" is over for everybody, by a critical failure of webb')
    ran = script("undo\nundo\nattempt ann door d8 dice 5 1\n")
    assert "a success" in ran.out, "undo opens it again for all"
    options = ("--campaign", "alone", "--set", "jammed=for_one")
    assert "a success" in script(f"{POSSE}{doors}{jam}attempt ann door d8 dice 5 1\n", *options).out


WRONG = {
    "add x wild vigor": '"vigor" is not understood: write add NAME',
    "add x vigor d7": 'there is no trait die "d7"',
    "add x chips many": "chips",
    "add x xp -1": "xp",
    "add x coin d6": "not the name of a trait",
    "add webb": "at the table already",
    "trait nobody d8": 'nobody here is called "nobody"',
    "trait webb": "trait needs a die or a trait: write trait NAME DIE",
    "trait webb vgor dice 2 3": 'webb has no trait "vgor": did you mean "vigor"?',
    "trait webb d8 dice 9 1": "cannot show 9",
    "marker webb Bohannon dice 3": 'holds no marker "Bohannon"',
    "fate webb d8 1C": '"1C"',
    "action webb": "needs a card",
    "trait webb d8 dice 2 3": "needs a choice: 1 keep it 2 a Fate Chip",
    "trait webb d8 dice 2 3 choose 3": "choose 1 to 2",
    "tarit webb d8": 'did you mean "trait"?',
    "odds webb wound 1": "write odds NAME",
}


def test_what_is_wrong_at_the_table_is_said_in_a_sentence_and_changes_nothing() -> None:
    script(POSSE)
    before = run("play", "--json", "deadlands", "export").out
    for words, says in WRONG.items():
        ran = run("play", "deadlands", *words.split())
        assert ran.code in (1, 2) and ran.out == "", words
        assert says in ran.err and len(ran.faults) == 1 and "Traceback" not in ran.err, (words, ran.err)
    assert run("play", "--json", "deadlands", "export").out == before


# --- the prompt ------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nobody_buys_a_second_attempt_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice, the total and the target number are on the screen when the chip is asked for."""
    seen: list[str] = []
    waiting = iter(["add webb climb d8 chips 2", "trait webb climb tn=6", "3", "2", "2", "4", "1", "1"])

    def answer(asked: str = "") -> str:
        seen.append(asked)
        return next(waiting, "quit")

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal())
        patch.setattr(builtins, "input", answer)
        patch.setattr("click.echo", lambda text="", **_: seen.extend(str(text).splitlines()))
        run("play", "deadlands")
    offers = [place for place, line in enumerate(seen) if line.startswith("choose 1 to ")]
    assert [seen[place - 3] for place in offers] == [
        "The d8 comes to 3; the wild die to 2: 3 against 6, a failure.",
        "The d8 comes to 4; the wild die to 1: 4 against 6, a failure.",
    ]
    assert [seen[place - 2 : place] for place in offers] == [
        [
            "  1  keep it      it stays a failure",
            f"  2  a Fate Chip  the d8 and the wild d6 are rolled again, and {left}",
        ]
        for left in ("1 chip is left", "0 chips are left")
    ]
    assert "A Fate Chip for a second attempt: 1 left." in seen
    assert sum("3 against 6" in line for line in seen) == 1, "what was said before a question is not said again"


# --- whatever is played ----------------------------------------------------------------------------------------------

_COMMANDS = """
trait webb climb tn=6 / trait ann d6 mod=-2 wild=none / unskilled ann / grant ann riding /
serial webb d6 tries=3 / compound ann d8 tn=8 / attempts webb climb needs=2 rounds=4 harm=1d6 /
luck ann QH 2C red / luck webb 5-9 hearts / fate ann coin / damage webb 2d6+1 critical=yes / action webb /
round webb / hour webb / day webb vigor medicine=d6 / guts ann spirit / fear ann spirit /
recover ann spirit reflexes=yes / wound webb 2 / wound ann 4 / soak webb vigor 3 /
incapacitation webb vigor hard=yes / survive webb / wake webb / injury ann permanent / injury webb temporary d6 /
heal webb d8 healer=ann / heal webb d8 healer=ann chip=yes / chips webb 1 given /
award webb marker "The Governor" die=d6 says=once / marker webb The / marker ann d4 /
award ann burn "Suicide King" card=KH / burn ann Suicide / award webb kicker k bonus=2 trait=climb /
trait webb climb kicker=k / task webb it compound tn=8 / attempt webb it climb / drop webb it /
book ann 20 d12 unit=weeks bonus=1 trait=repair / knowledge ann healing steps=2 / xp ann 7 / spend ann Marksman /
improve ann spirit / learn ann latin / has ann pistols d6 / is ann face levels=5 / remove webb / undo / redo
"""
COMMANDS = st.sampled_from([line.strip() for line in _COMMANDS.split("/")])


def opened(seed: int) -> Session:
    table = PartyTable(deadlands(), new_campaign(deadlands(), "virtual", seed))
    now = new_session(table)
    for line in POSSE.splitlines():
        if line:
            now = advance(now, prompt.read_deed(line.split()[0], line.split()[1:], table, now.party)).session
    return now


@given(seed=st.integers(0, 10_000), lines=st.lists(COMMANDS, max_size=12), choices=st.randoms(use_true_random=False))
def test_the_same_commands_give_the_same_posse_again(seed: int, lines: list[str], choices: Any) -> None:
    now = opened(seed)
    deeds: list[Deed] = [moment.command.deeds[0] for moment in now.moments()][::-1]
    for line in lines:
        name, *words = split_words(line)
        try:
            deed = prompt.read_deed(name, words, now.table, now.party)
            for _ in range(20):
                try:
                    step = advance(now, deed)
                    break
                except MissingError as missing:
                    assert str(missing).startswith("needs a choice")
                    deed = msgspec.structs.replace(deed, choices=(*deed.choices, choices.randint(1, 2)))
            else:
                continue
        except HackjackError as error:
            assert str(error) and "\n" not in str(error)
            continue
        now = step.session
        deeds.append(step.command.deeds[0])
        if step.command.deeds[0].do not in ("undo", "redo"):
            retyped = split_words(prompt.typed_command(step.command, now.table))
            again = prompt.read_deed(retyped[0], retyped[1:], now.table, _before(now).party)
            assert again == _on_paper(step.command.deeds[0])
    replayed = new_session(now.table)
    for deed in deeds:
        replayed = advance(replayed, deed, replaying=True).session
    assert replayed.party == now.party
    kept = now
    steps = sum(1 for _ in now.moments())
    for _ in range(steps):
        now = advance(now, Deed("undo")).session
    assert now.party.characters == {}
    for _ in range(steps):
        now = advance(now, Deed("redo")).session
    assert now.party == kept.party


def _before(now: Session) -> Any:
    assert now.now.before is not None
    return now.now.before


def _on_paper(deed: Deed) -> Deed:
    """A deed as people write it: the order of a virtual deck is nobody's to type."""
    return msgspec.structs.replace(deed, order=())

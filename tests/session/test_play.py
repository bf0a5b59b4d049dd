"""`hackjack play` as people and scripts meet it: commands in, lines out."""

from __future__ import annotations

import builtins
import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from helpers import ROOT, Ran, copy_pack, done, hackjack, lines_of_campaign, run, script

from generator import games
from generator.cli import completion
from generator.games import game_of
from generator.play.chance import RollNeed
from generator.session import prompt
from generator.session.campaigns import campaign_file
from generator.session.deeds import Deed
from generator.session.journal import Journal, read_file
from generator.session.luck import MissingError
from generator.session.party import PartyTable
from generator.session.session import Moment, log_of, new_campaign

MINUS = "\u2212"
COMMANDS = prompt.commands(games.game_of(hackjack()))


pytestmark = pytest.mark.usefixtures("home")


def play(line: str, *options: str) -> Ran:
    return run("play", *options, *line.split())


# --- an evening ------------------------------------------------------------------------------------------------------


def test_an_evening_from_a_script() -> None:
    ran = script(
        "# the party\nadd bryn hp 7\nadd cara\n\nhit bryn 9 KH\nhold bryn\nhit br 3 8C\nshow bryn\nquit\nshow\n"
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "bryn: 7 HP, death-score 0, Blood 0, Trauma 0",
        "cara: death-score 0, Blood 0, Trauma 0",
        "A hit for 9.",
        f"HP would be {MINUS}2: a card is drawn.",
        "Drawn: KH, Ruin within.",
        "The death-score rises by 10: it is 10 now.",
        "6 Blood into the pool: it holds 6.",
        "Trauma is 6 now.",
        "bryn: death-score 10, Blood 6, Trauma 6",
        "You hold your wounds: walk or defend, nothing else.",
        "bryn: death-score 10, Blood 6, Trauma 6, holding",
        "A hit for 3.",
        "You hold 6 Blood in.",
        "Drawn: 8C, Open gash.",
        "The death-score rises by 8: it is 18 now.",
        "2 Blood into the pool: it holds 8.",
        "bryn: death-score 18, Blood 8, Trauma 6, holding",
        "bryn: death-score 18, Blood 8, Trauma 6, holding",
        "    Draw pile: Ruin within (KH) 10 and Open gash (8C) 8.",
    ]


def test_a_script_goes_on_after_an_error_and_ends_with_its_status() -> None:
    ran = script("add bryn\nhit bryn 9 QS\nhti bryn 9\nhit bryn 9 10C dice 2\n")
    assert ran.code == 1
    assert ran.faults == [
        "line 2: needs a card: write the card after the command, as in hit bryn 9 QS AC",
        'line 3: there is no command "hti": did you mean "hit"?',
    ]
    assert ran.out.splitlines()[-1] == "bryn: death-score 10, Blood 2, Trauma 0"
    assert script("hti bryn\nundo\nundo\nundo\n").code == 2


def test_what_a_script_says_reaches_the_terminal_in_letters() -> None:
    ran = script("add bryn\nhit bryn x\x07\x1b[2Jy\n")
    assert ran.faults == ['line 2: hit takes a whole number, not "x\\x07\\x1b[2Jy"']


def test_a_script_with_json_is_one_document_a_line() -> None:
    ran = script("add bryn\nhit bryn 9 KH\nshow\nundo\nlog\nwhy\nhelp hit\nexport\n", "--json")
    assert (ran.code, ran.err) == (0, "")
    values = [json.loads(line) for line in ran.out.splitlines()]
    assert values[1]["state"]["blood"] == 6
    assert values[3]["undone"] == "hit bryn 9 KH"
    assert values[4] == [{"deed": {"do": "add", "who": "bryn"}, "log": []}]
    assert values[7]["events"] == [{"do": "add", "who": "bryn"}]


def test_an_empty_script_leaves_nothing(home: Path) -> None:
    assert script("") == Ran(0, "", "")
    assert list(home.glob("*.hackjack")) == []


def test_single_commands_share_a_campaign() -> None:
    assert done("add bryn hp 7") == ["bryn: 7 HP, death-score 0, Blood 0, Trauma 0"]
    assert done("hackjack add Ötzi hp 3")[-1].startswith("Ötzi: 3 HP")
    assert done("hit bryn 22 7C,KH,2H choose 1")[-1] == "bryn: death-score 15 (8 as tokens), Blood 6, Trauma 6"
    assert done("undo") == [
        "Undone: hit bryn 22 7C KH 2H choose 1",
        "Back into the deck: 7C KH 2H",
        "bryn: 7 HP, death-score 0, Blood 0, Trauma 0",
    ]
    assert done("redo") == [
        "Done again: hit bryn 22 7C KH 2H choose 1",
        "Out of the deck again: 7C KH 2H",
        "bryn: death-score 15 (8 as tokens), Blood 6, Trauma 6",
    ]
    assert done("remove ö") == ["Ötzi leaves the table."]
    assert done("undo") == ["Undone: remove Ötzi", "Ötzi: 3 HP, death-score 0, Blood 0, Trauma 0"]
    assert done("heal bryn 25")[-1] == "bryn: 4 HP, death-score 0, Blood 0, Trauma 6"
    assert done("recover bryn dice 1 2 3 4 5")[-1] == "bryn: 4 HP, death-score 0, Blood 0, Trauma 0"
    assert done("rest bryn comfort")[0] == "A night of 8 hours, in comfort."
    assert done("act bryn") == ["Nothing keeps you from acting.", "bryn: 4 HP, death-score 0, Blood 0, Trauma 0"]
    for line in ("bleed bryn 2", "poison bryn 3", "drain bryn 4", "hold bryn", "release bryn", "draw bryn AC"):
        assert done(line)[-1].startswith("bryn: 4 HP, death-score")
    numbers = [int(line.split(".")[0]) for line in done("log") if line[0].isdigit()]
    assert numbers == list(range(4, 14))
    assert [line for line in done("log 2") if line[0].isdigit()] == ["12. release bryn", "13. draw bryn AC"]


def test_show_counts_the_cards_that_are_left() -> None:
    done("add bryn")
    done("hit bryn 3 4C")
    done("add cara")
    assert done("show") == [
        "bryn: death-score 4, Blood 0, Trauma 1",
        "    4C  Your arms are useless until you recover",
        "    Draw pile: Dead arms (4C) 4.",
        "cara: death-score 0, Blood 0, Trauma 0",
        "51 of 52 cards are in the deck",
        "    clubs    12  A 2 3 5 6 7 8 9 10 J Q K",
        "    spades   13  A 2 3 4 5 6 7 8 9 10 J Q K",
        "    diamonds 13  A 2 3 4 5 6 7 8 9 10 J Q K",
        "    hearts   13  A 2 3 4 5 6 7 8 9 10 J Q K",
    ]
    done("heal bryn 9")
    assert done("show b")[-1] == "    Recovering: 1d6 days, not rolled yet"


def test_show_with_house_rules_and_jokers() -> None:
    done("add bryn", "--set", "jokers=lucky_break", "--set", "massive_damage=over_13")
    assert done("hit bryn 5 RJ")[-2] == "A lucky break: no wound and no death-score."
    lines = done("show")
    assert lines[1] == "rulings: jokers=lucky_break"
    assert lines[2] == "53 of 54 cards are in the deck"
    assert lines[-1] == "    jokers    1  BJ"


def test_why_names_the_rulings() -> None:
    assert script("why").out == "Nothing has happened yet.\n"
    done("add bryn hp 7")
    assert done("why") == ["add bryn hp 7", "    It follows no ruling of ours."]
    done("hit bryn 22 KH")
    first, *reasons = done("why")
    assert first == "hit bryn 22 KH"
    assert [reason.split(":")[0].strip() for reason in reasons] == ["H3", "H11"]


def test_help() -> None:
    words = " ".join(done("help")).split()
    for name, (usage, says) in COMMANDS.items():
        assert name in words
        assert done(f"help {name}")[:2] == [usage, f"    {says}"]
    assert done("help hit")[2] == "    such as hit bryn 3"
    assert done("? hit") == done("help hit")
    assert play("help hti").faults == ['there is no command "hti": did you mean "hit"?']
    assert done("quit") == []
    assert "hit bryn 9 QS" in run("play", "--help").out


def test_every_event_of_the_system_is_a_command() -> None:
    for name, spec in game_of(hackjack()).EVENTS.items():
        usage, says = COMMANDS[name]
        assert usage.startswith(f"{name} [NAME]" if spec.time else f"{name} NAME")
        assert says == spec.says
    assert COMMANDS["hit"][0] == "hit NAME N [critical] [CARD ...] [dice N ...] [choose N ...]"


# --- odds ------------------------------------------------------------------------------------------------------------


def few_left() -> None:
    """Somebody at 15, and a deck of which few cards are left, so that odds are quickly counted."""
    done("add bryn")
    done("poison bryn 15")
    system = hackjack()
    opened = Journal(campaign_file("table"), system, new_campaign(system))
    for code in game_of(system).deck():
        if code not in ("2S", "3S", "4S", "5S", "KS", "JS", "8S", "6D", "7C"):
            opened.do(Deed("add", "other"))
            _drawn(opened, code)
            opened.do(Deed("remove", "other"))


def _drawn(opened: Journal, code: str) -> None:
    """Draw a card with the lowest dice, unless it draws more cards."""
    dice: tuple[int, ...] = ()
    while True:
        try:
            opened.do(Deed("draw", "other", cards=(code,), dice=dice))
        except MissingError as missing:
            if not isinstance(missing.need, RollNeed):
                return
            dice = (*dice, *[1] * missing.need.dice.count)
        else:
            return


@pytest.mark.slow
def test_odds_explain_themselves_in_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    few_left()
    left = json.loads(play("show", "--json").out)["deck"]["cards"]
    assert {"2S", "KS", "JS", "8S", "6D", "7C"} <= set(left)
    assert len(left) < 16
    first, *rest = done("odds bryn 9")
    values = json.loads(play("odds bryn 9", "--json").out)
    kill = values["cards"]["kill"]
    assert {"KS", "JS", "8S"} <= set(kill)
    assert {"2S", "6D"} & set(kill) == set()
    assert first.startswith(f"hit bryn 9: {len(kill)} of {len(left)} unseen cards kill ({' '.join(kill)})")
    assert [line.split()[0] for line in rest][:3] == ["die", "reset", "survive"]
    assert values["die"]["p"] >= len(kill) / len(left)
    assert values["cards_left"] == len(left)
    assert values["die"]["p"] + values["survive"]["p"] == pytest.approx(1)
    assert sum(share["p"] for share in values["score"].values()) == pytest.approx(values["survive"]["p"])
    monkeypatch.setattr("generator.games.steps.odds_answers.MAX_WORK", 5_000)
    monkeypatch.setattr("generator.games.steps.odds_answers.MAX_PLAYED_WORK", 20_000)
    lines = done("odds bryn 9 hits 2")
    assert [line.split()[:3] for line in lines[1:3]] == [["dead", "after", "1"], ["dead", "after", "2"]]
    by = json.loads(play("odds bryn 9 hits 2", "--json").out)["die_by"]
    assert by[0]["p"] == pytest.approx(values["die"]["p"], abs=4 * by[0]["error"])
    assert by[0]["p"] < by[1]["p"]


@pytest.mark.slow
def test_odds_without_a_card() -> None:
    done("add bryn hp 9")
    assert done("odds bryn 3")[0] == "hit bryn 3: no card is drawn"
    assert done("odds bryn 50")[0] == "hit bryn 50: death at once, without a card"


# --- a virtual deck --------------------------------------------------------------------------------------------------


def test_a_virtual_deck_plays_by_itself() -> None:
    virtual = ("--deck", "virtual", "--seed", "7")
    done("add bryn", *virtual)
    first = done("hit bryn 3")
    assert "Drawn: 10C, Red flood." in first
    before = exported()
    die = str(before["events"][-1]["dice"][0])
    assert done("undo")[:2] == [f"Undone: hit bryn 3 10C dice {die}", "Back on top of the deck: 10C"]
    for _ in range(3):
        done("show")
        done("show")
        assert done("hit bryn 3", *virtual) == first
        assert exported() == before
        done("undo")
    done("redo")
    assert exported() == before
    assert before["deck"]["seed"] == 7
    assert before["deck"]["order"][0] == "4S"
    assert len(before["deck"]["order"]) == 51
    ran = play("hit bryn 3 KH")
    assert (ran.code, ran.faults) == (
        2,
        ["this campaign's deck is virtual and draws and rolls by itself: leave cards and dice out"],
    )


def exported() -> Any:
    """What export writes, but for the commands, which tell the time of day."""
    return {key: value for key, value in json.loads(play("export").out).items() if key != "commands"}


def test_two_tables_with_one_seed_play_alike() -> None:
    lines = "add bryn hp 3\nadd cara hp 3\n" + "hit bryn 2\nhit cara 2\nheal bryn 2\n" * 5 + "show\n"
    outs = {script(lines, "--campaign", name, "--deck", "virtual", "--seed", "3").out for name in ("a", "b")}
    assert len(outs) == 1
    assert script(lines, "--campaign", "c", "--deck", "virtual").out not in outs


# --- what a campaign has settled -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        ("show", 2, 'there is no campaign "table"; add NAME begins it'),
        ("undo", 2, 'there is no campaign "table"'),
        ("hit bryn 9", 2, 'there is no campaign "table"'),
        ("--campaign ../x show", 2, 'there is no campaign "../x"; add NAME begins it'),
        ("--campaign nul add bryn", 2, '"nul" means a device on Windows: give the campaign another name'),
        ("--seed 3 add bryn", 2, "--seed shuffles a virtual deck: add --deck virtual"),
        ("--deck marked add bryn", 2, "Invalid value for '--deck'"),
        ("--set jokres=out add bryn", 2, 'hackjack has no ruling switch and no number "jokres"'),
        ("--set jokers add bryn", 2, '"jokers" is not a house rule'),
        ("hti bryn 9", 2, 'there is no command and no system "hti": did you mean "hit"?'),
        ("hackjak show", 2, 'there is no command and no system "hackjak": did you mean "hackjack"?'),
        ("hackjack hti bryn 9", 2, 'there is no command "hti": did you mean "hit"?'),
        ("set jokers=out", 2, "rulings are settled when a campaign begins"),
        ("--jsn show", 2, 'there is no option "--jsn": did you mean "--json"?'),
        ("--pack nowhere show", 1, "nowhere: folder not found"),
        ("add", 2, "add needs a name: write add NAME [hp N]"),
        ("add bryn hp", 2, '"hp" is not understood: write add NAME [hp N]'),
        ("add bryn 7", 2, '"7" is not understood: write add NAME [hp N]'),
        ("add bryn hp x", 2, 'hp takes a whole number, not "x"'),
        ("add bryn hp 7 8", 2, '"8" is one value too many for add: write add NAME [hp N]'),
        ("add 7bryn", 2, '"7bryn" is not a valid name for a character: it begins with a letter'),
        ("add \u3164", 2, "\"\u3164\" is not a valid name for a character: '\\u3164' in it is invisible"),
        ("add Bryn\u034f", 2, '"Bryn\u034f" is not a valid name for a character'),
    ],
)
def test_a_call_without_a_campaign_that_fails(call: str, code: int, says: str, home: Path) -> None:
    ran = play(call)
    assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1)
    assert ran.err.startswith(says)
    assert list(home.glob("*.hackjack")) == []


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        ("hit", 2, "hit needs a name: write hit NAME N"),
        ("hit brin 9", 2, 'nobody here is called "brin": did you mean "bryn"?'),
        ("hit b 9", 2, '"b" could be bryn or bella: write more of the name'),
        ("hit bryn", 2, "hit needs a number: write hit NAME N"),
        ("hit bryn x", 2, 'hit takes a whole number, not "x"'),
        ("hit bryn -5", 2, "hit -5: write a number from 1 to 10,000"),
        ("hit bryn 9 1OH", 2, '"1OH" is not a card: did you mean "10H"?'),
        ("hit bryn 9 critcal", 2, '"critcal" is not understood: did you mean "critical"?'),
        ("hit bryn 9 KH dice x", 2, 'dice takes a whole number, not "x"'),
        ("hit bryn 9 10C dice 5", 2, "a d4 (Blood of 10C) cannot show 5: give a number from 1 to 4"),
        ("hit bryn 9 KH 2H", 2, "nothing needs the last card given (2H): leave it out"),
        ("hit bryn 9 7C KH 2H choose 3", 2, "there is no choice 3: choose 1 to 2"),
        ("hit bryn 9 10S", 1, "10S has been drawn already and is not in the deck"),
        ("hit bryn 9 RJ", 1, "RJ is not used in this campaign: its deck has 52 cards"),
        ("hit bryn 9", 1, "needs a card: write the card after the command"),
        ("hit bryn 9 10C", 1, "needs d4 (Blood of 10C): write dice and every face after the cards, as in dice 4"),
        (
            "hit bryn 9 7C KH 2H",
            1,
            "Drawn: 7C, See it coming. The death-score rises by 7: it is 17 now. Drawn: KH, Ruin within. "
            "Drawn: 2H, Crushed throat. "
            "needs a choice: 1 Ruin within 2 Crushed throat: write choose and the number at the end",
        ),
        ("hold bryn 3", 2, '"3" is one value too many for hold: write hold NAME'),
        ("heal bella 5", 1, "bella is dead: nothing more happens to them"),
        ("odds bella 5", 1, "bella is dead: there is nothing left to count"),
        ("recover bryn", 1, "recovery begins when Blood and death-score are 0"),
        ("act bryn x", 2, 'act needs a die such as d8, not "x"'),
        ("add bryn", 1, "bryn is at the table already: take another name"),
        ("add \u0412ryn", 1, "\u0412ryn looks like bryn, who is at the table"),
        ("rename bella Br\u0443n", 1, "Br\u0443n looks like bryn, who is at the table already: take another name"),
        ("remove bryn now", 2, '"now" is one value too many for remove: write remove NAME'),
        ("undo bryn", 2, 'undo takes a whole number, not "bryn"'),
        ("redo", 1, "there is nothing to redo"),
        ("show bryn bella", 2, '"bella" is one value too many for show: write show [NAME]'),
        ("log x", 2, 'log takes a whole number, not "x"'),
        ("odds bryn", 2, "hit needs a number: write odds NAME N"),
        ("odds bryn 9 hits", 2, "how many hits? write odds NAME N"),
        ("odds bryn 9 hits 1001", 2, "hits 1,001: write a number from 1 to 1,000"),
        ("odds bryn 9 soon", 2, '"soon" is one value too many'),
        ("--campaign tabel show", 2, 'there is no campaign "tabel": did you mean "table"?'),
        ("--deck virtual show", 2, 'the campaign "table" was begun with another --deck (real): leave it out'),
        ("--seed 3 show", 2, 'the campaign "table" was begun with another --seed (none)'),
        ("--set jokers=lucky_break heal bryn 1", 2, 'the campaign "table" was begun with another --set jokers (out)'),
    ],
)
def test_a_call_that_fails_leaves_everything_as_it_was(call: str, code: int, says: str, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "table.hackjack").write_bytes(raw := _wounded())
    ran = play(call)
    assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1), ran
    assert ran.err.startswith(says)
    assert (home / "table.hackjack").read_bytes() == raw
    script_ran = script(call) if not call.startswith("--") else ran
    assert script_ran.code == ran.code
    assert (home / "table.hackjack").read_bytes() == raw


@cache
def _wounded() -> bytes:
    """A campaign file with Bryn, who is wounded, and Bella, who is dead."""
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "t.hackjack", hackjack(), new_campaign(hackjack()))
        for deed in (
            Deed("add", "bryn"),
            Deed("add", "bella"),
            Deed("hit", "bryn", ("3",), ("10S",)),
            Deed("hit", "bella", ("99",), ("3S",)),
        ):
            journal.do(deed)
        return (Path(folder) / "t.hackjack").read_bytes()


def test_the_same_options_again_are_welcome() -> None:
    done("add bryn", "--set", "critical_draw=on", "--deck", "real")
    assert done("hit bryn 3 critical KH 2H", "--set", "critical_draw=on", "--deck", "real", "--set", "jokers=out")
    assert done("show", "--set", "critical_draw=on")


def test_passing_out_is_rolled_for() -> None:
    options = ("--set", "pass_out=hit_die_over_trauma")
    done("add bryn", *options)
    done("hit bryn 3 KH")
    assert play("act bryn").faults == ["act needs the class's hit die, such as d8"]
    assert play("act bryn d8").faults[0].startswith("needs d8 (act)")
    assert done("act bryn d8 dice 7")[0] == "The die shows 7, over 6: you stay awake."


def test_a_pack_of_ones_own(tmp_path: Path) -> None:
    path = copy_pack(tmp_path) / "deck.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("name: Ruin within", "name: Ruined"), encoding="utf-8")
    options = ("--pack", str(path.parent))
    done("add bryn", *options)
    assert "Drawn: KH, Ruined." in done("hit bryn 3 KH", *options)
    ran = play("log")
    assert "Drawn: KH, Ruin within." in [line.strip() for line in ran.out.splitlines()]
    assert ran.err == "table.hackjack: the campaign is played with other content of hackjack than what is here\n"


def test_other_content_is_told_and_another_system_is_an_error(tmp_path: Path) -> None:
    path = copy_pack(tmp_path) / "system.yaml"
    text = path.read_text(encoding="utf-8")
    version = hackjack().head.version
    path.write_text(text.replace(f'version: "{version}"', 'version: "9.9"', 1), encoding="utf-8")
    done("add bryn")
    ran = play("show", "--pack", str(path.parent))
    assert (ran.code, ran.err) == (0, f"table was begun with hackjack {version} and continues with 9.9\n")
    ran = play("hold bryn", "--pack", str(path.parent))
    assert (ran.code, len(ran.faults)) == (0, 1)
    path.write_text(text.replace("id: hackjack\n", "id: mine\n", 1), encoding="utf-8")
    for call in ("mine show", "mine hold bryn"):
        ran = play(call, "--pack", str(path.parent))
        assert (ran.code, ran.out) == (1, "")
        says = 'this campaign plays "hackjack", not "mine": begin another one with --campaign NAME for mine'
        assert ran.err.endswith(f"table.hackjack: line 1: {says}\n")


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_the_json_of_an_event() -> None:
    shape = json.loads(play("add bryn hp 7", "--json").out)
    assert (shape["state"]["hp"], shape["log"]) == (7, [])
    ran = play("hit bryn 22 KH", "--json")
    shape = json.loads(ran.out)
    assert {"state", "log"} <= set(shape)
    assert shape["state"]["score"] == 15
    assert shape["state"]["tokens"] == 5
    assert shape["state"]["drawn"] == ["KH"]
    assert [entry["kind"] for entry in shape["log"]][:3] == ["struck", "hit", "draw"]
    assert all(entry["text"] for entry in shape["log"])
    game = game_of(hackjack())
    assert game.plain_state(game.read_state(shape["state"])) == shape["state"], "a state that resolve takes"


def test_the_json_of_show_and_export() -> None:
    done("add bryn")
    done("hit bryn 3 4C")
    done("undo")
    done("redo")
    shown = json.loads(play("show", "--json").out)
    assert shown["deck"]["kind"] == "real"
    assert shown["deck"]["left"] == 51
    assert shown["deck"]["suits"]["clubs"] == ["A", "2", "3", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    one = json.loads(play("show bryn", "--json").out)
    assert one == shown["characters"][0]
    exported = json.loads(play("export").out)
    assert exported == json.loads(play("export", "--json").out)
    assert {key: exported[key] for key in ("system", "content", "deck", "characters", "drawn", "events")} == {
        "system": "hackjack",
        "content": hackjack().head.version,
        "deck": {"kind": "real"},
        "characters": shown["characters"],
        "drawn": ["4C"],
        "events": [{"do": "add", "who": "bryn"}, {"do": "hit", "who": "bryn", "words": ["3"], "cards": ["4C"]}],
    }
    assert exported["rulings"]["massive_damage"] == "over_13"
    why = json.loads(play("why", "--json").out)
    assert why["deed"] == exported["events"][-1]
    log = json.loads(play("log", "--json").out)
    assert [item["deed"] for item in log] == exported["events"]
    entry = log_of(*_last())[0]
    assert log[1]["log"][0] == games.plain_entry(entry, hackjack())


def _last() -> tuple[PartyTable, Moment]:
    now = read_file(campaign_file("table"), hackjack())
    assert now is not None
    return now.table, now.now


# --- at the prompt ---------------------------------------------------------------------------------------------------

END = "<end>"
BREAK = "<break>"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[Ran, list[str]]]]:
    """Play at a prompt: what is typed in, and the questions that were asked."""

    def at_prompt(*lines: str, options: tuple[str, ...] = ()) -> tuple[Ran, list[str]]:
        asked: list[str] = []
        waiting = iter(lines)

        def answer(question: str = "") -> str:
            asked.append(question)
            line = next(waiting, END)
            if line in (END, BREAK):
                raise EOFError if line == END else KeyboardInterrupt
            return line

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setattr(sys, "stdin", Terminal())
        return run("play", *options), [question for question in asked if question != "> "]

    yield at_prompt


def test_the_prompt_asks_for_cards_dice_and_choices(typed: Callable[..., tuple[Ran, list[str]]]) -> None:
    ran, asked = typed(
        "add bryn", "hit bryn 9", "10c", "3", "hit bryn 3 7C", "KH", "2H", "crushed throat", "show", "quit", "show"
    )
    assert asked == [
        "which card was drawn? (QS) ",
        "roll d4 (Blood of 10C): ",
        "after 7C: which card was drawn? (QS) ",
        "after KH: which card was drawn? (QS) ",
        "choose 1 to 2: ",
    ]
    assert (ran.code, ran.err) == (0, "")
    assert "  1  Ruin within     Blood 6; Trauma 6\n  2  Crushed throat  mute" in ran.out, (
        "choices are numbered, with their names and what they do"
    )
    assert ran.out.startswith('A new campaign, "table". ')
    assert "bryn: death-score 10, Blood 3, Trauma 0" in ran.out
    assert "Chosen: " in ran.out
    assert "48 of 52 cards" in ran.out


def test_a_wrong_answer_is_asked_again(typed: Callable[..., tuple[Ran, list[str]]]) -> None:
    ran, asked = typed("add bryn", "hit bryn 9", "1OC", "RJ", "9S", "7 7", "3", "3 4", "hit bryn 2", "9S", "2H")
    assert ran.faults == [
        '"1OC" is not a card: did you mean "10C"?',
        "RJ is not used in this campaign: its deck has 52 cards",
        "d6 7: write a number from 1 to 6",
        "write the 2 faces of 2d6, such as 3 5",
        "9S has been drawn already and is not in the deck",
    ]
    assert asked[3:6] == ["roll 2d6 (Blood of 9S): "] * 3
    assert "bryn: death-score 9, Blood 7, Trauma 4" in ran.out


def test_too_many_faces_for_one_die(typed: Callable[..., tuple[Ran, list[str]]]) -> None:
    ran, _ = typed("add bryn", "hit bryn 9 10C", "3 2", "3")
    assert ran.faults == ["write the one face of d4, such as 3"]


@pytest.mark.parametrize("answer", ["", END, BREAK])
def test_no_answer_takes_the_command_back(answer: str, typed: Callable[..., tuple[Ran, list[str]]], home: Path) -> None:
    ran, _ = typed("add bryn", "hit bryn 9 10C", answer, "show bryn")
    assert "Nothing happened." in ran.out
    assert ran.out.splitlines()[-2:] == ["bryn: death-score 0, Blood 0, Trauma 0", ""]
    assert len(lines_of_campaign(home / "table.hackjack")) == 2


def test_the_prompt_asks_for_a_roll_that_can_wait(typed: Callable[..., tuple[Ran, list[str]]], home: Path) -> None:
    """The recovery time: rolled at 1 HP or after a night, or later when nothing is answered."""
    ran, asked = typed(
        *("add bryn", "hit bryn 9 KC", "heal bryn 13", "", "show bryn", "rest bryn", "3 4", "show bryn", "week bryn 2"),
        *("show bryn", "recover bryn"),
    )
    assert asked == ["roll 2d6 (Recovery time 3: how many weeks; leave it empty to roll later): "] * 2
    assert (ran.code, ran.err) == (0, "")
    assert "With Trauma 3 recovery will take 2d6 weeks, once Blood and death-score are 0." in ran.out
    assert "    Recovering: 2d6 weeks, not rolled yet\n" in ran.out
    assert "With Trauma 3 recovery will take seven weeks, once Blood and death-score are 0." in ran.out
    assert "    Recovering: 7 weeks left\n" in ran.out
    assert "    Recovering: 5 weeks left\n" in ran.out
    assert "Recovered after 5 weeks: Trauma is gone." in ran.out
    lines = lines_of_campaign(home / "table.hackjack")
    assert ["'dice': [3, 4]" in str(line) for line in lines] == [False] * 4 + [True] + [False] * 2
    again, _ = typed("show bryn")
    assert "bryn: 1 HP, death-score 0, Blood 0, Trauma 0" in again.out


@pytest.mark.parametrize("answer", [END, BREAK])
def test_a_roll_that_can_wait_is_broken_off_with_its_command(
    answer: str, typed: Callable[..., tuple[Ran, list[str]]], home: Path
) -> None:
    ran, _ = typed("add bryn", "hit bryn 9 KC", "heal bryn 20", answer)
    assert "Nothing happened." in ran.out
    assert len(lines_of_campaign(home / "table.hackjack")) == 3


def test_a_roll_that_can_wait_is_not_asked_for_in_a_single_command() -> None:
    for line in ("add bryn", "hit bryn 9 KC", "heal bryn 20"):
        done(line)
    assert "    Recovering: 2d6 weeks, not rolled yet" in done("show bryn")
    done("rest bryn dice 3 4")
    assert "    Recovering: 7 weeks left" in done("show bryn")


def test_the_prompt_outlives_errors_and_ctrl_c(typed: Callable[..., tuple[Ran, list[str]]]) -> None:
    ran, asked = typed("", "hti", BREAK, "add bryn", "undo", "undo", "exit")
    assert (ran.code, asked) == (0, [])
    assert ran.faults == ['there is no command "hti": did you mean "hit"?', "there is nothing to undo"]
    ran, _ = typed(options=("--campaign", "table"))
    assert ran.out.startswith('"table": nobody is here. help lists')


def test_completion() -> None:
    for line in ("add bryn", "add bella", "add Ötzi", "hit bryn 3 4C"):
        done(line)
    now = read_file(campaign_file("table"), hackjack())
    assert now is not None

    def completed(line: str) -> list[str]:
        return completion.completions(line, line.rpartition(" ")[2], now)

    assert completed("re") == ["remove", "release", "rest", "recover", "rename", "redo"]
    assert completed("hit b") == ["bryn", "bella"]
    assert completed("HIT ö") == ["Ötzi"]
    assert completed("hit bryn 9 4") == ["4S", "4D", "4H"]
    assert completed("hit bryn 9 c") == ["critical", "choose"]
    assert completed("rest bryn c") == ["comfort"]
    assert completed("lift bryn t") == ["trauma"]
    assert completed("check bryn ") == ["4C", "dice"]
    assert completed("odds bryn 9 h") == ["hits"]
    assert completed("add x h") == ["hp"]
    assert completed("add b") == []
    assert completed("undo b") == []
    assert completed("help wh") == ["why"]
    assert completed("show bryn b") == []


# --- real processes --------------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "generator", "play"]


def spawned(*arguments: str, stdin: bytes = b"") -> Ran:
    done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, input=stdin, capture_output=True, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.slow
def test_processes_hand_a_campaign_on() -> None:
    for call in (["add", "bryn", "hp", "7"], ["hit", "bryn", "9", "KH"], ["undo"], ["redo"]):
        ran = spawned("--campaign", "red-keep", *call)
        assert (ran.code, ran.err) == (0, "")
    ran = spawned("--campaign", "red-keep", stdin=b"show bryn\n")
    assert ran.out.splitlines()[0] == "bryn: death-score 10, Blood 6, Trauma 6"
    ran = spawned("--campaign", "red-keep", "hit", "bryn", "9", "KH")
    assert (ran.code, ran.out) == (1, "")
    ran = spawned("--campaign", "red-keep", stdin=b"add \xffx\nadd \xf0\x9f\x92\x80\n")
    assert (ran.code, ran.out) == (2, "")
    assert [line.split()[:2] for line in ran.faults] == [["line", "1:"], ["line", "2:"]]


def test_cards_are_read_as_people_write_them() -> None:
    done("add bryn hp 3")
    done("hit bryn 9 \u2660\ufe0fq c3 dice 20")
    assert "2. hit bryn 9 QS 3C dice 20" in play("log").out.splitlines()
    assert play("HACKJACK show") == play("show")


@pytest.mark.parametrize("die", ["d6", "D10"])
def test_a_die_at_the_prompt_is_not_taken_for_a_diamond(die: str) -> None:
    done("add bryn hp 3")
    ran = play(f"hit bryn 9 {die}")
    card = f"{die[1:]}D"
    assert (ran.code, ran.err) == (
        2,
        f'"{die}" is a die: write dice and the face that it shows, or {card} for the card\n',
    )
    asked = script(f"hit bryn 9 {card}\n")
    assert (asked.code, asked.err) == (0, "")


def test_an_answer_that_cannot_be_written_is_told_so_that_nobody_plays_it_twice(home: Path) -> None:
    done("add bryn")
    call = ["sh", "-c", '"$0" -m generator play note x >/dev/full', sys.executable]
    ran = subprocess.run(call, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    says = "note is done and saved, but its answer cannot be written: No space left on device\n"
    assert (ran.returncode, ran.stderr) == (1, says)
    assert len(lines_of_campaign(home / "table.hackjack")) == 3


def test_reading_goes_on_beside_a_session() -> None:
    done("add bryn")
    with subprocess.Popen(COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write("hold bryn\n")
        other.stdin.flush()
        assert other.stdout.readline().startswith("You hold")
        for call in ("show", "log", "export", "why"):
            assert play(call).code == 0
        assert "holding" in play("show").out
        assert play("release bryn").code == 0
        other.stdin.write("show bryn\n")
        other.stdin.flush()
        told = [other.stdout.readline().strip() for _ in range(5)]
        assert told == [
            "bryn: death-score 0, Blood 0, Trauma 0, holding",
            "terminal: release bryn",
            "You let go: the next hit lets the Blood flow.",
            "bryn: death-score 0, Blood 0, Trauma 0",
            "bryn: death-score 0, Blood 0, Trauma 0",
        ]
        other.stdin.close()
        other.wait()
    assert play("hold bryn").code == 0


def test_a_real_terminal_with_completion() -> None:
    pytest.importorskip("readline")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "INPUTRC": os.devnull}
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as child:
        os.close(theirs)
        try:
            _until(ours, "> ")
            for line, answer in (("add bryn\n", "Trauma 0"), ("hit br\t9\n", "(QS) "), ("10C\n", "10C): ")):
                os.write(ours, line.encode())
                _until(ours, answer)
            os.write(ours, b"4\n")
            assert "bryn: death-score 10, Blood 4" in _until(ours, "Trauma 0")
            os.write(ours, b"quit\n")
            assert child.wait(20) == 0
        finally:
            child.kill()
            os.close(ours)


def _until(handle: int, text: str) -> str:
    """What a terminal shows until a text comes."""
    seen, end = "", time.monotonic() + 20
    while text not in seen:
        ready, _, _ = select.select([handle], [], [], max(0, end - time.monotonic()))
        assert ready, f"waited for {text!r}, saw {seen!r}"
        seen += os.read(handle, 4096).decode("utf-8", "replace")
    return seen


def test_a_command_at_the_table_loads_nothing_that_draws() -> None:
    program = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from generator.cli import main\n"
        "main(['play', 'add', 'bryn'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(json.loads(ran.stderr.splitlines()[-1]))
    assert (
        loaded & {"reportlab", "PIL", "jinja2", "pypdfium2", "generator.paper", "generator.layout.card_layout"} == set()
    )


# --- the guide -------------------------------------------------------------------------------------------------------

GUIDE = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_guide_shows_what_happens() -> None:
    shown = [line for block in re.findall(r"^```console\n(.*?)^```", GUIDE, re.M | re.S) for line in block.splitlines()]
    happened: list[str] = []
    for line in shown:
        if line.startswith("$ hackjack "):
            ran = run(*line.split()[2:])
            assert (ran.code, ran.err) == (0, "")
            happened += [line, *ran.out.splitlines()]
    assert happened == shown
    assert len(shown) > 40


def test_the_page_of_commands_lists_every_command_of_the_prompt() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").partition("## Commands of the prompt")[2]
    assert re.findall(r"^\| `(.+?)` \| (.+?) \|$", page, re.M) == list(COMMANDS.values())
